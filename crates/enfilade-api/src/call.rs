//! A request, as much of it as matters to an answer.

use http::StatusCode;

use super::replies::{self, Reply};

/// A request: the part of its path that is a name, the text that its writer has seen, and its body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call<'c> {
    /// The name in the path; empty where the path has none.
    pub name: &'c str,
    /// `If-Match`: the hash of the text that is to be replaced.
    pub replaces: Option<&'c str>,
    /// `If-None-Match`: `*` where there should be no such file yet.
    pub unless: Option<&'c str>,
    /// The body.
    pub body: &'c [u8],
}

impl Call<'_> {
    /// The hash of the text that the writer has seen; `None` where there was none.
    ///
    /// # Errors
    /// The refusal of a writer who names neither: two pages may hold one file, and could write over each other's work.
    pub fn seen(&self) -> Result<Option<String>, Reply> {
        match (self.replaces, self.unless) {
            (Some(hash), None) => Ok(Some(hash.trim_matches('"').to_owned())),
            (None, Some("*")) => Ok(None),
            _ => {
                let why = "say which text is replaced: If-Match, or If-None-Match: *";
                Err(replies::refusal(StatusCode::PRECONDITION_REQUIRED, why))
            }
        }
    }
}
