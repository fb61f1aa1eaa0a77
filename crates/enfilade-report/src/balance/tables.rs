//! The tables of the report, as text for the terminal and for Markdown.

use super::findings::Findings;
use super::words::{self, percent, points};
use crate::blocks::{Entry, TextTable};
use crate::figures;
use crate::words::clean;
use enfilade_pricing::price::diagnostics::Group;
use enfilade_pricing::price::{Fair, Priced, Pricing, Ranged};

/// What a designer wants first: one row per weapon, in the order of the file.
pub fn recommendation(findings: &Findings) -> TextTable {
    let pricing = findings.pricing;
    let heads = ["weapon", "price", "worth", "best guess", "range", "try", "verdict", "why"];
    let row = |weapon: &Priced| {
        let fair = |of: &dyn Fn(&Fair) -> String| weapon.priced().map_or("–".to_owned(), of);
        vec![
            name(weapon),
            number(maybe(weapon.price)),
            number(points(weapon.worth.best)),
            number(fair(&|fair| points(fair.price.best))),
            number(fair(&|fair| range(fair.price))),
            number(fair(&|fair| points(fair.suggested))),
            text(words::verdict(weapon)),
            text(words::reason(weapon, pricing)),
        ]
    };
    table(&heads, findings.told().map(|w| row(&pricing.weapons[w])))
}

/// What comes after the first screen, each table with its heading.
pub fn later(pricing: &Pricing) -> Vec<(&'static str, TextTable)> {
    let mut tables = vec![
        ("Worth, floor and price", scales(pricing)),
        ("Best guess at the ends of an assumption", super::ends::ends(pricing)),
        ("Where the doubt comes from", doubts(pricing)),
        ("Best guess by mix of scenarios", mixes(pricing)),
        ("Every price among all", among(pricing)),
        ("What it does, and what more copies add", details(pricing)),
        ("What moves the worths most", sensitivity(pricing)),
    ];
    if !pricing.along_worth.is_empty() || !pricing.by_kind.is_empty() {
        tables.push(("Where prices are off together", diagnostics(pricing)));
    }
    tables.push(("The scenarios and their share of every mix", scenarios(pricing)));
    tables
}

/// Both scales of every weapon: worth in points of the reference troops, its floor, and the price.
pub fn scales(pricing: &Pricing) -> TextTable {
    let heads =
        ["weapon", "worth", "95 %", "never fires", "on the floor", "best guess", "points of"];
    let row = |weapon: &Priced| {
        let fair = weapon.priced();
        vec![
            name(weapon),
            number(points(weapon.worth.best)),
            number(range(weapon.worth)),
            number(maybe(weapon.floor)),
            number(percent(weapon.floored)),
            number(maybe(fair.map(|fair| fair.price.best))),
            text(fair.map_or("–".to_owned(), |fair| match fair.outside {
                true => format!("{}, beyond the others", words::measure(fair.anchor)),
                false => words::measure(fair.anchor).to_owned(),
            })),
        ]
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// Best guesses under every mix.
pub fn mixes(pricing: &Pricing) -> TextTable {
    let heads = ["weapon", "designer", "uniform", "points in play", "adversarial", "Nash (bound)"];
    let row = |weapon: &Priced| {
        let mix = |of: fn(&Fair) -> Option<f64>| number(maybe(weapon.priced().and_then(of)));
        vec![
            name(weapon),
            mix(|fair| Some(fair.by_mix.designer)),
            mix(|fair| Some(fair.by_mix.uniform)),
            mix(|fair| fair.by_mix.points),
            mix(|fair| Some(fair.by_mix.adversarial)),
            mix(|fair| fair.by_mix.nash),
        ]
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// What all prices together say of each.
pub fn among(pricing: &Pricing) -> TextTable {
    let heads =
        ["weapon", "price over best guess", "q", "place", "every mix, assumption and scale"];
    let row = |weapon: &Priced| {
        let judged = weapon.judged()?;
        Some(vec![
            name(weapon),
            number(figures::change(judged.residual.exp_m1())),
            number(chance(judged.q)),
            number(places(judged.rank)),
            text(if judged.robust { "agree" } else { "–" }.to_owned()),
        ])
    };
    table(&heads, pricing.weapons.iter().filter_map(row))
}

/// What a weapon does and how long, and what more copies add. A column of zeros says nothing and is
/// left out.
pub fn details(pricing: &Pricing) -> TextTable {
    let denied = |of: fn(&Priced) -> f64| pricing.weapons.iter().any(|weapon| of(weapon) > 0.0);
    type Cell = fn(&Priced) -> String;
    let columns: [(&str, Cell, bool); 6] = [
        (
            "points killed an activation",
            |w| format!("{:.2}", w.denied.kill),
            denied(|w| w.denied.kill),
        ),
        ("points broken", |w| format!("{:.2}", w.denied.broken), denied(|w| w.denied.broken)),
        ("points pinned", |w| format!("{:.2}", w.denied.pin), denied(|w| w.denied.pin)),
        ("activations served", |w| format!("{:.1}", w.durability), true),
        ("2nd copy adds", |w| maybe(w.copies[1]), true),
        ("3rd copy adds", |w| maybe(w.copies[2]), true),
    ];
    let kept: Vec<_> = columns.into_iter().filter(|(_, _, kept)| *kept).collect();
    let mut heads = vec!["weapon"];
    heads.extend(kept.iter().map(|(head, ..)| *head));
    let row = |weapon: &Priced| {
        let cells = kept.iter().map(|(_, cell, _)| number(cell(weapon)));
        std::iter::once(name(weapon)).chain(cells).collect()
    };
    table(&heads, pricing.weapons.iter().map(row))
}

/// Where the doubt comes from: shares of the square of the interval's width. Assumptions that hold
/// none of it anywhere are left out.
pub fn doubts(pricing: &Pricing) -> TextTable {
    let fair = || pricing.weapons.iter().filter_map(Priced::priced);
    let told = |place: &usize| fair().any(|fair| fair.shares.assumptions[*place] >= 0.005);
    let assumptions: Vec<usize> = (0..pricing.assumptions.len()).filter(told).collect();
    let mut heads = vec!["weapon", "line", "opponents", "scenarios", "rolls"];
    heads.extend(assumptions.iter().map(|&i| pricing.assumptions[i].as_str()));
    let row = |weapon: &Priced| {
        let fair = weapon.priced()?;
        let shares = &fair.shares;
        let levels = [shares.line, shares.opponents, shares.scenarios, shares.sampling];
        let own = assumptions.iter().map(|&i| shares.assumptions[i]);
        let mut row = vec![name(weapon)];
        row.extend(levels.into_iter().chain(own).map(|s| number(percent(s))));
        Some(row)
    };
    table(&heads, pricing.weapons.iter().filter_map(row))
}

/// What moves the worths most.
pub fn sensitivity(pricing: &Pricing) -> TextTable {
    let heads = ["what", "from", "to", "mean change", "moves by", "most"];
    let rows = pricing.swings.iter().map(|swing| {
        let (low, high) = swing.mean();
        let change = |log: f64| figures::change(log.exp_m1());
        let most = swing.most_moved().map_or("–", |w| pricing.weapons[w].name.as_str());
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

/// Where prices are off together: along worth, and by kind.
pub fn diagnostics(pricing: &Pricing) -> TextTable {
    let heads = ["group", "weapons", "priced above the others by", "standard error"];
    let row = |group: &Group| {
        vec![
            text(clean(&group.name)),
            number(group.weapons.to_string()),
            number(figures::change(group.mean.exp_m1())),
            number(format!("{:.0} %", 100.0 * group.error)),
        ]
    };
    let groups = pricing.along_worth.iter().chain(&pricing.by_kind);
    table(&heads, groups.map(row))
}

/// The scenarios and their share of every mix.
pub fn scenarios(pricing: &Pricing) -> TextTable {
    let heads = ["scenario", "opponent", "designer", "uniform", "points", "adversarial", "Nash"];
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

fn text(text: String) -> Entry {
    Entry::Text(text)
}

/// Both ends of a range.
pub fn range(price: Ranged) -> String {
    format!("{} – {}", points(price.low), points(price.high))
}

pub(super) fn maybe(value: Option<f64>) -> String {
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
