//! The solved cells of all scopes: whole grids, or fences where cells are dear.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use enfilade_engine::parallel::prelude::*;

use crate::error::SeekError;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::form::Fault;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::experiment::GridCell;
use enfilade_study::search::MeasurableCell;
use enfilade_study::solve::errors::format_in_one_line;
use enfilade_study::solve::{SolveObserver, SolverSettings, solve_and_drop_cells};

use crate::cell_scopes::{empty_grid_of_scope, form_at_grid_place, keeps_interchangeable_order};
use crate::fenced_grid::{MeasuredValue, PartlySolvedGrid};
use crate::search_journal::{JournalCell, SearchJournal, key_of_place};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::{MeasureGrid, MeasureGridsOfCell, SolvedGrids};
use crate::want::{CellReduction, WantSign};
use crate::wanted_cells::WantComparisonOverCells;

/// Largest and smallest number of cells that are built and solved together.
const CELLS_SOLVED_TOGETHER: (usize, usize) = (2048, 16);

/// States that are solved together, some seconds of work: more than that is never lost.
const STATES_SOLVED_TOGETHER: u64 = 2_000_000;

/// The smallest grid that is fenced: a smaller one is solved whole.
const LEAST_FENCED_CELLS: usize = 64;

/// States of a cell whose states are not known.
const UNKNOWN_STATES: u64 = 1 << 22;

/// Results of the solved scopes.
#[derive(Debug, Default)]
pub(crate) struct SolvedScopes {
    pub grids: SolvedGrids,
    /// By cell: its fence, if only some of its grid is solved.
    pub fences: Vec<Option<PartlySolvedGrid>>,
    /// Number of contests that were solved.
    pub solved_contests: u64,
    /// Number of places of grids without an answer, and the reason why the first of them has none.
    pub unanswered_cells: u64,
    pub first_reason: Option<String>,
    /// States of one cell of a fence on average, the largest of all fences.
    pub states_per_cell: u64,
    /// Cells that an earlier run has solved.
    pub journal: Option<Arc<dyn SearchJournal>>,
}

impl SolvedScopes {
    /// The fences with their cells and the place of a design.
    pub fn fences_with_place_of_design<'s>(
        &'s self,
        design: &'s [u16],
    ) -> impl Iterator<Item = (&'s PartlySolvedGrid, usize, usize)> + 's {
        let fences = self.fences.iter().enumerate();
        let fences = fences.filter_map(|(cell, fence)| Some((fence.as_ref()?, cell)));
        fences.map(|(fence, cell)| (fence, cell, fence.shape().place_of_design(design)))
    }

    /// Whether every cell of a design is solved.
    pub fn is_design_solved(&self, design: &[u16]) -> bool {
        self.fences_with_place_of_design(design).all(|(fence, _, place)| fence.is_solved[place])
    }
}

/// The measures of one place of a grid, and the number of its states.
#[derive(Debug)]
pub(crate) struct SolvedPlace {
    pub place: usize,
    pub values: Vec<MeasuredValue>,
    states: u64,
}

/// Solves the grids of all scopes, or the first cells of their fences.
///
/// # Errors
/// If the work was stopped.
pub(crate) fn solve_or_fence_all_scopes(
    question: &SeekQuestion,
    scopes: &[Vec<usize>],
    journal: Option<Arc<dyn SearchJournal>>,
    watch: &dyn SolveObserver,
) -> Result<SolvedScopes, SeekError> {
    let mut solved = SolvedScopes { journal, ..SolvedScopes::default() };
    for (cell, scope) in scopes.iter().enumerate() {
        let shape = empty_grid_of_scope(question, scope);
        let (grid, fence) = solve_whole_grid_or_cross(question, cell, shape, watch, &mut solved)?;
        solved.grids.cells.push(grid);
        solved.fences.push(fence);
    }
    Ok(solved)
}

/// Solves the wanted measures of a grid; of a dear grid the cross through the current numbers.
fn solve_whole_grid_or_cross(
    question: &SeekQuestion,
    cell: usize,
    shape: MeasureGridsOfCell,
    watch: &dyn SolveObserver,
    solved: &mut SolvedScopes,
) -> Result<(MeasureGridsOfCell, Option<PartlySolvedGrid>), SeekError> {
    let all: Vec<usize> =
        (0..shape.len()).filter(|at| keeps_interchangeable_order(question, &shape, *at)).collect();
    let mut first = Vec::new();
    if let Some(most) = question.work.filter(|_| all.len() >= LEAST_FENCED_CELLS) {
        let cross = current_place_and_axis_ends(question, &shape);
        first = solve_places(question, cell, &shape, &cross, watch, solved)?;
        let states: u64 = first.iter().map(|place| place.states).sum();
        let average = states.div_ceil(first.len().max(1) as u64).max(1);
        if average.saturating_mul(all.len() as u64) > most {
            solved.states_per_cell = solved.states_per_cell.max(average);
            let fence = fenced_grid_with_solved_places(question, cell, shape, first);
            return Ok((fence.build_grid(), Some(fence)));
        }
    }
    solve_whole_grid(question, cell, (shape, &all), first, (watch, solved)).map(|grid| (grid, None))
}

fn fenced_grid_with_solved_places(
    question: &SeekQuestion,
    cell: usize,
    shape: MeasureGridsOfCell,
    first: Vec<SolvedPlace>,
) -> PartlySolvedGrid {
    let mut fence = PartlySolvedGrid::new(shape, question.cells.cells[cell].measures.len());
    first.into_iter().for_each(|solved| fence.add_solved_and_compare(solved.place, solved.values));
    fence
}

/// The places of the current numbers, and of both ends of each number.
fn current_place_and_axis_ends(question: &SeekQuestion, shape: &MeasureGridsOfCell) -> Vec<usize> {
    let current: Vec<usize> =
        shape.scope.iter().map(|number| question.numbers[*number].index_of_fallback()).collect();
    let mut cross = vec![shape.place_of(&current)];
    for (axis, size) in shape.sizes.iter().enumerate() {
        for end in [0, size - 1] {
            let mut values = current.clone();
            values[axis] = end;
            cross.push(shape.place_of(&values));
        }
    }
    let mut known = BTreeSet::new();
    cross.retain(|at| known.insert(*at) && keeps_interchangeable_order(question, shape, *at));
    cross
}

/// Solves all places of a grid but those that are solved.
fn solve_whole_grid(
    question: &SeekQuestion,
    cell: usize,
    (grid, all): (MeasureGridsOfCell, &[usize]),
    first: Vec<SolvedPlace>,
    (watch, solved): (&dyn SolveObserver, &mut SolvedScopes),
) -> Result<MeasureGridsOfCell, SeekError> {
    let known: BTreeSet<usize> = first.iter().map(|one| one.place).collect();
    let rest: Vec<usize> = all.iter().copied().filter(|at| !known.contains(at)).collect();
    let mut found = first;
    let (most, fewest) = CELLS_SOLVED_TOGETHER;
    let mut rest = rest.as_slice();
    while !rest.is_empty() {
        let states: u64 = found.iter().rev().take(fewest).map(|one| one.states.max(1)).sum();
        let each = states.div_ceil(found.len().clamp(1, fewest) as u64).max(1);
        let together = (STATES_SOLVED_TOGETHER / each).clamp(fewest as u64, most as u64) as usize;
        let (block, others) = rest.split_at(together.min(rest.len()));
        found.extend(solve_places(question, cell, &grid, block, watch, solved)?);
        rest = others;
    }
    Ok(grid_of_solved_places(question, cell, grid, found))
}

/// The grid of a cell with the values of its places; a place that is not among them has none.
pub(crate) fn grid_of_solved_places(
    question: &SeekQuestion,
    cell: usize,
    mut grid: MeasureGridsOfCell,
    found: Vec<SolvedPlace>,
) -> MeasureGridsOfCell {
    let measures = question.cells.cells[cell].measures.len();
    let mut values = vec![vec![None; grid.len()]; measures];
    for SolvedPlace { place, values: own, .. } in found {
        values.iter_mut().zip(own).for_each(|(values, own)| values[place] = own);
    }
    grid.measures = values.iter().map(|of| MeasureGrid::new(of, &grid.sizes)).collect();
    grid
}

/// Solves places of a grid, each with the measures that are wanted; a place that is no contest has
/// none. What the journal has is not solved again, and what is solved is recorded there.
pub(crate) fn solve_places(
    question: &SeekQuestion,
    cell: usize,
    shape: &MeasureGridsOfCell,
    places: &[usize],
    watch: &dyn SolveObserver,
    solved: &mut SolvedScopes,
) -> Result<Vec<SolvedPlace>, SeekError> {
    let measures = question.cells.cells[cell].measures.len();
    let mut cells: BTreeMap<usize, JournalCell> = BTreeMap::new();
    if let Some(journal) = &solved.journal {
        let known = |at: &usize| journal.lookup_cell(&key_of_place(cell, *at));
        let known =
            places.iter().filter_map(|at| Some((*at, JournalCell::parse(&known(at)?, measures)?)));
        cells = known.collect();
        cells.keys().for_each(|at| watch.note_answered_cell(*at));
        solved.solved_contests += cells.len() as u64;
    }
    let rest: Vec<usize> = places.iter().copied().filter(|at| !cells.contains_key(at)).collect();
    if !rest.is_empty() {
        let (answers, end) = solve_cells_at_places(question, cell, shape, &rest, watch, solved);
        for (place, answer) in answers {
            let own = journal_cell_of_answer(question, cell, &answer);
            if let Some(journal) = &solved.journal {
                journal.record_cell(&key_of_place(cell, place), &own.to_json())?;
            }
            cells.insert(place, own);
        }
        end?;
    }
    let place = |&place: &usize| match cells.remove(&place) {
        None => SolvedPlace { place, values: vec![None; measures], states: 0 },
        Some(own) => solved.count_if_unanswered(place, own),
    };
    Ok(places.iter().map(place).collect())
}

impl SolvedScopes {
    /// Counts a solved place that has no value.
    pub fn count_if_unanswered(&mut self, place: usize, own: JournalCell) -> SolvedPlace {
        if own.values.iter().all(Option::is_none) {
            self.unanswered_cells += 1;
            self.first_reason = self.first_reason.take().or(own.reason);
        }
        SolvedPlace { place, values: own.values, states: own.states }
    }
}

/// The wanted measures of an answer.
pub(crate) fn journal_cell_of_answer(
    question: &SeekQuestion,
    cell: usize,
    answer: &Answer,
) -> JournalCell {
    let measures = &question.cells.cells[cell].measures;
    let value = |measure: &String| measure_value_with_error(question, cell, measure, answer);
    let values: Vec<MeasuredValue> = measures.iter().map(value).collect();
    let is_empty = values.iter().all(Option::is_none);
    JournalCell {
        reason: answer.notes.first().filter(|_| is_empty).cloned(),
        states: answer.states.map_or(UNKNOWN_STATES, |states| states as u64),
        values,
    }
}

/// The answers to places of a grid, as far as the work went, and how it ended.
pub(crate) fn solve_cells_at_places(
    question: &SeekQuestion,
    cell: usize,
    grid: &MeasureGridsOfCell,
    places: &[usize],
    watch: &dyn SolveObserver,
    solved: &mut SolvedScopes,
) -> (Vec<(usize, Answer)>, Result<(), SeekError>) {
    let made = places.par_iter().map(|at| build_contest_at_place(question, cell, grid, *at));
    let made: Vec<Result<GridCell, String>> = made.collect();
    if let Some(Err(wrong)) = made.iter().find(|made| made.is_err()) {
        solved.first_reason.get_or_insert_with(|| wrong.clone());
    }
    let cells: Vec<GridCell> = made.into_iter().flatten().collect();
    let count = cells.len() as u64;
    solved.solved_contests += count;
    let found = solve_and_drop_cells(
        cells,
        &SolverSettings::for_exact_only(),
        watch,
        &CellTrialJournal::without_storage(),
    );
    match found {
        Ok(found) => {
            let stopped = "the grids were not solved to their end".to_owned();
            let stopped = found.interrupted.then_some(SeekError::Interrupted(stopped));
            // Each answer carries its place in the grid.
            let answers = found.answers.into_iter().map(|answer| (answer.cell, answer));
            (answers.collect(), stopped.map_or(Ok(()), Err))
        }
        Err(error) if error.is_contest_error() => {
            solved.first_reason.get_or_insert_with(|| format_in_one_line(&error));
            solved.unanswered_cells += count;
            (Vec::new(), Ok(()))
        }
        Err(error) => (Vec::new(), Err(error.into())),
    }
}

/// Builds the contest at a place of a grid, or returns the reason why there is none.
fn build_contest_at_place(
    question: &SeekQuestion,
    cell: usize,
    grid: &MeasureGridsOfCell,
    at: usize,
) -> Result<GridCell, String> {
    let contest = question.cells.cells[cell].contest;
    let side = &question.contests[contest];
    let problem = |faults: Vec<Fault>| {
        faults.into_iter().map(|fault| fault.problem).next().unwrap_or_default()
    };
    let form = form_at_grid_place(question, cell, grid, at).map_err(problem)?;
    let form = form.with_grid_axes(&question.grid_axes[contest]);
    let played = side.build_contest_without_checks(&form).map_err(problem)?;
    Ok(GridCell {
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
fn measure_value_with_error(
    question: &SeekQuestion,
    cell: usize,
    measure: &str,
    answer: &Answer,
) -> Option<(f64, f64)> {
    let found = answer.measure_with_error(measure).filter(|found| !found.value.is_nan())?;
    let wants = question.cells.wants.iter().flat_map(|want| &want.parts);
    let own: Vec<_> =
        wants.filter(|part| compares_measure_to_number(question, part, cell, measure)).collect();
    let at_edge = |part: &WantComparisonOverCells, value: Approximation| {
        let tolerance =
            if part.relative { part.tolerance * part.right.plus } else { part.tolerance };
        let edges = [part.right.plus - tolerance, part.right.plus + tolerance];
        edges.iter().any(|edge| {
            value.compare_overlapping_as_equal(Approximation::from_rounded(*edge)).is_eq()
        })
    };
    let mut edges = own.iter().filter(|part| at_edge(part, found)).peekable();
    let sharp = match found.error > 0.0 && edges.peek().is_some() {
        true => answer.compute_measure_by_fractions(measure).unwrap_or(found),
        false => found,
    };
    // A target that is wanted exactly was rounded when it was written, and no fraction equals it.
    let is_itself =
        |part: &&&WantComparisonOverCells| part.sign == WantSign::Equal && part.tolerance == 0.0;
    let found = match edges.filter(is_itself).any(|part| !at_edge(part, sharp)) {
        true => found,
        false => sharp,
    };
    Some((found.value, found.error))
}

/// Whether a comparison is between this measure of one cell and a number.
fn compares_measure_to_number(
    question: &SeekQuestion,
    part: &WantComparisonOverCells,
    cell: usize,
    measure: &str,
) -> bool {
    let is = |(at, place, _): &(usize, usize, f64)| {
        *at == cell && question.cells.cells[*at].measures[*place] == measure
    };
    let one =
        matches!(part.left_side.take, CellReduction::Every) || part.left_side.cells.len() == 1;
    part.right.term.is_none()
        && part.left_side.cells.iter().any(is)
        && (one || part.left_side.take != CellReduction::Mean)
}
