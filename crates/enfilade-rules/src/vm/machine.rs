//! Interpreter of a program: runs from one die to the next, with live registers alone in between.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::code::{ListCell, Op, Program, Registers, Shown, Site, Stops, Two, Way, Wrong};
use super::pool_loop::Pool;
use super::snapshot::{ROOM, Snap};
pub use crate::diagnostics::Broken;
use crate::diagnostics::Trouble;
use crate::types::STORED;
use enfilade_model::combat::{Ending, Guided, Later, MAX_COLUMNS, Policy, Taken};
use enfilade_model::dice::Dice;

/// Largest number of jumps between two dice.
const JUMPS: u32 = 100_000;

/// Reason why a run stopped.
pub enum Stop {
    Site(u16),
    /// Face merge.
    Way(usize),
    /// Memo point, by its index in [`Program::rests`].
    Rest(u16),
    End,
    Halt,
    Wrong(Broken),
}

/// Program that is ready to be played.
pub struct Machine {
    /// Program.
    pub program: Arc<Program>,
    /// Values of the parameters.
    pub(crate) numbers: Box<[i64]>,
    /// First failure.
    pub broken: OnceLock<Broken>,
    /// Policy of the players' decisions, by state.
    pub(crate) policy: Policy<Snap<ROOM>>,
    /// Progress of the suspend points, computed on first use.
    headways: OnceLock<Box<[u32]>>,
    /// Pool loops by suspend point, once they are searched for.
    pools: OnceLock<Box<[Option<Pool>]>>,
    /// Flag for a contest with many states.
    pub(crate) large: Arc<AtomicBool>,
}

impl Machine {
    /// Creates an interpreter for `program` with the values of its parameters.
    pub fn new(program: Arc<Program>, numbers: Box<[i64]>) -> Machine {
        let (broken, headways, pools) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (policy, large) = (Policy::default(), Arc::default());
        Machine { program, numbers, broken, policy, headways, pools, large }
    }

    /// Sets the flag that is raised when the contest has many states.
    pub fn noting(self, large: Arc<AtomicBool>) -> Machine {
        Machine { large, ..self }
    }

    /// Returns the progress at a suspend point; 0 before the first line.
    pub(crate) fn headway(&self, site: u16) -> u32 {
        let headways = self.headways.get_or_init(|| self.program.headways());
        headways.get(usize::from(site)).copied().unwrap_or(0)
    }

    /// Stores the pool loops that `find` finds, unless they are known already.
    pub fn knowing_pools(&self, find: fn(&Program) -> Box<[Option<Pool>]>) -> &Machine {
        self.pools.get_or_init(|| find(&self.program));
        self
    }

    /// Returns the pool loop of a suspend point's die, if pool loops are known.
    pub(crate) fn pool(&self, site: u16) -> Option<&Pool> {
        self.pools.get()?.get(usize::from(site))?.as_ref()
    }

    /// Plays one trial; `None` after `max_steps` dice, or at an unsolved decision.
    pub fn play(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        let mut regs = [0; 256];
        let mut stop = self.run(&mut regs, 0, dice);
        for _ in 0..max_steps {
            stop = match stop {
                Stop::Site(site) if self.decides(site) => {
                    let mut dice = Guided::new(&mut *dice);
                    dice.begin(self.decided(&regs, site));
                    let next = self.answer(&mut regs, site, &mut dice);
                    self.unless_astray(&dice)?;
                    next
                }
                Stop::Site(site) => self.answer(&mut regs, site, dice),
                _ => break,
            }
        }
        match stop {
            Stop::Site(_) | Stop::Way(_) | Stop::Rest(_) => None,
            Stop::End | Stop::Halt => Some(self.ended(&mut regs, left)),
            Stop::Wrong(broken) => Some(self.lost(broken)),
        }
    }

    pub(crate) fn decides(&self, site: u16) -> bool {
        matches!(self.program.sites[usize::from(site)].stops, Stops::Choice(..))
    }

    /// Returns the best option at a decision.
    pub(crate) fn decided(&self, regs: &Registers, site: u16) -> &[Taken] {
        match self.save::<ROOM>(regs, site) {
            Ok(snap) => self.policy.of(&snap),
            Err(_) => &[],
        }
    }

    /// Notes a decision that the policy does not contain.
    pub(crate) fn unless_astray<D: Dice>(&self, dice: &Guided<D>) -> Option<()> {
        let Some(mishap) = dice.mishap() else {
            return Some(());
        };
        let _ = self.broken.set(Broken {
            span: 0..0,
            problem: mishap.fault.problem,
            help: mishap.fault.help.unwrap_or_default(),
        });
        None
    }

    /// Records a failure, and returns the ending of a failed run.
    pub(crate) fn lost(&self, broken: Broken) -> Ending {
        // Only the first failure is reported.
        let _ = self.broken.set(broken);
        Ending { fields: [0; MAX_COLUMNS], weights: [0; MAX_COLUMNS] }
    }

    /// Returns the ending of a finished rule.
    pub(crate) fn ending(&self, regs: &mut Registers) -> Ending {
        let mut ending = Ending { fields: [0; MAX_COLUMNS], weights: [0; MAX_COLUMNS] };
        let value = |shown: &Shown, regs: &Registers| match shown {
            Shown::At(reg) => regs[usize::from(*reg)] as i32,
            Shown::Known(value) => *value,
        };
        for (place, (shown, word)) in ending.fields.iter_mut().zip(&self.program.columns) {
            let value = value(shown, regs);
            *place = word.map_or(value, |word| (value == word).into());
        }
        let end = self.end().at as usize;
        // No die is rolled after the end.
        if let Stop::Wrong(broken) = self.run(regs, end + 1, &mut Undiced) {
            return self.lost(broken);
        }
        for (place, shown) in ending.weights.iter_mut().zip(&self.program.weights) {
            *place = value(shown, regs);
        }
        ending
    }

    pub(crate) fn end(&self) -> &Site {
        &self.program.sites[self.program.sites.len() - 1]
    }

    /// Rolls the die of a suspend point and runs to the next one.
    pub(crate) fn answer(&self, regs: &mut Registers, site: u16, dice: &mut dyn Dice) -> Stop {
        self.answer_told(regs, site, dice, &mut |_, _| {})
    }

    /// Rolls the die unless `rolled` is its face, and runs to the next one, a merge or a memo point.
    pub(crate) fn answer_to(
        &self,
        regs: &mut Registers,
        site: u16,
        way: Option<&Way>,
        rolled: Option<u8>,
        dice: &mut dyn Dice,
    ) -> Stop {
        let stopped = &self.program.sites[usize::from(site)];
        match rolled.map_or_else(|| self.face(regs, stopped, dice), Ok) {
            Ok(face) => regs[usize::from(stopped.into)] = face.into(),
            Err(stop) => return stop,
        }
        let from = stopped.at as usize + 1;
        match way {
            Some(way) => self.run_to::<true, true>(regs, from, way.at, dice, &mut |_, _| {}),
            None => self.run_to_rest(regs, from, dice),
        }
    }

    /// Runs to the next die or memo point.
    pub(crate) fn run_to_rest(
        &self,
        regs: &mut Registers,
        from: usize,
        dice: &mut dyn Dice,
    ) -> Stop {
        self.run_to::<false, true>(regs, from, [0; 2], dice, &mut |_, _| {})
    }

    pub(crate) fn answer_told(
        &self,
        regs: &mut Registers,
        site: u16,
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> Stop {
        let stopped = &self.program.sites[usize::from(site)];
        match self.face(regs, stopped, dice) {
            Ok(face) => regs[usize::from(stopped.into)] = face.into(),
            Err(stop) => return stop,
        }
        self.run_told(regs, stopped.at as usize + 1, dice, tell)
    }

    /// Returns the face of a die, or the option of a decision.
    fn face(&self, regs: &Registers, stopped: &Site, dice: &mut dyn Dice) -> Result<u8, Stop> {
        Ok(match stopped.stops {
            Stops::Die(sides) => dice.die(sides),
            Stops::DieOf(reg, least) => {
                let sides = regs[usize::from(reg)];
                match u8::try_from(sides).ok().filter(|n| (least..=100).contains(n)) {
                    Some(1) => 1,
                    Some(sides) => dice.die(sides),
                    None => return Err(self.no_die(stopped, sides)),
                }
            }
            Stops::Choice(decision, options) => dice.choose(decision, options),
            Stops::End => return Err(Stop::End),
        })
    }

    fn no_die(&self, site: &Site, sides: i64) -> Stop {
        Stop::Wrong(Broken {
            span: site.span.clone(),
            problem: format!("a die has 1 to 100 sides, not {sides}"),
            help: String::new(),
        })
    }

    /// Runs to the next die.
    pub(crate) fn run(&self, regs: &mut Registers, from: usize, dice: &mut dyn Dice) -> Stop {
        self.run_told(regs, from, dice, &mut |_, _| {})
    }

    /// Runs to the next die, and passes trace marks to `tell`.
    pub(crate) fn run_told(
        &self,
        regs: &mut Registers,
        from: usize,
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> Stop {
        self.run_to::<false, false>(regs, from, [0; 2], dice, tell)
    }

    /// Runs to the next die: with `HALTS` at most to a position, with `RESTS` to a memo point.
    fn run_to<const HALTS: bool, const RESTS: bool>(
        &self,
        regs: &mut Registers,
        from: usize,
        to: [usize; 2],
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> Stop {
        self.program.run_to::<HALTS, RESTS>(&self.numbers, regs, from, to, dice, tell)
    }
}

impl Program {
    /// Runs as [`Machine::run_to`] does, with the values of the parameters in `numbers`.
    fn run_to<const HALTS: bool, const RESTS: bool>(
        &self,
        numbers: &[i64],
        regs: &mut Registers,
        from: usize,
        to: [usize; 2],
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> Stop {
        let mut at = from;
        // Every loop goes back by a plain jump, so a limit on these bounds the run.
        let mut jumps = JUMPS;
        loop {
            if HALTS && to.contains(&at) {
                return Stop::Way(at);
            }
            let op = self.ops[at];
            #[rustfmt::skip]
            let elsewhere = match op {
                Op::Jump(to) => {
                    jumps -= 1;
                    if jumps == 0 {
                        let problem = "this loop never rolls a die and never ends".to_owned();
                        return self.wrong(at, Trouble::Said(problem));
                    }
                    Some(to)
                }
                Op::Unless(s, to) => (regs[usize::from(s)] == 0).then_some(to),
                Op::UnlessCmp(two, a, b, to) => {
                    (!two.holds(regs[usize::from(a)], regs[usize::from(b)])).then_some(to)
                }
                Op::UnlessCmpK(two, a, k, to) => {
                    (!two.holds(regs[usize::from(a)], k.into())).then_some(to)
                }
                Op::There(bag, place, to) => {
                    let first = usize::from(self.bags[usize::from(bag)].base);
                    (regs[first + regs[usize::from(place)] as usize] < 0).then_some(to)
                }
                Op::Next(..) | Op::Count(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Before(..)
                    => self.with_bag(op, regs),
                Op::Site(site) => return Stop::Site(site),
                Op::Rest(rest) if RESTS => return Stop::Rest(rest),
                Op::End => return Stop::End,
                Op::Halt => return Stop::Halt,
                Op::Fail(wrong) => return self.failed(wrong),
                Op::Skip | Op::Rest(_) => None,
                Op::Tell(mark) => {
                    tell(mark, regs);
                    None
                }
                Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
                | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Load(..) | Op::Store(..)
                | Op::Look(..) | Op::Key(..) | Op::Keep(..) | Op::Tally(..) | Op::Get(..) | Op::Put(..)
                    => match self.done(op, regs, numbers, dice) {
                    Ok(()) => None,
                    Err(trouble) => return self.wrong(at, trouble),
                },
            };
            at = elsewhere.map_or(at + 1, usize::from);
        }
    }

    /// Executes an instruction that does not jump; the error is the reason why it cannot.
    #[inline(always)]
    fn done(
        &self,
        op: Op,
        regs: &mut Registers,
        numbers: &[i64],
        dice: &mut dyn Dice,
    ) -> Result<(), Trouble> {
        macro_rules! r {
            ($reg:expr) => {
                regs[usize::from($reg)]
            };
        }
        match op {
            Op::Const(d, k) => r!(d) = k.into(),
            Op::Wide(d, k) => r!(d) = self.wide[usize::from(k)],
            Op::Field(d, slot) => r!(d) = numbers[usize::from(slot)],
            Op::Copy(d, s) => r!(d) = r!(s),
            Op::Narrow(d, s) => r!(d) = stored(r!(s))?,
            Op::Bin(two, d, a, b) => r!(d) = reckoned(two, r!(a), r!(b))?,
            Op::BinK(two, d, a, k) => r!(d) = reckoned(two, r!(a), k.into())?,
            Op::BinNarrow(two, d, a, b) => r!(d) = stored(reckoned(two, r!(a), r!(b))?)?,
            Op::BinKNarrow(two, d, a, k) => r!(d) = stored(reckoned(two, r!(a), k.into())?)?,
            Op::Load(d, base, count, place) => r!(d) = regs[there(base, count, r!(place))?],
            Op::Store(base, count, place, value) => {
                regs[there(base, count, r!(place))?] = r!(value);
            }
            Op::Look(d, list, s) => r!(d) = self.looked(numbers, list, r!(s))?,
            Op::Key(d, keys, s) => match self.key(keys, r!(s)) {
                Some(place) => r!(d) = place as i64,
                None => return Err(Trouble::Said(format!("the table has no key {}", r!(s)))),
            },
            Op::Keep(base, count, face, highest) => keep(regs, base, count, face, highest),
            Op::Get(d, digit, place) => {
                r!(d) = self.digits[usize::from(digit)].get(regs, r!(place));
            }
            Op::Put(digit, place, s) => {
                let (place, value) = (r!(place), r!(s));
                if !self.digits[usize::from(digit)].put(regs, place, value) {
                    return Err(past(value).into());
                }
            }
            Op::Tally(counter, s) => match i32::try_from(r!(s)) {
                Ok(amount) => dice.tally(counter, amount),
                Err(_) => return Err(past(r!(s)).into()),
            },
            // Handled by the caller, because they determine the next position. Named one by one, so
            // that the compiler demands a decision for each new instruction.
            #[rustfmt::skip]
            Op::Jump(_) | Op::Unless(..) | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Site(_) | Op::Rest(_)
            | Op::Count(..) | Op::There(..) | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..)
            | Op::Before(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => {}
        }
        Ok(())
    }

    /// Looks up the number at an index of a list.
    #[inline(always)]
    fn looked(&self, numbers: &[i64], list: u16, place: i64) -> Result<i64, Trouble> {
        let list = &self.lists[usize::from(list)];
        match usize::try_from(place).ok().and_then(|place| list.get(place)) {
            Some(&ListCell::Is(value)) => Ok(value.into()),
            Some(&ListCell::Field(slot)) => Ok(numbers[usize::from(slot)]),
            Some(ListCell::Blank) => Err(Trouble::Blank),
            None => Err(no_place(list.len(), place + 1).into()),
        }
    }

    #[cold]
    fn failed(&self, wrong: u16) -> Stop {
        let Wrong { span, problem, help } = self.wrongs[usize::from(wrong)].clone();
        Stop::Wrong(Broken { span, problem, help })
    }

    #[cold]
    fn wrong(&self, at: usize, trouble: Trouble) -> Stop {
        let span = self.spans[at].clone();
        let help = String::new();
        let problem = match trouble {
            Trouble::Blank => {
                let known = self.blanks.iter().find(|(at, _)| *at == span);
                known.map_or("the cell is blank".to_owned(), |(_, why)| why.clone())
            }
            Trouble::Said(problem) => problem,
        };
        Stop::Wrong(Broken { span, problem, help })
    }

    /// Evaluates a program without dice to the value of a register; the error is one sentence.
    pub fn reckoned(&self, numbers: &[i64], reg: u8) -> Result<i64, String> {
        let mut regs = [0; 256];
        let tell = &mut |_, _: &Registers| {};
        match self.run_to::<false, false>(numbers, &mut regs, 0, [0; 2], &mut Undiced, tell) {
            Stop::Wrong(broken) => Err(broken.problem),
            Stop::Site(_) | Stop::Way(_) | Stop::Rest(_) => {
                Err("no dice here: roll them in the rule".to_owned())
            }
            Stop::End | Stop::Halt => Ok(regs[usize::from(reg)]),
        }
    }
}

/// Computes a binary operation; the error is an overflow, or a division by 0.
#[inline(always)]
fn reckoned(two: Two, a: i64, b: i64) -> Result<i64, String> {
    two.of(a, b).ok_or_else(|| no_number(b))
}

/// Checks that a variable can hold a number.
#[inline(always)]
fn stored(value: i64) -> Result<i64, String> {
    if (STORED.0..=STORED.1).contains(&value) { Ok(value) } else { Err(past(value)) }
}

/// Returns the register of a list element.
#[inline(always)]
fn there(base: u8, count: u8, place: i64) -> Result<usize, String> {
    slot(base, count, place).ok_or_else(|| no_place(count.into(), place))
}

/// Inserts a face into the best of several, the best first; 0 is a free place.
fn keep(regs: &mut Registers, base: u8, count: u8, face: u8, highest: bool) {
    let mut face = regs[usize::from(face)];
    for kept in &mut regs[usize::from(base)..][..usize::from(count)] {
        let better = match highest {
            true => face > *kept,
            false => *kept == 0 || face < *kept,
        };
        if better && face != 0 {
            std::mem::swap(&mut face, kept);
        }
    }
}

pub(crate) fn slot(base: u8, count: u8, place: i64) -> Option<usize> {
    (1..=i64::from(count)).contains(&place).then(|| usize::from(base) + place as usize - 1)
}

#[cold]
pub(crate) fn past(value: i64) -> String {
    format!("a variable holds −32 768 to 32 767, not {value}")
}

#[cold]
fn no_number(divisor: i64) -> String {
    match divisor {
        0 => "nothing can be divided by 0".to_owned(),
        _ => "integer overflow: values must fit 32 bits".to_owned(),
    }
}

#[cold]
fn no_place(places: usize, place: i64) -> String {
    format!("the list has places 1 to {places}, not {place}")
}

/// Dice for code after the end of a rule, which rolls none.
pub struct Undiced;

impl Dice for Undiced {
    fn die(&mut self, _: u8) -> u8 {
        1
    }
}
