//! Fire: `fire`, `advancing-fire` and `firing-into-close-combat`.
//!
//! Source: 4.1, 4.2, 6.4, 7.0 Advancing Fire. The rulebook's own bands of the fire roll are lost, so
//! they are fields with two presets. Several firing teams fire in the order of their tables; once
//! the target team is gone the next team fires at the strongest of its squadmates that is left,
//! with the same Defense. Not played: range, line of sight, Overwatch, special weapons.

use enfilade::catalogue::{Action, Contest};
use enfilade::form::field_groups::readings;
use enfilade::form::{Fault, Fields, Form};

use super::close_combat::for_each_attacker;
use super::contest::{self, TargetSide};
use super::encounter::{Attack, Manner, Needed};
use super::fields::*;
use super::outcome::Report;
use super::squad::Toll;
use super::team::{Arms, Reductions, figures, team};

const FIELDS: Fields = joined![FIRED_AT, SHARED_OUT, FIRE_BANDS, STATE_OF_SHOOTERS, WOUND_RULES];

const ADVANCING_FIELDS: Fields = joined![
    FIRED_AT,
    SHARED_OUT,
    FIRE_BANDS,
    readings([ADVANCING_FIRE_REDUCTION]),
    STATE_OF_SHOOTERS,
    WOUND_RULES
];

const CONTACT_FIELDS: Fields =
    joined![[ATTACKERS, TARGET, FRIENDS,], SHARED_OUT, FIRE_BANDS, STATE_OF_SHOOTERS, WOUND_RULES];

/// Fire from a stand.
pub const FIRE: Action = Action::new(
    "fire",
    "one or several teams fire at a team and its squad",
    FIELDS,
    &|form| build(form, "4.1, 4.2", Report::Fire),
    &[
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'] }\n\
         defender = { figures = 4, defense = 6, cover = 'medium' }",
        "attacker = { experience = 'd8', figures = 4, weapon = 'd8' }\n\
         defender = { figures = 3, defense = 6, squadmate = [{ figures = 4 }, { figures = 2 }] }",
        "attacker = [{ experience = 'd10', figures = 3, weapon = 'd6' }, \
                     { experience = 'd6', weapons = ['d12', 'd6'], wounded = 1 }]\n\
         defender = { figures = 2, defense = 5, pins = 1, squadmate = { figures = 3, pins = 2, wounded = 1 } }\n\
         spread = 'one'\nbands = 'cc'",
        "attacker = { experience = 'd12', figures = 2, weapon = 'd12', prone = true, cowering = true }\n\
         defender = { figures = 3, defense = 8, cover = 'hard', wounded = 2, squadmate = { figures = 1 } }\n\
         spread = 'none'\ncasualty_adds_pin = false\npin_margin = 0\nkia_margin = 6",
        "attacker = { experience = 'd10', figures = 4, weapon = 'd8' }\n\
         defender = { figures = 2, wounded = 1, defense = 5, squadmate = [{ figures = 2, wounded = 2 }, { figures = 1 }] }\n\
         kia_takes = 'unwounded'\nothers_take = 'fewer'\noverkill = 'passes-on'",
    ],
)
.asks("How often does fire kill a figure {defender.cover|in its cover}?");

/// Fire on the move.
pub const ADVANCING: Action = Action::new(
    "advancing-fire",
    "one or several teams fire on the move, the Experience die one type down",
    ADVANCING_FIELDS,
    &|form| build(form, "7.0 Advancing Fire, 4.1", Report::Fire),
    &[
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'] }\n\
         defender = { figures = 4, defense = 6, cover = 'cover' }",
        "attacker = { experience = 'd10', figures = 3, weapon = 'd8', prone = true }\n\
         defender = { figures = 3, defense = 6, squadmate = { figures = 3 } }",
        "attacker = { experience = 'd4', figures = 2, weapon = 'd10' }\n\
         defender = { figures = 2, defense = 7, armored_assault = true, cover = 'cover' }\n\
         advancing_fire_reduction = 2\nbands = 'cc'",
    ],
)
.asks("How often does Advancing Fire kill a figure {defender.cover|in its cover}?");

/// Fire at an enemy whom friends are fighting.
pub const INTO_CLOSE_COMBAT: Action = Action::new(
    "firing-into-close-combat",
    "fire at a team that friends are in contact with: they take their share of the results",
    CONTACT_FIELDS,
    &|form| build(form, "6.4, 4.1", Report::FireIntoCloseCombat),
    &[
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'] }\n\
         defender = { figures = 4, defense = 6 }\nfriend = { figures = 4 }",
        "attacker = { experience = 'd10', figures = 4, weapon = 'd8' }\n\
         defender = { figures = 3, defense = 6, squadmate = { figures = 4 } }\n\
         friend = [{ figures = 2, wounded = 1 }, { figures = 3 }]",
        "attacker = { experience = 'd10', figures = 3, weapon = 'd8' }\n\
         defender = { figures = 3, defense = 5, squadmate = { figures = 4 } }\n\
         friend = { figures = 2 }\nspread = 'one'",
    ],
)
.asks("How often does fire into close combat kill an enemy figure?");

/// What all fire of a contest has in common.
pub struct Volleys {
    needed: Needed,
    toll: Toll,
    by: Reductions,
    rule: &'static str,
}

fn build(form: &Form, rule: &'static str, report: Report) -> Result<Contest, Vec<Fault>> {
    let mut faults = Vec::new();
    let side = TargetSide::of(form, true, &mut faults);
    let mut encounter = side.encounter(contest::sharing(form, &side), report);
    let volleys = Volleys::of(form, rule, &mut faults);
    let extra = form.maybe_int("advancing_fire_reduction").unwrap_or(0) as u8;
    for_each_attacker(form, &mut faults, |attacker, faults| {
        encounter.attacks.push(volleys.of_team(attacker, extra, faults));
    });
    contest::contest(encounter, faults)
}

impl Volleys {
    /// Reads what the fire of the contest in `form` has in common.
    pub fn of(form: &Form, rule: &'static str, faults: &mut Vec<Fault>) -> Volleys {
        let (pin, wound, kia) = match form.text("bands") {
            "cc" => (0, 1, 3),
            _ => (1, 3, 5),
        };
        let margin = |name, preset| form.maybe_int(name).map_or(preset, |n| n as i16);
        let pin = Some(margin("pin_margin", pin));
        let margins = (margin("wound_margin", wound), margin("kia_margin", kia));
        contest::check_margins("kia_margin", pin, margins, faults);
        let by = Reductions::of(form);
        Volleys {
            needed: contest::needed(contest::defenders_defense(form, faults), pin, margins),
            toll: contest::toll(form, "casualty_adds_pin"),
            by: Reductions {
                prone: form.int("prone_fire_reduction") as u8,
                cowering_weapon: 0,
                ..by
            },
            rule,
        }
    }

    /// The fire of `attacker`, its Experience die reduced by `extra` more types.
    pub fn of_team(&self, attacker: &Form, extra: u8, faults: &mut Vec<Fault>) -> Attack {
        Attack {
            manner: Manner::Fire,
            answered: false,
            arms: Arms::of(attacker, &self.by, extra, faults),
            attacker: team(attacker, figures(attacker, faults), faults),
            needed: self.needed,
            toll: self.toll,
            rule: self.rule,
        }
    }
}
