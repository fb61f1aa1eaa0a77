//! Every shell line of the README and of `docs/` is run as it stands there: in a fresh folder, in
//! order, the studio started and stopped.
//!
//! What these lines call by name is found in a folder of its own before anything else, and some of
//! it is a stand-in:
//!
//! - `enfilade` is the program that was built with the tests; a studio opens no browser and is
//!   ended when it listens.
//! - `cargo run --release -- …` is that program too: cargo would build it once more.
//!   `cargo run --example NAME` looks whether there is such an example, which `.ci/run` runs;
//!   `cargo install --path .` whether the package there is this one; `cargo test --release` is what
//!   runs this.
//! - `pip`, `dask` and `aws` speak to other machines, and are heard and believed. `python sweep.py`
//!   and `bash sweep.sh` need engines, with which `.ci/run` tries them: here the script must be
//!   there, and what it would have done is done by `enfilade sweep shard`.
//! - `experiments/crewed_weapons.toml` has two of its scenarios: priced in all of them it takes
//!   minutes on a slow machine.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// The stand-ins, each a shell script.
const STAND_INS: [(&str, &str); 7] = [
    (
        "enfilade",
        "if [ \"$1\" = studio ]; then
             \"$REAL\" \"$@\" --no-browser >\"$SAID\" & server=$!
             for _ in $(seq 600); do grep -q Ctrl-C \"$SAID\" && break; sleep 0.1; done
             kill -INT $server && wait $server && exec grep -q 'http://127.0.0.1:' \"$SAID\"
         fi
         exec \"$REAL\" \"$@\"",
    ),
    (
        "cargo",
        "case \"$*\" in
             'run --release -- '*) shift 3; exec enfilade \"$@\" ;;
             'run --release --example '*) test -d \"$CHECKOUT/examples/$4\" || test -f \"$CHECKOUT/examples/$4.rs\" ;;
             'install --path .') grep -qx 'name = \"enfilade\"' \"$CHECKOUT/Cargo.toml\" ;;
             'test --release') ;;
             *) echo \"no stand-in for cargo $*\" >&2; exit 1 ;;
         esac",
    ),
    ("pip", "test \"$1\" = install"),
    ("dask", "test \"$1\" = scheduler -o \"$1\" = worker"),
    ("aws", "test \"$1 $2\" = 's3 cp' && test -s \"$3\" && test -n \"${4##*/}\""),
    ("python", "test -s \"$1\" && enfilade sweep shard plan.json 0 --parts parts"),
    ("bash", "exec /bin/bash -n \"$1\""),
];

/// A grid of a reader's own, which the page on large ones speaks of.
const DESIGN: &str = "name = \"design\"\n[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = [4, 8, 16]\n\
    drm = { from = -3, to = 3 }\ntarget = { kind = \"squad\", morale = 7 }\n";

/// What a page says, in order.
enum Piece {
    /// A heading.
    Section,
    /// A file that the reader writes.
    File(String, String),
    /// Lines for a shell, and whether they are told to find a fault.
    Shell(String, bool),
}

/// The block that begins here as a piece; `name` is the file that the line above it named.
fn piece(language: &str, block: &[&str], name: Option<String>) -> Option<Piece> {
    let text = block.join("\n") + "\n";
    match language {
        "sh" => Some(Piece::Shell(text, false)),
        "console" => {
            let lines = block.iter().filter_map(|line| line.strip_prefix("$ "));
            let lines: Vec<_> = lines.collect();
            assert!(!lines.is_empty(), "a console without a command: {text}");
            Some(Piece::Shell(lines.join("\n"), text.contains('×')))
        }
        "toml" | "rules" => name.map(|name| Piece::File(name, text)),
        _ => None,
    }
}

fn pieces(page: &str) -> Vec<Piece> {
    let (mut pieces, mut name) = (Vec::new(), None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("## ") {
            pieces.push(Piece::Section);
        }
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            pieces.extend(piece(language, &block, name.take()));
        } else if !line.is_empty() {
            let named = line.strip_suffix("`:").and_then(|line| line.rsplit_once('`'));
            name = named.map(|(_, name)| name.to_owned());
        }
    }
    pieces
}

/// A folder as a reader has it, with the stand-ins beside it.
struct Reader {
    folder: TempDir,
    tools: TempDir,
}

impl Reader {
    fn new() -> Reader {
        let (folder, tools) = (TempDir::new().expect("a folder"), TempDir::new().expect("another"));
        for (name, script) in STAND_INS {
            let path = tools.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
            let made = Command::new("chmod").arg("+x").arg(&path).status();
            assert!(made.expect("there is such a command").success());
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["experiments", "rulebooks"] {
            let copied =
                Command::new("cp").arg("-r").arg(own.join(part)).arg(folder.path()).status();
            assert!(copied.expect("there is such a command").success());
        }
        fs::write(folder.path().join("design.toml"), DESIGN).expect("written");
        let long = folder.path().join("experiments/crewed_weapons.toml");
        let text = fs::read_to_string(&long).expect("it is there");
        let short: Vec<&str> = text.split("[[scenario]]").take(3).collect();
        fs::write(long, short.join("[[scenario]]")).expect("written");
        Reader { folder, tools }
    }

    /// Runs lines, and says how they ended and what they told.
    fn run(&self, lines: &str) -> (bool, String) {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.tools.path().display());
        let output = Command::new("/bin/bash")
            .args(["-e", "-o", "pipefail", "-c", lines])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("REAL", env!("CARGO_BIN_EXE_enfilade"))
            .env("CHECKOUT", env!("CARGO_MANIFEST_DIR"))
            .env("SAID", self.tools.path().join("said"))
            .output()
            .expect("there is such a shell");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }
}

/// Runs all lines of a page; `apart`: its sections are ways of their own, each in a fresh folder.
/// How many there were.
fn walked(name: &str, apart: bool) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let page = fs::read_to_string(path).expect("the page is there");
    let (mut reader, mut run) = (Reader::new(), 0);
    for piece in pieces(&page) {
        match piece {
            Piece::Section if apart => reader = Reader::new(),
            Piece::Section => {}
            Piece::File(file, text) => {
                fs::write(reader.folder.path().join(file), text).expect("written");
            }
            Piece::Shell(lines, fault) => {
                if lines.contains("PLAN16") {
                    // A plan of a reader's own, with more than seventeen shards.
                    let plan =
                        "enfilade sweep plan design.toml --cells-per-shard 1 --out plan.json";
                    assert!(reader.run(plan).0);
                }
                let (well, said) = reader.run(&lines);
                assert_eq!(well, !fault, "{name}:\n{lines}\n{said}");
                run += lines.lines().count();
            }
        }
    }
    if page.contains("\nenfilade studio my_game\n") {
        assert!(reader.folder.path().join("my_game").is_dir(), "the studio makes its folder");
    }
    run
}

#[test]
fn every_shell_line_of_the_readme_is_run() {
    let page = include_str!("../../README.md");
    // Where nobody can miss them: before anything else is told, and how to have it without a
    // compiler first.
    let first = [
        "pip install enfilade-*.whl",
        "cargo run --release -- run experiments/ift_odds.toml",
        "cargo test --release",
    ];
    let place = |text: &str| page.find(text).expect("it is there");
    let mut places = first.map(|command| place(&format!("\n{command}\n"))).to_vec();
    places.push(place("## Who it is for"));
    assert!(places.is_sorted(), "{places:?}");
    assert!(walked("README.md", false) >= 7);
}

#[test]
fn every_shell_line_of_the_docs_is_run() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut run = 0;
    for page in fs::read_dir(docs).expect("it is there") {
        let page = page.expect("readable");
        if page.path().is_dir() {
            continue;
        }
        let name = page.file_name().into_string().expect("a name");
        // Grids beyond one machine: every section is another way.
        run += walked(&format!("docs/{name}"), name == "scale.md");
    }
    assert!(run >= 20, "{run}");
}
