//! What is written about rulebook files holds: every block of the pages loads, every command of the
//! first game says what the page says it does.

use std::path::Path;

use enfilade::rulebook;

use super::shipped::folder;

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    std::fs::read_to_string(path).expect("the page is there")
}

/// The blocks of a page between fences of this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let (mut blocks, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(said)) => open = (said == language).then(String::new).or(Some("\0".into())),
            (Some(block), Some(_)) => {
                if !block.starts_with('\0') {
                    blocks.push(block.clone());
                }
                open = None;
            }
            (Some(block), None) => *block += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

fn nothing_near(name: &str) -> Result<String, String> {
    Err(format!("{name} is not read here"))
}

#[test]
fn rulebooks_on_the_pages_load() {
    for name in ["rulebooks.md", "rulebook_grammar.md", "first_game.md"] {
        for block in blocks(&page(name), "rules") {
            if block.contains("extends") {
                continue;
            }
            let read = rulebook::read("bridgehead", name, &block, &nothing_near);
            assert!(read.is_ok(), "{name}: {:?}\n{block}", read.err());
        }
    }
    assert_eq!(blocks(&page("rulebooks.md"), "rules").len(), 1);
}

/// The page fits two printed sides.
#[test]
fn the_page_for_designers_is_short() {
    assert!(page("rulebooks.md").lines().count() <= 120);
}

#[test]
fn the_contest_on_the_page_is_an_experiment() {
    let game = blocks(&page("rulebooks.md"), "rules").remove(0);
    let contest = blocks(&page("rulebooks.md"), "toml").remove(0);
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("bridgehead.rules");
    std::fs::write(&rules, game).expect("written");
    let experiment = folder.path().join("bridgehead.toml");
    std::fs::write(&experiment, contest).expect("written");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_enfilade"))
        .args(["odds", "--exact-only"])
        .arg(&experiment)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
}

/// Every example that a table of the page gives in code is read somewhere: the files that ship use
/// every construct of the language.
#[test]
fn the_files_that_ship_use_the_whole_language() {
    let mut all = String::new();
    for file in std::fs::read_dir(folder()).expect("the folder is there") {
        let path = file.expect("readable").path();
        all += &std::fs::read_to_string(path).expect("readable");
    }
    let constructs = [
        " high 1",
        " reroll 1",
        "again on 6 up to 1",
        "d66",
        "choose for highest",
        "tally ",
        "pick ",
        "by random",
        "by lowest",
        "by highest",
        "match ",
        "repeat:",
        "down to",
        "each ",
        "bag of ",
        " optional",
        "given(",
        "check ",
        "remark ",
        "marks ",
        "column ",
        " from \"",
        "extends ",
        "change data",
        "change field",
        "change table",
        "change action",
        "cell ",
        "part ",
        "changes ",
        "step(",
        "length(",
        "sum(",
        "count(",
        "note ",
        "keep ",
        " when ",
        "named ",
        "reading ",
        "absent ",
        "left out ",
        "rare",
        "assumed",
        "harm",
        "gain",
        "record ",
        "words ",
        "group ",
        "example ",
        "end\n",
        "stop\n",
        "up(",
        "max(",
        "one of ",
        "unit ",
        "called ",
        "headline",
        "finishing",
        "harm 80 ",
        "question ",
        "direction ",
        "off table ",
        "\"no\"",
        "yes/no",
    ];
    for construct in constructs {
        assert!(all.contains(construct), "no file that ships uses `{construct}`");
    }
}

/// The commands of the first game, one after another in a fresh folder: each says what the page says
/// it says, and each file that the page writes is there.
#[test]
fn the_first_game_is_as_it_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page("first_game.md");
    let mut last_file = String::new();
    let mut commands = 0;
    for step in steps(&page) {
        match step {
            Step::File(name) => last_file = name,
            Step::Text(text) => {
                std::fs::write(folder.path().join(&last_file), text).expect("written");
            }
            Step::Console(text) => {
                let (command, told) = text.split_once('\n').unwrap_or((&text, ""));
                let said = run(folder.path(), command);
                assert_eq!(plain(&said), plain(told), "{command}\n{said}");
                commands += 1;
            }
        }
    }
    assert!(commands >= 5);
}

enum Step {
    /// The file that the next block is.
    File(String),
    Text(String),
    Console(String),
}

/// Blocks in order; a paragraph that ends in "`name`:" names the file of the next one.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_suffix("`:").and_then(|line| line.rsplit_once('`')) {
            steps.push(Step::File(name.1.to_owned()));
        }
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = block.join("\n") + "\n";
            match language {
                "console" => {
                    let command = block.strip_prefix("$ ").expect("a console block is a command");
                    steps.push(Step::Console(command.to_owned()));
                }
                "rules" | "toml" => steps.push(Step::Text(block)),
                _ => {}
            }
        }
    }
    steps
}

fn run(folder: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("enfilade"), "{command}");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_enfilade"))
        .args(words)
        .current_dir(folder)
        .env("COLUMNS", "80")
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Lines without what differs from machine to machine: times, and blanks at the ends.
fn plain(text: &str) -> Vec<String> {
    let timed = |line: &&str| !line.contains(" s ") && !line.ends_with(" s");
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.filter(timed).map(str::to_owned).collect()
}

#[test]
fn experiments_of_our_own_games_ask_and_predict() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    for name in ["salvage_crews", "line_of_battle", "line_of_battle_steam", "champions"] {
        let path = experiments.join(format!("{name}.toml"));
        let text = std::fs::read_to_string(&path).expect("the experiment is there");
        assert!(text.contains("question = ") && text.contains("prediction = "), "{name}");
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_enfilade"))
            .args(["odds", "--exact-only"])
            .arg(&path)
            .output()
            .expect("the program starts");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    }
}
