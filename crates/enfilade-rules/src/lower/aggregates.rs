//! Counts of list items, and sums over a list.

use super::construct_views::Expressions;
use super::lowered_value::{Binding, JumpTarget, ListInRegisters, LoweredValue, Operand};
use super::range_arithmetic;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, ExprKind, FilteredListExpr, Operator as Sign};
use crate::value_types::{ContestValue, MAX_LIST_LENGTH, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr};

impl<'g> Expressions<'_, 'g> {
    /// Lowers `count(n d6 >= 4)` and `count(list is x)`.
    pub(super) fn lower_count(
        &mut self,
        of: &'g Expr,
        sign: Sign,
        bound: &'g Expr,
        span: &Span,
    ) -> Operand {
        if let ExprKind::Pool(pool) = &of.kind {
            return self.dice().lower_pool_sum_or_count(pool, Some((sign, bound)), span);
        }
        let list = match self.lower_value(of, None) {
            LoweredValue::Contest(ContestValue::Maybe(inner)) => {
                LoweredValue::Contest((*inner).clone())
            }
            list => list,
        };
        if let LoweredValue::Contest(ContestValue::List(items, Some((_, most)))) = &list {
            if let Some(item) = items.first() {
                let item = self.value_as_operand(LoweredValue::Contest(item.clone()), &of.span);
                self.lower_item_test_as_number(item, sign, bound, span);
            }
            return self
                .emitter
                .unknown_operand(ValueRange::new(ScalarType::Number, 0, (*most).max(1)), span);
        }
        let help = "`count(u in units where …)` counts items of a bag";
        let items = match self.items_of_list(list, &of.span, ("expected dice or a list", help)) {
            Ok(items) => items,
            Err(num) => return num,
        };
        let mut sum = Operand::constant_whole_number(0);
        for item in items {
            let item = self.value_as_operand(item, &of.span);
            let passes = self.lower_item_test_as_number(item, sign, bound, span);
            sum = self.emitter.emit_binary(BinOp::Add, sum, passes, span);
        }
        sum
    }

    /// Returns the items of a list. If the value is no list, reports it and returns an error
    /// operand.
    pub(super) fn items_of_list(
        &mut self,
        list: LoweredValue,
        span: &Span,
        (problem, help): (&str, &str),
    ) -> Result<Vec<LoweredValue>, Operand> {
        match list {
            LoweredValue::List(ListInRegisters { base, len, kind }) => Ok((base..base + len)
                .map(|reg| LoweredValue::Operand(self.emitter.variable_operand(reg, kind)))
                .collect()),
            LoweredValue::Contest(ContestValue::List(items, _)) => {
                Ok(super::loop_statements::repeat_records_by_count(&items)
                    .iter()
                    .cloned()
                    .map(LoweredValue::Contest)
                    .collect())
            }
            LoweredValue::Contest(ContestValue::Absent(_)) => Ok(Vec::new()),
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => Err(num),
            _ => Err(self.emitter.report_or_emit_fault(span, problem, help)),
        }
    }

    /// Lowers a test of an item to 0 or 1.
    fn lower_item_test_as_number(
        &mut self,
        item: Operand,
        sign: Sign,
        bound: &'g Expr,
        span: &Span,
    ) -> Operand {
        let Some(test) = range_arithmetic::comparison_op(sign) else {
            return self.emitter.error_operand();
        };
        let bound_num = self.lower_to_operand(bound, Some(item.range.kind));
        let bound_num = self.check_type(bound_num, item.range.kind, &bound.span);
        let mut passes = self.emitter.emit_binary(test, item, bound_num, span);
        passes.range.kind = ScalarType::Number;
        passes
    }

    /// Lowers `count(x in xs where c)` and `sum(e for x in xs where c)`.
    pub(super) fn lower_filtered_sum_or_count(
        &mut self,
        summand: Option<&'g Expr>,
        of: &'g FilteredListExpr,
        span: &Span,
    ) -> Operand {
        for inner in summand.into_iter().chain(&of.when) {
            self.report_dice_in_expr(inner, if summand.is_some() { "sum" } else { "count" });
        }
        let list = match self.lower_value(&of.all, None) {
            LoweredValue::Bag(bag) => {
                return self.bags().lower_bag_sum_or_count(summand, Some(of), bag, span);
            }
            LoweredValue::Contest(ContestValue::List(items, Some(_))) => {
                return self.lower_unknown_sum(summand, of, items.first().cloned(), span);
            }
            list => list,
        };
        let problem = super::loop_statements::not_a_list_problem(&of.all);
        let wrong = (problem.as_str(), "use a list, a list of records or a bag");
        let items = match self.items_of_list(list, &of.all.span, wrong) {
            Ok(items) => items,
            Err(num) => return num,
        };
        let into = self.emitter.allocate_register(span);
        let mut sum = Operand::constant_whole_number(0);
        for item in items {
            sum = self.add_summand_if_passed(summand, of, item, sum, into, span);
        }
        sum
    }

    /// Lowers a sum over a list of unknown length: one item represents all.
    fn lower_unknown_sum(
        &mut self,
        summand: Option<&'g Expr>,
        of: &'g FilteredListExpr,
        item: Option<ContestValue>,
        span: &Span,
    ) -> Operand {
        let into = self.emitter.allocate_register(span);
        if let Some(item) = item {
            self.add_summand_if_passed(
                summand,
                of,
                LoweredValue::Contest(item),
                Operand::constant_whole_number(0),
                into,
                span,
            );
        }
        let range = match summand {
            Some(_) => self.scopes.game.range_of_type(ScalarType::Number),
            None => ValueRange::new(ScalarType::Number, 0, MAX_LIST_LENGTH),
        };
        Operand { range, reg: into }
    }

    /// Adds the summand of an item if its condition holds.
    fn add_summand_if_passed(
        &mut self,
        summand: Option<&'g Expr>,
        of: &'g FilteredListExpr,
        item: LoweredValue,
        sum: Operand,
        into: u8,
        span: &Span,
    ) -> Operand {
        let name_count = self.scopes.name_count_in_scope();
        self.scopes.bind_name(&of.name.text, Binding::Value(item));
        if of.when.is_some() && (sum.as_constant().is_some() || sum.reg != into) {
            self.emitter.copy_to_register(into, sum, span);
        }
        let mut next = JumpTarget::default();
        let when = of.when.as_ref();
        let decided =
            when.map_or(Some(true), |when| self.emit_jump_if_condition_is(when, false, &mut next));
        let sum = match decided {
            Some(false) => sum,
            Some(true) => {
                let one = self.lower_summand(summand);
                self.emitter.emit_binary(BinOp::Add, sum, one, span)
            }
            None => {
                let one = self.lower_summand(summand);
                let sum = self.add_if_path_is_taken(into, sum, one, span);
                self.emitter.place_jump_target(next);
                sum
            }
        };
        self.scopes.remove_names_of_block(name_count);
        sum
    }

    /// Adds to a sum in a register on one of two paths, and returns the sum with the range of both.
    fn add_if_path_is_taken(
        &mut self,
        into: u8,
        sum: Operand,
        one: Operand,
        span: &Span,
    ) -> Operand {
        let (lo, hi) = (sum.range.lo + one.range.lo, sum.range.hi + one.range.hi);
        let (lo, hi) = (sum.range.lo.min(lo), sum.range.hi.max(hi));
        let one = self.emitter.register_containing_operand(one, span);
        self.emitter.push_instr(Instr::Bin(BinOp::Add, into, into, one), span);
        // The sum is in a register even if its only possible value is 0.
        Operand { range: ValueRange::new(ScalarType::Number, lo, hi.max(lo + 1)), reg: into }
    }

    /// Lowers the summand of one item; it is 1 for a count.
    fn lower_summand(&mut self, summand: Option<&'g Expr>) -> Operand {
        match summand {
            Some(summand) => self.lower_to_whole_number(summand),
            None => Operand::constant_whole_number(1),
        }
    }
}
