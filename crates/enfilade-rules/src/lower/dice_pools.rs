//! Dice pools, rolled one die at a time and remembered only as far as needed.

use super::construct_views::DicePools;
use super::emitter::Emitter;
use super::lowered_value::{JumpTarget, Operand};
use super::lowering::Lowering;
use super::range_arithmetic;
use crate::diagnostics::Span;
use crate::resolve::used_names;
use crate::syntax::ast::{Expr, ExprKind, Operator as Sign, PoolExpr};
use crate::value_types::{MAX_LIST_LENGTH, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr, SuspendKind};

/// Largest number of dice in a pool.
const MAX_DICE_IN_POOL: i64 = 255;
/// Numbers of sides of a die.
const MIN_AND_MAX_DIE_SIDES: (i64, i64) = (1, 100);

/// Pool with all its operands evaluated.
#[derive(Clone, Copy)]
pub(super) struct LoweredPoolRoll<'s> {
    pub(super) tens: bool,
    pub(super) sides: Operand,
    pub(super) count: Operand,
    /// Kept dice: whether the highest, how many, and the place in the file.
    pub(super) keep: Option<(bool, Operand, &'s Span)>,
    reroll: Option<(Operand, Operand)>,
    pub(super) again: Option<((Operand, Operand), Operand)>,
    /// Whether the dice that `again` adds are part of the die.
    pub(super) adds_to_die: bool,
    test: Option<(BinOp, Operand)>,
    /// Registers of the kept dice: the first, how many, and whether they are the highest.
    pub(super) kept: Option<(u8, u8, bool)>,
    /// Register of the sum of the faces, or of the number of faces that pass the test.
    pub(super) sum: u8,
    pub(super) span: &'s Span,
}

impl LoweredPoolRoll<'_> {
    /// Returns whether the pool has no modifiers.
    fn has_no_modifiers(&self) -> bool {
        self.keep.is_none() && self.reroll.is_none() && self.again.is_none() && self.test.is_none()
    }

    /// Returns the range of the sum.
    fn sum_range(&self) -> ValueRange {
        let more = if self.adds_to_die { 0 } else { self.max_further_dice_per_die() };
        let dice = self.count.range.hi.min(MAX_DICE_IN_POOL).saturating_mul(1 + more);
        let dice = self.kept.map_or(dice, |(_, many, _)| many.into());
        let best = match (self.test, self.tens) {
            (Some(_), _) => 1,
            (None, _) => self.highest_number_of_die(),
        };
        ValueRange::new(ScalarType::Number, 0, dice.saturating_mul(best).max(1))
    }

    /// Returns the largest number of further dice of one die.
    fn max_further_dice_per_die(&self) -> i64 {
        self.again.map_or(0, |(_, most)| most.range.hi.max(0))
    }

    /// Returns the highest number that one die may show.
    pub(super) fn highest_number_of_die(&self) -> i64 {
        let face = if self.tens { 66 } else { self.sides.range.hi.min(MIN_AND_MAX_DIE_SIDES.1) };
        if self.adds_to_die {
            face.saturating_mul(1 + self.max_further_dice_per_die())
        } else {
            face
        }
    }
}

impl<'g> Lowering<'g> {
    /// Reports dice where none may be rolled.
    pub(super) fn report_dice_in_expr(&mut self, expr: &Expr, place: &str) {
        if !self.is_checking() {
            return;
        }
        let mut die_name = None;
        used_names::visit_expr_and_descendants(expr, &mut |inner| {
            if matches!(inner.kind, ExprKind::Pool(_)) && die_name.is_none() {
                die_name = Some(inner.span.clone());
            }
        });
        if let Some(span) = die_name {
            let help = "roll them in a line of their own before";
            self.emitter.report_or_emit_fault(&span, format!("no dice in `{place}`"), help);
        }
    }
}

impl<'g> DicePools<'_, 'g> {
    /// Lowers a pool to the sum of its dice, or to the number that pass `test`.
    pub(super) fn lower_pool_sum_or_count(
        &mut self,
        pool: &'g PoolExpr,
        test: Option<(Sign, &'g Expr)>,
        span: &Span,
    ) -> Operand {
        let mut rolled_pool = self.evaluate_pool_operands(pool, test, span);
        let count = rolled_pool.count;
        if rolled_pool.keep.is_some() {
            self.report_again_without_as_one(&rolled_pool);
        }
        if count.range.lo > MAX_DICE_IN_POOL {
            let has = count.range.lo;
            let problem = format!("a pool has at most {MAX_DICE_IN_POOL} dice, not {has}");
            return self.emitter.report_or_emit_fault(span, problem, "");
        }
        self.emitter.parameters.note_shapes_code(count);
        if let Some(sum) =
            rolled_pool.has_no_modifiers().then(|| self.lower_small_pool(&rolled_pool)).flatten()
        {
            return sum;
        }
        if count.range.hi <= 0 {
            return Operand::constant_whole_number(0);
        }
        rolled_pool.kept = match self.reserve_registers_for_kept(&rolled_pool) {
            Ok(kept) => kept,
            Err(wrong) => return wrong,
        };
        rolled_pool.sum = self.emitter.allocate_register(span);
        self.lower_pool_loop(rolled_pool)
    }

    /// Reports dice of `again` that may be dice of their own, where single dice are kept.
    pub(super) fn report_again_without_as_one(&mut self, rolled_pool: &LoweredPoolRoll) {
        if rolled_pool.again.is_some() && !rolled_pool.adds_to_die {
            let problem = "are further dice dice of their own, or part of the die?";
            let help = "`as one` makes them part of the die";
            self.emitter.report_or_emit_fault(rolled_pool.span, problem, help);
        }
    }

    /// Evaluates the operands of a pool, in the order of the language.
    pub(super) fn evaluate_pool_operands<'s>(
        &mut self,
        pool: &'g PoolExpr,
        test: Option<(Sign, &'g Expr)>,
        span: &'s Span,
    ) -> LoweredPoolRoll<'s>
    where
        'g: 's,
    {
        if let Some(count) = &pool.count {
            self.scopes.note_size_bounding_fields(count);
        }
        LoweredPoolRoll {
            tens: pool.tens,
            count: pool.count.as_ref().map_or(Operand::constant_whole_number(1), |count| {
                self.lower_to_whole_number(count)
            }),
            sides: self.lower_to_whole_number(&pool.sides),
            keep: pool
                .keep
                .as_ref()
                .map(|(high, keep)| (*high, self.lower_to_whole_number(keep), &keep.span)),
            reroll: pool.reroll.as_ref().map(|faces| self.lower_face_range(faces)),
            again: pool.again.as_ref().map(|(faces, most)| {
                (self.lower_face_range(faces), self.lower_to_whole_number(most))
            }),
            adds_to_die: pool.adds_to_die,
            test: test.and_then(|(sign, bound)| {
                let bound = self.lower_to_whole_number(bound);
                Some((range_arithmetic::comparison_op(sign)?, bound))
            }),
            kept: None,
            sum: 0,
            span,
        }
    }

    /// Lowers one or two plain dice, without a loop.
    fn lower_small_pool(
        &mut self,
        &LoweredPoolRoll { tens, sides, count, span, .. }: &LoweredPoolRoll,
    ) -> Option<Operand> {
        match count.as_constant()? {
            1 => Some(self.lower_die(tens, sides, span)),
            2 if self.emitter.flags.unrolls => {
                let sides = self.emitter.copy_operand(sides, span);
                let first = self.lower_die(tens, sides, span);
                let second = self.lower_die(tens, sides, span);
                Some(self.emitter.emit_binary(BinOp::Add, first, second, span))
            }
            _ => None,
        }
    }

    /// Allocates registers for the kept dice; `None` if all are kept.
    fn reserve_registers_for_kept(
        &mut self,
        pool: &LoweredPoolRoll,
    ) -> Result<Option<(u8, u8, bool)>, Operand> {
        let Some((high, keep, at)) = pool.keep else { return Ok(None) };
        // Each kept die has a register, and registers are allocated before the rule runs.
        self.emitter.parameters.note_value_is_needed(keep);
        let keep = match keep.as_constant() {
            Some(keep) => keep,
            None if self.is_checking() => 1,
            None => {
                let problem = "the number of dice kept must not depend on a roll";
                return Err(self.emitter.report_or_emit_fault(
                    at,
                    problem,
                    "use a field or a number",
                ));
            }
        };
        if keep >= pool.count.range.hi {
            return Ok(None);
        }
        if keep <= 0 {
            return Ok(Some((0, 0, high)));
        }
        let most = keep.min(MAX_LIST_LENGTH) as u8;
        Ok(Some((self.emitter.allocate_registers(most.into(), at), most, high)))
    }

    /// Lowers a range of faces.
    pub(super) fn lower_face_range(
        &mut self,
        (from, to): &'g (Expr, Option<Expr>),
    ) -> (Operand, Operand) {
        let first = self.lower_to_whole_number(from);
        let last = match to {
            Some(to) => self.lower_to_whole_number(to),
            None => first,
        };
        (first, last)
    }

    /// Lowers one die, or tens and ones.
    pub(super) fn lower_die(&mut self, tens: bool, sides: Operand, span: &Span) -> Operand {
        let into = self.emitter.allocate_register(span);
        if !tens {
            return self.emit_die_roll(sides, into, span);
        }
        let six = Operand::constant_whole_number(6);
        let high = self.emit_die_roll(six, into, span);
        let high =
            self.emitter.emit_binary(BinOp::Mul, high, Operand::constant_whole_number(10), span);
        let ones = self.emitter.allocate_register(span);
        let low = self.emit_die_roll(six, ones, span);
        self.emitter.emit_binary(BinOp::Add, high, low, span)
    }

    /// Emits one roll of one die.
    pub(super) fn emit_die_roll(&mut self, sides: Operand, into: u8, span: &Span) -> Operand {
        if sides.range.hi < MIN_AND_MAX_DIE_SIDES.0 || sides.range.lo > MIN_AND_MAX_DIE_SIDES.1 {
            let problem = format!("a die has 1 to 100 sides, not {}", sides.range.lo);
            return self.emitter.report_or_emit_fault(span, problem, "");
        }
        self.emitter.parameters.note_shapes_code(sides);
        // The last card of a draw needs no roll.
        if sides.as_constant() == Some(1) {
            self.emitter.emit_constant(into, 1, span);
            return Operand { reg: into, ..Operand::constant_whole_number(1) };
        }
        let stops = match sides.as_constant() {
            Some(known) => SuspendKind::Die(known as u8),
            None => SuspendKind::DieOf(sides.reg, MIN_AND_MAX_DIE_SIDES.0 as u8),
        };
        self.emit_suspend(stops, into, span);
        let range =
            ValueRange::new(ScalarType::Number, 1, sides.range.hi.min(MIN_AND_MAX_DIE_SIDES.1));
        Operand { range, reg: into }
    }

    /// Lowers a pool to a loop over its dice: the state between two dice contains the sum, not the
    /// faces.
    fn lower_pool_loop(&mut self, mut pool: LoweredPoolRoll) -> Operand {
        self.emitter.emit_constant(pool.sum, 0, pool.span);
        pool = self.roll_into_sum_or_kept(pool);
        if let Some((base, many, _)) = pool.kept {
            (base..base + many).for_each(|reg| self.emit_add_kept_die(&pool, reg));
        }
        Operand { range: pool.sum_range(), reg: pool.sum }
    }

    /// Rolls the dice of a pool into its sum, or into the registers of its kept dice.
    pub(super) fn roll_into_sum_or_kept<'s>(
        &mut self,
        mut rolled_pool: LoweredPoolRoll<'s>,
    ) -> LoweredPoolRoll<'s> {
        let LoweredPoolRoll { tens, count, kept, span, .. } = rolled_pool;
        let left = self.emitter.allocate_register(span);
        self.emitter.copy_to_register(left, count, span);
        if count.range.hi > MAX_DICE_IN_POOL {
            self.emit_dice_limit_check(left, span);
        }
        rolled_pool.sides = self.emitter.copy_operand(rolled_pool.sides, span);
        if let Some((base, many, _)) = kept {
            (base..base + many).for_each(|reg| self.emitter.emit_constant(reg, 0, span));
        }
        self.emit_countdown_loop(left, span, |lowering, _| {
            let top = lowering.emitter.top;
            let face = lowering.dice().lower_die(tens, rolled_pool.sides, span);
            if let Some(faces) = rolled_pool.reroll {
                lowering.dice().lower_reroll(&rolled_pool, faces, face);
            }
            let Some((faces, most)) = rolled_pool.again else {
                lowering.dice().emit_add_face_to_result(&rolled_pool, face);
                return lowering.emitter.release_registers(top);
            };
            match rolled_pool.adds_to_die {
                true => {
                    let shown = lowering.dice().lower_growing_die(&rolled_pool, faces, most, face);
                    lowering.dice().emit_add_face_to_result(&rolled_pool, shown);
                }
                false => {
                    lowering.dice().emit_add_face_to_result(&rolled_pool, face);
                    lowering.dice().lower_explosion(&rolled_pool, faces, most, face);
                }
            }
            lowering.emitter.release_registers(top);
        });
        rolled_pool
    }

    /// Emits a loop that counts a register down to 0.
    pub(super) fn emit_countdown_loop(
        &mut self,
        left: u8,
        span: &Span,
        turn: impl FnOnce(&mut Lowering<'g>, &mut JumpTarget),
    ) {
        let head = self.emitter.mark_loop_head();
        let mut out = JumpTarget::default();
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Gt, left, 0, 0), &mut out, span);
        turn(self, &mut out);
        self.emitter.push_instr(Instr::BinK(BinOp::Sub, left, left, 1), span);
        self.emitter.push_instr(Instr::Jump(head as u16), span);
        // No code follows the jump back: the ranges after the loop are those at its exit.
        self.emitter.env = None;
        self.emitter.place_jump_target(out);
    }

    /// Emits a check for too many dice where their number is rolled.
    pub(super) fn emit_dice_limit_check(&mut self, left: u8, span: &Span) {
        let mut fine = JumpTarget::default();
        self.emitter.emit_branch(
            Instr::UnlessCmpK(BinOp::Gt, left, MAX_DICE_IN_POOL as i16, 0),
            &mut fine,
            span,
        );
        self.emitter.emit_failure(
            span,
            format!("a pool has at most {MAX_DICE_IN_POOL} dice"),
            String::new(),
        );
        self.emitter.place_jump_target(fine);
    }

    /// Emits the use of a face: among the kept dice, or in the sum.
    fn emit_add_face_to_result(&mut self, pool: &LoweredPoolRoll, face: Operand) {
        let LoweredPoolRoll { kept, test, sum, span, .. } = *pool;
        match (kept, test) {
            (Some((base, many, high)), _) => {
                self.emitter.push_instr(Instr::Keep(base, many, face.reg, high), span);
            }
            (None, None) => {
                self.emitter.push_instr(Instr::Bin(BinOp::Add, sum, sum, face.reg), span);
            }
            (None, Some(test)) => self.emit_count_if(sum, test, face, span),
        }
    }

    /// Adds a kept die, or counts it. A 0 is a missing die, if fewer dice were rolled than are
    /// kept.
    fn emit_add_kept_die(&mut self, rolled_pool: &LoweredPoolRoll, reg: u8) {
        let &LoweredPoolRoll { test, sum, span, .. } = rolled_pool;
        let Some(test) = test else {
            self.emitter.push_instr(Instr::Bin(BinOp::Add, sum, sum, reg), span);
            return;
        };
        let mut none = JumpTarget::default();
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Gt, reg, 0, 0), &mut none, span);
        let range = ValueRange::new(
            ScalarType::Number,
            1,
            rolled_pool.highest_number_of_die().max(MIN_AND_MAX_DIE_SIDES.1),
        );
        self.emit_count_if(sum, test, Operand { range, reg }, span);
        self.emitter.place_jump_target(none);
    }

    /// Adds 1 if a face passes a test; a constant test emits no code.
    fn emit_count_if(
        &mut self,
        sum: u8,
        (test, bound): (BinOp, Operand),
        face: Operand,
        span: &Span,
    ) {
        let passes = self.emitter.emit_binary(test, face, bound, span);
        match passes.as_constant() {
            Some(0) => {}
            Some(_) => {
                self.emitter.push_instr(Instr::BinK(BinOp::Add, sum, sum, 1), span);
            }
            None => {
                self.emitter.push_instr(Instr::Bin(BinOp::Add, sum, sum, passes.reg), span);
            }
        }
    }

    /// Emits a jump that is taken unless a face is in a range.
    fn emit_jump_unless_in_range(
        &mut self,
        face: Operand,
        (from, to): (Operand, Operand),
        no: &mut JumpTarget,
        span: &Span,
    ) {
        for (test, bound) in [(BinOp::Ge, from), (BinOp::Le, to)] {
            let bound = self.emitter.register_containing_operand(bound, span);
            self.emitter.emit_branch(Instr::UnlessCmp(test, face.reg, bound, 0), no, span);
        }
    }

    /// Rolls a die again if its face is in the range.
    fn lower_reroll(&mut self, pool: &LoweredPoolRoll, faces: (Operand, Operand), face: Operand) {
        let mut stands_target = JumpTarget::default();
        self.emit_jump_unless_in_range(face, faces, &mut stands_target, pool.span);
        let second = self.lower_die(pool.tens, pool.sides, pool.span);
        self.emitter.push_instr(Instr::Copy(face.reg, second.reg), pool.span);
        self.emitter.place_jump_target(stands_target);
    }

    /// Lowers an explosion: a face in the range adds a die, which may explode in turn.
    fn lower_explosion(
        &mut self,
        pool: &LoweredPoolRoll,
        faces: (Operand, Operand),
        most: Operand,
        face: Operand,
    ) {
        self.emit_further_dice(pool, faces, most, face, |lowering, now| {
            lowering.emit_add_face_to_result(pool, now);
        });
    }

    /// Lowers a die that goes on: a face in the range adds a further die to the same number.
    /// Returns the number.
    fn lower_growing_die(
        &mut self,
        rolled_pool: &LoweredPoolRoll,
        faces: (Operand, Operand),
        most: Operand,
        face: Operand,
    ) -> Operand {
        let span = rolled_pool.span;
        let shown = self.emitter.emit_into_new(face.range, span, |at| Instr::Copy(at, face.reg));
        self.emit_further_dice(rolled_pool, faces, most, face, |lowering, now| {
            lowering
                .emitter
                .push_instr(Instr::Bin(BinOp::Add, shown.reg, shown.reg, now.reg), span);
        });
        let range = ValueRange::new(ScalarType::Number, 1, rolled_pool.highest_number_of_die());
        Operand { range, ..shown }
    }

    /// Emits a loop that rolls further dice while the last face is in the range.
    fn emit_further_dice(
        &mut self,
        rolled_pool: &LoweredPoolRoll,
        faces: (Operand, Operand),
        most: Operand,
        face: Operand,
        take: impl FnOnce(&mut DicePools<'_, 'g>, Operand),
    ) {
        let span = rolled_pool.span;
        let left = self.emitter.allocate_register(span);
        self.emitter.copy_to_register(left, most, span);
        let now = self.emitter.emit_into_new(face.range, span, |at| Instr::Copy(at, face.reg));
        self.emit_countdown_loop(left, span, |lowering, out| {
            lowering.dice().emit_jump_unless_in_range(now, faces, out, span);
            let more = lowering.dice().lower_die(rolled_pool.tens, rolled_pool.sides, span);
            lowering.emitter.push_instr(Instr::Copy(now.reg, more.reg), span);
            take(&mut lowering.dice(), now);
        });
    }
}

impl Emitter {
    /// Copies a number to a register.
    pub(super) fn copy_to_register(&mut self, reg: u8, num: Operand, span: &Span) {
        match num.as_constant() {
            Some(value) => self.emit_constant(reg, value, span),
            None => {
                self.push_instr(Instr::Copy(reg, num.reg), span);
            }
        }
    }
}
