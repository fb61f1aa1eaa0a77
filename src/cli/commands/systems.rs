//! `enfilade systems`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use clap::Args;

use super::new::{is_word_for_prices, pricing_rules_of_rulebook};
use super::systems_json::{
    self, SystemsDocument, flatten_arsenal_fields, list_chosen_rule_readings,
    weapon_and_scenario_fields, words_as_strings,
};
use crate::catalogue::{Catalogue, System};
use crate::cli::OutputAndError;
use crate::cli::args::ExtraRulebookArgs;
use crate::cli::args::question_args;
use crate::cli::help::action_help;
use crate::cli::help::field_help::{
    flatten_without_row_columns, format_carried_fields, format_fields, format_name_beside_texts,
    format_reports,
};
use crate::error::Error;
use crate::form::Form;
use crate::form::sanitize::shorten_and_make_safe;
use crate::pricing::doctrine::WORD_ASSUMPTIONS;
use crate::pricing::{arsenal, rule_changes, scenario};
use crate::report::json_text::to_indented_json;
use crate::report::pricing::points_format::format_price_points;
use crate::report::terminal::{TerminalCapabilities, wrap_text};
use crate::study::samples;
use crate::weapons::{PricingRules, WeaponWithoutItsPrice};

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
pub struct SystemsArgs {
    /// One system, such as asl, or the file of a rulebook
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
    format: CatalogueFormat,
    /// Print the text of a rulebook, or the named file of it, to copy and change
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "format")]
    text: Option<Option<String>>,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
}

/// Formats of the catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum CatalogueFormat {
    /// For reading
    #[default]
    Table,
    /// One JSON document
    Json,
}

impl SystemsArgs {
    /// Renders the catalogue, or one rulebook of it.
    ///
    /// # Errors
    /// When the system does not exist, or its built-in data cannot be read.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let named = self.id.as_deref().map(|id| self.rulebooks.add_file_and_get_name(id));
        let (rulebooks, id) = match named {
            Some((rulebooks, id)) => (rulebooks, Some(id)),
            None => (self.rulebooks.clone(), None),
        };
        let catalogue = &rulebooks.catalogue_with_files(catalogue)?;
        let find = |id| find_rulebook_by_id(catalogue, id);
        // A rulebook given by an option is the one that is wanted.
        let sole_rulebook = catalogue.sole_text_rulebook().filter(|_| !rulebooks.rules.is_empty());
        let named = id.as_deref().map(find).transpose()?.or(sole_rulebook);
        let all = || catalogue.rulebooks_created_on_demand().collect();
        let chosen: Vec<&Arc<System>> = named.map_or_else(all, |system| vec![system]);
        for system in &chosen {
            check_rulebook_data(system)?;
        }
        if let (Some(system), Some(_)) = (named, &self.action) {
            return self.describe_action_or_matches(system, &rulebooks).map(OutputAndError::from);
        }
        if let Some(file) = &self.text {
            return text_of_rulebook_file(catalogue, named, file.as_deref())
                .map(OutputAndError::from);
        }
        Ok(OutputAndError::from(match (self.format, named) {
            (CatalogueFormat::Json, _) => to_indented_json(&SystemsDocument::from_rulebooks(
                chosen.iter().map(|system| &***system),
            )),
            (CatalogueFormat::Table, Some(system)) => {
                describe_rulebook(system, TerminalCapabilities::from_stdout().width)
            }
            (CatalogueFormat::Table, None) => {
                render_catalogue(&chosen, TerminalCapabilities::from_stdout().width)
            }
        }))
    }

    /// Describes one action, or the matches of a word in it or in all.
    fn describe_action_or_matches(
        &self,
        system: &System,
        rulebooks: &ExtraRulebookArgs,
    ) -> Result<String, Error> {
        let width = TerminalCapabilities::from_stdout().width;
        let name = self.action.as_deref().unwrap_or_default();
        if self.word.is_none() && is_word_for_prices(system, name) {
            return describe_arsenal_of_rulebook(system, width);
        }
        // A word that is no action is searched in all of them.
        let (wanted, within) = match (system.action(name), &self.word) {
            (Ok(action), None) if self.format == CatalogueFormat::Json => {
                return Ok(to_indented_json(&systems_json::action_json(system, action)));
            }
            (Ok(action), None) => {
                let rules = rulebooks.as_command_options();
                return Ok(action_help::describe_action_for_help(
                    system, action, &rules, self.all, width,
                ));
            }
            (Ok(action), Some(word)) => (word.as_str(), vec![&**action]),
            (Err(fault), Some(_)) => return Err(question_args::fault_as_usage_error(fault)),
            (Err(_), None) => (name, system.actions.iter().map(|action| &**action).collect()),
        };
        action_help::describe_matches_of_word(system, within.into_iter(), wanted, width).ok_or_else(
            || {
                let actions = system.actions.iter().map(|action| &*action.name);
                let (wanted, actions) =
                    (shorten_and_make_safe(wanted), available_names_note(actions));
                Error::Usage(format!(
                    "{} has no action, field, weapon or unit {wanted}; {actions}",
                    system.id
                ))
            },
        )
    }
}

/// Finds the system called `id` on the command line.
pub(super) fn find_rulebook_by_id<'a>(
    catalogue: &'a Catalogue,
    id: &str,
) -> Result<&'a Arc<System>, Error> {
    catalogue.rulebook_by_id(id).map_err(question_args::fault_as_usage_error)
}

/// Checks that the built-in data of a system can be read.
pub(super) fn check_rulebook_data(system: &System) -> Result<(), Error> {
    let checked = system.check_built_in_data();
    checked.map_err(|fault| Error::Usage(fault.problem))
}

/// Returns the text of a file of a rulebook, its main file if none is named.
fn text_of_rulebook_file(
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
    let text = match file {
        None => system.files.first(),
        Some(name) => all().find(|file| file.name == *name),
    };
    // No user knows beforehand which games have a text: every error lists them.
    let problem = || match file.filter(|_| names().next().is_some()) {
        Some(name) => {
            let name = shorten_and_make_safe(name);
            format!("{} has no file {name}; {}", system.id, available_names_note(names()))
        }
        None => {
            let others =
                catalogue.rulebooks_created_on_demand().filter(|system| !system.files.is_empty());
            let others = available_names_note(others.map(|system| &*system.id));
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
    text.map(|file| file.text.to_string()).ok_or_else(|| Error::Usage(problem()))
}

fn available_names_note<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("there is {}", names.collect::<Vec<_>>().join(", "))
}

fn render_catalogue(systems: &[&Arc<System>], width: usize) -> String {
    let longest = systems.iter().map(|system| system.id.len()).max().unwrap_or(0);
    let system_texts = systems.iter().map(|system| {
        let actions: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
        let actions = format!("actions: {}", actions.join(", "));
        let texts = [system.title.to_string(), actions, format!("dice: {}", system.dice)];
        format_name_beside_texts((&system.id, longest), &texts, width)
    });
    let system_texts: Vec<_> = system_texts.collect();
    let more = "More about one of them: enfilade systems ID, enfilade systems ID ACTION";
    format!("{}\n{}", system_texts.join("\n"), wrap_text(more, width))
}

fn describe_rulebook(system: &System, width: usize) -> String {
    let mut page = format!("{}: {}\n", system.id, system.title);
    for (head, text) in [("source", &system.source), ("dice", &system.dice)] {
        if !text.is_empty() {
            page += &format!("{head}: {text}\n");
        }
    }
    if !system.files.is_empty() {
        let names: Vec<_> = system.files.iter().map(|file| &*file.name).collect();
        page += &format!("text: {} (--text, --text=FILE)\n", names.join(", "));
    }
    for action in &system.actions {
        let _ = write!(page, "\n== {} {}: {}\n", system.id, action.name, action.about);
        if !action.question.is_empty() {
            page += &format!("{}\n", action.question_in_general());
        }
        page += &format_fields(flatten_without_row_columns(&action.fields, ""), width);
        page += &format_reports(action, width);
        page += &format_carried_fields(action, width);
        if let Some(first) = action.samples.get(0) {
            let file = samples::contest_file_of_sample(system, action, first).replace('\n', "\n  ");
            let _ = write!(page, "\nExample file:\n  {}\n", file.trim_end());
        }
    }
    if let Some(rules) = &system.pricing {
        let _ = write!(page, "\n== {} arsenal: what `enfilade balance` prices\n", system.id);
        page += &describe_arsenal_file(&**rules, width);
    }
    page +=
        &render_bullet_list("How the source is read", &list_chosen_rule_readings(system), width);
    page += &render_bullet_list("Not modelled", &words_as_strings(&system.not_modelled), width);
    for data_table in (system.data_tables)() {
        page += &format!("\n{}", action_help::format_data_table(data_table, width));
    }
    page
}

fn render_bullet_list(title: &str, items: &[String], width: usize) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|item| wrap_text(&format!("- {item}"), width)).collect();
    format!("\n== {title}\n{items}")
}

/// Describes an arsenal of a rulebook: fields, assumptions, units with printed prices, and the
/// names that `[change]` accepts.
fn describe_arsenal_of_rulebook(system: &System, width: usize) -> Result<String, Error> {
    let rules = pricing_rules_of_rulebook(system)?;
    let id = &system.id;
    let mut page = format!("== {id}: what `enfilade balance` prices (enfilade new {id} price)\n");
    page += &describe_arsenal_file(rules, width);
    for preset in WORD_ASSUMPTIONS {
        let _ = writeln!(page, "{}  {}: {}", preset.name, preset.words.join(", "), preset.about);
    }
    let weapon = arsenal::rulebook_weapon_fields(rules);
    let printed = rules.weapon_names().into_iter().filter_map(|name| {
        let table = toml::Table::from_iter([("name".to_owned(), (&*name).into())]);
        let form = Form::from_table_with_defaults(&weapon, &table).ok()?;
        let price =
            rules.printed_price(WeaponWithoutItsPrice { name: &name, form: &form }).ok()??;
        Some(format!("{name} {}", format_price_points(price)))
    });
    let printed: Vec<String> = printed.collect();
    let text = if printed.is_empty() { "none".to_owned() } else { printed.join("; ") };
    page += &format!("\n== Printed prices\n{}", wrap_text(&text, width));
    page += "\n== What [change] may name\n";
    let mut described_terms = BTreeSet::new();
    let each = rule_changes::fields_that_may_change(system)
        .filter(|field| described_terms.insert(field.name.to_string()));
    page += &format_fields(each.map(|field| (field.name.to_string(), field)).collect(), width);
    Ok(page)
}

/// Describes the fields of an arsenal file, and its assumptions.
fn describe_arsenal_file(rules: &dyn PricingRules, width: usize) -> String {
    let [weapon, scenario] = weapon_and_scenario_fields(rules);
    let mut page = format_fields(flatten_arsenal_fields(&weapon, &scenario), width);
    page += "Assumptions, as `[assumptions] horizon = [low, default, high]`:\n";
    for preset in scenario::assumptions_with_rulebook(rules) {
        let [low, default, high] = preset.values;
        let name = &preset.name;
        let _ = writeln!(page, "{name}  [{low}, {default}, {high}]: {}", preset.about);
    }
    page
}
