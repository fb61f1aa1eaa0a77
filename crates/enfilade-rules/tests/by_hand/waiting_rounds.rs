//! Explanations that wait: how many may, and how many rounds are left out before a play is given
//! up.

use super::{DieState, ExplanationsAwaitingChange, MAX_ROUNDS, MAX_WAITING};
use crate::vm::snapshot::MAX_STATE_NUMBERS;
use enfilade_model::combat::CombatStepExplanation;
use enfilade_model::dice::RolledDie;

fn explained(rounds: &mut ExplanationsAwaitingChange, text: &str) {
    rounds.push_explanation(&[], CombatStepExplanation::new("1.0", text));
}

/// Whether to continue, and what was passed on; the listener stops after `most` explanations.
fn passed_on(rounds: &mut ExplanationsAwaitingChange, most: usize) -> (bool, Vec<String>) {
    let mut heard = Vec::new();
    let mut listen = |_: &[RolledDie], telling: CombatStepExplanation| {
        heard.push(telling.text.to_string());
        heard.len() < most
    };
    (rounds.pass_on_explanations_if_full(&mut listen), heard)
}

fn state(number: i16) -> DieState {
    DieState { slots: [number; MAX_STATE_NUMBERS], site: 0 }
}

#[test]
fn explanations_wait_until_there_are_too_many() {
    let mut rounds = ExplanationsAwaitingChange::default();
    for at in 1..MAX_WAITING {
        explained(&mut rounds, &at.to_string());
    }
    assert_eq!(passed_on(&mut rounds, usize::MAX), (true, Vec::new()));
    explained(&mut rounds, "last");
    let (goes_on, heard) = passed_on(&mut rounds, usize::MAX);
    assert!(goes_on);
    assert_eq!((heard.len(), heard.first().map(|one| &**one)), (MAX_WAITING, Some("1")));
    assert_eq!(heard.last().map(|one| &**one), Some("last"));
    // They were passed on once.
    assert_eq!(passed_on(&mut rounds, usize::MAX), (true, Vec::new()));
}

#[test]
fn a_listener_that_stops_ends_the_play() {
    let mut rounds = ExplanationsAwaitingChange::default();
    (0..MAX_WAITING).for_each(|_| explained(&mut rounds, "again"));
    let (goes_on, heard) = passed_on(&mut rounds, 3);
    assert_eq!((goes_on, heard.len()), (false, 3));
}

#[test]
fn a_play_in_which_nothing_changes_is_given_up() {
    let mut rounds = ExplanationsAwaitingChange::default();
    explained(&mut rounds, "first");
    // The first time is new, the second begins a round, and each further one is left out.
    for _ in 0..2 {
        rounds.collapse_round_if_unchanged(0, state(1), "1.0");
    }
    rounds.collapse_round_if_unchanged(0, state(1), "1.0");
    rounds.collapse_round_if_unchanged(0, state(1), "1.0");
    assert_eq!((rounds.left_out, rounds.waiting.len()), (2, 2));
    rounds.left_out = MAX_ROUNDS;
    let (goes_on, heard) = passed_on(&mut rounds, usize::MAX);
    assert!(!goes_on);
    assert_eq!(heard, ["first", "… 2 more rounds in which nothing changes"]);
}
