//! Short labels of files and fields, as a card prints them: `target.morale` is "morale", `fp` is
//! "FP", modifiers have their sign.

use crate::text::labels;
use crate::text::sentences::replace_control_chars;
use enfilade_model::form::{Field, Value};
use enfilade_study::file::experiment_file::CHANGES_KEY;

/// Returns the short label of an axis: the last word of its path, in the spelling of the rulebook
/// if it is also the field's label, with short abbreviations in capitals.
///
/// A changed cell of a rulebook is named with its row and its table: `change.weapons.lmg.shots` is
/// "weapons lmg shots".
pub fn short_axis_label(path: &str, field: Option<&Field>) -> String {
    if let Some(cell) = rulebook_cell_of_axis(path) {
        return replace_control_chars(&cell.replace("..", "–").replace(['.', '_'], " "));
    }
    if let Some(of) = path.strip_suffix(".change") {
        return format!("{} change", short_axis_label(of, field));
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let label = field.map(|field| &*field.label);
    match label.filter(|label| label.eq_ignore_ascii_case(last)) {
        Some(label) => replace_control_chars(label),
        None => replace_control_chars(&name_as_short_label(last)),
    }
}

/// Appends the number of the table in its path to a name: `target.2.morale` is "morale 2".
pub fn append_number_from_path(name: String, path: &str) -> String {
    let number = path.split('.').find(|key| key.parse::<usize>().is_ok());
    match number.filter(|_| rulebook_cell_of_axis(path).is_none()) {
        Some(number) => format!("{name} {number}"),
        None => name,
    }
}

/// Returns the cell of a rulebook that an axis changes.
fn rulebook_cell_of_axis(path: &str) -> Option<&str> {
    path.strip_prefix(CHANGES_KEY)?.strip_prefix('.')
}

/// Converts a name of the program to words: `e_losses` is "e losses", `fp` is "FP".
fn name_as_short_label(name: &str) -> String {
    let vowel = |c| "aeiouy".contains(c);
    if name.len() <= 3 && !(name.len() == 3 && name.contains(vowel)) {
        return name.to_uppercase();
    }
    name.replace('_', " ")
}

/// Returns the rulebook's label of a value on an axis: the text of a word, the words for no and
/// yes; numbers with their sign if the axis is signed.
pub fn short_value_label(field: Option<&Field>, value: &Value, signed: bool) -> String {
    match field.filter(|_| !matches!(value, Value::Int(_))) {
        Some(field) => replace_control_chars(&field.display_value(value)),
        None => labels::format_axis_number(value, signed),
    }
}

/// Returns the label of a value with the name of the axis, unless the label alone is clear.
pub fn label_with_axis_name(
    name: &str,
    field: Option<&Field>,
    value: &Value,
    signed: bool,
) -> String {
    let text = short_value_label(field, value, signed);
    match value {
        Value::Flag(_) if !["yes", "no"].contains(&&*text) => text,
        _ => format!("{name} {text}"),
    }
}

/// Returns a number on an axis for a sentence; `None` for words.
pub fn axis_value_as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(n) => Some(*n as f64),
        Value::Fraction(parts) => Some(*parts as f64 / 64.0),
        Value::Die(sides) => Some(f64::from(*sides)),
        _ => None,
    }
}

/// Removes the folders that all names share: of `A/x/1` and `A/y/2`, `x/1` and `y/2` remain. The
/// rest of a path is joined by commas: `x, 1`.
pub fn strip_common_folders(names: &mut [String]) {
    while let Some(folder) = end_of_common_first_folder(names) {
        for name in names.iter_mut() {
            name.replace_range(..=folder, "");
        }
    }
    for name in names {
        *name = name.replace('/', ", ");
    }
}

/// Returns the end of the first folder of all names, if it is equal.
fn end_of_common_first_folder(names: &[String]) -> Option<usize> {
    let first = names.first()?;
    let end = first.find('/')?;
    let same = |name: &String| name.get(..=end) == first.get(..=end);
    (names.len() > 1 && names.iter().all(same)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_words() {
        const PEN: Field = Field::new_switch_with_default("pen", false, "").with_player_name("PEN");
        const HULL: Field =
            Field::new_switch_with_default("hull", false, "").with_player_name("hull points");
        let plain = |path| short_axis_label(path, None);
        assert_eq!(plain("fp"), "FP");
        assert_eq!(plain("drm"), "DRM");
        assert_eq!(short_axis_label("pen", Some(&PEN)), "PEN");
        assert_eq!(short_axis_label("hull", Some(&HULL)), "hull");
        assert_eq!(plain("target.morale"), "morale");
        assert_eq!(plain("target.2.broken_morale"), "broken morale");
        assert_eq!(append_number_from_path("morale".into(), "target.2.morale"), "morale 2");
        assert_eq!(append_number_from_path("FP".into(), "fp"), "FP");
        let cell = "change.to_hit.long.2..4";
        assert_eq!(append_number_from_path(short_axis_label(cell, None), cell), "to hit long 2–4");
        assert_eq!(plain("arc"), "arc");
    }

    #[test]
    fn common_folders_are_said_elsewhere() {
        let mut names = ["A/x/1", "A/x/2", "A/y/1"].map(str::to_owned);
        strip_common_folders(&mut names);
        assert_eq!(names, ["x, 1", "x, 2", "y, 1"]);
        let mut alone = ["A/x".to_owned()];
        strip_common_folders(&mut alone);
        assert_eq!(alone, ["A, x"]);
    }
}
