//! Tallies through loops: their powers are further right-hand sides of the loop's system.

use super::super::tally_moments::{Moments, Powers, add, tallied};
use super::local::Local;
use super::solver::Solver;
use crate::graph::{DieGraph, Place};

/// Powers at each vertex, for each counter that is tallied.
pub(super) struct Tallied<'a> {
    graph: &'a DieGraph,
    counters: Vec<Counter>,
}

struct Counter {
    number: u8,
    at: Vec<Powers>,
    /// Powers of trials that never end.
    never: Powers,
    /// Whether unending trials tally for ever.
    unbounded: bool,
}

impl<'a> Tallied<'a> {
    pub(super) fn new(graph: &'a DieGraph) -> Self {
        let mut numbers: Vec<u8> = graph.tolls().iter().map(|toll| toll.counter).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let counter = |number| {
            let mut at = vec![[0.0; 5]; graph.places()];
            at[graph.start() as usize][0] = 1.0;
            Counter { number, at, never: [0.0; 5], unbounded: false }
        };
        Tallied { graph, counters: numbers.into_iter().map(counter).collect() }
    }

    /// Pushes the powers at a vertex with probability `mass`.
    pub(super) fn alone(&mut self, place: Place, mass: f64) {
        let graph = self.graph;
        for counter in &mut self.counters {
            let [_, powers @ ..] = std::mem::take(&mut counter.at[place as usize]);
            let [one, two, three, four] = powers;
            let here = counter.past_toll(graph, place, &[mass, one, two, three, four]);
            let (sides, faces) = graph.faces(place);
            for (to, faces) in faces {
                let share = f64::from(faces) / f64::from(sides);
                add(&mut counter.at[to as usize], &here, share);
            }
        }
    }

    /// Records trials that enter a loop without an exit.
    pub(super) fn never(&mut self, places: &[Place]) {
        let graph = self.graph;
        for counter in &mut self.counters {
            let mut all = [0.0; 5];
            for place in places {
                let here = std::mem::take(&mut counter.at[*place as usize]);
                add(&mut all, &here, 1.0);
            }
            add(&mut counter.never, &all, 1.0);
            let toll = |place: &Place| {
                graph.toll(*place).is_some_and(|toll| toll.counter == counter.number)
            };
            counter.unbounded |= all[0] > 0.0 && places.iter().any(toll);
        }
    }

    /// Pushes the powers through a loop whose vertices have these numbers of visits.
    pub(super) fn together(
        &mut self,
        places: &[Place],
        local: &Local<'_>,
        visits: Vec<f64>,
        solver: &mut Solver<'_>,
    ) -> Option<()> {
        let graph = self.graph;
        for counter in &mut self.counters {
            let at = &mut counter.at;
            let comes: Vec<Powers> =
                places.iter().map(|place| std::mem::take(&mut at[*place as usize])).collect();
            let mut here: Vec<Powers> =
                visits.iter().map(|visits| [*visits, 0.0, 0.0, 0.0, 0.0]).collect();
            for power in 1..5 {
                let mut comes: Vec<f64> = comes.iter().map(|comes| comes[power]).collect();
                // The part that a tally node adds to the lower powers enters at its target.
                for (at, &place) in places.iter().enumerate() {
                    let paid = counter.past_toll(graph, place, &here[at])[power];
                    let to = graph.lead(place, 0).and_then(|to| local.number(to));
                    if let Some(to) = to.filter(|_| paid != 0.0) {
                        comes[to as usize] += paid;
                    }
                }
                if comes.iter().any(|comes| *comes != 0.0) {
                    let found = solver.signed(&comes)?;
                    here.iter_mut().zip(found).for_each(|(here, found)| here[power] = found);
                }
            }
            counter.push_out(graph, places, local, &here);
        }
        Some(())
    }

    /// Returns the powers by ending, for each counter that is tallied.
    pub(super) fn by_ending(self) -> Vec<(u8, Vec<Powers>)> {
        let endings = self.graph.endings().len();
        let powers = |counter: Counter| (counter.number, counter.at[..endings].to_vec());
        self.counters.into_iter().map(powers).collect()
    }

    /// Returns the moments by counter of the combat.
    pub(super) fn moments(self) -> Vec<Moments> {
        let endings = self.graph.endings().len();
        let mut all = vec![Moments::default(); self.graph.counters()];
        for counter in self.counters {
            let mut sum = counter.never;
            counter.at[..endings].iter().for_each(|powers| add(&mut sum, powers, 1.0));
            let [_, powers @ ..] = sum;
            let moments = if counter.unbounded { Moments::UNBOUNDED } else { Moments::of(powers) };
            all[usize::from(counter.number)] = moments;
        }
        all
    }
}

impl Counter {
    /// Returns the powers behind a vertex: with its amount, if it is a tally node.
    fn past_toll(&self, graph: &DieGraph, place: Place, here: &Powers) -> Powers {
        match graph.toll(place) {
            Some(toll) if toll.counter == self.number => tallied(here, toll.amount as f64),
            _ => *here,
        }
    }

    fn push_out(&mut self, graph: &DieGraph, places: &[Place], local: &Local<'_>, here: &[Powers]) {
        for (&place, here) in places.iter().zip(here) {
            let here = self.past_toll(graph, place, here);
            let (sides, faces) = graph.faces(place);
            for (to, faces) in faces.filter(|(to, _)| local.number(*to).is_none()) {
                let share = f64::from(faces) / f64::from(sides);
                add(&mut self.at[to as usize], &here, share);
            }
        }
    }
}
