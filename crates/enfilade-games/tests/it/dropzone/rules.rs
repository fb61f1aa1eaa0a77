//! Every modifier, special and action of `dropzone`, one die at a time: the expected numbers are
//! counted by hand from the quick reference.

use std::collections::BTreeMap;

use crate::harness::play::{contest, try_contest};
use crate::harness::walk::{CountedDistribution, count_all_fields, law_in};

/// Returns the distribution of all fields of a volley.
fn shoot(toml: &str) -> CountedDistribution {
    count_all_fields(&contest("dropzone", "shoot", toml))
}

/// Returns the number of faces of six on which one shot damages, if every hit damages.
fn hitting_faces(extra: &str) -> u128 {
    let accuracy = if extra.contains("accuracy") { "" } else { "accuracy = 2\n" };
    let toml =
        format!("shots = 1\n{accuracy}energy = 20\narmour = 5\ndamage_points = 100\n{extra}");
    let law = law_in("dropzone", "shoot", &toml, &["damage"]);
    let missed = law.rows.get(&vec![0]).copied().unwrap_or(0);
    6 - missed * 6 / law.ways
}

#[test]
fn every_accuracy_modifier_counts() {
    let all = "out_of_coherency = true\ndisembarked = true\nhull_down = true\nsoft_cover = true";
    let cases = [
        ("", 5),
        ("out_of_coherency = true", 4),
        ("disembarked = true", 3),
        ("hull_down = true", 3),
        ("soft_cover = true", 3),
        ("evasion = 2", 3),
        ("body_cover = true", 5),
        (all, 0),
        ("accuracy = 0", 6),
        ("accuracy = 1\nnatural_one_misses = true", 5),
        ("accuracy = 7", 0),
        ("accuracy = 7\nnatural_six_hits = true", 1),
        ("hull_down = true\nhull_down_modifier = 1", 4),
        ("soft_cover = true\nsoft_cover_modifier = 3", 2),
        ("out_of_coherency = true\ncoherency_modifier = 2", 3),
        ("disembarked = true\ndisembarked_modifier = 1", 4),
        ("target = 'Scourge/Hunter'", 3),
        ("target = 'Scourge/Hunter'\nevasion = 1", 4),
    ];
    for (extra, faces) in cases {
        assert_eq!(hitting_faces(extra), faces, "{extra}");
    }
}

#[test]
fn every_special_that_changes_a_hit_die_counts() {
    let special =
        |special: &str, extra: &str| hitting_faces(&format!("specials = ['{special}']\n{extra}"));
    let soft = "soft_cover = true";
    assert_eq!((special("Flame", soft), special("Flame", "evasion = 3")), (5, 5));
    assert_eq!(special("Flame", "hull_down = true"), 3);
    assert_eq!((special("Cover (Soft)", soft), special("Cover (Body)", soft)), (5, 3));
    assert_eq!(special("Cover (All)", "soft_cover = true\nhull_down = true"), 5);
    assert_eq!(special("Cover (Hull)", "hull_down = true"), 5);
    // Evasion 3 is 5+ to hit on 2+; AA-2 leaves 1 of it, AA-0 all of it.
    assert_eq!((special("AA-2", "evasion = 3"), special("AA-0", "evasion = 3")), (4, 2));
    assert_eq!(special("AA-4", "evasion = 3"), 5);
    // One entry may hold several, as the data prints them.
    assert_eq!(
        (
            special("AA-4, Tech Killer", "evasion = 3"),
            special("Flame, Cover (Hull)", "hull_down = true\nevasion = 3")
        ),
        (5, 5)
    );
    let flyer = "type = 'Aircraft'\naircraft_need_aa = true";
    assert_eq!((special("AA-0", flyer), special("Penetrative", flyer)), (5, 0));
    assert_eq!(hitting_faces("type = 'Aircraft'"), 5);
    let large = "hull_down = true\ntarget_specials = ['Large']";
    assert_eq!(hitting_faces(large), 3);
    assert_eq!(hitting_faces(&format!("{large}\nlarge_hull_down = false")), 5);
    // An Area weapon at 5+ misses on a 1 only: 2 to 4 glance, and energy 18 damages as well.
    assert_eq!((special("Area", "accuracy = 5"), special("Area", "accuracy = 7")), (5, 5));
    let behemoth = "accuracy = 5\ntype = 'Behemoth'";
    assert_eq!(special("Area", behemoth), 5);
    let plain = format!("{behemoth}\narea_on_behemoths = false");
    assert_eq!(special("Area", &plain), 2);
    assert_eq!(special("Area", "accuracy = 5\nglance_from = 4"), 3);
}

#[test]
fn scenery_is_hit_on_two_or_more_and_close_quarters_by_itself() {
    let scenery = "type = 'Scenery'\naccuracy = 6\nsoft_cover = true\nevasion = 2";
    assert_eq!(hitting_faces(scenery), 5);
    assert_eq!(hitting_faces(&format!("{scenery}\nscenery_accuracy = 4")), 3);
    assert_eq!(hitting_faces(&format!("{scenery}\nspecials = ['Tech Killer']")), 0);
    assert_eq!(
        hitting_faces(&format!(
            "{scenery}\nspecials = ['Tech Killer']\ntech_killer_on_scenery = true"
        )),
        5
    );
    assert_eq!(hitting_faces("specials = ['Tech Killer']"), 5);
    let close = "close_quarters = true\naccuracy = 0\nsoft_cover = true\nevasion = 5";
    assert_eq!(hitting_faces(close), 6);
    assert_eq!(hitting_faces("close_quarters = true\naccuracy = 4"), 3);
}

/// Returns the ways of 36 in which one automatic hit of energy 6 on armour 9 does each damage.
fn damage(extra: &str) -> BTreeMap<i32, u128> {
    let armour = if extra.contains("armour =") { "" } else { "armour = 9\n" };
    let toml = format!(
        "shots = 1\nenergy = 6\nclose_quarters = true\nclose_quarters_anywhere = true\ndamage_points = 100\n{armour}{extra}"
    );
    let law = law_in("dropzone", "shoot", &toml, &["damage"]);
    law.rows_over_sixths(2).into_iter().map(|(key, n)| (key[0], n)).collect()
}

fn ways<const N: usize>(ways: [(i32, u128); N]) -> BTreeMap<i32, u128> {
    ways.into_iter().collect()
}

#[test]
fn every_damage_modifier_and_special_counts() {
    // 3 and 4 reach 9, 5 and 6 reach 11.
    let plain = ways([(0, 12), (1, 12), (2, 12)]);
    assert_eq!(damage(""), plain);
    // Body cover is −1: 4 and 5 reach 9, 6 reaches 11.
    let covered = ways([(0, 18), (1, 12), (2, 6)]);
    assert_eq!(damage("body_cover = true"), covered);
    for ignoring in ["Flame", "Cover (Body)", "Cover (All)"] {
        assert_eq!(damage(&format!("body_cover = true\nspecials = ['{ignoring}']")), plain);
    }
    assert_eq!(damage("body_cover = true\nspecials = ['Cover (Soft)']"), covered);
    assert_eq!(damage("target_specials = ['Resilient']"), ways([(0, 12), (1, 24)]));
    assert_eq!(damage("armour = 14\nspecials = ['Penetrative']"), ways([(0, 30), (1, 6)]));
    assert_eq!(damage("armour = 14"), ways([(0, 36)]));
    assert_eq!(damage("critical_margin = 3"), ways([(0, 12), (1, 18), (2, 6)]));
    assert_eq!(damage("critical_factor = 3"), ways([(0, 12), (1, 12), (3, 12)]));
    assert_eq!(damage("body_cover = true\nbody_cover_energy = -2"), ways([(0, 24), (1, 12)]));
}

#[test]
fn devastators_hurt_what_they_are_made_against() {
    let plain = ways([(0, 12), (1, 12), (2, 12)]);
    let tripled = ways([(0, 12), (3, 12), (6, 12)]);
    let against = |prey: &str, target: &str| {
        damage(&format!("specials = ['Devastator-3 ({prey})']\n{target}"))
    };
    for (prey, target, hurt) in [
        ("Infantry", "type = 'Infantry'", true),
        ("Infantry", "type = 'Tank'", false),
        ("Behemoth, Infantry", "type = 'Infantry'", true),
        ("Vehicle", "type = 'Walker'", true),
        ("Vehicle", "type = 'Walker'\nvehicle_means = 'tank'", false),
        ("Vehicle", "type = 'Tank'\nvehicle_means = 'tank'", true),
        ("Vehicle", "type = 'Infantry'", false),
        ("All", "type = 'Aircraft-S'", true),
        ("Aircraft", "type = 'Aircraft-S'", true),
        ("Large", "target_specials = ['Large']", true),
        ("Large", "type = 'Walker'", false),
        ("Flammable Scenery", "type = 'Tank'\nflammable = true", false),
    ] {
        let expected = if hurt { &tripled } else { &plain };
        assert_eq!(&against(prey, target), expected, "{prey} against {target}");
    }
    // A Critical on scenery is plain damage, and it takes a Devastator's number once.
    assert_eq!(against("Scenery", "type = 'Scenery'"), ways([(0, 12), (3, 24)]));
    let woods = "type = 'Scenery'\nflammable = true";
    assert_eq!(against("Flammable Scenery", woods), ways([(0, 12), (3, 24)]));
    assert_eq!(against("Flammable Scenery", "type = 'Scenery'"), ways([(0, 12), (1, 24)]));
    // A printed forest burns unless the contest turns this off.
    let forest = |flammable: &str| {
        let toml = format!(
            "shots = 1\naccuracy = 2\nenergy = 1\nspecials = ['Devastator-3 (Flammable Scenery)']\n{flammable}"
        );
        let at = |action: &str, field: &str| {
            law_in("dropzone", action, &format!("{toml}{field} = 'small forest'"), &["damage"])
                .rows_over_sixths(2)
        };
        let shot = at("shoot", "target");
        assert_eq!(shot, at("demolish", "piece"));
        shot
    };
    // Energy 1 on armour 7: a 6 alone, of five hits in six.
    for (flammable, damage) in [("", 3), ("flammable = true\n", 3), ("flammable = false\n", 1)] {
        let expected = BTreeMap::from([(vec![0], 31), (vec![damage], 5)]);
        assert_eq!(forest(flammable), expected, "{flammable}");
    }
    let resilient = "target_specials = ['Resilient']\ntype = 'Infantry'";
    assert_eq!(against("Infantry", resilient), ways([(0, 12), (3, 24)]));
}

#[test]
fn damage_is_rolled_again_on_the_turn_of_entry_and_dodged_at_close_quarters() {
    // 4/6 damage; the second die counts: 4/6 · (2, 2, 2)/6 and the 2/6 that did nothing.
    let again = ways([(0, 20), (1, 8), (2, 8)]);
    assert_eq!(damage("entered_garrison = true"), again);
    let far = "shots = 1\naccuracy = 0\nenergy = 6\narmour = 9\ndamage_points = 9\n";
    let rolled_once = shoot(far);
    assert_eq!(rolled_once, shoot(&format!("{far}entered_garrison = true")));
    // Dodge 4+ halves a point: 3 and 4 leave 1 half the time; 5 and 6 leave 0, 1, 2 as 1 : 2 : 1.
    let dodged = "armour = 9\ntarget_specials = ['Dodge 4+']";
    let toml = format!("shots = 1\nenergy = 6\nclose_quarters = true\ndamage_points = 9\n{dodged}");
    let told = law_in("dropzone", "shoot", &toml, &["damage"]).rows_over_sixths(3);
    let expected = [(vec![0], 72 + 36 + 18), (vec![1], 36 + 36), (vec![2], 18)];
    assert_eq!(told, BTreeMap::from(expected));
    let shot_at = shoot(&format!("{far}target_specials = ['Dodge 2+']"));
    assert_eq!(rolled_once, shot_at, "Dodge is no help against shots");
}

#[test]
fn dodge_comes_after_passive_countermeasures() {
    // One plain hit in two (3 to 5 on armour 9, no Criticals): passive 4+, then Dodge 5+.
    let toml = "shots = 1\nenergy = 6\nclose_quarters = true\narmour = 9\ncritical_margin = 6\n\
                passive = 4\ntarget_specials = ['Dodge 5+']";
    let told = law_in("dropzone", "shoot", toml, &["damage"]).rows_over_sixths(3);
    // 4/6 damage · 3/6 not saved · 4/6 not dodged.
    assert_eq!(told[&vec![1]], 4 * 3 * 4);
}

fn same(a: &str, b: &str) {
    let base = "accuracy = 3\nenergy = 8\narmour = 11\ndamage_points = 9\n";
    let told = |extra: &str| law_in("dropzone", "shoot", &format!("{base}{extra}"), &["damage"]);
    assert_eq!(told(a), told(b), "{a}\n{b}");
}

#[test]
fn shots_are_multiplied_and_reduced() {
    same("shots = 2\nsquad = 3", "shots = 6");
    same("shots = 2\nspecials = ['Strafe-2']", "shots = 4");
    same("shots = 4\nspecials = ['Reduced-1']\ndamage_lost = 2", "shots = 2");
    same("shots = 4\nspecials = ['Reduced-3']\ndamage_lost = 1", "shots = 1");
    same(
        "shots = 5\nspecials = ['Reduced-2', 'Strafe-2']\ndamage_lost = 2\nsquad = 2",
        "shots = 4",
    );
    same("shots = 3\nspecials = ['Alt-1', 'Articulated', 'Limited-1', 'Indirect']", "shots = 3");
    let none = shoot(
        "shots = 2\naccuracy = 2\nenergy = 8\narmour = 2\nspecials = ['Reduced-1']\ndamage_lost = 5",
    );
    assert_eq!(none.rows_over_sixths(0), BTreeMap::from([(vec![0, 0], 1)]));
}

#[test]
fn focus_trades_hits_for_energy() {
    let focused = |shots: u32, merge: u32| {
        let toml = format!(
            "shots = {shots}\nenergy = 6\nclose_quarters = true\narmour = 9\ndamage_points = 9\n\
             specials = ['Focus-3']\nfocus_merge = {merge}"
        );
        law_in("dropzone", "shoot", &toml, &["damage"])
    };
    // Two hits merged: energy 9 on armour 9, 1 does 1 damage, 2 and more do 2.
    let merged = BTreeMap::from([(vec![1], 1), (vec![2], 5)]);
    assert_eq!(focused(2, 2).rows_over_sixths(1), merged);
    // A third hit is left over with its own energy 6: (0, 1, 2) as 2 : 2 : 2.
    let expected = [(vec![1], 2), (vec![2], 2 + 10), (vec![3], 2 + 10), (vec![4], 10)];
    assert_eq!(focused(3, 2).rows_over_sixths(2), BTreeMap::from(expected));
    // Three merged: energy 12 is a Critical whatever is rolled.
    assert_eq!(focused(3, 3).rows_over_sixths(0), BTreeMap::from([(vec![2], 1)]));
    assert_eq!(focused(2, 1), focused(2, 1));
    // With hit dice: both of two hit on 4+ a quarter of the time, one of them half of it.
    let toml = "shots = 2\naccuracy = 4\nenergy = 6\narmour = 9\ndamage_points = 9\n\
                specials = ['Focus-3']\nfocus_merge = 2";
    let told = law_in("dropzone", "shoot", toml, &["damage"]).rows_over_sixths(3);
    let expected = [
        (vec![0], 54 + 36), // 54 both miss, 108 · 2/6
        (vec![1], 36 + 9),  // 108 · 2/6, 54 · 1/6
        (vec![2], 36 + 45),
    ];
    assert_eq!(told, BTreeMap::from(expected));
}

#[test]
fn hits_and_criticals_are_told_when_asked_for() {
    let toml =
        "shots = 1\naccuracy = 4\nenergy = 6\narmour = 9\ndamage_points = 1\ndetail = 'hits'";
    let told =
        law_in("dropzone", "shoot", toml, &["hits", "criticals", "damage"]).rows_over_sixths(2);
    let expected =
        [(vec![0, 0, 0], 18), (vec![1, 0, 0], 6), (vec![1, 0, 1], 6), (vec![1, 1, 1], 6)];
    assert_eq!(told, BTreeMap::from(expected));
    // Destroyer: a 6 is a Critical without a die; the tally goes on after the target is gone.
    let toml = "shots = 2\naccuracy = 6\nenergy = 1\narmour = 20\nspecials = ['Destroyer 6+']\ndetail = 'hits'";
    let told =
        law_in("dropzone", "shoot", toml, &["hits", "criticals", "destroyed"]).rows_over_sixths(2);
    let expected = [(vec![0, 0, 0], 25), (vec![1, 1, 1], 10), (vec![2, 2, 1], 1)];
    assert_eq!(told, BTreeMap::from(expected));
}

#[test]
fn out_of_reach_nothing_is_fired() {
    let rail = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\n";
    let p = |extra: &str| shoot(&format!("{rail}{extra}")).mean_over_rows(|o| o[0]);
    // Active countermeasures shorten the rail gun to 24 inches; without them it has no limit.
    assert!(p("target = 'UCM/Sabre'\nrange = 24") > 0.0);
    assert_eq!(p("target = 'UCM/Sabre'\nrange = 25"), 0.0);
    assert!(p("target = 'UCM/Sabre'\nactive = false\nrange = 100") > 0.0);
    let far = try_contest("dropzone", "shoot", &format!("{rail}target = 'UCM/Sabre'\nrange = 25"));
    assert!(far.expect("sound").notes[0].contains("out of reach"));
}

#[test]
fn what_is_not_modelled_is_named() {
    let notes = |toml: &str| try_contest("dropzone", "shoot", toml).expect("sound").notes;
    let toml = "weapon = 'Shaltari/Yari/Microwave Gun'\ntarget = 'Scourge/Razorworms'";
    assert_eq!(notes(toml), ["not modelled: the weapon's special \"Airburst\""]);
    let toml = "weapon = 'UCM/Sabre/Avenger Railgun'\narmour = 9\ntarget_specials = ['Psychic']";
    assert!(notes(toml)[0].contains("Psychic"));
    let toml = "shots = 1\naccuracy = 2\nenergy = 9\narmour = 9\nspecials = ['Gravity Well']";
    assert!(notes(toml)[0].contains("Gravity Well"));
    assert!(notes("weapon = 'UCM/Sabre/Avenger Railgun'\ntarget = 'PHR/Ares'").is_empty());
}

#[test]
fn the_data_fills_in_both_sides() {
    // Railgun 1+, energy 10, at armour 13 with evasion 2: 3+ to hit, 3+ to damage, one point.
    let toml = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\ntarget = 'Scourge/Hunter'";
    let told = law_in("dropzone", "shoot", toml, &["destroyed"]).rows_over_sixths(2);
    assert_eq!(told, BTreeMap::from([(vec![0], 20), (vec![1], 16)]));
    // Damage per 100 points: a Sabre costs 35.
    let contest = try_contest("dropzone", "shoot", toml).expect("sound");
    let measures = contest.combat.measures();
    let per_100 = measures.iter().find(|m| m.name == "damage_per_100_points");
    let scale = per_100.expect("the Sabre has points").scale;
    assert_eq!((scale.numerator, scale.denominator), (100, 35));
}
