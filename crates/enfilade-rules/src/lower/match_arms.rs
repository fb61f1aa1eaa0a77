//! `match`: its word, its arms, and words without one.

use super::construct_views::Statements;
use super::lowered_value::{JumpTarget, LoweredValue, Operand};
use crate::diagnostics::{Span, did_you_mean};
use crate::syntax::ast::{Expr, Ident, MatchArm, Stmt};
use crate::value_types::ScalarType;
use crate::vm::code::{BinOp, Instr};
use crate::vm::trace_marks::{TraceEvent, TraceEventInCode};

impl<'g> Statements<'_, 'g> {
    /// Lowers `match x`, whose arms are selected by a word or by the word of a printed cell.
    pub(super) fn lower_match(
        &mut self,
        value: &'g Expr,
        arms: &'g [MatchArm],
        other: Option<&'g [Stmt]>,
        span: &Span,
    ) {
        let (word, number) = self.lower_value_splitting_cell(value, None);
        self.trace_matched_word(value, word, number);
        let Some(list) = self.find_word_list(word, &value.span) else { return };
        if self.is_checking() {
            self.report_missing_or_double_arms(list, arms, other.is_some(), span);
        }
        let mut end = JumpTarget::default();
        for (at, arm) in arms.iter().enumerate() {
            // All words have an arm, so the last arm needs no test.
            let is_last = other.is_none() && at + 1 == arms.len();
            let is_taken = self.lower_match_arm((word, list), number, arm, is_last, &mut end);
            if is_taken == Some(true) {
                return self.emitter.place_jump_target(end);
            }
            if self.emitter.is_unreachable() {
                break;
            }
        }
        if let Some(other) = other.filter(|_| !self.emitter.is_unreachable()) {
            self.lower_block(other);
        }
        self.emitter.place_jump_target(end);
    }

    /// Returns the list of a word.
    fn find_word_list(&mut self, word: Operand, span: &Span) -> Option<u16> {
        match word.range.kind {
            ScalarType::Word(list) => return Some(list),
            ScalarType::Any => {}
            kind => {
                let list_name = self.scopes.game.type_name_in_messages(kind);
                let problem = format!("`match` needs a word, and this is {list_name}");
                self.emitter.report_or_emit_fault(span, problem, "`if` tests numbers");
            }
        }
        None
    }

    /// Lowers a value to a word and a number if it is a printed cell, or to a number.
    pub(super) fn lower_value_splitting_cell(
        &mut self,
        value: &'g Expr,
        want: Option<ScalarType>,
    ) -> (Operand, Option<Operand>) {
        let lowered = self.lower_value(value, want);
        match self.split_printed_cell(lowered, &value.span) {
            LoweredValue::Cell(word, number) => (word, Some(number)),
            lowered => (self.value_as_operand(lowered, &value.span), None),
        }
    }

    /// Traces the word that is matched.
    pub(super) fn trace_matched_word(
        &mut self,
        value: &Expr,
        word: Operand,
        number: Option<Operand>,
    ) {
        if self.emitter.mode != super::LowerMode::Trace {
            return;
        }
        let (word, number) = (
            self.scopes.text_piece_of_number(word),
            number.map(|number| self.scopes.text_piece_of_number(number)),
        );
        self.emitter
            .emit_trace_mark(TraceEventInCode::new(&value.span, TraceEvent::Cell(word, number)));
    }

    /// Resolves an arm's word to its index in the list.
    pub(super) fn resolve_match_word(&mut self, list: u16, word: &Ident) -> Option<i64> {
        let place = self.scopes.game.index_of_word_in_list(list, &word.text);
        if place.is_none() {
            let list = &self.scopes.game.words[usize::from(list)];
            let help = did_you_mean(&word.text, list.iter());
            let problem = format!("`{}` is not a word of `{}`", word.text, list.name);
            self.emitter.report_or_emit_fault(&word.span, problem, help);
        }
        place.map(|place| place as i64)
    }

    /// Lowers one arm of a match on a word of a list. Returns whether it is always taken, or never,
    /// if that is constant. The last arm takes all that is left.
    fn lower_match_arm(
        &mut self,
        (word, list): (Operand, u16),
        number: Option<Operand>,
        arm: &'g MatchArm,
        is_last: bool,
        end: &mut JumpTarget,
    ) -> Option<bool> {
        let span = arm.words.first().map_or(0..0, |word| word.span.clone());
        let places = arm.words.iter().filter_map(|word| self.resolve_match_word(list, word));
        let places: Vec<i64> = places.collect();
        let constant = word.as_constant().filter(|_| !self.is_checking());
        let is_taken = constant.map(|known| places.contains(&known));
        if is_taken == Some(false) {
            return is_taken;
        }
        let mut no = JumpTarget::default();
        if is_taken.is_none() && !is_last {
            self.jump_unless_one_of(word, &places, &mut no, &span);
        }
        self.lower_arm_body(arm, number);
        if is_taken.is_none() {
            self.emitter.emit_jump(end, &span);
        }
        self.emitter.place_jump_target(no);
        is_taken
    }

    /// Lowers the body of an arm, with a name for the number of the printed cell.
    fn lower_arm_body(&mut self, arm: &'g MatchArm, number: Option<Operand>) {
        match (&arm.number, number) {
            (Some(name), Some(number)) => {
                self.with_name_bound_to(name, LoweredValue::Operand(number), |lowering| {
                    lowering.lower_block(&arm.body)
                });
            }
            (name, _) => {
                if let Some(name) = name {
                    self.emitter.report_or_emit_fault(
                        &name.span,
                        "a word has no number: only printed cells do",
                        "",
                    );
                }
                self.lower_block(&arm.body);
            }
        }
    }

    /// Emits a jump that is taken unless a word is one of several.
    fn jump_unless_one_of(
        &mut self,
        word: Operand,
        places: &[i64],
        no: &mut JumpTarget,
        span: &Span,
    ) {
        let Some((last, first)) = places.split_last() else { return };
        let source = self.emitter.register_containing_operand(word, span);
        let mut yes = JumpTarget::default();
        for place in first {
            self.emitter.emit_branch(
                Instr::UnlessCmpK(BinOp::Ne, source, *place as i16, 0),
                &mut yes,
                span,
            );
        }
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Eq, source, *last as i16, 0), no, span);
        self.emitter.place_jump_target(yes);
    }

    /// Reports words without an arm.
    pub(super) fn report_missing_or_double_arms(
        &mut self,
        list: u16,
        arms: &[MatchArm],
        has_other: bool,
        span: &Span,
    ) {
        let missing_words: Vec<&str> =
            arms.iter().flat_map(|arm| arm.words.iter().map(|word| word.text.as_str())).collect();
        for (place, word) in arms.iter().flat_map(|arm| &arm.words).enumerate() {
            if missing_words[..place].contains(&word.text.as_str()) {
                let problem = format!("`{}` has an arm already", word.text);
                self.emitter.faults.add_fault_at_span(word.span.clone(), problem, "");
            }
        }
        let words = &self.scopes.game.words[usize::from(list)].words;
        let left = words.iter().find(|(word, _)| !missing_words.contains(&word.as_str()));
        if let Some((left, _)) = left.filter(|_| !has_other) {
            let problem = format!("`match` has no arm for `{left}`");
            self.emitter.faults.add_fault_at_span(
                span.clone(),
                problem,
                format!("add `{left}:`, or `else:`"),
            );
        }
    }
}
