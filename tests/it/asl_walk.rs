//! Exact laws by walking every sequence of faces, in whole numbers, and scripted contests.
//!
//! A state's law is a map from endings to numerators over one denominator per state, worked out once
//! per state. It is slow and plain on purpose: it shares nothing with the engines.

use std::collections::BTreeMap;

use enfilade::combat::{AnyCombat, Ending, States};
use enfilade::dice::{Dice, Misfit, Scripted};
use enfilade::form::{Fault, Form};
use enfilade::graph::{DieGraph, Limits};
use enfilade::systems::{self, Contest};

/// A law: weights of the outcome fields' values over a common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// Sum of all weights.
    pub whole: u128,
    /// Weight of each row of outcome fields.
    pub weights: BTreeMap<Vec<i32>, u128>,
}

/// Dice that replay a prefix of faces, then ask for the next one.
struct Prefix {
    faces: Vec<(u8, u8)>,
    used: usize,
}

impl Dice for Prefix {
    fn die(&mut self, sides: u8) -> u8 {
        if self.used == self.faces.len() {
            self.faces.push((sides, 1));
        }
        self.used += 1;
        self.faces[self.used - 1].1
    }
}

impl Prefix {
    /// Moves to the next sequence of faces; `false` after the last.
    fn advance(&mut self) -> bool {
        self.used = 0;
        while let Some((sides, face)) = self.faces.pop() {
            if face < sides {
                self.faces.push((sides, face + 1));
                return true;
            }
        }
        false
    }
}

/// The contest of an `asl` action with these fields in TOML.
pub fn contest(action: &str, text: &str) -> Result<Contest, Vec<Fault>> {
    let system = systems::system("asl").expect("asl is in the catalogue");
    let action = system.action(action).expect("the action exists");
    let table = text.parse().expect("the test's TOML is well formed");
    (action.build)(&Form::fill(action.fields, &table)?)
}

/// The contest, which must be right.
pub fn right(action: &str, text: &str) -> Contest {
    contest(action, text).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

/// The faults of a contest, which must be wrong: path and problem.
pub fn wrong(action: &str, text: &str) -> Vec<(String, String)> {
    match contest(action, text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(faults) => faults.into_iter().map(|f| (f.path, f.problem)).collect(),
    }
}

/// The exact law of a contest's outcome fields.
pub fn law(combat: &AnyCombat) -> Law {
    walk(combat).0
}

/// The exact law, and how many states there are.
pub fn walk(combat: &AnyCombat) -> (Law, usize) {
    let mut walker = Walker {
        states: combat.states(),
        fields: combat.fields().len(),
        known: BTreeMap::new(),
    };
    let open = walker.states.open();
    let law = walker.law(open).reduced();
    (law, walker.states.reached())
}

struct Walker<'a> {
    states: Box<dyn States + 'a>,
    fields: usize,
    known: BTreeMap<u32, Law>,
}

impl Walker<'_> {
    fn law(&mut self, state: u32) -> Law {
        if let Some(law) = self.known.get(&state) {
            return law.clone();
        }
        let law = match self.states.ending(state) {
            Some(ending) => self.certain(ending),
            None => self.mixed(state),
        };
        self.known.insert(state, law.clone());
        law
    }

    fn certain(&self, ending: Ending) -> Law {
        let row = ending.fields[..self.fields].to_vec();
        Law {
            whole: 1,
            weights: BTreeMap::from([(row, 1)]),
        }
    }

    /// The states one step leads to, with weight over a common denominator, then their laws mixed.
    fn mixed(&mut self, state: u32) -> Law {
        let mut paths = Vec::new();
        let mut dice = Prefix {
            faces: Vec::new(),
            used: 0,
        };
        loop {
            let next = self.states.step(state, &mut dice);
            let ways = dice.faces.iter().map(|(sides, _)| u128::from(*sides));
            paths.push((next, ways.product::<u128>()));
            if !dice.advance() {
                break;
            }
        }
        let steps = paths.iter().fold(1, |whole, (_, ways)| lcm(whole, *ways));
        let mut to: BTreeMap<u32, u128> = BTreeMap::new();
        for (next, ways) in paths {
            *to.entry(next).or_default() += steps / ways;
        }
        let laws: Vec<_> = to.iter().map(|(&next, &w)| (self.law(next), w)).collect();
        mix(&laws, steps)
    }
}

fn mix(laws: &[(Law, u128)], steps: u128) -> Law {
    let common = laws.iter().fold(1, |whole, (law, _)| lcm(whole, law.whole));
    let mut weights: BTreeMap<Vec<i32>, u128> = BTreeMap::new();
    for (law, weight) in laws {
        for (row, part) in &law.weights {
            *weights.entry(row.clone()).or_default() += part * weight * (common / law.whole);
        }
    }
    let whole = common * steps;
    Law { whole, weights }.reduced()
}

impl Law {
    /// The same law over the smallest denominator.
    pub fn reduced(mut self) -> Law {
        let divisor = self.weights.values().fold(self.whole, |d, w| gcd(d, *w));
        self.whole /= divisor;
        self.weights.values_mut().for_each(|w| *w /= divisor);
        self
    }

    /// Weight of the rows for which `event` holds, over [`Law::whole`].
    pub fn of(&self, event: impl Fn(&[i32]) -> bool) -> u128 {
        let rows = self.weights.iter().filter(|(row, _)| event(row));
        rows.map(|(_, weight)| weight).sum()
    }

    /// The same as a number, for comparing laws.
    pub fn probability(&self, event: impl Fn(&[i32]) -> bool) -> f64 {
        self.of(event) as f64 / self.whole as f64
    }
}

/// Greatest common divisor.
pub fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u128, b: u128) -> u128 {
    a / gcd(a, b) * b
}

/// Plays a contest with these faces; all of them must be used. The values of its outcome fields.
pub fn played(contest: &Contest, faces: &[u8]) -> Vec<i32> {
    let mut dice = Scripted::new(faces);
    let ending = contest.combat.play(&mut dice, 10_000);
    assert_eq!(dice.misfit(), None::<Misfit>);
    assert_eq!(
        dice.used(),
        faces.len(),
        "every die of the script is rolled"
    );
    let ending = ending.expect("the contest ends");
    ending.fields[..contest.combat.fields().len()].to_vec()
}

/// Tells a contest with these faces: rule and text of each step.
pub fn told(contest: &Contest, faces: &[u8]) -> Vec<(String, String)> {
    let mut dice = Scripted::new(faces);
    let mut steps = Vec::new();
    contest.combat.narrate(&mut dice, &mut |_, telling| {
        steps.push((telling.rule, telling.text));
        true
    });
    assert_eq!(dice.misfit(), None::<Misfit>);
    steps
}

/// States of the contest and nodes of its die graph.
pub fn size(combat: &AnyCombat) -> (usize, usize) {
    let graph = DieGraph::of(combat, Limits::default()).expect("within the limits");
    (graph.states(), graph.nodes().len())
}
