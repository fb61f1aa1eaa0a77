//! From cells to answers, side by side or one after the other.

use std::borrow::Borrow;

use rayon::prelude::*;

use super::answer::Answer;
use super::assemble::Solution;
use super::experiment::{Cell, Experiment};
use super::journal::Journal;
pub use super::settings::{Settings, Unwatched, Watch};
use super::work::{Reached, Share, solution, solution_in_waves};
use crate::error::{Error, TooLarge};

/// Chance that a whole run reports a disagreement where there is none, shared out over its cells.
const FALSE_ALARM: f64 = 1e-9;

/// The level at which exact and simulated are compared in one of so many cells.
pub fn alpha(cells: u64) -> f64 {
    FALSE_ALARM / cells.max(1) as f64
}

/// What became of a set of cells.
#[derive(Debug)]
pub struct Solved {
    /// The answers, in the order of their cells; without the cells that were not finished.
    pub answers: Vec<Answer>,
    /// Whether the watcher stopped the work before the end.
    pub interrupted: bool,
}

/// Answers `cells`, on the threads of the current rayon pool.
///
/// The answers do not depend on the threads. Trials recorded in `journal` are not made again, and
/// new ones are recorded there.
///
/// # Errors
/// When players decide in a contest that is too large to be compiled, or only exact laws are asked for
/// and one is too large for that.
pub fn solve(
    cells: &[Cell],
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    solve_all(cells.par_iter(), settings, watch, journal)
}

/// As [`solve`]; each cell is given up as soon as it is answered, so that of a large grid contests
/// and answers never stand in memory together.
///
/// # Errors
/// As for [`solve`].
pub fn solve_and_drop(
    cells: Vec<Cell>,
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    solve_all(cells.into_par_iter(), settings, watch, journal)
}

/// What became of a cell that may have to wait.
enum Reply<C> {
    /// It was answered, or the watcher stopped it.
    Answer(Option<Answer>),
    /// It is too large for a graph, and goes alone.
    Large(C, TooLarge),
}

/// Cells with a graph side by side, then the others one by one: each of those fills the memory that
/// there is, and all threads.
fn solve_all<C: Borrow<Cell> + Send>(
    cells: impl IndexedParallelIterator<Item = C>,
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    let count = cells.len();
    let alpha = alpha(count as u64);
    let assembled = |cell: &Cell, found: Option<Solution>| {
        let found = found?;
        watch.answered(cell.index);
        Some(found.assemble(cell, settings, alpha))
    };
    let first = |cell: C| -> Result<Reply<C>, Error> {
        let found = solution(cell.borrow(), settings, Share::WHOLE, watch, journal)?;
        Ok(match found {
            Reached::Found(found) => Reply::Answer(assembled(cell.borrow(), found)),
            // Kept until its turn; all others are given up as soon as they are answered.
            Reached::Large(refusal) => Reply::Large(cell, refusal),
        })
    };
    let replies: Vec<_> = cells.map(first).collect::<Result<_, Error>>()?;
    let second = |reply: Reply<C>| match reply {
        Reply::Answer(answer) => Ok(answer),
        Reply::Large(cell, refusal) => {
            let (of, share) = (cell.borrow(), Share::WHOLE);
            let found = solution_in_waves(of, refusal, settings, share, watch, journal)?;
            Ok(assembled(of, found))
        }
    };
    let answers: Vec<_> = replies.into_iter().map(second).collect::<Result<_, Error>>()?;
    let answers: Vec<Answer> = answers.into_iter().flatten().collect();
    Ok(Solved { interrupted: answers.len() < count, answers })
}

/// The answers to an experiment, on the threads of the current rayon pool.
///
/// # Errors
/// As for [`solve`].
pub fn answers(experiment: &Experiment, settings: &Settings) -> Result<Vec<Answer>, Error> {
    let solved = solve(&experiment.cells, settings, &Unwatched, &Journal::none())?;
    Ok(solved.answers)
}
