//! The texts that a rulebook was read from, one behind the other: a place among all is a place in one.

use std::sync::Arc;

use crate::diagnostics::{Faults, Span};
use enfilade_model::error::{Error, LocatedFault};

/// A file as it was read, and where it begins among all of them.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
    /// The place of its first byte.
    pub start: usize,
}

/// The faults of the first file that has some.
pub fn refused(sources: &[Source], faults: Faults) -> Error {
    let faults = faults.sorted();
    let of = |span: &Span| source_of(sources, span);
    let first = faults.first().map_or(0, |fault| of(&fault.span));
    let Some(source) = sources.get(first) else {
        return Error::Usage("the rulebook is empty".into());
    };
    let faults = faults.into_iter().filter(|fault| of(&fault.span) == first);
    let local = |mut fault: LocatedFault| {
        fault.span = within(source, &fault.span);
        fault
    };
    Error::Input {
        name: source.name.clone(),
        text: source.text.to_string(),
        faults: faults.map(local).collect(),
    }
}

/// The file in which a place is.
pub fn source_of(sources: &[Source], span: &Span) -> usize {
    let found = sources.iter().rposition(|source| source.start <= span.start);
    found.unwrap_or(0)
}

/// The file in which a place is, and its line there, from 1.
pub fn line_of<'s>(sources: &'s [Source], span: &Span) -> Option<(&'s Source, usize)> {
    let source = sources.get(source_of(sources, span))?;
    Some((source, source.text[..within(source, span).start].matches('\n').count() + 1))
}

/// A place among all files as a place in its own.
pub fn within(source: &Source, span: &Span) -> Span {
    let place = |at: usize| at.saturating_sub(source.start).min(source.text.len());
    place(span.start)..place(span.end)
}
