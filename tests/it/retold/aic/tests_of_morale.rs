//! Morale tests on their own: `morale` for a squad, `rally` for a Cowering team.
//!
//! Source: 5.0, 5.1, 6.3. The rules themselves are in [`super::morale`]; here they are asked
//! without any fire before them.

use enfilade::catalogue::{Action, Contest};
use enfilade::form::field_groups::readings;
use enfilade::form::{Fault, Fields, Form};

use super::contest::{self, TargetSide, Within};
use super::fields::*;
use super::morale::MoraleTest;
use super::outcome::Report;
use super::team;

const FIELDS: Fields =
    joined![[TESTED], MORALE_RULES, readings([COWERING_REDUCTION, LADDER_FLOOR])];

/// The morale test of a squad.
pub const MORALE: Action = Action::new(
    "morale",
    "a squad tests morale: one die, read by each team with its own pins",
    FIELDS,
    &|form| build(form, false),
    &[
        "[defender]\nexperience = 'd8'\nmotivation = 3\npins = 2\n\
         [[defender.squadmate]]\nfigures = 4\npins = 4\n[[defender.squadmate]]\nfigures = 2",
        "defender = { experience = 'd6', motivation = 2, pins = 1, cowering = true, squadmate = { pins = 3 } }\n\
         rally_uses_reduced_die = true",
        "defender = { experience = 'd10', motivation = 4 }",
        "defender = { experience = 'd12', motivation = 5, pins = 6, squadmate = [{ cowering = true, in_contact = true }] }\n\
         morale_pass = 4\ncontact_needs_pass = false",
    ],
)
.asks(
    "How many actions does a squad keep when it tests morale on its {defender.experience|Experience die}?",
)
.direction("Experience die less Pin Check markers, high is good")
.off_table(
    "A team that loses all its actions Cowers, however low its total; a total above the passing one \
     gains nothing (5.0).",
);

/// The Rally of a Cowering team.
pub const RALLY: Action = Action::new(
    "rally",
    "a Cowering team tries to Rally, alone or in its squad's morale test",
    FIELDS,
    &|form| build(form, true),
    &[
        "defender = { experience = 'd8', motivation = 3, pins = 1 }",
        "defender = { experience = 'd6', motivation = 1 }\nrally_penalty = 1",
        "defender = { experience = 'd10', motivation = 3, in_contact = true, squadmate = { pins = 2 } }",
        "defender = { experience = 'd8', motivation = 3, pins = 2 }\nrally_uses_reduced_die = true\nrally_cost = 2",
    ],
)
.asks(
    "How often is a Cowering team lost when it tries to Rally on its {defender.experience|Experience die}?",
)
.direction("Experience die less Pin Check markers and 2 for Cowering, high is good")
.off_table(
    "A team that loses all its actions is removed, however low its total; a total above the passing one \
     gains nothing (5.1).",
);

fn build(form: &Form, rally: bool) -> Result<Contest, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut side = TargetSide::of(form, false, &mut faults);
    side.spirits[0].cowering |= rally;
    let report = if rally { Report::Rally } else { Report::Morale };
    let mut encounter = side.encounter(contest::sharing(form, &side), report);
    encounter.morale = morale_test(form, &side, &mut faults);
    contest::contest(encounter, faults)
}

/// The morale test of the target's squad.
pub fn morale_test(form: &Form, side: &TargetSide, faults: &mut Vec<Fault>) -> Option<MoraleTest> {
    let defender = form.table("defender")?;
    let mut at = Within::new(faults, "defender".into());
    let experience = at.read(|faults| team::experience(defender, faults));
    Some(MoraleTest::of(form, experience, side.spirits, side.members))
}
