//! Solver of loops that have an exit: the distribution of a contest that may never end, without
//! counting rounds.
//!
//! The vertices of the graph form groups that lead to each other and only onwards. A single vertex
//! is pushed; a loop is a system of linear equations for the number of visits of each of its
//! vertices, reduced without a subtraction ([`Reduction`](crate::graph::Reduction)). So the result
//! is correct to nearly all digits, however rarely the contest ends, and probability in a loop
//! without an exit is `never`, separate from the merely unfinished part.

mod dense;
mod local;
mod pair;
mod rounds;
mod solver;
mod tallied;
mod whole;

use super::convergence::MAX_ROUNDS;
use super::tally_moments::Moments;
use crate::cancel::Halt;
use crate::graph::{Condensed, DieGraph, Group, Number, Place, System};
pub(crate) use local::Local;
use pair::Pair;
pub(crate) use solver::Solver;
use tallied::Tallied;

pub(super) use whole::{Fractions, fractions};

/// Number of vertices of a loop from which on the caller is notified.
const LARGE: usize = 1 << 14;

/// Solution of a graph with loop heads.
pub(super) struct Solved {
    /// Probability by ending.
    pub(super) probabilities: Vec<f64>,
    pub(super) unsettled: f64,
    pub(super) never: f64,
    pub(super) bound: f64,
    pub(super) steps: f64,
    /// Moments by counter.
    pub(super) tallies: Vec<Moments>,
}

/// Solves the distribution of a graph with loop heads. `seen` is called with the number of vertices
/// of loops that take long. Returns `None` if `halt` was raised.
pub(super) fn law(graph: &DieGraph, halt: &Halt, seen: &mut dyn FnMut(usize)) -> Option<Solved> {
    Some(all_pushed(graph, halt, seen)?.law())
}

/// Result of a graph, with or without loop heads: the powers by ending, for each counter that
/// tallies anything.
pub(crate) struct Pushed {
    pub(crate) powers: Vec<(u8, Vec<[f64; 5]>)>,
}

pub(crate) fn pushed(graph: &DieGraph, halt: &Halt) -> Option<Pushed> {
    let pushing = all_pushed(graph, halt, &mut |_| {})?;
    Some(Pushed { powers: pushing.tallied.by_ending() })
}

fn all_pushed<'a>(
    graph: &'a DieGraph,
    halt: &'a Halt,
    seen: &mut dyn FnMut(usize),
) -> Option<Pushing<'a>> {
    let condensed = Condensed::of(graph);
    let mut pushing = Pushing::new(graph, halt);
    for group in condensed.groups(graph) {
        if halt.asked() {
            return None;
        }
        match group {
            Group::Alone(place) => pushing.alone(place),
            Group::Loop(places) => {
                if places.len() >= LARGE {
                    seen(places.len());
                }
                pushing.together(places)?;
            }
        }
    }
    Some(pushing)
}

/// Propagation of probability through the groups.
struct Pushing<'a> {
    graph: &'a DieGraph,
    halt: &'a Halt,
    local: Local<'a>,
    mass: Vec<Pair>,
    tallied: Tallied<'a>,
    never: Pair,
    unsettled: f64,
    bound: f64,
    steps: f64,
}

impl<'a> Pushing<'a> {
    fn new(graph: &'a DieGraph, halt: &'a Halt) -> Self {
        let mut mass = vec![Pair::NOTHING; graph.places()];
        mass[graph.start() as usize] = Pair::of(1.0);
        let (local, tallied) = (Local::new(graph), Tallied::new(graph));
        let never = Pair::NOTHING;
        Pushing { graph, halt, local, mass, tallied, never, unsettled: 0.0, bound: 0.0, steps: 0.0 }
    }

    fn alone(&mut self, place: Place) {
        let here = std::mem::take(&mut self.mass[place as usize]);
        self.tallied.alone(place, here.to_f64());
        let (sides, faces) = self.graph.faces(place);
        let each = here.over(sides);
        for (to, faces) in faces {
            let sum = &mut self.mass[to as usize];
            *sum = *sum + each.times(faces);
        }
    }

    /// Solves a loop. Returns `None` if the work was cancelled.
    fn together(&mut self, places: &[Place]) -> Option<()> {
        let take = |place: &Place| std::mem::take(&mut self.mass[*place as usize]);
        let comes: Vec<Pair> = places.iter().map(take).collect();
        self.local.enter(places);
        let system: System<f64> = self.local.system(places);
        if system.is_left() {
            self.left(places, &comes, system)?;
        } else {
            let all = comes.iter().fold(Pair::NOTHING, |sum, here| sum + *here);
            self.never = self.never + all;
            self.tallied.never(places);
        }
        self.local.leave(places);
        Some(())
    }

    fn left(&mut self, places: &[Place], comes: &[Pair], system: System<f64>) -> Option<()> {
        let first: Vec<f64> = comes.iter().map(|comes| comes.to_f64()).collect();
        let solver = Solver::of(system, self.halt);
        let solved = solver.and_then(|mut solver| {
            let visits = solver.visits(first.clone())?;
            Some((self.refined(places, comes, visits, &mut solver), solver))
        });
        if self.halt.asked() {
            return None;
        }
        match solved {
            Some((visits, mut solver)) => {
                self.bound += self.size_of_residual(places, comes, &visits);
                self.push_out(places, &visits);
                let visits: Vec<f64> = visits.iter().map(|visits| visits.to_f64()).collect();
                self.tallied.together(places, &self.local, visits, &mut solver)
            }
            None => self.counted_out(places, comes),
        }
    }

    /// Computes the part of `comes` that these visits do not explain: 0 if they are correct.
    fn residual(&self, places: &[Place], comes: &[Pair], visits: &[Pair]) -> Vec<Pair> {
        let left = comes.iter().zip(visits).map(|(comes, visits)| *comes - *visits);
        let mut left: Vec<Pair> = left.collect();
        for (&place, visits) in places.iter().zip(visits) {
            let (sides, faces) = self.graph.faces(place);
            let each = visits.over(sides);
            for (to, faces) in faces {
                if let Some(to) = self.local.number(to) {
                    left[to as usize] = left[to as usize] + each.times(faces);
                }
            }
        }
        left
    }

    /// Bounds the error of any probability: no vertex contributes more than 1 to any ending.
    fn size_of_residual(&self, places: &[Place], comes: &[Pair], visits: &[Pair]) -> f64 {
        let residual = self.residual(places, comes, visits);
        residual.iter().fold(0.0, |sum, left| sum + left.to_f64().abs())
    }

    /// Refines the visits by solving their residual once more.
    fn refined(
        &self,
        places: &[Place],
        comes: &[Pair],
        visits: Vec<f64>,
        solver: &mut Solver<'_>,
    ) -> Vec<Pair> {
        let visits: Vec<Pair> = visits.into_iter().map(Pair::of).collect();
        let residual = self.residual(places, comes, &visits);
        let residual: Vec<f64> = residual.iter().map(|left| left.to_f64()).collect();
        match solver.signed(&residual) {
            Some(more) => {
                visits.iter().zip(more).map(|(visits, more)| *visits + Pair::of(more)).collect()
            }
            None => visits,
        }
    }

    /// Pushes the outflow of a loop.
    fn push_out(&mut self, places: &[Place], visits: &[Pair]) {
        for (&place, visits) in places.iter().zip(visits) {
            self.steps += visits.to_f64();
            let (sides, faces) = self.graph.faces(place);
            let each = visits.over(sides);
            for (to, faces) in faces {
                if self.local.number(to).is_none() {
                    let sum = &mut self.mass[to as usize];
                    *sum = *sum + each.times(faces);
                }
            }
        }
    }

    /// Sweeps a loop that no other method solves, step by step, up to the limit of rounds.
    fn counted_out(&mut self, places: &[Place], comes: &[Pair]) -> Option<()> {
        let mut waits: Vec<f64> = comes.iter().map(|comes| comes.to_f64()).collect();
        let mut visits = vec![0.0; places.len()];
        for _ in 0..MAX_ROUNDS {
            if self.halt.asked() {
                return None;
            }
            let mut next = vec![0.0; places.len()];
            for (at, &place) in places.iter().enumerate() {
                visits[at] += waits[at];
                let (sides, faces) = self.graph.faces(place);
                for (to, faces) in faces {
                    if let Some(to) = self.local.number(to) {
                        next[to as usize] += waits[at] * f64::of(faces, sides);
                    }
                }
            }
            waits = next;
        }
        self.unsettled += waits.iter().sum::<f64>();
        let visits: Vec<Pair> = visits.into_iter().map(Pair::of).collect();
        self.push_out(places, &visits);
        self.tallied.never(places);
        Some(())
    }

    fn law(self) -> Solved {
        let endings = self.graph.endings().len();
        let probabilities = self.mass[..endings].iter().map(|mass| mass.to_f64()).collect();
        Solved {
            probabilities,
            unsettled: self.unsettled,
            never: self.never.to_f64(),
            // Each number is rounded once, when it becomes one of 64 bits.
            bound: self.bound + f64::EPSILON / 2.0,
            steps: self.steps,
            tallies: self.tallied.moments(),
        }
    }
}
