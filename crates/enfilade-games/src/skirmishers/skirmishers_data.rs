//! Built-in data of `skirmishers`: weapons with their point values, the unit card, structures,
//! experience and armour.
//!
//! Source: `data/skirmishers_*.tsv`, each headed by the source of its numbers. Rows are parsed
//! once; a broken row is an error with file and line, and no contest is built.

use enfilade_model::form::name_matching::{NameList, name_list};
use std::num::NonZeroU32;
use std::sync::LazyLock;

use enfilade_model::catalogue::PrintedDataTable;
use enfilade_model::form::field_macros::choice;

use super::hit_card::LethalAndBludgeoning;
use crate::tsv::{TsvDataError, TsvRow, by_name, rows, sheet};

choice! {
    /// Use of a weapon.
    pub enum WeaponKind {
        /// Fired by one trooper.
        Ranged = "ranged",
        /// Served by a crew.
        Crewed = "crewed",
        /// Fires something that explodes.
        Launcher = "launcher",
        /// Sets dots on fire; does not scatter.
        Incendiary = "incendiary",
        /// Thrown, explodes.
        Grenade = "grenade",
        /// Thrown, sets dots on fire.
        FireGrenade = "fire-grenade",
        /// Hand to hand.
        Melee = "melee",
    }
}

impl WeaponKind {
    /// Returns whether the weapon is thrown.
    pub fn is_thrown(self) -> bool {
        matches!(self, WeaponKind::Grenade | WeaponKind::FireGrenade)
    }

    /// Returns whether its damage is by ring.
    pub fn has_damage_by_ring(self) -> bool {
        !matches!(self, WeaponKind::Ranged | WeaponKind::Crewed | WeaponKind::Melee)
    }

    /// Returns whether it sets dots on fire.
    pub fn is_incendiary(self) -> bool {
        matches!(self, WeaponKind::Incendiary | WeaponKind::FireGrenade)
    }
}

/// Printed value of a weapon whose thrower chooses the action points.
const CHOSEN_AP_CELL: &str = "AP";

rows! {
    /// Printed weapon.
    pub struct WeaponRow(row) {
        /// Name of the weapon.
        name: String = row.name_in_column("name")?.to_owned();
        /// Use of the weapon.
        kind: WeaponKind = row.parse_cell_with("kind", |cell| {
            WeaponKind::named(cell).ok_or_else(|| format!("unknown kind \"{cell}\""))
        })?;
        /// Damage by ring, the point of detonation first.
        rings: Vec<LethalAndBludgeoning> = row.parse_cell_with("damage", parse_damage_by_ring)?;
        /// Attacks for each shot of an arc.
        multiplier: u8 = row.number_in_column("shots")?;
        /// Action points of an attack, where they are printed as a number.
        ap: Option<u8> = if row.text_in_column("ap")? == CHOSEN_AP_CELL { None } else { row.number_or_none_mark("", "ap")? };
        /// Rounds that come with it, where they are counted.
        ammo: Option<u8> = row.number_or_none_mark("", "ammo")?;
        /// Troopers needed beside the one who carries it.
        crew: u8 = row.number_or_none_mark("", "crew")?.unwrap_or(0);
        /// Short range in dots, where it has one.
        short: Option<i64> = row.number_or_none_mark("", "short")?;
        /// Long range in dots, where it has one.
        long: Option<i64> = row.number_or_none_mark("", "long")?;
        /// Point value, where it has one; never 0, because kills are computed per point.
        pv: Option<NonZeroU32> = row.number_or_none_mark("", "pv")?;
    }

    /// Experience level or kind of armour.
    pub struct ArmourOrExperienceRow(row) {
        /// Name of the level or armour.
        name: String = row.name_in_column("name")?.to_owned();
        /// Bonus on action points.
        ap: i64 = row.number_in_column("ap")?;
        /// Target number of its morale check.
        morale: Option<i64> = row.number_or_none_mark("", "morale")?;
        /// Cells it protects.
        cells: Option<u8> = row.number_or_none_mark("", "cells")?;
    }
}

/// Cell of the unit card.
#[derive(Clone, Copy, Debug)]
pub struct UnitCardCell {
    /// Action points at this HP.
    pub ap: i64,
    /// Modifier of attacks at this HP; `None` when no attack is possible.
    pub modifier: Option<i64>,
}

/// Built-in data of the system.
pub struct SkirmishersData {
    /// Weapons.
    pub weapons: Vec<WeaponRow>,
    /// Cells by HP, 0 to 10.
    pub card: Vec<UnitCardCell>,
    /// Toughness by structure.
    pub structures: Vec<(String, u16)>,
    /// Experience and armour.
    pub troops: Vec<ArmourOrExperienceRow>,
}

static LAZY_SKIRMISHERS_DATA: LazyLock<Result<SkirmishersData, TsvDataError>> =
    LazyLock::new(|| {
        let mut card = sheet!("skirmishers_card.tsv")?.read_each_row(read_card_cell_of_hp)?;
        card.sort_by_key(|(hp, _)| *hp);
        Ok(SkirmishersData {
            weapons: sheet!("skirmishers_weapons.tsv")?.read_each_row(WeaponRow::read)?,
            card: card.into_iter().map(|(_, row)| row).collect(),
            structures: sheet!("skirmishers_toughness.tsv")?.read_each_row(read_structure_row)?,
            troops: sheet!("skirmishers_troops.tsv")?.read_each_row(ArmourOrExperienceRow::read)?,
        })
    });

/// Checks that the built-in data can be read.
///
/// # Errors
/// The first broken row, with its file and line.
pub fn check_data_files() -> Result<(), String> {
    LAZY_SKIRMISHERS_DATA.as_ref().map(drop).map_err(TsvDataError::to_string)
}

/// Returns the built-in data.
pub fn skirmishers_data() -> &'static SkirmishersData {
    LAZY_SKIRMISHERS_DATA.as_ref().expect("the data of a system is checked before its first use")
}

by_name! {
    &'static WeaponRow: |name: &str| skirmishers_data().weapon_by_name(name);
}

impl SkirmishersData {
    /// Returns the weapon of that name.
    pub fn weapon_by_name(&self, name: &str) -> Option<&WeaponRow> {
        self.weapons.iter().find(|row| row.name == name)
    }

    /// Returns the experience level or armour of that name.
    pub fn find_armour_or_level(&self, name: &str) -> Option<&ArmourOrExperienceRow> {
        self.troops.iter().find(|row| row.name == name)
    }
}

/// Weapons as the source prints them, with their names here.
const PRINTED_WEAPON_SPELLINGS: [(&str, &str); 6] = [
    ("Light Machine Gun", "LMG"),
    ("Medium Machine Gun", "MMG"),
    ("Heavy Machine Gun", "HMG"),
    ("Light Anti-Tank Weapon", "light anti-tank"),
    ("LAW", "light anti-tank"),
    ("Satchel Charge", "satchel"),
];

name_list! {
    /// Names of weapons that a form may use.
    pub fn weapon_names() = {
        NameList::from_names_without_numbers(skirmishers_data().weapons.iter().map(|row| row.name.clone()).collect()).with_synonyms(&PRINTED_WEAPON_SPELLINGS)
    }
}

name_list! {
    /// Names of structures that a form may use.
    pub fn structure_names() = {
        NameList::from_names_without_numbers(skirmishers_data().structures.iter().map(|(name, _)| name.clone()).collect())
    }
}

/// Returns the data as users see it.
pub fn build_data_tables() -> Vec<PrintedDataTable> {
    let sheets = [
        ("weapons", sheet!("skirmishers_weapons.tsv")),
        ("unit card", sheet!("skirmishers_card.tsv")),
        ("structures", sheet!("skirmishers_toughness.tsv")),
        ("experience and armour", sheet!("skirmishers_troops.tsv")),
    ];
    sheets.into_iter().filter_map(|(name, sheet)| Some(sheet.ok()?.to_data_table(name))).collect()
}

fn read_card_cell_of_hp(row: TsvRow<'_>) -> Result<(u8, UnitCardCell), TsvDataError> {
    let cell = UnitCardCell {
        ap: row.number_in_column("ap")?,
        modifier: row.number_or_none_mark("-", "modifier")?,
    };
    Ok((row.number_in_column("hp")?, cell))
}

fn read_structure_row(row: TsvRow<'_>) -> Result<(String, u16), TsvDataError> {
    Ok((row.name_in_column("structure")?.to_owned(), row.number_in_column("toughness")?))
}

/// Parses damage by ring, `7X/3X/1X`, or of one hit, `4X`, `5\` or `1X+4\`.
///
/// # Errors
/// One sentence when the text has another form.
pub fn parse_damage_by_ring(text: &str) -> Result<Vec<LethalAndBludgeoning>, String> {
    text.split('/').map(parse_single_hit_damage).collect()
}

fn parse_single_hit_damage(text: &str) -> Result<LethalAndBludgeoning, String> {
    let wrong = || format!("the damage \"{text}\" is not printed like 4X, 5\\ or 1X+4\\");
    let mut damage = LethalAndBludgeoning::default();
    for part in text.split('+').map(str::trim) {
        let (place, digits) = match (part.strip_suffix(['X', 'x']), part.strip_suffix('\\')) {
            (Some(digits), _) => (&mut damage.lethal, digits),
            (None, Some(digits)) => (&mut damage.bludgeoning, digits),
            (None, None) => return Err(wrong()),
        };
        let points = digits.parse().map_err(|_| wrong())?;
        *place = Some(points).filter(|points| (1..=100).contains(points)).ok_or_else(wrong)?;
    }
    Ok(damage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tsv::TsvTable;

    #[test]
    fn every_row_is_read() {
        let data = skirmishers_data();
        assert_eq!((data.weapons.len(), data.card.len()), (31, 11));
        let laser = data.weapon_by_name("semi-portable laser").expect("printed");
        // One trooper more, 10X, 80 and 240 dots, 437 points.
        assert_eq!((laser.crew, laser.rings[0].lethal), (1, 10));
        assert_eq!(
            (laser.short, laser.long, laser.pv),
            (Some(80), Some(240), NonZeroU32::new(437))
        );
        let missile = data.weapon_by_name("anti-tank missile").expect("printed");
        let lethal: Vec<_> = missile.rings.iter().map(|ring| ring.lethal).collect();
        assert_eq!(lethal, [13, 6, 3, 1]);
    }

    #[test]
    fn damage_is_read_as_printed() {
        let mixed = LethalAndBludgeoning { lethal: 1, bludgeoning: 4 };
        assert_eq!(parse_damage_by_ring("1X+4\\"), Ok(vec![mixed]));
        for wrong in ["7", "X", "0X", "4Y", "4X/", "300X"] {
            assert!(parse_damage_by_ring(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn broken_rows_are_refused_with_file_and_line() {
        let refused = |row: &str| {
            let head = "name\tkind\tdamage\tshots\tap\tammo\tcrew\tshort\tlong\tpv";
            let text = format!("# source\n{head}\n{row}\n").leak();
            let broken = TsvTable::from_tsv_text("data/x.tsv", text)
                .and_then(|sheet| sheet.read_each_row(WeaponRow::read));
            broken.expect_err("the row is broken").to_string()
        };
        let no_kind = refused("LMG\tcrwed\t5X\t1\t\t\t0\t29\t100\t150");
        assert_eq!(no_kind, "data/x.tsv:3: unknown kind \"crwed\"");
        assert!(refused("LMG\tcrewed\t5Y\t1\t\t\t0\t29\t100\t150").contains("damage"));
        assert!(refused("LMG\tcrewed\t5X\t\t\t\t0\t29\t100\t150").contains("`shots` is a number"));
        assert!(refused("LMG\tcrewed").contains("2 cells for 10 columns"));
        let free = refused("LMG\tcrewed\t5X\t1\t\t\t0\t29\t100\t0");
        assert!(free.contains("`pv` is a number, not `0`"));
    }
}
