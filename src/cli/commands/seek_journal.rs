//! The journal of `enfilade seek`: a search that was stopped goes on with the same command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::random_stream::to_hex;
use crate::seek::search_journal::SearchJournal;
use crate::seek::seek_question::SeekQuestion;
use crate::study::checkpoint::cell_value_log::CellValueLog;
use crate::study::checkpoint::journal::JOURNAL_FILE_NAME;
use crate::study::error::StudyError;

/// Digits of the name of a journal in the current folder.
const DIGITS_OF_NAME: usize = 12;

/// The journal of one search.
#[derive(Debug)]
pub struct SeekJournal {
    log: CellValueLog,
    /// Whether the file belongs to a folder of results; else work goes on without it if it cannot
    /// be written.
    is_required: bool,
}

impl SeekJournal {
    /// Opens the journal of a search: in the folder of its results, or else in the current folder,
    /// where it is written only if the search takes a second or is stopped.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(
        question: &SeekQuestion,
        text: &str,
        out: Option<&Path>,
    ) -> Result<Arc<SeekJournal>, Error> {
        let name = to_hex(&Sha256::digest(text_of_all_inputs(question, text)));
        let file = format!("seek-{}.{JOURNAL_FILE_NAME}", &name[..DIGITS_OF_NAME]);
        let path = out.map_or_else(|| PathBuf::from(file), |out| out.join(JOURNAL_FILE_NAME));
        let log = CellValueLog::open_or_resume(&path, crate::PROGRAM_BUILD_ID, &name)?;
        let log = if out.is_some() { log.writing_at_once() } else { log };
        Ok(Arc::new(SeekJournal { log, is_required: out.is_some() }))
    }

    /// Removes the file of a finished search.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn finish_and_delete(&self) -> Result<(), Error> {
        Ok(self.log.finish_and_delete()?)
    }

    /// Keeps what was solved before the search was stopped, and names the way on in its error.
    pub fn keep_and_add_resume_hint(&self, error: Error) -> Error {
        match error {
            Error::Interrupted(what) if self.log.write_waiting_lines().is_ok() => {
                Error::Interrupted(format!("{what}; run the same command again to resume"))
            }
            other => other,
        }
    }
}

impl SearchJournal for SeekJournal {
    fn lookup_cell(&self, key: &str) -> Option<String> {
        self.log.lookup_value(key).map(str::to_owned)
    }

    fn record_cell(&self, key: &str, value: &str) -> Result<(), StudyError> {
        match self.log.append_value(key, value) {
            Err(_) if !self.is_required => Ok(()),
            written => written,
        }
    }
}

/// Everything that solved cells depend on: the question with the files of its rulebooks.
fn text_of_all_inputs(question: &SeekQuestion, text: &str) -> String {
    let systems = question.contests.iter().map(|contest| &contest.system);
    let files = systems.flat_map(|system| system.files.iter());
    let files: Vec<&str> = files.map(|file| &*file.sha256).collect();
    format!("{files:?}\n{text}")
}
