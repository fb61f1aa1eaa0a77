//! A search among dice expressions: the members of families whose distributions meet all wants.

use std::collections::HashSet;

use crate::error::SeekError;
use enfilade_dice::{DiceCountAndSides, DiceDistribution};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::parallel::prelude::*;
use enfilade_model::error::InputError;
use serde::Serialize;

use crate::dice_family::DiceExpressionFamily;
use crate::dice_want::{DiceWant, JudgedQuantity};
use crate::value_text::{format_grouped_count, format_without_percent_sign};
use crate::want::TextFaultWithRemedy;

/// Number of expressions that come nearest, if none fits.
const NEAREST_SHOWN: usize = 3;

/// A search among dice.
#[derive(Debug)]
pub struct DiceSearch {
    families: Vec<DiceExpressionFamily>,
    /// The wants.
    pub wants: Vec<DiceWant>,
}

/// The answer to a search among dice.
#[derive(Debug)]
pub struct DiceSearchAnswer {
    /// Number of expressions that were computed.
    pub expressions: u64,
    /// Members that cannot be rolled, or whose value never changes.
    pub left_out: u64,
    /// The expressions that fit: fewest dice first, then fewest sides.
    pub fits: Vec<JudgedDice>,
    /// The expressions that come nearest, if none fits.
    pub nearest: Vec<JudgedDice>,
}

/// An expression with its values beside the wants.
#[derive(Clone, Debug)]
pub struct JudgedDice {
    /// The expression.
    pub text: String,
    /// Number of dice and their sides.
    pub size: DiceCountAndSides,
    /// By want: the value.
    pub reached: Vec<JudgedQuantity>,
}

impl DiceSearch {
    /// Reads families and wants, each from its text.
    ///
    /// # Errors
    /// All faults of the texts, or no want.
    pub fn read(families: &[String], wants: &[String]) -> Result<DiceSearch, SeekError> {
        let mut faults = Vec::new();
        let mut note = |misread: TextFaultWithRemedy| {
            faults.push(format!("{}: {}", misread.problem, misread.help))
        };
        let families: Vec<_> = families
            .iter()
            .filter_map(|text| {
                DiceExpressionFamily::parse_dice_with_choices(text).map_err(&mut note).ok()
            })
            .collect();
        let wants: Vec<_> =
            wants.iter().filter_map(|text| DiceWant::parse(text).map_err(&mut note).ok()).collect();
        if faults.is_empty() && families.is_empty() {
            faults.push("no dice are given: write a family, as in \"{1..6}d{4,6,8}\"".to_owned());
        }
        if faults.is_empty() && wants.is_empty() {
            faults.push("nothing is wanted: add --so-that \"mean = 7 ± 0.1\"".to_owned());
        }
        match faults.is_empty() {
            true => Ok(DiceSearch { families, wants }),
            false => Err(SeekError::Invalid(faults.join("\n"))),
        }
    }

    /// Returns the number of members of all families.
    pub fn member_count(&self) -> u64 {
        self.families.iter().map(DiceExpressionFamily::member_count).sum()
    }

    /// Computes the distribution of every member and compares it with the wants.
    ///
    /// # Errors
    /// When no member of a family can be read: the fault of the first; or when `halt` was raised.
    pub fn answer(&self, halt: &CancelToken) -> Result<DiceSearchAnswer, SeekError> {
        let mut known = HashSet::new();
        let mut judged = Vec::new();
        for family in &self.families {
            let members: Vec<String> =
                family.members().filter(|text| known.insert(text.clone())).collect();
            let found: Vec<Result<Option<JudgedDice>, InputError>> =
                members.into_par_iter().map(|text| self.judge(text, halt)).collect();
            if halt.is_cancelled() {
                return Err(SeekError::Interrupted(
                    "the dice were not searched to their end".to_owned(),
                ));
            }
            let any_is_read = found.iter().any(Result::is_ok);
            for one in found {
                match one {
                    Ok(dice) => judged.extend(dice),
                    // The others have the same fault.
                    Err(fault) if !any_is_read => return Err(fault.into()),
                    Err(_) => {}
                }
            }
        }
        Ok(self.sort_out(judged, known.len() as u64))
    }

    /// Compares one expression with the wants; nothing if its value never changes.
    fn judge(&self, text: String, halt: &CancelToken) -> Result<Option<JudgedDice>, InputError> {
        let DiceDistribution { law, size, .. } =
            DiceDistribution::from_text_or_cancel(&text, halt)?;
        let reached = || self.wants.iter().map(|want| want.judge(&law)).collect();
        Ok(law.as_single_value().is_none().then(|| JudgedDice { text, size, reached: reached() }))
    }

    /// Sorts those that fit, or finds the nearest.
    fn sort_out(&self, judged: Vec<JudgedDice>, members: u64) -> DiceSearchAnswer {
        let expressions = judged.len() as u64;
        let (mut fits, mut others): (Vec<_>, Vec<_>) =
            judged.into_iter().partition(|dice| dice.reached.iter().all(|own| own.is_met));
        fits.sort_by_key(|dice| dice.size);
        if fits.is_empty() {
            others.sort_by(|a, b| {
                a.worst_miss().total_cmp(&b.worst_miss()).then(a.size.cmp(&b.size))
            });
            others.truncate(NEAREST_SHOWN);
        } else {
            others.clear();
        }
        DiceSearchAnswer { expressions, left_out: members - expressions, fits, nearest: others }
    }
}

impl JudgedDice {
    fn worst_miss(&self) -> f64 {
        self.reached.iter().map(|own| own.miss).fold(0.0, f64::max)
    }
}

/// The answer as JSON.
#[derive(Debug, Serialize)]
pub struct DiceSearchDocument<'a> {
    expressions: u64,
    left_out: u64,
    fits: u64,
    dice: Vec<FoundDiceExpressionJson<'a>>,
    nearest: Vec<FoundDiceExpressionJson<'a>>,
}

#[derive(Debug, Serialize)]
struct FoundDiceExpressionJson<'a> {
    expression: &'a str,
    wants: Vec<DiceWantValueJson<'a>>,
}

#[derive(Debug, Serialize)]
struct DiceWantValueJson<'a> {
    want: &'a str,
    value: f64,
    holds: bool,
    tie: bool,
}

impl DiceSearchAnswer {
    /// The answer in one sentence.
    pub fn summary_sentence(&self) -> String {
        let all = format_grouped_count(self.expressions);
        let how = format!("{all} exact distributions");
        match self.fits.len() as u64 {
            0 => format!("None of {all} dice expressions fits, and all were decided: {how}."),
            1 => format!("1 of {all} dice expressions fits, and this is the only one: {how}."),
            fits => {
                let fits = format_grouped_count(fits);
                format!("{fits} of {all} dice expressions fit, and these are all: {how}.")
            }
        }
    }

    /// A remark on members that were left out.
    pub fn remark_on_left_out(&self) -> Option<String> {
        let count = format_grouped_count(self.left_out);
        (self.left_out > 0)
            .then(|| format!("{count} more cannot be rolled or always show the same."))
    }

    /// The dice to show: the first that fit, or the nearest.
    pub fn shown(&self, best: usize) -> &[JudgedDice] {
        let shown = if self.fits.is_empty() { &self.nearest } else { &self.fits };
        &shown[..shown.len().min(best)]
    }

    /// A head and a row for each of the dice that are shown; values that miss are marked.
    pub fn table_head_and_rows(
        &self,
        wants: &[DiceWant],
        best: usize,
    ) -> (Vec<String>, Vec<Vec<String>>) {
        let head =
            ["dice".to_owned()].into_iter().chain(wants.iter().map(|want| want.text.clone()));
        let row = |dice: &JudgedDice| {
            let cells = dice.reached.iter().zip(wants).map(|(own, want)| format_cell(own, want));
            [dice.text.clone()].into_iter().chain(cells).collect()
        };
        (head.collect(), self.shown(best).iter().map(row).collect())
    }

    /// The answer as JSON.
    pub fn as_document<'a>(&'a self, wants: &'a [DiceWant], best: usize) -> DiceSearchDocument<'a> {
        let json = |dice: &'a JudgedDice| {
            let own = dice.reached.iter().zip(wants);
            let own = own.map(|(own, want)| DiceWantValueJson {
                want: &want.text,
                value: own.value,
                holds: own.is_met,
                tie: own.is_tie,
            });
            FoundDiceExpressionJson { expression: &dice.text, wants: own.collect() }
        };
        DiceSearchDocument {
            expressions: self.expressions,
            left_out: self.left_out,
            fits: self.fits.len() as u64,
            dice: self.fits.iter().take(best).map(json).collect(),
            nearest: self.nearest.iter().map(json).collect(),
        }
    }
}

/// Formats a value: ties with `=`, misses with a cross.
fn format_cell(own: &JudgedQuantity, want: &DiceWant) -> String {
    let is_share = want.quantity.is_share();
    let (tie, unit) = (if own.is_tie { "=" } else { "" }, if is_share { " %" } else { "" });
    let missed = if own.is_met { "" } else { " ✗" };
    format!("{tie}{}{unit}{missed}", format_without_percent_sign(own.value, is_share))
}
