//! Distributions of `asl` and of the brute force in [`crate::asl::oracle`] for stacks with pinned
//! units (A7.83), and for attacks one after another that pin some of them.

use crate::asl::oracle::{COLUMNS, Man, SQUAD, STILL, Shot, Stack, oracle};
use crate::asl::oracle_series::volleys;
use crate::asl::play::{Law, law_of};

/// Moving Russian squad, and a pinned one.
pub const PAIR: &str = "[[target]]\nunit = '4-4-7'\nnation = 'Russian'\n\
                        [[target]]\nunit = '4-4-7'\nnation = 'Russian'\npinned = true\n";

const RUSSIAN: Man = Man { half_broken: 6, ..SQUAD };

const LEADER: Man = Man { size: 0, morale: 9, broken_morale: 9, leads: Some(-1), ..SQUAD };

const HERO: Man = Man { size: 0, morale: 9, broken_morale: 9, hero: true, ..SQUAD };

const BROKEN: Man = Man { began_broken: true, broken: true, ..SQUAD };

fn pinned(man: Man) -> Man {
    Man { began_pinned: true, pinned: true, ..man }
}

/// Returns the expected number of broken units, the chance that one breaks, and the expected number
/// of pinned ones.
pub fn measures(law: &Law) -> [f64; 3] {
    let whole = law.whole.to_f64().value();
    let mean = |of: &dyn Fn(&[i32]) -> i32| -> f64 {
        let rows = law.rows.iter();
        let each = rows.map(|(row, weight)| f64::from(of(row)) * weight.to_f64().value());
        each.sum::<f64>() / whole
    };
    [mean(&|row| row[2]), mean(&|row| i32::from(row[2] > 0)), mean(&|row| row[3])]
}

/// Returns equal targets as a contest and as a list.
fn stacks() -> Vec<(String, Stack)> {
    let squad = |fields: &str| format!("[[target]]\nkind = 'squad'\nmorale = 7\n{fields}\n");
    let leader = |fields: &str| format!("[[target]]\nleader = '9-1'\n{fields}\n");
    let hero = "[[target]]\nkind = 'hero'\nmorale = 9\n";
    vec![
        (PAIR.to_owned(), vec![RUSSIAN, pinned(RUSSIAN)]),
        (squad("count = 2") + &squad("pinned = true"), vec![SQUAD, SQUAD, pinned(SQUAD)]),
        (squad("pinned = true\ncount = 2") + &squad(""), vec![SQUAD, pinned(SQUAD), pinned(SQUAD)]),
        (leader("") + &squad("pinned = true"), vec![LEADER, pinned(SQUAD)]),
        (
            leader("pinned = true") + &squad("") + &squad("broken = true"),
            vec![pinned(LEADER), SQUAD, BROKEN],
        ),
        (
            leader("") + &leader("pinned = true") + &squad("") + &squad("pinned = true"),
            vec![LEADER, pinned(LEADER), SQUAD, pinned(SQUAD)],
        ),
        (
            hero.to_owned() + &squad("pinned = true") + &squad("broken = true"),
            vec![HERO, pinned(SQUAD), BROKEN],
        ),
    ]
}

#[test]
fn every_column_agrees_where_some_are_pinned() {
    for (targets, stack) in stacks() {
        for (column, fp) in COLUMNS.iter().enumerate() {
            // Both Final DRs among the killing lines, across them, and below them.
            for drm in [-3, column as i32 / 2, column as i32 - 2] {
                for (named, moving) in [("'FFMO'", -1), ("'FFMO', 'FFNAM'", -2)] {
                    for (how, apart) in [("together", false), ("apart", true)] {
                        let shot = Shot { column, drm, moving, apart, ..STILL };
                        let text = format!(
                            "fp = {fp}\ndrm = {drm}\nmodifiers = [{named}]\n\
                             random_selection = '{how}'\n{targets}"
                        );
                        let (found, expected) = (law_of("fire", &text), oracle(&stack, shot));
                        assert!(found.equals(&expected), "{text}\n{found:?}\n{expected:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn attacks_on_a_stack_that_moves_agree_one_after_another() {
    let two = "[[target]]\nunit = '4-4-7'\nnation = 'Russian'\ncount = 2\n".to_owned();
    let led = "[[target]]\nleader = '9-1'\n[[target]]\nkind = 'squad'\nmorale = 7\n".to_owned();
    let mut contests = vec![(two, vec![RUSSIAN, RUSSIAN]), (led, vec![LEADER, SQUAD])];
    contests.extend(stacks().into_iter().take(4));
    for (targets, stack) in contests {
        for (column, drm, attacks) in [(1, 2, 2), (4, 1, 2), (0, 1, 3), (8, 3, 2)] {
            for (how, apart) in [("together", false), ("apart", true)] {
                let shot = Shot { column, drm, moving: -2, apart, ..STILL };
                let text = format!(
                    "fp = {}\ndrm = {drm}\nattacks = {attacks}\nmodifiers = ['FFMO', 'FFNAM']\n\
                     random_selection = '{how}'\n{targets}",
                    COLUMNS[column]
                );
                let expected = volleys(stack.clone(), shot, attacks);
                assert!(law_of("fire", &text).equals(&expected), "{text}");
            }
        }
    }
}
