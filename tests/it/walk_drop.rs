//! The law of a contest by walking its states exhaustively, in exact integers.
//!
//! Every sequence of faces is played from every state. A law is kept over a power of six, which
//! suits contests of d6 and d3; nothing here knows the die graph or any rule.

use std::collections::{BTreeMap, HashMap};

use enfilade::catalogue::Contest;
use enfilade::combat::{AnyCombat, FieldHead, States};
use enfilade::dice::Dice;
use enfilade::form::{Fault, Form};

/// Numerators by outcome, over 6 to the power `sixths`.
#[derive(Clone, Debug, Default)]
pub struct Law {
    pub sixths: u32,
    pub outcomes: BTreeMap<Vec<i32>, u128>,
}

impl Law {
    /// The numerators over another power of six, which must be enough for them.
    pub fn over(&self, sixths: u32) -> BTreeMap<Vec<i32>, u128> {
        let (up, down) = (
            6_u128.pow(sixths.saturating_sub(self.sixths)),
            6_u128.pow(self.sixths.saturating_sub(sixths)),
        );
        let scaled = self.outcomes.iter().map(|(key, n)| {
            assert_eq!(n % down, 0, "{key:?} needs more than 6^{sixths}");
            (key.clone(), n * up / down)
        });
        scaled.collect()
    }

    /// Whether two laws are the same numbers.
    pub fn equals(&self, other: &Law) -> bool {
        let sixths = self.sixths.max(other.sixths);
        self.over(sixths) == other.over(sixths)
    }

    /// Probability of an event, as a float for comparisons.
    pub fn chance(&self, event: impl Fn(&[i32]) -> bool) -> f64 {
        let holds = self.outcomes.iter().filter(|(key, _)| event(key));
        let ways: u128 = holds.map(|(_, n)| n).sum();
        ways as f64 / 6_f64.powi(self.sixths as i32)
    }

    /// Mean of a number read off the outcomes.
    pub fn mean(&self, value: impl Fn(&[i32]) -> i32) -> f64 {
        let sum: f64 = self.outcomes.iter().map(|(key, &n)| f64::from(value(key)) * n as f64).sum();
        sum / 6_f64.powi(self.sixths as i32)
    }
}

/// A contest from its TOML body.
pub fn contest(system: &str, action: &str, toml: &str) -> Result<Contest, Vec<Fault>> {
    let system = crate::built_in().system(system).expect("the system is built in");
    let action = system.action(action).expect("the action is built in");
    let table = toml.parse().unwrap_or_else(|why| panic!("{toml}\n{why}"));
    action.contest(&Form::fill(&action.fields, &table)?)
}

/// The law of a contest, its outcomes as the values of all its fields.
pub fn law(system: &str, action: &str, toml: &str) -> Law {
    let contest = contest(system, action, toml);
    let contest = contest.unwrap_or_else(|faults| panic!("{toml}\n{faults:?}"));
    law_of(&contest.combat)
}

/// The law restricted to some fields, in the order given.
pub fn law_in(system: &str, action: &str, toml: &str, fields: &[&str]) -> Law {
    let contest = contest(system, action, toml);
    let contest = contest.unwrap_or_else(|faults| panic!("{toml}\n{faults:?}"));
    let heads = contest.combat.fields();
    let place = |field: &&str| heads.iter().position(|head| head.name == *field);
    let places: Vec<_> =
        fields.iter().map(|f| place(f).unwrap_or_else(|| panic!("no {f}"))).collect();
    let whole = law_of(&contest.combat);
    let mut outcomes = BTreeMap::new();
    for (key, n) in &whole.outcomes {
        let kept: Vec<_> = places.iter().map(|&place| key[place]).collect();
        *outcomes.entry(kept).or_insert(0) += n;
    }
    Law { sixths: whole.sixths, outcomes }
}

/// The law of a combat that must end.
pub fn law_of(combat: &AnyCombat) -> Law {
    let fields = combat.fields();
    let mut walk = Walk { states: combat.states(), fields, done: HashMap::new() };
    let open = walk.states.open();
    walk.law(open)
}

struct Walk<'a> {
    states: Box<dyn States + 'a>,
    fields: &'a [FieldHead],
    done: HashMap<u32, Law>,
}

impl Walk<'_> {
    fn law(&mut self, state: u32) -> Law {
        if let Some(law) = self.done.get(&state) {
            return law.clone();
        }
        let law = match self.states.ending(state) {
            Some(ending) => {
                let key = ending.fields[..self.fields.len()].to_vec();
                Law { sixths: 0, outcomes: BTreeMap::from([(key, 1)]) }
            }
            None => self.stepped(state),
        };
        self.done.insert(state, law.clone());
        law
    }

    fn stepped(&mut self, state: u32) -> Law {
        let mut replay = Faces::default();
        let mut parts = Vec::new();
        loop {
            replay.next = 0;
            let to = self.states.step(state, &mut replay);
            let weight: u128 =
                replay.rolled.iter().map(|&(sides, _)| u128::from(6 / sides)).product();
            let child = self.law(to);
            parts.push((replay.rolled.len() as u32, weight, child));
            if !replay.advance() {
                break;
            }
        }
        let sixths = parts.iter().map(|(dice, _, law)| dice + law.sixths).max().unwrap_or(0);
        let mut outcomes = BTreeMap::new();
        for (dice, weight, law) in parts {
            for (key, n) in law.over(sixths - dice) {
                *outcomes.entry(key).or_insert(0) += weight * n;
            }
        }
        Law { sixths, outcomes }
    }
}

/// Dice that show every sequence of faces in turn.
#[derive(Default)]
struct Faces {
    rolled: Vec<(u8, u8)>,
    next: usize,
}

impl Dice for Faces {
    fn die(&mut self, sides: u8) -> u8 {
        assert!(6 % sides == 0, "a d{sides} does not divide six");
        if self.next == self.rolled.len() {
            self.rolled.push((sides, 1));
        }
        self.next += 1;
        self.rolled[self.next - 1].1
    }
}

impl Faces {
    fn advance(&mut self) -> bool {
        self.rolled.truncate(self.next);
        while let Some((sides, face)) = self.rolled.pop() {
            if face < sides {
                self.rolled.push((sides, face + 1));
                return true;
            }
        }
        false
    }
}
