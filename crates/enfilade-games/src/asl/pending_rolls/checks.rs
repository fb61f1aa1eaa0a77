//! Judgement of one check: modifiers, morale, verdict (A7.303-A7.305, A7.8, A10.3, A19.1).
//!
//! Judging only reads the state, so an explanation can judge the same dice again.

use super::{Judgement, Loss, Pending, Personnel, Verdict};
use crate::asl::data::Cell;
use crate::asl::unit_stack::{BROKEN, DEAD, PINNED, Unit};
use enfilade_model::dice::Dice;

/// Check before its dice are rolled.
#[derive(Clone, Copy)]
struct Test {
    check: Cell,
    drm: i32,
    leadership: Option<i32>,
    morale: i32,
    /// Highest Original DR that passes, where it may pin (A7.8).
    pins: Option<i32>,
}

impl Personnel {
    /// Returns the best leadership that may help the unit at `place`: of an unbroken, unpinned
    /// leader who owes no roll. A leader of +1 must be used when there is no better one.
    fn leadership(&self, pending: &Pending, place: usize) -> Option<i32> {
        let able = |unit: Unit| {
            unit.is_done() && !unit.has(BROKEN) && !unit.has(PINNED) && !unit.has(DEAD)
        };
        let units = pending.stack.units().iter().enumerate();
        let others = units.filter(|(other, unit)| *other != place && able(**unit));
        let present = others.filter_map(|(_, unit)| self.roster.of(*unit).leadership);
        present.chain(pending.helper.map(i32::from)).min()
    }

    /// A7.303-A7.305, A10.2: returns the check that the unit at `place` has to make: the one for
    /// the loss of a leader, or its own for the attack.
    fn test(&self, pending: &Pending, place: usize, loss: Option<Loss>) -> Test {
        let unit = pending.stack.units()[place];
        let check = loss.map_or(unit.result(), |loss| loss.check);
        let leadership = self.leadership(pending, place);
        let number = match check {
            Cell::Mc(n) => i32::from(n),
            _ => 0,
        };
        let felt = loss.map_or(0, |loss| loss.drm.into());
        let drm = number + felt + leadership.unwrap_or(0);
        let morale = self.roster.morale(unit);
        let pins = loss.is_none().then(|| self.highest_pass(morale - drm));
        Test { check, drm, leadership, morale, pins }
    }

    /// A7.8, A10.31: returns "the highest DR possible that still results in a passed MC", where the
    /// modifiers alone let this Original DR pass; automatic failures are above it.
    fn highest_pass(&self, even: i32) -> i32 {
        even.min(self.numbers.automatic_failure - 1).min(12)
    }

    /// Rolls the check. Of the DR it only matters whether the unit passes, passes exactly, fails,
    /// fails by more than the ELR, fails automatically, or triggers heat of battle.
    pub(super) fn check(
        &self,
        pending: &Pending,
        place: usize,
        loss: Option<Loss>,
        dice: &mut impl Dice,
    ) -> Judgement {
        let test = self.test(pending, place, loss);
        let (even, rules) = (test.morale - test.drm, &self.numbers);
        let heat = if self.heat_of_battle { rules.heat_of_battle_roll + 1 } else { even };
        let replaced = self.elr.map_or(even, |elr| even + elr + 1);
        let highest = self.highest_pass(even);
        let marks = [highest, even + 1, replaced, rules.automatic_failure, heat];
        let original = dice.sum_to_reach(2, 6, &marks).into();
        self.judged(pending.stack.units()[place], test, original)
    }

    /// A10.3, A7.305: judges the check with an Original DR.
    pub fn judge(
        &self,
        pending: &Pending,
        place: usize,
        loss: Option<Loss>,
        original: i32,
    ) -> Judgement {
        self.judged(pending.stack.units()[place], self.test(pending, place, loss), original)
    }

    fn judged(&self, unit: Unit, test: Test, original: i32) -> Judgement {
        let Test { check, drm, leadership, morale, pins } = test;
        let excess = original + drm - morale;
        let verdict = match check {
            Cell::Ptc if excess > 0 => Verdict::Pinned,
            Cell::Ptc => Verdict::Passes,
            _ if original >= self.numbers.automatic_failure => self.worst(unit),
            _ if excess > 0 => self.failed(unit, excess),
            _ if pins == Some(original) && self.roster.can_be_pinned(unit) => Verdict::Pinned,
            _ => Verdict::Passes,
        };
        Judgement { check, original, drm, leadership, morale, verdict }
    }

    /// A10.3: returns the verdict of a failed check: breaking; Casualty Reduction of a unit that is
    /// broken or cannot break.
    fn failed(&self, unit: Unit, excess: i32) -> Verdict {
        let profile = self.roster.of(unit);
        if unit.has(BROKEN) || profile.steadfast {
            return Verdict::Reduced;
        }
        let replaced = self.elr.is_some_and(|elr| excess > elr);
        if replaced && profile.replaced_by.is_some() {
            Verdict::BreaksReplaced
        } else {
            Verdict::Breaks
        }
    }

    /// A10.31: returns the verdict of an Original 12.
    fn worst(&self, unit: Unit) -> Verdict {
        if unit.has(BROKEN) {
            Verdict::Eliminated
        } else if self.roster.of(unit).steadfast {
            Verdict::Reduced
        } else {
            Verdict::ReducedBreaks
        }
    }
}
