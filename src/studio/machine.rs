//! This machine as a host: its clock, its threads, a place for trials, rulebooks by path.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use enfilade_api::Host;
use rayon::ThreadPool;

use super::scratch_folder::ScratchFolder;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::error::ReportError;
use crate::study::checkpoint::journal::{JOURNAL_FILE, Journal};
use crate::study::file::rulebook_loader;
use crate::study::file::source_document::{InputOrigin, SourceInput};

/// Places in which a question may name rulebooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulebookReach {
    /// In the folder, by a plain name: a page has no other.
    Folder,
    /// At the path in the file, as on the command line: the caller has started the program.
    Path,
}

/// The machine on which the studio runs.
pub struct Machine {
    /// The threads that solve questions; those that serve never wait for them.
    pool: ThreadPool,
    /// Folder of the trials of stopped jobs, so that they can be resumed; removed with the studio.
    kept: ScratchFolder,
    folder: PathBuf,
    reach: RulebookReach,
}

impl Machine {
    /// Creates a machine with this number of threads; `None` means one per processor.
    ///
    /// # Errors
    /// When the threads cannot be started, or the folder for trials cannot be created.
    pub fn new(
        folder: &Path,
        threads: Option<usize>,
        reach: RulebookReach,
    ) -> Result<Machine, Error> {
        let pool = pool(threads.unwrap_or(0))?;
        Ok(Machine { pool, kept: ScratchFolder::new()?, folder: folder.to_owned(), reach })
    }

    /// A private folder, which is removed with the studio.
    pub fn kept(&self) -> &Path {
        self.kept.path()
    }
}

fn pool(threads: usize) -> Result<ThreadPool, ReportError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|why| ReportError::Invalid(format!("the threads cannot be started: {why}")))
}

impl Host for Machine {
    fn clock(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn threads(&self) -> Option<&ThreadPool> {
        Some(&self.pool)
    }

    fn job_threads(&self) -> Result<Option<ThreadPool>, ReportError> {
        pool(self.pool.current_num_threads()).map(Some)
    }

    // One file for all jobs: equal questions have equal keys, and continue stopped jobs.
    fn journal(&self) -> Result<Journal, ReportError> {
        Ok(Journal::open(&self.kept.path().join(JOURNAL_FILE), crate::BUILD)?)
    }

    fn rulebooks(
        &self,
        built_in: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<Option<Catalogue>, ReportError> {
        if self.reach == RulebookReach::Folder {
            return Ok(None);
        }
        let folder = self.folder.join(name).parent().map(Path::to_owned).unwrap_or_default();
        let (name, text) = (name.to_owned(), text.to_owned());
        let input = SourceInput { name, text, folder, origin: InputOrigin::File };
        Ok(rulebook_loader::load_catalogue(built_in, &[], Some(&input)).map(Some)?)
    }
}
