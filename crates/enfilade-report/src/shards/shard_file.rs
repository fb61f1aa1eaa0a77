//! File of a shard of a sweep: the results of its cells, in a Parquet table.
//!
//! A cell has a row without an outcome and then one for every ending: `cell`, `outcome` and
//! `weights` (the values of the outcome fields and of the measures), `exact`, `count`. In the first
//! row `exact` and `count` are the unfinished share, `states` and `nodes` the size of the contest,
//! `tallies` its tallies, `note` the reason for a missing exact distribution, `error` the reason
//! for a missing answer. Nothing is rounded, and there are no intervals.
//!
//! The name of the file identifies it: the first digits of the hash of the plan, the number of the
//! shard, and the first digits of the hash of the file, which is verified before the file is
//! decoded.

use std::fs;
use std::io::{Cursor, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::ReportError;
use crate::folder::staging::{hash_sha256, length_and_hash_of_rest, map_write_error};
use crate::shards::cell_tallies::SavedCellTallies;
use crate::tables::parquet::{self, ParquetFileWriter};
use crate::tables::{ColumnValues, TypedColumn, TypedTable};
use enfilade_model::combat::{Ending, MAX_OUTCOME_COLUMNS, OutcomeRow};
use enfilade_model::error::FileError;
use enfilade_model::plain_file;
use enfilade_model::static_or_shared::Text;
use enfilade_study::checkpoint::journal::TEMPORARY_FILE_PREFIX;
use enfilade_study::solve::build_answer::{CellSolution, ExactContestDistribution};
use enfilade_study::solve::trial_record::CellTrialCounts;
use enfilade_study::sweep::{CellRefusal, CellResult};

/// Digits of a hash in a name.
const HASH_DIGITS: usize = 16;

/// Cells in a row group of a shard file, enough that the description of a group weighs little.
const CELLS_PER_ROW_GROUP: usize = 4096;

/// The ending of the names of shard files.
const SHARD_ENDING: &str = ".parquet";

/// Writer of a shard file.
#[derive(Debug)]
pub struct ShardWriter<'a> {
    prefix: String,
    waiting: Vec<CellResult>,
    writer: ParquetFileWriter<&'a mut Vec<u8>>,
}

/// Returns the beginning of the name of the file of shard `number`.
fn file_name_prefix_of_shard(plan: &str, number: u64) -> String {
    format!("{}-{number:06}-", &plan[..HASH_DIGITS])
}

fn shard_metadata(plan: &str, number: u64) -> Vec<(String, String)> {
    let about = [("enfilade.plan", plan.to_owned()), ("enfilade.shard", number.to_string())];
    about.map(|(key, value)| (key.to_owned(), value)).to_vec()
}

impl<'a> ShardWriter<'a> {
    /// Starts the file of shard `number` of the plan with this hash, in `bytes`.
    ///
    /// # Errors
    /// When the file cannot be started.
    pub fn new(
        plan: &str,
        number: u64,
        bytes: &'a mut Vec<u8>,
    ) -> Result<ShardWriter<'a>, ReportError> {
        let writer = ParquetFileWriter::new(
            bytes,
            &ShardColumnData::default().into_table(),
            &shard_metadata(plan, number),
        )?;
        Ok(ShardWriter {
            prefix: file_name_prefix_of_shard(plan, number),
            waiting: Vec::new(),
            writer,
        })
    }

    /// Adds cells, in groups that can be read back one by one.
    ///
    /// # Errors
    /// When the cells cannot be encoded.
    pub fn add_cell_results(&mut self, results: Vec<CellResult>) -> Result<(), ReportError> {
        self.waiting.extend(results);
        while self.waiting.len() >= CELLS_PER_ROW_GROUP {
            let rest = self.waiting.split_off(CELLS_PER_ROW_GROUP);
            self.end_row_group()?;
            self.waiting = rest;
        }
        Ok(())
    }

    fn end_row_group(&mut self) -> Result<(), ReportError> {
        let mut rows = ShardColumnData::default();
        std::mem::take(&mut self.waiting).iter().for_each(|found| rows.add_cell_result(found));
        self.writer.add_table_rows(&rows.into_table())?;
        self.writer.end_row_group()
    }

    /// Finishes the file, and returns the beginning of its name.
    ///
    /// # Errors
    /// When the file cannot be encoded.
    pub fn finish_returning_name_prefix(mut self) -> Result<String, ReportError> {
        if !self.waiting.is_empty() {
            self.end_row_group()?;
        }
        self.writer.finish_parquet_file()?;
        Ok(self.prefix)
    }
}

/// Puts a shard file into a folder, completely or not at all; an existing one stays unchanged.
///
/// # Errors
/// If the file cannot be written.
pub fn write_under_hash_if_absent(
    folder: &Path,
    prefix: &str,
    bytes: &[u8],
) -> Result<PathBuf, ReportError> {
    let path = folder.join(format!("{prefix}{}{SHARD_ENDING}", &hash_sha256(bytes)[..HASH_DIGITS]));
    let write_file = || {
        // Written beside it and renamed, so that a listing of the folder never contains an
        // incomplete file.
        let mut write_file = plain_file::create_temporary_file(folder, TEMPORARY_FILE_PREFIX)?;
        write_file.write_all(bytes)?;
        write_file.as_file().sync_all()?;
        write_file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    };
    write_file().map_err(map_write_error(&path))?;
    crate::folder::staging::flush_folder_to_disk(folder)?;
    Ok(path)
}

/// The contents of a folder of shard files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardFolderListing {
    /// The file of each shard, if there is one.
    pub parts: Vec<Option<PathBuf>>,
    /// Files that should not be there, each with the reason.
    pub faults: Vec<String>,
}

/// Lists the shard files in `folder` of the plan with this hash and number of shards, by their
/// names; no file is opened. A folder that does not exist yet has no files.
///
/// # Errors
/// When the folder cannot be read.
pub fn list_shard_files(
    folder: &Path,
    plan: &str,
    shards: u64,
) -> Result<ShardFolderListing, ReportError> {
    let reading = FileError::io_error_converter("reading", folder);
    let count = usize::try_from(shards).unwrap_or(usize::MAX);
    let mut found = ShardFolderListing { parts: vec![None; count], faults: Vec::new() };
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
        entries => entries.map_err(&reading)?,
    };
    for entry in entries {
        let entry = entry.map_err(&reading)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // The leftover of a killed worker is ignored.
        if name.ends_with(SHARD_ENDING) && !name.starts_with('.') {
            let plain = entry.file_type().map_err(&reading)?.is_file();
            names.push((name, plain));
        }
    }
    names.sort();
    for (name, plain) in names {
        match shard_number_in_file_name(&name, plan, shards) {
            _ if !plain => found.faults.push(format!("{name} is no plain file")),
            Err(why) => found.faults.push(format!("{name} {why}")),
            Ok(number) => match &found.parts[number] {
                Some(other) => {
                    let other = other.file_name().unwrap_or_default().to_string_lossy();
                    found.faults.push(format!("{name} and {other} are both of shard {number}"));
                }
                None => found.parts[number] = Some(folder.join(&name)),
            },
        }
    }
    Ok(found)
}

/// Returns the number of the shard in a file name.
fn shard_number_in_file_name(name: &str, plan: &str, shards: u64) -> Result<usize, String> {
    let stem = name.strip_suffix(SHARD_ENDING).unwrap_or(name);
    let [of, number, _hash] = stem.split('-').collect::<Vec<_>>()[..] else {
        return Err("is not called as parts are".to_owned());
    };
    if of != &plan[..HASH_DIGITS] {
        return Err("is of another plan".to_owned());
    }
    let number = number.parse::<u64>().ok().filter(|&number| number < shards);
    number
        .and_then(|number| usize::try_from(number).ok())
        .ok_or_else(|| format!("is of no shard of this plan, which has {shards}"))
}

/// Reader of a shard file, block after block.
#[derive(Debug)]
pub struct ShardReader {
    file: parquet::ParquetFileReader<Cursor<Vec<u8>>>,
}

impl ShardReader {
    /// Opens the file at `path`, which must be that of shard `number` of the plan.
    ///
    /// # Errors
    /// A sentence, if it is another file, or is changed.
    pub fn open_shard_of_plan(path: &Path, plan: &str, number: u64) -> Result<ShardReader, String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let refuse = |why: &str| format!("{name} {why}");
        let unread = |why: plain_file::FileReadRefusal| refuse(&format!("cannot be read: {why}"));
        // Checked before the file is loaded: a huge file with this name is no shard file.
        let hashed = || Ok(length_and_hash_of_rest(&mut plain_file::open_plain_file(path)?)?);
        let (length, hash) = hashed().map_err(unread)?;
        if name
            != format!(
                "{}{}{SHARD_ENDING}",
                file_name_prefix_of_shard(plan, number),
                &hash[..HASH_DIGITS]
            )
        {
            return Err(refuse("is not as it was written"));
        }
        let bytes = plain_file::read_bytes_up_to(path, length).map_err(unread)?;
        let file = parquet::ParquetFileReader::new(Cursor::new(bytes));
        let file = file.map_err(|error| refuse(&error.to_string()))?;
        let pairs = file.key_value_metadata();
        match shard_metadata(plan, number).iter().all(|pair| pairs.contains(pair)) {
            true => Ok(ShardReader { file }),
            false => Err(refuse("is of another plan or shard, and was renamed")),
        }
    }

    /// Returns the number of blocks.
    pub fn block_count(&self) -> usize {
        self.file.row_group_count()
    }

    /// Reads a block.
    ///
    /// # Errors
    /// A sentence, if the block is malformed.
    pub fn read_block(&mut self, number: usize) -> Result<Vec<CellResult>, String> {
        let table = self.file.read_row_group(number).map_err(|error| error.to_string())?;
        ShardColumnData::from_table(table)
            .and_then(|rows| rows.into_cell_results())
            .ok_or_else(|| "is no part".to_owned())
    }
}

/// The columns of a shard file.
#[derive(Default)]
struct ShardColumnData {
    cell: Vec<Option<u64>>,
    outcome: Vec<Option<Text>>,
    weights: Vec<Option<Text>>,
    exact: Vec<Option<f64>>,
    count: Vec<Option<u64>>,
    states: Vec<Option<u64>>,
    nodes: Vec<Option<u64>>,
    tallies: Vec<Option<Text>>,
    note: Vec<Option<Text>>,
    error: Vec<Option<Text>>,
}

impl ShardColumnData {
    fn into_table(self) -> TypedTable {
        let columns = [
            ("cell", ColumnValues::Count(self.cell)),
            ("outcome", ColumnValues::Text(self.outcome)),
            ("weights", ColumnValues::Text(self.weights)),
            ("exact", ColumnValues::Number(self.exact)),
            ("count", ColumnValues::Count(self.count)),
            ("states", ColumnValues::Count(self.states)),
            ("nodes", ColumnValues::Count(self.nodes)),
            ("tallies", ColumnValues::Text(self.tallies)),
            ("note", ColumnValues::Text(self.note)),
            ("error", ColumnValues::Text(self.error)),
        ];
        let columns = columns.map(|(name, values)| TypedColumn { name: name.to_owned(), values });
        TypedTable { name: "part", columns: columns.to_vec() }
    }

    fn from_table(table: TypedTable) -> Option<ShardColumnData> {
        let mut columns = table.columns.into_iter().map(|column| column.values);
        let mut next = || columns.next();
        macro_rules! column {
            ($kind:ident) => {
                match next()? {
                    ColumnValues::$kind(all) => all,
                    // The hash proves that a file is unchanged, but not its origin.
                    _ => return None,
                }
            };
        }
        Some(ShardColumnData {
            cell: column!(Count),
            outcome: column!(Text),
            weights: column!(Text),
            exact: column!(Number),
            count: column!(Count),
            states: column!(Count),
            nodes: column!(Count),
            tallies: column!(Text),
            note: column!(Text),
            error: column!(Text),
        })
    }

    fn add_cell_result(&mut self, result: &CellResult) {
        let CellResult { cell, solution } = result;
        let (exact, record) = match solution {
            Ok(solution) => (solution.exact.as_ref(), solution.record.as_ref()),
            Err(_) => (None, None),
        };
        // For a cell that breaks a check: the number of cells it represents, and the check.
        let breaks = solution.as_ref().err().filter(|refusal| refusal.check.is_some());
        let number = |n: usize| n as u64;
        self.cell.push(Some(*cell));
        self.outcome.push(None);
        self.weights.push(None);
        self.exact.push(exact.map(|exact| exact.law.unsettled));
        let count = record.map(|record| record.unsettled);
        self.count.push(count.or(breaks.map(|refusal| refusal.cells)));
        self.states.push(exact.map(|exact| number(exact.states)));
        self.nodes.push(exact.and_then(|exact| exact.nodes).map(number));
        self.tallies.push(SavedCellTallies::solution_to_json_text(exact, record).map(Text::from));
        let note = match solution {
            Ok(solution) => solution.note.clone(),
            Err(refusal) => refusal.check.clone(),
        };
        self.note.push(note.map(Text::from));
        self.error.push(solution.as_ref().err().map(|refusal| refusal.why.clone().into()));
        let endings = exact.map_or(&[][..], |exact| &exact.endings);
        let counts = record.map_or(&[][..], |record| &record.endings);
        if counts.iter().map(|(ending, _)| ending).eq(endings) || counts.is_empty() {
            for (at, ending) in endings.iter().enumerate() {
                let count = counts.get(at).map(|(_, count)| *count);
                let exact = exact.and_then(|exact| exact.law.probabilities.get(at).copied());
                self.add_ending_row(*cell, ending, exact, count);
            }
            return;
        }
        // Endings that were played and endings that are possible are two lists: each keeps its
        // order.
        for (at, ending) in endings.iter().enumerate() {
            let exact = exact.and_then(|exact| exact.law.probabilities.get(at).copied());
            self.add_ending_row(*cell, ending, exact, None);
        }
        for (ending, count) in counts {
            self.add_ending_row(*cell, ending, None, Some(*count));
        }
    }

    fn add_ending_row(
        &mut self,
        cell: u64,
        ending: &Ending,
        exact: Option<f64>,
        count: Option<u64>,
    ) {
        self.cell.push(Some(cell));
        self.outcome.push(Some(outcome_values_as_csv_text(&ending.fields).into()));
        self.weights.push(Some(outcome_values_as_csv_text(&ending.weights).into()));
        self.exact.push(exact);
        self.count.push(count);
        self.states.push(None);
        self.nodes.push(None);
        self.tallies.push(None);
        self.note.push(None);
        self.error.push(None);
    }

    fn into_cell_results(self) -> Option<Vec<CellResult>> {
        let mut all: Vec<CellResult> = Vec::new();
        for row in 0..self.cell.len() {
            let cell = self.cell[row]?;
            if self.outcome[row].is_none() {
                all.push(CellResult { cell, solution: self.cell_solution_or_refusal(row)? });
                continue;
            }
            // An ending comes after the first row of its cell; anywhere else this is no shard file.
            let last = all.last_mut().filter(|last| last.cell == cell)?;
            let ending = Ending {
                fields: parse_outcome_values(self.outcome[row].as_deref()?)?,
                weights: parse_outcome_values(self.weights[row].as_deref()?)?,
            };
            let solution = last.solution.as_mut().ok()?;
            if let Some(probability) = self.exact[row] {
                let exact = solution.exact.as_mut()?;
                exact.endings.push(ending);
                exact.law.probabilities.push(probability);
            }
            if let Some(count) = self.count[row] {
                solution.record.as_mut()?.endings.push((ending, count));
            }
        }
        Some(all)
    }

    fn cell_solution_or_refusal(&self, row: usize) -> Option<Result<CellSolution, CellRefusal>> {
        if let Some(why) = &self.error[row] {
            let check = self.note[row].as_ref().map(Text::to_string);
            let cells = self.count[row].unwrap_or(1);
            return Some(Err(CellRefusal { why: why.to_string(), check, cells }));
        }
        let tallied = self.tallies[row]
            .as_deref()
            .map_or(Some(SavedCellTallies::default()), |text| serde_json::from_str(text).ok())?;
        let size = |column: &[Option<u64>]| usize::try_from(column[row]?).ok();
        let totals = tallied.parse_trial_sums()?;
        let exact = self.exact[row].map(|unsettled| {
            let law = tallied.into_law_without_probabilities(unsettled);
            let (states, nodes) = (size(&self.states)?, size(&self.nodes));
            Some(ExactContestDistribution {
                endings: Vec::new(),
                law,
                states,
                nodes,
                weights: None,
            })
        });
        let record = self.count[row].map(|unsettled| CellTrialCounts {
            endings: Vec::new(),
            unsettled,
            totals,
        });
        // A cell with a distribution has a number of states; without it the row is malformed.
        let exact = match exact {
            Some(None) => return None,
            other => other.flatten(),
        };
        let note = self.note[row].as_ref().map(Text::to_string);
        Some(Ok(CellSolution { exact, record, note }))
    }
}

/// Encodes a row without the zeros at its end: `1,0,-3`.
fn outcome_values_as_csv_text(row: &OutcomeRow) -> String {
    use std::fmt::Write as _;
    let used_len = row.iter().rposition(|&n| n != 0).map_or(0, |last| last + 1);
    let mut text = String::with_capacity(3 * used_len);
    for (at, n) in row[..used_len].iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = if at == 0 { write!(text, "{n}") } else { write!(text, ",{n}") };
    }
    text
}

fn parse_outcome_values(text: &str) -> Option<OutcomeRow> {
    let mut row = [0; MAX_OUTCOME_COLUMNS];
    if text.is_empty() {
        return Some(row);
    }
    for (at, n) in text.split(',').enumerate() {
        *row.get_mut(at)? = n.parse().ok()?;
    }
    Some(row)
}
