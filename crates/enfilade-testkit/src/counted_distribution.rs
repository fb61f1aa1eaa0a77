//! Distributions by a walk over the states of a contest, in whole numbers.
//!
//! The walk is independent of the die graph: every state is stepped with every sequence of faces,
//! and its distribution is stored as integers over one denominator. Its only interface is
//! `AnyCombat::states`.

use std::collections::BTreeMap;

use enfilade_model::combat::{AnyCombat, Ending, StateNumbering};

use super::sequence_dice::SequenceDice;
use super::test_contests::indices_of_fields;

/// A distribution in whole numbers: the number of equally likely ways, out of `ways`, for each row
/// of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedDistribution {
    /// Ways by the values of the requested fields.
    pub rows: BTreeMap<Vec<i32>, u128>,
    /// All ways.
    pub ways: u128,
}

/// Computes the distribution of `fields` in `combat`.
pub fn count_fields(combat: &AnyCombat, fields: &[&str]) -> CountedDistribution {
    let columns = indices_of_fields(combat, fields);
    count_paths_to_rows(combat, |ending| columns.iter().map(|&c| ending.fields[c]).collect())
}

/// Computes the distribution of all fields of `combat`.
pub fn count_all_fields(combat: &AnyCombat) -> CountedDistribution {
    let fields = combat.outcome_fields().len();
    count_paths_to_rows(combat, |ending| ending.fields[..fields].to_vec())
}

/// Computes the distribution of all fields and all measures of `combat`.
pub fn count_fields_and_measures(combat: &AnyCombat) -> CountedDistribution {
    count_paths_to_rows(combat, |ending| {
        ending.fields.iter().chain(&ending.weights).copied().collect()
    })
}

/// Returns the value of measure `name`.
///
/// # Panics
/// If `combat` has no such measure.
pub fn compute_measure(combat: &AnyCombat, name: &str) -> f64 {
    let heads = combat.measures();
    let column = heads.iter().position(|head| head.name == name);
    let column = column.unwrap_or_else(|| panic!("no measure {name}"));
    let law = count_paths_to_rows(combat, |ending| vec![ending.weights[column]]);
    let sum = law.rows.iter().map(|(row, &n)| f64::from(row[0]) * n as f64);
    sum.sum::<f64>() / law.ways as f64
}

/// Returns every measure of `combat` with its value in its unit, in the order of declaration.
pub fn compute_measures(combat: &AnyCombat) -> Vec<(&str, f64)> {
    let law = count_paths_to_rows(combat, |ending| ending.weights.to_vec());
    let value = |column: usize| {
        let weighed = law.rows.iter();
        let sum: f64 = weighed.map(|(row, &n)| f64::from(row[column]) * n as f64).sum();
        sum / law.ways as f64
    };
    let mut measures = Vec::new();
    for (column, head) in combat.measures().iter().enumerate() {
        measures.push((&*head.name, value(column) * head.scale.to_f64()));
    }
    measures
}

/// Checks that `combat` has exactly these measures, with these values.
///
/// # Panics
/// If the names or their order differ, or a value by 1e-12 or more.
pub fn assert_measures(combat: &AnyCombat, expected: &[(&str, f64)]) {
    let found = compute_measures(combat);
    let names = |all: &[(&str, f64)]| all.iter().map(|(name, _)| name.to_string()).collect();
    let (known, wanted): (Vec<String>, Vec<String>) = (names(&found), names(expected));
    assert_eq!(known, wanted);
    for ((name, value), (_, wanted)) in found.iter().zip(expected) {
        assert!((value - wanted).abs() < 1e-12, "{name}: {value}, {wanted}");
    }
}

impl CountedDistribution {
    /// Returns a distribution of counted rows.
    pub fn from_rows(rows: BTreeMap<Vec<i32>, u128>) -> CountedDistribution {
        let ways = rows.values().sum();
        CountedDistribution { rows, ways }.into_lowest_terms()
    }

    /// Returns the rows over a power of six, which must be a multiple of their denominator.
    ///
    /// # Panics
    /// If a row needs a larger denominator.
    pub fn rows_over_sixths(&self, sixths: u32) -> BTreeMap<Vec<i32>, u128> {
        let whole = 6_u128.pow(sixths);
        let scaled = self.rows.iter().map(|(row, n)| {
            assert_eq!(n * whole % self.ways, 0, "{row:?} needs more than 6^{sixths}");
            (row.clone(), n * whole / self.ways)
        });
        scaled.collect()
    }

    /// Returns the mean of a number that is computed from each row.
    pub fn mean_over_rows(&self, value: impl Fn(&[i32]) -> i32) -> f64 {
        let sum: f64 = self.rows.iter().map(|(row, &n)| f64::from(value(row)) * n as f64).sum();
        sum / self.ways as f64
    }

    /// Returns the probability of the rows for which `event` is true.
    pub fn chance_over_rows(&self, event: impl Fn(&[i32]) -> bool) -> f64 {
        let ways = self.rows.iter().filter(|(row, _)| event(row)).map(|(_, n)| n);
        ways.sum::<u128>() as f64 / self.ways as f64
    }

    fn into_lowest_terms(mut self) -> CountedDistribution {
        let divisor = self.rows.values().fold(self.ways, |a, &b| gcd(a, b));
        self.rows.values_mut().for_each(|n| *n /= divisor);
        self.ways /= divisor;
        self
    }

    /// Adds `other` with a share of one in `one_in`.
    fn add_weighted(&mut self, other: &CountedDistribution, one_in: u128) {
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

fn count_paths_to_rows(
    combat: &AnyCombat,
    row: impl Fn(Ending) -> Vec<i32>,
) -> CountedDistribution {
    let mut states = combat.new_state_numbering();
    let open = states.initial_state();
    let mut laws: BTreeMap<u32, CountedDistribution> = BTreeMap::new();
    let mut open_states = vec![open];
    let mut next: BTreeMap<u32, Vec<(u32, u128)>> = BTreeMap::new();
    while let Some(&state) = open_states.last() {
        if laws.contains_key(&state) {
            open_states.pop();
            continue;
        }
        if let Some(ending) = states.ending_of_state(state) {
            laws.insert(state, CountedDistribution::from_rows([(row(ending), 1)].into()));
            continue;
        }
        let steps = next.entry(state).or_insert_with(|| count_successors(&mut *states, state));
        let waiting: Vec<u32> =
            steps.iter().map(|s| s.0).filter(|s| !laws.contains_key(s)).collect();
        if !waiting.is_empty() {
            open_states.extend(waiting);
            continue;
        }
        let mut law = CountedDistribution { rows: BTreeMap::new(), ways: 1 };
        for (to, one_in) in steps.iter() {
            law.add_weighted(&laws[to], *one_in);
        }
        assert_eq!(law.rows.values().sum::<u128>(), law.ways, "the faces add up to one");
        laws.insert(state, law.into_lowest_terms());
    }
    laws.remove(&open).expect("the opening state was walked")
}

/// Returns the successors of `state` for every sequence of faces, each with n for a chance of 1/n.
fn count_successors(states: &mut dyn StateNumbering, state: u32) -> Vec<(u32, u128)> {
    let mut dice = SequenceDice::default();
    let mut steps = Vec::new();
    loop {
        let to = states.play_one_step(state, &mut dice);
        steps.push((to, dice.equally_likely_sequences()));
        if !dice.next_sequence() {
            return steps;
        }
    }
}
