//! Reasons why wanted odds have no answer.

use enfilade_model::error::InputError;
use enfilade_pricing::error::PricingError;
use enfilade_study::error::StudyError;

/// Error of a question for numbers: in its file, in a contest, or in what is asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeekError {
    /// Error of the question's file or of one of its contests.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Request that cannot be met.
    #[error("{0}")]
    Invalid(String),
    /// The caller cancelled.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl From<PricingError> for SeekError {
    fn from(error: PricingError) -> SeekError {
        match error {
            PricingError::Study(error) => error.into(),
            PricingError::Interrupted(work) => SeekError::Interrupted(work),
            other => SeekError::Invalid(other.to_string()),
        }
    }
}

impl From<InputError> for SeekError {
    fn from(error: InputError) -> SeekError {
        StudyError::from(error).into()
    }
}
