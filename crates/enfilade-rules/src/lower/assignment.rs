//! Assignments to names, list elements and bag items.

use super::construct_views::Assignments;
use super::emitter::Emitter;
use super::lowered_value::{
    Assignable, Binding, ListInRegisters, LoweredValue, Operand, SymbolCountRegisters,
};
use super::lowering::Lowering;
use crate::diagnostics::Span;
use crate::syntax::ast::AssignedValue as Given;
use crate::syntax::ast::{Expr, ExprKind, Ident};
use crate::value_types::{ContestValue, MAX_LIST_LENGTH, ScalarType, VARIABLE_RANGE};
use crate::vm::checked_numbers::overflow_fault_text;
use crate::vm::code::{BinOp, Instr};
use crate::vm::trace_marks::{TraceEvent, TraceEventInCode};
impl<'g> Lowering<'g> {
    /// Checks that nothing else has the name of a new variable, and reports a clash.
    pub(super) fn check_variable_name(&mut self, name: &str, span: &Span) -> bool {
        let Some(clash) = self.scopes.kind_of_declared_name(name) else { return true };
        let problem = format!("`{name}` is {clash} already and cannot be declared again");
        self.emitter.report_or_emit_fault(span, problem, "give it another name");
        false
    }
}

impl<'g> Assignments<'_, 'g> {
    /// Lowers `x = e` and `x += e`.
    pub(super) fn lower_assignment_line(
        &mut self,
        place: &'g Expr,
        sign: i8,
        value: &'g Given,
        span: &Span,
    ) -> usize {
        if let ExprKind::Name(name) = &place.kind
            && self.scopes.find_rule_name(name).is_none()
            && sign == 0
        {
            return self.declare_on_assignment(name, place, value, span);
        }
        match self.resolve_assignable(place) {
            Some(into) => self.assign_to_target(into, sign, value, span),
            // The value is checked even without a valid target.
            None => {
                if let Given::One(value) = value {
                    self.lower_value(value, None);
                }
            }
        }
        0
    }

    /// Assigns a value to an existing target, or adds to it.
    fn assign_to_target(&mut self, into: Assignable, sign: i8, value: &'g Given, span: &Span) {
        match (value, into) {
            (Given::One(value), into) => self.assign_or_add(into, sign, value, span),
            (Given::List(items), Assignable::List(list))
                if items.len() == usize::from(list.len) =>
            {
                for (at, item) in items.iter().enumerate() {
                    self.assign_or_add(
                        Assignable::Variable(list.base + at as u8, list.kind),
                        0,
                        item,
                        span,
                    );
                }
            }
            (Given::List(items), Assignable::List(list)) => {
                let (has, len) = (items.len(), list.len);
                self.emitter.report_or_emit_fault(
                    span,
                    format!("the list has {len} places, not {has}"),
                    "",
                );
            }
            (Given::Repeated(count, value), Assignable::List(list)) => {
                self.fill_list_with_value(list, count, value, span);
            }
            (Given::List(_) | Given::Repeated(..), _) => {
                self.emitter.report_or_emit_fault(
                    span,
                    "a list cannot be used here",
                    "assign it to a new name",
                );
            }
            (Given::Throw(dice), Assignable::Throw(counts)) => {
                self.assign_or_add_throw(counts, sign, dice, span);
            }
            (Given::Throw(_), _) => {
                self.emitter.report_or_emit_fault(
                    span,
                    "a throw cannot be used here",
                    "assign it to a new name",
                );
            }
            (Given::Bag(..), _) => {
                self.emitter.report_or_emit_fault(
                    span,
                    "a bag cannot be assigned again",
                    "assign it to a new name",
                );
            }
        }
    }

    /// Declares a name at its first `=`. Returns the number of registers that it occupies.
    fn declare_on_assignment(
        &mut self,
        name: &'g str,
        place: &Expr,
        value: &'g Given,
        span: &Span,
    ) -> usize {
        if !self.check_variable_name(name, &place.span) {
            return 0;
        }
        match value {
            Given::One(value) => self.declare_from_one_value(name, value, span),
            Given::List(items) if items.len() as i64 > MAX_LIST_LENGTH => {
                let problem = format!("a list has at most {MAX_LIST_LENGTH} places");
                self.emitter.report_or_emit_fault(span, problem, "");
                0
            }
            Given::List(items) => self.declare_literal_list(name, items, span),
            Given::Throw(dice) => self.declare_throw(name, dice, span),
            Given::Repeated(count, value) => self.declare_equal_values(name, count, value, span),
            Given::Bag(of, with, kept) => {
                let registers = self.bags().declare_bag_variable(name, of, with, span);
                self.bags().set_traced_item_format(name, kept, span);
                registers
            }
        }
    }

    /// Declares a name for one value: a number, a printed cell, or a list of the rule.
    fn declare_from_one_value(&mut self, name: &'g str, value: &'g Expr, span: &Span) -> usize {
        let base = self.emitter.top;
        let reserved = self.scopes.find_reserved_register(name);
        let reg = self.emitter.allocate_registers(2, span);
        let lowered = self.lower_value(value, reserved.and_then(|(_, kind)| kind));
        match self.split_printed_cell(lowered, &value.span) {
            LoweredValue::Cell(word, number) => {
                self.store_printed_cell(reg, word, number, span);
                self.scopes.bind_name(name, Binding::Place(Assignable::Cell(reg, word.range.kind)));
                2
            }
            LoweredValue::List(list) => {
                // In ascending order, because the source and target registers may overlap in a list
                // that was just built.
                self.emitter.release_registers(base);
                let own = self.emitter.copy_list(list, span);
                self.scopes.bind_name(name, Binding::Place(Assignable::List(own)));
                list.len.into()
            }
            LoweredValue::Contest(ContestValue::List(items, lengths))
                if lengths.is_none() || matches!(items[..], [ContestValue::Number(_)]) =>
            {
                self.emitter.release_registers(base);
                // While a file is checked one item stands for as many as there may be.
                let count =
                    lengths.map_or(items.len() as i64, |(_, most)| most.min(MAX_LIST_LENGTH));
                let all = items.iter().cycle().take(count as usize).cloned();
                let own = self.dice().copy_items(all.map(LoweredValue::Contest).collect(), span);
                self.scopes.bind_name(name, Binding::Place(Assignable::List(own)));
                own.len.into()
            }
            lowered => {
                let mut num = self.value_as_operand(lowered, &value.span);
                let (reg, kept) = reserved.map_or((reg, 1), |(reserved, _)| (reserved, 0));
                if let Some((_, Some(kind))) = reserved {
                    num = self.check_type(num, kind, &value.span);
                    num.range.kind = kind;
                }
                self.scopes.set_reserved_type(name, num.range.kind);
                self.scopes
                    .bind_name(name, Binding::Place(Assignable::Variable(reg, num.range.kind)));
                self.store_and_trace(reg, num, span);
                kept
            }
        }
    }

    /// Stores a printed cell in two registers: its word, and its number.
    fn store_printed_cell(&mut self, reg: u8, word: Operand, number: Operand, span: &Span) {
        self.emitter.emit_checked_store(reg, word, span);
        self.emitter.emit_checked_store(reg + 1, number, span);
    }

    /// Stores a number in a variable and traces the new value.
    fn store_and_trace(&mut self, reg: u8, num: Operand, span: &Span) {
        self.emitter.emit_checked_store(reg, num, span);
        self.trace_variable(reg, num.range.kind, span);
    }

    /// Declares a list of the rule in consecutive registers, each computed in place.
    pub(super) fn declare_literal_list(
        &mut self,
        name: &'g str,
        items: &'g [Expr],
        span: &Span,
    ) -> usize {
        let base = self.emitter.allocate_registers(items.len(), span);
        let mut kind = ScalarType::Any;
        for (at, item) in items.iter().enumerate() {
            let num = self.lower_to_operand(item, Some(kind));
            let num = self.check_type(num, kind, &item.span);
            if kind == ScalarType::Any {
                kind = num.range.kind;
            }
            self.emitter.emit_checked_store(base + at as u8, num, span);
        }
        let list = ListInRegisters { base, len: items.len() as u8, kind };
        self.scopes.bind_name(name, Binding::Place(Assignable::List(list)));
        items.len()
    }

    /// Assigns a value to a target, or adds to it.
    pub(super) fn assign_or_add(
        &mut self,
        into: Assignable,
        sign: i8,
        value: &'g Expr,
        span: &Span,
    ) {
        if let Assignable::Cell(reg, kind) = into {
            return self.assign_printed_cell(reg, kind, value, span);
        }
        if let Assignable::List(list) = into {
            return self.assign_list(list, value, span);
        }
        if let Assignable::Throw(_) = into {
            let help = "`throw = 2 red` throws anew, `throw.hit = 0` sets a symbol";
            self.emitter.report_or_emit_fault(&value.span, "this is no throw of dice", help);
            return;
        }
        let kind = self.scopes.type_of_assignable(into);
        let mut num = match sign {
            0 => {
                let num = self.lower_to_operand(value, Some(kind));
                self.check_type(num, kind, &value.span)
            }
            _ => self.lower_sum_with_target(into, sign, value, span),
        };
        num.range.kind = kind;
        match into {
            Assignable::Variable(reg, _) => self.store_and_trace(reg, num, span),
            Assignable::ListItem(list, at) => {
                self.store_list_element(list, at, num, span);
                self.emit_trace_of_list_place(at, num, span);
            }
            Assignable::BagField(digit, cursor) => {
                self.bags().store_item_field(digit, cursor, num, span)
            }
            Assignable::Cell(..) | Assignable::List(_) | Assignable::Throw(_) => {}
        }
    }

    /// Computes the sum or difference of the target's value and a number.
    fn lower_sum_with_target(
        &mut self,
        into: Assignable,
        sign: i8,
        value: &'g Expr,
        span: &Span,
    ) -> Operand {
        let by = self.lower_to_whole_number(value);
        let now = self.expressions().read_assigned_target(into);
        let now = self.value_as_operand(now, span);
        let now = self.check_type(now, ScalarType::Number, span);
        let two = if sign > 0 { BinOp::Add } else { BinOp::Sub };
        self.emitter.emit_binary(two, now, by, span)
    }

    /// Traces the new value of a variable, if the rule is traced.
    pub(super) fn trace_variable(&mut self, reg: u8, kind: ScalarType, span: &Span) {
        if self.emitter.mode == super::LowerMode::Trace {
            self.emitter.emit_trace_mark(TraceEventInCode::new(span, TraceEvent::Set(reg, kind)));
        }
    }

    /// Traces the new value of a place of a list, if the rule is traced.
    fn emit_trace_of_list_place(&mut self, at: Operand, num: Operand, span: &Span) {
        // A place whose number is known is a variable, and traced as one.
        if self.emitter.mode != super::LowerMode::Trace || at.as_constant().is_some() {
            return;
        }
        // Registers in front must be those of the rule that is played.
        let top = self.emitter.top;
        let place = self.emitter.register_containing_operand(at, span);
        let value = self.emitter.register_containing_operand(num, span);
        let set = [(place, at.range.kind), (value, num.range.kind)];
        self.emitter.emit_trace_mark(TraceEventInCode::new(span, TraceEvent::SetPlace(set)));
        self.emitter.release_registers(top);
    }

    /// Assigns another printed cell: its word and its number together.
    pub(super) fn assign_printed_cell(
        &mut self,
        reg: u8,
        kind: ScalarType,
        value: &'g Expr,
        span: &Span,
    ) {
        let lowered = self.lower_value(value, Some(kind));
        match self.split_printed_cell(lowered, &value.span) {
            LoweredValue::Cell(word, number) if word.range.kind == kind => {
                self.store_printed_cell(reg, word, number, span);
            }
            _ => {
                self.emitter.report_or_emit_fault(
                    &value.span,
                    "expected a printed cell of the same table",
                    "",
                );
            }
        }
    }

    /// Assigns another list of the same length, element by element.
    pub(super) fn assign_list(&mut self, list: ListInRegisters, value: &'g Expr, span: &Span) {
        match self.lower_value(value, None) {
            LoweredValue::List(other)
                if other.len == list.len && other.kind.is_compatible_with(list.kind) =>
            {
                for at in 0..list.len {
                    let num = self.emitter.variable_operand(other.base + at, other.kind);
                    self.emitter.emit_checked_store(list.base + at, num, span);
                }
            }
            LoweredValue::List(other) if other.kind.is_compatible_with(list.kind) => {
                let names = (self.scopes.variable_name_of_list(list), value.as_path());
                self.report_other_length(list, names, other.len.into(), &value.span);
            }
            _ => {
                let len = list.len;
                self.emitter.report_or_emit_fault(
                    &value.span,
                    format!("expected a list of {len} places"),
                    "",
                );
            }
        }
    }

    /// Stores a number in a list element. If the index is unknown, any element may have changed.
    pub(super) fn store_list_element(
        &mut self,
        list: ListInRegisters,
        at: Operand,
        num: Operand,
        span: &Span,
    ) {
        if !self.emitter.check_index_range(at, list.len.into(), span) {
            return;
        }
        if let Some(index) = at.as_constant() {
            return self.store_and_trace(list.base + index as u8 - 1, num, span);
        }
        let register = self.emitter.allocate_register(span);
        self.emitter.emit_checked_store(register, num, span);
        self.emitter.push_instr(Instr::Store(list.base, list.len, at.reg, register), span);
        for reg in list.base..list.base + list.len {
            let (lo, hi) = self.emitter.known_range_of_register(reg);
            self.emitter.set_range(reg, (lo.min(num.range.lo), hi.max(num.range.hi)));
        }
    }

    /// Resolves an expression to an assignable target.
    pub(super) fn resolve_assignable(&mut self, expr: &'g Expr) -> Option<Assignable> {
        let span = &expr.span;
        match &expr.kind {
            ExprKind::Name(name) => self.resolve_variable(name, span),
            ExprKind::Index(of, at) => self.resolve_list_place(of, at, span),
            ExprKind::Member(of, column) => match self.lower_value(of, None) {
                LoweredValue::Item(bag, cursor) => {
                    self.bags().resolve_assignable_item_field(bag, cursor, column)
                }
                LoweredValue::Throw(counts) => self.resolve_symbol_count(counts, column),
                LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => None,
                _ => self.report_constant_target(span, "a bag of it has items that change"),
            },
            _ => {
                self.emitter.report_or_emit_fault(span, "this cannot be assigned", "");
                None
            }
        }
    }

    /// Resolves the count of one symbol of a throw.
    fn resolve_symbol_count(
        &mut self,
        counts: SymbolCountRegisters,
        symbol: &Ident,
    ) -> Option<Assignable> {
        if let Some(reg) = self.scopes.register_of_symbol(counts, &symbol.text) {
            return Some(Assignable::Variable(reg, ScalarType::Number));
        }
        let (problem, help) = self.scopes.describe_missing_die_symbol(counts, &symbol.text);
        self.emitter.report_or_emit_fault(&symbol.span, problem, help);
        None
    }

    /// Resolves a name to a variable.
    fn resolve_variable(&mut self, name: &str, span: &Span) -> Option<Assignable> {
        match (self.scopes.find_rule_name(name), self.scopes.kind_of_declared_name(name)) {
            (Some(Binding::Place(place)), _) => return Some(*place),
            (Some(Binding::Value(_)), _) => {
                let problem = format!("`{name}` cannot be assigned");
                self.emitter.report_or_emit_fault(span, problem, "give it another name");
            }
            (None, Some(clash)) => {
                let problem = format!("`{name}` is {clash}, and the rule cannot change it");
                self.emitter.report_or_emit_fault(
                    span,
                    problem,
                    format!("`now = {name}` makes a variable of it"),
                );
            }
            (None, None) => self.report_unknown_variable(name, span),
        }
        None
    }

    /// Resolves an index expression to a list element.
    fn resolve_list_place(
        &mut self,
        of: &'g Expr,
        at: &'g Expr,
        span: &Span,
    ) -> Option<Assignable> {
        match self.lower_value(of, None) {
            LoweredValue::List(list) => {
                let at = self.lower_to_whole_number(at);
                // The index is copied because the assigned value may change the variable that it
                // came from.
                Some(Assignable::ListItem(list, self.emitter.copy_operand(at, span)))
            }
            LoweredValue::Bag(_) => {
                self.emitter.report_or_emit_fault(
                    span,
                    "a bag has no places",
                    "`each u in units`, or make it a list",
                );
                None
            }
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => None,
            _ => self
                .report_constant_target(span, "`xs = …` declares a list that the rule can change"),
        }
    }

    /// Reports an assignment to a value of the contest, which is constant.
    fn report_constant_target(&mut self, span: &Span, help: &str) -> Option<Assignable> {
        self.emitter.report_or_emit_fault(span, "the rule cannot change this", help);
        None
    }

    /// Reports a name that has no value yet.
    pub(super) fn report_unknown_variable(&mut self, name: &str, span: &Span) {
        let help = self.scopes.suggest_similar_or(name, || format!("`{name} = …` gives it one"));
        self.emitter.report_or_emit_fault(span, format!("`{name}` has no value yet"), help);
    }
}

impl Emitter {
    /// Stores a number in a variable, with a check that it fits.
    pub(super) fn emit_checked_store(&mut self, reg: u8, num: Operand, span: &Span) {
        let (lo, hi) = (num.range.lo, num.range.hi);
        if hi < VARIABLE_RANGE.0 || lo > VARIABLE_RANGE.1 {
            self.report_or_emit_fault(span, overflow_fault_text(lo), "");
            return;
        }
        if lo < VARIABLE_RANGE.0 || hi > VARIABLE_RANGE.1 {
            let source = self.register_containing_operand(num, span);
            self.push_instr(Instr::Narrow(reg, source), span);
        } else {
            self.emit_move(reg, num, span);
        }
        self.set_range(reg, (lo.max(VARIABLE_RANGE.0), hi.min(VARIABLE_RANGE.1)));
    }
}
