//! A catalogue of rulebooks: what each one can play, with which data, and what it says of itself.
//!
//! A catalogue is a value. It is made at the door and handed down; its rulebooks are owned, shared
//! with every answer that comes from them, and dropped with the last of those. Whether a rulebook is
//! built in or was read from a file makes no difference to anybody who holds it.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::arsenal::Priced;
use crate::combat::{AnyCombat, Combat};
use crate::form::shown::shown;
use crate::form::{Fault, Fields, Form, Kind, Value, Words, names};
use crate::shared::{Shared, Text};

mod data_table;
mod hints;
mod leaves;
#[doc(hidden)]
pub mod probe;
mod source_file;

pub use data_table::DataTable;
pub use source_file::SourceFile;

/// The rulebooks that a program knows.
///
/// ```
/// use enfilade_model::catalogue::{Catalogue, System};
/// let mine = Catalogue::default().with(System::new("skirmish", "Skirmish", []));
/// assert_eq!(mine.system("Skirmish").expect("it is there").id, "skirmish");
/// assert!(mine.system("scirmish").expect_err("it is not").help.expect("a hint").contains("skirmish"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalogue(Vec<Arc<Entry>>);

/// A rulebook, or how it is made: nobody waits for one that he does not ask for.
#[derive(Debug)]
enum Entry {
    Made(Arc<System>),
    Later(&'static str, LazyLock<Arc<System>>),
}

impl Entry {
    fn id(&self) -> &str {
        match self {
            Entry::Made(system) => &system.id,
            Entry::Later(id, _) => id,
        }
    }

    fn system(&self) -> &Arc<System> {
        match self {
            Entry::Made(system) => system,
            Entry::Later(_, system) => system,
        }
    }
}

impl Catalogue {
    /// A catalogue of these rulebooks, in this order.
    pub fn of(systems: impl IntoIterator<Item = System>) -> Catalogue {
        systems.into_iter().fold(Catalogue::default(), Catalogue::with)
    }

    /// The same catalogue with one rulebook more. Of two with one id the first is found.
    #[must_use]
    pub fn with(self, system: System) -> Catalogue {
        self.and(Entry::Made(Arc::new(system)))
    }

    /// The same with the rulebook that is called `id`, made by `make` when it is first asked for.
    #[must_use]
    pub fn with_later(self, id: &'static str, make: fn() -> Arc<System>) -> Catalogue {
        self.and(Entry::Later(id, LazyLock::new(make)))
    }

    fn and(mut self, entry: Entry) -> Catalogue {
        self.0.push(Arc::new(entry));
        self
    }

    /// What its rulebooks are called. None is made for that.
    pub fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|entry| entry.id())
    }

    /// Its rulebooks. All that are not yet made are made for that.
    pub fn systems(&self) -> impl Iterator<Item = &Arc<System>> + Clone {
        self.0.iter().map(|entry| entry.system())
    }

    /// The rulebook called `id`.
    ///
    /// # Errors
    /// A fault with the nearest name when there is none.
    pub fn system(&self, id: &str) -> Result<&Arc<System>, Fault> {
        let found = names::find(id, self.ids());
        let entry = found.and_then(|id| self.0.iter().find(|entry| entry.id() == id));
        let system = entry.map(|entry| entry.system());
        system.ok_or_else(|| unknown("system", id, self.ids()))
    }

    /// The only rulebook that was read from files: contests that name no rulebook are of it.
    pub fn only_read(&self) -> Option<&Arc<System>> {
        let made = self.0.iter().filter_map(|entry| match &**entry {
            Entry::Made(system) => Some(system),
            // What is made later is built in.
            Entry::Later(..) => None,
        });
        let mut read = made.filter(|system| system.is_read());
        read.next().filter(|_| read.next().is_none())
    }

    /// The action called `action` of the rulebook called `system`.
    ///
    /// # Errors
    /// A fault with the nearest name when there is none.
    pub fn action(&self, system: &str, action: &str) -> Result<&Arc<Action>, Fault> {
        self.system(system)?.action(action)
    }
}

/// Something a rulebook can be asked for at any time.
pub type Asked<T> = Shared<dyn Fn() -> T + Send + Sync>;

/// One rulebook.
#[derive(Clone)]
pub struct System {
    /// Short name used in files: `asl`.
    pub id: Text,
    /// What it is, in one line.
    pub title: Text,
    /// Where the rules come from.
    pub source: Text,
    /// What it rolls: `2d6 (coloured and white), 1d6`.
    pub dice: Text,
    /// What is rolled and which way is good, for titles: `2d6, low is good`.
    pub direction: Text,
    /// What happens off the ends of its tables, in whole sentences.
    pub off_table: Text,
    /// The day on which its rules and built-in data last changed, as `YYYY-MM-DD`.
    pub data_date: Text,
    /// What can be played.
    pub actions: Vec<Arc<Action>>,
    /// Whether the built-in data can be read; if not, the first broken row with its file and line.
    /// Nothing else of the system is asked for before this has been.
    pub check_data: Asked<Result<(), String>>,
    /// The built-in data, for `enfilade systems`.
    pub data_tables: Asked<Vec<DataTable>>,
    /// What its weapons are, where they can be priced.
    pub pricing: Option<Shared<dyn Priced>>,
    /// Readings of the source that are built in and have no field of their own.
    pub readings: Words,
    /// What the source names and this program does not play.
    pub not_modelled: Words,
    /// What it says of actions and fields that are looked for and are not there.
    pub absent: Shared<[Absent]>,
    /// The files it is told in, its own first; none when it is told in Rust.
    pub files: Shared<[SourceFile]>,
    /// Actions of it told again as rulebooks in text, to be copied and changed.
    pub retold: Shared<[SourceFile]>,
    /// Whether it comes with the program.
    pub built_in: bool,
}

/// A name that a contest may look for in vain, and what a designer is told then.
pub type Absent = (Text, Text);

/// A name that may be looked for in vain, and what is said then.
pub const fn absent(name: &'static str, said: &'static str) -> Absent {
    (Text::Static(name), Text::Static(said))
}

impl System {
    /// A rulebook with these actions, and nothing else said of it.
    pub fn new(
        id: impl Into<Text>,
        title: impl Into<Text>,
        actions: impl IntoIterator<Item = Action>,
    ) -> System {
        System {
            id: id.into(),
            title: title.into(),
            source: Text::EMPTY,
            dice: Text::EMPTY,
            direction: Text::EMPTY,
            off_table: Text::EMPTY,
            data_date: Text::EMPTY,
            actions: actions.into_iter().map(Arc::new).collect(),
            check_data: Shared::Static(&|| Ok(())),
            data_tables: Shared::Static(&Vec::new),
            pricing: None,
            readings: Words::NONE,
            not_modelled: Words::NONE,
            absent: Shared::default(),
            files: Shared::default(),
            retold: Shared::default(),
            built_in: true,
        }
    }

    /// Whether it was read from files, and does not come with the program.
    pub fn is_read(&self) -> bool {
        !self.built_in
    }

    /// The folder of results in which its files are kept: `rules/bridgehead`.
    pub fn shelf(&self) -> String {
        format!("rules/{}", self.id)
    }

    /// Whether its built-in data can be read.
    ///
    /// # Errors
    /// One sentence with the file and the line of the first broken row.
    pub fn checked(&self) -> Result<(), Fault> {
        let broken = |row| format!("the built-in data of {} is broken: {row}", self.id);
        (self.check_data)().map_err(|row| Fault::new("system", broken(row)))
    }

    /// The action called `name`.
    ///
    /// # Errors
    /// A fault with the nearest name when there is none.
    pub fn action(&self, name: &str) -> Result<&Arc<Action>, Fault> {
        let known = self.actions.iter().map(|action| &*action.name);
        let found = names::find(name, known.clone());
        let action = found.and_then(|name| self.actions.iter().find(|a| a.name == *name));
        action.ok_or_else(|| {
            let fault = unknown("action", name, known);
            match hints::said_of(&self.absent, name) {
                Some(said) => fault.help(said),
                None => fault,
            }
        })
    }

    /// What is rolled for `action` and which way is good.
    pub fn direction_of(&self, action: &Action) -> Text {
        action.direction.or(|| self.direction.clone())
    }

    /// What happens off the ends of the tables that `action` uses.
    pub fn off_table_of(&self, action: &Action) -> Text {
        action.off_table.clone().unwrap_or_else(|| self.off_table.clone())
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("System").field(&self.id).finish()
    }
}

/// A rulebook is known by its id: answers of two catalogues can be compared.
impl PartialEq for System {
    fn eq(&self, other: &System) -> bool {
        self.id == other.id
    }
}

/// Turns a checked form into a contest, or says what does not fit together.
pub type Build = Shared<dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync>;

/// What an action says of how fields are left, once it is over.
#[derive(Clone)]
pub struct Leaves {
    /// The fields of which it says what becomes of them; the others stay as they are. Where there are none,
    /// nothing is said of any.
    pub fields: Words,
    /// Makes the contest that tells it; `None` where every contest does.
    pub build: Option<Build>,
}

crate::shared::opaque!(Leaves);

/// The number that a field has, in its own steps, where a form says none: printed with what the form names,
/// or reckoned. The field goes by its path, such as `target[0].morale`.
pub type Otherwise = Shared<dyn Fn(&Form, &str) -> Option<i64> + Send + Sync>;

/// One question a rulebook can be asked.
#[derive(Clone)]
pub struct Action {
    /// Short name used in files: `fire`.
    pub name: Text,
    /// What it resolves, in one line.
    pub about: Text,
    /// The same as a player's question, with places for fields of the contest: `How often does fire
    /// hurt {target.unit|the target}?`
    pub question: Text,
    /// What is rolled and which way is good; empty: as the rulebook says.
    pub direction: Text,
    /// What happens off the ends of its tables; `None`: as the rulebook says.
    pub off_table: Option<Text>,
    /// The fields of its contests.
    pub fields: Fields,
    /// Turns a checked form into a contest, or says what does not fit together.
    pub build: Build,
    /// What numbers are where a form says none, beside the defaults of the fields.
    pub otherwise: Otherwise,
    /// Contests in TOML, without `system` and `action`, that between them use every branch of the
    /// rule. `enfilade verify` plays them; the first is the example shown to users.
    pub samples: Words,
    /// What is said of fields that are looked for and that this action does not have.
    pub absent: Shared<[Absent]>,
    /// What becomes of fields of the contest, for actions that follow.
    pub leaves: Leaves,
    /// What a search for numbers may ask of it; `None` where the rule is told in Rust.
    #[doc(hidden)]
    pub probe: Option<Shared<dyn probe::Probe>>,
}

/// Nothing is printed.
fn nothing(_: &Form, _: &str) -> Option<i64> {
    None
}

impl Action {
    /// An action of a rulebook that is written in Rust.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        fields: Fields,
        build: &'static (dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync),
        samples: &'static [&'static str],
    ) -> Action {
        Action {
            name: Text::Static(name),
            about: Text::Static(about),
            question: Text::EMPTY,
            direction: Text::EMPTY,
            off_table: None,
            fields,
            build: Shared::Static(build),
            otherwise: Shared::Static(&nothing),
            samples: Words::Static(samples),
            absent: Shared::Static(&[]),
            leaves: Leaves { fields: Words::NONE, build: None },
            probe: None,
        }
    }

    /// The same action with the numbers that are printed with what a table of a form names, by their
    /// fields; tables are told apart by the names of the fields that hold them, `""` for the form itself.
    pub fn prints(self, printed: fn(&str, &Form) -> Vec<(&'static str, i64)>) -> Self {
        let otherwise = move |form: &Form, path: &str| {
            let (table, field) = form.holder(path)?;
            let outer = path.rsplit('.').nth(1).unwrap_or_default();
            let numbers = printed(outer.split('[').next().unwrap_or_default(), table).into_iter();
            numbers.filter(|(name, _)| *name == field).map(|(_, number)| number).next()
        };
        Action { otherwise: Shared::Made(std::sync::Arc::new(otherwise)), ..self }
    }

    /// The same action with what is told of fields that are looked for and that it does not have.
    #[must_use]
    #[doc(hidden)]
    pub fn without(self, absent: &'static [Absent]) -> Self {
        Action { absent: Shared::Static(absent), ..self }
    }

    /// The same action with its title as a question.
    pub const fn asks(mut self, question: &'static str) -> Self {
        self.question.set(question);
        self
    }

    /// The same action with what is rolled and which way is good, where that is not what the rulebook
    /// says in general.
    pub const fn direction(mut self, direction: &'static str) -> Self {
        self.direction.set(direction);
        self
    }

    /// The same action with what happens off the ends of its tables, where that is not what the
    /// rulebook says in general; an empty text where there are no tables.
    pub const fn off_table(mut self, off_table: &'static str) -> Self {
        let said = Some(Text::Static(off_table));
        std::mem::forget(std::mem::replace(&mut self.off_table, said));
        self
    }

    /// The contest that `form` describes.
    ///
    /// # Errors
    /// What does not fit together.
    pub fn contest(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        (self.build)(form)
    }

    /// The title of a contest as a question, its places filled from `form`: each by the label of the
    /// value there, or by the words after `|` where it has none.
    pub fn question_of(&self, form: &Form) -> String {
        self.question_with(|path| self.value_at(form, path))
    }

    /// The question with the words after `|` in all its places.
    pub fn plain_question(&self) -> String {
        self.question_with(|_| None)
    }

    fn question_with(&self, value: impl Fn(&str) -> Option<Text>) -> String {
        let mut parts = self.question.split('{');
        let mut said = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (place, rest) = part.split_once('}').unwrap_or((part, ""));
            let (path, fallback) = place.split_once('|').unwrap_or((place, place));
            match value(path) {
                Some(value) => said.push_str(&value),
                None => said.push_str(fallback),
            }
            said.push_str(rest);
        }
        said
    }

    fn value_at(&self, form: &Form, path: &str) -> Option<Text> {
        let (inner, key) = match path.split_once('.') {
            Some((table, key)) => match form.get(table)? {
                Value::Table(inner) => (inner, key),
                Value::Tables(several) => (several.first().filter(|_| several.len() == 1)?, key),
                _ => return None,
            },
            None => (form, path),
        };
        let (field, value) = (self.fields.at(path)?, inner.get(key)?);
        let label = field.value_label(value);
        // A row with numbers of one's own is told in words of its own, and stands in a sentence.
        let changed = matches!((&field.kind, value), (Kind::Row(..), Value::Table(_)));
        Some(if changed { Text::from(format!("the {label}")) } else { label })
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Action").field(&self.name).finish()
    }
}

/// An action is known by its name, within its rulebook.
impl PartialEq for Action {
    fn eq(&self, other: &Action) -> bool {
        self.name == other.name
    }
}

/// A contest ready to be played.
#[derive(Debug)]
pub struct Contest {
    /// The rule with its parameters.
    pub combat: AnyCombat,
    /// What a reader of the result must know: unverified data, specials that are not modelled.
    pub notes: Vec<String>,
    /// The fields to reduce when the contest has too many states, most effective first.
    pub grows_with: Words,
}

impl Contest {
    /// A contest of a rule with its parameters.
    pub fn of<C: Combat + 'static>(rule: C) -> Contest {
        Contest::new(AnyCombat::new(rule))
    }

    /// The same of one whose type nobody knows.
    pub fn new(combat: AnyCombat) -> Contest {
        Contest { combat, notes: Vec::new(), grows_with: Words::NONE }
    }

    /// With what a reader of the result must know.
    #[must_use]
    pub fn noting(self, notes: Vec<String>) -> Contest {
        Contest { notes, ..self }
    }

    /// With the fields to reduce when it has too many states, most effective first.
    #[must_use]
    pub fn growing_with(self, fields: &'static [&'static str]) -> Contest {
        Contest { grows_with: Words::Static(fields), ..self }
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Fault {
    let fault = Fault::new(what, format!("there is no {what} \"{}\"", shown(name)));
    match names::nearest(name, known.clone()) {
        Some(near) => fault.help(format!("did you mean \"{near}\"?")),
        None => fault.help(format!("there is {}", known.collect::<Vec<_>>().join(", "))),
    }
}
