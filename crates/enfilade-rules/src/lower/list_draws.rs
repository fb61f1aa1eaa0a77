//! Draws from a list of numbers: each place is drawn with a probability proportional to its number.

use super::construct_views::Bags;
use super::lowered_value::{JumpTarget, LoweredValue, Operand};
use super::lowering::Lowering;
use crate::diagnostics::Span;
use crate::syntax::ast::{FilteredListExpr, Stmt};
use crate::value_types::{ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr, SuspendKind};

impl<'g> Bags<'_, 'g> {
    /// Lowers `pick i in counts where c by random:`.
    pub(super) fn lower_weighted_index_draw(
        &mut self,
        of: &'g FilteredListExpr,
        items: &[LoweredValue],
        body: &'g [Stmt],
        span: &Span,
    ) {
        let total = self.emitter.allocate_register(span);
        self.emitter.emit_constant(total, 0, span);
        self.load_each_admitted_weight(of, items, span, |lowering, weight, _| {
            lowering.emitter.push_instr(Instr::Bin(BinOp::Add, total, total, weight), span);
        });
        let mut none = JumpTarget::default();
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Gt, total, 0, 0), &mut none, span);
        let face = self.emitter.allocate_register(span);
        self.emit_suspend(SuspendKind::DieOf(total, 1), face, span);
        let place = self.find_drawn_list_place(of, items, face, span);
        self.assignments().trace_variable(place.reg, ScalarType::Number, &of.name.span);
        self.with_name_bound_to(&of.name, LoweredValue::Operand(place), |lowering| {
            lowering.lower_block(body)
        });
        self.emitter.place_jump_target(none);
    }

    /// Finds the place that a face selects, by taking the numbers of the places before it away.
    fn find_drawn_list_place(
        &mut self,
        of: &'g FilteredListExpr,
        items: &[LoweredValue],
        face: u8,
        span: &Span,
    ) -> Operand {
        let place = self.emitter.allocate_register(span);
        self.emitter.emit_constant(place, 0, span);
        let mut found_target = JumpTarget::default();
        self.load_each_admitted_weight(of, items, span, |lowering, weight, at| {
            lowering.emitter.emit_constant(place, at, span);
            let not_here = Instr::UnlessCmp(BinOp::Gt, face, weight, 0);
            lowering.emitter.emit_branch(not_here, &mut found_target, span);
            lowering.emitter.push_instr(Instr::Bin(BinOp::Sub, face, face, weight), span);
        });
        self.emitter.place_jump_target(found_target);
        let range = ValueRange::new(ScalarType::Number, 1, (items.len() as i64).max(2));
        Operand { range, reg: place }
    }

    /// Loads the number of each place that the condition admits, with the place.
    fn load_each_admitted_weight(
        &mut self,
        of: &'g FilteredListExpr,
        items: &[LoweredValue],
        span: &Span,
        mut take: impl FnMut(&mut Lowering<'g>, u8, i64),
    ) {
        for (at, item) in (1..).zip(items) {
            let place = LoweredValue::Operand(Operand::constant_whole_number(at));
            self.with_item_if_passed(of, place, |lowering| {
                let weight = lowering.value_as_operand(item.clone(), &of.all.span);
                let weight = lowering.check_type(weight, ScalarType::Number, &of.all.span);
                let reg = lowering.emitter.register_containing_operand(weight, span);
                if weight.range.lo < 0 {
                    lowering.bags().emit_fail_if_weight_negative(of, reg, at);
                }
                take(lowering, reg, at);
            });
        }
    }

    /// Emits a check that a number may be drawn by.
    fn emit_fail_if_weight_negative(&mut self, of: &'g FilteredListExpr, reg: u8, at: i64) {
        let span = &of.all.span;
        let mut fine = JumpTarget::default();
        self.emitter.emit_branch(Instr::UnlessCmpK(BinOp::Lt, reg, 0, 0), &mut fine, span);
        let list = of.all.as_path().unwrap_or_default();
        let problem = format!("a number below 0 cannot be drawn: `{list}[{at}]`");
        let help = format!("`where {list}[{}] > 0` leaves it out", of.name.text);
        self.emitter.emit_failure(span, problem, help);
        self.emitter.place_jump_target(fine);
    }
}
