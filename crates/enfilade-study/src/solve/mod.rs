//! From cells to answers, side by side or one after the other.

use super::answer::Answer;
use super::checkpoint::journal::Journal;
use super::experiment::{Cell, Experiment};
use super::solve::block::{Block, CellRef, Place};
use super::solve::build_answer::Solution;
pub use super::solve::build_answer::alpha;
use super::solve::errors::in_one_line;
pub use super::solve::run::{RunEnd, RunPlan, run};
pub use super::solve::settings::{Settings, Unwatched, Watch};
use super::solve::solve_cell::{Share, Task};
use enfilade_model::error::Error;

#[doc(hidden)]
pub mod block;
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
#[doc(hidden)]
pub mod run;
pub mod settings;
#[doc(hidden)]
pub mod solve_cell;
#[doc(hidden)]
pub mod streaming;
pub mod tally_law;
#[doc(hidden)]
pub mod trial_record;

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
/// When no cell has an answer, what is wrong with the first: players decide in a contest that is too large
/// to be compiled, only exact laws are asked for and it is too large for that, or its rule goes wrong. Where
/// some have answers, the others are rows that say why. When the journal cannot be written.
pub fn solve(
    cells: &[Cell],
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    let places = cells.iter().map(|cell| Ok(CellRef::Lent(cell))).collect();
    solve_all(places, settings, watch, journal)
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
    let places = cells.into_iter().map(|cell| Ok(CellRef::Own(cell.into()))).collect();
    solve_all(places, settings, watch, journal)
}

/// Solves the cells of one block.
fn solve_all(
    places: Vec<Place<'_>>,
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    let count = places.len();
    let alpha = alpha(count as u64);
    let make = |solved: block::Solved<'_>| match solved {
        block::Solved::Cell(cell, Ok(found)) => (found.assemble(cell, settings, alpha), None),
        block::Solved::Cell(cell, Err(error)) => {
            let row = Solution::NONE.assemble(cell, settings, alpha);
            (row.refused(in_one_line(&error)), Some(error))
        }
        block::Solved::Row(row) => (*row, None),
    };
    let task = Task { settings, share: Share::WHOLE, watch, journal };
    let made = Block::Checked(places).solve(&task, &make)?;
    let (mut answers, mut wrong, mut any) = (Vec::with_capacity(count), None, false);
    for made in made {
        let (answer, error) = made.unzip();
        any |= !matches!(error, Some(Some(_)));
        answers.extend(answer);
        wrong = wrong.or(error.flatten());
    }
    match wrong {
        Some(error) if !any => Err(error),
        _ => Ok(Solved { interrupted: answers.len() < count, answers }),
    }
}

/// The answers to an experiment, on the threads of the current rayon pool.
///
/// # Errors
/// As for [`solve`].
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
