//! Armored Assault: what befalls the teams that accompany a vehicle when it is destroyed.
//!
//! Source: 7.0 Armored Assault. One d6 per team. The cover that the vehicle gives is the field
//! `armored_assault` of a target in the other actions.
//!
//! Which state is needed: how many teams have rolled, and what the teams have suffered in all. The
//! teams are not told apart in the result, and no roll depends on an earlier one.

use enfilade::bounds::Bound;
use enfilade::catalogue::{Action, Contest};
use enfilade::combat::{Combat, Explanation, Measure, OutcomeField, Vocabulary};
use enfilade::dice::{Dice, Roll};
use enfilade::form::field_groups::{readings, under};
use enfilade::form::{Fault, Field, Fields, Form, Preset};

use super::contest::Within;
use super::fields::{ACCOMPANYING, FIRE_ADDS_PIN};
use super::headings;
use super::squad::{Results, Team, Toll};
use super::team;

const D6: u8 = 6;
const FACE: Bound = Bound::new("face of a d6", 0, 6);
const TEAMS: Bound = Bound::new("number of teams", 1, 16);
const FIGURES: Bound = Bound::new("number of figures", 1, 100);

const ON_THE_DIE: [Field; 2] = [
    Field::int(
        "wound_on",
        FACE,
        1,
        "a team that rolls this or less has a figure Wounded and is pinned",
    )
    .label("Wounded on this or less"),
    Field::int("pin_on", FACE, 3, "a team that rolls this or less is pinned")
        .label("pinned on this or less"),
];

const LIMITS: [Field; 2] = [
    Field::int("most_teams", TEAMS, 4, "at most this many teams, unless the figures allow more")
        .label("teams at most")
        .unit("teams")
        .rare(),
    Field::int("most_figures", FIGURES, 16, "at most this many figures in any number of teams")
        .label("figures at most")
        .unit("figures")
        .rare(),
];

const ADDS_PIN: Field = FIRE_ADDS_PIN
    .preset(Preset::Flag(false))
    .about("the Wounded result places a second Pin Check marker, as in fire")
    .label("the Wounded result pins twice")
    .rule("7.0 Armored Assault")
    .assumed();

const FIELDS: Fields = joined![
    [ACCOMPANYING],
    under(headings::RESULTS, ON_THE_DIE),
    readings(LIMITS),
    under(headings::RESULTS, [ADDS_PIN]),
];

/// The action.
pub const ACTION: Action = Action::new(
    "armored-assault",
    "the vehicle is destroyed: a d6 for each team that accompanies it",
    FIELDS,
    &build,
    &[
        "defender = [{ figures = 4 }, { figures = 4 }]",
        "defender = [{ figures = 1, wounded = 1, pins = 2 }, { figures = 3 }, { figures = 2, wounded = 2 }]",
        "defender = { figures = 4 }\nwound_on = 2\npin_on = 4\ncasualty_adds_pin = true",
    ],
)
.asks("How often does a destroyed vehicle wound a figure beside it?")
.direction("d6 for each team, high is good")
.off_table("Nothing modifies this die (7.0 Armored Assault).");

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
    /// Whether a team has more Pin Check markers than before.
    more_pins: bool,
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
        toll: Toll { casualty_adds_pin: form.flag("casualty_adds_pin"), kia_takes_wounded: false },
    };
    Ok(Contest::of(combat).growing_with(&["defender"]))
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
        blast.more_pins |= after.pins > before.pins;
        blast
    }

    fn outcome(&self, blast: &Blast) -> Option<Blast> {
        (usize::from(blast.rolled) == self.teams.len()).then_some(*blast)
    }

    fn vocabulary(&self) -> Vocabulary<Blast> {
        let (fields, measures) = (fields().into(), measures().into());
        Vocabulary { fields, measures }
    }

    fn explain(&self, from: &Blast, rolls: &[Roll], _: &Blast) -> Explanation {
        let Some(roll) = rolls.first() else {
            return Explanation::default();
        };
        let results = self.results(roll.face);
        let what = match (results.wounded, results.pins) {
            (1, _) => "one figure Wounded and a Pin Check marker",
            (_, 1) => "a Pin Check marker",
            _ => "nothing",
        };
        let text = format!("Team {}: d6 shows {}: {what}.", from.rolled + 1, roll.face);
        Explanation::new("7.0 Armored Assault", text)
    }
}

/// Where the rulebook says what the die does.
const RULE: &str = "7.0 Armored Assault";

fn fields() -> [OutcomeField<Blast>; 3] {
    let pins = "Pin Check markers at the end";
    [
        OutcomeField::new("kia", "figures the teams lost", |b: &Blast| b.kia.into())
            .label("figures lost")
            .unit("figures")
            .rule("4.2")
            .harm(80, "kill"),
        OutcomeField::new("wounded", "Wounded markers at the end", |b: &Blast| b.wounded.into())
            .label("Wounded markers at the end")
            .unit("markers")
            .rule(RULE)
            .harm(60, "wound"),
        OutcomeField::new("pins", pins, |b: &Blast| b.pins.into())
            .label("Pin Check markers at the end")
            .unit("markers")
            .rule(RULE)
            .harm(40, "pin"),
    ]
}

fn measures() -> [Measure<Blast>; 7] {
    let (wounded, pins) = ("Wounded markers at the end", "Pin Check markers at the end");
    [
        Measure::probability("p_kill", "a figure is lost", |b: &Blast| b.kia > 0)
            .label("killed")
            .rule("4.2")
            .finishing(),
        Measure::probability("p_wound", "a team carries more Wounded markers", |b: &Blast| {
            b.more_wounded
        })
        .label("any wound")
        .rule(RULE)
        .headline(),
        Measure::probability("p_pin", "a team carries more pins than before", |b: &Blast| {
            b.more_pins
        })
        .label("any pin")
        .rule(RULE),
        Measure::probability("p_no_effect", "nothing happens to any team", |b: &Blast| !b.hurt)
            .label("no effect"),
        Measure::mean("e_kia", "figures lost", |b: &Blast| b.kia.into())
            .label("figures lost on average")
            .unit("figures")
            .rule("4.2"),
        Measure::mean("e_wounded", wounded, |b: &Blast| b.wounded.into())
            .label("Wounded markers on average")
            .unit("markers")
            .rule(RULE),
        Measure::mean("e_pins", pins, |b: &Blast| b.pins.into())
            .label("Pin Check markers on average")
            .unit("markers")
            .rule(RULE),
    ]
}
