//! `skirmishers`: crewed weapons and small arms against squads of riflemen.
//!
//! Source: the actions `attack` and `crewed-duel` of the system, and its shelf of weapons. A shot is
//! an attack. The chance that it puts its target out of action comes from the law of the attacks
//! it takes on a whole card: kills over attacks made, in the long run. So wounds that do not end a
//! man yet are not lost, but nobody stands with them longer than another: a trooper is whole or
//! gone. How wounds spoil the aim of the wounded is not told.
//!
//! A crewed weapon has as many lives as it has crew. Fire falls on whoever serves it; when he is
//! out the next takes over, for which it falls silent as long as in `crewed-duel`. It fires at every
//! move in its arc, and how many moves there are is an assumption, `arc`. Small arms make the
//! attacks of a 30° arc.

use toml::{Table, Value as Toml};

use crate::bounds::Bound;
use crate::form::{Fault, Field, Form, Kind, Value, names};
use crate::form::{Fields, groups::joined};
use crate::shared::Text;
use crate::study::balance::arsenal::{self, Weapon};
use crate::study::balance::battle::{Condition, Effect, Round, Staging, Unit, takes};
use crate::study::balance::evidence::Exchange;
use crate::study::balance::kernel::{Checked, Inquiry, Kernels, Printed, built_in};
use crate::study::balance::scenario::{self, Assumed, Preset, Scenario};

use super::{Rules, kills_denied, within};

const SYSTEM: &str = "skirmishers";

/// What the catalogue's `skirmishers` needs to price weapons.
pub static RULES: Rules = Rules {
    id: SYSTEM,
    weapon: WEAPON,
    scenario: SCENARIO,
    assumptions: &[Preset {
        name: "arc",
        about: "moves in the arc of a crewed weapon in an activation, each drawing an attack",
        values: [1.0, 2.0, 4.0],
        bound: crate::bounds::RealBound {
            name: "arc",
            low: 1.0,
            high: 12.0,
        },
    }],
    printed_price,
    stage,
    denied: kills_denied,
    exchange: |_, _, _| Ok(Exchange::default()),
};

const CREW: Bound = Bound::new("number of crew", 1, 8);
const ATTACKS: Bound = Bound::new("number of attacks", 0, 12);
const DOTS: Bound = Bound::new("distance in dots", 0, 1000);

const ATTACKS_FIELD: Field = Field::optional(
    "attacks",
    Kind::Int(ATTACKS),
    "attacks in an activation; for a crewed weapon the moves in its arc, for another the attacks of a 30° arc when left out",
);

const WEAPON: Fields = Fields::Static(&[&[
    arsenal::NAME,
    arsenal::PRICE_FIELD,
    Field::optional(
        "damage",
        Kind::Text,
        "damage as printed: 7X; that of the built-in weapon when left out",
    ),
    Field::optional("short", Kind::Int(DOTS), "short range in dots"),
    Field::optional("long", Kind::Int(DOTS), "long range in dots"),
    Field::optional(
        "crew",
        Kind::Int(CREW),
        "men who serve it; as many as it needs when left out, one for small arms; with two or more it is a crewed weapon",
    ),
    ATTACKS_FIELD,
]]);

const ARMOURS: Kind = Kind::choice(&["none", "basic", "standard", "heavy"]);

const TARGET: Fields = Fields::Static(&[&[
    Field::int(
        "troopers",
        scenario::TROOPERS,
        8,
        "reference troops on each side",
    ),
    Field::new(
        "armour",
        ARMOURS,
        crate::form::Preset::Text(Text::Static("none")),
        "their body armour, and that of the crew",
    ),
    Field::new(
        "weapon",
        Kind::Text,
        crate::form::Preset::Text(Text::Static("rifle")),
        "their weapon, by its built-in name",
    ),
    Field::optional(
        "points_each",
        Kind::Int(scenario::PRICE),
        "points of each; the point value of his weapon and `body_points` when left out",
    ),
    Field::int(
        "body_points",
        scenario::POINTS,
        0,
        "points of a man without his weapon: part of a trooper's, not of the weapon's price",
    ),
    ATTACKS_FIELD,
]]);

const SCENARIO: Fields = joined![
    scenario::ANY,
    [
        scenario::RANGE,
        Field::required(
            "target",
            Kind::Table(TARGET),
            "the reference troops of both sides",
        ),
        Field::flag("set_up", false, "a crewed weapon must be set up first"),
        Field::optional(
            "crew_armour",
            ARMOURS,
            "body armour of the crew; that of the troops when left out",
        ),
        Field::int(
            "obstructions",
            OBSTACLES,
            0,
            "obstructions on every line of fire",
        ),
        Field::int("smoke", OBSTACLES, 0, "dots of smoke on every line of fire",),
        Field::flag(
            "movement_fire",
            false,
            "everybody fires on the move but the crew of a weapon",
        ),
        Field::flag("prone", false, "troops and crew are prone"),
    ]
];

const OBSTACLES: Bound = Bound::new("number of obstructions", 0, 12);

/// Attacks on a whole card from which the chance of one attack is taken.
const ATTACKS_MADE: i64 = 60;

/// The shelf's row of a weapon.
fn printed(name: &str) -> Option<Printed> {
    let wanted = names::key(name);
    Printed::find(&built_in(SYSTEM), "weapons", |row| {
        names::key(row.text("name")) == wanted
    })
}

fn printed_price(name: &str, form: &Form) -> Checked<Option<f64>> {
    let row = printed(name);
    if row.is_none() && !form.has("damage") {
        let rows = Printed::all(&built_in(SYSTEM), "weapons");
        return Err(vec![arsenal::without_profile(
            name,
            rows.iter().map(|row| row.text("name")),
            "give its `damage`, `short` and `long`",
        )]);
    }
    let kind = row.as_ref().map_or("ranged", |row| row.text("kind"));
    if !["ranged", "crewed"].contains(&kind) {
        let problem = format!(
            "\"{name}\" is a {kind} weapon, and only those that are fired at a man can be priced"
        );
        return Err(vec![Fault::new("name", problem)]);
    }
    Ok(row.and_then(|row| row.number("pv")).map(|pv| pv as f64))
}

/// A weapon in somebody's hands.
struct Arms {
    /// The fields of an `attack` that name or describe it.
    described: Table,
    attacks: u32,
    crew: usize,
    crewed: bool,
}

/// The weapon of a `[[weapon]]`, or the one named by a scenario's target.
fn arms(name: &str, form: &Form, arc: f64) -> Checked<Arms> {
    let row = printed(name);
    let mut described = Table::new();
    if let Some(row) = &row {
        described.insert("weapon".into(), row.text("name").into());
    }
    for (key, value) in form.entries() {
        match (&**key, value) {
            ("damage", Value::Text(text)) => described.insert("damage".into(), text.clone().into()),
            ("short" | "long", Value::Int(n)) => described.insert(key.to_string(), (*n).into()),
            _ => None,
        };
    }
    let several = form.maybe_int("crew").is_some_and(|crew| crew > 1);
    let crewed = several || row.as_ref().is_some_and(|row| row.text("kind") == "crewed");
    let number = |column| row.as_ref().and_then(|row| row.number(column));
    let of_arc = match crewed {
        true => arc.round() as i64,
        false => number("shots").unwrap_or(1) * arc_shots()?,
    };
    let served = number("crew").filter(|_| crewed).unwrap_or(0) + 1;
    Ok(Arms {
        described,
        attacks: form.maybe_int("attacks").unwrap_or(of_arc) as u32,
        crew: form.maybe_int("crew").unwrap_or(served) as usize,
        crewed,
    })
}

/// Shots of a 30° arc, as `attack` has them.
fn arc_shots() -> Checked<i64> {
    Ok(unfilled("attack")?.int("arc_30_shots"))
}

/// A contest in which nothing is said.
fn unfilled(action: &str) -> Checked<Form> {
    let system = built_in(SYSTEM);
    let action = system.action(action).map_err(|fault| vec![fault])?;
    Form::fill(&action.fields, &Table::new())
}

/// Activations lost to `ap` of a crewed weapon, as `crewed-duel` has them.
fn lost(ap: &str) -> Checked<usize> {
    let duel = unfilled("crewed-duel")?;
    let lost = duel.int(ap).unsigned_abs();
    Ok(lost.div_ceil(duel.int("ap_per_move").unsigned_abs()) as usize)
}

/// Where an activation is fought.
struct Place<'a> {
    inquiry: &'a Inquiry<'a>,
    scenario: &'a Scenario,
    range: Option<i64>,
}

impl Place<'_> {
    fn round(&self, gun: &Arms, rifle: &Arms, served: &Served) -> Checked<Round> {
        let armour = self.scenario.target().text("armour");
        let crew_armour = self.scenario.form.maybe_text("crew_armour");
        let kills = |arms, armour| self.kills(arms, armour);
        let by_weapon = kills(gun, armour).map_err(within("weapon"))?;
        let on_troops = kills(rifle, armour).map_err(within("scenario"))?;
        let on_crew = kills(rifle, crew_armour.unwrap_or(armour)).map_err(within("scenario"))?;
        Ok(Round {
            troop_shots: rifle.attacks,
            on_troops: takes(on_troops),
            on_weapon: served.hit(on_crew),
            weapon_shots: gun.attacks,
            by_weapon: takes(by_weapon),
        })
    }

    /// The chance that one attack puts a man out of action.
    fn kills(&self, arms: &Arms, armour: &str) -> Checked<f64> {
        let form = &self.scenario.form;
        let mut attack = arms.described.clone();
        let mut put = |key: &str, value: Toml| attack.insert(key.to_owned(), value);
        put("shots", ATTACKS_MADE.into());
        put("target_armour", armour.into());
        put(
            "movement_fire",
            (form.flag("movement_fire") && !arms.crewed).into(),
        );
        for same in ["obstructions", "smoke"] {
            put(same, form.int(same).into());
        }
        for prone in ["prone_attacker", "prone_target"] {
            put(prone, form.flag("prone").into());
        }
        if let Some(range) = self.range {
            put("range", range.into());
        }
        let answer = self.inquiry.ask("attack", &attack)?;
        // Attacks are made until he is out of action, or all of them.
        let made = |([shot], p): ([i32; 1], f64)| match shot {
            0 => p * ATTACKS_MADE as f64,
            _ => p * f64::from(shot),
        };
        let made: f64 = answer.outcomes(["shots_to_kill"]).map(made).sum();
        Ok(answer.measure("p_kill") / made)
    }
}

fn stage(
    kernels: &Kernels,
    weapon: &Weapon,
    scenario: &Scenario,
    assumed: &Assumed,
) -> Checked<Staging> {
    let target = scenario.target();
    let arc = assumed.value("arc");
    let gun = arms(&weapon.name, &weapon.form, arc).map_err(within("weapon"))?;
    let troop_points = points_each(target)?;
    let rifle = arms(target.text("weapon"), target, arc).map_err(within("scenario.target"))?;
    let set_up = match scenario.form.flag("set_up") && gun.crewed {
        true => lost("set_up_ap")?,
        false => 0,
    };
    let served = Served::new(gun.crew, lost("take_over_ap")?, set_up);
    let inquiry = Inquiry::of(kernels);
    let rounds = (0..scenario.moves).map(|number| {
        let at = Place {
            inquiry: &inquiry,
            scenario,
            range: scenario.range(number),
        };
        at.round(&gun, &rifle, &served)
    });
    let rounds = rounds.collect::<Checked<Vec<_>>>()?;
    Ok(Staging {
        troops: Unit::whole(),
        weapon: served.unit(),
        troop_points,
        paid: gun.crew as f64 * target.int("body_points") as f64,
        rounds,
        heard: inquiry.heard(),
    })
}

/// Points of a reference trooper.
fn points_each(target: &Form) -> Checked<f64> {
    let name = target.text("weapon");
    let row = printed(name).ok_or_else(|| vec![unknown_weapon(name)])?;
    let armed = row.number("pv").map(|pv| pv + target.int("body_points"));
    let points = target.maybe_int("points_each").or(armed);
    points.map(|points| points as f64).ok_or_else(|| {
        let problem = format!("\"{name}\" has no point value, so `points_each` must be given");
        vec![Fault::new("scenario.target.points_each", problem)]
    })
}

fn unknown_weapon(name: &str) -> Fault {
    let rows = Printed::all(&built_in(SYSTEM), "weapons");
    let known = rows.iter().map(|row| row.text("name"));
    let fault = Fault::new(
        "scenario.target.weapon",
        format!("there is no weapon \"{name}\""),
    );
    match names::nearest(name, known) {
        Some(near) => fault.help(format!("did you mean \"{near}\"?")),
        None => fault,
    }
}

/// A weapon by its crew and the activations until it fires again.
struct Served {
    conditions: Vec<(usize, usize)>,
    crew: usize,
    take_over: usize,
    set_up: usize,
}

impl Served {
    fn new(crew: usize, take_over: usize, set_up: usize) -> Served {
        let silent = |left: usize| {
            if left == crew {
                set_up
            } else {
                take_over.max(set_up)
            }
        };
        let pairs = (1..=crew).rev().map(|left| (left, silent(left)));
        let conditions = pairs.flat_map(|(left, most)| (0..=most).map(move |n| (left, n)));
        Served {
            conditions: conditions.collect(),
            crew,
            take_over,
            set_up,
        }
    }

    fn place(&self, crew: usize, silent: usize) -> usize {
        let found = self.conditions.iter().position(|&c| c == (crew, silent));
        found.unwrap_or(self.conditions.len())
    }

    /// The weapon as a unit: it fires when it is not silent, and its crew is what is left of it.
    fn unit(&self) -> Unit {
        let condition = |&(crew, silent): &(usize, usize)| Condition {
            fires: if silent == 0 { 1.0 } else { 0.0 },
            left: crew as f64 / self.crew as f64,
            rest: vec![(self.place(crew, silent.saturating_sub(1)), 1.0)],
        };
        Unit {
            conditions: self.conditions.iter().map(condition).collect(),
            start: self.place(self.crew, self.set_up),
        }
    }

    /// A shot that puts whoever serves it out of action with probability `p`.
    fn hit(&self, p: f64) -> Effect {
        let leads = |(here, &(crew, _)): (usize, &(usize, usize))| {
            vec![(here, 1.0 - p), (self.place(crew - 1, self.take_over), p)]
        };
        self.conditions.iter().enumerate().map(leads).collect()
    }
}
