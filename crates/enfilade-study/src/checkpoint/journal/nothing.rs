//! Journal for targets without a disk.

use crate::solve::trial_record::{Part, Record};
use enfilade_model::error::Error;

/// Journal that stores nothing.
#[derive(Debug)]
pub struct Journal(());

impl Journal {
    /// Creates a journal that stores nothing.
    pub fn none() -> Journal {
        Journal(())
    }

    /// Returns nothing: no trials are recorded.
    pub fn recall(&self, _: &str, _: u64) -> Option<Record> {
        None
    }

    /// Returns nothing: no trials are recorded.
    pub fn recall_part(&self, _: &str) -> Option<Part> {
        None
    }

    /// Records nothing.
    ///
    /// # Errors
    /// Never.
    pub fn record(&self, _: &str, _: &Record) -> Result<(), Error> {
        Ok(())
    }

    /// Records nothing.
    ///
    /// # Errors
    /// Never.
    pub fn record_part(&self, _: &str, _: u64, _: &Part) -> Result<(), Error> {
        Ok(())
    }
}
