//! Loops: over numbers, over lists and bags, bounded and endless.

use std::sync::Arc;

use super::construct_views::Statements;
use super::emitter::Emitter;
use super::lowered_value::{
    Assignable, Binding, JumpTarget, ListInRegisters, LoweredValue, MAX_NESTED_TURNS,
    MAX_UNROLLED_TURNS, Operand, StoppableLoopFrame,
};
use super::lowering::Lowering;
use crate::diagnostics::Span;
use crate::resolve::used_names;
use crate::syntax::ast::{Expr, FilteredListExpr, Ident, Stmt};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr};

impl<'g> Lowering<'g> {
    /// Lowers one turn of a loop.
    pub(super) fn lower_loop_turn(
        &mut self,
        of: &'g FilteredListExpr,
        one: LoweredValue,
        body: &'g [Stmt],
    ) {
        self.with_item_if_passed(of, one, |lowering| lowering.lower_block(body));
    }

    /// Binds an item to the loop's name, and continues if the condition holds for the item.
    pub(super) fn with_item_if_passed(
        &mut self,
        of: &'g FilteredListExpr,
        one: LoweredValue,
        go_on: impl FnOnce(&mut Lowering<'g>),
    ) {
        self.with_name_bound_to(&of.name, one, |lowering| {
            let mut next = JumpTarget::default();
            let when = of.when.as_ref();
            let decided =
                when.and_then(|when| lowering.emit_jump_if_condition_is(when, false, &mut next));
            if decided != Some(false) && !lowering.emitter.is_unreachable() {
                go_on(lowering);
            }
            lowering.emitter.place_jump_target(next);
        });
    }

    /// Lowers a loop over indexes from 0, not unrolled.
    pub(super) fn lower_loop_over_indexes(
        &mut self,
        turns: usize,
        body: &[Stmt],
        span: &Span,
        turn: impl FnOnce(&mut Lowering<'g>, Operand),
    ) {
        let at = self.emitter.allocate_register(span);
        self.emitter.emit_constant(at, 0, span);
        self.statements().forget_assigned_ranges(body);
        let head = self.emitter.mark_loop_head();
        self.emitter.set_range(at, (0, (turns as i64 - 1).max(0)));
        self.statements().push_stoppable_loop();
        let mut out = JumpTarget::default();
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Lt, at, turns as i16, 0), &mut out, span);
        let range = widen_range_of_single_number(ValueRange::new(
            ScalarType::Number,
            0,
            (turns as i64 - 1).max(0),
        ));
        let top = self.emitter.top;
        turn(self, Operand { range, reg: at });
        self.emitter.release_registers(top);
        self.emitter.emit_step_and_back_jump(at, 1, head, span);
        self.emitter.place_jump_target(out);
        self.statements().leave_loop();
    }
}

impl<'g> Statements<'_, 'g> {
    /// Opens a loop that `stop` leaves.
    pub(super) fn push_stoppable_loop(&mut self) {
        let opens = self.emitter.opens.len();
        let opened = StoppableLoopFrame { out: JumpTarget::default(), opens };
        self.scopes.innermost_scope().loops.push(opened);
    }

    /// Places the target of `stop` at the end of the loop.
    pub(super) fn leave_loop(&mut self) {
        let out = self.scopes.innermost_scope().loops.pop().map(|open| open.out);
        self.emitter.place_jump_target(out.unwrap_or_default());
    }

    /// Lowers `stop`, which leaves the innermost loop.
    pub(super) fn lower_stop(&mut self, span: &Span) {
        let Some(mut open) = self.scopes.innermost_scope().loops.pop() else {
            self.emitter.report_or_emit_fault(
                span,
                "`stop` is outside of any loop",
                "use `end` to end the action",
            );
            return;
        };
        self.emitter.close_loops_above(open.opens, span);
        self.emitter.emit_jump(&mut open.out, span);
        self.scopes.innermost_scope().loops.push(open);
    }

    /// Forgets the ranges of everything that a loop assigns, because each turn starts from any
    /// earlier one.
    pub(super) fn forget_assigned_ranges(&mut self, lines: &[Stmt]) {
        self.scopes.names_assigned_by(lines).iter().for_each(|name| self.forget_range(name));
    }

    /// Forgets the range of one variable.
    pub(super) fn forget_range(&mut self, name: &str) {
        let Some(Binding::Place(place)) = self.scopes.find_rule_name(name) else { return };
        match *place {
            Assignable::Variable(reg, kind) => self.widen_range_to_type(reg, kind),
            Assignable::Cell(reg, kind) => {
                self.widen_range_to_type(reg, kind);
                self.widen_range_to_type(reg + 1, ScalarType::Number);
            }
            Assignable::List(list) | Assignable::ListItem(list, _) => {
                (list.base..list.base + list.len)
                    .for_each(|reg| self.widen_range_to_type(reg, list.kind));
            }
            Assignable::Throw(counts) => {
                let ListInRegisters { base, len, kind } = counts.list;
                (base..base + len).for_each(|reg| self.widen_range_to_type(reg, kind));
            }
            Assignable::BagField(..) => {}
        }
    }

    /// Widens the range of a variable to its type.
    fn widen_range_to_type(&mut self, reg: u8, kind: ScalarType) {
        let all = self.scopes.game.range_of_type(kind);
        self.emitter.set_range(reg, (all.lo, all.hi));
    }

    /// Returns whether a loop of this many turns may be unrolled.
    fn can_unroll(&self, turns: i64, most: i64) -> bool {
        !self.is_checking()
            && self.emitter.flags.unrolls
            && turns <= most
            && self.emitter.copies * turns.max(1) <= MAX_NESTED_TURNS
    }

    /// Lowers `for i in a..b` and `for i in a down to b`.
    pub(super) fn lower_counted_for(
        &mut self,
        name: &'g Ident,
        (from, to, down): (&'g Expr, &'g Expr, bool),
        body: &'g [Stmt],
        span: &Span,
    ) {
        self.check_variable_name(&name.text, &name.span);
        self.scopes.note_size_bounding_fields(to);
        let first = self.lower_to_whole_number(from);
        let first = self.emitter.copy_to_new_register(first, span);
        let last = self.lower_to_whole_number(to);
        let last = self.emitter.copy_to_new_register(last, span);
        let step: i64 = if down { -1 } else { 1 };
        self.emitter.parameters.note_shapes_code(first);
        self.emitter.parameters.note_shapes_code(last);
        if let (Some(a), Some(b)) = (first.as_constant(), last.as_constant()) {
            let turns = ((b - a) * step + 1).max(0);
            if turns == 0 && !self.is_checking() {
                return;
            }
            if self.can_unroll(turns, MAX_UNROLLED_TURNS) {
                return self.unroll_loop_turns(turns as usize, |lowering, turn| {
                    let at = Operand::constant_whole_number(a + turn as i64 * step);
                    lowering.with_name_bound_to(name, LoweredValue::Operand(at), |lowering| {
                        lowering.lower_block(body)
                    });
                });
            }
        }
        self.lower_runtime_for(name, (first, last, down), body, span);
    }

    /// Unrolls a loop.
    fn unroll_loop_turns(&mut self, turns: usize, turn: impl Fn(&mut Lowering<'g>, usize)) {
        self.push_stoppable_loop();
        let (copies, top) = (self.emitter.copies, self.emitter.top);
        self.emitter.copies *= turns.max(1) as i64;
        for at in 0..turns {
            if self.emitter.is_unreachable() {
                break;
            }
            turn(self, at);
            self.emitter.release_registers(top);
        }
        self.emitter.copies = copies;
        self.leave_loop();
    }

    /// Lowers a counting loop that is not unrolled.
    fn lower_runtime_for(
        &mut self,
        name: &'g Ident,
        (first, last, down): (Operand, Operand, bool),
        body: &'g [Stmt],
        span: &Span,
    ) {
        let at = self.emitter.allocate_register(span);
        self.emitter.emit_move(at, first, span);
        self.forget_assigned_ranges(body);
        let head = self.emitter.mark_loop_head();
        let (lo, hi) = match down {
            true => (last.range.lo, first.range.hi),
            false => (first.range.lo, last.range.hi),
        };
        // The counter may be wider than a variable as long as no die is rolled.
        let range = ValueRange::new(ScalarType::Number, lo, hi);
        self.emitter.set_range(at, (range.lo.min(range.hi), range.hi));
        self.push_stoppable_loop();
        let mut out = JumpTarget::default();
        let test = if down { BinOp::Ge } else { BinOp::Le };
        let op = self.emitter.jump_unless_instr(test, at, last, span);
        self.emitter.emit_branch(op, &mut out, span);
        let num = Operand { range: widen_range_of_single_number(range), reg: at };
        self.with_name_bound_to(name, LoweredValue::Operand(num), |lowering| {
            lowering.lower_block(body)
        });
        self.emitter.emit_step_and_back_jump(at, if down { -1 } else { 1 }, head, span);
        self.emitter.place_jump_target(out);
        self.leave_loop();
    }

    /// Lowers `repeat:`.
    pub(super) fn lower_endless_repeat(&mut self, body: &'g [Stmt], span: &Span) {
        self.warn_of_unbounded_variables(body);
        let dice = self.emitter.program.sites.len();
        self.forget_assigned_ranges(body);
        let head = self.emitter.mark_loop_head();
        self.push_stoppable_loop();
        self.lower_block(body);
        self.emitter.program.repeats |= self.emitter.program.sites.len() > dice;
        self.emitter.emit_back_edge(head, span);
        self.leave_loop();
    }

    /// Lowers `each x in xs where c:`.
    pub(super) fn lower_each_loop(
        &mut self,
        of: &'g FilteredListExpr,
        body: &'g [Stmt],
        span: &Span,
    ) {
        self.check_variable_name(&of.name.text, &of.name.span);
        if let Some(when) = &of.when {
            self.report_dice_in_expr(when, "where");
        }
        match self.lower_value(&of.all, None) {
            LoweredValue::Bag(bag) => self.bags().lower_each_of_bag(of, bag, body, span),
            LoweredValue::List(list) => {
                let list = self.copy_list_before_loop(list, &of.all, body, span);
                self.lower_loop_over_list_of_rule(of, list, body, span);
            }
            LoweredValue::Contest(ContestValue::List(items, None)) => {
                self.lower_loop_over_contest_list(of, &repeat_records_by_count(&items), body, span);
            }
            LoweredValue::Contest(ContestValue::List(items, Some(_))) => {
                // The length is unknown: one item represents all.
                if let Some(item) = items.first() {
                    self.lower_loop_over_unknown_list(
                        of,
                        LoweredValue::Contest(item.clone()),
                        body,
                        span,
                    );
                }
            }
            LoweredValue::Contest(ContestValue::Absent(_)) => {}
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => {}
            _ => {
                let help = "use a list, a list of records or a bag";
                self.emitter.report_or_emit_fault(&of.all.span, not_a_list_problem(&of.all), help);
            }
        }
    }

    /// Copies a list that a loop over it changes.
    fn copy_list_before_loop(
        &mut self,
        list: ListInRegisters,
        all: &Expr,
        body: &[Stmt],
        span: &Span,
    ) -> ListInRegisters {
        let assigned = self.scopes.names_assigned_by(body);
        match used_names::name_expr_begins_with(all)
            .is_some_and(|name| assigned.iter().any(|known| known == name))
        {
            true => self.emitter.copy_list(list, span),
            false => list,
        }
    }

    /// Lowers a loop over a list of unknown length and content: one turn represents all.
    fn lower_loop_over_unknown_list(
        &mut self,
        of: &'g FilteredListExpr,
        item: LoweredValue,
        body: &'g [Stmt],
        span: &Span,
    ) {
        self.forget_assigned_ranges(body);
        let at = self.emitter.allocate_register(span);
        let head = self.emitter.mark_loop_head();
        self.push_stoppable_loop();
        let mut out = JumpTarget::default();
        self.emitter.emit_branch(Instr::Unless(at, 0), &mut out, span);
        self.lower_loop_turn(of, item, body);
        self.emitter.emit_back_edge(head, span);
        self.emitter.place_jump_target(out);
        self.leave_loop();
    }

    /// Lowers a loop over a list of the contest, unrolled if it is short.
    fn lower_loop_over_contest_list(
        &mut self,
        of: &'g FilteredListExpr,
        items: &Arc<[ContestValue]>,
        body: &'g [Stmt],
        span: &Span,
    ) {
        if self.can_unroll(items.len() as i64, MAX_UNROLLED_TURNS) {
            return self.unroll_loop_turns(items.len(), |lowering, turn| {
                lowering.lower_loop_turn(of, LoweredValue::Contest(items[turn].clone()), body);
            });
        }
        self.lower_loop_over_indexes(items.len(), body, span, |lowering, at| {
            lowering.lower_loop_turn(of, LoweredValue::Chosen(items.clone(), at), body);
        });
    }

    /// Lowers a loop over a list of the rule, unrolled if it is short.
    fn lower_loop_over_list_of_rule(
        &mut self,
        of: &'g FilteredListExpr,
        list: ListInRegisters,
        body: &'g [Stmt],
        span: &Span,
    ) {
        if self.can_unroll(list.len.into(), MAX_UNROLLED_TURNS) {
            return self.unroll_loop_turns(list.len.into(), |lowering, turn| {
                let num = lowering.emitter.variable_operand(list.base + turn as u8, list.kind);
                let num = lowering.emitter.copy_to_new_register(num, span);
                lowering.lower_loop_turn(of, LoweredValue::Operand(num), body);
            });
        }
        self.lower_loop_over_indexes(list.len.into(), body, span, |lowering, at| {
            let reg = lowering.emitter.allocate_register(span);
            let place = lowering.emitter.emit_binary(
                BinOp::Add,
                at,
                Operand::constant_whole_number(1),
                span,
            );
            let place = lowering.emitter.register_containing_operand(place, span);
            lowering.emitter.push_instr(Instr::Load(reg, list.base, list.len, place), span);
            let range = lowering.scopes.game.range_of_type(list.kind);
            lowering.lower_loop_turn(of, LoweredValue::Operand(Operand { range, reg }), body);
        });
    }

    /// Warns about variables that grow without bound in an endless loop.
    fn warn_of_unbounded_variables(&mut self, body: &'g [Stmt]) {
        if !self.is_checking() {
            return;
        }
        let unbounded_names = super::unbounded_growth::find_unbounded_names(body);
        for (name, at) in unbounded_names {
            if matches!(
                self.scopes.find_rule_name(name),
                Some(Binding::Place(Assignable::Variable(_, ScalarType::Number)))
            ) {
                let problem = format!("`{name}` grows without bound in a loop that may never end");
                let help = format!("bound it with `at most …`, or count it with `tally {name}`");
                self.emitter.faults.add_fault_at_span(at, problem, help);
            }
        }
    }
}

impl Emitter {
    /// Copies a number to a new register, so that it is still valid later in the loop, or at the
    /// end of the rule.
    pub(super) fn copy_to_new_register(&mut self, num: Operand, span: &Span) -> Operand {
        if num.as_constant().is_some() {
            return num;
        }
        let at = self.allocate_register(span);
        self.emit_move(at, num, span);
        Operand { reg: at, ..num }
    }

    /// Emits the step of the counter and the jump to the loop head.
    fn emit_step_and_back_jump(&mut self, at: u8, step: i32, head: usize, span: &Span) {
        if !self.is_unreachable() {
            self.push_instr(Instr::BinK(BinOp::Add, at, at, step), span);
            self.emit_back_edge(head, span);
        }
    }

    /// Begins a loop. Returns its head.
    pub(super) fn mark_loop_head(&mut self) -> usize {
        self.last_target = self.program.instrs.len();
        self.faces = 0;
        self.last_target
    }

    /// Emits the jump to a loop head; the code after it is unreachable.
    pub(super) fn emit_back_edge(&mut self, head: usize, span: &Span) {
        if !self.is_unreachable() {
            self.push_instr(Instr::Jump(head as u16), span);
            self.env = None;
        }
    }
}

/// Describes the fault of one value where a list is expected.
pub(super) fn not_a_list_problem(expr: &Expr) -> String {
    let what = expr.as_path().map_or("this".to_owned(), |path| format!("`{path}`"));
    format!("{what} is one value, not a list")
}

/// Repeats each record of a list by its count.
pub(super) fn repeat_records_by_count(items: &Arc<[ContestValue]>) -> Arc<[ContestValue]> {
    let count = |item: &ContestValue| match item {
        ContestValue::Record(record) => usize::try_from(record.count).unwrap_or(0),
        _ => 1,
    };
    if items.iter().all(|item| count(item) == 1) {
        return Arc::clone(items);
    }
    let items = items.iter();
    items.flat_map(|item| std::iter::repeat_n(item.clone(), count(item))).collect()
}

/// Widens a range that is a single number, so that a counter in it is a register and not a
/// constant.
fn widen_range_of_single_number(range: ValueRange) -> ValueRange {
    match range.lo >= range.hi {
        true => ValueRange::new(range.kind, range.lo, range.lo + 1),
        false => range,
    }
}
