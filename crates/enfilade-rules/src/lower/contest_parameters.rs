//! Contest parameters, which are loaded at run time, and the values derived from them, which are
//! computed before the rule is played.

use super::emitter::Emitter;
use super::hoisting::{Settled, Slots};
use super::lowered_value::{Num, Value};
use crate::diagnostics::Span;
use crate::types::Range;
use crate::vm::code::{Op, Reg};

/// Largest number of derived values.
const MOST: usize = 48;

/// State of the emitter at the start of a part.
pub(super) struct Begun {
    start: usize,
    top: Reg,
    landed: usize,
    faces: u32,
    branched: Slots,
    here: Slots,
}

impl Emitter {
    /// Loads a parameter of the contest.
    pub(super) fn asked(&mut self, range: Range, slot: u8, span: &Span) -> Num {
        self.made(range, span, |at| Op::Field(at, slot))
    }

    /// Records the start of a part whose value may be [hoisted](Lowering::settled).
    pub(super) fn begun(&self) -> Option<Begun> {
        let asking = self.parameters.asking.as_ref()?;
        Some(Begun {
            start: self.program.ops.len(),
            top: Reg::try_from(self.top).ok()?,
            landed: self.landed,
            faces: self.faces,
            branched: asking.branched,
            here: asking.here,
        })
    }

    /// Hoists the value of a part if it is a number that depends on parameters alone.
    pub(super) fn settled(&mut self, value: Value, begun: &Begun, span: &Span) -> Value {
        let Value::Num(num) = value else { return value };
        if num.known().is_some() || self.is_dead() {
            return value;
        }
        let Some((slot, is)) = self.settle(num, begun) else {
            return value;
        };
        self.program.ops.truncate(begun.start);
        self.program.spans.truncate(begun.start);
        (self.landed, self.faces) = (begun.landed, begun.faces);
        let Some(asking) = &mut self.parameters.asking else { return value };
        (asking.branched, asking.here) = (begun.branched, begun.here);
        if asking.asks >> slot & 1 == 0 {
            return Value::Num(Num::one(num.range.kind, is));
        }
        self.emit(Op::Field(num.at, slot), span);
        value
    }

    /// Returns the slot and the value of a hoisted number.
    fn settle(&mut self, num: Num, begun: &Begun) -> Option<(u8, i64)> {
        let asking = self.parameters.asking.as_mut()?;
        let settled = Settled::cut(&self.program, begun.start, begun.top, num.at)?;
        let known = asking.settled.iter().position(|known| **known == settled);
        let given = asking.numbers.len() - asking.settled.len();
        if let Some(known) = known {
            return Some(((given + known) as u8, asking.numbers[given + known]));
        }
        let is = settled.of(&asking.numbers)?;
        if asking.settled.len() >= MOST {
            return None;
        }
        asking.numbers.push(is);
        asking.settled.push(settled.into());
        Some(((asking.numbers.len() - 1) as u8, is))
    }
}
