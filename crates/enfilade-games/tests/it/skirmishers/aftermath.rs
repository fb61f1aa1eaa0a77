//! Actions of `skirmishers` other than attacks: breaches, barbed wire, morale and the crew of a
//! gun. The expected numbers are counted by hand.

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::law_in;

/// Returns the ways of 36 in which 2d6 are `needed` or more.
fn ways(needed: i32) -> u128 {
    (2..=12).filter(|&sum| sum >= needed).map(|sum: i32| 6 - (sum - 7).unsigned_abs() as u128).sum()
}

#[test]
fn a_structure_is_breached_when_damage_exceeds_its_toughness() {
    let rounds = |toml: &str| law_in("skirmishers", "breach", toml, &["breached", "rounds"]);
    // 8X against a wall of 10: two hits. A large target makes it 4 and more: 33 of 36.
    let told = rounds("weapon = 'rocket launcher'\nstructure = 'wall'").rows_over_sixths(4);
    let expected = [(vec![0, 0], 1296 - 1089), (vec![1, 2], 1089)];
    assert_eq!(told, BTreeMap::from(expected));
    // Exactly its toughness is not enough: 5X twice on 10 needs a third.
    let sure = "kind = 'launcher'\nmodifier = -9\nrounds = 9\n";
    let needed = |damage: &str, structure: &str| {
        let told = rounds(&format!("damage = '{damage}'\n{sure}structure = '{structure}'"));
        assert_eq!(told.rows.len(), 1);
        told.rows.into_keys().next().expect("one")[1]
    };
    assert_eq!((needed("5X", "wall"), needed("11X", "wall"), needed("10X", "wall")), (3, 1, 2));
    let structures = ["tree", "wall", "light", "medium", "heavy", "hardened"];
    // 20X: more than 5, 10, 15 with one, 40 with three, 90 with five, 140 with eight.
    assert_eq!(structures.map(|structure| needed("20X", structure)), [1, 1, 1, 3, 5, 8]);
    // Twice the ammunition; a miss that does the damage of the next ring.
    let doubled = rounds("weapon = 'rocket launcher'\nstructure = 'wall'\nextra_ammo = true");
    assert!(doubled.chance_over_rows(|o| o[0] == 1) > 0.99);
    let ring = rounds(
        "damage = '9X/3X'\nkind = 'launcher'\nmodifier = 12\ntoughness = 5\nrounds = 4\nmiss_damage = 'ring'",
    );
    assert_eq!(ring.rows_over_sixths(0), BTreeMap::from([(vec![1, 2], 1)]));
    let small = rounds("weapon = 'light anti-tank'\nstructure = 'tree'\nlarge_target = false");
    assert_eq!(small.rows_over_sixths(2)[&vec![1, 1]], ways(6));
}

#[test]
fn barbed_wire_entangles_half_the_time() {
    let told = law_in(
        "skirmishers",
        "barbed-wire",
        "turns = 1\ntarget_armour = 'heavy'",
        &["turns", "entangled", "hp"],
    );
    let expected = [(vec![1, 0, 10], 1), (vec![1, 1, 10], 1)];
    assert_eq!(told.rows, BTreeMap::from(expected));
    // Three turns in armour: free in turn 1, 2, 3 with 1/2, 1/4, 1/8.
    let told = law_in(
        "skirmishers",
        "barbed-wire",
        "turns = 3\ntarget_armour = 'heavy'",
        &["turns", "entangled"],
    );
    for (turn, held, p) in [(1, 0, 0.5), (2, 0, 0.25), (3, 0, 0.125), (3, 1, 0.125)] {
        assert!((told.chance_over_rows(|o| o == [turn, held]) - p).abs() < 1e-12);
    }
    // Without armour one turn only half crosses cells; it kills when it runs past 0: 4, 5 and 6
    // points from cell 2 (1 of 36), 5 and 6 from 3 (2 of 36), 6 from 4 (3 of 36).
    let bare = law_in("skirmishers", "barbed-wire", "turns = 1", &["dead", "hp"]);
    assert!((bare.chance_over_rows(|o| o[0] == 1) - (3.0 + 4.0 + 3.0) / 216.0).abs() < 1e-12);
    assert!((bare.chance_over_rows(|o| o[1] == 10) - 206.0 / 216.0).abs() < 1e-12);
    let spared = law_in(
        "skirmishers",
        "barbed-wire",
        "turns = 1\nbludgeoning_past_zero = 'nothing'",
        &["hp"],
    );
    assert_eq!(spared.chance_over_rows(|o| o[0] == 10), 1.0);
    // A second turn crosses what the first half crossed.
    let twice = law_in("skirmishers", "barbed-wire", "turns = 2\nentangled_from = 1", &["hp"]);
    assert!(twice.chance_over_rows(|o| (1..10).contains(&o[0])) > 0.5);
}

/// A trooper at HP 1, by hand. Turn 1 half crosses cell 1 on a 1 and cells 1 and 0 on a 2; more
/// kills. Turn 2 then leaves HP 0 with cell 0 clean (1 of 6), or half crossed (1 of 6, and 1 of 6
/// where it was), else dead. Turn 3 kills with 2 and more, and where cell 0 is half crossed with
/// anything.
#[test]
fn wire_goes_on_hurting_who_hangs_in_it() {
    let dead = |rest: &str| {
        let toml = format!("turns = 3\n{rest}");
        law_in("skirmishers", "barbed-wire", &toml, &["dead"]).chance_over_rows(|o| o[0] == 1)
    };
    let two_turns = 4.0 / 6.0 + 2.0 / 12.0 * (4.0 + 5.0) / 12.0;
    let third = (1.0 / 72.0 * 5.0 / 6.0 + 2.0 / 72.0) / 2.0;
    assert!((dead("target_hp = 1\nhurts_out_of_action = false") - two_turns).abs() < 1e-12);
    assert!((dead("target_hp = 1") - (two_turns + third)).abs() < 1e-12);
    // An unhurt trooper, by an enumeration of whole cards that was written from the text
    // independently.
    assert!((dead("") - 0.089585).abs() < 5e-7);
    assert!((dead("hurts_out_of_action = false") - 0.088406).abs() < 5e-7);
}

#[test]
fn morale_is_checked_from_four_dead_on() {
    let told = |toml: &str| law_in("skirmishers", "morale", toml, &["failed", "passed"]);
    let fails = |toml: &str| {
        let one = told(&format!("survivors = 1\n{toml}")).rows_over_sixths(2);
        one.get(&vec![1, 0]).copied().unwrap_or(0)
    };
    // Below four dead no one checks, so no one fails.
    assert_eq!(
        told("dead = 3\nsurvivors = 5").rows_over_sixths(0),
        BTreeMap::from([(vec![0, 5], 1)])
    );
    // Regulars need 7, 5 under their leader; the example: six dead add 2.
    assert_eq!(fails("dead = 4"), 36 - ways(5));
    assert_eq!(fails("dead = 6"), 36 - ways(7));
    assert_eq!(fails("dead = 6\nleader_alive = false"), 36 - ways(9));
    let alone = "dead = 4\nleader_alive = false\n";
    for (experience, needed) in [("green", 9), ("regular", 7), ("veteran", 5), ("elite", 2)] {
        assert_eq!(
            fails(&format!("{alone}experience = '{experience}'")),
            36 - ways(needed),
            "{experience}"
        );
    }
    assert_eq!(fails(&format!("{alone}morale_target = 4")), 36 - ways(4));
    assert_eq!(fails("dead = 6\nper_dead_modifier = 2"), 36 - ways(9));
    assert_eq!(fails("dead = 4\nleadership = 4"), 36 - ways(3));
    assert_eq!(fails("dead = 4\nmodifier = 3"), 36 - ways(8));
    // Two survivors are two checks.
    let two = told("dead = 4\nsurvivors = 2\nleader_alive = false").rows_over_sixths(4);
    assert_eq!(two, BTreeMap::from([(vec![0, 2], 441), (vec![1, 1], 630), (vec![2, 0], 225)]));
    let left = |fail: &str| {
        let toml = format!("dead = 4\nsurvivors = 2\nmodifier = 12\nmorale_fail = '{fail}'");
        law_in("skirmishers", "morale", &toml, &["left"]).rows_over_sixths(0)
    };
    assert_eq!(left("leaves"), BTreeMap::from([(vec![0], 1)]));
    assert_eq!(left("loses-turn"), BTreeMap::from([(vec![2], 1)]));
}

#[test]
fn a_duel_needs_the_crew_it_is_given() {
    let left =
        |toml: &str| law_in("skirmishers", "crewed-duel", toml, &["troopers_left", "crew_left"]);
    let crews = [
        ("LMG", 1),
        ("MMG", 2),
        ("HMG", 3),
        ("semi-portable laser", 2),
        ("heavy semi-portable laser", 3),
    ];
    for (weapon, crew) in crews {
        let told = left(&format!(
            "weapon = '{weapon}'\ntroopers = 1\nmoves = 1\nrange = 400\nanswers = 0"
        ));
        assert_eq!(told.rows_over_sixths(0), BTreeMap::from([(vec![1, crew], 1)]), "{weapon}");
    }
    // Setting up costs the first activation, so in one nothing is fired.
    let base = "weapon = 'HMG'\ntroopers = 2\nmoves = 1\nrange = 30\nanswers = 0\nmodifier = -9\n";
    let told = left(&format!("{base}set_up_first = true"));
    assert_eq!(told.rows_over_sixths(0), BTreeMap::from([(vec![2, 3], 1)]));
    assert!(left(base).chance_over_rows(|o| o[0] < 2) > 0.5);
    let few =
        try_contest("skirmishers", "crewed-duel", &format!("{base}set_up_first = true\ncrew = 2"));
    assert_eq!(few.expect_err("an HMG takes three")[0].path, "crew");
    // 12 AP of 8 are two activations.
    let slow = left(&format!(
        "{}set_up_first = true\nset_up_ap = 12",
        base.replace("moves = 1", "moves = 2")
    ));
    assert_eq!(slow.rows_over_sixths(0), BTreeMap::from([(vec![2, 3], 1)]));
}
