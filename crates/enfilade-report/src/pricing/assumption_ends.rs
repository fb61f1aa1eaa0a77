//! Prices with an assumption at either end of its range: a table for each end of the most
//! influential assumptions, from which a page chooses. No battle is fought again for them.

use super::points_format::format_price_points;
use super::price_findings::PriceFindings;
use super::price_sentences::{MAX_ASSUMPTIONS_SHOWN, log_price_effect_of_assumption};
use super::price_tables::{
    format_number_or_dash, table_cell_with_number, text_table_from_cell_rows, weapon_name_cell,
};
use crate::blocks::{ReportTableCell, TextTable};
use crate::text::measure_format;
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::doctrine::format_assumption_value;
use enfilade_pricing::price::{ArsenalPrices, EvenPrice, WeaponPrice};

/// Logarithms of a price, from one end to the other, below which an assumption moves nothing.
const MIN_LOG_PRICE_EFFECT: f64 = 0.01;

/// Returns the assumptions that move even prices most, the largest effect first.
pub(super) fn assumptions_by_effect(pricing: &ArsenalPrices) -> Vec<usize> {
    let even = || pricing.weapons.iter().filter_map(WeaponPrice::even_price_if_any);
    let size = |place: usize| -> f64 {
        even().map(|even| log_price_effect_of_assumption(even, place)).sum()
    };
    let mut order: Vec<usize> = (0..pricing.assumptions.len()).collect();
    order.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    order.retain(|place| size(*place) > MIN_LOG_PRICE_EFFECT * even().count() as f64);
    order.truncate(MAX_ASSUMPTIONS_SHOWN);
    order
}

/// Builds a table for each end, and first one for the file as it is; none if no assumption has an
/// effect.
pub fn price_tables_at_ends(findings: &PriceFindings) -> Vec<(String, TextTable)> {
    let pricing = findings.pricing;
    let at = |value: f64, place: usize| {
        let name = &pricing.assumptions[place];
        format!("{} {}", replace_control_chars(name), format_assumption_value(name, value))
    };
    let effects = assumptions_by_effect(pricing).into_iter().flat_map(|place| {
        let assumed = &findings.evidence.assumptions[place];
        let low = price_table_of_one_case(findings, &|even| even.assumption_prices[place].0);
        let high = price_table_of_one_case(findings, &|even| even.assumption_prices[place].1);
        // One end may be the default.
        let ends = [(assumed.low, low), (assumed.high, high)].into_iter();
        let ends = ends.filter(|(value, _)| *value != assumed.default);
        ends.map(move |(value, table)| (at(value, place), table))
    });
    let effects: Vec<_> = effects.collect();
    if effects.is_empty() {
        return effects;
    }
    let written =
        ("as written".to_owned(), price_table_of_one_case(findings, &|even| even.price.best));
    std::iter::once(written).chain(effects).collect()
}

/// Builds the table of even prices under one choice, beside those of the file.
fn price_table_of_one_case(
    findings: &PriceFindings,
    price: &dyn Fn(&EvenPrice) -> f64,
) -> TextTable {
    let steps = findings.pricing.steps;
    let row = |weapon: &WeaponPrice| -> Option<Vec<ReportTableCell>> {
        let even = weapon.even_price_if_any()?;
        let change = price(even) / even.price.best - 1.0;
        Some(vec![
            weapon_name_cell(weapon),
            table_cell_with_number(format_number_or_dash(weapon.price)),
            table_cell_with_number(format_price_points(steps.round_to_nearest(price(even)))),
            table_cell_with_number(measure_format::format_percent_change(change)),
        ])
    };
    let weapons = findings.indices_of_reported_weapons().map(|w| &findings.pricing.weapons[w]);
    text_table_from_cell_rows(&["unit", "now", "even", "change"], weapons.filter_map(row))
}
