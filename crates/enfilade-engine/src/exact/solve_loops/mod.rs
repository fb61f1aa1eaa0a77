//! Solver of loops that have an exit: the distribution of a contest that may never end, without
//! counting rounds.
//!
//! The vertices of the graph form groups that lead to each other and only onwards. A single vertex
//! is pushed; a loop is a system of linear equations for the number of visits of each of its
//! vertices, reduced without a subtraction ([`Reduction`](crate::graph::Reduction)). So the result
//! is correct to nearly all digits, however rarely the contest ends, and probability in a loop
//! without an exit is `never`, separate from the merely unfinished part.

mod dense_block;
mod double_double;
mod fraction_solver;
mod loop_numbering;
mod loop_solver;
mod round_iteration;
mod tally_powers;

use super::convergence::MAX_ROUNDS;
use super::tally_moments::TallyMoments;
use crate::cancel::CancelToken;
use crate::graph::{Condensation, DieGraph, LinearSystem, LoopNumber, PlaceGroup, VertexId};
use double_double::DoubleDouble;
pub(crate) use loop_numbering::LoopNumbering;
pub(crate) use loop_solver::LoopSolver;
use tally_powers::TallyPowers;

pub(super) use fraction_solver::{FractionDistribution, solve_fractions};

/// Number of vertices of a loop from which on the caller is notified.
const REPORTED_PLACES: usize = 1 << 14;

/// Solution of a graph with loop heads.
pub(super) struct GraphSolution {
    /// Probability by ending.
    pub(super) probabilities: Vec<f64>,
    pub(super) unsettled: f64,
    pub(super) never: f64,
    pub(super) bound: f64,
    pub(super) steps: f64,
    /// Moments by counter.
    pub(super) tallies: Vec<TallyMoments>,
}

/// Solves the distribution of a graph with loop heads. `seen` is called with the number of vertices
/// of loops that take long. Returns `None` if `halt` was raised.
pub(super) fn solve_graph(
    graph: &DieGraph,
    halt: &CancelToken,
    seen: &mut dyn FnMut(usize),
) -> Option<GraphSolution> {
    Some(propagate_all(graph, halt, seen)?.into_solution())
}

/// Result of a graph, with or without loop heads: the powers by ending, for each counter that
/// tallies anything.
pub(crate) struct GraphPowers {
    pub(crate) powers: Vec<(u8, Vec<[f64; 5]>)>,
}

pub(crate) fn propagate_powers(graph: &DieGraph, halt: &CancelToken) -> Option<GraphPowers> {
    let pushing = propagate_all(graph, halt, &mut |_| {})?;
    Some(GraphPowers { powers: pushing.tally_powers.into_powers() })
}

fn propagate_all<'a>(
    graph: &'a DieGraph,
    halt: &'a CancelToken,
    seen: &mut dyn FnMut(usize),
) -> Option<GraphPropagation<'a>> {
    let condensed = Condensation::from_graph(graph);
    let mut pushing = GraphPropagation::new(graph, halt);
    for group in condensed.groups(graph) {
        if halt.is_cancelled() {
            return None;
        }
        match group {
            PlaceGroup::Alone(place) => pushing.push_place(place),
            PlaceGroup::Loop(places) => {
                if places.len() >= REPORTED_PLACES {
                    seen(places.len());
                }
                pushing.solve_loop(places)?;
            }
        }
    }
    Some(pushing)
}

/// Propagation of probability through the groups.
struct GraphPropagation<'a> {
    graph: &'a DieGraph,
    halt: &'a CancelToken,
    local: LoopNumbering<'a>,
    mass: Vec<DoubleDouble>,
    tally_powers: TallyPowers<'a>,
    never: DoubleDouble,
    unsettled: f64,
    bound: f64,
    steps: f64,
}

impl<'a> GraphPropagation<'a> {
    fn new(graph: &'a DieGraph, halt: &'a CancelToken) -> Self {
        let mut mass = vec![DoubleDouble::ZERO; graph.vertex_count()];
        mass[graph.start() as usize] = DoubleDouble::from_f64(1.0);
        let (local, tallied) = (LoopNumbering::new(graph), TallyPowers::new(graph));
        let never = DoubleDouble::ZERO;
        GraphPropagation {
            graph,
            halt,
            local,
            mass,
            tally_powers: tallied,
            never,
            unsettled: 0.0,
            bound: 0.0,
            steps: 0.0,
        }
    }

    fn push_place(&mut self, place: VertexId) {
        let here = std::mem::take(&mut self.mass[place as usize]);
        self.tally_powers.push_place(place, here.to_f64());
        let (sides, faces) = self.graph.face_targets(place);
        let each = here.divide(sides);
        for (to, faces) in faces {
            let sum = &mut self.mass[to as usize];
            *sum = *sum + each.multiply(faces);
        }
    }

    /// Solves a loop. Returns `None` if the work was cancelled.
    fn solve_loop(&mut self, places: &[VertexId]) -> Option<()> {
        let take = |place: &VertexId| std::mem::take(&mut self.mass[*place as usize]);
        let comes: Vec<DoubleDouble> = places.iter().map(take).collect();
        self.local.enter_loop(places);
        let system: LinearSystem<f64> = self.local.build_system(places);
        if system.has_exit() {
            self.solve_with_exits(places, &comes, system)?;
        } else {
            // Nothing that enters ever ends, so the visits are infinite and need no solution.
            let all = comes.iter().fold(DoubleDouble::ZERO, |sum, here| sum + *here);
            self.never = self.never + all;
            self.tally_powers.mark_endless(places);
        }
        self.local.leave_loop(places);
        Some(())
    }

    fn solve_with_exits(
        &mut self,
        places: &[VertexId],
        comes: &[DoubleDouble],
        system: LinearSystem<f64>,
    ) -> Option<()> {
        let first: Vec<f64> = comes.iter().map(|comes| comes.to_f64()).collect();
        let solver = LoopSolver::reduce_system(system, self.halt);
        let solved = solver.and_then(|mut solver| {
            let visits = solver.solve_visits(first.clone())?;
            Some((self.refine_visits(places, comes, visits, &mut solver), solver))
        });
        if self.halt.is_cancelled() {
            return None;
        }
        match solved {
            Some((visits, mut solver)) => {
                self.bound += self.bound_residual(places, comes, &visits);
                self.push_out(places, &visits);
                let visits: Vec<f64> = visits.iter().map(|visits| visits.to_f64()).collect();
                self.tally_powers.push_loop(places, &self.local, visits, &mut solver)
            }
            None => self.run_rounds(places, comes),
        }
    }

    /// Computes the part of `comes` that these visits do not explain: 0 if they are correct.
    fn compute_residual(
        &self,
        places: &[VertexId],
        comes: &[DoubleDouble],
        visits: &[DoubleDouble],
    ) -> Vec<DoubleDouble> {
        // With twice the digits: of nearly equal numbers, single ones would leave rounding alone.
        let left = comes.iter().zip(visits).map(|(comes, visits)| *comes - *visits);
        let mut left: Vec<DoubleDouble> = left.collect();
        for (&place, visits) in places.iter().zip(visits) {
            let (sides, faces) = self.graph.face_targets(place);
            let each = visits.divide(sides);
            for (to, faces) in faces {
                if let Some(to) = self.local.index_of(to) {
                    left[to as usize] = left[to as usize] + each.multiply(faces);
                }
            }
        }
        left
    }

    /// Bounds the error of any probability: no vertex contributes more than 1 to any ending.
    fn bound_residual(
        &self,
        places: &[VertexId],
        comes: &[DoubleDouble],
        visits: &[DoubleDouble],
    ) -> f64 {
        let residual = self.compute_residual(places, comes, visits);
        residual.iter().fold(0.0, |sum, left| sum + left.to_f64().abs())
    }

    /// Refines the visits by solving their residual once more.
    fn refine_visits(
        &self,
        places: &[VertexId],
        comes: &[DoubleDouble],
        visits: Vec<f64>,
        solver: &mut LoopSolver<'_>,
    ) -> Vec<DoubleDouble> {
        let visits: Vec<DoubleDouble> = visits.into_iter().map(DoubleDouble::from_f64).collect();
        let residual = self.compute_residual(places, comes, &visits);
        let residual: Vec<f64> = residual.iter().map(|left| left.to_f64()).collect();
        match solver.solve_signed(&residual) {
            Some(more) => visits
                .iter()
                .zip(more)
                .map(|(visits, more)| *visits + DoubleDouble::from_f64(more))
                .collect(),
            None => visits,
        }
    }

    /// Pushes the outflow of a loop.
    fn push_out(&mut self, places: &[VertexId], visits: &[DoubleDouble]) {
        for (&place, visits) in places.iter().zip(visits) {
            self.steps += visits.to_f64();
            let (sides, faces) = self.graph.face_targets(place);
            let each = visits.divide(sides);
            for (to, faces) in faces {
                if self.local.index_of(to).is_none() {
                    let sum = &mut self.mass[to as usize];
                    *sum = *sum + each.multiply(faces);
                }
            }
        }
    }

    /// Sweeps a loop that no other method solves, step by step, up to the limit of rounds.
    fn run_rounds(&mut self, places: &[VertexId], comes: &[DoubleDouble]) -> Option<()> {
        let mut waits: Vec<f64> = comes.iter().map(|comes| comes.to_f64()).collect();
        let mut visits = vec![0.0; places.len()];
        for _ in 0..MAX_ROUNDS {
            if self.halt.is_cancelled() {
                return None;
            }
            let mut next = vec![0.0; places.len()];
            for (at, &place) in places.iter().enumerate() {
                visits[at] += waits[at];
                let (sides, faces) = self.graph.face_targets(place);
                for (to, faces) in faces {
                    if let Some(to) = self.local.index_of(to) {
                        next[to as usize] += waits[at] * f64::from_faces(faces, sides);
                    }
                }
            }
            waits = next;
        }
        self.unsettled += waits.iter().sum::<f64>();
        let visits: Vec<DoubleDouble> = visits.into_iter().map(DoubleDouble::from_f64).collect();
        self.push_out(places, &visits);
        self.tally_powers.mark_endless(places);
        Some(())
    }

    fn into_solution(self) -> GraphSolution {
        let endings = self.graph.endings().len();
        let probabilities = self.mass[..endings].iter().map(|mass| mass.to_f64()).collect();
        GraphSolution {
            probabilities,
            unsettled: self.unsettled,
            never: self.never.to_f64(),
            // Each number is rounded once, when it becomes one of 64 bits.
            bound: self.bound + f64::EPSILON / 2.0,
            steps: self.steps,
            tallies: self.tally_powers.into_moments(),
        }
    }
}
