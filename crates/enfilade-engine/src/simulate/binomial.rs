//! Binomial random numbers: how many of n trials hit, for any n, by rejection (Hörmann 1993).
//!
//! Logarithms are computed from sums, products and quotients here, so that the numbers are the same
//! on every machine.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2};

use rand::Rng;

use super::rng::Bits;

/// Returns a number of 53 bits above 0 and below 1: the middle of each of 2⁵³ parts.
pub(super) fn to_unit_interval(bits: u64) -> f64 {
    ((bits >> 11) as f64 + 0.5) / 2f64.powi(53)
}

/// Computes the natural logarithm.
pub(super) fn natural_log(u: f64) -> f64 {
    let bits = u.to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let part = f64::from_bits((bits & (u64::MAX >> 12)) | (1023 << 52));
    // Reduced to a number from √½ to √2 and a number of doublings.
    let large = part / 2.0 > FRAC_1_SQRT_2;
    let (part, exponent) = if large { (part / 2.0, exponent + 1) } else { (part, exponent) };
    compute_twice_artanh((part - 1.0) / (part + 1.0)) + f64::from(exponent) * LN_2
}

/// Computes ln(1 + x), precise also where x is small.
pub(super) fn natural_log_1p(x: f64) -> f64 {
    if x.abs() < 0.25 { compute_twice_artanh(x / (2.0 + x)) } else { natural_log(1.0 + x) }
}

/// Computes 2·artanh(t) for |t| up to 0.18.
fn compute_twice_artanh(t: f64) -> f64 {
    let square = t * t;
    let series = (0..14).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    2.0 * t * series
}

/// Largest number of trials drawn at once: all whole numbers up to there are exact.
const MAX_BINOMIAL_TRIALS: u64 = 1 << 50;

/// Draws how many of `n` trials hit, when each does so with the chance `p`.
pub(super) fn draw_binomial(mut n: u64, p: f64, bits: &mut Bits) -> u64 {
    let mut sum = 0;
    while n > 0 {
        let some = n.min(MAX_BINOMIAL_TRIALS);
        sum += match p {
            p if p <= 0.0 => 0,
            p if p >= 1.0 => some,
            p if p > 0.5 => some - draw_hits_of_small_chance(some, 1.0 - p, bits),
            p => draw_hits_of_small_chance(some, p, bits),
        };
        n -= some;
    }
    sum
}

/// Mean number of hits up to which they are drawn one by one; the constants of the rejection hold
/// from there on.
const MAX_MEAN_OF_FEW_HITS: f64 = 10.0;

fn draw_hits_of_small_chance(n: u64, p: f64, bits: &mut Bits) -> u64 {
    if n as f64 * p < MAX_MEAN_OF_FEW_HITS {
        draw_by_waiting_times(n, p, bits)
    } else {
        draw_by_rejection(n as f64, p, bits) as u64
    }
}

/// Draws the distance from one hit to the next, a geometric number.
fn draw_by_waiting_times(n: u64, p: f64, bits: &mut Bits) -> u64 {
    let stay = natural_log_1p(-p);
    let (mut waited, mut count) = (0.0, 0);
    loop {
        waited += (natural_log(to_unit_interval(bits.next_u64())) / stay).floor() + 1.0;
        if waited > n as f64 {
            return count;
        }
        count += 1;
    }
}

/// Draws by Hörmann's transformed rejection with a squeeze (BTRS), for a mean of 10 or more.
fn draw_by_rejection(n: f64, p: f64, bits: &mut Bits) -> f64 {
    let (q, ratio) = (1.0 - p, p / (1.0 - p));
    let spread = (n * p * q).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let (c, squeeze, alpha) = (n * p + 0.5, 0.92 - 4.2 / b, (2.83 + 5.1 / b) * spread);
    let mode = ((n + 1.0) * p).floor();
    loop {
        let u = to_unit_interval(bits.next_u64()) - 0.5;
        let v = to_unit_interval(bits.next_u64());
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + c).floor();
        // The squeeze: most draws lie so far below the density that no logarithm is needed.
        if us >= 0.07 && v <= squeeze {
            return k;
        }
        if k < 0.0 || k > n {
            continue;
        }
        let v = natural_log(v * alpha / (a / (us * us) + b));
        if v <= log_relative_density(n, ratio, mode, k) {
            return k;
        }
    }
}

/// Computes the logarithm of the probability of `k` relative to that of the mode, in a form in
/// which large numbers do not cancel.
fn log_relative_density(n: f64, ratio: f64, mode: f64, k: f64) -> f64 {
    let away = k - mode;
    (n + 1.0) * natural_log_1p(away / (n - k + 1.0))
        + (mode + 0.5)
            * (natural_log_1p(-away / (k + 1.0)) + natural_log_1p(-away / (n - mode + 1.0)))
        + away * natural_log(ratio * (n - k + 1.0) / (k + 1.0))
        + stirling_error(mode)
        + stirling_error(n - mode)
        - stirling_error(k)
        - stirling_error(n - k)
}

/// Computes ln k! less its Stirling approximation, at k + 1.
fn stirling_error(k: f64) -> f64 {
    const STIRLING_ERRORS_BY_COUNT: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_093,
        0.016_644_691_189_821_193,
        0.013_876_128_823_070_748,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_096,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if let Some(error) = STIRLING_ERRORS_BY_COUNT.get(k as usize) {
        return *error;
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn logarithms_are_those_of_the_machine() {
        for u in [0.5f64.powi(54), 1e-9, 0.1, 0.5, 0.7, FRAC_1_SQRT_2, 0.999_999, 3.0, 1e12] {
            assert!((natural_log(u) - u.ln()).abs() <= 4e-16 * u.ln().abs().max(0.25), "{u}");
        }
        for x in [-1e-12, 1e-9, -0.01, 0.2, -0.24, 0.3] {
            assert!(
                (natural_log_1p(x) - f64::ln_1p(x)).abs() <= 1e-15 * f64::ln_1p(x).abs(),
                "{x}"
            );
        }
    }

    #[test]
    fn what_never_or_always_hits_draws_nothing() {
        let mut bits = Bits::from_seed([3; 32]);
        let untouched = bits.clone();
        for n in [0, 1, 1 << 52] {
            let found = [-0.5, 0.0, 1.0, 1.5].map(|p| draw_binomial(n, p, &mut bits));
            assert_eq!(found, [0, 0, n, n]);
        }
        assert_eq!(bits, untouched);
    }

    /// Compared with the binomial distribution: 400 000 numbers by chi-square, few and many, and
    /// large ones by mean and spread.
    #[test]
    fn numbers_follow_the_binomial_law() {
        let mut bits = Bits::from_seed([9; 32]);
        for (n, p) in [(20u64, 0.3), (9, 0.9), (60, 0.4), (200, 0.07), (100, 0.85)] {
            let draws = 400_000;
            let mut seen = vec![0u64; n as usize + 1];
            (0..draws).for_each(|_| seen[draw_binomial(n, p, &mut bits) as usize] += 1);
            let mut chance = (1.0 - p).powi(n as i32);
            let (mut chi, mut cells, mut rest) = (0.0, 0.0, [0.0, 0.0]);
            for (k, &count) in seen.iter().enumerate() {
                let expected = chance * f64::from(draws);
                if expected >= 20.0 {
                    chi += (count as f64 - expected).powi(2) / expected;
                    cells += 1.0;
                } else {
                    rest = [rest[0] + expected, rest[1] + count as f64];
                }
                chance *= (n as f64 - k as f64) / (k as f64 + 1.0) * p / (1.0 - p);
            }
            assert!(rest[1] < rest[0] + 6.0 * rest[0].sqrt() + 6.0, "{n} {p}: {rest:?}");
            assert!(chi < cells + 6.0 * f64::sqrt(2.0 * cells), "{n} {p}: {chi} of {cells}");
        }
        for (n, p) in [(1u64 << 40, 0.25), (1 << 60, 0.5), (1 << 45, 1e-6), (1 << 52, 0.999)] {
            let (mean, variance) = (n as f64 * p, n as f64 * p * (1.0 - p));
            let draws = 20_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let z = (draw_binomial(n, p, &mut bits) as f64 - mean) / variance.sqrt();
                (sum, squares) = (sum + z, squares + z * z);
            }
            let draws = f64::from(draws);
            assert!((sum / draws.sqrt()).abs() < 5.0, "{n} {p}: mean {sum}");
            assert!(((squares - draws) / (2.0 * draws).sqrt()).abs() < 5.0, "{n} {p}: {squares}");
        }
    }
}
