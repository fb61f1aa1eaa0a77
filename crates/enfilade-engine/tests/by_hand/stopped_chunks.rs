//! Chunks that are stopped: no trial is lost, and those in progress stay where they are.

use super::*;
use crate::graph::copied_volleys::Volley;
use crate::simulate::rng::GeneratorLanes;

const TRIALS: u64 = 1 << 16;

/// Two gates in a row, each of which opens with one half.
struct TwoGates;

impl Combat for TwoGates {
    type State = u8;
    type Outcome = u8;

    fn initial_state(&self) -> u8 {
        0
    }

    fn play_one_step(&self, gate: u8, dice: &mut impl Dice) -> u8 {
        gate + dice.die(2) - 1
    }

    fn outcome_if_over(&self, gate: &u8) -> Option<u8> {
        (*gate == 2).then_some(2)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("gate", "", |&o| o.into())],
            measures: vec![],
        }
    }
}

fn rolled(combat: &AnyCombat, is_stopped: bool) -> EndingCounts {
    let graph =
        DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).expect("small");
    let halt = CancelToken::new();
    if is_stopped {
        halt.cancel();
    }
    let chunk = ChunkRollKernel {
        plan: &RollableDieGraph::new(&graph),
        trials: TRIALS,
        bytes: GeneratorLanes::new(|lane| [lane + 1; 32]),
        jumps: None,
        halt: &halt,
    };
    dispatch_kernel(InstructionSet::Baseline, chunk)
}

/// Returns the distance of a count from its mean, in standard errors.
fn away(count: u64, share: f64) -> f64 {
    let n = TRIALS as f64;
    (count as f64 - n * share) / (n * share * (1.0 - share)).sqrt()
}

/// Any of three shots hits with 1 − (5/6)³; before the first shot none has.
#[test]
fn a_stopped_volley_has_not_hit() {
    let volley = AnyCombat::new(Volley { shots: 3, jams: false });
    let whole = rolled(&volley, false).endings;
    assert!(whole[0] + whole[1] == TRIALS && away(whole[1], 91.0 / 216.0).abs() < 5.0, "{whole:?}");
    assert_eq!(rolled(&volley, true).endings, [TRIALS, 0]);
}

/// A loop that is stopped has had one round: half come to the second gate, a quarter through it.
#[test]
fn trials_of_a_stopped_loop_are_not_over() {
    let gates = AnyCombat::new(TwoGates);
    let whole = rolled(&gates, false);
    assert_eq!((whole.endings[0], whole.unsettled), (TRIALS, 0));
    let stopped = rolled(&gates, true);
    assert_eq!(stopped.endings[0] + stopped.unsettled, TRIALS);
    assert!(away(stopped.endings[0], 0.25).abs() < 5.0, "{}", stopped.endings[0]);
}
