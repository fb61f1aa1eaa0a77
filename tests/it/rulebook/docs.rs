//! What is written about rulebook files holds: every example of the reference is played, every
//! command of the first game says what the page says it does. That the blocks of the pages load is
//! tested in the crate of the language.

use std::path::Path;

use enfilade_testkit::doc_pages::{code_blocks, with_example};
use enfilade_testkit::source_files::read_page;

/// A row of the reference: its construct, the lines of its example, and the mean of `x`.
struct ReferenceRow {
    construct: String,
    lines: Vec<String>,
    mean: String,
}

/// The rows of the reference that have an example.
fn reference_rows(page: &str) -> Vec<ReferenceRow> {
    let mut rows = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |")) {
        let line = line.replace("\\|", "\0");
        let cells: Vec<&str> = line[1..line.len() - 1].split('|').map(str::trim).collect();
        let [construct, _, example, mean] = cells[..] else { panic!("four columns: {line}") };
        if example.starts_with('`') {
            let lines = example.split("<br>").map(|code| {
                let code = code.strip_prefix('`').and_then(|code| code.strip_suffix('`'));
                code.unwrap_or_else(|| panic!("every line is code: {line}")).replace('\0', "|")
            });
            let (construct, mean) = (construct.to_owned(), mean.to_owned());
            rows.push(ReferenceRow { construct, lines: lines.collect(), mean });
        }
    }
    rows
}

/// The exact mean of `x`, as a fraction.
fn mean_of_x(folder: &Path) -> String {
    let told = run(folder, "enfilade odds r.toml --exact-only --fractions --quiet --format json");
    let json: serde_json::Value =
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"));
    let outcomes = json["contests"][0]["outcomes"].as_array().expect("outcomes").iter();
    let mean = outcomes.fold((0, 1), |(above, below), outcome| {
        let chance = outcome["fraction"].as_str().expect("a fraction");
        let (a, b) = chance.split_once('/').unwrap_or((chance, "1"));
        let [a, b]: [i64; 2] = [a, b].map(|number| number.parse().expect("a number"));
        let x = outcome["outcome"]["x"].as_i64().expect("a whole number");
        let (above, below) = (above * b + x * a * below, below * b);
        let divisor = greatest_divisor(above, below);
        (above / divisor, below / divisor)
    });
    match mean {
        (whole, 1) => whole.to_string(),
        (above, below) => format!("{above}/{below}"),
    }
}

/// The greatest common divisor (Euclid); at least 1 for numbers that are not both 0.
fn greatest_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { greatest_divisor(b, a % b) }
}

/// Every row of the reference that has an example is played: the mean of its `x` is the printed
/// one.
#[test]
fn every_example_of_the_reference_is_played() {
    let page = read_page("rule_reference.md");
    let game = code_blocks(&page, "rules").remove(0);
    let folder = tempfile::tempdir().expect("a folder");
    let contest = "rules = 'r.rules'\n[[contest]]\nsystem = 'r'\naction = 'play'\n\
        [[contest.target]]\ncount = 3\n[[contest.target]]\nsize = 5\n";
    std::fs::write(folder.path().join("r.toml"), contest).expect("written");
    let rows = reference_rows(&page);
    assert!(rows.len() >= 80, "{}", rows.len());
    for ReferenceRow { construct, lines, mean } in rows {
        let text = with_example(&game, &lines);
        std::fs::write(folder.path().join("r.rules"), &text).expect("written");
        assert_eq!(mean_of_x(folder.path()), mean, "{construct}\n{text}");
    }
}

/// The commands of a page, one after another in a fresh folder: each prints what the page prints,
/// and each file that the page writes is there. Returns the number of commands.
fn walk_page(name: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let page = read_page(name);
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
    commands
}

#[test]
fn commands_of_the_first_game_print_what_the_page_prints() {
    assert!(walk_page("first_game.md") >= 5);
}

#[test]
fn commands_of_the_tutorial_print_what_the_page_prints() {
    assert!(walk_page("rulebooks.md") >= 10);
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

/// Experiments of the games that are our own.
const GAMES: [&str; 10] = [
    "salvage_crews",
    "line_of_battle",
    "line_of_battle_steam",
    "champions",
    "race",
    "raid",
    "salvage",
    "press_your_luck",
    "order_deck",
    "symbol_dice",
];

#[test]
fn experiments_of_our_own_games_ask_and_predict() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    for name in GAMES {
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
