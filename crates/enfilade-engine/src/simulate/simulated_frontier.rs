//! Simulated odds without a graph: numbers of trials pushed along the frontier of states.
//!
//! Where many trials meet in a state, their dice are counted in vectors as in the resolver; few
//! trials are rolled one by one. A state with one trial in it takes one run of its step, so this
//! never costs much more than playing, and far less where trials meet.

use std::collections::{BTreeMap, BTreeSet};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::chunks::CHUNK_TRIALS;
use super::resolver::{DiceBatch, RandomBytes};
use super::rng::{Isa, Kernel, Lanes, ROW, Vector, dispatch};
use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::frontier::{
    self, FewTrials, FrontierLimits, Propagation, StateWeight, Throw, WeightSplit,
};
use crate::random_stream::RandomStream;
use crate::work_units::{Merge, PartialResult, resume_units};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::dice::Dice;

/// Number of trials by ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontierCounts {
    /// Trials by ending; endings that never came up are not listed.
    pub endings: BTreeMap<Ending, u64>,
    /// Number of trials that were not over after the last frontier step.
    pub unsettled: u64,
    /// Sum of the tallies of all trials, by counter.
    pub tallies: Vec<i128>,
}

impl FrontierCounts {
    /// Returns the number of trials.
    pub fn trial_count(&self) -> u64 {
        self.endings.values().sum::<u64>() + self.unsettled
    }
}

impl Merge for FrontierCounts {
    fn merge(&mut self, other: FrontierCounts) {
        for (ending, count) in other.endings {
            *self.endings.entry(ending).or_insert(0) += count;
        }
        self.unsettled += other.unsettled;
        add_sums(&mut self.tallies, &other.tallies);
    }
}

fn add_sums(sums: &mut Vec<i128>, more: &[i128]) {
    sums.resize(sums.len().max(more.len()), 0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Resumes a simulation of which the chunks of [`CHUNK_TRIALS`] trials in `start` are finished, as
/// [`resume`](super::resume) does with a graph.
///
/// `combat` must have no decisions; one with a [fault](AnyCombat::fault) is given up.
pub fn resume_frontier(
    combat: &AnyCombat,
    trials: u64,
    stream: &RandomStream,
    isa: Isa,
    start: PartialResult<FrontierCounts>,
    halt: &CancelToken,
    made: &(dyn Fn(&PartialResult<FrontierCounts>, u64) -> bool + Sync),
) -> PartialResult<FrontierCounts> {
    let size = |index| CHUNK_TRIALS.min(trials - index * CHUNK_TRIALS);
    let chunk = |index| {
        // The number of states needs no limit: no more wait than there are trials in a chunk.
        let terms = FrontierLimits { states: Some(usize::MAX), halt, on_step: &|_| true };
        let (tallies, tables) = (vec![0; combat.counter_count()], Mutex::default());
        let mut push = CountPropagation { stream, isa, chunk: index, tallies, tables };
        simulate_chunk(combat, size(index), &mut push, &terms).ok()
    };
    resume_units(trials.div_ceil(CHUNK_TRIALS), start, chunk, |part, index| made(part, size(index)))
}

fn simulate_chunk(
    combat: &AnyCombat,
    trials: u64,
    push: &mut CountPropagation<'_>,
    terms: &FrontierLimits<'_>,
) -> Result<FrontierCounts, SolveError> {
    let ended = frontier::run_frontier(combat, push, TrialCount(trials), terms)?;
    let endings = ended.endings.into_iter().map(|(ending, TrialCount(count))| (ending, count));
    let tallies = std::mem::take(&mut push.tallies);
    Ok(FrontierCounts { endings: endings.collect(), unsettled: ended.open.0, tallies })
}

/// Number of trials.
#[derive(Clone, Copy, Default)]
struct TrialCount(u64);

impl StateWeight for TrialCount {
    fn add(&mut self, other: &Self) {
        self.0 += other.0;
    }
}

/// Number of trials that are played on instead of merged after every step. Up to 16 of them make no
/// measurable difference (`reports/benchmarks.md`).
const FEW_TRIALS: u64 = 3;

/// Propagation of a chunk of trials.
struct CountPropagation<'a> {
    stream: &'a RandomStream,
    isa: Isa,
    chunk: u64,
    tallies: Vec<i128>,
    /// Tables of finished batches: the next ones need the same.
    tables: Mutex<Vec<DiceTables>>,
}

impl Propagation for CountPropagation<'_> {
    type Load = TrialCount;
    type Split = RollSplit;

    fn split(&self, wave: u64, piece: u64) -> RollSplit {
        // Chunk, step and batch each have separate bits in the number.
        let index = self.chunk << 40 | wave << 20 | piece;
        let lanes = Lanes::new(|lane| self.stream.generator_key("waves", index, lane));
        let bytes = ByteSource::new(self.isa, lanes);
        let tables = self.tables.lock().pop().unwrap_or_default();
        let tallies = vec![0; self.tallies.len()];
        RollSplit { bytes, tables, tallies, passing: Vec::new(), shown: Vec::new() }
    }

    fn gather(&mut self, split: RollSplit) {
        add_sums(&mut self.tallies, &split.tallies);
        self.tables.get_mut().push(split.tables);
    }

    fn is_negligible(&self, open: &TrialCount) -> bool {
        open.0 == 0
    }
}

/// Number of rows of random bytes drawn at a time for dice that are rolled one by one.
const ROWS: usize = 8;

/// Number of trials from which on they are counted in vectors; below it, most of a block of bytes
/// would be wasted.
const MANY_TRIALS: u64 = 4096;

/// Split of trials by rolling their dice.
struct RollSplit {
    bytes: ByteSource,
    tables: DiceTables,
    tallies: Vec<i128>,
    /// Work buffers: trials by value so far, and by the face of one more die.
    passing: Vec<u64>,
    shown: Vec<u64>,
}

/// No value: the byte is skipped.
const NONE: u8 = u8::MAX;

/// Index of the value that each byte shows; or [`NONE`].
type ByteTable = Box<[u8; 256]>;

/// Tables of dice, each built on first use.
#[derive(Default)]
struct DiceTables {
    faces: BTreeMap<u8, ByteTable>,
    casts: ThrowTables,
}

/// Throws that have been looked up, with the index of their table, if they have one.
#[derive(Default)]
struct ThrowTables {
    places: FxHashMap<Throw, Option<usize>>,
    casts: Vec<ThrowTable>,
    /// Most recent lookups: a few throws take turns.
    recent: [Option<(Throw, Option<usize>)>; RECENT_THROWS],
}

const RECENT_THROWS: usize = 16;

impl ThrowTables {
    fn lookup(&mut self, throw: Throw) -> Option<&ThrowTable> {
        let at = match throw {
            Throw::Reach(_, _, marks) => marks.wrapping_mul(MIX_FACTOR) >> 60,
            throw => throw.sides().into(),
        };
        // PERF: a rule throws the same few dice over and over; a look at the recent ones saves the
        // hash.
        let recent = &mut self.recent[at as usize % RECENT_THROWS];
        if let Some((known, place)) = recent
            && *known == throw
        {
            return self.casts.get((*place)?);
        }
        let place = *self.places.entry(throw).or_insert_with(|| {
            self.casts.push(ThrowTable::build(throw)?);
            Some(self.casts.len() - 1)
        });
        *recent = Some((throw, place));
        self.casts.get(place?)
    }
}

/// Odd number without pattern: products with it spread over their high bits.
const MIX_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the table of the face that a byte shows, counted from 0.
fn find_face_table(tables: &mut BTreeMap<u8, ByteTable>, sides: u8) -> &ByteTable {
    tables.entry(sides).or_insert_with(|| {
        let width = 256 / usize::from(sides);
        let face = |byte: usize| u8::try_from(byte / width).ok().filter(|face| *face < sides);
        Box::new(std::array::from_fn(|byte| face(byte).unwrap_or(NONE)))
    })
}

/// Throw with so few outcomes that one byte determines the outcome.
struct ThrowTable {
    table: ByteTable,
    /// Possible values, the least first.
    values: Vec<u8>,
}

impl ThrowTable {
    /// Builds the table in which each way of `throw` has the same number of bytes. Returns `None`
    /// if there are too many ways.
    fn build(throw: Throw) -> Option<ThrowTable> {
        let (dice, sides) = (throw.dice_count().into(), usize::from(throw.sides()));
        let ways = sides.checked_pow(dice).filter(|ways| (1..=256).contains(ways))?;
        let mut shown = [None; 256];
        for (byte, value) in shown.iter_mut().enumerate().take(256 / ways * ways) {
            let face = |die: u32| (byte % ways / sides.pow(die) % sides + 1) as u8;
            let value_of = (0..dice).map(|die| throw.face_value(face(die))).sum();
            *value = Some(
                u8::try_from(throw.representative(value_of)).ok().filter(|value| *value < NONE)?,
            );
        }
        let values: BTreeSet<u8> = shown.iter().flatten().copied().collect();
        let values: Vec<u8> = values.into_iter().collect();
        let place = |value| values.binary_search(&value).map_or(NONE, |place| place as u8);
        Some(ThrowTable { table: Box::new(shown.map(|value| value.map_or(NONE, place))), values })
    }
}

/// Random bytes, and dice that are read from them.
struct ByteSource {
    isa: Isa,
    lanes: Lanes,
    block: [[u8; ROW]; ROWS],
    used: usize,
}

/// Number of values that are counted in four rows in turn; the last of a row is for skipped bytes.
const PLACES: usize = 16;

/// Number of dice from which on four rows pay off.
const MIN_FOUR_ROWS: u64 = 24;

impl ByteSource {
    fn new(isa: Isa, lanes: Lanes) -> Self {
        ByteSource { isa, lanes, block: [[0; ROW]; ROWS], used: ROWS * ROW }
    }

    /// Returns the next bytes, at most `most` and at least one.
    #[inline]
    fn next_bytes(&mut self, most: usize) -> &[u8] {
        if self.used == ROWS * ROW {
            dispatch(self.isa, FillKernel { lanes: &mut self.lanes, block: &mut self.block });
            self.used = 0;
        }
        let from = self.used;
        self.used += most.min(ROWS * ROW - from);
        &self.block.as_flattened()[from..self.used]
    }

    /// Returns the index of the value that one throw shows.
    #[inline]
    fn next_value(&mut self, table: &ByteTable) -> u8 {
        loop {
            for byte in self.next_bytes(1) {
                let place = table[usize::from(*byte)];
                if place != NONE {
                    return place;
                }
            }
        }
    }

    /// Adds to `shown`, by index of the value, how many of `throws` throws show it.
    fn count_throws(&mut self, table: &ByteTable, throws: u64, shown: &mut [u64]) {
        if throws >= MIN_FOUR_ROWS && shown.len() < PLACES {
            return self.count_by_turns(table, throws, shown);
        }
        for _ in 0..throws {
            shown[usize::from(self.next_value(table))] += 1;
        }
    }

    /// Counts like `places`, in four rows.
    // PERF: four counters in turn, because one that has just been written cannot be read at once.
    fn count_by_turns(&mut self, table: &ByteTable, throws: u64, shown: &mut [u64]) {
        // PERF: four tables, because equal places in a row would wait for each other's sum in one.
        let mut seen = [[0_u32; PLACES]; 4];
        let mut left = throws;
        while left > 0 {
            let skipped =
                |seen: &[[u32; PLACES]; 4]| -> u32 { seen.iter().map(|s| s[PLACES - 1]).sum() };
            let before = skipped(&seen);
            let bytes = self.next_bytes(usize::try_from(left).unwrap_or(usize::MAX));
            let at = |byte: u8| usize::from(table[usize::from(byte)]).min(PLACES - 1);
            let (fours, rest) = bytes.as_chunks::<4>();
            for four in fours {
                for (seen, &byte) in seen.iter_mut().zip(four) {
                    seen[at(byte)] += 1;
                }
            }
            rest.iter().for_each(|&byte| seen[0][at(byte)] += 1);
            left -= bytes.len() as u64;
            left += u64::from(skipped(&seen) - before);
        }
        for (place, shown) in shown.iter_mut().enumerate() {
            *shown += u64::from(seen.iter().map(|seen| seen[place]).sum::<u32>());
        }
    }

    /// Fills `shown`, by face from 0, with the number of dice that show it.
    fn count_faces(
        &mut self,
        sides: u8,
        trials: u64,
        tables: &mut BTreeMap<u8, ByteTable>,
        shown: &mut Vec<u64>,
    ) {
        shown.clear();
        shown.resize(sides.into(), 0);
        if trials >= MANY_TRIALS {
            dispatch(self.isa, DiceBatch { bytes: &mut self.lanes, trials, shown });
            return;
        }
        self.count_throws(find_face_table(tables, sides), trials, shown);
    }

    /// Fills `passing`, by value, with the number of trials of a throw that reach it. The trials
    /// roll die by die, all those with the same value together.
    fn count_values(
        &mut self,
        throw: Throw,
        trials: u64,
        tables: &mut BTreeMap<u8, ByteTable>,
        (passing, shown): (&mut [u64], &mut Vec<u64>),
    ) {
        passing[0] = trials;
        for _ in 0..throw.dice_count() {
            // From the highest, so that no trial rolls a die twice: a face adds nothing or more.
            for value in (0..passing.len()).rev() {
                let here = std::mem::take(&mut passing[value]);
                if here == 0 {
                    continue;
                }
                self.count_faces(throw.sides(), here, tables, shown);
                for (face, &shown) in (1..=throw.sides()).zip(&*shown) {
                    passing[value + usize::from(throw.face_value(face))] += shown;
                }
            }
        }
        for value in 0..passing.len() {
            let here = std::mem::take(&mut passing[value]);
            passing[usize::from(throw.representative(value as u16))] += here;
        }
    }
}

impl RollSplit {
    fn record_tally(&mut self, counter: u8, amount: i128) {
        if let Some(sum) = self.tallies.get_mut(usize::from(counter)) {
            *sum += amount;
        }
    }
}

impl WeightSplit for RollSplit {
    type Load = TrialCount;

    fn split(
        &mut self,
        TrialCount(trials): TrialCount,
        throw: Throw,
        into: &mut Vec<(u16, TrialCount)>,
    ) {
        let RollSplit { bytes, tables: DiceTables { faces, casts }, passing, shown, .. } = self;
        passing.clear();
        let few = if trials < MANY_TRIALS { casts.lookup(throw) } else { None };
        if let Some(ThrowTable { table, values }) = few {
            passing.resize(values.len(), 0);
            bytes.count_throws(table, trials, passing);
            let found = values.iter().zip(&*passing).filter(|(_, trials)| **trials > 0);
            into.extend(found.map(|(&value, &trials)| (value.into(), TrialCount(trials))));
            return;
        }
        passing.resize(throw.max_value() + 1, 0);
        bytes.count_values(throw, trials, faces, (passing, shown));
        let found = (0..).zip(&*passing).filter(|(_, trials)| **trials > 0);
        into.extend(found.map(|(value, &trials)| (value, TrialCount(trials))));
    }

    fn as_few_trials(
        &mut self,
        &TrialCount(trials): &TrialCount,
    ) -> Option<FewTrials<'_, TrialCount>> {
        (trials <= FEW_TRIALS).then_some(FewTrials { trials, one: TrialCount(1), dice: self })
    }

    fn apply_tallies(&mut self, load: TrialCount, tallied: &[(u8, i64)]) -> TrialCount {
        for &(counter, amount) in tallied {
            self.record_tally(counter, i128::from(amount) * i128::from(load.0));
        }
        load
    }
}

/// Dice of a trial that is played alone.
impl Dice for RollSplit {
    fn die(&mut self, sides: u8) -> u8 {
        self.bytes.next_value(find_face_table(&mut self.tables.faces, sides)) + 1
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        let DiceTables { faces: known, casts } = &mut self.tables;
        match casts.lookup(Throw::Sum(count, sides)) {
            Some(ThrowTable { table, values }) => {
                values[usize::from(self.bytes.next_value(table))].into()
            }
            None => {
                let table = find_face_table(known, sides);
                (0..count).map(|_| u16::from(self.bytes.next_value(table)) + 1).sum()
            }
        }
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.record_tally(counter, amount.into());
    }
}

/// Kernel that fills a block of bytes.
struct FillKernel<'a> {
    lanes: &'a mut Lanes,
    block: &'a mut [[u8; ROW]; ROWS],
}

impl Kernel for FillKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, vector: V) {
        RandomBytes::fill(self.lanes, vector, self.block);
    }
}
