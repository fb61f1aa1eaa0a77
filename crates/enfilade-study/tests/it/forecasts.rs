//! How long a contest of a text rulebook takes is said before it begins, and about right.

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::solve_without_graph;
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::Catalogue;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::solve::forecast::CostForecast;
use enfilade_testkit::frontier::{compile_and_solve, solve_by_frontier};

/// Two who strike each other until one has nothing left: no loop that counts, and no field that one
/// is bound by.
fn duel(points: u32) -> String {
    format!(
        "game \"N\"\nfield hp: 10..5000 = {points}\naction duel:\n    a = hp\n    b = hp\n    repeat:\n        \
         if a <= 0 or b <= 0: stop\n        a -= 2d6\n        if a <= 0: stop\n        b -= 2d6\n    \
         winner = a > 0\n    show winner \"first wins\"\n"
    )
}

/// The same with the number in the rule.
fn literal(points: u32) -> String {
    duel(points).replace(
        "    a = hp\n    b = hp\n",
        &format!("    a = {points} + hp - hp\n    b = {points}\n"),
    )
}

/// A sum that grows up to a bound in loops within loops.
const LOOPS: &str = "game \"L\"\naction go:\n    v = 0\n    for i in 1..40:\n        for j in 1..40:\n            \
                     v = (v + d6) at most 160\n    show v\n";

/// Tries that go on until it happens, each with many faces: the graph alone takes long.
fn tries(most: u32) -> String {
    format!(
        "game \"T\"\naction go:\n    v = 0\n    repeat:\n        if 2 d20 == 2: stop\n        \
         v = (v + d6) at most {most}\n    show v\n"
    )
}

/// Returns the cell of the first action of a rulebook, with its defaults.
pub fn cell(text: &str) -> GridCell {
    let read = enfilade_rules::read_without_built_in_base("g", "g.rules", text, &|_| {
        Err("there is none".into())
    });
    let read = read.unwrap_or_else(|error| panic!("{error:?}"));
    let action = read.system.actions[0].name.to_string();
    let catalogue = Catalogue::from_rulebooks([read.system]);
    let file = format!("[[contest]]\nsystem = 'g'\naction = '{action}'\n");
    let experiment = Experiment::read_experiment_text(&catalogue, "g.toml", &file);
    experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0)
}

/// Rules that no field can be lowered for, of some 10⁵ to 10⁶ states.
#[test]
fn large_numbers_foretell_the_states_of_a_rule() {
    for (name, text) in
        [("duel", duel(110)), ("literal", literal(110)), ("loops", LOOPS.to_owned())]
    {
        let cell = cell(&text);
        assert!(cell.played.grows_with.len() <= 1, "{:?}", cell.played.grows_with);
        let forecast = CostForecast::forecast_frontier(&cell, &NEVER_CANCELLED)
            .unwrap_or_else(|| panic!("{name} has no forecast"));
        let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
        let extent = solve_without_graph(&cell.played.combat, &terms).expect("it fits").extent;
        let ratio = forecast.states / extent.expanded_states as f64;
        assert!((1.0 / 3.0..=3.0).contains(&ratio), "{name}: {ratio} {forecast:?} {extent:?}");
        assert!(forecast.seconds > 0.0 && forecast.seconds.is_finite());
    }
}

/// Numbers of which none can be tried whole: with twice as many points there are twice as many
/// rounds, and in each of them twice as many values of both sides.
#[test]
fn numbers_too_large_to_try_are_foretold_from_smaller_ones() {
    let states = |text: &str| {
        let forecast = CostForecast::forecast_frontier(&cell(text), &NEVER_CANCELLED);
        forecast.expect("smaller contests tell").states
    };
    for text in [duel, literal] {
        let ratio = states(&text(4000)) / states(&text(2000));
        assert!((4.0..=16.0).contains(&ratio), "{ratio}");
    }
}

/// A die in each of `rolls` rounds, added: before the i-th of n dice of s sides there are
/// (i - 1)·(s - 1) + 1 sums, s' = s - 1: s'·n·(n - 1)/2 + n states in all.
fn states_of_sums(rolls: u32, sides: u32) -> f64 {
    let (n, steps) = (f64::from(rolls), f64::from(sides - 1));
    steps * n * (n - 1.0) / 2.0 + n
}

/// A rule that adds a die in every round of a loop, or of several.
fn sums(field: &str, loops: &str, die: &str) -> GridCell {
    cell(&format!(
        "game \"S\"\n{field}action go:\n    way = 0\n{loops}way = way + {die}\n    show way\n"
    ))
}

/// Ten rounds or more, a thousand of them; and rounds of eighty dice, of which three are too many
/// to be tried. Both grow as the square.
#[test]
fn the_growth_of_a_field_is_followed_far_behind_what_was_tried() {
    let rounds = sums("field rounds: 10..2000 = 1000\n", "    for i in 1..rounds:\n        ", "d6");
    let eighties = sums(
        "field rounds: 1..20 = 10\n",
        "    for i in 1..rounds:\n        for j in 1..80:\n            ",
        "d6",
    );
    for (cell, rounds, each) in [(rounds, 1000, 1), (eighties, 10, 80)] {
        let told =
            CostForecast::forecast_frontier(&cell, &NEVER_CANCELLED).expect("it has a field");
        let states = |rounds: u32| states_of_sums(rounds * each, 6);
        let ratio = told.states / states(rounds);
        assert!((0.9..1.1).contains(&ratio), "{ratio} {told:?}");
        let [field] = told.fields.as_slice() else { panic!("one field: {told:?}") };
        assert_eq!((&*field.path, field.now), ("rounds", rounds.into()));
        let factor = states(rounds) / states(rounds - 1);
        assert!((field.factor / factor - 1.0).abs() < 0.01, "{factor} {told:?}");
    }
}

/// Nine dice for each pair of rounds of each block. Two blocks of three rounds can be tried, and
/// neither three blocks nor four rounds. How it grows with the rounds, up to five of them, can be
/// tried in a single block alone.
#[test]
fn a_field_that_is_not_raised_beside_others_is_raised_where_they_are_lower() {
    let field = "field blocks: 1..4 = 4\nfield rounds: 3..9 = 9\n";
    let loops = "    for i in 1..blocks:\n        for j in 1..rounds:\n            \
                 for k in 1..rounds:\n                for l in 1..9:\n                    ";
    let cell = sums(field, loops, "d6");
    let told = CostForecast::forecast_frontier(&cell, &NEVER_CANCELLED).expect("it has fields");
    let states = |blocks: u32, rounds: u32| states_of_sums(blocks * rounds * rounds * 9, 6);
    let ratio = told.states / states(4, 9);
    assert!((0.9..1.1).contains(&ratio), "{ratio} {told:?}");
    assert_eq!(told.fields.len(), 2, "{told:?}");
    for field in &told.fields {
        let one_less = if field.path == "blocks" { states(3, 9) } else { states(4, 8) };
        let factor = states(4, 9) / one_less;
        assert!((field.factor / factor - 1.0).abs() < 0.02, "{factor} {told:?}");
    }
}

/// Three rounds are tried after one and two, and these again looking back.
#[test]
fn a_small_contest_is_tried_once_at_every_size() {
    let rounds = |rounds: u32| {
        let field = format!("field rounds: 1..9 = {rounds}\n");
        sums(&field, "    for i in 1..rounds:\n        ", "d6")
    };
    let states = |n| solve_by_frontier(&rounds(n).played.combat).extent.expanded_states;
    let told = CostForecast::forecast_frontier(&rounds(3), &NEVER_CANCELLED).expect("it is small");
    assert_eq!(told.states, states(3) as f64);
    assert_eq!(told.tried_states, 2 * states(1) + 2 * states(2) + states(3));
}

/// Rounds from the 15th to the last: their square has an addend, as no power of the number has.
#[test]
fn a_number_in_a_rule_is_followed_far_behind_what_was_tried() {
    let cell = sums("", "    for i in 15..2000:\n        ", "d20");
    let told = CostForecast::forecast_frontier(&cell, &NEVER_CANCELLED).expect("it has a number");
    assert!(told.fields.is_empty(), "{told:?}");
    let ratio = told.states / states_of_sums(2000 - 14, 20);
    assert!((0.8..1.25).contains(&ratio), "{ratio} {told:?}");
}

/// One die, and no number that could be reduced.
#[test]
fn a_rule_without_numbers_is_foretold_as_it_is() {
    let cell = cell("game \"D\"\naction go:\n    face = d6\n    show face\n");
    assert_eq!(cell.played.combat.largest_rule_number(), Some(0));
    let (graph, _) = compile_and_solve(&cell.played.combat);
    let told = CostForecast::forecast_graph(&cell, &NEVER_CANCELLED).expect("it is small");
    assert_eq!(told.states, graph.reached_state_count() as f64);
}

/// Two vehicles that are lost beside ten teams: no field of a chain makes it smaller.
#[test]
fn a_chain_is_foretold_by_some_of_its_contests() {
    let teams = "[[contest.defender]]\nfigures = 1\n".repeat(10);
    let text = format!(
        "[[contest]]\nsystem = 'aic'\naction = 'armored-assault'\nmost_teams = 16\n{teams}\
         [[contest.then]]\naction = 'armored-assault'\nmost_teams = 16\ncarry = true\n"
    );
    let experiment = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text);
    let cell = experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0);
    let forecast =
        CostForecast::forecast_graph(&cell, &NEVER_CANCELLED).expect("it has a forecast");
    let limits = CompiledContestLimits { states: 1 << 22, ..CompiledContestLimits::default() };
    let graph = DieGraph::compile_combat_or_cancel(&cell.played.combat, &limits, &NEVER_CANCELLED)
        .expect("it fits");
    let ratio = forecast.states / graph.reached_state_count() as f64;
    assert!(
        (1.0 / 3.0..=3.0).contains(&ratio),
        "{ratio} {forecast:?} {}",
        graph.reached_state_count()
    );
    // Solved above within seconds: a forecast of an hour is wrong on any machine.
    assert!(forecast.seconds > 0.0 && forecast.seconds < 3600.0, "{}", forecast.seconds);
}

#[test]
fn a_graph_that_takes_long_is_foretold_too() {
    let cell = cell(&tries(400));
    let forecast = CostForecast::forecast_graph(&cell, &NEVER_CANCELLED).expect("its numbers tell");
    let states =
        DieGraph::compile_within_limits(&cell.played.combat, CompiledContestLimits::default())
            .expect("small")
            .reached_state_count();
    let ratio = forecast.states / states as f64;
    assert!((1.0 / 3.0..=3.0).contains(&ratio), "{ratio} {forecast:?} {states}");
}
