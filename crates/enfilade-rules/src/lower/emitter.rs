//! Writing code: operations, registers, jumps, and what is known along the way.

use super::lowered_value::{Env, FACES, List, Num, OPS, STEPS, Target, joined};
use super::parameter_trace::ParameterTrace;
use super::range_arithmetic;
use crate::diagnostics::{Faults, Span};
use crate::optimize::Thrift;
use crate::types::{Kind, Range, STORED};
use crate::vm::code::{Memory, Op, Open, Program, REGISTERS, Reg, Site, Stops, Two, Wrong};

/// Why a rule is walked over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// To find what is wrong with it.
    Check,
    /// To play it.
    Play,
    /// To play it and tell every step.
    Tell,
}

/// The code of a rule as it is written: operations, registers, and what is known along the way. It knows no syntax
/// and no name.
pub struct Emitter {
    /// What it is written for.
    pub(super) why: Why,
    /// Numbers of the contest that are asked for while the rule is played.
    pub parameters: ParameterTrace,
    /// What is saved.
    pub(super) thrift: Thrift,
    /// What is wrong with the rule.
    pub faults: Faults,
    /// The code so far.
    pub program: Program,
    /// What is known of variables; `None` where no path leads.
    pub(super) env: Option<Env>,
    /// The first register that nobody uses.
    pub(super) top: usize,
    /// Where jumps were last aimed.
    pub(super) landed: usize,
    /// Sequences of faces since the last place that is reached from elsewhere; 0 where there is no die.
    pub(super) faces: u32,
    /// Whether a die may have fallen since the last place where the rule rests.
    pub(super) fell: bool,
    /// Whether it may rest.
    pub(super) rests: bool,
    /// The first register that the line under way uses for itself.
    pub(super) mark: usize,
    /// Loops that are open over bags, each with its bag, the innermost last.
    pub(super) opens: Vec<(u8, Open)>,
    /// By bag: whether its block has ended, and its registers may be used again.
    pub(super) gone: Vec<bool>,
    /// Where `end` goes; nothing behind the end.
    pub(super) end: Option<Target>,
    /// Lines and values looked at so far.
    pub(super) steps: usize,
    /// How many times over the lines under way are written out.
    pub(super) copies: i64,
    /// Whether the rule was given up: it is too long.
    pub(super) full: bool,
}

impl Emitter {
    /// Before the first line.
    pub(super) fn new(why: Why, thrift: Thrift) -> Emitter {
        Emitter {
            why,
            parameters: ParameterTrace::default(),
            thrift,
            faults: Faults::default(),
            program: Program::default(),
            env: Some(Vec::new()),
            landed: 0,
            faces: 0,
            fell: false,
            rests: why == Why::Play && thrift.tidies,
            mark: 0,
            top: 0,
            opens: Vec::new(),
            gone: Vec::new(),
            end: Some(Target::default()),
            steps: 0,
            copies: 1,
            full: false,
        }
    }

    /// Whether the rule is only looked at, with no contest at hand.
    pub(super) fn checks(&self) -> bool {
        self.why == Why::Check
    }

    /// What is wrong: told when a file is checked, else when the rule comes here.
    pub(super) fn wrong(
        &mut self,
        span: &Span,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> Num {
        let (problem, help) = (problem.into(), help.into());
        if self.checks() {
            self.faults.note(span.clone(), problem, help);
        } else {
            self.fail(span, problem, help);
        }
        self.anything()
    }

    /// Lets the rule go wrong where it comes here.
    pub(super) fn fail(&mut self, span: &Span, problem: String, help: String) {
        let wrong = self.program.wrongs.len() as u16;
        self.emit(Op::Fail(wrong), span);
        let span = span.clone();
        self.program.wrongs.push(Wrong { span, problem, help });
    }

    /// What a fault leaves behind.
    pub(super) fn anything(&mut self) -> Num {
        self.ranged(Range::new(Kind::Any, STORED.0, STORED.1), &(0..0))
    }

    /// Whether there is no use in going on.
    pub(super) fn is_full(&mut self, span: &Span) -> bool {
        self.steps += 1;
        let full = self.steps > STEPS || self.program.ops.len() > OPS;
        if full {
            let problem =
                format!("the rule has more than {OPS} steps once its parts are written out");
            self.too_much(span, problem, "fewer parts within parts, or shorter lists");
        }
        self.full
    }

    /// Gives the rule up: whatever it is walked over for, there is no program of it.
    fn too_much(&mut self, span: &Span, problem: String, help: &str) {
        if !self.full {
            self.full = true;
            self.faults.note(span.clone(), problem, help);
        }
    }

    /// Writes an operation; where it stands.
    pub(super) fn emit(&mut self, op: Op, span: &Span) -> usize {
        self.parameters.trace(op);
        self.program.ops.push(op);
        self.program.spans.push(span.clone());
        self.program.ops.len() - 1
    }

    /// A register that nobody uses.
    pub(super) fn fresh(&mut self, span: &Span) -> Reg {
        self.fresh_row(1, span)
    }

    /// Registers in a row that nobody uses; the first.
    pub(super) fn fresh_row(&mut self, count: usize, span: &Span) -> Reg {
        let reg = self.top;
        if reg + count > REGISTERS {
            let problem = format!("the rule keeps more than {REGISTERS} numbers at once");
            self.too_much(span, problem, "shorter lists, or smaller bags");
            return 0;
        }
        self.top += count;
        self.program.registers = self.program.registers.max(self.top);
        reg as Reg
    }

    /// A number that is reckoned into a register of its own.
    pub(super) fn made(&mut self, range: Range, span: &Span, op: impl FnOnce(Reg) -> Op) -> Num {
        let at = self.fresh(span);
        self.emit(op(at), span);
        Num { range, at }
    }

    /// A number of which nothing but its range is known.
    pub(super) fn ranged(&mut self, range: Range, span: &Span) -> Num {
        Num { range, at: self.fresh(span) }
    }

    /// A number that stands even if what it was read from changes.
    pub(super) fn copied(&mut self, num: Num, span: &Span) -> Num {
        match num.known() {
            Some(_) => num,
            None => self.made(num.range, span, |at| Op::Copy(at, num.at)),
        }
    }

    /// A list of its own with the same numbers.
    pub(super) fn copied_list(&mut self, list: List, span: &Span) -> List {
        let base = self.fresh_row(list.len.into(), span);
        for at in 0..list.len {
            self.emit(Op::Copy(base + at, list.base + at), span);
            let range = self.range_of(list.base + at);
            self.set_range(base + at, range);
        }
        List { base, ..list }
    }

    /// Gives registers back; a bag that stood in them is gone.
    pub(super) fn release(&mut self, top: usize) {
        self.top = top;
        for (gone, bag) in self.gone.iter_mut().zip(&self.program.bags) {
            *gone |= usize::from(bag.base) >= top;
        }
    }

    /// What is known of a register.
    pub(super) fn range_of(&self, reg: Reg) -> (i64, i64) {
        let env = self.env.as_ref();
        let range = env.and_then(|env| env.get(usize::from(reg)));
        range.map_or(STORED, |(lo, hi)| (i64::from(*lo), i64::from(*hi)))
    }

    /// Notes what a register can hold from here on.
    pub(super) fn set_range(&mut self, reg: Reg, range: (i64, i64)) {
        if let Some(env) = &mut self.env {
            let place = usize::from(reg);
            if env.len() <= place {
                env.resize(place + 1, (STORED.0 as i32, STORED.1 as i32));
            }
            let within = |n: i64| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            env[place] = (within(range.0), within(range.1));
        }
    }

    /// What a variable holds.
    pub(super) fn var(&self, reg: Reg, kind: Kind) -> Num {
        let (lo, hi) = self.range_of(reg);
        Num { range: Range::new(kind, lo, hi), at: reg }
    }

    /// Whether no path leads here.
    pub(super) fn is_dead(&self) -> bool {
        self.env.is_none()
    }

    /// A register that holds a number.
    pub(super) fn in_reg(&mut self, num: Num, span: &Span) -> Reg {
        match num.known() {
            None => num.at,
            Some(value) => {
                let reg = self.fresh(span);
                self.constant(reg, value, span);
                reg
            }
        }
    }

    /// What goes on elsewhere unless a test of a register holds.
    pub(super) fn unless(&mut self, test: Two, a: Reg, b: Num, span: &Span) -> Op {
        match (b.known().and_then(|known| i16::try_from(known).ok()), test) {
            (Some(0), Two::Ne) => Op::Unless(a, 0),
            (Some(k), _) => Op::UnlessCmpK(test, a, k, 0),
            (None, _) => Op::UnlessCmp(test, a, self.in_reg(b, span), 0),
        }
    }

    /// Puts a number into a register; a long one stands beside the code.
    pub(super) fn constant(&mut self, reg: Reg, value: i64, span: &Span) {
        match i32::try_from(value) {
            Ok(small) => self.emit(Op::Const(reg, small), span),
            Err(_) => {
                self.program.wide.push(value);
                let place = (self.program.wide.len() - 1) as u16;
                self.emit(Op::Wide(reg, place), span)
            }
        };
    }

    /// Puts a number into a register that is its own.
    pub(super) fn put(&mut self, reg: Reg, num: Num, span: &Span) {
        match num.known() {
            Some(value) => self.constant(reg, value, span),
            None if num.at == reg => {}
            // What was just reckoned for nobody else goes there at once.
            None if usize::from(num.at) >= self.mark => {
                let is_free = self.landed != self.program.ops.len();
                let last = self.program.ops.last_mut().and_then(Op::gives_mut);
                match last {
                    Some(given) if *given == num.at && is_free => {
                        *given = reg;
                        self.parameters.trace_copy(num.at, reg);
                    }
                    _ => {
                        self.emit(Op::Copy(reg, num.at), span);
                    }
                }
            }
            None => {
                self.emit(Op::Copy(reg, num.at), span);
            }
        }
    }

    /// Goes on elsewhere.
    pub(super) fn jump(&mut self, to: &mut Target, span: &Span) {
        if self.is_dead() {
            return;
        }
        let at = self.emit(Op::Jump(0), span);
        to.add(at, self.env.take(), self.fell);
    }

    /// Lets an operation that may go on elsewhere do so there.
    pub(super) fn may_jump(&mut self, op: Op, to: &mut Target, span: &Span) {
        if self.is_dead() {
            return;
        }
        let at = self.emit(op, span);
        to.add(at, self.env.clone(), self.fell);
    }

    /// Here go the jumps to a target.
    pub(super) fn land(&mut self, target: Target) {
        let here = self.program.ops.len();
        if target.jumps.last().is_some_and(|jump| jump + 1 == here)
            && self.env.is_none()
            && matches!(self.program.ops[here - 1], Op::Jump(_))
        {
            // A jump to the next operation.
            self.program.ops[here - 1] = Op::Skip;
        }
        if !target.jumps.is_empty() {
            self.faces = 0;
        }
        for jump in target.jumps {
            self.program.ops[jump].aim(here);
        }
        self.landed = here;
        self.fell = target.fell || self.fell && self.env.is_some();
        self.env = match (self.env.take(), target.env) {
            (Some(a), Some(b)) => Some(joined(a, b)),
            (a, b) => a.or(b),
        };
    }

    /// Whether a die may fall in one step with the dice before it: nothing else leads to it, and there
    /// are few faces together.
    fn joins(&mut self, stops: Stops) -> bool {
        let Stops::Die(sides) = stops else {
            self.faces = 0;
            return false;
        };
        let faces = self.faces * u32::from(sides);
        let joined = (1..=FACES).contains(&faces) && self.thrift.unrolls;
        self.faces = if joined { faces } else { sides.into() };
        joined
    }

    /// Adds a place where the rule stops, with the names of registers where somebody asks for them.
    pub(super) fn suspend(
        &mut self,
        stops: Stops,
        into: Reg,
        names: Vec<(Reg, String)>,
        span: &Span,
    ) {
        let site = self.program.sites.len() as u16;
        let (joined, memory) = (self.joins(stops), self.memory());
        self.fell = true;
        self.program.sites.push(Site {
            at: 0,
            stops,
            into,
            memory,
            joined,
            way: None,
            asks: None,
            span: span.clone(),
            names,
        });
        self.parameters.trace_die(into);
        self.emit(Op::Site(site), span);
    }

    /// The same, of a rule that counts nothing which is not remembered.
    pub(super) fn memo_point(&mut self, span: &Span) {
        if self.rests && self.fell {
            self.fell = false;
            let memory = self.memory();
            self.program.rests.push((0, memory));
            let rest = (self.program.rests.len() - 1) as u16;
            self.emit(Op::Rest(rest), span);
        }
    }

    /// The bags that there are here, with the loops that are open over them.
    fn memory(&self) -> Memory {
        let bags = (0..self.program.bags.len() as u8).filter(|bag| !self.gone[usize::from(*bag)]);
        let opens = |bag: u8| self.opens.iter().filter(move |(of, _)| *of == bag);
        let bags = bags.map(|bag| (bag, opens(bag).map(|(_, open)| *open).collect()));
        Memory { bags: bags.collect(), ..Memory::default() }
    }

    /// Two numbers joined.
    pub(super) fn joined(&mut self, two: Two, a: Num, b: Num, span: &Span) -> Num {
        let kind = if two.is_test() { Kind::YesNo } else { a.range.kind };
        let range = range_arithmetic::reckoned(two, a.range, b.range, kind);
        if let (Some(x), Some(y)) = (a.known(), b.known()) {
            return self.folded(two, x, y, kind, span);
        }
        if range.known().is_some() {
            return Num { range, at: 0 };
        }
        if let Some(same) = range_arithmetic::unchanged(two, a, b) {
            return Num { range, at: same.at };
        }
        let at = self.fresh(span);
        let small = |num: Num| num.known().and_then(|known| i32::try_from(known).ok());
        let op = match (small(a).zip(two.mirrored()), small(b)) {
            (_, Some(k)) => Op::BinK(two, at, a.at, k),
            (Some((k, mirrored)), None) => Op::BinK(mirrored, at, b.at, k),
            _ => Op::Bin(two, at, self.in_reg(a, span), self.in_reg(b, span)),
        };
        self.emit(op, span);
        Num { range, at }
    }

    /// Two numbers that are known, joined.
    fn folded(&mut self, two: Two, x: i64, y: i64, kind: Kind, span: &Span) -> Num {
        match two.of(x, y) {
            Some(value) => Num::one(kind, value),
            None if y == 0 => self.wrong(span, "nothing can be divided by 0", ""),
            None => self.wrong(span, "this is past what can be reckoned with", ""),
        }
    }

    /// Forgets what was written outside any rule.
    pub fn begin_again(&mut self) {
        self.top = 0;
        self.mark = 0;
        self.landed = 0;
        self.fell = false;
        self.env = Some(Vec::new());
        self.program.sites.clear();
    }
}
