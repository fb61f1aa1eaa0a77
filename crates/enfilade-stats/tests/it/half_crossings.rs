//! Fits of curves of wins, and where they cross one half, compared with their definitions.

use enfilade_stats::logistic::{ObservedWinShare, curve_deviance_per_trial};

use super::numbers_at_the_edge::{crossing, seen};

/// Expected values: mpmath, 40 digits, from the definitions: `findroot` of the slope of the
/// penalised likelihood, its inverse information, Fieller's quadratic with Student's t by
/// integration. The first curve scatters 3.44 times as much as its trials allow, the second less
/// than they do.
#[test]
fn fits_are_those_of_the_definitions() {
    let scattered = [(10, 360), (20, 290), (30, 230), (40, 150), (50, 60), (60, 50)];
    let scattered = scattered.map(|(x, wins)| seen(f64::from(x), f64::from(wins) / 400.0, 400));
    let few = [(1, 9), (2, 7), (3, 2), (4, 1), (5, 0)];
    let few = few.map(|(x, wins)| seen(f64::from(x), f64::from(wins) / 10.0, 10));
    for (curve, expected, deviance) in [
        (
            &scattered[..],
            [33.248_654_132_483_5, 30.111_976_357_721_4, 36.319_385_724_183_6],
            0.005_762_300_438_912,
        ),
        (
            &few[..],
            [2.381_859_563_443_75, 1.731_600_391_128_27, 2.951_577_195_402_81],
            0.018_229_709_971_695,
        ),
    ] {
        for shift in [0.0, -100.0] {
            let curve: Vec<_> = curve
                .iter()
                .map(|point| ObservedWinShare { x: point.x + shift, ..*point })
                .collect();
            let (middle, low, high) = crossing(&curve);
            for (found, expected) in [middle, low, high].iter().zip(expected) {
                assert!((found - shift - expected).abs() < 1e-7, "{found} {expected}");
            }
            assert!((curve_deviance_per_trial(&curve) - deviance).abs() < 1e-9);
        }
    }
}

/// Many trials say that all is level at 0.45, and the fit crosses before the first place: the
/// shares alone pass one half between the two, at 10·odds(0.52)/(odds(0.52) + odds(0.55)).
#[test]
fn a_fit_that_crosses_elsewhere_sets_no_limits() {
    let curve = [seen(0.0, 0.52, 100), seen(10.0, 0.45, 10_000), seen(20.0, 0.45, 10_000)];
    let (found, low, high) = crossing(&curve);
    let odds = |p: f64| (p / (1.0 - p)).ln();
    assert!((found - 10.0 * odds(0.52) / (odds(0.52) + odds(0.55))).abs() < 1e-9);
    assert_eq!((low, high), (f64::NEG_INFINITY, f64::INFINITY));
}

/// Two places have as many numbers as the curve, and the penalty adds half a win and half a loss
/// to each (Firth 1993): odds of 1½ : ½ at 15 and 1½ : 2½ at 31. A whole step leaps over them.
#[test]
fn steps_that_leap_over_the_top_are_halved() {
    let curve = [seen(15.0, 1.0, 1), seen(31.0, 1.0 / 3.0, 3)];
    let (middle, ..) = crossing(&curve);
    let expected = 15.0 + 16.0 * 3f64.ln() / (3f64.ln() + (5f64 / 3.0).ln());
    assert!((middle - expected).abs() < 1e-7, "{middle} {expected}");
}
