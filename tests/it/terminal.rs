//! The program on a terminal, as somebody sits before it: the question before a contest that takes
//! long, its answers, and Ctrl-C.
//!
//! The terminal is that of `script`, of util-linux: what is written to it is typed. The contest has
//! a hundred million states and more, so on no machine does it end by itself while somebody waits,
//! and how the program ended says why.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use enfilade::study::checkpoint::journal::JOURNAL_FILE_NAME;
use serde_json::Value as Json;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_enfilade");

/// Hours of work, of which it is told so beforehand.
const FIGHT: &str = "[[contest]]\nname = 'the whole fight'\nsystem = 'asl'\naction = 'fire'\nfp = 12\n\
    attacks = 20\n[[contest.target]]\nunit = '4-6-7'\nnation = 'German'\ncount = 12\n";

/// After so many seconds the terminal is taken away, and the test fails: nothing here takes so
/// long.
const HANGS: &str = "600";

/// A terminal with the program in it.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    /// What has been shown so far.
    shown: String,
}

impl Terminal {
    /// In `folder`, with these arguments.
    fn with(folder: &Path, arguments: &str) -> Terminal {
        let line = format!("exec '{PROGRAM}' {arguments}");
        let mut child = Command::new("timeout")
            .args([HANGS, "script", "-qec", &line, "/dev/null"])
            .current_dir(folder)
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("COLUMNS", "300")
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a terminal");
        let keys = child.stdin.take().expect("a pipe");
        let screen = child.stdout.take().expect("a pipe");
        Terminal { child, keys, screen, shown: String::new() }
    }

    /// Waits until `text` is shown.
    fn shows(&mut self, text: &str) {
        while !self.shown.contains(text) {
            let mut block = [0; 4096];
            let read = self.screen.read(&mut block).expect("it can be read");
            assert!(read > 0, "it ended before {text:?} was shown: {}", self.shown);
            self.shown += &String::from_utf8_lossy(&block[..read]);
        }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("it listens");
    }

    /// How it ended, and all that was shown.
    fn ends(mut self) -> (Option<i32>, String) {
        let mut rest = Vec::new();
        self.screen.read_to_end(&mut rest).expect("it can be read");
        let code = self.child.wait().expect("it ends").code();
        (code, self.shown + &String::from_utf8_lossy(&rest))
    }
}

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    std::fs::write(folder.path().join("fight.toml"), FIGHT).expect("writable");
    folder
}

fn files(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("it is there");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("readable").file_name().to_string_lossy().into_owned()
    };
    entries.map(name).collect()
}

const ASKED: &str = "continue? [Y/n] ";

fn is_told(shown: &str) {
    let told = shown.lines().find(|line| line.contains("the whole fight: about "));
    let told = told.unwrap_or_else(|| panic!("{}", shown.escape_debug()));
    let expected = [" million states, ", "; most by `target.count` 12, with one less "];
    assert!(expected.iter().all(|part| told.contains(part)), "{told}");
    assert!(told.contains("; they differ most in: "), "{told}");
}

#[test]
#[cfg_attr(not(has_terminal), ignore = "needs `script` of util-linux, which is not installed")]
fn who_says_no_is_not_kept_waiting() {
    let folder = folder();
    let mut terminal = Terminal::with(folder.path(), "odds fight.toml");
    terminal.shows(ASKED);
    is_told(&terminal.shown);
    terminal.types("n\n");
    let (code, shown) = terminal.ends();
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("0 of 1 cells were answered"), "{shown}");
}

#[test]
#[cfg_attr(not(has_terminal), ignore = "needs `script` of util-linux, which is not installed")]
fn who_says_yes_sees_how_far_it_has_come_and_can_stop_it() {
    let folder = folder();
    let mut terminal = Terminal::with(folder.path(), "run fight.toml --out results");
    terminal.shows(ASKED);
    terminal.types("y\n");
    terminal.shows("states of a large contest, ");
    terminal.shows(" wait");
    terminal.types("\x03");
    let (code, shown) = terminal.ends();
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("0 of 1 cells were answered"), "{shown}");
    // What there is, is whole: the files are those of the manifest, and beside them the journal,
    // empty.
    let whole =
        Command::new(PROGRAM).args(["verify", "results"]).current_dir(folder.path()).output();
    let whole = whole.expect("the program starts");
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    let results = folder.path().join("results");
    let listed = std::fs::read_to_string(results.join("manifest.json")).expect("it is there");
    let listed: Json = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["answered"], 0);
    let names = listed["files"].as_array().expect("a list").iter();
    let names = names.map(|file| file["name"].as_str().expect("a name").to_owned());
    let others = ["manifest.json", JOURNAL_FILE_NAME].map(str::to_owned);
    let expected: BTreeSet<String> = names.chain(others).collect();
    assert_eq!(files(&results), expected);
}

#[test]
#[cfg_attr(not(has_terminal), ignore = "needs `script` of util-linux, which is not installed")]
fn the_question_itself_can_be_left() {
    let folder = folder();
    let mut terminal = Terminal::with(folder.path(), "odds fight.toml");
    terminal.shows(ASKED);
    terminal.types("\x03");
    let (code, shown) = terminal.ends();
    assert_eq!(code, Some(130), "{shown}");
}

#[test]
#[cfg_attr(not(has_terminal), ignore = "needs `script` of util-linux, which is not installed")]
fn who_has_said_yes_beforehand_is_not_asked() {
    let folder = folder();
    let mut terminal = Terminal::with(folder.path(), "odds fight.toml --yes");
    terminal.shows("states of a large contest, ");
    is_told(&terminal.shown);
    terminal.types("\x03");
    let (code, shown) = terminal.ends();
    assert_eq!(code, Some(130), "{shown}");
    assert!(!shown.contains(ASKED), "{shown}");
}
