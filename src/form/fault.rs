//! What is wrong with a form, and where.

/// Faults that are looked for in one file or one form: what comes after them is most often their
/// consequence, and nobody reads as far.
pub const FAULTS: usize = 50;

/// One thing that is wrong with what a designer wrote.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Where: `fp`, `target[1].morale` (entries counted from 0), or empty for the whole contest.
    pub path: String,
    /// What is wrong and what was expected, as one sentence without a full stop.
    pub problem: String,
    /// What to do about it, such as the nearest valid name.
    pub help: Option<String>,
}

impl Fault {
    /// A fault in the field at `path`.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Fault { path: path.into(), problem: problem.into(), help: None }
    }

    /// The same fault with advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same fault, seen from the table that holds `outer`: `morale` in `target[1]` becomes
    /// `target[1].morale`.
    pub fn within(mut self, outer: &str) -> Self {
        self.path =
            if self.path.is_empty() { outer.to_owned() } else { format!("{outer}.{}", self.path) };
        self
    }
}
