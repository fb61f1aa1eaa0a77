//! Rows of bars and marks on one axis: bars about zero (a tornado), stacked shares, bands of
//! tolerance with the values inside.
//!
//! The module is independent of answers.

use super::axis_scale::AxisScale;
use super::markers::MarkerShape;
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// Height of a row and width of the area, in pixels.
const ROW_AND_AREA_SIZE: (i32, i32) = (28, 420);

/// The longest name.
const MAX_ROW_NAME_WIDTH: i32 = 300;

/// The largest number of rows.
const MAX_ROWS: usize = 40;

/// One row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowOfBarsAndMarks {
    /// Its name.
    pub name: String,
    /// Its bars: both ends, and a colour.
    pub bars: Vec<(f64, f64, RgbColor)>,
    /// Its marks above the bars.
    pub marks: Vec<(MarkerShape, f64)>,
    /// The text at the right.
    pub text: String,
}

/// Rows of bars and marks.
#[derive(Clone, Debug, PartialEq)]
pub struct BarsAndMarksPlot {
    /// The rows, from top to bottom.
    pub rows: Vec<RowOfBarsAndMarks>,
    /// The scale of all rows.
    pub scale: AxisScale,
    /// The title of the axis, with its unit.
    pub axis_title: String,
    /// Keys of the colours, in a line above the rows.
    pub keys: Vec<(RgbColor, String)>,
    /// A value that is drawn as a line through all rows.
    pub reference: Option<f64>,
}

impl BarsAndMarksPlot {
    /// Draws the rows.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_range_rows(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        if self.rows.is_empty() {
            return Err(format!("no row has a value of {}", self.axis_title));
        }
        let rows: Vec<&RowOfBarsAndMarks> = self.rows.iter().collect();
        let (rows, words) = plot_frame::thin_out_and_note(rows, MAX_ROWS, "rows", words);
        let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
        let texts: Vec<String> = rows.iter().map(|row| row.text.clone()).collect();
        let before = plot_frame::width_of_widest_text(&names).min(MAX_ROW_NAME_WIDTH) + 12;
        let after = plot_frame::width_of_widest_text(&texts) + 16;
        let (step, width) = ROW_AND_AREA_SIZE;
        let above = if self.keys.is_empty() { 4 } else { 30 };
        let size = (width, step * rows.len() as i32);
        let (mut scene, area) =
            plot_frame::new_page_with_area(&words, size, [before, above, after, 56]);
        plot_frame::draw_row_of_keys(&mut scene, (area.left, area.top - 18), &self.keys);
        plot_frame::draw_x_axis(&mut scene, area, &self.scale, &self.axis_title);
        if let Some(reference) = self.reference {
            let x = self.scale.pixel_of(reference, area.left, area.right);
            let ends = [(x, area.top), (x, area.bottom)];
            scene.draw_dashed_polyline(&ends, &[5.0, 4.0], RgbColor::CAPTION_GREY, 1);
        }
        for (row, place) in rows.into_iter().zip(0..) {
            self.draw_row(&mut scene, area, area.top + place * step + step / 2, row);
        }
        Ok(scene)
    }

    fn draw_row(&self, scene: &mut Scene, area: PlotArea, y: i32, row: &RowOfBarsAndMarks) {
        let height = text_layout::ORDINARY_TEXT_HEIGHT;
        let name = text_layout::truncate_to_room(&row.name, height, MAX_ROW_NAME_WIDTH);
        let side = HorizontalTextAnchor::Right;
        scene.add_text(text_layout::new_label(name, (area.left - 8, y), side));
        let x = |value: f64| self.scale.pixel_of(value, area.left, area.right);
        for (from, to, ink) in &row.bars {
            let (left, right) = (x(from.min(*to)), x(from.max(*to)));
            if right > left {
                scene.fill_rectangle((left, y - 9), (right, y + 9), *ink);
                let frame = RgbColor::TEXT_AND_AXIS_BLACK;
                scene.outline_rectangle((left, y - 9), (right, y + 9), frame);
            }
        }
        for (shape, value) in row.marks.iter().filter(|(_, value)| value.is_finite()) {
            shape.draw_at(scene, (x(*value), y), RgbColor::TEXT_AND_AXIS_BLACK);
        }
        let at = (area.right + 10, y);
        scene.add_text(text_layout::new_label(row.text.clone(), at, HorizontalTextAnchor::Left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::render_scene_as_svg;

    #[test]
    fn rows_have_their_names_bars_and_texts() {
        let row = |name: &str, low: f64, high: f64| RowOfBarsAndMarks {
            name: name.to_owned(),
            bars: vec![(low, 0.0, RgbColor(70, 90, 160)), (0.0, high, RgbColor(200, 180, 60))],
            text: format!("{low} to {high}"),
            ..RowOfBarsAndMarks::default()
        };
        let plot = |rows: Vec<RowOfBarsAndMarks>| BarsAndMarksPlot {
            rows,
            scale: AxisScale::with_exact_ends(-20.0, 20.0),
            axis_title: "change, %".to_owned(),
            keys: Vec::new(),
            reference: Some(0.0),
        };
        let words = ChartTitleAndCaption {
            title: "One step".to_owned(),
            ..ChartTitleAndCaption::default()
        };
        let drawn = plot(vec![row("lmg shots", -19.8, 10.4), row("models", 0.0, 2.8)]);
        let svg = render_scene_as_svg(&drawn.draw_range_rows(&words).expect("two rows"));
        for text in ["lmg shots", "-19.8 to 10.4", "change, %", "One step"] {
            assert!(svg.contains(text), "{text}");
        }
        // A bar without a length is not drawn: one row has two bars, the other one.
        assert_eq!(svg.matches("#465aa0").count() + svg.matches("#465AA0").count(), 1, "{svg}");
        assert!(plot(Vec::new()).draw_range_rows(&words).is_err());
    }
}
