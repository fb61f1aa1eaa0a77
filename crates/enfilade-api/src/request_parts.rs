//! A request without its transport: the parts that an answer depends on.

use http::StatusCode;

use super::replies::{self, RouteReply};

/// A request: the part of its path that is a name, the text that its writer has seen, and its body.
#[derive(Clone, Copy, Debug, Default)]
pub struct RouteParamsAndBody<'c> {
    /// The name in the path; empty if the route has none.
    pub name: &'c str,
    /// `If-Match`: the hash of the text that is to be replaced.
    pub replaces: Option<&'c str>,
    /// `If-None-Match`: `*` for a file that must not exist yet.
    pub unless: Option<&'c str>,
    /// The body.
    pub body: &'c [u8],
}

impl RouteParamsAndBody<'_> {
    /// Returns the hash of the text that the writer has seen; `None` for a new file.
    ///
    /// # Errors
    /// A refusal if the request has neither header: two pages may have one file open, and one could
    /// overwrite the work of the other.
    pub fn seen_hash(&self) -> Result<Option<String>, RouteReply> {
        match (self.replaces, self.unless) {
            (Some(hash), None) => Ok(Some(hash.trim_matches('"').to_owned())),
            (None, Some("*")) => Ok(None),
            _ => {
                let why = "a header is missing: send If-Match with the hash of the text to replace, or \
                           If-None-Match: * for a new file";
                Err(replies::refusal_reply(StatusCode::PRECONDITION_REQUIRED, why))
            }
        }
    }
}
