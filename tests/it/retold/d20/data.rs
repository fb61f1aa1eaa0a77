//! The built-in data of `d20`: its weapons, and every number of its tables under a name.
//!
//! Source: `weapons.tsv` and `numbers.tsv`, each headed by where its numbers come
//! from. Rows are parsed once, into typed rows; a broken row is an error with file and line, and no
//! contest is built from broken data.

use enfilade::form::name_matching::NameList;
use std::sync::LazyLock;

use enfilade::bounds::Bound;
use enfilade::catalogue::DataTable;
use enfilade::form::{Fault, Field, Form, Kind, Preset};

/// A weapon as the source prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weapon {
    /// Name as printed.
    pub name: String,
    /// Damage dice of a hit.
    pub dice: u8,
    /// Added to each damage die.
    pub bonus: i16,
    /// Whether a character it hits may save.
    pub saves: bool,
    /// Area of effect or kill zone, as printed; empty for none.
    pub area: String,
    /// Danger zone, as printed; empty for none.
    pub danger_zone: String,
    /// AP of the first shot or throw.
    pub ap: u8,
    /// AP of the second.
    pub ap_second: u8,
}

/// A number of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Name by which a contest can change it.
    pub name: String,
    /// Its printed value.
    pub value: i64,
    /// The box of the quick reference it stands in.
    pub source: String,
    /// What it means.
    pub about: String,
}

struct Library {
    weapons: Vec<Weapon>,
    numbers: Vec<Number>,
}

static LIBRARY: LazyLock<Result<Library, String>> = LazyLock::new(|| {
    Ok(Library {
        weapons: rows("weapons.tsv", include_str!("weapons.tsv"), read_weapon)?,
        numbers: rows("numbers.tsv", include_str!("numbers.tsv"), read_number)?,
    })
});

/// The rows of a table after its comments and its head, each read by `read`.
fn rows<R>(file: &str, text: &str, read: fn(&[&str]) -> Option<R>) -> Result<Vec<R>, String> {
    let lines = text.lines().enumerate();
    let rows = lines.filter(|(_, line)| !line.starts_with('#')).skip(1);
    let parsed = rows.map(|(index, line)| {
        let cells: Vec<&str> = line.split('\t').collect();
        read(&cells).ok_or_else(|| format!("{file}:{}: the row cannot be read", index + 1))
    });
    parsed.collect()
}

fn read_weapon(cells: &[&str]) -> Option<Weapon> {
    let [name, dice, bonus, saves, area, danger_zone, ap, ap_second] = cells else {
        return None;
    };
    Some(Weapon {
        name: (*name).to_owned(),
        dice: dice.parse().ok()?,
        bonus: bonus.parse().ok()?,
        saves: match *saves {
            "yes" => true,
            "no" => false,
            _ => return None,
        },
        area: (*area).to_owned(),
        danger_zone: (*danger_zone).to_owned(),
        ap: ap.parse().ok()?,
        ap_second: ap_second.parse().ok()?,
    })
}

fn read_number(cells: &[&str]) -> Option<Number> {
    let [name, value, source, about] = cells else {
        return None;
    };
    Some(Number {
        name: (*name).to_owned(),
        value: value.parse().ok()?,
        source: (*source).to_owned(),
        about: (*about).to_owned(),
    })
}

/// Whether the built-in data can be read; if not, the first broken row with its file and line.
pub fn check_data() -> Result<(), String> {
    LIBRARY.as_ref().map(drop).map_err(String::clone)
}

fn weapons() -> &'static [Weapon] {
    LIBRARY.as_ref().map_or(&[], |library| &library.weapons)
}

fn numbers() -> &'static [Number] {
    LIBRARY.as_ref().map_or(&[], |library| &library.numbers)
}

name_list! {
    /// Names of weapons a form may use.
    pub fn weapon_names() =
        NameList::of(weapons().iter().map(|weapon| weapon.name.clone()).collect())
}

/// The weapon called `name`.
pub fn weapon(name: &str) -> Option<&'static Weapon> {
    weapons().iter().find(|weapon| weapon.name == name)
}

name_list! {
    fn number_names() = {
        let pairs = numbers().iter().map(|number| (number.name.clone(), number.value));
        NameList::numbered(pairs.collect())
    }
}

const NUMBER: Bound = Bound::new("number", -40, 40);

/// The field by which a contest changes numbers of the tables.
pub const CHANGED: Field = Field::new(
    "numbers",
    Kind::entries(number_names, NUMBER),
    Preset::Empty,
    "numbers of the tables that this contest changes, such as { shoot_in_cover = -4 }",
)
.label("changed numbers of the tables")
.group(super::fields::READINGS)
.rare();

/// The numbers of the tables as a contest wants them.
pub struct Numbers {
    changed: Vec<(String, i64)>,
}

impl Numbers {
    /// The numbers of the contest in `form`.
    ///
    /// # Errors
    /// A fault with file and line when the built-in data is broken.
    pub fn of(form: &Form) -> Result<Numbers, Vec<Fault>> {
        match &*LIBRARY {
            Ok(_) => Ok(Numbers { changed: form.named("numbers").to_vec() }),
            Err(problem) => Err(vec![Fault::new("", problem.clone())]),
        }
    }

    /// The number called `name`.
    ///
    /// # Panics
    /// If the data has no such number: a mistake in the program, found by building any contest of
    /// the action.
    pub fn get(&self, name: &str) -> i16 {
        let changed = self.changed.iter().find(|(n, _)| n == name);
        let printed = || numbers().iter().find(|number| number.name == name);
        let value = changed.map(|(_, value)| *value).or_else(|| printed().map(|n| n.value));
        match value {
            Some(value) => value as i16,
            None => panic!("`{name}` is not a number of numbers.tsv"),
        }
    }
}

/// The data as users see it.
pub fn data_tables() -> Vec<DataTable> {
    let columns = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    let weapon = |w: &Weapon| {
        let dice = match w.bonus {
            0 => format!("{}d20", w.dice),
            bonus => format!("{}d20{bonus:+}", w.dice),
        };
        let ap = format!("{}/{}", w.ap, w.ap_second);
        vec![w.name.clone(), dice, yes(w.saves), w.area.clone(), w.danger_zone.clone(), ap]
    };
    let number =
        |n: &Number| vec![n.name.clone(), n.value.to_string(), n.about.clone(), n.source.clone()];
    vec![
        DataTable {
            name: "weapons".into(),
            columns: columns(&[
                "weapon",
                "damage",
                "saves",
                "area",
                "danger zone",
                "AP first/second",
            ]),
            rows: weapons().iter().map(weapon).collect(),
        },
        DataTable {
            name: "numbers".into(),
            columns: columns(&["name", "value", "about", "source"]),
            rows: numbers().iter().map(number).collect(),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_parses_and_names_are_unique() {
        assert_eq!(LIBRARY.as_ref().err(), None);
        assert_eq!(weapons().len(), 11);
        let mut names: Vec<_> = number_names().iter().collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), all), (83, 83));
    }

    #[test]
    fn a_broken_row_is_named_with_its_line() {
        let text = "# head\nname\tvalue\tsource\tabout\na\t1\tb\tc\nd\tx\te\tf";
        let broken = rows("data/x.tsv", text, read_number);
        assert_eq!(broken, Err("data/x.tsv:4: the row cannot be read".to_owned()));
    }
}
