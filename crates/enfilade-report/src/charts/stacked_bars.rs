//! Shares of the outcomes, stacked along one axis.

use super::axis_scale::AxisScale;
use super::chart_data::{self, ChartAxis};
use super::outcome_bands::{OutcomeStackBand, OutcomeStackBands};
use super::plot_frame::{self, ChartTitleAndCaption, LegendItem, PlotArea};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};
use enfilade_study::answer::Answer;

/// The largest number of bars.
const MAX_STACKED_BARS: usize = 120;

/// The largest number of bars that are as wide as their names.
const MAX_WIDE_BARS: usize = 5;

/// Height of the stacks in pixels.
const STACK_HEIGHT_PIXELS: i32 = 360;

/// Draws shares of the outcomes of `cells`, stacked along `x`; pictures of `all` share their bands.
///
/// # Errors
/// A sentence, if there is nothing to draw or too much.
pub fn draw_stacked_bars(
    cells: &[&Answer],
    all: &[&Answer],
    x: &ChartAxis,
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    if cells.iter().all(|cell| cell.outcomes.is_empty()) {
        return Err("there are no outcomes".to_owned());
    }
    if x.len() > MAX_STACKED_BARS {
        let (axis, count) = (&x.name, x.len());
        return Err(format!("{axis} has {count} values; bars show up to {MAX_STACKED_BARS}"));
    }
    let parts = OutcomeStackBands::from_cells_of_action(all);
    let keys: Vec<_> = parts.bands.iter().map(legend_entry_of_band).collect();
    let widest = plot_frame::width_of_widest_text(&x.labels_of_values());
    let room = if x.len() <= MAX_WIDE_BARS { plot_frame::MAX_AXIS_LABEL_WIDTH } else { 56 };
    let step = (900 / x.len() as i32).clamp(10, 78).max(widest.min(room) + 8);
    let scale = AxisScale::with_round_ends([100.0].into_iter(), 0.0);
    let labels = plot_frame::height_of_x_labels(&x.labels_of_values(), step);
    let title = if parts.has_gain_or_neutral_band() {
        "what counts most"
    } else {
        "the worst that happens"
    };
    let legend = plot_frame::width_of_legend(&keys, title);
    let height = STACK_HEIGHT_PIXELS.max(plot_frame::height_of_legend(&keys));
    let size = (step * x.len() as i32, height - 6);
    let around = [plot_frame::width_of_y_axis_labels(&scale), 6, legend, labels + 30];
    let (mut scene, area) = plot_frame::new_page_with_area(words, size, around);
    plot_frame::draw_y_axis(&mut scene, area, &scale, "share of the outcomes, %");
    let middle = |i: usize| area.left + i as i32 * step + step / 2;
    for cell in cells {
        if let Some(place) = x.index_of_cell(cell) {
            draw_stack(
                &mut scene,
                area,
                (middle(place), step * 4 / 5),
                &parts.band_shares_of_cell(cell),
                &keys,
            );
        }
    }
    plot_frame::draw_axis_lines(&mut scene, area);
    let at: Vec<_> = (0..x.len()).map(middle).collect();
    plot_frame::draw_x_labels(&mut scene, &x.labels_of_values(), &at, area.bottom, step);
    plot_frame::draw_x_title(&mut scene, area, area.bottom + labels + 16, &x.title);
    // A stack grows upwards, and a legend is read downwards.
    let from_top: Vec<_> = keys.into_iter().rev().collect();
    plot_frame::draw_legend(&mut scene, (area.right + 24, area.top), &from_top, title);
    Ok(scene)
}

fn legend_entry_of_band(band: &OutcomeStackBand) -> LegendItem {
    LegendItem { name: band.name.clone(), note: String::new(), ink: band.ink, line: None }
}

/// Draws one stack about the pixel `middle`, `width` wide.
fn draw_stack(
    scene: &mut Scene,
    area: PlotArea,
    (middle, width): (i32, i32),
    shares: &[f64],
    keys: &[LegendItem],
) {
    let height = f64::from(area.bottom - area.top);
    let (left, right) = (middle - width / 2, middle + width / 2);
    let mut sum = 0.0;
    for (share, key) in shares.iter().zip(keys) {
        // A distribution above 100 % is refused elsewhere; here it must not leave the area.
        let y = |sum: f64| area.bottom - (sum.min(100.0) / 100.0 * height).round() as i32;
        let (bottom, top) = (y(sum), y(sum + share));
        sum += share;
        if top >= bottom {
            continue;
        }
        scene.fill_rectangle((left, top), (right, bottom), key.ink);
        if width >= 8 {
            scene.outline_rectangle((left, top), (right, bottom), RgbColor::TEXT_AND_AXIS_BLACK);
        }
        let text = chart_data::format_percent_or_inequality(*share);
        let fits = text_layout::pixel_width_of_text(&text, text_layout::SMALL_TEXT_HEIGHT, false)
            + 4
            <= width;
        if fits && bottom - top >= text_layout::SMALL_TEXT_HEIGHT + 3 {
            let at = (middle, (top + bottom) / 2);
            scene.add_text(
                text_layout::new_small_label(text, at, HorizontalTextAnchor::Middle)
                    .with_color(key.ink.readable_text_color()),
            );
        }
    }
}
