//! One trial at a time: the witness.
//!
//! The same rule as the other engines, rolled with an ordinary generator, and nothing else in
//! common with them: no die graph, no counts, no vectors. It is slow (tens of nanoseconds a trial)
//! and it is the reference. It also plays contests that are too large to be compiled.

use std::collections::BTreeMap;

use rand::Rng;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::combat::{AnyCombat, Ending};
use crate::dice::Dice;
use crate::halt::{Halt, NEVER};
use crate::pieces::{Part, Sum, go_on};
use crate::stream::Stream;

/// Trials that share one generator.
pub const CHUNK: u64 = 1 << 16;

/// Steps after which a trial that is not over is given up as unsettled.
pub const MAX_STEPS: u64 = 1_000_000;

/// Fair dice from an ordinary generator.
pub struct RandomDice(Xoshiro256PlusPlus);

impl RandomDice {
    /// Dice for piece `index` of the work on `stream`.
    pub fn new(stream: &Stream, index: u64) -> Self {
        RandomDice(Xoshiro256PlusPlus::from_seed(
            stream.key("played", index, 0),
        ))
    }
}

impl Dice for RandomDice {
    /// Multiplies 32 random bits by `sides` and takes the high part, drawing again in the few cases
    /// that would favour some faces (Lemire 2019).
    fn die(&mut self, sides: u8) -> u8 {
        let sides = u32::from(sides);
        let unfair = sides.wrapping_neg() % sides;
        loop {
            let bits = (self.0.next_u64() >> 32) as u32;
            let product = u64::from(bits) * u64::from(sides);
            if product as u32 >= unfair {
                return (product >> 32) as u8 + 1;
            }
        }
    }
}

/// How often each ending came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Trials by ending; endings that never came up are not listed.
    pub endings: BTreeMap<Ending, u64>,
    /// Trials given up after [`MAX_STEPS`] steps.
    pub unsettled: u64,
}

/// Plays `trials` trials of `combat`, on the threads of the current rayon pool.
///
/// The tally depends on the trials and the stream alone. `willing` is asked before the first and
/// after each piece of [`CHUNK`] trials; when pieces are left out because it said no, `None` is returned.
pub fn play(
    combat: &AnyCombat,
    trials: u64,
    stream: &Stream,
    willing: &(dyn Fn() -> bool + Sync),
) -> Option<Tally> {
    if !willing() {
        return None;
    }
    let made = |_: &_, _| willing();
    let part = resume(combat, trials, stream, Part::default(), &NEVER, &made);
    (part.sum.trials() == trials).then_some(part.sum)
}

/// Goes on with a game of which the pieces of [`CHUNK`] trials in `start` have been played: what
/// comes out is the whole, or what had been played when it was asked to stop. `made` is shown what
/// there is after each piece, by one thread at a time, told the piece's size, and answers whether
/// to go on.
pub fn resume(
    combat: &AnyCombat,
    trials: u64,
    stream: &Stream,
    start: Part<Tally>,
    halt: &Halt,
    made: &(dyn Fn(&Part<Tally>, u64) -> bool + Sync),
) -> Part<Tally> {
    let size = |index| CHUNK.min(trials - index * CHUNK);
    let piece = |index| chunk(combat, size(index), stream, index, halt);
    let pieces = trials.div_ceil(CHUNK);
    go_on(pieces, start, piece, |part, index| made(part, size(index)))
}

/// Plays the `trials` trials of one piece of work; `None` when it was asked to stop before the end,
/// or the rule has gone wrong.
fn chunk(
    combat: &AnyCombat,
    trials: u64,
    stream: &Stream,
    index: u64,
    halt: &Halt,
) -> Option<Tally> {
    if combat.fault().is_some() {
        return None;
    }
    let mut dice = RandomDice::new(stream, index);
    let mut endings = rustc_hash::FxHashMap::default();
    let mut unsettled = 0;
    for _ in 0..trials {
        if halt.asked() {
            return None;
        }
        match combat.play(&mut dice, MAX_STEPS) {
            Some(ending) => *endings.entry(ending).or_insert(0) += 1,
            None => unsettled += 1,
        }
    }
    let endings = endings.into_iter().collect();
    Some(Tally { endings, unsettled })
}

impl Sum for Tally {
    fn add(&mut self, other: Tally) {
        for (ending, count) in other.endings {
            *self.endings.entry(ending).or_insert(0) += count;
        }
        self.unsettled += other.unsettled;
    }
}

impl Tally {
    /// Trials in all.
    pub fn trials(&self) -> u64 {
        self.endings.values().sum::<u64>() + self.unsettled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_the_dice_is_pinned() {
        let stream = Stream {
            seed: 1,
            fingerprint: [0; 32],
        };
        let mut reference = Xoshiro256PlusPlus::from_seed(stream.key("played", 0, 0));
        let mut dice = RandomDice::new(&stream, 0);
        for sides in [6, 20, 4, 100] {
            let bits = reference.next_u64() >> 32;
            assert_eq!(
                u64::from(dice.die(sides)),
                bits * u64::from(sides) / (1 << 32) + 1
            );
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
