//! The solved grids of all scopes, and bounds of a quantity while some numbers are still open.

use crate::want::CellReduction;
use crate::wanted_cells::{ComparisonRightSide, MeasureReducedOverCells};

/// The grids of all cells that are wanted.
#[derive(Debug, Default)]
pub(crate) struct SolvedGrids {
    pub cells: Vec<MeasureGridsOfCell>,
}

/// The grid of one cell: its measures for all values of the numbers that it reads.
#[derive(Debug, Default)]
pub(crate) struct MeasureGridsOfCell {
    /// The numbers, in the order in which they are joined.
    pub scope: Vec<usize>,
    /// By number: the number of its values.
    pub sizes: Vec<usize>,
    /// By measure.
    pub measures: Vec<MeasureGrid>,
}

/// One measure of a cell.
#[derive(Debug, Default)]
pub(crate) struct MeasureGrid {
    /// By count of fixed numbers, from none to all: the smallest and the largest value for each
    /// prefix.
    levels: Vec<Vec<(f64, f64)>>,
    /// By place: the largest distance of the value from the true one.
    errors: Vec<f64>,
    largest_error: f64,
}

/// Bounds of a quantity; empty if `lo` is above `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QuantityBounds {
    pub lo: f64,
    pub hi: f64,
    pub error: f64,
}

/// Bounds without any value.
const BOUNDS_WITHOUT_VALUES: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

impl QuantityBounds {
    const WITHOUT_VALUES: QuantityBounds =
        QuantityBounds { lo: BOUNDS_WITHOUT_VALUES.0, hi: BOUNDS_WITHOUT_VALUES.1, error: 0.0 };

    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    fn multiply_by_weight(self, weight: f64) -> QuantityBounds {
        QuantityBounds { lo: self.lo * weight, hi: self.hi * weight, error: self.error * weight }
    }

    /// Combines two ranges: their sum for a mean, else the least or the greatest of them.
    fn combine_by_reduction(self, other: QuantityBounds, take: CellReduction) -> QuantityBounds {
        let error = self.error.max(other.error);
        let of = |join: fn(f64, f64) -> f64, error| QuantityBounds {
            lo: join(self.lo, other.lo),
            hi: join(self.hi, other.hi),
            error,
        };
        match take {
            CellReduction::Mean => of(|a, b| a + b, self.error + other.error),
            CellReduction::Least => of(f64::min, error),
            CellReduction::Every | CellReduction::Most => of(f64::max, error),
        }
    }
}

impl MeasureGrid {
    /// Builds a grid of values with their errors; a place without a value has none.
    pub fn new(values: &[Option<(f64, f64)>], sizes: &[usize]) -> MeasureGrid {
        let (low, high) = BOUNDS_WITHOUT_VALUES;
        let bounds =
            values.iter().map(|own| own.map_or((low, high, 0.0), |(value, e)| (value, value, e)));
        MeasureGrid::from_bounds(&bounds.collect::<Vec<_>>(), sizes)
    }

    /// Builds a grid of bounds with their errors: the least value, the greatest value and the
    /// error.
    pub fn from_bounds(bounds: &[(f64, f64, f64)], sizes: &[usize]) -> MeasureGrid {
        let mut levels = vec![bounds.iter().map(|(lo, hi, _)| (*lo, *hi)).collect::<Vec<_>>()];
        for size in sizes.iter().rev() {
            let below = &levels[levels.len() - 1];
            let merged = below.chunks(*size).map(|chunk| {
                chunk
                    .iter()
                    .fold(BOUNDS_WITHOUT_VALUES, |all, one| (all.0.min(one.0), all.1.max(one.1)))
            });
            let merged = merged.collect();
            levels.push(merged);
        }
        levels.reverse();
        let errors: Vec<f64> = bounds.iter().map(|(.., error)| *error).collect();
        let largest_error = errors.iter().copied().fold(0.0, f64::max);
        MeasureGrid { levels, errors, largest_error }
    }

    /// The value at a place.
    pub fn bounds_at_place(&self, place: usize) -> QuantityBounds {
        self.bounds_behind_prefix(self.levels.len() - 1, place)
    }

    /// The smallest and the largest value behind a prefix.
    fn bounds_behind_prefix(&self, level: usize, place: usize) -> QuantityBounds {
        let (lo, hi) = self.levels[level][place];
        let error = match level + 1 == self.levels.len() {
            true => self.errors[place],
            false => self.largest_error,
        };
        QuantityBounds { lo, hi, error }
    }
}

impl MeasureGridsOfCell {
    /// Bounds of a measure if the numbers that `is_fixed` accepts have the values of `design`.
    fn bounds_over_open_numbers(
        &self,
        measure: usize,
        design: &[u16],
        is_fixed: &dyn Fn(usize) -> bool,
    ) -> QuantityBounds {
        let fixed = self.scope.iter().zip(&self.sizes).take_while(|(number, _)| is_fixed(**number));
        let (level, place) = fixed.fold((0, 0), |(level, place), (number, size)| {
            (level + 1, place * size + usize::from(design[*number]))
        });
        self.measures[measure].bounds_behind_prefix(level, place)
    }

    /// Number of cells of the grid.
    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// The place of these values of the scope's numbers.
    pub fn place_of(&self, values: &[usize]) -> usize {
        values.iter().zip(&self.sizes).fold(0, |place, (value, size)| place * size + value)
    }

    /// The place of a design.
    pub fn place_of_design(&self, design: &[u16]) -> usize {
        let values: Vec<usize> =
            self.scope.iter().map(|number| usize::from(design[*number])).collect();
        self.place_of(&values)
    }

    /// The values of the scope's numbers at a place.
    pub fn value_indices_at(&self, mut place: usize) -> Vec<usize> {
        let mut values = vec![0; self.sizes.len()];
        for (value, size) in values.iter_mut().zip(&self.sizes).rev() {
            *value = place % size;
            place /= size;
        }
        values
    }
}

impl SolvedGrids {
    /// A term for a whole design.
    pub fn bounds_of_term_in_design(
        &self,
        term: &MeasureReducedOverCells,
        design: &[u16],
    ) -> QuantityBounds {
        self.bounds_of_partly_fixed_term(term, design, &|_| true)
    }

    /// Bounds of a term if some numbers are fixed.
    pub fn bounds_of_partly_fixed_term(
        &self,
        term: &MeasureReducedOverCells,
        design: &[u16],
        is_fixed: &dyn Fn(usize) -> bool,
    ) -> QuantityBounds {
        let mut all: Option<QuantityBounds> = None;
        for (cell, measure, weight) in &term.cells {
            let range = self.cells[*cell].bounds_over_open_numbers(*measure, design, is_fixed);
            if range.is_empty() {
                return QuantityBounds::WITHOUT_VALUES;
            }
            let own = if term.take == CellReduction::Mean {
                range.multiply_by_weight(*weight)
            } else {
                range
            };
            all = Some(all.map_or(own, |all| all.combine_by_reduction(own, term.take)));
        }
        all.unwrap_or(QuantityBounds::WITHOUT_VALUES)
    }

    /// The right side of a comparison.
    pub fn bounds_of_right_side(
        &self,
        right: &ComparisonRightSide,
        design: &[u16],
        is_fixed: &dyn Fn(usize) -> bool,
    ) -> QuantityBounds {
        let rounding = f64::EPSILON / 2.0 * right.plus.abs();
        let Some(term) = &right.term else {
            return QuantityBounds { lo: right.plus, hi: right.plus, error: rounding };
        };
        let own = self.bounds_of_partly_fixed_term(term, design, is_fixed);
        if own.is_empty() {
            return QuantityBounds::WITHOUT_VALUES;
        }
        let ends = [own.lo * right.factor + right.plus, own.hi * right.factor + right.plus];
        let error = own.error * right.factor.abs() + rounding;
        QuantityBounds { lo: ends[0].min(ends[1]), hi: ends[0].max(ends[1]), error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_knows_the_least_and_the_greatest_behind_it() {
        let values: Vec<_> = [3.0, 1.0, 4.0, 1.5, 5.0, 9.0].map(|v| Some((v, 0.0))).into();
        let grid = MeasureGridsOfCell {
            scope: vec![4, 2],
            sizes: vec![2, 3],
            measures: vec![MeasureGrid::new(&values, &[2, 3])],
        };
        let range = |fixed: &[usize], design: &[u16]| {
            let range = grid.bounds_over_open_numbers(0, design, &|number| fixed.contains(&number));
            (range.lo, range.hi)
        };
        assert_eq!(range(&[], &[0; 5]), (1.0, 9.0));
        assert_eq!(range(&[4], &[0, 0, 0, 0, 1]), (1.5, 9.0));
        assert_eq!(range(&[4, 2], &[0, 0, 1, 0, 1]), (5.0, 5.0));
        assert_eq!(grid.value_indices_at(5), [1, 2]);
        let holes = MeasureGrid::new(&[None, Some((2.0, 0.0))], &[2]);
        assert!(
            holes.bounds_behind_prefix(1, 0).is_empty()
                && holes.bounds_behind_prefix(0, 0) == holes.bounds_behind_prefix(1, 1)
        );
    }
}
