//! The gate catches what it is there to catch: faults planted in dice, batches, streams and rows.
//!
//! Each fault goes in through a seam the code has anyway: other bytes, another list of chunks,
//! other counts, the law of another contest. The gate itself is the one that `enfilade verify` uses.

use enfilade::combat::AnyCombat;
use enfilade::exact::{self, Law};
use enfilade::graph::{DieGraph, Limits};
use enfilade::simulate::rng::{Lanes, Vector, dispatch};
use enfilade::simulate::{Bytes, CHUNK, Chunk, Counts, Isa, Plan, chunk, units};
use enfilade::stats::agreement;
use enfilade::stream::Stream;
use enfilade::study::solve::Unwatched;
use enfilade::study::verify::{BUDGET, Gate, judge, samples, verify};

use crate::toys::Volley;

/// As many trials as the gate simulates.
const CHUNKS: u64 = 32;
const TRIALS: u64 = CHUNKS * CHUNK;

const STREAM: Stream = Stream {
    seed: 3,
    fingerprint: [9; 32],
};

fn volley() -> (DieGraph, Law) {
    let graph = compiled(&Volley::boxed(6, 3, 6, 5));
    let law = exact::law(&graph);
    (graph, law)
}

fn compiled(combat: &AnyCombat) -> DieGraph {
    DieGraph::of(combat, Limits::default()).expect("small")
}

fn rolled(plan: &Plan, chunks: impl IntoIterator<Item = u64>) -> Counts {
    let mut counts = Counts::none(plan.endings());
    for index in chunks {
        counts.add(&chunk(plan, &STREAM, index, CHUNK, Isa::best()));
    }
    counts
}

fn agrees(law: &Law, counts: Counts) -> bool {
    judge(law, counts.endings, counts.unsettled, TRIALS).agrees()
}

#[test]
fn a_faultless_simulation_passes() {
    let (graph, law) = volley();
    assert!(agrees(&law, rolled(&Plan::new(&graph), 0..CHUNKS)));
}

/// Bytes of which one in about 1 000 is changed to a byte that shows a d6 its first face.
struct Loaded {
    lanes: Lanes,
    seen: u32,
}

impl Bytes for Loaded {
    fn fill<V: Vector>(&mut self, vector: V, block: &mut [u8]) {
        self.lanes.fill(vector, block);
        for byte in block {
            self.seen += 1;
            // A d6 shows its first face on bytes 0..=41; 5 of 6 changed bytes showed another
            // face before, so 1/830 of them is 0.1 percentage points more.
            if self.seen.is_multiple_of(830) && *byte < 252 {
                *byte %= 42;
            }
        }
    }
}

#[test]
fn loaded_dice_are_caught() {
    let (graph, law) = volley();
    let plan = Plan::new(&graph);
    let mut counts = Counts::none(plan.endings());
    for index in 0..CHUNKS {
        let lanes = Lanes::new(|lane| STREAM.key("simulated", index, lane));
        let chunk = Chunk {
            plan: &plan,
            trials: CHUNK,
            bytes: Loaded { lanes, seen: 0 },
        };
        counts.add(&dispatch(Isa::best(), chunk));
    }
    assert_eq!(counts.trials(), TRIALS);
    assert!(!agrees(&law, counts));
}

#[test]
fn a_lost_batch_is_caught() {
    let (graph, law) = volley();
    let plan = Plan::new(&graph);
    let mut counts = Counts::none(plan.endings());
    for unit in units(TRIALS).skip(1) {
        counts.add(&unit.run(&plan, &STREAM, Isa::best()));
    }
    assert!(!agrees(&law, counts));
}

#[test]
fn a_batch_counted_twice_is_caught() {
    let (graph, law) = volley();
    assert!(!agrees(
        &law,
        rolled(&Plan::new(&graph), (0..CHUNKS).chain([0]))
    ));
}

#[test]
fn a_repeated_stream_is_caught() {
    let (graph, law) = volley();
    let plan = Plan::new(&graph);
    assert!(!agrees(
        &law,
        rolled(&plan, std::iter::repeat_n(0, CHUNKS as usize))
    ));
}

#[test]
fn swapped_rows_are_caught() {
    let (graph, law) = volley();
    let mut counts = rolled(&Plan::new(&graph), 0..CHUNKS);
    counts.endings.swap(2, 3);
    assert!(!agrees(&law, counts));
}

#[test]
fn the_law_of_another_contest_is_caught() {
    let (graph, _) = volley();
    // The same number of outcomes, with saves on 6 in place of 5.
    let other = exact::law(&compiled(&Volley::boxed(6, 3, 6, 6)));
    assert!(!agrees(&other, rolled(&Plan::new(&graph), 0..CHUNKS)));
}

#[test]
fn an_impossible_outcome_is_caught() {
    let (graph, law) = volley();
    let mut counts = rolled(&Plan::new(&graph), 0..CHUNKS);
    counts.endings[0] -= 1;
    counts.unsettled += 1;
    assert!(!agrees(&law, counts));
}

#[test]
fn clean_replays_do_not_cry_wolf() {
    // Forty independent replays at a hundred times the false-alarm chance that would show: the
    // bound promises at most 1 % each, so three alarms would be very odd (binomial tail below 1 %).
    let (graph, law) = volley();
    let plan = Plan::new(&graph);
    let alarms = (0..40).filter(|&index| {
        let counts = chunk(&plan, &STREAM, index, CHUNK, Isa::best());
        !agreement::law(&counts.endings, CHUNK, &law.probabilities, 1e-2).agrees()
    });
    assert!(alarms.count() < 3);
}

#[test]
fn every_sample_agrees_all_three_ways_within_the_budget() {
    let cells = samples(None).expect("every sample fits its action");
    assert!(BUDGET.holds(), "{}", BUDGET.total());
    assert!(
        BUDGET
            .alarms
            .iter()
            .all(|alarm| cells.len() as u32 <= alarm.checks)
    );
    let gate = Gate {
        seed: 11,
        simulated: 1 << 22,
        played: 1 << 16,
        isa: Isa::best(),
    };
    let checks = verify(&cells, &gate, &Unwatched).expect("every sample can be compiled");
    assert_eq!(checks.len(), cells.len());
    for check in checks {
        assert!(check.agrees(), "{check:?}");
    }
}
