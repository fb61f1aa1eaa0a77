//! How trials ended.

use crate::work_units::Sum;

/// How often each ending came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// By ending of the graph: trials that ended so.
    pub endings: Vec<u64>,
    /// Trials that were not over after the last round.
    pub unsettled: u64,
    /// By counter: what all trials tallied.
    pub tallies: Vec<i128>,
}

impl Counts {
    /// No trials at all, for a graph with this many endings.
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

    /// Trials in all.
    pub fn trials(&self) -> u64 {
        self.endings.iter().sum::<u64>() + self.unsettled
    }
}

impl Sum for Counts {
    fn add(&mut self, other: Counts) {
        Counts::add(self, &other);
    }
}
