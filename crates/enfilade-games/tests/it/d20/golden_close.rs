//! `d20` hand to hand and against vehicles, with known dice and modifier by modifier.

use crate::harness::play::{contest, play_scripted};
use crate::harness::walk::compute_measure;

#[test]
fn melee_outcomes() {
    let fields = ["attacker_casualties", "defender_casualties", "deadlock"];
    // Melee 10 against 10, charging: attackers 14 + 4 for one figure more = 18.
    let combat =
        contest("d20", "melee", "figures = 2\ntarget_figures = 1\nmelee = 10\ntarget_melee = 10");
    assert_eq!(play_scripted(&combat, &[18, 19, 11], &fields), [0, 1, 0]);
    assert_eq!(play_scripted(&combat, &[19, 19, 10], &fields), [1, 0, 0]);
    // Equal and the defender outnumbered: one each.
    assert_eq!(play_scripted(&combat, &[18, 19, 10], &fields), [1, 1, 1]);
    // All miss: nothing. A natural 1 of the beaten side still costs the winner one.
    assert_eq!(play_scripted(&combat, &[19, 20, 11], &fields), [0, 0, 0]);
    assert_eq!(play_scripted(&combat, &[2, 3, 1], &fields), [1, 1, 0]);
    assert_eq!(play_scripted(&combat, &[1, 1, 20], &fields), [0, 1, 0]);
    // Two rounds: no charge in the second (10 + 4 = 14).
    let two = contest(
        "d20",
        "melee",
        "figures = 2\ntarget_figures = 1\nmelee = 10\ntarget_melee = 10\nrounds = 2",
    );
    assert_eq!(play_scripted(&two, &[19, 20, 11, 14, 20, 20], &fields), [0, 1, 0]);
    assert_eq!(play_scripted(&two, &[19, 20, 11, 15, 20, 20], &fields), [0, 0, 0]);
    // An even deadlock costs neither side anything.
    let even =
        contest("d20", "melee", "figures = 1\ntarget_figures = 1\nmelee = 10\ntarget_melee = 10");
    assert_eq!(play_scripted(&even, &[14, 10], &fields), [0, 0, 1]);
}

#[test]
fn every_modifier_of_melee() {
    // One against one, melee 10 each: faces of the attacker or defender that succeed, found from
    // the chance that the attacker alone, or the defender alone, is lost.
    let succeeding = |line: &str, attacker: bool| {
        let toml = format!(
            "figures = 1\ntarget_figures = 1\nmelee = 8\ntarget_melee = 8\ncharging = false\n{line}"
        );
        let combat = contest("d20", "melee", &toml);
        let hits = |face: u8| {
            let faces = if attacker { [face, 20] } else { [20, face] };
            play_scripted(&combat, &faces, &["attacker_casualties", "defender_casualties"])
                .iter()
                .sum::<i32>()
                > 0
        };
        (1..=20).filter(|&face| hits(face)).count() as i32
    };
    let lines = [
        ("", 0, 0),
        ("attacker_suppressed = true", -6, 0),
        ("attacker_hesitant = 'morale'", -2, 0),
        ("attacker_hesitant = 'damage'", -4, 0),
        ("attacker_pinned = true", -6, 0),
        ("target_suppressed = true", 0, -6),
        ("target_hesitant = 'morale'", 0, -2),
        ("target_hesitant = 'damage'", 0, -4),
        ("target_pinned = true", 0, -6),
        ("attacker_smgs = 1", 4, 0),
        ("target_smgs = 1", 0, 4),
        ("numbers = { melee_hesitant = -3 }\ntarget_hesitant = 'morale'", 0, -3),
        (
            "numbers = { state_pinned = -1 }\ntarget_pinned = true\ntarget_hesitant = 'morale'",
            0,
            -3,
        ),
    ];
    for (line, attacker, defender) in lines {
        assert_eq!(succeeding(line, true), 8 + attacker, "{line}");
        assert_eq!(succeeding(line, false), 8 + defender, "{line}");
    }
}

#[test]
fn the_largest_numbers_a_form_takes_are_played() {
    let toml = "figures = 20\ntarget_figures = 20\n\
                numbers = { melee_one_casualties = 40, melee_casualties = 40, melee_deadlock_casualties = 40 }";
    let combat = contest("d20", "melee", toml);
    let fields = ["attacker_casualties", "defender_casualties"];
    assert_eq!(play_scripted(&combat, &[1; 40], &fields), [20, 20]);
}

#[test]
fn building_assault_with_known_dice() {
    let fields = ["attacker_casualties", "defender_casualties", "deadlock", "stunned", "pinned"];
    let combat = contest(
        "d20",
        "building-assault",
        "figures = 2\ntarget_figures = 2\nmelee = 11\ntarget_melee = 14",
    );
    // First occupant lost, once; the second Stunned, and Pinned by the loss: 14 - 6 - 6 = 2,
    // attackers 15.
    let faces = [13, 20, 12, 1, 15, 16, 3];
    assert_eq!(play_scripted(&combat, &faces, &fields), [0, 2, 0, 0, 0]);
    let faces = [20, 13, 12, 1, 16, 16, 2];
    assert_eq!(play_scripted(&combat, &faces, &fields), [1, 1, 0, 1, 1]);
    // No one is lost: Stunned alone, 14 - 6 = 8.
    let faces = [12, 1, 1, 1, 12, 12, 8, 9];
    assert_eq!(play_scripted(&combat, &faces, &fields), [1, 0, 0, 1, 0]);
    // Both are lost to the grenade: no one is left to fight.
    assert_eq!(play_scripted(&combat, &[13, 1, 1, 13], &fields), [0, 2, 0, 0, 0]);
    let stunning = contest(
        "d20",
        "building-assault",
        "figures = 2\ntarget_figures = 2\nmelee = 11\ntarget_melee = 14\ngrenade_pins = false",
    );
    let faces = [20, 13, 12, 1, 16, 16, 8];
    assert_eq!(play_scripted(&stunning, &faces, &fields), [1, 1, 0, 1, 0]);
    let saving = contest(
        "d20",
        "building-assault",
        "figures = 2\ntarget_figures = 1\nsaves = true\nmelee = 11\ntarget_melee = 11",
    );
    assert_eq!(play_scripted(&saving, &[2, 16, 16, 12], &fields), [0, 0, 0, 0, 0]);
    // The die that does not fell the first occupant stuns the second, who saved, in either order.
    let saving = contest(
        "d20",
        "building-assault",
        "figures = 2\ntarget_figures = 2\nsaves = true\nmelee = 11\ntarget_melee = 11",
    );
    for [first, second] in [[13, 12], [12, 13]] {
        let faces = [3, first, second, 2, 16, 16, 6];
        assert_eq!(play_scripted(&saving, &faces, &fields), [0, 1, 0, 1, 1]);
    }
}

const ARMOUR: &str = "\n[armour.front]\nhull = 8\nturret = 9\n[armour.side]\nhull = 6\nturret = 7";

#[test]
fn every_modifier_of_vehicles() {
    let faces_of = |line: &str, spotted: bool| {
        let skills =
            if spotted { "spotted = true\nfirearms = 10" } else { "spot = 10\nfirearms = 40" };
        let combat = contest("d20", "vehicle", &format!("pen = 10\n{skills}\n{line}{ARMOUR}"));
        let faces = compute_measure(&combat, "p_hit") * if spotted { 20.0 } else { 400.0 / 19.0 };
        faces.round() as i32
    };
    let lines = [
        ("", 4, 4),
        ("target_moving = true", 8, 0),
        ("fired_main_weapon = true", 10, 4),
        ("in_cover = true", -2, -2),
        // "Cover/ Concealed -6/-6": one line of the table, once.
        ("concealed = true", -2, -2),
        ("in_cover = true\nconcealed = true", -2, -2),
        ("hidden = true\nspot_modifier = 10\nshoot_modifier = 10", -1, -1),
        ("smoke = true", -6, -6),
        ("open_topped = true", 8, 8),
        ("attacker_moving = true\nattacker_vehicle = true", 8, -6),
        ("attacker_moving = true\nattacker_vehicle = true\nattacker_moving_spot = -4", 0, -6),
        ("attacker_moving = true", 0, 0),
        ("attacker_higher = true", 8, 8),
        ("attacker_lower = true", 2, 2),
        ("extra_ap = 1", 4, 8),
        ("extra_ap = 1\nextra_ap_on = 'both'", 8, 8),
        ("attacker_hesitant = 'damage'", 0, 0),
    ];
    for (line, spot, shoot) in lines {
        assert_eq!(faces_of(line, false), (10 + spot).clamp(1, 19), "spot {line}");
        assert_eq!(faces_of(line, true), (10 + shoot).clamp(1, 19), "shoot {line}");
    }
}

#[test]
fn location_strike_and_penetration_with_known_dice() {
    let with = |line: &str| {
        contest("d20", "vehicle", &format!("spotted = true\nfirearms = 15\n{line}{ARMOUR}"))
    };
    let fields = ["hit", "penetrated", "suppressed"];
    // PEN must exceed: 9 against hull 8 penetrates on a direct hit; 8 does not, but on a 20 does.
    let nine = with("pen = 9");
    assert_eq!(play_scripted(&nine, &[5, 14, 11, 16], &fields), [1, 1, 0]);
    assert_eq!(play_scripted(&nine, &[5, 15, 11], &fields), [1, 0, 1]);
    assert_eq!(play_scripted(&nine, &[5, 14, 10], &fields), [1, 0, 1]);
    assert_eq!(play_scripted(&nine, &[20], &fields), [0, 0, 0]);
    let strikes = [(1, 3), (2, 2), (5, 2), (6, 1), (10, 1), (11, 0), (19, 0), (20, -1)];
    for (face, added) in strikes {
        let pen = |pen: i32| with(&format!("pen = {pen}"));
        assert_eq!(play_scripted(&pen(8 + added), &[5, 1, face], &fields), [1, 0, 1], "{face}");
        assert_eq!(play_scripted(&pen(9 + added), &[5, 1, face, 16], &fields), [1, 1, 0], "{face}");
    }
    let side = with("pen = 7\nfacing = 'side'\nturret = false");
    assert_eq!(play_scripted(&side, &[5, 11, 16], &fields), [1, 1, 0]);
}

#[test]
fn the_penetration_table_with_its_sub_rolls() {
    let fields = [
        "spalling",
        "crew_injured",
        "mobility_kill",
        "mission_kill",
        "catastrophic",
        "suppressed",
        "passengers_lost",
        "disembarked",
    ];
    let with = |line: &str| {
        contest(
            "d20",
            "vehicle",
            &format!("pen = 20\nspotted = true\npassengers = 6\n{line}{ARMOUR}"),
        )
    };
    let combat = with("");
    let after = |rolls: &[u8]| play_scripted(&combat, &[&[5, 1, 11], rolls].concat(), &fields);
    assert_eq!(after(&[5, 15]), [1, 1, 0, 0, 0, 1, 0, 1]);
    assert_eq!(after(&[1, 16]), [1, 0, 0, 0, 0, 1, 0, 1]);
    assert_eq!(after(&[6]), [0, 0, 1, 0, 0, 1, 0, 1]);
    assert_eq!(after(&[10]), [0, 0, 1, 0, 0, 1, 0, 1]);
    assert_eq!(after(&[11, 15]), [0, 0, 0, 1, 0, 0, 6, 0]);
    assert_eq!(after(&[15, 16]), [0, 0, 0, 1, 0, 0, 0, 1]);
    assert_eq!(after(&[16]), [0, 0, 0, 0, 1, 0, 6, 0]);
    let shifted = with("penetration_shift = 1");
    assert_eq!(play_scripted(&shifted, &[5, 1, 11, 15], &fields)[4], 1);
    let excess = with("firearms = 19\nexcess_on_penetration = true");
    // 19 + 4 for a vehicle is 23: three over 20, so a 13 is read as a 16.
    assert_eq!(play_scripted(&excess, &[5, 1, 11, 13], &fields)[4], 1);
}
