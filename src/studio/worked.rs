//! A question worked out to its end: every square of its grid, exactly, however long that takes.

use serde_json::{Value as Json, json};

use super::bench::Bench;
use super::grid;
use super::live::exactly;
use super::question::Question;
use crate::error::Error;
use crate::report::answers::answer_view;
use crate::study::answer::Answer;
use crate::study::checkpoint::journal::Journal;
use crate::study::experiment::{Cell, Experiment};
use crate::study::solve::{Settings, Watch, solve};

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
) -> Result<Json, Error> {
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
    let squares = (own.len() + excluded.len() > 1).then(|| grid::json(own, &excluded, &answers));
    Ok(json!({
        "text": text,
        "told": looked.map(answer_view::json),
        "grid": squares,
        "slow": !whole,
        "squares": [answers.len(), own.len()],
    }))
}

/// What is said of a grid of which nobody waited for the first square.
fn none_of(bench: &Bench, question: &Question) -> Result<Json, Error> {
    let text = question.text();
    let catalogue = question.catalogue(bench, &question.document(&text)?)?;
    let (_, cells) = Experiment::begin(&catalogue, question.name(), &text, 1)?;
    let own = cells.sides().nth(question.contest).map_or(0, |side| side.cells);
    Ok(json!({ "text": text, "told": null, "grid": null, "slow": true, "squares": [0, own] }))
}

fn solved<W: Watch>(cells: &[Cell], settings: &Settings, watch: &W) -> Result<Vec<Answer>, Error> {
    Ok(solve(cells, settings, watch, &Journal::none())?.answers)
}
