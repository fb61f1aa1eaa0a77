//! Errors and notes of cells that cannot be answered.

use crate::error::StudyError;
use crate::experiment::GridCell;
use enfilade_engine::error::SolveError;
use enfilade_model::error::{CellLabel, InputError, RuleRuntimeError, TooManyStatesOrDice};

/// Converts the failure of a cell to an error that names it.
pub fn name_cell_of_error(cell: &GridCell, why: SolveError) -> StudyError {
    match why {
        SolveError::TooLarge(refusal) => too_large_error(cell, refusal),
        SolveError::Rule(error) => name_cell_of_rule_error(cell, error),
        SolveError::Cancelled => why.into(),
    }
}

/// Describes, as a note to the answer, that a cell is too large for an exact distribution, and the
/// remedy.
pub(crate) fn too_large_note(
    cell: &GridCell,
    refusal: &TooManyStatesOrDice,
    played: bool,
) -> String {
    let TooManyStatesOrDice { what, limit, .. } = refusal;
    let how = if played { "played" } else { "simulated" };
    let fields: Vec<_> = cell.played.grows_with.iter().map(|field| format!("`{field}`")).collect();
    let smaller = match fields.is_empty() {
        true => String::new(),
        false => format!("; smaller with {}", enfilade_model::form::join_or(&fields)),
    };
    format!("{how} instead of exact: more than {limit} {what}{smaller}")
}

/// Describes, as a note to the answer, that a contest may never end and that its rounds were
/// counted because its graph would be too large; `None` for one that must end.
pub(crate) fn counted_by_rounds_note(
    refusal: &TooManyStatesOrDice,
    unsettled: f64,
) -> Option<String> {
    let TooManyStatesOrDice { what, limit, .. } = refusal;
    (unsettled > 0.0 && *what == STATES).then(|| {
        format!(
            "endless and above {limit} states: counted out round by round; `--states {}` keeps a graph of up to twice as many",
            limit.saturating_mul(2)
        )
    })
}

/// Word for states in a refusal.
const STATES: &str = "states";

/// Formats an error in one line.
pub fn format_in_one_line(error: &StudyError) -> String {
    match error {
        StudyError::Input(InputError { name, faults, .. }) => {
            let faults = faults.iter().map(|located| located.fault.problem.as_str());
            format!("{name}: {}", faults.collect::<Vec<_>>().join("; "))
        }
        other => other.to_string(),
    }
}

/// Converts the failure of a rule while a cell was rolled to an error that names the cell.
pub fn name_cell_of_rule_error(cell: &GridCell, error: RuleRuntimeError) -> StudyError {
    error.with_cell(label_of_cell(cell)).into()
}

/// Converts a refusal to an error with the fields to reduce and the cell.
fn too_large_error(cell: &GridCell, refusal: TooManyStatesOrDice) -> StudyError {
    let grows_with = cell.played.grows_with.iter().map(ToString::to_string);
    StudyError::TooLarge(TooManyStatesOrDice {
        grows_with: grows_with.collect(),
        decides: has_decisions(cell),
        cell: Some(label_of_cell(cell).into()),
        ..refusal
    })
}

/// Returns whether the cell has decisions: then it cannot be played without its graph.
pub(crate) fn has_decisions(cell: &GridCell) -> bool {
    !cell.played.combat.decisions().is_empty()
}

/// Returns the label of a cell for messages.
fn label_of_cell(cell: &GridCell) -> CellLabel {
    let axes = cell.axes.iter();
    let axes: Vec<_> = axes.map(|(path, value)| format!("{path} {value}")).collect();
    CellLabel { contest: cell.contest, name: cell.name.clone(), axes: axes.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_never_end_is_counted_out() {
        let refusal = TooManyStatesOrDice::new("states", 131_072);
        assert_eq!(counted_by_rounds_note(&refusal, 0.0), None);
        let note = counted_by_rounds_note(&refusal, 1e-20).expect("it may never end");
        assert!(
            note.contains("above 131072 states") && note.contains("`--states 262144`"),
            "{note}"
        );
        assert_eq!(counted_by_rounds_note(&TooManyStatesOrDice::new("nodes", 9), 1e-20), None);
    }
}
