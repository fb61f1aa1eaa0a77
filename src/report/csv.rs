//! The typed tables as comma-separated text.
//!
//! Fields are quoted as RFC 4180 says; lines end with a line feed. A spreadsheet runs a cell that
//! starts with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, so a text that does and
//! is no number gets an apostrophe in front. So does one that starts with a full-width sign, which
//! some spreadsheets take for the narrow one, or has nothing but invisible marks in front of a sign.

use std::io::{self, Write};

use super::columns::{Table, Values};
use super::words::clean;
use crate::form::shown::steers;

/// A table with its column names in the first line.
pub fn render(table: &Table) -> String {
    lines(table).collect()
}

/// The same, line by line: the text of a large table is never whole in memory.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    lines(table).try_for_each(|line| out.write_all(line.as_bytes()))
}

fn lines(table: &Table) -> impl Iterator<Item = String> {
    let head = line(table.columns.iter().map(|c| text(&c.name)));
    let row = |row| line(table.columns.iter().map(|c| field(&c.values, row)));
    std::iter::once(head).chain((0..table.rows()).map(row))
}

fn line(fields: impl Iterator<Item = String>) -> String {
    let mut line = String::new();
    for (i, field) in fields.enumerate() {
        if i > 0 {
            line.push(',');
        }
        line.push_str(&field);
    }
    line + "\n"
}

/// One value; nothing for null.
fn field(values: &Values, row: usize) -> String {
    match values {
        Values::Count(all) => all[row].map(|n| n.to_string()),
        Values::Whole(all) => all[row].map(|n| n.to_string()),
        // `{:?}` is the shortest text that reads back as the same number.
        Values::Number(all) => all[row].map(|x| format!("{x:?}")),
        Values::Flag(all) => all[row].map(|on| on.to_string()),
        Values::Text(all) => all[row].as_deref().map(text),
    }
    .unwrap_or_default()
}

/// What a formula starts with, narrow and in full width.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A text as a field: quoted where it must be, and no formula.
pub(super) fn text(raw: &str) -> String {
    let formula =
        raw.starts_with(['\t', '\r']) || raw.trim_start_matches(steers).starts_with(SIGNS);
    let guard = if formula && !is_number(raw) { "'" } else { "" };
    let shown = format!("{guard}{}", clean(raw));
    if shown.contains(['"', ',']) || shown.is_empty() {
        return format!("\"{}\"", shown.replace('"', "\"\""));
    }
    shown
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::columns;
    use crate::report::fixture;

    #[test]
    fn a_text_is_no_formula() {
        assert_eq!(text("=1+1"), "'=1+1");
        assert_eq!(text("@SUM(A1)"), "'@SUM(A1)");
        assert_eq!(text("\t=1"), "'\u{fffd}=1");
        assert_eq!(text("-inf"), "'-inf");
        assert_eq!(text("+nan"), "'+nan");
        assert_eq!(text("-3"), "-3");
        assert_eq!(text("+2.5"), "+2.5");
        assert_eq!(text("--3"), "'--3");
        assert_eq!(text("4-4-7"), "4-4-7");
        assert_eq!(text("＝1+1"), "'＝1+1");
        assert_eq!(text("＠SUM(A1)"), "'＠SUM(A1)");
        assert_eq!(text("\u{200b}=1+1"), "'\u{fffd}=1+1");
        assert_eq!(text("\u{feff}\u{200e}+1"), "'\u{fffd}\u{fffd}+1");
        assert_eq!(text("\u{200b}a=1"), "\u{fffd}a=1");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(text("a,b"), "\"a,b\"");
        assert_eq!(text("6\" gun"), "\"6\"\" gun\"");
        assert_eq!(text("=A,\"B\""), "\"'=A,\"\"B\"\"\"");
        assert_eq!(text(""), "\"\"");
    }

    #[test]
    fn numbers_keep_their_digits_and_nulls_are_empty() {
        let csv = render(&columns::cells(&fixture::played()));
        let (head, row) = csv.split_once('\n').expect("there are two lines");
        let column = |name| {
            head.split(',')
                .position(|h| h == name)
                .expect("there is such a column")
        };
        let row: Vec<_> = row.trim_end().split(',').collect();
        assert_eq!(row[column("p_kill_exact")], "");
        assert_eq!(row[column("p_kill_sim")], "0.111111");
        assert_eq!(row[column("states")], "");
        assert_eq!(row[column("trials")], "2000");
    }
}
