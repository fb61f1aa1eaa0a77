//! Input as large as it may be: answered in about a second, in little memory, and in few words.

use assert_cmd::Command;
use enfilade::cli::error_report::render_error_report;
use enfilade::error::Error;
use enfilade::pricing::arsenal::Arsenal;
use enfilade::study::experiment::Experiment;

use crate::harness::test_timeout::finish_in_time;

/// Most bytes of a message about one fault, and about a file.
const MESSAGE: usize = 2048;

const FIRE: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
    target = { kind = 'squad', morale = 7 }\n";

/// As many of the lines that `line` makes as fit into a file.
fn full(start: &str, line: impl Fn(usize) -> String) -> String {
    let mut text = start.to_owned();
    for number in 0.. {
        let next = line(number);
        if text.len() + next.len() > 1 << 20 {
            break;
        }
        text += &next;
    }
    text
}

/// Files of a mebibyte that are wrong throughout.
fn experiments() -> Vec<(&'static str, String)> {
    let unknown = |number| format!("k{number} = 1\n");
    let grid = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = { from = 1, to = 1000 }\n\
        drm = { from = -10, to = 10 }\n";
    let target = "target = { kind = 'squad', morale = 7 }\n";
    vec![
        ("unknown keys", full("", unknown)),
        ("unknown tables", full("", |number| format!("[t{number}]\n"))),
        ("unknown fields", full(FIRE, unknown)),
        ("unknown modifiers", full(&format!("{FIRE}[contest.modifiers]\n"), unknown)),
        ("no numbers", full("", |number| format!("k{number} = nan\n"))),
        (
            "keys in a table with a long name",
            full(&format!("[{}]\n", "x".repeat(500_000)), unknown),
        ),
        ("values under a long key", full(&format!("{} = [", "x".repeat(300_000)), |_| "1,".into())),
        (
            "targets on a grid",
            full(grid, |_| "[[contest.target]]\nkind = 'squad'\nmorale = 7\n".into()),
        ),
        (
            "modifiers on a grid",
            full(&format!("{grid}{target}modifiers = ["), |_| "'woods',".into()) + "]",
        ),
        ("contests", full("", |_| "[[contest]]\nx = 1\n".into())),
        ("charts", full(FIRE, |_| "[[chart]]\nkind = 'bars'\nx = 'nix'\n".into())),
        ("cards", full(FIRE, |_| "[[card]]\n".into())),
        ("empty keys", "=\n".repeat(1 << 19)),
    ]
}

/// What `read` says of a file, in about a second.
fn answered<T, E: Into<Error>>(what: &str, read: impl FnOnce() -> Result<T, E>) -> String {
    finish_in_time(what, || {
        let error = read().err().unwrap_or_else(|| panic!("{what} are refused"));
        render_error_report(&error.into(), false)
    })
}

#[test]
fn a_full_file_is_answered_in_about_a_second() {
    for (what, text) in experiments() {
        let message = answered(what, || {
            Experiment::read_experiment_text(crate::built_in(), "full.toml", &text)
        });
        assert!(message.len() < 50 * MESSAGE, "{what}: {}", message.len());
    }
    let system = "system = 'skirmishers'\n";
    let arsenals = [
        ("unknown keys", full(system, |n| format!("k{n} = 1\n"))),
        ("assumptions", full(&format!("{system}[assumptions]\n"), |n| format!("k{n} = 1\n"))),
        ("weapons", full(system, |_| "[[weapon]]\nname = 'q'\n".into())),
    ];
    for (what, text) in arsenals {
        answered(what, || Arsenal::read_arsenal_text(crate::built_in(), "full.toml", &text));
    }
}

/// A list that is no axis of a grid has a limit, so that no cell of a grid is a file of its own.
#[test]
fn lists_and_charts_have_a_limit() {
    let problem = "the number of entries must be 0 to 200, but it is";
    for (what, text) in experiments() {
        let limited = ["targets on a grid", "modifiers on a grid", "charts", "cards"];
        if limited.contains(&what) {
            let message = answered(what, || {
                Experiment::read_experiment_text(crate::built_in(), "full.toml", &text)
            });
            assert!(message.contains(problem), "{what}: {message}");
        }
    }
}

/// The message for `text`, which is about one fault.
fn short(what: &str, text: &str) -> String {
    let message = answered(what, || {
        Experiment::read_experiment_text(crate::built_in(), &"long".repeat(1000), text)
    });
    assert!(message.len() <= MESSAGE, "{what}: {} bytes", message.len());
    message
}

#[test]
fn long_names_are_cut() {
    let long = "x".repeat(1_000_000);
    let key = short("a key", &format!("{long} = 1\n{FIRE}"));
    let name = format!("there is no field `{}…` here", "x".repeat(60));
    assert!(key.replace("\n  │ ", "").contains(&name), "{key}");
    let cases = [
        format!("[[contest]]\nsystem = '{long}'\naction = 'fire'"),
        format!("[[contest]]\nsystem = 'asl'\naction = '{long}'"),
        format!("{FIRE}{long} = 1"),
        format!("{FIRE}[contest.modifiers]\n{long} = 1"),
        format!("{FIRE}[[chart]]\nkind = '{long}'"),
        format!("{FIRE}[[chart]]\nkind = 'bars'\nx = '{}'", "x".repeat(200)),
        format!("{FIRE}[[card]]\ncontests = ['{}']", "x".repeat(200)),
        format!("precision = 1e-{}\n{FIRE}", "3".repeat(100_000)),
        format!("precision = 1{}\n{FIRE}", "0".repeat(100_000)),
        format!("{FIRE}[contest.modifiers]\n{} = [1, 2]", "x".repeat(1000)),
    ];
    for text in &cases {
        short(&text[..80], text);
    }
    let axes: String = (0..100).map(|n| format!("m{n}{} = [1, 2]\n", "x".repeat(1000))).collect();
    short("axes", &format!("{FIRE}[contest.modifiers]\n{axes}"));
}

#[test]
fn long_numbers_are_written_with_a_power_of_ten() {
    let message = short("a precision", &format!("precision = 1e-300\n{FIRE}"));
    assert!(message.contains("but it is 1e-300"), "{message}");
    let message = short("firepower", &FIRE.replace("fp = 8", "fp = 1e300"));
    assert!(message.contains("but it is 1e300"), "{message}");
    let text = "system = 'skirmishers'\n[[weapon]]\nname = 'rifle'\n[[scenario]]\nname = 'x'\nweight = 1e308\n";
    let message =
        answered("a weight", || Arsenal::read_arsenal_text(crate::built_in(), "a.toml", text));
    assert!(message.contains("but it is 1e308"), "{message}");
}

#[test]
fn long_arguments_are_cut() {
    let long = "y\u{1b}".repeat(30_000);
    let cases: [&[&str]; 6] = [
        &[&long],
        &["odds", &format!("--{long}")],
        &["odds", "x.toml", "--trials", &long],
        &["odds", "x.toml", "--format", &long],
        &["systems", &long],
        &["odds", &long],
    ];
    for arguments in cases {
        let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
        let output = program.args(arguments).output().expect("it starts");
        let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(message.len() <= MESSAGE, "{} bytes", message.len());
        assert!(!message.contains('\u{1b}'), "{message:?}");
        assert!(matches!(output.status.code(), Some(2 | 3)), "{message}");
    }
}
