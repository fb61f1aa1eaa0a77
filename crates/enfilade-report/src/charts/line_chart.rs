//! Curves over a common axis, with bands, marks and a legend. The module is independent of answers.

use super::axis_scale::{Scale, heat};
use super::markers::{Glyph, Span};
use super::plot_frame::{self, Area, Key, Words};
use super::scatter::BAND;
use super::text_layout;
use crate::drawing::{Ink, Scene, Side};

/// Width and height of the area in pixels.
pub const SIZE: (i32, i32) = (620, 360);

/// Dash patterns of the curves, in turn, which distinguish them without colour.
const DASHES: [&[f64]; 4] = [&[], &[12.0, 5.0], &[3.0, 4.0], &[14.0, 4.0, 3.0, 4.0]];

/// The number of curves above which they are named at their ends.
const LEGEND: usize = 6;

/// The widest name at the end of a curve.
const NAMES: i32 = 340;

/// The number of points above which they are not marked.
const DOTTED: usize = 60;

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// A few characters after the name that are never truncated: a median.
    pub note: String,
    /// Its points, rising in x; the curve is broken where y is not finite.
    pub points: Vec<(f64, f64)>,
    /// Values with intervals beside the curve, such as simulated ones.
    pub marks: Vec<(f64, Span)>,
    /// A band about it: x, lower and upper end; rising in x.
    pub band: Vec<(f64, f64, f64)>,
    /// Emphasized points, such as a median.
    pub large: Vec<(f64, f64)>,
    /// Marks on the x axis, such as a mean.
    pub feet: Vec<f64>,
}

/// The kind of the x axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Across {
    /// Numbers on a scale.
    Numbers(Scale),
    /// Words side by side, at 0, 1, 2 …; curves are not joined.
    Words(Vec<String>),
}

/// Curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The curves, the darkest first.
    pub series: Vec<Series>,
    /// The kind of the x axis.
    pub across: Across,
    /// The title of the x axis.
    pub x_title: String,
    /// The scale of y.
    pub up: Scale,
    /// The title of the y axis.
    pub y_title: String,
    /// The title of the legend; the legend is left out if a curve has no name.
    pub legend: String,
    /// A value of y that is drawn as a line, and its name.
    pub level: Option<(f64, String)>,
}

impl Lines {
    /// Draws the curves.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw(&self, words: &Words) -> Result<Scene, String> {
        let finite = |series: &Series| {
            let marks = series.marks.iter().any(|(_, span)| span.is_finite());
            marks || series.points.iter().any(|(_, y)| y.is_finite())
        };
        if !self.series.iter().any(finite) {
            return Err(format!("nothing has a value of {}", self.y_title));
        }
        let keys = self.keys();
        let direct = keys.len() > LEGEND && matches!(self.across, Across::Numbers(_));
        let legend =
            if keys.is_empty() { 24 } else { plot_frame::room_for_legend(&keys, &self.legend) };
        let below = self.below();
        let size = (SIZE.0, SIZE.1.max(plot_frame::legend_height(&keys)) - 6);
        let around = [plot_frame::room_for_y(&self.up), 6, legend, below];
        let (mut scene, area) = plot_frame::plot(words, size, around);
        plot_frame::y_axis(&mut scene, area, &self.up, &self.y_title);
        self.level(&mut scene, area);
        // All bands come first, because they would cover curves of other series.
        for (place, series) in self.series.iter().enumerate() {
            self.band(&mut scene, area, place, series);
        }
        self.x_axis(&mut scene, area, below);
        for (place, series) in self.series.iter().enumerate() {
            self.curve(&mut scene, area, &look(place, self.series.len()), series);
        }
        match direct {
            true => self.ends(&mut scene, area, &keys),
            false => {
                plot_frame::legend(&mut scene, (area.right + 24, area.top), &keys, &self.legend)
            }
        }
        Ok(scene)
    }

    fn keys(&self) -> Vec<Key> {
        if self.series.iter().any(|series| series.name.is_empty()) {
            return Vec::new();
        }
        let count = self.series.len();
        let key = |(place, series): (usize, &Series)| Key {
            name: series.name.clone(),
            note: series.note.clone(),
            ..look(place, count)
        };
        self.series.iter().enumerate().map(key).collect()
    }

    /// Draws each name at the end of its curve, because many curves cannot be followed from a
    /// legend.
    fn ends(&self, scene: &mut Scene, area: Area, keys: &[Key]) {
        let last = |series: &Series| {
            let points = series.points.iter().rev();
            points.copied().find(|(_, y)| y.is_finite())
        };
        let end = |(series, key): (&Series, &Key)| Some((last(series)?, key.clone()));
        let mut ends: Vec<_> = self.series.iter().zip(keys).filter_map(end).collect();
        // From the top, as `apart` expects them, so that no two lines to the names cross.
        ends.sort_by(|a, b| b.0.1.total_cmp(&a.0.1));
        let wanted: Vec<_> = ends.iter().map(|((_, y), _)| self.y(*y, area)).collect();
        let title = text_layout::fitted(&self.legend, text_layout::SIZE, NAMES);
        let left = area.right + 24;
        scene.text(text_layout::label(title, (left, area.top + text_layout::SIZE / 2), Side::Left));
        let places = plot_frame::apart(
            &wanted,
            text_layout::SIZE + 3,
            (area.top + 2 * text_layout::SIZE, area.bottom),
        );
        for (((x, y), key), place) in ends.into_iter().zip(places) {
            let from = (self.x(x, area) + 4, self.y(y, area));
            scene.line(vec![from, (left - 6, place)], key.ink.mixed(Ink::WHITE, 0.4), 1);
            let room = NAMES - text_layout::width(&key.note, text_layout::SIZE, false);
            let name = text_layout::fitted(&key.name, text_layout::SIZE, room) + &key.note;
            scene.text(text_layout::label(name, (left, place), Side::Left));
        }
    }

    /// Returns the height of the room below the area.
    fn below(&self) -> i32 {
        match &self.across {
            Across::Numbers(_) => 56,
            Across::Words(words) => plot_frame::label_height(words, step(words)) + 30,
        }
    }

    fn x_axis(&self, scene: &mut Scene, area: Area, below: i32) {
        match &self.across {
            Across::Numbers(scale) => plot_frame::x_axis(scene, area, scale, &self.x_title),
            Across::Words(words) => {
                let at: Vec<_> = (0..words.len()).map(|i| self.x(i as f64, area)).collect();
                plot_frame::x_labels(scene, words, &at, area.bottom, step(words));
                plot_frame::x_title(scene, area, area.bottom + below - 14, &self.x_title);
                plot_frame::frame(scene, area);
            }
        }
    }

    fn x(&self, x: f64, area: Area) -> i32 {
        match &self.across {
            Across::Numbers(scale) => scale.pixel(x, area.left, area.right),
            Across::Words(words) => {
                let share = ((x + 0.5) / words.len().max(1) as f64).clamp(0.0, 1.0);
                area.left + (share * f64::from(area.width())).round() as i32
            }
        }
    }

    fn y(&self, y: f64, area: Area) -> i32 {
        self.up.pixel(y, area.bottom, area.top)
    }

    fn level(&self, scene: &mut Scene, area: Area) {
        let Some((value, name)) = &self.level else {
            return;
        };
        let y = self.y(*value, area);
        scene.dashed(&[(area.left, y), (area.right, y)], &[5.0, 4.0], Ink::GREY, 1);
        let at = (area.right - 4, y - 9);
        scene.text(text_layout::small(name.clone(), at, Side::Right).ink(Ink::GREY));
    }

    fn band(&self, scene: &mut Scene, area: Area, place: usize, series: &Series) {
        let finite = |(x, low, high): &&(f64, f64, f64)| (x + low + high).is_finite();
        let band: Vec<_> = series.band.iter().filter(finite).collect();
        if band.len() < 2 {
            return;
        }
        let up = band.iter().map(|(x, _, high)| (self.x(*x, area), self.y(*high, area)));
        let back = band.iter().rev();
        let back = back.map(|(x, low, _)| (self.x(*x, area), self.y(*low, area)));
        let ink = match self.series.len() {
            1 => BAND,
            count => look(place, count).ink.mixed(Ink::WHITE, 0.82),
        };
        scene.area(up.chain(back).collect(), ink);
    }

    fn curve(&self, scene: &mut Scene, area: Area, key: &Key, series: &Series) {
        let at = |x, y| (self.x(x, area), self.y(y, area));
        let joined = matches!(self.across, Across::Numbers(_));
        // A gap stays a gap, because a line across it would show values that do not exist.
        for part in series.points.split(|(_, y)| !y.is_finite()) {
            let line: Vec<_> = part.iter().map(|(x, y)| at(*x, *y)).collect();
            if joined && line.len() > 1 {
                scene.dashed(&line, key.line.unwrap_or(&[]), key.ink, 2);
            }
            for &(x, y) in line.iter().filter(|_| !joined) {
                scene.line(vec![(x - 12, y), (x + 12, y)], key.ink, 2);
            }
            for point in line.iter().filter(|_| series.marks.is_empty()) {
                if series.points.len() <= DOTTED {
                    scene.dot(*point, 3, key.ink);
                }
            }
        }
        for (x, span) in series.marks.iter().filter(|(_, span)| span.is_finite()) {
            if let Some((low, high)) = span.interval {
                scene.line(vec![at(*x, low), at(*x, high)], key.ink, 1);
            }
            Glyph::Dot.draw(scene, at(*x, span.value), key.ink);
        }
        for &(x, y) in &series.large {
            scene.dot(at(x, y), 7, key.ink);
        }
        for &x in &series.feet {
            let x = self.x(x, area);
            scene.line(vec![(x, area.bottom), (x, area.bottom - 18)], key.ink, 3);
        }
    }
}

fn step(words: &[String]) -> i32 {
    SIZE.0 / words.len().max(1) as i32
}

/// Returns the style of curve `place` of `of`.
fn look(place: usize, of: usize) -> Key {
    // No curve is lighter than 0.4, which still has a contrast of 3 on white.
    let share = 0.95 - 0.55 * place as f64 / of.saturating_sub(1).max(1) as f64;
    Key {
        name: String::new(),
        note: String::new(),
        ink: heat(share),
        line: Some(DASHES[place % DASHES.len()]),
    }
}
