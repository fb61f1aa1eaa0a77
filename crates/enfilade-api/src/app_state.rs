//! The things that all routes share: rulebooks, files, and the host below.

use std::sync::Arc;
use std::time::Duration;

use super::drawers::PaperDrawers;
use super::folder::{Storage, StudioFolder};
use super::host::Host;
use enfilade_model::catalogue::Catalogue;
use enfilade_study::checkpoint::journal::BuildId;

/// Time for an answer while one types, where nothing else was chosen.
const BUDGET: Duration = Duration::from_millis(250);

/// The things that all routes share.
pub struct AppState {
    /// The rulebooks that come with the program.
    pub built_in: Catalogue,
    /// The folder.
    pub folder: Arc<StudioFolder>,
    /// Variants and drafts beside its questions.
    pub(crate) drawers: PaperDrawers,
    /// Time limit of an answer while the user types.
    pub budget: Duration,
    /// The sources that this build was made of.
    pub build: BuildId,
    /// The machine below.
    pub host: Box<dyn Host>,
}

impl AppState {
    /// A bench over these files.
    pub fn new(
        catalogue: &Catalogue,
        files: Arc<dyn Storage>,
        host: Box<dyn Host>,
        build: BuildId,
    ) -> AppState {
        let folder = Arc::new(StudioFolder::new(files));
        let drawers = PaperDrawers::in_folder(Arc::clone(&folder));
        AppState { built_in: catalogue.clone(), folder, drawers, budget: BUDGET, build, host }
    }

    /// The same with this much time for an answer while one types.
    pub fn within(self, budget: Duration) -> AppState {
        AppState { budget, ..self }
    }
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("AppState").field("build", &self.build).finish_non_exhaustive()
    }
}
