//! Frontier engine: propagates weight through the states, level by level, and keeps only the
//! frontier (sweep-line method).
//!
//! Only the states of the next step and the endings are stored: no graph, no edges. The weight is
//! defined elsewhere: probability in [`exact`](mod@crate::exact), trials in
//! [`simulate`](mod@crate::simulate). With the die graph this engine shares the rule and no line of
//! code.
//!
//! A frontier step takes all waiting states of the least
//! [progress](enfilade_model::combat::Combat::headway). They are cut into batches, which are
//! stepped in parallel and merged in their order: so not even the last bit of a sum depends on the
//! number of threads.

mod enumerate;

use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(feature = "threads")]
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::cancel::Halt;
use enfilade_model::combat::frontier::{Front, Part, Reached, SHARDS};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::error::{TooLarge, Unsolved};
use enfilade_model::shared::opaque;
use enumerate::Odometer;
pub use enumerate::{Few, Load, Split, Throw};

/// Number of steps at one progress value after which the rest is left unfinished.
pub const MAX_WAVES: u64 = 100_000;

/// Total number of steps after which everything that is not over is left unfinished.
const MAX_WAVES_IN_ALL: u64 = 10 * MAX_WAVES;

/// Number of states in a batch: their successors stay in a cache. Fewer states are stepped by one
/// thread.
#[doc(hidden)]
pub const PIECE: usize = 1 << 10;

/// Number of batches that each thread steps before their results are merged: these are still in a
/// cache then.
const PIECES_AT_ONCE: usize = 4;

/// Largest ratio of capacity to size at which a layer's memory is reused.
const SPACIOUS: usize = 8;

/// Number of steps at one progress value before the first check whether any weight left there
/// matters: a combat that must end has ended by then, to its rarest ending.
const WAVES_PATIENT: u64 = 1 << 12;

/// Number of steps between two of these checks.
const WAVES_UNWEIGHED: u64 = 64;

/// Largest number of outcomes of one step: bounds its time.
const SEQUENCES: usize = 1 << 22;

/// Number of outcomes between two cancellation checks: some milliseconds.
const SEQUENCES_UNASKED: usize = 1 << 14;

/// Number of steps that a few trials are played on: a contest may never advance.
const RUN: u32 = 64;

/// Default memory of a contest, in bytes.
const MEMORY: usize = 2 << 30;

/// Kind of weight that is propagated.
pub trait Push: Sync {
    /// Weight of a state.
    type Load: Load;
    /// Split of the weight of a state.
    type Split: Split<Load = Self::Load>;

    /// Creates the split for batch `piece` of frontier step `wave`.
    fn split(&self, wave: u64, piece: u64) -> Self::Split;

    /// Collects the results of a batch beside its states.
    fn gather(&mut self, split: Self::Split);

    /// Returns whether the weight is negligible, if it is all that is not over.
    fn is_settled(&self, open: &Self::Load) -> bool;
}

/// Observer and limits of a run.
pub struct Terms<'a> {
    /// Largest number of states stored at once; `None` for as many as fit into 2 GiB.
    pub states: Option<usize>,
    /// Token that cancels the run.
    pub halt: &'a Halt,
    /// Callback after every frontier step; returns whether to continue.
    pub seen: &'a (dyn Fn(&Extent) -> bool + Sync),
}

opaque!(Terms<'_>);

/// Amount of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Frontier steps.
    pub waves: u64,
    /// Number of expansions; a state that was stepped from several times counts each time.
    pub stepped: u64,
    /// Number of waiting states.
    pub waiting: usize,
    /// Largest number of states that waited at once.
    pub widest: usize,
}

/// Result of a run.
#[derive(Debug)]
pub struct Ended<L> {
    /// Endings in their order, with their weights.
    pub endings: Vec<(Ending, L)>,
    /// Weight that was not over.
    pub open: L,
    /// Amount of work done.
    pub extent: Extent,
}

/// Propagates `opening` from the opening state of `combat` to its endings. The combat must have no
/// decisions.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn run<P: Push>(
    combat: &AnyCombat,
    push: &mut P,
    opening: P::Load,
    terms: &Terms<'_>,
) -> Result<Ended<P::Load>, Unsolved> {
    let mut waves = Waves::new(combat, terms);
    waves.open(opening);
    let mut open = P::Load::default();
    let (mut last, mut lingered) = (0, 0);
    while let Some((headway, layer)) = waves.layers.pop_first() {
        lingered = if headway == last { lingered + 1 } else { 0 };
        last = headway;
        let due = lingered >= WAVES_PATIENT && lingered.is_multiple_of(WAVES_UNWEIGHED);
        // A loop without end must not hold up the states that have advanced further.
        let stays = lingered >= MAX_WAVES || waves.extent.waves >= MAX_WAVES_IN_ALL;
        if stays || due && push.is_settled(&contents(&layer)) {
            open.add(&contents(&layer));
            continue;
        }
        waves.wave(layer, push)?;
    }
    let mut endings: Vec<_> = waves.endings.into_iter().collect();
    endings.sort_unstable_by_key(|(ending, _)| *ending);
    Ok(Ended { endings, open, extent: waves.extent })
}

/// Waiting states of one progress value, by shard, each with its weight.
type Layer<'a, L> = Vec<Shard<'a, L>>;

struct Shard<'a, L> {
    front: Box<dyn Front + 'a>,
    loads: Vec<L>,
}

impl<L: Load> Shard<'_, L> {
    /// Inserts the states of a part with their weights.
    fn absorb(&mut self, part: &Part, landed: &[L]) {
        let places = self.front.absorb(part);
        self.loads.resize(self.front.held(), L::default());
        for (place, &number) in places.into_iter().zip(&part.numbers) {
            self.loads[place as usize].add(&landed[number as usize]);
        }
    }

    fn clear(&mut self) {
        self.front.clear();
        self.loads.clear();
    }
}

/// Result of a batch: the successors, their weights by number, and the split that was used.
struct Piece<S: Split> {
    reached: Reached,
    landed: Vec<S::Load>,
    split: S,
}

struct Waves<'a, L> {
    combat: &'a AnyCombat,
    terms: &'a Terms<'a>,
    most: usize,
    layers: BTreeMap<u32, Layer<'a, L>>,
    /// Layer that was stepped from, now empty: its memory is reused.
    spare: Option<Layer<'a, L>>,
    endings: FxHashMap<Ending, L>,
    extent: Extent,
}

impl<'a, L: Load> Waves<'a, L> {
    fn new(combat: &'a AnyCombat, terms: &'a Terms<'a>) -> Self {
        let (layers, endings) = (BTreeMap::new(), FxHashMap::default());
        let most = terms.states.unwrap_or(MEMORY / bytes::<L>(combat));
        Waves { combat, terms, most, layers, spare: None, endings, extent: Extent::default() }
    }

    fn open(&mut self, opening: L) {
        let combat = self.combat;
        let front = combat.front();
        let mut states = front.onward();
        states.open();
        let reached = states.parts();
        self.put_away(&[(reached, vec![opening])]);
    }

    /// Steps from every state of a layer.
    fn wave<P: Push<Load = L>>(
        &mut self,
        layer: Layer<'a, L>,
        push: &mut P,
    ) -> Result<(), Unsolved> {
        let pieces = cut(&layer);
        let states: usize = layer.iter().map(|shard| shard.loads.len()).sum();
        let wave = self.extent.waves;
        let at_once = PIECES_AT_ONCE * threads();
        for (batch, pieces) in pieces.chunks(at_once).enumerate() {
            let first = batch * at_once;
            let halt = self.terms.halt;
            let work = |(index, (shard, range)): (usize, &(usize, Range<usize>))| {
                let split = push.split(wave, (first + index) as u64);
                stepped(&layer[*shard], range.clone(), split, halt)
            };
            // A single batch does not go to the pool, because small contests have thousands of
            // these.
            let done: Result<Vec<_>, Unsolved> = match pieces {
                [only] => work((0, only)).map(|piece| vec![piece]),
                #[cfg(feature = "threads")]
                _ => pieces.par_iter().enumerate().map(work).collect(),
                #[cfg(not(feature = "threads"))]
                _ => pieces.iter().enumerate().map(work).collect(),
            };
            self.combat.fault().map_or(Ok(()), Err)?;
            let mut landed = Vec::new();
            for piece in done? {
                push.gather(piece.split);
                landed.push((piece.reached, piece.landed));
            }
            self.put_away(&landed);
            self.within(states)?;
        }
        self.extent.waves += 1;
        self.extent.stepped += states as u64;
        self.spare(layer);
        match (self.terms.seen)(&self.extent) {
            true => Ok(()),
            false => Err(Unsolved::Stopped),
        }
    }

    /// Retains the memory of a layer that has been stepped from, unless its capacity is far too
    /// large.
    fn spare(&mut self, mut layer: Layer<'a, L>) {
        let much =
            |shard: &Shard<'_, L>| shard.loads.capacity() > 64 + SPACIOUS * shard.loads.len();
        if !layer.iter().any(much) {
            layer.iter_mut().for_each(Shard::clear);
            self.spare = Some(layer);
        }
    }

    /// Checks that no more states are stored than the limit allows.
    fn within(&mut self, stepping: usize) -> Result<(), TooLarge> {
        let shards = self.layers.values().flatten();
        self.extent.waiting = shards.map(|shard| shard.loads.len()).sum();
        let held = self.extent.waiting + stepping;
        self.extent.widest = self.extent.widest.max(held);
        if held + self.endings.len() <= self.most {
            return Ok(());
        }
        Err(TooLarge::new("states at once", self.most))
    }

    /// Merges the successors into their layers, in the order of the batches.
    fn put_away(&mut self, pieces: &[(Reached, Vec<L>)]) {
        let mut arrived: BTreeMap<u32, Arrived<'_, L>> = BTreeMap::new();
        for (reached, landed) in pieces {
            for (ending, number) in &reached.endings {
                self.endings.entry(*ending).or_default().add(&landed[*number as usize]);
            }
            for part in &reached.parts {
                let shards =
                    arrived.entry(part.headway).or_insert_with(|| vec![Vec::new(); SHARDS]);
                shards[part.shard].push((part, landed));
            }
        }
        for (headway, shards) in arrived {
            let (combat, spare) = (self.combat, &mut self.spare);
            let empty = || Shard { front: combat.front(), loads: Vec::new() };
            let layer = self.layers.entry(headway);
            let layer = layer.or_insert_with(|| {
                spare.take().unwrap_or_else(|| (0..SHARDS).map(|_| empty()).collect())
            });
            let absorb = |(shard, parts): (&mut Shard<'_, L>, &Vec<(&Part, &Vec<L>)>)| {
                parts.iter().for_each(|(part, landed)| shard.absorb(part, landed));
            };
            let came = shards.iter().flatten().map(|(part, _)| part.numbers.len());
            // Few states are merged before a thread would wake.
            match came.sum::<usize>() < PIECE {
                #[cfg(feature = "threads")]
                false => layer.par_iter_mut().zip(&shards).for_each(absorb),
                _ => layer.iter_mut().zip(&shards).for_each(absorb),
            }
        }
    }
}

/// Returns the number of threads to work on.
fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Parts that arrived, by shard, each with its weights.
type Arrived<'p, L> = Vec<Vec<(&'p Part, &'p Vec<L>)>>;

/// Sums the weight of all states of a layer, in a fixed order.
fn contents<L: Load>(layer: &Layer<'_, L>) -> L {
    let mut sum = L::default();
    layer.iter().flat_map(|shard| &shard.loads).for_each(|load| sum.add(load));
    sum
}

/// Returns the bytes of a state with its weight, and of the room that a growing table leaves free.
fn bytes<L>(combat: &AnyCombat) -> usize {
    (combat.front().bytes() + size_of::<L>()) * 3 / 2
}

/// Cuts a layer into batches: the shard and the states of each.
fn cut<L>(layer: &Layer<'_, L>) -> Vec<(usize, Range<usize>)> {
    let pieces = |(index, shard): (usize, &Shard<'_, L>)| {
        let held = shard.loads.len();
        let starts = (0..held).step_by(PIECE);
        starts.map(move |start| (index, start..held.min(start + PIECE)))
    };
    layer.iter().enumerate().flat_map(pieces).collect()
}

/// Steps from some states of a shard.
fn stepped<S: Split>(
    shard: &Shard<'_, S::Load>,
    range: Range<usize>,
    split: S,
    halt: &Halt,
) -> Result<Piece<S>, Unsolved> {
    let mut states = shard.front.onward();
    let mut dice = Odometer::new(split);
    let mut landed: Vec<S::Load> = Vec::new();
    let mut land = |to: u32, load: &S::Load| {
        let to = to as usize;
        if to >= landed.len() {
            landed.resize(to + 1, S::Load::default());
        }
        landed[to].add(load);
    };
    for at in range {
        if halt.asked() {
            return Err(Unsolved::Stopped);
        }
        // Few trials show few of the faces: one run for each costs less than one for every possible
        // outcome.
        if let Some(Few { trials, one, dice }) = dice.split.few(&shard.loads[at]) {
            (0..trials).for_each(|_| land(states.run(at as u32, dice, RUN), &one));
            continue;
        }
        dice.begin(shard.loads[at]);
        for sequence in 1.. {
            land(states.step(at as u32, &mut dice), &dice.landed());
            if !dice.turn() {
                break;
            }
            if sequence % SEQUENCES_UNASKED == 0 && halt.asked() {
                return Err(Unsolved::Stopped);
            }
            if sequence > SEQUENCES {
                return Err(TooLarge::new("sequences of faces in one step", SEQUENCES).into());
            }
        }
    }
    Ok(Piece { reached: states.parts(), landed, split: dice.split })
}
