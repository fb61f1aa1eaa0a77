//! Journal of a run under way: trials of cells, or blocks of a large grid.

#[cfg(feature = "files")]
use std::path::Path;

use crate::checkpoint::block_log::BlockLog;
#[cfg(feature = "files")]
use crate::checkpoint::journal::BuildId;
use crate::checkpoint::journal::Journal;
#[cfg(feature = "files")]
use crate::error::StudyError;

/// The journal of a run.
#[derive(Debug)]
pub enum RunJournal {
    /// Nothing is recorded.
    None,
    /// Trials of every cell, and parts of them.
    Cells(Journal),
    /// Blocks of a grid whose cells are made one by one.
    Blocks(BlockLog),
}

impl RunJournal {
    /// Opens the journal at `path` with what an earlier run of the same `build` left there. A run that makes
    /// its cells one by one has a name, and records blocks; see `RunPlan::log_name`.
    ///
    /// # Errors
    /// If the file cannot be read or created.
    #[cfg(feature = "files")]
    pub fn open(
        path: &Path,
        build: BuildId,
        name: Option<String>,
    ) -> Result<RunJournal, StudyError> {
        Ok(match name {
            None => RunJournal::Cells(Journal::open(path, build)?),
            Some(name) => RunJournal::Blocks(BlockLog::open(path, build, name)?),
        })
    }

    /// The journal of cells and the log of blocks; one of them at most.
    pub(crate) fn parts(&mut self) -> (Option<&Journal>, Option<&mut BlockLog>) {
        match self {
            RunJournal::None => (None, None),
            RunJournal::Cells(journal) => (Some(journal), None),
            RunJournal::Blocks(log) => (None, Some(log)),
        }
    }

    /// Removes the file: the run is finished.
    ///
    /// # Errors
    /// If the file cannot be removed; a missing file is no error.
    #[cfg(feature = "files")]
    pub fn close(self) -> Result<(), StudyError> {
        match self {
            RunJournal::None => Ok(()),
            RunJournal::Cells(journal) => journal.close(),
            RunJournal::Blocks(log) => log.close(),
        }
    }

    /// Removes the file if nothing in it is of use to a later run.
    #[cfg(feature = "files")]
    pub fn close_empty(self) {
        match self {
            RunJournal::None => {}
            RunJournal::Cells(journal) => journal.close_empty(),
            RunJournal::Blocks(log) => log.close_empty(),
        }
    }
}
