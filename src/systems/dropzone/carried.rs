//! What the units carry: the built-in weapons of each, and weapons described in numbers.
//!
//! Source: `data/dropzone_*.tsv`; Alt-X, Limited-X and Reduced-X as `specials.rs` reads them. A weapon
//! that is printed twice for a unit, such as one on either side, is carried twice.

use crate::armoury::{Arm, Armoury, Unit};
use crate::form::{Fault, Form};

use super::data;
use super::profile::specials;
use super::rows::{Reach, WeaponRow};
use super::specials::WeaponSpecials;

/// The units of this rulebook.
pub const ARMOURY: Armoury = Armoury {
    names: data::unit_names,
    unit,
    described,
};

fn unit(name: &str) -> Option<Unit> {
    let row = data::units().ok()?.find(name)?;
    let weapons = data::weapons().ok()?.rows.iter();
    let own = weapons.filter(|weapon| weapon.carrier() == row.key);
    let fixed = own.filter(|weapon| weapon.shots.is_some() && weapon.energy.is_some());
    Some(Unit {
        name: row.key.clone(),
        points: row.points,
        health: row.damage_points,
        arms: fixed.map(printed).collect(),
    })
}

fn printed(row: &WeaponRow) -> Arm {
    Arm {
        name: Some(row.key.clone()),
        count: row.count,
        ..arm(&row.specials, row.full == Reach::CloseQuarters)
    }
}

fn described(form: &Form) -> Result<Arm, Vec<Fault>> {
    let specials = specials(form, "specials", |texts| WeaponSpecials::read(texts))?;
    let close_quarters = form.maybe_flag("close_quarters").unwrap_or(false);
    Ok(arm(&specials.unwrap_or_default(), close_quarters))
}

/// One weapon without a name.
fn arm(specials: &WeaponSpecials, close_quarters: bool) -> Arm {
    Arm {
        name: None,
        count: 1,
        alternative: specials.alternative,
        rounds: specials.limited,
        reduced: specials.reduced > 0,
        close_quarters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weapons of a unit by the last word of their keys, with how many there are.
    fn carries(name: &str) -> Vec<(String, u8)> {
        let unit = unit(name).expect("it is printed");
        let arm = |arm: &Arm| {
            let key = arm.name.as_deref().expect("it has a name");
            let weapon = key.rsplit('/').next().expect("it has a last part");
            (weapon.to_owned(), arm.count)
        };
        unit.arms.iter().map(arm).collect()
    }

    #[test]
    fn a_weapon_on_either_side_is_carried_twice() {
        let told = |name: &str, count| (name.to_owned(), count);
        assert_eq!(
            carries("Scourge/Ravager AA Beetle"),
            [told("Cutting Claws", 1), told("Shard Flak Cannon", 2)]
        );
        assert_eq!(
            carries("PHR/Persephone Hive Scorpion"),
            [told("Heavy Minigun", 2), told("Nanomachine Swarm", 2)]
        );
        let twice = |name: &str, weapon: &str| {
            let of = carries(name).into_iter().find(|(own, _)| own == weapon);
            assert_eq!(of, Some(told(weapon, 2)), "{name}");
        };
        twice("PHR/Hades Scorpion", "Heavy Minigun");
        twice("Scourge/Eradicator Chameleopod", "Plasma Fusillade");
        // Those that have names of their own are two weapons, as before.
        let drone = carries("UCM/Ferrum Drone base");
        let guns = drone.iter().filter(|(name, _)| name.starts_with("Twin"));
        assert_eq!(guns.map(|(_, count)| *count).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn what_the_reader_of_specials_knows_is_told() {
        let of = |unit_name: &str, weapon: &str| {
            let unit = unit(unit_name).expect("it is printed");
            let key = format!("{}/{weapon}", unit.name);
            let mut arms = unit.arms.into_iter();
            arms.find(|arm| arm.name.as_deref() == Some(&key))
                .expect("it is carried")
        };
        let rockets = of("Resistance/Resistance Fighters", "Homemade RPGs");
        assert_eq!((rockets.alternative, rockets.rounds), (Some(1), Some(1)));
        assert!(rockets.reduced && !rockets.close_quarters);
        let knives = of("resistance/resistance fighters", "Knives and Pistols");
        assert!(knives.close_quarters && knives.alternative.is_none());
    }
}
