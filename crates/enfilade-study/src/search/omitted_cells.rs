//! Cells that a search omits: the checks of a rulebook that settings break, and the settings that
//! come nearest to unmet conditions.
//!
//! Both can be merged from shards: counts add up, and the nearest of all is the nearest of those of
//! the shards.

use indexmap::IndexMap;

use crate::answer::Answer;

/// Cells omitted by a search.
#[derive(Clone, Debug, Default)]
pub struct CellsOmittedBySearch {
    /// Number of settings that break each check of a rulebook, by the check's words.
    pub broken_checks: IndexMap<String, u64>,
    /// Settings that come nearest to the goals.
    pub nearest: NearestMisses<Answer>,
    /// Number of settings for which a required value is unknown.
    pub unknown: u64,
}

impl CellsOmittedBySearch {
    /// Counts settings that break a check.
    pub fn add_broken_cell_count(&mut self, check: &str, cells: u64) {
        match self.broken_checks.get_mut(check) {
            Some(count) => *count += cells,
            None => {
                self.broken_checks.insert(check.to_owned(), cells);
            }
        }
    }

    /// Returns the number of settings that break any check.
    pub fn count_cells_breaking_checks(&self) -> u64 {
        self.broken_checks.values().sum()
    }
}

/// Settings that miss conditions by the least: one for each condition, and the one whose worst miss
/// is least.
#[derive(Clone, Debug)]
pub struct NearestMisses<T> {
    /// Setting with the least miss, by condition.
    pub alone: Vec<Option<CellWithMissDistance<T>>>,
    /// Setting whose worst miss is least.
    pub together: Option<CellWithMissDistance<T>>,
}

/// Setting with its miss.
#[derive(Clone, Debug)]
pub struct CellWithMissDistance<T> {
    /// Size of the miss; 0 if it meets the condition.
    pub miss: f64,
    /// Cell.
    pub cell: u64,
    /// Stored value of the cell.
    pub what: T,
}

impl<T> Default for NearestMisses<T> {
    fn default() -> Self {
        NearestMisses { alone: Vec::new(), together: None }
    }
}

impl<T: Clone> NearestMisses<T> {
    /// Adds a setting that misses the conditions by these amounts.
    pub fn add_cell_with_misses(&mut self, cell: u64, misses: &[f64], what: &T) {
        self.alone.resize_with(misses.len(), || None);
        let nearer = |nearest: &Option<CellWithMissDistance<T>>, miss: f64| {
            // Of equal ones the first cell counts, however the work was cut.
            nearest.as_ref().is_none_or(|known| (miss, cell) < (known.miss, known.cell))
        };
        let worst = misses.iter().copied().fold(0.0, f64::max);
        let slots = self.alone.iter_mut().zip(misses.iter().copied());
        for (slot, miss) in slots.chain([(&mut self.together, worst)]) {
            if nearer(slot, miss) {
                *slot = Some(CellWithMissDistance { miss, cell, what: what.clone() });
            }
        }
    }

    /// Returns the settings, each once, in the order of their cells.
    pub fn into_distinct_in_cell_order(self) -> Vec<T> {
        let mut all: Vec<_> = self.alone.into_iter().chain([self.together]).flatten().collect();
        all.sort_by_key(|near| near.cell);
        all.dedup_by_key(|near| near.cell);
        all.into_iter().map(|near| near.what).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In shards and as a whole, in any order: the same three.
    #[test]
    fn the_nearest_of_pieces_are_the_nearest_of_all() {
        let misses = [[0.0, 0.4], [0.3, 0.0], [0.2, 0.2], [0.2, 0.2], [f64::INFINITY, 0.1]];
        let of = |cells: &[u64]| {
            let mut nearest = NearestMisses::default();
            cells.iter().for_each(|cell| {
                nearest.add_cell_with_misses(*cell, &misses[*cell as usize], cell)
            });
            nearest
        };
        assert_eq!(of(&[0, 1, 2, 3, 4]).into_distinct_in_cell_order(), [0, 1, 2]);
        let pieces: Vec<u64> = [&[4, 3][..], &[2, 0], &[1]]
            .into_iter()
            .flat_map(|cells| of(cells).into_distinct_in_cell_order())
            .collect();
        assert_eq!(of(&pieces).into_distinct_in_cell_order(), [0, 1, 2]);
    }
}
