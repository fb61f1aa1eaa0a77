//! Drawings: one scene for charts and cards, and a writer per format.
//!
//! A [`Scene`] is a list of shapes and lines of text, laid out by this program and not by a
//! library: labels are measured before they are placed, in the one [`font_metrics`] family that is
//! compiled in. The writers draw the scene unchanged, so that a chart as PDF and a card as PNG look
//! as they do as SVG. A new format is a file beside these and a line in [`PICTURE_FORMATS`].

use crate::error::ReportError;

mod color;
pub mod font_metrics;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "png")]
mod png;
mod render_svg;
mod scene;

pub use color::RgbColor;
pub use font_metrics::{SansOrCondensedFace, TextFontAndColor};
pub use scene::{DrawingMedium, HorizontalTextAnchor, Point, Scene, Shape, TextLabel};

/// Space between two pages of one picture, in units of the scene.
const GAP_BETWEEN_PAGES: f64 = 12.0;

/// A writer of pages of one size, at least one, with a title if the format has room for it.
type PageWriter = fn(&str, &[Scene]) -> Result<Vec<u8>, ReportError>;

/// A format of pictures.
#[derive(Debug)]
pub struct PictureFormat {
    /// The ending of its files, which is also its name.
    pub ending: &'static str,
    /// A description for help.
    pub about: &'static str,
    /// Its writer; `None` where this program was built without it.
    writer: Option<PageWriter>,
    /// The feature that it needs, if any.
    feature: &'static str,
}

#[cfg(feature = "png")]
const PNG_PAGE_WRITER: Option<PageWriter> = Some(png::encode_pages_as_one_png);
#[cfg(not(feature = "png"))]
const PNG_PAGE_WRITER: Option<PageWriter> = None;

#[cfg(feature = "pdf")]
const PDF_PAGE_WRITER: Option<PageWriter> = Some(pdf::encode_pdf);
#[cfg(not(feature = "pdf"))]
const PDF_PAGE_WRITER: Option<PageWriter> = None;

/// Every format of pictures.
pub const PICTURE_FORMATS: &[PictureFormat] = &[
    PictureFormat {
        ending: "pdf",
        about: "Pages for a printer",
        writer: PDF_PAGE_WRITER,
        feature: "pdf",
    },
    PictureFormat {
        ending: "svg",
        about: "One drawing",
        writer: Some(render_svg::encode_pages_as_one_svg),
        feature: "",
    },
    PictureFormat {
        ending: "png",
        about: "One picture of pixels",
        writer: PNG_PAGE_WRITER,
        feature: "png",
    },
];

impl PartialEq for PictureFormat {
    fn eq(&self, other: &PictureFormat) -> bool {
        self.ending == other.ending
    }
}

impl PictureFormat {
    /// Returns the format whose files have this ending, without the dot; `None` for an unknown
    /// ending.
    pub fn format_for_extension(ending: &str) -> Option<&'static PictureFormat> {
        PICTURE_FORMATS.iter().find(|picture| picture.ending == ending)
    }

    /// Whether this program was built with it.
    pub fn is_in_this_build(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes the pages in this format.
    ///
    /// # Errors
    /// When the program was built without the format, there are too many pages for it, or a library
    /// fails.
    pub fn encode_pages(&self, title: &str, pages: &[Scene]) -> Result<Vec<u8>, ReportError> {
        match self.writer {
            Some(write) => write(title, pages),
            None => Err(ReportError::Invalid(format!(
                "this enfilade was built without {}: build it with the feature `{}`, or use another \
                 format, such as svg",
                self.ending.to_uppercase(),
                self.feature,
            ))),
        }
    }
}

/// Renders a picture as SVG, which every build has.
pub fn render_scene_as_svg(scene: &Scene) -> String {
    render_svg::render_pages_as_one_svg(std::slice::from_ref(scene))
}

/// Returns the error for a file that cannot be drawn.
#[cfg(any(feature = "png", feature = "pdf"))]
fn drawing_error(what: &str, why: impl ToString) -> ReportError {
    crate::error::OutputEncodeError { what: what.to_owned(), why: why.to_string() }.into()
}
