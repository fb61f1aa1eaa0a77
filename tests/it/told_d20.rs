//! What a reader is told of `d20`, step by step, with known dice.
//!
//! Numbers and names are those of the quick reference, worked out by hand; the rule named with a step
//! is the box it stands in.

use enfilade::combat::AnyCombat;
use enfilade::dice::Scripted;

use crate::walk_aic::contest;

/// Rule and text of every step with exactly these faces.
fn told(combat: &AnyCombat, faces: &[u8]) -> Vec<String> {
    let mut dice = Scripted::new(faces);
    let mut steps = Vec::new();
    let ending = combat.narrate(&mut dice, &mut |_, telling| {
        steps.push(format!("{}: {}", telling.rule, telling.text));
        true
    });
    assert!(ending.is_some(), "the contest ends");
    assert_eq!((dice.misfit(), dice.used()), (None, faces.len()));
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
            "SPOTTING: Character 1 spots: d20 shows 12 against a modified skill of 21: success.",
            "SHOOTING: Character 1 shoots: d20 shows 19 against a modified skill of 23: success. \
             The skill is 3 over 20, which is added to each damage die.",
            "STATUS DAMAGE: Save: d20 shows 3, 2 or less is needed: failed. Damage: d20 shows 4, +3, \
             read on the status table. Figures lost 0, 0 in all; the element is Pinned.",
            "STATUS DAMAGE: Damage: d20 shows 10, +3, read on the status table. \
             Figures lost 1, 1 in all; the element is Pinned.",
            "SPOTTING: Character 2 spots: d20 shows 20 against a modified skill of 21: failure.",
            "SPOTTING: Character 3 spots: d20 shows 1 against a modified skill of 21: success.",
            "SHOOTING: Character 3 shoots: d20 shows 20 against a modified skill of 23: failure.",
            "SPOTTING: Character 4 spots: d20 shows 1 against a modified skill of 21: success.",
            "SHOOTING: Character 4 shoots: d20 shows 5 against a modified skill of 23: success. \
             The skill is 3 over 20, which is added to each damage die.",
            "SAVE: Save: d20 shows 2, 2 or less is needed: the hit is ignored.",
        ],
    );
}

/// The second figure lost is the second in all.
#[test]
fn losses_are_told_one_by_one_and_in_all() {
    let hit = "d20 shows 5 against a modified skill of 11: success.";
    let (first, second) = (
        format!("SHOOTING: Character 1 shoots: {hit}"),
        format!("SHOOTING: Character 2 shoots: {hit}"),
    );
    tells(
        "shoot",
        "damage_dice = 1\nspotted = true\nfirearms = 11\nfigures = 2\ntarget_figures = 3",
        &[5, 18, 5, 17],
        &[
            &first,
            "STATUS DAMAGE: Damage: d20 shows 18, read on the status table. \
             Figures lost 1, 1 in all; the element is Pinned.",
            &second,
            "STATUS DAMAGE: Damage: d20 shows 17, read on the status table. \
             Figures lost 1, 2 in all; the element is Pinned.",
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
            "SHOOTING: Character 1 shoots: d20 shows 19 against a modified skill of 20: success.",
            "STATUS DAMAGE: Damage: d20 shows 1, added to the character's dice, whose sum is read. \
             Figures lost 0, 0 in all; the element is steady.",
            "STATUS DAMAGE: Damage: d20 shows 2, added to the character's dice, whose sum is read. \
             Figures lost 0, 0 in all; the element is Hesitant.",
            "STATUS DAMAGE: Damage: d20 shows 14, added to the character's dice, whose sum is read. \
             Figures lost 1, 1 in all; the element is Pinned.",
        ],
    );
    tells(
        "shoot",
        "damage_dice = 1\nspotted = true\nfirearms = 11\ndamage_reading = 'best'",
        &[11, 6],
        &[
            "SHOOTING: Character 1 shoots: d20 shows 11 against a modified skill of 11: success.",
            "STATUS DAMAGE: Damage: d20 shows 6, the character's highest die is read. \
             Figures lost 0, 0 in all; the element is Hesitant.",
        ],
    );
}

#[test]
fn the_answers_to_an_attack() {
    let shot = "damage_dice = 1\nspotted = true\nfirearms = 11\ntarget_figures = 2\nmorale = 12";
    let missed =
        "SHOOTING: Character 1 shoots: d20 shows 12 against a modified skill of 11: failure.";
    tells(
        "interrupt",
        shot,
        &[12, 12, 13],
        &[
            missed,
            "INTERRUPT, REACTING: A character reacts: d20 shows 12 against Morale 12: it may act.",
            "INTERRUPT, REACTING: A character reacts: d20 shows 13 against Morale 12: it is Suppressed.",
        ],
    );
    tells(
        "interrupt",
        &format!("{shot}\nreaction = 'element'"),
        &[12, 13],
        &[
            missed,
            "INTERRUPT, REACTING: The element reacts: d20 shows 13 against Morale 12: it is Suppressed.",
        ],
    );
    // A casualty costs 2 Morale: 11 against 10 fails by 1, and 18 by 8.
    let test = |toggle: &str, face| {
        let combat = contest("d20", "fire-and-morale", &format!("{shot}\n{toggle}"));
        told(&combat, &[11, 13, face])[2].clone()
    };
    assert_eq!(
        test("", 11),
        "MORALE: Morale roll: d20 shows 11 against 10: failed by 1, still Pinned."
    );
    assert_eq!(
        test("pinned_stays_pinned = false", 18),
        "MORALE: Morale roll: d20 shows 18 against 10: failed by 8, Withdraw."
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
        "SHOOTING: Character 2 shoots: d20 shows 12 against a modified skill of 11: failure. \
         An enemy is within 4 inches: the element surrenders."
    );
    assert_eq!(
        last("fire-and-morale", "morale = 12\nsurrender = 'after-failing'", &[11, 7, 13]),
        "MORALE: Morale roll: d20 shows 13 against 12: failed by 1, still Pinned. \
         An enemy is within 4 inches: the element surrenders."
    );
    tells(
        "morale",
        "morale = 11\nenemy_within_4 = true",
        &[20],
        &["MORALE: Morale roll: d20 shows 20 against 11: failed by 9, Pinned. \
           An enemy is within 4 inches: the element surrenders."],
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
        let step = format!("MORALE: Morale roll: d20 shows {face} against 11: {outcome}.");
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
            "MELEE COMBAT: An attacker: d20 shows 19 against 18: miss.",
            "MELEE COMBAT: An attacker: d20 shows 20 against 18: miss.",
            "MELEE COMBAT: A defender: d20 shows 11 against 10: miss. \
             Round 1: 2 attackers and 1 defenders are left.",
            "MELEE COMBAT: An attacker: d20 shows 14 against 14: success.",
            "MELEE COMBAT: An attacker: d20 shows 20 against 14: miss.",
            "MELEE COMBAT: A defender: d20 shows 1 against 10: success. \
             A natural 1 costs the enemy a casualty. Round 2: 0 attackers and 0 defenders are left.",
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
            "GRENADE ASSAULT PHASE DAMAGE: Grenade: d20 shows 2. Occupants lost 0, 2 left.",
            "GRENADE ASSAULT PHASE DAMAGE: Grenade: d20 shows 3 (save), 12. \
             Occupants lost 0, 2 left, Stunned.",
            "GRENADE ASSAULT PHASE DAMAGE: Grenade: d20 shows 13. Occupants lost 1, 1 left, Stunned, Pinned.",
            "MELEE COMBAT: An attacker: d20 shows 16 against 15: miss.",
            "MELEE COMBAT: An attacker: d20 shows 15 against 15: success.",
            "MELEE COMBAT: A defender: d20 shows 6 against 5: miss. \
             Round 1: 2 attackers and 0 defenders are left.",
        ],
    );
}

const ARMOUR: &str = "\n[armour.front]\nhull = 8\nturret = 9";

#[test]
fn a_shot_at_a_vehicle() {
    // Spot 8 + 4, Firearms 11 + 4; a strike of 10 adds 1 to the turret's 9, and 10 must be exceeded.
    let shots = format!("pen = 10\nspot = 8\nfirearms = 11\nfigures = 3{ARMOUR}");
    tells(
        "vehicle",
        &shots,
        &[13, 12, 16, 12, 15, 15, 10],
        &[
            "VEHICLE SPOTTING/SHOOTING: Spotting: d20 shows 13 against a modified skill of 12: failure.",
            "VEHICLE SPOTTING/SHOOTING: Spotting: d20 shows 12 against a modified skill of 12: success.",
            "VEHICLE SPOTTING/SHOOTING: Shooting: d20 shows 16 against a modified skill of 15: failure.",
            "VEHICLE SPOTTING/SHOOTING: Spotting: d20 shows 12 against a modified skill of 12: success.",
            "VEHICLE SPOTTING/SHOOTING: Shooting: d20 shows 15 against a modified skill of 15: success.",
            "VEHICLE HIT LOCATION, ARMOUR SAVE: Location: d20 shows 15. Strike: d20 shows 10: \
             Favourable Slope, armour 9+1 = 10. PEN 10 does not penetrate: Suppressed.",
        ],
    );
}

#[test]
fn every_row_of_the_penetration_table() {
    let rows: [(&[u8], &str); 6] = [
        (&[5, 15], "5: Spalling. Sub-roll: d20 shows 15. Passengers lost 0."),
        (&[6], "6: Mobility Kill. Passengers lost 0."),
        (&[10], "10: Mobility Kill. Passengers lost 0."),
        (&[11, 15], "11: Mission Kill. Sub-roll: d20 shows 15. Passengers lost 6."),
        (&[15, 16], "15: Mission Kill. Sub-roll: d20 shows 16. Passengers lost 0."),
        (&[16], "16: Catastrophic Kill. Passengers lost 6."),
    ];
    let plain = "pen = 10\nspotted = true\npassengers = 6\nturret = false";
    for (faces, row) in rows {
        let combat = contest("d20", "vehicle", &format!("{plain}{ARMOUR}"));
        let steps = told(&combat, &[&[5, 6], faces].concat());
        assert_eq!(
            steps[1..],
            [
                "VEHICLE HIT LOCATION, ARMOUR SAVE: Strike: d20 shows 6: Favourable Slope, \
                 armour 8+1 = 9. PEN 10 penetrates."
                    .to_owned(),
                format!("PENETRATION: Penetration: d20 shows {row}"),
            ],
        );
    }
    // A shift of 1 turns 5 into a Mobility Kill.
    let shifted = contest("d20", "vehicle", &format!("{plain}\npenetration_shift = 1{ARMOUR}"));
    assert_eq!(
        told(&shifted, &[5, 6, 5])[2],
        "PENETRATION: Penetration: d20 shows 5 +1: Mobility Kill. Passengers lost 0."
    );
}
