//! Names as they were written.

use crate::diagnostics::Span;

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl Name {
    /// A name as it is written at a place.
    pub fn new(text: &str, span: Span) -> Name {
        Name { text: text.to_owned(), span }
    }
}
