//! Scenarios, and the assumptions that no rulebook settles.

use super::evidence::{AssumptionCase, PriceAssumption};
use enfilade_model::form::bounds::RealRange;
use enfilade_model::form::{Fault, Field, FieldType, Fields};
use enfilade_model::shared::Text;
use enfilade_model::weapons::{
    AssumptionSpec, AssumptionValues, MOVES, POINTS, PricingScenario, WeaponRules,
};

/// Range of a designer's weight.
pub const WEIGHT_BOUND: RealRange = RealRange { name: "weight", low: 0.0, high: 1_000_000.0 };

/// The name of a scenario.
const NAME_FIELD: Field =
    Field::required("name", FieldType::Text, "name of the scenario in results");

/// Its weight; read by hand, because it may be any number.
const WEIGHT_FIELD: Field = Field::optional(
    "weight",
    FieldType::Text,
    "how much it counts among the scenarios; 1 when left out",
);

/// Points at stake.
const POINTS_IN_PLAY_FIELD: Field = Field::optional(
    "points_in_play",
    FieldType::Int(POINTS),
    "points at stake in it; reported, without effect on prices",
);

/// Its opponent.
const OPPONENT_FIELD: Field = Field::optional(
    "opponent",
    FieldType::Text,
    "the opponent: scenarios with the same one are left out together; by default the name of the scenario",
);

/// Fields of every scenario.
const COMMON_SCENARIO_FIELDS: Fields =
    Fields::Static(&[&[NAME_FIELD, WEIGHT_FIELD, POINTS_IN_PLAY_FIELD, OPPONENT_FIELD, MOVES]]);

/// The fields of a `[[scenario]]` of a rulebook.
pub fn scenario_fields(rules: &dyn WeaponRules) -> Fields {
    COMMON_SCENARIO_FIELDS.join(rules.scenario_fields())
}

/// Describes the values that a field of an arsenal accepts.
pub fn describe_arsenal_field(field: &Field) -> String {
    match field.name == WEIGHT_FIELD.name {
        true => format!("a number, {WEIGHT_BOUND}"),
        false => field.kind.describe_accepted_values(),
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
    pub setting: PricingScenario,
}

/// Assumptions of every system.
pub const COMMON_ASSUMPTIONS: &[AssumptionSpec] = &[
    AssumptionSpec {
        name: Text::Static(HORIZON),
        about: Text::Static("activations of each side, as a multiple of the scenario's moves"),
        values: [0.5, 1.0, 2.0],
        bound: RealRange { name: HORIZON, low: 0.1, high: 4.0 },
    },
    AssumptionSpec {
        name: Text::Static(DISCOUNT),
        about: Text::Static(
            "what an activation counts beside the one before it: the chance that the battle goes on",
        ),
        values: [0.85, 0.95, 1.0],
        bound: RealRange { name: DISCOUNT, low: 0.1, high: 1.0 },
    },
    AssumptionSpec {
        name: Text::Static(ATTENTION),
        about: Text::Static(
            "fire the weapon draws: its harm beside a trooper's, to this power; 0 is as much as any man",
        ),
        values: [0.0, 0.5, 1.0],
        bound: RealRange { name: ATTENTION, low: 0.0, high: 2.0 },
    },
    AssumptionSpec {
        name: Text::Static(BASE),
        about: Text::Static("troops on each side, as a multiple of the scenario's troopers"),
        values: [0.5, 1.0, 1.5],
        bound: RealRange { name: BASE, low: 0.1, high: 3.0 },
    },
];

/// Lists the assumptions about battles of a rulebook, those of every battle first.
pub fn assumption_presets(rules: &dyn WeaponRules) -> impl Iterator<Item = &AssumptionSpec> {
    COMMON_ASSUMPTIONS.iter().chain(rules.assumptions())
}

/// Returns the values of `assumptions` in case `model`.
pub fn assumption_values(
    assumptions: &[PriceAssumption],
    model: AssumptionCase,
) -> AssumptionValues {
    let value = |(place, assumption): (usize, &PriceAssumption)| {
        let value = match model {
            AssumptionCase::Low(moved) if moved == place => assumption.low,
            AssumptionCase::High(moved) if moved == place => assumption.high,
            _ => assumption.default,
        };
        (Text::from(assumption.name.clone()), value)
    };
    assumptions.iter().enumerate().map(value).collect()
}

/// Returns the values that are assumptions of the rulebook.
pub fn own_assumptions(rules: &dyn WeaponRules, assumed: &AssumptionValues) -> AssumptionValues {
    let own = rules.assumptions().iter();
    own.filter_map(|own| Some((own.name.clone(), assumed.get(&own.name)?))).collect()
}

/// Computes the number of activations of each side.
pub fn count_rounds(there: &PricingScenario, assumed: &AssumptionValues) -> usize {
    scale_whole_number(there.moves, assumed.value(HORIZON))
}

/// Computes the number of troops on each side.
pub fn troops_per_side(there: &PricingScenario, assumed: &AssumptionValues) -> usize {
    scale_whole_number(there.trooper_count(), assumed.value(BASE))
}

/// Multiplies a whole number by a factor; at least 1.
fn scale_whole_number(whole: usize, factor: f64) -> usize {
    ((whole as f64 * factor).round() as usize).max(1)
}

const HORIZON: &str = "horizon";
const BASE: &str = "base";
/// The chance that the battle goes on.
pub const DISCOUNT: &str = "discount";
/// The power of the fire a weapon draws.
pub const ATTENTION: &str = "attention";

/// Maps a fault of the set-up to its place in the file.
pub(crate) fn relocate_fault(mut fault: Fault, weapon: usize, scenario: usize) -> Fault {
    for (what, number) in [("weapon", weapon), ("scenario", scenario)] {
        if let Some(rest) = fault.path.strip_prefix(what)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            fault.path = format!("{what}[{number}]{rest}");
            return fault;
        }
    }
    fault
}
