//! Sinks, which receive the answers of a run block by block, and the filter and buffer in front of
//! them.

use enfilade_engine::parallel::prelude::*;

use crate::answer::Answer;
use crate::error::StudyError;
use crate::search::omitted_cells::CellsOmittedBySearch;
use crate::search::{BestCellsSoFar, CellSearch, CellSearchVerdict};
pub use crate::solve::block::CELLS_PER_BLOCK;
use enfilade_model::form::bounds::{CELLS, COLLECTED_CELLS_RANGE};
use enfilade_model::static_or_shared::opaque;

/// Where the answers of a run go, block by block in the order of the cells. `E` is the error of a
/// sink that cannot take them.
pub trait AnswerSink<E = StudyError>: Send {
    /// Takes a block.
    ///
    /// # Errors
    /// If it cannot be written; then the work ends.
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), E>;

    /// Receives, after all answers, the cells that a search has omitted.
    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch);
}

/// Sink for work with another error type than the sink's: it passes the answers on, and stores the
/// error of that sink until the work has ended.
pub(crate) struct ErrorConvertingSink<'a, E> {
    sink: &'a mut dyn AnswerSink<E>,
    failure: Option<E>,
}

impl<'a, E: From<StudyError>> ErrorConvertingSink<'a, E> {
    /// For `sink`.
    pub(crate) fn new(sink: &'a mut dyn AnswerSink<E>) -> ErrorConvertingSink<'a, E> {
        ErrorConvertingSink { sink, failure: None }
    }

    /// Returns the result of the work; if the sink has failed, its error.
    pub(crate) fn into_sink_result<T>(self, done: Result<T, StudyError>) -> Result<T, E> {
        self.failure.map_or_else(|| done.map_err(E::from), Err)
    }
}

impl<E: Send> AnswerSink for ErrorConvertingSink<'_, E> {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), StudyError> {
        self.sink.receive_answer_block(answers).map_err(|error| {
            self.failure = Some(error);
            StudyError::Interrupted("the answers were not taken".to_owned())
        })
    }

    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch) {
        self.sink.receive_omitted_cells(left_out);
    }
}

/// Receiver that collects the answers, up to the number that is shown at once.
#[derive(Debug, Default)]
pub struct CollectingSink {
    /// The answers.
    pub answers: Vec<Answer>,
    /// Cells omitted by a search.
    pub left_out: CellsOmittedBySearch,
}

impl<E: From<StudyError>> AnswerSink<E> for CollectingSink {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        self.answers.extend(answers);
        if self.answers.len() as i64 > CELLS.high {
            let problem =
                format!("more than {} cells are too many to be shown at once", CELLS.high);
            let problem = problem + ": write them with `run`, or as csv or jsonl";
            return Err(StudyError::Invalid(problem).into());
        }
        Ok(())
    }

    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch) {
        self.left_out = left_out;
    }
}

/// Buffer that passes answers on in blocks of [`CELLS_PER_BLOCK`], in whatever portions they
/// arrive, so that the processing of a block does not depend on its producer.
pub struct AnswerBatchingSink<'a, E = StudyError> {
    taker: &'a mut dyn AnswerSink<E>,
    waiting: Vec<Answer>,
}

opaque!(AnswerBatchingSink<'_>);

impl<'a, E> AnswerBatchingSink<'a, E> {
    /// For `taker`.
    pub fn new(taker: &'a mut dyn AnswerSink<E>) -> AnswerBatchingSink<'a, E> {
        AnswerBatchingSink { taker, waiting: Vec::new() }
    }

    /// Passes the remaining answers on.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn deliver_remaining(self) -> Result<(), E> {
        if self.waiting.is_empty() { Ok(()) } else { self.taker.receive_answer_block(self.waiting) }
    }
}

impl<E> AnswerSink<E> for AnswerBatchingSink<'_, E> {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        let block = CELLS_PER_BLOCK as usize;
        self.waiting.extend(answers);
        while self.waiting.len() >= block {
            let rest = self.waiting.split_off(block);
            self.taker.receive_answer_block(std::mem::replace(&mut self.waiting, rest))?;
        }
        Ok(())
    }

    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch) {
        self.taker.receive_omitted_cells(left_out);
    }
}

/// Filter that passes on the answers that a search selects: after all have arrived, or at once if
/// the search has no goals. A cell without an answer passes, so that it is reported; one that
/// breaks a check of the rulebook is not part of the search, and is counted.
pub struct SearchingSink<'a, E = StudyError> {
    search: Option<&'a CellSearch>,
    taker: &'a mut dyn AnswerSink<E>,
    candidates: Option<BestCellsSoFar<'a, Answer>>,
    left_out: CellsOmittedBySearch,
}

opaque!(SearchingSink<'_>);

impl<'a, E: From<StudyError>> SearchingSink<'a, E> {
    /// For `taker`.
    pub fn new(
        search: Option<&'a CellSearch>,
        taker: &'a mut dyn AnswerSink<E>,
    ) -> SearchingSink<'a, E> {
        let sieve = search.filter(|search| search.compares_cells()).map(BestCellsSoFar::new);
        SearchingSink {
            search,
            taker,
            candidates: sieve,
            left_out: CellsOmittedBySearch::default(),
        }
    }

    /// Counts settings that break a check and that the caller has omitted.
    pub fn add_broken_cell_count(&mut self, check: &str, cells: u64) {
        self.left_out.add_broken_cell_count(check, cells);
    }

    /// Passes on the selected answers, and the omitted cells.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn deliver_selected(self) -> Result<(), E> {
        let candidates = self.candidates.map(BestCellsSoFar::into_candidates).unwrap_or_default();
        if !candidates.is_empty() {
            self.taker.receive_answer_block(candidates)?;
        }
        if self.search.is_some() {
            self.taker.receive_omitted_cells(self.left_out);
        }
        Ok(())
    }
}

impl<E: From<StudyError>> AnswerSink<E> for SearchingSink<'_, E> {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        let Some(search) = self.search else {
            return self.taker.receive_answer_block(answers);
        };
        // In parallel, because a cell at an edge is solved again.
        let verdicts = answers.into_par_iter().map(|mut answer| {
            let verdict = search.judge_cell(&answer);
            if matches!(verdict, CellSearchVerdict::In(_)) && !answer.is_cell_refused() {
                let edges = search.describe_undecided_conditions(&answer);
                answer.notes.extend(edges);
            }
            (answer, verdict)
        });
        let verdicts: Vec<(Answer, CellSearchVerdict)> = verdicts.collect();
        let mut kept_cells = Vec::new();
        for (answer, verdict) in verdicts {
            let cell = answer.cell as u64;
            if let Some(check) = &answer.breaks {
                self.left_out.add_broken_cell_count(check, 1);
                continue;
            }
            match (verdict, &mut self.candidates) {
                (_, Some(sieve)) if answer.is_cell_refused() => sieve.add_always_reported(answer),
                (_, None) if answer.is_cell_refused() => kept_cells.push(answer),
                (CellSearchVerdict::In(merits), Some(sieve)) => {
                    sieve.add_if_good_enough(cell, merits, answer)
                }
                (CellSearchVerdict::In(_), None) => kept_cells.push(answer),
                (CellSearchVerdict::Out(misses), _) => {
                    self.left_out.nearest.add_cell_with_misses(cell, &misses, &answer)
                }
                (CellSearchVerdict::Unknown, _) => self.left_out.unknown += 1,
            }
        }
        // Checked once a block: the front may exceed its limit by one block.
        if self
            .candidates
            .as_ref()
            .is_some_and(|sieve| sieve.len() as i64 > COLLECTED_CELLS_RANGE.high)
        {
            let problem =
                format!("more than {} cells are on the front", COLLECTED_CELLS_RANGE.high);
            let problem = problem + ": give a condition, `keep`, or fewer measures";
            return Err(StudyError::Invalid(problem).into());
        }
        if kept_cells.is_empty() { Ok(()) } else { self.taker.receive_answer_block(kept_cells) }
    }

    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch) {
        self.left_out = left_out;
    }
}
