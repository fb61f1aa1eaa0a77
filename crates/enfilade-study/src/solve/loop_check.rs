//! Check of a distribution whose loops were solved, by other methods.

use enfilade_engine::cancel::CancelToken;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::{Distribution, independent_check, solve_weights_unless_cancelled};
use enfilade_engine::graph::DieGraph;

/// Largest rounding error of the other methods.
const MAX_ROUNDING_ERROR: f64 = 1e-12;

/// Rounding error of doubled rounds for each loop vertex that a trial visits.
const MAX_ERROR_PER_VERTEX_VISIT: f64 = 1e-16;

/// Computes how far a distribution lies outside the ranges of the other methods: 0 within them.
/// Returns `None` for one without loops.
pub(crate) fn distance_outside_other_ranges(
    graph: &DieGraph,
    law: &Distribution,
    halt: &CancelToken,
) -> Option<f64> {
    if law.bound == 0.0 {
        return None;
    }
    let solved = || law.probabilities.iter();
    // Swept round by round: the finished part is final, and the rest may still end in any way.
    let (swept, open) = independent_check::solve_by_many_rounds(graph);
    let brackets = solved().zip(&swept);
    let mut beyond: Vec<f64> =
        brackets.map(|(p, least)| (least - p).max(p - least - open) - MAX_ROUNDING_ERROR).collect();
    let doubled = independent_check::solve_by_doubling_rounds(graph).unwrap_or_default();
    let off = MAX_ROUNDING_ERROR + MAX_ERROR_PER_VERTEX_VISIT * law.steps;
    beyond.extend(solved().zip(&doubled).map(|(p, other)| (p - other).abs() - off));
    if let Some(weights) = solve_weights_unless_cancelled(graph, halt) {
        let figure = |n| FractionOrRoot::from_fraction(n, weights.denominator.clone()).to_f64();
        let exact = weights.numerators.iter().map(|n| figure(n.clone().into()));
        let bound = |p: f64| law.bound + f64::EPSILON * p;
        beyond.extend(solved().zip(exact).map(|(p, exact)| (p - exact).abs() - bound(exact)));
    }
    Some(beyond.into_iter().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_engine::cancel::NEVER_CANCELLED;
    use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, OutcomeVocabulary};
    use enfilade_model::dice::Dice;
    use enfilade_testkit::frontier::compile_and_solve;

    /// Two d100 until both show 1, and a coin then: more than a third of the trials is not over
    /// after 10,000 rounds.
    struct LongWait;

    impl Combat for LongWait {
        type State = Option<u8>;
        type Outcome = u8;

        fn initial_state(&self) -> Option<u8> {
            None
        }

        fn play_one_step(&self, _: Option<u8>, dice: &mut impl Dice) -> Option<u8> {
            (dice.die(100) == 1 && dice.die(100) == 1).then(|| dice.die(2))
        }

        fn outcome_if_over(&self, state: &Option<u8>) -> Option<u8> {
            *state
        }

        fn vocabulary(&self) -> OutcomeVocabulary<u8> {
            let fields = vec![OutcomeField::new("face", "the coin", |&face: &u8| face.into())];
            OutcomeVocabulary { fields, measures: Vec::new() }
        }
    }

    /// Returns the distance of a distribution whose first probability is 1/2 and `off`, and that
    /// claims to be right within `bound`.
    fn distance(off: f64, bound: f64) -> Option<f64> {
        let (graph, law) = compile_and_solve(&AnyCombat::new(LongWait));
        let (probabilities, steps) = (vec![0.5 + off, 0.5], law.steps);
        let law = Distribution { probabilities, steps, bound, ..Distribution::default() };
        distance_outside_other_ranges(&graph, &law, &NEVER_CANCELLED)
    }

    #[test]
    fn what_other_methods_leave_open_is_no_fault() {
        assert_eq!(distance(0.0, 1e-15), Some(0.0));
        // An error that the distribution admits.
        assert_eq!(distance(1e-14, 1e-13), Some(0.0));
        assert_eq!(distance(0.0, 0.0), None);
    }

    /// The fractions show an error far below that of rounding in the other methods.
    #[test]
    fn an_error_beyond_its_bound_is_as_large_as_it_is() {
        for off in [1e-13, -1e-13, 1e-6, 0.01, -0.01] {
            let found = distance(off, 1e-15).expect("it has a loop");
            assert!((found / off.abs() - 1.0).abs() < 0.05, "{off} {found}");
        }
    }
}
