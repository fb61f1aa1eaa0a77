//! The texts of charts, laid out in whole pixels.

use crate::drawing::font_metrics::HEIGHT;
use crate::drawing::{Face, Ink, Label, Side, Type};

/// Height of ordinary text in pixels, from the top of the highest letter to the bottom of the
/// lowest.
pub const SIZE: i32 = 16;

/// Height of small text.
pub const SMALL: i32 = 14;

/// Height of titles.
pub const TITLE: i32 = 22;

/// Returns the size of a font that is this many pixels high, rounded to hundredths as in the SVG.
pub fn em(size: i32) -> f64 {
    (f64::from(size) / HEIGHT * 100.0).round() / 100.0
}

fn set(size: i32, bold: bool) -> Type {
    Type { bold, ink: Ink::BLACK, ..Type::new(Face::Sans, em(size)) }
}

/// Returns a black label of ordinary size about a point, which is in the middle of its height.
pub fn label(text: impl Into<String>, (x, y): (i32, i32), side: Side) -> Label {
    let at = (f64::from(x), f64::from(y));
    Label { side, centred: true, ..Label::new(text, at, set(SIZE, false)) }
}

/// Returns a [`label`] of small size.
pub fn small(text: impl Into<String>, at: (i32, i32), side: Side) -> Label {
    label(text, at, side).size(em(SMALL))
}

/// Returns left, top, right and bottom of the pixels of a label.
pub fn extent(label: &Label) -> (i32, i32, i32, i32) {
    let (left, top, right, bottom) = label.extent();
    (left.round() as i32, top.round() as i32, right.floor() as i32, bottom.round() as i32)
}

/// Returns the width of a text in pixels.
pub fn width(text: &str, size: i32, bold: bool) -> i32 {
    set(size, bold).width(text) as i32
}

/// Truncates a text with `…` if it is wider than `room`.
pub fn fitted(text: &str, size: i32, room: i32) -> String {
    set(size, false).fitted(text, f64::from(room))
}

/// Wraps a text in lines of at most `room` pixels, broken between words; no line for an empty text.
pub fn lines(text: &str, size: i32, room: i32) -> Vec<String> {
    set(size, false).lines(text, f64::from(room))
}
