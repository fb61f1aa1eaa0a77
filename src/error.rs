//! The one error type of the library, and the exit code each kind of error has.

use std::path::PathBuf;

use crate::form::Fault;

/// What can go wrong outside a rule.
#[derive(Debug, thiserror::Error)]
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

/// A contest with more states or dice than an engine accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the contest has more than {limit} {what}{}", advice(grows_with))]
pub struct TooLarge {
    /// What there is too much of: `states`, `nodes`.
    pub what: &'static str,
    /// The limit that was passed.
    pub limit: usize,
    /// The fields to reduce, most effective first.
    pub grows_with: Vec<String>,
}

fn advice(grows_with: &[String]) -> String {
    if grows_with.is_empty() {
        return String::new();
    }
    let fields: Vec<_> = grows_with
        .iter()
        .map(|field| format!("`{field}`"))
        .collect();
    let fields = crate::form::one_of(&fields);
    format!(": reduce {fields}, or play it one trial at a time with --played")
}

impl Error {
    /// The exit code of a program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Disagreement(_) => 1,
            Error::Input { .. } | Error::Usage(_) | Error::TooLarge(_) => 2,
            Error::Io { .. } | Error::Output { .. } => 3,
            Error::Interrupted(_) => 130,
        }
    }
}

/// `1 error`, `3 errors`.
pub fn counted(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}
