//! Open options of a decision, as the registers say.

use super::code::{OpenOptionsSource, Registers, SuspendKind};
use enfilade_model::dice::OpenOptions;

impl OpenOptionsSource {
    /// Reads which of the options are open.
    ///
    /// # Errors
    /// One sentence, if none is, or a number has no option.
    pub(crate) fn read(self, regs: &Registers, options: u8) -> Result<OpenOptions, String> {
        match self {
            OpenOptionsSource::Bits(reg) => {
                let open = OpenOptions::from_bits(regs[usize::from(reg)] as u64);
                match open.is_empty() {
                    true => Err("none of the options is open".to_owned()),
                    false => Ok(open),
                }
            }
            OpenOptionsSource::Numbers { from, to, base } => {
                let first = from.map_or(base, |reg| regs[usize::from(reg)]);
                number_options(first, regs[usize::from(to)], base, options)
            }
        }
    }
}

/// Returns the options of the numbers from `first` to `last`.
fn number_options(first: i64, last: i64, base: i64, options: u8) -> Result<OpenOptions, String> {
    if last < first {
        return Err(format!("from {first} to {last} there is nothing to choose"));
    }
    let option = |number: i64| u8::try_from(number - base + 1).ok().filter(|at| *at <= options);
    match (option(first), option(last)) {
        (Some(first), Some(last)) => Ok(OpenOptions::between(first, last)),
        _ => Err(format!("from {first} to {last} there are more than {options} numbers")),
    }
}

impl SuspendKind {
    /// Returns whether a number is chosen.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, SuspendKind::ChoiceOf(.., OpenOptionsSource::Numbers { .. }))
    }
}
