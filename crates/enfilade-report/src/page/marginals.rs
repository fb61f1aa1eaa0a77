//! Marginal distributions: each field of the outcome alone, "how many are broken", whatever else
//! happens.
//!
//! A distribution of many outcomes over several fields is a list too long to read; marginals are
//! short. They are sums over the whole distribution, not only over the part that a page shows.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::number_token::{encode_exact_and_simulated, join_with_repeats_blank};
use crate::answers::zero_columns::ZeroColumns;
use crate::text::number_format::format_exact_percent;
use crate::text::sentences;
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_study::answer::Answer;

/// The largest number of outcomes for which a distribution is read directly.
const MIN_LONG_DISTRIBUTION: usize = 12;

/// The largest number of values of a field listed; higher values are summed up.
const MAX_LISTED_VALUES: usize = 12;

/// The marginal distribution of one field.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldMarginalByCell {
    /// Its label for players.
    label: String,
    /// Its values, the last one `12 or more` if there are many.
    values: Vec<String>,
    /// Whether larger values are worse for someone.
    hurts: bool,
    /// A column per value, a token per cell.
    odds: Vec<String>,
}

/// Builds the marginals of the cells; none if all distributions are short or there is only one
/// field.
pub fn marginals_if_joint_is_long(
    cells: &[Answer],
    idle: &ZeroColumns,
) -> Vec<FieldMarginalByCell> {
    let mut fields = sentences::collect_fields(cells);
    fields.retain(|field| !idle.is_field_zero(&field.name));
    let long = cells.iter().any(|cell| cell.outcomes.len() > MIN_LONG_DISTRIBUTION);
    match long && fields.len() > 1 {
        true => fields.iter().map(|field| marginal_of_field_by_cell(cells, field)).collect(),
        false => Vec::new(),
    }
}

fn marginal_of_field_by_cell(cells: &[Answer], field: &OutcomeFieldHead) -> FieldMarginalByCell {
    let sums: Vec<_> = cells.iter().map(|cell| probability_by_value(cell, field)).collect();
    let values: BTreeSet<i32> = sums.iter().flat_map(|sums| sums.keys().copied()).collect();
    let values: Vec<i32> = values.into_iter().collect();
    let shown_values = if values.len() > MAX_LISTED_VALUES {
        &values[..MAX_LISTED_VALUES - 1]
    } else {
        &values[..]
    };
    let rest = (shown_values.len() < values.len()).then(|| values[shown_values.len()]);
    let exactly =
        shown_values.iter().map(|n| build_odds_column_where(cells, &sums, |value| value == *n));
    let more = rest.map(|least| build_odds_column_where(cells, &sums, |value| value >= least));
    FieldMarginalByCell {
        label: sentences::replace_control_chars(&field.display_name()),
        values: shown_values
            .iter()
            .map(ToString::to_string)
            .chain(rest.map(|n| format!("{n} or more")))
            .collect(),
        hurts: field.harm.as_ref().is_some_and(|harm| harm.degree > 0),
        odds: exactly.chain(more).collect(),
    }
}

fn build_odds_column_where(
    cells: &[Answer],
    sums: &[BTreeMap<i32, f64>],
    is_wanted: impl Fn(i32) -> bool,
) -> String {
    let of = |(cell, sums): (&Answer, &BTreeMap<i32, f64>)| {
        let own = sums.iter().filter(|(value, _)| is_wanted(**value));
        // A sum of shares may end slightly above one.
        let share = own.fold(0.0, |sum: f64, (_, share)| sum + share).min(1.0);
        let share = format_exact_percent(share);
        match sentences::has_exact_distribution(cell) {
            true => encode_exact_and_simulated(Some(&share), None, ""),
            false => encode_exact_and_simulated(None, Some(&share), ""),
        }
    };
    let tokens: Vec<_> = cells.iter().zip(sums).map(of).collect();
    join_with_repeats_blank(tokens.iter().map(String::as_str))
}

/// Returns the probability of each value of a field; 0 in a cell that does not count it.
fn probability_by_value(cell: &Answer, field: &OutcomeFieldHead) -> BTreeMap<i32, f64> {
    let at = cell.fields.iter().position(|own| own.name == field.name);
    let mut sums = BTreeMap::new();
    for outcome in &cell.outcomes {
        *sums.entry(at.map_or(0, |at| outcome.values[at])).or_default() +=
            outcome.best_available_chance();
    }
    sums
}
