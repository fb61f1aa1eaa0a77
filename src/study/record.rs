//! Trials of one cell, and parts of them, as they are kept: the same for both engines that roll.

use crate::combat::Ending;
use crate::pieces;
use crate::play::{Tally, Total};
use crate::simulate::{Counts, Met};
use crate::stream::Stream;

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
        let key = stream.key(engine, trials, u8::MAX);
        key.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What was made of a cell that was not finished.
pub type Part = pieces::Part<Record>;

/// Whether the trials are those of the pieces, in a work of `trials` trials with `each` in a piece:
/// a file can say anything.
pub fn is_right(part: &Part, each: u64, trials: u64) -> bool {
    part.pieces.trials(each, trials) == part.sum.trials()
}

/// A part as the counts of a graph; `None` unless it has the endings of the graph in their order,
/// as every part of this contest has, and as many counters.
pub(super) fn counts(
    part: Part,
    endings: &[Ending],
    counters: usize,
) -> Option<pieces::Part<Counts>> {
    let same = part.sum.endings.iter().map(|(ending, _)| ending);
    let same = same.eq(endings) && part.sum.totals.len() == counters;
    same.then(|| pieces::Part {
        pieces: part.pieces,
        sum: Counts {
            endings: part.sum.endings.iter().map(|(_, count)| *count).collect(),
            unsettled: part.sum.unsettled,
            tallies: part.sum.totals.iter().map(|total| total.sum).collect(),
        },
    })
}

/// The counts of a graph with these endings as they are kept.
pub(super) fn counted(part: pieces::Part<Counts>, endings: &[Ending]) -> Part {
    let counts = endings.iter().copied().zip(part.sum.endings);
    Part {
        pieces: part.pieces,
        sum: Record {
            endings: counts.collect(),
            unsettled: part.sum.unsettled,
            totals: part.sum.tallies.into_iter().map(total).collect(),
        },
    }
}

/// A sum over trials that were not told apart.
fn total(sum: i128) -> Total {
    let squares = 0;
    Total { sum, squares }
}

/// What trials met in waves as it is kept.
pub(super) fn met(part: pieces::Part<Met>) -> Part {
    let Met { endings, unsettled, tallies } = part.sum;
    let (endings, totals) = (endings.into_iter().collect(), tallies.into_iter().map(total));
    Part { pieces: part.pieces, sum: Record { endings, unsettled, totals: totals.collect() } }
}

/// A part as what trials met in waves; `None` unless it has as many counters.
pub(super) fn met_again(part: Part, counters: usize) -> Option<pieces::Part<Met>> {
    (part.sum.totals.len() == counters).then(|| pieces::Part {
        pieces: part.pieces,
        sum: Met {
            endings: part.sum.endings.into_iter().collect(),
            unsettled: part.sum.unsettled,
            tallies: part.sum.totals.iter().map(|total| total.sum).collect(),
        },
    })
}

/// A part as the tally of a game; `None` unless it has as many counters.
pub(super) fn tallied(part: Part, counters: usize) -> Option<pieces::Part<Tally>> {
    (part.sum.totals.len() == counters).then(|| pieces::Part {
        pieces: part.pieces,
        sum: Tally {
            endings: part.sum.endings.into_iter().collect(),
            unsettled: part.sum.unsettled,
            totals: part.sum.totals,
        },
    })
}

/// The tally of a game as it is kept.
pub(super) fn recorded(part: pieces::Part<Tally>) -> Part {
    Part {
        pieces: part.pieces,
        sum: Record {
            endings: part.sum.endings.into_iter().collect(),
            unsettled: part.sum.unsettled,
            totals: part.sum.totals,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::Pieces;

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
