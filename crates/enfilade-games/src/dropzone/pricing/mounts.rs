//! A unit in a battle: its fields as a target, and the weapons that it fires.
//!
//! A printed unit has its printed values. A custom one has one weapon by the fields of the unit, or
//! several, each a table of `arms`: by the name of a printed weapon or in numbers, with their count
//! and range.

use toml::{Table, Value as Toml};

use super::super::data_rows::{PrintedWeaponRange, UnitRow, WeaponRow};
use super::super::profile::parse_special_rule_list;
use super::super::row_books;
use super::super::shooting_fields::{TargetFields, WeaponFields};
use super::super::specials::WeaponSpecialRules;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::list;
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType, Fields, Form};
use enfilade_model::weapons::{FaultResult, fault_prefixer};

/// Fields of a unit as a target, as `shoot` has them.
pub const UNIT_DEFENCE_FIELDS: [Field; 7] = list! {
    /// armour; the printed one when left out
    armour = of(TargetFields::FIELDS).with_player_name("armour");
    /// Damage Points; the printed ones when left out
    damage_points = of(TargetFields::FIELDS).with_player_name("Damage Points");
    passive = of(TargetFields::FIELDS).with_player_name("passive countermeasures");
    evasion = of(TargetFields::FIELDS).with_player_name("evasion");
    /// whether it has active countermeasures
    active = of(TargetFields::FIELDS).with_player_name("active countermeasures");
    /// what it is; Tank when it is not built in
    unit_type as "type" = of(TargetFields::FIELDS).with_player_name("unit type");
    /// special rules of the unit, as printed
    target_specials = of(TargetFields::FIELDS).with_player_name("special rules of the unit");
};

/// Fields of the one weapon of a custom unit, or of a unit with another weapon, as `shoot` has
/// them.
pub const SINGLE_WEAPON_FIELDS: [Field; 4] = list! {
    /// hit dice of its only weapon, in place of all printed ones
    shots = of(WeaponFields::FIELDS).with_player_name("hit dice");
    /// accuracy of that weapon, X of X+
    accuracy = of(WeaponFields::FIELDS).with_player_name("accuracy");
    /// energy of that weapon
    energy = of(WeaponFields::FIELDS).with_player_name("energy");
    /// special rules of that weapon, as printed
    specials = of(WeaponFields::FIELDS).with_player_name("special rules of the weapon");
};

const WEAPON_COUNT_RANGE: IntRange = IntRange::new("number of weapons", 1, 9);
const REACH_INCHES_RANGE: IntRange = IntRange::new("reach", 1, 1000);

/// Fields of one of several weapons.
const LISTED_WEAPON_FIELDS: Fields = joined![
    list! {
        /// a printed weapon, by its name
        weapon = of(WeaponFields::FIELDS).with_player_name("printed weapon");
    },
    SINGLE_WEAPON_FIELDS,
    list! {
        /// whether it is for Close Quarters only
        close_quarters = of(WeaponFields::FIELDS).with_player_name("Close Quarters weapon");
        /// how far it fires; as far as is printed, or any distance
        reach = new_optional(FieldType::Int(REACH_INCHES_RANGE)).with_player_name("reach").with_unit("inches");
        /// its arc, as printed; no battle here takes it into account
        arc = new_optional(FieldType::Text).with_player_name("arc");
        /// how many of it there are, all fired
        count = new_whole_number(WEAPON_COUNT_RANGE, 1).with_player_name("weapons alike");
    }
];

/// Field of the weapons of a unit that has several.
pub const WEAPON_LIST_FIELD: [Field; 1] = list! {
    /// its weapons, in place of all printed ones: each by `weapon`, or by `shots`, `accuracy` and
    /// `energy`
    arms = new(FieldType::tables(LISTED_WEAPON_FIELDS), DefaultValue::Empty).with_player_name("weapons");
};

/// Unit that fires or is fired at.
pub struct UnitWithMountedWeapons {
    /// Fields of a `shoot` that name or describe it as a target.
    pub shield: Table,
    /// Damage Points of the unit.
    pub points: i64,
    /// Weapons of the unit.
    pub mounts: Vec<EqualWeapons>,
}

/// Equal weapons of a unit. Each is fired separately.
pub struct EqualWeapons {
    /// Fields of a `shoot` that name or describe one of them.
    pub sword: Table,
    /// Number of them on a model, at least 1.
    pub count: u8,
    /// Number shared by weapons of a unit of which one is fired in an activation.
    pub alternative: Option<u16>,
    /// Number of firings in a game; `None` for no limit.
    pub rounds: Option<u16>,
    /// Hit dice, if they are given.
    pub shots: Option<i64>,
    /// Hit dice lost for each Damage Point that the carrier has lost.
    pub reduced: i64,
    /// Whether the weapon is for Close Quarters only.
    pub close_quarters: bool,
    /// Range, where it is not printed.
    pub reach: Option<i64>,
    /// Range of the printed weapon, and its range at active countermeasures.
    pub printed: Option<(PrintedWeaponRange, PrintedWeaponRange)>,
}

impl EqualWeapons {
    /// Returns whether the weapon has a shot left when its carrier has lost `lost` Damage Points.
    pub fn can_shoot_after_damage(&self, lost: i64) -> bool {
        self.reduced == 0 || self.shots.is_none_or(|shots| self.reduced * lost < shots)
    }

    /// Returns the energy of the weapon, where it is one number.
    pub fn energy_if_one_number(&self) -> Option<i64> {
        let printed = || {
            row_books::weapon_rows().find_row_by_name(self.sword.get("weapon")?.as_str()?)?.energy
        };
        self.sword.get("energy").and_then(Toml::as_integer).or_else(printed)
    }

    /// Returns whether the weapon fires as far as `range`, where its range is not printed.
    pub fn is_within_custom_reach(&self, range: Option<i64>) -> bool {
        self.reach.zip(range).is_none_or(|(reach, range)| range <= reach)
    }

    /// Returns the consequences of a distance: whether it is within a range that is not printed,
    /// the printed one, and the one at active countermeasures.
    pub fn reach_flags_at_distance(&self, range: Option<i64>) -> [bool; 3] {
        let printed = self.printed.zip(range);
        let is_switch = |of: fn((PrintedWeaponRange, PrintedWeaponRange)) -> PrintedWeaponRange| {
            printed.is_none_or(|(reach, range)| of(reach).reaches_target_at(range))
        };
        [
            self.is_within_custom_reach(range),
            is_switch(|(full, _)| full),
            is_switch(|(_, countered)| countered),
        ]
    }
}

impl UnitWithMountedWeapons {
    /// Returns the armour of the unit.
    pub fn armour_of_unit(&self) -> Option<i64> {
        let printed = || {
            Some(
                row_books::unit_rows()
                    .find_row_by_name(self.shield.get("target")?.as_str()?)?
                    .armour,
            )
        };
        self.shield.get("armour").and_then(Toml::as_integer).or_else(printed)
    }

    /// Reads the unit of a name and a form.
    ///
    /// # Errors
    /// Broken data, invalid special rules, a weapon that is neither printed nor described.
    pub fn from_name_and_form(name: &str, form: &Form) -> FaultResult<UnitWithMountedWeapons> {
        let unit = row_books::unit_rows().find_row_by_name(name);
        let mut shield = given_fields_as_table(form, &UNIT_DEFENCE_FIELDS);
        if let Some(unit) = unit {
            shield.insert("target".into(), unit.key.clone().into());
        }
        let sword = given_fields_as_table(form, &SINGLE_WEAPON_FIELDS);
        let arms = form.tables_of_field("arms");
        if let (false, Some(field)) = (arms.is_empty(), sword.keys().next()) {
            let problem = format!("`{field}` is that of an only weapon, and there are `arms`");
            return Err(vec![Fault::new(field, problem).with_help("put it into one of `arms`")]);
        }
        let mounts = match (arms.is_empty(), sword.is_empty(), unit) {
            (false, ..) => read_weapon_groups(arms)?,
            (true, true, Some(unit)) => printed_weapon_groups(unit),
            (true, true, None) => Vec::new(),
            (true, false, _) => vec![custom_weapon_group(form, sword)?],
        };
        let points = unit.map_or(1, |unit| i64::from(unit.damage_points));
        Ok(UnitWithMountedWeapons {
            shield,
            points: form.maybe_int("damage_points").unwrap_or(points),
            mounts,
        })
    }
}

/// Returns the weapons of a unit with fixed numbers, in printed order.
fn printed_weapon_groups(unit: &UnitRow) -> Vec<EqualWeapons> {
    let weapons = row_books::weapon_rows().rows.iter();
    let own = weapons.filter(|weapon| weapon.carrier_key() == unit.key);
    let fixed = own.filter(|weapon| weapon.shots.is_some() && weapon.energy.is_some());
    fixed.map(weapon_group_from_row).collect()
}

/// Reads the weapons of a unit that lists them.
fn read_weapon_groups(arms: &[Form]) -> FaultResult<Vec<EqualWeapons>> {
    let mount = |(place, form): (usize, &Form)| {
        read_equal_weapons(form).map_err(fault_prefixer(&format!("arms[{place}]")))
    };
    arms.iter().enumerate().map(mount).collect()
}

/// Reads a printed weapon with changed numbers, or one in numbers.
fn read_equal_weapons(form: &Form) -> FaultResult<EqualWeapons> {
    let sword = given_fields_as_table(form, &SINGLE_WEAPON_FIELDS);
    let row = match form.optional_text("weapon") {
        Some(name) => row_books::weapon_rows().find_row_by_name(name),
        None => None,
    };
    let wanting =
        ["shots", "accuracy", "energy"].into_iter().find(|field| !sword.contains_key(*field));
    let mut mount = match (row, wanting) {
        (Some(row), _) if sword.is_empty() => weapon_group_from_row(row),
        (Some(row), _) => {
            let printed = weapon_group_from_row(row);
            let own = if form.has("specials") {
                custom_weapon_group(form, sword.clone())?
            } else {
                weapon_group_from_row(row)
            };
            let mut all = printed.sword;
            all.extend(sword);
            let shots = all.get("shots").and_then(Toml::as_integer).or(printed.shots);
            let EqualWeapons { close_quarters, printed, .. } = printed;
            EqualWeapons { sword: all, shots, close_quarters, printed, ..own }
        }
        (None, None) => custom_weapon_group(form, sword)?,
        (None, Some(field)) => {
            let fault = Fault::new(field, format!("`{field}` is missing"));
            return Err(vec![
                fault
                    .with_help("name a printed `weapon`, or give `shots`, `accuracy` and `energy`"),
            ]);
        }
    };
    mount.count = form.int("count") as u8;
    mount.reach = form.maybe_int("reach");
    if let Some(close) = form.maybe_flag("close_quarters") {
        mount.close_quarters = close;
    }
    Ok(mount)
}

/// Creates a built-in weapon.
fn weapon_group_from_row(row: &WeaponRow) -> EqualWeapons {
    let name = ("weapon".to_owned(), row.key.clone().into());
    EqualWeapons {
        count: row.count,
        shots: row.shots.map(i64::from),
        close_quarters: row.full == PrintedWeaponRange::CloseQuarters,
        printed: Some((row.full, row.countered)),
        ..weapon_group_with_specials(Table::from_iter([name]), &row.specials)
    }
}

/// Creates the weapon that a form describes.
fn custom_weapon_group(form: &Form, sword: Table) -> FaultResult<EqualWeapons> {
    let given: Option<Vec<String>> =
        enfilade_model::form::field_macros::read_field(form, "specials");
    let specials = parse_special_rule_list(
        "specials",
        given.as_deref(),
        WeaponSpecialRules::from_special_texts,
    )?;
    Ok(weapon_group_with_specials(sword, &specials.unwrap_or_default()))
}

/// Creates one weapon with its special rules.
fn weapon_group_with_specials(sword: Table, specials: &WeaponSpecialRules) -> EqualWeapons {
    EqualWeapons {
        shots: sword.get("shots").and_then(Toml::as_integer),
        sword,
        count: 1,
        alternative: specials.alternative,
        rounds: specials.limited,
        reduced: specials.reduced.into(),
        close_quarters: false,
        reach: None,
        printed: None,
    }
}

/// Returns the fields that a form has, as in a file.
fn given_fields_as_table(form: &Form, fields: &[Field]) -> Table {
    let entries = form.fields_with_values();
    let wanted = entries.filter(|(name, _)| fields.iter().any(|field| field.name == **name));
    wanted.map(|(name, value)| (name.to_string(), Toml::from(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mounts(name: &str) -> Vec<EqualWeapons> {
        let unit = row_books::unit_rows().find_row_by_name(name).expect("it is printed");
        printed_weapon_groups(unit)
    }

    fn key(mount: &EqualWeapons) -> &str {
        mount.sword["weapon"].as_str().expect("it has a name")
    }

    /// Returns the weapons of a unit by the last word of their keys, with their counts.
    fn all(name: &str) -> Vec<(String, u8)> {
        let mounts = mounts(name);
        let told = |mount: &EqualWeapons| {
            let weapon = key(mount).rsplit('/').next();
            (weapon.expect("it has a last part").to_owned(), mount.count)
        };
        mounts.iter().map(told).collect()
    }

    #[test]
    fn a_weapon_on_either_side_is_carried_twice() {
        let told = |name: &str, count| (name.to_owned(), count);
        assert_eq!(
            all("Scourge/Ravager AA Beetle"),
            [told("Cutting Claws", 1), told("Shard Flak Cannon", 2)]
        );
        assert_eq!(
            all("PHR/Persephone Hive Scorpion"),
            [told("Heavy Minigun", 2), told("Nanomachine Swarm", 2)]
        );
        let twice = |name: &str, weapon: &str| {
            let of = all(name).into_iter().find(|(own, _)| own == weapon);
            assert_eq!(of, Some(told(weapon, 2)), "{name}");
        };
        twice("PHR/Hades Scorpion", "Heavy Minigun");
        twice("Scourge/Eradicator Chameleopod", "Plasma Fusillade");
        // Weapons with separate names are two weapons, as before.
        let drone = all("UCM/Ferrum Drone base");
        let guns = drone.iter().filter(|(name, _)| name.starts_with("Twin"));
        assert_eq!(guns.map(|(_, count)| *count).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn what_the_reader_of_specials_knows_is_told() {
        let of = |unit: &str, weapon: &str| {
            let mut mounts = mounts(unit).into_iter();
            let named = mounts.find(|mount| key(mount).ends_with(&format!("/{weapon}")));
            named.expect("it is carried")
        };
        let rockets = of("Resistance/Resistance Fighters", "Homemade RPGs");
        assert_eq!((rockets.alternative, rockets.rounds), (Some(1), Some(1)));
        assert!(rockets.reduced == 1 && !rockets.close_quarters);
        let knives = of("resistance/resistance fighters", "Knives and Pistols");
        assert!(knives.close_quarters && knives.alternative.is_none());
    }
}
