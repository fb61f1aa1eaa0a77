//! Unknown contests: ranges in place of values, so that a rule can be checked without a contest.

use std::sync::Arc;

use crate::resolve::game::{Column, FieldKind, Game, Holds};
use crate::types::{DataRow, Fixed, Kind, Range, Record};

/// Returns the value of a field of an unknown contest.
pub fn unknown(game: &Game, holds: &Holds, depth: usize) -> Fixed {
    match holds {
        Holds::Number(range) => Fixed::Number(*range),
        Holds::OneOf(numbers) => Fixed::Number(Range::of(numbers)),
        Holds::Die(lo, hi, _) => Fixed::Number(Range::new(Kind::Number, *lo, *hi)),
        Holds::Row(data) => any_row(game, *data),
        Holds::Marks(marks) => any_marks(game, *marks),
        Holds::Record(record) => {
            let fields = game.records[*record].fields.iter();
            let inner = |field: &FieldKind| {
                if depth > 8 {
                    return (Fixed::Absent("too deep".into()), None);
                }
                (unknown_field(game, field, depth + 1), None)
            };
            Fixed::Record(Arc::new(Record {
                of: *record,
                fields: fields.map(inner).collect(),
                count: 1,
                name: "".into(),
            }))
        }
        Holds::List(lo, hi, of) => {
            let one = unknown(game, of, depth + 1);
            Fixed::List(Arc::new([one]), Some((*lo, *hi)))
        }
    }
}

/// Returns the value of a field of an unknown contest, which may be absent.
pub fn unknown_field(game: &Game, field: &FieldKind, depth: usize) -> Fixed {
    let value = unknown(game, &field.holds, depth);
    match field.said.optional {
        true => Fixed::Maybe(Arc::new(value)),
        false => value,
    }
}

/// Returns marks each of which may be present, with any number.
fn any_marks(game: &Game, marks: u16) -> Fixed {
    let names = crate::resolve::printed_cells::mark_names(&game.marks[usize::from(marks)]);
    let number = Fixed::Number(Range::new(Kind::Number, 0, crate::types::STORED.1));
    let one = Fixed::Maybe(Arc::new(number));
    Fixed::Marks(marks, names.iter().map(|_| one.clone()).collect())
}

/// Returns any row of the data, or a custom one.
fn any_row(game: &Game, data: u16) -> Fixed {
    let block = &game.data[usize::from(data)];
    let cells = (0..block.columns.len()).map(|at| match block.kinds.get(at) {
        Some(Column::Marks(marks)) => any_marks(game, *marks),
        Some(Column::Of(kind)) => any_cell(game, &block.cells, at, *kind),
        None => any_cell(game, &block.cells, at, Kind::Any),
    });
    let place = Range::new(Kind::Row(data), -1, block.rows.len() as i64 - 1);
    Fixed::Row(Arc::new(DataRow { data, place, asked: None, cells: cells.collect() }))
}

/// Returns any value of the cell's type, because a contest may change it; blank if some row is.
fn any_cell(game: &Game, rows: &[Vec<Fixed>], at: usize, kind: Kind) -> Fixed {
    let value = Fixed::Number(game.all_of(kind));
    let has_number = |row: &Vec<Fixed>| matches!(row.get(at), Some(Fixed::Number(_)));
    match rows.is_empty() || !rows.iter().all(has_number) {
        true => Fixed::Maybe(Arc::new(value)),
        false => value,
    }
}
