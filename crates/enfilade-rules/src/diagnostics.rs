//! Faults of a rulebook with their places, collected so that one run reports all of them.

use std::ops::Range;

use rustc_hash::FxHashSet;

use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::{Fault, MAX_COLLECTED_FAULTS, name_matching};

/// Range of a file, in bytes.
pub type Span = Range<usize>;

/// Faults of one file.
#[derive(Debug, Default)]
pub struct Faults {
    faults: Vec<FaultWithByteSpan>,
    /// Names in lines that could not be parsed: a fault about them may only be a consequence.
    suppressed: FxHashSet<String>,
}

impl Faults {
    /// Notes a fault with its help, which may be empty. Of two faults at one place only the first
    /// is kept, because the second is usually its consequence.
    pub fn add_fault_at_span(
        &mut self,
        span: Span,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) {
        let problem = problem.into();
        let is_noted = self.faults.iter().any(|known| known.span == span);
        if self.faults.len() >= MAX_COLLECTED_FAULTS
            || is_noted
            || self.mentions_suppressed_name(&problem)
        {
            return;
        }
        let help = help.into();
        let fault = Fault::new("", problem);
        let fault = match help.is_empty() {
            true => fault,
            false => fault.with_help(help),
        };
        self.faults.push(FaultWithByteSpan { fault, span });
    }

    /// Adds the faults of another file.
    pub fn merge_faults_of_other_file(&mut self, others: Faults) {
        for FaultWithByteSpan { fault, span } in others.faults {
            self.add_fault_at_span(span, fault.problem, fault.help.unwrap_or_default());
        }
    }

    /// Suppresses further faults about these names.
    pub fn suppress(&mut self, names: impl IntoIterator<Item = String>) {
        self.suppressed.extend(names);
    }

    /// Returns whether faults about a name are suppressed.
    pub fn is_suppressed(&self, name: &str) -> bool {
        self.suppressed.contains(name)
    }

    /// Returns whether some line could not be parsed, so that a missing name may be declared there.
    pub fn may_miss_declarations(&self) -> bool {
        !self.suppressed.is_empty()
    }

    /// Returns whether a message contains a suppressed name between backticks.
    fn mentions_suppressed_name(&self, problem: &str) -> bool {
        let mut quoted = problem.split('`').skip(1).step_by(2);
        let doubts = |text: &str| {
            self.suppressed.contains(text)
                || identifier_like_words(text).any(|name| self.suppressed.contains(name))
        };
        self.may_miss_declarations() && quoted.any(doubts)
    }

    /// Returns whether there are no faults.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// Returns the number of faults.
    pub fn len(&self) -> usize {
        self.faults.len()
    }

    /// Returns the faults in the order of the file.
    pub fn into_sorted(mut self) -> Vec<FaultWithByteSpan> {
        self.faults.sort_by_key(|fault| (fault.span.start, fault.span.end));
        self.faults
    }
}

/// Returns the words of a text that may be names: letters, digits and `_`, without a leading digit.
pub fn identifier_like_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Fault that occurred while a rule was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRunFailure {
    /// Place in the file.
    pub span: Span,
    /// Cause.
    pub problem: String,
    /// Remedy.
    pub help: String,
}

/// Reason why an instruction cannot be executed.
#[derive(Debug)]
pub enum InstrError {
    /// The cell that it looks up is blank.
    Blank,
    /// Message of any other failure.
    Message(String),
}

impl From<String> for InstrError {
    fn from(problem: String) -> InstrError {
        InstrError::Message(problem)
    }
}

/// Returns `did you mean …?` if a known name is similar.
pub(crate) fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let near = name_matching::find_nearest_name(name, names);
    near.map_or(String::new(), |near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name of a line that could not be read, alone or within what is quoted.
    #[test]
    fn a_fault_that_quotes_an_unread_name_is_only_a_consequence() {
        let mut faults = Faults::default();
        faults.suppress(["hits".to_owned(), "7 men".to_owned()]);
        for (at, problem) in [
            "there is no `hits` here",
            "`hits + 1` is no word",
            "`t` has no row `7 men`",
            "`skill` is not `2 * hits`",
            "`hit` has no hits",
            "`7` is no row",
        ]
        .into_iter()
        .enumerate()
        {
            faults.add_fault_at_span(at..at + 1, problem, "");
        }
        let told: Vec<usize> = faults.into_sorted().iter().map(|fault| fault.span.start).collect();
        assert_eq!(told, [4, 5]);
    }
}
