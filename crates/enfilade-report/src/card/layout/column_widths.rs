//! Widths of the columns of a table at a type size, and the blocks of columns it is split into.

use std::ops::Range;

use super::super::card_model::{CardCell, CardLine, CardRow, CardTable, LineEmphasis};
use super::super::page_canvas::black_paper_typeface;
use crate::drawing::TextFontAndColor;

/// The largest width to which a column of numbers is stretched, in units of its type size.
const MAX_COLUMN_WIDTH: f64 = 9.0;

/// The share of the page for the labels of lines in any case, and their largest share if the
/// numbers leave it.
const MIN_LABEL_WIDTH_SHARE: f64 = 0.16;
const MAX_LABEL_WIDTH_SHARE: f64 = 0.4;

/// The widths of a table, in points.
pub struct TableColumnWidths {
    /// Size of the type of its numbers.
    pub size: f64,
    /// White at each side of an entry.
    pub pad: f64,
    /// The columns that name a row.
    pub stubs: Vec<f64>,
    /// The column of the lines' labels; 0 when there is none.
    pub label: f64,
    /// The repeated row heads; 0 without them.
    pub right: f64,
    /// The smallest width of a column of numbers.
    narrowest: f64,
    /// Returns the width between the margins.
    body: f64,
}

impl TableColumnWidths {
    /// Measures a table for a body of this width; row heads are wrapped where that keeps the
    /// columns together.
    pub fn new(table: &CardTable, size: f64, body: f64) -> TableColumnWidths {
        let wide = TableColumnWidths::from_heads_at_size(table, size, body, false);
        if wide.split_into_blocks(table.columns.len()).len() == 1 {
            return wide;
        }
        TableColumnWidths::from_heads_at_size(table, size, body, true)
    }

    fn from_heads_at_size(
        table: &CardTable,
        size: f64,
        body: f64,
        snug: bool,
    ) -> TableColumnWidths {
        let pad = 0.42 * size;
        let number = black_paper_typeface(size);
        let twice = table.needs_heads_on_both_sides();
        let room = if twice { 0.22 } else { 0.34 } * body;
        let narrow =
            (narrowest_row_head_width(table, number.to_bold(), room) + 2.0 * pad).min(room);
        let widest = table.rows.iter().map(|row| number.to_bold().width_of_text(&row.heads[0]));
        let wide = widest.fold(narrow - 2.0 * pad, f64::max) + 2.0 * pad;
        let first = if snug { narrow } else { wide.min(room) };
        let mut stubs = vec![first];
        stubs.extend(widths_of_fact_columns(table, number, pad, body));
        let right = if twice { narrow } else { 0.0 };
        let (whole, word) = widest_label_and_word(table, size, pad);
        let (heads, narrowest) =
            (stubs.iter().sum::<f64>() + right, min_column_width_in_points(table, number, pad));
        // The width that the numbers leave, and at least a whole word.
        let spare = body - heads - table.columns.len() as f64 * narrowest;
        let room = (MIN_LABEL_WIDTH_SHARE * body)
            .max(spare.min(MAX_LABEL_WIDTH_SHARE * body))
            .max(word.min(0.3 * body));
        let label = whole.min(room);
        let narrowest = narrowest.min(body - heads - label);
        TableColumnWidths { size, pad, stubs, label, right, narrowest, body }
    }

    /// Returns the width between the margins.
    pub fn width_between_margins(&self) -> f64 {
        self.body
    }

    /// Returns the width of everything but the numbers.
    pub fn width_without_numbers(&self) -> f64 {
        self.stubs.iter().sum::<f64>() + self.label + self.right
    }

    /// Returns the width of a column if there are `count` of them: the page is filled, within
    /// reason.
    pub fn width_per_number_column(&self, count: usize) -> f64 {
        let even = (self.body - self.width_without_numbers()) / count.max(1) as f64;
        even.min(self.narrowest.max(MAX_COLUMN_WIDTH * self.size))
    }

    /// Splits the columns into blocks that fit the page, about equally many in each.
    pub fn split_into_blocks(&self, columns: usize) -> Vec<Range<usize>> {
        // The small excess over even columns is rounding.
        let fitting = ((self.body - self.width_without_numbers() + 1e-6) / self.narrowest) as usize;
        let count = columns.div_ceil(fitting.max(1)).max(1);
        let each = columns.div_ceil(count);
        let block =
            |number: usize| (number * each).min(columns)..((number + 1) * each).min(columns);
        (0..count).map(block).filter(|block| !block.is_empty()).collect()
    }
}

/// Returns the smallest width, up to `room`, at which no row head has more lines than its row.
fn narrowest_row_head_width(table: &CardTable, set: TextFontAndColor, room: f64) -> f64 {
    let snug = |row: &CardRow| {
        let head = &row.heads[0];
        let mut width = set.measure_longest_word(head);
        while width < room && set.wrap_to_width(head, width).len() > row.lines.len() {
            width += 0.5 * set.size;
        }
        width
    };
    let head = set.measure_longest_word(&table.stubs[0]);
    table.rows.iter().map(snug).fold(head, f64::max)
}

/// Returns the widths of the facts: their natural widths, up to two fifths of the page together.
fn widths_of_fact_columns(
    table: &CardTable,
    set: TextFontAndColor,
    pad: f64,
    body: f64,
) -> Vec<f64> {
    let width = |at: usize| {
        let entries = table.rows.iter().map(|row| set.width_of_text(&row.heads[at]));
        let head = set.to_bold().measure_longest_word(&table.stubs[at]);
        entries.fold(head, f64::max) + 2.0 * pad
    };
    let widths: Vec<_> = (1..table.stubs.len()).map(width).collect();
    let scale = (0.4 * body / widths.iter().sum::<f64>()).min(1.0);
    widths.into_iter().map(|width| scale * width).collect()
}

/// Returns the width of the labels on a line each, and of their longest word.
fn widest_label_and_word(table: &CardTable, size: f64, pad: f64) -> (f64, f64) {
    if !table.has_labels {
        return (0.0, 0.0);
    }
    let set = label_typeface(size);
    let labels = || table.rows.iter().flat_map(|row| &row.lines).map(|line| line.label.as_str());
    let whole = labels().map(|label| set.width_of_text(label)).fold(0.0, f64::max);
    let word = labels().map(|label| set.measure_longest_word(label)).fold(0.0, f64::max);
    (whole + 1.5 * pad, word + 1.5 * pad)
}

/// Returns the type of labels: a little smaller than the numbers, never below seven points.
pub fn label_typeface(size: f64) -> TextFontAndColor {
    black_paper_typeface((size - 1.0).max(7.0))
}

/// Returns the type of a line's numbers.
pub fn number_typeface_of_line(size: f64, tone: LineEmphasis) -> TextFontAndColor {
    let plain = black_paper_typeface(size);
    match tone {
        LineEmphasis::Strong => plain.to_bold(),
        LineEmphasis::Plain => plain,
        LineEmphasis::Faint => plain.with_grey(85),
    }
}

fn min_column_width_in_points(table: &CardTable, number: TextFontAndColor, pad: f64) -> f64 {
    let heads = table.columns.iter().map(|head| number.to_bold().measure_longest_word(head));
    let cell = |line: &CardLine, cell: &Option<CardCell>| {
        let shown = cell.as_ref().map_or("", |cell| cell.text.as_str());
        number_typeface_of_line(number.size, line.tone).width_of_text(shown)
    };
    let line = |line: &CardLine| line.cells.iter().map(|one| cell(line, one)).fold(0.0, f64::max);
    let row = |row: &CardRow| row.lines.iter().map(line).fold(0.0, f64::max);
    let widest = heads.chain(table.rows.iter().map(row)).fold(2.0 * number.size, f64::max);
    // A very long word of a head is broken rather than given the whole page.
    let longest = table.rows.iter().map(row).fold(8.0 * number.size, f64::max);
    widest.min(longest) + 2.0 * pad
}
