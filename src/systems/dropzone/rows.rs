//! Rows of the built-in data, typed, and how a printed line becomes one.
//!
//! Source: `data/dropzone_*.tsv`. A line that does not fit is an error with its file and number,
//! never skipped.

use std::fmt;

use super::specials::{UnitSpecials, UnitType, WeaponSpecials, split};

/// What is wrong with a row of built-in data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// File, relative to the project's root.
    pub file: &'static str,
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

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

/// Parses every row of a table; `#` lines and the head are passed over.
pub fn parse<R>(
    file: &'static str,
    text: &str,
    columns: usize,
    row: impl Fn(&[&str]) -> Result<R, String>,
) -> Result<Vec<(usize, R)>, Broken> {
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.starts_with('#')).skip(1);
    let parsed = lines.map(|(text, line)| {
        let cells: Vec<_> = text.split('\t').map(str::trim).collect();
        let whole = match cells.len() == columns {
            true => row(&cells),
            false => Err(format!("{} columns, expected {columns}", cells.len())),
        };
        whole.map(|row| (line, row)).map_err(|problem| Broken { file, line, problem })
    });
    parsed.collect()
}

/// Reads a unit.
pub fn unit_row(cells: &[&str]) -> Result<UnitRow, String> {
    let mut row = UnitRow {
        key: key(&cells[..2])?,
        points: optional("points", cells[2])?,
        active: false,
        evasion: 0,
        passive: None,
        armour: number("armour", cells[5])?,
        damage_points: number("damage points", cells[6])?,
        unit_type: UnitType::named(cells[7])
            .ok_or_else(|| format!("unknown type \"{}\"", cells[7]))?,
        fortitude: match cells[8] {
            "" => None,
            printed => Some(face("fortitude", printed)?),
        },
        specials: UnitSpecials::read(split(cells[9]))?,
    };
    for word in split(cells[4]) {
        countermeasure(&mut row, word)?;
    }
    Ok(row)
}

/// Reads a piece of scenery.
pub fn piece_row(cells: &[&str]) -> Result<PieceRow, String> {
    Ok(PieceRow {
        name: key(&cells[..1])?,
        armour: number("armour", cells[1])?,
        damage_points: number("damage points", cells[2])?,
        flammable: match cells[3] {
            "yes" => true,
            "no" => false,
            other => return Err(format!("flammable is \"{other}\", not yes or no")),
        },
    })
}

fn countermeasure(row: &mut UnitRow, word: &str) -> Result<(), String> {
    if word == "A" {
        row.active = true;
    } else if let Some(evasion) = word.strip_prefix("E+") {
        row.evasion = number("evasion", evasion)?;
    } else if let Some(passive) = word.strip_prefix('P') {
        row.passive = Some(face("passive countermeasures", passive)?);
    } else {
        return Err(format!("unknown countermeasure \"{word}\""));
    }
    Ok(())
}

/// Reads a weapon.
pub fn weapon_row(cells: &[&str]) -> Result<WeaponRow, String> {
    Ok(WeaponRow {
        key: key(&cells[..3])?,
        points: None,
        full: reach(cells[5])?,
        countered: reach(cells[6])?,
        shots: unless("*", "shots", cells[7])?,
        accuracy: match cells[8] {
            "-" => None,
            printed => Some(i64::from(face("accuracy", printed)?)),
        },
        energy: match cells[9] {
            "-" => None,
            printed => unless("*", "energy", printed)?,
        },
        count: 1,
        specials: WeaponSpecials::read(split(cells[10]))?,
    })
}

/// Makes one row of those printed once per arc with the same numbers, and counts them.
pub fn once_per_arc(
    file: &'static str,
    rows: Vec<(usize, WeaponRow)>,
) -> Result<Vec<WeaponRow>, Broken> {
    let mut once: Vec<WeaponRow> = Vec::with_capacity(rows.len());
    for (line, row) in rows {
        match once.iter_mut().find(|earlier| earlier.key == row.key) {
            None => once.push(row),
            Some(earlier) if same_numbers(earlier, &row) => earlier.count += 1,
            Some(_) => {
                let problem = format!("\"{}\" has other numbers further up", row.key);
                return Err(Broken { file, line, problem });
            }
        }
    }
    Ok(once)
}

fn same_numbers(a: &WeaponRow, b: &WeaponRow) -> bool {
    let numbers = |row: &WeaponRow| (row.full, row.countered, row.shots, row.accuracy, row.energy);
    numbers(a) == numbers(b) && a.specials == b.specials
}

fn key(cells: &[&str]) -> Result<String, String> {
    match cells.iter().any(|cell| cell.is_empty()) {
        true => Err("a name is missing".into()),
        false => Ok(cells.join("/")),
    }
}

fn number<N: std::str::FromStr>(what: &str, cell: &str) -> Result<N, String> {
    let refused = |_| match cell {
        "" => format!("the {what} is missing"),
        _ => format!("the {what} \"{cell}\" is no number that fits"),
    };
    cell.parse().map_err(refused)
}

fn optional<N: std::str::FromStr>(what: &str, cell: &str) -> Result<Option<N>, String> {
    unless("", what, cell)
}

fn unless<N: std::str::FromStr>(
    nothing: &str,
    what: &str,
    cell: &str,
) -> Result<Option<N>, String> {
    match cell == nothing {
        true => Ok(None),
        false => number(what, cell).map(Some),
    }
}

/// A printed `X+`.
fn face(what: &str, cell: &str) -> Result<u8, String> {
    let plus = cell.strip_suffix('+');
    let plus = plus.ok_or_else(|| format!("the {what} \"{cell}\" is not printed as X+"))?;
    let face = number(what, plus)?;
    match face <= 7 {
        true => Ok(face),
        false => Err(format!("the {what} \"{cell}\" is beyond 7+")),
    }
}

fn reach(cell: &str) -> Result<Reach, String> {
    match cell {
        "∞" => Ok(Reach::Unlimited),
        "CQ" => Ok(Reach::CloseQuarters),
        "-" => Ok(Reach::Unknown),
        inches => number("range", inches.trim_end_matches('"')).map(Reach::Inches),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_rows_are_refused_with_file_and_line() {
        let head = "# source\nfaction\tunit\n";
        let refused = |row: &str| {
            let text = format!("{head}{row}\n");
            let broken = parse("data/x.tsv", &text, 10, unit_row).expect_err("the row is broken");
            broken.to_string()
        };
        let no_armour = refused("UCM\tTank\t35\t4\"\tA\t\t1\tTank\t\t");
        assert_eq!(no_armour, "data/x.tsv:3: the armour is missing");
        let no_type = refused("UCM\tTank\t35\t4\"\tA\t15\t1\tTnak\t\t");
        assert_eq!(no_type, "data/x.tsv:3: unknown type \"Tnak\"");
        assert!(refused("UCM\tTank\t35\t4\"\tQ\t15\t1\tTank\t\t").contains("countermeasure"));
        assert!(refused("UCM\tTank\t35\t4\"").contains("4 columns"));
    }

    #[test]
    fn one_weapon_may_not_have_two_profiles() {
        let row = |energy| format!("UCM\tTank\tGun\t-\tF\t24\"\t12\"\t2\t3+\t{energy}\t\n");
        let text = format!("head\n{}{}", row(4), row(5));
        let rows = parse("data/x.tsv", &text, 11, weapon_row).expect("each row is sound");
        let broken = once_per_arc("data/x.tsv", rows).expect_err("two energies");
        assert_eq!(broken.line, 3);
    }
}
