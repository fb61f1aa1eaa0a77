//! The setting of a weapon's battle: the part of a scenario that a rulebook reads, and its
//! assumptions.

use crate::form::bounds::{IntRange, RealRange};
use crate::form::{Field, FieldType, Form, Value};
use crate::static_or_shared::Text;

/// Number of reference troops of a scenario.
pub const TROOPER_COUNT_RANGE: IntRange = IntRange::new("number of troopers", 1, 24);

/// Points of one thing.
pub const PRICE_RANGE: IntRange = IntRange::new("price", 1, 1_000_000);

/// Points of a bare man, or at stake in a scenario.
pub const POINTS_RANGE: IntRange = IntRange::new("number of points", 0, 1_000_000);

const ACTIVATION_RANGE: IntRange = IntRange::new("number of moves", 1, 24);

/// Field of the length of a scenario.
pub const SCENARIO_LENGTH_FIELD: Field = Field::new_whole_number(
    "moves",
    ACTIVATION_RANGE,
    6,
    "activations of each side until the enemy has reached the weapon",
)
.with_player_name("moves");

const DISTANCE_RANGE: IntRange = IntRange::new("range", 0, 1000);

/// Field of the distances of a scenario, where they matter.
pub const RANGE: Field = Field::new_optional(
    "range",
    FieldType::list_of(const { &FieldType::Int(DISTANCE_RANGE) }),
    "distances at which it is fought, the greatest first, spread evenly over the moves",
)
.with_player_name("distances");

/// Field of a scenario in which distances do not matter.
pub const WITHIN_REACH_FIELD: Field = Field::new_switch_with_default(
    "within_reach",
    false,
    "everything is in reach of everything; without this and without `range` the distance is an assumption",
)
.with_player_name("everything within reach");

/// Name of the assumed distance, where a scenario gives none.
pub const DISTANCE_ASSUMPTION_NAME: &str = "distance";

/// Declares the distance that a rulebook assumes: low, default and high.
pub const fn distance_assumption_spec(about: &'static str, values: [f64; 3]) -> AssumptionSpec {
    AssumptionSpec {
        name: Text::Static(DISTANCE_ASSUMPTION_NAME),
        about: Text::Static(about),
        values,
        bound: RealRange { name: DISTANCE_ASSUMPTION_NAME, low: 0.0, high: 1000.0 },
    }
}

/// Scenario as a rulebook reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct PricingScenario {
    /// Computes the number of activations of each side.
    pub moves: usize,
    /// Distances, greatest first; empty where distance does not matter.
    pub ranges: Vec<i64>,
    /// Fields of the scenario in the file, with defaults.
    pub form: Form,
}

impl PricingScenario {
    /// Creates the setting of a form, which has [`SCENARIO_LENGTH_FIELD`].
    pub fn from_scenario_form(form: Form) -> PricingScenario {
        let whole = |value: &Value| match value {
            Value::Int(n) => Some(*n),
            _ => None,
        };
        let mut ranges: Vec<i64> =
            form.list_of_field(&RANGE.name).iter().filter_map(whole).collect();
        ranges.sort_unstable_by(|a, b| b.cmp(a));
        PricingScenario { moves: form.int(&SCENARIO_LENGTH_FIELD.name) as usize, ranges, form }
    }

    /// Returns the reference troops.
    ///
    /// # Panics
    /// If the rulebook's scenario fields have no `target`: a mistake of the program.
    pub fn reference_troops(&self) -> &Form {
        self.form.table_if_present("target").expect("a scenario must have a target")
    }

    /// Returns the number of reference troops of each side.
    pub fn trooper_count(&self) -> usize {
        self.reference_troops().int("troopers") as usize
    }

    /// Returns whether the scenario gives no distances although they matter.
    pub fn lacks_needed_distances(&self) -> bool {
        let matters = self.form.get(&WITHIN_REACH_FIELD.name) == Some(&Value::Flag(false));
        matters && self.ranges.is_empty()
    }

    /// Returns the distance in activation `number` of `moves`: the list is spread evenly over them.
    /// Returns the assumed distance where the scenario gives none, and `None` where everything is
    /// within reach.
    pub fn distance_in_move(&self, number: usize, assumed: &AssumptionValues) -> Option<i64> {
        let Some(last) = self.ranges.len().checked_sub(1) else {
            let assumed =
                assumed.get(DISTANCE_ASSUMPTION_NAME).filter(|_| self.lacks_needed_distances());
            return assumed.map(|distance| distance.round() as i64);
        };
        let place = number * self.ranges.len() / self.moves;
        Some(self.ranges[place.min(last)])
    }
}

/// Declaration of an assumption with its range.
#[derive(Clone, Debug)]
pub struct AssumptionSpec {
    /// Key under `[assumptions]`.
    pub name: Text,
    /// Meaning, with the unit.
    pub about: Text,
    /// Low, default and high value.
    pub values: [f64; 3],
    /// Range of allowed values.
    pub bound: RealRange,
}

/// Values of assumptions, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssumptionValues(Vec<(Text, f64)>);

impl AssumptionValues {
    /// Returns the value of the assumption called `name`.
    ///
    /// # Panics
    /// If there is none of that name: a mistake of the program, not of its input.
    pub fn value(&self, name: &str) -> f64 {
        self.get(name).expect("only declared assumptions are read")
    }

    /// Returns the value of the assumption called `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<f64> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }
}

impl FromIterator<(Text, f64)> for AssumptionValues {
    fn from_iter<I: IntoIterator<Item = (Text, f64)>>(values: I) -> AssumptionValues {
        AssumptionValues(values.into_iter().collect())
    }
}
