//! Margin of a sheet, and paragraphs of text.

use super::super::page_canvas::{PageCanvas, RoomAlignment};
use crate::drawing::TextFontAndColor;

/// White at every edge of a page.
pub const PAGE_EDGE_MARGIN: f64 = 36.0;

/// Draws lines of text below each other, and returns the lower end.
pub fn draw_text_lines_down(
    pen: &mut PageCanvas,
    set: TextFontAndColor,
    (x, y): (f64, f64),
    lines: &[String],
) -> f64 {
    for (number, line) in lines.iter().enumerate() {
        pen.draw_aligned_text(
            set,
            (x, y + number as f64 * set.line_spacing()),
            0.0,
            RoomAlignment::Left,
            line,
        );
    }
    y + lines.len() as f64 * set.line_spacing()
}
