//! Tornado chart: the change of a result if one assumption after the other moves to the ends of its
//! range, the largest change on top. The module is independent of answers.

use super::axis_scale::{Scale, heat};
use super::plot_frame::{self, Area, Words};
use super::text_layout;
use crate::drawing::{Ink, Scene, Side};

/// The largest number of bars; those with the smallest effects are left out.
const MOST: usize = 30;

/// From bar to bar, and width of the area, in pixels.
const SIZE: (i32, i32) = (34, 460);

/// One assumption.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// The result with the assumption at the low end of its range.
    pub at_low: f64,
    /// The result with the assumption at the high end.
    pub at_high: f64,
    /// The low and the high end in words: `4 turns`.
    pub ends: (String, String),
}

impl Bar {
    fn reach(&self) -> f64 {
        (self.at_high - self.at_low).abs()
    }
}

/// A tornado.
#[derive(Clone, Debug, PartialEq)]
pub struct Tornado {
    /// The assumptions, in any order; those without finite results are not drawn.
    pub bars: Vec<Bar>,
    /// The result with every assumption at its default.
    pub base: f64,
    /// The title of the x axis, with its unit.
    pub measured: String,
}

impl Tornado {
    /// Draws the tornado.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw(&self, words: &Words) -> Result<Scene, String> {
        let drawable = |bar: &&Bar| bar.at_low.is_finite() && bar.at_high.is_finite();
        let mut bars: Vec<_> = self.bars.iter().filter(drawable).collect();
        if bars.is_empty() || !self.base.is_finite() {
            return Err(format!("no assumption moves {}", self.measured));
        }
        bars.sort_by(|a, b| b.reach().total_cmp(&a.reach()));
        bars.truncate(MOST);
        let names: Vec<_> = bars.iter().map(|bar| bar.name.clone()).collect();
        let before = plot_frame::widest(&names).min(300) + 14;
        let ends: Vec<_> =
            bars.iter().flat_map(|bar| [bar.ends.0.clone(), bar.ends.1.clone()]).collect();
        let side = plot_frame::widest_at(&ends, text_layout::SMALL).min(END) + 10;
        let height = SIZE.0 * bars.len() as i32;
        let around = [before + side, 28, side, 56];
        let (mut scene, area) = plot_frame::plot(words, (SIZE.1, height), around);
        self.keys(&mut scene, area);
        let values = bars.iter().flat_map(|bar| [bar.at_low, bar.at_high]);
        let scale = Scale::around(values, self.base);
        plot_frame::x_axis(&mut scene, area, &scale, &self.measured);
        for (bar, place) in bars.into_iter().zip(0..) {
            let y = area.top + place * SIZE.0 + SIZE.0 / 2;
            let name = text_layout::fitted(&bar.name, text_layout::SIZE, 300);
            scene.text(text_layout::label(name, (area.left - side - 10, y), Side::Right));
            self.bar(&mut scene, area, (&scale, y), bar);
        }
        let x = scale.pixel(self.base, area.left, area.right);
        // Last, above the bars that begin on it.
        scene.line(vec![(x, area.top), (x, area.bottom)], Ink::BLACK, 2);
        Ok(scene)
    }

    fn keys(&self, scene: &mut Scene, area: Area) {
        let y = area.top - 16;
        let mut x = area.left;
        for (ink, said) in [(LOW, "at the low end"), (heat(0.7), "at the high end")] {
            scene.fill((x, y - 6), (x + 20, y + 6), ink);
            scene.text(text_layout::small(said, (x + 28, y), Side::Left));
            x += 28 + text_layout::width(said, text_layout::SMALL, false) + 24;
        }
    }

    fn bar(&self, scene: &mut Scene, area: Area, (scale, y): (&Scale, i32), bar: &Bar) {
        let x = |value| scale.pixel(value, area.left, area.right);
        let base = x(self.base);
        // Both ends may be on one side of the base: the longer bar is drawn first.
        let mut parts = [(bar.at_low, LOW, &bar.ends.0), (bar.at_high, heat(0.7), &bar.ends.1)];
        parts.sort_by(|a, b| (b.0 - self.base).abs().total_cmp(&(a.0 - self.base).abs()));
        let one_side = (bar.at_low - self.base) * (bar.at_high - self.base) > 0.0;
        for (place, (value, ink, end)) in parts.into_iter().enumerate() {
            let at = x(value);
            scene.fill((base.min(at), y - 10), (base.max(at).max(base.min(at) + 1), y + 10), ink);
            // The end of the shorter of two bars on one side would be inside the longer one.
            if one_side && place == 1 {
                continue;
            }
            let end = text_layout::fitted(end, text_layout::SMALL, END);
            let (at, side) = match value < self.base {
                true => ((at - 6, y), Side::Right),
                false => ((at + 6, y), Side::Left),
            };
            scene.text(text_layout::small(end, at, side).ink(Ink::GREY));
        }
    }
}

/// The largest width of the words at the end of a bar.
const END: i32 = 120;

/// Bars of the low ends: lighter than those of the high ends.
const LOW: Ink = Ink(0xb5, 0xc9, 0x9a);
