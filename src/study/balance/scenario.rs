//! What a weapon may meet: scenarios, and the assumptions that no rulebook settles.

use super::evidence::{Assumption, Model};
use crate::bounds::{Bound, RealBound};
use crate::form::{Field, Form, Kind};

/// Activations of a scenario.
pub const MOVES: Bound = Bound::new("number of moves", 1, 24);

/// Reference troops of a scenario.
pub const TROOPERS: Bound = Bound::new("number of troopers", 1, 24);

/// Points of one thing.
pub const PRICE: Bound = Bound::new("price", 1, 1_000_000);

/// Points of a bare man, or at stake in a scenario.
pub const POINTS: Bound = Bound::new("number of points", 0, 1_000_000);

/// A designer's weight.
pub const WEIGHT: RealBound = RealBound {
    name: "weight",
    low: 0.0,
    high: 1_000_000.0,
};

/// The name of a scenario.
const NAME: Field = Field::required("name", Kind::Text, "what results call the scenario");

/// Its weight; read by hand, because it may be any number.
const WEIGHT_FIELD: Field = Field::optional(
    "weight",
    Kind::Text,
    "how much it counts in the designer's mix; 1 when left out",
);

/// Points at stake.
const POINTS_IN_PLAY: Field = Field::optional(
    "points_in_play",
    Kind::Int(POINTS),
    "points at stake in it, for the mix weighted by points",
);

/// Its opponent.
const OPPONENT: Field = Field::optional(
    "opponent",
    Kind::Text,
    "whom it is fought against: scenarios with the same opponent are left out together; its name when left out",
);

/// Its length.
const MOVES_FIELD: Field = Field::int(
    "moves",
    MOVES,
    6,
    "activations of each side until the enemy has reached the weapon",
);

/// What every scenario has.
pub const ANY: [Field; 5] = [NAME, WEIGHT_FIELD, POINTS_IN_PLAY, OPPONENT, MOVES_FIELD];

const DISTANCE: Bound = Bound::new("range", 0, 1000);

/// Its distances.
pub const RANGE: Field = Field::optional(
    "range",
    Kind::list(const { &Kind::Int(DISTANCE) }),
    "distances at which it is fought, the greatest first, spread evenly over the moves",
);

/// What a field of an arsenal may hold, in words.
pub fn holds(field: &Field) -> String {
    match field.name == WEIGHT_FIELD.name {
        true => format!("a number, {WEIGHT}"),
        false => field.kind.expected(),
    }
}

/// One scenario of an arsenal.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// The designer's weight, 0 or more.
    pub weight: f64,
    /// Points at stake, where given.
    pub points_in_play: Option<f64>,
    /// Whom it is fought against.
    pub opponent: String,
    /// Activations of each side.
    pub moves: usize,
    /// Distances, greatest first; empty where distance does not matter.
    pub ranges: Vec<i64>,
    /// Everything the file says of it, defaults included.
    pub form: Form,
}

impl Scenario {
    /// The reference troops.
    ///
    /// # Panics
    /// When the rules' scenario fields have no `target`: a mistake of the program.
    pub fn target(&self) -> &Form {
        self.form
            .table("target")
            .expect("a scenario must have a target")
    }

    /// How many reference troops each side has.
    pub fn troopers(&self) -> usize {
        self.target().int("troopers") as usize
    }

    /// The distance in activation `number` of `moves`: the list is spread evenly over them.
    pub fn range(&self, number: usize) -> Option<i64> {
        let last = self.ranges.len().checked_sub(1)?;
        let place = number * self.ranges.len() / self.moves;
        Some(self.ranges[place.min(last)])
    }
}

/// An assumption with its range, as a rule system declares it.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its key under `[assumptions]`.
    pub name: &'static str,
    /// What it means, with its unit.
    pub about: &'static str,
    /// Low, default and high.
    pub values: [f64; 3],
    /// What it may be.
    pub bound: RealBound,
}

/// Assumptions of every system.
pub const COMMON: &[Preset] = &[
    Preset {
        name: "horizon",
        about: "activations of each side, as a multiple of the scenario's moves",
        values: [0.5, 1.0, 2.0],
        bound: RealBound {
            name: "horizon",
            low: 0.1,
            high: 4.0,
        },
    },
    Preset {
        name: "discount",
        about: "what an activation counts beside the one before it: the chance that the battle goes on",
        values: [0.85, 0.95, 1.0],
        bound: RealBound {
            name: "discount",
            low: 0.1,
            high: 1.0,
        },
    },
    Preset {
        name: "attention",
        about: "fire the weapon draws: its harm beside a trooper's, to this power; 0 is as much as any man",
        values: [0.0, 0.5, 1.0],
        bound: RealBound {
            name: "attention",
            low: 0.0,
            high: 2.0,
        },
    },
    Preset {
        name: "base",
        about: "troops on each side, as a multiple of the scenario's troopers",
        values: [0.5, 1.0, 1.5],
        bound: RealBound {
            name: "base",
            low: 0.1,
            high: 3.0,
        },
    },
];

/// The assumptions under one model, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumed(Vec<(String, f64)>);

impl Assumed {
    /// The values of `assumptions` under `model`.
    pub fn under(assumptions: &[Assumption], model: Model) -> Assumed {
        let value = |(place, assumption): (usize, &Assumption)| {
            let value = match model {
                Model::Low(moved) if moved == place => assumption.low,
                Model::High(moved) if moved == place => assumption.high,
                _ => assumption.default,
            };
            (assumption.name.clone(), value)
        };
        Assumed(assumptions.iter().enumerate().map(value).collect())
    }

    /// The value of the assumption called `name`.
    ///
    /// # Panics
    /// When there is none of that name: a mistake of the program, not of its input.
    pub fn value(&self, name: &str) -> f64 {
        let found = self.0.iter().find(|(known, _)| known == name);
        found
            .expect("assumptions are asked for by declared names")
            .1
    }

    /// Activations of each side in `scenario`.
    pub fn rounds(&self, scenario: &Scenario) -> usize {
        scaled(scenario.moves, self.value("horizon"))
    }

    /// Troops on each side in `scenario`.
    pub fn base(&self, scenario: &Scenario) -> usize {
        scaled(scenario.troopers(), self.value("base"))
    }
}

/// A whole number times a factor, at least 1.
fn scaled(whole: usize, factor: f64) -> usize {
    ((whole as f64 * factor).round() as usize).max(1)
}
