//! `melee` and `building-assault`: their fields, and how the fight is put together.
//!
//! Source: MELEE COMBAT, BUILDING ASSAULT, ASSAULT MODIFIERS; STATUS DAMAGE for what Pinned and
//! Hesitant take off all skills, Melee among them. The fight itself is in [`super::melee`].

use enfilade::bounds::Bound;
use enfilade::catalogue::{Action, Contest};
use enfilade::form::Fields;
use enfilade::form::{Fault, Field, Form};

use super::data::{CHANGED, Numbers};
use super::fields::*;
use super::melee::{Grenade, Melee, Side, Table};

const THE_FIGHT: &str = "the fight";
const THE_GRENADE: &str = "the grenade";

const ROUNDS: Bound = Bound::new("number of rounds", 1, 20);
const FIGURES: Bound = Bound::new("number of figures", 1, 20);
const SMGS: Bound = Bound::new("number of SMGs", 0, 20);
const DICE: Bound = Bound::new("number of grenade dice", 1, 10);

const ATTACKERS: Field = Field::int("figures", FIGURES, 4, "figures that attack")
    .label("attackers")
    .unit("figures")
    .group(THE_ATTACKERS);
const DEFENDERS: Field = Field::int("target_figures", FIGURES, 4, "figures that defend")
    .label("defenders")
    .unit("figures")
    .group(THE_DEFENDERS);
const ATTACKER_SUPPRESSED: Field =
    Field::flag("attacker_suppressed", false, "the attackers have a Suppression marker")
        .rule("ASSAULT MODIFIERS")
        .label("attackers Suppressed")
        .group(THE_ATTACKERS);
const TARGET_SUPPRESSED: Field =
    Field::flag("target_suppressed", false, "the defenders have a Suppression marker")
        .rule("ASSAULT MODIFIERS")
        .label("defenders Suppressed")
        .group(THE_DEFENDERS);
const ATTACKER_SMGS: Field = Field::int(
    "attacker_smgs",
    SMGS,
    0,
    "SMGs of the attackers: each raises the skill of all of them; the last figures lost carry them",
)
.rule("ASSAULT MODIFIERS")
.label("attackers' SMGs")
.group(THE_ATTACKERS);
const TARGET_SMGS: Field = Field::int("target_smgs", SMGS, 0, "SMGs of the defenders")
    .rule("ASSAULT MODIFIERS")
    .label("defenders' SMGs")
    .group(THE_DEFENDERS);
const MANY_ROUNDS: Field =
    Field::int("rounds", ROUNDS, 1, "rounds fought, unless one side is gone before")
        .label("rounds")
        .group(THE_FIGHT);

/// Who fights.
const SIDES: &[Field] = &[
    ATTACKERS,
    DEFENDERS,
    MELEE,
    TARGET_MELEE,
    QUALITY,
    TARGET_QUALITY.label("quality of the defenders").group(THE_DEFENDERS),
];

/// The state of both sides, and how a fight is told.
const STATES: &[Field] = &[
    ATTACKER_HESITANT,
    ATTACKER_PINNED,
    ATTACKER_SUPPRESSED,
    TARGET_HESITANT,
    TARGET_PINNED,
    TARGET_SUPPRESSED,
    ATTACKER_SMGS,
    TARGET_SMGS,
    MANY_ROUNDS,
    ONE_SUCCEEDS,
    CHANGED,
];

const FIELDS: Fields =
    joined![
        SIDES,
        [Field::flag(
            "charging",
            true,
            "the attackers moved into contact: a bonus in the first round",
        )
        .rule("MELEE COMBAT")
        .label("attackers charge")
        .values(&["no charge", "Charging"])
        .group(THE_ATTACKERS)],
        STATES
    ];

const BUILDING_FIELDS: Fields = joined![
    SIDES,
    [
        Field::flag(
            "charging",
            false,
            "the attackers have the bonus of a charge in the first round",
        )
        .rule("MELEE COMBAT")
        .assumed()
        .label("attackers charge")
        .values(&["no charge", "Charging"])
        .group(THE_ATTACKERS)
        .rare(),
        Field::int("grenade_dice", DICE, 2, "damage dice of the grenade for each occupant",)
            .rule("BUILDING ASSAULT")
            .assumed()
            .label("damage dice of the grenade")
            .unit("dice")
            .group(THE_GRENADE),
        Field::flag(
            "saves",
            false,
            "an occupant may save against the grenade as against other blasts",
        )
        .rule("SAVE")
        .assumed()
        .label("save against the grenade")
        .values(&["no save", "may save"])
        .group(THE_GRENADE)
        .rare(),
        ONE_CASUALTY,
        Field::flag(
            "grenade_pins",
            true,
            "a casualty of the grenade makes the occupants left Pinned, which lowers their Melee",
        )
        .rule("GRENADE ASSAULT PHASE DAMAGE")
        .label("a casualty of the grenade pins")
        .group(READINGS)
        .rare(),
    ],
    STATES
];

/// What happens at the ends of the die.
const OFF_TABLE: &str = "\
    A natural 20 misses against any skill, a natural 1 succeeds (our reading) and always takes a \
    figure. A side loses no more figures than it has.";

/// Melee in the open.
pub const MELEE_ACTION: Action = Action::new(
    "melee",
    "two elements fight hand to hand for one or several rounds",
    FIELDS,
    &|form| build(form, None),
    &[
        "figures = 4\ntarget_figures = 3\nmelee = 11\ntarget_melee = 11",
        "figures = 2\ntarget_figures = 2\nmelee = 13\nrounds = 3\nattacker_smgs = 1\ntarget_hesitant = 'morale'",
        "figures = 3\ntarget_figures = 1\ncharging = false\ntarget_quality = 'veteran'\nattacker_suppressed = true\none_always_succeeds = false",
        "figures = 1\ntarget_figures = 3\nquality = 'veteran'\nrounds = 6\ntarget_suppressed = true\nattacker_hesitant = 'damage'\ntarget_smgs = 2",
        "figures = 2\ntarget_figures = 3\nquality = 'veteran'\ntarget_pinned = true\ntarget_hesitant = 'damage'",
    ],
)
.asks("How often do the attackers fell a defender hand to hand?")
.off_table(OFF_TABLE);

/// Melee after a grenade.
pub const BUILDING: Action = Action::new(
    "building-assault",
    "a grenade into a room, then melee with its occupants",
    BUILDING_FIELDS,
    &|form| build(form, Some(grenade(form)?)),
    &[
        "figures = 2\ntarget_figures = 2\nmelee = 11\ntarget_melee = 11",
        "figures = 3\ntarget_figures = 3\ngrenade_dice = 1\nsaves = true\nrounds = 2",
        "figures = 2\ntarget_figures = 1\ngrenade_dice = 3\none_casualty_per_character = false\ncharging = true\nattacker_smgs = 2",
        "figures = 2\ntarget_figures = 2\ntarget_melee = 16\ngrenade_pins = false\nattacker_pinned = true",
    ],
)
.asks("How often does the assault on a room fell a defender?")
.direction("d20, high for the grenade, low in melee")
.off_table(OFF_TABLE);

fn grenade(form: &Form) -> Result<Grenade, Vec<Fault>> {
    let numbers = Numbers::of(form)?;
    let needed = i64::from(numbers.get("room_assaulters"));
    if form.int("figures") < needed {
        let problem = format!("a room needs at least {needed} assaulters");
        return Err(vec![Fault::new("figures", problem)]);
    }
    let saves = form.flag("saves");
    Ok(Grenade {
        dice: form.int("grenade_dice") as u8,
        stunned: numbers.get("grenade_stunned"),
        save_on: saves.then(|| numbers.get("save_on").max(0) as u8),
        one_casualty: form.flag("one_casualty_per_character"),
        pins: form.flag("grenade_pins"),
    })
}

fn build(form: &Form, grenade: Option<Grenade>) -> Result<Contest, Vec<Fault>> {
    let numbers = Numbers::of(form)?;
    let melee = Melee {
        attackers: side(form, &numbers, &ATTACKING),
        defenders: side(form, &numbers, &DEFENDING),
        rounds: form.int("rounds") as u8,
        one_succeeds: form.flag("one_always_succeeds"),
        table: Table::of(&numbers, form.flag("charging")),
        grenade,
    };
    let faults = too_many_smgs(&melee);
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Contest::of(melee).growing_with(&["rounds", "figures", "target_figures"]))
}

/// Names of the fields of one side.
struct Names {
    figures: &'static str,
    melee: &'static str,
    quality: &'static str,
    hesitant: &'static str,
    pinned: &'static str,
    suppressed: &'static str,
    smgs: &'static str,
}

const ATTACKING: Names = Names {
    figures: "figures",
    melee: "melee",
    quality: "quality",
    hesitant: "attacker_hesitant",
    pinned: "attacker_pinned",
    suppressed: "attacker_suppressed",
    smgs: "attacker_smgs",
};

const DEFENDING: Names = Names {
    figures: "target_figures",
    melee: "target_melee",
    quality: "target_quality",
    hesitant: "target_hesitant",
    pinned: "target_pinned",
    suppressed: "target_suppressed",
    smgs: "target_smgs",
};

fn side(form: &Form, numbers: &Numbers, names: &Names) -> Side {
    let hesitant = match form.text(names.hesitant) {
        "damage" => numbers.get("state_hesitant_damage"),
        "morale" => numbers.get("melee_hesitant"),
        _ => 0,
    };
    Side {
        figures: form.int(names.figures) as u8,
        skill: skill(form, names.melee, names.quality, numbers) + hesitant,
        suppressed: form.flag(names.suppressed),
        pinned: form.flag(names.pinned),
        smgs: form.int(names.smgs) as u8,
    }
}

fn too_many_smgs(melee: &Melee) -> Vec<Fault> {
    let sides = [("attacker_smgs", melee.attackers), ("target_smgs", melee.defenders)];
    let armed = sides.iter().filter(|(_, side)| side.smgs > side.figures);
    let fault = |(field, side): &(&str, Side)| {
        Fault::new(*field, format!("{} SMGs for {} figures", side.smgs, side.figures))
    };
    armed.map(fault).collect()
}

impl Table {
    fn of(numbers: &Numbers, charging: bool) -> Table {
        let count = |name| numbers.get(name).max(0) as u8;
        Table {
            suppressed: numbers.get("melee_suppressed"),
            pinned: numbers.get("state_pinned"),
            smg: numbers.get("melee_smg"),
            more: numbers.get("melee_more"),
            charging: if charging { numbers.get("melee_charging") } else { 0 },
            casualties: count("melee_casualties"),
            deadlock_casualties: count("melee_deadlock_casualties"),
            one_casualties: count("melee_one_casualties"),
        }
    }
}
