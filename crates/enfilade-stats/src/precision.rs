//! The number of trials that an accuracy needs.

/// Computes the standard error of a simulated probability `p` after `trials` trials.
///
/// Infinite without trials.
pub fn standard_error(p: f64, trials: u64) -> f64 {
    (bernoulli_variance(p) / trials as f64).sqrt()
}

/// Returns the trials until the standard error of every probability is at most `standard_error`, at
/// most `cap`.
///
/// `probabilities` are the exact ones where they are known; without any, the worst case of 1/2 is
/// used. At least one trial.
///
/// ```
/// use enfilade_stats::precision::trials_for_standard_error;
/// // 1/4 ÷ 0.0005² = 1 000 000.
/// assert_eq!(trials_for_standard_error(0.0005, [], u64::MAX), 1_000_000);
/// assert_eq!(trials_for_standard_error(0.0005, [0.1, 0.02], u64::MAX), 360_000);
/// ```
pub fn trials_for_standard_error(
    standard_error: f64,
    probabilities: impl IntoIterator<Item = f64>,
    cap: u64,
) -> u64 {
    let worst = probabilities.into_iter().map(bernoulli_variance).reduce(f64::max);
    let needed = worst.unwrap_or(0.25) / (standard_error * standard_error);
    // An excess of one part in 10⁹ is ignored, so that rounding does not add a trial to a round
    // number. A result that is not a number or too large for the type becomes the cap.
    let needed = if needed.is_nan() { f64::INFINITY } else { needed };
    let needed = (needed * (1.0 - 1e-9)).ceil() as u64;
    needed.clamp(1, cap.max(1))
}

/// Returns p(1 − p); the worst case, 1/4, where `p` is not a probability.
fn bernoulli_variance(p: f64) -> f64 {
    if (0.0..=1.0).contains(&p) {
        return p * (1.0 - p);
    }
    0.25
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_uncertain_probability_decides() {
        // 0.5·0.5/0.01² = 2500, 0.1·0.9/0.01² = 900.
        assert_eq!(trials_for_standard_error(0.01, [0.1, 0.5, 0.0], 10_000), 2500);
        assert_eq!(trials_for_standard_error(0.01, [0.1, 1.0], 10_000), 900);
        assert_eq!(trials_for_standard_error(0.01, [0.1, 1.0], 500), 500);
    }

    #[test]
    fn certainty_needs_one_trial_and_nonsense_the_cap() {
        assert_eq!(trials_for_standard_error(0.01, [0.0, 1.0], 500), 1);
        assert_eq!(trials_for_standard_error(0.0, [0.5], 500), 500);
        assert_eq!(trials_for_standard_error(0.0, [0.0], 500), 500);
        assert_eq!(trials_for_standard_error(f64::NAN, [0.5], 500), 500);
        assert_eq!(trials_for_standard_error(0.01, [f64::NAN], 10_000), 2500);
        assert_eq!(trials_for_standard_error(f64::INFINITY, [0.5], 0), 1);
    }

    #[test]
    fn the_planned_trials_reach_the_planned_error() {
        for p in [0.5, 0.3, 1e-6] {
            let trials = trials_for_standard_error(0.0007, [p], u64::MAX);
            assert!(standard_error(p, trials) <= 0.0007 * (1.0 + 1e-8));
        }
        assert_eq!(standard_error(0.5, 0), f64::INFINITY);
    }
}
