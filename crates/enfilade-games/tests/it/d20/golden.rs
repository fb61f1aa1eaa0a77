//! `d20` with known dice, modifier by modifier, weapon by weapon, and bad input.

use crate::harness::play::{contest, faults, play_scripted};
use crate::harness::walk::{compute_measure, count_fields, count_fields_and_measures};

/// Returns the number of faces of a d20 that hit a spotted target with Firearms 18 and this line.
fn hitting(line: &str) -> i32 {
    let toml = format!("weapon = 'bolt-action rifle'\nfirearms = 18\nspotted = true\n{line}");
    (compute_measure(&contest("d20", "shoot", &toml), "p_hit") * 20.0).round() as i32
}

/// Returns the number of faces of a d20 that spot with Spot 18 and this line; Firearms is far above
/// 20, so 19 faces hit.
fn spotting(line: &str) -> i32 {
    let toml = format!("weapon = 'bolt-action rifle'\nspot = 18\nfirearms = 40\n{line}");
    (compute_measure(&contest("d20", "shoot", &toml), "p_hit") * 400.0 / 19.0).round() as i32
}

#[test]
fn every_modifier_of_infantry() {
    let modifiers = [
        ("", 0, 0),
        ("target_moving = true", 1, -4),
        ("concealed = true", -6, 0),
        ("in_cover = true", 0, -6),
        ("hidden = true", -15, -15),
        ("gone_firm = true", -4, -4),
        ("attacker_moving = true", -4, -4),
        ("attacker_higher = true", 1, 1),
        ("attacker_lower = true", -2, -2),
        ("extra_ap = 1", 0, 1),
        ("extra_ap = 1\nin_cover = true\nconcealed = true", -6, -2),
        ("extra_ap = 1\nin_cover = true\nconcealed = true\nextra_ap_on = 'both'", -2, -2),
        ("extra_ap = 2\nhidden = true\nextra_ap_on = 'spot'", -7, -15),
        ("extra_ap = 2\nhidden = true\nextra_ap_on = 'shoot'", -15, -7),
        ("fired_suppression_weapon = true\nspot_modifier = -9", -3, 0),
        ("target_vehicle = true\nspot_modifier = -9", -5, 0),
        ("target_moving = true\nspot_modifier = -9", -5, -4),
        ("attacker_higher = true\nspot_modifier = -9\nshoot_modifier = -8", -5, -4),
        ("attacker_hesitant = 'damage'", -4, -4),
        ("attacker_hesitant = 'morale'", -2, -2),
        ("attacker_pinned = true\npinned_may_fire = true", -6, -6),
        ("attacker_suppressed = true", -6, -6),
        ("attacker_gone_firm = true", -4, -4),
        ("numbers = { shoot_in_cover = -3 }\nin_cover = true", 0, -3),
    ];
    for (line, spot, shoot) in modifiers {
        assert_eq!(spotting(line), (18 + spot).clamp(1, 19), "{line}");
        // Firearms is 40 in `spotting`, so only the Spot roll counts there; here it is 18.
        assert_eq!(hitting(line), (18 + shoot).clamp(1, 19), "{line}");
    }
}

#[test]
fn a_natural_one_is_a_toggle() {
    assert_eq!(hitting("shoot_modifier = -30"), 1);
    assert_eq!(hitting("shoot_modifier = -30\none_always_succeeds = false"), 0);
}

const ROW: &[&str] = &["hit", "casualties", "hesitant", "pinned"];

#[test]
fn every_weapon_has_its_dice_its_bonus_and_its_save() {
    // Spot 5, shoot 5, a save of 3 where there is one, then dice that all show 9 (Pinned), or 9 +
    // 4.
    let weapons = [
        ("bolt-action rifle", 1, 0, false),
        ("battle rifle", 1, 0, false),
        ("SMG", 2, 0, true),
        ("pistol", 1, 0, true),
        ("automatic rifle", 2, 0, false),
        ("LMG", 3, 0, false),
        ("MMG", 3, 0, false),
        ("HMG", 3, 0, false),
        ("rifle grenade", 2, 0, true),
        ("grenade", 2, 0, true),
        ("sniper rifle", 1, 4, false),
    ];
    for (weapon, dice, bonus, saves) in weapons {
        let combat = contest("d20", "shoot", &format!("weapon = '{weapon}'"));
        let save: &[u8] = if saves { &[3] } else { &[] };
        let faces = [&[5, 5], save, &vec![9; dice]].concat();
        let lost = i32::from(bonus == 4);
        assert_eq!(play_scripted(&combat, &faces, ROW), [1, lost, 0, 1], "{weapon}");
        if saves {
            assert_eq!(play_scripted(&combat, &[5, 5, 2], ROW), [1, 0, 0, 0], "{weapon}");
        }
    }
}

#[test]
fn the_status_table() {
    let combat = contest("d20", "shoot", "damage_dice = 1\nspotted = true\nfirearms = 11");
    for face in 1..=20 {
        let expected = match face {
            1..=6 => [1, 0, 1, 0],
            7..=12 => [1, 0, 0, 1],
            _ => [1, 1, 0, 1],
        };
        assert_eq!(play_scripted(&combat, &[11, face], ROW), expected, "{face}");
    }
    assert_eq!(play_scripted(&combat, &[12], ROW), [0, 0, 0, 0]);
    assert_eq!(play_scripted(&combat, &[20], ROW), [0, 0, 0, 0]);
}

#[test]
fn skill_above_twenty_raises_each_damage_die() {
    // 23 - 20 = 3: a 4 reads 7, a 10 reads 13.
    let combat = contest(
        "d20",
        "shoot",
        "damage_dice = 2\nspotted = true\nfirearms = 23\none_casualty_per_character = false",
    );
    assert_eq!(play_scripted(&combat, &[19, 3, 3], ROW), [1, 0, 1, 0]);
    assert_eq!(play_scripted(&combat, &[19, 4, 3], ROW), [1, 0, 0, 1]);
    assert_eq!(play_scripted(&combat, &[19, 10, 10], ROW), [1, 2, 0, 1]);
    assert_eq!(play_scripted(&combat, &[20], ROW), [0, 0, 0, 0]);
}

#[test]
fn readings_of_several_damage_dice() {
    let with = |reading: &str| {
        contest("d20", "shoot", &format!("damage_dice = 3\nspotted = true\n{reading}"))
    };
    let faces = [5, 13, 2, 14];
    assert_eq!(
        play_scripted(&with("one_casualty_per_character = false"), &faces, ROW),
        [1, 2, 0, 1]
    );
    assert_eq!(play_scripted(&with("damage_reading = 'best'"), &faces, ROW), [1, 1, 0, 1]);
    assert_eq!(play_scripted(&with("damage_reading = 'sum'"), &[5, 4, 4, 4], ROW), [1, 0, 0, 1]);
    assert_eq!(play_scripted(&with("damage_reading = 'best'"), &[5, 4, 4, 4], ROW), [1, 0, 1, 0]);
    assert_eq!(play_scripted(&with(""), &[5, 13], ROW), [1, 1, 0, 1]);
    assert_eq!(play_scripted(&with("numbers = { status_pinned = 14 }"), &faces, ROW), [1, 0, 0, 1]);
}

#[test]
fn areas_and_danger_zones() {
    // Three in the kill zone with two dice each, one in the danger zone with one; each saves apart.
    let combat = contest(
        "d20",
        "shoot",
        "weapon = 'grenade'\nspotted = true\ntargets_in_area = 3\ntargets_in_danger_zone = 1\none_casualty_per_character = false",
    );
    let faces = [5, 2, 9, 13, 13, 3, 1, 1, 3, 13];
    assert_eq!(play_scripted(&combat, &faces, ROW), [1, 3, 0, 1]);
    // Two figures: no more than two characters can be in any zone, and no more are lost.
    let few = contest(
        "d20",
        "shoot",
        "weapon = 'LMG'\nspotted = true\ntargets_in_area = 3\ntarget_figures = 2",
    );
    assert_eq!(play_scripted(&few, &[5, 13, 13], ROW), [1, 2, 0, 1]);
    // Nor beside it: one of two in the area leaves one for the danger zone.
    let beside = contest(
        "d20",
        "shoot",
        "damage_dice = 1\nspotted = true\ntargets_in_danger_zone = 2\ntarget_figures = 2",
    );
    assert_eq!(play_scripted(&beside, &[5, 1, 1], ROW), [1, 0, 1, 0]);
    // The first hit fells one of two: only the other is there for the second.
    let twice = contest(
        "d20",
        "shoot",
        "damage_dice = 1\nspotted = true\nfigures = 2\ntargets_in_area = 2\ntarget_figures = 2",
    );
    assert_eq!(play_scripted(&twice, &[5, 13, 1, 5, 1], ROW), [1, 1, 0, 1]);
    // Half of five dice is two.
    let half =
        contest("d20", "shoot", "damage_dice = 5\nspotted = true\ntargets_in_danger_zone = 1");
    let faces = [5, 1, 1, 1, 1, 1, 1, 7];
    assert_eq!(play_scripted(&half, &faces, ROW), [1, 0, 0, 1]);
}

#[test]
fn every_modifier_of_morale() {
    let passing = |line: &str| {
        let combat = contest("d20", "morale", &format!("morale = 12\n{line}"));
        (compute_measure(&combat, "p_pass") * 20.0).round() as i32
    };
    let lines = [
        ("", 0),
        ("in_cover = true", 2),
        ("leader = 'novice'", 1),
        ("leader = 'average'", 2),
        ("leader = 'veteran'", 3),
        ("morale_markers = 3", -3),
        ("suppression_markers = 1", -6),
        ("casualties = 2", -4),
        ("numbers = { morale_per_casualty = -3 }\ncasualties = 2", -6),
    ];
    for (line, modifier) in lines {
        assert_eq!(passing(line), 12 + modifier, "{line}");
    }
    let fields = ["withdraw", "pinned", "surrendered"];
    let cornered =
        contest("d20", "morale", "morale = 8\ncan_withdraw = false\nenemy_within_4 = true");
    assert_eq!(play_scripted(&cornered, &[15], &fields), [0, 1, 1]);
    assert_eq!(play_scripted(&contest("d20", "morale", "morale = 8"), &[15], &fields), [1, 0, 0]);
}

#[test]
fn action_points_are_spent_in_order() {
    let with = |ap: u8, spend: &str| {
        contest(
            "d20",
            "action-points",
            &format!(
                "weapon = 'bolt-action rifle'\nspot = 10\nfirearms = 10\nap = {ap}\nspend = '{spend}'"
            ),
        )
    };
    assert_eq!(play_scripted(&with(3, "spot-aim-1-fire"), &[10, 14, 9], ROW), [1, 0, 0, 1]);
    assert_eq!(play_scripted(&with(3, "aim-1-spot-fire"), &[14, 10, 9], ROW), [1, 0, 0, 1]);
    assert_eq!(play_scripted(&with(3, "aim-1-spot-fire"), &[15], ROW), [0, 0, 0, 0]);
    // A second Spot only after a failed one, and not after a 20.
    assert_eq!(play_scripted(&with(3, "spot-spot-fire"), &[11, 10, 10, 9], ROW), [1, 0, 0, 1]);
    assert_eq!(play_scripted(&with(3, "spot-spot-fire"), &[10, 10, 9], ROW), [1, 0, 0, 1]);
    assert_eq!(play_scripted(&with(3, "spot-spot-fire"), &[20], ROW), [0, 0, 0, 0]);
    assert_eq!(play_scripted(&with(4, "spot-fire-fire"), &[10, 11, 10, 9], ROW), [1, 0, 0, 1]);
}

#[test]
fn what_is_missing_or_does_not_fit_is_refused() {
    let cases = [
        ("shoot", "", "weapon: `weapon` is missing"),
        ("shoot", "weapon = 'blunderbuss'", "weapon: there is no \"blunderbuss\""),
        (
            "shoot",
            "weapon = 'SMG'\nfirearms = -3",
            "firearms: the firearms must be 0 to 40, but it is -3",
        ),
        ("shoot", "weapon = 'SMG'\nfigures = 0", "figures: the figures must be 1 to 100"),
        (
            "shoot",
            "weapon = 'pistol'\ntargets_in_area = 2",
            "targets_in_area: the pistol has no area",
        ),
        (
            "shoot",
            "weapon = 'LMG'\ntargets_in_danger_zone = 1",
            "targets_in_danger_zone: the LMG has no danger zone",
        ),
        (
            "shoot",
            "weapon = 'LMG'\nattacker_higher = true\nattacker_lower = true",
            "attacker_lower: the attacker cannot be both",
        ),
        (
            "shoot",
            "weapon = 'LMG'\nnumbers = { shoot_in_covr = 1 }",
            "numbers.shoot_in_covr: there is no",
        ),
        (
            "interrupt",
            "weapon = 'LMG'\nextra_ap = 1",
            "extra_ap: there is no field `extra_ap` here",
        ),
        (
            "vehicle",
            "spotted = true\n[armour.front]\nhull = 8\nturret = 8",
            "pen: `pen` is missing",
        ),
        ("vehicle", "pen = 8", "armour.front: the armour of the front is missing"),
        (
            "vehicle",
            "pen = 8\n[armour.side]\nhull = 8",
            "armour.front: the armour of the front is missing",
        ),
        (
            "vehicle",
            "pen = 8\n[armour.front]\nhull = 8",
            "armour.front.turret: `turret` is missing",
        ),
        ("melee", "figures = 2\nattacker_smgs = 3", "attacker_smgs: 3 SMGs for 2 figures"),
        ("building-assault", "figures = 1", "figures: a room needs at least 2 assaulters"),
        (
            "action-points",
            "weapon = 'SMG'\nspend = 'spot-fire-fire'",
            "spend: the split `spot, fire, fire` costs 4 AP, but a character has 3",
        ),
        (
            "action-points",
            "weapon = 'grenade'\nspend = 'fire-fire'\nspotted = true\nap = 4",
            "spend: the split `fire, fire` costs 6 AP, but a character has 4",
        ),
        (
            "action-points",
            "weapon = 'SMG'\nspend = 'fire'",
            "spend: the split `fire` shoots at a target that is not spotted",
        ),
        (
            "action-points",
            "weapon = 'SMG'\nspotted = true",
            "spend: the split `spot, fire` spots a target that is spotted already",
        ),
    ];
    for (action, toml, expected) in cases {
        let found = faults("d20", action, toml);
        assert!(found.iter().any(|fault| fault.starts_with(expected)), "{toml}\n{found:?}");
    }
}

#[test]
fn a_skill_that_is_not_given_is_that_of_the_quality() {
    for (quality, skill) in [("novice", 8), ("average", 11), ("veteran", 14)] {
        let by_quality = contest("d20", "shoot", &format!("weapon = 'LMG'\nquality = '{quality}'"));
        let given =
            contest("d20", "shoot", &format!("weapon = 'LMG'\nspot = {skill}\nfirearms = {skill}"));
        assert_eq!(count_fields(&by_quality, ROW), count_fields(&given, ROW));
        let by_quality = contest(
            "d20",
            "melee",
            &format!("quality = '{quality}'\ntarget_quality = '{quality}'\nfigures = 1"),
        );
        let given = contest(
            "d20",
            "melee",
            &format!("melee = {skill}\ntarget_melee = {skill}\nfigures = 1"),
        );
        assert_eq!(count_fields(&by_quality, &["deadlock"]), count_fields(&given, &["deadlock"]));
    }
}

#[test]
fn every_number_of_the_tables_can_be_changed_and_matters() {
    let infantry = "weapon = 'SMG'\nspot = 38\nfirearms = 40\nshoot_modifier = 15\ntarget_moving = true\nconcealed = true\n\
                    in_cover = true\nhidden = true\ngone_firm = true\nfired_suppression_weapon = true\ntarget_vehicle = true\n\
                    attacker_moving = true\nattacker_hesitant = 'damage'\nattacker_pinned = true\nattacker_suppressed = true\n\
                    pinned_may_fire = true\nattacker_gone_firm = true\nextra_ap = 1\nextra_ap_on = 'both'\n";
    let vehicle = "pen = 8\nspot = 18\nfirearms = 40\npassengers = 2\ntarget_moving = true\nfired_main_weapon = true\nin_cover = true\n\
                   hidden = true\nsmoke = true\nopen_topped = true\nattacker_moving = true\nattacker_vehicle = true\nextra_ap = 1\nextra_ap_on = 'both'\n\
                   [armour.front]\nhull = 7\nturret = 8\n";
    let morale = "morale = 12\nin_cover = true\nmorale_markers = 1\nsuppression_markers = 1\ncasualties = 1\n";
    let mut contests = vec![
        ("shoot", format!("{infantry}attacker_higher = true")),
        ("shoot", format!("{infantry}attacker_lower = true")),
        ("shoot", "weapon = 'pistol'\nattacker_hesitant = 'morale'".to_owned()),
        ("vehicle", vehicle.to_owned()),
        ("melee", "figures = 2\ntarget_figures = 1\nattacker_suppressed = true\nattacker_hesitant = 'morale'\nattacker_smgs = 1".to_owned()),
        ("building-assault", "figures = 2\ntarget_figures = 1\nmelee = 20".to_owned()),
    ];
    for quality in ["novice", "average", "veteran"] {
        contests.push(("morale", format!("{morale}leader = '{quality}'")));
        contests.push(("melee", format!("figures = 1\ntarget_figures = 1\nquality = '{quality}'")));
    }
    // PEN at the armour and up to four above it: between them every row of the armour save decides.
    for pen in 8..=12 {
        let toml = format!("pen = {pen}\nspotted = true\nturret = false\n[armour.front]\nhull = 8");
        contests.push(("vehicle", toml));
    }
    let changed = |action: &str, toml: &str, name: &str, value: i64| {
        let toml = format!("numbers = {{ {name} = {value} }}\n{toml}");
        (faults("d20", action, &toml).is_empty())
            .then(|| count_fields_and_measures(&contest("d20", action, &toml)))
    };
    let data_tables =
        (crate::built_in().rulebook_by_id("d20").expect("a built-in system").data_tables)();
    let numbers =
        &data_tables.iter().find(|shelf| shelf.name == "numbers").expect("it is there").rows;
    assert_eq!(numbers.len(), 83);
    for row in numbers {
        let (name, printed) = (&row[0], row[1].parse::<i64>().expect("a whole number"));
        // AP are checked when a contest is built; everything else shows in a law.
        if name == "ap_spot" {
            let toml = "weapon = 'SMG'\nspend = 'spot-aim-1-fire'\nnumbers = { ap_spot = 2 }";
            assert_eq!(faults("d20", "action-points", toml).len(), 1);
            continue;
        }
        let matters = contests.iter().any(|(action, toml)| {
            changed(action, toml, name, printed) != changed(action, toml, name, printed + 1)
        });
        assert!(matters, "{name}");
    }
}
