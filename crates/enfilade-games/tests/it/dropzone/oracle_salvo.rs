//! Several weapons in one volley, by brute force: each weapon fires, shot by shot on the lists of
//! models of [`crate::dropzone::oracle`], at the squads that the one before leaves.

use std::collections::BTreeMap;

use crate::dropzone::oracle::{PLAIN, Volley};
use crate::harness::play::try_contest;
use crate::harness::walk::{compute_measure, law_in};

fn attack(volley: &Volley) -> String {
    format!(
        "[[attack]]\nshots = {}\naccuracy = {}\nenergy = {}\nspecials = [{}]\n",
        volley.shots,
        volley.needed,
        volley.energy,
        volley.specials()
    )
}

/// Checks one target under all of these volleys, one after another.
fn check(volleys: &[Volley]) {
    let first = &volleys[0];
    let mut tables = BTreeMap::from([(vec![first.points; first.models], 1_u128)]);
    let mut toml = first.toml();
    for (place, volley) in volleys.iter().enumerate() {
        tables = volley.fired_at(tables);
        if place > 0 {
            toml += &attack(volley);
        }
    }
    let told = law_in("dropzone", "shoot", &toml, &["damage", "destroyed"]);
    assert_eq!(told, first.told(tables), "{toml}");
}

#[test]
fn weapons_of_one_volley_have_the_law_of_one_after_another() {
    for passive in [None, Some(4)] {
        for (models, points) in [(1, 5), (3, 1), (2, 3)] {
            for even in [false, true] {
                let base = Volley { models, points, passive, even, ..PLAIN };
                let railgun = Volley { shots: 2, ..base.clone() };
                let gatling = Volley { shots: 1, needed: 2, energy: 10, ..base.clone() };
                check(&[railgun.clone(), gatling.clone()]);
                check(&[gatling.clone(), railgun.clone()]);
                let area = Volley { area: true, needed: 5, shots: 1, ..base.clone() };
                let heavy = Volley { destroyer: Some(5), devastator: 2, shots: 1, ..base };
                check(&[heavy, area, gatling]);
            }
        }
    }
}

/// Returns the chance of a hit of each weapon, from the distribution of their hits, where each has
/// one shot.
fn hits(toml: &str) -> Vec<f64> {
    let told = law_in("dropzone", "shoot", &format!("{toml}\ndetail = 'hits'"), &["hits"]);
    (0..=2).map(|n| told.chance_over_rows(|o| o[0] == n)).collect()
}

fn near(found: Vec<f64>, (a, b): (f64, f64)) {
    let (a, b) = (a / 6.0, b / 6.0);
    let expected = [(1.0 - a) * (1.0 - b), a * (1.0 - b) + b * (1.0 - a), a * b];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn what_a_weapon_does_not_say_is_as_in_the_contest() {
    let both = |contest: &str, attack: &str| {
        hits(&format!(
            "shots = 1\naccuracy = 2\nenergy = 0\narmour = 30\n{contest}\n\
             attack = {{ shots = 1, accuracy = 3, energy = 0{attack} }}"
        ))
    };
    // 2+ and 3+; both moved by 2, or only one of them.
    near(both("", ""), (5.0, 4.0));
    near(both("soft_cover = true", ""), (3.0, 2.0));
    near(both("soft_cover = true", ", soft_cover = false"), (3.0, 4.0));
    near(both("", ", hull_down = true"), (5.0, 2.0));
    near(both("hull_down = true", ""), (3.0, 2.0));
    near(both("disembarked = true", ", disembarked = false"), (3.0, 4.0));
    near(both("out_of_coherency = true", ""), (4.0, 3.0));
    near(both("", ", out_of_coherency = true"), (5.0, 3.0));
}

#[test]
fn body_cover_range_and_entry_are_each_weapons_own() {
    let damage = |contest: &str, attack: &str| {
        let toml = format!(
            "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 5\narmour = 10\ndamage_points = 9\n\
             critical_margin = 6\n{contest}\n\
             attack = {{ shots = 1, accuracy = 0, close_quarters = true, energy = 5{attack} }}"
        );
        let told = law_in("dropzone", "shoot", &toml, &["damage"]);
        told.mean_over_rows(|o| o[0])
    };
    // 5 and more damage: 2 of 6; with body cover 1 of 6; rolled again, 2 of 6 of those.
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    close(damage("", ""), 4.0 / 6.0);
    close(damage("body_cover = true", ""), 2.0 / 6.0);
    close(damage("body_cover = true", ", body_cover = false"), 3.0 / 6.0);
    close(damage("", ", entered_garrison = true"), 2.0 / 6.0 + 4.0 / 36.0);
    // The Sabre's railgun sees as far as it likes, its gatling 36 inches.
    let far = |range: &str| {
        let toml = format!(
            "weapon = 'UCM/Sabre Tank/Avenger Railgun'\narmour = 9\ndamage_points = 99\n\
             attack = {{ weapon = 'UCM/Sabre Tank/Gatling Gun'{range} }}"
        );
        try_contest("dropzone", "shoot", &toml).expect("sound").notes
    };
    assert!(far(", range = 36").is_empty());
    assert_eq!(far(", range = 37"), ["weapon 2: the target is out of reach: no shot is fired"]);
}

#[test]
fn models_that_fire_twice_cost_once() {
    let per_100 = |toml: &str| {
        let contest = try_contest("dropzone", "shoot", toml).expect("sound");
        compute_measure(&contest.combat, "damage_per_100_points")
    };
    // Every shot hits and does one point: armour 1, criticals out of reach.
    let sure = "accuracy = 1\nenergy = 5\narmour = 6\ndamage_points = 50\ncritical_margin = 6\n";
    let one = |attack: &str| per_100(&format!("shots = 1\npoints = 40\nsquad = 2\n{sure}{attack}"));
    let further = "accuracy = 1, energy = 5";
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
    // `measure` has the scale left out: points of damage, over what they cost, in `scale`.
    close(one(""), 2.0);
    close(one(&format!("attack = {{ shots = 3, {further} }}")), 8.0);
    close(one(&format!("attack = {{ shots = 3, squad = 1, points = 20, {further} }}")), 5.0);
    let scale = |attack: &str| {
        let toml = format!("shots = 1\npoints = 40\nsquad = 2\n{sure}{attack}");
        let contest = try_contest("dropzone", "shoot", &toml).expect("sound");
        let heads = contest.combat.measures();
        let head = heads.iter().find(|head| head.name == "damage_per_100_points");
        head.map(|head| head.scale.to_f64())
    };
    assert_eq!(scale(&format!("attack = {{ shots = 3, {further} }}")), Some(100.0 / 80.0));
    let other = format!("attack = {{ shots = 3, squad = 1, points = 20, {further} }}");
    assert_eq!(scale(&other), Some(1.0));
    // The models of the contest cost what it gives, though it names no weapon itself: 2 of 40.
    let unarmed = |attack: &str| format!("points = 40\nsquad = 2\narmour = 6\n{attack}");
    let contest = try_contest(
        "dropzone",
        "shoot",
        &unarmed(&format!("attack = [{{ shots = 3, {further} }}, {{ shots = 1, {further} }}]")),
    );
    let contest = contest.expect("sound");
    let heads = contest.combat.measures();
    let head = heads.iter().find(|head| head.name == "damage_per_100_points");
    assert_eq!(head.map(|head| head.scale.to_f64()), Some(100.0 / 80.0));
    let toml = unarmed(&format!("attack = {{ shots = 3, points = 20, {further} }}"));
    let Err(faults) = try_contest("dropzone", "shoot", &toml) else { panic!("of no other models") };
    assert_eq!(faults[0].path, "attack[0].points");
    // The cost of these is unknown.
    assert_eq!(scale(&format!("attack = {{ shots = 3, squad = 1, {further} }}")), None);
}

#[test]
fn what_a_volley_cannot_be_is_told_at_its_place() {
    let refused = |toml: &str| {
        let Err(faults) = try_contest("dropzone", "shoot", toml) else { panic!("{toml}") };
        faults.into_iter().map(|fault| fault.path).collect::<Vec<_>>()
    };
    let contest = "shots = 1\naccuracy = 3\nenergy = 9\narmour = 11\n";
    let with = |attack: &str| format!("{contest}{attack}");
    assert_eq!(refused(&with("attack = { shots = 1, accuracy = 2 }")), ["attack[0].energy"]);
    let two = "attack = [{ shots = 1, accuracy = 2, energy = 1 }, { energy = 1 }]";
    assert_eq!(refused(&with(two)), ["attack[1].shots", "attack[1].accuracy"]);
    let best = format!("{}focus = 'best'", contest);
    assert_eq!(
        refused(&format!("{best}\nattack = {{ shots = 1, accuracy = 2, energy = 1 }}")),
        ["focus"]
    );
    // Two of its Alt-1 weapons; two Rapiers may fire one each.
    let rapier = |squad: &str| {
        format!(
            "armour = 9\nweapon = 'UCM/Rapier AA Tank/AA Vindicator'\n\
             attack = {{ weapon = 'UCM/Rapier AA Tank/Wide Vindicator'{squad} }}"
        )
    };
    assert_eq!(refused(&rapier("")), ["attack[0].weapon"]);
    assert!(try_contest("dropzone", "shoot", &rapier(", squad = 1")).is_ok());
    // A contest without a weapon in its own fields has those in its list.
    let listed = "armour = 11\nattack = { shots = 1, accuracy = 3, energy = 9 }";
    let told = law_in("dropzone", "shoot", listed, &["damage"]);
    assert_eq!(told, law_in("dropzone", "shoot", contest, &["damage"]));
    assert_eq!(refused("armour = 11"), ["shots", "accuracy", "energy"]);
}
