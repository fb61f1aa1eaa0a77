//! Attacks in turn: each at the next target in the round that is in action; when none is, at the
//! next that is not dead.
//!
//! # Why this state is enough
//!
//! The targets form a line, in the order in which they are attacked next; an attacked target goes
//! to its end. A target that no later attack can reach is tallied and leaves the line: the dead,
//! and once there are no more attacks than targets in action, all but as many of these as there are
//! attacks, because each of them is then attacked once, whatever the results of the others. So the
//! cards of all targets are distinguished only while the order of the line may still matter.

use enfilade_model::combat::{Combat, CombatStepExplanation, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};

use super::super::hit_card::HitCard;
use super::attack_report::{AttackOutcome, FinishedTargetTally};
use super::attack_series::{AttackSeries, MAX_ATTACK_TARGETS};

/// Attacks in turn.
pub struct AttacksOnTargetsInTurn(pub AttackSeries);

/// State of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundRobinState {
    /// Attacks left.
    attacks_left: u8,
    /// Whether the current attack has hit and the cell is to be picked.
    hit: bool,
    hits: u8,
    done: FinishedTargetTally,
    line: TargetQueue,
}

/// Targets in the order in which they are attacked next; empty places come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct TargetQueue([Option<HitCard>; MAX_ATTACK_TARGETS]);

impl TargetQueue {
    fn iter(&self) -> impl Iterator<Item = HitCard> {
        self.0.into_iter().flatten()
    }

    fn len(&self) -> usize {
        self.iter().count()
    }

    fn count_in_action(&self) -> usize {
        self.iter().filter(HitCard::can_trooper_act).count()
    }

    /// Turns the line to the next target that can be attacked, so that skipped targets retain their
    /// order.
    fn skip_to_attackable(mut self) -> TargetQueue {
        let first = self.iter().position(|card| card.can_trooper_act());
        let length = self.len();
        self.0[..length].rotate_left(first.unwrap_or(0));
        self
    }

    /// Moves the first target, now with this card, to the end.
    fn move_first_to_end(mut self, card: HitCard) -> TargetQueue {
        let length = self.len();
        self.0[0] = Some(card);
        self.0[..length].rotate_left(1);
        self
    }

    /// Adds a target at the end.
    fn push(&mut self, card: HitCard) {
        let length = self.len();
        self.0[length] = Some(card);
    }
}

const EMPTY_QUEUE: TargetQueue = TargetQueue([None; MAX_ATTACK_TARGETS]);

impl AttacksOnTargetsInTurn {
    /// Finds the next target and tallies the finished ones.
    fn advance_to_next_die(&self, mut now: RoundRobinState) -> RoundRobinState {
        let line = now.line.skip_to_attackable();
        // From here on each target in action is attacked at most once, so its place in the line is
        // final.
        let last = usize::from(now.attacks_left) <= line.count_in_action();
        now.line = EMPTY_QUEUE;
        for card in line.iter() {
            let room = now.line.len() < usize::from(now.attacks_left);
            let stays_on_target = match last {
                true => card.can_trooper_act() && room,
                false => !card.is_dead(),
            };
            match stays_on_target {
                true => now.line.push(card),
                false => now.done = now.done.with_target_of(&card),
            }
        }
        if now.line == EMPTY_QUEUE {
            now.attacks_left = 0;
        }
        now
    }
}

impl Combat for AttacksOnTargetsInTurn {
    type State = RoundRobinState;
    type Outcome = AttackOutcome;

    fn initial_state(&self) -> RoundRobinState {
        let mut line = EMPTY_QUEUE;
        for &card in &self.0.before {
            line.push(card);
        }
        self.advance_to_next_die(RoundRobinState {
            attacks_left: self.0.shots,
            hit: false,
            hits: 0,
            done: FinishedTargetTally::default(),
            line,
        })
    }

    fn play_one_step(&self, mut now: RoundRobinState, dice: &mut impl Dice) -> RoundRobinState {
        let Some(target) = now.line.0[0] else {
            return now;
        };
        let card = if now.hit {
            self.0.marks.roll_cell_and_mark(target, self.0.damage, dice)
        } else {
            now.attacks_left -= 1;
            now.hit = self.0.aim.roll_to_hit(dice);
            now.hits += u8::from(now.hit);
            if now.hit {
                return now;
            }
            target
        };
        now.hit = false;
        now.line = now.line.move_first_to_end(card);
        self.advance_to_next_die(now)
    }

    fn outcome_if_over(&self, now: &RoundRobinState) -> Option<AttackOutcome> {
        let over = !now.hit && now.attacks_left == 0;
        over.then(|| self.0.outcome_after_hits(now.hits, now.done, 0, 0))
    }

    fn vocabulary(&self) -> OutcomeVocabulary<AttackOutcome> {
        self.0.attack_vocabulary()
    }

    fn explain_step(
        &self,
        from: &RoundRobinState,
        rolls: &[RolledDie],
        to: &RoundRobinState,
    ) -> CombatStepExplanation {
        self.0.explain_attack_step(from.line.0[0].filter(|_| from.hit), rolls, to.hit)
    }
}
