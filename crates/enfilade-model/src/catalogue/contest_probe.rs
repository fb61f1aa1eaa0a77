//! Probe of an action: the numbers that its contests read.

use super::Contest;
use crate::form::{Fault, Form, Value};

/// Returns, by number, whether a contest reads it, in the order in which the numbers were named.
/// `None` if that cannot be determined.
pub type ReadNumbersOfContest = Box<dyn Fn(&Form) -> Option<Vec<bool>> + Send + Sync>;

/// Probe of the numbers that a contest reads, with contests built whatever their checks.
pub trait NumbersReadByContestFinder: Send + Sync {
    /// Builds the contest that a form describes, without its conditions.
    ///
    /// # Errors
    /// The parts of the form that do not fit together, checks aside.
    fn build_without_checks(&self, form: &Form) -> Result<Contest, Vec<Fault>>;

    /// Returns whether its contests have checks.
    fn has_checks(&self) -> bool;

    /// Returns, by number, whether a check of its contests may depend on it.
    fn find_check_reads(&self, numbers: &[Vec<String>]) -> Vec<bool>;

    /// Finds the numbers that contests read; each is named by the keys of the path to it. Contests
    /// of forms that differ in none of the numbers that one of them reads have the same
    /// distribution.
    fn find_contest_reads(&self, numbers: &[Vec<String>]) -> ReadNumbersOfContest;

    /// Returns the printed number or word that a contest changes by these keys below `change`.
    fn printed_value_at(&self, path: &[&str]) -> Option<Value>;
}
