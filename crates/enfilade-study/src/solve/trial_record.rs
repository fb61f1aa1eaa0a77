//! Trials of one cell, and parts of them, as they are kept: the same for both engines that roll.

use enfilade_engine::play::{Tally, Total};
use enfilade_engine::random_stream::{Stream, hexadecimal};
use enfilade_engine::simulate::{Counts, Met};
use enfilade_engine::work_units;
use enfilade_model::combat::Ending;

/// Trials of one cell: how often each ending came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Endings with their trials.
    pub endings: Vec<(Ending, u64)>,
    /// Trials that were not over after the last round.
    pub unsettled: u64,
    /// By counter: what the trials tallied; where they were not told apart, without squares.
    pub totals: Vec<Total>,
}

impl Record {
    /// Trials in all.
    pub fn trials(&self) -> u64 {
        self.endings.iter().map(|(_, count)| count).sum::<u64>() + self.unsettled
    }

    /// What names the trials: equal keys mean equal counts.
    pub fn key(stream: &Stream, trials: u64, engine: &str) -> String {
        hexadecimal(&stream.key(engine, trials, u8::MAX))
    }
}

/// What was made of a cell that was not finished.
pub type Part = work_units::Part<Record>;

/// Whether the trials are those of the pieces, in a work of `trials` trials with `each` in a piece:
/// a file can say anything.
pub fn is_right(part: &Part, each: u64, trials: u64) -> bool {
    part.pieces.trials(each, trials) == part.sum.trials()
}

/// What is kept as the counts of a graph; `None` unless it has the endings of the graph in their
/// order, as every part of this contest has, and as many counters.
pub(crate) fn counts(record: Record, endings: &[Ending], counters: usize) -> Option<Counts> {
    let same = record.endings.iter().map(|(ending, _)| ending);
    let same = same.eq(endings) && record.totals.len() == counters;
    same.then(|| Counts {
        endings: record.endings.iter().map(|(_, count)| *count).collect(),
        unsettled: record.unsettled,
        tallies: record.totals.iter().map(|total| total.sum).collect(),
    })
}

/// The counts of a graph with these endings as they are kept.
pub(crate) fn counted(counts: Counts, endings: &[Ending]) -> Record {
    Record {
        endings: endings.iter().copied().zip(counts.endings).collect(),
        unsettled: counts.unsettled,
        totals: counts.tallies.into_iter().map(total).collect(),
    }
}

/// A sum over trials that were not told apart.
fn total(sum: i128) -> Total {
    let squares = 0;
    Total { sum, squares }
}

/// What trials met in waves as it is kept.
pub(crate) fn met(Met { endings, unsettled, tallies }: Met) -> Record {
    let totals = tallies.into_iter().map(total).collect();
    Record { endings: endings.into_iter().collect(), unsettled, totals }
}

/// What is kept as what trials met in waves; `None` unless it has as many counters.
pub(crate) fn met_again(record: Record, counters: usize) -> Option<Met> {
    let Tally { endings, unsettled, totals } = tallied(record, counters)?;
    Some(Met { endings, unsettled, tallies: totals.iter().map(|total| total.sum).collect() })
}

/// What is kept as the tally of a game; `None` unless it has as many counters.
pub(crate) fn tallied(record: Record, counters: usize) -> Option<Tally> {
    let Record { endings, unsettled, totals } = record;
    let endings = endings.into_iter().collect();
    (totals.len() == counters).then_some(Tally { endings, unsettled, totals })
}

/// The tally of a game as it is kept.
pub(crate) fn recorded(Tally { endings, unsettled, totals }: Tally) -> Record {
    Record { endings: endings.into_iter().collect(), unsettled, totals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_engine::work_units::Pieces;

    /// Pieces of ten trials, of 75: the second and third have twenty, the eighth has five.
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
