//! `aic`: weapon teams against squads whose nerve can fail.
//!
//! Source: the actions `fire`, `morale` and `rally` of the system. What is priced is a team: its
//! dice, its Experience, its Defense. In an activation it fires once, as much as it has actions
//! left beside its Motivation.
//!
//! A team has three conditions. It is steady; or pinned, by as many markers as a volley of the
//! reference troops leaves on average over their law, until its next morale test; or it Cowers until
//! it Rallies. A volley takes figures; from the law for every number of figures comes the chance
//! that it is the volley that wipes the team out, and what the team fires on average over its life.
//! What a test does with every number of pins is the law of `morale`, what a Rally does that of
//! `rally`: so the worth of a pin is what the rules take from the activations after it.
//!
//! Not told: markers that add up from several volleys before a test, Wounded markers after the
//! volley that placed them, the sharing of results within a squad, close combat.

use toml::{Table, Value as Toml};

use crate::bounds::Bound;
use crate::form::{Fault, Field, Form, Kind, Value};
use crate::form::{Fields, groups::joined};
use crate::study::balance::arsenal::{self, Weapon};
use crate::study::balance::battle::{Condition, Effect, Round, Staging, Unit};
use crate::study::balance::evidence::{Denied, Exchange};
use crate::study::balance::kernel::{Checked, Inquiry, Kernels};
use crate::study::balance::scenario::{self, Assumed, Scenario};
use crate::study::balance::worth;

use super::ladder::{Ladder, destroys, over_life, still};
use super::{Rules, within};

const SYSTEM: &str = "aic";

/// What the catalogue's `aic` needs to price teams.
pub static RULES: Rules = Rules {
    id: SYSTEM,
    weapon: WEAPON,
    scenario: SCENARIO,
    assumptions: &[],
    printed_price,
    stage,
    denied,
    exchange,
};

const SIDES: &[u8] = &[4, 6, 8, 10, 12];
const DIE: Kind = Kind::die(SIDES);
const FIGURES: Bound = Bound::new("number of figures", 1, 12);
const DEFENSE: Bound = Bound::new("Defense rating", 0, 30);
const MOTIVATION: Bound = Bound::new("Motivation rating", 1, 10);

/// A team, as `fire` has it.
const TEAM: [Field; 6] = [
    Field::new("experience", DIE, form_die(8), "Experience die"),
    Field::optional(
        "weapons",
        Kind::list(const { &DIE }),
        "weapon die of each figure, the best ones first",
    ),
    Field::optional(
        "figures",
        Kind::Int(FIGURES),
        "number of figures, in place of a list of weapons",
    ),
    Field::optional("weapon", DIE, "weapon die of every figure"),
    Field::int("defense", DEFENSE, 6, "Defense rating"),
    Field::int(
        "motivation",
        MOTIVATION,
        3,
        "Motivation: actions of an activation",
    ),
];

const fn form_die(sides: u8) -> crate::form::Preset {
    crate::form::Preset::Die(sides)
}

const WEAPON: Fields = joined![[arsenal::NAME, arsenal::PRICE_FIELD], TEAM];

const TARGET: Fields = joined![
    [
        Field::int("troopers", TEAMS, 3, "reference teams on each side"),
        Field::required(
            "points_each",
            Kind::Int(scenario::PRICE),
            "points of each team",
        ),
    ],
    TEAM
];

/// A team with three conditions makes many states: more of them are not followed.
const TEAMS: Bound = Bound::new("number of teams", 1, 6);

const SCENARIO: Fields = joined![
    scenario::ANY,
    [
        Field::required(
            "target",
            Kind::Table(TARGET),
            "the reference teams of both sides",
        ),
        Field::choice(
            "cover",
            &["none", "cover", "medium", "hard"],
            "terrain that everybody occupies",
        ),
    ]
];

/// Conditions of a team.
const STEADY: usize = 0;
const PINNED: usize = 1;
const COWERING: usize = 2;
const GONE: usize = 3;

fn printed_price(name: &str, form: &Form) -> Checked<Option<f64>> {
    team(form).map(|_| None).map_err(|_| {
        let how = "give its `weapons`, or `figures` and `weapon`";
        vec![arsenal::without_profile(name, std::iter::empty(), how)]
    })
}

/// A team on either end of a volley.
struct Team {
    experience: u8,
    /// Weapon dice, the best ones first.
    dice: Vec<u8>,
    defense: i64,
    motivation: i64,
}

fn team(form: &Form) -> Checked<Team> {
    let listed = form.list("weapons").iter().filter_map(|value| match value {
        Value::Die(sides) => Some(*sides),
        _ => None,
    });
    let mut dice: Vec<u8> = listed.collect();
    if let (true, Some(sides)) = (dice.is_empty(), form.maybe_die("weapon")) {
        dice = vec![sides; form.maybe_int("figures").unwrap_or(1) as usize];
    }
    if dice.is_empty() {
        let fault = Fault::new(
            "weapons",
            "`weapons` is missing: a team without weapon dice cannot fire",
        );
        return Err(vec![
            fault.help("give `weapons`, or `figures` and `weapon`"),
        ]);
    }
    if dice.len() > FIGURES.high as usize {
        let problem = format!("a team has at most {} figures", FIGURES.high);
        return Err(vec![Fault::new("weapons", problem)]);
    }
    Ok(Team {
        experience: form.die("experience"),
        dice,
        defense: form.int("defense"),
        motivation: form.int("motivation"),
    })
}

/// What is asked of the rules in one scenario.
struct Asked<'a> {
    inquiry: Inquiry<'a>,
    scenario: &'a Scenario,
}

/// One volley at a team.
struct Volley {
    /// By figures: what it leaves.
    ladder: Ladder,
    /// The chance of each number of pins on the whole team, if it stands: from none.
    pins: Vec<f64>,
}

impl Asked<'_> {
    /// The fire of the first `figures` of a team at another.
    fn volley(&self, firing: &Team, figures: usize, target: &Team) -> Checked<Volley> {
        let whole = target.dice.len();
        let mut volley = Volley {
            ladder: still(whole),
            pins: Vec::new(),
        };
        for left in 1..=whole {
            let contest = self.fire(firing, figures, target, left);
            let answer = self.inquiry.ask("fire", &contest)?;
            volley.ladder[left][left] = 0.0;
            volley.pins.clear();
            for ([kia, pins], p) in answer.outcomes(["target_kia", "target_pins"]) {
                let after = left - kia.unsigned_abs() as usize;
                volley.ladder[left][after] += p;
                let pins = pins.unsigned_abs() as usize;
                volley.pins.resize(volley.pins.len().max(pins + 1), 0.0);
                volley.pins[pins] += if after > 0 { p } else { 0.0 };
            }
        }
        let stands: f64 = volley.pins.iter().sum();
        if stands > 0.0 {
            volley.pins.iter_mut().for_each(|p| *p /= stands);
        }
        Ok(volley)
    }

    fn fire(&self, firing: &Team, figures: usize, target: &Team, left: usize) -> Table {
        let die = |sides: &u8| Toml::String(format!("d{sides}"));
        let dice: Vec<_> = firing.dice[..figures].iter().map(die).collect();
        let attacker = Table::from_iter([
            ("experience".to_owned(), die(&firing.experience)),
            ("weapons".to_owned(), dice.into()),
        ]);
        let defender = Table::from_iter([
            ("figures".to_owned(), Toml::Integer(left as i64)),
            ("defense".to_owned(), target.defense.into()),
            ("cover".to_owned(), self.scenario.form.text("cover").into()),
        ]);
        Table::from_iter([
            ("attacker".to_owned(), attacker.into()),
            ("defender".to_owned(), defender.into()),
        ])
    }

    /// What an activation with `pins` is like: the share of its actions, the chance to Cower, the
    /// chance to be removed.
    fn test(&self, action: &str, team: &Team, pins: usize) -> Checked<[f64; 3]> {
        let defender = Table::from_iter([
            (
                "experience".to_owned(),
                format!("d{}", team.experience).into(),
            ),
            ("motivation".to_owned(), team.motivation.into()),
            ("pins".to_owned(), Toml::Integer(pins as i64)),
        ]);
        let contest = Table::from_iter([("defender".to_owned(), defender.into())]);
        let answer = self.inquiry.ask(action, &contest)?;
        let mut test = [0.0; 3];
        for (values, p) in answer.outcomes(["actions", "cowering", "removed"]) {
            for (sum, value) in test.iter_mut().zip(values) {
                *sum += p * f64::from(value);
            }
        }
        test[0] /= team.motivation as f64;
        Ok(test)
    }

    /// A team with its morale, when pinned by so many markers with these chances.
    fn unit(&self, team: &Team, pins: &[f64]) -> Checked<Unit> {
        let some: f64 = pins.iter().skip(1).sum();
        let mut pinned = [1.0, 0.0, 0.0];
        if some > 0.0 {
            pinned = [0.0; 3];
            for (pins, chance) in pins.iter().enumerate().skip(1) {
                let test = self.test("morale", team, pins.min(MOST_PINS))?;
                let moved = pinned.iter_mut().zip(test);
                moved.for_each(|(sum, value)| *sum += chance / some * value);
            }
        }
        let rally = self.test("rally", team, 0)?;
        let condition = |[fires, cowers, removed]: [f64; 3], left| Condition {
            fires,
            left,
            rest: vec![
                (STEADY, 1.0 - cowers - removed),
                (COWERING, cowers),
                (GONE, removed),
            ],
        };
        Ok(Unit {
            conditions: vec![
                condition([1.0, 0.0, 0.0], 1.0),
                condition(pinned, 1.0),
                condition(rally, 1.0),
            ],
            start: STEADY,
        })
    }
}

/// The most markers that a contest takes.
const MOST_PINS: usize = 30;

/// What a volley of so much fire does to a team in each condition.
fn effect(volley: &Volley, fire: f64) -> Effect {
    let gone = destroys(&volley.ladder) * fire;
    let pinned = (1.0 - volley.pins[0]) * fire * (1.0 - gone);
    let stays = |here: usize| vec![(here, 1.0 - gone), (GONE, gone)];
    vec![
        vec![
            (STEADY, 1.0 - gone - pinned),
            (PINNED, pinned),
            (GONE, gone),
        ],
        stays(PINNED),
        stays(COWERING),
    ]
}

fn stage(kernels: &Kernels, weapon: &Weapon, scenario: &Scenario, _: &Assumed) -> Checked<Staging> {
    let gun = team(&weapon.form).map_err(within("weapon"))?;
    let target = scenario.target();
    let troops = team(target).map_err(within("scenario.target"))?;
    let asked = Asked {
        inquiry: Inquiry::of(kernels),
        scenario,
    };
    let on_troops = asked.volley(&troops, troops.dice.len(), &troops)?;
    let on_weapon = asked.volley(&troops, troops.dice.len(), &gun)?;
    let by_weapon = asked.volley(&gun, gun.dice.len(), &troops)?;
    let round = Round {
        troop_shots: 1,
        on_troops: effect(
            &on_troops,
            asked.fire_over_life(&troops, &troops, &on_troops.ladder)?,
        ),
        on_weapon: effect(
            &on_weapon,
            asked.fire_over_life(&troops, &gun, &on_troops.ladder)?,
        ),
        weapon_shots: 1,
        by_weapon: effect(
            &by_weapon,
            asked.fire_over_life(&gun, &troops, &on_weapon.ladder)?,
        ),
    };
    Ok(Staging {
        troops: asked.unit(&troops, &on_troops.pins)?,
        weapon: asked.unit(&gun, &on_weapon.pins)?,
        troop_points: target.int("points_each") as f64,
        paid: 0.0,
        rounds: vec![round],
        heard: asked.inquiry.heard(),
    })
}

impl Asked<'_> {
    /// Fire of a team that loses its figures on `dies`, on average over its life: beside that of
    /// the whole team, by what it does to `target`.
    fn fire_over_life(&self, firing: &Team, target: &Team, dies: &Ladder) -> Checked<f64> {
        let harm = |figures: usize| -> Checked<f64> {
            Ok(destroys(&self.volley(firing, figures, target)?.ladder))
        };
        let whole = harm(firing.dice.len())?;
        if whole <= 0.0 {
            return Ok(1.0);
        }
        over_life(dies, |lost| Ok(harm(firing.dice.len() - lost)? / whole))
    }
}

/// What a volley of the weapon denies: teams wiped out; activations lost to pins; and those lost by
/// teams that Cower for them, which is what it means to break here.
fn denied(staging: &Staging, scenario: &Scenario) -> Denied {
    let unit = &staging.troops;
    let round = &staging.rounds[0];
    let chance = |to: usize| {
        let leads = round.by_weapon[STEADY].iter().filter(|lead| lead.0 == to);
        leads.map(|lead| lead.1).sum::<f64>() * staging.troop_points
    };
    let cowers: f64 = unit.conditions[PINNED]
        .rest
        .iter()
        .filter(|r| r.0 == COWERING)
        .map(|r| r.1)
        .sum();
    // A team that Cowers does so from the activation after the test on.
    let later = scenario.moves.saturating_sub(1);
    let whole = worth::output(unit, scenario.moves)[STEADY];
    let expected = worth::output(unit, later);
    let broken = cowers * (expected[STEADY] - expected[COWERING]) / whole;
    let pinned = worth::lost(unit, PINNED, scenario.moves);
    Denied {
        kill: chance(GONE),
        broken: chance(PINNED) * broken,
        pin: chance(PINNED) * (pinned - broken),
    }
}

/// One Pin Check marker, and Cowering, on a reference team.
fn exchange(kernels: &Kernels, scenario: &Scenario, assumed: &Assumed) -> Checked<Exchange> {
    let troops = team(scenario.target()).map_err(within("scenario.target"))?;
    let asked = Asked {
        inquiry: Inquiry::of(kernels),
        scenario,
    };
    let unit = asked.unit(&troops, &[0.0, 1.0])?;
    let activations = assumed.rounds(scenario);
    Ok(Exchange {
        pin_per_kill: Some(worth::lost(&unit, PINNED, activations)),
        break_per_kill: Some(worth::lost(&unit, COWERING, activations)),
    })
}
