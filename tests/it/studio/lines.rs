//! The studio without a page: lines of JSON to a program and back.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::{FIRE, Served};
use crate::desk::Desk;

/// A program that answers lines, in a folder.
struct Spoken {
    child: Child,
    /// Closed where it is gone.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Spoken {
    fn within(folder: &TempDir) -> Spoken {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enfilade"));
        command.args(["serve", "--stdio"]).arg(folder.path());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Spoken { child, input, output }
    }

    fn new() -> (TempDir, Spoken) {
        let folder = TempDir::new().expect("a temporary folder");
        let spoken = Spoken::within(&folder);
        (folder, spoken)
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).expect("it listens");
    }

    fn hear(&mut self) -> Json {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers in text");
        serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line:?}"))
    }

    fn ask(&mut self, line: &Json) -> Json {
        self.send(line.to_string().as_bytes());
        self.hear()
    }

    /// What a job tells until it is over.
    fn job(&mut self, body: &Json) -> Vec<Json> {
        let begun = self.ask(&json!({ "id": "job", "ask": "jobs", "body": body }));
        assert_eq!(begun["status"], 200, "{begun}");
        let events = format!("jobs/{}/events", begun["body"]["id"]);
        self.send(json!({ "id": "events", "ask": events }).to_string().as_bytes());
        let mut told = Vec::new();
        loop {
            let said = self.hear();
            assert_eq!(said["id"], "events");
            if said["status"] == 200 {
                return told;
            }
            told.push(said["event"].clone());
        }
    }

    /// What is still answered when there are no more questions; it ends by itself and well.
    fn end(mut self) -> Vec<Json> {
        drop(self.input.take());
        let left = (&mut self.output).lines().map(|line| line.expect("text"));
        let left = left.map(|line| serde_json::from_str(&line).expect("JSON")).collect();
        assert!(self.child.wait().expect("it ends").success());
        left
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A grid that takes minutes.
fn endless() -> String {
    FIRE.replace("fp = 8", "fp = { from = 1, to = 12 }")
        .replace("drm = -1", "drm = { from = -20, to = 20 }")
        .replace("morale = 7", "morale = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")
}

#[test]
fn a_line_is_answered_as_the_page_is() {
    let served = Served::with(&[("x.toml", FIRE)]);
    let mut spoken = Spoken::within(&served.folder);
    let fire = json!({ "name": "x.toml", "text": FIRE });
    let wrong = json!({ "text": FIRE.replace("fp", "fpp") });
    let rules = json!({ "name": "a.rules", "text": "game \"A\"\nfield hp = 1\n" });
    let asked = [
        ("odds", fire.clone()),
        ("odds", wrong.clone()),
        ("dice", json!({ "text": "4d6kh3\n2d6+1 vs 2d6" })),
        ("dice", json!({ "text": "4d" })),
        ("dice", json!({ "txt": "4d6" })),
        ("explain", json!({ "text": FIRE, "faces": [3, 5, 4, 4] })),
        ("rules", rules),
        ("sheets/odds.json", fire.clone()),
        ("sheets/card.json", fire.clone()),
        ("sheets/odds.json", wrong),
        ("sheets/none.json", fire.clone()),
        ("nothing", fire.clone()),
    ];
    for (door, body) in asked {
        let line = spoken.ask(&json!({ "id": door, "ask": door, "body": body }));
        let page = served.post(&format!("/api/{door}"), &body);
        let timeless = |mut said: Json| {
            if let Some(said) = said.as_object_mut() {
                said.remove("milliseconds");
            }
            said
        };
        assert_eq!(line["id"], door);
        assert_eq!(line["status"], page.status, "{door}: {line}");
        assert_eq!(timeless(line["body"].clone()), timeless(page.json()), "{door}");
    }
    for door in
        ["sheets/cells.csv", "sheets/card.svg", "sheets/chart.svg", "sheets/experiment.toml"]
    {
        let line = spoken.ask(&json!({ "id": 1, "ask": door, "body": fire }));
        assert_eq!(line["body"], served.post(&format!("/api/{door}"), &fire).body, "{door}");
    }
    for door in ["forms", "texts", "files", "files/x.toml", "files/none.toml"] {
        let line = spoken.ask(&json!({ "id": -1, "ask": door }));
        let page = served.ask(&format!("GET /api/{door}"), &[], "");
        assert_eq!((&line["status"], &line["body"]), (&page.status.into(), &page.json()), "{door}");
    }
    // A workbook is no text.
    let line = spoken.ask(&json!({ "id": 2, "ask": "sheets/odds.xlsx", "body": fire }));
    // "PK\u{3}\u{4}" begins every such file, and its first six letters in base64 say so.
    assert!(
        line["body"]["base64"].as_str().is_some_and(|text| text.starts_with("UEsDB")),
        "{line}"
    );
    // Nobody writes over a file whose text they do not say that they have seen.
    let kept = json!({ "id": 3, "ask": "files/x.toml", "method": "PUT", "body": { "text": "" } });
    assert_eq!(spoken.ask(&kept)["status"], 428);
    assert!(spoken.end().is_empty());
}

#[test]
fn what_is_no_question_is_answered_and_harms_no_other() {
    let (_folder, mut spoken) = Spoken::new();
    let deep = "[".repeat(100_000);
    let long = format!("{{\"id\": 1, \"ask\": \"{}\"}}", "x".repeat(64 << 20));
    let lines: [(&[u8], Json, u16); 11] = [
        (b"nonsense", Json::Null, 400),
        (b"\xff\xfe{}", Json::Null, 400),
        (b"[]", Json::Null, 400),
        (b"{}", Json::Null, 400),
        (deep.as_bytes(), Json::Null, 400),
        (long.as_bytes(), Json::Null, 413),
        (b"{\"ask\": \"dice\"}", Json::Null, 400),
        (b"{\"id\": 1.5, \"ask\": \"dice\"}", json!(1.5), 400),
        (b"{\"id\": \"a\", \"ask\": \"a b\"}", json!("a"), 400),
        (b"{\"id\": 4, \"ask\": \"dice\", \"more\": 1}", json!(4), 400),
        (b"{\"id\": 5, \"ask\": \"dice\", \"method\": \"\\u0000\"}", json!(5), 400),
    ];
    for (line, id, status) in lines {
        spoken.send(line);
        let said = spoken.hear();
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        assert_eq!((&said["id"], &said["status"]), (&id, &status.into()), "{shown}: {said}");
        assert!(said["body"]["error"].as_str().is_some_and(|why| why.len() > 10), "{said}");
        // The next one is answered: eleven ways of two dice to show each sum.
        let next = spoken.ask(&json!({ "id": "n", "ask": "dice", "body": { "text": "2d6" } }));
        assert_eq!(next["body"]["laws"][0]["values"].as_array().map(Vec::len), Some(11), "{next}");
    }
    // Empty lines say nothing, and nothing is said of them.
    spoken.send(b"\n  \r");
    assert!(spoken.end().is_empty());
}

#[test]
fn a_question_is_left_alone_by_its_name_and_the_others_go_on() {
    let (_folder, mut spoken) = Spoken::new();
    let long = json!({ "id": "long", "ask": "sheets/card.json", "body": { "text": endless() } });
    spoken.send(long.to_string().as_bytes());
    // Not behind the long one.
    let short = json!({ "id": 1, "ask": "dice", "body": { "text": "2d6" } });
    assert_eq!(spoken.ask(&short)["id"], 1);
    // Its name is taken while it is under way.
    let again = spoken.ask(&json!({ "id": "long", "ask": "dice", "body": { "text": "2d6" } }));
    assert_eq!((&again["id"], &again["status"]), (&json!("long"), &json!(400)));
    let cancelled = spoken.ask(&json!({ "cancel": "long" }));
    assert_eq!((&cancelled["id"], &cancelled["status"]), (&json!("long"), &json!(409)));
    // It may be given again, and to leave alone what is not under way says nothing.
    spoken.send(b"{\"cancel\": \"long\"}");
    let again = spoken.ask(&json!({ "id": "long", "ask": "dice", "body": { "text": "2d6" } }));
    assert_eq!((&again["id"], &again["status"]), (&json!("long"), &json!(200)));
    // What nobody waits for is not worked on either: it would keep the program for minutes.
    let begun = Instant::now();
    assert!(spoken.end().is_empty());
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

/// More than are worked on at a time, all sent before any answer is read.
#[test]
fn when_no_more_is_asked_all_is_answered_and_it_ends() {
    let (_folder, mut spoken) = Spoken::new();
    let names: Vec<i64> = (0..600).collect();
    for id in &names {
        let line = json!({ "id": id, "ask": "dice", "body": { "text": format!("d6+{id}") } });
        spoken.send(line.to_string().as_bytes());
    }
    let mut said = spoken.end();
    said.sort_by_key(|line| line["id"].as_i64());
    assert_eq!(said.iter().filter_map(|line| line["id"].as_i64()).collect::<Vec<_>>(), names);
    for line in &said {
        let mean = line["body"]["laws"][0]["mean"].as_f64().expect("a mean");
        assert!((mean - 3.5 - line["id"].as_f64().expect("a number")).abs() < 1e-9, "{line}");
    }
    let (_folder, spoken) = Spoken::new();
    assert!(spoken.end().is_empty());
}

#[test]
fn when_nobody_listens_it_ends() {
    let (_folder, mut spoken) = Spoken::new();
    let mut input = spoken.input.take().expect("it is open");
    let dice = b"{\"id\": 1, \"ask\": \"dice\", \"body\": {\"text\": \"2d6\"}}\n";
    input.write_all(dice).expect("it listens");
    assert_eq!(spoken.hear()["status"], 200);
    // The reader goes; what asks stays.
    let mut child = Command::new("true").spawn().expect("there is such a program");
    std::mem::swap(&mut child, &mut spoken.child);
    let _ = spoken.child.wait();
    drop(spoken);
    let begun = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        let _ = input.write_all(dice);
        assert!(begun.elapsed() < Duration::from_secs(30), "it goes on though nobody listens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// As on the command line, from the folder of the file on.
#[test]
fn a_question_finds_its_rulebook_where_its_file_does() {
    let (folder, mut spoken) = Spoken::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = own.join("experiments/line_of_battle.toml");
    let text = std::fs::read_to_string(&name).expect("it is there");
    assert!(text.contains("rules = \"../rulebooks/"));
    let asked = json!({ "name": name, "text": text, "patient": true });
    let said = spoken.ask(&json!({ "id": 1, "ask": "odds", "body": asked }));
    assert!(said["body"]["odds"]["contests"][0]["measures"].is_array(), "{said}");
    // Elsewhere there is none of that name.
    let asked = json!({ "name": folder.path().join("files/x.toml"), "text": text });
    let said = spoken.ask(&json!({ "id": 2, "ask": "odds", "body": asked }));
    let problem = said["body"]["faults"][0]["problem"].as_str().expect("a fault");
    assert!(problem.contains("line_of_battle.rules"), "{said}");
}

#[test]
fn a_job_tells_how_far_it_is_and_ends_with_the_numbers_of_the_command_line() {
    let (_folder, mut spoken) = Spoken::new();
    let told = spoken.job(&json!({ "name": "x.toml", "text": FIRE, "trials": 300_000 }));
    assert!(told.iter().all(|event| event["part"].is_number() || event["done"] == true));
    let desk = Desk::with(FIRE);
    let output =
        desk.command(&["odds", "x.toml", "--trials", "300000", "--format", "json"]).output();
    let said = String::from_utf8(output.expect("it starts").stdout).expect("it is text");
    assert_eq!(told.last().map(|last| format!("{:#}\n", last["odds"])), Some(said));
    let told = spoken.job(&json!({ "name": "x.toml", "text": FIRE, "trials": 0 }));
    let problem = told.last().and_then(|last| last["faults"][0]["problem"].as_str());
    assert!(problem.is_some_and(|problem| problem.contains("must be 1 to")), "{told:?}");
}

/// As on the command line, where a page knows its place only.
#[test]
fn a_weapon_is_priced_by_its_name() {
    let (_folder, mut spoken) = Spoken::new();
    let arsenal = "system = 'skirmishers'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n\
                   [[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n";
    let desk = Desk::with(arsenal);
    let output =
        desk.command(&["balance", "x.toml", "--only", "Rifle", "--format", "json"]).output();
    let mut said: Json = serde_json::from_slice(&output.expect("it starts").stdout).expect("JSON");
    let told = spoken.job(&json!({ "name": "x.toml", "text": arsenal, "only": "Rifle" }));
    let last = told.last().expect("there is one");
    // A file without a name of its own is called by its path.
    said["arsenal"] = last["document"]["arsenal"].clone();
    assert_eq!(last["document"], said);
    let told = spoken.job(&json!({ "name": "x.toml", "text": arsenal, "only": "riffle" }));
    let problem = told.last().and_then(|last| last["faults"][0]["problem"].as_str());
    assert!(problem.is_some_and(|problem| problem.contains("did you mean \"rifle\"")), "{told:?}");
}

/// The best of many, as a machine that works beside has other things to do.
#[test]
fn a_small_question_takes_a_millisecond() {
    let (_folder, mut spoken) = Spoken::new();
    for (door, body) in [
        ("dice", json!({ "text": "4d6kh3" })),
        ("explain", json!({ "text": FIRE, "faces": [3, 5, 4, 4] })),
    ] {
        let line = json!({ "id": 1, "ask": door, "body": body });
        let took = |_| {
            let begun = Instant::now();
            assert_eq!(spoken.ask(&line)["status"], 200);
            begun.elapsed()
        };
        let best = (0..400).map(took).min().expect("some");
        assert!(best < Duration::from_millis(1), "{door}: {best:?}");
    }
}
