//! The scope of every wanted cell, and its grid.
//!
//! A contest reads few of the numbers, and its rule says which. The scope of a cell is a set of numbers such that
//! every contest of its grid reads none but those: then designs that agree on them have the same contest, and the
//! grid decides them all.

use std::sync::Arc;

use rayon::prelude::*;

use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::error::Error;
use enfilade_model::form::shown::grouped;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::Cell;
use enfilade_study::journal::Journal;
use enfilade_study::refusal::in_one_line;
use enfilade_study::search::Measured;
use enfilade_study::solve::{Settings, Watch, solve_and_drop};

use crate::bounds::{CellGrid, Known, MeasureGrid, Range};
use crate::question::SeekQuestion;
use crate::want::Take;
use crate::wanted::{Comparison, WantedCell};

/// Cells of one scope, at most.
const MOST: usize = 20_000_000;

/// Cells that are made and solved together.
const BLOCK: usize = 2048;

/// What was solved.
#[derive(Debug, Default)]
pub(crate) struct Solved {
    pub known: Known,
    /// Contests that were solved.
    pub asked: u64,
    /// Places of grids without an answer, and why the first of them has none.
    pub holes: u64,
    pub why: Option<String>,
}

/// The cells of all grids without scopes: every design in every wanted cell, as far as its contest has the numbers.
pub(crate) fn full_cells(question: &SeekQuestion) -> u64 {
    let of_cell = |cell: &WantedCell| {
        let numbers = question.numbers.iter();
        let own = numbers.filter(|number| number.places[cell.contest].is_some());
        own.fold(1_u64, |all, number| all.saturating_mul(number.values.len() as u64))
    };
    question.wanted.cells.iter().map(of_cell).fold(0, u64::saturating_add)
}

/// Finds the scopes of all wanted cells and puts the numbers in the order of the join.
///
/// # Errors
/// When a scope is too large, or the work was stopped.
pub(crate) fn find(
    question: &mut SeekQuestion,
    watch: &dyn Watch,
) -> Result<Vec<Vec<usize>>, Error> {
    let cells = 0..question.wanted.cells.len();
    let scopes = cells.map(|cell| scope(question, cell, watch));
    let mut scopes: Vec<Vec<usize>> = scopes.collect::<Result<_, Error>>()?;
    let numbers = 0..question.numbers.len();
    let counts: Vec<usize> =
        numbers.clone().map(|n| scopes.iter().filter(|scope| scope.contains(&n)).count()).collect();
    let mut order: Vec<usize> = numbers.collect();
    order.sort_by_key(|number| usize::MAX - counts[*number]);
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, number)| ranks[*number] = rank);
    scopes.iter_mut().for_each(|scope| scope.sort_by_key(|number| ranks[*number]));
    question.wanted.ranks = ranks;
    Ok(scopes)
}

/// The numbers that the contests of a cell read.
fn scope(question: &SeekQuestion, cell: usize, watch: &dyn Watch) -> Result<Vec<usize>, Error> {
    let WantedCell { contest, circumstance, .. } = question.wanted.cells[cell];
    let side = &question.contests[contest];
    let has = |(at, number): (usize, &crate::numbers::ChangedNumber)| {
        let place = number.places[contest].as_ref()?;
        (number.values.len() > 1).then(|| (at, place.keys.clone()))
    };
    let (own, keys): (Vec<usize>, Vec<Vec<String>>) =
        question.numbers.iter().enumerate().filter_map(has).unzip();
    let Some(probe) = &side.action.probe else {
        small_enough(question, contest, &own)?;
        return Ok(own);
    };
    let reads = probe.reads(&keys);
    let mut scope: Vec<usize> = Vec::new();
    loop {
        small_enough(question, contest, &scope)?;
        let grid = plain_grid(question, &scope);
        let found = (0..grid.len()).into_par_iter().filter(|at| is_asked(question, &grid, *at));
        let found = found.map(|at| {
            let values = grid.values_at(at);
            let value = |number: usize| match scope.iter().position(|known| *known == number) {
                Some(at) => values[at],
                None => question.numbers[number].base(),
            };
            let form = side.form(circumstance, &question.numbers, contest, &value).ok();
            form.and_then(|form| reads(&form)).unwrap_or_default()
        });
        let union = |mut all: Vec<bool>, one: Vec<bool>| {
            all.resize(all.len().max(one.len()), false);
            one.iter().enumerate().filter(|(_, on)| **on).for_each(|(at, _)| all[at] = true);
            all
        };
        let found = found.reduce(Vec::new, union);
        if watch.halt().asked() {
            return Err(Error::Interrupted("the scopes were not found".to_owned()));
        }
        let read = own.iter().zip(&found).filter(|(_, on)| **on).map(|(number, _)| *number);
        let more: Vec<usize> = read.filter(|number| !scope.contains(number)).collect();
        if more.is_empty() {
            return Ok(scope);
        }
        scope.extend(more);
        scope.sort_unstable();
    }
}

/// The grid of a scope, without values.
fn plain_grid(question: &SeekQuestion, scope: &[usize]) -> CellGrid {
    let sizes = scope.iter().map(|number| question.numbers[*number].values.len()).collect();
    CellGrid { scope: scope.to_vec(), sizes, measures: Vec::new() }
}

/// Whether a place of a grid is asked: of interchangeable numbers one order is.
fn is_asked(question: &SeekQuestion, grid: &CellGrid, at: usize) -> bool {
    let values = grid.values_at(at);
    let value = |number: usize| {
        grid.scope.iter().position(|known| *known == number).map(|place| values[place])
    };
    let mut pairs = question.alike.iter().flat_map(|group| group.windows(2));
    pairs.all(|pair| match (value(pair[0]), value(pair[1])) {
        (Some(a), Some(b)) => a <= b,
        _ => true,
    })
}

fn small_enough(question: &SeekQuestion, contest: usize, scope: &[usize]) -> Result<(), Error> {
    let sizes = scope.iter().map(|number| question.numbers[*number].values.len());
    let cells = sizes.clone().try_fold(1_usize, usize::checked_mul);
    if cells.is_some_and(|cells| cells <= MOST) {
        return Ok(());
    }
    let named = scope.iter().map(|number| {
        let number = &question.numbers[*number];
        format!("{} ({})", number.name, number.values.len())
    });
    let problem = format!(
        "\"{}\" reads {} numbers, more than {} cells: fix one of {}",
        question.contests[contest].name,
        scope.len(),
        grouped(MOST as u64),
        named.collect::<Vec<_>>().join(", ")
    );
    Err(Error::Usage(problem))
}

/// Solves the grids of all scopes.
///
/// # Errors
/// When the work was stopped.
pub(crate) fn solve(
    question: &SeekQuestion,
    scopes: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Solved, Error> {
    let mut solved = Solved::default();
    for (cell, scope) in scopes.iter().enumerate() {
        let mut grid = plain_grid(question, scope);
        let wanted = &question.wanted.cells[cell];
        let all: Vec<usize> = (0..grid.len()).filter(|at| is_asked(question, &grid, *at)).collect();
        let mut values = vec![vec![None; grid.len()]; wanted.measures.len()];
        for block in all.chunks(BLOCK) {
            let (answers, asked) = answers(question, cell, &grid, block, watch, &mut solved.why)?;
            solved.asked += asked;
            for (at, answer) in answers {
                let mut is_hole = true;
                for (measure, values) in wanted.measures.iter().zip(&mut values) {
                    values[at] = value(question, cell, measure, &answer);
                    is_hole &= values[at].is_none();
                }
                solved.holes += u64::from(is_hole);
                if is_hole && solved.why.is_none() {
                    solved.why = answer.notes.first().cloned();
                }
            }
        }
        grid.measures = values.iter().map(|of| MeasureGrid::new(of, &grid.sizes)).collect();
        solved.known.cells.push(grid);
    }
    Ok(solved)
}

/// The answers to places of a grid, and how many contests were solved.
fn answers(
    question: &SeekQuestion,
    cell: usize,
    grid: &CellGrid,
    places: &[usize],
    watch: &dyn Watch,
    why: &mut Option<String>,
) -> Result<(Vec<(usize, Answer)>, u64), Error> {
    let made = places.par_iter().map(|at| (*at, made(question, cell, grid, *at)));
    let made: Vec<_> = made.collect();
    let mut cells = Vec::new();
    for (at, made) in made {
        match made {
            Ok(cell) => cells.push(cell),
            Err(wrong) => {
                why.get_or_insert(wrong);
                debug_assert!(at < grid.len());
            }
        }
    }
    let asked = cells.len();
    // Each knows its place in the grid.
    match solve_and_drop(cells, &Settings::exact(), watch, &Journal::none()) {
        Ok(solved) if solved.interrupted => {
            Err(Error::Interrupted("the grids were not solved to their end".to_owned()))
        }
        Ok(solved) => {
            let answers = solved.answers.into_iter().map(|answer| (answer.cell, answer));
            Ok((answers.collect(), asked as u64))
        }
        Err(error) if error.is_of_a_contest() => {
            why.get_or_insert(in_one_line(&error));
            Ok((Vec::new(), asked as u64))
        }
        Err(error) => Err(error),
    }
}

/// The contest at a place of a grid; why there is none.
fn made(question: &SeekQuestion, cell: usize, grid: &CellGrid, at: usize) -> Result<Cell, String> {
    let WantedCell { contest, circumstance, .. } = question.wanted.cells[cell];
    let side = &question.contests[contest];
    let values = grid.values_at(at);
    let value = |number: usize| match grid.scope.iter().position(|known| *known == number) {
        Some(at) => values[at],
        None => question.numbers[number].base(),
    };
    let problem = |faults: Vec<enfilade_model::form::Fault>| {
        faults.into_iter().map(|fault| fault.problem).next().unwrap_or_default()
    };
    let form = side.form(circumstance, &question.numbers, contest, &value).map_err(problem)?;
    let form = form.among(&question.moved[contest]);
    let played = side.contest(&form).map_err(problem)?;
    Ok(Cell {
        index: at,
        contest,
        name: side.name.clone(),
        system: Arc::clone(&side.system),
        action: Arc::clone(&side.action),
        form,
        axes: Vec::new(),
        played,
    })
}

/// The value of a measure with its error. Where a want stands at its edge for that value alone, fractions decide.
fn value(
    question: &SeekQuestion,
    cell: usize,
    measure: &str,
    answer: &Answer,
) -> Option<(f64, f64)> {
    let found = answer.approximate(measure).filter(|found| !found.value.is_nan())?;
    let wants = question.wanted.wants.iter().flat_map(|want| &want.parts);
    let own = wants.filter(|part| is_alone(question, part, cell, measure));
    let at_edge = |part: &Comparison| {
        let tolerance =
            if part.relative { part.tolerance * part.right.plus } else { part.tolerance };
        let edges = [part.right.plus - tolerance, part.right.plus + tolerance];
        edges.iter().any(|edge| found.compare(Approximation::rounded(*edge)).is_eq())
    };
    let sharp = || answer.sharpen(measure).unwrap_or(found);
    let found = match found.error > 0.0 && own.into_iter().any(at_edge) {
        true => sharp(),
        false => found,
    };
    Some((found.value, found.error))
}

/// Whether a comparison is of this measure of one cell with a number.
fn is_alone(question: &SeekQuestion, part: &Comparison, cell: usize, measure: &str) -> bool {
    let is = |(at, place, _): &(usize, usize, f64)| {
        *at == cell && question.wanted.cells[*at].measures[*place] == measure
    };
    let one = matches!(part.left.take, Take::Every) || part.left.cells.len() == 1;
    part.right.term.is_none()
        && part.left.cells.iter().any(is)
        && (one || part.left.take != Take::Mean)
}

/// Compares the odds of designs in which interchangeable numbers have changed places.
///
/// # Errors
/// When they differ.
pub(crate) fn check_alike(
    question: &SeekQuestion,
    known: &Known,
    watch: &dyn Watch,
) -> Result<u64, Error> {
    const PAIRS: usize = 16;
    let mut asked = 0;
    for (cell, grid) in known.cells.iter().enumerate() {
        let inside = |group: &&Vec<usize>| group.iter().all(|number| grid.scope.contains(number));
        for group in question.alike.iter().filter(inside) {
            let places: Vec<usize> = group
                .iter()
                .filter_map(|number| grid.scope.iter().position(|known| known == number))
                .collect();
            let all: Vec<usize> =
                (0..grid.len()).filter(|at| is_asked(question, grid, *at)).collect();
            let step = all.len().div_ceil(PAIRS).max(1);
            let turned = |at: usize| {
                let (old, mut new) = (grid.values_at(at), grid.values_at(at));
                for (to, from) in places.iter().zip(places.iter().cycle().skip(1)) {
                    new[*to] = old[*from];
                }
                new.iter().zip(&grid.sizes).fold(0, |place, (value, size)| place * size + value)
            };
            let pairs: Vec<(usize, usize)> =
                all.iter().step_by(step).map(|at| (*at, turned(*at))).collect();
            let places: Vec<usize> = pairs.iter().map(|(_, turned)| *turned).collect();
            let (answers, more) = answers(question, cell, grid, &places, watch, &mut None)?;
            asked += more;
            for (at, measure) in question.wanted.cells[cell].measures.iter().enumerate() {
                for (place, turned) in &pairs {
                    let answer = answers.iter().find(|(own, _)| own == turned);
                    let Some(other) = answer.and_then(|(_, one)| one.approximate(measure)) else {
                        continue;
                    };
                    let own: Range = grid.measures[at].whole(*place);
                    if (own.lo - other.value).abs() > own.error + other.error {
                        let names: Vec<_> =
                            group.iter().map(|n| question.numbers[*n].name.as_str()).collect();
                        let problem = format!(
                            "{} are not alike: {measure} of \"{}\" is another one when they change places",
                            names.join(", "),
                            question.contests[question.wanted.cells[cell].contest].name
                        );
                        return Err(Error::Usage(problem));
                    }
                }
            }
        }
    }
    Ok(asked)
}
