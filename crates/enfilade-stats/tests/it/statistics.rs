//! Statistics against enumeration: intervals that cover, tests that neither sleep nor cry wolf.
//!
//! The probabilities here are summed by this file's own code, from products of ratios.

use enfilade_stats::agreement;
use enfilade_stats::intervals::{ConfidenceLevel, Interval, proportion_interval};
use enfilade_stats::mean::estimate_mean_of_counts;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Computes ln k! for k from 0 to n.
pub fn ln_factorials(n: u64) -> Vec<f64> {
    let mut sum = 0.0;
    let next = |k: u64| {
        sum += (k.max(1) as f64).ln();
        sum
    };
    (0..=n).map(next).collect()
}

fn binomial(k: usize, n: usize, p: f64, ln_factorial: &[f64]) -> f64 {
    if p == 0.0 || p == 1.0 {
        return f64::from(u8::from(k == if p == 0.0 { 0 } else { n }));
    }
    let choices = ln_factorial[n] - ln_factorial[k] - ln_factorial[n - k];
    (choices + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp()
}

/// Computes the smallest coverage of an interval over all p of a grid and just beyond every end,
/// where coverage is lowest.
fn worst_coverage(n: usize, interval: impl Fn(u64, u64) -> Interval) -> f64 {
    let ln_factorial = ln_factorials(n as u64);
    let all: Vec<_> = (0..=n).map(|k| interval(k as u64, n as u64)).collect();
    let ends = all.iter().flat_map(|i| [i.low - 1e-12, i.high + 1e-12]);
    let grid = (0..=200).map(|i| f64::from(i) / 200.0);
    let possible = grid.chain(ends).filter(|p| (0.0..=1.0).contains(p));
    let coverage = |p: f64| {
        let missed = |k: &usize| !all[*k].contains(p);
        let missed = (0..=n).filter(missed);
        1.0 - missed.map(|k| binomial(k, n, p, &ln_factorial)).sum::<f64>()
    };
    possible.map(coverage).fold(1.0, f64::min)
}

fn reported(k: u64, n: u64) -> Interval {
    proportion_interval(k, n, ConfidenceLevel::P95)
}

/// Computes Wilson's score interval, which is not used: the coverage test must refuse it.
fn wilson(k: u64, n: u64) -> Interval {
    let (p, n, z) = (k as f64 / n as f64, n as f64, ConfidenceLevel::P95.normal_quantile());
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Interval { low: middle - half, high: middle + half }
}

#[test]
fn intervals_cover_at_every_p_for_all_n_up_to_60() {
    for n in 1..=60 {
        let worst = worst_coverage(n, reported);
        assert!(worst >= 0.95 - 1e-10, "n = {n}: {worst}");
    }
}

#[test]
fn intervals_cover_at_every_p_for_some_n_up_to_500() {
    for n in [61, 80, 100, 101, 150, 199, 203, 250, 307, 400, 500] {
        let worst = worst_coverage(n, reported);
        assert!(worst >= 0.95 - 1e-10, "n = {n}: {worst}");
    }
}

/// Near p = 0.18/n Wilson covers e^-0.1765 = 0.838: the same test refuses it for every n.
#[test]
fn a_wilson_interval_would_fail_the_same_test() {
    for n in [5, 20, 60, 200, 500] {
        let worst = worst_coverage(n, wilson);
        assert!(worst < 0.85, "n = {n}: {worst}");
    }
}

/// Computes P(X > k) ÷ P(X = k) or P(X < k) ÷ P(X = k), summed outwards.
fn beyond(k: u64, n: u64, p: f64, up: bool) -> f64 {
    let odds = p / (1.0 - p);
    let (mut j, mut term, mut sum) = (k, 1.0, 0.0);
    while if up { j < n } else { j > 0 } {
        if up {
            term *= (n - j) as f64 / (j + 1) as f64 * odds;
            j += 1;
        } else {
            term *= j as f64 / (n - j + 1) as f64 / odds;
            j -= 1;
        }
        sum += term;
        if term < 1e-18 * sum {
            break;
        }
    }
    sum
}

/// Computes the coverage at p of n trials, from unnormalised sums around the mode, for n far too
/// large to compute the terms from logarithms of factorials.
fn coverage_at(p: f64, n: u64) -> f64 {
    let mode = (p * n as f64) as u64;
    let holds = |k: u64| reported(k, n).contains(p);
    let last = |mut inside: u64, mut outside: u64| {
        while inside.abs_diff(outside) > 1 {
            let middle = inside.midpoint(outside);
            if holds(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    assert!(holds(mode), "the likeliest count must be covered");
    let spread = (20.0 * (p * n as f64).sqrt()) as u64 + 60;
    let top = last(mode, (mode + spread).min(n));
    let (low, bottom) = match holds(mode.saturating_sub(spread)) {
        true => (0, mode.saturating_sub(spread)),
        false => (1, last(mode, mode.saturating_sub(spread))),
    };
    // Everything in units of P(X = mode).
    let whole = 1.0 + beyond(mode, n, p, true) + beyond(mode, n, p, false);
    let above = beyond(mode, n, p, true) - partial(mode, top, n, p);
    let below = beyond(mode, n, p, false) - partial(mode, bottom, n, p);
    1.0 - (above + f64::from(low) * below) / whole
}

/// Computes the part of [`beyond`] from `mode` to `end`, both signs.
fn partial(mode: u64, end: u64, n: u64, p: f64) -> f64 {
    let odds = p / (1.0 - p);
    let (mut term, mut sum) = (1.0, 0.0);
    let steps = mode.abs_diff(end);
    for i in 0..steps {
        term *= if end > mode {
            (n - mode - i) as f64 / (mode + i + 1) as f64 * odds
        } else {
            (mode - i) as f64 / (n - mode + i + 1) as f64 / odds
        };
        sum += term;
    }
    sum
}

#[test]
fn intervals_cover_for_rare_events_in_up_to_ten_trillion_trials() {
    for n in [10_000_000, 1_000_000_000_000, 10_000_000_000_000] {
        for expected in [0.01, 0.18, 0.5, 1.0, 3.0, 5.5, 17.0, 80.0, 110.0, 1000.0, 54_321.0] {
            let p = expected / n as f64;
            let found = coverage_at(p, n);
            assert!((0.95 - 1e-9..=1.0 + 1e-9).contains(&found), "n = {n}, p = {p}: {found}");
        }
    }
}

#[test]
fn intervals_cover_for_common_events_in_up_to_a_trillion_trials() {
    for (n, p) in
        [(1_000_000, 0.5), (1_000_000, 0.01), (1_000_000_000_000, 0.3), (1_000_000_000_000, 0.002)]
    {
        let found = coverage_at(p, n);
        assert!((0.95 - 1e-7..0.952).contains(&found), "n = {n}, p = {p}: {found}");
    }
}

#[test]
fn intervals_tighten_with_trials_and_loosen_with_confidence() {
    let strict = ConfidenceLevel::for_miss_probability(1e-9).expect("within the range");
    for k in [0, 1, 7, 500, 999, 1000] {
        let few = reported(k, 1000);
        assert!(reported(10 * k, 10_000).width() < few.width());
        let wide = proportion_interval(k, 1000, strict);
        assert!(wide.low <= few.low && few.high <= wide.high);
    }
}

/// Computes the smallest coverage of the mean of `n` trials of a distribution on three values.
fn mean_coverage(n: u64, values: [i32; 3], law: [f64; 3]) -> f64 {
    let ln_factorial = ln_factorials(n);
    let truth: f64 = values.iter().zip(law).map(|(&v, p)| f64::from(v) * p).sum();
    let mut covered = 0.0;
    for a in 0..=n {
        for b in 0..=n - a {
            let counts = [a, b, n - a - b];
            let counted = [0, 1, 2].map(|i| (values[i], counts[i]));
            let found =
                estimate_mean_of_counts(&counted, values[0], values[2], ConfidenceLevel::P95)
                    .interval;
            if found.low - 1e-12 <= truth && truth <= found.high + 1e-12 {
                covered += multinomial(&counts, &law, &ln_factorial);
            }
        }
    }
    covered
}

/// Computes the chance of these counts, cell by cell of a distribution.
pub fn multinomial(counts: &[u64], law: &[f64], ln_factorial: &[f64]) -> f64 {
    let n: u64 = counts.iter().sum();
    let mut ln = ln_factorial[n as usize];
    for (&count, &p) in counts.iter().zip(law) {
        if count > 0 {
            ln += count as f64 * p.ln() - ln_factorial[count as usize];
        }
    }
    ln.exp()
}

#[test]
fn means_of_three_values_are_covered() {
    let laws = [
        [0.999, 0.0005, 0.0005],
        [0.98, 0.01, 0.01],
        [0.9, 0.09, 0.01],
        [0.95, 0.0, 0.05],
        [0.7, 0.0, 0.3],
        [0.5, 0.3, 0.2],
        [0.01, 0.01, 0.98],
        [0.02, 0.96, 0.02],
    ];
    for n in [1, 2, 5, 20, 60, 200] {
        for values in [[0, 1, 2], [0, 1, 10], [-3, 0, 1]] {
            for law in laws {
                let found = mean_coverage(n, values, law);
                assert!(found >= 0.95, "n = {n}, {values:?} by {law:?}: {found}");
            }
        }
    }
}

#[test]
fn means_of_two_values_are_covered_at_every_p() {
    for n in [1, 2, 3, 5, 10, 30, 100, 300] {
        let worst = worst_coverage(n, |k, n| {
            estimate_mean_of_counts(&[(0, n - k), (1, k)], 0, 1, ConfidenceLevel::P95).interval
        });
        assert!(worst >= 0.95, "n = {n}: {worst}");
    }
}

/// Rolls a die by rejection of the top bytes, loaded by `extra` on its last face at the cost of the
/// first.
fn roll(rng: &mut impl Rng, trials: u64, extra: f64) -> [u64; 6] {
    let mut counts = [0; 6];
    let loaded = (extra * 2f64.powi(32)) as u64;
    let mut rolled = 0;
    while rolled < trials {
        let word = rng.next_u64();
        let (high, low) = (word >> 32, word & 0xffff_ffff);
        // 2^32 = 6·715827882 + 4.
        if low >= 6 * 715_827_882 {
            continue;
        }
        let face = (low % 6) as usize;
        // Six times as often, because only a first face is turned over.
        let face = if face == 0 && high < 6 * loaded { 5 } else { face };
        counts[face] += 1;
        rolled += 1;
    }
    counts
}

#[test]
fn a_clean_replay_does_not_cry_wolf() {
    let fair = [1.0 / 6.0; 6];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(61886712);
    let mut alarms = [0, 0];
    for _ in 0..2000 {
        let counts = roll(&mut rng, 500, 0.0);
        alarms[0] +=
            u32::from(!agreement::test_counts_against_law(&counts, 500, &fair, 1e-2).agrees());
        alarms[1] +=
            u32::from(!agreement::test_hits_against_chance(counts[3], 500, fair[3], 1e-2).agrees());
    }
    // At most 20 of 2000 are expected; with the true rates well below, 20 is far away.
    assert!(alarms[0] <= 20 && alarms[1] <= 20, "{alarms:?}");
}

#[test]
fn a_rare_law_does_not_cry_wolf_either() {
    // 20 trials, cells far below any "expected at least 5".
    let law = [0.9, 0.06, 0.02, 0.01, 0.01];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut alarms = 0;
    for _ in 0..5000 {
        let mut counts = [0; 5];
        for _ in 0..20 {
            let u = (rng.next_u64() >> 11) as f64 / 2f64.powi(53);
            let mut sum = 0.0;
            let cell = law.iter().position(|p| {
                sum += p;
                u < sum
            });
            counts[cell.unwrap_or(0)] += 1;
        }
        alarms += u32::from(!agreement::test_counts_against_law(&counts, 20, &law, 1e-2).agrees());
    }
    assert!(alarms <= 50, "{alarms} of 5000");
}

/// 0.1 percentage points of 2²⁵ rolls are 33 554 rolls, 15 standard deviations.
#[test]
fn a_loaded_die_is_caught() {
    const TRIALS: u64 = 1 << 25;
    let fair = [1.0 / 6.0; 6];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let loaded = roll(&mut rng, TRIALS, 0.001);
    let verdict = agreement::test_counts_against_law(&loaded, TRIALS, &fair, 1e-9);
    assert!(!verdict.agrees(), "{verdict:?}");
    let worst = verdict.worst.expect("there are six cells");
    assert!(worst.index == 0 || worst.index == 5, "{worst:?}");
    assert!(worst.z.abs() > 10.0);
    assert!(!agreement::test_hits_against_chance(loaded[5], TRIALS, fair[5], 1e-9).agrees());
    let clean = roll(&mut rng, TRIALS, 0.0);
    assert!(agreement::test_counts_against_law(&clean, TRIALS, &fair, 1e-9).agrees());
}

#[test]
fn a_lost_batch_and_a_swapped_row_are_caught() {
    const TRIALS: u64 = 1 << 22;
    let fair = [1.0 / 6.0; 6];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let counts = roll(&mut rng, TRIALS - 4096, 0.0);
    assert!(!agreement::test_counts_against_law(&counts, TRIALS, &fair, 1e-9).agrees());
    // The sum of two dice, 2 to 12, with 6 and 8 right but 7 and 8 swapped.
    let sum: Vec<f64> = (2..=12i32).map(|s| f64::from(6 - (7 - s).abs()) / 36.0).collect();
    let mut counts = vec![0; 11];
    for _ in 0..TRIALS / 4 {
        let two = roll(&mut rng, 2, 0.0);
        let spots: usize = two.iter().zip(1..).map(|(&n, face)| n as usize * face).sum();
        counts[spots - 2] += 1;
    }
    assert!(agreement::test_counts_against_law(&counts, TRIALS / 4, &sum, 1e-9).agrees());
    counts.swap(5, 6);
    assert!(!agreement::test_counts_against_law(&counts, TRIALS / 4, &sum, 1e-9).agrees());
}

/// Every second chunk repeats the one before: the distribution is right, the spread is not. The
/// agreement test detects it when a stream repeats often enough: here one chunk counted 64 times.
#[test]
fn a_repeated_stream_is_caught() {
    let fair = [1.0 / 6.0; 6];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let chunk = roll(&mut rng, 1 << 16, 0.0);
    let repeated = chunk.map(|count| 64 * count);
    assert!(agreement::test_counts_against_law(&chunk, 1 << 16, &fair, 1e-9).agrees());
    assert!(!agreement::test_counts_against_law(&repeated, 1 << 22, &fair, 1e-9).agrees());
}

/// The false alarms of the proportion test, enumerated: at most with probability α, at any p.
#[test]
fn the_proportion_test_holds_its_level_at_every_p() {
    for n in [1, 7, 40, 200] {
        let ln_factorial = ln_factorials(n);
        for i in 0..=400 {
            let p = f64::from(i) / 400.0;
            for alpha in [0.3, 1e-2, 1e-4] {
                let alarm =
                    |&k: &u64| !agreement::test_hits_against_chance(k, n, p, alpha).agrees();
                let alarms = (0..=n).filter(alarm);
                let rate: f64 =
                    alarms.map(|k| binomial(k as usize, n as usize, p, &ln_factorial)).sum();
                assert!(rate <= alpha, "n = {n}, p = {p}: {rate} above {alpha}");
            }
        }
    }
}

/// The false alarms of the distribution test with three cells, enumerated.
#[test]
fn the_law_test_holds_its_level() {
    let ln_factorial = ln_factorials(60);
    for law in [[1.0 / 3.0; 3], [0.9, 0.09, 0.01], [0.5, 0.5, 0.0], [0.998, 0.001, 0.001]] {
        for n in [1, 5, 20, 60] {
            for alpha in [0.3, 1e-2, 1e-4] {
                let mut rate = 0.0;
                for a in 0..=n {
                    for b in 0..=n - a {
                        let counts = [a, b, n - a - b];
                        if !agreement::test_counts_against_law(&counts, n, &law, alpha).agrees() {
                            rate += multinomial(&counts, &law, &ln_factorial);
                        }
                    }
                }
                assert!(rate <= alpha, "n = {n}, {law:?}: {rate} above {alpha}");
            }
        }
    }
}
