//! Solver of loops that have an exit: the distribution of a contest that may never end, without
//! counting rounds.
//!
//! The vertices of the graph form groups that lead to each other and only onwards. A single vertex
//! is pushed; a loop is a system of linear equations for the number of visits of each of its
//! vertices, reduced without a subtraction ([`LoopElimination`](crate::graph::LoopElimination)). So
//! the result is correct to nearly all digits, however rarely the contest ends, and probability in
//! a loop without an exit is `never`, separate from the merely unfinished part.

mod dense_block;
mod double_double;
mod fraction_solver;
mod loop_numbering;
mod loop_solver;
mod round_iteration;
mod tally_powers;

use super::convergence::MAX_LOOP_ROUNDS;
use super::rounding_error::RoundingErrorBound;
use super::tally_moments::TallyMoments;
use crate::cancel::CancelToken;
use crate::graph::{
    Condensation, DieGraph, LoopLinearSystem, LoopSystemNumber, VertexGroup, VertexId,
};
use double_double::DoubleDouble;
pub(crate) use loop_numbering::LoopVertexNumbering;
pub(crate) use loop_solver::EliminatedLoop;
use tally_powers::TallyMomentsByVertex;

pub(super) use fraction_solver::{FractionOddsAndTallyMeans, solve_loops_in_fractions};

/// Number of vertices of a loop from which on the caller is notified.
const MIN_REPORTED_VERTICES: usize = 1 << 14;

/// Solution of a graph with loop heads.
pub(super) struct GraphEndingProbabilities {
    /// Probability by ending.
    pub(super) probabilities: Vec<f64>,
    pub(super) unsettled: f64,
    pub(super) never: f64,
    pub(super) bound: f64,
    pub(super) steps: f64,
    /// Moments by counter.
    pub(super) tallies: Vec<TallyMoments>,
    pub(super) rounding: RoundingErrorBound,
}

/// Relative error of a quotient, its product and its sum with twice the digits, rounded up: 2⁻¹⁰².
const DOUBLE_DOUBLE_ERROR: f64 = 4.0 * f64::EPSILON * f64::EPSILON;

/// Number of roundings of a probability that is computed with twice the digits: when it becomes a
/// number of 64 bits, and one for all before, of which there are less than 2⁴⁹.
const DOUBLE_DOUBLE_ROUNDINGS: u64 = 2;

/// Solves the distribution of a graph with loop heads. `note_loop` is called with the number of
/// vertices of loops that take long. Returns `None` if `halt` was raised.
pub(super) fn solve_graph_with_loops(
    graph: &DieGraph,
    halt: &CancelToken,
    note_loop: &mut dyn FnMut(usize),
) -> Option<GraphEndingProbabilities> {
    Some(propagate_through_loops(graph, halt, note_loop)?.into_probabilities())
}

/// Result of a graph, with or without loop heads: the powers by ending, for each counter that
/// tallies anything.
pub(crate) struct PowersByCounterAndEnding {
    pub(crate) powers: Vec<(u8, Vec<[f64; 5]>)>,
}

pub(crate) fn solve_powers_of_all_tallies(
    graph: &DieGraph,
    halt: &CancelToken,
) -> Option<PowersByCounterAndEnding> {
    let pushing = propagate_through_loops(graph, halt, &mut |_| {})?;
    Some(PowersByCounterAndEnding { powers: pushing.tally_powers.into_powers_by_ending() })
}

fn propagate_through_loops<'a>(
    graph: &'a DieGraph,
    halt: &'a CancelToken,
    note_loop: &mut dyn FnMut(usize),
) -> Option<LoopwisePropagation<'a>> {
    let condensed = Condensation::from_graph(graph);
    let mut pushing = LoopwisePropagation::new(graph, halt);
    for group in condensed.groups(graph) {
        if halt.is_cancelled() {
            return None;
        }
        match group {
            VertexGroup::Alone(place) => pushing.propagate_vertex(place),
            VertexGroup::Loop(places) => {
                if places.len() >= MIN_REPORTED_VERTICES {
                    note_loop(places.len());
                }
                pushing.solve_loop_vertices(places)?;
            }
        }
    }
    Some(pushing)
}

/// Propagation of probability through the groups.
struct LoopwisePropagation<'a> {
    graph: &'a DieGraph,
    halt: &'a CancelToken,
    local: LoopVertexNumbering<'a>,
    mass: Vec<DoubleDouble>,
    tally_powers: TallyMomentsByVertex<'a>,
    never: DoubleDouble,
    unsettled: f64,
    bound: f64,
    /// Number of roundings of probabilities that passed a loop that was swept round by round.
    sweep_roundings: u64,
    steps: f64,
}

impl<'a> LoopwisePropagation<'a> {
    fn new(graph: &'a DieGraph, halt: &'a CancelToken) -> Self {
        let mut mass = vec![DoubleDouble::ZERO; graph.vertex_count()];
        mass[graph.start_vertex() as usize] = DoubleDouble::from_f64(1.0);
        let (local, tallied) = (LoopVertexNumbering::new(graph), TallyMomentsByVertex::new(graph));
        let never = DoubleDouble::ZERO;
        LoopwisePropagation {
            graph,
            halt,
            local,
            mass,
            tally_powers: tallied,
            never,
            unsettled: 0.0,
            bound: 0.0,
            sweep_roundings: 0,
            steps: 0.0,
        }
    }

    fn propagate_vertex(&mut self, place: VertexId) {
        let here = std::mem::take(&mut self.mass[place as usize]);
        self.tally_powers.propagate_vertex(place, here.to_f64());
        let (sides, faces) = self.graph.sides_and_targets(place);
        let each = here.divide_by_integer(sides);
        for (to, faces) in faces {
            let sum = &mut self.mass[to as usize];
            *sum = *sum + each.multiply_by_integer(faces);
        }
    }

    /// Solves a loop. Returns `None` if the work was cancelled.
    fn solve_loop_vertices(&mut self, places: &[VertexId]) -> Option<()> {
        let take = |place: &VertexId| std::mem::take(&mut self.mass[*place as usize]);
        let inflow: Vec<DoubleDouble> = places.iter().map(take).collect();
        self.local.number_loop_vertices(places);
        let system: LoopLinearSystem<f64> = self.local.build_loop_equations(places);
        if system.has_exit() {
            self.solve_loop_with_exits(places, &inflow, system)?;
        } else {
            // Nothing that enters ever ends, so the visits are infinite and need no solution.
            let all = inflow.iter().fold(DoubleDouble::ZERO, |sum, here| sum + *here);
            self.never = self.never + all;
            self.tally_powers.mark_trials_as_endless(places);
        }
        self.local.clear_loop_numbers(places);
        Some(())
    }

    fn solve_loop_with_exits(
        &mut self,
        places: &[VertexId],
        inflow: &[DoubleDouble],
        system: LoopLinearSystem<f64>,
    ) -> Option<()> {
        let first: Vec<f64> = inflow.iter().map(|inflow| inflow.to_f64()).collect();
        let solver = EliminatedLoop::eliminate_loop_vertices(system, self.halt);
        let solved = solver.and_then(|mut solver| {
            let visits = solver.expected_visits_from_inflow(first.clone())?;
            Some((self.refine_visits(places, inflow, visits, &mut solver), solver))
        });
        if self.halt.is_cancelled() {
            return None;
        }
        match solved {
            Some((visits, mut solver)) => {
                self.bound += self.bound_ending_error(places, inflow, &visits);
                self.propagate_loop_outflow(places, &visits);
                let visits: Vec<f64> = visits.iter().map(|visits| visits.to_f64()).collect();
                self.tally_powers.propagate_through_loop(places, &self.local, visits, &mut solver)
            }
            None => self.iterate_loop_rounds(places, inflow),
        }
    }

    /// Computes the part of `inflow` that these visits do not explain: 0 if they are correct.
    fn unexplained_inflow(
        &self,
        places: &[VertexId],
        inflow: &[DoubleDouble],
        visits: &[DoubleDouble],
    ) -> Vec<DoubleDouble> {
        // With twice the digits: of nearly equal numbers, single ones would leave rounding alone.
        let left = inflow.iter().zip(visits).map(|(inflow, visits)| *inflow - *visits);
        let mut left: Vec<DoubleDouble> = left.collect();
        for (&place, visits) in places.iter().zip(visits) {
            let (sides, faces) = self.graph.sides_and_targets(place);
            let each = visits.divide_by_integer(sides);
            for (to, faces) in faces {
                if let Some(to) = self.local.index_within_loop(to) {
                    left[to as usize] = left[to as usize] + each.multiply_by_integer(faces);
                }
            }
        }
        left
    }

    /// Bounds the error of any probability: no vertex contributes more than 1 to any ending.
    fn bound_ending_error(
        &self,
        places: &[VertexId],
        inflow: &[DoubleDouble],
        visits: &[DoubleDouble],
    ) -> f64 {
        let residual = self.unexplained_inflow(places, inflow, visits);
        let size: f64 = residual.iter().map(|left| left.to_f64().abs()).sum();
        // Each of the residual's own additions is off by its part of the visits at its target.
        let mut rounded: f64 = visits.iter().map(|visits| visits.to_f64()).sum();
        for &place in places {
            let (_, faces) = self.graph.sides_and_targets(place);
            let inside = faces.filter_map(|(to, _)| self.local.index_within_loop(to));
            rounded += inside.map(|to| visits[to as usize].to_f64()).sum::<f64>();
        }
        size + DOUBLE_DOUBLE_ERROR * rounded
    }

    /// Refines the visits by solving their residual once more.
    fn refine_visits(
        &self,
        places: &[VertexId],
        inflow: &[DoubleDouble],
        visits: Vec<f64>,
        solver: &mut EliminatedLoop<'_>,
    ) -> Vec<DoubleDouble> {
        let visits: Vec<DoubleDouble> = visits.into_iter().map(DoubleDouble::from_f64).collect();
        let residual = self.unexplained_inflow(places, inflow, &visits);
        let residual: Vec<f64> = residual.iter().map(|left| left.to_f64()).collect();
        match solver.visits_from_signed_inflow(&residual) {
            Some(more) => visits
                .iter()
                .zip(more)
                .map(|(visits, more)| *visits + DoubleDouble::from_f64(more))
                .collect(),
            None => visits,
        }
    }

    /// Pushes the outflow of a loop.
    fn propagate_loop_outflow(&mut self, places: &[VertexId], visits: &[DoubleDouble]) {
        for (&place, visits) in places.iter().zip(visits) {
            self.steps += visits.to_f64();
            let (sides, faces) = self.graph.sides_and_targets(place);
            let each = visits.divide_by_integer(sides);
            for (to, faces) in faces {
                if self.local.index_within_loop(to).is_none() {
                    let sum = &mut self.mass[to as usize];
                    *sum = *sum + each.multiply_by_integer(faces);
                }
            }
        }
    }

    /// Sweeps a loop that no other method solves, step by step, up to the limit of rounds.
    fn iterate_loop_rounds(&mut self, places: &[VertexId], inflow: &[DoubleDouble]) -> Option<()> {
        let mut waits: Vec<f64> = inflow.iter().map(|inflow| inflow.to_f64()).collect();
        let mut visits = vec![0.0; places.len()];
        for _ in 0..MAX_LOOP_ROUNDS {
            if self.halt.is_cancelled() {
                return None;
            }
            let mut next = vec![0.0; places.len()];
            for (at, &place) in places.iter().enumerate() {
                visits[at] += waits[at];
                let (sides, faces) = self.graph.sides_and_targets(place);
                for (to, faces) in faces {
                    if let Some(to) = self.local.index_within_loop(to) {
                        next[to as usize] += waits[at] * f64::from_faces(faces, sides);
                    }
                }
            }
            waits = next;
        }
        self.unsettled += waits.iter().sum::<f64>();
        self.sweep_roundings += u64::from(MAX_LOOP_ROUNDS) * (4 + self.most_edges_into(places));
        let visits: Vec<DoubleDouble> = visits.into_iter().map(DoubleDouble::from_f64).collect();
        self.propagate_loop_outflow(places, &visits);
        self.tally_powers.mark_trials_as_endless(places);
        Some(())
    }

    /// Returns the largest number of edges of a loop that lead to one vertex of it.
    fn most_edges_into(&self, places: &[VertexId]) -> u64 {
        let mut edges = vec![0; places.len()];
        for &place in places {
            let (_, faces) = self.graph.sides_and_targets(place);
            let inside = faces.filter_map(|(to, _)| self.local.index_within_loop(to));
            inside.for_each(|to| edges[to as usize] += 1);
        }
        edges.into_iter().max().unwrap_or(0)
    }

    fn into_probabilities(self) -> GraphEndingProbabilities {
        let endings = self.graph.endings().len();
        let probabilities = self.mass[..endings].iter().map(|mass| mass.to_f64()).collect();
        let (tallies, tally_means) =
            self.tally_powers.into_moments_by_counter().into_iter().unzip();
        let roundings = DOUBLE_DOUBLE_ROUNDINGS + self.sweep_roundings;
        GraphEndingProbabilities {
            probabilities,
            unsettled: self.unsettled,
            never: self.never.to_f64(),
            // Each number is rounded once, when it becomes one of 64 bits.
            bound: self.bound + f64::EPSILON / 2.0,
            steps: self.steps,
            tallies,
            rounding: RoundingErrorBound { roundings, absolute: self.bound, tally_means },
        }
    }
}
