//! The law of each show by itself, whatever else happens: sums over the joint law.
//!
//! A joint law of several shows is a long list that few people read. These are short.

use std::collections::BTreeMap;

use crate::answers::zero_columns::ZeroColumns;
use crate::blocks::{ReportBlock, ReportTableCell, TextTable};
use crate::text::measure_format;
use crate::text::number_format::format_exact_percent;
use crate::text::sentences;
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_stats::intervals::{ConfidenceLevel, proportion_interval};
use enfilade_study::answer::{Answer, Estimate, OutcomeWithProbability};

/// Joint laws of at most this many outcomes are read as they are.
const MAX_SHORT_OUTCOMES: usize = 12;

/// Joint laws of more outcomes than this come after the single ones.
const MAX_JOINT_FIRST: usize = 20;

/// Values of one show that are listed; of more, quantiles are.
const MAX_LISTED_VALUES: usize = 12;

/// Percentages of the quantiles of a show with many values.
const QUANTILE_PERCENTAGES: [u32; 5] = [5, 25, 50, 75, 95];

/// Law of one show.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeFieldDistribution {
    /// Name of the show.
    pub name: String,
    /// Name that a player uses.
    pub label: String,
    /// Values in order, each with its probability.
    pub values: Vec<ShowValueChance>,
}

impl OutcomeFieldDistribution {
    /// Returns the probability of the values from `low` to `high`, both included.
    pub fn share_of_values(&self, low: i64, high: i64) -> f64 {
        let inside = |value: &&ShowValueChance| (low..=high).contains(&i64::from(value.value));
        let shares = self.values.iter().filter(inside).map(ShowValueChance::best_available_chance);
        // A sum of shares may end slightly above one.
        shares.sum::<f64>().min(1.0)
    }
}

/// Value of one show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShowValueChance {
    /// The value.
    pub value: i32,
    /// Its exact probability.
    pub exact: Option<f64>,
    /// Its simulated probability.
    pub simulated: Option<Estimate>,
}

impl ShowValueChance {
    /// Returns the exact probability, or the simulated one where there is none.
    pub fn best_available_chance(&self) -> f64 {
        self.exact.or(self.simulated.map(|estimate| estimate.value)).unwrap_or(0.0)
    }
}

/// Computes the law of every show of a cell.
pub fn distributions_of_shows(cell: &Answer) -> Vec<OutcomeFieldDistribution> {
    let all = |_: &OutcomeWithProbability| true;
    cell.fields
        .iter()
        .enumerate()
        .map(|(at, field)| compute_show_distribution(cell, at, field, all))
        .collect()
}

/// Computes the law of the show at position `at` among the outcomes that are `wanted`;
/// probabilities are those of the joint law, not rescaled.
pub fn compute_show_distribution(
    cell: &Answer,
    at: usize,
    field: &OutcomeFieldHead,
    is_wanted: impl Fn(&OutcomeWithProbability) -> bool,
) -> OutcomeFieldDistribution {
    let mut sums: BTreeMap<i32, (f64, u64)> = BTreeMap::new();
    for outcome in cell.outcomes.iter().filter(|outcome| is_wanted(outcome)) {
        let sum = sums.entry(outcome.values[at]).or_default();
        sum.0 += outcome.exact.unwrap_or(0.0);
        sum.1 += outcome.count.unwrap_or(0);
    }
    let has_exact = cell.outcomes.iter().any(|outcome| outcome.exact.is_some());
    let value = |(value, (exact, count)): (i32, (f64, u64))| ShowValueChance {
        value,
        // A sum of shares may end slightly above one.
        exact: has_exact.then(|| exact.min(1.0)),
        simulated: (cell.trials > 0).then(|| estimate_share_of_trials(count, cell.trials)),
    };
    OutcomeFieldDistribution {
        name: field.name.to_string(),
        label: sentences::replace_control_chars(&field.display_name()),
        values: sums.into_iter().map(value).collect(),
    }
}

/// Share of trials with its 95 % interval.
pub fn estimate_share_of_trials(count: u64, trials: u64) -> Estimate {
    let interval = proportion_interval(count, trials, ConfidenceLevel::P95);
    let value = count as f64 / trials.max(1) as f64;
    Estimate { value, low: interval.low, high: interval.high }
}

/// Whether the single laws of a cell come before its joint law.
pub fn are_marginals_shown_first(cell: &Answer) -> bool {
    cell.outcomes.len() > MAX_JOINT_FIRST
}

/// Tables of the single laws of a cell, `idle` shows left out; none where the joint law is short or
/// has one show.
pub fn build_show_distribution_blocks(cell: &Answer, idle: &ZeroColumns) -> Vec<ReportBlock> {
    let mut laws = distributions_of_shows(cell);
    laws.retain(|law| !idle.is_field_zero(&law.name));
    if laws.len() < 2 || cell.outcomes.len() <= MAX_SHORT_OUTCOMES {
        return Vec::new();
    }
    let is_switch = |law: &OutcomeFieldDistribution| {
        law.values.iter().all(|value| (0..=1).contains(&value.value))
    };
    let (switches, counts): (Vec<_>, Vec<_>) = laws.into_iter().partition(is_switch);
    let mut blocks: Vec<_> = counts.iter().map(|law| show_distribution_table(cell, law)).collect();
    if !switches.is_empty() {
        blocks.push(build_yes_no_table(cell, &switches));
    }
    blocks
}

/// Table of one law: its values, or its quantiles where it has many.
pub fn show_distribution_table(cell: &Answer, law: &OutcomeFieldDistribution) -> ReportBlock {
    let rows = match law.values.len() > MAX_LISTED_VALUES {
        true => build_quantile_rows(law),
        false => law
            .values
            .iter()
            .map(|value| build_exact_simulated_row(cell, &value.value.to_string(), value))
            .collect(),
    };
    let heads = match law.values.len() > MAX_LISTED_VALUES {
        true => vec!["quantile".to_owned(), law.label.clone()],
        false => distribution_heads(cell, &law.label),
    };
    ReportBlock::Table(format!("{} alone", law.label), TextTable { heads, rows, fixed: 1 })
}

/// One table of everything that happens or does not.
fn build_yes_no_table(cell: &Answer, laws: &[OutcomeFieldDistribution]) -> ReportBlock {
    let none = ShowValueChance { value: 1, exact: None, simulated: None };
    let rows = laws.iter().map(|law| {
        let yes = law.values.iter().find(|value| value.value == 1);
        build_exact_simulated_row(cell, &law.label, yes.unwrap_or(&none))
    });
    let rows = rows.collect();
    ReportBlock::Table(
        "Chances alone".to_owned(),
        TextTable { heads: distribution_heads(cell, "what"), rows, fixed: 1 },
    )
}

fn distribution_heads(cell: &Answer, first: &str) -> Vec<String> {
    let columns = [("exact %", has_exact_distribution(cell)), ("simulated %", cell.trials > 0)];
    let columns = columns.into_iter().filter(|(_, filled)| *filled).map(|(head, _)| head);
    [first].into_iter().chain(columns).map(str::to_owned).collect()
}

fn has_exact_distribution(cell: &Answer) -> bool {
    cell.outcomes.iter().any(|outcome| outcome.exact.is_some())
}

fn build_exact_simulated_row(
    cell: &Answer,
    name: &str,
    value: &ShowValueChance,
) -> Vec<ReportTableCell> {
    let exact =
        has_exact_distribution(cell).then(|| format_exact_percent(value.exact.unwrap_or(0.0)));
    let simulated = (cell.trials > 0).then(|| match &value.simulated {
        Some(estimate) => measure_format::format_simulated_value(true, estimate, cell.trials),
        None => "0".to_owned(),
    });
    let numbers = exact.into_iter().chain(simulated).map(ReportTableCell::Number);
    [ReportTableCell::Text(name.to_owned())].into_iter().chain(numbers).collect()
}

fn build_quantile_rows(law: &OutcomeFieldDistribution) -> Vec<Vec<ReportTableCell>> {
    let row = |percent: u32| {
        let text = match value_at_share(law, f64::from(percent) / 100.0) {
            Some(value) => value.to_string(),
            None => "–".to_owned(),
        };
        vec![ReportTableCell::Text(format!("{percent} %")), ReportTableCell::Number(text)]
    };
    QUANTILE_PERCENTAGES.into_iter().map(row).collect()
}

/// Least value that the show does not exceed with probability `share`; `None` where what has ended
/// does not reach it.
fn value_at_share(law: &OutcomeFieldDistribution, share: f64) -> Option<i32> {
    let mut reached = 0.0;
    let quantile = law.values.iter().find(|value| {
        reached += value.best_available_chance();
        reached >= share - 1e-12
    });
    quantile.map(|value| value.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// The squad of the test answers: eliminated in 4 of 36 cases, the sums by hand over the joint
    /// law.
    #[test]
    fn single_laws_add_up_the_joint_one() {
        let cell = &test_answers::build_single()[0];
        let laws = distributions_of_shows(cell);
        assert_eq!(laws.len(), cell.fields.len());
        for (at, law) in laws.iter().enumerate() {
            for value in &law.values {
                let same = cell.outcomes.iter().filter(|outcome| outcome.values[at] == value.value);
                let (exact, count) = same.fold((0.0, 0), |(exact, count), outcome| {
                    (exact + outcome.exact.unwrap_or(0.0), count + outcome.count.unwrap_or(0))
                });
                assert_eq!(value.exact, Some(exact));
                let share = value.simulated.expect("it was simulated").value;
                assert!((share - count as f64 / cell.trials as f64).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn quantiles_are_the_least_values_that_reach_the_share() {
        let value =
            |(value, p): (i32, f64)| ShowValueChance { value, exact: Some(p), simulated: None };
        let values = [(1, 0.05), (3, 0.45), (7, 0.25), (9, 0.2)].map(value).to_vec();
        let law = OutcomeFieldDistribution { name: String::new(), label: String::new(), values };
        let found =
            QUANTILE_PERCENTAGES.map(|percent| value_at_share(&law, f64::from(percent) / 100.0));
        // Of the last twentieth nothing has ended.
        assert_eq!(found, [Some(1), Some(3), Some(3), Some(7), Some(9)]);
        assert_eq!(value_at_share(&law, 0.96), None);
    }
}
