//! Counts of trials by ending.

use crate::work_units::MergeableUnitResult;

/// Number of trials by ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingCounts {
    /// Number of trials by ending of the graph.
    pub endings: Vec<u64>,
    /// Number of trials that were not over after the last round.
    pub unsettled: u64,
    /// Sum of the tallies of all trials, by counter.
    pub tallies: Vec<i128>,
}

impl EndingCounts {
    /// Creates the counts of no trials, for a graph with this many endings.
    pub fn zero_for_endings(endings: usize) -> EndingCounts {
        EndingCounts { endings: vec![0; endings], unsettled: 0, tallies: Vec::new() }
    }

    /// Adds the counts of other trials of the same contest.
    pub fn add_counts(&mut self, other: &EndingCounts) {
        for (sum, count) in self.endings.iter_mut().zip(&other.endings) {
            *sum += count;
        }
        self.unsettled += other.unsettled;
        let counters = self.tallies.len().max(other.tallies.len());
        self.tallies.resize(counters, 0);
        for (sum, tallied) in self.tallies.iter_mut().zip(&other.tallies) {
            *sum += tallied;
        }
    }

    /// Returns the number of trials.
    pub fn trial_count(&self) -> u64 {
        self.endings.iter().sum::<u64>() + self.unsettled
    }
}

impl MergeableUnitResult for EndingCounts {
    fn merge(&mut self, other: EndingCounts) {
        EndingCounts::add_counts(self, &other);
    }
}
