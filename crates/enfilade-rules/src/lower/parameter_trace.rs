//! From which numbers of a contest registers come, while these are asked for.

use std::sync::Arc;

use super::hoisting::{Settled, Slots};
use super::lowered_value::Num;
use super::lowered_value::Value;
use crate::vm::code::{ListCell, Op};

/// What is not known of the contest alone: it hangs on dice, or nobody looked.
const DICE: Slots = 1 << 127;

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

/// From which numbers of the contest registers come, where such numbers are asked for.
#[derive(Default)]
pub struct ParameterTrace {
    pub(super) asking: Option<Asking>,
}

/// From which numbers that are asked for a register comes, as bits.
pub(super) struct Asking {
    pub(super) from: Box<[Slots; 256]>,
    /// Numbers that jumps hang on.
    pub(super) branched: Slots,
    /// The same of those since what is being reckoned was begun, with dice.
    pub(super) here: Slots,
    /// Numbers by which the rule would be written out.
    pub(super) shapes: Slots,
    pub(super) asks: Slots,
    /// The numbers of the contest: those given, then those reckoned.
    pub(super) numbers: Vec<i64>,
    /// How the latter are.
    pub(super) settled: Vec<Arc<Settled>>,
}

impl ParameterTrace {
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
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..) | Op::BinK(..)
            | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_) | Op::Unless(..) | Op::UnlessCmp(..)
            | Op::UnlessCmpK(..) | Op::Store(..) | Op::Look(..) | Op::Key(..) | Op::Keep(..) | Op::Site(_)
            | Op::Rest(_) | Op::Tally(..) | Op::Put(..) | Op::There(..) | Op::Take(..) | Op::Close(..)
            | Op::Sort(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => from,
        };
    }

    /// A register comes from a list in which numbers of the contest stand.
    pub(super) fn trace_list(&mut self, into: u8, list: &[ListCell]) {
        if let Some(asking) = &mut self.asking {
            let slots = list.iter().filter_map(ListCell::slot);
            asking.from[usize::from(into)] |= slots.fold(0, |all, slot| all | 1 << slot);
        }
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
