//! One check judged: modifiers, morale, verdict (A7.303-A7.305, A7.8, A10.3, A19.1).
//!
//! Judging reads and changes nothing, so the telling judges the same dice once more.

use super::{Judgement, Loss, Ordeal, Personnel, Verdict};
use crate::systems::asl::data::Cell;
use crate::systems::asl::unit::{BROKEN, DEAD, PINNED, Unit};

impl Personnel {
    /// The best leadership that may help the unit at `place`: of an unbroken, unpinned leader who
    /// has nothing to roll himself. A leader of +1 must be used when there is no better one.
    fn leadership(&self, ordeal: &Ordeal, place: usize) -> Option<i32> {
        let able = |unit: Unit| {
            unit.is_done() && !unit.has(BROKEN) && !unit.has(PINNED) && !unit.has(DEAD)
        };
        let units = ordeal.stack.units().iter().enumerate();
        let others = units.filter(|(other, unit)| *other != place && able(**unit));
        let present = others.filter_map(|(_, unit)| self.roster.of(*unit).leadership);
        present.chain(ordeal.helper.map(i32::from)).min()
    }

    /// Judges a check of the unit at `place` with an Original DR: the one for the loss of a leader, or
    /// its own for the attack.
    pub fn judge(
        &self,
        ordeal: &Ordeal,
        place: usize,
        loss: Option<Loss>,
        original: i32,
    ) -> Judgement {
        let unit = ordeal.stack.units()[place];
        let check = loss.map_or(unit.result(), |loss| loss.check);
        let leadership = self.leadership(ordeal, place);
        let number = match check {
            Cell::Mc(n) => i32::from(n),
            _ => 0,
        };
        let felt = loss.map_or(0, |loss| loss.drm.into());
        let drm = number + felt + leadership.unwrap_or(0);
        let morale = self.roster.morale(unit);
        let excess = original + drm - morale;
        let verdict = match check {
            Cell::Ptc if excess > 0 => Verdict::Pinned,
            Cell::Ptc => Verdict::Passes,
            _ if original >= self.numbers.automatic_failure => self.worst(unit),
            _ if excess > 0 => self.failed(unit, excess),
            _ if excess == 0 && loss.is_none() && self.pins(unit) => Verdict::Pinned,
            _ => Verdict::Passes,
        };
        Judgement { check, original, drm, leadership, morale, verdict }
    }

    /// A7.8: the highest roll that passes pins; not a broken unit, nor one that is immune.
    fn pins(&self, unit: Unit) -> bool {
        !unit.has(BROKEN) && !self.roster.of(unit).steadfast
    }

    /// A10.3: a failed check breaks; who is broken or cannot break suffers Casualty Reduction.
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

    /// A10.31: an Original 12.
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
