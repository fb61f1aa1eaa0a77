//! Rows of data by their number, in the order of the file.

use crate::texts::{combat, exact, faults, odds, read};
use enfilade_engine::graph::CompiledContestLimits;
use enfilade_engine::odds::Odds;
use enfilade_model::form::Form;

const ARMS: &str = "game \"Arms\"
data arms:
    name    power  range
    knife   1      1
    bow     3      9
    cannon  7      20
field arm: one of arms = bow
action a:
";

fn mean(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    exact(&odds(&format!("{ARMS}{lines}    show x\n    measure m = mean(x)\n"), ""), "m")
}

#[test]
fn a_row_by_its_number() {
    assert_eq!(mean("x = arms[3].power + arm.power"), "10/1");
    assert_eq!(mean("i = d3\nx = arms[i].power"), "11/3");
    assert_eq!(mean("x = length(arms)"), "3/1");
    assert_eq!(mean("x = 0\nfor i in 1..length(arms): x += arms[i].range"), "30/1");
}

#[test]
fn every_row_in_order() {
    assert_eq!(mean("x = 0\neach w in arms: x = 10 * x + w.power"), "137/1");
    assert_eq!(mean("x = sum(w.power for w in arms where w.range > 1)"), "10/1");
    assert_eq!(mean("x = count(w in arms where w.power < 5)"), "2/1");
    assert_eq!(mean("x = 0\neach w in arms where w is bow: x = w.range"), "9/1");
    // In a part, and in an order that the dice decide.
    let part = "part best():
    most = 0
    each w in arms: most = max(most, w.power)
    give most
";
    let text = ARMS.replace("action", &format!("{part}action"))
        + "    x = best()\n    show x\n    measure m = mean(x)\n";
    assert_eq!(exact(&odds(&text, ""), "m"), "7/1");
}

/// A contest changes a cell, and its neighbours stay.
#[test]
fn changed_cells_are_read() {
    let text =
        format!("{ARMS}    i = d3\n    x = arms[i].power\n    show x\n    measure m = mean(x)\n");
    let changed = "[change.arms.cannon]\npower = 10\n";
    // Contests of one rulebook share programs where they are alike.
    let book = read(&text).expect("it is in order");
    let action = &book.system.actions[0];
    for (contest, expected) in [("", "11/3"), (changed, "14/3"), ("", "11/3")] {
        let table = contest.parse::<toml::Table>().expect("a table");
        let form = Form::from_table_with_defaults(&action.fields, &table).expect("a contest");
        let played = action.build_contest(&form).expect("it can be played");
        let odds =
            Odds::compile(played.combat, CompiledContestLimits::default()).expect("it is small");
        assert_eq!(exact(&odds, "m"), expected);
    }
}

#[test]
fn a_row_that_there_is_not() {
    let text = |lines: &str| format!("{ARMS}{lines}    show x\n");
    let found = faults(&text("    x = arms[4].power\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.contains("4"), "{found:?}");
    let failed = Odds::compile(
        combat(&text("    i = d4\n    x = arms[i].power\n"), ""),
        CompiledContestLimits::default(),
    );
    assert!(failed.is_err());
    // Where no rule is played, data is no value.
    let found =
        faults(&text("    x = 1\n").replace("action", "check length(arms) > 2 \"few\"\naction"));
    assert!(found[0].0.contains("one of"), "{found:?}");
}
