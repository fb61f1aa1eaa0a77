//! Comparison of two arsenals: the prices that move, by how much, and with which certainty.
//!
//! The numbers come from [`price_changes`](enfilade_pricing::price::price_changes). Weapons whose
//! worth has certainly moved come first, the largest changes at the top; then the others.

use serde::Serialize;

use super::{TwoComparedFiles as Files, opening_with_files_and_remarks};
use crate::PrintedAnswerFormat;
use crate::blocks::{ReportBlock, TextTable};
use crate::json_text::to_indented_json;
use crate::pricing::points_format::format_price_points;
use crate::pricing::price_sentences::format_whole_percent;
use crate::pricing::price_tables::{
    build_headed_table, build_table_of_numbers, format_number_or_dash, text_or_dash,
};
use crate::tables::csv;
use crate::tables::{ColumnBuilderFromRows, TypedTable};
use enfilade_pricing::price::price_changes::{PriceChange, TwoPricings, WorthRatioWithInterval};

/// The files of a comparison of arsenals, beside its manifest.
pub const ARSENAL_FILE_NAMES: &[&str] = &["compare.csv", "report.html", "summary.md"];

/// The meaning of the columns.
const COLUMN_MEANINGS: [&str; 3] = [
    "counts for: points of the troops it meets; change: that in B over that in A, in the scenarios of \
     both, with its 95 % interval where there is more than one opponent",
    "the change is taken scenario by scenario and assumption by assumption, so that what moves both \
     alike is not in its interval",
    "even price: both at what a point of worth costs in A, so that only what a unit does moves it",
];

/// Renders the comparison in a format.
pub fn render_price_changes(
    sides: &TwoPricings<'_>,
    files: &Files,
    format: PrintedAnswerFormat,
) -> String {
    match format {
        PrintedAnswerFormat::Text(style) => style.render_blocks(&price_change_blocks(sides, files)),
        PrintedAnswerFormat::Json => to_indented_json(&ArsenalComparisonDocument {
            enfilade: env!("CARGO_PKG_VERSION"),
            a: &files.a.name,
            b: &files.b.name,
            prices: sides,
        }),
        PrintedAnswerFormat::Csv => csv::render_csv(&build_arsenal_table(sides)),
    }
}

/// Describes the changes, and the weapons without a partner, in sentences.
fn describe_price_changes(sides: &TwoPricings<'_>) -> Vec<String> {
    let sure = sides.changes.iter().filter(|change| change.is_significant).count();
    let all = sides.changes.len();
    let moved = match sides.scenarios.len() {
        0 => "The arsenals share no scenario, so no change can be computed.".to_owned(),
        n => format!("Of {all} weapons {sure} have moved for sure, by {n} scenarios of both."),
    };
    let alone = [("A", &sides.only_a), ("B", &sides.only_b)].into_iter();
    let alone = alone.filter(|(_, names)| !names.is_empty());
    let alone = alone.map(|(side, names)| format!("Only in {side}: {}.", names.join(", ")));
    std::iter::once(moved).chain(alone).collect()
}

/// The format of one number of a change.
type PriceChangeFormat = fn(&PriceChange<'_>) -> String;

fn price_change_table(sides: &TwoPricings<'_>) -> TextTable {
    let columns: [(&str, PriceChangeFormat); 8] = [
        ("counts for A", |change| format_price_points(change.a.worth)),
        ("counts for B", |change| format_price_points(change.b.worth)),
        ("change", |change| text_or_dash(change.change.map(|by| format_as_added_percent(by.best)))),
        ("95 %", |change| text_or_dash(change.change.map(format_change_range))),
        ("even A", |change| format_number_or_dash(change.a.even)),
        ("even B", |change| format_number_or_dash(change.b.even)),
        ("price A", |change| format_number_or_dash(change.a.price)),
        ("price B", |change| format_number_or_dash(change.b.price)),
    ];
    let heads: Vec<&str> = std::iter::once("weapon").chain(columns.map(|(head, _)| head)).collect();
    let mut sorted: Vec<&PriceChange<'_>> = sides.changes.iter().collect();
    let far = |change: &PriceChange<'_>| change.change.map_or(0.0, |by| by.best.ln().abs());
    // Certain changes first, by size.
    sorted.sort_by(|a, b| b.is_significant.cmp(&a.is_significant).then(far(b).total_cmp(&far(a))));
    let rows = sorted
        .into_iter()
        .map(|change| ([change.name], columns.iter().map(|(_, number)| number(change)).collect()));
    build_table_of_numbers(&heads, rows)
}

/// Formats a factor as the added part, in percent.
fn format_as_added_percent(factor: f64) -> String {
    let sign = if factor < 1.0 { "−" } else { "+" };
    format!("{sign}{}", format_whole_percent((factor - 1.0).abs()))
}

fn format_change_range(by: WorthRatioWithInterval) -> String {
    let ends = by.low.zip(by.high).map(|(low, high)| {
        format!("{} to {}", format_as_added_percent(low), format_as_added_percent(high))
    });
    ends.unwrap_or_else(|| "one opponent".to_owned())
}

pub(super) fn price_change_blocks(sides: &TwoPricings<'_>, files: &Files) -> Vec<ReportBlock> {
    let mut blocks = opening_with_files_and_remarks(files, describe_price_changes(sides));
    blocks.extend(build_headed_table("Which prices move", price_change_table(sides)));
    blocks.extend(ReportBlock::new_list_if_any(COLUMN_MEANINGS));
    blocks
}

/// A comparison of two arsenals.
#[derive(Serialize)]
struct ArsenalComparisonDocument<'a> {
    enfilade: &'static str,
    a: &'a str,
    b: &'a str,
    #[serde(flatten)]
    prices: &'a TwoPricings<'a>,
}

pub(super) fn build_arsenal_table(sides: &TwoPricings<'_>) -> TypedTable {
    let all = ColumnBuilderFromRows(&sides.changes);
    let number = |name: &str, of: fn(&PriceChange<'_>) -> Option<f64>| all.number_column(name, of);
    let columns = vec![
        all.text_column("weapon", |change| Some(change.name.to_owned())),
        number("price_a", |change| change.a.price),
        number("price_b", |change| change.b.price),
        number("worth_a", |change| Some(change.a.worth)),
        number("worth_b", |change| Some(change.b.worth)),
        number("change", |change| Some(change.change?.best)),
        number("change_low", |change| change.change?.low),
        number("change_high", |change| change.change?.high),
        number("even_a", |change| change.a.even),
        number("even_b", |change| change.b.even),
    ];
    TypedTable { name: "compare", columns }
}
