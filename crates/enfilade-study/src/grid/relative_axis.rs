//! Relative values: `armour = { change = [-1, 0, 1] }` varies the number that the contest would
//! otherwise have: the printed armour of any named target, and one less and one more. `drm = { of =
//! 2, change = [0, 1] }` is 2 and 3, and a modifier that is named in `modifiers` is changed from
//! its printed number.

use toml::{Table, Value as Toml};

use crate::grid::{Axis, OF, number_of_parts};
use enfilade_model::catalogue::Action;
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::{Fault, Fields, Form, Kind, Value};

/// Resolves the changes of a cell: returns its table with the sums at the paths of the changed
/// numbers.
///
/// # Errors
/// Faults of the table without the changes, missing numbers, and sums out of bounds.
pub fn settled(
    action: &Action,
    axes: &[Axis],
    positions: &[usize],
    table: &Table,
) -> Result<Table, Vec<Fault>> {
    let relative = || axes.iter().zip(positions).filter(|(axis, _)| axis.relative);
    let mut settled = table.clone();
    // Filled in without the changes first: a printed number may depend on any other field.
    for (axis, _) in relative() {
        axis.put(&mut settled, axis.base.clone());
    }
    let form = Form::fill(&action.fields, &settled).map_err(|faults| unsaid(axes, faults))?;
    let mut faults = Vec::new();
    for (axis, &position) in relative() {
        match changed(action, axis, position, &form) {
            Ok(number) => axis.put(&mut settled, Some(number)),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(settled) } else { Err(faults) }
}

/// Returns the number of a field with its change.
fn changed(action: &Action, axis: &Axis, position: usize, form: &Form) -> Result<Toml, Fault> {
    let kind = kind(&action.fields, &axis.path);
    let (bound, step) = match &kind {
        Some(Kind::Int(bound)) => (bound, 64),
        Some(Kind::Fraction(bound)) => (bound, 1),
        _ => return Err(nothing(axis)),
    };
    let otherwise = match axis.find(form) {
        Some(Value::Int(number)) => Some(64 * number),
        Some(Value::Fraction(parts)) => Some(parts),
        _ => (action.otherwise)(form, &axis.path).map(|number| step * number),
    };
    let Some(otherwise) = otherwise else {
        return Err(nothing(axis));
    };
    let by = parts(&axis.values[position]);
    within(bound, axis, otherwise, by)?;
    Ok(number_of_parts(otherwise + by))
}

fn within(bound: &Bound, axis: &Axis, otherwise: i64, by: i64) -> Result<(), Fault> {
    let sum = otherwise + by;
    if (64 * bound.low..=64 * bound.high).contains(&sum) {
        return Ok(());
    }
    let [otherwise, by, sum] = [otherwise, by, sum].map(number_of_parts);
    let problem = format!(
        "changed by {by}, {otherwise} is {sum}, and the {} must be {} to {}",
        bound.name, bound.low, bound.high
    );
    Err(Fault::new(axis.path.clone(), problem))
}

fn nothing(axis: &Axis) -> Fault {
    let problem = "no number to change: no named unit or weapon defines this field";
    Fault::new(axis.path.clone(), problem).help("give the values themselves, such as [4, 5, 6]")
}

/// Drops the faults of missing numbers that are changed; a fault of a given number is reported at
/// its own path.
fn unsaid(axes: &[Axis], faults: Vec<Fault>) -> Vec<Fault> {
    let of = |fault: &Fault| axes.iter().find(|axis| axis.relative && axis.path == fault.path);
    let told = |fault: Fault| match of(&fault).map(|axis| (axis, &axis.base)) {
        None | Some((_, Some(Toml::Boolean(_)))) => fault,
        Some((axis, None)) => nothing(axis),
        Some((axis, Some(_))) => Fault { path: format!("{}.{OF}", axis.path), ..fault },
    };
    faults.into_iter().map(told).collect()
}

/// Returns the type of the field with this path.
fn kind(fields: &Fields, path: &str) -> Option<Kind> {
    let (outer, inner) = path.split_once('.').map_or((path, None), |(o, i)| (o, Some(i)));
    let field = fields.get(outer.split_once('[').map_or(outer, |(name, _)| name))?;
    match (&field.kind, inner) {
        (kind, None) => Some(kind.clone()),
        (Kind::Entries(_, bound), Some(_)) => Some(Kind::Int(bound.clone())),
        (Kind::Table(fields) | Kind::Tables(fields, _), Some(inner)) => self::kind(fields, inner),
        _ => None,
    }
}

fn parts(number: &Toml) -> i64 {
    match number {
        Toml::Integer(number) => 64 * number,
        Toml::Float(number) => (number * 64.0) as i64,
        _ => 0,
    }
}
