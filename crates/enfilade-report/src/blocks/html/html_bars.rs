//! Price ranges on a page: a row each that opens its reason. On a narrow screen the row becomes a
//! card of three lines.

use crate::blocks::{LogPriceAxis, PriceRangeChart, PriceRangeRow};
use crate::text::xml_escape::escape_xml;

/// The style of a page with ranges.
pub const PRICE_BARS_STYLE: &str = include_str!("bars.css");

/// Ticks of the axis.
const MAX_AXIS_TICKS: usize = 8;

/// Renders the ranges.
pub fn render_price_ranges_html(ranges: &PriceRangeChart) -> String {
    let name = escape_xml(&ranges.name);
    let Some(axis) = ranges.common_axis() else { return String::new() };
    let rows: String = ranges.rows.iter().map(|one| render_price_row(one, axis, ranges)).collect();
    format!(
        "<div class=\"ranges\" role=\"group\" aria-label=\"{name}\">\n{}{rows}</div>\n",
        render_axis_numbers(axis)
    )
}

/// Renders the numbers of the axis.
fn render_axis_numbers(axis: LogPriceAxis) -> String {
    let tick = |tick: f64| {
        format!("<text x=\"{}\" y=\"12\">{tick}</text>", percent_position_on_axis(axis, tick))
    };
    let ticks: String = axis.round_tick_numbers(MAX_AXIS_TICKS).into_iter().map(tick).collect();
    format!(
        "<div class=\"axis\" aria-hidden=\"true\"><span></span><span></span>\
         <svg width=\"100%\" height=\"16\">{ticks}</svg></div>\n"
    )
}

fn percent_position_on_axis(axis: LogPriceAxis, number: f64) -> String {
    format!("{:.2}%", 100.0 * axis.position_of_number(number))
}

fn render_price_row(row: &PriceRangeRow, axis: LogPriceAxis, ranges: &PriceRangeChart) -> String {
    let [now, even, range] = row.texts.clone().map(|text| escape_xml(&text));
    let why: String = row.why.iter().map(|why| format!("<p>{}</p>\n", escape_xml(why))).collect();
    let beside = match &ranges.beside {
        Some(head) => format!("<p>{}: {}.</p>\n", escape_xml(head), escape_xml(&row.beside)),
        None => String::new(),
    };
    let name = escape_xml(&row.name);
    let prices = if now == "–" { even } else { format!("{now} → {even}") };
    let sure = if row.range.is_some() {
        format!("{} {range}", row.tone.words_before_range())
    } else {
        String::new()
    };
    format!(
        "<details class=\"{}\">\n<summary><b>{name}</b><span class=\"n\">{prices}</span>{}\
         <span class=\"word\"><strong>{}</strong> <small>{sure}</small></span></summary>\n{why}{beside}</details>\n",
        row.tone.css_class(),
        render_range_with_price_marks(row, axis),
        escape_xml(&row.word),
    )
}

/// Renders a bar with a tick for the price now and a dot for the even price.
fn render_range_with_price_marks(row: &PriceRangeRow, axis: LogPriceAxis) -> String {
    let bar = row.range.map(|(low, high)| {
        let width = 100.0 * (axis.position_of_number(high) - axis.position_of_number(low));
        let from = percent_position_on_axis(axis, low);
        format!("<rect x=\"{from}\" y=\"9\" width=\"{width:.2}%\" height=\"10\"/>")
    });
    let tick = row.now.map(|now| {
        let x = percent_position_on_axis(axis, now);
        format!("<line x1=\"{x}\" x2=\"{x}\" y1=\"3\" y2=\"25\"/>")
    });
    let dot = row.even.map(|even| {
        format!("<circle cx=\"{}\" cy=\"14\" r=\"5\"/>", percent_position_on_axis(axis, even))
    });
    let marks: String = [bar, tick, dot].into_iter().flatten().collect();
    format!("<svg width=\"100%\" height=\"28\" aria-hidden=\"true\">{marks}</svg>")
}
