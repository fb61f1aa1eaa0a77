//! Counts of trials that go round, and that jump, compared with the known values of the games.

use crate::games::{Game, duel, front, jam, run};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::exact::{independent_check, solve_graph_distribution};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{
    EndingCounts, InstructionSet, RollableDieGraph, WorkUnit, simulate_trials,
};

const TRIALS: u64 = 1 << 20;

fn counts(plan: &RollableDieGraph) -> EndingCounts {
    let stream = ContestRandomStream { seed: 41, fingerprint: [7; 32] };
    simulate_trials(plan, TRIALS, &stream, InstructionSet::widest_available(), &|_| true)
        .expect("nobody stops it")
}

/// Returns the distance of a mean of trials from the known one, in standard errors.
fn away(sum: i128, mean: f64, variance: f64) -> f64 {
    let n = TRIALS as f64;
    (sum as f64 / n - mean) / (variance / n).sqrt()
}

/// One round in 10 000, and one in 64 million, does not return: no trial waits for them.
#[test]
fn who_would_wait_for_long_jumps() {
    let graph = run(10, 4).graph();
    let plan = RollableDieGraph::new(&graph);
    assert_eq!(plan.loop_exit_jump_count(), 1);
    let found = counts(&plan);
    assert_eq!((found.unsettled, found.endings[0]), (0, TRIALS));
    let z = away(found.tallies[0], 11_110.0, 123_356_790.0);
    assert!(z.abs() < 5.0, "{z}");
    let graph = run(20, 6).graph();
    let found = counts(&RollableDieGraph::new(&graph));
    assert_eq!(found.unsettled, 0);
    let mean = 67_368_420.0;
    // For a rare end the variance is nearly the square of the mean.
    let z = away(found.tallies[0], mean, mean * mean);
    assert!(z.abs() < 5.0, "{z}");
}

/// Nearly all trials go round once more, and nothing of a round is kept that was stopped.
#[test]
fn a_unit_that_is_stopped_while_trials_go_round_has_no_counts() {
    let plan = RollableDieGraph::from_graph_with_loop_jumps(&run(10, 3).graph(), 0.0);
    let stream = ContestRandomStream { seed: 41, fingerprint: [7; 32] };
    let unit = WorkUnit::from_index(0, TRIALS);
    let isa = InstructionSet::widest_available();
    let stopped = CancelToken::new();
    let whole = unit.roll_work_unit(&plan, &stream, isa, &stopped);
    assert_eq!(whole.map(|counts| (counts.unsettled, counts.endings[0])), Some((0, TRIALS)));
    stopped.cancel();
    assert_eq!(unit.roll_work_unit(&plan, &stream, isa, &stopped), None);
}

/// Three 10s in a row: one round in 1 000 is left, so that it can be rolled as well.
#[test]
fn jumps_and_rounds_come_to_the_same() {
    let graph = run(10, 3).graph();
    let moments = solve_graph_distribution(&graph).tallies[0];
    for (rare, jumps) in [(1.0 / 512.0, 1), (0.0, 0)] {
        let plan = RollableDieGraph::from_graph_with_loop_jumps(&graph, rare);
        assert_eq!(plan.loop_exit_jump_count(), jumps);
        let found = counts(&plan);
        let z = away(found.tallies[0], 1_110.0, moments.variance);
        assert!(z.abs() < 5.0 && found.unsettled == 0, "{z}");
    }
}

/// Game left by a rare door to one of two endings, or into a second loop, with a tally on the way
/// out.
const DOORS: Game = Game {
    open: [0; 4],
    numbers: [0; 2],
    step: |_, [at, ..], dice| {
        if at == 1 {
            return [[1, 1, 2, 2, 3, 3][usize::from(dice.die(6)) - 1], 0, 0, 0];
        }
        dice.tally(0, 1);
        if dice.die(100) > 1 || dice.die(20) > 1 {
            return [0; 4];
        }
        let face = dice.die(6);
        if face == 6 {
            dice.tally(0, 1000);
        }
        [[2, 2, 3, 1, 1, 1][usize::from(face) - 1], 0, 0, 0]
    },
    over: |_, [at, ..]| (at > 1).then_some(i32::from(at)),
};

/// By hand: 2/6 at once and half of 3/6 later end with 2, and 1/6 with 1/4 with 3; 2 000 rounds in
/// the mean, and a sixth of 1 000 more.
#[test]
fn what_a_jump_leaves_by_and_tallies_is_right() {
    let graph = DOORS.graph();
    let exact = solve_graph_distribution(&graph);
    assert!((exact.probabilities[0] - 7.0 / 12.0).abs() < 1e-15);
    let mean = 2_000.0 + 1_000.0 / 6.0;
    assert!((exact.tallies[0].mean / mean - 1.0).abs() < 1e-13);
    let plan = RollableDieGraph::new(&graph);
    assert_eq!(plan.loop_exit_jump_count(), 1);
    let found = counts(&plan);
    let (n, p) = (TRIALS as f64, 7.0 / 12.0);
    let z = (found.endings[0] as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
    assert!(z.abs() < 5.0, "{z}");
    let z = away(found.tallies[0], mean, exact.tallies[0].variance);
    assert!(z.abs() < 5.0 && found.unsettled == 0, "{z}");
}

/// A round tallies one in half of the cases: the rounds before a jump are split over their paths.
#[test]
fn ways_back_that_tally_differently_are_split() {
    let game = Game {
        step: |_, _, dice| {
            if dice.die(2) == 1 {
                dice.tally(0, 1);
            }
            [i16::from(dice.die(100) == 1 && dice.die(100) == 1), 0, 0, 0]
        },
        over: |_, [at, ..]| (at == 1).then_some(1),
        ..jam()
    };
    let graph = game.graph();
    let plan = RollableDieGraph::new(&graph);
    assert_eq!(plan.loop_exit_jump_count(), 1);
    let exact = solve_graph_distribution(&graph).tallies[0];
    assert!((exact.mean - 5_000.0).abs() < 1e-9);
    let z = away(counts(&plan).tallies[0], exact.mean, exact.variance);
    assert!(z.abs() < 5.0, "{z}");
}

/// A quarter never ends, and of a front that moves for long some trials are not over when they are
/// given up.
#[test]
fn what_never_ends_is_not_over() {
    let found = counts(&RollableDieGraph::new(&jam().graph()));
    let n = TRIALS as f64;
    let z = (found.unsettled as f64 - n / 4.0) / (n * 3.0 / 16.0).sqrt();
    assert!(z.abs() < 5.0, "{z}");
    let z = away(found.tallies[0], 1.5, 0.75);
    assert!(z.abs() < 5.0, "{z}");
    assert_eq!(found.trial_count(), TRIALS);
}

/// Computed by sweeps, and by doubled rounds: two methods that share nothing with the loop solver.
#[test]
fn other_ways_come_to_the_same_law() {
    for game in [
        run(10, 4),
        run(20, 6),
        front(20, false),
        front(12, true),
        duel(3, 100),
        duel(8, 20),
        jam(),
    ] {
        let graph = game.graph();
        let solved = solve_graph_distribution(&graph);
        let (swept, open) = independent_check::solve_by_many_rounds(&graph);
        for (p, least) in solved.probabilities.iter().zip(&swept) {
            assert!(*p >= least - 1e-12 && *p <= least + open + 1e-12, "{p} {least} {open}");
        }
        let doubled =
            independent_check::solve_by_doubling_rounds(&graph).expect("it has few ports");
        for (p, other) in solved.probabilities.iter().zip(&doubled) {
            assert!((p - other).abs() <= 1e-12 + 1e-16 * solved.steps, "{p} {other}");
        }
    }
}
