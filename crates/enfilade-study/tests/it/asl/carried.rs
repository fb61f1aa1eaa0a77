//! Fire at a stack, then at who is left of it: the joint law of both attacks against the brute
//! force of [`crate::asl::oracle`], which counts anew for the second one; checks one after the
//! other by hand; and who fires back.

use std::collections::BTreeMap;

use enfilade_study::answer::Answer;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{SolverSettings, solve_experiment};

use crate::asl::oracle::{
    COLUMNS, Dist, Man, SQUAD, STILL, Shot, Stack, WHOLE, add, outcome, pairs, split,
};

const SQUADS: &str = "[[contest.target]]\nkind = 'squad'\nmorale = 7\ncount = 2\n";
const LED: &str =
    "[[contest.target]]\nkind = 'squad'\nmorale = 7\n[[contest.target]]\nleader = '8-1'\n";
const MIXED: &str = "[[contest.target]]\nunit = '4-4-7'\nnation = 'Russian'\nmodifiers = ['FFMO']\n\
    [[contest.target]]\nkind = 'crew'\nmorale = 8\ncannot_pin = true\ndrm = 1\n";

/// The units of those targets, typed anew.
fn stacks() -> [(&'static str, Stack); 3] {
    let leader = Man { size: 0, morale: 8, broken_morale: 8, leads: Some(-1), ..SQUAD };
    let russian = Man { own: (0, -1), half_broken: 6, ..SQUAD };
    let crew = Man { size: 1, morale: 8, broken_morale: 8, rides: true, own: (1, 0), ..SQUAD };
    [(SQUADS, vec![SQUAD; 2]), (LED, vec![SQUAD, leader]), (MIXED, vec![russian, crew])]
}

/// Numbers of outcomes that are compared: eliminated, reduced, broken, pinned, wounded.
const COUNTED: usize = 5;

/// How many of `stack` an attack has done what to, with those it has left as they stand then.
fn after(stack: &Stack, shot: Shot, weight: u128) -> Dist<(Vec<i32>, Stack)> {
    let mut all = Dist::new();
    for (coloured, white) in pairs() {
        for (stack, weight) in shot.at(stack, coloured, white, split(weight, 36)) {
            let row = outcome(&stack)[..COUNTED].to_vec();
            let living = stack.into_iter().filter(|man| !man.dead).map(|man| Man {
                was_squad: false,
                began_broken: man.broken,
                began_pinned: man.pinned,
                ..man
            });
            add(&mut all, (row, living.collect()), weight);
        }
    }
    all
}

/// The law of both; a wound of the second attack is not told from one of the first by a man who
/// bears one, so it is left out.
fn twice(stack: &Stack, shots: [Shot; 2]) -> Dist<Vec<i32>> {
    let mut rows = Dist::new();
    for ((first, left), weight) in after(stack, shots[0], WHOLE) {
        for ((second, _), weight) in after(&left, shots[1], weight) {
            add(&mut rows, [&first[..], &second[..COUNTED - 1]].concat(), weight);
        }
    }
    rows
}

fn experiment(contest: &str) -> Experiment {
    let text = format!("[[contest]]\nsystem = 'asl'\n{contest}");
    let read = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text);
    read.unwrap_or_else(|error| panic!("{contest}\n{error:?}"))
}

fn exact(contest: &str) -> Answer {
    let mut all = solve_experiment(&experiment(contest), &SolverSettings::for_exact_only())
        .expect("it is small");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn number(answer: &Answer, measure: &str) -> f64 {
    let found = answer.measure_answer_by_name(measure).unwrap_or_else(|| panic!("no {measure}"));
    found.exact.expect("it is exact")
}

fn joint(answer: &Answer, names: &[&str]) -> BTreeMap<Vec<i32>, f64> {
    let place = |name: &&str| {
        let found = answer.fields.iter().position(|field| field.name == **name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let places: Vec<usize> = names.iter().map(place).collect();
    let mut rows = BTreeMap::new();
    for outcome in &answer.outcomes {
        let row = places.iter().map(|place| outcome.values[*place]).collect::<Vec<_>>();
        *rows.entry(row).or_insert(0.0) += outcome.exact.expect("it is exact");
    }
    rows
}

const BOTH: [&str; 2 * COUNTED - 1] = [
    "eliminated",
    "reduced",
    "broken",
    "pinned",
    "wounded",
    "then_eliminated",
    "then_reduced",
    "then_broken",
    "then_pinned",
];

#[test]
fn two_attacks_on_who_is_left_agree_with_brute_force() {
    for (targets, stack) in stacks() {
        for columns in [[4, 2], [6, 6], [9, 1]] {
            let shots = columns.map(|column| Shot { column, ..STILL });
            let [first, then] = columns.map(|column| COLUMNS[column]);
            let text = format!(
                "action = 'fire'\nfp = {first}\n{targets}[[contest.then]]\naction = 'fire'\nfp = {then}\n\
                 carry = ['target']\n"
            );
            let (found, expected) = (joint(&exact(&text), &BOTH), twice(&stack, shots));
            assert_eq!(found.len(), expected.len(), "{text}");
            for (row, weight) in &expected {
                let p = *weight as f64 / WHOLE as f64;
                let close = (found.get(row).copied().unwrap_or(-1.0) - p).abs() < 1e-12;
                assert!(close, "{text}\n{row:?}: {:?}, not {p}", found.get(row));
            }
        }
    }
}

/// A squad of morale 7 takes a Normal Morale Check twice. The first pins it with 7 (6 of 36),
/// breaks it with 8 to 11 (14), and with 12 leaves a broken half-squad. A broken squad loses half
/// with 8 to 11, all with 12; a broken half-squad is eliminated with 8 or more (15); who is not
/// broken comes to the same as at first.
#[test]
fn a_second_check_finds_the_unit_as_the_first_left_it() {
    let check = "action = 'morale-check'\ncheck = 'NMC'\n";
    let text = format!(
        "{check}target = {{ kind = 'squad', morale = 7 }}\n[[contest.then]]\n{check}carry = true\n"
    );
    let answer = exact(&text);
    let whole = 1296.0;
    let expected = [
        ("p_break", 15.0 * 36.0),
        ("then_e_eliminated", 14.0 + 15.0),
        ("then_e_broken", 21.0 * 15.0),
        ("then_e_pinned", 15.0 * 6.0),
    ];
    for (measure, cases) in expected {
        let found = number(&answer, measure);
        assert!((found - cases / whole).abs() < 1e-12, "{measure}: {}", found * whole);
    }
}

/// A half-squad that is left is one of its nation with the numbers printed with it: a check that
/// leaves one with 12, and one more, which it fails above its broken morale; a broken squad is
/// eliminated with 12.
#[test]
fn what_is_left_of_a_squad_has_the_numbers_of_its_half_squad() {
    let rows = include_str!("../../../../../data/asl_squads.tsv").lines();
    let rows = rows.filter(|line| !line.starts_with('#')).skip(1);
    let rows = rows.map(|line| line.split('\t').collect::<Vec<_>>());
    let mut known = 0;
    for row in rows {
        let [nation, squad, .., half, half_broken, _] = row[..] else { panic!("{row:?}") };
        let Ok(half_broken) = half_broken.parse::<i32>() else { continue };
        let morale: i32 = squad.rsplit('-').next().and_then(|n| n.parse().ok()).expect("a number");
        let check = "action = 'morale-check'\ncheck = 'NMC'\n";
        let text = format!(
            "{check}target = {{ unit = '{squad}', nation = '{nation}' }}\n[[contest.then]]\n{check}\
             carry = ['target']\n"
        );
        let above = |level: i32| pairs().filter(|(a, b)| a + b > level).count() as f64;
        let expected = (above(morale) - 1.0 + above(half_broken)) / 1296.0;
        let found = number(&exact(&text), "then_e_eliminated");
        assert!((found - expected).abs() < 1e-12, "{nation} {squad}, {half}: {found}, {expected}");
        known += 1;
    }
    assert!(known > 20, "{known}");
}

/// A German 4-4-7 that fails a check at ELR 0 becomes a 4-3-6 of broken morale 5 (8 to 11, 14 of
/// 36). Its second check halves it with 6 to 11 (25 of 36); an unbroken 4-4-7 (21) is halved with
/// 12 alone.
#[test]
fn a_second_check_finds_the_lower_quality_that_replaced_the_unit() {
    let check = "action = 'morale-check'\ncheck = 'NMC'\n";
    let text = format!(
        "{check}elr = 0\ntarget = {{ unit = '4-4-7', nation = 'German' }}\n[[contest.then]]\n{check}\
         carry = ['target']\n"
    );
    let found: f64 = joint(&exact(&text), &["then_reduced"])
        .into_iter()
        .map(|(row, p)| f64::from(row[0]) * p)
        .sum();
    assert!((found - (14.0 * 25.0 + 21.0) / 1296.0).abs() < 1e-12, "{}", found * 1296.0);
}

/// Their states, and those of their passengers, are more than fields of a target.
#[test]
fn vehicles_are_not_handed_on() {
    let text = "action = 'fire'\nfp = 4\n[[contest.target]]\nvehicle = 'unarmoured'\n\
        [[contest.then]]\naction = 'fire'\nfp = 4\ncarry = ['target']\n";
    let file = format!("[[contest]]\nsystem = 'asl'\n{text}");
    let error =
        Experiment::read_experiment_text(crate::built_in(), "x.toml", &file).expect_err("vehicles");
    let said = crate::sentences(error);
    assert!(said.contains("the remainder of `target` does not fit into its fields"), "{said}");
}

/// Of two squads one is broken: the attack is that of the other alone; with nobody else there is
/// none.
#[test]
fn a_broken_firer_adds_nothing() {
    let attack = |firers: &str| {
        exact(&format!(
            "action = 'fire'\nfirer = [{firers}]\ntarget = {{ kind = 'squad', morale = 7 }}\n"
        ))
    };
    let (whole, broken) =
        ("{ unit = '4-6-7' }", "{ unit = '4-6-7', weapons = ['LMG'], broken = true }");
    let alone = attack(whole);
    let beside = attack(&format!("{whole}, {broken}"));
    for measure in ["p_kill", "p_break", "p_pin"] {
        assert!((number(&alone, measure) - number(&beside, measure)).abs() < 1e-12, "{measure}");
    }
    let none = attack(broken);
    assert_eq!(number(&none, "p_effect"), 0.0);
    assert!(none.notes.iter().any(|note| note.contains("A7.35")), "{:?}", none.notes);
}

/// A squad fires at another one; who is left of it and not broken fires back: with 4 factors, with
/// half of them where it is pinned. Each answer is that of a contest of its own, weighed by how the
/// first attack ends.
#[test]
fn who_is_not_broken_fires_back() {
    let russian = "unit = '4-4-7', nation = 'Russian'";
    let german = "unit = '4-6-7', nation = 'German'";
    let first = format!("action = 'fire'\nfirer = [{{ {german} }}]\ntarget = [{{ {russian} }}]\n");
    let back = format!(
        "{first}[[contest.then]]\naction = 'fire'\ncarry = {{ firer = 'target' }}\n\
         target = [{{ {german} }}]\n"
    );
    let alone = exact(&first);
    let names = ["eliminated", "reduced", "broken", "pinned"];
    let reply = |firer: &str| {
        let text = format!("action = 'fire'\nfirer = [{{ {firer} }}]\ntarget = [{{ {german} }}]\n");
        number(&exact(&text), "p_effect")
    };
    let (whole, half) = (russian.to_owned(), "unit = '2-3-7', nation = 'Russian'".to_owned());
    let pinned = |who: &str| format!("{who}, pinned = true");
    let mut expected = 0.0;
    for (row, p) in joint(&alone, &names) {
        let [eliminated, reduced, broken, is_pinned] = row[..] else { panic!("four") };
        if eliminated + broken > 0 {
            continue;
        }
        let who = if reduced > 0 { &half } else { &whole };
        expected += p * reply(&if is_pinned > 0 { pinned(who) } else { who.clone() });
    }
    let found = number(&exact(&back), "then_p_effect");
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}
