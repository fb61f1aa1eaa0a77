//! What is wrong with a rulebook, and where: collected, so that all of a file is told at once.

use std::ops::Range;

use crate::error::LocatedFault;
use crate::form::{FAULTS, Fault};

/// A part of a file, in bytes.
pub type Span = Range<usize>;

/// The faults of one file.
#[derive(Debug, Default)]
pub struct Faults(Vec<LocatedFault>);

impl Faults {
    /// Notes what is wrong at a place, with advice unless that is empty. Of two faults at one place
    /// the first is told: the second is most often its consequence.
    pub fn note(&mut self, span: Span, problem: impl Into<String>, help: impl Into<String>) {
        if self.0.len() >= FAULTS || self.0.iter().any(|known| known.span == span) {
            return;
        }
        let help = help.into();
        let fault = Fault::new("", problem);
        let fault = match help.is_empty() {
            true => fault,
            false => fault.help(help),
        };
        self.0.push(LocatedFault { fault, span });
    }

    /// Takes the faults of others in.
    pub fn extend(&mut self, others: Faults) {
        for LocatedFault { fault, span } in others.0 {
            self.note(span, fault.problem, fault.help.unwrap_or_default());
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The faults in the order of the file.
    pub fn sorted(mut self) -> Vec<LocatedFault> {
        self.0.sort_by_key(|fault| (fault.span.start, fault.span.end));
        self.0
    }
}
