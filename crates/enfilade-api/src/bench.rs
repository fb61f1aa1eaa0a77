//! The things that all routes share: rulebooks, files, and the host below.

use std::sync::Arc;
use std::time::Duration;

use super::drawer::Drawers;
use super::folder::{Folder, Storage};
use super::host::Host;
use crate::catalogue::Catalogue;
use crate::study::checkpoint::journal::BuildId;

/// Time for an answer while one types, where nothing else was chosen.
const BUDGET: Duration = Duration::from_millis(250);

/// The things that all routes share.
pub struct Bench {
    /// The rulebooks that come with the program.
    pub built_in: Catalogue,
    /// The folder.
    pub folder: Arc<Folder>,
    /// Variants and drafts beside its questions.
    pub(crate) drawers: Drawers,
    /// Time limit of an answer while the user types.
    pub budget: Duration,
    /// The sources that this build was made of.
    pub build: BuildId,
    /// The machine below.
    pub host: Box<dyn Host>,
}

impl Bench {
    /// A bench over these files.
    pub fn new(
        catalogue: &Catalogue,
        files: Arc<dyn Storage>,
        host: Box<dyn Host>,
        build: BuildId,
    ) -> Bench {
        let folder = Arc::new(Folder::new(files));
        let drawers = Drawers::of(Arc::clone(&folder));
        Bench { built_in: catalogue.clone(), folder, drawers, budget: BUDGET, build, host }
    }

    /// The same with this much time for an answer while one types.
    pub fn within(self, budget: Duration) -> Bench {
        Bench { budget, ..self }
    }
}

impl std::fmt::Debug for Bench {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Bench").field("build", &self.build).finish_non_exhaustive()
    }
}
