//! Tables of the price report, as text for the terminal and for Markdown.

use super::points_format::points;
use super::price_sentences::percent;
use crate::blocks::{Entry, TextTable};
use crate::text::sentences::clean;
use enfilade_pricing::price::{Even, Priced, Pricing, Ranged};

/// Returns the tables after the first screen, each with its heading.
pub fn later(pricing: &Pricing) -> Vec<(&'static str, TextTable)> {
    let tables = [
        ("All numbers", numbers(pricing)),
        ("What it does in an activation", details(pricing)),
        ("The scenarios", scenarios(pricing)),
    ];
    // Empty tables are left out.
    tables.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect()
}

/// Builds the table with every number of every weapon, in full precision.
fn numbers(pricing: &Pricing) -> TextTable {
    let mut heads =
        vec!["unit", "now", "even", "95 %", "90 %", "counts for", "95 %", "if it never fires"];
    let beside = pricing.beside.map(|one| format!("beside {}", clean(&pricing.weapons[one].name)));
    heads.extend(beside.as_deref());
    let row = |weapon: &Priced| {
        let even = |of: &dyn Fn(&Even) -> String| {
            number(weapon.priced().map_or_else(|| "–".to_owned(), of))
        };
        let mut row = vec![
            name(weapon),
            number(maybe(weapon.price)),
            even(&|even| points(even.price.best)),
            even(&|even| range(even.price)),
            even(&|even| between(even.at90)),
            number(points(weapon.worth.best)),
            number(range(weapon.worth)),
            number(maybe(weapon.floor)),
        ];
        row.extend(beside.is_some().then(|| even(&|even| besides(even))));
        row
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// Formats the number of reference units that a weapon counts for.
pub fn besides(even: &Even) -> String {
    let times = |times: f64| format!("{times:.2}");
    even.beside.map_or_else(
        || "–".to_owned(),
        |beside| format!("{} ({} – {})", times(beside.best), times(beside.low), times(beside.high)),
    )
}

/// The points that a weapon takes in an activation. A column of zeros is left out.
fn details(pricing: &Pricing) -> TextTable {
    let denied = |of: fn(&Priced) -> f64| pricing.weapons.iter().any(|weapon| of(weapon) > 0.0);
    type Cell = fn(&Priced) -> String;
    let columns: [(&str, Cell, bool); 3] = [
        (
            "points killed an activation",
            |w| format!("{:.2}", w.denied.kill),
            denied(|w| w.denied.kill),
        ),
        ("points broken", |w| format!("{:.2}", w.denied.broken), denied(|w| w.denied.broken)),
        ("points pinned", |w| format!("{:.2}", w.denied.pin), denied(|w| w.denied.pin)),
    ];
    let kept: Vec<_> = columns.into_iter().filter(|(_, _, kept)| *kept).collect();
    if kept.is_empty() {
        return table(&[], std::iter::empty());
    }
    let mut heads = vec!["unit"];
    heads.extend(kept.iter().map(|(head, ..)| *head));
    let row = |weapon: &Priced| {
        let cells = kept.iter().map(|(_, cell, _)| number(cell(weapon)));
        std::iter::once(name(weapon)).chain(cells).collect()
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// Builds the table of the scenarios and their weights.
fn scenarios(pricing: &Pricing) -> TextTable {
    let heads = ["scenario", "whom it meets", "counts"];
    let rows = pricing.scenarios.iter().zip(&pricing.mix).map(|(scenario, share)| {
        vec![
            Entry::Text(clean(&scenario.name)),
            Entry::Text(clean(&scenario.opponent)),
            number(percent(*share)),
        ]
    });
    table(&heads, rows)
}

pub(super) fn table(heads: &[&str], rows: impl Iterator<Item = Vec<Entry>>) -> TextTable {
    TextTable {
        heads: heads.iter().map(|&head| head.to_owned()).collect(),
        rows: rows.collect(),
        fixed: 1,
    }
}

pub(super) fn name(weapon: &Priced) -> Entry {
    Entry::Text(clean(&weapon.name))
}

pub(super) fn number(text: String) -> Entry {
    Entry::Number(text)
}

/// Formats both ends of a range.
pub fn range(price: Ranged) -> String {
    between((price.low, price.high))
}

/// Formats two prices, from the lower to the higher.
pub fn between((low, high): (f64, f64)) -> String {
    format!("{} – {}", points(low), points(high))
}

pub(super) fn maybe(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), points)
}
