//! Dot plots: many values row by row, a dot each; dots that would overlap are above and below each
//! other.
//!
//! The module is independent of answers: its input is names and numbers.

use super::axis_scale::{AxisScale, viridis_color};
use super::plot_frame::{self, ChartTitleAndCaption};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// Width of the area, the longest name, and the height of a row at least, in pixels.
const DOT_ROW_SIZES: (i32, i32, i32) = (460, 300, 26);

/// Radius of a dot, distance between two, and the largest number above the middle of a row.
const DOT_RADIUS_AND_GAP: (i32, i32, i32) = (3, 6, 5);

/// The largest number of rows of one picture.
const MAX_DOT_ROWS: usize = 60;

/// A row of dots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotRow {
    /// Its name.
    pub name: String,
    /// The values.
    pub values: Vec<f64>,
    /// A bar across the row.
    pub bar: Option<f64>,
    /// A shaded range.
    pub shade: Option<(f64, f64)>,
}

/// Rows of dots on one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct DotRowsPlot {
    /// The rows, from top to bottom.
    pub rows: Vec<DotRow>,
    /// The scale of the axis.
    pub scale: AxisScale,
    /// The title of the axis, with its unit.
    pub axis_title: String,
    /// A value to compare with, drawn as a line through all rows.
    pub level: f64,
}

impl DotRowsPlot {
    /// Draws the plot.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_dot_rows(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        let rows: Vec<&DotRow> = self.rows.iter().filter(|row| !row.values.is_empty()).collect();
        if rows.is_empty() {
            return Err(format!("no row has a value of {}", self.axis_title));
        }
        let (rows, words) = plot_frame::thin_out_and_note(rows, MAX_DOT_ROWS, "rows", words);
        let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
        let before = plot_frame::width_of_widest_text(&names).min(DOT_ROW_SIZES.1) + 14;
        let placed: Vec<Vec<(i32, i32)>> =
            rows.iter().map(|row| self.place_dots_without_overlap(row)).collect();
        let height = |dots: &Vec<(i32, i32)>| {
            let far = dots.iter().map(|dot| dot.1.abs()).max().unwrap_or(0);
            (2 * (far + DOT_RADIUS_AND_GAP.1)).max(DOT_ROW_SIZES.2)
        };
        let heights: Vec<i32> = placed.iter().map(height).collect();
        let (mut scene, area) = plot_frame::new_page_with_area(
            &words,
            (DOT_ROW_SIZES.0, heights.iter().sum()),
            [before, 4, 20, 56],
        );
        let x = |value: f64| self.scale.pixel_of(value, area.left, area.right);
        let mut top = area.top;
        for ((row, dots), height) in rows.iter().zip(&placed).zip(heights) {
            let y = top + height / 2;
            if let Some((low, high)) = row.shade {
                scene.fill_rectangle(
                    (x(low), top + 2),
                    (x(high), top + height - 2),
                    RgbColor::GRID_LINE_GREY,
                );
            }
            scene.draw_polyline(vec![(area.left, y), (area.right, y)], RgbColor::GRID_LINE_GREY, 1);
            let name = text_layout::truncate_to_room(
                &row.name,
                text_layout::ORDINARY_TEXT_HEIGHT,
                DOT_ROW_SIZES.1,
            );
            scene.add_text(text_layout::new_label(
                name,
                (area.left - 10, y),
                HorizontalTextAnchor::Right,
            ));
            dots.iter().for_each(|(at, up)| {
                scene.draw_dot((area.left + at, y + up), DOT_RADIUS_AND_GAP.0, viridis_color(0.6))
            });
            if let Some(bar) = row.bar.filter(|bar| bar.is_finite()) {
                scene.draw_polyline(
                    vec![(x(bar), top + 3), (x(bar), top + height - 3)],
                    RgbColor::TEXT_AND_AXIS_BLACK,
                    3,
                );
            }
            top += height;
        }
        let level = [(x(self.level), area.top), (x(self.level), area.bottom)];
        scene.draw_dashed_polyline(&level, &[5.0, 4.0], RgbColor::CAPTION_GREY, 1);
        plot_frame::draw_x_axis(&mut scene, area, &self.scale, &self.axis_title);
        Ok(scene)
    }

    /// Places the dots of a row, relative to the left of the area and the middle of the row: no two
    /// overlap as long as there is room.
    fn place_dots_without_overlap(&self, row: &DotRow) -> Vec<(i32, i32)> {
        let finite = row.values.iter().filter(|value| value.is_finite());
        let mut across: Vec<i32> =
            finite.map(|at| self.scale.pixel_of(*at, 0, DOT_ROW_SIZES.0)).collect();
        across.sort_unstable();
        let lanes = || (1..=DOT_RADIUS_AND_GAP.2).flat_map(|lane| [-lane, lane]);
        let mut last = vec![i32::MIN / 2; 2 * DOT_RADIUS_AND_GAP.2 as usize + 1];
        let place = |at: i32| {
            let free = |lane: &i32| {
                at - last[(lane + DOT_RADIUS_AND_GAP.2) as usize] >= DOT_RADIUS_AND_GAP.1
            };
            let lane = std::iter::once(0).chain(lanes()).find(free);
            // If all lanes are taken, dots overlap near the middle of the row.
            let lane = lane.unwrap_or(at % (2 * DOT_RADIUS_AND_GAP.2 + 1) - DOT_RADIUS_AND_GAP.2);
            last[(lane + DOT_RADIUS_AND_GAP.2) as usize] = at;
            (at, lane * DOT_RADIUS_AND_GAP.1)
        };
        across.into_iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dots(values: Vec<f64>) -> DotRowsPlot {
        let row =
            DotRow { name: "even".to_owned(), values, bar: Some(50.0), shade: Some((32.0, 68.0)) };
        let (scale, measured) =
            (AxisScale::with_exact_ends(0.0, 100.0), "battles won, %".to_owned());
        DotRowsPlot { rows: vec![row], scale, axis_title: measured, level: 50.0 }
    }

    /// Eleven equal values are above each other, and one far off is in the middle.
    #[test]
    fn dots_do_not_lie_on_each_other() {
        let mut values = vec![50.0; 11];
        values.push(80.0);
        let dots = dots(values);
        let placed = dots.place_dots_without_overlap(&dots.rows[0]);
        let apart: std::collections::BTreeSet<_> = placed.iter().collect();
        assert_eq!((apart.len(), placed[11].1), (12, 0));
        assert_eq!((placed[0].0, placed[11].0), (230, 368));
        assert!(dots.draw_dot_rows(&ChartTitleAndCaption::default()).is_ok());
    }

    #[test]
    fn nothing_is_no_picture() {
        assert!(dots(Vec::new()).draw_dot_rows(&ChartTitleAndCaption::default()).is_err());
        assert!(
            dots(vec![f64::NAN, f64::INFINITY])
                .draw_dot_rows(&ChartTitleAndCaption::default())
                .is_ok()
        );
    }
}
