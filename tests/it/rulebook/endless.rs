//! Rules that may go on for ever: what is said of them is true, and nothing hangs.

use crate::desk::{Desk, Told};

/// A coin: heads ends it, tails comes into a loop that no die leads out of.
const COIN: &str = "game \"Coin\"\naction toss:\n    heads = d2 is 1\n    if not heads:\n        repeat:\n            \
    tally turns\n            if d6 is 7: stop\n    show heads\n    show won = 3 if heads else 1\n    measure p_heads = chance(heads)\n    \
    measure e_turns = mean(turns)\n    measure e_won = mean(won)\n";

/// Two who strike until one is hit twice; on 7 or more nobody is.
const DUEL: &str = "game \"Duel\"\nfield mine: 2..7 = 4\nfield his: 2..7 = 7\naction duel:\n    me = 2\n    he = 2\n    \
    repeat:\n        tally blows\n        if d6 >= mine: he -= 1\n        if he == 0: stop\n        \
    if d6 >= his: me -= 1\n        if me == 0: stop\n    show win = he == 0\n    measure p_win = chance(win)\n    \
    measure e_blows = mean(blows)\n";

fn desk() -> Desk {
    let desk = Desk::with("");
    desk.write("coin.rules", COIN);
    desk.write("duel.rules", DUEL);
    desk
}

fn rows(desk: &Desk, arguments: &[&str]) -> Vec<serde_json::Value> {
    let Told { out, err, code, .. } =
        desk.run(&[&["odds"], arguments, &["--format", "jsonl"]].concat());
    assert_eq!(code, Some(0), "{err}");
    out.lines().map(|line| serde_json::from_str(line).expect("json")).collect()
}

fn measure(row: &serde_json::Value, name: &str) -> serde_json::Value {
    let measures = row["measures"].as_array().expect("measures");
    let found = measures.iter().find(|measure| measure["name"] == name);
    found.expect("it is measured").clone()
}

/// Half of it is over at once and the other half never: the chance is known, no mean is.
#[test]
fn what_never_ends_has_chances_and_no_mean() {
    let desk = desk();
    let row = &rows(&desk, &["coin", "toss", "--rules", "coin.rules", "--trials", "100000"])[0];
    assert_eq!((&row["unsettled"], &row["never"]), (&0.0.into(), &0.5.into()));
    assert_eq!(row["agrees"], true);
    assert_eq!(measure(row, "p_heads")["exact"], 0.5);
    for name in ["e_turns", "e_won"] {
        let found = measure(row, name);
        assert!(found["exact"].is_null() && found["simulated"].is_null(), "{found}");
    }
    let told = desk.run(&["odds", "coin", "toss", "--rules", "coin.rules", "--exact-only"]);
    assert!(told.out.contains("Exact; nothing was simulated"), "{}", told.out);
    let told = told.out.replace('\n', " ");
    assert!(
        told.contains(
            "Never ends: 50.00 % (exact); there is no mean of how it ends, but one `given ends`."
        ),
        "{told}"
    );
}

/// Two hits at one in two each take four blows, and come in the end.
#[test]
fn what_surely_ends_is_certain() {
    let row = &rows(&desk(), &["duel", "duel", "--rules", "duel.rules", "--exact-only"])[0];
    assert_eq!(measure(row, "p_win")["exact"], 1.0);
    let blows = measure(row, "e_blows")["exact"].as_f64().expect("a mean");
    assert!((blows - 4.0).abs() < 1e-12, "{blows}");
    let row = &rows(&desk(), &["duel", "duel", "mine=7", "--rules", "duel.rules"])[0];
    assert_eq!(
        (&row["never"], measure(row, "p_win")["exact"].to_string()),
        (&1.0.into(), "0.0".into())
    );
}

/// A raid as a designer writes it: home ends with the load, a dive rolls d8.
const SALVAGE: &str = "game \"Salvage\"\nfield boats: 1..3 = 1\nfield most: 5..60 = 12\naction raid:\n    load = 0\n    \
    left = boats\n    repeat:\n        choose for highest got:\n            option \"home\": stop\n            \
    option \"dive\":\n                face = d8\n                if face is 1:\n                    \
    load = load / 2\n                    left -= 1\n                    if left == 0: stop\n                \
    else:\n                    if face is 8: left = min(left + 1, boats)\n                    \
    else: load = min(load + face, most)\n    show got = load\n    measure e_got = mean(got)\n";

/// By value iteration and in fractions, reckoned outside the program.
#[test]
fn players_decide_in_a_loop_without_end() {
    let desk = desk();
    desk.write("salvage.rules", SALVAGE);
    let asked =
        ["salvage", "raid", "--rules", "salvage.rules", "--trials", "100000", "--fractions"];
    let row = &rows(&desk, &asked)[0];
    assert_eq!(measure(row, "e_got")["fraction"], "137168/16807");
    assert_eq!(row["agrees"], true);
    let asked =
        ["salvage", "raid", "boats=3", "most=40", "--rules", "salvage.rules", "--exact-only"];
    let mean = measure(&rows(&desk, &asked)[0], "e_got")["exact"].as_f64().expect("a mean");
    assert!((mean - 32.469_323_244_940_24).abs() < 1e-10, "{mean}");
    let told = desk.run(&["verify", "--rules", "salvage.rules", "--trials", "20000"]);
    assert!(told.code == Some(0) && told.out.contains("1 of 1 contests agree"), "{}", told.out);
    assert!(told.out.contains("best play in 1 contest: compared with value iteration"));
    // Choices that the other player does not see.
    desk.write("raid.rules", include_str!("../../../rulebooks/raid.rules"));
    let told = desk.run(&["verify", "--rules", "raid.rules", "--trials", "20000"]);
    assert!(
        told.code == Some(0) && told.out.contains("; hidden choices with the best reply"),
        "{told:?}"
    );
}

/// Two shoot in turn, each hits in one of two: the first wins in 2 of 3, and of those in 3 of 4 in
/// the first round, in 3 of 16 in the second.
#[test]
fn a_tally_alone_has_its_law_under_a_condition() {
    let desk = desk();
    desk.write(
        "duel.rules",
        "game \"Duel\"\naction duel:\n    won = no\n    repeat:\n        tally rounds\n        if d2 == 1:\n            \
         won = yes\n            stop\n        if d2 == 1: stop\n    show won\n    \
         measure p_won = chance(won)\n    measure typical = median(rounds given won)\n",
    );
    let asked =
        |more: &[&str]| desk.run(&[&["odds", "duel.rules", "duel", "--exact-only"], more].concat());
    let told = asked(&["--law", "rounds", "--given", "won"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    for row in ["rounds ┆ exact % ┆ at most %", "1 ┆ 75.00 ┆ 75.00", "2 ┆ 18.75 ┆ 93.75"]
    {
        assert!(told.out.contains(&format!("│ {row} │")), "{row}: {}", told.out);
    }
    // Of all trials the first round ends 3 of 4 too.
    assert!(asked(&["--law", "rounds"]).out.contains("75.00"));
    asked(&["--law", "round"]).refused(2, "did you mean `rounds`?");
    asked(&["--law", "won", "--given", "wno"]).refused(2, "did you mean `won`?");
}

#[test]
fn nothing_is_compared_for_ever() {
    let desk = desk();
    desk.write("both.rules", &format!("{COIN}action roll:\n    x = d6\n    show x\n"));
    let told = desk.run(&["verify", "--rules", "both.rules", "--trials", "10000"]);
    assert!(told.code == Some(0) && told.out.contains("2 of 2 contests agree"), "{}", told.out);
    let told = desk.run(&["rules", "check", "coin.rules"]);
    assert!(told.out.contains("it may never end"), "{}", told.out);
    desk.write(
        "never.rules",
        "action a:\n    x = 0\n    repeat:\n        x = d6\n        if x is 7: stop\n    show x\n",
    );
    let told = desk.run(&["rules", "check", "never.rules"]);
    assert!(told.out.contains("it never ends"), "{}{}", told.out, told.err);
}
