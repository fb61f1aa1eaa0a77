//! Questions without a file, and starter files.
//!
//! `fp=8 drm=-1 target.unit=4-4-7` becomes the file that asks the question, which is then read like
//! any other, so that faults have the same wording and both forms accept the same values. An
//! answered cell can be converted back to a command that asks it alone.

use std::fmt::Write;

use toml::{Table, Value as Toml};

use crate::answer::Answer;
use crate::file::rulebook_loader;
use crate::file::toml_writer::{format_toml_key as plain_key, format_toml_value};
use crate::{grid, parameters};
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{DefaultValue, Field, FieldType, Fields, Form, Value};

/// Builds the file of a question about an action, from words of the form `field=value`.
///
/// ```
/// use enfilade_study::{experiment::Experiment, question};
/// let catalogue = enfilade_games::built_in_catalogue();
/// let fire = catalogue.action("asl", "fire").expect("it is built in");
/// let words = ["fp=4,8", "drm=-1..1", "target.kind=squad", "target.morale=7"].map(str::to_owned);
/// let file = question::build_question_file("asl", fire, &words).expect("each has a value");
/// assert_eq!(Experiment::read_experiment_text(&catalogue, "question", &file)?.cells.len(), 6);
/// let words = ["fp=4", "target.kind=all", "target.morale=7"].map(str::to_owned);
/// let file = question::build_question_file("asl", fire, &words).expect("each has a value");
/// assert!(file.contains("target.kind = [\"squad\", "));
/// # Ok::<(), enfilade_study::error::StudyError>(())
/// ```
///
/// # Errors
/// A sentence about a word that is not of the form `field=value`.
pub fn build_question_file(
    system: &str,
    action: &RulebookAction,
    words: &[String],
) -> Result<String, String> {
    let mut lines = Vec::new();
    for word in words {
        let Some((path, value)) = word.split_once('=') else {
            let word = shorten_and_make_safe(word);
            return Err(format!("a field needs a value, as in {word}=…"));
        };
        let kind = find_field_at_path(&action.fields, path.trim()).map(|field| &field.kind);
        let written = typed_text_to_toml(kind, value.trim());
        lines.push(FieldWithValue {
            path: path.trim(),
            all: value.trim() == ALL_VALUES_WORD,
            value_text: written,
        });
    }
    for place in 0..lines.len() {
        if let Some(fitting) =
            lines[place].all.then(|| accepted_among_listed_values(action, &lines, place)).flatten()
        {
            lines[place].value_text = fitting;
        }
    }
    let head = format!("[[contest]]\nsystem = {system:?}\naction = {:?}\n", &*action.name);
    Ok(head + &format_field_lines(&lines))
}

/// Word for every value that fits.
const ALL_VALUES_WORD: &str = "all";

/// Field with its value.
struct FieldWithValue<'a> {
    path: &'a str,
    /// Whether every value was requested.
    all: bool,
    /// Value as TOML text.
    value_text: String,
}

fn format_field_lines(lines: &[FieldWithValue]) -> String {
    lines
        .iter()
        .map(|line| format!("{} = {}\n", format_path_as_key(line.path), line.value_text))
        .collect()
}

/// Finds the listed values of a line with which a contest is accepted, with other axes at their
/// first values. Returns `None` if none of them is: then the reader of the file reports the faults.
fn accepted_among_listed_values(
    action: &RulebookAction,
    lines: &[FieldWithValue],
    place: usize,
) -> Option<String> {
    let line = &lines[place];
    let mut table: Table = format_field_lines(lines).parse().ok()?;
    let axes = grid::find_axes_of_contest(&action.fields, &table).ok()?;
    for axis in &axes {
        axis.set_axis_value(&mut table, 0);
    }
    let axis = axes.iter().find(|axis| axis.listed && axis.path.replace("[0]", "") == line.path)?;
    let fits = |position: &usize| {
        let mut table = table.clone();
        axis.set_axis_value(&mut table, *position);
        Form::from_table_with_defaults(&action.fields, &table)
            .and_then(|form| action.build_contest(&form))
            .is_ok()
    };
    let fitting = (0..axis.values.len()).filter(fits).map(|position| axis.values[position].clone());
    let fitting: Vec<Toml> = fitting.collect();
    (!fitting.is_empty()).then(|| Toml::Array(fitting).to_string())
}

/// Returns the field at a path, `target.unit`.
fn find_field_at_path<'a>(fields: &'a Fields, path: &str) -> Option<&'a Field> {
    match path.split_once('.') {
        None => fields.get(path),
        Some((outer, inner)) => find_field_at_path(fields.get(outer)?.kind.table_fields()?, inner),
    }
}

/// Formats a path for TOML.
fn format_path_as_key(path: &str) -> String {
    path.split('.').map(plain_key).collect::<Vec<_>>().join(".")
}

/// Returns the words of a command that asks a cell alone, `asl fire fp=8 target.kind=squad`: its
/// rulebook, its action and every field without its default value.
///
/// Returns `None` if words cannot express the same question, as for actions one after the other.
pub fn command_words_for_cell(cell: &Answer) -> Option<Vec<String>> {
    let (system, action) = (&cell.system, &cell.action);
    if !system.actions.iter().any(|known| known.name == action.name) {
        return None;
    }
    let mut words = Vec::new();
    collect_command_words(
        &parameters::remove_default_parameters(&action.fields, &cell.params),
        "",
        &mut words,
    );
    let file = build_question_file(&system.id, action, &words).ok()?;
    let mut file: Table = file.parse().ok()?;
    let contest = file.get_mut("contest")?.as_array_mut()?.first_mut()?.as_table_mut()?;
    contest.retain(|key, _| key != "system" && key != "action");
    let read = Form::from_table_with_defaults(&action.fields, contest).ok()?;
    let book = system.files.first().filter(|_| system.is_from_text());
    let book = book.map_or(system.id.to_string(), |file| file.name.to_string());
    let words = [book, action.name.to_string()].into_iter().chain(words);
    (parameters::parameters_to_json(&read) == parameters::parameters_to_json(&cell.params))
        .then(|| words.collect())
}

/// Collects a word for every field of a table; the fields of a single inner table by their paths.
fn collect_command_words(form: &Form, before: &str, words: &mut Vec<String>) {
    for (name, value) in form.fields_with_values() {
        let path = format!("{before}{name}");
        match value {
            Value::Table(inner) => collect_command_words(inner, &format!("{path}."), words),
            Value::Tables(several) if several.len() == 1 => {
                collect_command_words(&several[0], &format!("{path}."), words);
            }
            Value::Entries(entries)
                if entries.iter().all(|(name, _)| !name.contains(['.', '='])) =>
            {
                words.extend(entries.iter().map(|(name, n)| format!("{path}.{name}={n}")));
            }
            plain => words.push(format!("{path}={}", format_value_as_typed(plain))),
        }
    }
}

/// Formats a value as typed: without quotes where [`typed_text_to_toml`] accepts that.
fn format_value_as_typed(value: &Value) -> String {
    match value {
        Value::Die(sides) => format!("d{sides}"),
        Value::Text(text)
            if !text.is_empty()
                && !text.contains([',', '='])
                && !text.contains("..")
                && !text.starts_with(['[', '{', '"', '\'', ' '])
                && !text.ends_with(' ') =>
        {
            text.clone()
        }
        other => format_toml_value(other),
    }
}

/// Converts typed text to TOML: a list where there are commas, a range where there are two dots,
/// every value for `all`, and quotes around words.
fn typed_text_to_toml(kind: Option<&FieldType>, text: &str) -> String {
    if text.starts_with(['[', '{', '"', '\'']) {
        return text.to_owned();
    }
    if let Some(all) = kind.filter(|_| text == ALL_VALUES_WORD).and_then(all_values_as_axis) {
        return all;
    }
    if text.contains(',') {
        let parts: Vec<_> =
            text.split(',').map(|part| typed_text_to_toml(kind, part.trim())).collect();
        return format!("[{}]", parts.join(", "));
    }
    if let Some((from, to)) = text.split_once("..")
        && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
    {
        return format!("{{ from = {from}, to = {to} }}");
    }
    match (kind, text) {
        (Some(FieldType::Flag), "yes" | "on") => "true".to_owned(),
        (Some(FieldType::Flag), "no" | "off") => "false".to_owned(),
        (
            // In quotes also if it looks like a number: `467` is the name of a squad.
            Some(
                FieldType::Die(_)
                | FieldType::Choice(_)
                | FieldType::Name(_)
                | FieldType::Text
                | FieldType::Row(..),
            ),
            text,
        ) => Toml::from(text).to_string(),
        _ if text.parse::<i64>().is_ok() || text.parse::<f64>().is_ok_and(f64::is_finite) => {
            text.to_owned()
        }
        (_, "true" | "false") => text.to_owned(),
        _ => Toml::from(text).to_string(),
    }
}

/// Returns every value that a field can have, as a TOML axis; `None` if there are too many to list,
/// or `all` is one of them.
fn all_values_as_axis(kind: &FieldType) -> Option<String> {
    let listed = |values: Vec<Toml>| Some(Toml::Array(values).to_string());
    match kind {
        FieldType::Flag => listed(vec![false.into(), true.into()]),
        FieldType::Int(bound) => Some(format!("{{ from = {}, to = {} }}", bound.low, bound.high)),
        FieldType::Numbers(numbers) => listed(numbers.iter().map(|&n| n.into()).collect()),
        FieldType::Die(sides) => listed(sides.iter().map(|d| format!("d{d}").into()).collect()),
        FieldType::Choice(words) if words.iter().all(|word| word != "all") => {
            listed(words.iter().map(Toml::from).collect())
        }
        FieldType::Name(names) | FieldType::Row(names, _)
            if names.name_list().find_ignoring_case_and_marks("all").is_none() =>
        {
            listed(names.name_list().iter().map(Toml::from).collect())
        }
        _ => None,
    }
}

/// Builds a starter file: the first sample of an action, its common fields with their defaults
/// behind a `#`, and with `all` the rare ones too. The file runs as it is. `rules` is the path of
/// its rulebook, where that is not beside it.
pub fn build_starter_file(
    system: &System,
    action: &RulebookAction,
    name: &str,
    rules: Option<&str>,
    all: bool,
) -> String {
    let sample = action.samples.get(0).and_then(|sample| sample.parse::<Table>().ok());
    let sample = sample.unwrap_or_else(|| action.fields.smallest_valid_table());
    let mut file = format!("# {} {}: {}\n", system.id, action.name, action.about);
    if !action.question.is_empty() {
        let _ = writeln!(file, "# {}", action.question_in_general());
    }
    let _ = write!(
        file,
        "#\n#   enfilade odds {name}    the odds at once\n#   enfilade run {name}     all of it, with charts and a page\n#\n\
         # A list or a range in place of one value is an axis: fp = [4, 8], drm = {{ from = -1, to = 1 }}.\n\
         # A field behind a # has its default: remove the # to change it.\n"
    );
    if !all && has_rare_fields(&action.fields) {
        let _ = writeln!(
            file,
            "# Rare fields are not here: enfilade systems {} {} --all lists them.",
            system.id, action.name
        );
    }
    file += "\n";
    file += &rules.map_or_else(
        || rulebook_loader::rules_line_unless_built_in(system),
        rulebook_loader::format_rules_line_for_path,
    );
    let _ = write!(file, "[[contest]]\nsystem = {:?}\naction = {:?}\n", &*system.id, &*action.name);
    let body = StarterTableWriter { all };
    body.write_fields_of_table(&mut file, &action.fields, Some(&sample), "contest");
    file + &follow_up_comment(action)
}

/// Writes the fields of a table with the values in `values`, a line each. Other fields have their
/// defaults behind a `#`, and inner tables follow at `path`.
#[doc(hidden)]
pub fn format_table_fields(fields: &Fields, values: &Table, path: &str) -> String {
    let mut file = String::new();
    StarterTableWriter { all: true }.write_fields_of_table(&mut file, fields, Some(values), path);
    file
}

/// Formats a possible follow-up, behind a `#`: the same action, from the fields that this one
/// leaves.
fn follow_up_comment(action: &RulebookAction) -> String {
    let left = action.leaves.fields.iter().filter(|name| action.fields.get(name).is_some());
    let left: Vec<&str> = left.collect();
    if left.is_empty() {
        return String::new();
    }
    format!(
        "\n# Another action may follow, by the joint law of both (docs/running.md, Turn after turn):\n\
         # [[contest.then]]\n# action = {:?}\n{:<30}  # handed on as it came out: {}\n\
         {:<30}  # turn after turn; or until = \"OUTCOME > 0\"\n",
        &*action.name,
        "# carry = true",
        left.join(", "),
        "# times = 2",
    )
}

fn has_rare_fields(fields: &Fields) -> bool {
    fields.iter().any(|field| field.rare || field.kind.table_fields().is_some_and(has_rare_fields))
}

struct StarterTableWriter {
    all: bool,
}

impl StarterTableWriter {
    /// Writes the fields of a table that is present, or, all behind a `#`, of one that is absent.
    fn write_fields_of_table(
        &self,
        file: &mut String,
        fields: &Fields,
        values: Option<&Table>,
        path: &str,
    ) {
        let of = |field: &Field| values.and_then(|given| given.get(&*field.name)).cloned();
        let inner =
            |field: &&Field| matches!(field.kind, FieldType::Table(_) | FieldType::Tables(..));
        for field in fields.iter().filter(|field| !inner(field)) {
            match of(field) {
                Some(value) => self.write_field_line(file, "", field, &value.to_string()),
                None if field.rare && !self.all => {}
                None => self.write_field_line(file, "# ", field, &default_or_example(field)),
            }
        }
        // Tables come last: in TOML everything after the head of a table belongs to it.
        for field in fields.iter().filter(inner) {
            let (Some(fields), path) =
                (field.kind.table_fields(), format!("{path}.{}", format_path_as_key(&field.name)))
            else {
                continue;
            };
            let several = matches!(field.kind, FieldType::Tables(..));
            let head = if several { format!("[[{path}]]") } else { format!("[{path}]") };
            let tables = match of(field) {
                Some(Toml::Table(table)) => vec![table],
                Some(Toml::Array(tables)) => {
                    tables.into_iter().filter_map(|table| table.try_into().ok()).collect()
                }
                _ => Vec::new(),
            };
            for table in &tables {
                let _ = write!(file, "\n{head}{}\n", comment_on_field(field));
                self.write_fields_of_table(file, fields, Some(table), &path);
            }
            if tables.is_empty() && (self.all || !field.rare) {
                let _ = write!(file, "\n# {head}{}\n", comment_on_field(field));
                self.write_fields_of_table(file, fields, None, &path);
            }
        }
    }

    fn write_field_line(&self, file: &mut String, before: &str, field: &Field, value: &str) {
        let line = format!("{before}{} = {value}", format_path_as_key(&field.name));
        let _ = writeln!(file, "{line:<30}{}", comment_on_field(field));
    }
}

/// Describes a field, as a comment.
fn comment_on_field(field: &Field) -> String {
    let about = field.label.or_if_empty(|| field.about.clone());
    let type_text = match field.kind.table_fields() {
        Some(_) => String::new(),
        None => format!(" ({})", field.kind.describe_accepted_values()),
    };
    format!("  # {about}{type_text}")
}

/// Returns the default value of a field, or one that it may have.
fn default_or_example(field: &Field) -> String {
    match &field.preset {
        DefaultValue::Int(n) => n.to_string(),
        DefaultValue::Fraction(parts) => (*parts as f64 / 64.0).to_string(),
        DefaultValue::Flag(on) => on.to_string(),
        DefaultValue::Text(text) => Toml::from(&**text).to_string(),
        DefaultValue::Die(sides) => format!("\"d{sides}\""),
        DefaultValue::Ints(ints) => format!("{ints:?}"),
        DefaultValue::Required
        | DefaultValue::Absent
        | DefaultValue::Empty
        | DefaultValue::Derived(_) => field.kind.smallest_valid_value().to_string(),
    }
}
