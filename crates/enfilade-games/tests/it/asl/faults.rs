//! Faults of `asl` contests, and their places.

use crate::asl::play::{contest, right, wrong};

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";
const TRUCK: &str = "[[target]]\nvehicle = 'unarmoured'\n";

/// Checks that the contest with these fields and one squad as target is refused at this path.
fn refused(action: &str, fields: &str, path: &str) {
    let text = format!("{fields}\n{SQUAD}");
    let faults = wrong(action, &text);
    assert!(faults.iter().any(|(at, _)| at == path), "{text}\n{faults:?}");
}

#[test]
fn two_modifiers_that_the_chart_prints_as_one_are_both_named() {
    let text = format!("fp = 4\n[modifiers]\n'Wooden / stone rubble' = true\n{SQUAD}");
    let Err(faults) = contest("fire", &text) else { panic!("there is no such modifier") };
    let helps: Vec<&str> = faults.iter().filter_map(|fault| fault.help.as_deref()).collect();
    assert_eq!(helps, [r#"did you mean "Wooden rubble" or "Stone rubble"?"#]);
}

#[test]
fn firers_that_cannot_fire_as_told() {
    let firer = |fields: &str| format!("[[firer]]\n{fields}");
    let cases = [
        ("fp = 4\n[[firer]]\nfp = 4".to_owned(), "fp"),
        (String::new(), "fp"),
        ("fp = 4\narea_fire = 1".to_owned(), "area_fire"),
        ("fp = 4\nphase = 'advancing'".to_owned(), "phase"),
        ("fp = 4\nrange = 4".to_owned(), "range"),
        ("fp = 4\npoint_blank = true".to_owned(), "point_blank"),
        ("attacks = 2\n[[attack]]\nfp = 4".to_owned(), "attacks"),
        ("fp = 4\n[[attack]]\nfp = 4\nrof = 2".to_owned(), "attack[0].rof"),
        ("fp = 4\nleader = '9-3'".to_owned(), "leader"),
        ("fp = 4\nleader = '9-2'\nleaders = ['8-0']".to_owned(), "leaders"),
        ("fp = 4\nmodifiers = ['Woods', 'woods']".to_owned(), "modifiers"),
        ("fp = 4\nmodifiers = ['Wood']".to_owned(), "modifiers.Wood"),
        (firer("unit = '4-4-7'"), "firer[0].nation"),
        (firer("unit = '4-6-7'\nnation = 'Russian'"), "firer[0].unit"),
        (firer("unit = '4-6-9'"), "firer[0].unit"),
        (firer("unit = '4-6-7'\nfp = 4"), "firer[0].fp"),
        (firer("unit = '4-6-7'\nkind = 'mg'"), "firer[0].kind"),
        (firer("unit = '4-6-7'\nassault_fire = true"), "firer[0].assault_fire"),
        (firer("weapon = 'MMG'"), "firer[0].nation"),
        (firer("weapon = 'MMG'\nnation = 'Finnish'"), "firer[0].weapons"),
        (firer("weapon = 'HMG .50'\nnation = 'German'"), "firer[0].weapons"),
        (firer("unit = '4-6-7'\nweapons = ['LMG', 'LMG', 'MMG']"), "firer[0].weapons"),
        (
            firer("unit = '4-5-8'\nnation = 'British'\nspraying_fire = true"),
            "firer[0].spraying_fire",
        ),
        (firer("unit = '4-6-7'\nspraying_fire = true\nrange = 4"), "firer[0].spraying_fire"),
        (
            firer("fp = 4\npoint_blank = true\ntriple_point_blank = true"),
            "firer[0].triple_point_blank",
        ),
        (firer("fp = 24\nkind = 'flamethrower'\npinned = true"), "firer[0].pinned"),
        (firer("kind = 'mg'"), "firer[0].fp"),
        (firer("range = 3"), "firer[0]"),
        (firer("fp = 4\nfire_inherent = false"), "firer[0]"),
        (firer("fp = 12\nkind = 'ordnance'\n[[firer]]\nfp = 4"), "firer"),
        (format!("breakdown = 11\n{}", firer("fp = 4")), "breakdown"),
    ];
    for (fields, path) in cases {
        refused("fire", &fields, path);
    }
}

#[test]
fn a_rate_of_fire_is_one_guns() {
    refused("rof", "fp = 4", "rof");
    refused("rof", "rof = 2\n[[firer]]\nweapon = 'MMG'\nnation = 'German'", "rof");
    refused("rof", "[[firer]]\nunit = '4-6-7'\nweapons = ['LMG']", "firer");
    refused("rof", "[[firer]]\nweapon = 'MMG'\nnation = 'German'\ncount = 2", "firer");
    let faults = wrong("rof", &format!("fp = 4\nrof = 2\n{TRUCK}"));
    assert_eq!(faults[0].0, "target");
}

#[test]
fn targets_that_are_not_one_thing() {
    let cases = [
        ("", "target[0].morale"),
        ("kind = 'hero'", "target[0].morale"),
        ("unit = '4-4-7'", "target[0].nation"),
        ("unit = '4-4-7'\nnation = 'Finnish'", "target[0].unit"),
        ("unit = '4-6-7'\nleader = '8-0'", "target[0]"),
        ("leader = '8-2'", "target[0].leader"),
        ("kind = 'squad'\nmorale = 7\nhull_down = true", "target[0].hull_down"),
        ("kind = 'squad'\nmorale = 7\npassengers = 1", "target[0].passengers"),
        ("kind = 'squad'\nmorale = 7\nvulnerable = true", "target[0].vulnerable"),
        ("kind = 'squad'\nmorale = 7\nwounded = true", "target[0].wounded"),
        ("kind = 'squad'\nmorale = 7\nleadership = -1", "target[0].leadership"),
        ("kind = 'squad'\nmorale = 7\nbroken = true\npinned = true", "target[0].pinned"),
        ("kind = 'squad'\nmorale = 7\nberserk = true\npinned = true", "target[0].berserk"),
        ("kind = 'hero'\nmorale = 9\nbroken = true", "target[0].broken"),
        ("kind = 'squad'\nmorale = 13", "target[0].morale"),
        ("vehicle = 'unarmoured'\npassengers = 1", "target[0].morale"),
        ("unit = '4-4-8'\nnation = 'Japanese'", "target[0].unit"),
        ("unit = '5-3-8'\nbroken = true", "target[0].half_squad_broken_morale"),
    ];
    for (fields, path) in cases {
        let text = format!("fp = 4\n[[target]]\n{fields}");
        let faults = wrong("fire", &text);
        assert!(faults.iter().any(|(at, _)| at == path), "{text}\n{faults:?}");
    }
    assert_eq!(wrong("fire", "fp = 4\ntarget = []")[0].0, "target");
    assert_eq!(wrong("fire", "fp = 4")[0].0, "target");
    let crowd = format!("fp = 4\n{SQUAD}count = 12\n{SQUAD}");
    assert!(wrong("fire", &crowd)[0].1.contains("13 target units"));
    let convoy = format!("fp = 4\n{TRUCK}count = 12\n{TRUCK}");
    assert!(wrong("fire", &convoy)[0].1.contains("13 vehicles"));
    for full in [SQUAD, TRUCK] {
        right("fire", &format!("fp = 4\n{full}count = 12"));
    }
}

#[test]
fn a_unit_of_several_nations_is_told_with_them() {
    let help = |unit: &str| {
        let faults = contest("fire", &format!("fp = 4\n[[target]]\n{unit}")).err();
        let fault = faults.and_then(|faults| faults.into_iter().next());
        fault.and_then(|fault| fault.help).expect("a fault with help")
    };
    let squad = "4-4-7 is German, Russian, British, Italian or Japanese";
    assert_eq!(help("unit = '4-4-7'"), format!("give `nation` too: {squad}"));
    assert_eq!(help("unit = '4-4-7'\nnation = 'Finnish'"), squad);
    // Half of a German or Russian 4-4-7, of a French 4-5-7 and so on.
    let half = "2-3-7 is German, Russian, British, French or Japanese";
    assert_eq!(help("unit = '2-3-7'"), format!("give `nation` too: {half}"));
}

#[test]
fn what_cannot_happen_need_not_be_established() {
    // The broken sides of the Finnish 6-4-8 and of the 5-3-8 that replaces it are not printed.
    let squad = "fp = 4\n[[target]]\nunit = '6-4-8'\nnation = 'Finnish'\nbroken = true\n\
                 broken_morale = 8\nhalf_squad_broken_morale = 7";
    right("fire", squad);
    assert!(!wrong("fire", &format!("elr = 2\n{squad}")).is_empty());
}

#[test]
fn every_fault_is_reported_at_once() {
    let text = "leader = '8-0'\n[[firer]]\nunit = '4-4-7'\n[[firer]]\nweapon = 'MMG'\n\
                [[target]]\nunit = '4-4-7'\n[[target]]\nkind = 'crew'";
    let paths: Vec<String> = wrong("fire", text).into_iter().map(|(path, _)| path).collect();
    let expected = ["firer[0].nation", "firer[1].nation", "target[0].nation", "target[1].morale"];
    assert_eq!(paths, expected);
}

#[test]
fn a_broken_side_is_asked_for_only_where_it_is_rolled() {
    let finns = "[[target]]\nunit = '5-3-8'\n";
    right("fire", &format!("fp = 8\n{finns}"));
    let led = format!("fp = 8\n{finns}[[target]]\nleader = '9-1'\n");
    assert_eq!(wrong("fire", &led)[0].0, "target[0].half_squad_broken_morale");
    let again = format!("fp = 8\nrof = 1\n{finns}");
    assert_eq!(wrong("rof", &again)[0].0, "target[0].half_squad_broken_morale");
    let given = "broken_morale = 8\nhalf_squad_broken_morale = 7\n";
    right("rof", &format!("{again}{given}"));
    right("fire", &format!("fp = 8\n[[target]]\nunit = '4-4-8'\nnation = 'Japanese'\n{given}"));
}

#[test]
fn what_is_not_modelled_about_vehicles_is_refused() {
    let ordnance = format!("[[firer]]\nfp = 12\nkind = 'ordnance'\n{TRUCK}");
    assert!(wrong("fire", &ordnance)[0].1.contains("not modelled"));
    let tank = "[[target]]\nvehicle = 'armoured'\n";
    let charge = format!("[[firer]]\nfp = 30\nkind = 'demolition-charge'\n{tank}");
    assert!(wrong("fire", &charge)[0].1.contains("not modelled"));
    right("fire", &format!("[[firer]]\nfp = 30\nkind = 'demolition-charge'\n{TRUCK}"));
    assert_eq!(wrong("morale-check", &format!("check = 'NMC'\n{TRUCK}"))[0].0, "target");
    assert_eq!(wrong("morale-check", SQUAD)[0].0, "check");
}
