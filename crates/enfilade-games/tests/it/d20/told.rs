//! Explanations of `d20`, step by step, with known dice.
//!
//! Numbers and names are those of the quick reference, worked out by hand; the rule of a step is
//! the box that contains it.

use enfilade_model::combat::AnyCombat;
use enfilade_model::dice::ScriptedDice;

use crate::harness::play::{contest, rule_of_step};

/// Returns rule and text of every step with exactly these faces.
fn told(combat: &AnyCombat, faces: &[u8]) -> Vec<String> {
    let mut dice = ScriptedDice::new(faces);
    let mut steps = Vec::new();
    let ending = combat.play_with_step_listener(&mut dice, &mut |_, telling| {
        steps.push(format!("{}: {}", rule_of_step(&telling), telling.text));
        true
    });
    assert!(ending.is_some(), "the contest ends");
    assert_eq!((dice.find_mismatch(), dice.used_face_count()), (None, faces.len()));
    steps
}

fn tells(action: &str, toml: &str, faces: &[u8], expected: &[&str]) {
    let combat = contest("d20", action, toml);
    assert_eq!(told(&combat, faces), expected, "{action} {faces:?}");
}

#[test]
fn spotting_shooting_saving_and_damage() {
    // Firearms 23 adds 3 to each die: 4 reads 7, Pinned; 10 reads 13, a figure.
    tells(
        "shoot",
        "damage_dice = 2\nsaves = true\nfigures = 4\nspot = 21\nfirearms = 23",
        &[12, 19, 3, 4, 10, 20, 1, 20, 1, 5, 2],
        &[
            "SPOTTING, SHOOTING: Character 1 spots with 12 against a modified skill of 21: yes.",
            "SPOTTING, SHOOTING: Character 1 shoots with 19 against a modified skill of 23: yes.",
            "STATUS DAMAGE: Save on 2 or less with 3: no.",
            "STATUS DAMAGE: Damage of 7 on the status table: figures lost 0 in all; the element is Pinned.",
            "STATUS DAMAGE: Damage of 13 on the status table: figures lost 1 in all; the element is Pinned.",
            "SPOTTING, SHOOTING: Character 2 spots with 20 against a modified skill of 21: no.",
            "SPOTTING, SHOOTING: Character 3 spots with 1 against a modified skill of 21: yes.",
            "SPOTTING, SHOOTING: Character 3 shoots with 20 against a modified skill of 23: no.",
            "SPOTTING, SHOOTING: Character 4 spots with 1 against a modified skill of 21: yes.",
            "SPOTTING, SHOOTING: Character 4 shoots with 5 against a modified skill of 23: yes.",
            "STATUS DAMAGE: Save on 2 or less with 2: yes.",
        ],
    );
}

/// The second figure lost is the second in all.
#[test]
fn losses_are_told_in_all() {
    tells(
        "shoot",
        "damage_dice = 1\nspotted = true\nfirearms = 11\nfigures = 2\ntarget_figures = 3",
        &[5, 18, 5, 17],
        &[
            "SPOTTING, SHOOTING: Character 1 shoots with 5 against a modified skill of 11: yes.",
            "STATUS DAMAGE: Damage of 18 on the status table: figures lost 1 in all; the element is Pinned.",
            "SPOTTING, SHOOTING: Character 2 shoots with 5 against a modified skill of 11: yes.",
            "STATUS DAMAGE: Damage of 17 on the status table: figures lost 2 in all; the element is Pinned.",
        ],
    );
}

#[test]
fn damage_without_a_save_or_in_the_danger_zone() {
    // A skill of 20 is nothing over 20. The danger zone's one die comes after the area's two.
    tells(
        "shoot",
        "damage_dice = 2\nspotted = true\nfirearms = 20\ntargets_in_danger_zone = 1\ndamage_reading = 'sum'",
        &[19, 1, 2, 14],
        &[
            "SPOTTING, SHOOTING: Character 1 shoots with 19 against a modified skill of 20: yes.",
            "STATUS DAMAGE: Damage of 3 on the status table: figures lost 0 in all; the element is Hesitant.",
            "STATUS DAMAGE: Damage of 14 on the status table: figures lost 1 in all; the element is Pinned.",
        ],
    );
    tells(
        "shoot",
        "damage_dice = 1\nspotted = true\nfirearms = 11\ndamage_reading = 'best'",
        &[11, 6],
        &[
            "SPOTTING, SHOOTING: Character 1 shoots with 11 against a modified skill of 11: yes.",
            "STATUS DAMAGE: Damage of 6 on the status table: figures lost 0 in all; the element is Hesitant.",
        ],
    );
}

#[test]
fn the_answers_to_an_attack() {
    let shot = "damage_dice = 1\nspotted = true\nfirearms = 11\ntarget_figures = 2\nmorale = 12";
    let missed =
        "SPOTTING, SHOOTING: Character 1 shoots with 12 against a modified skill of 11: no.";
    let one = "INTERRUPT, REACTING: Reaction with 13 against a Morale of 12; failed reactions: 1.";
    tells(
        "interrupt",
        shot,
        &[12, 12, 13],
        &[
            missed,
            "INTERRUPT, REACTING: Reaction with 12 against a Morale of 12; failed reactions: 0.",
            one,
        ],
    );
    tells("interrupt", &format!("{shot}\nreaction = 'element'"), &[12, 13], &[missed, one]);
    // A casualty costs 2 Morale: 11 against 10 fails by 1, and 18 by 8.
    let test = |toggle: &str, face| {
        let combat = contest("d20", "fire-and-morale", &format!("{shot}\n{toggle}"));
        told(&combat, &[11, 13, face])[2].clone()
    };
    assert_eq!(
        test("", 11),
        "FAILED MORALE TEST: Morale roll of 11 against 10: failed by 1, Pinned."
    );
    assert_eq!(
        test("pinned_stays_pinned = false", 18),
        "FAILED MORALE TEST: Morale roll of 18 against 10: failed by 8, Withdraw."
    );
}

#[test]
fn a_surrender_is_told_with_the_roll_that_led_to_it() {
    let shot = "damage_dice = 1\nspotted = true\nfirearms = 11\nenemy_within_4 = true\n";
    let last = |action: &str, more: &str, faces: &[u8]| {
        let steps = told(&contest("d20", action, &format!("{shot}{more}")), faces);
        steps.last().cloned().unwrap_or_default()
    };
    assert_eq!(
        last("shoot", "figures = 2", &[11, 7, 12]),
        "SPOTTING, SHOOTING: Character 2 shoots with 12 against a modified skill of 11: no. An enemy is within 4 inches: the element surrenders."
    );
    assert_eq!(
        last("fire-and-morale", "morale = 12\nsurrender = 'after-failing'", &[11, 7, 13]),
        "FAILED MORALE TEST: Morale roll of 13 against 12: failed by 1, Pinned. An enemy is within 4 inches: the element surrenders."
    );
    tells(
        "morale",
        "morale = 11\nenemy_within_4 = true",
        &[20],
        &[
            "FAILED MORALE TEST: Morale roll of 20 against 11: failed by 9, Pinned. An enemy is within 4 inches: the element surrenders.",
        ],
    );
}

#[test]
fn every_outcome_of_a_morale_roll() {
    let outcomes = [
        (11, "passed"),
        (12, "failed by 1, Let Loose"),
        (14, "failed by 3, Hesitant"),
        (17, "failed by 6, Go Firm"),
        (18, "failed by 7, Withdraw"),
        (20, "failed by 9, Pinned"),
    ];
    for (face, outcome) in outcomes {
        let step = format!("FAILED MORALE TEST: Morale roll of {face} against 11: {outcome}.");
        tells("morale", "morale = 11", &[face], &[&step]);
    }
}

#[test]
fn a_melee_of_two_rounds() {
    // The attackers have 10 + 4 + 4 while they charge, then 10 + 4; a 1 costs the enemy a casualty.
    tells(
        "melee",
        "figures = 2\ntarget_figures = 1\nmelee = 10\ntarget_melee = 10\nrounds = 2",
        &[19, 20, 11, 14, 20, 1],
        &[
            "MELEE COMBAT: Round 1: an attacker rolls 19 against 18: no.",
            "MELEE COMBAT: Round 1: an attacker rolls 20 against 18: no.",
            "MELEE COMBAT: Round 1: a defender rolls 11 against 10: no. \
             After round 1 there are 2 attackers and 1 defenders.",
            "MELEE COMBAT: Round 2: an attacker rolls 14 against 14: yes.",
            "MELEE COMBAT: Round 2: an attacker rolls 20 against 14: no.",
            "MELEE COMBAT: Round 2: a defender rolls 1 against 10: yes. \
             After round 2 there are 0 attackers and 0 defenders.",
        ],
    );
}

#[test]
fn a_grenade_and_a_melee() {
    // The first occupant saves on 2; the second does not and takes both dice.
    tells(
        "building-assault",
        "figures = 2\ntarget_figures = 2\nsaves = true\nmelee = 11\ntarget_melee = 17",
        &[2, 3, 12, 13, 16, 15, 6],
        &[
            "GRENADE ASSAULT PHASE DAMAGE: Save on 2 or less with 2: yes.",
            "GRENADE ASSAULT PHASE DAMAGE: Save on 2 or less with 3: no.",
            "GRENADE ASSAULT PHASE DAMAGE: Grenade: 12. Occupants left 2; stunned: yes; pinned: no.",
            "GRENADE ASSAULT PHASE DAMAGE: Grenade: 13. Occupants left 1; stunned: yes; pinned: yes.",
            "MELEE COMBAT: Round 1: an attacker rolls 16 against 15: no.",
            "MELEE COMBAT: Round 1: an attacker rolls 15 against 15: yes.",
            "MELEE COMBAT: Round 1: a defender rolls 6 against 5: no. \
             After round 1 there are 2 attackers and 0 defenders.",
        ],
    );
}

const ARMOUR: &str = "\n[armour.front]\nhull = 8\nturret = 9";

#[test]
fn a_shot_at_a_vehicle() {
    // Spot 8 + 4, Firearms 11 + 4; a strike of 10 adds 1 to the turret's 9, and 10 must be
    // exceeded.
    let shots = format!("pen = 10\nspot = 8\nfirearms = 11\nfigures = 3{ARMOUR}");
    tells(
        "vehicle",
        &shots,
        &[13, 12, 16, 12, 15, 15, 10],
        &[
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Spotting with 13 against a modified skill of 12: no.",
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Spotting with 12 against a modified skill of 12: yes.",
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Shooting with 16 against a modified skill of 15: no.",
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Spotting with 12 against a modified skill of 12: yes.",
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Shooting with 15 against a modified skill of 15: yes.",
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Location: in the turret: yes.",
            "VEHICLE SPOTTING/SHOOTING, PENETRATION: Strike: 10, which adds 1 to the armour: 10, against a PEN of 10. \
             It does not penetrate: Suppressed.",
        ],
    );
}

#[test]
fn every_row_of_the_penetration_table() {
    let rows: [(&[u8], &[&str]); 6] = [
        (&[5, 15], &["5, Spalling.", "The crew is injured: yes. Passengers lost 0."]),
        (&[6], &["6, Mobility Kill. Passengers lost 0."]),
        (&[10], &["10, Mobility Kill. Passengers lost 0."]),
        (&[11, 15], &["11, Mission Kill.", "Passengers lost 6."]),
        (&[15, 16], &["15, Mission Kill.", "Passengers lost 0."]),
        (&[16], &["16, Catastrophic Kill. Passengers lost 6."]),
    ];
    let plain = "pen = 10\nspotted = true\npassengers = 6\nturret = false";
    let by = "VEHICLE SPOTTING/SHOOTING, PENETRATION: ";
    for (faces, row) in rows {
        let combat = contest("d20", "vehicle", &format!("{plain}{ARMOUR}"));
        let steps = told(&combat, &[&[5, 6], faces].concat());
        let strike = format!("{by}Strike: 6, which adds 1 to the armour: 9, against a PEN of 10.");
        let mut expected = vec![strike, format!("{by}Penetration: {}", row[0])];
        expected.extend(row[1..].iter().map(|more| format!("{by}{more}")));
        assert_eq!(steps[1..], expected);
    }
    // A shift of 1 turns 5 into a Mobility Kill.
    let shifted = contest("d20", "vehicle", &format!("{plain}\npenetration_shift = 1{ARMOUR}"));
    let expected = format!("{by}Penetration: 6, Mobility Kill. Passengers lost 0.");
    assert_eq!(told(&shifted, &[5, 6, 5])[2], expected);
}
