//! Wants as comparisons of cells: which contest in which circumstance, and which measure of it.

use std::cmp::Ordering;

use toml::{Table, Value as Toml};

use enfilade_model::form::names;
use enfilade_model::form::shown::shown;

use crate::numbers::{ChangedNumber, Circumstance, SeekContest};
use crate::text::{number, plain};
use crate::want::{Misread, Quantity, Sign, Take, Target, Test, Want};

/// All that is wanted, and the cells that it reads.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub wants: Vec<ResolvedWant>,
    /// The cells, each once.
    pub cells: Vec<WantedCell>,
    /// By number: its place in the order in which numbers are joined.
    pub ranks: Vec<usize>,
}

/// A contest in one of its circumstances, with the measures of it that are read.
#[derive(Debug, PartialEq)]
pub(crate) struct WantedCell {
    pub contest: usize,
    pub circumstance: usize,
    pub measures: Vec<String>,
}

/// A want whose names are known.
#[derive(Debug)]
pub(crate) struct ResolvedWant {
    pub text: String,
    /// The quantity alone, as people read it.
    pub quantity: String,
    pub is_share: bool,
    /// The comparisons that it is made of: all of them have to hold.
    pub parts: Vec<Comparison>,
}

/// One comparison.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub left: Term,
    pub sign: Sign,
    pub right: Right,
    /// The tolerance, and whether it is a part of the right side.
    pub tolerance: f64,
    pub relative: bool,
    pub is_share: bool,
}

/// The right side of a comparison: a number, or a term times a number and more by one.
#[derive(Clone, Debug)]
pub(crate) struct Right {
    pub term: Option<Term>,
    pub factor: f64,
    pub plus: f64,
}

/// A measure of one cell, or what is made of several.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub take: Take,
    /// By cell: its place among all, that of the measure in it, and its weight.
    pub cells: Vec<(usize, usize, f64)>,
}

/// A quantity whose names are known.
pub(crate) struct ResolvedQuantity {
    pub contest: usize,
    pub circumstances: Vec<usize>,
    pub is_share: bool,
}

impl Wanted {
    /// The place of a cell and of a measure in it.
    fn cell(&mut self, contest: usize, circumstance: usize, measure: &str) -> (usize, usize) {
        let is = |cell: &WantedCell| (cell.contest, cell.circumstance) == (contest, circumstance);
        let at = self.cells.iter().position(is).unwrap_or_else(|| {
            self.cells.push(WantedCell { contest, circumstance, measures: Vec::new() });
            self.cells.len() - 1
        });
        let measures = &mut self.cells[at].measures;
        let place = measures.iter().position(|known| known == measure).unwrap_or_else(|| {
            measures.push(measure.to_owned());
            measures.len() - 1
        });
        (at, place)
    }

    /// A term of a quantity in these circumstances.
    pub fn term(
        &mut self,
        quantity: &Quantity,
        contest: usize,
        circumstances: &[usize],
        weigh: &dyn Fn(usize) -> f64,
    ) -> Term {
        let cells = circumstances.iter().map(|&circumstance| {
            let (cell, measure) = self.cell(contest, circumstance, &quantity.measure);
            (cell, measure, weigh(circumstance))
        });
        let mut cells: Vec<_> = cells.collect();
        let all: f64 = cells.iter().map(|(.., weight)| weight).sum();
        cells.iter_mut().for_each(|(.., weight)| *weight /= all);
        Term { take: quantity.take.unwrap_or(Take::Every), cells }
    }
}

/// Finds out which contest a quantity is of, and in which circumstances.
pub(crate) fn resolve(
    quantity: &Quantity,
    contests: &[SeekContest],
    numbers: &[ChangedNumber],
) -> Result<ResolvedQuantity, Misread> {
    let known = || contests.iter().map(|contest| contest.name.as_str());
    let contest = match &quantity.of {
        Some(of) => known().position(|name| name == of).or_else(|| {
            let found = names::find(of, known())?;
            known().position(|name| name == found)
        }),
        None => (contests.len() == 1).then_some(0),
    };
    let Some(contest) = contest else {
        let all = known().collect::<Vec<_>>().join(", ");
        return Err(match &quantity.of {
            Some(of) => Misread::new(
                format!("there is no contest \"{}\"", shown(of)),
                format!("there is {all}"),
            ),
            None => Misread::new(
                format!("of which contest is `{}`?", quantity.measure),
                format!("write `{} of {}`: there is {all}", quantity.measure, contests[0].name),
            ),
        });
    };
    let side = &contests[contest];
    let is_share = is_share(&quantity.measure, contest, contests, numbers)?;
    let mut circumstances: Vec<usize> = (0..side.circumstances.len()).collect();
    for test in &quantity.tests {
        let mut kept = Vec::new();
        for at in circumstances {
            if passes(test, &side.circumstances[at], side)? {
                kept.push(at);
            }
        }
        circumstances = kept;
    }
    if circumstances.is_empty() {
        let problem = format!("no circumstance of \"{}\" passes the tests in brackets", side.name);
        return Err(Misread::new(problem, "compare an axis with one of its values"));
    }
    Ok(ResolvedQuantity { contest, circumstances, is_share })
}

/// Whether a measure is a share; that there is none.
fn is_share(
    measure: &str,
    side: usize,
    contests: &[SeekContest],
    numbers: &[ChangedNumber],
) -> Result<bool, Misread> {
    let contest = &contests[side];
    let tried = (0..contest.circumstances.len()).find_map(|circumstance| {
        let form = contest.form(circumstance, numbers, side, &|at| numbers[at].base()).ok()?;
        contest.contest(&form).ok()
    });
    let Some(played) = tried else {
        let problem = format!("\"{}\" is no contest with the numbers as they are", contest.name);
        return Err(Misread::new(problem, "say what they are now with `now = …`"));
    };
    let heads = played.combat.measures();
    if let Some(head) = heads.iter().find(|head| head.name == *measure) {
        return Ok(head.kind.is_share());
    }
    let known = || heads.iter().map(|head| &*head.name);
    let problem = format!("no contest here has `{}`", shown(measure));
    let help = match names::nearest(measure, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("\"{}\" has {}", contest.name, known().collect::<Vec<_>>().join(", ")),
    };
    Err(Misread::new(problem, help))
}

/// Whether a circumstance passes a test.
fn passes(
    test: &Test,
    circumstance: &Circumstance,
    contest: &SeekContest,
) -> Result<bool, Misread> {
    let axis = |name: &str| {
        let mut axes = circumstance.at.iter();
        axes.find(|(axis, _)| names::key(axis) == names::key(name)).map(|(_, value)| value)
    };
    let Some(value) = axis(&test.field) else {
        let known: Vec<_> = circumstance.at.iter().map(|(axis, _)| axis.as_str()).collect();
        let problem = format!("`{}` is no axis of \"{}\"", shown(&test.field), contest.name);
        let help = match known.as_slice() {
            [] => "it has none: give a field a list of values".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        return Err(Misread::new(problem, help));
    };
    let other = axis(&test.value).cloned();
    let other = other.or_else(|| test.value.parse::<i64>().ok().map(Toml::Integer));
    let other = other.or_else(|| test.value.parse::<f64>().ok().map(Toml::Float));
    let other = other.unwrap_or_else(|| Toml::String(test.value.clone()));
    Ok(match (number(value), number(&other)) {
        (Some(a), Some(b)) => test.holds(a.total_cmp(&b)),
        _ => {
            let same = names::key(&plain(value)) == names::key(&plain(&other));
            test.holds(if same { Ordering::Equal } else { Ordering::Less })
        }
    })
}

/// The weight of a circumstance, as `[seek.weights]` has it.
pub(crate) fn weight(at: &Circumstance, contest: &SeekContest, weights: &Table) -> f64 {
    let of_axis = |(axis, value): &(String, Toml)| {
        let list = weights.get(axis)?.as_array()?;
        let mut values: Vec<&Toml> = Vec::new();
        for circumstance in &contest.circumstances {
            let (_, value) = circumstance.at.iter().find(|(name, _)| name == axis)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        number(list.get(values.iter().position(|known| *known == value)?)?)
    };
    at.at.iter().filter_map(of_axis).product()
}

/// A quantity as people read it: without what it is compared with.
pub(crate) fn written(text: &str) -> String {
    let end = text.find(" = ").or_else(|| text.find(['<', '>'])).unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// Reads a want and notes the cells that it reads.
pub(crate) fn read(
    text: &str,
    contests: &[SeekContest],
    numbers: &[ChangedNumber],
    weights: &Table,
    found: &mut Wanted,
) -> Result<ResolvedWant, Misread> {
    let want = Want::parse(text)?;
    let left = resolve(&want.left, contests, numbers)?;
    units(&want, left.is_share)?;
    let weigh = |contest: usize| {
        move |at: usize| weight(&contests[contest].circumstances[at], &contests[contest], weights)
    };
    let (factor, plus, right) = match &want.target {
        Target::Number(amount) => (0.0, amount.value, None),
        Target::Of { factor, quantity, plus } => {
            (*factor, plus.value, Some((quantity, resolve(quantity, contests, numbers)?)))
        }
    };
    let aggregated = |quantity: &Quantity| !matches!(quantity.take, None | Some(Take::Every));
    let lefts: Vec<Vec<usize>> = match aggregated(&want.left) {
        true => vec![left.circumstances.clone()],
        false => left.circumstances.iter().map(|at| vec![*at]).collect(),
    };
    let mut parts = Vec::new();
    for own in &lefts {
        let term = match &right {
            None => None,
            Some((quantity, known)) => {
                let paired = match aggregated(quantity) || known.circumstances.len() == 1 {
                    true => known.circumstances.clone(),
                    false => paired(&want, (left.contest, own), known, contests)?,
                };
                Some(found.term(quantity, known.contest, &paired, &weigh(known.contest)))
            }
        };
        parts.push(Comparison {
            left: found.term(&want.left, left.contest, own, &weigh(left.contest)),
            sign: want.sign,
            right: Right { term, factor, plus },
            tolerance: want.tolerance.map_or(0.0, |tolerance| tolerance.amount.value),
            relative: want.tolerance.is_some_and(|tolerance| tolerance.of_it),
            is_share: left.is_share,
        });
    }
    let is_share = left.is_share;
    Ok(ResolvedWant { text: want.text, quantity: written(text), is_share, parts })
}

/// The cell of the right side that belongs to one of the left: where all axes agree that both have.
fn paired(
    want: &Want,
    (side, own): (usize, &[usize]),
    right: &ResolvedQuantity,
    contests: &[SeekContest],
) -> Result<Vec<usize>, Misread> {
    let other = &contests[right.contest];
    let agrees = |one: &Circumstance, two: &Circumstance| {
        one.at
            .iter()
            .all(|(axis, value)| two.at.iter().all(|(name, other)| name != axis || other == value))
    };
    let found: Vec<usize> = right
        .circumstances
        .iter()
        .copied()
        .filter(|at| {
            own.iter()
                .all(|own| agrees(&contests[side].circumstances[*own], &other.circumstances[*at]))
        })
        .collect();
    if found.len() == 1 && own.len() == 1 {
        return Ok(found);
    }
    let axes = |contest: &SeekContest| {
        let at = contest.circumstances[0].at.iter();
        at.map(|(axis, _)| axis.as_str()).collect::<Vec<_>>().join(", ")
    };
    let problem = format!(
        "the left of \"{}\" has cells along {}, the right {} along {}",
        want.text,
        axes(&contests[side]),
        right.circumstances.len(),
        axes(other)
    );
    Err(Misread::new(problem, "name one in brackets, or say mean, least or most"))
}

/// Notes numbers in percent that are none, and tolerances without a unit.
fn units(want: &Want, is_share: bool) -> Result<(), Misread> {
    let measure = &want.left.measure;
    if is_share {
        return Ok(());
    }
    if let Some(tolerance) = want.tolerance.filter(|own| own.amount.percent && !own.of_it) {
        let percent = tolerance.amount.value * 100.0;
        let problem = format!("`{measure}` is no chance, so ± {percent} % is no distance");
        return Err(Misread::new(problem, format!("write \"± 0.2\" or \"± {percent} % of it\"")));
    }
    if let Target::Number(amount) = &want.target
        && amount.percent
    {
        let problem = format!("`{measure}` is no chance, and {} % is one", amount.value * 100.0);
        return Err(Misread::new(problem, "write the number itself, as in `e_lost = 3 ± 0.2`"));
    }
    Ok(())
}
