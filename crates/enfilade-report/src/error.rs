//! Reasons why results are not written, and what is wrong with written ones.

use std::path::PathBuf;

use enfilade_model::error::{FileError, InputError};
use enfilade_pricing::error::PricingError;
use enfilade_study::error::StudyError;

/// Folder to which another process is writing.
#[derive(Debug, thiserror::Error)]
#[error("{} is being written by another run: {by}", folder.display())]
pub struct FolderInUse {
    /// Folder that is locked.
    pub folder: PathBuf,
    /// Process and command that write to the folder.
    pub by: String,
}

/// Folder of results that differs from what was written.
#[derive(Debug, thiserror::Error)]
#[error("{} is not as it was written: {}", folder.display(), faults.join("; "))]
pub struct FolderDamaged {
    /// Folder of results.
    pub folder: PathBuf,
    /// Faults, each with its file.
    pub faults: Vec<String>,
}

/// Output that could not be encoded or drawn.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}")]
pub struct OutputEncodeError {
    /// Name of the output.
    pub what: String,
    /// Message of the library.
    pub why: String,
}

/// Error of a report: of the results that it shows, or of the files that it writes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Error of the results that were to be written.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Error of the prices that were to be written.
    #[error(transparent)]
    Pricing(#[from] PricingError),
    /// File that could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process is writing to the folder.
    #[error(transparent)]
    InUse(#[from] FolderInUse),
    /// The folder is not as it was written.
    #[error(transparent)]
    Damaged(#[from] FolderDamaged),
    /// An output could not be encoded or drawn.
    #[error(transparent)]
    Encode(#[from] OutputEncodeError),
    /// Request that cannot be met.
    #[error("{0}")]
    Invalid(String),
    /// A sweep lacks some of its parts.
    #[error("{0}")]
    Incomplete(String),
    /// The caller cancelled.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl ReportError {
    /// Returns the error of an experiment or of one of its contests, if it is one.
    pub fn study_error_if_any(&self) -> Option<&StudyError> {
        match self {
            ReportError::Study(error) | ReportError::Pricing(PricingError::Study(error)) => {
                Some(error)
            }
            _ => None,
        }
    }
}

impl From<InputError> for ReportError {
    fn from(error: InputError) -> ReportError {
        StudyError::from(error).into()
    }
}
