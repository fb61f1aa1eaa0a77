//! Journal of a search: what was solved, so that the same command goes on where it was stopped.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use enfilade_study::error::StudyError;

use crate::fenced_grid::MeasuredValue;

/// A store of solved cells by their keys; each value is JSON.
pub trait SearchJournal: Debug + Send + Sync {
    /// Returns what an earlier run has recorded under a key.
    fn lookup_cell(&self, key: &str) -> Option<String>;

    /// Records a solved cell under a key.
    ///
    /// # Errors
    /// If it cannot be written.
    fn record_cell(&self, key: &str, value: &str) -> Result<(), StudyError>;
}

/// A solved cell in the journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JournalCell {
    /// By measure.
    pub values: Vec<MeasuredValue>,
    pub states: u64,
    /// Why it has no value.
    pub reason: Option<String>,
}

/// A solved cell as JSON: bits of numbers in place of digits, so that nothing is rounded.
#[derive(Serialize, Deserialize)]
struct JournalCellJson {
    bits: Vec<Option<(String, String)>>,
    states: u64,
    reason: Option<String>,
}

impl JournalCell {
    /// Formats the cell as JSON.
    pub fn to_json(&self) -> String {
        let bits = |x: f64| format!("{:016x}", x.to_bits());
        let values = self.values.iter();
        let text = JournalCellJson {
            bits: values.map(|own| own.map(|(value, e)| (bits(value), bits(e)))).collect(),
            states: self.states,
            reason: self.reason.clone(),
        };
        serde_json::to_string(&text).unwrap_or_default()
    }

    /// Parses a cell with this number of measures; `None` if the text is none.
    pub fn parse(text: &str, measures: usize) -> Option<JournalCell> {
        let JournalCellJson { bits, states, reason } = serde_json::from_str(text).ok()?;
        let number = |text: &str| Some(f64::from_bits(u64::from_str_radix(text, 16).ok()?));
        let value = |own: Option<(String, String)>| match own {
            None => Some(None),
            Some((value, error)) => Some(Some((number(&value)?, number(&error)?))),
        };
        let values: Vec<MeasuredValue> = bits.into_iter().map(value).collect::<Option<_>>()?;
        (values.len() == measures).then_some(JournalCell { values, states, reason })
    }
}

/// The key of a place in the grid of a wanted cell.
pub(crate) fn key_of_place(cell: usize, place: usize) -> String {
    format!("{cell}/{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_to_the_last_bit() {
        let cell = JournalCell {
            values: vec![Some((0.1 + 0.2, 1e-17)), None, Some((-0.0, 0.0))],
            states: 7,
            reason: Some("a \"reason\"".to_owned()),
        };
        let text = cell.to_json();
        let read = JournalCell::parse(&text, 3).expect("it is one");
        assert_eq!((read.to_json(), &read), (text.clone(), &cell));
        assert_eq!((JournalCell::parse(&text, 2), JournalCell::parse("[]", 0)), (None, None));
    }
}
