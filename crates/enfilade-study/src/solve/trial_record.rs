//! Trials of one cell, and partial results of them, as they are stored: the same for all engines
//! that roll.

use enfilade_engine::play::{Tally, Total};
use enfilade_engine::random_stream::{Stream, hexadecimal};
use enfilade_engine::simulate::{Counts, Met};
use enfilade_engine::work_units;
use enfilade_model::combat::Ending;

/// Trials of one cell, by ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Endings with their numbers of trials.
    pub endings: Vec<(Ending, u64)>,
    /// Number of trials that were not over after the last round.
    pub unsettled: u64,
    /// Tallies by counter; without squares if the trials were counted together.
    pub totals: Vec<Total>,
}

impl Record {
    /// Returns the number of trials.
    pub fn trials(&self) -> u64 {
        self.endings.iter().map(|(_, count)| count).sum::<u64>() + self.unsettled
    }

    /// Returns the key of the trials: equal keys mean equal counts.
    pub fn key(stream: &Stream, trials: u64, engine: &str) -> String {
        hexadecimal(&stream.key(engine, trials, u8::MAX))
    }
}

/// Partial result of an unfinished cell.
pub type Part = work_units::Part<Record>;

/// Returns whether the number of trials is that of the units, in a work of `trials` trials with
/// `each` in a unit: a file may contain anything.
pub fn is_right(part: &Part, each: u64, trials: u64) -> bool {
    part.pieces.trials(each, trials) == part.sum.trials()
}

/// Converts a record to the counts of a graph. Returns `None` unless it has the endings of the
/// graph in their order, as every partial result of this contest has, and as many counters.
pub(crate) fn counts(record: Record, endings: &[Ending], counters: usize) -> Option<Counts> {
    let same = record.endings.iter().map(|(ending, _)| ending);
    let same = same.eq(endings) && record.totals.len() == counters;
    same.then(|| Counts {
        endings: record.endings.iter().map(|(_, count)| *count).collect(),
        unsettled: record.unsettled,
        tallies: record.totals.iter().map(|total| total.sum).collect(),
    })
}

/// Converts the counts of a graph with these endings to a record.
pub(crate) fn counted(counts: Counts, endings: &[Ending]) -> Record {
    Record {
        endings: endings.iter().copied().zip(counts.endings).collect(),
        unsettled: counts.unsettled,
        totals: counts.tallies.into_iter().map(total).collect(),
    }
}

/// Converts a sum over trials that were counted together.
fn total(sum: i128) -> Total {
    let squares = 0;
    Total { sum, squares }
}

/// Converts counts of the frontier engine to a record.
pub(crate) fn met(Met { endings, unsettled, tallies }: Met) -> Record {
    let totals = tallies.into_iter().map(total).collect();
    Record { endings: endings.into_iter().collect(), unsettled, totals }
}

/// Converts a record to counts of the frontier engine; `None` unless it has as many counters.
pub(crate) fn met_again(record: Record, counters: usize) -> Option<Met> {
    let Tally { endings, unsettled, totals } = tallied(record, counters)?;
    Some(Met { endings, unsettled, tallies: totals.iter().map(|total| total.sum).collect() })
}

/// Converts a record to a tally of played trials; `None` unless it has as many counters.
pub(crate) fn tallied(record: Record, counters: usize) -> Option<Tally> {
    let Record { endings, unsettled, totals } = record;
    let endings = endings.into_iter().collect();
    (totals.len() == counters).then_some(Tally { endings, unsettled, totals })
}

/// Converts a tally of played trials to a record.
pub(crate) fn recorded(Tally { endings, unsettled, totals }: Tally) -> Record {
    Record { endings: endings.into_iter().collect(), unsettled, totals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_engine::work_units::Pieces;

    /// Units of ten trials, of 75: the second and third have twenty, the eighth has five.
    #[test]
    fn a_part_has_as_many_trials_as_its_pieces() {
        for (ranges, trials) in [([(1, 3)], 20), ([(7, 8)], 5)] {
            let part = |unsettled| Part {
                pieces: Pieces::of(&ranges).expect("a range"),
                sum: Record { endings: Vec::new(), unsettled, totals: Vec::new() },
            };
            assert!(is_right(&part(trials), 10, 75));
            assert!(!is_right(&part(trials - 1), 10, 75));
            assert!(!is_right(&part(trials + 1), 10, 75));
        }
    }
}
