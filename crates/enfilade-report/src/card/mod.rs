//! Printed odds cards: one table model, and a thin writer per format.
//!
//! [`build_cards`] turns answers into [`Card`]s: the place of every number, rounded for reading, with a
//! legend and a footer. The writers only format the model: [`card_html`], [`card_csv`] and those of
//! [`blocks`](crate::blocks) directly; those of [`drawing`](crate::drawing) from the pages that
//! [`layout`] lays out. Nothing here depends on the clock.

use crate::blocks::BlockFormat;
use crate::drawing::PictureFormat;
use crate::drawing::Scene;
use crate::error::ReportError;
use crate::text::labels;
use enfilade_engine::cancel::{CancelToken, NEVER};
use enfilade_study::answer::Answer;
use enfilade_study::comparison::Comparison;
use enfilade_study::experiment::ExperimentSpec;

mod card_blocks;
mod card_builder;
pub mod card_csv;
pub mod card_html;
pub mod card_model;
mod card_plan;
mod cell_values;
mod difference_card;
mod footnotes;
pub mod layout;
mod legend;
mod merge_cells;
pub mod outcome_stack;
mod page_canvas;
mod paper;
mod percent_format;
mod shading;
#[cfg(test)]
mod tests;

pub use card_builder::{build_cards, build_difference_cards};
pub use card_model::Card;
pub use paper::{CardPaper, PaperSize};

/// The format of written cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CardFormat {
    /// Pages; in one picture they are below each other.
    Picture(&'static PictureFormat, CardPaper),
    /// A web page that prints on this paper.
    Html(CardPaper),
    /// Tables and sentences as text.
    Text(&'static BlockFormat),
    /// Records in one of three shapes.
    Csv(card_csv::CsvShape),
}

/// Writes the cards of an experiment in a format.
///
/// # Errors
/// When there is no answer to print, the cards have more than 500 pages, or the program was built
/// without the format.
pub fn write_cards(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    format: CardFormat,
) -> Result<Vec<u8>, ReportError> {
    try_write_cards(experiment, answers, format, &NEVER)
}

/// Writes the cards, unless the run is cancelled: a card of many cells takes long to lay out.
///
/// # Errors
/// As for [`write_cards()`], and [`ReportError::Interrupted`] after a cancellation.
pub fn try_write_cards(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    format: CardFormat,
    halt: &CancelToken,
) -> Result<Vec<u8>, ReportError> {
    render_format(
        &experiment.name,
        &require_cards(card_builder::try_build_cards(experiment, answers, halt)?)?,
        format,
        halt,
    )
}

/// Writes the cards of the differences B less A in a format: see [`build_difference_cards`].
///
/// # Errors
/// As for [`write_cards()`].
pub fn write_difference_cards(
    experiment: &ExperimentSpec,
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
    format: CardFormat,
) -> Result<Vec<u8>, ReportError> {
    let cards = require_cards(build_difference_cards(experiment, comparisons, names))?;
    render_format(&experiment.name, &cards, format, &NEVER)
}

fn render_format(
    name: &str,
    cards: &[Card],
    format: CardFormat,
    halt: &CancelToken,
) -> Result<Vec<u8>, ReportError> {
    // CSV records keep every cell.
    let printed = || cards.iter().map(merge_cells::merge_equal).collect::<Vec<_>>();
    Ok(match format {
        CardFormat::Picture(picture, paper) => {
            return picture
                .write_pages(&cards[0].title, &layout::lay_out_cards(&printed(), paper, halt)?);
        }
        CardFormat::Html(paper) => {
            card_html::render_cards_html(&labels::experiment_title(name), &printed(), paper)
                .into_bytes()
        }
        CardFormat::Text(writer) => {
            (writer.write)(&card_blocks::build_card_blocks(&printed())).into_bytes()
        }
        CardFormat::Csv(shape) => card_csv::render_cards_csv(cards, shape).into_bytes(),
    })
}

/// Lays out the pages of the cards on this paper.
///
/// # Errors
/// When there is no answer to print, there are more than 500 pages, or after a cancellation.
pub fn lay_out_pages(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    paper: CardPaper,
    halt: &CancelToken,
) -> Result<Vec<Scene>, ReportError> {
    let cards = require_cards(card_builder::try_build_cards(experiment, answers, halt)?)?;
    let merged: Vec<Card> = cards.iter().map(merge_cells::merge_equal).collect();
    layout::lay_out_cards(&merged, paper, halt)
}

/// Returns the cards, or an error without any.
fn require_cards(cards: Vec<Card>) -> Result<Vec<Card>, ReportError> {
    match cards.is_empty() {
        true => Err(ReportError::Invalid("there is no answer to print on a card".to_owned())),
        false => Ok(cards),
    }
}
