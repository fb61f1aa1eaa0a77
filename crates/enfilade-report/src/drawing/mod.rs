//! Drawings: one scene for charts and cards, and a writer per format.
//!
//! A [`Scene`] is a list of shapes and lines of text, laid out by this program and not by a
//! library: labels are measured before they are placed, in the one [`font_metrics`] family that is
//! compiled in. The writers draw the scene unchanged, so that a chart as PDF and a card as PNG look
//! as they do as SVG. A new format is a file beside these and a line in [`PICTURES`].

use enfilade_model::error::Error;

mod color;
pub mod font_metrics;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "png")]
mod png;
mod scene;
mod svg;

pub use color::Ink;
pub use font_metrics::{Face, Type};
pub use scene::{Label, Medium, Point, Scene, Shape, Side};

/// Space between two pages of one picture, in units of the scene.
const GAP: f64 = 12.0;

/// A writer of pages of one size, at least one, with a title if the format has room for it.
type Write = fn(&str, &[Scene]) -> Result<Vec<u8>, Error>;

/// A format of pictures.
#[derive(Debug)]
pub struct Picture {
    /// The ending of its files, which is also its name.
    pub ending: &'static str,
    /// A description for help.
    pub about: &'static str,
    /// Its writer; `None` where this program was built without it.
    writer: Option<Write>,
    /// The feature that it needs, if any.
    feature: &'static str,
}

#[cfg(feature = "png")]
const PNG: Option<Write> = Some(png::write);
#[cfg(not(feature = "png"))]
const PNG: Option<Write> = None;

#[cfg(feature = "pdf")]
const PDF: Option<Write> = Some(pdf::write);
#[cfg(not(feature = "pdf"))]
const PDF: Option<Write> = None;

/// Every format of pictures.
pub const PICTURES: &[Picture] = &[
    Picture { ending: "pdf", about: "Pages for a printer", writer: PDF, feature: "pdf" },
    Picture { ending: "svg", about: "One drawing", writer: Some(svg::write), feature: "" },
    Picture { ending: "png", about: "One picture of pixels", writer: PNG, feature: "png" },
];

impl PartialEq for Picture {
    fn eq(&self, other: &Picture) -> bool {
        self.ending == other.ending
    }
}

impl Picture {
    /// Returns the format whose files have this ending, without the dot; `None` for an unknown
    /// ending.
    pub fn ending(ending: &str) -> Option<&'static Picture> {
        PICTURES.iter().find(|picture| picture.ending == ending)
    }

    /// Whether this program was built with it.
    pub fn is_built(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes the pages in this format.
    ///
    /// # Errors
    /// When the program was built without the format, there are too many pages for it, or a library
    /// fails.
    pub fn write(&self, title: &str, pages: &[Scene]) -> Result<Vec<u8>, Error> {
        match self.writer {
            Some(write) => write(title, pages),
            None => Err(Error::Usage(format!(
                "this enfilade was built without {}: build it with the feature `{}`, or use another \
                 format, such as svg",
                self.ending.to_uppercase(),
                self.feature,
            ))),
        }
    }
}

/// Renders a picture as SVG, which every build has.
pub fn svg(scene: &Scene) -> String {
    svg::written(std::slice::from_ref(scene))
}

/// Returns the error for a file that cannot be drawn.
#[cfg(any(feature = "png", feature = "pdf"))]
fn trouble(what: &str, why: impl ToString) -> Error {
    Error::Output { what: what.to_owned(), why: why.to_string() }
}
