//! How trials are counted: those that meet a condition, and the rounds of what is too large for a
//! graph.

use crate::texts::catalogue;
use enfilade_study::answer::Answer;
use enfilade_study::cross_check::{CrossCheckSettings, cells_of_sample, cross_check_cells};
use enfilade_study::experiment::{Experiment, SimulationStopRule};
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::{NoObserver, solve_experiment};

/// The answer of the action `a` of a text.
fn answer(text: &str, settings: impl Fn(SolverSettings) -> SolverSettings) -> Answer {
    let file = "[[contest]]\nsystem = 'g'\naction = 'a'\n";
    let experiment = Experiment::read_experiment_text(&catalogue(text), "g.toml", file);
    let experiment = experiment.unwrap_or_else(|error| panic!("{error}"));
    let settings = settings(SolverSettings::for_exact_only());
    solve_experiment(&experiment, &settings).expect("it is answered").remove(0)
}

/// Three hits come in one of eight trials, and are all losses in 8 of 27.
const SHOTS: &str = "game \"Shots\"
action a:
    hits = count(3d6 >= 4)
    lost = hits - count(hits d6 >= 5)
    show hits
    show lost
    measure m = chance(lost == 3 given hits == 3)
    measure n = mean(lost given hits == 3)
    measure p = chance(lost > 9 given hits > 3)
";

#[test]
fn a_precision_counts_the_trials_that_meet_the_condition() {
    let stop = SimulationStopRule::Precision(0.002);
    let found = answer(SHOTS, |settings| SolverSettings { stop, exact_only: false, ..settings });
    // 8/27 · 19/27 ÷ 0.002² is 52 126.2, and eight trials are made for each.
    assert_eq!(found.trials, 8 * 52_127);
    let interval = found.measures[0].simulated.expect("it was simulated");
    // 1.96 standard errors of 0.002 each way.
    let half = (interval.high - interval.low) / 2.0;
    assert!((half - 1.96 * 0.002).abs() < 1e-4, "{half}");
    assert!(found.measures[2].exact.is_none() && found.measures[2].simulated.is_none());
}

fn check(text: &str) -> enfilade_study::cross_check::CrossCheck {
    let catalogue = catalogue(text);
    let system = catalogue.rulebook_by_id("g").expect("it was read");
    let action = system.action("a").expect("it has this action");
    let cells = cells_of_sample(&catalogue, system, action, 0).expect("it fits");
    let gate = CrossCheckSettings {
        seed: 3,
        simulated: 1 << 20,
        played: 1 << 16,
        isa: enfilade_engine::simulate::InstructionSet::widest_available(),
    };
    cross_check_cells(&cells, &gate, &NoObserver).expect("it is checked").remove(0)
}

#[test]
fn measures_under_a_condition_are_checked_by_the_trials_that_meet_it() {
    let found = check(SHOTS);
    // A chance and a mean; no trial meets the third.
    assert_eq!((found.conditional.len(), found.first_steps), (2, None));
    assert!(found.do_all_engines_agree(), "{found:?}");
}

/// Pools, tallies before the first die, and a loop left in one of 100 000 rounds: nearly all trials
/// are given up, and agree with the law after as many steps.
#[test]
fn trials_that_are_given_up_agree_with_the_law_after_as_many_steps() {
    let text = "game \"Siege\"
action a:
    tally days
    wall = 3
    repeat:
        tally days
        blow = 3d6
        if blow == 18: wall -= 1
        if wall == 0: stop
        if count(2d100 >= 100) == 2: stop
    fell = wall == 0
    show fell
    show wall
    measure e_days = mean(days)
";
    let found = check(text);
    let verdict = found.first_steps.expect("its steps can be followed");
    assert!(verdict.agrees() && verdict.worst.is_some(), "{verdict:?}");
    assert!(found.simulated.agrees() && found.played.agrees(), "{found:?}");
}

/// Of 210 000 states one in 10 000 goes round.
#[test]
fn what_is_too_large_for_a_graph_says_that_its_rounds_are_counted() {
    let text = "game \"Wide\"
action a:
    x = d100
    y = d100
    z = d20
    if x == 1 and y == 1:
        repeat:
            if d100 == 1: stop
    show x
    show y
    show z
    measure e = mean(z)
";
    let found = answer(text, |settings| settings);
    let note = "endless and above 131072 states: counted out round by round; `--states 262144` keeps a graph of up to twice as many";
    assert_eq!(found.notes, [note]);
    let mean = found.measures[0].exact.expect("it is exact");
    assert!((mean - 10.5).abs() < 1e-9, "{mean}");
}
