//! Journal of a run under way: trials of cells, or blocks of a large grid.

#[cfg(feature = "files")]
use std::path::Path;

use crate::checkpoint::block_log::CellBlockLog;
#[cfg(feature = "files")]
use crate::checkpoint::journal::BuildId;
use crate::checkpoint::journal::CellTrialJournal;
#[cfg(feature = "files")]
use crate::error::StudyError;

/// The journal of a run.
#[derive(Debug)]
pub enum CellOrBlockJournal {
    /// Nothing is recorded.
    None,
    /// Trials of every cell, and parts of them.
    Cells(CellTrialJournal),
    /// Blocks of a grid whose cells are made one by one.
    Blocks(CellBlockLog),
}

impl CellOrBlockJournal {
    /// Opens the journal at `path` with what an earlier run of the same `build` left there. A run
    /// that makes its cells one by one has a name, and records blocks; see `RunPlan::log_name`.
    ///
    /// # Errors
    /// If the file cannot be read or created.
    #[cfg(feature = "files")]
    pub fn open(
        path: &Path,
        build: BuildId,
        name: Option<String>,
    ) -> Result<CellOrBlockJournal, StudyError> {
        Ok(match name {
            None => CellOrBlockJournal::Cells(CellTrialJournal::open_or_resume(path, build)?),
            Some(name) => {
                CellOrBlockJournal::Blocks(CellBlockLog::open_or_resume(path, build, name)?)
            }
        })
    }

    /// The journal of cells and the log of blocks; one of them at most.
    pub(crate) fn journal_or_block_log(
        &mut self,
    ) -> (Option<&CellTrialJournal>, Option<&mut CellBlockLog>) {
        match self {
            CellOrBlockJournal::None => (None, None),
            CellOrBlockJournal::Cells(journal) => (Some(journal), None),
            CellOrBlockJournal::Blocks(log) => (None, Some(log)),
        }
    }

    /// Removes the file: the run is finished.
    ///
    /// # Errors
    /// If the file cannot be removed; a missing file is no error.
    #[cfg(feature = "files")]
    pub fn finish_and_delete(self) -> Result<(), StudyError> {
        match self {
            CellOrBlockJournal::None => Ok(()),
            CellOrBlockJournal::Cells(journal) => journal.finish_and_delete(),
            CellOrBlockJournal::Blocks(log) => log.finish_and_delete(),
        }
    }

    /// Removes the file if nothing in it is of use to a later run.
    #[cfg(feature = "files")]
    pub fn delete_if_empty(self) {
        match self {
            CellOrBlockJournal::None => {}
            CellOrBlockJournal::Cells(journal) => journal.delete_if_empty(),
            CellOrBlockJournal::Blocks(log) => log.delete_if_empty(),
        }
    }
}
