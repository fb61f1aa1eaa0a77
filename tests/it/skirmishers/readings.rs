//! Where the rules of `skirmishers` can be read in more than one way, or a weapon is asked for in an
//! action it is not made for. The expected numbers are counted by hand.

use crate::harness::known::EXPLODING;
use crate::harness::play::{contest, scripted, try_contest};
use crate::harness::walk::{measure, measures};

/// Path and help of the first fault.
fn refused(action: &str, toml: &str) -> (String, String) {
    let faults = try_contest("skirmishers", action, toml).err();
    let fault = &faults.unwrap_or_else(|| panic!("{action} is played: {toml}"))[0];
    (fault.path.clone(), fault.help.clone().unwrap_or_default())
}

fn value(action: &str, name: &str, toml: &str) -> f64 {
    measure(&contest("skirmishers", action, toml), name)
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
    // Told to be ranged, any damage is aimed at one man.
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
    // In numbers it explodes unless told otherwise.
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
    // Beyond its range nothing burns; a thrown one scatters as explosives do.
    let far = "weapon = 'flamethrower'\nrange = 18";
    assert_eq!(value("explosion", "p_kill", far), 0.0);
    assert_eq!(notes("explosion", far), ["the aimed dot is out of range: nothing goes off"]);
    let thrown =
        "weapon = 'incendiary grenade'\nmodifier = 12\ntroopers = [[1, 0]]\ndamage = '13X'";
    assert!((value("explosion", "p_kill", thrown) - 1.0 / 6.0).abs() < 1e-12);
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
            "weapon = 'stun baton'\nshots = 2\ntarget_armour = 'basic'\nadvanced_armour = true\n{rest}"
        );
        let combat = contest("skirmishers", "attack", &toml);
        scripted(&combat, &[6, 6, 5, 5, 6, 6, 5, 5], &["hp", "armour_left"])
    };
    assert_eq!(after(""), [2, 2]);
    assert_eq!(after("bludgeoning_on_armour = 'passed-on'"), [0, 2]);
}

#[test]
fn attacks_made_are_reported_where_they_may_end_somebody() {
    let reported = |toml: &str| {
        let combat = contest("skirmishers", "attack", toml);
        let all = measures(&combat);
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
    // It is reported exactly where somebody may fall.
    for damage in ["1X", "2X", "3X", "1\\\\", "4\\\\", "1X+2\\\\"] {
        for card in [
            "",
            "target_armour = 'basic'",
            "target_hp = 2",
            "target_hp = 4\ntarget_armour = 'heavy'\nadvanced_armour = true\narmour_from = 5",
            "target_armour = 'basic'\nadvanced_armour = true\narmour_from = 0",
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
