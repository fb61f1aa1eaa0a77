//! Random Selection, Casualty Reduction, breaking, wounds (A7.301, A7.302, A17.11).

use super::{Judgement, Pending, Personnel};
use crate::systems::asl::data::Cell;
use crate::systems::asl::outcome::{Count, Tally};
use crate::systems::asl::unit::{BROKEN, DEAD, LOST, SPARED, Stack, Unit, WOUND_DUE, WOUNDED};

/// A Random Selection: of those with a KIA, or of those with a K.
///
/// A7.301 and A7.302 give their numbers for the Location. So units with different numbers of KIA draw
/// together, for the highest one, unless each result is to draw apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lot {
    /// The worst result among those who draw.
    worst: Cell,
}

impl Lot {
    /// A7.301, A7.302: how many are taken at least; ties take more.
    fn wanted(self) -> usize {
        match self.worst {
            Cell::Kia(n) => n.into(),
            _ => 1,
        }
    }
}

impl Personnel {
    /// The Random Selection that is next, if one is due.
    pub(super) fn lot(&self, stack: &Stack) -> Option<Lot> {
        let worst = stack.worst_result();
        matches!(worst, Cell::Kia(_) | Cell::K(_)).then_some(Lot { worst })
    }

    /// A7.301, A7.302: whether a unit draws in a Random Selection.
    pub(super) fn draws(&self, lot: Lot, unit: Unit) -> bool {
        match (lot.worst, unit.result()) {
            (Cell::Kia(_), Cell::Kia(_)) | (Cell::K(_), Cell::K(_)) if !self.apart => true,
            (worst, result) => worst == result,
        }
    }

    /// Ends every Random Selection that needs no dice, because no more draw than are taken.
    pub(super) fn draw_lots(&self, pending: &mut Pending, tally: &mut Tally) {
        while let Some(lot) = self.lot(&pending.stack) {
            let drawing = |unit: &&Unit| self.draws(lot, **unit);
            if pending.stack.units().iter().filter(drawing).count() > lot.wanted() {
                return;
            }
            self.take_selected(pending, tally, lot);
        }
    }

    /// One dr. Who is already behind enough others is spared at once.
    pub(super) fn draw(&self, pending: &mut Pending, tally: &mut Tally, place: usize, dr: u8) {
        let Some(lot) = self.lot(&pending.stack) else {
            return;
        };
        let drawn = pending.stack.units()[place].with_dr(dr);
        pending.stack.set(place, drawn);
        let units = pending.stack.units();
        let least = (1..=6).rev().find(|least| {
            let level = units.iter().filter(|u| (*least..=6).contains(&u.dr()));
            level.count() >= lot.wanted()
        });
        let spared = |unit: Unit| least.is_some_and(|least| (1..least).contains(&unit.dr()));
        pending.stack.change(|unit| Some(if spared(unit) { unit.with_dr(SPARED) } else { unit }));
        let waits = |unit: &Unit| unit.dr() == 0 && self.draws(lot, *unit);
        if !pending.stack.units().iter().any(waits) {
            self.take_selected(pending, tally, lot);
            self.draw_lots(pending, tally);
        }
    }

    /// A7.301, A7.302: who a Random Selection took is lost, the others who drew bear the rest of their
    /// results.
    fn take_selected(&self, pending: &mut Pending, tally: &mut Tally, lot: Lot) {
        pending.stack.change(|unit| {
            if !self.draws(lot, unit) {
                return Some(unit);
            }
            let bare = unit.with_dr(0).with_result(Cell::NoEffect);
            match (unit.result(), unit.dr() != SPARED) {
                (Cell::K(n), true) => {
                    let left = self.reduce(bare, tally);
                    left.map(|left| check_after_k(left, n))
                }
                (Cell::K(n), false) => Some(bare.with_result(Cell::Mc(n))),
                (_, true) => self.eliminate(bare, tally),
                (_, false) => self.break_or_reduce(bare, tally),
            }
        });
    }

    /// A7.301: whoever a KIA leaves alive breaks, or is reduced where it cannot break.
    fn break_or_reduce(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        if unit.has(BROKEN) || self.roster.of(unit).steadfast {
            return self.reduce(unit, tally);
        }
        Some(self.fall(unit))
    }

    /// A10.3: the unit breaks; a leader who does is lost to the others (A10.2).
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
            None if profile.kind.is_single() => Some(unit.with(WOUND_DUE)),
            None => self.eliminate(unit, tally),
        }
    }

    /// A7.301, A10.2: the unit is gone; a leader is kept until his loss has been felt.
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
    pub(super) fn wound(&self, pending: &mut Pending, tally: &mut Tally, place: usize, dr: i32) {
        let unit = pending.stack.units()[place].without(WOUND_DUE);
        let left = if self.severity(unit, dr) <= self.numbers.wound_survived {
            Some(unit.with(WOUNDED))
        } else {
            self.eliminate(unit, tally)
        };
        pending.stack.replace(place, left);
    }

    /// A17.11: the wound severity dr, modified for a wound the unit already has.
    pub fn severity(&self, unit: Unit, dr: i32) -> i32 {
        let hurt = unit.has(WOUNDED) || self.roster.of(unit).before.wounded;
        dr + if hurt { self.numbers.already_wounded } else { 0 }
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

/// The half-squad left by a K result checks with the others; a wounded man does not (A7.302).
fn check_after_k(left: Unit, number: u8) -> Unit {
    if left.has(WOUND_DUE) { left } else { left.with_result(Cell::Mc(number)) }
}
