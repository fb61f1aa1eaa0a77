//! The routes of the papers beside the questions: variants and drafts.

use serde::Serialize;

use super::call::Call;
use super::drawers::{PaperEntry, StoredPaper};
use super::folder::DrawerKind;
use super::replies::{self, Reply, file_error_response};
use super::work::Work;

/// The papers of a drawer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PapersReply {
    papers: Vec<PaperEntry>,
}

/// A paper, its id, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PaperReply {
    #[serde(flatten)]
    paper: StoredPaper,
    id: String,
    hash: String,
}

/// A paper that was saved, with its hash, or removed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeptReply {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

fn list(kind: DrawerKind) -> Work {
    Work::light(move |bench| replies::ok_reply(&PapersReply { papers: bench.drawers.list(kind) }))
}

fn read(call: &Call<'_>, kind: DrawerKind) -> Work {
    let id = call.name.to_owned();
    Work::light(move |bench| match bench.drawers.read(kind, &id) {
        Ok((paper, hash)) => replies::ok_reply(&PaperReply { paper, id, hash }),
        Err(why) => file_error_response(&why),
    })
}

/// Saves a paper. Its headers name the text to replace, as those of [files](super::file_routes) do.
fn save_paper(call: &Call<'_>, kind: DrawerKind) -> Result<Work, Reply> {
    let (id, seen) = (call.name.to_owned(), call.seen()?);
    let paper: StoredPaper = replies::parse_body(call.body)?;
    Ok(Work::light(move |bench| {
        match bench.drawers.save_paper(kind, &id, &paper, seen.as_deref()) {
            Ok(hash) => replies::ok_reply(&KeptReply { id, hash: Some(hash) }),
            Err(why) => file_error_response(&why),
        }
    }))
}

fn remove_paper(call: &Call<'_>, kind: DrawerKind) -> Result<Work, Reply> {
    let (id, seen) = (call.name.to_owned(), call.seen()?.unwrap_or_default());
    Ok(Work::light(move |bench| match bench.drawers.remove_paper(kind, &id, &seen) {
        Ok(()) => replies::ok_reply(&KeptReply { id, hash: None }),
        Err(why) => file_error_response(&why),
    }))
}

/// The routes of a drawer.
macro_rules! drawer {
    ($name:ident, $kind:expr) => {
        pub mod $name {
            use crate::app_state::AppState;
            use crate::call::Call;
            use crate::folder::DrawerKind;
            use crate::replies::Reply;
            use crate::work::Work;

            /// Lists its papers.
            ///
            /// # Errors
            /// Never: the signature is that of all routes.
            pub fn list(_: &AppState, _: &Call<'_>) -> Result<Work, Reply> {
                Ok(super::list($kind))
            }

            /// Reads one of its papers. A missing paper is a refusal in the reply.
            ///
            /// # Errors
            /// Never: the signature is that of all routes.
            pub fn read(_: &AppState, call: &Call<'_>) -> Result<Work, Reply> {
                Ok(super::read(call, $kind))
            }

            /// Saves a paper.
            ///
            /// # Errors
            /// A refusal without a header that names the text to replace, or if the body is no paper.
            pub fn keep(_: &AppState, call: &Call<'_>) -> Result<Work, Reply> {
                super::save_paper(call, $kind)
            }

            /// Removes a paper.
            ///
            /// # Errors
            /// A refusal without a header that names the text to remove.
            pub fn forget(_: &AppState, call: &Call<'_>) -> Result<Work, Reply> {
                super::remove_paper(call, $kind)
            }
        }
    };
}

drawer!(variants, DrawerKind::Variants);
drawer!(drafts, DrawerKind::Drafts);
