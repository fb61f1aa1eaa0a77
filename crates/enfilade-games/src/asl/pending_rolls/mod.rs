//! What Personnel go through after a result: Random Selection, Casualty Reduction, morale and task
//! checks, wounds, the loss of leaders (A7.301–A7.306, A7.8, A10.2–A10.3, A17.11, A19.1).
//!
//! One step is one dr of a Random Selection, one wound severity dr, or one check of one unit.
//!
//! Why the state is enough: a step reads the sorted stack (which result each has still to bear, its
//! dr, its morale side, pin and wound), the leader loss that is being felt, and the best leader who
//! may help. Who draws with whom follows from the results in the stack. Who is identical is
//! interchangeable, so order is forgotten. As soon as nothing that can still happen concerns a unit (it
//! owes no roll, and no leader can be lost any more), it is counted and dropped; a finished leader leaves only his leadership modifier behind.

use enfilade_model::dice::Dice;

mod casualties;
mod checks;

use super::data::Cell;
use super::rule_numbers::Numbers;
use super::tally::{Count, Tally};
use super::unit_profiles::{Roster, Standing};
use super::unit_stack::{
    BROKEN, DEAD, LEADER_LOSS_DUE, LOST, LOST_TWICE, PINNED, Stack, Unit, WOUND_DUE,
};

/// The rules of a contest for its Personnel targets.
#[derive(Clone, Debug)]
pub struct Personnel {
    /// The kinds of units.
    pub roster: Roster,
    /// The numbers of the rules.
    pub numbers: Numbers,
    /// Experience Level Rating; without one, nobody is replaced (A19.1).
    pub elr: Option<i32>,
    /// Whether heat of battle is counted.
    pub heat_of_battle: bool,
    /// Whether the loss of a leader is felt (A10.2).
    pub leader_loss: bool,
    /// Whether the targets are attacked again, or told of, so that whoever lives must be kept.
    pub again: bool,
    /// Whether each result has a Random Selection of its own when units have different ones.
    pub apart: bool,
}

/// Personnel with what they still have to go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pending {
    /// The units concerned.
    pub stack: Stack,
    /// The leader loss being felt.
    pub loss: Option<Loss>,
    /// The best leader already counted who may help the others.
    pub helper: Option<i8>,
}

/// The loss of a leader, as the others feel it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loss {
    /// Added to the checks: his leadership modifier, turned positive.
    pub drm: i8,
    /// A morale check when he was eliminated, a task check when he broke.
    pub check: Cell,
}

/// The next thing to roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The dr of the unit at this place in a Random Selection.
    Select(usize),
    /// The wound severity dr of the unit at this place.
    Wound(usize),
    /// The check of the unit at this place.
    Check(usize),
    /// The check of the unit at this place for the loss of a leader.
    LeaderLoss(usize),
}

/// A check, judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The check.
    pub check: Cell,
    /// The sum of the dice.
    pub original: i32,
    /// Sum of the modifiers: the check's number, leadership, the lost leader's.
    pub drm: i32,
    /// The leadership modifier among them.
    pub leadership: Option<i32>,
    /// The morale level to be rolled.
    pub morale: i32,
    /// What becomes of the unit.
    pub verdict: Verdict,
}

/// What a check does to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It passes.
    Passes,
    /// It passes with the highest roll, or fails a task check: pinned.
    Pinned,
    /// It breaks.
    Breaks,
    /// It breaks and is replaced by lower quality.
    BreaksReplaced,
    /// It suffers Casualty Reduction.
    Reduced,
    /// It suffers Casualty Reduction and breaks.
    ReducedBreaks,
    /// It is eliminated.
    Eliminated,
}

impl Pending {
    /// Nobody, and nothing to go through.
    pub const NONE: Pending = Pending { stack: Stack::EMPTY, loss: None, helper: None };

    /// These units, with nothing to go through yet.
    pub fn of(stack: Stack) -> Pending {
        Pending { stack, ..Pending::NONE }
    }
}

impl Personnel {
    /// A7.301–A7.305: lets each unit suffer its result of the table.
    pub fn apply_results(
        &self,
        pending: &mut Pending,
        tally: &mut Tally,
        result: impl Fn(Unit) -> Cell,
    ) {
        pending.stack.change(|unit| {
            let result = result(unit);
            let spared = result == Cell::Ptc && !self.pinnable(unit);
            Some(if spared { unit } else { unit.with_result(result) })
        });
        self.draw_lots(pending, tally);
        self.to_next_die(pending, tally);
    }

    /// What is rolled next, if anything.
    pub fn next(&self, pending: &Pending) -> Option<Task> {
        let units = pending.stack.units();
        if let Some(lot) = self.lot(&pending.stack) {
            let draws = |unit: &Unit| unit.dr() == 0 && self.draws(lot, *unit);
            return units.iter().position(draws).map(Task::Select);
        }
        let wounded = units.iter().position(|u| u.has(WOUND_DUE));
        let checking = || self.first(units, Unit::has_result);
        let bereft = || self.first(units, |u| u.has(LEADER_LOSS_DUE));
        wounded
            .map(Task::Wound)
            .or_else(|| checking().map(Task::Check))
            .or_else(|| bereft().map(Task::LeaderLoss))
    }

    /// Rolls what is next and lets the units bear it.
    pub fn roll(&self, pending: &mut Pending, tally: &mut Tally, dice: &mut impl Dice) {
        match self.next(pending) {
            Some(Task::Select(place)) => {
                let dr = roll_one(dice, &|dr| self.matters(&pending.stack, place, dr));
                self.draw(pending, tally, place, dr);
            }
            Some(Task::Wound(place)) => {
                let unit = pending.stack.units()[place];
                let dr = roll_one(dice, &|dr| u128::from(self.survives(unit, dr)));
                self.wound(pending, tally, place, dr);
            }
            Some(Task::Check(place)) => {
                let judgement = self.check(pending, place, None, dice);
                self.apply_check(pending, tally, place, judgement);
            }
            Some(Task::LeaderLoss(place)) => {
                let judgement = self.check(pending, place, pending.loss, dice);
                self.apply_check(pending, tally, place, judgement);
            }
            None => {}
        }
        self.to_next_die(pending, tally);
    }

    /// Rolls that may still be made before the next attack, at most: with every one they become fewer.
    pub fn ahead(&self, pending: &Pending) -> u32 {
        let units = pending.stack.units();
        let own = |unit: Unit| match unit.result() {
            Cell::NoEffect => u32::from(unit.has(WOUND_DUE)),
            // Its dr, a check or what else follows, and a wound.
            Cell::Kia(_) | Cell::K(_) => 2 + u32::from(unit.dr() == 0),
            Cell::Ptc | Cell::Mc(_) => 2,
        };
        let felt = |unit: Unit| 2 * u32::from(unit.has(LEADER_LOSS_DUE));
        let rolls = units.iter().map(|unit| own(*unit) + felt(*unit)).sum::<u32>();
        if !self.leader_loss {
            return rolls;
        }
        // He may break first and be eliminated then.
        let losses = |unit: &Unit| match unit.has(DEAD) || !self.roster.is_leader(*unit) {
            true => u32::from(unit.has(LOST)) + u32::from(unit.has(LOST_TWICE)),
            false => 1 + u32::from(!unit.has(BROKEN) || unit.has(LOST)),
        };
        // Each may have everybody check, and wound him.
        rolls + 2 * units.len() as u32 * units.iter().map(losses).sum::<u32>()
    }

    /// Counts everybody who is left: the attacks are over.
    pub fn count_all(&self, pending: &Pending, tally: &mut Tally) {
        for &unit in pending.stack.units() {
            self.roster.count(unit, tally);
        }
    }

    /// Leaders before the others, the best morale first (A10.2); of leaders of equal morale who can lead now,
    /// so that he can help, then the one who comes first in the stack (A7.303).
    fn first(&self, units: &[Unit], due: impl Fn(Unit) -> bool) -> Option<usize> {
        let rank = |unit: Unit| {
            let leader = self.roster.is_leader(unit);
            let able = leader && !unit.has(BROKEN) && !unit.has(PINNED);
            (leader, self.roster.morale(unit), able)
        };
        let mut found: Option<usize> = None;
        for (place, &unit) in units.iter().enumerate().filter(|(_, unit)| due(**unit)) {
            if found.is_none_or(|best| rank(unit) > rank(units[best])) {
                found = Some(place);
            }
        }
        found
    }

    /// Whether a task check can pin it: unbroken, not pinned yet, not immune (A7.305, A7.8).
    fn pinnable(&self, unit: Unit) -> bool {
        !unit.has(PINNED) && self.roster.can_be_pinned(unit)
    }

    /// A10.3, A7.8: the unit at `place` has rolled its check and bears the verdict.
    fn apply_check(&self, pending: &mut Pending, tally: &mut Tally, place: usize, told: Judgement) {
        if self.heat_of_battle
            && told.check != Cell::Ptc
            && told.original <= self.numbers.heat_of_battle_roll
        {
            tally.add(Count::HeatOfBattle);
        }
        let unit = pending.stack.units()[place];
        let unit = unit.with_result(Cell::NoEffect).without(LEADER_LOSS_DUE);
        let left = match told.verdict {
            Verdict::Passes => Some(unit),
            Verdict::Pinned => Some(unit.with(PINNED)),
            Verdict::Breaks => Some(self.fall(unit)),
            Verdict::BreaksReplaced => Some(self.fall(self.replaced(unit))),
            Verdict::Reduced => self.reduce(unit.lost_before(), tally),
            Verdict::ReducedBreaks => self.reduce_and_break(unit, tally, told),
            Verdict::Eliminated => self.eliminate(unit.lost_before(), tally),
        };
        pending.stack.replace(place, left);
    }

    /// A10.2: lets lost leaders be felt, and counts and drops whoever nothing can happen to any more.
    fn to_next_die(&self, pending: &mut Pending, tally: &mut Tally) {
        while pending.stack.any(LOST) && self.next(pending).is_none() {
            self.feel_loss(pending);
        }
        if !pending.stack.any(LEADER_LOSS_DUE) {
            pending.loss = None;
        }
        if !self.again {
            self.drop_finished(pending, tally);
        }
    }

    /// A10.2: units of lower morale check for a leader who broke (a task check) or was eliminated
    /// (a morale check), once the attack itself is resolved; for both who did both.
    fn feel_loss(&self, pending: &mut Pending) {
        let Some(leader) = self.next_loss(pending.stack.units()) else {
            return;
        };
        let (dead, Standing { morale, leadership }) = self.loss_of(leader);
        let drm = leadership.abs();
        let check = if dead { Cell::Mc(0) } else { Cell::Ptc };
        pending.loss = Some(Loss { drm: i8::try_from(drm).unwrap_or(i8::MAX), check });
        let concerned = |unit: Unit| {
            !unit.has(DEAD) && self.roster.morale(unit) < morale && (dead || self.pinnable(unit))
        };
        let mut gone = false;
        pending.stack.change(|unit| {
            if unit == leader && !gone {
                gone = true;
                return match (dead, unit.has(DEAD)) {
                    (true, _) => None,
                    (false, true) => Some(unit.without(LOST_TWICE)),
                    (false, false) => Some(unit.without(LOST).without(LOST_TWICE)),
                };
            }
            Some(if concerned(unit) { unit.with(LEADER_LOSS_DUE) } else { unit })
        });
    }

    /// A10.2: whether the loss of this leader that is felt next is his elimination, and what he was until then:
    /// who breaks, unbroken, and not yet replaced (A19.1).
    fn loss_of(&self, leader: Unit) -> (bool, Standing) {
        let dead = leader.has(DEAD) && !leader.has(LOST_TWICE);
        let was_broken = dead && leader.has(BROKEN);
        (dead, self.roster.of(leader).standing(was_broken))
    }

    /// The lost leader who is felt next: of the best morale, of equal ones the first in the stack, who broke
    /// before who was eliminated.
    fn next_loss(&self, units: &[Unit]) -> Option<Unit> {
        let lost = units.iter().copied().filter(|unit| unit.has(LOST));
        lost.min_by_key(|unit| {
            let (dead, Standing { morale, .. }) = self.loss_of(*unit);
            (-morale, unit.profile(), dead)
        })
    }

    fn drop_finished(&self, pending: &mut Pending, tally: &mut Tally) {
        let units = pending.stack.units();
        let leader_at_risk = |unit: &Unit| self.roster.is_leader(*unit) && !unit.is_done();
        let kept = self.leader_loss && units.iter().any(leader_at_risk);
        if kept || !units.is_empty() && !units.iter().any(|unit| unit.is_done()) {
            return;
        }
        let mut helper = pending.helper;
        pending.stack.change(|unit| {
            if !unit.is_done() {
                return Some(unit);
            }
            if !unit.has(BROKEN) && !unit.has(PINNED) {
                let leadership = self.roster.of(unit).leadership;
                let leadership = leadership.and_then(|drm| i8::try_from(drm).ok());
                helper = helper.into_iter().chain(leadership).min();
            }
            self.roster.count(unit, tally);
            None
        });
        let over = pending.stack.units().is_empty();
        pending.helper = helper.filter(|_| !over);
    }
}

/// A dr, and what matters of it.
fn roll_one(dice: &mut impl Dice, matters: &dyn Fn(u8) -> u128) -> u8 {
    let mut dr = [0];
    dice.roll(6, &mut dr, &|dr| matters(dr[0]));
    dr[0]
}

/// A DR of which only the sum matters.
pub fn roll_two(dice: &mut impl Dice) -> i32 {
    dice.sum(2, 6).into()
}
