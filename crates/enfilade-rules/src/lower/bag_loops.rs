//! Loops over the items of a bag, and picks of one item.

use super::construct_views::Bags;
use super::emitter::Emitter;
use super::lowered_value::{JumpTarget, ListInRegisters, LoweredValue, Operand};
use super::lowering::Lowering;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, FilteredListExpr, ItemPickOrder, Stmt};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr, MAX_OPEN_LOOPS_OF_BAG, OpenBagLoop, SuspendKind};

impl<'g> Bags<'_, 'g> {
    /// Lowers a loop over a bag, in the order of the items' content, so that equal items are one
    /// state.
    pub(super) fn lower_each_of_bag(
        &mut self,
        of: &'g FilteredListExpr,
        bag: u8,
        body: &'g [Stmt],
        span: &Span,
    ) {
        if self.emitter.is_bag_known_empty(bag) {
            return;
        }
        self.emit_memo_point(span);
        let Some(open) = self.emitter.open_bag_loop(bag, true, span) else { return };
        self.statements().forget_assigned_ranges(body);
        let head = self.emitter.mark_loop_head();
        self.statements().push_stoppable_loop();
        let mut out = JumpTarget::default();
        self.emitter.emit_branch(Instr::Next(bag, open.level, open.cursor, 0), &mut out, span);
        self.lower_loop_turn(of, LoweredValue::Item(bag, open.cursor), body);
        self.emitter.emit_back_edge(head, span);
        self.emitter.place_jump_target(out);
        self.statements().leave_loop();
        self.emitter.emit_close_of_bag_loop(bag, open.level, span);
    }

    /// Lowers a loop over all or some items of a bag, in any order.
    fn lower_unordered_bag_loop(
        &mut self,
        of: Option<&'g FilteredListExpr>,
        bag: u8,
        span: &Span,
        visit: impl FnOnce(&mut Lowering<'g>, u8),
    ) {
        let size = self.emitter.program.bags[usize::from(bag)].size;
        // A memo point inside would save positions of items, which are not part of the state.
        let rests = std::mem::replace(&mut self.emitter.rests, false);
        self.lower_loop_over_indexes(size.into(), &[], span, |lowering, at| {
            let mut next = JumpTarget::default();
            if !lowering.scopes.bags[usize::from(bag)].whole {
                lowering.emitter.emit_branch(Instr::There(bag, at.reg, 0), &mut next, span);
            }
            let item = LoweredValue::Item(bag, at.reg);
            match of {
                Some(of) => {
                    lowering.with_item_if_passed(of, item, |lowering| visit(lowering, at.reg))
                }
                None => visit(lowering, at.reg),
            }
            lowering.emitter.place_jump_target(next);
        });
        self.emitter.rests = rests;
    }

    /// Lowers `count(u in units where c)` and `sum(e for u in units where c)`.
    pub(super) fn lower_bag_sum_or_count(
        &mut self,
        summand: Option<&'g Expr>,
        of: Option<&'g FilteredListExpr>,
        bag: u8,
        span: &Span,
    ) -> Operand {
        if self.emitter.is_bag_known_empty(bag) {
            return Operand::constant_whole_number(0);
        }
        self.emit_memo_point(span);
        let sum = self.emitter.allocate_register(span);
        let start = self.emitter.program.instrs.len();
        self.emitter.emit_constant(sum, 0, span);
        let size = i64::from(self.emitter.program.bags[usize::from(bag)].size);
        let Some(summand) = summand else {
            self.lower_unordered_bag_loop(of, bag, span, |lowering, _| {
                lowering.emitter.push_instr(Instr::BinK(BinOp::Add, sum, sum, 1), span);
            });
            self.emitter.fuse_loop_to_count(start, sum, span);
            return Operand {
                range: ValueRange::new(ScalarType::Number, 0, size.max(1)),
                reg: sum,
            };
        };
        let mut range = ValueRange::new(ScalarType::Number, 0, size.max(1));
        self.lower_unordered_bag_loop(of, bag, span, |lowering, _| {
            let one = lowering.lower_to_whole_number(summand);
            (range.lo, range.hi) = ((one.range.lo * size).min(0), (one.range.hi * size).max(1));
            let one = lowering.emitter.register_containing_operand(one, span);
            lowering.emitter.push_instr(Instr::Bin(BinOp::Add, sum, sum, one), span);
        });
        Operand { range, reg: sum }
    }

    /// Lowers `pick u in units where c by …:`.
    pub(super) fn lower_pick(
        &mut self,
        of: &'g FilteredListExpr,
        by: &'g ItemPickOrder,
        body: &'g [Stmt],
        span: &Span,
    ) {
        self.check_variable_name(&of.name.text, &of.name.span);
        if let Some(when) = &of.when {
            self.report_dice_in_expr(when, "where");
        }
        let value = self.lower_value(&of.all, None);
        if let (Some(items), ItemPickOrder::Random) = (self.values_of_number_list(&value), by) {
            return self.lower_weighted_index_draw(of, &items, body, span);
        }
        let Some(bag) = self
            .resolve_picked_bag(value, &of.all)
            .filter(|bag| !self.emitter.is_bag_known_empty(*bag))
        else {
            return;
        };
        self.emit_memo_point(span);
        let Some(open) = self.emitter.open_bag_loop(bag, false, span) else { return };
        let mut none = JumpTarget::default();
        match by {
            ItemPickOrder::Random => self.pick_by_lot(of, bag, open, &mut none, span),
            ItemPickOrder::Key(highest, key) => {
                self.report_dice_in_expr(key, "by");
                self.pick_by_key(of, bag, (*highest, key), open, &mut none, span);
            }
        }
        self.emitter.push_instr(Instr::Take(bag, open.level, open.cursor), span);
        self.trace_picked_item(bag, open.cursor, &of.name);
        self.with_name_bound_to(&of.name, LoweredValue::Item(bag, open.cursor), |lowering| {
            lowering.lower_block(body)
        });
        self.emitter.emit_close_of_bag_loop(bag, open.level, span);
        self.emitter.place_jump_target(none);
    }

    /// Returns the items of a list of numbers; of a list of unknown length one item represents all.
    fn values_of_number_list(&mut self, value: &LoweredValue) -> Option<Vec<LoweredValue>> {
        match value {
            LoweredValue::List(ListInRegisters { base, len, kind: ScalarType::Number }) => {
                let place = |reg| self.emitter.variable_operand(reg, ScalarType::Number);
                Some((*base..base + len).map(|reg| LoweredValue::Operand(place(reg))).collect())
            }
            LoweredValue::Contest(ContestValue::List(items, _)) => {
                let items = super::loop_statements::repeat_records_by_count(items);
                let is_number = |item: &ContestValue| match item {
                    ContestValue::Number(range) | ContestValue::Parameter(range, _) => {
                        range.kind == ScalarType::Number
                    }
                    _ => false,
                };
                // Of an empty list no place is drawn.
                let numbers = items.iter().all(is_number);
                numbers.then(|| items.iter().cloned().map(LoweredValue::Contest).collect())
            }
            _ => None,
        }
    }

    /// Resolves the bag of a `pick`.
    fn resolve_picked_bag(&mut self, value: LoweredValue, all: &'g Expr) -> Option<u8> {
        match value {
            LoweredValue::Bag(bag) => return Some(bag),
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => {}
            _ => {
                let help = "`units = bag of …` makes one";
                let what = all.as_path().map_or("this".to_owned(), |path| format!("`{path}`"));
                let problem = format!("`pick` needs a bag, and {what} is not one");
                self.emitter.report_or_emit_fault(&all.span, problem, help);
            }
        }
        None
    }

    /// Picks at random: rolls a die with as many sides as there are candidates.
    fn pick_by_lot(
        &mut self,
        of: &'g FilteredListExpr,
        bag: u8,
        open: OpenBagLoop,
        none: &mut JumpTarget,
        span: &Span,
    ) {
        let others = self.emitter.opens.iter();
        let others = others.filter(|(of, other)| *of == bag && other.level != open.level);
        let others = others.map(|(_, other)| *other).collect();
        self.emitter.program.opens.push(others);
        let opens = (self.emitter.program.opens.len() - 1) as u16;
        // Sorted, so that a face picks the same item in whatever order the bag was built.
        self.emitter.push_instr(Instr::Sort(bag, opens), span);
        let count = self.lower_bag_sum_or_count(None, Some(of), bag, span);
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Gt, count.reg, 0, 0), none, span);
        let face = self.emitter.allocate_register(span);
        // The picked item is not yet held by its own loop.
        let own = self.emitter.opens.pop();
        self.emit_suspend(SuspendKind::DieOf(count.reg, 1), face, span);
        self.emitter.opens.extend(own);
        // Counts down to the rolled candidate.
        let mut found_target = JumpTarget::default();
        self.lower_unordered_bag_loop(Some(of), bag, span, |lowering, at| {
            lowering.emitter.push_instr(Instr::BinK(BinOp::Sub, face, face, 1), span);
            lowering.emitter.push_instr(Instr::Copy(open.cursor, at), span);
            lowering.emitter.emit_branch(
                Instr::UnlessCmpK(BinOp::Ne, face, 0, 0),
                &mut found_target,
                span,
            );
        });
        self.emitter.place_jump_target(found_target);
    }

    /// Picks the item with the lowest or highest key; of equal ones the first in the order of their
    /// content.
    fn pick_by_key(
        &mut self,
        of: &'g FilteredListExpr,
        bag: u8,
        (highest, key): (bool, &'g Expr),
        open: OpenBagLoop,
        none: &mut JumpTarget,
        span: &Span,
    ) {
        let best = self.emitter.allocate_register(span);
        let best_register = self.emitter.allocate_register(span);
        self.emitter.emit_constant(best, 0, span);
        self.emitter.emit_constant(best_register, 0, span);
        self.emitter.emit_constant(open.cursor, 0, span);
        self.lower_unordered_bag_loop(Some(of), bag, span, |lowering, at| {
            let num = lowering.lower_to_whole_number(key);
            let value = lowering.emitter.register_containing_operand(num, span);
            let (mut take, mut leave) = (JumpTarget::default(), JumpTarget::default());
            lowering.emitter.emit_branch(
                Instr::UnlessCmpK(BinOp::Ne, best_register, 0, 0),
                &mut take,
                span,
            );
            let worse = if highest { BinOp::Ge } else { BinOp::Le };
            lowering.emitter.emit_branch(Instr::UnlessCmp(worse, value, best, 0), &mut leave, span);
            lowering.emitter.emit_branch(
                Instr::UnlessCmp(BinOp::Eq, value, best, 0),
                &mut take,
                span,
            );
            let first = lowering.emitter.allocate_register(span);
            lowering.emitter.push_instr(Instr::Before(first, bag, at, open.cursor), span);
            lowering.emitter.emit_branch(Instr::Unless(first, 0), &mut leave, span);
            lowering.emitter.place_jump_target(take);
            lowering.emitter.push_instr(Instr::Copy(best, value), span);
            lowering.emitter.push_instr(Instr::Copy(open.cursor, at), span);
            lowering.emitter.emit_constant(best_register, 1, span);
            lowering.emitter.place_jump_target(leave);
        });
        self.emitter.emit_branch(Instr::Unless(best_register, 0), none, span);
    }
}

impl Emitter {
    /// Opens a loop over a bag. Returns its level and its position register.
    pub(super) fn open_bag_loop(
        &mut self,
        bag: u8,
        goes_on: bool,
        span: &Span,
    ) -> Option<OpenBagLoop> {
        let level = self.opens.iter().filter(|(of, _)| *of == bag).count() as u8;
        if usize::from(level) >= MAX_OPEN_LOOPS_OF_BAG {
            let problem =
                format!("at most {MAX_OPEN_LOOPS_OF_BAG} loops over one bag may be open at once");
            self.report_or_emit_fault(span, problem, "");
            return None;
        }
        let cursor = self.allocate_register(span);
        let open = OpenBagLoop { level, cursor, goes_on };
        self.opens.push((bag, open));
        Some(open)
    }

    /// Closes the innermost loop over a bag.
    pub(super) fn emit_close_of_bag_loop(&mut self, bag: u8, level: u8, span: &Span) {
        self.opens.pop();
        if !self.is_unreachable() {
            self.push_instr(Instr::Close(bag, level), span);
        }
    }

    /// Closes the bag loops that were opened after the first `opens`, before a jump out of them.
    pub(super) fn close_loops_above(&mut self, opens: usize, span: &Span) {
        if self.is_unreachable() {
            return;
        }
        for at in (opens..self.opens.len()).rev() {
            let (bag, open) = self.opens[at];
            self.push_instr(Instr::Close(bag, open.level), span);
        }
    }

    /// Returns whether a bag of this contest is empty.
    fn is_bag_known_empty(&self, bag: u8) -> bool {
        !self.is_only_checking() && self.program.bags[usize::from(bag)].size == 0
    }

    /// Replaces a loop written since `start` by one instruction if all it does is count the items
    /// whose value passes a test against a number.
    fn fuse_loop_to_count(&mut self, start: usize, sum: u8, span: &Span) {
        // A failed test skips the addition.
        let next = |past: u16| usize::from(past) + 2 == self.program.instrs.len();
        let written = &self.program.instrs[start..];
        let written = written.iter().filter(|op| !matches!(op, Instr::There(..)));
        let [
            Instr::Const(..),
            Instr::Const(at, _),
            Instr::UnlessCmpK(..),
            Instr::Get(_, digit, of),
            tested,
            Instr::BinK(..),
            Instr::BinK(..),
            Instr::Jump(_),
        ] = *written.copied().collect::<Vec<_>>()
        else {
            return;
        };
        let (test, k, past) = if let Instr::UnlessCmpK(test, _, k, past) = tested {
            (test, k, past)
        } else if let Instr::Unless(_, past) = tested {
            (BinOp::Ne, 0, past)
        } else {
            return;
        };
        if of != at || !next(past) {
            return;
        }
        self.program.instrs.truncate(start);
        self.program.spans.truncate(start);
        self.push_instr(Instr::Count(sum, digit, test, k), span);
        self.last_target = self.program.instrs.len();
    }
}
