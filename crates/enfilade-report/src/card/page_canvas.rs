//! A page of a card under way.

use crate::drawing::{Face, Ink, Label, Shape, Type};

/// Black regular type for paper.
pub const fn plain(size: f64) -> Type {
    Type::new(Face::Condensed, size)
}

/// Where a text stands in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its left end.
    Left,
    /// In its middle.
    Centre,
    /// At its right end.
    Right,
}

/// A page under way.
#[derive(Clone, Debug, Default)]
pub struct Pen {
    /// What is drawn so far.
    pub shapes: Vec<Shape>,
}

impl Pen {
    /// Fills a rectangle. A rule is a thin one.
    pub fn fill(&mut self, at: (f64, f64), size: (f64, f64), grey: u8) {
        self.shapes.push(Shape::Fill(at, size, Ink(grey, grey, grey)));
    }

    /// Writes a line of text with its upper edge at `y` into the room from `x` to `x + room`.
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
