//! A contest of several mistakes is refused with all of them at once, in every rulebook in Rust.

use crate::harness::play::try_contest;

/// The contest is refused with faults at exactly these paths, in any order.
fn refused(system: &str, action: &str, toml: &str, paths: &[&str]) {
    let Err(faults) = try_contest(system, action, toml) else {
        panic!("accepted: {toml}");
    };
    let mut found: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, paths, "{toml}\n{faults:?}");
}

#[test]
fn dropzone_tells_all_faults() {
    let shoot = "shots = 2\nspecials = ['Reduced']\ntarget_specials = ['Dodge']";
    let paths = ["accuracy", "armour", "energy", "specials", "target_specials"];
    refused("dropzone", "shoot", shoot, &paths);
    let engagement = "shots = 1\naccuracy = 2\n[shooter]\npassive = 5\n[return_fire]\nenergy = 4";
    let paths = ["armour", "energy", "return_fire.accuracy", "return_fire.shots", "shooter.armour"];
    refused("dropzone", "engagement", engagement, &paths);
    let demolish = "piece = 'small forest'\nshots = 1\naccuracy = 2\n[bystander]\npassive = 5\n\
                    [[occupant]]\ncount = 2\n[[occupant]]\npassive = 4";
    let paths = ["bystander.armour", "energy", "occupant[0].armour", "occupant[1].armour"];
    refused("dropzone", "demolish", demolish, &paths);
}

#[test]
fn skirmishers_tells_all_faults() {
    let weapon = "damage = '7'\nshort = 9\nlong = 5";
    refused("skirmishers", "attack", weapon, &["damage", "short"]);
    let explosion = format!("{weapon}\ntroopers = [[1], [0, 0], [1, 2, 3]]");
    let paths = ["damage", "short", "troopers[0]", "troopers[2]"];
    refused("skirmishers", "explosion", &explosion, &paths);
    let duel = format!("{weapon}\n[answer]\n{weapon}");
    let paths = ["answer.damage", "answer.short", "damage", "short"];
    refused("skirmishers", "crewed-duel", &duel, &paths);
}

#[test]
fn asl_tells_all_faults() {
    let fire = "fp = 4\narea_fire = 1\nleader = '9-2'\nleaders = ['8-0']\n\
                modifiers = ['Woods', 'woods']\n\
                [[target]]\nkind = 'squad'\nmorale = 7\nhull_down = true\n[[target]]\nkind = 'squad'";
    let paths = ["area_fire", "leaders", "modifiers", "target[0].hull_down", "target[1].morale"];
    refused("asl", "fire", fire, &paths);
}
