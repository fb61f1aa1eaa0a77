//! What a search for numbers asks of an action, beside its contests.

use super::Contest;
use crate::form::{Fault, Form, Value};

/// By number, in the order in which they were named: whether a contest reads it. `None` where that cannot be told.
pub type Reads = Box<dyn Fn(&Form) -> Option<Vec<bool>> + Send + Sync>;

/// Which numbers a contest reads, as its rule tells it, and contests whatever their conditions say.
pub trait Probe: Send + Sync {
    /// Builds the contest that a form describes, without its conditions.
    ///
    /// # Errors
    /// What else does not fit together.
    fn unchecked(&self, form: &Form) -> Result<Contest, Vec<Fault>>;

    /// Whether its contests have conditions.
    fn has_checks(&self) -> bool;

    /// By number: whether a condition of its contests may hang on it.
    fn checks_read(&self, numbers: &[Vec<String>]) -> Vec<bool>;

    /// Finds out which of these numbers contests read; each is named by the keys on the way to it. Contests of
    /// forms that differ in none of the numbers that one of them reads have the same distribution.
    fn reads(&self, numbers: &[Vec<String>]) -> Reads;

    /// The printed number or word that a contest changes by these keys below `change`.
    fn printed(&self, path: &[&str]) -> Option<Value>;
}
