//! The catalogue: which rulebooks are built in, what each one can play, and with which data.
//!
//! A rulebook is one folder here and one line in [`all`]. Nothing in a folder names an engine: a
//! rule is told as a [`Combat`](crate::combat::Combat), and this file hides its types.

pub mod aic;
pub mod armoury;
pub mod asl;
pub mod d20;
pub mod dropzone;
pub mod skirmishers;

use armoury::Armoury;

use crate::combat::AnyCombat;
use crate::form::shown::shown;
use crate::form::{Fault, Field, Form, names};

/// The built-in rule systems.
pub fn all() -> &'static [&'static System] {
    static ALL: &[&System] = &[
        &aic::SYSTEM,
        &asl::SYSTEM,
        &d20::SYSTEM,
        &dropzone::SYSTEM,
        &skirmishers::SYSTEM,
    ];
    ALL
}

/// One rulebook.
pub struct System {
    /// Short name used in files: `asl`.
    pub id: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// Where the rules come from.
    pub source: &'static str,
    /// What it rolls: `2d6 (coloured and white), 1d6`.
    pub dice: &'static str,
    /// What can be played.
    pub actions: &'static [Action],
    /// Whether the built-in data can be read; if not, the first broken row with its file and line.
    /// Nothing else of the system is asked for before this has been.
    pub sound: fn() -> Result<(), String>,
    /// The built-in data, for `enfilade systems`.
    pub shelves: fn() -> Vec<Shelf>,
    /// Its units with what they carry, where they carry several weapons.
    pub armoury: Option<Armoury>,
    /// Readings of the source that are built in and have no field of their own.
    pub readings: &'static [&'static str],
    /// What the source names and this program does not play.
    pub not_modelled: &'static [&'static str],
    /// What a printed card says about it.
    pub imprint: Imprint,
}

/// What a printed card says about a rulebook beside its odds.
#[derive(Clone, Copy, Debug)]
pub struct Imprint {
    /// What is rolled and which way is good, for titles: `2d6, low is good`.
    pub direction: &'static str,
    /// What happens off the ends of its tables, in whole sentences.
    pub off_table: &'static str,
    /// The day on which its rules and built-in data last changed, as `YYYY-MM-DD`.
    pub data_date: &'static str,
    /// Where the rulebook defines an outcome field: `("pinned", "A7.8")`.
    pub rules: &'static [(&'static str, &'static str)],
}

impl Imprint {
    /// Where the rulebook defines the outcome field `name`, if that is known.
    pub fn rule(&self, name: &str) -> Option<&'static str> {
        let mut rules = self.rules.iter();
        rules
            .find(|(field, _)| *field == name)
            .map(|(_, rule)| *rule)
    }
}

/// One question a rulebook can be asked.
pub struct Action {
    /// Short name used in files: `fire`.
    pub name: &'static str,
    /// What it resolves, in one line.
    pub about: &'static str,
    /// The fields of its contests.
    pub fields: &'static [Field],
    /// Turns a checked form into a contest, or says what does not fit together.
    pub build: fn(&Form) -> Result<Contest, Vec<Fault>>,
    /// Contests in TOML, without `system` and `action`, that between them use every branch of the
    /// rule. `enfilade verify` plays them; the first is the example shown to users.
    pub samples: &'static [&'static str],
}

/// A contest ready to be played.
pub struct Contest {
    /// The rule with its parameters.
    pub combat: AnyCombat,
    /// What a reader of the result must know: unverified data, specials that are not modelled.
    pub notes: Vec<String>,
    /// The fields to reduce when the contest has too many states, most effective first.
    pub grows_with: &'static [&'static str],
}

/// A table of built-in data as users see it.
pub struct Shelf {
    /// What it holds: `machine guns`.
    pub name: &'static str,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows, as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

/// The system called `id`.
///
/// # Errors
/// A fault with the nearest name when there is none.
pub fn system(id: &str) -> Result<&'static System, Fault> {
    system_in(all(), id)
}

/// The same in a catalogue other than the built-in one.
///
/// # Errors
/// A fault with the nearest name when there is none.
pub fn system_in(catalogue: &[&'static System], id: &str) -> Result<&'static System, Fault> {
    let ids = catalogue.iter().map(|system| system.id);
    let found = names::find(id, ids.clone());
    let system = found.and_then(|id| catalogue.iter().find(|system| system.id == id));
    system.copied().ok_or_else(|| unknown("system", id, ids))
}

impl System {
    /// The system itself, when its built-in data can be read.
    ///
    /// # Errors
    /// One sentence with the file and the line of the first broken row.
    pub fn checked(&'static self) -> Result<&'static System, Fault> {
        let broken = |row| format!("the built-in data of {} is broken: {row}", self.id);
        match (self.sound)() {
            Ok(()) => Ok(self),
            Err(row) => Err(Fault::new("system", broken(row))),
        }
    }

    /// The action called `name`.
    ///
    /// # Errors
    /// A fault with the nearest name when there is none.
    pub fn action(&self, name: &str) -> Result<&'static Action, Fault> {
        let known = self.actions.iter().map(|action| action.name);
        let found = names::find(name, known.clone());
        let action = found.and_then(|name| self.actions.iter().find(|a| a.name == name));
        action.ok_or_else(|| unknown("action", name, known))
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Fault {
    let fault = Fault::new(what, format!("there is no {what} \"{}\"", shown(name)));
    match names::nearest(name, known.clone()) {
        Some(near) => fault.help(format!("did you mean \"{near}\"?")),
        None => fault.help(format!("there is {}", known.collect::<Vec<_>>().join(", "))),
    }
}
