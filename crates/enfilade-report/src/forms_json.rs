//! Forms of all actions as one JSON document, from which a page draws them.
//!
//! The JSON Schema contains the same for editors, but repeats every list of names wherever it is
//! used. Here a list of names appears once, under `names`, and a group of fields that several
//! actions share once, under `groups`; a field refers to them by number.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::forms_document::{
    ActionForm, ActionTile, AllowedNumberOrWord, ArsenalForm, FieldValuesDescription,
    FormFieldDescription, NamesWithPrintedData, NumberRange, SystemForm, SystemTiles,
};
pub use super::forms_document::{FormsDocument, SampleQuestionAndFileText, TilesDocument};
use super::json_text::to_flat_json;
use enfilade_model::catalogue::{Catalogue, PrintedDataTable, RulebookAction, System};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::name_matching::{AcceptedNames, NameList};
use enfilade_model::form::{self, Field, FieldType, Fields, Form, ROW_NAME};
use enfilade_model::weapons::{AssumptionSpec, PricingRules};
use enfilade_pricing::sample_arsenal;
use enfilade_pricing::{arsenal, scenario};
use enfilade_study::file::experiment_file::CHANGES_KEY;
use enfilade_study::file::rulebook_loader::RULEBOOKS_KEY;
use enfilade_study::follow_up;
use enfilade_study::parameters;

/// The largest number of sample questions of an action.
const MAX_SAMPLE_QUESTIONS: usize = 6;

/// Fields of an arsenal without a form: they name its rules.
const FIELDS_WITHOUT_FORM: [&str; 3] = ["system", RULEBOOKS_KEY, CHANGES_KEY];

/// The forms of all actions of the rulebooks in `catalogue` whose data can be read.
///
/// ```
/// use enfilade_report::forms_json;
/// let forms = serde_json::json!(forms_json::build_forms_document(&enfilade_games::built_in_catalogue()));
/// let asl = &forms["systems"][1];
/// assert_eq!(asl["id"], "asl");
/// assert_eq!(asl["actions"][0]["name"], "fire");
/// ```
pub fn build_forms_document(catalogue: &Catalogue) -> FormsDocument {
    let mut writer = FormsBuilder::default();
    let sound = catalogue
        .rulebooks_created_on_demand()
        .filter(|system| system.check_built_in_data().is_ok());
    let systems = sound.map(|system| writer.build_system_form(system)).collect();
    let then = writer.intern_field_list(&follow_up::FOLLOW_UP_FIELDS);
    let FormsBuilder { groups, names, .. } = writer;
    FormsDocument { enfilade: env!("CARGO_PKG_VERSION"), systems, then, groups, names }
}

/// The tiles of the same rulebooks: a page shows them while their fields are on their way.
pub fn build_tiles_document(catalogue: &Catalogue) -> TilesDocument {
    let sound = catalogue
        .rulebooks_created_on_demand()
        .filter(|system| system.check_built_in_data().is_ok());
    let systems = sound.map(|system| {
        let action = |action: &Arc<RulebookAction>| ActionTile {
            name: action.name.to_string(),
            label: action_display_name(action),
            about: action.about.to_string(),
            question: action.question_in_general(),
            questions: sample_questions(system, action),
        };
        SystemTiles {
            id: system.id.to_string(),
            title: system.title.to_string(),
            actions: system.actions.iter().map(action).collect(),
            arsenal: system.pricing.as_deref().map(|rules| starter_arsenal_text(system, rules)),
        }
    });
    TilesDocument { enfilade: env!("CARGO_PKG_VERSION"), systems: systems.collect() }
}

/// The name of an action as a page shows it.
fn action_display_name(action: &RulebookAction) -> String {
    action.name.replace(['_', '-'], " ")
}

/// An arsenal to start from.
fn starter_arsenal_text(system: &System, rules: &dyn PricingRules) -> String {
    sample_arsenal::runnable_sample_arsenal(system, rules, "FILE", None)
}

/// The document so far: each list of names and each group of fields once.
#[derive(Default)]
struct FormsBuilder {
    names: Vec<NamesWithPrintedData>,
    places: HashMap<*const NameList, usize>,
    groups: Vec<Vec<FormFieldDescription>>,
    alike: HashMap<String, usize>,
    /// The printed data of the current rulebook.
    printed: Vec<PrintedDataTable>,
}

impl FormsBuilder {
    fn build_system_form(&mut self, system: &Arc<System>) -> SystemForm {
        self.printed = (system.data_tables)();
        let actions =
            system.actions.iter().map(|action| self.build_action_form(system, action)).collect();
        let text = system.files.first().map(|file| file.name.to_string());
        SystemForm {
            id: system.id.to_string(),
            title: system.title.to_string(),
            source: system.source.to_string(),
            dice: system.dice.to_string(),
            file: text.clone().filter(|_| system.is_from_text()),
            text,
            actions,
            arsenal: system.pricing.as_deref().map(|rules| self.build_arsenal_form(system, rules)),
        }
    }

    /// Builds the form of an arsenal of a rulebook, and a starter arsenal.
    fn build_arsenal_form(&mut self, system: &System, rules: &dyn PricingRules) -> ArsenalForm {
        let top = arsenal::ARSENAL_FIELDS;
        let form_fields = top.iter().filter(|field| !FIELDS_WITHOUT_FORM.contains(&&*field.name));
        let fields = form_fields.map(|field| {
            let mut written = self.build_field_form(field);
            match &*field.name {
                "weapon" => {
                    written.value.fields = Some(self.intern_weapon_fields(rules));
                    written.columns = ["name", "price"].map(str::to_owned).to_vec();
                }
                "scenario" => written.value.fields = Some(self.intern_scenario_fields(rules)),
                "assumptions" => written.value.fields = Some(self.intern_assumption_fields(rules)),
                "tolerance" => {
                    written.value = written.value.as_real_number_in_range(arsenal::TOLERANCE_RANGE)
                }
                _ => {}
            }
            written.rare = Some(!["weapon", "scenario"].contains(&&*field.name));
            written
        });
        let fields = fields.collect();
        ArsenalForm {
            fields: self.intern_field_group(fields),
            file: starter_arsenal_text(system, rules),
        }
    }

    /// Adds the fields of a weapon, which may be known by name.
    fn intern_weapon_fields(&mut self, rules: &dyn PricingRules) -> usize {
        let fields = arsenal::rulebook_weapon_fields(rules);
        let mut written: Vec<_> = fields.iter().map(|field| self.build_field_form(field)).collect();
        let names = rules.weapon_names().iter().map(ToString::to_string).collect();
        self.names.push(NamesWithPrintedData { names, ..NamesWithPrintedData::default() });
        if let Some(name) = written.iter_mut().find(|field| field.name == "name") {
            name.value.kind = "name";
            name.value.names = Some(self.names.len() - 1);
        }
        self.intern_field_group(written)
    }

    fn intern_scenario_fields(&mut self, rules: &dyn PricingRules) -> usize {
        let fields = scenario::all_scenario_fields(rules);
        let written = fields.iter().map(|field| {
            let mut written = self.build_field_form(field);
            if field.name == scenario::WEIGHT_BOUND.name {
                written.value = written.value.as_real_number_in_range(scenario::WEIGHT_BOUND);
            }
            // Most scenarios only have a place and a duration.
            let is_common = ["moves", "range", "target"].contains(&&*field.name);
            written.rare = Some(!is_common && written.required.is_none());
            written
        });
        let written = written.collect();
        self.intern_field_group(written)
    }

    /// Adds the assumptions: low, default and high of each.
    fn intern_assumption_fields(&mut self, rules: &dyn PricingRules) -> usize {
        let assumed = |assumption: &AssumptionSpec| {
            let of = Some(Box::new(
                FieldValuesDescription::default().as_real_number_in_range(assumption.bound),
            ));
            let value = FieldValuesDescription {
                kind: "list",
                many: Some([3, 3]),
                of,
                ..FieldValuesDescription::default()
            };
            FormFieldDescription {
                about: assumption.about.to_string(),
                preset: Some(assumption.values.to_vec().into()),
                ..FormFieldDescription::new(value, &assumption.name, &assumption.name)
            }
        };
        let fields = scenario::assumptions_with_rulebook(rules).map(assumed).collect();
        self.intern_field_group(fields)
    }

    fn build_action_form(&mut self, system: &System, action: &RulebookAction) -> ActionForm {
        ActionForm {
            name: action.name.to_string(),
            label: action_display_name(action),
            about: action.about.to_string(),
            question: action.question_in_general(),
            fields: self.intern_field_list(&action.fields),
            leaves: action.leaves.fields.iter().map(str::to_owned).collect(),
            questions: sample_questions(system, action),
        }
    }

    /// Adds a group of fields and returns its number.
    fn intern_field_list(&mut self, fields: &Fields) -> usize {
        let written = fields.iter().map(|field| self.build_field_form(field)).collect();
        self.intern_field_group(written)
    }

    fn intern_field_group(&mut self, fields: Vec<FormFieldDescription>) -> usize {
        *self.alike.entry(to_flat_json(&fields)).or_insert_with(|| {
            self.groups.push(fields);
            self.groups.len() - 1
        })
    }

    fn build_field_form(&mut self, field: &Field) -> FormFieldDescription {
        let reckoned = match &field.preset {
            form::DefaultValue::Derived(words) => Some(words.to_string()),
            _ => None,
        };
        FormFieldDescription {
            about: field.about.to_string(),
            source: field.source.to_string(),
            unit: field.unit.to_string(),
            group: field.group.to_string(),
            assumed: field.assumed.then_some(true),
            rare: field.rare.then_some(true),
            required: (field.preset == form::DefaultValue::Required).then_some(true),
            preset: field.default_value_if_any().map(|value| parameters::value_to_json(&value)),
            reckoned,
            values: field.values.iter().map(str::to_owned).collect(),
            ..FormFieldDescription::new(
                self.build_value_form(&field.kind),
                &field.name,
                &field.display_name(),
            )
        }
    }

    fn build_value_form(&mut self, kind: &FieldType) -> FieldValuesDescription {
        let none = FieldValuesDescription::default;
        match kind {
            FieldType::Flag => FieldValuesDescription { kind: "flag", ..none() },
            FieldType::Int(bound) => {
                FieldValuesDescription { kind: "int", bound: Some(number_range(bound)), ..none() }
            }
            FieldType::Fraction(bound) => {
                let (bound, step) = (Some(number_range(bound)), Some(1.0 / 64.0));
                FieldValuesDescription { kind: "fraction", bound, step, ..none() }
            }
            FieldType::Numbers(numbers) => {
                let choices = numbers.iter().map(|number| AllowedNumberOrWord::Number(*number));
                FieldValuesDescription { kind: "numbers", choices: choices.collect(), ..none() }
            }
            FieldType::Die(sides) => {
                let choices =
                    sides.iter().map(|sides| AllowedNumberOrWord::Word(format!("d{sides}")));
                FieldValuesDescription { kind: "die", choices: choices.collect(), ..none() }
            }
            FieldType::Choice(words) => {
                let choices = words.iter().map(|word| AllowedNumberOrWord::Word(word.to_owned()));
                FieldValuesDescription { kind: "choice", choices: choices.collect(), ..none() }
            }
            FieldType::Name(names) => FieldValuesDescription {
                kind: "name",
                names: Some(self.intern_name_list(names)),
                ..none()
            },
            FieldType::Text => FieldValuesDescription { kind: "text", ..none() },
            FieldType::List(of, many) => {
                let of = Some(Box::new(self.build_value_form(of)));
                FieldValuesDescription {
                    kind: "list",
                    many: Some(low_and_high(many)),
                    of,
                    ..none()
                }
            }
            FieldType::Entries(names, bound) => {
                let (names, bound) =
                    (Some(self.intern_name_list(names)), Some(number_range(bound)));
                FieldValuesDescription { kind: "entries", names, bound, ..none() }
            }
            FieldType::Table(fields) => FieldValuesDescription {
                kind: "table",
                fields: Some(self.intern_field_list(fields)),
                ..none()
            },
            FieldType::Tables(fields, many) => {
                let (many, fields) =
                    (Some(low_and_high(many)), Some(self.intern_field_list(fields)));
                FieldValuesDescription { kind: "tables", many, fields, ..none() }
            }
            FieldType::Row(names, fields) => self.build_printed_row_form(names, fields),
        }
    }

    /// Builds a row of a printed table, without the name that already identifies the row.
    fn build_printed_row_form(
        &mut self,
        names: &AcceptedNames,
        fields: &Fields,
    ) -> FieldValuesDescription {
        let columns = fields.iter().filter(|field| field.name != ROW_NAME);
        let columns = Fields::from(columns.cloned().collect::<Vec<_>>());
        let (fields, place) = (self.intern_field_list(&columns), self.intern_name_list(names));
        self.add_printed_columns_to_names(names, place, &columns);
        FieldValuesDescription {
            kind: "row",
            names: Some(place),
            fields: Some(fields),
            ..FieldValuesDescription::default()
        }
    }

    /// Adds to a list of names the printed numbers in the columns of the rows that they name.
    fn add_printed_columns_to_names(
        &mut self,
        names: &AcceptedNames,
        place: usize,
        columns: &Fields,
    ) {
        let is_of = |table: &&PrintedDataTable| {
            let keys = table.rows.iter().filter_map(|row| row.first());
            names.name_list().iter().eq(keys.map(String::as_str))
        };
        let Some(table) = self.printed.iter().find(is_of) else { return };
        let column = |field: &Field| {
            let head = field.name.replace('_', " ");
            let at = table.columns.iter().position(|known| *known == head)?;
            let cells = table.rows.iter().map(|row| row.get(at).cloned().unwrap_or_default());
            Some((field.name.to_string(), cells.collect::<Json>()))
        };
        self.names[place].columns = Some(columns.iter().filter_map(column).collect());
    }

    /// Adds a list of names, with the numbers that belong to them, and returns its number.
    fn intern_name_list(&mut self, names: &AcceptedNames) -> usize {
        let list = names.name_list();
        *self.places.entry(std::ptr::from_ref(list)).or_insert_with(|| {
            let mut numbers: Vec<i64> =
                list.names_with_numbers().map(|(_, number)| number).collect();
            if numbers.iter().all(|number| *number == 0) {
                numbers.clear();
            }
            let names = list.iter().map(str::to_owned).collect();
            self.names.push(NamesWithPrintedData { names, numbers, columns: None });
            self.names.len() - 1
        })
    }
}

fn number_range(bound: &IntRange) -> NumberRange {
    NumberRange::Whole(low_and_high(bound))
}

fn low_and_high(bound: &IntRange) -> [i64; 2] {
    [bound.low, bound.high]
}

/// Returns the samples of an action as questions with their experiment files, each question once.
pub fn sample_questions(
    system: &System,
    action: &RulebookAction,
) -> Vec<SampleQuestionAndFileText> {
    let mut action_names: Vec<String> = Vec::new();
    let mut questions = Vec::new();
    // An action without a sample has one question without fields.
    let none = action.samples.is_empty().then_some("");
    for text in action.samples.iter().chain(none) {
        let asked = text
            .parse()
            .ok()
            .and_then(|table| Form::from_table_with_defaults(&action.fields, &table).ok());
        let question = match asked {
            Some(form) => action.title_question_for_form(&form),
            // A file with axes is no single contest.
            None => action.question_in_general(),
        };
        if questions.len() < MAX_SAMPLE_QUESTIONS && !action_names.contains(&question) {
            let file = enfilade_study::samples::contest_file_of_sample(system, action, text);
            action_names.push(question.clone());
            questions.push(SampleQuestionAndFileText { question, file });
        }
    }
    questions
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Tiles and forms say the same of what they share, and the tiles are the small document.
    #[test]
    fn tiles_say_what_the_forms_say_in_few_bytes() {
        let catalogue = enfilade_games::built_in_catalogue();
        let (tiles, forms) =
            (json!(build_tiles_document(&catalogue)), json!(build_forms_document(&catalogue)));
        let systems = tiles["systems"].as_array().expect("a list");
        assert_eq!(systems.len(), forms["systems"].as_array().expect("a list").len());
        for (tile, form) in systems.iter().zip(forms["systems"].as_array().expect("a list")) {
            assert_eq!((&tile["id"], &tile["title"]), (&form["id"], &form["title"]));
            assert_eq!(tile["arsenal"], form["arsenal"]["file"]);
            let actions = tile["actions"].as_array().expect("a list");
            for (own, other) in actions.iter().zip(form["actions"].as_array().expect("a list")) {
                for key in ["name", "label", "about", "question", "questions"] {
                    assert_eq!(own[key], other[key], "{key}");
                }
            }
        }
        let bytes = to_flat_json(&tiles).len();
        assert!(bytes <= 60_000, "the first tiles wait for {bytes} bytes");
    }
    use enfilade_model::form::field_groups::joined;
    use enfilade_model::form::name_matching::name_list;
    use enfilade_model::form::{DefaultValue, Words};

    name_list!(
        fn guns() = NameList::from_names_without_numbers(vec!["rifle".into(), "lmg".into()])
    );
    name_list!(
        fn marks() = NameList::from_names_with_numbers(vec![("smoke".into(), 2), ("fog".into(), 0)])
    );

    const INNER: &[Field] =
        &[Field::new_switch_with_default("hidden", false, "whether it is hidden")];
    const FIELDS: [Field; 6] = [
        Field::new_required("gun", FieldType::name_from_list(guns), "what fires")
            .with_rule_reference("1.2"),
        Field::new_whole_number("range", IntRange::new("range", 0, 12), 3, "how far")
            .with_unit("hexes")
            .marked_as_interpretation(),
        Field::new_optional("other", FieldType::name_from_list(guns), "what answers")
            .as_rarely_changed(),
        Field::new(
            "marks",
            FieldType::numbered_names(marks, IntRange::new("mark", -9, 9)),
            DefaultValue::Empty,
            "",
        ),
        Field::new_optional("target", FieldType::tables(Fields::Static(&[INNER])), "who is hit"),
        Field::new_optional("ally", FieldType::Table(Fields::Static(&[INNER])), "")
            .with_player_name("a friend"),
    ];

    fn written() -> Json {
        let action = RulebookAction {
            samples: Words::NO_WORDS,
            ..RulebookAction::new("shoot_it", "", joined![FIELDS], &|_| Err(Vec::new()), &[])
        };
        json!(build_forms_document(&Catalogue::from_rulebooks([System::new("x", "X", [action])])))
    }

    #[test]
    fn lists_of_names_and_shared_fields_stand_once() {
        let forms = written();
        assert_eq!(
            forms["names"],
            json!([{ "names": ["rifle", "lmg"] }, { "names": ["smoke", "fog"], "numbers": [2, 0] }])
        );
        let action = &forms["systems"][0]["actions"][0];
        assert_eq!(action["label"], "shoot it");
        let place =
            |number: &Json| usize::try_from(number.as_u64().expect("a number")).expect("small");
        let fields = &forms["groups"][place(&action["fields"])];
        assert_eq!(
            fields[0],
            json!({"kind": "name", "names": 0, "name": "gun", "label": "gun", "about": "what fires",
                "source": "1.2", "required": true})
        );
        assert_eq!(
            fields[1],
            json!({"kind": "int", "bound": [0, 12], "name": "range", "label": "range",
                "about": "how far", "unit": "hexes", "assumed": true, "preset": 3})
        );
        assert_eq!((&fields[2]["names"], &fields[2]["rare"]), (&json!(0), &json!(true)));
        assert_eq!(fields[3]["names"], 1);
        assert_eq!(fields[4]["fields"], fields[5]["fields"]);
        assert_eq!(fields[5]["label"], "a friend");
        let inner = &forms["groups"][place(&fields[4]["fields"])];
        assert_eq!(inner[0]["preset"], false);
    }
}
