//! What cards and bars say of outcomes is true, whatever a rulebook shows: the shares are those of
//! one d6, by hand.

use crate::cards::fields;
use crate::desk::Desk;

/// A desk with a rule of one d6, and contests of it.
fn desk(words: &str, rule: &str, contest: &str) -> Desk {
    let desk = Desk::with(&format!(
        "rules = \"one.rules\"\n[[contest]]\nsystem = \"one\"\naction = \"roll\"\n{contest}\n"
    ));
    let body: String = rule.lines().map(|line| format!("    {line}\n")).collect();
    let game = format!(
        "game \"One die\"\n{words}\nfield open: yes/no = yes\naction roll \"one die\":\n    n = d6\n{body}    keep there = open\n"
    );
    desk.write("one.rules", &game);
    desk
}

/// Each line of the card of one cell, with what is printed there, and the legend.
fn card(desk: &Desk) -> (Vec<(String, String)>, String) {
    let run = |format: &str| {
        let asked = ["table", "x.toml", "--exact-only", "--quiet", "--format", format];
        let output = desk.command(&asked).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text is UTF-8")
    };
    let records = fields(&run("csv"));
    let place = |name: &str| {
        records[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("{records:?}"))
    };
    let (line, column, shown) = (place("line"), place("column"), place("shown"));
    let label = |one: &[String]| [line, column].map(|at| one[at].clone()).concat();
    let lines = records[1..].iter().map(|one| (label(one), one[shown].clone()));
    (lines.collect(), run("markdown"))
}

fn lines(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(line, shown)| ((*line).to_owned(), (*shown).to_owned())).collect()
}

/// The words of the legend of the bars, from the top.
fn bars(desk: &Desk) -> Vec<String> {
    let told = desk.run(&["run", "x.toml", "--exact-only", "--out", "out", "--quiet"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let svg = desk.read("out/charts/1-bars.svg");
    let (_, legend) = svg.split_once(">the worst that happens<").unwrap_or_else(|| {
        svg.split_once(">what counts most<").unwrap_or_else(|| panic!("no legend: {svg}"))
    });
    let said = legend.split("</text>").filter_map(|text| text.rsplit_once('>'));
    said.map(|(_, said)| said.trim().to_owned()).filter(|said| !said.is_empty()).collect()
}

const BARS: &str = "open = [true, false]\n[[chart]]\nkind = \"bars\"\nx = \"open\"";

/// Whoever is killed is pinned too, and pinned stands first: killed has no line, and nobody reads
/// that it cannot happen.
#[test]
fn what_is_counted_elsewhere_is_not_called_impossible() {
    let rule = "a = n >= 3\nb = n >= 5\nshow a \"pinned\" harm\nshow b \"killed\" harm";
    let (shown, said) = card(&desk("", rule, ""));
    assert_eq!(shown, lines(&[("pinned", "67"), ("no effect", "33")]));
    assert!(said.contains("Counted only under lines above: killed."), "{said}");
    assert!(!said.contains("cannot happen"), "{said}");
}

/// In the open 5 and 6 deafen, and all of those are pinned; behind a wall 1 deafens, who is not.
#[test]
fn a_cell_in_which_something_is_counted_elsewhere_has_a_sign_of_its_own() {
    let rule = "a = n >= 3\nb = n >= 5 if open else n == 1\nc = n == 6 and open\n\
        show a \"pinned\" harm\nshow b \"deaf\" harm\nshow c \"dazed\" harm\nshow d = n > 6 \"dead\" harm";
    let (shown, said) = card(&desk("", rule, "open = [true, false]"));
    let expected = [
        ("pinned", "67"),
        ("deaf", "·"),
        ("no effect", "33"),
        ("pinned", "67"),
        ("deaf", "17"),
        ("no effect", "17"),
    ];
    assert_eq!(shown, lines(&expected));
    assert!(said.contains("·: happens, and is counted under an earlier line."), "{said}");
    assert!(said.contains("Counted only under lines above: dazed."), "{said}");
    assert!(!said.contains("cannot happen"), "{said}");
}

const RESULT: &str = "words result: retreats \"attacker retreats\", none \"no effect\", pushed \"defender retreats\"";

/// 1 and 2 send the attacker back, 3 does nothing, 4 to 6 send the defender back.
const TABLE: &str = "r = retreats\nif n == 3: r = none\nif n > 3: r = pushed\n";

/// The rest of a list is its first word, and another word may well be called "no effect".
#[test]
fn the_rest_is_called_by_the_first_word() {
    let rule = format!("{TABLE}show r \"result\" harm\nshow n \"the die\"");
    let expected = [("defender retreats", "50"), ("no effect", "17"), ("attacker retreats", "33")];
    assert_eq!(card(&desk(RESULT, &rule, "")).0, lines(&expected));
    let bars = bars(&desk(RESULT, &rule, BARS));
    assert_eq!(bars, ["defender retreats", "no effect", "attacker retreats"]);
}

/// On a 6 a step is lost beside; the list is neither harm nor gain.
#[test]
fn what_is_grey_has_lines_too() {
    let rule = format!("{TABLE}show r \"result\"\nshow lost = (1 if n == 6) \"steps lost\" harm");
    let expected = [
        ("steps lost", "17"),
        ("no effect", "17"),
        ("defender retreats", "33"),
        ("attacker retreats", "33"),
    ];
    let (shown, said) = card(&desk(RESULT, &rule, ""));
    assert_eq!(shown, lines(&expected));
    assert!(said.contains("an outcome counts under the first line that applies"), "{said}");
    let bars = bars(&desk(RESULT, &rule, BARS));
    assert_eq!(bars, ["steps lost", "no effect", "defender retreats", "attacker retreats"]);
}

/// Somebody wins always: 1 and 2 are theirs, 6 is a triumph, and nothing is left over.
#[test]
fn a_gain_is_no_rest() {
    let rule = "show lose = n <= 2 \"he wins\" harm\nshow all = n == 6 \"triumph\" gain\n\
        show win = n > 2 \"we win\" gain";
    let expected = [("he wins", "33"), ("triumph", "17"), ("we win", "50")];
    assert_eq!(card(&desk("", rule, "")).0, lines(&expected));
    // From the worst to the best.
    assert_eq!(bars(&desk("", rule, BARS)), ["he wins", "we win", "triumph"]);
}

/// A count that is never 0 is no event; the rest, in which there is one, is not called nothing.
#[test]
fn a_rest_in_which_something_is_counted_is_not_called_no_effect() {
    let rule = "show hit = n == 6 \"hit\" harm\nshow left = 7 - n \"men left\"";
    assert_eq!(card(&desk("", rule, "")).0, lines(&[("hit", "17"), ("else", "83")]));
    let rule = "show hit = n == 6 \"hit\" harm\nshow near = max(0, n - 4) \"near misses\"";
    let expected = [("hit", "17"), ("near misses", "17"), ("no effect", "67")];
    assert_eq!(card(&desk("", rule, "")).0, lines(&expected));
}

/// A number is above none, whichever is shown first, and so are words: 6 kills, 5 stuns, 3 and 4
/// pin.
#[test]
fn harm_with_a_number_counts_before_harm_without_one() {
    let words = "words mood: calm, stunned, dazed";
    let rule = "mood = calm\nif n >= 5: mood = stunned\nif n == 2: mood = dazed\n\
        show p = n >= 3 \"pinned\" harm\nshow mood \"mood\" harm\nshow k = n == 6 \"killed\" harm 30 \"kill\"";
    let expected = [("kill", "17"), ("pinned", "50"), ("dazed", "17"), ("calm", "17")];
    let (shown, said) = card(&desk(words, rule, ""));
    assert_eq!(shown, lines(&expected));
    assert!(said.contains("Counted only under lines above: stunned."), "{said}");
}

/// Two of the words have a text, the switch has words of its own, and so has a third axis, above
/// its table.
#[test]
fn axes_say_the_texts_of_their_words() {
    let words = "words cover: clear \"in the open\", wall \"behind a wall\"\nfield cover: cover = clear \"cover\"\n\
        field moved: yes/no = no called \"at rest\" or \"moving\" \"the firer\"\n\
        field wind: yes/no = no called \"calm\" or \"in a gale\" \"wind\"";
    let rule = "needed = 4 + (1 if cover is wall) + (1 if moved)\nshow hit = n >= needed and not wind \"hit\" harm";
    let contest = "cover = [\"clear\", \"wall\"]\nmoved = [false, true]\nwind = [false, true]\n\
        [[card]]\nrows = \"cover\"\ncolumns = \"moved\"";
    let (shown, said) = card(&desk(words, rule, contest));
    // 4 to 6, 5 and 6, 5 and 6, 6; in a gale nothing.
    let hits = shown.iter().filter(|(line, _)| line.starts_with("hit")).map(|(_, shown)| &**shown);
    assert_eq!(hits.collect::<Vec<_>>(), ["50", "33", "33", "17", "–", "–", "–", "–"]);
    for text in
        ["| cover | moved | at rest | moving |", "| in the open | hit |", "| behind a wall | hit |"]
    {
        assert!(said.contains(text), "{text}: {said}");
    }
    assert!(said.contains("## calm") && said.contains("## in a gale"), "{said}");
}
