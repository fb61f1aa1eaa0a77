//! Scenarios, and the assumptions that no rulebook settles.

use super::evidence::ScenarioForStatistics;
use enfilade_model::form::bounds::RealRange;
use enfilade_model::form::{Fault, Field, FieldType, Fields};
use enfilade_model::static_or_shared::Text;
use enfilade_model::weapons::{
    AssumptionSpec, AssumptionValues, POINTS_RANGE, PRICE_RANGE, PricingRules, PricingScenario,
    SCENARIO_LENGTH_FIELD,
};

/// A key that may hold a text, or what is read by hand.
pub(crate) const fn optional_text(name: &'static str, about: &'static str) -> Field {
    Field::new_optional(name, FieldType::Text, about)
}

/// Range of a designer's weight.
pub const WEIGHT_BOUND: RealRange = RealRange { name: "weight", low: 0.0, high: 1_000_000.0 };

/// Fields of every scenario.
const COMMON_SCENARIO_FIELDS: Fields = Fields::Static(&[&[
    Field::new_required("name", FieldType::Text, "name of the scenario in results"),
    // Read by hand, because it may be any number.
    optional_text("weight", "how much it counts among the scenarios; 1 when left out"),
    Field::new_optional(
        "points_in_play",
        FieldType::Int(POINTS_RANGE),
        "points at stake in it; reported, without effect on prices",
    ),
    optional_text(
        "opponent",
        "the opponent: scenarios with the same one are left out together; by default the name of the scenario",
    ),
    SCENARIO_LENGTH_FIELD,
]]);

/// The fields of a `[[scenario]]` of a rulebook.
pub fn all_scenario_fields(rules: &dyn PricingRules) -> Fields {
    COMMON_SCENARIO_FIELDS.with_fields_of(rules.scenario_fields())
}

/// Describes the values that a field of an arsenal accepts.
pub fn describe_arsenal_field_values(field: &Field) -> String {
    match &*field.name {
        "weight" => format!("a number, {WEIGHT_BOUND}"),
        "price" => format!("points in halves and quarters, 0.25 to {}", PRICE_RANGE.high),
        _ => field.kind.describe_accepted_values(),
    }
}

/// One scenario of an arsenal.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name, its weight and its opponent.
    pub weights: ScenarioForStatistics,
    /// The setting that its rulebook reads.
    pub setting: PricingScenario,
}

/// An assumption of every system, with the range of its values.
const fn new_common_assumption(
    name: &'static str,
    (low, high): (f64, f64),
    values: [f64; 3],
    about: &'static str,
) -> AssumptionSpec {
    let bound = RealRange { name, low, high };
    AssumptionSpec { name: Text::Static(name), about: Text::Static(about), values, bound }
}

/// Assumptions of every system.
pub const SHARED_ASSUMPTIONS: &[AssumptionSpec] = &[
    new_common_assumption(
        HORIZON_ASSUMPTION,
        (0.1, 4.0),
        [0.5, 1.0, 2.0],
        "activations of each side, as a multiple of the scenario's moves",
    ),
    new_common_assumption(
        GOES_ON_ASSUMPTION,
        (0.1, 1.0),
        [0.85, 0.95, 1.0],
        "what an activation counts beside the one before it: the chance that the battle goes on",
    ),
    new_common_assumption(
        ATTENTION_ASSUMPTION,
        (0.0, 2.0),
        [0.0, 0.5, 1.0],
        "fire the weapon draws: its harm beside a trooper's, to this power; 0 is as much as any man",
    ),
    new_common_assumption(
        BASE_SIZE_ASSUMPTION,
        (0.1, 3.0),
        [0.5, 1.0, 1.5],
        "troops on each side, as a multiple of the scenario's troopers",
    ),
];

/// Lists the assumptions about battles of a rulebook, those of every battle first.
pub fn assumptions_with_rulebook(
    rules: &dyn PricingRules,
) -> impl Iterator<Item = &AssumptionSpec> {
    SHARED_ASSUMPTIONS.iter().chain(rules.assumptions())
}

/// Computes the number of activations of each side.
pub fn side_activations_in_battle(there: &PricingScenario, assumed: &AssumptionValues) -> usize {
    scale_with_minimum_one(there.moves, assumed.value(HORIZON_ASSUMPTION))
}

/// Computes the number of troops on each side.
pub fn troops_per_side(there: &PricingScenario, assumed: &AssumptionValues) -> usize {
    scale_with_minimum_one(there.trooper_count(), assumed.value(BASE_SIZE_ASSUMPTION))
}

/// Multiplies a whole number by a factor; at least 1.
fn scale_with_minimum_one(whole: usize, factor: f64) -> usize {
    ((whole as f64 * factor).round() as usize).max(1)
}

const HORIZON_ASSUMPTION: &str = "horizon";
const BASE_SIZE_ASSUMPTION: &str = "base";
/// The chance that the battle goes on.
pub const GOES_ON_ASSUMPTION: &str = "discount";
/// The power of the fire a weapon draws.
pub const ATTENTION_ASSUMPTION: &str = "attention";

/// Maps a fault of the set-up to its place in the file.
pub(crate) fn relocate_setup_fault(mut fault: Fault, weapon: usize, scenario: usize) -> Fault {
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
