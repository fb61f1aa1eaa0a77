//! Trials already made, kept on disk while a run is under way.
//!
//! Each finished cell is one line of JSON, appended and flushed; so is what was made of a cell when
//! the run was stopped in the middle of it, with the pieces of work that it is. A run that was
//! interrupted, or crashed, finds them there when it is started again and does not make them a
//! second time. A line that was cut off is left out. The journal of a run that came to its end is
//! removed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::combat::{Ending, MAX_COLUMNS, Row};
use crate::error::Error;
use crate::stream::{Pieces, Stream};

/// Trials of one cell: how often each ending came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Endings with their trials.
    pub endings: Vec<(Ending, u64)>,
    /// Trials that were not over after the last round.
    pub unsettled: u64,
}

impl Record {
    /// Trials in all.
    pub fn trials(&self) -> u64 {
        self.endings.iter().map(|(_, count)| count).sum::<u64>() + self.unsettled
    }

    /// What names the trials: equal keys mean equal counts.
    pub fn key(stream: &Stream, trials: u64, played: bool) -> String {
        let engine = if played { "played" } else { "simulated" };
        let key = stream.key(engine, trials, u8::MAX);
        key.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The journal of a run; or of none, which keeps nothing.
pub struct Journal {
    known: HashMap<String, Record>,
    parts: HashMap<String, Part>,
    file: Option<(PathBuf, Mutex<File>)>,
}

/// What was made of a cell that was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which pieces of its work; the engine knows how large they are.
    pub pieces: Pieces,
    /// Their trials.
    pub record: Record,
}

impl Part {
    /// Whether the trials are those of the pieces, in a work of `trials` trials with `each` in a
    /// piece: a file can say anything.
    pub fn is_right(&self, each: u64, trials: u64) -> bool {
        self.pieces.trials(each, trials) == self.record.trials()
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    /// The pieces of an unfinished cell; a finished one has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<(u64, u64)>>,
    endings: Vec<(Vec<i32>, Vec<i32>, u64)>,
    unsettled: u64,
}

impl Journal {
    /// A journal that keeps nothing.
    pub fn none() -> Journal {
        Journal {
            known: HashMap::new(),
            parts: HashMap::new(),
            file: None,
        }
    }

    /// Opens the journal at `path`, with what an earlier run left there; its folder is made if there
    /// is none.
    ///
    /// # Errors
    /// When the file cannot be read or created.
    pub fn open(path: &Path) -> Result<Journal, Error> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed("making", folder, error))?;
        }
        let (known, parts) = match std::fs::read(path) {
            Ok(bytes) => read_lines(&String::from_utf8_lossy(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Default::default(),
            Err(error) => return Err(failed("reading", path, error)),
        };
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.map_err(|error| failed("opening", path, error))?;
        // A line that was cut off must not run into the next one.
        file.write_all(b"\n")
            .map_err(|error| failed("writing", path, error))?;
        Ok(Journal {
            known,
            parts,
            file: Some((path.to_owned(), Mutex::new(file))),
        })
    }

    /// How many cells an earlier run left.
    pub fn recalled(&self) -> usize {
        self.known.len()
    }

    /// The trials recorded under `key`.
    pub fn recall(&self, key: &str) -> Option<Record> {
        self.known.get(key).cloned()
    }

    /// What an earlier run left of the unfinished cell under `key`.
    pub fn recall_part(&self, key: &str) -> Option<Part> {
        self.parts.get(key).cloned()
    }

    /// Records the trials of a finished cell under `key`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record(&self, key: &str, record: &Record) -> Result<(), Error> {
        self.write(key, None, record)
    }

    /// Records what was made of an unfinished cell under `key`, in place of what was known of it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record_part(&self, key: &str, part: &Part) -> Result<(), Error> {
        self.write(key, Some(part.pieces.ranges().to_vec()), &part.record)
    }

    fn write(
        &self,
        key: &str,
        pieces: Option<Vec<(u64, u64)>>,
        record: &Record,
    ) -> Result<(), Error> {
        let Some((path, file)) = &self.file else {
            return Ok(());
        };
        let line = Line {
            key: key.to_owned(),
            pieces,
            endings: record.endings.iter().map(written).collect(),
            unsettled: record.unsettled,
        };
        let text =
            serde_json::to_string(&line).expect("numbers and strings are always JSON") + "\n";
        let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let written = file.write_all(text.as_bytes());
        written.map_err(|error| failed("writing", path, error))
    }

    /// Removes the file: the run has come to its end.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn close(self) -> Result<(), Error> {
        match self.file {
            None => Ok(()),
            Some((path, _)) => {
                std::fs::remove_file(&path).map_err(|error| failed("removing", &path, error))
            }
        }
    }
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> Error {
    let path = path.to_owned();
    Error::Io { what, path, source }
}

/// Finished and unfinished cells by their keys; of several lines the last one counts.
fn read_lines(text: &str) -> (HashMap<String, Record>, HashMap<String, Part>) {
    let (mut known, mut parts) = (HashMap::new(), HashMap::new());
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Line>(line).ok());
    for line in lines {
        let Some(record) = read_record(&line.endings, line.unsettled) else {
            continue;
        };
        match line.pieces.map(|ranges| Pieces::of(&ranges)) {
            None => drop(known.insert(line.key, record)),
            Some(Some(pieces)) => drop(parts.insert(line.key, Part { pieces, record })),
            Some(None) => {}
        }
    }
    (known, parts)
}

fn read_record(endings: &[(Vec<i32>, Vec<i32>, u64)], unsettled: u64) -> Option<Record> {
    let read = |(fields, weights, count): &(Vec<i32>, Vec<i32>, u64)| {
        let ending = Ending {
            fields: row(fields)?,
            weights: row(weights)?,
        };
        Some((ending, *count))
    };
    let endings: Option<Vec<_>> = endings.iter().map(read).collect();
    let endings = endings?;
    // More trials than can be counted were never made.
    let mut counts = endings.iter().map(|(_, count)| *count);
    counts.try_fold(unsettled, u64::checked_add)?;
    Some(Record { endings, unsettled })
}

/// A row without the zeros at its end.
fn written((ending, count): &(Ending, u64)) -> (Vec<i32>, Vec<i32>, u64) {
    let trimmed = |row: &Row| {
        let used = row.iter().rposition(|&n| n != 0).map_or(0, |last| last + 1);
        row[..used].to_vec()
    };
    (trimmed(&ending.fields), trimmed(&ending.weights), *count)
}

fn row(values: &[i32]) -> Option<Row> {
    let mut row = [0; MAX_COLUMNS];
    row.get_mut(..values.len())?.copy_from_slice(values);
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(count: u64) -> Record {
        let mut fields = [0; MAX_COLUMNS];
        fields[1] = -3;
        let weights = [0; MAX_COLUMNS];
        Record {
            endings: vec![(Ending { fields, weights }, count)],
            unsettled: 2,
        }
    }

    #[test]
    fn what_was_recorded_is_recalled_even_after_a_line_cut_off() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let journal = Journal::open(&path).expect("a new journal");
        journal.record("a", &record(5)).expect("it can be written");
        drop(journal);
        let mut text = std::fs::read_to_string(&path).expect("it is there");
        text.push_str("{\"key\":\"b\",\"endings\":[[[0");
        std::fs::write(&path, text).expect("it can be written");
        let journal = Journal::open(&path).expect("an old journal");
        journal.record("c", &record(7)).expect("it can be written");
        let again = Journal::open(&path).expect("an old journal");
        assert_eq!(again.recall("a"), Some(record(5)));
        assert_eq!(again.recall("b"), None);
        assert_eq!(again.recall("c"), Some(record(7)));
        again.close().expect("it can be removed");
        assert!(!path.exists());
    }

    #[test]
    fn of_an_unfinished_cell_the_last_part_counts() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let part = |end, count| Part {
            pieces: Pieces::of(&[(0, end)]).expect("a range"),
            record: record(count),
        };
        let journal = Journal::open(&path).expect("a new journal");
        for made in [part(1, 5), part(3, 15)] {
            journal.record_part("a", &made).expect("it can be written");
        }
        let overlapping =
            "{\"key\":\"b\",\"pieces\":[[0,3],[2,4]],\"endings\":[],\"unsettled\":0}\n";
        let mut text = std::fs::read_to_string(&path).expect("it is there");
        text.push_str(overlapping);
        std::fs::write(&path, text).expect("it can be written");
        let again = Journal::open(&path).expect("an old journal");
        assert_eq!(again.recall_part("a"), Some(part(3, 15)));
        assert_eq!((again.recall("a"), again.recall_part("b")), (None, None));
    }

    #[test]
    fn rows_that_are_too_long_are_left_out() {
        assert_eq!(row(&[1; MAX_COLUMNS + 1]), None);
    }
}
