//! The numbers that are printed with the weapons, armour and structures that a contest names, by the fields
//! that stand in their place: what is changed when a contest says by how much.

use super::aim::armour_cells;
use super::breach;
use super::fields::{Structure, TargetFields, WeaponFields};
use crate::form::Form;
use crate::form::rows::Group;

/// The printed numbers of one table of a contest.
pub fn printed(_: &str, table: &Form) -> Vec<(&'static str, i64)> {
    let mut numbers = Vec::new();
    if table.has("weapon") {
        let row = WeaponFields::read(table).weapon;
        numbers.extend(row.and_then(|row| row.short).map(|short| ("short", short)));
        numbers.extend(row.and_then(|row| row.long).map(|long| ("long", long)));
        // Where it is fired from when nobody says.
        numbers.extend(row.and_then(|row| row.short).map(|short| ("range", short)));
    }
    if table.has("target_armour") {
        let worn = TargetFields::read(table).target_armour;
        numbers.push(("armour_cells", armour_cells(worn).into()));
    }
    if table.has("structure") {
        let toughness = breach::toughness(&Structure::read(table)).ok();
        numbers.extend(toughness.map(|toughness| ("toughness", toughness.into())));
    }
    numbers
}
