//! Linear programs by the simplex method (Dantzig), in numbers of 64 bits or in fractions.
//!
//! Maximizes c·z subject to M·z ≤ b and z ≥ 0, where no number of b is negative: so z = 0 is
//! possible and the method begins there. A pivot column is the one with the largest gain; after
//! many pivots without a gain it is the first one with a gain (Bland), which cannot cycle.

use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::error::SolveError;
use crate::graph::fraction::Fraction;

/// Number of a linear program.
pub(super) trait LinearProgramNumber: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    fn from_fraction(value: &Fraction) -> Self;
    fn negate(&self) -> Self;
    /// Divides by a positive number.
    fn divide(&self, divisor: &Self) -> Self;
    /// Subtracts a product.
    fn subtract_product(&mut self, a: &Self, b: &Self);
    fn is_zero(&self) -> bool;
    /// Returns whether this is above 0 by more than rounding.
    fn is_positive(&self) -> bool;
    fn is_less(&self, other: &Self) -> bool;
}

/// Largest number that rounding may leave in place of 0.
const MAX_ZERO_ROUNDING: f64 = 1e-11;

impl LinearProgramNumber for f64 {
    fn zero() -> f64 {
        0.0
    }

    fn one() -> f64 {
        1.0
    }

    fn from_fraction(value: &Fraction) -> f64 {
        value.to_f64()
    }

    fn negate(&self) -> f64 {
        -self
    }

    fn divide(&self, divisor: &f64) -> f64 {
        self / divisor
    }

    fn subtract_product(&mut self, a: &f64, b: &f64) {
        *self -= a * b;
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn is_positive(&self) -> bool {
        *self > MAX_ZERO_ROUNDING
    }

    fn is_less(&self, other: &f64) -> bool {
        self < other
    }
}

impl LinearProgramNumber for Fraction {
    fn zero() -> Fraction {
        Fraction::zero()
    }

    fn one() -> Fraction {
        Fraction::from(1)
    }

    fn from_fraction(value: &Fraction) -> Fraction {
        value.clone()
    }

    fn negate(&self) -> Fraction {
        self.multiply_by_integer(-1)
    }

    fn divide(&self, divisor: &Fraction) -> Fraction {
        Fraction::divide(self, divisor)
    }

    fn subtract_product(&mut self, a: &Fraction, b: &Fraction) {
        *self = &*self + &(a * b).multiply_by_integer(-1);
    }

    fn is_zero(&self) -> bool {
        Fraction::is_zero(self)
    }

    fn is_positive(&self) -> bool {
        *self > Fraction::zero()
    }

    fn is_less(&self, other: &Fraction) -> bool {
        self < other
    }
}

/// Linear program, and from pivot to pivot its tableau: each row is a basic variable, each column
/// one that is 0. Variable `n + row` is the slack of a row, given `n` columns.
pub(super) struct LinearProgram<N> {
    /// Factors of the columns, row after row.
    factors: Vec<N>,
    /// Values of the basic variables: the bounds at first.
    bounds: Vec<N>,
    /// Gain by column.
    gains: Vec<N>,
    /// Variable by row, and by column.
    basic: Vec<usize>,
    outside: Vec<usize>,
}

/// Best point of a program.
pub(super) struct LinearProgramOptimum<N> {
    /// Value by column.
    pub(super) columns: Vec<N>,
    /// Price by row: the gain for each unit by which its bound grows.
    pub(super) prices: Vec<N>,
}

impl<N: LinearProgramNumber> LinearProgram<N> {
    /// Creates a program without factors, bounds and gains.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        LinearProgram {
            factors: vec![N::zero(); rows * columns],
            bounds: vec![N::zero(); rows],
            gains: vec![N::zero(); columns],
            basic: (columns..columns + rows).collect(),
            outside: (0..columns).collect(),
        }
    }

    pub(super) fn set_factor(&mut self, row: usize, column: usize, factor: N) {
        let width = self.gains.len();
        self.factors[row * width + column] = factor;
    }

    pub(super) fn set_bound(&mut self, row: usize, bound: N) {
        self.bounds[row] = bound;
    }

    pub(super) fn set_objective_factor(&mut self, column: usize, gain: N) {
        self.gains[column] = gain;
    }

    /// Pivots until nothing gains. Returns `None` if the gain has no bound, or takes too long.
    pub(super) fn pivot_to_optimum(
        mut self,
        halt: &CancelToken,
    ) -> Result<Option<LinearProgramOptimum<N>>, SolveError> {
        let size = self.gains.len() + self.bounds.len();
        let mut idle = 0;
        for _ in 0..MAX_PIVOTS_PER_LINE * size {
            halt.check_not_cancelled()?;
            let Some(column) = self.choose_entering_column(idle > size) else {
                return Ok(Some(self.into_optimum()));
            };
            let Some(row) = self.choose_leaving_row(column, idle > size) else { return Ok(None) };
            idle = if self.bounds[row].is_positive() { 0 } else { idle + 1 };
            self.pivot_row_and_column(row, column);
        }
        Ok(None)
    }

    /// Finds a column that gains: the one that gains most, or the one of the first variable.
    fn choose_entering_column(&self, first: bool) -> Option<usize> {
        let gains = (0..self.gains.len()).filter(|column| self.gains[*column].is_positive());
        match first {
            true => gains.min_by_key(|column| self.outside[*column]),
            false => gains.reduce(|best, column| {
                if self.gains[best].is_less(&self.gains[column]) { column } else { best }
            }),
        }
    }

    /// Finds the row that bounds a column most tightly: among equals the one with the largest
    /// factor, or the one of the first variable.
    fn choose_leaving_row(&self, column: usize, first: bool) -> Option<usize> {
        let width = self.gains.len();
        let factor = |row: usize| &self.factors[row * width + column];
        let mut best: Option<(usize, N)> = None;
        for row in (0..self.bounds.len()).filter(|row| factor(*row).is_positive()) {
            let ratio = self.bounds[row].divide(factor(row));
            let Some((best_row, least)) = &best else {
                best = Some((row, ratio));
                continue;
            };
            let preferred = match first {
                true => self.basic[row] < self.basic[*best_row],
                false => factor(*best_row).is_less(factor(row)),
            };
            if ratio.is_less(least) || !least.is_less(&ratio) && preferred {
                best = Some((row, ratio));
            }
        }
        best.map(|(row, _)| row)
    }

    /// Exchanges the variable of a row for the one of a column.
    fn pivot_row_and_column(&mut self, row: usize, column: usize) {
        let width = self.gains.len();
        let pivot = self.factors[row * width + column].clone();
        let mut line: Vec<N> = self.factors[row * width..][..width].to_vec();
        line[column] = N::one();
        line.iter_mut().for_each(|factor| *factor = factor.divide(&pivot));
        let bound = self.bounds[row].divide(&pivot);
        let nonzero_columns: Vec<usize> = (0..width).filter(|at| !line[*at].is_zero()).collect();
        for other in (0..self.bounds.len()).filter(|other| *other != row) {
            let factors = &mut self.factors[other * width..][..width];
            let factor = std::mem::replace(&mut factors[column], N::zero());
            if factor.is_zero() {
                continue;
            }
            nonzero_columns
                .iter()
                .for_each(|at| factors[*at].subtract_product(&factor, &line[*at]));
            self.bounds[other].subtract_product(&factor, &bound);
        }
        let gain = std::mem::replace(&mut self.gains[column], N::zero());
        nonzero_columns.iter().for_each(|at| self.gains[*at].subtract_product(&gain, &line[*at]));
        self.factors[row * width..][..width].clone_from_slice(&line);
        self.bounds[row] = bound;
        std::mem::swap(&mut self.basic[row], &mut self.outside[column]);
    }

    fn into_optimum(self) -> LinearProgramOptimum<N> {
        let count = self.gains.len();
        let (mut columns, mut prices) =
            (vec![N::zero(); count], vec![N::zero(); self.bounds.len()]);
        for (variable, value) in self.basic.into_iter().zip(self.bounds) {
            if let Some(column) = columns.get_mut(variable) {
                *column = value;
            }
        }
        for (variable, gain) in self.outside.into_iter().zip(self.gains) {
            if let Some(row) = variable.checked_sub(count) {
                prices[row] = gain.negate();
            }
        }
        LinearProgramOptimum { columns, prices }
    }
}

/// Finds the point z ≥ 0 with the largest `gains`·z subject to `factors`·z ≤ `bounds`, where no
/// bound is negative. Returns the value by column and the price by row; `None` if the gain has no
/// bound.
///
/// # Panics
/// If the rows of `factors` are shorter than `gains`, or more than `bounds`.
pub fn solve_linear_program(
    factors: &[Vec<f64>],
    bounds: &[f64],
    gains: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let program = LinearProgram {
        factors: factors.iter().flat_map(|row| &row[..gains.len()]).copied().collect(),
        bounds: bounds.to_vec(),
        gains: gains.to_vec(),
        basic: (gains.len()..gains.len() + bounds.len()).collect(),
        outside: (0..gains.len()).collect(),
    };
    let optimum = program.pivot_to_optimum(&NEVER_CANCELLED).ok()??;
    Some((optimum.columns, optimum.prices))
}

/// Largest number of pivots for each row and column.
const MAX_PIVOTS_PER_LINE: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;

    /// Solves the matrix game of `worths`, where the first player picks a row: shares of both.
    fn solve_game<N: LinearProgramNumber>(worths: &[&[i32]]) -> (Vec<N>, Vec<N>) {
        let (rows, columns) = (worths.len(), worths[0].len());
        // Columns: shares of the first player and the value; rows: one for each answer, and the sum
        // of the shares.
        let mut program = LinearProgram::<N>::new(columns + 1, rows + 1);
        for answer in 0..columns {
            for (own, worths) in worths.iter().enumerate() {
                let worth = Fraction::from(worths[answer]);
                program.set_factor(answer, own, N::from_fraction(&worth).negate());
            }
            program.set_factor(answer, rows, N::one());
        }
        (0..rows).for_each(|own| program.set_factor(columns, own, N::one()));
        program.set_bound(columns, N::one());
        program.set_objective_factor(rows, N::one());
        let found = program
            .pivot_to_optimum(&NEVER_CANCELLED)
            .expect("not cancelled")
            .expect("it has a bound");
        (found.columns, found.prices)
    }

    #[test]
    fn three_ways_of_attack_against_two_of_guard_are_solved_in_fractions() {
        // By enumeration of supports: value 7/2; the guard goes left and right with 1/2 each; the
        // attack has more than one best mixture.
        let worths: [&[i32]; 3] = [&[1, 6], &[4, 3], &[5, 2]];
        let (shares, prices) = solve_game::<Fraction>(&worths);
        let of = |part: u8, whole: u8| Fraction::ratio_of_u8(part, whole);
        assert_eq!(prices, [of(1, 2), of(1, 2), of(7, 2)]);
        assert_eq!(shares[3], of(7, 2));
        for answer in 0..2 {
            let worth = worths.iter().zip(&shares);
            let worth = worth.map(|(row, share)| share.multiply_by_integer(row[answer].into()));
            assert_eq!(worth.reduce(|a, b| &a + &b), Some(of(7, 2)));
        }
    }

    #[test]
    fn numbers_of_64_bits_agree_with_fractions() {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as i32 % 10
        };
        for _ in 0..200 {
            let worths: Vec<Vec<i32>> = (0..4).map(|_| (0..5).map(|_| next()).collect()).collect();
            let worths: Vec<&[i32]> = worths.iter().map(Vec::as_slice).collect();
            let (exact, _) = solve_game::<Fraction>(&worths);
            let (near, _) = solve_game::<f64>(&worths);
            assert!((exact[4].to_f64() - near[4]).abs() < 1e-12, "{worths:?}");
        }
    }

    #[test]
    fn a_gain_without_a_bound_has_no_optimum() {
        let mut program = LinearProgram::<f64>::new(1, 1);
        program.set_objective_factor(0, 1.0);
        program.set_factor(0, 0, -1.0);
        assert!(program.pivot_to_optimum(&NEVER_CANCELLED).expect("not cancelled").is_none());
    }
}
