//! Values row by row: marks with their intervals beside names, and the numbers beside the marks.
//!
//! In a *caterpillar* the rows are in order of their values. The module is independent of answers.

use super::axis_scale::{Scale, heat};
use super::markers::{Glyph, Span};
use super::plot_frame::{self, Area, Words};
use super::{bar_table, text_layout};
use crate::drawing::{Ink, Scene, Side};

/// Height of a row with one mark, and width of the area, in pixels.
const SIZE: (i32, i32) = (24, 460);

/// The longest name.
const NAME: i32 = 340;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its marks, drawn over each other, or one below the other where there are several series.
    /// Marks without a finite number are left out.
    pub marks: Vec<(Glyph, Span)>,
    /// The text to the right of the marks; may be empty.
    pub text: String,
}

/// A forest plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
    /// The title of the x axis, with its unit.
    pub measured: String,
    /// The head of the texts at the right; may be empty.
    pub text_head: String,
    /// The names of series, shown in a line of keys; their marks are one below the other.
    pub series: Vec<(Glyph, String)>,
    /// A value to compare with, drawn as a line through all rows.
    pub reference: Option<f64>,
    /// Whether the axis must contain 0.
    pub from_zero: bool,
    /// Whether equal steps are equal factors; every value must be above 0.
    pub factors: bool,
}

impl Forest {
    /// Returns the forest with its rows in order of their first mark, the largest on top: a
    /// caterpillar.
    pub fn sorted(mut self) -> Forest {
        let first = |row: &Row| row.marks.first().map_or(f64::NEG_INFINITY, |(_, span)| span.value);
        self.rows.sort_by(|a, b| first(b).total_cmp(&first(a)));
        self
    }

    /// Draws many rows as a table with bars, each of its first mark.
    fn strip(&self, rows: &[&Row], words: &Words) -> Scene {
        let measured = match self.series.first() {
            Some((_, name)) => format!("{name}, {}", self.measured),
            None => self.measured.clone(),
        };
        let first = |row: &Row| row.marks.iter().map(|(_, span)| *span).find(Span::is_finite);
        let mut entries = Vec::new();
        for row in rows {
            entries.push(bar_table::Row { name: &row.name, span: first(row), text: &row.text });
        }
        let words = words.and("", &format!("Bars: {measured}."));
        bar_table::draw(&entries, &self.text_head, &words)
    }

    /// Draws the forest.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw(&self, words: &Words) -> Result<Scene, String> {
        let drawable = |row: &&Row| row.marks.iter().any(|(_, span)| span.is_finite());
        let all: Vec<_> = self.rows.iter().filter(drawable).collect();
        // All rows count, because the finite ones alone might be few.
        let long = all.len() >= bar_table::FROM;
        if all.is_empty() {
            return Err(format!("no row has a value of {}", self.measured));
        }
        let (rows, words) = plot_frame::thinned(all, bar_table::MOST, "rows", words);
        if long {
            return Ok(self.strip(&rows, &words));
        }
        let layout = Layout::new(self, &rows);
        let (mut scene, (left, top)) = plot_frame::page(&words, layout.body);
        let left = left + layout.before;
        let top = top + layout.above;
        let area =
            Area { left, top, right: left + SIZE.1, bottom: top + layout.step * rows.len() as i32 };
        self.heads(&mut scene, area, &layout);
        let scale = self.scale(&rows);
        plot_frame::x_axis(&mut scene, area, &scale, &self.measured);
        if let Some(reference) = self.reference.filter(|value| value.is_finite()) {
            let x = scale.pixel(reference, area.left, area.right);
            let ends = [(x, area.top), (x, area.bottom)];
            scene.dashed(&ends, &[5.0, 4.0], Ink::GREY, 1);
        }
        for (row, place) in rows.into_iter().zip(0..) {
            let y = area.top + place * layout.step + layout.step / 2;
            self.row(&mut scene, area, (&scale, y), row);
        }
        Ok(scene)
    }

    fn scale(&self, rows: &[&Row]) -> Scale {
        let spans = rows.iter().flat_map(|row| &row.marks);
        let spans = spans.filter(|(_, span)| span.is_finite());
        let ends = spans.flat_map(|(_, span)| span.ends()).chain(self.reference);
        let ends: Vec<_> = ends.collect();
        match (self.factors, self.from_zero) {
            (true, _) => Scale::factors(ends.into_iter()),
            (_, true) => Scale::around(ends.into_iter(), 0.0),
            _ => Scale::around(ends.iter().copied(), ends[0]),
        }
    }

    /// Draws the keys of the series, and the head of the texts.
    fn heads(&self, scene: &mut Scene, area: Area, layout: &Layout) {
        let (mut x, y) = (area.left, area.top - 16);
        for (place, (glyph, name)) in self.series.iter().enumerate() {
            glyph.draw(scene, (x + 6, y), self.ink(place));
            scene.text(text_layout::small(name.clone(), (x + 18, y), Side::Left));
            x += key_width(name);
        }
        if !self.text_head.is_empty() {
            let head = text_layout::fitted(&self.text_head, text_layout::SMALL, layout.after);
            let at = (area.right + 12, area.top - 16);
            scene.text(text_layout::small(head, at, Side::Left).ink(Ink::GREY));
        }
    }

    fn row(&self, scene: &mut Scene, area: Area, (scale, y): (&Scale, i32), row: &Row) {
        let name = text_layout::fitted(&row.name, text_layout::SIZE, NAME);
        scene.line(vec![(area.left, y), (area.right, y)], Ink::LIGHT, 1);
        scene.text(text_layout::label(name, (area.left - 10, y), Side::Right));
        for (glyph, span) in row.marks.iter().filter(|(_, span)| span.is_finite()) {
            let series = self.series.iter().position(|(known, _)| known == glyph);
            let lower = match series {
                Some(place) => (2 * place as i32 + 1 - self.series.len() as i32) * LANE / 2,
                None => 0,
            };
            let x = |value| scale.pixel(value, area.left, area.right);
            let ink = self.ink(series.unwrap_or(0));
            if let Some((low, high)) = span.interval {
                scene.line(vec![(x(low), y + lower), (x(high), y + lower)], ink, 2);
            }
            let ink = if *glyph == Glyph::Upright { Ink::BLACK } else { ink };
            glyph.draw(scene, (x(span.value), y + lower), ink);
        }
        if !row.text.is_empty() {
            scene.text(text_layout::label(row.text.clone(), (area.right + 12, y), Side::Left));
        }
    }

    fn ink(&self, series: usize) -> Ink {
        match self.series.len() {
            0 | 1 => heat(0.6),
            count => heat(0.95 - 0.5 * series as f64 / (count - 1) as f64),
        }
    }
}

/// Pixels from one series to the next in a row.
const LANE: i32 = 12;

fn key_width(name: &str) -> i32 {
    text_layout::width(name, text_layout::SMALL, false) + 40
}

struct Layout {
    step: i32,
    /// Room for the names, the texts at the right, and the heads.
    before: i32,
    after: i32,
    above: i32,
    body: (i32, i32),
}

impl Layout {
    fn new(forest: &Forest, rows: &[&Row]) -> Layout {
        let names: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
        let texts: Vec<_> = rows.iter().map(|row| row.text.clone()).collect();
        let head = text_layout::width(&forest.text_head, text_layout::SMALL, false);
        let keys: i32 = forest.series.iter().map(|(_, name)| key_width(name)).sum();
        let before = plot_frame::widest(&names).min(NAME) + 14;
        let after = plot_frame::widest(&texts).max(head).max(20);
        let above = if keys > 0 || head > 0 { 28 } else { 4 };
        let step = SIZE.0 + LANE * (forest.series.len() as i32 - 1).max(0);
        // The keys are above the area and the texts; more of them make the picture wider.
        let width = (before + SIZE.1 + after + 24).max(before + keys + after + 24);
        Layout { step, before, after, above, body: (width, above + step * rows.len() as i32 + 56) }
    }
}
