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

/// Expected values: mpmath, 40 digits, from the definitions: `findroot` of the slope of the
/// penalised likelihood, its inverse information, Fieller's quadratic with Student's t by
/// integration. The first curve scatters 3.44 times as much as its trials allow, the second less
/// than they do.
#[test]
fn fits_are_those_of_the_definitions() {
    let scattered = [(10, 360), (20, 290), (30, 230), (40, 150), (50, 60), (60, 50)];
    let scattered = scattered.map(|(x, wins)| seen(f64::from(x), wins, 400));
    let few = [(1, 9), (2, 7), (3, 2), (4, 1), (5, 0)];
    let few = few.map(|(x, wins)| seen(f64::from(x), wins, 10));
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
            let (middle, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
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
    let curve = [seen(0.0, 52, 100), seen(10.0, 4500, 10_000), seen(20.0, 4500, 10_000)];
    let (found, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
    let odds = |p: f64| (p / (1.0 - p)).ln();
    assert!((found - 10.0 * odds(0.52) / (odds(0.52) + odds(0.55))).abs() < 1e-9);
    assert_eq!((low, high), (f64::NEG_INFINITY, f64::INFINITY));
}

/// Two places have as many numbers as the curve, and the penalty adds half a win and half a loss
/// to each (Firth 1993): odds of 1½ : ½ at 15 and 1½ : 2½ at 31. A whole step leaps over them.
#[test]
fn steps_that_leap_over_the_top_are_halved() {
    let curve = [seen(15.0, 1, 1), seen(31.0, 1, 3)];
    let (middle, ..) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
    let expected = 15.0 + 16.0 * 3f64.ln() / (3f64.ln() + (5f64 / 3.0).ln());
    assert!((middle - expected).abs() < 1e-7, "{middle} {expected}");
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
        let curve = [seen(10.0, wins[0], 100), seen(20.0, wins[1], 100), seen(30.0, wins[2], 100)];
        let (found, low, high) = at(find_half_crossing(&curve, ConfidenceLevel::P95));
        assert!((10.0..=30.0).contains(&found) && low <= found && found <= high);
    }
    let (found, low, high) = at(find_half_crossing(&[seen(10.0, 50, 100)], ConfidenceLevel::P95));
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
        curve_deviance_per_trial(&[seen(1.0, 9, 10), seen(2.0, 5, 10), seen(3.0, 1, 10)]) < 0.01
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
