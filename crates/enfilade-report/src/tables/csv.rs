//! The typed tables as comma-separated text.
//!
//! Fields are quoted as in RFC 4180; lines end with a line feed. A spreadsheet runs a cell that
//! starts with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, so a text of this kind
//! that is no number gets an apostrophe in front. So does one that starts with a full-width sign,
//! which some spreadsheets read as the narrow one, or that has only invisible marks in front of a
//! sign.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::tables::{ColumnValues, TypedColumn, TypedTable};
use crate::text::sentences::replace_control_chars;
use enfilade_model::form::sanitize::is_control_or_invisible;

/// The decimal mark, which also determines the separator of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalSign {
    /// `0.5`, with commas between.
    #[default]
    Point,
    /// `0,5`, with semicolons between, as spreadsheets expect in countries with decimal commas.
    Comma,
}

impl DecimalSign {
    fn csv_field_separator(self) -> char {
        match self {
            DecimalSign::Point => ',',
            DecimalSign::Comma => ';',
        }
    }
}

/// Renders a table with its column names in the first line.
pub fn render_csv(table: &TypedTable) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_table_as_csv(table, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes a table line by line, so that the text of a large table is never complete in memory.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_table_as_csv(table: &TypedTable, out: &mut impl Write) -> io::Result<()> {
    write_csv_head(table, DecimalSign::Point, out)?;
    write_csv_rows(table, DecimalSign::Point, out)
}

/// Writes the names of the columns.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_csv_head(
    table: &TypedTable,
    decimal: DecimalSign,
    out: &mut impl Write,
) -> io::Result<()> {
    let between = decimal.csv_field_separator();
    let name = |column: &TypedColumn, line: &mut String| {
        line.push_str(&quote_and_disarm_formula(&column.name, between))
    };
    out.write_all(format_csv_line(&table.columns, between, &mut String::new(), name).as_bytes())
}

/// Writes the rows, without the names of their columns.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_csv_rows(
    table: &TypedTable,
    decimal: DecimalSign,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut text = String::new();
    (0..table.row_count()).try_for_each(|row| {
        let value = |column: &TypedColumn, line: &mut String| {
            push_csv_field(&column.values, row, decimal, line)
        };
        out.write_all(
            format_csv_line(&table.columns, decimal.csv_field_separator(), &mut text, value)
                .as_bytes(),
        )
    })
}

/// Formats a line in a buffer that is reused for every line.
fn format_csv_line<'a>(
    columns: &[TypedColumn],
    between: char,
    line: &'a mut String,
    write: impl Fn(&TypedColumn, &mut String),
) -> &'a str {
    line.clear();
    for (i, column) in columns.iter().enumerate() {
        if i > 0 {
            line.push(between);
        }
        write(column, line);
    }
    line.push('\n');
    line
}

/// Pushes one value to a line; nothing for null.
fn push_csv_field(values: &ColumnValues, row: usize, decimal: DecimalSign, line: &mut String) {
    let start = line.len();
    // Writing to a string cannot fail.
    let _ = match values {
        ColumnValues::Count(all) => all[row].map_or(Ok(()), |n| write!(line, "{n}")),
        ColumnValues::Whole(all) => all[row].map_or(Ok(()), |n| write!(line, "{n}")),
        // `{:?}` is the shortest text that reads back as the same number.
        ColumnValues::Number(all) => {
            let written = all[row].map_or(Ok(()), |x| write!(line, "{x:?}"));
            if let (DecimalSign::Comma, Some(point)) = (decimal, line[start..].find('.')) {
                line.replace_range(start + point..=start + point, ",");
            }
            written
        }
        ColumnValues::Flag(all) => all[row].map_or(Ok(()), |on| write!(line, "{on}")),
        ColumnValues::Text(all) => {
            line.push_str(&all[row].as_deref().map_or(Cow::Borrowed(""), |text| {
                quote_and_disarm_formula(text, decimal.csv_field_separator())
            }));
            Ok(())
        }
    };
}

/// The signs that start a formula, narrow and full-width.
const FORMULA_START_CHARS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Formats a text as a field: quoted if necessary, and never a formula.
pub fn quote_and_defuse_formula(raw: &str) -> String {
    quote_and_disarm_formula(raw, DecimalSign::Point.csv_field_separator()).into_owned()
}

fn quote_and_disarm_formula(raw: &str, between: char) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_graphic() && c != '"' || c == ' ';
    if raw.starts_with(|c: char| c.is_ascii_alphanumeric()) && raw.chars().all(plain) {
        // Most texts need neither an apostrophe nor quotes.
        let quoted = raw.contains(between).then(|| format!("\"{raw}\""));
        return quoted.map_or(Cow::Borrowed(raw), Cow::Owned);
    }
    let formula = raw.starts_with(['\t', '\r'])
        || raw.trim_start_matches(is_control_or_invisible).starts_with(FORMULA_START_CHARS);
    let guard = if formula && !is_decimal_number(raw) { "'" } else { "" };
    let shown = format!("{guard}{}", replace_control_chars(raw));
    if shown.contains(['"', between]) || shown.is_empty() {
        return Cow::Owned(format!("\"{}\"", shown.replace('"', "\"\"")));
    }
    Cow::Owned(shown)
}

fn is_decimal_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables;
    use crate::test_answers;

    #[test]
    fn a_decimal_comma_has_semicolons_between() {
        let table = TypedTable {
            name: "cells",
            columns: vec![
                column("a;b", ColumnValues::Number(vec![Some(0.25), None, Some(1e-7)])),
                column(
                    "c",
                    ColumnValues::from_optional_words(
                        ["x; y", "1,5", "-z"].map(|t| Some(t.to_owned())).into_iter(),
                    ),
                ),
            ],
        };
        let mut text = Vec::new();
        write_csv_head(&table, DecimalSign::Comma, &mut text).expect("memory");
        write_csv_rows(&table, DecimalSign::Comma, &mut text).expect("memory");
        let expected = "\"a;b\";c\n0,25;\"x; y\"\n;1,5\n1e-7;'-z\n";
        assert_eq!(String::from_utf8(text).as_deref(), Ok(expected));
    }

    fn column(name: &str, values: ColumnValues) -> TypedColumn {
        TypedColumn { name: name.to_owned(), values }
    }

    #[test]
    fn a_text_is_no_formula() {
        assert_eq!(quote_and_defuse_formula("=1+1"), "'=1+1");
        assert_eq!(quote_and_defuse_formula("@SUM(A1)"), "'@SUM(A1)");
        assert_eq!(quote_and_defuse_formula("\t=1"), "'\u{fffd}=1");
        assert_eq!(quote_and_defuse_formula("-inf"), "'-inf");
        assert_eq!(quote_and_defuse_formula("+nan"), "'+nan");
        assert_eq!(quote_and_defuse_formula("-3"), "-3");
        assert_eq!(quote_and_defuse_formula("+2.5"), "+2.5");
        assert_eq!(quote_and_defuse_formula("--3"), "'--3");
        assert_eq!(quote_and_defuse_formula("4-4-7"), "4-4-7");
        assert_eq!(quote_and_defuse_formula("＝1+1"), "'＝1+1");
        assert_eq!(quote_and_defuse_formula("＠SUM(A1)"), "'＠SUM(A1)");
        assert_eq!(quote_and_defuse_formula("\u{200b}=1+1"), "'\u{fffd}=1+1");
        assert_eq!(quote_and_defuse_formula("\u{feff}\u{200e}+1"), "'\u{fffd}\u{fffd}+1");
        assert_eq!(quote_and_defuse_formula("\u{200b}a=1"), "\u{fffd}a=1");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quote_and_defuse_formula("a,b"), "\"a,b\"");
        assert_eq!(quote_and_defuse_formula("6\" gun"), "\"6\"\" gun\"");
        assert_eq!(quote_and_defuse_formula("=A,\"B\""), "\"'=A,\"\"B\"\"\"");
        assert_eq!(quote_and_defuse_formula(""), "\"\"");
    }

    #[test]
    fn numbers_keep_their_digits_and_nulls_are_empty() {
        let csv = render_csv(&tables::build_cells_table(&test_answers::build_simulated_only()));
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
