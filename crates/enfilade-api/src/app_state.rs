//! The things that all routes share: rulebooks, files, and the host below.

use std::sync::Arc;
use std::time::Duration;

use super::folder::{FileStorage, StudioFolder};
use super::host::AnswerHost;
use super::variants_and_drafts::SavedTexts;
use enfilade_model::catalogue::Catalogue;
use enfilade_study::checkpoint::journal::BuildId;

/// Default time limit of an answer while the user types.
const TYPING_TIME_LIMIT: Duration = Duration::from_millis(250);

/// Time for an answer that the user waits for: a file to save, odds that took too long while they
/// typed.
pub const PATIENT_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The things that all routes share.
pub struct AppState {
    /// The rulebooks that come with the program.
    pub built_in: Catalogue,
    /// The folder with the files of the user.
    pub folder: Arc<StudioFolder>,
    /// Variants and drafts beside its questions.
    pub(crate) drawers: SavedTexts,
    /// Time limit of an answer while the user types.
    pub budget: Duration,
    /// Time limit of an answer that the user waits for.
    pub patient_budget: Duration,
    /// The sources that this build was made of.
    pub build: BuildId,
    /// The machine that answers run on.
    pub host: Box<dyn AnswerHost>,
}

impl AppState {
    /// Creates the state over these files.
    pub fn new(
        catalogue: &Catalogue,
        files: Arc<dyn FileStorage>,
        host: Box<dyn AnswerHost>,
        build: BuildId,
    ) -> AppState {
        let folder = Arc::new(StudioFolder::new(files));
        let drawers = SavedTexts::in_folder(Arc::clone(&folder));
        let (budget, patient_budget) = (TYPING_TIME_LIMIT, PATIENT_TIME_LIMIT);
        let built_in = catalogue.clone();
        AppState { built_in, folder, drawers, budget, patient_budget, build, host }
    }

    /// Sets the time limits: of an answer while the user types, and of one that the user waits for.
    pub fn with_time_limits(self, budget: Duration, patient_budget: Duration) -> AppState {
        AppState { budget, patient_budget, ..self }
    }
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("AppState").field("build", &self.build).finish_non_exhaustive()
    }
}
