//! Reasons why an arsenal has no prices.

use enfilade_study::error::StudyError;

/// Error of an arsenal: in its file, in a contest of its battles, or in what is asked of it.
///
/// ```
/// use enfilade_pricing::error::PricingError;
/// let error = PricingError::Invalid("two weapons are the least".to_owned());
/// assert_eq!(error.to_string(), "two weapons are the least");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PricingError {
    /// Error of the arsenal's file or of one of its contests.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Request that cannot be met.
    #[error("{0}")]
    Invalid(String),
    /// The caller cancelled.
    #[error("interrupted: {0}")]
    Interrupted(String),
}
