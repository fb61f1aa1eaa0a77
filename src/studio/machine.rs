//! This machine as a host: its clock, its threads, a place for trials, rulebooks by path.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use enfilade_api::AnswerHost;
use rayon::ThreadPool;

use super::scratch_folder::PrivateScratchFolder;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::error::ReportError;
use crate::study::checkpoint::journal::{CellTrialJournal, JOURNAL_FILE_NAME};
use crate::study::file::rulebook_loader;
use crate::study::file::source_document::{AllowedFilePaths, SourceInput};

/// Places in which a question may name rulebooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedRulebookPlaces {
    /// In the folder, by a plain name: a page has no other.
    Folder,
    /// At the path in the file, as on the command line: the caller has started the program.
    Path,
}

/// The machine on which the studio runs.
pub struct LocalAnswerHost {
    /// The threads that solve questions; those that serve never wait for them.
    pool: ThreadPool,
    /// Folder of the trials of stopped jobs, so that they can be resumed; removed with the studio.
    journal_folder: PrivateScratchFolder,
    folder: PathBuf,
    reach: AllowedRulebookPlaces,
}

impl LocalAnswerHost {
    /// Creates a machine with this number of threads; `None` means one per processor.
    ///
    /// # Errors
    /// When the threads cannot be started, or the folder for trials cannot be created.
    pub fn new(
        folder: &Path,
        threads: Option<usize>,
        reach: AllowedRulebookPlaces,
    ) -> Result<LocalAnswerHost, Error> {
        let pool = build_thread_pool(threads.unwrap_or(0))?;
        Ok(LocalAnswerHost {
            pool,
            journal_folder: PrivateScratchFolder::new()?,
            folder: folder.to_owned(),
            reach,
        })
    }

    /// A private folder, which is removed with the studio.
    pub fn private_journal_folder(&self) -> &Path {
        self.journal_folder.scratch_folder_path()
    }
}

fn build_thread_pool(threads: usize) -> Result<ThreadPool, ReportError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|why| ReportError::Invalid(format!("the threads cannot be started: {why}")))
}

impl AnswerHost for LocalAnswerHost {
    fn time_since_epoch(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn answer_thread_pool(&self) -> Option<&ThreadPool> {
        Some(&self.pool)
    }

    fn build_job_thread_pool(&self) -> Result<Option<ThreadPool>, ReportError> {
        build_thread_pool(self.pool.current_num_threads()).map(Some)
    }

    // One file for all jobs: equal questions have equal keys, and continue stopped jobs.
    fn open_trial_journal(&self) -> Result<CellTrialJournal, ReportError> {
        Ok(CellTrialJournal::open_or_resume(
            &self.journal_folder.scratch_folder_path().join(JOURNAL_FILE_NAME),
            crate::PROGRAM_BUILD_ID,
        )?)
    }

    fn read_rulebooks_named_by_path(
        &self,
        built_in: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<Option<Catalogue>, ReportError> {
        if self.reach == AllowedRulebookPlaces::Folder {
            return Ok(None);
        }
        let folder = self.folder.join(name).parent().map(Path::to_owned).unwrap_or_default();
        let (name, text) = (name.to_owned(), text.to_owned());
        let input = SourceInput { name, text, folder, origin: AllowedFilePaths::File };
        Ok(rulebook_loader::catalogue_with_rulebook_files(built_in, &[], Some(&input)).map(Some)?)
    }
}
