//! The routes of the papers beside the questions: variants and drafts.

use serde::Serialize;

use super::folder::VariantsOrDrafts;
use super::replies::{self, RouteReply, file_error_reply};
use super::request_parts::RouteParamsAndBody;
use super::variants_and_drafts::{SavedOrDamagedEntry, SavedText};
use super::work::RouteWork;

/// The papers of a drawer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedTextsReply {
    papers: Vec<SavedOrDamagedEntry>,
}

/// A paper, its id, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedTextReply {
    #[serde(flatten)]
    paper: SavedText,
    id: String,
    hash: String,
}

/// A paper that was saved, with its hash, or removed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedHashReply {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

fn work_to_list_saved_texts(kind: VariantsOrDrafts) -> RouteWork {
    RouteWork::for_quick_work(move |bench| {
        replies::ok_json_reply(&SavedTextsReply { papers: bench.drawers.list_oldest_first(kind) })
    })
}

fn work_to_read_saved_text(call: &RouteParamsAndBody<'_>, kind: VariantsOrDrafts) -> RouteWork {
    let id = call.name.to_owned();
    RouteWork::for_quick_work(move |bench| match bench.drawers.read_text_and_hash(kind, &id) {
        Ok((paper, hash)) => replies::ok_json_reply(&SavedTextReply { paper, id, hash }),
        Err(why) => file_error_reply(&why),
    })
}

/// Saves a paper. Its headers name the text to replace, as those of [files](super::file_routes) do.
fn work_to_save_text(
    call: &RouteParamsAndBody<'_>,
    kind: VariantsOrDrafts,
) -> Result<RouteWork, RouteReply> {
    let (id, seen) = (call.name.to_owned(), call.seen_hash()?);
    let paper: SavedText = replies::parse_request_body(call.body)?;
    Ok(RouteWork::for_quick_work(move |bench| {
        match bench.drawers.save_if_unchanged(kind, &id, &paper, seen.as_deref()) {
            Ok(hash) => replies::ok_json_reply(&SavedHashReply { id, hash: Some(hash) }),
            Err(why) => file_error_reply(&why),
        }
    }))
}

fn work_to_remove_saved_text(
    call: &RouteParamsAndBody<'_>,
    kind: VariantsOrDrafts,
) -> Result<RouteWork, RouteReply> {
    let (id, seen) = (call.name.to_owned(), call.seen_hash()?.unwrap_or_default());
    Ok(RouteWork::for_quick_work(move |bench| {
        match bench.drawers.remove_if_unchanged(kind, &id, &seen) {
            Ok(()) => replies::ok_json_reply(&SavedHashReply { id, hash: None }),
            Err(why) => file_error_reply(&why),
        }
    }))
}

/// The routes of a drawer.
macro_rules! drawer {
    ($name:ident, $kind:expr) => {
        pub mod $name {
            use crate::app_state::AppState;
            use crate::folder::VariantsOrDrafts;
            use crate::replies::RouteReply;
            use crate::request_parts::RouteParamsAndBody;
            use crate::work::RouteWork;

            /// Lists its papers.
            ///
            /// # Errors
            /// Never: the signature is that of all routes.
            pub fn list(_: &AppState, _: &RouteParamsAndBody<'_>) -> Result<RouteWork, RouteReply> {
                Ok(super::work_to_list_saved_texts($kind))
            }

            /// Reads one of its papers. A missing paper is a refusal in the reply.
            ///
            /// # Errors
            /// Never: the signature is that of all routes.
            pub fn read(
                _: &AppState,
                call: &RouteParamsAndBody<'_>,
            ) -> Result<RouteWork, RouteReply> {
                Ok(super::work_to_read_saved_text(call, $kind))
            }

            /// Saves a paper.
            ///
            /// # Errors
            /// A refusal without a header that names the text to replace, or if the body is no
            /// paper.
            pub fn keep(
                _: &AppState,
                call: &RouteParamsAndBody<'_>,
            ) -> Result<RouteWork, RouteReply> {
                super::work_to_save_text(call, $kind)
            }

            /// Removes a paper.
            ///
            /// # Errors
            /// A refusal without a header that names the text to remove.
            pub fn forget(
                _: &AppState,
                call: &RouteParamsAndBody<'_>,
            ) -> Result<RouteWork, RouteReply> {
                super::work_to_remove_saved_text(call, $kind)
            }
        }
    };
}

drawer!(variants, VariantsOrDrafts::Variants);
drawer!(drafts, VariantsOrDrafts::Drafts);
