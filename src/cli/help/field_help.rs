//! Help for the fields and the reports of actions.

use crate::catalogue::RulebookAction;
use crate::form::{DefaultValue, Field, FieldType, Fields, join_or};
use crate::pricing::scenario;
use crate::report::terminal::wrap_text;
use crate::study::file::experiment_file::CHANGES_KEY;
use crate::study::samples;

/// Lists the fields with those of inner tables, by path.
pub fn flatten_all_fields<'a>(fields: &'a Fields, outer: &str) -> Vec<(String, &'a Field)> {
    flatten_opening_tables_where(fields, outer, &|_| true)
}

/// Lists the same fields for help: without the columns of rows, which are shown with the built-in
/// data.
pub fn flatten_without_row_columns<'a>(
    fields: &'a Fields,
    outer: &str,
) -> Vec<(String, &'a Field)> {
    flatten_opening_tables_where(fields, outer, &|field| !matches!(field.kind, FieldType::Row(..)))
}

fn flatten_opening_tables_where<'a>(
    fields: &'a Fields,
    outer: &str,
    opens: &dyn Fn(&Field) -> bool,
) -> Vec<(String, &'a Field)> {
    let mut all = Vec::new();
    for field in fields.iter() {
        let path = format!("{outer}{}", field.name);
        // Every cell of a rulebook can be changed; its data and tables are shown separately.
        let inner = field.kind.table_fields().filter(|_| path != CHANGES_KEY && opens(field));
        let inner =
            inner.map(|fields| flatten_opening_tables_where(fields, &format!("{path}."), opens));
        all.push((path, field));
        all.extend(inner.into_iter().flatten());
    }
    all
}

/// Formats each field with its values, and its meaning below.
pub fn format_fields(fields: Vec<(String, &Field)>, width: usize) -> String {
    let longest = fields.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let entries = fields.iter().map(|(path, field)| {
        let mut about = field.about.to_string();
        if !field.source.is_empty() {
            about += &format!(" [{}]", field.source);
        }
        if field.assumed {
            about += " (our reading)";
        }
        let range_and_default = format!(
            "{}; {}",
            scenario::describe_arsenal_field_values(field),
            describe_default(field)
        );
        format_name_beside_texts((path, longest), &[range_and_default, about], width)
    });
    entries.collect()
}

/// The smallest width left for text beside the names.
const MIN_TEXT_WIDTH: usize = 30;

/// Formats a name, and beside it texts that are wrapped at the width of the screen; below it if
/// there is no room.
pub fn format_name_beside_texts(
    (name, longest): (&str, usize),
    texts: &[String],
    width: usize,
) -> String {
    let beside = longest + 2 + MIN_TEXT_WIDTH <= width;
    let indent = if beside { longest + 2 } else { 4.min(width / 4) };
    let lines = texts.iter().filter(|text| !text.is_empty()).map(|text| {
        let lines = wrap_text(text, width.saturating_sub(indent));
        lines.lines().map(|line| format!("{:indent$}{line}\n", "")).collect::<String>()
    });
    let text: String = lines.collect();
    match beside {
        true if !text.is_empty() => format!("{name:<indent$}{}", &text[indent..]),
        _ => format!("{name}\n{text}"),
    }
}

/// Describes the default of a field.
pub fn describe_default(field: &Field) -> String {
    let value = match &field.preset {
        DefaultValue::Required => return "required".to_owned(),
        DefaultValue::Absent => return "may be left out".to_owned(),
        DefaultValue::Empty => return "none by default".to_owned(),
        DefaultValue::Derived(how) => return format!("by default {how}"),
        DefaultValue::Int(n) => n.to_string(),
        DefaultValue::Fraction(parts) => (*parts as f64 / 64.0).to_string(),
        DefaultValue::Flag(on) => on.to_string(),
        DefaultValue::Text(text) => format!("\"{text}\""),
        DefaultValue::Die(sides) => format!("\"d{sides}\""),
        DefaultValue::Ints(ints) => join_or(&ints.iter().map(i64::to_string).collect::<Vec<_>>()),
    };
    format!("default {value}")
}

/// Describes the reports of an action's contests: outcome fields and measures.
pub fn format_reports(action: &RulebookAction, width: usize) -> String {
    let reported = samples::output_columns_of_action(action);
    let fields = reported.fields.iter();
    let fields = fields.map(|field| (&field.name, &field.about));
    let measures = reported.measures.iter();
    let measures = measures.map(|measure| (&measure.name, &measure.about));
    let rows: Vec<_> = fields.chain(measures).collect();
    let longest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = rows.iter().map(|(name, about)| {
        format_name_beside_texts((name, longest), &[about.to_string()], width)
    });
    format!("\nOutcome fields and measures:\n{}", lines.collect::<String>())
}

/// Formats the fields that an action hands on to the steps of a chain; empty where there are none.
pub fn format_carried_fields(action: &RulebookAction, width: usize) -> String {
    let fields: Vec<&str> = action.leaves.fields.iter().collect();
    match fields.as_slice() {
        [] => String::new(),
        fields => {
            let text = format!("Handed on by `carry` of a [[contest.then]]: {}", fields.join(", "));
            format!("\n{}\n", wrap_text(&text, width).trim_end())
        }
    }
}
