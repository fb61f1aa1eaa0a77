//! `dropzone`: units with everything they carry, against squads of other units.
//!
//! Source: the action `shoot` of the system, and its shelves of units and weapons. What is priced is
//! a unit: its weapons and its armour. In an activation it fires every weapon once; of weapons that
//! share a number `Alt-X` the one that hurts the target most, and in the open none for Close
//! Quarters. A weapon with `Limited-X` fires in as many activations of the scenario as it has
//! rounds.
//!
//! The law of a volley is asked for every number of Damage Points the target has left. From these
//! laws comes the number of volleys that destroy it, wherever the damage falls from volley to
//! volley, and its inverse is the chance that one volley destroys it: damage that does not destroy
//! is not lost, but a unit is whole or gone. Where damage takes shots away (Reduced-X), a unit fires
//! as it does on average over its life under the fire of the reference troops.
//!
//! Not told: arcs, movement and fire, dropships and what they carry, scenery, command.

use std::sync::LazyLock;

use toml::{Table, Value as Toml};

use crate::bounds::Bound;
use crate::form::groups::joined;
use crate::form::{Fault, Field, Form, Kind, Value, names};
use crate::study::balance::arsenal::{self, Weapon};
use crate::study::balance::battle::{Round, Staging, Unit, takes};
use crate::study::balance::evidence::Exchange;
use crate::study::balance::kernel::{Checked, Kernels, Printed};
use crate::study::balance::scenario::{self, Assumed, Scenario};

use super::ladder::{Ladder, destroys, over_life, still, through};
use super::{Rules, kills_denied, within};

const SYSTEM: &str = "dropzone";

/// What the catalogue's `dropzone` needs to price units.
pub static RULES: Rules = Rules {
    id: SYSTEM,
    weapon: WEAPON,
    scenario: SCENARIO,
    assumptions: &[],
    printed_price,
    stage,
    denied: kills_denied,
    exchange: |_, _, _| Ok(Exchange::default()),
};

const ARMOUR: Bound = Bound::new("armour", 1, 30);
const POINTS: Bound = Bound::new("number of Damage Points", 1, 20);
const SAVE: Bound = Bound::new("countermeasure", 1, 7);
const EVASION: Bound = Bound::new("evasion", 0, 6);
const SHOTS: Bound = Bound::new("number of shots", 1, 60);
const ACCURACY: Bound = Bound::new("accuracy", 0, 7);
const ENERGY: Bound = Bound::new("energy", 0, 30);

const TYPES: &[&str] = &[
    "Infantry",
    "Tank",
    "Skimmer",
    "Walker",
    "Behemoth",
    "Aircraft",
    "Aircraft-S",
];

/// What a unit is when it is shot at; the names are those of `shoot`.
const SHIELD: [Field; 7] = [
    Field::optional(
        "armour",
        Kind::Int(&ARMOUR),
        "armour; the printed one when left out",
    ),
    Field::optional(
        "damage_points",
        Kind::Int(&POINTS),
        "Damage Points; the printed ones when left out",
    ),
    Field::optional(
        "passive",
        Kind::Int(&SAVE),
        "passive countermeasures, X of PX+",
    ),
    Field::optional("evasion", Kind::Int(&EVASION), "evasion, X of E+X"),
    Field::optional(
        "active",
        Kind::Flag,
        "whether it has active countermeasures",
    ),
    Field::optional(
        "type",
        Kind::Choice(TYPES),
        "what it is; Tank when it is not built in",
    ),
    Field::optional(
        "target_specials",
        Kind::List(&Kind::Text),
        "special rules of the unit, as printed",
    ),
];

/// The one weapon of a unit that is not built in, or that is given another.
const SWORD: [Field; 4] = [
    Field::optional(
        "shots",
        Kind::Int(&SHOTS),
        "hit dice of its only weapon, in place of all printed ones",
    ),
    Field::optional(
        "accuracy",
        Kind::Int(&ACCURACY),
        "accuracy of that weapon, X of X+",
    ),
    Field::optional("energy", Kind::Int(&ENERGY), "energy of that weapon"),
    Field::optional(
        "specials",
        Kind::List(&Kind::Text),
        "special rules of that weapon, as printed",
    ),
];

const WEAPON: &[Field] = joined![[arsenal::NAME, arsenal::PRICE_FIELD], SHIELD, SWORD];

const TARGET: &[Field] = joined![
    [
        Field::required(
            "unit",
            Kind::Text,
            "the reference unit, by its built-in name or another",
        ),
        Field::int(
            "troopers",
            &scenario::TROOPERS,
            6,
            "reference units on each side",
        ),
        Field::optional(
            "points_each",
            Kind::Int(&scenario::PRICE),
            "points of each; the printed ones when left out",
        ),
    ],
    SHIELD,
    SWORD
];

const SCENARIO: &[Field] = joined![
    scenario::ANY,
    [
        scenario::RANGE,
        Field::required(
            "target",
            Kind::Table(TARGET),
            "the reference units of both sides",
        ),
        Field::flag(
            "close_quarters",
            false,
            "fought inside a garrison: Close Quarters weapons only",
        ),
        Field::flag("soft_cover", false, "everybody is in soft cover"),
        Field::flag("body_cover", false, "everybody is behind body cover"),
        Field::flag("hull_down", false, "everybody is hull down"),
    ]
];

/// The printed units and weapons, read once.
static SHELVES: LazyLock<[Vec<Printed>; 2]> =
    LazyLock::new(|| ["units", "weapons"].map(|shelf| Printed::all(SYSTEM, shelf)));

/// `UCM/Sabre Tank`.
fn full_name(row: &Printed) -> String {
    format!("{}/{}", row.text("faction"), row.text("unit"))
}

/// The row of a unit by its printed name, or by as many first words of it as leave no doubt.
fn printed(name: &str) -> Option<&'static Printed> {
    let wanted = names::key(name);
    let units = &SHELVES[0];
    let exact = units
        .iter()
        .find(|row| names::key(&full_name(row)) == wanted);
    exact.or_else(|| {
        let begins = format!("{wanted} ");
        let mut short = units
            .iter()
            .filter(|row| names::key(&full_name(row)).starts_with(&begins));
        short.next().filter(|_| short.next().is_none())
    })
}

fn printed_price(name: &str, form: &Form) -> Checked<Option<f64>> {
    let row = printed(name);
    if row.is_none() && !form.has("armour") {
        return Err(vec![without_profile(name, "name")]);
    }
    Ok(row
        .and_then(|row| row.number("points"))
        .map(|points| points as f64))
}

fn without_profile(name: &str, field: &str) -> Fault {
    let all: Vec<_> = SHELVES[0].iter().map(full_name).collect();
    let how = "give its `armour`, `shots`, `accuracy` and `energy`";
    let fault = arsenal::without_profile(name, all.iter().map(String::as_str), how);
    Fault {
        path: field.to_owned(),
        ..fault
    }
}

/// A unit on either end of a volley.
struct Model {
    /// The fields of a `shoot` that name or describe it as a target.
    shield: Table,
    points: i64,
    profiles: Vec<Profile>,
    /// Its printed price.
    price: Option<i64>,
}

/// One weapon of a unit.
struct Profile {
    /// The fields of a `shoot` that name or describe it.
    sword: Table,
    /// The number it shares with others of which one is fired.
    alternative: Option<String>,
    /// Rounds that it has.
    rounds: Option<usize>,
    /// Whether lost Damage Points take shots away.
    reduced: bool,
    close_quarters: bool,
}

impl Model {
    fn read(name: &str, form: &Form) -> Checked<Model> {
        let row = printed(name);
        let mut shield = given(form, &SHIELD);
        if let Some(row) = row {
            shield.insert("target".into(), full_name(row).into());
        }
        let points = form.maybe_int("damage_points");
        let points = points.or(row.and_then(|row| row.number("damage_points")));
        let sword = given(form, &SWORD);
        let profiles = match (sword.is_empty(), row) {
            (true, Some(row)) => carried(row),
            (true, None) => Vec::new(),
            (false, _) => vec![Profile::described(sword)],
        };
        Ok(Model {
            shield,
            points: points.unwrap_or(1),
            profiles,
            price: row.and_then(|row| row.number("points")),
        })
    }
}

/// The fields that a form gives, as a file would.
fn given(form: &Form, fields: &[Field]) -> Table {
    let entries = form.entries().iter();
    let wanted = entries.filter(|(name, _)| fields.iter().any(|field| field.name == *name));
    wanted
        .map(|(name, value)| ((*name).to_owned(), toml_value(value)))
        .collect()
}

fn toml_value(value: &Value) -> Toml {
    match value {
        Value::Flag(on) => (*on).into(),
        Value::Int(n) => (*n).into(),
        Value::List(values) => Toml::Array(values.iter().map(toml_value).collect()),
        other => other.to_string().into(),
    }
}

/// The weapons of a printed unit that have fixed numbers, once for each name.
fn carried(unit: &Printed) -> Vec<Profile> {
    let same = |row: &&Printed| {
        ["faction", "unit"]
            .iter()
            .all(|c| row.text(c) == unit.text(c))
    };
    let mut profiles: Vec<Profile> = Vec::new();
    for row in SHELVES[1].iter().filter(same) {
        let fixed = row.number("shots").is_some() && row.number("energy").is_some();
        let name = format!("{}/{}", full_name(row), row.text("weapon"));
        let known = profiles
            .iter()
            .any(|known| known.sword.get("weapon").and_then(Toml::as_str) == Some(&name));
        if fixed && !known {
            profiles.push(Profile::printed(name, row));
        }
    }
    profiles
}

impl Profile {
    fn described(sword: Table) -> Profile {
        let specials = sword.get("specials").and_then(Toml::as_array);
        let specials = specials.into_iter().flatten().filter_map(Toml::as_str);
        let specials: Vec<_> = specials.map(str::to_owned).collect();
        Profile::with(sword, &specials, false)
    }

    fn printed(name: String, row: &Printed) -> Profile {
        let sword = Table::from_iter([("weapon".to_owned(), name.into())]);
        let specials: Vec<_> = row.text("special").split(", ").map(str::to_owned).collect();
        Profile::with(sword, &specials, row.text("range_full") == "CQ")
    }

    fn with(sword: Table, specials: &[String], close_quarters: bool) -> Profile {
        let number = |head: &str| {
            specials
                .iter()
                .find_map(|special| special.strip_prefix(head))
        };
        Profile {
            alternative: number("Alt-").map(str::to_owned),
            rounds: number("Limited-").and_then(|n| n.parse().ok()),
            reduced: number("Reduced-").is_some(),
            sword,
            close_quarters,
        }
    }
}

/// Where and how a volley is fired.
struct Volley<'a> {
    kernels: &'a Kernels,
    scenario: &'a Scenario,
    range: Option<i64>,
}

impl Volley<'_> {
    fn contest(&self, profile: &Profile, lost: i64, target: &Model, left: i64) -> Table {
        let mut contest = profile.sword.clone();
        contest.extend(target.shield.clone());
        let mut put = |key: &str, value: Toml| contest.insert(key.to_owned(), value);
        put("damage_points", left.into());
        if profile.reduced {
            put("damage_lost", lost.into());
        }
        for cover in ["soft_cover", "body_cover", "hull_down"] {
            put(cover, self.scenario.form.flag(cover).into());
        }
        if profile.close_quarters && !contest.contains_key("weapon") {
            contest.insert("close_quarters".into(), true.into());
        }
        if let Some(range) = self.range {
            contest.insert("range".into(), range.into());
        }
        contest
    }

    /// The weapons that `shooter` fires at `target`: of alternatives the one that hurts it most.
    fn fired<'m>(&self, shooter: &'m Model, target: &Model) -> Checked<Vec<&'m Profile>> {
        let close = self.scenario.form.flag("close_quarters");
        let mut fired: Vec<(&Profile, f64)> = Vec::new();
        let ready = shooter.profiles.iter();
        for profile in ready.filter(|profile| profile.close_quarters == close) {
            let contest = self.contest(profile, 0, target, target.points);
            let answer = self.kernels.ask(SYSTEM, "shoot", &contest)?;
            let harm = answer.measure("e_damage");
            let rival = fired.iter_mut().find(|(known, _)| {
                known.alternative.is_some() && known.alternative == profile.alternative
            });
            match rival {
                Some(rival) if harm > rival.1 => *rival = (profile, harm),
                Some(_) => {}
                None => fired.push((profile, harm)),
            }
        }
        Ok(fired.into_iter().map(|(profile, _)| profile).collect())
    }

    /// What one volley of `shooter`, who has lost `lost` Damage Points, does to `target`.
    fn ladder(
        &self,
        shooter: &Model,
        lost: i64,
        target: &Model,
        trials: &mut Option<u64>,
    ) -> Checked<Ladder> {
        let points = target.points as usize;
        let mut ladder = still(points);
        for profile in self.fired(shooter, target)? {
            let fires = profile.rounds.map_or(1.0, |rounds| {
                (rounds as f64 / self.scenario.moves as f64).min(1.0)
            });
            let mut single = still(points);
            for left in 1..=points {
                let contest = self.contest(profile, lost, target, left as i64);
                let answer = self.kernels.ask(SYSTEM, "shoot", &contest)?;
                *trials = trials.or(answer.trials);
                let row = &mut single[left];
                row[left] = 1.0 - fires;
                for ([damage], p) in answer.outcomes(["damage"]) {
                    row[left - damage.unsigned_abs() as usize] += fires * p;
                }
            }
            ladder = ladder.iter().map(|row| through(row, &single)).collect();
        }
        Ok(ladder)
    }

    /// The chance that a volley of `shooter` destroys `target`, on average over the life that
    /// `shooter` has under the fire of `enemy`.
    fn chance(
        &self,
        shooter: &Model,
        target: &Model,
        enemy: &Model,
        trials: &mut Option<u64>,
    ) -> Checked<f64> {
        let fresh = destroys(&self.ladder(shooter, 0, target, trials)?);
        if shooter.points == 1 || !shooter.profiles.iter().any(|profile| profile.reduced) {
            return Ok(fresh);
        }
        let dies = self.ladder(enemy, 0, shooter, trials)?;
        over_life(&dies, |lost| {
            let now = self.ladder(shooter, lost as i64, target, trials)?;
            Ok(destroys(&now))
        })
    }
}

fn stage(kernels: &Kernels, weapon: &Weapon, scenario: &Scenario, _: &Assumed) -> Checked<Staging> {
    let unit = Model::read(&weapon.name, &weapon.form).map_err(within("weapon"))?;
    let target = scenario.target();
    let name = target.text("unit");
    if printed(name).is_none() && !target.has("armour") {
        return Err(vec![without_profile(name, "scenario.target.unit")]);
    }
    let troops = Model::read(name, target).map_err(within("scenario.target"))?;
    let points = target.maybe_int("points_each").or(troops.price);
    let points = points.ok_or_else(|| {
        let problem =
            format!("no points are printed for \"{name}\", so `points_each` must be given");
        vec![Fault::new("scenario.target.points_each", problem)]
    })?;
    let mut trials = None;
    let mut rounds: Vec<Round> = Vec::new();
    for number in 0..scenario.moves {
        let range = scenario.range(number);
        if number > 0 && scenario.range(number - 1) == range {
            rounds.extend(rounds.last().cloned());
            continue;
        }
        let volley = Volley {
            kernels,
            scenario,
            range,
        };
        let mut chance = |shooter, target| volley.chance(shooter, target, &troops, &mut trials);
        rounds.push(Round {
            troop_shots: 1,
            on_troops: takes(chance(&troops, &troops).map_err(within("scenario.target"))?),
            on_weapon: takes(chance(&troops, &unit).map_err(within("weapon"))?),
            weapon_shots: 1,
            by_weapon: takes(chance(&unit, &troops).map_err(within("weapon"))?),
        });
    }
    Ok(Staging {
        troops: Unit::whole(),
        weapon: Unit::whole(),
        troop_points: points as f64,
        paid: 0.0,
        rounds,
        trials,
    })
}
