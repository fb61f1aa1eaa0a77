//! Values row by row: marks with their intervals beside names, and the numbers beside the marks.
//!
//! In a *caterpillar* the rows are in order of their values. The module is independent of answers.

use super::axis_scale::{AxisScale, viridis_color};
use super::markers::{IntervalAroundValue, MarkerShape};
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::{bar_table, text_layout};
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// Height of a row with one mark, and width of the area, in pixels.
const ROW_AND_AREA_SIZE: (i32, i32) = (24, 460);

/// The longest name.
const MAX_ROW_NAME_WIDTH: i32 = 340;

/// One row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestPlotRow {
    /// Its name.
    pub name: String,
    /// Its marks, drawn over each other, or one below the other where there are several series.
    /// Marks without a finite number are left out.
    pub marks: Vec<(MarkerShape, IntervalAroundValue)>,
    /// The text to the right of the marks; may be empty.
    pub text: String,
    /// The colour of its first mark, where the rows differ by a finding; `None` for that of its
    /// series.
    pub ink: Option<RgbColor>,
}

/// A forest plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestPlot {
    /// The rows, from top to bottom.
    pub rows: Vec<ForestPlotRow>,
    /// The title of the x axis, with its unit.
    pub axis_title: String,
    /// The head of the texts at the right; may be empty.
    pub text_head: String,
    /// The names of series, shown in a line of keys; their marks are one below the other.
    pub series: Vec<(MarkerShape, String)>,
    /// A value to compare with, drawn as a line through all rows.
    pub reference: Option<f64>,
    /// Whether the axis must contain 0.
    pub from_zero: bool,
    /// Whether equal steps are equal factors; every value must be above 0.
    pub factors: bool,
}

impl ForestPlot {
    /// Returns the forest with its rows in order of their first mark, the largest on top: a
    /// caterpillar.
    pub fn with_rows_by_falling_mark(mut self) -> ForestPlot {
        let first = |row: &ForestPlotRow| {
            row.marks.first().map_or(f64::NEG_INFINITY, |(_, span)| span.value)
        };
        self.rows.sort_by(|a, b| first(b).total_cmp(&first(a)));
        self
    }

    /// Draws many rows as a table with bars, each of its first mark.
    fn draw_as_bar_table(&self, rows: &[&ForestPlotRow], words: &ChartTitleAndCaption) -> Scene {
        let measured = match self.series.first() {
            Some((_, name)) => format!("{name}, {}", self.axis_title),
            None => self.axis_title.clone(),
        };
        let first = |row: &ForestPlotRow| {
            row.marks.iter().map(|(_, span)| *span).find(IntervalAroundValue::is_finite)
        };
        let mut entries = Vec::new();
        for row in rows {
            entries.push(bar_table::BarTableRow {
                name: &row.name,
                span: first(row),
                text: &row.text,
            });
        }
        let words = words.with_title_and_caption_added("", &format!("Bars: {measured}."));
        bar_table::draw_bar_table(&entries, &self.text_head, &words)
    }

    /// Draws the forest.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_forest(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        let drawable = |row: &&ForestPlotRow| row.marks.iter().any(|(_, span)| span.is_finite());
        let all: Vec<_> = self.rows.iter().filter(drawable).collect();
        // All rows count, because the finite ones alone might be few.
        let long = all.len() >= bar_table::MIN_TABLE_ROWS;
        if all.is_empty() {
            return Err(format!("no row has a value of {}", self.axis_title));
        }
        let (rows, words) =
            plot_frame::thin_out_and_note(all, bar_table::MAX_BAR_TABLE_ROWS, "rows", words);
        if long {
            return Ok(self.draw_as_bar_table(&rows, &words));
        }
        let layout = ForestPlotLayout::new(self, &rows);
        let (mut scene, (left, top)) = plot_frame::new_chart_page(&words, layout.body);
        let left = left + layout.before;
        let top = top + layout.above;
        let area = PlotArea {
            left,
            top,
            right: left + ROW_AND_AREA_SIZE.1,
            bottom: top + layout.step * rows.len() as i32,
        };
        self.draw_series_keys_and_head(&mut scene, area, &layout);
        let scale = self.scale_of_all_marks(&rows);
        plot_frame::draw_x_axis(&mut scene, area, &scale, &self.axis_title);
        if let Some(reference) = self.reference.filter(|value| value.is_finite()) {
            let x = scale.pixel_of(reference, area.left, area.right);
            let ends = [(x, area.top), (x, area.bottom)];
            scene.draw_dashed_polyline(&ends, &[5.0, 4.0], RgbColor::CAPTION_GREY, 1);
        }
        for (row, place) in rows.into_iter().zip(0..) {
            let y = area.top + place * layout.step + layout.step / 2;
            self.draw_row(&mut scene, area, (&scale, y), row);
        }
        Ok(scene)
    }

    fn scale_of_all_marks(&self, rows: &[&ForestPlotRow]) -> AxisScale {
        let spans = rows.iter().flat_map(|row| &row.marks);
        let spans = spans.filter(|(_, span)| span.is_finite());
        let ends = spans.flat_map(|(_, span)| span.value_low_and_high()).chain(self.reference);
        let ends: Vec<_> = ends.collect();
        match (self.factors, self.from_zero) {
            (true, _) => AxisScale::logarithmic(ends.into_iter()),
            (_, true) => AxisScale::with_round_ends(ends.into_iter(), 0.0),
            _ => AxisScale::with_round_ends(ends.iter().copied(), ends[0]),
        }
    }

    /// Draws the keys of the series, and the head of the texts.
    fn draw_series_keys_and_head(
        &self,
        scene: &mut Scene,
        area: PlotArea,
        layout: &ForestPlotLayout,
    ) {
        let (mut x, y) = (area.left, area.top - 16);
        for (place, (glyph, name)) in self.series.iter().enumerate() {
            glyph.draw_at(scene, (x + 6, y), self.color_of_series(place));
            scene.add_text(text_layout::new_small_label(
                name.clone(),
                (x + 18, y),
                HorizontalTextAnchor::Left,
            ));
            x += width_of_series_key(name);
        }
        if !self.text_head.is_empty() {
            let head = text_layout::truncate_to_room(
                &self.text_head,
                text_layout::SMALL_TEXT_HEIGHT,
                layout.after,
            );
            let at = (area.right + 12, area.top - 16);
            scene.add_text(
                text_layout::new_small_label(head, at, HorizontalTextAnchor::Left)
                    .with_color(RgbColor::CAPTION_GREY),
            );
        }
    }

    fn draw_row(
        &self,
        scene: &mut Scene,
        area: PlotArea,
        (scale, y): (&AxisScale, i32),
        row: &ForestPlotRow,
    ) {
        let name = text_layout::shorten_in_the_middle(
            &row.name,
            text_layout::ORDINARY_TEXT_HEIGHT,
            MAX_ROW_NAME_WIDTH,
        );
        scene.draw_polyline(vec![(area.left, y), (area.right, y)], RgbColor::GRID_LINE_GREY, 1);
        scene.add_text(text_layout::new_label(
            name,
            (area.left - 10, y),
            HorizontalTextAnchor::Right,
        ));
        for (glyph, span) in row.marks.iter().filter(|(_, span)| span.is_finite()) {
            let series = self.series.iter().position(|(series_index, _)| series_index == glyph);
            let lower = match series {
                Some(place) => {
                    (2 * place as i32 + 1 - self.series.len() as i32) * SERIES_LANE_HEIGHT / 2
                }
                None => 0,
            };
            let x = |value| scale.pixel_of(value, area.left, area.right);
            let found = row.ink.filter(|_| series.unwrap_or(0) == 0);
            let ink = found.unwrap_or_else(|| self.color_of_series(series.unwrap_or(0)));
            if let Some((low, high)) = span.interval {
                scene.draw_polyline(vec![(x(low), y + lower), (x(high), y + lower)], ink, 2);
            }
            let ink =
                if *glyph == MarkerShape::Upright { RgbColor::TEXT_AND_AXIS_BLACK } else { ink };
            glyph.draw_at(scene, (x(span.value), y + lower), ink);
        }
        if !row.text.is_empty() {
            scene.add_text(text_layout::new_label(
                row.text.clone(),
                (area.right + 12, y),
                HorizontalTextAnchor::Left,
            ));
        }
    }

    fn color_of_series(&self, series: usize) -> RgbColor {
        match self.series.len() {
            0 | 1 => viridis_color(0.6),
            count => viridis_color(0.95 - 0.5 * series as f64 / (count - 1) as f64),
        }
    }
}

/// Pixels from one series to the next in a row.
const SERIES_LANE_HEIGHT: i32 = 12;

fn width_of_series_key(name: &str) -> i32 {
    text_layout::pixel_width_of_text(name, text_layout::SMALL_TEXT_HEIGHT, false) + 40
}

struct ForestPlotLayout {
    step: i32,
    /// Room for the names, the texts at the right, and the heads.
    before: i32,
    after: i32,
    above: i32,
    body: (i32, i32),
}

impl ForestPlotLayout {
    fn new(forest: &ForestPlot, rows: &[&ForestPlotRow]) -> ForestPlotLayout {
        let names: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
        let texts: Vec<_> = rows.iter().map(|row| row.text.clone()).collect();
        let head = text_layout::pixel_width_of_text(
            &forest.text_head,
            text_layout::SMALL_TEXT_HEIGHT,
            false,
        );
        let keys: i32 = forest.series.iter().map(|(_, name)| width_of_series_key(name)).sum();
        let before = plot_frame::width_of_widest_text(&names).min(MAX_ROW_NAME_WIDTH) + 14;
        let after = plot_frame::width_of_widest_text(&texts).max(head).max(20);
        let above = if keys > 0 || head > 0 { 28 } else { 4 };
        let step =
            ROW_AND_AREA_SIZE.0 + SERIES_LANE_HEIGHT * (forest.series.len() as i32 - 1).max(0);
        // The keys are above the area and the texts; more of them make the picture wider.
        let width = (before + ROW_AND_AREA_SIZE.1 + after + 24).max(before + keys + after + 24);
        ForestPlotLayout {
            step,
            before,
            after,
            above,
            body: (width, above + step * rows.len() as i32 + 56),
        }
    }
}
