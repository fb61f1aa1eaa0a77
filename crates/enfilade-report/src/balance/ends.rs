//! What prices would be with an assumption at either end, of those that move them most: a table of all,
//! and one for each end, for a page on which it is chosen. Nothing is fought again for them.

use super::findings::Findings;
use super::tables::{maybe, name, number, table};
use super::words::points;
use crate::blocks::{Entry, TextTable};
use crate::figures;
use crate::words::clean;
use enfilade_pricing::price::{Fair, Priced, Pricing};

/// Assumptions of which both ends are told.
const TOLD: usize = 3;

/// The assumptions that move best guesses most, the largest first.
fn movers(pricing: &Pricing) -> Vec<usize> {
    let fair = || pricing.weapons.iter().filter_map(Priced::priced);
    let size = |place: usize| -> f64 {
        fair().map(|fair| (fair.ends[place].1 / fair.ends[place].0).ln().abs()).sum()
    };
    let mut order: Vec<usize> = (0..pricing.assumptions.len()).collect();
    order.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    order.retain(|place| size(*place) > 0.0);
    order.truncate(TOLD);
    order
}

/// Best guesses with an assumption at its low and high end.
pub fn ends(pricing: &Pricing) -> TextTable {
    let order = movers(pricing);
    let mut heads = vec!["weapon".to_owned(), "best guess".to_owned()];
    for &place in &order {
        let name = clean(&pricing.assumptions[place]);
        heads.extend([format!("{name} low"), format!("{name} high")]);
    }
    let row = |weapon: &Priced| {
        let fair = weapon.priced()?;
        let ends = order.iter().flat_map(|&place| [fair.ends[place].0, fair.ends[place].1]);
        let mut row = vec![name(weapon), number(points(fair.price.best))];
        row.extend(ends.map(|end| number(points(end))));
        Some(row)
    };
    let rows = pricing.weapons.iter().filter_map(row).collect();
    TextTable { heads, rows, fixed: 1 }
}

/// The same, a table for each end, and as it is written first; none where no assumption moves anything.
pub fn choices(findings: &Findings) -> Vec<(String, TextTable)> {
    let pricing = findings.pricing;
    let at = |value: f64, place: usize| format!("{} {value}", clean(&pricing.assumptions[place]));
    let moved = movers(pricing).into_iter().flat_map(|place| {
        let assumed = &findings.evidence.assumptions[place];
        let low = (at(assumed.low, place), guesses(findings, &|fair| fair.ends[place].0));
        let high = (at(assumed.high, place), guesses(findings, &|fair| fair.ends[place].1));
        [low, high]
    });
    let moved: Vec<_> = moved.collect();
    if moved.is_empty() {
        return moved;
    }
    let written = ("as written".to_owned(), guesses(findings, &|fair| fair.price.best));
    std::iter::once(written).chain(moved).collect()
}

/// Best guesses under one choice, beside what was guessed as it is written.
fn guesses(findings: &Findings, guess: &dyn Fn(&Fair) -> f64) -> TextTable {
    let row = |weapon: &Priced| -> Option<Vec<Entry>> {
        let fair = weapon.priced()?;
        let change = guess(fair) / fair.price.best - 1.0;
        Some(vec![
            name(weapon),
            number(maybe(weapon.price)),
            number(points(guess(fair))),
            number(figures::change(change)),
        ])
    };
    let weapons = findings.told().map(|w| &findings.pricing.weapons[w]);
    table(&["weapon", "price now", "best guess", "change"], weapons.filter_map(row))
}
