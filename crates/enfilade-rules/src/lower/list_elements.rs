//! Elements of a list of a rule, by their index.

use super::emitter::Emitter;
use super::lowered_value::{ListInRegisters, Operand};
use crate::diagnostics::Span;
use crate::value_types::ValueRange;
use crate::vm::code::Instr;

impl Emitter {
    /// Loads an element of a rule's list.
    pub(super) fn load_list_item(
        &mut self,
        list: ListInRegisters,
        at: Operand,
        span: &Span,
    ) -> Operand {
        if !self.check_index_range(at, list.len.into(), span) {
            return self.error_operand();
        }
        if let Some(index) = at.as_constant() {
            return self.variable_operand(list.base + index as u8 - 1, list.kind);
        }
        let all = (list.base..list.base + list.len).map(|reg| self.known_range_of_register(reg));
        let (lo, hi) = all.fold((i64::MAX, i64::MIN), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)));
        let range = ValueRange::new(list.kind, lo, hi);
        self.emit_into_new(range, span, |reg| Instr::Load(reg, list.base, list.len, at.reg))
    }

    /// Checks that a number may be an index of a list of `most` elements, and reports if it cannot.
    pub(super) fn check_index_range(&mut self, at: Operand, most: i64, span: &Span) -> bool {
        let may = at.range.hi >= 1 && at.range.lo <= most;
        if !may {
            let lo = at.range.lo;
            self.report_or_emit_fault(
                span,
                format!("the list has places 1 to {most}, not {lo}"),
                "",
            );
        }
        may
    }
}
