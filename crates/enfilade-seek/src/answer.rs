//! The answer to a search: the designs that fit, or why there is none.

use std::collections::{BTreeMap, HashMap};

use enfilade_model::error::Error;
use enfilade_study::solve::Watch;

use crate::bounds::Known;
use crate::decide::Mark;
use crate::join::{Join, Selection, orders};
use crate::missing::{self, Missing};
use crate::order::{changes, steps};
use crate::question::SeekQuestion;
use crate::scopes::{self, Solved};

/// Designs that are kept: more are counted, and the first of them by the order are here.
const KEPT: usize = 100_000;

/// The answer to a search.
#[derive(Debug)]
pub struct SeekAnswer {
    /// How many designs there are.
    pub designs: u64,
    /// How many of them fit, and whether that is all of them.
    pub fits: u64,
    /// Whether every design was decided.
    pub complete: bool,
    /// Contests that were solved, and how many all designs would be.
    pub asked: u64,
    /// Contests of all designs in all wanted cells.
    pub full: u64,
    /// Cells without an answer, and why the first has none.
    pub holes: u64,
    /// Why the first of these has none.
    pub why: Option<String>,
    /// By check of a rulebook: designs that meet all that is wanted and break it.
    pub broken: BTreeMap<String, u64>,
    /// The designs that fit, the first by the order first.
    pub found: Vec<SeekDesign>,
    /// The design as it is now, where its numbers are among those that may be.
    pub now: Option<SeekDesign>,
    /// By number: the values that occur among all that fit.
    pub occurring: Vec<Vec<usize>>,
    /// Numbers that nothing wanted reads.
    pub unread: Vec<usize>,
    /// What one step of a number makes of the first design.
    pub steps: Vec<SeekStep>,
    /// Why nothing fits.
    pub missing: Option<Missing>,
    /// Whether an open value stands at an edge.
    pub open: u64,
}

/// A design.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekDesign {
    /// By number: the place of its value.
    pub values: Vec<u16>,
    /// By want: what it is.
    pub reached: Vec<Reached>,
    /// Numbers that are others than now, and steps of all of them.
    pub changes: u64,
    /// Steps from the numbers as they are.
    pub steps: u64,
}

/// A want in a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The quantity, in the cell that is worst where there are several.
    pub value: f64,
    /// Whether the want is met.
    pub holds: bool,
    /// How it stands at its edge.
    pub mark: Option<Mark>,
    /// By how many tolerances it is missed.
    pub miss: f64,
}

/// One step of a number from a design.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekStep {
    /// The number.
    pub number: usize,
    /// Up or down.
    pub up: bool,
    /// The want that is lost, and what it is then; nothing where all still hold.
    pub lost: Option<(usize, f64)>,
}

/// Answers a search.
///
/// # Errors
/// When a scope is too large, nothing that may be changed is read, or the work was stopped.
pub fn answer(question: &mut SeekQuestion, watch: &dyn Watch) -> Result<SeekAnswer, Error> {
    let scopes = scopes::find(question, watch)?;
    let question = &*question;
    if scopes.iter().all(Vec::is_empty) {
        let problem = "so_that reads none of what may be changed: add a number that it reads to [seek.change]";
        return Err(Error::Usage(problem.to_owned()));
    }
    let Solved { known, asked, holes, why } = scopes::solve(question, &scopes, watch)?;
    let asked = asked + scopes::check_alike(question, &known, watch)?;
    let mut found = Found::of(question, &known);
    let goals = question.order.prefer.iter().chain(&question.order.front);
    let more: Vec<usize> = goals.flat_map(|goal| goal.numbers(&question.numbers)).collect();
    let join = Join::new(question, &known, &Selection::all(question), &more);
    let times = join.times();
    let complete = join.each(&mut |design| {
        found.add(design, times);
        !watch.halt().asked()
    });
    if watch.halt().asked() {
        return Err(Error::Interrupted("the designs were not joined to their end".to_owned()));
    }
    let designs = all_designs(question);
    let Found { mut kept, fits, occurring, broken, open, .. } = found;
    kept.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let found: Vec<SeekDesign> =
        kept.into_iter().map(|(_, values)| design(question, &known, values)).collect();
    let missing = (fits == 0).then(|| missing::missing(question, &known));
    let read: Vec<usize> = scopes.iter().flatten().copied().collect();
    let steps = found.first().map(|first| steps_from(question, &known, first, &read));
    Ok(SeekAnswer {
        designs,
        fits,
        complete,
        asked,
        full: scopes::full_cells(question),
        holes,
        why,
        broken,
        now: now(question).map(|values| design(question, &known, values)),
        occurring: places(&occurring),
        unread: unread(question, &read),
        steps: steps.unwrap_or_default(),
        found,
        missing,
        open,
    })
}

/// How many designs there are: of interchangeable numbers one order each.
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
    let goals = question.order.prefer.iter().chain(&question.order.front);
    let of_goals = goals.flat_map(|goal| goal.numbers(&question.numbers));
    let read: Vec<usize> = read.iter().copied().chain(of_conditions).chain(of_goals).collect();
    let several = |at: &usize| question.numbers[*at].values.len() > 1;
    (0..question.numbers.len()).filter(|at| several(at) && !read.contains(at)).collect()
}

/// The numbers as they are, where each of them is among its values.
fn now(question: &SeekQuestion) -> Option<Vec<u16>> {
    question.numbers.iter().map(|number| number.now_at().map(|at| at as u16)).collect()
}

fn places(occurring: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let of_number =
        |seen: &Vec<bool>| (0..seen.len()).filter(|at| seen[*at]).collect::<Vec<usize>>();
    occurring.iter().map(of_number).collect()
}

/// A design with what its wants are.
pub(crate) fn design(question: &SeekQuestion, known: &Known, values: Vec<u16>) -> SeekDesign {
    let reached = question.wanted.wants.iter().map(|want| {
        let parts = want.parts.iter().map(|part| known.verdict(part, &values));
        let parts: Vec<_> = parts.collect();
        let worst = parts
            .iter()
            .max_by(|a, b| a.miss.total_cmp(&b.miss).then_with(|| b.value.total_cmp(&a.value)));
        Reached {
            value: worst.map_or(f64::NAN, |worst| worst.value),
            holds: parts.iter().all(|part| part.holds),
            mark: parts.iter().filter_map(|part| part.mark).max(),
            miss: worst.map_or(0.0, |worst| worst.miss),
        }
    });
    SeekDesign {
        reached: reached.collect(),
        changes: changes(&values, &question.numbers),
        steps: steps(&values, &question.numbers),
        values,
    }
}

/// What one step of each number makes of a design.
fn steps_from(
    question: &SeekQuestion,
    known: &Known,
    first: &SeekDesign,
    read: &[usize],
) -> Vec<SeekStep> {
    let mut found = Vec::new();
    for number in (0..question.numbers.len()).filter(|number| read.contains(number)) {
        for up in [true, false] {
            let at = usize::from(first.values[number]);
            let next = if up { at.checked_add(1) } else { at.checked_sub(1) };
            let Some(next) = next.filter(|at| *at < question.numbers[number].values.len()) else {
                continue;
            };
            let mut values = first.values.clone();
            values[number] = next as u16;
            let holds = question.conditions.iter().all(|one| {
                one.holds(&|name| crate::order::valued(name, &values, &question.numbers))
            });
            if !holds {
                continue;
            }
            let stepped = design(question, known, values);
            let lost = stepped.reached.iter().position(|reached| !reached.holds);
            let lost = lost.map(|want| (want, stepped.reached[want].value));
            found.push(SeekStep { number, up, lost });
        }
    }
    found
}

/// Designs as they are found.
struct Found<'q> {
    question: &'q SeekQuestion,
    known: &'q Known,
    kept: Vec<(Vec<f64>, Vec<u16>)>,
    fits: u64,
    open: u64,
    occurring: Vec<Vec<bool>>,
    broken: BTreeMap<String, u64>,
    /// By contest and values of its numbers: the check that it breaks.
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

    /// Takes a design that meets all that is wanted and stands for so many.
    fn add(&mut self, design: &[u16], times: u64) {
        if let Some(check) = self.breaks(design) {
            *self.broken.entry(check).or_default() += times;
            return;
        }
        self.fits += times;
        for (seen, at) in self.occurring.iter_mut().zip(design) {
            seen[usize::from(*at)] = true;
        }
        let parts = self.question.wanted.wants.iter().flat_map(|want| &want.parts);
        let is_open = parts
            .map(|part| self.known.verdict(part, design).mark)
            .any(|mark| mark == Some(Mark::Open));
        self.open += if is_open { times } else { 0 };
        let order = &self.question.order;
        let numbers = &self.question.numbers;
        if order.front.is_empty() {
            self.kept.push((order.keys(design, numbers, self.known), design.to_vec()));
            if self.kept.len() > 2 * KEPT {
                self.kept.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
                self.kept.truncate(KEPT);
            }
            return;
        }
        let keys: Vec<f64> =
            order.front.iter().map(|goal| goal.key(design, numbers, self.known)).collect();
        let beats = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a <= b);
        if !self.kept.iter().any(|(old, _)| beats(old, &keys)) {
            self.kept.retain(|(old, _)| !beats(&keys, old));
            self.kept.push((keys, design.to_vec()));
        }
    }

    /// The check of a rulebook that a design breaks in a wanted cell.
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
