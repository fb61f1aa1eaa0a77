//! Contest parameters, which are loaded at run time, and the values derived from them, which are
//! computed before the rule is played.

use super::emitter::Emitter;
use super::hoisting::{DerivedParameter, ParameterSet};
use super::lowered_value::{LoweredValue, Operand};
use crate::diagnostics::Span;
use crate::value_types::ValueRange;
use crate::vm::code::{Instr, Reg};

/// Largest number of derived values.
const MAX_HOISTED_VALUES: usize = 48;

/// State of the emitter at the start of a part.
pub(super) struct EmitterStateAtPartStart {
    start: usize,
    top: Reg,
    last_target: usize,
    faces: u32,
    branch_sources: ParameterSet,
    here: ParameterSet,
}

impl Emitter {
    /// Loads a parameter of the contest.
    pub(super) fn load_contest_parameter(
        &mut self,
        range: ValueRange,
        slot: u8,
        span: &Span,
    ) -> Operand {
        self.emit_into_new(range, span, |at| Instr::Field(at, slot))
    }

    /// Records the start of a part whose value may be [hoisted](Self::hoist_if_constant).
    pub(super) fn begin_hoist_candidate(&self) -> Option<EmitterStateAtPartStart> {
        let asking = self.parameters.sources.as_ref()?;
        Some(EmitterStateAtPartStart {
            start: self.program.instrs.len(),
            top: Reg::try_from(self.top).ok()?,
            last_target: self.last_target,
            faces: self.faces,
            branch_sources: asking.branch_sources,
            here: asking.here,
        })
    }

    /// Hoists the value of a part if it is a number that depends on parameters alone.
    pub(super) fn hoist_if_constant(
        &mut self,
        value: LoweredValue,
        candidate: &EmitterStateAtPartStart,
        span: &Span,
    ) -> LoweredValue {
        let LoweredValue::Operand(num) = value else { return value };
        if num.as_constant().is_some() || self.is_unreachable() {
            return value;
        }
        let Some((slot, is)) = self.find_or_add_hoisted_value(num, candidate) else {
            return value;
        };
        self.program.instrs.truncate(candidate.start);
        self.program.spans.truncate(candidate.start);
        (self.last_target, self.faces) = (candidate.last_target, candidate.faces);
        let Some(asking) = &mut self.parameters.sources else { return value };
        (asking.branch_sources, asking.here) = (candidate.branch_sources, candidate.here);
        if asking.loaded >> slot & 1 == 0 {
            return LoweredValue::Operand(Operand::constant(num.range.kind, is));
        }
        self.push_instr(Instr::Field(num.reg, slot), span);
        value
    }

    /// Returns the slot and the value of a hoisted number.
    fn find_or_add_hoisted_value(
        &mut self,
        num: Operand,
        candidate: &EmitterStateAtPartStart,
    ) -> Option<(u8, i64)> {
        let asking = self.parameters.sources.as_mut()?;
        let settled = DerivedParameter::extract_from_program(
            &self.program,
            candidate.start,
            candidate.top,
            num.reg,
        )?;
        let hoisted_index = asking.hoisted.iter().position(|known| **known == settled);
        let plain_count = asking.numbers.len() - asking.hoisted.len();
        if let Some(hoisted_index) = hoisted_index {
            return Some((
                (plain_count + hoisted_index) as u8,
                asking.numbers[plain_count + hoisted_index],
            ));
        }
        let is = settled.evaluate(&asking.numbers)?;
        if asking.hoisted.len() >= MAX_HOISTED_VALUES {
            return None;
        }
        asking.numbers.push(is);
        asking.hoisted.push(settled.into());
        Some(((asking.numbers.len() - 1) as u8, is))
    }
}
