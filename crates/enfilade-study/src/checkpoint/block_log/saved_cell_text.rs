//! A solved cell as text, and back, to the last bit.

use serde::{Deserialize, Serialize};

use crate::checkpoint::record_codec::{
    decode_tally_total, decode_trial_record, encode_ending_row, encode_tally_total,
    pad_outcome_row, without_trailing_zeros,
};
use crate::error::StudyError;
use crate::solve::build_answer::{CellSolution, ExactContestDistribution};
use crate::solve::trial_record::CellTrialCounts;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::{
    Distribution, IntegerEndingWeights, RoundingErrorBound, TallyMoments,
};
use enfilade_model::combat::Ending;
use enfilade_model::error::RuleRuntimeError;
use enfilade_model::form::Fault;

/// Record of a cell in the journal.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every one is a solution: a box would be one more allocation for each"
)]
pub(crate) enum SavedSolutionOrRefusal {
    /// Its solution.
    Solution(CellSolution),
    /// The reason why it has no answer.
    Refusal(String),
}

impl SavedSolutionOrRefusal {
    /// The solution, or the reason why there is none.
    pub(crate) fn into_solution_result(self) -> Result<CellSolution, StudyError> {
        match self {
            SavedSolutionOrRefusal::Solution(solution) => Ok(solution),
            SavedSolutionOrRefusal::Refusal(why) => {
                Err(StudyError::Rule(RuleRuntimeError::new(Fault::new("", why)).into()))
            }
        }
    }

    /// Number of trials.
    pub(crate) fn trial_count(&self) -> u64 {
        match self {
            SavedSolutionOrRefusal::Solution(solution) => {
                solution.record.as_ref().map_or(0, CellTrialCounts::trial_count)
            }
            SavedSolutionOrRefusal::Refusal(_) => 0,
        }
    }
}

/// A cell in a line. All parts are missing at a place without a cell.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SavedCellLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exact: Option<SavedExactValues>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<SavedCellTrialCounts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_cell: bool,
}

/// Fields and weights of an ending, without the zeros at their ends.
type SavedEndingLine = (Vec<i32>, Vec<i32>);

#[derive(Debug, Serialize, Deserialize)]
struct SavedExactValues {
    endings: Vec<SavedEndingLine>,
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
    /// Missing in lines of earlier versions.
    #[serde(default)]
    rounding: SavedRoundingErrors,
    states: usize,
    nodes: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fractions: Option<SavedFractions>,
}

/// Bounds of the errors of rounding: the number of roundings, the error that is not relative, and
/// the errors of the means of tallies.
#[derive(Debug, Serialize, Deserialize)]
struct SavedRoundingErrors(u64, f64, Vec<Option<f64>>);

impl Default for SavedRoundingErrors {
    fn default() -> Self {
        SavedRoundingErrors(RoundingErrorBound::UNCOUNTED_ROUNDINGS, 0.0, Vec::new())
    }
}

/// Whole numbers in decimal digits.
#[derive(Debug, Serialize, Deserialize)]
struct SavedFractions {
    numerators: Vec<String>,
    denominator: String,
    never: String,
    tallies: Vec<Option<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedCellTrialCounts {
    endings: Vec<(Vec<i32>, Vec<i32>, u64)>,
    unsettled: u64,
    totals: Vec<(String, String)>,
}

/// Text of a place: its cell, or nothing.
pub(crate) fn encode_saved_cell(saved: Option<&SavedSolutionOrRefusal>) -> String {
    let line = match saved {
        None => SavedCellLine::default(),
        Some(SavedSolutionOrRefusal::Refusal(why)) => {
            SavedCellLine { why: Some(why.clone()), is_cell: true, ..SavedCellLine::default() }
        }
        Some(SavedSolutionOrRefusal::Solution(solution)) => SavedCellLine {
            why: None,
            exact: solution.exact.as_ref().map(SavedExactValues::from_exact_values),
            record: solution.record.as_ref().map(SavedCellTrialCounts::from_trial_record),
            note: solution.note.clone(),
            is_cell: true,
        },
    };
    // Numbers and text are always JSON.
    serde_json::to_string(&line).unwrap_or_default()
}

impl SavedCellLine {
    /// Decodes a place: empty without a cell; `None` if the text was not written by this module.
    pub(super) fn decode_saved_cell(self) -> Option<Option<SavedSolutionOrRefusal>> {
        let SavedCellLine { why, exact, record, note, is_cell } = self;
        if !is_cell {
            return Some(None);
        }
        if let Some(why) = why {
            return Some(Some(SavedSolutionOrRefusal::Refusal(why)));
        }
        let exact = exact.map_or(Some(None), |exact| exact.into_exact_values().map(Some))?;
        let record = record.map_or(Some(None), |record| record.into_trial_record().map(Some))?;
        Some(Some(SavedSolutionOrRefusal::Solution(CellSolution { exact, record, note })))
    }
}

impl SavedExactValues {
    fn from_exact_values(exact: &ExactContestDistribution) -> SavedExactValues {
        let ExactContestDistribution { endings, law, states, nodes, weights } = exact;
        let Distribution {
            probabilities,
            unsettled,
            never,
            bound,
            steps,
            tallies,
            tally_figures,
            rounding: RoundingErrorBound { roundings, absolute, tally_means },
        } = law;
        let finite = |number: f64| number.is_finite().then_some(number);
        let moments = |moments: &TallyMoments| {
            let TallyMoments { mean, variance, third, fourth } = *moments;
            mean.is_finite().then_some([mean, variance, third, fourth])
        };
        let ending = |ending: &Ending| {
            (without_trailing_zeros(&ending.fields), without_trailing_zeros(&ending.weights))
        };
        SavedExactValues {
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
            rounding: SavedRoundingErrors(
                *roundings,
                *absolute,
                tally_means.iter().map(|error| finite(*error)).collect(),
            ),
            states: *states,
            nodes: *nodes,
            fractions: weights.as_ref().map(SavedFractions::from_integer_weights),
        }
    }

    fn into_exact_values(self) -> Option<ExactContestDistribution> {
        let ending = |(fields, weights): &SavedEndingLine| {
            Some(Ending { fields: pad_outcome_row(fields)?, weights: pad_outcome_row(weights)? })
        };
        let moments = |moments: Option<[f64; 4]>| match moments {
            Some([mean, variance, third, fourth]) => TallyMoments { mean, variance, third, fourth },
            None => TallyMoments::ENDLESS_TALLY,
        };
        let SavedRoundingErrors(roundings, absolute, tally_means) = self.rounding;
        let tally_means =
            tally_means.into_iter().map(|error| error.unwrap_or(f64::INFINITY)).collect();
        let SavedExactValues { probabilities, unsettled, never, bound, steps, .. } = self;
        let tallies = self.tallies.into_iter().map(moments).collect();
        let number = |saved: Option<f64>| saved.unwrap_or(f64::NAN);
        let tally_figures = self
            .figures
            .into_iter()
            .map(|(measure, value, error)| {
                (measure, Approximation::new(number(value), number(error)))
            })
            .collect();
        let fractions =
            self.fractions.map_or(Some(None), |line| line.into_integer_weights().map(Some))?;
        Some(ExactContestDistribution {
            endings: self.endings.iter().map(ending).collect::<Option<_>>()?,
            law: Distribution {
                probabilities,
                unsettled,
                never,
                bound,
                steps,
                tallies,
                tally_figures,
                rounding: RoundingErrorBound { roundings, absolute, tally_means },
            },
            states: self.states,
            nodes: self.nodes,
            weights: fractions,
        })
    }
}

impl SavedFractions {
    fn from_integer_weights(weights: &IntegerEndingWeights) -> SavedFractions {
        SavedFractions {
            numerators: weights.numerators.iter().map(ToString::to_string).collect(),
            denominator: weights.denominator.to_string(),
            never: weights.never.to_string(),
            tallies: weights.tallies.iter().map(|n| n.as_ref().map(ToString::to_string)).collect(),
        }
    }

    fn into_integer_weights(self) -> Option<IntegerEndingWeights> {
        let tally = |digits: Option<String>| {
            digits.map_or(Some(None), |digits| digits.parse().ok().map(Some))
        };
        Some(IntegerEndingWeights {
            numerators: self.numerators.iter().map(|n| n.parse().ok()).collect::<Option<_>>()?,
            denominator: self.denominator.parse().ok()?,
            never: self.never.parse().ok()?,
            tallies: self.tallies.into_iter().map(tally).collect::<Option<_>>()?,
        })
    }
}

impl SavedCellTrialCounts {
    fn from_trial_record(record: &CellTrialCounts) -> SavedCellTrialCounts {
        SavedCellTrialCounts {
            endings: record.endings.iter().map(encode_ending_row).collect(),
            unsettled: record.unsettled,
            totals: record.totals.iter().map(encode_tally_total).collect(),
        }
    }

    fn into_trial_record(self) -> Option<CellTrialCounts> {
        let totals = self.totals.iter().map(decode_tally_total).collect::<Option<_>>()?;
        decode_trial_record(&self.endings, self.unsettled, totals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that an earlier version wrote: its numbers count as rounded 90 000 times.
    #[test]
    fn a_line_without_roundings_is_read() {
        let line = r#"{"exact":{"endings":[[[1],[]]],"probabilities":[1.0],"unsettled":0.0,
            "never":0.0,"bound":0.0,"steps":0.0,"tallies":[],"states":1,"nodes":0},"is_cell":true}"#;
        let line: SavedCellLine = serde_json::from_str(line).expect("it is a line");
        let saved = line.decode_saved_cell().flatten().expect("it is a cell");
        let exact = saved.into_solution_result().expect("it is no refusal").exact;
        let rounding = exact.expect("it is exact").law.rounding;
        assert_eq!(rounding.roundings, RoundingErrorBound::UNCOUNTED_ROUNDINGS);
        assert!((0.9e-11..1.1e-11).contains(&rounding.error_of_probability(1.0)));
    }
}
