//! Rules of `skirmishers` that can be read in more than one way, and weapons in actions that they
//! are not made for. The expected numbers are counted by hand.

use crate::harness::exploding::EXPLODING;
use crate::harness::play::{contest, play_scripted, try_contest};
use crate::harness::walk::{compute_measure, compute_measures};

/// Returns path and help of the first fault.
fn refused(action: &str, toml: &str) -> (String, String) {
    let faults = try_contest("skirmishers", action, toml).err();
    let fault = &faults.unwrap_or_else(|| panic!("{action} is played: {toml}"))[0];
    (fault.path.clone(), fault.help.clone().unwrap_or_default())
}

fn value(action: &str, name: &str, toml: &str) -> f64 {
    compute_measure(&contest("skirmishers", action, toml), name)
}

fn notes(action: &str, toml: &str) -> Vec<String> {
    let contest = try_contest("skirmishers", action, toml);
    contest.expect("it is a contest").notes
}

#[test]
fn what_explodes_or_burns_is_no_direct_attack() {
    for weapon in EXPLODING {
        let (path, help) = refused("attack", &format!("weapon = '{weapon}'\nrange = 40"));
        assert_eq!(path, "weapon", "{weapon}");
        assert!(help.starts_with("use `explosion`"), "{help}");
    }
    let paths = [
        "damage = '7X/3X'",
        "damage = '7X'\nkind = 'launcher'",
        "weapon = 'rifle'\nkind = 'grenade'\nshots = 5",
    ]
    .map(|toml| refused("attack", toml).0);
    assert_eq!(paths, ["damage", "kind", "kind"]);
    // A weapon of kind `ranged` is aimed at one trooper, whatever its damage.
    let direct = "weapon = 'rocket launcher'\nkind = 'ranged'";
    assert!(try_contest("skirmishers", "attack", direct).is_ok());
}

#[test]
fn only_explosives_breach_a_structure() {
    for weapon in ["rifle", "laser rifle", "HMG", "semi-portable laser", "sword"] {
        let wall = format!("weapon = '{weapon}'\nstructure = 'tree'\nrounds = 9");
        let (path, help) = refused("breach", &wall);
        assert_eq!(path, "weapon", "{weapon}");
        assert!(help.contains("only_explosives = false"), "{help}");
        let any = format!("{wall}\nonly_explosives = false");
        assert!(try_contest("skirmishers", "breach", &any).is_ok());
    }
    for weapon in ["hand grenade", "satchel", "grenade launcher", "flamethrower"] {
        let tree = format!("weapon = '{weapon}'\nstructure = 'tree'\nrounds = 3");
        assert!(try_contest("skirmishers", "breach", &tree).is_ok());
    }
    // In numbers it explodes by default.
    assert_eq!(refused("breach", "damage = '9X'\nkind = 'crewed'").0, "kind");
    assert!(try_contest("skirmishers", "breach", "damage = '9X'").is_ok());
}

#[test]
fn what_does_not_scatter_goes_off_where_it_was_aimed() {
    // At long range 8 and more hit, 15 of 36; 4X ends a man from cell 4 and below, 6 of 36.
    let rocket = "weapon = 'incendiary rocket'\nrange = 100";
    let kills = |rest: &str| value("explosion", "p_kill", &format!("{rocket}\n{rest}"));
    assert!((kills("") - 6.0 / 36.0).abs() < 1e-12);
    let nothing = kills("incendiary_miss = 'nothing'");
    assert!((nothing - 15.0 / 36.0 * 6.0 / 36.0).abs() < 1e-12);
    assert!((value("explosion", "p_hit", rocket) - 15.0 / 36.0).abs() < 1e-12);
    // Explosives that scatter no dots do the same, on and off the aimed dot.
    for dots in ["[0, 0]", "[0, 0], [1, 0], [0, 2]"] {
        let at = |kind: &str| {
            format!("damage = '8X/4X'\nkind = '{kind}'\nmodifier = 3\ntroopers = [{dots}]")
        };
        let fire = at("incendiary");
        let still = format!("{}\nscatter_distance = 0", at("launcher"));
        for name in ["p_hit", "p_kill", "p_dead", "e_kills"] {
            let (fire, still) = (value("explosion", name, &fire), value("explosion", name, &still));
            assert!((fire - still).abs() < 1e-12, "{name}: {fire} {still}");
        }
        let said = "a miss goes off on the aimed dot as well: the target number decides nothing";
        assert_eq!([fire, still].map(|toml| notes("explosion", &toml)), [[said], [said]]);
    }
    // A thrown one scatters as explosives do.
    let thrown =
        "weapon = 'incendiary grenade'\nmodifier = 12\ntroopers = [[1, 0]]\ndamage = '13X'";
    assert!((value("explosion", "p_kill", thrown) - 1.0 / 6.0).abs() < 1e-12);
}

/// Beyond long range no action makes an attack, and all note so: none scatters, burns or breaches.
#[test]
fn beyond_long_range_no_attack_is_made() {
    let said = "the target is out of range: no attack is made";
    for (action, measure, toml) in [
        ("attack", "p_kill", "weapon = 'rifle'\nshots = 9\nrange = 86"),
        ("attack", "p_kill", "weapon = 'sword'\nshots = 9\nrange = 2"),
        ("explosion", "p_kill", "weapon = 'light anti-tank'\nrange = 1000\ntroopers = [[1, 0]]"),
        ("explosion", "p_kill", "weapon = 'flamethrower'\nrange = 18"),
        ("explosion", "p_kill", "weapon = 'flamethrower'\nrange = 18\nincendiary_miss = 'nothing'"),
        ("explosion", "p_kill", "weapon = 'rocket launcher'\nrange = 213\nscatter_distance = 0"),
        (
            "breach",
            "p_breach",
            "weapon = 'rocket launcher'\nrange = 213\nrounds = 90\nmiss_damage = 'ring'",
        ),
    ] {
        assert_eq!(value(action, measure, toml), 0.0, "{toml}");
        assert_eq!(notes(action, toml), [said], "{toml}");
    }
    // At the end of it one is, and hand to hand at the next dot, or as far as it is said to reach.
    for (action, measure, toml) in [
        ("explosion", "p_kill", "weapon = 'light anti-tank'\nrange = 167\ntroopers = [[1, 0]]"),
        ("breach", "p_breach", "weapon = 'rocket launcher'\nrange = 212\nstructure = 'tree'"),
        ("attack", "p_kill", "weapon = 'sword'\nshots = 9\nrange = 1"),
        ("attack", "p_kill", "weapon = 'sword'\nshots = 9\nrange = 2\nlong = 2"),
    ] {
        assert!(value(action, measure, toml) > 0.0, "{toml}");
        assert_eq!(notes(action, toml), [""; 0], "{toml}");
    }
}

#[test]
fn a_crew_served_weapon_has_one_arc_and_a_blade_none() {
    for (toml, path) in [
        ("weapon = 'HMG'\narc = '30'", "arc"),
        ("weapon = 'HMG'\narc = '150'\nshots = 2", "arc"),
        ("damage = '5X'\nkind = 'crewed'\narc = '150'", "arc"),
        ("weapon = 'sword'\narc = '60'", "arc"),
        ("weapon = 'knife'\narc = '30'\nshots = 1", "arc"),
    ] {
        assert_eq!(refused("attack", toml).0, path, "{toml}");
    }
    let hits =
        |toml: &str| value("attack", "e_hits", &format!("weapon = 'HMG'\narc = '60'\n{toml}"));
    // 6 and more: 26 of 36 for each attack; as many as `shots` says, and one where it says nothing.
    assert!((hits("") - 26.0 / 36.0).abs() < 1e-12);
    assert!(
        (hits("shots = 3\ntarget_armour = 'heavy'\narmour_cells = 11") - 78.0 / 36.0).abs() < 0.05
    );
    let said = notes("attack", "weapon = 'HMG'\narc = '60'");
    assert!(
        said.len() == 1 && said[0].contains("set `shots` to the number of moves there"),
        "{said:?}"
    );
    assert!(notes("attack", "weapon = 'HMG'\narc = '60'\nshots = 3").is_empty());
}

/// Heavy armour covers six cells in a row: from 5 down, 5 to 0, and not from 4.
#[test]
fn advanced_armour_covers_as_many_cells_as_it_has() {
    for (action, weapon) in [
        ("attack", "weapon = 'rifle'\n"),
        ("explosion", "weapon = 'satchel'\n"),
        ("barbed-wire", ""),
    ] {
        let from = |cell: u8| {
            format!("{weapon}target_armour = 'heavy'\nadvanced_armour = true\narmour_from = {cell}")
        };
        assert!(try_contest("skirmishers", action, &from(5)).is_ok());
        let (path, help) = refused(action, &from(4));
        assert_eq!(path, "armour_from");
        assert!(help.contains("a higher cell"), "{help}");
        assert!(
            try_contest("skirmishers", action, &format!("{}\narmour_cells = 5", from(4))).is_ok()
        );
        let plain = format!("{weapon}target_armour = 'heavy'\narmour_from = 3");
        let said = notes(action, &plain);
        assert_eq!(said, ["`armour_from` changes nothing without `advanced_armour`"], "{action}");
    }
    // A card with fewer cells is covered whole.
    let small = "weapon = 'rifle'\ntarget_armour = 'heavy'\nadvanced_armour = true\narmour_from = 2\n\
                 [card]\nap = [8, 8]\nmodifiers = [0, 1]";
    assert!(try_contest("skirmishers", "attack", small).is_ok());
}

/// "Counts as prone when being targeted", which a blast does not do.
#[test]
fn a_low_wall_shields_a_trench_where_told_so() {
    let dead = |more: &str| {
        let toml = format!(
            "damage = '1X/11X'\nkind = 'launcher'\nscatter_distance = 0\ntroopers = [[1, 0]]\nwalls = []\n\
             low_walls = [[0, 0]]\n{more}"
        );
        value("explosion", "p_dead", &toml)
    };
    // A wall on the aimed dot stops nothing that goes off there, so a man two dots away is asked
    // for.
    let behind = |more: &str| {
        let toml = format!(
            "damage = '1X/1X/11X'\nkind = 'launcher'\nscatter_distance = 0\ntroopers = [[2, 0]]\n\
             low_walls = [[1, 0]]\n{more}"
        );
        value("explosion", "p_dead", &toml)
    };
    assert_eq!(dead("prone_target = true"), 1.0);
    assert_eq!(
        [behind(""), behind("trench = true"), behind("prone_target = true")],
        [1.0, 1.0, 0.0]
    );
    assert_eq!(behind("trench = true\nlow_walls_at_trenches = true"), 0.0);
    assert_eq!(behind("low_walls_at_trenches = true"), 1.0);
}

#[test]
fn cover_does_not_count_hand_to_hand() {
    // 4 and more: 33 of 36.
    for cover in ["", "obstructions = 1", "obstructions = 3\nsmoke = 2"] {
        let toml = format!("weapon = 'sword'\n{cover}");
        assert!((value("attack", "p_hit", &toml) - 11.0 / 12.0).abs() < 1e-12);
        assert_eq!(notes("attack", &toml).is_empty(), cover.is_empty(), "{cover}");
    }
    let gun = "weapon = 'rifle'\nrange = 20\nobstructions = 1";
    assert!((value("attack", "p_hit", gun) - 21.0 / 36.0).abs() < 1e-12);
    assert!(notes("attack", gun).is_empty());
    let duel = "weapon = 'HMG'\nanswer = { weapon = 'knife', smoke = 1 }";
    assert_eq!(
        notes("crewed-duel", duel),
        [
            "the squad's weapon: cover does not count hand to hand: obstructions and smoke are left out"
        ]
    );
}

#[test]
fn bludgeoning_is_lost_on_a_protected_cell_or_passed_on() {
    // Cells 10 and 9 are protected. 8\ from 10 marks 8 to 3, or, where the two points that meet
    // armour go on, 8 to 1; the same again crosses them.
    let after = |rest: &str| {
        let toml = format!(
            "weapon = 'stun baton'\nshots = 2\ntarget_armour = 'basic'\nadvanced_armour = true\narmour_from = 10\n{rest}"
        );
        let combat = contest("skirmishers", "attack", &toml);
        play_scripted(&combat, &[6, 6, 5, 5, 6, 6, 5, 5], &["hp", "armour_left"])
    };
    assert_eq!(after(""), [2, 2]);
    assert_eq!(after("bludgeoning_on_armour = 'passed-on'"), [0, 2]);
}

#[test]
fn attacks_made_are_reported_where_they_may_end_somebody() {
    let reported = |toml: &str| {
        let combat = contest("skirmishers", "attack", toml);
        let all = compute_measures(&combat);
        let of = |wanted: &str| all.iter().find(|(name, _)| *name == wanted).map(|(_, v)| *v);
        (of("p_kill").expect("it is always reported") > 0.0, of("shots_to_kill"))
    };
    // Out of range, or with 13 needed, no attack can hit; of a single attack it is no news.
    for toml in [
        "weapon = 'rifle'\nrange = 90\nshots = 10",
        "weapon = 'rifle'\nrange = 40\nshots = 10\nsmoke = 2",
        "weapon = 'HMG'\nrange = 40",
        "weapon = 'blackjack'\nshots = 3\ntarget_armour = 'heavy'",
    ] {
        assert_eq!(reported(toml).1, None, "{toml}");
    }
    // 13X ends him with every hit, 26 of 36.
    let (_, made) = reported("damage = '13X'\nshots = 3");
    let miss: f64 = 10.0 / 36.0;
    assert!((made.expect("it kills") - (1.0 + miss + miss * miss)).abs() < 1e-12);
    // It is reported exactly where a target may fall.
    for damage in ["1X", "2X", "3X", "1\\\\", "4\\\\", "1X+2\\\\"] {
        for card in [
            "",
            "target_armour = 'basic'",
            "target_hp = 2",
            "target_hp = 4\ntarget_armour = 'heavy'\nadvanced_armour = true\narmour_from = 5",
            "target_armour = 'basic'\nadvanced_armour = true\narmour_from = 1",
            "target_armour = 'basic'\nadvanced_armour = true\narmour_from = 2\nbludgeoning_past_zero = 'nothing'",
        ] {
            for mapping in ["label", "column"] {
                let toml =
                    format!("damage = \"{damage}\"\nshots = 3\ncell_mapping = '{mapping}'\n{card}");
                let (kills, made) = reported(&toml);
                assert_eq!(kills, made.is_some(), "{toml}");
            }
        }
    }
}

#[test]
fn what_a_weapon_does_not_use_is_noted() {
    let unthrown = ["the weapon is not thrown: `ap_spent` changes nothing"];
    for action in ["explosion", "breach"] {
        assert_eq!(notes(action, "weapon = 'rocket launcher'\nap_spent = 4"), unthrown, "{action}");
        assert!(notes(action, "weapon = 'hand grenade'\nap_spent = 4").is_empty(), "{action}");
    }
    let unlit = ["the weapon burns nothing: no trooper enters a fire or stops in one"];
    for fire in ["fire_entered = 1", "ends_in_fire = true"] {
        assert_eq!(notes("explosion", &format!("weapon = 'hand grenade'\n{fire}")), unlit);
        let lit = format!("weapon = 'incendiary grenade'\n{fire}");
        assert!(notes("explosion", &lit).is_empty(), "{fire}");
    }
}
