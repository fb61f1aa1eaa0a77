//! From cells to answers, in parallel or one after the other.

use std::collections::HashSet;

use super::answer::Answer;
use super::checkpoint::journal::Journal;
use super::experiment::{Cell, Experiment};
use super::solve::block::{Block, CellRef, Place};
use super::solve::build_answer::CellSolution;
pub use super::solve::build_answer::agreement_level;
use super::solve::errors::format_in_one_line;
pub use super::solve::run::{RunEnd, RunPlan, run};
pub use super::solve::settings::{NoObserver, Settings, SolveObserver};
use super::solve::solve_cell::{Task, TrialShare};
use crate::error::StudyError;

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
pub(crate) mod loop_check;
#[doc(hidden)]
pub mod run;
pub mod settings;
#[doc(hidden)]
pub mod solve_cell;
#[doc(hidden)]
pub mod streaming;
pub mod tally_law;
pub(crate) mod trial_pace;
#[doc(hidden)]
pub mod trial_record;
pub(crate) mod unfinished_trials;

/// Answers of a set of cells.
#[derive(Debug)]
pub struct SolvedCells {
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
    watch: &dyn SolveObserver,
    journal: &Journal,
) -> Result<SolvedCells, StudyError> {
    let places = cells.iter().map(|cell| Ok(CellRef::Lent(cell))).collect();
    solve_all(places, Vec::new(), settings, watch, journal)
}

/// Answers cells like [`solve`], but takes over the `known` answers of an earlier call.
///
/// # Errors
/// In the cases of [`solve`].
#[doc(hidden)]
pub fn solve_rest(
    cells: &[Cell],
    known: Vec<Answer>,
    settings: &Settings,
    watch: &dyn SolveObserver,
) -> Result<SolvedCells, StudyError> {
    let solved: HashSet<usize> = known.iter().map(|answer| answer.cell).collect();
    known.iter().for_each(|answer| watch.note_answer(answer.cell));
    let rest = cells.iter().filter(|cell| !solved.contains(&cell.index));
    let places = rest.map(|cell| Ok(CellRef::Lent(cell))).collect();
    solve_all(places, known, settings, watch, &Journal::none())
}

/// Answers cells like [`solve`], but drops each cell as soon as it is answered, so that contests
/// and answers of a large grid are never in memory together.
///
/// # Errors
/// In the cases of [`solve`].
pub fn solve_owned(
    cells: Vec<Cell>,
    settings: &Settings,
    watch: &dyn SolveObserver,
    journal: &Journal,
) -> Result<SolvedCells, StudyError> {
    let places = cells.into_iter().map(|cell| Ok(CellRef::Own(cell.into()))).collect();
    solve_all(places, Vec::new(), settings, watch, journal)
}

/// Solves the cells of one block, beside answers that are `known`.
fn solve_all(
    places: Vec<Place<'_>>,
    known: Vec<Answer>,
    settings: &Settings,
    watch: &dyn SolveObserver,
    journal: &Journal,
) -> Result<SolvedCells, StudyError> {
    let count = places.len() + known.len();
    let alpha = agreement_level(count as u64);
    let make = |solved: block::Solved<'_>| match solved {
        block::Solved::Cell(cell, Ok(found)) => (found.build_answer(cell, settings, alpha), None),
        block::Solved::Cell(cell, Err(error)) => {
            let row = CellSolution::UNSOLVED.build_answer(cell, settings, alpha);
            (row.with_refusal(format_in_one_line(&error)), Some(error))
        }
        block::Solved::Row(row) => (*row, None),
    };
    let task = Task { settings, share: TrialShare::WHOLE, watch, journal };
    let made = Block::Checked(places).solve(&task, &make)?;
    let resumed = !known.is_empty();
    let (mut answers, mut wrong, mut any) = (known, None, resumed);
    for made in made {
        let (answer, error) = made.unzip();
        any |= !matches!(error, Some(Some(_)));
        answers.extend(answer);
        wrong = wrong.or(error.flatten());
    }
    if resumed {
        answers.sort_by_key(|answer| answer.cell);
    }
    match wrong {
        Some(error) if !any => Err(error),
        _ => Ok(SolvedCells { interrupted: answers.len() < count, answers }),
    }
}

/// Answers an experiment, on the threads of the current rayon pool.
///
/// # Errors
/// In the cases of [`solve`].
///
/// ```
/// use enfilade_study::{experiment::Experiment, solve::{solve_experiment, settings::Settings}};
/// use enfilade_games::built_in;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read(&built_in(), "two.toml", file)?;
/// let answers = solve_experiment(&experiment, &Settings::exact_only().with_fractions())?;
/// assert_eq!(answers.len(), 2);
/// # Ok::<(), enfilade_study::error::StudyError>(())
/// ```
pub fn solve_experiment(
    experiment: &Experiment,
    settings: &Settings,
) -> Result<Vec<Answer>, StudyError> {
    let solved = solve(&experiment.cells, settings, &NoObserver, &Journal::none())?;
    Ok(experiment.insert_excluded(solved.answers))
}
