//! Notes on what was given and does not count.

use super::aim::AttackWeapon;
use super::attack_fields::{AimSituation, DEFAULT_THROW_AP, TargetFields};
use super::skirmishers_data::WeaponKind;

/// Returns the note that given cover does not count, because the weapon is used hand to hand.
pub fn ignored_cover_note(weapon: &AttackWeapon, there: &AimSituation) -> Option<String> {
    let covered = there.obstructions + there.smoke > 0;
    (weapon.kind == WeaponKind::Melee && covered)
        .then(|| "cover does not count hand to hand: obstructions and smoke are left out".into())
}

/// Crewed Weapons: returns the note that a weapon which must be set up is fired on the move.
pub fn crewed_fired_on_move_note(weapon: &AttackWeapon, there: &AimSituation) -> Option<String> {
    let carried = weapon.kind == WeaponKind::Crewed && there.movement_fire;
    carried.then(|| {
        "a crew served weapon fires from where it was set up (Crewed Weapons): fired on the move it is a house rule".into()
    })
}

/// Returns the note that AP are given for a throw of a weapon that is not thrown.
pub fn unused_throw_ap_note(weapon: &AttackWeapon, ap_spent: i64) -> Option<String> {
    let spare = ap_spent != DEFAULT_THROW_AP && !weapon.kind.is_thrown();
    spare.then(|| "the weapon is not thrown: `ap_spent` changes nothing".into())
}

/// Returns the note that a highest cell is given without protection.
pub fn unused_armour_cell_note(target: &TargetFields) -> Option<String> {
    let spare = target.armour_from.is_some() && !target.advanced_armour;
    spare.then(|| "`armour_from` changes nothing without `advanced_armour`".into())
}
