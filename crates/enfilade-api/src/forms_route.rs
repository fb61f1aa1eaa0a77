//! The route of the forms: all questions, in all rulebooks of the program and of the folder.

use serde::Serialize;

use super::app_state::AppState;
use super::replies::{self, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::RouteWork;
use super::{export_route, folder_rulebooks};
use enfilade_report::forms_json::{self, FormsDocument, TilesDocument};

/// All forms, the name of the folder, and the sheets that this program can make.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AllActionFormsReply {
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    document: FormsDocument,
    folder: String,
    sheets: Vec<&'static str>,
}

/// Lists all forms.
///
/// # Errors
/// Never: the signature is that of all routes.
pub fn reply_with_all_action_forms(
    _: &AppState,
    _: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    Ok(RouteWork::for_quick_work(|bench| {
        let document = forms_json::build_forms_document(&folder_rulebooks::with_folder_rulebooks(
            &bench.built_in,
            &bench.folder,
        ));
        replies::ok_json_reply(&AllActionFormsReply {
            document,
            folder: bench.folder.folder_title(),
            sheets: export_route::names_of_exports(),
        })
    }))
}

/// The names and questions of all actions, the name of the folder, and the sheets that can be
/// exported: enough for the first picture of a page, which loads the fields afterwards.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TilesReply {
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    document: TilesDocument,
    folder: String,
    sheets: Vec<&'static str>,
}

/// Lists the tiles of all actions.
///
/// # Errors
/// Never: the signature is that of all routes.
pub fn reply_with_tiles(_: &AppState, _: &RouteParamsAndBody<'_>) -> Result<RouteWork, RouteReply> {
    Ok(RouteWork::for_quick_work(|bench| {
        let document = forms_json::build_tiles_document(&folder_rulebooks::with_folder_rulebooks(
            &bench.built_in,
            &bench.folder,
        ));
        replies::ok_json_reply(&TilesReply {
            document,
            folder: bench.folder.folder_title(),
            sheets: export_route::names_of_exports(),
        })
    }))
}
