//! Every outcome field and every measure of every action of `d20`, by name, with known dice.
//!
//! The expected values follow from the quick reference: a check succeeds at or under the skill, 1
//! to 6 makes Hesitant, 7 to 12 pins, 13 and more removes a figure and pins, each casualty costs 2
//! Morale, a morale roll fails by 1-2, 3-4, 5-6, 7-8, 9 and more.

use enfilade_model::combat::AnyCombat;
use enfilade_model::dice::ScriptedDice;

use crate::harness::play::contest;

/// Lists the fields, then the measures, that are not 0 after exactly these faces; a number is shown
/// unless it is 1.
pub fn counted(combat: &AnyCombat, faces: &[u8]) -> String {
    let mut dice = ScriptedDice::new(faces);
    let ending = combat.play_one_trial(&mut dice, 1000).expect("the contest ends");
    assert_eq!((dice.find_mismatch(), dice.used_face_count()), (None, faces.len()));
    let told = |(name, value): (&str, &i32)| match value {
        0 => None,
        1 => Some(name.to_owned()),
        n => Some(format!("{name}={n}")),
    };
    let fields = combat.outcome_fields().iter().map(|head| &*head.name);
    let fields: Vec<_> = fields.zip(&ending.fields).filter_map(told).collect();
    let measures = combat.measures().iter().map(|head| &*head.name);
    let measures: Vec<_> = measures.zip(&ending.weights).filter_map(told).collect();
    format!("{} | {}", fields.join(" "), measures.join(" "))
}

fn count(action: &str, toml: &str, cases: &[(&[u8], &str)]) {
    let combat = contest("d20", action, toml);
    for (faces, expected) in cases {
        assert_eq!(counted(&combat, faces), *expected, "{action} {faces:?}");
    }
}

#[test]
fn shooting() {
    count(
        "shoot",
        "damage_dice = 2\nspotted = true\nfirearms = 11\ntarget_figures = 2\none_casualty_per_character = false",
        &[
            (&[12], " | "),
            (&[11, 6, 6], "hit hesitant | p_hit p_effect"),
            (&[11, 7, 1], "hit pinned | p_hit p_pin p_effect"),
            (&[11, 13, 1], "hit casualties pinned | p_hit p_kill p_pin p_effect e_casualties"),
            (
                &[11, 13, 13],
                "hit casualties=2 pinned | p_hit p_kill p_pin p_effect p_wiped_out e_casualties=2",
            ),
        ],
    );
}

#[test]
fn interrupting() {
    count(
        "interrupt",
        "damage_dice = 1\nspotted = true\nfirearms = 11\ntarget_figures = 2\nmorale = 12",
        &[
            (&[12, 12, 12], " | "),
            (
                &[12, 13, 12],
                "suppressed reactions_failed | p_effect p_suppressed e_reactions_failed",
            ),
            (
                &[12, 20, 13],
                "suppressed reactions_failed=2 | p_effect p_suppressed e_reactions_failed=2",
            ),
            (&[11, 6, 12, 12], "hit hesitant | p_hit p_effect"),
            (
                &[11, 6, 12, 13],
                "hit hesitant suppressed reactions_failed \
                 | p_hit p_effect p_suppressed e_reactions_failed",
            ),
            (&[11, 12, 12, 12], "hit pinned | p_hit p_pin p_effect"),
            // One is left to react.
            (&[11, 13, 12], "hit casualties pinned | p_hit p_kill p_pin p_effect e_casualties"),
        ],
    );
    count(
        "interrupt",
        "damage_dice = 1\nspotted = true\nfirearms = 11\ntarget_figures = 2\nmorale = 12\nreaction = 'element'",
        &[
            (&[12, 12], " | "),
            (&[12, 13], "suppressed reactions_failed | p_effect p_suppressed e_reactions_failed"),
        ],
    );
    // A surrendered element does not react.
    count(
        "interrupt",
        "damage_dice = 1\nspotted = true\nfirearms = 11\nenemy_within_4 = true",
        &[(&[11, 12], "hit pinned surrendered | p_hit p_pin p_effect p_surrender")],
    );
}

const UNDER_FIRE: &str =
    "damage_dice = 1\nspotted = true\nfirearms = 11\ntarget_figures = 2\nmorale = 12\n";

#[test]
fn fire_and_a_morale_roll() {
    // Morale 12, and 10 after a casualty. A Hesitant element need not test, a Pinned one must, and
    // stays Pinned unless it passes.
    let pinned = "hit pinned | p_hit p_pin p_effect p_fail";
    count(
        "fire-and-morale",
        UNDER_FIRE,
        &[
            (&[12], " | "),
            (&[11, 6], "hit hesitant | p_hit p_effect"),
            (&[11, 7, 12], "hit | p_hit"),
            (&[11, 7, 13], pinned),
            (&[11, 7, 20], pinned),
            (
                &[11, 13, 11],
                "hit casualties pinned | p_hit p_kill p_pin p_effect e_casualties p_fail",
            ),
        ],
    );
    // Not Pinned by the fire, but before.
    count(
        "fire-and-morale",
        &format!("{UNDER_FIRE}pinned_before = true"),
        &[
            (&[12, 12], " | "),
            (&[12, 13], "pinned | p_pin p_effect p_fail"),
            (&[11, 6, 16], pinned),
        ],
    );
    // By the margin.
    count(
        "fire-and-morale",
        &format!("{UNDER_FIRE}pinned_stays_pinned = false"),
        &[
            (&[12], " | "),
            (&[11, 6], "hit hesitant | p_hit p_effect"),
            (&[11, 7, 12], "hit | p_hit"),
            (&[11, 7, 14], "hit let_loose | p_hit p_effect p_fail"),
            (&[11, 7, 16], "hit hesitant | p_hit p_effect p_fail"),
            (&[11, 7, 18], "hit go_firm | p_hit p_effect p_fail"),
            (&[11, 7, 20], "hit withdraw | p_hit p_effect p_fail"),
            (&[11, 13, 10], "hit casualties | p_hit p_kill p_effect e_casualties"),
            (&[11, 13, 18], "hit casualties withdraw | p_hit p_kill p_effect e_casualties p_fail"),
            (
                &[11, 13, 19],
                "hit casualties pinned | p_hit p_kill p_pin p_effect e_casualties p_fail",
            ),
        ],
    );
}

#[test]
fn surrender_is_for_the_pinned_beside_an_enemy() {
    count(
        "fire-and-morale",
        &format!("{UNDER_FIRE}enemy_within_4 = true"),
        &[
            (&[12], " | "),
            (&[11, 6], "hit hesitant | p_hit p_effect"),
            (&[11, 7], "hit pinned surrendered | p_hit p_pin p_effect p_surrender"),
            (
                &[11, 13],
                "hit casualties pinned surrendered \
                 | p_hit p_kill p_pin p_effect e_casualties p_surrender",
            ),
        ],
    );
    // Once its roll fails.
    count(
        "fire-and-morale",
        &format!("{UNDER_FIRE}enemy_within_4 = true\nsurrender = 'after-failing'"),
        &[
            (&[11, 6], "hit hesitant | p_hit p_effect"),
            (&[11, 7, 12], "hit | p_hit"),
            (&[11, 7, 13], "hit pinned surrendered | p_hit p_pin p_effect p_surrender p_fail"),
        ],
    );
    // An element that its morale roll makes Pinned, too.
    count(
        "fire-and-morale",
        &format!("{UNDER_FIRE}enemy_within_4 = true\ntests = 'always'\nsuppression_markers = 1"),
        &[
            (&[12, 14], "withdraw | p_effect p_fail"),
            (&[12, 15], "pinned surrendered | p_pin p_effect p_surrender p_fail"),
        ],
    );
    count(
        "shoot",
        "damage_dice = 1\nspotted = true\nfirearms = 11\nenemy_within_4 = true",
        &[
            (&[11, 6], "hit hesitant | p_hit p_effect"),
            (&[11, 7], "hit pinned surrendered | p_hit p_pin p_effect p_surrender"),
        ],
    );
    // The only figure falls: no one is left to test or to surrender.
    count(
        "fire-and-morale",
        "damage_dice = 1\nspotted = true\ntarget_figures = 1\nenemy_within_4 = true",
        &[(
            &[11, 13],
            "hit casualties pinned | p_hit p_kill p_pin p_effect p_wiped_out e_casualties",
        )],
    );
    let beside = "morale = 11\nenemy_within_4 = true";
    count(
        "morale",
        beside,
        &[
            (&[11], " | p_pass"),
            (&[12], "let_loose | p_effect"),
            (&[20], "pinned surrendered | p_pin p_effect p_surrender"),
        ],
    );
    // Pinned already: it surrenders instead of rolling, or once the roll has failed.
    let pinned = format!("{beside}\npinned_before = true");
    let gone = "pinned surrendered | p_pin p_effect p_surrender";
    count("morale", &pinned, &[(&[], gone)]);
    count(
        "morale",
        &format!("{pinned}\nsurrender = 'after-failing'"),
        &[(&[11], " | p_pass"), (&[12], gone)],
    );
    count(
        "morale",
        "morale = 11\npinned_before = true",
        &[(&[11], " | p_pass"), (&[12], "pinned | p_pin p_effect")],
    );
    count("morale", "morale = 11", &[(&[20], "pinned | p_pin p_effect")]);
}

#[test]
fn hand_to_hand() {
    // Two charging attackers succeed on 10 + 4 + 4, their enemy on 10.
    count(
        "melee",
        "figures = 2\ntarget_figures = 1\nmelee = 10\ntarget_melee = 10",
        &[
            (&[19, 20, 11], " | "),
            (&[18, 19, 11], "defender_casualties | p_kill p_effect p_defenders_gone e_casualties"),
            (&[19, 19, 10], "attacker_casualties | p_effect e_attacker_casualties"),
            (
                &[18, 19, 10],
                "attacker_casualties defender_casualties deadlock \
                 | p_kill p_effect p_deadlock p_defenders_gone e_casualties e_attacker_casualties",
            ),
        ],
    );
    count(
        "melee",
        "figures = 1\ntarget_figures = 2\nmelee = 10\ntarget_melee = 10",
        &[
            (
                &[15, 14, 20],
                "attacker_casualties | p_effect p_attackers_gone e_attacker_casualties",
            ),
            (&[14, 15, 20], "defender_casualties | p_kill p_effect e_casualties"),
        ],
    );
}

#[test]
fn a_building_assault() {
    // The second die fells the first occupant, the third stuns the second: 17 - 6 - 6 = 5 against
    // 15.
    count(
        "building-assault",
        "figures = 2\ntarget_figures = 2\nmelee = 11\ntarget_melee = 17",
        &[
            (
                &[1, 13, 12, 1, 16, 16, 5],
                "attacker_casualties defender_casualties stunned pinned \
                 | p_kill p_effect e_casualties e_attacker_casualties",
            ),
            // Both dice of the second occupant are rolled, though the first of them fells it.
            (
                &[13, 1, 13, 1],
                "defender_casualties=2 | p_kill p_effect p_defenders_gone e_casualties=2",
            ),
        ],
    );
}

#[test]
fn shots_at_a_vehicle() {
    let vehicle = "pen = 20\nspotted = true\nfirearms = 11\n";
    let armour = "[armour.front]\nhull = 8\nturret = 9";
    let carrier = format!("{vehicle}passengers = 6\n{armour}");
    // A hit on 15, the hull, a direct hit: 20 exceeds 8.
    count(
        "vehicle",
        &carrier,
        &[
            (&[16], " | "),
            (
                &[15, 14, 11, 5, 15],
                "hit penetrated suppressed spalling crew_injured disembarked | p_hit p_penetrate p_effect",
            ),
            (
                &[15, 14, 11, 10],
                "hit penetrated suppressed mobility_kill disembarked \
                 | p_hit p_penetrate p_mobility_kill p_effect",
            ),
            (
                &[15, 14, 11, 15, 16],
                "hit penetrated mission_kill disembarked | p_hit p_penetrate p_vehicle_kill p_effect",
            ),
            (
                &[15, 14, 11, 16],
                "hit penetrated catastrophic passengers_lost=6 \
                 | p_hit p_penetrate p_vehicle_kill p_effect e_passengers_lost=6",
            ),
        ],
    );
    // No one is aboard: no one gets out, and a Mission Kill has no sub-roll.
    count(
        "vehicle",
        &format!("{vehicle}{armour}"),
        &[
            (
                &[15, 14, 11, 10],
                "hit penetrated suppressed mobility_kill | p_hit p_penetrate p_mobility_kill p_effect",
            ),
            (
                &[15, 14, 11, 15],
                "hit penetrated mission_kill | p_hit p_penetrate p_vehicle_kill p_effect",
            ),
        ],
    );
}
