//! Margin of a sheet, and paragraphs of text.

use super::super::page_canvas::{Align, Pen};
use crate::drawing::Type;

/// White at every edge of a page.
pub const MARGIN: f64 = 36.0;

/// Draws lines of text below each other, and returns the lower end.
pub fn paragraph(pen: &mut Pen, set: Type, (x, y): (f64, f64), lines: &[String]) -> f64 {
    for (number, line) in lines.iter().enumerate() {
        pen.text(set, (x, y + number as f64 * set.leading()), 0.0, Align::Left, line);
    }
    y + lines.len() as f64 * set.leading()
}
