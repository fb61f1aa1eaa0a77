//! Effects of shots, from the engine: the distribution of a contest by the names its system gives.
//!
//! Nothing here or above it depends on a rule. A contest is described as in a designer's file,
//! compiled and solved exactly, by the frontier engine if its graph would be too large; one that is
//! too large for that too is simulated, and its distribution carries the number of trials. Equal
//! queries are answered once.

use std::cell::RefCell;
use std::sync::Arc;

use indexmap::IndexSet;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use toml::Table;

use super::battle_settings::BattleSettings;
use super::rule_changes::RuleChanges;
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::error::SolveError;
use enfilade_engine::exact::{self, DistributionWithoutGraph, solve_without_graph};
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::DieGraph;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{InstructionSet, resume_frontier_simulation};
use enfilade_engine::work_units::PartialWorkResult;
use enfilade_model::catalogue::{Contest, System};
use enfilade_model::combat::{AnyCombat, Ending, MeasureHead, MeasureKind};
use enfilade_model::form::{Fault, Form};
use enfilade_model::weapons::{ContestDistributionSource, ContestOutcomeDistribution, FaultResult};
use enfilade_study::fingerprint::{canonical_contest_text, contest_fingerprint};

/// The distribution of a contest, with notes for its readers.
#[derive(Clone, Debug)]
pub struct DistributionWithNotes {
    /// The distribution.
    pub law: Arc<ContestOutcomeDistribution>,
    /// Number of trials behind it; `None` if it is exact.
    pub trials: Option<u64>,
    /// Notes for readers, in the words of the rulebook.
    pub notes: Vec<String>,
}

/// Contests solved so far, with their distributions.
///
/// A distribution depends on its query and the seed alone, so the order of queries does not matter.
#[derive(Debug)]
pub struct ContestCache {
    system: Arc<System>,
    settings: BattleSettings,
    /// The changes of the rules.
    pub changes: RuleChanges,
    /// By the text of the query: a query seen before need not be parsed again. And by that of the
    /// checked query: queries with the same meaning share one distribution. No text is of both
    /// kinds, because no action is called `enfilade contest 1`.
    cached: Mutex<FxHashMap<String, Arc<DistributionWithNotes>>>,
}

impl ContestCache {
    /// Creates a cache for the contests of `system` under changes of its rules, solved exactly
    /// within the limits of `settings` and beyond them by its trials.
    pub(crate) fn new(
        system: Arc<System>,
        changes: RuleChanges,
        settings: &BattleSettings,
    ) -> ContestCache {
        ContestCache { system, settings: *settings, changes, cached: Mutex::default() }
    }

    /// Solves the contest that `table` describes for an action.
    ///
    /// # Errors
    /// The faults that a designer's file with the same contest would have.
    pub fn solve_action(
        &self,
        action: &str,
        table: &Table,
    ) -> FaultResult<Arc<DistributionWithNotes>> {
        let words = canonical_question_text(action, table);
        if let Some(known) = self.cached.lock().get(&words) {
            return Ok(known.clone());
        }
        let action = self.system.action(action).map_err(|fault| vec![fault])?;
        let table = self.changes.apply_to_contest(action, table);
        let form = Form::from_table_with_defaults(&action.fields, &table)?;
        let question = canonical_contest_text(&self.system, action, &form);
        let known = self.cached.lock().get(&question).cloned();
        // The cache is not locked during the work: two threads may solve the same query at once,
        // with the same result.
        let solve = || {
            let fingerprint = contest_fingerprint(&self.system, action, &form);
            let stream = ContestRandomStream { seed: self.settings.seed, fingerprint };
            self.solve_or_simulate_contest(action.build_contest(&form)?, &stream).map(Arc::new)
        };
        let answer = known.map_or_else(solve, Ok)?;
        let mut all = self.cached.lock();
        all.insert(words, answer.clone());
        all.insert(question, answer.clone());
        Ok(answer)
    }

    fn solve_or_simulate_contest(
        &self,
        contest: Contest,
        stream: &ContestRandomStream,
    ) -> FaultResult<DistributionWithNotes> {
        let combat = &contest.combat;
        let BattleSettings { limits, trials, .. } = self.settings;
        // So large that the frontier engine takes no longer than a graph of the largest size.
        let states = Some(limits.states / 8);
        let frontier = FrontierLimits { states, halt: &NEVER_CANCELLED, on_step: &|_| true };
        let (law, trials) = match DieGraph::compile_within_limits(combat, limits) {
            Ok(graph) => {
                let law = exact::solve_graph_distribution(&graph);
                (as_contest_distribution(graph.endings(), &law, combat), None)
            }
            Err(SolveError::Rule(error)) => return Err(vec![error.fault]),
            // Decisions are solved by backward induction, which needs a graph.
            Err(why) if !combat.decisions().is_empty() => {
                return Err(vec![Fault::new("", why.to_string())]);
            }
            Err(_) => match solve_without_graph(combat, &frontier) {
                Ok(DistributionWithoutGraph { endings, law, .. }) => {
                    (as_contest_distribution(&endings, &law, combat), None)
                }
                Err(_) => (simulate_distribution(combat, stream, trials), Some(trials)),
            },
        };
        if let Some(error) = combat.recorded_rule_fault() {
            return Err(vec![error.fault]);
        }
        Ok(DistributionWithNotes { law: Arc::new(law), trials, notes: contest.notes })
    }
}

/// Simulates the distribution.
fn simulate_distribution(
    combat: &AnyCombat,
    stream: &ContestRandomStream,
    trials: u64,
) -> ContestOutcomeDistribution {
    // Every instruction set gives the same counts.
    let (start, isa) = (PartialWorkResult::default(), InstructionSet::widest_available());
    let halt = &NEVER_CANCELLED;
    let met = resume_frontier_simulation(combat, trials, stream, isa, start, halt, &|_, _| true);
    let met = met.sum;
    let share = |count: u64| count as f64 / trials as f64;
    let endings = met.endings.into_iter();
    let outcomes: Vec<_> = endings.map(|(ending, count)| (ending, share(count))).collect();
    let value = |(index, head): (usize, &Arc<MeasureHead>)| {
        if let MeasureKind::Tally(counter) = head.kind {
            let sum = met.tallies.get(usize::from(counter))?;
            return Some(*sum as f64 / trials as f64 * head.scale.to_f64());
        }
        let law = outcomes.iter().map(|(e, p)| (e.weights[index], *p));
        exact::measure_value::compute_measure_value(head, law, share(met.unsettled))
    };
    ContestOutcomeDistribution {
        heads: combat.result_columns().clone(),
        measures: combat.measures().iter().enumerate().map(value).collect(),
        outcomes,
    }
}

/// A question in words that no other one has: texts are in quotes, and every value has its kind in
/// front.
fn canonical_question_text(action: &str, table: &Table) -> String {
    format!("{action}\n{table:?}")
}

/// The exact distribution of a contest as the pricing uses it.
fn as_contest_distribution(
    endings: &[Ending],
    law: &exact::Distribution,
    combat: &AnyCombat,
) -> ContestOutcomeDistribution {
    let value = |(index, head): (usize, &Arc<MeasureHead>)| law.measure_value(endings, index, head);
    ContestOutcomeDistribution {
        heads: combat.result_columns().clone(),
        measures: combat.measures().iter().enumerate().map(value).collect(),
        outcomes: endings.iter().copied().zip(law.probabilities.iter().copied()).collect(),
    }
}

/// A source of distributions for one weapon in one scenario.
///
/// The source records the trials behind the distributions and the notes for their readers.
#[derive(Debug)]
pub(crate) struct DistributionSourceWithNotes<'a> {
    pub contests: &'a ContestCache,
    pub log: RefCell<TrialsAndNotes>,
}

/// Trials and notes of the distributions of a weapon in a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialsAndNotes {
    /// Trials behind a distribution that is not exact; `None` if all are.
    pub trials: Option<u64>,
    /// Notes of all distributions, each once, in the order of the queries.
    pub notes: IndexSet<String>,
}

impl ContestDistributionSource for DistributionSourceWithNotes<'_> {
    fn distribution_of(
        &self,
        action: &str,
        contest: &Table,
    ) -> FaultResult<Arc<ContestOutcomeDistribution>> {
        let answer = self.contests.solve_action(action, contest)?;
        let mut log = self.log.borrow_mut();
        log.trials = log.trials.or(answer.trials);
        log.notes.extend(answer.notes.iter().cloned());
        Ok(Arc::clone(&answer.law))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts, tables and lists that hold the same words in another order of brackets are different
    /// queries.
    #[test]
    fn no_two_questions_have_the_same_words() {
        let asked = [
            "a = 'b'\nc = { d = 'e' }",
            "a = { b = 'c', d = 'e' }",
            "a = 'b'\nc = []",
            "a = ['b', 'c']",
            "a = [['b'], 'c']",
            "a = ['b', ['c']]",
            "a = '1'",
            "a = 1",
            "a = 1.0",
            "a = 'b1:c'",
            "a = 'b'\nc = ''",
            "a = {}",
            "a = []",
            "a = ''",
        ];
        let words =
            asked.map(|text| canonical_question_text("shoot", &text.parse().expect("TOML")));
        for (at, one) in words.iter().enumerate() {
            assert!(words[..at].iter().all(|other| other != one), "{}: {one}", asked[at]);
        }
    }
}
