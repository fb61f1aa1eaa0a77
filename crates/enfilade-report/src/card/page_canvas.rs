//! Canvas of one page of a card.

use crate::drawing::{RgbColor, SansOrCondensedFace, Shape, TextFontAndColor, TextLabel};

/// Returns black regular type for paper.
pub const fn black_paper_typeface(size: f64) -> TextFontAndColor {
    TextFontAndColor::regular_black(SansOrCondensedFace::Condensed, size)
}

/// The alignment of a text in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomAlignment {
    /// At its left end.
    Left,
    /// In its middle.
    Centre,
    /// At its right end.
    Right,
}

/// A page that is being drawn.
#[derive(Clone, Debug, Default)]
pub struct PageCanvas {
    /// The shapes drawn so far.
    pub shapes: Vec<Shape>,
}

impl PageCanvas {
    /// Fills a rectangle. A thin one is a rule.
    pub fn fill_rectangle(&mut self, at: (f64, f64), size: (f64, f64), grey: u8) {
        self.shapes.push(Shape::Fill(at, size, RgbColor(grey, grey, grey)));
    }

    /// Draws a line of text with its upper edge at `y` into the room from `x` to `x + room`.
    pub fn draw_aligned_text(
        &mut self,
        set: TextFontAndColor,
        (x, y): (f64, f64),
        room: f64,
        align: RoomAlignment,
        text: &str,
    ) {
        if text.trim().is_empty() {
            return;
        }
        let spare = room - set.width_of_text(text);
        let x = match align {
            RoomAlignment::Left => x,
            RoomAlignment::Centre => x + spare / 2.0,
            RoomAlignment::Right => x + spare,
        };
        self.shapes.push(Shape::Text(TextLabel::new(
            text,
            (x, y + set.ascent_to_base_line()),
            set,
        )));
    }
}
