//! Numbers at the edge of what a function accepts: weights of nothing, sums that overflow, draws
//! that fall on the origin, lines whose places coincide.

use enfilade_stats::intervals::{ConfidenceLevel, Interval};
use enfilade_stats::isotonic::fit_decreasing_sequence;
use enfilade_stats::logistic::{
    HalfWinCrossingOrEnd, ObservedWinShare, curve_deviance_per_trial, find_half_crossing,
};
use enfilade_stats::random_draws::RandomDraws;
use enfilade_stats::robust_line::RobustSlopeWithVariance;
use enfilade_stats::worth_fit::{ObservedForceContest, fit_unit_worths};

fn fit_slope(points: &[(f64, f64)]) -> RobustSlopeWithVariance {
    RobustSlopeWithVariance::fit_points_by_bisquare(points).expect("two places differ")
}

pub fn seen(x: f64, share: f64, trials: u64) -> ObservedWinShare {
    ObservedWinShare { x, share, trials: Some(trials) }
}

pub fn crossing(points: &[ObservedWinShare]) -> (f64, f64, f64) {
    match find_half_crossing(points, ConfidenceLevel::P95) {
        Some(HalfWinCrossingOrEnd::At { at, low, high }) => (at, low, high),
        other => panic!("{other:?} is no crossing"),
    }
}

#[test]
fn an_interval_contains_its_ends_and_nothing_outside() {
    let interval = Interval { low: 0.25, high: 0.75 };
    for (value, inside) in
        [(0.25_f64.next_down(), false), (0.25, true), (0.75, true), (0.75_f64.next_up(), false)]
    {
        assert_eq!(interval.contains(value), inside, "{value}");
    }
}

/// 0.2 before 0.6 rises, so both get one value: that of the number with a weight.
#[test]
fn a_weight_that_is_not_positive_counts_for_nothing() {
    for nothing in [0.0, -3.0, f64::NAN] {
        for (weights, expected) in [([nothing, 1.0], 0.6), ([1.0, nothing], 0.2)] {
            let found = fit_decreasing_sequence(&[0.2, 0.6], &weights);
            let close = found.iter().all(|value| (value - expected).abs() < 1e-12);
            assert!(found.len() == 2 && close, "{weights:?}: {found:?}");
        }
    }
}

/// Four points at ±`place`, at 1 and −1: the slope is 0, and all have one weight w. The square sum
/// is 4w and the places have 4w·place². All weigh 4w < 4, so that the scatter, of 4w − 3 < 1, is
/// divided by 1: 1.21·4w. The variance is 1.21/place², without w.
#[test]
fn a_slope_of_narrow_places_has_the_variance_of_its_sums() {
    for place in [0.01, 0.25, 0.5, 2.5] {
        let points = [(-place, -1.0), (-place, 1.0), (place, -1.0), (place, 1.0)];
        let slope = fit_slope(&points);
        let expected = 1.21 / (place * place);
        assert!(slope.at.abs() < 1e-9, "{place}: {slope:?}");
        assert!((slope.variance / expected - 1.0).abs() < 1e-9, "{place}: {slope:?}");
        assert_eq!(slope.df, 1.0, "{place}");
    }
}

/// Five points at the origin; those to its sides are 10 above it, so that the slopes are five times
/// 10, five times −10 and once 0. About the median, 0, both are far off and weigh nothing. Five
/// weigh 1; level, slope and the small number leave 2.
#[test]
fn a_slope_whose_places_coincide_has_no_limit() {
    let mut points = vec![(0.0, 0.0); 5];
    points.extend([(1.0, 10.0), (-1.0, 10.0)]);
    let slope = fit_slope(&points);
    assert_eq!((slope.at, slope.variance, slope.df), (0.0, f64::INFINITY, 2.0));
    assert_eq!(slope.half_width_95_percent(), f64::INFINITY);
}

/// The middle of the places overflows, so that no curve is fitted; the shares still cross halfway
/// from 1·10³⁰⁸ to 1.7·10³⁰⁸, as 0.9 and 0.1 are equally far from one half.
#[test]
fn places_whose_sum_overflows_cross_without_limits() {
    let points = [seen(1e308, 0.9, 100), seen(1.7e308, 0.1, 100)];
    let (at, low, high) = crossing(&points);
    assert!((at / 1.35e308 - 1.0).abs() < 1e-12, "{at}");
    assert_eq!((low, high), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(curve_deviance_per_trial(&points), 0.0);
}

/// Two shares fix the log odds, which pass 0 at ln(o₁)/(ln(o₁) − ln(o₂)) of the way. 10¹⁸ trials
/// leave an error of about 10⁻⁹, and rounding one of about 10⁻⁸.
#[test]
fn so_many_trials_that_only_rounding_is_left_make_a_narrow_interval() {
    let odds = |share: f64| (share / (1.0 - share)).ln();
    for above in 51..99 {
        for below in [3, 10, 20, 35, 49] {
            let (p, q) = (f64::from(above) / 100.0, f64::from(below) / 100.0);
            let points = [seen(0.0, p, 1_u64 << 60), seen(1.0, q, 1_u64 << 60)];
            let (at, low, high) = crossing(&points);
            let expected = odds(p) / (odds(p) - odds(q));
            assert!((at - expected).abs() < 1e-5, "{p} {q}: {at} {expected}");
            assert!(low <= at && at <= high && high - low < 1e-5, "{p} {q}: {low} {at} {high}");
        }
    }
}

/// An infinite count has no share of its sum, so that no step is possible.
#[test]
fn a_count_without_end_leaves_the_worths_at_their_start() {
    let endless =
        ObservedForceContest { own: vec![f64::INFINITY, 0.0], other: vec![0.0, 1.0], won: 0.25 };
    let worths = fit_unit_worths(&[endless], &[2.0, 3.0]);
    assert!((worths[0] - 2.0).abs() < 1e-12 && (worths[1] - 3.0).abs() < 1e-12, "{worths:?}");
}

/// Returns a key whose stream begins with `first` and `second`: xoshiro256++ returns
/// rotl(s₀ + s₃, 23) + s₀, and has s₀ ^ d and rotl(d, 45) in their places next, with d = s₁ ^ s₃.
fn key_of_stream_that_begins(first: u64, second: u64) -> [u8; 32] {
    let summand =
        |output: u64, word: u64| output.wrapping_sub(word).rotate_right(23).wrapping_sub(word);
    let next_word = 1;
    let difference = summand(second, next_word).rotate_right(45);
    let word = next_word ^ difference;
    let last = summand(first, word);
    let mut key = [0; 32];
    for (bytes, word) in key.chunks_exact_mut(8).zip([word, difference ^ last, 7, last]) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    let mut draws = RandomDraws::new(key);
    assert_eq!((draws.next_bits(), draws.next_bits()), (first, second));
    key
}

/// The point at the origin has no direction, so the next pair is taken.
#[test]
fn a_pair_of_draws_at_the_origin_is_drawn_again() {
    let key = key_of_stream_that_begins(1 << 63, 1 << 63);
    let mut after = RandomDraws::new(key);
    assert_eq!([after.draw_uniform(), after.draw_uniform()], [0.5, 0.5]);
    let found = RandomDraws::new(key).draw_normal();
    assert!(found.is_finite());
    assert_eq!(found, after.draw_normal());
}

#[test]
fn uniform_draws_of_the_outermost_bits_stay_between_nought_and_one() {
    let mut draws = RandomDraws::new(key_of_stream_that_begins(u64::MAX, 0));
    let (high, low) = (draws.draw_uniform(), draws.draw_uniform());
    assert!(high < 1.0 && 1.0 - high < 1e-15, "{high}");
    assert!(0.0 < low && low < 1e-15, "{low}");
}
