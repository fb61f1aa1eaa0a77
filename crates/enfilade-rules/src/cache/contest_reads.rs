//! Numbers that a contest reads: those that its program loads, and those that shape its code.
//!
//! Two contests that agree in these numbers have one program and one distribution, whatever their
//! other numbers are.

use super::contest_numbers::{is_reckoned, slots};
use super::program_cache::Kept;
use crate::lower::changed_cells::place_in_table;
use crate::lower::compile::Asked;
use crate::lower::{Lowering, Slots, Why};
use crate::resolve::CHANGE;
use crate::resolve::game::{Game, Holds, Top};
use crate::syntax::ast::Default;
use crate::types::Fixed;

/// Number that may vary between contests.
enum Sought<'n> {
    /// Field: the first and the last name of its path.
    Field(&'n str, &'n str),
    /// Table cell: the table and the index of the cell.
    Cell(usize, usize),
    /// Data cell: the block, the row and the column.
    Data(usize, i64, &'n str),
}

/// Returns, for each number, whether a contest reads it. A number is named by the keys of its path.
/// Returns `None` if there is no such contest.
pub fn reads(kept: &Kept, asked: &Asked, numbers: &[Vec<String>]) -> Option<Vec<bool>> {
    let game = &*asked.game;
    let (mut lowering, _) = asked.filled(Why::Play).ok()?;
    let reckoned = slots(&mut lowering, |stands| stands.is_reckoned(game));
    let sought: Vec<_> = numbers.iter().map(|number| sought(game, number)).collect();
    let by_number: Vec<Slots> =
        sought.iter().map(|one| slots_of(one.as_ref(), &mut lowering)).collect();
    let listed = sought.iter().zip(&by_number);
    let listed: Vec<bool> =
        listed.map(|(one, slots)| is_beside(one.as_ref(), *slots, &lowering)).collect();
    let before = lowering.scopes.touched;
    let cells: Vec<_> = lowering.scopes.changed.iter().map(|changed| changed.at).collect();
    let program = kept.program(asked, lowering).ok()?.program;
    // A derived value may depend on any field.
    let reads_all = program.reads & reckoned != 0 || reckons_beside(game, asked.action);
    let touched = program.touched | before;
    let read = sought.iter().zip(by_number).zip(listed).map(|((one, own), listed)| match one {
        Some(Sought::Cell(table, place)) => {
            let at = cells.iter().position(|at| *at == (*table, *place));
            at.is_none_or(|at| touched >> at.min(127) & 1 == 1)
        }
        Some(Sought::Data(..)) => reads_all || listed || own & program.reads != 0,
        Some(Sought::Field(..)) => reads_all || own == 0 || own & program.reads != 0,
        None => true,
    });
    Some(read.collect())
}

/// Finds the number that these keys name.
fn sought<'n>(game: &Game, number: &'n [String]) -> Option<Sought<'n>> {
    let (first, last) = (number.first()?, number.last()?);
    if first != CHANGE {
        return Some(Sought::Field(first, last));
    }
    match *game.names.get(number.get(1)?)? {
        Top::Table(table) => {
            let place = place_in_table(game, table, number.get(2)?, number.get(3))?;
            Some(Sought::Cell(table, place))
        }
        Top::Data(data) => {
            let row = game.row(data as u16, number.get(2)?)? as i64;
            Some(Sought::Data(data, row, number.get(3)?))
        }
        Top::Field(_) | Top::Part(_) => None,
    }
}

/// Returns the slots that a number may occupy.
fn slots_of(one: Option<&Sought>, lowering: &mut Lowering<'_>) -> Slots {
    slots(lowering, |stands| match one {
        // The cells of a row depend on the name of the row.
        Some(Sought::Field(top, last)) => {
            stands.top == *top
                && (top == last || stands.last == *last || stands.column == Some(last))
        }
        Some(Sought::Data(data, row, column)) => {
            stands.column == Some(column) && stands.row == Some((*data as u16, *row))
        }
        Some(Sought::Cell(..)) | None => false,
    })
}

/// Returns whether some default of the action's contests computes a value that is neither a number
/// nor a row. Such a value has no slot, so its dependencies cannot be traced.
fn reckons_beside(game: &Game, action: usize) -> bool {
    let records = game.records.iter().flat_map(|record| &record.fields);
    game.fields_of(action).chain(records).any(|field| match (&field.default, &field.holds) {
        (None, _) | (Some(Default::One(_)), Holds::Number(_) | Holds::Row(_)) => false,
        (Some(Default::One(value)), _) => is_reckoned(game, value),
        (Some(Default::List(items, _)), _) => items.iter().any(|item| is_reckoned(game, item)),
    })
}

/// Returns whether a data cell may occur in a contest outside its slots: in a list, as a value that
/// is not a number, or because the slots were full.
fn is_beside(one: Option<&Sought>, slots: Slots, lowering: &Lowering<'_>) -> bool {
    let scopes = &lowering.scopes;
    let Some(Sought::Data(data, row, column)) = one else { return false };
    let columns = scopes.columns;
    if columns.is_some_and(|columns| !columns.read.contains(*column)) {
        return false;
    }
    let fields = scopes.fields.iter().flatten().map(|(fixed, _)| fixed);
    let own = scopes.own.iter().map(|(_, fixed, _)| fixed);
    let held: usize = fields.chain(own).map(|fixed| rows_held(fixed, (*data, *row))).sum();
    held > slots.count_ones() as usize
}

/// Counts how often a row occurs in a value of a contest.
fn rows_held(fixed: &Fixed, at: (usize, i64)) -> usize {
    match fixed {
        Fixed::Row(row) => usize::from((usize::from(row.data), row.place.lo) == at),
        Fixed::Record(record) => record.fields.iter().map(|(inner, _)| rows_held(inner, at)).sum(),
        Fixed::List(items, _) => items.iter().map(|item| rows_held(item, at)).sum(),
        Fixed::Maybe(inner) => rows_held(inner, at),
        Fixed::Number(_)
        | Fixed::Asked(..)
        | Fixed::Cell(..)
        | Fixed::Marks(..)
        | Fixed::Absent(_) => 0,
    }
}
