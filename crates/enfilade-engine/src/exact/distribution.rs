//! Probabilities as `f64`.

use super::convergence::MAX_UNFINISHED_FOR_MEAN;
use super::measure_value::{
    compute_measure_value, is_undefined_if_endless, measure_error_bound, restrict_to_condition,
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
}

/// Solves the distribution of `graph`, with an error below 1e-12.
///
/// A contest that must end takes one sweep. The loops of one that may never end are solved
/// (`solve`).
///
/// The copies of a contest of copies are added one by one. This takes sums × copies × endings of
/// the part, where multiplying distributions with themselves would take sums × sums.
pub fn solve_graph_distribution(graph: &DieGraph) -> Distribution {
    try_solve_graph_distribution(graph, &NEVER_CANCELLED)
        .unwrap_or_else(|| unreachable!("nobody can ask it to stop"))
}

/// Solves the distribution like [`solve_graph_distribution`]. Returns `None` if `halt` was raised
/// before the end.
pub fn try_solve_graph_distribution(graph: &DieGraph, halt: &CancelToken) -> Option<Distribution> {
    solve_and_note_slow_loops(graph, halt, &mut |_| {})
}

/// Solves the distribution like [`try_solve_graph_distribution`]; `note_loop` is called with the
/// number of vertices of a loop that will take long.
pub fn solve_and_note_slow_loops(
    graph: &DieGraph,
    halt: &CancelToken,
    note_loop: &mut dyn FnMut(usize),
) -> Option<Distribution> {
    if let Some(repeated) = graph.copied_part_and_sums() {
        return solve_copies_distribution(graph, repeated, halt);
    }
    if !graph.next_vertex_by_loop_head().is_empty() {
        return solve_loops::solve_graph_with_loops(graph, halt, note_loop)
            .map(distribution_from_solution);
    }
    let mut mass = vec![0.0; graph.vertex_count()];
    mass[graph.start_vertex() as usize] = 1.0;
    propagate_through_nodes(graph, &mut mass);
    mass.truncate(graph.endings().len());
    Some(Distribution {
        probabilities: mass,
        tallies: tally_moments::tally_moments_by_counter(graph),
        ..Distribution::default()
    })
}

fn distribution_from_solution(solution: solve_loops::GraphProbabilities) -> Distribution {
    let solve_loops::GraphProbabilities { probabilities, unsettled, never, bound, steps, tallies } =
        solution;
    Distribution {
        probabilities,
        unsettled,
        never,
        bound,
        steps,
        tallies,
        tally_figures: Vec::new(),
    }
}

fn solve_copies_distribution(
    graph: &DieGraph,
    repeated: &CopiedPartAndSums,
    halt: &CancelToken,
) -> Option<Distribution> {
    let Distribution { probabilities: part, tallies, .. } =
        try_solve_graph_distribution(&repeated.part, halt)?;
    let together = |one: TallyMoments| one.moments_of_copies_sum(repeated.count);
    let mut mass = vec![0.0; repeated.sum_count()];
    mass[0] = 1.0;
    // Sums above this one have not been reached.
    let mut highest = 0;
    for _ in 0..repeated.count {
        if halt.is_cancelled() {
            return None;
        }
        for sum in (0..=highest).rev() {
            let here = std::mem::take(&mut mass[sum]);
            if here == 0.0 {
                continue;
            }
            for (&next, share) in repeated.next_sum_by_ending(sum).iter().zip(&part) {
                mass[next as usize] += here * share;
                highest = highest.max(next as usize);
            }
        }
    }
    let mut probabilities = vec![0.0; graph.endings().len()];
    for (&place, mass) in repeated.ending_vertex_by_sum().iter().zip(mass) {
        probabilities[place as usize] += mass;
    }
    Some(Distribution {
        probabilities,
        tallies: tallies.into_iter().map(together).collect(),
        ..Distribution::default()
    })
}

/// Moves the probability of every node along its branches.
pub(super) fn propagate_through_nodes(graph: &DieGraph, mass: &mut [f64]) {
    let first = graph.first_node_vertex();
    for (index, node) in graph.nodes().enumerate().rev() {
        let here = std::mem::take(&mut mass[first + index]);
        if here == 0.0 {
            continue;
        }
        let share = here / f64::from(node.sides);
        for branch in node.branches {
            mass[branch.to as usize] += share * f64::from(branch.faces);
        }
    }
}

impl Distribution {
    /// Returns the value of the measure at position `index` of the combat's measures, as
    /// [`compute_measure_value`] computes it.
    pub fn exact_measure_value(
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
        let value = self.exact_measure_value(endings, index, head)?;
        if let MeasureKind::Tally(counter) = head.kind {
            // The mean of a tally, of either sign, is at most the root of its mean square.
            let TallyMoments { mean, variance, .. } = self.tallies.get(usize::from(counter))?;
            let size = (variance + mean * mean).sqrt() * head.scale.to_f64();
            return Some(Approximation::new(value, COMPUTED_RELATIVE_ERROR * size));
        }
        if let MeasureKind::Tallied(..) = head.kind {
            let error = self.tally_figure_value(index)?.error * head.scale.to_f64();
            return Some(Approximation::new(value, error));
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        // What never ends meets no condition.
        let open =
            if head.is_conditional() { self.unsettled } else { self.unfinished_probability() };
        Some(Approximation::new(value, measure_error_bound(head, law, open)))
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
