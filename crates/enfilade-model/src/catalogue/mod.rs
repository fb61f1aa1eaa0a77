//! Catalogues of rulebooks: the actions, the data and the description of each.
//!
//! A catalogue is a value. The program creates it at its entry point and passes it on; its
//! rulebooks are shared with every answer that comes from them, and dropped with the last of those.
//! Rulebooks that are built in and rulebooks read from a file have the same interface.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::combat::{AnyCombat, Combat};
use crate::form::sanitize::shorten_and_make_safe;
use crate::form::{Fault, FieldType, Fields, Form, Value, Words, name_matching};
use crate::static_or_shared::{StaticOrCounted, Text};
use crate::weapons::PricingRules;

#[doc(hidden)]
pub mod contest_probe;
mod data_table;
mod field_changes;
mod source_file;
#[doc(hidden)]
pub mod unchecked_rulebook;
mod unknown_name_hints;

pub use data_table::PrintedDataTable;
pub use source_file::SourceFile;

/// Rulebooks that a program offers, by their ids.
///
/// ```
/// use enfilade_model::catalogue::{Catalogue, System};
/// let mine = Catalogue::default().with_rulebook(System::new("skirmish", "Skirmish", []));
/// assert_eq!(mine.rulebook_by_id("Skirmish").expect("it is there").id, "skirmish");
/// let unknown = mine.rulebook_by_id("scirmish").expect_err("it is not");
/// assert!(unknown.help.expect("a hint").contains("skirmish"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalogue(Vec<Arc<LazyRulebook>>);

/// Rulebook, or its constructor: a rulebook is not created before it is used.
#[derive(Debug)]
enum LazyRulebook {
    Loaded(Arc<System>),
    Later(&'static str, LazyLock<Arc<System>>),
}

impl LazyRulebook {
    fn id(&self) -> &str {
        match self {
            LazyRulebook::Loaded(system) => &system.id,
            LazyRulebook::Later(id, _) => id,
        }
    }

    fn rulebook(&self) -> &Arc<System> {
        match self {
            LazyRulebook::Loaded(system) => system,
            LazyRulebook::Later(_, system) => system,
        }
    }
}

impl Catalogue {
    /// Creates a catalogue of these rulebooks, in this order.
    pub fn from_rulebooks(systems: impl IntoIterator<Item = System>) -> Catalogue {
        systems.into_iter().fold(Catalogue::default(), Catalogue::with_rulebook)
    }

    /// Adds a rulebook. Of two with one id the first is found.
    #[must_use]
    pub fn with_rulebook(self, system: System) -> Catalogue {
        self.with_lazy_entry(LazyRulebook::Loaded(Arc::new(system)))
    }

    /// Adds the rulebook called `id`, created by `make` on first use.
    #[must_use]
    pub fn with_lazy_system(self, id: &'static str, make: fn() -> Arc<System>) -> Catalogue {
        self.with_lazy_entry(LazyRulebook::Later(id, LazyLock::new(make)))
    }

    fn with_lazy_entry(mut self, entry: LazyRulebook) -> Catalogue {
        self.0.push(Arc::new(entry));
        self
    }

    /// Returns the ids of the rulebooks, without creating them.
    pub fn rulebook_ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|entry| entry.id())
    }

    /// Returns the rulebooks, and creates those that have not been created yet.
    pub fn rulebooks_created_on_demand(&self) -> impl Iterator<Item = &Arc<System>> + Clone {
        self.0.iter().map(|entry| entry.rulebook())
    }

    /// Returns the rulebook called `id`.
    ///
    /// # Errors
    /// A fault with the nearest name if there is none.
    pub fn rulebook_by_id(&self, id: &str) -> Result<&Arc<System>, Fault> {
        let rulebook_id = name_matching::find_meant_name(id, self.rulebook_ids());
        let entry = rulebook_id.and_then(|id| self.0.iter().find(|entry| entry.id() == id));
        let system = entry.map(|entry| entry.rulebook());
        system.ok_or_else(|| unknown_name_fault("system", id, self.rulebook_ids()))
    }

    /// Returns the only rulebook from files: contests without a `system` belong to it.
    pub fn sole_text_rulebook(&self) -> Option<&Arc<System>> {
        let text_rulebooks = self.0.iter().filter_map(|entry| match &**entry {
            LazyRulebook::Loaded(system) => Some(system),
            // Rulebooks that are created later are built in.
            LazyRulebook::Later(..) => None,
        });
        let mut read = text_rulebooks.filter(|system| system.is_from_text());
        read.next().filter(|_| read.next().is_none())
    }

    /// Returns the action called `action` of the rulebook called `system`.
    ///
    /// # Errors
    /// A fault with the nearest name if there is none.
    pub fn action(&self, system: &str, action: &str) -> Result<&Arc<RulebookAction>, Fault> {
        self.rulebook_by_id(system)?.action(action)
    }
}

/// Query of a rulebook that may be called at any time.
pub type RulebookQueryFn<T> = StaticOrCounted<dyn Fn() -> T + Send + Sync>;

/// Rulebook with its actions and data.
#[derive(Clone)]
pub struct System {
    /// Short name used in files: `asl`.
    pub id: Text,
    /// Title in one line.
    pub title: Text,
    /// Source of the rules.
    pub source: Text,
    /// Dice of the rules: `2d6 (coloured and white), 1d6`.
    pub dice: Text,
    /// Dice and the good direction, for titles: `2d6, low is good`.
    pub direction: Text,
    /// Behaviour off the ends of the tables, in whole sentences.
    pub off_table: Text,
    /// Day on which the rules and built-in data last changed, as `YYYY-MM-DD`.
    pub data_date: Text,
    /// Actions that can be played.
    pub actions: Vec<Arc<RulebookAction>>,
    /// Checks the built-in data before any other query; returns its first broken row, if any.
    pub check_data: RulebookQueryFn<Result<(), String>>,
    /// Built-in data, for `enfilade systems`.
    pub data_tables: RulebookQueryFn<Vec<PrintedDataTable>>,
    /// Rules for the prices of the weapons, where they can be priced.
    pub pricing: Option<StaticOrCounted<dyn PricingRules>>,
    /// Readings of the source that are built in and have no field.
    pub readings: Words,
    /// Parts of the source that this program does not play.
    pub not_modelled: Words,
    /// Explanations for actions and fields that users look for and that do not exist.
    pub absent: StaticOrCounted<[AbsentName]>,
    /// Rule files of the system, its main file first; empty for a system in Rust.
    pub files: StaticOrCounted<[SourceFile]>,
    /// Actions of a system in Rust as rulebooks in text, to be copied and changed.
    pub retold: StaticOrCounted<[SourceFile]>,
    /// Whether the system comes with the program.
    pub built_in: bool,
}

/// Name that a contest may look for in vain, and the explanation for the designer.
pub type AbsentName = (Text, Text);

/// Creates an explanation for a name that does not exist.
pub const fn new_absent_name(name: &'static str, explanation: &'static str) -> AbsentName {
    (Text::Static(name), Text::Static(explanation))
}

impl System {
    /// Creates a rulebook with these actions and no other description.
    pub fn new(
        id: impl Into<Text>,
        title: impl Into<Text>,
        actions: impl IntoIterator<Item = RulebookAction>,
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
            check_data: StaticOrCounted::Static(&|| Ok(())),
            data_tables: StaticOrCounted::Static(&Vec::new),
            pricing: None,
            readings: Words::NO_WORDS,
            not_modelled: Words::NO_WORDS,
            absent: StaticOrCounted::default(),
            files: StaticOrCounted::default(),
            retold: StaticOrCounted::default(),
            built_in: true,
        }
    }

    /// Returns whether the rulebook was read from files, and does not come with the program.
    pub fn is_from_text(&self) -> bool {
        !self.built_in
    }

    /// Returns the folder of a result that contains the rulebook's files: `rules/bridgehead`.
    pub fn rules_folder_within_result(&self) -> String {
        format!("rules/{}", self.id)
    }

    /// Checks that the built-in data can be read.
    ///
    /// # Errors
    /// One sentence with the file and the line of the first broken row.
    pub fn check_built_in_data(&self) -> Result<(), Fault> {
        let broken = |row| format!("the built-in data of {} is broken: {row}", self.id);
        (self.check_data)().map_err(|row| Fault::new("system", broken(row)))
    }

    /// Returns the action called `name`.
    ///
    /// # Errors
    /// A fault with the nearest name if there is none.
    pub fn action(&self, name: &str) -> Result<&Arc<RulebookAction>, Fault> {
        let action_names = self.actions.iter().map(|action| &*action.name);
        let action_name = name_matching::find_meant_name(name, action_names.clone());
        let action = action_name.and_then(|name| self.actions.iter().find(|a| a.name == *name));
        action.ok_or_else(|| {
            let fault = unknown_name_fault("action", name, action_names);
            match unknown_name_hints::find_absence_explanation(&self.absent, name) {
                Some(help) => fault.with_help(help),
                None => fault,
            }
        })
    }

    /// Returns the dice of `action` and the good direction.
    pub fn dice_and_direction_for(&self, action: &RulebookAction) -> Text {
        action.direction.or_if_empty(|| self.direction.clone())
    }

    /// Returns the behaviour off the ends of the tables that `action` uses.
    pub fn off_table_behaviour_for(&self, action: &RulebookAction) -> Text {
        action.off_table.clone().unwrap_or_else(|| self.off_table.clone())
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("System").field(&self.id).finish()
    }
}

/// Rulebooks are compared by id, so that answers of two catalogues can be compared.
impl PartialEq for System {
    fn eq(&self, other: &System) -> bool {
        self.id == other.id
    }
}

/// Function that converts a checked form to a contest, or returns the faults of their combination.
pub type ContestBuilderFn =
    StaticOrCounted<dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync>;

/// Rules of an action for the fields of the contest after it is over.
#[derive(Clone)]
pub struct CarriedFieldRules {
    /// Fields whose change the action defines; the others stay as they are. When empty, no change
    /// of any field is defined.
    pub fields: Words,
    /// Function that creates the contest that reports the changes; `None` if every contest does.
    pub build: Option<ContestBuilderFn>,
}

crate::static_or_shared::opaque!(CarriedFieldRules);

/// Number of a field, in units of its steps, where a form has none: printed with the named item, or
/// derived. The field is named by its path, such as `target[0].morale`.
pub type DefaultNumberFn = StaticOrCounted<dyn Fn(&Form, &str) -> Option<i64> + Send + Sync>;

/// Question that a rulebook can answer.
#[derive(Clone)]
pub struct RulebookAction {
    /// Short name used in files: `fire`.
    pub name: Text,
    /// Description of the resolved event, in one line.
    pub about: Text,
    /// Question of a player, with places for fields: `How often does fire hurt {target.unit|men}?`
    pub question: Text,
    /// Dice and the good direction; empty: as in the rulebook.
    pub direction: Text,
    /// Behaviour off the ends of the tables; `None`: as in the rulebook.
    pub off_table: Option<Text>,
    /// Fields of the contests.
    pub fields: Fields,
    /// Function from a checked form to a contest, or to the faults of their combination.
    pub build: ContestBuilderFn,
    /// Numbers of fields that a form leaves out, beside the defaults of the fields.
    pub otherwise: DefaultNumberFn,
    /// Contests in TOML, without `system` and `action`, that together use every branch of the rule.
    /// `enfilade verify` plays them; the first is the example shown to users.
    pub samples: Words,
    /// Explanations for fields that users look for and that this action does not have.
    pub absent: StaticOrCounted<[AbsentName]>,
    /// Changes of the contest's fields, for actions that follow.
    pub leaves: CarriedFieldRules,
    /// Probe of the numbers that a contest reads; `None` for a rule written in Rust.
    #[doc(hidden)]
    pub probe: Option<StaticOrCounted<dyn contest_probe::NumbersReadByContestFinder>>,
}

/// Returns no number: nothing is printed.
fn no_printed_number(_: &Form, _: &str) -> Option<i64> {
    None
}

impl RulebookAction {
    /// Creates an action of a rulebook in Rust.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        fields: Fields,
        build: &'static (dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync),
        samples: &'static [&'static str],
    ) -> RulebookAction {
        RulebookAction {
            name: Text::Static(name),
            about: Text::Static(about),
            question: Text::EMPTY,
            direction: Text::EMPTY,
            off_table: None,
            fields,
            build: StaticOrCounted::Static(build),
            otherwise: StaticOrCounted::Static(&no_printed_number),
            samples: Words::Static(samples),
            absent: StaticOrCounted::Static(&[]),
            leaves: CarriedFieldRules { fields: Words::NO_WORDS, build: None },
            probe: None,
        }
    }

    /// Sets the numbers that are printed with an item that a table of a form names, by their
    /// fields. `printed` distinguishes tables by the names of the fields that contain them, `""`
    /// for the form itself.
    pub fn with_printed_number_lookup(
        self,
        printed: fn(&str, &Form) -> Vec<(&'static str, i64)>,
    ) -> Self {
        let otherwise = move |form: &Form, path: &str| {
            let (table, field) = form.find_table_with_field(path)?;
            let outer = path.rsplit('.').nth(1).unwrap_or_default();
            let numbers = printed(outer.split('[').next().unwrap_or_default(), table).into_iter();
            numbers.filter(|(name, _)| *name == field).map(|(_, number)| number).next()
        };
        let otherwise: DefaultNumberFn = StaticOrCounted::Counted(std::sync::Arc::new(otherwise));
        RulebookAction { otherwise, ..self }
    }

    /// Sets the explanations for fields that users look for and that the action does not have.
    #[must_use]
    #[doc(hidden)]
    pub fn with_absent_fields(self, absent: &'static [AbsentName]) -> Self {
        RulebookAction { absent: StaticOrCounted::Static(absent), ..self }
    }

    /// Sets the title as a question.
    pub const fn with_title_question(mut self, question: &'static str) -> Self {
        self.question.replace_at_compile_time(question);
        self
    }

    /// Sets the dice and the good direction, where they differ from those of the rulebook.
    pub const fn with_dice_and_direction(mut self, direction: &'static str) -> Self {
        self.direction.replace_at_compile_time(direction);
        self
    }

    /// Sets the behaviour off the ends of the tables, where it differs from that of the rulebook;
    /// an empty text where there are no tables.
    pub const fn with_off_table(mut self, off_table: &'static str) -> Self {
        let text = Some(Text::Static(off_table));
        std::mem::forget(std::mem::replace(&mut self.off_table, text));
        self
    }

    /// Creates the contest that `form` describes.
    ///
    /// # Errors
    /// The parts of the form that do not fit together.
    pub fn build_contest(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        (self.build)(form)
    }

    /// Returns the title of a contest as a question. Its places are filled from `form`: each by the
    /// label of the value, or by the words after `|` where there is none.
    pub fn title_question_for_form(&self, form: &Form) -> String {
        self.fill_question_words(|path| self.find_value_as_text(form, path))
    }

    /// Returns the question with the words after `|` in all its places.
    pub fn question_in_general(&self) -> String {
        self.fill_question_words(|_| None)
    }

    fn fill_question_words(&self, value: impl Fn(&str) -> Option<Text>) -> String {
        let mut parts = self.question.split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (place, rest) = part.split_once('}').unwrap_or((part, ""));
            let (path, fallback) = place.split_once('|').unwrap_or((place, place));
            match value(path) {
                Some(value) => text.push_str(&value),
                None => text.push_str(fallback),
            }
            text.push_str(rest);
        }
        text
    }

    fn find_value_as_text(&self, form: &Form, path: &str) -> Option<Text> {
        let (inner, key) = match path.split_once('.') {
            Some((table, key)) => match form.get(table)? {
                Value::Table(inner) => (inner, key),
                Value::Tables(several) => (several.first().filter(|_| several.len() == 1)?, key),
                _ => return None,
            },
            None => (form, path),
        };
        let (field, value) = (self.fields.find_field_at_path(path)?, inner.get(key)?);
        let label = field.display_value(value);
        // A row with custom numbers is described in words, and becomes part of a sentence.
        let changed = matches!((&field.kind, value), (FieldType::Row(..), Value::Table(_)));
        Some(if changed { Text::from(format!("the {label}")) } else { label })
    }
}

impl fmt::Debug for RulebookAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Action").field(&self.name).finish()
    }
}

/// Actions are compared by name, within their rulebook.
impl PartialEq for RulebookAction {
    fn eq(&self, other: &RulebookAction) -> bool {
        self.name == other.name
    }
}

/// Contest that is ready to be played.
#[derive(Debug)]
pub struct Contest {
    /// Rule with its parameters.
    pub combat: AnyCombat,
    /// Notes for a reader of the result: unverified data, special rules that are not modelled.
    pub notes: Vec<String>,
    /// Fields to reduce when the contest has too many states, most effective first.
    pub grows_with: Words,
}

impl Contest {
    /// Creates a contest of a rule with its parameters.
    pub fn from_rule<C: Combat + 'static>(rule: C) -> Contest {
        Contest::new(AnyCombat::new(rule))
    }

    /// Creates a contest of a combat whose type is hidden.
    pub fn new(combat: AnyCombat) -> Contest {
        Contest { combat, notes: Vec::new(), grows_with: Words::NO_WORDS }
    }

    /// Sets the notes for a reader of the result.
    #[must_use]
    pub fn with_notes(self, notes: Vec<String>) -> Contest {
        Contest { notes, ..self }
    }

    /// Sets the fields to reduce when the contest has too many states, most effective first.
    #[must_use]
    pub fn with_size_fields(self, fields: &'static [&'static str]) -> Contest {
        Contest { grows_with: Words::Static(fields), ..self }
    }
}

fn unknown_name_fault<'a>(
    what: &str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Fault {
    let fault = Fault::new(what, format!("there is no {what} \"{}\"", shorten_and_make_safe(name)));
    match name_matching::find_nearest_name(name, names.clone()) {
        Some(near) => fault.with_help(format!("did you mean \"{near}\"?")),
        None => fault.with_help(format!("there is {}", names.collect::<Vec<_>>().join(", "))),
    }
}
