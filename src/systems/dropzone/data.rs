//! The built-in units and weapons of `dropzone`: 145 units and 306 printed weapons.
//!
//! Source: `data/dropzone_units.tsv` and `data/dropzone_weapons.tsv`, each headed by where its
//! numbers come from. Rows are parsed once, into typed rows; a broken row is an error with file and
//! line and no contest is built. A weapon printed once per arc with the same numbers is one weapon.

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::form::Fault;
use crate::systems::Shelf;

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
    /// Special rules.
    pub specials: WeaponSpecials,
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

/// A parsed table and the rows by name.
pub struct Book<R> {
    /// Rows in printed order.
    pub rows: Vec<R>,
    names: Vec<String>,
    by_name: FxHashMap<String, usize>,
}

impl<R> Book<R> {
    fn new(rows: Vec<R>, short_names: usize, key: impl Fn(&R) -> &str) -> Book<R> {
        let keys: Vec<_> = rows.iter().map(|row| key(row).to_owned()).collect();
        let places = keys.iter().cloned().zip(0..);
        let mut book = Book {
            rows,
            names: keys.clone(),
            by_name: places.collect(),
        };
        for (short, place) in self::short_names(&keys, short_names) {
            book.names.push(short.clone());
            book.by_name.insert(short, place);
        }
        book
    }

    /// The row of a name, printed or short.
    pub fn get(&self, name: &str) -> Option<&R> {
        self.by_name.get(name).map(|&place| &self.rows[place])
    }
}

/// Names with fewer words of the unit, where that leaves no doubt: `Scourge/Hunter` for
/// `Scourge/Hunter Tank`. At most `most` for each key, the shortest first.
fn short_names(keys: &[String], most: usize) -> Vec<(String, usize)> {
    let shorts: Vec<_> = keys.iter().map(|key| shorter(key)).collect();
    let mut times = FxHashMap::default();
    for name in keys.iter().chain(shorts.iter().flatten()) {
        *times.entry(name.as_str()).or_insert(0) += 1;
    }
    let mut names = Vec::new();
    for (place, shorts) in shorts.iter().enumerate() {
        let clear = shorts.iter().filter(|short| times[short.as_str()] == 1);
        names.extend(clear.take(most).map(|short| (short.clone(), place)));
    }
    names
}

/// The key with only the first word of its unit, with the first two, and so on.
fn shorter(key: &str) -> Vec<String> {
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

const UNITS: (&str, &str) = (
    "data/dropzone_units.tsv",
    include_str!("../../../data/dropzone_units.tsv"),
);
const WEAPONS: (&str, &str) = (
    "data/dropzone_weapons.tsv",
    include_str!("../../../data/dropzone_weapons.tsv"),
);

static UNIT_BOOK: LazyLock<Result<Book<UnitRow>, Broken>> = LazyLock::new(|| {
    let rows = parse(UNITS.0, UNITS.1, 10, unit_row)?;
    let rows: Vec<UnitRow> = rows.into_iter().map(|(_, row)| row).collect();
    Ok(Book::new(rows, 4, |row| &row.key))
});

static WEAPON_BOOK: LazyLock<Result<Book<WeaponRow>, Broken>> = LazyLock::new(|| {
    let units = UNIT_BOOK.as_ref().map_err(Broken::clone)?;
    let rows = parse(WEAPONS.0, WEAPONS.1, 11, weapon_row)?;
    let mut rows = once_per_arc(WEAPONS.0, rows)?;
    for row in &mut rows {
        let unit = row.key.rsplit_once('/').map_or("", |(unit, _)| unit);
        row.points = units.get(unit).and_then(|unit| unit.points);
    }
    Ok(Book::new(rows, 1, |row| &row.key))
});

fn opened<R>(book: &'static Result<Book<R>, Broken>) -> Result<&'static Book<R>, Fault> {
    let broken = |broken: &Broken| Fault::new("", format!("the built-in data is broken: {broken}"));
    book.as_ref().map_err(broken)
}

/// The units.
///
/// # Errors
/// The first broken row of the file.
pub fn units() -> Result<&'static Book<UnitRow>, Fault> {
    opened(&UNIT_BOOK)
}

/// The weapons.
///
/// # Errors
/// The first broken row of either file.
pub fn weapons() -> Result<&'static Book<WeaponRow>, Fault> {
    opened(&WEAPON_BOOK)
}

/// Names of units a form may use.
pub fn unit_names() -> Vec<String> {
    units().map_or(Vec::new(), |book| book.names.clone())
}

/// Names of weapons a form may use.
pub fn weapon_names() -> Vec<String> {
    weapons().map_or(Vec::new(), |book| book.names.clone())
}

/// The data as users see it.
pub fn shelves() -> Vec<Shelf> {
    vec![shelf("units", UNITS.1), shelf("weapons", WEAPONS.1)]
}

fn shelf(name: &'static str, text: &str) -> Shelf {
    let mut rows = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').map(str::to_owned).collect());
    let columns = rows.next().unwrap_or_default();
    let rows = rows.collect();
    Shelf {
        name,
        columns,
        rows,
    }
}

/// Parses every row of a table; `#` lines and the head are passed over.
fn parse<R>(
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
        whole.map(|row| (line, row)).map_err(|problem| Broken {
            file,
            line,
            problem,
        })
    });
    parsed.collect()
}

fn unit_row(cells: &[&str]) -> Result<UnitRow, String> {
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

fn weapon_row(cells: &[&str]) -> Result<WeaponRow, String> {
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
        specials: WeaponSpecials::read(split(cells[10]))?,
    })
}

fn once_per_arc(
    file: &'static str,
    rows: Vec<(usize, WeaponRow)>,
) -> Result<Vec<WeaponRow>, Broken> {
    let mut once: Vec<WeaponRow> = Vec::with_capacity(rows.len());
    for (line, row) in rows {
        match once.iter().find(|earlier| earlier.key == row.key) {
            None => once.push(row),
            Some(earlier) if same_numbers(earlier, &row) => {}
            Some(_) => {
                let problem = format!("\"{}\" has other numbers further up", row.key);
                return Err(Broken {
                    file,
                    line,
                    problem,
                });
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
    fn every_row_is_read() {
        let (units, weapons) = (units().expect("sound"), weapons().expect("sound"));
        assert_eq!(units.rows.len(), 145);
        // 306 printed; five of them are a second arc of the one above.
        assert_eq!(weapons.rows.len(), 301);
        assert_eq!(
            units.rows.iter().filter(|row| row.points.is_none()).count(),
            11
        );
        let open = |row: &&WeaponRow| row.shots.is_none() || row.energy.is_none();
        // Two Ion Storms and two Grav weapons depend on the situation, five weapons do no damage.
        assert_eq!(weapons.rows.iter().filter(open).count(), 9);
    }

    #[test]
    fn rows_are_typed() {
        let units = units().expect("sound");
        let tank = units.get("Shaltari/Tomahawk Gravtank").expect("printed");
        assert_eq!((tank.armour, tank.damage_points), (12, 1));
        assert_eq!(
            (tank.active, tank.evasion, tank.passive),
            (true, 2, Some(5))
        );
        assert_eq!(tank.unit_type, UnitType::Skimmer);
        let weapons = weapons().expect("sound");
        let rail = weapons
            .get("UCM/Sabre Tank/Avenger Railgun")
            .expect("printed");
        assert_eq!(
            (rail.shots, rail.accuracy, rail.energy),
            (Some(1), Some(1), Some(10))
        );
        assert_eq!(
            (rail.full, rail.countered),
            (Reach::Unlimited, Reach::Inches(24))
        );
        assert_eq!(rail.points, Some(35));
        let close = weapons
            .get("UCM/Legionnaires/Close Assault Rifles")
            .expect("printed");
        assert_eq!((close.full, close.accuracy), (Reach::CloseQuarters, None));
    }

    #[test]
    fn short_names_are_known_where_they_leave_no_doubt() {
        let units = units().expect("sound");
        let hunter = units.get("Scourge/Hunter").expect("no other Hunter");
        assert_eq!(hunter.key, "Scourge/Hunter Tank");
        assert!(units.get("UCM/Gladius Heavy").is_some());
        assert!(units.get("UCM/Gladius").is_some());
        assert!(
            units.get("PHR/Triton Light").is_none(),
            "a dropship and a troopship"
        );
    }

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
