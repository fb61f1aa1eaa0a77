//! Tallies through loops: their powers are further right-hand sides of the loop's system.

use super::super::tally_moments::{
    TallyMoments, TallyPowerSums, add_scaled_powers, powers_after_amount,
};
use super::loop_numbering::LoopVertexNumbering;
use super::loop_solver::EliminatedLoop;
use crate::exact::approximation::COMPUTED_RELATIVE_ERROR;
use crate::graph::{DieGraph, VertexId};

/// Powers at each vertex, for each counter that is tallied.
pub(super) struct TallyMomentsByVertex<'a> {
    graph: &'a DieGraph,
    counters: Vec<OneCounterTallyPowers>,
}

struct OneCounterTallyPowers {
    number: u8,
    at: Vec<TallyPowerSums>,
    /// Powers of trials that never end.
    never: TallyPowerSums,
    /// Whether unending trials tally for ever.
    unbounded: bool,
    /// Mean sum of the sizes of all amounts: the error of the mean is relative to it, whatever
    /// cancels.
    size: f64,
}

impl<'a> TallyMomentsByVertex<'a> {
    pub(super) fn new(graph: &'a DieGraph) -> Self {
        let mut numbers: Vec<u8> =
            graph.tally_node_amounts().iter().map(|tally| tally.counter).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let counter = |number| {
            let mut at = vec![[0.0; 5]; graph.vertex_count()];
            at[graph.start_vertex() as usize][0] = 1.0;
            OneCounterTallyPowers { number, at, never: [0.0; 5], unbounded: false, size: 0.0 }
        };
        TallyMomentsByVertex { graph, counters: numbers.into_iter().map(counter).collect() }
    }

    /// Pushes the powers at a vertex with probability `mass`.
    pub(super) fn propagate_vertex(&mut self, place: VertexId, mass: f64) {
        let graph = self.graph;
        for counter in &mut self.counters {
            let [_, powers @ ..] = std::mem::take(&mut counter.at[place as usize]);
            let [one, two, three, four] = powers;
            counter.size += mass * counter.size_of_amount_at(graph, place);
            let here = counter.powers_after_vertex(graph, place, &[mass, one, two, three, four]);
            let (sides, faces) = graph.sides_and_targets(place);
            for (to, faces) in faces {
                let share = f64::from(faces) / f64::from(sides);
                add_scaled_powers(&mut counter.at[to as usize], &here, share);
            }
        }
    }

    /// Records trials that enter a loop without an exit.
    pub(super) fn mark_trials_as_endless(&mut self, places: &[VertexId]) {
        let graph = self.graph;
        for counter in &mut self.counters {
            let mut all = [0.0; 5];
            for place in places {
                let here = std::mem::take(&mut counter.at[*place as usize]);
                add_scaled_powers(&mut all, &here, 1.0);
            }
            add_scaled_powers(&mut counter.never, &all, 1.0);
            let tally = |place: &VertexId| {
                graph.tally_of_vertex(*place).is_some_and(|tally| tally.counter == counter.number)
            };
            counter.unbounded |= all[0] > 0.0 && places.iter().any(tally);
        }
    }

    /// Pushes the powers through a loop whose vertices have these numbers of visits.
    pub(super) fn propagate_through_loop(
        &mut self,
        places: &[VertexId],
        local: &LoopVertexNumbering<'_>,
        visits: Vec<f64>,
        solver: &mut EliminatedLoop<'_>,
    ) -> Option<()> {
        let graph = self.graph;
        for counter in &mut self.counters {
            let at = &mut counter.at;
            let take = |place: &VertexId| std::mem::take(&mut at[*place as usize]);
            let inflow: Vec<TallyPowerSums> = places.iter().map(take).collect();
            let sizes = places.iter().zip(&visits);
            let sizes = sizes.map(|(place, n)| n * counter.size_of_amount_at(graph, *place));
            counter.size += sizes.sum::<f64>();
            let mut here: Vec<TallyPowerSums> =
                visits.iter().map(|visits| [*visits, 0.0, 0.0, 0.0, 0.0]).collect();
            for power in 1..5 {
                let mut inflow: Vec<f64> = inflow.iter().map(|inflow| inflow[power]).collect();
                // The part that a tally node adds to the lower powers enters at its target.
                for (at, &place) in places.iter().enumerate() {
                    let paid = counter.powers_after_vertex(graph, place, &here[at])[power];
                    let to = graph
                        .successor_at_branch(place, 0)
                        .and_then(|to| local.index_within_loop(to));
                    if let Some(to) = to.filter(|_| paid != 0.0) {
                        inflow[to as usize] += paid;
                    }
                }
                if inflow.iter().any(|inflow| *inflow != 0.0) {
                    let loop_powers = solver.visits_from_signed_inflow(&inflow)?;
                    here.iter_mut().zip(loop_powers).for_each(|(here, found)| here[power] = found);
                }
            }
            counter.propagate_loop_exits(graph, places, local, &here);
        }
        Some(())
    }

    /// Returns the powers by ending, for each counter that is tallied.
    pub(super) fn into_powers_by_ending(self) -> Vec<(u8, Vec<TallyPowerSums>)> {
        let endings = self.graph.endings().len();
        let powers =
            |counter: OneCounterTallyPowers| (counter.number, counter.at[..endings].to_vec());
        self.counters.into_iter().map(powers).collect()
    }

    /// Returns the moments by counter of the combat, each with a bound of the error of its mean.
    ///
    /// The powers are solved with numbers of 64 bits, whose roundings are not counted in a loop:
    /// [`COMPUTED_RELATIVE_ERROR`] allows for them.
    pub(super) fn into_moments_by_counter(self) -> Vec<(TallyMoments, f64)> {
        let endings = self.graph.endings().len();
        let mut all = vec![(TallyMoments::default(), 0.0); self.graph.counter_count()];
        for counter in self.counters {
            let mut sum = counter.never;
            counter.at[..endings]
                .iter()
                .for_each(|powers| add_scaled_powers(&mut sum, powers, 1.0));
            let [_, powers @ ..] = sum;
            let moments = if counter.unbounded {
                TallyMoments::ENDLESS_TALLY
            } else {
                TallyMoments::from_raw_moments(powers)
            };
            let error = COMPUTED_RELATIVE_ERROR * counter.size;
            all[usize::from(counter.number)] = (moments, error);
        }
        all
    }
}

impl OneCounterTallyPowers {
    /// Returns the size of the amount that is tallied at a vertex; 0 where nothing is.
    fn size_of_amount_at(&self, graph: &DieGraph, place: VertexId) -> f64 {
        let tally = graph.tally_of_vertex(place).filter(|tally| tally.counter == self.number);
        tally.map_or(0.0, |tally| (tally.amount as f64).abs())
    }

    /// Returns the powers behind a vertex: with its amount, if it is a tally node.
    fn powers_after_vertex(
        &self,
        graph: &DieGraph,
        place: VertexId,
        here: &TallyPowerSums,
    ) -> TallyPowerSums {
        match graph.tally_of_vertex(place) {
            Some(tally) if tally.counter == self.number => {
                powers_after_amount(here, tally.amount as f64)
            }
            _ => *here,
        }
    }

    fn propagate_loop_exits(
        &mut self,
        graph: &DieGraph,
        places: &[VertexId],
        local: &LoopVertexNumbering<'_>,
        here: &[TallyPowerSums],
    ) {
        for (&place, here) in places.iter().zip(here) {
            let here = self.powers_after_vertex(graph, place, here);
            let (sides, faces) = graph.sides_and_targets(place);
            for (to, faces) in faces.filter(|(to, _)| local.index_within_loop(*to).is_none()) {
                let share = f64::from(faces) / f64::from(sides);
                add_scaled_powers(&mut self.at[to as usize], &here, share);
            }
        }
    }
}
