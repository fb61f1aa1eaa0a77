//! From cells to answers, in parallel or one after the other.

use std::borrow::Borrow;

use rayon::prelude::*;

use super::answer::Answer;
use super::checkpoint::journal::Journal;
use super::experiment::{Cell, Experiment};
use super::solve::build_answer::Solution;
use super::solve::errors::in_one_line;
pub use super::solve::settings::{Settings, Unwatched, Watch};
use super::solve::solve_cell::{Reached, Share, solution, solution_in_waves};
use enfilade_model::error::{Error, TooLarge};

#[doc(hidden)]
pub mod build_answer;
#[doc(hidden)]
pub mod errors;
pub(crate) mod estimate;
pub(crate) mod exact_stage;
#[doc(hidden)]
pub mod forecast;
pub(crate) mod held;
pub(crate) mod looped;
pub(crate) mod pace;
pub mod settings;
#[doc(hidden)]
pub mod solve_cell;
#[doc(hidden)]
pub mod streaming;
#[doc(hidden)]
pub mod trial_record;

/// Probability that a whole run raises a false alarm, shared by its cells.
const FALSE_ALARM: f64 = 1e-9;

/// Returns the level at which exact and simulated are compared in one of `cells` cells.
pub fn alpha(cells: u64) -> f64 {
    FALSE_ALARM / cells.max(1) as f64
}

/// Answers of a set of cells.
#[derive(Debug)]
pub struct Solved {
    /// Answers in the order of their cells, without unfinished cells.
    pub answers: Vec<Answer>,
    /// Whether the observer cancelled the work before the end.
    pub interrupted: bool,
}

/// Answers `cells`, on the threads of the current rayon pool.
///
/// The answers do not depend on the threads. Trials recorded in `journal` are not repeated, and new
/// ones are recorded there.
///
/// # Errors
/// If no cell has an answer: the failure of the first. A contest with decisions may be too large to
/// compile, a contest may be too large for the exact distribution that alone is requested, or its
/// rule may fail. If some cells have answers, the others are rows with the reason. Also if the
/// journal cannot be written.
pub fn solve(
    cells: &[Cell],
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    solve_all(cells.par_iter(), settings, watch, journal)
}

/// Answers cells like [`solve`], but drops each cell as soon as it is answered, so that contests
/// and answers of a large grid are never in memory together.
///
/// # Errors
/// In the cases of [`solve`].
pub fn solve_and_drop(
    cells: Vec<Cell>,
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    solve_all(cells.into_par_iter(), settings, watch, journal)
}

/// Result of a cell that may have to wait.
enum Reply<C> {
    /// Answer; `None` if the observer cancelled the work.
    Answer(Option<Box<Answer>>),
    /// Too large for a graph: solved alone, later.
    Large(C, TooLarge),
    /// Failed: its row has the reason.
    Failed(Box<Answer>, Error),
}

/// Answers cells with a graph in parallel, then the others one by one: each of those fills the
/// available memory, and all threads.
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
    // The failure of one cell is reported in its row; a failure of the disk ends the work.
    let failed = |cell: &Cell, error: Error| match error.is_of_a_contest() {
        true => {
            watch.answered(cell.index);
            let why = in_one_line(&error);
            let row = Solution::NONE.assemble(cell, settings, alpha).refused(why);
            Ok(Reply::Failed(Box::new(row), error))
        }
        false => Err(error),
    };
    let first = |cell: C| -> Result<Reply<C>, Error> {
        Ok(match solution(cell.borrow(), settings, Share::WHOLE, watch, journal) {
            Ok(Reached::Found(found)) => {
                Reply::Answer(assembled(cell.borrow(), found).map(Box::new))
            }
            // Stored until its turn; all other cells are dropped as soon as they are answered.
            Ok(Reached::Large(refusal)) => Reply::Large(cell, refusal),
            Err(error) => failed(cell.borrow(), error)?,
        })
    };
    let replies: Vec<_> = cells.map(first).collect::<Result<_, Error>>()?;
    let second = |reply: Reply<C>| match reply {
        Reply::Large(cell, refusal) => {
            let (of, share) = (cell.borrow(), Share::WHOLE);
            match solution_in_waves(of, refusal, settings, share, watch, journal) {
                Ok(found) => Ok(Reply::Answer(assembled(of, found).map(Box::new))),
                Err(error) => failed(of, error),
            }
        }
        reply => Ok(reply),
    };
    let replies: Vec<_> = replies.into_iter().map(second).collect::<Result<_, Error>>()?;
    answered(replies, count)
}

/// Collects the answers of `count` cells. If none has an answer and one has failed, returns the
/// failure of the first.
fn answered<C>(replies: Vec<Reply<C>>, count: usize) -> Result<Solved, Error> {
    let (mut answers, mut wrong, mut any) = (Vec::with_capacity(count), None, false);
    for reply in replies {
        match reply {
            Reply::Answer(answer) => {
                any = true;
                answers.extend(answer.map(|answer| *answer));
            }
            Reply::Failed(row, error) => {
                wrong.get_or_insert(error);
                answers.push(*row);
            }
            Reply::Large(..) => {}
        }
    }
    match wrong {
        Some(error) if !any => Err(error),
        _ => Ok(Solved { interrupted: answers.len() < count, answers }),
    }
}

/// Answers an experiment, on the threads of the current rayon pool.
///
/// # Errors
/// In the cases of [`solve`].
///
/// ```
/// use enfilade_study::{experiment::Experiment, solve::{answers, settings::Settings}};
/// use enfilade_games::built_in;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read(&built_in(), "two.toml", file)?;
/// let answers = answers(&experiment, &Settings::exact().with_fractions())?;
/// assert_eq!(answers.len(), 2);
/// # Ok::<(), enfilade_model::error::Error>(())
/// ```
pub fn answers(experiment: &Experiment, settings: &Settings) -> Result<Vec<Answer>, Error> {
    let solved = solve(&experiment.cells, settings, &Unwatched, &Journal::none())?;
    Ok(experiment.complete(solved.answers))
}
