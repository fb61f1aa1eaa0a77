//! What the README says works as it stands there.

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

const README: &str = include_str!("../../README.md");

/// The content of the first block of this language.
fn block(language: &str) -> &'static str {
    let (_, rest) = README.split_once(&format!("```{language}\n")).expect("there is such a block");
    rest.split_once("```").expect("it ends").0
}

/// Every command that starts with the name of the program: between backticks, or a line of a block.
fn commands() -> Vec<&'static str> {
    let inline = README.split('`').filter(|text| !text.contains('\n'));
    let lines = README.lines().map(|line| line.trim_start_matches("$ "));
    let all = inline.chain(lines).filter(|text| text.starts_with("enfilade "));
    all.filter(|text| !text.contains('`')).collect()
}

/// Words as a shell takes them apart, for commands with no quotes but double ones.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn every_command_of_the_readme_works() {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("fire.toml"), block("toml")).expect("writable");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut done = Vec::new();
    for command in commands() {
        let command = command.split(" > ").next().expect("there is one");
        let mut words = words(command).into_iter().skip(1);
        let name = words.next().expect("a command");
        // A server, a page for the whole screen, minutes of work, what needs the module of the
        // page, and what no build here can write.
        let elsewhere = ["studio", "bench", "balance", "verify", "page"].contains(&&*name);
        if elsewhere || (name == "table" && !cfg!(feature = "pdf")) {
            continue;
        }
        let words = words.map(|word| match word.strip_prefix("experiments/") {
            Some(file) => own.join("experiments").join(file).to_string_lossy().into_owned(),
            None => word,
        });
        let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
        program.current_dir(folder.path()).arg(&name).args(words).assert().success();
        done.push(name);
    }
    for wanted in ["odds", "run", "explain", "compare", "systems", "dice", "new", "rules", "schema"]
    {
        assert!(done.iter().any(|name| name == wanted), "{wanted}: {done:?}");
    }
}

/// Short enough to be read, and nothing it names is missing.
#[test]
fn the_readme_is_short_and_its_links_lead_somewhere() {
    assert!(README.lines().count() < 200);
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let links = README.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links: Vec<_> = links.filter(|link| !link.starts_with('#')).collect();
    assert!(links.len() > 15);
    for link in links {
        let file = link.split('#').next().expect("there is one");
        assert!(own.join(file).exists(), "{link}");
    }
}
