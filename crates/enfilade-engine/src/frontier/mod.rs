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

use rustc_hash::FxHashMap;

use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::parallel::{self, prelude::*};
use enfilade_model::combat::frontier::{
    EndingsAndFrontierParts, FRONTIER_SHARD_COUNT, FrontierStateSet, OpenStatesOfShard,
};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::error::TooManyStatesOrDice;
use enfilade_model::static_or_shared::opaque;
use outcome_enumerator::OutcomeEnumerator;
pub use outcome_enumerator::{OutcomeWeightSplit, StateWeightSum, Throw, TrialsPlayedOnAlone};

/// Number of steps at one progress value after which the rest is left unfinished.
pub const MAX_STEPS_AT_PROGRESS: u64 = 100_000;

/// Total number of steps after which everything that is not over is left unfinished.
const MAX_TOTAL_FRONTIER_STEPS: u64 = 10 * MAX_STEPS_AT_PROGRESS;

/// Number of states in a batch: their successors stay in a cache. Fewer states are stepped by one
/// thread.
#[doc(hidden)]
pub const STATES_PER_BATCH: usize = 1 << 10;

/// Number of batches that each thread steps before their results are merged: these are still in a
/// cache then.
const BATCHES_PER_THREAD: usize = 4;

/// Largest ratio of capacity to size at which a layer's memory is reused.
const MAX_REUSED_SPARE_FACTOR: usize = 8;

/// Number of steps at one progress value before the first check whether any weight left there
/// matters: a combat that must end has ended by then, to its rarest ending.
const STEPS_BEFORE_WEIGHT_CHECK: u64 = 1 << 12;

/// Number of steps between two of these checks.
const STEPS_PER_WEIGHT_CHECK: u64 = 64;

/// Largest number of outcomes of one step: bounds its time.
const MAX_OUTCOMES_PER_STEP: usize = 1 << 22;

/// Number of outcomes between two cancellation checks: some milliseconds.
const OUTCOMES_PER_CANCEL_CHECK: usize = 1 << 14;

/// Number of steps that a few trials are played on: a contest may never advance.
const MAX_STEPS_OF_FEW_TRIALS: u32 = 64;

/// Default memory of a contest, in bytes.
const DEFAULT_CONTEST_BYTES: usize = 2 << 30;

/// Kind of weight that is propagated.
pub trait PropagatedWeightKind: Sync {
    /// Weight of a state.
    type StateWeight: StateWeightSum;
    /// Split of the weight of a state.
    type StateWeightSplit: OutcomeWeightSplit<StateWeight = Self::StateWeight>;

    /// Creates the split for batch `piece` of frontier step `wave`.
    fn new_batch_split(&self, wave: u64, piece: u64) -> Self::StateWeightSplit;

    /// Collects the results of a batch beside its states.
    fn collect_batch_side_results(&mut self, split: Self::StateWeightSplit);

    /// Returns whether the weight is negligible, if it is all that is not over.
    fn is_weight_negligible(&self, open: &Self::StateWeight) -> bool;
}

/// Observer and limits of a run.
pub struct FrontierLimits<'a> {
    /// Largest number of states stored at once; `None` for as many as fit into 2 GiB.
    pub states: Option<usize>,
    /// Token that cancels the run.
    pub halt: &'a CancelToken,
    /// Callback after every frontier step; returns whether to continue.
    pub on_step: &'a (dyn Fn(&FrontierWorkAmount) -> bool + Sync),
}

opaque!(FrontierLimits<'_>);

/// Amount of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrontierWorkAmount {
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
pub struct FrontierRunResult<L> {
    /// Endings in their order, with their weights.
    pub endings: Vec<(Ending, L)>,
    /// Weight that was not over.
    pub open: L,
    /// Amount of work done.
    pub extent: FrontierWorkAmount,
}

/// Propagates `opening` from the opening state of `combat` to its endings. The combat must have no
/// decisions.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn propagate_to_endings<P: PropagatedWeightKind>(
    combat: &AnyCombat,
    push: &mut P,
    opening: P::StateWeight,
    terms: &FrontierLimits<'_>,
) -> Result<FrontierRunResult<P::StateWeight>, SolveError> {
    let mut waves = FrontierRun::new(combat, terms);
    waves.insert_opening_state(opening);
    let mut open = P::StateWeight::default();
    let (mut last, mut lingered) = (0, 0);
    while let Some((headway, layer)) = waves.layers.pop_first() {
        lingered = if headway == last { lingered + 1 } else { 0 };
        last = headway;
        let due = lingered >= STEPS_BEFORE_WEIGHT_CHECK
            && lingered.is_multiple_of(STEPS_PER_WEIGHT_CHECK);
        // A loop without end must not hold up the states that have advanced further.
        let must_stop =
            lingered >= MAX_STEPS_AT_PROGRESS || waves.extent.steps >= MAX_TOTAL_FRONTIER_STEPS;
        if must_stop || due && push.is_weight_negligible(&sum_layer_weights(&layer)) {
            open.merge_weight(&sum_layer_weights(&layer));
            continue;
        }
        waves.step_whole_layer(layer, push)?;
    }
    Ok(waves.into_result(open))
}

/// Limits of a run that ends after some steps.
#[derive(Clone, Copy, Debug)]
pub struct FirstStepsLimits {
    /// Largest number of steps.
    pub steps: u64,
    /// Largest number of states that are stepped from before the last step.
    pub expanded_states: u64,
}

/// Propagates `opening` for some steps, each from every state at once whatever its progress.
/// Returns `None` if the steps of `combat` are not those of a played trial.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn propagate_steps_in_lockstep<P: PropagatedWeightKind>(
    combat: &AnyCombat,
    push: &mut P,
    opening: P::StateWeight,
    first: &FirstStepsLimits,
    terms: &FrontierLimits<'_>,
) -> Result<Option<FrontierRunResult<P::StateWeight>>, SolveError> {
    if combat.new_frontier_by_trial_steps().is_none() {
        return Ok(None);
    }
    let mut waves = FrontierRun { in_lockstep: true, ..FrontierRun::new(combat, terms) };
    waves.insert_opening_state(opening);
    while waves.extent.steps < first.steps
        && waves.extent.expanded_states < first.expanded_states
        && let Some((_, layer)) = waves.layers.pop_first()
    {
        waves.step_whole_layer(layer, push)?;
    }
    let mut open = P::StateWeight::default();
    waves.layers.values().for_each(|layer| open.merge_weight(&sum_layer_weights(layer)));
    Ok(Some(waves.into_result(open)))
}

/// Waiting states of one progress value, by shard, each with its weight.
type FrontierLayer<'a, L> = Vec<FrontierShard<'a, L>>;

struct FrontierShard<'a, L> {
    front: Box<dyn FrontierStateSet + 'a>,
    loads: Vec<L>,
}

impl<L: StateWeightSum> FrontierShard<'_, L> {
    /// Inserts the states of a part with their weights.
    fn insert_states_with_weights(&mut self, part: &OpenStatesOfShard, landed: &[L]) {
        let places = self.front.add_part_and_number_states(part);
        self.loads.resize(self.front.state_count(), L::default());
        for (place, &number) in places.into_iter().zip(&part.numbers) {
            self.loads[place as usize].merge_weight(&landed[number as usize]);
        }
    }

    fn clear_states(&mut self) {
        self.front.clear_states();
        self.loads.clear();
    }
}

/// Result of a batch: the successors, their weights by number, and the split that was used.
struct StepBatchResult<S: OutcomeWeightSplit> {
    reached: EndingsAndFrontierParts,
    weights: Vec<S::StateWeight>,
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
    extent: FrontierWorkAmount,
    /// Whether every state is stepped from at once, in the steps of a played trial.
    in_lockstep: bool,
}

impl<'a, L: StateWeightSum> FrontierRun<'a, L> {
    fn new(combat: &'a AnyCombat, terms: &'a FrontierLimits<'a>) -> Self {
        let (layers, endings) = (BTreeMap::new(), FxHashMap::default());
        let most = terms.states.unwrap_or(DEFAULT_CONTEST_BYTES / bytes_per_state::<L>(combat));
        FrontierRun {
            combat,
            terms,
            most,
            layers,
            spare: None,
            endings,
            extent: FrontierWorkAmount::default(),
            in_lockstep: false,
        }
    }

    fn new_empty_frontier_states(&self) -> Box<dyn FrontierStateSet + 'a> {
        let stepwise =
            self.in_lockstep.then(|| self.combat.new_frontier_by_trial_steps()).flatten();
        stepwise.unwrap_or_else(|| self.combat.new_empty_frontier())
    }

    /// Returns the result, with the weight that is not over.
    fn into_result(self, open: L) -> FrontierRunResult<L> {
        let mut endings: Vec<_> = self.endings.into_iter().collect();
        endings.sort_unstable_by_key(|(ending, _)| *ending);
        FrontierRunResult { endings, open, extent: self.extent }
    }

    fn insert_opening_state(&mut self, opening: L) {
        let front = self.new_empty_frontier_states();
        let mut states = front.new_successor_numbering();
        states.initial_state();
        let reached = states.into_endings_and_front_parts();
        self.merge_batch_results(&[(reached, vec![opening])]);
    }

    /// Steps from every state of a layer.
    fn step_whole_layer<P: PropagatedWeightKind<StateWeight = L>>(
        &mut self,
        layer: FrontierLayer<'a, L>,
        push: &mut P,
    ) -> Result<(), SolveError> {
        let pieces = cut_into_batches(&layer);
        let states: usize = layer.iter().map(|shard| shard.loads.len()).sum();
        let wave = self.extent.steps;
        let at_once = BATCHES_PER_THREAD * parallel::current_num_threads();
        for (batch, pieces) in pieces.chunks(at_once).enumerate() {
            let first = batch * at_once;
            let halt = self.terms.halt;
            let work = |(index, (shard, range)): (usize, &(usize, Range<usize>))| {
                let split = push.new_batch_split(wave, (first + index) as u64);
                step_from_states(&layer[*shard], range.clone(), split, halt)
            };
            // A single batch does not go to the pool, because small contests have thousands of
            // these.
            let layer_results: Result<Vec<_>, SolveError> = match pieces {
                [only] => work((0, only)).map(|piece| vec![piece]),
                _ => pieces.par_iter().enumerate().map(work).collect(),
            };
            self.combat.recorded_rule_fault().map_or(Ok(()), Err)?;
            let mut landed = Vec::new();
            for piece in layer_results? {
                push.collect_batch_side_results(piece.split);
                landed.push((piece.reached, piece.weights));
            }
            self.merge_batch_results(&landed);
            self.check_state_limit(states)?;
        }
        self.extent.steps += 1;
        self.extent.expanded_states += states as u64;
        self.recycle_layer(layer);
        match (self.terms.on_step)(&self.extent) {
            true => Ok(()),
            false => Err(SolveError::Cancelled),
        }
    }

    fn new_empty_layer(&self) -> FrontierLayer<'a, L> {
        let empty =
            |_| FrontierShard { front: self.new_empty_frontier_states(), loads: Vec::new() };
        (0..FRONTIER_SHARD_COUNT).map(empty).collect()
    }

    /// Retains the memory of a layer that has been stepped from, unless its capacity is far too
    /// large.
    fn recycle_layer(&mut self, mut layer: FrontierLayer<'a, L>) {
        let much = |shard: &FrontierShard<'_, L>| {
            shard.loads.capacity() > 64 + MAX_REUSED_SPARE_FACTOR * shard.loads.len()
        };
        if !layer.iter().any(much) {
            layer.iter_mut().for_each(FrontierShard::clear_states);
            self.spare = Some(layer);
        }
    }

    /// Checks that no more states are stored than the limit allows.
    fn check_state_limit(&mut self, stepping: usize) -> Result<(), TooManyStatesOrDice> {
        let shards = self.layers.values().flatten();
        self.extent.waiting = shards.map(|shard| shard.loads.len()).sum();
        let stored = self.extent.waiting + stepping;
        self.extent.widest = self.extent.widest.max(stored);
        if stored + self.endings.len() <= self.most {
            return Ok(());
        }
        Err(TooManyStatesOrDice::new("states at once", self.most))
    }

    /// Merges the successors into their layers, in the order of the batches.
    fn merge_batch_results(&mut self, pieces: &[(EndingsAndFrontierParts, Vec<L>)]) {
        let mut arrived: BTreeMap<u32, PartsByShard<'_, L>> = BTreeMap::new();
        for (reached, landed) in pieces {
            for (ending, number) in &reached.endings {
                self.endings.entry(*ending).or_default().merge_weight(&landed[*number as usize]);
            }
            for part in &reached.parts {
                let headway = if self.in_lockstep { 0 } else { part.headway };
                let shards = arrived
                    .entry(headway)
                    .or_insert_with(|| vec![Vec::new(); FRONTIER_SHARD_COUNT]);
                shards[part.shard].push((part, landed));
            }
        }
        for (headway, shards) in arrived {
            let spare = match self.layers.contains_key(&headway) {
                true => None,
                false => Some(self.spare.take().unwrap_or_else(|| self.new_empty_layer())),
            };
            let layer = self.layers.entry(headway).or_insert_with(|| spare.unwrap_or_default());
            let absorb = |(shard, parts): (
                &mut FrontierShard<'_, L>,
                &Vec<(&OpenStatesOfShard, &Vec<L>)>,
            )| {
                parts
                    .iter()
                    .for_each(|(part, landed)| shard.insert_states_with_weights(part, landed));
            };
            let came = shards.iter().flatten().map(|(part, _)| part.numbers.len());
            // Few states are merged before a thread would wake.
            match came.sum::<usize>() < STATES_PER_BATCH {
                false => layer.par_iter_mut().zip(&shards).for_each(absorb),
                _ => layer.iter_mut().zip(&shards).for_each(absorb),
            }
        }
    }
}

/// Parts that arrived, by shard, each with its weights.
type PartsByShard<'p, L> = Vec<Vec<(&'p OpenStatesOfShard, &'p Vec<L>)>>;

/// Sums the weight of all states of a layer, in a fixed order.
fn sum_layer_weights<L: StateWeightSum>(layer: &FrontierLayer<'_, L>) -> L {
    let mut sum = L::default();
    layer.iter().flat_map(|shard| &shard.loads).for_each(|load| sum.merge_weight(load));
    sum
}

/// Returns the bytes of a state with its weight, and of the room that a growing table leaves free.
fn bytes_per_state<L>(combat: &AnyCombat) -> usize {
    (combat.new_empty_frontier().bytes_per_state() + size_of::<L>()) * 3 / 2
}

/// Cuts a layer into batches: the shard and the states of each.
fn cut_into_batches<L>(layer: &FrontierLayer<'_, L>) -> Vec<(usize, Range<usize>)> {
    let pieces = |(index, shard): (usize, &FrontierShard<'_, L>)| {
        let count = shard.loads.len();
        let starts = (0..count).step_by(STATES_PER_BATCH);
        starts.map(move |start| (index, start..count.min(start + STATES_PER_BATCH)))
    };
    layer.iter().enumerate().flat_map(pieces).collect()
}

/// Steps from some states of a shard.
fn step_from_states<S: OutcomeWeightSplit>(
    shard: &FrontierShard<'_, S::StateWeight>,
    range: Range<usize>,
    split: S,
    halt: &CancelToken,
) -> Result<StepBatchResult<S>, SolveError> {
    let mut states = shard.front.new_successor_numbering();
    let mut dice = OutcomeEnumerator::new(split);
    let mut landed: Vec<S::StateWeight> = Vec::new();
    let mut land = |to: u32, load: &S::StateWeight| {
        let to = to as usize;
        if to >= landed.len() {
            landed.resize(to + 1, S::StateWeight::default());
        }
        landed[to].merge_weight(load);
    };
    for at in range {
        if halt.is_cancelled() {
            return Err(SolveError::Cancelled);
        }
        // Few trials show few of the faces: one run for each costs less than one for every possible
        // outcome.
        if let Some(TrialsPlayedOnAlone { trials, one, dice }) =
            dice.split.as_few_trials(&shard.loads[at])
        {
            (0..trials).for_each(|_| {
                land(states.step_until_progress(at as u32, dice, MAX_STEPS_OF_FEW_TRIALS), &one)
            });
            continue;
        }
        dice.start_step_with_weight(shard.loads[at]);
        for sequence in 1.. {
            land(states.play_one_step(at as u32, &mut dice), &dice.weight_at_step_end());
            if !dice.advance_to_next_outcome() {
                break;
            }
            if sequence % OUTCOMES_PER_CANCEL_CHECK == 0 && halt.is_cancelled() {
                return Err(SolveError::Cancelled);
            }
            if sequence > MAX_OUTCOMES_PER_STEP {
                return Err(TooManyStatesOrDice::new(
                    "sequences of faces in one step",
                    MAX_OUTCOMES_PER_STEP,
                )
                .into());
            }
        }
    }
    Ok(StepBatchResult {
        reached: states.into_endings_and_front_parts(),
        weights: landed,
        split: dice.split,
    })
}
