//! Random contests of the actions that are retold, from a seed, and what they are called in the
//! files.

use toml::{Table, Value};

use super::chance::Chance;

/// Up to three targets; of two leaders the second leads better, so that no order is left open.
pub fn asl(chance: &mut Chance) -> String {
    let fp = chance.from(1, 40);
    let mut contest = format!("fp = {fp}\n");
    contest += &chance.numbers(70, &[("drm", -4, 4)]);
    contest += &chance.numbers(10, &[("attacks", 2, 2)]);
    contest += &chance.words(30, &[("leader", &["10-2", "9-1", "8-0", "6+1"])]);
    contest += &chance.flags(20, &["inexperienced", "encircled", "heat_of_battle"]);
    if chance.holds(20) {
        contest += "leader_loss = false\n";
    }
    if chance.holds(10) {
        contest += "cowers = false\n";
    }
    contest += &chance.numbers(15, &[("breakdown", 10, 12)]);
    if chance.holds(15) {
        contest += "[rules]\n";
        contest += &chance.numbers(
            50,
            &[
                ("automatic_failure", 11, 13),
                ("wound_survived", 2, 5),
                ("encirclement", 0, 2),
                ("cowering_columns", 0, 3),
            ],
        );
    }
    let mut leads = 2;
    // Two attacks, or doubled squads, on few targets: a test must not wait for large stacks.
    let most = if contest.contains("attacks") { 2 } else { 3 };
    for _ in 0..chance.from(1, most) {
        contest += &asl_target(chance, &mut leads, most == 3);
    }
    contest
}

fn asl_target(chance: &mut Chance, leads: &mut i64, doubled: bool) -> String {
    let kind = chance.one(&["squad", "squad", "half-squad", "crew", "leader", "hero"]);
    let morale = chance.from(5, 12);
    let mut target = format!("[[target]]\nkind = \"{kind}\"\nmorale = {morale}\n");
    target += &chance.numbers(30, &[("broken_morale", 4, 9)]);
    if kind == "leader" {
        *leads -= 1 + chance.from(0, 1);
        target += &format!("leadership = {leads}\n");
    }
    if kind == "squad" {
        target +=
            &chance.numbers(20, &[("half_squad_morale", 4, 8), ("half_squad_broken_morale", 4, 8)]);
        if doubled && chance.holds(20) {
            target += "count = 2\n";
        }
    }
    if kind == "leader" || kind == "hero" {
        target += &chance.flags(20, &["wounded"]);
    }
    if kind != "hero" && chance.holds(30) {
        let state = chance.one(&["broken", "pinned", "berserk"]);
        target += &format!("{state} = true\n");
    }
    target
}

const DICE: &[&str] = &["d4", "d6", "d8", "d10", "d12"];

/// One or two teams of up to three figures against one, with up to two squadmates.
pub fn aic(chance: &mut Chance) -> String {
    let mut contest = chance.words(
        30,
        &[
            ("spread", &["one", "none"]),
            ("others_take", &["fewer"]),
            ("kia_takes", &["unwounded"]),
            ("wound_reduces", &["best"]),
        ],
    );
    contest += &chance.flags(30, &["casualty_adds_pin", "wounds_stack"]);
    contest += &chance.numbers(
        20,
        &[
            ("target_takes_one_in", 1, 4),
            ("ladder_floor", 4, 8),
            ("wound_reduction", 0, 3),
            ("prone_reduction", 0, 3),
            ("cowering_reduction", 0, 3),
            ("cowering_weapon_reduction", 0, 2),
            ("wound_margin", -1, 2),
            ("kia_margin", 2, 4),
        ],
    );
    if chance.holds(20) {
        contest += "cover_bonus = [0, 1, 1, 3]\n";
    }
    let answered = chance.holds(70);
    contest += &format!("strikes_back = {answered}\n");
    for _ in 0..if chance.holds(75) { 1 } else { 2 } {
        contest += &format!("[[attacker]]\n{}", team(chance));
    }
    contest += &format!("[defender]\n{}", team(chance));
    contest += &chance.numbers(30, &[("pins", 0, 3)]);
    contest += &chance.words(40, &[("cover", &["cover", "medium", "hard"])]);
    contest += &chance.flags(20, &["armored_assault"]);
    for _ in 0..chance.from(0, 2) {
        let figures = chance.from(1, 3);
        let (wounded, pins) = (chance.from(0, figures), chance.from(0, 2));
        contest += &format!(
            "[[defender.squadmate]]\nfigures = {figures}\nwounded = {wounded}\npins = {pins}\n"
        );
    }
    contest
}

fn team(chance: &mut Chance) -> String {
    let figures = chance.from(1, 3);
    let (experience, defense) = (chance.one(DICE), chance.from(4, 9));
    let mut team = format!("experience = \"{experience}\"\ndefense = {defense}\n");
    if chance.holds(50) {
        let weapons: Vec<_> = (0..figures).map(|_| format!("\"{}\"", chance.one(DICE))).collect();
        team += &format!("weapons = [{}]\n", weapons.join(", "));
    } else {
        let weapon = chance.one(DICE);
        team += &format!("figures = {figures}\nweapon = \"{weapon}\"\n");
    }
    if chance.holds(30) {
        team += &format!("wounded = {}\n", chance.from(0, figures));
    }
    team + &chance.flags(20, &["prone", "cowering"])
}

/// One or two shooters at one to three figures.
pub fn d20(chance: &mut Chance) -> String {
    let weapons =
        ["SMG", "LMG", "grenade", "sniper rifle", "bolt-action rifle", "HMG", "rifle grenade"];
    let weapon = chance.one(&weapons);
    let mut contest = format!("weapon = \"{weapon}\"\n");
    contest += &format!("figures = {}\n", chance.from(1, 2));
    contest += &format!("target_figures = {}\n", chance.from(1, 3));
    contest += &chance.numbers(
        40,
        &[
            ("spot", 4, 22),
            ("firearms", 4, 26),
            ("morale", 4, 24),
            ("extra_ap", 0, 3),
            ("damage_dice", 1, 3),
            ("damage_bonus", -2, 4),
            ("spot_modifier", -3, 3),
            ("shoot_modifier", -3, 3),
        ],
    );
    contest += &chance.numbers(
        20,
        &[("morale_markers", 0, 2), ("suppression_markers", 0, 1), ("casualties", 0, 3)],
    );
    if weapon.contains("grenade") {
        contest +=
            &chance.numbers(40, &[("targets_in_area", 1, 3), ("targets_in_danger_zone", 0, 2)]);
    }
    contest += &chance.flags(
        20,
        &[
            "spotted",
            "target_moving",
            "concealed",
            "in_cover",
            "hidden",
            "gone_firm",
            "target_vehicle",
            "fired_suppression_weapon",
            "attacker_moving",
            "attacker_pinned",
            "attacker_suppressed",
            "attacker_gone_firm",
            "enemy_within_4",
            "failed_before",
            "pinned_before",
            "saves",
        ],
    );
    if contest.contains("attacker_pinned") {
        contest += "pinned_may_fire = true\n";
    }
    for (name, percent) in [
        ("one_casualty_per_character", 80),
        ("one_always_succeeds", 20),
        ("pinned_stays_pinned", 30),
        ("can_withdraw", 30),
    ] {
        if chance.holds(percent) {
            contest += &format!("{name} = false\n");
        }
    }
    if chance.holds(20) {
        contest += &chance.flags(100, &["attacker_higher"]);
    }
    contest += &chance.words(
        30,
        &[
            ("quality", &["novice", "veteran"]),
            ("target_quality", &["novice", "veteran"]),
            ("leader", &["novice", "average", "veteran"]),
            ("damage_reading", &["sum", "best"]),
            ("attacker_hesitant", &["damage", "morale"]),
            ("extra_ap_on", &["spot", "shoot", "both"]),
            ("tests", &["always"]),
            ("surrender", &["after-failing"]),
        ],
    );
    if chance.holds(20) {
        contest += "numbers = { status_pinned = 10, save_on = 5, fail_go_firm = 5, shoot_in_cover = -3 }\n";
    }
    contest
}

const DROPZONE_WEAPONS: &[&str] = &[
    "UCM/Sabre Tank/Avenger Railgun",
    "UCM/Kodiak Command ACV/Orbital Strike",
    "UCM/Broadsword Super-Heavy Tank/Godslayer Railgun",
    "UCM/Praetorian Spec Ops/SMG Close",
    "UCM/Wolverine Scout Buggy/Missile Pod",
    "UCM/Wolverine Scout Buggy/Minigun",
    "UCM/Wolverine Scout Buggy/Light Flamethrower",
    "UCM/Hazard Suits/Compact Railguns",
    "UCM/Mortar Team/Mortar Round",
    "PHR/Nemesis Control Scorpion/Nemesis Laser",
    "PHR/Mithra Ordnance Walker/Twin RX-1000 Battlefield Laser",
    "Scourge/Warriors/Plasma Rifles",
    "Shaltari/Ocelot Ordnance Warstrider/High Power Particle Cannon",
];

const DROPZONE_TARGETS: &[&str] = &[
    "Scourge/Hunter Tank",
    "Scourge/Slayer Heavy Tank",
    "Scourge/Razorworms",
    "UCM/Sabre Tank",
    "UCM/Legionnaires",
    "UCM/Ferrum Drone base",
    "PHR/Immortals",
    "PHR/Triton Light Dropship",
    "Shaltari/Jaguar Warstrider",
    "Resistance/Gun Bus",
    "medium building",
];

/// A weapon of the data, or one in numbers, at a target likewise.
pub fn dropzone(chance: &mut Chance) -> String {
    let mut contest = String::new();
    if chance.holds(80) {
        contest += &format!("weapon = \"{}\"\n", chance.one(DROPZONE_WEAPONS));
        contest += &chance.numbers(20, &[("shots", 1, 6), ("energy", 3, 12)]);
    } else {
        let (shots, accuracy) = (chance.from(1, 6), chance.from(1, 5));
        contest +=
            &format!("shots = {shots}\naccuracy = {accuracy}\nenergy = {}\n", chance.from(3, 12));
    }
    if chance.holds(80) {
        contest += &format!("target = \"{}\"\n", chance.one(DROPZONE_TARGETS));
        contest += &chance.numbers(15, &[("armour", 6, 14), ("damage_points", 1, 4)]);
    } else {
        contest += &format!("armour = {}\n", chance.from(6, 14));
        contest += &chance.numbers(60, &[("damage_points", 1, 6)]);
    }
    contest += &chance.numbers(
        25,
        &[
            ("squad", 1, 3),
            ("count", 1, 3),
            ("focus_merge", 1, 3),
            ("passive", 3, 7),
            ("evasion", 0, 2),
            ("range", 0, 40),
            ("damage_lost", 0, 1),
            ("critical_margin", 1, 3),
            ("critical_factor", 1, 3),
            ("penetrative_face", 5, 6),
            ("glance_from", 1, 3),
            ("glance_energy", -3, 0),
        ],
    );
    contest += &chance.flags(
        15,
        &[
            "soft_cover",
            "body_cover",
            "hull_down",
            "out_of_coherency",
            "disembarked",
            "entered_garrison",
            "natural_one_misses",
            "natural_six_hits",
            "destroyer_hits",
            "aircraft_need_aa",
            "tech_killer_on_scenery",
        ],
    );
    for name in ["large_hull_down", "area_on_behemoths"] {
        if chance.holds(15) {
            contest += &format!("{name} = false\n");
        }
    }
    contest
        + &chance.words(
            25,
            &[("allocation", &["even"]), ("vehicle_means", &["tank"]), ("detail", &["hits"])],
        )
}

/// `count` is a word of the language, and specials in the contest are fields of their own.
pub fn dropzone_told(mut table: Table) -> Option<Table> {
    let named = ["specials", "target_specials", "focus", "attack"];
    if named.iter().any(|key| table.contains_key(*key)) {
        return None;
    }
    for key in ["weapon", "target"] {
        let known = [DROPZONE_WEAPONS, DROPZONE_TARGETS].concat();
        // The built-in samples name units without their kind.
        let whole = |name: &str| {
            let tail = |known: &&&str| known.strip_prefix(name).is_some_and(|t| t.starts_with(' '));
            known.iter().find(tail).map_or(name, |known| known).to_owned()
        };
        if let Some(Value::String(name)) = table.get_mut(key) {
            *name = whole(name);
        }
    }
    if let Some(count) = table.remove("count") {
        table.insert("models".into(), count);
    }
    Some(table)
}

const AIM: &[(&str, i64, i64)] = &[
    ("range", 0, 120),
    ("obstructions", 0, 2),
    ("smoke", 0, 1),
    ("modifier", -2, 2),
    ("attacker_hp", 1, 10),
    ("long_range_modifier", 0, 4),
    ("obstruction_modifier", 0, 2),
    ("prone_target_modifier", 0, 2),
];

const SITUATION: &[&str] = &[
    "movement_fire",
    "sneak_suit",
    "large_target",
    "attacker_entangled",
    "tunnel",
    "defender_swimming",
    "prone_attacker",
    "prone_target",
    "trench",
];

/// One to three attacks on one trooper, or on two.
pub fn attack(chance: &mut Chance) -> String {
    let weapons = [
        "LMG",
        "MMG",
        "HMG",
        "rifle",
        "laser rifle",
        "SMG",
        "pistol",
        "laser pistol",
        "knife",
        "blackjack",
        "club",
        "stun baton",
        "sword",
    ];
    let weapon = chance.one(&weapons);
    let melee = ["knife", "blackjack", "club", "stun baton", "sword"].contains(&weapon);
    let mut contest = format!("weapon = \"{weapon}\"\n");
    match chance.holds(20) && !melee {
        true => contest += "arc = \"60\"\narc_60_shots = 1\n",
        false => contest += &format!("shots = {}\n", chance.from(1, 3)),
    }
    contest += &chance.numbers(25, AIM);
    contest += &chance.numbers(
        25,
        &[("targets", 1, 2), ("target_hp", 1, 10), ("armour_from", 5, 10), ("armour_cells", 0, 5)],
    );
    contest += &chance.flags(15, SITUATION);
    contest += &chance.flags(30, &["advanced_armour"]);
    contest
        + &chance.words(
            30,
            &[
                ("target_armour", &["basic", "standard", "heavy"]),
                ("cell_mapping", &["column"]),
                ("bludgeoning_past_zero", &["nothing"]),
                ("bludgeoning_on_armour", &["passed-on"]),
                ("target_experience", &["green", "veteran", "elite"]),
            ],
        )
}

/// An arc is a number in the file; damage is written in cells there, and nobody is dealt to in
/// turn.
pub fn attack_told(mut table: Table) -> Option<Table> {
    let named = ["damage", "kind", "short", "long", "target_armours", "activations", "card"];
    let in_turn = table.get("allocation").is_some_and(|value| value.as_str() == Some("spread"));
    if in_turn || named.iter().any(|key| table.contains_key(*key)) {
        return None;
    }
    if let Some(arc) = table.get("arc").and_then(Value::as_str) {
        let degrees = arc.parse().unwrap_or(0);
        table.insert("arc".into(), Value::Integer(degrees));
    }
    Some(table)
}

/// Up to eight rounds at a structure.
pub fn breach(chance: &mut Chance) -> String {
    let weapons = [
        "rocket launcher",
        "recoilless rifle",
        "anti-tank missile",
        "grenade launcher",
        "satchel",
        "heavy flamethrower",
        "hand grenade",
        "HMG",
        "sword",
    ];
    let weapon = chance.one(&weapons);
    let mut contest = format!("weapon = \"{weapon}\"\nonly_explosives = false\n");
    contest += &chance.numbers(50, &[("rounds", 1, 8), ("toughness", 0, 40)]);
    contest += &chance.words(60, &[("structure", &["tree", "wall", "light", "medium", "heavy"])]);
    contest += &chance.numbers(20, AIM);
    contest += &chance.numbers(20, &[("ap_spent", 2, 6)]);
    let situation: Vec<_> =
        SITUATION.iter().copied().filter(|name| *name != "large_target").collect();
    contest += &chance.flags(15, &situation);
    contest += &chance.flags(30, &["extra_ammo"]);
    if chance.holds(20) {
        contest += "large_target = false\n";
    }
    contest + &chance.words(30, &[("miss_damage", &["ring"])])
}
