//! Canvas of one page of a card.

use crate::drawing::{Face, Ink, Label, Shape, Type};

/// Returns black regular type for paper.
pub const fn plain(size: f64) -> Type {
    Type::new(Face::Condensed, size)
}

/// The alignment of a text in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its left end.
    Left,
    /// In its middle.
    Centre,
    /// At its right end.
    Right,
}

/// A page that is being drawn.
#[derive(Clone, Debug, Default)]
pub struct Pen {
    /// The shapes drawn so far.
    pub shapes: Vec<Shape>,
}

impl Pen {
    /// Fills a rectangle. A thin one is a rule.
    pub fn fill(&mut self, at: (f64, f64), size: (f64, f64), grey: u8) {
        self.shapes.push(Shape::Fill(at, size, Ink(grey, grey, grey)));
    }

    /// Draws a line of text with its upper edge at `y` into the room from `x` to `x + room`.
    pub fn text(&mut self, set: Type, (x, y): (f64, f64), room: f64, align: Align, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let spare = room - set.width(text);
        let x = match align {
            Align::Left => x,
            Align::Centre => x + spare / 2.0,
            Align::Right => x + spare,
        };
        self.shapes.push(Shape::Text(Label::new(text, (x, y + set.ascent()), set)));
    }
}
