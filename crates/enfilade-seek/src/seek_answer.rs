//! The answer to a search: the designs that fit, or the reason why none fits.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::error::SeekError;
use enfilade_study::solve::SolveObserver;

use crate::cell_scopes;
use crate::comparison_verdict::TieNearOrOpenMark;
use crate::design_join::{DesignSearch, WantAndConditionMask, count_multisets_of_size};
use crate::fence::{DecidedDesignsExtent, SearchByCellBounds};
use crate::interchangeable_numbers;
use crate::no_fit::{self, NoFitReport};
use crate::scope_solver::{self, SolvedScopes};
use crate::search_journal::SearchJournal;
use crate::seek_design::{FoundDesign, build_with_wants};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::SolvedGrids;

/// The largest number of designs that are stored: more are counted, and the first by the order are
/// stored.
const MAX_STORED_DESIGNS: usize = 100_000;

/// The answer to a search.
#[derive(Debug)]
pub struct SeekAnswer {
    /// Number of designs.
    pub designs: u64,
    /// Number of designs that fit, as far as they were counted.
    pub fits: u64,
    /// Whether every design was decided.
    pub complete: bool,
    /// What a fence has decided, if cells are dear.
    pub fence: Option<DecidedDesignsExtent>,
    /// Number of contests that were solved.
    pub solved_contests: u64,
    /// Contests of all designs in all wanted cells.
    pub all_contests: u64,
    /// Number of cells without an answer.
    pub unanswered_cells: u64,
    /// The reason why the first of these has none.
    pub first_reason: Option<String>,
    /// By check of a rulebook: number of designs that meet all wants and break the check.
    pub broken_checks: BTreeMap<String, u64>,
    /// The designs that fit, in order.
    pub best_designs: Vec<FoundDesign>,
    /// The current design, if the current numbers are among their values.
    pub now: Option<FoundDesign>,
    /// By number: the values that occur among all designs that fit.
    pub occurring: Vec<Vec<usize>>,
    /// Numbers that no want reads.
    pub unread: Vec<usize>,
    /// Effects of one step of each number from the first design.
    pub steps: Vec<NumberStepFromDesign>,
    /// The reason why nothing fits.
    pub no_fit: Option<NoFitReport>,
    /// Number of designs with an uncertain value at an edge.
    pub undecided: u64,
    /// The solved scopes.
    pub(crate) solved: SolvedScopes,
}

/// One step of a number from a design.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberStepFromDesign {
    /// The number.
    pub number: usize,
    /// Up or down.
    pub up: bool,
    /// The want that is lost, and its value after the step; `None` if all are still met.
    pub lost_want: Option<(usize, f64)>,
}

/// The cells to solve for a search.
#[derive(Debug)]
pub struct SeekPlan {
    /// By wanted cell: the numbers that it reads.
    pub(crate) scopes: Vec<Vec<usize>>,
    /// Contests of all grids.
    pub cells: u64,
    /// Cells that an earlier run has solved.
    pub journal: Option<Arc<dyn SearchJournal>>,
}

impl SeekPlan {
    /// Returns the number of different scopes.
    pub fn distinct_scope_count(&self) -> usize {
        self.scopes.iter().collect::<std::collections::BTreeSet<_>>().len()
    }
}

/// Finds the cells to solve for a search.
///
/// # Errors
/// If a scope is too large, or the work was stopped.
pub fn plan_cells_to_solve(
    question: &mut SeekQuestion,
    watch: &dyn SolveObserver,
) -> Result<SeekPlan, SeekError> {
    let scopes = cell_scopes::find_scopes_and_order_numbers(question, watch)?;
    let size = |number: &usize| question.numbers[*number].values.len() as u64;
    let cells = scopes.iter().map(|scope| scope.iter().map(size).product::<u64>()).sum();
    Ok(SeekPlan { scopes, cells, journal: None })
}

/// Answers a search.
///
/// # Errors
/// If a scope is too large, no want reads a number that may change, or the work was stopped.
pub fn answer_search(
    question: &mut SeekQuestion,
    watch: &dyn SolveObserver,
) -> Result<SeekAnswer, SeekError> {
    let plan = plan_cells_to_solve(question, watch)?;
    answer_planned_search(question, plan, watch)
}

/// Answers a search whose plan is known.
///
/// # Errors
/// The errors of [`answer_search`].
pub fn answer_planned_search(
    question: &SeekQuestion,
    plan: SeekPlan,
    watch: &dyn SolveObserver,
) -> Result<SeekAnswer, SeekError> {
    let SeekPlan { scopes, journal, .. } = plan;
    check_any_number_read(question, &scopes)?;
    let solved = scope_solver::solve_or_fence_all_scopes(question, &scopes, journal, watch)?;
    let (solved, fence) = match solved.fences.iter().any(Option::is_some) {
        true => SearchByCellBounds::new(question, solved, watch).decide_all()?,
        false => (solved, None),
    };
    answer_solved_scopes(question, &scopes, (solved, fence), watch)
}

/// Checks that a want reads any number that may change.
///
/// # Errors
/// If none does.
pub(crate) fn check_any_number_read(
    question: &SeekQuestion,
    scopes: &[Vec<usize>],
) -> Result<(), SeekError> {
    match scopes.iter().all(Vec::is_empty) {
        true => Err(nothing_read_error(question)),
        false => Ok(()),
    }
}

/// Joins solved scopes to the answer.
pub(crate) fn answer_solved_scopes(
    question: &SeekQuestion,
    scopes: &[Vec<usize>],
    (solved, fence): (SolvedScopes, Option<DecidedDesignsExtent>),
    watch: &dyn SolveObserver,
) -> Result<SeekAnswer, SeekError> {
    if solved.solved_contests > 0 && solved.unanswered_cells >= solved.solved_contests {
        return Err(no_exact_odds_error(question, &solved));
    }
    let contest_count = solved.solved_contests
        + interchangeable_numbers::check_interchangeable_numbers(question, &solved, watch)?;
    let (joined, complete) = collect_fitting_designs(question, &solved, watch)?;
    let is_decided = fence.as_ref().is_none_or(|fence| fence.decided_changes.is_none());
    let solved_grids = &solved.grids;
    let (fits, occurring) = (joined.fits, indices_of_occurring(&joined.occurring));
    let (broken, open) = (joined.broken.clone(), joined.open);
    let designs = joined.into_sorted_designs();
    let read: Vec<usize> = scopes.iter().flatten().copied().collect();
    let steps = designs
        .first()
        .map(|first| compute_number_step_effects(question, solved_grids, first, &read));
    Ok(SeekAnswer {
        designs: count_all_designs(question),
        fits,
        complete: complete && is_decided,
        fence,
        solved_contests: contest_count,
        all_contests: cell_scopes::count_cells_without_scopes(question),
        unanswered_cells: solved.unanswered_cells,
        first_reason: solved.first_reason.clone(),
        broken_checks: broken,
        now: current_value_indices(question)
            .map(|values| build_with_wants(question, solved_grids, values)),
        occurring,
        unread: find_numbers_read_nowhere(question, &read),
        steps: steps.unwrap_or_default(),
        best_designs: designs,
        no_fit: (fits == 0).then(|| no_fit::explain_no_fit(question, &solved, is_decided)),
        undecided: open,
        solved,
    })
}

/// The error that no cell has exact odds.
fn no_exact_odds_error(question: &SeekQuestion, solved: &SolvedScopes) -> SeekError {
    let first = question.cells.cells.first();
    let name = first.map_or("", |cell| question.contests[cell.contest].name.as_str());
    let why = solved.first_reason.as_deref().unwrap_or("no cell has an answer");
    SeekError::Invalid(format!(
        "[seek] needs exact odds, and \"{name}\" has none: {why}; make its contests smaller"
    ))
}

/// The error that no want reads a number that may change, with those that are read.
fn nothing_read_error(question: &SeekQuestion) -> SeekError {
    let read = cell_scopes::names_read_by_first_cell(question);
    let remedy = match read.is_empty() {
        true => ": add a number that one of them reads".to_owned(),
        false => format!(": it reads {}, add one of these", read.join(", ")),
    };
    SeekError::Invalid(format!("so_that reads no number of [seek.change]{remedy}"))
}

/// Collects the designs that meet all wants; the flag is `true` if they are all.
fn collect_fitting_designs<'q>(
    question: &'q SeekQuestion,
    known: &'q SolvedScopes,
    watch: &dyn SolveObserver,
) -> Result<(DesignCollector<'q>, bool), SeekError> {
    let grids = &known.grids;
    let mut collector = DesignCollector::for_question(question, grids);
    let join = DesignSearch::new(
        question,
        grids,
        &WantAndConditionMask::select_all(question),
        &numbers_goals_and_checks_read(question),
    );
    let times = join.designs_per_solution();
    let complete = join.visit_fitting_designs(&mut |design| {
        if known.is_design_solved(design) {
            collector.add_if_checks_pass(design, times);
        }
        !watch.cancel_token().is_cancelled()
    });
    match watch.cancel_token().is_cancelled() {
        true => Err(SeekError::Interrupted("the designs were not joined to their end".to_owned())),
        false => Ok((collector, complete)),
    }
}

/// The numbers that an order reads itself, and those that conditions of a rulebook may depend on.
fn numbers_goals_and_checks_read(question: &SeekQuestion) -> Vec<usize> {
    let goals = question.order.prefer.iter().chain(&question.order.front);
    let goals = goals.flat_map(|goal| goal.numbers_read_directly(&question.numbers));
    goals.chain(numbers_read_by_checks(question)).collect()
}

/// The numbers that conditions of a rulebook may depend on, if these are checked for whole designs.
fn numbers_read_by_checks(question: &SeekQuestion) -> Vec<usize> {
    let sides = question.contests.iter().enumerate();
    let lifted = sides.filter(|(_, contest)| contest.has_deferred_checks());
    let read = lifted.flat_map(|(side, contest)| {
        let (own, keys) = cell_scopes::varying_numbers_of_contest(question, side);
        let read = contest.action.probe.as_ref().map(|probe| probe.find_check_reads(&keys));
        own.into_iter().zip(read.unwrap_or_default()).filter(|(_, on)| *on).map(|(at, _)| at)
    });
    read.collect()
}

/// Counts the designs: of interchangeable numbers one order each.
fn count_all_designs(question: &SeekQuestion) -> u64 {
    let grouped: Vec<usize> = question.interchangeable.iter().flatten().copied().collect();
    let numbers = question.numbers.iter().enumerate().filter(|(at, _)| !grouped.contains(at));
    let plain = numbers.fold(1_u64, |all, (_, n)| all.saturating_mul(n.values.len() as u64));
    question.interchangeable.iter().fold(plain, |all, group| {
        all.saturating_mul(count_multisets_of_size(
            question.numbers[group[0]].values.len(),
            group.len(),
        ))
    })
}

/// Numbers that no want, no condition and no order reads.
fn find_numbers_read_nowhere(question: &SeekQuestion, read: &[usize]) -> Vec<usize> {
    let of_conditions = question.conditions.iter().flat_map(|condition| {
        crate::design_join::numbers_in_condition(condition, &question.numbers)
    });
    let read: Vec<usize> = read
        .iter()
        .copied()
        .chain(of_conditions)
        .chain(numbers_goals_and_checks_read(question))
        .collect();
    let several = |at: &usize| question.numbers[*at].values.len() > 1;
    (0..question.numbers.len()).filter(|at| several(at) && !read.contains(at)).collect()
}

/// The current numbers, if each of them is among its values.
fn current_value_indices(question: &SeekQuestion) -> Option<Vec<u16>> {
    question
        .numbers
        .iter()
        .map(|number| number.index_of_current_value().map(|at| at as u16))
        .collect()
}

fn indices_of_occurring(occurring: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let of_number =
        |flags: &Vec<bool>| (0..flags.len()).filter(|at| flags[*at]).collect::<Vec<usize>>();
    occurring.iter().map(of_number).collect()
}

/// Computes the effects of one step of each number on a design.
fn compute_number_step_effects(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    first: &FoundDesign,
    read: &[usize],
) -> Vec<NumberStepFromDesign> {
    let numbers = (0..question.numbers.len()).filter(|number| read.contains(number));
    let steps = numbers.flat_map(|number| [true, false].map(|up| (number, up)));
    steps
        .filter_map(|(number, up)| want_lost_by_single_step(question, grids, first, number, up))
        .collect()
}

/// Computes the effect of one step on a design; `None` if the number is at its end, or a condition
/// forbids it.
fn want_lost_by_single_step(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    first: &FoundDesign,
    number: usize,
    up: bool,
) -> Option<NumberStepFromDesign> {
    let at = usize::from(first.values[number]);
    let next = if up { at.checked_add(1) } else { at.checked_sub(1) };
    let next = next.filter(|at| *at < question.numbers[number].values.len())?;
    let mut values = first.values.clone();
    values[number] = next as u16;
    let value = |name: &str| crate::design_order::value_of_name(name, &values, &question.numbers);
    if !question.conditions.iter().all(|one| one.is_met_with_values(&value)) {
        return None;
    }
    let stepped = build_with_wants(question, grids, values);
    let lost = stepped.reached.iter().position(|reached| !reached.is_met);
    let lost = lost.map(|want| (want, stepped.reached[want].value));
    Some(NumberStepFromDesign { number, up, lost_want: lost })
}

/// Collector of designs during the join.
struct DesignCollector<'q> {
    question: &'q SeekQuestion,
    grids: &'q SolvedGrids,
    designs: Vec<(Vec<f64>, Vec<u16>)>,
    fits: u64,
    open: u64,
    occurring: Vec<Vec<bool>>,
    broken: BTreeMap<String, u64>,
    /// By contest and values of its numbers: the check that is broken.
    checked: HashMap<(usize, Vec<u16>), Option<String>>,
}

impl<'q> DesignCollector<'q> {
    fn for_question(question: &'q SeekQuestion, grids: &'q SolvedGrids) -> DesignCollector<'q> {
        let occurring = question.numbers.iter().map(|number| vec![false; number.values.len()]);
        DesignCollector {
            question,
            grids,
            designs: Vec::new(),
            fits: 0,
            open: 0,
            occurring: occurring.collect(),
            broken: BTreeMap::new(),
            checked: HashMap::new(),
        }
    }

    /// Adds a design that meets all wants and represents `times` designs.
    fn add_if_checks_pass(&mut self, design: &[u16], times: u64) {
        if let Some(check) = self.find_check_broken_by(design) {
            *self.broken.entry(check).or_default() += times;
            return;
        }
        self.fits += times;
        for (seen, at) in self.occurring.iter_mut().zip(design) {
            seen[usize::from(*at)] = true;
        }
        self.open += if self.has_open_comparison(design) { times } else { 0 };
        match self.question.order.front.is_empty() {
            true => self.store_among_first(design),
            false => self.store_if_on_pareto_front(design),
        }
    }

    /// Whether an uncertain value reaches over an edge.
    fn has_open_comparison(&self, design: &[u16]) -> bool {
        let mut parts = self.question.cells.wants.iter().flat_map(|want| &want.parts);
        parts.any(|part| {
            self.grids.judge_comparison(part, design).mark == Some(TieNearOrOpenMark::Open)
        })
    }

    /// Stores a design among the first in the order.
    fn store_among_first(&mut self, design: &[u16]) {
        let keys = self.question.order.sort_keys(design, &self.question.numbers, self.grids);
        self.designs.push((keys, design.to_vec()));
        if self.designs.len() > 2 * MAX_STORED_DESIGNS {
            self.sort_stored_designs();
            self.designs.truncate(MAX_STORED_DESIGNS);
        }
    }

    /// Stores a design that no other one beats in every way.
    fn store_if_on_pareto_front(&mut self, design: &[u16]) {
        let goals = self.question.order.front.iter();
        let keys =
            goals.map(|goal| goal.goal_sort_value(design, &self.question.numbers, self.grids));
        let keys: Vec<f64> = keys.collect();
        let beats = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a <= b);
        if !self.designs.iter().any(|(old, _)| beats(old, &keys)) {
            self.designs.retain(|(old, _)| !beats(&keys, old));
            self.designs.push((keys, design.to_vec()));
        }
    }

    fn sort_stored_designs(&mut self) {
        self.designs.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    }

    /// Returns the stored designs in order.
    fn into_sorted_designs(mut self) -> Vec<FoundDesign> {
        self.sort_stored_designs();
        let designs = self.designs.into_iter();
        designs.map(|(_, values)| build_with_wants(self.question, self.grids, values)).collect()
    }

    /// Finds a check of the rulebook that a design breaks in a wanted cell.
    fn find_check_broken_by(&mut self, design: &[u16]) -> Option<String> {
        let question = self.question;
        for (side, contest) in question.contests.iter().enumerate() {
            if !contest.has_deferred_checks() {
                continue;
            }
            let own = question.numbers.iter().zip(design);
            let own = own.filter(|(number, _)| number.places[side].is_some()).map(|(_, at)| *at);
            let cells = question.cells.cells.iter().filter(|cell| cell.contest == side);
            let check = || {
                cells.map(|cell| cell.circumstance).find_map(|circumstance| {
                    let value = |number: usize| usize::from(design[number]);
                    let form = contest
                        .fill_form_with_design(circumstance, &question.numbers, side, &value)
                        .ok()?;
                    let faults = contest.action.build_contest(&form).err()?;
                    faults.into_iter().find_map(|fault| fault.check)
                })
            };
            let known = self.checked.entry((side, own.collect())).or_insert_with(check);
            if known.is_some() {
                return known.clone();
            }
        }
        None
    }
}
