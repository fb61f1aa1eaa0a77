//! One trial at a time: the independent check.
//!
//! The rule is the same as that of the other engines, rolled with an ordinary generator; nothing
//! else is shared: no die graph, no counts, no vectors. This engine is slow (tens of nanoseconds a
//! trial), and it is the reference. It also plays contests that are too large to compile.

use std::collections::BTreeMap;

use rand::Rng;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::random_stream::ContestRandomStream;
use crate::work_units::{MergeableUnitResult, PartialWorkResult, run_remaining_units};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::dice::Dice;

/// Number of trials that share one generator.
pub const TRIALS_PER_GENERATOR: u64 = 1 << 16;

/// Number of steps after which an unfinished trial is given up.
pub const MAX_STEPS_PER_TRIAL: u64 = 1_000_000;

/// Fair dice from an ordinary generator.
#[derive(Debug)]
pub struct RandomDice {
    bits: Xoshiro256PlusPlus,
    /// Sums tallied since they were last taken, by counter.
    tallied: Vec<i64>,
}

impl RandomDice {
    /// Creates the dice for unit `index` of the work on `stream`.
    pub fn new(stream: &ContestRandomStream, index: u64) -> Self {
        RandomDice {
            bits: Xoshiro256PlusPlus::from_seed(stream.generator_key_for_unit("played", index, 0)),
            tallied: Vec::new(),
        }
    }

    /// Sets the number of counters whose tallies are added up.
    fn set_counter_count(mut self, counters: usize) -> Self {
        self.tallied = vec![0; counters];
        self
    }
}

impl Dice for RandomDice {
    /// Multiplies 32 random bits by `sides` and takes the high part, drawing again in the few cases
    /// that would favour some faces (Lemire 2019).
    fn die(&mut self, sides: u8) -> u8 {
        let sides = u32::from(sides);
        let unfair = sides.wrapping_neg() % sides;
        loop {
            let bits = (self.bits.next_u64() >> 32) as u32;
            let product = u64::from(bits) * u64::from(sides);
            if product as u32 >= unfair {
                return (product >> 32) as u8 + 1;
            }
        }
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        if let Some(sum) = self.tallied.get_mut(usize::from(counter)) {
            *sum = sum.saturating_add(amount.into());
        }
    }
}

/// Number of trials by ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedTrialCounts {
    /// Trials by ending; endings that never came up are not listed.
    pub endings: BTreeMap<Ending, u64>,
    /// Number of trials given up after [`MAX_STEPS_PER_TRIAL`] steps.
    pub unsettled: u64,
    /// Sums of the tallies by counter; each trial counts until it is over or given up.
    pub totals: Vec<SumsOfOneCounter>,
}

/// Sums of one counter over all trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SumsOfOneCounter {
    /// Sum over the trials.
    pub sum: i128,
    /// Sum of the squares.
    pub squares: u128,
}

impl SumsOfOneCounter {
    fn add_tally_of_trial(&mut self, tallied: i64) {
        self.sum += i128::from(tallied);
        let square = u128::from(tallied.unsigned_abs()).pow(2);
        self.squares = self.squares.saturating_add(square);
    }
}

/// Plays `trials` trials of `combat`, on the threads of the current rayon pool.
///
/// The tally depends on the trials and the stream alone. `willing` is called before the first unit
/// and after each unit of [`TRIALS_PER_GENERATOR`] trials. Returns `None` if it returned false and
/// units were left out.
pub fn play_trials(
    combat: &AnyCombat,
    trials: u64,
    stream: &ContestRandomStream,
    willing: &(dyn Fn() -> bool + Sync),
) -> Option<PlayedTrialCounts> {
    if !willing() {
        return None;
    }
    let made = |_: &_, _| willing();
    let part = resume_play_of_trials(
        combat,
        trials,
        stream,
        PartialWorkResult::default(),
        &NEVER_CANCELLED,
        &made,
    );
    (part.sum.trial_count() == trials).then_some(part.sum)
}

/// Resumes a run of which the units of [`TRIALS_PER_GENERATOR`] trials in `start` have been played.
/// Returns the whole, or the units played before cancellation. `on_progress` is called after each
/// unit, by one thread at a time, with the result so far and the size of the unit; it returns
/// whether to continue.
pub fn resume_play_of_trials(
    combat: &AnyCombat,
    trials: u64,
    stream: &ContestRandomStream,
    start: PartialWorkResult<PlayedTrialCounts>,
    halt: &CancelToken,
    on_progress: &(dyn Fn(&PartialWorkResult<PlayedTrialCounts>, u64) -> bool + Sync),
) -> PartialWorkResult<PlayedTrialCounts> {
    resume_play_to_step_limit(combat, trials, MAX_STEPS_PER_TRIAL, stream, start, halt, on_progress)
}

/// Resumes a run like [`resume_play_of_trials`], but gives up each trial after `steps` steps.
#[doc(hidden)]
pub fn resume_play_to_step_limit(
    combat: &AnyCombat,
    trials: u64,
    steps: u64,
    stream: &ContestRandomStream,
    start: PartialWorkResult<PlayedTrialCounts>,
    halt: &CancelToken,
    on_progress: &(dyn Fn(&PartialWorkResult<PlayedTrialCounts>, u64) -> bool + Sync),
) -> PartialWorkResult<PlayedTrialCounts> {
    let size = |index| TRIALS_PER_GENERATOR.min(trials - index * TRIALS_PER_GENERATOR);
    let piece = |index| play_trials_of_unit(combat, size(index), steps, stream, index, halt);
    let pieces = trials.div_ceil(TRIALS_PER_GENERATOR);
    run_remaining_units(pieces, start, piece, |part, index| on_progress(part, size(index)))
}

/// Plays the `trials` trials of one unit. Returns `None` if the work was cancelled before the end,
/// or the rule failed.
fn play_trials_of_unit(
    combat: &AnyCombat,
    trials: u64,
    steps: u64,
    stream: &ContestRandomStream,
    index: u64,
    halt: &CancelToken,
) -> Option<PlayedTrialCounts> {
    if combat.recorded_rule_fault().is_some() {
        return None;
    }
    let counters = combat.counter_count();
    let mut dice = RandomDice::new(stream, index).set_counter_count(counters);
    let mut totals = vec![SumsOfOneCounter::default(); counters];
    let mut endings = rustc_hash::FxHashMap::default();
    let mut unsettled = 0;
    for _ in 0..trials {
        // A unit counts as a whole or not at all, so that it can be played again with the same
        // stream.
        if halt.is_cancelled() {
            return None;
        }
        match combat.play_one_trial(&mut dice, steps) {
            Some(ending) => *endings.entry(ending).or_insert(0) += 1,
            None => unsettled += 1,
        }
        for (total, tallied) in totals.iter_mut().zip(&mut dice.tallied) {
            total.add_tally_of_trial(std::mem::take(tallied));
        }
    }
    Some(PlayedTrialCounts { endings: endings.into_iter().collect(), unsettled, totals })
}

impl MergeableUnitResult for PlayedTrialCounts {
    fn merge(&mut self, other: PlayedTrialCounts) {
        for (ending, count) in other.endings {
            *self.endings.entry(ending).or_insert(0) += count;
        }
        self.unsettled += other.unsettled;
        let counters = self.totals.len().max(other.totals.len());
        self.totals.resize(counters, SumsOfOneCounter::default());
        for (total, other) in self.totals.iter_mut().zip(other.totals) {
            total.sum += other.sum;
            total.squares = total.squares.saturating_add(other.squares);
        }
    }
}

impl PlayedTrialCounts {
    /// Returns the number of trials.
    pub fn trial_count(&self) -> u64 {
        self.endings.values().sum::<u64>() + self.unsettled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_the_dice_is_pinned() {
        let stream = ContestRandomStream { seed: 1, fingerprint: [0; 32] };
        let mut reference =
            Xoshiro256PlusPlus::from_seed(stream.generator_key_for_unit("played", 0, 0));
        let mut dice = RandomDice::new(&stream, 0);
        for sides in [6, 20, 4, 100] {
            let bits = reference.next_u64() >> 32;
            assert_eq!(u64::from(dice.die(sides)), bits * u64::from(sides) / (1 << 32) + 1);
        }
    }

    #[test]
    fn no_face_is_favoured() {
        // Of the 2^32 values of the bits, those drawn again leave the same number to every face.
        for sides in 2..=255_u64 {
            let unfair = (sides as u32).wrapping_neg() as u64 % sides;
            assert_eq!(((1_u64 << 32) - unfair) % sides, 0, "d{sides}");
        }
    }
}
