//! Assault Fire: fire at a team, then close combat with what is left of it.
//!
//! Source: 7.0 Assault Fire, 4.1, 6.0. The Experience die is one type down for the fire and for the
//! close combat. Several teams act one after the other: each fires and then strikes, at the target alone.
//! Not played: the two Overwatch actions it allows the enemy.

use enfilade::catalogue::{Action, Contest};
use enfilade::form::field_groups::{readings, under};
use enfilade::form::{Fault, Fields, Form};

use super::close_combat::{Blows, Names, attackers_wounded, for_each_attacker};
use super::contest::{self, TargetSide};
use super::encounter::{Attack, Manner};
use super::fields::*;
use super::fire::Volleys;
use super::headings;
use super::outcome::Report;

const FIELDS: Fields = joined![
    [ATTACKERS, TARGET],
    under(headings::TARGET, [STRIKES_BACK]),
    SHARED_OUT,
    FIRE_BANDS,
    under(
        headings::RESULTS,
        [
            CC_WOUND_MARGIN.named(NAMES.wound_margin),
            CC_KIA_MARGIN.named(NAMES.kia_margin),
            CC_ADDS_PIN.named(NAMES.casualty_adds_pin),
        ],
    ),
    readings([ASSAULT_FIRE_REDUCTION]),
    STATE_OF_TEAM,
    readings([COWERING_WEAPON_REDUCTION, PRONE_FIRE_REDUCTION]),
    WOUND_RULES
];

const NAMES: Names = Names {
    wound_margin: "cc_wound_margin",
    kia_margin: "cc_kia_margin",
    casualty_adds_pin: "cc_casualty_adds_pin",
    rule: "7.0 Assault Fire, 6.0",
};

/// The action.
pub const ACTION: Action = Action::new(
    "assault-fire",
    "fire at a team, then close combat with its survivors",
    FIELDS,
    &build,
    &[
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6'], defense = 7 }\n\
         defender = { experience = 'd6', weapons = ['d6', 'd6'], defense = 6 }",
        "attacker = { experience = 'd10', figures = 2, weapon = 'd8', defense = 7, cowering = true }\n\
         defender = { experience = 'd8', figures = 2, weapon = 'd6', defense = 6, cover = 'medium', squadmate = { figures = 2 } }\n\
         bands = 'cc'",
        "attacker = { experience = 'd12', figures = 3, weapon = 'd10' }\n\
         defender = { figures = 2, defense = 8 }\nstrikes_back = false\nassault_fire_reduction = 2",
    ],
)
.asks("How often does Assault Fire kill a figure {defender.cover|in its cover}?");

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let mut faults = Vec::new();
    let side = TargetSide::of(form, true, &mut faults);
    let mut encounter = side.encounter(contest::sharing(form, &side), Report::CloseCombat);
    let volleys = Volleys::of(form, "7.0 Assault Fire, 4.1", &mut faults);
    let blows = Blows::of(form, &NAMES, &mut faults);
    let extra = form.int("assault_fire_reduction") as u8;
    for_each_attacker(form, &mut faults, |attacker, faults| {
        let fire = volleys.of_team(attacker, extra, faults);
        encounter.attacks.push(Attack { manner: Manner::AssaultFire, ..fire });
        encounter.attacks.extend(blows.of_team(attacker, extra, faults));
    });
    encounter.attackers_wounded = attackers_wounded(form);
    contest::contest(encounter, faults)
}
