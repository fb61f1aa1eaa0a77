//! Questions of the studio's page and their answers, wherever the engine runs.
//!
//! [`ROUTES`] is the table: a method, a path, and the function that answers. A [`Call`] is what was sent, a
//! [`Reply`] what is sent back; neither knows a network. [`Bench`] holds what all routes share, and a [`Host`] gives
//! it time, threads, files and a way to stop. So a server and a page without one give the same bytes.
//!
//! ```
//! use std::sync::Arc;
//! use enfilade_api::{Alone, Bench, Call, Memory, Session};
//!
//! let files = Memory::new("my game", &[]);
//! let bench = Bench::new(&enfilade_games::built_in(), Arc::new(files), Box::new(Alone), enfilade_api::BuildId("x"));
//! let session = Session::new(bench);
//! let call = Call { body: br#"{"text": "2d6"}"#, ..Call::default() };
//! let reply = session.answer("POST", "/api/dice", &call);
//! assert_eq!(reply.status, 200);
//! assert!(String::from_utf8_lossy(&reply.body).contains("\"expression\":\"2d6\""));
//! ```

// The rooms below, under their own names.
pub(crate) use enfilade_dice as dice_laws;
pub(crate) use enfilade_engine::{cancel, graph, play, random_stream, simulate};
pub(crate) use enfilade_model::dice as faces;
pub(crate) use enfilade_model::form::bounds;
pub(crate) use enfilade_model::{catalogue, combat, error, form};
pub(crate) use enfilade_pricing as pricing;
pub(crate) use enfilade_report as report;
pub(crate) use enfilade_rules as rulebook;
pub(crate) use enfilade_study as study;

mod bench;
mod call;
mod dice;
mod drawer;
mod early;
mod ends;
mod files;
mod folder;
mod forms;
mod fought;
mod grid;
mod host;
mod jobs;
mod live;
mod memory;
mod papers;
mod question;
mod reply;
mod routes;
mod rules;
mod runs;
mod session;
mod sheets;
mod shelf;
mod texts;
#[cfg(test)]
mod types;
mod why;
mod work;
mod worked;

pub use bench::Bench;
pub use call::Call;
pub use drawer::{Drawers, Paper, PaperEntry, PaperHead};
pub use enfilade_study::checkpoint::journal::BuildId;
pub use folder::{Folder, Found, Kind, Listed, MOST, Storage, Trouble, plain};
pub use host::{Alone, Host};
pub use jobs::{Job, JobEvent, Jobs};
pub use memory::Memory;
pub use reply::{FaultView, Refusal, Reply, Severity, refused};
pub use routes::{ROUTES, Route, Way, find};
pub use session::Session;
pub use shelf::Beside;
pub use work::{PLACES, Queue, Turn, Work};
