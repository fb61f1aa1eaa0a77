//! The scope of every wanted cell, and its grid.
//!
//! A contest reads few of the numbers, and its rule shows which. The scope of a cell is a set of
//! numbers such that every contest of its grid reads none but those: then designs that agree on
//! them have the same contest, and the grid decides them all.

use std::sync::Arc;

use rayon::prelude::*;

use crate::error::SeekError;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::catalogue::contest_probe::ReadCheck;
use enfilade_model::form::sanitize::group_digits;
use enfilade_model::form::{Fault, Form};
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::Journal;
use enfilade_study::experiment::Cell;
use enfilade_study::search::MeasuredCell;
use enfilade_study::solve::errors::format_in_one_line;
use enfilade_study::solve::{Settings, SolveObserver, solve_owned};

use crate::seek_numbers::ChangedNumber;
use crate::seek_question::SeekQuestion;
use crate::solved_grids::{CellGrid, MeasureGrid, QuantityRange, SolvedGrids};
use crate::want::{CellReduction, WantSign};
use crate::wanted_cells::{WantComparison, WantedCell};

/// The largest number of cells of one scope.
const MAX_SCOPE_CELLS: usize = 20_000_000;

/// Number of cells that are built and solved together.
const CELLS_PER_BLOCK: usize = 2048;

/// Results of the solved scopes.
#[derive(Debug, Default)]
pub(crate) struct SolvedScopes {
    pub grids: SolvedGrids,
    /// Number of contests that were solved.
    pub solved_contests: u64,
    /// Number of places of grids without an answer, and the reason why the first of them has none.
    pub unanswered_cells: u64,
    pub first_reason: Option<String>,
}

/// Counts the cells of all grids without scopes: every design in every wanted cell, over the
/// numbers of its contest.
pub(crate) fn count_unscoped_cells(question: &SeekQuestion) -> u64 {
    let of_cell = |cell: &WantedCell| {
        let numbers = question.numbers.iter();
        let own = numbers.filter(|number| number.places[cell.contest].is_some());
        own.fold(1_u64, |all, number| all.saturating_mul(number.values.len() as u64))
    };
    question.wanted.cells.iter().map(of_cell).fold(0, u64::saturating_add)
}

/// Finds the scopes of all wanted cells and puts the numbers in the order of the join.
///
/// # Errors
/// If a scope is too large, or the work was stopped.
pub(crate) fn find_scopes(
    question: &mut SeekQuestion,
    watch: &dyn SolveObserver,
) -> Result<Vec<Vec<usize>>, SeekError> {
    let cells = 0..question.wanted.cells.len();
    let scopes = cells.map(|cell| find_scope(question, cell, watch));
    let mut scopes: Vec<Vec<usize>> = scopes.collect::<Result<_, SeekError>>()?;
    let numbers = 0..question.numbers.len();
    let counts: Vec<usize> =
        numbers.clone().map(|n| scopes.iter().filter(|scope| scope.contains(&n)).count()).collect();
    let mut order: Vec<usize> = numbers.collect();
    order.sort_by_key(|number| usize::MAX - counts[*number]);
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, number)| ranks[*number] = rank);
    scopes.iter_mut().for_each(|scope| scope.sort_by_key(|number| ranks[*number]));
    question.wanted.ranks = ranks;
    Ok(scopes)
}

/// The numbers that the contests of a cell read.
fn find_scope(
    question: &SeekQuestion,
    cell: usize,
    watch: &dyn SolveObserver,
) -> Result<Vec<usize>, SeekError> {
    let contest = question.wanted.cells[cell].contest;
    let (own, keys) = numbers_of_contest(question, contest);
    let Some(probe) = &question.contests[contest].action.probe else {
        check_size(question, contest, &own)?;
        return Ok(own);
    };
    let reads = probe.find_reads(&keys);
    let mut scope: Vec<usize> = Vec::new();
    loop {
        check_size(question, contest, &scope)?;
        let read = numbers_read_in_grid(question, cell, &scope, &reads, own.len());
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

/// The numbers of a contest that have several values, each with the keys on the way to it.
pub(crate) fn numbers_of_contest(
    question: &SeekQuestion,
    contest: usize,
) -> (Vec<usize>, Vec<Vec<String>>) {
    let has = |(at, number): (usize, &ChangedNumber)| {
        let place = number.places[contest].as_ref()?;
        (number.values.len() > 1).then(|| (at, place.keys.clone()))
    };
    question.numbers.iter().enumerate().filter_map(has).unzip()
}

/// By number: whether any contest of a grid reads it.
fn numbers_read_in_grid(
    question: &SeekQuestion,
    cell: usize,
    scope: &[usize],
    reads: &ReadCheck,
    count: usize,
) -> Vec<bool> {
    let grid = empty_grid(question, scope);
    let places = (0..grid.len()).into_par_iter().filter(|at| is_needed(question, &grid, *at));
    let read = places.map(|at| {
        let form = build_form(question, cell, &grid, at).ok();
        // A form that is no contest may depend on any number.
        form.and_then(|form| reads(&form)).unwrap_or_else(|| vec![true; count])
    });
    read.reduce(
        || vec![false; count],
        |all, one| all.iter().zip(one).map(|(a, b)| *a || b).collect(),
    )
}

/// The form at a place of a grid.
fn build_form(
    question: &SeekQuestion,
    cell: usize,
    grid: &CellGrid,
    at: usize,
) -> Result<Form, Vec<Fault>> {
    let WantedCell { contest, circumstance, .. } = question.wanted.cells[cell];
    let values = grid.values_at(at);
    let value = |number: usize| match grid.scope.iter().position(|known| *known == number) {
        Some(at) => values[at],
        None => question.numbers[number].base_place(),
    };
    question.contests[contest].build_form(circumstance, &question.numbers, contest, &value)
}

/// The grid of a scope, without values.
fn empty_grid(question: &SeekQuestion, scope: &[usize]) -> CellGrid {
    let sizes = scope.iter().map(|number| question.numbers[*number].values.len()).collect();
    CellGrid { scope: scope.to_vec(), sizes, measures: Vec::new() }
}

/// Whether a place of a grid is needed: of interchangeable numbers one order is.
fn is_needed(question: &SeekQuestion, grid: &CellGrid, at: usize) -> bool {
    let values = grid.values_at(at);
    let value = |number: usize| {
        grid.scope.iter().position(|known| *known == number).map(|place| values[place])
    };
    let mut pairs = question.interchangeable.iter().flat_map(|group| group.windows(2));
    pairs.all(|pair| match (value(pair[0]), value(pair[1])) {
        (Some(a), Some(b)) => a <= b,
        _ => true,
    })
}

fn check_size(question: &SeekQuestion, contest: usize, scope: &[usize]) -> Result<(), SeekError> {
    let sizes = scope.iter().map(|number| question.numbers[*number].values.len());
    let cells = sizes.clone().try_fold(1_usize, usize::checked_mul);
    if cells.is_some_and(|cells| cells <= MAX_SCOPE_CELLS) {
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
        group_digits(MAX_SCOPE_CELLS as u64),
        named.collect::<Vec<_>>().join(", ")
    );
    Err(SeekError::Invalid(problem))
}

/// Solves the grids of all scopes.
///
/// # Errors
/// If the work was stopped.
pub(crate) fn solve_scopes(
    question: &SeekQuestion,
    scopes: &[Vec<usize>],
    watch: &dyn SolveObserver,
) -> Result<SolvedScopes, SeekError> {
    let mut solved = SolvedScopes::default();
    for (cell, scope) in scopes.iter().enumerate() {
        let grid = solve_grid(question, cell, empty_grid(question, scope), watch, &mut solved)?;
        solved.grids.cells.push(grid);
    }
    Ok(solved)
}

/// Solves the wanted measures of a grid.
fn solve_grid(
    question: &SeekQuestion,
    cell: usize,
    mut grid: CellGrid,
    watch: &dyn SolveObserver,
    solved: &mut SolvedScopes,
) -> Result<CellGrid, SeekError> {
    let measures = &question.wanted.cells[cell].measures;
    let all: Vec<usize> = (0..grid.len()).filter(|at| is_needed(question, &grid, *at)).collect();
    let mut values = vec![vec![None; grid.len()]; measures.len()];
    for block in all.chunks(CELLS_PER_BLOCK) {
        for (at, answer) in answer_places(question, cell, &grid, block, watch, solved)? {
            for (measure, values) in measures.iter().zip(&mut values) {
                values[at] = measure_value(question, cell, measure, &answer);
            }
            if values.iter().all(|values| values[at].is_none()) {
                solved.unanswered_cells += 1;
                solved.first_reason =
                    solved.first_reason.take().or_else(|| answer.notes.first().cloned());
            }
        }
    }
    grid.measures = values.iter().map(|of| MeasureGrid::new(of, &grid.sizes)).collect();
    Ok(grid)
}

/// The answers to places of a grid.
fn answer_places(
    question: &SeekQuestion,
    cell: usize,
    grid: &CellGrid,
    places: &[usize],
    watch: &dyn SolveObserver,
    solved: &mut SolvedScopes,
) -> Result<Vec<(usize, Answer)>, SeekError> {
    let made = places.par_iter().map(|at| build_cell(question, cell, grid, *at));
    let made: Vec<Result<Cell, String>> = made.collect();
    if let Some(Err(wrong)) = made.iter().find(|made| made.is_err()) {
        solved.first_reason.get_or_insert_with(|| wrong.clone());
    }
    let cells: Vec<Cell> = made.into_iter().flatten().collect();
    solved.solved_contests += cells.len() as u64;
    match solve_owned(cells, &Settings::exact_only(), watch, &Journal::none()) {
        Ok(found) if found.interrupted => {
            Err(SeekError::Interrupted("the grids were not solved to their end".to_owned()))
        }
        // Each answer carries its place in the grid.
        Ok(found) => Ok(found.answers.into_iter().map(|answer| (answer.cell, answer)).collect()),
        Err(error) if error.is_contest_error() => {
            solved.first_reason.get_or_insert_with(|| format_in_one_line(&error));
            solved.unanswered_cells += places.len() as u64;
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}

/// Builds the contest at a place of a grid, or returns the reason why there is none.
fn build_cell(
    question: &SeekQuestion,
    cell: usize,
    grid: &CellGrid,
    at: usize,
) -> Result<Cell, String> {
    let contest = question.wanted.cells[cell].contest;
    let side = &question.contests[contest];
    let problem = |faults: Vec<Fault>| {
        faults.into_iter().map(|fault| fault.problem).next().unwrap_or_default()
    };
    let form = build_form(question, cell, grid, at).map_err(problem)?;
    let form = form.with_grid_axes(&question.grid_axes[contest]);
    let played = side.build_contest(&form).map_err(problem)?;
    Ok(Cell {
        index: at,
        contest,
        name: side.name.clone(),
        system: Arc::clone(&side.system),
        action: Arc::clone(&side.action),
        form,
        axes: Vec::new(),
        played,
    })
}

/// The value of a measure with its error. If a want is at its edge for that value alone, fractions
/// decide.
fn measure_value(
    question: &SeekQuestion,
    cell: usize,
    measure: &str,
    answer: &Answer,
) -> Option<(f64, f64)> {
    let found = answer.approximate(measure).filter(|found| !found.value.is_nan())?;
    let wants = question.wanted.wants.iter().flat_map(|want| &want.parts);
    let own: Vec<_> =
        wants.filter(|part| is_single_measure(question, part, cell, measure)).collect();
    let at_edge = |part: &WantComparison, found: Approximation| {
        let tolerance =
            if part.relative { part.tolerance * part.right.plus } else { part.tolerance };
        let edges = [part.right.plus - tolerance, part.right.plus + tolerance];
        edges.iter().any(|edge| found.compare(Approximation::from_rounded(*edge)).is_eq())
    };
    let mut edges = own.iter().filter(|part| at_edge(part, found)).peekable();
    let sharp = match found.error > 0.0 && edges.peek().is_some() {
        true => answer.compute_exactly(measure).unwrap_or(found),
        false => found,
    };
    // A target that is wanted exactly was rounded when it was written, and no fraction equals it.
    let is_itself = |part: &&&WantComparison| part.sign == WantSign::Equal && part.tolerance == 0.0;
    let found = match edges.filter(is_itself).any(|part| !at_edge(part, sharp)) {
        true => found,
        false => sharp,
    };
    Some((found.value, found.error))
}

/// Whether a comparison is between this measure of one cell and a number.
fn is_single_measure(
    question: &SeekQuestion,
    part: &WantComparison,
    cell: usize,
    measure: &str,
) -> bool {
    let is = |(at, place, _): &(usize, usize, f64)| {
        *at == cell && question.wanted.cells[*at].measures[*place] == measure
    };
    let one = matches!(part.left.take, CellReduction::Every) || part.left.cells.len() == 1;
    part.right.term.is_none()
        && part.left.cells.iter().any(is)
        && (one || part.left.take != CellReduction::Mean)
}

/// Number of pairs that are compared to check that numbers are interchangeable.
const PAIRS_COMPARED: usize = 16;

/// Compares the odds of designs in which interchangeable numbers are exchanged; returns the number
/// of contests solved.
///
/// # Errors
/// If they differ.
pub(crate) fn check_interchangeable(
    question: &SeekQuestion,
    known: &SolvedGrids,
    watch: &dyn SolveObserver,
) -> Result<u64, SeekError> {
    let mut solved = SolvedScopes::default();
    for (cell, grid) in known.cells.iter().enumerate() {
        let inside = |group: &&Vec<usize>| group.iter().all(|number| grid.scope.contains(number));
        for group in question.interchangeable.iter().filter(inside) {
            let pairs = pair_rotated_places(question, grid, group);
            let places: Vec<usize> = pairs.iter().map(|(_, turned)| *turned).collect();
            let answers = answer_places(question, cell, grid, &places, watch, &mut solved)?;
            let differs = |(place, turned): &(usize, usize)| {
                let answer = answers.iter().find(|(own, _)| own == turned);
                answer.is_some_and(|(_, answer)| {
                    !has_same_measures(question, cell, grid, *place, answer)
                })
            };
            if pairs.iter().any(differs) {
                return Err(not_interchangeable_error(question, cell, group));
            }
        }
    }
    Ok(solved.solved_contests)
}

/// Places of a grid, each with the place in which the numbers of a group are rotated by one.
fn pair_rotated_places(
    question: &SeekQuestion,
    grid: &CellGrid,
    group: &[usize],
) -> Vec<(usize, usize)> {
    let place = |number: &usize| grid.scope.iter().position(|known| known == number);
    let places: Vec<usize> = group.iter().filter_map(place).collect();
    let turned = |at: usize| {
        let (old, mut new) = (grid.values_at(at), grid.values_at(at));
        for (to, from) in places.iter().zip(places.iter().cycle().skip(1)) {
            new[*to] = old[*from];
        }
        new.iter().zip(&grid.sizes).fold(0, |place, (value, size)| place * size + value)
    };
    let all: Vec<usize> = (0..grid.len()).filter(|at| is_needed(question, grid, *at)).collect();
    let step = all.len().div_ceil(PAIRS_COMPARED).max(1);
    all.iter().step_by(step).map(|at| (*at, turned(*at))).collect()
}

/// Whether a contest has the same measures as a place of a grid.
fn has_same_measures(
    question: &SeekQuestion,
    cell: usize,
    grid: &CellGrid,
    at: usize,
    other: &Answer,
) -> bool {
    let measures = question.wanted.cells[cell].measures.iter().zip(&grid.measures);
    measures.into_iter().all(|(measure, known)| {
        let own: QuantityRange = known.value_at(at);
        let other = other.approximate(measure);
        other.is_none_or(|other| (own.lo - other.value).abs() <= own.error + other.error)
    })
}

fn not_interchangeable_error(question: &SeekQuestion, cell: usize, group: &[usize]) -> SeekError {
    let names: Vec<_> = group.iter().map(|at| question.numbers[*at].name.as_str()).collect();
    let contest = &question.contests[question.wanted.cells[cell].contest].name;
    let names = names.join(", ");
    SeekError::Invalid(format!(
        "{names} are not alike: \"{contest}\" has other odds when they change places"
    ))
}
