//! Tables of the price report, as text for the terminal and for Markdown.

use super::points_format::{format_ends, format_points};
use super::price_sentences::format_whole_percent;
use crate::blocks::{ReportTableCell, TextTable};
use crate::text::sentences::sanitize;
use enfilade_pricing::price::{EvenPrice, Pricing, RangedValue, WeaponPrice};

/// Returns the tables after the first screen, each with its heading.
pub fn tables_behind_first_screen(pricing: &Pricing) -> Vec<(&'static str, TextTable)> {
    let tables = [
        ("All numbers", build_number_table(pricing)),
        ("The scenarios", build_scenario_table(pricing)),
    ];
    // Empty tables are left out.
    tables.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect()
}

/// Builds the table with every number of every weapon, in full precision.
fn build_number_table(pricing: &Pricing) -> TextTable {
    let mut heads =
        vec!["unit", "now", "even", "95 %", "90 %", "counts for", "95 %", "if it never fires"];
    let beside = pricing
        .reference_unit
        .map(|one| format!("beside {}", sanitize(&pricing.weapons[one].name)));
    heads.extend(beside.as_deref());
    let row = |weapon: &WeaponPrice| {
        let even = |of: &dyn Fn(&EvenPrice) -> String| {
            number_entry(weapon.even_price().map_or_else(|| "–".to_owned(), of))
        };
        let mut row = vec![
            name_entry(weapon),
            number_entry(format_optional(weapon.price)),
            even(&|even| format_points(even.price.best)),
            even(&|even| format_range(even.price)),
            even(&|even| format_ends(even.at90, "–")),
            number_entry(format_points(weapon.worth.best)),
            number_entry(format_range(weapon.worth)),
            number_entry(format_optional(weapon.idle_worth)),
        ];
        row.extend(beside.is_some().then(|| even(&|even| format_comparison_count(even))));
        row
    };
    build_table(&heads, pricing.weapons.iter().map(row))
}

/// Formats the number of reference units that a weapon counts for.
pub fn format_comparison_count(even: &EvenPrice) -> String {
    let times = |times: f64| format!("{times:.2}");
    even.in_reference_units.map_or_else(
        || "–".to_owned(),
        |beside| format!("{} ({} – {})", times(beside.best), times(beside.low), times(beside.high)),
    )
}

/// Builds the table of the scenarios and their weights.
fn build_scenario_table(pricing: &Pricing) -> TextTable {
    let heads = ["scenario", "whom it meets", "counts"];
    let rows = pricing.scenarios.iter().zip(&pricing.mix).map(|(scenario, share)| {
        vec![
            ReportTableCell::Text(sanitize(&scenario.name)),
            ReportTableCell::Text(sanitize(&scenario.opponent)),
            number_entry(format_whole_percent(*share)),
        ]
    });
    build_table(&heads, rows)
}

pub(crate) fn build_table(
    heads: &[&str],
    rows: impl Iterator<Item = Vec<ReportTableCell>>,
) -> TextTable {
    TextTable {
        heads: heads.iter().map(|&head| head.to_owned()).collect(),
        rows: rows.collect(),
        fixed: 1,
    }
}

pub(super) fn name_entry(weapon: &WeaponPrice) -> ReportTableCell {
    ReportTableCell::Text(sanitize(&weapon.name))
}

pub(super) fn number_entry(text: String) -> ReportTableCell {
    ReportTableCell::Number(text)
}

fn format_range(price: RangedValue) -> String {
    format_ends((price.low, price.high), "–")
}

pub(crate) fn format_optional(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), format_points)
}
