//! Where a weapon is fought with: the part of a scenario that a rulebook reads, and what it assumes.

use crate::form::bounds::{Bound, RealBound};
use crate::form::{Field, Form, Kind, Value};
use crate::shared::Text;

/// Reference troops of a scenario.
pub const TROOPERS: Bound = Bound::new("number of troopers", 1, 24);

/// Points of one thing.
pub const PRICE: Bound = Bound::new("price", 1, 1_000_000);

/// Points of a bare man, or at stake in a scenario.
pub const POINTS: Bound = Bound::new("number of points", 0, 1_000_000);

const ACTIVATIONS: Bound = Bound::new("number of moves", 1, 24);

/// The length of a scenario.
pub const MOVES: Field = Field::int(
    "moves",
    ACTIVATIONS,
    6,
    "activations of each side until the enemy has reached the weapon",
)
.label("moves");

const DISTANCE: Bound = Bound::new("range", 0, 1000);

/// The distances of a scenario, where they matter.
pub const RANGE: Field = Field::optional(
    "range",
    Kind::list(const { &Kind::Int(DISTANCE) }),
    "distances at which it is fought, the greatest first, spread evenly over the moves",
)
.label("distances");

/// Says that distances do not matter.
pub const WITHIN_REACH: Field = Field::flag(
    "within_reach",
    false,
    "everything is in reach of everything; without this and without `range` the distance is an assumption",
)
.label("everything within reach");

/// The assumption of how far apart they are, where a scenario says nothing of it.
pub const DISTANCE_ASSUMED: &str = "distance";

/// The distance as a rulebook assumes it: low, default and high.
pub const fn distance_assumed(about: &'static str, values: [f64; 3]) -> Preset {
    Preset {
        name: Text::Static(DISTANCE_ASSUMED),
        about: Text::Static(about),
        values,
        bound: RealBound { name: DISTANCE_ASSUMED, low: 0.0, high: 1000.0 },
    }
}

/// A scenario as a rulebook reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Activations of each side.
    pub moves: usize,
    /// Distances, greatest first; empty where distance does not matter.
    pub ranges: Vec<i64>,
    /// Everything the file says of it, defaults included.
    pub form: Form,
}

impl Setting {
    /// The setting that a form describes; it has [`MOVES`].
    pub fn of(form: Form) -> Setting {
        let whole = |value: &Value| match value {
            Value::Int(n) => Some(*n),
            _ => None,
        };
        let mut ranges: Vec<i64> = form.list(&RANGE.name).iter().filter_map(whole).collect();
        ranges.sort_unstable_by(|a, b| b.cmp(a));
        Setting { moves: form.int(&MOVES.name) as usize, ranges, form }
    }

    /// The reference troops.
    ///
    /// # Panics
    /// When the rulebook's scenario fields have no `target`: a mistake of the program.
    pub fn target(&self) -> &Form {
        self.form.table("target").expect("a scenario must have a target")
    }

    /// How many reference troops each side has.
    pub fn troopers(&self) -> usize {
        self.target().int("troopers") as usize
    }

    /// Whether it says nothing of distances where they matter.
    pub fn open(&self) -> bool {
        let matters = self.form.get(&WITHIN_REACH.name) == Some(&Value::Flag(false));
        matters && self.ranges.is_empty()
    }

    /// The distance in activation `number` of `moves`: the list is spread evenly over them; what is
    /// assumed where the scenario says nothing, and `None` where everything is within reach.
    pub fn range(&self, number: usize, assumed: &Assumed) -> Option<i64> {
        let Some(last) = self.ranges.len().checked_sub(1) else {
            let assumed = assumed.maybe(DISTANCE_ASSUMED).filter(|_| self.open());
            return assumed.map(|distance| distance.round() as i64);
        };
        let place = number * self.ranges.len() / self.moves;
        Some(self.ranges[place.min(last)])
    }
}

/// An assumption with its range, as it is declared.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its key under `[assumptions]`.
    pub name: Text,
    /// What it means, with its unit.
    pub about: Text,
    /// Low, default and high.
    pub values: [f64; 3],
    /// What it may be.
    pub bound: RealBound,
}

/// What is assumed, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assumed(Vec<(Text, f64)>);

impl Assumed {
    /// The value of the assumption called `name`.
    ///
    /// # Panics
    /// When there is none of that name: a mistake of the program, not of its input.
    pub fn value(&self, name: &str) -> f64 {
        self.maybe(name).expect("assumptions are asked for by declared names")
    }

    /// The value of the assumption called `name`, where it is one here.
    pub fn maybe(&self, name: &str) -> Option<f64> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }
}

impl FromIterator<(Text, f64)> for Assumed {
    fn from_iter<I: IntoIterator<Item = (Text, f64)>>(values: I) -> Assumed {
        Assumed(values.into_iter().collect())
    }
}
