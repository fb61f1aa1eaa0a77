//! Dice and lists in order: `sorted`, and the highest or lowest of a list.

use super::construct_views::{Assignments, DicePools};
use super::lowered_value::{Assignable, Binding, ListInRegisters, LoweredValue, Operand};
use super::lowering::Lowering;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, ExprKind, FilteredListExpr, HighestOrLowestOperand, PoolExpr};
use crate::value_types::{ContestValue, MAX_LIST_LENGTH, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr};

/// Largest number of dice that are kept apart.
const MAX_DICE_KEPT_APART: i64 = 20;

impl<'g> DicePools<'_, 'g> {
    /// Lowers `sorted …` to a list, highest first.
    pub(super) fn lower_sorted_list(
        &mut self,
        of: &'g Expr,
        list: Option<&'g FilteredListExpr>,
        span: &Span,
    ) -> LoweredValue {
        let sorted = match (&of.kind, list) {
            (ExprKind::Pool(_), Some(list)) => self.sort_pool_of_each(of, list, span),
            (_, Some(_)) => {
                let problem = "`sorted … for` rolls dice for each of a list";
                self.emitter.report_or_emit_fault(
                    &of.span,
                    problem,
                    "`sorted d(s) for s in sizes`",
                );
                None
            }
            (ExprKind::Pool(pool), None) => self.sort_dice_of_pool(pool, span),
            (_, None) => self.sort_copy_of_list(of, span),
        };
        match sorted {
            Some(sorted) => LoweredValue::List(sorted),
            None => LoweredValue::Operand(self.emitter.error_operand()),
        }
    }

    /// Rolls a pool whose dice are kept apart: one place for each die that there can be.
    fn sort_dice_of_pool(&mut self, pool: &'g PoolExpr, span: &Span) -> Option<ListInRegisters> {
        let mut rolled_pool = self.evaluate_pool_operands(pool, None, span);
        self.report_again_without_as_one(&rolled_pool);
        if rolled_pool.keep.is_some() {
            let problem = "`sorted` takes all dice of a pool";
            let help = "`faces = sorted 4d6`, then `faces[1] + faces[2]`";
            self.emitter.report_or_emit_fault(span, problem, help);
            return None;
        }
        self.emitter.parameters.note_value_is_needed(rolled_pool.count);
        let range = rolled_pool.count.range;
        let most = if self.is_checking() { range.lo } else { range.hi };
        self.check_sorted_dice_count(most, span)?;
        let len = range.hi.clamp(1, MAX_DICE_KEPT_APART) as u8;
        let base = self.emitter.allocate_registers(len.into(), span);
        rolled_pool.sum = self.emitter.allocate_register(span);
        rolled_pool.kept = Some((base, len, true));
        self.roll_into_sum_or_kept(rolled_pool);
        let highest = rolled_pool.highest_number_of_die();
        let is_full = rolled_pool.count.as_constant() == Some(len.into());
        Some(self.list_of_registers(base, len, (i64::from(is_full), highest)))
    }

    /// Reports more dice than are kept apart.
    fn check_sorted_dice_count(&mut self, most: i64, span: &Span) -> Option<()> {
        if most <= MAX_DICE_KEPT_APART {
            return Some(());
        }
        let problem =
            format!("at most {MAX_DICE_KEPT_APART} dice are kept apart, and there may be {most}");
        let help = format!("bound their number: `(n at most {MAX_DICE_KEPT_APART}) d6`");
        self.emitter.report_or_emit_fault(span, problem, help);
        None
    }

    /// Returns a list of numbers in registers, with the range of each.
    fn list_of_registers(&mut self, base: u8, len: u8, range: (i64, i64)) -> ListInRegisters {
        (base..base + len).for_each(|reg| self.emitter.set_range(reg, range));
        ListInRegisters { base, len, kind: ScalarType::Number }
    }

    /// Rolls a pool once for each item of a list.
    fn sort_pool_of_each(
        &mut self,
        of: &'g Expr,
        list: &'g FilteredListExpr,
        span: &Span,
    ) -> Option<ListInRegisters> {
        let items = self.items_or_sample(&list.all)?;
        self.check_sorted_dice_count(items.len() as i64, &list.all.span)?;
        self.check_variable_name(&list.name.text, &list.name.span);
        let len = items.len().max(1) as u8;
        let base = self.allocate_empty_places(len, span);
        let mut all: Option<ValueRange> = None;
        for item in items {
            let top = self.emitter.top;
            self.with_name_bound_to(&list.name, item, |lowering| {
                let face = lowering.lower_to_whole_number(of);
                all = Some(all.map_or(face.range, |all| all.union(face.range)));
                let face = lowering.emitter.register_containing_operand(face, span);
                lowering.emitter.push_instr(Instr::Keep(base, len, face, true), span);
            });
            self.emitter.release_registers(top);
        }
        let all = all.unwrap_or(ValueRange::new(ScalarType::Number, 0, 0));
        Some(self.list_of_registers(base, len, (all.lo.max(0), all.hi.max(0))))
    }

    /// Allocates places without a die.
    fn allocate_empty_places(&mut self, len: u8, span: &Span) -> u8 {
        let base = self.emitter.allocate_registers(len.into(), span);
        (base..base + len).for_each(|reg| self.emitter.emit_constant(reg, 0, span));
        base
    }

    /// Returns the items of a list; of a list of unknown length one item represents all.
    fn items_or_sample(&mut self, list: &'g Expr) -> Option<Vec<LoweredValue>> {
        let value = match self.lower_value(list, None) {
            LoweredValue::Contest(ContestValue::List(items, Some(_))) => {
                let items = items.iter().take(1).cloned();
                return Some(items.map(LoweredValue::Contest).collect());
            }
            value => value,
        };
        let help = "`sorted` and `high` take dice or a list of numbers";
        let wrong = ("expected a list", help);
        self.expressions().items_of_list(value, &list.span, wrong).ok()
    }

    /// Copies a list of numbers or words to new registers.
    fn copy_list(&mut self, list: &'g Expr) -> Option<ListInRegisters> {
        let items = self.items_or_sample(list)?;
        Some(self.copy_items(items, &list.span))
    }

    /// Copies numbers or words to new registers.
    pub(super) fn copy_items(&mut self, items: Vec<LoweredValue>, span: &Span) -> ListInRegisters {
        let (base, len) = (self.emitter.allocate_registers(items.len(), span), items.len() as u8);
        let mut kind = ScalarType::Any;
        for (at, item) in items.into_iter().enumerate() {
            let num = self.value_as_operand(item, span);
            let num = self.check_type(num, kind, span);
            kind = if kind == ScalarType::Any { num.range.kind } else { kind };
            self.emitter.emit_checked_store(base + at as u8, num, span);
        }
        ListInRegisters { base, len, kind }
    }

    /// Sorts a list, highest first.
    fn sort_copy_of_list(&mut self, of: &'g Expr, span: &Span) -> Option<ListInRegisters> {
        let list = self.copy_list(of)?;
        let most = i64::from(list.len);
        if most > MAX_DICE_KEPT_APART {
            let problem =
                format!("at most {MAX_DICE_KEPT_APART} places are sorted, and the list has {most}");
            self.emitter.report_or_emit_fault(span, problem, "");
            return None;
        }
        self.emit_partial_sort(list, list.len, true, span);
        Some(list)
    }

    /// Moves the highest or the lowest `many` places of a list to its front, in order.
    fn emit_partial_sort(&mut self, list: ListInRegisters, many: u8, highest: bool, span: &Span) {
        let regs = list.base..list.base + list.len;
        let ranges = regs.clone().map(|reg| self.emitter.known_range_of_register(reg));
        let all = ranges.reduce(|(a, b), (lo, hi)| (a.min(lo), b.max(hi)));
        let spare = self.emitter.allocate_register(span);
        let (first, second) =
            if highest { (BinOp::Max, BinOp::Min) } else { (BinOp::Min, BinOp::Max) };
        for place in 0..many.min(list.len) {
            for other in place + 1..list.len {
                let (a, b) = (list.base + place, list.base + other);
                self.emitter.push_instr(Instr::Bin(first, spare, a, b), span);
                self.emitter.push_instr(Instr::Bin(second, b, a, b), span);
                self.emitter.push_instr(Instr::Copy(a, spare), span);
            }
        }
        regs.for_each(|reg| self.emitter.set_range(reg, all.unwrap_or((0, 0))));
    }

    /// Lowers `xs high 2` and `[d8, d10] low 1` to the sum of the kept places.
    pub(super) fn lower_kept_sum(
        &mut self,
        items: &'g HighestOrLowestOperand,
        highest: bool,
        many: &'g Expr,
        span: &Span,
    ) -> Operand {
        let keep = self.evaluate_kept_number(many);
        let list = match items {
            HighestOrLowestOperand::List(list) if self.has_unknown_length(list) => {
                return self.unknown_number(span);
            }
            HighestOrLowestOperand::List(list) => self.copy_list(list),
            HighestOrLowestOperand::Values(values) => {
                self.compute_in_order(values, keep.unwrap_or(0), highest, span)
            }
        };
        let Some(list) = list else { return self.emitter.error_operand() };
        let first = self.emitter.variable_operand(list.base, list.kind);
        if list.len > 0 {
            self.check_type(first, ScalarType::Number, span);
        }
        let Some(keep) = keep else { return self.unknown_number(span) };
        let keep = keep.clamp(0, list.len.into()) as u8;
        self.emit_partial_sort(list, keep % list.len.max(1), highest, span);
        let mut sum = Operand::constant_whole_number(0);
        for reg in list.base..list.base + keep {
            let place = self.emitter.variable_operand(reg, ScalarType::Number);
            sum = self.emitter.emit_binary(BinOp::Add, sum, place, span);
        }
        sum
    }

    /// Returns whether the length of a list is unknown while a file is checked.
    fn has_unknown_length(&mut self, list: &'g Expr) -> bool {
        self.is_checking()
            && matches!(
                self.lower_value(list, None),
                LoweredValue::Contest(ContestValue::List(_, Some(_)))
            )
    }

    /// Returns a number of which only the type is known.
    fn unknown_number(&mut self, span: &Span) -> Operand {
        let all = self.scopes.game.range_of_type(ScalarType::Number);
        self.emitter.unknown_operand(all, span)
    }

    /// Lowers the number of kept places, which no roll decides. Returns `None` while a file is
    /// checked and only a contest tells the number, and where a fault was reported.
    fn evaluate_kept_number(&mut self, many: &'g Expr) -> Option<i64> {
        let keep = self.lower_to_whole_number(many);
        self.emitter.parameters.note_value_is_needed(keep);
        if keep.as_constant().is_none() && !self.is_checking() {
            let problem = "the number of places kept must not depend on a roll";
            self.emitter.report_or_emit_fault(&many.span, problem, "use a field or a number");
        }
        keep.as_constant()
    }

    /// Computes values from left to right. Of dice only the kept ones are remembered.
    fn compute_in_order(
        &mut self,
        values: &'g [Expr],
        keep: i64,
        highest: bool,
        span: &Span,
    ) -> Option<ListInRegisters> {
        if values.is_empty() || values.len() as i64 > MAX_LIST_LENGTH {
            let problem = format!("a list has 1 to {MAX_LIST_LENGTH} places");
            self.emitter.report_or_emit_fault(span, problem, "");
            return None;
        }
        let is_dice = values
            .iter()
            .all(|value| matches!(&value.kind, ExprKind::Pool(pool) if pool.count.is_none()));
        let len = match is_dice {
            true => keep.clamp(1, values.len() as i64) as u8,
            false => values.len() as u8,
        };
        let base = self.allocate_empty_places(len, span);
        let mut all: Option<(i64, i64)> = None;
        for (at, value) in values.iter().enumerate() {
            let top = self.emitter.top;
            let num = self.lower_to_whole_number(value);
            let (lo, hi) = all.unwrap_or((num.range.lo, num.range.hi));
            all = Some((lo.min(num.range.lo), hi.max(num.range.hi)));
            match is_dice {
                true => {
                    let face = self.emitter.register_containing_operand(num, span);
                    self.emitter.push_instr(Instr::Keep(base, len, face, highest), span);
                }
                false => self.emitter.emit_checked_store(base + at as u8, num, span),
            }
            self.emitter.release_registers(top);
        }
        Some(self.list_of_registers(base, len, all.unwrap_or((0, 0))))
    }
}

impl<'g> Assignments<'_, 'g> {
    /// Declares a list of equal values: `xs = 5 of 0`. Returns the number of its registers.
    pub(super) fn declare_equal_values(
        &mut self,
        name: &'g str,
        count: &'g Expr,
        value: &'g Expr,
        span: &Span,
    ) -> usize {
        let Some(len) = self.lower_list_length(count) else {
            self.emitter.faults.suppress([name.to_owned()]);
            return 0;
        };
        let base = self.emitter.allocate_registers(len.into(), span);
        let num = self.lower_to_operand(value, None);
        (base..base + len).for_each(|reg| {
            let again = self.emitter.copy_operand(num, span);
            self.emitter.emit_checked_store(reg, again, span);
        });
        let list = ListInRegisters { base, len, kind: num.range.kind };
        self.scopes.bind_name(name, Binding::Place(Assignable::List(list)));
        len.into()
    }

    /// Stores a value in all places of a list: `xs = 5 of 0`.
    pub(super) fn fill_list_with_value(
        &mut self,
        list: ListInRegisters,
        count: &'g Expr,
        value: &'g Expr,
        span: &Span,
    ) {
        let Some(len) = self.lower_list_length(count) else { return };
        if len != list.len && !self.is_checking() {
            let name = self.scopes.variable_name_of_list(list);
            return self.report_other_length(list, (name, None), len.into(), span);
        }
        let num = self.lower_to_operand(value, Some(list.kind));
        let num = self.check_type(num, list.kind, &value.span);
        for reg in list.base..list.base + list.len {
            let again = self.emitter.copy_operand(num, span);
            self.emitter.emit_checked_store(reg, again, span);
        }
    }

    /// Reports a list of another length.
    pub(super) fn report_other_length(
        &mut self,
        list: ListInRegisters,
        (into, from): (Option<&str>, Option<String>),
        has: i64,
        span: &Span,
    ) {
        let from = from.map_or("this".to_owned(), |from| format!("`{from}`"));
        let into = into.map_or("the list".to_owned(), |into| format!("`{into}`"));
        let problem = format!("{from} has {has} places and {into} {}", list.len);
        self.emitter.report_or_emit_fault(span, problem, "");
    }

    /// Lowers the length of a list, which no roll decides.
    fn lower_list_length(&mut self, count: &'g Expr) -> Option<u8> {
        let num = self.lower_to_whole_number(count);
        self.emitter.parameters.note_value_is_needed(num);
        let constant = match num.as_constant() {
            None if self.is_checking() => num.range.hi.min(MAX_LIST_LENGTH),
            None => {
                let problem = "how long a list is must be known before the first die";
                self.emitter.report_or_emit_fault(&count.span, problem, "use a field or a number");
                return None;
            }
            Some(constant) => constant,
        };
        if !(1..=MAX_LIST_LENGTH).contains(&constant) {
            let problem = format!("a list has 1 to {MAX_LIST_LENGTH} places, not {constant}");
            self.emitter.report_or_emit_fault(&count.span, problem, "");
            return None;
        }
        Some(constant as u8)
    }
}

impl<'g> Lowering<'g> {
    /// Lowers `abs(x)`.
    pub(super) fn lower_abs_call(
        &mut self,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Operand {
        let [(of, _)] = arguments else {
            return self.report_wrong_argument("abs", "one number", span);
        };
        let num = self.lower_to_whole_number(of);
        let less =
            self.emitter.emit_binary(BinOp::Sub, Operand::constant_whole_number(0), num, span);
        let mut size = self.emitter.emit_binary(BinOp::Max, num, less, span);
        size.range.lo = size.range.lo.max(0);
        size
    }

    /// Lowers `rest(a, b)`: what is left of a after taking b as often as possible.
    pub(super) fn lower_rest_call(
        &mut self,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Operand {
        let [(of, _), (by, _)] = arguments else {
            return self.report_wrong_argument("rest", "two numbers", span);
        };
        let a = self.lower_to_whole_number(of);
        let a = self.expressions().save_from_change(a, by, span);
        let b = self.lower_to_whole_number(by);
        if b.range.hi < 1 {
            return self.emitter.report_or_emit_fault(&by.span, NO_DIVISOR_FAULT, "");
        }
        if a.range.lo >= 0 && a.range.hi < b.range.lo {
            return a;
        }
        if b.range.lo < 1 {
            let mut fine = super::lowered_value::JumpTarget::default();
            let reg = self.emitter.register_containing_operand(b, span);
            self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Lt, reg, 1, 0), &mut fine, span);
            self.emitter.emit_failure(&by.span, NO_DIVISOR_FAULT.to_owned(), String::new());
            self.emitter.place_jump_target(fine);
        }
        let times = self.emitter.emit_binary(BinOp::Div, a, b, span);
        let product = self.emitter.emit_binary(BinOp::Mul, times, b, span);
        let left = self.emitter.emit_binary(BinOp::Sub, a, product, span);
        let range = ValueRange::new(ScalarType::Number, 0, b.range.hi.saturating_sub(1).max(0));
        if left.as_constant().is_some() { left } else { Operand { range, ..left } }
    }
}

/// Fault of a divisor without a rest.
const NO_DIVISOR_FAULT: &str = "`rest` takes by 1 or more";
