//! The numbers that may change, and the contests that they belong to.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{Contest, RulebookAction, System};
use enfilade_model::form::{Fault, FieldType, Form};

use crate::number_path::NumberPath;
use crate::value_text::{text_without_quotes, toml_as_number};

/// The key of actions that follow.
pub(crate) const FOLLOW_UPS_KEY: &str = "then";

/// A number that may change.
#[derive(Clone, Debug)]
pub struct ChangeableNumber {
    /// Its name, as the file has it.
    pub name: String,
    /// The values that it may have.
    pub values: Vec<Toml>,
    /// Its current value.
    pub now: Option<Toml>,
    /// By contest: its path.
    pub(crate) places: Vec<Option<NumberPath>>,
    /// By row that it may name: the printed numbers of that row.
    pub(crate) columns: Vec<(String, Vec<(String, f64)>)>,
}

/// A contest with its circumstances.
#[derive(Clone, Debug)]
pub struct ContestWithCircumstances {
    /// Its name.
    pub name: String,
    /// Its rulebook.
    pub system: Arc<System>,
    /// Its action, with those that follow.
    pub(crate) action: Arc<RulebookAction>,
    /// The name of its action in the file.
    pub(crate) action_name: String,
    /// The actions that follow, as the file has them.
    pub(crate) follow_ups: Option<Toml>,
    /// Its table in the file, with the changes of all contests.
    pub(crate) table: Table,
    /// The circumstances, each with its place on the axes and the table of its contests.
    pub circumstances: Vec<UnchangedAxisValues>,
}

/// One place on the axes of a contest that are not changed.
#[derive(Clone, Debug)]
pub struct UnchangedAxisValues {
    /// Axis and value.
    pub at: Vec<(String, Toml)>,
    pub(crate) table: Table,
}

impl ChangeableNumber {
    /// Index of the current value among its values.
    pub fn index_of_current_value(&self) -> Option<usize> {
        self.values.iter().position(|value| Some(value) == self.now.as_ref())
    }

    /// Index of the value that is used if nothing depends on the number.
    pub(crate) fn index_of_fallback(&self) -> usize {
        self.index_of_current_value().unwrap_or(0)
    }

    /// Number of steps from the current value to another; 0 for the current value.
    pub(crate) fn steps_from_current(&self, at: usize) -> u64 {
        if let Some(now) = self.index_of_current_value() {
            return now.abs_diff(at) as u64;
        }
        // The current value lies between its values, or beyond them.
        let now = self.now.as_ref().and_then(toml_as_number);
        let values = self.values.iter().map(toml_as_number);
        let below = values.flatten().filter(|value| now.is_some_and(|now| *value < now)).count();
        match at < below {
            true => (below - at) as u64,
            false => (at - below + 1) as u64,
        }
    }

    /// Formats a value for people.
    pub fn format_value(&self, at: usize) -> String {
        self.values.get(at).map(text_without_quotes).unwrap_or_default()
    }

    /// Formats the current value for people.
    pub fn format_current_value(&self) -> String {
        self.now.as_ref().map_or_else(|| "–".to_owned(), text_without_quotes)
    }
}

impl ContestWithCircumstances {
    /// Builds the form of a design in a circumstance: `values` gives the value of each number by
    /// its index.
    pub(crate) fn fill_form_with_design(
        &self,
        circumstance: usize,
        numbers: &[ChangeableNumber],
        side: usize,
        values: &dyn Fn(usize) -> usize,
    ) -> Result<Form, Vec<Fault>> {
        let mut table = self.circumstances[circumstance].table.clone();
        for (at, number) in numbers.iter().enumerate() {
            if let Some(place) = &number.places[side] {
                place.set_value(&mut table, number.values[values(at)].clone());
            }
        }
        Form::from_table_with_defaults(&self.action.fields, &table)
    }

    /// Builds the contest of a form, without its conditions if the rule allows that.
    pub(crate) fn build_contest_without_checks(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        match &self.action.probe {
            Some(probe) => probe.build_without_checks(form),
            None => self.action.build_contest(form),
        }
    }

    /// Whether a key of its table holds an action that follows.
    pub(crate) fn is_follow_up_key(&self, key: &str) -> bool {
        self.follow_ups.is_some() && key.starts_with(FOLLOW_UPS_KEY)
    }

    /// Whether its conditions are checked for whole designs, and not cell by cell.
    pub(crate) fn has_deferred_checks(&self) -> bool {
        self.action.probe.as_ref().is_some_and(|probe| probe.has_checks())
    }
}

/// Reads the values that a table or a list of a file names; `None` if it names none.
pub(crate) fn parse_value_list_or_range(
    value: &Toml,
    kind: &FieldType,
) -> Result<Vec<Toml>, String> {
    match value {
        Toml::Array(values) if !values.is_empty() => Ok(values.clone()),
        Toml::String(all) if all == "all" => all_values_of_field(kind)
            .ok_or_else(|| "its values cannot be counted: list them".to_owned()),
        Toml::Table(table) => match (table.get("list"), table.get("from"), table.get("to")) {
            (Some(list), ..) => parse_value_list_or_range(list, kind),
            (None, Some(from), Some(to)) => values_of_range(from, to, table.get("by")),
            _ => Err("expected `{ from = 2, to = 6 }` or a list of values".to_owned()),
        },
        _ => Err("expected a list of values, `{ from = 2, to = 6 }` or \"all\"".to_owned()),
    }
}

/// The largest number of values of one number.
const MAX_VALUES_OF_NUMBER: i64 = 1000;

fn values_of_range(from: &Toml, to: &Toml, by: Option<&Toml>) -> Result<Vec<Toml>, String> {
    let by = by.unwrap_or(&Toml::Integer(1));
    if let (Toml::Integer(from), Toml::Integer(to), Toml::Integer(by)) = (from, to, by) {
        let count = to.checked_sub(*from).map(|span| span / by.max(&1));
        return match count {
            Some(0..=MAX_VALUES_OF_NUMBER) if *by > 0 => {
                Ok((*from..=*to).step_by(*by as usize).map(Toml::Integer).collect())
            }
            Some(n) if n > MAX_VALUES_OF_NUMBER => {
                Err(format!("a number has at most {MAX_VALUES_OF_NUMBER} values"))
            }
            _ => Err(format!("from {from} to {to} by {by} there is no value")),
        };
    }
    let [Some(from), Some(to), Some(by)] = [from, to, by].map(toml_as_number) else {
        return Err("`from`, `to` and `by` must be numbers".to_owned());
    };
    let count = ((to - from) / by + 1e-9).floor();
    match by > 0.0 && (0.0..=MAX_VALUES_OF_NUMBER as f64).contains(&count) {
        true => Ok((0..=count as i64).map(|step| Toml::Float(from + step as f64 * by)).collect()),
        false => Err(format!("from {from} to {to} by {by} there are no values, or too many")),
    }
}

/// Lists every value that a field can have.
pub(crate) fn all_values_of_field(kind: &FieldType) -> Option<Vec<Toml>> {
    Some(match kind {
        FieldType::Flag => vec![false.into(), true.into()],
        FieldType::Int(bound) if bound.high - bound.low <= MAX_VALUES_OF_NUMBER => {
            (bound.low..=bound.high).map(Toml::Integer).collect()
        }
        FieldType::Numbers(numbers) => numbers.iter().map(|&n| n.into()).collect(),
        FieldType::Die(sides) => sides.iter().map(|d| format!("d{d}").into()).collect(),
        FieldType::Choice(words) => words.iter().map(Toml::from).collect(),
        FieldType::Name(names) | FieldType::Row(names, _) => {
            names.name_list().iter().map(Toml::from).collect()
        }
        _ => return None,
    })
}

/// The numbers and contests that wants and orders refer to.
pub(crate) struct SeekNumbersAndContests<'g> {
    pub contests: &'g [ContestWithCircumstances],
    pub numbers: &'g [ChangeableNumber],
    pub weights: &'g Table,
}

/// Finds a number that may change, or a column of the row that one names.
pub(crate) fn find_number_with_column<'n>(
    name: &'n str,
    numbers: &[ChangeableNumber],
) -> Option<(usize, &'n str)> {
    let matches = numbers.iter().enumerate().filter_map(|(at, number)| {
        let rest = name.strip_prefix(number.name.as_str())?;
        let rest = rest.strip_prefix('.').or(rest.is_empty().then_some(""))?;
        Some((number.name.len(), (at, rest)))
    });
    matches.max_by_key(|(length, _)| *length).map(|(_, found)| found)
}
