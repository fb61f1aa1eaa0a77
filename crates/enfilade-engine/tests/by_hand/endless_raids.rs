//! Raids that may never end: in a state that leads to itself alone, and in a pit without a way out.

use super::raid_by_hand::{
    ENDLESS, LOST, WON, choice, declared, die, ending, gain_over, raid, with_best_mixtures,
};
use super::vertex_visits::{expected_vertex_visits, targets_by_chance};
use super::{
    NextRollOrState, TransitionSystem, VertexNumbers, find_strong_components,
    solve_and_redirect_choices,
};
use crate::cancel::NEVER_CANCELLED;

/// Who fails goes round for ever, which the raid counts as lost.
#[test]
fn a_raid_that_goes_round_for_ever_gains_nothing() {
    let solved = with_best_mixtures(raid(ENDLESS));
    let gain = |value| gain_over(&solved, &raid(ENDLESS), value);
    assert!(gain(8.0 / 15.0).abs() < 1e-12);
    assert!((gain(8.0 / 15.0 - 0.1) - 0.1).abs() < 1e-12);
    // The guard counts it as lost too, so it has no reply that surely holds the raid below.
    assert!(gain(8.0 / 15.0 + 0.1) < 0.0);
}

#[test]
fn a_state_that_leads_to_itself_alone_is_visited_once_for_each_trial_there() {
    let mut system = TransitionSystem {
        states: vec![None, None, None, Some(ENDLESS)],
        endings: vec![ending(0, 1), ending(1, 2)],
        ..TransitionSystem::default()
    };
    system.states[0] = Some(die(&mut system, &[ENDLESS, LOST, WON, WON]));
    let leads = |place| targets_by_chance(&system, place);
    let visits = expected_vertex_visits(&system, &find_strong_components(&system), &leads);
    let places = VertexNumbers::new(&system);
    let found = [LOST, WON, ENDLESS].map(|place| visits[places.index_of(place)]);
    assert_eq!(found, [0.25, 0.5, 0.25]);
}

/// Half of the trials come to two rooms that lead to each other, and to nothing else.
#[test]
fn a_loop_that_is_never_left_counts_each_trial_once_at_each_vertex() {
    let [first, second] = [3, 4].map(NextRollOrState::State);
    let mut system = TransitionSystem {
        states: vec![None; 5],
        endings: vec![ending(0, 1), ending(1, 2)],
        ..TransitionSystem::default()
    };
    system.states[0] = Some(die(&mut system, &[first, second, WON, LOST]));
    let beyond = [die(&mut system, &[second, first]), die(&mut system, &[first, second, second])];
    (system.states[3], system.states[4]) = (Some(beyond[0]), Some(beyond[1]));
    let leads = |place| targets_by_chance(&system, place);
    let visits = expected_vertex_visits(&system, &find_strong_components(&system), &leads);
    let places = VertexNumbers::new(&system);
    let found = [LOST, WON, first, second, beyond[0], beyond[1]];
    let found = found.map(|place| visits[places.index_of(place)]);
    assert_eq!(found, [0.25, 0.25, 0.5, 0.5, 0.5, 0.5]);
}

/// Both options of the pit stay there, which is worth 0 to either player; outside the raid wins or
/// loses.
#[test]
fn a_pit_without_a_way_out_is_worth_nothing() {
    for (end, means, option) in [(1, [0.0, 1.0], 2), (-1, [0.0, -1.0], 1)] {
        let pit = NextRollOrState::State(3);
        let mut system = TransitionSystem {
            states: vec![
                Some(NextRollOrState::Choice(0)),
                None,
                None,
                Some(NextRollOrState::Choice(1)),
            ],
            endings: vec![ending(0, 1), ending(end, 2)],
            choices: vec![choice(0, [pit, WON]), choice(0, [pit, pit])],
            ..TransitionSystem::default()
        };
        let solved = solve_and_redirect_choices(&mut system, &declared(), &NEVER_CANCELLED)
            .expect("it is solved");
        assert_eq!((solved.options[0].option, &*solved.options[0].means), (option, &means[..]));
        assert_eq!(&*solved.options[1].means, &[0.0, 0.0]);
        assert_eq!(solved.means[0], f64::from(end.max(0)));
    }
}
