//! A run: all cells of an experiment solved once, whatever their number, and handed to a sink.
//!
//! Cells come from one of two places. Few cells were made and checked while the file was read; an
//! interrupted run of them keeps its trials, a line of the journal for each cell. Cells of a large
//! grid are made when their block is solved, and the journal has a line for each block, so that
//! neither memory nor what a kill loses grows with the grid. Everything else is the same for both.

use std::sync::Arc;

use enfilade_engine::parallel::prelude::*;
use sha2::{Digest, Sha256};

use crate::answer::Answer;
use crate::checkpoint::block_log::{CellBlockLog, SavedSolutionOrRefusal, encode_saved_cell};
use crate::checkpoint::journal::CellTrialJournal;
use crate::checkpoint::run_journal::CellOrBlockJournal;
use crate::error::StudyError;
use crate::experiment::{Experiment, ExperimentSpec, GridCell};
use crate::file::source_document::SourceInput;
use crate::grid::cells::ExperimentCells;
use crate::solve::block::{
    CELLS_PER_BLOCK, CellBlock, CellOrReason, OwnedOrBorrowedCell, SolvedCellOrRow,
    solve_while_delivering,
};
use crate::solve::build_answer::{CellSolution, comparison_error_level};
use crate::solve::errors::format_in_one_line;
use crate::solve::settings::{SolveObserver, SolverSettings};
use crate::solve::solve_cell::{SharedSolveContext, TrialShareOfCell};
use crate::solve::streaming::{AnswerBatchingSink, AnswerSink, ErrorConvertingSink, SearchingSink};
use enfilade_engine::random_stream::to_hex;

/// Everything that a run needs: experiment, cells and settings.
#[derive(Debug)]
pub struct RunPlan {
    /// File of the experiment.
    pub input: SourceInput,
    /// The experiment of the file, without its cells.
    pub spec: Arc<ExperimentSpec>,
    /// Grid of all cells.
    pub cells: ExperimentCells,
    /// Settings of every cell: the file's, and the command line's before them.
    pub settings: SolverSettings,
    checked: Vec<GridCell>,
    excluded: Vec<Answer>,
}

/// Whether a run was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunCompletion {
    /// All cells were solved.
    Whole,
    /// The observer stopped the work.
    Interrupted,
}

impl RunPlan {
    /// Plans a run over an experiment that was read from `input`.
    pub fn new(
        input: SourceInput,
        (experiment, cells): (Experiment, ExperimentCells),
        settings: SolverSettings,
    ) -> RunPlan {
        let Experiment { spec, cells: checked, excluded_rows: excluded } = experiment;
        RunPlan { input, spec, cells, settings, checked, excluded }
    }

    /// Whether all cells were made and checked when the file was read.
    pub fn are_cells_checked(&self) -> bool {
        (self.checked.len() + self.excluded.len()) as u64 == self.cells.len()
    }

    /// Whether the answers to all cells are collected: the cells are few, and no search drops some.
    pub fn collects_all_answers(&self) -> bool {
        self.spec.search.is_none() && self.are_cells_checked()
    }

    /// Rows of the cells that are there, without numbers: they have the columns of all rows.
    pub fn rows_without_results(&self) -> Vec<Answer> {
        let cells = self.checked.iter();
        cells
            .map(|cell| CellSolution::WITHOUT_RESULTS.build_cell_answer(cell, &self.settings, 1.0))
            .collect()
    }

    /// Name of a run whose cells are made one by one: all that its numbers depend on, beside the
    /// program.
    pub fn streamed_run_name(&self) -> Option<String> {
        (!self.are_cells_checked()).then(|| self.run_identity_hash())
    }

    fn run_identity_hash(&self) -> String {
        let SolverSettings { seed, stop, isa: _, exact_only, fractions, bounds, played, states } =
            self.settings;
        let settings = (seed, stop, exact_only, fractions, played, states);
        let systems = self.spec.rulebooks.iter();
        let files = systems.flat_map(|system| system.files.iter());
        let files: Vec<&str> = files.map(|file| &*file.sha256).collect();
        let bounds = if bounds { "bounds " } else { "" };
        let text =
            format!("{bounds}{settings:?} {} {files:?}\n{}", self.cells.len(), self.input.text);
        to_hex(&Sha256::digest(text))
    }

    /// Places of the checked cells with the rows between them, in the order of the grid.
    fn places_in_grid_order(
        checked: Vec<GridCell>,
        excluded: Vec<Answer>,
    ) -> Vec<CellOrReason<'static>> {
        let index = |place: &CellOrReason<'_>| match place {
            Ok(cell) => cell.index,
            Err(row) => row.cell,
        };
        let cells = checked.into_iter().map(|cell| Ok(OwnedOrBorrowedCell::Owned(cell.into())));
        let rows = excluded.into_iter().map(|row| Err(row.into()));
        let mut places: Vec<CellOrReason<'static>> = cells.chain(rows).collect();
        places.sort_by_key(index);
        places
    }
}

/// A row of a run, and what is recorded of it.
struct RowWithSavedText {
    answer: Answer,
    /// Text of the cell in the log of blocks, where there is one.
    saved: Option<String>,
    error: Option<StudyError>,
    /// Whether the place has a contest.
    counts: bool,
}

/// Solves all cells of `plan` on the threads of the current rayon pool, and hands the answers to
/// `sink` in the order of the grid, without those that a search drops.
///
/// The answers do not depend on the threads. What is recorded in `journal` is not solved again, and
/// new results are recorded there. Each cell is dropped as soon as it is solved.
///
/// # Errors
/// If all cells are collected and none has an answer: the error of the first cell, at its place in
/// the file. (A single cell without an answer is a row with the reason.) If the journal cannot be
/// written. Any error of `sink`.
pub fn run_plan_into_sink<E: From<StudyError> + Send>(
    plan: RunPlan,
    watch: &dyn SolveObserver,
    journal: &mut CellOrBlockJournal,
    sink: &mut dyn AnswerSink<E>,
) -> Result<RunCompletion, E> {
    let mut sink = ErrorConvertingSink::new(sink);
    let end = run_into_study_sink(plan, watch, journal, &mut sink);
    sink.into_sink_result(end)
}

/// Solves all cells of `plan` for a sink with the errors of this crate, so that the work is
/// compiled once for all sinks.
fn run_into_study_sink(
    plan: RunPlan,
    watch: &dyn SolveObserver,
    journal: &mut CellOrBlockJournal,
    sink: &mut dyn AnswerSink,
) -> Result<RunCompletion, StudyError> {
    let collects_answers = plan.collects_all_answers();
    let is_checked = plan.are_cells_checked();
    let RunPlan { input, spec, cells, settings, checked, excluded } = plan;
    let none = CellTrialJournal::without_storage();
    let (by_cell, mut log) = journal.journal_or_block_log();
    let journal = by_cell.unwrap_or(&none);
    let task = SharedSolveContext {
        settings: &settings,
        share: TrialShareOfCell::ALL_TRIALS,
        watch,
        journal,
    };
    let rows = AnswerRowBuilder {
        settings: &settings,
        alpha: comparison_error_level(cells.len()),
        logged: log.is_some(),
    };
    let mut steady = AnswerBatchingSink::new(sink);
    let filter = SearchingSink::new(spec.search.as_ref(), &mut steady);
    let mut delivery = RowsOnWayToSink { filter, wrong: None, any: false };
    let mut next = 0;
    if let Some(log) = &mut log {
        next = replay_recorded_blocks(log, &cells, &rows, watch, &mut delivery)?;
    }
    let places =
        if is_checked { RunPlan::places_in_grid_order(checked, excluded) } else { Vec::new() };
    let mut blocks = blocks_from_cell(&cells, next, places, is_checked);
    let solve = |block: CellBlock<'_>| {
        block.solve_block_cells(&task, &|solved| rows.row_of_solved_cell(solved))
    };
    let mut take = |made: Vec<RowWithSavedText>| {
        if let Some(log) = &mut log {
            log.append_block(next, made.iter().filter_map(|row| row.saved.as_deref()))?;
            next += made.len() as u64;
        }
        delivery.deliver_answers_of_rows(made)
    };
    let rest = solve_while_delivering(&mut blocks, solve, &mut take)?;
    let end = if rest.is_some() { RunCompletion::Interrupted } else { RunCompletion::Whole };
    if let (Some(rest), true) = (rest, collects_answers) {
        // Rows without a contest need no work: all of them are there, whenever the work was
        // stopped.
        let others = blocks.flat_map(|block| rows.excluded_rows_of_block(block));
        delivery.deliver_answers_of_rows(
            rest.into_iter().chain(others.collect::<Vec<_>>()).collect(),
        )?;
    }
    let error = delivery.deliver_found()?;
    steady.deliver_remaining()?;
    match error {
        Some(error) if collects_answers && end == RunCompletion::Whole => {
            Err(input.locate_contest_error_in_file(error))
        }
        _ => Ok(end),
    }
}

/// Blocks of the checked places, or of the grid from cell `next` on.
fn blocks_from_cell<'a>(
    cells: &'a ExperimentCells,
    next: u64,
    places: Vec<CellOrReason<'a>>,
    is_checked: bool,
) -> Box<dyn Iterator<Item = CellBlock<'a>> + 'a> {
    if !is_checked {
        let end = cells.len();
        let firsts = (next..end).step_by(CELLS_PER_BLOCK as usize);
        let block = move |first: u64| first..end.min(first + CELLS_PER_BLOCK);
        return Box::new(firsts.map(move |first| CellBlock::Built { cells, range: block(first) }));
    }
    let mut places = places.into_iter();
    let next = move || {
        let block: Vec<_> = places.by_ref().take(CELLS_PER_BLOCK as usize).collect();
        (!block.is_empty()).then_some(CellBlock::Checked(block))
    };
    Box::new(std::iter::from_fn(next))
}

/// Hands on the blocks that an earlier run has recorded, and returns the first cell that it has
/// not.
fn replay_recorded_blocks(
    log: &mut CellBlockLog,
    cells: &ExperimentCells,
    rows: &AnswerRowBuilder<'_>,
    watch: &dyn SolveObserver,
    delivery: &mut RowsOnWayToSink<'_>,
) -> Result<u64, StudyError> {
    let mut next = 0;
    while next < cells.len() {
        let end = cells.len().min(next + CELLS_PER_BLOCK);
        let Some(saved) = log.read_block_if_next(next, end - next)? else { break };
        let trials = saved.iter().flatten().map(SavedSolutionOrRefusal::trial_count).sum();
        let recorded_cells = cells
            .build_cell_range(next..end)
            .zip(saved)
            .map(|((index, made), saved)| (index, made, saved));
        let recorded_cells: Vec<_> = recorded_cells.collect();
        let again =
            recorded_cells.into_par_iter().map(|(index, made, saved)| match (made, saved) {
                (Ok(cell), Some(saved)) => Some(rows.row_of_solved_cell(SolvedCellOrRow::Cell(
                    &cell,
                    saved.into_solution_result(),
                ))),
                (Err(wrong), None) => Some(rows.row_of_solved_cell(SolvedCellOrRow::Row(
                    wrong.into_table_row(index, 0).into(),
                ))),
                _ => None,
            });
        // Text with a right hash that does not fit the grid is none of ours.
        let Some(again) = again.collect::<Option<Vec<RowWithSavedText>>>() else { break };
        watch.note_finished_trials(trials);
        again.iter().for_each(|row| watch.note_answered_cell(row.answer.cell));
        delivery.deliver_answers_of_rows(again)?;
        log.trust_last_block_read();
        next = end;
    }
    Ok(next)
}

/// From solutions to rows.
struct AnswerRowBuilder<'a> {
    settings: &'a SolverSettings,
    /// The level of the whole run: how work is cut moves no verdict.
    alpha: f64,
    /// Whether rows are recorded in a log of blocks.
    logged: bool,
}

impl AnswerRowBuilder<'_> {
    fn row_of_solved_cell(&self, solved: SolvedCellOrRow<'_>) -> RowWithSavedText {
        let AnswerRowBuilder { settings, alpha, logged } = *self;
        match solved {
            SolvedCellOrRow::Row(answer) => {
                let answer = Answer { seed: settings.seed, ..*answer };
                let saved = logged.then(|| encode_saved_cell(None));
                RowWithSavedText { answer, saved, error: None, counts: false }
            }
            SolvedCellOrRow::Cell(cell, Ok(solution)) => {
                let answer = solution.build_cell_answer(cell, settings, alpha);
                let saved = logged
                    .then(|| encode_saved_cell(Some(&SavedSolutionOrRefusal::Solution(solution))));
                RowWithSavedText { answer, saved, error: None, counts: true }
            }
            SolvedCellOrRow::Cell(cell, Err(error)) => {
                let why = format_in_one_line(&error);
                let answer = CellSolution::WITHOUT_RESULTS
                    .build_cell_answer(cell, settings, alpha)
                    .refuse_cell_with_reason(why.clone());
                let saved =
                    logged.then(|| encode_saved_cell(Some(&SavedSolutionOrRefusal::Refusal(why))));
                RowWithSavedText { answer, saved, error: Some(error), counts: true }
            }
        }
    }

    /// Rows of a block that is not solved.
    fn excluded_rows_of_block(&self, block: CellBlock<'_>) -> Vec<RowWithSavedText> {
        let CellBlock::Checked(places) = block else { return Vec::new() };
        let rows = places.into_iter().filter_map(Result::err);
        rows.map(|row| self.row_of_solved_cell(SolvedCellOrRow::Row(row))).collect()
    }
}

/// Rows on their way to the sink.
struct RowsOnWayToSink<'a> {
    filter: SearchingSink<'a>,
    /// StudyError of the first cell that has no answer.
    wrong: Option<StudyError>,
    /// Whether a cell has an answer.
    any: bool,
}

impl RowsOnWayToSink<'_> {
    fn deliver_answers_of_rows(&mut self, rows: Vec<RowWithSavedText>) -> Result<(), StudyError> {
        let mut answers = Vec::with_capacity(rows.len());
        for RowWithSavedText { answer, error, counts, .. } in rows {
            self.any |= counts && error.is_none();
            if let Some(error) = error {
                self.wrong.get_or_insert(error);
            }
            answers.push(answer);
        }
        if answers.is_empty() { Ok(()) } else { self.filter.receive_answer_block(answers) }
    }

    /// Hands on what a search kept. Returns the first error if no cell has an answer.
    fn deliver_found(self) -> Result<Option<StudyError>, StudyError> {
        self.filter.deliver_selected()?;
        Ok(self.wrong.filter(|_| !self.any))
    }
}
