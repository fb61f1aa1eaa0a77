//! Random Selection, Casualty Reduction, breaking, wounds (A7.301, A7.302, A17.11).

use super::{Judgement, Ordeal, Personnel, Selection};
use crate::systems::asl::data::Cell;
use crate::systems::asl::outcome::{Count, Tally};
use crate::systems::asl::unit::{
    BROKEN, DEAD, LOST, MUST_BLEED, MUST_CHECK, SPARED, Unit, WOUNDED,
};

impl Personnel {
    /// Random Selection of `wanted` units; without dice when there are no more than that.
    pub(super) fn select(&self, ordeal: &mut Ordeal, tally: &mut Tally, wanted: u8, result: Cell) {
        ordeal.selection = Some(Selection { wanted, result });
        if ordeal.stack.units().len() <= usize::from(wanted) {
            ordeal.stack.change(|unit| Some(unit.with_dr(6)));
            self.take_selected(ordeal, tally);
        }
    }

    /// One dr. Who is already behind enough others is spared at once.
    pub(super) fn draw(&self, ordeal: &mut Ordeal, tally: &mut Tally, place: usize, dr: u8) {
        let Some(selection) = ordeal.selection else {
            return;
        };
        let drawn = ordeal.stack.units()[place].with_dr(dr);
        ordeal.stack.set(place, drawn);
        let wanted = usize::from(selection.wanted);
        let units = ordeal.stack.units();
        let least = (1..=6).rev().find(|least| {
            let level = units.iter().filter(|u| (*least..=6).contains(&u.dr()));
            level.count() >= wanted
        });
        let spared = |unit: Unit| least.is_some_and(|least| (1..least).contains(&unit.dr()));
        ordeal.stack.change(|unit| {
            Some(if spared(unit) {
                unit.with_dr(SPARED)
            } else {
                unit
            })
        });
        if ordeal.stack.units().iter().all(|unit| unit.dr() != 0) {
            self.take_selected(ordeal, tally);
        }
    }

    /// What Random Selection took is lost, the others bear the rest of the result.
    fn take_selected(&self, ordeal: &mut Ordeal, tally: &mut Tally) {
        let Some(selection) = ordeal.selection.take() else {
            return;
        };
        let check = match selection.result {
            Cell::K(n) => Some(Cell::Mc(n)),
            _ => None,
        };
        ordeal.check = check.unwrap_or(Cell::NoEffect);
        ordeal.stack.change(|unit| {
            let taken = unit.dr() != SPARED;
            let unit = unit.with_dr(0);
            match (check.is_some(), taken) {
                (false, true) => self.eliminate(unit, tally),
                (false, false) => self.break_or_reduce(unit, tally),
                (true, true) => self
                    .reduce(unit, tally)
                    .map(|left| self.check_after_k(left)),
                (true, false) => Some(unit.with(MUST_CHECK)),
            }
        });
    }

    /// The half-squad left by a K result checks with the others; a wounded man does not (A7.302).
    fn check_after_k(&self, left: Unit) -> Unit {
        if left.has(MUST_BLEED) {
            left
        } else {
            left.with(MUST_CHECK)
        }
    }

    /// A7.301: whoever a KIA leaves alive breaks, or is reduced where it cannot break.
    fn break_or_reduce(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        if unit.has(BROKEN) || self.roster.of(unit).steadfast {
            return self.reduce(unit, tally);
        }
        Some(self.fall(unit))
    }

    /// The unit breaks; a leader who does is lost to the others.
    pub(super) fn fall(&self, unit: Unit) -> Unit {
        let lost = self.leader_loss && self.roster.is_leader(unit);
        let unit = unit.broken();
        if lost { unit.with(LOST) } else { unit }
    }

    /// A7.302 Casualty Reduction: a squad becomes its half-squad, other groups are eliminated, a
    /// single man is wounded, how badly is rolled next.
    pub(super) fn reduce(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        let profile = self.roster.of(unit);
        match profile.half {
            Some(half) => Some(unit.as_profile(half)),
            None if profile.kind.is_single() => Some(unit.with(MUST_BLEED)),
            None => self.eliminate(unit, tally),
        }
    }

    /// The unit is gone; a leader is kept until his loss has been felt.
    pub(super) fn eliminate(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        tally.add(Count::Eliminated);
        if !self.leader_loss || !self.roster.is_leader(unit) {
            return None;
        }
        let broken = unit.has(BROKEN);
        let dead = Unit::new(unit.profile()).with(DEAD).with(LOST);
        Some(if broken { dead.with(BROKEN) } else { dead })
    }

    /// A17.11 wound severity.
    pub(super) fn bleed(&self, ordeal: &mut Ordeal, tally: &mut Tally, place: usize, dr: i32) {
        let unit = ordeal.stack.units()[place].without(MUST_BLEED);
        let left = if self.severity(unit, dr) <= self.numbers.wound_survived {
            Some(unit.with(WOUNDED))
        } else {
            self.eliminate(unit, tally)
        };
        ordeal.stack.replace(place, left);
    }

    /// The wound severity dr, modified for a wound the unit already has.
    pub fn severity(&self, unit: Unit, dr: i32) -> i32 {
        let hurt = unit.has(WOUNDED) || self.roster.of(unit).before.wounded;
        dr + if hurt {
            self.numbers.already_wounded
        } else {
            0
        }
    }

    /// Casualty Reduction and breaking; what is left may be replaced as well (A19.1).
    pub(super) fn reduce_and_break(
        &self,
        unit: Unit,
        tally: &mut Tally,
        told: Judgement,
    ) -> Option<Unit> {
        let left = self.reduce(unit, tally)?;
        let excess = told.original + told.drm - told.morale;
        let replaced = self.elr.is_some_and(|elr| excess > elr);
        let left = if replaced { self.replaced(left) } else { left };
        Some(self.fall(left))
    }

    pub(super) fn replaced(&self, unit: Unit) -> Unit {
        let by = self.roster.of(unit).replaced_by;
        by.map_or(unit, |by| unit.as_profile(by))
    }
}
