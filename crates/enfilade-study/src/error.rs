//! Reasons why an experiment has no answers.

use enfilade_engine::error::SolveError;
use enfilade_model::error::{FileError, InputError, RuleRuntimeError, TooManyStatesOrDice};
#[cfg(feature = "files")]
use enfilade_model::plain_file::UserFileReadError;

/// Error of an experiment: in its file, in one of its contests, or in a file beside it.
///
/// ```
/// use enfilade_study::error::StudyError;
/// let error = StudyError::Invalid("a sweep has at least one shard".to_owned());
/// assert_eq!(error.to_string(), "a sweep has at least one shard");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// File with faults; all of them are listed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Fault of a rule while it was rolled, for a rule that is not in a file.
    #[error(transparent)]
    Rule(Box<RuleRuntimeError>),
    /// Contest that is too large for its engine.
    #[error(transparent)]
    TooLarge(#[from] TooManyStatesOrDice),
    /// File that could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Request that cannot be met.
    #[error("{0}")]
    Invalid(String),
    /// The caller cancelled; finished work has been saved.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl StudyError {
    /// Returns whether the error is of one contest and does not concern others.
    #[doc(hidden)]
    pub fn is_contest_error(&self) -> bool {
        matches!(self, StudyError::Input(_) | StudyError::TooLarge(_) | StudyError::Rule(_))
    }
}

impl From<RuleRuntimeError> for StudyError {
    /// Converts to a fault in the file that contains the rule, if there is one.
    fn from(error: RuleRuntimeError) -> StudyError {
        match error.into_input_error() {
            Ok(located) => StudyError::Input(located),
            Err(error) => StudyError::Rule(error.into()),
        }
    }
}

impl From<SolveError> for StudyError {
    fn from(error: SolveError) -> StudyError {
        match error {
            SolveError::TooLarge(refusal) => refusal.into(),
            SolveError::Rule(error) => error.into(),
            SolveError::Cancelled => {
                StudyError::Interrupted("the contest was not solved".to_owned())
            }
        }
    }
}

#[cfg(feature = "files")]
impl From<UserFileReadError> for StudyError {
    fn from(error: UserFileReadError) -> StudyError {
        match error {
            UserFileReadError::Input(error) => error.into(),
            UserFileReadError::File(error) => error.into(),
            UserFileReadError::Refused(problem) => StudyError::Invalid(problem),
        }
    }
}
