//! Saves the partial result of one long cell, so that a crash loses seconds of work and not hours.

use std::time::Duration;

use parking_lot::Mutex;

use crate::checkpoint::journal::Journal;
use crate::error::StudyError;
use crate::solve::trial_record::PartialRecord;
use enfilade_model::clock::Stopwatch;

/// Approximate interval between two saves of an unfinished cell.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// Inverse of the largest share of time spent on saving: a distribution of a million outcomes is
/// written less often than one of three.
const MAX_TIME_SHARE: u32 = 20;

/// Periodic saving of one cell of a run.
pub(crate) struct PeriodicSave<'a> {
    journal: &'a Journal,
    key: &'a str,
    trials: u64,
    every: Duration,
    state: Mutex<SaveState>,
}

struct SaveState {
    /// Time since the last save, and the interval until the next one.
    since: Stopwatch,
    wait: Duration,
    trouble: Option<StudyError>,
}

impl<'a> PeriodicSave<'a> {
    /// Creates the saving of a cell of `trials` trials under `key`.
    pub(crate) fn new(journal: &'a Journal, key: &'a str, trials: u64) -> PeriodicSave<'a> {
        PeriodicSave::with_interval(SAVE_INTERVAL, journal, key, trials)
    }

    fn with_interval(
        every: Duration,
        journal: &'a Journal,
        key: &'a str,
        trials: u64,
    ) -> PeriodicSave<'a> {
        PeriodicSave {
            journal,
            key,
            trials,
            every,
            state: Mutex::new(SaveState { since: Stopwatch::start(), wait: every, trouble: None }),
        }
    }

    /// Writes the result of `part`, if a save is due. Returns whether to continue: false after a
    /// failure to write.
    pub(crate) fn save_if_due(&self, part: impl FnOnce() -> PartialRecord) -> bool {
        let mut state = self.state.lock();
        if state.since.elapsed() < state.wait {
            return state.trouble.is_none();
        }
        let begun = Stopwatch::start();
        let written = self.journal.record_part(self.key, self.trials, &part());
        state.wait = self.every.max(begun.elapsed() * MAX_TIME_SHARE);
        state.since = Stopwatch::start();
        state.trouble = written.err();
        state.trouble.is_none()
    }

    /// Returns the failure, if there was one.
    ///
    /// # Errors
    /// If a partial result could not be written.
    pub(crate) fn into_result(self) -> Result<(), StudyError> {
        self.state.into_inner().trouble.map_or(Ok(()), Err)
    }
}

#[cfg(feature = "files")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::journal::BuildId;
    use crate::solve::trial_record::TrialRecord;

    fn part() -> PartialRecord {
        PartialRecord {
            sum: TrialRecord { endings: Vec::new(), unsettled: 0, totals: Vec::new() },
            pieces: Default::default(),
        }
    }

    #[test]
    fn a_cell_under_way_is_written_when_it_is_due_and_not_before() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let journal = Journal::open(&path, BuildId("a test")).expect("a new journal");
        let lines = || std::fs::read_to_string(&path).expect("it is there").lines().count();
        let keeper = PeriodicSave::with_interval(Duration::from_secs(3600), &journal, "a", 10);
        assert!(keeper.save_if_due(|| unreachable!("an hour has not passed")));
        assert_eq!(lines(), 1);
        let keeper = PeriodicSave::with_interval(Duration::ZERO, &journal, "a", 10);
        assert!(keeper.save_if_due(part));
        assert_eq!(lines(), 2);
        keeper.into_result().expect("it could be written");
    }
}
