//! Which numbers a contest reads: those that its program asks for, and those by which it is written out.
//!
//! Two contests that agree on them have one program and one distribution, whatever the other numbers are.

use super::contest_numbers::slots;
use super::program_cache::Kept;
use crate::lower::changed_cells::place_in_table;
use crate::lower::compile::Asked;
use crate::lower::{Lowering, Slots, Why};
use crate::resolve::CHANGE;
use crate::resolve::game::{Game, Top};
use crate::types::Fixed;

/// A number that contests may differ in.
enum Sought<'n> {
    /// A field: the first and the last name on the way.
    Field(&'n str, &'n str),
    /// A cell of a table, by table and place.
    Cell(usize, usize),
    /// A cell of data, by block, row and column.
    Data(usize, i64, &'n str),
}

/// By number: whether a contest reads it, each named by the keys on the way to it; `None` where there is no such
/// contest.
pub fn reads(kept: &Kept, asked: &Asked, numbers: &[Vec<String>]) -> Option<Vec<bool>> {
    let game = &*asked.game;
    let (mut lowering, _) = asked.filled(Why::Play).ok()?;
    let reckoned = slots(&mut lowering, |stands| stands.is_reckoned(game));
    let sought: Vec<_> = numbers.iter().map(|number| sought(game, number)).collect();
    let by_number: Vec<Slots> =
        sought.iter().map(|one| slots_of(one.as_ref(), &mut lowering)).collect();
    let listed: Vec<bool> = sought.iter().map(|one| is_beside(one.as_ref(), &lowering)).collect();
    let before = lowering.scopes.touched;
    let cells: Vec<_> = lowering.scopes.changed.iter().map(|changed| changed.at).collect();
    let program = kept.program(asked, lowering).ok()?.program;
    // What is reckoned may hang on any field.
    let reads_all = program.reads & reckoned != 0;
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

/// What a number is that is named by these keys.
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

/// The slots in which a number may stand.
fn slots_of(one: Option<&Sought>, lowering: &mut Lowering<'_>) -> Slots {
    slots(lowering, |stands| match one {
        // Of a row its cells hang on its name.
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

/// Whether a cell of data may stand in a contest beside the numbers that are asked for: in a list, or as something
/// that is no number.
fn is_beside(one: Option<&Sought>, lowering: &Lowering<'_>) -> bool {
    let scopes = &lowering.scopes;
    let Some(Sought::Data(data, row, column)) = one else { return false };
    let columns = scopes.columns;
    if columns.is_some_and(|columns| !columns.read.contains(*column)) {
        return false;
    }
    let game = scopes.game;
    let is_number = game.data[*data]
        .columns
        .iter()
        .position(|known| known == column)
        .is_some_and(|at| game.data[*data].ranges[at].is_some());
    let fields = scopes.fields.iter().flatten().map(|(fixed, _)| fixed);
    let own = scopes.own.iter().map(|(_, fixed, _)| fixed);
    fields.chain(own).any(|fixed| holds_row(fixed, (*data, *row), is_number))
}

/// Whether a row stands in something of a contest, or only in a list of it.
fn holds_row(fixed: &Fixed, at: (usize, i64), in_lists: bool) -> bool {
    match fixed {
        Fixed::Row(row) => !in_lists && (usize::from(row.data), row.place.lo) == at,
        Fixed::Record(record) => {
            record.fields.iter().any(|(inner, _)| holds_row(inner, at, in_lists))
        }
        Fixed::List(items, _) => items.iter().any(|item| holds_row(item, at, false)),
        Fixed::Maybe(inner) => holds_row(inner, at, in_lists),
        Fixed::Number(_)
        | Fixed::Asked(..)
        | Fixed::Cell(..)
        | Fixed::Marks(..)
        | Fixed::Absent(_) => false,
    }
}
