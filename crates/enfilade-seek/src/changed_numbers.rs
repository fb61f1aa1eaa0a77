//! The numbers of a search as `[seek.change]` gives them.

use toml::{Table, Value as Toml};

use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, FieldType, Fields, name_matching as names};
use enfilade_study::file::file_reader::TomlReaderWithFaults;
use enfilade_study::file::source_document::TomlDocumentWithPositions;

use crate::design_order::printed_numbers_by_row;
use crate::number_path::{NumberPath, RULEBOOK_CHANGES_KEY, SEEK_TABLE_KEY};
use crate::seek_contests::find_current_value;
use crate::seek_numbers::{ChangeableNumber, ContestWithCircumstances, parse_value_list_or_range};
use crate::value_text::{alternatives_or_range, text_without_quotes};

/// Path of a number in the file.
fn toml_path_of_change(name: &str) -> String {
    format!("{SEEK_TABLE_KEY}.{RULEBOOK_CHANGES_KEY}.{name}")
}

/// Collects the names below `[seek.change]` with their values.
pub(crate) fn flatten_change_table(table: &Table, outer: &str, values: &mut Vec<(String, Toml)>) {
    const NUMBER_TABLE_KEYS: [&str; 6] = ["from", "to", "by", "list", "now", "of"];
    for (key, value) in table {
        let name = if outer.is_empty() { key.clone() } else { format!("{outer}.{key}") };
        match value {
            Toml::Table(inner)
                if !inner.keys().all(|key| NUMBER_TABLE_KEYS.contains(&key.as_str())) =>
            {
                flatten_change_table(inner, &name, values);
            }
            value => values.push((name, value.clone())),
        }
    }
}

/// Reads the numbers that may change; without current values, unless the file sets them.
pub(crate) fn read_changeable_numbers(
    reader: &mut TomlReaderWithFaults,
    value: Option<&Toml>,
    contests: &[ContestWithCircumstances],
) -> Option<Vec<ChangeableNumber>> {
    let Some(Toml::Table(table)) = value else {
        let problem = "no number may be changed: [seek.change] is missing";
        let help = "write `[seek.change]`, and below it `shots = { from = 1, to = 6 }`";
        reader.note_at_value(Fault::new(SEEK_TABLE_KEY, problem).with_help(help));
        return None;
    };
    let mut values = Vec::new();
    flatten_change_table(table, "", &mut values);
    let numbers =
        values.iter().map(|(name, given)| read_changeable_number(reader, name, given, contests));
    let numbers: Vec<_> = numbers.collect();
    numbers.into_iter().collect()
}

fn read_changeable_number(
    reader: &mut TomlReaderWithFaults,
    name: &str,
    value: &Toml,
    contests: &[ContestWithCircumstances],
) -> Option<ChangeableNumber> {
    let of = read_listed_contest_names(value)
        .map_err(|why| reader.note_at_value(Fault::new(toml_path_of_change(name), why)))
        .ok()?;
    let is_of = |contest: &ContestWithCircumstances| {
        of.as_ref().is_none_or(|of| of.contains(&contest.name))
    };
    let place = |contest: &ContestWithCircumstances| {
        NumberPath::find_by_name(&contest.action.fields, name).filter(|_| is_of(contest))
    };
    let places: Vec<Option<NumberPath>> = contests.iter().map(place).collect();
    let first =
        contests.iter().zip(&places).find_map(|(contest, place)| Some((contest, place.as_ref()?)));
    let Some((contest, NumberPath { kind, .. })) = first else {
        reader.note_at_path(unknown_number_fault(name, contests), true);
        return None;
    };
    let values = parse_value_list_or_range(value, kind);
    let values = values
        .map_err(|why| reader.note_at_value(Fault::new(toml_path_of_change(name), why)))
        .ok()?;
    let (now, columns) = (value.get("now").cloned(), printed_numbers_by_row(contest, kind));
    Some(ChangeableNumber { name: name.to_owned(), values, now, places, columns })
}

/// Reads the contests that `of` names; `None` if all are meant.
fn read_listed_contest_names(value: &Toml) -> Result<Option<Vec<String>>, &'static str> {
    match value.get("of") {
        None => Ok(None),
        Some(Toml::String(one)) => Ok(Some(vec![one.clone()])),
        Some(Toml::Array(several)) => {
            let names = several.iter().filter_map(|one| one.as_str().map(str::to_owned));
            Ok(Some(names.collect()))
        }
        Some(_) => Err("`of` is the name of a contest, or a list of them"),
    }
}

/// The fault that no contest has this number, with the nearest names.
fn unknown_number_fault(name: &str, contests: &[ContestWithCircumstances]) -> Fault {
    let mut number_names = Vec::new();
    contests
        .iter()
        .for_each(|contest| collect_number_names(&contest.action.fields, "", &mut number_names));
    let plain = number_names.iter().map(|name| name.strip_prefix("change.").unwrap_or(name));
    let number_names: Vec<&str> = plain.collect();
    let fault = Fault::new(
        toml_path_of_change(name),
        format!("no contest here has the number `{}`", shorten_and_make_safe(name)),
    );
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let near = names::find_nearest_name(name, number_names.iter().copied());
    let near = near.or_else(|| number_names.iter().copied().find(|one| last(one) == last(name)));
    match near {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => {
            fault.with_help(
                "it is a field of a contest, or `table.row.column` of its rulebook: `enfilade rules inspect FILE \
                 --numbers` lists them",
            )
        }
    }
}

/// The names of all numbers that contests with these fields have.
pub(crate) fn collect_number_names(fields: &Fields, outer: &str, names: &mut Vec<String>) {
    for field in fields.iter() {
        let name = if outer.is_empty() {
            field.name.to_string()
        } else {
            format!("{outer}.{}", field.name)
        };
        match (&field.kind, field.kind.table_fields()) {
            (FieldType::Row(..), _) | (_, None) => names.push(name),
            (_, Some(inner)) => collect_number_names(inner, &name, names),
        }
    }
}

/// Adds the current values of the numbers.
pub(crate) fn with_current_values(
    reader: &mut TomlReaderWithFaults,
    numbers: Vec<ChangeableNumber>,
    contests: &[ContestWithCircumstances],
) -> Option<Vec<ChangeableNumber>> {
    let current_numbers = numbers.into_iter().map(|number| {
        let current = distinct_current_values(&number, contests);
        if current.len() > 1 && number.now.is_none() {
            reader.note_at_value(differing_values_fault(&number, &current));
            return None;
        }
        let now = number.now.clone().or_else(|| current.into_iter().next());
        Some(ChangeableNumber { now, ..number })
    });
    let current_numbers: Vec<Option<ChangeableNumber>> = current_numbers.collect();
    current_numbers.into_iter().collect()
}

/// The current values of a number in its contests, each value once.
fn distinct_current_values(
    number: &ChangeableNumber,
    contests: &[ContestWithCircumstances],
) -> Vec<Toml> {
    let mut values: Vec<Toml> = Vec::new();
    for (contest, place) in contests.iter().zip(&number.places) {
        let table = contest.circumstances.first().map(|first| &first.table);
        let now = table.zip(place.as_ref());
        let now = now.and_then(|(table, place)| find_current_value(contest, table, place));
        values.extend(now.filter(|now| !values.contains(now)));
    }
    values
}

fn differing_values_fault(number: &ChangeableNumber, current: &[Toml]) -> Fault {
    let texts: Vec<_> = current.iter().map(text_without_quotes).collect();
    let values = alternatives_or_range(&texts, false);
    let problem = format!("`{}` is {values} in different contests", number.name);
    let help = "name its contest with `of = \"…\"`, or set its current value with `now = …`";
    Fault::new(toml_path_of_change(&number.name), problem).with_help(help)
}

/// Notes values that a contest cannot have, each tried with the other numbers at their current
/// values.
pub(crate) fn note_impossible_values(
    reader: &mut TomlReaderWithFaults,
    contests: &[ContestWithCircumstances],
    numbers: &[ChangeableNumber],
) -> Option<()> {
    let mut sound = true;
    for (side, contest) in contests.iter().enumerate() {
        let tries = numbers.iter().enumerate().filter(|(_, number)| number.places[side].is_some());
        let tries = tries.flat_map(|(at, number)| (0..number.values.len()).map(move |v| (at, v)));
        let mut wrong = tries.chain([(usize::MAX, 0)]).filter_map(|(at, value)| {
            let values = |n: usize| if n == at { value } else { numbers[n].index_of_fallback() };
            Some(((at, value), contest.fill_form_with_design(0, numbers, side, &values).err()?))
        });
        if let Some((tried, faults)) = wrong.next() {
            sound = false;
            for fault in faults {
                reader.note_at_value(relocate_contest_fault(
                    fault,
                    side,
                    tried,
                    numbers,
                    reader.document,
                ));
            }
        }
    }
    sound.then_some(())
}

/// Moves a fault of a contest to its place in the file: a value of a number in `[seek.change]`, or
/// else the contest.
fn relocate_contest_fault(
    fault: Fault,
    side: usize,
    (at, value): (usize, usize),
    numbers: &[ChangeableNumber],
    document: &TomlDocumentWithPositions,
) -> Fault {
    let tried = numbers.get(at).filter(|number| {
        number.places[side]
            .as_ref()
            .is_some_and(|place| fault.path.ends_with(place.keys.last().map_or("", String::as_str)))
    });
    let Some(number) = tried else { return fault.prefix_path(&format!("contest[{side}]")) };
    let path = toml_path_of_change(&number.name);
    let listed = format!("{path}[{value}]");
    Fault { path: if document.has_value_at(&listed) { listed } else { path }, ..fault }
}
