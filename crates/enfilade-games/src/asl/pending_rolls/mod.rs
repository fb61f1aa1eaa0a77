//! Consequences of a result for Personnel: Random Selection, Casualty Reduction, morale and task
//! checks, wounds, the loss of leaders (A7.301–A7.306, A7.8, A10.2–A10.3, A17.11, A19.1).
//!
//! One step is one dr of a Random Selection, one wound severity dr, or one check of one unit.
//!
//! Why the state is enough: a step reads the sorted stack (the pending result of each unit, its dr,
//! its morale side, pin and wound), the leader loss that is being felt, and the best leader who may
//! help. The results in the stack determine which units draw together. Identical units are
//! interchangeable, so their order is forgotten. As soon as nothing that can still happen concerns
//! a unit (it owes no roll, and no leader can be lost any more), it is counted and dropped; a
//! finished leader leaves only their leadership modifier behind.

use enfilade_model::dice::Dice;

mod casualties;
mod checks;

use super::attack_outcome::{CountedFireEvent, FireEventCounts};
use super::data::FireTableResult;
use super::rule_numbers::RuleNumbers;
use super::unit_profiles::{LeaderMoraleAndModifier, ProfileRoster};
use super::unit_stack::{
    BROKEN, ELIMINATED, LEADER_LOSS_CHECK_DUE, LOSS_NOT_YET_FELT, LOST_AGAIN_UNFELT, PINNED,
    StackUnit, UnitStack, WOUND_ROLL_DUE,
};

/// Rules of a contest for its Personnel targets.
#[derive(Clone, Debug)]
pub struct PersonnelRules {
    /// Kinds of units.
    pub roster: ProfileRoster,
    /// Numbers of the rules.
    pub numbers: RuleNumbers,
    /// Experience Level Rating; without one, no unit is replaced (A19.1).
    pub elr: Option<i32>,
    /// Whether heat of battle is counted.
    pub heat_of_battle: bool,
    /// Whether the loss of a leader is felt (A10.2).
    pub leader_loss: bool,
    /// Whether living units stay in the state, because the targets are attacked again or reported.
    pub again: bool,
    /// Whether each result has a separate Random Selection when units have different ones.
    pub apart: bool,
}

/// Personnel with the rolls that they still owe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonnelWithPendingRolls {
    /// Units concerned.
    pub stack: UnitStack,
    /// Leader loss that is being felt.
    pub loss: Option<FeltLeaderLoss>,
    /// Leadership of the best leader already counted who may help the others.
    pub helper: Option<i8>,
}

/// Loss of a leader, as the others feel it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeltLeaderLoss {
    /// Modifier of the checks: the leadership modifier, turned positive.
    pub drm: i8,
    /// Morale check for an eliminated leader, task check for a broken one.
    pub check: FireTableResult,
}

/// Next roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingRoll {
    /// Random Selection dr of the unit at this place.
    Select(usize),
    /// Wound severity dr of the unit at this place.
    Wound(usize),
    /// Check of the unit at this place.
    Check(usize),
    /// Check of the unit at this place for the loss of a leader.
    LeaderLoss(usize),
}

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedCheckRoll {
    /// Kind of check.
    pub check: FireTableResult,
    /// Sum of the dice.
    pub original: i32,
    /// Sum of the modifiers: the check's number, leadership, the lost leader's.
    pub drm: i32,
    /// Leadership modifier in the sum.
    pub leadership: Option<i32>,
    /// Morale level to be rolled.
    pub morale: i32,
    /// Effect on the unit.
    pub verdict: CheckEffect,
}

/// Effect of a check on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckEffect {
    /// The unit passes.
    Passes,
    /// The unit passes with the highest roll, or fails a task check: pinned.
    Pinned,
    /// The unit breaks.
    Breaks,
    /// The unit breaks and is replaced by lower quality.
    BreaksReplaced,
    /// The unit suffers Casualty Reduction.
    Reduced,
    /// The unit suffers Casualty Reduction and breaks.
    ReducedBreaks,
    /// The unit is eliminated.
    Eliminated,
}

impl PersonnelWithPendingRolls {
    /// No units, and no rolls due.
    pub const NOTHING_PENDING: PersonnelWithPendingRolls =
        PersonnelWithPendingRolls { stack: UnitStack::EMPTY_STACK, loss: None, helper: None };

    /// Creates the state of these units, without pending results.
    pub fn from_stack_owing_nothing(stack: UnitStack) -> PersonnelWithPendingRolls {
        PersonnelWithPendingRolls { stack, ..PersonnelWithPendingRolls::NOTHING_PENDING }
    }
}

impl PersonnelRules {
    /// A7.301–A7.305: gives each unit its pending result of the table.
    pub fn assign_result_to_each_unit(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
        result: impl Fn(StackUnit) -> FireTableResult,
    ) {
        pending.stack.update_or_remove_each_unit(|unit| {
            let result = result(unit);
            let spared = result == FireTableResult::Ptc && !self.can_check_pin(unit);
            Some(if spared { unit } else { unit.with_pending_result(result) })
        });
        self.end_selections_without_dice(pending, tally);
        self.settle_until_next_roll(pending, tally);
    }

    /// Returns the next roll, if one is due.
    pub fn next_pending_roll(&self, pending: &PersonnelWithPendingRolls) -> Option<PendingRoll> {
        let units = pending.stack.sorted_units();
        if let Some(lot) = self.next_selection(&pending.stack) {
            let draws =
                |unit: &StackUnit| unit.selection_roll() == 0 && self.is_in_selection(lot, *unit);
            return units.iter().position(draws).map(PendingRoll::Select);
        }
        let wounded = units.iter().position(|u| u.has_mark(WOUND_ROLL_DUE));
        let checking = || self.find_first_to_roll(units, StackUnit::has_pending_result);
        let bereft = || self.find_first_to_roll(units, |u| u.has_mark(LEADER_LOSS_CHECK_DUE));
        wounded
            .map(PendingRoll::Wound)
            .or_else(|| checking().map(PendingRoll::Check))
            .or_else(|| bereft().map(PendingRoll::LeaderLoss))
    }

    /// Makes the next roll and applies it to the units.
    pub fn roll_and_apply_next(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
        dice: &mut impl Dice,
    ) {
        match self.next_pending_roll(pending) {
            Some(PendingRoll::Select(place)) => {
                let dr = roll_die_merging_equal_effects(dice, &|dr| {
                    self.effect_code_of_selection_roll(&pending.stack, place, dr)
                });
                self.apply_selection_roll(pending, tally, place, dr);
            }
            Some(PendingRoll::Wound(place)) => {
                let unit = pending.stack.sorted_units()[place];
                let dr = roll_die_merging_equal_effects(dice, &|dr| {
                    u128::from(self.survives_wound(unit, dr))
                });
                self.apply_wound_severity(pending, tally, place, dr);
            }
            Some(PendingRoll::Check(place)) => {
                let judgement = self.roll_and_judge_morale_check(pending, place, None, dice);
                self.apply_check_verdict(pending, tally, place, judgement);
            }
            Some(PendingRoll::LeaderLoss(place)) => {
                let judgement =
                    self.roll_and_judge_morale_check(pending, place, pending.loss, dice);
                self.apply_check_verdict(pending, tally, place, judgement);
            }
            None => {}
        }
        self.settle_until_next_roll(pending, tally);
    }

    /// Returns an upper bound of the rolls that may still be made before the next attack; every
    /// roll lowers it.
    pub fn max_remaining_rolls(&self, pending: &PersonnelWithPendingRolls) -> u32 {
        let units = pending.stack.sorted_units();
        let own = |unit: StackUnit| match unit.pending_result() {
            FireTableResult::NoEffect => u32::from(unit.has_mark(WOUND_ROLL_DUE)),
            // Its dr, a check or another consequence, and a wound.
            FireTableResult::Kia(_) | FireTableResult::K(_) => {
                2 + u32::from(unit.selection_roll() == 0)
            }
            FireTableResult::Ptc | FireTableResult::Mc(_) => 2,
        };
        let felt = |unit: StackUnit| 2 * u32::from(unit.has_mark(LEADER_LOSS_CHECK_DUE));
        let rolls = units.iter().map(|unit| own(*unit) + felt(*unit)).sum::<u32>();
        if !self.leader_loss {
            return rolls;
        }
        // A leader may break first and be eliminated then.
        let losses =
            |unit: &StackUnit| match unit.has_mark(ELIMINATED) || !self.roster.is_leader(*unit) {
                true => {
                    u32::from(unit.has_mark(LOSS_NOT_YET_FELT))
                        + u32::from(unit.has_mark(LOST_AGAIN_UNFELT))
                }
                false => 1 + u32::from(!unit.has_mark(BROKEN) || unit.has_mark(LOSS_NOT_YET_FELT)),
            };
        // Each loss may make all units check, and wound a leader.
        rolls + 2 * units.len() as u32 * units.iter().map(losses).sum::<u32>()
    }

    /// Counts all units that are left: the attacks are over.
    pub fn count_effects_on_survivors(
        &self,
        pending: &PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
    ) {
        for &unit in pending.stack.sorted_units() {
            self.roster.count_survivor_effects(unit, tally);
        }
    }

    /// Finds the unit that rolls first: leaders before others, the best morale first (A10.2). Of
    /// leaders of equal morale one who can lead now comes first, so that they can help; then the
    /// first in the stack (A7.303).
    fn find_first_to_roll(
        &self,
        units: &[StackUnit],
        due: impl Fn(StackUnit) -> bool,
    ) -> Option<usize> {
        let rank = |unit: StackUnit| {
            let leader = self.roster.is_leader(unit);
            let able = leader && !unit.has_mark(BROKEN) && !unit.has_mark(PINNED);
            (leader, self.roster.current_morale(unit), able)
        };
        let mut first_unit: Option<usize> = None;
        for (place, &unit) in units.iter().enumerate().filter(|(_, unit)| due(**unit)) {
            if first_unit.is_none_or(|best| rank(unit) > rank(units[best])) {
                first_unit = Some(place);
            }
        }
        first_unit
    }

    /// Returns whether a task check can pin the unit: unbroken, not pinned yet, not immune (A7.305,
    /// A7.8).
    fn can_check_pin(&self, unit: StackUnit) -> bool {
        !unit.has_mark(PINNED) && self.roster.is_susceptible_to_pins(unit)
    }

    /// A10.3, A7.8: applies the verdict of the check to the unit at `place`.
    fn apply_check_verdict(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
        place: usize,
        judgement: JudgedCheckRoll,
    ) {
        if self.heat_of_battle
            && judgement.check != FireTableResult::Ptc
            && judgement.original <= self.numbers.heat_of_battle_roll
        {
            tally.count_event(CountedFireEvent::HeatOfBattle);
        }
        let unit = pending.stack.sorted_units()[place];
        let unit =
            unit.with_pending_result(FireTableResult::NoEffect).without_mark(LEADER_LOSS_CHECK_DUE);
        let left = match judgement.verdict {
            CheckEffect::Passes => Some(unit),
            CheckEffect::Pinned => Some(unit.with_mark(PINNED)),
            CheckEffect::Breaks => Some(self.break_unit_noting_leader_loss(unit)),
            CheckEffect::BreaksReplaced => {
                Some(self.break_unit_noting_leader_loss(self.replace_by_lower_quality(unit)))
            }
            CheckEffect::Reduced => {
                self.apply_casualty_reduction(unit.mark_second_loss_if_unfelt(), tally)
            }
            CheckEffect::ReducedBreaks => self.reduce_then_break(unit, tally, judgement),
            CheckEffect::Eliminated => {
                self.eliminate_unit(unit.mark_second_loss_if_unfelt(), tally)
            }
        };
        pending.stack.replace_or_remove_unit(place, left);
    }

    /// A10.2: starts the checks for lost leaders, and counts and drops units that nothing can
    /// happen to any more.
    fn settle_until_next_roll(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
    ) {
        // A10.2: a loss is felt once nothing else is due, and it may cause the next loss.
        while pending.stack.any_unit_has_mark(LOSS_NOT_YET_FELT)
            && self.next_pending_roll(pending).is_none()
        {
            self.start_leader_loss_checks(pending);
        }
        if !pending.stack.any_unit_has_mark(LEADER_LOSS_CHECK_DUE) {
            pending.loss = None;
        }
        if !self.again {
            self.drop_units_without_rolls(pending, tally);
        }
    }

    /// A10.2: makes units of lower morale check for a leader who broke (a task check) or was
    /// eliminated (a morale check), once the attack itself is resolved; for both if the leader did
    /// both.
    fn start_leader_loss_checks(&self, pending: &mut PersonnelWithPendingRolls) {
        let Some(leader) = self.next_leader_loss_to_feel(pending.stack.sorted_units()) else {
            return;
        };
        let (dead, LeaderMoraleAndModifier { morale, leadership }) =
            self.next_felt_loss_and_rank(leader);
        let drm = leadership.abs();
        let check = if dead { FireTableResult::Mc(0) } else { FireTableResult::Ptc };
        pending.loss = Some(FeltLeaderLoss { drm: i8::try_from(drm).unwrap_or(i8::MAX), check });
        let concerned = |unit: StackUnit| {
            !unit.has_mark(ELIMINATED)
                && self.roster.current_morale(unit) < morale
                && (dead || self.can_check_pin(unit))
        };
        let mut gone = false;
        pending.stack.update_or_remove_each_unit(|unit| {
            if unit == leader && !gone {
                gone = true;
                return match (dead, unit.has_mark(ELIMINATED)) {
                    (true, _) => None,
                    (false, true) => Some(unit.without_mark(LOST_AGAIN_UNFELT)),
                    (false, false) => {
                        Some(unit.without_mark(LOSS_NOT_YET_FELT).without_mark(LOST_AGAIN_UNFELT))
                    }
                };
            }
            Some(if concerned(unit) { unit.with_mark(LEADER_LOSS_CHECK_DUE) } else { unit })
        });
    }

    /// A10.2: returns whether the next felt loss of this leader is their elimination, and their
    /// standing until then: a leader who breaks counts as unbroken, and not yet replaced (A19.1).
    fn next_felt_loss_and_rank(&self, leader: StackUnit) -> (bool, LeaderMoraleAndModifier) {
        let dead = leader.has_mark(ELIMINATED) && !leader.has_mark(LOST_AGAIN_UNFELT);
        let was_broken = dead && leader.has_mark(BROKEN);
        (dead, self.roster.profile_of(leader).leader_rank_if_broken(was_broken))
    }

    /// Finds the lost leader who is felt next: of the best morale, of equal ones the first in the
    /// stack, a broken one before an eliminated one.
    fn next_leader_loss_to_feel(&self, units: &[StackUnit]) -> Option<StackUnit> {
        let lost = units.iter().copied().filter(|unit| unit.has_mark(LOSS_NOT_YET_FELT));
        lost.min_by_key(|unit| {
            let (dead, LeaderMoraleAndModifier { morale, .. }) =
                self.next_felt_loss_and_rank(*unit);
            (-morale, unit.profile_index(), dead)
        })
    }

    fn drop_units_without_rolls(
        &self,
        pending: &mut PersonnelWithPendingRolls,
        tally: &mut FireEventCounts,
    ) {
        let units = pending.stack.sorted_units();
        let leader_at_risk =
            |unit: &StackUnit| self.roster.is_leader(*unit) && !unit.owes_no_roll();
        // A leader who may still be lost would make finished units check again.
        let is_leader_at_risk = self.leader_loss && units.iter().any(leader_at_risk);
        if is_leader_at_risk || !units.is_empty() && !units.iter().any(|unit| unit.owes_no_roll()) {
            return;
        }
        let mut helper = pending.helper;
        pending.stack.update_or_remove_each_unit(|unit| {
            if !unit.owes_no_roll() {
                return Some(unit);
            }
            if !unit.has_mark(BROKEN) && !unit.has_mark(PINNED) {
                let leadership = self.roster.profile_of(unit).leadership;
                let leadership = leadership.and_then(|drm| i8::try_from(drm).ok());
                // Only the best leadership can be used, so one number is enough.
                helper = helper.into_iter().chain(leadership).min();
            }
            self.roster.count_survivor_effects(unit, tally);
            None
        });
        let over = pending.stack.sorted_units().is_empty();
        pending.helper = helper.filter(|_| !over);
    }
}

/// Rolls one dr for which only `matters` counts.
fn roll_die_merging_equal_effects(dice: &mut impl Dice, matters: &dyn Fn(u8) -> u128) -> u8 {
    let mut dr = [0];
    dice.roll_faces(6, &mut dr, &|dr| matters(dr[0]));
    dr[0]
}

/// Rolls a DR of which only the sum matters.
pub fn roll_sum_of_two_dice(dice: &mut impl Dice) -> i32 {
    dice.sum(2, 6).into()
}
