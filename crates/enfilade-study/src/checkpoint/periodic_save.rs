//! Saves the partial result of one long cell, so that a crash loses seconds of work and not hours.

use std::time::Duration;

use parking_lot::Mutex;

use crate::checkpoint::journal::CellTrialJournal;
use crate::error::StudyError;
use crate::solve::trial_record::PartialRecord;
use enfilade_model::clock::Stopwatch;

/// Approximate interval between two saves of an unfinished cell.
const CELL_SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// Inverse of the largest share of time spent on saving: a distribution of a million outcomes is
/// written less often than one of three.
const MIN_WORK_PER_SAVE_TIME: u32 = 20;

/// Periodic saving of one cell of a run.
pub(crate) struct PeriodicCellSaver<'a> {
    journal: &'a CellTrialJournal,
    key: &'a str,
    trials: u64,
    every: Duration,
    state: Mutex<PeriodicSaveState>,
}

struct PeriodicSaveState {
    /// Time since the last save, and the interval until the next one.
    since: Stopwatch,
    wait: Duration,
    error: Option<StudyError>,
}

impl<'a> PeriodicCellSaver<'a> {
    /// Creates the saving of a cell of `trials` trials under `key`.
    pub(crate) fn new(
        journal: &'a CellTrialJournal,
        key: &'a str,
        trials: u64,
    ) -> PeriodicCellSaver<'a> {
        PeriodicCellSaver::with_save_interval(CELL_SAVE_INTERVAL, journal, key, trials)
    }

    fn with_save_interval(
        every: Duration,
        journal: &'a CellTrialJournal,
        key: &'a str,
        trials: u64,
    ) -> PeriodicCellSaver<'a> {
        PeriodicCellSaver {
            journal,
            key,
            trials,
            every,
            state: Mutex::new(PeriodicSaveState {
                since: Stopwatch::start_now(),
                wait: every,
                error: None,
            }),
        }
    }

    /// Writes the result of `part`, if a save is due. Returns whether to continue: false after a
    /// failure to write.
    pub(crate) fn save_if_due_unless_failed(&self, part: impl FnOnce() -> PartialRecord) -> bool {
        let mut state = self.state.lock();
        if state.since.elapsed() < state.wait {
            return state.error.is_none();
        }
        let start = Stopwatch::start_now();
        let written = self.journal.record_unfinished_trials(self.key, self.trials, &part());
        state.wait = self.every.max(start.elapsed() * MIN_WORK_PER_SAVE_TIME);
        state.since = Stopwatch::start_now();
        state.error = written.err();
        state.error.is_none()
    }

    /// Returns the failure, if there was one.
    ///
    /// # Errors
    /// If a partial result could not be written.
    pub(crate) fn into_save_result(self) -> Result<(), StudyError> {
        self.state.into_inner().error.map_or(Ok(()), Err)
    }
}

#[cfg(feature = "files")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::journal::BuildId;
    use crate::solve::trial_record::CellTrialCounts;

    fn part() -> PartialRecord {
        PartialRecord {
            sum: CellTrialCounts { endings: Vec::new(), unsettled: 0, totals: Vec::new() },
            pieces: Default::default(),
        }
    }

    #[test]
    fn a_cell_under_way_is_written_when_it_is_due_and_not_before() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let journal =
            CellTrialJournal::open_or_resume(&path, BuildId("a test")).expect("a new journal");
        let lines = || std::fs::read_to_string(&path).expect("it is there").lines().count();
        let keeper =
            PeriodicCellSaver::with_save_interval(Duration::from_secs(3600), &journal, "a", 10);
        assert!(keeper.save_if_due_unless_failed(|| unreachable!("an hour has not passed")));
        assert_eq!(lines(), 1);
        let keeper = PeriodicCellSaver::with_save_interval(Duration::ZERO, &journal, "a", 10);
        assert!(keeper.save_if_due_unless_failed(part));
        assert_eq!(lines(), 2);
        keeper.into_save_result().expect("it could be written");
    }

    #[test]
    fn the_next_save_waits_for_its_interval_and_twenty_times_as_long_as_the_last_one_took() {
        let journal = CellTrialJournal::without_storage();
        let wait_after_save = |every, saving: Duration| {
            let keeper = PeriodicCellSaver::with_save_interval(every, &journal, "a", 10);
            keeper.state.lock().wait = Duration::ZERO;
            assert!(keeper.save_if_due_unless_failed(|| {
                std::thread::sleep(saving);
                part()
            }));
            keeper.state.into_inner().wait
        };
        let hour = Duration::from_secs(3600);
        assert_eq!(wait_after_save(hour, Duration::ZERO), hour);
        let saving = Duration::from_millis(10);
        assert!(wait_after_save(Duration::ZERO, saving) >= 20 * saving);
    }
}
