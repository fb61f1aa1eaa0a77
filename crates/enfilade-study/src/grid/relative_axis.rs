//! Relative values: `armour = { change = [-1, 0, 1] }` varies the number that the contest would
//! otherwise have: the printed armour of any named target, and one less and one more. `drm = { of =
//! 2, change = [0, 1] }` is 2 and 3, and a modifier that is named in `modifiers` is changed from
//! its printed number.

use toml::{Table, Value as Toml};

use crate::grid::{GridAxis, OF_KEY, toml_number_from_64ths};
use enfilade_model::catalogue::RulebookAction;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{Fault, FieldType, Fields, Form, Value};

/// Resolves the changes of a cell: returns its table with the sums at the paths of the changed
/// numbers.
///
/// # Errors
/// Faults of the table without the changes, missing numbers, and sums out of bounds.
pub fn resolve_relative_changes(
    action: &RulebookAction,
    axes: &[GridAxis],
    positions: &[usize],
    table: &Table,
) -> Result<Table, Vec<Fault>> {
    let relative = || axes.iter().zip(positions).filter(|(axis, _)| axis.relative);
    let mut settled = table.clone();
    // Filled in without the changes first: a printed number may depend on any other field.
    for (axis, _) in relative() {
        axis.replace_or_remove_value(&mut settled, axis.base.clone());
    }
    let form = Form::from_table_with_defaults(&action.fields, &settled)
        .map_err(|faults| reword_missing_number_faults(axes, faults))?;
    let mut faults = Vec::new();
    for (axis, &position) in relative() {
        match number_with_change(action, axis, position, &form) {
            Ok(number) => axis.replace_or_remove_value(&mut settled, Some(number)),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(settled) } else { Err(faults) }
}

/// Returns the number of a field with its change.
fn number_with_change(
    action: &RulebookAction,
    axis: &GridAxis,
    position: usize,
    form: &Form,
) -> Result<Toml, Fault> {
    let kind = find_field_type(&action.fields, &axis.path);
    let (bound, step) = match &kind {
        Some(FieldType::Int(bound)) => (bound, 64),
        Some(FieldType::Fraction(bound)) => (bound, 1),
        _ => return Err(no_number_to_change_fault(axis)),
    };
    let otherwise = match axis.value_in_form(form) {
        Some(Value::Int(number)) => Some(64 * number),
        Some(Value::Fraction(parts)) => Some(parts),
        _ => (action.otherwise)(form, &axis.path).map(|number| step * number),
    };
    let Some(otherwise) = otherwise else {
        return Err(no_number_to_change_fault(axis));
    };
    let by = toml_number_to_64ths(&axis.values[position]);
    check_changed_number(bound, axis, otherwise, by)?;
    Ok(toml_number_from_64ths(otherwise + by))
}

fn check_changed_number(
    bound: &IntRange,
    axis: &GridAxis,
    otherwise: i64,
    by: i64,
) -> Result<(), Fault> {
    let sum = otherwise + by;
    if (64 * bound.low..=64 * bound.high).contains(&sum) {
        return Ok(());
    }
    let [otherwise, by, sum] = [otherwise, by, sum].map(toml_number_from_64ths);
    let problem = format!(
        "changed by {by}, {otherwise} is {sum}, and the {} must be {} to {}",
        bound.name, bound.low, bound.high
    );
    Err(Fault::new(axis.path.clone(), problem))
}

fn no_number_to_change_fault(axis: &GridAxis) -> Fault {
    let problem = "no number to change: no named unit or weapon defines this field";
    Fault::new(axis.path.clone(), problem)
        .with_help("give the values themselves, such as [4, 5, 6]")
}

/// Drops the faults of missing numbers that are changed; a fault of a given number is reported at
/// its own path.
fn reword_missing_number_faults(axes: &[GridAxis], faults: Vec<Fault>) -> Vec<Fault> {
    let of = |fault: &Fault| axes.iter().find(|axis| axis.relative && axis.path == fault.path);
    let describe_missing = |fault: Fault| match of(&fault).map(|axis| (axis, &axis.base)) {
        None | Some((_, Some(Toml::Boolean(_)))) => fault,
        Some((axis, None)) => no_number_to_change_fault(axis),
        Some((axis, Some(_))) => Fault { path: format!("{}.{OF_KEY}", axis.path), ..fault },
    };
    faults.into_iter().map(describe_missing).collect()
}

/// Returns the type of the field with this path.
fn find_field_type(fields: &Fields, path: &str) -> Option<FieldType> {
    let (outer, inner) = path.split_once('.').map_or((path, None), |(o, i)| (o, Some(i)));
    let field = fields.get(outer.split_once('[').map_or(outer, |(name, _)| name))?;
    match (&field.kind, inner) {
        (kind, None) => Some(kind.clone()),
        (FieldType::Entries(_, bound), Some(_)) => Some(FieldType::Int(bound.clone())),
        (FieldType::Table(fields) | FieldType::Tables(fields, _), Some(inner)) => {
            self::find_field_type(fields, inner)
        }
        _ => None,
    }
}

fn toml_number_to_64ths(number: &Toml) -> i64 {
    match number {
        Toml::Integer(number) => 64 * number,
        Toml::Float(number) => (number * 64.0) as i64,
        _ => 0,
    }
}
