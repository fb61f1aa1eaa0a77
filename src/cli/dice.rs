//! `enfilade dice`.

use clap::Args;
use dashu_int::UBig;
use serde_json::{Value as Json, json};

use super::Page;
use super::sheet::{Format, Sheet};
use crate::error::Error;
use crate::exact::reduced;
use crate::study::dice_law::{DiceLaw, ratio};

/// Give the exact law of a dice expression
///
/// Dice are added with + and -, and multiplied by a number with *. 4d6kh3 keeps the highest three,
/// 2d20kl1 the lowest one, 4d6dl1 drops the lowest one, in words "4d6 drop lowest 1"; d8 up 1 steps along d4 d6 d8 d10 d12; two sums are compared with
/// >=, <=, >, <, = or !=.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  enfilade dice \"d8 + 4d6\"\n  enfilade dice \"4d6kh3\" --format csv\n  enfilade dice \"2d6 >= 8\""
)]
pub struct Dice {
    /// The expression, in quotes: "d8 + 4d6", "4d6kh3", "2d6 >= 8", "2d8 down 1"
    #[arg(allow_hyphen_values = true)]
    expression: String,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Characters of the longest fraction shown to readers.
const LONGEST: usize = 40;

/// One value of a law.
struct Line {
    value: i64,
    fraction: String,
    share: f64,
    at_least: f64,
}

impl Dice {
    /// The law of the expression.
    ///
    /// # Errors
    /// When the expression cannot be read or asks for too much.
    pub fn run(&self) -> Result<Page, Error> {
        let law = DiceLaw::of(&self.expression)?;
        let lines = lines(&law);
        Ok(Page::from(match self.format {
            Format::Table => format!("{}{}", sheet(&law, &lines, true).table(), moments(&law)),
            Format::Markdown => {
                format!("{}\n{}", sheet(&law, &lines, true).markdown(), moments(&law))
            }
            Format::Csv => sheet(&law, &lines, false).csv(),
            Format::Json => format!("{:#}\n", self.json(&law, &lines)),
        }))
    }

    fn json(&self, law: &DiceLaw, lines: &[Line]) -> Json {
        let line = |line: &Line| {
            let value = if law.yes_or_no { Json::from(line.value == 1) } else { line.value.into() };
            json!({ "value": value, "fraction": line.fraction, "exact": line.share, "at_least": line.at_least })
        };
        json!({
            "enfilade": env!("CARGO_PKG_VERSION"),
            "expression": self.expression.trim(),
            "mean": law.law.mean(),
            "standard_deviation": law.law.deviation(),
            "values": lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

fn lines(law: &DiceLaw) -> Vec<Line> {
    let total = law.law.total();
    let mut above = UBig::ZERO;
    let mut lines: Vec<_> = law
        .law
        .ways()
        .rev()
        .map(|(value, ways)| {
            above += ways;
            let (n, d) = reduced(ways.clone(), total.clone());
            let (share, at_least) = (ratio(ways, &total), ratio(&above, &total));
            Line { value, fraction: format!("{n}/{d}"), share, at_least }
        })
        .collect();
    lines.reverse();
    lines
}

fn sheet(law: &DiceLaw, lines: &[Line], for_readers: bool) -> Sheet {
    let number = if for_readers { percent } else { |share: f64| share.to_string() };
    let mut sheet = match law.yes_or_no {
        true => Sheet::new(&["answer", "fraction", "probability"]),
        false => Sheet::new(&["value", "fraction", "probability", "at least"]),
    };
    for line in lines {
        let fraction = if for_readers { readable(&line.fraction) } else { line.fraction.clone() };
        let share = number(line.share);
        sheet.rows.push(match law.yes_or_no {
            true => vec![yes_or_no(line.value), fraction, share],
            false => vec![line.value.to_string(), fraction, share, number(line.at_least)],
        });
    }
    sheet
}

fn yes_or_no(value: i64) -> String {
    if value == 1 { "yes" } else { "no" }.to_owned()
}

/// A share for readers; what is possible is never shown as impossible, nor as certain.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.000_000_5 {
        return "<0.0001 %".to_owned();
    }
    if (0.999_999_5..1.0).contains(&share) {
        return ">99.9999 %".to_owned();
    }
    format!("{:.4} %", 100.0 * share)
}

/// A fraction for readers: hundreds of digits are left to CSV and JSON.
fn readable(fraction: &str) -> String {
    if fraction.len() > LONGEST {
        return "(long)".to_owned();
    }
    fraction.to_owned()
}

fn moments(law: &DiceLaw) -> String {
    if law.yes_or_no {
        return String::new();
    }
    format!("mean {:.6}, standard deviation {:.6}\n", law.law.mean(), law.law.deviation())
}
