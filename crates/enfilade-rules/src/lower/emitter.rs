//! Emitter of code: instructions, registers, jumps, and the ranges that are known along the way.

use super::lowered_value::{Env, FACES, List, Num, OPS, STEPS, Target, joined};
use super::parameter_trace::ParameterTrace;
use super::range_arithmetic;
use crate::diagnostics::{Faults, Span};
use crate::optimize::Thrift;
use crate::types::{Kind, Range, STORED};
use crate::vm::code::{Memory, Op, Open, Program, REGISTERS, Reg, Site, Stops, Two, Wrong};

/// Purpose of a lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Finds faults of the rule.
    Check,
    /// Compiles the rule to play it.
    Play,
    /// Compiles the rule to play and trace it.
    Tell,
}

/// Code of a rule under construction: instructions, registers, and known ranges. The emitter does
/// not depend on syntax or names.
pub struct Emitter {
    /// Purpose of the code.
    pub(super) why: Why,
    /// Parameters that are loaded at run time.
    pub parameters: ParameterTrace,
    /// Optimization flags.
    pub(super) thrift: Thrift,
    /// Faults of the rule.
    pub faults: Faults,
    /// Code so far.
    pub program: Program,
    /// Ranges of the variables; `None` in unreachable code.
    pub(super) env: Option<Env>,
    /// First free register.
    pub(super) top: usize,
    /// Position of the last jump target.
    pub(super) landed: usize,
    /// Number of face sequences since the last position that is reached by a jump; 0 without a die.
    pub(super) faces: u32,
    /// Whether a die may have been rolled since the last memo point.
    pub(super) fell: bool,
    /// Whether memo points are allowed.
    pub(super) rests: bool,
    /// First register that the current line uses for temporaries.
    pub(super) mark: usize,
    /// Open loops over bags, each with its bag, the innermost last.
    pub(super) opens: Vec<(u8, Open)>,
    /// For each bag, whether its block has ended, so that its registers may be reused.
    pub(super) gone: Vec<bool>,
    /// Target of `end`; `None` after the end.
    pub(super) end: Option<Target>,
    /// Number of lines and values lowered so far.
    pub(super) steps: usize,
    /// Number of copies that unrolling makes of the current lines.
    pub(super) copies: i64,
    /// Whether the lowering was aborted because the rule is too long.
    pub(super) full: bool,
}

impl Emitter {
    /// Creates an emitter before the first line.
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

    /// Returns whether the rule is only checked, without a contest.
    pub(super) fn checks(&self) -> bool {
        self.why == Why::Check
    }

    /// Reports a fault at once during a check, or else when the rule reaches this position.
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

    /// Emits a failure at this position.
    pub(super) fn fail(&mut self, span: &Span, problem: String, help: String) {
        let wrong = self.program.wrongs.len() as u16;
        self.emit(Op::Fail(wrong), span);
        let span = span.clone();
        self.program.wrongs.push(Wrong { span, problem, help });
    }

    /// Returns the operand that replaces a faulty one.
    pub(super) fn anything(&mut self) -> Num {
        self.ranged(Range::new(Kind::Any, STORED.0, STORED.1), &(0..0))
    }

    /// Checks the limits of a program. Returns whether lowering should stop.
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

    /// Aborts the lowering: there is no program, whatever its purpose.
    fn too_much(&mut self, span: &Span, problem: String, help: &str) {
        if !self.full {
            self.full = true;
            self.faults.note(span.clone(), problem, help);
        }
    }

    /// Emits an instruction. Returns its position.
    pub(super) fn emit(&mut self, op: Op, span: &Span) -> usize {
        self.parameters.trace(op);
        self.program.ops.push(op);
        self.program.spans.push(span.clone());
        self.program.ops.len() - 1
    }

    /// Allocates a register.
    pub(super) fn fresh(&mut self, span: &Span) -> Reg {
        self.fresh_row(1, span)
    }

    /// Allocates consecutive registers. Returns the first.
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

    /// Emits an instruction that computes a number into a new register.
    pub(super) fn made(&mut self, range: Range, span: &Span, op: impl FnOnce(Reg) -> Op) -> Num {
        let at = self.fresh(span);
        self.emit(op(at), span);
        Num { range, at }
    }

    /// Returns an operand of which only the range is known.
    pub(super) fn ranged(&mut self, range: Range, span: &Span) -> Num {
        Num { range, at: self.fresh(span) }
    }

    /// Copies an operand, so that it survives a change of its source.
    pub(super) fn copied(&mut self, num: Num, span: &Span) -> Num {
        match num.known() {
            Some(_) => num,
            None => self.made(num.range, span, |at| Op::Copy(at, num.at)),
        }
    }

    /// Copies a list to new registers.
    pub(super) fn copied_list(&mut self, list: List, span: &Span) -> List {
        let base = self.fresh_row(list.len.into(), span);
        for at in 0..list.len {
            self.emit(Op::Copy(base + at, list.base + at), span);
            let range = self.range_of(list.base + at);
            self.set_range(base + at, range);
        }
        List { base, ..list }
    }

    /// Releases registers, and the bags in them.
    pub(super) fn release(&mut self, top: usize) {
        self.top = top;
        for (gone, bag) in self.gone.iter_mut().zip(&self.program.bags) {
            *gone |= usize::from(bag.base) >= top;
        }
    }

    /// Returns the known range of a register.
    pub(super) fn range_of(&self, reg: Reg) -> (i64, i64) {
        let env = self.env.as_ref();
        let range = env.and_then(|env| env.get(usize::from(reg)));
        range.map_or(STORED, |(lo, hi)| (i64::from(*lo), i64::from(*hi)))
    }

    /// Sets the known range of a register from here on.
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

    /// Returns the operand of a variable.
    pub(super) fn var(&self, reg: Reg, kind: Kind) -> Num {
        let (lo, hi) = self.range_of(reg);
        Num { range: Range::new(kind, lo, hi), at: reg }
    }

    /// Returns whether the current position is unreachable.
    pub(super) fn is_dead(&self) -> bool {
        self.env.is_none()
    }

    /// Returns a register that contains the operand.
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

    /// Returns the instruction that jumps unless a register passes a test.
    pub(super) fn unless(&mut self, test: Two, a: Reg, b: Num, span: &Span) -> Op {
        match (b.known().and_then(|known| i16::try_from(known).ok()), test) {
            (Some(0), Two::Ne) => Op::Unless(a, 0),
            (Some(k), _) => Op::UnlessCmpK(test, a, k, 0),
            (None, _) => Op::UnlessCmp(test, a, self.in_reg(b, span), 0),
        }
    }

    /// Stores a constant in a register; a long one is kept beside the code.
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

    /// Moves an operand to a register.
    pub(super) fn put(&mut self, reg: Reg, num: Num, span: &Span) {
        match num.known() {
            Some(value) => self.constant(reg, value, span),
            None if num.at == reg => {}
            // A temporary without other uses is computed in the target register at once.
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

    /// Emits a jump.
    pub(super) fn jump(&mut self, to: &mut Target, span: &Span) {
        if self.is_dead() {
            return;
        }
        let at = self.emit(Op::Jump(0), span);
        to.add(at, self.env.take(), self.fell);
    }

    /// Emits an instruction that may jump.
    pub(super) fn may_jump(&mut self, op: Op, to: &mut Target, span: &Span) {
        if self.is_dead() {
            return;
        }
        let at = self.emit(op, span);
        to.add(at, self.env.clone(), self.fell);
    }

    /// Sets the target of the collected jumps to the current position.
    pub(super) fn land(&mut self, target: Target) {
        let here = self.program.ops.len();
        if target.jumps.last().is_some_and(|jump| jump + 1 == here)
            && self.env.is_none()
            && matches!(self.program.ops[here - 1], Op::Jump(_))
        {
            // Removes a jump to the next instruction.
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

    /// Returns whether a die may be rolled in the same step as the dice before it: no jump leads in
    /// between, and the faces have few combinations.
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

    /// Emits a suspend point, with names of registers if they are wanted.
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

    /// Emits a memo point, unless the rule has tallies.
    pub(super) fn memo_point(&mut self, span: &Span) {
        if self.rests && self.fell {
            self.fell = false;
            let memory = self.memory();
            self.program.rests.push((0, memory));
            let rest = (self.program.rests.len() - 1) as u16;
            self.emit(Op::Rest(rest), span);
        }
    }

    /// Returns the bags at this position, with their open loops.
    fn memory(&self) -> Memory {
        let bags = (0..self.program.bags.len() as u8).filter(|bag| !self.gone[usize::from(*bag)]);
        let opens = |bag: u8| self.opens.iter().filter(move |(of, _)| *of == bag);
        let bags = bags.map(|bag| (bag, opens(bag).map(|(_, open)| *open).collect()));
        Memory { bags: bags.collect(), ..Memory::default() }
    }

    /// Emits a binary operation.
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

    /// Folds a binary operation of constants.
    fn folded(&mut self, two: Two, x: i64, y: i64, kind: Kind, span: &Span) -> Num {
        match two.of(x, y) {
            Some(value) => Num::one(kind, value),
            None if y == 0 => self.wrong(span, "nothing can be divided by 0", ""),
            None => self.wrong(span, "integer overflow: values must fit 32 bits", ""),
        }
    }

    /// Clears the code that was written outside any rule.
    pub fn begin_again(&mut self) {
        self.top = 0;
        self.mark = 0;
        self.landed = 0;
        self.fell = false;
        self.env = Some(Vec::new());
        self.program.sites.clear();
    }
}
