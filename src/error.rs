//! Errors of the program, the exit code of each kind, and the errors of all crates by their names.
//!
//! Each crate has its error type. [`Error`] has all of them side by side, so that a program needs
//! only one type.

use enfilade_report::error::ReportError;
use enfilade_seek::error::SeekError;

pub use enfilade_engine::error::SolveError;
pub use enfilade_model::error::{
    CellLabel, FaultWithByteSpan, FileError, InputError, RuleRuntimeError, RulebookTextSpan,
    TooManyStatesOrDice,
};
#[doc(hidden)]
pub use enfilade_model::error::{format_count, text_too_large_fault};
use enfilade_model::plain_file::UserFileReadError;
pub use enfilade_pricing::error::PricingError;
#[doc(hidden)]
pub use enfilade_report::error::{FolderDamaged, FolderInUse, OutputEncodeError};
pub use enfilade_study::error::StudyError;

/// Failure of a command, or of any crate.
///
/// ```
/// use enfilade::Error;
/// let error = Error::Usage("a report has one folder".to_owned());
/// assert_eq!((error.exit_code(), error.to_string().as_str()), (2, "a report has one folder"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Input file with faults; all of them are listed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Impossible request on the command line.
    #[error("{0}")]
    Usage(String),
    /// Contest that is too large for its engine.
    #[error(transparent)]
    TooLarge(#[from] TooManyStatesOrDice),
    /// Fault of a rule while it was rolled, for a rule that is not in a file.
    #[error(transparent)]
    Rule(RuleRuntimeError),
    /// File that could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Folder to which another process is writing.
    #[error(transparent)]
    InUse(#[from] FolderInUse),
    /// Folder of results that differs from what was written.
    #[error(transparent)]
    Damaged(#[from] FolderDamaged),
    /// Output that could not be encoded or drawn.
    #[error(transparent)]
    Encode(#[from] OutputEncodeError),
    /// Exact and simulated results disagree.
    #[error("{0}")]
    Disagreement(String),
    /// Some cells have no answer, or a sweep lacks some of its parts.
    #[error("{0}")]
    Incomplete(String),
    /// No setting meets the goals of a search.
    #[error("{0}")]
    NothingFits(String),
    /// The user stopped the command; finished work has been saved.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl Error {
    /// Returns the exit code of a program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Disagreement(_) => 1,
            Error::Input(_) | Error::Usage(_) | Error::TooLarge(_) | Error::Rule(_) => 2,
            Error::File(_) | Error::Encode(_) | Error::InUse(_) => 3,
            Error::Incomplete(_) => 4,
            Error::Damaged(_) => 5,
            Error::NothingFits(_) => 6,
            Error::Interrupted(_) => 130,
        }
    }
}

impl From<StudyError> for Error {
    fn from(error: StudyError) -> Error {
        match error {
            StudyError::Input(error) => error.into(),
            StudyError::Rule(error) => Error::Rule(*error),
            StudyError::TooLarge(error) => error.into(),
            StudyError::File(error) => error.into(),
            StudyError::Invalid(problem) => Error::Usage(problem),
            StudyError::Interrupted(work) => Error::Interrupted(work),
            // A kind that this program does not know has a message all the same.
            other => Error::Usage(other.to_string()),
        }
    }
}

impl From<PricingError> for Error {
    fn from(error: PricingError) -> Error {
        match error {
            PricingError::Study(error) => error.into(),
            PricingError::Invalid(problem) => Error::Usage(problem),
            PricingError::Interrupted(work) => Error::Interrupted(work),
            other => Error::Usage(other.to_string()),
        }
    }
}

impl From<SeekError> for Error {
    fn from(error: SeekError) -> Error {
        match error {
            SeekError::Study(error) => error.into(),
            SeekError::Invalid(problem) => Error::Usage(problem),
            SeekError::Interrupted(work) => Error::Interrupted(work),
            other => Error::Usage(other.to_string()),
        }
    }
}

impl From<ReportError> for Error {
    fn from(error: ReportError) -> Error {
        match error {
            ReportError::Study(error) => error.into(),
            ReportError::Pricing(error) => error.into(),
            ReportError::File(error) => error.into(),
            ReportError::InUse(error) => error.into(),
            ReportError::Damaged(error) => error.into(),
            ReportError::Encode(error) => error.into(),
            ReportError::Invalid(problem) => Error::Usage(problem),
            ReportError::Incomplete(problem) => Error::Incomplete(problem),
            ReportError::Interrupted(work) => Error::Interrupted(work),
            other => Error::Usage(other.to_string()),
        }
    }
}

impl From<UserFileReadError> for Error {
    fn from(error: UserFileReadError) -> Error {
        StudyError::from(error).into()
    }
}

impl From<RuleRuntimeError> for Error {
    /// Converts to a fault in the file that contains the rule, if there is one.
    fn from(error: RuleRuntimeError) -> Error {
        StudyError::from(error).into()
    }
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        StudyError::from(error).into()
    }
}
