//! Sweeps: the cells of an experiment in shards that are solved anywhere, in any order and any
//! number of times, and that merge to the result of one machine.
//!
//! A [`SweepPlan`] contains everything a worker needs. Shards are not listed in it but computed: shard K
//! is a range of cells and one of several equal shares of their trials. The result of a shard is
//! exact numbers and counts, nothing rounded and no interval: those are computed when all shards
//! are present, because they need the trials of all shares and the number of all cells.

use std::collections::BTreeMap;
use std::ops::Range;

use indexmap::IndexMap;
use rayon::prelude::*;

mod plan;

pub use plan::{ShardRequest, ShardSizes, SweepPlan, max_collected};

use super::answer::Answer;
use super::checkpoint::journal::Journal;
use super::experiment::{Cell, StopRule};
use super::search::edge::SolvedCell;
use super::search::omitted_cells::NearMisses;
use super::search::{CandidateFilter, FilterVerdict, SearchSpec};
use super::solve::block::{self, BLOCK_CELLS, Block, pipeline_blocks};
use super::solve::build_answer::CellSolution;
use super::solve::errors::format_in_one_line;
use super::solve::settings::SolveObserver;
use super::solve::solve_cell::{Task, TrialShare};
use super::solve::trial_record::TrialRecord;
use super::solve::{RunPlan, Settings, agreement_level};
use crate::error::StudyError;
use enfilade_engine::play::TallyTotal;
use enfilade_model::combat::Ending;

/// Number of cells that one thread merges one after the other.
const RUN_CELLS: usize = 64;

/// Result of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellResult {
    /// Cell.
    pub cell: u64,
    /// Solution, or the reason for its absence.
    pub solution: Result<CellSolution, CellRefusal>,
}

/// Reason why a cell has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellRefusal {
    /// Reason, in one line.
    pub why: String,
    /// Check of the rulebook that the cell breaks, in its words, if that is the reason.
    pub check: Option<String>,
    /// Number of cells of the shard with this refusal: for a search, all that break this check.
    pub cells: u64,
}

impl CellRefusal {
    fn from_reason(why: String) -> CellRefusal {
        CellRefusal { why, check: None, cells: 1 }
    }
}

/// Work unit of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardWork {
    /// Range of cells.
    pub cells: Range<u64>,
    /// Share of their trials.
    pub share: TrialShare,
}

impl SweepPlan {
    /// Returns shard `number`.
    pub fn shard(&self, number: u64) -> ShardWork {
        let (block, index) = (number / self.terms.shares, number % self.terms.shares);
        let cells = self.run.cells.len();
        let until = |block: u64| block.saturating_mul(self.terms.cells_per_shard).min(cells);
        ShardWork {
            cells: until(block)..until(block + 1),
            share: TrialShare { index, of: self.terms.shares },
        }
    }

    /// Solves shard `number` and passes the results on, block after block. Returns whether it was
    /// completed before `watch` cancelled the work.
    ///
    /// # Errors
    /// The error of `take`.
    pub fn run_shard<E: From<StudyError> + Send>(
        &self,
        number: u64,
        watch: &dyn SolveObserver,
        take: &mut (dyn FnMut(Vec<CellResult>) -> Result<(), E> + Send),
    ) -> Result<bool, E> {
        let mut failure = None;
        let mut pass_on = |results: Vec<CellResult>| {
            take(results).map_err(|error| {
                failure = Some(error);
                StudyError::Interrupted("the results were not taken".to_owned())
            })
        };
        let done = self.run_shard_into(number, watch, &mut pass_on);
        failure.map_or_else(|| done.map_err(E::from), Err)
    }

    /// Solves shard `number` for a receiver with the errors of this crate.
    fn run_shard_into(
        &self,
        number: u64,
        watch: &dyn SolveObserver,
        take: &mut (dyn FnMut(Vec<CellResult>) -> Result<(), StudyError> + Send),
    ) -> Result<bool, StudyError> {
        let shard = self.shard(number);
        let RunPlan { cells, settings, spec, .. } = &self.run;
        // A share of the trials does not determine the verdict on a cell.
        let search = spec.search.as_ref().filter(|_| self.terms.shares == 1);
        let make = |solved: block::Solved<'_>| match solved {
            block::Solved::Cell(cell, Ok(solution)) => of_cell(cell, solution, search, &shard),
            block::Solved::Cell(cell, Err(error)) => {
                let refusal = CellRefusal::from_reason(format_in_one_line(&error));
                let solution = Err(refusal);
                (FilterVerdict::Unknown, CellResult { cell: cell.index as u64, solution })
            }
            // The merge computes it again.
            block::Solved::Row(row) => {
                let refusal = CellRefusal::from_reason(row.notes.concat());
                let solution = Err(CellRefusal { check: row.breaks, ..refusal });
                (FilterVerdict::Unknown, CellResult { cell: row.cell as u64, solution })
            }
        };
        let journal = &Journal::none();
        let task = Task { settings, share: shard.share, watch, journal };
        let Range { start, end } = shard.cells;
        let firsts = (start..end).step_by(BLOCK_CELLS as usize);
        let block = |first: u64| Block::Made { cells, range: first..end.min(first + BLOCK_CELLS) };
        let solve = |block: Block<'_>| block.solve(&task, &make);
        let mut sifted = ShardFilter::new(search, take);
        let mut sift = |found: Vec<(FilterVerdict, CellResult)>| sifted.push_block(found);
        let whole = pipeline_blocks(&mut firsts.map(block), solve, &mut sift)?.is_none();
        if whole {
            sifted.finish()?;
        }
        Ok(whole)
    }

    /// Builds the answers of cells in order, from their results.
    ///
    /// # Errors
    /// The first cell that is not one of the plan.
    pub fn build_answers(&self, found: &[CellResult]) -> Result<Vec<Answer>, (u64, String)> {
        // Consecutive cells are built in one run.
        let runs =
            found.chunk_by(|a, b| a.cell + 1 == b.cell).flat_map(|run| run.chunks(RUN_CELLS));
        let runs: Vec<&[CellResult]> = runs.collect();
        let answers =
            runs.into_par_iter().map(|run| self.answer_run(run)).collect::<Result<Vec<_>, _>>();
        answers.map(|answers| answers.into_iter().flatten().collect())
    }

    fn answer_run(&self, found: &[CellResult]) -> Result<Vec<Answer>, (u64, String)> {
        let alpha = agreement_level(self.run.cells.len());
        let settings = &self.run.settings;
        let first = found[0].cell;
        // Built again, because a shard contains results and not questions.
        let made = self.run.cells.build_range(first..first + found.len() as u64);
        let answers: Vec<Answer> = made
            .zip(found)
            .map(|((index, made), known)| match made {
                Err(wrong) => wrong.into_answer(index, settings.seed),
                Ok(cell) => match &known.solution {
                    Ok(solution) => solution.build_answer(&cell, settings, alpha),
                    Err(CellRefusal { why, .. }) => CellSolution::UNSOLVED
                        .build_answer(&cell, settings, alpha)
                        .with_refusal(why.clone()),
                },
            })
            .collect();
        match answers.len() == found.len() {
            true => Ok(answers),
            false => Err((first, "it is not a cell of the plan".to_owned())),
        }
    }
}

/// A solved cell of a shard, and how it fares in the search.
fn of_cell(
    cell: &Cell,
    mut solution: CellSolution,
    search: Option<&SearchSpec>,
    shard: &ShardWork,
) -> (FilterVerdict, CellResult) {
    let fares = search.map_or(FilterVerdict::Unknown, |search| {
        search.judge(&SolvedCell { cell, solution: &solution })
    });
    if shard.share.index > 0 {
        // The exact distribution is in the first share.
        solution.exact = None;
    }
    (fares, CellResult { cell: cell.index as u64, solution: Ok(solution) })
}

/// Largest distance of the sum of an exact distribution's chances from 1.
const MAX_SUM_ERROR: f64 = 1e-6;

/// Filter of a search in a shard: it passes on the selected cells, one cell for each broken check,
/// and if none are selected, the nearest ones.
struct ShardFilter<'a> {
    search: Option<&'a SearchSpec>,
    sieve: Option<CandidateFilter<'a, CellResult>>,
    take: &'a mut (dyn FnMut(Vec<CellResult>) -> Result<(), StudyError> + Send),
    broken: IndexMap<String, CellResult>,
    nearest: NearMisses<CellResult>,
    /// Whether a cell meets all conditions.
    any: bool,
}

impl<'a> ShardFilter<'a> {
    fn new(
        search: Option<&'a SearchSpec>,
        take: &'a mut (dyn FnMut(Vec<CellResult>) -> Result<(), StudyError> + Send),
    ) -> ShardFilter<'a> {
        let sieve = search.filter(|search| search.is_ranking()).map(CandidateFilter::new);
        let (broken, nearest) = (IndexMap::new(), NearMisses::default());
        ShardFilter { search, sieve, take, broken, nearest, any: false }
    }

    fn push_block(&mut self, found: Vec<(FilterVerdict, CellResult)>) -> Result<(), StudyError> {
        if self.search.is_none() {
            return (self.take)(found.into_iter().map(|(_, found)| found).collect());
        }
        let mut kept = Vec::new();
        for (fares, found) in found {
            if let Err(CellRefusal { check: Some(check), .. }) = &found.solution {
                match self.broken.get_mut(check).map(|known| &mut known.solution) {
                    Some(Err(known)) => known.cells += 1,
                    _ => {
                        self.broken.insert(check.clone(), found);
                    }
                }
                continue;
            }
            self.any |= matches!(fares, FilterVerdict::In(_));
            match (fares, &mut self.sieve) {
                (FilterVerdict::Out(misses), _) => self.nearest.add(found.cell, &misses, &found),
                (FilterVerdict::In(merits), Some(sieve)) => {
                    sieve.add_candidate(found.cell, merits, found)
                }
                (FilterVerdict::Unknown, Some(sieve)) => sieve.add_always(found),
                (_, None) => kept.push(found),
            }
        }
        if kept.is_empty() { Ok(()) } else { (self.take)(kept) }
    }

    /// Passes on the results that were stored until the end: representatives of other cells come
    /// last.
    fn finish(self) -> Result<(), StudyError> {
        let ShardFilter { sieve, take, broken, nearest, any, .. } = self;
        let mut last = sieve.map(CandidateFilter::finish).unwrap_or_default();
        last.sort_by_key(|found| found.cell);
        last.extend(broken.into_values());
        if !any {
            last.extend(nearest.into_values());
        }
        if last.is_empty() { Ok(()) } else { take(last) }
    }
}

impl CellResult {
    /// Returns a contradiction in the merged result: chances that do not add up to 1, or more or
    /// fewer trials than were requested. A hash shows that a shard is unaltered, not its author.
    pub fn find_fault(&self, settings: &Settings) -> Option<String> {
        let solution = self.solution.as_ref().ok()?;
        if let Some(exact) = &solution.exact {
            let mut chances =
                exact.law.probabilities.iter().chain([&exact.law.unsettled, &exact.law.never]);
            let sum: f64 = chances.clone().sum();
            let chance = |p: &f64| (0.0..=1.0 + MAX_SUM_ERROR).contains(p);
            if !chances.all(chance) || (sum - 1.0).abs() > MAX_SUM_ERROR {
                return Some(format!("its chances add up to {sum}"));
            }
        }
        let record = solution.record.as_ref()?;
        let counts = record.endings.iter().map(|(_, count)| u128::from(*count));
        let trials = counts.sum::<u128>() + u128::from(record.unsettled);
        match settings.stop {
            StopRule::Trials(requested) if trials != u128::from(requested) => {
                Some(format!("it counts {trials} trials instead of {requested}"))
            }
            _ => None,
        }
    }

    /// Merges the result with another share of its trials.
    ///
    /// # Errors
    /// If it is of another cell, or one has an answer and the other none.
    pub fn merge(self, other: CellResult) -> Result<CellResult, String> {
        let CellResult { cell, solution } = self;
        if cell != other.cell {
            return Err(format!("cell {cell} does not match cell {}", other.cell));
        }
        let solution = match (solution, other.solution) {
            (Ok(one), Ok(two)) => Ok(CellSolution {
                exact: one.exact.or(two.exact),
                record: one.record.zip(two.record).map(|(one, two)| merge_records(one, two)),
                note: one.note.or(two.note),
            }),
            (Err(why), Err(_)) => Err(why),
            _ => return Err(format!("cell {cell} has an answer in one share and none in another")),
        };
        Ok(CellResult { cell, solution })
    }
}

/// Adds the trials of both.
fn merge_records(one: TrialRecord, two: TrialRecord) -> TrialRecord {
    let known: Vec<Ending> = one.endings.iter().map(|(ending, _)| *ending).collect();
    let unsettled = one.unsettled + two.unsettled;
    // A share without a trial has no counters.
    let totals = match (one.totals.len(), two.totals.len()) {
        (0, _) => two.totals,
        (_, 0) => one.totals,
        _ => one.totals.iter().zip(&two.totals).map(|(a, b)| add_totals(a, b)).collect(),
    };
    if known.iter().eq(two.endings.iter().map(|(ending, _)| ending)) {
        let counts = one.endings.into_iter().zip(two.endings);
        let endings = counts.map(|((ending, a), (_, b))| (ending, a + b)).collect();
        return TrialRecord { endings, unsettled, totals };
    }
    let mut counts: BTreeMap<Ending, u64> = one.endings.into_iter().collect();
    for (ending, count) in two.endings {
        *counts.entry(ending).or_default() += count;
    }
    TrialRecord { endings: counts.into_iter().collect(), unsettled, totals }
}

fn add_totals(a: &TallyTotal, b: &TallyTotal) -> TallyTotal {
    TallyTotal { sum: a.sum + b.sum, squares: a.squares + b.squares }
}
