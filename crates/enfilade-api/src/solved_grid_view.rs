//! A question solved completely: every cell of its grid, exactly, without a time limit.

use std::collections::HashSet;

use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::app_state::AppState;
use super::grid_view::{self, GridNumbersView};
use super::live_question::small_exact_settings;
use super::page_question::PageQuestion;
use enfilade_report::answers::answer_view::{self, AnswerInWords};
use enfilade_report::error::ReportError;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{SolveObserver, SolverSettings, solve_cells_without_answers};

/// The answer of a solved question: the odds of the current cell, and of its grid.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolvedCellAndGridView {
    text: String,
    #[cfg_attr(test, ts(type = "AnswerInWords | null"))]
    told: Option<AnswerInWords>,
    grid: Option<GridNumbersView>,
    /// Whether the work was stopped before the end.
    slow: bool,
    /// The number of cells that are answered, and of all.
    squares: (u64, u64),
}

/// Answers of the question that was solved last, so that stopped work goes on.
#[derive(Debug, Default)]
pub struct LatestSolvedAnswers(Mutex<Option<([u8; 32], Vec<Answer>)>>);

impl LatestSolvedAnswers {
    /// The answers to the question with this key.
    fn get(&self, key: [u8; 32]) -> Vec<Answer> {
        let stored = self.0.lock();
        stored
            .iter()
            .find(|(own, _)| *own == key)
            .map(|(_, known)| known.clone())
            .unwrap_or_default()
    }

    /// Stores the answers to a question in place of those before.
    fn replace_answers(&self, key: [u8; 32], answers: &[Answer]) {
        *self.0.lock() = Some((key, answers.to_vec()));
    }
}

/// The key of a question: its text, its contest, and its rulebooks. Rules that are built in do not
/// change.
fn cache_key_of_question(text: &str, contest: usize, experiment: &Experiment) -> [u8; 32] {
    let files = experiment.spec.rulebooks.iter().flat_map(|system| system.files.iter());
    let files: HashSet<_> = files.map(|file| &*file.sha256).collect();
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_unstable();
    Sha256::digest(format!("{contest} {files:?}\n{text}")).into()
}

/// Solves the current cell, and its whole grid as far as `watch` allows. `on_start` receives the
/// number of cells.
///
/// # Errors
/// When the question has faults, or is too large.
pub fn solve_cell_and_grid<W: SolveObserver>(
    bench: &AppState,
    question: &PageQuestion,
    watch: &W,
    solved: &LatestSolvedAnswers,
    on_start: impl FnOnce(usize),
) -> Result<SolvedCellAndGridView, ReportError> {
    let read = question.read_text_and_experiment(bench, watch.cancel_token());
    if watch.cancel_token().is_cancelled() {
        return view_without_cells(bench, question);
    }
    let (text, experiment) = read?;
    let own = question.current_contest_cells(&experiment.cells);
    on_start(own.len());
    // The user waits on purpose, with a bar: no smaller than on the command line.
    let settings = SolverSettings { states: None, ..small_exact_settings(&experiment) };
    let key = cache_key_of_question(&text, question.contest, &experiment);
    let answers = solve_cells_without_answers(own, solved.get(key), &settings, watch)?.answers;
    solved.replace_answers(key, &answers);
    let excluded = question.excluded_cells_of_contest(&experiment);
    let wanted = question.current_cell_number(own, &excluded);
    let looked = answers.iter().find(|answer| answer.cell == wanted).or(answers.first());
    let whole = answers.len() == own.len();
    let grid = (own.len() + excluded.len() > 1)
        .then(|| grid_view::build_grid_view(own, &excluded, &answers));
    Ok(SolvedCellAndGridView {
        text,
        told: looked.map(answer_view::build_answer_view),
        grid: grid.flatten(),
        slow: !whole,
        squares: (answers.len() as u64, own.len() as u64),
    })
}

/// The view of a grid that was stopped before its first cell.
fn view_without_cells(
    bench: &AppState,
    question: &PageQuestion,
) -> Result<SolvedCellAndGridView, ReportError> {
    let text = question.text_with_form();
    let catalogue =
        question.read_rulebooks_in_reach(bench, &question.parse_toml_document(&text)?)?;
    let (_, cells) = Experiment::read_checking_all_or_samples(
        &catalogue,
        question.file_name_in_messages(),
        &text,
        1,
    )?;
    let own = cells.contest_grids().nth(question.contest).map_or(0, |side| side.cells);
    Ok(SolvedCellAndGridView { text, told: None, grid: None, slow: true, squares: (0, own) })
}
