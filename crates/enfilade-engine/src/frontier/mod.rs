//! Contests played wave by wave: what is in every state is pushed one step on, and forgotten.
//!
//! Nothing is kept but the states that are about to be stepped from and what has ended: no graph, no
//! edges. What is pushed is not said here: probability in [`exact`](mod@crate::exact), trials in
//! [`simulate`](mod@crate::simulate). With the die graph the waves share the rule and no line of code.
//!
//! A wave is all states of the least [headway](enfilade_model::combat::Combat::headway) that wait. It is cut into
//! pieces, which are stepped side by side and added up in their order: so not even the last bit of a
//! sum depends on the number of threads.

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

/// Waves of one headway after which what comes no further is left unsettled.
pub const MAX_WAVES: u64 = 100_000;

/// Waves after which all that is not over is.
const MAX_WAVES_IN_ALL: u64 = 10 * MAX_WAVES;

/// States of a piece: what they lead to stays in a cache. Fewer states are stepped from by one thread.
#[doc(hidden)]
pub const PIECE: usize = 1 << 10;

/// Pieces that each thread steps before their results are put away: these are still in a cache then.
const PIECES_AT_ONCE: usize = 4;

/// How many times as many states as it holds a layer may have room for, to be used again.
const SPACIOUS: usize = 8;

/// Waves of one headway before the first look at whether there is anything left there that matters: what
/// must end has ended by then, to its rarest ending.
const WAVES_PATIENT: u64 = 1 << 12;

/// Waves between two such looks.
const WAVES_UNWEIGHED: u64 = 64;

/// Most things that one step can do: bounds the time of a step.
const SEQUENCES: usize = 1 << 22;

/// Of these, how many between two looks at whether to stop: some milliseconds.
const SEQUENCES_UNASKED: usize = 1 << 14;

/// Steps that what is little is played on for: a contest may never come further.
const RUN: u32 = 64;

/// Memory that a contest may take where nothing else is said.
const MEMORY: usize = 2 << 30;

/// Who pushes.
pub trait Push: Sync {
    /// What is in a state.
    type Load: Load;
    /// What shares it out.
    type Split: Split<Load = Self::Load>;

    /// Shares out what is in piece `piece` of wave `wave`.
    fn split(&self, wave: u64, piece: u64) -> Self::Split;

    /// What is left of a piece's work beside the states.
    fn gather(&mut self, split: Self::Split);

    /// Whether so much is as good as nothing, when it is all that is not over.
    fn is_settled(&self, open: &Self::Load) -> bool;
}

/// Who watches, and how far it may go.
pub struct Terms<'a> {
    /// Most states held at once; as many as fit into 2 GiB where nothing is said.
    pub states: Option<usize>,
    /// Whether to stop.
    pub halt: &'a Halt,
    /// Told after every wave; whether to go on.
    pub seen: &'a (dyn Fn(&Extent) -> bool + Sync),
}

opaque!(Terms<'_>);

/// How much has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Waves.
    pub waves: u64,
    /// States that were stepped from, each as often as it was.
    pub stepped: u64,
    /// States that wait.
    pub waiting: usize,
    /// Most states that waited at once.
    pub widest: usize,
}

/// What came of it.
#[derive(Debug)]
pub struct Ended<L> {
    /// The endings in their order, with what ended so.
    pub endings: Vec<(Ending, L)>,
    /// What was not over.
    pub open: L,
    /// How much was done.
    pub extent: Extent,
}

/// Pushes `opening` from the opening state of `combat` to its endings. Nobody may decide in it.
///
/// # Errors
/// When too many states wait at once, the rule goes wrong, or somebody asks to stop.
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
        // What goes round without end does not keep waiting what has come further.
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

/// The states of one headway that wait, by shard, each with what is in it.
type Layer<'a, L> = Vec<Shard<'a, L>>;

struct Shard<'a, L> {
    front: Box<dyn Front + 'a>,
    loads: Vec<L>,
}

impl<L: Load> Shard<'_, L> {
    /// Adds the states of a part with what came to them.
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

/// What came of a piece: the states, by number what is in them, and who shared it out.
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
    /// One that was stepped from, empty: its room is used again.
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
            // The pool is not asked for one piece, of which small contests have thousands.
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

    /// Keeps the room of a layer that has been stepped from, unless it was made for far more.
    fn spare(&mut self, mut layer: Layer<'a, L>) {
        let much =
            |shard: &Shard<'_, L>| shard.loads.capacity() > 64 + SPACIOUS * shard.loads.len();
        if !layer.iter().any(much) {
            layer.iter_mut().for_each(Shard::clear);
            self.spare = Some(layer);
        }
    }

    /// Whether no more states are held than may be.
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

    /// Puts what was reached where it belongs, in the order of the pieces.
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
            // Few are put away sooner than a thread is woken.
            match came.sum::<usize>() < PIECE {
                #[cfg(feature = "threads")]
                false => layer.par_iter_mut().zip(&shards).for_each(absorb),
                _ => layer.iter_mut().zip(&shards).for_each(absorb),
            }
        }
    }
}

/// By shard: the parts that came there, each with what was landed in its piece.
/// Threads to work on.
fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

type Arrived<'p, L> = Vec<Vec<(&'p Part, &'p Vec<L>)>>;

/// What is in all states of a layer, in a fixed order.
fn contents<L: Load>(layer: &Layer<'_, L>) -> L {
    let mut sum = L::default();
    layer.iter().flat_map(|shard| &shard.loads).for_each(|load| sum.add(load));
    sum
}

/// Bytes that a state takes with what is in it, and the room that a growing table keeps free.
fn bytes<L>(combat: &AnyCombat) -> usize {
    (combat.front().bytes() + size_of::<L>()) * 3 / 2
}

/// The pieces of a layer: of which shard, and which states.
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
        // Few trials show few of the faces: a run for each costs less than one for everything the dice can show.
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
