//! Tests of agreement between counts and a distribution, for every number of trials.
//!
//! Each test compares n·KL(counts/n ‖ distribution) with a threshold that a correct simulation
//! passes with a probability of at least 1 − α, without pooling and without an "expected ≥ 5":
//!
//! * one proportion: ln(2/α), by Chernoff's bound on each side;
//! * a sum of trials: t²/(2(nσ² + bt)) for a sum that lies t from its mean, by Bernstein's bound,
//!   where σ² is the variance of a trial and b the length of its tail;
//! * a distribution of c cells: the x that solves x − (c−1) − (c−1)·ln(x/(c−1)) = ln(1/α), by R.
//!   Agrawal, "Finite-sample concentration of the multinomial in relative entropy" (2020).
//!
//! A cell of probability 0 must be empty, the counts must add up to the trials and the
//! probabilities to 1. Unresolved trials are one more cell. The price of this certainty is power:
//! about twice the deviation that a chi-square test needs.

use super::divergence::divergence_term;

/// Largest distance of the sum of the probabilities from 1.
const MAX_SUM_ERROR: f64 = 1e-9;

/// The result of a test of agreement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgreementVerdict {
    /// n·KL of the counts against the distribution; infinite when something impossible was seen.
    pub statistic: f64,
    /// Threshold: agreement is refused from this statistic on.
    pub threshold: f64,
    /// The cell that adds most to the statistic; `None` when there are no cells.
    pub worst: Option<LargestDeviationCell>,
}

impl AgreementVerdict {
    /// Returns whether counts and distribution agree.
    pub fn agrees(&self) -> bool {
        self.statistic < self.threshold
    }
}

/// The cell that adds most to a statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestDeviationCell {
    /// Position among the cells.
    pub index: usize,
    /// Count of the cell.
    pub observed: u64,
    /// Trials times the probability of the cell.
    pub expected: f64,
    /// Distance in standard deviations.
    pub z: f64,
}

/// Tests one proportion: `hits` of `trials` against the probability `p`.
pub fn test_hits_against_chance(hits: u64, trials: u64, p: f64, alpha: f64) -> AgreementVerdict {
    let misses = trials.saturating_sub(hits);
    AgreementVerdict {
        threshold: (2.0 / alpha).ln(),
        ..verdict_with_unset_threshold(&[hits, misses], trials, &[p, 1.0 - p])
    }
}

/// Tests a sum over `trials` trials, each with the given mean and variance.
///
/// Bernstein's bound requires that no moment of a trial is larger than the variance and a length
/// `tail` allow. If only the first few moments are known, a length that is valid for them is
/// enough.
pub fn test_sum_against_mean(
    found: f64,
    trials: u64,
    mean: f64,
    variance: f64,
    tail: f64,
    alpha: f64,
) -> AgreementVerdict {
    let n = trials as f64;
    let away = (found - n * mean).abs() - MAX_SUM_ERROR * (n * mean).abs();
    let statistic =
        if away > 0.0 { away * away / (2.0 * (n * variance + tail * away)) } else { 0.0 };
    AgreementVerdict { statistic, threshold: (2.0 / alpha).ln(), worst: None }
}

/// Tests a whole distribution: `counts` of `trials` against the probabilities of the cells. The
/// last cell may be the unresolved trials.
pub fn test_counts_against_law(
    counts: &[u64],
    trials: u64,
    law: &[f64],
    alpha: f64,
) -> AgreementVerdict {
    let cells = law.iter().filter(|&&p| p > 0.0).count();
    AgreementVerdict {
        threshold: divergence_threshold_for_cells(cells, alpha),
        ..verdict_with_unset_threshold(counts, trials, law)
    }
}

/// Computes the x beyond c − 1 that solves x − (c−1) − (c−1)·ln(x/(c−1)) = ln(1/α), for c cells.
///
/// The left side is convex and grows, and the start lies beyond the solution, so Newton steps
/// descend to the solution.
pub fn divergence_threshold_for_cells(cells: usize, alpha: f64) -> f64 {
    let goal = -alpha.ln();
    if cells <= 1 {
        return goal;
    }
    let free = (cells - 1) as f64;
    // With x = free·u: u − 1 − ln u ≥ (u − 1)²/(2u) gives this upper bound of the solution.
    let mut x = free + goal + (goal * goal + 2.0 * goal * free).sqrt();
    for _ in 0..60 {
        let step = (x - free - free * (x / free).ln() - goal) / (1.0 - free / x);
        x -= step;
        if step.abs() <= 1e-14 * x {
            break;
        }
    }
    x
}

/// Computes the statistic; the caller sets the threshold.
fn verdict_with_unset_threshold(counts: &[u64], trials: u64, law: &[f64]) -> AgreementVerdict {
    let total: f64 = law.iter().sum();
    let counted: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    let whole = counts.len() == law.len()
        && counted == u128::from(trials)
        && (total - 1.0).abs() <= MAX_SUM_ERROR;
    let expected = |p: f64| trials as f64 * p / total;
    let cells = || counts.iter().zip(law.iter().map(|&p| expected(p)));
    let added = |(&count, expected): (&u64, f64)| divergence_term(count as f64, expected);
    let sum: f64 = cells().map(added).sum();
    let worst = cells().enumerate().max_by(|(_, a), (_, b)| added(*a).total_cmp(&added(*b)));
    AgreementVerdict {
        // A batch lost or counted twice is no surprise to a statistic of shares: so the totals are
        // compared here.
        statistic: if whole { sum } else { f64::INFINITY },
        threshold: 0.0,
        worst: worst.map(|(index, (&observed, expected))| LargestDeviationCell {
            index,
            observed,
            expected,
            z: compute_z_score(observed, trials, expected / trials.max(1) as f64),
        }),
    }
}

/// Returns the number of standard deviations by which `hits` of `trials` exceed the probability
/// `p`.
///
/// 0 when the count equals the expectation, infinite when the count is impossible.
pub fn compute_z_score(hits: u64, trials: u64, p: f64) -> f64 {
    let n = trials as f64;
    let distance = hits as f64 - n * p;
    if distance == 0.0 {
        return 0.0;
    }
    distance / (n * p * (1.0 - p)).max(0.0).sqrt()
}

/// Probability of a false alarm in a whole run of checks: one entry per kind of check, summed.
#[derive(Clone, Copy, Debug)]
pub struct FalseAlarmBudget {
    /// The checks.
    pub alarms: &'static [CheckFalseAlarmRate],
}

/// Kind of check, how often a run makes it, and the probability of a false alarm of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckFalseAlarmRate {
    /// Name of the check.
    pub name: &'static str,
    /// Largest number of these checks in one run.
    pub checks: u32,
    /// Probability of a false alarm of one check.
    pub alpha: f64,
}

impl FalseAlarmBudget {
    /// Largest allowed probability of a false alarm in a whole run: one in a million.
    pub const MAX_FALSE_ALARMS: f64 = 1e-6;

    /// Returns an upper bound of the probability that any check of a run raises a false alarm.
    pub fn false_alarm_bound(&self) -> f64 {
        let each = |alarm: &CheckFalseAlarmRate| f64::from(alarm.checks) * alarm.alpha;
        self.alarms.iter().map(each).sum()
    }

    /// Returns whether the whole run stays within [`FalseAlarmBudget::MAX_FALSE_ALARMS`].
    pub fn is_within_limit(&self) -> bool {
        self.false_alarm_bound() <= FalseAlarmBudget::MAX_FALSE_ALARMS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_has_no_statistic() {
        let verdict = test_counts_against_law(&[25, 50, 25], 100, &[0.25, 0.5, 0.25], 1e-9);
        assert_eq!(verdict.statistic, 0.0);
        assert!(verdict.agrees());
        assert_eq!(test_hits_against_chance(50, 100, 0.5, 1e-9).statistic, 0.0);
    }

    /// 60 of 100 at 1/2: 60·ln(1.2) + 40·ln(0.8) = 2.0135513550688863 (mpmath).
    #[test]
    fn the_statistic_is_n_times_kl() {
        let verdict = test_hits_against_chance(60, 100, 0.5, 0.01);
        assert!((verdict.statistic - 2.013_551_355_068_886).abs() < 1e-13);
        assert!((verdict.threshold - 200f64.ln()).abs() < 1e-15);
        let worst = verdict.worst.expect("there are two cells");
        assert_eq!((worst.index, worst.observed, worst.expected), (1, 40, 50.0));
        assert_eq!(worst.z, -2.0);
    }

    /// One free cell, α = e⁻¹: x − 1 − ln x = 1 at x = 3.146193220620583 (mpmath `findroot`).
    #[test]
    fn the_threshold_solves_its_equation() {
        let x = divergence_threshold_for_cells(2, (-1f64).exp());
        assert!((x - 3.146_193_220_620_583).abs() < 1e-13);
        for cells in [2, 3, 10, 1000, 1_000_000] {
            for alpha in [0.5, 1e-2, 1e-9, 1e-300] {
                let (x, free) = (divergence_threshold_for_cells(cells, alpha), (cells - 1) as f64);
                let left = x - free - free * (x / free).ln();
                assert!(x > free);
                assert!((left + alpha.ln()).abs() < 1e-9 * x, "{cells} {alpha}: {x}");
            }
        }
        assert_eq!(divergence_threshold_for_cells(1, 0.5), 2f64.ln());
        assert!(divergence_threshold_for_cells(0, 0.5).is_finite());
    }

    /// 60 found where 50 are expected, of 100 trials with variance ¼: 10²/(2·25) = 2, and with a
    /// tail of 1 10²/(2·(25 + 10)) = 10/7. Rounding of the sum is no distance.
    #[test]
    fn a_sum_is_as_far_from_its_mean_as_bernstein_says() {
        let statistic = |found, tail| test_sum_against_mean(found, 100, 0.5, 0.25, tail, 0.01);
        assert!((statistic(60.0, 0.0).statistic - 2.0).abs() < 1e-7);
        assert!((statistic(40.0, 1.0).statistic - 10.0 / 7.0).abs() < 1e-7);
        assert_eq!(statistic(50.0 + 4e-8, 0.0).statistic, 0.0);
        assert!(statistic(50.0 + 6e-8, 0.0).statistic > 0.0);
        let below = test_sum_against_mean(-50.0 - 4e-8, 100, -0.5, 0.25, 0.0, 0.01);
        assert_eq!(below.statistic, 0.0);
        assert!((statistic(60.0, 0.0).threshold - 200f64.ln()).abs() < 1e-15);
    }

    /// Probabilities that add up to 1 + 8·10⁻¹⁰ share the trials: 10⁹·½ ÷ (1 + 8·10⁻¹⁰).
    #[test]
    fn expectations_add_up_to_the_trials() {
        let law = [0.5, 0.5 + 8e-10];
        let verdict = test_counts_against_law(&[600_000_000, 400_000_000], 1 << 30, &law, 0.1);
        assert_eq!(verdict.statistic, f64::INFINITY);
        let trials = 1_000_000_000;
        let verdict = test_counts_against_law(&[400_000_000, 600_000_000], trials, &law, 0.1);
        let worst = verdict.worst.expect("there are two cells");
        assert_eq!(worst.index, 0);
        assert!((worst.expected - 499_999_999.6).abs() < 1e-3, "{}", worst.expected);
    }

    /// A chance of ¾ that did not happen in one trial is ¾ ÷ √(¾·¼) = √3 away.
    #[test]
    fn one_trial_has_a_distance() {
        let verdict = test_counts_against_law(&[1, 0], 1, &[0.25, 0.75], 0.01);
        let worst = verdict.worst.expect("there are two cells");
        assert!(worst.index == 1 && (worst.z + 3f64.sqrt()).abs() < 1e-12, "{worst:?}");
    }

    #[test]
    fn an_impossible_cell_is_no_free_one() {
        let verdict = test_counts_against_law(&[40, 60, 0], 100, &[0.5, 0.5, 0.0], 0.01);
        assert_eq!(verdict.threshold, divergence_threshold_for_cells(2, 0.01));
    }

    #[test]
    fn the_impossible_is_refused_and_the_certain_accepted() {
        assert!(!test_counts_against_law(&[99, 1], 100, &[1.0, 0.0], 1e-300).agrees());
        assert!(test_counts_against_law(&[100, 0], 100, &[1.0, 0.0], 1e-9).agrees());
        assert!(!test_hits_against_chance(99, 100, 1.0, 1e-300).agrees());
        assert!(test_hits_against_chance(0, 100, 0.0, 1e-9).agrees());
        assert!(test_hits_against_chance(0, 0, 0.3, 1e-9).agrees());
        assert!(test_counts_against_law(&[100], 100, &[1.0], 1e-9).agrees());
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        let half = [0.5, 0.5];
        assert!(!test_counts_against_law(&[50, 49], 100, &half, 1e-9).agrees());
        assert!(!test_counts_against_law(&[50, 50], 100, &[0.5, 0.49], 1e-9).agrees());
        assert!(!test_counts_against_law(&[50, 50], 100, &[0.5, 0.25, 0.25], 1e-9).agrees());
        assert!(!test_counts_against_law(&[50, 50], 100, &[0.5, f64::NAN], 1e-9).agrees());
        assert!(!test_hits_against_chance(101, 100, 0.5, 1e-9).agrees());
    }

    #[test]
    fn z_scores_have_signs() {
        assert_eq!(compute_z_score(60, 100, 0.5), 2.0);
        assert_eq!(compute_z_score(40, 100, 0.5), -2.0);
        assert_eq!(compute_z_score(0, 100, 0.0), 0.0);
        assert_eq!(compute_z_score(1, 100, 0.0), f64::INFINITY);
        assert_eq!(compute_z_score(99, 100, 1.0), f64::NEG_INFINITY);
        assert_eq!(compute_z_score(0, 0, 0.5), 0.0);
    }

    #[test]
    fn a_budget_adds_up() {
        const ALARMS: &[CheckFalseAlarmRate] = &[
            CheckFalseAlarmRate { name: "laws", checks: 300, alpha: 1e-9 },
            CheckFalseAlarmRate { name: "proportions", checks: 600, alpha: 1e-9 },
        ];
        let budget = FalseAlarmBudget { alarms: ALARMS };
        assert!((budget.false_alarm_bound() - 9e-7).abs() < 1e-20);
        assert!(budget.is_within_limit());
        const JUST: &[CheckFalseAlarmRate] =
            &[CheckFalseAlarmRate { name: "all", checks: 1, alpha: 1e-6 }];
        assert!(FalseAlarmBudget { alarms: JUST }.is_within_limit());
        const TOO_MANY: &[CheckFalseAlarmRate] =
            &[CheckFalseAlarmRate { name: "laws", checks: 2000, alpha: 1e-9 }];
        assert!(!FalseAlarmBudget { alarms: TOO_MANY }.is_within_limit());
    }
}
