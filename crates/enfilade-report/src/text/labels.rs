//! Labels for players: the axes of a grid and their values, a cell, an outcome, a measure.
//!
//! Names of parameters and columns are for files. Texts for people use the labels of the rulebook.

use std::borrow::Borrow;

use enfilade_model::combat::{MeasureHead, OutcomeFieldHead};
use enfilade_model::form::sanitize::is_control_or_invisible;
use enfilade_model::form::{Field, FieldType, Value, name_in_words};
use enfilade_model::static_or_shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::grid::CHANGE_KEY;

/// Sanitizes a text from a file: characters that would control a terminal are replaced by `�`.
pub fn replace_control_chars(text: &str) -> String {
    text.chars().map(|c| if is_control_or_invisible(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns the title of an experiment; one without a name has that of its file, with spaces between
/// the words.
pub fn experiment_name_with_spaces(name: &str) -> String {
    replace_control_chars(&name.replace('_', " "))
}

/// Returns the label of a parameter of a cell, with its table if there are several tables, or
/// another parameter with that label: "morale", "morale (target 2)", "range (firer)".
pub fn label_of_parameter(cell: &Answer, path: &str) -> String {
    axis_label_beside(cell, path, &[])
}

/// Returns the label of a parameter beside others that need not be axes of the cell.
fn axis_label_beside(cell: &Answer, path: &str, others: &[(String, Value)]) -> String {
    if let Some(of) = path_of_change_axis(cell, path) {
        return format!("{} {CHANGE_KEY}", axis_label_beside(cell, of, others));
    }
    let name = axis_name(cell, path);
    let twin = |other: &str| other != path && axis_name(cell, other) == name;
    let alike = |table: &str| {
        let top = last_non_number_of_path(path);
        table.split('.').any(|word| word.parse::<u32>().is_ok())
            || field_at_path(cell, top).is_some() && twin(top)
            || cell.axes.iter().chain(others).any(|(other, _)| twin(other))
    };
    let text = match path.rsplit_once('.') {
        Some((table, _)) if alike(table) => format!("{name} ({})", table.replace(['.', '_'], " ")),
        _ => name,
    };
    replace_control_chars(&text)
}

fn axis_name(cell: &Answer, path: &str) -> String {
    match (field_at_path(cell, path), path_of_change_axis(cell, path)) {
        (Some(field), _) => field.display_name().to_string(),
        (None, Some(of)) => format!("{} {CHANGE_KEY}", axis_name(cell, of)),
        (None, None) => {
            name_in_words(&Text::from(last_non_number_of_path(path).to_owned())).to_string()
        }
    }
}

/// Returns the field at a path; `None` for an entry of a table with free names.
fn field_at_path<'a>(cell: &'a Answer, path: &str) -> Option<&'a Field> {
    cell.action
        .fields
        .find_field_at_path(path)
        .filter(|field| field.name == last_non_number_of_path(path))
}

/// Returns the path that an axis changes; `None` for an axis that is a value itself.
fn path_of_change_axis<'a>(cell: &Answer, path: &'a str) -> Option<&'a str> {
    let (of, last) = path.rsplit_once('.')?;
    (last == CHANGE_KEY && field_at_path(cell, path).is_none()).then_some(of)
}

/// Returns the last word of a path: "morale" of `target.2.morale`, "weapons" of `weapons.3`.
fn last_non_number_of_path(path: &str) -> &str {
    let words = path.rsplit('.').find(|word| word.parse::<u32>().is_err());
    words.unwrap_or(path)
}

/// Returns the label of an axis with its unit: "range, hexes".
pub fn axis_label_with_unit(cell: &Answer, path: &str) -> String {
    let name = label_of_parameter(cell, path);
    match field_at_path(cell, path).map(|field| &*field.unit) {
        Some(unit) if !unit.is_empty() && !name.contains(unit) => {
            format!("{name}, {}", replace_control_chars(unit))
        }
        _ => name,
    }
}

/// Returns the label of a value of an axis: "−1", "+2", "yes", "in Cover".
pub fn value_label(cell: &Answer, path: &str, value: &Value) -> String {
    let field = field_at_path(cell, path);
    match (value, field) {
        (Value::Int(_), _) | (_, None) => format_axis_number(
            value,
            are_axis_values_signed(field, &[value]) || path_of_change_axis(cell, path).is_some(),
        ),
        (_, Some(field)) => replace_control_chars(&field.display_value(value)),
    }
}

/// Whether the values of an axis are modifiers, which have a sign: some value is negative, or the
/// field accepts a modifier of the die.
pub fn are_axis_values_signed(field: Option<&Field>, values: &[&Value]) -> bool {
    let negative = |value: &&Value| matches!(value, Value::Int(n) if *n < 0);
    let modifier = field.is_some_and(|field| match &field.kind {
        // The bounds of a field that accepts any number, such as a cell of a rulebook, prove
        // nothing.
        FieldType::Int(bound) => (-100..0).contains(&bound.low),
        FieldType::Entries(..) => true,
        _ => false,
    });
    let numbers = values.iter().all(|value| matches!(value, Value::Int(_)));
    numbers && (modifier || values.iter().any(negative))
}

/// Formats a value without a word for it: whole numbers with a true minus, and with a plus if the
/// axis is signed; switches as yes and no.
pub fn format_axis_number(value: &Value, signed: bool) -> String {
    match value {
        Value::Int(n) if signed && *n > 0 => format!("+{n}"),
        Value::Int(n) if *n < 0 => format!("−{}", n.unsigned_abs()),
        Value::Flag(on) => if *on { "yes" } else { "no" }.to_owned(),
        other => replace_control_chars(&other.to_string()),
    }
}

/// Formats parameters with their values: "firepower 8", "range (attack 2) 3".
pub fn parameter_phrases(cell: &Answer, pairs: &[(String, Value)]) -> Vec<String> {
    let describe = |(path, value): &(String, Value)| {
        let name = axis_label_beside(cell, path, pairs);
        join_name_and_value(name, &value_label(cell, path, value), value).trim().to_owned()
    };
    pairs.iter().map(describe).collect()
}

/// Formats a place on an axis: "firepower 8", "prone: no", "in the open".
pub fn axis_value_phrase(cell: &Answer, path: &str, value: &Value) -> String {
    join_name_and_value(label_of_parameter(cell, path), &value_label(cell, path, value), value)
}

fn join_name_and_value(name: String, text: &str, value: &Value) -> String {
    match value {
        // A switch with special words for yes and no needs no name.
        Value::Flag(_) if !["yes", "no"].contains(&text) => text.to_owned(),
        Value::Text(_) | Value::Flag(_) => format!("{name}: {text}"),
        _ => format!("{name} {text}"),
    }
}

/// Describes the place of a cell on its grid: "firepower 8, modifier −1".
pub fn describe_cell_place(cell: &Answer) -> String {
    if cell.axes.is_empty() {
        replace_control_chars(&cell.name)
    } else {
        describe_place_on_axes(cell, cell.axes.iter())
    }
}

/// Describes the place of a cell among `others`, without the axes on which they are all equal.
pub fn cell_place_among_others(cell: &Answer, others: &[impl Borrow<Answer>]) -> String {
    let differs =
        |axis: &&(String, Value)| others.iter().any(|other| !other.borrow().axes.contains(axis));
    let phrase = describe_place_on_axes(cell, cell.axes.iter().filter(differs));
    if phrase.is_empty() { describe_cell_place(cell) } else { phrase }
}

/// Describes the place of a cell on some of its axes.
pub fn describe_place_on_axes<'a>(
    cell: &Answer,
    axes: impl Iterator<Item = &'a (String, Value)>,
) -> String {
    let axes = axes.map(|(path, value)| axis_value_phrase(cell, path, value));
    axes.collect::<Vec<_>>().join(", ")
}

/// Describes an outcome: "1 unit eliminated, 2 units broken"; zeros are left out. An outcome of
/// zeros has the rulebook's word, "steady", or "nothing".
pub fn describe_outcome(fields: &[OutcomeFieldHead], values: &[i32]) -> String {
    let pairs = fields.iter().zip(values).filter(|(_, value)| **value != 0);
    let texts: Vec<_> = pairs.map(|(field, value)| describe_field_count(field, *value)).collect();
    if !texts.is_empty() {
        return texts.join(", ");
    }
    let otherwise = fields.iter().map(|field| &*field.otherwise).filter(|text| !text.is_empty());
    let otherwise: Vec<_> = otherwise.collect();
    if otherwise.is_empty() { "nothing".to_owned() } else { otherwise.join(", ") }
}

/// Describes a number of an outcome field: "2 units broken", "breached", "damage: 8 points".
pub fn describe_field_count(field: &OutcomeFieldHead, n: i32) -> String {
    let (label, unit) = (field.display_name(), &*field.unit);
    if unit.is_empty() {
        return match n {
            1 if !(field.tries || field.counts) => label.to_string(),
            _ => format!("{label}: {n}"),
        };
    }
    match label.strip_prefix(unit) {
        Some(rest) if n == 1 => format!("1 {}{rest}", singular_of_unit(unit)),
        Some(_) => format!("{n} {label}"),
        None if label.contains(unit) => format!("{label}: {n}"),
        None if n == 1 => format!("{label}: 1 {}", singular_of_unit(unit)),
        None => format!("{label}: {n} {unit}"),
    }
}

/// Returns the singular: "unit" of "units".
fn singular_of_unit(unit: &str) -> String {
    let endings = [("men", "man"), ("inches", "inch"), ("ss", "ss"), ("s", "")];
    let ending = endings.iter().find(|(many, _)| unit.ends_with(many));
    ending.map_or(unit.to_owned(), |(many, one)| {
        format!("{}{one}", unit.strip_suffix(many).unwrap_or(unit))
    })
}

/// Returns the label of a measure: "any break".
pub fn measure_label(head: &MeasureHead) -> String {
    replace_control_chars(&head.display_name())
}

/// Returns the label of a measure with the sign of its unit: "any break, %".
pub fn measure_label_with_unit(head: &MeasureHead) -> String {
    match head.kind.unit_sign() {
        "" => measure_label(head),
        sign => format!("{}, {sign}", measure_label(head)),
    }
}

/// Capitalizes the first letter of a sentence.
pub fn capitalize_first(sentence: &str) -> String {
    let mut chars = sentence.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn axes_and_values_have_the_labels_of_their_fields() {
        let mut cell = test_answers::build_grid().remove(0);
        assert_eq!(label_of_parameter(&cell, "fp"), "firepower");
        assert_eq!(label_of_parameter(&cell, "target.morale"), "morale level");
        // Both the contest and a firer have a range.
        assert_eq!(
            (label_of_parameter(&cell, "range"), label_of_parameter(&cell, "firer.range")),
            ("range".into(), "range (firer)".into())
        );
        assert_eq!(label_of_parameter(&cell, "modifiers.light_woods"), "light woods");
        assert_eq!(
            axis_value_phrase(&cell, "drm", &Value::Int(-1)),
            format!("{} −1", label_of_parameter(&cell, "drm"))
        );
        assert_eq!(value_label(&cell, "drm", &Value::Int(2)), "+2");
        assert_eq!(value_label(&cell, "fp", &Value::Int(8)), "8");
        assert_eq!(value_label(&cell, "point_blank", &Value::Flag(false)), "no");
        let morale = |path: &str| (path.to_owned(), Value::Int(7));
        cell.axes = vec![morale("target.1.morale"), morale("target.2.morale")];
        assert_eq!(label_of_parameter(&cell, "target.2.morale"), "morale level (target 2)");
        // Parameters that are only listed together are also labelled by their tables.
        cell.axes.clear();
        let kind = |of: &str, word: &str| (format!("{of}.kind"), Value::Text(word.to_owned()));
        let kinds = [kind("attacker", "guards"), kind("defender", "militia")];
        assert_eq!(parameter_phrases(&cell, &kinds[..1]), ["kind: guards"]);
        let both = ["kind (attacker): guards", "kind (defender): militia"];
        assert_eq!(parameter_phrases(&cell, &kinds), both);
    }

    #[test]
    fn modifiers_carry_their_sign() {
        let cell = &test_answers::build_grid()[0];
        let drm = cell.action.fields.find_field_at_path("drm");
        assert!(are_axis_values_signed(drm, &[&Value::Int(1)]));
        let fp = cell.action.fields.find_field_at_path("fp");
        assert!(!are_axis_values_signed(fp, &[&Value::Int(1)]));
        assert!(are_axis_values_signed(None, &[&Value::Int(1), &Value::Int(-1)]));
        assert_eq!(format_axis_number(&Value::Int(2), true), "+2");
        assert_eq!(format_axis_number(&Value::Int(0), true), "0");
        assert_eq!(format_axis_number(&Value::Int(-2), true), "−2");
        assert_eq!(format_axis_number(&Value::Int(2), false), "2");
        assert_eq!(format_axis_number(&Value::Flag(true), false), "yes");
    }

    #[test]
    fn what_is_counted_is_said_as_one_says_it() {
        let fields = test_answers::build_single()[0].fields.clone();
        let head = |label: &'static str, unit: &'static str| OutcomeFieldHead {
            label: label.into(),
            unit: unit.into(),
            ..fields[0].clone()
        };
        let said = |label, unit, n| describe_field_count(&head(label, unit), n);
        assert_eq!(said("units broken", "units", 1), "1 unit broken");
        assert_eq!(said("units broken", "units", 2), "2 units broken");
        assert_eq!(said("dead", "troopers", 1), "dead: 1 trooper");
        assert_eq!(said("damage", "points", 8), "damage: 8 points");
        assert_eq!(said("breached", "", 1), "breached");
        assert_eq!(said("heroes and men wounded", "men", 3), "heroes and men wounded: 3");
        let fields = [head("units eliminated", "units"), head("units broken", "units")];
        assert_eq!(describe_outcome(&fields, &[1, 2]), "1 unit eliminated, 2 units broken");
        assert_eq!(describe_outcome(&fields, &[0, 0]), "nothing");
    }
}
