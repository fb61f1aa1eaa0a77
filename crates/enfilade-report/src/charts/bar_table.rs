//! Many values as a table with bars: names, bars and numbers in several columns, because with a row
//! each the picture would be too tall for a screen.

use super::axis_scale::{AxisScale, viridis_color};
use super::markers::IntervalAroundValue;
use super::plot_frame::{self, ChartTitleAndCaption};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// The number of rows from which a forest becomes a table with bars.
pub const MIN_TABLE_ROWS: usize = 41;

/// The largest number of rows.
pub const MAX_BAR_TABLE_ROWS: usize = 240;

/// The number of rows below each other.
const MAX_ROWS_PER_COLUMN: usize = 44;

/// Height of a row, and width of the bars, in pixels.
const ROW_AND_BAR_SIZE: (i32, i32) = (19, 130);

/// The widest name and the widest text.
const MAX_TEXT_WIDTHS: (i32, i32) = (210, 130);

/// Space between two columns.
const COLUMN_GUTTER: i32 = 28;

/// One row.
pub struct BarTableRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub span: Option<IntervalAroundValue>,
    /// The text to the right of its bar.
    pub text: &'a str,
}

/// Draws every value as a bar from 0, with its interval; `head` is above the texts.
pub fn draw_bar_table(rows: &[BarTableRow<'_>], head: &str, words: &ChartTitleAndCaption) -> Scene {
    let texts = |of: fn(&BarTableRow<'_>) -> String| rows.iter().map(of).collect::<Vec<_>>();
    let names = texts(|row| row.name.to_owned());
    let width = texts(|row| row.text.to_owned());
    let name = (plot_frame::widest_text_at(&names, text_layout::SMALL_TEXT_HEIGHT) + 1)
        .min(MAX_TEXT_WIDTHS.0);
    let text = (plot_frame::widest_text_at(&width, text_layout::SMALL_TEXT_HEIGHT) + 1)
        .min(MAX_TEXT_WIDTHS.1);
    let each = name + ROW_AND_BAR_SIZE.1 + text + 16 + COLUMN_GUTTER;
    let columns = rows.len().div_ceil(MAX_ROWS_PER_COLUMN).max(1);
    // Filled column by column, so that the order of the rows is read downwards.
    let tall = rows.len().div_ceil(columns);
    let scale = AxisScale::with_round_ends(
        rows.iter().filter_map(|row| row.span).flat_map(|span| interval_ends_above_zero(&span)),
        0.0,
    );
    let body = (each * columns as i32 - COLUMN_GUTTER, ROW_AND_BAR_SIZE.0 * tall as i32 + 26);
    let (mut scene, (left, top)) = plot_frame::new_chart_page(words, body);
    for (at, row) in rows.iter().enumerate() {
        let x = left + (at / tall) as i32 * each;
        let y = top + 26 + (at % tall) as i32 * ROW_AND_BAR_SIZE.0 + ROW_AND_BAR_SIZE.0 / 2;
        let small = |text: String, x, side| text_layout::new_small_label(text, (x, y), side);
        scene.add_text(small(
            text_layout::shorten_in_the_middle(row.name, text_layout::SMALL_TEXT_HEIGHT, name),
            x + name,
            HorizontalTextAnchor::Right,
        ));
        if let Some(span) = &row.span {
            draw_value_bar(&mut scene, (x + name + 8, y), &scale, span);
        }
        let label = text_layout::truncate_to_room(row.text, text_layout::SMALL_TEXT_HEIGHT, text);
        scene.add_text(small(
            label,
            x + name + ROW_AND_BAR_SIZE.1 + 16,
            HorizontalTextAnchor::Left,
        ));
    }
    for column in 0..columns as i32 {
        let at = (left + column * each + name + ROW_AND_BAR_SIZE.1 + 16, top + 12);
        let head = text_layout::truncate_to_room(head, text_layout::SMALL_TEXT_HEIGHT, text);
        scene.add_text(
            text_layout::new_small_label(head, at, HorizontalTextAnchor::Left)
                .with_color(RgbColor::CAPTION_GREY),
        );
    }
    scene
}

fn interval_ends_above_zero(span: &IntervalAroundValue) -> [f64; 2] {
    span.interval
        .map_or([span.value; 2], |(low, high)| [low.max(0.0).min(span.value), high.max(span.value)])
}

fn draw_value_bar(
    scene: &mut Scene,
    (left, y): (i32, i32),
    scale: &AxisScale,
    span: &IntervalAroundValue,
) {
    let x = |value: f64| scale.pixel_of(value, left, left + ROW_AND_BAR_SIZE.1);
    let (zero, end) = (x(0.0), x(span.value));
    scene.fill_rectangle(
        (zero.min(end), y - 6),
        (zero.max(end).max(zero.min(end) + 1), y + 6),
        viridis_color(0.35),
    );
    if let Some((low, high)) = span.interval {
        scene.draw_polyline(vec![(x(low), y), (x(high), y)], RgbColor::TEXT_AND_AXIS_BLACK, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_strip_is_columns_with_every_name_and_number() {
        let names: Vec<_> =
            (0..131).map(|n| (format!("unit {n}"), format!("{n} points"))).collect();
        let mut rows = Vec::new();
        for (n, (name, text)) in (0_i32..).zip(&names) {
            rows.push(BarTableRow {
                name,
                span: Some(IntervalAroundValue::from_exact_value(f64::from(n))),
                text,
            });
        }
        let scene = draw_bar_table(&rows, "price", &ChartTitleAndCaption::default());
        let texts: Vec<_> = scene.iter_labels().map(|label| label.text.as_str()).collect();
        for n in 0..131 {
            assert!(texts.contains(&&*format!("unit {n}")), "{n}");
            assert!(texts.contains(&&*format!("{n} points")), "{n}");
        }
        assert!(scene.height < 1000.0 && scene.width < 1600.0, "{} {}", scene.width, scene.height);
    }
}
