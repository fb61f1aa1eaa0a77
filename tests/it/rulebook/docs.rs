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
    for name in ["rulebooks.md", "rule_reference.md", "rulebook_grammar.md", "first_game.md"] {
        for block in blocks(&page(name), "rules") {
            if block.contains("extends") {
                continue;
            }
            let read =
                rulebook::read_without_built_in_base("bridgehead", name, &block, &nothing_near);
            assert!(read.is_ok(), "{name}: {:?}\n{block}", read.err());
        }
    }
}

/// The game of the tutorial grows from three lines to thirty.
#[test]
fn the_game_of_the_tutorial_grows() {
    let games = blocks(&page("rulebooks.md"), "rules");
    let lines = [0, 1, 2, 3].map(|step: usize| games[step].lines().count());
    assert!(lines[0] == 3 && lines.is_sorted() && lines[3] >= 30, "{lines:?}");
}

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

/// The game of the reference with the lines of one example in their places.
fn with_example(game: &str, lines: &[String]) -> String {
    const TOP: [&str; 17] = [
        "field", "words", "data", "table", "record", "part", "check", "remark", "marks", "group",
        "reading", "left", "absent", "price", "example", "action", "die",
    ];
    let (mut top, mut body, mut report) = (String::new(), String::new(), String::new());
    let mut place = 1;
    for line in lines {
        if !line.starts_with(' ') {
            let word = line.split(' ').next().expect("a line has a word");
            let reports = ["show", "keep", "measure", "carry"].contains(&word);
            place = if TOP.contains(&word) { 0 } else { 1 + usize::from(reports) };
        }
        let indent = if place == 0 { "" } else { "    " };
        *[&mut top, &mut body, &mut report][place] += &format!("{indent}{line}\n");
    }
    let (head, rest) = game.split_once("action play:\n").expect("the action of the reference");
    let (start, rest) = rest.split_once("    show x\n").expect("what it shows");
    let (kept, examples) = rest.split_once("example play:").expect("its example");
    format!(
        "{head}{top}action play:\n{start}{body}    show x\n{kept}{report}example play:{examples}"
    )
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

/// Every piece of a game compiles, alone and in the first game, and shows something.
#[test]
fn every_snippet_compiles() {
    let page = page("snippets.md");
    let pieces = blocks(&page, "rules");
    assert_eq!(pieces.len(), 8, "{page}");
    let first = std::fs::read_to_string(folder().join("bridgehead.rules")).expect("readable");
    let alone = "game \"Alone\"\nfield size: 1..3 = 2\naction play:\n    x = size\n    show x\n\
        example play:\n    size = 1\n";
    // In the first game the place of `x` is that of what it shows first.
    let within = first.replace("action fire ", "action play ");
    let within =
        within.replacen("example fire \"riflemen at men in the open\":", "example play:", 1);
    let within = within.replace("example fire ", "example play ");
    let within = within.replacen(
        "action play \"one volley of four shooters\":\n",
        "action play:\n    x = 0\n",
        1,
    );
    let within = within.replacen("    show mood  ", "    show x\n    show mood  ", 1);
    for piece in pieces {
        let lines: Vec<String> = piece.lines().map(str::to_owned).collect();
        for game in [alone, &within] {
            let text = with_example(game, &lines);
            let read = rulebook::read_without_built_in_base("s", "s.rules", &text, &nothing_near);
            let rulebook = read.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
            assert!(rulebook.warnings.is_empty(), "{:?}\n{text}", rulebook.warnings);
            let shown = piece.lines().filter(|line| line.starts_with("show ")).count();
            assert!(shown > 0, "{piece}");
        }
    }
}

/// Every row of the reference that has an example is played: the mean of its `x` is the printed
/// one.
#[test]
fn every_example_of_the_reference_is_played() {
    let page = page("rule_reference.md");
    let game = blocks(&page, "rules").remove(0);
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

/// The commands of a page, one after another in a fresh folder: each prints what the page prints,
/// and each file that the page writes is there. Returns the number of commands.
fn walk_page(name: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(name);
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
