//! Resolver: counts how many of n dice fall into each group of faces.
//!
//! The dice of a node are bytes of the stream, taken in order; a byte that shows no face is rolled
//! again, that is, skipped. So the loop is "compare bytes, add", and its counts equal those of a
//! loop over single bytes: the tests compare the two. The vector comparisons are in `rng`; this
//! file assigns bytes to dice.

use std::ops::Range;

use super::ending_counts::EndingCounts;
use super::rng::{Bits, GeneratorLanes, ROW_BYTES, VectorKernel, VectorOps};
use super::roll_plan::{FaceGroupsOfNode, RollableDieGraph};
use crate::cancel::CancelToken;
use crate::graph::{CopiedPartAndSums, VertexId};
use roll_loops::{LoopVertexRoller, ManyLoopContestRun};

/// Number of bytes drawn at a time: they stay in the first-level cache.
pub const BYTES_PER_BLOCK: usize = ROWS_PER_BLOCK * ROW_BYTES;
const ROWS_PER_BLOCK: usize = 128;

/// Number of rounds of a loop after which its trials are given up as unfinished.
pub const MAX_LOOP_ROUNDS: u32 = 1 << 16;

/// Number of rounds after which trials that cannot end are dropped: most contests are over by then.
const MAX_ROUNDS_IF_ENDLESS: u32 = 256;

/// Last bound of dice that show a face with every byte.
const HIGHEST_BYTE: u8 = u8::MAX;

/// Source of random bytes.
pub trait RandomByteGenerator {
    /// Fills a block of [`BYTES_PER_BLOCK`] bytes, in rows.
    fn fill_block<V: VectorOps>(&mut self, vector: V, block: &mut [[u8; ROW_BYTES]]);
}

impl RandomByteGenerator for GeneratorLanes {
    #[inline(always)]
    fn fill_block<V: VectorOps>(&mut self, vector: V, block: &mut [[u8; ROW_BYTES]]) {
        GeneratorLanes::fill_rows(self, vector, block);
    }
}

/// Kernel that rolls one chunk: a [`VectorKernel`] for
/// [`dispatch_kernel`](super::rng::dispatch_kernel).
#[derive(Debug)]
pub struct ChunkRollKernel<'a, B> {
    /// Plan of the contest.
    pub plan: &'a RollableDieGraph,
    /// Number of trials.
    pub trials: u64,
    /// Random bytes.
    pub bytes: B,
    /// Random bits of jumps; `None` turns jumps off.
    pub jumps: Option<Bits>,
    /// Token checked between rounds and copies; the counts of a cancelled chunk are incomplete.
    pub halt: &'a CancelToken,
}

/// Rolls one chunk with the code compiled for vectors of one kind.
impl<B: RandomByteGenerator> VectorKernel for ChunkRollKernel<'_, B> {
    type Output = EndingCounts;

    #[inline(always)]
    fn run<V: VectorOps>(self, vector: V) -> EndingCounts {
        let mut table = DiceFromRandomBytes {
            vector,
            bytes: self.bytes,
            block: [[0; ROW_BYTES]; ROWS_PER_BLOCK + 1],
            used: BYTES_PER_BLOCK,
        };
        match (&self.plan.copies, &self.plan.loops) {
            (Some(repeated), _) => {
                table.roll_all_copies(self.plan, repeated, self.trials, self.halt)
            }
            (None, Some(loops)) => {
                let waiting = vec![0; self.plan.vertex_plus_tally_slot_count()];
                let run = ManyLoopContestRun { plan: self.plan, loops, waiting, jumps: self.jumps };
                run.roll_contest_with_loops(&mut table, self.trials, MAX_LOOP_ROUNDS, self.halt)
            }
            (None, None) => table.roll_contest_rounds(self.plan, self.trials, self.halt),
        }
    }
}

/// Dice of one kind, rolled without a graph.
pub(super) struct DiceRolledWithoutGraph<'a> {
    pub(super) bytes: &'a mut GeneratorLanes,
    pub(super) trials: u64,
    /// Number of dice by face from 0; its length is the number of faces.
    pub(super) shown: &'a mut [u64],
}

impl VectorKernel for DiceRolledWithoutGraph<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: VectorOps>(self, vector: V) {
        let bytes = self.bytes.clone();
        let mut table = DiceFromRandomBytes {
            vector,
            bytes,
            block: [[0; ROW_BYTES]; ROWS_PER_BLOCK + 1],
            used: BYTES_PER_BLOCK,
        };
        let (bounds, targets) =
            (highest_bytes_of_faces(self.shown.len()), &FACE_TARGETS[..self.shown.len()]);
        table.roll_many_groups(&bounds[..self.shown.len()], self.trials, targets, self.shown);
        *self.bytes = table.bytes;
    }
}

/// Returns the highest byte of every face of a die.
fn highest_bytes_of_faces(sides: usize) -> [u8; 255] {
    let width = 256 / sides.max(1);
    std::array::from_fn(|face| (width * (face + 1)).saturating_sub(1).min(255) as u8)
}

/// Targets of the faces of a die that is rolled alone.
static FACE_TARGETS: [VertexId; 255] = {
    let mut faces = [0; 255];
    let mut face = 0;
    while face < 255 {
        faces[face] = face as VertexId;
        face += 1;
    }
    faces
};

/// Releases the trials that wait at loop heads. Returns whether any of them can still end.
fn release_trials_at_loop_heads(plan: &RollableDieGraph, waiting: &mut [u64], round: u32) -> bool {
    let ports = plan.first_port..plan.first_node_vertex();
    if round >= MAX_ROUNDS_IF_ENDLESS {
        let mut held = waiting[ports.clone()].iter().zip(plan.ending_reachable_by_loop_head());
        if held.all(|(held, ends)| *held == 0 || !ends) {
            return false;
        }
    }
    let mut any = false;
    let held: Vec<u64> = waiting[ports.clone()].to_vec();
    waiting[ports].fill(0);
    for (&place, held) in plan.ports.iter().zip(held) {
        waiting[place as usize] += held;
        any |= held > 0;
    }
    any
}

/// Dice from a block of random bytes, of which the first `used` are spent; the block has room to
/// read a whole row wherever a byte is left.
struct DiceFromRandomBytes<V, B> {
    vector: V,
    bytes: B,
    block: [[u8; ROW_BYTES]; ROWS_PER_BLOCK + 1],
    used: usize,
}

impl<V: VectorOps, B: RandomByteGenerator> DiceFromRandomBytes<V, B> {
    /// Rolls a contest in rounds until it is over.
    #[inline(always)]
    fn roll_contest_rounds(
        &mut self,
        plan: &RollableDieGraph,
        trials: u64,
        halt: &CancelToken,
    ) -> EndingCounts {
        let mut waiting = vec![0; plan.vertex_plus_tally_slot_count()];
        waiting[plan.start as usize] = trials;
        for round in 0..MAX_LOOP_ROUNDS {
            if round > 0
                && (halt.is_cancelled() || !release_trials_at_loop_heads(plan, &mut waiting, round))
            {
                break;
            }
            self.roll_all_nodes(plan, &mut waiting);
        }
        let unsettled = waiting[plan.first_port..plan.vertex_count()].iter().sum();
        let tallies = plan.sum_tallies(&waiting);
        waiting.truncate(plan.first_port);
        EndingCounts { endings: waiting, unsettled, tallies }
    }

    /// Rolls a contest of copies: one copy after the other for all trials with the same sum.
    #[inline(always)]
    fn roll_all_copies(
        &mut self,
        plan: &RollableDieGraph,
        repeated: &CopiedPartAndSums,
        trials: u64,
        halt: &CancelToken,
    ) -> EndingCounts {
        let mut waiting = vec![0; plan.vertex_plus_tally_slot_count()];
        let mut sums = vec![0; repeated.sum_count()];
        sums[0] = trials;
        for _ in 0..repeated.count {
            if halt.is_cancelled() {
                break;
            }
            // No effect leads to a lower sum, so none is visited twice.
            for sum in (0..sums.len()).rev() {
                let here = std::mem::take(&mut sums[sum]);
                if here == 0 {
                    continue;
                }
                waiting[plan.start as usize] = here;
                self.roll_all_nodes(plan, &mut waiting);
                for (&next, ended) in repeated.next_sums_after(sum).iter().zip(&mut waiting) {
                    sums[next as usize] += std::mem::take(ended);
                }
            }
        }
        let mut counts = EndingCounts::zero_for_endings(plan.number_of_endings());
        for (&place, count) in repeated.ending_vertex_by_sum().iter().zip(sums) {
            counts.endings[place as usize] += count;
        }
        counts.tallies = plan.sum_tallies(&waiting);
        counts
    }

    /// Rolls the dice of every node, the outermost first, and moves the trials along.
    #[inline(always)]
    fn roll_all_nodes(&mut self, plan: &RollableDieGraph, waiting: &mut [u64]) {
        let first = plan.first_node_vertex();
        for (index, &node) in plan.nodes.iter().enumerate().rev() {
            let trials = std::mem::take(&mut waiting[first + index]);
            if trials > 0 {
                self.roll_node_dice(plan, node, trials, waiting);
            }
        }
    }

    /// Rolls `trials` dice of one node. With few groups all bounds are counted in one pass, whose
    /// counters stay in registers.
    #[inline(always)]
    fn roll_node_dice(
        &mut self,
        plan: &RollableDieGraph,
        node: FaceGroupsOfNode,
        trials: u64,
        waiting: &mut [u64],
    ) {
        let targets = plan.targets_of_node(node);
        let bounds = plan.byte_bounds_of_node(node);
        match *bounds {
            // A tally node: no die is rolled.
            [HIGHEST_BYTE, HIGHEST_BYTE] => {
                targets.iter().for_each(|&to| waiting[to as usize] += trials)
            }
            [a, HIGHEST_BYTE] => self.roll_few_groups::<_, true>([a], trials, targets, waiting),
            [a, b, HIGHEST_BYTE] => {
                self.roll_few_groups::<_, true>([a, b], trials, targets, waiting)
            }
            [a, b, c, HIGHEST_BYTE] => {
                self.roll_few_groups::<_, true>([a, b, c], trials, targets, waiting)
            }
            [a, b, c, d, HIGHEST_BYTE] => {
                self.roll_few_groups::<_, true>([a, b, c, d], trials, targets, waiting)
            }
            [a, b, c, d, e, HIGHEST_BYTE] => {
                self.roll_few_groups::<_, true>([a, b, c, d, e], trials, targets, waiting)
            }
            [a, b] => self.roll_few_groups::<_, false>([a, b], trials, targets, waiting),
            [a, b, c] => self.roll_few_groups::<_, false>([a, b, c], trials, targets, waiting),
            [a, b, c, d] => {
                self.roll_few_groups::<_, false>([a, b, c, d], trials, targets, waiting)
            }
            [a, b, c, d, e] => {
                self.roll_few_groups::<_, false>([a, b, c, d, e], trials, targets, waiting)
            }
            [a, b, c, d, e, f] => {
                self.roll_few_groups::<_, false>([a, b, c, d, e, f], trials, targets, waiting)
            }
            _ => self.roll_many_groups(bounds, trials, targets, waiting),
        }
    }

    /// Rolls few groups. `SURE` is set for dice of which every byte shows a face: as many bytes as
    /// dice, and the bytes above all `bounds` are one more group.
    #[inline(always)]
    fn roll_few_groups<const K: usize, const SURE: bool>(
        &mut self,
        bounds: [u8; K],
        trials: u64,
        targets: &[VertexId],
        waiting: &mut [u64],
    ) {
        let mut below = [0; K];
        let mut shown = 0;
        while shown < trials {
            // No more bytes than dice are left, so a byte that has shown a face is never discarded.
            let bytes = self.take_unspent_bytes(trials - shown);
            shown += bytes.len() as u64;
            for (sum, count) in below.iter_mut().zip(self.count_bytes_up_to_bounds(bytes, bounds)) {
                *sum += count;
            }
            if !SURE {
                shown = below[K - 1];
            }
        }
        move_trials_by_group(&below, targets, waiting);
        if SURE {
            waiting[targets[K] as usize] += trials - below[K - 1];
        }
    }

    /// Rolls any number of groups.
    #[inline(always)]
    fn roll_many_groups(
        &mut self,
        bounds: &[u8],
        trials: u64,
        targets: &[VertexId],
        waiting: &mut [u64],
    ) {
        let mut below = [0; 255];
        let below = &mut below[..bounds.len()];
        let last = bounds.len() - 1;
        while below[last] < trials {
            let bytes = self.take_unspent_bytes(trials - below[last]);
            if bounds.len() >= V::MIN_HISTOGRAM_GROUPS && bytes.len() >= MIN_BYTES_FOR_HISTOGRAM {
                count_below_by_histogram(&self.block.as_flattened()[bytes], bounds, below);
            } else {
                self.count_below_many_bounds(bytes, bounds, below);
            }
        }
        move_trials_by_group(below, targets, waiting);
    }

    /// Adds to `below` the number of bytes that are at most each bound: some bounds at a time.
    #[inline(always)]
    fn count_below_many_bounds(&self, range: Range<usize>, bounds: &[u8], below: &mut [u64]) {
        // PERF: six bounds at once have their counters in registers; the rest is in twos and ones.
        let (six, rest) = bounds.as_chunks::<6>();
        let (sums, rest_sums) = below.as_chunks_mut::<6>();
        for (sums, &bounds) in sums.iter_mut().zip(six) {
            for (sum, count) in
                sums.iter_mut().zip(self.count_bytes_up_to_bounds(range.clone(), bounds))
            {
                *sum += count;
            }
        }
        let (two, one) = rest.as_chunks::<2>();
        let (sums, last_sum) = rest_sums.as_chunks_mut::<2>();
        for (sums, &bounds) in sums.iter_mut().zip(two) {
            for (sum, count) in
                sums.iter_mut().zip(self.count_bytes_up_to_bounds(range.clone(), bounds))
            {
                *sum += count;
            }
        }
        for (sum, &bound) in last_sum.iter_mut().zip(one) {
            let [count] = self.count_bytes_up_to_bounds(range.clone(), [bound]);
            *sum += count;
        }
    }

    /// Takes the next unspent bytes, at least one and at most `most`. Taking no more bytes than
    /// dice are left means never showing a face too many.
    #[inline(always)]
    fn take_unspent_bytes(&mut self, most: u64) -> Range<usize> {
        if self.used == BYTES_PER_BLOCK {
            self.bytes.fill_block(self.vector, &mut self.block[..ROWS_PER_BLOCK]);
            self.used = 0;
        }
        let from = self.used;
        let unspent = BYTES_PER_BLOCK - from;
        self.used += usize::try_from(most).map_or(unspent, |wanted| wanted.min(unspent));
        from..self.used
    }

    /// Counts the bytes at `taken` that are at most each bound.
    // PERF: the bytes after whole rows are compared as a row with its other bytes masked; byte by
    // byte they would cost as much as many rows, once or twice per node (`benches/resolver.rs`,
    // duels).
    #[inline(always)]
    fn count_bytes_up_to_bounds<const K: usize>(
        &self,
        range: Range<usize>,
        bounds: [u8; K],
    ) -> [u64; K] {
        let bytes = &self.block.as_flattened()[range.clone()];
        // PERF: a row for two or three bytes would cost more than they do.
        if bytes.len() <= MAX_SINGLE_BYTES {
            return count_singly_up_to_bounds(bytes, bounds);
        }
        let mut below = [bytes.len() as u64; K];
        let (rows, rest) = bytes.as_chunks::<ROW_BYTES>();
        if !rows.is_empty() {
            for (sum, above) in
                below.iter_mut().zip(self.vector.count_bytes_above_bounds(rows, bounds))
            {
                *sum -= above;
            }
        }
        if !rest.is_empty() {
            let last = self.row_with_rest_masked(range.end - rest.len(), rest.len());
            for (sum, above) in
                below.iter_mut().zip(self.vector.count_bytes_above_bounds(&[last], bounds))
            {
                *sum -= above;
            }
        }
        below
    }

    /// Returns the row at `from` with all but the first `unmasked` bytes masked to 0.
    #[inline(always)]
    fn row_with_rest_masked(&self, from: usize, unmasked: usize) -> [u8; ROW_BYTES] {
        let mut row = [0; ROW_BYTES];
        row.copy_from_slice(&self.block.as_flattened()[from..from + ROW_BYTES]);
        for (byte, keep) in
            row.iter_mut().zip(&ROW_MASKS_BY_LENGTH[ROW_BYTES - unmasked..2 * ROW_BYTES - unmasked])
        {
            *byte &= keep;
        }
        row
    }
}

impl<V: VectorOps, B: RandomByteGenerator> LoopVertexRoller for DiceFromRandomBytes<V, B> {
    /// Rolls the trials that wait at one vertex.
    #[inline(always)]
    fn roll_vertex(&mut self, plan: &RollableDieGraph, place: VertexId, waiting: &mut [u64]) {
        let trials = std::mem::take(&mut waiting[place as usize]);
        if trials == 0 {
            return;
        }
        match (place as usize).checked_sub(plan.first_node_vertex()) {
            Some(index) => self.roll_node_dice(plan, plan.nodes[index], trials, waiting),
            None => waiting[plan.ports[place as usize - plan.first_port] as usize] += trials,
        }
    }
}

/// Number of bytes that are faster to compare one by one than as a row.
const MAX_SINGLE_BYTES: usize = 3;

#[inline(always)]
fn count_singly_up_to_bounds<const K: usize>(bytes: &[u8], bounds: [u8; K]) -> [u64; K] {
    let mut below = [0; K];
    for &byte in bytes {
        for (sum, bound) in below.iter_mut().zip(bounds) {
            *sum += u64::from(byte <= bound);
        }
    }
    below
}

/// Masks of [`DiceFromRandomBytes::row_with_rest_masked`].
static ROW_MASKS_BY_LENGTH: [u8; 2 * ROW_BYTES] = {
    let mut blot = [0; 2 * ROW_BYTES];
    let mut i = 0;
    while i < ROW_BYTES {
        blot[i] = 0xff;
        i += 1;
    }
    blot
};

/// Moves trials along: `below[i]` of them fell into the groups up to `i`.
#[inline(always)]
fn move_trials_by_group(below: &[u64], targets: &[VertexId], waiting: &mut [u64]) {
    let mut before = 0;
    for (&target, &up_to) in targets.iter().zip(below) {
        waiting[target as usize] += up_to - before;
        before = up_to;
    }
}

/// Number of bytes from which on a histogram pays off.
const MIN_BYTES_FOR_HISTOGRAM: usize = 1024;

/// Adds to `below` the number of `bytes` that are at most each bound, from a histogram of all
/// bytes.
// PERF: four histograms in turn, because a counter that has just been written cannot be read at
// once.
fn count_below_by_histogram(bytes: &[u8], bounds: &[u8], below: &mut [u64]) {
    // PERF: four tables, because equal bytes in a row would wait for each other's sum in one.
    let mut counts = [[0_u32; 256]; 4];
    let (fours, rest) = bytes.as_chunks::<4>();
    for four in fours {
        for (counts, &byte) in counts.iter_mut().zip(four) {
            counts[usize::from(byte)] += 1;
        }
    }
    for &byte in rest {
        counts[0][usize::from(byte)] += 1;
    }
    let (mut up_to, mut sum) = (0, 0);
    for (below, &bound) in below.iter_mut().zip(bounds) {
        for byte in up_to..=usize::from(bound) {
            sum += counts.iter().map(|seen| seen[byte]).sum::<u32>();
        }
        up_to = usize::from(bound) + 1;
        *below += u64::from(sum);
    }
}

mod roll_loops;
#[cfg(test)]
mod tests;
