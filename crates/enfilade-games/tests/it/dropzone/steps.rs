//! `dropzone` die by die: which dice are rolled, in which order, and the sentences of `explain`.
//! The faces needed and their effects are worked out by hand from the quick reference.

use crate::asl::play::{play_contest, told};
use crate::harness::play::try_contest;

/// Returns the steps of a contest with these dice, all of which it uses: rule and text.
fn steps(action: &str, toml: &str, faces: &[u8]) -> Vec<(String, String)> {
    let contest = try_contest("dropzone", action, toml);
    let contest = contest.unwrap_or_else(|faults| panic!("{toml}\n{faults:?}"));
    play_contest(&contest, faces);
    told(&contest, faces)
}

fn check(action: &str, toml: &str, faces: &[u8], expected: &[(&str, &str)]) {
    let told = steps(action, toml, faces);
    let told: Vec<_> = told.iter().map(|(r, t)| (r.as_str(), t.as_str())).collect();
    assert_eq!(told, expected, "{toml}");
}

/// Returns the values of some outcome fields after these dice, all of which are used.
fn after(action: &str, toml: &str, faces: &[u8], fields: &[&str]) -> Vec<i32> {
    let contest = try_contest("dropzone", action, toml);
    let contest = contest.unwrap_or_else(|faults| panic!("{toml}\n{faults:?}"));
    let values = play_contest(&contest, faces);
    let heads = contest.combat.outcome_fields();
    let value = |field: &&str| {
        let place = heads.iter().position(|head| head.name == *field);
        values[place.unwrap_or_else(|| panic!("no {field}"))]
    };
    fields.iter().map(value).collect()
}

#[test]
fn a_rail_gun_at_a_hunter() {
    // Accuracy 1+ and evasion 2; energy 10 on armour 13; no countermeasures, so no dice for them.
    let toml = "weapon = 'UCM/Sabre/Avenger Railgun'\ntarget = 'Scourge/Hunter'";
    let miss = ("Shooting", "Hit die 2, 3 or more needed (1 + 2 evasion): a miss.");
    check("shoot", toml, &[2], &[miss]);
    let hit = ("Shooting", "Hit die 3, 3 or more needed (1 + 2 evasion): a hit.");
    let nothing = ("Damage", "Damage die 2 + 10 = 12 against 13: no damage.");
    check("shoot", toml, &[3, 2], &[hit, nothing]);
    let destroyed =
        "Damage die 3 + 10 = 13 against 13: 1 damage; Damage Points lost: 1, models destroyed: 1.";
    check("shoot", toml, &[3, 3], &[hit, ("Damage", destroyed)]);
}

#[test]
fn countermeasures_are_told_point_by_point() {
    let toml = "shots = 2\naccuracy = 3\nenergy = 8\narmour = 11\npassive = 5\ndamage_points = 12";
    let expected = [
        ("Shooting", "Hit die 4, 3 or more needed: a hit."),
        ("Damage", "Damage die 5 + 8 = 13 against 11: 2 damage, a Critical."),
        ("Countermeasures", "Countermeasures 5+, rolled 5: the point of damage is discarded."),
        (
            "Countermeasures",
            "Countermeasures 5+, rolled 4: the point of damage stands; Damage Points lost: 1.",
        ),
        ("Shooting", "Hit die 1, 3 or more needed: a miss."),
    ];
    check("shoot", toml, &[4, 5, 5, 4, 1], &expected);
    // Dodge comes second, and only for what passive countermeasures let through.
    let dodge = "shots = 1\nenergy = 6\nclose_quarters = true\narmour = 9\npassive = 4\ndamage_points = 9\n\
                 target_specials = ['Dodge 5+']";
    let expected = [
        ("Damage", "Damage die 6 + 6 = 12 against 9: 2 damage, a Critical."),
        (
            "Countermeasures",
            "Countermeasures 4+, then 5+, rolled 4: the point of damage is discarded.",
        ),
        (
            "Countermeasures",
            "Countermeasures 4+, then 5+, rolled 3, 4: the point of damage stands; Damage Points lost: 1.",
        ),
    ];
    check("shoot", dodge, &[6, 4, 3, 4], &expected);
}

#[test]
fn special_hits_are_told() {
    let base = "shots = 1\naccuracy = 5\nenergy = 6\narmour = 9\ndamage_points = 9\n";
    // Area: a 4 misses and glances with energy 4: 5 reaches 9.
    let glance = "Damage die of the glancing hit 5 + 6 − 2 glancing = 9 against 9: 1 damage; Damage Points lost: 1.";
    let expected = [
        ("Shooting", "Hit die 4, 5 or more needed: a miss that still glances its target."),
        ("Damage", glance),
    ];
    check("shoot", &format!("{base}specials = ['Area']"), &[4, 5], &expected);
    let destroyer =
        "Hit die 5, 5 or more needed: a Critical without a damage roll; Damage Points lost: 2.";
    let toml = format!("{base}specials = ['Destroyer 5+']");
    check("shoot", &toml, &[5], &[("Shooting", destroyer)]);
    // Two hits merged have energy 8: a 1 reaches 9.
    let focus = "shots = 2\nenergy = 6\nclose_quarters = true\narmour = 9\ndamage_points = 9\n\
                 specials = ['Focus-2']\nfocus_merge = 2";
    let merged = "Damage die of 2 hits merged 1 + 6 + 2 Focus = 9 against 9: 1 damage; Damage Points lost: 1.";
    check("shoot", focus, &[1], &[("Damage", merged)]);
    // On the turn of entry damage is rolled again, and the second roll counts.
    let entered = "shots = 1\nenergy = 6\nclose_quarters = true\narmour = 9\ndamage_points = 9\nentered_garrison = true";
    let expected = [
        ("Damage", "Damage die 4 + 6 = 10 against 9: it damages, so it is rolled again."),
        ("Damage", "Second damage die 2 + 6 = 8 against 9: no damage."),
    ];
    check("shoot", entered, &[4, 2], &expected);
}

#[test]
fn both_sides_of_an_engagement_are_told() {
    let toml = "shots = 1\naccuracy = 3\nenergy = 8\narmour = 11\ndamage_points = 3\n\
                [shooter]\narmour = 9\ndamage_points = 2\n\
                [return_fire]\nshots = 1\naccuracy = 4\nenergy = 6";
    let expected = [
        ("Shooting", "Round 1, the attackers fire. Hit die 3, 3 or more needed: a hit."),
        (
            "Damage",
            "Round 1, the attackers fire. Damage die 4 + 8 = 12 against 11: 1 damage; Damage Points lost: 1.",
        ),
        ("Shooting", "Round 1, the target fires. Hit die 4, 4 or more needed: a hit."),
        (
            "Damage",
            "Round 1, the target fires. Damage die 6 + 6 = 12 against 9: 2 damage, a Critical; Damage Points lost: 2, models \
             destroyed: 1.",
        ),
    ];
    check("engagement", toml, &[3, 4, 4, 6], &expected);
}

#[test]
fn a_fortitude_test_is_told() {
    let base = "armour = 7\ndamage_points = 9\nfortitude = 4\nlost = 5\n";
    let told = |extra: &str, face: u8, result: &str| {
        let text = format!("Fortitude die {face}, 4 or more needed: the squad {result}.");
        let toml = format!("{base}{extra}");
        check("fortitude", &toml, &[face], &[("Fortitude", text.as_str())]);
    };
    told("", 4, "holds");
    told("", 3, "abandons the garrison");
    let leaving = "leaving_outnumbered = true";
    told(leaving, 1, "fails by 3 and loses 3 Damage Points on the way out");
    told(leaving, 5, "holds");
}

#[test]
fn a_search_is_told() {
    let expected = [
        ("Searching", "Turn 2: 3 + 2 +1 = 6, 7 needed: nothing."),
        ("Searching", "Turn 3: 3 + 3 +1 = 7, 7 needed: found."),
    ];
    check("search", "first_turn = 2\nscan_tokens = 1", &[3, 3], &expected);
}

#[test]
fn a_crash_is_told() {
    // Energy 10 on armour 11: 1 and 2 do 1 damage, more do 2.
    let lost = "armour = 11\ndamage_points = 4\ncount = 3";
    let nothing = ("Transports", "D3 3: nothing happens.");
    check("transport-loss", lost, &[3], &[nothing]);
    let expected = [
        ("Transports", "D3 2: 2 automatic hits on each of 3 units."),
        ("Damage", "Damage die 1 + 10 = 11 against 11: 1 damage; Damage Points lost: 1."),
        ("Damage", "Last die 5; Damage Points this unit lost in all: 3."),
        (
            "Damage",
            "Damage die 6 + 10 = 16 against 11: 2 damage, a Critical; Damage Points lost: 2.",
        ),
        ("Damage", "Last die 2; Damage Points this unit lost in all: 3."),
        ("Damage", "Damage die 1 + 10 = 11 against 11: 1 damage; Damage Points lost: 1."),
        ("Damage", "Last die 1; Damage Points this unit lost in all: 2."),
    ];
    check("transport-loss", lost, &[2, 1, 5, 6, 2, 1, 1], &expected);
    // A 1 reaches no unit at two inches and more.
    let near = "armour = 11\ndistances = [2, 3]";
    check("aircraft-crash", near, &[1], &[("Aircraft", "D3 1: nothing happens.")]);
}

#[test]
fn scenery_is_told() {
    // 2+ to hit, energy 8 on armour 10: a 4 is a Critical, whose token counts at once with somebody
    // inside; a 6 burns the piece, and the squad of armour 7 takes 2 from it.
    let toml = "shots = 1\naccuracy = 6\nenergy = 8\narmour = 10\ndamage_points = 9\n\
                [occupant]\narmour = 7\ndamage_points = 5";
    let state = |piece: u8, tokens: u8, inside: u8| {
        format!("the piece has {piece} points and {tokens} tokens, those inside {inside} points.")
    };
    let texts = [
        format!("Hit die at the piece 2: {}", state(9, 0, 5)),
        format!("Damage die at the piece 4: {}", state(8, 1, 5)),
        format!("Damage die of a token at the piece 6: {}", state(7, 1, 5)),
        format!("Die for the squad inside 6: {}", state(7, 1, 3)),
    ];
    let rules = ["Scenery", "Scenery", "Collateral Damage", "Collateral Damage"];
    let expected: Vec<_> = rules.into_iter().zip(texts.iter().map(String::as_str)).collect();
    check("demolish", toml, &[2, 4, 6, 6], &expected);
}

#[test]
fn a_token_hits_one_of_those_who_are_left_inside() {
    let fields = ["damage", "tokens", "occupant_damage", "occupants_destroyed"];
    let inside = |toml: &str, faces: &[u8]| after("collateral", toml, faces, &fields);
    // A single squad is not drawn by lot: a 1 spares the building, a 4 hurts armour 8.
    let one = "piece = 'medium building'\n[occupant]\narmour = 8\ndamage_points = 2";
    assert_eq!(inside(one, &[1, 4]), [0, 0, 1, 0]);
    // Of two, the first is drawn and destroyed; the second token needs no lot and hits the other.
    let two =
        "piece = 'medium building'\ntokens = 2\n[[occupant]]\narmour = 8\n[[occupant]]\narmour = 8";
    assert_eq!(inside(two, &[1, 1, 4, 1, 4]), [0, 0, 2, 2]);
    // Of three, the first is gone: a 2 draws the third.
    let three = format!("{}\n[[occupant]]\narmour = 10", two);
    assert_eq!(inside(&three, &[1, 1, 4, 1, 2, 6]), [0, 0, 2, 2]);
}

#[test]
fn tokens_count_at_once_when_one_is_placed_and_only_then() {
    // Energy 8 on armour 10: 3 is a plain hit, 4 a Critical. Only a 6 hurts the squad inside.
    let toml = "shots = 2\naccuracy = 0\nclose_quarters = true\nenergy = 8\narmour = 10\ndamage_points = 9\n\
                [occupant]\narmour = 20\ndamage_points = 9";
    let shot = |faces: &[u8]| after("demolish", toml, faces, &["damage", "tokens"]);
    // The token burns and stays; the plain hit leaves it alone.
    assert_eq!(shot(&[4, 6, 1, 3]), [3, 1]);
    // A second Critical sets off both: the one burns, the other goes.
    assert_eq!(shot(&[4, 6, 1, 4, 6, 1, 5, 1]), [4, 1]);
}

#[test]
fn a_round_up_without_tokens_needs_no_die() {
    let toml = "piece = 'medium building'\nround_ups = 3\ntokens = 2";
    let fields = ["damage", "tokens"];
    // Two tokens, of which the first burns; it burns again and then goes.
    assert_eq!(after("collateral", toml, &[6, 5, 6, 5], &fields), [2, 0]);
    // Both go in the first Round Up, and nothing is left for the others.
    assert_eq!(after("collateral", toml, &[1, 1], &fields), [0, 0]);
    let none = toml.replace("tokens = 2", "tokens = 0");
    assert_eq!(after("collateral", &none, &[], &fields), [0, 0]);
}
