//! Rows of the built-in data, typed, and how a printed line becomes one.
//!
//! Source: `data/dropzone_*.tsv`. A line that does not fit is an error with its file and number,
//! never skipped.

use crate::systems::sheet::{DataError, Record};

use super::specials::{UnitSpecials, UnitType, WeaponSpecials, split};

/// A unit as the data prints it.
#[derive(Clone, Debug)]
pub struct UnitRow {
    /// `Scourge/Hunter Tank`.
    pub key: String,
    /// Points of one model, when printed.
    pub points: Option<u32>,
    /// Active countermeasures.
    pub active: bool,
    /// Evasion.
    pub evasion: i64,
    /// Passive countermeasures, X+.
    pub passive: Option<u8>,
    /// Armour.
    pub armour: i64,
    /// Damage Points of one model.
    pub damage_points: u8,
    /// What it is.
    pub unit_type: UnitType,
    /// Fortitude, X+, when printed.
    pub fortitude: Option<u8>,
    /// Special rules.
    pub specials: UnitSpecials,
}

/// A weapon as the data prints it.
#[derive(Clone, Debug)]
pub struct WeaponRow {
    /// `UCM/Sabre Tank/Avenger Railgun`.
    pub key: String,
    /// Points of one model of the unit that carries it, when printed.
    pub points: Option<u32>,
    /// How far it shoots.
    pub full: Reach,
    /// How far it shoots at active countermeasures.
    pub countered: Reach,
    /// Hit dice, unless they depend on the situation.
    pub shots: Option<u16>,
    /// Accuracy, X+; `None` hits by itself.
    pub accuracy: Option<i64>,
    /// Energy, unless it depends on the situation or the weapon does no damage.
    pub energy: Option<i64>,
    /// How often it is printed for its unit, once per arc: as many of them are carried.
    pub count: u8,
    /// Special rules.
    pub specials: WeaponSpecials,
}

impl WeaponRow {
    /// The key of the unit that carries it.
    pub fn carrier(&self) -> &str {
        self.key.rsplit_once('/').map_or("", |(unit, _)| unit)
    }
}

/// A piece of scenery that can be destroyed.
#[derive(Clone, Debug)]
pub struct PieceRow {
    /// `medium building`.
    pub name: String,
    /// Armour.
    pub armour: i64,
    /// Damage Points.
    pub damage_points: u8,
    /// Whether it burns.
    pub flammable: bool,
}

/// A range in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Inches.
    Inches(u16),
    /// As far as the eye sees.
    Unlimited,
    /// The same garrison only.
    CloseQuarters,
    /// Not printed.
    Unknown,
}

impl Reach {
    /// Whether a target `range` inches away is within reach.
    pub fn holds(self, range: i64) -> bool {
        match self {
            Reach::Inches(inches) => range <= i64::from(inches),
            Reach::Unlimited | Reach::CloseQuarters | Reach::Unknown => true,
        }
    }
}

/// Reads a unit.
pub fn unit_row(row: Record<'_>) -> Result<UnitRow, DataError> {
    let mut unit = UnitRow {
        key: key(row, &["faction", "unit"])?,
        points: row.unless("", "points")?,
        active: false,
        evasion: 0,
        passive: None,
        armour: row.number("armour")?,
        damage_points: row.number("damage_points")?,
        unit_type: row.read("type", |cell| {
            UnitType::named(cell).ok_or_else(|| format!("unknown type \"{cell}\""))
        })?,
        fortitude: row.read("fortitude", |cell| face_unless("", cell))?,
        specials: row.read("special", |cell| UnitSpecials::read(split(cell)))?,
    };
    let words = row.text("countermeasures")?;
    for word in split(words) {
        countermeasure(&mut unit, word).map_err(|problem| row.fault(problem))?;
    }
    Ok(unit)
}

/// Reads a piece of scenery.
pub fn piece_row(row: Record<'_>) -> Result<PieceRow, DataError> {
    Ok(PieceRow {
        name: row.name("piece")?.to_owned(),
        armour: row.number("armour")?,
        damage_points: row.number("damage_points")?,
        flammable: row.read("flammable", |cell| match cell {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("flammable is \"{other}\", not yes or no")),
        })?,
    })
}

fn countermeasure(unit: &mut UnitRow, word: &str) -> Result<(), String> {
    if word == "A" {
        unit.active = true;
    } else if let Some(evasion) = word.strip_prefix("E+") {
        unit.evasion = evasion.parse().map_err(|_| format!("no evasion: \"{word}\""))?;
    } else if let Some(passive) = word.strip_prefix('P') {
        unit.passive = face_unless("", passive)?;
    } else {
        return Err(format!("unknown countermeasure \"{word}\""));
    }
    Ok(())
}

/// Reads a weapon.
pub fn weapon_row(row: Record<'_>) -> Result<(usize, WeaponRow), DataError> {
    let weapon = WeaponRow {
        key: key(row, &["faction", "unit", "weapon"])?,
        points: None,
        full: row.read("range_full", reach)?,
        countered: row.read("range_countered", reach)?,
        shots: row.unless("*", "shots")?,
        accuracy: row.read("accuracy", |cell| face_unless("-", cell))?.map(i64::from),
        energy: match row.text("energy")? {
            "-" => None,
            _ => row.unless("*", "energy")?,
        },
        count: 1,
        specials: row.read("special", |cell| WeaponSpecials::read(split(cell)))?,
    };
    Ok((row.line(), weapon))
}

/// Makes one row of those printed once per arc with the same numbers, and counts them.
pub fn once_per_arc(
    file: &'static str,
    rows: Vec<(usize, WeaponRow)>,
) -> Result<Vec<WeaponRow>, DataError> {
    let mut once: Vec<WeaponRow> = Vec::with_capacity(rows.len());
    for (line, row) in rows {
        match once.iter_mut().find(|earlier| earlier.key == row.key) {
            None => once.push(row),
            Some(earlier) if same_numbers(earlier, &row) => earlier.count += 1,
            Some(_) => {
                let problem = format!("\"{}\" has other numbers further up", row.key);
                return Err(DataError { file, line, problem });
            }
        }
    }
    Ok(once)
}

fn same_numbers(a: &WeaponRow, b: &WeaponRow) -> bool {
    let numbers = |row: &WeaponRow| (row.full, row.countered, row.shots, row.accuracy, row.energy);
    numbers(a) == numbers(b) && a.specials == b.specials
}

/// The names under these columns as one.
fn key(row: Record<'_>, columns: &[&str]) -> Result<String, DataError> {
    let names: Result<Vec<_>, _> = columns.iter().map(|column| row.name(column)).collect();
    Ok(names?.join("/"))
}

/// A printed `X+`, `None` where there is `nothing`.
fn face_unless(nothing: &str, cell: &str) -> Result<Option<u8>, String> {
    if cell == nothing {
        return Ok(None);
    }
    let face = cell.strip_suffix('+').and_then(|face| face.parse().ok());
    let face = face.filter(|face| *face <= 7);
    face.map(Some).ok_or_else(|| format!("\"{cell}\" is not printed as X+, up to 7+"))
}

fn reach(cell: &str) -> Result<Reach, String> {
    match cell {
        "∞" => Ok(Reach::Unlimited),
        "CQ" => Ok(Reach::CloseQuarters),
        "-" => Ok(Reach::Unknown),
        inches => {
            let number = inches.trim_end_matches('"').parse();
            number.map(Reach::Inches).map_err(|_| format!("no range: {inches}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::sheet::Sheet;

    fn sheet(head: &str, rows: &[String]) -> Sheet {
        let text = format!("# source\n{}\n{}\n", head.replace(' ', "\t"), rows.join("\n"));
        Sheet::parse("data/x.tsv", text.leak()).expect("every row has all columns")
    }

    #[test]
    fn broken_rows_are_refused_with_file_and_line() {
        let head =
            "faction unit points move countermeasures armour damage_points type fortitude special";
        let refused = |row: &str| {
            let broken = sheet(head, &[row.to_owned()]).rows(unit_row);
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
        let rows = sheet(head, &[row(4), row(5)]).rows(weapon_row).expect("each row is sound");
        let broken = once_per_arc("data/x.tsv", rows).expect_err("two energies");
        assert_eq!(broken.line, 4);
    }
}
