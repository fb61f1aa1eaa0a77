//! A block of cells: those with a graph are solved side by side, then the others one by one.

use std::ops::{Deref, Range};

use rayon::prelude::*;

use crate::answer::Answer;
use crate::error::StudyError;
use crate::experiment::Cell;
use crate::grid::cells::ExperimentCells;
use crate::solve::build_answer::CellSolution;
use crate::solve::solve_cell::{Attempt, CellStage, Task};
use enfilade_model::error::TooLargeError;

/// Number of cells in a block. Two blocks are in memory at once, some megabytes: few enough to stay
/// in the cache between computing and writing, and enough for as many threads as there are runs.
pub const BLOCK_CELLS: u64 = 512;

/// Number of cells that one thread builds one after the other: of those, only the fields that
/// differ are filled in again.
const RUN: u64 = 32;

/// A cell that the block owns, or one that the caller keeps.
#[derive(Debug)]
pub enum CellRef<'a> {
    /// A cell that is dropped as soon as it is solved.
    Own(Box<Cell>),
    /// A cell that stays.
    Lent(&'a Cell),
}

impl Deref for CellRef<'_> {
    type Target = Cell;

    fn deref(&self) -> &Cell {
        match self {
            CellRef::Own(cell) => cell,
            CellRef::Lent(cell) => cell,
        }
    }
}

/// A place of a grid: its cell, or the row with the reason why there is none.
pub type Place<'a> = Result<CellRef<'a>, Box<Answer>>;

/// Consecutive cells.
#[derive(Debug)]
pub enum Block<'a> {
    /// Cells that were made and checked.
    Checked(Vec<Place<'a>>),
    /// Cells that are made when they are solved.
    Made {
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
pub enum Solved<'a> {
    /// The cell, with its solution or the reason why it has none.
    Cell(&'a Cell, Result<CellSolution, StudyError>),
    /// The row, without a seed.
    Row(Box<Answer>),
}

/// State of a cell in its block.
enum Step<'a, T> {
    /// A solved cell.
    Done(T),
    /// A cell that is too large for a graph, and waits until the others are solved.
    Waits(CellRef<'a>, TooLargeError),
    /// The observer stopped the work.
    Stopped,
}

impl<'a> Block<'a> {
    /// Number of places.
    pub fn len(&self) -> usize {
        match self {
            Block::Checked(places) => places.len(),
            Block::Made { range, .. } => (range.end - range.start) as usize,
        }
    }

    /// Whether there is no place.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Solves the cells and makes something of each; `None` for a cell that was not finished when the
    /// observer stopped the work. A block that was stopped may be shorter.
    ///
    /// # Errors
    /// An error that does not concern one contest alone: the journal cannot be written.
    pub fn solve<T: Send>(
        self,
        task: &Task<'_>,
        make: &(impl Fn(Solved<'_>) -> T + Sync),
    ) -> Result<Vec<Option<T>>, StudyError> {
        let first = |place: Place<'a>| match place {
            Ok(cell) => task.step(cell, Attempt::Graph, make),
            Err(row) => Ok(Step::Done(make(Solved::Row(row)))),
        };
        let steps = match self {
            Block::Checked(places) => places.into_par_iter().map(first).collect::<Result<_, _>>(),
            Block::Made { cells, range } => answer_block(cells, range, &first),
        };
        let second = |step: Step<'a, T>| {
            let step = match step {
                Step::Waits(cell, refusal) => task.step(cell, Attempt::Frontier(refusal), make)?,
                step => step,
            };
            Ok(match step {
                Step::Done(made) => Some(made),
                Step::Waits(..) | Step::Stopped => None,
            })
        };
        steps?.into_iter().map(second).collect()
    }
}

impl Task<'_> {
    /// Solves a cell and makes something of it, unless it has to wait.
    fn step<'a, T>(
        &self,
        cell: CellRef<'a>,
        attempt: Attempt,
        make: &impl Fn(Solved<'_>) -> T,
    ) -> Result<Step<'a, T>, StudyError> {
        let solution = match self.solution(&cell, attempt) {
            Ok(CellStage::Large(refusal)) => return Ok(Step::Waits(cell, refusal)),
            Ok(CellStage::Found(None)) => return Ok(Step::Stopped),
            Ok(CellStage::Found(Some(solution))) => Ok(solution),
            // Errors of one contest belong in its row; an error of the disk ends the work.
            Err(error) if error.is_contest_error() => Err(error),
            Err(error) => return Err(error),
        };
        self.watch.note_answer(cell.index);
        Ok(Step::Done(make(Solved::Cell(&cell, solution))))
    }
}

/// Makes and solves the cells of `range`, several one after the other on each thread.
fn answer_block<'a, T: Send>(
    cells: &'a ExperimentCells,
    range: Range<u64>,
    solve: &(impl Fn(Place<'a>) -> Result<Step<'a, T>, StudyError> + Sync),
) -> Result<Vec<Step<'a, T>>, StudyError> {
    let runs = (range.end - range.start).div_ceil(RUN);
    let run = |run: u64| {
        let first = range.start + run * RUN;
        let end = range.end.min(first + RUN);
        let mut steps = Vec::new();
        for (index, made) in cells.build_range(first..end) {
            let place = made.map(|cell| CellRef::Own(cell.into()));
            let step = solve(place.map_err(|wrong| wrong.into_answer(index, 0).into()))?;
            let stopped = matches!(step, Step::Stopped);
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

/// Solves blocks, each while the one before is taken. Returns the finished cells of a block in which the
/// observer stopped the work, and nothing when all blocks were solved.
///
/// # Errors
/// What `solve` and `take` return.
pub fn pipeline_blocks<'a, T: Send>(
    blocks: &mut impl Iterator<Item = Block<'a>>,
    solve: impl Fn(Block<'a>) -> Result<Vec<Option<T>>, StudyError> + Sync,
    take: &mut (dyn FnMut(Vec<T>) -> Result<(), StudyError> + Send),
) -> Result<Option<Vec<T>>, StudyError> {
    let mut waiting: Option<Vec<T>> = None;
    for block in blocks {
        let (last, places) = (waiting.take(), block.len());
        // One thread writes while the others work, and no third block waits behind a slow disk.
        let (taken, solved) = rayon::join(|| last.map_or(Ok(()), &mut *take), || solve(block));
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
