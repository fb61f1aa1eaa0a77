//! What one step of an axis is worth in steps of another, which is the currency: how far one has to go along
//! it for the same effect on a measure.
//!
//! Between two neighbouring values of the currency the measure is taken as a straight line; beyond its first
//! and last value nothing is known, and what leads there is counted and not guessed. Only exact
//! values are used.

use super::answer::Answer;
use enfilade_model::form::Value;

/// The cells of a contest by their places on its axes, with the exact value of one measure.
#[derive(Clone, Debug)]
pub struct Surface<'a> {
    /// The cells.
    pub cells: &'a [Answer],
    /// The axes: path and values, in the order of the grid.
    pub axes: Vec<(String, Vec<Value>)>,
    values: Vec<f64>,
}

/// What going from one value of an axis to the next is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// From which value.
    pub from: Value,
    /// To which one.
    pub to: Value,
    /// By cell that it starts from: so many steps of the currency have the same effect.
    pub worth: Vec<(usize, f64)>,
    /// Cells in which it is worth more than the currency's values can tell.
    pub beyond: usize,
}

impl<'a> Surface<'a> {
    /// The cells of one contest, which are all of its grid in order; `None` where they are not, or the
    /// measure called `measure` has no exact value in one of them.
    pub fn of(cells: &'a [Answer], measure: &str) -> Option<Surface<'a>> {
        let first = cells.first()?;
        let values = cells.iter().map(|cell| cell.measure(measure)?.exact);
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
        (count == cells.len()).then_some(Surface { cells, axes, values })
    }

    /// How many cells lie between one value of axis `axis` and the next.
    fn stride(&self, axis: usize) -> usize {
        self.axes[axis + 1..].iter().map(|(_, values)| values.len()).product()
    }

    /// Which value of axis `axis` cell `cell` has.
    fn place(&self, cell: usize, axis: usize) -> usize {
        cell / self.stride(axis) % self.axes[axis].1.len()
    }

    /// Every step of axis `of` in steps of the axis `currency`, another one.
    pub fn steps(&self, of: usize, currency: usize) -> Vec<Step> {
        let values = &self.axes[of].1;
        let pairs = values.windows(2).enumerate();
        pairs.map(|(place, pair)| self.step(of, currency, place, pair)).collect()
    }

    fn step(&self, of: usize, currency: usize, place: usize, pair: &[Value]) -> Step {
        let (mut worth, mut beyond) = (Vec::new(), 0);
        for cell in (0..self.cells.len()).filter(|&cell| self.place(cell, of) == place) {
            let target = self.values[cell + self.stride(of)];
            let (stride, here) = (self.stride(currency), self.place(cell, currency));
            let line: Vec<f64> = (0..self.axes[currency].1.len())
                .map(|at| self.values[cell + at * stride - here * stride])
                .collect();
            match reached(&line, here, target) {
                Some(steps) => worth.push((cell, steps)),
                None => beyond += 1,
            }
        }
        Step { from: pair[0].clone(), to: pair[1].clone(), worth, beyond }
    }
}

/// How far from place `here` of a line the value `target` is reached, the nearest such place.
fn reached(line: &[f64], here: usize, target: f64) -> Option<f64> {
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

impl Step {
    /// Least, middle and largest worth with the cells they are found in; `None` where it is beyond everywhere.
    pub fn range(&self) -> Option<[(usize, f64); 3]> {
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
        assert!((reached(&line, 0, 0.3).expect("inside") - 4.0 / 3.0).abs() < 1e-12);
        assert!((reached(&line, 2, 0.3).expect("inside") + 2.0 / 3.0).abs() < 1e-12);
        // Of a level stretch the nearest place counts; beyond the ends nothing is known.
        assert_eq!(reached(&line, 3, 0.5), Some(0.0));
        assert_eq!(reached(&line, 0, 0.5), Some(2.0));
        assert_eq!(reached(&line, 0, 0.6), None);
    }
}
