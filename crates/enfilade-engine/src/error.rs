//! Reasons why a contest has no graph and no distribution.

use enfilade_model::error::{RuleRuntimeError, TooManyStatesOrDice};

/// Reason why a contest was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The contest is too large.
    #[error(transparent)]
    TooLarge(#[from] TooManyStatesOrDice),
    /// The rule had a fault while it was rolled.
    #[error(transparent)]
    Rule(#[from] RuleRuntimeError),
    /// The caller cancelled.
    #[error("stopped")]
    Cancelled,
}
