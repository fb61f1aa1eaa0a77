//! Distributions inside a report page: outcomes in words, the worst first, a token for each cell.

use std::cmp::Reverse;

use indexmap::IndexSet;

use super::size_budget::PageDetailLevel;
use crate::answers::zero_columns::ZeroColumns;
use crate::blocks::ReportTableCell;
use crate::charts::outcome_bands::OutcomeStackBands;
use crate::text::number_format::{format_exact_percent, format_simulated_percent};
use crate::text::sentences::sort_key_by_harm;
use crate::text::{labels, sentences};
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_stats::intervals::Interval;
use enfilade_study::answer::{Answer, OutcomeWithProbability};

/// No outcome is left out.
const NO_OUTCOME_OMITTED: &str = "0 0";

/// An outcome by the fields of all cells; `None` for a field that its cell does not count.
type OptionalFieldValues = Vec<Option<i32>>;

/// The distributions of the cells of a contest.
#[derive(Default)]
pub struct EncodedOutcomeDistributions {
    fields: Vec<OutcomeFieldHead>,
    outcomes: IndexSet<OptionalFieldValues>,
    /// One distribution per cell: tokens, each preceded by its outcome unless it is the next one.
    pub laws: Vec<String>,
    /// The part of each distribution that is not shown; empty if every cell is shown completely.
    pub rarer: Vec<String>,
}

impl EncodedOutcomeDistributions {
    /// Builds as many of the columns as `cut` allows.
    pub fn from_cells(
        cells: &[Answer],
        idle: &ZeroColumns,
        cut: PageDetailLevel,
    ) -> EncodedOutcomeDistributions {
        let mut fields = sentences::collect_fields(cells);
        fields.retain(|field| !idle.is_field_zero(&field.name));
        let mut laws =
            EncodedOutcomeDistributions { fields, ..EncodedOutcomeDistributions::default() };
        if cut.outcomes == 0 {
            return laws;
        }
        let shown: Vec<_> =
            cells.iter().map(|cell| LikelyAndRarerOutcomes::from_cell(cell, cut)).collect();
        for (cell, shown) in cells.iter().zip(&shown) {
            let outcomes = shown.likely.iter();
            let values =
                outcomes.map(|outcome| values_in_shared_columns(&laws.fields, cell, outcome));
            laws.outcomes.extend(values);
        }
        let worst = |values: &OptionalFieldValues| {
            (
                Reverse(sort_key_by_harm(&laws.fields, &fill_uncounted_with_zero(values))),
                Reverse(values.clone()),
            )
        };
        // Sorted before they are numbered: a distribution without gaps in the list needs no
        // numbers.
        laws.outcomes.sort_by_cached_key(|values| worst(values));
        for (cell, shown) in cells.iter().zip(&shown) {
            laws.encode_cell_distribution(cell, shown, cut);
        }
        if laws.rarer.iter().all(|rarer| rarer == NO_OUTCOME_OMITTED) {
            laws.rarer.clear();
        }
        laws
    }

    fn encode_cell_distribution(
        &mut self,
        cell: &Answer,
        shown: &LikelyAndRarerOutcomes<'_>,
        cut: PageDetailLevel,
    ) {
        let token = |outcome: &&OutcomeWithProbability| {
            let values = values_in_shared_columns(&self.fields, cell, outcome);
            let place = self.outcomes.get_index_of(&values).unwrap_or(0);
            let odds = ReportTableCell::Odds {
                exact: outcome.exact.map(format_exact_percent),
                simulated: format_simulated(outcome, cell.trials),
            };
            (place, cut.encode_odds_within_budget(&odds, outcome.fraction.as_deref(), cell.trials))
        };
        let mut tokens: Vec<_> = shown.likely.iter().map(token).collect();
        tokens.sort_unstable_by_key(|(place, _)| *place);
        let mut next = 0;
        let tokens = tokens.into_iter().map(|(place, short)| {
            let follows = std::mem::replace(&mut next, place + 1) == place;
            if follows { short } else { format!("{place}:{short}") }
        });
        self.laws.push(tokens.collect::<Vec<_>>().join(";"));
        self.rarer.push(shown.rarer.clone());
    }

    /// Describes every outcome of the distributions in words.
    pub fn describe_outcomes(&self) -> Vec<String> {
        let describe = |values: &OptionalFieldValues| {
            sentences::replace_control_chars(&labels::describe_outcome(
                &self.fields,
                &fill_uncounted_with_zero(values),
            ))
        };
        self.outcomes.iter().map(describe).collect()
    }

    /// Returns the colours of the outcomes in the pictures of these cells, in light and dark mode;
    /// none if nothing is harm.
    pub fn light_and_dark_colors(&self, cells: &[Answer]) -> Vec<[String; 2]> {
        let bands = OutcomeStackBands::from_cells_of_action(&cells.iter().collect::<Vec<_>>());
        if !bands.are_ordered_by_harm() {
            return Vec::new();
        }
        let ink = |values: &OptionalFieldValues| {
            bands.color_of_outcome(&self.fields, &fill_uncounted_with_zero(values))
        };
        self.outcomes
            .iter()
            .map(ink)
            .map(|ink| [ink.to_css_hex_color(), ink.dark_mode_color().to_css_hex_color()])
            .collect()
    }
}

/// Returns the values, with 0 for fields that are not counted.
fn fill_uncounted_with_zero(values: &OptionalFieldValues) -> Vec<i32> {
    values.iter().map(|value| value.unwrap_or(0)).collect()
}

fn values_in_shared_columns(
    fields: &[OutcomeFieldHead],
    cell: &Answer,
    outcome: &OutcomeWithProbability,
) -> OptionalFieldValues {
    let value = |field: &OutcomeFieldHead| {
        let column = cell.fields.iter().position(|own| own.name == field.name);
        column.map(|column| outcome.values[column])
    };
    fields.iter().map(value).collect()
}

fn format_simulated(outcome: &OutcomeWithProbability, trials: u64) -> Option<String> {
    let estimate = outcome.simulated?;
    let interval = Interval { low: estimate.low, high: estimate.high };
    Some(format_simulated_percent(estimate.value, interval, trials))
}

/// The outcomes of a cell that are shown, in their order, and the sum of the others.
struct LikelyAndRarerOutcomes<'a> {
    likely: Vec<&'a OutcomeWithProbability>,
    rarer: String,
}

impl LikelyAndRarerOutcomes<'_> {
    fn from_cell(cell: &Answer, cut: PageDetailLevel) -> LikelyAndRarerOutcomes<'_> {
        let mut order: Vec<_> = (0..cell.outcomes.len()).collect();
        order.sort_by(|&a, &b| {
            cell.outcomes[b]
                .best_available_chance()
                .total_cmp(&cell.outcomes[a].best_available_chance())
        });
        let rest = order.split_off(cut.outcomes.min(order.len()));
        order.sort_unstable();
        // In the order of the distribution, so that the sum is equal wherever it is computed.
        let mut rest = rest;
        rest.sort_unstable();
        let sum: f64 = rest.iter().map(|&i| cell.outcomes[i].best_available_chance()).sum();
        LikelyAndRarerOutcomes {
            likely: order.iter().map(|&i| &cell.outcomes[i]).collect(),
            rarer: match rest.len() {
                0 => NO_OUTCOME_OMITTED.to_owned(),
                n => format!("{n} {}", format_exact_percent(sum)),
            },
        }
    }
}
