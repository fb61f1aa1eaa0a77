//! Formats of printed answers.

use crate::blocks::ReportStyle;

/// The format of printed answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PrintedAnswerFormat {
    /// Tables for people.
    Text(ReportStyle),
    /// JSON with every number in full.
    Json,
    /// The table of the cells, as in `cells.csv`.
    Csv,
}
