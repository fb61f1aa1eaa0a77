//! Forecasts of contests without a graph: their states, and the names of what makes them many.

use std::collections::BTreeSet;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::Catalogue;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::forecast::CostForecast;
use enfilade_testkit::frontier::{compile_and_solve, solve_by_frontier};

use crate::waves::large;

/// One that can be tried as a whole has as many states as it was said to have; of a larger one the
/// number is about right, and the fields are those that it grows with.
#[test]
fn a_forecast_is_about_right() {
    let small = large(2, 2);
    let forecast =
        CostForecast::forecast_frontier(&small, &NEVER_CANCELLED).expect("its fields tell");
    let extent = solve_by_frontier(&small.played.combat).extent;
    assert_eq!(
        (forecast.states, forecast.held_states),
        (extent.expanded_states as f64, extent.widest as f64)
    );

    let large = large(4, 3);
    let forecast =
        CostForecast::forecast_frontier(&large, &NEVER_CANCELLED).expect("its fields tell");
    let extent = solve_by_frontier(&large.played.combat).extent;
    let ratio = forecast.states / extent.expanded_states as f64;
    assert!((0.4..2.5).contains(&ratio), "{forecast:?} {extent:?}");
    assert_eq!(forecast.fields[0].path, "target.count");
    assert_eq!(forecast.fields[1].path, "attacks");
    assert!(forecast.fields[0].factor > forecast.fields[1].factor);
}

/// What makes a contest large is told by name. A rule in Rust has none for what it remembers: there
/// it is the field of the outcome with the most values, here counted in the graph.
#[test]
fn what_states_of_a_rule_in_rust_differ_in_is_a_field_of_the_outcome() {
    let cell = large(2, 2);
    let (part, values) = CostForecast::forecast_frontier(&cell, &NEVER_CANCELLED)
        .and_then(|told| told.part)
        .expect("it is told");
    let (graph, _) = compile_and_solve(&cell.played.combat);
    let values_of = |at: usize| {
        let values: BTreeSet<i32> =
            graph.endings().iter().map(|ending| ending.fields[at]).collect();
        values.len()
    };
    let heads = cell.played.combat.outcome_fields();
    let most = (0..heads.len()).map(values_of).max();
    let at = heads.iter().position(|head| head.display_name() == *part).expect("a field of it");
    assert_eq!((Some(values), values_of(at)), (most, values));
    // Two squads, of which each may be whole, broken, reduced or gone: three numbers of them, and
    // no field has more.
    assert_eq!(values, 3, "{part}");
}

/// A rule in a text file has names: this one goes on by a d6 in every round, and remembers beside
/// that whether a coin has ever shown heads. When the coin falls it has come from 1 to six times
/// the rounds far; where it begins is no state of its own.
#[test]
fn what_states_of_a_rule_in_text_differ_in_has_a_name() {
    let rule = "game \"March\"\nfield rounds: 1..30 = 9\naction a:\n    way = 0\n    heads = no\n    \
        for i in 1..rounds:\n        way = way + d6\n        if d2 == 1:\n            heads = yes\n    \
        show way\n    show heads\n";
    let read = enfilade_rules::read_without_built_in_base("march", "march.rules", rule, &|_| {
        Err("there is none".into())
    });
    let read = read.unwrap_or_else(|error| panic!("{error:?}"));
    let catalogue = Catalogue::from_rulebooks([read.system]);
    let file = "[[contest]]\nsystem = 'march'\naction = 'a'\n";
    let experiment = Experiment::read_experiment_text(&catalogue, "march.toml", file);
    let cell = experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0);
    let forecast =
        CostForecast::forecast_frontier(&cell, &NEVER_CANCELLED).expect("its field tells");
    assert_eq!(forecast.part, Some(("way".to_owned(), 6 * 9)));
    assert_eq!((&*forecast.fields[0].path, forecast.fields[0].now), ("rounds", 9));
}
