//! Printed odds cards: one table model, and a thin writer per format.
//!
//! [`cards`] turns answers into [`Card`]s: which numbers stand where, rounded as people read them,
//! with a legend and a footer. The writers only set what stands in the model: [`markdown`],
//! [`html`] and [`csv`] directly; [`pdf`] and [`svg`] from the pages that [`layout`] makes of it.
//! Only [`pdf`] knows the library that writes PDF. Nothing here depends on the clock.

use crate::error::Error;
use crate::study::answer::Answer;
use crate::study::experiment::Experiment;

mod build;
pub mod csv;
mod footnotes;
pub mod html;
pub(super) mod labels;
pub mod layout;
mod legend;
pub mod markdown;
mod metrics;
pub mod model;
mod paper;
#[cfg(feature = "pdf")]
pub mod pdf;
mod plan;
mod readings;
mod shares;
mod sheet;
pub mod svg;
#[cfg(test)]
mod tests;

pub use build::cards;
pub use model::Card;
pub use paper::Paper;

/// How cards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pages for a printer.
    Pdf(Paper),
    /// The same pages as one drawing, one below the other.
    Svg(Paper),
    /// A web page that prints on this paper.
    Html(Paper),
    /// Tables as Markdown.
    Markdown,
    /// Records in one of three shapes.
    Csv(csv::Shape),
}

/// The cards of an experiment in a format.
///
/// # Errors
/// When there is no answer to print, the cards have more pages than anyone prints, or the program
/// was built without PDF and PDF is asked for.
pub fn write(
    experiment: &Experiment,
    answers: &[Answer],
    format: Format,
) -> Result<Vec<u8>, Error> {
    let cards = cards(experiment, answers);
    if cards.is_empty() {
        return Err(Error::Usage("there is no answer to print on a card".to_owned()));
    }
    Ok(match format {
        Format::Pdf(paper) => return pdf_of(&experiment.name, &cards, paper),
        Format::Svg(paper) => svg::render(&layout::sheets(&cards, paper)?).into_bytes(),
        Format::Html(paper) => html::render(&experiment.name, &cards, paper).into_bytes(),
        Format::Markdown => markdown::render(&cards).into_bytes(),
        Format::Csv(shape) => csv::render(&cards, shape).into_bytes(),
    })
}

#[cfg(feature = "pdf")]
fn pdf_of(name: &str, cards: &[Card], paper: Paper) -> Result<Vec<u8>, Error> {
    let title = cards.first().map_or(name, |card| card.title.as_str());
    pdf::render(title, &layout::sheets(cards, paper)?)
}

#[cfg(not(feature = "pdf"))]
fn pdf_of(_: &str, _: &[Card], _: Paper) -> Result<Vec<u8>, Error> {
    Err(Error::Usage(
        "this enfilade was built without PDF: build it with the feature `pdf`, or take --format \
         html, svg, markdown or csv"
            .to_owned(),
    ))
}
