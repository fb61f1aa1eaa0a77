//! A grid of which some cells are solved: their values bound those of all others.
//!
//! Where a measure only rises, or only falls, with a number, its value in a design is at least that
//! of every solved design below it, and at most that of every one above. The direction of each
//! number is taken from the solved cells themselves: all pairs on a line are compared, and a number
//! that raises the measure in one pair and lowers it in another bounds nothing from then on.

use std::cmp::Ordering;

use crate::solved_grids::{MeasureGrid, MeasureGridsOfCell};

/// A value with its error; `None` without an answer.
pub(crate) type MeasuredValue = Option<(f64, f64)>;

/// The solved cells of one grid.
#[derive(Debug)]
pub(crate) struct PartlySolvedGrid {
    /// Its scope and the number of values of each number.
    shape: MeasureGridsOfCell,
    /// By place: whether the cell is solved.
    pub is_solved: Vec<bool>,
    /// By measure and place: the solved values.
    values: Vec<Vec<MeasuredValue>>,
    /// By measure and number of the scope.
    directions: Vec<Vec<MeasureTrendAlongAxis>>,
}

/// Direction of a measure along a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasureTrendAlongAxis {
    /// No pair of solved cells differs.
    Unknown,
    /// Each solved pair rises.
    Up,
    /// Each solved pair falls.
    Down,
    /// Some pairs rise, others fall.
    Both,
}

impl MeasureTrendAlongAxis {
    /// The direction after one more pair.
    fn with_pair(self, rises: bool) -> MeasureTrendAlongAxis {
        match (self, rises) {
            (MeasureTrendAlongAxis::Unknown | MeasureTrendAlongAxis::Up, true) => {
                MeasureTrendAlongAxis::Up
            }
            (MeasureTrendAlongAxis::Unknown | MeasureTrendAlongAxis::Down, false) => {
                MeasureTrendAlongAxis::Down
            }
            _ => MeasureTrendAlongAxis::Both,
        }
    }

    /// Whether solved cells bound others along the number.
    fn is_monotone(self) -> bool {
        matches!(self, MeasureTrendAlongAxis::Up | MeasureTrendAlongAxis::Down)
    }
}

impl PartlySolvedGrid {
    /// A grid of this shape without a solved cell.
    pub fn new(shape: MeasureGridsOfCell, measures: usize) -> PartlySolvedGrid {
        let (places, axes) = (shape.len(), shape.sizes.len());
        PartlySolvedGrid {
            is_solved: vec![false; places],
            values: vec![vec![None; places]; measures],
            directions: vec![vec![MeasureTrendAlongAxis::Unknown; axes]; measures],
            shape,
        }
    }

    /// The shape of the grid.
    pub fn shape(&self) -> &MeasureGridsOfCell {
        &self.shape
    }

    /// Adds a solved cell and compares it with the others on its lines.
    pub fn add_solved_and_compare(&mut self, place: usize, values: Vec<MeasuredValue>) {
        if std::mem::replace(&mut self.is_solved[place], true) {
            return;
        }
        for (measure, value) in values.into_iter().enumerate() {
            self.values[measure][place] = value;
            self.compare_on_lines(measure, place);
        }
    }

    /// Compares a solved cell with all others on its lines.
    fn compare_on_lines(&mut self, measure: usize, place: usize) {
        let Some((value, error)) = self.values[measure][place] else { return };
        for (axis, (stride, size)) in self.strides_and_sizes().into_iter().enumerate() {
            let own = place / stride % size;
            let first = place - own * stride;
            for at in (0..size).filter(|at| *at != own) {
                let Some((other, wrong)) = self.values[measure][first + at * stride] else {
                    continue;
                };
                if (value - other).abs() > error + wrong {
                    let rises = (value > other) == (own > at);
                    let direction = &mut self.directions[measure][axis];
                    *direction = direction.with_pair(rises);
                }
            }
        }
    }

    /// By number of the scope: the distance of neighbouring places, and the number of values.
    fn strides_and_sizes(&self) -> Vec<(usize, usize)> {
        let mut strides = Vec::new();
        let mut stride = 1;
        for size in self.shape.sizes.iter().rev() {
            strides.push((stride, *size));
            stride *= size;
        }
        strides.reverse();
        strides
    }

    /// The numbers of the scope along which a measure both rises and falls.
    pub fn non_monotone_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let axes = self.shape.scope.iter().enumerate();
        let is_both = |axis: usize| {
            self.directions.iter().any(|own| own[axis] == MeasureTrendAlongAxis::Both)
        };
        axes.filter(move |(axis, _)| is_both(*axis)).map(|(_, number)| *number)
    }

    /// Builds the grid with bounds in place of values that are not solved.
    pub fn build_grid(&self) -> MeasureGridsOfCell {
        let measures = (0..self.values.len()).map(|measure| self.build_grid_of_measure(measure));
        MeasureGridsOfCell {
            measures: measures.collect(),
            scope: self.shape.scope.clone(),
            sizes: self.shape.sizes.clone(),
        }
    }

    fn build_grid_of_measure(&self, measure: usize) -> MeasureGrid {
        let values = &self.values[measure];
        let known = |none: f64| {
            values.iter().map(move |value| value.map_or(none, |(value, _)| value)).collect()
        };
        let (mut least, mut most): (Vec<f64>, Vec<f64>) =
            (known(f64::NEG_INFINITY), known(f64::INFINITY));
        let axes = self.strides_and_sizes().into_iter().zip(&self.directions[measure]);
        for ((stride, size), direction) in axes.filter(|(_, direction)| direction.is_monotone()) {
            let up = *direction == MeasureTrendAlongAxis::Up;
            spread_along(&mut least, stride, size, up, f64::max);
            spread_along(&mut most, stride, size, !up, f64::min);
        }
        let largest_error = values.iter().flatten().map(|(_, error)| *error).fold(0.0, f64::max);
        let bounds = (0..values.len()).map(|at| match (self.is_solved[at], values[at]) {
            (true, None) => (f64::INFINITY, f64::NEG_INFINITY, 0.0),
            (true, Some((value, error))) => (value, value, error),
            // Rounding may cross two bounds that are equal.
            (false, _) => (least[at].min(most[at]), most[at].max(least[at]), largest_error),
        });
        MeasureGrid::from_bounds(&bounds.collect::<Vec<_>>(), &self.shape.sizes)
    }

    /// A place as the first measure rises: one coordinate for each number of the scope that is
    /// monotone, turned so that the measure rises with it, and the values of all others.
    pub fn turn_monotone_axes_upward(&self, place: usize, into: &mut MonotoneOrientedPlace) {
        for ((stride, size), direction) in
            self.strides_and_sizes().into_iter().zip(&self.directions[0])
        {
            let at = (place / stride % size) as i64;
            match direction {
                MeasureTrendAlongAxis::Up => into.rising.push(at),
                MeasureTrendAlongAxis::Down => into.rising.push(-at),
                MeasureTrendAlongAxis::Unknown | MeasureTrendAlongAxis::Both => {
                    into.others.push(at)
                }
            }
        }
    }
}

/// A place with its monotone numbers turned upward.
#[derive(Clone, Debug, Default)]
pub(crate) struct MonotoneOrientedPlace {
    rising: Vec<i64>,
    others: Vec<i64>,
}

impl MonotoneOrientedPlace {
    /// The order of two places if one bounds the other.
    pub fn compare(&self, other: &MonotoneOrientedPlace) -> Option<Ordering> {
        if self.others != other.others {
            return None;
        }
        let pairs = || self.rising.iter().zip(&other.rising);
        match (pairs().all(|(a, b)| a >= b), pairs().all(|(a, b)| a <= b)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        }
    }
}

/// Spreads values along one number: upward each place takes the better of its own and that of the
/// place before it.
fn spread_along(
    values: &mut [f64],
    stride: usize,
    size: usize,
    upward: bool,
    better: fn(f64, f64) -> f64,
) {
    for block in values.chunks_mut(stride * size) {
        for offset in 0..stride {
            let place = |step: usize| {
                let step = if upward { step } else { size - 1 - step };
                step * stride + offset
            };
            for step in 1..size {
                block[place(step)] = better(block[place(step)], block[place(step - 1)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(sizes: &[usize]) -> PartlySolvedGrid {
        let shape = MeasureGridsOfCell {
            scope: (0..sizes.len()).collect(),
            sizes: sizes.to_vec(),
            measures: Vec::new(),
        };
        PartlySolvedGrid::new(shape, 1)
    }

    fn bounds(grid: &PartlySolvedGrid, place: usize) -> (f64, f64) {
        let own = grid.build_grid().measures[0].bounds_at_place(place);
        (own.lo, own.hi)
    }

    #[test]
    fn solved_cells_bound_those_above_and_below() {
        // The value is 10 x - y on a grid of 3 times 4; x is the slow number.
        let mut fenced = grid(&[3, 4]);
        let value = |place: usize| Some((10.0 * (place / 4) as f64 - (place % 4) as f64, 0.0));
        for place in [0, 3, 8] {
            fenced.add_solved_and_compare(place, vec![value(place)]);
        }
        assert_eq!(fenced.directions[0], [MeasureTrendAlongAxis::Up, MeasureTrendAlongAxis::Down]);
        // (1, 1) lies above (0, 3) and below (2, 0).
        assert_eq!(bounds(&fenced, 5), (-3.0, 20.0));
        assert_eq!(bounds(&fenced, 0), (0.0, 0.0));
        let order = |one: usize, other: usize| {
            let [one, other] = [one, other].map(|place| {
                let mut oriented = MonotoneOrientedPlace::default();
                fenced.turn_monotone_axes_upward(place, &mut oriented);
                oriented
            });
            one.compare(&other)
        };
        // (0, 3) lies below (2, 0); (1, 1) has less x than (2, 2) and less y, so neither bounds the
        // other.
        assert_eq!((order(3, 8), order(5, 10)), (Some(Ordering::Less), None));
        // A pair that falls with x: it bounds nothing from now on.
        fenced.add_solved_and_compare(4, vec![Some((-5.0, 0.0))]);
        assert_eq!(fenced.directions[0][0], MeasureTrendAlongAxis::Both);
        assert_eq!(fenced.non_monotone_numbers().collect::<Vec<_>>(), [0]);
        assert_eq!(bounds(&fenced, 5), (f64::NEG_INFINITY, -5.0));
    }

    #[test]
    fn a_cell_without_an_answer_bounds_nothing() {
        let mut fenced = grid(&[3]);
        fenced.add_solved_and_compare(0, vec![Some((1.0, 0.0))]);
        fenced.add_solved_and_compare(1, vec![None]);
        assert_eq!(bounds(&fenced, 2), (f64::NEG_INFINITY, f64::INFINITY));
        let own = fenced.build_grid().measures[0].bounds_at_place(1);
        assert!(own.lo > own.hi);
    }
}
