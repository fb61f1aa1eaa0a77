//! Numbers of a contest that are asked for while the rule is played, and what hangs on them: what hangs on
//! nothing else is reckoned beforehand.

use std::sync::Arc;

use super::hoisting::{Settled, Slots};
use super::lowered_value::{Asking, Num, Value};
use super::lowering::Walker;
use crate::diagnostics::Span;
use crate::types::Range;
use crate::vm::code::{Op, Reg};

/// What is not known of the contest alone: it hangs on dice, or nobody looked.
const DICE: Slots = 1 << 127;
/// Numbers that are reckoned.
const MOST: usize = 48;

/// What a program asks for of the numbers of a contest.
#[derive(Debug, Default)]
pub struct Asks {
    /// Those that it asks for and by which the rule would be written out, as bits.
    pub shapes: Slots,
    /// The numbers of the contest it was made for: those given, then those reckoned.
    pub numbers: Vec<i64>,
    /// How the latter are reckoned.
    pub settled: Vec<Arc<Settled>>,
}

impl Walker<'_> {
    /// From here on these numbers of the contest are asked for while the rule is played.
    /// `numbers` are all that are known, the `settled` ones last.
    pub fn ask(&mut self, asks: Slots, numbers: Vec<i64>, settled: Vec<Arc<Settled>>) {
        let from = Box::new([0; 256]);
        self.asking =
            Some(Asking { from, branched: 0, here: 0, shapes: 0, asks, numbers, settled });
    }

    /// What was asked for.
    pub fn asks(&mut self) -> Asks {
        let Some(Asking { shapes, asks, numbers, settled, .. }) = self.asking.take() else {
            return Asks::default();
        };
        Asks { shapes: shapes & asks, numbers, settled }
    }

    /// A number of the contest that is asked for.
    pub(super) fn asked(&mut self, range: Range, slot: u8, span: &Span) -> Num {
        self.made(range, span, |at| Op::Field(at, slot))
    }

    /// Keeps in mind from where a register comes.
    pub(super) fn trace(&mut self, mut op: Op) {
        let Some(asking) = &mut self.asking else { return };
        let sources = op.sources_mut().into_iter().flatten();
        let from = sources.fold(0, |all, reg| all | asking.from[usize::from(*reg)]);
        if op.target().is_some() {
            asking.here |= from;
            asking.branched |= if from & DICE == 0 { from } else { 0 };
        }
        let Some(given) = op.gives() else { return };
        asking.from[usize::from(given)] = match op {
            Op::Field(_, slot) => 1 << slot,
            Op::Load(..) | Op::Get(..) | Op::Count(..) | Op::Next(..) | Op::Before(..) => DICE,
            _ => from,
        };
    }

    /// Something is reckoned that may hang on jumps: what those before it hung on.
    pub(super) fn branches(&mut self) -> Slots {
        self.asking.as_mut().map_or(0, |asking| std::mem::take(&mut asking.here))
    }

    /// It was: what came of it hangs on the jumps since then, too.
    pub(super) fn hangs(&mut self, before: Slots, come_to: &Value) {
        let Some(asking) = &mut self.asking else { return };
        if let Value::Num(num) = come_to
            && num.known().is_none()
        {
            asking.from[usize::from(num.at)] |= asking.here;
        }
        asking.here |= before;
    }

    /// What was reckoned in one register goes to another.
    pub(super) fn trace_copy(&mut self, from: u8, to: u8) {
        if let Some(asking) = &mut self.asking {
            asking.from[usize::from(to)] = asking.from[usize::from(from)];
        }
    }

    /// A die falls into a register.
    pub(super) fn trace_die(&mut self, into: u8) {
        if let Some(asking) = &mut self.asking {
            asking.from[usize::from(into)] = DICE;
        }
    }

    /// Notes that the rule is written out by a number: those that it comes from have to be known.
    pub(super) fn shapes(&mut self, num: Num) {
        if let Some(asking) = &mut self.asking
            && num.known().is_none()
        {
            asking.shapes |= match asking.from[usize::from(num.at)] {
                0 => asking.branched,
                from if from & DICE == 0 => from,
                _ => 0,
            };
        }
    }

    /// Notes that the rule cannot be without a number.
    pub(super) fn must_know(&mut self, num: Num) {
        if let Some(asking) = &mut self.asking
            && num.known().is_none()
        {
            asking.shapes |= asking.asks;
        }
    }
}

/// Where a part was begun, and what was known there.
pub(super) struct Begun {
    start: usize,
    top: Reg,
    landed: usize,
    faces: u32,
    branched: Slots,
    here: Slots,
}

impl Walker<'_> {
    /// A part begins whose value may be [`settled`](Walker::settled).
    pub(super) fn begun(&self) -> Option<Begun> {
        let asking = self.asking.as_ref()?;
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
        let Some(asking) = &mut self.asking else { return value };
        (asking.branched, asking.here) = (begun.branched, begun.here);
        if asking.asks >> slot & 1 == 0 {
            return Value::Num(Num::one(num.range.kind, is));
        }
        self.emit(Op::Field(num.at, slot), span);
        value
    }

    /// The place of a number among those of the contest, and what it is.
    fn settle(&mut self, num: Num, begun: &Begun) -> Option<(u8, i64)> {
        let asking = self.asking.as_mut()?;
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
