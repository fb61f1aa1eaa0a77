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
    let rows = rows.map(|(ending, ways)| format!("{:?} {:?}", ending.fields, share(ways)));
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
    let asl = open(Path::new("rulebooks/asl_fire.rules")).expect("it is in order");
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
