//! Tallies through loops: their powers are further right-hand sides of the loop's system.

use super::super::tally_moments::{PowerSums, TallyMoments, add_powers, shift_powers};
use super::loop_numbering::LoopNumbering;
use super::loop_solver::LoopSolver;
use crate::graph::{DieGraph, VertexId};

/// Powers at each vertex, for each counter that is tallied.
pub(super) struct TallyPowers<'a> {
    graph: &'a DieGraph,
    counters: Vec<CounterPowers>,
}

struct CounterPowers {
    number: u8,
    at: Vec<PowerSums>,
    /// Powers of trials that never end.
    never: PowerSums,
    /// Whether unending trials tally for ever.
    unbounded: bool,
}

impl<'a> TallyPowers<'a> {
    pub(super) fn new(graph: &'a DieGraph) -> Self {
        let mut numbers: Vec<u8> = graph.tally_nodes().iter().map(|toll| toll.counter).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let counter = |number| {
            let mut at = vec![[0.0; 5]; graph.vertex_count()];
            at[graph.start() as usize][0] = 1.0;
            CounterPowers { number, at, never: [0.0; 5], unbounded: false }
        };
        TallyPowers { graph, counters: numbers.into_iter().map(counter).collect() }
    }

    /// Pushes the powers at a vertex with probability `mass`.
    pub(super) fn push_place(&mut self, place: VertexId, mass: f64) {
        let graph = self.graph;
        for counter in &mut self.counters {
            let [_, powers @ ..] = std::mem::take(&mut counter.at[place as usize]);
            let [one, two, three, four] = powers;
            let here = counter.apply_tally(graph, place, &[mass, one, two, three, four]);
            let (sides, faces) = graph.face_targets(place);
            for (to, faces) in faces {
                let share = f64::from(faces) / f64::from(sides);
                add_powers(&mut counter.at[to as usize], &here, share);
            }
        }
    }

    /// Records trials that enter a loop without an exit.
    pub(super) fn mark_endless(&mut self, places: &[VertexId]) {
        let graph = self.graph;
        for counter in &mut self.counters {
            let mut all = [0.0; 5];
            for place in places {
                let here = std::mem::take(&mut counter.at[*place as usize]);
                add_powers(&mut all, &here, 1.0);
            }
            add_powers(&mut counter.never, &all, 1.0);
            let toll = |place: &VertexId| {
                graph.find_tally(*place).is_some_and(|toll| toll.counter == counter.number)
            };
            counter.unbounded |= all[0] > 0.0 && places.iter().any(toll);
        }
    }

    /// Pushes the powers through a loop whose vertices have these numbers of visits.
    pub(super) fn push_loop(
        &mut self,
        places: &[VertexId],
        local: &LoopNumbering<'_>,
        visits: Vec<f64>,
        solver: &mut LoopSolver<'_>,
    ) -> Option<()> {
        let graph = self.graph;
        for counter in &mut self.counters {
            let at = &mut counter.at;
            let comes: Vec<PowerSums> =
                places.iter().map(|place| std::mem::take(&mut at[*place as usize])).collect();
            let mut here: Vec<PowerSums> =
                visits.iter().map(|visits| [*visits, 0.0, 0.0, 0.0, 0.0]).collect();
            for power in 1..5 {
                let mut comes: Vec<f64> = comes.iter().map(|comes| comes[power]).collect();
                // The part that a tally node adds to the lower powers enters at its target.
                for (at, &place) in places.iter().enumerate() {
                    let paid = counter.apply_tally(graph, place, &here[at])[power];
                    let to = graph.find_successor(place, 0).and_then(|to| local.index_of(to));
                    if let Some(to) = to.filter(|_| paid != 0.0) {
                        comes[to as usize] += paid;
                    }
                }
                if comes.iter().any(|comes| *comes != 0.0) {
                    let found = solver.solve_signed(&comes)?;
                    here.iter_mut().zip(found).for_each(|(here, found)| here[power] = found);
                }
            }
            counter.push_out(graph, places, local, &here);
        }
        Some(())
    }

    /// Returns the powers by ending, for each counter that is tallied.
    pub(super) fn into_powers(self) -> Vec<(u8, Vec<PowerSums>)> {
        let endings = self.graph.endings().len();
        let powers = |counter: CounterPowers| (counter.number, counter.at[..endings].to_vec());
        self.counters.into_iter().map(powers).collect()
    }

    /// Returns the moments by counter of the combat.
    pub(super) fn into_moments(self) -> Vec<TallyMoments> {
        let endings = self.graph.endings().len();
        let mut all = vec![TallyMoments::default(); self.graph.counter_count()];
        for counter in self.counters {
            let mut sum = counter.never;
            counter.at[..endings].iter().for_each(|powers| add_powers(&mut sum, powers, 1.0));
            let [_, powers @ ..] = sum;
            let moments = if counter.unbounded {
                TallyMoments::UNBOUNDED
            } else {
                TallyMoments::from_powers(powers)
            };
            all[usize::from(counter.number)] = moments;
        }
        all
    }
}

impl CounterPowers {
    /// Returns the powers behind a vertex: with its amount, if it is a tally node.
    fn apply_tally(&self, graph: &DieGraph, place: VertexId, here: &PowerSums) -> PowerSums {
        match graph.find_tally(place) {
            Some(toll) if toll.counter == self.number => shift_powers(here, toll.amount as f64),
            _ => *here,
        }
    }

    fn push_out(
        &mut self,
        graph: &DieGraph,
        places: &[VertexId],
        local: &LoopNumbering<'_>,
        here: &[PowerSums],
    ) {
        for (&place, here) in places.iter().zip(here) {
            let here = self.apply_tally(graph, place, here);
            let (sides, faces) = graph.face_targets(place);
            for (to, faces) in faces.filter(|(to, _)| local.index_of(*to).is_none()) {
                let share = f64::from(faces) / f64::from(sides);
                add_powers(&mut self.at[to as usize], &here, share);
            }
        }
    }
}
