//! A plain table of text, as a terminal, a spreadsheet or a web page wants it.

use crate::report::blocks::{Entry, TextTable};
use crate::report::terminal::push_table;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle, presets};

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
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
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A head and rows of the same length.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The column heads.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A sheet without rows.
    pub fn new(head: &[&str]) -> Sheet {
        Sheet { head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// Aligned columns, numbers to the right; what is wider than the screen is laid out as any table of
    /// results.
    pub fn table(&self, width: usize) -> String {
        let drawn = self.drawn(RULED);
        if drawn.lines().all(|line| line.chars().count() <= width) {
            return drawn;
        }
        let entry = |cell: &String| match is_number(cell) {
            true => Entry::Number(cell.clone()),
            false => Entry::Text(cell.clone()),
        };
        let rows = self.rows.iter().map(|row| row.iter().map(entry).collect()).collect();
        let table = TextTable { heads: self.head.clone(), rows, fixed: 1 };
        let mut out = String::new();
        push_table(&mut out, &table, width);
        out
    }

    /// A Markdown table.
    pub fn markdown(&self) -> String {
        self.drawn(presets::ASCII_MARKDOWN)
    }

    fn drawn(&self, preset: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(preset).set_header(&self.head);
        table.add_rows(&self.rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.rows.iter().all(|row| is_number(&row[index])) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        lines.concat()
    }

    /// Comma-separated values; what holds a comma, a quote or a line's end is quoted.
    pub fn csv(&self) -> String {
        let lines = std::iter::once(&self.head).chain(&self.rows);
        let line = |cells: &Vec<String>| {
            let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        };
        lines.map(line).collect()
    }
}

fn is_number(cell: &str) -> bool {
    let digits = cell.trim_end_matches(['%', ' ']);
    let parts: Vec<_> = digits.split('/').collect();
    parts.len() <= 2 && parts.iter().all(|part| part.parse::<f64>().is_ok())
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        let mut sheet = Sheet::new(&["a", "b"]);
        sheet.rows.push(vec!["x, \"y\"".into(), "1".into()]);
        assert_eq!(sheet.csv(), "a,b\n\"x, \"\"y\"\"\",1\n");
    }
}
