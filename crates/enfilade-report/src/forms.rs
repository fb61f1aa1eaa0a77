//! The forms of all actions as one JSON document: what a page needs to draw them.
//!
//! The JSON Schema says the same for editors, but repeats every list of names wherever it may stand. Here
//! a list of names stands once, under `names`, and a group of fields that several actions share once,
//! under `groups`; a field says by number which it means.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use enfilade_model::arsenal::{Preset, Priced};
use enfilade_model::bounds::{Bound, RealBound};
use enfilade_model::catalogue::{Action, Catalogue, DataTable, System};
use enfilade_model::form::names::{NameList, Names};
use enfilade_model::form::{self, Field, Fields, Form, Kind, ROW_NAME};
use enfilade_pricing::sample;
use enfilade_pricing::{arsenal, scenario};
use enfilade_study::chain;
use enfilade_study::params;
use enfilade_study::read::CHANGE;
use enfilade_study::shelf::RULES;

/// Questions that an action shows ready made, at most.
const QUESTIONS: usize = 6;

/// Fields of an arsenal that no form asks for: they say of which rules it is.
const ELSEWHERE: [&str; 3] = ["system", RULES, CHANGE];

/// The forms of all actions of the rulebooks in `catalogue` whose data can be read.
///
/// ```
/// use enfilade_report::forms;
/// let forms = forms::document(&enfilade_games::built_in());
/// let asl = &forms["systems"][1];
/// assert_eq!(asl["id"], "asl");
/// assert_eq!(asl["actions"][0]["name"], "fire");
/// ```
pub fn document(catalogue: &Catalogue) -> Json {
    let mut writer = Writer::default();
    let sound = catalogue.systems().filter(|system| system.checked().is_ok());
    let systems: Vec<_> = sound.map(|system| writer.system(system)).collect();
    let then = writer.fields(&chain::HEAD);
    json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "systems": systems,
        "then": then,
        "groups": writer.groups,
        "names": writer.names,
    })
}

/// What was written so far: each list of names and each group of fields once.
#[derive(Default)]
struct Writer {
    names: Vec<Json>,
    places: HashMap<*const NameList, usize>,
    groups: Vec<Json>,
    alike: HashMap<String, usize>,
    /// The printed data of the rulebook that is written.
    printed: Vec<DataTable>,
}

impl Writer {
    fn system(&mut self, system: &Arc<System>) -> Json {
        self.printed = (system.data_tables)();
        let actions = system.actions.iter();
        json!({
            "id": system.id,
            "title": system.title,
            "source": system.source,
            "dice": system.dice,
            "file": system.files.first().filter(|_| system.is_read()).map(|file| &file.name),
            "text": system.files.first().map(|file| &file.name),
            "actions": actions.map(|action| self.action(system, action)).collect::<Vec<_>>(),
            "arsenal": system.pricing.as_deref().map(|rules| self.arsenal(system, rules)),
        })
    }

    /// What an arsenal of a rulebook may hold, and one to start from: fields as those of an action.
    fn arsenal(&mut self, system: &System, rules: &dyn Priced) -> Json {
        let top = arsenal::TOP;
        let asked = top.iter().filter(|field| !ELSEWHERE.contains(&&*field.name));
        let fields = asked.map(|field| {
            let mut written = self.field(field);
            match &*field.name {
                "weapon" => {
                    written["fields"] = self.weapon(rules).into();
                    written["columns"] = json!(["name", "price"]);
                }
                "scenario" => written["fields"] = self.scenario(rules).into(),
                "assumptions" => written["fields"] = self.assumed(rules).into(),
                "tolerance" => real(&mut written, arsenal::TOLERATED),
                _ => {}
            }
            written["rare"] = (!["weapon", "scenario"].contains(&&*field.name)).into();
            written
        });
        let fields: Vec<Json> = fields.collect();
        json!({ "fields": self.group(fields), "file": sample::arsenal(system, rules, "FILE", None) })
    }

    /// The fields of a weapon; it may be one that is known by name.
    fn weapon(&mut self, rules: &dyn Priced) -> usize {
        let fields = arsenal::weapon_fields(rules);
        let mut written: Vec<Json> = fields.iter().map(|field| self.field(field)).collect();
        let known = rules.known();
        self.names.push(json!({ "names": known.iter().map(|name| &**name).collect::<Vec<_>>() }));
        if let Some(name) = written.iter_mut().find(|field| field["name"] == "name") {
            name["kind"] = "name".into();
            name["names"] = (self.names.len() - 1).into();
        }
        self.group(written)
    }

    fn scenario(&mut self, rules: &dyn Priced) -> usize {
        let fields = scenario::fields(rules);
        let mut written: Vec<Json> = fields.iter().map(|field| self.field(field)).collect();
        for field in &mut written {
            if field["name"] == scenario::WEIGHT.name {
                real(field, scenario::WEIGHT);
            }
            // Most scenarios say where they are and how long, and nothing else.
            let said = ["moves", "range", "target"].iter().any(|name| field["name"] == *name);
            field["rare"] = (!said && field["required"].is_null()).into();
        }
        self.group(written)
    }

    /// What is assumed: low, default and high of each.
    fn assumed(&mut self, rules: &dyn Priced) -> usize {
        let assumed = |assumption: &Preset| {
            let mut value = json!({});
            real(&mut value, assumption.bound);
            json!({ "kind": "list", "many": [3, 3], "of": value, "name": assumption.name,
                "label": assumption.name, "about": assumption.about, "preset": assumption.values })
        };
        let fields = scenario::presets(rules).map(assumed).collect();
        self.group(fields)
    }

    fn action(&mut self, system: &System, action: &Action) -> Json {
        json!({
            "name": action.name,
            "label": action.name.replace(['_', '-'], " "),
            "about": action.about,
            "question": action.plain_question(),
            "fields": self.fields(&action.fields),
            "leaves": action.leaves.fields.iter().collect::<Vec<_>>(),
            "questions": questions(system, action),
        })
    }

    /// The number of a group of fields.
    fn fields(&mut self, fields: &Fields) -> usize {
        let written = fields.iter().map(|field| self.field(field)).collect();
        self.group(written)
    }

    fn group(&mut self, written: Vec<Json>) -> usize {
        let key = Json::from(written.clone()).to_string();
        *self.alike.entry(key).or_insert_with(|| {
            self.groups.push(written.into());
            self.groups.len() - 1
        })
    }

    fn field(&mut self, field: &Field) -> Json {
        let mut said = self.kind(&field.kind);
        said.insert("name".into(), json!(field.name));
        said.insert("label".into(), json!(field.label_or_name()));
        // What is empty is left out: forms of all games are read whenever the page is opened.
        for (key, text) in [
            ("about", &field.about),
            ("source", &field.source),
            ("unit", &field.unit),
            ("group", &field.group),
        ] {
            if !text.is_empty() {
                said.insert(key.into(), json!(text));
            }
        }
        for (key, on) in [
            ("assumed", field.assumed),
            ("rare", field.rare),
            ("required", field.preset == form::Preset::Required),
        ] {
            if on {
                said.insert(key.into(), true.into());
            }
        }
        if let Some(value) = field.preset_value() {
            said.insert("preset".into(), params::json_value(&value));
        }
        if let form::Preset::Reckoned(words) = &field.preset {
            said.insert("reckoned".into(), json!(words));
        }
        if !field.values.is_empty() {
            said.insert("values".into(), field.values.iter().collect());
        }
        said.into()
    }

    fn kind(&mut self, kind: &Kind) -> Map<String, Json> {
        let said = match kind {
            Kind::Flag => json!({ "kind": "flag" }),
            Kind::Int(bound) => json!({ "kind": "int", "bound": within(bound) }),
            Kind::Fraction(bound) => {
                json!({ "kind": "fraction", "bound": within(bound), "step": 1.0 / 64.0 })
            }
            Kind::Numbers(numbers) => {
                json!({ "kind": "numbers", "choices": numbers.iter().collect::<Vec<_>>() })
            }
            Kind::Die(sides) => {
                let dice = sides.iter().map(|sides| format!("d{sides}"));
                json!({ "kind": "die", "choices": dice.collect::<Vec<_>>() })
            }
            Kind::Choice(words) => {
                json!({ "kind": "choice", "choices": words.iter().collect::<Vec<_>>() })
            }
            Kind::Name(names) => json!({ "kind": "name", "names": self.names(names) }),
            Kind::Text => json!({ "kind": "text" }),
            Kind::List(of, many) => {
                json!({ "kind": "list", "many": within(many), "of": self.kind(of) })
            }
            Kind::Entries(names, bound) => {
                json!({ "kind": "entries", "names": self.names(names), "bound": within(bound) })
            }
            Kind::Table(fields) => json!({ "kind": "table", "fields": self.fields(fields) }),
            Kind::Tables(fields, many) => {
                json!({ "kind": "tables", "many": within(many), "fields": self.fields(fields) })
            }
            Kind::Row(names, fields) => {
                // Under its own name a row is found, and that is asked for already.
                let columns = fields.iter().filter(|field| field.name != ROW_NAME);
                let columns = Fields::from(columns.cloned().collect::<Vec<_>>());
                let (fields, place) = (self.fields(&columns), self.names(names));
                self.print(names, place, &columns);
                json!({ "kind": "row", "names": place, "fields": fields })
            }
        };
        match said {
            Json::Object(said) => said,
            _ => Map::new(),
        }
    }

    /// Says beside a list of names what is printed in the columns of the rows that they name.
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
        let columns: Map<String, Json> = columns.iter().filter_map(column).collect();
        self.names[place]["columns"] = columns.into();
    }

    /// The number of a list of names. Numbers that go with them follow where there are any.
    fn names(&mut self, names: &Names) -> usize {
        let list = names.list();
        *self.places.entry(std::ptr::from_ref(list)).or_insert_with(|| {
            let numbers: Vec<i64> = list.entries().map(|(_, number)| number).collect();
            let names: Vec<_> = list.iter().collect();
            self.names.push(match numbers.iter().all(|number| *number == 0) {
                true => json!({ "names": names }),
                false => json!({ "names": names, "numbers": numbers }),
            });
            self.names.len() - 1
        })
    }
}

/// Says of a field that it may be any number: a file's is read by hand.
fn real(field: &mut Json, bound: RealBound) {
    field["kind"] = "fraction".into();
    field["bound"] = json!([bound.low, bound.high]);
    field["step"] = json!(0.05);
}

fn within(bound: &Bound) -> Json {
    json!([bound.low, bound.high])
}

/// The samples of an action as questions with the files that ask them, each question once.
pub fn questions(system: &System, action: &Action) -> Vec<Json> {
    let mut known: Vec<String> = Vec::new();
    let mut questions = Vec::new();
    // An action of which no sample is known is asked with nothing said.
    let none = action.samples.is_empty().then_some("");
    for text in action.samples.iter().chain(none) {
        let asked = text.parse().ok().and_then(|table| Form::fill(&action.fields, &table).ok());
        let question = match asked {
            Some(form) => action.question_of(&form),
            // What has axes is no single contest.
            None => action.plain_question(),
        };
        if questions.len() < QUESTIONS && !known.contains(&question) {
            let file = enfilade_study::sample::file(system, action, text);
            questions.push(json!({ "question": question, "file": file }));
            known.push(question);
        }
    }
    questions
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_model::form::names::name_list;
    use enfilade_model::form::{Preset, Words, groups::joined};

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
        document(&Catalogue::of([System::new("x", "X", [action])]))
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
