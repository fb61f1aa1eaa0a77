//! Cells of data and tables that a contest changes.
//!
//! A changed table cell is a parameter like a field: contests that differ in it share a program,
//! which loads it at run time.

use crate::resolve::CHANGE_FIELD;
use crate::resolve::game::{ResolvedRulebook, TableDef, TableRowOrColumnKeys};
use crate::resolve::printed_cells::{name_of_printed_word, parse_cell};
use crate::resolve::tables::{parse_number_or_range_key, read_by_legend};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use enfilade_model::form::{Fault, Form, Value};

/// Changed cells of a contest.
#[derive(Default)]
pub struct ChangedTableCells<'f> {
    form: Option<&'f Form>,
    /// All changes as comparable numbers.
    pub(super) key: Vec<i64>,
}

impl<'f> ChangedTableCells<'f> {
    /// Reads the changes of a form.
    pub fn read_from_contest(form: &'f Form) -> ChangedTableCells<'f> {
        let form = form.table_if_present(CHANGE_FIELD).filter(|_| form.has(CHANGE_FIELD));
        let mut written = Vec::new();
        if let Some(form) = form {
            append_form_values_to_key(form, &mut written);
        }
        ChangedTableCells { form, key: written }
    }

    /// Finds a changed cell of data or of a table; in a table without columns the row is the cell.
    pub(super) fn find_changed_cell(
        &self,
        block: &str,
        row: &str,
        column: Option<&str>,
    ) -> Option<&'f Value> {
        let block = self.form?.nested_form_if_present(block)?;
        match column {
            Some(column) => block.nested_form_if_present(row)?.get(column),
            None => block.get(row),
        }
    }
}

/// Encodes a form of names and numbers, each text with its length.
fn append_form_values_to_key(form: &Form, key: &mut Vec<i64>) {
    let text = |text: &str, key: &mut Vec<i64>| {
        key.push(text.len() as i64);
        key.extend(text.bytes().map(i64::from));
    };
    for (name, value) in form.fields_with_values() {
        text(name, key);
        match value {
            Value::Table(inner) => {
                key.push(-1);
                append_form_values_to_key(inner, key);
                key.push(-2);
            }
            Value::Int(n) => key.extend([-3, *n]),
            other => text(&other.to_string(), key),
        }
    }
}

/// Access to a table of a form that may be absent or another value.
trait NestedFormLookup {
    fn nested_form_if_present(&self, name: &str) -> Option<&Form>;
}

impl NestedFormLookup for Form {
    fn nested_form_if_present(&self, name: &str) -> Option<&Form> {
        match self.get(name)? {
            Value::Table(inner) => Some(inner),
            _ => None,
        }
    }
}

/// Table cell that a contest changes.
#[derive(Debug)]
pub struct ChangedTableCell<'f> {
    /// Table, and index of the cell in it.
    pub place: (usize, usize),
    /// Last key of its path.
    pub last: &'f str,
    /// Value.
    pub value: ContestValue,
    /// Numbers that it may have in contests that share a program; `None` if it is not a number.
    pub range: Option<ValueRange>,
}

/// Returns the table cells that a form changes, in the order of the rulebook.
///
/// # Errors
/// A fault for each text that no line of the table's legend matches.
pub fn resolve_changed_cells<'f>(
    game: &ResolvedRulebook,
    form: &'f Form,
) -> Result<Vec<ChangedTableCell<'f>>, Vec<Fault>> {
    let (mut cells, mut faults) = (Vec::new(), Vec::new());
    let Some(change) = ChangedTableCells::read_from_contest(form).form else { return Ok(cells) };
    for (at, table) in game.tables.iter().enumerate() {
        let Some(rows) = change.nested_form_if_present(&table.name) else { continue };
        for (row, value) in rows.fields_with_values() {
            let columns = match value {
                Value::Table(columns) => columns,
                value => {
                    let place = find_table_cell(game, at, row, None);
                    cells.extend(resolve_one_changed_cell(
                        game,
                        (at, place),
                        row,
                        value,
                        row,
                        &mut faults,
                    ));
                    continue;
                }
            };
            for (column, value) in columns.fields_with_values() {
                let place = find_table_cell(game, at, row, Some(column));
                let path = format!("{row}.{column}");
                cells.extend(resolve_one_changed_cell(
                    game,
                    (at, place),
                    column,
                    value,
                    &path,
                    &mut faults,
                ));
            }
        }
    }
    cells.sort_by_key(|cell| cell.place);
    if faults.is_empty() { Ok(cells) } else { Err(faults) }
}

/// Returns one changed cell. Reports a text that no line of the table's legend matches.
fn resolve_one_changed_cell<'f>(
    game: &ResolvedRulebook,
    (at, place): (usize, Option<usize>),
    last: &'f str,
    value: &Value,
    path: &str,
    faults: &mut Vec<Fault>,
) -> Option<ChangedTableCell<'f>> {
    let (table, place) = (&game.tables[at], place?);
    let Some(value) = parse_value_of_table_cell(game, table, value) else {
        let path = format!("{CHANGE_FIELD}.{}.{path}", table.name);
        faults.push(Fault::new(path, format!("no `cell` line explains `{value}`")));
        return None;
    };
    let range = value.number_range().map(|now| {
        let printed = table.cells.iter().filter_map(ContestValue::constant_number);
        value_range_to_compile_for(
            game,
            printed.fold(now, |all, one| all.union(ValueRange::from_number(now.kind, one))),
            now.lo,
        )
    });
    Some(ChangedTableCell { place: (at, place), last, value, range })
}

/// Returns the range that a changed cell is compiled for, so that contests with different changes
/// share a program: the printed numbers, extended to the next power of two.
pub fn value_range_to_compile_for(
    game: &ResolvedRulebook,
    printed: ValueRange,
    now: i64,
) -> ValueRange {
    if printed.kind != ScalarType::Number {
        return game.range_of_type(printed.kind);
    }
    let beyond = |n: i64| match u64::try_from(n) {
        Ok(above) => (above + 1).next_power_of_two() as i64 - 1,
        Err(_) => -(n.unsigned_abs().next_power_of_two() as i64),
    };
    let (lo, hi) = (printed.lo.min(now), printed.hi.max(now));
    ValueRange::new(ScalarType::Number, if lo < 0 { beyond(lo) } else { 0 }, beyond(hi.max(0)))
}

/// Returns the index of a table cell by its printed keys.
pub fn find_table_cell(
    game: &ResolvedRulebook,
    table: usize,
    row: &str,
    column: Option<&str>,
) -> Option<usize> {
    let table = &game.tables[table];
    let row = index_of_printed_key(&table.rows, row)?;
    match (&table.columns, column) {
        (None, None) => Some(row),
        (Some(keys), Some(column)) => Some(row * keys.len() + index_of_printed_key(keys, column)?),
        (None, Some(_)) | (Some(_), None) => None,
    }
}

/// Returns the index of a printed key.
fn index_of_printed_key(keys: &TableRowOrColumnKeys, printed: &str) -> Option<usize> {
    match keys {
        TableRowOrColumnKeys::Words(words) => {
            let word = name_of_printed_word(printed);
            words.iter().position(|known| *known == printed || *known == word)
        }
        TableRowOrColumnKeys::Numbers(numbers) => {
            let (from, to, _) = parse_number_or_range_key(printed)?;
            numbers.iter().position(|known| *known == (from, to))
        }
    }
}

/// Parses the value of a table cell that a contest gives; `None` if no line of the legend matches
/// it.
fn parse_value_of_table_cell(
    game: &ResolvedRulebook,
    table: &TableDef,
    value: &Value,
) -> Option<ContestValue> {
    match &table.legend {
        Some(legend) => {
            let words = game.words[usize::from(legend.list)].words.len();
            read_by_legend(legend, words, &value.to_string())
        }
        None => Some(convert_changed_cell(game, table.kind, value)),
    }
}

/// Converts a cell of a contest to the type of its column or table.
pub(super) fn convert_changed_cell(
    game: &ResolvedRulebook,
    kind: ScalarType,
    value: &Value,
) -> ContestValue {
    match value {
        Value::Int(n) => ContestValue::from_number(kind, *n),
        Value::Flag(on) => ContestValue::from_number(kind, (*on).into()),
        Value::Die(sides) => ContestValue::from_number(kind, (*sides).into()),
        other => parse_cell(game, kind, &other.to_string(), || "the cell is blank".into()),
    }
}
