//! The texts of charts, laid out in whole pixels.

use crate::drawing::font_metrics::LINE_HEIGHT;
use crate::drawing::{FontFamilyFace, RgbColor, TextLabel, TextPointPosition, TextType};

/// Height of ordinary text in pixels, from the top of the highest letter to the bottom of the
/// lowest.
pub const TEXT_HEIGHT: i32 = 16;

/// Height of small text.
pub const SMALL_HEIGHT: i32 = 14;

/// Height of titles.
pub const TITLE_HEIGHT: i32 = 22;

/// Returns the size of a font that is this many pixels high, rounded to hundredths as in the SVG.
pub fn font_size_for_height(size: i32) -> f64 {
    (f64::from(size) / LINE_HEIGHT * 100.0).round() / 100.0
}

fn new_typeface(size: i32, bold: bool) -> TextType {
    TextType {
        bold,
        ink: RgbColor::BLACK,
        ..TextType::new(FontFamilyFace::Sans, font_size_for_height(size))
    }
}

/// Returns a black label of ordinary size about a point, which is in the middle of its height.
pub fn new_label(
    text: impl Into<String>,
    (x, y): (i32, i32),
    side: TextPointPosition,
) -> TextLabel {
    let at = (f64::from(x), f64::from(y));
    TextLabel { side, centred: true, ..TextLabel::new(text, at, new_typeface(TEXT_HEIGHT, false)) }
}

/// Returns a [`new_label`] of small size.
pub fn new_small_label(
    text: impl Into<String>,
    at: (i32, i32),
    side: TextPointPosition,
) -> TextLabel {
    new_label(text, at, side).with_size(font_size_for_height(SMALL_HEIGHT))
}

/// Returns left, top, right and bottom of the pixels of a label.
pub fn label_extent(label: &TextLabel) -> (i32, i32, i32, i32) {
    let (left, top, right, bottom) = label.bounding_box();
    (left.round() as i32, top.round() as i32, right.floor() as i32, bottom.round() as i32)
}

/// Returns the width of a text in pixels.
pub fn text_width(text: &str, size: i32, bold: bool) -> i32 {
    new_typeface(size, bold).measure_text(text) as i32
}

/// Truncates a text with `…` if it is wider than `room`.
pub fn truncate_to_room(text: &str, size: i32, room: i32) -> String {
    new_typeface(size, false).truncate(text, f64::from(room))
}

/// Wraps a text in lines of at most `room` pixels, broken between words; no line for an empty text.
pub fn wrap_lines(text: &str, size: i32, room: i32) -> Vec<String> {
    new_typeface(size, false).wrap_lines(text, f64::from(room))
}
