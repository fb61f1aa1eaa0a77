//! Unknown contests: ranges in place of values, so that a rule can be checked without a contest.

use std::sync::Arc;

use crate::resolve::game::{ColumnType, FieldDef, ResolvedRulebook, ValueShape};
use crate::value_types::{ContestDataRow, ContestValue, RecordValue, ScalarType, ValueRange};

/// Records within each other that a rule can read.
const MAX_RECORD_DEPTH: usize = 9;

/// Returns the value of a field of an unknown contest.
pub fn unknown_value_of_shape(
    game: &ResolvedRulebook,
    shape: &ValueShape,
    depth: usize,
) -> ContestValue {
    match shape {
        ValueShape::Number(range) => ContestValue::Number(*range),
        ValueShape::OneOf(numbers) => {
            ContestValue::Number(ValueRange::range_spanning_numbers(numbers))
        }
        ValueShape::Die(lo, hi, _) => {
            ContestValue::Number(ValueRange::new(ScalarType::Number, *lo, *hi))
        }
        ValueShape::Row(data) => unknown_data_row(game, *data),
        ValueShape::Marks(marks) => unknown_marks(game, *marks),
        ValueShape::Record(record) => {
            let fields = game.records[*record].fields.iter();
            let inner = |field: &FieldDef| {
                if depth >= MAX_RECORD_DEPTH {
                    let problem = format!("records may be at most {MAX_RECORD_DEPTH} deep");
                    return (ContestValue::Absent(problem.into()), None);
                }
                (unknown_value_of_field(game, field, depth + 1), None)
            };
            ContestValue::Record(Arc::new(RecordValue {
                record: *record,
                fields: fields.map(inner).collect(),
                count: 1,
                name: "".into(),
            }))
        }
        ValueShape::List(lo, hi, of) => {
            let one = unknown_value_of_shape(game, of, depth + 1);
            ContestValue::List(Arc::new([one]), Some((*lo, *hi)))
        }
    }
}

/// Returns the value of a field of an unknown contest, which may be absent.
pub fn unknown_value_of_field(
    game: &ResolvedRulebook,
    field: &FieldDef,
    depth: usize,
) -> ContestValue {
    let value = unknown_value_of_shape(game, &field.shape, depth);
    match field.annotations.optional {
        true => ContestValue::Maybe(Arc::new(value)),
        false => value,
    }
}

/// Returns marks each of which may be present, with any number.
fn unknown_marks(game: &ResolvedRulebook, marks: u16) -> ContestValue {
    let names = crate::resolve::printed_cells::mark_names_of_list(&game.marks[usize::from(marks)]);
    let number = ContestValue::Number(ValueRange::new(
        ScalarType::Number,
        0,
        crate::value_types::VARIABLE_RANGE.1,
    ));
    let one = ContestValue::Maybe(Arc::new(number));
    ContestValue::Marks(marks, names.iter().map(|_| one.clone()).collect())
}

/// Returns a list of any rows, as many as a data block has.
pub fn full_list_of_unknown_rows(game: &ResolvedRulebook, data: u16) -> ContestValue {
    let count = game.data[usize::from(data)].rows.len();
    ContestValue::List((0..count).map(|_| unknown_data_row(game, data)).collect(), None)
}

/// Returns any row of the data, or a custom one.
fn unknown_data_row(game: &ResolvedRulebook, data: u16) -> ContestValue {
    let block = &game.data[usize::from(data)];
    let cells = (0..block.columns.len()).map(|at| match block.kinds.get(at) {
        Some(ColumnType::Marks(marks)) => unknown_marks(game, *marks),
        Some(ColumnType::Typed(kind)) => any_cell(game, &block.cells, at, *kind),
        None => any_cell(game, &block.cells, at, ScalarType::Any),
    });
    let place = ValueRange::new(ScalarType::Row(data), -1, block.rows.len() as i64 - 1);
    ContestValue::Row(Arc::new(ContestDataRow {
        data,
        place,
        parameter: None,
        cells: cells.collect(),
    }))
}

/// Returns any value of the cell's type, because a contest may change it; blank if some row is.
fn any_cell(
    game: &ResolvedRulebook,
    rows: &[Vec<ContestValue>],
    at: usize,
    kind: ScalarType,
) -> ContestValue {
    let value = ContestValue::Number(game.range_of_type(kind));
    let has_number = |row: &Vec<ContestValue>| matches!(row.get(at), Some(ContestValue::Number(_)));
    match rows.is_empty() || !rows.iter().all(has_number) {
        true => ContestValue::Maybe(Arc::new(value)),
        false => value,
    }
}
