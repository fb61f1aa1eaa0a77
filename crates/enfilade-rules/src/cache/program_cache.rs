//! Program cache: contests that differ in numbers, words, switches and rows share one program and
//! load the difference as parameters.
//!
//! The first contest of a family is compiled with every number constant, which plays fastest,
//! except for the numbers that are known to vary in its grid. When the next contest differs in a
//! number, that number becomes a load at run time ([`Op::Field`](crate::vm::code::Op::Field)), and
//! all later contests share the program, so that a cell of a grid costs no compilation. Numbers
//! that shape the code (dice of a pool, sides, turns of a loop) are never loaded. Contests with
//! large graphs join no family, because their graphs take longer than any compilation.
//!
//! A value that a part returns without rolling a die is computed from the parameters before the
//! rule is played ([`Settled`]), and is itself loaded or constant. If such a value shapes the code,
//! contests in which it is equal share a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::contest_numbers::{Numbered, ask, slots};
use crate::lower::compile::{Asked, Compiled};
use crate::lower::{Lowering, Settled, Slots, Why};
use crate::vm::snapshot::ROOM;
use enfilade_model::form::Fault;
use enfilade_model::shared::Text;

/// Largest number of cached families.
const MOST: usize = 256;
/// Largest number of cached programs in all families.
const PROGRAMS: usize = 2048;

/// Program for a contest.
pub struct Ready {
    /// Compiled rule.
    pub program: Arc<Compiled>,
    /// Parameter values that the program may load.
    pub numbers: Box<[i64]>,
    /// Flag for contests of this kind with a large graph, set by the code that builds the graph.
    pub large: Arc<AtomicBool>,
}

/// Cached programs of a rulebook.
#[derive(Debug, Default)]
pub struct Kept(Mutex<Programs>);

#[derive(Debug, Default)]
struct Programs {
    families: FxHashMap<Vec<i64>, Family>,
    /// Parameters that shaped a program, by a hash of their position: a finding in one family
    /// spares the next one the attempt.
    shapes: FxHashSet<u64>,
}

/// Contests that differ only in parameters. A word or a row is represented by its index, a switch
/// by 0 or 1.
#[derive(Debug)]
struct Family {
    /// Flag as in [`Ready`].
    large: Arc<AtomicBool>,
    /// Numbers of the first contest.
    first: Vec<i64>,
    /// Parameters that have varied or are known to vary, as a bit set.
    varies: Slots,
    /// Parameters that shape the code.
    shapes: Slots,
    /// Values derived from the parameters, in the order of their first use.
    settled: Vec<Arc<Settled>>,
    /// Programs by the numbers that are constant in them.
    programs: FxHashMap<Vec<i64>, Arc<Compiled>>,
}

/// Result of a cache lookup.
enum Found {
    Program(Arc<Compiled>),
    /// No program yet; the next one should load these parameters.
    Asks(Slots),
}

impl Kept {
    /// Returns the program of a contest with its parameter values.
    ///
    /// # Errors
    /// All faults of the contest.
    pub fn program<'a>(
        &self,
        asked: &'a Asked,
        mut lowering: Lowering<'a>,
    ) -> Result<Ready, Vec<Fault>> {
        let mut contest = Numbered::of(&mut lowering);
        let (found, large) = self.found(&mut contest, &mut lowering, asked.form.moves());
        let program = match found {
            Found::Program(program) => program,
            Found::Asks(asks) => {
                let (mut program, asks) = self.asking(asked, lowering, &mut contest, asks)?;
                program.reads = contest.reads(&program.program, asks);
                self.keep(&contest, asks, program)
            }
        };
        Ok(Ready { program, numbers: contest.numbers.into(), large })
    }

    /// Compiles a program that loads as many of these parameters as possible, and returns it with
    /// the parameters that it does load: those that do not shape its code.
    fn asking<'a>(
        &self,
        asked: &'a Asked,
        mut lowering: Lowering<'a>,
        contest: &mut Numbered,
        mut asks: Slots,
    ) -> Result<(Compiled, Slots), Vec<Fault>> {
        while asks & contest.given() != 0 {
            ask(&mut lowering, asks, contest);
            let shapes = match asked.walked(lowering, Why::Play, true) {
                Ok(mut program) => {
                    let found = std::mem::take(&mut program.asks);
                    (contest.numbers, contest.settled) = (found.numbers, found.settled);
                    if found.shapes == 0 && program.program.room() <= ROOM {
                        return Ok((program, asks));
                    }
                    // The state is too large: compiles again with every parameter constant.
                    if found.shapes == 0 { Slots::MAX } else { found.shapes }
                }
                Err(_) => Slots::MAX,
            };
            // Compiles again with the shaping parameters constant.
            (lowering, _) = asked.filled(Why::Play)?;
            self.shaped(contest, shapes, &mut lowering);
            asks &= !shapes;
        }
        Ok((asked.walked(lowering, Why::Play, true)?, 0))
    }

    /// Looks up the program of a contest and adds the values that its family derives. For the first
    /// contest of a grid the numbers that vary in other cells become parameters at once.
    fn found(
        &self,
        contest: &mut Numbered,
        lowering: &mut Lowering<'_>,
        moves: &[(Text, Text)],
    ) -> (Found, Arc<AtomicBool>) {
        let mut kept = self.0.lock();
        let Programs { families, shapes } = &mut *kept;
        if !families.contains_key(&contest.key) {
            if families.len() >= MOST {
                families.clear();
            }
            let action = lowering.scopes.action;
            let family = Family {
                large: Arc::default(),
                first: contest.numbers.clone(),
                varies: slots(lowering, |stands| stands.moves(moves)),
                shapes: slots(lowering, |stands| shapes.contains(&stands.hashed(action))),
                settled: Vec::new(),
                programs: FxHashMap::default(),
            };
            families.insert(contest.key.clone(), family);
        }
        let Some(family) = families.get_mut(&contest.key) else { unreachable!("it was put there") };
        let large = Arc::clone(&family.large);
        if large.load(Ordering::Relaxed) {
            return (Found::Asks(0), large);
        }
        family.compare(&contest.numbers);
        for settled in &family.settled {
            match settled.of(&contest.numbers) {
                Some(number) => contest.numbers.push(number),
                // The fault is reported when the rule reaches this value.
                None => return (Found::Asks(0), large),
            }
        }
        let found = match family.programs.get(&family.known(contest)) {
            Some(program) => Found::Program(Arc::clone(program)),
            None => {
                contest.settled.clone_from(&family.settled);
                Found::Asks(family.asks(contest))
            }
        };
        (found, large)
    }

    /// Stores a program for later contests, unless another one has taken its place meanwhile or the
    /// graphs are large.
    fn keep(&self, contest: &Numbered, asks: Slots, program: Compiled) -> Arc<Compiled> {
        let program = Arc::new(program);
        let mut kept = self.0.lock();
        if kept.families.values().map(|family| family.programs.len()).sum::<usize>() >= PROGRAMS {
            kept.families.values_mut().for_each(|family| family.programs.clear());
        }
        if let Some(family) = kept.families.get_mut(&contest.key)
            && family.asks(contest) == asks
            && !family.large.load(Ordering::Relaxed)
            && family.settles(contest)
        {
            family.programs.insert(family.known(contest), Arc::clone(&program));
        }
        program
    }

    /// Notes parameters that shape the code.
    fn shaped(&self, contest: &Numbered, shapes: Slots, lowering: &mut Lowering<'_>) {
        let mut kept = self.0.lock();
        if let Some(family) = kept.families.get_mut(&contest.key) {
            let own = if family.settles(contest) { Slots::MAX } else { contest.given() };
            family.shapes |= shapes & own;
            family.programs.clear();
        }
        if shapes != Slots::MAX {
            let (action, mut slot) = (lowering.scopes.action, 0);
            slots(lowering, |stands| {
                if shapes >> slot & 1 == 1 {
                    kept.shapes.insert(stands.hashed(action));
                }
                slot += 1;
                false
            });
        }
    }

    /// Returns the number of cached programs.
    pub fn len(&self) -> usize {
        let kept = self.0.lock();
        kept.families.values().map(|family| family.programs.len()).sum()
    }
}

impl Family {
    /// Notes which numbers differ from those of the first contest, and drops programs in which they
    /// are constant.
    fn compare(&mut self, numbers: &[i64]) {
        let differs = numbers.iter().zip(&self.first).enumerate();
        let differs = differs.filter(|(_, (now, first))| now != first);
        let varies = differs.fold(self.varies, |varies, (at, _)| varies | 1 << at);
        if varies != self.varies {
            self.varies = varies;
            self.programs.clear();
        }
    }

    /// Returns the parameters that the programs load, all derived values included; none if nothing
    /// varies.
    fn asks(&self, contest: &Numbered) -> Slots {
        match self.varies & !self.shapes {
            0 => 0,
            asks => (asks | !contest.given()) & !self.shapes & Slots::MAX >> 1,
        }
    }

    /// Returns the numbers that are constant in the programs; 0 for each that is loaded.
    fn known(&self, contest: &Numbered) -> Vec<i64> {
        let asks = self.asks(contest);
        let numbers = contest.numbers.iter().enumerate();
        let known = numbers.map(|(at, number)| if asks >> at & 1 == 1 { 0 } else { *number });
        let mut known: Vec<i64> = known.collect();
        // The next contest may derive more values.
        known.truncate(known.iter().rposition(|number| *number != 0).map_or(0, |last| last + 1));
        known
    }

    /// Returns whether the family derives the same values as a contest at the same positions, and
    /// adopts any that the contest has in addition.
    fn settles(&mut self, contest: &Numbered) -> bool {
        let reckons = contest.settled.starts_with(&self.settled)
            && contest.numbers.len() == contest.given + contest.settled.len();
        if reckons && contest.settled.len() > self.settled.len() {
            self.settled.clone_from(&contest.settled);
        }
        reckons
    }
}
