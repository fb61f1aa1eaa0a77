//! Contests of the `asl` system for tests: built from TOML, played with scripted dice, and their
//! exact distributions as whole numbers.

use std::collections::BTreeMap;

use dashu_int::UBig;
use enfilade_engine::exact::solve_integer_weights;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::Contest;
use enfilade_model::form::Fault;

use crate::harness::play;
pub use crate::harness::play::play_contest;

/// Exact distribution of the outcome fields: numerators over one denominator.
#[derive(Clone, Debug)]
pub struct Law {
    /// Sum of all numerators.
    pub whole: UBig,
    /// Numerator of each row of values.
    pub rows: BTreeMap<Vec<i32>, UBig>,
}

/// Builds the contest of an `asl` action from its fields in TOML.
pub fn contest(action: &str, text: &str) -> Result<Contest, Vec<Fault>> {
    play::try_contest("asl", action, text)
}

/// Builds a contest, which must be valid.
pub fn right(action: &str, text: &str) -> Contest {
    contest(action, text).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

/// Returns the faults of an invalid contest: path and problem.
pub fn wrong(action: &str, text: &str) -> Vec<(String, String)> {
    match contest(action, text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(faults) => faults.into_iter().map(|f| (f.path, f.problem)).collect(),
    }
}

/// Returns the exact distribution of a contest.
pub fn law(contest: &Contest) -> Law {
    let graph = DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
        .expect("within the limits");
    let exact = solve_integer_weights(&graph).expect("the contest must end");
    let fields = contest.combat.outcome_fields().len();
    let mut rows: BTreeMap<Vec<i32>, UBig> = BTreeMap::new();
    for (ending, numerator) in graph.endings().iter().zip(&exact.numerators) {
        *rows.entry(ending.fields[..fields].to_vec()).or_default() += numerator;
    }
    Law { whole: exact.denominator, rows }
}

/// Returns the exact distribution of an action's contest with these fields.
pub fn law_of(action: &str, text: &str) -> Law {
    law(&right(action, text))
}

impl Law {
    /// Returns the numerator of an event.
    pub fn of(&self, event: impl Fn(&[i32]) -> bool) -> UBig {
        let rows = self.rows.iter().filter(|(row, _)| event(row));
        rows.map(|(_, weight)| weight).sum()
    }

    /// Returns whether an event has exactly this probability.
    pub fn is(&self, event: impl Fn(&[i32]) -> bool, numerator: u64, denominator: u64) -> bool {
        self.of(event) * denominator == &self.whole * numerator
    }

    /// Returns whether an event is at least as likely in this distribution as another one is in
    /// `other`.
    pub fn at_least(&self, other: &Law, event: impl Fn(&[i32]) -> bool) -> bool {
        self.of(&event) * &other.whole >= other.of(&event) * &self.whole
    }

    /// Returns whether both distributions are equal.
    pub fn equals(&self, other: &Law) -> bool {
        let keys = self.rows.keys().chain(other.rows.keys());
        let part = |law: &Law, row| law.rows.get(row).cloned().unwrap_or_default();
        keys.into_iter().all(|row| part(self, row) * &other.whole == part(other, row) * &self.whole)
    }
}

/// Explains a contest with these faces: rule and text of each step.
pub fn told(contest: &Contest, faces: &[u8]) -> Vec<(String, String)> {
    play::trace_play(&contest.combat, faces)
}

/// Returns the numbers of states of a contest and of nodes of its die graph.
pub fn size(contest: &Contest) -> (usize, usize) {
    play::count_graph_size(&contest.combat)
}

/// Returns the number of 36 rolls whose sum satisfies `holds`.
pub fn ways(holds: impl Fn(i32) -> bool) -> u64 {
    let sums = (1..=6).flat_map(|a| (1..=6).map(move |b| a + b));
    sums.filter(|sum| holds(*sum)).count() as u64
}
