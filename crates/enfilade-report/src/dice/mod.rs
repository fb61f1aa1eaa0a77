//! Distributions of dice side by side: bars for a terminal, a table, CSV, JSON.

use std::collections::BTreeSet;

use dashu_int::UBig;
use serde::Serialize;

use crate::text::number_format::format_exact_mean;
use enfilade_dice::{DiceDistribution, MeaningOfValues, divide_to_f64};
use enfilade_engine::exact::reduce_fraction;

#[cfg(feature = "terminal")]
pub mod distribution_bars;

/// An expression and its distribution.
#[derive(Debug)]
pub struct DiceExpressionOdds {
    /// The expression as it was typed.
    pub text: String,
    /// Its distribution.
    pub law: DiceDistribution,
}

/// A table of text: heads and rows.
pub type TextRows = (Vec<String>, Vec<Vec<String>>);

/// Characters of the longest fraction shown to readers.
const MAX_SHOWN_FRACTION_CHARS: usize = 24;

/// The kind of share shown for each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShareShownPerValue {
    /// P(exactly this value).
    #[default]
    Exactly,
    /// P(this value or more).
    AtLeast,
    /// P(this value or less).
    AtMost,
}

/// One value of a distribution.
struct DistributionValueRow {
    value: i64,
    fraction: String,
    share: f64,
    at_least: f64,
    at_most: f64,
}

fn value_rows_of_distribution(law: &DiceDistribution) -> Vec<DistributionValueRow> {
    let total = law.law.total_ways();
    let mut below = UBig::ZERO;
    let line = |(value, ways): (i64, &UBig)| {
        let at_least = divide_to_f64(&(&total - &below), &total);
        below += ways;
        let (n, d) = reduce_fraction(ways.clone(), total.clone());
        let (share, at_most) = (divide_to_f64(ways, &total), divide_to_f64(&below, &total));
        DistributionValueRow { value, fraction: format!("{n}/{d}"), share, at_least, at_most }
    };
    law.law.values_with_ways().map(line).collect()
}

/// Returns the share of a value in a distribution; `None` if the value is outside it.
fn share_of_value(
    lines: &[DistributionValueRow],
    value: i64,
    shares: ShareShownPerValue,
) -> Option<f64> {
    let place = lines.partition_point(|line| line.value < value);
    let here = lines.get(place);
    match shares {
        ShareShownPerValue::Exactly => {
            here.filter(|line| line.value == value).map(|line| line.share)
        }
        ShareShownPerValue::AtLeast => Some(here.map_or(0.0, |line| line.at_least)),
        ShareShownPerValue::AtMost => {
            let below = lines.partition_point(|line| line.value <= value).checked_sub(1);
            Some(below.map_or(0.0, |place| lines[place].at_most))
        }
    }
}

/// Returns the label of a value.
fn value_label_by_meaning(value: i64, answers: MeaningOfValues) -> String {
    match (answers, value) {
        (MeaningOfValues::Number, value) => value.to_string(),
        (MeaningOfValues::YesNo, 1) => "yes".to_owned(),
        (MeaningOfValues::YesNo, _) => "no".to_owned(),
        (MeaningOfValues::Versus, 1) => "left is higher".to_owned(),
        (MeaningOfValues::Versus, 0) => "equal".to_owned(),
        (MeaningOfValues::Versus, _) => "right is higher".to_owned(),
    }
}

fn head_of_value_column(answers: MeaningOfValues) -> &'static str {
    if answers == MeaningOfValues::Number { "value" } else { "answer" }
}

/// Formats a share for readers; a possible value never looks impossible or certain.
fn format_possible_percent(share: f64, decimals: usize) -> String {
    let least = 0.5 * 10.0_f64.powi(-(decimals as i32)) / 100.0;
    let unit = format!("{:.decimals$}", 10.0_f64.powi(-(decimals as i32)));
    if share > 0.0 && share < least {
        return format!("<{unit} %");
    }
    if share < 1.0 && share > 1.0 - least {
        return format!(">{:.decimals$} %", 100.0 - 10.0_f64.powi(-(decimals as i32)));
    }
    format!("{:.decimals$} %", 100.0 * share)
}

/// Builds the table of one distribution in full: value, fraction, probability and, for ordered
/// values, at least.
pub fn full_table(query: &DiceExpressionOdds, for_readers: bool) -> TextRows {
    let law = &query.law;
    let number = |share: f64| {
        if for_readers { format_possible_percent(share, 4) } else { share.to_string() }
    };
    let ordered = law.answers == MeaningOfValues::Number;
    let mut heads = vec![head_of_value_column(law.answers), "fraction", "probability"];
    heads.extend(ordered.then_some("at least"));
    let row = |line: DistributionValueRow| {
        let fraction = match for_readers && line.fraction.len() > MAX_SHOWN_FRACTION_CHARS {
            true => "(long)".to_owned(),
            false => line.fraction,
        };
        let mut row =
            vec![value_label_by_meaning(line.value, law.answers), fraction, number(line.share)];
        row.extend(ordered.then(|| number(line.at_least)));
        row
    };
    (
        heads.into_iter().map(str::to_owned).collect(),
        value_rows_of_distribution(law).into_iter().map(row).collect(),
    )
}

/// A value, and its share in each distribution.
type ValueWithShareByQuery = ((MeaningOfValues, i64), Vec<Option<f64>>);

/// Collects the values that any of the distributions can have.
fn rows_of_all_values(
    queries: &[DiceExpressionOdds],
    shares: ShareShownPerValue,
) -> Vec<ValueWithShareByQuery> {
    let laws: Vec<_> = queries
        .iter()
        .map(|query| (query.law.answers, value_rows_of_distribution(&query.law)))
        .collect();
    let values =
        laws.iter().flat_map(|(answers, lines)| lines.iter().map(|line| (*answers, line.value)));
    let values: BTreeSet<_> = values.collect();
    let row = |(answers, value): (MeaningOfValues, i64)| {
        let cell = |(own, lines): &(MeaningOfValues, Vec<DistributionValueRow>)| {
            (*own == answers).then(|| share_of_value(lines, value, shares)).flatten()
        };
        ((answers, value), laws.iter().map(cell).collect())
    };
    values.into_iter().map(row).collect()
}

/// Builds one table of several distributions, a column each.
pub fn build_combined_table(
    queries: &[DiceExpressionOdds],
    shares: ShareShownPerValue,
    for_readers: bool,
) -> TextRows {
    let number = |share: f64| {
        if for_readers { format_possible_percent(share, 4) } else { share.to_string() }
    };
    let heads = std::iter::once("value").chain(queries.iter().map(|query| &*query.text));
    let row = |((answers, value), cells): ValueWithShareByQuery| {
        let cells = cells.into_iter().map(|cell| cell.map_or(String::new(), number));
        std::iter::once(value_label_by_meaning(value, answers)).chain(cells).collect()
    };
    let heads = heads.map(str::to_owned).collect();
    (heads, rows_of_all_values(queries, shares).into_iter().map(row).collect())
}

/// The distributions of several expressions as one document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DistributionsDocument {
    enfilade: &'static str,
    laws: Vec<DistributionJson>,
}

/// The distribution of one expression.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct DistributionJson {
    expression: String,
    mean: f64,
    standard_deviation: f64,
    values: Vec<DistributionLine>,
    remarks: Vec<String>,
}

/// One value of a distribution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct DistributionLine {
    value: DistributionValue,
    fraction: String,
    exact: f64,
    at_least: f64,
}

/// A number, yes or no, or the winner.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
enum DistributionValue {
    Number(i64),
    YesNo(bool),
    Winner(String),
}

/// Builds the document of all distributions.
pub fn build_distributions_document(queries: &[DiceExpressionOdds]) -> DistributionsDocument {
    let laws = queries.iter().map(build_distribution_json).collect();
    DistributionsDocument { enfilade: env!("CARGO_PKG_VERSION"), laws }
}

fn build_distribution_json(query: &DiceExpressionOdds) -> DistributionJson {
    let law = &query.law;
    let value = |value: i64| match law.answers {
        MeaningOfValues::Number => DistributionValue::Number(value),
        MeaningOfValues::YesNo => DistributionValue::YesNo(value == 1),
        MeaningOfValues::Versus => {
            DistributionValue::Winner(value_label_by_meaning(value, law.answers))
        }
    };
    let line = |line: DistributionValueRow| DistributionLine {
        value: value(line.value),
        fraction: line.fraction,
        exact: line.share,
        at_least: line.at_least,
    };
    DistributionJson {
        expression: query.text.clone(),
        mean: law.law.mean(),
        standard_deviation: law.law.deviation(),
        values: value_rows_of_distribution(law).into_iter().map(line).collect(),
        remarks: law.remarks.clone(),
    }
}

/// Collects the notes on each expression, with its text if there are several.
pub fn collect_notes(queries: &[DiceExpressionOdds]) -> Vec<String> {
    let several = queries.len() > 1;
    let of = |query: &DiceExpressionOdds| -> Vec<String> {
        let before = if several { format!("{}: ", query.text) } else { String::new() };
        query.law.remarks.iter().map(|remark| format!("{before}{remark}")).collect()
    };
    queries.iter().flat_map(of).collect()
}

/// Formats a number to three decimals, without zeros at the end: `2.5`, `1.118`.
fn format_to_three_decimals(number: f64) -> String {
    if number != 0.0 && number.abs() < 0.0005 {
        return format_exact_mean(number);
    }
    format!("{number:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Describes mean and standard deviation of each distribution of a number, a sentence each.
pub fn describe_mean_deviation(queries: &[DiceExpressionOdds]) -> Vec<String> {
    let several = queries.len() > 1;
    let numbers = queries.iter().filter(|query| query.law.answers == MeaningOfValues::Number);
    let of = |query: &DiceExpressionOdds| {
        let before = if several { format!("{}: ", query.text) } else { String::new() };
        let law = &query.law.law;
        let [mean, deviation] = [law.mean(), law.deviation()].map(format_to_three_decimals);
        format!("{before}mean {mean}, standard deviation {deviation}")
    };
    numbers.map(of).collect()
}
