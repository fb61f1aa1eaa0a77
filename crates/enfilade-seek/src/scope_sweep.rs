//! The scopes of a search as an experiment, so that many machines share its cells, and their
//! answers joined.
//!
//! Each wanted cell is a contest, with the numbers of its scope as axes. Checks of a rulebook
//! belong to whole designs, so these contests are of the rulebook without its checks.

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::unchecked_rulebook::WITHOUT_CHECKS;
use enfilade_study::answer::Answer;
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;
use enfilade_study::solve::SolveObserver;
use enfilade_study::solve::streaming::AnswerSink;

use crate::cell_scopes::{empty_grid_of_scope, keeps_interchangeable_order};
use crate::error::SeekError;
use crate::scope_solver::{
    SolvedPlace, SolvedScopes, grid_of_solved_places, journal_cell_of_answer,
};
use crate::seek_answer::{SeekAnswer, SeekPlan, answer_solved_scopes, check_any_number_read};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::MeasureGridsOfCell;

/// By contest of the experiment: its axes with the number of values of each.
pub type ScopeAxes = Vec<Vec<(String, usize)>>;

/// Writes the scopes of a search as an experiment.
///
/// # Errors
/// If no want reads a number that may change.
pub fn write_scopes_as_experiment(
    question: &SeekQuestion,
    plan: &SeekPlan,
) -> Result<String, SeekError> {
    check_any_number_read(question, &plan.scopes)?;
    let contests = (0..plan.scopes.len()).map(|cell| scope_as_contest(question, plan, cell));
    let mut file = Table::new();
    file.insert("name".to_owned(), Toml::String(question.name.clone()));
    file.insert("contest".to_owned(), Toml::Array(contests.map(Toml::Table).collect()));
    Ok(file.to_string())
}

/// A wanted cell as a contest: the numbers of its scope have all their values, the others the
/// current one.
fn scope_as_contest(question: &SeekQuestion, plan: &SeekPlan, cell: usize) -> Table {
    let wanted = &question.cells.cells[cell];
    let contest = &question.contests[wanted.contest];
    let mut table = contest.circumstances[wanted.circumstance].table.clone();
    for (at, number) in question.numbers.iter().enumerate() {
        let Some(place) = &number.places[wanted.contest] else { continue };
        let value = match plan.scopes[cell].contains(&at) {
            true => Toml::Array(number.values.clone()),
            false => number.values[number.index_of_fallback()].clone(),
        };
        place.set_value(&mut table, value);
    }
    let id = &contest.system.id;
    let end = if contest.has_deferred_checks() { WITHOUT_CHECKS } else { "" };
    let heads = [
        ("name", format!("{} of {}", cell + 1, contest.name)),
        ("system", format!("{id}{end}")),
        ("action", contest.action_name.clone()),
    ];
    let heads = heads.into_iter().map(|(key, text)| (key.to_owned(), Toml::String(text)));
    let then = contest.follow_ups.iter().map(|then| ("then".to_owned(), then.clone()));
    let own = table.into_iter().filter(|(key, _)| !contest.is_follow_up_key(key));
    heads.chain(own).chain(then).collect()
}

/// Receiver of the answers to a sweep over scopes.
#[derive(Debug)]
pub struct ScopeAnswerReceiver<'q> {
    question: &'q SeekQuestion,
    plan: SeekPlan,
    grids: Vec<SweptScopeResults>,
    solved: SolvedScopes,
}

/// The grid of one scope in the order of the sweep.
#[derive(Debug)]
struct SweptScopeResults {
    shape: MeasureGridsOfCell,
    /// The first cell of the sweep that belongs to it.
    start: usize,
    /// By axis of the sweep: the number of its values, and the distance of neighbours in the grid.
    strides: Vec<(usize, usize)>,
    found: Vec<SolvedPlace>,
}

impl<'q> ScopeAnswerReceiver<'q> {
    /// A receiver for a sweep with these axes.
    ///
    /// # Errors
    /// If the experiment does not have the grids of the question.
    pub fn new(
        question: &'q SeekQuestion,
        plan: SeekPlan,
        axes: &ScopeAxes,
    ) -> Result<ScopeAnswerReceiver<'q>, SeekError> {
        let mut start = 0;
        let mut grids = Vec::new();
        for (cell, scope) in plan.scopes.iter().enumerate() {
            let shape = empty_grid_of_scope(question, scope);
            let side = question.cells.cells[cell].contest;
            let strides = axes
                .get(cell)
                .and_then(|axes| grid_strides_of_contest_axes(question, side, &shape, axes));
            let Some(strides) = strides else {
                return Err(numbers_are_no_axes_error(question, side));
            };
            let size = shape.len();
            grids.push(SweptScopeResults { shape, start, strides, found: Vec::new() });
            start += size;
        }
        Ok(ScopeAnswerReceiver { question, plan, grids, solved: SolvedScopes::default() })
    }

    fn store_cell_answer(&mut self, answer: &Answer) {
        let Some(cell) = self.grids.iter().rposition(|grid| grid.start <= answer.cell) else {
            return;
        };
        let grid = &self.grids[cell];
        let place = grid.grid_index_of_swept_cell(answer.cell - grid.start);
        if !keeps_interchangeable_order(self.question, &grid.shape, place) {
            return;
        }
        let own = journal_cell_of_answer(self.question, cell, answer);
        self.solved.solved_contests += 1;
        let own = self.solved.count_if_unanswered(place, own);
        self.grids[cell].found.push(own);
    }

    /// Joins the answers.
    ///
    /// # Errors
    /// If the work was stopped, or numbers declared as alike are not.
    pub fn join_answers(self, watch: &dyn SolveObserver) -> Result<SeekAnswer, SeekError> {
        let ScopeAnswerReceiver { question, plan, grids, mut solved } = self;
        for (cell, SweptScopeResults { shape, found, .. }) in grids.into_iter().enumerate() {
            solved.grids.cells.push(grid_of_solved_places(question, cell, shape, found));
            solved.fences.push(None);
        }
        answer_solved_scopes(question, &plan.scopes, (solved, None), watch)
    }
}

impl<E> AnswerSink<E> for ScopeAnswerReceiver<'_> {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), E> {
        answers.iter().for_each(|answer| self.store_cell_answer(answer));
        Ok(())
    }

    fn receive_omitted_cells(&mut self, _: CellsOmittedBySearch) {}
}

impl SweptScopeResults {
    /// The place in the grid of a cell of the sweep, counted from the first of its contest.
    fn grid_index_of_swept_cell(&self, mut index: usize) -> usize {
        let mut place = 0;
        for (size, stride) in self.strides.iter().rev() {
            place += index % size * stride;
            index /= size;
        }
        place
    }
}

/// By axis of a contest: its size and the distance of neighbours in the grid; `None` if they are
/// not the numbers of the grid.
fn grid_strides_of_contest_axes(
    question: &SeekQuestion,
    side: usize,
    shape: &MeasureGridsOfCell,
    axes: &[(String, usize)],
) -> Option<Vec<(usize, usize)>> {
    let stride = |(name, size): &(String, usize)| {
        let is_axis = |number: &usize| {
            let place = question.numbers[*number].places[side].as_ref();
            place.is_some_and(|place| place.to_file_path() == *name)
        };
        let at = shape.scope.iter().position(is_axis)?;
        let stride: usize = shape.sizes[at + 1..].iter().product();
        (shape.sizes[at] == *size).then_some((*size, stride))
    };
    let strides: Vec<(usize, usize)> = axes.iter().map(stride).collect::<Option<_>>()?;
    (strides.len() == shape.scope.len()).then_some(strides)
}

fn numbers_are_no_axes_error(question: &SeekQuestion, side: usize) -> SeekError {
    SeekError::Invalid(format!(
        "the numbers that \"{}\" reads are no axes of an experiment: solve it on one machine, with `enfilade seek`",
        question.contests[side].name
    ))
}
