//! A block of cells: those with a graph are solved side by side, then the others one by one.

use std::ops::{Deref, Range};

use crate::answer::Answer;
use crate::error::StudyError;
use crate::experiment::GridCell;
use crate::grid::cells::ExperimentCells;
use crate::solve::build_answer::CellSolution;
use crate::solve::solve_cell::{GraphOrFrontierAttempt, SharedSolveContext, SolvedOrTooLargeCell};
use enfilade_engine::parallel::{self, prelude::*};
use enfilade_model::error::TooManyStatesOrDice;

/// Number of cells in a block. Two blocks are in memory at once, some megabytes: few enough to stay
/// in the cache between computing and writing, and enough for as many threads as there are runs.
pub const CELLS_PER_BLOCK: u64 = 512;

/// Number of cells that one thread builds one after the other: of those, only the fields that
/// differ are filled in again.
const CELLS_PER_SEQUENCE: u64 = 32;

/// A cell that the block owns, or one that the caller keeps.
#[derive(Debug)]
pub enum OwnedOrBorrowedCell<'a> {
    /// A cell that is dropped as soon as it is solved.
    Owned(Box<GridCell>),
    /// A cell that stays.
    Lent(&'a GridCell),
}

impl Deref for OwnedOrBorrowedCell<'_> {
    type Target = GridCell;

    fn deref(&self) -> &GridCell {
        match self {
            OwnedOrBorrowedCell::Owned(cell) => cell,
            OwnedOrBorrowedCell::Lent(cell) => cell,
        }
    }
}

/// A place of a grid: its cell, or the row with the reason why there is none.
pub type CellOrReason<'a> = Result<OwnedOrBorrowedCell<'a>, Box<Answer>>;

/// Consecutive cells.
#[derive(Debug)]
pub enum CellBlock<'a> {
    /// Cells that were made and checked.
    Checked(Vec<CellOrReason<'a>>),
    /// Cells that are made when they are solved.
    Built {
        /// Grid of the cells.
        cells: &'a ExperimentCells,
        /// Indices of the cells.
        range: Range<u64>,
    },
}

/// A cell of a block with its solution, or the row of a place without a cell.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every one is a solution: a box would be one more allocation for each"
)]
pub enum SolvedCellOrRow<'a> {
    /// The cell, with its solution or the reason why it has none.
    Cell(&'a GridCell, Result<CellSolution, StudyError>),
    /// The row, without a seed.
    Row(Box<Answer>),
}

/// State of a cell in its block.
enum DoneWaitingOrStopped<'a, T> {
    /// A solved cell.
    Done(T),
    /// A cell that is too large for a graph, and waits until the others are solved.
    Waits(OwnedOrBorrowedCell<'a>, TooManyStatesOrDice),
    /// The observer stopped the work.
    Stopped,
}

impl<'a> CellBlock<'a> {
    /// Number of places.
    pub fn len(&self) -> usize {
        match self {
            CellBlock::Checked(places) => places.len(),
            CellBlock::Built { range, .. } => (range.end - range.start) as usize,
        }
    }

    /// Whether there is no place.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Solves the cells and makes something of each; `None` for a cell that was not finished when
    /// the observer stopped the work. A block that was stopped may be shorter.
    ///
    /// # Errors
    /// An error that does not concern one contest alone: the journal cannot be written.
    pub fn solve_block_cells<T: Send>(
        self,
        task: &SharedSolveContext<'_>,
        make: &(impl Fn(SolvedCellOrRow<'_>) -> T + Sync),
    ) -> Result<Vec<Option<T>>, StudyError> {
        let first = |place: CellOrReason<'a>| match place {
            Ok(cell) => task.solve_unless_must_wait(cell, GraphOrFrontierAttempt::Graph, make),
            Err(row) => Ok(DoneWaitingOrStopped::Done(make(SolvedCellOrRow::Row(row)))),
        };
        let steps = match self {
            CellBlock::Checked(places) => {
                places.into_par_iter().map(first).collect::<Result<_, _>>()
            }
            CellBlock::Built { cells, range } => solve_cell_range(cells, range, &first),
        };
        let second = |step: DoneWaitingOrStopped<'a, T>| {
            let step = match step {
                DoneWaitingOrStopped::Waits(cell, refusal) => task.solve_unless_must_wait(
                    cell,
                    GraphOrFrontierAttempt::Frontier(refusal),
                    make,
                )?,
                step => step,
            };
            Ok(match step {
                DoneWaitingOrStopped::Done(made) => Some(made),
                DoneWaitingOrStopped::Waits(..) | DoneWaitingOrStopped::Stopped => None,
            })
        };
        steps?.into_iter().map(second).collect()
    }
}

impl SharedSolveContext<'_> {
    /// Solves a cell and makes something of it, unless it has to wait.
    fn solve_unless_must_wait<'a, T>(
        &self,
        cell: OwnedOrBorrowedCell<'a>,
        attempt: GraphOrFrontierAttempt,
        make: &impl Fn(SolvedCellOrRow<'_>) -> T,
    ) -> Result<DoneWaitingOrStopped<'a, T>, StudyError> {
        let solution = match self.solve_and_simulate_cell(&cell, attempt) {
            Ok(SolvedOrTooLargeCell::Large(refusal)) => {
                return Ok(DoneWaitingOrStopped::Waits(cell, refusal));
            }
            Ok(SolvedOrTooLargeCell::Solved(None)) => return Ok(DoneWaitingOrStopped::Stopped),
            Ok(SolvedOrTooLargeCell::Solved(Some(solution))) => Ok(solution),
            // Errors of one contest belong in its row; an error of the disk ends the work.
            Err(error) if error.is_contest_error() => Err(error),
            Err(error) => return Err(error),
        };
        self.watch.note_answered_cell(cell.index);
        Ok(DoneWaitingOrStopped::Done(make(SolvedCellOrRow::Cell(&cell, solution))))
    }
}

/// Makes and solves the cells of `range`, several one after the other on each thread.
fn solve_cell_range<'a, T: Send>(
    cells: &'a ExperimentCells,
    range: Range<u64>,
    solve: &(impl Fn(CellOrReason<'a>) -> Result<DoneWaitingOrStopped<'a, T>, StudyError> + Sync),
) -> Result<Vec<DoneWaitingOrStopped<'a, T>>, StudyError> {
    let runs = (range.end - range.start).div_ceil(CELLS_PER_SEQUENCE);
    let run = |run: u64| {
        let first = range.start + run * CELLS_PER_SEQUENCE;
        let end = range.end.min(first + CELLS_PER_SEQUENCE);
        let mut steps = Vec::new();
        for (index, made) in cells.build_cell_range(first..end) {
            let place = made.map(|cell| OwnedOrBorrowedCell::Owned(cell.into()));
            let step = solve(place.map_err(|wrong| wrong.into_table_row(index, 0).into()))?;
            let stopped = matches!(step, DoneWaitingOrStopped::Stopped);
            steps.push(step);
            if stopped {
                break;
            }
        }
        Ok(steps)
    };
    let runs: Vec<Vec<_>> =
        (0..runs).into_par_iter().map(run).collect::<Result<_, StudyError>>()?;
    Ok(runs.into_iter().flatten().collect())
}

/// Solves blocks, each while the one before is taken. Returns the finished cells of a block in
/// which the observer stopped the work, and nothing when all blocks were solved.
///
/// # Errors
/// What `solve` and `take` return.
pub fn solve_while_delivering<'a, T: Send>(
    blocks: &mut impl Iterator<Item = CellBlock<'a>>,
    solve: impl Fn(CellBlock<'a>) -> Result<Vec<Option<T>>, StudyError> + Sync,
    take: &mut (dyn FnMut(Vec<T>) -> Result<(), StudyError> + Send),
) -> Result<Option<Vec<T>>, StudyError> {
    let mut waiting: Option<Vec<T>> = None;
    for block in blocks {
        let (last, places) = (waiting.take(), block.len());
        // One thread writes while the others work, and no third block waits behind a slow disk.
        let (taken, solved) = parallel::join(|| last.map_or(Ok(()), &mut *take), || solve(block));
        taken?;
        let finished: Vec<T> = solved?.into_iter().flatten().collect();
        if finished.len() < places {
            return Ok(Some(finished));
        }
        waiting = Some(finished);
    }
    waiting.map_or(Ok(()), take)?;
    Ok(None)
}
