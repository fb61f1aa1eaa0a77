//! Many at once: programs that connect and never read, and questions that take long.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use enfilade::Experiment;
use enfilade::cancel::CancelToken;
use enfilade::error::StudyError;
use enfilade::report::card::{
    OrientedPaperSheet, WrittenCardFormat, render_cards_unless_cancelled,
};
use enfilade::report::error::ReportError;
use serde_json::{Value as Json, json};

use super::{Reply, Served};

/// Requests for an asset, one behind the other, as many as fill every buffer.
fn flood(served: &Served, token: &str) -> Vec<u8> {
    let host = format!("Host: 127.0.0.1:{}\r\n{token}\r\n", served.port);
    let first = format!("GET /api/files HTTP/1.1\r\n{host}");
    (first + &format!("GET /assets/studio.js HTTP/1.1\r\n{host}").repeat(3000)).into_bytes()
}

/// A socket that asks for much and reads nothing.
fn deaf(served: &Served, token: &str) -> TcpStream {
    let mut socket = served.socket();
    socket.set_write_timeout(Some(Duration::from_millis(200))).expect("set");
    // Full buffers are what is wanted.
    let _ = socket.write_all(&flood(served, token));
    socket
}

/// Whether the other side has closed a socket, as far as one that writes can see.
fn is_closed(socket: &mut TcpStream) -> bool {
    match socket.write_all(b"G") {
        Ok(_) => false,
        Err(why) => {
            !matches!(why.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
        }
    }
}

#[test]
fn programs_that_never_read_keep_nobody_out() {
    let served = Served::with(&[]);
    let deaf: Vec<TcpStream> = (0..80).map(|_| deaf(&served, "")).collect();
    // Each of them would have held a place for as long as it liked.
    assert!(served.get("/api/files")["files"].is_array());
    assert_eq!(served.ask("GET /", &[], "").status, 200);
    drop(deaf);
}

#[test]
fn who_takes_nothing_of_an_answer_is_closed_whoever_it_is() {
    let served = Served::with(&[]);
    let token = format!("Authorization: Bearer {}\r\n", served.token);
    let mut socket = deaf(&served, &token);
    crate::desk::until("it is closed", || is_closed(&mut socket.try_clone().expect("a socket")));
    assert!(is_closed(&mut socket));
}

/// Laws that take seconds: eight times as much as is counted at all.
fn heavy(page: &str, number: u64) -> Json {
    json!({ "text": "1000d6\n".repeat(8), "page": page, "number": number })
}

#[test]
fn a_list_of_files_waits_for_no_question() {
    let served = Served::with(&[]);
    let (begun, over) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let mut socket = served.send("/api/dice", &heavy("", 0));
                begun.fetch_add(1, Ordering::Relaxed);
                Reply::read(&mut socket);
                over.fetch_add(1, Ordering::Relaxed);
            });
        }
        crate::desk::until("all are asked", || begun.load(Ordering::Relaxed) == 12);
        for _ in 0..5 {
            assert!(served.get("/api/files")["files"].is_array());
        }
        assert_eq!(over.load(Ordering::Relaxed), 0, "the files came after the questions");
    });
}

const SQUAD: &str = "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\n\
                     target = { kind = \"squad\", morale = 7 }\n";

/// More heavy ones than there are places for them, each of a page of its own: a law of two dice and
/// a way that is not looked for are answered before any of them.
#[test]
fn what_takes_a_moment_waits_for_nothing_that_takes_seconds() {
    let served = Served::with(&[]);
    let (begun, over) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let rare = "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\nattacks = 9\n\
                target = { kind = \"squad\", morale = 7, count = 9 }\n";
    std::thread::scope(|scope| {
        for page in 0..10 {
            let (served, begun, over) = (&served, &begun, &over);
            scope.spawn(move || {
                let mut socket = served.send("/api/dice", &heavy(&format!("dice {page}"), 1));
                begun.fetch_add(1, Ordering::Relaxed);
                Reply::read(&mut socket);
                over.fetch_add(1, Ordering::Relaxed);
            });
            scope.spawn(move || {
                let asked = json!({ "text": rare, "wanted": [99, 99], "page": format!("way {page}"), "number": 1 });
                let mut socket = served.send("/api/explain", &asked);
                begun.fetch_add(1, Ordering::Relaxed);
                Reply::read(&mut socket);
                over.fetch_add(1, Ordering::Relaxed);
            });
        }
        crate::desk::until("all are asked", || begun.load(Ordering::Relaxed) == 20);
        let law = served.post("/api/dice", &json!({ "text": "2d6", "page": "law", "number": 1 }));
        assert_eq!(law.json()["laws"].as_array().map(Vec::len), Some(1));
        let way =
            served.post("/api/explain", &json!({ "text": SQUAD, "page": "look", "number": 1 }));
        assert!(way.json()["steps"].is_array());
        assert_eq!(over.load(Ordering::Relaxed), 0, "they came after the heavy ones");
    });
}

/// A grid of 57 000 cells.
const VAST: &str = "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30]\nattacks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n\
                    drm = [-9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n\
                    [contest.target]\nkind = \"squad\"\nmorale = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n\
                    count = [1, 2, 3]\n";

/// Of a file that nobody waits for no cell is made, and no card laid out.
#[test]
fn a_file_is_read_and_printed_only_as_long_as_somebody_waits() {
    let (stopped, going) = (CancelToken::new(), CancelToken::new());
    stopped.cancel();
    let read = |halt| Experiment::read_or_cancel(crate::built_in(), "vast.toml", VAST, halt);
    assert!(matches!(read(&stopped), Err(StudyError::Interrupted(_))));
    let whole = std::time::Instant::now();
    assert_eq!(read(&going).expect("it is sound").cells.len(), 57_000);
    let whole = whole.elapsed();
    // Stopped on the way it is over long before the whole would be.
    let begun = std::time::Instant::now();
    let later = std::sync::Arc::new(CancelToken::new());
    let asks = std::sync::Arc::clone(&later);
    let asker = std::thread::spawn(move || {
        std::thread::sleep(whole / 20);
        asks.cancel();
    });
    assert!(matches!(read(&later), Err(StudyError::Interrupted(_))));
    assert!(begun.elapsed() < whole / 2, "{:?} of {whole:?}", begun.elapsed());
    asker.join().expect("it asks");
    let card = Experiment::read_experiment_text(
        crate::built_in(),
        "card.toml",
        &format!("{SQUAD}[[card]]\n"),
    );
    let card = card.expect("it is sound");
    let answers = enfilade::solve_experiment(&card, &enfilade::SolverSettings::for_exact_only())
        .expect("it is small");
    let pdf = |halt| {
        let format = WrittenCardFormat::Html(OrientedPaperSheet::A4);
        render_cards_unless_cancelled(&card, &answers, format, halt)
    };
    assert!(pdf(&going).is_ok() && matches!(pdf(&stopped), Err(ReportError::Interrupted(_))));
}

/// As many sheets of a vast grid as there are places, whose pages were closed: the next one has a
/// place at once.
#[test]
fn sheets_that_nobody_waits_for_give_up_their_places() {
    let served = Served::with(&[]);
    for name in ["report.html", "card.pdf", "cells.csv", "card.json"] {
        drop(served.send_heard(&format!("/api/sheets/{name}"), &json!({ "text": VAST })));
    }
    let small = served.post("/api/sheets/cells.csv", &json!({ "text": SQUAD }));
    assert_eq!(small.status, 200);
}

/// Of what a page asks the newest counts, and what nobody waits for is not worked out: otherwise
/// the small law would come after all the large ones, which is much longer than one large one
/// takes.
#[test]
fn questions_that_nobody_waits_for_are_stopped() {
    let served = Served::with(&[]);
    for _ in 0..16 {
        drop(served.send_heard("/api/dice", &heavy("", 0)));
    }
    let over = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let mut large = served.send("/api/dice", &heavy("p", 1));
        scope.spawn({
            let over = &over;
            move || {
                let first = Reply::read(&mut large);
                assert_eq!(first.status, 409, "a newer one was asked");
                over.fetch_add(1, Ordering::Relaxed);
            }
        });
        let small = served.post("/api/dice", &json!({ "text": "2d6", "page": "p", "number": 2 }));
        assert_eq!((small.status, small.json()["laws"].as_array().map(Vec::len)), (200, Some(1)));
    });
    assert_eq!(over.load(Ordering::Relaxed), 1);
}

/// A way that is looked for is stopped by the next one of its page.
#[test]
fn of_two_ways_the_newest_is_told() {
    let served = Served::with(&[]);
    let text = "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\ntarget = { kind = \"squad\", morale = 7 }\n";
    let ask = |number: u64, wanted: Json| {
        let asked = json!({ "text": text, "wanted": wanted, "page": "w", "number": number });
        served.post("/api/explain", &asked)
    };
    let told = ask(2, json!([99, 99]));
    // No roll comes to it, and that is said.
    assert_eq!((told.status, told.json()["found"].as_bool()), (200, Some(false)));
    assert_eq!(ask(1, Json::Null).status, 409);
    assert_eq!(ask(3, Json::Null).status, 200);
}
