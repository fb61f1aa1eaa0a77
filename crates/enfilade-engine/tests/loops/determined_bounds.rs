//! Bounds of errors: which numbers they include, and where nothing is determined.

use crate::games::jam;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::measure_value::measure_error_bound;
use enfilade_engine::exact::{Distribution, RoundingErrorBound};
use enfilade_model::combat::{Measure, MeasureHead, OUTSIDE_CONDITION};

/// Exact numbers on either side of an interval, and inside.
#[test]
fn an_interval_includes_what_lies_between_its_ends() {
    let half = FractionOrRoot::from_fraction(1.into(), 2u8.into());
    let root = FractionOrRoot::from_root(2u8.into(), 1u8.into());
    let cases = [
        (0.6, 0.01, &half, false),
        (0.4, 0.01, &half, false),
        (0.6, 0.2, &half, true),
        (1.4, 0.01, &root, false),
        (1.5, 0.01, &root, false),
        (1.4, 0.02, &root, true),
        // From below 0, up to less than the root and to more.
        (0.2, 0.5, &root, false),
        (0.5, 1.0, &root, true),
        // Below 0, with a square above that of the root.
        (-2.0, 0.5, &root, false),
    ];
    for (value, error, exact, expected) in cases {
        let found = Approximation::new(value, error).contains_exact_number(exact);
        assert_eq!(found, expected, "{value} ± {error} and {exact}");
    }
}

#[test]
fn a_number_without_a_finite_bound_may_be_any_number() {
    let half = FractionOrRoot::from_fraction(1.into(), 2u8.into());
    for (value, error) in [(f64::INFINITY, 0.0), (f64::NAN, 0.0), (7.0, f64::INFINITY)] {
        assert!(Approximation::new(value, error).contains_exact_number(&half), "{value} ± {error}");
    }
}

fn event() -> Measure<i32> {
    Measure::probability("won", "the first wins", |end: &i32| *end == 1)
}

fn bound(head: &MeasureHead, law: &[(i32, f64)], unsettled: f64) -> f64 {
    measure_error_bound(head, law.iter().copied(), unsettled, &RoundingErrorBound::default())
}

/// What is unfinished may be won or not, even where all that is settled is won.
#[test]
fn what_is_unfinished_is_in_the_bound() {
    let head = event().into_head();
    assert_eq!(bound(&head, &[(1, 0.75)], 0.0), 0.0);
    let found = bound(&head, &[(1, 0.75)], 0.25);
    assert!((0.25..0.25 + 1e-14).contains(&found), "{found}");
}

/// A condition that is met no more often than trials are unfinished determines nothing; one that is
/// never met has no value, and so no error.
#[test]
fn a_condition_met_as_rarely_as_work_is_unfinished_determines_nothing() {
    let head = event().restrict_to_condition("it is told").into_head();
    let law = [(1, 0.125), (OUTSIDE_CONDITION, 0.75)];
    assert_eq!(bound(&head, &law, 0.125), f64::INFINITY);
    assert!(bound(&head, &[(1, 0.0625), (0, 0.0625), law[1]], 0.0625) < 3.0);
    assert_eq!(bound(&head, &[(OUTSIDE_CONDITION, 0.75)], 0.25), 0.0);
}

/// A chance among what is told is left out once more than 10⁻⁹ of it is unfinished.
#[test]
fn a_chance_under_a_condition_needs_all_trials_settled() {
    let head = event().restrict_to_condition("it ends").into_head();
    let graph = jam().graph();
    let value = |unsettled: f64| {
        let probabilities = vec![0.25, 0.25];
        Distribution { probabilities, unsettled, ..Distribution::default() }.measure_value(
            graph.endings(),
            0,
            &head,
        )
    };
    assert_eq!([0.0, 4e-10].map(value), [Some(0.5); 2]);
    assert_eq!([6e-10, 0.5].map(value), [None; 2]);
}
