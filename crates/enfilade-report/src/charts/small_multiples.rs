//! Many curves as small pictures of one scale, a curve each: lines that cross cannot be told apart.

use super::axis_scale::{AxisScale, viridis_color};
use super::line_chart::{CurveSeries, HorizontalAxisKind, LineChart};
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// Width and height of the area of one picture.
const PANEL_SIZE: (i32, i32) = (190, 110);

/// Space between two pictures, for the names above and the numbers below them.
const PANEL_GAPS: (i32, i32) = (26, 48);

/// The largest number of pictures side by side.
const MAX_PANELS_ACROSS: usize = 4;

/// The scales of all pictures.
struct PanelScales<'a> {
    across: &'a AxisScale,
    up: &'a AxisScale,
    level: Option<f64>,
}

/// Draws each curve of a chart alone, in the order of the chart, with the place where it passes the
/// chart's level.
///
/// # Errors
/// A sentence, if the chart has no numbers along x, or no curve.
pub fn draw_each_curve_alone(
    chart: &LineChart,
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    let HorizontalAxisKind::Numbers(across) = &chart.across else {
        return Err("words are not drawn as small pictures".to_owned());
    };
    if chart.series.is_empty() {
        return Err(format!("nothing has a value of {}", chart.y_title));
    }
    let scales = PanelScales { across, up: &chart.up, level: chart.level.as_ref().map(|l| l.0) };
    let columns = chart.series.len().min(MAX_PANELS_ACROSS) as i32;
    let rows = (chart.series.len() as i32 + columns - 1) / columns;
    let before = plot_frame::width_of_y_axis_labels(&chart.up);
    let step = (PANEL_SIZE.0 + PANEL_GAPS.0, PANEL_SIZE.1 + PANEL_GAPS.1);
    let (mut scene, (left, top)) =
        plot_frame::new_chart_page(words, (before + columns * step.0, 24 + rows * step.1 + 20));
    scene.add_text(small_grey_label(&chart.y_title, (left, top + 8)));
    for (place, series) in (0..).zip(&chart.series) {
        let (column, row) = (place % columns, place / columns);
        let corner = (left + before + column * step.0, top + 40 + row * step.1);
        let area = PlotArea {
            left: corner.0,
            top: corner.1,
            right: corner.0 + PANEL_SIZE.0,
            bottom: corner.1 + PANEL_SIZE.1,
        };
        draw_panel_grid_and_axes(&mut scene, area, &scales, column == 0);
        draw_panel_with_crossing(&mut scene, area, &scales, series);
    }
    let at = (left + before, top + 24 + rows * step.1 + 12);
    scene.add_text(small_grey_label(&chart.x_title, at));
    Ok(scene)
}

fn small_grey_label(text: &str, at: (i32, i32)) -> crate::drawing::TextLabel {
    text_layout::new_small_label(text, at, HorizontalTextAnchor::Left)
        .with_color(RgbColor::CAPTION_GREY)
}

/// Draws grid lines and axes of a picture; the first of a row has the numbers of y.
fn draw_panel_grid_and_axes(
    scene: &mut Scene,
    area: PlotArea,
    scales: &PanelScales<'_>,
    named: bool,
) {
    for (value, label) in scales.up.ticks_with_labels() {
        let y = scales.up.pixel_of(value, area.bottom, area.top);
        scene.draw_polyline(vec![(area.left, y), (area.right, y)], RgbColor::GRID_LINE_GREY, 1);
        if named {
            let at = (area.left - 6, y);
            scene.add_text(text_layout::new_small_label(label, at, HorizontalTextAnchor::Right));
        }
    }
    let ticks = scales.across.ticks_with_labels();
    for (value, label) in plot_frame::ticks_with_room(&ticks, scales.across, area) {
        let x = scales.across.pixel_of(value, area.left, area.right);
        let at = (x, area.bottom + 12);
        scene.add_text(text_layout::new_small_label(label, at, HorizontalTextAnchor::Middle));
    }
    if let Some(level) = scales.level {
        let y = scales.up.pixel_of(level, area.bottom, area.top);
        let line = [(area.left, y), (area.right, y)];
        scene.draw_dashed_polyline(&line, &[5.0, 4.0], RgbColor::CAPTION_GREY, 1);
    }
    plot_frame::draw_axis_lines(scene, area);
}

/// Draws the name of a curve, the curve, and the number at which it passes the level.
fn draw_panel_with_crossing(
    scene: &mut Scene,
    area: PlotArea,
    scales: &PanelScales<'_>,
    series: &CurveSeries,
) {
    let ink = viridis_color(0.7);
    let size = text_layout::SMALL_TEXT_HEIGHT;
    let name = text_layout::shorten_in_the_middle(&series.name, size, PANEL_SIZE.0);
    let at = (area.left, area.top - 10);
    scene.add_text(text_layout::new_small_label(name, at, HorizontalTextAnchor::Left));
    let pixel = |(x, y): (f64, f64)| {
        (
            scales.across.pixel_of(x, area.left, area.right),
            scales.up.pixel_of(y, area.bottom, area.top),
        )
    };
    for part in series.points.split(|(_, y)| !y.is_finite()) {
        let line: Vec<_> = part.iter().copied().map(pixel).collect();
        for point in &line {
            scene.draw_dot(*point, 2, ink);
        }
        if line.len() > 1 {
            scene.draw_polyline(line, ink, 2);
        }
    }
    let Some(level) = scales.level else { return };
    if let Some(x) = crossing_of_level(&series.points, level) {
        let (x_pixel, y) = pixel((x, level));
        scene.draw_dot((x_pixel, y), 4, RgbColor::TEXT_AND_AXIS_BLACK);
        // On the side where there is room.
        let is_left = x_pixel < (area.left + area.right) / 2;
        let (side, shift) = match is_left {
            true => (HorizontalTextAnchor::Left, 8),
            false => (HorizontalTextAnchor::Right, -8),
        };
        let at = (x_pixel + shift, y - 10);
        scene.add_text(text_layout::new_small_label(format!("{x:.0}"), at, side));
    }
}

/// Returns the first x at which a curve passes a level, on a straight line between its points.
fn crossing_of_level(points: &[(f64, f64)], level: f64) -> Option<f64> {
    points.windows(2).find_map(|pair| {
        let [(x, y), (next_x, next_y)] = [pair[0], pair[1]];
        let passes = (y - level) * (next_y - level) <= 0.0 && y != next_y;
        passes.then(|| x + (level - y) / (next_y - y) * (next_x - x))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(count: usize) -> LineChart {
        let series = |n: usize| CurveSeries {
            name: format!("scenario {n}"),
            points: vec![(0.0, 100.0), (100.0 + n as f64, 0.0)],
            ..CurveSeries::default()
        };
        LineChart {
            series: (0..count).map(series).collect(),
            across: HorizontalAxisKind::Numbers(AxisScale::with_exact_ends(0.0, 200.0)),
            x_title: "points".to_owned(),
            up: AxisScale::with_exact_ends(0.0, 100.0),
            y_title: "battles won, %".to_owned(),
            legend: "scenario".to_owned(),
            level: Some((50.0, "even".to_owned())),
        }
    }

    #[test]
    fn every_curve_has_a_picture_with_its_crossing() {
        let scene =
            draw_each_curve_alone(&chart(13), &ChartTitleAndCaption::default()).expect("curves");
        let texts: Vec<_> = scene.iter_labels().map(|label| label.text.as_str()).collect();
        for n in 0..13 {
            assert!(texts.contains(&&*format!("scenario {n}")), "{n}");
        }
        // Halfway from 0 to 100 and to 112.
        assert!(texts.contains(&"50") && texts.contains(&"56"), "{texts:?}");
        assert!(draw_each_curve_alone(&chart(0), &ChartTitleAndCaption::default()).is_err());
        assert_eq!(crossing_of_level(&[(0.0, 10.0), (10.0, 20.0)], 50.0), None);
        assert_eq!(crossing_of_level(&[(0.0, 40.0), (10.0, 60.0)], 50.0), Some(5.0));
    }
}
