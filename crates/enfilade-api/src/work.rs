//! Work that answers a request: where it waits, how long it may take, and what it does.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::replies::{self, RouteReply};
use enfilade_engine::cancel::CancelToken;

/// Queues of work, which waits for a free thread. Each has its own threads, so that a list of files
/// never waits for an export, nor an answer while the user types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkQueueKind {
    /// Short work: files, texts, forms.
    Light,
    /// Questions while the user types.
    Typed,
    /// Distributions of a few dice and rolls without a search: never behind those that take
    /// seconds.
    Glance,
    /// Distributions of many dice, which may take seconds.
    Dice,
    /// Searches for rolls, which may take seconds too.
    Ways,
    /// Work that the user waits for on purpose.
    Long,
}

/// Number of places of each queue, in the order of [`WorkQueueKind`].
pub const PLACES_OF_QUEUES: [usize; 6] = [4, 8, 4, 4, 4, 4];

/// The number of a question of a page: the newest counts.
#[derive(Debug, Deserialize)]
pub struct QuestionNumber {
    /// The page, by a word that it chose.
    #[serde(default)]
    pub page: String,
    /// Number of the question.
    #[serde(default)]
    pub number: u64,
}

/// The function at the heart of some work.
type WorkFunction = Box<dyn FnOnce(&AppState, &CancelToken) -> RouteReply + Send>;

/// Work that answers a request.
pub struct RouteWork {
    /// The queue in which it waits.
    pub queue: WorkQueueKind,
    /// Time limit; `None` for no limit.
    pub patience: Option<Duration>,
    /// The number of its question, if only the newest of a page counts.
    pub turn: Option<QuestionNumber>,
    run: WorkFunction,
}

impl RouteWork {
    /// Creates work that takes a moment.
    pub(crate) fn for_quick_work(
        run: impl FnOnce(&AppState) -> RouteReply + Send + 'static,
    ) -> RouteWork {
        let run: WorkFunction = Box::new(move |bench, _| run(bench));
        RouteWork { queue: WorkQueueKind::Light, patience: None, turn: None, run }
    }

    /// Creates work for a page that shows only the answer to its newest question.
    pub(crate) fn for_newest_question<T: Serialize>(
        turn: QuestionNumber,
        (queue, patience): (WorkQueueKind, Duration),
        run: impl FnOnce(&AppState, &CancelToken) -> T + Send + 'static,
    ) -> RouteWork {
        let run: WorkFunction =
            Box::new(move |bench, halt| replies::ok_json_reply(&run(bench, halt)));
        RouteWork { queue, patience: Some(patience), turn: Some(turn), run }
    }

    /// Creates work that the user waits for on purpose.
    pub(crate) fn for_patient_work(
        patience: Duration,
        run: impl FnOnce(&AppState, &CancelToken) -> RouteReply + Send + 'static,
    ) -> RouteWork {
        let (queue, patience) = (WorkQueueKind::Long, Some(patience));
        RouteWork { queue, patience, turn: None, run: Box::new(run) }
    }

    /// Runs the work until `halt` is cancelled, and returns its reply.
    pub fn run_until_cancelled(self, bench: &AppState, halt: &CancelToken) -> RouteReply {
        (self.run)(bench, halt)
    }
}

impl std::fmt::Debug for RouteWork {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Work").field("queue", &self.queue).finish_non_exhaustive()
    }
}
