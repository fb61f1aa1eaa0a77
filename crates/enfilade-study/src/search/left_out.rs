//! What a search does not keep, as far as it is told: which checks of a rulebook settings break, and which
//! settings come nearest to conditions that none meets.
//!
//! Both can be put together from pieces: counts add up, and the nearest of all is the nearest of those of
//! the shards.

use indexmap::IndexMap;

use crate::answer::Answer;

/// What was left out of a search.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// By check of a rulebook, in its words: how many settings break it.
    pub broken: IndexMap<String, u64>,
    /// The settings that come nearest to what was sought.
    pub nearest: Nearest<Answer>,
    /// Settings of which a value that is asked for is not known.
    pub unknown: u64,
}

impl LeftOut {
    /// Counts settings that break a check.
    pub fn exclude(&mut self, check: &str, cells: u64) {
        match self.broken.get_mut(check) {
            Some(count) => *count += cells,
            None => {
                self.broken.insert(check.to_owned(), cells);
            }
        }
    }

    /// Returns how many settings break any check.
    pub fn excluded(&self) -> u64 {
        self.broken.values().sum()
    }
}

/// Settings that miss conditions by least: each of them, and the worst missed of all.
#[derive(Clone, Debug)]
pub struct Nearest<T> {
    /// By condition: the setting that misses it by least.
    pub alone: Vec<Option<Near<T>>>,
    /// The setting whose worst miss is least.
    pub together: Option<Near<T>>,
}

/// A setting that misses something.
#[derive(Clone, Debug)]
pub struct Near<T> {
    /// By how much; 0 where it meets the condition.
    pub miss: f64,
    /// The cell.
    pub cell: u64,
    /// What is kept of it.
    pub what: T,
}

impl<T> Default for Nearest<T> {
    fn default() -> Self {
        Nearest { alone: Vec::new(), together: None }
    }
}

impl<T: Clone> Nearest<T> {
    /// Takes a setting that misses the conditions by so much.
    pub fn add(&mut self, cell: u64, misses: &[f64], what: &T) {
        self.alone.resize_with(misses.len(), || None);
        let nearer = |known: &Option<Near<T>>, miss: f64| {
            // Of equal ones the first cell counts, however the work was cut.
            known.as_ref().is_none_or(|known| (miss, cell) < (known.miss, known.cell))
        };
        let worst = misses.iter().copied().fold(0.0, f64::max);
        let slots = self.alone.iter_mut().zip(misses.iter().copied());
        for (slot, miss) in slots.chain([(&mut self.together, worst)]) {
            if nearer(slot, miss) {
                *slot = Some(Near { miss, cell, what: what.clone() });
            }
        }
    }

    /// Returns the settings, each once, in the order of their cells.
    pub fn into_each(self) -> Vec<T> {
        let mut all: Vec<_> = self.alone.into_iter().chain([self.together]).flatten().collect();
        all.sort_by_key(|near| near.cell);
        all.dedup_by_key(|near| near.cell);
        all.into_iter().map(|near| near.what).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces and whole, whatever the order: the same three.
    #[test]
    fn the_nearest_of_pieces_are_the_nearest_of_all() {
        let misses = [[0.0, 0.4], [0.3, 0.0], [0.2, 0.2], [0.2, 0.2], [f64::INFINITY, 0.1]];
        let of = |cells: &[u64]| {
            let mut nearest = Nearest::default();
            cells.iter().for_each(|cell| nearest.add(*cell, &misses[*cell as usize], cell));
            nearest
        };
        assert_eq!(of(&[0, 1, 2, 3, 4]).into_each(), [0, 1, 2]);
        let pieces: Vec<u64> = [&[4, 3][..], &[2, 0], &[1]]
            .into_iter()
            .flat_map(|cells| of(cells).into_each())
            .collect();
        assert_eq!(of(&pieces).into_each(), [0, 1, 2]);
    }
}
