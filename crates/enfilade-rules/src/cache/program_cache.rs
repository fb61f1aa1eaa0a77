//! Programs that are ready: contests that differ in numbers, words, switches and rows share one.
//!
//! The first contest of a family is compiled with everything known, which plays fastest, but for what is known
//! to differ in other contests of its grid. Where the next one differs in something, that is asked for while the rule is played
//! ([`Op::Field`](crate::vm::code::Op::Field)), and those that follow share the program: a cell of a grid
//! costs no compiling. What a rule is written out by (dice of a pool, sides, turns of a loop) is never
//! asked for; and nothing is in a family whose graphs are large, which take longer than any compiling.
//!
//! What a part gives that looks at no die is reckoned from these numbers before the rule is played ([`Settled`]), and is
//! asked for or known as they are: where turns are written out by it, contests that it is the same in share a program.

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

/// Families that are kept.
const MOST: usize = 256;
/// Programs of all of them.
const PROGRAMS: usize = 2048;

/// A program for a contest.
pub struct Ready {
    /// The program.
    pub program: Arc<Compiled>,
    /// Numbers of the contest that it may ask for.
    pub numbers: Box<[i64]>,
    /// Whether contests like this have a large graph: noted by whoever makes one.
    pub large: Arc<AtomicBool>,
}

/// The programs of a rulebook.
#[derive(Debug, Default)]
pub struct Kept(Mutex<Programs>);

#[derive(Debug, Default)]
struct Programs {
    families: FxHashMap<Vec<i64>, Family>,
    /// Numbers by which a rule was written out, by a hash of where they stand: what turns out for one
    /// family need not be tried by the next.
    shapes: FxHashSet<u64>,
}

/// Contests that are alike but for what can be asked for: a word and a row are the number of their place,
/// a switch is 0 or 1.
#[derive(Debug)]
struct Family {
    /// See [`Ready`].
    large: Arc<AtomicBool>,
    /// The numbers of the first contest.
    first: Vec<i64>,
    /// Those that were seen to vary or are known to, as bits.
    varies: Slots,
    /// Those by which the rule is written out.
    shapes: Slots,
    /// What it reckons from them, in the order in which it was met.
    settled: Vec<Arc<Settled>>,
    /// By the numbers that are known in them.
    programs: FxHashMap<Vec<i64>, Arc<Compiled>>,
}

/// What there is for a contest.
enum Found {
    Program(Arc<Compiled>),
    /// Nothing yet; these numbers are to be asked for.
    Asks(Slots),
}

impl Kept {
    /// The program of a contest, and the numbers that it asks for.
    ///
    /// # Errors
    /// What does not fit together.
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

    /// A program that asks for as many of these numbers as it can, and for which: not for those by which it
    /// is written out.
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
                    // Without any it is too large.
                    if found.shapes == 0 { Slots::MAX } else { found.shapes }
                }
                Err(_) => Slots::MAX,
            };
            // Once more, with those known of which it is written out.
            (lowering, _) = asked.filled(Why::Play)?;
            self.shaped(contest, shapes, &mut lowering);
            asks &= !shapes;
        }
        Ok((asked.walked(lowering, Why::Play, true)?, 0))
    }

    /// What there is for a contest, which gets the numbers that its family reckons. Of the first of a grid
    /// those that differ in others are asked for at once.
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
                // It is told where the rule comes there.
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

    /// Keeps a program for contests to come, unless another took its place meanwhile or their graphs are large.
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

    /// Notes numbers by which the rule is written out.
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

    /// How many programs are kept.
    pub fn len(&self) -> usize {
        let kept = self.0.lock();
        kept.families.values().map(|family| family.programs.len()).sum()
    }
}

impl Family {
    /// Notes which numbers differ from those of the first contest: what they were known in is of no use.
    fn compare(&mut self, numbers: &[i64]) {
        let differs = numbers.iter().zip(&self.first).enumerate();
        let differs = differs.filter(|(_, (now, first))| now != first);
        let varies = differs.fold(self.varies, |varies, (at, _)| varies | 1 << at);
        if varies != self.varies {
            self.varies = varies;
            self.programs.clear();
        }
    }

    /// The numbers that its programs ask for, with all that are reckoned; none where nothing varies.
    fn asks(&self, contest: &Numbered) -> Slots {
        match self.varies & !self.shapes {
            0 => 0,
            asks => (asks | !contest.given()) & !self.shapes & Slots::MAX >> 1,
        }
    }

    /// The numbers that are known in its programs; 0 for those that are asked for.
    fn known(&self, contest: &Numbered) -> Vec<i64> {
        let asks = self.asks(contest);
        let numbers = contest.numbers.iter().enumerate();
        let known = numbers.map(|(at, number)| if asks >> at & 1 == 1 { 0 } else { *number });
        let mut known: Vec<i64> = known.collect();
        // More may be reckoned for the next contest.
        known.truncate(known.iter().rposition(|number| *number != 0).map_or(0, |last| last + 1));
        known
    }

    /// Whether it reckons what a contest does, in the same places; from now on all of that.
    fn settles(&mut self, contest: &Numbered) -> bool {
        let reckons = contest.settled.starts_with(&self.settled)
            && contest.numbers.len() == contest.given + contest.settled.len();
        if reckons && contest.settled.len() > self.settled.len() {
            self.settled.clone_from(&contest.settled);
        }
        reckons
    }
}
