//! Price ranges on a page: a row each that opens its reason. On a narrow screen the row becomes a
//! card of three lines.

use crate::blocks::{Axis, RangeRow, Ranges};
use crate::text::xml_escape::escaped;

/// The style of a page with ranges.
pub const STYLE: &str = include_str!("bars.css");

/// Ticks of the axis.
const TICKS: usize = 8;

/// Renders the ranges.
pub fn write(ranges: &Ranges) -> String {
    let name = escaped(&ranges.name);
    let Some(axis) = ranges.axis() else { return String::new() };
    let rows: String = ranges.rows.iter().map(|one| row(one, axis, ranges)).collect();
    format!(
        "<div class=\"ranges\" role=\"group\" aria-label=\"{name}\">\n{}{rows}</div>\n",
        scale(axis)
    )
}

/// Renders the numbers of the axis.
fn scale(axis: Axis) -> String {
    let tick = |tick: f64| format!("<text x=\"{}\" y=\"12\">{tick}</text>", place(axis, tick));
    let ticks: String = axis.ticks(TICKS).into_iter().map(tick).collect();
    format!(
        "<div class=\"axis\" aria-hidden=\"true\"><span></span><span></span>\
         <svg width=\"100%\" height=\"16\">{ticks}</svg></div>\n"
    )
}

fn place(axis: Axis, number: f64) -> String {
    format!("{:.2}%", 100.0 * axis.at(number))
}

fn row(row: &RangeRow, axis: Axis, ranges: &Ranges) -> String {
    let [now, even, range] = row.said.clone().map(|said| escaped(&said));
    let why: String = row.why.iter().map(|why| format!("<p>{}</p>\n", escaped(why))).collect();
    let beside = match &ranges.beside {
        Some(head) => format!("<p>{}: {}.</p>\n", escaped(head), escaped(&row.beside)),
        None => String::new(),
    };
    let name = escaped(&row.name);
    let prices = if now == "–" { even } else { format!("{now} → {even}") };
    let sure =
        if row.range.is_some() { format!("{} {range}", row.tone.sure()) } else { String::new() };
    format!(
        "<details class=\"{}\">\n<summary><b>{name}</b><span class=\"n\">{prices}</span>{}\
         <span class=\"word\"><strong>{}</strong> <small>{sure}</small></span></summary>\n{why}{beside}</details>\n",
        row.tone.class(),
        bar(row, axis),
        escaped(&row.word),
    )
}

/// Renders a bar with a tick for the price now and a dot for the even price.
fn bar(row: &RangeRow, axis: Axis) -> String {
    let bar = row.range.map(|(low, high)| {
        let width = 100.0 * (axis.at(high) - axis.at(low));
        let from = place(axis, low);
        format!("<rect x=\"{from}\" y=\"9\" width=\"{width:.2}%\" height=\"10\"/>")
    });
    let tick = row.now.map(|now| {
        let x = place(axis, now);
        format!("<line x1=\"{x}\" x2=\"{x}\" y1=\"3\" y2=\"25\"/>")
    });
    let dot =
        row.even.map(|even| format!("<circle cx=\"{}\" cy=\"14\" r=\"5\"/>", place(axis, even)));
    let marks: String = [bar, tick, dot].into_iter().flatten().collect();
    format!("<svg width=\"100%\" height=\"28\" aria-hidden=\"true\">{marks}</svg>")
}
