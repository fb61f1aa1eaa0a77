//! `crewed-duel`: a crewed weapon against a squad that comes nearer under its fire and answers.
//!
//! Source: Crewed Weapons and Movement Fire. Every trooper who moves in the arc draws fire, as often
//! as he likes, and answers when it is resolved, at whoever serves the weapon. When he is out of
//! action the next of the crew takes over, which costs an activation; without crew the weapon is
//! silent. Where the squad moves, its cover and its morale are not told.

mod play;

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::AnyCombat;
use crate::form::{Fault, Field, Form, Kind, Preset};
use crate::form::{Words, groups::joined};

use super::aim::{Aim, Marks, Weapon, card, uncovered};
use super::card::{Card, FULL_HP};
use super::classes::Classes;
use super::data;
use super::fields::{
    AIM_RULES, ARMOURS, CARD_RULES, DOTS, IN_ARMOUR, ON_THE_MOVE, READINGS, SITUATION, TARGET,
    THE_PLACE, THE_TARGET, THE_WEAPON, WEAPON,
};
use play::{Duel, MAX_TROOPERS};

const TROOPERS: Bound = Bound::new("number of troopers", 1, MAX_TROOPERS as i64);
const MOVES: Bound = Bound::new("number of moves", 1, 12);
const CREW: Bound = Bound::new("number of crew", 1, 8);
const ATTACKS: Bound = Bound::new("number of attacks", 0, 6);
const AP: Bound = Bound::new("number of AP", 1, 40);

pub(super) const OWN: [Field; 14] = [
    Field::int("troopers", TROOPERS, 8, "troopers that advance")
        .label("troopers of the squad")
        .unit("troopers")
        .group(THE_TARGET),
    Field::int("moves", MOVES, 6, "activations they advance for")
        .label("activations")
        .group(THE_PLACE),
    Field::int("range", DOTS, 60, "dots to the weapon at the first activation")
        .label("range at first")
        .unit("dots")
        .group(THE_PLACE),
    Field::int("closing", DOTS, 8, "dots nearer with every activation")
        .assumed()
        .label("nearer each activation")
        .unit("dots")
        .group(THE_PLACE),
    Field::optional(
        "crew",
        Kind::Int(CREW),
        "troopers at the weapon; as many as it needs when left out",
    )
    .label("crew")
    .unit("troopers")
    .group(THE_WEAPON),
    Field::int(
        "attacks_per_move",
        ATTACKS,
        1,
        "moves in the arc of each trooper in an activation, each drawing an attack",
    )
    .assumed()
    .label("attacks drawn by a trooper")
    .unit("attacks")
    .group(THE_TARGET),
    Field::int("answers", ATTACKS, 1, "attacks of each trooper on the crew in an activation")
        .assumed()
        .label("answers of a trooper")
        .unit("attacks")
        .group(THE_TARGET),
    Field::choice(
        "order",
        &["man-by-man", "all-first"],
        "when troopers answer: each after the attacks he has drawn and before the next man moves, \
         or all of them when the weapon has fired at everybody",
    )
    .from("Movement Fire")
    .assumed()
    .label("troopers answer")
    .values(&["man by man", "when all have been fired at"])
    .group(READINGS)
    .rare(),
    Field::flag("set_up_first", false, "the weapon must be set up first")
        .label("weapon to be set up first")
        .group(THE_WEAPON),
    Field::int("set_up_ap", AP, 4, "AP of each trooper who sets it up")
        .from("Crewed Weapons")
        .label("AP to set up")
        .unit("AP")
        .group(READINGS)
        .rare(),
    Field::int("take_over_ap", AP, 6, "AP to take it over")
        .from("Crewed Weapons")
        .label("AP to take over")
        .unit("AP")
        .group(READINGS)
        .rare(),
    Field::int(
        "ap_per_move",
        AP,
        8,
        "AP of an activation: begun ones are lost to setting up and taking over",
    )
    .assumed()
    .label("AP of an activation")
    .unit("AP")
    .group(READINGS)
    .rare(),
    Field::choice("crew_armour", ARMOURS, "body armour of the crew")
        .from("Body Armor")
        .label("body armour of the crew")
        .values(IN_ARMOUR)
        .group(THE_WEAPON),
    Field::new(
        "answer",
        Kind::Table(joined![WEAPON, ON_THE_MOVE]),
        Preset::Empty,
        "what the squad answers with, and how; rifles on the move when left out",
    )
    .label("the squad's answer")
    .group(THE_TARGET)
    .rare(),
];

/// The weapon the squad answers with when none is named.
pub(super) const ANSWER_WEAPON: &str = "rifle";

/// The catalogue entry.
pub const CREWED_DUEL: Action = Action::new(
    "crewed-duel",
    "a crewed weapon against a squad that advances and answers",
    joined![WEAPON, OWN, SITUATION, TARGET, CARD_RULES, AIM_RULES],
    &build,
    &[
        "weapon = 'HMG'\ntroopers = 3\nmoves = 2",
        "weapon = 'LMG'\ntroopers = 2\nmoves = 3\nrange = 110\nprone_attacker = true\n[answer]\nprone_target = true",
        "weapon = 'semi-portable laser'\ntroopers = 2\nmoves = 2\nset_up_first = true\ntarget_armour = 'basic'",
        "weapon = 'MMG'\ntroopers = 2\nmoves = 2\nattacks_per_move = 2\ncrew_armour = 'standard'\n[answer]\nweapon = 'SMG'",
        "weapon = 'LMG'\ntroopers = 3\nmoves = 2\nrange = 40\norder = 'all-first'",
    ],
)
.asks("How often does the crew of the {weapon|weapon} hold against a squad?");

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let weapon = Weapon::read(form)?;
    let missing = || vec![Fault::new("answer", "`answer` is missing")];
    let table = form.table("answer").ok_or_else(missing)?;
    let answer = answer_weapon(table)?;
    let marks = Marks::read(form);
    let fresh = card(form)?;
    let squad = classes(fresh, &weapon, marks, "target_armour")?;
    let gunner = classes(crew_card(form)?, &answer, marks, "crew_armour")?;
    let crew = form.maybe_int("crew").unwrap_or(i64::from(weapon.crew) + 1) as u8;
    let set_up = form.flag("set_up_first");
    if set_up && crew <= weapon.crew {
        let problem = format!(
            "it takes {} troopers to set the weapon up, but `crew` is {crew}",
            weapon.crew + 1
        );
        return Err(vec![Fault::new("crew", problem)]);
    }
    let moves = form.int("moves");
    let ranges = (0..moves).map(|n| (form.int("range") - n * form.int("closing")).max(1));
    let ranges: Vec<_> = ranges.collect();
    let lost = |ap: &str| (form.int(ap) as u64).div_ceil(form.int("ap_per_move") as u64) as u8;
    Ok(Contest {
        combat: AnyCombat::new(Duel {
            moves: moves as u8,
            troopers: form.int("troopers") as u8,
            crew,
            attacks: form.int("attacks_per_move") as u8,
            answers: form.int("answers") as u8,
            man_by_man: form.text("order") == "man-by-man",
            set_up: if set_up { lost("set_up_ap") } else { 0 },
            take_over: lost("take_over_ap"),
            gun: aims(&weapon, form, form, &ranges, &gunner),
            answer: aims(&answer, table, form, &ranges, &squad),
            squad,
            gunner,
        }),
        notes: notes([(&weapon, form), (&answer, table)]),
        grows_with: Words::Static(&[
            "troopers",
            "moves",
            "crew",
            "target_armour",
            "attacks_per_move",
        ]),
    })
}

fn answer_weapon(table: &Form) -> Result<Weapon, Vec<Fault>> {
    if table.has("weapon") || table.has("damage") {
        let within = |fault: Fault| fault.within("answer");
        return Weapon::read(table).map_err(|faults| faults.into_iter().map(within).collect());
    }
    let row = data::data()?.weapon(ANSWER_WEAPON);
    let missing = || vec![Fault::new("answer.weapon", "`weapon` is missing")];
    row.map(Weapon::from).ok_or_else(missing)
}

/// A fresh card of the crew.
fn crew_card(form: &Form) -> Result<Card, Vec<Fault>> {
    let troop = data::data()?.troop(form.text("crew_armour"));
    let cells = troop.and_then(|row| row.cells).unwrap_or(0);
    let from = form.int("armour_from") as u8;
    Ok(match form.flag("advanced_armour") {
        true => Card::new(FULL_HP, 0, cells, from),
        false => Card::new(FULL_HP, cells, 0, from),
    })
}

fn classes(fresh: Card, weapon: &Weapon, marks: Marks, field: &str) -> Result<Classes, Vec<Fault>> {
    let data = data::data()?;
    let classes = Classes::of(fresh, weapon.direct(), marks, |hp| data.modifier(hp));
    classes.ok_or_else(|| {
        let fault =
            Fault::new(field, "wounds under this armour differ in too many ways for a duel");
        vec![fault.help("use lighter armour, or `advanced_armour = false`")]
    })
}

/// By move, then by wound class of who fires.
fn aims(
    weapon: &Weapon,
    situation: &Form,
    rules: &Form,
    ranges: &[i64],
    shooter: &Classes,
) -> Vec<Vec<Aim>> {
    let wounds = || (0..shooter.count()).map(|class| shooter.modifier(class as u8));
    let at = |&range: &i64| {
        wounds().map(|w| Aim::at(weapon, situation, rules, Some(range), w)).collect()
    };
    ranges.iter().map(at).collect()
}

/// What is left out of the weapon and of that of the squad.
fn notes(arms: [(&Weapon, &Form); 2]) -> Vec<String> {
    let mut notes = Vec::new();
    for (whose, (weapon, situation)) in ["the weapon", "the squad's weapon"].into_iter().zip(arms) {
        if weapon.kind.explodes() {
            notes.push(format!(
                "{whose} is played at its point of detonation only: rings, scatter and ammunition are left out"
            ));
        }
        notes.extend(uncovered(weapon, situation).map(|note| format!("{whose}: {note}")));
    }
    notes
}
