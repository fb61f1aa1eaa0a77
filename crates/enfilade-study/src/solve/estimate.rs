//! Estimates from counts of trials: every kind of measure, with its 95 % interval. A tally has no
//! distribution to compare with, and is compared with its moments here.

use crate::answer::Estimate;
use enfilade_engine::exact::{Distribution, MAX_UNFINISHED_FOR_MEAN, TallyMoments};
use enfilade_model::combat::{MeasureHead, MeasureKind};
use enfilade_stats::agreement::{self, AgreementVerdict};
use enfilade_stats::deviation::estimate_deviation;
use enfilade_stats::intervals::{ConfidenceLevel, Interval, proportion_interval};
use enfilade_stats::mean::{estimate_mean_of_counts, mean_from_sum_and_variance};
use enfilade_stats::quantile::RankedValues;

/// Estimates a measure from the weights of the endings with their numbers of trials, observed or
/// not, and the number of unfinished trials: `None` where every trial must end in one of these
/// endings.
///
/// Unfinished trials weigh 0 in a mean and in a deviation, and are not events; in a quantile they
/// are above every weight. Returns `None` for a quantile whose value or interval they reach, and
/// for a [`tally_mean_from_variance`], which is not part of the ending.
pub fn estimate_from_weights(
    head: &MeasureHead,
    weighed: &[(i32, u64)],
    unsettled: Option<u64>,
) -> Option<Estimate> {
    let factor = head.scale.to_f64();
    let all = [weighed, &[(0, unsettled.unwrap_or(0))]].concat();
    Some(match head.kind {
        MeasureKind::Event => {
            let hits = weighed.iter().filter(|(weight, _)| *weight > 0);
            let trials = all.iter().map(|(_, count)| count).sum();
            estimate_share_of_hits(hits.map(|(_, count)| count).sum(), trials)
        }
        MeasureKind::Mean => {
            // Always with room for an unfinished trial, and so for 0.
            let (low, high) = least_and_largest(&all);
            let found = estimate_mean_of_counts(&all, low, high, ConfidenceLevel::P95);
            scaled_estimate(found.value, found.interval, factor)
        }
        MeasureKind::Deviation => {
            let possible = unsettled.map_or(weighed, |_| &all);
            let (low, high) = least_and_largest(possible);
            let found = estimate_deviation(possible, low, high, ConfidenceLevel::P95);
            scaled_estimate(found.value, found.interval, factor)
        }
        MeasureKind::Quantile(wanted) => {
            let wanted = (wanted.numerator, wanted.denominator);
            let found = RankedValues::from_counts(weighed, unsettled.unwrap_or(0))
                .estimate_quantile(wanted, ConfidenceLevel::P95);
            let (low, high) = (f64::from(found.low?), f64::from(found.high?));
            scaled_estimate(f64::from(found.value?), Interval { low, high }, factor)
        }
        MeasureKind::Tally(_) | MeasureKind::Tallied(..) => return None,
    })
}

/// Estimates the mean of a tally from its sum and the variance of one trial.
pub fn tally_mean_from_variance(
    head: &MeasureHead,
    sum: i128,
    trials: u64,
    variance: f64,
) -> Estimate {
    let estimate = mean_from_sum_and_variance(sum, trials, variance, ConfidenceLevel::P95);
    scaled_estimate(estimate.value, estimate.interval, head.scale.to_f64())
}

/// Compares the tallies of trials with the exact means, by counter; with more than
/// [`MAX_UNFINISHED_FOR_MEAN`] unfinished there is nothing to compare with.
pub fn compare_tally_means(
    law: &Distribution,
    sums: &[i128],
    trials: u64,
    alpha: f64,
) -> Vec<AgreementVerdict> {
    if law.unsettled > MAX_UNFINISHED_FOR_MEAN {
        return Vec::new();
    }
    let judged = |(exact, sum): (&TallyMoments, &i128)| {
        let (mean, variance, tail) =
            (exact.mean, exact.variance, exact.bernstein_condition_scale());
        agreement::test_sum_against_mean(*sum as f64, trials, mean, variance, tail, alpha)
    };
    // A tally that grows for ever has no mean.
    let bounded = law.tallies.iter().zip(sums).filter(|(exact, _)| exact.mean.is_finite());
    bounded.map(judged).collect()
}

/// Estimates the share of `hits` among `trials`.
pub fn estimate_share_of_hits(hits: u64, trials: u64) -> Estimate {
    let value = if trials == 0 { 0.0 } else { hits as f64 / trials as f64 };
    scaled_estimate(value, proportion_interval(hits, trials, ConfidenceLevel::P95), 1.0)
}

/// Returns the least and the largest value.
fn least_and_largest(counted: &[(i32, u64)]) -> (i32, i32) {
    let values = || counted.iter().map(|(value, _)| *value);
    (values().min().unwrap_or(0), values().max().unwrap_or(0))
}

fn scaled_estimate(value: f64, interval: Interval, factor: f64) -> Estimate {
    Estimate { value: value * factor, low: interval.low * factor, high: interval.high * factor }
}
