//! Fields of an arsenal whose weapons have names, and the losses of their attacks.

use toml::{Table, Value as Toml};

use super::price_names::{MoraleFieldNames, MoraleRecovery, PricingFieldNames};
use crate::form::{DefaultValue as Left, Field, FieldType, Fields, name_in_words};
use crate::weapons::{PRICE_RANGE, TROOPER_COUNT_RANGE};

/// Fields of every scenario; a field of the rulebook with one of these names keeps its default.
pub(super) const RESERVED_SCENARIO_FIELDS: [&str; 5] =
    ["name", "weight", "points_in_play", "opponent", "moves"];

/// Points of each of the reference troops.
pub(super) const POINTS_EACH_FIELD: &str = "points_each";

/// Returns the top-level field of a name.
pub(super) fn top_level_field(path: &str) -> &str {
    path.split_once('.').map_or(path, |(head, _)| head)
}

/// Losses of an attack: the most, the mean, and the probability that it takes only the nerve.
#[derive(Clone, Copy)]
pub(super) struct MostAndMeanAttackLosses {
    pub most: u32,
    pub mean: f64,
    pub shaken: f64,
}

impl MostAndMeanAttackLosses {
    /// Returns the probability of each shot that gives this mean.
    pub fn chance_per_shot_for_mean(self, mean: f64) -> f64 {
        (mean / f64::from(self.most.max(1))).min(1.0)
    }
}

/// Converts a field to an optional one; a list of records becomes a record.
pub(super) fn as_optional_single_entry(field: &Field) -> Field {
    let kind = match &field.kind {
        FieldType::Tables(fields, _) => FieldType::Table(fields.clone()),
        kind => kind.clone(),
    };
    Field { kind, preset: Left::Absent, ..field.clone() }
}

/// Sets the label of a field to the words of its name.
pub(super) fn with_label_in_words(field: Field) -> Field {
    Field { label: name_in_words(&field.name), ..field }
}

/// Returns the other fields of the actions, which describe the place of the battle.
pub(super) fn battlefield_fields_of_actions(
    names: &PricingFieldNames,
    own: &[Field],
) -> Vec<Field> {
    let mut used_names: Vec<&str> =
        own.iter().map(|field| &*field.name).chain(RESERVED_SCENARIO_FIELDS).collect();
    used_names.extend(names.of.as_deref().map(top_level_field));
    used_names.extend(names.distance.as_deref().map(top_level_field));
    if let Some(nerve) = &names.nerve {
        used_names.extend(nerve.firer_shaken_field.as_deref().map(top_level_field));
        if let MoraleRecovery::Test(_, Some(shaken)) = &nerve.back {
            used_names.push(shaken);
        }
    }
    let attacks = names.attack.iter().map(|attack| &attack.fields);
    let fields =
        attacks.chain(names.nerve.as_ref().map(MoraleFieldNames::declared_nerve_test_fields));
    let mut all: Vec<Field> = Vec::new();
    for field in fields.flat_map(Fields::iter) {
        let is_shared = all.iter().any(|other| other.name == field.name);
        if !is_shared && !used_names.contains(&&*field.name) {
            all.push(field.clone());
        }
    }
    all
}

/// Returns the fields of the reference troops in a scenario.
pub(super) fn reference_troop_fields(own: &[Field]) -> Vec<Field> {
    let many = Field::new_whole_number(
        "troopers",
        TROOPER_COUNT_RANGE,
        8,
        "reference troops on each side",
    )
    .with_player_name("troops on each side");
    let points = Field::new_optional(
        POINTS_EACH_FIELD,
        FieldType::Fraction(PRICE_RANGE),
        "points of each; the printed price of their weapon when left out",
    )
    .with_player_name("points of each");
    [many, points].into_iter().chain(own.iter().cloned()).collect()
}

/// Stores a value at a path, and creates tables on the way; in a list it uses the first entry.
pub(super) fn insert_at_path(table: &mut Table, path: &str, value: Toml) {
    match path.split_once('.') {
        None => drop(table.insert(path.to_owned(), value)),
        Some((head, rest)) => {
            let inner = table.entry(head).or_insert_with(|| Table::new().into());
            let inner = match inner {
                Toml::Array(several) => several.first_mut(),
                inner => Some(inner),
            };
            if let Some(Toml::Table(inner)) = inner {
                insert_at_path(inner, rest, value);
            }
        }
    }
}
