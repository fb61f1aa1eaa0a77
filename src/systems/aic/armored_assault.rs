//! Armored Assault: what befalls the teams that accompany a vehicle when it is destroyed.
//!
//! Source: 7.0 Armored Assault. One d6 per team. The cover that the vehicle gives is the field
//! `armored_assault` of a target in the other actions.
//!
//! Which state is needed: how many teams have rolled, and what the teams have suffered in all. The
//! teams are not told apart in the result, and no roll depends on an earlier one.

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::{AnyCombat, Combat, Measure, OutcomeField, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::{Fault, Field, Form, Kind};
use crate::form::{Words, groups::joined};

use super::contest::Within;
use super::fields::{DEFENDER, FIRE_ADDS_PIN};
use super::squad::{Results, Team, Toll};
use super::team;

const D6: u8 = 6;
const FACE: Bound = Bound::new("face of a d6", 0, 6);
const TEAMS: Bound = Bound::new("number of teams", 1, 16);
const FIGURES: Bound = Bound::new("number of figures", 1, 100);

const FIELDS: &[Field] = &[
    Field::required(
        "defender",
        Kind::Tables(joined![*DEFENDER]),
        "the accompanying teams, each with figures, wounded and pins",
    )
    .from("7.0 Armored Assault"),
    Field::int(
        "wound_on",
        FACE,
        1,
        "a team that rolls this or less has a figure Wounded and is pinned",
    ),
    Field::int(
        "pin_on",
        FACE,
        3,
        "a team that rolls this or less is pinned",
    ),
    Field::int(
        "most_teams",
        TEAMS,
        4,
        "at most this many teams, unless the figures allow more",
    ),
    Field::int(
        "most_figures",
        FIGURES,
        16,
        "at most this many figures in any number of teams",
    ),
    FIRE_ADDS_PIN
        .preset(false)
        .about("the Wounded result places a second Pin Check marker, as in fire")
        .from("7.0 Armored Assault")
        .assumed(),
];

/// The action.
pub const ACTION: Action = Action::new(
    "armored-assault",
    "the vehicle is destroyed: a d6 for each team that accompanies it",
    joined![*FIELDS],
    &build,
    &[
        "defender = [{ figures = 4 }, { figures = 4 }]",
        "defender = [{ figures = 1, wounded = 1, pins = 2 }, { figures = 3 }, { figures = 2, wounded = 2 }]",
        "defender = { figures = 4 }\nwound_on = 2\npin_on = 4\ncasualty_adds_pin = true",
    ],
);

/// Teams beside a vehicle that blows up.
struct ArmoredAssault {
    teams: Vec<Team>,
    wound_on: u8,
    pin_on: u8,
    toll: Toll,
}

/// Teams that have rolled, and what all have suffered and carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Blast {
    rolled: u8,
    kia: u16,
    wounded: u16,
    pins: u16,
    /// Whether anything has happened to a team.
    hurt: bool,
    /// Whether a team has more Wounded markers than before.
    more_wounded: bool,
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut teams = Vec::new();
    let accompanying = form.tables("defender");
    for (index, one) in accompanying.iter().enumerate() {
        let mut at = Within::one_of(&mut faults, "defender", index, accompanying.len());
        teams.push(at.read(|faults| team::team(one, team::figures(one, faults), faults)));
    }
    faults.extend(crowd(form, &teams));
    if !faults.is_empty() {
        return Err(faults);
    }
    let combat = ArmoredAssault {
        teams,
        wound_on: form.int("wound_on") as u8,
        pin_on: form.int("pin_on") as u8,
        toll: Toll {
            casualty_adds_pin: form.flag("casualty_adds_pin"),
            kia_takes_wounded: false,
        },
    };
    Ok(Contest {
        combat: AnyCombat::new(combat),
        notes: Vec::new(),
        grows_with: Words::Static(&["defender"]),
    })
}

/// What is wrong with the number of teams.
fn crowd(form: &Form, teams: &[Team]) -> Option<Fault> {
    let figures: i64 = teams.iter().map(|team| i64::from(team.figures)).sum();
    let (most_teams, most_figures) = (form.int("most_teams"), form.int("most_figures"));
    let fits = teams.len() as i64 <= most_teams || figures <= most_figures;
    if fits && !teams.is_empty() {
        return None;
    }
    let problem = match teams.len() {
        0 => "no team accompanies the vehicle".to_owned(),
        n => format!("{n} teams with {figures} figures accompany the vehicle"),
    };
    let help =
        format!("up to {most_teams} teams may, or {most_figures} figures in any number of teams");
    Some(Fault::new("defender", problem).help(help))
}

impl ArmoredAssault {
    fn results(&self, face: u8) -> Results {
        Results {
            kia: 0,
            wounded: u8::from(face <= self.wound_on),
            pins: u8::from(face <= self.wound_on.max(self.pin_on)),
        }
    }
}

impl Combat for ArmoredAssault {
    type State = Blast;
    type Outcome = Blast;

    fn open(&self) -> Blast {
        Blast::default()
    }

    fn step(&self, mut blast: Blast, dice: &mut impl Dice) -> Blast {
        let before = self.teams[usize::from(blast.rolled)];
        let after = before.take(self.results(dice.die(D6)), self.toll);
        blast.rolled += 1;
        blast.kia += u16::from(before.figures - after.figures);
        blast.wounded += u16::from(after.wounded);
        blast.pins += u16::from(after.pins);
        blast.hurt |= after != before;
        blast.more_wounded |= after.wounded > before.wounded;
        blast
    }

    fn outcome(&self, blast: &Blast) -> Option<Blast> {
        (usize::from(blast.rolled) == self.teams.len()).then_some(*blast)
    }

    fn vocabulary(&self) -> Vocabulary<Blast> {
        Vocabulary {
            fields: vec![
                OutcomeField::new("kia", "figures the teams lost", |b| b.kia.into()),
                OutcomeField::new("wounded", "Wounded markers at the end", |b| {
                    b.wounded.into()
                }),
                OutcomeField::new("pins", "Pin Check markers at the end", |b| b.pins.into()),
            ],
            measures: vec![
                Measure::probability("p_kill", "a figure is lost", |b| b.kia > 0),
                Measure::probability("p_wound", "a team carries more Wounded markers", |b| {
                    b.more_wounded
                }),
                Measure::probability("p_no_effect", "nothing happens to any team", |b| !b.hurt),
                Measure::mean("e_kia", "figures lost", |b| b.kia.into()),
                Measure::mean("e_wounded", "Wounded markers at the end", |b| {
                    b.wounded.into()
                }),
                Measure::mean("e_pins", "Pin Check markers at the end", |b| b.pins.into()),
            ],
        }
    }

    fn tell(&self, from: &Blast, rolls: &[Roll], _: &Blast) -> Telling {
        let Some(roll) = rolls.first() else {
            return Telling::default();
        };
        let results = self.results(roll.face);
        let what = match (results.wounded, results.pins) {
            (1, _) => "one figure Wounded and a Pin Check marker",
            (_, 1) => "a Pin Check marker",
            _ => "nothing",
        };
        let text = format!("Team {}: d6 shows {}: {what}.", from.rolled + 1, roll.face);
        Telling::new("7.0 Armored Assault", text)
    }
}
