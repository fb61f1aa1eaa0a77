//! The JSON Schema says yes and no where the program does, as far as a schema can.
//!
//! A validator of the few words the schema uses is written out here, so that the schema is read
//! by something else than what made it.

use std::collections::HashMap;

use enfilade_model::catalogue::Catalogue;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::arsenal_schema::build_study_or_arsenal_schema;
use enfilade_study::experiment::Experiment;
use enfilade_testkit::source_files::repository_folder;
use enfilade_testkit::toy::CATALOGUE;
use serde_json::{Value as Json, json};

struct Validator {
    root: Json,
}

impl Validator {
    fn holds(&self, schema: &Json, value: &Json) -> bool {
        let words = schema.as_object().expect("a schema is an object");
        words.iter().all(|(word, law)| self.word(word, law, schema, value))
    }

    fn word(&self, word: &str, law: &Json, schema: &Json, value: &Json) -> bool {
        let number = |json: &Json| json.as_f64().expect("a number");
        let list = |json: &Json| json.as_array().expect("a list").clone();
        match word {
            "$schema" | "$defs" | "title" | "description" | "default" | "examples" | "then" => true,
            "$ref" => {
                let path = law.as_str().expect("a text").trim_start_matches('#');
                self.holds(self.root.pointer(path).expect("a definition"), value)
            }
            "type" => match law.as_str().expect("a text") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                other => panic!("unknown type {other}"),
            },
            "enum" => list(law).contains(value),
            "const" => law == value,
            "anyOf" => list(law).iter().any(|one| self.holds(one, value)),
            "allOf" => list(law).iter().all(|one| self.holds(one, value)),
            "not" => !self.holds(law, value),
            "if" => !self.holds(law, value) || self.holds(&schema["then"], value),
            "required" => {
                let given = |key: &Json| value.get(key.as_str().expect("a key")).is_some();
                !value.is_object() || list(law).iter().all(given)
            }
            "properties" => law
                .as_object()
                .expect("properties")
                .iter()
                .all(|(key, inner)| value.get(key).is_none_or(|value| self.holds(inner, value))),
            "additionalProperties" => value.as_object().is_none_or(|entries| {
                let others =
                    entries.iter().filter(|(key, _)| schema["properties"].get(key).is_none());
                others.into_iter().all(|(_, value)| law.is_object() && self.holds(law, value))
            }),
            "items" => {
                value.as_array().is_none_or(|items| items.iter().all(|item| self.holds(law, item)))
            }
            "minItems" => value.as_array().is_none_or(|items| items.len() as f64 >= number(law)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as f64 <= number(law)),
            "maxLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as f64 <= number(law))
            }
            "minimum" => value.as_f64().is_none_or(|n| n >= number(law)),
            "maximum" => value.as_f64().is_none_or(|n| n <= number(law)),
            "exclusiveMinimum" => value.as_f64().is_none_or(|n| n > number(law)),
            "multipleOf" => value.as_f64().is_none_or(|n| (n / number(law)).fract() == 0.0),
            other => panic!("the validator does not know `{other}`"),
        }
    }
}

/// What the schema and what the program say of a file.
fn verdicts(text: &str) -> (bool, bool) {
    verdicts_of(&CATALOGUE, text)
}

fn verdicts_of(catalogue: &Catalogue, text: &str) -> (bool, bool) {
    let root = build_study_or_arsenal_schema(catalogue);
    let table: toml::Table = text.parse().expect("the test's TOML is well formed");
    let value = serde_json::to_value(table).expect("TOML without dates is JSON");
    let validator = Validator { root: root.clone() };
    let accepted = Experiment::read_experiment_text(catalogue, "test", text).is_ok();
    (validator.holds(&root, &value), accepted)
}

const CONTEST: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\n";

#[test]
fn schema_and_program_agree_on_what_is_right() {
    let right = [
        "needed = 4",
        "needed = [1, 2]\nname = 'x'",
        "needed = { from = 1, to = 6, step = 2 }",
        "needed = 4\nfp = 2.5\ndie = ['d6', 'd8']\ncowers = [true, false]",
        "needed = 4\nweapons = ['d4']\nstance = 'prone'",
        "needed = 4\nweapons = [['d4'], []]",
        "needed = 4\nmodifiers = { Woods = true }",
        "needed = 4\nmodifiers = { Woods = [0, 1] }",
        "needed = 4\nmodifiers = ['woods']",
        "needed = 4\nleader = { unit = '4 4 7', morale = [7, 8] }",
        "needed = 4\n[[contest.target]]\nmorale = 6\n[[contest.target]]",
        "needed = 4\n[contest.target]\nmorale = 6",
        "needed = 4\n[[chart]]\nkind = 'bars'",
    ];
    for lines in right {
        assert_eq!(verdicts(&format!("{CONTEST}{lines}")), (true, true), "{lines}");
    }
    let long = "y".repeat(300);
    let top =
        format!("name = 'x'\nquestion = '{long}'\nseed = 3\nprecision = 0.01\n{CONTEST}needed = 1");
    assert_eq!(verdicts(&top), (true, true));
}

#[test]
fn schema_and_program_agree_on_what_is_wrong() {
    let wrong = [
        "",
        "needed = 0",
        "needed = 21",
        "needed = []",
        "needed = 'four'",
        "needed = { from = 1 }",
        "needed = { from = 1, to = 2, by = 1 }",
        "needed = 4\nfpp = 3",
        "needed = 4\nfp = 0.3",
        "needed = 4\ndie = 'd7'",
        "needed = 4\nstance = 'flying'",
        "needed = 4\nleader = [{}]",
        "needed = 4\nleader = { moral = 3 }",
        "needed = 4\nmodifiers = { Woods = 9 }",
        "needed = 4\n[[chart]]",
        "needed = 4\n[[chart]]\nkind = 'pie'",
    ];
    for lines in wrong {
        assert_eq!(verdicts(&format!("{CONTEST}{lines}")), (false, false), "{lines}");
    }
    for top in ["seed = -1", "trials = 5\nprecision = 0.1", "precision = 2.0", "nmae = 'x'"] {
        let text = format!("{top}\n{CONTEST}needed = 1");
        assert_eq!(verdicts(&text), (false, false), "{top}");
    }
    for text in [
        "seed = 1",
        "[[contest]]\nsystem = 'toi'\naction = 'shoot'",
        "[[contest]]\nsystem = 'toy'\naction = 'shot'",
    ] {
        assert_eq!(verdicts(text), (false, false), "{text}");
    }
}

#[test]
fn fields_carry_what_editors_show() {
    let schema = build_study_or_arsenal_schema(&CATALOGUE);
    let fields = &schema["$defs"]["toy.shoot"]["properties"];
    assert_eq!(fields["needed"]["description"], "the face that hits (T1)");
    assert_eq!((&fields["fp"]["default"], &fields["die"]["default"]), (&json!(1), &json!("d6")));
    assert_eq!(
        fields["needed"]["anyOf"][0],
        json!({ "type": "integer", "minimum": 1, "maximum": 20 })
    );
}

/// A rulebook from a text file: it need not be named, its rows are names or tables, its cells
/// change.
#[test]
fn schema_and_program_agree_on_a_rulebook_from_a_file() {
    let text = include_str!("bridgehead.rules");
    let read = enfilade_rules::read_without_built_in_base(
        "bridgehead",
        "bridgehead.rules",
        text,
        &|name| Err(format!("{name} is not there")),
    );
    let catalogue = CATALOGUE.clone().with_rulebook(read.expect("it is in order").system);
    let right = [
        "",
        "needed = [2, 3]",
        "weapon = 'lmg'",
        "weapon = ['lmg', 'rifle']",
        "weapon = { shots = 4 }",
        "weapon = { name = 'lmg', shots = [4, 5] }",
        "change.weapons.lmg.shots = { from = 1, to = 3 }",
        "system = 'bridgehead'",
    ];
    for lines in right {
        let text = format!("rules = 'bridgehead.rules'\n[[contest]]\naction = 'fire'\n{lines}\n");
        assert_eq!(verdicts_of(&catalogue, &text), (true, true), "{lines}");
    }
    let wrong = [
        "needed = 7",
        "weapon = 3",
        "weapon = { name = 'lmg', shot = 4 }",
        "change.weapon.lmg.shots = 3",
        "change.weapons.lmg.shots = 'many'",
        "change = 3",
        "system = 'toy'",
    ];
    for lines in wrong {
        let text = format!("[[contest]]\naction = 'fire'\n{lines}\n");
        assert_eq!(verdicts_of(&catalogue, &text), (false, false), "{lines}");
    }
    for (top, expected) in [
        ("change.weapons.lmg.shots = [1, 2]", true),
        ("rules = ['bridgehead.rules']", true),
        ("rules = 3", false),
        ("change.weapons.lmg.shot = 1", false),
        ("change = 3", false),
    ] {
        let text = format!("{top}\n[[contest]]\naction = 'fire'\n");
        assert_eq!(verdicts_of(&catalogue, &text), (expected, expected), "{top}");
    }
}

/// Arsenals, with what the files of the house say.
#[test]
fn schema_and_program_agree_on_arsenals() {
    let catalogue = crate::built_in();
    let schema = build_study_or_arsenal_schema(catalogue);
    let validator = Validator { root: schema.clone() };
    let verdicts = |text: &str| {
        let table: toml::Table = text.parse().expect("the test's TOML is well formed");
        let value = serde_json::to_value(table).expect("TOML without dates is JSON");
        (
            validator.holds(&schema, &value),
            Arsenal::read_arsenal_text(catalogue, "test", text).is_ok(),
        )
    };
    let text = "system = 'skirmishers'\ntolerance = 0.2\nprice_step = 5\n[change]\nbase_ranged = 7\n\
        [assumptions]\narc = [1, 2, 3.5]\n[[weapon]]\nname = 'HMG'\nprice = 250\n\
        [[scenario]]\nname = 'a'\nweight = 0.5\nmoves = 2\nrange = [30]\ntarget = { troopers = 4 }\n";
    assert_eq!(verdicts(text), (true, true));
    for (right, wrong) in [
        ("0.2", "2"),
        ("price_step = 5", "price_step = 0"),
        ("price_step = 5", "price_step = 0.3"),
        ("price = 250", "price = 12.3"),
        ("[change]", "[scale]\nfactor = 1\n[change]"),
        ("[change]", "[scale]\nk = 0\n[change]"),
        ("[1, 2, 3.5]", "[1, 2]"),
        ("arc =", "arcs ="),
        ("price = 250", "prize = 250"),
        ("weight = 0.5", "weight = -1"),
        ("troopers = 4", "troopers = 40"),
        ("moves = 2", "moves = [2, 3]"),
        ("[[weapon]]\nname = 'HMG'\nprice = 250\n", ""),
        ("skirmishers", "asl"),
    ] {
        let text = text.replace(right, wrong);
        assert_eq!(verdicts(&text), (false, false), "{wrong}");
    }
    for (one, other) in [
        ("price = 250", "price = 12.25"),
        ("price_step = 5", "price_step = 0.5"),
        ("[1, 2, 3.5]", "2"),
        ("[change]", "[scale]\nunit = 'HMG'\n[change]"),
        ("[change]", "[scale]\nk = 0.62\n[change]"),
    ] {
        assert_eq!(verdicts(&text.replace(one, other)), (true, true), "{other}");
    }
    for file in ["my_gun", "crewed_weapons", "dropzone_arsenal", "all_arms"] {
        let path = repository_folder().join(format!("experiments/{file}.toml"));
        let text = std::fs::read_to_string(path).expect("it ships");
        assert_eq!(verdicts(&text), (true, true), "{file}");
    }
}

/// What follows is a table or several, and any of its values may be taken. Its fields the program
/// knows.
#[test]
fn schema_and_program_agree_on_what_follows() {
    let rules = include_str!("../../../enfilade-study/tests/it/duel.rules");
    let none = |_: &str| Err("there is none".to_owned());
    let read = enfilade_rules::read_without_built_in_base("duel", "duel.rules", rules, &none);
    let catalogue = Catalogue::default().with_rulebook(read.expect("the rules are right").system);
    let after = |then: &str| {
        let text = format!("[[contest]]\nsystem = 'duel'\naction = 'shoot'\nshots = 2\n{then}");
        verdicts_of(&catalogue, &text)
    };
    let nerve = "[[contest.then]]\naction = 'nerve'\n";
    let right = [
        "losses = 1",
        "losses = { of = 'lost' }\nwhen = 'lost > 0'",
        "losses = { of = 'lost', times = 2, plus = -1 }\nwhen = 'lost == 1'",
        "losses = { of = 'lost', list = [0, 1, 2] }\nshaken = [false, true]",
        "losses = { of = 'lost' }\n[[contest.then]]\naction = 'shoot'",
    ];
    for lines in right {
        assert_eq!(after(&format!("{nerve}{lines}")), (true, true), "{lines}");
    }
    assert_eq!(after("then = { action = 'nerve', losses = { of = 'lost' } }"), (true, true));
    let wrong = [
        "losses = { of = 'lost', time = 2 }",
        "losses = { of = 'lost', times = 2, list = [0, 1, 2] }",
        "losses = { of = 3 }",
        "losses = 1\nwhen = 3",
    ];
    for lines in wrong {
        assert_eq!(after(&format!("{nerve}{lines}")), (false, false), "{lines}");
    }
    assert_eq!(after(&format!("{nerve}losses = 1\nshakn = true")), (true, false));
    for then in ["then = 5", "then = []", "then = { losses = 1 }", "then = { action = 'nervs' }"] {
        assert_eq!(after(then), (false, false), "{then}");
    }
}

/// An editor reads it at every start. And whoever validates by the letter of the standard agrees
/// with the program about every file that ships.
#[test]
fn another_validator_accepts_every_experiment_and_arsenal() {
    let root = repository_folder();
    // By the texts of the rulebooks that a file reads beside those built in.
    let mut validators = HashMap::new();
    let mut read = 0;
    for folder in ["", "cards", "variants", "questions"].map(|inner| format!("experiments/{inner}"))
    {
        for entry in std::fs::read_dir(root.join(folder)).expect("it ships") {
            let path = entry.expect("it can be read").path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let input =
                enfilade_study::file::source_document::SourceInput::read_path_or_stdin(&path)
                    .expect("it ships");
            if input.text.contains("\n# refused: ") {
                continue;
            }
            let catalogue = enfilade_study::file::rulebook_loader::catalogue_with_rulebook_files(
                crate::built_in(),
                &[],
                Some(&input),
            );
            let catalogue = catalogue.expect("its rulebooks ship");
            let files =
                catalogue.rulebooks_created_on_demand().flat_map(|system| system.files.iter());
            let files: Vec<_> = files.map(|file| file.sha256.to_string()).collect();
            let validator = validators.entry(files).or_insert_with(|| {
                let schema = build_study_or_arsenal_schema(&catalogue);
                let length = schema.to_string().len();
                assert!(length < 320_000, "{length} bytes");
                jsonschema::validator_for(&schema).expect("it is a schema")
            });
            let table: toml::Table = input.text.parse().expect("it is TOML");
            let value = serde_json::to_value(table).expect("TOML without dates is JSON");
            let faults: Vec<_> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
            assert!(faults.is_empty(), "{}: {faults:.2000?}", path.display());
            read += 1;
        }
    }
    assert!(read > 65, "{read}");
}
