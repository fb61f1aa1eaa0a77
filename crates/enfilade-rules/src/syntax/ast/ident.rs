//! Names as written.

use crate::diagnostics::Span;

/// Name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// Text.
    pub text: String,
    /// Place in the file.
    pub span: Span,
}

impl Ident {
    /// Creates a name at a place.
    pub fn new(text: &str, span: Span) -> Ident {
        Ident { text: text.to_owned(), span }
    }
}
