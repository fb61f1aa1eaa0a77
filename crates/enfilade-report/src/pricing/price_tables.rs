//! Tables of the price report, as text for the terminal and for Markdown.
//!
//! Those of prices with an assumption at either end of its range are one for each end of the most
//! influential assumptions, from which a page chooses. No battle is fought again for them.

use super::points_format::{format_ends, format_price_points};
use super::price_findings::PriceFindings;
use super::price_sentences::{
    assumptions_by_effect, ends_other_than_default, format_whole_percent,
};
use crate::blocks::{ReportBlock, ReportTableCell, TextTable};
use crate::text::measure_format::format_percent_change;
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::doctrine::format_assumption_value;
use enfilade_pricing::price::{ArsenalPrices, EvenPrice, RangedValue};

/// Returns the tables after the first screen, each with its heading; empty ones are left out.
pub fn tables_behind_first_screen(pricing: &ArsenalPrices) -> impl Iterator<Item = ReportBlock> {
    let tables = [
        ("All numbers", build_number_table(pricing)),
        ("The scenarios", build_scenario_weight_table(pricing)),
    ];
    let shown = tables.into_iter().filter(|(_, table)| !table.rows.is_empty());
    shown.flat_map(|(title, table)| build_headed_table(title, table))
}

/// Builds a table below its heading, which is its title for screen readers too.
pub(crate) fn build_headed_table(title: &str, table: TextTable) -> [ReportBlock; 2] {
    [ReportBlock::Heading(title.to_owned()), ReportBlock::Table(title.to_owned(), table)]
}

/// Builds the table with every number of every weapon, in full precision.
fn build_number_table(pricing: &ArsenalPrices) -> TextTable {
    let mut heads =
        vec!["unit", "now", "even", "95 %", "90 %", "counts for", "95 %", "if it never fires"];
    let beside = pricing
        .reference_unit
        .map(|one| format!("beside {}", replace_control_chars(&pricing.weapons[one].name)));
    heads.extend(beside.as_deref());
    let rows = pricing.weapons.iter().map(|weapon| {
        let even = |of: fn(&EvenPrice) -> String| text_or_dash(weapon.even_price_if_any().map(of));
        let mut numbers = vec![
            format_number_or_dash(weapon.price),
            even(|even| format_price_points(even.price.best)),
            even(|even| format_range(even.price)),
            even(|even| format_ends(even.at90, "–")),
            format_price_points(weapon.worth.best),
            format_range(weapon.worth),
            format_number_or_dash(weapon.idle_worth),
        ];
        numbers.extend(beside.is_some().then(|| even(format_reference_unit_count)));
        ([&*weapon.name], numbers)
    });
    build_table_of_numbers(&heads, rows)
}

/// Formats the number of reference units that a weapon counts for.
fn format_reference_unit_count(even: &EvenPrice) -> String {
    text_or_dash(
        even.in_reference_units
            .map(|RangedValue { best, low, high }| format!("{best:.2} ({low:.2} – {high:.2})")),
    )
}

/// Builds the table of the scenarios and their weights.
fn build_scenario_weight_table(pricing: &ArsenalPrices) -> TextTable {
    let rows = pricing.scenarios.iter().zip(&pricing.mix).map(|(scenario, share)| {
        ([&*scenario.name, &*scenario.opponent], vec![format_whole_percent(*share)])
    });
    build_table_of_numbers(&["scenario", "whom it meets", "counts"], rows)
}

/// Builds a table for each end, and first one for the file as it is; none if no assumption has an
/// effect.
pub fn price_tables_at_ends(findings: &PriceFindings) -> Vec<(String, TextTable)> {
    let effects = assumptions_by_effect(findings.pricing).into_iter().flat_map(|place| {
        let (of, name) =
            (&findings.evidence.assumptions[place], &findings.pricing.assumptions[place]);
        let low = price_table_of_one_case(findings, &|even| even.assumption_prices[place].0);
        let high = price_table_of_one_case(findings, &|even| even.assumption_prices[place].1);
        ends_other_than_default(of, (low, high)).map(move |(value, table)| {
            let value = format_assumption_value(name, value);
            (format!("{} {value}", replace_control_chars(name)), table)
        })
    });
    let mut effects = effects.peekable();
    let written = || price_table_of_one_case(findings, &|even| even.price.best);
    let written = effects.peek().is_some().then(|| ("as written".to_owned(), written()));
    written.into_iter().chain(effects).collect()
}

/// Builds the table of even prices under one choice, beside those of the file.
fn price_table_of_one_case(
    findings: &PriceFindings,
    price: &dyn Fn(&EvenPrice) -> f64,
) -> TextTable {
    let weapons = findings.indices_of_reported_weapons().map(|w| &findings.pricing.weapons[w]);
    let rows = weapons.filter_map(|weapon| {
        let even = weapon.even_price_if_any()?;
        let numbers = vec![
            format_number_or_dash(weapon.price),
            format_price_points(findings.pricing.steps.round_to_nearest(price(even))),
            format_percent_change(price(even) / even.price.best - 1.0),
        ];
        Some(([&*weapon.name], numbers))
    });
    build_table_of_numbers(&["unit", "now", "even", "change"], rows)
}

/// Builds a table of rows that begin with names, and have numbers after them.
pub(crate) fn build_table_of_numbers<'a, const NAMES: usize>(
    heads: &[&str],
    rows: impl Iterator<Item = ([&'a str; NAMES], Vec<String>)>,
) -> TextTable {
    let cells = |(names, numbers): ([&str; NAMES], Vec<String>)| {
        let names = names.map(|name| ReportTableCell::Text(replace_control_chars(name)));
        names.into_iter().chain(numbers.into_iter().map(ReportTableCell::Number)).collect()
    };
    let heads = heads.iter().map(|&head| head.to_owned()).collect();
    TextTable { heads, rows: rows.map(cells).collect(), fixed: 1 }
}

fn format_range(price: RangedValue) -> String {
    format_ends((price.low, price.high), "–")
}

pub(crate) fn format_number_or_dash(value: Option<f64>) -> String {
    text_or_dash(value.map(format_price_points))
}

pub(crate) fn text_or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}
