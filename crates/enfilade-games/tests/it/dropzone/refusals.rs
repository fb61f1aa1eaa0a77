//! Faults of `dropzone` contests and their places, notes for the reader, and the numbers that a
//! name of the built-in data brings. Source: the quick reference and the printed profiles.

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::law_in;

/// Checks that the contest is refused with one fault, at this path.
fn refused(action: &str, toml: &str, path: &str) {
    let Err(faults) = try_contest("dropzone", action, toml) else {
        panic!("accepted: {toml}");
    };
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, [path], "{toml}\n{faults:?}");
}

fn accepted(action: &str, toml: &str) {
    let built = try_contest("dropzone", action, toml);
    assert!(built.is_ok(), "{toml}\n{:?}", built.err());
}

#[test]
fn faults_of_a_table_are_found_in_the_table() {
    let rail = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\n";
    let duel = format!("{rail}target = 'Scourge/Hunter'\n");
    refused(
        "engagement",
        &format!("{duel}[return_fire]\nshots = 1\naccuracy = 2"),
        "return_fire.energy",
    );
    refused("engagement", &format!("{duel}[shooter]\ndamage_points = 2"), "shooter.armour");
    let woods = format!("{rail}piece = 'small forest'\n");
    refused(
        "demolish",
        &format!("{woods}[[occupant]]\narmour = 7\n[[occupant]]\ncount = 2"),
        "occupant[1].armour",
    );
    refused("demolish", &format!("{woods}[bystander]\npassive = 5"), "bystander.armour");
}

#[test]
fn a_piece_is_named_or_given_in_numbers() {
    refused("collateral", "", "piece");
    refused("collateral", "armour = 10", "piece");
    refused("collateral", "damage_points = 10", "piece");
    accepted("collateral", "armour = 10\ndamage_points = 10");
    refused("collateral", "piece = 'barricade'\ntarget = 'small forest'", "target");
    accepted("collateral", "piece = 'barricade'\ntarget = 'barricade'");
}

#[test]
fn three_squads_are_inside_and_sixteen_units_around_at_most() {
    let inside = |squads: usize| {
        let squad = "[[occupant]]\narmour = 7\n";
        format!("piece = 'small building'\n{}", squad.repeat(squads))
    };
    accepted("collateral", &inside(3));
    refused("collateral", &inside(4), "occupant");
    let around = |units: usize| {
        format!("piece = 'barricade'\n[bystander]\narmour = 7\ndistances = {:?}", vec![1; units])
    };
    accepted("collateral", &around(16));
    refused("collateral", &around(17), "bystander.distances");
    let crash = |units: usize| format!("armour = 7\ndistances = {:?}", vec![1; units]);
    accepted("aircraft-crash", &crash(16));
    refused("aircraft-crash", &crash(17), "distances");
}

#[test]
fn a_squad_that_is_tested_has_a_point_left_and_a_fortitude() {
    // Legionnaires have 5 points.
    let lost = |points: i32| format!("target = 'UCM/Legionnaires'\nlost = {points}");
    accepted("fortitude", &lost(4));
    refused("fortitude", &lost(5), "lost");
    refused("fortitude", &lost(6), "lost");
    refused("fortitude", "target = 'UCM/Sabre'", "fortitude");
}

#[test]
fn notes_say_what_changes_nothing() {
    let notes = |toml: &str| {
        let plain = "shots = 1\naccuracy = 2\nenergy = 9\narmour = 9\n";
        let built = try_contest("dropzone", "shoot", &format!("{plain}{toml}"));
        built.expect("sound").notes
    };
    let large = "large_hull_down = false\ntarget_specials = ['Large']\n";
    let told = notes(&format!("{large}hull_down = true"));
    assert_eq!(told, ["a Large target is never hull down"]);
    assert!(notes(large).is_empty());
    assert!(notes("hull_down = true").is_empty());
    let told = notes("focus_merge = 2");
    assert_eq!(told, ["the weapon has no Focus: no hits are merged"]);
    assert!(notes("focus_merge = 2\nspecials = ['Focus-1']").is_empty());
    assert!(notes("focus_merge = 1").is_empty());
    let told = notes("entered_garrison = true");
    assert_eq!(told, ["it is no Close Quarters weapon: no damage is rolled again"]);
    assert!(notes("entered_garrison = true\nclose_quarters = true").is_empty());
}

#[test]
fn a_named_unit_brings_its_type_and_special_rules() {
    // A Critical by itself, whatever is rolled, with plain damage 3 on what the weapon is made
    // against.
    let damage = |prey: &str, target: &str| {
        let toml = format!(
            "shots = 1\nenergy = 20\nclose_quarters = true\nclose_quarters_anywhere = true\nspecials = ['Devastator-3 ({prey})']\n\
             target = '{target}'"
        );
        law_in("dropzone", "shoot", &toml, &["damage"]).rows_over_sixths(0)
    };
    let always = |points: i32| BTreeMap::from([(vec![points], 1)]);
    // The Nemesis Control Scorpion, a Walker of 8 points, is Large and Resilient: 3, not 6.
    let scorpion = "PHR/Nemesis Control Scorpion";
    assert_eq!(damage("Large", scorpion), always(3));
    assert_eq!(damage("Walker", scorpion), always(3));
    assert_eq!(damage("Tank", scorpion), always(1));
    // The Kodiak, a Tank of 4 points, is neither.
    assert_eq!(damage("Tank", "UCM/Kodiak Command ACV"), always(4));
    assert_eq!(damage("Large", "UCM/Kodiak Command ACV"), always(2));
}

#[test]
fn what_does_no_damage_is_no_critical() {
    // Tech Killer against scenery: the hit is counted, the Critical is none.
    let toml = "shots = 1\nenergy = 20\nclose_quarters = true\nclose_quarters_anywhere = true\narmour = 9\ntype = 'Scenery'\n\
                detail = 'hits'\nspecials = ['Tech Killer']";
    let fields = ["hits", "criticals", "damage"];
    let told = |toml: &str| law_in("dropzone", "shoot", toml, &fields).rows_over_sixths(0);
    assert_eq!(told(toml), BTreeMap::from([(vec![1, 0, 0], 1)]));
    let damaging = format!("{toml}\ntech_killer_on_scenery = true");
    assert_eq!(told(&damaging), BTreeMap::from([(vec![1, 1, 1], 1)]));
}

/// Returns the notes of a contest.
fn notes(action: &str, toml: &str) -> Vec<String> {
    try_contest("dropzone", action, toml).expect("it is a contest").notes
}

#[test]
fn what_changes_nothing_at_scenery_is_noted() {
    let shots = "shots = 2\naccuracy = 4\nenergy = 6\n";
    let at = |extra: &str| notes("shoot", &format!("{shots}armour = 9\n{extra}"));
    let always = ["scenery is hit on 2+: nothing else moves that"];
    for moves in ["soft_cover", "hull_down", "out_of_coherency", "disembarked"] {
        assert!(at(&format!("{moves} = true")).is_empty(), "{moves}");
        assert_eq!(at(&format!("{moves} = true\ntype = 'Scenery'")), always, "{moves}");
    }
    assert_eq!(at("evasion = 2\ntype = 'Scenery'"), always);
    // Body cover moves the damage die; what hits by itself needs no number.
    assert!(at("body_cover = true\ntype = 'Scenery'").is_empty());
    let itself = "close_quarters = true\nclose_quarters_anywhere = true\naccuracy = 0\nshots = 1\nenergy = 1\narmour = 9\n";
    assert!(notes("shoot", &format!("{itself}soft_cover = true\ntype = 'Scenery'")).is_empty());
    let spared = "a Tech Killer does no damage to scenery";
    let killer = "specials = ['Tech Killer']\n";
    assert_eq!(at(&format!("{killer}type = 'Scenery'")), [spared]);
    assert!(at(killer).is_empty());
    let told = "tech_killer_on_scenery = true\ntype = 'Scenery'";
    assert!(at(&format!("{killer}{told}")).is_empty());
    let building = format!("{shots}{killer}piece = 'small building'");
    assert_eq!(notes("demolish", &building), [spared]);
}

#[test]
fn damage_that_shooters_lost_for_nothing_is_noted() {
    let shots = "shots = 2\naccuracy = 4\nenergy = 6\narmour = 9\n";
    let at = |extra: &str| notes("shoot", &format!("{shots}{extra}"));
    let idle = [
        "no weapon here is Reduced-X: the Damage Points that its shooters have lost change nothing",
    ];
    let spent = "Reduced-X leaves a shooter that has lost so much no shot";
    assert_eq!(at("damage_lost = 1"), idle);
    assert!(at("damage_lost = 1\nspecials = ['Reduced-1']").is_empty());
    assert_eq!(at("damage_lost = 2\nspecials = ['Reduced-1']"), [spent]);
    // One of two weapons is reduced by a field of the contest for both.
    let second = "attack = { shots = 2, accuracy = 3, energy = 6, specials = ['Reduced-2'] }";
    assert!(at(second).is_empty());
    assert_eq!(at(&format!("damage_lost = 1\n{second}")), [format!("weapon 2: {spent}")]);
    let piece = "shots = 2\naccuracy = 4\nenergy = 6\npiece = 'small building'\ndamage_lost = 2\n";
    assert_eq!(notes("demolish", piece), idle);
    assert_eq!(notes("demolish", &format!("{piece}specials = ['Reduced-1']")), [spent]);
}
