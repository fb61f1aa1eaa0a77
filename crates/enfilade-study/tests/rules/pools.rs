//! Dice kept in order, lists in brackets, dice that go on: numbers by hand and by counting all
//! rolls.

use crate::texts::{combat, exact, faults, odds};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

/// The text of a game with these lines, which set `x`.
fn game(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("game \"Pools\"\naction a:\n{lines}    show x\n")
}

/// The mean of `x` and the chance of a test of it, as fractions.
fn figures(lines: &str, test: &str) -> [String; 2] {
    let measures = format!("    measure m = mean(x)\n    measure p = chance({test})\n");
    let odds = odds(&(game(lines) + &measures), "");
    ["m", "p"].map(|measure| exact(&odds, measure))
}

/// The same figures by counting every roll of some dice.
fn counted(sides: &[i64], x: impl Fn(&[i64]) -> i64, test: impl Fn(i64) -> bool) -> [String; 2] {
    let rolls: i64 = sides.iter().product();
    let (mut sum, mut passed) = (0, 0);
    for roll in 0..rolls {
        let mut rest = roll;
        let faces: Vec<i64> = sides
            .iter()
            .map(|sides| {
                let face = rest % sides + 1;
                rest /= sides;
                face
            })
            .collect();
        let value = x(&faces);
        sum += value;
        passed += i64::from(test(value));
    }
    [fraction(sum, rolls), fraction(passed, rolls)]
}

fn fraction(over: i64, under: i64) -> String {
    let (mut a, mut b) = (over.abs(), under);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    format!("{}/{}", over / a.max(1), under / a.max(1))
}

fn sorted(faces: &[i64]) -> Vec<i64> {
    let mut faces = faces.to_vec();
    faces.sort_unstable_by(|a, b| b.cmp(a));
    faces
}

#[track_caller]
fn agrees(lines: &str, test: &str, expected: [String; 2]) {
    assert_eq!(figures(lines, test), expected, "{lines}");
}

#[test]
fn the_best_of_several_dice() {
    let best = figures("x = [d8, d10, d12] high 2", "x >= 15");
    assert_eq!(best, ["543/40", "69/160"]);
    let two = |faces: &[i64]| sorted(faces)[..2].iter().sum();
    assert_eq!(counted(&[8, 10, 12], two, |x| x >= 15), best);
    let worst = counted(&[8, 10, 12], |faces| sorted(faces)[2], |x| x >= 5);
    agrees("x = [d8, d10, d12] low 1", "x >= 5", worst);
    let values = counted(&[4, 4], |faces| sorted(&[faces[0] - 3, 1, faces[1] * 2])[0], |x| x > 2);
    agrees("x = [d4 - 3, 1, d4 * 2] high 1 + 0", "x > 2", values);
}

#[test]
fn dice_in_order() {
    let second = figures("faces = sorted 4d6\nx = faces[2]", "x >= 5");
    assert_eq!(second[0], "1771/432");
    assert_eq!(counted(&[6; 4], |faces| sorted(faces)[1], |x| x >= 5), second);
    let gap = counted(&[6, 6, 6], |faces| sorted(faces)[0] - sorted(faces)[2], |x| x > 3);
    agrees("faces = sorted 3d6\nx = faces[1] - faces[3]", "x > 3", gap);
    let pairs = "faces = sorted 4d6\nx = (1 if faces[1] == faces[2] and faces[3] == faces[4])";
    assert_eq!(figures(pairs, "x == 1")[1], "2/27");
    let rerolled = counted(
        &[3; 4],
        |f| {
            let again = |face: i64, next: i64| if face == 1 { next } else { face };
            let faces = sorted(&[again(f[0], f[1]), again(f[2], f[3])]);
            faces[0] * 10 + faces[1]
        },
        |x| x == 22,
    );
    agrees("f = sorted 2d3 reroll 1\nx = f[1] * 10 + f[2]", "x == 22", rerolled);
    let fewer = counted(
        &[2, 3, 3],
        |f| sorted(if f[0] == 1 { &f[1..2] } else { &f[1..] }).get(1).copied().unwrap_or(0),
        |x| x == 0,
    );
    agrees("n = d2\nfaces = sorted n d3\nx = faces[2]", "x == 0", fewer);
    let sizes = counted(&[4, 8, 6], |f| sorted(f)[0] - sorted(f)[1], |x| x == 0);
    agrees("sizes = [4, 8, 6]\nf = sorted d(s) for s in sizes\nx = f[1] - f[2]", "x == 0", sizes);
}

/// 5 dice in order are 252 multisets, and one after the other they pass through those of fewer.
#[test]
fn dice_in_order_are_remembered_as_multisets() {
    for (dice, sides) in [(5_u64, 6_u64), (10, 6)] {
        let choose = |n: u64, k: u64| (0..k).fold(1, |all, i| all * (n - i) / (i + 1));
        let text = game(&format!("faces = sorted {dice}d{sides}\nx = faces[1]"))
            + &(2..=dice).map(|n| format!("    show x{n} = faces[{n}]\n")).collect::<String>();
        let graph =
            DieGraph::compile_within_limits(&combat(&text, ""), CompiledContestLimits::default())
                .expect("it is small");
        let before: u64 = (0..=dice).map(|n| choose(n + sides - 1, sides - 1)).sum();
        assert_eq!(graph.reached_state_count() as u64, before, "{dice}d{sides}");
    }
}

#[test]
fn lists_in_order() {
    let middle = counted(&[4, 4, 4], |f| sorted(&[f[0] - 2, f[1] * 2, f[2]])[1], |x| x > 2);
    agrees("xs = [d4 - 2, d4 * 2, d4]\nys = sorted xs\nx = ys[2]", "x > 2", middle);
    let least = counted(&[4, 4, 4], |f| sorted(f)[1] + sorted(f)[2], |x| x > 4);
    agrees("xs = [d4, d4, d4]\nx = xs low 2", "x > 4", least);
    let all = counted(&[4, 4], |f| f.iter().sum(), |x| x > 4);
    agrees("xs = [d4, d4]\nx = xs high 5", "x > 4", all);
    let copy = counted(&[4, 4], |f| 10 * f[0] + f[1], |x| x > 24);
    agrees("xs = [d4, 0]\nys = xs\nys[2] = d4\nx = 10 * xs[1] + ys[2] + xs[2]", "x > 24", copy);
    agrees(
        "xs = 3 of 0\nxs[2] = d4\nx = xs[1] + xs[2] + xs[3]",
        "x > 2",
        ["5/2", "1/2"].map(String::from),
    );
}

/// A die that goes on: what it shows when a 6 is rolled on, twice at most.
fn growing(faces: &[i64]) -> i64 {
    let mut sum = faces[0];
    for place in 1..faces.len() {
        if faces[place - 1] < 6 {
            break;
        }
        sum += faces[place];
    }
    sum
}

#[test]
fn further_dice_are_part_of_the_die() {
    let pool = "3d6 again on 6 up to 2 as one";
    let passed = figures(&format!("x = count({pool} >= 8)"), "x > 0");
    assert_eq!(passed[0], "5/12");
    let best = figures(&format!("x = {pool} high 2"), "x > 20");
    assert_eq!(best[0], "11746679/1119744");
    let three = |f: &[i64]| [0, 3, 6].map(|at| growing(&f[at..at + 3]));
    let two = |f: &[i64]| sorted(&three(f))[..2].iter().sum();
    assert_eq!(counted(&[6; 9], two, |x| x > 20), best);
    let middle = counted(&[6; 9], |f| sorted(&three(f))[1], |x| x > 6);
    agrees(&format!("f = sorted {pool}\nx = f[2]"), "x > 6", middle);
    let sum = counted(&[6; 6], |f| growing(&f[..3]) + growing(&f[3..]), |x| x > 18);
    agrees("x = 2d6 again on 6 up to 2 as one", "x > 18", sum);
}

#[test]
fn sizes_and_rests() {
    let size = counted(&[9], |f| (f[0] - 4).abs(), |x| x > 2);
    agrees("x = abs(d9 - 4)", "x > 2", size);
    let rest = counted(&[9], |f| (f[0] - 5).rem_euclid(3), |x| x == 2);
    agrees("x = rest(d9 - 5, 3)", "x == 2", rest);
    let rolled = counted(&[9, 4], |f| f[0] % f[1], |x| x == 0);
    agrees("a = d9\nx = rest(a, d4)", "x == 0", rolled);
    let own = "game \"Own\"\npart abs(a): give a + 1\naction a:\n    x = abs(d2)\n    show x\n    \
               measure m = mean(x)\n";
    assert_eq!(exact(&odds(own, ""), "m"), "5/2");
}

/// A cup of 5, 4 and 3: three drawn without putting back. All different: 5 · 4 · 3 of 220 triples.
const DRAWS: &str = "cup = [5, 4, 3]
got = 3 of 0
for draw in 1..3:
    pick i in cup by random:
        cup[i] -= 1
        got[i] += 1
";

#[test]
fn draws_from_a_cup() {
    let different = format!("{DRAWS}x = (1 if got[1] == 1 and got[2] == 1 and got[3] == 1)");
    assert_eq!(figures(&different, "x == 1"), ["3/11", "3/11"]);
    // The 12 counters one by one, in every order of three.
    let color = |counter: i64| {
        if counter <= 5 {
            1
        } else if counter <= 9 {
            2
        } else {
            3
        }
    };
    let (mut twos, mut orders) = (0, 0);
    for a in 1..=12_i64 {
        for b in (1..=12).filter(|b| *b != a) {
            for c in (1..=12).filter(|c| *c != a && *c != b) {
                orders += 1;
                twos += [a, b, c].into_iter().filter(|counter| color(*counter) == 2).count() as i64;
            }
        }
    }
    let second = format!("{DRAWS}x = got[2]");
    assert_eq!(figures(&second, "x > 3"), [fraction(twos, orders), "0/1".to_owned()]);
    let back = "cup = [5, 4, 3]\npick i in cup where i > 1 by random: x = i";
    assert_eq!(figures(&format!("x = 0\n{back}"), "x == 3"), ["17/7", "3/7"]);
    let none = "cup = [0, 0]\nx = 7\npick i in cup by random: x = i\nx += d2";
    assert_eq!(figures(none, "x == 8"), ["17/2", "1/2"]);
    let rolled = "cup = [d2, 2]\nx = 0\npick i in cup by random: x = i";
    // 1/2 · (1/3 + 2 · 2/3) + 1/2 · 3/2.
    assert_eq!(figures(rolled, "x == 1"), ["19/12", "5/12"]);
}

#[test]
fn fewer_than_none_cannot_be_drawn() {
    let text = game("cup = [d2 - 2, 2]\nx = 0\npick i in cup by random: x = i");
    let combat = combat(&text, "");
    let fault = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect_err("it goes wrong");
    let told = fault.to_string();
    assert!(told.contains("a number below 0 cannot be drawn: `cup[1]`"), "{told}");
}

#[test]
fn a_row_for_all_other_keys() {
    let table = "table jump:\n    3  20\n    7..8  1\n    else  0\n";
    let text = |lines: &str| game(lines).replace("action a:", &format!("{table}action a:"));
    let mean = |lines: &str| exact(&odds(&(text(lines) + "    measure m = mean(x)\n"), ""), "m");
    assert_eq!(mean("x = jump(d10)"), "11/5");
    assert_eq!(mean("x = jump(d4 * 100)"), "0/1");
    assert_eq!(mean("x = jump(3) + jump(5) + d2"), "43/2");
    let words = "game \"W\"\nwords c: red, green, blue\ntable t:\n    columns 1 2\n    \
                 green 4 6\n    else 1 2\naction a:\n    w = step(red, d3 - 1)\n    x = t(w, d2)\n    \
                 show x\n    measure m = mean(x)\n";
    assert_eq!(exact(&odds(words, ""), "m"), "8/3");
    let full = text("x = d2").replace("    3  20\n    7..8  1\n", "    ..3  1\n    4..  2\n");
    let expected = ("nothing is left for `else`".to_owned(), String::new());
    assert_eq!(faults(&full), [expected]);
}

#[test]
fn the_words_stay_free_as_names() {
    let text = "sorted = d4\nx = sorted + 1\nsorted += 1\nx += sorted";
    assert_eq!(figures(text, "x > 4"), counted(&[4], |f| 2 * f[0] + 2, |x| x > 4));
}

#[test]
fn each_fault_has_its_place_and_remedy() {
    let rows = [
        (
            "f = sorted 21d6\nx = f[1]",
            "at most 20 dice are kept apart, and there may be 21",
            "bound their number: `(n at most 20) d6`",
        ),
        (
            "x = 3d6 again on 6 up to 2 high 2",
            "are further dice dice of their own, or part of the die?",
            "`as one` makes them part of the die",
        ),
        (
            "f = sorted 3d6 again on 6 up to 2\nx = f[1]",
            "are further dice dice of their own, or part of the die?",
            "`as one` makes them part of the die",
        ),
        ("xs = 5 of 0\nys = 3 of 0\nys = xs\nx = ys[1] + d6", "`xs` has 5 places and `ys` 3", ""),
        ("x = rest(d6, 0)", "`rest` takes by 1 or more", ""),
        ("x = abs(1, 2) + d6", "`abs` takes one number", ""),
        (
            "f = sorted 3d6 high 2\nx = f[1]",
            "`sorted` takes all dice of a pool",
            "`faces = sorted 4d6`, then `faces[1] + faces[2]`",
        ),
        ("xs = 101 of 0\nx = xs[1] + d6", "a list has 1 to 100 places, not 101", ""),
    ];
    for (lines, problem, help) in rows {
        let expected = vec![(problem.to_owned(), help.to_owned())];
        assert_eq!(faults(&game(lines)), expected, "{lines}");
    }
}
