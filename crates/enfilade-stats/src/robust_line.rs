//! The centre of numbers and the slope of a line through points, some of which are wrong.
//!
//! Both are M-estimates with bisquare weights (Beaton & Tukey 1974). They begin at a median (of the
//! numbers; of the slopes between all pairs, Sen 1968), and the scale beyond which a value counts
//! for nothing is the median absolute deviation from there. The scale is fixed, so that the steps
//! converge. A value that is far off is discarded. The error comes from the same sums, with no
//! draws. Not here: high leverage; the places are worths of weapons, not errors.

use std::f64::consts::SQRT_2;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc_inv;

/// Number of scales at which a value counts for nothing: 95 % efficient on normal values.
const BISQUARE_CUTOFF: f64 = 4.685;

/// Standard deviation of normal values over their median absolute deviation.
const DEVIATION_PER_MAD: f64 = 1.4826;

/// Factor that makes the weighted mean square of normal values with bisquare weights their
/// variance, by integration.
const VARIANCE_CORRECTION: f64 = 1.21;

/// Least scale: values that differ by less are equal.
const MIN_RESIDUAL_SCALE: f64 = 1e-3;

/// Largest number of reweighting steps; ten are usual.
const MAX_REWEIGHTING_STEPS: usize = 50;

/// Number of values below which the error is less certain than the number of values suggests.
const MIN_RELIABLE_VALUES: usize = 8;

/// Centre of numbers with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct RobustCentre {
    /// Position of the centre.
    pub at: f64,
    /// Weight of each number, 0 to 1, in the order of the numbers.
    pub weights: Vec<f64>,
    /// Variance of a number about the centre.
    pub scatter: f64,
}

impl RobustCentre {
    /// Computes the centre of `values`; `None` without any.
    ///
    /// ```
    /// use enfilade_stats::robust_line::RobustCentre;
    /// let centre = RobustCentre::from_values(&[1.0, 1.1, 0.9, 1.0, 7.0]).expect("there are numbers");
    /// assert!((centre.at - 1.0).abs() < 1e-9);
    /// assert_eq!(centre.weights[4], 0.0);
    /// ```
    pub fn from_values(values: &[f64]) -> Option<RobustCentre> {
        let mut at = median_of_values(values.to_vec())?;
        let off = |at: f64| values.iter().map(move |value| value - at);
        let scale = scale_of_residuals(off(at), values.len(), 1);
        let mut weights = bisquare_weights(off(at), scale);
        for _ in 0..MAX_REWEIGHTING_STEPS {
            let sum: f64 = weights.iter().sum();
            let next = values.iter().zip(&weights).map(|(v, w)| v * w).sum::<f64>() / sum;
            let change = (next - at).abs();
            at = next;
            weights = bisquare_weights(off(at), scale);
            if change < 1e-12 {
                break;
            }
        }
        let square = off(at).zip(&weights).map(|(off, w)| w * off.powi(2)).sum::<f64>();
        let free = weights.iter().sum::<f64>() - 1.0;
        Some(RobustCentre { at, weights, scatter: VARIANCE_CORRECTION * square / free.max(1.0) })
    }

    fn sum_of_weights(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Returns the variance of the centre.
    pub fn variance_of_centre(&self) -> f64 {
        self.scatter / self.sum_of_weights()
    }

    /// Returns the degrees of freedom of the variance.
    pub fn degrees_of_freedom(&self) -> f64 {
        degrees_of_freedom_after_fit(self.sum_of_weights(), 1, self.weights.len())
    }

    /// Returns variance and degrees of freedom if there were `more` numbers of the same kind.
    pub fn variance_with_more_values(&self, more: usize) -> (f64, f64) {
        let all = self.weights.len() + more;
        let sum = self.sum_of_weights() * all as f64 / self.weights.len() as f64;
        (self.scatter / sum, degrees_of_freedom_after_fit(sum, 1, all))
    }
}

/// Slope of a line with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobustSlopeWithVariance {
    /// Value of the slope.
    pub at: f64,
    /// Variance of the slope.
    pub variance: f64,
    /// Degrees of freedom of the variance.
    pub df: f64,
}

impl RobustSlopeWithVariance {
    /// Computes the slope of the line through `points` (x, y); `None` where no two of them differ
    /// in x.
    ///
    /// ```
    /// use enfilade_stats::robust_line::RobustSlopeWithVariance;
    /// let mut points: Vec<_> = (0..20).map(|i| (f64::from(i), 3.0 + 1.4 * f64::from(i))).collect();
    /// points[7].1 += 5.0;
    /// let slope = RobustSlopeWithVariance::fit_points_by_bisquare(&points).expect("they differ");
    /// assert!((slope.at - 1.4).abs() < 1e-9);
    /// ```
    pub fn fit_points_by_bisquare(points: &[(f64, f64)]) -> Option<RobustSlopeWithVariance> {
        let pairs = points.iter().enumerate();
        let pairs = pairs.flat_map(|(place, b)| points[..place].iter().map(move |a| (a, b)));
        let differ = pairs.filter(|(a, b)| a.0 != b.0).map(|(a, b)| (b.1 - a.1) / (b.0 - a.0));
        let mut slope = median_of_values(differ.collect())?;
        let mut start = median_of_values(points.iter().map(|(x, y)| y - slope * x).collect())?;
        let off = |start: f64, slope: f64| points.iter().map(move |(x, y)| y - start - slope * x);
        let scale = scale_of_residuals(off(start, slope), points.len(), 2);
        let sums = |start: f64, slope: f64| {
            WeightedCentredSums::from_points(points, &bisquare_weights(off(start, slope), scale))
        };
        let mut last = sums(start, slope);
        for _ in 0..MAX_REWEIGHTING_STEPS {
            if last.xx <= 0.0 {
                break;
            }
            let next = last.xy / last.xx;
            let change = (next - slope).abs();
            (slope, start) = (next, last.y - next * last.x);
            last = sums(start, slope);
            if change < 1e-12 {
                break;
            }
        }
        let weights = bisquare_weights(off(start, slope), scale);
        let square = off(start, slope).zip(&weights).map(|(r, w)| w * r * r).sum::<f64>();
        // Level, slope and scale are fitted.
        let scatter = VARIANCE_CORRECTION * square / (last.weight - 3.0).max(1.0);
        let variance = if last.xx > 0.0 { scatter / last.xx } else { f64::INFINITY };
        let df = degrees_of_freedom_after_fit(last.weight, 2, points.len());
        Some(RobustSlopeWithVariance { at: slope, variance, df })
    }

    /// Returns half the width of the 95 % interval.
    pub fn half_width_95_percent(&self) -> f64 {
        two_sided_student_quantile(0.05, self.df) * self.variance.sqrt()
    }
}

/// Computes the scale of residuals to which `fitted` numbers were fitted.
fn scale_of_residuals(residuals: impl Iterator<Item = f64>, count: usize, fitted: usize) -> f64 {
    let off = median_of_values(residuals.map(f64::abs).collect()).unwrap_or(0.0);
    let free = count.saturating_sub(fitted).max(1) as f64;
    (DEVIATION_PER_MAD * off * (count as f64 / free).sqrt()).max(MIN_RESIDUAL_SCALE)
}

fn bisquare_weights(residuals: impl Iterator<Item = f64>, scale: f64) -> Vec<f64> {
    let weight = |r: f64| (1.0 - (r / (BISQUARE_CUTOFF * scale)).powi(2)).max(0.0).powi(2);
    residuals.map(weight).collect()
}

/// Computes the degrees of freedom of a variance about `fitted` numbers: one less where the values
/// are few.
fn degrees_of_freedom_after_fit(sum: f64, fitted: usize, count: usize) -> f64 {
    let few = if count < MIN_RELIABLE_VALUES { 1.0 } else { 0.0 };
    (sum - fitted as f64 - few).max(1.0)
}

/// Computes the half width, in standard errors, of an interval of Student's t with `df` degrees of
/// freedom that misses with probability `missing`; that of the normal distribution for many
/// degrees.
pub fn two_sided_student_quantile(missing: f64, df: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, df) {
        Ok(law) if df < 1e4 => law.inverse_cdf(1.0 - 0.5 * missing),
        _ => SQRT_2 * erfc_inv(missing),
    }
}

/// Weighted sums about their means.
struct WeightedCentredSums {
    weight: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl WeightedCentredSums {
    fn from_points(points: &[(f64, f64)], weights: &[f64]) -> WeightedCentredSums {
        let pairs = || points.iter().zip(weights);
        let weight: f64 = weights.iter().sum();
        let x = pairs().map(|((x, _), w)| w * x).sum::<f64>() / weight;
        let y = pairs().map(|((_, y), w)| w * y).sum::<f64>() / weight;
        let xx = pairs().map(|((a, _), w)| w * (a - x) * (a - x)).sum();
        let xy = pairs().map(|((a, b), w)| w * (a - x) * (b - y)).sum();
        WeightedCentredSums { weight, x, y, xx, xy }
    }
}

/// Returns the median; the mean of the two middle values for an even number. `None` without values.
pub fn median_of_values(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    Some(match values.len() % 2 {
        0 => 0.5 * (values[half - 1] + upper),
        _ => upper,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_draws::RandomDraws;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median_of_values(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median_of_values(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
        assert_eq!(median_of_values(Vec::new()), None);
    }

    /// By hand: −1, 0, 0, 1 about 0. The median deviation is ½, the scale 1.4826·½·√(4/3) =
    /// 0.85598, and ±1 weigh (1 − (1/4.0103)²)² = 0.87951. Their square sum is 1.75902, all weigh
    /// 3.75902.
    #[test]
    fn a_centre_has_the_error_of_its_sums() {
        let centre = RobustCentre::from_values(&[-1.0, 0.0, 0.0, 1.0]).expect("numbers");
        assert!(centre.at.abs() < 1e-12 && (centre.weights[0] - 0.87951).abs() < 1e-4);
        let scatter = 1.21 * 1.75902 / 2.75902;
        assert!((centre.scatter - scatter).abs() < 1e-4, "{centre:?}");
        assert!((centre.variance_of_centre() - scatter / 3.75902).abs() < 1e-4);
        assert!((centre.degrees_of_freedom() - 1.75902).abs() < 1e-4, "one less for being few");
        let (variance, df) = centre.variance_with_more_values(4);
        assert!((variance - scatter / 7.51804).abs() < 1e-4 && (df - 6.51804).abs() < 1e-4);
        assert_eq!(RobustCentre::from_values(&[]), None);
        let one = RobustCentre::from_values(&[3.0]).expect("a number");
        assert_eq!((one.at, one.scatter, one.degrees_of_freedom()), (3.0, 0.0, 1.0));
    }

    /// By hand: 0 and 1 are ½ off. The scale is 1.4826·½·√2 = 1.04836, and each weighs
    /// (1 − (½/4.9116)²)² = 0.97938.
    #[test]
    fn the_scale_of_two_has_one_free() {
        let centre = RobustCentre::from_values(&[0.0, 1.0]).expect("numbers");
        assert!((centre.at - 0.5).abs() < 1e-12);
        assert!((centre.weights[0] - 0.979_380_573_553).abs() < 1e-9);
        assert!((centre.scatter - 0.592_525_246_999_6).abs() < 1e-9);
    }

    /// Expected values: mpmath, 40 digits, from the definitions. The slope falls from the median of
    /// all pairs, and the places are within less than 1 of each other.
    #[test]
    fn a_slope_is_that_of_its_definition() {
        let points = [(0.0, 1.0), (0.1, 0.8), (0.2, 0.1), (0.3, -0.9), (0.4, -1.0), (0.5, -3.0)];
        let slope = RobustSlopeWithVariance::fit_points_by_bisquare(&points).expect("points");
        assert!((slope.at + 7.515_774_375_511_4).abs() < 1e-9, "{slope:?}");
        assert!((slope.variance - 2.601_841_988_901_5).abs() < 1e-9, "{slope:?}");
        assert!((slope.df - 2.572_271_686_445_2).abs() < 1e-9, "{slope:?}");
    }

    /// Clean, of Student's t with three degrees of freedom, and with one number ten times too high.
    #[test]
    fn a_centre_is_covered_at_its_stated_rate() {
        let mut draws = RandomDraws::new([5; 32]);
        let t3 =
            |draws: &mut RandomDraws| draws.draw_normal() / (draws.draw_gamma(1.5) / 1.5).sqrt();
        for (count, scatter) in [(5, 0.1), (7, 0.3), (8, 0.2), (12, 0.4), (30, 0.2)] {
            for kind in ["normal", "t", "liar"] {
                let rounds = 4000;
                let holds = |_| {
                    let mut one = |_| match kind {
                        "t" => scatter * t3(&mut draws),
                        _ => scatter * draws.draw_normal(),
                    };
                    let mut values: Vec<f64> = (0..count).map(&mut one).collect();
                    if kind == "liar" {
                        values[0] += 10f64.ln();
                    }
                    let centre = RobustCentre::from_values(&values).expect("numbers");
                    centre.at.abs()
                        <= two_sided_student_quantile(0.05, centre.degrees_of_freedom())
                            * centre.variance_of_centre().sqrt()
                };
                let held = (0..rounds).map(holds).filter(|held| *held).count();
                let share = held as f64 / rounds as f64;
                println!("{count} of {scatter}, {kind}: {share}");
                assert!((0.92..=0.98).contains(&share), "{count} of {scatter}, {kind}: {share}");
            }
        }
    }

    /// Six on a line of slope 1.5 and two elsewhere: theirs, not 1. A level line has no slope, and
    /// points above each other none.
    #[test]
    fn a_slope_is_that_of_most() {
        let line = (0..6).map(|i| (f64::from(i), 1.5 * f64::from(i)));
        let points: Vec<_> = line.chain([(1.0, 9.0), (3.0, -9.0)]).collect();
        let slope = RobustSlopeWithVariance::fit_points_by_bisquare(&points).expect("points");
        assert!((slope.at - 1.5).abs() < 1e-6 && slope.half_width_95_percent() < 1e-6, "{slope:?}");
        let level =
            RobustSlopeWithVariance::fit_points_by_bisquare(&[(1.0, 2.0), (2.0, 2.0), (5.0, 2.0)])
                .expect("points");
        assert_eq!(level.at, 0.0);
        assert_eq!(
            RobustSlopeWithVariance::fit_points_by_bisquare(&[(2.0, 3.0), (2.0, 9.0)]),
            None
        );
        assert_eq!(RobustSlopeWithVariance::fit_points_by_bisquare(&[]), None);
    }

    #[test]
    fn a_slope_is_covered_at_its_stated_rate() {
        let mut draws = RandomDraws::new([6; 32]);
        for count in [6, 12, 40] {
            let rounds = 3000;
            let holds = |_| {
                let mut point =
                    |i: usize| (0.3 * i as f64, 0.21 * i as f64 + 0.2 * draws.draw_normal());
                let points: Vec<_> = (0..count).map(&mut point).collect();
                let slope =
                    RobustSlopeWithVariance::fit_points_by_bisquare(&points).expect("points");
                (slope.at - 0.7).abs() <= slope.half_width_95_percent()
            };
            let share = (0..rounds).map(holds).filter(|held| *held).count() as f64 / rounds as f64;
            println!("{count}: {share}");
            assert!((0.92..=0.99).contains(&share), "{count}: {share}");
        }
    }

    /// Tables of Student's t: 4.303 at 2 degrees of freedom, 2.228 at 10, 1.960 at many; 90 %:
    /// 1.812.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (missing, df, t) in [
            (0.05, 2.0, 4.303),
            (0.05, 10.0, 2.228),
            (0.05, f64::INFINITY, 1.960),
            (0.10, 10.0, 1.812),
        ] {
            assert!((two_sided_student_quantile(missing, df) - t).abs() < 1e-3, "{missing} {df}");
        }
    }
}
