//! Agreement of trials with an exact distribution, also if some trials were broken off before they
//! were over.
//!
//! A loop that is left rarely is solved exactly, and its trials are given up after a number of
//! rounds. Their endings are unknown: so each ending must be frequent enough that the broken-off
//! trials could supply the missing ones, and no more trials may have been broken off than that
//! number of rounds allows.

use super::estimate::compare_tally_means;
use enfilade_engine::exact::Distribution;
use enfilade_engine::play::MAX_STEPS_PER_TRIAL;
use enfilade_engine::simulate::MAX_LOOP_ROUNDS;
use enfilade_stats::agreement::{self, AgreementVerdict};

/// Limit after which a trial is broken off.
#[derive(Clone, Copy, Debug)]
pub enum TrialStepLimit {
    /// Rounds of counted trials.
    Rounds,
    /// Steps of a trial that is played alone; `None` for the default number.
    Steps(Option<u64>),
}

impl TrialStepLimit {
    /// Returns the least number of loop vertices after which a trial may be broken off.
    fn min_loop_vertices_before_limit(self) -> f64 {
        match self {
            TrialStepLimit::Rounds => f64::from(MAX_LOOP_ROUNDS),
            // A step that changes nothing has no vertex.
            TrialStepLimit::Steps(steps) => steps.unwrap_or(MAX_STEPS_PER_TRIAL) as f64 / 64.0,
        }
    }
}

/// Approximate steps of all trials of a contest in its loops, played one at a time.
const MAX_PLAYED_LOOP_STEPS: f64 = (1u64 << 26) as f64;

/// Returns how many of `trials` trials are played one at a time, and for how many steps each: fewer
/// for contests that go on for long.
pub(crate) fn trials_and_steps_to_play(law: &Distribution, trials: u64) -> (u64, u64) {
    if law.bound == 0.0 {
        return (trials, MAX_STEPS_PER_TRIAL);
    }
    let steps = (64.0 * law.steps) as u64 + (1 << 12);
    let steps = steps.min(MAX_STEPS_PER_TRIAL);
    let mean = law.steps + law.never * steps as f64;
    let most = (MAX_PLAYED_LOOP_STEPS / mean.max(1.0)) as u64;
    (trials.min(most.max(1 << 10)), steps)
}

/// Mean number of loop vertices up to which no trial that ends at all is broken off.
const MAX_MEAN_LOOP_VERTICES: f64 = 64.0;

/// Returns whether some of the `open` unfinished trials may have been broken off.
pub fn may_include_broken_off(law: &Distribution, open: u64) -> bool {
    open > 0 && law.bound > 0.0 && (law.never == 0.0 || law.steps > MAX_MEAN_LOOP_VERTICES)
}

/// Compares the counts of endings, those of the distribution first, and the number of `open`
/// unfinished trials with the distribution.
pub fn compare_endings_and_open(
    law: &Distribution,
    counts: &[u64],
    open: u64,
    patience: TrialStepLimit,
    alpha: f64,
) -> AgreementVerdict {
    let trials = counts.iter().sum::<u64>() + open;
    compare_endings_of_trials(law, counts, open, trials, patience, alpha)
}

/// Compares the counts, which must add up to `trials`, with the distribution.
pub(crate) fn compare_endings_of_trials(
    law: &Distribution,
    counts: &[u64],
    open: u64,
    trials: u64,
    patience: TrialStepLimit,
    alpha: f64,
) -> AgreementVerdict {
    let mut cells = law.probabilities.clone();
    // An observed ending that is impossible has chance 0, with which no count agrees.
    cells.resize(counts.len(), 0.0);
    cells.push(law.unfinished_probability());
    let all = [counts, &[open]].concat();
    let verdict = agreement::test_counts_against_law(&all, trials, &cells, alpha);
    let whole = all.iter().map(|count| u128::from(*count)).sum::<u128>() == u128::from(trials);
    if verdict.agrees() || !may_include_broken_off(law, open) || !whole {
        return verdict;
    }
    compare_with_broken_off(law, counts, open, patience, alpha)
}

/// Checks that an ending with the chance `p` is possible between its count and its count with all
/// open trials. Returns `None` if its expected count lies between them.
fn test_chance_by_count_range(
    least: u64,
    most: u64,
    trials: u64,
    p: f64,
    alpha: f64,
) -> Option<AgreementVerdict> {
    let expected = p * trials as f64;
    let nearest = expected.clamp(least as f64, most as f64);
    (nearest != expected)
        .then(|| agreement::test_hits_against_chance(nearest as u64, trials, p, alpha))
}

fn compare_with_broken_off(
    law: &Distribution,
    counts: &[u64],
    open: u64,
    patience: TrialStepLimit,
    alpha: f64,
) -> AgreementVerdict {
    let trials = counts.iter().sum::<u64>() + open;
    // By Markov's inequality: of trials that end few take many times as long as the mean.
    let broken_off = (law.unfinished_probability()
        + law.steps / patience.min_loop_vertices_before_limit())
    .min(1.0);
    let alpha = alpha / (counts.len() + 2) as f64;
    let chances = law.probabilities.iter().copied().chain(std::iter::repeat(0.0));
    let endings = counts.iter().zip(chances);
    let endings = endings
        .map(|(count, p)| test_chance_by_count_range(*count, count + open, trials, p, alpha));
    let ends = [
        test_chance_by_count_range(0, open, trials, law.unfinished_probability(), alpha),
        test_chance_by_count_range(open, trials, trials, broken_off, alpha),
    ];
    let by = |verdict: &AgreementVerdict| verdict.statistic / verdict.threshold;
    let worse = |one: AgreementVerdict, other: AgreementVerdict| {
        if by(&other) > by(&one) { other } else { one }
    };
    endings
        .chain(ends)
        .flatten()
        .fold(AgreementVerdict { statistic: 0.0, threshold: 1.0, worst: None }, worse)
}

/// Compares the tallies of trials with the exact means, by counter; nothing if some were broken
/// off.
pub fn compare_tallies_unless_broken_off(
    law: &Distribution,
    sums: &[i128],
    open: u64,
    trials: u64,
    alpha: f64,
) -> Vec<AgreementVerdict> {
    match may_include_broken_off(law, open) {
        true => Vec::new(),
        false => compare_tally_means(law, sums, trials, alpha),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half win; a third of the trials is unfinished.
    fn law() -> Distribution {
        Distribution {
            probabilities: vec![0.5, 0.5],
            bound: 1e-15,
            steps: 50_000.0,
            ..Distribution::default()
        }
    }

    fn agrees(law: &Distribution, counts: [u64; 2], open: u64) -> bool {
        compare_endings_and_open(law, &counts, open, TrialStepLimit::Rounds, 1e-9).agrees()
    }

    #[test]
    fn what_was_broken_off_may_make_up_for_what_lacks_and_for_no_more() {
        assert!(agrees(&law(), [333_000, 334_000], 333_000));
        assert!(agrees(&law(), [499_000, 168_000], 333_000));
        assert!(!agrees(&law(), [510_000, 157_000], 333_000));
        assert!(!agrees(&law(), [660_000, 7_000], 333_000));
    }

    #[test]
    fn who_is_over_soon_is_not_broken_off() {
        let soon = Distribution { steps: 100.0, ..law() };
        assert!(!agrees(&soon, [333_000, 334_000], 333_000));
        assert!(agrees(&soon, [499_500, 500_000], 500));
        let loopless = Distribution { bound: 0.0, ..law() };
        assert!(!agrees(&loopless, [499_500, 500_000], 500));
        let never = Distribution { probabilities: vec![0.5, 0.25], never: 0.25, ..law() };
        assert!(agrees(&never, [400_000, 180_000], 420_000));
        assert!(!agrees(&never, [500_000, 400_000], 100_000));
    }

    #[test]
    fn trials_are_broken_off_where_all_end_or_some_take_long() {
        let short = Distribution { steps: 10.0, ..law() };
        assert!(may_include_broken_off(&short, 1) && !may_include_broken_off(&short, 0));
        // What is not over there is what never ends.
        let never = |steps| Distribution { never: 0.25, steps, ..law() };
        assert!(!may_include_broken_off(&never(10.0), 1));
        assert!(may_include_broken_off(&never(1000.0), 1));
        assert!(!may_include_broken_off(&Distribution { bound: 0.0, ..short }, 1));
    }

    #[test]
    fn fewer_trials_are_played_of_what_goes_on_for_long_and_all_of_what_does_not() {
        let played = |bound, steps, never| {
            trials_and_steps_to_play(&Distribution { bound, steps, never, ..law() }, 1 << 19)
        };
        // No trial without loops is given up early, however many dice it has.
        assert_eq!(played(0.0, 0.0, 0.0), (1 << 19, MAX_STEPS_PER_TRIAL));
        assert_eq!(played(1e-15, 0.5, 0.0), (1 << 19, 4096 + 32));
        // 2²⁶ steps are 2¹⁴ trials of 2¹² steps, and 2¹⁵ of which half go on for 2¹² steps.
        assert_eq!(played(1e-15, 4096.0, 0.0), (1 << 14, 65 << 12));
        assert_eq!(played(1e-15, 0.0, 0.5), (1 << 15, 1 << 12));
        // And 1024 of whatever takes longest.
        assert_eq!(played(1e-15, 1e9, 0.0), (1 << 10, MAX_STEPS_PER_TRIAL));
    }
}
