//! Pages as drawings: filled rectangles and lines of text, in points from the upper left corner.
//!
//! What the writers of PDF and SVG have in common. A rule is a thin rectangle.

use super::metrics;

/// Pages of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheets {
    /// Width of a page.
    pub width: f64,
    /// Height of a page.
    pub height: f64,
    /// The pages, at least one.
    pub pages: Vec<Vec<Mark>>,
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A rectangle filled with a grey, 0 black to 255 white.
    Fill {
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
        /// How light.
        grey: u8,
    },
    /// A line of text.
    Text {
        /// Left end.
        x: f64,
        /// Base line.
        y: f64,
        /// Size of the type.
        size: f64,
        /// Whether it is bold.
        bold: bool,
        /// How light.
        grey: u8,
        /// The text, not empty.
        text: String,
    },
}

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// Its size in points.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// How light, 0 black to 255 white.
    pub grey: u8,
}

impl Type {
    /// Black regular type.
    pub const fn plain(size: f64) -> Type {
        Type { size, bold: false, grey: 0 }
    }

    /// The same in bold.
    pub const fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    /// The same in a grey.
    pub const fn grey(self, grey: u8) -> Type {
        Type { grey, ..self }
    }

    /// Width of a text in it.
    pub fn width(self, text: &str) -> f64 {
        metrics::width(text, self.size, self.bold)
    }

    /// Width of the widest word of a text.
    pub fn longest_word(self, text: &str) -> f64 {
        metrics::longest_word(text, self.size, self.bold)
    }

    /// A text in lines of at most `room`.
    pub fn lines(self, text: &str, room: f64) -> Vec<String> {
        metrics::wrapped(text, self.size, self.bold, room, 0.0)
    }

    /// The same with a first line that is `indent` shorter.
    pub fn lines_after(self, text: &str, room: f64, indent: f64) -> Vec<String> {
        metrics::wrapped(text, self.size, self.bold, room, indent)
    }

    /// From the upper edge of a line of type to its base line.
    pub fn ascent(self) -> f64 {
        0.93 * self.size
    }

    /// From one base line to the next.
    pub fn leading(self) -> f64 {
        1.2 * self.size
    }
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
    pub marks: Vec<Mark>,
}

impl Pen {
    /// Fills a rectangle.
    pub fn fill(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), grey: u8) {
        self.marks.push(Mark::Fill { x, y, width, height, grey });
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
        self.marks.push(Mark::Text {
            x,
            y: y + set.ascent(),
            size: set.size,
            bold: set.bold,
            grey: set.grey,
            text: text.to_owned(),
        });
    }
}
