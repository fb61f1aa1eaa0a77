//! Intervals for a proportion that cover at least nominally, for every proportion and up to 10¹³
//! trials, in microseconds.
//!
//! Few hits or few misses (at most 100): the exact interval of Clopper and Pearson, from its own
//! equation P(X ≤ k) = α/2. In between: the bound of Zubkov and Serov, "A complete proof of
//! universal inequalities for the distribution function of the binomial law" (2013),
//!
//! P(X ≤ k) ≤ Φ(−√(2n·KL((k+1)/n ‖ p))) for p > (k+1)/n,
//!
//! so that the upper end solves n·KL((k+1)/n ‖ p) = z²/2, and the lower end is its mirror image.
//! That is at most 4 % wider than the exact interval and never narrower. Both equations are solved
//! by Newton steps on a convex (or log-concave) function, from the outside: every step stays
//! outside the solution, so an early stop makes an interval wider, never too narrow.
//!
//! Not here: Wilson and Wald intervals, which miss their level near 0 and 1; statrs, whose inverse
//! beta does not return for a few hits in 10⁷.

use statrs::function::erf::erfc_inv;

use super::divergence::divergence_term_from_shortfall;

/// Number of hits or misses up to which the exact interval is computed term by term.
const MAX_EXACT_HITS: u64 = 100;

/// Largest number of Newton steps; the outer end found by then is used. Seven are usual.
const MAX_NEWTON_STEPS: usize = 60;

/// Confidence level: how often an interval may miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceLevel {
    missing: f64,
    z: f64,
}

impl ConfidenceLevel {
    /// 95 %, the level of all reported intervals.
    pub const P95: ConfidenceLevel = ConfidenceLevel { missing: 0.05, z: 1.959_963_984_540_054 };

    /// Returns the level of intervals that miss with a probability of at most `missing`.
    ///
    /// `None` unless `missing` is between 10⁻¹² and 0.5.
    pub fn for_miss_probability(missing: f64) -> Option<ConfidenceLevel> {
        let z = std::f64::consts::SQRT_2 * erfc_inv(missing);
        (1e-12..=0.5).contains(&missing).then_some(ConfidenceLevel { missing, z })
    }

    /// Returns the share of intervals that contain the true value: 0.95 for 95 %.
    pub fn coverage_probability(self) -> f64 {
        1.0 - self.missing
    }

    /// Returns the normal quantile of the level: 1.96 for 95 %.
    pub fn normal_quantile(self) -> f64 {
        self.z
    }
}

/// Interval with both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns whether `value` lies between the ends or on one of them.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns upper end less lower end.
    pub fn width(self) -> f64 {
        self.high - self.low
    }
}

/// Computes the interval of a probability from `hits` hits in `trials` trials.
///
/// The interval contains the true probability in at least the share of experiments that `level`
/// names, for every probability. More hits than trials count as all hits; without trials the
/// interval is 0 to 1.
///
/// ```
/// use enfilade_stats::intervals::{ConfidenceLevel, proportion_interval};
/// let none = proportion_interval(0, 1_000_000, ConfidenceLevel::P95);
/// assert_eq!(none.low, 0.0);
/// assert!((none.high - 3.689e-6).abs() < 1e-9);
/// ```
pub fn proportion_interval(hits: u64, trials: u64, level: ConfidenceLevel) -> Interval {
    let hits = hits.min(trials);
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    Interval {
        low: lower_interval_end(hits, trials, level),
        high: upper_interval_end(hits, trials, level),
    }
}

/// Returns the largest p at which `hits` or fewer hits have a probability of half the missing
/// level.
fn upper_interval_end(hits: u64, trials: u64, level: ConfidenceLevel) -> f64 {
    let misses = trials - hits;
    if misses == 0 {
        return 1.0;
    }
    let end = if hits <= MAX_EXACT_HITS {
        exact_upper_interval_end(hits, trials, level)
    } else if misses <= MAX_EXACT_HITS {
        1.0 - exact_lower_interval_end(misses, trials, level)
    } else {
        divergence_interval_end(hits + 1, trials, level, 1.0)
    };
    end.next_up().min(1.0)
}

/// Returns the smallest p at which `hits` or more hits have a probability of half the missing
/// level.
fn lower_interval_end(hits: u64, trials: u64, level: ConfidenceLevel) -> f64 {
    let misses = trials - hits;
    if hits == 0 {
        return 0.0;
    }
    let end = if hits <= MAX_EXACT_HITS {
        exact_lower_interval_end(hits, trials, level)
    } else if misses <= MAX_EXACT_HITS {
        1.0 - exact_upper_interval_end(misses, trials, level)
    } else {
        divergence_interval_end(hits - 1, trials, level, -1.0)
    };
    end.next_down().max(0.0)
}

/// Solves n·KL(a ‖ p) = z²/2 with a = `hits`/`trials`, on the side of a given by `side` (±1).
///
/// The left side is convex in p, so Newton steps from beyond the solution stay beyond it.
fn divergence_interval_end(hits: u64, trials: u64, level: ConfidenceLevel, side: f64) -> f64 {
    let (n, x) = (trials as f64, hits as f64);
    let (a, goal) = (x / n, level.z * level.z / 2.0);
    let mut distance = side * distance_reaching_divergence(a, goal / n, side);
    for _ in 0..MAX_NEWTON_STEPS {
        let p = a + distance;
        let divergence = divergence_term_from_shortfall(x, n * distance)
            + divergence_term_from_shortfall(n - x, -n * distance);
        let slope = n * distance / (p * (1.0 - p));
        let step = (divergence - goal) / slope;
        distance -= step;
        if step.abs() <= 1e-14 * distance.abs() {
            break;
        }
    }
    a + distance
}

/// Returns a distance from `a` at which KL(a ‖ p) is at least `t`, short of 0 and 1.
///
/// The smaller of two: √(2a(1−a)t) + 2t, because u(1−u) ≤ a(1−a) + |u−a| under the integral that
/// gives KL; and the one at which the part of KL that has the pole is enough alone.
fn distance_reaching_divergence(a: f64, t: f64, side: f64) -> f64 {
    // Towards 1 the pole has the weight 1 - a, towards 0 the weight a.
    let weight = if side > 0.0 { 1.0 - a } else { a };
    let other = 1.0 - weight;
    let entropy = -weight * weight.ln() - other * other.ln();
    let near_pole = weight - (-(t + entropy) / weight).exp();
    let bernstein = (2.0 * a * (1.0 - a) * t).sqrt() + 2.0 * t;
    near_pole.min(bernstein)
}

/// Solves P(X ≤ hits) = α/2 for few hits: the probability is concave in its logarithm and falls
/// with p, so Newton steps from above come down to the solution without passing it.
fn exact_upper_interval_end(hits: u64, trials: u64, level: ConfidenceLevel) -> f64 {
    let n = trials as f64;
    let goal = (level.missing / 2.0).ln();
    if hits == 0 {
        return -(goal / n).exp_m1();
    }
    if hits + 1 == trials {
        return ((-level.missing / 2.0).ln_1p() / n).exp();
    }
    let choices = ln_binomial_coefficient(trials, hits);
    let start = divergence_interval_end(hits + 1, trials, level, 1.0);
    run_newton_from_start(start, |p| {
        let tail = lower_tail_ratio(hits, trials, p);
        let k = hits as f64;
        let ln_tail = choices + k * p.ln() + (n - k) * (-p).ln_1p() + tail.ln();
        (ln_tail - goal, -(n - k) / (1.0 - p) / tail)
    })
}

/// Solves P(X ≥ hits) = α/2 for few hits, the same way from below.
fn exact_lower_interval_end(hits: u64, trials: u64, level: ConfidenceLevel) -> f64 {
    let n = trials as f64;
    let goal = (level.missing / 2.0).ln();
    if hits == 1 {
        return -((-level.missing / 2.0).ln_1p() / n).exp_m1();
    }
    if hits == trials {
        return (goal / n).exp();
    }
    let choices = ln_binomial_coefficient(trials, hits);
    let start = divergence_interval_end(hits - 1, trials, level, -1.0);
    run_newton_from_start(start, |p| {
        let tail = upper_tail_ratio(hits, trials, p);
        let k = hits as f64;
        let ln_tail = choices + k * p.ln() + (n - k) * (-p).ln_1p() + tail.ln();
        (ln_tail - goal, k / p / tail)
    })
}

/// Takes Newton steps until `p` no longer changes.
fn run_newton_from_start(start: f64, function_and_slope: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut p = start;
    for _ in 0..MAX_NEWTON_STEPS {
        let (value, slope) = function_and_slope(p);
        let step = value / slope;
        p -= step;
        if step.abs() <= 1e-14 * p {
            break;
        }
    }
    p
}

/// Computes ln of `n` over `k`, for small `k`.
fn ln_binomial_coefficient(n: u64, k: u64) -> f64 {
    (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum()
}

/// Computes P(X ≤ k) ÷ P(X = k), summed downwards until nothing is added.
fn lower_tail_ratio(k: u64, n: u64, p: f64) -> f64 {
    let odds = (1.0 - p) / p;
    let ratios = (1..=k).rev().map(|j| j as f64 / (n - j + 1) as f64 * odds);
    sum_running_products(ratios)
}

/// Computes P(X ≥ k) ÷ P(X = k), summed upwards until nothing is added.
fn upper_tail_ratio(k: u64, n: u64, p: f64) -> f64 {
    let odds = p / (1.0 - p);
    sum_running_products((k..n).map(|j| (n - j) as f64 / (j + 1) as f64 * odds))
}

/// Sums 1 + r₁ + r₁r₂ + …, until the terms no longer count.
fn sum_running_products(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for ratio in ratios {
        term *= ratio;
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clopper–Pearson ends at 95 %: mpmath 1.3 with 50 digits, bisection on the sum of the
    /// binomial terms (on `betainc` beyond 400 of them): hits, trials, low, high.
    const CLOPPER_PEARSON: &[(u64, u64, f64, f64)] = &[
        (1, 10, 0.00252857854446178, 0.445016117028195),
        (9, 10, 0.554983882971805, 0.997471421455538),
        (3, 7, 0.0989882784425079, 0.815948432359917),
        (1, 2, 0.012579117093425, 0.987420882906575),
        (1, 1, 0.025, 1.0),
        (0, 1, 0.0, 0.975),
        (5, 100, 0.0164318791820522, 0.112834911105463),
        (50, 100, 0.398321129503301, 0.601678870496699),
        (81, 263, 0.252736745585271, 0.367621922601351),
        (99, 1000, 0.0811911289469687, 0.119208482686207),
        (250, 1000, 0.22343040626468, 0.278050006223756),
        (1, 10_000_000, 2.53178079522403e-9, 5.57164211736073e-7),
        (7, 10_000_000, 2.81436349979694e-7, 1.4422670008961e-6),
        (40, 1_000_000_000_000, 2.85765864419379e-11, 5.446864696359e-11),
        (100, 10_000_000_000_000, 8.13639912509949e-12, 1.21626793792295e-11),
        (300, 1_000_000, 0.000267013546514586, 0.000335935088129374),
    ];

    #[test]
    fn few_hits_or_misses_give_clopper_and_pearson() {
        let few = |&&(k, n, ..): &&(u64, u64, f64, f64)| k.min(n - k) <= MAX_EXACT_HITS;
        for &(k, n, low, high) in CLOPPER_PEARSON.iter().filter(few) {
            let found = proportion_interval(k, n, ConfidenceLevel::P95);
            assert!((found.low - low).abs() <= 2e-12 * low, "{k} of {n}: {found:?}");
            assert!((found.high - high).abs() <= 2e-12 * high, "{k} of {n}: {found:?}");
        }
    }

    #[test]
    fn otherwise_the_interval_is_a_little_wider_than_clopper_and_pearson() {
        for &(k, n, low, high) in CLOPPER_PEARSON {
            let found = proportion_interval(k, n, ConfidenceLevel::P95);
            assert!(found.low <= low * (1.0 + 2e-12), "{k} of {n}: {found:?}");
            assert!(found.high >= high * (1.0 - 2e-12), "{k} of {n}: {found:?}");
            assert!(found.width() <= 1.04 * (high - low), "{k} of {n}: {found:?}");
        }
    }

    /// From mpmath in the same way, with α = 10⁻⁹.
    #[test]
    fn other_levels_are_as_exact() {
        let level = ConfidenceLevel::for_miss_probability(1e-9).expect("within the range");
        let found = proportion_interval(3, 50, level);
        assert!((found.low / 2.94479395247822e-5 - 1.0).abs() < 1e-9);
        assert!((found.high / 0.461032204658038 - 1.0).abs() < 1e-9);
        let rare = proportion_interval(2, 1_000_000_000, level);
        assert!((rare.low / 3.16231099556595e-14 - 1.0).abs() < 1e-9);
        assert!((rare.high / 2.74185899739931e-8 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_level_of_95_percent_is_the_one_computed() {
        let computed = ConfidenceLevel::for_miss_probability(0.05).expect("within the range");
        assert!(
            (computed.normal_quantile() - ConfidenceLevel::P95.normal_quantile()).abs() < 1e-12
        );
        assert_eq!(ConfidenceLevel::for_miss_probability(0.0), None);
        assert_eq!(ConfidenceLevel::for_miss_probability(f64::NAN), None);
        assert_eq!(ConfidenceLevel::for_miss_probability(0.6), None);
    }

    #[test]
    fn ends_are_in_order_and_mirror_each_other() {
        for n in [1, 2, 3, 10, 101, 102, 203, 204, 999, 10_007, 10_000_000_000_000] {
            let few = (0..=n.min(400)).chain([n / 3, n / 2]);
            for k in few {
                let found = proportion_interval(k, n, ConfidenceLevel::P95);
                let mirrored = proportion_interval(n - k, n, ConfidenceLevel::P95);
                let share = k as f64 / n as f64;
                assert!(0.0 <= found.low && found.high <= 1.0);
                assert!(found.low <= share && share <= found.high, "{k} of {n}: {found:?}");
                assert!((found.low + mirrored.high - 1.0).abs() < 1e-14, "{k} of {n}");
            }
        }
    }

    #[test]
    fn odd_input_gives_an_honest_interval() {
        let nothing = proportion_interval(0, 0, ConfidenceLevel::P95);
        assert_eq!((nothing.low, nothing.high), (0.0, 1.0));
        assert_eq!(
            proportion_interval(9, 4, ConfidenceLevel::P95),
            proportion_interval(4, 4, ConfidenceLevel::P95)
        );
        assert_eq!(proportion_interval(u64::MAX, u64::MAX, ConfidenceLevel::P95).high, 1.0);
    }
}
