//! Texts of a rulebook, one after another: a place among all files maps to a place in one.

use std::sync::Arc;

use crate::diagnostics::{Faults, Span};
use enfilade_model::error::{FaultWithByteSpan, InputError};

/// Text of a file, and its offset among all files.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// Name in messages.
    pub name: String,
    /// Text.
    pub text: Arc<str>,
    /// Offset of its first byte.
    pub start: usize,
}

/// Returns an error with the faults of the first faulty file.
pub fn error_of_first_faulty_file(sources: &[SourceText], faults: Faults) -> InputError {
    let faults = faults.into_sorted();
    let of = |span: &Span| source_index_of_span(sources, span);
    let first = faults.first().map_or(0, |fault| of(&fault.span));
    let Some(source) = sources.get(first) else {
        return InputError { name: "the rulebook".to_owned(), text: String::new(), faults };
    };
    let faults = faults.into_iter().filter(|fault| of(&fault.span) == first);
    let local = |mut fault: FaultWithByteSpan| {
        fault.span = span_in_file(source, &fault.span);
        fault
    };
    InputError {
        name: source.name.clone(),
        text: source.text.to_string(),
        faults: faults.map(local).collect(),
    }
}

/// Returns the index of the file that contains a place.
pub fn source_index_of_span(sources: &[SourceText], span: &Span) -> usize {
    let index = sources.iter().rposition(|source| source.start <= span.start);
    index.unwrap_or(0)
}

/// Returns the file that contains a place, and the line in it, from 1.
pub fn file_and_line_of_span<'s>(
    sources: &'s [SourceText],
    span: &Span,
) -> Option<(&'s SourceText, usize)> {
    let source = sources.get(source_index_of_span(sources, span))?;
    Some((source, source.text[..span_in_file(source, span).start].matches('\n').count() + 1))
}

/// Returns the text at a place among all files.
pub fn text_of_span<'s>(sources: &'s [SourceText], span: &Span) -> &'s str {
    let source = sources.get(source_index_of_span(sources, span));
    source.and_then(|source| source.text.get(span_in_file(source, span))).unwrap_or_default()
}

/// Converts a place among all files to a place in one file.
pub fn span_in_file(source: &SourceText, span: &Span) -> Span {
    let place = |at: usize| at.saturating_sub(source.start).min(source.text.len());
    place(span.start)..place(span.end)
}
