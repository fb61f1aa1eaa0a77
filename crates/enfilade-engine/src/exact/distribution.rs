//! Probabilities as `f64`.

use super::convergence::MAX_UNFINISHED_FOR_MEAN;
use super::measure_value::{
    compute_measure_value, is_undefined_if_endless, measure_error_bound, restrict_to_condition,
    scaling_error,
};
use super::rounding_error::{
    ProbabilityWithRoundings, RoundingErrorBound, underflow_error, values_and_most_roundings,
};
use super::solve_loops;
use super::tally_moments::{self, TallyMoments};
use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::exact::approximation::{Approximation, COMPUTED_RELATIVE_ERROR};
use crate::graph::{CopiedPartAndSums, DieGraph, VertexId};
use enfilade_model::combat::{Ending, MeasureHead, MeasureKind};

/// Exact distribution of a contest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// Probability by ending of the graph.
    pub probabilities: Vec<f64>,
    /// Probability that the engine gave up before its ending was determined; 0 for nearly all
    /// contests.
    pub unsettled: f64,
    /// Probability of reaching a vertex that no path leaves: such a trial never ends.
    pub never: f64,
    /// Bound of the error of each probability where loops were solved; 0 without loops.
    pub bound: f64,
    /// Mean number of loop vertices that a trial visits; 0 without loops.
    pub steps: f64,
    /// Moments by counter: the sum that a trial tallies until it is over or the last round has
    /// passed.
    pub tallies: Vec<TallyMoments>,
    /// Figures of tallies by outcome, where they were computed: the position of the measure, its
    /// number and the bound of its error.
    pub tally_figures: Vec<(usize, Approximation)>,
    /// Bounds of the errors of rounding, counted while the distribution was solved.
    pub rounding: RoundingErrorBound,
}

/// Solves the distribution of `graph`, with an error below 1e-12.
///
/// A contest that must end takes one sweep. The loops of one that may never end are solved
/// (`solve`).
///
/// The copies of a contest of copies are added one by one. This takes sums × copies × endings of
/// the part, where multiplying distributions with themselves would take sums × sums.
pub fn solve_graph_distribution(graph: &DieGraph) -> Distribution {
    solve_graph_unless_cancelled(graph, &NEVER_CANCELLED)
        .unwrap_or_else(|| unreachable!("nobody can ask it to stop"))
}

/// Solves the distribution like [`solve_graph_distribution`]. Returns `None` if `halt` was raised
/// before the end.
pub fn solve_graph_unless_cancelled(graph: &DieGraph, halt: &CancelToken) -> Option<Distribution> {
    solve_announcing_slow_loops(graph, halt, &mut |_| {})
}

/// Solves the distribution like [`solve_graph_unless_cancelled`]; `note_loop` is called with the
/// number of vertices of a loop that will take long.
pub fn solve_announcing_slow_loops(
    graph: &DieGraph,
    halt: &CancelToken,
    note_loop: &mut dyn FnMut(usize),
) -> Option<Distribution> {
    if let Some(repeated) = graph.copied_part_and_sums() {
        return solve_sum_of_copies(graph, repeated, halt);
    }
    if !graph.next_vertex_by_loop_head().is_empty() {
        return solve_loops::solve_graph_with_loops(graph, halt, note_loop)
            .map(distribution_from_solution);
    }
    Some(solve_graph_without_loops(graph))
}

fn solve_graph_without_loops(graph: &DieGraph) -> Distribution {
    let mut mass = vec![ProbabilityWithRoundings::default(); graph.vertex_count()];
    mass[graph.start_vertex() as usize] = ProbabilityWithRoundings::ONE;
    let underflows = propagate_counting_underflows(graph, &mut mass);
    let (probabilities, roundings) =
        values_and_most_roundings(mass[..graph.endings().len()].iter().copied());
    let (tallies, tally_means) = tally_moments::tally_moments_by_counter(graph).into_iter().unzip();
    let absolute = underflow_error(underflows);
    Distribution {
        probabilities,
        tallies,
        rounding: RoundingErrorBound { roundings, absolute, tally_means },
        ..Distribution::default()
    }
}

fn distribution_from_solution(solution: solve_loops::GraphEndingProbabilities) -> Distribution {
    let solve_loops::GraphEndingProbabilities {
        probabilities,
        unsettled,
        never,
        bound,
        steps,
        tallies,
        rounding,
    } = solution;
    Distribution {
        probabilities,
        unsettled,
        never,
        bound,
        steps,
        tallies,
        tally_figures: Vec::new(),
        rounding,
    }
}

fn solve_sum_of_copies(
    graph: &DieGraph,
    repeated: &CopiedPartAndSums,
    halt: &CancelToken,
) -> Option<Distribution> {
    let part = solve_graph_unless_cancelled(&repeated.part, halt)?;
    let (sums, underflows) = distribution_of_copies_sum(repeated, &part, halt)?;
    let mut endings = vec![ProbabilityWithRoundings::default(); graph.endings().len()];
    for (&place, mass) in repeated.ending_vertex_by_sum().iter().zip(sums) {
        endings[place as usize] += mass;
    }
    let (probabilities, roundings) = values_and_most_roundings(endings.into_iter());
    let count = f64::from(repeated.count);
    // Each copy adds its own error, and the whole is at most 1.
    let absolute = count * part.rounding.absolute + underflow_error(underflows);
    let tallies: Vec<TallyMoments> =
        part.tallies.into_iter().map(|one| one.moments_of_copies_sum(repeated.count)).collect();
    let tally_means = part.rounding.tally_means.iter().zip(&tallies);
    let tally_means =
        tally_means.map(|(error, sum)| count * error + f64::EPSILON * sum.mean.abs()).collect();
    Some(Distribution {
        probabilities,
        tallies,
        rounding: RoundingErrorBound { roundings, absolute, tally_means },
        ..Distribution::default()
    })
}

/// Computes the probability of each sum of the copies, and counts the numbers below the normal
/// ones. Returns `None` if `halt` was raised.
fn distribution_of_copies_sum(
    repeated: &CopiedPartAndSums,
    part: &Distribution,
    halt: &CancelToken,
) -> Option<(Vec<ProbabilityWithRoundings>, u64)> {
    let (roundings, mut underflows) = (part.rounding.roundings, 0);
    let mut mass = vec![ProbabilityWithRoundings::default(); repeated.sum_count()];
    mass[0] = ProbabilityWithRoundings::ONE;
    // Sums above this one have not been reached.
    let mut highest = 0;
    for _ in 0..repeated.count {
        if halt.is_cancelled() {
            return None;
        }
        for sum in (0..=highest).rev() {
            let here = std::mem::take(&mut mass[sum]);
            if here.value == 0.0 {
                continue;
            }
            for (&next, &value) in repeated.next_sums_after(sum).iter().zip(&part.probabilities) {
                let more = here.multiply(ProbabilityWithRoundings { value, roundings });
                underflows += u64::from(value > 0.0 && more.is_below_normal());
                mass[next as usize] += more;
                highest = highest.max(next as usize);
            }
        }
    }
    Some((mass, underflows))
}

/// Moves the probability of every node along its branches, and returns the number of nodes whose
/// share was below the normal numbers.
fn propagate_counting_underflows(graph: &DieGraph, mass: &mut [ProbabilityWithRoundings]) -> u64 {
    let first = graph.first_node_vertex();
    let mut underflows = 0;
    for (index, node) in graph.nodes().enumerate().rev() {
        let here = std::mem::take(&mut mass[first + index]);
        if here.value == 0.0 {
            continue;
        }
        let share = here.divide_by_sides(node.sides);
        underflows += u64::from(share.is_below_normal());
        for branch in node.branches {
            mass[branch.to as usize] += share.multiply_by_faces(branch.faces);
        }
    }
    underflows
}

impl Distribution {
    /// Returns the value of the measure at position `index` of the combat's measures, as
    /// [`compute_measure_value`] computes it.
    pub fn measure_value(
        &self,
        endings: &[Ending],
        index: usize,
        head: &MeasureHead,
    ) -> Option<f64> {
        if let MeasureKind::Tally(counter) = head.kind {
            let tallied = self.tallies.get(usize::from(counter))?;
            // A sum that is tallied for ever has no mean.
            return Some(tallied.mean * head.scale.to_f64()).filter(|mean| mean.is_finite());
        }
        if let MeasureKind::Tallied(..) = head.kind {
            return Some(self.tally_figure_value(index)?.value * head.scale.to_f64());
        }
        if is_undefined_if_endless(head, self.never > 0.0) {
            return None;
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        if head.is_conditional()
            && self.unsettled > MAX_UNFINISHED_FOR_MEAN * restrict_to_condition(law.clone())?.1
        {
            return None;
        }
        compute_measure_value(head, law, self.unfinished_probability())
    }

    fn tally_figure_value(&self, index: usize) -> Option<Approximation> {
        self.tally_figures.iter().find(|(measure, _)| *measure == index).map(|(_, figure)| *figure)
    }

    /// Returns the value of the measure at position `index` with a bound of its error.
    pub fn measure_with_error_bound(
        &self,
        endings: &[Ending],
        index: usize,
        head: &MeasureHead,
    ) -> Option<Approximation> {
        let value = self.measure_value(endings, index, head)?;
        let error = match head.kind {
            MeasureKind::Tally(counter) => {
                self.tally_mean_error(counter.into())? * head.scale.to_f64()
            }
            MeasureKind::Tallied(..) => self.tally_figure_value(index)?.error * head.scale.to_f64(),
            _ => self.error_of_unscaled_measure(endings, index, head),
        };
        Some(Approximation::new(value, error + scaling_error(head.scale, value)))
    }

    /// Returns a bound of the error of a measure of the endings, before it is scaled.
    fn error_of_unscaled_measure(
        &self,
        endings: &[Ending],
        index: usize,
        head: &MeasureHead,
    ) -> f64 {
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        // What never ends has no event, and meets no condition: that is determined.
        let error = measure_error_bound(head, law, self.unsettled, &self.rounding);
        // The chance of what happens in every trial that ends is computed from that of never ending.
        let never = self.never > 0.0 && !head.is_conditional();
        let least = if never { self.rounding.absolute + f64::EPSILON } else { 0.0 };
        error.max(least)
    }

    /// Returns a bound of the error of the probability of the ending at `place`.
    pub fn error_of_ending(&self, place: usize) -> f64 {
        self.rounding.error_of_probability(self.probabilities.get(place).copied().unwrap_or(0.0))
    }

    /// Returns a bound of the error of the mean of a tally.
    fn tally_mean_error(&self, counter: usize) -> Option<f64> {
        if let Some(error) = self.rounding.tally_means.get(counter) {
            return Some(*error);
        }
        // The mean of a tally, of either sign, is at most the root of its mean square.
        let TallyMoments { mean, variance, .. } = self.tallies.get(counter)?;
        Some(COMPUTED_RELATIVE_ERROR * (variance + mean * mean).sqrt())
    }

    /// Returns the probability of not being over, now or ever.
    pub fn unfinished_probability(&self) -> f64 {
        self.unsettled + self.never
    }

    /// Returns the probability of the ending at `place`.
    pub fn probability_of_ending(&self, place: VertexId) -> f64 {
        self.probabilities[place as usize]
    }
}
