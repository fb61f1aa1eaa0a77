//! Counts of trials by ending.

use crate::work_units::Sum;

/// Number of trials by ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Number of trials by ending of the graph.
    pub endings: Vec<u64>,
    /// Number of trials that were not over after the last round.
    pub unsettled: u64,
    /// Sum of the tallies of all trials, by counter.
    pub tallies: Vec<i128>,
}

impl Counts {
    /// Creates the counts of no trials, for a graph with this many endings.
    pub fn none(endings: usize) -> Counts {
        Counts { endings: vec![0; endings], unsettled: 0, tallies: Vec::new() }
    }

    /// Adds the counts of other trials of the same contest.
    pub fn add(&mut self, other: &Counts) {
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
    pub fn trials(&self) -> u64 {
        self.endings.iter().sum::<u64>() + self.unsettled
    }
}

impl Sum for Counts {
    fn add(&mut self, other: Counts) {
        Counts::add(self, &other);
    }
}
