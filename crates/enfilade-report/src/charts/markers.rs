//! Marks at a value, which differ in shape and so need no colour.

use crate::drawing::{RgbColor, Scene};

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerShape {
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

impl MarkerShape {
    /// The shapes of several series, in turn.
    pub const SERIES_SHAPES: [MarkerShape; 5] = [
        MarkerShape::Dot,
        MarkerShape::Diamond,
        MarkerShape::Square,
        MarkerShape::Triangle,
        MarkerShape::Ring,
    ];

    /// Returns the shape of series `index`.
    pub fn of_series(index: usize) -> MarkerShape {
        MarkerShape::SERIES_SHAPES[index % MarkerShape::SERIES_SHAPES.len()]
    }

    /// Draws the mark about a point.
    pub fn draw_at(self, scene: &mut Scene, (x, y): (i32, i32), ink: RgbColor) {
        match self {
            MarkerShape::Upright => scene.draw_polyline(vec![(x, y - 8), (x, y + 8)], ink, 2),
            MarkerShape::Dot => scene.draw_dot((x, y), 4, ink),
            MarkerShape::Ring => {
                scene.draw_dot((x, y), 5, ink);
                scene.draw_dot((x, y), 3, RgbColor::PAPER_WHITE);
            }
            MarkerShape::Square => scene.fill_rectangle((x - 4, y - 4), (x + 4, y + 4), ink),
            MarkerShape::Diamond => {
                scene.fill_polygon(vec![(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)], ink);
            }
            MarkerShape::Triangle => {
                scene.fill_polygon(vec![(x, y - 6), (x + 6, y + 4), (x - 6, y + 4)], ink)
            }
        }
    }
}

/// A value with its interval, in the unit of the axis it is drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalAroundValue {
    /// The value.
    pub value: f64,
    /// Lower and upper end of the interval; `None` for an exact value.
    pub interval: Option<(f64, f64)>,
}

impl IntervalAroundValue {
    /// Returns an exact value.
    pub fn from_exact_value(value: f64) -> IntervalAroundValue {
        IntervalAroundValue { value, interval: None }
    }

    /// Returns a value between `low` and `high`.
    pub fn from_value_and_ends(value: f64, low: f64, high: f64) -> IntervalAroundValue {
        IntervalAroundValue { value, interval: Some((low, high)) }
    }

    /// Whether the value and the ends are finite.
    pub fn is_finite(&self) -> bool {
        let ends = self.interval.is_none_or(|(low, high)| low.is_finite() && high.is_finite());
        self.value.is_finite() && ends
    }

    /// Returns the value and the ends.
    pub fn value_low_and_high(&self) -> impl Iterator<Item = f64> + use<> {
        let ends = self.interval.map(|(low, high)| [low, high]);
        [self.value].into_iter().chain(ends.into_iter().flatten())
    }
}
