//! What a source forbids is not played without a word: it is refused with the source's sentence, or
//! nothing happens and the result says why. A house rule is a field. Expected values are worked out
//! by hand.

use crate::harness::play::{contest, try_contest};
use crate::harness::walk::{compute_measure, law_in};

/// Path, sentence and remedy of the only fault.
fn refused(system: &str, action: &str, toml: &str) -> (String, String, String) {
    let faults = try_contest(system, action, toml).err();
    let faults = faults.unwrap_or_else(|| panic!("{system} {action} is played:\n{toml}"));
    assert_eq!(faults.len(), 1, "{faults:?}");
    let fault = &faults[0];
    (fault.path.clone(), fault.problem.clone(), fault.help.clone().unwrap_or_default())
}

fn accepted(system: &str, action: &str, toml: &str) {
    let built = try_contest(system, action, toml);
    assert!(built.is_ok(), "{toml}\n{:?}", built.err());
}

fn notes(system: &str, action: &str, toml: &str) -> Vec<String> {
    try_contest(system, action, toml).unwrap_or_else(|faults| panic!("{toml}\n{faults:?}")).notes
}

fn value(system: &str, action: &str, name: &str, toml: &str) -> f64 {
    compute_measure(&contest(system, action, toml), name)
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} and not {expected}");
}

/// "Short Range AP", "Long Range –".
#[test]
fn a_throw_goes_as_many_dots_as_ap_are_spent_on_it() {
    for weapon in ["hand grenade", "satchel", "incendiary grenade"] {
        let hits = |range: i64, more: &str| {
            let toml = format!("weapon = '{weapon}'\nrange = {range}\nap_spent = 5\n{more}");
            value("skirmishers", "explosion", "p_hit", &toml)
        };
        // 5 or more on 2d6.
        close(hits(5, ""), 30.0 / 36.0);
        assert_eq!((hits(6, ""), hits(40, "")), (0.0, 0.0), "{weapon}");
        close(hits(40, "long = 40"), 30.0 / 36.0);
        let far = format!("weapon = '{weapon}'\nrange = 40\nap_spent = 5");
        let told = notes("skirmishers", "explosion", &far).join("\n");
        assert!(told.contains("as many dots as AP are spent on it"), "{told}");
        // A trooper has 8 AP, an elite one 10.
        let spent = |ap: i64| format!("weapon = '{weapon}'\nap_spent = {ap}");
        for action in ["explosion", "breach"] {
            accepted("skirmishers", action, &spent(10));
            assert_eq!(refused("skirmishers", action, &spent(11)).0, "ap_spent");
        }
        // At HP 1 he has 4, or 6.
        assert_eq!(
            refused("skirmishers", "explosion", &(spent(7) + "\nattacker_hp = 1")).0,
            "ap_spent"
        );
        let own = "\nactivations = 1\nattacker_ap = 12";
        accepted("skirmishers", "explosion", &(spent(12) + own));
    }
    let beyond = "weapon = 'hand grenade'\nstructure = 'tree'\nap_spent = 4\nrange = 5";
    assert_eq!(value("skirmishers", "breach", "p_breach", beyond), 0.0);
    // What is fired is as far as it is printed.
    let fired = "weapon = 'rocket launcher'\nrange = 71\nap_spent = 12";
    assert!(value("skirmishers", "explosion", "p_hit", fired) > 0.5);
}

/// A7.21: "doubled while … ADJACENT", "tripled" in the same Location or hex.
#[test]
fn point_blank_fire_is_at_an_adjacent_target() {
    let fire = |said: &str| {
        format!("{said}\n[[firer]]\nunit = '6-6-6'\n[[target]]\nkind = 'squad'\nmorale = 7")
    };
    let fault = |said: &str| refused("asl", "fire", &fire(said));
    for (said, field) in [
        ("range = 5\npoint_blank = true", "firer[0].point_blank"),
        ("range = 2\npoint_blank = true", "firer[0].point_blank"),
        ("range = 1\ntriple_point_blank = true", "firer[0].triple_point_blank"),
    ] {
        let (path, problem, help) = fault(said);
        assert_eq!(path, field, "{said}");
        assert!(problem.contains("(A7.21)") && help.contains("rules = {"), "{problem}: {help}");
    }
    for said in [
        "range = 1\npoint_blank = true",
        "range = 0\npoint_blank = true",
        "point_blank = true",
        "range = 0\ntriple_point_blank = true",
        "range = 5\npoint_blank = true\nrules = { point_blank_range = 5 }",
        "range = 1\ntriple_point_blank = true\nrules = { triple_point_blank_range = 1 }",
    ] {
        accepted("asl", "fire", &fire(said));
    }
}

/// "Close Quarters weapons must be in same Garrison."
#[test]
fn close_quarters_weapons_fire_inside_one_garrison() {
    let tools = "weapon = 'Resistance/Berserker Assault Troops/Vicious Tools'\n";
    let kills = |said: &str| value("dropzone", "shoot", "p_kill", &format!("{tools}{said}"));
    let inside = kills("target = 'UCM/Legionnaires'");
    assert!(inside > 0.9);
    for apart in ["target = 'UCM/Legionnaires'\nrange = 12", "target = 'UCM/Sabre Tank'"] {
        assert_eq!(kills(apart), 0.0, "{apart}");
        let told = notes("dropzone", "shoot", &format!("{tools}{apart}")).join("\n");
        assert!(told.contains("same Garrison") && told.contains("no shot is fired"), "{told}");
    }
    let house = "target = 'UCM/Legionnaires'\nrange = 12\nclose_quarters_anywhere = true";
    close(kills(house), inside);
    let duel = format!("{tools}target = 'UCM/Legionnaires'\nrange = 12");
    assert_eq!(value("dropzone", "engagement", "p_kill", &duel), 0.0);
    let piece = format!("{tools}piece = 'small building'");
    assert_eq!(value("dropzone", "demolish", "e_damage", &piece), 0.0);
}

/// SCENERY: the barricade's row has no GARRISON. GARRISONS: "Infantry may enter a Garrison."
#[test]
fn infantry_alone_is_inside_and_nobody_inside_a_barricade() {
    let rail = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\n";
    let squad = "[occupant]\ntarget = 'UCM/Legionnaires'";
    let tank = "[occupant]\ntarget = 'UCM/Sabre Tank'";
    let said = "[occupant]\narmour = 9\ntype = 'Tank'";
    for (action, weapon) in [("demolish", rail), ("collateral", "")] {
        let inside =
            |piece: &str, more: &str, who: &str| format!("{weapon}piece = '{piece}'\n{more}{who}");
        let (path, problem, help) = refused("dropzone", action, &inside("barricade", "", squad));
        assert_eq!(path, "occupant");
        assert!(problem.contains("no GARRISON") && help.contains("garrison = true"), "{help}");
        accepted("dropzone", action, &inside("barricade", "garrison = true\n", squad));
        accepted("dropzone", action, &inside("small forest", "", squad));
        for who in [tank, said] {
            let (path, problem, help) =
                refused("dropzone", action, &inside("small building", "", who));
            assert_eq!(path, "occupant[0].type");
            assert!(problem.contains("Infantry may enter a Garrison"), "{problem}");
            assert!(help.contains("only_infantry_inside"), "{help}");
            let house = "only_infantry_inside = false\n";
            accepted("dropzone", action, &inside("small building", house, who));
        }
        // Of a squad in numbers nobody knows that it is none.
        accepted("dropzone", action, &inside("small building", "", "[occupant]\narmour = 9"));
    }
}

const RIFLE: &str = "weapon = 'bolt-action rifle'\nspotted = true\nfirearms = 14\n";

/// "Must not have any Morale or Suppression markers"; Pinned "can do nothing this Activation".
#[test]
fn who_may_not_act_does_not() {
    let (path, problem, help) =
        refused("d20", "interrupt", &format!("{RIFLE}attacker_suppressed = true"));
    assert_eq!(path, "attacker_suppressed");
    assert!(
        problem.contains("WHO CAN INTERRUPT") && help.contains("marked_may_interrupt"),
        "{help}"
    );
    let house = format!("{RIFLE}attacker_suppressed = true\nmarked_may_interrupt = true");
    close(value("d20", "interrupt", "p_hit", &house), 8.0 / 20.0);
    let vehicle = "pen = 9\nspotted = true\nfirearms = 10\nturret = false\narmour.front.hull = 8\n";
    let points: &str = &format!("{RIFLE}spend = 'fire'\n");
    for (action, said, hit) in [
        ("shoot", RIFLE, 8.0),
        ("fire-and-morale", RIFLE, 8.0),
        ("interrupt", RIFLE, 8.0),
        ("action-points", points, 8.0),
        ("vehicle", vehicle, 8.0),
    ] {
        let (path, problem, help) =
            refused("d20", action, &format!("attacker_pinned = true\n{said}"));
        assert_eq!(path, "attacker_pinned", "{action}");
        assert!(problem.contains("can do nothing this Activation"), "{problem}");
        assert!(help.contains("pinned_may_fire = true"), "{help}");
        let house = format!("attacker_pinned = true\npinned_may_fire = true\n{said}");
        close(value("d20", action, "p_hit", &house), hit / 20.0);
        // Suppressed fire is played, and an element without a state fires at its skill.
        if action == "shoot" {
            close(
                value("d20", action, "p_hit", &format!("attacker_suppressed = true\n{said}")),
                0.4,
            );
        }
    }
    // Melee costs no AP.
    accepted("d20", "melee", "attacker_pinned = true");
}

/// INFANTRY ATTACKING VEHICLES: "Attacking Vehicle is Moving +4/-10", which Infantry is not.
#[test]
fn infantry_on_the_move_at_a_vehicle_has_its_own_modifiers() {
    let hit = |said: &str| {
        let shot =
            "pen = 10\nspotted = true\nfirearms = 14\nturret = false\narmour.front.hull = 8\n";
        value("d20", "vehicle", "p_hit", &format!("{said}\n{shot}"))
    };
    close(hit(""), 0.90);
    close(hit("attacker_moving = true"), 0.70);
    close(hit("attacker_moving = true\nattacker_vehicle = true"), 0.40);
    close(hit("attacker_higher = true"), 0.95);
    close(hit("attacker_lower = true"), 0.80);
    let seen = |said: &str| {
        let shot = "pen = 10\nspot = 6\nfirearms = 30\nturret = false\narmour.front.hull = 8\n";
        value("d20", "vehicle", "p_hit", &format!("{said}\n{shot}"))
    };
    // 6 + 4 for a vehicle; the shot misses on a 20.
    close(seen(""), 0.50 * 0.95);
    close(seen("attacker_moving = true"), 0.30 * 0.95);
    close(seen("attacker_moving = true\nattacker_vehicle = true"), 0.70 * 0.95);
    close(seen("attacker_higher = true"), 0.70 * 0.95);
}

/// "On a roll of 1-15, the passengers are Combat Ineffective": one roll, or one each.
#[test]
fn passengers_of_a_mission_kill_roll_once_or_each() {
    let shot = "pen = 60\nspotted = true\nfirearms = 30\npassengers = 2\nturret = false\n";
    let law = |said: &str| {
        let toml = format!("{shot}{said}\narmour.front.hull = 0");
        law_in("d20", "vehicle", &toml, &["passengers_lost"])
    };
    let (once, each) = (law(""), law("passengers_roll = 'each'"));
    // A hit on 1 to 19; a Mission Kill on 11 to 15, a Catastrophic Kill above.
    let (hit, mission, blown) = (0.95, 0.25, 0.25);
    close(once.chance_over_rows(|o| o[0] == 1), 0.0);
    close(once.chance_over_rows(|o| o[0] == 2), hit * (mission * 0.75 + blown));
    close(each.chance_over_rows(|o| o[0] == 1), hit * mission * 2.0 * 0.75 * 0.25);
    close(each.chance_over_rows(|o| o[0] == 2), hit * (mission * 0.75 * 0.75 + blown));
}

/// The owner marks the cells of advanced armour: the lowest ones.
#[test]
fn advanced_armour_covers_the_lowest_cells_where_nothing_is_said() {
    let out = |weapon: &str, armour: &str, more: &str| {
        let toml = format!(
            "weapon = '{weapon}'\nrange = 20\ntarget_armour = '{armour}'\nadvanced_armour = true\n{more}"
        );
        value("skirmishers", "attack", "p_kill", &toml)
    };
    // 6 or more hits. 5X on cells 5 to 0 runs past 0 from 2 and 3 alone; without armour there, from
    // 2 to 5.
    close(out("LMG", "heavy", ""), 26.0 * 3.0 / 1296.0);
    close(out("LMG", "heavy", "armour_from = 10"), 26.0 * 10.0 / 1296.0);
    for (armour, highest) in [("basic", 1), ("standard", 3), ("heavy", 5)] {
        for weapon in ["LMG", "MMG", "HMG", "rifle", "laser rifle"] {
            let own = out(weapon, armour, &format!("armour_from = {highest}\nshots = 2"));
            close(out(weapon, armour, "shots = 2"), own);
            assert!(own <= out(weapon, armour, "armour_from = 10\nshots = 2"), "{weapon} {armour}");
        }
    }
    // Of a smaller card, as many cells as it has.
    let ogre = "card = { ap = [6, 4], modifiers = [0, 1] }";
    accepted(
        "skirmishers",
        "attack",
        &format!(
            "weapon = 'LMG'\nrange = 20\ntarget_armour = 'heavy'\nadvanced_armour = true\n{ogre}"
        ),
    );
}

/// 6.0 speaks of close combat alone.
#[test]
fn prone_lowers_no_die_of_fire() {
    let fire = |team: &str, more: &str| {
        let toml = format!(
            "attacker = {{ {team}, figures = 2, weapon = 'd8' }}\n\
             defender = {{ figures = 4, defense = 6 }}\n{more}"
        );
        ["fire", "advancing-fire"].map(|action| value("aic", action, "e_kia", &toml))
    };
    let upright = fire("experience = 'd10'", "");
    assert_eq!(fire("experience = 'd10', prone = true", ""), upright);
    let lower = fire("experience = 'd8'", "");
    let house = "prone_fire_reduction = 1";
    assert_eq!(fire("experience = 'd10', prone = true", house), lower);
    assert!(lower[0] < upright[0]);
    let fight = |team: &str| {
        let toml = format!(
            "strikes_back = false\nattacker = {{ {team}, figures = 2, weapon = 'd8' }}\n\
             defender = {{ figures = 4, defense = 6 }}"
        );
        value("aic", "close-combat", "e_kia", &toml)
    };
    assert_eq!(fight("experience = 'd10', prone = true"), fight("experience = 'd8'"));
}

/// "The character is either dead, wounded, or has run away": once.
#[test]
fn a_character_is_one_casualty() {
    let fired = "weapon = 'LMG'\nspotted = true\nfirearms = 20\ntarget_figures = 5\n";
    let law = |said: &str| law_in("d20", "shoot", &format!("{fired}{said}"), &["casualties"]);
    let felled = 1.0 - 0.6_f64.powi(3);
    close(law("").chance_over_rows(|o| o[0] == 1), 0.95 * felled);
    close(law("").chance_over_rows(|o| o[0] > 1), 0.0);
    let each = law("one_casualty_per_character = false");
    close(each.chance_over_rows(|o| o[0] == 3), 0.95 * 0.4_f64.powi(3));
    // Two in the area are two at most.
    close(law("targets_in_area = 2").chance_over_rows(|o| o[0] == 2), 0.95 * felled * felled);
}

/// One AP, +4: on the shot.
#[test]
fn an_additional_ap_is_spent_once() {
    let hit = |said: &str| {
        let toml =
            format!("weapon = 'bolt-action rifle'\nspot = 10\nfirearms = 10\nextra_ap = 1\n{said}");
        value("d20", "shoot", "p_hit", &toml)
    };
    close(hit(""), 0.5 * 0.7);
    close(hit("extra_ap_on = 'spot'"), 0.7 * 0.5);
    close(hit("extra_ap_on = 'both'"), 0.7 * 0.7);
}

#[test]
fn what_is_assumed_of_cover_or_is_a_house_rule_is_said() {
    let fire = |attacker: &str, defender: &str, more: &str| {
        let toml = format!(
            "attacker = {{ experience = 'd8', figures = 2, weapon = 'd6'{attacker} }}\n\
             defender = {{ figures = 4, defense = 6{defender} }}\n{more}"
        );
        notes("aic", "fire", &toml)
    };
    assert!(fire("", "", "").is_empty());
    assert!(fire("", ", cover = 'medium'", "").is_empty());
    for (cover, says) in [
        (", cover = 'cover'", "Cover adds nothing"),
        (", armored_assault = true", "Cover adds nothing"),
        (", cover = 'hard'", "Hard cover adds 2"),
        (", cover = 'medium', armored_assault = true", "Hard cover adds 2"),
    ] {
        let told = fire("", cover, "").join("\n");
        assert!(told.starts_with("assumed: ") && told.contains(says), "{cover}: {told}");
    }
    assert!(fire("", ", cover = 'cover'", "cover_bonus = [0, 1, 1, 2]").is_empty());
    assert!(fire("", ", cover = 'hard'", "cover_bonus = [0, 0, 1, 3]").is_empty());
    let told = fire(", cowering = true", "", "").join("\n");
    assert!(told.contains("a Rally is its only action (5.1)"), "{told}");
    let moving = "weapon = 'HMG'\nmovement_fire = true";
    let told = notes("skirmishers", "attack", moving).join("\n");
    assert!(told.contains("from where it was set up (Crewed Weapons)"), "{told}");
    assert!(notes("skirmishers", "attack", "weapon = 'rifle'\nmovement_fire = true").is_empty());
}

#[test]
fn readings_without_a_field_are_listed() {
    for (system, read) in [
        ("d20", "+4 Cover modifier"),
        ("d20", "passengers_roll"),
        ("d20", "pinned_may_fire"),
        ("dropzone", "with a separate damage die"),
        ("dropzone", "close_quarters_anywhere"),
        ("skirmishers", "Each burning dot"),
        ("skirmishers", "current active weapon"),
        ("skirmishers", "lowest cells"),
        ("aic", "a Rally is its only action"),
        ("aic", "prone_fire_reduction"),
    ] {
        let system = crate::built_in().rulebook_by_id(system).expect("built in");
        assert!(system.readings.iter().any(|reading| reading.contains(read)), "{read}");
    }
}
