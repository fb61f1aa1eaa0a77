//! A file to begin with: weapons of a rulebook, a custom one, and the other keys of a file.

use std::fmt::Write;

use toml::{Table, Value as Toml};

use crate::arsenal::{ARSENAL_FIELDS, WORTH_SCALE_KEY};
use crate::doctrine::{ALTERNATE_TURNS, TURN_ORDER_ASSUMPTION, WORD_ASSUMPTIONS};
use crate::scenario::{self, assumptions_with_rulebook};
use enfilade_model::catalogue::System;
use enfilade_model::form::{Field, FieldType, Fields};
use enfilade_model::weapons::PricingRules;
use enfilade_study::file::rulebook_loader;
use enfilade_study::question::format_table_fields;

/// Keys of the header behind a `#`, each with a sample value.
const COMMENTED_HEADER_KEYS: [(&str, &str); 5] = [
    ("lists", "500"),
    ("bound", "true"),
    ("opponents", "\"all\""),
    ("tolerance", "0.25"),
    ("price_step", "5"),
];

/// Writes an arsenal that runs unchanged: the starter arsenal of a rulebook, with every field of a
/// custom weapon behind a `#` and the assumptions below. `name` is the name of the file, `rules`
/// the path to the rulebook if that is not beside it.
///
/// ```
/// use enfilade_pricing::{arsenal::Arsenal, sample_arsenal::runnable_sample_arsenal};
/// let catalogue = enfilade_games::built_in_catalogue();
/// let system = catalogue.rulebook_by_id("skirmishers").expect("it is built in");
/// let rules = system.pricing.as_deref().expect("it has prices");
/// let file = runnable_sample_arsenal(system, rules, "my.toml", None);
/// assert!(Arsenal::read_arsenal_text(&catalogue, "my.toml", &file).is_ok());
/// ```
pub fn runnable_sample_arsenal(
    system: &System,
    rules: &dyn PricingRules,
    name: &str,
    path: Option<&str>,
) -> String {
    let ready = match rules.starter_arsenal() {
        "" => build_minimal_arsenal(rules),
        ready => ready.to_owned(),
    };
    let (before, own, after) = split_around_last_weapon(&ready);
    let mut file = format!(
        "# What weapons of {} should cost.\n#\n#   enfilade balance {name}\n#   enfilade balance {name} --only {:?}\n#\n\
         # The last weapon is yours to change: a field behind a # is optional, and shows its default.\n\n",
        system.id,
        own.get("name").and_then(Toml::as_str).unwrap_or("my own"),
    );
    file += &path.map_or_else(
        || rulebook_loader::rules_line_unless_built_in(system),
        rulebook_loader::format_rules_line_for_path,
    );
    let _ = writeln!(file, "system = {:?}", &*system.id);
    for (key, value) in COMMENTED_HEADER_KEYS {
        let about = describe_arsenal_key(key);
        let _ = writeln!(file, "# {key} = {value}  # {about}");
    }
    let fields = crate::arsenal::rulebook_weapon_fields(rules);
    let columns = commented_columns(&fields, &own);
    let own = format_table_fields(&fields, &own, "weapon");
    let assumptions = commented_assumptions(rules);
    file + &format!("\n{before}[[weapon]]\n{columns}{own}\n{after}{assumptions}")
}

/// Writes the rows of a table that the weapon names with columns of its own, behind a `#`.
fn commented_columns(fields: &Fields, own: &Table) -> String {
    let row = |field: &Field| {
        let FieldType::Row(_, columns) = &field.kind else { return None };
        let number = columns.iter().find(|column| matches!(column.kind, FieldType::Int(_)))?;
        let names = columns.iter().map(|column| &*column.name).filter(|name| *name != "name");
        let (names, row) = (names.collect::<Vec<_>>().join(", "), own.get(&*field.name)?);
        Some(format!(
            "# A printed row below, or one of your own that differs in any of {names}:\n\
             # {} = {{ name = {row}, {} = 1 }}\n",
            field.name, number.name
        ))
    };
    fields.iter().filter_map(row).collect()
}

/// Describes a key of an arsenal.
fn describe_arsenal_key(key: &str) -> String {
    ARSENAL_FIELDS.get(key).map_or_else(String::new, |field| field.about.to_string())
}

/// Splits a text into the part before the last weapon, that weapon, and the rest.
fn split_around_last_weapon(ready: &str) -> (&str, Table, &str) {
    let end = ready.find("[[scenario]]").unwrap_or(ready.len());
    let start = ready[..end].rfind("[[weapon]]").unwrap_or(end);
    let own = ready[start..end].trim_start_matches("[[weapon]]");
    (&ready[..start], own.parse().unwrap_or_default(), &ready[end..])
}

/// Writes a weapon and a scenario with their required fields, for a rulebook without a starter
/// arsenal.
fn build_minimal_arsenal(rules: &dyn PricingRules) -> String {
    let of = |fields: &Fields, name: &str| {
        let mut table = fields.smallest_valid_table();
        table.insert("name".to_owned(), name.into());
        table
    };
    let weapon = of(rules.weapon_fields(), "my own");
    let mut scenario = of(&scenario::all_scenario_fields(rules), "open ground");
    if let Some(Toml::Table(target)) = scenario.get_mut("target") {
        target.insert("troopers".to_owned(), 6.into());
        target.insert("points_each".to_owned(), 20.into());
    }
    let inline = |table: Table| -> String {
        table.into_iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
    };
    format!("[[weapon]]\n{}\n[[scenario]]\n{}", inline(weapon), inline(scenario))
}

/// Writes the assumptions, with their meanings, behind a `#`.
fn commented_assumptions(rules: &dyn PricingRules) -> String {
    let mut file =
        "\n# Low, default and high of what no rulebook settles, or one number that is known.\n\
         [assumptions]\n"
            .to_owned();
    for preset in assumptions_with_rulebook(rules) {
        let _ = writeln!(file, "# {} = {:?}  # {}", preset.name, preset.values, preset.about);
    }
    for preset in WORD_ASSUMPTIONS {
        let (name, words, about) = (preset.name, preset.words, preset.about);
        let _ = match name == TURN_ORDER_ASSUMPTION && rules.activates_units_in_turn() {
            true => writeln!(file, "{name} = {ALTERNATE_TURNS:?}  # one of {words:?}: {about}"),
            false => writeln!(file, "# {name} = {words:?}  # {about}"),
        };
    }
    let about = describe_arsenal_key(WORTH_SCALE_KEY);
    file + &format!(
        "\n# {about}\n# [scale]\n# k = 0.62\n\n# Prices that lists are bought at as well, with `lists`.\n\
         # [prices.try]\n# \"my own\" = 120\n"
    )
}
