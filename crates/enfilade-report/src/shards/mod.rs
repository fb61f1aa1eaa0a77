//! Shards of a sweep, computed and merged: in the order of the cells, a block at a time.

use std::path::{Path, PathBuf};

use enfilade_model::error::Error;
use enfilade_study::solve::Watch;
use enfilade_study::solve::streaming::{AnswerSink, BLOCK, BlockBuffer, SearchFilter};
use enfilade_study::sweep::{Found, Plan, Refusal};
use shard_file::{Listed, Part, Reader};

pub mod shard_file;

/// Computes shard `number` and returns the name and the bytes of its file; `None` if `watch`
/// cancels.
///
/// # Errors
/// When the file cannot be encoded.
pub fn made(
    plan: &Plan,
    number: u64,
    watch: &dyn Watch,
) -> Result<Option<(String, Vec<u8>)>, Error> {
    let mut bytes = Vec::new();
    let mut part = Part::new(&plan.hash, number, &mut bytes)?;
    if !plan.work(number, watch, &mut |found| part.add(found))? {
        return Ok(None);
    }
    let prefix = part.finish()?;
    Ok(Some((prefix, bytes)))
}

/// Lists the shard files of `plan` in a folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn listed(plan: &Plan, folder: &Path) -> Result<Listed, Error> {
    shard_file::listed(folder, &plan.hash, plan.shards())
}

/// Verifies that the file at `path` is that of shard `number`, unchanged.
///
/// # Errors
/// A sentence with the reason.
pub fn sound(plan: &Plan, number: u64, path: &Path) -> Result<(), String> {
    Reader::open(path, &plan.hash, number).map(drop)
}

/// Merges all shards: passes their answers to `taker`, block by block.
///
/// # Errors
/// [`Error::Incomplete`] with the missing shards; [`Error::Damaged`] with every faulty file; the
/// error of `taker`.
pub fn merged(plan: &Plan, folder: &Path, taker: &mut dyn AnswerSink) -> Result<(), Error> {
    let listed = listed(plan, folder)?;
    let damaged = |faults| Error::Damaged { folder: folder.to_owned(), faults };
    if !listed.faults.is_empty() {
        return Err(damaged(listed.faults));
    }
    let paths: Option<Vec<PathBuf>> = listed.parts.iter().cloned().collect();
    let paths = paths.ok_or_else(|| missing(&listed))?;
    // As in `run`, a search receives all cells in their order, and the tables receive blocks of one
    // length, however the work was divided.
    let mut steady = BlockBuffer::new(taker);
    let mut searched = SearchFilter::new(plan.run.spec.search.as_ref(), &mut steady);
    let shares = usize::try_from(plan.terms.shares).unwrap_or(1);
    for (block, paths) in paths.chunks(shares).enumerate() {
        let first = block * shares;
        if let Err(trouble) = shard(plan, first as u64, paths, &mut searched) {
            return Err(match trouble {
                Trouble::Taker(error) => error,
                Trouble::Part(fault) => {
                    // The others are checked now, so that all can be replaced in one pass.
                    let mut faults = vec![fault];
                    faults.extend(others(plan, &listed, first + shares));
                    damaged(faults)
                }
            });
        }
    }
    searched.finish()?;
    steady.finish()
}

/// Returns the error for missing shards.
pub fn missing(listed: &Listed) -> Error {
    let missing: Vec<u64> = absent(listed);
    let (count, all) = (missing.len(), listed.parts.len());
    Error::Incomplete(format!("{count} of {all} shards have no part: {}", ranges(&missing)))
}

/// Returns the shards without a file.
pub fn absent(listed: &Listed) -> Vec<u64> {
    let numbered = listed.parts.iter().enumerate();
    numbered.filter(|(_, part)| part.is_none()).map(|(number, _)| number as u64).collect()
}

/// Formats sorted numbers as ranges, `0-4,7`; of many, only the first.
pub fn ranges(numbers: &[u64]) -> String {
    let runs: Vec<_> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
    let told = runs.iter().take(20).map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    let told = told.collect::<Vec<_>>().join(",");
    if runs.len() > 20 { told + ",…" } else { told }
}

/// The largest number of faults listed.
const TOLD: usize = 20;

/// Returns the faults of the other files, from shard `first` on.
fn others(plan: &Plan, listed: &Listed, first: usize) -> Vec<String> {
    let rest = listed.parts.iter().enumerate().skip(first);
    let faults = rest.filter_map(|(number, path)| sound(plan, number as u64, path.as_ref()?).err());
    faults.take(TOLD).collect()
}

enum Trouble {
    Taker(Error),
    Part(String),
}

/// Drops the cells that break a check; only their number is reported.
fn without_excluded(found: Vec<Found>, taker: &mut SearchFilter<'_>) -> Vec<Found> {
    let mut found = found;
    found.retain(|found| match &found.solution {
        Err(Refusal { check: Some(check), cells, .. }) => {
            taker.exclude(check, *cells);
            false
        }
        _ => true,
    });
    found
}

/// Merges all shares of one range of cells.
fn shard(
    plan: &Plan,
    first: u64,
    paths: &[PathBuf],
    taker: &mut SearchFilter<'_>,
) -> Result<(), Trouble> {
    let named = |fault: String| {
        let name = paths[0].file_name().unwrap_or_default().to_string_lossy();
        Trouble::Part(format!("{name}: {fault}"))
    };
    let open = |(share, path): (usize, &PathBuf)| {
        Reader::open(path, &plan.hash, first + share as u64).map_err(Trouble::Part)
    };
    let mut readers = paths.iter().enumerate().map(open).collect::<Result<Vec<_>, _>>()?;
    let cells = plan.shard(first).cells;
    // A search keeps only some cells, followed by representatives of others.
    let all = plan.run.spec.search.is_none();
    let mut next = cells.start;
    for number in 0..readers[0].blocks() {
        let found = block(&mut readers, number).map_err(named)?;
        for found in &found {
            if let Some(fault) = found.fault(&plan.run.settings) {
                return Err(named(format!("cell {}: {fault}", found.cell)));
            }
            if !cells.contains(&found.cell) || (all && found.cell != next) {
                return Err(named(format!("cell {next} is not in its place")));
            }
            next = found.cell + 1;
        }
        let found = if all { found } else { without_excluded(found, taker) };
        for found in found.chunks(BLOCK as usize) {
            let wrong = |(cell, why)| named(format!("cell {cell}: {why}"));
            taker.take(plan.answers(found).map_err(wrong)?).map_err(Trouble::Taker)?;
        }
    }
    match next == cells.end || !all {
        true => Ok(()),
        false => Err(named(format!("the cells from {next} to {} are not there", cells.end))),
    }
}

/// Merges a block from all shares of its trials.
fn block(readers: &mut [Reader], number: usize) -> Result<Vec<Found>, String> {
    let mut whole = readers[0].block(number)?;
    for reader in &mut readers[1..] {
        if number >= reader.blocks() {
            return Err("another share of it has fewer blocks".to_owned());
        }
        let share = reader.block(number)?;
        if share.len() != whole.len() {
            return Err("another share of it has other cells".to_owned());
        }
        let pairs = whole.into_iter().zip(share);
        whole = pairs.map(|(one, two)| one.and(two)).collect::<Result<_, _>>()?;
    }
    Ok(whole)
}
