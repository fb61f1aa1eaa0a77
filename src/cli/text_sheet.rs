//! A table of text for a terminal, a spreadsheet or a web page.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::report::blocks::{ReportBlock, ReportTableCell, TextTable, markdown};
use crate::report::tables::csv;
use crate::report::terminal::push_table_split_to_width;

/// Formats of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TableTextFormat {
    /// Aligned columns for reading
    #[default]
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values
    Csv,
    /// A Markdown table
    Markdown,
}

/// One rule, under the head.
const TABLE_WITH_RULED_HEAD: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A head and rows of the same length.
#[derive(Clone, Debug, Default)]
pub struct HeadAndTextRows {
    /// The column heads.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl HeadAndTextRows {
    /// A sheet without rows.
    pub fn new(head: &[&str]) -> HeadAndTextRows {
        HeadAndTextRows {
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Aligned columns, numbers to the right; a table wider than the screen is laid out as a table
    /// of results.
    pub fn render_aligned_columns(&self, width: usize) -> String {
        let drawn = self.draw_unwrapped_table();
        if drawn.lines().all(|line| line.chars().count() <= width) {
            return drawn;
        }
        let mut out = String::new();
        push_table_split_to_width(&mut out, &self.convert_to_report_table(), width);
        out
    }

    /// A Markdown table.
    pub fn render_as_markdown(&self) -> String {
        markdown::markdown_text(&[ReportBlock::Table(
            String::new(),
            self.convert_to_report_table(),
        )])
    }

    fn convert_to_report_table(&self) -> TextTable {
        let entry = |cell: &String| match is_numeric_text(cell) {
            true => ReportTableCell::Number(cell.clone()),
            false => ReportTableCell::Text(cell.clone()),
        };
        let rows = self.rows.iter().map(|row| row.iter().map(entry).collect()).collect();
        TextTable { heads: self.head.clone(), rows, fixed: 1 }
    }

    fn draw_unwrapped_table(&self) -> String {
        let mut table = Table::new();
        table.load_style(TABLE_WITH_RULED_HEAD).set_header(&self.head);
        table.add_rows(&self.rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.rows.iter().all(|row| is_numeric_text(&row[index])) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        lines.concat()
    }

    /// Comma-separated values in the style of all others; nothing for an empty cell.
    pub fn render_as_csv(&self) -> String {
        let lines = std::iter::once(&self.head).chain(&self.rows);
        let line = |cells: &Vec<String>| {
            let text = |cell: &String| match cell.is_empty() {
                true => String::new(),
                false => csv::quote_and_defuse_formula(cell),
            };
            cells.iter().map(text).collect::<Vec<_>>().join(",") + "\n"
        };
        lines.map(line).collect()
    }
}

fn is_numeric_text(cell: &str) -> bool {
    let digits = cell.trim_end_matches(['%', ' ']);
    let parts: Vec<_> = digits.split('/').collect();
    parts.len() <= 2 && parts.iter().all(|part| part.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        let mut sheet = HeadAndTextRows::new(&["a", "b"]);
        sheet.rows.push(vec!["x, \"y\"".into(), "-1".into()]);
        sheet.rows.push(vec!["=1".into(), String::new()]);
        assert_eq!(sheet.render_as_csv(), "a,b\n\"x, \"\"y\"\"\",-1\n'=1,\n");
    }

    #[test]
    fn a_name_is_no_markup() {
        let mut sheet = HeadAndTextRows::new(&["dice", "%"]);
        sheet.rows.push(vec!["d6|d8".into(), "5".into()]);
        assert_eq!(sheet.render_as_markdown(), "| dice | % |\n| --- | ---: |\n| d6\\|d8 | 5 |\n");
    }
}
