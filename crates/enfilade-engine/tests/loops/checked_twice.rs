//! Best play in loops, checked by a second method: value iteration from both ends finds no gap.

use crate::decided::{Decided, choice, one_goal, race, salvage, two_shows};
use crate::games::Game;
use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_engine::error::SolveError;
use enfilade_engine::graph::CompiledContestLimits;
use enfilade_engine::graph::strategy::{best_play_cross_check_gap, solve_best_play};
use enfilade_model::combat::{AnyCombat, MeanDirection};

fn gap(decided: Decided, halt: &CancelToken) -> Result<Option<f64>, SolveError> {
    let limits = CompiledContestLimits::default();
    best_play_cross_check_gap(&AnyCombat::new(decided), &limits, halt)
}

/// The values are those that are known from elsewhere: 137168/16807, 16/21, 64/95.
#[test]
fn value_iteration_finds_no_gap() {
    for (decided, value) in [
        (salvage(1, 12), 137_168.0 / 16_807.0),
        (race(3, one_goal), 16.0 / 21.0),
        (race(6, two_shows), 64.0 / 95.0),
    ] {
        assert_eq!(gap(decided, &NEVER_CANCELLED), Ok(Some(0.0)));
        let combat = AnyCombat::new(decided);
        let limits = CompiledContestLimits::default();
        let found = solve_best_play(&combat, &limits, &|_, _| None, &NEVER_CANCELLED);
        let mean = found.expect("it is solved").means[0];
        assert!((mean - value).abs() < 1e-12, "{mean} {value}");
    }
}

/// The first wants the sum of both choices high, the second wants it odd.
#[test]
fn players_with_different_goals_are_not_checked() {
    let decided = Decided {
        game: Game {
            open: [0; 4],
            numbers: [0; 2],
            step: |_, [turn, sum, ..], dice| {
                [turn + 1, sum + i16::from(dice.choose(turn as u8, 2)), 0, 0]
            },
            over: |_, [turn, sum, ..]| (turn == 2).then_some(sum.into()),
        },
        decisions: || {
            let who = |goal| choice(["one", "two"], goal, MeanDirection::Highest);
            vec![who("end"), who("odd")]
        },
    };
    assert_eq!(gap(decided, &NEVER_CANCELLED), Ok(None));
}

#[test]
fn a_check_that_is_cancelled_has_no_gap() {
    let halt = CancelToken::new();
    halt.cancel();
    assert_eq!(gap(salvage(1, 12), &halt), Err(SolveError::Cancelled));
}
