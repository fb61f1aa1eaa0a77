//! Help for one action of a rulebook, the common fields first, and a search in it by word.

use super::field_help::{
    flatten_without_row_columns, format_carried_fields, format_fields, format_reports,
};
use crate::catalogue::{PrintedDataTable, RulebookAction, System};
use crate::cli::text_sheet::HeadAndTextRows;
use crate::form::Field;
use crate::report::terminal::wrap_text;
use crate::study::samples;

/// Describes an action: its common fields, with `all` the rare ones too, its reports, and an
/// example. `rules` is the option that names its rulebook in the next command: ` --rules
/// my_game.rules`.
pub fn describe_action_for_help(
    system: &System,
    action: &RulebookAction,
    rules: &str,
    all: bool,
    width: usize,
) -> String {
    let title = format!("{} {}: {}", system.id, action.name, action.about);
    let mut page = wrap_text(&title, width);
    if !action.question.is_empty() {
        page += &wrap_text(&action.question_in_general(), width);
    }
    let (rare, common) = split_rare_and_common(flatten_without_row_columns(&action.fields, ""));
    let hidden = rare.len();
    page += &format!("\n{}", format_fields(common, width));
    if all && hidden > 0 {
        page += &format!("\nRarely needed:\n{}", format_fields(rare, width));
    }
    page += &format_reports(action, width);
    page += &format_carried_fields(action, width);
    let words = format!("{} {}{rules}", system.id, action.name);
    if let Some(first) = action.samples.get(0) {
        // The example is complete, so that a copy of it runs.
        let file = samples::contest_file_of_sample(system, action, first).replace('\n', "\n  ");
        let head = format!("Example file; `enfilade new {words}` writes a longer one:");
        page += &format!("\n{}  {}\n", wrap_text(&head, width), file.trim_end());
    }
    if !all && hidden > 0 {
        let are = if hidden == 1 { "field is" } else { "fields are" };
        let note = format!("{hidden} more {are} rarely needed: enfilade systems {words} --all");
        page += &format!("\n{}", wrap_text(&note, width));
    }
    page
}

/// A field and its path.
type FieldWithPath<'a> = (String, &'a Field);

/// Splits rare fields from common ones. Fields of a rare table are rare.
fn split_rare_and_common(
    fields: Vec<FieldWithPath<'_>>,
) -> (Vec<FieldWithPath<'_>>, Vec<FieldWithPath<'_>>) {
    let rare: Vec<String> =
        fields.iter().filter(|(_, field)| field.rare).map(|(path, _)| path.clone()).collect();
    let within = |path: &str| {
        rare.iter().any(|rare| {
            path.strip_prefix(&**rare).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    fields.into_iter().partition(|(path, _)| within(path))
}

/// Finds all fields, outcomes, weapons and units that have `word` in their names or their help;
/// `None` if there is none.
pub fn describe_matches_of_word<'a>(
    system: &System,
    actions: impl Iterator<Item = &'a RulebookAction>,
    word: &str,
    width: usize,
) -> Option<String> {
    let wanted = word.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let mut page = String::new();
    for action in actions {
        let mut help_fields = flatten_without_row_columns(&action.fields, "");
        // Labels and help are searched too, because a player uses the word of the book and not the
        // name here.
        help_fields.retain(|(path, field)| has(path) || has(&field.label) || has(&field.about));
        if !help_fields.is_empty() {
            page += &format!(
                "== {} {}\n{}\n",
                system.id,
                action.name,
                format_fields(help_fields, width)
            );
        }
    }
    for mut data_table in (system.data_tables)() {
        data_table.rows.retain(|row| row.iter().any(|cell| has(cell)));
        if !data_table.rows.is_empty() {
            page += &format!("{}\n", format_data_table(data_table, width));
        }
    }
    (!page.is_empty()).then(|| page.trim_end().to_owned() + "\n")
}

/// Formats a table of built-in data.
pub fn format_data_table(data_table: PrintedDataTable, width: usize) -> String {
    let rows = data_table.rows.len();
    let table = HeadAndTextRows { head: data_table.columns, rows: data_table.rows }
        .render_aligned_columns(width);
    format!("== {} ({rows})\n{table}", data_table.name)
}
