//! Expressions: constant values, and code for all others.

use std::sync::Arc;

use super::construct_views::Expressions;
use super::emitter::Emitter;
use super::lowered_value::{ConstantOrParameterCell, LoweredValue, Operand};
use super::lowering::Lowering;
use super::range_arithmetic;
use crate::diagnostics::Span;
use crate::resolve::used_names;
use crate::syntax::ast::{Expr, ExprKind, Operator as Sign};
use crate::value_types::{ContestValue, ScalarType, VARIABLE_RANGE, ValueRange};
use crate::vm::code::{BinOp, Instr, LookupListCell};

impl<'g> Lowering<'g> {
    /// Lowers an expression to a number of any type. A word without its list is looked up in the
    /// list `want`.
    pub(super) fn lower_to_operand(&mut self, expr: &'g Expr, want: Option<ScalarType>) -> Operand {
        let value = self.lower_value(expr, want);
        self.value_as_operand(value, &expr.span)
    }

    /// Lowers an expression to a whole number.
    pub(super) fn lower_to_whole_number(&mut self, expr: &'g Expr) -> Operand {
        let num = self.lower_to_operand(expr, Some(ScalarType::Number));
        self.check_type(num, ScalarType::Number, &expr.span)
    }

    /// Reports a number of another type.
    pub(super) fn check_type(&mut self, num: Operand, kind: ScalarType, span: &Span) -> Operand {
        if num.range.kind.is_compatible_with(kind) {
            return num;
        }
        let type_name = self.scopes.game.type_name_in_messages(num.range.kind);
        let expected = self.scopes.game.type_name_in_messages(kind);
        let (problem, help) = match (num.range.kind, kind) {
            (ScalarType::YesNo, ScalarType::Number) => {
                let help = "`(1 if …)` is 1 where it holds, else 0";
                ("a yes/no is no number".to_owned(), help)
            }
            (ScalarType::Word(_), ScalarType::Number) => {
                let help = "`step(word, 1)` is the next word; a table gives a number for each";
                (format!("expected {expected}, found {type_name}"), help)
            }
            (_, ScalarType::YesNo) => {
                let help = "a test such as `x > 0` is a yes or no";
                (format!("expected {expected}, found {type_name}"), help)
            }
            _ => (format!("expected {expected}, found {type_name}"), ""),
        };
        self.emitter.report_or_emit_fault(span, problem, help)
    }

    /// Converts a value to a number.
    pub(super) fn value_as_operand(&mut self, value: LoweredValue, span: &Span) -> Operand {
        let what = match value {
            LoweredValue::Operand(num) => return num,
            LoweredValue::Contest(fixed) => return self.contest_value_as_operand(&fixed, span),
            LoweredValue::Chosen(of, place) => {
                return self.expressions().lookup_by_variable_index(&of, place, span);
            }
            LoweredValue::Cell(..) => "a printed cell: `match` it, or test it with `is`",
            LoweredValue::List(_) => "a list: name one of its places, as in `xs[1]`",
            LoweredValue::Throw(_) => "a throw: name one of its symbols, as in `throw.hit`",
            LoweredValue::Bag(_) => "a bag: `each u in …` visits its items",
            LoweredValue::Item(..) => "an item of a bag: name a value of it, as in `u.hurt`",
        };
        self.emitter.report_or_emit_fault(span, format!("this is {what}"), "")
    }

    /// Converts a contest value to a number.
    pub(super) fn contest_value_as_operand(
        &mut self,
        fixed: &ContestValue,
        span: &Span,
    ) -> Operand {
        let what = match fixed {
            ContestValue::Number(range) => {
                return self.expressions().contest_number_as_operand(*range, span);
            }
            ContestValue::Parameter(range, slot) => {
                return self.emitter.load_contest_parameter(*range, *slot, span);
            }
            ContestValue::Row(row) => {
                return match row.parameter {
                    Some(slot) => self.emitter.load_contest_parameter(row.place, slot, span),
                    None => self.emitter.unknown_operand(row.place, span),
                };
            }
            ContestValue::Maybe(inner) => return self.contest_value_as_operand(inner, span),
            ContestValue::Absent(why) => {
                let why = why.to_string();
                return self.emitter.report_or_emit_fault(
                    span,
                    why,
                    "`given(…)` asks whether it is there",
                );
            }
            ContestValue::Cell(..) => "a printed cell: `match` it, or test it with `is`",
            ContestValue::List(..) => "a list: name one of its places, as in `xs[1]`",
            ContestValue::Record(_) => "a record: name one of its fields, as in `unit.models`",
            ContestValue::Marks(..) => "a list of specials: name one of them",
        };
        self.emitter.report_or_emit_fault(span, format!("this is {what}"), "")
    }

    /// Lowers an expression.
    pub(super) fn lower_value(&mut self, expr: &'g Expr, want: Option<ScalarType>) -> LoweredValue {
        if self.emitter.report_if_program_too_long(&expr.span) {
            return LoweredValue::Operand(self.emitter.error_operand());
        }
        let span = &expr.span;
        match &expr.kind {
            ExprKind::Number(number) => {
                LoweredValue::Operand(Operand::constant_whole_number(*number))
            }
            ExprKind::YesNo(yes) => {
                LoweredValue::Operand(Operand::constant(ScalarType::YesNo, (*yes).into()))
            }
            ExprKind::Name(name) => self.expressions().resolve_name(name, span, want),
            ExprKind::Member(of, column) => {
                self.expressions().lower_member_access(of, column, span)
            }
            ExprKind::Index(of, place) => self.expressions().lower_element(of, place, span),
            ExprKind::Call(name, arguments) => self.lower_call(name, arguments, span),
            ExprKind::Pool(pool) => {
                LoweredValue::Operand(self.dice().lower_pool_sum_or_count(pool, None, span))
            }
            ExprKind::Count(of, sign, bound) => {
                LoweredValue::Operand(self.expressions().lower_count(of, *sign, bound, span))
            }
            ExprKind::Aggregate(summand, of) => LoweredValue::Operand(
                self.expressions().lower_filtered_sum_or_count(summand.as_deref(), of, span),
            ),
            ExprKind::Sorted(of, list) => self.dice().lower_sorted_list(of, list.as_deref(), span),
            ExprKind::Kept(items, highest, many) => {
                LoweredValue::Operand(self.dice().lower_kept_sum(items, *highest, many, span))
            }
            ExprKind::RoundUp(inner) => {
                LoweredValue::Operand(self.expressions().lower_round_up(inner))
            }
            ExprKind::Given(inner) => {
                LoweredValue::Operand(self.expressions().lower_given_test(inner))
            }
            ExprKind::Minus(inner) => {
                LoweredValue::Operand(self.expressions().lower_unary_minus(inner, span))
            }
            ExprKind::Not(_) | ExprKind::Binary(Sign::And | Sign::Or, ..) => {
                LoweredValue::Operand(self.expressions().lower_test_as_number(expr))
            }
            ExprKind::Binary(sign, a, b) => {
                LoweredValue::Operand(self.expressions().lower_binary(*sign, a, b, span))
            }
            ExprKind::Conditional(when, then, other) => {
                self.expressions().lower_conditional(when, then, other.as_deref(), want, span)
            }
        }
    }
}

impl<'g> Expressions<'_, 'g> {
    /// Returns a number of the contest: a constant, or an unknown one in a register during a check.
    fn contest_number_as_operand(&mut self, range: ValueRange, span: &Span) -> Operand {
        let constant = match range.only_number() {
            // A check always folds.
            Some(_) if self.emitter.flags.folds => {
                return Operand { range, reg: 0 };
            }
            constant => constant,
        };
        let at = self.emitter.allocate_register(span);
        let Some(constant) = constant else { return Operand { range, reg: at } };
        self.emitter.emit_constant(at, constant, span);
        let all = self.scopes.game.range_of_type(range.kind);
        let range = ValueRange::new(range.kind, all.lo.max(constant - 1), all.hi.min(constant + 1));
        Operand { range, reg: at }
    }

    /// Looks up the number of one of several values by an index that is not constant.
    pub(super) fn lookup_by_variable_index(
        &mut self,
        of: &Arc<[ContestValue]>,
        place: Operand,
        span: &Span,
    ) -> Operand {
        if self.is_checking() {
            return self.number_covering_all(of, span);
        }
        let (mut kind, mut blank, mut values) =
            (ScalarType::Any, None, Vec::with_capacity(of.len()));
        for fixed in of.iter() {
            let range = match fixed {
                ContestValue::Number(range) => Some(*range),
                ContestValue::Row(row) => Some(row.place),
                ContestValue::Absent(why) => {
                    blank = Some(why.to_string());
                    None
                }
                other => return self.contest_value_as_operand(&other.clone(), span),
            };
            kind = range.map_or(kind, |range| range.kind);
            values.push(range.and_then(|range| range.only_number()));
        }
        let num = self.emitter.lookup_in_constants(kind, &values, place, span);
        // Meaning of a blank cell for the lookup that was just emitted.
        if num.as_constant().is_none() {
            self.emitter.program.blanks.extend(blank.map(|why| (span.clone(), why)));
        }
        num
    }

    /// Returns a number that covers all elements, where neither the index nor the contest is known.
    pub(super) fn number_covering_all(&mut self, of: &Arc<[ContestValue]>, span: &Span) -> Operand {
        let mut all: Option<ValueRange> = None;
        for fixed in of.iter() {
            let range = self.contest_value_as_operand(fixed, span).range;
            all = Some(all.map_or(range, |all| all.union(range)));
        }
        self.emitter.unknown_operand(
            all.unwrap_or(ValueRange::new(ScalarType::Any, VARIABLE_RANGE.0, VARIABLE_RANGE.1)),
            span,
        )
    }

    /// Lowers `-x`.
    fn lower_unary_minus(&mut self, inner: &'g Expr, span: &Span) -> Operand {
        let num = self.lower_to_whole_number(inner);
        self.emitter.emit_binary(BinOp::Sub, Operand::constant_whole_number(0), num, span)
    }

    /// Lowers `up(a / b)`.
    pub(super) fn lower_round_up(&mut self, inner: &'g Expr) -> Operand {
        match &inner.kind {
            ExprKind::Binary(Sign::Div, a, b) => {
                let a = self.lower_to_whole_number(a);
                let a = self.save_from_change(a, b, &inner.span);
                let b = self.lower_to_whole_number(b);
                self.emitter.emit_binary(BinOp::DivUp, a, b, &inner.span)
            }
            _ => self.lower_to_whole_number(inner),
        }
    }

    /// Saves a number that the evaluation of `after` might change.
    pub(super) fn save_from_change(&mut self, num: Operand, after: &Expr, span: &Span) -> Operand {
        match usize::from(num.reg) >= self.emitter.mark
            || !used_names::has_changing_call(self.scopes.game, after)
        {
            true => num,
            false => self.emitter.copy_operand(num, span),
        }
    }

    /// Lowers a binary operation.
    pub(super) fn lower_binary(
        &mut self,
        sign: Sign,
        a: &'g Expr,
        b: &'g Expr,
        span: &Span,
    ) -> Operand {
        let Some(two) = range_arithmetic::binary_op_of_sign(sign) else {
            return self.emitter.error_operand();
        };
        let (a, b) = self.lower_operand_pair(two, a, b);
        self.emitter.emit_binary(two, a, b, span)
    }
}

impl Emitter {
    /// Looks up one of several numbers by an index from 0; `None` is a blank.
    pub(super) fn lookup_in_constants(
        &mut self,
        kind: ScalarType,
        values: &[Option<i64>],
        place: Operand,
        span: &Span,
    ) -> Operand {
        let cells: Vec<_> =
            values.iter().map(|value| value.map(ConstantOrParameterCell::Constant)).collect();
        self.lookup_cell_by_index(kind, &cells, place, span)
    }

    /// Looks up one of several cells, some of which may be parameters.
    pub(super) fn lookup_cell_by_index(
        &mut self,
        kind: ScalarType,
        cells: &[Option<ConstantOrParameterCell>],
        place: Operand,
        span: &Span,
    ) -> Operand {
        if let Some(index) = place.as_constant() {
            return self.cell_at_constant(kind, cells, index, span);
        }
        let ranges = cells.iter().flatten().map(|cell| match cell {
            ConstantOrParameterCell::Constant(value) => ValueRange::from_number(kind, *value),
            ConstantOrParameterCell::Parameter(range, _) => ValueRange { kind, ..*range },
        });
        let Some(range) = ranges.reduce(ValueRange::union) else {
            return self.report_or_emit_fault(span, "the cell is blank", "");
        };
        let reached = place.range.lo >= 0 && place.range.hi < cells.len() as i64;
        if range.only_number().is_some() && reached && cells.iter().all(Option::is_some) {
            return Operand { range, reg: 0 };
        }
        let list = cells.iter().map(|cell| match cell {
            None => LookupListCell::Blank,
            Some(ConstantOrParameterCell::Constant(value)) => {
                LookupListCell::Constant(*value as i32)
            }
            Some(ConstantOrParameterCell::Parameter(_, slot)) => LookupListCell::Parameter(*slot),
        });
        let list: Box<[LookupListCell]> = list.collect();
        let index = self.program.lists.iter().position(|known| *known == list);
        let list = index.unwrap_or_else(|| {
            self.program.lists.push(list);
            self.program.lists.len() - 1
        });
        // The range of one value is narrower than that of the list at either end.
        let register =
            self.emit_into_new(range, span, |at| Instr::Look(at, list as u16, place.reg));
        self.parameters.note_list_lookup_sources(register.reg, &self.program.lists[list]);
        register
    }

    /// Returns the cell at a constant index.
    fn cell_at_constant(
        &mut self,
        kind: ScalarType,
        cells: &[Option<ConstantOrParameterCell>],
        number: i64,
        span: &Span,
    ) -> Operand {
        match usize::try_from(number).ok().and_then(|at| cells.get(at)) {
            Some(Some(ConstantOrParameterCell::Constant(value))) => Operand::constant(kind, *value),
            Some(Some(ConstantOrParameterCell::Parameter(range, slot))) => {
                self.load_contest_parameter(ValueRange { kind, ..*range }, *slot, span)
            }
            Some(None) => self.report_or_emit_fault(span, "the cell is blank", ""),
            None => {
                let (places, at) = (cells.len(), number + 1);
                let problem = format!("the list has places 1 to {places}, not {at}");
                self.report_or_emit_fault(span, problem, "")
            }
        }
    }
}
