//! Cells in blocks: made, answered, handed on and dropped, so that memory does not grow with their number.
//!
//! Nothing is checked beforehand but what stands for the rest, so a cell that is wrong or too large is a row
//! that says so, and not the end of the work.

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

/// Cells of a block; two of them are in memory at once, some megabytes: few enough to stay in the cache
/// between those who make them and those who write them, and enough for as many threads as there are runs.
pub const BLOCK: u64 = 512;

/// Cells that one thread makes one after the other: of those, only what differs is filled in anew.
const RUN: u64 = 32;

/// Whoever takes the answers, block after block in the order of the cells.
pub trait Take: Send {
    /// Takes a block.
    ///
    /// # Errors
    /// When it cannot be written; then the work ends.
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), Error>;

    /// Takes, after all answers, what a search has left out.
    fn left_out(&mut self, left_out: LeftOut);
}

/// Keeps the answers, as many as are shown at once.
#[derive(Debug, Default)]
pub struct Kept {
    /// The answers.
    pub answers: Vec<Answer>,
    /// What a search has left out.
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

/// Hands answers on in blocks of [`BLOCK`], however they come, so that what is made of a block does not
/// depend on who made it.
pub struct Steady<'a> {
    taker: &'a mut dyn Take,
    waiting: Vec<Answer>,
}

opaque!(Steady<'_>);

impl<'a> Steady<'a> {
    /// For `taker`.
    pub fn new(taker: &'a mut dyn Take) -> Steady<'a> {
        Steady { taker, waiting: Vec::new() }
    }

    /// Hands on what is left.
    ///
    /// # Errors
    /// What the taker returns.
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

/// Hands on what a search keeps of the answers, when all of them have come; without goals to be the best
/// in, as they come. A cell without an answer is kept, so that it is told; one that breaks a check of the
/// rulebook is none of those that are searched, and is counted.
pub struct Searched<'a> {
    search: Option<&'a Search>,
    taker: &'a mut dyn Take,
    sieve: Option<Sieve<'a, Answer>>,
    left_out: LeftOut,
}

opaque!(Searched<'_>);

impl<'a> Searched<'a> {
    /// For `taker`.
    pub fn new(search: Option<&'a Search>, taker: &'a mut dyn Take) -> Searched<'a> {
        let sieve = search.filter(|search| search.ranks()).map(Sieve::new);
        Searched { search, taker, sieve, left_out: LeftOut::default() }
    }

    /// Counts settings that break a check, and that somebody else has left out.
    pub fn exclude(&mut self, check: &str, cells: u64) {
        self.left_out.exclude(check, cells);
    }

    /// Hands on what was kept, and what was left out.
    ///
    /// # Errors
    /// What the taker returns.
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
        // Side by side, as what stands at an edge is solved once more.
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
        // Asked once a block: the front may be larger by one block than it may stay.
        if self.sieve.as_ref().is_some_and(|sieve| sieve.len() as i64 > KEPT.high) {
            let problem = format!("more than {} cells stand on the front", KEPT.high);
            return Err(Error::Usage(problem + ": give a condition, `keep`, or fewer measures"));
        }
        if kept.is_empty() { Ok(()) } else { self.taker.take(kept) }
    }

    fn left_out(&mut self, left_out: LeftOut) {
        self.left_out = left_out;
    }
}

/// Answers the cells of `range` on the threads of the current rayon pool and hands them to `taker`: whether
/// all of them were answered before `watch` asked to stop.
///
/// # Errors
/// What `taker` returns.
pub fn answered(
    cells: &Cells,
    range: Range<u64>,
    settings: &Settings,
    watch: &dyn Watch,
    taker: &mut dyn Take,
) -> Result<bool, Error> {
    // The level of the whole, whatever part of it `range` is: how work is cut moves no verdict.
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

/// The cells of `experiment` that are there, without numbers: which columns a table of all will have.
pub fn sample(experiment: &Experiment, settings: &Settings) -> Vec<Answer> {
    let cells = experiment.cells.iter();
    cells.map(|cell| Solution::NONE.assemble(cell, settings, 1.0)).collect()
}

/// What is made of a cell.
#[derive(Debug)]
pub enum Made<T> {
    /// It is there.
    Now(T),
    /// It is too large for a graph, and goes alone when the others are done.
    Later(Box<Cell>, TooLarge),
}

/// What `make` makes of what is found out of a cell, or of why nothing can be; `None` when `watch` asked
/// to stop.
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

/// What is found out of a cell that has no graph because of `refusal`; `None` when `watch` asked to stop.
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

/// What `now` makes of each cell of a block, and `later` of those that go alone, in order; shorter than the
/// block when it was stopped.
pub fn in_runs<T: Send>(
    cells: &Cells,
    block: Range<u64>,
    now: &(impl Fn((u64, Result<Cell, Wrong<'_>>)) -> Option<Made<T>> + Sync),
    later: &impl Fn(Cell, TooLarge) -> Option<T>,
) -> Vec<T> {
    let runs = (block.end - block.start).div_ceil(RUN);
    // Each run stops for itself, which leaves holes; `in_blocks` hands on no block that is short.
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

/// Makes a range in blocks, each while the one before is taken: whether all of it was made.
///
/// # Errors
/// What `take` returns.
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
