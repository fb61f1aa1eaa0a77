//! Comparisons of chances that are equal to a bound by the rules, and searches that keep nothing.
//!
//! What is expected is counted here: ways of dice as whole numbers, held against fractions by cross
//! multiplication.

use serde_json::Value as Json;

use crate::desk::{Desk, Told};

/// Eleven dice against a total, and loads that a check of the rulebook limits.
pub const RULES: &str = r#"game "Ties"
field least: 2..66 = 39
field many: 1..11 = 11
field men: 1..9 = 1
field tons: 1..60 = 10
check tons + men <= 40 "{tons} tons and {men} men are more than 40"
action roll "a roll":
    x = (many) d6
    hit = x >= least
    load = men + tons
    show hit "it hits"
    show load "the load"
    measure p_hit = chance(hit) "hit"
"#;

/// Ways of `count` six-sided dice to show at least `least`, and all ways.
fn ways(count: u32, least: u32) -> (u64, u64) {
    let mut sums = vec![1u64];
    for _ in 0..count {
        let mut next = vec![0; sums.len() + 6];
        for (sum, ways) in sums.iter().enumerate() {
            (1..=6).for_each(|face| next[sum + face] += ways);
        }
        sums = next;
    }
    (sums[least as usize..].iter().sum(), 6u64.pow(count))
}

fn file(search: &str, fields: &str) -> String {
    format!(
        "rules = 'ties.rules'\n{search}[[contest]]\nsystem = 'ties'\naction = 'roll'\n{fields}\n"
    )
}

fn desk(search: &str, fields: &str) -> Desk {
    let desk = Desk::with(&file(search, fields));
    desk.write("ties.rules", RULES);
    desk
}

/// The totals of the contests that `odds` prints.
fn totals(told: &Told) -> Vec<u64> {
    let json: Json =
        serde_json::from_str(&told.out).unwrap_or_else(|why| panic!("{why}: {told:?}"));
    let contests = json["contests"].as_array().expect("a list").clone();
    contests.iter().map(|cell| cell["axes"]["least"].as_u64().expect("a number")).collect()
}

const ODDS: [&str; 5] = ["odds", "x.toml", "--exact-only", "--format", "json"];

/// Chances of exactly 1/2, 1/3 and 31/36, below and above: each sign keeps what it says, on the
/// terminal and in a sweep however it is cut.
#[test]
fn a_tie_counts_as_equal_in_every_search() {
    // 11 dice show 39 in half of all cases; one die 5 in a third; two dice 4 or more less often
    // than 33 of 36, so 31/36 is not 7 - 2: two dice show at least 5 in 30, and at least one ...
    // counted below.
    let cases = [
        (11, "{ from = 36, to = 42 }", (1, 2)),
        (9, "{ from = 28, to = 36 }", (1, 2)),
        (1, "[2, 3, 4, 5, 6]", (1, 3)),
        (2, "{ from = 2, to = 12 }", (5, 6)),
    ];
    for (count, least, (n, d)) in cases {
        let range: Vec<u32> = match count {
            11 => (36..=42).collect(),
            9 => (28..=36).collect(),
            1 => (2..=6).collect(),
            _ => (2..=12).collect(),
        };
        let fields = format!("many = {count}\nleast = {least}");
        let mut ties = 0;
        for (sign, holds) in [
            (">=", (|a: u64, b: u64| a >= b) as fn(u64, u64) -> bool),
            (">", |a, b| a > b),
            ("<=", |a, b| a <= b),
            ("<", |a, b| a < b),
            ("==", |a, b| a == b),
        ] {
            let kept = range.iter().filter(|least| {
                let (hits, all) = ways(count, **least);
                ties += u32::from(hits * d == all * n);
                holds(hits * d, all * n)
            });
            let expected: Vec<u64> = kept.map(|least| u64::from(*least)).collect();
            let decimal = n as f64 / d as f64;
            for bound in [format!("{n}/{d}"), decimal.to_string()] {
                let search = format!("[sweep]\nkeep = 'p_hit {sign} {bound}'\n");
                let desk = desk(&search, &fields);
                let told = desk.run(&ODDS);
                assert_eq!(totals(&told), expected, "{count}d6 {sign} {bound}: {told:?}");
                if bound.contains('/') {
                    continue;
                }
                let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "o"];
                let swept = desk.run(&[&sweep[..], &["--cells-per-shard", "2"]].concat());
                assert_eq!(swept.code, Some(if expected.is_empty() { 6 } else { 0 }), "{swept:?}");
                let rows = desk.read("o/cells.csv").lines().count() - 1;
                assert_eq!(rows, expected.len(), "{count}d6 {sign} {bound}: {swept:?}");
            }
        }
        assert!(ties > 0, "{count}d6 never comes to {n}/{d}");
    }
}

/// 31 of 36: a chance of 5/36 to miss, by a rule that says it as it is.
#[test]
fn thirty_one_of_thirty_six_is_a_tie() {
    let rules = RULES.replace("hit = x >= least", "hit = x >= least or x == 4");
    // Two dice: 4 in 3 ways, at least 6 in 26, at least 5 in 30, so `== 2` or at least 5 is 31.
    let rules = rules.replace("x == 4", "x == 2");
    assert_eq!(ways(2, 5).0 + 1, 31);
    for (sign, kept) in [(">=", true), ("<=", true), ("==", true), (">", false), ("<", false)] {
        let search = format!("[sweep]\nkeep = 'p_hit {sign} 31/36'\n");
        let desk = desk(&search, "many = 2\nleast = [5]");
        desk.write("ties.rules", &rules);
        let told = desk.run(&ODDS);
        assert_eq!(totals(&told).len(), usize::from(kept), "{sign}: {told:?}");
        assert_eq!(told.code, Some(if kept { 0 } else { 6 }), "{told:?}");
    }
}

/// Of what is equally good the first of the grid counts, though the last digits differ: 11 dice at
/// least 39 and 9 dice at least 32 are both one half.
#[test]
fn of_ties_the_first_is_best_and_on_the_front() {
    let halves = [(11, 39), (9, 32), (7, 25), (5, 18), (3, 11), (1, 4)];
    assert!(halves.iter().all(|(count, least)| {
        let (hits, all) = ways(*count, *least);
        2 * hits == all
    }));
    let mut file = "rules = 'ties.rules'\n[sweep]\nSEARCH\n".to_owned();
    for (count, least) in halves {
        file += &format!(
            "[[contest]]\nsystem = 'ties'\naction = 'roll'\nmany = {count}\nleast = {least}\n"
        );
    }
    for search in ["best = { count = 1, by = 'p_hit' }", "best = { count = 1, by = '-p_hit' }"] {
        let desk = Desk::with(&file.replace("SEARCH", search));
        desk.write("ties.rules", RULES);
        let json: Json = serde_json::from_str(&desk.run(&ODDS).out).expect("JSON");
        assert_eq!(json["contests"].as_array().map(Vec::len), Some(1));
        assert_eq!(json["contests"][0]["cell"], 0, "{search}");
    }
}

/// Six halves that are added up in other ways: of those that are equal in every goal the first is
/// on the front, and one that is lighter by a ton beats all others; however the work is cut.
#[test]
fn of_ties_the_first_is_on_the_front_and_the_lightest_beats_them() {
    let rules = RULES.to_owned() + "    measure e_load = mean(load) \"the load\"\n";
    let halves = [(11, 39), (9, 32), (7, 25), (5, 18), (3, 11), (1, 4)];
    for (light, front) in [(None, 0), (Some(3), 3), (Some(5), 5)] {
        let mut file = "rules = 'ties.rules'\n[sweep]\nfront = 'p_hit, -e_load'\n".to_owned();
        for (at, (count, least)) in halves.into_iter().enumerate() {
            let tons = if light == Some(at) { 9 } else { 10 };
            file += &format!(
                "[[contest]]\nsystem = 'ties'\naction = 'roll'\nmany = {count}\nleast = {least}\ntons = {tons}\n"
            );
        }
        let desk = Desk::with(&file);
        desk.write("ties.rules", &rules);
        let json: Json = serde_json::from_str(&desk.run(&ODDS).out).expect("JSON");
        assert_eq!(json["contests"].as_array().map(Vec::len), Some(1), "{light:?}");
        assert_eq!(json["contests"][0]["cell"], front, "{light:?}");
        for shard in ["1", "4"] {
            let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "s", "--overwrite"];
            let swept = desk.run(&[&sweep[..], &["--cells-per-shard", shard]].concat());
            assert_eq!(swept.code, Some(0), "{swept:?}");
            let csv = desk.read("s/cells.csv");
            let rows: Vec<&str> = csv.lines().skip(1).collect();
            assert_eq!(rows.len(), 1, "{csv}");
            assert!(
                rows[0].starts_with(&format!("{front},"))
                    || rows[0].contains(&format!(",{front},")),
                "{csv}"
            );
        }
    }
}

/// Nothing fits: said in every command, with the exit code 6 and the condition that is missed.
#[test]
fn a_search_that_keeps_nothing_says_so_everywhere() {
    let search = "[sweep]\nkeep = 'p_hit >= 0.99 and load >= 0'\n";
    let search = search.replace(" and load >= 0", "");
    let desk = desk(&search, "many = 1\nleast = [3, 4, 5, 6]");
    let said = "none of 4 settings meets the conditions of [sweep]: hit is at most 66.67 %, not at \
                least 99 % (least 3)";
    for format in ["table", "json", "jsonl", "csv", "xlsx", "markdown"] {
        let told = desk.run(&["odds", "x.toml", "--exact-only", "--format", format]);
        told.refused(6, said);
    }
    let run = ["run", "x.toml", "--exact-only", "--out", "o"];
    desk.run(&run).refused(6, said);
    assert!(desk.read("o/summary.md").contains("There is none."));
    // Results that are there say it again, and are sound.
    desk.run(&run).refused(6, said);
    assert_eq!(desk.run(&["verify", "o"]).code, Some(0));
    let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "s", "--cells-per-shard", "1"];
    desk.run(&sweep).refused(6, said);
    assert!(desk.read("s/summary.md").contains("There is none."));
    desk.run(&["table", "x.toml", "--exact-only", "--format", "csv"]).refused(6, said);
    desk.run(&["compare", "x.toml", "x.toml", "--exact-only"]).refused(6, said);
}

/// Two conditions, each met by some and both by none: the nearest is named.
#[test]
fn conditions_that_exclude_each_other_name_the_nearest() {
    let desk = desk(
        "[sweep]\nkeep = 'p_hit >= 0.6 and p_hit <= 0.55'\n",
        "many = 1\nleast = [2, 3, 4, 5, 6]",
    );
    let told = desk.run(&ODDS);
    // 66.67 % is 11.67 off the second, 50 % is 10 off the first.
    told.refused(
        6,
        "each condition is met by some, all together by none; the nearest is least 4 with hit 50",
    );
    let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "s", "--cells-per-shard", "2"];
    desk.run(&sweep).refused(6, "all together by none; the nearest is least 4 with hit 50");
}

/// 3 by 3 loads, of which those of more than 40 are none.
const LOADS: &str = "least = 30\nmen = [1, 5, 9]\ntons = [10, 33, 38]";

/// In a grid a broken check is a row that says why, whatever is written.
#[test]
fn a_broken_check_is_a_row_of_a_grid() {
    let desk = desk("", LOADS);
    let told = desk.run(&ODDS);
    assert_eq!(told.code, Some(0), "{told:?}");
    let json: Json = serde_json::from_str(&told.out).expect("JSON");
    let contests = json["contests"].as_array().expect("a list");
    let mut broken = 0;
    for (at, (men, tons)) in
        [1, 5, 9].into_iter().flat_map(|men| [10, 33, 38].map(|tons| (men, tons))).enumerate()
    {
        let cell = &contests[at];
        assert_eq!(cell["axes"], serde_json::json!({ "men": men, "tons": tons }));
        assert_eq!(cell["params"]["least"], 30);
        let breaks = men + tons > 40;
        broken += u32::from(breaks);
        assert_eq!(cell["engine"] == "refused", breaks, "{cell}");
        if breaks {
            assert_eq!(cell["breaks"], "{tons} tons and {men} men are more than 40");
            let why =
                format!("ruled out by the rulebook: {tons} tons and {men} men are more than 40");
            assert_eq!(cell["notes"], serde_json::json!([why]));
        }
    }
    assert_eq!((contests.len(), broken), (9, 3));
    let table = desk.run(&["odds", "x.toml", "--exact-only"]);
    assert!(table.out.contains("33 tons and 9 men are more than 40"), "{table:?}");
    let run = desk.run(&["run", "x.toml", "--exact-only", "--out", "o"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("3 cells break a check of the rulebook"), "{run:?}");
    let csv = desk.read("o/cells.csv");
    assert_eq!(csv.lines().filter(|line| line.contains("more than 40")).count(), 3, "{csv}");
    for file in ["o/summary.md", "o/report.html"] {
        assert!(desk.read(file).contains("33 tons and 9 men are more than 40"), "{file}");
    }
    assert_eq!(desk.run(&["verify", "o"]).code, Some(0));
    // In shards the same bytes.
    let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "s", "--cells-per-shard", "2"];
    assert_eq!(desk.run(&sweep).code, Some(0));
    assert_eq!(desk.read("s/cells.csv"), csv);
    // A card has a blank with a mark, and the reason below.
    let card = desk.run(&["table", "x.toml", "--exact-only", "--format", "html"]);
    assert!(card.out.contains("33 tons and 9 men are more than 40"), "{card:?}");
    assert!(!card.out.contains("NaN"), "{card:?}");
    let long = desk.run(&["table", "x.toml", "--exact-only", "--format", "csv"]);
    assert!(!long.out.contains("NaN"), "{long:?}");
    let explained = desk.run(&["explain", "x.toml", "--cell", "8"]);
    explained.refused(2, "there is no contest in cell 8: ruled out by the rulebook");
    assert_eq!(desk.run(&["explain", "x.toml", "--cell", "6"]).code, Some(0));
}

/// In a search it is left out and counted, in one piece and in shards.
#[test]
fn a_broken_check_is_left_out_of_a_search() {
    let desk = desk("[sweep]\nbest = { count = 50, by = 'p_hit' }\n", LOADS);
    let said = "3 of 9 settings break the check `{tons} tons and {men} men are more than 40` and are left out.";
    let odds = desk.run(&ODDS);
    assert_eq!(odds.code, Some(0), "{odds:?}");
    assert!(odds.err.contains(said), "{odds:?}");
    let json: Json = serde_json::from_str(&odds.out).expect("JSON");
    assert_eq!(json["contests"].as_array().map(Vec::len), Some(6));
    let run = desk.run(&["run", "x.toml", "--exact-only", "--out", "o"]);
    assert!(run.code == Some(0) && run.out.contains(said), "{run:?}");
    for shard in ["1", "2", "4"] {
        let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "s", "--overwrite"];
        let swept = desk.run(&[&sweep[..], &["--cells-per-shard", shard]].concat());
        assert!(swept.code == Some(0) && swept.out.contains(said), "{swept:?}");
        assert_eq!(desk.read("s/cells.csv"), desk.read("o/cells.csv"));
        assert!(desk.read("s/summary.md").contains("3 of 9 settings break the check"));
    }
}

/// Where all break one, it is a fault of the file, as is what is wrong in itself.
#[test]
fn where_nothing_is_left_a_check_is_an_error() {
    let all = desk("", "men = [5, 9]\ntons = [38, 60]");
    all.run(&ODDS)
        .refused(2, "38 tons and 5 men are more than 40 (and 3 more cells break a check)");
    let one = desk("", "men = 5\ntons = 38");
    one.run(&ODDS).refused(2, "38 tons and 5 men are more than 40");
    let unknown = desk("", "men = [1, 5]\ntons = [38, 70]");
    unknown.run(&ODDS).refused(2, "70");
}

/// A rule that goes wrong in one cell is a row too, and the exit code says that something lacks.
#[test]
fn a_rule_that_goes_wrong_in_one_cell_is_a_row() {
    let rules = "game \"Odd\"\nfield share: 0..3 = 1\naction roll \"a roll\":\n    x = d6\n    y = x / share\n    \
                 show y \"y\"\n    measure p_y = chance(y > 1) \"more\"\n";
    let file = "rules = 'odd.rules'\n[[contest]]\nsystem = 'odd'\naction = 'roll'\nshare = BY\n";
    let desk = Desk::with(&file.replace("BY", "[0, 1, 2]"));
    desk.write("odd.rules", rules);
    let told = desk.run(&ODDS);
    told.refused(4, "1 of 3 cells have no answer");
    let json: Json = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!(json["contests"][0]["engine"], "refused");
    assert!(
        json["contests"][0]["notes"][0].as_str().is_some_and(|why| why.contains("divided by 0"))
    );
    assert_eq!(json["contests"][1]["engine"], "exact");
    // Alone it is an error at its place in the rulebook.
    desk.write("x.toml", &file.replace("BY", "0"));
    desk.run(&ODDS).refused(2, "divided by 0");
}

/// A tie that is kept is marked as one in its row, whatever the work is cut into; what is clear of
/// the bound is not.
#[test]
fn a_tie_that_is_kept_is_marked() {
    let desk = desk("[sweep]\nkeep = 'p_hit >= 0.5'\n", "many = 11\nleast = [37, 38, 39, 40]");
    let json: Json = serde_json::from_str(&desk.run(&ODDS).out).expect("JSON");
    let rows = json["contests"].as_array().expect("a list");
    let notes: Vec<usize> =
        rows.iter().map(|row| row["notes"].as_array().map_or(0, Vec::len)).collect();
    // 39 is the median of eleven dice: half of all ways come to it.
    assert_eq!(ways(11, 39).0 * 2, ways(11, 39).1);
    assert_eq!(notes, [0, 0, 1]);
    assert_eq!(rows[2]["notes"][0], "p_hit = 0.5: equal by fractions");
    let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "s", "--cells-per-shard", "1"];
    assert_eq!(desk.run(&sweep).code, Some(0));
    assert_eq!(desk.read("s/cells.csv").matches("p_hit = 0.5: equal by fractions").count(), 1);
}
