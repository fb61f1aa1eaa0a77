//! Numbers of a contest that are asked for while the rule is played, and what hangs on them.

use super::values::{Asking, Num};
use super::walker::Walker;
use crate::rulebook::code::Op;
use crate::rulebook::fault::Span;
use crate::rulebook::kind::Range;

/// What is not known of the contest alone: it hangs on dice, or nobody looked.
const DICE: u64 = 1 << 63;

impl Walker<'_> {
    /// From here on these numbers of the contest are asked for while the rule is played.
    pub fn ask(&mut self, asks: u64) {
        self.asking = Some(Asking { from: Box::new([0; 256]), branched: 0, shapes: 0, asks });
    }

    /// Numbers that are asked for, and those of them by which the rule would be written out.
    pub fn asks(&self) -> (u64, u64) {
        let asking = self.asking.as_ref();
        asking.map_or((0, 0), |asking| (asking.asks, asking.shapes & asking.asks))
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
        if op.target().is_some() && from & DICE == 0 {
            asking.branched |= from;
        }
        let Some(given) = op.gives() else { return };
        asking.from[usize::from(given)] = match op {
            Op::Field(_, slot) => 1 << slot,
            Op::Load(..) | Op::Get(..) | Op::Count(..) | Op::Next(..) | Op::Before(..) => DICE,
            _ => from,
        };
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
