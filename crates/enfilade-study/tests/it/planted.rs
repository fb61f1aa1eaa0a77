//! Small faults planted where a resolver can go wrong, and the gate that must catch each of them.
//!
//! Each goes in through a seam the code has anyway: the source of the bytes, the list of chunks,
//! the counts that are merged, the rule a graph is made from. Most move 0.1 percentage points of
//! probability; those that lose or invent trials are as small as one trial. Every way of planting
//! is also tried without a fault, and must pass.

use std::collections::BTreeMap;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::{
    self, Distribution, DistributionWithoutGraph, TallyMoments, solve_without_graph,
};
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::rng::{GeneratorLanes, ROW_BYTES, VectorOps, dispatch_kernel};
use enfilade_engine::simulate::{
    ChunkRollKernel, EndingCounts, InstructionSet, RandomByteGenerator, RollableDieGraph,
    TRIALS_PER_CHUNK, TrialsByEnding, resume_frontier_simulation, roll_whole_chunk,
};
use enfilade_engine::work_units::{MergeableUnitResult, PartialWorkResult, WorkUnitIndexSet};
use enfilade_model::combat::{AnyCombat, Combat, OutcomeVocabulary};
use enfilade_model::dice::Dice;
use enfilade_stats::agreement::AgreementVerdict;
use enfilade_study::cross_check::{
    FrontierEngineCheck, MAX_EXACT_ENGINE_GAP, TRIALS_SIMULATED, largest_graph_frontier_difference,
    test_counts_against_exact,
};

use crate::toys::{OneDie, Volley};

const CHUNKS: u64 = TRIALS_SIMULATED / TRIALS_PER_CHUNK;

const STREAM: ContestRandomStream = ContestRandomStream { seed: 3, fingerprint: [9; 32] };

fn compiled(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).expect("small")
}

/// The verdict of the gate on counts of a contest.
fn caught(law: &Distribution, counts: EndingCounts) -> bool {
    !test_counts_against_exact(law, counts.endings, counts.unsettled, TRIALS_SIMULATED).agrees()
}

// ---- Dice: other bytes than the generator's.

/// What happens to one byte, given its position in the stream.
type Change = fn(u64, &mut u8);

struct Changed {
    lanes: GeneratorLanes,
    position: u64,
    change: Change,
}

impl RandomByteGenerator for Changed {
    fn fill_block<V: VectorOps>(&mut self, vector: V, block: &mut [[u8; ROW_BYTES]]) {
        self.lanes.fill_rows(vector, block);
        for byte in block.as_flattened_mut() {
            (self.change)(self.position, byte);
            self.position += 1;
        }
    }
}

fn dice(sides: u8, change: Change) -> bool {
    let graph = compiled(&AnyCombat::new(OneDie(sides)));
    let plan = RollableDieGraph::new(&graph);
    let mut counts = EndingCounts::zero_for_endings(plan.number_of_endings());
    for index in 0..CHUNKS {
        let lanes =
            GeneratorLanes::new(|lane| STREAM.generator_key_for_unit("simulated", index, lane));
        let bytes = Changed { lanes, position: 0, change };
        let chunk = ChunkRollKernel {
            plan: &plan,
            trials: TRIALS_PER_CHUNK,
            bytes,
            jumps: None,
            halt: &NEVER_CANCELLED,
        };
        counts.add_counts(&dispatch_kernel(InstructionSet::widest_available(), chunk));
    }
    caught(&exact::solve_graph_distribution(&graph), counts)
}

/// A die of `SIDES` shows its first face 0.1 percentage points too often: of the bytes that show
/// another, 1 in 1000 · (SIDES − 1) / SIDES becomes one that shows the first.
fn loaded<const SIDES: u64>(position: u64, byte: &mut u8) {
    let width = (256 / SIDES) as u8;
    let shown = u64::from(*byte) < u64::from(width) * SIDES;
    if shown && position.is_multiple_of(1000 * (SIDES - 1) / SIDES) {
        *byte %= width;
    }
}

/// Bytes of a d6: 42 to a face, the last four are skipped.
const D6: u8 = 42;

const DICE: [(&str, u8, Change); 13] = [
    ("a loaded d2", 2, loaded::<2>),
    ("a loaded d4", 4, loaded::<4>),
    ("a loaded d6", 6, loaded::<6>),
    ("a loaded d8", 8, loaded::<8>),
    ("a loaded d10", 10, loaded::<10>),
    ("a loaded d12", 12, loaded::<12>),
    ("a loaded d20", 20, loaded::<20>),
    ("a loaded d100", 100, loaded::<100>),
    ("threes of a d6 read as fours", 6, |position, byte| {
        if *byte / D6 == 2 && position.is_multiple_of(167) {
            *byte += D6;
        }
    }),
    ("sixes of a d6 rolled again too often", 6, |position, byte| {
        if *byte / D6 == 5 && position.is_multiple_of(140) {
            *byte = 255;
        }
    }),
    ("no byte skipped: faces 1, 2, 4, 5 get one more", 6, |_, byte| {
        if *byte >= 6 * D6 {
            *byte = [0, 1, 3, 4][usize::from(*byte - 6 * D6)] * D6;
        }
    }),
    ("a bit that sticks in one byte of 500", 6, |position, byte| {
        if position.is_multiple_of(500) {
            *byte |= 0x80;
        }
    }),
    ("the end of a block is not filled", 6, |position, byte| {
        if position % 8192 >= 8192 - 10 {
            *byte = 0;
        }
    }),
];

#[test]
fn faults_of_the_dice_are_caught() {
    for sides in [2, 4, 6, 8, 10, 12, 20, 100] {
        assert!(!dice(sides, |_, _| ()), "honest d{sides}");
    }
    for (name, sides, change) in DICE {
        assert!(dice(sides, change), "{name}");
    }
}

// ---- Batches and merging: other chunks and other counts than were rolled.

fn volley() -> (DieGraph, Distribution) {
    let graph = compiled(&Volley::boxed(6, 3, 6, 5));
    let law = exact::solve_graph_distribution(&graph);
    (graph, law)
}

/// Which chunks are rolled, each with its number of trials.
type Batches = fn() -> Vec<(u64, u64)>;

const BATCHES: [(&str, Batches); 5] = [
    ("a lost batch", || whole().skip(1).collect()),
    ("a batch counted twice", || whole().chain([(0, TRIALS_PER_CHUNK)]).collect()),
    ("one stream for every batch", || whole().map(|(_, trials)| (0, trials)).collect()),
    ("a trial too few", || {
        whole().map(|(index, trials)| (index, trials - u64::from(index == 0))).collect()
    }),
    ("a trial too many", || whole().chain([(CHUNKS, 1)]).collect()),
];

fn whole() -> impl Iterator<Item = (u64, u64)> {
    (0..CHUNKS).map(|index| (index, TRIALS_PER_CHUNK))
}

fn rolled(graph: &DieGraph, batches: impl IntoIterator<Item = (u64, u64)>) -> EndingCounts {
    let plan = RollableDieGraph::new(graph);
    let mut counts = EndingCounts::zero_for_endings(plan.number_of_endings());
    for (index, trials) in batches {
        counts.add_counts(&roll_whole_chunk(
            &plan,
            &STREAM,
            index,
            trials,
            InstructionSet::widest_available(),
        ));
    }
    counts
}

#[test]
fn faults_of_the_batches_are_caught() {
    let (graph, law) = volley();
    assert!(!caught(&law, rolled(&graph, whole())));
    for (name, batches) in BATCHES {
        assert!(caught(&law, rolled(&graph, batches())), "{name}");
    }
}

/// What becomes of honest counts.
type Merging = fn(&mut EndingCounts);

const MERGED: [(&str, Merging); 6] = [
    ("two rows swapped", |counts| counts.endings.swap(2, 3)),
    ("one trial in a thousand booked a row too far", |counts| {
        let strayed = TRIALS_SIMULATED / 1000;
        counts.endings[2] -= strayed;
        counts.endings[3] += strayed;
    }),
    ("sums kept in 20 bits", |counts| {
        for count in &mut counts.endings {
            *count %= 1 << 20;
        }
    }),
    ("rows one off for one trial in 250", |counts| {
        let strayed: Vec<u64> = counts.endings.iter().map(|count| count / 250).collect();
        let rows = strayed.len();
        for (row, strayed) in strayed.into_iter().enumerate() {
            counts.endings[row] -= strayed;
            counts.endings[(row + 1) % rows] += strayed;
        }
    }),
    ("a trial that came to no end", |counts| {
        counts.endings[0] -= 1;
        counts.unsettled += 1;
    }),
    ("the likeliest row smoothed", |counts| {
        let shaved = counts.endings[2] / 400;
        counts.endings[2] -= shaved;
        counts.endings[1] += shaved;
    }),
];

#[test]
fn faults_of_the_merging_are_caught() {
    let (graph, law) = volley();
    let honest = rolled(&graph, whole());
    for (name, merged) in MERGED {
        let mut counts = honest.clone();
        merged(&mut counts);
        assert!(caught(&law, counts), "{name}");
    }
}

// ---- The graph: made from a rule that slips now and then.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// No slip at all: the rule with its dice of fate rolled and not heeded.
    None,
    ForgetsSave,
    SavesTwice,
    MissesShot,
    FiresTwice,
    WoundsTwice,
    HealsWound,
    TakesSixForOneHit,
    BeginsAgain,
}

const SLIPS: [Slip; 8] = [
    Slip::ForgetsSave,
    Slip::SavesTwice,
    Slip::MissesShot,
    Slip::FiresTwice,
    Slip::WoundsTwice,
    Slip::HealsWound,
    Slip::TakesSixForOneHit,
    Slip::BeginsAgain,
];

/// [`Volley`], in which one shot goes wrong now and then.
struct Slipping {
    volley: Volley,
    slip: Slip,
}

impl Slipping {
    fn boxed(slip: Slip) -> AnyCombat {
        let volley = Volley { shots: 6, hit: 3, save_sides: 6, save: 5 };
        AnyCombat::new(Slipping { volley, slip })
    }

    fn slipped(&self, (fired, wounds): (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
        let (next, after) = self.volley.play_one_step((fired, wounds), dice);
        match self.slip {
            Slip::None => (next, after),
            Slip::ForgetsSave => (next, wounds + u8::from(dice.die(6) >= 3)),
            Slip::SavesTwice => (next, after - u8::from(after > wounds && dice.die(6) >= 5)),
            Slip::MissesShot => (next, wounds),
            Slip::FiresTwice => (next, self.volley.play_one_step((fired, after), dice).1),
            Slip::WoundsTwice => (next, after + u8::from(after > wounds)),
            Slip::HealsWound => (next, wounds.saturating_sub(1)),
            Slip::TakesSixForOneHit => (next, after.min(wounds + 1)),
            Slip::BeginsAgain => (next, after - wounds),
        }
    }
}

impl Combat for Slipping {
    type State = (u8, u8);
    type Outcome = u8;

    fn initial_state(&self) -> (u8, u8) {
        self.volley.initial_state()
    }

    fn play_one_step(&self, state: (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
        // Slips that do little come once in 100 or 200 shots, the others once in 1000: each is so
        // large that the gate lets it pass in less than one of a million streams.
        let rarity = match self.slip {
            Slip::TakesSixForOneHit => 1,
            Slip::ForgetsSave | Slip::SavesTwice => 2,
            _ => 10,
        };
        let fate = (dice.die(100), dice.die(rarity));
        if fate == (100, rarity) {
            self.slipped(state, dice)
        } else {
            self.volley.play_one_step(state, dice)
        }
    }

    /// No more wounds than six shots can do: an outcome the rule does not have would be noticed
    /// without any statistics.
    fn outcome_if_over(&self, &(fired, wounds): &(u8, u8)) -> Option<u8> {
        self.volley.outcome_if_over(&(fired, wounds.min(12)))
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        self.volley.vocabulary()
    }
}

/// The counts, or the probabilities, of `graph` in the order of the outcomes of `honest`.
fn in_order_of<T: Copy + Default>(honest: &DieGraph, graph: &DieGraph, values: &[T]) -> Vec<T> {
    let place = |ending| graph.endings().iter().position(|other| other == ending);
    let value = |ending| place(ending).map_or(T::default(), |place| values[place]);
    honest.endings().iter().map(value).collect()
}

#[test]
fn faults_of_the_graph_are_caught() {
    let (honest, law) = volley();
    for slip in SLIPS.into_iter().chain([Slip::None]) {
        let graph = compiled(&Slipping::boxed(slip));
        let mut counts = rolled(&graph, whole());
        counts.endings = in_order_of(&honest, &graph, &counts.endings);
        let caught = caught(&law, counts);
        let tampered =
            in_order_of(&honest, &graph, &exact::solve_graph_distribution(&graph).probabilities);
        let moved = law.probabilities.iter().zip(&tampered);
        let moved: f64 = moved.map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
        assert!(moved < 0.005, "{slip:?} is no small fault: {moved}");
        assert_eq!(caught, slip != Slip::None, "{slip:?} moves {moved}");
    }
}

// ---- Waves: the same slips, and chunks that are lost or come twice.

fn waded(combat: &AnyCombat, start: PartialWorkResult<TrialsByEnding>) -> TrialsByEnding {
    let trials = TRIALS_SIMULATED;
    resume_frontier_simulation(
        combat,
        trials,
        &STREAM,
        InstructionSet::widest_available(),
        start,
        &NEVER_CANCELLED,
        &|_, _| true,
    )
    .sum
}

/// The verdict of the gate on trials that were counted in waves.
fn caught_in_waves(graph: &DieGraph, law: &Distribution, met: &TrialsByEnding) -> bool {
    let count = |ending| met.endings.get(ending).copied().unwrap_or(0);
    let counts = graph.endings().iter().map(count).collect();
    !test_counts_against_exact(law, counts, met.unsettled, TRIALS_SIMULATED).agrees()
}

#[test]
fn faults_of_the_waves_are_caught() {
    let (graph, law) = volley();
    let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
    for slip in SLIPS.into_iter().chain([Slip::None]) {
        let combat = Slipping::boxed(slip);
        let found = solve_without_graph(&combat, &terms).expect("small");
        let by_ending = found.endings.iter().zip(&found.law.probabilities);
        let exact: BTreeMap<_, _> = by_ending.map(|(ending, p)| (*ending, *p)).collect();
        let both = graph.endings().iter().zip(&law.probabilities);
        let apart = both.map(|(ending, p)| (p - exact.get(ending).copied().unwrap_or(0.0)).abs());
        assert_eq!(
            apart.fold(0.0, f64::max) > MAX_EXACT_ENGINE_GAP,
            slip != Slip::None,
            "{slip:?}"
        );
        let met = waded(&combat, PartialWorkResult::default());
        assert_eq!(caught_in_waves(&graph, &law, &met), slip != Slip::None, "{slip:?}");
    }
}

#[test]
fn lost_and_doubled_chunks_of_the_waves_are_caught() {
    let (graph, law) = volley();
    let combat = Volley::boxed(6, 3, 6, 5);
    let honest = waded(&combat, PartialWorkResult::default());
    assert!(!caught_in_waves(&graph, &law, &honest));
    let made = |chunks| PartialWorkResult {
        pieces: WorkUnitIndexSet::from_ranges(&[(0, chunks)]).expect("in order"),
        ..PartialWorkResult::default()
    };
    let lost = waded(&combat, made(1));
    assert!(caught_in_waves(&graph, &law, &lost));
    let mut doubled = honest.clone();
    doubled.merge(waded(&combat, made(CHUNKS - 1)));
    assert!(caught_in_waves(&graph, &law, &doubled));
}

/// The distance of a coin from what the waves found of it: the chance of heads and of tails, what
/// they left open, and the mean of its tally.
fn gap_of_coin(heads_and_tails: [f64; 2], unsettled: f64, means: [f64; 2]) -> f64 {
    let combat = AnyCombat::new(OneDie(2));
    let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
    let waves = solve_without_graph(&combat, &terms).expect("small");
    let tallies = means.map(|mean| vec![TallyMoments { mean, ..TallyMoments::default() }]);
    let [solved, waded] = tallies.map(|tallies| Distribution {
        tallies,
        probabilities: vec![0.5; 2],
        ..Distribution::default()
    });
    let waded = Distribution { probabilities: heads_and_tails.to_vec(), unsettled, ..waded };
    let waves = DistributionWithoutGraph { law: waded, ..waves };
    largest_graph_frontier_difference(&compiled(&combat), &solved, &waves)
}

#[test]
fn what_the_waves_leave_open_may_make_up_for_what_lacks_and_for_no_more() {
    assert_eq!(gap_of_coin([0.5, 0.5], 0.0, [3.0; 2]), 0.0);
    assert_eq!(gap_of_coin([0.5, 0.25], 0.25, [3.0; 2]), 0.0);
    assert_eq!(gap_of_coin([0.5, 0.25], 0.125, [3.0; 2]), 0.125);
    assert_eq!(gap_of_coin([0.625, 0.25], 0.125, [3.0; 2]), 0.125);
}

#[test]
fn large_means_of_tallies_are_compared_by_their_ratio() {
    assert_eq!(gap_of_coin([0.5, 0.5], 0.0, [0.5, 0.25]), 0.25);
    assert_eq!(gap_of_coin([0.5, 0.5], 0.0, [512.0, 513.0]), 1.0 / 512.0);
}

#[test]
fn one_comparison_of_the_waves_that_fails_is_enough() {
    let [agrees, differs] =
        [0.0, 2.0].map(|statistic| AgreementVerdict { statistic, threshold: 1.0, worst: None });
    let check = |gap, counts_verdict, tally| {
        let tallies = vec![agrees, tally];
        FrontierEngineCheck { gap, counts_verdict, tallies }.do_comparisons_agree()
    };
    assert!(check(MAX_EXACT_ENGINE_GAP, agrees, agrees));
    assert!(!check(2.0 * MAX_EXACT_ENGINE_GAP, agrees, agrees));
    assert!(!check(0.0, differs, agrees));
    assert!(!check(0.0, agrees, differs));
}

#[test]
fn there_are_at_least_two_dozen() {
    assert!(DICE.len() + BATCHES.len() + MERGED.len() + SLIPS.len() >= 24);
}
