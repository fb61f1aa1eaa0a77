//! The requests of the studio's page and their answers, without a server.
//!
//! The studio is a page on which a player fills in a form or writes a file, and sees its odds. Its
//! requests are those of HTTP: [`ALL_STUDIO_ROUTES`] lists every method and path with the function
//! that answers. A [`RouteParamsAndBody`] is a request and a [`RouteReply`] an answer; neither
//! depends on a network. [`AppState`] has the rulebooks and files that all routes share, and a
//! [`AnswerHost`] provides clock, threads and cancellation. So the program behind a server, and the
//! module inside a page without one, give the same bytes.
//!
//! ```
//! use std::sync::Arc;
//! use enfilade_api::{HostWithoutServices, AppState, RouteParamsAndBody, MemoryFolder, PageSession};
//!
//! let files = MemoryFolder::new("my game", &[]);
//! let app = AppState::new(&enfilade_games::built_in_catalogue(), Arc::new(files), Box::new(HostWithoutServices), enfilade_api::BuildId("x"));
//! let session = PageSession::new(app);
//! let call = RouteParamsAndBody { body: br#"{"text": "2d6"}"#, ..RouteParamsAndBody::default() };
//! let reply = session.answer_request("POST", "/api/dice", &call);
//! assert_eq!(reply.status, 200);
//! assert!(String::from_utf8_lossy(&reply.body).contains("\"expression\":\"2d6\""));
//! ```

mod app_state;
mod battle_cache;
mod bundled_texts;
mod completion_route;
mod dice_route;
mod draft_check;
mod export_route;
mod file_routes;
mod folder;
mod folder_rulebooks;
mod forms_route;
mod grid_view;
mod host;
mod interim_prices;
mod job_routes;
mod jobs;
mod line_endings;
mod live_question;
mod memory_files;
mod page_question;
mod replies;
mod request_parts;
mod roll_explanation;
mod routes;
mod session;
mod solved_grid_view;
mod strategy_route;
#[cfg(test)]
mod types;
mod variant_draft_routes;
mod variants_and_drafts;
mod wanted_route;
mod work;

pub use app_state::{AppState, PATIENT_TIME_LIMIT};
pub use enfilade_report::error::ReportError;
pub use enfilade_study::checkpoint::journal::BuildId;
pub use folder::{
    FileAccessError, FileStorage, FileTextAndHash, FolderEntry, MAX_FOLDER_DEPTH, MAX_LISTED_FILES,
    StudioFolder, VariantsOrDrafts, check_openable_file_name,
};
pub use folder_rulebooks::CompanionFile;
pub use host::{AnswerHost, HostWithoutServices};
pub use jobs::{JobEvent, StudioJob, StudioJobSlot};
pub use memory_files::MemoryFolder;
pub use replies::{FaultOrRemark, FaultView, RefusalReply, RouteReply, refusal_reply};
pub use request_parts::RouteParamsAndBody;
pub use routes::{ALL_STUDIO_ROUTES, RouteHandlerByKind, StudioRoute, find_route};
pub use session::PageSession;
pub use variants_and_drafts::{SavedOrDamagedEntry, SavedText, SavedTextHead, SavedTexts};
pub use work::{PLACES_OF_QUEUES, QuestionNumber, RouteWork, WorkQueueKind};
