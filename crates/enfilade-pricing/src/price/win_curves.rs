//! Share of battles that are won against given points, over a mix of opponents, and the points at
//! which that is one half.
//!
//! One curve is interpolated by log odds in points, between two forces and beyond the last. The
//! pull of an opponent is the share won there above one half, over the slope of the mean: the
//! logarithm of points that would make up for it. One odd opponent pulls by half a battle at most,
//! and a unit that is worth nothing against one opponent has an even price all the same.

use super::worth::WorthInScenario;
use crate::evidence::PointsAndWinShare;
use enfilade_stats::isotonic::fit_decreasing_sequence;

/// Log odds beyond which a share counts as certain.
const CERTAIN_LOG_ODDS: f64 = 9.0;

/// Logarithms of points by which the slope of a mean is taken.
const LOG_STEP_FOR_SLOPE: f64 = 0.05;

/// The largest pull of an opponent.
const MAX_INFLUENCE: f64 = 1.5;

/// Logarithms beyond the points of any opponent's even battle where the mean is still searched.
const LOG_SEARCH_MARGIN: f64 = 3.0;

/// A curve of wins.
#[derive(Clone, Debug, PartialEq)]
pub struct WinShareByOpponentPoints {
    /// Points and log odds, rising and falling.
    points: Vec<(f64, f64)>,
}

impl WinShareByOpponentPoints {
    /// Builds the curve of a cell whose worth is `worth`; one that was not fought falls evenly
    /// about it.
    pub fn from_points_or_worth(
        curve: &[PointsAndWinShare],
        worth: &WorthInScenario,
    ) -> WinShareByOpponentPoints {
        let usable =
            |m: &&PointsAndWinShare| m.points.is_finite() && m.won.is_finite() && m.points >= 0.0;
        let mut curve: Vec<PointsAndWinShare> = curve.iter().filter(usable).copied().collect();
        curve.sort_by(|a, b| a.points.total_cmp(&b.points));
        curve.dedup_by(|b, a| a.points == b.points);
        if curve.len() < 2 {
            let at = worth.log.exp();
            let points = vec![(0.0, 2.0), (at, 0.0), (2.0 * at, -2.0)];
            return WinShareByOpponentPoints { points };
        }
        let shares: Vec<f64> = curve.iter().map(|m| m.won.clamp(0.0, 1.0)).collect();
        let shares = fit_decreasing_sequence(&shares, &vec![1.0; curve.len()]);
        let read = |(m, share): (&PointsAndWinShare, f64)| (m.points, log_odds_of_win_share(share));
        let mut shape =
            WinShareByOpponentPoints { points: curve.iter().zip(shares).map(read).collect() };
        // A rolled curve is read through all its points, which may pass one half elsewhere.
        if let Some(even) = shape.half_win_crossing()
            && worth.bound.is_none()
            && worth.trials.is_some()
        {
            let by = worth.log.exp() / even;
            shape.points.iter_mut().for_each(|(points, _)| *points *= by);
        }
        shape
    }

    /// The points at which the curve passes one half, if it does so above 0.
    fn half_win_crossing(&self) -> Option<f64> {
        let after = self.points.iter().position(|(_, odds)| *odds <= 0.0)?;
        let (above, below) = (self.points.get(after.checked_sub(1)?)?, self.points[after]);
        let at = above.0 + above.1 / (above.1 - below.1) * (below.0 - above.0);
        (at > 0.0).then_some(at)
    }

    /// The share of battles that is won against `points` points.
    pub fn win_share_against_points(&self, points: f64) -> f64 {
        let after = self.points.partition_point(|(at, _)| *at < points);
        let after = after.clamp(1, self.points.len() - 1);
        let ((from, above), (to, below)) = (self.points[after - 1], self.points[after]);
        let odds = above + (below - above) * (points - from) / (to - from);
        1.0 / (1.0 + (-odds.clamp(-CERTAIN_LOG_ODDS, CERTAIN_LOG_ODDS)).exp())
    }
}

fn log_odds_of_win_share(share: f64) -> f64 {
    (share / (1.0 - share)).ln().clamp(-CERTAIN_LOG_ODDS, CERTAIN_LOG_ODDS)
}

/// A curve with its weight in a mix.
#[derive(Clone, Copy, Debug)]
pub struct WeightedCurve<'a> {
    /// Its weight; all of a mix add up to 1.
    pub weight: f64,
    /// The curve.
    pub shape: &'a WinShareByOpponentPoints,
    /// Logarithm of the points in this scenario for one point of the mix.
    pub level: f64,
    /// The worth in this scenario alone.
    pub worth: &'a WorthInScenario,
}

/// Wins less one half over a mix, against e to this power points of it.
fn mean_win_share_minus_half(mix: &[WeightedCurve], log: f64) -> f64 {
    let won = |met: &WeightedCurve| met.shape.win_share_against_points((log + met.level).exp());
    mix.iter().map(|met| met.weight * won(met)).sum::<f64>() - 0.5
}

/// The logarithm of the points at which as many battles are won as lost over a mix.
pub fn log_points_at_half_wins(mix: &[WeightedCurve]) -> f64 {
    let ends = || mix.iter().map(|met| met.worth.log - met.level);
    let (mut low, mut high) =
        (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    if low == high {
        return low;
    }
    let (least, most) = (low - LOG_SEARCH_MARGIN, high + LOG_SEARCH_MARGIN);
    while mean_win_share_minus_half(mix, low) < 0.0 && low > least {
        (low, high) = (low - 0.5, low);
    }
    while mean_win_share_minus_half(mix, high) > 0.0 && high < most {
        (low, high) = (high, high + 0.5);
    }
    while high - low > 1e-13 * high.abs().max(1.0) {
        let middle = low.midpoint(high);
        if middle <= low || middle >= high {
            break;
        }
        if mean_win_share_minus_half(mix, middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}

/// Pull of a share of wins on the even point of a mix whose mean has this slope, in logarithms of
/// points.
pub fn influence_of_win_share(won: f64, slope: f64) -> f64 {
    let pull = (won - 0.5) / slope;
    if pull.is_finite() { pull.clamp(-MAX_INFLUENCE, MAX_INFLUENCE) } else { 0.0 }
}

/// Slope of the mean of a mix at these points.
pub fn falling_slope_of_mean_wins(mix: &[WeightedCurve], log: f64) -> f64 {
    let [before, after] = [-LOG_STEP_FOR_SLOPE, LOG_STEP_FOR_SLOPE]
        .map(|step| mean_win_share_minus_half(mix, log + step));
    (before - after) / (2.0 * LOG_STEP_FOR_SLOPE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price::worth::fit_worth_to_curve;

    fn curve(meetings: &[(f64, f64)]) -> Vec<PointsAndWinShare> {
        let meeting = |&(points, won): &(f64, f64)| PointsAndWinShare { points, won, trials: None };
        meetings.iter().map(meeting).collect()
    }

    fn shape(meetings: &[(f64, f64)]) -> (WinShareByOpponentPoints, WorthInScenario) {
        let curve = curve(meetings);
        let worth = fit_worth_to_curve(&curve).expect("a curve");
        (WinShareByOpponentPoints::from_points_or_worth(&curve, &worth), worth)
    }

    fn mix(shapes: &[(WinShareByOpponentPoints, WorthInScenario)]) -> Vec<WeightedCurve<'_>> {
        let weight = 1.0 / shapes.len() as f64;
        let all = shapes.iter();
        all.map(|(shape, worth)| WeightedCurve { weight, shape, level: 0.0, worth }).collect()
    }

    /// Log odds ln 3 at 10 and −ln 3 at 30: 0 at 20, ln 3 / 2 at 15, −2·ln 3 at 40.
    #[test]
    fn a_curve_is_read_by_log_odds() {
        let (shape, even) = shape(&[(10.0, 0.75), (30.0, 0.25)]);
        assert!(
            (even.log.exp() - 20.0).abs() < 1e-9
                && (shape.win_share_against_points(20.0) - 0.5).abs() < 1e-12
        );
        let three = 3f64.sqrt();
        assert!((shape.win_share_against_points(15.0) - three / (1.0 + three)).abs() < 1e-12);
        assert!((shape.win_share_against_points(40.0) - 0.1).abs() < 1e-12);
        assert!((shape.win_share_against_points(0.0) - 0.9).abs() < 1e-12);
    }

    /// Troops may cost less than a point: the same curve in fiftieths of its points.
    #[test]
    fn points_below_one_are_points() {
        let (shape, even) = shape(&[(0.2, 0.75), (0.6, 0.25)]);
        let three = 3f64.sqrt();
        assert!((even.log.exp() - 0.4).abs() < 1e-9);
        assert!((shape.win_share_against_points(0.3) - three / (1.0 + three)).abs() < 1e-12);
    }

    /// With one opponent the even points are those of its curve, to the last digit. With two whose
    /// log odds fall by ln 3 in every 10 points, even at 20 and at 40, they lie in the middle, by
    /// symmetry.
    #[test]
    fn as_many_are_won_as_lost() {
        let near = shape(&[(10.0, 0.75), (30.0, 0.25)]);
        let far = shape(&[(30.0, 0.75), (50.0, 0.25)]);
        assert_eq!(log_points_at_half_wins(&mix(std::slice::from_ref(&near))), near.1.log);
        let both = [near, far];
        assert!((log_points_at_half_wins(&mix(&both)).exp() - 30.0).abs() < 1e-9);
        // An opponent against whom it always wins takes half a battle, however large the worth
        // there: the other must always be lost, and log odds of −9 are reached beyond 180 points.
        let sure = shape(&[(1.0, 1.0), (2.0, 1.0)]);
        let odd = [both[0].clone(), sure];
        assert!(log_points_at_half_wins(&mix(&odd)).is_finite());
    }

    /// Log odds fall by ln 3 in 10 points, so that two curves are even together in the middle of
    /// the points at which each is: of 30 and 50, though only smaller forces were tried, and of 10
    /// and 20, though only larger ones were.
    #[test]
    fn even_points_may_lie_beyond_all_that_was_tried() {
        let falling = |even: f64, tried: [f64; 2]| {
            let odds = |points: f64| 3f64.powf((even - points) / 10.0);
            shape(&tried.map(|points| (points, odds(points) / (1.0 + odds(points)))))
        };
        let beyond = [falling(30.0, [10.0, 20.0]), falling(50.0, [20.0, 30.0])];
        let found = log_points_at_half_wins(&mix(&beyond)).exp();
        assert!((found - 40.0).abs() < 1e-9, "{found}");
        let before = [falling(10.0, [60.0, 70.0]), falling(20.0, [80.0, 90.0])];
        let found = log_points_at_half_wins(&mix(&before)).exp();
        assert!((found - 15.0).abs() < 1e-9, "{found}");
    }

    /// Two points are met here for each of the mix: 20 of them are 10 of the mix.
    #[test]
    fn points_of_a_scenario_are_those_of_the_mix_times_its_level() {
        let (shape, worth) = &shape(&[(10.0, 0.75), (30.0, 0.25)]);
        let met = WeightedCurve { weight: 1.0, shape, level: 2f64.ln(), worth };
        assert!((log_points_at_half_wins(&[met]).exp() - 10.0).abs() < 1e-9);
    }

    /// A weapon worth nothing against an opponent never wins there: the two others of three have to
    /// be won by three battles in four, at 10 points.
    #[test]
    fn worth_nothing_to_somebody_is_no_end() {
        let plain = || shape(&[(10.0, 0.75), (30.0, 0.25)]);
        let nothing = shape(&[(0.0, 1e-5), (1.0, 1e-6)]);
        let three = [plain(), plain(), nothing];
        assert!(
            (log_points_at_half_wins(&mix(&three)).exp() - 10.0).abs() < 0.01,
            "{}",
            log_points_at_half_wins(&mix(&three)).exp()
        );
    }

    /// Log odds fall by ln 3 in 10 points: at 20 the share falls by ¼·2·ln 3 in a logarithm of
    /// points.
    #[test]
    fn a_pull_is_what_makes_up_for_it() {
        let both = [shape(&[(10.0, 0.75), (30.0, 0.25)])];
        let slope = falling_slope_of_mean_wins(&mix(&both), 20f64.ln());
        assert!((slope - 0.5 * 3f64.ln()).abs() < 1e-3, "{slope}");
        assert!((influence_of_win_share(0.6, 0.5) - 0.2).abs() < 1e-12);
        assert_eq!(
            (influence_of_win_share(1.0, 0.1), influence_of_win_share(0.5, 0.0)),
            (1.5, 0.0)
        );
    }
}
