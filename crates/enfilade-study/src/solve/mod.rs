//! From cells to answers, in parallel or one after the other.

use std::collections::HashSet;

use super::answer::Answer;
use super::checkpoint::journal::CellTrialJournal;
use super::experiment::{Experiment, GridCell};
use super::solve::block::{CellBlock, CellOrReason, OwnedOrBorrowedCell};
use super::solve::build_answer::CellSolution;
pub use super::solve::build_answer::comparison_error_level;
use super::solve::errors::format_in_one_line;
pub use super::solve::run::{RunCompletion, RunPlan, run_plan_into_sink};
pub use super::solve::settings::{NoObserver, SolveObserver, SolverSettings};
use super::solve::solve_cell::{SharedSolveContext, TrialShareOfCell};
use crate::error::StudyError;

#[doc(hidden)]
pub mod block;
#[doc(hidden)]
pub mod build_answer;
pub(crate) mod condition_check;
#[doc(hidden)]
pub mod errors;
pub(crate) mod estimate;
pub(crate) mod exact_stage;
pub(crate) mod first_steps_check;
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
pub mod tally_distribution;
pub(crate) mod trial_pace;
#[doc(hidden)]
pub mod trial_record;
pub(crate) mod unfinished_trials;

/// Answers of a set of cells.
#[derive(Debug)]
pub struct AnswersAndInterruption {
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
pub fn solve_cells(
    cells: &[GridCell],
    settings: &SolverSettings,
    watch: &dyn SolveObserver,
    journal: &CellTrialJournal,
) -> Result<AnswersAndInterruption, StudyError> {
    let places = cells.iter().map(|cell| Ok(OwnedOrBorrowedCell::Lent(cell))).collect();
    solve_cells_keeping_earlier(places, Vec::new(), settings, watch, journal)
}

/// Answers cells like [`solve_cells`], but takes over the `earlier_answers` answers of an earlier
/// call.
///
/// # Errors
/// In the cases of [`solve_cells`].
#[doc(hidden)]
pub fn solve_cells_without_answers(
    cells: &[GridCell],
    earlier_answers: Vec<Answer>,
    settings: &SolverSettings,
    watch: &dyn SolveObserver,
) -> Result<AnswersAndInterruption, StudyError> {
    let solved: HashSet<usize> = earlier_answers.iter().map(|answer| answer.cell).collect();
    earlier_answers.iter().for_each(|answer| watch.note_answered_cell(answer.cell));
    let rest = cells.iter().filter(|cell| !solved.contains(&cell.index));
    let places = rest.map(|cell| Ok(OwnedOrBorrowedCell::Lent(cell))).collect();
    solve_cells_keeping_earlier(
        places,
        earlier_answers,
        settings,
        watch,
        &CellTrialJournal::without_storage(),
    )
}

/// Answers cells like [`solve_cells`], but drops each cell as soon as it is answered, so that
/// contests and answers of a large grid are never in memory together.
///
/// # Errors
/// In the cases of [`solve_cells`].
pub fn solve_and_drop_cells(
    cells: Vec<GridCell>,
    settings: &SolverSettings,
    watch: &dyn SolveObserver,
    journal: &CellTrialJournal,
) -> Result<AnswersAndInterruption, StudyError> {
    let places =
        cells.into_iter().map(|cell| Ok(OwnedOrBorrowedCell::Owned(cell.into()))).collect();
    solve_cells_keeping_earlier(places, Vec::new(), settings, watch, journal)
}

/// Solves the cells of one block, beside answers that are `earlier_answers`.
fn solve_cells_keeping_earlier(
    places: Vec<CellOrReason<'_>>,
    earlier_answers: Vec<Answer>,
    settings: &SolverSettings,
    watch: &dyn SolveObserver,
    journal: &CellTrialJournal,
) -> Result<AnswersAndInterruption, StudyError> {
    let count = places.len() + earlier_answers.len();
    let alpha = comparison_error_level(count as u64);
    let make = |solved: block::SolvedCellOrRow<'_>| match solved {
        block::SolvedCellOrRow::Cell(cell, Ok(found)) => {
            (found.build_cell_answer(cell, settings, alpha), None)
        }
        block::SolvedCellOrRow::Cell(cell, Err(error)) => {
            let row = CellSolution::WITHOUT_RESULTS.build_cell_answer(cell, settings, alpha);
            (row.refuse_cell_with_reason(format_in_one_line(&error)), Some(error))
        }
        block::SolvedCellOrRow::Row(row) => (*row, None),
    };
    let task = SharedSolveContext { settings, share: TrialShareOfCell::ALL_TRIALS, watch, journal };
    let made = CellBlock::Checked(places).solve_block_cells(&task, &make)?;
    let resumed = !earlier_answers.is_empty();
    let (mut answers, mut wrong, mut any) = (earlier_answers, None, resumed);
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
        _ => Ok(AnswersAndInterruption { interrupted: answers.len() < count, answers }),
    }
}

/// Answers an experiment, on the threads of the current rayon pool.
///
/// # Errors
/// In the cases of [`solve_cells`].
///
/// ```
/// use enfilade_study::{experiment::Experiment, solve::{solve_experiment, settings::SolverSettings}};
/// use enfilade_games::built_in_catalogue;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read_experiment_text(&built_in_catalogue(), "two.toml", file)?;
/// let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only().with_fractions())?;
/// assert_eq!(answers.len(), 2);
/// # Ok::<(), enfilade_study::error::StudyError>(())
/// ```
pub fn solve_experiment(
    experiment: &Experiment,
    settings: &SolverSettings,
) -> Result<Vec<Answer>, StudyError> {
    let solved = solve_cells(
        &experiment.cells,
        settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    )?;
    Ok(experiment.insert_rows_of_broken_checks(solved.answers))
}
