//! What is written about rulebook files holds: every block of the pages loads, and the files that
//! ship use the whole language.

use enfilade_rules as rulebook;
use enfilade_testkit::doc_pages::{code_blocks, with_example};
use enfilade_testkit::source_files::{read_page, repository_folder};

fn nothing_near(name: &str) -> Result<String, String> {
    Err(format!("{name} is not read here"))
}

#[test]
fn rulebooks_on_the_pages_load() {
    for name in ["rulebooks.md", "rule_reference.md", "rulebook_grammar.md", "first_game.md"] {
        for block in code_blocks(&read_page(name), "rules") {
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
    let games = code_blocks(&read_page("rulebooks.md"), "rules");
    let lines = [0, 1, 2, 3].map(|step: usize| games[step].lines().count());
    assert!(lines[0] == 3 && lines.is_sorted() && lines[3] >= 30, "{lines:?}");
}

/// Every piece of a game compiles, alone and in the first game, and shows something.
#[test]
fn every_snippet_compiles() {
    let page = read_page("snippets.md");
    let pieces = code_blocks(&page, "rules");
    assert_eq!(pieces.len(), 8, "{page}");
    let first = std::fs::read_to_string(repository_folder().join("rulebooks/bridgehead.rules"))
        .expect("readable");
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

/// Every example that a table of the page gives in code is read somewhere: the files that ship use
/// every construct of the language.
#[test]
fn the_files_that_ship_use_the_whole_language() {
    let mut all = String::new();
    for file in
        std::fs::read_dir(repository_folder().join("rulebooks")).expect("the folder is there")
    {
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
