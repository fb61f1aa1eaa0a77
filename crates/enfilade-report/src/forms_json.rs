//! Forms of all actions as one JSON document, from which a page draws them.
//!
//! The JSON Schema contains the same for editors, but repeats every list of names wherever it is
//! used. Here a list of names appears once, under `names`, and a group of fields that several
//! actions share once, under `groups`; a field refers to them by number.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::forms_document::{
    ActionForm, ActionTile, ArsenalForm, Choice, Ends, FieldForm, NameTable, SystemForm,
    SystemTiles, ValueForm,
};
pub use super::forms_document::{FormsDocument, ReadyQuestion, TilesDocument};
use super::json::flat;

use enfilade_model::catalogue::{Action, Catalogue, DataTable, System};
use enfilade_model::form::bounds::{Bound, RealBound};
use enfilade_model::form::name_matching::{NameList, Names};
use enfilade_model::form::{self, Field, Fields, Form, Kind, ROW_NAME};
use enfilade_model::weapons::{Preset, Priced};
use enfilade_pricing::sample;
use enfilade_pricing::{arsenal, scenario};
use enfilade_study::file::experiment::CHANGE;
use enfilade_study::file::rulebook_loader::RULES;
use enfilade_study::follow_up;
use enfilade_study::parameters;

/// The largest number of sample questions of an action.
const QUESTIONS: usize = 6;

/// Fields of an arsenal without a form: they name its rules.
const ELSEWHERE: [&str; 3] = ["system", RULES, CHANGE];

/// The forms of all actions of the rulebooks in `catalogue` whose data can be read.
///
/// ```
/// use enfilade_report::forms_json;
/// let forms = serde_json::json!(forms_json::document(&enfilade_games::built_in()));
/// let asl = &forms["systems"][1];
/// assert_eq!(asl["id"], "asl");
/// assert_eq!(asl["actions"][0]["name"], "fire");
/// ```
pub fn document(catalogue: &Catalogue) -> FormsDocument {
    let mut writer = Writer::default();
    let sound = catalogue.systems().filter(|system| system.checked().is_ok());
    let systems = sound.map(|system| writer.system(system)).collect();
    let then = writer.fields(&follow_up::HEAD);
    let Writer { groups, names, .. } = writer;
    FormsDocument { enfilade: env!("CARGO_PKG_VERSION"), systems, then, groups, names }
}

/// The tiles of the same rulebooks: a page shows them while their fields are on their way.
pub fn tiles(catalogue: &Catalogue) -> TilesDocument {
    let sound = catalogue.systems().filter(|system| system.checked().is_ok());
    let systems = sound.map(|system| {
        let action = |action: &Arc<Action>| ActionTile {
            name: action.name.to_string(),
            label: label(action),
            about: action.about.to_string(),
            question: action.plain_question(),
            questions: questions(system, action),
        };
        SystemTiles {
            id: system.id.to_string(),
            title: system.title.to_string(),
            actions: system.actions.iter().map(action).collect(),
            arsenal: system.pricing.as_deref().map(|rules| first_arsenal(system, rules)),
        }
    });
    TilesDocument { enfilade: env!("CARGO_PKG_VERSION"), systems: systems.collect() }
}

/// The name of an action as a page shows it.
fn label(action: &Action) -> String {
    action.name.replace(['_', '-'], " ")
}

/// An arsenal to start from.
fn first_arsenal(system: &System, rules: &dyn Priced) -> String {
    sample::arsenal(system, rules, "FILE", None)
}

/// The document so far: each list of names and each group of fields once.
#[derive(Default)]
struct Writer {
    names: Vec<NameTable>,
    places: HashMap<*const NameList, usize>,
    groups: Vec<Vec<FieldForm>>,
    alike: HashMap<String, usize>,
    /// The printed data of the current rulebook.
    printed: Vec<DataTable>,
}

impl Writer {
    fn system(&mut self, system: &Arc<System>) -> SystemForm {
        self.printed = (system.data_tables)();
        let actions = system.actions.iter().map(|action| self.action(system, action)).collect();
        let text = system.files.first().map(|file| file.name.to_string());
        SystemForm {
            id: system.id.to_string(),
            title: system.title.to_string(),
            source: system.source.to_string(),
            dice: system.dice.to_string(),
            file: text.clone().filter(|_| system.is_read()),
            text,
            actions,
            arsenal: system.pricing.as_deref().map(|rules| self.arsenal(system, rules)),
        }
    }

    /// Builds the form of an arsenal of a rulebook, and a starter arsenal: fields as those of an
    /// action.
    fn arsenal(&mut self, system: &System, rules: &dyn Priced) -> ArsenalForm {
        let top = arsenal::TOP;
        let asked = top.iter().filter(|field| !ELSEWHERE.contains(&&*field.name));
        let fields = asked.map(|field| {
            let mut written = self.field(field);
            match &*field.name {
                "weapon" => {
                    written.value.fields = Some(self.weapon(rules));
                    written.columns = ["name", "price"].map(str::to_owned).to_vec();
                }
                "scenario" => written.value.fields = Some(self.scenario(rules)),
                "assumptions" => written.value.fields = Some(self.assumed(rules)),
                "tolerance" => written.value = written.value.real(arsenal::TOLERATED),
                _ => {}
            }
            written.rare = Some(!["weapon", "scenario"].contains(&&*field.name));
            written
        });
        let fields = fields.collect();
        ArsenalForm { fields: self.group(fields), file: first_arsenal(system, rules) }
    }

    /// Adds the fields of a weapon, which may be known by name.
    fn weapon(&mut self, rules: &dyn Priced) -> usize {
        let fields = arsenal::weapon_fields(rules);
        let mut written: Vec<_> = fields.iter().map(|field| self.field(field)).collect();
        let names = rules.known().iter().map(ToString::to_string).collect();
        self.names.push(NameTable { names, ..NameTable::default() });
        if let Some(name) = written.iter_mut().find(|field| field.name == "name") {
            name.value.kind = "name";
            name.value.names = Some(self.names.len() - 1);
        }
        self.group(written)
    }

    fn scenario(&mut self, rules: &dyn Priced) -> usize {
        let fields = scenario::fields(rules);
        let written = fields.iter().map(|field| {
            let mut written = self.field(field);
            if field.name == scenario::WEIGHT.name {
                written.value = written.value.real(scenario::WEIGHT);
            }
            // Most scenarios only have a place and a duration.
            let said = ["moves", "range", "target"].contains(&&*field.name);
            written.rare = Some(!said && written.required.is_none());
            written
        });
        let written = written.collect();
        self.group(written)
    }

    /// Adds the assumptions: low, default and high of each.
    fn assumed(&mut self, rules: &dyn Priced) -> usize {
        let assumed = |assumption: &Preset| {
            let of = Some(Box::new(ValueForm::default().real(assumption.bound)));
            let value = ValueForm { kind: "list", many: Some([3, 3]), of, ..ValueForm::default() };
            FieldForm {
                about: assumption.about.to_string(),
                preset: Some(assumption.values.to_vec().into()),
                ..FieldForm::of(value, &assumption.name, &assumption.name)
            }
        };
        let fields = scenario::presets(rules).map(assumed).collect();
        self.group(fields)
    }

    fn action(&mut self, system: &System, action: &Action) -> ActionForm {
        ActionForm {
            name: action.name.to_string(),
            label: label(action),
            about: action.about.to_string(),
            question: action.plain_question(),
            fields: self.fields(&action.fields),
            leaves: action.leaves.fields.iter().map(str::to_owned).collect(),
            questions: questions(system, action),
        }
    }

    /// Adds a group of fields and returns its number.
    fn fields(&mut self, fields: &Fields) -> usize {
        let written = fields.iter().map(|field| self.field(field)).collect();
        self.group(written)
    }

    fn group(&mut self, written: Vec<FieldForm>) -> usize {
        *self.alike.entry(flat(&written)).or_insert_with(|| {
            self.groups.push(written);
            self.groups.len() - 1
        })
    }

    fn field(&mut self, field: &Field) -> FieldForm {
        let reckoned = match &field.preset {
            form::Preset::Reckoned(words) => Some(words.to_string()),
            _ => None,
        };
        FieldForm {
            about: field.about.to_string(),
            source: field.source.to_string(),
            unit: field.unit.to_string(),
            group: field.group.to_string(),
            assumed: field.assumed.then_some(true),
            rare: field.rare.then_some(true),
            required: (field.preset == form::Preset::Required).then_some(true),
            preset: field.preset_value().map(|value| parameters::json_value(&value)),
            reckoned,
            values: field.values.iter().map(str::to_owned).collect(),
            ..FieldForm::of(self.kind(&field.kind), &field.name, &field.label_or_name())
        }
    }

    fn kind(&mut self, kind: &Kind) -> ValueForm {
        let none = ValueForm::default;
        match kind {
            Kind::Flag => ValueForm { kind: "flag", ..none() },
            Kind::Int(bound) => ValueForm { kind: "int", bound: Some(ends(bound)), ..none() },
            Kind::Fraction(bound) => {
                let (bound, step) = (Some(ends(bound)), Some(1.0 / 64.0));
                ValueForm { kind: "fraction", bound, step, ..none() }
            }
            Kind::Numbers(numbers) => {
                let choices = numbers.iter().map(|number| Choice::Number(*number));
                ValueForm { kind: "numbers", choices: choices.collect(), ..none() }
            }
            Kind::Die(sides) => {
                let choices = sides.iter().map(|sides| Choice::Word(format!("d{sides}")));
                ValueForm { kind: "die", choices: choices.collect(), ..none() }
            }
            Kind::Choice(words) => {
                let choices = words.iter().map(|word| Choice::Word(word.to_owned()));
                ValueForm { kind: "choice", choices: choices.collect(), ..none() }
            }
            Kind::Name(names) => {
                ValueForm { kind: "name", names: Some(self.names(names)), ..none() }
            }
            Kind::Text => ValueForm { kind: "text", ..none() },
            Kind::List(of, many) => {
                let of = Some(Box::new(self.kind(of)));
                ValueForm { kind: "list", many: Some(within(many)), of, ..none() }
            }
            Kind::Entries(names, bound) => {
                let (names, bound) = (Some(self.names(names)), Some(ends(bound)));
                ValueForm { kind: "entries", names, bound, ..none() }
            }
            Kind::Table(fields) => {
                ValueForm { kind: "table", fields: Some(self.fields(fields)), ..none() }
            }
            Kind::Tables(fields, many) => {
                let (many, fields) = (Some(within(many)), Some(self.fields(fields)));
                ValueForm { kind: "tables", many, fields, ..none() }
            }
            Kind::Row(names, fields) => self.row(names, fields),
        }
    }

    /// Builds a row of a printed table, without the name that already identifies the row.
    fn row(&mut self, names: &Names, fields: &Fields) -> ValueForm {
        let columns = fields.iter().filter(|field| field.name != ROW_NAME);
        let columns = Fields::from(columns.cloned().collect::<Vec<_>>());
        let (fields, place) = (self.fields(&columns), self.names(names));
        self.print(names, place, &columns);
        ValueForm { kind: "row", names: Some(place), fields: Some(fields), ..ValueForm::default() }
    }

    /// Adds to a list of names the printed numbers in the columns of the rows that they name.
    fn print(&mut self, names: &Names, place: usize, columns: &Fields) {
        let is_of = |table: &&DataTable| {
            let keys = table.rows.iter().filter_map(|row| row.first());
            names.list().iter().eq(keys.map(String::as_str))
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

    /// Adds a list of names and returns its number. Numbers that belong to the names are added, if
    /// there are any.
    fn names(&mut self, names: &Names) -> usize {
        let list = names.list();
        *self.places.entry(std::ptr::from_ref(list)).or_insert_with(|| {
            let mut numbers: Vec<i64> = list.entries().map(|(_, number)| number).collect();
            if numbers.iter().all(|number| *number == 0) {
                numbers.clear();
            }
            let names = list.iter().map(str::to_owned).collect();
            self.names.push(NameTable { names, numbers, columns: None });
            self.names.len() - 1
        })
    }
}

impl FieldForm {
    /// Returns a field with only its values, name and label.
    fn of(value: ValueForm, name: &str, label: &str) -> FieldForm {
        FieldForm {
            value,
            name: name.to_owned(),
            label: label.to_owned(),
            about: String::new(),
            source: String::new(),
            unit: String::new(),
            group: String::new(),
            assumed: None,
            rare: None,
            required: None,
            preset: None,
            reckoned: None,
            values: Vec::new(),
            columns: Vec::new(),
        }
    }
}

impl ValueForm {
    /// Returns the form with any number allowed: those of a file are typed by hand.
    fn real(&self, bound: RealBound) -> ValueForm {
        let (bound, step) = (Some(Ends::Real([bound.low, bound.high])), Some(0.05));
        ValueForm { kind: "fraction", bound, step, ..self.clone() }
    }
}

fn ends(bound: &Bound) -> Ends {
    Ends::Whole(within(bound))
}

fn within(bound: &Bound) -> [i64; 2] {
    [bound.low, bound.high]
}

/// Returns the samples of an action as questions with their experiment files, each question once.
pub fn questions(system: &System, action: &Action) -> Vec<ReadyQuestion> {
    let mut known: Vec<String> = Vec::new();
    let mut questions = Vec::new();
    // An action without a sample has one question without fields.
    let none = action.samples.is_empty().then_some("");
    for text in action.samples.iter().chain(none) {
        let asked = text.parse().ok().and_then(|table| Form::fill(&action.fields, &table).ok());
        let question = match asked {
            Some(form) => action.question_of(&form),
            // A file with axes is no single contest.
            None => action.plain_question(),
        };
        if questions.len() < QUESTIONS && !known.contains(&question) {
            let file = enfilade_study::samples::file(system, action, text);
            known.push(question.clone());
            questions.push(ReadyQuestion { question, file });
        }
    }
    questions
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Tiles and forms are two parts of one thing: what both say is the same, and the tiles are the small one.
    #[test]
    fn tiles_say_what_the_forms_say_in_few_bytes() {
        let catalogue = enfilade_games::built_in();
        let (tiles, forms) = (json!(tiles(&catalogue)), json!(document(&catalogue)));
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
        let bytes = flat(&tiles).len();
        assert!(bytes <= 60_000, "the first tiles wait for {bytes} bytes");
    }
    use enfilade_model::form::field_groups::joined;
    use enfilade_model::form::name_matching::name_list;
    use enfilade_model::form::{Preset, Words};

    name_list!(
        fn guns() = NameList::of(vec!["rifle".into(), "lmg".into()])
    );
    name_list!(
        fn marks() = NameList::numbered(vec![("smoke".into(), 2), ("fog".into(), 0)])
    );

    const INNER: &[Field] = &[Field::flag("hidden", false, "whether it is hidden")];
    const FIELDS: [Field; 6] = [
        Field::required("gun", Kind::name(guns), "what fires").rule("1.2"),
        Field::int("range", Bound::new("range", 0, 12), 3, "how far").unit("hexes").assumed(),
        Field::optional("other", Kind::name(guns), "what answers").rare(),
        Field::new("marks", Kind::entries(marks, Bound::new("mark", -9, 9)), Preset::Empty, ""),
        Field::optional("target", Kind::tables(Fields::Static(&[INNER])), "who is hit"),
        Field::optional("ally", Kind::Table(Fields::Static(&[INNER])), "").label("a friend"),
    ];

    fn written() -> Json {
        let action = Action {
            samples: Words::NONE,
            ..Action::new("shoot_it", "", joined![FIELDS], &|_| Err(Vec::new()), &[])
        };
        json!(document(&Catalogue::of([System::new("x", "X", [action])])))
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
