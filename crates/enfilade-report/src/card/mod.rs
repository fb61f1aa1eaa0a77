//! Printed odds cards: one table model, and a thin writer per format.
//!
//! [`build_cards`] turns answers into [`ReferenceCard`]s: the place of every number, rounded for
//! reading, with a legend and a footer. The writers only format the model: [`card_html`],
//! [`card_csv`] and those of [`blocks`](crate::blocks) directly; those of
//! [`drawing`](crate::drawing) from the pages that [`layout`] lays out. Nothing here depends on the
//! clock.

use crate::blocks::WholeReportTextFormat;
use crate::drawing::PictureFormat;
use crate::drawing::Scene;
use crate::error::ReportError;
use crate::text::labels;
use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_study::answer::Answer;
use enfilade_study::comparison::ExperimentComparison;
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
mod paper_sizes;
mod percent_format;
mod shading;
#[cfg(test)]
mod tests;

pub use card_builder::{build_cards, build_difference_cards};
pub use card_model::ReferenceCard;
pub use paper_sizes::{OrientedPaperSheet, SheetSize};

/// The format of written cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WrittenCardFormat {
    /// Pages; in one picture they are below each other.
    Picture(&'static PictureFormat, OrientedPaperSheet),
    /// A web page that prints on this paper.
    Html(OrientedPaperSheet),
    /// Tables and sentences as text.
    Text(&'static WholeReportTextFormat),
    /// Records in one of three shapes.
    Csv(card_csv::CardPartPerCsvRecord),
}

/// Writes the cards of an experiment in a format.
///
/// # Errors
/// When there is no answer to print, the cards have more than 500 pages, or the program was built
/// without the format.
pub fn encode_cards(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    format: WrittenCardFormat,
) -> Result<Vec<u8>, ReportError> {
    render_cards_unless_cancelled(experiment, answers, format, &NEVER_CANCELLED)
}

/// Writes the cards, unless the run is cancelled: a card of many cells takes long to lay out.
///
/// # Errors
/// As for [`encode_cards()`], and [`ReportError::Interrupted`] after a cancellation.
pub fn render_cards_unless_cancelled(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    format: WrittenCardFormat,
    halt: &CancelToken,
) -> Result<Vec<u8>, ReportError> {
    render_cards_in_format(
        &experiment.name,
        &cards_or_error_if_none(card_builder::build_cards_unless_cancelled(
            experiment, answers, halt,
        )?)?,
        format,
        halt,
    )
}

/// Writes the cards of the differences B less A in a format: see [`build_difference_cards`].
///
/// # Errors
/// As for [`encode_cards()`].
pub fn encode_difference_cards(
    experiment: &ExperimentSpec,
    comparisons: &[ExperimentComparison<'_>],
    names: (&str, &str),
    format: WrittenCardFormat,
) -> Result<Vec<u8>, ReportError> {
    let cards = cards_or_error_if_none(build_difference_cards(experiment, comparisons, names))?;
    render_cards_in_format(&experiment.name, &cards, format, &NEVER_CANCELLED)
}

fn render_cards_in_format(
    name: &str,
    cards: &[ReferenceCard],
    format: WrittenCardFormat,
    halt: &CancelToken,
) -> Result<Vec<u8>, ReportError> {
    // CSV records keep every cell.
    let printed = || cards.iter().map(merge_cells::merge_rows_and_columns).collect::<Vec<_>>();
    Ok(match format {
        WrittenCardFormat::Picture(picture, paper) => {
            return picture
                .encode_pages(&cards[0].title, &layout::lay_out_cards(&printed(), paper, halt)?);
        }
        WrittenCardFormat::Html(paper) => card_html::render_cards_html(
            &labels::experiment_name_with_spaces(name),
            &printed(),
            paper,
        )
        .into_bytes(),
        WrittenCardFormat::Text(writer) => {
            (writer.write)(&card_blocks::build_card_blocks(&printed())).into_bytes()
        }
        WrittenCardFormat::Csv(shape) => card_csv::render_cards_csv(cards, shape).into_bytes(),
    })
}

/// Lays out the pages of the cards on this paper.
///
/// # Errors
/// When there is no answer to print, there are more than 500 pages, or after a cancellation.
pub fn lay_out_card_pages(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    paper: OrientedPaperSheet,
    halt: &CancelToken,
) -> Result<Vec<Scene>, ReportError> {
    let cards = cards_or_error_if_none(card_builder::build_cards_unless_cancelled(
        experiment, answers, halt,
    )?)?;
    let merged: Vec<ReferenceCard> =
        cards.iter().map(merge_cells::merge_rows_and_columns).collect();
    layout::lay_out_cards(&merged, paper, halt)
}

/// Returns the cards, or an error without any.
fn cards_or_error_if_none(cards: Vec<ReferenceCard>) -> Result<Vec<ReferenceCard>, ReportError> {
    match cards.is_empty() {
        true => Err(ReportError::Invalid("there is no answer to print on a card".to_owned())),
        false => Ok(cards),
    }
}
