//! Doors so rare that trials jump to them, or too rare even for that; with a round that nobody
//! tallies, and with a way on which nobody comes back.

use crate::games::{Game, run};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{EndingCounts, InstructionSet, RollableDieGraph, simulate_trials};

const TRIALS: u64 = 1 << 16;

fn counts(plan: &RollableDieGraph) -> EndingCounts {
    let stream = ContestRandomStream { seed: 17, fingerprint: [5; 32] };
    simulate_trials(plan, TRIALS, &stream, InstructionSet::widest_available(), &|_| true)
        .expect("nobody stops it")
}

/// One door in 2 000 rounds, to a room on 1 of d3 and to another on 2 and 3.
#[test]
fn a_jump_without_tallies_leaves_by_the_right_doors() {
    let game = Game {
        open: [0; 4],
        numbers: [0; 2],
        step: |_, _, dice| {
            let is_door = dice.die(100) == 1 && dice.die(20) == 1;
            let room = if !is_door { 0 } else { i16::from(dice.die(3) > 1) + 1 };
            [room, 0, 0, 0]
        },
        over: |_, [room, ..]| (room > 0).then_some(room.into()),
    };
    let plan = RollableDieGraph::new(&game.graph());
    assert_eq!(plan.loop_exit_jump_count(), 1);
    let found = counts(&plan);
    assert_eq!((found.endings[0] + found.endings[1], found.unsettled), (TRIALS, 0));
    let n = TRIALS as f64;
    let z = (found.endings[0] as f64 - n / 3.0) / (n * 2.0 / 9.0).sqrt();
    assert!(z.abs() < 5.0, "{z}");
    assert!(found.tallies.iter().all(|tally| *tally == 0), "{:?}", found.tallies);
}

/// 250 to the power of −100 is a number of 64 bits, and to the power of −140 it is not.
#[test]
fn nobody_jumps_to_a_door_that_rounds_to_never() {
    for (row, jumps) in [(100, 1), (140, 0)] {
        let plan = RollableDieGraph::new(&run(250, row).graph());
        assert_eq!(plan.loop_exit_jump_count(), jumps, "{row}");
    }
}

/// A yard from which one of 10 000 goes to a hall, and one to a cell that leads to itself and to
/// the hall alone. From the hall a quarter leaves, a quarter goes to the cell, and half go back.
const YARD: Game = Game {
    open: [0; 4],
    numbers: [0; 2],
    step: |_, [at, ..], dice| {
        let to = match at {
            0 => {
                if dice.die(2) == 1 {
                    dice.tally(0, 1);
                }
                match dice.die(100) {
                    first @ 1..=2 if dice.die(100) == 1 => first.into(),
                    _ => 0,
                }
            }
            1 => [2, 3, 0, 0][usize::from(dice.die(4)) - 1],
            _ => i16::from(dice.die(2)),
        };
        [to, 0, 0, 0]
    },
    over: |_, [at, ..]| (at == 3).then_some(1),
};

/// By hand: one of three that reach the hall leaves before it is back in the yard, so a visit of
/// the yard is the last with 2/10 000 · 1/3 = 1/15 000. Half of the visits tally: 7 500 in all,
/// with a variance of 15 000/4 and a quarter of 15 000² − 15 000, which is 7 500².
#[test]
fn a_way_on_which_nobody_comes_back_tallies_nothing() {
    let plan = RollableDieGraph::new(&YARD.graph());
    assert_eq!(plan.loop_exit_jump_count(), 1);
    let found = counts(&plan);
    assert_eq!((found.endings[0], found.unsettled), (TRIALS, 0));
    let n = TRIALS as f64;
    let z = (found.tallies[0] as f64 / n - 7_500.0) / (7_500.0 / n.sqrt());
    assert!(z.abs() < 5.0, "{z}");
}
