//! Printed numbers of the weapons, armour and structures that a contest names, by the fields that
//! can replace them: the base of relative values.

use super::attack_fields::{
    AttackerFields, StructureFields, TargetFields, WeaponFields, armour_cell_count,
};
use super::breach;
use super::unit_card::UnitCard;
use enfilade_model::form::Form;
use enfilade_model::form::field_macros::FieldGroupFromForm;

/// Returns the printed numbers of one table of a contest.
pub fn printed_numbers_of_named_rows(_: &str, table: &Form) -> Vec<(&'static str, i64)> {
    let mut numbers = Vec::new();
    if table.has("weapon") {
        let row = WeaponFields::read(table).weapon;
        numbers.extend(row.and_then(|row| row.short).map(|short| ("short", short)));
        numbers.extend(row.and_then(|row| row.ap).map(|ap| ("ap_cost", ap.into())));
        numbers.extend(row.and_then(|row| row.long).map(|long| ("long", long)));
        // Default range of the shooter.
        numbers.extend(row.and_then(|row| row.short).map(|short| ("range", short)));
    }
    if table.has("target_armour") {
        let target = TargetFields::read(table);
        let worn = target.target_armour;
        let top = UnitCard::from_field_or_default(target.card.as_ref(), "")
            .ok()
            .map(|card| card.top_hp().into());
        numbers.extend(top.into_iter().flat_map(|top| [("target_hp", top), ("armour_from", top)]));
        numbers.push(("armour_cells", armour_cell_count(worn).into()));
    }
    let attacker = AttackerFields::read(table).attacker_card;
    let top = UnitCard::from_field_or_default(attacker.as_ref(), "")
        .ok()
        .map(|card| card.top_hp().into());
    numbers.extend(top.map(|top| ("attacker_hp", top)));
    if table.has("structure") {
        let toughness = breach::read_toughness(&StructureFields::read(table)).ok();
        numbers.extend(toughness.map(|toughness| ("toughness", toughness.into())));
    }
    numbers
}
