//! Suppression: fire at a squad, then the squad's morale test at its next activation.
//!
//! Source: 4.1, 5.0 and 5.1 chained. The question is what a squad can still do after it has been
//! fired at: figures lost, actions left, teams that Cower, as one joint law. Not played: what else
//! happens between the fire and the squad's activation.

use enfilade::catalogue::{Action, Contest};
use enfilade::form::{Fault, Fields, Form};

use super::close_combat::for_each_attacker;
use super::contest::{self, TargetSide};
use super::fields::*;
use super::fire::Volleys;
use super::outcome::Report;
use super::tests_of_morale::morale_test;

const FIELDS: Fields =
    joined![FIRED_AT, SHARED_OUT, FIRE_BANDS, MORALE_RULES, STATE_OF_SHOOTERS, WOUND_RULES];

/// The action.
pub const ACTION: Action = Action::new(
    "suppression",
    "fire by one or several teams at a squad, then that squad's morale test",
    FIELDS,
    &build,
    &[
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'] }\n\
         defender = { experience = 'd8', figures = 4, defense = 6, motivation = 3, squadmate = { figures = 4 } }",
        "attacker = [{ experience = 'd6', figures = 2, weapon = 'd6' }, { experience = 'd6', figures = 2, weapon = 'd6' }]\n\
         defender = { experience = 'd6', figures = 3, defense = 5, motivation = 2 }",
        "attacker = { experience = 'd8', figures = 3, weapon = 'd8' }\n\
         defender = { experience = 'd8', figures = 2, defense = 6, cowering = true, squadmate = [{ figures = 3 }, { figures = 3, motivation = 2, pins = 1 }] }\n\
         spread = 'one'\nrally_uses_reduced_die = true",
        "attacker = { experience = 'd8', figures = 4, weapon = 'd10' }\n\
         defender = { experience = 'd6', figures = 1, defense = 5, cowering = true, in_contact = true }",
    ],
)
.asks("How many actions does fire leave to a squad {defender.cover|in its cover}?")
.direction(
    "Experience die + weapon die against Defense, then Experience die less Pin Check markers; high is \
     good for the side that rolls",
)
.off_table(
    "A die reduced below d4 stays a d4 (our reading); there is none above d12 (6.0). A team that loses \
     all its actions Cowers, however low its total (5.0).",
);

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let mut faults = Vec::new();
    let side = TargetSide::of(form, true, &mut faults);
    let mut encounter = side.encounter(contest::sharing(form, &side), Report::Suppression);
    let volleys = Volleys::of(form, "4.1, 4.2", &mut faults);
    for_each_attacker(form, &mut faults, |attacker, faults| {
        encounter.attacks.push(volleys.of_team(attacker, 0, faults));
    });
    encounter.morale = morale_test(form, &side, &mut faults);
    contest::contest(encounter, faults)
}
