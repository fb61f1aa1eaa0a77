//! What the numbers of a card stand on: grey that tells how large they are.
//!
//! Chances of the line that readers look for have a ground that is darker the likelier they are. A
//! difference has a bar from the middle of its cell, to the right for more and to the left for less, so
//! that its sign is seen in black and white: chances by the largest difference of the card, means by
//! the largest of their line.

use std::collections::BTreeMap;

use super::model::{Card, Cell, Ground, Line, Tone};

/// How much darker than paper the darkest ground is: black type reads well on it.
const DARKEST: f64 = 95.0;

/// The grey of the bar of a difference: seen on every second row, and grey type reads well on it.
const BAR: u8 = 205;

/// The least size that is shaded.
const LEAST: f64 = 0.005;

impl Ground {
    /// The part of the cell's width that is shaded, from and to, and its grey; `None` for paper.
    pub fn shade(self) -> Option<((f64, f64), u8)> {
        let (part, size, grey) = match self {
            Ground::Paper => return None,
            Ground::Whole(size) => {
                ((0.0, 1.0), size, 255 - (DARKEST * size.min(1.0)).round() as u8)
            }
            Ground::Left(size) => ((0.5 - size / 2.0, 0.5), size, BAR),
            Ground::Right(size) => ((0.5, 0.5 + size / 2.0), size, BAR),
        };
        (size >= LEAST).then_some((part, grey))
    }
}

/// The card with its ground.
pub fn grounded(mut card: Card) -> Card {
    let largest = largest(&card);
    let rows = card.tables.iter_mut().flat_map(|table| &mut table.rows);
    for line in rows.flat_map(|row| &mut row.lines) {
        let (tone, label) = (line.tone, line.label.clone());
        for cell in line.cells.iter_mut().flatten() {
            cell.ground = match cell.difference {
                true => beside(cell.value / largest[&kind(cell, &label)]),
                false if tone == Tone::Strong && cell.percent => Ground::Whole(cell.value),
                false => Ground::Paper,
            };
        }
    }
    card
}

/// The ground of a difference of this size.
fn beside(size: f64) -> Ground {
    match size {
        _ if size > 0.0 => Ground::Right(size),
        _ if size < 0.0 => Ground::Left(-size),
        _ => Ground::Paper,
    }
}

/// What a number is measured among: the chances, or the means of its line.
fn kind(cell: &Cell, label: &str) -> Option<String> {
    (!cell.percent).then(|| label.to_owned())
}

/// The largest number of each kind, without sign.
fn largest(card: &Card) -> BTreeMap<Option<String>, f64> {
    let mut largest = BTreeMap::new();
    let rows = card.tables.iter().flat_map(|table| &table.rows);
    let cells = |line: &'_ Line| {
        let kinds = line.cells.iter().flatten();
        kinds.map(|cell| (kind(cell, &line.label), cell.value.abs())).collect::<Vec<_>>()
    };
    for (kind, size) in rows.flat_map(|row| &row.lines).flat_map(cells) {
        let most = largest.entry(kind).or_insert(0.0_f64);
        *most = most.max(size);
    }
    largest
}
