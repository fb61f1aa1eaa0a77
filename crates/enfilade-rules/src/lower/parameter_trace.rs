//! Traces which contest parameters each register depends on.

use std::sync::Arc;

use super::hoisting::{Settled, Slots};
use super::lowered_value::Num;
use super::lowered_value::Value;
use crate::vm::code::{ListCell, Op};

/// Bit for a dependence on dice, or an untraced one.
const DICE: Slots = 1 << 127;

/// Parameters of a program.
#[derive(Debug, Default)]
pub struct Asks {
    /// Loaded parameters that would shape the code, as a bit set.
    pub shapes: Slots,
    /// Parameter values of the contest that it was compiled for: the explicit ones, then the
    /// derived ones.
    pub numbers: Vec<i64>,
    /// Code that computes the derived values.
    pub settled: Vec<Arc<Settled>>,
}

/// Trace of the parameters that registers depend on, if the program loads any.
#[derive(Default)]
pub struct ParameterTrace {
    pub(super) asking: Option<Asking>,
}

/// Sources of each register, as bit sets of parameters.
pub(super) struct Asking {
    pub(super) from: Box<[Slots; 256]>,
    /// Parameters that jumps so far depend on.
    pub(super) branched: Slots,
    /// Parameters and dice that jumps since the start of the current part depend on.
    pub(super) here: Slots,
    /// Parameters that would shape the code.
    pub(super) shapes: Slots,
    pub(super) asks: Slots,
    /// Parameter values of the contest: the explicit ones, then the derived ones.
    pub(super) numbers: Vec<i64>,
    /// Code that computes the derived values.
    pub(super) settled: Vec<Arc<Settled>>,
}

impl ParameterTrace {
    /// Loads these parameters at run time from here on. `numbers` contains all values, the derived
    /// ones of `settled` last.
    pub fn ask(&mut self, asks: Slots, numbers: Vec<i64>, settled: Vec<Arc<Settled>>) {
        let from = Box::new([0; 256]);
        self.asking =
            Some(Asking { from, branched: 0, here: 0, shapes: 0, asks, numbers, settled });
    }

    /// Returns the parameters that were loaded.
    pub fn asks(&mut self) -> Asks {
        let Some(Asking { shapes, asks, numbers, settled, .. }) = self.asking.take() else {
            return Asks::default();
        };
        Asks { shapes: shapes & asks, numbers, settled }
    }

    /// Records the sources of an instruction's result.
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

    /// Records a lookup in a list that contains parameters.
    pub(super) fn trace_list(&mut self, into: u8, list: &[ListCell]) {
        if let Some(asking) = &mut self.asking {
            let slots = list.iter().filter_map(ListCell::slot);
            asking.from[usize::from(into)] |= slots.fold(0, |all, slot| all | 1 << slot);
        }
    }

    /// Begins a value that may depend on jumps. Returns the dependence of the jumps before it.
    pub(super) fn branches(&mut self) -> Slots {
        self.asking.as_mut().map_or(0, |asking| std::mem::take(&mut asking.here))
    }

    /// Adds the dependence on the jumps since `before` to a value.
    pub(super) fn hangs(&mut self, before: Slots, come_to: &Value) {
        let Some(asking) = &mut self.asking else { return };
        if let Value::Num(num) = come_to
            && num.known().is_none()
        {
            asking.from[usize::from(num.at)] |= asking.here;
        }
        asking.here |= before;
    }

    /// Records a copy from one register to another.
    pub(super) fn trace_copy(&mut self, from: u8, to: u8) {
        if let Some(asking) = &mut self.asking {
            asking.from[usize::from(to)] = asking.from[usize::from(from)];
        }
    }

    /// Records a die in a register.
    pub(super) fn trace_die(&mut self, into: u8) {
        if let Some(asking) = &mut self.asking {
            asking.from[usize::from(into)] = DICE;
        }
    }

    /// Notes that a number shapes the code: the parameters that it depends on must be constant.
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

    /// Notes that lowering needs the value of a number.
    pub(super) fn must_know(&mut self, num: Num) {
        if let Some(asking) = &mut self.asking
            && num.known().is_none()
        {
            asking.shapes |= asking.asks;
        }
    }
}
