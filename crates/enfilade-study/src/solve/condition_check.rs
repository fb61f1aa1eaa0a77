//! Check of simulated measures that count only the trials which meet a condition.

use enfilade_engine::exact::Distribution;
use enfilade_model::combat::{Ending, MeasureHead, MeasureKind};
use enfilade_stats::agreement::{self, AgreementVerdict};

/// Compares every chance and mean under a condition with the trials that meet it, given the number
/// of trials by ending; one that no trial meets is left out.
pub(crate) fn compare_conditional_measures<'h>(
    law: &Distribution,
    endings: &[Ending],
    heads: impl Iterator<Item = &'h MeasureHead>,
    counts: &[u64],
    alpha: f64,
) -> Vec<AgreementVerdict> {
    let conditional = heads.enumerate().filter(|(_, head)| head.is_conditional());
    let compared = conditional.filter_map(|(index, head)| {
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let inside = weights.zip(counts.iter().zip(&law.probabilities));
        let inside: Vec<_> = inside
            .filter(|(weight, _)| head.includes_weight(*weight))
            .map(|(weight, (count, p))| (f64::from(weight), *count, *p))
            .collect();
        let trials: u64 = inside.iter().map(|(_, count, _)| count).sum();
        let share: f64 = inside.iter().map(|(.., p)| p).sum();
        let judged = match head.kind {
            MeasureKind::Event => test_conditional_chance(&inside, trials, share, alpha),
            MeasureKind::Mean => test_conditional_mean(&inside, trials, share, alpha),
            _ => return None,
        };
        (trials > 0 && share > 0.0).then_some(judged)
    });
    compared.collect()
}

/// Weights with their numbers of trials and their probabilities, which add up to `share`.
type WeighedTrials = [(f64, u64, f64)];

fn test_conditional_chance(
    inside: &WeighedTrials,
    trials: u64,
    share: f64,
    alpha: f64,
) -> AgreementVerdict {
    let events = || inside.iter().filter(|(weight, ..)| *weight > 0.0);
    let hits = events().map(|(_, count, _)| count).sum();
    let chance: f64 = events().map(|(.., p)| p).sum::<f64>() / share;
    agreement::test_hits_against_chance(hits, trials, chance.min(1.0), alpha)
}

fn test_conditional_mean(
    inside: &WeighedTrials,
    trials: u64,
    share: f64,
    alpha: f64,
) -> AgreementVerdict {
    let mean = inside.iter().map(|(weight, _, p)| weight * p).sum::<f64>() / share;
    let away = |weight: &f64| weight - mean;
    let squares = inside.iter().map(|(weight, _, p)| away(weight).powi(2) * p);
    let (variance, found) = (
        squares.sum::<f64>() / share,
        inside.iter().map(|(weight, count, _)| weight * *count as f64).sum(),
    );
    // No trial is farther from the mean than this, which bounds all moments.
    let tail = inside.iter().map(|(weight, ..)| away(weight).abs()).fold(0.0, f64::max);
    agreement::test_sum_against_mean(found, trials, mean, variance, tail, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_model::combat::{Measure, OUTSIDE_CONDITION, OutcomeRow};

    /// The event happens in a quarter of the trials inside.
    fn chance(hits: u64, trials: u64) -> AgreementVerdict {
        let inside = [(1.0, hits, 0.05), (0.0, trials - hits, 0.15)];
        test_conditional_chance(&inside, trials, 0.2, 1e-9)
    }

    #[test]
    fn trials_inside_decide() {
        assert!(chance(25_000, 100_000).agrees());
        assert!(!chance(26_000, 100_000).agrees());
        // As few trials may differ so much.
        assert!(chance(26, 100).agrees());
    }

    #[test]
    fn means_are_compared_inside() {
        // Inside 1 and 3 are equally likely: the mean is 2, and its deviation 1.
        let mean = |ones, threes| {
            test_conditional_mean(&[(1.0, ones, 0.1), (3.0, threes, 0.1)], ones + threes, 0.2, 1e-9)
        };
        assert!(mean(50_000, 50_000).agrees() && mean(50_300, 49_700).agrees());
        assert!(!mean(51_500, 48_500).agrees());
    }

    /// A rare 0 among tens: one is expected, and eight in 10,000 trials may come up.
    #[test]
    fn one_far_trial_below_the_mean_weighs_as_much_as_one_above() {
        let low = [(0.0, 8, 1e-4), (10.0, 9_992, 0.9999)];
        assert!(test_conditional_mean(&low, 10_000, 1.0, 1e-9).agrees());
        let high = [(10.0, 8, 1e-4), (0.0, 9_992, 0.9999)];
        assert!(test_conditional_mean(&high, 10_000, 1.0, 1e-9).agrees());
    }

    /// The chance of `1` where the weight is not outside; the third ending is.
    #[test]
    fn what_no_trial_or_no_chance_meets_is_left_out() {
        let head = MeasureHead {
            condition: "hit > 0".into(),
            ..Measure::<()>::probability("p", "", |()| true).into_head()
        };
        let ending = |weight: i32| {
            let (mut fields, mut weights) = (OutcomeRow::default(), OutcomeRow::default());
            (fields[0], weights[0]) = (weight, weight);
            Ending { fields, weights }
        };
        let endings = [1, 0, OUTSIDE_CONDITION].map(ending);
        let verdicts = |probabilities: [f64; 3], counts: [u64; 3]| {
            let probabilities = probabilities.to_vec();
            let law = Distribution { probabilities, ..Distribution::default() };
            let heads = std::iter::once(&head);
            compare_conditional_measures(&law, &endings, heads, &counts, 1e-9)
        };
        let agree = |verdicts: Vec<AgreementVerdict>| -> Vec<bool> {
            verdicts.iter().map(AgreementVerdict::agrees).collect()
        };
        assert_eq!(agree(verdicts([0.25, 0.25, 0.5], [250, 250, 500])), [true]);
        assert_eq!(agree(verdicts([0.25, 0.25, 0.5], [500, 0, 500])), [false]);
        assert!(verdicts([0.25, 0.25, 0.5], [0, 0, 1000]).is_empty());
        assert!(verdicts([0.0, 0.0, 1.0], [1, 0, 999]).is_empty());
    }
}
