//! The numbers of a search as `[seek.change]` gives them.

use toml::{Table, Value as Toml};

use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{Fault, Fields, Kind, name_matching as names};
use enfilade_study::file::document::Document;
use enfilade_study::file::file_reader::Reader;

use crate::contests::stands_now;
use crate::numbers::{ChangedNumber, SeekContest, values_of};
use crate::order::columns_of;
use crate::places::{CHANGE, Place, SEEK};
use crate::text::{listed, plain};

/// Path of a number in the file.
fn path_of(name: &str) -> String {
    format!("{SEEK}.{CHANGE}.{name}")
}

/// Collects the names below `[seek.change]` with their values.
fn flat(table: &Table, outer: &str, found: &mut Vec<(String, Toml)>) {
    const SAYS: [&str; 6] = ["from", "to", "by", "list", "now", "of"];
    for (key, value) in table {
        let name = if outer.is_empty() { key.clone() } else { format!("{outer}.{key}") };
        match value {
            Toml::Table(inner) if !inner.keys().all(|key| SAYS.contains(&key.as_str())) => {
                flat(inner, &name, found);
            }
            value => found.push((name, value.clone())),
        }
    }
}

/// Reads the numbers that may change; without current values, unless the file sets them.
pub(crate) fn numbers(
    reader: &mut Reader,
    given: Option<&Toml>,
    contests: &[SeekContest],
) -> Option<Vec<ChangedNumber>> {
    let Some(Toml::Table(table)) = given else {
        let problem = "no number may be changed: [seek.change] is missing";
        let help = "write `[seek.change]`, and below it `shots = { from = 1, to = 6 }`";
        reader.note(Fault::new(SEEK, problem).help(help));
        return None;
    };
    let mut said = Vec::new();
    flat(table, "", &mut said);
    let numbers = said.iter().map(|(name, given)| number(reader, name, given, contests));
    let numbers: Vec<_> = numbers.collect();
    numbers.into_iter().collect()
}

fn number(
    reader: &mut Reader,
    name: &str,
    given: &Toml,
    contests: &[SeekContest],
) -> Option<ChangedNumber> {
    let of = contests_of(given).map_err(|why| reader.note(Fault::new(path_of(name), why))).ok()?;
    let is_of = |contest: &SeekContest| of.as_ref().is_none_or(|of| of.contains(&contest.name));
    let place = |contest: &SeekContest| {
        Place::find(&contest.action.fields, name).filter(|_| is_of(contest))
    };
    let places: Vec<Option<Place>> = contests.iter().map(place).collect();
    let first =
        contests.iter().zip(&places).find_map(|(contest, place)| Some((contest, place.as_ref()?)));
    let Some((contest, Place { kind, .. })) = first else {
        reader.note_where(unknown(name, contests), true);
        return None;
    };
    let values = values_of(given, kind);
    let values = values.map_err(|why| reader.note(Fault::new(path_of(name), why))).ok()?;
    let (now, columns) = (given.get("now").cloned(), columns_of(contest, kind));
    Some(ChangedNumber { name: name.to_owned(), values, now, places, columns })
}

/// Reads the contests that `of` names; `None` if all are meant.
fn contests_of(given: &Toml) -> Result<Option<Vec<String>>, &'static str> {
    match given.get("of") {
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
fn unknown(name: &str, contests: &[SeekContest]) -> Fault {
    let mut known = Vec::new();
    contests.iter().for_each(|contest| all_names(&contest.action.fields, "", &mut known));
    let plain = known.iter().map(|name| name.strip_prefix("change.").unwrap_or(name));
    let known: Vec<&str> = plain.collect();
    let fault =
        Fault::new(path_of(name), format!("no contest here has the number `{}`", shown(name)));
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let near = names::nearest(name, known.iter().copied());
    let near = near.or_else(|| known.iter().copied().find(|one| last(one) == last(name)));
    match near {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help("it is a field of a contest, or `table.row.column` of its rulebook"),
    }
}

/// The names of all numbers that contests with these fields have.
pub(crate) fn all_names(fields: &Fields, outer: &str, known: &mut Vec<String>) {
    for field in fields.iter() {
        let name = if outer.is_empty() {
            field.name.to_string()
        } else {
            format!("{outer}.{}", field.name)
        };
        match (&field.kind, field.kind.fields()) {
            (Kind::Row(..), _) | (_, None) => known.push(name),
            (_, Some(inner)) => all_names(inner, &name, known),
        }
    }
}

/// Adds the current values of the numbers.
pub(crate) fn with_now(
    reader: &mut Reader,
    numbers: Vec<ChangedNumber>,
    contests: &[SeekContest],
) -> Option<Vec<ChangedNumber>> {
    let found = numbers.into_iter().map(|number| {
        let stands = stands(&number, contests);
        if stands.len() > 1 && number.now.is_none() {
            reader.note(stands_differently(&number, &stands));
            return None;
        }
        let now = number.now.clone().or_else(|| stands.into_iter().next());
        Some(ChangedNumber { now, ..number })
    });
    let found: Vec<Option<ChangedNumber>> = found.collect();
    found.into_iter().collect()
}

/// The current values of a number in its contests, each value once.
fn stands(number: &ChangedNumber, contests: &[SeekContest]) -> Vec<Toml> {
    let mut stands: Vec<Toml> = Vec::new();
    for (contest, place) in contests.iter().zip(&number.places) {
        let table = contest.circumstances.first().map(|first| &first.table);
        let now = table.zip(place.as_ref());
        let now = now.and_then(|(table, place)| stands_now(contest, table, place));
        stands.extend(now.filter(|now| !stands.contains(now)));
    }
    stands
}

fn stands_differently(number: &ChangedNumber, stands: &[Toml]) -> Fault {
    let stands: Vec<_> = stands.iter().map(plain).collect();
    let values = listed(&stands, false);
    let problem = format!("`{}` is {values} in different contests", number.name);
    let help = "name its contest with `of = \"…\"`, or set its current value with `now = …`";
    Fault::new(path_of(&number.name), problem).help(help)
}

/// Notes values that a contest cannot have, each tried with the other numbers at their current
/// values.
pub(crate) fn values_fit(
    reader: &mut Reader,
    contests: &[SeekContest],
    numbers: &[ChangedNumber],
) -> Option<()> {
    let mut sound = true;
    for (side, contest) in contests.iter().enumerate() {
        let tries = numbers.iter().enumerate().filter(|(_, number)| number.places[side].is_some());
        let tries = tries.flat_map(|(at, number)| (0..number.values.len()).map(move |v| (at, v)));
        let mut wrong = tries.chain([(usize::MAX, 0)]).filter_map(|(at, value)| {
            let values = |n: usize| if n == at { value } else { numbers[n].base() };
            Some(((at, value), contest.form(0, numbers, side, &values).err()?))
        });
        if let Some((tried, faults)) = wrong.next() {
            sound = false;
            for fault in faults {
                reader.note(at_home(fault, side, tried, numbers, reader.document));
            }
        }
    }
    sound.then_some(())
}

/// Moves a fault of a contest to its place in the file: a value of a number in `[seek.change]`, or
/// else the contest.
fn at_home(
    fault: Fault,
    side: usize,
    (at, value): (usize, usize),
    numbers: &[ChangedNumber],
    document: &Document,
) -> Fault {
    let tried = numbers.get(at).filter(|number| {
        number.places[side]
            .as_ref()
            .is_some_and(|place| fault.path.ends_with(place.keys.last().map_or("", String::as_str)))
    });
    let Some(number) = tried else { return fault.within(&format!("contest[{side}]")) };
    let path = path_of(&number.name);
    let listed = format!("{path}[{value}]");
    Fault { path: if document.holds(&listed) { listed } else { path }, ..fault }
}
