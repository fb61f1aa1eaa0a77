//! Uncertainty of a price, its main cause, and the additions that would reduce it.
//!
//! A log price is a log factor and a log worth. Its half width is that of three independent parts
//! in quadrature, each with its own quantile: the factor, with the units it is taken from; the
//! worth, over opponents and rolled battles; the assumptions, whose range is stated and needs no
//! Student. Nothing is sampled: the same evidence gives the same interval to the last digit.

use super::price_scale::LogCostPerWorthPoint;
use super::ranged_value::RangedValue;
use super::worth_pool::{LogWorthWithUncertainty, mean_square_over_range};
use enfilade_stats::robust_line::two_sided_student_quantile;

/// Uncertainty of a log price, by cause.
#[derive(Clone, Debug, PartialEq)]
pub struct LogPriceUncertainty {
    /// The cost of a point of worth; `None` in points of the opponents' troops.
    pub factor: Option<LogCostPerWorthPoint>,
    /// The log worth, and the change by each assumption.
    pub worth: LogWorthWithUncertainty,
    /// How unevenly the opponents are weighted: 1/K for K equal ones.
    pub concentration: f64,
}

/// The main cause of an uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceUncertaintyCause {
    /// The cost of a point of worth.
    Scale,
    /// The choice of opponents.
    Opponents,
    /// The assumption at this position.
    Assumption(usize),
}

/// Degrees of freedom for the normal quantile: an assumption's range is known.
const NORMAL_DEGREES_OF_FREEDOM: f64 = f64::INFINITY;

impl LogPriceUncertainty {
    /// The log price.
    pub fn log_price(&self) -> f64 {
        self.worth.log + self.factor.as_ref().map_or(0.0, |factor| factor.log)
    }

    /// Variances of the log price with their degrees of freedom: of the factor, of the worth, of
    /// the assumptions.
    fn variance_parts(&self) -> [(f64, f64); 3] {
        let factor =
            self.factor.as_ref().map_or((0.0, NORMAL_DEGREES_OF_FREEDOM), |f| (f.variance, f.df));
        let assumptions: f64 =
            self.worth.effects.iter().map(|ends| mean_square_over_range(*ends)).sum();
        [factor, (self.worth.variance, self.worth.df), (assumptions, NORMAL_DEGREES_OF_FREEDOM)]
    }

    /// Half width of an interval that misses with probability `missing`.
    pub fn half_width_with_miss_chance(&self, missing: f64) -> f64 {
        let squares = self.variance_parts().map(|part| squared_half_width(missing, part));
        squares.iter().sum::<f64>().sqrt()
    }

    /// The price, with an interval that misses with probability `missing`.
    pub fn price_and_interval(&self, missing: f64) -> RangedValue {
        let half = self.half_width_with_miss_chance(missing);
        RangedValue::from_log_and_half(self.log_price(), half)
    }

    /// Half the width of the 95 % interval of the worth alone, over opponents.
    pub fn worth_half_width(&self) -> f64 {
        two_sided_student_quantile(0.05, self.worth.df) * self.worth.variance.sqrt()
    }

    /// The largest cause; `None` if the price is certain.
    pub fn largest_cause(&self) -> Option<PriceUncertaintyCause> {
        let [factor, worth, _] = self.variance_parts();
        let assumed = self.worth.effects.iter().enumerate().map(|(i, ends)| {
            let variance = mean_square_over_range(*ends);
            (PriceUncertaintyCause::Assumption(i), (variance, NORMAL_DEGREES_OF_FREEDOM))
        });
        let all =
            [(PriceUncertaintyCause::Scale, factor), (PriceUncertaintyCause::Opponents, worth)];
        let all = all.into_iter().chain(assumed);
        let squares = all.map(|(cause, part)| (cause, squared_half_width(0.05, part)));
        let most = squares.reduce(|most, next| if next.1 > most.1 { next } else { most });
        most.filter(|(_, square)| *square > 0.0).map(|(cause, _)| cause)
    }

    /// The remaining uncertainty when an assumption is fixed at its default.
    pub fn with_fixed_assumption(&self, assumption: usize) -> LogPriceUncertainty {
        let mut left = self.clone();
        left.worth.effects[assumption] = (0.0, 0.0);
        left
    }

    /// The remaining uncertainty with one more opponent that differs from the others as they
    /// differ.
    pub fn with_one_more_opponent(&self) -> LogPriceUncertainty {
        let mut left = self.clone();
        left.concentration = 1.0 / (1.0 / self.concentration + 1.0);
        left.worth.variance *= left.concentration / self.concentration;
        left.worth.df += 1.0;
        left
    }

    /// The remaining uncertainty with `more` further weapons whose prices scatter like these.
    pub fn forecast_with_more_weapons(&self, more: usize) -> LogPriceUncertainty {
        let factor = self.factor.as_ref().map(|factor| factor.with_more_prices(more));
        LogPriceUncertainty { factor, ..self.clone() }
    }
}

/// Square of the half width of an interval that misses with probability `missing`, from a variance
/// and its degrees of freedom.
fn squared_half_width(missing: f64, (variance, df): (f64, f64)) -> f64 {
    two_sided_student_quantile(missing, df).powi(2) * variance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(
        factor: Option<LogCostPerWorthPoint>,
        worth: LogWorthWithUncertainty,
        concentration: f64,
    ) -> LogPriceUncertainty {
        LogPriceUncertainty { factor, worth, concentration }
    }

    fn known(variance: f64, df: f64, effects: &[(f64, f64)]) -> LogWorthWithUncertainty {
        LogWorthWithUncertainty { log: 3.0, variance, df, effects: effects.to_vec() }
    }

    /// One opponent: 3.182 · 0.35 is 1.114, a factor of 3.05. Two: 2.776 · 0.35 / √2, 1.99.
    #[test]
    fn the_stated_prior_has_the_stated_widths() {
        for (opponents, df, factor) in [(1.0, 3.0, 3.05), (2.0, 4.0, 1.99)] {
            let doubt = doubt(None, known(0.1225 / opponents, df, &[]), 1.0 / opponents);
            assert!((doubt.half_width_with_miss_chance(0.05).exp() - factor).abs() < 0.01);
            assert!(
                doubt.half_width_with_miss_chance(0.10) < doubt.half_width_with_miss_chance(0.05)
            );
            assert_eq!(
                (doubt.largest_cause(), doubt.log_price()),
                (Some(PriceUncertaintyCause::Opponents), 3.0)
            );
        }
    }

    /// By hand: 2.228²·0.01 and 1.96²·(0.36/6), in quadrature.
    #[test]
    fn parts_add_up_in_quadrature() {
        let doubt = doubt(None, known(0.01, 10.0, &[(-0.3, 0.3), (0.0, 0.0)]), 0.25);
        let (worth, model) = (2.228_139_f64.powi(2) * 0.01, 1.959_964_f64.powi(2) * 0.03);
        assert!((doubt.half_width_with_miss_chance(0.05) - (worth + model).sqrt()).abs() < 1e-6);
        assert!((doubt.worth_half_width() - worth.sqrt()).abs() < 1e-6);
        assert_eq!(doubt.largest_cause(), Some(PriceUncertaintyCause::Assumption(0)));
        assert!(
            (doubt.with_fixed_assumption(0).half_width_with_miss_chance(0.05) - worth.sqrt()).abs()
                < 1e-6
        );
    }

    #[test]
    fn everything_that_helps_narrows() {
        let off = |i: i32| 0.3 * f64::from(i * 7 % 5 - 2);
        let pairs: Vec<_> = (0..9).map(|i| (f64::from(i) + off(i), f64::from(i))).collect();
        let factor = LogCostPerWorthPoint::from_prices_and_worths(&pairs).expect("enough");
        let doubt = doubt(Some(factor.clone()), known(0.01, 5.0, &[(0.1, -0.1)]), 0.2);
        let half = doubt.half_width_with_miss_chance(0.05);
        for left in [
            doubt.with_fixed_assumption(0),
            doubt.with_one_more_opponent(),
            doubt.forecast_with_more_weapons(10),
        ] {
            assert!(left.half_width_with_miss_chance(0.05) < half);
        }
        assert!((doubt.log_price() - 3.0 - factor.log).abs() < 1e-12);
    }

    /// Of five opponents one counts a fifth, of six a sixth: 0.06 over five is 0.05 over six.
    #[test]
    fn one_more_opponent_is_a_sixth_of_six() {
        let six = doubt(None, known(0.06, 7.0, &[]), 0.2).with_one_more_opponent();
        assert!((six.concentration - 1.0 / 6.0).abs() < 1e-12);
        assert!((six.worth.variance - 0.05).abs() < 1e-12 && six.worth.df == 8.0);
    }

    #[test]
    fn what_is_certain_has_no_width() {
        let doubt = doubt(None, known(0.0, 3.0, &[]), 1.0);
        assert_eq!((doubt.half_width_with_miss_chance(0.05), doubt.largest_cause()), (0.0, None));
    }
}
