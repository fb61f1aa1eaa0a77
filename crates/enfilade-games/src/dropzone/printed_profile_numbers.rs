//! Printed numbers of the weapons and units that a contest names, by the fields that can replace
//! them: the base of relative values.

use super::profile::TargetSquad;
use super::row_books::PrintedTarget;
use super::shooting_fields::{TargetFields, WeaponFields};
use enfilade_model::form::Form;
use enfilade_model::form::field_macros::FieldGroupFromForm;

/// Returns the printed numbers of one table of a contest: of its weapon, and of its target.
pub fn printed_numbers_for_form(_: &str, table: &Form) -> Vec<(&'static str, i64)> {
    let mut numbers = Vec::new();
    if table.has("weapon") {
        numbers.extend(printed_numbers_of_weapon(&WeaponFields::read(table)));
    }
    if table.has("target") {
        numbers.extend(
            TargetFields::read(table).target.map(printed_numbers_of_target).unwrap_or_default(),
        );
    }
    numbers
}

fn printed_numbers_of_weapon(weapon: &WeaponFields) -> Vec<(&'static str, i64)> {
    let row = weapon.weapon;
    let numbers = [
        ("shots", row.and_then(|row| row.shots).map(i64::from)),
        ("accuracy", row.and_then(|row| row.accuracy)),
        ("energy", row.and_then(|row| row.energy)),
        ("points", row.and_then(|row| row.points).map(i64::from)),
    ];
    numbers.into_iter().filter_map(|(field, number)| Some((field, number?))).collect()
}

fn printed_numbers_of_target(named: PrintedTarget) -> Vec<(&'static str, i64)> {
    let target = TargetSquad::from(named);
    let numbers = [
        ("armour", Some(target.armour)),
        ("damage_points", Some(target.points.into())),
        ("passive", target.passive.map(i64::from)),
        ("evasion", Some(target.evasion)),
        ("fortitude", target.fortitude.map(i64::from)),
    ];
    numbers.into_iter().filter_map(|(field, number)| Some((field, number?))).collect()
}
