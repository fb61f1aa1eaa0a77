//! Tests and conditional jumps: a constant test is decided at compile time.

use super::construct_views::Expressions;
use super::lowered_value::{JumpTarget, LoweredValue, Operand};
use super::lowering::Lowering;
use super::name_scopes::Scopes;
use super::range_arithmetic;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, ExprKind, Operator as Sign};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::BinOp;

/// Number, or a printed cell with its word and its number.
type NumberOrCell = (Operand, Option<Operand>);

impl<'g> Lowering<'g> {
    /// Splits a printed cell of the contest into its word and its number.
    pub(super) fn split_printed_cell(&mut self, value: LoweredValue, span: &Span) -> LoweredValue {
        match value {
            LoweredValue::Contest(ContestValue::Cell(word, number)) => {
                let word = self.contest_value_as_operand(&ContestValue::Number(word), span);
                let number = self.contest_value_as_operand(&ContestValue::Number(number), span);
                LoweredValue::Cell(word, number)
            }
            other => other,
        }
    }

    /// Emits a jump that is taken if a test has the outcome `when`. If the outcome is constant,
    /// returns it and emits nothing.
    pub(super) fn emit_jump_if_condition_is(
        &mut self,
        expr: &'g Expr,
        when: bool,
        to: &mut JumpTarget,
    ) -> Option<bool> {
        if self.emitter.report_if_program_too_long(&expr.span) || self.emitter.is_unreachable() {
            return None;
        }
        match &expr.kind {
            ExprKind::Not(inner) => {
                self.emit_jump_if_condition_is(inner, !when, to).map(|known| !known)
            }
            ExprKind::Binary(sign @ (Sign::And | Sign::Or), a, b) => {
                // Outcome of the first operand that decides the whole test.
                let decides = *sign == Sign::Or;
                self.expressions().emit_jump_on_and_or(a, b, decides, when, to)
            }
            ExprKind::Binary(sign, a, b) if range_arithmetic::comparison_op(*sign).is_some() => {
                let test = range_arithmetic::comparison_op(*sign)?;
                let (x, y) = self.expressions().lower_operand_pair(test, a, b);
                self.expressions().emit_jump_if_test(test, x, y, when, to, &expr.span)
            }
            _ => {
                let num = self.lower_to_operand(expr, Some(ScalarType::YesNo));
                let num = self.check_type(num, ScalarType::YesNo, &expr.span);
                let one = Operand::constant(ScalarType::YesNo, 1);
                self.expressions().emit_jump_if_test(BinOp::Eq, num, one, when, to, &expr.span)
            }
        }
    }
}

impl<'g> Expressions<'_, 'g> {
    /// Lowers both operands of an operator, with compatible types.
    pub(super) fn lower_operand_pair(
        &mut self,
        two: BinOp,
        a: &'g Expr,
        b: &'g Expr,
    ) -> (Operand, Operand) {
        if !two.is_comparison() {
            let left = self.lower_to_whole_number(a);
            let left = self.save_from_change(left, b, &a.span);
            return (left, self.lower_to_whole_number(b));
        }
        // The word is usually the right operand of `is`, and the left one determines its list.
        let is_word = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if self.scopes.can_only_be_word(name));
        if is_word(a) && !is_word(b) {
            let right = self.lower_operand_cell_as_word(b, None);
            let left = self.lower_to_operand(a, Some(right.range.kind));
            return self.check_comparable(two, left, right, a, b);
        }
        let left = self.lower_operand_cell_as_word(a, None);
        let left = self.save_from_change(left, b, &a.span);
        let right = self.lower_operand_cell_as_word(b, Some(left.range.kind));
        self.check_comparable(two, left, right, a, b)
    }

    /// Lowers an operand of a test; a printed cell counts as its word.
    pub(super) fn lower_operand_cell_as_word(
        &mut self,
        expr: &'g Expr,
        want: Option<ScalarType>,
    ) -> Operand {
        match self.lower_value(expr, want) {
            LoweredValue::Cell(word, _) => word,
            LoweredValue::Contest(ContestValue::Cell(word, _)) => {
                self.contest_value_as_operand(&ContestValue::Number(word), &expr.span)
            }
            value => self.value_as_operand(value, &expr.span),
        }
    }

    /// Checks that two operands can be compared: equal types, with an order if the operator needs
    /// one.
    pub(super) fn check_comparable(
        &mut self,
        two: BinOp,
        a: Operand,
        b: Operand,
        x: &Expr,
        y: &Expr,
    ) -> (Operand, Operand) {
        if !a.range.kind.is_compatible_with(b.range.kind) {
            let b = self.check_type(b, a.range.kind, &y.span);
            return (a, b);
        }
        let ordered = !matches!(two, BinOp::Eq | BinOp::Ne);
        if ordered && matches!(a.range.kind, ScalarType::YesNo | ScalarType::Row(_)) {
            let kind = self.scopes.game.type_name_in_messages(a.range.kind);
            let span = x.span.start..y.span.end;
            let nothing = self.emitter.report_or_emit_fault(
                &span,
                format!("{kind} has no order, so it cannot be compared with `<` or `>`"),
                "",
            );
            return (nothing, b);
        }
        (a, b)
    }

    /// Lowers `a if c else b`.
    pub(super) fn lower_conditional(
        &mut self,
        when: &'g Expr,
        then: &'g Expr,
        other: Option<&'g Expr>,
        want: Option<ScalarType>,
        span: &Span,
    ) -> LoweredValue {
        let into = self.emitter.allocate_registers(2, span);
        let mut no = JumpTarget::default();
        let decided = self.emit_jump_if_condition_is(when, false, &mut no);
        match (decided, other) {
            (Some(true), _) => return self.lower_value(then, want),
            (Some(false), Some(other)) => return self.lower_value(other, want),
            (Some(false), None) => return LoweredValue::Operand(Operand::constant_whole_number(0)),
            _ => {}
        }
        let first = self.lower_value(then, want);
        let first = self.store_number_or_cell(first, into, &then.span);
        let mut end = JumpTarget::default();
        self.emitter.emit_jump(&mut end, span);
        self.emitter.place_jump_target(no);
        let (second, at) = match other {
            Some(other) => {
                (self.lower_value(other, want.or(Some(first.0.range.kind))), &other.span)
            }
            None => (LoweredValue::Operand(Operand::constant_whole_number(0)), span),
        };
        let second = self.store_number_or_cell(second, into, at);
        self.emitter.place_jump_target(end);
        self.value_after_both_paths(first, second, into, at)
    }

    /// Returns the value of registers that were written on two paths with values of one type.
    fn value_after_both_paths(
        &mut self,
        first: NumberOrCell,
        second: NumberOrCell,
        into: u8,
        span: &Span,
    ) -> LoweredValue {
        let (one, other) = (first.0.range, second.0.range);
        if !one.kind.is_compatible_with(other.kind) || first.1.is_some() != second.1.is_some() {
            let (expected, found_values) = (
                self.scopes.game.type_name_in_messages(one.kind),
                self.scopes.game.type_name_in_messages(other.kind),
            );
            let problem = format!("cannot compare {expected} with {found_values}");
            return LoweredValue::Operand(self.emitter.report_or_emit_fault(span, problem, ""));
        }
        let value = Operand { range: one.union(other), reg: into };
        match first.1.zip(second.1) {
            Some((a, b)) => {
                LoweredValue::Cell(value, Operand { range: a.range.union(b.range), reg: into + 1 })
            }
            None => LoweredValue::Operand(value),
        }
    }

    /// Stores a number or a printed cell in registers.
    fn store_number_or_cell(&mut self, value: LoweredValue, into: u8, span: &Span) -> NumberOrCell {
        let value = self.split_printed_cell(value, span);
        match value {
            LoweredValue::Cell(word, number) => {
                self.emitter.emit_move(into, word, span);
                self.emitter.emit_move(into + 1, number, span);
                (word, Some(number))
            }
            value => {
                let num = self.value_as_operand(value, span);
                self.emitter.emit_move(into, num, span);
                (num, None)
            }
        }
    }

    /// Lowers a test to 0 or 1.
    pub(super) fn lower_test_as_number(&mut self, expr: &'g Expr) -> Operand {
        let into = self.emitter.allocate_register(&expr.span);
        let mut no = JumpTarget::default();
        if let Some(outcome) = self.emit_jump_if_condition_is(expr, false, &mut no) {
            return Operand::constant(ScalarType::YesNo, outcome.into());
        }
        let mut end = JumpTarget::default();
        self.emitter.emit_constant(into, 1, &expr.span);
        self.emitter.emit_jump(&mut end, &expr.span);
        self.emitter.place_jump_target(no);
        self.emitter.emit_constant(into, 0, &expr.span);
        self.emitter.place_jump_target(end);
        Operand { range: ValueRange::new(ScalarType::YesNo, 0, 1), reg: into }
    }

    /// Lowers a jump on `and` or `or`; the second operand is evaluated only if the first does not
    /// decide.
    pub(super) fn emit_jump_on_and_or(
        &mut self,
        a: &'g Expr,
        b: &'g Expr,
        decides: bool,
        when: bool,
        to: &mut JumpTarget,
    ) -> Option<bool> {
        let span = &a.span;
        let mut past = JumpTarget::default();
        let early = if when == decides { &mut *to } else { &mut past };
        match self.emit_jump_if_condition_is(a, decides, early) {
            Some(known) if known == decides => return Some(decides),
            Some(_) => return self.emit_jump_if_condition_is(b, when, to),
            None => {}
        }
        if !self.emitter.is_unreachable()
            && self.emit_jump_if_condition_is(b, when, to) == Some(when)
        {
            self.emitter.emit_jump(to, span);
        }
        self.emitter.place_jump_target(past);
        None
    }

    /// Emits a jump on a test of two numbers.
    pub(super) fn emit_jump_if_test(
        &mut self,
        test: BinOp,
        a: Operand,
        b: Operand,
        when: bool,
        to: &mut JumpTarget,
        span: &Span,
    ) -> Option<bool> {
        let outcome =
            range_arithmetic::range_of_op(test, a.range, b.range, ScalarType::YesNo).only_number();
        if outcome.is_some() && !self.is_checking() {
            return Some(outcome == Some(1));
        }
        // The instruction jumps unless its test holds.
        let test = if when { range_arithmetic::negate_comparison(test) } else { test };
        let (test, a, b) = match (a.as_constant(), test.with_swapped_sides()) {
            (Some(_), Some(mirrored)) => (mirrored, b, a),
            _ => (test, a, b),
        };
        let x = self.emitter.register_containing_operand(a, span);
        let op = self.emitter.jump_unless_instr(test, x, b, span);
        self.emitter.emit_branch(op, to, span);
        None
    }
}

impl<'g> Scopes<'g> {
    /// Returns whether a name can only be a word.
    pub(super) fn can_only_be_word(&self, name: &str) -> bool {
        self.find_rule_name(name).is_none()
            && self.find_own_field(name).is_none()
            && !self.game.names.contains_key(name)
            && self.game.word_lists.contains_key(name)
    }
}
