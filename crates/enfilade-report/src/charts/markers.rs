//! Marks at a value, which differ in shape and so need no colour.

use crate::drawing::{Ink, Scene};

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// A line across the axis: an exact value.
    Upright,
    /// A filled circle: a simulated value.
    Dot,
    /// A circle with paper inside.
    Ring,
    /// A filled square.
    Square,
    /// A filled square on its corner.
    Diamond,
    /// A filled triangle.
    Triangle,
}

impl Glyph {
    /// The shapes of several series, in turn.
    pub const SERIES: [Glyph; 5] =
        [Glyph::Dot, Glyph::Diamond, Glyph::Square, Glyph::Triangle, Glyph::Ring];

    /// Returns the shape of series `index`.
    pub fn of(index: usize) -> Glyph {
        Glyph::SERIES[index % Glyph::SERIES.len()]
    }

    /// Draws the mark about a point.
    pub fn draw(self, scene: &mut Scene, (x, y): (i32, i32), ink: Ink) {
        match self {
            Glyph::Upright => scene.line(vec![(x, y - 8), (x, y + 8)], ink, 2),
            Glyph::Dot => scene.dot((x, y), 4, ink),
            Glyph::Ring => {
                scene.dot((x, y), 5, ink);
                scene.dot((x, y), 3, Ink::WHITE);
            }
            Glyph::Square => scene.fill((x - 4, y - 4), (x + 4, y + 4), ink),
            Glyph::Diamond => {
                scene.area(vec![(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)], ink);
            }
            Glyph::Triangle => scene.area(vec![(x, y - 6), (x + 6, y + 4), (x - 6, y + 4)], ink),
        }
    }
}

/// A value with its interval, in the unit of the axis it is drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The value.
    pub value: f64,
    /// Lower and upper end of the interval; `None` for an exact value.
    pub interval: Option<(f64, f64)>,
}

impl Span {
    /// Returns an exact value.
    pub fn exact(value: f64) -> Span {
        Span { value, interval: None }
    }

    /// Returns a value between `low` and `high`.
    pub fn within(value: f64, low: f64, high: f64) -> Span {
        Span { value, interval: Some((low, high)) }
    }

    /// Whether the value and the ends are finite.
    pub fn is_finite(&self) -> bool {
        let ends = self.interval.is_none_or(|(low, high)| low.is_finite() && high.is_finite());
        self.value.is_finite() && ends
    }

    /// Returns the value and the ends.
    pub fn ends(&self) -> impl Iterator<Item = f64> + use<> {
        let ends = self.interval.map(|(low, high)| [low, high]);
        [self.value].into_iter().chain(ends.into_iter().flatten())
    }
}
