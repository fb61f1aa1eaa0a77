//! Saves the partial result of one long cell, so that a crash loses seconds of work and not hours.

use std::time::Duration;

use parking_lot::Mutex;

use crate::checkpoint::journal::Journal;
use crate::solve::trial_record::Part;
use enfilade_model::clock::Stopwatch;
use enfilade_model::error::Error;

/// Approximate interval between two saves of an unfinished cell.
const EVERY: Duration = Duration::from_secs(10);

/// Inverse of the largest share of time spent on saving: a distribution of a million outcomes is
/// written less often than one of three.
const SHARE: u32 = 20;

/// Periodic saving of one cell of a run.
pub(crate) struct Keeper<'a> {
    journal: &'a Journal,
    key: &'a str,
    trials: u64,
    every: Duration,
    state: Mutex<State>,
}

struct State {
    /// Time since the last save, and the interval until the next one.
    since: Stopwatch,
    wait: Duration,
    trouble: Option<Error>,
}

impl<'a> Keeper<'a> {
    /// Creates the saving of a cell of `trials` trials under `key`.
    pub(crate) fn new(journal: &'a Journal, key: &'a str, trials: u64) -> Keeper<'a> {
        Keeper::every(EVERY, journal, key, trials)
    }

    fn every(every: Duration, journal: &'a Journal, key: &'a str, trials: u64) -> Keeper<'a> {
        Keeper {
            journal,
            key,
            trials,
            every,
            state: Mutex::new(State { since: Stopwatch::start(), wait: every, trouble: None }),
        }
    }

    /// Writes the result of `part`, if a save is due. Returns whether to continue: false after a
    /// failure to write.
    pub(crate) fn keep(&self, part: impl FnOnce() -> Part) -> bool {
        let mut state = self.state.lock();
        if state.since.elapsed() < state.wait {
            return state.trouble.is_none();
        }
        let begun = Stopwatch::start();
        let written = self.journal.record_part(self.key, self.trials, &part());
        state.wait = self.every.max(begun.elapsed() * SHARE);
        state.since = Stopwatch::start();
        state.trouble = written.err();
        state.trouble.is_none()
    }

    /// Returns the failure, if there was one.
    ///
    /// # Errors
    /// If a partial result could not be written.
    pub(crate) fn trouble(self) -> Result<(), Error> {
        self.state.into_inner().trouble.map_or(Ok(()), Err)
    }
}

#[cfg(feature = "files")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::journal::BuildId;
    use crate::solve::trial_record::Record;

    fn part() -> Part {
        Part {
            sum: Record { endings: Vec::new(), unsettled: 0, totals: Vec::new() },
            pieces: Default::default(),
        }
    }

    #[test]
    fn a_cell_under_way_is_written_when_it_is_due_and_not_before() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let journal = Journal::open(&path, BuildId("a test")).expect("a new journal");
        let lines = || std::fs::read_to_string(&path).expect("it is there").lines().count();
        let keeper = Keeper::every(Duration::from_secs(3600), &journal, "a", 10);
        assert!(keeper.keep(|| unreachable!("an hour has not passed")));
        assert_eq!(lines(), 1);
        let keeper = Keeper::every(Duration::ZERO, &journal, "a", 10);
        assert!(keeper.keep(part));
        assert_eq!(lines(), 2);
        keeper.trouble().expect("it could be written");
    }
}
