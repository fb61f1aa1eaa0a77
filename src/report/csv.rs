//! The typed tables as comma-separated text.
//!
//! Fields are quoted as RFC 4180 says; lines end with a line feed. A spreadsheet runs a cell that
//! starts with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, so a text that does and
//! is no number gets an apostrophe in front. So does one that starts with a full-width sign, which
//! some spreadsheets take for the narrow one, or has nothing but invisible marks in front of a sign.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::columns::{Column, Table, Values};
use super::words::clean;
use crate::form::shown::steers;

/// A table with its column names in the first line.
pub fn render(table: &Table) -> String {
    let mut text = Vec::new();
    // Memory can always be written to.
    let _ = write(table, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// The same, line by line: the text of a large table is never whole in memory.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    write_head(table, out)?;
    write_rows(table, out)
}

/// The names of the columns.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_head(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let name = |column: &Column, line: &mut String| line.push_str(&escaped(&column.name));
    out.write_all(line(&table.columns, &mut String::new(), name).as_bytes())
}

/// The rows, without the names of their columns.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_rows(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    (0..table.rows()).try_for_each(|row| {
        let value = |column: &Column, line: &mut String| field(&column.values, row, line);
        out.write_all(line(&table.columns, &mut text, value).as_bytes())
    })
}

/// A line in a text that is used again for every one.
fn line<'a>(
    columns: &[Column],
    line: &'a mut String,
    write: impl Fn(&Column, &mut String),
) -> &'a str {
    line.clear();
    for (i, column) in columns.iter().enumerate() {
        if i > 0 {
            line.push(',');
        }
        write(column, line);
    }
    line.push('\n');
    line
}

/// Adds one value to a line; nothing for null.
fn field(values: &Values, row: usize, line: &mut String) {
    // Text is always there to be written to.
    let _ = match values {
        Values::Count(all) => all[row].map_or(Ok(()), |n| write!(line, "{n}")),
        Values::Whole(all) => all[row].map_or(Ok(()), |n| write!(line, "{n}")),
        // `{:?}` is the shortest text that reads back as the same number.
        Values::Number(all) => all[row].map_or(Ok(()), |x| write!(line, "{x:?}")),
        Values::Flag(all) => all[row].map_or(Ok(()), |on| write!(line, "{on}")),
        Values::Text(all) => {
            line.push_str(&all[row].as_deref().map_or(Cow::Borrowed(""), escaped));
            Ok(())
        }
    };
}

/// What a formula starts with, narrow and in full width.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A text as a field: quoted where it must be, and no formula.
pub(super) fn text(raw: &str) -> String {
    escaped(raw).into_owned()
}

fn escaped(raw: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_graphic() && c != '"' || c == ' ';
    if raw.starts_with(|c: char| c.is_ascii_alphanumeric()) && raw.chars().all(plain) {
        // What most texts are: nothing in it could be a formula or would have to be quoted.
        let quoted = raw.contains(',').then(|| format!("\"{raw}\""));
        return quoted.map_or(Cow::Borrowed(raw), Cow::Owned);
    }
    let formula =
        raw.starts_with(['\t', '\r']) || raw.trim_start_matches(steers).starts_with(SIGNS);
    let guard = if formula && !is_number(raw) { "'" } else { "" };
    let shown = format!("{guard}{}", clean(raw));
    if shown.contains(['"', ',']) || shown.is_empty() {
        return Cow::Owned(format!("\"{}\"", shown.replace('"', "\"\"")));
    }
    Cow::Owned(shown)
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
        let column =
            |name| head.split(',').position(|h| h == name).expect("there is such a column");
        let row: Vec<_> = row.trim_end().split(',').collect();
        assert_eq!(row[column("p_kill_exact")], "");
        assert_eq!(row[column("p_kill_sim")], "0.111111");
        assert_eq!(row[column("states")], "");
        assert_eq!(row[column("trials")], "2000");
    }
}
