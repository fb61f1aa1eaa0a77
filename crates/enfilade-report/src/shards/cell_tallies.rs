//! What a shard stores of a cell beside its probabilities: tallies, loops and bounds of errors.

use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::{Distribution, RoundingErrorBound, TallyMoments};
use enfilade_engine::play::SumsOfOneCounter;
use enfilade_study::solve::build_answer::ExactContestDistribution;
use enfilade_study::solve::trial_record::CellTrialCounts;

/// The tallies of a cell: the moments of the exact distribution, and the sums over the trials as
/// digits, because they exceed the numbers of JSON.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub(super) struct SavedCellTallies {
    /// `None` for unbounded moments, for which JSON has no number.
    exact: Vec<Option<[f64; 4]>>,
    sums: Vec<(String, String)>,
    /// Of solved loops: the share that never ends, the error bound, the number of vertices in
    /// loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    loops: Option<[f64; 3]>,
    /// Figures of tallies by outcome: the position of the measure, its number, the bound of its
    /// error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    figures: Vec<(usize, f64, f64)>,
    /// Bounds of the errors of rounding: the number of roundings, the error that is not relative,
    /// and the errors of the means of tallies. Missing in shards of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounding: Option<SavedRounding>,
}

impl SavedCellTallies {
    /// Encodes what a solution has; `None` for one without a distribution and without tallies.
    pub(super) fn solution_to_json_text(
        exact: Option<&ExactContestDistribution>,
        record: Option<&CellTrialCounts>,
    ) -> Option<String> {
        let moments = exact.map_or(&[][..], |exact| &exact.law.tallies);
        let totals = record.map_or(&[][..], |record| &record.totals);
        let law = exact.map(|exact| &exact.law).filter(|law| law.bound > 0.0);
        let figures = exact.map_or(&[][..], |exact| &exact.law.tally_figures);
        if exact.is_none() && totals.is_empty() {
            return None;
        }
        let of = |moments: &TallyMoments| {
            let TallyMoments { mean, variance, third, fourth } = *moments;
            mean.is_finite().then_some([mean, variance, third, fourth])
        };
        let digits = |total: &SumsOfOneCounter| (total.sum.to_string(), total.squares.to_string());
        let tallied = SavedCellTallies {
            exact: moments.iter().map(of).collect(),
            sums: totals.iter().map(digits).collect(),
            loops: law.map(|law| [law.never, law.bound, law.steps]),
            figures: figures.iter().map(|(at, figure)| (*at, figure.value, figure.error)).collect(),
            rounding: exact.map(|exact| encode_rounding_error_bound(&exact.law.rounding)),
        };
        serde_json::to_string(&tallied).ok()
    }

    /// Returns the sums over the trials; `None` if one is not written in digits.
    pub(super) fn parse_trial_sums(&self) -> Option<Vec<SumsOfOneCounter>> {
        let total = |(sum, squares): &(String, String)| {
            Some(SumsOfOneCounter { sum: sum.parse().ok()?, squares: squares.parse().ok()? })
        };
        self.sums.iter().map(total).collect()
    }

    /// Returns the distribution, still without its probabilities.
    pub(super) fn into_law_without_probabilities(self, unsettled: f64) -> Distribution {
        let moments = |moments: Option<[f64; 4]>| match moments {
            Some([mean, variance, third, fourth]) => TallyMoments { mean, variance, third, fourth },
            None => TallyMoments::ENDLESS_TALLY,
        };
        let figure = |(measure, value, error)| (measure, Approximation::new(value, error));
        let [never, bound, steps] = self.loops.unwrap_or_default();
        Distribution {
            probabilities: Vec::new(),
            unsettled,
            never,
            bound,
            steps,
            tallies: self.exact.into_iter().map(moments).collect(),
            tally_figures: self.figures.into_iter().map(figure).collect(),
            rounding: decode_rounding_error_bound(self.rounding),
        }
    }
}

/// Roundings, the error that is not relative, and the errors of means, of which some are unbounded.
type SavedRounding = (u64, f64, Vec<Option<f64>>);

fn encode_rounding_error_bound(rounding: &RoundingErrorBound) -> SavedRounding {
    let RoundingErrorBound { roundings, absolute, tally_means } = rounding;
    let finite = |error: &f64| error.is_finite().then_some(*error);
    (*roundings, *absolute, tally_means.iter().map(finite).collect())
}

fn decode_rounding_error_bound(saved: Option<SavedRounding>) -> RoundingErrorBound {
    let uncounted = || (RoundingErrorBound::UNCOUNTED_ROUNDINGS, 0.0, Vec::new());
    let (roundings, absolute, tally_means) = saved.unwrap_or_else(uncounted);
    let tally_means = tally_means.into_iter().map(|error| error.unwrap_or(f64::INFINITY)).collect();
    RoundingErrorBound { roundings, absolute, tally_means }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shard of an earlier version: its numbers count as rounded 90 000 times.
    #[test]
    fn a_shard_without_roundings_is_read() {
        let tallied: SavedCellTallies =
            serde_json::from_str(r#"{"exact":[],"sums":[]}"#).expect("JSON");
        let rounding = tallied.into_law_without_probabilities(0.0).rounding;
        assert_eq!(rounding.roundings, RoundingErrorBound::UNCOUNTED_ROUNDINGS);
    }

    #[test]
    fn roundings_are_read_as_they_were_written() {
        let tally_means = vec![1e-16, f64::INFINITY];
        let rounding = RoundingErrorBound { roundings: 17, absolute: 3e-31, tally_means };
        let text = serde_json::to_string(&encode_rounding_error_bound(&rounding)).expect("JSON");
        assert_eq!(
            decode_rounding_error_bound(serde_json::from_str(&text).expect("JSON")),
            rounding
        );
    }
}
