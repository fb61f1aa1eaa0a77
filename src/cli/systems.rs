//! `enfilade systems`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::fields::{carried_fields, fields, listed, listed_fields, reports};
use super::new::{priced, wants_prices};
use super::options::Rulebooks;
use super::question::is_rulebook;
use super::systems_json::{self, SystemsDocument, arsenal_fields, both, owned, readings};
use super::{Page, action, question};
use crate::catalogue::{Catalogue, System};
use crate::error::Error;
use crate::form::Form;
use crate::form::sanitize::shown;
use crate::pricing::doctrine::WORDS;
use crate::pricing::{arsenal, changes, scenario};
use crate::report::json::indented;
use crate::report::pricing::points_format::points;
use crate::report::terminal::{Screen, wrapped};
use crate::study::file::rulebook_loader::stem;
use crate::study::samples;
use crate::weapons::{Priced, Profile};

/// Show the rule systems, built in and in files
///
/// Without a name: all systems, a line each. With one: its actions, their fields with defaults and
/// ranges, their reports, its sources and readings, its omissions, and its weapons and units. With
/// an action: its common fields. With `price`: the fields of an arsenal file and the names that
/// `[change]` accepts. With any other word: everything with that word in its name or its help.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade systems
  enfilade systems asl fire
  enfilade systems asl fire leader
  enfilade systems asl --format json")]
pub struct Systems {
    /// One system, such as asl, or the file of a rulebook in text
    id: Option<String>,
    /// One of its actions, such as fire, or a word to find
    action: Option<String>,
    /// A word to find in that action
    word: Option<String>,
    /// Show the rare fields of an action too
    #[arg(long)]
    all: bool,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print the text of a rulebook in text, or the named file of it: to be copied and changed
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "format")]
    text: Option<Option<String>>,
    #[command(flatten)]
    rulebooks: Rulebooks,
}

/// Formats of the catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For reading
    #[default]
    Table,
    /// One JSON document
    Json,
}

impl Systems {
    /// Renders the catalogue, or one rulebook of it.
    ///
    /// # Errors
    /// When the system does not exist, or its built-in data cannot be read.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let rulebooks = self.given();
        let catalogue = &rulebooks.on(catalogue)?;
        let find = |id: &str| match Path::new(id) {
            file if is_rulebook(file) => find(catalogue, &stem(file)),
            _ => find(catalogue, id),
        };
        // A rulebook given by an option is the one that is wanted.
        let given = catalogue.only_read().filter(|_| !rulebooks.rules.is_empty());
        let named = self.id.as_deref().map(find).transpose()?.or(given);
        let all = || catalogue.systems().collect();
        let chosen: Vec<&Arc<System>> = named.map_or_else(all, |system| vec![system]);
        for system in &chosen {
            checked(system)?;
        }
        if let (Some(system), Some(_)) = (named, &self.action) {
            return self.found(system, &rulebooks).map(Page::from);
        }
        if let Some(file) = &self.text {
            return text(catalogue, named, file.as_deref()).map(Page::from);
        }
        Ok(Page::from(match (self.format, named) {
            (Format::Json, _) => {
                indented(&SystemsDocument::of(chosen.iter().map(|system| &***system)))
            }
            (Format::Table, Some(system)) => told(system, Screen::of_stdout().width),
            (Format::Table, None) => all_of(&chosen, Screen::of_stdout().width),
        }))
    }

    /// The rulebooks in text files, including one whose file is given in place of its name.
    fn given(&self) -> Rulebooks {
        let mut given = self.rulebooks.clone();
        let file = self.id.as_deref().map(PathBuf::from).filter(|file| is_rulebook(file));
        given.rules.extend(file);
        given
    }

    /// Describes one action, or the matches of a word in it or in all.
    fn found(&self, system: &System, rulebooks: &Rulebooks) -> Result<String, Error> {
        let width = Screen::of_stdout().width;
        let name = self.action.as_deref().unwrap_or_default();
        if self.word.is_none() && wants_prices(system, name) {
            return prices(system, width);
        }
        // A word that is no action is searched in all of them.
        let (wanted, within) = match (system.action(name), &self.word) {
            (Ok(action), None) if self.format == Format::Json => {
                return Ok(indented(&systems_json::action(system, action)));
            }
            (Ok(action), None) => {
                let rules = rulebooks.again();
                return Ok(action::told(system, action, &rules, self.all, width));
            }
            (Ok(action), Some(word)) => (word.as_str(), vec![&**action]),
            (Err(fault), Some(_)) => return Err(question::usage(fault)),
            (Err(_), None) => (name, system.actions.iter().map(|action| &**action).collect()),
        };
        action::found(system, within.into_iter(), wanted, width).ok_or_else(|| {
            let actions = system.actions.iter().map(|action| &*action.name);
            let (wanted, actions) = (shown(wanted), there_is(actions));
            Error::Usage(format!(
                "{} has no action, field, weapon or unit {wanted}; {actions}",
                system.id
            ))
        })
    }
}

/// Finds the system called `id` on the command line.
pub(super) fn find<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Arc<System>, Error> {
    catalogue.system(id).map_err(question::usage)
}

/// Checks that the built-in data of a system can be read.
pub(super) fn checked(system: &System) -> Result<(), Error> {
    let checked = system.checked();
    checked.map_err(|fault| Error::Usage(fault.problem))
}

/// Returns the text of a file of a rulebook, its main file if none is named.
fn text(
    catalogue: &Catalogue,
    system: Option<&Arc<System>>,
    file: Option<&str>,
) -> Result<String, Error> {
    let Some(system) = system else {
        let how = "--text prints one rulebook: enfilade systems d20 --text";
        return Err(Error::Usage(how.into()));
    };
    let all = || system.files.iter().chain(system.retold.iter());
    let names = || all().map(|file| &*file.name);
    let found = match file {
        None => system.files.first(),
        Some(name) => all().find(|file| file.name == *name),
    };
    // No user knows beforehand which games have a text: every error lists them.
    let problem = || match file.filter(|_| names().next().is_some()) {
        Some(name) => {
            let name = shown(name);
            format!("{} has no file {name}; {}", system.id, there_is(names()))
        }
        None => {
            let others = catalogue.systems().filter(|system| !system.files.is_empty());
            let others = there_is(others.map(|system| &*system.id));
            let own: Vec<_> = names().collect();
            match own.as_slice() {
                [] => format!("{} is written in Rust and has no text; {others}", system.id),
                own => format!(
                    "{} is written in Rust; also available as rule text: {}: use --text={}",
                    system.id,
                    own.join(", "),
                    own[0]
                ),
            }
        }
    };
    found.map(|file| file.text.to_string()).ok_or_else(|| Error::Usage(problem()))
}

fn there_is<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("there is {}", names.collect::<Vec<_>>().join(", "))
}

fn all_of(systems: &[&Arc<System>], width: usize) -> String {
    let longest = systems.iter().map(|system| system.id.len()).max().unwrap_or(0);
    let told = systems.iter().map(|system| {
        let actions: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
        let actions = format!("actions: {}", actions.join(", "));
        let texts = [system.title.to_string(), actions, format!("dice: {}", system.dice)];
        listed((&system.id, longest), &texts, width)
    });
    let told: Vec<_> = told.collect();
    let more = "More about one of them: enfilade systems ID, enfilade systems ID ACTION";
    format!("{}\n{}", told.join("\n"), wrapped(more, width))
}

fn told(system: &System, width: usize) -> String {
    let mut page = format!("{}: {}\n", system.id, system.title);
    for (head, said) in [("source", &system.source), ("dice", &system.dice)] {
        if !said.is_empty() {
            page += &format!("{head}: {said}\n");
        }
    }
    if !system.files.is_empty() {
        let names: Vec<_> = system.files.iter().map(|file| &*file.name).collect();
        page += &format!("text: {} (--text, --text=FILE)\n", names.join(", "));
    }
    for action in &system.actions {
        let _ = write!(page, "\n== {} {}: {}\n", system.id, action.name, action.about);
        if !action.question.is_empty() {
            page += &format!("{}\n", action.plain_question());
        }
        page += &fields(listed_fields(&action.fields, ""), width);
        page += &reports(action, width);
        page += &carried_fields(action, width);
        if let Some(first) = action.samples.get(0) {
            let file = samples::file(system, action, first).replace('\n', "\n  ");
            let _ = write!(page, "\nExample file:\n  {}\n", file.trim_end());
        }
    }
    if let Some(rules) = &system.pricing {
        let _ = write!(page, "\n== {} arsenal: what `enfilade balance` prices\n", system.id);
        page += &arsenal_told(&**rules, width);
    }
    page += &bullets("How the source is read", &readings(system), width);
    page += &bullets("Not modelled", &owned(&system.not_modelled), width);
    for data_table in (system.data_tables)() {
        page += &format!("\n{}", action::shown(data_table, width));
    }
    page
}

fn bullets(title: &str, items: &[String], width: usize) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|item| wrapped(&format!("- {item}"), width)).collect();
    format!("\n== {title}\n{items}")
}

/// Describes an arsenal of a rulebook: fields, assumptions, units with printed prices, and the
/// names that `[change]` accepts.
fn prices(system: &System, width: usize) -> Result<String, Error> {
    let rules = priced(system)?;
    let id = &system.id;
    let mut page = format!("== {id}: what `enfilade balance` prices (enfilade new {id} price)\n");
    page += &arsenal_told(rules, width);
    for preset in WORDS {
        let _ = writeln!(page, "{}  {}: {}", preset.name, preset.words.join(", "), preset.about);
    }
    let weapon = arsenal::weapon_fields(rules);
    let printed = rules.known().into_iter().filter_map(|name| {
        let table = toml::Table::from_iter([("name".to_owned(), (&*name).into())]);
        let form = Form::fill(&weapon, &table).ok()?;
        let price = rules.printed_price(Profile { name: &name, form: &form }).ok()??;
        Some(format!("{name} {}", points(price)))
    });
    let printed: Vec<String> = printed.collect();
    let said = if printed.is_empty() { "none".to_owned() } else { printed.join("; ") };
    page += &format!("\n== Printed prices\n{}", wrapped(&said, width));
    page += "\n== What [change] may name\n";
    let mut known = BTreeSet::new();
    let each = changes::names(system).filter(|field| known.insert(field.name.to_string()));
    page += &fields(each.map(|field| (field.name.to_string(), field)).collect(), width);
    Ok(page)
}

/// Describes the fields of an arsenal file, and its assumptions.
fn arsenal_told(rules: &dyn Priced, width: usize) -> String {
    let [weapon, scenario] = arsenal_fields(rules);
    let mut page = fields(both(&weapon, &scenario), width);
    page += "Assumptions, as `[assumptions] horizon = [low, default, high]`:\n";
    for preset in scenario::presets(rules) {
        let [low, default, high] = preset.values;
        let name = &preset.name;
        let _ = writeln!(page, "{name}  [{low}, {default}, {high}]: {}", preset.about);
    }
    page
}
