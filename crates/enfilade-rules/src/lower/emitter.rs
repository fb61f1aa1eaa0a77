//! Emitter of code: instructions, registers, jumps, and the ranges that are known along the way.

use super::lowered_value::{
    JumpTarget, ListInRegisters, MAX_INSTRS, MAX_LOWERING_STEPS, MAX_STEP_SEQUENCES, Operand,
    RegisterRanges, merge_ranges_of_paths,
};
use super::parameter_trace::ParametersBehindRegisters;
use super::range_arithmetic;
use crate::diagnostics::{Faults, Span};
use crate::optimize::OptimizationFlags;
use crate::value_types::{ScalarType, VARIABLE_RANGE, ValueRange};
use crate::vm::code::{
    BinOp, Instr, MAX_REGISTERS, OpenBagLoop, PossibleRuntimeFault, Program, Reg,
    RegistersSavedAtPoint, SuspendKind, SuspendPoint,
};

/// Purpose of a lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowerMode {
    /// Finds faults of the rule.
    Check,
    /// Compiles the rule to play it.
    Play,
    /// Compiles the rule to play and trace it.
    Trace,
}

/// Code of a rule under construction: instructions, registers, and known ranges. The emitter does
/// not depend on syntax or names.
pub struct Emitter {
    /// Purpose of the code.
    pub(super) mode: LowerMode,
    /// Parameters that are loaded at run time.
    pub parameters: ParametersBehindRegisters,
    /// Optimization flags.
    pub(super) flags: OptimizationFlags,
    /// Faults of the rule.
    pub faults: Faults,
    /// Code so far.
    pub program: Program,
    /// Ranges of the variables; `None` in unreachable code.
    pub(super) env: Option<RegisterRanges>,
    /// First free register.
    pub(super) top: usize,
    /// Position of the last jump target.
    pub(super) last_target: usize,
    /// Number of face sequences since the last position that is reached by a jump; 0 without a die.
    pub(super) faces: u32,
    /// Whether a die may have been rolled since the last memo point.
    pub(super) fell: bool,
    /// Whether memo points are allowed.
    pub(super) rests: bool,
    /// First register that the current line uses for temporaries.
    pub(super) mark: usize,
    /// Open loops over bags, each with its bag, the innermost last.
    pub(super) opens: Vec<(u8, OpenBagLoop)>,
    /// For each bag, whether its block has ended, so that its registers may be reused.
    pub(super) closed_bags: Vec<bool>,
    /// Target of `end`; `None` after the end.
    pub(super) end: Option<JumpTarget>,
    /// Number of lines and values lowered so far.
    pub(super) steps: usize,
    /// Number of copies that unrolling makes of the current lines.
    pub(super) copies: i64,
    /// Whether the lowering was aborted because the rule is too long.
    pub(super) full: bool,
}

impl Emitter {
    /// Creates an emitter before the first line.
    pub(super) fn new(why: LowerMode, thrift: OptimizationFlags) -> Emitter {
        Emitter {
            mode: why,
            parameters: ParametersBehindRegisters::default(),
            flags: thrift,
            faults: Faults::default(),
            program: Program::default(),
            env: Some(Vec::new()),
            last_target: 0,
            faces: 0,
            fell: false,
            rests: why == LowerMode::Play && thrift.tidies,
            mark: 0,
            top: 0,
            opens: Vec::new(),
            closed_bags: Vec::new(),
            end: Some(JumpTarget::default()),
            steps: 0,
            copies: 1,
            full: false,
        }
    }

    /// Returns whether the rule is only checked, without a contest.
    pub(super) fn is_only_checking(&self) -> bool {
        self.mode == LowerMode::Check
    }

    /// Reports a fault at once during a check, or else when the rule reaches this position.
    pub(super) fn report_or_emit_fault(
        &mut self,
        span: &Span,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> Operand {
        let (problem, help) = (problem.into(), help.into());
        if self.is_only_checking() {
            self.faults.add_fault_at_span(span.clone(), problem, help);
        } else {
            self.emit_failure(span, problem, help);
        }
        self.error_operand()
    }

    /// Emits a failure at this position.
    pub(super) fn emit_failure(&mut self, span: &Span, problem: String, help: String) {
        let wrong = self.program.faults.len() as u16;
        self.push_instr(Instr::Fail(wrong), span);
        let span = span.clone();
        self.program.faults.push(PossibleRuntimeFault { span, problem, help });
    }

    /// Returns the operand that replaces a faulty one.
    pub(super) fn error_operand(&mut self) -> Operand {
        self.unknown_operand(
            ValueRange::new(ScalarType::Any, VARIABLE_RANGE.0, VARIABLE_RANGE.1),
            &(0..0),
        )
    }

    /// Checks the limits of a program. Returns whether lowering should stop.
    pub(super) fn report_if_program_too_long(&mut self, span: &Span) -> bool {
        self.steps += 1;
        let full = self.steps > MAX_LOWERING_STEPS || self.program.instrs.len() > MAX_INSTRS;
        if full {
            let problem =
                format!("the rule has more than {MAX_INSTRS} steps after its parts are inlined");
            self.abort_as_too_long(span, problem, "use fewer parts within parts, or shorter lists");
        }
        self.full
    }

    /// Aborts the lowering: there is no program, whatever its purpose.
    fn abort_as_too_long(&mut self, span: &Span, problem: String, help: &str) {
        if !self.full {
            self.full = true;
            self.faults.add_fault_at_span(span.clone(), problem, help);
        }
    }

    /// Emits an instruction. Returns its position.
    pub(super) fn push_instr(&mut self, op: Instr, span: &Span) -> usize {
        self.parameters.note_sources_of_instr(op);
        self.program.instrs.push(op);
        self.program.spans.push(span.clone());
        self.program.instrs.len() - 1
    }

    /// Allocates a register.
    pub(super) fn allocate_register(&mut self, span: &Span) -> Reg {
        self.allocate_registers(1, span)
    }

    /// Allocates consecutive registers. Returns the first.
    pub(super) fn allocate_registers(&mut self, count: usize, span: &Span) -> Reg {
        let reg = self.top;
        if reg + count > MAX_REGISTERS {
            let problem = format!("the rule keeps more than {MAX_REGISTERS} numbers at once");
            self.abort_as_too_long(span, problem, "shorter lists, or smaller bags");
            return 0;
        }
        self.top += count;
        self.program.registers = self.program.registers.max(self.top);
        reg as Reg
    }

    /// Emits an instruction that computes a number into a new register.
    pub(super) fn emit_into_new(
        &mut self,
        range: ValueRange,
        span: &Span,
        op: impl FnOnce(Reg) -> Instr,
    ) -> Operand {
        let at = self.allocate_register(span);
        self.push_instr(op(at), span);
        Operand { range, reg: at }
    }

    /// Returns an operand of which only the range is known.
    pub(super) fn unknown_operand(&mut self, range: ValueRange, span: &Span) -> Operand {
        Operand { range, reg: self.allocate_register(span) }
    }

    /// Copies an operand, so that it survives a change of its source.
    pub(super) fn copy_operand(&mut self, num: Operand, span: &Span) -> Operand {
        match num.as_constant() {
            Some(_) => num,
            None => self.emit_into_new(num.range, span, |at| Instr::Copy(at, num.reg)),
        }
    }

    /// Copies a list to new registers.
    pub(super) fn copy_list(&mut self, list: ListInRegisters, span: &Span) -> ListInRegisters {
        let base = self.allocate_registers(list.len.into(), span);
        for at in 0..list.len {
            self.push_instr(Instr::Copy(base + at, list.base + at), span);
            let range = self.known_range_of_register(list.base + at);
            self.set_range(base + at, range);
        }
        ListInRegisters { base, ..list }
    }

    /// Releases registers, and the bags in them.
    pub(super) fn release_registers(&mut self, top: usize) {
        self.top = top;
        for (is_closed, bag) in self.closed_bags.iter_mut().zip(&self.program.bags) {
            *is_closed |= usize::from(bag.base) >= top;
        }
    }

    /// Returns the known range of a register.
    pub(super) fn known_range_of_register(&self, reg: Reg) -> (i64, i64) {
        let env = self.env.as_ref();
        let range = env.and_then(|env| env.get(usize::from(reg)));
        range.map_or(VARIABLE_RANGE, |(lo, hi)| (i64::from(*lo), i64::from(*hi)))
    }

    /// Sets the known range of a register from here on.
    pub(super) fn set_range(&mut self, reg: Reg, range: (i64, i64)) {
        if let Some(env) = &mut self.env {
            let place = usize::from(reg);
            if env.len() <= place {
                env.resize(place + 1, (VARIABLE_RANGE.0 as i32, VARIABLE_RANGE.1 as i32));
            }
            let within = |n: i64| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            env[place] = (within(range.0), within(range.1));
        }
    }

    /// Returns the operand of a variable.
    pub(super) fn variable_operand(&self, reg: Reg, kind: ScalarType) -> Operand {
        let (lo, hi) = self.known_range_of_register(reg);
        Operand { range: ValueRange::new(kind, lo, hi), reg }
    }

    /// Returns whether the current position is unreachable.
    pub(super) fn is_unreachable(&self) -> bool {
        self.env.is_none()
    }

    /// Returns a register that contains the operand.
    pub(super) fn register_containing_operand(&mut self, num: Operand, span: &Span) -> Reg {
        match num.as_constant() {
            None => num.reg,
            Some(value) => {
                let reg = self.allocate_register(span);
                self.emit_constant(reg, value, span);
                reg
            }
        }
    }

    /// Returns the instruction that jumps unless a register passes a test.
    pub(super) fn jump_unless_instr(
        &mut self,
        test: BinOp,
        a: Reg,
        b: Operand,
        span: &Span,
    ) -> Instr {
        match (b.as_constant().and_then(|known| i16::try_from(known).ok()), test) {
            (Some(0), BinOp::Ne) => Instr::Unless(a, 0),
            (Some(k), _) => Instr::UnlessCmpK(test, a, k, 0),
            (None, _) => Instr::UnlessCmp(test, a, self.register_containing_operand(b, span), 0),
        }
    }

    /// Stores a constant in a register; a long one is kept beside the code.
    pub(super) fn emit_constant(&mut self, reg: Reg, value: i64, span: &Span) {
        match i32::try_from(value) {
            Ok(small) => self.push_instr(Instr::Const(reg, small), span),
            Err(_) => {
                self.program.wide.push(value);
                let place = (self.program.wide.len() - 1) as u16;
                self.push_instr(Instr::Wide(reg, place), span)
            }
        };
    }

    /// Moves an operand to a register.
    pub(super) fn emit_move(&mut self, reg: Reg, num: Operand, span: &Span) {
        match num.as_constant() {
            Some(value) => self.emit_constant(reg, value, span),
            None if num.reg == reg => {}
            // A temporary without other uses is computed in the target register at once.
            None if usize::from(num.reg) >= self.mark => {
                let is_free = self.last_target != self.program.instrs.len();
                let last = self.program.instrs.last_mut().and_then(Instr::replaceable_destination);
                match last {
                    Some(previous) if *previous == num.reg && is_free => {
                        *previous = reg;
                        self.parameters.trace_copy(num.reg, reg);
                    }
                    _ => {
                        self.push_instr(Instr::Copy(reg, num.reg), span);
                    }
                }
            }
            None => {
                self.push_instr(Instr::Copy(reg, num.reg), span);
            }
        }
    }

    /// Emits a jump.
    pub(super) fn emit_jump(&mut self, to: &mut JumpTarget, span: &Span) {
        if self.is_unreachable() {
            return;
        }
        let at = self.push_instr(Instr::Jump(0), span);
        to.add_jump(at, self.env.take(), self.fell);
    }

    /// Emits an instruction that may jump.
    pub(super) fn emit_branch(&mut self, op: Instr, to: &mut JumpTarget, span: &Span) {
        if self.is_unreachable() {
            return;
        }
        let at = self.push_instr(op, span);
        to.add_jump(at, self.env.clone(), self.fell);
    }

    /// Sets the target of the collected jumps to the current position.
    pub(super) fn place_jump_target(&mut self, target: JumpTarget) {
        let here = self.program.instrs.len();
        if target.jumps.last().is_some_and(|jump| jump + 1 == here)
            && self.env.is_none()
            && matches!(self.program.instrs[here - 1], Instr::Jump(_))
        {
            // Removes a jump to the next instruction.
            self.program.instrs[here - 1] = Instr::Skip;
        }
        if !target.jumps.is_empty() {
            self.faces = 0;
        }
        for jump in target.jumps {
            self.program.instrs[jump].set_jump_target(here);
        }
        self.last_target = here;
        self.fell = target.fell || self.fell && self.env.is_some();
        self.env = match (self.env.take(), target.env) {
            (Some(a), Some(b)) => Some(merge_ranges_of_paths(a, b)),
            (a, b) => a.or(b),
        };
    }

    /// Returns whether a die may be rolled in the same step as the dice before it: no jump leads in
    /// between, and the faces have few combinations.
    fn try_join_previous_step(&mut self, stops: SuspendKind) -> bool {
        let SuspendKind::Die(sides) = stops else {
            self.faces = 0;
            return false;
        };
        let faces = self.faces * u32::from(sides);
        let joined = (1..=MAX_STEP_SEQUENCES).contains(&faces) && self.flags.unrolls;
        self.faces = if joined { faces } else { sides.into() };
        joined
    }

    /// Emits a suspend point, with names of registers if they are wanted.
    pub(super) fn emit_suspend_point(
        &mut self,
        stops: SuspendKind,
        into: Reg,
        names: Vec<(Reg, String)>,
        span: &Span,
    ) {
        let site = self.program.sites.len() as u16;
        let (joined, memory) = (self.try_join_previous_step(stops), self.bags_to_save());
        self.fell = true;
        self.program.sites.push(SuspendPoint {
            at: 0,
            kind: stops,
            into,
            memory,
            joins_previous: joined,
            face_merge: None,
            face_tests: None,
            compared: Vec::new(),
            span: span.clone(),
            names,
            hidden: Vec::new(),
        });
        self.parameters.mark_register_from_die(into);
        self.push_instr(Instr::Site(site), span);
    }

    /// Emits a memo point, unless the rule has tallies.
    pub(super) fn emit_memo_point(&mut self, span: &Span) {
        if self.rests && self.fell {
            self.fell = false;
            let memory = self.bags_to_save();
            self.program.memo_points.push((0, memory));
            let rest = (self.program.memo_points.len() - 1) as u16;
            self.push_instr(Instr::Rest(rest), span);
        }
    }

    /// Returns the bags at this position, with their open loops.
    fn bags_to_save(&self) -> RegistersSavedAtPoint {
        let bags =
            (0..self.program.bags.len() as u8).filter(|bag| !self.closed_bags[usize::from(*bag)]);
        let opens = |bag: u8| self.opens.iter().filter(move |(of, _)| *of == bag);
        let bags = bags.map(|bag| (bag, opens(bag).map(|(_, open)| *open).collect()));
        RegistersSavedAtPoint { bags: bags.collect(), ..RegistersSavedAtPoint::default() }
    }

    /// Emits a binary operation.
    pub(super) fn emit_binary(
        &mut self,
        two: BinOp,
        a: Operand,
        b: Operand,
        span: &Span,
    ) -> Operand {
        let kind = if two.is_comparison() { ScalarType::YesNo } else { a.range.kind };
        let range = range_arithmetic::range_of_op(two, a.range, b.range, kind);
        if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
            return self.fold_constant_binary(two, x, y, kind, span);
        }
        if range.only_number().is_some() {
            return Operand { range, reg: 0 };
        }
        if let Some(same) = range_arithmetic::operand_left_unchanged(two, a, b) {
            return Operand { range, reg: same.reg };
        }
        let at = self.allocate_register(span);
        let small = |num: Operand| num.as_constant().and_then(|known| i32::try_from(known).ok());
        let op = match (small(a).zip(two.with_swapped_sides()), small(b)) {
            (_, Some(k)) => Instr::BinK(two, at, a.reg, k),
            (Some((k, mirrored)), None) => Instr::BinK(mirrored, at, b.reg, k),
            _ => Instr::Bin(
                two,
                at,
                self.register_containing_operand(a, span),
                self.register_containing_operand(b, span),
            ),
        };
        self.push_instr(op, span);
        Operand { range, reg: at }
    }

    /// Folds a binary operation of constants.
    fn fold_constant_binary(
        &mut self,
        two: BinOp,
        x: i64,
        y: i64,
        kind: ScalarType,
        span: &Span,
    ) -> Operand {
        match two.checked_result(x, y) {
            Some(value) => Operand::constant(kind, value),
            None if y == 0 => self.report_or_emit_fault(span, "nothing can be divided by 0", ""),
            None => {
                self.report_or_emit_fault(span, "integer overflow: values must fit 32 bits", "")
            }
        }
    }

    /// Clears the code that was written outside any rule.
    pub fn reset_except_instructions(&mut self) {
        self.top = 0;
        self.mark = 0;
        self.last_target = 0;
        self.fell = false;
        self.env = Some(Vec::new());
        self.program.sites.clear();
    }
}
