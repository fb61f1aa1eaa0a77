//! `d20`: a WW2 skirmish in which every check is a d20 at or under a modified skill.
//!
//! Source: quick reference sheet (infantry combat, building assault, melee, vehicles, morale, action
//! points, interrupt). One file per action; `attack` tells the shooting that four actions share.
//! Not played: see `not_modelled` below.

use enfilade::catalogue::System;
use enfilade::form::Words;
use enfilade::shared::Shared;

mod action_points;
mod anti_tank;
mod assault;
mod attack;
mod check;
mod data;
mod fields;
mod melee;
mod modifiers;
mod morale;
mod outcome;
mod shoot;
mod tell;
mod vehicle;

/// The rule system.
pub fn system() -> System {
    let actions = [
        shoot::SHOOT,
        shoot::FIRE_AND_MORALE,
        shoot::INTERRUPT,
        action_points::ACTION,
        assault::MELEE_ACTION,
        assault::BUILDING,
        morale::ACTION,
        anti_tank::ACTION,
    ];
    System {
        source: "quick reference sheet of a WW2 d20 skirmish game".into(),
        dice: "1d20 for every check, one or several d20 for damage".into(),
        direction: "d20, low succeeds".into(),
        off_table: "A natural 20 fails against any skill, a natural 1 succeeds (our reading). What a skill \
                    is above 20 is added to every damage die.".into(),
        data_date: "2026-11-21".into(),
        check_data: Shared::Static(&data::check_data),
        data_tables: Shared::Static(&data::data_tables),
        readings: Words::Static(READINGS),
        not_modelled: Words::Static(NOT_MODELLED),
        ..System::new("d20", "WW2 d20 skirmish: elements of characters with skills, roll-under on a d20", actions)
    }
}

const READINGS: &[&str] = &[
    "A natural 20 always fails and a modified skill above 20 still fails on it.",
    "A character is one casualty at most, whatever its dice: it \"is either dead, wounded, or has run \
     away\" (STATUS DAMAGE). With `one_casualty_per_character = false` every damage die of 13 or more \
     removes a figure.",
    "A figure lost makes the element Pinned, whatever else the fire did (STATUS DAMAGE).",
    "The save is rolled once per character that is hit, before its damage dice.",
    "A character in the danger zone takes half the dice, rounded down, at least one.",
    "A Hesitant element does not have to take a morale roll; a Pinned one does (STATUS DAMAGE).",
    "Pinned and Hesitant lower skills, but not Morale: the morale modifiers do not list them.",
    "A Pinned element that fails its morale roll stays Pinned, by however little it fails (STATUS \
     DAMAGE, FAILED MORALE TEST: a successful roll, or it remains in place); with \
     `pinned_stays_pinned = false` the margin tells, as for others.",
    "A Pinned element with an enemy within 4 inches surrenders without a roll, when the attack is \
     over (STATUS DAMAGE); with `surrender = \"after-failing\"` only a failed roll makes it.",
    "Each character left rolls to react to an interrupt, on the plain Morale, casualties not counted \
     (no modifiers); one that fails suppresses the element, and all that fail are counted. With \
     `reaction = \"element\"` one roll stands for all.",
    "Pinned (-6) and Hesitant by damage (-4) lower Melee as they lower all skills; Hesitant by \
     morale and Suppressed lower it by the table (-2, -6). What applies is added up.",
    "A casualty of the grenade makes the occupants left Pinned besides Stunned; \
     `grenade_pins = false` leaves it at Stunned.",
    "An SMG raises the Melee skill of every figure of its side; figures with SMGs are lost last.",
    "All dice of a grenade are read: one that does not fell its occupant stuns the room.",
    "`figures more than the other side` is counted anew in each round of melee.",
    "The morale excess over 20 is taken off the roll, so only a natural 20 can fail, by 1.",
    "Vehicle modifiers printed once (hidden, smoke) hold for the Spot and the Firearms roll.",
    "A vehicle in Cover and concealed has the one modifier of `Cover/Concealed` once, in both rolls.",
    "A vehicle that is out of action is not shot at again.",
];

const NOT_MODELLED: &[&str] = &[
    "Movement, line of sight, areas and ranges in inches: the fields count who is in them.",
    "Markers that an element that Lets Loose hands out, and its reload.",
    "AP for moving, turning, reloading, setting up, mines, observation, embarking.",
    "AP that officers and NCOs allocate: raise `ap` or `extra_ap`.",
    "Spotting more characters than the one spotted: list shooters that have spotted.",
    "Several rooms of one building: each room is a contest of its own.",
    "Where a vehicle's passengers go; its own morale is a contest of `morale`.",
];
