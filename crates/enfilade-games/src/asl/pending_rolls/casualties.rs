//! Random Selection, Casualty Reduction, breaking, wounds (A7.301, A7.302, A17.11).

use super::{Judgement, Pending, Personnel};
use crate::asl::data::Cell;
use crate::asl::tally::{Count, Tally};
use crate::asl::unit_stack::{
    BROKEN, DEAD, LOST, LOST_TWICE, SPARED, Stack, Unit, WOUND_DUE, WOUNDED,
};

/// Random Selection among the units with a KIA, or among those with a K.
///
/// A7.301 and A7.302 give their numbers for the Location. So units with different numbers of KIA
/// draw together, for the highest number, unless each result draws separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lot {
    /// Worst result among the units that draw.
    worst: Cell,
}

impl Lot {
    /// A7.301, A7.302: returns the least number of units to select; ties select more.
    fn wanted(self) -> usize {
        match self.worst {
            Cell::Kia(n) => n.into(),
            _ => 1,
        }
    }
}

impl Personnel {
    /// Returns the next Random Selection, if one is due.
    pub(super) fn lot(&self, stack: &Stack) -> Option<Lot> {
        let worst = stack.worst_result();
        matches!(worst, Cell::Kia(_) | Cell::K(_)).then_some(Lot { worst })
    }

    /// A7.301, A7.302: returns whether a unit draws in a Random Selection.
    pub(super) fn draws(&self, lot: Lot, unit: Unit) -> bool {
        match (lot.worst, unit.result()) {
            (Cell::Kia(_), Cell::Kia(_)) | (Cell::K(_), Cell::K(_)) if !self.apart => true,
            (worst, result) => worst == result,
        }
    }

    /// Ends every Random Selection that needs no dice, because no more units draw than are
    /// selected.
    pub(super) fn draw_lots(&self, pending: &mut Pending, tally: &mut Tally) {
        // One selection may make the next one due, which may need no dice either.
        while let Some(lot) = self.lot(&pending.stack) {
            let drawing = |unit: &&Unit| self.draws(lot, **unit);
            if pending.stack.units().iter().filter(drawing).count() > lot.wanted() {
                return;
            }
            self.take_selected(pending, tally, lot);
        }
    }

    /// Applies one dr. A unit that is already behind enough others is spared at once.
    pub(super) fn draw(&self, pending: &mut Pending, tally: &mut Tally, place: usize, dr: u8) {
        let Some(lot) = self.lot(&pending.stack) else {
            return;
        };
        let drawn = pending.stack.units()[place].with_dr(dr);
        pending.stack.set(place, drawn);
        let least = least(pending.stack.units(), lot);
        let spared = |unit: Unit| (1..least).contains(&unit.dr());
        pending.stack.change(|unit| Some(if spared(unit) { unit.with_dr(SPARED) } else { unit }));
        if !pending.stack.units().iter().any(|unit| self.waits(lot, *unit)) {
            self.take_selected(pending, tally, lot);
            self.draw_lots(pending, tally);
        }
    }

    /// Encodes what matters of the dr of the unit at `place`: whether the unit is spared at once,
    /// else the dr; for the last dr, which units are selected.
    pub(super) fn matters(&self, stack: &Stack, place: usize, dr: u8) -> u128 {
        let Some(lot) = self.lot(stack) else {
            return 0;
        };
        let mut stack = *stack;
        stack.set(place, stack.units()[place].with_dr(dr));
        let units = stack.units();
        let least = least(units, lot);
        if units.iter().any(|unit| self.waits(lot, *unit)) {
            return if dr < least { 0 } else { dr.into() };
        }
        units.iter().fold(0, |taken, unit| taken << 1 | u128::from(unit.dr() >= least))
    }

    fn waits(&self, lot: Lot, unit: Unit) -> bool {
        unit.dr() == 0 && self.draws(lot, unit)
    }

    /// A7.301, A7.302: applies the losses to the selected units, and the rest of the results to the
    /// others that drew.
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

    /// A7.301: breaks a unit that survives a KIA, or reduces it where it cannot break.
    fn break_or_reduce(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        if unit.has(BROKEN) || self.roster.of(unit).steadfast {
            return self.reduce(unit, tally);
        }
        Some(self.fall(unit))
    }

    /// A10.3: breaks the unit; a leader who breaks is lost to the others (A10.2).
    pub(super) fn fall(&self, unit: Unit) -> Unit {
        let lost = self.leader_loss && self.roster.is_leader(unit);
        let unit = unit.broken();
        if lost { unit.with(LOST) } else { unit }
    }

    /// A7.302 Casualty Reduction: a squad becomes its half-squad, other groups are eliminated, a
    /// single man is wounded and rolls for the severity next.
    pub(super) fn reduce(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        let profile = self.roster.of(unit);
        match profile.half {
            Some(half) => Some(unit.as_profile(half)),
            None if profile.kind.is_single() => Some(unit.with(WOUND_DUE)),
            None => self.eliminate(unit, tally),
        }
    }

    /// A7.301, A10.2: eliminates the unit; a leader stays in the state until the loss has been
    /// felt.
    pub(super) fn eliminate(&self, unit: Unit, tally: &mut Tally) -> Option<Unit> {
        tally.add(Count::Eliminated);
        if !self.leader_loss || !self.roster.is_leader(unit) {
            return None;
        }
        let profile = self.roster.of(unit);
        let twice = unit.has(LOST_TWICE);
        // A leader whom one roll breaks and eliminates was unbroken until then (A10.31), which is
        // recorded where it matters.
        let differs = profile.standing(false) != profile.standing(true);
        let stood = unit.has(LOST) && !twice && differs;
        let dead = Unit::new(unit.profile()).with(DEAD).with(LOST);
        let dead = if twice { dead.with(LOST_TWICE) } else { dead };
        Some(if unit.has(BROKEN) && !stood { dead.with(BROKEN) } else { dead })
    }

    /// A17.11: applies the wound severity.
    pub(super) fn wound(&self, pending: &mut Pending, tally: &mut Tally, place: usize, dr: u8) {
        let unit = pending.stack.units()[place].without(WOUND_DUE);
        let left = if self.survives(unit, dr) {
            Some(unit.with(WOUNDED).without(LOST_TWICE))
        } else {
            self.eliminate(unit, tally)
        };
        pending.stack.replace(place, left);
    }

    /// A17.11: returns whether the unit survives this dr for the severity of its wound.
    pub(super) fn survives(&self, unit: Unit, dr: u8) -> bool {
        self.severity(unit, dr.into()) <= self.numbers.wound_survived
    }

    /// A17.11: returns the wound severity dr, modified for a wound that the unit already has.
    pub fn severity(&self, unit: Unit, dr: i32) -> i32 {
        let hurt = unit.has(WOUNDED) || self.roster.of(unit).before.wounded;
        dr + if hurt { self.numbers.already_wounded } else { 0 }
    }

    /// Applies Casualty Reduction and breaking; the rest of the unit may be replaced as well
    /// (A19.1).
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

/// Returns the lowest dr that can still be selected; 0 as long as every unit can be.
fn least(units: &[Unit], lot: Lot) -> u8 {
    let enough = |least: &u8| {
        let level = units.iter().filter(|unit| (*least..=6).contains(&unit.dr()));
        level.count() >= lot.wanted()
    };
    (1..=6).rev().find(enough).unwrap_or(0)
}

/// Makes the half-squad left by a K result check with the others; a wounded man does not (A7.302).
fn check_after_k(left: Unit, number: u8) -> Unit {
    if left.has(WOUND_DUE) { left } else { left.with_result(Cell::Mc(number)) }
}
