//! The numbers that may change, and the contests that they belong to.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{Action, Contest, System};
use enfilade_model::form::{Fault, Form, Kind};

use crate::places::Place;
use crate::text::{number, plain};

/// A number that may change.
#[derive(Clone, Debug)]
pub struct ChangedNumber {
    /// Its name, as the file has it.
    pub name: String,
    /// The values that it may have.
    pub values: Vec<Toml>,
    /// Its current value.
    pub now: Option<Toml>,
    /// By contest: its path.
    pub(crate) places: Vec<Option<Place>>,
    /// By row that it may name: the printed numbers of that row.
    pub(crate) columns: Vec<(String, Vec<(String, f64)>)>,
}

/// A contest with its circumstances.
#[derive(Clone, Debug)]
pub struct SeekContest {
    /// Its name.
    pub name: String,
    /// Its rulebook.
    pub system: Arc<System>,
    /// Its action.
    pub(crate) action: Arc<Action>,
    /// Its table in the file, with the changes of all contests.
    pub(crate) table: Table,
    /// The circumstances, each with its place on the axes and the table of its contests.
    pub circumstances: Vec<Circumstance>,
}

/// One place on the axes of a contest that are not changed.
#[derive(Clone, Debug)]
pub struct Circumstance {
    /// Axis and value.
    pub at: Vec<(String, Toml)>,
    pub(crate) table: Table,
}

impl ChangedNumber {
    /// Index of the current value among its values.
    pub fn now_at(&self) -> Option<usize> {
        self.values.iter().position(|value| Some(value) == self.now.as_ref())
    }

    /// Index of the value that is used if nothing depends on the number.
    pub(crate) fn base(&self) -> usize {
        self.now_at().unwrap_or(0)
    }

    /// Number of steps from the current value to another; 0 for the current value.
    pub(crate) fn steps(&self, at: usize) -> u64 {
        if let Some(now) = self.now_at() {
            return now.abs_diff(at) as u64;
        }
        // The current value lies between its values, or beyond them.
        let now = self.now.as_ref().and_then(number);
        let values = self.values.iter().map(number);
        let below = values.flatten().filter(|value| now.is_some_and(|now| *value < now)).count();
        match at < below {
            true => (below - at) as u64,
            false => (at - below + 1) as u64,
        }
    }

    /// Formats a value for people.
    pub fn shown(&self, at: usize) -> String {
        self.values.get(at).map(plain).unwrap_or_default()
    }

    /// Formats the current value for people.
    pub fn shown_now(&self) -> String {
        self.now.as_ref().map_or_else(|| "–".to_owned(), plain)
    }
}

impl SeekContest {
    /// Builds the form of a design in a circumstance: `values` gives the value of each number by
    /// its index.
    pub(crate) fn form(
        &self,
        circumstance: usize,
        numbers: &[ChangedNumber],
        side: usize,
        values: &dyn Fn(usize) -> usize,
    ) -> Result<Form, Vec<Fault>> {
        let mut table = self.circumstances[circumstance].table.clone();
        for (at, number) in numbers.iter().enumerate() {
            if let Some(place) = &number.places[side] {
                place.set(&mut table, number.values[values(at)].clone());
            }
        }
        Form::fill(&self.action.fields, &table)
    }

    /// Builds the contest of a form, without its conditions if the rule allows that.
    pub(crate) fn contest(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        match &self.action.probe {
            Some(probe) => probe.unchecked(form),
            None => self.action.contest(form),
        }
    }

    /// Whether its conditions are checked for whole designs, and not cell by cell.
    pub(crate) fn has_lifted_checks(&self) -> bool {
        self.action.probe.as_ref().is_some_and(|probe| probe.has_checks())
    }
}

/// Reads the values that a table or a list of a file names; `None` if it names none.
pub(crate) fn values_of(given: &Toml, kind: &Kind) -> Result<Vec<Toml>, String> {
    match given {
        Toml::Array(values) if !values.is_empty() => Ok(values.clone()),
        Toml::String(all) if all == "all" => {
            every(kind).ok_or_else(|| "its values cannot be counted: list them".to_owned())
        }
        Toml::Table(table) => match (table.get("list"), table.get("from"), table.get("to")) {
            (Some(list), ..) => values_of(list, kind),
            (None, Some(from), Some(to)) => range(from, to, table.get("by")),
            _ => Err("expected `{ from = 2, to = 6 }` or a list of values".to_owned()),
        },
        _ => Err("expected a list of values, `{ from = 2, to = 6 }` or \"all\"".to_owned()),
    }
}

/// The largest number of values of one number.
const MOST: i64 = 1000;

fn range(from: &Toml, to: &Toml, by: Option<&Toml>) -> Result<Vec<Toml>, String> {
    let by = by.unwrap_or(&Toml::Integer(1));
    if let (Toml::Integer(from), Toml::Integer(to), Toml::Integer(by)) = (from, to, by) {
        let count = to.checked_sub(*from).map(|span| span / by.max(&1));
        return match count {
            Some(0..=MOST) if *by > 0 => {
                Ok((*from..=*to).step_by(*by as usize).map(Toml::Integer).collect())
            }
            Some(n) if n > MOST => Err(format!("a number has at most {MOST} values")),
            _ => Err(format!("from {from} to {to} by {by} there is no value")),
        };
    }
    let [Some(from), Some(to), Some(by)] = [from, to, by].map(number) else {
        return Err("`from`, `to` and `by` must be numbers".to_owned());
    };
    let count = ((to - from) / by + 1e-9).floor();
    match by > 0.0 && (0.0..=MOST as f64).contains(&count) {
        true => Ok((0..=count as i64).map(|step| Toml::Float(from + step as f64 * by)).collect()),
        false => Err(format!("from {from} to {to} by {by} there are no values, or too many")),
    }
}

/// Lists every value that a field can have.
fn every(kind: &Kind) -> Option<Vec<Toml>> {
    Some(match kind {
        Kind::Flag => vec![false.into(), true.into()],
        Kind::Int(bound) if bound.high - bound.low <= MOST => {
            (bound.low..=bound.high).map(Toml::Integer).collect()
        }
        Kind::Numbers(numbers) => numbers.iter().map(|&n| n.into()).collect(),
        Kind::Die(sides) => sides.iter().map(|d| format!("d{d}").into()).collect(),
        Kind::Choice(words) => words.iter().map(Toml::from).collect(),
        Kind::Name(names) | Kind::Row(names, _) => names.list().iter().map(Toml::from).collect(),
        _ => return None,
    })
}

/// The numbers and contests that wants and orders refer to.
pub(crate) struct Given<'g> {
    pub contests: &'g [SeekContest],
    pub numbers: &'g [ChangedNumber],
    pub weights: &'g Table,
}

/// Finds a number that may change, or a column of the row that one names.
pub(crate) fn number_named<'n>(
    name: &'n str,
    numbers: &[ChangedNumber],
) -> Option<(usize, &'n str)> {
    let found = numbers.iter().enumerate().filter_map(|(at, number)| {
        let rest = name.strip_prefix(number.name.as_str())?;
        let rest = rest.strip_prefix('.').or(rest.is_empty().then_some(""))?;
        Some((number.name.len(), (at, rest)))
    });
    found.max_by_key(|(length, _)| *length).map(|(_, found)| found)
}
