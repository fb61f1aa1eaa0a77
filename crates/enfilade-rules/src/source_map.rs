//! Texts of a rulebook, one after another: a place among all files maps to a place in one.

use std::sync::Arc;

use crate::diagnostics::{Faults, Span};
use enfilade_model::error::{Error, LocatedFault};

/// Text of a file, and its offset among all files.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name in messages.
    pub name: String,
    /// Text.
    pub text: Arc<str>,
    /// Offset of its first byte.
    pub start: usize,
}

/// Returns an error with the faults of the first faulty file.
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

/// Returns the index of the file that contains a place.
pub fn source_of(sources: &[Source], span: &Span) -> usize {
    let found = sources.iter().rposition(|source| source.start <= span.start);
    found.unwrap_or(0)
}

/// Returns the file that contains a place, and the line in it, from 1.
pub fn line_of<'s>(sources: &'s [Source], span: &Span) -> Option<(&'s Source, usize)> {
    let source = sources.get(source_of(sources, span))?;
    Some((source, source.text[..within(source, span).start].matches('\n').count() + 1))
}

/// Converts a place among all files to a place in one file.
pub fn within(source: &Source, span: &Span) -> Span {
    let place = |at: usize| at.saturating_sub(source.start).min(source.text.len());
    place(span.start)..place(span.end)
}
