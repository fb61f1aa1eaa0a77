//! Wants as comparisons of cells: the contest, its circumstance, and the measure.

use std::cmp::Ordering;

use toml::Value as Toml;

use enfilade_model::catalogue::Contest;
use enfilade_model::form::name_matching as names;
use enfilade_model::form::sanitize::sanitize_for_message;

use crate::seek_numbers::{Circumstance, SeekContest, SeekContext};
use crate::value_text::{as_number, plain_text};
use crate::want::{
    CellReduction, CircumstanceTest, MisreadText, QuantityOfWant, WantSign, WantTarget, WantedOdds,
};

/// The cells that wants read.
#[derive(Debug, Default)]
pub(crate) struct WantedCells {
    pub wants: Vec<WantWithCells>,
    /// The cells, each once.
    pub cells: Vec<CellToRead>,
    /// By number: its index in the order of the join.
    pub ranks: Vec<usize>,
}

/// A contest in one of its circumstances, with the measures that wants read.
#[derive(Debug, PartialEq)]
pub(crate) struct CellToRead {
    pub contest: usize,
    pub circumstance: usize,
    pub measures: Vec<String>,
}

/// A want whose names are known.
#[derive(Debug)]
pub(crate) struct WantWithCells {
    pub text: String,
    /// The text of the quantity alone.
    pub quantity: String,
    pub is_share: bool,
    /// Its comparisons: all of them have to hold.
    pub parts: Vec<WantComparison>,
}

/// One comparison.
#[derive(Clone, Debug)]
pub(crate) struct WantComparison {
    pub left_side: MeasureTerm,
    pub sign: WantSign,
    pub right: RightSide,
    /// The tolerance, and whether it is a part of the right side.
    pub tolerance: f64,
    pub relative: bool,
    pub is_share: bool,
}

/// The right side of a comparison: a number, or a term times a factor plus a number.
#[derive(Clone, Debug)]
pub(crate) struct RightSide {
    pub term: Option<MeasureTerm>,
    pub factor: f64,
    pub plus: f64,
}

/// A measure of one cell, or a reduction of several.
#[derive(Clone, Debug)]
pub(crate) struct MeasureTerm {
    pub take: CellReduction,
    /// By cell: its index, that of the measure in it, and its weight.
    pub cells: Vec<(usize, usize, f64)>,
}

/// A quantity whose names are known.
pub(crate) struct ResolvedQuantity {
    pub contest: usize,
    pub circumstances: Vec<usize>,
    pub is_share: bool,
}

impl WantComparison {
    /// The indices of the cells that the comparison reads.
    pub fn cell_places(&self) -> impl Iterator<Item = usize> {
        let right = self.right.term.iter().flat_map(|term| &term.cells);
        self.left_side.cells.iter().chain(right).map(|(cell, ..)| *cell)
    }
}

impl WantedCells {
    /// Finds or adds a cell and a measure in it, and returns their indices.
    fn find_or_add_cell(
        &mut self,
        contest: usize,
        circumstance: usize,
        measure: &str,
    ) -> (usize, usize) {
        let is = |cell: &CellToRead| (cell.contest, cell.circumstance) == (contest, circumstance);
        let at = self.cells.iter().position(is).unwrap_or_else(|| {
            self.cells.push(CellToRead { contest, circumstance, measures: Vec::new() });
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
    pub fn build_term(
        &mut self,
        quantity: &QuantityOfWant,
        contest: usize,
        circumstances: &[usize],
        weigh: &dyn Fn(usize) -> f64,
    ) -> MeasureTerm {
        let cells = circumstances.iter().map(|&circumstance| {
            let (cell, measure) = self.find_or_add_cell(contest, circumstance, &quantity.measure);
            (cell, measure, weigh(circumstance))
        });
        let mut cells: Vec<_> = cells.collect();
        let all: f64 = cells.iter().map(|(.., weight)| weight).sum();
        cells.iter_mut().for_each(|(.., weight)| *weight /= all);
        MeasureTerm { take: quantity.take.unwrap_or(CellReduction::Every), cells }
    }
}

/// Resolves the contest and the circumstances of a quantity.
pub(crate) fn resolve_quantity(
    quantity: &QuantityOfWant,
    context: &SeekContext,
) -> Result<ResolvedQuantity, MisreadText> {
    let contest = resolve_contest(quantity, context.contests)?;
    let side = &context.contests[contest];
    let is_share = is_measure_share(&quantity.measure, contest, context)?;
    let mut circumstances: Vec<usize> = (0..side.circumstances.len()).collect();
    for test in &quantity.tests {
        let passing = circumstances
            .into_iter()
            .map(|at| Ok(passes_test(test, &side.circumstances[at], side)?.then_some(at)));
        circumstances =
            passing.collect::<Result<Vec<_>, MisreadText>>()?.into_iter().flatten().collect();
    }
    if circumstances.is_empty() {
        let problem = format!("no circumstance of \"{}\" passes the tests in brackets", side.name);
        return Err(MisreadText::new(problem, "compare an axis with one of its values"));
    }
    Ok(ResolvedQuantity { contest, circumstances, is_share })
}

/// Resolves the contest that a quantity names, or the only one.
fn resolve_contest(
    quantity: &QuantityOfWant,
    contests: &[SeekContest],
) -> Result<usize, MisreadText> {
    let names: Vec<&str> = contests.iter().map(|contest| contest.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|known| *known == name);
    let (measure, all) = (&quantity.measure, names.join(", "));
    let Some(of) = &quantity.contest else {
        let help = || format!("write `{measure} of {}`: there is {all}", names[0]);
        let problem = || format!("of which contest is `{measure}`?");
        return match contests.len() {
            1 => Ok(0),
            _ => Err(MisreadText::new(problem(), help())),
        };
    };
    let found = place(of).or_else(|| place(names::find_name(of, names.iter().copied())?));
    let problem = || format!("there is no contest \"{}\"", sanitize_for_message(of));
    found.ok_or_else(|| MisreadText::new(problem(), format!("there is {all}")))
}

/// Whether a measure is a share; an error if the contest does not have it.
fn is_measure_share(
    measure: &str,
    side: usize,
    context: &SeekContext,
) -> Result<bool, MisreadText> {
    let contest = &context.contests[side];
    let Some(played) = contest_with_current_numbers(side, context) else {
        let problem = format!("\"{}\" is no contest with the numbers as they are", contest.name);
        return Err(MisreadText::new(problem, "set their current values with `now = …`"));
    };
    let heads = played.combat.measures();
    if let Some(head) = heads.iter().find(|head| head.name == *measure) {
        return Ok(head.kind.is_share());
    }
    let known = || heads.iter().map(|head| &*head.name);
    let problem = format!("no contest here has `{}`", sanitize_for_message(measure));
    let help = match names::find_nearest(measure, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("\"{}\" has {}", contest.name, known().collect::<Vec<_>>().join(", ")),
    };
    Err(MisreadText::new(problem, help))
}

/// Builds a contest with the current numbers, in the first circumstance if there is one.
fn contest_with_current_numbers(side: usize, context: &SeekContext) -> Option<Contest> {
    let contest = &context.contests[side];
    (0..contest.circumstances.len()).find_map(|circumstance| {
        let base = |at: usize| context.numbers[at].base_place();
        let form = contest.build_form(circumstance, context.numbers, side, &base).ok()?;
        contest.build_contest(&form).ok()
    })
}

/// Whether a circumstance passes a test.
fn passes_test(
    test: &CircumstanceTest,
    circumstance: &Circumstance,
    contest: &SeekContest,
) -> Result<bool, MisreadText> {
    let Some(value) = find_axis_value(circumstance, &test.field) else {
        let known: Vec<_> = circumstance.at.iter().map(|(axis, _)| axis.as_str()).collect();
        let problem =
            format!("`{}` is no axis of \"{}\"", sanitize_for_message(&test.field), contest.name);
        let help = match known.as_slice() {
            [] => "it has none: give a field a list of values".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        return Err(MisreadText::new(problem, help));
    };
    let other = find_axis_value(circumstance, &test.value).cloned();
    let other = other.unwrap_or_else(|| parse_literal(&test.value));
    let ordering = match (as_number(value), as_number(&other)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ if names::match_key(&plain_text(value)) == names::match_key(&plain_text(&other)) => {
            Ordering::Equal
        }
        _ => Ordering::Less,
    };
    Ok(test.is_passed_by(ordering))
}

/// The value of an axis in a circumstance.
fn find_axis_value<'c>(circumstance: &'c Circumstance, name: &str) -> Option<&'c Toml> {
    let mut axes = circumstance.at.iter();
    axes.find(|(axis, _)| names::match_key(axis) == names::match_key(name)).map(|(_, value)| value)
}

/// Parses a value as a test writes it.
fn parse_literal(text: &str) -> Toml {
    let whole = text.parse::<i64>().ok().map(Toml::Integer);
    let whole = whole.or_else(|| text.parse::<f64>().ok().map(Toml::Float));
    whole.unwrap_or_else(|| Toml::String(text.to_owned()))
}

/// The weight of a circumstance, as `[seek.weights]` has it.
pub(crate) fn circumstance_weight(
    context: &SeekContext,
    contest: usize,
    circumstance: usize,
) -> f64 {
    let contest = &context.contests[contest];
    let of_axis = |(axis, value): &(String, Toml)| {
        let list = context.weights.get(axis)?.as_array()?;
        let mut values: Vec<&Toml> = Vec::new();
        for other in &contest.circumstances {
            let value = find_axis_value(other, axis)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        as_number(list.get(values.iter().position(|known| *known == value)?)?)
    };
    contest.circumstances[circumstance].at.iter().filter_map(of_axis).product()
}

/// The text of a quantity: a want without its target.
pub(crate) fn quantity_text(text: &str) -> String {
    let end = text.find(" = ").or_else(|| text.find(['<', '>'])).unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// Reads a want and notes the cells that it reads.
pub(crate) fn read_want(
    text: &str,
    context: &SeekContext,
    wanted_cells: &mut WantedCells,
) -> Result<WantWithCells, MisreadText> {
    let want = WantedOdds::parse(text)?;
    let left = resolve_quantity(&want.quantity, context)?;
    check_percent_and_tolerance(&want, left.is_share)?;
    let right = match &want.target {
        WantTarget::Number(_) => None,
        WantTarget::Of { quantity, .. } => Some((quantity, resolve_quantity(quantity, context)?)),
    };
    let lefts: Vec<Vec<usize>> = match is_combined(&want.quantity) {
        true => vec![left.circumstances.clone()],
        false => left.circumstances.iter().map(|at| vec![*at]).collect(),
    };
    let mut parts = Vec::new();
    for own in &lefts {
        let term = match &right {
            None => None,
            Some((quantity, known)) => {
                let cells =
                    match_right_side_cells(&want, (&left, own), (quantity, known), context)?;
                Some(build_term(quantity, known.contest, &cells, context, wanted_cells))
            }
        };
        let left_term = self::build_term(&want.quantity, left.contest, own, context, wanted_cells);
        parts.push(build_comparison(&want, left_term, term, left.is_share));
    }
    let is_share = left.is_share;
    Ok(WantWithCells { text: want.text, quantity: quantity_text(text), is_share, parts })
}

/// Whether a quantity reduces several cells to one number.
fn is_combined(quantity: &QuantityOfWant) -> bool {
    !matches!(quantity.take, None | Some(CellReduction::Every))
}

fn build_term(
    quantity: &QuantityOfWant,
    contest: usize,
    circumstances: &[usize],
    context: &SeekContext,
    wanted_cells: &mut WantedCells,
) -> MeasureTerm {
    wanted_cells.build_term(quantity, contest, circumstances, &|at| {
        circumstance_weight(context, contest, at)
    })
}

/// Builds one comparison of a want.
fn build_comparison(
    want: &WantedOdds,
    left: MeasureTerm,
    term: Option<MeasureTerm>,
    is_share: bool,
) -> WantComparison {
    let (factor, plus) = match &want.target {
        WantTarget::Number(amount) => (0.0, amount.value),
        WantTarget::Of { factor, plus, .. } => (*factor, plus.value),
    };
    WantComparison {
        left_side: left,
        sign: want.sign,
        right: RightSide { term, factor, plus },
        tolerance: want.tolerance.map_or(0.0, |tolerance| tolerance.amount.value),
        relative: want.tolerance.is_some_and(|tolerance| tolerance.of_it),
        is_share,
    }
}

/// Finds the cells of the right side that belong to some of the left: all for a reduction, or the
/// one in which all shared axes agree.
fn match_right_side_cells(
    want: &WantedOdds,
    (left, own): (&ResolvedQuantity, &[usize]),
    (quantity, right): (&QuantityOfWant, &ResolvedQuantity),
    context: &SeekContext,
) -> Result<Vec<usize>, MisreadText> {
    if is_combined(quantity) || right.circumstances.len() == 1 {
        return Ok(right.circumstances.clone());
    }
    let sides = [left, right].map(|side| &context.contests[side.contest]);
    let agrees = |at: &usize| {
        let other = &sides[1].circumstances[*at];
        own.iter().all(|own| has_equal_axes(&sides[0].circumstances[*own], other))
    };
    let found: Vec<usize> = right.circumstances.iter().copied().filter(agrees).collect();
    if found.len() == 1 && own.len() == 1 {
        return Ok(found);
    }
    let told = |quantity: &QuantityOfWant, known: &ResolvedQuantity, side: &SeekContest| {
        let axes = side.circumstances[0].at.iter().map(|(axis, _)| axis.as_str());
        let axes = axes.collect::<Vec<_>>().join(", ");
        format!(
            "\"{} of {}\" has {} cells ({axes})",
            quantity.measure,
            side.name,
            known.circumstances.len()
        )
    };
    let (one, two) = (told(&want.quantity, left, sides[0]), told(quantity, right, sides[1]));
    let problem = format!("{one}, {}", two.replace(" cells", ""));
    Err(MisreadText::new(problem, "name one in brackets, or add mean, least or most"))
}

/// Whether two circumstances have the same value on every axis that both have.
fn has_equal_axes(one: &Circumstance, two: &Circumstance) -> bool {
    one.at
        .iter()
        .all(|(axis, value)| two.at.iter().all(|(name, other)| name != axis || other == value))
}

/// Checks that numbers in percent belong to shares, and that tolerances have a unit.
fn check_percent_and_tolerance(want: &WantedOdds, is_share: bool) -> Result<(), MisreadText> {
    let measure = &want.quantity.measure;
    if is_share {
        return Ok(());
    }
    if let Some(tolerance) = want.tolerance.filter(|own| own.amount.percent && !own.of_it) {
        let percent = tolerance.amount.value * 100.0;
        let problem = format!("`{measure}` is no chance, so ± {percent} % is no distance");
        return Err(MisreadText::new(
            problem,
            format!("write \"± 0.2\" or \"± {percent} % of it\""),
        ));
    }
    if let WantTarget::Number(amount) = &want.target
        && amount.percent
    {
        let problem = format!("`{measure}` is no chance, and {} % is one", amount.value * 100.0);
        return Err(MisreadText::new(problem, "write the number itself, as in `e_lost = 3 ± 0.2`"));
    }
    Ok(())
}
