//! Sinks, which receive the answers of a run block by block, and the filter and buffer in front of them.

use rayon::prelude::*;

use crate::answer::Answer;
use crate::error::StudyError;
use crate::search::omitted_cells::OmittedCells;
use crate::search::{CandidateFilter, FilterVerdict, SearchSpec};
pub use crate::solve::block::BLOCK_CELLS;
use enfilade_model::form::bounds::{CELLS, COLLECTED_CELLS};
use enfilade_model::shared::opaque;

/// Where the answers of a run go, block by block in the order of the cells. `E` is the error of a sink that
/// cannot take them.
pub trait AnswerSink<E = StudyError>: Send {
    /// Takes a block.
    ///
    /// # Errors
    /// If it cannot be written; then the work ends.
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), E>;

    /// Receives, after all answers, the cells that a search has omitted.
    fn left_out(&mut self, left_out: OmittedCells);
}

/// Sink for work with another error type than the sink's: it passes the answers on, and stores the error of
/// that sink until the work has ended.
pub(crate) struct ForeignSink<'a, E> {
    sink: &'a mut dyn AnswerSink<E>,
    failure: Option<E>,
}

impl<'a, E: From<StudyError>> ForeignSink<'a, E> {
    /// For `sink`.
    pub(crate) fn new(sink: &'a mut dyn AnswerSink<E>) -> ForeignSink<'a, E> {
        ForeignSink { sink, failure: None }
    }

    /// Returns the result of the work; if the sink has failed, its error.
    pub(crate) fn finish<T>(self, done: Result<T, StudyError>) -> Result<T, E> {
        self.failure.map_or_else(|| done.map_err(E::from), Err)
    }
}

impl<E: Send> AnswerSink for ForeignSink<'_, E> {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), StudyError> {
        self.sink.take(answers).map_err(|error| {
            self.failure = Some(error);
            StudyError::Interrupted("the answers were not taken".to_owned())
        })
    }

    fn left_out(&mut self, left_out: OmittedCells) {
        self.sink.left_out(left_out);
    }
}

/// Receiver that collects the answers, up to the number that is shown at once.
#[derive(Debug, Default)]
pub struct CollectAnswers {
    /// The answers.
    pub answers: Vec<Answer>,
    /// Cells omitted by a search.
    pub left_out: OmittedCells,
}

impl<E: From<StudyError>> AnswerSink<E> for CollectAnswers {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        self.answers.extend(answers);
        if self.answers.len() as i64 > CELLS.high {
            let problem =
                format!("more than {} cells are too many to be shown at once", CELLS.high);
            let problem = problem + ": write them with `run`, or as csv or jsonl";
            return Err(StudyError::Invalid(problem).into());
        }
        Ok(())
    }

    fn left_out(&mut self, left_out: OmittedCells) {
        self.left_out = left_out;
    }
}

/// Buffer that passes answers on in blocks of [`BLOCK_CELLS`], in whatever portions they arrive, so that
/// the processing of a block does not depend on its producer.
pub struct BlockBuffer<'a, E = StudyError> {
    taker: &'a mut dyn AnswerSink<E>,
    waiting: Vec<Answer>,
}

opaque!(BlockBuffer<'_>);

impl<'a, E> BlockBuffer<'a, E> {
    /// For `taker`.
    pub fn new(taker: &'a mut dyn AnswerSink<E>) -> BlockBuffer<'a, E> {
        BlockBuffer { taker, waiting: Vec::new() }
    }

    /// Passes the remaining answers on.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn finish(self) -> Result<(), E> {
        if self.waiting.is_empty() { Ok(()) } else { self.taker.take(self.waiting) }
    }
}

impl<E> AnswerSink<E> for BlockBuffer<'_, E> {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        let block = BLOCK_CELLS as usize;
        self.waiting.extend(answers);
        while self.waiting.len() >= block {
            let rest = self.waiting.split_off(block);
            self.taker.take(std::mem::replace(&mut self.waiting, rest))?;
        }
        Ok(())
    }

    fn left_out(&mut self, left_out: OmittedCells) {
        self.taker.left_out(left_out);
    }
}

/// Filter that passes on the answers that a search selects: after all have arrived, or at once if
/// the search has no goals. A cell without an answer passes, so that it is reported; one that
/// breaks a check of the rulebook is not part of the search, and is counted.
pub struct SearchFilter<'a, E = StudyError> {
    search: Option<&'a SearchSpec>,
    taker: &'a mut dyn AnswerSink<E>,
    sieve: Option<CandidateFilter<'a, Answer>>,
    left_out: OmittedCells,
}

opaque!(SearchFilter<'_>);

impl<'a, E: From<StudyError>> SearchFilter<'a, E> {
    /// For `taker`.
    pub fn new(
        search: Option<&'a SearchSpec>,
        taker: &'a mut dyn AnswerSink<E>,
    ) -> SearchFilter<'a, E> {
        let sieve = search.filter(|search| search.is_ranking()).map(CandidateFilter::new);
        SearchFilter { search, taker, sieve, left_out: OmittedCells::default() }
    }

    /// Counts settings that break a check and that the caller has omitted.
    pub fn exclude(&mut self, check: &str, cells: u64) {
        self.left_out.count_excluded(check, cells);
    }

    /// Passes on the selected answers, and the omitted cells.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn finish(self) -> Result<(), E> {
        let kept = self.sieve.map(CandidateFilter::finish).unwrap_or_default();
        if !kept.is_empty() {
            self.taker.take(kept)?;
        }
        if self.search.is_some() {
            self.taker.left_out(self.left_out);
        }
        Ok(())
    }
}

impl<E: From<StudyError>> AnswerSink<E> for SearchFilter<'_, E> {
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        let Some(search) = self.search else {
            return self.taker.take(answers);
        };
        // In parallel, because a cell at an edge is solved again.
        let fares = answers.into_par_iter().map(|mut answer| {
            let fares = search.judge(&answer);
            if matches!(fares, FilterVerdict::In(_)) && !answer.is_refused() {
                let edges = search.describe_edges(&answer);
                answer.notes.extend(edges);
            }
            (answer, fares)
        });
        let fares: Vec<(Answer, FilterVerdict)> = fares.collect();
        let mut kept = Vec::new();
        for (answer, fares) in fares {
            let cell = answer.cell as u64;
            if let Some(check) = &answer.breaks {
                self.left_out.count_excluded(check, 1);
                continue;
            }
            match (fares, &mut self.sieve) {
                (_, Some(sieve)) if answer.is_refused() => sieve.add_always(answer),
                (_, None) if answer.is_refused() => kept.push(answer),
                (FilterVerdict::In(merits), Some(sieve)) => {
                    sieve.add_candidate(cell, merits, answer)
                }
                (FilterVerdict::In(_), None) => kept.push(answer),
                (FilterVerdict::Out(misses), _) => {
                    self.left_out.nearest.add(cell, &misses, &answer)
                }
                (FilterVerdict::Unknown, _) => self.left_out.unknown += 1,
            }
        }
        // Checked once a block: the front may exceed its limit by one block.
        if self.sieve.as_ref().is_some_and(|sieve| sieve.len() as i64 > COLLECTED_CELLS.high) {
            let problem = format!("more than {} cells are on the front", COLLECTED_CELLS.high);
            let problem = problem + ": give a condition, `keep`, or fewer measures";
            return Err(StudyError::Invalid(problem).into());
        }
        if kept.is_empty() { Ok(()) } else { self.taker.take(kept) }
    }

    fn left_out(&mut self, left_out: OmittedCells) {
        self.left_out = left_out;
    }
}
