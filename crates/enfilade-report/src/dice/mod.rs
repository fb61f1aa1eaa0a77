//! Distributions of dice side by side: bars for a terminal, a table, CSV, JSON.

use std::collections::BTreeSet;

use dashu_int::UBig;
use serde::Serialize;

use enfilade_dice::{DiceDistribution, ValueMeaning, divide_to_f64};
use enfilade_engine::exact::reduce_fraction;

#[cfg(feature = "terminal")]
pub mod distribution_bars;

/// An expression and its distribution.
#[derive(Debug)]
pub struct DiceQuery {
    /// The expression as it was typed.
    pub text: String,
    /// Its distribution.
    pub law: DiceDistribution,
}

/// A table of text: heads and rows.
pub type DiceTable = (Vec<String>, Vec<Vec<String>>);

/// Characters of the longest fraction shown to readers.
const MAX_FRACTION_LENGTH: usize = 24;

/// The kind of share shown for each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShareKind {
    /// P(exactly this value).
    #[default]
    Exactly,
    /// P(this value or more).
    AtLeast,
    /// P(this value or less).
    AtMost,
}

/// One value of a distribution.
struct ValueRow {
    value: i64,
    fraction: String,
    share: f64,
    at_least: f64,
    at_most: f64,
}

fn value_rows(law: &DiceDistribution) -> Vec<ValueRow> {
    let total = law.law.total_ways();
    let mut below = UBig::ZERO;
    let line = |(value, ways): (i64, &UBig)| {
        let at_least = divide_to_f64(&(&total - &below), &total);
        below += ways;
        let (n, d) = reduce_fraction(ways.clone(), total.clone());
        let (share, at_most) = (divide_to_f64(ways, &total), divide_to_f64(&below, &total));
        ValueRow { value, fraction: format!("{n}/{d}"), share, at_least, at_most }
    };
    law.law.ways().map(line).collect()
}

/// Returns the share of a value in a distribution; `None` if the value is outside it.
fn share_of_value(lines: &[ValueRow], value: i64, shares: ShareKind) -> Option<f64> {
    let place = lines.partition_point(|line| line.value < value);
    let here = lines.get(place);
    match shares {
        ShareKind::Exactly => here.filter(|line| line.value == value).map(|line| line.share),
        ShareKind::AtLeast => Some(here.map_or(0.0, |line| line.at_least)),
        ShareKind::AtMost => {
            let below = lines.partition_point(|line| line.value <= value).checked_sub(1);
            Some(below.map_or(0.0, |place| lines[place].at_most))
        }
    }
}

/// Returns the label of a value.
fn value_label(value: i64, answers: ValueMeaning) -> String {
    match (answers, value) {
        (ValueMeaning::Number, value) => value.to_string(),
        (ValueMeaning::YesNo, 1) => "yes".to_owned(),
        (ValueMeaning::YesNo, _) => "no".to_owned(),
        (ValueMeaning::Versus, 1) => "left is higher".to_owned(),
        (ValueMeaning::Versus, 0) => "equal".to_owned(),
        (ValueMeaning::Versus, _) => "right is higher".to_owned(),
    }
}

fn value_head(answers: ValueMeaning) -> &'static str {
    if answers == ValueMeaning::Number { "value" } else { "answer" }
}

/// Formats a share for readers; a possible value never looks impossible or certain.
fn format_percent(share: f64, decimals: usize) -> String {
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
pub fn build_table(asked: &DiceQuery, for_readers: bool) -> DiceTable {
    let law = &asked.law;
    let number =
        |share: f64| if for_readers { format_percent(share, 4) } else { share.to_string() };
    let ordered = law.answers == ValueMeaning::Number;
    let mut heads = vec![value_head(law.answers), "fraction", "probability"];
    heads.extend(ordered.then_some("at least"));
    let row = |line: ValueRow| {
        let fraction = match for_readers && line.fraction.len() > MAX_FRACTION_LENGTH {
            true => "(long)".to_owned(),
            false => line.fraction,
        };
        let mut row = vec![value_label(line.value, law.answers), fraction, number(line.share)];
        row.extend(ordered.then(|| number(line.at_least)));
        row
    };
    (heads.into_iter().map(str::to_owned).collect(), value_rows(law).into_iter().map(row).collect())
}

/// A value, and its share in each distribution.
type SharedRow = ((ValueMeaning, i64), Vec<Option<f64>>);

/// Collects the values that any of the distributions can have.
fn collect_rows(asked: &[DiceQuery], shares: ShareKind) -> Vec<SharedRow> {
    let laws: Vec<_> =
        asked.iter().map(|asked| (asked.law.answers, value_rows(&asked.law))).collect();
    let values =
        laws.iter().flat_map(|(answers, lines)| lines.iter().map(|line| (*answers, line.value)));
    let values: BTreeSet<_> = values.collect();
    let row = |(answers, value): (ValueMeaning, i64)| {
        let cell = |(own, lines): &(ValueMeaning, Vec<ValueRow>)| {
            (*own == answers).then(|| share_of_value(lines, value, shares)).flatten()
        };
        ((answers, value), laws.iter().map(cell).collect())
    };
    values.into_iter().map(row).collect()
}

/// Builds one table of several distributions, a column each.
pub fn build_combined_table(
    asked: &[DiceQuery],
    shares: ShareKind,
    for_readers: bool,
) -> DiceTable {
    let number =
        |share: f64| if for_readers { format_percent(share, 4) } else { share.to_string() };
    let heads = std::iter::once("value").chain(asked.iter().map(|asked| &*asked.text));
    let row = |((answers, value), cells): SharedRow| {
        let cells = cells.into_iter().map(|cell| cell.map_or(String::new(), number));
        std::iter::once(value_label(value, answers)).chain(cells).collect()
    };
    let heads = heads.map(str::to_owned).collect();
    (heads, collect_rows(asked, shares).into_iter().map(row).collect())
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
pub fn build_distributions_document(asked: &[DiceQuery]) -> DistributionsDocument {
    let laws = asked.iter().map(build_distribution_json).collect();
    DistributionsDocument { enfilade: env!("CARGO_PKG_VERSION"), laws }
}

fn build_distribution_json(asked: &DiceQuery) -> DistributionJson {
    let law = &asked.law;
    let value = |value: i64| match law.answers {
        ValueMeaning::Number => DistributionValue::Number(value),
        ValueMeaning::YesNo => DistributionValue::YesNo(value == 1),
        ValueMeaning::Versus => DistributionValue::Winner(value_label(value, law.answers)),
    };
    let line = |line: ValueRow| DistributionLine {
        value: value(line.value),
        fraction: line.fraction,
        exact: line.share,
        at_least: line.at_least,
    };
    DistributionJson {
        expression: asked.text.clone(),
        mean: law.law.mean(),
        standard_deviation: law.law.deviation(),
        values: value_rows(law).into_iter().map(line).collect(),
        remarks: law.remarks.clone(),
    }
}

/// Collects the notes on each expression, with its text if there are several.
pub fn collect_notes(asked: &[DiceQuery]) -> Vec<String> {
    let several = asked.len() > 1;
    let of = |asked: &DiceQuery| -> Vec<String> {
        let before = if several { format!("{}: ", asked.text) } else { String::new() };
        asked.law.remarks.iter().map(|remark| format!("{before}{remark}")).collect()
    };
    asked.iter().flat_map(of).collect()
}

/// Describes mean and standard deviation of each distribution of a number, a sentence each.
pub fn describe_moments(asked: &[DiceQuery]) -> Vec<String> {
    let several = asked.len() > 1;
    let numbers = asked.iter().filter(|asked| asked.law.answers == ValueMeaning::Number);
    let of = |asked: &DiceQuery| {
        let before = if several { format!("{}: ", asked.text) } else { String::new() };
        let law = &asked.law.law;
        format!("{before}mean {:.6}, standard deviation {:.6}", law.mean(), law.deviation())
    };
    numbers.map(of).collect()
}
