//! Columns of numbers that an answer fills.

use crate::blocks::ReportTableCell;
use enfilade_study::answer::{Answer, MeasureAnswer, OutcomeWithProbability};

use super::zero_columns::ZeroColumns;

/// The measures that are not 0 throughout.
pub(super) fn nonzero_measures<'a>(
    cell: &'a Answer,
    idle: &ZeroColumns,
) -> impl Iterator<Item = &'a MeasureAnswer> {
    cell.measures.iter().filter(|measure| !idle.is_measure_zero(&measure.head.name))
}

/// The columns that an answer fills: exact, its error, fraction, simulated.
pub(super) struct FilledAnswerColumns([bool; 4]);

impl FilledAnswerColumns {
    pub(super) fn from_answer(cell: &Answer, idle: &ZeroColumns) -> FilledAnswerColumns {
        let any = |filled: fn(&MeasureAnswer) -> bool| nonzero_measures(cell, idle).any(filled);
        let law = |filled: fn(&OutcomeWithProbability) -> bool| cell.outcomes.iter().any(filled);
        FilledAnswerColumns([
            any(|m| m.exact.is_some()) || law(|o| o.exact.is_some()),
            cell.shows_errors,
            any(|m| m.fraction.is_some()) || law(|o| o.fraction.is_some()),
            any(|m| m.simulated.is_some()) || law(|o| o.simulated.is_some()),
        ])
    }

    pub(super) fn has_simulated_numbers(&self) -> bool {
        self.0[3]
    }

    pub(super) fn build_column_heads(
        &self,
        first: &str,
        exact: &str,
        simulated: &str,
        last: &str,
    ) -> Vec<String> {
        let numbers = [exact, "error at most", "as a fraction", simulated].into_iter().zip(self.0);
        let numbers = numbers.filter(|(_, filled)| *filled).map(|(head, _)| head);
        let heads = [first].into_iter().chain(numbers).chain([last]);
        heads.map(str::to_owned).collect()
    }

    pub(super) fn cells_of_filled_columns(
        &self,
        numbers: [Option<String>; 4],
    ) -> impl Iterator<Item = ReportTableCell> {
        let filled = numbers.into_iter().zip(self.0).filter(|(_, filled)| *filled);
        filled.map(|(text, _)| ReportTableCell::Number(text.unwrap_or_else(|| "–".to_owned())))
    }
}
