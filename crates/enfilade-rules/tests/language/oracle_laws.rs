//! The second evaluator against laws reckoned by hand.

use std::collections::BTreeMap;

use enfilade_rules::diagnostics::Faults;
use enfilade_rules::syntax::parser::parse_rulebook_file;

use super::oracle::{Law, Patience, Told, law};

fn told(text: &str, action: &str, contest: &str) -> Told {
    let mut faults = Faults::default();
    let file = parse_rulebook_file(text, &mut faults);
    let faults = faults.into_sorted();
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    let contest = toml::from_str(contest).expect("a table");
    law(&file, action, &contest, Patience::USUAL)
}

fn found(text: &str, contest: &str) -> Law {
    match told(text, "a", contest) {
        Told::Law(law) => law,
        other => panic!("{other:?}\n{text}"),
    }
}

/// Ways of one show, over all ways.
fn ways(text: &str, contest: &str) -> (Vec<(i64, u128)>, u128) {
    let law = found(text, contest);
    let shows = law.of_shows().into_iter();
    (shows.map(|(row, ways)| (row[0], ways)).collect(), law.all)
}

#[test]
fn dice_are_counted_kept_rerolled_and_explode() {
    let of = |dice: &str| ways(&format!("action a:\n    x = {dice}\n    show x\n"), "");
    assert_eq!(of("2d2"), (vec![(2, 1), (3, 2), (4, 1)], 4));
    assert_eq!(of("2d3 high 1"), (vec![(1, 1), (2, 3), (3, 5)], 9));
    // A 1 is rolled again: 1 stays 1 in 4, 2 comes in 3.
    assert_eq!(of("d2 reroll 1"), (vec![(1, 1), (2, 3)], 4));
    // 2 brings one more die: 1, 2 + 1, 2 + 2.
    assert_eq!(of("d2 again on 2 up to 1"), (vec![(1, 2), (3, 1), (4, 1)], 4));
    assert_eq!(of("count(3d2 >= 2)"), (vec![(0, 1), (1, 3), (2, 3), (3, 1)], 8));
    assert_eq!(of("-1 / 2"), (vec![(-1, 1)], 1));
    assert_eq!(of("up(-1 / 2)"), (vec![(0, 1)], 1));
    assert_eq!(of("(d2 - 2) d6"), (vec![(0, 2)], 2));
    let tens = of("d66");
    assert_eq!((tens.0.len(), tens.0[0], tens.0[35], tens.1), (36, (11, 1), (66, 1), 36));
}

#[test]
fn faults_while_rolling_are_told() {
    let of = |line: &str| {
        told(&format!("action a:\n    xs = [1, 2]\n    {line}\n    show x\n"), "a", "")
    };
    for line in [
        "x = xs[d3]",
        "x = 1 / (d2 - 1)",
        "x = 200 * 200",
        "x = d(d2 - 1)",
        "x = 2000000000 + 2000000000",
    ] {
        assert!(matches!(of(line), Told::Fault(..)), "{line}: {:?}", of(line));
    }
    assert!(matches!(of("x = xs[d2]"), Told::Law(_)));
}

const BAGS: &str = "record unit:\n    field hp: 1..4 = 2\n    field name_of: 0..9 = 0\n\
    field target: 1 to 4 of unit\naction a:\n    units = bag of target with hurt = 0\n    \
    pick u in units where u.hp > 1 by random: u.hurt = u.hp\n    \
    show x = sum(u.hurt for u in units)\n    show n = count(u in units where u.hurt == 0)\n";

#[test]
fn one_of_a_bag_is_picked_by_lot() {
    let contest = "[[target]]\nhp = 2\ncount = 2\n[[target]]\nhp = 3\n[[target]]\nhp = 1\n";
    assert_eq!(found(BAGS, contest).of_shows(), BTreeMap::from([(vec![2, 3], 2), (vec![3, 3], 1)]));
    let one = found(BAGS, "[[target]]\nhp = 4\n[[target]]\nhp = 1\n");
    assert_eq!((one.of_shows(), one.all), (BTreeMap::from([(vec![4, 1], 1)]), 1));
}

/// Things are taken by row, then by what changes, whatever order they were in before.
#[test]
fn each_takes_the_lowest_not_yet_visited() {
    let text = "action a:\n    units = bag of 3 with k = 0\n    n = 3\n    each u in units:\n        \
        u.k = n\n        n -= 1\n    x = 0\n    each u in units: x = 10 * x + u.k\n    show x\n";
    assert_eq!(ways(text, ""), (vec![(123, 1)], 1));
    // The turn of a thing that changes while the loop is open comes by what it is then.
    let text = "action a:\n    units = bag of 3 with k = 5\n    first = yes\n    x = 0\n    \
        each u in units:\n        if first:\n            first = no\n            \
        pick v in units by lowest v.k: v.k = 1\n        x = 10 * x + u.k\n    show x\n";
    assert_eq!(ways(text, ""), (vec![(515, 1),], 1));
}

#[test]
fn the_player_decides_for_the_best_mean() {
    let text = "action a:\n    x = d6\n    choose for highest x:\n        option \"again\": x = d6\n        \
        option \"stay\":\n    show x\n    measure e = mean(x) * 2\n";
    let law = found(text, "");
    // 4, 5, 6 stay: 1/6 + 1/12 each; the others 1/12 each; mean 17/4.
    assert_eq!(law.measure(0), Some((17, 2)));
}

#[test]
fn a_tally_is_counted_through_a_loop() {
    let text = "action a:\n    x = 0\n    repeat:\n        tally rounds\n        x = x + 1 at most 3\n        \
        if d2 == 2 or x == 3: stop\n    show x\n    measure e = mean(rounds)\n";
    assert_eq!(found(text, "").measure(0), Some((7, 4)));
}

#[test]
fn parts_change_what_is_theirs_to_change() {
    let text = "part bump(changes n, more): \n    n += more\n    give n\npart swap(changes p, changes q):\n    \
        r = p\n    p = q\n    q = r\naction a:\n    n = 1\n    xs = [4, 5]\n    swap(n, xs[2])\n    \
        y = n * 10 + bump(n, 2) + n\n    show y\n    show z = xs[2]\n";
    let text = text.replace(": \n", ":\n");
    assert_eq!(found(&text, "").of_shows(), BTreeMap::from([(vec![50 + 7 + 7, 1], 1)]));
}

#[test]
fn tables_are_looked_up_by_rows_columns_and_legend() {
    let text = "table t:\n    cell #K kill\n    cell - none_of\n    columns 1 3 5\n    ..0 - 1K 2K\n    1..2 1K 2K 3K\n    \
        3.. 2K 3K 4K\nfield row: -9..9 = 0\nfield column: 0..9 = 0\naction a:\n    x = 0\n    \
        match t(row, column shift 1):\n        kill n: x = n\n        none_of:\n    show x\n";
    for (row, column, x) in [(-5, 0, 1), (2, 4, 3), (9, 9, 4), (0, 2, 1)] {
        let contest = format!("row = {row}\ncolumn = {column}\n");
        assert_eq!(ways(text, &contest).0, vec![(x, 1)], "{contest}");
    }
}
