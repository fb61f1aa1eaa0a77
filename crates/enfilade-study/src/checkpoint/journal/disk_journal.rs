//! Journal on a disk.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::journal_names::{BuildId, TEMPORARY_FILE_PREFIX};
use crate::checkpoint::record_codec::{
    decode_tally_total, decode_trial_record, encode_ending_row, encode_tally_total,
};
use crate::error::StudyError;
use crate::solve::trial_record::{CellTrialCounts, PartialRecord};
use enfilade_engine::random_stream::to_hex;
use enfilade_engine::work_units::WorkUnitIndexSet;
use enfilade_model::error::FileError;
use enfilade_model::plain_file::{self, FileReadRefusal, MAX_OWN_TABLE_BYTES};

/// Largest interval between two flushes to the disk, while lines are written.
const DISK_FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// Journal of a run, or an empty one that stores nothing.
#[derive(Debug)]
pub struct CellTrialJournal {
    records: HashMap<String, CellTrialCounts>,
    parts: HashMap<String, PartialRecord>,
    file: Option<OpenJournal>,
}

/// Journal file.
#[derive(Debug)]
struct OpenJournal {
    path: PathBuf,
    file: Mutex<File>,
    flushed: Mutex<Instant>,
}

impl OpenJournal {
    fn write_journal_entry(&self, line: &JournalEntry) -> Result<(), StudyError> {
        let text = to_json(line) + "\n";
        let written = self.file.lock().write_all(text.as_bytes());
        written.map_err(FileError::io_error_converter("writing", &self.path))?;
        if self.flushed.lock().elapsed() < DISK_FLUSH_INTERVAL {
            return Ok(());
        }
        self.flush_to_disk()
    }

    /// Flushes the written lines to the disk.
    fn flush_to_disk(&self) -> Result<(), StudyError> {
        *self.flushed.lock() = Instant::now();
        let synced = self.file.lock().sync_data();
        Ok(synced.map_err(FileError::io_error_converter("writing", &self.path))?)
    }
}

/// First line of the file.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct JournalHeader {
    /// Type of the file: always `journal`.
    enfilade: String,
    /// Build of the program that wrote it: another build may have other rules.
    build: String,
}

impl JournalHeader {
    fn for_program_build(build: BuildId) -> JournalHeader {
        JournalHeader { enfilade: "journal".into(), build: build.0.into() }
    }
}

/// The first line of a file that `build` writes.
pub(crate) fn header_line_text(build: BuildId) -> String {
    to_json(&JournalHeader::for_program_build(build)) + "\n"
}

/// Any other line.
#[derive(Serialize, Deserialize)]
struct JournalEntry {
    key: String,
    /// Number of requested trials.
    trials: u64,
    /// Finished units of an unfinished cell; `None` for a finished one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<(u64, u64)>>,
    endings: Vec<(Vec<i32>, Vec<i32>, u64)>,
    unsettled: u64,
    /// Sum and sum of squares by counter, as digits because they exceed the numbers of JSON.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    totals: Vec<(String, String)>,
    /// Hash of the line without this field.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sha256: String,
}

impl JournalEntry {
    fn new(
        key: &str,
        trials: u64,
        pieces: Option<&WorkUnitIndexSet>,
        record: &CellTrialCounts,
    ) -> JournalEntry {
        let line = JournalEntry {
            key: key.to_owned(),
            trials,
            pieces: pieces.map(|pieces| pieces.ranges().to_vec()),
            endings: record.endings.iter().map(encode_ending_row).collect(),
            unsettled: record.unsettled,
            totals: record.totals.iter().map(encode_tally_total).collect(),
            sha256: String::new(),
        };
        let sha256 = line.compute_entry_hash();
        JournalEntry { sha256, ..line }
    }

    /// Computes the hash of a line whose hash is still empty.
    fn compute_entry_hash(&self) -> String {
        to_hex(&Sha256::digest(to_json(self)))
    }

    fn parse_entry_line(text: &str) -> Option<JournalEntry> {
        let mut line: JournalEntry = serde_json::from_str(text).ok()?;
        let hash = std::mem::take(&mut line.sha256);
        (line.compute_entry_hash() == hash).then_some(line)
    }

    /// Decodes the line; `None` if it is inconsistent.
    fn decode_trials(&self) -> Option<(Option<WorkUnitIndexSet>, CellTrialCounts)> {
        let totals = self.totals.iter().map(decode_tally_total).collect::<Option<_>>()?;
        let record = decode_trial_record(&self.endings, self.unsettled, totals)?;
        match &self.pieces {
            None => (record.trial_count() == self.trials).then_some((None, record)),
            Some(ranges) => Some((Some(WorkUnitIndexSet::from_ranges(ranges)?), record)),
        }
    }
}

impl CellTrialJournal {
    /// Creates a journal that stores nothing.
    pub fn without_storage() -> CellTrialJournal {
        CellTrialJournal { records: HashMap::new(), parts: HashMap::new(), file: None }
    }

    /// Opens the journal at `path`, with the lines that an earlier run of the same `build` left
    /// there. Creates its folder if necessary, and removes lines that are no longer of use.
    ///
    /// # Errors
    /// If the file cannot be read or created.
    pub fn open_or_resume(path: &Path, build: BuildId) -> Result<CellTrialJournal, StudyError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(FileError::io_error_converter("making", folder))?;
        let text = match plain_file::read_bytes_up_to(path, MAX_OWN_TABLE_BYTES) {
            // A crash may have cut a character in two; its line is then not JSON, and left out.
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(FileReadRefusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                String::new()
            }
            // The log of a grid that was larger: blocks are of no use here.
            Err(FileReadRefusal::TooLarge(_)) if is_journal(path) => String::new(),
            Err(refusal) => {
                return Err(refusal.into_named_error(&path.display().to_string(), path).into());
            }
        };
        let lines = latest_entries_of_build(&text, build);
        // Before anything is appended: the next line would follow one that was cut off.
        rewrite_with_latest_lines(path, folder, build, &lines)
            .map_err(FileError::io_error_converter("writing", path))?;
        let file = OpenOptions::new().append(true).open(path);
        let (mut known, mut parts) = (HashMap::new(), HashMap::new());
        for (_, line) in lines {
            match line.decode_trials() {
                Some((None, record)) => drop(known.insert(line.key, record)),
                Some((Some(pieces), sum)) => {
                    drop(parts.insert(line.key, PartialRecord { pieces, sum }))
                }
                None => {}
            }
        }
        Ok(CellTrialJournal {
            records: known,
            parts,
            file: Some(OpenJournal {
                path: path.to_owned(),
                file: Mutex::new(file.map_err(FileError::io_error_converter("opening", path))?),
                flushed: Mutex::new(Instant::now()),
            }),
        })
    }

    /// Returns the trials recorded under `key`, if their number is the requested one.
    pub fn lookup_trials_of_count(&self, key: &str, trials: u64) -> Option<CellTrialCounts> {
        let known = self.records.get(key).cloned();
        known.filter(|record| record.trial_count() == trials)
    }

    /// Returns the partial result that an earlier run recorded under `key`, if there is one.
    pub fn lookup_unfinished_trials(&self, key: &str) -> Option<PartialRecord> {
        self.parts.get(key).cloned()
    }

    /// Records the trials of a finished cell under `key`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn record_finished_trials(
        &self,
        key: &str,
        record: &CellTrialCounts,
    ) -> Result<(), StudyError> {
        self.write_journal_entry(&JournalEntry::new(key, record.trial_count(), None, record))
    }

    /// Records the partial result of an unfinished cell of `trials` trials under `key`, in place of
    /// the one before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn record_unfinished_trials(
        &self,
        key: &str,
        trials: u64,
        part: &PartialRecord,
    ) -> Result<(), StudyError> {
        self.write_journal_entry(&JournalEntry::new(key, trials, Some(&part.pieces), &part.sum))?;
        self.file.as_ref().map_or(Ok(()), OpenJournal::flush_to_disk)
    }

    fn write_journal_entry(&self, line: &JournalEntry) -> Result<(), StudyError> {
        self.file.as_ref().map_or(Ok(()), |file| file.write_journal_entry(line))
    }

    /// Removes the file at the end of the run.
    ///
    /// # Errors
    /// If the file cannot be removed; a file that is already gone is not an error.
    pub fn finish_and_delete(self) -> Result<(), StudyError> {
        let Some(OpenJournal { path, .. }) = self.file else {
            return Ok(());
        };
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StudyError::File(FileError::io_error_converter("removing", &path)(error)))
            }
            _ => Ok(()),
        }
    }

    /// Removes the file if it contains nothing that a later run could use.
    pub fn delete_if_empty(self) {
        let Some(OpenJournal { path, .. }) = self.file else {
            return;
        };
        let text = plain_file::read_bytes_up_to(&path, MAX_OWN_TABLE_BYTES).unwrap_or_default();
        if text.iter().filter(|&&byte| byte == b'\n').count() <= 1 {
            // Nothing is lost if the file stays.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Returns whether the file at `path` is a journal of this program, of any build, or empty.
pub fn is_journal(path: &Path) -> bool {
    let start = || {
        // A header is far shorter.
        plain_file::read_rest_of_stream(plain_file::open_plain_file(path)?.take(4096), 4096)
    };
    let head = |line: &str| {
        serde_json::from_str(line).is_ok_and(|head: JournalHeader| head.enfilade == "journal")
    };
    start().is_ok_and(|start| {
        let text = String::from_utf8_lossy(&start);
        text.trim().is_empty() || text.lines().next().is_some_and(head)
    })
}

/// Line of the file with its decoded entry.
type StoredEntry<'a> = (&'a str, JournalEntry);

/// Returns the complete lines of a journal that `build` wrote; of several with one key the last
/// counts.
fn latest_entries_of_build(text: &str, build: BuildId) -> Vec<StoredEntry<'_>> {
    let mut lines = text.lines();
    let head = lines.next().and_then(|head| serde_json::from_str(head).ok());
    if head != Some(JournalHeader::for_program_build(build)) {
        return Vec::new();
    }
    let mut last = IndexMap::new();
    for (text, line) in lines.filter_map(|text| Some((text, JournalEntry::parse_entry_line(text)?)))
    {
        last.insert(line.key.clone(), (text, line));
    }
    last.into_values().collect()
}

/// Replaces the file by a journal with these lines, whole or not at all.
fn rewrite_with_latest_lines(
    path: &Path,
    folder: &Path,
    build: BuildId,
    lines: &[StoredEntry<'_>],
) -> io::Result<()> {
    let mut temporary_file = plain_file::create_temporary_file(folder, TEMPORARY_FILE_PREFIX)?;
    let mut text = header_line_text(build);
    text.extend(lines.iter().flat_map(|(line, _)| [line, "\n"]));
    temporary_file.write_all(text.as_bytes())?;
    temporary_file.as_file().sync_all()?;
    temporary_file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings are always JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_engine::play::SumsOfOneCounter;
    use enfilade_model::combat::{Ending, MAX_OUTCOME_COLUMNS};

    const BUILD: BuildId = BuildId("fedcba9876543210");

    fn record(count: u64) -> CellTrialCounts {
        let mut fields = [0; MAX_OUTCOME_COLUMNS];
        fields[1] = -3;
        let weights = [0; MAX_OUTCOME_COLUMNS];
        CellTrialCounts {
            endings: vec![(Ending { fields, weights }, count)],
            unsettled: 2,
            totals: vec![SumsOfOneCounter { sum: -(1 << 70), squares: 1 << 90 }],
        }
    }

    fn part(end: u64, count: u64) -> PartialRecord {
        PartialRecord {
            pieces: WorkUnitIndexSet::from_ranges(&[(0, end)]).expect("a range"),
            sum: record(count),
        }
    }

    /// Journal in a temporary folder.
    struct Desk {
        _folder: tempfile::TempDir,
        path: PathBuf,
    }

    impl Desk {
        fn new() -> Desk {
            let folder = tempfile::tempdir().expect("a folder for the test");
            let path = folder.path().join("journal");
            Desk { _folder: folder, path }
        }

        fn open(&self) -> CellTrialJournal {
            CellTrialJournal::open_or_resume(&self.path, BUILD).expect("it can be opened")
        }

        fn text(&self) -> String {
            std::fs::read_to_string(&self.path).expect("it is there")
        }

        fn write(&self, text: &str) {
            std::fs::write(&self.path, text).expect("it can be written");
        }
    }

    #[test]
    fn what_was_recorded_is_recalled_even_after_a_line_cut_off() {
        let desk = Desk::new();
        desk.open().record_finished_trials("a", &record(5)).expect("written");
        desk.write(&(desk.text() + "{\"key\":\"b\",\"endings\":[[[0"));
        desk.open().record_finished_trials("c", &record(7)).expect("written");
        let again = desk.open();
        assert_eq!(again.lookup_trials_of_count("a", 7), Some(record(5)));
        assert_eq!(again.lookup_trials_of_count("b", 7), None);
        assert_eq!(again.lookup_trials_of_count("c", 9), Some(record(7)));
        // The requested number of trials differs.
        assert_eq!(again.lookup_trials_of_count("c", 10), None);
        again.finish_and_delete().expect("it can be removed");
        assert!(!desk.path.exists());
    }

    #[test]
    fn of_an_unfinished_cell_the_last_part_counts() {
        let desk = Desk::new();
        let journal = desk.open();
        for made in [part(1, 5), part(3, 15)] {
            journal.record_unfinished_trials("a", 100, &made).expect("written");
        }
        let again = desk.open();
        assert_eq!(again.lookup_unfinished_trials("a"), Some(part(3, 15)));
        assert_eq!(again.lookup_trials_of_count("a", 17), None);
        // The outdated partial result is gone from the file.
        assert_eq!(desk.text().lines().count(), 2);
        again.record_finished_trials("a", &record(98)).expect("written");
        let last = desk.open();
        assert_eq!(last.lookup_trials_of_count("a", 100), Some(record(98)));
        assert_eq!((last.lookup_unfinished_trials("a"), desk.text().lines().count()), (None, 2));
    }

    #[test]
    fn of_a_run_that_is_stopped_a_journal_with_any_record_stays() {
        let desk = Desk::new();
        desk.open().delete_if_empty();
        assert!(!desk.path.exists(), "nothing was recorded");
        let journal = desk.open();
        journal.record_unfinished_trials("a", 100, &part(1, 5)).expect("written");
        journal.delete_if_empty();
        let again = desk.open();
        assert_eq!(again.lookup_unfinished_trials("a"), Some(part(1, 5)));
        again.delete_if_empty();
        assert!(desk.path.exists(), "the part of the run before is of use to the next");
    }

    /// Changes each byte of a line in turn: the line is left out, unless the change makes no
    /// difference.
    #[test]
    fn an_altered_line_is_not_believed() {
        let desk = Desk::new();
        desk.open().record_finished_trials("a", &record(5)).expect("written");
        let text = desk.text();
        let line = text.find('\n').expect("a head") + 1;
        for at in line..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
            desk.write(&String::from_utf8(bytes).expect("still text"));
            assert_eq!(desk.open().records, HashMap::new(), "byte {at}");
        }
    }

    #[test]
    fn a_line_with_other_trials_than_it_says_is_not_believed() {
        let desk = Desk::new();
        let journal = desk.open();
        for record in
            [record(5), CellTrialCounts { endings: Vec::new(), unsettled: 0, totals: Vec::new() }]
        {
            let line = JournalEntry { trials: 8, ..JournalEntry::new("a", 8, None, &record) };
            journal.write_journal_entry(&line).expect("written");
        }
        assert_eq!(desk.open().records.len(), 0);
    }

    #[test]
    fn a_journal_of_another_build_is_begun_anew() {
        let desk = Desk::new();
        desk.open().record_finished_trials("a", &record(5)).expect("written");
        desk.write(&desk.text().replace(BUILD.0, "0123456789abcdef"));
        assert!(is_journal(&desk.path));
        assert_eq!(desk.open().records.len(), 0);
    }

    #[test]
    fn a_file_of_somebody_else_is_no_journal() {
        let desk = Desk::new();
        for (text, ours) in [("", true), ("\n", true), ("mine\n", false), ("{\"a\":1}\n", false)] {
            desk.write(text);
            assert_eq!(is_journal(&desk.path), ours, "{text:?}");
        }
        drop(desk.open());
        assert!(is_journal(&desk.path));
    }
}
