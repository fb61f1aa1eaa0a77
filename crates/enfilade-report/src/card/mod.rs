//! Printed odds cards: one table model, and a thin writer per format.
//!
//! [`cards`] turns answers into [`Card`]s: the place of every number, rounded for reading, with a
//! legend and a footer. The writers only format the model: [`card_html`], [`card_csv`] and those of
//! [`blocks`](crate::blocks) directly; those of [`drawing`](crate::drawing) from the pages that
//! [`layout`] lays out. Nothing here depends on the clock.

use crate::blocks::Writer;
use crate::drawing::Picture;
use crate::drawing::Scene;
use crate::text::labels;
use enfilade_engine::cancel::{Halt, NEVER};
use enfilade_model::error::Error;
use enfilade_study::answer::Answer;
use enfilade_study::comparison::Comparison;
use enfilade_study::experiment::ExperimentSpec;

mod build;
mod card_blocks;
pub mod card_csv;
pub mod card_html;
mod card_plan;
mod cell_values;
mod difference_card;
mod footnotes;
pub mod layout;
mod legend;
mod merge_cells;
pub mod model;
pub mod outcome_stack;
mod page_canvas;
mod paper;
mod percent_format;
mod shading;
#[cfg(test)]
mod tests;

pub use build::{cards, differences};
pub use model::Card;
pub use paper::{Paper, Sheet};

/// The format of written cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Pages; in one picture they are below each other.
    Picture(&'static Picture, Paper),
    /// A web page that prints on this paper.
    Html(Paper),
    /// Tables and sentences as text.
    Text(&'static Writer),
    /// Records in one of three shapes.
    Csv(card_csv::Shape),
}

/// Writes the cards of an experiment in a format.
///
/// # Errors
/// When there is no answer to print, the cards have more than 500 pages, or the program was built
/// without the format.
pub fn write(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    format: Format,
) -> Result<Vec<u8>, Error> {
    write_unless(experiment, answers, format, &NEVER)
}

/// Writes the cards, unless the run is cancelled: a card of many cells takes long to lay out.
///
/// # Errors
/// As for [`write()`], and [`Error::Interrupted`] after a cancellation.
pub fn write_unless(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    format: Format,
    halt: &Halt,
) -> Result<Vec<u8>, Error> {
    written(&experiment.name, &some(build::cards_unless(experiment, answers, halt)?)?, format, halt)
}

/// Writes the cards of the differences B less A in a format: see [`differences`].
///
/// # Errors
/// As for [`write()`].
pub fn write_differences(
    experiment: &ExperimentSpec,
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
    format: Format,
) -> Result<Vec<u8>, Error> {
    let cards = some(differences(experiment, comparisons, names))?;
    written(&experiment.name, &cards, format, &NEVER)
}

fn written(name: &str, cards: &[Card], format: Format, halt: &Halt) -> Result<Vec<u8>, Error> {
    // CSV records keep every cell.
    let printed = || cards.iter().map(merge_cells::merged).collect::<Vec<_>>();
    Ok(match format {
        Format::Picture(picture, paper) => {
            return picture.write(&cards[0].title, &layout::sheets(&printed(), paper, halt)?);
        }
        Format::Html(paper) => {
            card_html::render(&labels::called(name), &printed(), paper).into_bytes()
        }
        Format::Text(writer) => (writer.write)(&card_blocks::blocks(&printed())).into_bytes(),
        Format::Csv(shape) => card_csv::render(cards, shape).into_bytes(),
    })
}

/// Lays out the pages of the cards on this paper.
///
/// # Errors
/// When there is no answer to print, there are more than 500 pages, or after a cancellation.
pub fn pages(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    paper: Paper,
    halt: &Halt,
) -> Result<Vec<Scene>, Error> {
    let cards = some(build::cards_unless(experiment, answers, halt)?)?;
    let merged: Vec<Card> = cards.iter().map(merge_cells::merged).collect();
    layout::sheets(&merged, paper, halt)
}

/// Returns the cards, or an error without any.
fn some(cards: Vec<Card>) -> Result<Vec<Card>, Error> {
    match cards.is_empty() {
        true => Err(Error::Usage("there is no answer to print on a card".to_owned())),
        false => Ok(cards),
    }
}
