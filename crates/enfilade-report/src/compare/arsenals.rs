//! Comparison of two arsenals: the prices that move, by how much, and with which certainty.
//!
//! The numbers come from [`moved`](enfilade_pricing::price::moved). Weapons whose worth has
//! certainly moved come first, the largest changes at the top; then the others.

use serde::Serialize;

use super::{Sides as Files, opening};
use crate::Format;
use crate::blocks::{Block, Entry, TextTable};
use crate::json::indented;
use crate::pricing::points_format::points;
use crate::pricing::price_sentences::percent;
use crate::tables::csv;
use crate::tables::{Rows, Table};
use crate::text::sentences::clean;
use enfilade_pricing::price::Priced;
use enfilade_pricing::price::moved::{Moved, Sides};

/// The files of a comparison of arsenals, beside its manifest.
pub const FILES: &[&str] = &["compare.csv", "report.html", "summary.md"];

/// The meaning of the columns.
const LEGEND: [&str; 3] = [
    "counts for: points of the troops it meets; change: that in B over that in A, in the scenarios of \
     both, with its 95 % interval where there is more than one opponent",
    "the change is taken scenario by scenario and assumption by assumption, so that what moves both \
     alike is not in its interval",
    "even price: both at what a point of worth costs in A, so that only what a unit does moves it",
];

/// Renders the comparison in a format.
pub fn render(sides: &Sides<'_>, files: &Files, format: Format) -> String {
    match format {
        Format::Text(style) => style.write(&told(sides, files)),
        Format::Json => indented(&document(sides, files)),
        Format::Csv => csv::render(&table(sides)),
    }
}

/// Describes the changes, and the weapons without a partner, in sentences.
fn said(sides: &Sides<'_>) -> Vec<String> {
    let sure = sides.moved.iter().filter(|moved| moved.sure).count();
    let all = sides.moved.len();
    let mut lines = vec![match sides.scenarios.len() {
        0 => "The arsenals share no scenario, so no change can be computed.".to_owned(),
        n => format!("Of {all} weapons {sure} have moved for sure, by {n} scenarios of both."),
    }];
    for (side, names) in [("A", &sides.only_a), ("B", &sides.only_b)] {
        if !names.is_empty() {
            lines.push(format!("Only in {side}: {}.", names.join(", ")));
        }
    }
    lines
}

/// Sorts the weapons: certain changes first, by size.
fn ordered<'s, 'a>(sides: &'s Sides<'a>) -> Vec<&'s Moved<'a>> {
    let mut moved: Vec<&Moved<'a>> = sides.moved.iter().collect();
    let far = |moved: &Moved<'_>| moved.worth.map_or(0.0, |worth| worth.best.ln().abs());
    moved.sort_by(|a, b| b.sure.cmp(&a.sure).then(far(b).total_cmp(&far(a))));
    moved
}

fn shown(sides: &Sides<'_>) -> TextTable {
    let heads = [
        "weapon",
        "counts for A",
        "counts for B",
        "change",
        "95 %",
        "even A",
        "even B",
        "price A",
        "price B",
    ];
    let maybe = |value: Option<f64>| Entry::Number(value.map_or("–".to_owned(), points));
    let number = Entry::Number;
    let row = |moved: &&Moved<'_>| {
        vec![
            Entry::Text(clean(&moved.a.name)),
            number(points(moved.a.worth.best)),
            number(points(moved.b.worth.best)),
            number(moved.worth.map_or("–".to_owned(), |worth| change(worth.best))),
            number(range(moved)),
            maybe(moved.even[0]),
            maybe(moved.even[1]),
            maybe(moved.a.price),
            maybe(moved.b.price),
        ]
    };
    let rows = ordered(sides).iter().map(row).collect();
    TextTable { heads: heads.map(str::to_owned).to_vec(), rows, fixed: 1 }
}

/// Formats a factor as the added part, in percent.
fn change(factor: f64) -> String {
    let sign = if factor < 1.0 { "−" } else { "+" };
    format!("{sign}{}", percent((factor - 1.0).abs()))
}

fn range(moved: &Moved<'_>) -> String {
    match moved.worth {
        Some(worth) if worth.high.is_finite() => {
            format!("{} to {}", change(worth.low), change(worth.high))
        }
        Some(_) => "one opponent".to_owned(),
        None => "–".to_owned(),
    }
}

pub(super) fn told(sides: &Sides<'_>, files: &Files) -> Vec<Block> {
    let title = "Which prices move";
    let mut blocks = opening(files, said(sides));
    blocks.push(Block::Heading(title.to_owned()));
    blocks.push(Block::Table(title.to_owned(), shown(sides)));
    blocks.extend(Block::listed(LEGEND));
    blocks
}

/// A comparison of two arsenals.
#[derive(Serialize)]
struct MovedDocument {
    enfilade: &'static str,
    a: String,
    b: String,
    scenarios: Vec<String>,
    only_a: Vec<String>,
    only_b: Vec<String>,
    weapons: Vec<MovedJson>,
}

/// A weapon that both arsenals have.
#[derive(Serialize)]
struct MovedJson {
    name: String,
    a: SideJson,
    b: SideJson,
    change: Option<ChangeJson>,
    sure: bool,
}

/// A weapon in one of the arsenals.
#[derive(Serialize)]
struct SideJson {
    price: Option<f64>,
    worth: f64,
    even: Option<f64>,
}

/// The worth in B over the worth in A. JSON has no infinity, which ends an interval over one
/// opponent.
#[derive(Serialize)]
struct ChangeJson {
    best: f64,
    low: Option<f64>,
    high: Option<f64>,
}

fn document(sides: &Sides<'_>, files: &Files) -> MovedDocument {
    let names = |names: &[&str]| names.iter().copied().map(str::to_owned).collect();
    let side =
        |weapon: &Priced, even| SideJson { price: weapon.price, worth: weapon.worth.best, even };
    let weapon = |moved: &Moved<'_>| MovedJson {
        name: moved.a.name.clone(),
        a: side(moved.a, moved.even[0]),
        b: side(moved.b, moved.even[1]),
        change: moved.worth.map(|worth| ChangeJson {
            best: worth.best,
            low: finite(worth.low),
            high: finite(worth.high),
        }),
        sure: moved.sure,
    };
    MovedDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        a: files.a.name.clone(),
        b: files.b.name.clone(),
        scenarios: names(&sides.scenarios),
        only_a: names(&sides.only_a),
        only_b: names(&sides.only_b),
        weapons: sides.moved.iter().map(weapon).collect(),
    }
}

pub(super) fn table(sides: &Sides<'_>) -> Table {
    let all = Rows(&sides.moved);
    let columns = vec![
        all.text("weapon", |moved| Some(moved.a.name.clone())),
        all.number("price_a", |moved| moved.a.price),
        all.number("price_b", |moved| moved.b.price),
        all.number("worth_a", |moved| Some(moved.a.worth.best)),
        all.number("worth_b", |moved| Some(moved.b.worth.best)),
        all.number("change", |moved| moved.worth.map(|worth| worth.best)),
        all.number("change_low", |moved| moved.worth.and_then(|worth| finite(worth.low))),
        all.number("change_high", |moved| moved.worth.and_then(|worth| finite(worth.high))),
        all.number("even_a", |moved| moved.even[0]),
        all.number("even_b", |moved| moved.even[1]),
    ];
    Table { name: "compare", columns }
}

fn finite(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}
