//! The texts of charts, laid out in whole pixels.

use crate::drawing::font_metrics::LINE_HEIGHT_IN_EMS;
use crate::drawing::{
    HorizontalTextAnchor, RgbColor, SansOrCondensedFace, TextFontAndColor, TextLabel,
};

/// Height of ordinary text in pixels, from the top of the highest letter to the bottom of the
/// lowest.
pub const ORDINARY_TEXT_HEIGHT: i32 = 16;

/// Height of small text.
pub const SMALL_TEXT_HEIGHT: i32 = 14;

/// Height of titles.
pub const TITLE_TEXT_HEIGHT: i32 = 22;

/// Returns the size of a font that is this many pixels high, rounded to hundredths as in the SVG.
pub fn font_size_for_height(size: i32) -> f64 {
    (f64::from(size) / LINE_HEIGHT_IN_EMS * 100.0).round() / 100.0
}

fn typeface_for_height(size: i32, bold: bool) -> TextFontAndColor {
    TextFontAndColor {
        bold,
        ink: RgbColor::TEXT_AND_AXIS_BLACK,
        ..TextFontAndColor::regular_black(SansOrCondensedFace::Sans, font_size_for_height(size))
    }
}

/// Returns a black label of ordinary size about a point, which is in the middle of its height.
pub fn new_label(
    text: impl Into<String>,
    (x, y): (i32, i32),
    side: HorizontalTextAnchor,
) -> TextLabel {
    let at = (f64::from(x), f64::from(y));
    TextLabel {
        side,
        centred: true,
        ..TextLabel::new(text, at, typeface_for_height(ORDINARY_TEXT_HEIGHT, false))
    }
}

/// Returns a [`new_label`] of small size.
pub fn new_small_label(
    text: impl Into<String>,
    at: (i32, i32),
    side: HorizontalTextAnchor,
) -> TextLabel {
    new_label(text, at, side).with_size(font_size_for_height(SMALL_TEXT_HEIGHT))
}

/// Returns left, top, right and bottom of the pixels of a label.
pub fn pixel_bounds_of_label(label: &TextLabel) -> (i32, i32, i32, i32) {
    let (left, top, right, bottom) = label.bounding_box();
    (left.round() as i32, top.round() as i32, right.floor() as i32, bottom.round() as i32)
}

/// Returns the width of a text in pixels.
pub fn pixel_width_of_text(text: &str, size: i32, bold: bool) -> i32 {
    typeface_for_height(size, bold).width_of_text(text) as i32
}

/// Truncates a text with `…` if it is wider than `room`.
pub fn truncate_to_room(text: &str, size: i32, room: i32) -> String {
    typeface_for_height(size, false).truncate_to_width(text, f64::from(room))
}

/// Shortens a name with `…` in its middle if it is wider than `room`: names of one list are told
/// apart by their ends.
pub fn shorten_in_the_middle(text: &str, size: i32, room: i32) -> String {
    if pixel_width_of_text(text, size, false) <= room {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let shortened = |left: usize| {
        let (head, tail) = (left / 3, left - left / 3);
        let begin: String = letters[..head].iter().collect();
        let end: String = letters[letters.len() - tail..].iter().collect();
        format!("{}…{}", begin.trim_end(), end.trim_start())
    };
    let fits = |text: &String| pixel_width_of_text(text, size, false) <= room;
    (1..letters.len()).rev().map(shortened).find(fits).unwrap_or_default()
}

/// Wraps a text in lines of at most `room` pixels, broken between words; no line for an empty text.
pub fn wrap_to_width(text: &str, size: i32, room: i32) -> Vec<String> {
    typeface_for_height(size, false).wrap_to_width(text, f64::from(room))
}
