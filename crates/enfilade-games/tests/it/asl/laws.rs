//! Laws of every attack: its size, the direction in which its odds change, and its explanation.

use enfilade_model::dice::Dice;

use crate::asl::play::{Law, law_of, right, size};

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";
const CREW_AND_HERO: &str =
    "[[target]]\nkind = 'crew'\nmorale = 8\n[[target]]\nkind = 'hero'\nmorale = 9\n";
const PLATOON: &str =
    "[[target]]\nkind = 'squad'\nmorale = 7\ncount = 3\n[[target]]\nleader = '8-1'\n";

/// Returns whether anything happened to a target.
fn any_effect(row: &[i32]) -> bool {
    row[..8].iter().any(|n| *n > 0)
}

#[test]
fn contests_stay_small() {
    let cases = [
        (format!("fp = 8\ndrm = -1\n{SQUAD}"), 13, 32),
        (format!("fp = 8\ndrm = -1\n{PLATOON}"), 1500, 5000),
        (format!("fp = 36\ndrm = -1\n{PLATOON}"), 2000, 5000),
    ];
    for (text, states, nodes) in cases {
        let found = size(&right("fire", &text));
        assert!(found.0 <= states && found.1 <= nodes, "{text}: {found:?}");
    }
    for action in &system().actions {
        for text in action.samples.iter() {
            let (states, _) = size(&right(&action.name, text));
            assert!(states <= 5000, "{text}: {states} states");
        }
    }
}

#[test]
fn more_firepower_never_has_less_effect() {
    let standard = ["1", "2", "4", "6", "8", "12", "16", "20", "24", "30", "36"];
    let incremental: Vec<String> = (2..=10)
        .map(|halves| format!("{}.{}", halves / 2, halves % 2 * 5))
        .chain((6..=36).map(|fp| fp.to_string()))
        .collect();
    for targets in [SQUAD, CREW_AND_HERO] {
        for drm in [-3, 0, 2, 5] {
            let law = |table: &str, fp: &str| {
                law_of("fire", &format!("table = '{table}'\nfp = {fp}\ndrm = {drm}\n{targets}"))
            };
            rises(standard.iter().map(|fp| law("ift", fp)));
            rises(incremental.iter().map(|fp| law("iift", fp)));
        }
    }
}

#[test]
fn a_higher_modifier_never_has_more_effect() {
    for targets in [SQUAD, CREW_AND_HERO, PLATOON] {
        for fp in [1, 4, 8, 16, 36] {
            let law = |drm: i32| law_of("fire", &format!("fp = {fp}\ndrm = {drm}\n{targets}"));
            rises((-6..=14).rev().map(law));
        }
    }
}

fn rises(laws: impl Iterator<Item = Law>) {
    let mut before: Option<Law> = None;
    for law in laws {
        if let Some(before) = before {
            assert!(law.at_least(&before, any_effect), "{before:?}\n{law:?}");
        }
        before = Some(law);
    }
}

#[test]
fn higher_morale_never_breaks_more() {
    for fp in [1, 8, 24] {
        let law = |morale: i32| {
            let text =
                format!("fp = {fp}\n[[target]]\nkind = 'squad'\nmorale = {morale}\ncount = 2");
            law_of("fire", &text)
        };
        for morale in 0..12 {
            let (low, high) = (law(morale), law(morale + 1));
            assert!(low.at_least(&high, |row| row[2] > 0), "morale {morale}, fp {fp}");
        }
    }
}

#[test]
fn units_alike_in_one_entry_or_in_several_are_the_same() {
    let one = law_of("fire", &format!("fp = 12\n{PLATOON}"));
    let several =
        law_of("fire", &format!("fp = 12\n[[target]]\nleader = '8-1'\n{SQUAD}{SQUAD}{SQUAD}"));
    assert!(one.equals(&several));
    let (one, several) = (
        size(&right("fire", &format!("fp = 12\n{SQUAD}{SQUAD}"))),
        size(&right("fire", &format!("fp = 12\n{}", SQUAD.replace("7", "7\ncount = 2")))),
    );
    assert_eq!(one, several);
}

#[test]
fn a_unit_by_name_is_the_unit_by_numbers() {
    let named = "fp = 8\n[[target]]\nunit = '4-4-7'\nnation = 'Russian'\nbroken = true";
    let numbers = "fp = 8\n[[target]]\nkind = 'squad'\nmorale = 7\nbroken_morale = 7\n\
                   half_squad_morale = 7\nhalf_squad_broken_morale = 6\nbroken = true";
    assert!(law_of("fire", named).equals(&law_of("fire", numbers)));
    // A German 4-3-6: broken 5, half-squad 2-3-6, broken 4.
    let named = "fp = 20\n[[target]]\nunit = '4-3-6'\nnation = 'German'\ncount = 2\nbroken = true";
    let numbers = "fp = 20\n[[target]]\nkind = 'squad'\nmorale = 6\nbroken_morale = 5\ncount = 2\n\
                   half_squad_morale = 6\nhalf_squad_broken_morale = 4\nbroken = true";
    assert!(law_of("fire", named).equals(&law_of("fire", numbers)));
    // Two squads of the Marines have the same half-squad: 3-4-8, broken 7.
    let named = "fp = 8\n[[target]]\nunit = '3-4-8'\nnation = 'USMC'\nbroken = true";
    let numbers =
        "fp = 8\n[[target]]\nkind = 'half-squad'\nmorale = 8\nbroken_morale = 7\nbroken = true";
    assert!(law_of("fire", named).equals(&law_of("fire", numbers)));
}

/// Small pseudorandom generator for explanations, not for odds.
struct Faces(u64);

impl Dice for Faces {
    fn die(&mut self, sides: u8) -> u8 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(sides)) as u8 + 1
    }
}

fn system() -> &'static enfilade_model::catalogue::System {
    crate::built_in().rulebook_by_id("asl").expect("asl is in the catalogue")
}

#[test]
fn every_step_of_every_sample_is_told() {
    let mut steps = 0;
    for action in &system().actions {
        for text in action.samples.iter() {
            let contest = right(&action.name, text);
            for seed in 0..300 {
                contest.combat.play_with_step_listener(
                    &mut Faces(seed * 7919),
                    &mut |rolls, telling| {
                        assert!(telling.rule.starts_with('A'), "{text}: {rolls:?} {telling:?}");
                        assert!(telling.text.ends_with('.'), "{text}: {rolls:?} {telling:?}");
                        steps += 1;
                        true
                    },
                );
            }
        }
    }
    assert!(steps > 10_000, "{steps} steps");
}
