//! Dice with symbols, against all faces counted one by one and against the same told with tables.

use crate::texts::{combat, exact, faults, odds};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

/// The faces of the red and the green die: hit, hard hit, eye; dodge, eye.
const RED: [[i64; 3]; 8] =
    [[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0]];
const GREEN: [[i64; 2]; 8] = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0]];

/// Sums of all throws of some dice.
fn throws<const N: usize>(die: &[[i64; N]; 8], dice: usize) -> Vec<[i64; N]> {
    (0..dice).fold(vec![[0; N]], |thrown, _| {
        let add = |sum: &[i64; N], face: &[i64; N]| std::array::from_fn(|at| sum[at] + face[at]);
        thrown.iter().flat_map(|sum| die.iter().map(move |face| add(sum, face))).collect()
    })
}

fn fraction(over: i64, under: i64) -> String {
    let (mut a, mut b) = (over, under);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    format!("{}/{}", over / a, under / a)
}

/// The game that ships.
fn shipped() -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks");
    std::fs::read_to_string(folder.join("symbol_dice.rules")).expect("it ships")
}

#[test]
fn a_shot_and_a_dodge() {
    for (guns, agility, care, wary) in
        [(3, 2, false, false), (3, 2, true, false), (2, 3, true, true), (1, 0, false, true)]
    {
        let (mut lost, mut out, mut hard, mut all) = (0, 0, 0, 0);
        for shot in throws(&RED, guns) {
            for flight in throws(&GREEN, agility) {
                let hits = shot[0] + if care { shot[2] } else { 0 };
                let dodges = flight[0] + if wary { flight[1] } else { 0 };
                let left = (dodges - hits).max(0);
                let through = (shot[1] - left).max(0);
                let loss = ((hits - dodges).max(0) + through).min(3);
                all += 1;
                lost += loss;
                out += i64::from(loss == 3);
                hard += i64::from(through > 0);
            }
        }
        let asked = format!("guns = {guns}\nagility = {agility}\ncare = {care}\nwary = {wary}");
        let odds = odds(&shipped(), &asked);
        for (measure, sum) in [("e_lost", lost), ("p_out", out), ("p_hard", hard)] {
            assert_eq!(exact(&odds, measure), fraction(sum, all), "{measure} {asked}");
        }
    }
}

/// The text of a game with these declarations and lines.
fn game(top: &str, lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "game \"Symbols\"\n{top}action a:\n{lines}    show x\n    measure m = mean(x)\n    measure s = spread(x)\n"
    )
}

#[test]
fn the_same_told_with_tables() {
    let dice = "die red: hit 3, hit+hit, crit, miss\ndie blue: crit+hit, miss 3\n";
    let thrown = "n = d3\nt = n red + 1 blue\nt += 1 blue\nif t.crit > 1: t.hit += 1\nx = t.hit * 10 + t.crit";
    let tables = "table hits_of:\n    columns 1 2 3 4 5 6\n    1  1 1 1 2 0 0\n    2  1 0 0 0 0 0\n\
                  table crits_of:\n    columns 1 2 3 4 5 6\n    1  0 0 0 0 1 0\n    2  1 0 0 0 0 0\n";
    let told = "n = d3\nhit = 0\ncrit = 0\nfor i in 1..n:\n    f = d6\n    hit += hits_of(1, f)\n    \
                crit += crits_of(1, f)\nfor i in 1..2:\n    f = d4\n    hit += hits_of(2, f)\n    \
                crit += crits_of(2, f)\nif crit > 1: hit += 1\nx = hit * 10 + crit";
    let (symbols, retold) = (odds(&game(dice, thrown), ""), odds(&game(tables, told), ""));
    for measure in ["m", "s"] {
        assert_eq!(exact(&symbols, measure), exact(&retold, measure));
    }
}

/// Three dice of which only hits are read: 0 to 3 of them after each die.
#[test]
fn unread_symbols_are_not_remembered() {
    let text = game("die red: hit 3, crit, focus 2, blank 2\n", "throw = 3 red\nx = throw.hit");
    let graph =
        DieGraph::compile_within_limits(&combat(&text, ""), CompiledContestLimits::default());
    assert_eq!(graph.expect("it is small").reached_state_count(), 1 + 2 + 3 + 4);
}

#[test]
fn a_part_changes_the_throw_it_is_given() {
    let top = "die red: hit 3, miss\npart spend(changes t): t.hit -= 1\n\
               part doubled(t):\n    t.hit += t.hit\n    give t.hit\n";
    let lines = "t = 2 red\nif t.hit > 0: spend(t)\nx = doubled(t) * 10 + t.hit";
    // Two hits in 9 of 16, else none is left.
    assert_eq!(exact(&odds(&game(top, lines), ""), "m"), fraction(21 * 9, 16));
}

#[test]
fn each_fault_has_its_place_and_remedy() {
    let dice = "die red: hit, miss\ndie blue: evade, miss\n";
    let rows = [
        (
            "t = 2 red\nt += 1 blue\nx = t.hit",
            "`blue` has the symbol `evade`, and the throw was made without it",
            "`throw = … + 0 blue` where it is made",
        ),
        ("t = 2 red\nx = t.hitt", "the throw has no symbol `hitt`", "did you mean `hit`?"),
        ("t = 2 rod\nx = t.hit", "there is no die `rod`", "did you mean `red`?"),
        ("t = 2 red\nx = t", "this is a throw: name one of its symbols, as in `throw.hit`", ""),
    ];
    for (lines, problem, help) in rows {
        let expected = vec![(problem.to_owned(), help.to_owned())];
        assert_eq!(faults(&game(dice, lines)), expected, "{lines}");
    }
    let block = faults(&game("die red:\n    hit 3\n", "x = d6"));
    let expected = "the faces of a die follow its name on the same line";
    assert_eq!(block[0].0, expected);
    assert_eq!(block[0].1, "`die red: hit 2, miss 4`");
}
