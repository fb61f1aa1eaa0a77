//! Numbers that a contest reads: those that its program loads, and those that shape its code.
//!
//! Two contests that agree in these numbers have one program and one distribution, whatever their
//! other numbers are.

use super::contest_numbers::{is_default_from_fields, parameters_where};
use super::program_cache::ProgramCache;
use crate::lower::changed_cells::find_table_cell;
use crate::lower::compile::ContestToCompile;
use crate::lower::{LowerMode, Lowering, ParameterSet};
use crate::resolve::CHANGE_FIELD;
use crate::resolve::game::{ResolvedRulebook, TopLevelMeaning, ValueShape};
use crate::syntax::ast::DefaultExpr;
use crate::value_types::ContestValue;

/// Number that may vary between contests.
enum NumberVaryingByContest<'n> {
    /// Field: the first and the last name of its path.
    Field(&'n str, &'n str),
    /// Table cell: the table and the index of the cell.
    Cell(usize, usize),
    /// Data cell: the block, the row and the column.
    Data(usize, i64, &'n str),
}

/// Returns, for each number, whether a contest reads it. A number is named by the keys of its path.
/// Returns `None` if there is no such contest.
pub fn find_numbers_read(
    cache: &ProgramCache,
    request: &ContestToCompile,
    numbers: &[Vec<String>],
) -> Option<Vec<bool>> {
    let game = &*request.game;
    let (mut lowering, _) = request.prepare_lowering(LowerMode::Play).ok()?;
    let reckoned = parameters_where(&mut lowering, |site| site.has_default_from_fields(game));
    let sought: Vec<_> = numbers.iter().map(|number| resolve_number_path(game, number)).collect();
    let by_number: Vec<ParameterSet> =
        sought.iter().map(|one| slots_for_number(one.as_ref(), &mut lowering)).collect();
    let listed = sought.iter().zip(&by_number);
    let listed: Vec<bool> = listed
        .map(|(one, slots)| may_occur_outside_slots(one.as_ref(), *slots, &lowering))
        .collect();
    let before = lowering.scopes.cells_read;
    let cells: Vec<_> = lowering.scopes.changed_cells.iter().map(|changed| changed.place).collect();
    let program = cache.program_for_contest(request, lowering).ok()?.program;
    // A derived value may depend on any field.
    let reads_all = program.reads & reckoned != 0 || has_default_without_slot(game, request.action);
    let touched = program.cells_read | before;
    let read = sought.iter().zip(by_number).zip(listed).map(|((one, own), listed)| match one {
        Some(NumberVaryingByContest::Cell(table, place)) => {
            let at = cells.iter().position(|at| *at == (*table, *place));
            at.is_none_or(|at| touched >> at.min(127) & 1 == 1)
        }
        Some(NumberVaryingByContest::Data(..)) => reads_all || listed || own & program.reads != 0,
        Some(NumberVaryingByContest::Field(..)) => {
            reads_all || own == 0 || own & program.reads != 0
        }
        None => true,
    });
    Some(read.collect())
}

/// Finds the number that these keys name.
fn resolve_number_path<'n>(
    game: &ResolvedRulebook,
    number: &'n [String],
) -> Option<NumberVaryingByContest<'n>> {
    let (first, last) = (number.first()?, number.last()?);
    if first != CHANGE_FIELD {
        return Some(NumberVaryingByContest::Field(first, last));
    }
    match *game.names.get(number.get(1)?)? {
        TopLevelMeaning::Table(table) => {
            let place =
                find_table_cell(game, table, number.get(2)?, number.get(3).map(String::as_str))?;
            Some(NumberVaryingByContest::Cell(table, place))
        }
        TopLevelMeaning::Data(data) => {
            let row = game.index_of_data_row(data as u16, number.get(2)?)? as i64;
            Some(NumberVaryingByContest::Data(data, row, number.get(3)?))
        }
        TopLevelMeaning::Field(_) | TopLevelMeaning::Part(_) | TopLevelMeaning::Die(_) => None,
    }
}

/// Returns the slots that a number may occupy.
fn slots_for_number(
    one: Option<&NumberVaryingByContest>,
    lowering: &mut Lowering<'_>,
) -> ParameterSet {
    parameters_where(lowering, |site| match one {
        // The cells of a row depend on the name of the row.
        Some(NumberVaryingByContest::Field(top, last)) => {
            site.top == *top && (top == last || site.last == *last || site.column == Some(last))
        }
        Some(NumberVaryingByContest::Data(data, row, column)) => {
            site.column == Some(column) && site.row == Some((*data as u16, *row))
        }
        Some(NumberVaryingByContest::Cell(..)) | None => false,
    })
}

/// Returns whether some default of the action's contests computes a value that is neither a number
/// nor a row. Such a value has no slot, so its dependencies cannot be traced.
fn has_default_without_slot(game: &ResolvedRulebook, action: usize) -> bool {
    let records = game.records.iter().flat_map(|record| &record.fields);
    game.top_level_and_own_fields(action).chain(records).any(|field| {
        match (&field.default, &field.shape) {
            (None, _) | (Some(DefaultExpr::One(_)), ValueShape::Number(_) | ValueShape::Row(_)) => {
                false
            }
            (Some(DefaultExpr::One(value)), _) => is_default_from_fields(game, value),
            (Some(DefaultExpr::List(items, _)), _) => {
                items.iter().any(|item| is_default_from_fields(game, item))
            }
        }
    })
}

/// Returns whether a data cell may occur in a contest outside its slots: in a list, as a value that
/// is not a number, or because the slots were full.
fn may_occur_outside_slots(
    one: Option<&NumberVaryingByContest>,
    slots: ParameterSet,
    lowering: &Lowering<'_>,
) -> bool {
    let scopes = &lowering.scopes;
    let Some(NumberVaryingByContest::Data(data, row, column)) = one else { return false };
    let columns = scopes.columns;
    if columns.is_some_and(|columns| !columns.read.contains(*column)) {
        return false;
    }
    let fields = scopes.fields.iter().flatten().map(|(fixed, _)| fixed);
    let own = scopes.own_fields.iter().map(|(_, fixed, _)| fixed);
    let rows = scopes.data_rows.iter().map(|(_, rows)| rows);
    let use_count: usize =
        fields.chain(own).chain(rows).map(|fixed| count_row_in_value(fixed, (*data, *row))).sum();
    use_count > slots.count_ones() as usize
}

/// Counts how often a row occurs in a value of a contest.
fn count_row_in_value(fixed: &ContestValue, at: (usize, i64)) -> usize {
    match fixed {
        ContestValue::Row(row) => usize::from((usize::from(row.data), row.place.lo) == at),
        ContestValue::Record(record) => {
            record.fields.iter().map(|(inner, _)| count_row_in_value(inner, at)).sum()
        }
        ContestValue::List(items, _) => items.iter().map(|item| count_row_in_value(item, at)).sum(),
        ContestValue::Maybe(inner) => count_row_in_value(inner, at),
        ContestValue::Number(_)
        | ContestValue::Parameter(..)
        | ContestValue::Cell(..)
        | ContestValue::Marks(..)
        | ContestValue::Absent(_) => 0,
    }
}
