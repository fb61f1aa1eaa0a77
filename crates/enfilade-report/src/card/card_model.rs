//! Model of a card, in words and rounded numbers: no fonts, no files.
//!
//! Every text in it is sanitized for terminals. The writers escape markup.

/// A card: tables that share a legend and a footer.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceCard {
    /// Its title.
    pub title: String,
    /// Its tables, at least one.
    pub tables: Vec<CardTable>,
    /// The meaning of its words and signs.
    pub legend: Vec<CardLegendEntry>,
    /// Version, engine, seed and date, one sentence or a few each.
    pub footer: Vec<String>,
}

/// An entry of a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardLegendEntry {
    /// The explained term; empty for a remark on the whole card.
    pub term: String,
    /// The explanation, a sentence or a few words.
    pub text: String,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct CardTable {
    /// The title that distinguishes it from the other tables of its card: `morale 7`; empty for a
    /// single table.
    pub place: String,
    /// The dice with their direction, and the ranges of the axes.
    pub subtitle: String,
    /// The game and its dice: the subtitle where a page has a part of the columns, whose range is
    /// in its title.
    pub part_subtitle: String,
    /// Heads of the columns that name a row: the row's own first, then its facts.
    pub stubs: Vec<String>,
    /// The title of the columns: `DRM`; empty if they are results.
    pub across: String,
    /// Whether rows have several lines, so that each has a label.
    pub has_labels: bool,
    /// Column heads.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<CardRow>,
}

impl CardTable {
    /// Whether the row heads are repeated at the right edge.
    pub fn needs_heads_on_both_sides(&self) -> bool {
        self.columns.len() > 6
    }
}

/// A row: one or several lines under one head.
#[derive(Clone, Debug, PartialEq)]
pub struct CardRow {
    /// Its heads, as many as the table has stubs.
    pub heads: Vec<String>,
    /// Its lines, at least one.
    pub lines: Vec<CardLine>,
}

/// A line of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct CardLine {
    /// Its label: `break`; empty where the columns have the labels.
    pub label: String,
    /// Its style.
    pub tone: LineEmphasis,
    /// Its cells, as many as the table has columns; `None` where the grid has no such cell.
    pub cells: Vec<Option<CardCell>>,
}

/// The emphasis of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEmphasis {
    /// The first line, which readers look for.
    Strong,
    /// Any other.
    Plain,
    /// The rest of a stack.
    Faint,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct CardCell {
    /// Probability 0 to 1, or a mean.
    pub value: f64,
    /// Whether `value` is exact.
    pub exact: bool,
    /// Ends of the 95 % interval of the simulated value, if there is one.
    pub interval: Option<(f64, f64)>,
    /// Trials of the simulation; 0 without one.
    pub trials: u64,
    /// The printed text: `17`, `<1`, `–`, `1.25`, with the marks of its footnotes.
    pub text: String,
    /// Whether the value is a probability, or a difference of two.
    pub percent: bool,
    /// Whether the value is a difference, B less A.
    pub difference: bool,
    /// Its shading.
    pub ground: NumberShading,
}

impl CardCell {
    /// Returns a cell without a number, which has only the marks of footnotes.
    pub fn footnote_marks_only(shown: String) -> CardCell {
        let (value, ground) = (f64::NAN, NumberShading::Paper);
        let (interval, trials, percent, difference) = (None, 0, true, false);
        CardCell { value, exact: true, interval, trials, text: shown, percent, difference, ground }
    }
}

#[cfg(test)]
impl CardCell {
    /// Returns a cell with an exact probability.
    pub fn exactly(value: f64, shown: String, ground: NumberShading) -> CardCell {
        let (interval, trials, difference) = (None, 0, false);
        CardCell {
            value,
            exact: true,
            interval,
            trials,
            text: shown,
            percent: true,
            difference,
            ground,
        }
    }
}

/// The shading of a number by its size, in grey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberShading {
    /// Paper.
    Paper,
    /// Darker the likelier, 0 to 1.
    Whole(f64),
    /// A bar from the middle to the left, for a negative difference: its size, 0 to 1 of the
    /// largest.
    Left(f64),
    /// A bar from the middle to the right, for a positive difference.
    Right(f64),
}
