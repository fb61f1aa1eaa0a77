//! Tables of text, which every writer only lays out.

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTable {
    /// Column heads.
    pub heads: Vec<String>,
    /// Rows, as long as `heads`.
    pub rows: Vec<Vec<Entry>>,
    /// Number of columns that name the row; they are repeated when a table is split.
    pub fixed: usize,
}

/// One entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
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

impl Entry {
    /// Returns the lines of the entry: exact above simulated.
    pub fn lines(&self) -> Vec<&str> {
        match self {
            Entry::Text(text) | Entry::Number(text) | Entry::Strong(text) => vec![text],
            Entry::Odds { exact, simulated } => {
                let both = exact.iter().chain(simulated);
                both.map(String::as_str).collect()
            }
        }
    }

    /// Formats the entry in one line: `46.94 (46.95 ± 0.10)`.
    pub fn inline(&self) -> String {
        match self.lines()[..] {
            [] => "–".to_owned(),
            [only] => only.to_owned(),
            [exact, simulated, ..] => format!("{exact} ({simulated})"),
        }
    }

    /// Whether the entry is set flush right.
    pub fn is_number(&self) -> bool {
        !matches!(self, Entry::Text(_))
    }
}
