//! A log of blocks on a disk.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::saved_cell_text::{SavedCellLine, SavedSolutionOrRefusal};
use crate::checkpoint::hashed_line::{line_with_hash, object_of_hashed_line};
use crate::checkpoint::journal::{BuildId, header_line_text};
use crate::error::StudyError;
use enfilade_model::error::FileError;
use enfilade_model::plain_file::{self, FileReadRefusal, MAX_OWN_TABLE_BYTES};

/// Largest interval between two flushes to the disk, while lines are written.
const DISK_FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// Most bytes of a log: some twenty million cells. Blocks behind it are not recorded, so that a run
/// never fills a disk with what only a broken run needs.
const MAX_BLOCK_LOG_BYTES: u64 = MAX_OWN_TABLE_BYTES;

/// The log of a run over a large grid.
#[derive(Debug)]
pub struct CellBlockLog {
    path: PathBuf,
    largest: u64,
    /// Name of the run.
    run: String,
    /// Lines of an earlier run, until one of them is not believed.
    lines: Option<BufReader<File>>,
    /// Bytes of the lines that are believed and of those that were added.
    sound: u64,
    /// Bytes of the line that was read last.
    last: u64,
    /// Open for writing, once a block was added.
    out: Option<File>,
    flushed: Instant,
}

/// A line behind the first.
#[derive(Deserialize)]
struct BlockLogLine {
    run: String,
    block: u64,
    cells: Vec<SavedCellLine>,
}

impl CellBlockLog {
    /// Opens the log at `path`, with what an earlier run of the same `build` and the same name left
    /// there; its folder is created if it is missing.
    ///
    /// # Errors
    /// If the file cannot be read or created.
    pub(crate) fn open_or_resume(
        path: &Path,
        build: BuildId,
        run: String,
    ) -> Result<CellBlockLog, StudyError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(FileError::io_error_converter("making", folder))?;
        let head = header_line_text(build);
        let lines = match plain_file::open_plain_file(path) {
            Ok(file) => lines_after_head(&head, file)
                .map_err(FileError::io_error_converter("reading", path))?,
            Err(FileReadRefusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(refusal) => {
                return Err(refusal.into_named_error(&path.display().to_string(), path).into());
            }
        };
        if lines.is_none() {
            std::fs::write(path, &head).map_err(FileError::io_error_converter("writing", path))?;
        }
        let (path, sound) = (path.to_owned(), head.len() as u64);
        let (last, out, flushed) = (0, None, Instant::now());
        Ok(CellBlockLog {
            path,
            largest: MAX_BLOCK_LOG_BYTES,
            run,
            lines,
            sound,
            last,
            out,
            flushed,
        })
    }

    /// Returns the block of `len` places from cell `first` on, if the next line has it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn read_block_if_next(
        &mut self,
        first: u64,
        len: u64,
    ) -> Result<Option<Vec<Option<SavedSolutionOrRefusal>>>, StudyError> {
        let Some(lines) = &mut self.lines else { return Ok(None) };
        let mut line = Vec::new();
        let read = lines.read_until(b'\n', &mut line);
        read.map_err(FileError::io_error_converter("reading", &self.path))?;
        self.last = line.len() as u64;
        let block_line = parse_if_hash_valid(&line).filter(|line| {
            line.run == self.run && line.block == first && line.cells.len() as u64 == len
        });
        let cells = block_line.and_then(|line| {
            line.cells.into_iter().map(SavedCellLine::decode_saved_cell).collect()
        });
        if cells.is_none() {
            self.lines = None;
        }
        Ok(cells)
    }

    /// Believes the line that was read last.
    pub(crate) fn trust_last_block_read(&mut self) {
        self.sound += self.last;
    }

    /// Adds a block, in the place of all lines that were not believed, as long as the file stays
    /// small enough.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn append_block<'t>(
        &mut self,
        first: u64,
        cells: impl Iterator<Item = &'t str>,
    ) -> Result<(), StudyError> {
        let cells = cells.collect::<Vec<_>>().join(",");
        let text = format!("{{\"run\":\"{}\",\"block\":{first},\"cells\":[{cells}]", self.run);
        let line = line_with_hash(&text);
        self.sound += line.len() as u64;
        if self.sound > self.largest {
            return Ok(());
        }
        Ok(self
            .append_log_line(line.as_bytes())
            .map_err(FileError::io_error_converter("writing", &self.path))?)
    }

    fn append_log_line(&mut self, line: &[u8]) -> io::Result<()> {
        let out = match &mut self.out {
            Some(out) => out,
            none => {
                self.lines = None;
                let mut out = OpenOptions::new().write(true).open(&self.path)?;
                out.set_len(self.sound - line.len() as u64)?;
                out.seek(SeekFrom::End(0))?;
                none.insert(out)
            }
        };
        out.write_all(line)?;
        if self.flushed.elapsed() >= DISK_FLUSH_INTERVAL {
            self.flushed = Instant::now();
            out.sync_data()?;
        }
        Ok(())
    }

    /// Removes the file: the run is finished.
    ///
    /// # Errors
    /// If the file cannot be removed; a missing file is no error.
    pub(crate) fn finish_and_delete(self) -> Result<(), StudyError> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StudyError::File(FileError::io_error_converter("removing", &self.path)(error)))
            }
            _ => Ok(()),
        }
    }

    /// Removes the file if it has no block.
    pub(crate) fn delete_if_empty(self) {
        if self.out.is_none() && self.last == 0 {
            // Nothing is lost if the file stays.
            let _ = std::fs::remove_file(self.path);
        }
    }
}

/// The lines behind the `head` of a file; `None` if it begins otherwise.
pub(crate) fn lines_after_head(head: &str, file: File) -> io::Result<Option<BufReader<File>>> {
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let mut first = Vec::new();
    // A line of something else may be as long as the file.
    io::Read::take(&mut lines, head.len() as u64).read_until(b'\n', &mut first)?;
    Ok((first == head.as_bytes()).then_some(lines))
}

/// A whole line with the right hash.
fn parse_if_hash_valid(line: &[u8]) -> Option<BlockLogLine> {
    serde_json::from_str(&object_of_hashed_line(line)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::block_log::saved_cell_text::encode_saved_cell;
    use crate::solve::build_answer::{CellSolution, ExactContestDistribution};
    use crate::solve::trial_record::CellTrialCounts;
    use enfilade_engine::exact::approximation::Approximation;
    use enfilade_engine::exact::{
        Distribution, IntegerEndingWeights, RoundingErrorBound, TallyMoments,
    };
    use enfilade_engine::play::SumsOfOneCounter;
    use enfilade_model::combat::{Ending, MAX_OUTCOME_COLUMNS};

    const BUILD: BuildId = BuildId("0123456789abcdef");

    /// A solution with everything that a solution can have.
    fn solution(n: i32) -> CellSolution {
        let mut fields = [0; MAX_OUTCOME_COLUMNS];
        (fields[0], fields[2]) = (n, -7);
        let ending = Ending { fields, weights: [0; MAX_OUTCOME_COLUMNS] };
        let moments = TallyMoments { mean: 1.0 / 3.0, variance: 0.1, third: -0.0, fourth: 1e-300 };
        let law = Distribution {
            probabilities: vec![0.1 + 0.2],
            unsettled: 1e-17,
            never: 0.0,
            bound: 2e-16,
            steps: 4.5,
            tallies: vec![moments, TallyMoments::ENDLESS_TALLY],
            tally_figures: vec![(3, Approximation::new(0.1, 1e-17))],
            rounding: RoundingErrorBound {
                roundings: 17,
                absolute: 1e-31,
                tally_means: vec![1e-16, f64::INFINITY],
            },
        };
        let weights = IntegerEndingWeights {
            numerators: vec!["340282366920938463463374607431768211457".parse().expect("digits")],
            denominator: "680564733841876926926749214863536422914".parse().expect("digits"),
            never: "0".parse().expect("digits"),
            tallies: vec![Some("-12".parse().expect("digits")), None],
        };
        CellSolution {
            exact: Some(ExactContestDistribution {
                endings: vec![ending],
                law,
                states: 5,
                nodes: None,
                weights: Some(weights),
            }),
            record: Some(CellTrialCounts {
                endings: vec![(ending, 9)],
                unsettled: 1,
                totals: vec![SumsOfOneCounter { sum: -(1 << 70), squares: 1 << 90 }],
            }),
            note: Some("a \"note\"".into()),
        }
    }

    /// A block of three places: a solution, a refusal, a place without a cell.
    fn block(n: i32) -> Vec<Option<SavedSolutionOrRefusal>> {
        vec![
            Some(SavedSolutionOrRefusal::Solution(solution(n))),
            Some(SavedSolutionOrRefusal::Refusal("too large".into())),
            None,
        ]
    }

    fn texts(n: i32) -> Vec<String> {
        block(n).iter().map(|saved| encode_saved_cell(saved.as_ref())).collect()
    }

    struct Desk {
        _folder: tempfile::TempDir,
        path: PathBuf,
    }

    impl Desk {
        fn new() -> Desk {
            let folder = tempfile::tempdir().expect("a folder for the test");
            let path = folder.path().join("log");
            Desk { _folder: folder, path }
        }

        fn open(&self, run: &str) -> CellBlockLog {
            CellBlockLog::open_or_resume(&self.path, BUILD, run.into()).expect("it can be opened")
        }

        /// Adds blocks of three from cell `first` on.
        fn add(&self, log: &mut CellBlockLog, blocks: std::ops::Range<i32>) {
            for n in blocks {
                let texts = texts(n);
                log.append_block(3 * n as u64, texts.iter().map(String::as_str)).expect("written");
            }
        }

        /// The number of blocks that are there and right.
        fn known(&self, run: &str) -> i32 {
            let mut log = self.open(run);
            let mut n = 0;
            while let Some(found) = log.read_block_if_next(3 * n as u64, 3).expect("readable") {
                // Compared as text: moments without bound are no numbers, and equal nothing.
                let found: Vec<_> =
                    found.iter().map(|saved| encode_saved_cell(saved.as_ref())).collect();
                assert_eq!(found, texts(n), "block {n}");
                log.trust_last_block_read();
                n += 1;
            }
            n
        }
    }

    #[test]
    fn a_solution_is_read_to_the_last_bit() {
        let desk = Desk::new();
        let mut log = desk.open("a");
        desk.add(&mut log, 0..1);
        let found =
            desk.open("a").read_block_if_next(0, 3).expect("readable").expect("it is there");
        let Some(SavedSolutionOrRefusal::Solution(mut read)) = found[0].clone() else {
            panic!("{found:?}")
        };
        let mut whole = solution(0);
        for solution in [&mut read, &mut whole] {
            // Moments without bound equal nothing, themselves included.
            let exact = solution.exact.as_mut().expect("it was written");
            assert!(!exact.law.tallies[1].mean.is_finite());
            exact.law.tallies.truncate(1);
        }
        assert_eq!(read, whole);
        assert_eq!(found[1..], block(0)[1..]);
    }

    #[test]
    fn blocks_are_known_until_the_first_that_is_damaged() {
        let desk = Desk::new();
        let mut log = desk.open("a");
        desk.add(&mut log, 0..4);
        drop(log);
        assert_eq!((desk.known("a"), desk.known("another run")), (4, 0));
        let whole = std::fs::read(&desk.path).expect("readable");
        let starts: Vec<_> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        // Cut off in the third block, and every tenth byte of the second one changed.
        std::fs::write(&desk.path, &whole[..starts[2] + 50]).expect("written");
        assert_eq!(desk.known("a"), 2);
        for at in (starts[1] + 1..starts[2]).step_by(10) {
            let mut damaged = whole.clone();
            damaged[at] = if damaged[at] == b'7' { b'8' } else { b'7' };
            std::fs::write(&desk.path, damaged).expect("written");
            assert_eq!(desk.known("a"), 1, "byte {at}");
        }
    }

    #[test]
    fn a_new_block_takes_the_place_of_all_that_is_not_believed() {
        let desk = Desk::new();
        let mut log = desk.open("a");
        desk.add(&mut log, 0..4);
        let mut log = desk.open("a");
        for n in 0..2 {
            assert!(log.read_block_if_next(3 * n, 3).expect("readable").is_some());
            log.trust_last_block_read();
        }
        // The third was read and does not fit the grid.
        assert!(log.read_block_if_next(6, 3).expect("readable").is_some());
        desk.add(&mut log, 2..3);
        assert_eq!(desk.known("a"), 3);
        desk.open("a").finish_and_delete().expect("removed");
        assert!(!desk.path.exists());
    }

    #[test]
    fn a_log_that_is_large_enough_grows_no_more() {
        let desk = Desk::new();
        let mut log = desk.open("a");
        desk.add(&mut log, 0..1);
        log.largest = 2 * std::fs::metadata(&desk.path).expect("it is there").len();
        desk.add(&mut log, 1..5);
        let length = std::fs::metadata(&desk.path).expect("it is there").len();
        assert!(length <= log.largest, "{length}");
        assert_eq!(desk.known("a"), 2);
        // Nor does it when the run goes on.
        let mut log = CellBlockLog { largest: log.largest, ..desk.open("a") };
        for n in 0..2 {
            assert!(log.read_block_if_next(3 * n, 3).expect("readable").is_some());
            log.trust_last_block_read();
        }
        desk.add(&mut log, 2..5);
        assert_eq!(desk.known("a"), 2);
    }

    #[test]
    fn a_log_of_another_build_or_another_file_is_begun_anew() {
        let desk = Desk::new();
        desk.add(&mut desk.open("a"), 0..2);
        let other = CellBlockLog::open_or_resume(&desk.path, BuildId("another"), "a".into())
            .expect("opened");
        drop(other);
        assert_eq!(desk.known("a"), 0);
        std::fs::write(&desk.path, "something else").expect("written");
        assert_eq!(desk.known("a"), 0);
        desk.open("a").delete_if_empty();
        assert!(!desk.path.exists());
    }
}
