//! Steps at the edge of what a rule may do, explored one by one.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::graph::DieGraph;
use enfilade_model::combat::{Combat, MeanDirection, OutcomeField, OutcomeVocabulary};

/// Rule of one step, which knows how often it was played before.
struct OneStep {
    open: Option<u8>,
    step: fn(usize, &mut dyn Dice) -> u8,
    plays: AtomicUsize,
}

impl Combat for OneStep {
    type State = Option<u8>;
    type Outcome = u8;

    fn initial_state(&self) -> Option<u8> {
        self.open
    }

    fn play_one_step(&self, _: Option<u8>, dice: &mut impl Dice) -> Option<u8> {
        Some((self.step)(self.plays.fetch_add(1, Ordering::Relaxed), dice))
    }

    fn outcome_if_over(&self, state: &Option<u8>) -> Option<u8> {
        *state
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("end", "how it ended", |end| i32::from(*end))],
            measures: vec![],
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        let which = Decision::new("which", "end", MeanDirection::Highest);
        vec![which.with_option("first").with_option("second")]
    }
}

/// Compiles a rule, and returns the values of its endings.
fn ends(
    open: Option<u8>,
    step: fn(usize, &mut dyn Dice) -> u8,
    states: usize,
) -> Result<Vec<i32>, SolveError> {
    let combat = AnyCombat::new(OneStep { open, step, plays: AtomicUsize::new(0) });
    let limits = CompiledContestLimits { states, ..CompiledContestLimits::default() };
    let graph = DieGraph::compile_within_limits(&combat, limits)?;
    Ok(graph.endings().iter().map(|ending| ending.fields[0]).collect())
}

#[test]
fn no_die_shows_more_than_its_sides() {
    let hits = |least| match least {
        7 => ends(None, |_, dice| dice.pool_sum_or_successes(2, 6, Some(7)) as u8, 9),
        _ => ends(None, |_, dice| dice.pool_sum_or_successes(2, 6, Some(6)) as u8, 9),
    };
    assert_eq!(hits(7), Ok(vec![0]));
    assert_eq!(hits(6), Ok(vec![0, 1, 2]));
}

#[test]
fn where_no_option_is_open_the_first_is_taken() {
    let step = |_, dice: &mut dyn Dice| dice.choose_among_open(0, 2, OpenOptions::from_bits(0));
    assert_eq!(ends(None, step, 9), Ok(vec![1]));
    // Of two open ones the second has the higher end.
    assert_eq!(ends(None, |_, dice| dice.choose(0, 2), 9), Ok(vec![2]));
}

#[test]
fn a_contest_that_is_over_at_once_is_one_state() {
    let why = ends(Some(4), |_, _| 0, 0).expect_err("one state is more than none");
    assert!(matches!(&why, SolveError::TooLarge(large) if large.what == "states"), "{why}");
    assert_eq!(ends(Some(4), |_, _| 0, 1), Ok(vec![4]));
}

#[test]
#[should_panic(expected = "a step depends on nothing but its state and the faces")]
fn a_die_that_has_other_sides_the_next_time_is_a_mistake_of_the_rule() {
    let _ = ends(None, |plays, dice| dice.die(if plays == 0 { 6 } else { 8 }), 99);
}

#[test]
#[should_panic(expected = "a step depends on nothing but its state and the faces")]
fn a_die_in_place_of_a_decision_is_a_mistake_of_the_rule() {
    let step = |plays, dice: &mut dyn Dice| match plays {
        0 => dice.choose(0, 2),
        _ => dice.die(2),
    };
    let _ = ends(None, step, 99);
}

#[test]
fn a_value_beyond_the_options_is_dropped() {
    let choice = DecisionVertex {
        decision: 0,
        open: OpenOptions::between(2, 4),
        options: vec![NextRollOrState::State(0); 3],
        chosen_option: 0,
        mixture: None,
        view: None,
    };
    assert_eq!(choice.fill_values_for_closed(3, [7, 8, 9].into_iter(), 0), [0, 7, 8]);
}
