//! Wants as comparisons of cells: the contest, its circumstance, and the measure.

use std::cmp::Ordering;

use toml::Value as Toml;

use enfilade_model::catalogue::Contest;
use enfilade_model::form::name_matching as names;
use enfilade_model::form::sanitize::shorten_and_make_safe;

use crate::seek_numbers::{ContestWithCircumstances, SeekNumbersAndContests, UnchangedAxisValues};
use crate::value_text::{text_without_quotes, toml_as_number};
use crate::want::{
    CellReduction, CircumstanceTest, QuantityOfWant, TextFaultWithRemedy, WantSign, WantTarget,
    WantedOdds,
};

/// The cells that wants read.
#[derive(Debug, Default)]
pub(crate) struct CellsReadByWants {
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
    pub parts: Vec<WantComparisonOverCells>,
}

/// One comparison.
#[derive(Clone, Debug)]
pub(crate) struct WantComparisonOverCells {
    pub left_side: MeasureReducedOverCells,
    pub sign: WantSign,
    pub right: ComparisonRightSide,
    /// The tolerance, and whether it is a part of the right side.
    pub tolerance: f64,
    pub relative: bool,
    pub is_share: bool,
}

/// The right side of a comparison: a number, or a term times a factor plus a number.
#[derive(Clone, Debug)]
pub(crate) struct ComparisonRightSide {
    pub term: Option<MeasureReducedOverCells>,
    pub factor: f64,
    pub plus: f64,
}

/// A measure of one cell, or a reduction of several.
#[derive(Clone, Debug)]
pub(crate) struct MeasureReducedOverCells {
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

impl WantComparisonOverCells {
    /// The indices of the cells that the comparison reads.
    pub fn indices_of_cells_read(&self) -> impl Iterator<Item = usize> {
        let right = self.right.term.iter().flat_map(|term| &term.cells);
        self.left_side.cells.iter().chain(right).map(|(cell, ..)| *cell)
    }
}

impl CellsReadByWants {
    /// Finds or adds a cell and a measure in it, and returns their indices.
    fn find_or_add_cell_measure(
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
    pub fn build_measure_term(
        &mut self,
        quantity: &QuantityOfWant,
        contest: usize,
        circumstances: &[usize],
        weigh: &dyn Fn(usize) -> f64,
    ) -> MeasureReducedOverCells {
        let cells = circumstances.iter().map(|&circumstance| {
            let (cell, measure) =
                self.find_or_add_cell_measure(contest, circumstance, &quantity.measure);
            (cell, measure, weigh(circumstance))
        });
        let mut cells: Vec<_> = cells.collect();
        let all: f64 = cells.iter().map(|(.., weight)| weight).sum();
        cells.iter_mut().for_each(|(.., weight)| *weight /= all);
        MeasureReducedOverCells { take: quantity.take.unwrap_or(CellReduction::Every), cells }
    }
}

/// Resolves the contest and the circumstances of a quantity.
pub(crate) fn resolve_quantity(
    quantity: &QuantityOfWant,
    context: &SeekNumbersAndContests,
) -> Result<ResolvedQuantity, TextFaultWithRemedy> {
    let contest = resolve_contest(quantity, context.contests)?;
    let side = &context.contests[contest];
    let is_share = is_measure_share(&quantity.measure, contest, context)?;
    let mut circumstances: Vec<usize> = (0..side.circumstances.len()).collect();
    for test in &quantity.tests {
        let passing = circumstances
            .into_iter()
            .map(|at| Ok(passes_circumstance(test, &side.circumstances[at], side)?.then_some(at)));
        circumstances = passing
            .collect::<Result<Vec<_>, TextFaultWithRemedy>>()?
            .into_iter()
            .flatten()
            .collect();
    }
    if circumstances.is_empty() {
        let problem = format!("no circumstance of \"{}\" passes the tests in brackets", side.name);
        return Err(TextFaultWithRemedy::new(problem, "compare an axis with one of its values"));
    }
    Ok(ResolvedQuantity { contest, circumstances, is_share })
}

/// Resolves the contest that a quantity names, or the only one.
fn resolve_contest(
    quantity: &QuantityOfWant,
    contests: &[ContestWithCircumstances],
) -> Result<usize, TextFaultWithRemedy> {
    let names: Vec<&str> = contests.iter().map(|contest| contest.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|find_contest| *find_contest == name);
    let (measure, all) = (&quantity.measure, names.join(", "));
    let Some(of) = &quantity.contest else {
        let help = || format!("write `{measure} of {}`: there is {all}", names[0]);
        let problem = || format!("of which contest is `{measure}`?");
        return match contests.len() {
            1 => Ok(0),
            _ => Err(TextFaultWithRemedy::new(problem(), help())),
        };
    };
    let contest_index =
        place(of).or_else(|| place(names::find_meant_name(of, names.iter().copied())?));
    let problem = || format!("there is no contest \"{}\"", shorten_and_make_safe(of));
    contest_index.ok_or_else(|| TextFaultWithRemedy::new(problem(), format!("there is {all}")))
}

/// Whether a measure is a share; an error if the contest does not have it.
fn is_measure_share(
    measure: &str,
    side: usize,
    context: &SeekNumbersAndContests,
) -> Result<bool, TextFaultWithRemedy> {
    let contest = &context.contests[side];
    let Some(played) = contest_with_current_numbers(side, context) else {
        let problem = format!("\"{}\" is no contest with the numbers as they are", contest.name);
        return Err(TextFaultWithRemedy::new(problem, "set their current values with `now = …`"));
    };
    let heads = played.combat.measures();
    if let Some(head) = heads.iter().find(|head| head.name == *measure) {
        return Ok(head.kind.is_shown_in_percent());
    }
    let measure_names = || heads.iter().map(|head| &*head.name);
    let problem = format!("no contest here has `{}`", shorten_and_make_safe(measure));
    let help = match names::find_nearest_name(measure, measure_names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            format!("\"{}\" has {}", contest.name, measure_names().collect::<Vec<_>>().join(", "))
        }
    };
    Err(TextFaultWithRemedy::new(problem, help))
}

/// Builds a contest with the current numbers, in the first circumstance if there is one.
fn contest_with_current_numbers(side: usize, context: &SeekNumbersAndContests) -> Option<Contest> {
    let contest = &context.contests[side];
    (0..contest.circumstances.len()).find_map(|circumstance| {
        let base = |at: usize| context.numbers[at].index_of_fallback();
        let form =
            contest.fill_form_with_design(circumstance, context.numbers, side, &base).ok()?;
        contest.build_contest_without_checks(&form).ok()
    })
}

/// Whether a circumstance passes a test.
fn passes_circumstance(
    test: &CircumstanceTest,
    circumstance: &UnchangedAxisValues,
    contest: &ContestWithCircumstances,
) -> Result<bool, TextFaultWithRemedy> {
    let Some(value) = axis_value_of_circumstance(circumstance, &test.field) else {
        let axis_names: Vec<_> = circumstance.at.iter().map(|(axis, _)| axis.as_str()).collect();
        let problem =
            format!("`{}` is no axis of \"{}\"", shorten_and_make_safe(&test.field), contest.name);
        let help = match axis_names.as_slice() {
            [] => "it has none: give a field a list of values".to_owned(),
            axis_names => format!("it has {}", axis_names.join(", ")),
        };
        return Err(TextFaultWithRemedy::new(problem, help));
    };
    let other = axis_value_of_circumstance(circumstance, &test.value).cloned();
    let other = other.unwrap_or_else(|| literal_to_toml(&test.value));
    let ordering = match (toml_as_number(value), toml_as_number(&other)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ if names::name_matching_key(&text_without_quotes(value))
            == names::name_matching_key(&text_without_quotes(&other)) =>
        {
            Ordering::Equal
        }
        _ => Ordering::Less,
    };
    Ok(test.is_passed_by(ordering))
}

/// The value of an axis in a circumstance.
fn axis_value_of_circumstance<'c>(
    circumstance: &'c UnchangedAxisValues,
    name: &str,
) -> Option<&'c Toml> {
    let mut axes = circumstance.at.iter();
    axes.find(|(axis, _)| names::name_matching_key(axis) == names::name_matching_key(name))
        .map(|(_, value)| value)
}

/// Parses a value as a test writes it.
fn literal_to_toml(text: &str) -> Toml {
    let whole = text.parse::<i64>().ok().map(Toml::Integer);
    let whole = whole.or_else(|| text.parse::<f64>().ok().map(Toml::Float));
    whole.unwrap_or_else(|| Toml::String(text.to_owned()))
}

/// The weight of a circumstance, as `[seek.weights]` has it.
pub(crate) fn weight_of_circumstance(
    context: &SeekNumbersAndContests,
    contest: usize,
    circumstance: usize,
) -> f64 {
    let contest = &context.contests[contest];
    let of_axis = |(axis, value): &(String, Toml)| {
        let list = context.weights.get(axis)?.as_array()?;
        let mut values: Vec<&Toml> = Vec::new();
        for other in &contest.circumstances {
            let value = axis_value_of_circumstance(other, axis)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        toml_as_number(list.get(values.iter().position(|known| *known == value)?)?)
    };
    contest.circumstances[circumstance].at.iter().filter_map(of_axis).product()
}

/// The text of a quantity: a want without its target.
pub(crate) fn text_without_target(text: &str) -> String {
    let end = text.find(" = ").or_else(|| text.find(['<', '>'])).unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// Reads a want and notes the cells that it reads.
pub(crate) fn read_and_resolve_want(
    text: &str,
    context: &SeekNumbersAndContests,
    wanted_cells: &mut CellsReadByWants,
) -> Result<WantWithCells, TextFaultWithRemedy> {
    let want = WantedOdds::parse_want(text)?;
    let left = resolve_quantity(&want.quantity, context)?;
    check_percent_and_tolerance(&want, left.is_share)?;
    let right = match &want.target {
        WantTarget::Number(_) => None,
        WantTarget::Of { quantity, .. } => Some((quantity, resolve_quantity(quantity, context)?)),
    };
    let lefts: Vec<Vec<usize>> = match reduces_several_cells(&want.quantity) {
        true => vec![left.circumstances.clone()],
        false => left.circumstances.iter().map(|at| vec![*at]).collect(),
    };
    let mut parts = Vec::new();
    for own in &lefts {
        let term = match &right {
            None => None,
            Some((quantity, known)) => {
                let cells =
                    right_cells_for_left_cells(&want, (&left, own), (quantity, known), context)?;
                Some(build_term_of(quantity, known.contest, &cells, context, wanted_cells))
            }
        };
        let left_term =
            self::build_term_of(&want.quantity, left.contest, own, context, wanted_cells);
        parts.push(build_want_comparison(&want, left_term, term, left.is_share));
    }
    let is_share = left.is_share;
    Ok(WantWithCells { text: want.text, quantity: text_without_target(text), is_share, parts })
}

/// Whether a quantity reduces several cells to one number.
fn reduces_several_cells(quantity: &QuantityOfWant) -> bool {
    !matches!(quantity.take, None | Some(CellReduction::Every))
}

fn build_term_of(
    quantity: &QuantityOfWant,
    contest: usize,
    circumstances: &[usize],
    context: &SeekNumbersAndContests,
    wanted_cells: &mut CellsReadByWants,
) -> MeasureReducedOverCells {
    wanted_cells.build_measure_term(quantity, contest, circumstances, &|at| {
        weight_of_circumstance(context, contest, at)
    })
}

/// Builds one comparison of a want.
fn build_want_comparison(
    want: &WantedOdds,
    left: MeasureReducedOverCells,
    term: Option<MeasureReducedOverCells>,
    is_share: bool,
) -> WantComparisonOverCells {
    let (factor, plus) = match &want.target {
        WantTarget::Number(amount) => (0.0, amount.value),
        WantTarget::Of { factor, plus, .. } => (*factor, plus.value),
    };
    WantComparisonOverCells {
        left_side: left,
        sign: want.sign,
        right: ComparisonRightSide { term, factor, plus },
        tolerance: want.tolerance.map_or(0.0, |tolerance| tolerance.amount.value),
        relative: want.tolerance.is_some_and(|tolerance| tolerance.of_it),
        is_share,
    }
}

/// Finds the cells of the right side that belong to some of the left: all for a reduction, or the
/// one in which all shared axes agree.
fn right_cells_for_left_cells(
    want: &WantedOdds,
    (left, own): (&ResolvedQuantity, &[usize]),
    (quantity, right): (&QuantityOfWant, &ResolvedQuantity),
    context: &SeekNumbersAndContests,
) -> Result<Vec<usize>, TextFaultWithRemedy> {
    if reduces_several_cells(quantity) || right.circumstances.len() == 1 {
        return Ok(right.circumstances.clone());
    }
    let sides = [left, right].map(|side| &context.contests[side.contest]);
    let agrees = |at: &usize| {
        let other = &sides[1].circumstances[*at];
        own.iter().all(|own| agree_on_shared_axes(&sides[0].circumstances[*own], other))
    };
    let matching_cells: Vec<usize> = right.circumstances.iter().copied().filter(agrees).collect();
    if matching_cells.len() == 1 && own.len() == 1 {
        return Ok(matching_cells);
    }
    let describe_side =
        |quantity: &QuantityOfWant, known: &ResolvedQuantity, side: &ContestWithCircumstances| {
            let axes = side.circumstances[0].at.iter().map(|(axis, _)| axis.as_str());
            let axes = axes.collect::<Vec<_>>().join(", ");
            format!(
                "\"{} of {}\" has {} cells ({axes})",
                quantity.measure,
                side.name,
                known.circumstances.len()
            )
        };
    let (one, two) =
        (describe_side(&want.quantity, left, sides[0]), describe_side(quantity, right, sides[1]));
    let problem = format!("{one}, {}", two.replace(" cells", ""));
    Err(TextFaultWithRemedy::new(problem, "name one in brackets, or add mean, least or most"))
}

/// Whether two circumstances have the same value on every axis that both have.
fn agree_on_shared_axes(one: &UnchangedAxisValues, two: &UnchangedAxisValues) -> bool {
    one.at
        .iter()
        .all(|(axis, value)| two.at.iter().all(|(name, other)| name != axis || other == value))
}

/// Checks that numbers in percent belong to shares, and that tolerances have a unit.
fn check_percent_and_tolerance(
    want: &WantedOdds,
    is_share: bool,
) -> Result<(), TextFaultWithRemedy> {
    let measure = &want.quantity.measure;
    if is_share {
        return Ok(());
    }
    if let Some(tolerance) = want.tolerance.filter(|own| own.amount.percent && !own.of_it) {
        let percent = tolerance.amount.value * 100.0;
        let problem = format!("`{measure}` is no chance, so ± {percent} % is no distance");
        return Err(TextFaultWithRemedy::new(
            problem,
            format!("write \"± 0.2\" or \"± {percent} % of it\""),
        ));
    }
    if let WantTarget::Number(amount) = &want.target
        && amount.percent
    {
        let problem = format!("`{measure}` is no chance, and {} % is one", amount.value * 100.0);
        return Err(TextFaultWithRemedy::new(
            problem,
            "write the number itself, as in `e_lost = 3 ± 0.2`",
        ));
    }
    Ok(())
}
