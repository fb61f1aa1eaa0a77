//! Judgement of one check: modifiers, morale, verdict (A7.303-A7.305, A7.8, A10.3, A19.1).
//!
//! Judging only reads the state, so an explanation can judge the same dice again.

use super::{
    CheckEffect, FeltLeaderLoss, JudgedCheckRoll, PersonnelRules, PersonnelWithPendingRolls,
};
use crate::asl::data::FireTableResult;
use crate::asl::unit_stack::{BROKEN, ELIMINATED, PINNED, StackUnit};
use enfilade_model::dice::Dice;

/// Check before its dice are rolled.
#[derive(Clone, Copy)]
struct DueMoraleCheck {
    check: FireTableResult,
    drm: i32,
    leadership: Option<i32>,
    morale: i32,
    /// Highest Original DR that passes, where it may pin (A7.8).
    pins: Option<i32>,
}

impl PersonnelRules {
    /// Returns the best leadership that may help the unit at `place`: of an unbroken, unpinned
    /// leader who owes no roll. A leader of +1 must be used when there is no better one.
    fn best_helping_leadership(
        &self,
        pending: &PersonnelWithPendingRolls,
        place: usize,
    ) -> Option<i32> {
        let able = |unit: StackUnit| {
            unit.owes_no_roll()
                && !unit.has_mark(BROKEN)
                && !unit.has_mark(PINNED)
                && !unit.has_mark(ELIMINATED)
        };
        let units = pending.stack.sorted_units().iter().enumerate();
        let others = units.filter(|(other, unit)| *other != place && able(**unit));
        let present = others.filter_map(|(_, unit)| self.roster.profile_of(*unit).leadership);
        present.chain(pending.helper.map(i32::from)).min()
    }

    /// A7.303-A7.305, A10.2: returns the check that the unit at `place` has to make: the one for
    /// the loss of a leader, or its own for the attack.
    fn due_check_of_unit(
        &self,
        pending: &PersonnelWithPendingRolls,
        place: usize,
        loss: Option<FeltLeaderLoss>,
    ) -> DueMoraleCheck {
        let unit = pending.stack.sorted_units()[place];
        let check = loss.map_or(unit.pending_result(), |loss| loss.check);
        let leadership = self.best_helping_leadership(pending, place);
        let number = match check {
            FireTableResult::Mc(n) => i32::from(n),
            _ => 0,
        };
        let felt = loss.map_or(0, |loss| loss.drm.into());
        let drm = number + felt + leadership.unwrap_or(0);
        let morale = self.roster.current_morale(unit);
        let pins = loss.is_none().then(|| self.highest_passing_roll(morale - drm));
        DueMoraleCheck { check, drm, leadership, morale, pins }
    }

    /// A7.8, A10.31: returns "the highest DR possible that still results in a passed MC", where the
    /// modifiers alone let this Original DR pass; automatic failures are above it.
    fn highest_passing_roll(&self, even: i32) -> i32 {
        even.min(self.numbers.automatic_failure - 1).min(12)
    }

    /// Rolls the check. Of the DR it only matters whether the unit passes, passes exactly, fails,
    /// fails by more than the ELR, fails automatically, or triggers heat of battle.
    pub(super) fn roll_and_judge_morale_check(
        &self,
        pending: &PersonnelWithPendingRolls,
        place: usize,
        loss: Option<FeltLeaderLoss>,
        dice: &mut impl Dice,
    ) -> JudgedCheckRoll {
        let test = self.due_check_of_unit(pending, place, loss);
        let (even, rules) = (test.morale - test.drm, &self.numbers);
        let heat = if self.heat_of_battle { rules.heat_of_battle_roll + 1 } else { even };
        let replaced = self.elr.map_or(even, |elr| even + elr + 1);
        let highest = self.highest_passing_roll(even);
        let marks = [highest, even + 1, replaced, rules.automatic_failure, heat];
        let original = dice.sum_to_reach(2, 6, &marks).into();
        self.judge_check_roll(pending.stack.sorted_units()[place], test, original)
    }

    /// A10.3, A7.305: judges the check with an Original DR.
    pub fn judge_due_check(
        &self,
        pending: &PersonnelWithPendingRolls,
        place: usize,
        loss: Option<FeltLeaderLoss>,
        original: i32,
    ) -> JudgedCheckRoll {
        self.judge_check_roll(
            pending.stack.sorted_units()[place],
            self.due_check_of_unit(pending, place, loss),
            original,
        )
    }

    fn judge_check_roll(
        &self,
        unit: StackUnit,
        test: DueMoraleCheck,
        original: i32,
    ) -> JudgedCheckRoll {
        let DueMoraleCheck { check, drm, leadership, morale, pins } = test;
        let excess = original + drm - morale;
        let verdict = match check {
            FireTableResult::Ptc if excess > 0 => CheckEffect::Pinned,
            FireTableResult::Ptc => CheckEffect::Passes,
            _ if original >= self.numbers.automatic_failure => self.original_twelve_result(unit),
            _ if excess > 0 => self.failed_check_result(unit, excess),
            _ if pins == Some(original) && self.roster.is_susceptible_to_pins(unit) => {
                CheckEffect::Pinned
            }
            _ => CheckEffect::Passes,
        };
        JudgedCheckRoll { check, original, drm, leadership, morale, verdict }
    }

    /// A10.3: returns the verdict of a failed check: breaking; Casualty Reduction of a unit that is
    /// broken or cannot break.
    fn failed_check_result(&self, unit: StackUnit, excess: i32) -> CheckEffect {
        let profile = self.roster.profile_of(unit);
        if unit.has_mark(BROKEN) || profile.steadfast {
            return CheckEffect::Reduced;
        }
        let replaced = self.elr.is_some_and(|elr| excess > elr);
        if replaced && profile.replaced_by.is_some() {
            CheckEffect::BreaksReplaced
        } else {
            CheckEffect::Breaks
        }
    }

    /// A10.31: returns the verdict of an Original 12.
    fn original_twelve_result(&self, unit: StackUnit) -> CheckEffect {
        if unit.has_mark(BROKEN) {
            CheckEffect::Eliminated
        } else if self.roster.profile_of(unit).steadfast {
            CheckEffect::Reduced
        } else {
            CheckEffect::ReducedBreaks
        }
    }
}
