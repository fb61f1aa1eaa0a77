//! Wants as comparisons of cells: the contest, its circumstance, and the measure.

use std::cmp::Ordering;

use toml::Value as Toml;

use enfilade_model::catalogue::Contest;
use enfilade_model::form::name_matching as names;
use enfilade_model::form::sanitize::shown;

use crate::numbers::{Circumstance, Given, SeekContest};
use crate::text::{number, plain};
use crate::want::{Misread, Quantity, Sign, Take, Target, Test, Want};

/// The cells that wants read.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub wants: Vec<ResolvedWant>,
    /// The cells, each once.
    pub cells: Vec<WantedCell>,
    /// By number: its index in the order of the join.
    pub ranks: Vec<usize>,
}

/// A contest in one of its circumstances, with the measures that wants read.
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
    /// The text of the quantity alone.
    pub quantity: String,
    pub is_share: bool,
    /// Its comparisons: all of them have to hold.
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

/// The right side of a comparison: a number, or a term times a factor plus a number.
#[derive(Clone, Debug)]
pub(crate) struct Right {
    pub term: Option<Term>,
    pub factor: f64,
    pub plus: f64,
}

/// A measure of one cell, or a reduction of several.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub take: Take,
    /// By cell: its index, that of the measure in it, and its weight.
    pub cells: Vec<(usize, usize, f64)>,
}

/// A quantity whose names are known.
pub(crate) struct ResolvedQuantity {
    pub contest: usize,
    pub circumstances: Vec<usize>,
    pub is_share: bool,
}

impl Comparison {
    /// The indices of the cells that the comparison reads.
    pub fn cells(&self) -> impl Iterator<Item = usize> {
        let right = self.right.term.iter().flat_map(|term| &term.cells);
        self.left.cells.iter().chain(right).map(|(cell, ..)| *cell)
    }
}

impl Wanted {
    /// Finds or adds a cell and a measure in it, and returns their indices.
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

    /// Builds a term of a quantity in these circumstances.
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

/// Resolves the contest and the circumstances of a quantity.
pub(crate) fn resolve(quantity: &Quantity, given: &Given) -> Result<ResolvedQuantity, Misread> {
    let contest = contest_of(quantity, given.contests)?;
    let side = &given.contests[contest];
    let is_share = is_share(&quantity.measure, contest, given)?;
    let mut circumstances: Vec<usize> = (0..side.circumstances.len()).collect();
    for test in &quantity.tests {
        let passing = circumstances
            .into_iter()
            .map(|at| Ok(passes(test, &side.circumstances[at], side)?.then_some(at)));
        circumstances =
            passing.collect::<Result<Vec<_>, Misread>>()?.into_iter().flatten().collect();
    }
    if circumstances.is_empty() {
        let problem = format!("no circumstance of \"{}\" passes the tests in brackets", side.name);
        return Err(Misread::new(problem, "compare an axis with one of its values"));
    }
    Ok(ResolvedQuantity { contest, circumstances, is_share })
}

/// Resolves the contest that a quantity names, or the only one.
fn contest_of(quantity: &Quantity, contests: &[SeekContest]) -> Result<usize, Misread> {
    let names: Vec<&str> = contests.iter().map(|contest| contest.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|known| *known == name);
    let (measure, all) = (&quantity.measure, names.join(", "));
    let Some(of) = &quantity.of else {
        let help = || format!("write `{measure} of {}`: there is {all}", names[0]);
        let problem = || format!("of which contest is `{measure}`?");
        return match contests.len() {
            1 => Ok(0),
            _ => Err(Misread::new(problem(), help())),
        };
    };
    let found = place(of).or_else(|| place(names::find(of, names.iter().copied())?));
    let problem = || format!("there is no contest \"{}\"", shown(of));
    found.ok_or_else(|| Misread::new(problem(), format!("there is {all}")))
}

/// Whether a measure is a share; an error if the contest does not have it.
fn is_share(measure: &str, side: usize, given: &Given) -> Result<bool, Misread> {
    let contest = &given.contests[side];
    let Some(played) = some_contest(side, given) else {
        let problem = format!("\"{}\" is no contest with the numbers as they are", contest.name);
        return Err(Misread::new(problem, "set their current values with `now = …`"));
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

/// Builds a contest with the current numbers, in the first circumstance if there is one.
fn some_contest(side: usize, given: &Given) -> Option<Contest> {
    let contest = &given.contests[side];
    (0..contest.circumstances.len()).find_map(|circumstance| {
        let base = |at: usize| given.numbers[at].base();
        let form = contest.form(circumstance, given.numbers, side, &base).ok()?;
        contest.contest(&form).ok()
    })
}

/// Whether a circumstance passes a test.
fn passes(
    test: &Test,
    circumstance: &Circumstance,
    contest: &SeekContest,
) -> Result<bool, Misread> {
    let Some(value) = axis_of(circumstance, &test.field) else {
        let known: Vec<_> = circumstance.at.iter().map(|(axis, _)| axis.as_str()).collect();
        let problem = format!("`{}` is no axis of \"{}\"", shown(&test.field), contest.name);
        let help = match known.as_slice() {
            [] => "it has none: give a field a list of values".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        return Err(Misread::new(problem, help));
    };
    let other = axis_of(circumstance, &test.value).cloned();
    let other = other.unwrap_or_else(|| literal(&test.value));
    let ordering = match (number(value), number(&other)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ if names::key(&plain(value)) == names::key(&plain(&other)) => Ordering::Equal,
        _ => Ordering::Less,
    };
    Ok(test.holds(ordering))
}

/// The value of an axis in a circumstance.
fn axis_of<'c>(circumstance: &'c Circumstance, name: &str) -> Option<&'c Toml> {
    let mut axes = circumstance.at.iter();
    axes.find(|(axis, _)| names::key(axis) == names::key(name)).map(|(_, value)| value)
}

/// Parses a value as a test writes it.
fn literal(text: &str) -> Toml {
    let whole = text.parse::<i64>().ok().map(Toml::Integer);
    let whole = whole.or_else(|| text.parse::<f64>().ok().map(Toml::Float));
    whole.unwrap_or_else(|| Toml::String(text.to_owned()))
}

/// The weight of a circumstance, as `[seek.weights]` has it.
pub(crate) fn weight(given: &Given, contest: usize, circumstance: usize) -> f64 {
    let contest = &given.contests[contest];
    let of_axis = |(axis, value): &(String, Toml)| {
        let list = given.weights.get(axis)?.as_array()?;
        let mut values: Vec<&Toml> = Vec::new();
        for other in &contest.circumstances {
            let value = axis_of(other, axis)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        number(list.get(values.iter().position(|known| *known == value)?)?)
    };
    contest.circumstances[circumstance].at.iter().filter_map(of_axis).product()
}

/// The text of a quantity: a want without its target.
pub(crate) fn written(text: &str) -> String {
    let end = text.find(" = ").or_else(|| text.find(['<', '>'])).unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// Reads a want and notes the cells that it reads.
pub(crate) fn read(text: &str, given: &Given, found: &mut Wanted) -> Result<ResolvedWant, Misread> {
    let want = Want::parse(text)?;
    let left = resolve(&want.left, given)?;
    units(&want, left.is_share)?;
    let right = match &want.target {
        Target::Number(_) => None,
        Target::Of { quantity, .. } => Some((quantity, resolve(quantity, given)?)),
    };
    let lefts: Vec<Vec<usize>> = match takes_all(&want.left) {
        true => vec![left.circumstances.clone()],
        false => left.circumstances.iter().map(|at| vec![*at]).collect(),
    };
    let mut parts = Vec::new();
    for own in &lefts {
        let term = match &right {
            None => None,
            Some((quantity, known)) => {
                let cells = cells_for(&want, (&left, own), (quantity, known), given)?;
                Some(term(quantity, known.contest, &cells, given, found))
            }
        };
        let left_term = self::term(&want.left, left.contest, own, given, found);
        parts.push(comparison(&want, left_term, term, left.is_share));
    }
    let is_share = left.is_share;
    Ok(ResolvedWant { text: want.text, quantity: written(text), is_share, parts })
}

/// Whether a quantity reduces several cells to one number.
fn takes_all(quantity: &Quantity) -> bool {
    !matches!(quantity.take, None | Some(Take::Every))
}

fn term(
    quantity: &Quantity,
    contest: usize,
    circumstances: &[usize],
    given: &Given,
    found: &mut Wanted,
) -> Term {
    found.term(quantity, contest, circumstances, &|at| weight(given, contest, at))
}

/// Builds one comparison of a want.
fn comparison(want: &Want, left: Term, term: Option<Term>, is_share: bool) -> Comparison {
    let (factor, plus) = match &want.target {
        Target::Number(amount) => (0.0, amount.value),
        Target::Of { factor, plus, .. } => (*factor, plus.value),
    };
    Comparison {
        left,
        sign: want.sign,
        right: Right { term, factor, plus },
        tolerance: want.tolerance.map_or(0.0, |tolerance| tolerance.amount.value),
        relative: want.tolerance.is_some_and(|tolerance| tolerance.of_it),
        is_share,
    }
}

/// Finds the cells of the right side that belong to some of the left: all for a reduction, or the
/// one in which all shared axes agree.
fn cells_for(
    want: &Want,
    (left, own): (&ResolvedQuantity, &[usize]),
    (quantity, right): (&Quantity, &ResolvedQuantity),
    given: &Given,
) -> Result<Vec<usize>, Misread> {
    if takes_all(quantity) || right.circumstances.len() == 1 {
        return Ok(right.circumstances.clone());
    }
    let sides = [left, right].map(|side| &given.contests[side.contest]);
    let agrees = |at: &usize| {
        let other = &sides[1].circumstances[*at];
        own.iter().all(|own| agree(&sides[0].circumstances[*own], other))
    };
    let found: Vec<usize> = right.circumstances.iter().copied().filter(agrees).collect();
    if found.len() == 1 && own.len() == 1 {
        return Ok(found);
    }
    let told = |quantity: &Quantity, known: &ResolvedQuantity, side: &SeekContest| {
        let axes = side.circumstances[0].at.iter().map(|(axis, _)| axis.as_str());
        let axes = axes.collect::<Vec<_>>().join(", ");
        format!(
            "\"{} of {}\" has {} cells ({axes})",
            quantity.measure,
            side.name,
            known.circumstances.len()
        )
    };
    let (one, two) = (told(&want.left, left, sides[0]), told(quantity, right, sides[1]));
    let problem = format!("{one}, {}", two.replace(" cells", ""));
    Err(Misread::new(problem, "name one in brackets, or add mean, least or most"))
}

/// Whether two circumstances have the same value on every axis that both have.
fn agree(one: &Circumstance, two: &Circumstance) -> bool {
    one.at
        .iter()
        .all(|(axis, value)| two.at.iter().all(|(name, other)| name != axis || other == value))
}

/// Checks that numbers in percent belong to shares, and that tolerances have a unit.
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
