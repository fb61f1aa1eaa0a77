//! Loops in which players wait, built by hand: limits of their arithmetic, and waiting that costs
//! nothing.

use super::*;
use crate::cancel::NEVER_CANCELLED;
use decision_loop::LoopVertex;

const HIGH: Option<MaximizerOrMinimizer> = Some(MaximizerOrMinimizer::High);
const LOW: Option<MaximizerOrMinimizer> = Some(MaximizerOrMinimizer::Low);

fn inside(spot: u32) -> (LoopSpotOrOutside, u8) {
    (LoopSpotOrOutside::Inside(spot), 1)
}

fn out(target: u32) -> (LoopSpotOrOutside, u8) {
    (LoopSpotOrOutside::Out(target), 1)
}

/// Builds a loop whose first target outside is worth 1, and the second 0.
fn ring(spots: Vec<LoopVertex>) -> LoopOfDecisions {
    let worth = |number: i32| vec![Fraction::from(number)].into();
    LoopOfDecisions { spots, outs: vec![worth(1), worth(0)] }
}

/// Builds a coin that wins or leads to a decision: to toss again, or to lose.
fn coin() -> LoopOfDecisions {
    ring(vec![
        LoopVertex { sides: 2, edges: vec![inside(1), out(0)], decision: None },
        LoopVertex { sides: 1, edges: vec![inside(0), out(1)], decision: Some(0) },
    ])
}

fn deciders<'a>(
    ring: &'a LoopOfDecisions,
    sides: &'a [Option<MaximizerOrMinimizer>],
) -> LoopWithDeciders<'a> {
    LoopWithDeciders { ring, goal: 0, sides, span: 1.0, halt: &NEVER_CANCELLED }
}

#[test]
fn a_loop_of_too_many_products_has_no_worth_in_fractions() {
    let (ring, policy) = (coin(), vec![0, 0]);
    let worths = |most, halt: &CancelToken| {
        ring.compute_policy_worths::<Fraction>(&policy, 0, most, halt)
            .map(|found| found.map(|(worths, _)| worths))
    };
    // Who tosses again and again wins in the end.
    let sure = vec![Fraction::from(1); 2];
    assert_eq!(worths(usize::MAX, &NEVER_CANCELLED), Ok(Some(sure)));
    assert_eq!(worths(0, &NEVER_CANCELLED), Ok(None));
    let halt = CancelToken::new();
    halt.cancel();
    assert_eq!(worths(usize::MAX, &halt), Err(SolveError::Cancelled));
}

#[test]
fn a_policy_is_given_up_when_its_products_are_spent() {
    let ring = coin();
    let game = deciders(&ring, &[None, HIGH]);
    assert_eq!(game.iterate_to_best_policy::<Fraction>(vec![0, 1], 0), Ok(None));
    assert_eq!(game.iterate_to_best_policy::<Fraction>(vec![0, 1], 1 << 10), Ok(Some(vec![0, 0])));
}

/// One player may wait, win, or let the other go on, who would lose by going back. Waiting is worth
/// no more than to win, so the value is 1 whatever a game without end is worth.
#[test]
fn a_player_who_may_wait_for_ever_at_no_gain_wins() {
    let ring = ring(vec![
        LoopVertex { sides: 1, edges: vec![inside(0), out(0), inside(1)], decision: Some(0) },
        LoopVertex { sides: 1, edges: vec![inside(0), out(1)], decision: Some(1) },
    ]);
    let game = deciders(&ring, &[HIGH, LOW]);
    let nearest = ring.policy_towards_exit().expect("it has exits");
    assert_eq!(nearest, [1, 1]);
    assert!(!game.can_neither_side_prevent_end(&nearest));
    let found = game.iterate_to_best_policy::<Fraction>(nearest, usize::MAX);
    assert_eq!(found, Ok(Some(vec![1, 1])));
}
