//! Conversion of a TOML table to a [`Form`], with all faults reported at once.

use toml::{Table, Value as Toml};

use super::name_matching::NameList;
use super::sanitize::{format_number_compactly, shorten_and_make_safe};
use super::{
    DefaultValue, ENTRY_COUNT_RANGE, Fault, Field, FieldType, Fields, Form, MAX_COLLECTED_FAULTS,
    ROW_NAME, Value, Words, join_or, name_matching,
};
use crate::form::bounds::IntRange;

/// Longest text of a field, in characters.
pub const MAX_TEXT_CHARS: usize = 200;

/// Largest number of names in a message.
const MAX_NAMES_IN_MESSAGE: usize = 12;

impl Form {
    /// Checks `table` against `fields` and fills in the defaults.
    ///
    /// # Errors
    /// Every unknown key, missing field, wrong type, value out of range and unknown name, each with
    /// the nearest name that exists. The check stops after [`MAX_COLLECTED_FAULTS`] of them.
    pub fn from_table_with_defaults(fields: &Fields, table: &Table) -> Result<Form, Vec<Fault>> {
        let mut faults = unknown_key_faults(fields, table);
        let mut entries = Vec::new();
        for field in fields.iter() {
            if faults.len() >= MAX_COLLECTED_FAULTS {
                break;
            }
            match check_or_default_value(field, table.get(&*field.name)) {
                Ok(Some(value)) => entries.push((field.name.clone(), value)),
                Ok(None) => {}
                Err(more) => faults.extend(more),
            }
        }
        if faults.is_empty() {
            return Ok(Form::from_checked_entries(entries));
        }
        Err(faults)
    }

    /// Creates the form of a `table` that differs from this form's only in the fields of `changed`,
    /// which both have, and [shares](Form::share_values_with) the rest. `None` for a table with
    /// faults.
    pub fn with_fields_from_table(&self, changed: &[&Field], table: &Table) -> Option<Form> {
        let read = changed.iter().map(|field| {
            let value = check_toml_value(&field.kind, table.get(&*field.name)?).ok()?;
            Some((&*field.name, value))
        });
        self.with_replaced_values(read.collect::<Option<Vec<_>>>()?)
    }
}

impl Field {
    /// Returns the default; `None` when there is none or the field is required.
    pub fn default_value_if_any(&self) -> Option<Value> {
        resolve_default_value(self).ok().flatten()
    }
}

fn unknown_key_faults(fields: &Fields, table: &Table) -> Vec<Fault> {
    let field_names = || fields.iter().map(|field| &*field.name);
    let unknown = table.keys().filter(|key| !field_names().any(|name| name == *key));
    let unknown = unknown.take(MAX_COLLECTED_FAULTS);
    unknown
        .map(|key| {
            suggest_field_by_label(fields, key)
                .unwrap_or_else(|| unknown_key_fault(key, field_names()))
        })
        .collect()
}

/// Suggests a field by its label: `firepower` is the label of `fp`.
fn suggest_field_by_label(fields: &Fields, key: &str) -> Option<Fault> {
    let wanted = name_matching::name_matching_key(key);
    let says = |text: &str| {
        name_matching::name_matching_key(text)
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == wanted)
    };
    let labelled_field = fields.iter().find(|field| says(&field.label))?;
    let fault = Fault::new(key, format!("there is no field `{}` here", shorten_and_make_safe(key)));
    Some(
        fault.with_help(format!(
            "did you mean `{}`: {}?",
            labelled_field.name, labelled_field.about
        )),
    )
}

/// Beginning of the help for an unknown field where no field is near.
pub(crate) const FIELD_LIST_PREFIX: &str = "the fields are ";

fn unknown_key_fault<'a>(key: &str, names: impl Iterator<Item = &'a str> + Clone) -> Fault {
    let fault = Fault::new(key, format!("there is no field `{}` here", shorten_and_make_safe(key)));
    match name_matching::find_nearest_name(key, names.clone()) {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None if names.clone().next().is_none() => fault.with_help("no fields can be given here"),
        None => {
            fault.with_help(format!("{FIELD_LIST_PREFIX}{}", names.collect::<Vec<_>>().join(", ")))
        }
    }
}

fn check_or_default_value(
    field: &Field,
    toml_value: Option<&Toml>,
) -> Result<Option<Value>, Vec<Fault>> {
    let Some(toml_value) = toml_value else {
        return resolve_default_value(field).map_err(|fault| vec![fault]);
    };
    let value = check_toml_value(&field.kind, toml_value).map_err(|faults| {
        let located = faults.into_iter().map(|fault| fault.prefix_path(&field.name));
        located.map(remove_dot_before_index).collect::<Vec<_>>()
    })?;
    Ok(Some(value))
}

/// Rewrites `target.[1].morale` as `target[1].morale`.
fn remove_dot_before_index(mut fault: Fault) -> Fault {
    fault.path = fault.path.replace(".[", "[");
    fault
}

fn resolve_default_value(field: &Field) -> Result<Option<Value>, Fault> {
    Ok(Some(match &field.preset {
        DefaultValue::Required => {
            // A description that only repeats the name is left out.
            let problem = match name_matching::name_matching_key(&field.name)
                == name_matching::name_matching_key(&field.about)
            {
                true => format!("`{}` is missing", field.name),
                false => format!("`{}` is missing: {}", field.name, field.about),
            };
            return Err(
                Fault::new(&*field.name, problem).with_help(field.describe_expected_value())
            );
        }
        DefaultValue::Absent | DefaultValue::Derived(_) => return Ok(None),
        DefaultValue::Int(n) => Value::Int(*n),
        DefaultValue::Fraction(parts) => Value::Fraction(*parts),
        DefaultValue::Flag(on) => Value::Flag(*on),
        DefaultValue::Text(text) => Value::Text(text.to_string()),
        DefaultValue::Die(sides) => Value::Die(*sides),
        DefaultValue::Ints(ints) => Value::List(ints.iter().map(|&n| Value::Int(n)).collect()),
        DefaultValue::Empty => return Ok(empty_value_of_type(&field.kind)),
    }))
}

fn empty_value_of_type(kind: &FieldType) -> Option<Value> {
    match kind {
        FieldType::List(..) => Some(Value::List(Vec::new())),
        FieldType::Entries(..) => Some(Value::Entries(Vec::new())),
        FieldType::Tables(..) => Some(Value::Tables(Vec::new())),
        FieldType::Table(fields) => {
            Form::from_table_with_defaults(fields, &Table::new()).ok().map(Value::Table)
        }
        _ => None,
    }
}

fn check_toml_value(kind: &FieldType, value: &Toml) -> Result<Value, Vec<Fault>> {
    match (kind, value) {
        (FieldType::List(of, many), Toml::Array(items)) => read_list(of, many, items),
        (FieldType::Entries(known, bound), _) => {
            read_named_numbers(kind, known.name_list(), bound, value)
        }
        (FieldType::Table(fields), Toml::Table(table)) => {
            Form::from_table_with_defaults(fields, table).map(Value::Table)
        }
        (FieldType::Tables(fields, many), _) => read_tables(kind, fields, many, value),
        (FieldType::Row(_, fields), Toml::Table(columns)) => read_data_row(fields, columns),
        (FieldType::Table(fields), _) => Err(vec![expected_table_fault(kind, fields, value)]),
        _ => read_scalar(kind, value).map_err(|fault| vec![fault]),
    }
}

/// Builds the fault of a value that is not a table, with the fields of such a table.
fn expected_table_fault(kind: &FieldType, fields: &Fields, value: &Toml) -> Fault {
    let names = fields.iter().filter(|field| !field.rare && field.name != ROW_NAME);
    let names: Vec<&str> = names.take(MAX_NAMES_IN_MESSAGE).map(|field| &*field.name).collect();
    let first = names.first().unwrap_or(&ROW_NAME);
    let fields = names.join(", ");
    unexpected_value_fault(kind, value)
        .with_help(format!("such as {{ {first} = … }}; its fields are {fields}"))
}

fn read_scalar(kind: &FieldType, value: &Toml) -> Result<Value, Fault> {
    match (kind, value) {
        (FieldType::Flag, Toml::Boolean(on)) => Ok(Value::Flag(*on)),
        (FieldType::Int(bound), Toml::Integer(n)) => check_whole_number(bound, *n).map(Value::Int),
        (FieldType::Numbers(known), Toml::Integer(n)) if known.contains(n) => Ok(Value::Int(*n)),
        (FieldType::Fraction(bound), Toml::Integer(n)) => {
            check_whole_number(bound, *n).map(|n| Value::Fraction(64 * n))
        }
        (FieldType::Fraction(bound), Toml::Float(x)) => check_and_read_sixty_fourths(bound, *x),
        (FieldType::Die(sides), Toml::String(text)) => read_die(kind, sides, text),
        (FieldType::Die(sides), Toml::Integer(n)) => {
            let known = u8::try_from(*n).ok().filter(|sides_of| sides.contains(sides_of));
            known.map(Value::Die).ok_or_else(|| unexpected_value_fault(kind, value))
        }
        (FieldType::Choice(words), Toml::String(text)) => read_choice_word(kind, words, text),
        (FieldType::Name(known) | FieldType::Row(known, _), Toml::String(text)) => {
            find_built_in_name(known.name_list(), text).map(|(name, _)| Value::Text(name))
        }
        (FieldType::Text, Toml::String(text)) if text.chars().count() <= MAX_TEXT_CHARS => {
            Ok(Value::Text(text.clone()))
        }
        _ => Err(unexpected_value_fault(kind, value)),
    }
}

fn unexpected_value_fault(kind: &FieldType, value: &Toml) -> Fault {
    let number = matches!(kind, FieldType::Int(_) | FieldType::Fraction(_) | FieldType::Numbers(_));
    let quoted = match value {
        Toml::String(text) if number => text.trim().parse::<f64>().is_ok_and(f64::is_finite),
        Toml::String(text) => {
            matches!(kind, FieldType::Flag) && matches!(text.as_str(), "true" | "false")
        }
        _ => false,
    };
    // A quoted number or switch is the most common mistake, so its remedy comes first.
    let help = match (kind, value) {
        _ if quoted => Some("without the quotes".to_owned()),
        // Rulebooks print the least face of a die as 2+.
        (_, Toml::String(text)) if number => {
            let least = text.trim().strip_suffix('+').and_then(|n| n.parse::<i64>().ok());
            least.map(|least| format!("write {least}")).or_else(|| suggest_for_dash(kind, text))
        }
        (FieldType::Choice(words), Toml::Integer(n)) => {
            let word = n.to_string();
            words.iter().any(|known| known == word).then(|| format!("in quotes: \"{word}\""))
        }
        (FieldType::Name(_), Toml::Table(_)) => {
            let help = "put custom numbers in the fields beside this name, and a follow-up \
                        action in a [[contest.then]]";
            Some(help.to_owned())
        }
        _ => None,
    };
    let value_text = match value {
        Toml::String(text) => format!("\"{}\"", shorten_and_make_safe(text)),
        Toml::Integer(n) => n.to_string(),
        Toml::Float(x) => format!("{x:?}"),
        Toml::Boolean(on) => on.to_string(),
        Toml::Datetime(date) => format!("the date {date}"),
        Toml::Array(_) => "a list".into(),
        Toml::Table(_) => "a table".into(),
    };
    let fault =
        Fault::new("", format!("expected {}, found {value_text}", kind.describe_accepted_values()));
    Fault { help, ..fault }
}

/// Suggests a value for a dash, which rulebooks print where a profile has no number.
fn suggest_for_dash(kind: &FieldType, text: &str) -> Option<String> {
    let help = match kind {
        FieldType::Int(bound) if bound.low <= 0 && bound.high >= 0 => "write 0, or leave it out",
        _ => "leave it out",
    };
    matches!(text.trim(), "-" | "–" | "—").then(|| help.to_owned())
}

fn check_whole_number(bound: &IntRange, n: i64) -> Result<i64, Fault> {
    bound.check_in_range(n).map_err(|problem| Fault::new("", problem))
}

fn check_and_read_sixty_fourths(bound: &IntRange, x: f64) -> Result<Value, Fault> {
    let parts = x * 64.0;
    if !(bound.low as f64..=bound.high as f64).contains(&x) {
        let problem =
            format!("the {} must be {bound}, but it is {}", bound.name, format_number_compactly(x));
        return Err(Fault::new("", problem));
    }
    if parts.fract() != 0.0 {
        let near = parts.round() / 64.0;
        let problem = format!(
            "the {} must be a multiple of 1/64, but it is {}",
            bound.name,
            format_number_compactly(x)
        );
        return Err(Fault::new("", problem).with_help(format!("the nearest one is {near}")));
    }
    Ok(Value::Fraction(parts as i64))
}

fn read_die(kind: &FieldType, allowed: &[u8], text: &str) -> Result<Value, Fault> {
    let sides = text.strip_prefix(['d', 'D']).and_then(|n| n.parse().ok());
    match sides.filter(|sides| allowed.contains(sides)) {
        Some(sides) => Ok(Value::Die(sides)),
        None => Err(unexpected_value_fault(kind, &Toml::String(text.to_owned()))),
    }
}

fn read_choice_word(kind: &FieldType, words: &Words, text: &str) -> Result<Value, Fault> {
    if let Some(word) = name_matching::find_meant_name(text, words.iter()) {
        return Ok(Value::Text(word.to_owned()));
    }
    let fault = unexpected_value_fault(kind, &Toml::String(text.to_owned()));
    Err(match name_matching::format_name_suggestion(text, words.iter()) {
        Some(meant) => fault.with_help(meant),
        None => fault,
    })
}

fn find_built_in_name(names: &NameList, text: &str) -> Result<(String, i64), Fault> {
    if let Some((name, number)) = names.find_ignoring_case_and_marks(text) {
        return Ok((name.to_owned(), number));
    }
    let problem = format!("there is no \"{}\" in the data", shorten_and_make_safe(text));
    Err(Fault::new("", problem).with_help(
        match name_matching::format_name_suggestion(text, names.iter()) {
            Some(meant) => meant,
            None => {
                let some = names.iter().take(MAX_NAMES_IN_MESSAGE);
                let some: Vec<_> = some.map(|name| format!("\"{name}\"")).collect();
                format!("there is, for example, {}", join_or(&some))
            }
        },
    ))
}

fn read_list(of: &FieldType, many: &IntRange, items: &[Toml]) -> Result<Value, Vec<Fault>> {
    check_entry_count(many, items.len())?;
    collect_values_or_faults(items.iter().map(|item| check_toml_value(of, item))).map(Value::List)
}

fn read_tables(
    kind: &FieldType,
    fields: &Fields,
    many: &IntRange,
    value: &Toml,
) -> Result<Value, Vec<Fault>> {
    let fill = |item: &Toml| match item {
        Toml::Table(table) => Form::from_table_with_defaults(fields, table),
        other => Err(vec![expected_table_fault(kind, fields, other)]),
    };
    match value {
        Toml::Array(items) => {
            check_entry_count(many, items.len())?;
            collect_values_or_faults(items.iter().map(fill)).map(Value::Tables)
        }
        single => {
            check_entry_count(many, 1)?;
            fill(single).map(|form| Value::Tables(vec![form]))
        }
    }
}

/// Reads a row of data as a table: its name with the changed columns, or all columns.
fn read_data_row(fields: &Fields, columns: &Table) -> Result<Value, Vec<Fault>> {
    let of_its_own = !columns.contains_key(ROW_NAME);
    let mut faults = unknown_key_faults(fields, columns);
    let mut entries = Vec::new();
    for field in fields.iter() {
        match columns.get(&*field.name) {
            Some(given) => match check_or_default_value(field, Some(given)) {
                Ok(value) => entries.extend(value.map(|value| (field.name.clone(), value))),
                Err(more) => faults.extend(more),
            },
            // Defaults complete a custom row only: a named row has printed values for the rest.
            None if of_its_own && field.name != ROW_NAME => match resolve_default_value(field) {
                Ok(Some(value)) => entries.push((field.name.clone(), value)),
                _ => faults.push(missing_column_fault(field)),
            },
            None => {}
        }
    }
    if !faults.is_empty() {
        faults.truncate(MAX_COLLECTED_FAULTS);
        return Err(faults);
    }
    // A row with nothing but its name is the same contest as the name alone.
    match entries.as_slice() {
        [(_, Value::Text(name))] if !of_its_own => Ok(Value::Text(name.clone())),
        _ => Ok(Value::Table(Form::from_checked_entries(entries))),
    }
}

fn missing_column_fault(field: &Field) -> Fault {
    let problem =
        format!("`{}` is missing: a row without `{ROW_NAME}` needs every column", field.name);
    let help =
        format!("give {}, or the `{ROW_NAME}` of a row", field.kind.describe_accepted_values());
    Fault::new(&*field.name, problem).with_help(help)
}

fn check_entry_count(many: &IntRange, entries: usize) -> Result<(), Vec<Fault>> {
    let entries = i64::try_from(entries).unwrap_or(i64::MAX);
    check_whole_number(many, entries).map(|_| ()).map_err(|fault| vec![fault])
}

/// Collects all values, or all faults, each with the index of its item.
fn collect_values_or_faults<T>(
    items: impl Iterator<Item = Result<T, Vec<Fault>>>,
) -> Result<Vec<T>, Vec<Fault>> {
    let mut values = Vec::new();
    let mut faults = Vec::new();
    for (index, item) in items.enumerate() {
        if faults.len() >= MAX_COLLECTED_FAULTS {
            break;
        }
        match item {
            Ok(value) => values.push(value),
            Err(more) => {
                let located =
                    more.into_iter().map(|fault| fault.prefix_path(&format!("[{index}]")));
                faults.extend(located.map(remove_dot_before_index));
            }
        }
    }
    if faults.is_empty() { Ok(values) } else { Err(faults) }
}

fn read_named_numbers(
    kind: &FieldType,
    known_names: &NameList,
    bound: &IntRange,
    value: &Toml,
) -> Result<Value, Vec<Fault>> {
    const PRINTED_NUMBER_MARK: &Toml = &Toml::Boolean(true);
    let pairs: Vec<(&str, &Toml)> = match value {
        Toml::Table(table) => table.iter().map(|(name, n)| (name.as_str(), n)).collect(),
        Toml::Array(items) if items.iter().all(Toml::is_str) => {
            let names = items.iter().filter_map(Toml::as_str);
            names.map(|name| (name, PRINTED_NUMBER_MARK)).collect()
        }
        other => return Err(vec![unexpected_value_fault(kind, other)]),
    };
    check_entry_count(&ENTRY_COUNT_RANGE, pairs.len())?;
    let mut entries = Vec::new();
    let mut faults = Vec::new();
    for (name, number) in pairs {
        if faults.len() >= MAX_COLLECTED_FAULTS {
            break;
        }
        match read_named_number(known_names, bound, name, number) {
            Ok(entry) => entries.extend(entry),
            Err(fault) => faults.push(fault.prefix_path(name)),
        }
    }
    if faults.is_empty() { Ok(Value::Entries(entries)) } else { Err(faults) }
}

fn read_named_number(
    names: &NameList,
    bound: &IntRange,
    name: &str,
    number: &Toml,
) -> Result<Option<(String, i64)>, Fault> {
    let (name, printed) = find_built_in_name(names, name)?;
    match number {
        Toml::Boolean(true) => Ok(Some((name, printed))),
        Toml::Boolean(false) => Ok(None),
        Toml::Integer(n) => check_whole_number(bound, *n).map(|n| Some((name, n))),
        other => Err(unexpected_value_fault(&FieldType::Flag, other)
            .with_help("true takes the printed number")),
    }
}

#[cfg(test)]
mod tests;
