//! Trade-off between axes: how many steps of one axis, the currency, have the effect of one step of
//! another on a measure.
//!
//! Between two neighbouring values of the currency the measure is interpolated linearly; beyond its
//! first and last value nothing is known, and steps that lead there are counted and not guessed.
//! Only exact values are used.

use super::answer::Answer;
use enfilade_model::form::Value;

/// Cells of a contest by grid position, with the exact value of one measure.
#[derive(Clone, Debug)]
pub struct MeasureSurface<'a> {
    /// Cells.
    pub cells: &'a [Answer],
    /// Axes: path and values, in the order of the grid.
    pub axes: Vec<(String, Vec<Value>)>,
    values: Vec<f64>,
}

/// Worth of a step from one value of an axis to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisStepExchangeRate {
    /// Value before the step.
    pub from: Value,
    /// Value after the step.
    pub to: Value,
    /// Number of steps of the currency with the same effect, by the cell where the step begins.
    pub worth: Vec<(usize, f64)>,
    /// Number of cells in which the worth lies beyond the values of the currency.
    pub beyond: usize,
}

impl<'a> MeasureSurface<'a> {
    /// Creates the surface of one contest, whose cells must be its whole grid in order. Returns
    /// `None` if they are not, or the measure called `measure` has no exact value in one of them.
    pub fn from_cells_of_contest(cells: &'a [Answer], measure: &str) -> Option<MeasureSurface<'a>> {
        let first = cells.first()?;
        let values = cells.iter().map(|cell| cell.measure_answer_by_name(measure)?.exact);
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        let mut axes: Vec<(String, Vec<Value>)> =
            first.axes.iter().map(|(path, _)| (path.clone(), Vec::new())).collect();
        for cell in cells {
            for ((_, known), (_, value)) in axes.iter_mut().zip(&cell.axes) {
                if !known.contains(value) {
                    known.push(value.clone());
                }
            }
        }
        let count = axes.iter().map(|(_, values)| values.len()).product::<usize>();
        (count == cells.len()).then_some(MeasureSurface { cells, axes, values })
    }

    /// Returns the number of cells between one value of axis `axis` and the next.
    fn axis_stride(&self, axis: usize) -> usize {
        self.axes[axis + 1..].iter().map(|(_, values)| values.len()).product()
    }

    /// Returns the index of the value of axis `axis` that cell `cell` has.
    fn axis_value_index_of_cell(&self, cell: usize, axis: usize) -> usize {
        cell / self.axis_stride(axis) % self.axes[axis].1.len()
    }

    /// Computes the worth of every step of axis `of` in steps of another axis, `currency`.
    pub fn step_worths_in_other_axis(
        &self,
        of: usize,
        currency: usize,
    ) -> Vec<AxisStepExchangeRate> {
        let values = &self.axes[of].1;
        let pairs = values.windows(2).enumerate();
        pairs
            .map(|(place, pair)| self.step_worth_in_currency_steps(of, currency, place, pair))
            .collect()
    }

    fn step_worth_in_currency_steps(
        &self,
        of: usize,
        currency: usize,
        place: usize,
        pair: &[Value],
    ) -> AxisStepExchangeRate {
        let (mut worth, mut beyond) = (Vec::new(), 0);
        for cell in
            (0..self.cells.len()).filter(|&cell| self.axis_value_index_of_cell(cell, of) == place)
        {
            let target = self.values[cell + self.axis_stride(of)];
            let (stride, here) =
                (self.axis_stride(currency), self.axis_value_index_of_cell(cell, currency));
            let line: Vec<f64> = (0..self.axes[currency].1.len())
                .map(|at| self.values[cell + at * stride - here * stride])
                .collect();
            match steps_to_target(&line, here, target) {
                Some(steps) => worth.push((cell, steps)),
                None => beyond += 1,
            }
        }
        AxisStepExchangeRate { from: pair[0].clone(), to: pair[1].clone(), worth, beyond }
    }
}

/// Returns the distance from index `here` of a line to the nearest point where it has the value
/// `target`.
fn steps_to_target(line: &[f64], here: usize, target: f64) -> Option<f64> {
    let between = |pair: &[f64]| {
        let (a, b) = (pair[0], pair[1]);
        if a == b {
            return (a == target).then_some(0.0);
        }
        let share = (target - a) / (b - a);
        (0.0..=1.0).contains(&share).then_some(share)
    };
    let segments = line.windows(2).enumerate();
    let places = segments.filter_map(|(at, pair)| Some(at as f64 + between(pair)?));
    let own = (line[here] == target).then_some(here as f64);
    let distances = places.chain(own).map(|place| place - here as f64);
    distances.min_by(|a, b| a.abs().total_cmp(&b.abs()))
}

impl AxisStepExchangeRate {
    /// Returns the least, the middle and the largest worth with their cells; `None` if the worth
    /// lies beyond the values everywhere.
    pub fn smallest_median_largest_rate(&self) -> Option<[(usize, f64); 3]> {
        let mut sorted = self.worth.clone();
        sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
        let middle = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        Some([*sorted.first()?, middle, *sorted.last()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 0.3 lies a third of the way from 0.2 to 0.5.
    #[test]
    fn a_value_is_reached_on_straight_lines() {
        let line = [0.1, 0.2, 0.5, 0.5];
        assert!((steps_to_target(&line, 0, 0.3).expect("inside") - 4.0 / 3.0).abs() < 1e-12);
        assert!((steps_to_target(&line, 2, 0.3).expect("inside") + 2.0 / 3.0).abs() < 1e-12);
        // On a level stretch the nearest point counts; beyond the ends nothing is known.
        assert_eq!(steps_to_target(&line, 3, 0.5), Some(0.0));
        assert_eq!(steps_to_target(&line, 0, 0.5), Some(2.0));
        assert_eq!(steps_to_target(&line, 0, 0.6), None);
    }
}
