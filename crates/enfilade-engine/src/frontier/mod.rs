//! Frontier engine: propagates weight through the states, level by level, and keeps only the
//! frontier (sweep-line method).
//!
//! Only the states of the next step and the endings are stored: no graph, no edges. The weight is
//! defined elsewhere: probability in [`exact`](mod@crate::exact), trials in
//! [`simulate`](mod@crate::simulate). With the die graph this engine shares the rule and no line of
//! code.
//!
//! A frontier step takes all waiting states of the least
//! [progress](enfilade_model::combat::Combat::progress). They are cut into batches, which are
//! stepped in parallel and merged in their order: so not even the last bit of a sum depends on the
//! number of threads.

mod outcome_enumerator;

use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(feature = "threads")]
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::cancel::CancelToken;
use crate::error::SolveError;
use enfilade_model::combat::frontier::{Frontier, FrontierPart, ReachedStates, SHARD_COUNT};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::error::TooLargeError;
use enfilade_model::shared::opaque;
use outcome_enumerator::OutcomeEnumerator;
pub use outcome_enumerator::{FewTrials, StateWeight, Throw, WeightSplit};

/// Number of steps at one progress value after which the rest is left unfinished.
pub const MAX_STEPS: u64 = 100_000;

/// Total number of steps after which everything that is not over is left unfinished.
const MAX_TOTAL_STEPS: u64 = 10 * MAX_STEPS;

/// Number of states in a batch: their successors stay in a cache. Fewer states are stepped by one
/// thread.
#[doc(hidden)]
pub const BATCH_STATES: usize = 1 << 10;

/// Number of batches that each thread steps before their results are merged: these are still in a
/// cache then.
const BATCHES_PER_THREAD: usize = 4;

/// Largest ratio of capacity to size at which a layer's memory is reused.
const MAX_SPARE_FACTOR: usize = 8;

/// Number of steps at one progress value before the first check whether any weight left there
/// matters: a combat that must end has ended by then, to its rarest ending.
const STEPS_BEFORE_CHECK: u64 = 1 << 12;

/// Number of steps between two of these checks.
const STEPS_PER_CHECK: u64 = 64;

/// Largest number of outcomes of one step: bounds its time.
const MAX_SEQUENCES: usize = 1 << 22;

/// Number of outcomes between two cancellation checks: some milliseconds.
const SEQUENCES_PER_CHECK: usize = 1 << 14;

/// Number of steps that a few trials are played on: a contest may never advance.
const MAX_RUN_STEPS: u32 = 64;

/// Default memory of a contest, in bytes.
const DEFAULT_MEMORY: usize = 2 << 30;

/// Kind of weight that is propagated.
pub trait Propagation: Sync {
    /// Weight of a state.
    type Load: StateWeight;
    /// Split of the weight of a state.
    type Split: WeightSplit<Load = Self::Load>;

    /// Creates the split for batch `piece` of frontier step `wave`.
    fn split(&self, wave: u64, piece: u64) -> Self::Split;

    /// Collects the results of a batch beside its states.
    fn gather(&mut self, split: Self::Split);

    /// Returns whether the weight is negligible, if it is all that is not over.
    fn is_negligible(&self, open: &Self::Load) -> bool;
}

/// Observer and limits of a run.
pub struct FrontierLimits<'a> {
    /// Largest number of states stored at once; `None` for as many as fit into 2 GiB.
    pub states: Option<usize>,
    /// Token that cancels the run.
    pub halt: &'a CancelToken,
    /// Callback after every frontier step; returns whether to continue.
    pub on_step: &'a (dyn Fn(&FrontierSize) -> bool + Sync),
}

opaque!(FrontierLimits<'_>);

/// Amount of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrontierSize {
    /// Frontier steps.
    pub steps: u64,
    /// Number of expansions; a state that was stepped from several times counts each time.
    pub expanded_states: u64,
    /// Number of waiting states.
    pub waiting: usize,
    /// Largest number of states that waited at once.
    pub widest: usize,
}

/// Result of a run.
#[derive(Debug)]
pub struct FrontierResult<L> {
    /// Endings in their order, with their weights.
    pub endings: Vec<(Ending, L)>,
    /// Weight that was not over.
    pub open: L,
    /// Amount of work done.
    pub extent: FrontierSize,
}

/// Propagates `opening` from the opening state of `combat` to its endings. The combat must have no
/// decisions.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn run_frontier<P: Propagation>(
    combat: &AnyCombat,
    push: &mut P,
    opening: P::Load,
    terms: &FrontierLimits<'_>,
) -> Result<FrontierResult<P::Load>, SolveError> {
    let mut waves = FrontierRun::new(combat, terms);
    waves.insert_opening(opening);
    let mut open = P::Load::default();
    let (mut last, mut lingered) = (0, 0);
    while let Some((headway, layer)) = waves.layers.pop_first() {
        lingered = if headway == last { lingered + 1 } else { 0 };
        last = headway;
        let due = lingered >= STEPS_BEFORE_CHECK && lingered.is_multiple_of(STEPS_PER_CHECK);
        // A loop without end must not hold up the states that have advanced further.
        let stays = lingered >= MAX_STEPS || waves.extent.steps >= MAX_TOTAL_STEPS;
        if stays || due && push.is_negligible(&sum_weights(&layer)) {
            open.add(&sum_weights(&layer));
            continue;
        }
        waves.step_layer(layer, push)?;
    }
    let mut endings: Vec<_> = waves.endings.into_iter().collect();
    endings.sort_unstable_by_key(|(ending, _)| *ending);
    Ok(FrontierResult { endings, open, extent: waves.extent })
}

/// Waiting states of one progress value, by shard, each with its weight.
type FrontierLayer<'a, L> = Vec<FrontierShard<'a, L>>;

struct FrontierShard<'a, L> {
    front: Box<dyn Frontier + 'a>,
    loads: Vec<L>,
}

impl<L: StateWeight> FrontierShard<'_, L> {
    /// Inserts the states of a part with their weights.
    fn insert_part(&mut self, part: &FrontierPart, landed: &[L]) {
        let places = self.front.insert_part(part);
        self.loads.resize(self.front.state_count(), L::default());
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
struct StepBatch<S: WeightSplit> {
    reached: ReachedStates,
    weights: Vec<S::Load>,
    split: S,
}

struct FrontierRun<'a, L> {
    combat: &'a AnyCombat,
    terms: &'a FrontierLimits<'a>,
    most: usize,
    layers: BTreeMap<u32, FrontierLayer<'a, L>>,
    /// Layer that was stepped from, now empty: its memory is reused.
    spare: Option<FrontierLayer<'a, L>>,
    endings: FxHashMap<Ending, L>,
    extent: FrontierSize,
}

impl<'a, L: StateWeight> FrontierRun<'a, L> {
    fn new(combat: &'a AnyCombat, terms: &'a FrontierLimits<'a>) -> Self {
        let (layers, endings) = (BTreeMap::new(), FxHashMap::default());
        let most = terms.states.unwrap_or(DEFAULT_MEMORY / bytes_per_state::<L>(combat));
        FrontierRun {
            combat,
            terms,
            most,
            layers,
            spare: None,
            endings,
            extent: FrontierSize::default(),
        }
    }

    fn insert_opening(&mut self, opening: L) {
        let combat = self.combat;
        let front = combat.new_frontier();
        let mut states = front.start_successors();
        states.initial_state();
        let reached = states.into_parts();
        self.merge_batches(&[(reached, vec![opening])]);
    }

    /// Steps from every state of a layer.
    fn step_layer<P: Propagation<Load = L>>(
        &mut self,
        layer: FrontierLayer<'a, L>,
        push: &mut P,
    ) -> Result<(), SolveError> {
        let pieces = split_layer(&layer);
        let states: usize = layer.iter().map(|shard| shard.loads.len()).sum();
        let wave = self.extent.steps;
        let at_once = BATCHES_PER_THREAD * thread_count();
        for (batch, pieces) in pieces.chunks(at_once).enumerate() {
            let first = batch * at_once;
            let halt = self.terms.halt;
            let work = |(index, (shard, range)): (usize, &(usize, Range<usize>))| {
                let split = push.split(wave, (first + index) as u64);
                step_range(&layer[*shard], range.clone(), split, halt)
            };
            // A single batch does not go to the pool, because small contests have thousands of
            // these.
            let done: Result<Vec<_>, SolveError> = match pieces {
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
                landed.push((piece.reached, piece.weights));
            }
            self.merge_batches(&landed);
            self.check_limit(states)?;
        }
        self.extent.steps += 1;
        self.extent.expanded_states += states as u64;
        self.recycle(layer);
        match (self.terms.on_step)(&self.extent) {
            true => Ok(()),
            false => Err(SolveError::Cancelled),
        }
    }

    /// Retains the memory of a layer that has been stepped from, unless its capacity is far too
    /// large.
    fn recycle(&mut self, mut layer: FrontierLayer<'a, L>) {
        let much = |shard: &FrontierShard<'_, L>| {
            shard.loads.capacity() > 64 + MAX_SPARE_FACTOR * shard.loads.len()
        };
        if !layer.iter().any(much) {
            layer.iter_mut().for_each(FrontierShard::clear);
            self.spare = Some(layer);
        }
    }

    /// Checks that no more states are stored than the limit allows.
    fn check_limit(&mut self, stepping: usize) -> Result<(), TooLargeError> {
        let shards = self.layers.values().flatten();
        self.extent.waiting = shards.map(|shard| shard.loads.len()).sum();
        let held = self.extent.waiting + stepping;
        self.extent.widest = self.extent.widest.max(held);
        if held + self.endings.len() <= self.most {
            return Ok(());
        }
        Err(TooLargeError::new("states at once", self.most))
    }

    /// Merges the successors into their layers, in the order of the batches.
    fn merge_batches(&mut self, pieces: &[(ReachedStates, Vec<L>)]) {
        let mut arrived: BTreeMap<u32, ArrivedParts<'_, L>> = BTreeMap::new();
        for (reached, landed) in pieces {
            for (ending, number) in &reached.endings {
                self.endings.entry(*ending).or_default().add(&landed[*number as usize]);
            }
            for part in &reached.parts {
                let shards =
                    arrived.entry(part.headway).or_insert_with(|| vec![Vec::new(); SHARD_COUNT]);
                shards[part.shard].push((part, landed));
            }
        }
        for (headway, shards) in arrived {
            let (combat, spare) = (self.combat, &mut self.spare);
            let empty = || FrontierShard { front: combat.new_frontier(), loads: Vec::new() };
            let layer = self.layers.entry(headway);
            let layer = layer.or_insert_with(|| {
                spare.take().unwrap_or_else(|| (0..SHARD_COUNT).map(|_| empty()).collect())
            });
            let absorb =
                |(shard, parts): (&mut FrontierShard<'_, L>, &Vec<(&FrontierPart, &Vec<L>)>)| {
                    parts.iter().for_each(|(part, landed)| shard.insert_part(part, landed));
                };
            let came = shards.iter().flatten().map(|(part, _)| part.numbers.len());
            // Few states are merged before a thread would wake.
            match came.sum::<usize>() < BATCH_STATES {
                #[cfg(feature = "threads")]
                false => layer.par_iter_mut().zip(&shards).for_each(absorb),
                _ => layer.iter_mut().zip(&shards).for_each(absorb),
            }
        }
    }
}

/// Returns the number of threads to work on.
fn thread_count() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Parts that arrived, by shard, each with its weights.
type ArrivedParts<'p, L> = Vec<Vec<(&'p FrontierPart, &'p Vec<L>)>>;

/// Sums the weight of all states of a layer, in a fixed order.
fn sum_weights<L: StateWeight>(layer: &FrontierLayer<'_, L>) -> L {
    let mut sum = L::default();
    layer.iter().flat_map(|shard| &shard.loads).for_each(|load| sum.add(load));
    sum
}

/// Returns the bytes of a state with its weight, and of the room that a growing table leaves free.
fn bytes_per_state<L>(combat: &AnyCombat) -> usize {
    (combat.new_frontier().bytes_per_state() + size_of::<L>()) * 3 / 2
}

/// Cuts a layer into batches: the shard and the states of each.
fn split_layer<L>(layer: &FrontierLayer<'_, L>) -> Vec<(usize, Range<usize>)> {
    let pieces = |(index, shard): (usize, &FrontierShard<'_, L>)| {
        let held = shard.loads.len();
        let starts = (0..held).step_by(BATCH_STATES);
        starts.map(move |start| (index, start..held.min(start + BATCH_STATES)))
    };
    layer.iter().enumerate().flat_map(pieces).collect()
}

/// Steps from some states of a shard.
fn step_range<S: WeightSplit>(
    shard: &FrontierShard<'_, S::Load>,
    range: Range<usize>,
    split: S,
    halt: &CancelToken,
) -> Result<StepBatch<S>, SolveError> {
    let mut states = shard.front.start_successors();
    let mut dice = OutcomeEnumerator::new(split);
    let mut landed: Vec<S::Load> = Vec::new();
    let mut land = |to: u32, load: &S::Load| {
        let to = to as usize;
        if to >= landed.len() {
            landed.resize(to + 1, S::Load::default());
        }
        landed[to].add(load);
    };
    for at in range {
        if halt.is_cancelled() {
            return Err(SolveError::Cancelled);
        }
        // Few trials show few of the faces: one run for each costs less than one for every possible
        // outcome.
        if let Some(FewTrials { trials, one, dice }) = dice.split.as_few_trials(&shard.loads[at]) {
            (0..trials)
                .for_each(|_| land(states.step_while_level(at as u32, dice, MAX_RUN_STEPS), &one));
            continue;
        }
        dice.start_step(shard.loads[at]);
        for sequence in 1.. {
            land(states.step(at as u32, &mut dice), &dice.finish_step());
            if !dice.advance() {
                break;
            }
            if sequence % SEQUENCES_PER_CHECK == 0 && halt.is_cancelled() {
                return Err(SolveError::Cancelled);
            }
            if sequence > MAX_SEQUENCES {
                return Err(
                    TooLargeError::new("sequences of faces in one step", MAX_SEQUENCES).into()
                );
            }
        }
    }
    Ok(StepBatch { reached: states.into_parts(), weights: landed, split: dice.split })
}
