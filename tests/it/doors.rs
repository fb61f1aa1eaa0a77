//! Every door through which a file is read: what somebody else sent can be a pipe, a device, a link
//! or a giant.

#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::desk::{Desk, Told};
use enfilade_testkit::source_files::{read_sources, without_comments, without_inner_modules};

/// What stands in a file of the user that is nobody's business.
const SECRET: &str = "name\tword\ngate\thunter2\n";

/// Nothing here takes a second; a pipe that is waited for takes for ever.
const HANGS: Duration = Duration::from_secs(60);

/// What a command says, which is killed if it hangs.
pub(crate) fn told(desk: &Desk, arguments: &[&str]) -> Told {
    let mut child = desk.command(arguments).spawn().expect("it starts");
    let begun = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if begun.elapsed() > HANGS {
            child.kill().expect("it is killed");
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output: Output = child.wait_with_output().expect("it has ended");
    Told::of(output)
}

pub(crate) fn pipe(desk: &Desk, name: &str) {
    let made = Command::new("mkfifo").arg(desk.path(name)).status();
    assert!(made.expect("there is such a command").success());
}

fn giant(desk: &Desk, name: &str) {
    File::create(desk.path(name)).and_then(|file| file.set_len(3 << 30)).expect("made");
}

/// A desk with a secret beside the folder `sent`, which holds what somebody sent.
fn desk() -> Desk {
    let desk = Desk::with("");
    desk.write("private/secret.tsv", SECRET);
    desk.write("private/secret.rules", &format!("{SECRET}-- no rulebook\n"));
    desk.write("sent/note.txt", "");
    desk
}

/// Refused in time, with the sentence, and without a word of what is private.
fn refused(desk: &Desk, arguments: &[&str], code: i32, why: &str) {
    let told = told(desk, arguments);
    told.refused(code, why);
    assert!(!told.err.contains("hunter2") && !told.out.contains("hunter2"), "{told:?}");
}

#[test]
fn a_rulebook_is_a_plain_file_of_bounded_size() {
    let desk = desk();
    pipe(&desk, "sent/pipe.rules");
    giant(&desk, "sent/giant.rules");
    symlink("/dev/zero", desk.path("sent/zero.rules")).expect("a link");
    fs::create_dir(desk.path("sent/folder.rules")).expect("made");
    for (name, why) in [
        ("pipe", "sent/pipe.rules is no plain file"),
        ("zero", "sent/zero.rules is no plain file"),
        ("folder", "sent/folder.rules is no plain file"),
        ("giant", "more than 1048576 bytes"),
    ] {
        let path = format!("sent/{name}.rules");
        refused(&desk, &["rules", "check", &path], 2, why);
        refused(&desk, &["odds", &path, "go"], 2, why);
        refused(&desk, &["systems", "--rules", &path], 2, why);
    }
}

#[test]
fn a_rulebook_that_is_no_text_is_told_with_its_place() {
    let desk = desk();
    fs::write(desk.path("b.rules"), b"game \"A\"\n-- \xc3\xa4 x\xff\n").expect("written");
    for arguments in [&["rules", "check", "b.rules"][..], &["odds", "b.rules", "go"]] {
        let told = told(&desk, arguments);
        told.refused(2, "byte 17 of the file is not UTF-8, at line 2, column 7");
        told.refused(2, "save the file as UTF-8 text");
        assert!(told.err.contains("b.rules:2:7"), "{told:?}");
    }
}

#[test]
fn what_a_rulebook_names_is_a_plain_file_below_its_folder() {
    let desk = desk();
    pipe(&desk, "sent/pipe.tsv");
    pipe(&desk, "sent/pipe.rules");
    giant(&desk, "sent/giant.tsv");
    giant(&desk, "sent/giant.rules");
    fs::write(desk.path("sent/latin.tsv"), b"name\tn\n\xe4\t1\n").expect("written");
    for ending in ["tsv", "rules"] {
        let link = |to: &str, name: &str| {
            symlink(to, desk.path("sent").join(format!("{name}.{ending}"))).expect("a link");
        };
        link("/dev/zero", "zero");
        link(&format!("../private/secret.{ending}"), "link");
    }
    symlink("../private", desk.path("sent/dir")).expect("a link");
    let link = "it is a link, or behind one";
    for (name, why) in [
        ("pipe.tsv", "it is no plain file"),
        ("zero.tsv", link),
        ("link.tsv", link),
        ("dir/secret.tsv", link),
        ("giant.tsv", "it has more than 1048576 bytes"),
        ("latin.tsv", "it is not UTF-8 at line 2, column 1"),
        ("../private/secret.tsv", "outside the folder"),
    ] {
        let action = "action go:\n    x = d6\n    show x\n";
        desk.write("sent/a.rules", &format!("game \"A\"\ndata gates from \"{name}\"\n{action}"));
        refused(&desk, &["rules", "check", "sent/a.rules"], 2, why);
        desk.write("sent/t.rules", &format!("game \"A\"\ntable odds from \"{name}\":\n{action}"));
        refused(&desk, &["rules", "check", "sent/t.rules"], 2, why);
    }
    for (name, why) in [
        ("pipe.rules", "it is no plain file"),
        ("zero.rules", link),
        ("link.rules", link),
        ("dir/secret.rules", link),
        ("giant.rules", "it has more than 1048576 bytes"),
    ] {
        desk.write("sent/a.rules", &format!("game \"A\" extends \"{name}\"\n"));
        refused(&desk, &["rules", "check", "sent/a.rules"], 2, why);
    }
}

/// An experiment that somebody sent names what it brings, or a rulebook above it, and nothing else
/// of the disk: no message repeats it, and no result keeps it.
#[test]
fn an_experiment_opens_no_file_but_rulebooks_from_its_folder_on() {
    let desk = desk();
    desk.write("sent/ok.rules", "game \"A\"\naction go:\n    x = d6\n    show x\n");
    pipe(&desk, "sent/pipe.rules");
    symlink("../private/secret.tsv", desk.path("sent/link.rules")).expect("a link");
    symlink("../private", desk.path("sent/dir")).expect("a link");
    let absolute = desk.path("private/secret.rules");
    let absolute = absolute.to_str().expect("it is text");
    for (name, why) in [
        (absolute, "is an absolute path"),
        ("/etc/passwd", "is an absolute path"),
        ("../private/secret.tsv", "its name does not end in .rules"),
        ("../private/secret.rules", "it has no line `game \"Name\"`"),
        ("link.rules", "it is a link, or behind one"),
        ("dir/secret.rules", "it is a link, or behind one"),
        ("pipe.rules", "it is no plain file"),
    ] {
        let text = format!("rules = {name:?}\n[[contest]]\naction = 'go'\n");
        desk.write("sent/x.toml", &text);
        refused(&desk, &["odds", "sent/x.toml"], 2, why);
        refused(&desk, &["run", "sent/x.toml", "--out", "o", "--quiet"], 2, why);
        refused(&desk, &["sweep", "plan", "sent/x.toml", "--out", "plan.json"], 2, why);
        assert!(!desk.path("o").exists() && !desk.path("plan.json").exists(), "{name}");
    }
    // What the user says is his: on the command line any path is a rulebook's.
    let own = desk.path("sent/ok.rules");
    let own = own.to_str().expect("it is text");
    symlink("sent/ok.rules", desk.path("mine.rules")).expect("a link");
    desk.write("sent/x.toml", "[[contest]]\nsystem = 'ok'\naction = 'go'\n");
    for arguments in [
        &["odds", own, "go", "--exact-only"][..],
        &["odds", "mine.rules", "go", "--exact-only"],
        &["odds", "sent/x.toml", "--exact-only", "--rules", own],
    ] {
        let told = told(&desk, arguments);
        assert_eq!(told.code, Some(0), "{told:?}");
    }
    // And so a file may name it, where it is given too.
    desk.write("sent/x.toml", &format!("rules = {own:?}\n[[contest]]\naction = 'go'\n"));
    refused(&desk, &["odds", "sent/x.toml"], 2, "--rules FILE");
    let told = told(&desk, &["odds", "sent/x.toml", "--exact-only", "--rules", own]);
    assert_eq!(told.code, Some(0), "{told:?}");
}

/// A file to start from names its rulebook so that it can be opened, wherever that is.
#[test]
fn a_file_to_start_from_names_its_rulebook_by_no_absolute_path() {
    let desk = desk();
    desk.write("shelf/ok.rules", "game \"A\"\naction go:\n    x = d6\n    show x\n");
    let rules = desk.path("shelf/ok.rules");
    let rules = rules.to_str().expect("it is text");
    desk.write("here/note.txt", "");
    let made = told(&desk, &["new", "ok", "go", "here/x.toml", "--rules", rules]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(desk.read("here/x.toml").contains("rules = \"../shelf/ok.rules\""));
    let odds = told(&desk, &["odds", "here/x.toml", "--exact-only"]);
    assert_eq!(odds.code, Some(0), "{odds:?}");
}

#[test]
fn questions_and_plans_are_plain_files() {
    let desk = desk();
    pipe(&desk, "sent/x.toml");
    pipe(&desk, "sent/plan.json");
    refused(&desk, &["odds", "sent/x.toml"], 2, "sent/x.toml is no plain file");
    refused(&desk, &["balance", "sent/x.toml"], 2, "sent/x.toml is no plain file");
    let status = ["sweep", "status", "sent/plan.json", "--parts", "parts"];
    refused(&desk, &status, 2, "sent/plan.json is no plain file");
    giant(&desk, "giant.json");
    refused(&desk, &["sweep", "status", "giant.json", "--parts", "parts"], 2, "bytes");
    // What the shell handed over is open already.
    let piped = "printf '[[contest]]\\nsystem = \"aic\"\\n' | \"$0\" odds /dev/stdin";
    let shell = Command::new("sh").args(["-c", piped, env!("CARGO_BIN_EXE_enfilade")]).output();
    Told::of(shell.expect("there is a shell")).refused(2, "`action` is missing");
}

/// A folder of results that somebody sent, and in which a run is to write, changes nothing outside.
#[test]
fn nothing_is_written_through_a_folder_of_results_that_was_sent() {
    let rules = "game \"A\"\naction go:\n    x = d6\n    show x\n";
    for (link, to) in [(".enfilade/lock", "../../private/secret.tsv"), ("rules", "../private")] {
        let desk = desk();
        desk.write("ok.rules", rules);
        desk.write("x.toml", "rules = 'ok.rules'\n[[contest]]\naction = 'go'\n");
        let place = desk.path("o").join(link);
        fs::create_dir_all(place.parent().expect("it has one")).expect("made");
        symlink(to, &place).expect("a link");
        let run = ["run", "x.toml", "--out", "o", "--exact-only", "--overwrite"];
        refused(&desk, &run, 2, "no plain file");
        assert_eq!(desk.read("private/secret.tsv"), SECRET);
        assert_eq!(desk.files("private").len(), 2, "{link}");
    }
}

/// On a full disk there is no half of a file, and so nothing in the way of the next try.
#[test]
fn a_new_file_is_whole_or_not_there() {
    let desk = Desk::with("");
    for (command, name) in
        [("rules new mine.rules", "mine.rules"), ("new asl fire y.toml", "y.toml")]
    {
        let full = format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" {command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &full, env!("CARGO_BIN_EXE_enfilade")]).current_dir(desk.folder.path());
        Told::of(shell.output().expect("there is a shell")).refused(3, "writing");
        let left: Vec<_> = fs::read_dir(desk.folder.path())
            .expect("it is there")
            .map(|entry| entry.expect("readable").file_name())
            .filter(|left| left != "x.toml")
            .collect();
        assert!(left.is_empty(), "{left:?}");
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(told(&desk, &words).code, Some(0));
        assert!(!desk.read(name).is_empty());
        fs::remove_file(desk.path(name)).expect("removed");
    }
}

/// Names that look alike or empty are told at their place.
#[test]
fn a_name_has_no_letters_that_show_nothing() {
    for letter in [
        "\u{ad}",
        "\u{34f}",
        "\u{115f}",
        "\u{3164}",
        "\u{ffa0}",
        "\u{2800}",
        "\u{180e}",
        "\u{17b4}",
        "\u{206a}",
        "\u{fff9}",
        "\u{e0041}",
    ] {
        let contest = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\ntarget = { kind = 'squad', morale = 7 }\n";
        let desk = Desk::with(&contest.replace("action", &format!("name = 'a{letter}b'\naction")));
        let told = told(&desk, &["odds", "x.toml", "--exact-only"]);
        assert!(told.code == Some(2) && told.err.contains("x.toml:3:"), "{letter:?} {told:?}");
        assert!(!told.err.contains(letter), "{letter:?}");
    }
}

#[test]
fn a_number_has_no_loose_underscores() {
    let desk = Desk::with(
        "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\ntarget = { kind = 'squad', morale = 7 }\n",
    );
    for trials in ["_1000", "1000_", "1__000", "_", "1_-0"] {
        refused(&desk, &["odds", "x.toml", "--trials", trials], 2, "must be a whole number");
    }
    assert_eq!(told(&desk, &["odds", "x.toml", "--trials", "1_000"]).code, Some(0));
}

/// Places that may open a file to read it: the reader, what this process made itself, the system's
/// own, and the sources as tests read them.
const READERS: [&str; 6] = [
    "model/plain_file.rs",
    "report/drawing/png.rs",
    "report/folder/file_system.rs",
    "report/folder/folder_claim.rs",
    "bench/measure.rs",
    "testkit/source_files.rs",
];

#[test]
fn every_door_uses_the_one_reader() {
    let ways = ["fs::read(", "fs::read_to_string(", "File::open(", ".read(true)"];
    let mut found: Vec<String> = Vec::new();
    for (file, text) in read_sources() {
        let code = without_inner_modules(&without_comments(&text));
        if !READERS.contains(&file.as_str()) && !file.ends_with("tests.rs") {
            let opens = ways.iter().filter(|way| code.contains(**way));
            found.extend(opens.map(|way| format!("{file}: {way}")));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}
