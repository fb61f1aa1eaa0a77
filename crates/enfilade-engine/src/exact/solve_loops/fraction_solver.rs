//! Loop solver in fractions: the distribution of a contest that may never end, without any
//! rounding.

use super::loop_numbering::LoopVertexNumbering;
use crate::cancel::CancelToken;
use crate::graph::{
    Condensation, DieGraph, EliminationStopReason, Fraction, LoopElimination, LoopLinearSystem,
    MAX_FRACTION_BITS, VertexGroup, VertexId, move_inflow_to_remaining, solve_eliminated_visits,
};

/// Largest number of products for one contest.
const MAX_FRACTION_PRODUCTS: usize = 1 << 20;

/// Distribution of a graph in fractions.
pub(crate) struct FractionOddsAndTallyMeans {
    /// Probability by ending.
    pub(crate) probabilities: Vec<Fraction>,
    /// Mean of a trial's tally by counter; `None` where it is unbounded.
    pub(crate) tallies: Vec<Option<Fraction>>,
}

/// Solves the distribution of a graph with loop heads. Returns `None` if it would take too many
/// products, or `halt` was raised.
pub(crate) fn solve_loops_in_fractions(
    graph: &DieGraph,
    halt: &CancelToken,
) -> Option<FractionOddsAndTallyMeans> {
    let condensed = Condensation::from_graph(graph);
    let mut pushing = FractionPropagation {
        graph,
        halt,
        local: LoopVertexNumbering::new(graph),
        mass: vec![Fraction::zero(); graph.vertex_count()],
        tallies: vec![Some(Fraction::zero()); graph.counter_count()],
        products: 0,
    };
    pushing.mass[graph.start_vertex() as usize] = Fraction::from(1);
    for group in condensed.groups(graph) {
        match group {
            VertexGroup::Alone(place) => {
                let here = std::mem::replace(&mut pushing.mass[place as usize], Fraction::zero());
                pushing.propagate_vertex(place, &here)?;
            }
            VertexGroup::Loop(places) => pushing.solve_loop_vertices(places)?,
        }
    }
    pushing.mass.truncate(graph.endings().len());
    Some(FractionOddsAndTallyMeans { probabilities: pushing.mass, tallies: pushing.tallies })
}

struct FractionPropagation<'a> {
    graph: &'a DieGraph,
    halt: &'a CancelToken,
    local: LoopVertexNumbering<'a>,
    mass: Vec<Fraction>,
    tallies: Vec<Option<Fraction>>,
    products: usize,
}

impl FractionPropagation<'_> {
    /// Pushes the probability at a vertex along its branches, except to vertices of the same loop.
    fn propagate_vertex(&mut self, place: VertexId, here: &Fraction) -> Option<()> {
        if let Some(tally) = self.graph.tally_of_vertex(place)
            && let Some(sum) = &mut self.tallies[usize::from(tally.counter)]
        {
            *sum = &*sum + &here.multiply_by_integer(tally.amount);
        }
        let (sides, faces) = self.graph.sides_and_targets(place);
        for (to, faces) in faces {
            self.products += 1;
            if self.local.index_within_loop(to).is_none() {
                let sum = &mut self.mass[to as usize];
                *sum = &*sum + &(here * &Fraction::ratio_of_u8(faces, sides));
                if sum.bit_length_of_longer_part() > MAX_FRACTION_BITS {
                    return None;
                }
            }
        }
        (self.products <= MAX_FRACTION_PRODUCTS && !self.halt.is_cancelled()).then_some(())
    }

    fn solve_loop_vertices(&mut self, places: &[VertexId]) -> Option<()> {
        let take =
            |place: &VertexId| std::mem::replace(&mut self.mass[*place as usize], Fraction::zero());
        let mut inflow: Vec<Fraction> = places.iter().map(take).collect();
        self.local.number_loop_vertices(places);
        let system: LoopLinearSystem<Fraction> = self.local.build_loop_equations(places);
        if system.has_exit() {
            self.expected_visits_from_inflow(system, &mut inflow)?;
            for (place, visits) in places.iter().zip(&inflow) {
                self.propagate_vertex(*place, visits)?;
            }
        } else {
            // Every group is reached, and no fraction is too small to be told from 0.
            for place in places {
                if let Some(tally) = self.graph.tally_of_vertex(*place) {
                    self.tallies[usize::from(tally.counter)] = None;
                }
            }
        }
        self.local.clear_loop_numbers(places);
        Some(())
    }

    /// Converts the inflow to visits.
    fn expected_visits_from_inflow(
        &mut self,
        system: LoopLinearSystem<Fraction>,
        inflow: &mut [Fraction],
    ) -> Option<()> {
        let mut reduction = LoopElimination::new(system);
        let (before, halt) = (self.products, self.halt);
        let go_on =
            &mut |products| before + products <= MAX_FRACTION_PRODUCTS && !halt.is_cancelled();
        if reduction.eliminate_while_cheap(u64::MAX, false, go_on) != EliminationStopReason::End {
            return None;
        }
        self.products += reduction.multiplications_so_far();
        move_inflow_to_remaining(reduction.eliminated_in_order(), inflow);
        solve_eliminated_visits(reduction.eliminated_in_order(), inflow);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::NEVER_CANCELLED;
    use crate::graph::CompiledContestLimits;
    use enfilade_model::combat::{AnyCombat, Combat, OutcomeVocabulary};
    use enfilade_model::dice::Dice;

    /// A die that is thrown until it shows 6.
    struct UntilSix;

    impl Combat for UntilSix {
        type State = bool;
        type Outcome = bool;

        fn initial_state(&self) -> bool {
            false
        }

        fn play_one_step(&self, _: bool, dice: &mut impl Dice) -> bool {
            dice.die(6) == 6
        }

        fn outcome_if_over(&self, thrown: &bool) -> Option<bool> {
            thrown.then_some(true)
        }

        fn vocabulary(&self) -> OutcomeVocabulary<bool> {
            OutcomeVocabulary { fields: vec![], measures: vec![] }
        }
    }

    fn compiled() -> DieGraph {
        DieGraph::compile_within_limits(&AnyCombat::new(UntilSix), CompiledContestLimits::default())
            .expect("it is small")
    }

    /// Builds a propagation that has made so many products.
    fn propagation(graph: &DieGraph, products: usize) -> FractionPropagation<'_> {
        FractionPropagation {
            graph,
            halt: &NEVER_CANCELLED,
            local: LoopVertexNumbering::new(graph),
            mass: vec![Fraction::zero(); graph.vertex_count()],
            tallies: Vec::new(),
            products,
        }
    }

    /// Solves the loop of the die after so many products.
    fn solved_after(products: usize) -> Option<Vec<Fraction>> {
        let graph = compiled();
        let mut pushing = propagation(&graph, products);
        pushing.mass[graph.start_vertex() as usize] = Fraction::from(1);
        let places: Vec<VertexId> =
            (graph.endings().len()..graph.vertex_count()).map(|place| place as VertexId).collect();
        pushing.solve_loop_vertices(&places)?;
        pushing.mass.truncate(graph.endings().len());
        Some(pushing.mass)
    }

    #[test]
    fn a_loop_is_given_up_once_its_products_are_too_many() {
        assert_eq!(solved_after(0), Some(vec![Fraction::from(1)]));
        // None is left for its faces, and none for its elimination.
        assert_eq!(solved_after(MAX_FRACTION_PRODUCTS), None);
        assert_eq!(solved_after(MAX_FRACTION_PRODUCTS + 1), None);
    }

    /// The first throw leads to the end or back: two products.
    #[test]
    fn a_vertex_is_given_up_once_its_products_are_too_many() {
        let graph = compiled();
        for (products, expected) in [
            (MAX_FRACTION_PRODUCTS - 2, Some(())),
            (MAX_FRACTION_PRODUCTS - 1, None),
            (MAX_FRACTION_PRODUCTS, None),
        ] {
            let mut pushing = propagation(&graph, products);
            let place = graph.first_node_vertex() as VertexId;
            assert_eq!(pushing.propagate_vertex(place, &Fraction::from(1)), expected);
        }
    }
}
