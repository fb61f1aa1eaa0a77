//! Names as written.

use crate::diagnostics::Span;

/// Name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Text.
    pub text: String,
    /// Place in the file.
    pub span: Span,
}

impl Name {
    /// Creates a name at a place.
    pub fn new(text: &str, span: Span) -> Name {
        Name { text: text.to_owned(), span }
    }
}
