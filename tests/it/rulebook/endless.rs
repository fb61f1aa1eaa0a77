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
    assert_eq!((&row["unsettled"], &row["agrees"]), (&0.5.into(), &true.into()));
    assert_eq!(measure(row, "p_heads")["exact"], 0.5);
    for name in ["e_turns", "e_won"] {
        let found = measure(row, name);
        assert!(found["exact"].is_null() && found["simulated"].is_null(), "{found}");
    }
    let told = desk.run(&["odds", "coin", "toss", "--rules", "coin.rules", "--exact-only"]);
    assert!(told.out.contains("Exact as far as it is over"), "{}", told.out);
    assert!(
        told.out.replace('\n', " ").contains("or never: up to 50.00 % (exact)"),
        "{}",
        told.out
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
        (&row["unsettled"], measure(row, "p_win")["exact"].to_string()),
        (&1.0.into(), "0.0".into())
    );
}

#[test]
fn nothing_is_compared_for_ever() {
    let desk = desk();
    desk.write("both.rules", &format!("{COIN}action roll:\n    x = d6\n    show x\n"));
    let told = desk.run(&["verify", "--rules", "both.rules", "--trials", "10000"]);
    assert!(told.code == Some(0) && told.out.contains("1 of 1 contests agree"), "{}", told.out);
    assert!(
        told.out.contains("it may go on for ever, or nearly: both toss, sample 1"),
        "{}",
        told.out
    );
    let told = desk.run(&["rules", "check", "coin.rules"]);
    assert!(told.out.contains("it may never end"), "{}", told.out);
    desk.write(
        "never.rules",
        "action a:\n    x = 0\n    repeat:\n        x = d6\n        if x is 7: stop\n    show x\n",
    );
    let told = desk.run(&["rules", "check", "never.rules"]);
    assert!(told.out.contains("it never ends"), "{}{}", told.out, told.err);
}
