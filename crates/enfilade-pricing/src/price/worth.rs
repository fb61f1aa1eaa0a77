//! Worth of a weapon in each cell: the points of reference troops against which it wins half.
//!
//! Worths are natural logarithms of points, because errors of prices are ratios. A curve is read
//! for itself alone, in points: an exact one by log odds between the two points about one half, a
//! rolled one by a logistic curve through those about it. A curve that never passes one half gives
//! a bound: the worth is the end of its grid, and the interval extends beyond it by up to a factor
//! of [`MAX_CURVE_EXTRAPOLATION`]. Not here: any mixing of scenarios.

use std::collections::BTreeMap;

use crate::error::PricingError;
use crate::evidence::{AssumptionCase, BattleEvidence, PointsAndWinShare};
use crate::value_table::build_rows_from_fn;
use enfilade_stats::intervals::ConfidenceLevel;
use enfilade_stats::logistic::{
    HalfWinCrossingOrEnd, ObservedWinShare, curve_deviance_per_trial, find_half_crossing,
};

/// Largest factor by which a worth may lie beyond the end of its grid.
pub const MAX_CURVE_EXTRAPOLATION: f64 = 2.0;

/// A worth that is only known to be at least or at most this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorthBound {
    /// The weapon wins more than half up to the largest number of points that was tried.
    AtLeast,
    /// The weapon wins less than half from the smallest number of points on.
    AtMost,
}

/// The worth of a weapon in one cell, as natural logarithms of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorthInScenario {
    /// The estimate.
    pub log: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Whether the worth is only a bound.
    pub bound: Option<WorthBound>,
    /// Whether the curve is so flat where it passes one half that the worth is almost unknown.
    pub flat: bool,
    /// Battles that were rolled for it; `None` if all of its curve is exact.
    pub trials: Option<u64>,
}

impl WorthInScenario {
    /// Variance of its logarithm.
    pub fn variance_of_log_worth(&self) -> f64 {
        let width = self.high - self.low;
        match self.bound {
            // Even between the bound and its reach.
            Some(_) => width * width / 12.0,
            None => (0.5 * width / ConfidenceLevel::P95.normal_quantile()).powi(2),
        }
    }
}

/// The worth of every weapon in every scenario.
pub type WorthByScenario = Vec<Vec<WorthInScenario>>;

/// Worths in every case of the assumptions.
#[derive(Clone, Debug)]
pub struct WorthByAssumptionCase {
    /// Worths by case; [`AssumptionCase::Default`] is always there.
    pub by_model: BTreeMap<AssumptionCase, WorthByScenario>,
    /// Log worths of eight copies together less that of one, `[weapon][scenario]`; `None` where
    /// eight did not fight or the curve of one is flat.
    pub eight: Vec<Vec<Option<f64>>>,
    /// Log worths of copies that never fire, `[weapon][scenario]`; `None` if none was fought.
    pub floors: Vec<Vec<Option<f64>>>,
}

impl WorthByAssumptionCase {
    /// Worths in the default case.
    pub fn default_case(&self) -> &WorthByScenario {
        &self.by_model[&AssumptionCase::Default]
    }
}

/// Fits every curve of `evidence`.
///
/// # Errors
/// When a weapon has no curve in a scenario under the default model.
pub fn fit_all_worths(evidence: &BattleEvidence) -> Result<WorthByAssumptionCase, PricingError> {
    let battles = evidence.index_by_case_weapon_scenario();
    let fought = |model, weapon, s| battles.get(&(model, weapon, s)).copied();
    let fitted = |model, weapon, s| fit_worth_to_curve(&fought(model, weapon, s)?.curve);
    let (weapons, scenarios) = (evidence.weapons.len(), evidence.scenarios.len());
    let row = |weapon: usize| {
        let row = (0..scenarios).map(|s| fitted(AssumptionCase::Default, weapon, s));
        let row: Option<Vec<WorthInScenario>> = row.collect();
        row.ok_or_else(|| {
            let name = &evidence.weapons[weapon].name;
            let problem = format!("there is no battle to price {name:?} by in every scenario");
            PricingError::Invalid(problem)
        })
    };
    let default = (0..weapons).map(row).collect::<Result<WorthByScenario, PricingError>>()?;
    // If one weapon is the question, the others are fought in the default case alone.
    let moved = AssumptionCase::list_all(evidence.assumptions.len()).skip(1).map(|model| {
        let cell = |weapon: usize, s: usize| fitted(model, weapon, s).unwrap_or(default[weapon][s]);
        (model, build_rows_from_fn(weapons, scenarios, cell))
    });
    let mut by_model: BTreeMap<AssumptionCase, WorthByScenario> = moved.collect();
    by_model.insert(AssumptionCase::Default, default);
    let fought = |weapon, s| fought(AssumptionCase::Default, weapon, s);
    let eight = |weapon, s| {
        let battle = fought(weapon, s)?;
        let one = fit_worth_to_curve(&battle.curve).filter(|worth| !worth.flat)?;
        let eight = fit_worth_to_curve(&battle.copies).filter(|worth| worth.bound.is_none())?;
        Some(eight.log - one.log)
    };
    let floors = |weapon, s| fit_worth_to_curve(&fought(weapon, s)?.silent).map(|worth| worth.log);
    Ok(WorthByAssumptionCase {
        eight: build_rows_from_fn(weapons, scenarios, eight),
        floors: build_rows_from_fn(weapons, scenarios, floors),
        by_model,
    })
}

/// Computes the worth from a curve; `None` for a curve without points above 0.
///
/// Below the smallest force that was tried a worth is extrapolated down to half of it; there it is
/// a bound.
pub fn fit_worth_to_curve(curve: &[PointsAndWinShare]) -> Option<WorthInScenario> {
    let half_worth = worth_at_half_crossing(curve)?;
    Some(WorthInScenario {
        flat: half_worth.bound.is_none() && is_flat_at_one_half(curve, half_worth),
        ..half_worth
    })
}

/// Change of the share of wins that tests a curve for flatness.
pub const FLATNESS_PROBE_SHARE: f64 = 0.02;

/// Whether [`FLATNESS_PROBE_SHARE`] moves the worth by more than a factor of
/// [`MAX_CURVE_EXTRAPOLATION`] and by more than twice the smallest force that was tried.
///
/// A weapon that is worth little has a steep curve in points of troops and a flat one in
/// logarithms; one that no unit can hurt has a flat one in both.
fn is_flat_at_one_half(curve: &[PointsAndWinShare], worth: WorthInScenario) -> bool {
    let shaded = |by: f64| {
        let meeting =
            |m: &PointsAndWinShare| PointsAndWinShare { won: (m.won + by).clamp(0.0, 1.0), ..*m };
        let curve: Vec<PointsAndWinShare> = curve.iter().map(meeting).collect();
        worth_at_half_crossing(&curve)
    };
    let both = shaded(-FLATNESS_PROBE_SHARE).zip(shaded(FLATNESS_PROBE_SHARE));
    let Some((less, more)) = both else { return false };
    let tried = curve.iter().map(|meeting| meeting.points);
    let first = tried.filter(|points| *points > 0.0).fold(f64::INFINITY, f64::min);
    let (low, high) = (less.low.min(worth.low), more.high.max(worth.high));
    // In both ways: a weapon that is worth little is uncertain by a factor, but by few points.
    high - low > MAX_CURVE_EXTRAPOLATION.ln() && high.exp() - low.exp() > 2.0 * first
}

/// The worth where the curve passes one half.
fn worth_at_half_crossing(curve: &[PointsAndWinShare]) -> Option<WorthInScenario> {
    let observed =
        |m: &PointsAndWinShare| ObservedWinShare { x: m.points, share: m.won, trials: m.trials };
    let observed: Vec<ObservedWinShare> = curve.iter().map(observed).collect();
    let crossing = find_half_crossing_exact_first(&observed)?;
    let tried = || curve.iter().map(|meeting| meeting.points);
    let first = tried().filter(|points| *points > 0.0).reduce(f64::min)?;
    let last = tried().fold(first, f64::max).ln();
    let (floor, reach) = ((first / MAX_CURVE_EXTRAPOLATION).ln(), MAX_CURVE_EXTRAPOLATION.ln());
    let log = |x: f64| if x > 0.0 { x.ln().max(floor) } else { floor };
    let worth_at = |log: f64, (low, high): (f64, f64), bound| WorthInScenario {
        log,
        low: low.max(floor - reach).min(log),
        high: high.min(last + reach).max(log),
        bound,
        flat: false,
        // `None` when all are exact.
        trials: curve.iter().filter_map(|meeting| meeting.trials).reduce(u64::saturating_add),
    };
    Some(match crossing {
        HalfWinCrossingOrEnd::At { at, .. } | HalfWinCrossingOrEnd::Before(at)
            if at < first / MAX_CURVE_EXTRAPOLATION =>
        {
            worth_at(floor, (floor - reach, floor), Some(WorthBound::AtMost))
        }
        HalfWinCrossingOrEnd::At { at, low, high } => {
            worth_at(log(at), (log(low), log(high)), None)
        }
        HalfWinCrossingOrEnd::Before(end) => {
            worth_at(log(end), (log(end) - reach, log(end)), Some(WorthBound::AtMost))
        }
        HalfWinCrossingOrEnd::Beyond(end) => {
            worth_at(log(end), (log(end), log(end) + reach), Some(WorthBound::AtLeast))
        }
    })
}

/// Finds where a curve passes one half among its exact points, if it does.
fn find_half_crossing_exact_first(points: &[ObservedWinShare]) -> Option<HalfWinCrossingOrEnd> {
    let (rolled, exact): (Vec<ObservedWinShare>, Vec<ObservedWinShare>) =
        points.iter().partition(|point| point.trials.is_some());
    let among = |crossing| matches!(crossing, Some(HalfWinCrossingOrEnd::At { .. }));
    let crossing = find_half_crossing(&exact, ConfidenceLevel::P95);
    if rolled.is_empty() || among(crossing) {
        return crossing;
    }
    let crossing = fit_logistic_half_crossing(&rolled);
    if exact.is_empty() || among(crossing) {
        return crossing;
    }
    find_half_crossing(points, ConfidenceLevel::P95)
}

/// Finds where a logistic curve through rolled points passes one half: one in points or in their
/// logarithms, whichever fits better.
///
/// Only the points about one half count, because no logistic curve follows a whole one.
fn fit_logistic_half_crossing(points: &[ObservedWinShare]) -> Option<HalfWinCrossingOrEnd> {
    let points = &points_around_half(points)[..];
    let above: Vec<_> = points.iter().copied().filter(|point| point.x > 0.0).collect();
    let logs: Vec<_> = above.iter().map(|p| ObservedWinShare { x: p.x.ln(), ..*p }).collect();
    if curve_deviance_per_trial(&logs) >= curve_deviance_per_trial(&above) {
        return find_half_crossing(points, ConfidenceLevel::P95);
    }
    Some(match find_half_crossing(&logs, ConfidenceLevel::P95)? {
        HalfWinCrossingOrEnd::At { at, low, high } => {
            HalfWinCrossingOrEnd::At { at: at.exp(), low: low.exp(), high: high.exp() }
        }
        // The crossing may lie between no troops and the fewest: 0 has no logarithm.
        HalfWinCrossingOrEnd::Before(_) => find_half_crossing(points, ConfidenceLevel::P95)?,
        HalfWinCrossingOrEnd::Beyond(end) => HalfWinCrossingOrEnd::Beyond(end.exp()),
    })
}

/// Distance from one half within which shares show where it is passed.
const NEAR_HALF_DISTANCE: f64 = 0.15;

/// Number of trials below which a share is too uncertain to be far from one half.
const MIN_CLEAR_TRIALS: u64 = 400;

/// The points about one half, and the two between which the curve passes it.
fn points_around_half(points: &[ObservedWinShare]) -> Vec<ObservedWinShare> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let above = points.iter().rposition(|point| point.share > 0.5);
    let Some(above) = above.filter(|above| above + 1 < points.len()) else { return points };
    let two = [points[above], points[above + 1]];
    points.retain(|point| {
        (point.share - 0.5).abs() <= NEAR_HALF_DISTANCE
            || point.trials.is_some_and(|trials| trials < MIN_CLEAR_TRIALS)
            || two.contains(point)
    });
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(meetings: &[(f64, f64)]) -> Vec<PointsAndWinShare> {
        let meeting = |&(points, won): &(f64, f64)| PointsAndWinShare { points, won, trials: None };
        meetings.iter().map(meeting).collect()
    }

    /// Log odds ln 3 at nothing and −ln 3 at 100 points: half way.
    #[test]
    fn a_worth_below_the_fewest_troops_is_found() {
        let curve = curve(&[(0.0, 0.75), (100.0, 0.25), (200.0, 0.1)]);
        let found = fit_worth_to_curve(&curve).expect("a curve");
        assert!((found.log.exp() - 50.0).abs() < 1e-9, "{found:?}");
        assert_eq!((found.bound, found.trials), (None, None));
        assert_eq!((found.low, found.high), (found.log, found.log));
        assert_eq!(found.variance_of_log_worth(), 0.0);
    }

    /// Log odds ln 4 at 10 and −ln 2 at 20 in points, whatever any other curve is like.
    #[test]
    fn an_exact_curve_is_read_in_points_between_the_two_about_one_half() {
        let third = 1.0 / 3.0;
        let found =
            fit_worth_to_curve(&curve(&[(1.0, 0.99), (10.0, 0.8), (20.0, third), (500.0, 0.3)]));
        assert!((found.expect("a curve").log.exp() - 50.0 * third).abs() < 1e-9);
    }

    /// One half lies among the exact points: rolled points beyond them do not count. Among rolled
    /// points it is as uncertain as they are.
    #[test]
    fn exact_points_go_before_rolled_ones() {
        let roll = |points, won| PointsAndWinShare { points, won, trials: Some(4000) };
        let mut mixed = curve(&[(10.0, 0.8), (20.0, 0.2)]);
        mixed.extend([roll(30.0, 0.19), roll(40.0, 0.18)]);
        let found = fit_worth_to_curve(&mixed).expect("a curve");
        assert!((found.log.exp() - 15.0).abs() < 1e-9 && found.low == found.high, "{found:?}");
        let mut beyond = curve(&[(1.0, 0.999)]);
        beyond.extend([roll(10.0, 0.8), roll(20.0, 0.2)]);
        let found = fit_worth_to_curve(&beyond).expect("a curve");
        assert!((found.log.exp() - 15.0).abs() < 0.2 && found.low < found.high, "{found:?}");
    }

    /// Shares as 48 000 battles of a heavy tank beside infantry found them: no logistic curve, and
    /// 179.3 where it passes one half, by log odds between 160 and 180. A curve through all of it
    /// passes at 211.
    #[test]
    fn what_is_rolled_far_from_one_half_says_nothing_of_it() {
        let seen = [
            (0.0, 0.956),
            (160.0, 0.526187),
            (180.0, 0.499062),
            (200.0, 0.476019),
            (240.0, 0.440812),
            (360.0, 0.383492),
            (540.0, 0.325593),
            (800.0, 0.218293),
        ];
        let roll = |(points, won)| PointsAndWinShare { points, won, trials: Some(48_000) };
        let found = fit_worth_to_curve(&seen.map(roll)).expect("a curve").log.exp();
        assert!((found / 179.3 - 1.0).abs() < 0.05, "{found}");
    }

    #[test]
    fn what_never_passes_one_half_is_a_bound_with_a_reach() {
        let high = fit_worth_to_curve(&curve(&[(10.0, 0.9), (40.0, 0.6)])).expect("a curve");
        assert_eq!(high.bound, Some(WorthBound::AtLeast));
        assert!((high.log.exp() - 40.0).abs() < 1e-9 && (high.high.exp() - 80.0).abs() < 1e-9);
        // Anywhere between 40 and 80, in logarithms.
        let spread = 2f64.ln();
        assert!((high.variance_of_log_worth() - spread * spread / 12.0).abs() < 1e-12);
        let low = fit_worth_to_curve(&curve(&[(10.0, 0.4), (40.0, 0.1)])).expect("a curve");
        assert_eq!(low.bound, Some(WorthBound::AtMost));
        assert!((low.log.exp() - 10.0).abs() < 1e-9 && (low.low.exp() - 5.0).abs() < 1e-9);
        // Worse than nothing: half of the fewest troops, at most.
        let none = fit_worth_to_curve(&curve(&[(0.0, 0.4), (100.0, 0.1)])).expect("a curve");
        assert_eq!(none.bound, Some(WorthBound::AtMost));
        assert!((none.log.exp() - 50.0).abs() < 1e-9);
    }

    /// Rolled shares that fall evenly in logarithms about √200 are read in these, whatever a troop
    /// costs: a hundredth of the points is a hundredth of the worth.
    #[test]
    fn a_worth_is_found_in_points_of_any_size() {
        for scale in [1.0, 0.01] {
            let roll = |points: f64| PointsAndWinShare {
                points: scale * points,
                won: 1.0 / (1.0 + (points / 200f64.sqrt()).sqrt()),
                trials: Some(4000),
            };
            let found = fit_worth_to_curve(&[5.0, 10.0, 20.0, 40.0].map(roll)).expect("a curve");
            let expected = scale * 200f64.sqrt();
            assert!((found.log.exp() / expected - 1.0).abs() < 1e-6, "{scale}: {found:?}");
        }
    }

    /// Nothing has no logarithm. It counts where log odds fall evenly in points, here from ln 3 at
    /// nothing to −ln 3 at 100, and not where they do so in logarithms, here about √200.
    #[test]
    fn what_is_rolled_against_nothing_counts_where_points_fit() {
        let worth = |points: &[f64], won: &dyn Fn(f64) -> f64| {
            let roll = |&points| PointsAndWinShare { points, won: won(points), trials: Some(100) };
            let curve: Vec<PointsAndWinShare> = points.iter().map(roll).collect();
            fit_worth_to_curve(&curve).expect("a curve")
        };
        let all = [0.0, 25.0, 50.0, 75.0, 100.0];
        let in_points = |points: f64| 1.0 / (1.0 + 3f64.powf(points / 50.0 - 1.0));
        let [found, without] = [&all[..], &all[1..]].map(|points| worth(points, &in_points));
        assert!((found.log.exp() / 50.0 - 1.0).abs() < 1e-6, "{found:?}");
        assert!(found.high - found.low < without.high - without.low, "{found:?} {without:?}");
        let middle = 200f64.sqrt();
        let in_logarithms = |points: f64| 1.0 / (1.0 + (points / middle).sqrt());
        let found = worth(&[0.0, 5.0, 10.0, 20.0, 40.0], &in_logarithms);
        assert!((found.log.exp() / middle - 1.0).abs() < 1e-6, "{found:?}");
    }

    /// Shares that fall nearly evenly in logarithms are read in these, however often nothing was met.
    #[test]
    fn what_is_rolled_against_nothing_does_not_decide_how_a_curve_is_read() {
        let seen = [(5.0, 0.61), (10.0, 0.54), (20.0, 0.5), (40.0, 0.46), (80.0, 0.39)];
        let roll = |(points, won)| PointsAndWinShare { points, won, trials: Some(4000) };
        let mut curve = seen.map(roll).to_vec();
        let without = fit_worth_to_curve(&curve).expect("a curve");
        curve.insert(0, PointsAndWinShare { points: 0.0, won: 0.6, trials: Some(10_000_000) });
        let found = fit_worth_to_curve(&curve).expect("a curve");
        assert_eq!((found.log, found.low, found.high), (without.log, without.low, without.high));
    }

    /// Four forces that win nearly half show where half is won better than the middle two do.
    #[test]
    fn all_that_is_rolled_about_one_half_counts() {
        let roll = |(points, won)| PointsAndWinShare { points, won, trials: Some(4000) };
        let width = |seen: &[(f64, f64)]| {
            let seen: Vec<PointsAndWinShare> = seen.iter().copied().map(roll).collect();
            let found = fit_worth_to_curve(&seen).expect("a curve");
            found.high - found.low
        };
        let four = [(10.0, 0.56), (20.0, 0.52), (30.0, 0.48), (40.0, 0.44)];
        assert!(width(&four) < 0.8 * width(&four[1..3]));
    }

    /// By hand: log odds of ±0.1 at 8 and 27 points. Two hundredths of the battles move the worth
    /// from 17.5 to 10 or 25: by more than a factor of two, and by 15 points, which are fewer than
    /// two forces of 8 and more than two of one point.
    #[test]
    fn a_curve_is_flat_by_a_factor_and_by_points() {
        let both = [(8.0, 0.5253), (27.0, 0.4747)];
        assert!(!fit_worth_to_curve(&curve(&both)).expect("a curve").flat);
        let and_one = [(1.0, 0.55), both[0], both[1]];
        assert!(fit_worth_to_curve(&curve(&and_one)).expect("a curve").flat);
    }

    #[test]
    fn odd_curves_do_no_harm() {
        assert_eq!(fit_worth_to_curve(&[]), None);
        assert_eq!(fit_worth_to_curve(&curve(&[(0.0, 0.5)])), None);
        for won in [0.0, 0.5, 1.0, f64::NAN] {
            for trials in [None, Some(0), Some(1), Some(u64::MAX)] {
                let meeting = |points| PointsAndWinShare { points, won, trials };
                let curve = [0.0, 10.0, 20.0, 1e300].map(meeting);
                let Some(found) = fit_worth_to_curve(&curve) else {
                    continue;
                };
                assert!(found.log.is_finite(), "{found:?}");
                assert!(found.low <= found.log && found.log <= found.high, "{found:?}");
                assert!(found.variance_of_log_worth().is_finite());
            }
        }
    }
}
