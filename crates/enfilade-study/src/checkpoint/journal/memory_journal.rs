//! Journal in memory, for targets without a disk.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::error::StudyError;
use crate::solve::trial_record::{CellTrialCounts, PartialRecord};

/// Most outcomes that a journal stores; one more, and it begins anew.
const MAX_JOURNAL_OUTCOMES: usize = 1 << 18;

/// Journal in memory, or an empty one that stores nothing. A clone shares the records.
#[derive(Clone, Debug, Default)]
pub struct CellTrialJournal(Option<Arc<Mutex<TrialRecordsByKey>>>);

/// Records by key.
#[derive(Debug, Default)]
struct TrialRecordsByKey {
    whole: HashMap<String, CellTrialCounts>,
    parts: HashMap<String, PartialRecord>,
    outcomes: usize,
}

impl TrialRecordsByKey {
    /// Removes the partial result under `key`, and all records where with one more there are too
    /// many.
    fn clear_all_if_full(&mut self, key: &str, record: &CellTrialCounts) {
        let before = self.parts.remove(key).map_or(0, |part| outcome_count_of_record(&part.sum));
        self.outcomes -= before;
        let more = outcome_count_of_record(record);
        if self.outcomes + more > MAX_JOURNAL_OUTCOMES {
            *self = TrialRecordsByKey::default();
        }
        self.outcomes += more;
    }
}

fn outcome_count_of_record(record: &CellTrialCounts) -> usize {
    record.endings.len() + 1
}

impl CellTrialJournal {
    /// Creates a journal that stores nothing.
    pub fn without_storage() -> CellTrialJournal {
        CellTrialJournal(None)
    }

    /// Creates a journal that stores its records as long as a clone of it exists.
    pub fn in_memory() -> CellTrialJournal {
        CellTrialJournal(Some(Arc::default()))
    }

    /// Returns the trials recorded under `key`, if their number is the requested one.
    pub fn lookup_trials_of_count(&self, key: &str, trials: u64) -> Option<CellTrialCounts> {
        let known = self.0.as_ref()?.lock().whole.get(key).cloned();
        known.filter(|record| record.trial_count() == trials)
    }

    /// Returns the partial result recorded under `key`, if there is one.
    pub fn lookup_unfinished_trials(&self, key: &str) -> Option<PartialRecord> {
        self.0.as_ref()?.lock().parts.get(key).cloned()
    }

    /// Records the trials of a finished cell under `key`.
    ///
    /// # Errors
    /// Never.
    pub fn record_finished_trials(
        &self,
        key: &str,
        record: &CellTrialCounts,
    ) -> Result<(), StudyError> {
        if let Some(records) = &self.0 {
            let mut records = records.lock();
            records.clear_all_if_full(key, record);
            records.whole.insert(key.to_owned(), record.clone());
        }
        Ok(())
    }

    /// Records the partial result of an unfinished cell under `key`, in place of the one before.
    ///
    /// # Errors
    /// Never.
    pub fn record_unfinished_trials(
        &self,
        key: &str,
        _: u64,
        part: &PartialRecord,
    ) -> Result<(), StudyError> {
        if let Some(records) = &self.0 {
            let mut records = records.lock();
            records.clear_all_if_full(key, &part.sum);
            records.parts.insert(key.to_owned(), part.clone());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_engine::work_units::WorkUnitIndexSet;
    use enfilade_model::combat::{Ending, MAX_OUTCOME_COLUMNS};

    fn record(outcomes: usize, count: u64) -> CellTrialCounts {
        let ending = Ending { fields: [0; MAX_OUTCOME_COLUMNS], weights: [0; MAX_OUTCOME_COLUMNS] };
        CellTrialCounts {
            endings: vec![(ending, count); outcomes],
            unsettled: 0,
            totals: Vec::new(),
        }
    }

    #[test]
    fn clones_share_what_is_recorded() {
        let journal = CellTrialJournal::in_memory();
        let pieces = WorkUnitIndexSet::from_ranges(&[(0, 1)]).expect("a range");
        let part = PartialRecord { pieces, sum: record(1, 5) };
        journal.clone().record_unfinished_trials("a", 9, &part).expect("never fails");
        assert_eq!(journal.lookup_unfinished_trials("a"), Some(part));
        journal.clone().record_finished_trials("a", &record(1, 9)).expect("never fails");
        assert_eq!(
            (journal.lookup_unfinished_trials("a"), journal.lookup_trials_of_count("a", 8)),
            (None, None)
        );
        assert_eq!(journal.lookup_trials_of_count("a", 9), Some(record(1, 9)));
        let none = CellTrialJournal::without_storage();
        none.record_finished_trials("a", &record(1, 9)).expect("never fails");
        assert_eq!(none.lookup_trials_of_count("a", 9), None);
    }

    #[test]
    fn too_many_outcomes_are_not_all_stored() {
        let journal = CellTrialJournal::in_memory();
        let half = record(MAX_JOURNAL_OUTCOMES / 2 - 1, 1);
        for key in ["a", "b", "c"] {
            let part = PartialRecord { pieces: WorkUnitIndexSet::default(), sum: half.clone() };
            // The one before takes no room.
            journal.record_unfinished_trials(key, 0, &part).expect("never fails");
            journal.record_finished_trials(key, &half).expect("never fails");
        }
        let trials = half.trial_count();
        let stored =
            ["a", "b", "c"].map(|key| journal.lookup_trials_of_count(key, trials).is_some());
        assert_eq!(stored, [false, false, true]);
    }
}
