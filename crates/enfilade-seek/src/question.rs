//! A file with `[seek]`: contests with their circumstances, numbers with their values, wants.

use toml::{Table, Value as Toml};

use enfilade_engine::cancel::Halt;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::Error;
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{Fault, Moved, name_matching as names};
use enfilade_model::shared::Text;
use enfilade_study::file::file_reader::{self as reader, Reader};

use crate::condition::Condition;
use crate::numbers::{ChangedNumber, Given, SeekContest, number_named};
use crate::order::{Goal, Order};
use crate::places::CHANGE;
use crate::want::Misread;
use crate::wanted::{self, ResolvedWant, Wanted};
use crate::{contests, given as numbers_given};

/// The key of a search for numbers.
pub const SEEK: &str = crate::places::SEEK;

/// A search for numbers, read and checked.
#[derive(Debug)]
pub struct SeekQuestion {
    /// Its name.
    pub name: String,
    /// The table of the file.
    pub file: Table,
    /// The contests.
    pub contests: Vec<SeekContest>,
    /// The numbers that may change.
    pub numbers: Vec<ChangedNumber>,
    /// By contest: the numbers in which its forms differ.
    pub(crate) moved: Vec<Moved>,
    /// The wants about odds.
    pub(crate) wanted: Wanted,
    /// The conditions between the numbers.
    pub(crate) conditions: Vec<Condition>,
    /// Groups of numbers that are interchangeable, by their places.
    pub(crate) alike: Vec<Vec<usize>>,
    /// The order of designs.
    pub(crate) order: Order,
    /// The number of designs to print, if the file sets it.
    pub best: Option<usize>,
}

const KEYS: [&str; 8] =
    ["so_that", "subject_to", "alike", "prefer", "front", "weights", "best", "change"];

impl SeekQuestion {
    /// Reads the search in `text`, a file called `name` in messages.
    ///
    /// # Errors
    /// [`Error::Input`] with every fault of the file and its position.
    pub fn read(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        halt: &Halt,
    ) -> Result<SeekQuestion, Error> {
        let other = |document: &enfilade_study::file::document::Document| {
            let fault = Fault::new("sweep", "[seek] and [sweep] are in one file")
                .help("[sweep] keeps rows of a grid, [seek] keeps designs: remove one of them");
            document.first_of(&[SEEK])?;
            document.first_of(&["sweep"]).map(|_| fault)
        };
        reader::read((catalogue, name, text), halt, other, |reader| read(reader, name))
    }
}

fn read(reader: &mut Reader, file: &str) -> Option<SeekQuestion> {
    let table = reader.document.table.clone();
    let seek = seek_table(reader, &table)?;
    let mut contests = contests::read(reader, &table)?;
    let numbers = numbers_given::numbers(reader, seek.get(CHANGE), &contests)?;
    for side in 0..contests.len() {
        contests::circumstances(reader, side, &mut contests, &numbers)?;
    }
    let numbers = numbers_given::with_now(reader, numbers, &contests)?;
    numbers_given::values_fit(reader, &contests, &numbers)?;
    let weights = seek.get("weights").and_then(Toml::as_table).cloned().unwrap_or_default();
    let mut wanted = Wanted::default();
    let given = Given { contests: &contests, numbers: &numbers, weights: &weights };
    wanted.wants = wants(reader, seek, &given, &mut wanted)?;
    let (conditions, alike) = (conditions(reader, seek, &numbers)?, alike(reader, seek, &numbers)?);
    let order = order(reader, seek, &given, &mut wanted)?;
    let best = seek.get("best").and_then(Toml::as_integer).and_then(|n| usize::try_from(n).ok());
    let named = table.get("name").and_then(Toml::as_str).map(str::to_owned);
    let name = named.unwrap_or_else(|| reader::stem(file));
    let moved = (0..contests.len()).map(|side| moved(side, &numbers)).collect();
    let file = table.clone();
    Some(SeekQuestion {
        name,
        file,
        contests,
        numbers,
        moved,
        wanted,
        conditions,
        alike,
        order,
        best,
    })
}

/// Returns the table below `[seek]`; notes faults of unknown keys.
fn seek_table<'t>(reader: &mut Reader, table: &'t Table) -> Option<&'t Table> {
    let Some(Toml::Table(seek)) = table.get(SEEK) else {
        let problem = "there is no [seek] in the file";
        let help = "write `so_that` below [seek], and the numbers below [seek.change]";
        reader.note(Fault::new(SEEK, problem).help(help));
        return None;
    };
    for fault in enfilade_study::file::rulebook_loader::faults(reader.catalogue, reader.document) {
        reader.note(fault);
    }
    for key in seek.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        let fault = Fault::new(format!("{SEEK}.{key}"), format!("[seek] has no `{}`", shown(key)));
        reader.note_where(fault.help(nearest_of(key, &KEYS)), true);
    }
    Some(seek)
}

/// Suggests the nearest of some names, or lists all of them.
fn nearest_of(name: &str, known: &[&str]) -> String {
    match names::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", known.join(", ")),
    }
}

fn note_misread(reader: &mut Reader, path: &str, wrong: Misread) {
    reader.note(Fault::new(path, wrong.problem).help(wrong.help));
}

/// Reads the wants below `so_that`; notes all faults.
fn wants(
    reader: &mut Reader,
    seek: &Table,
    given: &Given,
    found: &mut Wanted,
) -> Option<Vec<ResolvedWant>> {
    let texts = texts(reader, seek, "so_that")?;
    if texts.is_empty() {
        let fault = Fault::new(SEEK, "nothing is wanted: `so_that` is missing");
        reader.note(fault.help("write `so_that = [\"p_kill = 35 % ± 2 %\"]`"));
        return None;
    }
    let read = texts.iter().map(|(text, path)| {
        wanted::read(text, given, found).map_err(|wrong| note_misread(reader, path, wrong)).ok()
    });
    let read: Vec<Option<ResolvedWant>> = read.collect();
    read.into_iter().collect()
}

/// The numbers in which the forms of a contest differ.
fn moved(side: usize, numbers: &[ChangedNumber]) -> Moved {
    let places = numbers.iter().filter_map(|number| number.places[side].as_ref());
    let text = |name: &String| Text::from(name.clone());
    let ends =
        places.filter_map(|place| Some((text(place.keys.first()?), text(place.keys.last()?))));
    ends.collect()
}

/// The texts below a key of `[seek]`, one or a list, each with its path in the file.
fn texts(reader: &mut Reader, seek: &Table, key: &str) -> Option<Vec<(String, String)>> {
    let path = format!("{SEEK}.{key}");
    match seek.get(key) {
        None => Some(Vec::new()),
        Some(Toml::String(one)) => Some(vec![(one.clone(), path)]),
        Some(Toml::Array(several)) if several.iter().all(Toml::is_str) => {
            let texts = several.iter().filter_map(Toml::as_str).enumerate();
            Some(texts.map(|(at, text)| (text.to_owned(), format!("{path}[{at}]"))).collect())
        }
        Some(_) => {
            reader
                .note(Fault::new(path, format!("expected a text for `{key}`, or a list of them")));
            None
        }
    }
}

/// Notes a name that is no number.
fn known_names(reader: &mut Reader, read: &[&str], path: &str, numbers: &[ChangedNumber]) -> bool {
    let is_known = |name: &&&str| {
        number_named(name, numbers).is_some_and(|(at, column)| {
            column.is_empty() || crate::order::column(&numbers[at], 0, column).is_some()
        })
    };
    let Some(name) = read.iter().find(|name| !is_known(name)) else { return true };
    let problem = format!("`{}` is none of the numbers in [seek.change]", shown(name));
    let known: Vec<&str> = numbers.iter().map(|number| number.name.as_str()).collect();
    reader.note(Fault::new(path, problem).help(nearest_of(name, &known)));
    false
}

fn conditions(
    reader: &mut Reader,
    seek: &Table,
    numbers: &[ChangedNumber],
) -> Option<Vec<Condition>> {
    let mut found = Vec::new();
    for (text, path) in texts(reader, seek, "subject_to")? {
        let read = Condition::parse(&text).map_err(|wrong| note_misread(reader, &path, wrong));
        let read = read.ok().filter(|read| known_names(reader, &read.names(), &path, numbers));
        found.push(read);
    }
    found.into_iter().collect()
}

fn alike(reader: &mut Reader, seek: &Table, numbers: &[ChangedNumber]) -> Option<Vec<Vec<usize>>> {
    let mut groups = Vec::new();
    for (text, path) in texts(reader, seek, "alike")? {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if !known_names(reader, &names, &path, numbers) {
            return None;
        }
        let group = names.iter().filter_map(|name| Some(number_named(name, numbers)?.0));
        let group: Vec<usize> = group.collect();
        let same = group.windows(2).all(|pair| numbers[pair[0]].values == numbers[pair[1]].values);
        if !same || group.len() < 2 {
            let problem = "a group of alike numbers needs at least two, with the same values";
            reader.note(Fault::new(path, problem));
            return None;
        }
        groups.push(group);
    }
    Some(groups)
}

fn order(reader: &mut Reader, seek: &Table, given: &Given, found: &mut Wanted) -> Option<Order> {
    let prefer = goals(reader, seek, "prefer", given, found)?;
    Some(Order { prefer, front: goals(reader, seek, "front", given, found)? })
}

fn goals(
    reader: &mut Reader,
    seek: &Table,
    key: &str,
    given: &Given,
    found: &mut Wanted,
) -> Option<Vec<Goal>> {
    let texts = texts(reader, seek, key)?;
    let read = texts.iter().map(|(text, path)| {
        Goal::read(text, given, found).map_err(|wrong| note_misread(reader, path, wrong)).ok()
    });
    let read: Vec<Option<Goal>> = read.collect();
    read.into_iter().collect()
}
