//! Sampling of transitions in constant time: alias tables (Walker 1977; built as Vose 1991 does).
//!
//! One table has a row of cells for each condition. Thirty-two random bits choose a cell and one of
//! the two successors in it, so every probability is exact to 2⁻³² times the number of cells in its
//! row.

use enfilade_model::weapons::ConditionTransitions;

/// One cell: one successor below a threshold, another from the threshold on.
#[derive(Clone, Copy, Debug)]
struct AliasTableCell {
    below: u32,
    to: u16,
    other: u16,
}

/// The transitions of a shot, by the condition of the unit that is hit.
#[derive(Clone, Debug, Default)]
pub struct AliasTable {
    /// Binary logarithm of the number of cells of each row.
    bits: u32,
    cells: Vec<AliasTableCell>,
}

impl AliasTable {
    /// Builds the table of `rows`, one for each condition.
    pub fn new<'a>(rows: impl Iterator<Item = &'a ConditionTransitions> + Clone) -> AliasTable {
        let longest = rows.clone().map(|row| row.len()).max().unwrap_or_default();
        // One cell at least: 1 is a power of two.
        let bits = longest.next_power_of_two().ilog2();
        let mut cells = Vec::new();
        rows.enumerate().for_each(|(here, row)| append_alias_row(&mut cells, 1 << bits, here, row));
        AliasTable { bits, cells }
    }

    /// The successor of `condition` that 32 random bits choose.
    #[inline]
    pub fn draw_next_condition(&self, condition: u16, random: u32) -> u16 {
        let column = (u64::from(random) >> (32 - self.bits)) as usize;
        let cell = self.cells[(usize::from(condition) << self.bits) + column];
        if random << self.bits < cell.below { cell.to } else { cell.other }
    }
}

/// Appends the `width` cells of one row; a row without transitions stays at `here`.
fn append_alias_row(
    cells: &mut Vec<AliasTableCell>,
    width: usize,
    here: usize,
    row: &ConditionTransitions,
) {
    let sum: f64 = row.iter().map(|(_, p)| p).sum();
    let outcomes = if sum > 0.0 { row.as_slice() } else { &[(here, 1.0)] };
    let scale = width as f64 / if sum > 0.0 { sum } else { 1.0 };
    let mut parts: Vec<(u16, f64)> =
        outcomes.iter().map(|&(to, p)| (to as u16, p * scale)).collect();
    parts.resize(width, (outcomes[0].0 as u16, 0.0));
    let (mut small, mut large): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.1 < 1.0);
    // Each part that is less than a cell is filled from one that is more.
    while let (Some(&(to, part)), Some(&(other, rest))) = (small.last(), large.last()) {
        small.pop();
        cells.push(AliasTableCell { below: probability_threshold(part), to, other });
        let rest = rest - (1.0 - part);
        if rest < 1.0 {
            large.pop();
            small.push((other, rest));
        } else {
            large.last_mut().expect("it was just looked at").1 = rest;
        }
    }
    // Rounding leaves whole cells in either list.
    let whole = small.into_iter().chain(large).filter(|part| part.1 > 0.5);
    cells.extend(whole.map(|(to, _)| AliasTableCell { below: u32::MAX, to, other: to }));
}

/// Converts a probability to a threshold: 32 random bits are below it with that probability.
pub fn probability_threshold(probability: f64) -> u32 {
    (probability * 4_294_967_296.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts over an even grid of random bits are the probabilities, for any row.
    #[test]
    fn successors_have_their_probabilities() {
        let rows: [ConditionTransitions; 5] = [
            vec![(0, 0.5), (1, 0.3), (2, 0.2)],
            vec![(1, 1.0)],
            vec![(2, 0.125), (0, 0.0), (1, 0.875)],
            vec![],
            vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.15), (4, 0.25)],
        ];
        let table = AliasTable::new(rows.iter());
        for (here, row) in rows.iter().enumerate() {
            let mut counts = [0.0; 5];
            for step in 0..1_u32 << 16 {
                let to = table.draw_next_condition(here as u16, (step << 16) | 0x8000);
                counts[usize::from(to)] += 1.0 / f64::from(1 << 16);
            }
            for (to, found) in counts.iter().enumerate() {
                let parts = row.iter().filter(|(known, _)| *known == to);
                let expected: f64 = parts.map(|(_, p)| p).sum();
                let expected =
                    if row.is_empty() { f64::from(u8::from(to == here)) } else { expected };
                assert!((found - expected).abs() < 2e-4, "{here} {to}: {found} not {expected}");
            }
        }
    }

    #[test]
    fn every_row_has_all_of_its_cells() {
        for length in 1..40 {
            // Parts that are no binary fractions, and do not add up to 1 exactly.
            let row: ConditionTransitions =
                (0..length).map(|to| (to, 1.0 / 3.0 + to as f64 / 7.0)).collect();
            let table = AliasTable::new([&row, &row].into_iter());
            assert_eq!(table.cells.len(), 2 << table.bits, "{length}");
        }
    }
}
