//! What is wrong with a rulebook, and where: collected, so that all of a file is told at once.

use std::ops::Range;

use rustc_hash::FxHashSet;

use enfilade_model::error::LocatedFault;
use enfilade_model::form::{FAULTS, Fault, name_matching};

/// A part of a file, in bytes.
pub type Span = Range<usize>;

/// The faults of one file.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<LocatedFault>,
    /// Names that stand in what could not be read: what is wrong with them may only follow from that.
    doubts: FxHashSet<String>,
}

impl Faults {
    /// Notes what is wrong at a place, with advice unless that is empty. Of two faults at one place
    /// the first is told: the second is most often its consequence.
    pub fn note(&mut self, span: Span, problem: impl Into<String>, help: impl Into<String>) {
        let problem = problem.into();
        let known = self.found.iter().any(|known| known.span == span);
        if self.found.len() >= FAULTS || known || self.is_doubtful(&problem) {
            return;
        }
        let help = help.into();
        let fault = Fault::new("", problem);
        let fault = match help.is_empty() {
            true => fault,
            false => fault.help(help),
        };
        self.found.push(LocatedFault { fault, span });
    }

    /// Takes the faults of others in.
    pub fn extend(&mut self, others: Faults) {
        for LocatedFault { fault, span } in others.found {
            self.note(span, fault.problem, fault.help.unwrap_or_default());
        }
    }

    /// From here on nothing is told of these names.
    pub fn doubt(&mut self, names: impl IntoIterator<Item = String>) {
        self.doubts.extend(names);
    }

    /// Whether nothing is told of a name.
    pub fn has_doubt(&self, name: &str) -> bool {
        self.doubts.contains(name)
    }

    /// Whether something could not be read, so that what is missing may stand there.
    pub fn has_doubts(&self) -> bool {
        !self.doubts.is_empty()
    }

    /// Whether a sentence speaks of a name of which nothing is told: names stand between `` ` ``.
    fn is_doubtful(&self, problem: &str) -> bool {
        let mut quoted = problem.split('`').skip(1).step_by(2);
        let doubts = |text: &str| {
            self.doubts.contains(text) || words_in(text).any(|name| self.doubts.contains(name))
        };
        self.has_doubts() && quoted.any(doubts)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The faults in the order of the file.
    pub fn sorted(mut self) -> Vec<LocatedFault> {
        self.found.sort_by_key(|fault| (fault.span.start, fault.span.end));
        self.found
    }
}

/// What may be names in a text: letters, digits and `_`, not a digit first.
pub fn words_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// What is wrong with a rule that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where in the file.
    pub span: Span,
    /// What.
    pub problem: String,
    /// What to do about it.
    pub help: String,
}

/// Why an operation cannot be carried out.
#[derive(Debug)]
pub enum Trouble {
    /// A cell that it looks up is blank.
    Blank,
    /// What this sentence says.
    Said(String),
}

impl From<String> for Trouble {
    fn from(problem: String) -> Trouble {
        Trouble::Said(problem)
    }
}

/// `did you mean …?`, where something is near.
pub(crate) fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = name_matching::nearest(name, known);
    near.map_or(String::new(), |near| format!("did you mean `{near}`?"))
}
