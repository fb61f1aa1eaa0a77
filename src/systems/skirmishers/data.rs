//! The built-in data of `skirmishers`: weapons with their point values, the unit card, structures,
//! experience and armour.
//!
//! Source: `data/skirmishers_*.tsv`, each headed by where its numbers come from. Rows are parsed
//! once; a broken row is an error with file and line, and no contest is built.

use crate::form::names::{NameList, name_list};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::catalogue::Shelf;
use crate::form::Value;
use crate::form::rows::{Holds, Read, Shape, choice};

use super::card::Damage;

/// What is wrong with a row of built-in data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    file: &'static str,
    line: usize,
    problem: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

choice! {
    /// How a weapon is used.
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
    /// Whether it is thrown.
    pub fn thrown(self) -> bool {
        matches!(self, WeaponKind::Grenade | WeaponKind::FireGrenade)
    }

    /// Whether its damage is by ring.
    pub fn explodes(self) -> bool {
        !matches!(self, WeaponKind::Ranged | WeaponKind::Crewed | WeaponKind::Melee)
    }

    /// Whether it sets dots on fire.
    pub fn burns(self) -> bool {
        matches!(self, WeaponKind::Incendiary | WeaponKind::FireGrenade)
    }
}

/// A weapon as the data prints it.
#[derive(Clone, Debug)]
pub struct WeaponRow {
    /// Its name.
    pub name: String,
    /// How it is used.
    pub kind: WeaponKind,
    /// Damage by ring, the point of detonation first.
    pub rings: Vec<Damage>,
    /// Attacks for each shot of an arc.
    pub multiplier: u8,
    /// Action points of an attack, where they are printed as a number.
    pub ap: Option<u8>,
    /// Rounds that come with it, where they are counted.
    pub ammo: Option<u8>,
    /// Troopers needed beside the one who carries it.
    pub crew: u8,
    /// Short range in dots, where it has one.
    pub short: Option<i64>,
    /// Long range in dots, where it has one.
    pub long: Option<i64>,
    /// Point value, where it has one; never 0, because kills are reckoned per point.
    pub pv: Option<NonZeroU32>,
}

/// One cell of the unit card.
#[derive(Clone, Copy, Debug)]
pub struct CellRow {
    /// Action points at this HP.
    pub ap: i64,
    /// Modifier of attacks at this HP; `None` when no attack is possible.
    pub modifier: Option<i64>,
}

/// An experience level or a kind of armour.
#[derive(Clone, Debug)]
pub struct TroopRow {
    /// Its name.
    pub name: String,
    /// What it adds to action points.
    pub ap: i64,
    /// Target number of its morale check.
    pub morale: Option<i64>,
    /// Cells it protects.
    pub cells: Option<u8>,
}

/// Everything that is built in.
pub struct Shelves {
    /// Weapons.
    pub weapons: Vec<WeaponRow>,
    /// By HP, 0 to 10.
    pub card: Vec<CellRow>,
    /// Toughness by structure.
    pub structures: Vec<(String, u16)>,
    /// Experience and armour.
    pub troops: Vec<TroopRow>,
}

type Table = (&'static str, &'static str);

const WEAPONS: Table =
    ("data/skirmishers_weapons.tsv", include_str!("../../../data/skirmishers_weapons.tsv"));
const CARD: Table =
    ("data/skirmishers_card.tsv", include_str!("../../../data/skirmishers_card.tsv"));
const STRUCTURES: Table =
    ("data/skirmishers_toughness.tsv", include_str!("../../../data/skirmishers_toughness.tsv"));
const TROOPS: Table =
    ("data/skirmishers_troops.tsv", include_str!("../../../data/skirmishers_troops.tsv"));

static DATA: LazyLock<Result<Shelves, Broken>> = LazyLock::new(|| {
    let mut card = parse(CARD, 3, cell_row)?;
    card.sort_by_key(|(hp, _)| *hp);
    Ok(Shelves {
        weapons: parse(WEAPONS, 10, weapon_row)?,
        card: card.into_iter().map(|(_, row)| row).collect(),
        structures: parse(STRUCTURES, 2, structure_row)?,
        troops: parse(TROOPS, 4, troop_row)?,
    })
});

/// Whether the built-in data can be read; if not, the first broken row with its file and line.
pub fn sound() -> Result<(), String> {
    DATA.as_ref().map(drop).map_err(Broken::to_string)
}

/// The built-in data.
pub fn data() -> &'static Shelves {
    DATA.as_ref().expect("a system is asked for nothing before its data was found sound")
}

/// A built-in weapon by its name, which the form has checked.
impl Read for &'static WeaponRow {
    const SHAPE: Shape = Shape { holds: Holds::Name, absent: false };

    fn of(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::Text(name)) => data().weapon(name),
            _ => None,
        }
    }
}

impl Shelves {
    /// The weapon of that name.
    pub fn weapon(&self, name: &str) -> Option<&WeaponRow> {
        self.weapons.iter().find(|row| row.name == name)
    }

    /// The experience level or armour of that name.
    pub fn troop(&self, name: &str) -> Option<&TroopRow> {
        self.troops.iter().find(|row| row.name == name)
    }

    /// The modifier of a trooper's attacks; `None` when he is out of action.
    pub fn modifier(&self, hp: u8) -> Option<i64> {
        self.card.get(usize::from(hp)).and_then(|row| row.modifier)
    }

    /// Action points of a trooper: the cell of his HP, plus experience and armour, and never less
    /// than none.
    pub fn action_points(&self, hp: u8, additions: i64) -> i64 {
        let printed = self.card.get(usize::from(hp)).map_or(0, |row| row.ap);
        if printed == 0 { 0 } else { (printed + additions).max(0) }
    }
}

name_list! {
    /// Names of weapons a form may use.
    pub fn weapon_names() = {
        NameList::of(data().weapons.iter().map(|row| row.name.clone()).collect())
    }
}

name_list! {
    /// Names of structures a form may use.
    pub fn structure_names() = {
        NameList::of(data().structures.iter().map(|(name, _)| name.clone()).collect())
    }
}

/// The data as users see it.
pub fn shelves() -> Vec<Shelf> {
    let shelf = |name: &'static str, (_, text): Table| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut rows = lines.map(|line| line.split('\t').map(str::to_owned).collect());
        let columns = rows.next().unwrap_or_default();
        let rows = rows.collect();
        Shelf { name: name.into(), columns, rows }
    };
    vec![
        shelf("weapons", WEAPONS),
        shelf("unit card", CARD),
        shelf("structures", STRUCTURES),
        shelf("experience and armour", TROOPS),
    ]
}

/// Parses every row of a table; `#` lines and the head are passed over.
fn parse<R>(
    (file, text): Table,
    columns: usize,
    row: impl Fn(&[&str]) -> Result<R, String>,
) -> Result<Vec<R>, Broken> {
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.starts_with('#')).skip(1);
    let parsed = lines.map(|(text, line)| {
        let cells: Vec<_> = text.split('\t').collect();
        let whole = match cells.len() == columns {
            true => row(&cells),
            false => Err(format!("{} columns, expected {columns}", cells.len())),
        };
        whole.map_err(|problem| Broken { file, line, problem })
    });
    parsed.collect()
}

/// What is printed of a weapon whose thrower chooses his action points.
const SPENT: &str = "AP";

fn weapon_row(cells: &[&str]) -> Result<WeaponRow, String> {
    Ok(WeaponRow {
        name: named(cells[0])?,
        kind: WeaponKind::named(cells[1])
            .ok_or_else(|| format!("unknown kind \"{}\"", cells[1]))?,
        rings: rings(cells[2])?,
        multiplier: number("shots", cells[3])?,
        ap: optional("action points", Some(cells[4]).filter(|ap| *ap != SPENT).unwrap_or(""))?,
        ammo: optional("ammo", cells[5])?,
        crew: optional("crew", cells[6])?.unwrap_or(0),
        short: optional("short range", cells[7])?,
        long: optional("long range", cells[8])?,
        pv: optional("point value", cells[9])?,
    })
}

fn cell_row(cells: &[&str]) -> Result<(u8, CellRow), String> {
    let modifier = match cells[2] {
        "-" => None,
        printed => Some(number("modifier", printed)?),
    };
    let ap = number("action points", cells[1])?;
    Ok((number("HP", cells[0])?, CellRow { ap, modifier }))
}

fn structure_row(cells: &[&str]) -> Result<(String, u16), String> {
    Ok((named(cells[0])?, number("toughness", cells[1])?))
}

fn troop_row(cells: &[&str]) -> Result<TroopRow, String> {
    Ok(TroopRow {
        name: named(cells[0])?,
        ap: number("action points", cells[1])?,
        morale: optional("morale", cells[2])?,
        cells: optional("cells", cells[3])?,
    })
}

/// Damage by ring, `7X/3X/1X`, or of one hit, `4X`, `5\` or `1X+4\`.
///
/// # Errors
/// One sentence when it is printed otherwise.
pub fn rings(text: &str) -> Result<Vec<Damage>, String> {
    text.split('/').map(damage).collect()
}

fn damage(text: &str) -> Result<Damage, String> {
    let wrong = || format!("the damage \"{text}\" is not printed like 4X, 5\\ or 1X+4\\");
    let mut damage = Damage::default();
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

fn named(cell: &str) -> Result<String, String> {
    match cell {
        "" => Err("a name is missing".into()),
        name => Ok(name.to_owned()),
    }
}

fn number<N: FromStr>(what: &str, cell: &str) -> Result<N, String> {
    let refused = |_| match cell {
        "" => format!("the {what} is missing"),
        _ => format!("the {what} \"{cell}\" is no number that fits"),
    };
    cell.parse().map_err(refused)
}

fn optional<N: FromStr>(what: &str, cell: &str) -> Result<Option<N>, String> {
    match cell {
        "" => Ok(None),
        cell => number(what, cell).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let data = data();
        assert_eq!((data.weapons.len(), data.card.len()), (31, 11));
        let laser = data.weapon("semi-portable laser").expect("printed");
        // One trooper more, 10X, 80 and 240 dots, 437 points.
        assert_eq!((laser.crew, laser.rings[0].lethal), (1, 10));
        assert_eq!(
            (laser.short, laser.long, laser.pv),
            (Some(80), Some(240), NonZeroU32::new(437))
        );
        let missile = data.weapon("anti-tank missile").expect("printed");
        let lethal: Vec<_> = missile.rings.iter().map(|ring| ring.lethal).collect();
        assert_eq!(lethal, [13, 6, 3, 1]);
    }

    #[test]
    fn the_example_card_reads_seven_points_and_plus_two() {
        let data = data();
        assert_eq!((data.action_points(5, 0), data.modifier(5)), (7, Some(2)));
        let armour = data.troop("standard").expect("printed");
        assert_eq!((armour.cells, armour.ap), (Some(4), -2));
        assert_eq!(data.action_points(10, armour.ap), 6);
        assert_eq!((data.action_points(0, 2), data.modifier(0)), (0, None));
    }

    #[test]
    fn damage_is_read_as_printed() {
        let mixed = Damage { lethal: 1, bludgeoning: 4 };
        assert_eq!(rings("1X+4\\"), Ok(vec![mixed]));
        for wrong in ["7", "X", "0X", "4Y", "4X/", "300X"] {
            assert!(rings(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn broken_rows_are_refused_with_file_and_line() {
        let refused = |row: &str| {
            let text: &'static str = Box::leak(format!("# source\nname\tkind\n{row}\n").into());
            let broken = parse(("data/x.tsv", text), 10, weapon_row).err();
            broken.expect("the row is broken").to_string()
        };
        let no_kind = refused("LMG\tcrwed\t5X\t1\t\t\t0\t29\t100\t150");
        assert_eq!(no_kind, "data/x.tsv:3: unknown kind \"crwed\"");
        assert!(refused("LMG\tcrewed\t5Y\t1\t\t\t0\t29\t100\t150").contains("damage"));
        assert!(refused("LMG\tcrewed\t5X\t\t\t\t0\t29\t100\t150").contains("shots is missing"));
        assert!(refused("LMG\tcrewed").contains("2 columns"));
        let free = refused("LMG\tcrewed\t5X\t1\t\t\t0\t29\t100\t0");
        assert!(free.contains("the point value \"0\" is no number that fits"));
    }
}
