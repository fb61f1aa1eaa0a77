//! The hot loop: how many of n dice fall into each group of faces.
//!
//! The dice of a node are bytes of the stream, taken in order; a byte that shows no face is rolled
//! again, that is, skipped. So the loop is "compare bytes, add", and what it counts is what a loop
//! over single bytes would count: the tests compare the two.

use super::chunks::Counts;
use super::plan::{Plan, Planned};
use super::rng::{Kernel, Lanes, ROW, Vector};
use crate::graph::Place;

/// Bytes made at a time: they stay in the first-level cache.
pub const BLOCK: usize = 128 * ROW;

/// Rounds after which trials that are not over are given up as unsettled; the same number as in
/// the exact engine.
pub const MAX_ROUNDS: u32 = 10_000;

/// Where random bytes come from.
pub trait Bytes {
    /// Fills a block, whose length is [`BLOCK`].
    fn fill<V: Vector>(&mut self, vector: V, block: &mut [u8]);
}

impl Bytes for Lanes {
    #[inline(always)]
    fn fill<V: Vector>(&mut self, vector: V, block: &mut [u8]) {
        Lanes::fill(self, vector, block);
    }
}

/// One chunk to be rolled: a [`Kernel`] for [`dispatch`](super::rng::dispatch).
pub struct Chunk<'a, B> {
    /// The contest.
    pub plan: &'a Plan,
    /// How many trials.
    pub trials: u64,
    /// The random bytes.
    pub bytes: B,
}

/// Rolls one chunk with the code compiled for vectors of one kind.
impl<B: Bytes> Kernel for Chunk<'_, B> {
    type Output = Counts;

    #[inline(always)]
    fn run<V: Vector>(self, vector: V) -> Counts {
        let mut table = Table {
            vector,
            bytes: self.bytes,
            block: [0; BLOCK],
            used: BLOCK,
        };
        let plan = self.plan;
        let mut waiting = vec![0; plan.first_node() + plan.nodes.len()];
        waiting[plan.start as usize] = self.trials;
        table.sweep(plan, &mut waiting);
        for _ in 1..MAX_ROUNDS {
            if !reopen(plan, &mut waiting) {
                break;
            }
            table.sweep(plan, &mut waiting);
        }
        let unsettled = waiting[plan.first_port..].iter().sum();
        waiting.truncate(plan.endings());
        Counts {
            endings: waiting,
            unsettled,
        }
    }
}

/// Lets the trials that wait in ports go on; whether there were any.
fn reopen(plan: &Plan, waiting: &mut [u64]) -> bool {
    let ports = plan.first_port..plan.first_node();
    let mut any = false;
    let held: Vec<u64> = waiting[ports.clone()].to_vec();
    waiting[ports].fill(0);
    for (&place, held) in plan.ports.iter().zip(held) {
        waiting[place as usize] += held;
        any |= held > 0;
    }
    any
}

/// Where dice are rolled: a block of random bytes, of which the first `used` are spent.
struct Table<V, B> {
    vector: V,
    bytes: B,
    block: [u8; BLOCK],
    used: usize,
}

impl<V: Vector, B: Bytes> Table<V, B> {
    /// Rolls the dice of every node, the outermost first, and hands the trials on.
    #[inline(always)]
    fn sweep(&mut self, plan: &Plan, waiting: &mut [u64]) {
        let first = plan.first_node();
        for (index, &node) in plan.nodes.iter().enumerate().rev() {
            let trials = std::mem::take(&mut waiting[first + index]);
            if trials > 0 {
                self.roll(plan, node, trials, waiting);
            }
        }
    }

    /// Rolls `trials` dice of one node. Bounds are counted eight at a time, so that the counters of
    /// a pass stay in registers.
    #[inline(always)]
    fn roll(&mut self, plan: &Plan, node: Planned, trials: u64, waiting: &mut [u64]) {
        let bounds = plan.bounds_of(node);
        let targets = plan.targets_of(node);
        match *bounds {
            [] => waiting[targets[0] as usize] += trials,
            [a] => self.roll_groups(node, [a], trials, targets, waiting),
            [a, b] => self.roll_groups(node, [a, b], trials, targets, waiting),
            [a, b, c] => self.roll_groups(node, [a, b, c], trials, targets, waiting),
            [a, b, c, d] => self.roll_groups(node, [a, b, c, d], trials, targets, waiting),
            [a, b, c, d, e] => self.roll_groups(node, [a, b, c, d, e], trials, targets, waiting),
            _ => self.roll_many(node, bounds, trials, targets, waiting),
        }
    }

    #[inline(always)]
    fn roll_groups<const K: usize>(
        &mut self,
        node: Planned,
        bounds: [u8; K],
        mut left: u64,
        targets: &[Place],
        waiting: &mut [u64],
    ) {
        let mut below = [0; K];
        let all = left;
        while left > 0 {
            let bytes = self.take(left);
            let (shown, counts) = count::<V, K>(bytes, node.highest, bounds);
            for (sum, count) in below.iter_mut().zip(counts) {
                *sum += count;
            }
            left -= shown;
        }
        hand_on(&below, all, targets, waiting);
    }

    /// The same for any number of groups.
    #[inline(always)]
    fn roll_many(
        &mut self,
        node: Planned,
        bounds: &[u8],
        mut left: u64,
        targets: &[Place],
        waiting: &mut [u64],
    ) {
        let mut below = [0; 255];
        let all = left;
        while left > 0 {
            let bytes = self.take(left);
            let mut shown = 0;
            let (fours, rest) = bounds.as_chunks::<4>();
            for (sums, &four) in below.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
                let (all_shown, counts) = count::<V, 4>(bytes, node.highest, four);
                shown = all_shown;
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
            for (sum, &bound) in below[4 * fours.len()..].iter_mut().zip(rest) {
                let (_, [count]) = count::<V, 1>(bytes, node.highest, [bound]);
                *sum += count;
            }
            left -= shown;
        }
        hand_on(&below[..bounds.len()], all, targets, waiting);
    }

    /// The next unspent bytes, at least one and at most `wanted`, which are then spent. Taking no
    /// more bytes than dice are left means never showing a face too many.
    #[inline(always)]
    fn take(&mut self, wanted: u64) -> &[u8] {
        if self.used == BLOCK {
            self.bytes.fill(self.vector, &mut self.block);
            self.used = 0;
        }
        let from = self.used;
        let unspent = BLOCK - from;
        self.used += usize::try_from(wanted).map_or(unspent, |wanted| wanted.min(unspent));
        &self.block[from..self.used]
    }
}

/// Hands trials on: `below[i]` of `all` fell into the groups up to `i`.
#[inline(always)]
fn hand_on(below: &[u64], all: u64, targets: &[Place], waiting: &mut [u64]) {
    let mut before = 0;
    for (&target, &up_to) in targets.iter().zip(below.iter().chain([&all])) {
        waiting[target as usize] += up_to - before;
        before = up_to;
    }
}

/// How many of `bytes` show a face (are at most `highest`), and how many are at most each bound.
#[inline(always)]
fn count<V: Vector, const K: usize>(bytes: &[u8], highest: u8, bounds: [u8; K]) -> (u64, [u64; K]) {
    match V::BYTES {
        16 => count_rows::<16, K>(bytes, highest, bounds),
        32 => count_rows::<32, K>(bytes, highest, bounds),
        _ => count_rows::<64, K>(bytes, highest, bounds),
    }
}

/// [`count`] by rows of one vector. A counter of one byte holds 255 rows.
#[inline(always)]
fn count_rows<const W: usize, const K: usize>(
    bytes: &[u8],
    highest: u8,
    bounds: [u8; K],
) -> (u64, [u64; K]) {
    let mut shown = 0;
    let mut below = [0; K];
    let (rows, rest) = bytes.as_chunks::<W>();
    for rows in rows.chunks(255) {
        let mut shown_by_lane = [0_u8; W];
        let mut below_by_lane = [[0_u8; W]; K];
        for row in rows {
            for lane in 0..W {
                shown_by_lane[lane] += u8::from(row[lane] <= highest);
            }
            for (counters, bound) in below_by_lane.iter_mut().zip(bounds) {
                for lane in 0..W {
                    counters[lane] += u8::from(row[lane] <= bound);
                }
            }
        }
        shown += sum(&shown_by_lane);
        for (sum_below, counters) in below.iter_mut().zip(&below_by_lane) {
            *sum_below += sum(counters);
        }
    }
    for &byte in rest {
        shown += u64::from(byte <= highest);
        for (sum, bound) in below.iter_mut().zip(bounds) {
            *sum += u64::from(byte <= bound);
        }
    }
    (shown, below)
}

#[inline(always)]
fn sum(counters: &[u8]) -> u64 {
    counters.iter().map(|&counter| u64::from(counter)).sum()
}
