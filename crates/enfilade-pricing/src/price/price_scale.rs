//! The cost of a point of worth: one factor for the whole list.
//!
//! The factor is the centre of log price less log worth over the *other* units that have a price,
//! so that no unit affects its own answer. A file may settle it: by a unit whose price is right by
//! decision, or by the factor itself.

use super::ranged_value::RangedValue;
use super::worth_pool::LogWorthWithUncertainty;
use enfilade_stats::robust_line::{
    RobustCentre, RobustSlopeWithVariance, two_sided_student_quantile,
};

/// Other units with prices below which the scale is unknown.
pub const MIN_PRICES_FOR_SCALE: usize = 4;

/// Half the width of the interval of the scale, as a share of it, above which the scale is
/// uncertain.
pub const MAX_SCALE_HALF_WIDTH: f64 = 0.25;

/// The source of the scale of an arsenal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ScaleSource {
    /// The prices of the other units.
    #[default]
    ByPrices,
    /// The price of the unit at this position, which is right by decision.
    ByUnit(usize),
    /// A factor that the file sets.
    By(f64),
}

/// The cost of a point of worth, as logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct LogCostPerWorthPoint {
    /// The logarithm of the factor.
    pub log: f64,
    /// Its variance.
    pub variance: f64,
    /// Its degrees of freedom.
    pub df: f64,
    centre: Option<RobustCentre>,
}

impl LogCostPerWorthPoint {
    /// Computes the factor from log prices and log worths; `None` if they are too few.
    pub fn from_prices_and_worths(pairs: &[(f64, f64)]) -> Option<LogCostPerWorthPoint> {
        let off: Vec<f64> = pairs.iter().map(|(price, worth)| price - worth).collect();
        let centre =
            RobustCentre::from_values(&off).filter(|_| off.len() >= MIN_PRICES_FOR_SCALE)?;
        let (log, variance, df) =
            (centre.at, centre.variance_of_centre(), centre.degrees_of_freedom());
        Some(LogCostPerWorthPoint { log, variance, df, centre: Some(centre) })
    }

    /// Computes the factor from one unit whose price is right, with the uncertainty of its worth.
    pub fn from_anchor_unit(price: f64, worth: &LogWorthWithUncertainty) -> LogCostPerWorthPoint {
        let (variance, df) = (worth.variance, worth.df);
        LogCostPerWorthPoint { log: price.ln() - worth.log, variance, df, centre: None }
    }

    /// Creates the factor from its value.
    pub fn from_given_factor(factor: f64) -> LogCostPerWorthPoint {
        LogCostPerWorthPoint { log: factor.ln(), variance: 0.0, df: f64::INFINITY, centre: None }
    }

    /// The factor with its 95 % interval.
    pub fn to_value_and_interval(&self) -> RangedValue {
        let half = two_sided_student_quantile(0.05, self.df) * self.variance.sqrt();
        RangedValue::from_log_and_half(self.log, half)
    }

    /// Returns the factor with the uncertainty that `more` further prices of the same kind would
    /// give.
    pub fn with_more_prices(&self, more: usize) -> LogCostPerWorthPoint {
        let known = self.centre.as_ref().map(|centre| centre.variance_with_more_values(more));
        let (variance, df) = known.unwrap_or((self.variance, self.df));
        LogCostPerWorthPoint { variance, df, ..self.clone() }
    }
}

/// The scale of an arsenal for reports: no unit is judged by it, but by that of the others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PriceScale {
    /// The cost of a point of worth.
    pub k: RangedValue,
    /// Standard deviation of log prices about it; `None` if the file settles it.
    pub scatter: Option<f64>,
    /// The slope of log prices over log worths: 1 if twice the worth costs twice as much.
    pub slope: Option<RobustSlopeWithVariance>,
    /// Positions of the units whose prices are ignored, because they are far off.
    pub outliers: Vec<usize>,
    /// Its source.
    pub source: ScaleSource,
}

impl PriceScale {
    /// Builds the scale from `factor`, and the pairs of log price and log worth of the units at
    /// these positions.
    pub(super) fn from_factor(
        factor: &LogCostPerWorthPoint,
        source: ScaleSource,
        (places, pairs): (&[usize], &[(f64, f64)]),
    ) -> PriceScale {
        let weights = factor.centre.iter().flat_map(|centre| &centre.weights);
        let ignored = weights.zip(places).filter(|(weight, _)| **weight == 0.0);
        let points: Vec<(f64, f64)> = pairs.iter().map(|(price, worth)| (*worth, *price)).collect();
        PriceScale {
            k: factor.to_value_and_interval(),
            scatter: factor.centre.as_ref().map(|centre| centre.scatter.sqrt()),
            slope: RobustSlopeWithVariance::fit_points_by_bisquare(&points)
                .filter(|_| points.len() >= MIN_PRICES_FOR_SCALE),
            outliers: ignored.map(|(_, place)| *place).collect(),
            source,
        }
    }

    /// Whether the prices follow no one scale.
    pub fn do_prices_disagree_with_scale(&self) -> bool {
        self.source == ScaleSource::ByPrices
            && self.k.high / self.k.best > 1.0 + MAX_SCALE_HALF_WIDTH
    }

    /// The cost of twice the worth, if it surely is not twice as much.
    pub fn price_factor_of_double_worth(&self) -> Option<RangedValue> {
        let slope = self.slope?;
        let (at, half) = (slope.at, slope.half_width_95_percent());
        let apart = (at - 1.0).abs() > half && half.is_finite();
        let [best, low, high] = [at, at - half, at + half].map(|slope| 2f64.powf(slope));
        apart.then_some(RangedValue { best, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: prices at half of the worth, in four units; three are too few.
    #[test]
    fn a_factor_is_what_a_point_of_worth_costs() {
        let pairs: Vec<(f64, f64)> =
            [10.0f64, 40.0, 90.0, 200.0].map(|worth| ((0.5 * worth).ln(), worth.ln())).to_vec();
        let factor = LogCostPerWorthPoint::from_prices_and_worths(&pairs).expect("enough");
        assert!((factor.log - 0.5f64.ln()).abs() < 1e-12 && factor.variance < 1e-12);
        assert_eq!(LogCostPerWorthPoint::from_prices_and_worths(&pairs[..3]), None);
        let scale =
            PriceScale::from_factor(&factor, ScaleSource::ByPrices, (&[3, 5, 6, 8], &pairs));
        assert!(
            (scale.k.best - 0.5).abs() < 1e-9
                && !scale.do_prices_disagree_with_scale()
                && scale.price_factor_of_double_worth().is_none()
        );
        assert_eq!(LogCostPerWorthPoint::from_given_factor(0.62).to_value_and_interval().low, 0.62);
    }

    /// Worth to the power 1.4: twice of it costs 2.64 times. One price is a hundred times too high.
    #[test]
    fn a_slope_is_told_where_it_is_none_of_one() {
        let pair = |i: usize| {
            let worth = 3.0 + 0.3 * i as f64;
            (1.4 * worth + 0.02 * (i as f64 * 2.4).sin() + if i == 4 { 4.6 } else { 0.0 }, worth)
        };
        let pairs: Vec<(f64, f64)> = (0..12).map(pair).collect();
        let places: Vec<usize> = (0..12).collect();
        let factor = LogCostPerWorthPoint::from_prices_and_worths(&pairs).expect("enough");
        let scale = PriceScale::from_factor(&factor, ScaleSource::ByPrices, (&places, &pairs));
        let twice = scale.price_factor_of_double_worth().expect("it is steeper");
        assert!((twice.best - 2f64.powf(1.4)).abs() < 0.05 && twice.low > 2.0, "{twice:?}");
        // The interval of the slope is even about it.
        assert!((twice.high / twice.best - twice.best / twice.low).abs() < 1e-9, "{twice:?}");
        assert_eq!(scale.outliers, [4]);
    }

    #[test]
    fn a_scale_is_in_doubt_where_prices_scatter() {
        let pair = |i: usize| (3.0 + [0.9, -0.8, 0.5, -0.6, 0.1, -0.2][i], 3.0);
        let pairs: Vec<(f64, f64)> = (0..6).map(pair).collect();
        let factor = LogCostPerWorthPoint::from_prices_and_worths(&pairs).expect("enough");
        let scale =
            PriceScale::from_factor(&factor, ScaleSource::ByPrices, (&[0, 1, 2, 3, 4, 5], &pairs));
        assert!(scale.do_prices_disagree_with_scale(), "{scale:?}");
        let settled = PriceScale { source: ScaleSource::By(1.0), ..scale };
        assert!(!settled.do_prices_disagree_with_scale(), "a file settles it");
    }
}
