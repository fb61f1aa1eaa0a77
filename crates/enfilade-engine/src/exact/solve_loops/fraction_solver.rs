//! Loop solver in fractions: the distribution of a contest that may never end, without any
//! rounding.

use super::loop_numbering::LoopNumbering;
use crate::cancel::CancelToken;
use crate::graph::{
    Condensation, DieGraph, Fraction, LinearSystem, MAX_BITS, PlaceGroup, Reduction, ReductionStop,
    VertexId, push_inflow, solve_back,
};

/// Largest number of products for one contest.
const MAX_PRODUCTS: usize = 1 << 20;

/// Distribution of a graph in fractions.
pub(crate) struct FractionDistribution {
    /// Probability by ending.
    pub(crate) probabilities: Vec<Fraction>,
    /// Mean of a trial's tally by counter; `None` where it is unbounded.
    pub(crate) tallies: Vec<Option<Fraction>>,
}

/// Solves the distribution of a graph with loop heads. Returns `None` if it would take too many
/// products, or `halt` was raised.
pub(crate) fn solve_fractions(
    graph: &DieGraph,
    halt: &CancelToken,
) -> Option<FractionDistribution> {
    let condensed = Condensation::from_graph(graph);
    let mut pushing = FractionPropagation {
        graph,
        halt,
        local: LoopNumbering::new(graph),
        mass: vec![Fraction::zero(); graph.vertex_count()],
        tallies: vec![Some(Fraction::zero()); graph.counter_count()],
        products: 0,
    };
    pushing.mass[graph.start() as usize] = Fraction::from(1);
    for group in condensed.groups(graph) {
        match group {
            PlaceGroup::Alone(place) => {
                let here = std::mem::replace(&mut pushing.mass[place as usize], Fraction::zero());
                pushing.push_place(place, &here)?;
            }
            PlaceGroup::Loop(places) => pushing.solve_loop(places)?,
        }
    }
    pushing.mass.truncate(graph.endings().len());
    Some(FractionDistribution { probabilities: pushing.mass, tallies: pushing.tallies })
}

struct FractionPropagation<'a> {
    graph: &'a DieGraph,
    halt: &'a CancelToken,
    local: LoopNumbering<'a>,
    mass: Vec<Fraction>,
    tallies: Vec<Option<Fraction>>,
    products: usize,
}

impl FractionPropagation<'_> {
    /// Pushes the probability at a vertex along its branches, except to vertices of the same loop.
    fn push_place(&mut self, place: VertexId, here: &Fraction) -> Option<()> {
        if here.is_zero() {
            return Some(());
        }
        if let Some(toll) = self.graph.find_tally(place)
            && let Some(sum) = &mut self.tallies[usize::from(toll.counter)]
        {
            *sum = &*sum + &here.multiply_whole(toll.amount);
        }
        let (sides, faces) = self.graph.face_targets(place);
        for (to, faces) in faces {
            self.products += 1;
            if self.local.index_of(to).is_none() {
                let sum = &mut self.mass[to as usize];
                *sum = &*sum + &(here * &Fraction::from_share(faces, sides));
                if sum.bit_length() > MAX_BITS {
                    return None;
                }
            }
        }
        (self.products <= MAX_PRODUCTS && !self.halt.is_cancelled()).then_some(())
    }

    fn solve_loop(&mut self, places: &[VertexId]) -> Option<()> {
        let take =
            |place: &VertexId| std::mem::replace(&mut self.mass[*place as usize], Fraction::zero());
        let mut comes: Vec<Fraction> = places.iter().map(take).collect();
        self.local.enter_loop(places);
        let system: LinearSystem<Fraction> = self.local.build_system(places);
        if system.has_exit() {
            self.solve_visits(system, &mut comes)?;
            for (place, visits) in places.iter().zip(&comes) {
                self.push_place(*place, visits)?;
            }
        } else if comes.iter().any(|comes| !comes.is_zero()) {
            for place in places {
                if let Some(toll) = self.graph.find_tally(*place) {
                    self.tallies[usize::from(toll.counter)] = None;
                }
            }
        }
        self.local.leave_loop(places);
        Some(())
    }

    /// Converts the inflow to visits.
    fn solve_visits(
        &mut self,
        system: LinearSystem<Fraction>,
        comes: &mut [Fraction],
    ) -> Option<()> {
        let mut reduction = Reduction::new(system);
        let (before, halt) = (self.products, self.halt);
        let go_on = &mut |products| before + products <= MAX_PRODUCTS && !halt.is_cancelled();
        if reduction.reduce(u64::MAX, false, go_on) != ReductionStop::End {
            return None;
        }
        self.products += reduction.product_count();
        push_inflow(reduction.as_eliminated(), comes);
        solve_back(reduction.as_eliminated(), comes);
        Some(())
    }
}
