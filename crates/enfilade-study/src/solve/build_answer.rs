//! Builds the answer of a solved cell: outcomes, measures with intervals, and the agreement of the
//! engines. Nothing here is rolled or compiled, so a sweep may do it elsewhere and later.

use std::sync::Arc;

use crate::answer::{Answer, Engine, Estimate, MeasureAnswer, OutcomeAnswer};
use crate::experiment::Cell;
use crate::solve::estimate::{self, share};
use crate::solve::held::{self, Patience, held, is_cut};
use crate::solve::settings::Settings;
use crate::solve::trial_record::Record;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::{Law, Moments, OPEN, Weights, reduced};
use enfilade_model::combat::{Ending, MeasureHead, MeasureKind, OUTSIDE, Role};
use enfilade_stats::agreement::Verdict;

/// Probability that a whole run raises a false alarm, shared by its cells.
const FALSE_ALARM: f64 = 1e-9;

/// Returns the level at which exact and simulated are compared in one of `cells` cells.
pub fn alpha(cells: u64) -> f64 {
    FALSE_ALARM / cells.max(1) as f64
}

/// Solution of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Exact distribution, unless the contest is too large.
    pub exact: Option<Exact>,
    /// Trials, or a share of them; `None` if only the exact distribution was requested.
    pub record: Option<Record>,
    /// Note that the contest is too large for an exact distribution.
    pub note: Option<String>,
}

/// Exact distribution of a contest, without the graph from which it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    /// Possible endings.
    pub endings: Vec<Ending>,
    /// Distribution of the endings.
    pub law: Law,
    /// Number of states of the compiled contest; without a graph, of states that were expanded.
    pub states: usize,
    /// Number of nodes of the die graph, if there is one.
    pub nodes: Option<usize>,
    /// Distribution in fractions, if requested.
    pub weights: Option<Weights>,
}

impl Solution {
    /// Solution of a cell without results.
    pub const NONE: Solution = Solution { exact: None, record: None, note: None };

    /// Returns the exact value of a measure of `cell` with a bound of its error, if there is one.
    pub fn approximate(&self, cell: &Cell, measure: &str) -> Option<Approximation> {
        let mut heads = cell.played.combat.measures().iter().enumerate();
        let (index, head) = heads.find(|(_, head)| head.name == measure)?;
        self.exact.as_ref()?.approximate(index, head)
    }

    /// Builds the answer of `cell`; `alpha` is the level at which exact and simulated are compared.
    pub fn assemble(&self, cell: &Cell, settings: &Settings, alpha: f64) -> Answer {
        let exact = self.exact.as_ref();
        let played = is_played(cell, settings, exact.is_some());
        Assembly { cell, settings, alpha, solution: self, exact, played }.answer()
    }
}

/// Returns whether trials of `cell` are rolled one at a time: on request, and if it tallies and has
/// no exact distribution. Counts of trials do not show how far tallies stray.
pub(crate) fn is_played(cell: &Cell, settings: &Settings, has_law: bool) -> bool {
    settings.played || !has_law && cell.played.combat.counters() > 0
}

/// Builder of one answer.
struct Assembly<'a> {
    cell: &'a Cell,
    settings: &'a Settings,
    alpha: f64,
    solution: &'a Solution,
    exact: Option<&'a Exact>,
    /// Whether trials were rolled one at a time.
    played: bool,
}

impl Assembly<'_> {
    fn answer(&self) -> Answer {
        let (cell, compiled) = (self.cell, self.exact);
        let engine = match self.solution.record {
            None => Engine::ExactOnly,
            Some(_) if self.played => Engine::Played,
            Some(_) => Engine::Simulated,
        };
        // Played trials, and trials of the frontier engine, list the observed endings: sorted like
        // the distribution.
        let record = self.solution.record.clone().map(|record| self.aligned(record));
        let looping = compiled.map(|exact| &exact.law).filter(|law| law.bound > 0.0);
        Answer {
            cell: cell.index,
            contest: cell.contest,
            name: cell.name.clone(),
            system: Arc::clone(&cell.system),
            action: Arc::clone(&cell.action),
            params: cell.form.clone(),
            axes: cell.axes.clone(),
            fields: Arc::clone(&cell.played.combat.heads().fields),
            outcomes: self.outcomes(record.as_ref()),
            measures: self.measured(record.as_ref()),
            seed: self.settings.seed,
            trials: record.as_ref().map_or(0, Record::trials),
            unsettled_trials: record.as_ref().map_or(0, |record| record.unsettled),
            unsettled: compiled.map(|exact| exact.law.unsettled),
            never: looping.map(|law| law.never),
            bound: looping.map(|law| law.bound),
            engine,
            states: compiled.map(|exact| exact.states),
            nodes: compiled.and_then(|exact| exact.nodes),
            agrees: self.agrees(record.as_ref()),
            notes: self.solution.note.iter().chain(&cell.played.notes).cloned().collect(),
            breaks: None,
        }
    }

    /// Extends the record to every ending of the graph, in its order; observed endings that are not
    /// in the graph, which the agreement test then refuses, come last.
    fn aligned(&self, record: Record) -> Record {
        let Some(exact) = self.exact else {
            return record;
        };
        let mut record = record;
        let seen = std::mem::take(&mut record.endings).into_iter();
        let mut seen: std::collections::BTreeMap<Ending, u64> = seen.collect();
        let known = exact.endings.iter();
        let mut endings: Vec<_> =
            known.map(|ending| (*ending, seen.remove(ending).unwrap_or(0))).collect();
        endings.extend(seen);
        Record { endings, ..record }
    }

    fn outcomes(&self, record: Option<&Record>) -> Vec<OutcomeAnswer> {
        let endings: Vec<&Ending> = match (record, self.exact) {
            (Some(record), _) => record.endings.iter().map(|(ending, _)| ending).collect(),
            (None, Some(exact)) => exact.endings.iter().collect(),
            (None, None) => Vec::new(),
        };
        let columns = self.cell.played.combat.fields().len();
        let outcome = |(i, ending): (usize, &&Ending)| OutcomeAnswer {
            values: ending.fields[..columns].to_vec(),
            exact: self.exact.map(|exact| exact.probability(i)),
            fraction: self.exact.and_then(|exact| exact.fraction(i)),
            count: record.map(|record| record.endings[i].1),
            simulated: record.map(|record| share(record.endings[i].1, record.trials())),
        };
        endings.iter().enumerate().map(outcome).collect()
    }

    fn measured(&self, record: Option<&Record>) -> Vec<MeasureAnswer> {
        let heads = self.cell.played.combat.measures().iter().enumerate();
        let answer = |(i, head): (usize, &Arc<MeasureHead>)| {
            let known = self.is_known(i, head);
            let exact = self.exact.filter(|_| known);
            let found = exact.and_then(|exact| exact.approximate(i, head));
            MeasureAnswer {
                head: Arc::clone(head),
                exact: found.map(|found| found.value),
                error: found.map_or(0.0, |found| found.error),
                fraction: exact.and_then(|exact| exact.measure_fraction(i, head)),
                simulated: record
                    .filter(|record| known && self.is_seen(record, head))
                    .and_then(|record| self.estimate(record, i, head)),
            }
        };
        let mut measures: Vec<_> = heads.map(answer).collect();
        without_what_cannot_be(&mut measures);
        measures
    }

    /// Returns whether a measure is determined: an unfinished part may have any weight, so then
    /// there is no mean. Trials that never end have a mean of the tallies before.
    fn is_known(&self, index: usize, head: &MeasureHead) -> bool {
        let Some(exact) = self.exact else {
            return true;
        };
        let law = &exact.law;
        match head.kind {
            MeasureKind::Tallied(..) => law.unsettled <= OPEN,
            // Of what never ends nothing meets a condition.
            _ if head.is_conditional() => law.unsettled <= OPEN * exact.share_inside(index),
            MeasureKind::Event | MeasureKind::Quantile(_) => true,
            MeasureKind::Mean | MeasureKind::Deviation => law.open() <= OPEN,
            MeasureKind::Tally(counter) => {
                let bounded = |moments: &Moments| moments.mean.is_finite();
                law.unsettled <= OPEN && law.tallies.get(usize::from(counter)).is_none_or(bounded)
            }
        }
    }

    /// Returns whether a measure can be estimated from the trials: the endings of trials that were
    /// broken off are unknown.
    fn is_seen(&self, record: &Record, head: &MeasureHead) -> bool {
        let cut = self.exact.is_some_and(|exact| is_cut(&exact.law, record.unsettled));
        let bounded = matches!(head.kind, MeasureKind::Event | MeasureKind::Quantile(_));
        !cut || bounded && !head.is_conditional()
    }

    fn estimate(&self, record: &Record, index: usize, head: &MeasureHead) -> Option<Estimate> {
        if let MeasureKind::Tally(counter) = head.kind {
            let (sum, variance) = self.tallied(record, counter.into())?;
            return Some(estimate::tally(head, sum, record.trials(), variance));
        }
        let weight = |(ending, count): &(Ending, u64)| (ending.weights[index], *count);
        let weighed: Vec<_> = record.endings.iter().map(weight).collect();
        if head.is_conditional() {
            let inside = |(weight, _): &(i32, u64)| head.counts(*weight);
            let weighed: Vec<_> = weighed.into_iter().filter(inside).collect();
            // Nothing is known of a condition that no trial met.
            let is_met = weighed.iter().any(|(_, count)| *count > 0);
            return is_met.then(|| estimate::measure(head, &weighed, None)).flatten();
        }
        // If every trial surely ends, the interval needs no room for unfinished ones.
        let ends = self.exact.is_some_and(|c| c.law.open() == 0.0 && record.unsettled == 0);
        let unsettled = (!ends).then_some(record.unsettled);
        estimate::measure(head, &weighed, unsettled)
    }

    /// Returns the sum of a tally over all trials, and the variance of one trial. Played trials are
    /// distinguished; of counted trials only the sum is known, and the variance is the exact one.
    fn tallied(&self, record: &Record, counter: usize) -> Option<(i128, f64)> {
        let total = record.totals.get(counter)?;
        if !self.played {
            let exact = self.exact?.law.tallies.get(counter)?;
            return Some((total.sum, exact.variance));
        }
        let n = record.trials() as f64;
        let square = (total.sum as f64 / n).powi(2);
        Some((total.sum, (total.squares as f64 / n - square).max(0.0)))
    }

    /// Returns whether the trials agree with the exact distribution, if there are both, and with
    /// the exact mean of every tally.
    fn agrees(&self, record: Option<&Record>) -> Option<bool> {
        let (record, exact) = (record?, self.exact?);
        let sums: Vec<i128> = record.totals.iter().map(|total| total.sum).collect();
        // The distribution and each tally are separate checks that share the level.
        let alpha = self.alpha / (1 + sums.len()) as f64;
        let tallies = held::tallies(&exact.law, &sums, record.unsettled, record.trials(), alpha);
        let counts: Vec<_> = record.endings.iter().map(|(_, count)| *count).collect();
        let patience = if self.played { Patience::Steps(None) } else { Patience::Rounds };
        let agrees = held(&exact.law, &counts, record.unsettled, patience, alpha).agrees();
        Some(agrees && tallies.iter().all(Verdict::agrees))
    }
}

/// Removes the mean number of tries until an event that cannot happen: the tries made do not bound
/// it.
fn without_what_cannot_be(measures: &mut [MeasureAnswer]) {
    let never = |measure: &MeasureAnswer| {
        measure.head.role == Role::Finishing && measure.best() == Some(0.0)
    };
    if !measures.iter().any(never) {
        return;
    }
    for measure in measures.iter_mut().filter(|measure| measure.head.role == Role::Until) {
        (measure.exact, measure.fraction, measure.simulated) = (None, None, None);
    }
}

impl Exact {
    /// Returns the probability of ending `index`; 0 for one that is not in the graph.
    fn probability(&self, index: usize) -> f64 {
        self.law.probabilities.get(index).copied().unwrap_or(0.0)
    }

    fn fraction(&self, index: usize) -> Option<String> {
        let weights = self.weights.as_ref()?;
        let numerator = weights.numerators.get(index)?.clone();
        let (n, d) = reduced(numerator, weights.denominator.clone());
        Some(format!("{n}/{d}"))
    }

    /// Probability of the endings that meet the condition of measure `index`.
    fn share_inside(&self, index: usize) -> f64 {
        let all = self.endings.iter().zip(&self.law.probabilities);
        all.filter(|(ending, _)| ending.weights[index] != OUTSIDE).map(|(_, p)| p).sum()
    }

    fn approximate(&self, index: usize, head: &MeasureHead) -> Option<Approximation> {
        self.law.approximate(&self.endings, index, head)
    }

    fn measure_fraction(&self, index: usize, head: &MeasureHead) -> Option<String> {
        let weights = self.weights.as_ref()?;
        let figure = weights.measure(&self.endings, index, head)?;
        Some(figure.to_string())
    }
}
