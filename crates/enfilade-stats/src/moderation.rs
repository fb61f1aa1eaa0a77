//! Variances that learn from each other: empirical Bayes for many variances of few degrees of
//! freedom each (Smyth 2004, "Linear models and empirical Bayes methods").
//!
//! Four opponents are little evidence of how much the worth of one weapon varies between opponents,
//! but thirty weapons together show well how much it varies from weapon to weapon. The variances
//! are taken as draws of a scaled inverse chi-square distribution whose two parameters are fitted
//! by the moments of their logarithms. Each variance is then drawn towards the common value, and
//! gains the degrees of freedom of the common value, as far as that is itself certain. Not here:
//! variances of unequal degrees of freedom.

use statrs::function::gamma::digamma;

/// Degrees of freedom beyond which the result no longer changes.
const ENOUGH: f64 = 1000.0;

/// Smallest share of the median variance that a variance counts as: a logarithm of almost nothing
/// would outweigh all others.
const FLOOR: f64 = 1e-3;

/// Variances drawn towards each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Moderated {
    /// Variances, in the order of the arguments.
    pub variances: Vec<f64>,
    /// Degrees of freedom of each: its own and those of the common value.
    pub df: f64,
}

/// Draws `variances` of `df` degrees of freedom each towards each other.
///
/// Fewer than three positive variances, or no degrees of freedom, leave them unchanged.
pub fn moderated(variances: &[f64], df: f64) -> Moderated {
    let unchanged = Moderated { variances: variances.to_vec(), df };
    match prior(variances, df) {
        None => unchanged,
        Some(prior) => {
            let drawn = drawn(variances, df, prior);
            Moderated { df: drawn.df.min(known(variances.len(), df)), ..drawn }
        }
    }
}

/// Draws `variances` of `df` degrees of freedom each, also none, towards a common one that is worth
/// `prior_df` of them.
///
/// ```
/// use enfilade_stats::moderation::drawn;
/// let found = drawn(&[0.01, 0.09], 1.0, (0.05, 3.0));
/// assert!((found.variances[0] - (0.15 + 0.01) / 4.0).abs() < 1e-15);
/// let nothing_known = drawn(&[0.0], 0.0, (0.05, 3.0));
/// assert!((nothing_known.variances[0] - 0.05).abs() < 1e-15);
/// ```
pub fn drawn(variances: &[f64], df: f64, (common, prior_df): (f64, f64)) -> Moderated {
    let towards = |own: &f64| (prior_df * common + df * own) / (prior_df + df);
    Moderated { variances: variances.iter().map(towards).collect(), df: df + prior_df }
}

/// Estimates the common variance and its degrees of freedom.
fn prior(variances: &[f64], df: f64) -> Option<(f64, f64)> {
    let mut positive: Vec<f64> = variances.iter().copied().filter(|v| *v > 0.0).collect();
    if positive.len() < 3 || df.is_nan() || df <= 0.0 {
        return None;
    }
    positive.sort_by(f64::total_cmp);
    let floor = FLOOR * positive[positive.len() / 2];
    let half = 0.5 * df;
    let logs: Vec<f64> =
        variances.iter().map(|v| v.max(floor).ln() - digamma(half) + half.ln()).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let spread = logs.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / (n - 1.0);
    let excess = spread - trigamma(half);
    if excess <= trigamma(0.5 * ENOUGH) {
        return Some((mean.exp(), ENOUGH));
    }
    let prior_half = trigamma_inverse(excess);
    let common = (mean + digamma(prior_half) - prior_half.ln()).exp();
    Some((common, 2.0 * prior_half))
}

/// Computes the degrees of freedom of the common value of `count` variances of `df` degrees each.
fn known(count: usize, df: f64) -> f64 {
    // The logarithm of a variance of ν degrees of freedom has a variance of about 2/ν.
    (2.0 * count as f64 / trigamma(0.5 * df)).max(df)
}

/// Computes the derivative of the digamma function, for x > 0: recurrence up to 12, then the
/// asymptotic series (Abramowitz & Stegun 6.4.12).
fn trigamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 12.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 6.0 - square * (1.0 / 30.0 - square * (1.0 / 42.0 - square / 30.0));
    sum + 1.0 / x + 0.5 * square + square / x * series
}

/// Finds the x with trigamma(x) = y, for y > 0. Trigamma falls, so the bracket is halved.
fn trigamma_inverse(y: f64) -> f64 {
    let (mut low, mut high) = (1e-3_f64, ENOUGH);
    for _ in 0..80 {
        let middle = (low * high).sqrt();
        if trigamma(middle) > y {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low * high).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_draws::Draws;

    /// π²/6, π²/2 and their recurrence.
    #[test]
    fn trigamma_is_right() {
        let square = std::f64::consts::PI * std::f64::consts::PI;
        assert!((trigamma(1.0) - square / 6.0).abs() < 1e-12);
        assert!((trigamma(0.5) - square / 2.0).abs() < 1e-12);
        assert!((trigamma(2.0) - (square / 6.0 - 1.0)).abs() < 1e-12);
        for x in [0.02, 0.5, 3.0, 50.0] {
            assert!((trigamma_inverse(trigamma(x)) / x - 1.0).abs() < 1e-9);
        }
    }

    /// Equal variances estimated with 3 degrees of freedom: nearly all is common. Very different
    /// ones: each keeps its own.
    #[test]
    fn equal_variances_are_pooled_and_different_ones_are_not() {
        let mut draws = Draws::new([3; 32]);
        let mut chi = |df: f64| draws.gamma(0.5 * df) / (0.5 * df);
        let equal: Vec<f64> = (0..200).map(|_| 4.0 * chi(3.0)).collect();
        let found = moderated(&equal, 3.0);
        assert!(found.df > 15.0, "{}", found.df);
        assert!(found.variances.iter().all(|v| (v / 4.0 - 1.0).abs() < 0.5));
        let different: Vec<f64> = (0..200).map(|i| (0.1 * f64::from(i)).exp() * chi(3.0)).collect();
        let found = moderated(&different, 3.0);
        assert!(found.df < 3.6, "{}", found.df);
    }

    #[test]
    fn too_little_is_left_alone() {
        for variances in [&[][..], &[1.0], &[0.0; 5], &[1.0, 2.0, 0.0]] {
            let found = moderated(variances, 2.0);
            assert_eq!((found.variances.as_slice(), found.df), (variances, 2.0));
        }
        assert_eq!(moderated(&[1.0, 2.0, 3.0], 0.0).df, 0.0);
    }
}
