//! The one error type of the library, and the exit code each kind of error has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::form::Fault;
use crate::form::sanitize::grouped;

/// What can go wrong outside a rule.
///
/// ```
/// use enfilade_model::error::Error;
/// let error = Error::Usage("a report has one folder".to_owned());
/// assert_eq!((error.exit_code(), error.to_string().as_str()), (2, "a report has one folder"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input file has faults; all of them are here.
    #[error("{} in {name}", counted(faults.len(), "error"))]
    Input {
        /// The file's name as given, or `standard input`.
        name: String,
        /// The file's text, for showing the lines at fault.
        text: String,
        /// What is wrong and where.
        faults: Vec<LocatedFault>,
    },
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// A contest that is too large for the engine it was given to.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A rule that went wrong while it was rolled and stands in no file.
    #[error(transparent)]
    Mishap(Mishap),
    /// A file could not be read or written.
    #[error("{what} {}: {source}", path.display())]
    Io {
        /// What was being done: `reading`, `writing`.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Another process is writing to the same folder.
    #[error("{} is being written by another run: {by}", folder.display())]
    Held {
        /// The folder.
        folder: PathBuf,
        /// Who that is: its process and its command.
        by: String,
    },
    /// A folder of results is not as it was written.
    #[error("{} is not as it was written: {}", folder.display(), faults.join("; "))]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with which file.
        faults: Vec<String>,
    },
    /// Something could not be encoded or drawn.
    #[error("{what}: {why}")]
    Output {
        /// What was being made.
        what: String,
        /// What its library says.
        why: String,
    },
    /// Exact and simulated disagree.
    #[error("{0}")]
    Disagreement(String),
    /// Some cells have no answer, or a sweep lacks some of its parts.
    #[error("{0}")]
    Incomplete(String),
    /// No setting meets what a search asks for.
    #[error("{0}")]
    NothingFits(String),
    /// Stopped by the user; what was finished has been saved.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

/// A fault with its place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedFault {
    /// What is wrong.
    pub fault: Fault,
    /// The bytes of the file that are at fault.
    pub span: std::ops::Range<usize>,
}

/// The fault of a text with more than `limit` bytes.
#[doc(hidden)]
pub fn too_large(limit: u64) -> Fault {
    Fault::new("", format!("the file has more than {limit} bytes"))
}

/// A contest with more states or dice than an engine accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", self.problem(), self.advice().map_or(String::new(), |advice| format!(": {advice}")))]
pub struct TooLarge {
    /// What there is too much of: `states`, `nodes`.
    pub what: &'static str,
    /// The limit that was passed.
    pub limit: usize,
    /// The fields to reduce, most effective first.
    pub grows_with: Vec<String>,
    /// Whether players decide in it, so that it cannot be played without its graph either.
    pub decides: bool,
    /// Which cell of an experiment it is, if it is one.
    pub cell: Option<CellName>,
}

/// A cell of an experiment, as a message names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellName {
    /// Position of its contest in the file, from 0.
    pub contest: usize,
    /// Its contest's name.
    pub name: String,
    /// Its place on the grid, `fp 8, drm -1`; empty when the contest is one cell.
    pub axes: String,
}

impl CellName {
    /// Which contest it is, and which cell of its grid: `the contest `x` in the cell fp 8`.
    fn told(&self) -> String {
        let CellName { name, axes, .. } = self;
        match axes.as_str() {
            "" => format!("the contest `{name}`"),
            axes => format!("the contest `{name}` in the cell {axes}"),
        }
    }
}

/// A rule that went wrong while it was rolled: what it asks for cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", self.problem(), self.fault.help.as_ref().map_or(String::new(), |help| format!(": {help}")))]
#[non_exhaustive]
pub struct Mishap {
    /// What went wrong.
    pub fault: Fault,
    /// Where the rule says so, if it stands in a file.
    pub passage: Option<Box<Passage>>,
    /// Which cell of an experiment was rolled, if it was one.
    pub cell: Option<Box<CellName>>,
}

/// A place in the text of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The rulebook's name as given.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
    /// The bytes of the text that are meant.
    pub span: std::ops::Range<usize>,
}

impl Mishap {
    /// Something that went wrong in a rule that stands in no file.
    pub fn new(fault: Fault) -> Mishap {
        let (passage, cell) = (None, None);
        Mishap { fault, passage, cell }
    }

    /// The same in a rule that says so there.
    #[must_use]
    pub fn at(mut self, passage: Passage) -> Mishap {
        self.passage = Some(passage.into());
        self
    }

    /// The same, seen while that cell was rolled.
    #[must_use]
    pub fn of(mut self, cell: CellName) -> Mishap {
        self.cell = Some(cell.into());
        self
    }

    /// What is wrong, and in which contest.
    pub fn problem(&self) -> String {
        let problem = &self.fault.problem;
        match &self.cell {
            None => problem.clone(),
            Some(cell) => format!("{}: {problem}", cell.told()),
        }
    }
}

impl From<Mishap> for Error {
    /// A fault in the file that the rule stands in, where there is one.
    fn from(mishap: Mishap) -> Error {
        let problem = mishap.problem();
        let Some(passage) = mishap.passage else {
            return Error::Mishap(mishap);
        };
        let Passage { name, text, span } = *passage;
        let fault = Fault { problem, ..mishap.fault };
        Error::Input { name, text: text.to_string(), faults: vec![LocatedFault { fault, span }] }
    }
}

/// Why a contest that is too large cannot be played either.
const UNDECIDED: &str =
    "what is best is found in the whole contest, so its decisions cannot be played without it";

impl TooLarge {
    /// More than `limit` of something, nobody knows yet where.
    pub fn new(what: &'static str, limit: usize) -> TooLarge {
        TooLarge { what, limit, grows_with: Vec::new(), decides: false, cell: None }
    }

    /// What is wrong, and where.
    pub fn problem(&self) -> String {
        let problem = format!("more than {} {}", grouped(self.limit as u64), self.what);
        match &self.cell {
            None => format!("the contest has {problem}"),
            Some(CellName { name, axes, .. }) if axes.is_empty() => {
                format!("the contest `{name}` has {problem}")
            }
            Some(CellName { name, axes, .. }) => {
                format!("the contest `{name}` has {problem} in the cell {axes}")
            }
        }
    }

    /// What to do about it, if that is known.
    pub fn advice(&self) -> Option<String> {
        let fields = self.grows_with.iter().map(|field| format!("`{field}`"));
        let fields: Vec<_> = fields.collect();
        let fields = (!fields.is_empty()).then(|| crate::form::one_of(&fields));
        match (fields, self.decides) {
            (None, false) => None,
            (None, true) => Some(UNDECIDED.to_owned()),
            (Some(fields), false) => {
                Some(format!("reduce {fields}, or play it one trial at a time with --played"))
            }
            (Some(fields), true) => Some(format!("reduce {fields}; {UNDECIDED}")),
        }
    }
}

/// Why a contest was not worked out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// It is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The rule went wrong while it was rolled.
    #[error(transparent)]
    Mishap(#[from] Mishap),
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<Unsolved> for Error {
    fn from(why: Unsolved) -> Error {
        match why {
            Unsolved::TooLarge(refusal) => refusal.into(),
            Unsolved::Mishap(mishap) => mishap.into(),
            Unsolved::Stopped => Error::Interrupted("the contest was not worked out".to_owned()),
        }
    }
}

impl Error {
    /// What is told of an error of the system while `what`, such as `reading`, is done at `path`.
    pub fn io<P: AsRef<Path> + ?Sized>(
        what: &'static str,
        path: &P,
    ) -> impl Fn(std::io::Error) -> Error {
        move |source| Error::Io { what, path: path.as_ref().to_owned(), source }
    }

    /// Whether it is of one contest, and says nothing of others.
    pub fn is_of_a_contest(&self) -> bool {
        matches!(self, Error::Input { .. } | Error::TooLarge(_) | Error::Mishap(_))
    }

    /// The exit code of a program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Disagreement(_) => 1,
            Error::Input { .. } | Error::Usage(_) | Error::TooLarge(_) | Error::Mishap(_) => 2,
            Error::Io { .. } | Error::Output { .. } | Error::Held { .. } => 3,
            Error::Incomplete(_) => 4,
            Error::Damaged { .. } => 5,
            Error::NothingFits(_) => 6,
            Error::Interrupted(_) => 130,
        }
    }
}

/// `1 error`, `3 errors`.
pub fn counted(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mishap() -> Mishap {
        let fault = Fault::new("", "the list has places 1 to 3, and this is place 4");
        Mishap::new(fault.help("`squads[d3 + 1]`")).of(CellName {
            contest: 0,
            name: "bridge".into(),
            axes: "fp 8".into(),
        })
    }

    #[test]
    fn a_rule_that_goes_wrong_says_in_which_contest() {
        let error = Error::from(mishap());
        assert_eq!(
            error.to_string(),
            "the contest `bridge` in the cell fp 8: the list has places 1 to 3, and this is place 4: \
             `squads[d3 + 1]`"
        );
        assert_eq!(error.exit_code(), 2);
    }

    /// A rule that stands in a file is shown there, with line and caret.
    #[test]
    fn a_rule_in_a_file_goes_wrong_at_its_place() {
        let passage =
            Passage { name: "my.rules".into(), text: "x = squads[4]".into(), span: 11..12 };
        let Error::Input { name, text, faults } = Error::from(mishap().at(passage)) else {
            panic!("it stands in a file");
        };
        assert_eq!((name.as_str(), text.as_str()), ("my.rules", "x = squads[4]"));
        assert_eq!(faults[0].span, 11..12);
        assert!(faults[0].fault.problem.starts_with("the contest `bridge` in"));
        assert_eq!(faults[0].fault.help.as_deref(), Some("`squads[d3 + 1]`"));
    }
}
