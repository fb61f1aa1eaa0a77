//! The numbers that may be changed, and the contests that they are numbers of.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{Action, Contest, System};
use enfilade_model::form::{Fault, Form, Kind};

use crate::places::Place;
use crate::text::{number, plain};

/// A number that may be changed.
#[derive(Clone, Debug)]
pub struct ChangedNumber {
    /// Its name, as the file has it.
    pub name: String,
    /// The values that it may have.
    pub values: Vec<Toml>,
    /// What it is now.
    pub now: Option<Toml>,
    /// By contest: where it stands.
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
    /// What is resolved.
    pub(crate) action: Arc<Action>,
    /// Its table as the file has it, with what is changed in all contests.
    pub(crate) table: Table,
    /// Each with its place on the axes and the table of its contests.
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
    /// The place of what it is now among its values.
    pub fn now_at(&self) -> Option<usize> {
        self.values.iter().position(|value| Some(value) == self.now.as_ref())
    }

    /// The value that it has where nothing hangs on it.
    pub(crate) fn base(&self) -> usize {
        self.now_at().unwrap_or(0)
    }

    /// Steps from what it is now to a value; 0 for what it is.
    pub(crate) fn steps(&self, at: usize) -> u64 {
        if let Some(now) = self.now_at() {
            return now.abs_diff(at) as u64;
        }
        // It stands between its values, or beside them.
        let now = self.now.as_ref().and_then(number);
        let values = self.values.iter().map(number);
        let below = values.flatten().filter(|value| now.is_some_and(|now| *value < now)).count();
        match at < below {
            true => (below - at) as u64,
            false => (at - below + 1) as u64,
        }
    }

    /// A value as people read it.
    pub fn shown(&self, at: usize) -> String {
        self.values.get(at).map(plain).unwrap_or_default()
    }

    /// What it is now, as people read it.
    pub fn shown_now(&self) -> String {
        self.now.as_ref().map_or_else(|| "–".to_owned(), plain)
    }
}

impl SeekContest {
    /// The form of a design in a circumstance: `values` gives the value of each number by its place.
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

    /// The contest of a form, whatever its conditions say where the rule can be asked so.
    pub(crate) fn contest(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        match &self.action.probe {
            Some(probe) => probe.unchecked(form),
            None => self.action.contest(form),
        }
    }

    /// Whether its conditions are held for whole designs, and not cell by cell.
    pub(crate) fn has_lifted_checks(&self) -> bool {
        self.action.probe.as_ref().is_some_and(|probe| probe.has_checks())
    }
}

/// The values that a table or a list of a file names; nothing where it names none.
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

/// At most so many values of one number.
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
        return Err("`from`, `to` and `by` are numbers".to_owned());
    };
    let count = ((to - from) / by + 1e-9).floor();
    match by > 0.0 && (0.0..=MOST as f64).contains(&count) {
        true => Ok((0..=count as i64).map(|step| Toml::Float(from + step as f64 * by)).collect()),
        false => Err(format!("from {from} to {to} by {by} there are no values, or too many")),
    }
}

/// Every value that a field can have.
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

/// What wants and orders are read with.
pub(crate) struct Given<'g> {
    pub contests: &'g [SeekContest],
    pub numbers: &'g [ChangedNumber],
    pub weights: &'g Table,
}

/// Whether a name is a number that may be changed, or a column of the row that one names.
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
