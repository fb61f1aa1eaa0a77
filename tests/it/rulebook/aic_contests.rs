//! Random contests of all actions of `aic`, from a seed.

use super::retold_contests::Chance;

const DICE: &[&str] = &["d4", "d6", "d8", "d10", "d12"];

/// How teams and the results of attacks are read: fields that all attacks have.
fn readings(chance: &mut Chance) -> String {
    let mut contest = chance.words(
        30,
        &[
            ("spread", &["one", "none"]),
            ("others_take", &["fewer"]),
            ("kia_takes", &["unwounded"]),
            ("wound_reduces", &["best"]),
            ("overkill", &["passes-on"]),
        ],
    );
    contest += &chance.flags(30, &["wounds_stack"]);
    contest += &chance.numbers(
        20,
        &[
            ("target_takes_one_in", 1, 4),
            ("ladder_floor", 4, 8),
            ("wound_reduction", 0, 3),
            ("cowering_reduction", 0, 3),
        ],
    );
    if chance.holds(20) {
        contest += "cover_bonus = [0, 1, 1, 3]\n";
    }
    contest
}

fn fire_bands(chance: &mut Chance) -> String {
    let mut contest = chance.words(40, &[("bands", &["cc"])]);
    if chance.holds(30) {
        let pin = chance.from(-2, 2);
        let wound = pin + chance.from(0, 3);
        let kia = wound + chance.from(0, 3);
        contest += &format!("pin_margin = {pin}\nwound_margin = {wound}\nkia_margin = {kia}\n");
    }
    if chance.holds(30) {
        contest += "casualty_adds_pin = false\n";
    }
    contest
}

fn morale_rules(chance: &mut Chance) -> String {
    let mut contest =
        chance.numbers(30, &[("morale_pass", 1, 6), ("rally_penalty", 0, 4), ("rally_cost", 0, 3)]);
    contest += &chance.flags(30, &["rally_uses_reduced_die"]);
    if chance.holds(30) {
        contest += "contact_needs_pass = false\n";
    }
    contest
}

/// A team of up to so many figures.
fn team(chance: &mut Chance, most: i64) -> String {
    let figures = chance.from(1, most);
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

/// The target with up to so many squadmates, then as many friends as are asked for.
fn target(chance: &mut Chance, squadmates: i64, friends: i64) -> String {
    let mut contest = format!("[defender]\n{}", team(chance, 3));
    contest += &chance.numbers(30, &[("pins", 0, 3), ("motivation", 1, 4)]);
    contest += &chance.words(40, &[("cover", &["cover", "medium", "hard"])]);
    contest += &chance.flags(20, &["armored_assault", "in_contact"]);
    for _ in 0..chance.from(0, squadmates) {
        let figures = chance.from(1, 3);
        let wounded = chance.from(0, figures);
        contest += &format!("[[defender.squadmate]]\nfigures = {figures}\nwounded = {wounded}\n");
        contest += &chance.numbers(40, &[("pins", 0, 2), ("motivation", 1, 4)]);
        contest += &chance.flags(20, &["cowering", "in_contact"]);
    }
    for _ in 0..friends {
        let figures = chance.from(1, 3);
        let wounded = chance.from(0, figures);
        contest += &format!("[[friend]]\nfigures = {figures}\nwounded = {wounded}\n");
    }
    contest
}

fn attackers(chance: &mut Chance, one: i64, most: i64) -> String {
    let mut contest = String::new();
    for _ in 0..if chance.holds(one) { 1 } else { 2 } {
        contest += &format!("[[attacker]]\n{}", team(chance, most));
    }
    contest
}

/// Close combat of one or two teams.
pub fn close_combat(chance: &mut Chance) -> String {
    let mut contest = readings(chance);
    contest += &chance.numbers(
        20,
        &[
            ("prone_reduction", 0, 3),
            ("cowering_weapon_reduction", 0, 2),
            ("wound_margin", -1, 2),
            ("kia_margin", 2, 4),
        ],
    );
    contest += &chance.flags(30, &["casualty_adds_pin"]);
    contest += &format!("strikes_back = {}\n", chance.holds(70));
    contest += &attackers(chance, 75, 3);
    contest + &target(chance, 2, 0)
}

/// Fire of one or two teams.
pub fn fire(chance: &mut Chance) -> String {
    let bands = readings(chance) + &fire_bands(chance);
    let bands = bands + &chance.numbers(30, &[("prone_fire_reduction", 0, 3)]);
    let attackers = attackers(chance, 60, 4);
    bands + &attackers + &target(chance, 3, 0)
}

/// Fire on the move.
pub fn advancing_fire(chance: &mut Chance) -> String {
    chance.numbers(30, &[("advancing_fire_reduction", 0, 3)]) + &fire(chance)
}

/// Fire at a team that friends fight.
pub fn into_close_combat(chance: &mut Chance) -> String {
    let bands = readings(chance) + &fire_bands(chance);
    let attackers = attackers(chance, 60, 4);
    let friends = chance.from(1, 2);
    bands + &attackers + &target(chance, 2, friends)
}

/// Fire, then close combat.
pub fn assault_fire(chance: &mut Chance) -> String {
    let mut contest = readings(chance) + &fire_bands(chance);
    contest += &chance.numbers(
        20,
        &[
            ("prone_reduction", 0, 3),
            ("prone_fire_reduction", 0, 3),
            ("cowering_weapon_reduction", 0, 2),
            ("assault_fire_reduction", 0, 2),
            ("cc_wound_margin", -1, 2),
            ("cc_kia_margin", 2, 4),
        ],
    );
    contest += &chance.flags(30, &["cc_casualty_adds_pin"]);
    contest += &format!("strikes_back = {}\n", chance.holds(70));
    contest += &attackers(chance, 90, 2);
    contest + &target(chance, 2, 0)
}

/// Fire, then the squad's morale test.
pub fn suppression(chance: &mut Chance) -> String {
    let rules = readings(chance) + &fire_bands(chance) + &morale_rules(chance);
    let rules = rules + &chance.numbers(30, &[("prone_fire_reduction", 0, 3)]);
    let attackers = attackers(chance, 70, 3);
    rules + &attackers + &target(chance, 2, 0)
}

/// The morale test of a squad, or a Rally.
pub fn morale(chance: &mut Chance) -> String {
    let mut contest = morale_rules(chance);
    contest += &chance.numbers(20, &[("ladder_floor", 4, 8), ("cowering_reduction", 0, 3)]);
    contest += &format!("[defender]\nexperience = \"{}\"\n", chance.one(DICE));
    contest += &chance.numbers(60, &[("pins", 0, 6), ("motivation", 1, 5)]);
    contest += &chance.flags(30, &["cowering", "in_contact"]);
    for _ in 0..chance.from(0, 5) {
        contest += "[[defender.squadmate]]\n";
        contest += &chance.numbers(40, &[("pins", 0, 6), ("motivation", 1, 4), ("wounded", 0, 3)]);
        contest += &chance.flags(30, &["cowering", "in_contact"]);
    }
    contest
}

/// Teams beside a vehicle.
pub fn armored_assault(chance: &mut Chance) -> String {
    let mut contest = chance.numbers(40, &[("wound_on", 0, 6), ("pin_on", 0, 6)]);
    contest += &chance.flags(40, &["casualty_adds_pin"]);
    for _ in 0..chance.from(1, 4) {
        let figures = chance.from(1, 4);
        let wounded = chance.from(0, figures);
        contest += &format!("[[defender]]\nfigures = {figures}\nwounded = {wounded}\n");
        contest += &chance.numbers(40, &[("pins", 0, 4)]);
    }
    contest
}
