//! Distributions of whole numbers, in counts of equally likely ways.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

use super::work_budget::{CostOrCancelError, DistributionSize, WorkBudget};

/// Largest distance of a value from 0.
const MAX_VALUE_MAGNITUDE: i128 = 1_000_000_000_000;

/// Distribution of a whole number: how many ways lead to each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayCounts {
    low: i64,
    ways: Vec<UBig>,
}

impl WayCounts {
    /// Builds the distribution of the constant `value`.
    pub fn from_constant(value: i64) -> WayCounts {
        WayCounts { low: value, ways: vec![UBig::ONE] }
    }

    /// Builds the distribution of a fair die.
    pub fn from_die(sides: u16) -> WayCounts {
        WayCounts { low: 1, ways: vec![UBig::ONE; sides.into()] }
    }

    /// Builds the distribution of pairs of a value and its number of ways; a value may occur
    /// several times. There must be at least one pair.
    pub fn from_value_way_pairs(named: &[(i64, UBig)]) -> WayCounts {
        let values = named.iter().map(|(value, _)| *value);
        let (low, high) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
        let mut ways = vec![UBig::ZERO; (high - low) as usize + 1];
        for (value, n) in named {
            ways[(value - low) as usize] += n;
        }
        WayCounts { low, ways }
    }

    /// Returns the possible values with the number of ways to each, lowest first.
    pub fn values_with_ways(&self) -> impl DoubleEndedIterator<Item = (i64, &UBig)> {
        let values = self.ways.iter().enumerate().filter(|(_, ways)| **ways != UBig::ZERO);
        values.map(|(place, ways)| (self.low + place as i64, ways))
    }

    /// Returns the number of all ways in which the dice can fall.
    pub fn total_ways(&self) -> UBig {
        self.ways.iter().sum()
    }

    /// Returns the ways to `value` and all ways, not reduced.
    pub fn ways_to_value_and_total(&self, value: i64) -> (UBig, UBig) {
        let index = usize::try_from(value - self.low).ok();
        let ways = index.and_then(|index| self.ways.get(index)).cloned();
        (ways.unwrap_or_default(), self.total_ways())
    }

    /// Returns the only value, if there is only one.
    pub fn as_single_value(&self) -> Option<i64> {
        let mut values = self.values_with_ways();
        values.next().filter(|_| values.next().is_none()).map(|(value, _)| value)
    }

    /// Returns the lowest value and the highest.
    pub fn value_range(&self) -> (i64, i64) {
        let mut values = self.values_with_ways();
        let low = values.next().map_or(self.low, |(value, _)| value);
        (low, values.next_back().map_or(low, |(value, _)| value))
    }

    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        let (first, _) = self.sum_and_squares_above_low();
        self.low as f64 + divide_to_f64(&first, &self.total_ways())
    }

    /// Returns the standard deviation.
    pub fn deviation(&self) -> f64 {
        let total = self.total_ways();
        let (first, second) = self.sum_and_squares_above_low();
        // n·Σx² − (Σx)², which is never negative, is computed in whole numbers, so nothing cancels.
        let spread = &second * &total - &first * &first;
        divide_to_f64(&spread, &(&total * &total)).sqrt()
    }

    /// Sums x and x² over all ways, x counted from the lowest value.
    fn sum_and_squares_above_low(&self) -> (UBig, UBig) {
        let (mut first, mut second) = (UBig::ZERO, UBig::ZERO);
        for (x, ways) in self.ways.iter().enumerate().filter(|(_, ways)| **ways != UBig::ZERO) {
            first += ways * UBig::from(x);
            second += ways * UBig::from(x) * UBig::from(x);
        }
        (first, second)
    }

    /// Computes the distribution of `joined` of two independent numbers.
    ///
    /// # Errors
    /// If the work would exceed its budget or is cancelled.
    pub fn combine_independent(
        &self,
        other: &WayCounts,
        joined: impl Fn(i64, i64) -> i128,
        work: &mut WorkBudget,
    ) -> Result<WayCounts, CostOrCancelError> {
        let joined = &joined;
        let pairs = || {
            self.values_with_ways()
                .flat_map(|(a, m)| other.values_with_ways().map(move |(b, n)| (joined(a, b), m, n)))
        };
        work.charge_pairs(self.value_count_and_bits(), other.value_count_and_bits())?;
        // Visited twice: first for the ends, so that every value has its place.
        let (low, high) = pairs().fold((i128::MAX, i128::MIN), |(low, high), (value, ..)| {
            (low.min(value), high.max(value))
        });
        let mut ways = vec![UBig::ZERO; work.charge_value_range(low, high)?];
        for (value, m, n) in pairs() {
            ways[(value - low) as usize] += m * n;
        }
        Ok(WayCounts { low: check_value_size(low)?, ways })
    }

    /// Computes the distribution of the sum of `count` independent copies of this number.
    ///
    /// # Errors
    /// If the work would exceed its budget or is cancelled.
    pub fn sum_copies(
        &self,
        count: usize,
        work: &mut WorkBudget,
    ) -> Result<WayCounts, CostOrCancelError> {
        let fair = self.ways.iter().all(|ways| *ways == UBig::ONE);
        // The whole cost is paid before the first addition.
        let (many, long) = self.value_count_and_bits();
        let values = count.saturating_mul(count + 1) / 2 * self.ways.len();
        let bits = count * (1 + long.max(usize::BITS as usize - many.leading_zeros() as usize)) / 2;
        match fair {
            true => work.charge_sliding_window((many, bits), values)?,
            false => work.charge_multiplications(values.saturating_mul(many), bits, long)?,
        }
        let mut sum = WayCounts::from_constant(0);
        for _ in 0..count {
            work.check_cancelled()?;
            sum = match fair {
                true => sum.sum_with_fair_die(self),
                false => sum.combine_independent(
                    self,
                    |a, b| i128::from(a) + i128::from(b),
                    &mut work.fresh_budget(),
                )?,
            };
        }
        Ok(sum)
    }

    /// Computes the distribution of the sum with a number whose values are consecutive and equally
    /// likely: a window of them slides over the ways.
    fn sum_with_fair_die(&self, fair: &WayCounts) -> WayCounts {
        let length = self.ways.len() + fair.ways.len() - 1;
        let mut window = UBig::ZERO;
        let mut ways = Vec::with_capacity(length);
        for i in 0..length {
            if let Some(enters) = self.ways.get(i) {
                window += enters;
            }
            if let Some(leaves) = i.checked_sub(fair.ways.len()).and_then(|i| self.ways.get(i)) {
                window -= leaves;
            }
            ways.push(window.clone());
        }
        WayCounts { low: self.low + fair.low, ways }
    }

    /// Computes the distribution of `mapped` of the number.
    ///
    /// # Errors
    /// If the work would exceed its budget or is cancelled.
    pub fn map_each_value(
        &self,
        mapped: impl Fn(i64) -> i64,
        work: &mut WorkBudget,
    ) -> Result<WayCounts, CostOrCancelError> {
        self.combine_independent(
            &WayCounts::from_constant(0),
            |value, _| mapped(value).into(),
            work,
        )
    }

    /// Mixes several distributions, each with its weight in ways. There must be at least one.
    ///
    /// # Errors
    /// If the work would exceed its budget or is cancelled.
    pub fn mix_distributions(
        laws: &[(UBig, WayCounts)],
        work: &mut WorkBudget,
    ) -> Result<WayCounts, CostOrCancelError> {
        let totals: Vec<_> = laws.iter().map(|(_, law)| law.total_ways()).collect();
        let mut common = UBig::ONE;
        for total in &totals {
            common = &common / (&common).gcd(total) * total;
        }
        let mut named = Vec::new();
        for ((weight, law), total) in laws.iter().zip(&totals) {
            let factor = weight * (&common / total);
            work.charge_sliding_window(law.value_count_and_bits(), law.ways.len())?;
            named.extend(law.values_with_ways().map(|(value, ways)| (value, ways * &factor)));
        }
        let values = named.iter().map(|(value, _)| i128::from(*value));
        work.charge_value_range(values.clone().min().unwrap_or(0), values.max().unwrap_or(0))?;
        Ok(WayCounts::from_value_way_pairs(&named))
    }

    /// Returns the number of possible values, and the number of bits of the longest count.
    pub(super) fn value_count_and_bits(&self) -> DistributionSize {
        let digits = self.ways.iter().map(BitTest::bit_len).max().unwrap_or(0);
        (self.values_with_ways().count(), digits)
    }
}

/// Returns a value that is not too far from 0.
fn check_value_size(value: i128) -> Result<i64, CostOrCancelError> {
    match i64::try_from(value) {
        Ok(near) if value.abs() <= MAX_VALUE_MAGNITUDE => Ok(near),
        _ => Err(CostOrCancelError),
    }
}

/// Returns `numerator / denominator` as the nearest number or its neighbour, however large both
/// are. The denominator must be positive.
pub fn divide_to_f64(numerator: &UBig, denominator: &UBig) -> f64 {
    if *numerator == UBig::ZERO {
        return 0.0;
    }
    // A quotient of 65 or 66 bits: more than a double stores, and within its range.
    let scale = 65 + denominator.bit_len() as i64 - numerator.bit_len() as i64;
    let shift = scale.unsigned_abs() as usize;
    let quotient = if scale >= 0 {
        (numerator << shift) / denominator
    } else {
        numerator / (denominator << shift)
    };
    quotient.to_f64().value() * 2.0_f64.powi(-i32::try_from(scale).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_huge_numbers_are_finite() {
        let huge = UBig::from(6_u8).pow(1000);
        assert_eq!(divide_to_f64(&huge, &(&huge * UBig::from(4_u8))), 0.25);
        assert!((divide_to_f64(&huge, &(&huge * UBig::from(3_u8))) - 1.0 / 3.0).abs() < 1e-16);
        assert_eq!(divide_to_f64(&UBig::ONE, &huge), 0.0_f64.max(6.0_f64.powi(-1000)));
    }
}
