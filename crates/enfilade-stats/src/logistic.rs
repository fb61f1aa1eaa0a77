//! The indifference point of a curve of wins: where a falling chance passes one half.
//!
//! * Shares that were simulated are fitted by logistic regression. The likelihood has Jeffreys'
//!   penalty (Firth 1993), so that a curve that falls from all to nothing between two points has a
//!   finite slope. The interval of the point is Fieller's (1954; Finney, "Probit analysis"): all x
//!   at which the fitted log odds may be 0. Where the shares scatter more about the curve than
//!   their trials allow, the interval is widened by Finney's heterogeneity factor, with Student's
//!   t.
//! * Shares that are all exact need no fit: they are certain, and the point is found between the
//!   two around it by interpolating the log odds. Its interval is the point itself.
//! * Exact shares among simulated ones weigh as [`TRIALS_FOR_EXACT_SHARE`] trials.
//!
//! A curve that never passes one half has no such point, only a bound; it is returned as one.
//! The two-by-two systems are nalgebra's. Not here: other links; a probit differs by less than the
//! heterogeneity factor sees.

use nalgebra::{Matrix2, Vector2};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::intervals::ConfidenceLevel;
use super::isotonic::fit_decreasing_sequence;

/// Trials that an exact share among simulated ones counts for.
pub const TRIALS_FOR_EXACT_SHARE: f64 = 1e7;

/// Largest number of Newton steps; the fit found by then is used. Ten are usual.
const MAX_NEWTON_STEPS: usize = 100;

/// Least share whose log odds are used: beyond 1 % and 99 % they carry little information about the
/// crossing.
const MIN_LOG_ODDS_SHARE: f64 = 0.01;

/// Share of wins observed at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedWinShare {
    /// Place of the observation.
    pub x: f64,
    /// Share of wins there, between 0 and 1.
    pub share: f64,
    /// Trials behind the share; `None` where it is exact.
    pub trials: Option<u64>,
}

/// Place where a curve passes one half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HalfWinCrossingOrEnd {
    /// At a place within the curve.
    At {
        /// Estimate of the place.
        at: f64,
        /// Lower end of its interval; −∞ where the curve sets no limit.
        low: f64,
        /// Upper end of its interval; ∞ where the curve sets no limit.
        high: f64,
    },
    /// No crossing: above one half up to the last place, which is given.
    Beyond(f64),
    /// No crossing: below one half from the first place on, which is given.
    Before(f64),
}

/// Finds where the curve through `points` passes one half, with an interval at `level`.
///
/// Points that are not numbers or have no trials are left out; `None` when none is left.
///
/// ```
/// use enfilade_stats::intervals::ConfidenceLevel;
/// use enfilade_stats::logistic::{HalfWinCrossingOrEnd, ObservedWinShare, find_half_crossing};
/// let exact = |x, share| ObservedWinShare { x, share, trials: None };
/// let curve = [exact(10.0, 0.8), exact(20.0, 0.6), exact(30.0, 0.4)];
/// assert_eq!(
///     find_half_crossing(&curve, ConfidenceLevel::P95),
///     Some(HalfWinCrossingOrEnd::At { at: 25.0, low: 25.0, high: 25.0 })
/// );
/// ```
pub fn find_half_crossing(
    points: &[ObservedWinShare],
    level: ConfidenceLevel,
) -> Option<HalfWinCrossingOrEnd> {
    let points = sort_finite_points(points);
    let (first, last) = (points.first()?, points.last()?);
    let weights: Vec<f64> = points.iter().map(trials_or_large_if_exact).collect();
    let shares: Vec<f64> = points.iter().map(|point| point.share).collect();
    let shares = fit_decreasing_sequence(&shares, &weights);
    if *shares.last()? > 0.5 {
        return Some(HalfWinCrossingOrEnd::Beyond(last.x));
    }
    if shares[0] < 0.5 {
        return Some(HalfWinCrossingOrEnd::Before(first.x));
    }
    let between = interpolate_half_crossing(&points, &shares);
    if points.iter().all(|point| point.trials.is_none()) {
        return Some(HalfWinCrossingOrEnd::At { at: between, low: between, high: between });
    }
    // Where the trials bound nothing, the point is still returned, with infinite ends.
    let fitted = LogisticFit::fit_points(&points).and_then(|fit| fit.half_crossing(level));
    Some(fitted.unwrap_or(HalfWinCrossingOrEnd::At {
        at: between,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    }))
}

/// Computes how badly a logistic curve fits: twice the logarithm of the likelihood lost, per trial.
/// 0 where there are too few points.
pub fn curve_deviance_per_trial(points: &[ObservedWinShare]) -> f64 {
    let points = sort_finite_points(points);
    let total: f64 = points.iter().map(trials_or_large_if_exact).sum();
    LogisticFit::fit_points(&points).map_or(0.0, |fit| fit.deviance(&points) / total)
}

fn sort_finite_points(points: &[ObservedWinShare]) -> Vec<ObservedWinShare> {
    let usable =
        |p: &&ObservedWinShare| p.x.is_finite() && p.share.is_finite() && p.trials != Some(0);
    let mut points: Vec<ObservedWinShare> = points.iter().filter(usable).copied().collect();
    for point in &mut points {
        point.share = point.share.clamp(0.0, 1.0);
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

fn trials_or_large_if_exact(point: &ObservedWinShare) -> f64 {
    point.trials.map_or(TRIALS_FOR_EXACT_SHARE, |trials| trials as f64)
}

/// Interpolates where shares that fall from one half or more to one half or less pass it.
fn interpolate_half_crossing(points: &[ObservedWinShare], shares: &[f64]) -> f64 {
    let above = shares.iter().rposition(|&share| share > 0.5);
    let below = shares.iter().position(|&share| share < 0.5);
    let half: Vec<f64> =
        (0..shares.len()).filter(|&i| shares[i] == 0.5).map(|i| points[i].x).collect();
    match (half.first(), half.last(), above, below) {
        // A stretch at one half: its middle.
        (Some(first), Some(last), ..) => 0.5 * (first + last),
        (_, _, Some(a), Some(b)) => {
            let odds = |i: usize| {
                let share = shares[i].clamp(MIN_LOG_ODDS_SHARE, 1.0 - MIN_LOG_ODDS_SHARE);
                (share / (1.0 - share)).ln()
            };
            let part = odds(a) / (odds(a) - odds(b));
            points[a].x + part * (points[b].x - points[a].x)
        }
        _ => points[0].x,
    }
}

/// Log odds `start + slope·z` in z = (x − `middle`)/`half`, with their covariance.
struct LogisticFit {
    middle: f64,
    half: f64,
    start: f64,
    slope: f64,
    covariance: Matrix2<f64>,
    /// Factor of the variances and its degrees of freedom.
    heterogeneity: Option<(f64, f64)>,
}

impl LogisticFit {
    /// Fits a curve through points in order, at finite places; `None` for fewer than two places, or
    /// when the steps do not converge.
    fn fit_points(points: &[ObservedWinShare]) -> Option<LogisticFit> {
        let (first, last) = (points.first()?, points.last()?);
        let (middle, half) = (0.5 * (first.x + last.x), 0.5 * (last.x - first.x));
        if half <= 0.0 {
            return None;
        }
        let placed: Vec<_> = points
            .iter()
            .map(|point| ((point.x - middle) / half, point.share, trials_or_large_if_exact(point)))
            .collect();
        let (at, covariance) = fit_with_firth_penalty(&placed)?;
        let mut fit = LogisticFit {
            middle,
            half,
            start: at[0],
            slope: at[1],
            covariance,
            heterogeneity: None,
        };
        let free = points.len() as f64 - 2.0;
        let factor = fit.pearson_statistic(points) / free;
        fit.heterogeneity = (free > 0.0 && factor > 1.0).then_some((factor, free));
        Some(fit)
    }

    fn win_chance_at(&self, x: f64) -> f64 {
        logistic_function(self.start + self.slope * (x - self.middle) / self.half)
    }

    /// Computes Pearson's statistic of the simulated points. Exact points scatter by the distance
    /// at which the curve misses them, whatever their weight, so they are left to the deviance.
    fn pearson_statistic(&self, points: &[ObservedWinShare]) -> f64 {
        let simulated = points.iter().filter(|point| point.trials.is_some());
        let each = simulated.map(|point| {
            let p = self.win_chance_at(point.x);
            let variance = (p * (1.0 - p) / trials_or_large_if_exact(point)).max(1e-300);
            (point.share - p) * (point.share - p) / variance
        });
        each.sum()
    }

    fn deviance(&self, points: &[ObservedWinShare]) -> f64 {
        let part = |share: f64, p: f64| {
            if share > 0.0 { share * (share / p.max(1e-300)).ln() } else { 0.0 }
        };
        let each = points.iter().map(|point| {
            let p = self.win_chance_at(point.x);
            2.0 * trials_or_large_if_exact(point)
                * (part(point.share, p) + part(1.0 - point.share, 1.0 - p))
        });
        each.sum()
    }

    /// Returns the crossing; `None` when the curve does not fall or passes one half outside its
    /// points.
    fn half_crossing(&self, level: ConfidenceLevel) -> Option<HalfWinCrossingOrEnd> {
        let z = -self.start / self.slope;
        if self.slope >= 0.0 || !(-1.0..=1.0).contains(&z) {
            return None;
        }
        let (low, high) = self.solve_fieller_interval(level);
        let x = |z: f64| self.middle + self.half * z;
        Some(HalfWinCrossingOrEnd::At { at: x(z), low: x(low.min(z)), high: x(high.max(z)) })
    }

    /// Solves (start + slope·z)² ≤ q·Var(start + slope·z): a quadratic in z, whose solutions are an
    /// interval only while the slope is certain.
    fn solve_fieller_interval(&self, level: ConfidenceLevel) -> (f64, f64) {
        let q = self.student_or_normal_quantile(level).powi(2);
        let v = &self.covariance;
        let a = self.slope * self.slope - q * v[(1, 1)];
        let b = self.start * self.slope - q * v[(0, 1)];
        let c = self.start * self.start - q * v[(0, 0)];
        if a > 0.0 {
            // The crossing itself is a solution: only rounding makes the discriminant negative.
            let root = (b * b - a * c).max(0.0).sqrt();
            ((-b - root) / a, (-b + root) / a)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        }
    }

    fn student_or_normal_quantile(&self, level: ConfidenceLevel) -> f64 {
        let Some((factor, df)) = self.heterogeneity else {
            return level.normal_quantile();
        };
        let share = 0.5 * (1.0 + level.coverage_probability());
        let t = StudentsT::new(0.0, 1.0, df).map(|t| t.inverse_cdf(share));
        t.unwrap_or(level.normal_quantile()) * factor.sqrt()
    }
}

fn logistic_function(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Computes the estimate with the largest penalised likelihood, and its covariance.
fn fit_with_firth_penalty(points: &[(f64, f64, f64)]) -> Option<(Vector2<f64>, Matrix2<f64>)> {
    let mut at = Vector2::zeros();
    let mut here = firth_penalised_log_likelihood(points, at);
    for _ in 0..MAX_NEWTON_STEPS {
        let information = fisher_information(points, at);
        let step = information.try_inverse()? * firth_corrected_score(points, at, &information)?;
        let (mut part, mut next) = (1.0, at + step);
        let mut there = firth_penalised_log_likelihood(points, next);
        // Where few trials bend the likelihood a whole step leaps over its top: half of it, until
        // it climbs.
        while (there.is_nan() || there < here) && part > 1e-6 {
            part *= 0.5;
            next = at + part * step;
            there = firth_penalised_log_likelihood(points, next);
        }
        if there.is_nan() || there < here {
            break;
        }
        let change = (next - at).amax();
        (at, here) = (next, there);
        if change < 1e-10 {
            break;
        }
    }
    let covariance = fisher_information(points, at).try_inverse()?;
    covariance.iter().all(|v| v.is_finite()).then_some((at, covariance))
}

fn fisher_information(points: &[(f64, f64, f64)], at: Vector2<f64>) -> Matrix2<f64> {
    let part = |&(z, _, n): &(f64, f64, f64)| {
        let p = logistic_function(at[0] + at[1] * z);
        Matrix2::new(1.0, z, z, z * z) * (n * p * (1.0 - p))
    };
    points.iter().map(part).sum()
}

/// Computes the score with Firth's correction: each place gains half its leverage in wins and in
/// losses.
fn firth_corrected_score(
    points: &[(f64, f64, f64)],
    at: Vector2<f64>,
    information: &Matrix2<f64>,
) -> Option<Vector2<f64>> {
    let inverse = information.try_inverse()?;
    let part = |&(z, share, n): &(f64, f64, f64)| {
        let p = logistic_function(at[0] + at[1] * z);
        let x = Vector2::new(1.0, z);
        let leverage = n * p * (1.0 - p) * x.dot(&(inverse * x));
        x * (n * (share - p) + leverage * (0.5 - p))
    };
    Some(points.iter().map(part).sum())
}

fn firth_penalised_log_likelihood(points: &[(f64, f64, f64)], at: Vector2<f64>) -> f64 {
    let part = |&(z, share, n): &(f64, f64, f64)| {
        let odds: f64 = at[0] + at[1] * z;
        // ln(1 + eᵒ) without overflow.
        let log = odds.max(0.0) + (-odds.abs()).exp().ln_1p();
        n * (share * odds - log)
    };
    let likelihood: f64 = points.iter().map(part).sum();
    likelihood + 0.5 * fisher_information(points, at).determinant().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(x: f64, wins: u64, trials: u64) -> ObservedWinShare {
        ObservedWinShare { x, share: wins as f64 / trials as f64, trials: Some(trials) }
    }

    fn sure(x: f64, share: f64) -> ObservedWinShare {
        ObservedWinShare { x, share, trials: None }
    }

    fn at(found: Option<HalfWinCrossingOrEnd>) -> (f64, f64, f64) {
        match found {
            Some(HalfWinCrossingOrEnd::At { at, low, high }) => (at, low, high),
            other => panic!("{other:?} is no crossing"),
        }
    }

    /// Symmetric counts about 30 must cross there, and the interval be symmetric about it. With
    /// start 0 Fieller's interval is ±√(q·V₀₀/(slope² − q·V₁₁)).
    #[test]
    fn a_symmetric_curve_crosses_in_its_middle() {
        let curve = [
            seen(10.0, 90, 100),
            seen(20.0, 70, 100),
            seen(30.0, 50, 100),
            seen(40.0, 30, 100),
            seen(50.0, 10, 100),
        ];
        let (middle, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
        assert!((middle - 30.0).abs() < 1e-9);
        assert!((high - 30.0 - (30.0 - low)).abs() < 1e-9 && low < 30.0);
        // The delta method: Var(x₀) = 1/(b²·Σnp(1−p)), b = ln 9 / 20 here, from the odds 9 : 1 at
        // 20 points from the middle; Fieller's is a little wider.
        let information = 2.0 * (9.0 + 21.0) + 25.0;
        let delta = 1.96 / (9f64.ln() / 20.0 * f64::sqrt(information));
        assert!((1.0..1.15).contains(&((high - 30.0) / delta)), "{}", (high - 30.0) / delta);
    }

    /// The likelihood without penalty has no largest value here.
    #[test]
    fn a_curve_that_falls_at_once_crosses_between() {
        let curve =
            [seen(10.0, 100, 100), seen(20.0, 100, 100), seen(30.0, 0, 100), seen(40.0, 0, 100)];
        let (middle, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
        assert!((middle - 25.0).abs() < 1e-6);
        assert!(10.0 < low && low < 25.0 && 25.0 < high && high < 40.0, "{low} {high}");
    }

    #[test]
    fn exact_curves_are_certain() {
        // Log odds ln 4 at 10 and −ln 2 at 20: two thirds of the way.
        let (found, low, high) =
            at(find_half_crossing(&[sure(10.0, 0.8), sure(20.0, 1.0 / 3.0)], ConfidenceLevel::P95));
        assert!((found - 50.0 / 3.0).abs() < 1e-12);
        assert_eq!((low, high), (found, found));
        // A stretch at one half; a bump is flattened to 0.55.
        let flat = [sure(1.0, 0.7), sure(2.0, 0.5), sure(4.0, 0.5), sure(5.0, 0.1)];
        assert_eq!(at(find_half_crossing(&flat, ConfidenceLevel::P95)).0, 3.0);
        let bump = [sure(1.0, 0.5), sure(2.0, 0.6), sure(3.0, 0.45)];
        let (found, ..) = at(find_half_crossing(&bump, ConfidenceLevel::P95));
        let odds = |p: f64| (p / (1.0 - p)).ln();
        let expected = 2.0 + odds(0.55) / (odds(0.55) - odds(0.45));
        assert!((found - expected).abs() < 1e-12);
    }

    #[test]
    fn exact_points_hold_a_simulated_curve() {
        let curve = [sure(10.0, 0.75), seen(20.0, 45, 100), sure(30.0, 0.25)];
        let (found, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
        assert!((found - 20.0).abs() < 0.01 && high - low < 0.1, "{found} {low} {high}");
    }

    #[test]
    fn what_never_passes_one_half_is_a_bound() {
        let high = [seen(10.0, 90, 100), seen(20.0, 60, 100)];
        assert_eq!(
            find_half_crossing(&high, ConfidenceLevel::P95),
            Some(HalfWinCrossingOrEnd::Beyond(20.0))
        );
        let low = [sure(10.0, 0.4), sure(20.0, 0.0)];
        assert_eq!(
            find_half_crossing(&low, ConfidenceLevel::P95),
            Some(HalfWinCrossingOrEnd::Before(10.0))
        );
        assert_eq!(find_half_crossing(&[], ConfidenceLevel::P95), None);
        assert_eq!(find_half_crossing(&[seen(f64::NAN, 1, 2)], ConfidenceLevel::P95), None);
        assert_eq!(find_half_crossing(&[sure(10.0, f64::NAN)], ConfidenceLevel::P95), None);
    }

    #[test]
    fn a_curve_that_does_not_fall_sets_no_limits() {
        for wins in [[40, 60, 50], [50, 50, 50], [0, 100, 50]] {
            let curve =
                [seen(10.0, wins[0], 100), seen(20.0, wins[1], 100), seen(30.0, wins[2], 100)];
            let (found, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
            assert!((10.0..=30.0).contains(&found) && low <= found && found <= high);
        }
        let (found, low, high) =
            at(find_half_crossing(&[seen(10.0, 50, 100)], ConfidenceLevel::P95));
        assert_eq!((found, low, high), (10.0, f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn scatter_widens_the_interval() {
        let smooth = [88, 73, 50, 27, 12].map(|wins| wins * 100);
        let rough = [70, 85, 40, 38, 12].map(|wins| wins * 100);
        let width = |wins: [u64; 5]| {
            let xs = [10.0, 20.0, 30.0, 40.0, 50.0];
            let curve: Vec<_> = xs.iter().zip(wins).map(|(&x, w)| seen(x, w, 10_000)).collect();
            let (_, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
            high - low
        };
        assert!(width(rough) > 5.0 * width(smooth));
        assert!(
            curve_deviance_per_trial(&[seen(1.0, 9, 10), seen(2.0, 5, 10), seen(3.0, 1, 10)])
                < 0.01
        );
    }

    /// Of curves simulated from the fit, about 95 % of the 95 % intervals must contain the true
    /// middle.
    #[test]
    fn the_interval_covers() {
        let mut draws = crate::random_draws::RandomDraws::new([5; 32]);
        let (rounds, mut held) = (1000, 0);
        for _ in 0..rounds {
            let curve: Vec<_> = (1..=7)
                .map(|i| {
                    let x = f64::from(i) * 10.0;
                    let p = logistic_function(0.08 * (37.0 - x));
                    let wins = (0..200).filter(|_| draws.draw_uniform() < p).count();
                    seen(x, wins as u64, 200)
                })
                .collect();
            let (_, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
            held += usize::from(low <= 37.0 && 37.0 <= high);
        }
        // 95 % ± three standard errors, and the heterogeneity factor only ever widens.
        assert!((930..=990).contains(&held), "{held} of {rounds}");
    }
}
