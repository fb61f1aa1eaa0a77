//! Random contests of all actions of `d20`, from a seed: also such as no rule allows.

use super::retold_contests::Chance;

const WEAPONS: &[&str] = &[
    "bolt-action rifle",
    "battle rifle",
    "SMG",
    "pistol",
    "automatic rifle",
    "LMG",
    "MMG",
    "HMG",
    "rifle grenade",
    "grenade",
    "sniper rifle",
];

const GRADES: &[&str] = &["novice", "average", "veteran"];

/// Numbers of the tables that a contest changes, of some names; of each one that its action reads.
fn changed(chance: &mut Chance, names: &[(&str, i64, i64)]) -> String {
    let changed: Vec<String> =
        names.iter().filter(|_| chance.holds(8)).map(|(name, ..)| (*name).to_owned()).collect();
    let known = |name: &&(&str, i64, i64)| changed.iter().any(|changed| changed == name.0);
    let numbers: Vec<String> = names
        .iter()
        .filter(known)
        .map(|(name, low, high)| format!("{name} = {}", chance.from(*low, *high)))
        .collect();
    match numbers.is_empty() {
        true => String::new(),
        false => format!("numbers = {{ {} }}\n", numbers.join(", ")),
    }
}

/// What no attack leaves out: the weapon, who shoots at whom, and the modifiers of both rolls.
fn attack(chance: &mut Chance) -> String {
    let mut contest = chance.words(93, &[("weapon", WEAPONS)]);
    contest += &format!("figures = {}\n", chance.from(1, 2));
    contest += &format!("target_figures = {}\n", chance.from(1, 3));
    contest += &chance.numbers(
        40,
        &[
            ("spot", 4, 22),
            ("firearms", 4, 26),
            ("damage_dice", 1, 3),
            ("damage_bonus", -2, 4),
            ("spot_modifier", -3, 3),
            ("shoot_modifier", -3, 3),
        ],
    );
    contest += &chance.numbers(20, &[("targets_in_area", 1, 3), ("targets_in_danger_zone", 0, 2)]);
    contest += &chance.flags(
        20,
        &[
            "target_moving",
            "concealed",
            "in_cover",
            "hidden",
            "gone_firm",
            "target_vehicle",
            "fired_suppression_weapon",
            "attacker_moving",
            "attacker_higher",
            "attacker_pinned",
            "attacker_suppressed",
            "attacker_gone_firm",
            "enemy_within_4",
            "saves",
        ],
    );
    contest += &chance.flags(7, &["attacker_lower"]);
    contest += &chance.flags(80, &["pinned_may_fire"]);
    let on = ["one_always_succeeds", "twenty_loses_ap", "one_casualty_per_character"];
    contest += &off(chance, 20, &on);
    contest += &chance.words(
        20,
        &[
            ("attacker_hesitant", &["no", "damage", "morale"]),
            ("damage_reading", &["per-die", "sum", "best"]),
            ("quality", GRADES),
        ],
    );
    contest
}

/// Switches that are on unless a contest says so.
fn off(chance: &mut Chance, percent: i64, fields: &[&str]) -> String {
    chance.flags(percent, fields).replace("true", "false")
}

const OF_ATTACKS: &[(&str, i64, i64)] = &[
    ("skill_novice", 4, 10),
    ("skill_average", 9, 13),
    ("skill_veteran", 12, 22),
    ("spot_hidden", -9, 0),
    ("spot_extra_ap", 0, 5),
    ("shoot_in_cover", -9, 3),
    ("state_pinned", -9, 0),
    ("save_on", -1, 8),
    ("status_hesitant", 3, 9),
    ("status_pinned", 5, 16),
];

fn spotted(chance: &mut Chance) -> String {
    chance.flags(35, &["spotted"])
}

fn extra_ap(chance: &mut Chance) -> String {
    chance.numbers(40, &[("extra_ap", 0, 3)])
        + &chance.words(30, &[("extra_ap_on", &["both", "spot", "shoot"])])
}

pub fn shoot(chance: &mut Chance) -> String {
    attack(chance) + &spotted(chance) + &extra_ap(chance) + &changed(chance, OF_ATTACKS)
}

pub fn interrupt(chance: &mut Chance) -> String {
    attack(chance)
        + &spotted(chance)
        + &chance.numbers(60, &[("morale", 2, 24)])
        + &chance.flags(80, &["marked_may_interrupt"])
        + &chance.words(40, &[("reaction", &["each", "element"]), ("target_quality", GRADES)])
        + &changed(chance, OF_ATTACKS)
}

const OF_MORALE: &[(&str, i64, i64)] = &[
    ("skill_average", 9, 13),
    ("morale_per_casualty", -4, 0),
    ("morale_in_cover", 0, 4),
    ("morale_leader_veteran", 0, 6),
    ("morale_marker", -3, 1),
    ("fail_let_loose", 0, 3),
    ("fail_hesitant", 2, 5),
    ("fail_go_firm", 3, 7),
    ("fail_withdraw", 6, 10),
];

/// An element that takes a morale roll.
fn tested(chance: &mut Chance) -> String {
    let mut contest = chance.numbers(60, &[("morale", 2, 24)]);
    contest += &chance.numbers(
        25,
        &[("morale_markers", 0, 2), ("suppression_markers", 0, 1), ("casualties", 0, 3)],
    );
    contest += &chance.flags(25, &["pinned_before"]);
    contest += &off(chance, 25, &["pinned_stays_pinned", "can_withdraw"]);
    contest += &chance.words(
        30,
        &[
            ("leader", &["none", "novice", "average", "veteran"]),
            ("surrender", &["at-once", "after-failing"]),
        ],
    );
    contest
}

pub fn fire_and_morale(chance: &mut Chance) -> String {
    attack(chance)
        + &spotted(chance)
        + &extra_ap(chance)
        + &tested(chance)
        + &chance.flags(20, &["failed_before"])
        + &chance.words(30, &[("tests", &["when-due", "always"]), ("target_quality", GRADES)])
        + &changed(chance, &[OF_ATTACKS, &OF_MORALE[1..]].concat())
}

pub fn morale(chance: &mut Chance) -> String {
    tested(chance)
        + &chance.words(40, &[("quality", GRADES)])
        + &chance.flags(40, &["in_cover", "enemy_within_4"])
        + &off(chance, 30, &["one_always_succeeds"])
        + &changed(chance, OF_MORALE)
}

const SPLITS: &[&str] = &[
    "spot-fire",
    "spot-aim-1-fire",
    "spot-aim-2-fire",
    "aim-1-spot-fire",
    "aim-1-spot-aim-1-fire",
    "aim-2-spot-fire",
    "spot-fire-fire",
    "spot-spot-fire",
    "spot-spot-aim-1-fire",
    "spot-aim-1-spot-fire",
    "aim-1-spot-spot-fire",
    "spot-spot-spot-fire",
    "fire",
    "aim-1-fire",
    "aim-2-fire",
    "aim-3-fire",
    "fire-fire",
    "aim-1-fire-fire",
    "fire-aim-1-fire",
];

pub fn action_points(chance: &mut Chance) -> String {
    let split = chance.one(SPLITS);
    // One in ten is not as its split has it.
    let spots = split.contains("spot") != chance.holds(10);
    let mut contest = attack(chance);
    contest += &format!("spend = \"{split}\"\nspotted = {}\n", !spots);
    contest += &chance.numbers(80, &[("ap", 3, 8)]);
    contest + &changed(chance, &[OF_ATTACKS, &[("ap_spot", 0, 2)]].concat())
}

const OF_MELEE: &[(&str, i64, i64)] = &[
    ("melee_suppressed", -9, 0),
    ("melee_hesitant", -5, 0),
    ("melee_smg", 0, 6),
    ("melee_more", 0, 6),
    ("melee_charging", 0, 8),
    ("melee_casualties", -1, 2),
    ("melee_deadlock_casualties", -1, 2),
    ("melee_one_casualties", -1, 2),
    ("state_pinned", -9, 0),
];

pub fn melee(chance: &mut Chance) -> String {
    let mut contest = chance.numbers(
        80,
        &[("figures", 1, 4), ("target_figures", 1, 3), ("melee", 3, 22), ("target_melee", 3, 22)],
    );
    contest +=
        &chance.numbers(30, &[("attacker_smgs", 0, 2), ("target_smgs", 0, 2), ("rounds", 1, 4)]);
    contest += &chance.flags(
        25,
        &[
            "charging",
            "attacker_pinned",
            "target_pinned",
            "attacker_suppressed",
            "target_suppressed",
        ],
    );
    contest += &off(chance, 25, &["one_always_succeeds"]);
    let hesitant: &[&str] = &["no", "damage", "morale"];
    contest += &chance.words(
        30,
        &[
            ("attacker_hesitant", hesitant),
            ("target_hesitant", hesitant),
            ("quality", GRADES),
            ("target_quality", GRADES),
        ],
    );
    contest + &changed(chance, OF_MELEE)
}

pub fn building_assault(chance: &mut Chance) -> String {
    let numbers = [OF_MELEE, &[("grenade_stunned", 5, 15), ("room_assaulters", 1, 3)]].concat();
    let fight = melee(chance);
    let fight = fight.lines().filter(|line| !line.starts_with("numbers"));
    let fight: String = fight.map(|line| format!("{line}\n")).collect();
    fight
        + &chance.numbers(50, &[("grenade_dice", 1, 3)])
        + &chance.flags(30, &["saves"])
        + &off(chance, 30, &["one_casualty_per_character", "grenade_pins"])
        + &changed(chance, &numbers)
}

const OF_VEHICLES: &[(&str, i64, i64)] = &[
    ("vehicle_spot_vehicle", 0, 8),
    ("vehicle_shoot_in_cover", -8, 0),
    ("vehicle_shoot_smoke", -8, 0),
    ("location_hull", 8, 18),
    ("strike_glancing_to", 0, 3),
    ("strike_slope", -1, 3),
    ("strike_weak", -3, 0),
    ("penetration_spalling_to", 2, 7),
    ("penetration_mission_to", 8, 18),
    ("spalling_crew_injured_to", 5, 20),
    ("mission_passengers_to", 0, 20),
];

pub fn vehicle(chance: &mut Chance) -> String {
    let mut contest = format!("pen = {}\n", chance.from(4, 14));
    contest += &chance.numbers(
        40,
        &[
            ("figures", 1, 3),
            ("spot", 4, 22),
            ("firearms", 4, 26),
            ("passengers", 0, 6),
            ("penetration_shift", -6, 6),
            ("attacker_moving_spot", -4, 4),
            ("spot_modifier", -3, 3),
            ("shoot_modifier", -3, 3),
        ],
    );
    contest += &chance.flags(
        25,
        &[
            "spotted",
            "target_moving",
            "in_cover",
            "hidden",
            "smoke",
            "open_topped",
            "fired_main_weapon",
            "attacker_moving",
            "attacker_vehicle",
            "attacker_higher",
            "attacker_pinned",
            "attacker_suppressed",
            "attacker_gone_firm",
            "excess_on_penetration",
        ],
    );
    contest += &chance.flags(80, &["pinned_may_fire"]);
    contest += &chance.flags(7, &["attacker_lower"]);
    contest += &extra_ap(chance);
    contest += &off(chance, 25, &["turret", "one_always_succeeds"]);
    contest += &chance.words(
        30,
        &[
            ("facing", &["front", "side", "rear"]),
            ("attacker_hesitant", &["no", "damage", "morale"]),
            ("quality", GRADES),
        ],
    );
    contest += &changed(chance, OF_VEHICLES);
    for facing in ["front", "side", "rear"] {
        if chance.holds(92) {
            contest += &format!("[armour.{facing}]\nhull = {}\n", chance.from(3, 12));
            contest += &chance.numbers(93, &[("turret", 3, 12)]);
        }
    }
    contest + "[armour]\n"
}
