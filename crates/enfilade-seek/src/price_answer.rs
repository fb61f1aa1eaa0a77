//! The answer to a search in an arsenal: the variants of a unit with the wanted worth or price.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use enfilade_pricing::price::ArsenalPrices;

use crate::design_order::{count_changes, total_step_count};
use crate::price_question::ArsenalDesignSearch;
use crate::price_want::PriceWantVerdict;
use crate::value_text::{format_grouped_count, format_without_percent_sign};

/// Number of nearest variants, if none fits.
const NEAREST_SHOWN: usize = 3;

/// The variants that fit, or the nearest.
#[derive(Debug)]
pub struct FittingVariantsAnswer {
    /// Number of variants.
    pub designs: u64,
    /// The variants that fit, fewest changes first.
    pub fits: Vec<VariantWithWantVerdicts>,
    /// The nearest, if none fits.
    pub nearest: Vec<VariantWithWantVerdicts>,
    /// The unit as it is.
    pub now: Vec<PriceWantVerdict>,
}

/// A variant with its values beside the wants.
#[derive(Clone, Debug)]
pub struct VariantWithWantVerdicts {
    /// The values of the numbers.
    pub values: Vec<String>,
    /// Number of changed numbers, and of steps.
    pub changes: (u64, u64),
    /// By want.
    pub reached: Vec<PriceWantVerdict>,
}

impl ArsenalDesignSearch {
    /// Compares all variants with the wants.
    pub fn judge_variants_by_wants(&self, pricing: &ArsenalPrices) -> FittingVariantsAnswer {
        let reached = |unit: usize| -> Vec<PriceWantVerdict> {
            self.wants.iter().map(|want| want.judge(&pricing.weapons[unit])).collect()
        };
        let variants = self.designs.iter().enumerate().map(|(at, design)| {
            let values = self.numbers.iter().zip(design);
            VariantWithWantVerdicts {
                values: values.map(|(number, at)| number.format_value(usize::from(*at))).collect(),
                changes: (
                    count_changes(design, &self.numbers),
                    total_step_count(design, &self.numbers),
                ),
                reached: reached(self.own_units + at),
            }
        });
        let (mut fits, mut others): (Vec<_>, Vec<_>) =
            variants.partition(|own| own.reached.iter().all(|want| want.is_met));
        fits.sort_by_key(|own| own.changes);
        let miss = |own: &VariantWithWantVerdicts| {
            own.reached.iter().map(|want| want.miss).fold(0.0, f64::max)
        };
        others.sort_by(|a, b| miss(a).total_cmp(&miss(b)).then(a.changes.cmp(&b.changes)));
        others.truncate(if fits.is_empty() { NEAREST_SHOWN } else { 0 });
        let unit = self.arsenal.weapons.iter().position(|weapon| weapon.name == self.unit);
        FittingVariantsAnswer {
            designs: self.designs.len() as u64,
            fits,
            nearest: others,
            now: unit.map(reached).unwrap_or_default(),
        }
    }
}

impl FittingVariantsAnswer {
    /// The answer in one sentence.
    pub fn summary_sentence(&self, question: &ArsenalDesignSearch) -> String {
        let (all, unit) = (format_grouped_count(self.designs), &question.unit);
        match self.fits.len() as u64 {
            0 => format!("None of {all} variants of {unit} fits: all were priced in one arsenal."),
            1 => format!(
                "1 of {all} variants of {unit} fits, and this is the only one: all were priced in one arsenal."
            ),
            fits => format!(
                "{} of {all} variants of {unit} fit, and these are all: all were priced in one arsenal.",
                format_grouped_count(fits)
            ),
        }
    }

    /// A head and a row for the unit as it is and for each variant that fits, or the nearest.
    pub fn table_head_and_rows(
        &self,
        question: &ArsenalDesignSearch,
        best: usize,
    ) -> (Vec<String>, Vec<Vec<String>>) {
        let names = question.numbers.iter().map(|number| number.name.clone());
        let wants = question.wants.iter().map(|want| want.text.clone());
        let head = [String::new()].into_iter().chain(names).chain(wants);
        let cells = |reached: &[PriceWantVerdict]| -> Vec<String> {
            let cell = |own: &PriceWantVerdict| {
                let [value, low, high] = [own.value, own.range.0, own.range.1]
                    .map(|x| format_without_percent_sign(x, false));
                format!("{value} ({low} to {high}){}", if own.is_met { "" } else { " ✗" })
            };
            reached.iter().map(cell).collect()
        };
        let now = question.numbers.iter().map(|number| number.format_current_value());
        let mut rows =
            vec![["now".to_owned()].into_iter().chain(now).chain(cells(&self.now)).collect()];
        for (at, own) in self.variants_to_show(best).iter().enumerate() {
            let name =
                if self.fits.is_empty() { "nearest".to_owned() } else { (at + 1).to_string() };
            let values = [name].into_iter().chain(own.values.iter().cloned());
            rows.push(values.chain(cells(&own.reached)).collect());
        }
        (head.collect(), rows)
    }

    /// The variants to show.
    fn variants_to_show(&self, best: usize) -> &[VariantWithWantVerdicts] {
        let shown = if self.fits.is_empty() { &self.nearest } else { &self.fits };
        &shown[..shown.len().min(best)]
    }

    /// The answer as JSON.
    pub fn as_document<'a>(
        &'a self,
        question: &'a ArsenalDesignSearch,
        best: usize,
    ) -> PriceSearchDocument<'a> {
        let json = |own: &VariantWithWantVerdicts| VariantJson {
            numbers: named_values(question, &own.values),
            reached: own.reached.iter().map(want_verdict_json).collect(),
            changes: own.changes.0,
            steps: own.changes.1,
        };
        PriceSearchDocument {
            unit: &question.unit,
            designs: self.designs,
            fit: self.fits.len() as u64,
            wanted: question.wants.iter().map(|want| want.text.as_str()).collect(),
            now: self.now.iter().map(want_verdict_json).collect(),
            found: self.fits.iter().take(best).map(json).collect(),
            nearest: self.nearest.iter().map(json).collect(),
        }
    }
}

/// The answer as one JSON object.
#[derive(Debug, Serialize)]
pub struct PriceSearchDocument<'a> {
    unit: &'a str,
    designs: u64,
    fit: u64,
    wanted: Vec<&'a str>,
    now: Vec<PriceWantVerdictJson>,
    found: Vec<VariantJson>,
    nearest: Vec<VariantJson>,
}

#[derive(Debug, Serialize)]
struct VariantJson {
    numbers: Map<String, Json>,
    reached: Vec<PriceWantVerdictJson>,
    changes: u64,
    steps: u64,
}

#[derive(Debug, Serialize)]
struct PriceWantVerdictJson {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    holds: bool,
}

fn want_verdict_json(own: &PriceWantVerdict) -> PriceWantVerdictJson {
    let [value, low, high] =
        [own.value, own.range.0, own.range.1].map(|x| x.is_finite().then_some(x));
    PriceWantVerdictJson { value, low, high, holds: own.is_met }
}

fn named_values(question: &ArsenalDesignSearch, values: &[String]) -> Map<String, Json> {
    let pairs = question.numbers.iter().zip(values);
    let json =
        |text: &String| text.parse::<i64>().map_or_else(|_| Json::from(text.as_str()), Json::from);
    pairs.map(|(number, value)| (number.name.clone(), json(value))).collect()
}
