//! Builds the answer of a solved cell: outcomes, measures with intervals, and the agreement of the
//! engines. Nothing here is rolled or compiled, so a sweep may do it elsewhere and later.

use std::sync::Arc;

use crate::answer::{Answer, AnswerMethod, Estimate, MeasureAnswer, OutcomeWithProbability};
use crate::experiment::GridCell;
use crate::solve::estimate::{self, estimate_share_of_hits};
use crate::solve::settings::SolverSettings;
use crate::solve::trial_record::CellTrialCounts;
use crate::solve::unfinished_trials::{
    self, TrialStepLimit, compare_endings_and_open, may_include_broken_off,
};
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::{
    Distribution, IntegerEndingWeights, MAX_UNFINISHED_FOR_MEAN, TallyMoments, reduce_fraction,
};
use enfilade_model::combat::{
    Ending, MeasureHead, MeasureKind, MeasureRoleBesideReports, OUTSIDE_CONDITION,
};
use enfilade_stats::agreement::AgreementVerdict;

/// Probability that a whole run raises a false alarm, shared by its cells.
const RUN_FALSE_ALARM_CHANCE: f64 = 1e-9;

/// Number of characters up to which a fraction is shown beside the bound of an error.
const MAX_FRACTION_BESIDE_BOUND: usize = 24;

/// Returns the level at which exact and simulated are compared in one of `cells` cells.
pub fn comparison_error_level(cells: u64) -> f64 {
    RUN_FALSE_ALARM_CHANCE / cells.max(1) as f64
}

/// Solution of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSolution {
    /// Exact distribution, unless the contest is too large.
    pub exact: Option<ExactContestDistribution>,
    /// Trials, or a share of them; `None` if only the exact distribution was requested.
    pub record: Option<CellTrialCounts>,
    /// Note that the contest is too large for an exact distribution.
    pub note: Option<String>,
}

/// Exact distribution of a contest, without the graph from which it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactContestDistribution {
    /// Possible endings.
    pub endings: Vec<Ending>,
    /// Distribution of the endings.
    pub law: Distribution,
    /// Number of states of the compiled contest; without a graph, of states that were expanded.
    pub states: usize,
    /// Number of nodes of the die graph, if there is one.
    pub nodes: Option<usize>,
    /// Distribution in fractions, if requested.
    pub weights: Option<IntegerEndingWeights>,
}

impl CellSolution {
    /// Solution of a cell without results.
    pub const WITHOUT_RESULTS: CellSolution =
        CellSolution { exact: None, record: None, note: None };

    /// Returns the exact value of a measure of `cell` with a bound of its error, if there is one.
    pub fn exact_measure_with_error(
        &self,
        cell: &GridCell,
        measure: &str,
    ) -> Option<Approximation> {
        let mut heads = cell.played.combat.measures().iter().enumerate();
        let (index, head) = heads.find(|(_, head)| head.name == measure)?;
        self.exact.as_ref()?.measure_with_error(index, head)
    }

    /// Builds the answer of `cell`; `alpha` is the level at which exact and simulated are compared.
    pub fn build_cell_answer(
        &self,
        cell: &GridCell,
        settings: &SolverSettings,
        alpha: f64,
    ) -> Answer {
        let exact = self.exact.as_ref();
        let played = needs_single_trial_play(cell, settings, exact.is_some());
        AnswerBuilder { cell, settings, alpha, solution: self, exact, played }.build_answer()
    }
}

/// Returns whether trials of `cell` are rolled one at a time: on request, and if it tallies and has
/// no exact distribution. Counts of trials do not show how far tallies stray.
pub(crate) fn needs_single_trial_play(
    cell: &GridCell,
    settings: &SolverSettings,
    has_law: bool,
) -> bool {
    settings.played || !has_law && cell.played.combat.counter_count() > 0
}

/// Builder of one answer.
struct AnswerBuilder<'a> {
    cell: &'a GridCell,
    settings: &'a SolverSettings,
    alpha: f64,
    solution: &'a CellSolution,
    exact: Option<&'a ExactContestDistribution>,
    /// Whether trials were rolled one at a time.
    played: bool,
}

impl AnswerBuilder<'_> {
    fn build_answer(&self) -> Answer {
        let (cell, compiled) = (self.cell, self.exact);
        let engine = match self.solution.record {
            None => AnswerMethod::ExactOnly,
            Some(_) if self.played => AnswerMethod::Played,
            Some(_) => AnswerMethod::Simulated,
        };
        // Played trials, and trials of the frontier engine, list the observed endings: sorted like
        // the distribution.
        let record =
            self.solution.record.clone().map(|record| self.align_record_with_graph(record));
        let looping = compiled.map(|exact| &exact.law).filter(|law| law.bound > 0.0);
        Answer {
            cell: cell.index,
            contest: cell.contest,
            name: cell.name.clone(),
            system: Arc::clone(&cell.system),
            action: Arc::clone(&cell.action),
            params: cell.form.clone(),
            axes: cell.axes.clone(),
            fields: Arc::clone(&cell.played.combat.result_columns().fields),
            outcomes: self.build_ending_answers(record.as_ref()),
            measures: self.build_measure_answers(record.as_ref()),
            seed: self.settings.seed,
            trials: record.as_ref().map_or(0, CellTrialCounts::trial_count),
            unsettled_trials: record.as_ref().map_or(0, |record| record.unsettled),
            unsettled: compiled.map(|exact| exact.law.unsettled),
            never: looping.map(|law| law.never),
            bound: looping.map(|law| law.bound),
            shows_errors: self.settings.bounds,
            engine,
            states: compiled.map(|exact| exact.states),
            nodes: compiled.and_then(|exact| exact.nodes),
            agrees: self.do_engines_agree(record.as_ref()),
            notes: self.solution.note.iter().chain(&cell.played.notes).cloned().collect(),
            breaks: None,
        }
    }

    /// Extends the record to every ending of the graph, in its order; observed endings that are not
    /// in the graph, which the agreement test then refuses, come last.
    fn align_record_with_graph(&self, record: CellTrialCounts) -> CellTrialCounts {
        let Some(exact) = self.exact else {
            return record;
        };
        let mut record = record;
        let seen = std::mem::take(&mut record.endings).into_iter();
        let mut seen: std::collections::BTreeMap<Ending, u64> = seen.collect();
        let exact_endings = exact.endings.iter();
        let mut endings: Vec<_> =
            exact_endings.map(|ending| (*ending, seen.remove(ending).unwrap_or(0))).collect();
        endings.extend(seen);
        CellTrialCounts { endings, ..record }
    }

    fn build_ending_answers(
        &self,
        record: Option<&CellTrialCounts>,
    ) -> Vec<OutcomeWithProbability> {
        let endings: Vec<&Ending> = match (record, self.exact) {
            (Some(record), _) => record.endings.iter().map(|(ending, _)| ending).collect(),
            (None, Some(exact)) => exact.endings.iter().collect(),
            (None, None) => Vec::new(),
        };
        let columns = self.cell.played.combat.outcome_fields().len();
        let outcome = |(i, ending): (usize, &&Ending)| OutcomeWithProbability {
            values: ending.fields[..columns].to_vec(),
            exact: self.exact.map(|exact| exact.probability_of_ending(i)),
            error: self.exact.map_or(0.0, |exact| exact.law.error_of_ending(i)),
            fraction: self
                .exact
                .and_then(|exact| exact.fraction_of_ending(i))
                .filter(|fraction| self.is_fraction_short_or_wanted(fraction)),
            count: record.map(|record| record.endings[i].1),
            simulated: record
                .map(|record| estimate_share_of_hits(record.endings[i].1, record.trial_count())),
        };
        endings.iter().enumerate().map(outcome).collect()
    }

    fn build_measure_answers(&self, record: Option<&CellTrialCounts>) -> Vec<MeasureAnswer> {
        let heads = self.cell.played.combat.measures().iter().enumerate();
        let answer = |(i, head): (usize, &Arc<MeasureHead>)| {
            let is_determined = self.unfinished_part_allows_measure(i, head);
            let exact = self.exact.filter(|_| is_determined);
            let estimate = exact.and_then(|exact| exact.measure_with_error(i, head));
            MeasureAnswer {
                head: Arc::clone(head),
                exact: estimate.map(|found| found.value),
                error: estimate.map_or(0.0, |found| found.error),
                fraction: exact
                    .and_then(|exact| exact.format_measure_fraction(i, head))
                    .filter(|fraction| self.is_fraction_short_or_wanted(fraction)),
                simulated: record
                    .filter(|record| is_determined && self.can_estimate_measure(record, head))
                    .and_then(|record| self.estimate_measure_value(record, i, head)),
            }
        };
        let mut measures: Vec<_> = heads.map(answer).collect();
        clear_tries_if_impossible(&mut measures);
        measures
    }

    /// Returns whether a fraction is shown: every one on request, and beside bounds those that can
    /// be read at a glance.
    fn is_fraction_short_or_wanted(&self, fraction: &str) -> bool {
        self.settings.fractions || fraction.len() <= MAX_FRACTION_BESIDE_BOUND
    }

    /// Returns whether a measure is determined: an unfinished part may have any weight, so then
    /// there is no mean. Trials that never end have a mean of the tallies before.
    fn unfinished_part_allows_measure(&self, index: usize, head: &MeasureHead) -> bool {
        let Some(exact) = self.exact else {
            return true;
        };
        let law = &exact.law;
        match head.kind {
            MeasureKind::Tallied(..) => law.unsettled <= MAX_UNFINISHED_FOR_MEAN,
            // Of what never ends nothing meets a condition.
            _ if head.is_conditional() => {
                law.unsettled <= MAX_UNFINISHED_FOR_MEAN * exact.probability_of_condition(index)
            }
            MeasureKind::Event | MeasureKind::Quantile(_) => true,
            MeasureKind::Mean | MeasureKind::Deviation => {
                law.unfinished_probability() <= MAX_UNFINISHED_FOR_MEAN
            }
            MeasureKind::Tally(counter) => {
                let bounded = |moments: &TallyMoments| moments.mean.is_finite();
                law.unsettled <= MAX_UNFINISHED_FOR_MEAN
                    && law.tallies.get(usize::from(counter)).is_none_or(bounded)
            }
        }
    }

    /// Returns whether a measure can be estimated from the trials: the endings of trials that were
    /// broken off are unknown.
    fn can_estimate_measure(&self, record: &CellTrialCounts, head: &MeasureHead) -> bool {
        let cut =
            self.exact.is_some_and(|exact| may_include_broken_off(&exact.law, record.unsettled));
        let bounded = matches!(head.kind, MeasureKind::Event | MeasureKind::Quantile(_));
        !cut || bounded && !head.is_conditional()
    }

    fn estimate_measure_value(
        &self,
        record: &CellTrialCounts,
        index: usize,
        head: &MeasureHead,
    ) -> Option<Estimate> {
        if let MeasureKind::Tally(counter) = head.kind {
            let (sum, variance) = self.sum_tally_with_variance(record, counter.into())?;
            return Some(estimate::tally_mean_from_variance(
                head,
                sum,
                record.trial_count(),
                variance,
            ));
        }
        let weight = |(ending, count): &(Ending, u64)| (ending.weights[index], *count);
        let weighed: Vec<_> = record.endings.iter().map(weight).collect();
        if head.is_conditional() {
            let inside = |(weight, _): &(i32, u64)| head.includes_weight(*weight);
            let weighed: Vec<_> = weighed.into_iter().filter(inside).collect();
            // Nothing is known of a condition that no trial met.
            let is_met = weighed.iter().any(|(_, count)| *count > 0);
            return is_met.then(|| estimate::estimate_from_weights(head, &weighed, None)).flatten();
        }
        // If every trial surely ends, the interval needs no room for unfinished ones.
        let ends = self
            .exact
            .is_some_and(|c| c.law.unfinished_probability() == 0.0 && record.unsettled == 0);
        let unsettled = (!ends).then_some(record.unsettled);
        estimate::estimate_from_weights(head, &weighed, unsettled)
    }

    /// Returns the sum of a tally over all trials, and the variance of one trial. Played trials are
    /// distinguished; of counted trials only the sum is known, and the variance is the exact one.
    fn sum_tally_with_variance(
        &self,
        record: &CellTrialCounts,
        counter: usize,
    ) -> Option<(i128, f64)> {
        let total = record.totals.get(counter)?;
        if !self.played {
            let exact = self.exact?.law.tallies.get(counter)?;
            return Some((total.sum, exact.variance));
        }
        let n = record.trial_count() as f64;
        let square = (total.sum as f64 / n).powi(2);
        Some((total.sum, (total.squares as f64 / n - square).max(0.0)))
    }

    /// Returns whether the trials agree with the exact distribution, if there are both, and with
    /// the exact mean of every tally.
    fn do_engines_agree(&self, record: Option<&CellTrialCounts>) -> Option<bool> {
        let (record, exact) = (record?, self.exact?);
        let sums: Vec<i128> = record.totals.iter().map(|total| total.sum).collect();
        // The distribution and each tally are separate checks that share the level.
        let alpha = self.alpha / (1 + sums.len()) as f64;
        let tallies = unfinished_trials::compare_tallies_unless_broken_off(
            &exact.law,
            &sums,
            record.unsettled,
            record.trial_count(),
            alpha,
        );
        let counts: Vec<_> = record.endings.iter().map(|(_, count)| *count).collect();
        let patience =
            if self.played { TrialStepLimit::Steps(None) } else { TrialStepLimit::Rounds };
        let agrees =
            compare_endings_and_open(&exact.law, &counts, record.unsettled, patience, alpha)
                .agrees();
        Some(agrees && tallies.iter().all(AgreementVerdict::agrees))
    }
}

/// Removes the mean number of tries until an event that cannot happen: the tries made do not bound
/// it.
fn clear_tries_if_impossible(measures: &mut [MeasureAnswer]) {
    let never = |measure: &MeasureAnswer| {
        measure.head.role == MeasureRoleBesideReports::Finishing
            && measure.best_available_value() == Some(0.0)
    };
    if !measures.iter().any(never) {
        return;
    }
    for measure in
        measures.iter_mut().filter(|measure| measure.head.role == MeasureRoleBesideReports::Until)
    {
        (measure.exact, measure.fraction, measure.simulated) = (None, None, None);
    }
}

impl ExactContestDistribution {
    /// Returns the probability of ending `index`; 0 for one that is not in the graph.
    fn probability_of_ending(&self, index: usize) -> f64 {
        self.law.probabilities.get(index).copied().unwrap_or(0.0)
    }

    fn fraction_of_ending(&self, index: usize) -> Option<String> {
        let weights = self.weights.as_ref()?;
        let numerator = weights.numerators.get(index)?.clone();
        let (n, d) = reduce_fraction(numerator, weights.denominator.clone());
        Some(format!("{n}/{d}"))
    }

    /// Probability of the endings that meet the condition of measure `index`.
    fn probability_of_condition(&self, index: usize) -> f64 {
        let all = self.endings.iter().zip(&self.law.probabilities);
        all.filter(|(ending, _)| ending.weights[index] != OUTSIDE_CONDITION).map(|(_, p)| p).sum()
    }

    fn measure_with_error(&self, index: usize, head: &MeasureHead) -> Option<Approximation> {
        self.law.measure_with_error_bound(&self.endings, index, head)
    }

    fn format_measure_fraction(&self, index: usize, head: &MeasureHead) -> Option<String> {
        let weights = self.weights.as_ref()?;
        let figure = weights.exact_measure_fraction(&self.endings, index, head)?;
        Some(figure.to_string())
    }
}
