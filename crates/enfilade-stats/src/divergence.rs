//! Terms of n times the Kullback–Leibler divergence of counts from expectations, computed without
//! cancellation for every count up to 2⁵³.
//!
//! For counts kᵢ with expectations eᵢ and the same total, n·KL = Σ kᵢ·ln(kᵢ/eᵢ). Its terms are as
//! large as the counts while their sum is of the order of the number of cells, so the sum is
//! rewritten as Σ (kᵢ·ln(kᵢ/eᵢ) − kᵢ + eᵢ): the additions vanish in total, and no term is negative.

/// Size of the argument below which the series is used.
const SERIES_ARGUMENT_BOUND: f64 = 0.4;

/// Computes ln(1 + x) − x, for x > −1, without cancellation near 0.
///
/// With r = x/(2 + x), ln(1 + x) = 2·artanh(r) and 2r − x = −r·x, so the result is
/// −r·x + 2r³·(1/3 + r²/5 + r⁴/7 + …), whose first two terms do not cancel.
pub(super) fn log1p_minus(x: f64) -> f64 {
    if x.abs() >= SERIES_ARGUMENT_BOUND {
        return x.ln_1p() - x;
    }
    let r = x / (2.0 + x);
    let r2 = r * r;
    // |r| <= 0.25 here, so that 14 terms leave less than 0.0625^14 = 1e-17.
    let series = (0..14).rev().fold(0.0, |sum, term| sum * r2 + 1.0 / f64::from(2 * term + 3));
    r * (2.0 * r2 * series - x)
}

/// Computes `count`·ln(`count`/`expected`) − `count` + `expected`, the term of one cell in n·KL.
///
/// 0 when they are equal, `expected` when nothing was counted, infinite when something impossible
/// was counted.
pub(super) fn divergence_term(count: f64, expected: f64) -> f64 {
    divergence_term_from_shortfall(count, expected - count)
}

/// Computes [`divergence_term`] from the count and the distance `expected − count`, for callers
/// that know the distance more precisely than its ends.
pub(super) fn divergence_term_from_shortfall(count: f64, distance: f64) -> f64 {
    if count == 0.0 {
        return distance;
    }
    -count * log1p_minus(distance / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64, relative: f64) {
        let error = (found / expected - 1.0).abs();
        assert!(error <= relative, "{found:e} instead of {expected:e}");
    }

    /// Expected values: mpmath 1.3, 40 digits, `mp.log1p(x) - x` at the double nearest to x.
    #[test]
    fn log1p_minus_keeps_its_digits() {
        let pinned = [
            (1e-09, -4.999_999_996_666_667e-19),
            (-1e-09, -5.000000003333334e-19),
            (3e-05, -4.499_910_002_024_952e-10),
            (0.01, -4.966_914_683_191_715e-5),
            (-0.01, -5.0335853501441186e-5),
            (0.3, -0.037_635_735_532_508_94),
            (-0.39, -0.10429632181478013),
            (0.7, -0.16937174893782959),
            (-0.99, -3.6151701859880905),
            (50.0, -46.068174367275674),
        ];
        for (x, expected) in pinned {
            close(log1p_minus(x), expected, 4e-16);
        }
    }

    #[test]
    fn the_two_branches_meet() {
        for x in [SERIES_ARGUMENT_BOUND, -SERIES_ARGUMENT_BOUND] {
            let inside = x * (1.0 - 1e-15);
            close(log1p_minus(inside), x.ln_1p() - x, 1e-14);
        }
    }

    #[test]
    fn surprise_is_zero_where_it_should_be_and_infinite_where_it_must() {
        assert_eq!(divergence_term(7.0, 7.0), 0.0);
        assert_eq!(divergence_term(0.0, 3.5), 3.5);
        assert_eq!(divergence_term(0.0, 0.0), 0.0);
        assert_eq!(divergence_term(1.0, 0.0), f64::INFINITY);
        // 2·ln(2/1) − 2 + 1.
        close(divergence_term(2.0, 1.0), 2.0 * 2f64.ln() - 1.0, 1e-15);
    }
}
