//! `transport-loss` and `aircraft-crash`: the losses on board of a transport, or under an aircraft.
//!
//! Source: quick reference, TRANSPORTS and AIRCRAFT. One D3: on 1 and 2 that many automatic hits on
//! each unit embarked, or on each unit and piece of scenery within that many inches; on 3 nothing.
//! Units are equal and single. Room for survivors to disembark is not modelled.
//!
//! # Why this state is enough
//!
//! Units are equal and hit one after another, so the state is the number of units still to be hit,
//! the volley on the current one, and the total loss of the earlier ones: it does not matter which
//! of them lost it.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, Explanation};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields};
use enfilade_model::form::{Fault, Field, Form, Kind, Preset, both};
use enfilade_model::shared::Shared;

use super::fields::{DamageRules, ENERGY, THE_PLACE, THE_TARGET, TargetFields, a_unit};
use super::profile::Target;
use super::squad::Squad;
use super::volley::{Attack, Stage, Volley};

const UNITS: Bound = Bound::new("number of units", 1, 16);
const INCHES: Bound = Bound::new("distance in inches", 0, 24);
const FACE: Bound = Bound::new("face of a D3", 1, 4);

fields! {
    /// Numbers of the rules for a crash.
    struct CrashRules: readings {
        /// energy of the hits
        energy: i64 = int(ENERGY, 10).rule("TRANSPORTS, AIRCRAFT").label("energy of the hits");
        /// D3 results of this and more do nothing
        harmless_from: u8 = int(FACE, 3).rule("TRANSPORTS, AIRCRAFT").label("D3 that does nothing");
    }
}

/// Fields of the unit that is hit.
const UNIT: [Field; 8] = a_unit(THE_TARGET);

fields! {
    /// Units on board.
    struct Embarked {
        /// units embarked, each hit by itself
        count: u8 = int(UNITS, 1).label("units embarked").unit("units").group(THE_TARGET);
    }

    /// Units near the crash.
    struct Nearby: under(THE_PLACE) {
        /// inches from the crash to each unit
        distances: Vec<i64> = new(Kind::list(const { &Kind::Int(INCHES) }), Preset::Ints(Shared::Static(&[1])))
            .label("distance of each unit").unit("inches");
        /// an Aircraft-S is lost: it does not crash
        small: bool = flag(false).rule("AIRCRAFT").label("Aircraft-S")
            .values(&["it crashes", "Aircraft-S: no crash"]).rare();
    }
}

/// Catalogue entry of a transport that is lost.
pub const TRANSPORT_LOSS: Action = Action::new(
    "transport-loss",
    "what the units embarked on a destroyed transport lose",
    joined![UNIT, Embarked::FIELDS, CrashRules::FIELDS, DamageRules::FIELDS],
    &build_loss,
    &[
        "target = 'UCM/Legionnaires'\ncount = 2",
        "target = 'Shaltari/Tomahawk'",
        "target = 'Scourge/Eviscerator'\ncount = 3",
        "armour = 9\ndamage_points = 4\npassive = 4\ncount = 2\ntarget_specials = ['Resilient']",
    ],
)
.asks("How often is {target|a unit} destroyed with its transport?")
.direction("D3, 3 does nothing; d6, high damages")
.off_table(
    "The hits need no hit die (TRANSPORTS). Damage beyond the last Damage Point of a model is \
     lost (DAMAGE).",
);

/// Catalogue entry of an aircraft that comes down.
pub const AIRCRAFT_CRASH: Action = Action::new(
    "aircraft-crash",
    "what a destroyed aircraft falls on",
    joined![UNIT, Nearby::FIELDS, CrashRules::FIELDS, DamageRules::FIELDS],
    &build_crash,
    &[
        "target = 'UCM/Sabre'\ndistances = [1, 1, 2]",
        "target = 'Shaltari/Tomahawk'\ndistances = [2, 3]",
        "target = 'UCM/Sabre'\nsmall = true",
    ],
)
.asks("How often does a falling aircraft destroy {target|a unit}?")
.direction("D3, 3 does nothing; d6, high damages")
.off_table(
    "Units farther away than the D3 shows are not hit, the others without a hit die (AIRCRAFT). \
     Damage beyond the last Damage Point of a model is lost (DAMAGE).",
);

/// D3 and its hits.
struct Crash {
    /// Units that are hit and hits on each, by D3 face.
    fates: [(u8, u8); 3],
    /// Number of units, those out of reach included.
    units: u8,
    attack: Attack,
    points: u8,
    rule: &'static str,
    /// Whether the D3 is rolled at all.
    rolled: bool,
}

/// TRANSPORTS: "On 1-2 each unit embarked takes that many Energy 10 automatic hits."
fn build_loss(form: &Form) -> Result<Contest, Vec<Fault>> {
    let target = Target::of(TargetFields::read(form))?;
    let units = Embarked::read(form).count;
    Ok(build(form, &target, "Transports", units, [units; 3], true))
}

/// AIRCRAFT: "On 1-2 all scenery and units within that many inches take that many Energy 10
/// automatic hits."
fn build_crash(form: &Form) -> Result<Contest, Vec<Fault>> {
    let nearby = Nearby::read(form);
    let distances = &nearby.distances;
    let number = i64::try_from(distances.len()).ok().filter(|number| UNITS.holds(*number));
    let units = number.and_then(|number| u8::try_from(number).ok()).ok_or_else(|| {
        let problem = format!("`distances` must name {UNITS} units");
        vec![Fault::new("distances", problem)]
    });
    let (target, units) = both(Target::of(TargetFields::read(form)), units)?;
    // The D3 is both the radius and the number of hits.
    let near = [1, 2, 3].map(|inches| within_inches(distances, inches));
    Ok(build(form, &target, "Aircraft", units, near, !nearby.small))
}

fn build(
    form: &Form,
    target: &Target,
    rule: &'static str,
    units: u8,
    near: [u8; 3],
    rolled: bool,
) -> Contest {
    let rules = CrashRules::read(form);
    // Counted per face in advance: only the face matters, and not which units are in reach.
    let fates = [1, 2, 3].map(|face: u8| match face < rules.harmless_from {
        true => (near[usize::from(face) - 1], face),
        false => (0, 0),
    });
    Contest::of(Crash {
        fates,
        units,
        attack: target.automatic(rules.energy, None, false, &DamageRules::read(form)),
        points: target.points,
        rule,
        rolled,
    })
    .growing_with(&["count", "distances", "damage_points"])
}

/// Counts the `distances` within `inches`.
pub fn within_inches(distances: &[i64], inches: i64) -> u8 {
    let near = distances.iter().filter(|distance| **distance <= inches).count();
    u8::try_from(near).unwrap_or(u8::MAX)
}

/// State of a crash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum State {
    /// The D3 is to be rolled.
    Open,
    /// Units are hit.
    Hitting { hits: u8, units: u8, volley: Volley, damage: u16, destroyed: u8 },
    /// The crash is over.
    Over(Outcome),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outcome {
    hits: u8,
    damage: u16,
    destroyed: u8,
    all: bool,
}

impl Crash {
    fn unit(&self, hits: u8) -> Volley {
        let alone = Squad::fresh(1, self.points);
        self.attack.open(u16::from(hits), alone)
    }

    /// Moves on to the next unit that is hit, or ends.
    fn next(&self, hits: u8, units: u8, damage: u16, destroyed: u8) -> State {
        if units == 0 || hits == 0 {
            return State::Over(Outcome { hits, damage, destroyed, all: destroyed == self.units });
        }
        let volley = self.unit(hits);
        let units = units - 1;
        State::Hitting { hits, units, volley, damage, destroyed }
    }
}

impl Combat for Crash {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        match self.rolled {
            true => State::Open,
            false => self.next(0, 0, 0, 0),
        }
    }

    fn step(&self, state: State, dice: &mut impl Dice) -> State {
        match state {
            State::Open => {
                let (units, hits) = self.fates[usize::from(dice.die(3)) - 1];
                self.next(hits, units, 0, 0)
            }
            State::Hitting { hits, units, volley, damage, destroyed } => {
                let volley = self.attack.step(volley, dice);
                if volley.stage != Stage::Over {
                    return State::Hitting { hits, units, volley, damage, destroyed };
                }
                let damage = damage + u16::from(self.points) - volley.squad.points();
                let destroyed = destroyed + u8::from(volley.squad.alive() == 0);
                self.next(hits, units, damage, destroyed)
            }
            State::Over(_) => state,
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        match state {
            State::Over(loss) => Some(*loss),
            _ => None,
        }
    }

    vocabulary! { o: Outcome;
        columns {
            /// hits on each unit that is hit
            hits = count(o.hits).label("hits on each unit").unit("hits")
                .rule("TRANSPORTS, AIRCRAFT");
            /// Damage Points lost by all units
            damage = count(o.damage).label("Damage Points lost").unit("Damage Points")
                .rule("DAMAGE")
                .harm(20, "damage");
            /// units destroyed
            destroyed = count(o.destroyed).label("units destroyed").unit("units").rule("DAMAGE")
                .harm(80, "kill");
        }
        measures {
            /// a unit is damaged
            p_damage = probability(o.damage > 0).label("unit damaged");
            /// a unit is destroyed
            p_kill = probability(o.destroyed > 0).label("unit destroyed").headline().finishing();
            /// every unit is destroyed
            p_wipe = probability(o.all).label("every unit destroyed");
            /// Damage Points lost
            e_damage = mean(o.damage).label("Damage Points lost on average").unit("Damage Points");
            /// units destroyed
            e_destroyed = mean(o.destroyed).label("units destroyed on average").unit("units");
        }
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        match (from, to) {
            (State::Hitting { volley, .. }, State::Hitting { units, volley: next, .. }) if matches!(from, State::Hitting { units: before, .. } if before == units) =>
            {
                let (rule, text) = self.attack.tell(volley, rolls, next);
                Explanation::new(rule, text)
            }
            (State::Hitting { damage, .. }, _) => {
                let faces: Vec<_> = rolls.iter().map(|roll| roll.face.to_string()).collect();
                let lost = match to {
                    State::Hitting { damage: after, .. } => after - damage,
                    State::Over(loss) => loss.damage - damage,
                    State::Open => 0,
                };
                let faces = faces.join(", ");
                let text =
                    format!("Last die {faces}; Damage Points this unit lost in all: {lost}.");
                Explanation::new("Damage", text)
            }
            _ => {
                let face = rolls.first().map_or(0, |roll| roll.face);
                let (units, hits) = self.fates[usize::from(face.clamp(1, 3)) - 1];
                let text = match hits * units {
                    0 => format!("D3 {face}: nothing happens."),
                    _ => format!("D3 {face}: {hits} automatic hits on each of {units} units."),
                };
                Explanation::new(self.rule, text)
            }
        }
    }
}
