//! Calls: functions of the language, tables, and parts, which are inlined.

use super::lowered_value::{
    ActionOrPartScope, Assignable, Binding, GiveJumpAndResult, JumpTarget, LoweredValue,
    MAX_PART_CALL_DEPTH, Operand,
};
use super::lowering::Lowering;
use crate::diagnostics::{Span, did_you_mean};
use crate::resolve::game::TopLevelMeaning;
use crate::syntax::ast::{Expr, ExprKind, Ident, PartDecl, Stmt, StmtKind};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr};

/// Arguments, each with its shift.
type ShiftedArguments = [(Expr, Option<Expr>)];

impl<'g> Lowering<'g> {
    /// Lowers a call for its value.
    pub(super) fn lower_call(
        &mut self,
        name: &'g Ident,
        arguments: &'g ShiftedArguments,
        span: &Span,
    ) -> LoweredValue {
        match name.text.as_str() {
            "min" => return LoweredValue::Operand(self.lower_min_max(BinOp::Min, arguments, span)),
            "max" => return LoweredValue::Operand(self.lower_min_max(BinOp::Max, arguments, span)),
            "step" => return LoweredValue::Operand(self.lower_step_function(arguments, span)),
            "length" => return LoweredValue::Operand(self.lower_length(arguments, span)),
            _ => {}
        }
        match self.scopes.game.names.get(&name.text) {
            Some(TopLevelMeaning::Table(table)) => {
                self.tables().lower_table(*table, arguments, span)
            }
            Some(TopLevelMeaning::Part(_)) => {
                let value = self.lower_part_call(name, arguments, span, true);
                value.unwrap_or_else(|| LoweredValue::Operand(self.emitter.error_operand()))
            }
            _ => LoweredValue::Operand(match name.text.as_str() {
                "abs" => self.lower_abs_call(arguments, span),
                "rest" => self.lower_rest_call(arguments, span),
                _ => self.report_unknown_function(name),
            }),
        }
    }

    /// Reports an unknown function, with the most similar name.
    fn report_unknown_function(&mut self, name: &Ident) -> Operand {
        let function_names = self.scopes.game.names.iter();
        let function_names = function_names
            .filter(|(_, top)| matches!(top, TopLevelMeaning::Table(_) | TopLevelMeaning::Part(_)));
        let own = ["min", "max", "step", "length", "abs", "rest", "up", "sum", "count", "given"];
        let help =
            did_you_mean(&name.text, function_names.map(|(name, _)| name.as_str()).chain(own));
        let problem = format!("there is no part and no table `{}`", name.text);
        let fault = self.emitter.report_or_emit_fault(&name.span, problem, help);
        self.emitter.faults.suppress([name.text.clone()]);
        fault
    }

    /// Reports an argument that a function of the language does not accept.
    pub(super) fn report_wrong_argument(
        &mut self,
        name: &str,
        token: &str,
        span: &Span,
    ) -> Operand {
        self.emitter.report_or_emit_fault(span, format!("`{name}` takes {token}"), "")
    }

    /// Lowers `min(a, b, …)` and `max(a, b, …)`.
    fn lower_min_max(
        &mut self,
        two: BinOp,
        arguments: &'g ShiftedArguments,
        span: &Span,
    ) -> Operand {
        let name = if two == BinOp::Min { "min" } else { "max" };
        let Some(((first, _), rest)) = arguments.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            return self.report_wrong_argument(name, "two numbers or more", span);
        };
        let mut best = self.lower_to_whole_number(first);
        for (other, _) in rest {
            let other = self.lower_to_whole_number(other);
            best = self.emitter.emit_binary(two, best, other, span);
        }
        best
    }

    /// Lowers `step(word, n)`, which moves along the word's list and stops at its ends.
    fn lower_step_function(&mut self, arguments: &'g ShiftedArguments, span: &Span) -> Operand {
        let [(word, _), (by, _)] = arguments else {
            return self.report_wrong_argument("step", "a word and a number", span);
        };
        let from = self.lower_to_operand(word, None);
        if !matches!(from.range.kind, ScalarType::Word(_) | ScalarType::Any) {
            let type_name = self.scopes.game.type_name_in_messages(from.range.kind);
            let problem = format!("`step` needs a word, and this is {type_name}");
            return self.emitter.report_or_emit_fault(&word.span, problem, "");
        }
        let by = self.lower_to_whole_number(by);
        let all = self.scopes.game.range_of_type(from.range.kind);
        let [first, last] = [all.lo, all.hi].map(|end| Operand::constant(from.range.kind, end));
        let to = self.emitter.emit_binary(BinOp::Add, from, by, span);
        let to = self.emitter.emit_binary(BinOp::Max, to, first, span);
        let to = self.emitter.emit_binary(BinOp::Min, to, last, span);
        let mut range = to.range;
        range.kind = from.range.kind;
        Operand { range, ..to }
    }

    /// Lowers `length(xs)`: constant for lists, counted for bags.
    fn lower_length(&mut self, arguments: &'g ShiftedArguments, span: &Span) -> Operand {
        let [(of, _)] = arguments else {
            return self.report_wrong_argument("length", "one list", span);
        };
        match self.lower_value(of, None) {
            LoweredValue::List(list) => Operand::constant_whole_number(list.len.into()),
            LoweredValue::Bag(bag) => self.bags().lower_bag_sum_or_count(None, None, bag, span),
            LoweredValue::Contest(ContestValue::List(items, None)) => {
                let items = super::loop_statements::repeat_records_by_count(&items);
                Operand::constant_whole_number(items.len() as i64)
            }
            LoweredValue::Contest(ContestValue::List(_, Some((lo, hi)))) => {
                self.emitter.unknown_operand(ValueRange::new(ScalarType::Number, lo, hi), span)
            }
            LoweredValue::Contest(ContestValue::Absent(_) | ContestValue::Maybe(_)) => {
                Operand::constant_whole_number(0)
            }
            LoweredValue::Chosen(all, row) => {
                match self.expressions().length_of_alternatives(&all, row, span) {
                    Some(length) => length,
                    None => self.report_wrong_argument("length", "a list", &of.span),
                }
            }
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => num,
            _ => self.report_wrong_argument("length", "a list", &of.span),
        }
    }

    /// Lowers the call of a part for its effects.
    pub(super) fn lower_call_for_effect(&mut self, call: &'g Expr) {
        let ExprKind::Call(name, arguments) = &call.kind else {
            self.emitter.report_or_emit_fault(
                &call.span,
                "this line has no effect",
                "use `x = …` to name the value",
            );
            return;
        };
        match self.scopes.find_part_by_name(&name.text) {
            Some(_) => {
                self.lower_part_call(name, arguments, &call.span, false);
            }
            None => {
                self.lower_call(name, arguments, &call.span);
                if matches!(self.scopes.game.names.get(&name.text), Some(TopLevelMeaning::Table(_)))
                {
                    self.emitter.report_or_emit_fault(
                        &call.span,
                        "this line looks a cell up without using it",
                        "",
                    );
                }
            }
        }
    }

    /// Inlines a part with its arguments. Returns the value that it gives.
    fn lower_part_call(
        &mut self,
        name: &'g Ident,
        arguments: &'g ShiftedArguments,
        span: &Span,
        for_value: bool,
    ) -> Option<LoweredValue> {
        let (at, part) = self.scopes.find_part_by_name(&name.text)?;
        if !self.check_inlining_depth(at, name, span) {
            return None;
        }
        let (candidate, branches) = (
            self.emitter.begin_hoist_candidate(),
            self.emitter.parameters.take_control_dependence(),
        );
        let frame = self.bind_arguments_to_part(name, part, arguments, span)?;
        let gives_value = part.body.iter().any(contains_give_statement);
        if for_value && !gives_value {
            let problem = format!("`{}` has no `give` and therefore no value", name.text);
            self.emitter.report_or_emit_fault(span, problem, "add `give x` to the part");
            self.emitter.faults.suppress([name.text.clone()]);
            return None;
        }
        let (before, sites) = (self.emitter.program.instrs.len(), self.emitter.program.sites.len());
        self.scopes.calls.push(at);
        let value = self.inline_part(part, frame, span, for_value);
        self.scopes.calls.pop();
        if gives_value && self.emitter.program.sites.len() == sites {
            self.drop_trace_marks_since(before);
        }
        let value = value?;
        self.emitter.parameters.add_jump_dependence_to_value(branches, &value);
        Some(match candidate {
            Some(candidate) => self.emitter.hoist_if_constant(value, &candidate, span),
            None => value,
        })
    }

    /// Checks that a part may be inlined here: it does not call itself, and calls are not nested
    /// too deeply.
    fn check_inlining_depth(&mut self, at: usize, name: &Ident, span: &Span) -> bool {
        let problem = match self.scopes.calls.contains(&at) {
            true => format!("`{}` calls itself", name.text),
            false if self.scopes.calls.len() < MAX_PART_CALL_DEPTH => return true,
            false => format!("calls of parts may be at most {MAX_PART_CALL_DEPTH} deep"),
        };
        self.emitter.report_or_emit_fault(span, problem, "use `repeat` or `for` to repeat lines");
        false
    }

    /// Drops the trace marks of a part that rolled no die: only its result is traced.
    fn drop_trace_marks_since(&mut self, before: usize) {
        for op in self.emitter.program.instrs.iter_mut().skip(before) {
            if matches!(op, Instr::Tell(_)) {
                *op = Instr::Skip;
            }
        }
    }

    /// Inlines the lines of a part. Returns the value that it gives, if any.
    fn inline_part(
        &mut self,
        part: &'g PartDecl,
        frame: ActionOrPartScope<'g>,
        span: &Span,
        for_value: bool,
    ) -> Option<LoweredValue> {
        // A part of a single `give` may return any value: a record, a row.
        if let [Stmt { kind: StmtKind::Give(value), .. }] = part.body.as_slice() {
            self.scopes.frames.push(frame);
            let value = self.lower_value(value, None);
            self.scopes.frames.pop();
            return Some(value);
        }
        let into = self.emitter.allocate_registers(2, span);
        let GiveJumpAndResult { out, kind, is_cell, .. } =
            self.lower_part_body(part, frame, into)?;
        let unread = part.body.iter().any(Stmt::has_unparsed_line);
        if for_value && !self.emitter.is_unreachable() && !unread && kind.is_some() {
            let problem = "this part gives nothing on some of its paths";
            let last = part.body.last().map_or(span, |line| &line.span);
            self.emitter.report_or_emit_fault(last, problem, "end it with a `give`");
        }
        self.emitter.place_jump_target(out);
        let value = self.emitter.variable_operand(into, kind?);
        Some(match is_cell {
            true => LoweredValue::Cell(
                value,
                self.emitter.variable_operand(into + 1, ScalarType::Number),
            ),
            false => LoweredValue::Operand(value),
        })
    }

    /// Lowers the body of a part in a new scope, in the registers above the current ones.
    fn lower_part_body(
        &mut self,
        part: &'g PartDecl,
        mut frame: ActionOrPartScope<'g>,
        into: u8,
    ) -> Option<GiveJumpAndResult> {
        let (out, opens) = (JumpTarget::default(), self.emitter.opens.len());
        frame.gives = Some(GiveJumpAndResult { out, into, kind: None, is_cell: false, opens });
        let top = self.emitter.top;
        let mark = std::mem::replace(&mut self.emitter.mark, top);
        self.scopes.frames.push(frame);
        self.lower_block(&part.body);
        let frame = self.scopes.frames.pop()?;
        self.emitter.mark = mark;
        self.emitter.release_registers(top);
        frame.gives
    }

    /// Binds the parameters of a called part.
    fn bind_arguments_to_part(
        &mut self,
        name: &'g Ident,
        part: &'g PartDecl,
        arguments: &'g ShiftedArguments,
        span: &Span,
    ) -> Option<ActionOrPartScope<'g>> {
        let (wanted, argument_count) = (part.params.len(), arguments.len());
        if wanted != argument_count {
            let plural = if wanted == 1 { "" } else { "s" };
            let problem =
                format!("`{}` takes {wanted} value{plural}, not {argument_count}", name.text);
            self.emitter.report_or_emit_fault(span, problem, "");
            return None;
        }
        let mut frame = ActionOrPartScope::default();
        for ((param, changes), (argument, _)) in part.params.iter().zip(arguments) {
            let bind = match changes {
                true => Binding::Place(self.assignments().resolve_assignable(argument)?),
                false => self.bind_parameter(part, &param.text, argument),
            };
            let name = param.text.as_str();
            frame.locals.push(super::lowered_value::LocalNameBinding { name, bind });
        }
        Some(frame)
    }

    /// Binds an argument to a parameter, as a copy if it may change.
    fn bind_parameter(&mut self, part: &'g PartDecl, name: &str, argument: &'g Expr) -> Binding {
        let span = &argument.span;
        let value = self.lower_value(argument, None);
        let value = self.split_printed_cell(value, span);
        let assigned = self.scopes.names_assigned_by(&part.body).iter().any(|known| known == name);
        let changed = part.params.iter().any(|(_, changes)| *changes);
        match value {
            LoweredValue::Operand(num) if assigned => {
                let reg = self.emitter.allocate_register(span);
                self.emitter.emit_move(reg, num, span);
                self.emitter.set_range(reg, (num.range.lo, num.range.hi));
                Binding::Place(Assignable::Variable(reg, num.range.kind))
            }
            LoweredValue::Operand(num) if changed => {
                Binding::Value(LoweredValue::Operand(self.emitter.copy_operand(num, span)))
            }
            LoweredValue::List(list) if assigned || changed => {
                Binding::Place(Assignable::List(self.emitter.copy_list(list, span)))
            }
            LoweredValue::Throw(counts) if assigned || changed => Binding::Place(
                Assignable::Throw(self.emitter.copy_symbols_to_new_registers(counts, span)),
            ),
            value => Binding::Value(value),
        }
    }
}

/// Returns whether a statement may give a value.
fn contains_give_statement(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Give(_) | StmtKind::Unread(..))
        || stmt.kind.child_blocks().into_iter().flatten().any(contains_give_statement)
}
