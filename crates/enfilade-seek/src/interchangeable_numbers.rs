//! Check of numbers that are declared as interchangeable: the odds of designs in which they change
//! places.

use enfilade_study::answer::Answer;
use enfilade_study::search::MeasurableCell;
use enfilade_study::solve::SolveObserver;

use crate::cell_scopes::keeps_interchangeable_order;
use crate::error::SeekError;
use crate::fenced_grid::PartlySolvedGrid;
use crate::scope_solver::{SolvedScopes, solve_cells_at_places};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::{MeasureGridsOfCell, QuantityBounds};

/// Number of pairs that are compared to check that numbers are interchangeable.
const SWAPPED_PAIRS_CHECKED: usize = 16;

/// Compares the odds of designs in which interchangeable numbers are exchanged; returns the number
/// of contests solved.
///
/// # Errors
/// If they differ.
pub(crate) fn check_interchangeable_numbers(
    question: &SeekQuestion,
    known: &SolvedScopes,
    watch: &dyn SolveObserver,
) -> Result<u64, SeekError> {
    let mut solved = SolvedScopes::default();
    for (cell, grid) in known.grids.cells.iter().enumerate() {
        let fence = known.fences[cell].as_ref();
        let inside = |group: &&Vec<usize>| group.iter().all(|number| grid.scope.contains(number));
        for group in question.interchangeable.iter().filter(inside) {
            let pairs = pair_places_rotated(question, grid, group, fence);
            let places: Vec<usize> = pairs.iter().map(|(_, turned)| *turned).collect();
            let (answers, end) =
                solve_cells_at_places(question, cell, grid, &places, watch, &mut solved);
            end?;
            let differs = |(place, turned): &(usize, usize)| {
                let answer = answers.iter().find(|(own, _)| own == turned);
                answer.is_some_and(|(_, answer)| {
                    !answer_matches_grid_place(question, cell, grid, *place, answer)
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
fn pair_places_rotated(
    question: &SeekQuestion,
    grid: &MeasureGridsOfCell,
    group: &[usize],
    fence: Option<&PartlySolvedGrid>,
) -> Vec<(usize, usize)> {
    let place = |number: &usize| grid.scope.iter().position(|known| known == number);
    let places: Vec<usize> = group.iter().filter_map(place).collect();
    let turned = |at: usize| {
        let (old, mut new) = (grid.value_indices_at(at), grid.value_indices_at(at));
        for (to, from) in places.iter().zip(places.iter().cycle().skip(1)) {
            new[*to] = old[*from];
        }
        grid.place_of(&new)
    };
    let is_solved = |at: &usize| {
        keeps_interchangeable_order(question, grid, *at)
            && fence.is_none_or(|fence| fence.is_solved[*at])
    };
    let all: Vec<usize> = (0..grid.len()).filter(is_solved).collect();
    let step = all.len().div_ceil(SWAPPED_PAIRS_CHECKED).max(1);
    all.iter().step_by(step).map(|at| (*at, turned(*at))).collect()
}

/// Whether a contest has the same measures as a place of a grid.
fn answer_matches_grid_place(
    question: &SeekQuestion,
    cell: usize,
    grid: &MeasureGridsOfCell,
    at: usize,
    other: &Answer,
) -> bool {
    let measures = question.cells.cells[cell].measures.iter().zip(&grid.measures);
    measures.into_iter().all(|(measure, known)| {
        let own: QuantityBounds = known.bounds_at_place(at);
        let other = other.measure_with_error(measure);
        other.is_none_or(|other| (own.lo - other.value).abs() <= own.error + other.error)
    })
}

fn not_interchangeable_error(question: &SeekQuestion, cell: usize, group: &[usize]) -> SeekError {
    let names: Vec<_> = group.iter().map(|at| question.numbers[*at].name.as_str()).collect();
    let contest = &question.contests[question.cells.cells[cell].contest].name;
    let names = names.join(", ");
    SeekError::Invalid(format!(
        "{names} are not alike: \"{contest}\" has other odds when they change places"
    ))
}
