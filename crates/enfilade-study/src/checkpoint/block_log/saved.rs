//! A solved cell as text, and back, to the last bit.

use serde::{Deserialize, Serialize};

use crate::checkpoint::record_codec::{
    decode_record, decode_total, encode_row, encode_total, read_row, trimmed,
};
use crate::error::StudyError;
use crate::solve::build_answer::{CellSolution, ExactValues};
use crate::solve::trial_record::TrialRecord;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::{Distribution, IntegerWeights, TallyMoments};
use enfilade_model::combat::Ending;
use enfilade_model::error::RuleError;
use enfilade_model::form::Fault;

/// Record of a cell in the journal.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every one is a solution: a box would be one more allocation for each"
)]
pub(crate) enum Saved {
    /// Its solution.
    Solution(CellSolution),
    /// The reason why it has no answer.
    Refusal(String),
}

impl Saved {
    /// The solution, or the reason why there is none.
    pub(crate) fn solution(self) -> Result<CellSolution, StudyError> {
        match self {
            Saved::Solution(solution) => Ok(solution),
            Saved::Refusal(why) => {
                Err(StudyError::Rule(RuleError::new(Fault::new("", why)).into()))
            }
        }
    }

    /// Number of trials.
    pub(crate) fn trials(&self) -> u64 {
        match self {
            Saved::Solution(solution) => {
                solution.record.as_ref().map_or(0, TrialRecord::trial_count)
            }
            Saved::Refusal(_) => 0,
        }
    }
}

/// A cell in a line. All parts are missing at a place without a cell.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct CellLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exact: Option<ExactLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<RecordLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_cell: bool,
}

/// Fields and weights of an ending, without the zeros at their ends.
type EndingLine = (Vec<i32>, Vec<i32>);

#[derive(Debug, Serialize, Deserialize)]
struct ExactLine {
    endings: Vec<EndingLine>,
    probabilities: Vec<f64>,
    unsettled: f64,
    never: f64,
    bound: f64,
    steps: f64,
    /// Nothing for moments without bound, which JSON has no number for.
    tallies: Vec<Option<[f64; 4]>>,
    /// Measures of tallies: number of the measure, value, error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    figures: Vec<(usize, Option<f64>, Option<f64>)>,
    states: usize,
    nodes: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fractions: Option<FractionLine>,
}

/// Whole numbers in decimal digits.
#[derive(Debug, Serialize, Deserialize)]
struct FractionLine {
    numerators: Vec<String>,
    denominator: String,
    never: String,
    tallies: Vec<Option<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordLine {
    endings: Vec<(Vec<i32>, Vec<i32>, u64)>,
    unsettled: u64,
    totals: Vec<(String, String)>,
}

/// Text of a place: its cell, or nothing.
pub(crate) fn saved_cell(saved: Option<&Saved>) -> String {
    let line = match saved {
        None => CellLine::default(),
        Some(Saved::Refusal(why)) => {
            CellLine { why: Some(why.clone()), is_cell: true, ..CellLine::default() }
        }
        Some(Saved::Solution(solution)) => CellLine {
            why: None,
            exact: solution.exact.as_ref().map(ExactLine::of),
            record: solution.record.as_ref().map(RecordLine::of),
            note: solution.note.clone(),
            is_cell: true,
        },
    };
    // Numbers and text are always JSON.
    serde_json::to_string(&line).unwrap_or_default()
}

impl CellLine {
    /// Decodes a place: empty without a cell; `None` if the text was not written by this module.
    pub(super) fn read(self) -> Option<Option<Saved>> {
        let CellLine { why, exact, record, note, is_cell } = self;
        if !is_cell {
            return Some(None);
        }
        if let Some(why) = why {
            return Some(Some(Saved::Refusal(why)));
        }
        let exact = exact.map_or(Some(None), |exact| exact.read().map(Some))?;
        let record = record.map_or(Some(None), |record| record.read().map(Some))?;
        Some(Some(Saved::Solution(CellSolution { exact, record, note })))
    }
}

impl ExactLine {
    fn of(exact: &ExactValues) -> ExactLine {
        let ExactValues { endings, law, states, nodes, weights } = exact;
        let Distribution { probabilities, unsettled, never, bound, steps, tallies, tally_figures } =
            law;
        let finite = |number: f64| number.is_finite().then_some(number);
        let moments = |moments: &TallyMoments| {
            let TallyMoments { mean, variance, third, fourth } = *moments;
            mean.is_finite().then_some([mean, variance, third, fourth])
        };
        let ending = |ending: &Ending| (trimmed(&ending.fields), trimmed(&ending.weights));
        ExactLine {
            endings: endings.iter().map(ending).collect(),
            probabilities: probabilities.clone(),
            unsettled: *unsettled,
            never: *never,
            bound: *bound,
            steps: *steps,
            tallies: tallies.iter().map(moments).collect(),
            figures: tally_figures
                .iter()
                .map(|(measure, figure)| (*measure, finite(figure.value), finite(figure.error)))
                .collect(),
            states: *states,
            nodes: *nodes,
            fractions: weights.as_ref().map(FractionLine::of),
        }
    }

    fn read(self) -> Option<ExactValues> {
        let ending = |(fields, weights): &EndingLine| {
            Some(Ending { fields: read_row(fields)?, weights: read_row(weights)? })
        };
        let moments = |moments: Option<[f64; 4]>| match moments {
            Some([mean, variance, third, fourth]) => TallyMoments { mean, variance, third, fourth },
            None => TallyMoments::UNBOUNDED,
        };
        let ExactLine { probabilities, unsettled, never, bound, steps, .. } = self;
        let tallies = self.tallies.into_iter().map(moments).collect();
        let number = |saved: Option<f64>| saved.unwrap_or(f64::NAN);
        let tally_figures = self
            .figures
            .into_iter()
            .map(|(measure, value, error)| {
                (measure, Approximation::new(number(value), number(error)))
            })
            .collect();
        let fractions = self.fractions.map_or(Some(None), |line| line.read().map(Some))?;
        Some(ExactValues {
            endings: self.endings.iter().map(ending).collect::<Option<_>>()?,
            law: Distribution {
                probabilities,
                unsettled,
                never,
                bound,
                steps,
                tallies,
                tally_figures,
            },
            states: self.states,
            nodes: self.nodes,
            weights: fractions,
        })
    }
}

impl FractionLine {
    fn of(weights: &IntegerWeights) -> FractionLine {
        FractionLine {
            numerators: weights.numerators.iter().map(ToString::to_string).collect(),
            denominator: weights.denominator.to_string(),
            never: weights.never.to_string(),
            tallies: weights.tallies.iter().map(|n| n.as_ref().map(ToString::to_string)).collect(),
        }
    }

    fn read(self) -> Option<IntegerWeights> {
        let tally = |digits: Option<String>| {
            digits.map_or(Some(None), |digits| digits.parse().ok().map(Some))
        };
        Some(IntegerWeights {
            numerators: self.numerators.iter().map(|n| n.parse().ok()).collect::<Option<_>>()?,
            denominator: self.denominator.parse().ok()?,
            never: self.never.parse().ok()?,
            tallies: self.tallies.into_iter().map(tally).collect::<Option<_>>()?,
        })
    }
}

impl RecordLine {
    fn of(record: &TrialRecord) -> RecordLine {
        RecordLine {
            endings: record.endings.iter().map(encode_row).collect(),
            unsettled: record.unsettled,
            totals: record.totals.iter().map(encode_total).collect(),
        }
    }

    fn read(self) -> Option<TrialRecord> {
        let totals = self.totals.iter().map(decode_total).collect::<Option<_>>()?;
        decode_record(&self.endings, self.unsettled, totals)
    }
}
