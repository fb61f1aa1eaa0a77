//! Distributions of `asl` and of the brute force in [`crate::asl::oracle`], over every column of
//! the table.

use std::collections::BTreeMap;

use dashu_int::UBig;

use crate::asl::oracle::{COLUMNS, Man, SQUAD, STILL, Shot, Stack, WHOLE, oracle, outcome, suffer};
use crate::asl::play::{Law, law_of};

/// Returns equal targets as a contest and as a list.
fn stacks() -> Vec<(&'static str, Stack)> {
    let squad = "[[target]]\nkind = 'squad'\nmorale = 7\n";
    let russians = "[[target]]\nunit = '4-4-7'\nnation = 'Russian'\ncount = 3\n";
    let russian = Man { half_broken: 6, ..SQUAD };
    let leader = Man { size: 0, morale: 9, broken_morale: 9, leads: Some(-1), ..SQUAD };
    let poor = Man { size: 0, morale: 6, broken_morale: 6, leads: Some(1), ..SQUAD };
    let hero = Man { size: 0, morale: 9, broken_morale: 9, hero: true, ..SQUAD };
    let crew =
        Man { size: 1, morale: 8, broken_morale: 7, began_pinned: true, pinned: true, ..SQUAD };
    let conscript = Man {
        morale: 6,
        broken_morale: 5,
        half_morale: 6,
        half_broken: 4,
        began_broken: true,
        broken: true,
        ..SQUAD
    };
    let of_twelve =
        Man { morale: 12, broken_morale: 12, half_morale: 12, half_broken: 12, ..SQUAD };
    let of_ten = Man { size: 0, morale: 10, broken_morale: 10, ..SQUAD };
    vec![
        (squad, vec![SQUAD]),
        (
            "[[target]]\nkind = 'squad'\nmorale = 12\n[[target]]\nleader = '10-3'\n",
            vec![Man { leads: Some(-3), ..of_ten }, of_twelve],
        ),
        ("[[target]]\nleader = '9-1'\n", vec![leader]),
        (
            "[[target]]\nunit = '4-3-6'\nnation = 'German'\nbroken = true\n\
             [[target]]\nkind = 'hero'\nmorale = 9\n",
            vec![conscript, hero],
        ),
        (
            "[[target]]\nkind = 'crew'\nmorale = 8\nbroken_morale = 7\npinned = true\n\
             [[target]]\nleader = '6+1'\n",
            vec![poor, crew],
        ),
        (
            "[[target]]\nleader = '9-1'\n[[target]]\nunit = '4-4-7'\nnation = 'Russian'\n\
             [[target]]\nleader = '6+1'\n",
            vec![leader, poor, russian],
        ),
        (russians, vec![russian; 3]),
        (
            "[[target]]\nleader = '9-1'\n[[target]]\nunit = '4-4-7'\nnation = 'Russian'\ncount = 3\n",
            vec![leader, russian, russian, russian],
        ),
        (
            "[[target]]\nleader = '9-1'\ncount = 2\n[[target]]\nkind = 'hero'\nmorale = 9\n\
             [[target]]\nunit = '4-3-6'\nnation = 'German'\nbroken = true\n",
            vec![leader, leader, hero, conscript],
        ),
    ]
}

/// Returns leaders who are better, or worse, when broken, and a crew.
fn lost_leaders() -> (&'static str, Stack) {
    let leader = Man { size: 0, ..SQUAD };
    (
        "[[target]]\nkind = 'leader'\nmorale = 9\nbroken_morale = 5\nleadership = -2\n\
         [[target]]\nkind = 'leader'\nmorale = 8\nbroken_morale = 9\n\
         [[target]]\nkind = 'crew'\nmorale = 7\n",
        vec![
            Man { leads: Some(-2), morale: 9, broken_morale: 5, ..leader },
            Man { leads: Some(0), morale: 8, broken_morale: 9, ..leader },
            Man { size: 1, ..SQUAD },
        ],
    )
}

/// Checks that the contest with these fields beside firepower, modifiers and targets has the
/// oracle's distribution for this shot.
fn agree(targets: &str, stack: &Stack, fields: &str, shot: Shot) {
    let text = format!("fp = {}\n{fields}\n{targets}", COLUMNS[shot.column]);
    let (found, expected) = (law_of("fire", &text), oracle(stack, shot));
    assert!(found.equals(&expected), "{text}\n{found:?}\n{expected:?}");
}

#[test]
fn every_column_and_modifier_agrees_on_small_stacks() {
    for (targets, stack) in stacks().into_iter().filter(|(_, stack)| stack.len() <= 2) {
        for column in 0..11 {
            for drm in -6..=8 {
                let shot = Shot { column, drm, cowers: 1, loss: true, ..STILL };
                agree(targets, &stack, &format!("drm = {drm}"), shot);
            }
        }
    }
}

#[test]
fn every_column_agrees_on_large_stacks() {
    for (targets, stack) in stacks().into_iter().filter(|(_, stack)| stack.len() > 2) {
        for column in 0..11 {
            // Low columns need low DRs to have results at all.
            let drm = (column as i32 - 5).clamp(-3, 4);
            let shot = Shot { column, drm, cowers: 1, loss: true, ..STILL };
            agree(targets, &stack, &format!("drm = {drm}"), shot);
        }
    }
}

#[test]
fn cowering_and_leaders_agree_when_switched() {
    for (targets, stack) in stacks() {
        for (column, drm) in [(0, -1), (4, -1), (9, 2)] {
            let cases = [
                ("cowers = false", 0, true, 0),
                ("inexperienced = true", 2, true, 0),
                ("leader_loss = false", 1, false, 0),
                ("leader = '9-2'", 0, true, -2),
                ("leader = '8-0'", 0, true, 0),
            ];
            for (field, cowers, loss, led) in cases {
                let shot = Shot { column, drm: drm + led, cowers, loss, ..STILL };
                agree(targets, &stack, &format!("drm = {drm}\n{field}"), shot);
            }
        }
    }
}

#[test]
fn every_morale_check_agrees() {
    let checks =
        [("PTC", "P"), ("NMC", "0M"), ("1MC", "1M"), ("2MC", "2M"), ("3MC", "3M"), ("4MC", "4M")];
    for (targets, stack) in stacks().into_iter().chain([lost_leaders()]) {
        for (name, result) in checks {
            let text = format!("check = '{name}'\n{targets}");
            let mut rows: BTreeMap<Vec<i32>, UBig> = BTreeMap::new();
            for (stack, weight) in suffer(&stack, result, WHOLE, true) {
                *rows.entry(outcome(&stack)).or_default() += UBig::from(weight);
            }
            let whole = UBig::from(WHOLE);
            let expected = Law { whole, rows };
            let found = law_of("morale-check", &text);
            assert!(found.equals(&expected), "{text}\n{found:?}\n{expected:?}");
        }
    }
}
