//! Built-in units and weapons of `dropzone`: 145 units and 306 printed weapons.
//!
//! Source: `data/dropzone_units.tsv` and `data/dropzone_weapons.tsv`, each headed by the source of
//! its numbers. Rows are parsed once, into typed rows; a broken row is an error with file and line
//! and no contest is built. A weapon printed once per arc with the same numbers is one row with a
//! count.

use enfilade_model::form::name_matching::{NameList, name_list};
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use enfilade_model::catalogue::PrintedDataTable;

use super::data_rows::{SceneryPieceRow, UnitRow, WeaponRow, merge_rows_by_arc};
use crate::tsv::{TsvDataError, TsvRow, by_name, sheet};

/// Parsed table with its rows by name.
pub struct NamedRows<R> {
    /// Rows in printed order.
    pub rows: Vec<R>,
    names: NameList,
    by_name: FxHashMap<String, usize>,
}

impl<R> NamedRows<R> {
    fn from_rows_with_short_names(
        rows: Vec<R>,
        short_names: usize,
        key: impl Fn(&R) -> &str,
    ) -> NamedRows<R> {
        let keys: Vec<_> = rows.iter().map(|row| key(row).to_owned()).collect();
        let short = self::unambiguous_short_names(&keys, short_names);
        let named = keys.into_iter().zip(0..).chain(short);
        let named: Vec<(String, usize)> = named.collect();
        let names = named.iter().map(|(name, _)| name.clone()).collect();
        NamedRows {
            rows,
            names: NameList::from_names_without_numbers(names),
            by_name: named.into_iter().collect(),
        }
    }

    /// Returns the row of a name, printed or short.
    pub fn get(&self, name: &str) -> Option<&R> {
        self.by_name.get(name).map(|&place| &self.rows[place])
    }

    /// Finds the row that a name means, printed or short, with any case and spacing.
    pub fn find_row_by_name(&self, name: &str) -> Option<&R> {
        self.get(self.names.find_ignoring_case_and_marks(name)?.0)
    }
}

/// Returns names with fewer words of the unit, where they are unambiguous: `Scourge/Hunter` for
/// `Scourge/Hunter Tank`. At most `most` for each key, the shortest first.
fn unambiguous_short_names(keys: &[String], most: usize) -> Vec<(String, usize)> {
    let shorts: Vec<_> = keys.iter().map(|key| candidate_short_keys(key)).collect();
    let mut times = FxHashMap::default();
    for name in keys.iter().chain(shorts.iter().flatten()) {
        // Full keys count as well: a short name must not be the full name of another unit.
        *times.entry(name.as_str()).or_insert(0) += 1;
    }
    let mut names = Vec::new();
    for (place, shorts) in shorts.iter().enumerate() {
        let clear = shorts.iter().filter(|short| times[short.as_str()] == 1);
        names.extend(clear.take(most).map(|short| (short.clone(), place)));
    }
    names
}

/// Returns the key with only the first word of its unit, with the first two, and so on.
fn candidate_short_keys(key: &str) -> Vec<String> {
    let parts: Vec<_> = key.split('/').collect();
    let words: Vec<_> = parts[1].split(' ').collect();
    let cut = |n: usize| {
        let mut parts = parts.clone();
        let unit = words[..n].join(" ");
        parts[1] = &unit;
        parts.join("/")
    };
    (1..words.len()).map(cut).collect()
}

static LAZY_UNIT_ROWS: LazyLock<Result<NamedRows<UnitRow>, TsvDataError>> = LazyLock::new(|| {
    let rows = sheet!("dropzone_units.tsv")?.read_each_row(UnitRow::read)?;
    Ok(NamedRows::from_rows_with_short_names(rows, 4, |row| &row.key))
});

static LAZY_WEAPON_ROWS: LazyLock<Result<NamedRows<WeaponRow>, TsvDataError>> =
    LazyLock::new(|| {
        let units = LAZY_UNIT_ROWS.as_ref().map_err(TsvDataError::clone)?;
        let rows = sheet!("dropzone_weapons.tsv")?
            .read_each_row(|row| Ok((row.line_number(), WeaponRow::read(row)?)))?;
        let mut rows = merge_rows_by_arc("data/dropzone_weapons.tsv", rows)?;
        for row in &mut rows {
            row.points = units.get(row.carrier_key()).and_then(|unit| unit.points);
        }
        Ok(NamedRows::from_rows_with_short_names(rows, 1, |row| &row.key))
    });

static LAZY_SCENERY_ROWS: LazyLock<Result<Vec<SceneryPieceRow>, TsvDataError>> =
    LazyLock::new(|| sheet!("dropzone_scenery.tsv")?.read_each_row(SceneryPieceRow::read));

/// Commanders are only shown to users, but their rows are checked to be three numbers all the same.
static LAZY_COMMANDER_CHECK: LazyLock<Result<(), TsvDataError>> = LazyLock::new(|| {
    let columns = ["command_value", "influence", "points"];
    let read =
        |row: TsvRow<'_>| columns.iter().try_for_each(|c| row.number_in_column::<u16>(c).map(drop));
    sheet!("dropzone_commanders.tsv")?.read_each_row(read).map(drop)
});

/// Checks that the built-in data can be read.
///
/// # Errors
/// The first broken row, with its file and line.
pub fn check_data_files() -> Result<(), String> {
    let units = LAZY_UNIT_ROWS.as_ref().map(drop);
    let weapons = LAZY_WEAPON_ROWS.as_ref().map(drop);
    let pieces = LAZY_SCENERY_ROWS.as_ref().map(drop);
    let commanders = LAZY_COMMANDER_CHECK.as_ref().map(drop);
    let all = units.and(weapons).and(pieces).and(commanders);
    all.map_err(TsvDataError::to_string)
}

fn expect_readable_data<B>(book: &'static Result<B, TsvDataError>) -> &'static B {
    book.as_ref().expect("the data of a system is checked before its first use")
}

/// Returns the units.
pub fn unit_rows() -> &'static NamedRows<UnitRow> {
    expect_readable_data(&LAZY_UNIT_ROWS)
}

/// Returns the weapons.
pub fn weapon_rows() -> &'static NamedRows<WeaponRow> {
    expect_readable_data(&LAZY_WEAPON_ROWS)
}

/// Returns the pieces of scenery.
pub fn scenery_piece_rows() -> &'static Vec<SceneryPieceRow> {
    expect_readable_data(&LAZY_SCENERY_ROWS)
}

name_list! {
    /// Names of pieces that a form may use.
    pub fn all_scenery_piece_names() = {
        NameList::from_names_without_numbers(scenery_piece_rows().iter().map(|row| row.name.clone()).collect())
    }
}

name_list! {
    /// Names of targets that a form may use: units and pieces.
    pub fn unit_and_scenery_names() = {
        let names = unit_name_list().iter().chain(all_scenery_piece_names().iter());
        NameList::from_names_without_numbers(names.map(str::to_owned).collect())
    }
}

/// Returns the names of units, printed and short.
pub fn unit_name_list() -> &'static NameList {
    &unit_rows().names
}

/// Returns the piece of scenery of that name.
pub fn find_scenery_piece(name: &str) -> Option<&'static SceneryPieceRow> {
    scenery_piece_rows().iter().find(|row| row.name == name)
}

/// Returns the names of weapons that a form may use.
pub fn weapon_names() -> &'static NameList {
    &weapon_rows().names
}

/// Target of the built-in data.
#[derive(Clone, Copy, Debug)]
pub enum PrintedTarget {
    /// Unit of the data.
    Unit(&'static UnitRow),
    /// Piece of scenery of the data.
    Scenery(&'static SceneryPieceRow),
}

by_name! {
    PrintedTarget: |name: &str| {
        find_scenery_piece(name).map(PrintedTarget::Scenery).or_else(|| unit_rows().get(name).map(PrintedTarget::Unit))
    };
    &'static WeaponRow: |name: &str| weapon_rows().get(name);
}

/// Returns the data as users see it.
pub fn build_data_tables() -> Vec<PrintedDataTable> {
    let sheets = [
        ("units", sheet!("dropzone_units.tsv")),
        ("weapons", sheet!("dropzone_weapons.tsv")),
        ("scenery", sheet!("dropzone_scenery.tsv")),
        ("commanders", sheet!("dropzone_commanders.tsv")),
    ];
    sheets.into_iter().filter_map(|(name, sheet)| Some(sheet.ok()?.to_data_table(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::data_rows::PrintedWeaponRange;
    use super::super::specials::UnitType;
    use super::*;

    #[test]
    fn every_row_is_read() {
        let (units, weapons) = (unit_rows(), weapon_rows());
        assert_eq!(units.rows.len(), 145);
        // 306 printed; five of them are a second arc of the one above.
        assert_eq!(weapons.rows.len(), 301);
        assert_eq!(units.rows.iter().filter(|row| row.points.is_none()).count(), 11);
        let open = |row: &&WeaponRow| row.shots.is_none() || row.energy.is_none();
        // Two Ion Storms and two Grav weapons depend on the situation, five weapons do no damage.
        assert_eq!(weapons.rows.iter().filter(open).count(), 9);
    }

    #[test]
    fn rows_are_typed() {
        let units = unit_rows();
        let tank = units.get("Shaltari/Tomahawk Gravtank").expect("printed");
        assert_eq!((tank.armour, tank.damage_points), (12, 1));
        assert_eq!(
            (tank.counter.active, tank.counter.evasion, tank.counter.passive),
            (true, 2, Some(5))
        );
        assert_eq!(tank.unit_type, UnitType::Skimmer);
        let weapons = weapon_rows();
        let rail = weapons.get("UCM/Sabre Tank/Avenger Railgun").expect("printed");
        assert_eq!((rail.shots, rail.accuracy, rail.energy), (Some(1), Some(1), Some(10)));
        assert_eq!(
            (rail.full, rail.countered),
            (PrintedWeaponRange::Unlimited, PrintedWeaponRange::Inches(24))
        );
        assert_eq!(rail.points, Some(35));
        let close = weapons.get("UCM/Legionnaires/Close Assault Rifles").expect("printed");
        assert_eq!((close.full, close.accuracy), (PrintedWeaponRange::CloseQuarters, None));
    }

    #[test]
    fn short_names_are_known_where_they_leave_no_doubt() {
        let units = unit_rows();
        let hunter = units.get("Scourge/Hunter").expect("no other Hunter");
        assert_eq!(hunter.key, "Scourge/Hunter Tank");
        assert!(units.get("UCM/Gladius Heavy").is_some());
        assert!(units.get("UCM/Gladius").is_some());
        assert!(units.get("PHR/Triton Light").is_none(), "a dropship and a troopship");
    }
}
