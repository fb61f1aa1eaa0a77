//! Prices with an assumption at either end of its range: a table for each end of the most
//! influential assumptions, from which a page chooses. No battle is fought again for them.

use super::findings::Findings;
use super::points_format::points;
use super::price_sentences::{TOLD, moved};
use super::price_tables::{maybe, name, number, table};
use crate::blocks::{Entry, TextTable};
use crate::text::measure_format;
use crate::text::sentences::clean;
use enfilade_pricing::doctrine::shown_value;
use enfilade_pricing::price::{Even, Priced, Pricing};

/// Logarithms of a price, from one end to the other, below which an assumption moves nothing.
const LEAST: f64 = 0.01;

/// Returns the assumptions that move even prices most, the largest effect first.
pub(super) fn movers(pricing: &Pricing) -> Vec<usize> {
    let even = || pricing.weapons.iter().filter_map(Priced::priced);
    let size = |place: usize| -> f64 { even().map(|even| moved(even, place)).sum() };
    let mut order: Vec<usize> = (0..pricing.assumptions.len()).collect();
    order.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    order.retain(|place| size(*place) > LEAST * even().count() as f64);
    order.truncate(TOLD);
    order
}

/// Builds a table for each end, and first one for the file as it is; none if no assumption has an
/// effect.
pub fn choices(findings: &Findings) -> Vec<(String, TextTable)> {
    let pricing = findings.pricing;
    let at = |value: f64, place: usize| {
        let name = &pricing.assumptions[place];
        format!("{} {}", clean(name), shown_value(name, value))
    };
    let moved = movers(pricing).into_iter().flat_map(|place| {
        let assumed = &findings.evidence.assumptions[place];
        let low = (at(assumed.low, place), prices(findings, &|even| even.ends[place].0));
        let high = (at(assumed.high, place), prices(findings, &|even| even.ends[place].1));
        // One end may be the default.
        let ends = [(assumed.low, low), (assumed.high, high)].into_iter();
        ends.filter(|(value, _)| *value != assumed.default).map(|(_, table)| table)
    });
    let moved: Vec<_> = moved.collect();
    if moved.is_empty() {
        return moved;
    }
    let written = ("as written".to_owned(), prices(findings, &|even| even.price.best));
    std::iter::once(written).chain(moved).collect()
}

/// Builds the table of even prices under one choice, beside those of the file.
fn prices(findings: &Findings, price: &dyn Fn(&Even) -> f64) -> TextTable {
    let steps = findings.pricing.steps;
    let row = |weapon: &Priced| -> Option<Vec<Entry>> {
        let even = weapon.priced()?;
        let change = price(even) / even.price.best - 1.0;
        Some(vec![
            name(weapon),
            number(maybe(weapon.price)),
            number(points(steps.nearest(price(even)))),
            number(measure_format::change(change)),
        ])
    };
    let weapons = findings.told().map(|w| &findings.pricing.weapons[w]);
    table(&["unit", "now", "even", "change"], weapons.filter_map(row))
}
