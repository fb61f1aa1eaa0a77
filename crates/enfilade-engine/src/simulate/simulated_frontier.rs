//! Simulated odds without a graph: numbers of trials pushed along the frontier of states.
//!
//! Where many trials meet in a state, their dice are counted in vectors as in the resolver; few
//! trials are rolled one by one. A state with one trial in it takes one run of its step, so this
//! never costs much more than playing, and far less where trials meet.

use std::collections::{BTreeMap, BTreeSet};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::resolver::{DiceRolledWithoutGraph, RandomByteGenerator};
use super::rng::{
    GeneratorLanes, InstructionSet, ROW_BYTES, VectorKernel, VectorOps, dispatch_kernel,
};
use super::trial_chunks::TRIALS_PER_CHUNK;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::frontier::{
    self, FrontierLimits, OutcomeWeightSplit, PropagatedWeightKind, StateWeightSum, Throw,
    TrialsPlayedOnAlone,
};
use crate::random_stream::ContestRandomStream;
use crate::work_units::{MergeableUnitResult, PartialWorkResult, run_remaining_units};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::dice::Dice;

/// Number of trials by ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialsByEnding {
    /// Trials by ending; endings that never came up are not listed.
    pub endings: BTreeMap<Ending, u64>,
    /// Number of trials that were not over after the last frontier step.
    pub unsettled: u64,
    /// Sum of the tallies of all trials, by counter.
    pub tallies: Vec<i128>,
}

impl TrialsByEnding {
    /// Returns the number of trials.
    pub fn trial_count(&self) -> u64 {
        self.endings.values().sum::<u64>() + self.unsettled
    }
}

impl MergeableUnitResult for TrialsByEnding {
    fn merge(&mut self, other: TrialsByEnding) {
        for (ending, count) in other.endings {
            *self.endings.entry(ending).or_insert(0) += count;
        }
        self.unsettled += other.unsettled;
        add_tally_sums(&mut self.tallies, &other.tallies);
    }
}

fn add_tally_sums(sums: &mut Vec<i128>, more: &[i128]) {
    sums.resize(sums.len().max(more.len()), 0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Resumes a simulation of which the chunks of [`TRIALS_PER_CHUNK`] trials in `start` are finished,
/// as [`resume_unfinished_simulation`](super::resume_unfinished_simulation) does with a graph.
///
/// `combat` must have no decisions; one with a
/// [recorded_rule_fault](AnyCombat::recorded_rule_fault) is given up.
pub fn resume_frontier_simulation(
    combat: &AnyCombat,
    trials: u64,
    stream: &ContestRandomStream,
    isa: InstructionSet,
    start: PartialWorkResult<TrialsByEnding>,
    halt: &CancelToken,
    on_progress: &(dyn Fn(&PartialWorkResult<TrialsByEnding>, u64) -> bool + Sync),
) -> PartialWorkResult<TrialsByEnding> {
    let size = |index| TRIALS_PER_CHUNK.min(trials - index * TRIALS_PER_CHUNK);
    let chunk = |index| {
        // The number of states needs no limit: no more wait than there are trials in a chunk.
        let terms = FrontierLimits { states: Some(usize::MAX), halt, on_step: &|_| true };
        let (tallies, tables) = (vec![0; combat.counter_count()], Mutex::default());
        let mut push = ChunkFrontierPropagation { stream, isa, chunk: index, tallies, tables };
        simulate_chunk_to_endings(combat, size(index), &mut push, &terms).ok()
    };
    run_remaining_units(trials.div_ceil(TRIALS_PER_CHUNK), start, chunk, |part, index| {
        on_progress(part, size(index))
    })
}

fn simulate_chunk_to_endings(
    combat: &AnyCombat,
    trials: u64,
    push: &mut ChunkFrontierPropagation<'_>,
    terms: &FrontierLimits<'_>,
) -> Result<TrialsByEnding, SolveError> {
    let result = frontier::propagate_to_endings(combat, push, TrialCount(trials), terms)?;
    let endings = result.endings.into_iter().map(|(ending, TrialCount(count))| (ending, count));
    let tallies = std::mem::take(&mut push.tallies);
    Ok(TrialsByEnding { endings: endings.collect(), unsettled: result.open.0, tallies })
}

/// Number of trials.
#[derive(Clone, Copy, Default)]
struct TrialCount(u64);

impl StateWeightSum for TrialCount {
    fn merge_weight(&mut self, other: &Self) {
        self.0 += other.0;
    }
}

/// Number of trials that are played on instead of merged after every step. Up to 16 of them make no
/// measurable difference (`reports/benchmarks.md`).
const MAX_TRIALS_PLAYED_ON: u64 = 3;

/// Propagation of a chunk of trials.
struct ChunkFrontierPropagation<'a> {
    stream: &'a ContestRandomStream,
    isa: InstructionSet,
    chunk: u64,
    tallies: Vec<i128>,
    /// Tables of finished batches: the next ones need the same.
    tables: Mutex<Vec<LazyDiceTables>>,
}

impl PropagatedWeightKind for ChunkFrontierPropagation<'_> {
    type StateWeight = TrialCount;
    type StateWeightSplit = RollingTrialSplitter;

    fn new_batch_split(&self, wave: u64, piece: u64) -> RollingTrialSplitter {
        // Chunk, step and batch each have separate bits in the number.
        let index = self.chunk << 40 | wave << 20 | piece;
        let lanes =
            GeneratorLanes::new(|lane| self.stream.generator_key_for_unit("waves", index, lane));
        let bytes = RandomBytesAndDice::new(self.isa, lanes);
        let tables = self.tables.lock().pop().unwrap_or_default();
        let tallies = vec![0; self.tallies.len()];
        RollingTrialSplitter { bytes, tables, tallies, passing: Vec::new(), shown: Vec::new() }
    }

    fn collect_batch_side_results(&mut self, split: RollingTrialSplitter) {
        add_tally_sums(&mut self.tallies, &split.tallies);
        self.tables.get_mut().push(split.tables);
    }

    fn is_weight_negligible(&self, open: &TrialCount) -> bool {
        open.0 == 0
    }
}

/// Number of rows of random bytes drawn at a time for dice that are rolled one by one.
const BYTE_ROWS_PER_DRAW: usize = 8;

/// Number of trials from which on they are counted in vectors; below it, most of a block of bytes
/// would be wasted.
const MIN_VECTOR_TRIALS: u64 = 4096;

/// Split of trials by rolling their dice.
struct RollingTrialSplitter {
    bytes: RandomBytesAndDice,
    tables: LazyDiceTables,
    tallies: Vec<i128>,
    /// Work buffers: trials by value so far, and by the face of one more die.
    passing: Vec<u64>,
    shown: Vec<u64>,
}

/// No value: the byte is skipped.
const SKIPPED_BYTE: u8 = u8::MAX;

/// Index of the value that each byte shows; or [`SKIPPED_BYTE`].
type OutcomeByByte = Box<[u8; 256]>;

/// Tables of dice, each built on first use.
#[derive(Default)]
struct LazyDiceTables {
    faces: BTreeMap<u8, OutcomeByByte>,
    casts: LazyThrowTables,
}

/// Throws that have been looked up, with the index of their table, if they have one.
#[derive(Default)]
struct LazyThrowTables {
    places: FxHashMap<Throw, Option<usize>>,
    casts: Vec<OneByteThrowTable>,
    /// Most recent lookups: a few throws take turns.
    recent: [Option<(Throw, Option<usize>)>; MAX_RECENT_THROWS],
}

const MAX_RECENT_THROWS: usize = 16;

impl LazyThrowTables {
    fn lookup_throw_table(&mut self, throw: Throw) -> Option<&OneByteThrowTable> {
        let at = match throw {
            Throw::Reach(_, _, marks) => marks.wrapping_mul(HASH_MIX_FACTOR) >> 60,
            throw => throw.sides().into(),
        };
        // PERF: a rule throws the same few dice over and over; a look at the recent ones saves the
        // hash.
        let recent = &mut self.recent[at as usize % MAX_RECENT_THROWS];
        if let Some((known, place)) = recent
            && *known == throw
        {
            return self.casts.get((*place)?);
        }
        let place = *self.places.entry(throw).or_insert_with(|| {
            self.casts.push(OneByteThrowTable::build_if_small(throw)?);
            Some(self.casts.len() - 1)
        });
        *recent = Some((throw, place));
        self.casts.get(place?)
    }
}

/// Odd number without pattern: products with it spread over their high bits.
const HASH_MIX_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the table of the face that a byte shows, counted from 0.
fn find_or_build_face_table(tables: &mut BTreeMap<u8, OutcomeByByte>, sides: u8) -> &OutcomeByByte {
    tables.entry(sides).or_insert_with(|| {
        let width = 256 / usize::from(sides);
        let face = |byte: usize| u8::try_from(byte / width).ok().filter(|face| *face < sides);
        Box::new(std::array::from_fn(|byte| face(byte).unwrap_or(SKIPPED_BYTE)))
    })
}

/// Throw with so few outcomes that one byte determines the outcome.
struct OneByteThrowTable {
    table: OutcomeByByte,
    /// Possible values, the least first.
    values: Vec<u8>,
}

impl OneByteThrowTable {
    /// Builds the table in which each way of `throw` has the same number of bytes. Returns `None`
    /// if there are too many ways.
    fn build_if_small(throw: Throw) -> Option<OneByteThrowTable> {
        let (dice, sides) = (throw.number_of_dice().into(), usize::from(throw.sides()));
        let ways = sides.checked_pow(dice).filter(|ways| (1..=256).contains(ways))?;
        let mut shown = [None; 256];
        for (byte, value) in shown.iter_mut().enumerate().take(256 / ways * ways) {
            let face = |die: u32| (byte % ways / sides.pow(die) % sides + 1) as u8;
            let value_of = (0..dice).map(|die| throw.amount_added_by_face(face(die))).sum();
            *value = Some(
                u8::try_from(throw.least_equivalent_value(value_of))
                    .ok()
                    .filter(|value| *value < SKIPPED_BYTE)?,
            );
        }
        let values: BTreeSet<u8> = shown.iter().flatten().copied().collect();
        let values: Vec<u8> = values.into_iter().collect();
        let place = |value| values.binary_search(&value).map_or(SKIPPED_BYTE, |place| place as u8);
        Some(OneByteThrowTable {
            table: Box::new(shown.map(|value| value.map_or(SKIPPED_BYTE, place))),
            values,
        })
    }
}

/// Random bytes, and dice that are read from them.
struct RandomBytesAndDice {
    isa: InstructionSet,
    lanes: GeneratorLanes,
    block: [[u8; ROW_BYTES]; BYTE_ROWS_PER_DRAW],
    used: usize,
}

/// Number of values that are counted in four rows in turn; the last of a row is for skipped bytes.
const VALUES_PER_COUNT_ROW: usize = 16;

/// Number of dice from which on four rows pay off.
const MIN_DICE_FOR_FOUR_ROWS: u64 = 24;

impl RandomBytesAndDice {
    fn new(isa: InstructionSet, lanes: GeneratorLanes) -> Self {
        RandomBytesAndDice {
            isa,
            lanes,
            block: [[0; ROW_BYTES]; BYTE_ROWS_PER_DRAW],
            used: BYTE_ROWS_PER_DRAW * ROW_BYTES,
        }
    }

    /// Returns the next bytes, at most `most` and at least one.
    #[inline]
    fn next_bytes_up_to(&mut self, most: usize) -> &[u8] {
        if self.used == BYTE_ROWS_PER_DRAW * ROW_BYTES {
            dispatch_kernel(
                self.isa,
                RandomBytesFillKernel { lanes: &mut self.lanes, block: &mut self.block },
            );
            self.used = 0;
        }
        let from = self.used;
        self.used += most.min(BYTE_ROWS_PER_DRAW * ROW_BYTES - from);
        &self.block.as_flattened()[from..self.used]
    }

    /// Returns the index of the value that one throw shows.
    #[inline]
    fn roll_throw_outcome(&mut self, table: &OutcomeByByte) -> u8 {
        loop {
            for byte in self.next_bytes_up_to(1) {
                let place = table[usize::from(*byte)];
                if place != SKIPPED_BYTE {
                    return place;
                }
            }
        }
    }

    /// Adds to `shown`, by index of the value, how many of `throws` throws show it.
    fn count_throw_outcomes(&mut self, table: &OutcomeByByte, throws: u64, shown: &mut [u64]) {
        if throws >= MIN_DICE_FOR_FOUR_ROWS && shown.len() < VALUES_PER_COUNT_ROW {
            return self.count_by_four_histograms(table, throws, shown);
        }
        for _ in 0..throws {
            shown[usize::from(self.roll_throw_outcome(table))] += 1;
        }
    }

    /// Counts like `places`, in four rows.
    // PERF: four counters in turn, because one that has just been written cannot be read at once.
    fn count_by_four_histograms(&mut self, table: &OutcomeByByte, throws: u64, shown: &mut [u64]) {
        // PERF: four tables, because equal places in a row would wait for each other's sum in one.
        let mut counts = [[0_u32; VALUES_PER_COUNT_ROW]; 4];
        let mut left = throws;
        while left > 0 {
            let skipped = |seen: &[[u32; VALUES_PER_COUNT_ROW]; 4]| -> u32 {
                seen.iter().map(|s| s[VALUES_PER_COUNT_ROW - 1]).sum()
            };
            let before = skipped(&counts);
            let bytes = self.next_bytes_up_to(usize::try_from(left).unwrap_or(usize::MAX));
            let at = |byte: u8| usize::from(table[usize::from(byte)]).min(VALUES_PER_COUNT_ROW - 1);
            let (fours, rest) = bytes.as_chunks::<4>();
            for four in fours {
                for (counts, &byte) in counts.iter_mut().zip(four) {
                    counts[at(byte)] += 1;
                }
            }
            rest.iter().for_each(|&byte| counts[0][at(byte)] += 1);
            left -= bytes.len() as u64;
            left += u64::from(skipped(&counts) - before);
        }
        for (place, shown) in shown.iter_mut().enumerate() {
            *shown += u64::from(counts.iter().map(|seen| seen[place]).sum::<u32>());
        }
    }

    /// Fills `shown`, by face from 0, with the number of dice that show it.
    fn count_dice_by_face(
        &mut self,
        sides: u8,
        trials: u64,
        tables: &mut BTreeMap<u8, OutcomeByByte>,
        shown: &mut Vec<u64>,
    ) {
        shown.clear();
        shown.resize(sides.into(), 0);
        if trials >= MIN_VECTOR_TRIALS {
            dispatch_kernel(
                self.isa,
                DiceRolledWithoutGraph { bytes: &mut self.lanes, trials, shown },
            );
            return;
        }
        self.count_throw_outcomes(find_or_build_face_table(tables, sides), trials, shown);
    }

    /// Fills `passing`, by value, with the number of trials of a throw that reach it. The trials
    /// roll die by die, all those with the same value together.
    fn count_trials_by_throw_total(
        &mut self,
        throw: Throw,
        trials: u64,
        tables: &mut BTreeMap<u8, OutcomeByByte>,
        (passing, shown): (&mut [u64], &mut Vec<u64>),
    ) {
        passing[0] = trials;
        for _ in 0..throw.number_of_dice() {
            // From the highest, so that no trial rolls a die twice: a face adds nothing or more.
            for value in (0..passing.len()).rev() {
                let here = std::mem::take(&mut passing[value]);
                if here == 0 {
                    continue;
                }
                self.count_dice_by_face(throw.sides(), here, tables, shown);
                for (face, &shown) in (1..=throw.sides()).zip(&*shown) {
                    passing[value + usize::from(throw.amount_added_by_face(face))] += shown;
                }
            }
        }
        for value in 0..passing.len() {
            let here = std::mem::take(&mut passing[value]);
            passing[usize::from(throw.least_equivalent_value(value as u16))] += here;
        }
    }
}

impl RollingTrialSplitter {
    fn add_to_tally_sum(&mut self, counter: u8, amount: i128) {
        if let Some(sum) = self.tallies.get_mut(usize::from(counter)) {
            *sum += amount;
        }
    }
}

impl OutcomeWeightSplit for RollingTrialSplitter {
    type StateWeight = TrialCount;

    fn split_over_throw(
        &mut self,
        TrialCount(trials): TrialCount,
        throw: Throw,
        into: &mut Vec<(u16, TrialCount)>,
    ) {
        let RollingTrialSplitter {
            bytes,
            tables: LazyDiceTables { faces, casts },
            passing,
            shown,
            ..
        } = self;
        passing.clear();
        let few = if trials < MIN_VECTOR_TRIALS { casts.lookup_throw_table(throw) } else { None };
        if let Some(OneByteThrowTable { table, values }) = few {
            passing.resize(values.len(), 0);
            bytes.count_throw_outcomes(table, trials, passing);
            let passing_values = values.iter().zip(&*passing).filter(|(_, trials)| **trials > 0);
            into.extend(passing_values.map(|(&value, &trials)| (value.into(), TrialCount(trials))));
            return;
        }
        passing.resize(throw.max_value() + 1, 0);
        bytes.count_trials_by_throw_total(throw, trials, faces, (passing, shown));
        let passing_values = (0..).zip(&*passing).filter(|(_, trials)| **trials > 0);
        into.extend(passing_values.map(|(value, &trials)| (value, TrialCount(trials))));
    }

    fn as_few_trials(
        &mut self,
        &TrialCount(trials): &TrialCount,
    ) -> Option<TrialsPlayedOnAlone<'_, TrialCount>> {
        (trials <= MAX_TRIALS_PLAYED_ON).then_some(TrialsPlayedOnAlone {
            trials,
            one: TrialCount(1),
            dice: self,
        })
    }

    fn weight_after_step_tallies(&mut self, load: TrialCount, tallied: &[(u8, i64)]) -> TrialCount {
        for &(counter, amount) in tallied {
            self.add_to_tally_sum(counter, i128::from(amount) * i128::from(load.0));
        }
        load
    }
}

/// Dice of a trial that is played alone.
impl Dice for RollingTrialSplitter {
    fn die(&mut self, sides: u8) -> u8 {
        self.bytes.roll_throw_outcome(find_or_build_face_table(&mut self.tables.faces, sides)) + 1
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        let LazyDiceTables { faces: known_faces, casts } = &mut self.tables;
        match casts.lookup_throw_table(Throw::Sum(count, sides)) {
            Some(OneByteThrowTable { table, values }) => {
                values[usize::from(self.bytes.roll_throw_outcome(table))].into()
            }
            None => {
                let table = find_or_build_face_table(known_faces, sides);
                (0..count).map(|_| u16::from(self.bytes.roll_throw_outcome(table)) + 1).sum()
            }
        }
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.add_to_tally_sum(counter, amount.into());
    }
}

/// Kernel that fills a block of bytes.
struct RandomBytesFillKernel<'a> {
    lanes: &'a mut GeneratorLanes,
    block: &'a mut [[u8; ROW_BYTES]; BYTE_ROWS_PER_DRAW],
}

impl VectorKernel for RandomBytesFillKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: VectorOps>(self, vector: V) {
        RandomByteGenerator::fill_block(self.lanes, vector, self.block);
    }
}
