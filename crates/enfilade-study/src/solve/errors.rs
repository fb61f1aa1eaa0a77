//! Errors and notes of cells that cannot be answered.

use crate::experiment::Cell;
use enfilade_model::error::{CellName, Error, Mishap, TooLarge, Unsolved};

/// Converts the failure of a cell to an error that names it.
pub fn unsolved(cell: &Cell, why: Unsolved) -> Error {
    match why {
        Unsolved::TooLarge(refusal) => refused(cell, refusal),
        Unsolved::Mishap(mishap) => went_wrong(cell, mishap),
        Unsolved::Stopped => why.into(),
    }
}

/// Describes, as a note to the answer, that a cell is too large for an exact distribution, and the
/// remedy.
pub(crate) fn beyond(cell: &Cell, refusal: &TooLarge, played: bool) -> String {
    let TooLarge { what, limit, .. } = refusal;
    let how = if played { "played" } else { "simulated" };
    let fields: Vec<_> = cell.played.grows_with.iter().map(|field| format!("`{field}`")).collect();
    let smaller = match fields.is_empty() {
        true => String::new(),
        false => format!("; smaller with {}", enfilade_model::form::one_of(&fields)),
    };
    format!("{how} instead of exact: more than {limit} {what}{smaller}")
}

/// Formats an error in one line.
pub fn in_one_line(error: &Error) -> String {
    match error {
        Error::Input { name, faults, .. } => {
            let faults = faults.iter().map(|located| located.fault.problem.as_str());
            format!("{name}: {}", faults.collect::<Vec<_>>().join("; "))
        }
        other => other.to_string(),
    }
}

/// Converts the failure of a rule while a cell was rolled to an error that names the cell.
pub fn went_wrong(cell: &Cell, mishap: Mishap) -> Error {
    mishap.of(named(cell)).into()
}

/// Converts a refusal to an error with the fields to reduce and the cell.
fn refused(cell: &Cell, refusal: TooLarge) -> Error {
    let grows_with = cell.played.grows_with.iter().map(ToString::to_string);
    Error::TooLarge(TooLarge {
        grows_with: grows_with.collect(),
        decides: decides(cell),
        cell: Some(named(cell)),
        ..refusal
    })
}

/// Returns whether the cell has decisions: then it cannot be played without its graph.
pub(crate) fn decides(cell: &Cell) -> bool {
    !cell.played.combat.decisions().is_empty()
}

/// Returns the label of a cell for messages.
fn named(cell: &Cell) -> CellName {
    let axes = cell.axes.iter();
    let axes: Vec<_> = axes.map(|(path, value)| format!("{path} {value}")).collect();
    CellName { contest: cell.contest, name: cell.name.clone(), axes: axes.join(", ") }
}
