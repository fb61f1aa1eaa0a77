//! Distributions of dice side by side: bars for a terminal, a table, CSV, JSON.

use std::collections::BTreeSet;

use dashu_int::UBig;
use serde::Serialize;

use enfilade_dice::{Answers, DiceLaw, ratio};
use enfilade_engine::exact::reduced;

#[cfg(feature = "terminal")]
pub mod bars;

/// An expression and its distribution.
#[derive(Debug)]
pub struct Asked {
    /// The expression as it was typed.
    pub text: String,
    /// Its distribution.
    pub law: DiceLaw,
}

/// A table of text: heads and rows.
pub type Table = (Vec<String>, Vec<Vec<String>>);

/// Characters of the longest fraction shown to readers.
const LONGEST: usize = 24;

/// The kind of share shown for each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shares {
    /// P(exactly this value).
    #[default]
    Exactly,
    /// P(this value or more).
    AtLeast,
    /// P(this value or less).
    AtMost,
}

/// One value of a distribution.
struct Line {
    value: i64,
    fraction: String,
    share: f64,
    at_least: f64,
    at_most: f64,
}

fn lines(law: &DiceLaw) -> Vec<Line> {
    let total = law.law.total();
    let mut below = UBig::ZERO;
    let line = |(value, ways): (i64, &UBig)| {
        let at_least = ratio(&(&total - &below), &total);
        below += ways;
        let (n, d) = reduced(ways.clone(), total.clone());
        let (share, at_most) = (ratio(ways, &total), ratio(&below, &total));
        Line { value, fraction: format!("{n}/{d}"), share, at_least, at_most }
    };
    law.law.ways().map(line).collect()
}

/// Returns the share of a value in a distribution; `None` if the value is outside it.
fn share(lines: &[Line], value: i64, shares: Shares) -> Option<f64> {
    let place = lines.partition_point(|line| line.value < value);
    let here = lines.get(place);
    match shares {
        Shares::Exactly => here.filter(|line| line.value == value).map(|line| line.share),
        Shares::AtLeast => Some(here.map_or(0.0, |line| line.at_least)),
        Shares::AtMost => {
            let below = lines.partition_point(|line| line.value <= value).checked_sub(1);
            Some(below.map_or(0.0, |place| lines[place].at_most))
        }
    }
}

/// Returns the label of a value.
fn named(value: i64, answers: Answers) -> String {
    match (answers, value) {
        (Answers::Number, value) => value.to_string(),
        (Answers::YesNo, 1) => "yes".to_owned(),
        (Answers::YesNo, _) => "no".to_owned(),
        (Answers::Versus, 1) => "left is higher".to_owned(),
        (Answers::Versus, 0) => "equal".to_owned(),
        (Answers::Versus, _) => "right is higher".to_owned(),
    }
}

fn value_head(answers: Answers) -> &'static str {
    if answers == Answers::Number { "value" } else { "answer" }
}

/// Formats a share for readers; a possible value never looks impossible or certain.
fn percent(share: f64, decimals: usize) -> String {
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
pub fn table(asked: &Asked, for_readers: bool) -> Table {
    let law = &asked.law;
    let number = |share: f64| if for_readers { percent(share, 4) } else { share.to_string() };
    let ordered = law.answers == Answers::Number;
    let mut heads = vec![value_head(law.answers), "fraction", "probability"];
    heads.extend(ordered.then_some("at least"));
    let row = |line: Line| {
        let fraction = match for_readers && line.fraction.len() > LONGEST {
            true => "(long)".to_owned(),
            false => line.fraction,
        };
        let mut row = vec![named(line.value, law.answers), fraction, number(line.share)];
        row.extend(ordered.then(|| number(line.at_least)));
        row
    };
    (heads.into_iter().map(str::to_owned).collect(), lines(law).into_iter().map(row).collect())
}

/// A value, and its share in each distribution.
type Row = ((Answers, i64), Vec<Option<f64>>);

/// Collects the values that any of the distributions can have.
fn rows(asked: &[Asked], shares: Shares) -> Vec<Row> {
    let laws: Vec<_> = asked.iter().map(|asked| (asked.law.answers, lines(&asked.law))).collect();
    let values =
        laws.iter().flat_map(|(answers, lines)| lines.iter().map(|line| (*answers, line.value)));
    let values: BTreeSet<_> = values.collect();
    let row = |(answers, value): (Answers, i64)| {
        let cell = |(own, lines): &(Answers, Vec<Line>)| {
            (*own == answers).then(|| share(lines, value, shares)).flatten()
        };
        ((answers, value), laws.iter().map(cell).collect())
    };
    values.into_iter().map(row).collect()
}

/// Builds one table of several distributions, a column each.
pub fn together(asked: &[Asked], shares: Shares, for_readers: bool) -> Table {
    let number = |share: f64| if for_readers { percent(share, 4) } else { share.to_string() };
    let heads = std::iter::once("value").chain(asked.iter().map(|asked| &*asked.text));
    let row = |((answers, value), cells): Row| {
        let cells = cells.into_iter().map(|cell| cell.map_or(String::new(), number));
        std::iter::once(named(value, answers)).chain(cells).collect()
    };
    let heads = heads.map(str::to_owned).collect();
    (heads, rows(asked, shares).into_iter().map(row).collect())
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
pub fn document(asked: &[Asked]) -> DistributionsDocument {
    let laws = asked.iter().map(distribution).collect();
    DistributionsDocument { enfilade: env!("CARGO_PKG_VERSION"), laws }
}

fn distribution(asked: &Asked) -> DistributionJson {
    let law = &asked.law;
    let value = |value: i64| match law.answers {
        Answers::Number => DistributionValue::Number(value),
        Answers::YesNo => DistributionValue::YesNo(value == 1),
        Answers::Versus => DistributionValue::Winner(named(value, law.answers)),
    };
    let line = |line: Line| DistributionLine {
        value: value(line.value),
        fraction: line.fraction,
        exact: line.share,
        at_least: line.at_least,
    };
    DistributionJson {
        expression: asked.text.clone(),
        mean: law.law.mean(),
        standard_deviation: law.law.deviation(),
        values: lines(law).into_iter().map(line).collect(),
        remarks: law.remarks.clone(),
    }
}

/// Collects the notes on each expression, with its text if there are several.
pub fn remarks(asked: &[Asked]) -> Vec<String> {
    let several = asked.len() > 1;
    let of = |asked: &Asked| -> Vec<String> {
        let before = if several { format!("{}: ", asked.text) } else { String::new() };
        asked.law.remarks.iter().map(|remark| format!("{before}{remark}")).collect()
    };
    asked.iter().flat_map(of).collect()
}

/// Describes mean and standard deviation of each distribution of a number, a sentence each.
pub fn moments(asked: &[Asked]) -> Vec<String> {
    let several = asked.len() > 1;
    let numbers = asked.iter().filter(|asked| asked.law.answers == Answers::Number);
    let of = |asked: &Asked| {
        let before = if several { format!("{}: ", asked.text) } else { String::new() };
        let law = &asked.law.law;
        format!("{before}mean {:.6}, standard deviation {:.6}", law.mean(), law.deviation())
    };
    numbers.map(of).collect()
}
