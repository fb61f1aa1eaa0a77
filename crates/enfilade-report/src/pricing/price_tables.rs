//! Tables of the price report, as text for the terminal and for Markdown.

use super::points_format::{format_ends, format_price_points};
use super::price_sentences::format_whole_percent;
use crate::blocks::{ReportTableCell, TextTable};
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::price::{ArsenalPrices, EvenPrice, RangedValue, WeaponPrice};

/// Returns the tables after the first screen, each with its heading.
pub fn tables_behind_first_screen(pricing: &ArsenalPrices) -> Vec<(&'static str, TextTable)> {
    let tables = [
        ("All numbers", build_number_table(pricing)),
        ("The scenarios", build_scenario_weight_table(pricing)),
    ];
    // Empty tables are left out.
    tables.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect()
}

/// Builds the table with every number of every weapon, in full precision.
fn build_number_table(pricing: &ArsenalPrices) -> TextTable {
    let mut heads =
        vec!["unit", "now", "even", "95 %", "90 %", "counts for", "95 %", "if it never fires"];
    let beside = pricing
        .reference_unit
        .map(|one| format!("beside {}", replace_control_chars(&pricing.weapons[one].name)));
    heads.extend(beside.as_deref());
    let row = |weapon: &WeaponPrice| {
        let even = |of: &dyn Fn(&EvenPrice) -> String| {
            table_cell_with_number(weapon.even_price_if_any().map_or_else(|| "–".to_owned(), of))
        };
        let mut row = vec![
            weapon_name_cell(weapon),
            table_cell_with_number(format_number_or_dash(weapon.price)),
            even(&|even| format_price_points(even.price.best)),
            even(&|even| format_range(even.price)),
            even(&|even| format_ends(even.at90, "–")),
            table_cell_with_number(format_price_points(weapon.worth.best)),
            table_cell_with_number(format_range(weapon.worth)),
            table_cell_with_number(format_number_or_dash(weapon.idle_worth)),
        ];
        row.extend(beside.is_some().then(|| even(&|even| format_reference_unit_count(even))));
        row
    };
    text_table_from_cell_rows(&heads, pricing.weapons.iter().map(row))
}

/// Formats the number of reference units that a weapon counts for.
pub fn format_reference_unit_count(even: &EvenPrice) -> String {
    let times = |times: f64| format!("{times:.2}");
    even.in_reference_units.map_or_else(
        || "–".to_owned(),
        |beside| format!("{} ({} – {})", times(beside.best), times(beside.low), times(beside.high)),
    )
}

/// Builds the table of the scenarios and their weights.
fn build_scenario_weight_table(pricing: &ArsenalPrices) -> TextTable {
    let heads = ["scenario", "whom it meets", "counts"];
    let rows = pricing.scenarios.iter().zip(&pricing.mix).map(|(scenario, share)| {
        vec![
            ReportTableCell::Text(replace_control_chars(&scenario.name)),
            ReportTableCell::Text(replace_control_chars(&scenario.opponent)),
            table_cell_with_number(format_whole_percent(*share)),
        ]
    });
    text_table_from_cell_rows(&heads, rows)
}

pub(crate) fn text_table_from_cell_rows(
    heads: &[&str],
    rows: impl Iterator<Item = Vec<ReportTableCell>>,
) -> TextTable {
    TextTable {
        heads: heads.iter().map(|&head| head.to_owned()).collect(),
        rows: rows.collect(),
        fixed: 1,
    }
}

pub(super) fn weapon_name_cell(weapon: &WeaponPrice) -> ReportTableCell {
    ReportTableCell::Text(replace_control_chars(&weapon.name))
}

pub(super) fn table_cell_with_number(text: String) -> ReportTableCell {
    ReportTableCell::Number(text)
}

fn format_range(price: RangedValue) -> String {
    format_ends((price.low, price.high), "–")
}

pub(crate) fn format_number_or_dash(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), format_price_points)
}
