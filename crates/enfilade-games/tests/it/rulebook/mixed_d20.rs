//! `d20`, told in text alone: elements with mixed weapons, guns of vehicles, and modifiers of one's
//! own, against an enumeration of every die that knows neither states nor the language.

use enfilade_model::combat::AnyCombat;
use enfilade_model::form::Form;
use toml::Table;

use super::chance::Chance;
use super::shipped::rulebook;
use crate::d20::oracle::{Counts, d20, passes, rows};
use crate::harness::play::play_scripted;
use crate::harness::walk::{CountedDistribution, count_fields};

const ONE_CASUALTY: &str = "one_casualty_per_character";

fn contest(action: &str, toml: &str) -> AnyCombat {
    let action = rulebook("d20").action(action).expect("the action is there");
    let mut table: Table = toml.parse().unwrap_or_else(|fault| panic!("{fault}\n{toml}"));
    // The enumeration rolls every die of a weapon for losses of its own; that a character is one
    // casualty at most is looked at in `forbidden`.
    if action.fields.get(ONE_CASUALTY).is_some() {
        table.insert(ONE_CASUALTY.to_owned(), false.into());
    }
    let contest = Form::from_table_with_defaults(&action.fields, &table)
        .and_then(|form| action.build_contest(&form));
    contest.unwrap_or_else(|faults| panic!("{faults:?}\n{toml}")).combat
}

/// One character: the numbers to spot and to shoot with, and its weapon.
#[derive(Clone, Copy, Debug)]
struct Character {
    spot: i32,
    shoot: i32,
    dice: i32,
    bonus: i32,
    saves: bool,
    area: i32,
    zone: i32,
}

/// An element under fire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Under {
    /// The character that acts has spotted; then, it hits.
    on: bool,
    saved: bool,
    /// Characters in its area and in its danger zone when it hits.
    struck: (i32, i32),
    hit: bool,
    fired: bool,
    lost: i32,
    /// 0, 1 Hesitant, 2 Pinned.
    state: i32,
}

/// The characters one after the other, every die of each, whether it matters or not.
fn under_fire(element: &[Character], spotted: bool, figures: i32) -> Counts<Under> {
    let mut counts = Counts::from([(Under::default(), 1)]);
    for one in element {
        counts = d20(counts, |u, roll| {
            let on = u.lost < figures && (spotted || passes(roll, one.spot));
            Under { on, fired: u.fired || on, ..u }
        });
        counts = d20(counts, |u, roll| {
            let on = u.on && passes(roll, one.shoot);
            let area = one.area.min(figures - u.lost);
            let zone = one.zone.min(figures - u.lost - area);
            Under { on, struck: (area, zone), hit: u.hit || on, ..u }
        });
        let raised = one.bonus + (one.shoot - 20).max(0);
        for nth in 0..one.area + one.zone {
            if one.saves {
                counts = d20(counts, |u, roll| Under { saved: roll <= 2, ..u });
            }
            for die in 0..one.dice {
                counts = d20(counts, |u, roll| {
                    let whole = nth < u.struck.0;
                    let half = nth < u.struck.0 + u.struck.1 && die < (one.dice / 2).max(1);
                    match u.on && !u.saved && (whole || half) {
                        true => damaged(u, roll + raised, figures),
                        false => u,
                    }
                });
            }
        }
        counts = counts.into_iter().fold(Counts::new(), |mut sum, (u, n)| {
            let over = Under { on: false, saved: false, struck: (0, 0), ..u };
            *sum.entry(over).or_insert(0) += n;
            sum
        });
    }
    counts
}

/// STATUS DAMAGE; who is gone takes no more.
fn damaged(u: Under, value: i32, figures: i32) -> Under {
    match value {
        _ if u.lost == figures => u,
        13.. => Under { lost: u.lost + 1, state: 2, ..u },
        7..=12 => Under { state: 2, ..u },
        _ => Under { state: u.state.max(1), ..u },
    }
}

const SHOWN: &[&str] = &["hit", "casualties", "hesitant", "pinned"];

fn shown(u: Under) -> Vec<i32> {
    vec![u.hit.into(), u.lost, (u.state == 1).into(), (u.state == 2).into()]
}

const RIFLE: Character =
    Character { spot: 12, shoot: 11, dice: 1, bonus: 0, saves: false, area: 1, zone: 0 };

#[test]
fn a_machine_gun_and_rifles_are_one_law() {
    let gun = Character { shoot: 13, dice: 3, area: 2, ..RIFLE };
    let element = [&[gun][..], &[RIFLE; 4]].concat();
    let toml = "spot = 12\nfirearms = 11\n\
         [[shooter]]\nweapon = 'LMG'\ntargets_in_area = 2\nfirearms = 13\n\
         [[shooter]]\nweapon = 'bolt-action rifle'\ncount = 4";
    let expected = rows(under_fire(&element, false, 5), shown);
    assert_eq!(count_fields(&contest("shoot", toml), SHOWN), expected);
    // Casualties on average are 13/20 x 12/20 x 6 x 8/20 and 4 x 12/20 x 11/20 x 8/20, but for
    // those beyond the fifth figure; with twenty figures nothing is beyond.
    let all =
        count_fields(&contest("shoot", &format!("target_figures = 20\n{toml}")), &["casualties"]);
    let mean: f64 = (0..=20).map(|n| f64::from(n) * all.chance_over_rows(|row| row[0] == n)).sum();
    assert!((mean - (0.6 * 0.65 * 2.4 + 4.0 * 0.6 * 0.55 * 0.4)).abs() < 1e-12, "{mean}");
}

#[test]
fn each_character_left_answers_whoever_interrupts() {
    let element = [Character { dice: 2, saves: true, ..RIFLE }, RIFLE];
    let toml = "spot = 12\nfirearms = 11\ntarget_figures = 2\nmorale = 13\n\
         shooter = [{ weapon = 'SMG' }, { weapon = 'bolt-action rifle' }]";
    let mut counts = under_fire(&element, false, 2);
    for character in 0..2 {
        // `struck` counts those that fail.
        counts = d20(counts, |u, roll| {
            let failed = u.fired && character < 2 - u.lost && !passes(roll, 13);
            Under { struck: (u.struck.0 + i32::from(failed), 0), ..u }
        });
    }
    let row = |u: Under| [shown(u), vec![u.struck.0]].concat();
    let fields = [SHOWN, &["reactions_failed"]].concat();
    assert_eq!(count_fields(&contest("interrupt", toml), &fields), rows(counts, row));
}

/// Two aimed shots or one, and the morale roll that follows on a modifier of one's own.
#[test]
fn a_modifier_of_ones_own_moves_the_morale_roll() {
    let element = [Character { dice: 2, saves: true, shoot: 14, ..RIFLE }, RIFLE];
    let toml = |modifier: i32| {
        format!(
            "spotted = true\nfirearms = 11\ntarget_figures = 3\nmorale = 10\ntests = 'always'\n\
             morale_modifier = {modifier}\n\
             shooter = [{{ weapon = 'SMG', firearms = 14 }}, {{ weapon = 'battle rifle' }}]"
        )
    };
    for modifier in [-3, 0, 4] {
        let counts = d20(under_fire(&element, true, 3), |u, roll| {
            let morale = 10 + modifier - 2 * u.lost;
            Under { fired: u.lost < 3 && !passes(roll, morale), ..u }
        });
        let failed =
            rows(counts, |u| vec![u.lost, u.fired.into()]).chance_over_rows(|row| row[1] == 1);
        // Whoever is gone takes no roll, and is Pinned.
        let fields = ["casualties", "let_loose", "hesitant", "go_firm", "withdraw", "pinned"];
        let law = count_fields(&contest("fire-and-morale", &toml(modifier)), &fields);
        let found = law.chance_over_rows(|row| row[0] < 3 && row[1..].contains(&1));
        assert!((found - failed).abs() < 1e-12, "{modifier}: {found} {failed}");
    }
    let passes = count_fields(
        &contest("morale", "morale = 8\nmorale_modifier = 3"),
        &["pinned", "let_loose"],
    );
    // 11 or less holds; by 1 or 2 fails 12 and 13, by 9 or more 20.
    assert_eq!(passes.chance_over_rows(|row| row == [1, 0]), 0.05);
    assert_eq!(passes.chance_over_rows(|row| row == [0, 1]), 0.1);
}

#[test]
fn the_guns_of_a_moving_vehicle() {
    // +4 to spot and -10 to shoot, where a character has -4 and -4.
    let mount = Character { spot: 14, shoot: 4, dice: 3, ..RIFLE };
    let moving = "weapon = 'MMG'\nspot = 10\nfirearms = 14\nattacker_moving = true\n";
    let expected = rows(under_fire(&[mount], false, 5), shown);
    let toml = format!("{moving}attacker_vehicle = true");
    assert_eq!(count_fields(&contest("shoot", &toml), SHOWN), expected);
    // The +4 reads like a misprint.
    let expected = rows(under_fire(&[Character { spot: 6, ..mount }], false, 5), shown);
    let toml = format!("{moving}attacker_vehicle = true\nattacker_moving_spot = -4");
    assert_eq!(count_fields(&contest("shoot", &toml), SHOWN), expected);
    let on_foot = Character { spot: 6, shoot: 10, ..mount };
    assert_eq!(
        count_fields(&contest("shoot", moving), SHOWN),
        rows(under_fire(&[on_foot], false, 5), shown)
    );
    // At rest a vehicle is as anybody.
    let resting = "weapon = 'MMG'\nspot = 10\nfirearms = 14\nattacker_vehicle = true";
    let expected = rows(under_fire(&[Character { spot: 10, shoot: 14, ..mount }], false, 5), shown);
    assert_eq!(count_fields(&contest("shoot", resting), SHOWN), expected);
}

/// What a weapon is in the tables: its dice, what is added to them, whether there is a save.
const WEAPONS: &[(&str, i32, i32, bool)] = &[
    ("bolt-action rifle", 1, 0, false),
    ("SMG", 2, 0, true),
    ("pistol", 1, 0, true),
    ("LMG", 3, 0, false),
    ("rifle grenade", 2, 0, true),
    ("sniper rifle", 1, 4, false),
];

/// A table of characters by lot, and each of them.
fn armed(chance: &mut Chance) -> (String, Vec<Character>) {
    let (name, dice, bonus, saves) = WEAPONS[chance.from(0, WEAPONS.len() as i64 - 1) as usize];
    let area = if dice > 1 { chance.from(1, 2) } else { 1 };
    let zone = if name == "rifle grenade" { chance.from(0, 1) } else { 0 };
    let (shoot, count) = (chance.from(3, 23), chance.from(1, 2));
    let toml = format!(
        "[[shooter]]\nweapon = '{name}'\nfirearms = {shoot}\ntargets_in_area = {area}\n\
         targets_in_danger_zone = {zone}\ncount = {count}\n"
    );
    let [shoot, area, zone] = [shoot, area, zone].map(|n| n as i32);
    (toml, vec![Character { spot: 12, shoot, dice, bonus, saves, area, zone }; count as usize])
}

#[test]
fn elements_by_lot_are_the_enumerated_law() {
    let mut chance = Chance::of("mixed");
    for _ in 0..60 {
        let (figures, spotted) = (chance.from(1, 4), chance.holds(30));
        let mut toml = format!("spot = 12\ntarget_figures = {figures}\nspotted = {spotted}\n");
        let mut element = Vec::new();
        for _ in 0..chance.from(1, 3) {
            let (table, characters) = armed(&mut chance);
            toml += &table;
            element.extend(characters);
        }
        let dice = |one: &Character| 2 + (one.area + one.zone) * (one.dice + i32::from(one.saves));
        // As many as whole numbers of 128 bits can count.
        if element.iter().map(dice).sum::<i32>() > 29 {
            continue;
        }
        let expected = rows(under_fire(&element, spotted, figures as i32), shown);
        assert_eq!(count_fields(&contest("shoot", &toml), SHOWN), expected, "{toml}");
    }
}

/// Characters who are armed alike are an element of one weapon, whether tables or numbers say so.
#[test]
fn tables_that_are_alike_are_figures_of_one_weapon() {
    let whole = |action: &str, toml: &str| -> CountedDistribution {
        crate::harness::walk::count_fields_and_measures(&contest(action, toml))
    };
    for (action, more) in [
        ("shoot", "extra_ap = 1"),
        ("interrupt", "morale = 9"),
        ("fire-and-morale", "in_cover = true"),
        ("action-points", "spend = 'spot-fire-fire'\nap = 4"),
    ] {
        let plain = format!("{more}\nspot = 13\nfirearms = 10\nweapon = 'SMG'\nfigures = 3");
        let one =
            format!("{more}\nspot = 13\nfirearms = 10\nshooter = {{ weapon = 'SMG', count = 3 }}");
        let two = format!(
            "{more}\nspot = 13\nshooter = [{{ weapon = 'SMG', firearms = 10, count = 2 }}, \
             {{ damage_dice = 2, saves = true, firearms = 10 }}]"
        );
        let plain = whole(action, &plain);
        assert_eq!(whole(action, &one), plain, "{action}");
        assert_eq!(whole(action, &two), plain, "{action}");
    }
}

/// The LMG spots with 5 and hits with 13 at 13: 20 and 3 on the first of its area, who is lost,
/// then 9 and 9 on the second. The rifleman spots with 12 and misses with 12.
#[test]
fn the_dice_of_an_element_fall_in_the_order_of_its_tables() {
    let toml = "spot = 12\nfirearms = 11\n\
         shooter = [{ damage_dice = 2, targets_in_area = 2, firearms = 13 }, { weapon = 'battle rifle' }]";
    let ending = play_scripted(&contest("shoot", toml), &[5, 13, 20, 3, 9, 9, 12, 12], SHOWN);
    assert_eq!(ending, [1, 1, 0, 1]);
}

#[test]
fn what_does_not_fit_together_is_told_where_it_stands() {
    let faults = |action: &str, toml: &str| -> Vec<String> {
        let action = rulebook("d20").action(action).expect("the action is there");
        let table: Table = toml.parse().expect("TOML");
        let contest = Form::from_table_with_defaults(&action.fields, &table)
            .and_then(|form| action.build_contest(&form));
        let faults = contest.err().unwrap_or_default();
        faults.iter().map(|fault| format!("{}: {}", fault.path, fault.problem)).collect()
    };
    let found = faults(
        "shoot",
        "weapon = 'LMG'\nshooter = [{ weapon = 'pistol', targets_in_area = 2 }, { firearms = 9 }]",
    );
    assert!(
        found
            .iter()
            .any(|fault| fault == "shooter[0].targets_in_area: the pistol has no area of effect"),
        "{found:?}"
    );
    assert!(
        found.iter().any(|fault| fault.starts_with("shooter[1].weapon: `weapon` is missing")),
        "{found:?}"
    );
    let found = faults("shoot", "weapon = 'LMG'\nfigures = 2\nshooter = { weapon = 'SMG' }");
    assert_eq!(found, ["shooter: `shooter` says who attacks with what"]);
    let found = faults("shoot", "targets_in_area = 2\nshooter = { weapon = 'SMG' }");
    assert_eq!(found, ["shooter: `shooter` says how many are in an area"]);
    assert_eq!(faults("shoot", "").len(), 1);
    let found = faults(
        "action-points",
        "spend = 'spot-fire-fire'\nap = 4\nshooter = [{ weapon = 'SMG' }, { weapon = 'grenade' }]",
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("shooter[1]"), "{found:?}");
}
