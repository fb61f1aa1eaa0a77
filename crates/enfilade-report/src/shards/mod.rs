//! Shards of a sweep, computed and merged: in the order of the cells, a block at a time.

use std::path::{Path, PathBuf};

use crate::error::{FolderDamaged, ReportError};
use enfilade_study::solve::SolveObserver;
use enfilade_study::solve::streaming::{
    AnswerBatchingSink, AnswerSink, CELLS_PER_BLOCK, SearchingSink,
};
use enfilade_study::sweep::{CellRefusal, CellResult, SweepPlan};
use shard_file::{ShardFolderListing, ShardReader, ShardWriter};

mod cell_tallies;
pub mod shard_file;

/// Computes shard `number` and returns the name and the bytes of its file; `None` if `watch`
/// cancels.
///
/// # Errors
/// When the file cannot be encoded.
pub fn compute_shard_name_and_bytes(
    plan: &SweepPlan,
    number: u64,
    watch: &dyn SolveObserver,
) -> Result<Option<(String, Vec<u8>)>, ReportError> {
    let mut bytes = Vec::new();
    let mut part = ShardWriter::new(&plan.hash, number, &mut bytes)?;
    if !plan.stream_numbered_shard(number, watch, &mut |found| part.add_cell_results(found))? {
        return Ok(None);
    }
    let prefix = part.finish_returning_name_prefix()?;
    Ok(Some((prefix, bytes)))
}

/// Lists the shard files of `plan` in a folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn list_shards_of_plan(
    plan: &SweepPlan,
    folder: &Path,
) -> Result<ShardFolderListing, ReportError> {
    shard_file::list_shard_files(folder, &plan.hash, plan.shard_count())
}

/// Verifies that the file at `path` is that of shard `number`, unchanged.
///
/// # Errors
/// A sentence with the reason.
pub fn verify_shard_file(plan: &SweepPlan, number: u64, path: &Path) -> Result<(), String> {
    ShardReader::open_shard_of_plan(path, &plan.hash, number).map(drop)
}

/// Merges all shards: passes their answers to `taker`, block by block.
///
/// # Errors
/// [`ReportError::Incomplete`] with the missing shards; [`ReportError::Damaged`] with every faulty
/// file; the error of `taker`.
pub fn send_merged_shards_to_sink(
    plan: &SweepPlan,
    folder: &Path,
    taker: &mut dyn AnswerSink<ReportError>,
) -> Result<(), ReportError> {
    let listed = list_shards_of_plan(plan, folder)?;
    let damaged = |faults| FolderDamaged { folder: folder.to_owned(), faults }.into();
    if !listed.faults.is_empty() {
        return Err(damaged(listed.faults));
    }
    let paths: Option<Vec<PathBuf>> = listed.parts.iter().cloned().collect();
    let paths = paths.ok_or_else(|| missing_shards_error(&listed))?;
    // As in `run`, a search receives all cells in their order, and the tables receive blocks of one
    // length, however the work was divided.
    let mut steady = AnswerBatchingSink::new(taker);
    let mut searched = SearchingSink::new(plan.run.spec.search.as_ref(), &mut steady);
    let shares = usize::try_from(plan.terms.shares).unwrap_or(1);
    for (block, paths) in paths.chunks(shares).enumerate() {
        let first = block * shares;
        if let Err(trouble) = merge_shard_files_of_range(plan, first as u64, paths, &mut searched) {
            return Err(match trouble {
                SinkOrShardFileError::Taker(error) => error,
                SinkOrShardFileError::Part(fault) => {
                    // The others are checked now, so that all can be replaced in one pass.
                    let mut faults = vec![fault];
                    faults.extend(find_faults_from_shard(plan, &listed, first + shares));
                    damaged(faults)
                }
            });
        }
    }
    searched.deliver_selected()?;
    steady.deliver_remaining()
}

/// Returns the error for missing shards.
pub fn missing_shards_error(listed: &ShardFolderListing) -> ReportError {
    let missing: Vec<u64> = missing_shards(listed);
    let (count, all) = (missing.len(), listed.parts.len());
    ReportError::Incomplete(format!(
        "{count} of {all} shards have no part: {}",
        format_number_ranges(&missing)
    ))
}

/// Returns the shards without a file.
pub fn missing_shards(listed: &ShardFolderListing) -> Vec<u64> {
    let numbered = listed.parts.iter().enumerate();
    numbered.filter(|(_, part)| part.is_none()).map(|(number, _)| number as u64).collect()
}

/// Formats sorted numbers as ranges, `0-4,7`; of many, only the first.
pub fn format_number_ranges(numbers: &[u64]) -> String {
    let runs: Vec<_> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
    let texts = runs.iter().take(20).map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    let text = texts.collect::<Vec<_>>().join(",");
    if runs.len() > 20 { text + ",…" } else { text }
}

/// The largest number of faults listed.
const MAX_SHARD_FAULTS: usize = 20;

/// Returns the faults of the other files, from shard `first` on.
fn find_faults_from_shard(
    plan: &SweepPlan,
    listed: &ShardFolderListing,
    first: usize,
) -> Vec<String> {
    let rest = listed.parts.iter().enumerate().skip(first);
    let faults = rest
        .filter_map(|(number, path)| verify_shard_file(plan, number as u64, path.as_ref()?).err());
    faults.take(MAX_SHARD_FAULTS).collect()
}

enum SinkOrShardFileError {
    Taker(ReportError),
    Part(String),
}

/// Drops the cells that break a check; only their number is reported.
fn report_and_drop_broken_cells(
    results: Vec<CellResult>,
    taker: &mut SearchingSink<'_, ReportError>,
) -> Vec<CellResult> {
    let mut found = results;
    found.retain(|found| match &found.solution {
        Err(CellRefusal { check: Some(check), cells, .. }) => {
            taker.add_broken_cell_count(check, *cells);
            false
        }
        _ => true,
    });
    found
}

/// Merges all shares of one range of cells.
fn merge_shard_files_of_range(
    plan: &SweepPlan,
    first: u64,
    paths: &[PathBuf],
    taker: &mut SearchingSink<'_, ReportError>,
) -> Result<(), SinkOrShardFileError> {
    let named = |fault: String| {
        let name = paths[0].file_name().unwrap_or_default().to_string_lossy();
        SinkOrShardFileError::Part(format!("{name}: {fault}"))
    };
    let open = |(share, path): (usize, &PathBuf)| {
        ShardReader::open_shard_of_plan(path, &plan.hash, first + share as u64)
            .map_err(SinkOrShardFileError::Part)
    };
    let mut readers = paths.iter().enumerate().map(open).collect::<Result<Vec<_>, _>>()?;
    let cells = plan.shard_by_number(first).cells;
    // A search keeps only some cells, followed by representatives of others.
    let all = plan.run.spec.search.is_none();
    let mut next = cells.start;
    for number in 0..readers[0].block_count() {
        let block_results = merge_block_shares(&mut readers, number).map_err(named)?;
        for block_results in &block_results {
            if let Some(fault) = block_results.contradiction_in_result(&plan.run.settings) {
                return Err(named(format!("cell {}: {fault}", block_results.cell)));
            }
            if !cells.contains(&block_results.cell) || (all && block_results.cell != next) {
                return Err(named(format!("cell {next} is not in its place")));
            }
            next = block_results.cell + 1;
        }
        let block_results =
            if all { block_results } else { report_and_drop_broken_cells(block_results, taker) };
        for block_results in block_results.chunks(CELLS_PER_BLOCK as usize) {
            let wrong = |(cell, why)| named(format!("cell {cell}: {why}"));
            taker
                .receive_answer_block(plan.build_answers(block_results).map_err(wrong)?)
                .map_err(SinkOrShardFileError::Taker)?;
        }
    }
    match next == cells.end || !all {
        true => Ok(()),
        false => Err(named(format!("the cells from {next} to {} are not there", cells.end))),
    }
}

/// Merges a block from all shares of its trials.
fn merge_block_shares(
    readers: &mut [ShardReader],
    number: usize,
) -> Result<Vec<CellResult>, String> {
    let mut whole = readers[0].read_block(number)?;
    for reader in &mut readers[1..] {
        if number >= reader.block_count() {
            return Err("another share of it has fewer blocks".to_owned());
        }
        let share = reader.read_block(number)?;
        if share.len() != whole.len() {
            return Err("another share of it has other cells".to_owned());
        }
        let pairs = whole.into_iter().zip(share);
        whole = pairs.map(|(one, two)| one.merge_trial_shares(two)).collect::<Result<_, _>>()?;
    }
    Ok(whole)
}
