//! Every outcome field and every measure of `asl`, by name, with known dice.
//!
//! The expected values follow from A7.301-A7.309 and A10.3: a check passes at or under the morale
//! level, pins at it, breaks above it; an Original 12 reduces as well.

use crate::asl::play::right;
use crate::d20::measures::counted;

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";
const TRUCK: &str = "[[target]]\nvehicle = 'unarmoured'\n";

fn count(action: &str, text: &str, cases: &[(&[u8], &str)]) {
    let contest = right(action, text);
    for (faces, expected) in cases {
        let found = counted(&contest.combat, faces);
        assert_eq!(found, *expected, "{text} {faces:?}");
    }
}

#[test]
fn morale_checks() {
    count(
        "morale-check",
        &format!("check = '1MC'\n{SQUAD}"),
        &[
            (&[1, 2], " | p_no_effect"),
            (&[3, 3], "pinned | p_pin p_effect e_pinned"),
            (&[3, 4], "broken | p_break p_effect e_broken"),
            (&[6, 6], "reduced broken | p_kill p_break p_effect e_broken"),
        ],
    );
    count(
        "morale-check",
        &format!("check = 'NMC'\n{SQUAD}count = 2"),
        &[
            (&[4, 4, 4, 4], "broken=2 | p_break p_effect e_broken=2"),
            (&[3, 4, 3, 4], "pinned=2 | p_pin p_effect e_pinned=2"),
        ],
    );
    count(
        "morale-check",
        "check = 'NMC'\n[[target]]\nkind = 'crew'\nmorale = 8",
        &[(&[6, 6], "eliminated | p_kill p_effect e_eliminated")],
    );
    count(
        "morale-check",
        "check = 'NMC'\n[[target]]\nkind = 'hero'\nmorale = 9",
        &[
            (&[5, 5, 4], "wounded | p_effect"),
            (&[5, 5, 5], "eliminated | p_kill p_effect e_eliminated"),
        ],
    );
}

#[test]
fn heat_of_battle_and_replacement() {
    count(
        "morale-check",
        &format!("check = 'NMC'\nheat_of_battle = true\n{SQUAD}"),
        &[(&[1, 2], " | p_no_effect"), (&[1, 1], "heat_of_battle | p_no_effect p_heat_of_battle")],
    );
    count(
        "morale-check",
        "check = 'NMC'\nelr = 2\n[[target]]\nunit = '4-6-7'",
        &[
            (&[4, 5], "broken | p_break p_effect e_broken"),
            (&[5, 5], "broken replaced | p_break p_effect e_broken"),
        ],
    );
}

#[test]
fn vehicles_and_guns() {
    // Kill Number 7 on the 8 column.
    count(
        "fire",
        &format!("fp = 8\n{TRUCK}"),
        &[
            (&[3, 5], " | p_no_effect"),
            (&[3, 4], "immobilised | p_effect"),
            (&[2, 4], "destroyed | p_effect p_vehicle_kill"),
            (&[1, 2], "wrecked | p_effect p_vehicle_kill"),
        ],
    );
    count(
        "fire",
        &format!("fp = 4\ndrm = 20\nbreakdown = 12\n{SQUAD}"),
        &[(&[6, 6], "malfunction | p_no_effect")],
    );
    count(
        "rof",
        &format!("fp = 4\nrof = 3\ndrm = 20\ncowers = false\n{SQUAD}"),
        &[
            (&[4, 1], "attacks | p_no_effect e_attacks"),
            (&[3, 1, 4, 1], "attacks=2 | p_no_effect e_attacks=2"),
        ],
    );
}
