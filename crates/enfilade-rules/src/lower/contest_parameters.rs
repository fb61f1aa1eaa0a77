//! Numbers of a contest that are asked for while the rule is played, and what hangs on them: what hangs on
//! nothing else is reckoned beforehand.

use super::emitter::Emitter;
use super::hoisting::{Settled, Slots};
use super::lowered_value::{Num, Value};
use crate::diagnostics::Span;
use crate::types::Range;
use crate::vm::code::{Op, Reg};

/// Numbers that are reckoned.
const MOST: usize = 48;

/// Where a part was begun, and what was known there.
pub(super) struct Begun {
    start: usize,
    top: Reg,
    landed: usize,
    faces: u32,
    branched: Slots,
    here: Slots,
}

impl Emitter {
    /// A number of the contest that is asked for.
    pub(super) fn asked(&mut self, range: Range, slot: u8, span: &Span) -> Num {
        self.made(range, span, |at| Op::Field(at, slot))
    }

    /// A part begins whose value may be [`settled`](Lowering::settled).
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

    /// What a part gave; a number that hangs on those of the contest alone is one of them from here on.
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

    /// The place of a number among those of the contest, and what it is.
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
