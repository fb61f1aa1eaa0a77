//! Logistic regression on the log ratio of two sums: the worth of each thing, where the side with
//! more wins.
//!
//! The chance to win is σ(s·ln(Σ nᵢwᵢ / Σ mᵢwᵢ)), with counts n and m of things on either side.
//! Worths w and steepness s are found by Fisher scoring with halved steps; a weak prior pulls each
//! ln w towards its start, so that a thing that is never seen stays there. Not here: intervals.

use nalgebra::{DMatrix, DVector};

/// Two sides by counts of things, and the share of meetings that the first wins.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedForceContest {
    /// Counts of each thing on the first side.
    pub own: Vec<f64>,
    /// Counts of each thing on the other side.
    pub other: Vec<f64>,
    /// Share of wins of the first side.
    pub won: f64,
}

/// Largest number of steps; ten are usual.
const MAX_SCORING_STEPS: usize = 60;

/// Standard deviation of the prior of each ln w, about its start, and of ln s about 1.
const PRIOR_LOG_DEVIATION: f64 = 2.0;

/// Weight of a meeting beside the prior.
const WEIGHT_OF_CONTEST: f64 = 20.0;

/// Computes the most likely worths under `meetings`, from `start`, which is positive; their
/// geometric mean stays that of `start`.
pub fn fit_unit_worths(meetings: &[ObservedForceContest], start: &[f64]) -> Vec<f64> {
    let log_start: Vec<f64> = start.iter().map(|worth| worth.ln()).collect();
    // The last one is ln s.
    let mut at = DVector::from_iterator(start.len() + 1, log_start.iter().copied().chain([0.0]));
    let first = at.clone();
    let mut loss = negative_log_posterior(meetings, &at, &first);
    for _ in 0..MAX_SCORING_STEPS {
        let Some(step) = fisher_scoring_step(meetings, &at, &first) else { break };
        let halved = (0..30).map(|halves| &at + &step * 0.5_f64.powi(halves));
        let better = halved.map(|tried| (negative_log_posterior(meetings, &tried, &first), tried));
        let Some((next, tried)) = better.into_iter().find(|(next, _)| *next < loss) else { break };
        let settled = loss - next < 1e-10 * (1.0 + loss.abs());
        (loss, at) = (next, tried);
        if settled {
            break;
        }
    }
    let shift = arithmetic_mean(&log_start) - arithmetic_mean(&at.as_slice()[..start.len()]);
    at.as_slice()[..start.len()].iter().map(|log| (log + shift).exp()).collect()
}

fn arithmetic_mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Computes the sums of both sides.
fn summed_worths_of_both_sides(meeting: &ObservedForceContest, at: &DVector<f64>) -> [f64; 2] {
    [&meeting.own, &meeting.other].map(|counts| {
        let worth = counts.iter().zip(at.iter()).map(|(count, log)| count * log.exp());
        worth.sum::<f64>().max(f64::MIN_POSITIVE)
    })
}

fn win_chance_of_log_ratio(ratio: f64, steepness: f64) -> f64 {
    (1.0 / (1.0 + (-steepness * ratio).exp())).clamp(1e-9, 1.0 - 1e-9)
}

/// Computes the negative logarithm of the likelihood and the prior.
fn negative_log_posterior(
    meetings: &[ObservedForceContest],
    at: &DVector<f64>,
    first: &DVector<f64>,
) -> f64 {
    let steepness = at[at.len() - 1].exp();
    let of = |meeting: &ObservedForceContest| {
        let [own, other] = summed_worths_of_both_sides(meeting, at);
        let p = win_chance_of_log_ratio((own / other).ln(), steepness);
        -WEIGHT_OF_CONTEST * (meeting.won * p.ln() + (1.0 - meeting.won) * (1.0 - p).ln())
    };
    let prior = (at - first).norm_squared() / (2.0 * PRIOR_LOG_DEVIATION * PRIOR_LOG_DEVIATION);
    meetings.iter().map(of).sum::<f64>() + prior
}

/// Computes a step of Fisher scoring; `None` where the system is singular.
fn fisher_scoring_step(
    meetings: &[ObservedForceContest],
    at: &DVector<f64>,
    first: &DVector<f64>,
) -> Option<DVector<f64>> {
    let (size, things) = (at.len(), at.len() - 1);
    let steepness = at[things].exp();
    let mut information =
        DMatrix::identity(size, size) / (PRIOR_LOG_DEVIATION * PRIOR_LOG_DEVIATION);
    let mut slope = (first - at) / (PRIOR_LOG_DEVIATION * PRIOR_LOG_DEVIATION);
    for meeting in meetings {
        let [own, other] = summed_worths_of_both_sides(meeting, at);
        let ratio = (own / other).ln();
        let p = win_chance_of_log_ratio(ratio, steepness);
        let part = |count: usize| {
            let worth = at[count].exp();
            steepness * worth * (meeting.own[count] / own - meeting.other[count] / other)
        };
        let row = (0..things).map(part).chain([steepness * ratio]);
        let row = DVector::from_iterator(size, row);
        slope += &row * (WEIGHT_OF_CONTEST * (meeting.won - p));
        information += &row * row.transpose() * (WEIGHT_OF_CONTEST * p * (1.0 - p));
    }
    Some(information.cholesky()?.solve(&slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares worked out from planted worths, on lists of unequal sums, give the worths back.
    #[test]
    fn planted_worths_are_found() {
        let planted: [f64; 4] = [1.0, 2.5, 0.4, 6.0];
        let mut state = 7_u64;
        let mut count = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((state >> 33) as u32 % 5)
        };
        let mut meetings = Vec::new();
        // Enough meetings that the prior moves them by less than a hundredth.
        for _ in 0..800 {
            let own: Vec<f64> = (0..4).map(|_| count()).collect();
            let other: Vec<f64> = (0..4).map(|_| 1.0 + count()).collect();
            let sum = |of: &[f64]| of.iter().zip(planted).map(|(n, w)| n * w).sum::<f64>();
            if sum(&own) > 0.0 {
                let won = 1.0 / (1.0 + (sum(&other) / sum(&own)).powf(5.0));
                meetings.push(ObservedForceContest { own, other, won });
            }
        }
        let worths = fit_unit_worths(&meetings, &[1.5; 4]);
        for (found, expected) in worths.iter().zip(planted) {
            let ratio = found / expected * (planted[0] / worths[0]);
            assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
        }
        let mean = worths.iter().map(|w| w.ln()).sum::<f64>() / 4.0;
        assert!((mean - 1.5_f64.ln()).abs() < 1e-9);
    }

    /// Expected values: mpmath, 40 digits, `findroot` of the slope of the posterior, with a prior of
    /// deviation 2 and meetings that weigh 20.
    #[test]
    fn few_meetings_are_drawn_to_the_start() {
        let meeting = |own: [f64; 2], other: [f64; 2], won| ObservedForceContest {
            own: own.to_vec(),
            other: other.to_vec(),
            won,
        };
        let meetings = [meeting([1.0, 0.0], [0.0, 1.0], 0.9), meeting([1.0, 0.0], [0.0, 2.0], 0.6)];
        let found = fit_unit_worths(&meetings, &[2.0, 3.0]);
        assert!((found[0] - 3.767_772_448_290_7).abs() < 1e-4, "{found:?}");
        assert!((found[1] - 1.592_452_857_051_4).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn what_is_never_seen_stays() {
        let unseen = fit_unit_worths(&[], &[2.0, 3.0]);
        assert!((unseen[0] - 2.0).abs() < 1e-12 && (unseen[1] - 3.0).abs() < 1e-12);
        let even =
            ObservedForceContest { own: vec![1.0, 0.0, 0.0], other: vec![0.0, 1.0, 0.0], won: 0.5 };
        let found = fit_unit_worths(&[even], &[2.0, 2.0, 5.0]);
        assert!((found[0] / found[1] - 1.0).abs() < 1e-6 && (found[2] / 5.0 - 1.0).abs() < 1e-6);
    }
}
