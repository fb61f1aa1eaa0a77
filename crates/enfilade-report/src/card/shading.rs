//! Shading of the cells of a card: grey that shows the size of their numbers.
//!
//! Chances of the emphasized line are shaded darker the likelier they are. A difference has a bar
//! from the middle of its cell, to the right for more and to the left for less, so that its sign
//! can be seen in black and white. The length of a bar is relative: for chances to the largest
//! difference of the card, for means to the largest of their line.

use std::collections::BTreeMap;

use super::card_model::{CardCell, CardLine, LineEmphasis, NumberShading, ReferenceCard};

/// The darkening of the darkest shading, compared with paper; black type reads well on it.
const MAX_DARKENING_PERCENT: f64 = 95.0;

/// The grey of the bar of a difference: visible on every second row, and grey type reads well on
/// it.
const DIFFERENCE_BAR_GREY: u8 = 205;

/// The smallest size that is shaded.
const MIN_SHADED_SIZE: f64 = 0.005;

impl NumberShading {
    /// Returns the shaded part of the cell's width, from and to, and its grey; `None` for no
    /// shading.
    pub fn shaded_span_and_grey(self) -> Option<((f64, f64), u8)> {
        let (part, size, grey) = match self {
            NumberShading::Paper => return None,
            NumberShading::Whole(size) => {
                ((0.0, 1.0), size, 255 - (MAX_DARKENING_PERCENT * size.min(1.0)).round() as u8)
            }
            NumberShading::Left(size) => ((0.5 - size / 2.0, 0.5), size, DIFFERENCE_BAR_GREY),
            NumberShading::Right(size) => ((0.5, 0.5 + size / 2.0), size, DIFFERENCE_BAR_GREY),
        };
        (size >= MIN_SHADED_SIZE).then_some((part, grey))
    }
}

/// Returns the card with its shading.
pub fn shade_all_cells(mut card: ReferenceCard) -> ReferenceCard {
    let largest = largest_size_by_group(&card);
    let rows = card.tables.iter_mut().flat_map(|table| &mut table.rows);
    for line in rows.flat_map(|row| &mut row.lines) {
        let (tone, label) = (line.tone, line.label.clone());
        for cell in line.cells.iter_mut().flatten() {
            cell.ground = match cell.difference {
                true => {
                    shading_of_difference(cell.value / largest[&relative_size_group(cell, &label)])
                }
                false if tone == LineEmphasis::Strong && cell.percent => {
                    NumberShading::Whole(cell.value)
                }
                false => NumberShading::Paper,
            };
        }
    }
    card
}

/// Returns the shading of a difference of this size.
fn shading_of_difference(size: f64) -> NumberShading {
    match size {
        _ if size > 0.0 => NumberShading::Right(size),
        _ if size < 0.0 => NumberShading::Left(-size),
        _ => NumberShading::Paper,
    }
}

/// Returns the group in which sizes are relative: all chances, or the means of one line.
fn relative_size_group(cell: &CardCell, label: &str) -> Option<String> {
    (!cell.percent).then(|| label.to_owned())
}

/// Returns the largest absolute number of each group.
fn largest_size_by_group(card: &ReferenceCard) -> BTreeMap<Option<String>, f64> {
    let mut largest = BTreeMap::new();
    let rows = card.tables.iter().flat_map(|table| &table.rows);
    let cells = |line: &'_ CardLine| {
        let kinds = line.cells.iter().flatten();
        kinds
            .map(|cell| (relative_size_group(cell, &line.label), cell.value.abs()))
            .collect::<Vec<_>>()
    };
    for (kind, size) in rows.flat_map(|row| &row.lines).flat_map(cells) {
        let most = largest.entry(kind).or_insert(0.0_f64);
        *most = most.max(size);
    }
    largest
}
