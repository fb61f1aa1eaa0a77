//! The scope of every wanted cell, and its grid.
//!
//! A contest reads few of the numbers, and its rule shows which. The scope of a cell is a set of
//! numbers such that every contest of its grid reads none but those: then designs that agree on
//! them have the same contest, and the grid decides them all.

use enfilade_engine::parallel::prelude::*;

use crate::error::SeekError;
use enfilade_model::catalogue::contest_probe::ReadNumbersOfContest;
use enfilade_model::form::sanitize::group_digits;
use enfilade_model::form::{Fault, Form};
use enfilade_study::solve::SolveObserver;

use crate::number_path::NumberPath;
use crate::seek_contests::find_current_value;
use crate::seek_numbers::ChangeableNumber;
use crate::seek_question::SeekQuestion;
use crate::solved_grids::MeasureGridsOfCell;
use crate::wanted_cells::CellToRead;

/// The largest number of cells of one scope.
const MAX_CELLS_IN_SCOPE: usize = 20_000_000;

/// Counts the cells of all grids without scopes: every design in every wanted cell, over the
/// numbers of its contest.
pub(crate) fn count_cells_without_scopes(question: &SeekQuestion) -> u64 {
    let of_cell = |cell: &CellToRead| {
        let numbers = question.numbers.iter();
        let own = numbers.filter(|number| number.places[cell.contest].is_some());
        own.fold(1_u64, |all, number| all.saturating_mul(number.values.len() as u64))
    };
    question.cells.cells.iter().map(of_cell).fold(0, u64::saturating_add)
}

/// Finds the scopes of all wanted cells and puts the numbers in the order of the join.
///
/// # Errors
/// If a scope is too large, or the work was stopped.
pub(crate) fn find_scopes_and_order_numbers(
    question: &mut SeekQuestion,
    watch: &dyn SolveObserver,
) -> Result<Vec<Vec<usize>>, SeekError> {
    let cells = 0..question.cells.cells.len();
    let scopes = cells.map(|cell| find_numbers_cell_reads(question, cell, watch));
    let mut scopes: Vec<Vec<usize>> = scopes.collect::<Result<_, SeekError>>()?;
    let numbers = 0..question.numbers.len();
    let counts: Vec<usize> =
        numbers.clone().map(|n| scopes.iter().filter(|scope| scope.contains(&n)).count()).collect();
    let mut order: Vec<usize> = numbers.collect();
    order.sort_by_key(|number| usize::MAX - counts[*number]);
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, number)| ranks[*number] = rank);
    scopes.iter_mut().for_each(|scope| scope.sort_by_key(|number| ranks[*number]));
    question.cells.ranks = ranks;
    Ok(scopes)
}

/// The numbers that the contests of a cell read.
fn find_numbers_cell_reads(
    question: &SeekQuestion,
    cell: usize,
    watch: &dyn SolveObserver,
) -> Result<Vec<usize>, SeekError> {
    let contest = question.cells.cells[cell].contest;
    let (own, keys) = varying_numbers_of_contest(question, contest);
    let Some(probe) = &question.contests[contest].action.probe else {
        check_grid_size(question, contest, &own)?;
        return Ok(own);
    };
    let reads = probe.find_contest_reads(&keys);
    let mut scope: Vec<usize> = Vec::new();
    loop {
        check_grid_size(question, contest, &scope)?;
        let read = varied_numbers_read_in_grid(question, cell, &scope, &reads, own.len());
        if watch.cancel_token().is_cancelled() {
            return Err(SeekError::Interrupted("the scopes were not found".to_owned()));
        }
        let read = own.iter().zip(&read).filter(|(_, on)| **on).map(|(number, _)| *number);
        let more: Vec<usize> = read.filter(|number| !scope.contains(number)).collect();
        if more.is_empty() {
            return Ok(scope);
        }
        scope.extend(more);
        scope.sort_unstable();
    }
}

/// Largest number of names in a message.
const NAMES_SHOWN: usize = 8;

/// The names of numbers that the first wanted cell reads, whether they may change or not; empty
/// where the rule does not show it.
pub(crate) fn names_read_by_first_cell(question: &SeekQuestion) -> Vec<String> {
    let Some(cell) = question.cells.cells.first() else { return Vec::new() };
    let fields = &question.contests[cell.contest].action.fields;
    let Some(probe) = &question.contests[cell.contest].action.probe else { return Vec::new() };
    let mut names = Vec::new();
    crate::changed_numbers::collect_number_names(fields, "", &mut names);
    let contest = &question.contests[cell.contest];
    let table = &contest.circumstances[cell.circumstance].table;
    // One after another, each set to its current value: then the rule shows whether it is read.
    let is_read = |name: &String| {
        let place = NumberPath::find_by_name(fields, name)?;
        let mut table = table.clone();
        let current = find_current_value(contest, &table, &place)?;
        place.set_value(&mut table, current);
        let form = Form::from_table_with_defaults(fields, &table).ok()?;
        probe.find_contest_reads(&[place.keys])(&form)?.first().copied()
    };
    let names = names.into_iter().map(|name| name.trim_start_matches("change.").to_owned());
    let read = names.filter(|name| is_read(name).unwrap_or(false));
    read.take(NAMES_SHOWN).collect()
}

/// The numbers of a contest that have several values, each with the keys on the way to it.
pub(crate) fn varying_numbers_of_contest(
    question: &SeekQuestion,
    contest: usize,
) -> (Vec<usize>, Vec<Vec<String>>) {
    let has = |(at, number): (usize, &ChangeableNumber)| {
        let place = number.places[contest].as_ref()?;
        (number.values.len() > 1).then(|| (at, place.keys.clone()))
    };
    question.numbers.iter().enumerate().filter_map(has).unzip()
}

/// By number: whether any contest of a grid reads it.
fn varied_numbers_read_in_grid(
    question: &SeekQuestion,
    cell: usize,
    scope: &[usize],
    reads: &ReadNumbersOfContest,
    count: usize,
) -> Vec<bool> {
    let grid = empty_grid_of_scope(question, scope);
    let places = (0..grid.len())
        .into_par_iter()
        .filter(|at| keeps_interchangeable_order(question, &grid, *at));
    let read = places.map(|at| {
        let form = form_at_grid_place(question, cell, &grid, at).ok();
        // A form that is no contest may depend on any number.
        form.and_then(|form| reads(&form)).unwrap_or_else(|| vec![true; count])
    });
    let read: Vec<Vec<bool>> = read.collect();
    let any_reads = |number: usize| read.iter().any(|one| one[number]);
    (0..count).map(any_reads).collect()
}

/// The form at a place of a grid.
pub(crate) fn form_at_grid_place(
    question: &SeekQuestion,
    cell: usize,
    grid: &MeasureGridsOfCell,
    at: usize,
) -> Result<Form, Vec<Fault>> {
    let CellToRead { contest, circumstance, .. } = question.cells.cells[cell];
    let values = grid.value_indices_at(at);
    let value = |number: usize| match grid.scope.iter().position(|known| *known == number) {
        Some(at) => values[at],
        None => question.numbers[number].index_of_fallback(),
    };
    question.contests[contest].fill_form_with_design(
        circumstance,
        &question.numbers,
        contest,
        &value,
    )
}

/// The grid of a scope, without values.
pub(crate) fn empty_grid_of_scope(question: &SeekQuestion, scope: &[usize]) -> MeasureGridsOfCell {
    let sizes = scope.iter().map(|number| question.numbers[*number].values.len()).collect();
    MeasureGridsOfCell { scope: scope.to_vec(), sizes, measures: Vec::new() }
}

/// Whether a place of a grid is needed: of interchangeable numbers one order is.
pub(crate) fn keeps_interchangeable_order(
    question: &SeekQuestion,
    grid: &MeasureGridsOfCell,
    at: usize,
) -> bool {
    let values = grid.value_indices_at(at);
    let value = |number: usize| {
        grid.scope.iter().position(|known| *known == number).map(|place| values[place])
    };
    let mut pairs = question.interchangeable.iter().flat_map(|group| group.windows(2));
    pairs.all(|pair| match (value(pair[0]), value(pair[1])) {
        (Some(a), Some(b)) => a <= b,
        _ => true,
    })
}

fn check_grid_size(
    question: &SeekQuestion,
    contest: usize,
    scope: &[usize],
) -> Result<(), SeekError> {
    let sizes = scope.iter().map(|number| question.numbers[*number].values.len());
    let cells = sizes.clone().try_fold(1_usize, usize::checked_mul);
    if cells.is_some_and(|cells| cells <= MAX_CELLS_IN_SCOPE) {
        return Ok(());
    }
    let named = scope.iter().map(|number| {
        let number = &question.numbers[*number];
        format!("{} ({})", number.name, number.values.len())
    });
    let problem = format!(
        "\"{}\" reads {} numbers, more than {} cells: fix one of {}",
        question.contests[contest].name,
        scope.len(),
        group_digits(MAX_CELLS_IN_SCOPE as u64),
        named.collect::<Vec<_>>().join(", ")
    );
    Err(SeekError::Invalid(problem))
}
