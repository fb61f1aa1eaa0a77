//! Curves over a common axis, with bands, marks and a legend. The module is independent of answers.

use super::axis_scale::{AxisScale, viridis_color};
use super::markers::{IntervalAroundValue, MarkerShape};
use super::plot_frame::{self, ChartTitleAndCaption, LegendItem, PlotArea};
use super::scatter::FIT_BAND_COLOR;
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// Width and height of the area in pixels.
pub const AREA_WIDTH_AND_HEIGHT: (i32, i32) = (620, 360);

/// Dash patterns of the curves, in turn, which distinguish them without colour.
const CURVE_DASH_PATTERNS: [&[f64]; 4] = [&[], &[12.0, 5.0], &[3.0, 4.0], &[14.0, 4.0, 3.0, 4.0]];

/// The number of curves above which they are named at their ends.
const MAX_CURVES_IN_LEGEND: usize = 6;

/// The widest name at the end of a curve.
const MAX_CURVE_NAME_WIDTH: i32 = 340;

/// The number of points above which they are not marked.
const MAX_MARKED_POINTS: usize = 60;

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveSeries {
    /// Its name in the legend.
    pub name: String,
    /// A few characters after the name that are never truncated: a median.
    pub note: String,
    /// Its points, rising in x; the curve is broken where y is not finite.
    pub points: Vec<(f64, f64)>,
    /// Values with intervals beside the curve, such as simulated ones.
    pub marks: Vec<(f64, IntervalAroundValue)>,
    /// A band about it: x, lower and upper end; rising in x.
    pub band: Vec<(f64, f64, f64)>,
    /// Emphasized points, such as a median.
    pub large: Vec<(f64, f64)>,
    /// Marks on the x axis, such as a mean.
    pub feet: Vec<f64>,
}

/// The kind of the x axis.
#[derive(Clone, Debug, PartialEq)]
pub enum HorizontalAxisKind {
    /// Numbers on a scale.
    Numbers(AxisScale),
    /// Numbers on a scale, with ticks at these and with their labels.
    ValuesOnScale(AxisScale, Vec<(f64, String)>),
    /// Words side by side, at 0, 1, 2 …; curves are not joined.
    Words(Vec<String>),
}

impl HorizontalAxisKind {
    /// Whether the axis has numbers, so that curves are joined.
    fn is_numeric(&self) -> bool {
        !matches!(self, HorizontalAxisKind::Words(_))
    }
}

/// Curves.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// The curves, the darkest first.
    pub series: Vec<CurveSeries>,
    /// The kind of the x axis.
    pub across: HorizontalAxisKind,
    /// The title of the x axis.
    pub x_title: String,
    /// The scale of y.
    pub up: AxisScale,
    /// The title of the y axis.
    pub y_title: String,
    /// The title of the legend; the legend is left out if a curve has no name.
    pub legend: String,
    /// A value of y that is drawn as a line, and its name.
    pub level: Option<(f64, String)>,
}

impl LineChart {
    /// Draws the curves.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_line_chart(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        let finite = |series: &CurveSeries| {
            let marks = series.marks.iter().any(|(_, span)| span.is_finite());
            marks || series.points.iter().any(|(_, y)| y.is_finite())
        };
        if !self.series.iter().any(finite) {
            return Err(format!("nothing has a value of {}", self.y_title));
        }
        let keys = self.keys_of_curves();
        let direct = keys.len() > MAX_CURVES_IN_LEGEND && self.across.is_numeric();
        let legend =
            if keys.is_empty() { 24 } else { plot_frame::width_of_legend(&keys, &self.legend) };
        let below = self.height_below_area();
        let size = (
            AREA_WIDTH_AND_HEIGHT.0,
            AREA_WIDTH_AND_HEIGHT.1.max(plot_frame::height_of_legend(&keys)) - 6,
        );
        let around = [plot_frame::width_of_y_axis_labels(&self.up), 6, legend, below];
        let (mut scene, area) = plot_frame::new_page_with_area(words, size, around);
        plot_frame::draw_y_axis(&mut scene, area, &self.up, &self.y_title);
        self.draw_reference_level(&mut scene, area);
        // All bands come first, because they would cover curves of other series.
        for (place, series) in self.series.iter().enumerate() {
            self.draw_interval_band(&mut scene, area, place, series);
        }
        self.draw_x_axis(&mut scene, area, below);
        for (place, series) in self.series.iter().enumerate() {
            self.draw_curve(
                &mut scene,
                area,
                &key_style_of_curve(place, self.series.len()),
                series,
            );
        }
        match direct {
            true => self.draw_end_names(&mut scene, area, &keys),
            false => plot_frame::draw_legend(
                &mut scene,
                (area.right + 24, area.top),
                &keys,
                &self.legend,
            ),
        }
        Ok(scene)
    }

    fn keys_of_curves(&self) -> Vec<LegendItem> {
        if self.series.iter().any(|series| series.name.is_empty()) {
            return Vec::new();
        }
        let count = self.series.len();
        let key = |(place, series): (usize, &CurveSeries)| LegendItem {
            name: series.name.clone(),
            note: series.note.clone(),
            ..key_style_of_curve(place, count)
        };
        self.series.iter().enumerate().map(key).collect()
    }

    /// Draws each name at the end of its curve, because many curves cannot be followed from a
    /// legend.
    fn draw_end_names(&self, scene: &mut Scene, area: PlotArea, keys: &[LegendItem]) {
        let last = |series: &CurveSeries| {
            let points = series.points.iter().rev();
            points.copied().find(|(_, y)| y.is_finite())
        };
        let end = |(series, key): (&CurveSeries, &LegendItem)| Some((last(series)?, key.clone()));
        let mut ends: Vec<_> = self.series.iter().zip(keys).filter_map(end).collect();
        // From the top, as `apart` expects them, so that no two lines to the names cross.
        ends.sort_by(|a, b| b.0.1.total_cmp(&a.0.1));
        let wanted: Vec<_> = ends.iter().map(|((_, y), _)| self.pixel_of_y(*y, area)).collect();
        let title = text_layout::truncate_to_room(
            &self.legend,
            text_layout::ORDINARY_TEXT_HEIGHT,
            MAX_CURVE_NAME_WIDTH,
        );
        let left = area.right + 24;
        scene.add_text(text_layout::new_label(
            title,
            (left, area.top + text_layout::ORDINARY_TEXT_HEIGHT / 2),
            HorizontalTextAnchor::Left,
        ));
        let places = plot_frame::spread_labels_apart(
            &wanted,
            text_layout::ORDINARY_TEXT_HEIGHT + 3,
            (area.top + 2 * text_layout::ORDINARY_TEXT_HEIGHT, area.bottom),
        );
        for (((x, y), key), place) in ends.into_iter().zip(places) {
            let from = (self.pixel_of_x(x, area) + 4, self.pixel_of_y(y, area));
            scene.draw_polyline(
                vec![from, (left - 6, place)],
                key.ink.mix_with(RgbColor::PAPER_WHITE, 0.4),
                1,
            );
            let room = MAX_CURVE_NAME_WIDTH
                - text_layout::pixel_width_of_text(
                    &key.note,
                    text_layout::ORDINARY_TEXT_HEIGHT,
                    false,
                );
            let name =
                text_layout::truncate_to_room(&key.name, text_layout::ORDINARY_TEXT_HEIGHT, room)
                    + &key.note;
            scene.add_text(text_layout::new_label(name, (left, place), HorizontalTextAnchor::Left));
        }
    }

    /// Returns the height of the room below the area.
    fn height_below_area(&self) -> i32 {
        match &self.across {
            HorizontalAxisKind::Numbers(_) | HorizontalAxisKind::ValuesOnScale(..) => 56,
            HorizontalAxisKind::Words(words) => {
                plot_frame::height_of_x_labels(words, width_per_label(words)) + 30
            }
        }
    }

    fn draw_x_axis(&self, scene: &mut Scene, area: PlotArea, below: i32) {
        match &self.across {
            HorizontalAxisKind::Numbers(scale) => {
                plot_frame::draw_x_axis(scene, area, scale, &self.x_title)
            }
            HorizontalAxisKind::ValuesOnScale(scale, ticks) => {
                let ticks = plot_frame::ticks_with_room(ticks, scale, area);
                plot_frame::draw_x_axis_with_ticks(scene, area, scale, &ticks, &self.x_title);
            }
            HorizontalAxisKind::Words(words) => {
                let at: Vec<_> =
                    (0..words.len()).map(|i| self.pixel_of_x(i as f64, area)).collect();
                plot_frame::draw_x_labels(scene, words, &at, area.bottom, width_per_label(words));
                plot_frame::draw_x_title(scene, area, area.bottom + below - 14, &self.x_title);
                plot_frame::draw_axis_lines(scene, area);
            }
        }
    }

    fn pixel_of_x(&self, x: f64, area: PlotArea) -> i32 {
        match &self.across {
            HorizontalAxisKind::Numbers(scale) | HorizontalAxisKind::ValuesOnScale(scale, _) => {
                scale.pixel_of(x, area.left, area.right)
            }
            HorizontalAxisKind::Words(words) => {
                let share = ((x + 0.5) / words.len().max(1) as f64).clamp(0.0, 1.0);
                area.left + (share * f64::from(area.width())).round() as i32
            }
        }
    }

    fn pixel_of_y(&self, y: f64, area: PlotArea) -> i32 {
        self.up.pixel_of(y, area.bottom, area.top)
    }

    fn draw_reference_level(&self, scene: &mut Scene, area: PlotArea) {
        let Some((value, name)) = &self.level else {
            return;
        };
        let y = self.pixel_of_y(*value, area);
        scene.draw_dashed_polyline(
            &[(area.left, y), (area.right, y)],
            &[5.0, 4.0],
            RgbColor::CAPTION_GREY,
            1,
        );
        let at = (area.right - 4, y - 9);
        scene.add_text(
            text_layout::new_small_label(name.clone(), at, HorizontalTextAnchor::Right)
                .with_color(RgbColor::CAPTION_GREY),
        );
    }

    fn draw_interval_band(
        &self,
        scene: &mut Scene,
        area: PlotArea,
        place: usize,
        series: &CurveSeries,
    ) {
        let finite = |(x, low, high): &&(f64, f64, f64)| (x + low + high).is_finite();
        let band: Vec<_> = series.band.iter().filter(finite).collect();
        if band.len() < 2 {
            return;
        }
        let up = band
            .iter()
            .map(|(x, _, high)| (self.pixel_of_x(*x, area), self.pixel_of_y(*high, area)));
        let back = band.iter().rev();
        let back = back.map(|(x, low, _)| (self.pixel_of_x(*x, area), self.pixel_of_y(*low, area)));
        let ink = match self.series.len() {
            1 => FIT_BAND_COLOR,
            count => key_style_of_curve(place, count).ink.mix_with(RgbColor::PAPER_WHITE, 0.82),
        };
        scene.fill_polygon(up.chain(back).collect(), ink);
    }

    fn draw_curve(
        &self,
        scene: &mut Scene,
        area: PlotArea,
        key: &LegendItem,
        series: &CurveSeries,
    ) {
        let at = |x, y| (self.pixel_of_x(x, area), self.pixel_of_y(y, area));
        let joined = self.across.is_numeric();
        // A gap stays a gap, because a line across it would show values that do not exist.
        for part in series.points.split(|(_, y)| !y.is_finite()) {
            let line: Vec<_> = part.iter().map(|(x, y)| at(*x, *y)).collect();
            if joined && line.len() > 1 {
                scene.draw_dashed_polyline(&line, key.line.unwrap_or(&[]), key.ink, 2);
            }
            for &(x, y) in line.iter().filter(|_| !joined) {
                scene.draw_polyline(vec![(x - 12, y), (x + 12, y)], key.ink, 2);
            }
            for point in line.iter().filter(|_| series.marks.is_empty()) {
                if series.points.len() <= MAX_MARKED_POINTS {
                    scene.draw_dot(*point, 3, key.ink);
                }
            }
        }
        for (x, span) in series.marks.iter().filter(|(_, span)| span.is_finite()) {
            if let Some((low, high)) = span.interval {
                scene.draw_polyline(vec![at(*x, low), at(*x, high)], key.ink, 1);
            }
            MarkerShape::Dot.draw_at(scene, at(*x, span.value), key.ink);
        }
        for &(x, y) in &series.large {
            scene.draw_dot(at(x, y), 7, key.ink);
        }
        for &x in &series.feet {
            let x = self.pixel_of_x(x, area);
            scene.draw_polyline(vec![(x, area.bottom), (x, area.bottom - 18)], key.ink, 3);
        }
    }
}

fn width_per_label(words: &[String]) -> i32 {
    AREA_WIDTH_AND_HEIGHT.0 / words.len().max(1) as i32
}

/// Returns the style of curve `place` of `of`.
fn key_style_of_curve(place: usize, of: usize) -> LegendItem {
    // No curve is lighter than 0.4, which still has a contrast of 3 on white.
    let share = 0.95 - 0.55 * place as f64 / of.saturating_sub(1).max(1) as f64;
    LegendItem {
        name: String::new(),
        note: String::new(),
        ink: viridis_color(share),
        line: Some(CURVE_DASH_PATTERNS[place % CURVE_DASH_PATTERNS.len()]),
    }
}
