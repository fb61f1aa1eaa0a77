//! Journal of finished trials, stored on disk during a run.
//!
//! The first line identifies the file and the build of the program that wrote it. Each finished
//! cell is appended as a line of JSON; so is, every few seconds, the partial result of the current
//! cell, with its finished units. A line contains the number of requested trials and a hash of
//! itself. A run that was interrupted, or crashed, finds the lines when it is started again and
//! does not repeat the trials. A line that was cut off or altered, or that another build wrote, is
//! left out. The journal of a completed run is removed.

#[cfg(feature = "files")]
mod disk_journal;
mod journal_names;
#[cfg(any(test, not(feature = "files")))]
mod memory_journal;

#[cfg(feature = "files")]
pub(crate) use disk_journal::header_line_text;
#[cfg(feature = "files")]
pub use disk_journal::{CellTrialJournal, is_journal};
pub use journal_names::{BuildId, JOURNAL_FILE_NAME, TEMPORARY_FILE_PREFIX};
#[cfg(not(feature = "files"))]
pub use memory_journal::CellTrialJournal;
