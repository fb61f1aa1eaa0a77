//! Prices of weapons: the fields of an arsenal and the battle setup of crewed weapons and small
//! arms against squads of riflemen.
//!
//! Source: the actions `attack` and `crewed-duel`, and the printed weapons. A shot is an attack.
//! The chance that it puts its target out of action comes from the distribution of the attacks that
//! a whole card takes: kills over attacks made, in the long run. So wounds that do not put a man
//! out of action are not lost, but all men survive equally long: a trooper is whole or gone. The
//! effect of wounds on the aim of the wounded is not modelled.
//!
//! A crewed weapon has as many lives as it has crew. Fire falls on its gunner; when the gunner
//! is out of action, the next takes over. For that the weapon falls silent, as in `crewed-duel` by
//! default: after the activation of the loss (`take_over_begins`), for the activations that
//! `take_over_ap` takes. Here each side has separate activations, and a gunner falls in the
//! enemy's: the weapon has no rest of that activation to lose, and its next activation is lost.
//! Other readings of these fields are not priced. A crewed weapon fires at every move in its arc:
//! the number of men who move there is an assumption, `arc`, and the number of attacks that each of
//! them draws another, `attacks`. Small arms make the attacks of a 30° arc. [`charges`] has the
//! weapons that explode or burn.

mod explosives;
mod field_defaults;

use toml::{Table, Value as Toml};

use super::attack;
use super::data::{WeaponKind, WeaponRow, data, weapon_names};
use super::duel;
use super::fields;
use enfilade_model::form::bounds::{Bound, RealBound};
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::list;
use enfilade_model::form::{Fault, Field, Fields, Form, Kind, Preset, Value};
use enfilade_model::shared::Text;
use enfilade_model::weapons::{
    self, Ask, Assumed, Checked, Condition, Effect, POINTS, PRICE, Priced, Profile, RANGE, Round,
    Setting, Staging, TROOPERS, Unit, WITHIN_REACH, distance_assumed, takes, within,
};
use explosives::{Charge, SPACING_ASSUMED, THROW_ASSUMED};
use field_defaults::{arc_shots, lost};

/// Pricing rules of this rulebook.
pub static PRICING: Weapons = Weapons;

/// Weapons of this rulebook.
pub struct Weapons;

const ATTACKS: Bound = Bound::new("number of attacks", 0, 12);
const ATTACKS_MADE_BY_ONE: [Field; 1] = list! {
    /// attacks in an activation; for a crewed weapon the moves in its arc, for another the attacks of a 30°
    /// arc when left out
    attacks = optional(Kind::Int(ATTACKS)).label("attacks in an activation").unit("attacks");
};

const ROUNDS: Bound = Bound::new("number of rounds", 1, 60);
const AP: Bound = Bound::new("number of action points", 1, 8);

/// Fields that describe a weapon that is not built in; the names are those of `attack`.
const DESCRIBED: [Field; 4] = list! {
    /// what it is; that of the built-in weapon when left out
    kind = of(fields::WeaponFields::FIELDS).label("kind of weapon");
    /// damage as printed: 7X; that of the built-in weapon when left out
    damage = of(fields::WeaponFields::FIELDS).label("damage");
    short = of(fields::WeaponFields::FIELDS).label("short range");
    long = of(fields::WeaponFields::FIELDS).label("long range");
};

static WEAPON: Fields = joined![
    DESCRIBED,
    list! {
        /// men who serve it; as many as it needs when left out, one for small arms; with two or more it is a
        /// crewed weapon
        crew = of(duel::Own::FIELDS).label("crew");
    },
    ATTACKS_MADE_BY_ONE,
    list! {
        /// rounds of what explodes; those of the built-in weapon when left out, or any number
        ammo = optional(Kind::Int(ROUNDS)).label("rounds").unit("rounds");
        /// action points of an attack with what explodes; those of the built-in weapon when left out
        ap = optional(Kind::Int(AP)).label("action points of an attack").unit("AP");
    }
];

const TARGET: Fields = joined![
    list! {
        /// reference troops on each side
        troopers = int(TROOPERS, 8).label("reference troops").unit("men");
        /// their body armour, and that of the crew
        target_armour = of(fields::TargetFields::FIELDS).named("armour").label("body armour");
        /// their weapon, by its built-in name
        weapon = of(fields::WeaponFields::FIELDS).label("weapon of the troops")
            .preset(Preset::Text(Text::Static(duel::ANSWER_WEAPON)));
        /// points of each; the point value of their weapon and `body_points` when left out
        points_each = optional(Kind::Fraction(PRICE)).label("cost of a trooper").unit("points");
        /// points of a man without a weapon: part of a trooper's, not of the weapon's price
        body_points = int(POINTS, 0).label("cost of a bare man").unit("points");
    },
    ATTACKS_MADE_BY_ONE
];

static SCENARIO: Fields = joined![
    [RANGE, WITHIN_REACH],
    list! {
        /// the reference troops of both sides
        target = required(Kind::Table(TARGET)).label("reference troops");
        /// a crewed weapon must be set up first
        set_up_first = of(duel::Own::FIELDS).named("set_up").label("set up first");
        /// body armour of the crew; that of the troops when left out
        crew_armour = of(duel::Own::FIELDS).label("body armour of the crew").preset(Preset::Absent);
        /// obstructions on every line of fire
        obstructions = of(fields::Situation::FIELDS).label("obstructions");
        /// dots of smoke on every line of fire
        smoke = of(fields::Situation::FIELDS).label("smoke");
        /// everybody fires on the move but the crew of a weapon
        movement_fire = of(fields::Situation::FIELDS).label("fire on the move");
        /// troops and crew are prone
        prone = flag(false).label("prone");
    }
];

static ASSUMPTIONS: [weapons::Preset; 5] = [
    DOTS,
    SPACING_ASSUMED,
    THROW_ASSUMED,
    weapons::Preset {
        name: Text::Static("arc"),
        about: Text::Static("men who move in the arc of a crewed weapon in an activation"),
        values: [1.0, 2.0, 4.0],
        bound: RealBound { name: "arc", low: 1.0, high: 12.0 },
    },
    weapons::Preset {
        name: Text::Static(ATTACKS_DRAWN),
        about: Text::Static(
            "attacks that each of them draws: a crewed weapon may fire at every move",
        ),
        values: [1.0, 1.0, 4.0],
        bound: RealBound { name: ATTACKS_DRAWN, low: 1.0, high: 8.0 },
    },
];

/// Name of the assumption for the field `attacks_per_move` of `crewed-duel`: one attack is the
/// least, and there are eight AP of movement.
const ATTACKS_DRAWN: &str = "attacks";

/// Assumed distance, where a scenario gives none.
const DOTS: weapons::Preset = distance_assumed(
    "dots between both sides, where a scenario has neither `range` nor `within_reach`",
    [20.0, 45.0, 90.0],
);

/// Number of attacks on a whole card from which the chance of one attack is computed.
const ATTACKS_MADE: i64 = 60;

/// Three weapons against crews and a rifle, in the open and close up.
const READY: &str = "\
[[weapon]]
name = \"LMG\"
[[weapon]]
name = \"MMG\"
[[weapon]]
name = \"HMG\"
[[weapon]]
name = \"rifle\"
[[weapon]]
name = \"laser rifle\"
[[weapon]]
name = \"gyrojet rifle\"
[[weapon]]
name = \"pistol\"
[[weapon]]
name = \"auto pistol\"
[[weapon]]
name = \"my own\"
damage = \"9X\"
short = 60
long = 160
crew = 3

[[scenario]]
name = \"open ground\"
range = [90, 60, 30]
moves = 5
target = { troopers = 6 }

[[scenario]]
name = \"long fields of fire\"
range = [140, 100, 70]
moves = 5
target = { troopers = 6, armour = \"standard\" }

[[scenario]]
name = \"close country\"
range = [40, 20]
moves = 4
obstructions = 1
target = { troopers = 6, weapon = \"gyrojet rifle\" }
";

impl Priced for Weapons {
    fn weapon(&self) -> &Fields {
        &WEAPON
    }

    fn scenario(&self) -> &Fields {
        &SCENARIO
    }

    fn known(&self) -> Vec<Text> {
        let fired = |name: &&str| printed(name).is_some_and(|row| row.kind != WeaponKind::Melee);
        weapon_names().iter().filter(fired).map(|name| Text::from(name.to_owned())).collect()
    }

    fn ready(&self) -> &str {
        READY
    }

    fn assumptions(&self) -> &[weapons::Preset] {
        &ASSUMPTIONS
    }

    fn concerns(&self, assumption: &str, weapon: Profile) -> bool {
        explosives::concerns(assumption, kind(weapon.name, weapon.form))
    }

    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>> {
        let row = printed(weapon.name);
        if row.is_none() && !weapon.form.has("damage") {
            let how = "give its `damage`, `short` and `long`";
            let known = weapon_names().iter();
            return Err(vec![weapons::without_profile(weapon.name, known, how)]);
        }
        if kind(weapon.name, weapon.form) == WeaponKind::Melee {
            let problem = format!(
                "\"{}\" is a melee weapon, and only those that are fired or thrown can be priced",
                weapon.name
            );
            return Err(vec![Fault::new("name", problem)]);
        }
        Ok(row.and_then(|row| row.pv).map(|pv| f64::from(pv.get())))
    }

    fn stage(
        &self,
        weapon: Profile,
        there: &Setting,
        assumed: &Assumed,
        rules: &dyn Ask,
    ) -> Checked<Staging> {
        let target = there.target();
        let gun = arms(weapon.name, weapon.form, assumed);
        let troop_points = points_each(target)?;
        let rifle = arms(target.text("weapon"), target, assumed);
        if rifle.charge.is_some() {
            let problem = format!("\"{}\" explodes, and no squad is armed with it", rifle.name);
            return Err(vec![Fault::new("scenario.target.weapon", problem)]);
        }
        let set_up = match there.form.flag("set_up") && gun.crewed {
            true => lost("set_up_ap"),
            false => 0,
        };
        let served = Served::new(gun.crew, lost("take_over_ap"), set_up);
        let rounds = (0..there.moves).map(|number| {
            let range = there.range(number, assumed);
            let at = Place { rules, there, range };
            at.round(&gun, &rifle, &served)
        });
        Ok(Staging {
            troops: Unit::whole(),
            weapon: served.unit(),
            troop_points,
            paid: gun.crew as f64 * target.int("body_points") as f64,
            rounds: rounds.collect::<Checked<Vec<_>>>()?,
        })
    }
}

/// Finds the printed weapon that a name means, with any case and spacing.
fn printed(name: &str) -> Option<&'static WeaponRow> {
    let known = weapon_names().find(name);
    known.and_then(|(name, _)| data().weapon(name))
}

/// Returns the kind of a weapon; one in numbers whose damage has several rings is a launcher.
fn kind(name: &str, form: &Form) -> WeaponKind {
    let given = |field| match form.get(field) {
        Some(Value::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    let named = given("kind").and_then(WeaponKind::named);
    let rings = given("damage").map(|damage| damage.split('/').count());
    let by_rings = if rings.is_some_and(|rings| rings > 1) {
        WeaponKind::Launcher
    } else {
        WeaponKind::Ranged
    };
    named.or(printed(name).map(|row| row.kind)).unwrap_or(by_rings)
}

/// Weapon with its users.
struct Arms {
    name: String,
    /// Fields of an `attack` that name or describe it.
    described: Table,
    attacks: u32,
    crew: usize,
    crewed: bool,
    /// Rounds and rate of a weapon that explodes or burns.
    charge: Option<Charge>,
    short: Option<i64>,
    long: Option<i64>,
}

/// Reads the weapon of a `[[weapon]]`, or the one that a scenario's target names.
fn arms(name: &str, form: &Form, assumed: &Assumed) -> Arms {
    let (row, kind) = (printed(name), kind(name, form));
    let mut described = Table::new();
    if let Some(row) = row {
        described.insert("weapon".into(), row.name.clone().into());
    }
    for field in &DESCRIBED {
        match form.get(&field.name) {
            Some(Value::Text(text)) => described.insert((&field.name).into(), text.clone().into()),
            Some(Value::Int(n)) => described.insert((&field.name).into(), (*n).into()),
            _ => None,
        };
    }
    let several = form.maybe_int("crew").is_some_and(|crew| crew > 1);
    let crewed = (several || kind == WeaponKind::Crewed) && !kind.explodes();
    let of_arc = match crewed {
        true => (assumed.value("arc") * assumed.value(ATTACKS_DRAWN)).round() as i64,
        false => row.map_or(1, |row| i64::from(row.multiplier)) * arc_shots(),
    };
    let needed = row.filter(|_| crewed).map_or(0, |row| row.crew);
    Arms {
        name: name.to_owned(),
        described,
        attacks: form.maybe_int("attacks").unwrap_or(of_arc) as u32,
        crew: form.maybe_int("crew").unwrap_or(i64::from(needed) + 1) as usize,
        crewed,
        charge: kind.explodes().then(|| Charge::read(kind, row, form, assumed)),
        short: form.maybe_int("short").or(row.and_then(|row| row.short)),
        long: form.maybe_int("long").or(row.and_then(|row| row.long)),
    }
}

impl Arms {
    /// Returns the farthest range with the same result: an attack distinguishes adjacent, short,
    /// long and out of range, so equal attacks are queried once.
    fn band(&self, range: i64) -> i64 {
        let ends = [Some(1), self.short, self.long].into_iter().flatten();
        ends.filter(|end| range <= *end).min().unwrap_or(range)
    }
}

/// Circumstances of an activation.
struct Place<'a> {
    rules: &'a dyn Ask,
    there: &'a Setting,
    range: Option<i64>,
}

impl Place<'_> {
    fn round(&self, gun: &Arms, rifle: &Arms, served: &Served) -> Checked<Round> {
        let armour = self.there.target().text("armour");
        let crew_armour = self.there.form.maybe_text("crew_armour");
        let kills = |arms, armour| self.kills(arms, armour);
        let men = self.there.troopers();
        let (weapon_shots, by_weapon) = match &gun.charge {
            None => (gun.attacks, kills(gun, armour)),
            Some(charge) => (charge.men(men) as u32, self.blasts(gun, charge, armour)),
        };
        let by_weapon = by_weapon.map_err(within("weapon"))?;
        let on_troops = kills(rifle, armour).map_err(within("scenario"))?;
        let on_crew = kills(rifle, crew_armour.unwrap_or(armour)).map_err(within("scenario"))?;
        Ok(Round {
            troop_shots: rifle.attacks,
            on_troops: takes(on_troops),
            on_weapon: served.hit(on_crew),
            weapon_shots,
            by_weapon: takes(by_weapon),
        })
    }

    /// Computes the chance that an activation of an exploding weapon puts each man near out of
    /// action.
    fn blasts(&self, arms: &Arms, charge: &Charge, armour: &str) -> Checked<f64> {
        let men = (charge.men(self.there.troopers()), self.there.moves);
        charge.takes(self.contest(arms, armour), self.range, men, self.rules)
    }

    /// Creates the fields that an attack and an explosion share.
    fn contest(&self, arms: &Arms, armour: &str) -> Table {
        let form = &self.there.form;
        let mut contest = arms.described.clone();
        let mut put = |key: &str, value: Toml| contest.insert(key.to_owned(), value);
        put("target_armour", armour.into());
        // A crewed weapon is set up where it fires, so only small arms fire on the move.
        let on_the_move = form.flag("movement_fire") && !arms.crewed;
        put("movement_fire", on_the_move.into());
        for same in ["obstructions", "smoke"] {
            put(same, form.int(same).into());
        }
        for prone in ["prone_attacker", "prone_target"] {
            put(prone, form.flag("prone").into());
        }
        if let Some(range) = self.range {
            put("range", arms.band(range).into());
        }
        contest
    }

    /// Computes the chance that one attack puts a man out of action.
    fn kills(&self, arms: &Arms, armour: &str) -> Checked<f64> {
        let mut attack = self.contest(arms, armour);
        attack.insert("shots".to_owned(), ATTACKS_MADE.into());
        let law = self.rules.ask(&attack::ATTACK.name, &attack)?;
        // Attacks are made until the target is out of action, or all of them.
        let made = |([shot], p): ([i32; 1], f64)| match shot {
            0 => p * ATTACKS_MADE as f64,
            _ => p * f64::from(shot),
        };
        let made: f64 = law.outcomes(["shots_to_kill"]).map(made).sum();
        // Kills over attacks made is the chance of one attack in the long run, wounds included.
        Ok(law.measure("p_kill") / made)
    }
}

/// Returns the points of a reference trooper.
fn points_each(target: &Form) -> Checked<f64> {
    let name = target.text("weapon");
    let pv = printed(name).and_then(|row| row.pv).map(|pv| f64::from(pv.get()));
    let armed = pv.map(|pv| pv + target.int("body_points") as f64);
    weapons::points_each(target, armed, name)
}

/// Weapon by its crew and the activations until it fires again.
struct Served {
    conditions: Vec<(usize, usize)>,
    crew: usize,
    take_over: usize,
    set_up: usize,
}

impl Served {
    fn new(crew: usize, take_over: usize, set_up: usize) -> Served {
        let silent = |left: usize| {
            // Only a weapon that has lost a man can be silent for a take-over.
            if left == crew { set_up } else { take_over.max(set_up) }
        };
        let pairs = (1..=crew).rev().map(|left| (left, silent(left)));
        let conditions = pairs.flat_map(|(left, most)| (0..=most).map(move |n| (left, n)));
        Served { conditions: conditions.collect(), crew, take_over, set_up }
    }

    fn place(&self, crew: usize, silent: usize) -> usize {
        let found = self.conditions.iter().position(|&c| c == (crew, silent));
        found.unwrap_or(self.conditions.len())
    }

    /// Creates the weapon as a unit: it fires when it is not silent, and its crew is the part that
    /// is left.
    fn unit(&self) -> Unit {
        let condition = |&(crew, silent): &(usize, usize)| Condition {
            fires: if silent == 0 { 1.0 } else { 0.0 },
            left: crew as f64 / self.crew as f64,
            unhurt: crew as f64 / self.crew as f64,
            rest: vec![(self.place(crew, silent.saturating_sub(1)), 1.0)],
        };
        Unit {
            conditions: self.conditions.iter().map(condition).collect(),
            start: self.place(self.crew, self.set_up),
        }
    }

    /// Creates the effect of a shot that puts the serving man out of action with probability `p`.
    fn hit(&self, p: f64) -> Effect {
        let leads = |(here, &(crew, _)): (usize, &(usize, usize))| {
            vec![(here, 1.0 - p), (self.place(crew - 1, self.take_over), p)]
        };
        self.conditions.iter().enumerate().map(leads).collect()
    }
}
