//! Sweeps: the cells of an experiment in shards that are solved anywhere, in any order and any
//! number of times, and that merge to the result of one machine.
//!
//! A [`SweepPlan`] contains everything a worker needs. Shards are not listed in it but computed:
//! shard K is a range of cells and one of several equal shares of their trials. The result of a
//! shard is exact numbers and counts, nothing rounded and no interval: those are computed when all
//! shards are present, because they need the trials of all shares and the number of all cells.

use std::collections::BTreeMap;
use std::ops::Range;

use enfilade_engine::parallel::prelude::*;
use indexmap::IndexMap;

mod plan;

pub use plan::{CellsPerShardAndShares, RequestedShardSizes, SweepPlan, max_collected_cells};
#[doc(hidden)]
pub use plan::{QuestionFileWithRulebooks, add_unchecked_to_catalogue};

use super::answer::Answer;
use super::checkpoint::journal::CellTrialJournal;
use super::experiment::{GridCell, SimulationStopRule};
use super::search::comparison_edge::SolvedCell;
use super::search::omitted_cells::NearestMisses;
use super::search::{BestCellsSoFar, CellSearch, CellSearchVerdict};
use super::solve::block::{self, CELLS_PER_BLOCK, CellBlock, solve_while_delivering};
use super::solve::build_answer::CellSolution;
use super::solve::errors::format_in_one_line;
use super::solve::settings::SolveObserver;
use super::solve::solve_cell::{SharedSolveContext, TrialShareOfCell};
use super::solve::trial_record::CellTrialCounts;
use super::solve::{RunPlan, SolverSettings, comparison_error_level};
use crate::error::StudyError;
use enfilade_engine::play::SumsOfOneCounter;
use enfilade_model::combat::Ending;

/// Number of cells that one thread merges one after the other.
const CELLS_PER_MERGE: usize = 64;

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
pub struct ShardCells {
    /// Range of cells.
    pub cells: Range<u64>,
    /// Share of their trials.
    pub share: TrialShareOfCell,
}

impl SweepPlan {
    /// Returns shard `number`.
    pub fn shard_by_number(&self, number: u64) -> ShardCells {
        let (block, index) = (number / self.terms.shares, number % self.terms.shares);
        let cells = self.run.cells.len();
        let until = |block: u64| block.saturating_mul(self.terms.cells_per_shard).min(cells);
        ShardCells {
            cells: until(block)..until(block + 1),
            share: TrialShareOfCell { index, of: self.terms.shares },
        }
    }

    /// Solves shard `number` and passes the results on, block after block. Returns whether it was
    /// completed before `watch` cancelled the work.
    ///
    /// # Errors
    /// The error of `take`.
    pub fn stream_numbered_shard<E: From<StudyError> + Send>(
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
        let shard = self.shard_by_number(number);
        let RunPlan { cells, settings, spec, .. } = &self.run;
        // A share of the trials does not determine the verdict on a cell.
        let search = spec.search.as_ref().filter(|_| self.terms.shares == 1);
        let make = |solved: block::SolvedCellOrRow<'_>| match solved {
            block::SolvedCellOrRow::Cell(cell, Ok(solution)) => {
                search_verdict_and_result(cell, solution, search, &shard)
            }
            block::SolvedCellOrRow::Cell(cell, Err(error)) => {
                let refusal = CellRefusal::from_reason(format_in_one_line(&error));
                let solution = Err(refusal);
                (CellSearchVerdict::Unknown, CellResult { cell: cell.index as u64, solution })
            }
            // The merge computes it again.
            block::SolvedCellOrRow::Row(row) => {
                let refusal = CellRefusal::from_reason(row.notes.concat());
                let solution = Err(CellRefusal { check: row.breaks, ..refusal });
                (CellSearchVerdict::Unknown, CellResult { cell: row.cell as u64, solution })
            }
        };
        let journal = &CellTrialJournal::without_storage();
        let task = SharedSolveContext { settings, share: shard.share, watch, journal };
        let Range { start, end } = shard.cells;
        let firsts = (start..end).step_by(CELLS_PER_BLOCK as usize);
        let block =
            |first: u64| CellBlock::Built { cells, range: first..end.min(first + CELLS_PER_BLOCK) };
        let solve = |block: CellBlock<'_>| block.solve_block_cells(&task, &make);
        let mut sifted = ShardSearchFilter::new(search, take);
        let mut sift = |found: Vec<(CellSearchVerdict, CellResult)>| sifted.filter_block(found);
        let whole = solve_while_delivering(&mut firsts.map(block), solve, &mut sift)?.is_none();
        if whole {
            sifted.deliver_stored()?;
        }
        Ok(whole)
    }

    /// Builds the answers of cells in order, from their results.
    ///
    /// # Errors
    /// The first cell that is not one of the plan.
    pub fn build_answers(&self, results: &[CellResult]) -> Result<Vec<Answer>, (u64, String)> {
        // Consecutive cells are built in one run.
        let runs = results
            .chunk_by(|a, b| a.cell + 1 == b.cell)
            .flat_map(|run| run.chunks(CELLS_PER_MERGE));
        let runs: Vec<&[CellResult]> = runs.collect();
        let answers = runs
            .into_par_iter()
            .map(|run| self.answers_of_consecutive_cells(run))
            .collect::<Result<Vec<_>, _>>();
        answers.map(|answers| answers.into_iter().flatten().collect())
    }

    fn answers_of_consecutive_cells(
        &self,
        results: &[CellResult],
    ) -> Result<Vec<Answer>, (u64, String)> {
        let alpha = comparison_error_level(self.run.cells.len());
        let settings = &self.run.settings;
        let first = results[0].cell;
        // Built again, because a shard contains results and not questions.
        let made = self.run.cells.build_cell_range(first..first + results.len() as u64);
        let answers: Vec<Answer> = made
            .zip(results)
            .map(|((index, made), known)| match made {
                Err(wrong) => wrong.into_table_row(index, settings.seed),
                Ok(cell) => match &known.solution {
                    Ok(solution) => solution.build_cell_answer(&cell, settings, alpha),
                    Err(CellRefusal { why, .. }) => CellSolution::WITHOUT_RESULTS
                        .build_cell_answer(&cell, settings, alpha)
                        .refuse_cell_with_reason(why.clone()),
                },
            })
            .collect();
        match answers.len() == results.len() {
            true => Ok(answers),
            false => Err((first, "it is not a cell of the plan".to_owned())),
        }
    }
}

/// A solved cell of a shard, and how it fares in the search.
fn search_verdict_and_result(
    cell: &GridCell,
    mut solution: CellSolution,
    search: Option<&CellSearch>,
    shard: &ShardCells,
) -> (CellSearchVerdict, CellResult) {
    let verdict = search.map_or(CellSearchVerdict::Unknown, |search| {
        search.judge_cell(&SolvedCell { cell, solution: &solution })
    });
    if shard.share.index > 0 {
        // The exact distribution is in the first share.
        solution.exact = None;
    }
    (verdict, CellResult { cell: cell.index as u64, solution: Ok(solution) })
}

/// Largest distance of the sum of an exact distribution's chances from 1.
const MAX_SUM_ERROR: f64 = 1e-6;

/// Filter of a search in a shard: it passes on the selected cells, one cell for each broken check,
/// and if none are selected, the nearest ones.
struct ShardSearchFilter<'a> {
    search: Option<&'a CellSearch>,
    candidates: Option<BestCellsSoFar<'a, CellResult>>,
    take: &'a mut (dyn FnMut(Vec<CellResult>) -> Result<(), StudyError> + Send),
    broken: IndexMap<String, CellResult>,
    nearest: NearestMisses<CellResult>,
    /// Whether a cell meets all conditions.
    any: bool,
}

impl<'a> ShardSearchFilter<'a> {
    fn new(
        search: Option<&'a CellSearch>,
        take: &'a mut (dyn FnMut(Vec<CellResult>) -> Result<(), StudyError> + Send),
    ) -> ShardSearchFilter<'a> {
        let sieve = search.filter(|search| search.compares_cells()).map(BestCellsSoFar::new);
        let (broken, nearest) = (IndexMap::new(), NearestMisses::default());
        ShardSearchFilter { search, candidates: sieve, take, broken, nearest, any: false }
    }

    fn filter_block(
        &mut self,
        results: Vec<(CellSearchVerdict, CellResult)>,
    ) -> Result<(), StudyError> {
        if self.search.is_none() {
            return (self.take)(results.into_iter().map(|(_, found)| found).collect());
        }
        let mut kept_cells = Vec::new();
        for (verdict, found) in results {
            if let Err(CellRefusal { check: Some(check), .. }) = &found.solution {
                match self.broken.get_mut(check).map(|known| &mut known.solution) {
                    Some(Err(known)) => known.cells += 1,
                    _ => {
                        self.broken.insert(check.clone(), found);
                    }
                }
                continue;
            }
            self.any |= matches!(verdict, CellSearchVerdict::In(_));
            match (verdict, &mut self.candidates) {
                (CellSearchVerdict::Out(misses), _) => {
                    self.nearest.add_cell_with_misses(found.cell, &misses, &found)
                }
                (CellSearchVerdict::In(merits), Some(sieve)) => {
                    sieve.add_if_good_enough(found.cell, merits, found)
                }
                (CellSearchVerdict::Unknown, Some(sieve)) => sieve.add_always_reported(found),
                (_, None) => kept_cells.push(found),
            }
        }
        if kept_cells.is_empty() { Ok(()) } else { (self.take)(kept_cells) }
    }

    /// Passes on the results that were stored until the end: representatives of other cells come
    /// last.
    fn deliver_stored(self) -> Result<(), StudyError> {
        let ShardSearchFilter { candidates: sieve, take, broken, nearest, any, .. } = self;
        let mut last = sieve.map(BestCellsSoFar::into_candidates).unwrap_or_default();
        last.sort_by_key(|found| found.cell);
        last.extend(broken.into_values());
        if !any {
            last.extend(nearest.into_distinct_in_cell_order());
        }
        if last.is_empty() { Ok(()) } else { take(last) }
    }
}

impl CellResult {
    /// Returns a contradiction in the merged result: chances that do not add up to 1, or more or
    /// fewer trials than were requested. A hash shows that a shard is unaltered, not its author.
    pub fn contradiction_in_result(&self, settings: &SolverSettings) -> Option<String> {
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
            SimulationStopRule::Trials(requested) if trials != u128::from(requested) => {
                Some(format!("it counts {trials} trials instead of {requested}"))
            }
            _ => None,
        }
    }

    /// Merges the result with another share of its trials.
    ///
    /// # Errors
    /// If it is of another cell, or one has an answer and the other none.
    pub fn merge_trial_shares(self, other: CellResult) -> Result<CellResult, String> {
        let CellResult { cell, solution } = self;
        if cell != other.cell {
            return Err(format!("cell {cell} does not match cell {}", other.cell));
        }
        let solution = match (solution, other.solution) {
            (Ok(one), Ok(two)) => Ok(CellSolution {
                exact: one.exact.or(two.exact),
                record: one
                    .record
                    .zip(two.record)
                    .map(|(one, two)| add_trials_of_records(one, two)),
                note: one.note.or(two.note),
            }),
            (Err(why), Err(_)) => Err(why),
            _ => return Err(format!("cell {cell} has an answer in one share and none in another")),
        };
        Ok(CellResult { cell, solution })
    }
}

/// Adds the trials of both.
fn add_trials_of_records(one: CellTrialCounts, two: CellTrialCounts) -> CellTrialCounts {
    let known: Vec<Ending> = one.endings.iter().map(|(ending, _)| *ending).collect();
    let unsettled = one.unsettled + two.unsettled;
    // A share without a trial has no counters.
    let totals = match (one.totals.len(), two.totals.len()) {
        (0, _) => two.totals,
        (_, 0) => one.totals,
        _ => one.totals.iter().zip(&two.totals).map(|(a, b)| add_counter_sums(a, b)).collect(),
    };
    if known.iter().eq(two.endings.iter().map(|(ending, _)| ending)) {
        let counts = one.endings.into_iter().zip(two.endings);
        let endings = counts.map(|((ending, a), (_, b))| (ending, a + b)).collect();
        return CellTrialCounts { endings, unsettled, totals };
    }
    let mut counts: BTreeMap<Ending, u64> = one.endings.into_iter().collect();
    for (ending, count) in two.endings {
        *counts.entry(ending).or_default() += count;
    }
    CellTrialCounts { endings: counts.into_iter().collect(), unsettled, totals }
}

fn add_counter_sums(a: &SumsOfOneCounter, b: &SumsOfOneCounter) -> SumsOfOneCounter {
    SumsOfOneCounter { sum: a.sum + b.sum, squares: a.squares + b.squares }
}
