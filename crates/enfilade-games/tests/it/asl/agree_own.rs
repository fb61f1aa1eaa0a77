//! Distributions of `asl` and of the brute force in [`crate::asl::oracle`] for modifiers of one
//! unit (A7.6, A7.308 EX): a foxhole beside Open Ground, heroism, immunity to pins; and for
//! different attacks, one after another on the same targets (A7.31, A7.32).

use crate::asl::oracle::{COLUMNS, Man, SQUAD, STILL, Shot, Stack, oracle};
use crate::asl::oracle_series::one_by_one;
use crate::asl::play::{contest, law_of};

const MOVING: &str = "[[target]]\nkind = 'squad'\nmorale = 7\nmodifiers = ['FFMO', 'FFNAM']\n";
const DUG_IN: &str = "[[target]]\nkind = 'squad'\nmorale = 7\nmodifiers = ['Foxhole']\n";
const PLAIN: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";
const LEADER: Man = Man { size: 0, morale: 9, broken_morale: 9, leads: Some(-1), ..SQUAD };

/// FFMO and FFNAM are -1 each and end when a unit is pinned; a foxhole is +2.
fn stacks() -> Vec<(String, Stack)> {
    let moving = Man { own: (0, -2), ..SQUAD };
    let dug_in = Man { own: (2, 0), ..SQUAD };
    let heroic = Man { hero: true, ..LEADER };
    let crew = Man { size: 1, morale: 8, broken_morale: 8, ..SQUAD };
    let cavalry = Man { rides: true, own: (1, 0), ..crew };
    let broken = "leader = '9-1'\n";
    vec![
        (format!("{MOVING}{DUG_IN}"), vec![moving, dug_in]),
        (format!("{PLAIN}{MOVING}count = 2\n"), vec![SQUAD, moving, moving]),
        (format!("{PLAIN}[[target]]\n{broken}heroic = true\n"), vec![heroic, SQUAD]),
        (
            format!("{DUG_IN}[[target]]\n{broken}drm = -1\n"),
            vec![Man { own: (-1, 0), ..LEADER }, dug_in],
        ),
        (
            format!("{PLAIN}[[target]]\nkind = 'crew'\nmorale = 8\ncannot_pin = true\ndrm = 1\n"),
            vec![SQUAD, cavalry],
        ),
    ]
}

#[test]
fn every_column_agrees_where_units_have_modifiers_of_their_own() {
    for (targets, stack) in stacks() {
        for (column, fp) in COLUMNS.iter().enumerate() {
            for (how, apart) in [("together", false), ("apart", true)] {
                let drm = column as i32 / 2 - 1;
                let shot = Shot { column, drm, apart, ..STILL };
                let text = format!("fp = {fp}\ndrm = {drm}\nrandom_selection = '{how}'\n{targets}");
                let (found, expected) = (law_of("fire", &text), oracle(&stack, shot));
                assert!(found.equals(&expected), "{text}\n{found:?}\n{expected:?}");
            }
        }
    }
}

/// 8 firepower, then twice 4 with a leader of -1, who keeps them from cowering; the woods are +1
/// for all.
#[test]
fn attacks_that_differ_agree_one_after_another() {
    for (targets, stack) in stacks() {
        let first = Shot { column: 4, drm: 1, ..STILL };
        let led = Shot { column: 2, drm: 0, cowers: 0, ..STILL };
        let tables = "[[attack]]\nfp = 4\nleader = '8-1'\ntimes = 2\n";
        let own = format!("fp = 8\nmodifiers = ['Woods']\n{tables}{targets}");
        let listed = format!("modifiers = ['Woods']\n[[attack]]\nfp = 8\n{tables}{targets}");
        let expected = one_by_one(stack, &[first, led, led]);
        for text in [own, listed] {
            assert!(law_of("fire", &text).equals(&expected), "{text}");
        }
    }
}

/// Less than 1 firepower is no attack, and leaves those before and behind it as they are.
#[test]
fn an_attack_that_is_none_is_left_out() {
    let text = format!("[[attack]]\nfp = 8\n[[attack]]\nfp = 0\n[[attack]]\nfp = 2\n{PLAIN}");
    let shots = [4, 1].map(|column| Shot { column, ..STILL });
    assert!(law_of("fire", &text).equals(&one_by_one(vec![SQUAD], &shots)));
    let notes = contest("fire", &text).expect("it can be asked").notes;
    assert!(notes.iter().any(|note| note.starts_with("no attack")), "{notes:?}");
}

#[test]
fn what_belongs_to_an_attack_or_to_vehicles_is_told() {
    let faults = |text: &str| match contest("fire", text) {
        Ok(_) => panic!("{text} is refused"),
        Err(faults) => faults,
    };
    let text = format!("leader = '9-1'\nrange = 3\n[[attack]]\nfp = 8\n{PLAIN}");
    let told = faults(&text);
    assert_eq!(told.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["leader", "range"]);
    assert_eq!(told[0].help.as_deref(), Some("write `leader` into [[contest.attack]]"));
    let twice = format!("fp = 8\nmodifiers = ['FFMO']\n{MOVING}");
    assert_eq!(faults(&twice)[0].path, "target[0].modifiers");
    let truck = "fp = 8\n[[target]]\nvehicle = 'unarmoured'\nmodifiers = ['Woods']\n";
    let help = faults(truck)[0].help.clone().expect("there is advice");
    assert!(help.contains("`vehicle_drm`"), "{help}");
    assert_eq!(faults(&format!("fp = 8\n{PLAIN}heroic = true\n"))[0].path, "target[0].heroic");
}

/// A7.21: only the contest can decide whether fire at an adjacent hex is Point Blank.
#[test]
fn adjacent_fire_that_is_not_point_blank_is_remarked() {
    let notes = |more: &str| {
        let text = format!("[[firer]]\nfp = 4\nnormal_range = 6\n{more}\n{PLAIN}");
        contest("fire", &text).expect("it can be asked").notes.join("; ")
    };
    for more in ["range = 1", "range = 0"] {
        assert!(notes(more).contains("A7.21"), "{more}");
    }
    for more in ["range = 2", "range = 1\npoint_blank = true", "range = 1\npoint_blank = false"] {
        assert_eq!(notes(more), "", "{more}");
    }
}
