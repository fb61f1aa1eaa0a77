//! Every modifier, weapon and action of `skirmishers`; the expected numbers are counted by hand.

use std::collections::BTreeMap;

use enfilade_model::dice::ScriptedDice;

use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};

/// Returns the ways of 36 in which 2d6 are `needed` or more.
fn ways(needed: i32) -> u128 {
    (2..=12).filter(|&sum| sum >= needed).map(|sum: i32| 6 - (sum - 7).unsigned_abs() as u128).sum()
}

fn needs(action: &str, toml: &str) -> i32 {
    let field = if action == "attack" { "hits" } else { "hit" };
    let told = law_in("skirmishers", action, toml, &[field]);
    let hit = told.rows.get(&vec![1]).copied().unwrap_or(0);
    (2..=13).find(|&needed| ways(needed) * told.ways == hit * 36).expect("a target number")
}

#[test]
fn every_modifier_of_the_target_number_counts() {
    let rifle = |extra: &str| needs("attack", &format!("weapon = 'rifle'\nrange = 20\n{extra}"));
    let long = |extra: &str| needs("attack", &format!("weapon = 'rifle'\nrange = 40\n{extra}"));
    let near = |extra: &str| needs("attack", &format!("weapon = 'rifle'\nrange = 1\n{extra}"));
    assert_eq!((rifle(""), long(""), rifle("obstructions = 3")), (6, 8, 9));
    assert_eq!((rifle("smoke = 1"), rifle("smoke = 2")), (9, 12));
    assert_eq!((rifle("movement_fire = true"), rifle("large_target = true")), (8, 4));
    assert_eq!((rifle("sneak_suit = true"), long("sneak_suit = true")), (6, 9));
    assert_eq!((rifle("attacker_entangled = true"), rifle("tunnel = true")), (7, 8));
    assert_eq!((rifle("defender_swimming = true"), rifle("prone_attacker = true")), (7, 5));
    assert_eq!((rifle("prone_target = true"), near("prone_target = true")), (7, 5));
    assert_eq!((rifle("trench = true"), rifle("trench = true\nprone_target = true")), (7, 7));
    assert_eq!((rifle("modifier = -1"), rifle("smoke = 4")), (5, 13));
    for (hp, wounds) in [(10, 0), (8, 0), (7, 1), (6, 1), (5, 2), (3, 2), (2, 3), (1, 3)] {
        assert_eq!(rifle(&format!("attacker_hp = {hp}")), 6 + wounds, "HP {hp}");
    }
    // The example: an LMG at long range, one obstruction, a prone firer.
    let lmg = "weapon = 'LMG'\nrange = 60\nobstructions = 1\nprone_attacker = true";
    assert_eq!(needs("attack", lmg), 8);
}

#[test]
fn every_number_of_the_attack_rules_is_a_field() {
    for (what, number) in [
        ("range = 40", "long_range_modifier"),
        ("obstructions = 1", "obstruction_modifier"),
        ("smoke = 1", "smoke_modifier"),
        ("movement_fire = true", "movement_fire_modifier"),
        ("sneak_suit = true\nrange = 40\nlong_range_modifier = 0", "sneak_suit_modifier"),
        ("large_target = true", "large_target_modifier"),
        ("attacker_entangled = true", "entangled_modifier"),
        ("tunnel = true", "tunnel_modifier"),
        ("defender_swimming = true", "swimming_modifier"),
        ("prone_attacker = true", "prone_attacker_modifier"),
        ("prone_target = true\nrange = 20", "prone_target_modifier"),
        ("prone_target = true\nrange = 1", "prone_adjacent_modifier"),
    ] {
        assert_eq!(
            needs("attack", &format!("weapon = 'rifle'\n{what}\n{number} = 5")),
            11,
            "{number}"
        );
    }
    assert_eq!(needs("attack", "weapon = 'rifle'\nbase_ranged = 8"), 8);
    assert_eq!(needs("attack", "weapon = 'knife'\nbase_melee = 8"), 8);
}

#[test]
fn the_base_number_is_that_of_the_weapons_kind() {
    assert_eq!(needs("attack", "weapon = 'knife'"), 4);
    assert_eq!(needs("attack", "weapon = 'HMG'"), 6);
    assert_eq!(needs("explosion", "weapon = 'hand grenade'\nap_spent = 5"), 5);
    assert_eq!(needs("explosion", "weapon = 'rocket launcher'\nrange = 72"), 8);
    // Explosives do not mind whether the target is prone.
    assert_eq!(
        needs("explosion", "weapon = 'rocket launcher'\nrange = 10\nprone_target = true"),
        6
    );
}

#[test]
fn ranges_are_the_printed_ones() {
    for (weapon, short, long) in [
        ("LMG", 29, 100),
        ("MMG", 34, 112),
        ("HMG", 36, 125),
        ("semi-portable laser", 80, 240),
        ("heavy semi-portable laser", 106, 380),
        ("SMG", 5, 17),
        ("rifle", 26, 85),
        ("laser SMG", 43, 127),
        ("laser rifle", 66, 232),
        ("gyrojet rifle", 31, 137),
        ("pistol", 7, 20),
        ("auto pistol", 6, 22),
        ("laser pistol", 11, 40),
    ] {
        let at = |range: i32| {
            needs("attack", &format!("weapon = '{weapon}'\nrange = {range}\nshots = 1"))
        };
        assert_eq!((at(short), at(short + 1), at(long)), (6, 8, 8), "{weapon}");
        let beyond = format!("weapon = '{weapon}'\nrange = {}\nshots = 1", long + 1);
        let beyond = try_contest("skirmishers", "attack", &beyond).expect("sound");
        assert!(beyond.notes[0].contains("out of range"), "{weapon}");
        assert_eq!(at(long + 1), 13, "{weapon}");
    }
}

#[test]
fn a_weapon_in_numbers_is_ranged_and_may_have_one_range() {
    // Ranged: a prone target is harder to hit, as no explosive minds.
    let prone = "damage = '4X'\nprone_target = true\nrange = 20";
    assert_eq!(needs("attack", prone), 7);
    let short = |short: i32, range: i32| {
        format!("damage = '4X'\nshort = {short}\nlong = 10\nrange = {range}")
    };
    let needed = [(10, 10), (10, 11), (9, 10)].map(|(s, range)| needs("attack", &short(s, range)));
    assert_eq!(needed, [6, 13, 8]);
    let refused = try_contest("skirmishers", "attack", &short(11, 5)).err();
    let fault = &refused.expect("short range is beyond long range")[0];
    assert_eq!(
        (fault.path.as_str(), fault.problem.as_str()),
        ("short", "`short` is 11, beyond `long`, 10")
    );
}

/// Cells crossed by a hit that starts at 10, as shown by the remaining HP.
#[test]
fn damage_is_the_printed_one() {
    for (weapon, points) in [
        ("LMG", 5),
        ("MMG", 6),
        ("HMG", 7),
        ("semi-portable laser", 10),
        ("SMG", 3),
        ("rifle", 4),
        ("laser SMG", 4),
        ("laser rifle", 5),
        ("gyrojet rifle", 6),
        ("pistol", 2),
        ("auto pistol", 3),
        ("laser pistol", 4),
        ("knife", 3),
        ("sword", 4),
        ("vibroblade", 5),
        ("club", 1),
    ] {
        let toml = format!("weapon = '{weapon}'\nshots = 1");
        let contest = try_contest("skirmishers", "attack", &toml).expect("sound");
        let place = contest
            .combat
            .outcome_fields()
            .iter()
            .position(|f| f.name == "hp")
            .expect("one target");
        let ending = contest
            .combat
            .play_one_trial(&mut ScriptedDice::new(&[6, 6, 6, 6]), 9)
            .expect("it ends");
        assert_eq!(ending.fields[place], 10 - points, "{weapon}");
    }
}

#[test]
fn arcs_multiply_the_shots() {
    let hits = |toml: &str| {
        let told = law_in(
            "skirmishers",
            "attack",
            &format!("{toml}\nmodifier = -9\ntargets = 20\nallocation = 'spread'"),
            &["hits"],
        );
        assert_eq!(told.rows.len(), 1);
        told.rows.into_keys().next().expect("one outcome")[0]
    };
    assert_eq!(
        [30, 60, 150].map(|arc| hits(&format!("weapon = 'rifle'\narc = '{arc}'"))),
        [1, 2, 4]
    );
    assert_eq!(
        [30, 60, 150].map(|arc| hits(&format!("weapon = 'SMG'\narc = '{arc}'"))),
        [3, 6, 12]
    );
    assert_eq!(hits("weapon = 'rifle'\narc = '150'\nshots = 2"), 2);
    assert_eq!(hits("weapon = 'rifle'\narc = '60'\narc_60_shots = 3"), 3);
    assert_eq!(hits("weapon = 'rifle'"), 1);
}

#[test]
fn several_targets_are_taken_one_by_one_or_in_turn() {
    // 13X kills with every hit, and every attack hits.
    let told = |extra: &str| {
        let toml = format!("damage = '13X'\nmodifier = -6\nshots = 2\ntargets = 3\n{extra}");
        law_in("skirmishers", "attack", &toml, &["dead", "out_of_action"]).rows_over_sixths(0)
    };
    let two = BTreeMap::from([(vec![2, 0], 1)]);
    assert_eq!((told(""), told("allocation = 'spread'")), (two.clone(), two));
    // 1X: no one is out of action; two hits on the same or on two targets cross the same cells.
    let lost = |extra: &str| {
        let toml =
            format!("damage = '1X'\nmodifier = -6\nshots = 2\ntargets = 2\ntarget_hp = 2\n{extra}");
        law_in("skirmishers", "attack", &toml, &["dead", "out_of_action"])
    };
    // HP 2, cells 2, 1 and 0 open: the first hit crosses 2, the second 1: out of action.
    assert_eq!(lost("").rows_over_sixths(0), BTreeMap::from([(vec![0, 1], 1)]));
    assert_eq!(
        lost("allocation = 'spread'").rows_over_sixths(0),
        BTreeMap::from([(vec![0, 0], 1)])
    );
}

#[test]
fn the_card_tells_ap_and_modifier() {
    let after = |toml: &str, script: &[u8]| {
        let contest = try_contest("skirmishers", "attack", toml).expect("sound");
        let fields = contest.combat.outcome_fields();
        let ending =
            contest.combat.play_one_trial(&mut ScriptedDice::new(script), 9).expect("it ends");
        ["hp", "ap", "modifier"].map(|name| {
            ending.fields[fields.iter().position(|f| f.name == name).expect("declared")]
        })
    };
    // 5X from 10: HP 5, AP 7, +2.
    let lmg = "weapon = 'LMG'\nshots = 1\n";
    assert_eq!(after(lmg, &[6, 6, 5, 5]), [5, 7, 2]);
    assert_eq!(after(&format!("{lmg}target_experience = 'veteran'"), &[6, 6, 5, 5]), [5, 8, 2]);
    // Standard armour takes 4 of the 5 points and 2 off every AP.
    assert_eq!(after(&format!("{lmg}target_armour = 'standard'"), &[6, 6, 5, 5]), [9, 6, 0]);
    assert_eq!(after(&format!("{lmg}target_armour = 'heavy'"), &[6, 6, 5, 5]), [10, 5, 0]);
    assert_eq!(after(&format!("{lmg}target_experience = 'green'"), &[1, 1]), [10, 7, 0]);
    // 5X from 5 crosses 5 to 1: HP 0.
    assert_eq!(after(lmg, &[6, 6, 2, 3]), [0, 0, 0]);
}

fn blast(toml: &str) -> CountedDistribution {
    law_in("skirmishers", "explosion", toml, &["hit", "dead", "out_of_action"])
}

#[test]
fn every_ring_takes_its_own_damage() {
    // 13X on the dot kills with any cell; 6X one dot away kills from cells 5 and below (10 of 36)
    // and puts out from cell 6 (5 of 36); 3X kills from 2 (1 of 36), out from 3 (2 of 36).
    let at = |dot: &str| {
        let toml = format!("weapon = 'anti-tank missile'\nmodifier = -9\ntroopers = [{dot}]");
        let told = blast(&toml);
        [told.chance_over_rows(|o| o[1] == 1), told.chance_over_rows(|o| o[2] == 1)]
            .map(|p| (p * 36.0).round() as i32)
    };
    assert_eq!(at("[0, 0]"), [36, 0]);
    for neighbour in ["[1, 0]", "[0, 1]", "[-1, 1]", "[-1, 0]", "[0, -1]", "[1, -1]"] {
        assert_eq!(at(neighbour), [10, 5], "{neighbour}");
    }
    for two_away in ["[2, 0]", "[1, 1]", "[-2, 1]", "[0, -2]"] {
        assert_eq!(at(two_away), [1, 2], "{two_away}");
    }
    assert_eq!((at("[3, 0]"), at("[4, -4]")), ([0, 0], [0, 0]));
}

#[test]
fn a_miss_scatters_one_dot_in_any_direction() {
    // A launcher that cannot hit: the dot beside the aimed one is hit by one scatter in six, a
    // neighbour of it by two, one opposite by none (13X/0: only ring 0 counts).
    let base = "damage = '13X'\nmodifier = 12\n";
    let dead = |troopers: &str| {
        blast(&format!("{base}troopers = [{troopers}]")).chance_over_rows(|o| o[1] > 0)
    };
    assert!((dead("[1, 0]") - 1.0 / 6.0).abs() < 1e-12);
    assert!((dead("[1, 0], [0, 1]") - 2.0 / 6.0).abs() < 1e-12);
    assert_eq!(dead("[0, 0]"), 0.0);
    let all = "[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]";
    assert!((dead(all) - 1.0).abs() < 1e-12);
    let far = format!("{base}scatter_distance = 2\ntroopers = [[2, 0]]");
    assert!((blast(&far).chance_over_rows(|o| o[1] > 0) - 1.0 / 6.0).abs() < 1e-12);
    // A scatter of no dots is one on the aimed dot.
    let none = format!("{base}scatter_distance = 0\ntroopers = [[0, 0]]");
    assert_eq!(blast(&none).chance_over_rows(|o| o[1] > 0), 1.0);
    // What burns and is not thrown does not scatter; an incendiary grenade does.
    let fire = "weapon = 'incendiary rocket'\nmodifier = 12\ndamage = '13X'\n";
    assert_eq!(blast(&format!("{fire}troopers = [{all}]")).chance_over_rows(|o| o[1] > 0), 0.0);
    let grenade = "weapon = 'incendiary grenade'\nmodifier = 12\ndamage = '13X'\n";
    assert!(
        (blast(&format!("{grenade}troopers = [{all}]")).chance_over_rows(|o| o[1] > 0) - 1.0).abs()
            < 1e-12
    );
}

#[test]
fn water_adds_two_and_fire_burns_on() {
    let dead_in_36 =
        |toml: &str| (blast(toml).chance_over_rows(|o| o[1] == 1) * 36.0).round() as i32;
    // The example: in water an anti-tank weapon does 9X/5X/3X. 5X at one dot kills from 4 and
    // below: 6 of 36; 3X at two dots from 2: 1 of 36.
    let law = "weapon = 'light anti-tank'\nmodifier = -9\nin_water = true\n";
    assert_eq!(dead_in_36(&format!("{law}troopers = [[1, 0]]")), 6);
    assert_eq!(dead_in_36(&format!("{law}troopers = [[2, 0]]")), 1);
    assert_eq!(dead_in_36("weapon = 'light anti-tank'\nmodifier = -9\ntroopers = [[2, 0]]"), 0);
    // 9X kills from 8 and below: 26 of 36.
    assert_eq!(dead_in_36(law), 26);
    // Ending movement in fire is 8X more: it kills from 7 and below, whatever the flames did.
    let flames = |extra: &str| {
        blast(&format!("weapon = 'flamethrower'\nmodifier = -9\n{extra}"))
            .chance_over_rows(|o| o[1] == 1)
    };
    let plain = flames("");
    assert!((plain - 0.0).abs() < 1e-12, "2X never runs past 0 from cell 2");
    let burning = flames("ends_in_fire = true");
    // 2X from s crosses s and s − 1 (s = 2 … 10), then 8X from t: count the pairs by hand below.
    assert!((burning - burn_twice(2, 8)).abs() < 1e-12);
    assert!((flames("fire_entered = 1") - burn_twice(2, 1)).abs() < 1e-12);
    let not_fire =
        "weapon = 'light anti-tank'\nmodifier = -9\ntroopers = [[2, 0]]\nends_in_fire = true";
    assert_eq!(dead_in_36(not_fire), 0);
}

/// Returns the probability that two hits of these points kill a fresh trooper: cells as plain
/// booleans.
fn burn_twice(first: usize, second: usize) -> f64 {
    let weight = |sum: usize| (6 - sum.abs_diff(7)) as f64 / 36.0;
    let hit = |cells: &mut [bool; 11], sum: usize, points: usize| {
        let open: Vec<_> = (0..=sum.min(10)).rev().filter(|&label| !cells[label]).collect();
        open.iter().take(points).for_each(|&label| cells[label] = true);
        open.len() < points || cells[0]
    };
    let mut dead = 0.0;
    for a in 2..=12 {
        for b in 2..=12 {
            let mut cells = [false; 11];
            let gone = hit(&mut cells, a, first) || hit(&mut cells, b, second);
            dead += weight(a) * weight(b) * f64::from(u8::from(gone));
        }
    }
    dead
}

#[test]
fn explosions_need_an_explosive_and_dots() {
    let refused = |toml: &str| {
        try_contest("skirmishers", "explosion", toml).expect_err("refused")[0].path.clone()
    };
    assert_eq!(refused("weapon = 'rifle'"), "weapon");
    assert_eq!(refused("weapon = 'satchel'\ntroopers = [[1, 0], [2]]"), "troopers[1]");
    assert_eq!(refused("damage = '7Y'"), "damage");
    assert_eq!(refused("damage = '7X/3X'\nkind = 'ranged'"), "kind");
    let crowd = |count: usize| {
        let toml = format!("weapon = 'satchel'\ntroopers = [{}]", "[9, 9],".repeat(count));
        let faults = try_contest("skirmishers", "explosion", &toml).err();
        faults.map(|faults| faults[0].problem.clone())
    };
    let many = "at most 40 troopers can be near, but there are 41";
    assert_eq!((crowd(40), crowd(41)), (None, Some(many.into())));
    // Damage by ring explodes without being told so: being prone is no help.
    let prone = "damage = '7X/3X'\nprone_target = true\nrange = 5";
    assert_eq!(needs("explosion", prone), 6);
}
