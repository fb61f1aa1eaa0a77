//! `skirmishers`: hit cells, crewed weapons and their point values, a squad game on dots.
//!
//! Source: the advanced combat rules (S); base rules (unit card, attacks, hits) from the game's
//! open rulebook, facts only. `unit_card.rs` has the unit card, `hit_card` the marks on it,
//! `aim.rs` the target number; each action has its own file. Movement, lines of fire and the order
//! of activations are not played.

mod action_points;
mod aim;
mod aim_notes;
mod attack;
mod attack_fields;
mod breach;
mod detonation_points;
mod duel;
mod explosion;
mod explosion_outcome;
mod hex_grid;
mod hit_card;
mod pricing;
mod printed_card_numbers;
mod skirmishers_data;
mod squad_morale;
mod unit_card;
mod wire;
mod wound_classes;

use enfilade_model::catalogue::{AbsentName, System, new_absent_name};
use enfilade_model::form::Words;
use enfilade_model::static_or_shared::StaticOrCounted;

/// Names that users look for, with their equivalents here.
static ABSENT_NAME_TEXTS: [AbsentName; 17] = [
    new_absent_name(
        "target",
        "targets differ only in armour: `targets` gives their number, or `target_armours` the armour of each",
    ),
    new_absent_name(
        "cells",
        "a unit card of one's own is a table, `card`: `ap`, `modifiers` and `hit_cells`, cell by cell",
    ),
    new_absent_name("target_cover", COVER_TEXT),
    new_absent_name("cover", COVER_TEXT),
    new_absent_name("in_cover", COVER_TEXT),
    new_absent_name("terrain", TERRAIN_TEXT),
    new_absent_name("movement", TERRAIN_TEXT),
    new_absent_name(
        "experience",
        "experience changes AP alone: `attacker_experience` and `target_experience`; in `morale` it is `experience`",
    ),
    new_absent_name("turns", TURNS_TEXT),
    new_absent_name("moves", TURNS_TEXT),
    new_absent_name("rounds", "attacks are `shots`, or as many as AP allow in `activations`"),
    new_absent_name("hp", "how much is left of a trooper is `target_hp`, or `attacker_hp`"),
    new_absent_name(
        "armour",
        "body armour is `target_armour`, and with advanced rules `advanced_armour = true`",
    ),
    new_absent_name(
        "armor",
        "body armour is `target_armour`, and with advanced rules `advanced_armour = true`",
    ),
    new_absent_name(
        "squad_morale",
        "the squad's morale is the action `morale`; after an attack it is a `[[contest.then]]`",
    ),
    new_absent_name(
        "smoke grenade",
        "smoke does no harm: `smoke` counts its dots on the line of fire of an `attack`",
    ),
    new_absent_name("wall", "dots that a blast does not cross are `walls` of an `explosion`"),
];

const COVER_TEXT: &str = "cover is what is on the line of fire: `obstructions` counts it, `smoke` the dots of smoke, and \
                     `trench` is one";
const TERRAIN_TEXT: &str = "ground costs AP, which are not played; what changes a die is `obstructions`, `smoke`, `trench`, \
                       `tunnel`, `attacker_entangled`, `defender_swimming` or, for an `explosion`, `in_water`";
const TURNS_TEXT: &str = "a contest is one turn of fire: for several add `[[contest.then]]` with `times = 3`, or `until`";

/// Names that users look for in an explosion.
static ABSENT_EXPLOSION_NAMES: [AbsentName; 3] = [
    new_absent_name("target_armours", ONE_ARMOUR_TEXT),
    new_absent_name(
        "targets",
        "troopers near are given by their dots: `troopers = [[0, 0], [1, 0]]`",
    ),
    new_absent_name("shots", "how often it is thrown or fired is `rounds`"),
];

const ONE_ARMOUR_TEXT: &str = "all who are near wear one `target_armour`: give each kind of armour a contest with its own \
                          `troopers`, and add up the means";

/// Names that users look for in a duel.
static ABSENT_DUEL_FIELDS: [AbsentName; 5] = [
    new_absent_name("trooper_weapon", ABSENT_WEAPON_ADVICE),
    new_absent_name("squad_weapon", ABSENT_WEAPON_ADVICE),
    new_absent_name("target_weapon", ABSENT_WEAPON_ADVICE),
    new_absent_name("experience", SQUAD_AP_TEXT),
    new_absent_name("target_experience", SQUAD_AP_TEXT),
];

const ABSENT_WEAPON_ADVICE: &str =
    "the squad's weapon is that of its answer: `answer = { weapon = \"SMG\" }`";
const SQUAD_AP_TEXT: &str = "experience adds AP and nothing else (Trooper Experience): give `answers`, the attacks of \
                             each trooper in an activation, and `ap_per_move`, the AP of one";

/// Readings of the source where it is ambiguous.
const AMBIGUITY_READINGS: [&str; 21] = [
    "The crew numbers that the source prints under \"AP Cost\" are crew, as its prose has it.",
    "Damage such as 1X+4\\ starts both parts at the same cell, the lethal one first.",
    "Attacks are not made on the dead, and count no hits; they end when no target is left.",
    "Several targets: one out of action is left alone while another is not. One by one \
     (`allocation`), they are not attacked again, and the last of them is attacked until dead; \
     in turn they are, once no target is in action.",
    "Beyond long range no attack is made, of whatever kind: nothing scatters or breaches. Hand to hand that is \
 beyond the adjacent dot, or beyond `long` where it is given.",
    "Ranged explosive weapons are resolved as hand grenades are, so what explodes or burns is no `attack` \
 but an `explosion`. Only such weapons breach a structure (`only_explosives`).",
    "A miss of an incendiary weapon that is not thrown goes off where it was aimed, within its range, \
 because it does not scatter (`incendiary_miss`).",
    "Movement fire is resolved after the fire at the moving trooper, and before the next one \
     moves (`order`): a trooper who silences the gun spares the others. The most wounded move \
     first: those who shoot worst; of these, those whom most of the next hits put out of \
     action; then those who shoot worst after one.",
    "The AP of a take-over are those of the activations after the one in which the gunner falls \
 (`take_over_begins`).",
    "A trooper at HP 0 in barbed wire is entangled and hurt as before, because the rules exempt \
     no one (`hurts_out_of_action`).",
    "A trench counts as prone when its trooper is targeted, which a blast does not do: a low \
     wall does not shield them (`low_walls_at_trenches`).",
    "Advanced armour: every lethal point marks one cell, its armour as long as it is intact, \
     and the next point goes on to the next cell. A point of bludgeoning at a protected cell is \
     used up (`bludgeoning_on_armour`).",
    "Cells picked by column: 2 is the first, cell 10, and 12 the last, cell 0; never the one of the dead.",
    "A blast is stopped by a wall on the straight line from the dot where it goes off to the trooper, \
 where the line runs between two dots by walls on both.",
    "Cover does not count hand to hand, neither obstructions nor smoke.",
    "Attacks by `activations`: AP over the AP of an attack, rounded down, in each of them; \
     movement, changing weapons and AP that are left over are not modelled. With an arc each \
     attack is all shots of the arc.",
    "A throw goes as many dots as AP are spent on it (Short Range \"AP\", Long Range \"–\"), which are its base \
     number too; `long` gives it another reach.",
    "Advanced armour without a given place covers the lowest cells of the card, 3 to 0 for \
     standard armour: owners choose the place, and armour on the first cells saves no one \
     (`armour_from`).",
    "Each burning dot that is entered is a separate hit, and so is the one where a movement \
     ends, each from a cell picked by 2d6 (`fire_enter_damage`, `fire_end_damage`).",
    "Movement Fire is for the \"current active weapon\": a crewed weapon fires from where it was set up, so that on the \
     move it is noted as a house rule.",
    "On a custom unit card, by label, sums above its first cell pick that cell; at a cell of 0 \
     AP there are none, whatever the experience.",
];

/// Returns the rulebook.
pub fn build_skirmishers() -> System {
    let actions = [
        attack::ATTACK_ACTION,
        explosion::EXPLOSION_ACTION.with_absent_fields(&ABSENT_EXPLOSION_NAMES),
        breach::BREACH_ACTION,
        wire::BARBED_WIRE_ACTION,
        squad_morale::MORALE_ACTION,
        duel::CREWED_DUEL_ACTION.with_absent_fields(&ABSENT_DUEL_FIELDS),
    ];
    let actions = actions.map(|action| {
        action.with_printed_number_lookup(printed_card_numbers::printed_numbers_of_named_rows)
    });
    System {
        source: "advanced combat rules; base rules of the open rulebook (facts)".into(),
        dice: "2d6, d6".into(),
        direction: "2d6, high is good".into(),
        off_table:
            "A target number of 2 or less always hits, one above 12 never does. Beyond long range \
                    nothing hits. A cell roll of 11 or 12 is cell 10 (our reading)."
                .into(),
        data_date: "2026-11-21".into(),
        check_data: StaticOrCounted::Static(&skirmishers_data::check_data_files),
        data_tables: StaticOrCounted::Static(&skirmishers_data::build_data_tables),
        pricing: Some(StaticOrCounted::Static(&pricing::SKIRMISHERS_PRICING)),
        readings: Words::Static(&AMBIGUITY_READINGS),
        not_modelled: Words::Static(&[
            "movement, lines of fire, trenches and tunnels, except as modifiers; AP for anything but attacks",
            "smoke that spreads; setting up, breaking down and swinging a crewed weapon, except in `crewed-duel`",
        ]),
        absent: StaticOrCounted::Static(&ABSENT_NAME_TEXTS),
        ..System::new(
            "skirmishers",
            "squads on dots: unit cards with hit cells, crewed weapons, point values",
            actions,
        )
    }
}
