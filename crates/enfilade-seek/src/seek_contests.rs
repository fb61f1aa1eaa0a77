//! The contests of a search with their circumstances.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::{Fault, Fields, Form, Value};
use enfilade_study::file::file_reader::TomlReaderWithFaults;
use enfilade_study::file::toml_writer;
use enfilade_study::follow_up;
use enfilade_study::grid::{self, GridAxis};

use crate::number_path::{NumberPath, RULEBOOK_CHANGES_KEY};
use crate::seek_numbers::{
    ChangeableNumber, ContestWithCircumstances, FOLLOW_UPS_KEY, UnchangedAxisValues,
};

/// The largest number of places on the axes of one contest.
const MAX_CIRCUMSTANCES: u64 = 1000;

/// The contests of a file, without circumstances.
pub(crate) fn read_contests(
    reader: &mut TomlReaderWithFaults,
    table: &Table,
) -> Option<Vec<ContestWithCircumstances>> {
    let changed =
        table.get(RULEBOOK_CHANGES_KEY).and_then(Toml::as_table).cloned().unwrap_or_default();
    let none = Fault::new("contest", "there is no contest in the file");
    let contests = reader.read_each_required_table("contest", none, |reader, at, table| {
        read_contest(reader, at, table, &changed)
    });
    let contests: Vec<ContestWithCircumstances> = contests.into_iter().collect::<Option<_>>()?;
    reader.note_repeated_names("contest", contests.iter().map(|contest| contest.name.as_str()));
    Some(contests)
}

/// The contest in a table, without circumstances.
fn read_contest(
    reader: &mut TomlReaderWithFaults,
    at: usize,
    mut table: Table,
    changed: &Table,
) -> Option<ContestWithCircumstances> {
    let path = format!("contest[{at}]");
    let system = resolve_rulebook(reader, &mut table, &path)?;
    let action = resolve_action(reader, &system, &mut table, &path)?;
    let name = match table.remove("name") {
        Some(Toml::String(name)) => name,
        _ => format!("{} {}", system.id, action.name),
    };
    add_common_changes(&action.fields, &mut table, changed);
    let action_name = action.name.to_string();
    // An action may have a field with this name.
    let is_field = action.fields.get(FOLLOW_UPS_KEY).is_some();
    let follow_ups = table.get(FOLLOW_UPS_KEY).filter(|_| !is_field).cloned();
    let chained = follow_up::chain_action_with_follow_ups(&system, &action, &mut table);
    let chained = chained.map_err(|faults| note_faults_below(reader, faults, &path)).ok()?;
    let action = chained.unwrap_or(action);
    let circumstances = Vec::new();
    Some(ContestWithCircumstances {
        name,
        system,
        action,
        action_name,
        follow_ups,
        table,
        circumstances,
    })
}

/// Resolves the rulebook that a contest names; a single one from a file needs no name.
fn resolve_rulebook(
    reader: &mut TomlReaderWithFaults,
    table: &mut Table,
    path: &str,
) -> Option<Arc<System>> {
    if let Some(Toml::String(id)) = table.remove("system") {
        return reader.find_sound_rulebook(&id, path);
    }
    let only = reader.catalogue.sole_text_rulebook().cloned();
    if only.is_none() {
        let problem = "`system` is missing: the rulebook";
        reader.note_at_value(Fault::new(format!("{path}.system"), problem));
    }
    only
}

fn resolve_action(
    reader: &mut TomlReaderWithFaults,
    system: &System,
    table: &mut Table,
    path: &str,
) -> Option<Arc<RulebookAction>> {
    let action_name = table.remove("action").and_then(|action| action.as_str().map(str::to_owned));
    let Some(name) = action_name else {
        let action_names: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
        let fault = Fault::new(format!("{path}.action"), "`action` is missing: what is resolved");
        reader.note_at_value(fault.with_help(format!("there is {}", action_names.join(", "))));
        return None;
    };
    system
        .action(&name)
        .cloned()
        .map_err(|fault| reader.note_at_value(fault.prefix_path(path)))
        .ok()
}

/// Adds the changes of all contests to a contest that has the field and does not set it.
fn add_common_changes(fields: &Fields, table: &mut Table, changed: &Table) {
    let change_fields =
        fields.get(RULEBOOK_CHANGES_KEY).and_then(|field| field.kind.table_fields());
    let Some(change_fields) = change_fields.filter(|_| !changed.is_empty()) else { return };
    let own = table.entry(RULEBOOK_CHANGES_KEY).or_insert_with(|| Toml::Table(Table::new()));
    if let Toml::Table(own) = own {
        let of_it = changed.iter().filter(|(key, _)| change_fields.get(key).is_some());
        add_missing_values(own, of_it);
    }
}

fn add_missing_values<'t>(own: &mut Table, under: impl Iterator<Item = (&'t String, &'t Toml)>) {
    for (key, value) in under {
        match (own.get_mut(key), value) {
            (Some(Toml::Table(own)), Toml::Table(under)) => add_missing_values(own, under.iter()),
            (Some(_), _) => {}
            (None, value) => drop(own.insert(key.clone(), value.clone())),
        }
    }
}

fn note_faults_below(reader: &mut TomlReaderWithFaults, faults: Vec<Fault>, outer: &str) {
    faults.into_iter().for_each(|fault| reader.note_at_value(fault.prefix_path(outer)));
}

/// Finds the circumstances of a contest.
pub(crate) fn expand_to_circumstances(
    reader: &mut TomlReaderWithFaults,
    side: usize,
    contests: &mut [ContestWithCircumstances],
    numbers: &[ChangeableNumber],
) -> Option<()> {
    let path = format!("contest[{side}]");
    let contest = &mut contests[side];
    let axes = grid::find_axes_of_contest(&contest.action.fields, &contest.table);
    let axes = axes.map_err(|faults| note_faults_below(reader, faults, &path)).ok()?;
    if let Some(fault) = axis_not_allowed_fault(&axes, side, contest, numbers) {
        reader.note_at_value(fault.prefix_path(&path));
        return None;
    }
    let size = grid::count_cells_of_grid(&axes, MAX_CIRCUMSTANCES);
    let size = size.map_err(|fault| reader.note_at_value(fault.prefix_path(&path))).ok()?;
    contest.circumstances =
        (0..size).map(|index| circumstance_at_index(contest, &axes, index)).collect();
    Some(())
}

/// The fault of an axis that cannot be a circumstance: it is changed, or is a relative change.
fn axis_not_allowed_fault(
    axes: &[GridAxis],
    side: usize,
    contest: &ContestWithCircumstances,
    numbers: &[ChangeableNumber],
) -> Option<Fault> {
    let changed = |axis: &&GridAxis| {
        let mut places = numbers.iter().filter_map(|number| number.places[side].as_ref());
        places.any(|place| place.to_file_path() == axis.name)
    };
    if let Some(axis) = axes.iter().find(changed) {
        let problem =
            format!("`{}` is both an axis of \"{}\" and in [seek.change]", axis.name, contest.name);
        let help =
            "remove one of them: as an axis, every design must meet the wants at every value";
        return Some(Fault::new(axis.path.as_str(), problem).with_help(help));
    }
    let axis = axes.iter().find(|axis| axis.relative)?;
    let fault = Fault::new(axis.path.as_str(), "a relative change cannot be a circumstance");
    Some(fault.with_help("list the values themselves"))
}

/// One place on the axes of a contest.
fn circumstance_at_index(
    contest: &ContestWithCircumstances,
    axes: &[GridAxis],
    index: u64,
) -> UnchangedAxisValues {
    let positions = grid::indices_on_axes(axes, index);
    let mut table = contest.table.clone();
    axes.iter().zip(&positions).for_each(|(axis, at)| axis.set_axis_value(&mut table, *at));
    let at = axes.iter().zip(&positions);
    let at = at.map(|(axis, at)| (axis.name.clone(), axis.values[*at].clone())).collect();
    UnchangedAxisValues { at, table }
}

/// The current value of a contest at a place: from its table, its default, or its printed number.
pub(crate) fn find_current_value(
    contest: &ContestWithCircumstances,
    table: &Table,
    place: &NumberPath,
) -> Option<Toml> {
    if let Some(given) = place.value_in_table(table) {
        return Some(given.clone());
    }
    if place.is_rulebook_number() {
        let keys: Vec<&str> = place.keys.iter().skip(1).map(String::as_str).collect();
        let printed = contest.action.probe.as_ref()?.printed_value_at(&keys)?;
        return toml_writer::format_toml_value(&printed).parse().ok();
    }
    let form = Form::from_table_with_defaults(&contest.action.fields, table).ok()?;
    match find_in_form(&form, &place.keys) {
        Some(value) => toml_writer::format_toml_value(&value).parse().ok(),
        None => (contest.action.otherwise)(&form, &place.to_file_path()).map(Toml::Integer),
    }
}

/// Finds a value of a form by its keys.
fn find_in_form(form: &Form, keys: &[String]) -> Option<Value> {
    let (first, rest) = keys.split_first()?;
    let value = form.get(first)?;
    match value {
        value if rest.is_empty() => Some(value.clone()),
        Value::Table(inner) => find_in_form(inner, rest),
        Value::Tables(several) => find_in_form(several.first()?, rest),
        _ => None,
    }
}
