//! What a rulebook does not say: measures and examples are asked for in its place.

use crate::desk::Desk;

/// Two dice against each other: of 36 throws 6 are even and 15 are won by each side; the mean of a
/// die is 3.5.
const GAME: &str = r#"
game "Silence"
words who: nobody, mine "ours" , theirs
record side:
    field bonus: 0..3
field ours: side
field plus: 2..9
field reach: short or long
action clash:
    a = d6
    b = d6
    winner = nobody
    if a > b: winner = mine
    if b > a: winner = theirs
    if reach is long and plus + ours.bonus > 99: winner = nobody
    show winner  "who wins"
    show pips = a  "pips"
    show even = a == b
"#;

/// Somebody who wrote neither an example nor a measure finds columns in a grid, a file that runs,
/// and a contest that is verified.
#[test]
fn nothing_is_empty_for_want_of_a_measure_or_an_example() {
    let desk = Desk::with("");
    desk.write("silence.rules", GAME);
    let run = |arguments: &[&str]| {
        let told = desk.run(&[arguments, &["--rules", "silence.rules"]].concat());
        assert_eq!(told.code, Some(0), "{told:?}");
        told.out + &told.err
    };
    let grid = run(&[
        "odds",
        "silence",
        "clash",
        "plus=2..3",
        "reach=long",
        "ours.bonus=1",
        "--exact-only",
    ]);
    assert!(grid.contains("┆ ours %") && grid.contains("41.67"), "{grid}");
    assert!(run(&["systems", "silence", "clash"]).contains("p_winner_theirs"));
    assert!(run(&["verify"]).contains("1 of 1 contests agree"));
    run(&["new", "silence", "clash"]);
    let told = desk.run(&["odds", "silence-clash.toml", "--exact-only"]);
    // One is a number: three pips are not "pips".
    assert!(told.code == Some(0) && told.out.contains("pips: 1"), "{told:?}");
    let checked = desk.run(&["rules", "check", "silence.rules"]);
    assert!(checked.out.contains("0 examples") && checked.out.contains("sample 1"), "{checked:?}");
}

/// A file to start from names its rulebook from its own folder, and what is said to be typed next
/// runs.
#[test]
fn a_file_to_start_from_names_its_rulebook_from_its_own_folder() {
    let desk = Desk::with("");
    desk.write("games/silence.rules", GAME);
    desk.write("here/note.txt", "");
    let run = |folder: &str, arguments: &[&str]| {
        let mut command = desk.command(arguments);
        let told = command.current_dir(desk.path(folder)).output().expect("it starts");
        let text = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(told.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&told.stderr));
        text
    };
    let beside = ["--rules", "../games/silence.rules"];
    let said = run("here", &[&["systems", "silence", "clash"], &beside[..]].concat());
    assert!(said.contains("`enfilade new silence clash --rules ../games/silence.rules`"), "{said}");
    run("here", &[&["new", "silence", "clash"], &beside[..]].concat());
    assert!(desk.read("here/silence-clash.toml").contains("rules = \"../games/silence.rules\""));
    run("here", &["odds", "silence-clash.toml", "--exact-only"]);
    // Beside the rulebook it is its name alone, wherever the command is given.
    run(".", &["new", "silence", "clash", "games/x.toml", "--rules", "games/silence.rules"]);
    assert!(desk.read("games/x.toml").contains("rules = \"silence.rules\""));
    run(".", &["odds", "games/x.toml", "--exact-only"]);
}

/// Two shows of one list say whose the word is, and where all is well it has the rulebook's own
/// word.
#[test]
fn words_of_two_say_whose_they_are() {
    let desk = Desk::with("");
    let text = "words state: steady, shaken\naction test:\n    ours = shaken if d6 is 1 else steady\n    \
                theirs = shaken if d6 <= 2 else steady\n    show ours \"our side\" harm\n    \
                show theirs \"their side\" harm\n";
    desk.write("two.rules", text);
    let told = desk.run(&["odds", "two", "test", "--rules", "two.rules", "--exact-only"]);
    // Of 36 throws 20 leave both steady, 4 shake us alone, 10 them alone, 2 both.
    for said in [
        "our side: steady, their side: steady ┆ 55.56",
        "our side: shaken ┆ 11.11",
        "their side: shaken ┆ 27.78",
        "our side: shaken, their side: shaken ┆ 5.56",
    ] {
        assert!(told.out.contains(said), "{said}\n{}", told.out);
    }
    desk.write("one.rules", &text.replace("    show theirs \"their side\" harm\n", ""));
    let told = desk.run(&["odds", "one", "test", "--rules", "one.rules", "--exact-only"]);
    assert!(
        told.out.contains("│ steady ┆ 83.33") && told.out.contains("│ shaken ┆ 16.67"),
        "{}",
        told.out
    );
}

/// Two columns of one name would be one number in every table that is read back.
#[test]
fn no_two_columns_have_one_name() {
    let text = "words w: none, b\naction x:\n    a = b if d6 is 1 else none\n    show a\n    show a_b = a is b\n";
    let desk = Desk::with("");
    for (name, column) in [("a_b", "a_b"), ("a_none", "a_none")] {
        desk.write("two.rules", &text.replace("a_b", name));
        let told = desk.run(&["rules", "check", "two.rules"]);
        let said = format!("`{name}` and `a` both have a column `{column}`");
        assert!(told.code == Some(2) && told.err.contains(&said), "{told:?}");
    }
    desk.write("two.rules", &text.replace("show a_b", "keep a_b"));
    assert_eq!(desk.run(&["rules", "check", "two.rules"]).code, Some(0));
}

/// The plainest contest of a battle has more states than a graph: that is told, and the others are
/// compared.
#[test]
fn a_sample_too_large_for_a_graph_stops_no_other() {
    let text = "field men: 1..90 = 90\naction fight:\n    a = men\n    b = men\n    c = men\n    for i in 1..men:\n        \
                if d6 is 1: a = a - 1 at least 0\n        if d6 is 1: b = b - 1 at least 0\n        \
                if d6 is 1: c = c - 1 at least 0\n    show a\n    show b\n    show c\naction roll:\n    \
                x = d6\n    show x\n";
    let desk = Desk::with("");
    desk.write("huge.rules", text);
    let told = desk.run(&["verify", "--rules", "huge.rules", "--trials", "10000"]);
    assert!(told.code == Some(0) && told.out.contains("1 of 1 contests agree"), "{told:?}");
    assert!(told.out.contains("Left out") && told.out.contains("huge fight, sample 1"), "{told:?}");
}
