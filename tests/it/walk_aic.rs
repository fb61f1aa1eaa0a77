//! Contests of the two dice-heavy systems walked state by state in whole numbers.
//!
//! Shares nothing with the die graph: every state is stepped with every sequence of faces, and its
//! law is kept as integers over one denominator. Only the seam is used: `AnyCombat::states`.

use std::collections::BTreeMap;

use enfilade::catalogue::Contest;
use enfilade::combat::{AnyCombat, Telling};
use enfilade::dice::{Dice, Roll, Scripted};
use enfilade::form::{Fault, Form};
use enfilade::graph::{DieGraph, Limits};

/// A law in whole numbers: how many of `ways` equally likely ways lead to each row of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// Ways by the values of the fields asked for.
    pub rows: BTreeMap<Vec<i32>, u128>,
    /// All ways.
    pub ways: u128,
}

/// The contest that `toml` describes, or its faults.
pub fn try_contest(system: &str, action: &str, toml: &str) -> Result<Contest, Vec<Fault>> {
    let action = crate::built_in().system(system).and_then(|s| s.action(action));
    let action = action.expect("the test names a system and an action that exist");
    let table = toml.parse().expect("the test's TOML is well formed");
    action.contest(&Form::fill(&action.fields, &table)?)
}

/// The contest that `toml` describes.
pub fn contest(system: &str, action: &str, toml: &str) -> AnyCombat {
    match try_contest(system, action, toml) {
        Ok(contest) => contest.combat,
        Err(faults) => panic!("{action}: {faults:?}\n{toml}"),
    }
}

/// The faults of `toml` as `path: problem`.
pub fn faults(system: &str, action: &str, toml: &str) -> Vec<String> {
    let faults = try_contest(system, action, toml).err().unwrap_or_default();
    let line = |fault: &Fault| format!("{}: {}", fault.path, fault.problem);
    faults.iter().map(line).collect()
}

/// Every sample of a system as a contest, with a name for messages.
pub fn samples(system: &str) -> Vec<(String, AnyCombat)> {
    let known = crate::built_in().system(system).expect("a built-in system");
    let actions = &known.actions;
    let named = actions.iter().flat_map(|action| {
        let numbered = action.samples.iter().enumerate();
        numbered.map(move |(n, toml)| {
            (format!("{} {n}", action.name), contest(system, &action.name, toml))
        })
    });
    named.collect()
}

/// Values of `fields` when `combat` is played with exactly these faces.
pub fn scripted(combat: &AnyCombat, faces: &[u8], fields: &[&str]) -> Vec<i32> {
    let mut dice = Scripted::new(faces);
    let ending = combat.play(&mut dice, 10_000).expect("the contest ends");
    assert_eq!((dice.misfit(), dice.used()), (None, faces.len()), "{faces:?}");
    columns(combat, fields).iter().map(|&c| ending.fields[c]).collect()
}

fn columns(combat: &AnyCombat, fields: &[&str]) -> Vec<usize> {
    let heads = combat.fields();
    let column = |name: &&str| heads.iter().position(|head| head.name == *name);
    let columns = fields.iter().map(|f| column(f).unwrap_or_else(|| panic!("no field {f}")));
    columns.collect()
}

/// The law of `fields` in `combat`.
pub fn law(combat: &AnyCombat, fields: &[&str]) -> Law {
    let columns = columns(combat, fields);
    walk(combat, |ending| columns.iter().map(|&c| ending.fields[c]).collect())
}

/// The law of all fields and all measures of `combat`.
pub fn whole_law(combat: &AnyCombat) -> Law {
    walk(combat, |ending| ending.fields.iter().chain(&ending.weights).copied().collect())
}

/// The value of measure `name`.
pub fn measure(combat: &AnyCombat, name: &str) -> f64 {
    let heads = combat.measures();
    let column = heads.iter().position(|head| head.name == name);
    let column = column.unwrap_or_else(|| panic!("no measure {name}"));
    let law = walk(combat, |ending| vec![ending.weights[column]]);
    let sum = law.rows.iter().map(|(row, &n)| f64::from(row[0]) * n as f64);
    sum.sum::<f64>() / law.ways as f64
}

/// Every measure of `combat` with its value on its own scale, in the order in which it is declared.
pub fn measures(combat: &AnyCombat) -> Vec<(&str, f64)> {
    let law = walk(combat, |ending| ending.weights.to_vec());
    let value = |column: usize| {
        let weighed = law.rows.iter();
        let sum: f64 = weighed.map(|(row, &n)| f64::from(row[column]) * n as f64).sum();
        sum / law.ways as f64
    };
    let mut measures = Vec::new();
    for (column, head) in combat.measures().iter().enumerate() {
        measures.push((&*head.name, value(column) * head.scale.factor()));
    }
    measures
}

/// Checks that `combat` has these measures, no others, with these values.
pub fn assert_measures(combat: &AnyCombat, expected: &[(&str, f64)]) {
    let found = measures(combat);
    let names = |all: &[(&str, f64)]| all.iter().map(|(name, _)| name.to_string()).collect();
    let (known, wanted): (Vec<String>, Vec<String>) = (names(&found), names(expected));
    assert_eq!(known, wanted);
    for ((name, value), (_, wanted)) in found.iter().zip(expected) {
        assert!((value - wanted).abs() < 1e-12, "{name}: {value}, {wanted}");
    }
}

/// Every step of `combat` with exactly these faces, told: rule and text.
pub fn told(combat: &AnyCombat, faces: &[u8]) -> Vec<(String, String)> {
    let mut dice = Scripted::new(faces);
    let mut steps = Vec::new();
    let mut listen = |_: &[Roll], telling: Telling| {
        steps.push((rule_of(&telling), telling.text));
        true
    };
    let ending = combat.narrate(&mut dice, &mut listen);
    assert!(ending.is_some(), "the contest ends");
    assert_eq!((dice.misfit(), dice.used()), (None, faces.len()), "{faces:?}");
    steps
}

/// The rule that a step is told by, without the line of a text.
pub fn rule_of(telling: &Telling) -> String {
    let rule = telling.rule.split("line ").next().unwrap_or_default();
    rule.trim_end_matches(", ").to_owned()
}

/// How many states and nodes the die graph of `combat` has.
pub fn size(combat: &AnyCombat) -> (usize, usize) {
    let graph = DieGraph::of(combat, Limits::default()).expect("within the limits");
    (graph.states(), graph.nodes().len())
}

impl Law {
    /// A law from counted rows.
    pub fn of(rows: BTreeMap<Vec<i32>, u128>) -> Law {
        let ways = rows.values().sum();
        Law { rows, ways }.lowest()
    }

    /// The probability of the rows for which `event` holds.
    pub fn p(&self, event: impl Fn(&[i32]) -> bool) -> f64 {
        let ways = self.rows.iter().filter(|(row, _)| event(row)).map(|(_, n)| n);
        ways.sum::<u128>() as f64 / self.ways as f64
    }

    fn lowest(mut self) -> Law {
        let divisor = self.rows.values().fold(self.ways, |a, &b| gcd(a, b));
        self.rows.values_mut().for_each(|n| *n /= divisor);
        self.ways /= divisor;
        self
    }

    /// Adds `share` of `ways` equally likely ways that each lead to `other`.
    fn add(&mut self, other: &Law, one_in: u128) {
        let ways = other.ways.checked_mul(one_in).expect("the contest is small");
        let common = self.ways / gcd(self.ways, ways) * ways;
        let (own, theirs) = (common / self.ways, common / ways);
        self.rows.values_mut().for_each(|n| *n *= own);
        for (row, n) in &other.rows {
            *self.rows.entry(row.clone()).or_insert(0) += n * theirs;
        }
        self.ways = common;
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Dice that show every sequence of faces in turn.
#[derive(Default)]
struct Turning {
    shown: Vec<(u8, u8)>,
    rolled: usize,
}

impl Dice for Turning {
    fn die(&mut self, sides: u8) -> u8 {
        if self.rolled == self.shown.len() {
            self.shown.push((sides, 1));
        }
        self.rolled += 1;
        self.shown[self.rolled - 1].1
    }
}

impl Turning {
    fn next(&mut self) -> bool {
        self.shown.truncate(self.rolled);
        self.rolled = 0;
        while let Some((sides, face)) = self.shown.last_mut() {
            if face < sides {
                *face += 1;
                return true;
            }
            self.shown.pop();
        }
        false
    }
}

fn walk(combat: &AnyCombat, row: impl Fn(enfilade::combat::Ending) -> Vec<i32>) -> Law {
    let mut states = combat.states();
    let open = states.open();
    let mut laws: BTreeMap<u32, Law> = BTreeMap::new();
    let mut open_states = vec![open];
    let mut next: BTreeMap<u32, Vec<(u32, u128)>> = BTreeMap::new();
    while let Some(&state) = open_states.last() {
        if laws.contains_key(&state) {
            open_states.pop();
            continue;
        }
        if let Some(ending) = states.ending(state) {
            laws.insert(state, Law::of([(row(ending), 1)].into()));
            continue;
        }
        let steps = next.entry(state).or_insert_with(|| step(&mut *states, state));
        let waiting: Vec<u32> =
            steps.iter().map(|s| s.0).filter(|s| !laws.contains_key(s)).collect();
        if !waiting.is_empty() {
            open_states.extend(waiting);
            continue;
        }
        let mut law = Law { rows: BTreeMap::new(), ways: 1 };
        for (to, one_in) in steps.iter() {
            law.add(&laws[to], *one_in);
        }
        assert_eq!(law.rows.values().sum::<u128>(), law.ways, "the faces add up to one");
        laws.insert(state, law.lowest());
    }
    laws.remove(&open).expect("the opening state was walked")
}

/// Where `state` leads for every sequence of faces, and one in how many ways each sequence is.
fn step(states: &mut dyn enfilade::combat::States, state: u32) -> Vec<(u32, u128)> {
    let mut dice = Turning::default();
    let mut steps = Vec::new();
    loop {
        let to = states.step(state, &mut dice);
        let ways = dice.shown[..dice.rolled].iter().map(|&(sides, _)| u128::from(sides));
        steps.push((to, ways.product()));
        if !dice.next() {
            return steps;
        }
    }
}
