//! Workbook of answers: for every contest a sheet of its cells and one of their outcomes, the axes
//! first, then the most informative measure; heads have labels for players.
//!
//! A number is the exact one if there is one, or else the simulated one. Chances are shares in the
//! format of percents, so that a spreadsheet can compute with them. The same answers give the same
//! bytes.

use std::collections::BTreeSet;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use crate::error::ReportError;
use crate::headline_measure;
use crate::text::{labels, sentences};
use enfilade_engine::cancel::CancelToken;
use enfilade_model::form::Value;
use enfilade_study::answer::{Answer, MeasureAnswer};

/// The largest length of the name of a sheet, with room for a number and a suffix.
const MAX_SHEET_NAME_CHARS: usize = 16;

/// The formats of numbers.
struct WorkbookCellFormats {
    head: Format,
    percent: Format,
}

/// Builds the workbook; after a cancellation it is incomplete.
///
/// # Errors
/// When there are more rows than a sheet can have.
pub fn build_workbook_of_answers(
    answers: &[Answer],
    halt: &CancelToken,
) -> Result<Vec<u8>, ReportError> {
    try_build_workbook(answers, halt)
        .map_err(|error| ReportError::Invalid(format!("the workbook cannot be written: {error}")))
}

fn try_build_workbook(answers: &[Answer], halt: &CancelToken) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let date = ExcelDateTime::from_ymd(2026, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&date));
    let looks = WorkbookCellFormats {
        head: Format::new().set_bold(),
        percent: Format::new().set_num_format("0.00%"),
    };
    // Spreadsheets reserve this name.
    let mut names = BTreeSet::from(["history".to_owned()]);
    for cells in sentences::split_by_contest(answers) {
        let name = unique_sheet_name(&cells[0].name, &mut names);
        let sheet = book.add_worksheet().set_name(&name)?;
        write_cell_rows(sheet, cells, &looks, halt)?;
        let sheet = book.add_worksheet().set_name(outcome_sheet_name(&name))?;
        write_outcome_rows(sheet, cells, &looks, halt)?;
    }
    book.save_to_buffer()
}

/// Returns the name of the sheet of a contest's outcomes.
fn outcome_sheet_name(name: &str) -> String {
    format!("{name} outcomes")
}

/// Returns a valid name for a sheet that is not taken by another, nor by the outcomes of another.
fn unique_sheet_name(contest: &str, names: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, ' ' | '-' | '_') { c } else { ' ' };
    let name: String = sentences::replace_control_chars(contest)
        .chars()
        .map(plain)
        .take(MAX_SHEET_NAME_CHARS)
        .collect();
    let name = match name.trim() {
        "" => "contest".to_owned(),
        name => name.to_lowercase(),
    };
    let mut numbered = name.clone();
    for number in 2.. {
        if !names.contains(&numbered) && !names.contains(&outcome_sheet_name(&numbered)) {
            break;
        }
        numbered = format!("{name} {number}");
    }
    names.extend([numbered.clone(), outcome_sheet_name(&numbered)]);
    numbered
}

/// Writes the heads of a sheet, which are frozen together with the axes.
fn write_sheet_heads(
    sheet: &mut Worksheet,
    heads: &[String],
    axes: usize,
    looks: &WorkbookCellFormats,
) -> Result<(), XlsxError> {
    for (column, head) in (0..).zip(heads) {
        sheet.write_string_with_format(0, column, head, &looks.head)?;
        sheet.set_column_width(column, (head.chars().count() + 2).max(9) as f64)?;
    }
    sheet.set_freeze_panes(1, u16::try_from(axes).unwrap_or(0))?;
    Ok(())
}

fn column_heads_of_axes(cell: &Answer) -> Vec<String> {
    cell.axes.iter().map(|(path, _)| labels::label_of_parameter(cell, path)).collect()
}

fn write_axis_values(sheet: &mut Worksheet, row: u32, cell: &Answer) -> Result<u16, XlsxError> {
    let mut column = 0;
    for (_, value) in &cell.axes {
        match value {
            Value::Int(n) => sheet.write_number(row, column, *n as f64)?,
            Value::Fraction(parts) => sheet.write_number(row, column, *parts as f64 / 64.0)?,
            Value::Flag(on) => sheet.write_boolean(row, column, *on)?,
            other => sheet.write_string(
                row,
                column,
                sentences::replace_control_chars(&other.to_string()),
            )?,
        };
        column += 1;
    }
    Ok(column)
}

fn write_cell_rows(
    sheet: &mut Worksheet,
    cells: &[Answer],
    looks: &WorkbookCellFormats,
    halt: &CancelToken,
) -> Result<(), XlsxError> {
    let mut measures = sentences::collect_measures(cells);
    let first = headline_measure::choose_headline_measure(&cells.iter().collect::<Vec<_>>());
    let first =
        measures.iter().position(|head| first.as_ref().is_some_and(|f| f.name == head.name));
    // The most informative measure is first, and the others stay in order.
    measures[..first.map_or(0, |at| at + 1)].rotate_right(usize::from(first.is_some()));
    let mut titles = column_heads_of_axes(&cells[0]);
    let fixed = titles.len();
    titles
        .extend(measures.iter().map(|head| sentences::replace_control_chars(&head.display_name())));
    write_sheet_heads(sheet, &titles, fixed, looks)?;
    for (row, cell) in (1..).zip(cells).take_while(|_| !halt.is_cancelled()) {
        let first = write_axis_values(sheet, row, cell)?;
        for (column, head) in (first..).zip(&measures) {
            match cell
                .measure_answer_by_name(&head.name)
                .and_then(MeasureAnswer::best_available_value)
            {
                None => {}
                Some(value) if head.kind.is_shown_in_percent() => {
                    sheet.write_number_with_format(row, column, value, &looks.percent)?;
                }
                Some(value) => {
                    sheet.write_number(row, column, value)?;
                }
            }
        }
    }
    Ok(())
}

fn write_outcome_rows(
    sheet: &mut Worksheet,
    cells: &[Answer],
    looks: &WorkbookCellFormats,
    halt: &CancelToken,
) -> Result<(), XlsxError> {
    let fields = sentences::collect_fields(cells);
    let mut titles = column_heads_of_axes(&cells[0]);
    let fixed = titles.len();
    titles
        .extend(fields.iter().map(|field| sentences::replace_control_chars(&field.display_name())));
    titles.push("chance".to_owned());
    write_sheet_heads(sheet, &titles, fixed, looks)?;
    let last = u16::try_from(titles.len() - 1).unwrap_or(u16::MAX);
    let mut row = 0;
    for cell in cells.iter().take_while(|_| !halt.is_cancelled()) {
        for outcome in &cell.outcomes {
            row += 1;
            let first = write_axis_values(sheet, row, cell)?;
            for (own, value) in cell.fields.iter().zip(&outcome.values) {
                // By name, because another cell of the contest may report other fields.
                let place = fields.iter().position(|field| field.name == own.name);
                let column = place.and_then(|place| u16::try_from(place).ok()).unwrap_or(0);
                sheet.write_number(row, first + column, f64::from(*value))?;
            }
            let chance = outcome.exact.or(outcome.simulated.map(|e| e.value));
            if let Some(chance) = chance {
                sheet.write_number_with_format(row, last, chance, &looks.percent)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sheet_has_a_name_of_its_own() {
        let mut taken = BTreeSet::from(["history".to_owned()]);
        let contests = ["a outcomes", "A", "a", "History", "[*]", "twenty letters are too many"];
        let names = contests.map(|contest| unique_sheet_name(contest, &mut taken));
        let expected = ["a outcomes", "a 2", "a 3", "history 2", "contest", "twenty letters a"];
        assert_eq!(names, expected);
        assert!(taken.iter().all(|name| name.chars().count() <= 31), "what a spreadsheet takes");
    }
}
