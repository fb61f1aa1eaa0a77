//! What the studio answers: the numbers of the command line, faults at their fields, the newest
//! question.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use enfilade::report::answers::answers_json;
use enfilade::report::forms_json;
use enfilade::study::checkpoint::journal::CellTrialJournal;
use enfilade::study::experiment::Experiment;
use enfilade::study::file::edit;
use enfilade::study::file::source_document::TomlDocumentWithPositions;
use enfilade::study::solve::{NoObserver, SolverSettings, solve_cells};
use serde_json::{Value as Json, json};

use super::{FIRE, Served};
use crate::desk::{Desk, until};

/// A question of a page of its own.
fn asked(served: &Served, question: Json) -> Json {
    let mut body = json!({ "page": "test", "number": 1 });
    question.as_object().expect("a question").iter().for_each(|(key, value)| {
        body[key] = value.clone();
    });
    let reply = served.post("/api/odds", &body);
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()
}

/// Every ready question of every action, by a name.
pub fn questions() -> Vec<(String, String)> {
    let forms = json!(forms_json::build_forms_document(crate::built_in()));
    let mut found = Vec::new();
    for system in forms["systems"].as_array().expect("a list") {
        for action in system["actions"].as_array().expect("a list") {
            for question in action["questions"].as_array().expect("a list") {
                let name = format!("{} {}", text(&system["id"]), text(&action["name"]));
                found.push((name, text(&question["file"]).to_owned()));
            }
        }
    }
    found
}

fn text(json: &Json) -> &str {
    json.as_str().expect("a text")
}

/// The answer as the library gives it to everybody.
fn exactly(file: &str) -> Json {
    let experiment = Experiment::read_experiment_text(crate::built_in(), "unnamed", file)
        .expect("it has no fault");
    let settings = SolverSettings::for_exact_only().with_seed(experiment.seed);
    let solved = solve_cells(
        &experiment.cells[..1],
        &settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    json!(answers_json::build_answers_document(&solved.expect("it is small enough").answers))
}

/// Each first question of all actions has the numbers of the library, and its form says what the
/// file says: put back, it is the same text.
#[test]
fn every_action_opens_with_an_answer() {
    let served = Served::with(&[]);
    let mut seen = Vec::new();
    for (name, file) in questions() {
        let first = !seen.contains(&name);
        let document = TomlDocumentWithPositions::parse_toml(&file).expect("it is TOML");
        let form = edit::contest_parameters_as_json(
            document.table["contest"][0].as_table().expect("a contest"),
        );
        assert_eq!(edit::with_contest_values(&file, 0, &form).as_deref(), Ok(&*file), "{name}");
        if !first {
            continue;
        }
        seen.push(name.clone());
        let reply = asked(&served, json!({ "text": file, "form": form, "patient": true }));
        assert!(reply["faults"].is_null(), "{name}: {}", reply["faults"]);
        assert_eq!(reply["text"], file, "{name}");
        assert_eq!(reply["odds"], exactly(&file), "{name}");
        assert!(!text(&reply["told"]["sentence"]).is_empty(), "{name}");
        assert!(reply["told"]["law"]["outcomes"].as_array().is_some_and(|law| !law.is_empty()));
    }
    assert!(seen.len() >= 34, "{seen:?}");
}

/// Experiments of people with comments: what a form holds is what the file says.
#[test]
fn no_experiment_is_changed_by_looking_at_it() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let (mut folders, mut contests) = (vec![root], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let file = std::fs::read_to_string(&path).expect("readable");
            let document = TomlDocumentWithPositions::parse_toml(&file).expect("it is TOML");
            let Some(tables) = document.table.get("contest").and_then(toml::Value::as_array) else {
                continue;
            };
            for (number, table) in tables.iter().enumerate() {
                let form = edit::contest_parameters_as_json(table.as_table().expect("a contest"));
                let edited = edit::with_contest_values(&file, number, &form);
                assert_eq!(edited.as_deref(), Ok(&*file), "{}", path.display());
                contests += 1;
            }
        }
    }
    assert!(contests > 20, "{contests}");
}

/// The same bytes as on the command line.
#[test]
fn a_question_is_answered_as_on_the_command_line() {
    let desk = Desk::with(FIRE);
    let output = desk.command(&["odds", "x.toml", "--exact-only", "--format", "json"]).output();
    let told = String::from_utf8(output.expect("it starts").stdout).expect("it is text");
    let served = Served::with(&[]);
    let reply = asked(&served, json!({ "name": "x.toml", "text": FIRE }));
    assert_eq!(format!("{:#}\n", reply["odds"]), told);
    // 8 FP with -1 kills on a final 3 or less, which is 4 or less on two dice: 6 of 36, less the
    // squads that are only reduced; what hurts at all and what does not are everything.
    let measure = |name: &str| {
        let measures = reply["told"]["measures"].as_array().expect("a list").iter();
        let found = measures.clone().find(|one| one["name"] == name).expect("it is measured");
        found["value"].as_f64().expect("a number")
    };
    assert!((measure("p_effect") + measure("p_no_effect") - 1.0).abs() < 1e-12);
}

#[test]
fn a_form_is_written_into_the_file_and_comments_stay() {
    let served = Served::with(&[]);
    let form = json!({ "fp": 16, "drm": -1, "target": { "kind": "squad", "morale": 7 } });
    let reply = asked(&served, json!({ "text": FIRE, "form": form }));
    assert_eq!(reply["text"], FIRE.replace("fp = 8 #", "fp = 16 #"));
    assert_eq!(reply["form"], form);
    assert_eq!(reply["odds"]["contests"][0]["params"]["fp"], 16.0);
}

/// All at once, in the words of the program, each with its field and its line.
#[test]
fn faults_stand_at_their_fields() {
    let served = Served::with(&[]);
    let form = json!({ "fp": "many", "drm": 99_999, "target": { "kind": "squid", "morale": 7 } });
    let reply = asked(&served, json!({ "text": FIRE, "form": form }));
    let faults = reply["faults"].as_array().expect("there are faults");
    let paths: Vec<_> = faults.iter().map(|fault| text(&fault["path"])).collect();
    assert_eq!(paths, ["contest[0].fp", "contest[0].drm", "contest[0].target.kind"]);
    let lines: Vec<_> = faults.iter().map(|fault| fault["line"].as_u64()).collect();
    assert_eq!(lines, [Some(5), Some(6), Some(7)]);
    assert!(text(&faults[2]["help"]).contains("squad"), "{}", faults[2]);
    assert_eq!(reply["form"], form);
    let broken = asked(&served, json!({ "text": "[[contest\n" }));
    assert_eq!(broken["faults"][0]["line"], 1);
    let nothing = asked(&served, json!({ "text": "" }));
    assert!(text(&nothing["faults"][0]["problem"]).contains("no contest"), "{nothing}");
}

#[test]
fn a_grid_has_its_axes_in_words_and_a_number_for_every_square() {
    let served = Served::with(&[]);
    let form = json!({ "fp": [4, 8], "drm": { "from": -1, "to": 1 },
        "target": { "kind": "squad", "morale": 7 } });
    let reply = asked(&served, json!({ "text": FIRE, "form": form, "cell": 3 }));
    let axes = reply["grid"]["axes"].as_array().expect("a list");
    let said: Vec<_> = axes.iter().map(|axis| (&axis["label"], &axis["values"])).collect();
    let expected =
        [(json!("firepower"), json!([4.0, 8.0])), (json!("total modifier"), json!([-1, 0, 1]))];
    assert_eq!(said, expected.iter().map(|(label, values)| (label, values)).collect::<Vec<_>>());
    let single = asked(&served, json!({ "text": FIRE }));
    let wanted = &single["told"]["measures"];
    let columns = reply["grid"]["measures"].as_array().expect("a list");
    for (column, measure) in columns.iter().zip(wanted.as_array().expect("a list")) {
        assert_eq!(column["name"], measure["name"]);
        // 8 and -1 is the fourth square.
        assert_eq!(column["values"][3], measure["value"]);
        assert_eq!(column["values"].as_array().map(Vec::len), Some(6));
    }
    assert_eq!(reply["told"], single["told"]);
}

#[test]
fn a_rulebook_outside_the_folder_is_not_read() {
    let served = Served::with(&[]);
    let outside = tempfile::NamedTempFile::with_suffix(".rules").expect("a file elsewhere");
    std::fs::write(outside.path(), "secret").expect("written");
    let name = outside.path().display().to_string();
    let file = format!("rules = {name:?}\n{FIRE}");
    let reply = asked(&served, json!({ "text": file }));
    assert!(text(&reply["faults"][0]["problem"]).contains("was not read"), "{reply}");
    assert!(!reply["faults"].to_string().contains("secret"));
}

/// Ten thousand keys: the last answer is the only one that is sure to come.
#[test]
fn the_newest_question_wins() {
    let served = Served::with(&[]);
    let ask = |number: u64, fp: u64| {
        let file = FIRE.replace("fp = 8", &format!("fp = {fp}"));
        served.post("/api/odds", &json!({ "page": "typist", "number": number, "text": file }))
    };
    assert_eq!(ask(5, 8).status, 200);
    assert_eq!(ask(4, 4).status, 409);
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let last = scope.spawn(|| {
            // In the midst of the others.
            until("half of the keys are answered", || answered.load(Ordering::SeqCst) >= 80);
            ask(1_000, 16)
        });
        for typist in 0..8 {
            let (ask, answered) = (&ask, &answered);
            scope.spawn(move || {
                for key in 0..20 {
                    let status = ask(10 + 20 * typist + key, 4).status;
                    assert!([200, 409].contains(&status), "{status}");
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        let last = last.join().expect("it is answered");
        assert_eq!(last.status, 200);
        assert_eq!(last.json()["odds"]["contests"][0]["params"]["fp"], 16.0);
    });
}

/// What a search of the file keeps is said beside its grid, which is drawn whole, and so are
/// squares that break a check.
#[test]
fn a_grid_says_what_a_search_keeps_and_what_breaks_a_check() {
    let served = Served::with(&[("ties.rules", crate::ties::RULES)]);
    let mut number = 0;
    let mut grid = |search: &str, fields: &str| {
        number += 1;
        let text = format!(
            "rules = 'ties.rules'\n{search}[[contest]]\nsystem = 'ties'\naction = 'roll'\n{fields}\n"
        );
        asked(&served, json!({ "text": text, "number": number }))["grid"].clone()
    };
    // Eleven dice show 39 in half of all cases: 36 to 39 are as good.
    let dice = "many = 11\nleast = { from = 36, to = 42 }";
    let half = grid("[sweep]\nkeep = 'p_hit >= 1/2'\n", dice);
    assert_eq!(half["sought"], "4 of 7 settings are kept.");
    assert_eq!(half["axes"][0]["values"].as_array().map(Vec::len), Some(7), "{half}");
    let none = grid("[sweep]\nkeep = 'p_hit >= 0.99'\n", dice)["sought"].clone();
    let none = none.as_str().unwrap_or_default();
    assert!(none.starts_with("Nothing is kept: none of 7 settings meets"), "{none}");
    assert_eq!(grid("", dice)["sought"], Json::Null);
    assert_eq!(grid("", dice)["remarks"], json!([]));
    // 38 and 39 tons are too much with five men and more: ten squares, of which five are named.
    let loads = "least = 30\nmen = [5, 6, 7, 8, 9]\ntons = [10, 38, 39]";
    let said = grid("", loads)["remarks"].clone();
    let said: Vec<&str> =
        said.as_array().expect("a list").iter().filter_map(Json::as_str).collect();
    assert_eq!(said.len(), 6, "{said:?}");
    assert!(said[0].contains("38 tons and 5 men are more than 40"), "{said:?}");
    assert_eq!(said[5], "5 more cells break a check.");
    let kept = grid("[sweep]\nbest = { count = 3, by = 'p_hit' }\n", loads)["sought"].clone();
    let kept = kept.as_str().unwrap_or_default();
    assert!(
        kept.starts_with("3 of ") && kept.contains("10 of 15 settings break the check"),
        "{kept}"
    );
}

/// With no time at all every contest takes too long; it is said, and the next one is answered.
#[test]
fn what_takes_long_is_stopped_and_says_so() {
    let served = Served::within(&[], Duration::ZERO);
    let grid = FIRE.replace("fp = 8", "fp = { from = 1, to = 36 }");
    let reply = asked(&served, json!({ "text": grid }));
    assert_eq!(reply["slow"], true, "{reply}");
    let patient = asked(&served, json!({ "text": FIRE, "patient": true, "number": 2 }));
    assert_eq!(patient["slow"], Json::Null, "{patient}");
    assert!(patient["told"].is_object());
    let vast = FIRE.replace("drm = -1", "drm = { from = -9, to = 9 }");
    let vast = vast.replace("fp = 8", "fp = { from = 1, to = 150 }");
    let reply = asked(&served, json!({ "text": vast, "patient": true, "number": 3 }));
    assert_eq!((&reply["vast"], &reply["cells"]), (&json!(true), &json!(150 * 19)));
}

const COIN: &str = "game \"Coin\"\naction toss:\n    face = d2\n    show face\n";

#[test]
fn rulebooks_of_the_folder_can_be_asked_and_written() {
    let served = Served::with(&[("coin.rules", COIN), ("broken.rules", "game\n")]);
    let forms = served.get("/api/forms");
    let systems = forms["systems"].as_array().expect("a list");
    let coin = systems.iter().find(|system| system["id"] == "coin").expect("it is there");
    assert!(systems.iter().all(|system| system["id"] != "broken"));
    let file = text(&coin["actions"][0]["questions"][0]["file"]);
    let reply = asked(&served, json!({ "text": file }));
    let law = reply["told"]["law"]["outcomes"].as_array().expect("a law");
    assert!(law.iter().all(|outcome| outcome["share"] == 0.5), "{reply}");
    // While it is written: nothing is on the disk yet.
    let draft = |text: &str| {
        let body = json!({ "name": "coin.rules", "text": text });
        served.post("/api/rules", &body).json()
    };
    let thrice = draft(&COIN.replace("d2", "d4"));
    assert_eq!(thrice["odds"]["told"]["law"]["outcomes"][0]["share"], 0.25, "{thrice}");
    let wrong = draft(&COIN.replace("show face", "show fase"));
    assert_eq!(wrong["faults"][0]["line"], 4, "{wrong}");
    assert!(wrong["faults"][0]["help"].to_string().contains("face"), "{wrong}");
    assert_eq!(std::fs::read_to_string(served.path("coin.rules")).expect("readable"), COIN);
}

/// The example of `enfilade explain`: the same dice tell the same.
#[test]
fn dice_are_told_as_on_the_command_line() {
    let desk = Desk::with(FIRE);
    let told = desk.run(&["explain", "x.toml", "--dice", "3,2,5,4"]);
    let served = Served::with(&[]);
    let body = json!({ "text": FIRE, "faces": [3, 2, 5, 4] });
    let reply = served.post("/api/explain", &body).json();
    let steps = reply["steps"].as_array().expect("steps");
    assert!(!steps.is_empty());
    for step in steps {
        let said = text(&step["text"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.out.contains(&said), "{said}: {}", told.out);
    }
    // Any outcome that can be is found, and the telling ends with it.
    let odds = asked(&served, json!({ "text": FIRE }));
    for outcome in odds["told"]["law"]["outcomes"].as_array().expect("a law") {
        let body = json!({ "text": FIRE, "wanted": outcome["values"], "seed": 1 });
        let reply = served.post("/api/explain", &body).json();
        assert_eq!((&reply["found"], &reply["outcome"]), (&json!(true), &outcome["label"]));
    }
}
