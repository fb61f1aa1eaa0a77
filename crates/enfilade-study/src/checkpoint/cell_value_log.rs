//! A log of solved values by key, so that a search that was stopped goes on where it was.
//!
//! The first line is that of a journal. Each further line has the name of the work, a key, a value
//! in JSON and a hash of the line. The first line that is damaged ends what is believed; the file
//! is cut there when the next value is added. A file is made only once the work has taken a second,
//! so that short work leaves no trace on the disk.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::Deserialize;

use crate::checkpoint::block_log::lines_after_head;
use crate::checkpoint::hashed_line::{line_with_hash, object_of_hashed_line};
use crate::checkpoint::journal::{BuildId, header_line_text};
use crate::error::StudyError;
use enfilade_model::error::FileError;
use enfilade_model::plain_file::{self, FileReadRefusal, MAX_OWN_TABLE_BYTES};

/// Work that takes less leaves no file.
const TIME_BEFORE_FILE: Duration = Duration::from_secs(1);

/// Largest interval between two flushes to the disk, while lines are written.
const DISK_FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// A log of values.
#[derive(Debug)]
pub struct CellValueLog {
    path: PathBuf,
    head: String,
    name: String,
    known: HashMap<String, String>,
    writer: Mutex<BufferedLogFile>,
}

/// The end of the file.
#[derive(Debug)]
struct BufferedLogFile {
    /// Bytes that are believed, with the first line; 0 without a file.
    sound: u64,
    /// Lines that are not written yet.
    waiting: String,
    /// Open for writing, once a line was written.
    out: Option<File>,
    /// The start of the work, then the last flush to the disk.
    since: Instant,
    patience: Duration,
    /// Most bytes of the file.
    largest: u64,
}

/// A line behind the first.
#[derive(Deserialize)]
struct CellValueLogLine<'l> {
    work: &'l str,
    key: &'l str,
    value: serde_json::Value,
}

impl CellValueLog {
    /// Opens the log at `path`, with the values that the work called `name` by the same `build`
    /// left there.
    ///
    /// # Errors
    /// If there is a file that cannot be read.
    pub fn open_or_resume(
        path: &Path,
        build: BuildId,
        name: &str,
    ) -> Result<CellValueLog, StudyError> {
        let head = header_line_text(build);
        let lines = match plain_file::open_plain_file(path) {
            Ok(file) => lines_after_head(&head, file)
                .map_err(FileError::io_error_converter("reading", path))?,
            Err(FileReadRefusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(refusal) => {
                return Err(refusal.into_named_error(&path.display().to_string(), path).into());
            }
        };
        let (known, sound) = match lines {
            Some(lines) => read_sound_lines(lines, name, head.len() as u64)
                .map_err(FileError::io_error_converter("reading", path))?,
            None => (HashMap::new(), 0),
        };
        let writer = BufferedLogFile {
            // Lines of other work are of no use here.
            sound: if known.is_empty() { 0 } else { sound },
            waiting: String::new(),
            out: None,
            since: Instant::now(),
            patience: if known.is_empty() { TIME_BEFORE_FILE } else { Duration::ZERO },
            largest: MAX_OWN_TABLE_BYTES,
        };
        let (path, name) = (path.to_owned(), name.to_owned());
        Ok(CellValueLog { path, head, name, known, writer: Mutex::new(writer) })
    }

    /// Writes every value at once, however short the work is.
    #[must_use]
    pub fn writing_at_once(mut self) -> CellValueLog {
        self.writer.get_mut().patience = Duration::ZERO;
        self
    }

    /// Returns the value that an earlier run has left under a key.
    pub fn lookup_value(&self, key: &str) -> Option<&str> {
        self.known.get(key).map(String::as_str)
    }

    /// Adds a value, which is JSON.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append_value(&self, key: &str, value: &str) -> Result<(), StudyError> {
        let text = format!("{{\"work\":\"{}\",\"key\":\"{key}\",\"value\":{value}", self.name);
        let mut writer = self.writer.lock();
        writer.waiting += &line_with_hash(&text);
        if writer.out.is_none() && writer.since.elapsed() < writer.patience {
            return Ok(());
        }
        self.write_lines_of_buffer(&mut writer)
    }

    /// Writes all values; then the file has all that a later run needs.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_waiting_lines(&self) -> Result<(), StudyError> {
        self.write_lines_of_buffer(&mut self.writer.lock())
    }

    fn write_lines_of_buffer(&self, writer: &mut BufferedLogFile) -> Result<(), StudyError> {
        let written = writer.write_waiting_lines(&self.path, &self.head);
        Ok(written.map_err(FileError::io_error_converter("writing", &self.path))?)
    }

    /// Removes the file: the work is finished.
    ///
    /// # Errors
    /// If the file cannot be removed; a missing file is no error.
    pub fn finish_and_delete(&self) -> Result<(), StudyError> {
        let writer = self.writer.lock();
        if writer.out.is_none() && writer.sound == 0 {
            return Ok(());
        }
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StudyError::File(FileError::io_error_converter("removing", &self.path)(error)))
            }
            _ => Ok(()),
        }
    }
}

impl BufferedLogFile {
    fn write_waiting_lines(&mut self, path: &Path, head: &str) -> io::Result<()> {
        let lines = std::mem::take(&mut self.waiting);
        // A disk is never filled with what only a search that was stopped needs.
        if lines.is_empty() || self.sound + lines.len() as u64 > self.largest {
            return Ok(());
        }
        let out = match &mut self.out {
            Some(out) => out,
            none => {
                let mut out =
                    OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
                out.set_len(self.sound)?;
                out.seek(SeekFrom::End(0))?;
                if self.sound == 0 {
                    out.write_all(head.as_bytes())?;
                    self.sound = head.len() as u64;
                }
                none.insert(out)
            }
        };
        out.write_all(lines.as_bytes())?;
        self.sound += lines.len() as u64;
        if self.since.elapsed() >= DISK_FLUSH_INTERVAL {
            self.since = Instant::now();
            out.sync_data()?;
        }
        Ok(())
    }
}

/// The values of some work in the lines of a file until the first that is damaged, and the bytes up
/// to there.
fn read_sound_lines(
    mut lines: BufReader<File>,
    name: &str,
    mut sound: u64,
) -> io::Result<(HashMap<String, String>, u64)> {
    let mut known = HashMap::new();
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let Some(object) = object_of_hashed_line(&line) else { break };
        let Ok(CellValueLogLine { work, key, value }) = serde_json::from_str(&object) else {
            break;
        };
        if work != name {
            break;
        }
        known.insert(key.to_owned(), value.to_string());
        sound += line.len() as u64;
        line.clear();
    }
    Ok((known, sound))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILD: BuildId = BuildId("0123456789abcdef");

    fn open(path: &Path, name: &str) -> CellValueLog {
        CellValueLog::open_or_resume(path, BUILD, name).expect("it can be opened").writing_at_once()
    }

    #[test]
    fn values_are_there_until_the_first_damaged_line() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("log");
        let log = open(&path, "a");
        for at in 0..4 {
            log.append_value(&format!("{at}"), &format!("[{at},\"x\"]")).expect("written");
        }
        drop(log);
        let again = open(&path, "a");
        assert_eq!(again.lookup_value("3"), Some("[3,\"x\"]"));
        assert_eq!(open(&path, "b").lookup_value("3"), None, "other work");
        let whole = std::fs::read(&path).expect("readable");
        let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
        // Cut off in the third value; the next one takes the place of what was cut.
        std::fs::write(&path, &whole[..ends[2] + 9]).expect("written");
        let cut = open(&path, "a");
        assert_eq!((cut.lookup_value("1").is_some(), cut.lookup_value("2")), (true, None));
        cut.append_value("9", "true").expect("written");
        let after = open(&path, "a");
        assert_eq!((after.known.len(), after.lookup_value("9")), (3, Some("true")));
        // A changed byte.
        let mut damaged = whole.clone();
        damaged[ends[0] + 30] ^= 1;
        std::fs::write(&path, damaged).expect("written");
        assert_eq!(open(&path, "a").known.len(), 0);
        after.finish_and_delete().expect("removed");
        assert!(!path.exists());
    }

    #[test]
    fn a_log_grows_up_to_its_largest_size_and_no_further() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("log");
        let length = || std::fs::metadata(&path).expect("it is there").len();
        let mut log = open(&path, "a");
        // The lines are equally long.
        let mut lengths = Vec::new();
        for key in ["0", "1"] {
            log.append_value(key, "7").expect("written");
            lengths.push(length());
        }
        let line = lengths[1] - lengths[0];
        // Just enough for a third line, and too little for a fourth.
        log.writer.get_mut().largest = lengths[1] + line;
        for key in ["2", "3"] {
            log.append_value(key, "7").expect("written, or left out");
        }
        assert_eq!(length(), lengths[1] + line);
        let again = open(&path, "a");
        assert_eq!((again.lookup_value("2"), again.lookup_value("3")), (Some("7"), None));
    }

    #[test]
    fn a_log_that_is_gone_needs_no_removal_and_one_that_stays_is_told() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("log");
        let log = open(&path, "a");
        log.append_value("0", "7").expect("written");
        std::fs::remove_file(&path).expect("somebody else removes it");
        log.finish_and_delete().expect("there is nothing left to remove");
        // A folder is not removed as a file is.
        std::fs::create_dir(&path).expect("a folder takes its place");
        let told = log.finish_and_delete().expect_err("it is still there").to_string();
        assert!(told.contains("removing"), "{told}");
    }

    #[test]
    fn short_work_leaves_no_file_unless_it_is_stopped() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("log");
        let log = CellValueLog::open_or_resume(&path, BUILD, "a").expect("opened");
        log.append_value("1", "2").expect("noted");
        assert!(!path.exists());
        log.finish_and_delete().expect("nothing to remove");
        log.write_waiting_lines().expect("written");
        assert!(path.exists());
        assert_eq!(open(&path, "a").lookup_value("1"), Some("2"));
    }
}
