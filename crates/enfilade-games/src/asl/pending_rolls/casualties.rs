//! Random Selection, Casualty Reduction, breaking, wounds (A7.301, A7.302, A17.11).

use super::{JudgedCheckRoll, PersonnelRules, PersonnelWithPendingRolls};
use crate::asl::attack_outcome::{CountedFireEvent, FireEventCounts};
use crate::asl::data::FireTableResult;
use crate::asl::unit_stack::{
    BROKEN, ELIMINATED, LOSS_NOT_YET_FELT, LOST_AGAIN_UNFELT, SPARED_FROM_SELECTION, StackUnit,
    UnitStack, WOUND_ROLL_DUE, WOUNDED_NOW,
};

/// Random Selection among the units with a KIA, or among those with a K.
///
/// A7.301 and A7.302 give their numbers for the Location. So units with different numbers of KIA
/// draw together, for the highest number, unless each result draws separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RandomSelectionGroup {
    /// Worst result among the units that draw.
    worst: FireTableResult,
}

impl RandomSelectionGroup {
    /// A7.301, A7.302: returns the least number of units to select; ties select more.
    fn least_selected_unit_count(self) -> usize {
        match self.worst {
            FireTableResult::Kia(n) => n.into(),
            _ => 1,
        }
    }
}

impl PersonnelRules {
    /// Returns the next Random Selection, if one is due.
    pub(super) fn next_selection(&self, stack: &UnitStack) -> Option<RandomSelectionGroup> {
        let worst = stack.worst_pending_result();
        matches!(worst, FireTableResult::Kia(_) | FireTableResult::K(_))
            .then_some(RandomSelectionGroup { worst })
    }

    /// A7.301, A7.302: returns whether a unit draws in a Random Selection.
    pub(super) fn is_in_selection(&self, lot: RandomSelectionGroup, unit: StackUnit) -> bool {
        match (lot.worst, unit.pending_result()) {
            (FireTableResult::Kia(_), FireTableResult::Kia(_))
            | (FireTableResult::K(_), FireTableResult::K(_))
                if !self.apart =>
            {
                true
            }
            (worst, result) => worst == result,
        }
    }

    /// Ends every Random Selection that needs no dice, because no more units draw than are
    /// selected.
    pub(super) fn end_selections_without_dice(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
    ) {
        // One selection may make the next one due, which may need no dice either.
        while let Some(lot) = self.next_selection(&pending.stack) {
            let drawing = |unit: &&StackUnit| self.is_in_selection(lot, **unit);
            if pending.stack.sorted_units().iter().filter(drawing).count()
                > lot.least_selected_unit_count()
            {
                return;
            }
            self.apply_selection_losses(pending, tally, lot);
        }
    }

    /// Applies one dr. A unit that is already behind enough others is spared at once.
    pub(super) fn apply_selection_roll(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
        place: usize,
        dr: u8,
    ) {
        let Some(lot) = self.next_selection(&pending.stack) else {
            return;
        };
        let drawn = pending.stack.sorted_units()[place].with_selection_roll(dr);
        pending.stack.replace_unsorted(place, drawn);
        let least = lowest_selectable_roll(pending.stack.sorted_units(), lot);
        let spared = |unit: StackUnit| (1..least).contains(&unit.selection_roll());
        pending.stack.update_or_remove_each_unit(|unit| {
            Some(if spared(unit) { unit.with_selection_roll(SPARED_FROM_SELECTION) } else { unit })
        });
        if !pending
            .stack
            .sorted_units()
            .iter()
            .any(|unit| self.is_waiting_for_selection(lot, *unit))
        {
            self.apply_selection_losses(pending, tally, lot);
            self.end_selections_without_dice(pending, tally);
        }
    }

    /// Encodes what matters of the dr of the unit at `place`: whether the unit is spared at once,
    /// else the dr; for the last dr, which units are selected.
    pub(super) fn effect_code_of_selection_roll(
        &self,
        stack: &UnitStack,
        place: usize,
        dr: u8,
    ) -> u128 {
        let Some(lot) = self.next_selection(stack) else {
            return 0;
        };
        let mut stack = *stack;
        stack.replace_unsorted(place, stack.sorted_units()[place].with_selection_roll(dr));
        let units = stack.sorted_units();
        let least = lowest_selectable_roll(units, lot);
        if units.iter().any(|unit| self.is_waiting_for_selection(lot, *unit)) {
            return if dr < least { 0 } else { dr.into() };
        }
        units.iter().fold(0, |taken, unit| taken << 1 | u128::from(unit.selection_roll() >= least))
    }

    fn is_waiting_for_selection(&self, lot: RandomSelectionGroup, unit: StackUnit) -> bool {
        unit.selection_roll() == 0 && self.is_in_selection(lot, unit)
    }

    /// A7.301, A7.302: applies the losses to the selected units, and the rest of the results to the
    /// others that drew.
    fn apply_selection_losses(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
        lot: RandomSelectionGroup,
    ) {
        pending.stack.update_or_remove_each_unit(|unit| {
            if !self.is_in_selection(lot, unit) {
                return Some(unit);
            }
            let bare = unit.with_selection_roll(0).with_pending_result(FireTableResult::NoEffect);
            match (unit.pending_result(), unit.selection_roll() != SPARED_FROM_SELECTION) {
                (FireTableResult::K(n), true) => {
                    let left = self.apply_casualty_reduction(bare, tally);
                    left.map(|left| make_half_squad_check(left, n))
                }
                (FireTableResult::K(n), false) => {
                    Some(bare.with_pending_result(FireTableResult::Mc(n)))
                }
                (_, true) => self.eliminate_unit(bare, tally),
                (_, false) => self.break_or_reduce_survivor(bare, tally),
            }
        });
    }

    /// A7.301: breaks a unit that survives a KIA, or reduces it where it cannot break.
    fn break_or_reduce_survivor(
        &self,
        unit: StackUnit,
        tally: &mut FireEventCounts,
    ) -> Option<StackUnit> {
        if unit.has_mark(BROKEN) || self.roster.profile_of(unit).steadfast {
            return self.apply_casualty_reduction(unit, tally);
        }
        Some(self.break_unit_noting_leader_loss(unit))
    }

    /// A10.3: breaks the unit; a leader who breaks is lost to the others (A10.2).
    pub(super) fn break_unit_noting_leader_loss(&self, unit: StackUnit) -> StackUnit {
        let lost = self.leader_loss && self.roster.is_leader(unit);
        let unit = unit.into_broken();
        if lost { unit.with_mark(LOSS_NOT_YET_FELT) } else { unit }
    }

    /// A7.302 Casualty Reduction: a squad becomes its half-squad, other groups are eliminated, a
    /// single man is wounded and rolls for the severity next.
    pub(super) fn apply_casualty_reduction(
        &self,
        unit: StackUnit,
        tally: &mut FireEventCounts,
    ) -> Option<StackUnit> {
        let profile = self.roster.profile_of(unit);
        match profile.half {
            Some(half) => Some(unit.with_profile(half)),
            None if profile.kind.is_single_man() => Some(unit.with_mark(WOUND_ROLL_DUE)),
            None => self.eliminate_unit(unit, tally),
        }
    }

    /// A7.301, A10.2: eliminates the unit; a leader stays in the state until the loss has been
    /// felt.
    pub(super) fn eliminate_unit(
        &self,
        unit: StackUnit,
        tally: &mut FireEventCounts,
    ) -> Option<StackUnit> {
        tally.count_event(CountedFireEvent::Eliminated);
        if !self.leader_loss || !self.roster.is_leader(unit) {
            return None;
        }
        let profile = self.roster.profile_of(unit);
        let twice = unit.has_mark(LOST_AGAIN_UNFELT);
        // A leader whom one roll breaks and eliminates was unbroken until then (A10.31), which is
        // recorded where it matters.
        let differs = profile.leader_rank_if_broken(false) != profile.leader_rank_if_broken(true);
        let stood = unit.has_mark(LOSS_NOT_YET_FELT) && !twice && differs;
        let dead =
            StackUnit::new(unit.profile_index()).with_mark(ELIMINATED).with_mark(LOSS_NOT_YET_FELT);
        let dead = if twice { dead.with_mark(LOST_AGAIN_UNFELT) } else { dead };
        Some(if unit.has_mark(BROKEN) && !stood { dead.with_mark(BROKEN) } else { dead })
    }

    /// A17.11: applies the wound severity.
    pub(super) fn apply_wound_severity(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
        place: usize,
        dr: u8,
    ) {
        let unit = pending.stack.sorted_units()[place].without_mark(WOUND_ROLL_DUE);
        let left = if self.survives_wound(unit, dr) {
            Some(unit.with_mark(WOUNDED_NOW).without_mark(LOST_AGAIN_UNFELT))
        } else {
            self.eliminate_unit(unit, tally)
        };
        pending.stack.replace_or_remove_unit(place, left);
    }

    /// A17.11: returns whether the unit survives this dr for the severity of its wound.
    pub(super) fn survives_wound(&self, unit: StackUnit, dr: u8) -> bool {
        self.modified_wound_severity(unit, dr.into()) <= self.numbers.wound_survived
    }

    /// A17.11: returns the wound severity dr, modified for a wound that the unit already has.
    pub fn modified_wound_severity(&self, unit: StackUnit, dr: i32) -> i32 {
        let hurt = unit.has_mark(WOUNDED_NOW) || self.roster.profile_of(unit).before.wounded;
        dr + if hurt { self.numbers.already_wounded } else { 0 }
    }

    /// Applies Casualty Reduction and breaking; the rest of the unit may be replaced as well
    /// (A19.1).
    pub(super) fn reduce_then_break(
        &self,
        unit: StackUnit,
        tally: &mut FireEventCounts,
        judgement: JudgedCheckRoll,
    ) -> Option<StackUnit> {
        let left = self.apply_casualty_reduction(unit, tally)?;
        let excess = judgement.original + judgement.drm - judgement.morale;
        let replaced = self.elr.is_some_and(|elr| excess > elr);
        let left = if replaced { self.replace_by_lower_quality(left) } else { left };
        Some(self.break_unit_noting_leader_loss(left))
    }

    pub(super) fn replace_by_lower_quality(&self, unit: StackUnit) -> StackUnit {
        let by = self.roster.profile_of(unit).replaced_by;
        by.map_or(unit, |by| unit.with_profile(by))
    }
}

/// Returns the lowest dr that can still be selected; 0 as long as every unit can be.
fn lowest_selectable_roll(units: &[StackUnit], lot: RandomSelectionGroup) -> u8 {
    let enough = |least: &u8| {
        let level = units.iter().filter(|unit| (*least..=6).contains(&unit.selection_roll()));
        level.count() >= lot.least_selected_unit_count()
    };
    (1..=6).rev().find(enough).unwrap_or(0)
}

/// Makes the half-squad left by a K result check with the others; a wounded man does not (A7.302).
fn make_half_squad_check(left: StackUnit, number: u8) -> StackUnit {
    if left.has_mark(WOUND_ROLL_DUE) {
        left
    } else {
        left.with_pending_result(FireTableResult::Mc(number))
    }
}
