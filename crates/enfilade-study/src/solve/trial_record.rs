//! Trials of one cell, and partial results of them, as they are stored: the same for all engines
//! that roll.

use enfilade_engine::play::{PlayedTrialCounts, SumsOfOneCounter};
use enfilade_engine::random_stream::{ContestRandomStream, to_hex};
use enfilade_engine::simulate::{EndingCounts, TrialsByEnding};
use enfilade_engine::work_units;
use enfilade_model::combat::Ending;

/// Trials of one cell, by ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellTrialCounts {
    /// Endings with their numbers of trials.
    pub endings: Vec<(Ending, u64)>,
    /// Number of trials that were not over after the last round.
    pub unsettled: u64,
    /// Tallies by counter; without squares if the trials were counted together.
    pub totals: Vec<SumsOfOneCounter>,
}

impl CellTrialCounts {
    /// Returns the number of trials.
    pub fn trial_count(&self) -> u64 {
        self.endings.iter().map(|(_, count)| count).sum::<u64>() + self.unsettled
    }

    /// Returns the key of the trials: equal keys mean equal counts.
    pub fn cache_key_of_trials(stream: &ContestRandomStream, trials: u64, engine: &str) -> String {
        to_hex(&stream.generator_key_for_unit(engine, trials, u8::MAX))
    }
}

/// Partial result of an unfinished cell.
pub type PartialRecord = work_units::PartialWorkResult<CellTrialCounts>;

/// Returns whether the number of trials is that of the units, in a work of `trials` trials with
/// `each` in a unit: a file may contain anything.
pub fn has_plausible_trials(part: &PartialRecord, each: u64, trials: u64) -> bool {
    part.pieces.trials_in_units(each, trials) == part.sum.trial_count()
}

/// Converts a record to the counts of a graph. Returns `None` unless it has the endings of the
/// graph in their order, as every partial result of this contest has, and as many counters.
pub(crate) fn record_to_counts(
    record: CellTrialCounts,
    endings: &[Ending],
    counters: usize,
) -> Option<EndingCounts> {
    let same = record.endings.iter().map(|(ending, _)| ending);
    let same = same.eq(endings) && record.totals.len() == counters;
    same.then(|| EndingCounts {
        endings: record.endings.iter().map(|(_, count)| *count).collect(),
        unsettled: record.unsettled,
        tallies: record.totals.iter().map(|total| total.sum).collect(),
    })
}

/// Converts the counts of a graph with these endings to a record.
pub(crate) fn counts_to_record(counts: EndingCounts, endings: &[Ending]) -> CellTrialCounts {
    CellTrialCounts {
        endings: endings.iter().copied().zip(counts.endings).collect(),
        unsettled: counts.unsettled,
        totals: counts.tallies.into_iter().map(counter_sums_without_squares).collect(),
    }
}

/// Converts a sum over trials that were counted together.
fn counter_sums_without_squares(sum: i128) -> SumsOfOneCounter {
    let squares = 0;
    SumsOfOneCounter { sum, squares }
}

/// Converts counts of the frontier engine to a record.
pub(crate) fn frontier_to_record(
    TrialsByEnding { endings, unsettled, tallies }: TrialsByEnding,
) -> CellTrialCounts {
    let totals = tallies.into_iter().map(counter_sums_without_squares).collect();
    CellTrialCounts { endings: endings.into_iter().collect(), unsettled, totals }
}

/// Converts a record to counts of the frontier engine; `None` unless it has as many counters.
pub(crate) fn record_to_frontier(
    record: CellTrialCounts,
    counters: usize,
) -> Option<TrialsByEnding> {
    let PlayedTrialCounts { endings, unsettled, totals } =
        record_to_played_counts(record, counters)?;
    Some(TrialsByEnding {
        endings,
        unsettled,
        tallies: totals.iter().map(|total| total.sum).collect(),
    })
}

/// Converts a record to a tally of played trials; `None` unless it has as many counters.
pub(crate) fn record_to_played_counts(
    record: CellTrialCounts,
    counters: usize,
) -> Option<PlayedTrialCounts> {
    let CellTrialCounts { endings, unsettled, totals } = record;
    let endings = endings.into_iter().collect();
    (totals.len() == counters).then_some(PlayedTrialCounts { endings, unsettled, totals })
}

/// Converts a tally of played trials to a record.
pub(crate) fn played_counts_to_record(
    PlayedTrialCounts { endings, unsettled, totals }: PlayedTrialCounts,
) -> CellTrialCounts {
    CellTrialCounts { endings: endings.into_iter().collect(), unsettled, totals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_engine::work_units::WorkUnitIndexSet;

    /// Units of ten trials, of 75: the second and third have twenty, the eighth has five.
    #[test]
    fn a_part_has_as_many_trials_as_its_pieces() {
        for (ranges, trials) in [([(1, 3)], 20), ([(7, 8)], 5)] {
            let part = |unsettled| PartialRecord {
                pieces: WorkUnitIndexSet::from_ranges(&ranges).expect("a range"),
                sum: CellTrialCounts { endings: Vec::new(), unsettled, totals: Vec::new() },
            };
            assert!(has_plausible_trials(&part(trials), 10, 75));
            assert!(!has_plausible_trials(&part(trials - 1), 10, 75));
            assert!(!has_plausible_trials(&part(trials + 1), 10, 75));
        }
    }
}
