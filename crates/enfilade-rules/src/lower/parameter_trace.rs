//! Traces which contest parameters each register depends on.

use std::sync::Arc;

use super::hoisting::{DerivedParameter, ParameterSet};
use super::lowered_value::LoweredValue;
use super::lowered_value::Operand;
use crate::vm::code::{Instr, LookupListCell};

/// Bit for a dependence on dice, or an untraced one.
const DEPENDS_ON_DICE_BIT: ParameterSet = 1 << 127;

/// Parameters of a program.
#[derive(Debug, Default)]
pub struct ProgramParameters {
    /// Loaded parameters that would shape the code, as a bit set.
    pub shapes: ParameterSet,
    /// Parameter values of the contest that it was compiled for: the explicit ones, then the
    /// derived ones.
    pub numbers: Vec<i64>,
    /// Code that computes the derived values.
    pub hoisted: Vec<Arc<DerivedParameter>>,
}

/// Trace of the parameters that registers depend on, if the program loads any.
#[derive(Default)]
pub struct ParametersBehindRegisters {
    pub(super) sources: Option<RegisterOrigins>,
}

/// Sources of each register, as bit sets of parameters.
pub(super) struct RegisterOrigins {
    pub(super) from: Box<[ParameterSet; 256]>,
    /// Parameters that jumps so far depend on.
    pub(super) branch_sources: ParameterSet,
    /// Parameters and dice that jumps since the start of the current part depend on.
    pub(super) here: ParameterSet,
    /// Parameters that would shape the code.
    pub(super) shapes: ParameterSet,
    pub(super) loaded: ParameterSet,
    /// Parameter values of the contest: the explicit ones, then the derived ones.
    pub(super) numbers: Vec<i64>,
    /// Code that computes the derived values.
    pub(super) hoisted: Vec<Arc<DerivedParameter>>,
}

impl ParametersBehindRegisters {
    /// Loads these parameters at run time from here on. `numbers` contains all values, the derived
    /// ones of `hoisted` last.
    pub fn load_parameters_at_run_time(
        &mut self,
        parameters: ParameterSet,
        numbers: Vec<i64>,
        hoisted: Vec<Arc<DerivedParameter>>,
    ) {
        let from = Box::new([0; 256]);
        self.sources = Some(RegisterOrigins {
            from,
            branch_sources: 0,
            here: 0,
            shapes: 0,
            loaded: parameters,
            numbers,
            hoisted,
        });
    }

    /// Returns the parameters that were loaded.
    pub fn take_loaded_parameters(&mut self) -> ProgramParameters {
        let Some(RegisterOrigins { shapes, loaded: parameters, numbers, hoisted: settled, .. }) =
            self.sources.take()
        else {
            return ProgramParameters::default();
        };
        ProgramParameters { shapes: shapes & parameters, numbers, hoisted: settled }
    }

    /// Records the sources of an instruction's result.
    pub(super) fn note_sources_of_instr(&mut self, mut op: Instr) {
        let Some(asking) = &mut self.sources else { return };
        let sources = op.scalar_registers_read_mut().into_iter().flatten();
        let from = sources.fold(0, |all, reg| all | asking.from[usize::from(*reg)]);
        if op.jump_target().is_some() {
            asking.here |= from;
            asking.branch_sources |= if from & DEPENDS_ON_DICE_BIT == 0 { from } else { 0 };
        }
        let Some(destination) = op.written_register() else { return };
        asking.from[usize::from(destination)] = match op {
            Instr::Field(_, slot) => 1 << slot,
            Instr::Load(..)
            | Instr::Get(..)
            | Instr::Count(..)
            | Instr::Next(..)
            | Instr::Before(..) => DEPENDS_ON_DICE_BIT,
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..) | Instr::BinK(..)
            | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_) | Instr::Unless(..) | Instr::UnlessCmp(..)
            | Instr::UnlessCmpK(..) | Instr::Store(..) | Instr::Look(..) | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_)
            | Instr::Rest(_) | Instr::Tally(..) | Instr::Put(..) | Instr::There(..) | Instr::Take(..) | Instr::Close(..)
            | Instr::Sort(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => from,
        };
    }

    /// Records a lookup in a list that contains parameters.
    pub(super) fn note_list_lookup_sources(&mut self, into: u8, list: &[LookupListCell]) {
        if let Some(asking) = &mut self.sources {
            let slots = list.iter().filter_map(LookupListCell::parameter_slot);
            asking.from[usize::from(into)] |= slots.fold(0, |all, slot| all | 1 << slot);
        }
    }

    /// Begins a value that may depend on jumps. Returns the dependence of the jumps before it.
    pub(super) fn take_control_dependence(&mut self) -> ParameterSet {
        self.sources.as_mut().map_or(0, |asking| std::mem::take(&mut asking.here))
    }

    /// Adds the dependence on the jumps since `before` to a value.
    pub(super) fn add_jump_dependence_to_value(
        &mut self,
        before: ParameterSet,
        value: &LoweredValue,
    ) {
        let Some(asking) = &mut self.sources else { return };
        if let LoweredValue::Operand(num) = value
            && num.as_constant().is_none()
        {
            asking.from[usize::from(num.reg)] |= asking.here;
        }
        asking.here |= before;
    }

    /// Records a copy from one register to another.
    pub(super) fn trace_copy(&mut self, from: u8, to: u8) {
        if let Some(asking) = &mut self.sources {
            asking.from[usize::from(to)] = asking.from[usize::from(from)];
        }
    }

    /// Records a die in a register.
    pub(super) fn mark_register_from_die(&mut self, into: u8) {
        if let Some(asking) = &mut self.sources {
            asking.from[usize::from(into)] = DEPENDS_ON_DICE_BIT;
        }
    }

    /// Notes that a number shapes the code: the parameters that it depends on must be constant.
    pub(super) fn note_shapes_code(&mut self, num: Operand) {
        if let Some(asking) = &mut self.sources
            && num.as_constant().is_none()
        {
            asking.shapes |= match asking.from[usize::from(num.reg)] {
                0 => asking.branch_sources,
                from if from & DEPENDS_ON_DICE_BIT == 0 => from,
                _ => 0,
            };
        }
    }

    /// Notes that lowering needs the value of a number.
    pub(super) fn note_value_is_needed(&mut self, num: Operand) {
        if let Some(asking) = &mut self.sources
            && num.as_constant().is_none()
        {
            asking.shapes |= asking.loaded;
        }
    }
}
