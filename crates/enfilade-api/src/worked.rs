//! A question solved completely: every cell of its grid, exactly, without a time limit.

use serde::Serialize;

use super::bench::Bench;
use super::grid::{self, GridView};
use super::live::exactly;
use super::question::Question;
use crate::error::Error;
use crate::report::answers::answer_view::{self, AnswerView};
use crate::study::answer::Answer;
use crate::study::checkpoint::journal::Journal;
use crate::study::experiment::{Cell, Experiment};
use crate::study::solve::{Settings, Watch, solve};

/// The answer of a solved question: the odds of the current cell, and of its grid.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkedView {
    text: String,
    #[cfg_attr(test, ts(type = "AnswerView | null"))]
    told: Option<AnswerView>,
    grid: Option<GridView>,
    /// Whether the work was stopped before the end.
    slow: bool,
    /// The number of cells that are answered, and of all.
    squares: (u64, u64),
}

/// Solves the current cell, and its whole grid as far as `watch` allows. `begun` receives the
/// number of cells.
///
/// # Errors
/// When the question has faults, or is too large.
pub fn out<W: Watch>(
    bench: &Bench,
    question: &Question,
    watch: &W,
    begun: impl FnOnce(usize),
) -> Result<WorkedView, Error> {
    let read = question.experiment(bench, watch.halt());
    if watch.halt().asked() {
        return none_of(bench, question);
    }
    let (text, experiment) = read?;
    let own = question.own(&experiment.cells);
    begun(own.len());
    // The user waits on purpose, with a bar: no smaller than on the command line.
    let settings = Settings { states: None, ..exactly(&experiment) };
    let answers = solved(own, &settings, watch)?;
    let excluded = question.excluded(&experiment);
    let wanted = question.cell_number(own, &excluded);
    let looked = answers.iter().find(|answer| answer.cell == wanted).or(answers.first());
    let whole = answers.len() == own.len();
    let grid = (own.len() + excluded.len() > 1).then(|| grid::view(own, &excluded, &answers, None));
    Ok(WorkedView {
        text,
        told: looked.map(answer_view::view),
        grid: grid.flatten(),
        slow: !whole,
        squares: (answers.len() as u64, own.len() as u64),
    })
}

/// The view of a grid that was stopped before its first cell.
fn none_of(bench: &Bench, question: &Question) -> Result<WorkedView, Error> {
    let text = question.text();
    let catalogue = question.catalogue(bench, &question.document(&text)?)?;
    let (_, cells) = Experiment::begin(&catalogue, question.name(), &text, 1)?;
    let own = cells.sides().nth(question.contest).map_or(0, |side| side.cells);
    Ok(WorkedView { text, told: None, grid: None, slow: true, squares: (0, own) })
}

fn solved<W: Watch>(cells: &[Cell], settings: &Settings, watch: &W) -> Result<Vec<Answer>, Error> {
    Ok(solve(cells, settings, watch, &Journal::none())?.answers)
}
