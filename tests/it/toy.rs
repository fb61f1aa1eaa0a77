//! A rulebook small enough to check by hand, with a field of every kind.
//!
//! A trial rolls one die and hits on `needed` or more.

use std::sync::LazyLock;

use enfilade::bounds::Bound;
use enfilade::catalogue::{Action, Catalogue, Contest, Shelf, System};
use enfilade::combat::{AnyCombat, Combat, Measure, OutcomeField, Telling, Vocabulary};
use enfilade::dice::{Dice, Roll};
use enfilade::form::names::NameList;
use enfilade::form::{Fault, Field, Fields, Form, Kind, Preset, Value, Words};
use enfilade::shared::Shared;

const NEEDED: Bound = Bound::new("number needed", 1, 20);
const POWER: Bound = Bound::new("firepower", 0, 100);
const MODIFIER: Bound = Bound::new("modifier", -5, 5);

const UNITS: [&str; 3] = ["4-4-7", "4-6-7", "8-3-8"];

fn units() -> &'static NameList {
    static LIST: LazyLock<NameList> =
        LazyLock::new(|| NameList::of(UNITS.map(String::from).to_vec()));
    &LIST
}

fn terrain() -> &'static NameList {
    static LIST: LazyLock<NameList> =
        LazyLock::new(|| NameList::numbered(vec![("Woods".into(), 1), ("St. Wall".into(), 3)]));
    &LIST
}

const UNIT: &[Field] = &[
    Field::optional("unit", Kind::name(units), "a printed unit"),
    Field::int("morale", NEEDED, 7, "its morale"),
];

const FIELDS: &[Field] = &[
    Field::required("needed", Kind::Int(NEEDED), "the face that hits").from("T1"),
    Field::new(
        "fp",
        Kind::Fraction(POWER),
        Preset::Fraction(64),
        "firepower",
    ),
    Field::new("die", Kind::die(&[6, 8, 20]), Preset::Die(6), "the die"),
    Field::choice("stance", &["standing", "prone"], "how it stands").assumed(),
    Field::flag("cowers", true, "whether it cowers"),
    Field::new(
        "weapons",
        Kind::list(const { &Kind::die(&[4, 6]) }),
        Preset::Empty,
        "more dice",
    ),
    Field::new(
        "modifiers",
        Kind::entries(terrain, MODIFIER),
        Preset::Empty,
        "modifiers",
    ),
    Field::new(
        "leader",
        Kind::Table(Fields::Static(&[UNIT])),
        Preset::Absent,
        "who leads",
    ),
    Field::new(
        "target",
        Kind::Tables(Fields::Static(&[UNIT])),
        Preset::Empty,
        "the targets",
    ),
    Field::optional("note", Kind::Text, "free text"),
];

/// Rolls one die.
struct Shot {
    needed: u8,
    sides: u8,
}

impl Combat for Shot {
    type State = Option<bool>;
    type Outcome = bool;

    fn open(&self) -> Option<bool> {
        None
    }

    fn step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> {
        Some(dice.die(self.sides) >= self.needed)
    }

    fn outcome(&self, state: &Option<bool>) -> Option<bool> {
        *state
    }

    fn vocabulary(&self) -> Vocabulary<bool> {
        Vocabulary {
            fields: vec![OutcomeField::new("hit", "whether it hit", |&hit| {
                hit.into()
            })],
            measures: vec![Measure::probability("p_hit", "it hits", |&hit| hit)],
        }
    }

    fn tell(&self, _: &Option<bool>, rolls: &[Roll], to: &Option<bool>) -> Telling {
        let result = if *to == Some(true) { "a hit" } else { "a miss" };
        Telling::new("T1", format!("the die shows {}: {result}", rolls[0].face))
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let narrow = |n: i64| u8::try_from(n).expect("within its bound");
    let shot = Shot {
        needed: narrow(form.int("needed")),
        sides: form.die("die"),
    };
    if shot.needed > shot.sides {
        let problem = format!("a d{} never shows {}", shot.sides, shot.needed);
        return Err(vec![Fault::new("needed", problem)]);
    }
    let named = |unit: &Form| unit.get("unit") == Some(&Value::Text("8-3-8".into()));
    let faults = form
        .tables("target")
        .iter()
        .enumerate()
        .filter(|(_, unit)| named(unit));
    let faults: Vec<_> = faults
        .map(|(i, _)| Fault::new(format!("target[{i}].unit"), "engineers are never targets"))
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Contest {
        combat: AnyCombat::new(shot),
        notes: Vec::new(),
        grows_with: Words::Static(&["needed"]),
    })
}

fn shelves() -> Vec<Shelf> {
    vec![Shelf {
        name: "units".into(),
        columns: vec!["unit".into()],
        rows: UNITS.iter().map(|unit| vec![unit.to_string()]).collect(),
    }]
}

/// The rulebook.
pub fn toy() -> System {
    let shoot = Action::new(
        "shoot",
        "one shot",
        Fields::Static(&[FIELDS]),
        &build,
        &["needed = 4"],
    );
    System {
        source: "this file".into(),
        dice: "1d6".into(),
        direction: "1d6, high is good".into(),
        off_table: "A 7 cannot be rolled.".into(),
        data_date: "2026-11-21".into(),
        shelves: Shared::Static(&shelves),
        readings: Words::Static(&["a die is fair"]),
        not_modelled: Words::Static(&["wind"]),
        ..System::new("toy", "One die", [shoot])
    }
}

/// A catalogue of this rulebook alone.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::of([toy()]));

/// A catalogue of the same rulebook with a row in its data that cannot be read.
pub fn broken() -> Catalogue {
    fn unreadable() -> Result<(), String> {
        Err("data/broken.tsv:7: unknown kind \"crwed\"".to_owned())
    }
    Catalogue::of([System {
        id: "broken".into(),
        sound: Shared::Static(&unreadable),
        ..toy()
    }])
}
