//! A question worked out to its end: every square of its grid, exactly, however long that takes.

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

/// A question worked out: the odds of the cell that is looked at, and of its grid.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkedView {
    text: String,
    #[cfg_attr(test, ts(type = "AnswerView | null"))]
    told: Option<AnswerView>,
    grid: Option<GridView>,
    /// Whether it was stopped before all of it was there.
    slow: bool,
    /// The number of squares that are answered, and of all.
    squares: (u64, u64),
}

/// The odds of the cell that is looked at, and of its whole grid: as much of it as there was before `watch` stopped
/// it. `begun` hears how many squares there are.
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
    // On purpose, and with a bar beside it: no smaller than on the command line.
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

/// What is said of a grid of which nobody waited for the first square.
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
