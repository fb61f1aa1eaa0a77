//! Units under fire as the state stores them, and stacks of units.
//!
//! Equal units are interchangeable, so a stack is sorted: it is a multiset, and two stacks that
//! differ only in the order of units are one state. A unit is packed into one number because states
//! are hashed once for every sequence of faces. The pending result of the table is stored in each
//! unit, because units of one Location may have different Final DRs (A7.83).

use std::hash::{Hash, Hasher};

use super::data::FireTableResult;

/// Largest number of units in a stack.
pub const MAX_UNITS_IN_STACK: usize = 12;

/// Largest number of kinds of units in a contest, those made by losses included.
pub const MAX_UNIT_PROFILES: usize = 64;

/// Property of a unit, or a roll that it still owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitMarkFlag(u32);

/// The unit is broken.
pub const BROKEN: UnitMarkFlag = UnitMarkFlag(1 << 5);
/// The unit is pinned, and not broken.
pub const PINNED: UnitMarkFlag = UnitMarkFlag(1 << 6);
/// The unit was wounded by this attack.
pub const WOUNDED_NOW: UnitMarkFlag = UnitMarkFlag(1 << 7);
/// The unit is eliminated; a leader stays until its loss has been felt.
pub const ELIMINATED: UnitMarkFlag = UnitMarkFlag(1 << 8);
/// The unit owes a roll for the severity of a wound.
pub const WOUND_ROLL_DUE: UnitMarkFlag = UnitMarkFlag(1 << 9);
/// The unit owes a check for the loss of a leader.
pub const LEADER_LOSS_CHECK_DUE: UnitMarkFlag = UnitMarkFlag(1 << 10);
/// The unit is a leader for whose loss the others still have to check.
pub const LOSS_NOT_YET_FELT: UnitMarkFlag = UnitMarkFlag(1 << 11);
/// The unit is a lost leader who broke and was, or may be, lost again before that was felt.
pub const LOST_AGAIN_UNFELT: UnitMarkFlag = UnitMarkFlag(1 << 15);

/// Bits of the pending result, the last in the order of units, because it does not decide who goes
/// first.
const PENDING_RESULT_MASK: u32 = 31;
const OWED_ROLLS_MASK: u32 =
    PENDING_RESULT_MASK | WOUND_ROLL_DUE.0 | LEADER_LOSS_CHECK_DUE.0 | LOSS_NOT_YET_FELT.0;
const SELECTION_ROLL_SHIFT: u32 = 12;
const SELECTION_ROLL_MASK: u32 = 7 << SELECTION_ROLL_SHIFT;
const PROFILE_INDEX_SHIFT: u32 = 16;

/// Random Selection dr of a unit that can no longer be selected.
pub const SPARED_FROM_SELECTION: u8 = 7;

/// Unit: its profile, its dr in a Random Selection, its marks, and its pending result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackUnit(u32);

impl StackUnit {
    const NO_UNIT: StackUnit = StackUnit(u32::MAX);

    /// Creates a unit of the profile with this number, in Good Order.
    pub fn new(profile: u8) -> StackUnit {
        StackUnit(u32::from(profile) << PROFILE_INDEX_SHIFT)
    }

    /// Returns the number of the profile.
    pub fn profile_index(self) -> u8 {
        (self.0 >> PROFILE_INDEX_SHIFT) as u8
    }

    /// Returns the unit with another profile.
    pub fn with_profile(self, profile: u8) -> StackUnit {
        StackUnit(self.0 & 0xffff | u32::from(profile) << PROFILE_INDEX_SHIFT)
    }

    /// Returns whether the unit has the mark.
    pub fn has_mark(self, mark: UnitMarkFlag) -> bool {
        self.0 & mark.0 != 0
    }

    /// Returns whether the unit owes nothing more.
    pub fn owes_no_roll(self) -> bool {
        self.0 & OWED_ROLLS_MASK == 0
    }

    /// Returns the unit with the mark.
    pub fn with_mark(self, mark: UnitMarkFlag) -> StackUnit {
        StackUnit(self.0 | mark.0)
    }

    /// Returns the unit without the mark.
    pub fn without_mark(self, mark: UnitMarkFlag) -> StackUnit {
        StackUnit(self.0 & !mark.0)
    }

    /// Returns the unit broken; a broken unit is not pinned (A7.8).
    pub fn into_broken(self) -> StackUnit {
        self.with_mark(BROKEN).without_mark(PINNED)
    }

    /// Returns the unit marked as lost twice if it is a leader whose breaking has not been felt
    /// yet.
    pub fn mark_second_loss_if_unfelt(self) -> StackUnit {
        if self.has_mark(LOSS_NOT_YET_FELT) { self.with_mark(LOST_AGAIN_UNFELT) } else { self }
    }

    /// Returns the pending result of the table.
    pub fn pending_result(self) -> FireTableResult {
        decode_fire_result(self.0 & PENDING_RESULT_MASK)
    }

    /// Returns whether there is a pending result.
    pub fn has_pending_result(self) -> bool {
        self.0 & PENDING_RESULT_MASK != 0
    }

    /// Returns the unit with this pending result.
    pub fn with_pending_result(self, result: FireTableResult) -> StackUnit {
        StackUnit(self.0 & !PENDING_RESULT_MASK | encode_fire_result(result))
    }

    /// Returns the dr in a Random Selection: 0 not rolled, 1 to 6, or [`SPARED_FROM_SELECTION`].
    pub fn selection_roll(self) -> u8 {
        ((self.0 & SELECTION_ROLL_MASK) >> SELECTION_ROLL_SHIFT) as u8
    }

    /// Returns the unit with this dr.
    pub fn with_selection_roll(self, dr: u8) -> StackUnit {
        StackUnit(self.0 & !SELECTION_ROLL_MASK | u32::from(dr) << SELECTION_ROLL_SHIFT)
    }
}

/// Encodes a result as a number below 32, in the order of the results; the numbers in them are
/// single digits.
pub(super) fn encode_fire_result(result: FireTableResult) -> u32 {
    match result {
        FireTableResult::NoEffect => 0,
        FireTableResult::Ptc => 1,
        FireTableResult::Mc(n) => 2 + u32::from(n),
        FireTableResult::K(n) => 11 + u32::from(n),
        FireTableResult::Kia(n) => 20 + u32::from(n),
    }
}

fn decode_fire_result(code: u32) -> FireTableResult {
    let digit = |below: u32| (code - below) as u8;
    match code {
        0 => FireTableResult::NoEffect,
        1 => FireTableResult::Ptc,
        2..=11 => FireTableResult::Mc(digit(2)),
        12..=20 => FireTableResult::K(digit(11)),
        _ => FireTableResult::Kia(digit(20)),
    }
}

/// Sorted stack of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitStack {
    units: [StackUnit; MAX_UNITS_IN_STACK],
    len: u8,
}

impl Hash for UnitStack {
    // PERF: the empty places are all equal.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sorted_units().hash(state);
    }
}

impl UnitStack {
    /// Empty stack.
    pub const EMPTY_STACK: UnitStack =
        UnitStack { units: [StackUnit::NO_UNIT; MAX_UNITS_IN_STACK], len: 0 };

    /// Returns the units, sorted.
    pub fn sorted_units(&self) -> &[StackUnit] {
        &self.units[..usize::from(self.len)]
    }

    /// Adds a unit, if there is room; `build` ensures that there is.
    pub fn push(&mut self, unit: StackUnit) {
        if let Some(place) = self.units.get_mut(usize::from(self.len)) {
            *place = unit;
            self.len += 1;
            self.sort_units();
        }
    }

    /// Replaces the unit at `place`, without sorting.
    pub fn replace_unsorted(&mut self, place: usize, unit: StackUnit) {
        self.units[place] = unit;
    }

    /// Replaces each unit or, where `change` returns `None`, removes it, and sorts again.
    pub fn update_or_remove_each_unit(
        &mut self,
        mut change: impl FnMut(StackUnit) -> Option<StackUnit>,
    ) {
        let mut updated_stack = UnitStack::EMPTY_STACK;
        for &unit in self.sorted_units() {
            if let Some(unit) = change(unit) {
                updated_stack.units[usize::from(updated_stack.len)] = unit;
                updated_stack.len += 1;
            }
        }
        updated_stack.sort_units();
        *self = updated_stack;
    }

    /// Replaces or removes the unit at `place`, and sorts again.
    pub fn replace_or_remove_unit(&mut self, place: usize, by: Option<StackUnit>) {
        match by {
            Some(unit) => self.units[place] = unit,
            None => {
                self.len -= 1;
                self.units.copy_within(place + 1.., place);
                self.units[usize::from(self.len)] = StackUnit::NO_UNIT;
            }
        }
        self.sort_units();
    }

    /// Returns whether a unit has the mark.
    pub fn any_unit_has_mark(&self, mark: UnitMarkFlag) -> bool {
        self.sorted_units().iter().any(|unit| unit.has_mark(mark))
    }

    /// Returns the worst pending result of the table.
    pub fn worst_pending_result(&self) -> FireTableResult {
        let results = self.sorted_units().iter().map(|unit| unit.0 & PENDING_RESULT_MASK);
        decode_fire_result(results.max().unwrap_or(0))
    }

    fn sort_units(&mut self) {
        self.units[..usize::from(self.len)].sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_forgets_who_is_who() {
        let (leader, squad) = (StackUnit::new(0), StackUnit::new(1));
        let mut one = UnitStack::EMPTY_STACK;
        let mut other = UnitStack::EMPTY_STACK;
        for unit in [squad.into_broken(), leader, squad] {
            one.push(unit);
        }
        for unit in [squad, squad.into_broken(), leader] {
            other.push(unit);
        }
        assert_eq!(one, other);
        one.replace_or_remove_unit(1, None);
        assert_eq!(one.sorted_units(), [leader, squad.into_broken()]);
    }

    #[test]
    fn every_result_of_the_table_can_be_borne() {
        let digits = 1..=9;
        let numbered = digits
            .flat_map(|n| [FireTableResult::Mc(n), FireTableResult::K(n), FireTableResult::Kia(n)]);
        for result in numbered.chain([
            FireTableResult::NoEffect,
            FireTableResult::Ptc,
            FireTableResult::Mc(0),
        ]) {
            let unit = StackUnit::new(5).with_mark(LOSS_NOT_YET_FELT).with_pending_result(result);
            assert_eq!((unit.pending_result(), unit.profile_index()), (result, 5));
            assert!(unit.has_mark(LOSS_NOT_YET_FELT) && !unit.has_mark(BROKEN));
            assert_eq!(unit.has_pending_result(), result != FireTableResult::NoEffect);
            assert_eq!(
                unit.without_mark(LOSS_NOT_YET_FELT).owes_no_roll(),
                result == FireTableResult::NoEffect
            );
        }
    }

    #[test]
    fn the_worst_result_of_a_stack_is_found() {
        let mut stack = UnitStack::EMPTY_STACK;
        assert_eq!(stack.worst_pending_result(), FireTableResult::NoEffect);
        let rising = [
            FireTableResult::Ptc,
            FireTableResult::Mc(4),
            FireTableResult::K(1),
            FireTableResult::K(4),
            FireTableResult::Kia(1),
        ];
        for result in rising.into_iter().chain([FireTableResult::Kia(7)]) {
            stack.push(StackUnit::new(9).with_pending_result(result));
            stack.push(StackUnit::new(3).with_mark(ELIMINATED));
            assert_eq!(stack.worst_pending_result(), result);
        }
    }

    #[test]
    fn the_parts_of_a_unit_do_not_touch() {
        let unit = StackUnit::new(63)
            .with_mark(PINNED)
            .with_mark(LOSS_NOT_YET_FELT)
            .with_selection_roll(SPARED_FROM_SELECTION);
        assert_eq!((unit.profile_index(), unit.selection_roll()), (63, SPARED_FROM_SELECTION));
        assert!(
            unit.has_mark(PINNED) && !unit.owes_no_roll() && !unit.into_broken().has_mark(PINNED)
        );
        assert!(unit.without_mark(LOSS_NOT_YET_FELT).owes_no_roll());
        assert_eq!(
            unit.with_profile(2)
                .with_selection_roll(0)
                .without_mark(LOSS_NOT_YET_FELT)
                .without_mark(PINNED),
            StackUnit::new(2)
        );
    }
}
