//! Hoisted values: a number that a part returns without rolling a die is computed once for a
//! contest, rather than whenever the rule calls the part.
//!
//! Its code is cut out and becomes a parameter like the explicit ones: it is loaded, or constant if
//! it shapes the code. Contests of one program may therefore differ in a range if it belongs to the
//! same band. The emitter decides what is hoisted, in `contest_parameters`.

use crate::vm::code::{Instr, Program, Reg};

/// Set of parameters as bits: the explicit ones, then the derived ones.
pub type ParameterSet = u128;

/// Parameter that is derived from others.
#[derive(Debug)]
pub struct DerivedParameter {
    /// Code that computes the value and halts, with the lists that it looks up.
    program: Program,
    /// Register of the value.
    into: Reg,
}

impl PartialEq for DerivedParameter {
    fn eq(&self, other: &DerivedParameter) -> bool {
        let (a, b) = (&self.program, &other.program);
        self.into == other.into
            && a.instrs == b.instrs
            && (&a.lists, &a.keys, &a.wide) == (&b.lists, &b.keys, &b.wide)
    }
}

impl DerivedParameter {
    /// Evaluates the value from the parameters before it; `None` on failure.
    pub fn evaluate(&self, numbers: &[i64]) -> Option<i64> {
        self.program.evaluate(numbers, self.into).ok()
    }

    /// Returns the parameters that the value is derived from, as a bit set.
    pub fn parameters_read(&self) -> ParameterSet {
        self.program.parameters_loaded()
    }

    /// Cuts out the instructions from `start` on if they compute the value in `into` alone; `None`
    /// if they do anything but compute in registers from `top` on.
    pub(super) fn extract_from_program(
        from: &Program,
        start: usize,
        top: Reg,
        into: Reg,
    ) -> Option<DerivedParameter> {
        let mut program = Program::default();
        let shift_register = |reg: &mut Reg| match reg.checked_sub(top) {
            Some(less) => {
                *reg = less;
                true
            }
            None => false,
        };
        for (op, span) in from.instrs[start..].iter().zip(&from.spans[start..]) {
            let mut op = *op;
            if let Some(to) = op.jump_target() {
                op.set_jump_target(to.checked_sub(start)?);
            }
            let within = program.import_lists_of_instr(&mut op, from)
                && op.scalar_registers_read_mut().into_iter().flatten().all(shift_register)
                && op.replaceable_destination().is_none_or(shift_register);
            if !within {
                return None;
            }
            program.instrs.push(op);
            program.spans.push(span.clone());
        }
        program.instrs.push(Instr::Halt);
        program.spans.push(0..0);
        let worth = program.instrs.iter().filter(|op| !matches!(op, Instr::Skip)).count() > 2;
        let into = into.checked_sub(top)?;
        worth.then_some(DerivedParameter { program, into })
    }
}

impl Program {
    /// Copies the lists and keys of an instruction from another program. Returns whether the
    /// instruction only computes.
    fn import_lists_of_instr(&mut self, op: &mut Instr, from: &Program) -> bool {
        match op {
            Instr::Look(_, list, _) => {
                *list = index_of_imported_entry(&from.lists, &mut self.lists, *list)
            }
            Instr::Key(_, keys, _) => {
                *keys = index_of_imported_entry(&from.keys, &mut self.keys, *keys)
            }
            Instr::Wide(_, wide) => {
                *wide = index_of_imported_entry(&from.wide, &mut self.wide, *wide)
            }
            Instr::Const(..)
            | Instr::Field(..)
            | Instr::Copy(..)
            | Instr::Narrow(..)
            | Instr::Bin(..)
            | Instr::BinK(..)
            | Instr::Jump(_)
            | Instr::Unless(..)
            | Instr::UnlessCmp(..)
            | Instr::UnlessCmpK(..)
            | Instr::Skip => {}
            #[rustfmt::skip]
            Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Load(..) | Instr::Store(..) | Instr::Keep(..)
            | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..) | Instr::Put(..) | Instr::Count(..)
            | Instr::There(..) | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..)
            | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt => return false,
        }
        true
    }
}

/// Copies one entry of a list unless it is already there. Returns its index.
fn index_of_imported_entry<T: Clone + PartialEq>(from: &[T], to: &mut Vec<T>, at: u16) -> u16 {
    let one = &from[usize::from(at)];
    let index = to.iter().position(|known| known == one);
    let place = index.unwrap_or_else(|| {
        to.push(one.clone());
        to.len() - 1
    });
    place as u16
}
