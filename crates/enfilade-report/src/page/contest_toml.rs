//! Cells of a contest as TOML: one text with gaps for the axes.
//!
//! A page can hand out any of its cells as a `[[contest]]` to be run again. Cells of one grid
//! differ only on its axes, so one text serves them all. Values that are the action's defaults
//! are left out, as an author would.

use serde::Serialize;

use enfilade_model::form::{Field, Fields, Form, Value, name_matching};
use enfilade_study::answer::Answer;
use enfilade_study::file::rulebook_loader;
use enfilade_study::file::toml_writer::{
    format_toml_entry, format_toml_key, format_toml_value, quote_toml_text,
};

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum TemplateTextOrAxis {
    /// Text that is equal in every cell.
    Text(String),
    /// The value on the axis with this number.
    Axis(usize),
}

/// Builds the text of a contest from one of its cells.
pub fn build_template_from_cell(cell: &Answer) -> Vec<TemplateTextOrAxis> {
    let mut writer = TomlWithAxisSlotsWriter {
        axes: cell.axes.iter().map(|(path, _)| path.as_str()).collect(),
        pieces: Vec::new(),
    };
    writer.append_literal_text(&rulebook_loader::rules_line_unless_built_in(&cell.system));
    writer.append_literal_text("[[contest]]\n");
    let head = [("system", &*cell.system.id), ("action", &cell.action.name)];
    let name = (cell.name != cell.rulebook_and_action()).then_some(("name", cell.name.as_str()));
    for (key, word) in head.into_iter().chain(name) {
        writer.append_literal_text(&format!("{key} = {}\n", quote_toml_text(word)));
    }
    writer.write_fields_then_tables(
        &cell.params,
        &cell.action.fields,
        &TomlTableAndAxisPrefix::at_contest(),
    );
    writer.pieces
}

/// The position of a table: in the file, and in the paths of axes.
struct TomlTableAndAxisPrefix {
    /// For table headers: `contest.target`.
    header: String,
    /// In front of the names of its axes: `target.2.`.
    axes: String,
}

impl TomlTableAndAxisPrefix {
    fn at_contest() -> TomlTableAndAxisPrefix {
        TomlTableAndAxisPrefix { header: "contest".to_owned(), axes: String::new() }
    }

    fn at_inner_table(&self, name: &str, number: Option<usize>) -> TomlTableAndAxisPrefix {
        let number = number.map_or(String::new(), |n| format!("{n}."));
        TomlTableAndAxisPrefix {
            header: format!("{}.{}", self.header, format_toml_key(name)),
            axes: format!("{}{name}.{number}", self.axes),
        }
    }
}

struct TomlWithAxisSlotsWriter<'a> {
    axes: Vec<&'a str>,
    pieces: Vec<TemplateTextOrAxis>,
}

impl TomlWithAxisSlotsWriter<'_> {
    fn append_literal_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(TemplateTextOrAxis::Text(last)) => last.push_str(text),
            _ => self.pieces.push(TemplateTextOrAxis::Text(text.to_owned())),
        }
    }

    /// Writes the fields of a table, its subtables last, as TOML requires.
    fn write_fields_then_tables(
        &mut self,
        form: &Form,
        fields: &Fields,
        way: &TomlTableAndAxisPrefix,
    ) {
        let field = |name: &str| fields.get(name);
        let is_table =
            |value: &Value| matches!(value, Value::Table(_)) || tables_if_any(value).is_some();
        for (name, value) in form.fields_with_values() {
            if !is_table(value) {
                self.write_field_unless_default(name, value, field(name), way);
            }
        }
        for (name, value) in form.fields_with_values() {
            let inner = field(name).and_then(|field| field.kind.table_fields());
            let inner = inner.unwrap_or(&Fields::NO_FIELDS);
            if is_table(value) && !self.can_leave_out_field(name, value, field(name), way) {
                self.write_inner_tables(name, value, inner, way);
            }
        }
    }

    fn write_inner_tables(
        &mut self,
        name: &str,
        value: &Value,
        fields: &Fields,
        way: &TomlTableAndAxisPrefix,
    ) {
        if let Value::Table(form) = value {
            let way = way.at_inner_table(name, None);
            // A table that contains only tables needs no header.
            if !form.fields_with_values().all(|(_, value)| matches!(value, Value::Table(_)))
                || form.fields_with_values().next().is_none()
            {
                self.append_literal_text(&format!("\n[{}]\n", way.header));
            }
            self.write_fields_then_tables(form, fields, &way);
        }
        let forms = tables_if_any(value).unwrap_or_default();
        for (index, form) in forms.iter().enumerate() {
            let way = way.at_inner_table(name, (forms.len() > 1).then_some(index + 1));
            self.append_literal_text(&format!("\n[[{}]]\n", way.header));
            self.write_fields_then_tables(form, fields, &way);
        }
    }

    fn write_field_unless_default(
        &mut self,
        name: &str,
        value: &Value,
        field: Option<&Field>,
        way: &TomlTableAndAxisPrefix,
    ) {
        if self.can_leave_out_field(name, value, field, way) {
            return;
        }
        self.append_literal_text(&format!("{} = ", format_toml_key(name)));
        let inside = self.axes_below_field(name, way);
        match (self.find_axis_of_path(&format!("{}{name}", way.axes)), value) {
            (Some(axis), _) => self.pieces.push(TemplateTextOrAxis::Axis(axis)),
            (None, Value::Entries(entries)) if !inside.is_empty() => {
                self.write_named_numbers(entries, &inside);
            }
            (None, Value::Int(_) | Value::Fraction(_)) if !inside.is_empty() => {
                self.write_change_by_axis(inside[0].0);
            }
            _ => self.append_literal_text(&format_toml_value(value)),
        }
        self.append_literal_text("\n");
    }

    /// Writes a number that an axis changes.
    fn write_change_by_axis(&mut self, axis: usize) {
        self.append_literal_text("{ change = ");
        self.pieces.push(TemplateTextOrAxis::Axis(axis));
        self.append_literal_text(" }");
    }

    /// Writes named entries of which some are axes.
    fn write_named_numbers(&mut self, entries: &[(String, i64)], axes: &[(usize, String)]) {
        let on_axis = |name: &str| {
            axes.iter().any(|(_, axis)| {
                name_matching::name_matching_key(axis) == name_matching::name_matching_key(name)
            })
        };
        let fixed = entries.iter().filter(|(name, _)| !on_axis(name));
        let mut before = "{ ";
        for (name, n) in fixed {
            self.append_literal_text(&format!(
                "{before}{}",
                format_toml_entry(name, &n.to_string())
            ));
            before = ", ";
        }
        for (axis, name) in axes {
            self.append_literal_text(&format!("{before}{} = ", quote_toml_text(name)));
            self.pieces.push(TemplateTextOrAxis::Axis(*axis));
            before = ", ";
        }
        self.append_literal_text(" }");
    }

    /// Whether the field may be left out because it has its default in every cell.
    fn can_leave_out_field(
        &self,
        name: &str,
        value: &Value,
        field: Option<&Field>,
        way: &TomlTableAndAxisPrefix,
    ) -> bool {
        let path = format!("{}{name}", way.axes);
        let varies =
            self.find_axis_of_path(&path).is_some() || !self.axes_below_field(name, way).is_empty();
        !varies && field.and_then(Field::default_value_if_any).as_ref() == Some(value)
    }

    fn find_axis_of_path(&self, path: &str) -> Option<usize> {
        self.axes.iter().position(|axis| *axis == path)
    }

    /// Returns the axes below a field, with the rest of their paths.
    fn axes_below_field(&self, name: &str, way: &TomlTableAndAxisPrefix) -> Vec<(usize, String)> {
        let start = format!("{}{name}.", way.axes);
        let axes = self.axes.iter().enumerate();
        let below = axes.filter_map(|(i, axis)| Some((i, axis.strip_prefix(&start)?.to_owned())));
        below.collect()
    }
}

/// Returns the tables of a list of tables; `None` for an empty list.
fn tables_if_any(value: &Value) -> Option<&[Form]> {
    match value {
        Value::Tables(forms) if !forms.is_empty() => Some(forms),
        _ => None,
    }
}

/// The text of one cell, as the page puts it together.
#[cfg(test)]
pub fn filled(pieces: &[TemplateTextOrAxis], axes: &[(String, Value)]) -> String {
    let piece = |piece: &TemplateTextOrAxis| match piece {
        TemplateTextOrAxis::Text(text) => text.clone(),
        TemplateTextOrAxis::Axis(axis) => format_toml_value(&axes[*axis].1),
    };
    pieces.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;
    use enfilade_study::checkpoint::journal::CellTrialJournal;
    use enfilade_study::experiment::Experiment;
    use enfilade_study::experiment::SimulationStopRule;
    use enfilade_study::samples;
    use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};

    fn answers(experiment: &Experiment) -> Vec<Answer> {
        let settings = SolverSettings {
            seed: 1,
            stop: SimulationStopRule::Trials(1),
            isa: enfilade_engine::simulate::InstructionSet::widest_available(),
            exact_only: false,
            fractions: false,
            bounds: false,
            played: true,
            states: None,
        };
        let solved = solve_cells(
            &experiment.cells,
            &settings,
            &NoObserver,
            &CellTrialJournal::without_storage(),
        );
        solved.expect("nothing is too large to be played").answers
    }

    /// Every cell of `file`, written as TOML and read again.
    fn reads_back(file: &str) -> String {
        let asked = Experiment::read_experiment_text(
            &enfilade_games::built_in_catalogue(),
            "asked.toml",
            file,
        )
        .unwrap_or_else(|e| panic!("{e:?}"));
        let answers = answers(&asked);
        let mut last = String::new();
        for (cell, answer) in asked.cells.iter().zip(&answers) {
            let first = answers.iter().find(|a| a.contest == answer.contest);
            let pieces = build_template_from_cell(first.expect("a contest has cells"));
            last = filled(&pieces, &answer.axes);
            let read = Experiment::read_experiment_text(
                &enfilade_games::built_in_catalogue(),
                "told.toml",
                &last,
            );
            let read = read.unwrap_or_else(|e| panic!("{last}\n{e:?}"));
            assert_eq!(read.cells.len(), 1, "{last}");
            assert_eq!(read.cells[0].form, cell.form, "{last}");
            assert_eq!(read.cells[0].fingerprint_of_contest(), cell.fingerprint_of_contest());
            assert_eq!(read.cells[0].name, cell.name);
        }
        last
    }

    #[test]
    fn a_cell_reads_back_as_itself_and_without_its_defaults() {
        let told = reads_back(
            "trials = 1\n[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [8, 16]\n\
             drm = { from = -1, to = 1 }\n\
             [[contest.target]]\nkind = 'squad'\nmorale = [6, 7]\n",
        );
        let expected = "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 16\ndrm = 1\n\
            \n[[contest.target]]\nkind = \"squad\"\nmorale = 7\n";
        assert_eq!(told, expected);
    }

    #[test]
    fn entries_tables_lists_and_names_read_back() {
        // `smoke = false` removes the modifier; two targets have numbered axes.
        reads_back(
            "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
             name = 'a \"quoted\" <name> \\ '\n\
             modifiers = { Woods = true, smoke = [1, false, 3] }\n\
             [[contest.target]]\nunit = ['4-4-7', '6-2-8']\nnation = 'Russian'\n\
             [[contest.target]]\nkind = 'squad'\nmorale = [7, 8]\n",
        );
    }

    #[test]
    fn changes_of_printed_numbers_read_back() {
        let told = reads_back(
            "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\nshots = 1\naccuracy = 2\nenergy = 9\n\
             target = ['UCM/Gladius', 'Scourge/Hunter']\narmour = { change = [-1, 0] }\n",
        );
        assert!(told.contains("armour = { change = 0 }\n"), "{told}");
    }

    #[test]
    fn every_sample_of_every_action_reads_back() {
        for system in enfilade_games::built_in_catalogue().rulebooks_created_on_demand() {
            for action in &system.actions {
                for sample in action.samples.iter() {
                    reads_back(&samples::contest_file_of_sample(system, action, sample));
                }
            }
        }
    }

    #[test]
    fn words_cannot_leave_their_quotes() {
        let mut answer = test_answers::squad_answer_from_36ths(
            vec![("fp", Value::Text("x\"\n[[y]]\u{7f}".into()))],
            1,
            2,
        );
        answer.name = "\"\n[[contest]]\n".into();
        let told = filled(&build_template_from_cell(&answer), &answer.axes);
        let read: toml::Table = told.parse().unwrap_or_else(|e| panic!("{told}\n{e}"));
        let contest = &read["contest"][0];
        assert_eq!(contest["name"].as_str(), Some("\"\n[[contest]]\n"));
        assert_eq!(contest["fp"].as_str(), Some("x\"\n[[y]]\u{7f}"));
    }
}
