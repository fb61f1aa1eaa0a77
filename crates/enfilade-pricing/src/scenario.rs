//! Scenarios, and the assumptions that no rulebook settles.

use super::evidence::{Assumption, Model};
use enfilade_model::form::bounds::RealBound;
use enfilade_model::form::{Field, Fields, Kind};
use enfilade_model::shared::Text;
use enfilade_model::weapons::{Assumed, MOVES, POINTS, Preset, Priced, Setting};

/// Range of a designer's weight.
pub const WEIGHT: RealBound = RealBound { name: "weight", low: 0.0, high: 1_000_000.0 };

/// The name of a scenario.
const NAME: Field = Field::required("name", Kind::Text, "what results call the scenario");

/// Its weight; read by hand, because it may be any number.
const WEIGHT_FIELD: Field = Field::optional(
    "weight",
    Kind::Text,
    "how much it counts among the scenarios; 1 when left out",
);

/// Points at stake.
const POINTS_IN_PLAY: Field = Field::optional(
    "points_in_play",
    Kind::Int(POINTS),
    "points at stake in it; reported, without effect on prices",
);

/// Its opponent.
const OPPONENT: Field = Field::optional(
    "opponent",
    Kind::Text,
    "the opponent: scenarios with the same one are left out together; by default the name of the scenario",
);

/// Fields of every scenario.
const ANY: Fields = Fields::Static(&[&[NAME, WEIGHT_FIELD, POINTS_IN_PLAY, OPPONENT, MOVES]]);

/// The fields of a `[[scenario]]` of a rulebook.
pub fn fields(rules: &dyn Priced) -> Fields {
    ANY.and(rules.scenario())
}

/// Describes the values that a field of an arsenal accepts.
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
    /// Points at stake, if given.
    pub points_in_play: Option<f64>,
    /// Name of its opponent.
    pub opponent: String,
    /// The setting that its rulebook reads.
    pub setting: Setting,
}

/// Assumptions of every system.
pub const COMMON: &[Preset] = &[
    Preset {
        name: Text::Static(HORIZON),
        about: Text::Static("activations of each side, as a multiple of the scenario's moves"),
        values: [0.5, 1.0, 2.0],
        bound: RealBound { name: HORIZON, low: 0.1, high: 4.0 },
    },
    Preset {
        name: Text::Static(DISCOUNT),
        about: Text::Static(
            "what an activation counts beside the one before it: the chance that the battle goes on",
        ),
        values: [0.85, 0.95, 1.0],
        bound: RealBound { name: DISCOUNT, low: 0.1, high: 1.0 },
    },
    Preset {
        name: Text::Static(ATTENTION),
        about: Text::Static(
            "fire the weapon draws: its harm beside a trooper's, to this power; 0 is as much as any man",
        ),
        values: [0.0, 0.5, 1.0],
        bound: RealBound { name: ATTENTION, low: 0.0, high: 2.0 },
    },
    Preset {
        name: Text::Static(BASE),
        about: Text::Static("troops on each side, as a multiple of the scenario's troopers"),
        values: [0.5, 1.0, 1.5],
        bound: RealBound { name: BASE, low: 0.1, high: 3.0 },
    },
];

/// Lists the assumptions about battles of a rulebook, those of every battle first.
pub fn presets(rules: &dyn Priced) -> impl Iterator<Item = &Preset> {
    COMMON.iter().chain(rules.assumptions())
}

/// Returns the values of `assumptions` in case `model`.
pub fn assumed(assumptions: &[Assumption], model: Model) -> Assumed {
    let value = |(place, assumption): (usize, &Assumption)| {
        let value = match model {
            Model::Low(moved) if moved == place => assumption.low,
            Model::High(moved) if moved == place => assumption.high,
            _ => assumption.default,
        };
        (Text::from(assumption.name.clone()), value)
    };
    assumptions.iter().enumerate().map(value).collect()
}

/// Returns the values that are assumptions of the rulebook.
pub fn own(rules: &dyn Priced, assumed: &Assumed) -> Assumed {
    let own = rules.assumptions().iter();
    own.filter_map(|own| Some((own.name.clone(), assumed.maybe(&own.name)?))).collect()
}

/// Computes the number of activations of each side.
pub fn rounds(there: &Setting, assumed: &Assumed) -> usize {
    scaled(there.moves, assumed.value(HORIZON))
}

/// Computes the number of troops on each side.
pub fn base(there: &Setting, assumed: &Assumed) -> usize {
    scaled(there.troopers(), assumed.value(BASE))
}

/// Multiplies a whole number by a factor; at least 1.
fn scaled(whole: usize, factor: f64) -> usize {
    ((whole as f64 * factor).round() as usize).max(1)
}

const HORIZON: &str = "horizon";
const BASE: &str = "base";
/// The chance that the battle goes on.
pub const DISCOUNT: &str = "discount";
/// The power of the fire a weapon draws.
pub const ATTENTION: &str = "attention";
