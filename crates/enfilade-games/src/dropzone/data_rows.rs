//! Typed rows of the built-in data, and their parsing from printed lines.
//!
//! Source: `data/dropzone_*.tsv`. A line that does not fit is an error with its file and number,
//! and is never skipped.

use crate::tsv::{TsvDataError, TsvRow, rows};

use super::specials::{UnitSpecialRules, UnitType, WeaponSpecialRules, split_special_list};

rows! {
    /// Printed unit.
    pub struct UnitRow(row) {
        /// `Scourge/Hunter Tank`.
        key: String = join_cells_to_key(row, &["faction", "unit"])?;
        /// Points of one model, when printed.
        points: Option<u32> = row.number_or_none_mark("", "points")?;
        /// Armour.
        armour: i64 = row.number_in_column("armour")?;
        /// Damage Points of one model.
        damage_points: u8 = row.number_in_column("damage_points")?;
        /// Unit type.
        unit_type: UnitType = row.parse_cell_with("type", |cell| {
            UnitType::named(cell).ok_or_else(|| format!("unknown type \"{cell}\""))
        })?;
        /// Fortitude, X+, when printed.
        fortitude: Option<u8> = row.parse_cell_with("fortitude", |cell| parse_target_face("", cell))?;
        /// Special rules.
        specials: UnitSpecialRules = row.parse_cell_with("special", |cell| UnitSpecialRules::from_special_texts(split_special_list(cell)))?;
        /// Countermeasures.
        counter: UnitCountermeasures = row.parse_cell_with("countermeasures", parse_countermeasures_cell)?;
    }

    /// Printed weapon.
    pub struct WeaponRow(row) {
        /// `UCM/Sabre Tank/Avenger Railgun`.
        key: String = join_cells_to_key(row, &["faction", "unit", "weapon"])?;
        /// Points of one model of the unit that carries it, when printed.
        points: Option<u32> = None;
        /// Range.
        full: PrintedWeaponRange = row.parse_cell_with("range_full", parse_weapon_range)?;
        /// Range at active countermeasures.
        countered: PrintedWeaponRange = row.parse_cell_with("range_countered", parse_weapon_range)?;
        /// Hit dice, unless they depend on the situation.
        shots: Option<u16> = row.number_or_none_mark("*", "shots")?;
        /// Accuracy, X+; `None` hits by itself.
        accuracy: Option<i64> =
            row.parse_cell_with("accuracy", |cell| parse_target_face("-", cell))?.map(i64::from);
        /// Energy, unless it depends on the situation or the weapon does no damage.
        energy: Option<i64> = if row.text_in_column("energy")? == "-" { None } else { row.number_or_none_mark("*", "energy")? };
        /// Number of times that it is printed for its unit, once per arc: as many of them are
        /// carried.
        count: u8 = 1;
        /// Special rules.
        specials: WeaponSpecialRules = row.parse_cell_with("special", |cell| WeaponSpecialRules::from_special_texts(split_special_list(cell)))?;
    }

    /// Piece of scenery that can be destroyed.
    pub struct SceneryPieceRow(row) {
        /// Name: `medium building`.
        name: String = row.name_in_column("piece")?.to_owned();
        /// Armour.
        armour: i64 = row.number_in_column("armour")?;
        /// Damage Points.
        damage_points: u8 = row.number_in_column("damage_points")?;
        /// Whether the piece burns.
        flammable: bool = row.parse_cell_with("flammable", parse_yes_no)?;
        /// Whether squads can be inside.
        garrison: bool = row.parse_cell_with("garrison", parse_yes_no)?;
    }
}

/// Defences of a unit against hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCountermeasures {
    /// Active countermeasures.
    pub active: bool,
    /// Evasion.
    pub evasion: i64,
    /// Passive countermeasures, X+.
    pub passive: Option<u8>,
}

impl WeaponRow {
    /// Returns the key of the unit that carries the weapon.
    pub fn carrier_key(&self) -> &str {
        self.key.rsplit_once('/').map_or("", |(unit, _)| unit)
    }
}

/// Range in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedWeaponRange {
    /// Range in inches.
    Inches(u16),
    /// Range as far as the line of sight.
    Unlimited,
    /// Its garrison only.
    CloseQuarters,
    /// Not printed.
    Unknown,
}

impl PrintedWeaponRange {
    /// Returns whether a target `range` inches away is within reach.
    pub fn reaches_target_at(self, range: i64) -> bool {
        match self {
            PrintedWeaponRange::Inches(inches) => range <= i64::from(inches),
            PrintedWeaponRange::Unlimited
            | PrintedWeaponRange::CloseQuarters
            | PrintedWeaponRange::Unknown => true,
        }
    }
}

fn parse_countermeasures_cell(words: &str) -> Result<UnitCountermeasures, String> {
    let mut counter = UnitCountermeasures::default();
    for word in split_special_list(words) {
        if word == "A" {
            counter.active = true;
        } else if let Some(evasion) = word.strip_prefix("E+") {
            counter.evasion = evasion.parse().map_err(|_| format!("no evasion: \"{word}\""))?;
        } else if let Some(passive) = word.strip_prefix('P') {
            counter.passive = parse_target_face("", passive)?;
        } else {
            return Err(format!("unknown countermeasure \"{word}\""));
        }
    }
    Ok(counter)
}

/// Merges rows that are printed once per arc with the same numbers, and counts them.
///
/// # Errors
/// If two rows of one name have different numbers.
pub fn merge_rows_by_arc(
    file: &'static str,
    rows: Vec<(usize, WeaponRow)>,
) -> Result<Vec<WeaponRow>, TsvDataError> {
    let mut once: Vec<WeaponRow> = Vec::with_capacity(rows.len());
    for (line, row) in rows {
        match once.iter_mut().find(|earlier| earlier.key == row.key) {
            None => once.push(row),
            // A second line of equal numbers is a second arc, and the unit carries the weapon
            // again.
            Some(earlier) if has_same_numbers(earlier, &row) => earlier.count += 1,
            Some(_) => {
                let problem = format!("\"{}\" has other numbers further up", row.key);
                return Err(TsvDataError { file, line, problem });
            }
        }
    }
    Ok(once)
}

fn has_same_numbers(a: &WeaponRow, b: &WeaponRow) -> bool {
    let numbers = |row: &WeaponRow| (row.full, row.countered, row.shots, row.accuracy, row.energy);
    numbers(a) == numbers(b) && a.specials == b.specials
}

fn parse_yes_no(cell: &str) -> Result<bool, String> {
    match cell {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("expected yes or no, found \"{other}\"")),
    }
}

/// Joins the names under these columns to one key.
fn join_cells_to_key(row: TsvRow<'_>, columns: &[&str]) -> Result<String, TsvDataError> {
    let names: Result<Vec<_>, _> =
        columns.iter().map(|column| row.name_in_column(column)).collect();
    Ok(names?.join("/"))
}

/// Parses a printed `X+`, `None` for `nothing`.
fn parse_target_face(nothing: &str, cell: &str) -> Result<Option<u8>, String> {
    if cell == nothing {
        return Ok(None);
    }
    let face = cell.strip_suffix('+').and_then(|face| face.parse().ok());
    let face = face.filter(|face| *face <= 7);
    face.map(Some).ok_or_else(|| format!("\"{cell}\" is not printed as X+, up to 7+"))
}

fn parse_weapon_range(cell: &str) -> Result<PrintedWeaponRange, String> {
    match cell {
        "∞" => Ok(PrintedWeaponRange::Unlimited),
        "CQ" => Ok(PrintedWeaponRange::CloseQuarters),
        "-" => Ok(PrintedWeaponRange::Unknown),
        inches => {
            let number = inches.trim_end_matches('"').parse();
            number.map(PrintedWeaponRange::Inches).map_err(|_| format!("no range: {inches}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tsv::TsvTable;

    fn sheet(head: &str, rows: &[String]) -> TsvTable {
        let text = format!("# source\n{}\n{}\n", head.replace(' ', "\t"), rows.join("\n"));
        TsvTable::from_tsv_text("data/x.tsv", text.leak()).expect("every row has all columns")
    }

    #[test]
    fn broken_rows_are_refused_with_file_and_line() {
        let head =
            "faction unit points move countermeasures armour damage_points type fortitude special";
        let refused = |row: &str| {
            let broken = sheet(head, &[row.to_owned()]).read_each_row(UnitRow::read);
            broken.expect_err("the row is broken").to_string()
        };
        let no_armour = refused("UCM\tTank\t35\t4\"\tA\t\t1\tTank\t\t");
        assert_eq!(no_armour, "data/x.tsv:3: `armour` is a number, not ``");
        let no_type = refused("UCM\tTank\t35\t4\"\tA\t15\t1\tTnak\t\t");
        assert_eq!(no_type, "data/x.tsv:3: unknown type \"Tnak\"");
        assert!(refused("UCM\tTank\t35\t4\"\tQ\t15\t1\tTank\t\t").contains("countermeasure"));
        assert!(refused("UCM\t\t35\t4\"\tA\t15\t1\tTank\t\t").contains("a name is missing"));
    }

    #[test]
    fn one_weapon_may_not_have_two_profiles() {
        let head = "faction unit weapon move_and_fire arc range_full range_countered shots accuracy energy special";
        let row = |energy| format!("UCM\tTank\tGun\t-\tF\t24\"\t12\"\t2\t3+\t{energy}\t");
        let rows = sheet(head, &[row(4), row(5)]);
        let rows = rows.read_each_row(|row| Ok((row.line_number(), WeaponRow::read(row)?)));
        let rows = rows.expect("each row is sound");
        let broken = merge_rows_by_arc("data/x.tsv", rows).expect_err("two energies");
        assert_eq!(broken.line, 4);
    }
}
