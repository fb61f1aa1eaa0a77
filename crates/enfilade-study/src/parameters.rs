//! Parameters of a contest in results: one JSON object, or flat named columns.

use serde_json::{Map, Value as Json};

use super::grid::CHANGE_KEY;
use enfilade_model::catalogue::RulebookAction;
use enfilade_model::form::{FieldType, Fields, Form, Value};
use enfilade_model::static_or_shared::Text;

/// Converts a form to a JSON object: numbers as numbers, fractions as decimals, dice as `"d8"`,
/// tables nested.
pub fn parameters_to_json(form: &Form) -> Json {
    let entries = form.fields_with_values();
    let entries = entries.map(|(name, value)| (name.to_string(), value_to_json(value)));
    Json::Object(entries.collect())
}

/// Converts one value to JSON.
pub fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Flag(on) => Json::from(*on),
        Value::Int(n) => Json::from(*n),
        Value::Fraction(parts) => Json::from(*parts as f64 / 64.0),
        Value::Die(sides) => Json::from(format!("d{sides}")),
        Value::Text(text) => Json::from(text.as_str()),
        Value::List(values) => values.iter().map(value_to_json).collect(),
        Value::Entries(entries) => {
            let numbers = entries.iter().map(|(name, n)| (name.clone(), Json::from(*n)));
            Json::Object(numbers.collect::<Map<_, _>>())
        }
        Value::Table(form) => parameters_to_json(form),
        Value::Tables(forms) => forms.iter().map(parameters_to_json).collect(),
    }
}

/// Flattens a form to columns: a field of an inner table is `target_morale`, with the table's
/// number if there are several, `target_2_morale`. Lists and named entries stay one value.
pub fn column_names_and_values(form: &Form) -> Vec<(String, Value)> {
    pair_names_with_values(form, column_names_of_form(form))
}

fn pair_names_with_values(form: &Form, names: Vec<String>) -> Vec<(String, Value)> {
    let mut values = Vec::new();
    visit_column_values(form, &mut |value| values.push(value.clone()));
    names.into_iter().zip(values).collect()
}

/// Returns the names of the columns of [`column_names_and_values`], in order.
pub fn column_names_of_form(form: &Form) -> Vec<String> {
    let mut names = Vec::new();
    collect_flat_parameter_names(form, "", '_', &mut names);
    names
}

/// Returns the paths of these columns in a file, in the same order: `target.morale`.
pub fn file_paths_of_columns(form: &Form) -> Vec<String> {
    let mut paths = Vec::new();
    collect_flat_parameter_names(form, "", '.', &mut paths);
    paths
}

/// Passes the value of each of these columns to `take`, in order.
pub fn visit_column_values<'a>(form: &'a Form, take: &mut impl FnMut(&'a Value)) {
    for (_, value) in form.fields_with_values() {
        match value {
            Value::Table(inner) => visit_column_values(inner, take),
            Value::Tables(several) => {
                several.iter().for_each(|inner| visit_column_values(inner, take))
            }
            plain => take(plain),
        }
    }
}

/// Returns whether two forms have the same columns, of the same types.
pub fn has_same_columns(a: &Form, b: &Form) -> bool {
    if let Some(mut apart) = a.value_pairs_that_may_differ(b) {
        return apart.all(|(x, y)| has_same_type(x, y));
    }
    let like = |((a, x), (b, y)): ((&Text, &Value), (&Text, &Value))| a == b && has_same_type(x, y);
    a.fields_with_values().count() == b.fields_with_values().count()
        && a.fields_with_values().zip(b.fields_with_values()).all(like)
}

fn has_same_type(x: &Value, y: &Value) -> bool {
    match (x, y) {
        (Value::Table(x), Value::Table(y)) => has_same_columns(x, y),
        (Value::Tables(x), Value::Tables(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| has_same_columns(x, y))
        }
        (x, y) => std::mem::discriminant(x) == std::mem::discriminant(y),
    }
}

/// Returns the columns of [`column_names_and_values`] in which a contest differs from the defaults
/// of its action: the text of its author.
pub fn non_default_columns(action: &RulebookAction, form: &Form) -> Vec<(String, Value)> {
    column_names_and_values(&remove_default_parameters(&action.fields, form))
}

/// Returns these columns with their paths in files: `target.2.morale`.
pub fn non_default_values_by_path(action: &RulebookAction, form: &Form) -> Vec<(String, Value)> {
    let chosen = remove_default_parameters(&action.fields, form);
    pair_names_with_values(&chosen, file_paths_of_columns(&chosen))
}

/// Removes the parameters that axes vary: the parameter at an axis, the one that it changes, and of
/// names with numbers (`modifiers.smoke`) the one that it names.
pub fn remove_axis_parameters<'a>(
    chosen: Vec<(String, Value)>,
    axes: impl Iterator<Item = &'a str>,
) -> Vec<(String, Value)> {
    // A single table may be numbered or not.
    let plain = |path: &str| path.replace(".1.", ".");
    let axes: Vec<_> = axes.map(plain).collect();
    let left = |(path, value): (String, Value)| {
        let own = plain(&path);
        let inner = || axes.iter().filter_map(|axis| axis.strip_prefix(&own));
        let varied = |rest: &str| rest.is_empty() || rest.strip_prefix('.') == Some(CHANGE_KEY);
        let value = match value {
            Value::Entries(mut entries) => {
                let named = |name: &str, rest: &str| {
                    let rest = rest.strip_prefix('.').unwrap_or_default();
                    let of = rest.rsplit_once('.').filter(|(_, last)| *last == CHANGE_KEY);
                    of.map_or(rest, |(of, _)| of).eq_ignore_ascii_case(name)
                };
                entries.retain(|(name, _)| !inner().any(|rest| named(name, rest)));
                (!entries.is_empty()).then_some(Value::Entries(entries))?
            }
            other => other,
        };
        (!inner().any(varied)).then_some((path, value))
    };
    chosen.into_iter().filter_map(left).collect()
}

/// Removes the parameters that have their defaults, in every table.
pub fn remove_default_parameters(fields: &Fields, form: &Form) -> Form {
    let parameters = form.fields_with_values().filter_map(|(name, value)| {
        let Some(field) = fields.get(name) else {
            return Some((name.clone(), value.clone()));
        };
        if field.default_value_if_any().as_ref() == Some(value) {
            return None;
        }
        let value = match (value, &field.kind) {
            (Value::Table(inner), FieldType::Table(fields)) => {
                Value::Table(remove_default_parameters(fields, inner))
            }
            (Value::Tables(several), FieldType::Tables(fields, _)) => {
                let several = several.iter().map(|inner| remove_default_parameters(fields, inner));
                Value::Tables(several.collect())
            }
            (plain, _) => plain.clone(),
        };
        Some((name.clone(), value))
    });
    Form::from_checked_entries(parameters.collect())
}

fn collect_flat_parameter_names(form: &Form, outer: &str, between: char, names: &mut Vec<String>) {
    for (name, value) in form.fields_with_values() {
        let name = format!("{outer}{name}");
        match value {
            Value::Table(inner) => {
                collect_flat_parameter_names(inner, &format!("{name}{between}"), between, names)
            }
            Value::Tables(several) => {
                for (index, inner) in several.iter().enumerate() {
                    let number = match several.len() {
                        // A single table needs no number, as in a file.
                        1 => String::new(),
                        _ => format!("{}{between}", index + 1),
                    };
                    collect_flat_parameter_names(
                        inner,
                        &format!("{name}{between}{number}"),
                        between,
                        names,
                    );
                }
            }
            _ => names.push(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_model::form::Field;

    fn unit(name: &str) -> Form {
        Form::from_checked_entries(vec![("unit", Value::Text(name.into()))])
    }

    #[test]
    fn json_keeps_the_kinds_apart() {
        let entries = vec![("smoke".to_owned(), 2)];
        let form = Form::from_checked_entries(vec![
            ("fp", Value::Fraction(160)),
            ("drm", Value::Int(-3)),
            ("die", Value::Die(8)),
            ("cowers", Value::Flag(false)),
            ("weapons", Value::List(vec![Value::Die(6)])),
            ("modifiers", Value::Entries(entries)),
            ("target", Value::Tables(vec![unit("a")])),
        ]);
        let expected = r#"{"fp":2.5,"drm":-3,"die":"d8","cowers":false,"weapons":["d6"],"modifiers":{"smoke":2},"target":[{"unit":"a"}]}"#;
        assert_eq!(parameters_to_json(&form).to_string(), expected);
    }

    #[test]
    fn what_is_chosen_is_what_differs_from_the_defaults() {
        const INNER: &[Field] = &[
            Field::new_switch_with_default("broken", false, ""),
            Field::new_switch_with_default("pinned", false, ""),
        ];
        const FIELDS: Fields = Fields::Static(&[&[
            Field::new_switch_with_default("cowers", true, ""),
            Field::new_switch_with_default("encircled", false, ""),
            Field::new(
                "target",
                FieldType::tables(Fields::Static(&[INNER])),
                enfilade_model::form::DefaultValue::Empty,
                "",
            ),
        ]]);
        let table = "encircled = true\ncowers = true\ntarget = { pinned = true }";
        let form =
            Form::from_table_with_defaults(&FIELDS, &table.parse().expect("TOML")).expect("right");
        let chosen = column_names_and_values(&remove_default_parameters(&FIELDS, &form));
        let names: Vec<_> = chosen.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["encircled", "target_pinned"]);
    }

    #[test]
    fn columns_are_numbered_only_where_there_are_several() {
        let form = Form::from_checked_entries(vec![
            ("fp", Value::Int(4)),
            ("attacker", Value::Tables(vec![unit("a")])),
            ("defender", Value::Table(unit("b"))),
            ("target", Value::Tables(vec![unit("c"), unit("d")])),
        ]);
        let names: Vec<_> =
            column_names_and_values(&form).into_iter().map(|(name, _)| name).collect();
        let expected = ["fp", "attacker_unit", "defender_unit", "target_1_unit", "target_2_unit"];
        assert_eq!(names, expected);
    }

    #[test]
    fn columns_are_the_same_where_names_types_and_numbers_of_tables_are() {
        let targets =
            |units: Vec<Form>| Form::from_checked_entries(vec![("target", Value::Tables(units))]);
        let armed = || Form::from_checked_entries(vec![("unit", Value::Int(3))]);
        let two = targets(vec![unit("a"), unit("b")]);
        assert!(has_same_columns(&two, &targets(vec![unit("c"), unit("d")])));
        for other in [vec![unit("a")], vec![unit("a"), armed()], Vec::new()] {
            let other = targets(other);
            assert!(!has_same_columns(&two, &other) && !has_same_columns(&other, &two));
        }
        let one = Form::from_checked_entries(vec![("target", Value::Table(unit("a")))]);
        assert!(!has_same_columns(&two, &one));
    }
}
