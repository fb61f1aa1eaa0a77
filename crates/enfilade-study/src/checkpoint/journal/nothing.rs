//! Journal for targets without a disk.

use crate::error::StudyError;
use crate::solve::trial_record::{PartialRecord, TrialRecord};

/// Journal that stores nothing.
#[derive(Debug)]
pub struct Journal(());

impl Journal {
    /// Creates a journal that stores nothing.
    pub fn none() -> Journal {
        Journal(())
    }

    /// Returns nothing: no trials are recorded.
    pub fn recall(&self, _: &str, _: u64) -> Option<TrialRecord> {
        None
    }

    /// Returns nothing: no trials are recorded.
    pub fn recall_part(&self, _: &str) -> Option<PartialRecord> {
        None
    }

    /// Records nothing.
    ///
    /// # Errors
    /// Never.
    pub fn record(&self, _: &str, _: &TrialRecord) -> Result<(), StudyError> {
        Ok(())
    }

    /// Records nothing.
    ///
    /// # Errors
    /// Never.
    pub fn record_part(&self, _: &str, _: u64, _: &PartialRecord) -> Result<(), StudyError> {
        Ok(())
    }
}
