//! Attacks whose ending contains the card of every target, without tallies.

use enfilade_model::combat::{Combat, Explanation, Later, Vocabulary};
use enfilade_model::dice::{Dice, Roll};

use super::super::aim::marks_left;
use super::super::hit_card::Card;
use super::attack_report::{Outcome, Tally};
use super::attack_series::{Attack, MAX_TARGETS};

/// Attacks with all cards.
pub struct Kept {
    /// Numbers of the attacks.
    pub attack: Attack,
    /// Whether attacks are made in turn.
    pub in_turn: bool,
}

/// State of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Attacks left.
    left: u8,
    /// Whether the current attack has hit and the cell is to be picked.
    hit: bool,
    hits: u8,
    /// Attack that put a single target out of action.
    killed_by: u8,
    /// Index of the attacked target.
    at: u8,
    /// Cards of the targets, in the order of the contest.
    cards: [Option<Card>; MAX_TARGETS],
}

impl State {
    fn cards(&self) -> Vec<Card> {
        self.cards.iter().flatten().copied().collect()
    }

    fn target(&self) -> Option<Card> {
        self.cards[usize::from(self.at)]
    }
}

impl Kept {
    /// Returns the next target. One by one: the next in action, or else the last. In turn: the next
    /// in the round that is in action, or else the next that is not dead.
    fn next(&self, now: &State) -> usize {
        let (cards, at) = (now.cards(), usize::from(now.at));
        let mut round = (at..cards.len()).chain(0..at);
        match self.in_turn {
            true => {
                let standing = round.clone().find(|place| cards[*place].in_action());
                standing.or_else(|| round.find(|place| !cards[*place].dead())).unwrap_or(at)
            }
            false => {
                let standing = (at..cards.len()).find(|place| cards[*place].in_action());
                standing.unwrap_or(cards.len() - 1)
            }
        }
    }

    /// Turns to the next target; no attack is made on the dead, and the index is reset when the
    /// attacks are over.
    fn to_next_die(&self, mut now: State) -> State {
        now.at = self.next(&now) as u8;
        if now.target().is_none_or(|card| card.dead()) {
            now.left = 0;
        }
        if now.left == 0 {
            now.at = 0;
        }
        now
    }
}

impl Combat for Kept {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        let mut cards = [None; MAX_TARGETS];
        for (place, card) in cards.iter_mut().zip(&self.attack.before) {
            *place = Some(*card);
        }
        let left = self.attack.shots;
        self.to_next_die(State { left, hit: false, hits: 0, killed_by: 0, at: 0, cards })
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        let Some(target) = now.target() else { return now };
        if now.hit {
            now.hit = false;
            let card = self.attack.marks.mark(target, self.attack.damage, dice);
            now.cards[usize::from(now.at)] = Some(card);
            if self.attack.targets() == 1 && target.in_action() && !card.in_action() {
                // Only a contest of a single target reports this number.
                now.killed_by = self.attack.shots - now.left;
            }
        } else {
            now.left -= 1;
            now.hit = self.attack.aim.hits(dice);
            now.hits += u8::from(now.hit);
            if now.hit {
                return now;
            }
        }
        if self.in_turn {
            now.at = (now.at + 1) % self.attack.targets();
        }
        self.to_next_die(now)
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        let cards = now.cards();
        let hp = if cards.len() == 1 { cards[0].hp() } else { 0 };
        let all = Tally::default().with_all(&cards);
        let over = !now.hit && now.left == 0;
        over.then(|| self.attack.struck(now.hits, all, hp, now.killed_by))
    }

    fn left(&self, now: &State) -> Vec<Later> {
        vec![marks_left("struck", &now.cards(), &self.attack.fresh, &self.attack.unit)]
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        self.attack.vocabulary()
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        self.attack.tell(from.target().filter(|_| from.hit), rolls, to.hit)
    }
}
