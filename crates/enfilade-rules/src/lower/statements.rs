//! Statements: conditions, notes, gives, tallies, the end.

use super::construct_views::Statements;
use super::emitter::Emitter;
use super::lowered_value::{JumpTarget, LoweredValue, Operand};
use super::lowering::Lowering;
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::resolve::used_names::{visit_expr_and_descendants, visit_exprs_of_nested_lines};
use crate::source_map::text_of_span;
use crate::syntax::ast::{Expr, ExprKind, Ident, Stmt, StmtKind};
use crate::value_types::{ContestValue, ScalarType};
use crate::vm::code::Instr;
use crate::vm::trace_marks::{
    ComparisonOperandTexts, TextOrRegisterValue, TraceEvent, TraceEventInCode,
};
use enfilade_model::form::ROW_NAME;

impl<'g> Lowering<'g> {
    pub(super) fn lower_line_and_free_registers(&mut self, line: &'g Stmt) {
        let mark = std::mem::replace(&mut self.emitter.mark, self.emitter.top);
        let top = self.emitter.top;
        let kept = self.statements().lower_statement_line(line);
        self.emitter.release_registers(top + kept);
        self.emitter.mark = mark;
    }
}

impl<'g> Statements<'_, 'g> {
    /// Lowers a line. Returns the number of registers that it leaves for a new variable.
    pub(super) fn lower_statement_line(&mut self, line: &'g Stmt) -> usize {
        let span = &line.span;
        match &line.kind {
            StmtKind::Assign(place, sign, value) => {
                return self.assignments().lower_assignment_line(place, *sign, value, span);
            }
            StmtKind::If(arms, other) => {
                return self.assignments().lower_branching_statement(line, span, |lowering| {
                    lowering.statements().lower_if_statement(arms, other)
                });
            }
            StmtKind::For(name, from, to, down, body) => {
                self.lower_counted_for(name, (from, to, *down), body, span);
            }
            StmtKind::Each(of, body) => self.lower_each_loop(of, body, span),
            StmtKind::Pick(of, by, body) => self.bags().lower_pick(of, by, body, span),
            StmtKind::Repeat(body) => self.lower_endless_repeat(body, span),
            StmtKind::Match(value, arms, other) => {
                let other = other.as_deref();
                return self.assignments().lower_branching_statement(line, span, |lowering| {
                    lowering.statements().lower_match(value, arms, other, span)
                });
            }
            StmtKind::Choose(choose) => {
                return self.assignments().lower_branching_statement(line, span, |lowering| {
                    lowering.statements().lower_choose_statement(choose, span)
                });
            }
            StmtKind::Call(call) => self.lower_call_for_effect(call),
            StmtKind::Stop => self.lower_stop(span),
            StmtKind::End => self.lower_end_statement(span),
            StmtKind::Give(value) => self.lower_give(value, span),
            StmtKind::Tally(name, amount) => {
                self.lower_tally_statement(name, amount.as_ref(), span)
            }
            StmtKind::Note(text) => self.lower_note_statement(text, span),
            StmtKind::Unread(names, body) => self.lower_unparsed_line(names, body, span),
        }
        0
    }

    /// Lowers a line that could not be parsed: it may assign the names in it, run the lines below
    /// it, or leave a loop.
    fn lower_unparsed_line(&mut self, names: &'g [Expr], body: &'g [Stmt], span: &Span) {
        for name in names.iter().filter_map(crate::resolve::used_names::name_expr_begins_with) {
            self.forget_range(name);
        }
        let at = self.emitter.allocate_register(span);
        let leaves = self.scopes.frames.last().is_some_and(|frame| !frame.loops.is_empty());
        self.push_stoppable_loop();
        let mut past = JumpTarget::default();
        self.emitter.emit_branch(Instr::Unless(at, 0), &mut past, span);
        self.lower_block(body);
        self.emitter.place_jump_target(past);
        self.leave_loop();
        if leaves {
            let mut past = JumpTarget::default();
            self.emitter.emit_branch(Instr::Unless(at, 0), &mut past, span);
            self.lower_stop(span);
            self.emitter.place_jump_target(past);
        }
    }

    /// Lowers `end`: jumps to the report.
    fn lower_end_statement(&mut self, span: &Span) {
        let Some(mut end) = self.emitter.end.take() else {
            let problem = "`end` cannot be used in a part that the report calls";
            self.emitter.report_or_emit_fault(
                span,
                problem,
                "put the lines after it under an `if`",
            );
            return;
        };
        self.scopes.may_have_ended = true;
        self.emitter.close_loops_above(0, span);
        self.emitter.emit_jump(&mut end, span);
        self.emitter.end = Some(end);
    }

    /// Lowers a `note` with its values.
    pub(super) fn lower_note_statement(
        &mut self,
        pieces: &'g [(String, Option<Expr>)],
        span: &Span,
    ) {
        if self.emitter.mode == super::LowerMode::Play {
            return;
        }
        let top = self.emitter.top;
        let mut said = Vec::new();
        for (text, value) in pieces {
            said.push(TextOrRegisterValue::Text(text.clone()));
            if let Some(value) = value {
                self.check_no_dice(value, "note");
                said.push(self.text_piece_of_value(value));
            }
        }
        self.emitter.emit_trace_mark(TraceEventInCode::new(span, TraceEvent::Note(said)));
        self.emitter.release_registers(top);
    }

    /// Returns a value as a piece of a sentence.
    fn text_piece_of_value(&mut self, value: &'g Expr) -> TextOrRegisterValue {
        let span = &value.span;
        if let ExprKind::Member(of, column) = &value.kind {
            match self.lower_value(of, None) {
                LoweredValue::Item(bag, cursor) => {
                    return self.bags().item_field_text_piece(bag, cursor, &column.text, span);
                }
                LoweredValue::Contest(fixed) if column.text == ROW_NAME && may_be_named(&fixed) => {
                    return TextOrRegisterValue::Text(
                        self.scopes.format_value_or_member(&fixed, ROW_NAME),
                    );
                }
                _ => {}
            }
        }
        if self.scopes.reads_merged_difference(value) {
            let source = text_of_span(&self.scopes.game.sources, span);
            return TextOrRegisterValue::Text(format!("{{{source}}}"));
        }
        match self.lower_value(value, None) {
            LoweredValue::Contest(fixed @ (ContestValue::Record(_) | ContestValue::Row(_))) => {
                TextOrRegisterValue::Text(self.scopes.format_value_or_member(&fixed, ""))
            }
            LoweredValue::Item(bag, cursor) => {
                self.bags().item_field_text_piece(bag, cursor, ROW_NAME, span)
            }
            other => {
                let num = self.value_as_operand(other, span);
                self.scopes.text_piece_of_number(num)
            }
        }
    }

    /// Lowers `if`, `elif` and `else`.
    pub(super) fn lower_if_statement(&mut self, arms: &'g [(Expr, Vec<Stmt>)], other: &'g [Stmt]) {
        let mut end = JumpTarget::default();
        for (when, body) in arms {
            let mut no = JumpTarget::default();
            let decided = self.lower_traced_condition(when, &mut no);
            if decided != Some(false) && !self.emitter.is_unreachable() {
                self.lower_block(body);
            }
            match decided {
                Some(true) => return self.emitter.place_jump_target(end),
                Some(false) => continue,
                None => self.emitter.emit_jump(&mut end, &when.span),
            }
            self.emitter.place_jump_target(no);
            if self.emitter.is_unreachable() {
                break;
            }
        }
        if !self.emitter.is_unreachable() {
            self.lower_block(other);
        }
        self.emitter.place_jump_target(end);
    }

    /// Emits a jump that is taken if a test fails. Returns the outcome if it is constant, and the
    /// compared numbers for the trace.
    fn emit_jump_if_test_fails(
        &mut self,
        when: &'g Expr,
        no: &mut JumpTarget,
    ) -> (Option<bool>, Option<ComparisonOperandTexts>) {
        if let ExprKind::Binary(sign, a, b) = &when.kind
            && let Some(test) = super::range_arithmetic::comparison_op(*sign)
        {
            let (x, y) = self.expressions().lower_operand_pair(test, a, b);
            let decided = self.expressions().emit_jump_if_test(test, x, y, false, no, &when.span);
            let numbers = x.range.kind == ScalarType::Number;
            let sides = numbers.then(|| ComparisonOperandTexts {
                left: self.scopes.text_piece_of_number(x),
                sign: a.span.end..b.span.start,
                right: self.scopes.text_piece_of_number(y),
            });
            return (decided, sides);
        }
        (self.emit_jump_if_condition_is(when, false, no), None)
    }

    /// Lowers the condition of an `if`, with its trace.
    pub(super) fn lower_traced_condition(
        &mut self,
        when: &'g Expr,
        no: &mut JumpTarget,
    ) -> Option<bool> {
        if self.emitter.mode != super::LowerMode::Trace {
            return self.emit_jump_if_condition_is(when, false, no);
        }
        // A trace has a mark for either outcome, so a failed test first jumps to its mark.
        let mut inner = JumpTarget::default();
        let (decided, sides) = self.emit_jump_if_test_fails(when, &mut inner);
        if decided.is_some() {
            return decided;
        }
        self.emitter.emit_trace_mark(TraceEventInCode::new(
            &when.span,
            TraceEvent::Test(true, sides.clone()),
        ));
        let mut yes = JumpTarget::default();
        self.emitter.emit_jump(&mut yes, &when.span);
        self.emitter.place_jump_target(inner);
        if !self.emitter.is_unreachable() {
            self.emitter
                .emit_trace_mark(TraceEventInCode::new(&when.span, TraceEvent::Test(false, sides)));
            self.emitter.emit_jump(no, &when.span);
        }
        self.emitter.place_jump_target(yes);
        None
    }

    /// Lowers `give x`: every `give` of a part has the same type and register, and leaves the loops
    /// of the part.
    pub(super) fn lower_give(&mut self, value: &'g Expr, span: &Span) {
        let Some(mut gives_target) = self.scopes.innermost_scope().gives.take() else {
            self.emitter.report_or_emit_fault(span, "`give` is only valid in a part", "");
            return;
        };
        let (num, number) = self.lower_value_splitting_cell(value, gives_target.kind);
        let kind = gives_target.kind.unwrap_or(num.range.kind);
        let same = gives_target.kind.is_none() || gives_target.is_cell == number.is_some();
        let num = match same {
            true => self.check_type(num, kind, &value.span),
            false => {
                let problem = "another `give` of this part has another type";
                self.emitter.report_or_emit_fault(&value.span, problem, "")
            }
        };
        (gives_target.is_cell, gives_target.kind) = (number.is_some(), Some(kind));
        self.emitter.emit_checked_store(gives_target.into, num, span);
        if let Some(number) = number {
            self.emitter.emit_checked_store(gives_target.into + 1, number, span);
        }
        self.emitter.close_loops_above(gives_target.opens, span);
        self.emitter.emit_jump(&mut gives_target.out, span);
        self.scopes.innermost_scope().gives = Some(gives_target);
    }

    /// Lowers `tally x += e`: a count that only measures read is not part of the state.
    pub(super) fn lower_tally_statement(
        &mut self,
        name: &'g Ident,
        amount: Option<&'g Expr>,
        span: &Span,
    ) {
        if self.scopes.find_rule_name(&name.text).is_some()
            || self.scopes.kind_of_declared_name(&name.text).is_some()
        {
            let problem = format!("`{}` is something else already", name.text);
            self.emitter.report_or_emit_fault(&name.span, problem, "give the tally another name");
        }
        let amount = match amount {
            Some(amount) => self.lower_to_whole_number(amount),
            None => Operand::constant_whole_number(1),
        };
        let tally_index = self.scopes.tallies.iter().position(|known| *known == name.text);
        let counter = tally_index.unwrap_or_else(|| {
            self.scopes.tallies.push(name.text.clone());
            self.scopes.tallies.len() - 1
        });
        // The engine computes the distribution of a tally layer by layer, which needs one that
        // never falls.
        if amount.range.lo < 0 {
            self.scopes.counting_down.insert(counter as u8);
        }
        let source = self.emitter.register_containing_operand(amount, span);
        self.emitter.push_instr(Instr::Tally(counter as u8, source), span);
    }
}

/// Returns whether a value of the contest has a name, if the contest gives it.
fn may_be_named(fixed: &ContestValue) -> bool {
    match fixed {
        ContestValue::Maybe(inner) => may_be_named(inner),
        ContestValue::Record(_) | ContestValue::Row(_) | ContestValue::Absent(_) => true,
        _ => false,
    }
}

impl<'g> Scopes<'g> {
    /// Returns whether a value of a sentence reads a column in which merged items differ, itself or
    /// in a part that it calls.
    fn reads_merged_difference(&self, value: &Expr) -> bool {
        let mut reads = false;
        visit_expr_and_descendants(value, &mut |inner| match &inner.kind {
            ExprKind::Member(_, column) => reads |= self.merged_items_differ_in(&column.text),
            ExprKind::Call(name, _) => {
                let Some((_, part)) = self.find_part_by_name(&name.text) else { return };
                visit_exprs_of_nested_lines(&part.body, &mut |inner| {
                    reads = reads || self.reads_merged_difference(inner);
                });
            }
            _ => {}
        });
        reads
    }

    /// Returns a number as a piece of a sentence, as text if it is constant.
    pub(super) fn text_piece_of_number(&self, num: Operand) -> TextOrRegisterValue {
        match num.as_constant() {
            Some(known) => {
                TextOrRegisterValue::Text(self.game.value_for_people(num.range.kind, known))
            }
            None => TextOrRegisterValue::Value(num.reg, num.range.kind),
        }
    }
}

impl Emitter {
    /// Emits a trace mark, if the rule is traced.
    pub(super) fn emit_trace_mark(&mut self, mark: TraceEventInCode) {
        if self.mode == super::LowerMode::Trace {
            let span = mark.span.clone();
            self.program.marks.push(mark);
            let place = (self.program.marks.len() - 1) as u16;
            self.push_instr(Instr::Tell(place), &span);
        }
    }
}
