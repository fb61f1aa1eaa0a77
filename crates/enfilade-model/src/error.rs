//! Errors that every crate can meet: faults of a file, of a rule, of a system file; a contest that
//! is too large.
//!
//! The error type of each crate contains these and adds its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::form::Fault;
use crate::form::sanitize::group_digits;

/// Input file with faults; all of them are listed.
///
/// ```
/// use enfilade_model::error::InputError;
/// let error = InputError { name: "a.toml".to_owned(), text: String::new(), faults: vec![] };
/// assert_eq!(error.to_string(), "0 errors in a.toml");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} in {name}", format_count(faults.len(), "error"))]
pub struct InputError {
    /// Name of the file as the user wrote it, or `standard input`.
    pub name: String,
    /// Text of the file, to show the lines at fault.
    pub text: String,
    /// Faults with their places.
    pub faults: Vec<FaultWithByteSpan>,
}

/// File that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{what} {}: {source}", path.display())]
pub struct FileError {
    /// Operation: `reading`, `writing`.
    pub what: &'static str,
    /// File or folder.
    pub path: PathBuf,
    /// Error of the system.
    pub source: std::io::Error,
}

impl FileError {
    /// Returns a converter of system errors that occur while `what`, such as `reading`, is done at
    /// `path`.
    pub fn io_error_converter<P: AsRef<Path> + ?Sized>(
        what: &'static str,
        path: &P,
    ) -> impl Fn(std::io::Error) -> FileError {
        move |source| FileError { what, path: path.as_ref().to_owned(), source }
    }
}

/// Fault with its place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultWithByteSpan {
    /// Mistake in the file.
    pub fault: Fault,
    /// Bytes of the file that are at fault.
    pub span: std::ops::Range<usize>,
}

/// Builds the fault of a text with more than `limit` bytes.
#[doc(hidden)]
pub fn text_too_large_fault(limit: u64) -> Fault {
    Fault::new("", format!("the file has more than {limit} bytes"))
}

/// Contest with more states or dice than an engine accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", self.describe_what_is_too_large(), self.suggest_remedy().map_or(String::new(), |advice| format!(": {advice}")))]
pub struct TooManyStatesOrDice {
    /// Counted quantity: `states`, `nodes`.
    pub what: &'static str,
    /// Limit that was exceeded.
    pub limit: usize,
    /// Fields to reduce, most effective first.
    pub grows_with: Vec<String>,
    /// Whether the contest has decisions, so that it cannot be played without its graph either.
    pub decides: bool,
    /// Cell of an experiment, if the contest is one.
    pub cell: Option<Box<CellLabel>>,
}

/// Cell of an experiment, as a message names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellLabel {
    /// Index of the contest in the file, from 0.
    pub contest: usize,
    /// Name of the contest.
    pub name: String,
    /// Place on the grid, `fp 8, drm -1`; empty when the contest is one cell.
    pub axes: String,
}

impl CellLabel {
    /// Describes the contest and the cell of its grid: `the contest `x` in the cell fp 8`.
    fn describe_contest_and_cell(&self) -> String {
        let CellLabel { name, axes, .. } = self;
        match axes.as_str() {
            "" => format!("the contest `{name}`"),
            axes => format!("the contest `{name}` in the cell {axes}"),
        }
    }
}

/// Fault of a rule while it was rolled: the rule requests something impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", self.describe_fault_and_contest(), self.fault.help.as_ref().map_or(String::new(), |help| format!(": {help}")))]
#[non_exhaustive]
pub struct RuleRuntimeError {
    /// Mistake in the rule.
    pub fault: Fault,
    /// Place in the rulebook, if the rule is in a file.
    pub excerpt: Option<Box<RulebookTextSpan>>,
    /// Cell of the experiment that was rolled, if it was one.
    pub cell: Option<Box<CellLabel>>,
}

/// Place in the text of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulebookTextSpan {
    /// Name of the rulebook as the user wrote it.
    pub name: String,
    /// Text of the rulebook.
    pub text: Arc<str>,
    /// Bytes of the text at fault.
    pub span: std::ops::Range<usize>,
}

impl RuleRuntimeError {
    /// Creates the error of a rule that is not in a file.
    pub fn new(fault: Fault) -> RuleRuntimeError {
        let (passage, cell) = (None, None);
        RuleRuntimeError { fault, excerpt: passage, cell }
    }

    /// Sets the place in the rulebook.
    #[must_use]
    pub fn with_rulebook_place(mut self, excerpt: RulebookTextSpan) -> RuleRuntimeError {
        self.excerpt = Some(excerpt.into());
        self
    }

    /// Sets the cell that was rolled.
    #[must_use]
    pub fn with_cell(mut self, cell: CellLabel) -> RuleRuntimeError {
        self.cell = Some(cell.into());
        self
    }

    /// Describes the fault and its contest.
    pub fn describe_fault_and_contest(&self) -> String {
        let problem = &self.fault.problem;
        match &self.cell {
            None => problem.clone(),
            Some(cell) => format!("{}: {problem}", cell.describe_contest_and_cell()),
        }
    }
}

impl RuleRuntimeError {
    /// Converts to a fault in the file that contains the rule.
    ///
    /// # Errors
    /// The error itself if its rule is in no file.
    #[doc(hidden)]
    pub fn into_input_error(self) -> Result<InputError, RuleRuntimeError> {
        let problem = self.describe_fault_and_contest();
        let Some(passage) = self.excerpt else {
            return Err(self);
        };
        let RulebookTextSpan { name, text, span } = *passage;
        let fault = Fault { problem, ..self.fault };
        Ok(InputError {
            name,
            text: text.to_string(),
            faults: vec![FaultWithByteSpan { fault, span }],
        })
    }
}

/// Reason why a contest that is too large cannot be played either.
const DECISIONS_NEED_GRAPH: &str =
    "contests with decisions need a complete graph and cannot be simulated without one";

impl TooManyStatesOrDice {
    /// Creates an error for more than `limit` of something, without a cell.
    pub fn new(what: &'static str, limit: usize) -> TooManyStatesOrDice {
        TooManyStatesOrDice { what, limit, grows_with: Vec::new(), decides: false, cell: None }
    }

    /// Describes the excess and its cell.
    pub fn describe_what_is_too_large(&self) -> String {
        let problem = format!("more than {} {}", group_digits(self.limit as u64), self.what);
        match self.cell.as_deref() {
            None => format!("the contest has {problem}"),
            Some(CellLabel { name, axes, .. }) if axes.is_empty() => {
                format!("the contest `{name}` has {problem}")
            }
            Some(CellLabel { name, axes, .. }) => {
                format!("the contest `{name}` has {problem} in the cell {axes}")
            }
        }
    }

    /// Returns the remedy, if there is one.
    pub fn suggest_remedy(&self) -> Option<String> {
        let fields = self.grows_with.iter().map(|field| format!("`{field}`"));
        let fields: Vec<_> = fields.collect();
        let fields = (!fields.is_empty()).then(|| crate::form::join_or(&fields));
        match (fields, self.decides) {
            (None, false) => None,
            (None, true) => Some(DECISIONS_NEED_GRAPH.to_owned()),
            (Some(fields), false) => {
                Some(format!("reduce {fields}, or play it one trial at a time with --played"))
            }
            (Some(fields), true) => Some(format!("reduce {fields}; {DECISIONS_NEED_GRAPH}")),
        }
    }
}

/// Formats `1 error`, `3 errors`.
#[doc(hidden)]
pub fn format_count(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mishap() -> RuleRuntimeError {
        let fault = Fault::new("", "the list has places 1 to 3, and this is place 4");
        RuleRuntimeError::new(fault.with_help("`squads[d3 + 1]`")).with_cell(CellLabel {
            contest: 0,
            name: "bridge".into(),
            axes: "fp 8".into(),
        })
    }

    #[test]
    fn a_rule_that_goes_wrong_says_in_which_contest() {
        let error = mishap().into_input_error().expect_err("it is in no file");
        assert_eq!(
            error.to_string(),
            "the contest `bridge` in the cell fp 8: the list has places 1 to 3, and this is place 4: \
             `squads[d3 + 1]`"
        );
    }

    /// The fault of a rule in a file is shown there, with line and caret.
    #[test]
    fn a_rule_in_a_file_goes_wrong_at_its_place() {
        let passage = RulebookTextSpan {
            name: "my.rules".into(),
            text: "x = squads[4]".into(),
            span: 11..12,
        };
        let located = mishap().with_rulebook_place(passage).into_input_error();
        let InputError { name, text, faults } = located.expect("its rule is in a file");
        assert_eq!((name.as_str(), text.as_str()), ("my.rules", "x = squads[4]"));
        assert_eq!(faults[0].span, 11..12);
        assert!(faults[0].fault.problem.starts_with("the contest `bridge` in"));
        assert_eq!(faults[0].fault.help.as_deref(), Some("`squads[d3 + 1]`"));
    }
}
