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

use enfilade_model::combat::{Combat, Explanation, Vocabulary};
use enfilade_model::dice::{Dice, Roll};

use super::super::hit_card::Card;
use super::attack_report::{Outcome, Tally};
use super::attack_series::{Attack, MAX_TARGETS};

/// Attacks in turn.
pub struct Spread(pub Attack);

/// State of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Attacks left.
    left: u8,
    /// Whether the current attack has hit and the cell is to be picked.
    hit: bool,
    hits: u8,
    done: Tally,
    line: Line,
}

/// Targets in the order in which they are attacked next; empty places come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Line([Option<Card>; MAX_TARGETS]);

impl Line {
    fn cards(&self) -> impl Iterator<Item = Card> {
        self.0.into_iter().flatten()
    }

    fn length(&self) -> usize {
        self.cards().count()
    }

    fn in_action(&self) -> usize {
        self.cards().filter(Card::in_action).count()
    }

    /// Turns the line to the next target that can be attacked, so that skipped targets retain their
    /// order.
    fn turned(mut self) -> Line {
        let first = self.cards().position(|card| card.in_action());
        let length = self.length();
        self.0[..length].rotate_left(first.unwrap_or(0));
        self
    }

    /// Moves the first target, now with this card, to the end.
    fn attacked(mut self, card: Card) -> Line {
        let length = self.length();
        self.0[0] = Some(card);
        self.0[..length].rotate_left(1);
        self
    }

    /// Adds a target at the end.
    fn push(&mut self, card: Card) {
        let length = self.length();
        self.0[length] = Some(card);
    }
}

const NOBODY: Line = Line([None; MAX_TARGETS]);

impl Spread {
    /// Finds the next target and tallies the finished ones.
    fn to_next_die(&self, mut now: State) -> State {
        let line = now.line.turned();
        // From here on each target in action is attacked at most once, so its place in the line is
        // final.
        let last = usize::from(now.left) <= line.in_action();
        now.line = NOBODY;
        for card in line.cards() {
            let room = now.line.length() < usize::from(now.left);
            let stays = match last {
                true => card.in_action() && room,
                false => !card.dead(),
            };
            match stays {
                true => now.line.push(card),
                false => now.done = now.done.with(&card),
            }
        }
        if now.line == NOBODY {
            now.left = 0;
        }
        now
    }
}

impl Combat for Spread {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        let mut line = NOBODY;
        for &card in &self.0.before {
            line.push(card);
        }
        self.to_next_die(State {
            left: self.0.shots,
            hit: false,
            hits: 0,
            done: Tally::default(),
            line,
        })
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        let Some(target) = now.line.0[0] else {
            return now;
        };
        let card = if now.hit {
            self.0.marks.mark(target, self.0.damage, dice)
        } else {
            now.left -= 1;
            now.hit = self.0.aim.hits(dice);
            now.hits += u8::from(now.hit);
            if now.hit {
                return now;
            }
            target
        };
        now.hit = false;
        now.line = now.line.attacked(card);
        self.to_next_die(now)
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        let over = !now.hit && now.left == 0;
        over.then(|| self.0.struck(now.hits, now.done, 0, 0))
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        self.0.vocabulary()
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        self.0.tell(from.line.0[0].filter(|_| from.hit), rolls, to.hit)
    }
}
