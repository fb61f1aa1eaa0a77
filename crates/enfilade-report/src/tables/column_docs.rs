//! Documentation of columns, for files with room for it.

use indexmap::IndexMap;
use serde::Serialize;

use crate::json_text::{ObjectKeyedByName, to_flat_json};
use crate::text::sentences;
use enfilade_study::answer::Answer;
use enfilade_study::parameters;

/// Renders every column that a rulebook names, with its label, its unit and its meaning, as one
/// JSON object.
pub fn render_column_docs(answers: &[Answer]) -> String {
    let mut entries = IndexMap::new();
    for cells in sentences::split_by_contest(answers) {
        add_parameter_docs(&cells[0], &mut entries);
    }
    for field in sentences::collect_fields(answers) {
        let about = new_description(&field.display_name(), &field.unit, &field.about);
        entries.insert(field.name.to_string(), about);
    }
    for head in sentences::collect_measures(answers) {
        let unit = if head.kind.is_shown_in_percent() { "share of 1" } else { &head.unit };
        let parts = [
            ("exact", "exact"),
            ("sim", "simulated"),
            ("low", "lower end of the 95 % interval"),
            ("high", "upper end of the 95 % interval"),
        ];
        for (part, what) in parts {
            let about =
                new_description(&head.display_name(), unit, &format!("{}: {what}", head.about));
            entries.insert(format!("{}_{part}", head.name), about);
        }
    }
    to_flat_json(&entries.into_iter().collect::<ObjectKeyedByName<_>>())
}

fn add_parameter_docs(cell: &Answer, entries: &mut IndexMap<String, ColumnDescription>) {
    let columns = parameters::column_names_of_form(&cell.params)
        .into_iter()
        .zip(parameters::file_paths_of_columns(&cell.params));
    for (column, path) in columns {
        if let Some(field) = cell.action.fields.find_field_at_path(&path) {
            entries
                .insert(column, new_description(&field.display_name(), &field.unit, &field.about));
        }
    }
}

/// A column: its label, its unit and its meaning.
#[derive(Serialize)]
struct ColumnDescription {
    label: String,
    unit: String,
    about: String,
}

fn new_description(label: &str, unit: &str, about: &str) -> ColumnDescription {
    let [label, unit, about] = [label, unit, about].map(str::to_owned);
    ColumnDescription { label, unit, about }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::test_answers;

    #[test]
    fn every_column_that_a_rulebook_names_is_described() {
        let told: Json = serde_json::from_str(&render_column_docs(&test_answers::build_grid()))
            .expect("it is JSON");
        let expected = json!({
            "label": "killed", "unit": "share of 1", "about": "the squad is eliminated: exact"
        });
        assert_eq!(told["p_kill_exact"], expected);
        assert_eq!(told["eliminated"]["about"], "squads eliminated");
        let fields = &test_answers::build_single()[0].action.fields;
        let fp = fields.get("fp").expect("fire has it");
        assert_eq!(told["fp"]["about"], fp.about.to_string());
    }
}
