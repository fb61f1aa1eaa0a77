//! What takes longer, and what is printed: the same bytes as from the command line.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::Served;
use crate::desk::{Desk, until};

const FIRE: &str = "name = 'fire'\ntrials = 100_000\n[[contest]]\nsystem = \"asl\"\naction = \"fire\"\n\
    fp = [4, 8]\ndrm = -1\ntarget = { kind = \"squad\", morale = 7 }\n";

/// The events of a job, to its end.
fn events(served: &Served, id: &Json) -> Vec<Json> {
    let reply = served.ask(&format!("GET /api/jobs/{id}/events"), &[], "");
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.head.contains("text/event-stream"), "{}", reply.head);
    let lines = reply.body.lines().filter_map(|line| line.strip_prefix("data: "));
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn of_the_program(arguments: &[&str]) -> String {
    let output = Desk::with(FIRE).command(arguments).output().expect("it starts");
    String::from_utf8(output.stdout).expect("it is text")
}

#[test]
fn a_simulation_counts_as_on_the_command_line() {
    let served = Served::with(&[]);
    let begun = served.post("/api/jobs", &json!({ "name": "x.toml", "text": FIRE })).json();
    let events = events(&served, &begun["id"]);
    let last = events.last().expect("it ends");
    assert_eq!((&last["done"], &last["stopped"]), (&json!(true), &json!(false)), "{last}");
    assert_eq!(
        format!("{:#}\n", last["odds"]),
        of_the_program(&["odds", "x.toml", "--format", "json"])
    );
    assert_eq!(last["told"]["trials"], "100 000");
    assert_eq!(last["said"], "Exact and simulated agree.");
}

#[test]
fn one_job_at_a_time_and_it_can_be_stopped() {
    let served = Served::with(&[]);
    let endless = FIRE.replace("100_000", "10_000_000_000_000");
    let begun = served.post("/api/jobs", &json!({ "text": endless })).json();
    assert_eq!(served.post("/api/jobs", &json!({ "text": FIRE })).status, 409);
    let id = &begun["id"];
    // It says how far it has come while it is under way.
    let mut socket = served.socket();
    let request = format!(
        "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        served.port, served.token
    );
    socket.write_all(request.as_bytes()).expect("it listens");
    let mut bytes = [0; 4096];
    let read = socket.read(&mut bytes).expect("it answers");
    assert!(read > 0);
    drop(socket);
    let stopped = served.ask(&format!("DELETE /api/jobs/{id}"), &[], "");
    assert_eq!(stopped.status, 200, "{stopped:?}");
    let last = events(&served, id).pop().expect("it ends");
    assert_eq!((&last["done"], &last["stopped"]), (&json!(true), &json!(true)));
    until("the next job begins", || {
        served.post("/api/jobs", &json!({ "text": FIRE })).status == 200
    });
    assert_eq!(served.ask("DELETE /api/jobs/77", &[], "").status, 404);
}

/// Begins a simulation and stops it once some trials were made: its number of trials and its last
/// event. One that was over before it could be stopped is asked for eight times as much.
fn stopped_on_its_way(served: &Served) -> (u64, Json) {
    for trials in (0..).map(|times| 40_000_000 << (3 * times)) {
        let id = begun(served, trials);
        let mut socket = served.socket();
        let request = format!(
            "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
            served.port, served.token
        );
        socket.write_all(request.as_bytes()).expect("it listens");
        let mut told = String::new();
        // Every event says how many were made, the first that there are none.
        let made = |event: &str| !event.contains("\"trials\":\"0\"");
        while !told.split_inclusive("\n\n").any(|event| event.ends_with("}\n\n") && made(event)) {
            let mut bytes = [0; 4096];
            let read = socket.read(&mut bytes).expect("it tells");
            assert!(read > 0, "{told}");
            told += &String::from_utf8_lossy(&bytes[..read]);
        }
        assert_eq!(served.ask(&format!("DELETE /api/jobs/{id}"), &[], "").status, 200);
        let last = events(served, &id).pop().expect("it ends");
        assert_eq!(last["done"], true, "{last}");
        if last["stopped"] == true {
            return (trials, last);
        }
    }
    unreachable!("trials without end")
}

fn of_trials(trials: u64) -> String {
    FIRE.replace("100_000", &trials.to_string())
}

fn begun(served: &Served, trials: u64) -> Json {
    let question = json!({ "name": "x.toml", "text": of_trials(trials) });
    let id = RefCell::new(Json::Null);
    until("the job begins", || {
        *id.borrow_mut() = served.post("/api/jobs", &question).json()["id"].clone();
        !id.borrow().is_null()
    });
    id.into_inner()
}

/// What was stopped goes on from where it was, and counts as if nobody had stopped it.
#[test]
fn a_simulation_that_was_stopped_goes_on() {
    let served = Served::with(&[]);
    let (trials, stopped) = stopped_on_its_way(&served);
    let events = events(&served, &begun(&served, trials));
    let last = events.last().expect("it ends");
    assert_eq!(last["stopped"], false, "{last}");
    // It begins where the first one was stopped.
    let made = |event: &Json| event["made"].as_u64().expect("a number");
    let digits = |event: &Json| -> Option<u64> {
        let said = event["trials"].as_str()?;
        said.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
    };
    let begun = events.iter().filter_map(digits).find(|trials| *trials > 0);
    assert!(made(&stopped) > 0 && begun.is_none_or(|begun| begun >= made(&stopped)), "{events:?}");
    // Two cells.
    assert_eq!(made(last), 2 * trials);
    let desk = Desk::with(&of_trials(trials));
    let output = desk.command(&["odds", "x.toml", "--format", "json"]).output();
    let said = String::from_utf8(output.expect("it starts").stdout).expect("it is text");
    assert_eq!(format!("{:#}\n", last["odds"]), said);
}

#[test]
fn sheets_are_those_of_the_command_line() {
    let served = Served::with(&[]);
    let sheet = |name: &str| {
        served.post(&format!("/api/sheets/{name}"), &json!({ "name": "x.toml", "text": FIRE }))
    };
    for (name, arguments) in [
        ("card.svg", ["table", "x.toml", "--exact-only", "--format", "svg"]),
        ("cells.csv", ["odds", "x.toml", "--exact-only", "--format", "csv"]),
        ("odds.json", ["odds", "x.toml", "--exact-only", "--format", "json"]),
    ] {
        let reply = sheet(name);
        assert_eq!(reply.status, 200, "{name}: {}", reply.body);
        assert_eq!(reply.body, of_the_program(&arguments), "{name}");
    }
    assert_eq!(sheet("experiment.toml").body, FIRE);
    let workbook =
        Desk::with(FIRE).command(&["odds", "x.toml", "--exact-only", "--format", "xlsx"]).output();
    let workbook = workbook.expect("it starts").stdout;
    assert!(workbook.starts_with(b"PK"));
    assert_eq!(sheet("odds.xlsx").body, String::from_utf8_lossy(&workbook));
    let page = sheet("report.html");
    assert!(page.body.starts_with("<!doctype html>") && page.body.contains("fire"), "{page:?}");
    // With the pictures of a run.
    let desk = Desk::with(FIRE);
    desk.run(&["run", "x.toml", "--exact-only", "--out", "out"]);
    let whole = std::fs::read_to_string(desk.path("out/report.html")).expect("it is written");
    let pictures = |page: &str| -> Vec<String> {
        let parts = page.split("<figure").skip(1).filter_map(|part| part.split("</figure>").next());
        parts.map(str::to_owned).collect()
    };
    assert!(!pictures(&whole).is_empty());
    assert_eq!(pictures(&page.body), pictures(&whole));
    assert_eq!(sheet("passwd").status, 404);
    // Every sheet that is offered can be had.
    let offered = served.get("/api/forms")["sheets"].clone();
    let offered = offered.as_array().expect("a list");
    assert!(offered.len() >= 7 && offered.contains(&json!("card.svg")), "{offered:?}");
    assert!(offered.iter().all(|name| sheet(name.as_str().expect("a name")).status == 200));
    let wrong = json!({ "text": FIRE.replace("fp = [4, 8]", "fp = []") });
    let refused = served.post("/api/sheets/card.svg", &wrong);
    assert_eq!((refused.status, refused.json()["faults"][0]["line"].as_u64()), (422, Some(6)));
}

/// Page by page, as they are numbered.
#[test]
fn a_card_of_several_pages_has_each_of_them() {
    let served = Served::with(&[]);
    let pages = |file: &str| -> Vec<String> {
        let reply =
            served.post("/api/sheets/card.json", &json!({ "name": "x.toml", "text": file }));
        assert_eq!(reply.status, 200, "{}", reply.body);
        serde_json::from_str(&reply.body).expect("a list of drawings")
    };
    // One page is the card as it is printed.
    assert_eq!(
        pages(FIRE),
        [of_the_program(&["table", "x.toml", "--exact-only", "--format", "svg"])]
    );
    let large = FIRE
        .replace("fp = [4, 8]", "fp = { from = 1, to = 36 }")
        .replace("drm = -1", "drm = { from = -4, to = 8 }");
    let large = large.replace("morale = 7", "morale = [6, 7, 8]");
    let pages = pages(&large);
    assert!(pages.len() > 1);
    for (i, page) in pages.iter().enumerate() {
        let number = format!("age {} of {}", i + 1, pages.len());
        assert!(page.starts_with("<svg") && page.contains(&number), "{number}: {page}");
    }
}

/// Whoever hangs up waits no more, and what was made for him stops: eight such, and the next is
/// answered at once all the same.
#[test]
fn a_card_that_nobody_waits_for_is_not_made() {
    let served = Served::with(&[]);
    let endless = FIRE
        .replace("fp = [4, 8]", "fp = { from = 1, to = 12 }")
        .replace("drm = -1", "drm = { from = -20, to = 20 }")
        .replace("morale = 7", "morale = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]");
    let body = json!({ "name": "x.toml", "text": endless }).to_string();
    let request = format!(
        "POST /api/sheets/card.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
         Authorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        served.token,
        body.len(),
        port = served.port,
    );
    // As many as the studio works on at a time.
    let waiting: Vec<_> = (0..8)
        .map(|_| {
            let mut socket = served.socket();
            socket.write_all(request.as_bytes()).expect("it listens");
            socket
        })
        .collect();
    drop(waiting);
    let reply = served.post("/api/sheets/card.svg", &json!({ "name": "x.toml", "text": FIRE }));
    assert_eq!(reply.status, 200, "{}", reply.body);
}

const ARSENAL: &str = "system = 'skirmishers'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n\
    [[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n";

#[cfg(feature = "pdf")]
#[test]
fn a_card_has_the_bytes_of_the_command_line() {
    let served = Served::with(&[]);
    let question = json!({ "name": "x.toml", "text": FIRE });
    let reply = served.post("/api/sheets/card.pdf", &question);
    let desk = Desk::with(FIRE);
    desk.run(&["table", "x.toml", "--exact-only", "--format", "pdf", "--out", "card.pdf"]);
    let card = std::fs::read(desk.path("card.pdf")).expect("it is written");
    assert_eq!(reply.body, String::from_utf8_lossy(&card));
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_has_the_bytes_of_the_command_line() {
    let served = Served::with(&[]);
    let reply =
        served.post("/api/sheets/cells.parquet", &json!({ "name": "x.toml", "text": FIRE }));
    let desk = Desk::with(FIRE);
    let output = desk.command(&["odds", "x.toml", "--exact-only", "--format", "parquet"]).output();
    assert_eq!(reply.body, String::from_utf8_lossy(&output.expect("it starts").stdout));
}

/// One weapon alone, by its place in the file.
#[test]
fn one_weapon_is_priced_as_on_the_command_line() {
    let served = Served::with(&[]);
    let question = json!({ "name": "x.toml", "text": ARSENAL, "only": 1 });
    let begun = served.post("/api/jobs", &question).json();
    let last = events(&served, &begun["id"]).pop().expect("it ends");
    let desk = Desk::with(ARSENAL);
    let mut command = desk.command(&["balance", "x.toml", "--all", "--only", "rifle"]);
    let told = command.env("COLUMNS", "1000").output().expect("it starts");
    assert_eq!(last["prices"].as_str(), Some(&*String::from_utf8_lossy(&told.stdout)));
}

/// Every rulebook with prices has an arsenal to begin with, which is in order; so has one in the
/// folder.
#[test]
fn arsenals_to_begin_with_are_in_order() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulebooks/salvage_crews.rules");
    let own = std::fs::read_to_string(own).expect("readable");
    let served = Served::with(&[("salvage_crews.rules", &own)]);
    let forms = served.get("/api/forms");
    let mut seen = 0;
    for system in forms["systems"].as_array().expect("a list") {
        let Some(file) = system["arsenal"]["file"].as_str() else { continue };
        let body = json!({ "page": "test", "number": seen + 1, "text": file });
        let reply = served.post("/api/odds", &body).json();
        let own = system["id"] == "salvage_crews";
        assert!(own || reply["arsenal"] == system["id"], "{reply}");
        assert!(reply["faults"].is_null(), "{reply}");
        assert!(reply["printed"].as_array().is_some_and(|all| all.len() > 2));
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn weapons_are_priced_as_on_the_command_line() {
    // One after the other: what was fought for one is known to the next.
    let served = Served::with(&[]);
    let dearer = ARSENAL.replace("'rifle'\n", "'rifle'\nprice = 90\n");
    assert_ne!(dearer, ARSENAL);
    for (text, only) in [
        (ARSENAL, Some((0, "MMG"))),
        (dearer.as_str(), Some((1, "rifle"))),
        (dearer.as_str(), None),
    ] {
        let question =
            json!({ "name": "x.toml", "text": text, "only": only.map(|(place, _)| place) });
        let begun = served.post("/api/jobs", &question).json();
        let last = events(&served, &begun["id"]).pop().expect("it ends");
        assert!(last["prices"].is_string(), "{last}");
        let desk = Desk::with(text);
        let only = only.iter().flat_map(|(_, name)| ["--only", *name]);
        let arguments: Vec<_> = ["balance", "x.toml", "--all"].into_iter().chain(only).collect();
        let mut command = desk.command(&arguments);
        let told = command.env("COLUMNS", "1000").output().expect("it starts");
        assert_eq!(last["prices"].as_str(), Some(&*String::from_utf8_lossy(&told.stdout)));
    }
}

/// What is known before the end is true at the end: the worths, and how far it has come.
#[test]
fn worths_are_told_as_they_are_found() {
    let served = Served::with(&[]);
    let names = ["MMG", "rifle", "pistol"];
    let weapons: String =
        names.iter().map(|name| format!("[[weapon]]\nname = '{name}'\n")).collect();
    let scenario = |name: &str, weight: u8, troopers: u8| {
        format!(
            "[[scenario]]\nname = '{name}'\nweight = {weight}\nmoves = 2\ntarget = {{ troopers = {troopers} }}\n"
        )
    };
    let file =
        format!("system = 'skirmishers'\n{weapons}{}{}", scenario("a", 3, 2), scenario("b", 1, 3));
    let begun = served.post("/api/jobs", &json!({ "name": "x.toml", "text": file })).json();
    let events = events(&served, &begun["id"]);
    let early = events.last().expect("it ends")["early"].as_array().expect("a list").clone();
    // Before the end there are no others.
    let before = events.iter().filter_map(|event| event["early"].as_array());
    assert!(before.flatten().all(|told| early.contains(told)), "{events:?}");
    let document = Desk::with(&file).command(&["balance", "x.toml", "--format", "json"]).output();
    let document: Json =
        serde_json::from_slice(&document.expect("it starts").stdout).expect("JSON");
    assert_eq!(early.len(), names.len());
    for told in &early {
        let weapons = document["weapons"].as_array().expect("a list");
        let own = weapons.iter().find(|weapon| weapon["name"] == told[0]).expect("it is one");
        let worth = own["worth"]["best"].as_f64().expect("a number");
        let said: f64 = told[1].as_str().and_then(|text| text.parse().ok()).expect("a number");
        // Told in whole points, or less.
        assert!((said / worth).ln().abs() < 0.06, "{told} of {worth}");
    }
    let come: Vec<f64> = events.iter().filter_map(|event| event["fought"][0].as_f64()).collect();
    assert!(come.is_sorted() && come.iter().all(|pieces| *pieces <= 6.0), "{come:?}");
}
