//! Repeated trials: how soon an event happens, how soon a sum is reached.
//!
//! Trials are independent and identically distributed; state that persists between them belongs to
//! the rules.

/// Computes P(at least once in n trials) for n = 1, 2, … `trials`, for an event of probability `p`
/// from 0 to 1: 1 − (1 − p)ⁿ, without cancellation for small p.
///
/// ```
/// use enfilade_stats::repeated_trials::chances_at_least_once;
/// assert_eq!(chances_at_least_once(0.5, 3), [0.5, 0.75, 0.875]);
/// ```
pub fn chances_at_least_once(p: f64, trials: usize) -> Vec<f64> {
    let each = (-p).ln_1p();
    let once = |n: usize| if p >= 1.0 { 1.0 } else { -(n as f64 * each).exp_m1() };
    (1..=trials).map(once).collect()
}

/// Computes P(the sum over n trials is at least `needed`) for n = 1, 2, … `trials`, from the
/// distribution of one trial as pairs of value and probability. `None` when a value is negative:
/// then the sum could fall again.
///
/// Sums are convolved up to `needed`, where they stay.
///
/// ```
/// use enfilade_stats::repeated_trials::chances_to_reach_total;
/// // Two coins, a point for each head: two points in two throws of one coin, a quarter.
/// assert_eq!(chances_to_reach_total(&[(0, 0.5), (1, 0.5)], 2, 3), Some(vec![0.0, 0.25, 0.5]));
/// ```
pub fn chances_to_reach_total(law: &[(i64, f64)], needed: i64, trials: usize) -> Option<Vec<f64>> {
    if law.iter().any(|(value, _)| *value < 0) {
        return None;
    }
    let goal = usize::try_from(needed.max(0)).ok()?;
    let mut sums = vec![0.0; goal + 1];
    sums[0] = 1.0;
    let mut reached = Vec::with_capacity(trials);
    for _ in 0..trials {
        let mut next = vec![0.0; goal + 1];
        for (sum, mass) in sums.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            for (value, p) in law {
                let step = usize::try_from(*value).unwrap_or(goal);
                // Probability that has arrived stays: nothing is subtracted.
                next[sum.saturating_add(step).min(goal)] += mass * p;
            }
        }
        sums = next;
        reached.push(sums[goal]);
    }
    Some(reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_and_impossible_events() {
        assert_eq!(chances_at_least_once(0.0, 2), [0.0, 0.0]);
        assert_eq!(chances_at_least_once(1.0, 2), [1.0, 1.0]);
        // 1 − (1 − 1e-12)^3 = 3e-12 − 3e-24 + …
        let third = chances_at_least_once(1e-12, 3)[2];
        assert!((third / (3e-12 - 3e-24) - 1.0).abs() < 1e-12, "{third:e}");
    }

    /// All outcomes of three dice with faces 0, 0, 1, 2, 2, 5, added up one by one.
    #[test]
    fn sums_are_those_of_every_way_the_dice_fall() {
        let faces = [0, 0, 1, 2, 2, 5];
        let law = [(0, 2.0 / 6.0), (1, 1.0 / 6.0), (2, 2.0 / 6.0), (5, 1.0 / 6.0)];
        for needed in 0..=16 {
            let found = chances_to_reach_total(&law, needed, 3).expect("nothing is negative");
            let mut ways = 0;
            for a in faces {
                for b in faces {
                    for c in faces {
                        ways += i32::from(a + b + c >= needed);
                    }
                }
            }
            let expected = f64::from(ways) / 216.0;
            assert!((found[2] - expected).abs() < 1e-12, "{needed}");
        }
    }

    #[test]
    fn sums_that_can_fall_are_refused() {
        assert_eq!(chances_to_reach_total(&[(-1, 0.5), (1, 0.5)], 2, 3), None);
        assert_eq!(chances_to_reach_total(&[], 2, 2), Some(vec![0.0, 0.0]));
        assert_eq!(chances_to_reach_total(&[(i64::MAX, 1.0)], 2, 1), Some(vec![1.0]));
    }
}
