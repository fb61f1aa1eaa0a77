//! What takes longer, and what is printed: the same bytes as from the command line.

use std::io::{Read, Write};

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
    let page = sheet("report.html");
    assert!(page.body.starts_with("<!doctype html>") && page.body.contains("fire"), "{page:?}");
    assert_eq!(sheet("passwd").status, 404);
    let wrong = json!({ "text": FIRE.replace("fp = [4, 8]", "fp = []") });
    let refused = served.post("/api/sheets/card.svg", &wrong);
    assert_eq!((refused.status, refused.json()["faults"][0]["line"].as_u64()), (422, Some(6)));
}

const ARSENAL: &str = "system = 'skirmishers'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n\
    [[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n";

#[test]
fn weapons_are_priced_as_on_the_command_line() {
    let served = Served::with(&[]);
    let begun = served.post("/api/jobs", &json!({ "name": "x.toml", "text": ARSENAL })).json();
    let last = events(&served, &begun["id"]).pop().expect("it ends");
    assert!(last["prices"].is_string(), "{last}");
    let desk = Desk::with(ARSENAL);
    let mut command = desk.command(&["balance", "x.toml"]);
    let told = command.env("COLUMNS", "1000").output().expect("it starts");
    assert_eq!(last["prices"].as_str(), Some(&*String::from_utf8_lossy(&told.stdout)));
}
