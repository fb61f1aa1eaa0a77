//! Encoding of a record in a line of the journal.

use crate::solve::trial_record::CellTrialCounts;
use enfilade_engine::play::SumsOfOneCounter;
use enfilade_model::combat::{Ending, MAX_OUTCOME_COLUMNS, OutcomeRow};

/// Encodes a total as digits, because sums exceed the numbers of JSON.
pub(crate) fn encode_tally_total(total: &SumsOfOneCounter) -> (String, String) {
    (total.sum.to_string(), total.squares.to_string())
}

/// Decodes both sums of a total; `None` if they are not numbers.
pub(crate) fn decode_tally_total((sum, squares): &(String, String)) -> Option<SumsOfOneCounter> {
    Some(SumsOfOneCounter { sum: sum.parse().ok()?, squares: squares.parse().ok()? })
}

/// Decodes the record of a line; `None` if it is inconsistent.
pub(crate) fn decode_trial_record(
    endings: &[(Vec<i32>, Vec<i32>, u64)],
    unsettled: u64,
    totals: Vec<SumsOfOneCounter>,
) -> Option<CellTrialCounts> {
    let read = |(fields, weights, count): &(Vec<i32>, Vec<i32>, u64)| {
        let ending =
            Ending { fields: pad_outcome_row(fields)?, weights: pad_outcome_row(weights)? };
        Some((ending, *count))
    };
    let endings: Option<Vec<_>> = endings.iter().map(read).collect();
    let endings = endings?;
    // More trials than 64 bits can count do not exist.
    let mut counts = endings.iter().map(|(_, count)| *count);
    counts.try_fold(unsettled, u64::checked_add)?;
    Some(CellTrialCounts { endings, unsettled, totals })
}

/// Encodes a row without the zeros at its end.
pub(crate) fn encode_ending_row((ending, count): &(Ending, u64)) -> (Vec<i32>, Vec<i32>, u64) {
    (without_trailing_zeros(&ending.fields), without_trailing_zeros(&ending.weights), *count)
}

/// The numbers of a row up to the last that is not 0.
pub(crate) fn without_trailing_zeros(row: &OutcomeRow) -> Vec<i32> {
    let used_len = row.iter().rposition(|&n| n != 0).map_or(0, |last| last + 1);
    row[..used_len].to_vec()
}

/// The row of these numbers and zeros behind them; `None` if there are too many.
pub(crate) fn pad_outcome_row(values: &[i32]) -> Option<OutcomeRow> {
    let mut row = [0; MAX_OUTCOME_COLUMNS];
    row.get_mut(..values.len())?.copy_from_slice(values);
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_too_long_are_left_out() {
        assert_eq!(pad_outcome_row(&[1; MAX_OUTCOME_COLUMNS + 1]), None);
    }
}
