//! Tables of text, which every writer only lays out.

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTable {
    /// Column heads.
    pub heads: Vec<String>,
    /// Rows, as long as `heads`.
    pub rows: Vec<Vec<ReportTableCell>>,
    /// Number of columns that name the row; they are repeated when a table is split.
    pub fixed: usize,
}

/// One entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportTableCell {
    /// Words, set flush left.
    Text(String),
    /// A plain number, set flush right.
    Number(String),
    /// An emphasized number.
    Strong(String),
    /// An exact number, a simulated one, or both.
    Odds {
        /// The exact number.
        exact: Option<String>,
        /// The simulated one with its interval.
        simulated: Option<String>,
    },
}

impl ReportTableCell {
    /// Returns the lines of the entry: exact above simulated.
    pub fn entry_lines(&self) -> Vec<&str> {
        match self {
            ReportTableCell::Text(text)
            | ReportTableCell::Number(text)
            | ReportTableCell::Strong(text) => {
                vec![text]
            }
            ReportTableCell::Odds { exact, simulated } => {
                let both = exact.iter().chain(simulated);
                both.map(String::as_str).collect()
            }
        }
    }

    /// Formats the entry in one line: `46.94 (46.95 ± 0.10)`.
    pub fn entry_in_one_line(&self) -> String {
        match self.entry_lines()[..] {
            [] => "–".to_owned(),
            [only] => only.to_owned(),
            [exact, simulated, ..] => format!("{exact} ({simulated})"),
        }
    }

    /// Whether the entry is set flush right.
    pub fn is_flush_right(&self) -> bool {
        !matches!(self, ReportTableCell::Text(_))
    }
}
