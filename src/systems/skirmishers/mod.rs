//! `skirmishers`: hit cells, crewed weapons and their point values, a squad game on dots.
//!
//! Source: the advanced combat rules (S); base rules (unit card, attacks, hits) from the game's open
//! rulebook, facts only. `card.rs` is the unit card, `aim.rs` the target number; each action has its
//! own file. Movement, lines of fire and the order of activations are not played.

mod aim;
mod attack;
mod breach;
mod card;
mod classes;
mod data;
mod duel;
mod explosion;
mod fields;
mod morale;
mod wire;

use super::{Imprint, System};

/// The rulebook.
pub static SYSTEM: System = System {
    id: "skirmishers",
    title: "squads on dots: unit cards with hit cells, crewed weapons, point values",
    source: "advanced combat rules; base rules of the open rulebook (facts)",
    dice: "2d6, d6",
    actions: &[
        attack::ATTACK,
        explosion::EXPLOSION,
        breach::BREACH,
        wire::BARBED_WIRE,
        morale::MORALE,
        duel::CREWED_DUEL,
    ],
    sound: data::sound,
    shelves: data::shelves,
    armoury: None,
    readings: &[
        "The crew numbers that the source prints under \"AP Cost\" are crew: its prose says so.",
        "Damage such as 1X+4\\ starts both parts at the same cell, the lethal one first.",
        "Attacks end when every target is dead: they are not made on the dead, and count no hits.",
        "Several targets: one who is out of action is left alone while another is not.",
    ],
    not_modelled: &[
        "movement, lines of fire, trenches and tunnels, except as modifiers",
        "smoke that spreads; setting up, breaking down and swinging a crewed weapon, except in `crewed-duel`",
    ],
    imprint: Imprint {
        direction: "2d6, high is good",
        off_table: "A target number of 2 or less always hits, one above 12 never does. Beyond long range \
                    nothing hits. A cell roll of 11 or 12 is cell 10 (our reading).",
        data_date: "2026-11-21",
        rules: &[
            ("dead", "unit card"),
            ("out_of_action", "unit card"),
            ("failed", "Morale Checks"),
        ],
    },
};
