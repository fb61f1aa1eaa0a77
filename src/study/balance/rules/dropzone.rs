//! `dropzone`: units with everything they carry, against squads of other units.
//!
//! Source: the action `shoot` of the system, and what it says of its units. What is priced is a unit:
//! its weapons and its armour. In an activation it fires every weapon once, each of two that are
//! alike; of weapons that share a number `Alt-X` the one that hurts the target most, and in the open
//! none for Close Quarters. Focus merges as many hits as is best against the target. A weapon with
//! `Limited-X` fires in as many activations of the scenario as it has rounds.
//!
//! The law of a volley is asked for every number of Damage Points the target has left. From these
//! laws comes the number of volleys that destroy it, wherever the damage falls from volley to
//! volley, and its inverse is the chance that one volley destroys it: damage that does not destroy
//! is not lost, but a unit is whole or gone. Where damage takes shots away (Reduced-X), a unit fires
//! as it does on average over its life under the fire of the reference troops.
//!
//! Not told: arcs, movement and fire, dropships and what they carry, scenery, command.

use toml::{Table, Value as Toml};

use crate::armoury::{Arm, Armoury};
use crate::bounds::Bound;
use crate::form::{Fault, Field, Form, Kind, Value};
use crate::form::{Fields, groups::joined};
use crate::study::balance::arsenal::{self, Weapon};
use crate::study::balance::battle::{Round, Staging, Unit, takes};
use crate::study::balance::evidence::Exchange;
use crate::study::balance::kernel::{Checked, Inquiry, Kernels, built_in};
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
        Kind::Int(ARMOUR),
        "armour; the printed one when left out",
    ),
    Field::optional(
        "damage_points",
        Kind::Int(POINTS),
        "Damage Points; the printed ones when left out",
    ),
    Field::optional(
        "passive",
        Kind::Int(SAVE),
        "passive countermeasures, X of PX+",
    ),
    Field::optional("evasion", Kind::Int(EVASION), "evasion, X of E+X"),
    Field::optional(
        "active",
        Kind::Flag,
        "whether it has active countermeasures",
    ),
    Field::optional(
        "type",
        Kind::choice(TYPES),
        "what it is; Tank when it is not built in",
    ),
    Field::optional(
        "target_specials",
        Kind::list(&Kind::Text),
        "special rules of the unit, as printed",
    ),
];

/// The one weapon of a unit that is not built in, or that is given another.
const SWORD: [Field; 4] = [
    Field::optional(
        "shots",
        Kind::Int(SHOTS),
        "hit dice of its only weapon, in place of all printed ones",
    ),
    Field::optional(
        "accuracy",
        Kind::Int(ACCURACY),
        "accuracy of that weapon, X of X+",
    ),
    Field::optional("energy", Kind::Int(ENERGY), "energy of that weapon"),
    Field::optional(
        "specials",
        Kind::list(&Kind::Text),
        "special rules of that weapon, as printed",
    ),
];

const WEAPON: Fields = joined![[arsenal::NAME, arsenal::PRICE_FIELD], SHIELD, SWORD];

const TARGET: Fields = joined![
    [
        Field::required(
            "unit",
            Kind::Text,
            "the reference unit, by its built-in name or another",
        ),
        Field::int(
            "troopers",
            scenario::TROOPERS,
            6,
            "reference units on each side",
        ),
        Field::optional(
            "points_each",
            Kind::Int(scenario::PRICE),
            "points of each; the printed ones when left out",
        ),
    ],
    SHIELD,
    SWORD
];

const SCENARIO: Fields = joined![
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

/// What the rulebook says of its units.
fn armoury() -> Armoury {
    built_in(SYSTEM)
        .armoury
        .expect("the rulebook says what its units carry")
}

fn printed_price(name: &str, form: &Form) -> Checked<Option<f64>> {
    let unit = (armoury().unit)(name);
    if unit.is_none() && !form.has("armour") {
        return Err(vec![without_profile(name, "name")]);
    }
    Ok(unit.and_then(|unit| unit.points).map(f64::from))
}

fn without_profile(name: &str, field: &str) -> Fault {
    let all = (armoury().names)();
    let how = "give its `armour`, `shots`, `accuracy` and `energy`";
    let fault = arsenal::without_profile(name, all.iter(), how);
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
    mounts: Vec<Mount>,
    /// Its printed price.
    price: Option<u32>,
}

/// Weapons of a unit that are alike.
struct Mount {
    /// The fields of a `shoot` that name or describe one of them.
    sword: Table,
    arm: Arm,
}

impl Model {
    fn read(name: &str, form: &Form) -> Checked<Model> {
        let unit = (armoury().unit)(name);
        let mut shield = given(form, &SHIELD);
        let (points, price) = (unit.as_ref()).map_or((1, None), |u| (u.health, u.points));
        if let Some(unit) = &unit {
            shield.insert("target".into(), unit.name.clone().into());
        }
        let sword = given(form, &SWORD);
        let mounts = match sword.is_empty() {
            true => unit.map_or_else(Vec::new, |unit| unit.arms.into_iter().map(named).collect()),
            false => vec![Mount {
                arm: (armoury().described)(form)?,
                sword,
            }],
        };
        Ok(Model {
            shield,
            points: form.maybe_int("damage_points").unwrap_or(points.into()),
            mounts,
            price,
        })
    }
}

/// A built-in weapon.
fn named(arm: Arm) -> Mount {
    let name = arm.name.iter();
    let sword = name.map(|name| ("weapon".to_owned(), name.clone().into()));
    Mount {
        sword: sword.collect(),
        arm,
    }
}

/// The fields that a form gives, as a file would.
fn given(form: &Form, fields: &[Field]) -> Table {
    let entries = form.entries();
    let wanted = entries.filter(|(name, _)| fields.iter().any(|field| field.name == **name));
    wanted
        .map(|(name, value)| (name.to_string(), toml_value(value)))
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

/// Where and how a volley is fired.
struct Volley<'a> {
    inquiry: &'a Inquiry<'a>,
    scenario: &'a Scenario,
    range: Option<i64>,
}

impl Volley<'_> {
    fn contest(&self, mount: &Mount, lost: i64, target: &Model, left: i64) -> Table {
        let mut contest = mount.sword.clone();
        contest.extend(target.shield.clone());
        let mut put = |key: &str, value: Toml| contest.insert(key.to_owned(), value);
        put("damage_points", left.into());
        put("focus", "best".into());
        if mount.arm.reduced {
            put("damage_lost", lost.into());
        }
        for cover in ["soft_cover", "body_cover", "hull_down"] {
            put(cover, self.scenario.form.flag(cover).into());
        }
        if let Some(range) = self.range {
            put("range", range.into());
        }
        contest
    }

    /// The weapons that `shooter`, who has lost `lost` Damage Points, fires at a whole `target`: of
    /// alternatives the one that hurts it most.
    fn fired<'m>(&self, shooter: &'m Model, lost: i64, target: &Model) -> Checked<Vec<&'m Mount>> {
        let close = self.scenario.form.flag("close_quarters");
        let mut fired: Vec<(&Mount, f64)> = Vec::new();
        let ready = shooter.mounts.iter();
        for mount in ready.filter(|mount| mount.arm.close_quarters == close) {
            let contest = self.contest(mount, lost, target, target.points);
            let harm = self.inquiry.ask("shoot", &contest)?;
            let harm = harm.measure("e_damage") * f64::from(mount.arm.count);
            let alternative = mount.arm.alternative;
            let mut rivals = fired.iter_mut();
            match rivals
                .find(|(known, _)| alternative.is_some() && known.arm.alternative == alternative)
            {
                Some(rival) if harm > rival.1 => *rival = (mount, harm),
                Some(_) => {}
                None => fired.push((mount, harm)),
            }
        }
        Ok(fired.into_iter().map(|(mount, _)| mount).collect())
    }

    /// What an activation of `shooter`, who has lost `lost` Damage Points, does to `target`.
    fn ladder(&self, shooter: &Model, lost: i64, target: &Model) -> Checked<Ladder> {
        let mut ladder = still(target.points as usize);
        for mount in self.fired(shooter, lost, target)? {
            let single = self.single(mount, lost, target)?;
            for _ in 0..mount.arm.count {
                ladder = ladder.iter().map(|row| through(row, &single)).collect();
            }
        }
        Ok(ladder)
    }

    /// What one of the weapons that are alike does to `target` in an activation.
    fn single(&self, mount: &Mount, lost: i64, target: &Model) -> Checked<Ladder> {
        let fires = mount.arm.rounds.map_or(1.0, |rounds| {
            (f64::from(rounds) / self.scenario.moves as f64).min(1.0)
        });
        let mut single = still(target.points as usize);
        for (left, row) in single.iter_mut().enumerate().skip(1) {
            let contest = self.contest(mount, lost, target, left as i64);
            let answer = self.inquiry.ask("shoot", &contest)?;
            row[left] = 1.0 - fires;
            for ([damage], p) in answer.outcomes(["damage"]) {
                row[left - damage.unsigned_abs() as usize] += fires * p;
            }
        }
        Ok(single)
    }

    /// The chance that an activation of `shooter` destroys `target`, on average over the life that
    /// `shooter` has under the fire of `enemy`.
    fn chance(&self, shooter: &Model, target: &Model, enemy: &Model) -> Checked<f64> {
        let fresh = destroys(&self.ladder(shooter, 0, target)?);
        if shooter.points == 1 || !shooter.mounts.iter().any(|mount| mount.arm.reduced) {
            return Ok(fresh);
        }
        let dies = self.ladder(enemy, 0, shooter)?;
        over_life(&dies, |lost| {
            let now = self.ladder(shooter, lost as i64, target)?;
            Ok(destroys(&now))
        })
    }
}

fn stage(kernels: &Kernels, weapon: &Weapon, scenario: &Scenario, _: &Assumed) -> Checked<Staging> {
    let unit = Model::read(&weapon.name, &weapon.form).map_err(within("weapon"))?;
    let target = scenario.target();
    let name = target.text("unit");
    if (armoury().unit)(name).is_none() && !target.has("armour") {
        return Err(vec![without_profile(name, "scenario.target.unit")]);
    }
    let troops = Model::read(name, target).map_err(within("scenario.target"))?;
    let printed = troops.price.map(i64::from);
    let points = target.maybe_int("points_each").or(printed);
    let points = points.ok_or_else(|| {
        let problem =
            format!("no points are printed for \"{name}\", so `points_each` must be given");
        vec![Fault::new("scenario.target.points_each", problem)]
    })?;
    let inquiry = Inquiry::of(kernels);
    let mut rounds: Vec<Round> = Vec::new();
    for number in 0..scenario.moves {
        let range = scenario.range(number);
        if number > 0 && scenario.range(number - 1) == range {
            rounds.extend(rounds.last().cloned());
            continue;
        }
        let volley = Volley {
            inquiry: &inquiry,
            scenario,
            range,
        };
        let chance = |shooter, target| volley.chance(shooter, target, &troops);
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
        heard: inquiry.heard(),
    })
}
