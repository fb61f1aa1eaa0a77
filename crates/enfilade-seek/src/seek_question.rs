//! A file with `[seek]`: contests with their circumstances, numbers with their values, wants.

use toml::{Table, Value as Toml};

use crate::error::SeekError;
use enfilade_engine::cancel::CancelToken;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, NumbersVaryingInGrid, name_matching as names};
use enfilade_model::static_or_shared::Text;
use enfilade_study::file::file_reader::{self as reader, TomlReaderWithFaults};

use crate::condition::ComparisonChainOnNumbers;
use crate::design_order::{DesignGoal, DesignOrder};
use crate::number_path::RULEBOOK_CHANGES_KEY;
use crate::seek_numbers::{
    ChangeableNumber, ContestWithCircumstances, SeekNumbersAndContests, find_number_with_column,
};
use crate::sweep_as_search::{ALL_AXES, sweep_as_search, take_axes_as_numbers};
use crate::want::TextFaultWithRemedy;
use crate::wanted_cells::{self, CellsReadByWants, WantWithCells};
use crate::{changed_numbers as numbers_given, seek_contests};

/// The key of a search for numbers.
pub const SEEK_TABLE_KEY: &str = crate::number_path::SEEK_TABLE_KEY;

/// A search for numbers, read and checked.
#[derive(Debug)]
pub struct SeekQuestion {
    /// Its name.
    pub name: String,
    /// The table of the file.
    pub file: Table,
    /// The contests.
    pub contests: Vec<ContestWithCircumstances>,
    /// The numbers that may change.
    pub numbers: Vec<ChangeableNumber>,
    /// By contest: the numbers in which its forms differ.
    pub(crate) grid_axes: Vec<NumbersVaryingInGrid>,
    /// The wants about odds.
    pub(crate) cells: CellsReadByWants,
    /// The conditions between the numbers.
    pub(crate) conditions: Vec<ComparisonChainOnNumbers>,
    /// Groups of numbers that are interchangeable, by their places.
    pub(crate) interchangeable: Vec<Vec<usize>>,
    /// The order of designs.
    pub(crate) order: DesignOrder,
    /// The number of designs to print, if the file sets it.
    pub best: Option<usize>,
    /// Largest number of states of one grid that is solved whole, and of all cells of a fence;
    /// `None` if every grid is solved whole.
    pub work: Option<u64>,
}

/// Default of the largest number of states of one grid: about a minute.
const DEFAULT_WORK: u64 = 100_000_000;

const KEYS_OF_SEEK_TABLE: [&str; 8] =
    ["so_that", "subject_to", "alike", "prefer", "front", "weights", "best", "change"];

impl SeekQuestion {
    /// Reads the search in `text`, a file called `name` in messages.
    ///
    /// # Errors
    /// [`SeekError::Input`] with every fault of the file and its position.
    pub fn read_or_cancel(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        halt: &CancelToken,
    ) -> Result<SeekQuestion, SeekError> {
        let other =
            |document: &enfilade_study::file::source_document::TomlDocumentWithPositions| {
                let fault = Fault::new("sweep", "[seek] and [sweep] are in one file").with_help(
                    "[sweep] keeps rows of a grid, [seek] keeps designs: remove one of them",
                );
                document.first_key_present_of(&[SEEK_TABLE_KEY])?;
                document.first_key_present_of(&["sweep"]).map(|_| fault)
            };
        Ok(reader::read_file_of_kind((catalogue, name, text), halt, other, |reader| {
            read_question_of_document(reader, name)
        })?)
    }
}

impl SeekQuestion {
    /// The texts of the wants, and whether the value of each is a share.
    pub fn want_texts_and_share_flags(&self) -> impl Iterator<Item = (&str, bool)> {
        self.cells.wants.iter().map(|want| (want.text.as_str(), want.is_share))
    }
}

fn read_question_of_document(
    reader: &mut TomlReaderWithFaults,
    file: &str,
) -> Option<SeekQuestion> {
    let table = sweep_as_search(&reader.document.table);
    let table = table.unwrap_or_else(|| reader.document.table.clone());
    let seek = checked_seek_table(reader, &table)?;
    let mut contests = seek_contests::read_contests(reader, &table)?;
    let changes = read_change_table(reader, seek, &mut contests)?;
    let numbers = numbers_given::read_changeable_numbers(reader, changes.as_ref(), &contests)?;
    for side in 0..contests.len() {
        seek_contests::expand_to_circumstances(reader, side, &mut contests, &numbers)?;
    }
    let numbers = numbers_given::with_current_values(reader, numbers, &contests)?;
    numbers_given::note_impossible_values(reader, &contests, &numbers)?;
    let weights = seek.get("weights").and_then(Toml::as_table).cloned().unwrap_or_default();
    let mut wanted = CellsReadByWants::default();
    let context =
        SeekNumbersAndContests { contests: &contests, numbers: &numbers, weights: &weights };
    wanted.wants = read_wants(reader, seek, &context, &mut wanted)?;
    let (conditions, alike) = (
        read_conditions(reader, seek, &numbers)?,
        read_interchangeable_numbers(reader, seek, &numbers)?,
    );
    let order = read_order(reader, seek, &context, &mut wanted)?;
    let best = seek.get("best").and_then(Toml::as_integer).and_then(|n| usize::try_from(n).ok());
    let named = table.get("name").and_then(Toml::as_str).map(str::to_owned);
    let name = named.unwrap_or_else(|| reader::name_without_ending(file));
    let axes = (0..contests.len()).map(|side| path_ends_of_grid_numbers(side, &numbers)).collect();
    let file = table.clone();
    Some(SeekQuestion {
        name,
        file,
        contests,
        numbers,
        grid_axes: axes,
        cells: wanted,
        conditions,
        interchangeable: alike,
        order,
        best,
        work: Some(DEFAULT_WORK),
    })
}

/// The numbers below `[seek.change]`; of `change = "all"` every axis of the contests.
fn read_change_table(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    contests: &mut [ContestWithCircumstances],
) -> Option<Option<Toml>> {
    let given = seek.get(RULEBOOK_CHANGES_KEY);
    if given.and_then(Toml::as_str) != Some(ALL_AXES) {
        return Some(given.cloned());
    }
    let axes = take_axes_as_numbers(contests);
    let axes =
        axes.map_err(|faults| faults.into_iter().for_each(|fault| reader.note_at_value(fault)));
    Some(Some(Toml::Table(axes.ok()?)))
}

/// Returns the table below `[seek]`; notes faults of unknown keys.
fn checked_seek_table<'t>(
    reader: &mut TomlReaderWithFaults,
    table: &'t Table,
) -> Option<&'t Table> {
    let Some(Toml::Table(seek)) = table.get(SEEK_TABLE_KEY) else {
        let problem = "there is no [seek] in the file";
        let help = "write `so_that` below [seek], and the numbers below [seek.change]";
        reader.note_at_value(Fault::new(SEEK_TABLE_KEY, problem).with_help(help));
        return None;
    };
    for fault in enfilade_study::file::rulebook_loader::find_rulebook_faults(
        reader.catalogue,
        reader.document,
    ) {
        reader.note_at_value(fault);
    }
    for key in seek.keys().filter(|key| !KEYS_OF_SEEK_TABLE.contains(&key.as_str())) {
        let fault = Fault::new(
            format!("{SEEK_TABLE_KEY}.{key}"),
            format!("[seek] has no `{}`", shorten_and_make_safe(key)),
        );
        reader.note_at_path(fault.with_help(nearest_or_all_names(key, &KEYS_OF_SEEK_TABLE)), true);
    }
    Some(seek)
}

/// Suggests the nearest of some names, or lists all of them.
fn nearest_or_all_names(name: &str, names: &[&str]) -> String {
    match names::find_nearest_name(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", names.join(", ")),
    }
}

fn note_misread_text(reader: &mut TomlReaderWithFaults, path: &str, wrong: TextFaultWithRemedy) {
    reader.note_at_value(Fault::new(path, wrong.problem).with_help(wrong.help));
}

/// Reads the wants below `so_that`; notes all faults.
fn read_wants(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    context: &SeekNumbersAndContests,
    wanted_cells: &mut CellsReadByWants,
) -> Option<Vec<WantWithCells>> {
    let texts = texts_with_paths(reader, seek, "so_that")?;
    if texts.is_empty() {
        let fault = Fault::new(SEEK_TABLE_KEY, "nothing is wanted: `so_that` is missing");
        reader.note_at_value(fault.with_help("write `so_that = [\"p_kill = 35 % ± 2 %\"]`"));
        return None;
    }
    let read = texts.iter().map(|(text, path)| {
        wanted_cells::read_and_resolve_want(text, context, wanted_cells)
            .map_err(|wrong| note_misread_text(reader, path, wrong))
            .ok()
    });
    let read: Vec<Option<WantWithCells>> = read.collect();
    read.into_iter().collect()
}

/// The numbers in which the forms of a contest differ.
fn path_ends_of_grid_numbers(side: usize, numbers: &[ChangeableNumber]) -> NumbersVaryingInGrid {
    let places = numbers.iter().filter_map(|number| number.places[side].as_ref());
    let text = |name: &String| Text::from(name.clone());
    let ends =
        places.filter_map(|place| Some((text(place.keys.first()?), text(place.keys.last()?))));
    ends.collect()
}

/// The texts below a key of `[seek]`, one or a list, each with its path in the file.
fn texts_with_paths(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    key: &str,
) -> Option<Vec<(String, String)>> {
    let path = format!("{SEEK_TABLE_KEY}.{key}");
    match seek.get(key) {
        None => Some(Vec::new()),
        Some(Toml::String(one)) => Some(vec![(one.clone(), path)]),
        Some(Toml::Array(several)) if several.iter().all(Toml::is_str) => {
            let texts = several.iter().filter_map(Toml::as_str).enumerate();
            Some(texts.map(|(at, text)| (text.to_owned(), format!("{path}[{at}]"))).collect())
        }
        Some(_) => {
            reader.note_at_value(Fault::new(
                path,
                format!("expected a text for `{key}`, or a list of them"),
            ));
            None
        }
    }
}

/// Notes a name that is no number.
fn check_names_are_changeable(
    reader: &mut TomlReaderWithFaults,
    read: &[&str],
    path: &str,
    numbers: &[ChangeableNumber],
) -> bool {
    let is_known = |name: &&&str| {
        find_number_with_column(name, numbers).is_some_and(|(at, column)| {
            column.is_empty()
                || crate::design_order::find_column_value(&numbers[at], 0, column).is_some()
        })
    };
    let Some(name) = read.iter().find(|name| !is_known(name)) else { return true };
    let problem =
        format!("`{}` is none of the numbers in [seek.change]", shorten_and_make_safe(name));
    let number_names: Vec<&str> = numbers.iter().map(|number| number.name.as_str()).collect();
    reader.note_at_value(
        Fault::new(path, problem).with_help(nearest_or_all_names(name, &number_names)),
    );
    false
}

fn read_conditions(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    numbers: &[ChangeableNumber],
) -> Option<Vec<ComparisonChainOnNumbers>> {
    let mut conditions = Vec::new();
    for (text, path) in texts_with_paths(reader, seek, "subject_to")? {
        let read = ComparisonChainOnNumbers::parse_condition(&text)
            .map_err(|wrong| note_misread_text(reader, &path, wrong));
        let read = read.ok().filter(|read| {
            check_names_are_changeable(reader, &read.names_in_condition(), &path, numbers)
        });
        conditions.push(read);
    }
    conditions.into_iter().collect()
}

fn read_interchangeable_numbers(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    numbers: &[ChangeableNumber],
) -> Option<Vec<Vec<usize>>> {
    let mut groups = Vec::new();
    for (text, path) in texts_with_paths(reader, seek, "alike")? {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if !check_names_are_changeable(reader, &names, &path, numbers) {
            return None;
        }
        let group = names.iter().filter_map(|name| Some(find_number_with_column(name, numbers)?.0));
        let group: Vec<usize> = group.collect();
        let same = group.windows(2).all(|pair| numbers[pair[0]].values == numbers[pair[1]].values);
        if !same || group.len() < 2 {
            let problem = "a group of alike numbers needs at least two, with the same values";
            reader.note_at_value(Fault::new(path, problem));
            return None;
        }
        groups.push(group);
    }
    Some(groups)
}

fn read_order(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    context: &SeekNumbersAndContests,
    wanted_cells: &mut CellsReadByWants,
) -> Option<DesignOrder> {
    let prefer = read_design_goals(reader, seek, "prefer", context, wanted_cells)?;
    Some(DesignOrder {
        prefer,
        front: read_design_goals(reader, seek, "front", context, wanted_cells)?,
    })
}

fn read_design_goals(
    reader: &mut TomlReaderWithFaults,
    seek: &Table,
    key: &str,
    context: &SeekNumbersAndContests,
    wanted_cells: &mut CellsReadByWants,
) -> Option<Vec<DesignGoal>> {
    let texts = texts_with_paths(reader, seek, key)?;
    let read = texts.iter().map(|(text, path)| {
        DesignGoal::read_design_goal(text, context, wanted_cells)
            .map_err(|wrong| note_misread_text(reader, path, wrong))
            .ok()
    });
    let read: Vec<Option<DesignGoal>> = read.collect();
    read.into_iter().collect()
}
