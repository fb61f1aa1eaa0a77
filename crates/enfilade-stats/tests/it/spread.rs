//! Intervals of deviations and quantiles compared with enumeration: they cover, whatever the
//! distribution.
//!
//! Every sample of a small distribution is taken with its probability; if there are too many
//! samples, they are drawn with a fixed seed. The true value is computed here from the distribution
//! itself.

use enfilade_stats::deviation::estimate_deviation;
use enfilade_stats::intervals::{ConfidenceLevel, Interval};
use enfilade_stats::quantile::{QuantileEstimate, RankedValues};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::statistics::{ln_factorials, multinomial};

/// Distribution: values, ascending, with their probabilities.
type Law = Vec<(i32, f64)>;

/// Counts of the values of a distribution.
type Counted = Vec<(i32, u64)>;

fn law_deviation(law: &[(i32, f64)]) -> f64 {
    let mean: f64 = law.iter().map(|(v, p)| f64::from(*v) * p).sum();
    let square = |(v, p): &(i32, f64)| p * (f64::from(*v) - mean).powi(2);
    law.iter().map(square).sum::<f64>().sqrt()
}

fn law_quantile(law: &[(i32, f64)], (numerator, denominator): (u32, u32)) -> i32 {
    let share = f64::from(numerator) / f64::from(denominator);
    let mut sum = 0.0;
    let found = law.iter().find(|(_, p)| {
        sum += p;
        sum >= share - 1e-12
    });
    found.expect("a law adds up to 1").0
}

fn found_deviation(counted: &[(i32, u64)]) -> Interval {
    let (low, high) = (counted[0].0, counted[counted.len() - 1].0);
    estimate_deviation(counted, low, high, ConfidenceLevel::P95).interval
}

/// Returns whether the interval of the deviation contains the true one, up to rounding.
fn holds_deviation(counted: &[(i32, u64)], truth: f64) -> bool {
    let found = found_deviation(counted);
    found.low - 1e-12 <= truth && truth <= found.high + 1e-12
}

fn holds_quantile(counted: &[(i32, u64)], share: (u32, u32), truth: i32) -> bool {
    let QuantileEstimate { low, high, .. } =
        RankedValues::from_counts(counted, 0).estimate_quantile(share, ConfidenceLevel::P95);
    low.is_some_and(|low| low <= truth) && high.is_some_and(|high| truth <= high)
}

/// Returns every way to split `n` trials over `cells` cells.
fn samples(n: u64, cells: usize) -> Vec<Vec<u64>> {
    if cells == 1 {
        return vec![vec![n]];
    }
    let first = |k: u64| {
        let rest = samples(n - k, cells - 1).into_iter();
        rest.map(move |rest| [vec![k], rest].concat())
    };
    (0..=n).flat_map(first).collect()
}

/// Computes the probability that `holds` is true of `n` trials of `law`: every sample is taken with
/// its probability.
fn coverage(n: u64, law: &[(i32, f64)], holds: impl Fn(&[(i32, u64)]) -> bool) -> f64 {
    let ln_factorial = ln_factorials(n);
    let (values, shares): (Vec<i32>, Vec<f64>) = law.iter().copied().unzip();
    let missed = samples(n, law.len()).into_iter().filter(|counts| {
        let counted: Counted = values.iter().copied().zip(counts.iter().copied()).collect();
        !holds(&counted)
    });
    let chances = missed.map(|counts| multinomial(&counts, &shares, &ln_factorial));
    1.0 - chances.sum::<f64>()
}

fn two(p: f64) -> Law {
    vec![(0, 1.0 - p), (1, p)]
}

/// Probabilities that are rare, common, even, and just beside even, where the variance is flat.
fn shares() -> impl Iterator<Item = f64> {
    let grid = (1..=60).map(|i| f64::from(i) / 120.0);
    grid.chain([1e-4, 3e-4, 1e-3, 3e-3, 0.02, 0.497, 0.499])
}

#[test]
fn deviations_of_two_values_are_covered() {
    for n in [1, 2, 3, 4, 5, 7, 10, 30, 100, 300, 1000, 4000] {
        for p in shares() {
            let truth = (p * (1.0 - p)).sqrt();
            let found = coverage(n, &two(p), |counted| holds_deviation(counted, truth));
            assert!(found >= 0.95, "n = {n}, p = {p}: {found}");
        }
    }
}

fn laws_of_three() -> Vec<[f64; 3]> {
    vec![
        [0.999, 0.0005, 0.0005],
        [0.98, 0.01, 0.01],
        [0.9, 0.09, 0.01],
        [0.5, 0.3, 0.2],
        [0.45, 0.1, 0.45],
        [0.25, 0.5, 0.25],
        [0.1, 0.8, 0.1],
        [0.05, 0.9, 0.05],
        [0.02, 0.96, 0.02],
        [0.002, 0.996, 0.002],
        [0.01, 0.01, 0.98],
        [0.6, 1e-9, 0.4],
        [0.95, 1e-9, 0.05],
    ]
}

#[test]
fn deviations_of_three_values_are_covered() {
    for n in [1, 2, 3, 5, 10, 20, 60, 150] {
        for values in [[0, 1, 2], [0, 1, 10], [-3, 0, 1], [0, 5, 10]] {
            for law in laws_of_three() {
                let law: Law = values.into_iter().zip(law).collect();
                let truth = law_deviation(&law);
                let found = coverage(n, &law, |counted| holds_deviation(counted, truth));
                assert!(found >= 0.95, "n = {n}, {law:?}: {found}");
            }
        }
    }
}

/// The usual interval, s ± z·√((m₄ − s⁴)/n)/(2s), is not used: the same test refuses it.
#[test]
fn the_delta_method_would_fail_the_same_test() {
    let plain = |counted: &[(i32, u64)], truth: f64| {
        let n = (counted[0].1 + counted[1].1) as f64;
        let p = counted[1].1 as f64 / n;
        let s = (p * (1.0 - p)).sqrt();
        // For two values √(m₄ − s⁴) is |1 − 2p|·s.
        let half =
            ConfidenceLevel::P95.normal_quantile() * (1.0 - 2.0 * p).abs() / (2.0 * n.sqrt());
        s > 0.0 && (s - truth).abs() <= half
    };
    for (n, p) in [(20, 0.02), (100, 0.01), (1000, 1e-3), (4000, 1e-4)] {
        let truth: f64 = p * (1.0 - p);
        let found = coverage(n, &two(p), |counted| plain(counted, truth.sqrt()));
        assert!(found < 0.8, "n = {n}, p = {p}: {found}");
    }
}

#[test]
fn quantiles_are_covered() {
    for n in [1, 2, 3, 5, 10, 20, 60] {
        for law in laws_of_three() {
            let law: Law = [-2, 0, 7].into_iter().zip(law).collect();
            for share in [(1, 100), (1, 4), (1, 2), (3, 4), (9, 10), (99, 100)] {
                let truth = law_quantile(&law, share);
                let found = coverage(n, &law, |counted| holds_quantile(counted, share, truth));
                assert!(found >= 0.95, "n = {n}, {law:?} at {share:?}: {found}");
            }
        }
    }
}

/// Where a value ends just at the share or just beside it, coverage is lowest.
#[test]
fn quantiles_beside_a_step_are_covered() {
    for n in [1, 4, 11, 50, 203, 1000] {
        for share in [(1, 20), (1, 2), (9, 10)] {
            let q = f64::from(share.0) / f64::from(share.1);
            for beside in [-0.03, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.03] {
                let law = two(1.0 - (q + beside));
                let truth = law_quantile(&law, share);
                let found = coverage(n, &law, |counted| holds_quantile(counted, share, truth));
                assert!(found >= 0.95, "n = {n}, {share:?} {beside:+}: {found}");
            }
        }
    }
}

/// Builds the distribution of the sum of `n` dice of six sides.
fn dice(n: u32) -> Law {
    let mut law = vec![(0, 1.0)];
    for _ in 0..n {
        let mut next: Law =
            (law[0].0 + 1..=law[law.len() - 1].0 + 6).map(|sum| (sum, 0.0)).collect();
        for (at, (_, p)) in law.iter().enumerate() {
            for face in 0..6 {
                next[at + face].1 += p / 6.0;
            }
        }
        law = next;
    }
    law
}

/// Draws `n` trials of a distribution, by inversion.
fn drawn(rng: &mut impl Rng, n: u64, law: &[(i32, f64)]) -> Counted {
    let mut counted: Counted = law.iter().map(|(value, _)| (*value, 0)).collect();
    for _ in 0..n {
        let u = (rng.next_u64() >> 11) as f64 / 2f64.powi(53);
        let mut sum = 0.0;
        let place = law.iter().position(|(_, p)| {
            sum += p;
            u < sum
        });
        counted[place.unwrap_or(law.len() - 1)].1 += 1;
    }
    counted
}

/// Misses of 4000 samples each: 5 % are 200, and three standard deviations 41 more.
#[test]
fn sums_of_dice_are_covered() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(35);
    for (dice_rolled, n) in [(1, 10), (1, 300), (2, 30), (2, 1000), (5, 200), (10, 500)] {
        let law = dice(dice_rolled);
        let (truth, ninth) = (law_deviation(&law), law_quantile(&law, (9, 10)));
        let mut missed = [0, 0];
        for _ in 0..4000 {
            let counted = drawn(&mut rng, n, &law);
            missed[0] += u32::from(!holds_deviation(&counted, truth));
            missed[1] += u32::from(!holds_quantile(&counted, (9, 10), ninth));
        }
        assert!(missed.iter().all(|&missed| missed <= 241), "{dice_rolled}, {n}: {missed:?}");
    }
}

/// A long tail: 0 mostly, and 2ᵏ with a chance of 4⁻ᵏ, so that squares have no mean to speak of.
#[test]
fn long_tails_are_covered() {
    let mut law: Law = (1..=8).map(|k| (1 << k, 0.25f64.powi(k))).collect();
    let rest = 1.0 - law.iter().map(|(_, p)| p).sum::<f64>();
    law.insert(0, (0, rest));
    let truth = law_deviation(&law);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(36);
    for n in [10, 100, 1000, 10_000] {
        let samples = (0..1000).map(|_| drawn(&mut rng, n, &law));
        let missed = samples.filter(|counted| !holds_deviation(counted, truth)).count();
        assert!(missed <= 70, "{n}: {missed} of 1000");
    }
}

/// With 2d6 and a hundred thousand trials, the least there are, the interval is useful: as wide as
/// the delta method's but for one part in ten.
#[test]
fn intervals_are_not_much_wider_than_they_must_be() {
    let n = 100_000;
    let law = dice(2);
    let counted: Counted = law.iter().map(|(v, p)| (*v, (p * n as f64) as u64)).collect();
    let fourth: f64 = law.iter().map(|(v, p)| p * f64::from(v - 7).powi(4)).sum();
    let s2: f64 = 35.0 / 6.0;
    let delta =
        ConfidenceLevel::P95.normal_quantile() * ((fourth - s2 * s2) / n as f64).sqrt() / s2.sqrt();
    let width = found_deviation(&counted).width();
    assert!((1.0..1.1).contains(&(width / delta)), "{width} and {delta}");
}
