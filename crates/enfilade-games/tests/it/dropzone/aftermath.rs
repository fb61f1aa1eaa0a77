//! Actions of `dropzone` other than shooting: fortitude, lost transports and aircraft, searches,
//! scenery and collateral damage. The expected numbers are counted by hand from the quick
//! reference.

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};

#[test]
fn fortitude_is_tested_under_half_and_fails_below_its_number() {
    let fields = ["tested", "failed", "abandons", "damage"];
    let held = |toml: &str| law_in("dropzone", "fortitude", toml, &fields).rows_over_sixths(1);
    // Legionnaires have 5 points and fortitude 4+: 2 left is under half, 3 left is not.
    let base = "target = 'UCM/Legionnaires'\n";
    let shaken = held(&format!("{base}lost = 3"));
    assert_eq!(shaken, BTreeMap::from([(vec![1, 0, 0, 0], 3), (vec![1, 1, 1, 0], 3)]));
    let steady = held(&format!("{base}lost = 2"));
    assert_eq!(steady, BTreeMap::from([(vec![0, 0, 0, 0], 6)]));
    // Two models of 5 points: 5 of 10 left is exactly half, so no test.
    let half = held(&format!("{base}lost = 5\ncount = 2"));
    assert_eq!(half, BTreeMap::from([(vec![0, 0, 0, 0], 6)]));
    // Leaving: 1, 2 and 3 fail by 3, 2 and 1; the squad has only 2 points to lose.
    let leaving = held(&format!("{base}lost = 3\nleaving_outnumbered = true"));
    let expected = [(vec![1, 0, 0, 0], 3), (vec![1, 1, 0, 1], 1), (vec![1, 1, 0, 2], 2)];
    assert_eq!(leaving, BTreeMap::from(expected));
    // Three models of 4 points that fail by 1 to 6: one after another the first is gone from 4
    // points on, in turn each of them loses 2 at most.
    let squad = "armour = 7\ndamage_points = 4\ncount = 3\nfortitude = 7\ntype = 'Infantry'\n\
                 leaving_outnumbered = true\n";
    let gone = |allocation: &str| {
        let toml = format!("{squad}allocation = '{allocation}'");
        law_in("dropzone", "fortitude", &toml, &["damage", "destroyed"]).rows_over_sixths(1)
    };
    let lost = |destroyed: fn(i32) -> i32| (1..=6).map(move |n| (vec![n, destroyed(n)], 1));
    assert_eq!(gone("focus"), lost(|n| i32::from(n >= 4)).collect());
    assert_eq!(gone("even"), lost(|_| 0).collect());
    let unhurt = held(&format!("{base}lost = 3\nhurt_at_close_quarters = false"));
    assert_eq!(unhurt, BTreeMap::from([(vec![0, 0, 0, 0], 6)]));
}

fn embarked(action: &str, toml: &str) -> CountedDistribution {
    law_in("dropzone", action, toml, &["hits", "damage", "destroyed"])
}

#[test]
fn a_lost_transport_hits_what_it_carries() {
    // Energy 10 on armour 7 is always a Critical: 2 damage a hit on two units of 5 points.
    let told =
        embarked("transport-loss", "target = 'UCM/Legionnaires'\ncount = 2").rows_over_sixths(1);
    let expected = [(vec![0, 0, 0], 2), (vec![1, 4, 0], 2), (vec![2, 8, 0], 2)];
    assert_eq!(told, BTreeMap::from(expected));
    // Armour 12, passive 5+, 1 point: 2 and 3 damage once, 4 and more twice; a hit kills with
    // 2/6 · 4/6 + 3/6 · 32/36 = 2/3, one of two with 8/9.
    let told = embarked("transport-loss", "target = 'Shaltari/Tomahawk'");
    assert!((told.chance_over_rows(|o| o[2] == 1) - 14.0 / 27.0).abs() < 1e-12);
    let told = embarked("transport-loss", "armour = 20\nharmless_from = 2");
    assert_eq!(told.rows_over_sixths(1), BTreeMap::from([(vec![0, 0, 0], 4), (vec![1, 0, 0], 2)]));
    let weaker = embarked("transport-loss", "armour = 11\nenergy = 4");
    assert_eq!(weaker.chance_over_rows(|o| o[1] > 0), 0.0);
}

#[test]
fn a_crash_hits_what_is_near_enough() {
    // Armour 15: 5 and 6 damage. D3 1: two units, one hit each, 1/3; D3 2: three, two hits, 5/9.
    let toml = "target = 'UCM/Sabre'\ndistances = [1, 2, 1, 3]";
    let told = embarked("aircraft-crash", toml);
    assert!((told.mean_over_rows(|o| o[2]) - (2.0 / 3.0 + 3.0 * 5.0 / 9.0) / 3.0).abs() < 1e-12);
    assert!((told.chance_over_rows(|o| o[2] == 3) - 125.0 / 729.0 / 3.0).abs() < 1e-12);
    let small = embarked("aircraft-crash", "target = 'UCM/Sabre'\nsmall = true");
    assert_eq!(small.rows_over_sixths(0), BTreeMap::from([(vec![0, 0, 0], 1)]));
    assert!(try_contest("dropzone", "aircraft-crash", "armour = 9\ndistances = []").is_err());
}

#[test]
fn an_objective_is_found_the_sooner_the_later_the_turn() {
    let turns = |toml: &str| law_in("dropzone", "search", toml, &["turn"]);
    // Turn t needs 7 − t: 1/6, 2/6, … so the later turns find 5/6 · 2/6, 5/6 · 4/6 · 3/6, …
    let told = turns("").rows_over_sixths(6);
    let mut unfound = 6_u128.pow(6);
    for turn in 1..=6_u128 {
        let found = unfound * turn / 6;
        assert_eq!(told[&vec![turn as i32]], found);
        unfound -= found;
    }
    assert_eq!(turns("scan_tokens = 2"), turns("modifier = 2"));
    // Turn 3 with −2 needs 6: 2/6 of three searchers.
    let three =
        turns("first_turn = 3\nturns = 3\nmodifier = -2\nsearchers = 3").rows_over_sixths(3);
    assert_eq!(three, BTreeMap::from([(vec![0], 125), (vec![3], 91)]));
    assert_eq!(turns("first_turn = 5\nneeded = 20").rows_over_sixths(2)[&vec![0]], 36);
    assert!(try_contest("dropzone", "search", "first_turn = 5\nturns = 4").is_err());
}

#[test]
fn tokens_burn_until_they_fail() {
    let burnt = |toml: &str| law_in("dropzone", "collateral", toml, &["damage", "tokens"]);
    // Armour 10 and energy 4: a 6 does 1 damage and the token stays, else it goes.
    let told = burnt("piece = 'medium building'").rows_over_sixths(1);
    assert_eq!(told, BTreeMap::from([(vec![0, 0], 5), (vec![1, 1], 1)]));
    // Three Round Ups: the token burns 0, 1, 2 or 3 times.
    let told = burnt("piece = 'medium building'\nround_ups = 3").rows_over_sixths(3);
    let expected = [(vec![0, 0], 180), (vec![1, 0], 30), (vec![2, 0], 5), (vec![3, 1], 1)];
    assert_eq!(told, BTreeMap::from(expected));
    // Woods: energy 2 on armour 7 damages on 5 and 6. A bunker only on a natural 6.
    assert_eq!(burnt("piece = 'small forest'").rows_over_sixths(1)[&vec![1, 1]], 2);
    assert_eq!(burnt("piece = 'medium bunker'").rows_over_sixths(1)[&vec![1, 1]], 1);
    assert_eq!(
        burnt("piece = 'medium bunker'\ntoken_always = 7").rows_over_sixths(0)[&vec![0, 0]],
        1
    );
    let two = burnt("piece = 'small forest'\ntokens = 2").rows_over_sixths(2);
    let expected = [(vec![0, 0], 16), (vec![1, 1], 16), (vec![2, 2], 4)];
    assert_eq!(two, BTreeMap::from(expected));
}

#[test]
fn tokens_hit_who_is_inside() {
    let fields = ["tokens", "occupant_damage"];
    let inside = |toml: &str| law_in("dropzone", "collateral", toml, &fields);
    // Legionnaires, armour 7: energy 4 damages on 3 and 4, is a Critical on 5 and 6.
    let told = inside("piece = 'medium building'\n[occupant]\ntarget = 'UCM/Legionnaires'")
        .rows_over_sixths(2);
    let mut expected = BTreeMap::new();
    for (tokens, burns) in [(0, 5), (1, 1)] {
        for damage in 0..3 {
            expected.insert(vec![tokens, damage], burns * 2);
        }
    }
    assert_eq!(told, expected);
    // Just placed: it counts at once, and what is left of it in the Round Up again.
    let base = "piece = 'medium building'\n";
    let squad = "[occupant]\narmour = 20\ndamage_points = 5";
    let told = inside(&format!("{base}just_placed = true\n{squad}")).rows_over_sixths(4);
    // A natural 6 on both: 1/6 · 1/6 leaves the token.
    assert_eq!(told.iter().filter(|(o, _)| o[0] == 1).map(|(_, n)| n).sum::<u128>(), 36);
    // Dodge helps if a switch allows it: armour 20 is hurt on a 6 only, and dodged on 4+.
    for (rule, hurt) in [("", 6.0), ("dodge_collateral = true\n", 12.0)] {
        let dodged = format!("{base}{rule}[occupant]\narmour = 20\ntarget_specials = ['Dodge 4+']");
        assert!((inside(&dodged).chance_over_rows(|o| o[1] > 0) - 1.0 / hurt).abs() < 1e-12);
    }
    // Two squads inside share the hits; the first is destroyed by any, the second by none.
    let two = "[[occupant]]\narmour = 5\n[[occupant]]\narmour = 20\ndamage_points = 9";
    let told = inside(&format!("{base}token_always = 7\n{two}"));
    assert!((told.chance_over_rows(|o| o[1] == 1) - 0.5).abs() < 1e-12);
}

#[test]
fn a_piece_that_falls_takes_others_along() {
    let fields = ["destroyed", "radius", "occupant_damage", "bystander_damage"];
    let fallen = |toml: &str| law_in("dropzone", "demolish", toml, &fields);
    // One automatic shot of energy 10 brings 1 point of armour 10 down. Inside, armour 7 and 5
    // points: 2D3 Criticals take 4 points on a 2 (1 in 9), all 5 on more. Around, armour 20.
    let shot = "shots = 1\naccuracy = 0\nenergy = 10\nclose_quarters = true\narmour = 10\ndamage_points = 1\n";
    let told = fallen(&format!("{shot}[occupant]\narmour = 7\ndamage_points = 5"));
    for radius in 1..=3 {
        let chance = told.chance_over_rows(|o| o[0] == 1 && o[1] == radius && o[2] == 4);
        assert!((chance - 1.0 / 27.0).abs() < 1e-12);
    }
    assert!((told.chance_over_rows(|o| o[2] == 5) - 8.0 / 9.0).abs() < 1e-12);
    // Around: two units of armour 11 and 9 points at 1 and 3 inches. A hit does 1 on 1 and 2 on 3
    // and more … 11 on a 1, 13 on a 3: mean 2·1/6·1 + 4/6·2 = 10/6.
    let around = "[bystander]\narmour = 11\ndamage_points = 9\ndistances = [1, 3]";
    let told = fallen(&format!("{shot}{around}"));
    let hits = (1.0 + 2.0 + 2.0 * 3.0) / 3.0;
    assert!((told.mean_over_rows(|o| o[3]) - hits * 10.0 / 6.0).abs() < 1e-12);
}

#[test]
fn criticals_and_flame_leave_tokens() {
    let fields = ["damage", "tokens"];
    let shot = |toml: &str| law_in("dropzone", "demolish", toml, &fields);
    // 2+ to hit, energy 8 on armour 10: 2 and 3 damage, 4 and more are Criticals.
    let base = "shots = 1\naccuracy = 6\nenergy = 8\narmour = 10\ndamage_points = 9\n";
    let told = shot(base).rows_over_sixths(2);
    let expected = [(vec![0, 0], 6 + 5), (vec![1, 0], 10), (vec![1, 1], 15)];
    assert_eq!(told, BTreeMap::from(expected));
    let flame = "specials = ['Flame']\n";
    assert_eq!(shot(&format!("{base}{flame}")).rows_over_sixths(2), told);
    let burning = shot(&format!("{base}{flame}flammable = true")).rows_over_sixths(2);
    let expected = [(vec![0, 0], 6 + 5), (vec![1, 1], 10), (vec![1, 2], 15)];
    assert_eq!(burning, BTreeMap::from(expected));
    // With a squad inside a Critical's token counts at once: a 6 damages again, else it goes.
    let occupied = format!("{base}[occupant]\narmour = 20\ndamage_points = 9");
    let told = shot(&occupied).rows_over_sixths(3);
    let expected = [(vec![0, 0], 66), (vec![1, 0], 60 + 75), (vec![2, 1], 15)];
    assert_eq!(told, BTreeMap::from(expected));
    let later = shot(&format!("at_once = false\n{occupied}")).rows_over_sixths(2);
    assert_eq!(later[&vec![1, 1]], 15);
}

#[test]
fn the_table_of_scenery_is_the_printed_one() {
    let points = |piece: &str| {
        let toml = format!(
            "shots = 200\naccuracy = 0\nenergy = 20\nclose_quarters = true\nclose_quarters_anywhere = true\npiece = '{piece}'"
        );
        law_in("dropzone", "demolish", &toml, &["damage", "destroyed"])
    };
    let printed = [
        ("barricade", 5),
        ("small forest", 20),
        ("medium forest", 30),
        ("large forest", 40),
        ("small building", 10),
        ("medium building", 20),
        ("large building", 30),
        ("medium bunker", 20),
    ];
    for (piece, damage) in printed {
        assert_eq!(points(piece).chance_over_rows(|o| o == [damage, 1]), 1.0, "{piece}");
    }
    // The piece may be called the target, here and in `shoot`, where its Criticals do plain damage.
    for (action, field) in [("demolish", "piece"), ("demolish", "target"), ("shoot", "target")] {
        let toml = format!("shots = 1\naccuracy = 6\nenergy = 8\n{field} = 'barricade'");
        let told = law_in("dropzone", action, &toml, &["damage"]).rows_over_sixths(2);
        // 2 or more on the hit die, 2 or more on the damage die.
        let expected = [(vec![0], 11), (vec![1], 25)];
        assert_eq!(told, BTreeMap::from(expected), "{action} {field}");
    }
    let scratched = |piece: &str, energy: i32| {
        let toml = format!(
            "shots = 1\naccuracy = 0\nenergy = {energy}\nclose_quarters = true\nclose_quarters_anywhere = true\npiece = '{piece}'"
        );
        law_in("dropzone", "demolish", &toml, &["damage"])
            .rows_over_sixths(1)
            .get(&vec![1])
            .copied()
    };
    // Armour 10, 7 and 13 are reached by a 6 with 4, 1 and 7.
    for (piece, energy) in
        [("barricade", 4), ("large forest", 1), ("small building", 4), ("medium bunker", 7)]
    {
        assert_eq!(
            (scratched(piece, energy), scratched(piece, energy - 1)),
            (Some(1), None),
            "{piece}"
        );
    }
}
