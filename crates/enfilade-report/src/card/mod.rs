//! Printed odds cards: one table model, and a thin writer per format.
//!
//! [`cards`] turns answers into [`Card`]s: which numbers stand where, rounded as people read them,
//! with a legend and a footer. The writers only set what stands in the model: [`html`], [`csv`] and
//! those of [`blocks`](crate::blocks) directly; those of [`drawing`](crate::drawing) from
//! the pages that [`layout`] makes of it. Nothing here depends on the clock.

use crate::blocks::Writer;
use crate::drawing::Picture;
use crate::drawing::Scene;
use crate::spoken;
use enfilade_model::error::Error;
use enfilade_study::answer::Answer;
use enfilade_study::compare::Comparison;
use enfilade_study::experiment::Experiment;

mod build;
pub mod csv;
mod difference;
mod footnotes;
mod ground;
pub mod html;
pub(super) mod labels;
pub mod layout;
mod legend;
mod merge;
pub mod model;
mod paper;
mod plan;
mod readings;
mod shares;
mod sheet;
pub mod stack;
#[cfg(test)]
mod tests;
mod told;

pub use build::{cards, differences};
pub use model::Card;
pub use paper::{Paper, Sheet};

/// How cards are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Pages, or the same below each other in one picture.
    Picture(&'static Picture, Paper),
    /// A web page that prints on this paper.
    Html(Paper),
    /// Tables and sentences as text.
    Text(&'static Writer),
    /// Records in one of three shapes.
    Csv(csv::Shape),
}

/// The cards of an experiment in a format.
///
/// # Errors
/// When there is no answer to print, the cards have more pages than anyone prints, or the program
/// was built without the format.
pub fn write(
    experiment: &Experiment,
    answers: &[Answer],
    format: Format,
) -> Result<Vec<u8>, Error> {
    written(&experiment.name, &some(cards(experiment, answers))?, format)
}

/// The cards of what B has more than A, in a format: see [`differences`].
///
/// # Errors
/// As for [`write`].
pub fn write_differences(
    experiment: &Experiment,
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
    format: Format,
) -> Result<Vec<u8>, Error> {
    let cards = some(differences(experiment, comparisons, names))?;
    written(&experiment.name, &cards, format)
}

fn written(name: &str, cards: &[Card], format: Format) -> Result<Vec<u8>, Error> {
    // Records keep every cell that was asked for.
    let printed = || cards.iter().map(merge::merged).collect::<Vec<_>>();
    Ok(match format {
        Format::Picture(picture, paper) => {
            return picture.write(&cards[0].title, &layout::sheets(&printed(), paper)?);
        }
        Format::Html(paper) => html::render(&spoken::called(name), &printed(), paper).into_bytes(),
        Format::Text(writer) => (writer.write)(&told::blocks(&printed())).into_bytes(),
        Format::Csv(shape) => csv::render(cards, shape).into_bytes(),
    })
}

/// The pages of the cards on this paper, one after the other.
///
/// # Errors
/// When there is no answer to print, or there are more pages than anyone prints.
pub fn pages(
    experiment: &Experiment,
    answers: &[Answer],
    paper: Paper,
) -> Result<Vec<Scene>, Error> {
    let merged: Vec<Card> = some(cards(experiment, answers))?.iter().map(merge::merged).collect();
    layout::sheets(&merged, paper)
}

/// Cards, at least one.
fn some(cards: Vec<Card>) -> Result<Vec<Card>, Error> {
    match cards.is_empty() {
        true => Err(Error::Usage("there is no answer to print on a card".to_owned())),
        false => Ok(cards),
    }
}
