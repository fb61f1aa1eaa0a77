//! Single numbers of one contest, and pairs of them, that give a measure its wanted value.

use enfilade_engine::parallel::prelude::*;
use toml::{Table, Value as Toml};

use crate::error::SeekError;
use enfilade_model::form::{FieldType, Form};
use enfilade_study::experiment::GridCell;
use enfilade_study::solve::SolveObserver;

use crate::changed_numbers::collect_number_names;
use crate::measure_influences::{
    cell_as_seek_contest, find_or_first_measure, form_to_table, measure_values_of_forms,
};
use crate::number_path::NumberPath;
use crate::seek_contests::find_current_value;
use crate::seek_numbers::all_values_of_field;
use crate::value_text::{format_with_percent_if_share, text_without_quotes};
use crate::want::{TextFaultWithRemedy, WantSign, WantTarget, WantedOdds};

/// Steps of a number to either side of its current value.
const STEPS_EACH_WAY: usize = 20;

/// Steps after which it is decided whether a side of a number goes on.
const RINGS: [usize; 5] = [0, 1, 4, 10, STEPS_EACH_WAY];

/// Pairs that are solved together.
const PAIRS_SOLVED_TOGETHER: usize = 64;

/// Numbers of which pairs are tried, and the steps of each.
const NUMBERS_IN_PAIRS: usize = 8;
const STEPS_IN_PAIRS: usize = 4;

/// Number of tries that are returned.
const TRIES_SHOWN: usize = 12;

/// A want about the value of one measure: a sign, a number and a tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedValue {
    /// The measure.
    pub measure: String,
    sign: WantSign,
    target: f64,
    tolerance: f64,
}

/// Numbers that were changed, and the value of the measure.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberTry {
    /// One number, or two.
    pub changes: Vec<NumberChange>,
    /// The value of the measure.
    pub value: f64,
    /// The value as people read it.
    pub shown: String,
    /// Whether the want is met.
    pub is_met: bool,
    miss: f64,
    steps: usize,
}

/// A number with another value.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberChange {
    /// Its name: `models`, `to_hit.close.1`.
    pub name: String,
    /// The keys of its path in a contest.
    pub keys: Vec<String>,
    /// Whether the number belongs to the rulebook.
    pub is_rulebook_number: bool,
    /// Its current value and the other one.
    pub from: Toml,
    /// The other value.
    pub to: Toml,
    /// Steps from the current value to the other.
    offset: isize,
}

/// A number of a contest that may be tried.
struct TriableNumber {
    name: String,
    place: NumberPath,
    now: Toml,
    /// Values with their distance in steps, below 0 for smaller ones; the current one left out.
    values: Vec<(isize, Toml)>,
}

/// Changes to try together, with the steps of all of them.
type NumbersToTry = (usize, Vec<NumberChange>);

impl WantedValue {
    /// Parses a want whose target is a number: `p_rout = 50 % ± 2 %`.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn parse(text: &str) -> Result<WantedValue, TextFaultWithRemedy> {
        let want = WantedOdds::parse_want(text)?;
        let WantTarget::Number(target) = want.target else {
            let problem = "the target is no number".to_owned();
            return Err(TextFaultWithRemedy::new(problem, "write `p_rout = 50 % ± 2 %`"));
        };
        let tolerance = want.tolerance.map_or(0.0, |own| match own.of_it {
            true => own.amount.value * target.value.abs(),
            false => own.amount.value,
        });
        let measure = want.quantity.measure;
        Ok(WantedValue { measure, sign: want.sign, target: target.value, tolerance })
    }

    /// Distance of a value beyond the tolerance; 0 if the want is met.
    fn miss(&self, value: f64) -> f64 {
        let excess = match self.sign {
            WantSign::AtMost | WantSign::Less => value - self.target,
            WantSign::AtLeast | WantSign::More => self.target - value,
            WantSign::Equal => (value - self.target).abs(),
        };
        let beyond = excess - self.tolerance;
        let error = 1e-11 * self.target.abs().max(value.abs()).max(1.0);
        match self.sign {
            WantSign::Less | WantSign::More if beyond >= -error => beyond.max(f64::MIN_POSITIVE),
            _ if beyond <= error => 0.0,
            _ => beyond,
        }
    }
}

/// Tries each number of a contest alone: the tries that fit come first, then the nearest, of each
/// number one. A number is followed in steps to either side, as long as the measure comes nearer;
/// all its steps are tried if `is_thorough`. The flag says whether the time was too short.
///
/// # Errors
/// If the contest does not have the measure, or the work was stopped before the first steps.
pub fn try_single_numbers(
    cell: &GridCell,
    want: &WantedValue,
    is_thorough: bool,
    watch: &dyn SolveObserver,
) -> Result<(Vec<NumberTry>, bool), SeekError> {
    let numbers = list_triable_numbers(cell);
    let sides = numbers.iter().flat_map(|number| [false, true].map(|is_up| (number, is_up)));
    let mut sides: Vec<OneSidedNumberSearch<'_>> = sides.map(OneSidedNumberSearch::new).collect();
    let mut found: Vec<NumberTry> = Vec::new();
    for ring in RINGS.windows(2) {
        let open = sides.iter().filter(|side| side.goes_on || is_thorough);
        let tries = open.flat_map(|side| side.tries_in_step_range(ring[0], ring[1])).collect();
        match solve_tries(cell, want, tries, watch) {
            Ok((here, solved)) => {
                let miss = here.map_or(f64::INFINITY, |here| want.miss(here));
                sides.iter_mut().for_each(|side| side.update_from_solved_tries(&solved, miss));
                found.extend(solved);
            }
            Err(SeekError::Interrupted(_)) if ring[0] > 0 => {
                return Ok((nearest_try_of_each_number(found), true));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((nearest_try_of_each_number(found), false))
}

/// One side of a number: its smaller or its larger values.
struct OneSidedNumberSearch<'n> {
    number: &'n TriableNumber,
    is_up: bool,
    /// Whether farther values may be nearer to the target.
    goes_on: bool,
    least_miss: f64,
}

impl<'n> OneSidedNumberSearch<'n> {
    fn new((number, is_up): (&'n TriableNumber, bool)) -> OneSidedNumberSearch<'n> {
        OneSidedNumberSearch { number, is_up, goes_on: true, least_miss: f64::INFINITY }
    }

    /// The tries of more than `from` steps and at most `to`.
    fn tries_in_step_range(
        &self,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = NumbersToTry> + '_ {
        let values = self.number.values.iter().filter(move |(offset, _)| {
            let steps = offset.unsigned_abs();
            (*offset > 0) == self.is_up && from < steps && steps <= to
        });
        values.map(|(offset, value)| {
            (offset.unsigned_abs(), vec![self.number.number_change_to(*offset, value)])
        })
    }

    /// Looks at solved tries: the side goes on while its farthest value is the nearest to the
    /// target. A side that moves nothing yet goes on.
    fn update_from_solved_tries(&mut self, solved: &[NumberTry], miss_here: f64) {
        self.least_miss = self.least_miss.min(miss_here);
        let own = solved.iter().filter(|one| {
            let [change] = &one.changes[..] else { return false };
            change.name == self.number.name && (change.offset > 0) == self.is_up
        });
        let Some(farthest) = own.clone().max_by_key(|one| one.steps) else { return };
        self.least_miss = own.map(|one| one.miss).fold(self.least_miss, f64::min);
        self.goes_on = farthest.miss > 0.0 && farthest.miss <= self.least_miss;
    }
}

/// Of each number the nearest try, the nearest of all first.
fn nearest_try_of_each_number(mut found: Vec<NumberTry>) -> Vec<NumberTry> {
    sort_by_miss_then_steps(&mut found);
    let mut nearest: Vec<NumberTry> = Vec::new();
    for one in found {
        let is_same = |other: &NumberTry| other.changes[0].name == one.changes[0].name;
        if !nearest.iter().any(is_same) {
            nearest.push(one);
        }
    }
    nearest.truncate(TRIES_SHOWN);
    nearest
}

/// Tries pairs of the numbers that come nearest alone, those with the fewest steps first, until
/// enough of them fit. Returns those that fit, and whether the time was too short.
///
/// # Errors
/// If the contest does not have the measure.
pub fn try_pairs_of_numbers(
    cell: &GridCell,
    want: &WantedValue,
    singles: &[NumberTry],
    watch: &dyn SolveObserver,
) -> Result<(Vec<NumberTry>, bool), SeekError> {
    let mut fits: Vec<NumberTry> = Vec::new();
    let mut is_cut = false;
    for tries in pairs_of_nearest_numbers(cell, singles).chunks(PAIRS_SOLVED_TOGETHER) {
        match solve_tries(cell, want, tries.to_vec(), watch) {
            Ok((_, solved)) => fits.extend(solved.into_iter().filter(|one| one.is_met)),
            Err(SeekError::Interrupted(_)) => is_cut = true,
            Err(error) => return Err(error),
        }
        if is_cut || fits.len() >= TRIES_SHOWN {
            break;
        }
    }
    sort_by_miss_then_steps(&mut fits);
    fits.truncate(TRIES_SHOWN);
    Ok((fits, is_cut))
}

/// The pairs of the numbers that come nearest alone, those with the fewest steps first.
fn pairs_of_nearest_numbers(cell: &GridCell, singles: &[NumberTry]) -> Vec<NumbersToTry> {
    let is_near = |number: &TriableNumber| {
        let mut first = singles.iter().take(NUMBERS_IN_PAIRS);
        first.any(|one| one.changes[0].name == number.name)
    };
    let numbers: Vec<TriableNumber> =
        list_triable_numbers(cell).into_iter().filter(is_near).collect();
    let near = |number: &'_ TriableNumber| -> Vec<(usize, NumberChange)> {
        let values = number.values.iter().map(|(at, value)| (at.unsigned_abs(), (*at, value)));
        let values = values.filter(|(steps, _)| *steps <= STEPS_IN_PAIRS);
        values.map(|(steps, (at, value))| (steps, number.number_change_to(at, value))).collect()
    };
    let mut tries = Vec::new();
    for (at, first) in numbers.iter().enumerate() {
        for second in &numbers[at + 1..] {
            for (own, a) in near(first) {
                let pairs = near(second).into_iter();
                tries.extend(pairs.map(|(steps, b)| (own + steps, vec![a.clone(), b])));
            }
        }
    }
    tries.sort_by_key(|(steps, _)| *steps);
    tries
}

impl TriableNumber {
    fn number_change_to(&self, offset: isize, value: &Toml) -> NumberChange {
        NumberChange {
            name: self.name.clone(),
            keys: self.place.keys.clone(),
            is_rulebook_number: self.place.is_rulebook_number(),
            from: self.now.clone(),
            to: value.clone(),
            offset,
        }
    }
}

impl NumberChange {
    /// The change as people read it: `models 6 → 5`.
    pub fn format_change(&self) -> String {
        format!(
            "{} {} → {}",
            self.name,
            text_without_quotes(&self.from),
            text_without_quotes(&self.to)
        )
    }
}

/// Lists the numbers of a contest with the values to try.
fn list_triable_numbers(cell: &GridCell) -> Vec<TriableNumber> {
    let contest = cell_as_seek_contest(cell);
    let mut names = Vec::new();
    collect_number_names(&contest.action.fields, "", &mut names);
    let mut found: Vec<TriableNumber> = Vec::new();
    for name in names {
        let name = name.strip_prefix("change.").unwrap_or(&name).to_owned();
        let Some(place) = NumberPath::find_by_name(&contest.action.fields, &name) else { continue };
        let Some(now) = find_current_value(&contest, &contest.table, &place) else { continue };
        let values = values_near(&place.kind, &now);
        if !values.is_empty() && found.iter().all(|known| known.name != name) {
            found.push(TriableNumber { name, place, now, values });
        }
    }
    found
}

/// The values near the current one, each with its distance in steps.
fn values_near(kind: &FieldType, now: &Toml) -> Vec<(isize, Toml)> {
    let all = match (kind, now) {
        (FieldType::Int(bound), Toml::Integer(now)) => {
            let reach = STEPS_EACH_WAY as i64;
            let (low, high) = (
                bound.low.max(now.saturating_sub(reach)),
                bound.high.min(now.saturating_add(reach)),
            );
            (low..=high).map(Toml::Integer).collect()
        }
        (FieldType::Numbers(_) | FieldType::Die(_), _) => {
            all_values_of_field(kind).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let Some(own) = all.iter().position(|value| value == now) else { return Vec::new() };
    let steps = all.into_iter().enumerate().map(|(at, value)| (at as isize - own as isize, value));
    steps.filter(|(steps, _)| (1..=STEPS_EACH_WAY).contains(&steps.unsigned_abs())).collect()
}

/// Solves tries; those that change nothing are left out. Returns the current value, too.
fn solve_tries(
    cell: &GridCell,
    want: &WantedValue,
    tries: Vec<NumbersToTry>,
    watch: &dyn SolveObserver,
) -> Result<(Option<f64>, Vec<NumberTry>), SeekError> {
    let head = find_or_first_measure(cell, Some(&want.measure))?;
    let table = form_to_table(&cell.form);
    let form = |changes: &Vec<NumberChange>| -> Option<Form> {
        let mut table: Table = table.clone();
        for change in changes {
            let kind = FieldType::Text;
            NumberPath { keys: change.keys.clone(), kind }.set_value(&mut table, change.to.clone());
        }
        Form::from_table_with_defaults(&cell.action.fields, &table).ok()
    };
    let forms = tries.par_iter().map(|(_, changes)| form(changes));
    let own = [Some(cell.form.clone())].into_par_iter();
    let forms: Vec<Option<Form>> = own.chain(forms).collect();
    let values = measure_values_of_forms(cell, &forms, &head, watch)?;
    let here = values[0];
    let is_share = head.kind.is_shown_in_percent();
    let solved = tries.into_iter().zip(&values[1..]).filter_map(|((steps, changes), value)| {
        let value = (*value)?;
        let moves = here.is_none_or(|here| (here - value).abs() > 1e-12);
        let miss = want.miss(value);
        let shown = format_with_percent_if_share(value, is_share);
        moves.then_some(NumberTry { changes, value, shown, is_met: miss == 0.0, miss, steps })
    });
    let solved = solved.collect();
    Ok((here, solved))
}

fn sort_by_miss_then_steps(tries: &mut [NumberTry]) {
    tries.sort_by(|a, b| a.miss.total_cmp(&b.miss).then(a.steps.cmp(&b.steps)));
}
