//! Answers cells in blocks, so that memory does not grow with their number: built, answered, passed
//! on and dropped.
//!
//! Only sample cells are checked beforehand, so a cell that is invalid or too large becomes a row
//! with the reason, and does not end the work.

use std::ops::Range;

use rayon::prelude::*;

use crate::answer::Answer;
use crate::checkpoint::journal::Journal;
use crate::experiment::{Cell, Experiment};
use crate::grid::cells::{Cells, Wrong};
use crate::search::left_out::LeftOut;
use crate::search::{Fares, Search, Sieve};
use crate::solve::alpha;
use crate::solve::build_answer::Solution;
use crate::solve::errors::in_one_line;
use crate::solve::settings::{Settings, Watch};
use crate::solve::solve_cell::{Reached, Share, solution, solution_in_waves};
use enfilade_model::error::{Error, TooLarge};
use enfilade_model::form::bounds::{CELLS, KEPT};
use enfilade_model::shared::opaque;

/// Number of cells in a block. Two blocks are in memory at once, some megabytes: few enough to stay
/// in the cache between computing and writing, and enough for as many threads as there are runs.
pub const BLOCK: u64 = 512;

/// Number of cells that one thread builds one after the other: of those, only the fields that
/// differ are filled in again.
const RUN: u64 = 32;

/// Receiver of answers, block after block in the order of the cells.
pub trait Take: Send {
    /// Receives a block.
    ///
    /// # Errors
    /// If it cannot be written; then the work ends.
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), Error>;

    /// Receives, after all answers, the cells that a search has omitted.
    fn left_out(&mut self, left_out: LeftOut);
}

/// Receiver that collects the answers, up to the number that is shown at once.
#[derive(Debug, Default)]
pub struct Kept {
    /// Answers.
    pub answers: Vec<Answer>,
    /// Cells omitted by a search.
    pub left_out: LeftOut,
}

impl Take for Kept {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), Error> {
        self.answers.extend(answers);
        if self.answers.len() as i64 > CELLS.high {
            let problem =
                format!("more than {} cells are too many to be shown at once", CELLS.high);
            return Err(Error::Usage(problem + ": write them with `run`, or as csv or jsonl"));
        }
        Ok(())
    }

    fn left_out(&mut self, left_out: LeftOut) {
        self.left_out = left_out;
    }
}

/// Buffer that passes answers on in blocks of [`BLOCK`], in whatever portions they arrive, so that
/// the processing of a block does not depend on its producer.
pub struct Steady<'a> {
    taker: &'a mut dyn Take,
    waiting: Vec<Answer>,
}

opaque!(Steady<'_>);

impl<'a> Steady<'a> {
    /// Creates a buffer in front of `taker`.
    pub fn new(taker: &'a mut dyn Take) -> Steady<'a> {
        Steady { taker, waiting: Vec::new() }
    }

    /// Passes the remaining answers on.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn finish(self) -> Result<(), Error> {
        if self.waiting.is_empty() { Ok(()) } else { self.taker.take(self.waiting) }
    }
}

impl Take for Steady<'_> {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), Error> {
        let block = BLOCK as usize;
        self.waiting.extend(answers);
        while self.waiting.len() >= block {
            let rest = self.waiting.split_off(block);
            self.taker.take(std::mem::replace(&mut self.waiting, rest))?;
        }
        Ok(())
    }

    fn left_out(&mut self, left_out: LeftOut) {
        self.taker.left_out(left_out);
    }
}

/// Filter that passes on the answers that a search selects: after all have arrived, or at once if
/// the search has no goals. A cell without an answer passes, so that it is reported; one that
/// breaks a check of the rulebook is not part of the search, and is counted.
pub struct Searched<'a> {
    search: Option<&'a Search>,
    taker: &'a mut dyn Take,
    sieve: Option<Sieve<'a, Answer>>,
    left_out: LeftOut,
}

opaque!(Searched<'_>);

impl<'a> Searched<'a> {
    /// Creates a filter in front of `taker`.
    pub fn new(search: Option<&'a Search>, taker: &'a mut dyn Take) -> Searched<'a> {
        let sieve = search.filter(|search| search.ranks()).map(Sieve::new);
        Searched { search, taker, sieve, left_out: LeftOut::default() }
    }

    /// Counts settings that break a check and that the caller has omitted.
    pub fn exclude(&mut self, check: &str, cells: u64) {
        self.left_out.exclude(check, cells);
    }

    /// Passes on the selected answers, and the omitted cells.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn finish(self) -> Result<(), Error> {
        let kept = self.sieve.map(Sieve::finish).unwrap_or_default();
        if !kept.is_empty() {
            self.taker.take(kept)?;
        }
        if self.search.is_some() {
            self.taker.left_out(self.left_out);
        }
        Ok(())
    }
}

impl Take for Searched<'_> {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), Error> {
        let Some(search) = self.search else {
            return self.taker.take(answers);
        };
        // In parallel, because a cell at an edge is solved again.
        let fares = answers.into_par_iter().map(|mut answer| {
            let fares = search.fares(&answer);
            if matches!(fares, Fares::In(_)) && !answer.is_refused() {
                let edges = search.edges(&answer);
                answer.notes.extend(edges);
            }
            (answer, fares)
        });
        let fares: Vec<(Answer, Fares)> = fares.collect();
        let mut kept = Vec::new();
        for (answer, fares) in fares {
            let cell = answer.cell as u64;
            if let Some(check) = &answer.breaks {
                self.left_out.exclude(check, 1);
                continue;
            }
            match (fares, &mut self.sieve) {
                (_, Some(sieve)) if answer.is_refused() => sieve.put_aside(answer),
                (_, None) if answer.is_refused() => kept.push(answer),
                (Fares::In(merits), Some(sieve)) => sieve.add(cell, merits, answer),
                (Fares::In(_), None) => kept.push(answer),
                (Fares::Out(misses), _) => self.left_out.nearest.add(cell, &misses, &answer),
                (Fares::Unknown, _) => self.left_out.unknown += 1,
            }
        }
        // Checked once a block: the front may exceed its limit by one block.
        if self.sieve.as_ref().is_some_and(|sieve| sieve.len() as i64 > KEPT.high) {
            let problem = format!("more than {} cells are on the front", KEPT.high);
            return Err(Error::Usage(problem + ": give a condition, `keep`, or fewer measures"));
        }
        if kept.is_empty() { Ok(()) } else { self.taker.take(kept) }
    }

    fn left_out(&mut self, left_out: LeftOut) {
        self.left_out = left_out;
    }
}

/// Answers the cells of `range` on the threads of the current rayon pool and passes them to
/// `taker`. Returns whether all of them were answered before `watch` cancelled the work.
///
/// # Errors
/// The error of `taker`.
pub fn answered(
    cells: &Cells,
    range: Range<u64>,
    settings: &Settings,
    watch: &dyn Watch,
    taker: &mut dyn Take,
) -> Result<bool, Error> {
    // The level of the whole grid, whatever part of it `range` is: cutting the work changes no
    // verdict.
    let alpha = alpha(cells.len());
    let answer = |cell: &Cell, found: Result<Solution, String>| match found {
        Ok(solution) => solution.assemble(cell, settings, alpha),
        Err(why) => Solution::NONE.assemble(cell, settings, alpha).refused(why),
    };
    let now = |(index, made): (u64, Result<Cell, Wrong<'_>>)| match made {
        Ok(cell) => found(cell, settings, Share::WHOLE, watch, answer),
        Err(wrong) => Some(Made::Now(wrong.answer(index, settings.seed))),
    };
    let later = |cell: Cell, refusal| {
        let found = found_in_waves(&cell, refusal, settings, Share::WHOLE, watch)?;
        Some(answer(&cell, found))
    };
    let make = |block| in_runs(cells, block, &now, &later);
    in_blocks(range, make, &mut |answers| taker.take(answers))
}

/// Returns the built cells of `experiment` without numbers, which determine the columns of a table
/// of all cells.
pub fn sample(experiment: &Experiment, settings: &Settings) -> Vec<Answer> {
    let cells = experiment.cells.iter();
    cells.map(|cell| Solution::NONE.assemble(cell, settings, 1.0)).collect()
}

/// Result of a cell.
#[derive(Debug)]
pub enum Made<T> {
    /// Available.
    Now(T),
    /// Too large for a graph: solved alone after the others.
    Later(Box<Cell>, TooLarge),
}

/// Solves a cell and passes the solution, or the reason for its failure, to `make`. Returns `None`
/// if `watch` cancelled the work.
pub fn found<T>(
    cell: Cell,
    settings: &Settings,
    share: Share,
    watch: &dyn Watch,
    make: impl FnOnce(&Cell, Result<Solution, String>) -> T,
) -> Option<Made<T>> {
    let found = match solution(&cell, settings, share, watch, &Journal::none()) {
        Ok(Reached::Large(refusal)) => return Some(Made::Later(Box::new(cell), refusal)),
        Ok(Reached::Found(found)) => found.map(Ok),
        Err(error) => Some(Err(in_one_line(&error))),
    };
    watch.answered(cell.index);
    Some(Made::Now(make(&cell, found?)))
}

/// Solves a cell that has no graph because of `refusal`. Returns `None` if `watch` cancelled the
/// work.
pub fn found_in_waves(
    cell: &Cell,
    refusal: TooLarge,
    settings: &Settings,
    share: Share,
    watch: &dyn Watch,
) -> Option<Result<Solution, String>> {
    let found = solution_in_waves(cell, refusal, settings, share, watch, &Journal::none());
    watch.answered(cell.index);
    found.map_err(|error| in_one_line(&error)).transpose()
}

/// Applies `now` to each cell of a block, and `later` to those that are solved alone; the results
/// are in order, and fewer than the block if the work was cancelled.
pub fn in_runs<T: Send>(
    cells: &Cells,
    block: Range<u64>,
    now: &(impl Fn((u64, Result<Cell, Wrong<'_>>)) -> Option<Made<T>> + Sync),
    later: &impl Fn(Cell, TooLarge) -> Option<T>,
) -> Vec<T> {
    let runs = (block.end - block.start).div_ceil(RUN);
    // Each run stops independently, which leaves holes; `in_blocks` passes on no incomplete block.
    let run = |run: u64| {
        let first = block.start + run * RUN;
        let end = block.end.min(first + RUN);
        cells.made(first..end).map_while(now).collect::<Vec<_>>()
    };
    let runs: Vec<Vec<Made<T>>> = (0..runs).into_par_iter().map(run).collect();
    let made = runs.into_iter().flatten().map_while(|made| match made {
        Made::Now(made) => Some(made),
        Made::Later(cell, refusal) => later(*cell, refusal),
    });
    made.collect()
}

/// Builds a range in blocks, each while the one before is received. Returns whether all of it was
/// built.
///
/// # Errors
/// The error of `take`.
pub fn in_blocks<T: Send>(
    range: Range<u64>,
    make: impl Fn(Range<u64>) -> Vec<T> + Sync,
    take: &mut (dyn FnMut(Vec<T>) -> Result<(), Error> + Send),
) -> Result<bool, Error> {
    let mut waiting: Option<Vec<T>> = None;
    let mut first = range.start;
    while first < range.end {
        let end = range.end.min(first + BLOCK);
        let last = waiting.take();
        // One thread writes while the others work, and no third block waits behind a slow disk.
        let (taken, made) = rayon::join(|| last.map_or(Ok(()), &mut *take), || make(first..end));
        taken?;
        if (made.len() as u64) < end - first {
            return Ok(false);
        }
        waiting = Some(made);
        first = end;
    }
    waiting.map_or(Ok(()), take)?;
    Ok(true)
}
