//! The order of equal tables in a contest never shows in its odds.

use std::path::Path;

use enfilade::exact;
use enfilade::form::Form;
use enfilade::graph::{DieGraph, Limits};
use enfilade::rulebook::{Rulebook, open, read};

/// Columns, and endings with their shares.
fn law(rulebook: &Rulebook, action: &str, contest: &str) -> Vec<String> {
    let action = rulebook.system.action(action).expect("it is there");
    let form = Form::fill(&action.fields, &contest.parse().expect("TOML")).expect("a contest");
    let contest = action.contest(&form).expect("it fits together");
    let graph = DieGraph::of(&contest.combat, Limits::default()).expect("it is small");
    let weights = exact::weights(&graph).expect("it ends");
    let share = |ways: &dashu_int::UBig| exact::reduced(ways.clone(), weights.denominator.clone());
    let rows = graph.endings().iter().zip(&weights.numerators);
    let columns = contest.combat.fields().len();
    let row = |fields: &[i32], ways| format!("{:?} {:?}", &fields[..columns], share(ways));
    let rows = rows.map(|(ending, ways)| row(&ending.fields, ways));
    let mut rows: Vec<String> = rows.collect();
    rows.sort_unstable();
    rows
}

/// Two of one kind and one of another, in every order and by their count.
fn same_in_every_order(rulebook: &Rulebook, action: &str, shared: &str, [a, b]: [&str; 2]) {
    let tables = |orders: &[&str]| {
        let tables = orders.iter().map(|table| format!("[[target]]\n{table}\n"));
        law(rulebook, action, &format!("{shared}\n{}", tables.collect::<String>()))
    };
    let expected = tables(&[a, b, a]);
    assert!(expected.len() > 3, "{expected:?}");
    for orders in [&[a, a, b][..], &[b, a, a]] {
        assert_eq!(tables(orders), expected);
    }
    let twice = format!("{a}\ncount = 2");
    for orders in [[&twice, b], [b, &twice]] {
        assert_eq!(tables(&orders), expected);
    }
}

#[test]
fn of_units_under_fire() {
    let asl =
        open(Path::new("rulebooks/asl_fire.rules"), crate::built_in()).expect("it is in order");
    let (squad, leader) = ("morale = 7", "kind = 'leader'\nmorale = 8\nleadership = -1");
    same_in_every_order(&asl, "fire", "fp = 8\ndrm = -2", [squad, leader]);
    same_in_every_order(&asl, "fire", "fp = 16", [leader, "morale = 6\nbroken = true"]);
}

/// A rule that goes over things, picks by lot and by key, and counts.
#[test]
fn of_things_that_are_gone_over_picked_and_counted() {
    let text = "game \"m\"\nrecord unit:\n    field nerve: 1..6\n    field worth: 0..9 = 1\n\
                field target: 1 to 6 of unit\naction a:\n    units = bag of target with hurt = 0, gone = no\n    \
                each u in units: u.hurt = (1 if d3 > u.nerve)\n    \
                pick u in units where u.hurt == 1 by random: u.gone = yes\n    \
                pick u in units where not u.gone by highest u.worth: u.hurt = d2\n    \
                show gone = count(u in units where u.gone)\n    \
                show left = sum(u.worth for u in units where not u.gone)\n    \
                show hurt = sum(u.hurt for u in units)\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let game = read("m", "m.rules", text, &none).expect("it is in order");
    same_in_every_order(&game, "a", "", ["nerve = 1\nworth = 3", "nerve = 2\nworth = 5"]);
    // Equal keys, unequal units.
    same_in_every_order(&game, "a", "", ["nerve = 1\nworth = 3", "nerve = 2\nworth = 3"]);
}

/// Things with lists of their own, one of which is shorter: their places and lengths are read from the
/// thing at hand, and a place that only another's list has is none.
#[test]
fn of_things_that_have_lists() {
    let text = "game \"m\"\nrecord unit:\n    field guns: 0 to 3 of 1..9 = [2, 5]\n\
                field target: 1 to 6 of unit\nfield nth: 0..4 = 1\naction a:\n    units = bag of target with hurt = 0\n    \
                total = 0\n    each u in units: u.hurt = (1 if d6 >= 4)\n    \
                each u in units where u.hurt == 1: total += u.guns[nth] + 100 * length(u.guns)\n    \
                show total\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let game = read("m", "m.rules", text, &none).expect("it is in order");
    same_in_every_order(&game, "a", "", ["guns = [7]", "guns = [2, 5]"]);
    // 107 of each of the short ones, 202 of the other: each of the three in half of all throws.
    let two_and_one = "[[target]]\nguns = [7]\ncount = 2\n[[target]]\n";
    let expected = [(0, 1), (107, 2), (202, 1), (214, 1), (309, 2), (416, 1)];
    let share = |ways: u8| exact::reduced(ways.into(), 8u8.into());
    let mut expected: Vec<String> =
        expected.iter().map(|(total, ways)| format!("[{total}] {:?}", share(*ways))).collect();
    expected.sort_unstable();
    assert_eq!(law(&game, "a", two_and_one), expected);
    let fault = |nth: i64| {
        let action = game.system.action("a").expect("it is there");
        let table = format!("nth = {nth}\n{two_and_one}").parse().expect("TOML");
        let form = Form::fill(&action.fields, &table).expect("a contest");
        let contest = action.contest(&form).expect("it fits together").combat;
        // The graph is built to find out what goes wrong in it.
        drop(DieGraph::of(&contest, Limits::default()));
        contest.fault().map(|mishap| format!("{mishap:?}")).unwrap_or_default()
    };
    assert!(fault(2).contains("shorter"), "{}", fault(2));
    assert!(fault(0).contains("places 1 to 2"), "{}", fault(0));
    assert!(fault(4).contains("places 1 to 2"), "{}", fault(4));
}

/// A list that a part hands on is the list that it was given, place by place.
#[test]
fn of_a_list_that_is_handed_through_a_part() {
    let text = "game \"m\"\npart same(changes n, ys):\n    give ys\naction a:\n    n = 0\n    \
                xs = [1, 2, 3]\n    if d6 > 4: xs[1] = 4\n    ys = same(n, xs)\n    \
                one = ys[1]\n    two = ys[2]\n    three = ys[3]\n    \
                show one\n    show two\n    show three\n";
    let none = |_: &str| Err("no files".to_owned());
    let book = read("m", "m.rules", text, &none).expect("it is in order");
    let rows = law(&book, "a", "");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0].starts_with("[1, 2, 3]") && rows[1].starts_with("[4, 2, 3]"), "{rows:?}");
}
