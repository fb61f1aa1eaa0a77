//! The tables of the report, as text for the terminal and for Markdown.

use super::words::{percent, points};
use crate::report::tables::{Entry, TextTable};
use crate::report::words::clean;
use crate::study::balance::price::{Priced, Pricing};

/// The recommendation: one row per weapon, in the order of the file.
pub fn recommendation(pricing: &Pricing) -> TextTable {
    let heads = [
        "weapon",
        "price",
        "fair",
        "95 %",
        "suggested",
        "verdict",
        "q",
        "rank",
    ];
    let row = |weapon: &Priced| {
        vec![
            name(weapon),
            number(points(weapon.price)),
            number(points(weapon.fair)),
            number(format!("{} – {}", points(weapon.low), points(weapon.high))),
            number(points(weapon.suggested)),
            Entry::Text(weapon.verdict.word().to_owned()),
            number(chance(weapon.q)),
            number(places(weapon.rank)),
        ]
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// Fair prices under every mix.
pub fn mixes(pricing: &Pricing) -> TextTable {
    let heads = [
        "weapon",
        "designer",
        "uniform",
        "points in play",
        "adversarial",
        "Nash (bound)",
    ];
    let row = |weapon: &Priced| {
        let by_mix = &weapon.by_mix;
        vec![
            name(weapon),
            number(points(by_mix.designer)),
            number(points(by_mix.uniform)),
            number(maybe(by_mix.points)),
            number(points(by_mix.adversarial)),
            number(maybe(by_mix.nash)),
        ]
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// What a weapon does and how long, what more copies add, and where the doubt comes from.
pub fn details(pricing: &Pricing) -> TextTable {
    let heads = [
        "weapon",
        "denied: kill",
        "break",
        "pin",
        "durability",
        "2nd copy",
        "3rd copy",
        "sampling",
        "scenarios",
        "model",
        "opponents",
    ];
    let row = |weapon: &Priced| {
        let (denied, shares) = (&weapon.denied, &weapon.shares);
        vec![
            name(weapon),
            number(format!("{:.2}", denied.kill)),
            number(format!("{:.2}", denied.broken)),
            number(format!("{:.2}", denied.pin)),
            number(format!("{:.1}", weapon.durability)),
            number(maybe(weapon.copies[1])),
            number(maybe(weapon.copies[2])),
            number(percent(shares.sampling)),
            number(percent(shares.scenarios)),
            number(percent(shares.model)),
            number(percent(shares.opponents)),
        ]
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// What moves the prices most.
pub fn sensitivity(pricing: &Pricing) -> TextTable {
    let heads = ["what", "from", "to", "mean change", "moves by", "most"];
    let rows = pricing.swings.iter().map(|swing| {
        let (low, high) = swing.mean();
        let change = |log: f64| format!("{:+.0} %", 100.0 * log.exp_m1());
        let most = swing
            .most_moved()
            .map_or("–", |w| pricing.weapons[w].name.as_str());
        vec![
            Entry::Text(clean(&swing.name)),
            number(swing.low_label.clone()),
            number(swing.high_label.clone()),
            number(format!("{} to {}", change(low), change(high))),
            number(format!("× {:.2}", swing.size().exp())),
            Entry::Text(clean(most)),
        ]
    });
    table(&heads, rows)
}

/// The scenarios and their share of every mix.
pub fn scenarios(pricing: &Pricing) -> TextTable {
    let heads = [
        "scenario",
        "opponent",
        "designer",
        "uniform",
        "points",
        "adversarial",
        "Nash",
    ];
    let mixes = &pricing.mixes;
    let rows = pricing.scenarios.iter().enumerate().map(|(s, scenario)| {
        let share = |mix: &Vec<f64>| percent(mix[s]);
        let maybe = |mix: &Option<Vec<f64>>| mix.as_ref().map_or("–".to_owned(), share);
        vec![
            Entry::Text(clean(&scenario.name)),
            Entry::Text(clean(&scenario.opponent)),
            number(share(&mixes.designer)),
            number(share(&mixes.uniform)),
            number(maybe(&mixes.points)),
            number(share(&mixes.adversarial)),
            number(maybe(&mixes.nash)),
        ]
    });
    table(&heads, rows)
}

fn table(heads: &[&str], rows: impl Iterator<Item = Vec<Entry>>) -> TextTable {
    TextTable {
        heads: heads.iter().map(|&head| head.to_owned()).collect(),
        rows: rows.collect(),
        fixed: 1,
    }
}

fn name(weapon: &Priced) -> Entry {
    Entry::Text(clean(&weapon.name))
}

fn number(text: String) -> Entry {
    Entry::Number(text)
}

fn maybe(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), points)
}

fn chance(q: f64) -> String {
    if q < 0.001 {
        return "<0.001".to_owned();
    }
    format!("{q:.3}")
}

fn places((first, last): (usize, usize)) -> String {
    if first == last {
        return first.to_string();
    }
    format!("{first} – {last}")
}
