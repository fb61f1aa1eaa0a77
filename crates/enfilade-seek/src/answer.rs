//! The answer to a search: the designs that fit, or the reason why none fits.

use std::collections::{BTreeMap, HashMap};

use enfilade_model::error::Error;
use enfilade_study::solve::Watch;

use crate::bounds::Known;
use crate::decide::Mark;
use crate::design::{SeekDesign, design};
use crate::join::{Join, Selection, orders};
use crate::missing::{self, Missing};
use crate::question::SeekQuestion;
use crate::scopes::{self, Solved};

/// The largest number of designs that are stored: more are counted, and the first by the order are
/// stored.
const KEPT: usize = 100_000;

/// The answer to a search.
#[derive(Debug)]
pub struct SeekAnswer {
    /// Number of designs.
    pub designs: u64,
    /// Number of designs that fit, as far as they were counted.
    pub fits: u64,
    /// Whether every design was decided.
    pub complete: bool,
    /// Number of contests that were solved.
    pub asked: u64,
    /// Contests of all designs in all wanted cells.
    pub full: u64,
    /// Number of cells without an answer.
    pub holes: u64,
    /// The reason why the first of these has none.
    pub why: Option<String>,
    /// By check of a rulebook: number of designs that meet all wants and break the check.
    pub broken: BTreeMap<String, u64>,
    /// The designs that fit, in order.
    pub found: Vec<SeekDesign>,
    /// The current design, if the current numbers are among their values.
    pub now: Option<SeekDesign>,
    /// By number: the values that occur among all designs that fit.
    pub occurring: Vec<Vec<usize>>,
    /// Numbers that no want reads.
    pub unread: Vec<usize>,
    /// Effects of one step of each number from the first design.
    pub steps: Vec<SeekStep>,
    /// The reason why nothing fits.
    pub missing: Option<Missing>,
    /// Number of designs with an uncertain value at an edge.
    pub open: u64,
}

/// One step of a number from a design.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekStep {
    /// The number.
    pub number: usize,
    /// Up or down.
    pub up: bool,
    /// The want that is lost, and its value after the step; `None` if all are still met.
    pub lost: Option<(usize, f64)>,
}

/// The cells to solve for a search.
#[derive(Debug)]
pub struct SeekPlan {
    scopes: Vec<Vec<usize>>,
    /// Contests of all grids.
    pub cells: u64,
}

/// Finds the cells to solve for a search.
///
/// # Errors
/// If a scope is too large, or the work was stopped.
pub fn plan(question: &mut SeekQuestion, watch: &dyn Watch) -> Result<SeekPlan, Error> {
    let scopes = scopes::find(question, watch)?;
    let size = |number: &usize| question.numbers[*number].values.len() as u64;
    let cells = scopes.iter().map(|scope| scope.iter().map(size).product::<u64>()).sum();
    Ok(SeekPlan { scopes, cells })
}

/// Answers a search.
///
/// # Errors
/// If a scope is too large, no want reads a number that may change, or the work was stopped.
pub fn answer(question: &mut SeekQuestion, watch: &dyn Watch) -> Result<SeekAnswer, Error> {
    let plan = plan(question, watch)?;
    answer_planned(question, plan, watch)
}

/// Answers a search whose plan is known.
///
/// # Errors
/// The errors of [`answer`].
pub fn answer_planned(
    question: &SeekQuestion,
    plan: SeekPlan,
    watch: &dyn Watch,
) -> Result<SeekAnswer, Error> {
    let scopes = plan.scopes;
    if scopes.iter().all(Vec::is_empty) {
        let problem = "no want of so_that reads a number of [seek.change]: add one that it reads";
        return Err(Error::Usage(problem.to_owned()));
    }
    let Solved { known, asked, holes, why } = scopes::solve(question, &scopes, watch)?;
    let asked = asked + scopes::check_alike(question, &known, watch)?;
    let (joined, complete) = joined(question, &known, watch)?;
    let (fits, occurring) = (joined.fits, places(&joined.occurring));
    let (broken, open) = (joined.broken.clone(), joined.open);
    let found = joined.into_designs();
    let read: Vec<usize> = scopes.iter().flatten().copied().collect();
    let steps = found.first().map(|first| steps_from(question, &known, first, &read));
    Ok(SeekAnswer {
        designs: all_designs(question),
        fits,
        complete,
        asked,
        full: scopes::full_cells(question),
        holes,
        why,
        broken,
        now: now(question).map(|values| design(question, &known, values)),
        occurring,
        unread: unread(question, &read),
        steps: steps.unwrap_or_default(),
        found,
        missing: (fits == 0).then(|| missing::missing(question, &known)),
        open,
    })
}

/// Collects the designs that meet all wants; the flag is `true` if they are all.
fn joined<'q>(
    question: &'q SeekQuestion,
    known: &'q Known,
    watch: &dyn Watch,
) -> Result<(Found<'q>, bool), Error> {
    let mut found = Found::of(question, known);
    let join = Join::new(question, known, &Selection::all(question), &of_goals(question));
    let times = join.times();
    let complete = join.each(&mut |design| {
        found.add(design, times);
        !watch.halt().asked()
    });
    match watch.halt().asked() {
        true => Err(Error::Interrupted("the designs were not joined to their end".to_owned())),
        false => Ok((found, complete)),
    }
}

/// The numbers that an order reads itself, and those that conditions of a rulebook may depend on.
fn of_goals(question: &SeekQuestion) -> Vec<usize> {
    let goals = question.order.prefer.iter().chain(&question.order.front);
    let goals = goals.flat_map(|goal| goal.numbers(&question.numbers));
    goals.chain(of_checks(question)).collect()
}

/// The numbers that conditions of a rulebook may depend on, if these are checked for whole designs.
fn of_checks(question: &SeekQuestion) -> Vec<usize> {
    let sides = question.contests.iter().enumerate();
    let lifted = sides.filter(|(_, contest)| contest.has_lifted_checks());
    let read = lifted.flat_map(|(side, contest)| {
        let (own, keys) = scopes::numbers_of(question, side);
        let read = contest.action.probe.as_ref().map(|probe| probe.checks_read(&keys));
        own.into_iter().zip(read.unwrap_or_default()).filter(|(_, on)| *on).map(|(at, _)| at)
    });
    read.collect()
}

/// Counts the designs: of interchangeable numbers one order each.
fn all_designs(question: &SeekQuestion) -> u64 {
    let grouped: Vec<usize> = question.alike.iter().flatten().copied().collect();
    let numbers = question.numbers.iter().enumerate().filter(|(at, _)| !grouped.contains(at));
    let plain = numbers.fold(1_u64, |all, (_, n)| all.saturating_mul(n.values.len() as u64));
    question.alike.iter().fold(plain, |all, group| {
        all.saturating_mul(orders(question.numbers[group[0]].values.len(), group.len()))
    })
}

/// Numbers that no want, no condition and no order reads.
fn unread(question: &SeekQuestion, read: &[usize]) -> Vec<usize> {
    let of_conditions = question
        .conditions
        .iter()
        .flat_map(|condition| crate::join::names_of(condition, &question.numbers));
    let read: Vec<usize> =
        read.iter().copied().chain(of_conditions).chain(of_goals(question)).collect();
    let several = |at: &usize| question.numbers[*at].values.len() > 1;
    (0..question.numbers.len()).filter(|at| several(at) && !read.contains(at)).collect()
}

/// The current numbers, if each of them is among its values.
fn now(question: &SeekQuestion) -> Option<Vec<u16>> {
    question.numbers.iter().map(|number| number.now_at().map(|at| at as u16)).collect()
}

fn places(occurring: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let of_number =
        |seen: &Vec<bool>| (0..seen.len()).filter(|at| seen[*at]).collect::<Vec<usize>>();
    occurring.iter().map(of_number).collect()
}

/// Computes the effects of one step of each number on a design.
fn steps_from(
    question: &SeekQuestion,
    known: &Known,
    first: &SeekDesign,
    read: &[usize],
) -> Vec<SeekStep> {
    let numbers = (0..question.numbers.len()).filter(|number| read.contains(number));
    let steps = numbers.flat_map(|number| [true, false].map(|up| (number, up)));
    steps.filter_map(|(number, up)| step_from(question, known, first, number, up)).collect()
}

/// Computes the effect of one step on a design; `None` if the number is at its end, or a condition
/// forbids it.
fn step_from(
    question: &SeekQuestion,
    known: &Known,
    first: &SeekDesign,
    number: usize,
    up: bool,
) -> Option<SeekStep> {
    let at = usize::from(first.values[number]);
    let next = if up { at.checked_add(1) } else { at.checked_sub(1) };
    let next = next.filter(|at| *at < question.numbers[number].values.len())?;
    let mut values = first.values.clone();
    values[number] = next as u16;
    let value = |name: &str| crate::order::valued(name, &values, &question.numbers);
    if !question.conditions.iter().all(|one| one.holds(&value)) {
        return None;
    }
    let stepped = design(question, known, values);
    let lost = stepped.reached.iter().position(|reached| !reached.holds);
    let lost = lost.map(|want| (want, stepped.reached[want].value));
    Some(SeekStep { number, up, lost })
}

/// Collector of designs during the join.
struct Found<'q> {
    question: &'q SeekQuestion,
    known: &'q Known,
    kept: Vec<(Vec<f64>, Vec<u16>)>,
    fits: u64,
    open: u64,
    occurring: Vec<Vec<bool>>,
    broken: BTreeMap<String, u64>,
    /// By contest and values of its numbers: the check that is broken.
    checked: HashMap<(usize, Vec<u16>), Option<String>>,
}

impl<'q> Found<'q> {
    fn of(question: &'q SeekQuestion, known: &'q Known) -> Found<'q> {
        let occurring = question.numbers.iter().map(|number| vec![false; number.values.len()]);
        Found {
            question,
            known,
            kept: Vec::new(),
            fits: 0,
            open: 0,
            occurring: occurring.collect(),
            broken: BTreeMap::new(),
            checked: HashMap::new(),
        }
    }

    /// Adds a design that meets all wants and represents `times` designs.
    fn add(&mut self, design: &[u16], times: u64) {
        if let Some(check) = self.breaks(design) {
            *self.broken.entry(check).or_default() += times;
            return;
        }
        self.fits += times;
        for (seen, at) in self.occurring.iter_mut().zip(design) {
            seen[usize::from(*at)] = true;
        }
        self.open += if self.is_open(design) { times } else { 0 };
        match self.question.order.front.is_empty() {
            true => self.keep_first(design),
            false => self.keep_on_front(design),
        }
    }

    /// Whether an uncertain value reaches over an edge.
    fn is_open(&self, design: &[u16]) -> bool {
        let mut parts = self.question.wanted.wants.iter().flat_map(|want| &want.parts);
        parts.any(|part| self.known.verdict(part, design).mark == Some(Mark::Open))
    }

    /// Stores a design among the first in the order.
    fn keep_first(&mut self, design: &[u16]) {
        let keys = self.question.order.keys(design, &self.question.numbers, self.known);
        self.kept.push((keys, design.to_vec()));
        if self.kept.len() > 2 * KEPT {
            self.sort();
            self.kept.truncate(KEPT);
        }
    }

    /// Stores a design that no other one beats in every way.
    fn keep_on_front(&mut self, design: &[u16]) {
        let goals = self.question.order.front.iter();
        let keys = goals.map(|goal| goal.key(design, &self.question.numbers, self.known));
        let keys: Vec<f64> = keys.collect();
        let beats = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a <= b);
        if !self.kept.iter().any(|(old, _)| beats(old, &keys)) {
            self.kept.retain(|(old, _)| !beats(&keys, old));
            self.kept.push((keys, design.to_vec()));
        }
    }

    fn sort(&mut self) {
        self.kept.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    }

    /// Returns the stored designs in order.
    fn into_designs(mut self) -> Vec<SeekDesign> {
        self.sort();
        let kept = self.kept.into_iter();
        kept.map(|(_, values)| design(self.question, self.known, values)).collect()
    }

    /// Finds a check of the rulebook that a design breaks in a wanted cell.
    fn breaks(&mut self, design: &[u16]) -> Option<String> {
        let question = self.question;
        for (side, contest) in question.contests.iter().enumerate() {
            if !contest.has_lifted_checks() {
                continue;
            }
            let own = question.numbers.iter().zip(design);
            let own = own.filter(|(number, _)| number.places[side].is_some()).map(|(_, at)| *at);
            let cells = question.wanted.cells.iter().filter(|cell| cell.contest == side);
            let check = || {
                cells.map(|cell| cell.circumstance).find_map(|circumstance| {
                    let value = |number: usize| usize::from(design[number]);
                    let form = contest.form(circumstance, &question.numbers, side, &value).ok()?;
                    let faults = contest.action.contest(&form).err()?;
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
