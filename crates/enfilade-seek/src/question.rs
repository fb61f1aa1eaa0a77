//! A file with `[seek]` as it is read: contests with their circumstances, numbers with their values, wants.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use enfilade_engine::halt::Halt;
use enfilade_model::catalogue::{Action, Catalogue, System};
use enfilade_model::error::Error;
use enfilade_model::form::shown::shown;
use enfilade_model::form::{Fault, Fields, Form, Kind, Moved, names};
use enfilade_model::shared::Text;
use enfilade_study::reader::{self, Reader};
use enfilade_study::{chain, grid};

use crate::condition::Condition;
use crate::numbers::{ChangedNumber, Circumstance, SeekContest, values_of};
use crate::order::Order;
use crate::places::{CHANGE, Place};
use crate::wanted::{self, Wanted};

/// The key of a search for numbers.
pub const SEEK: &str = "seek";

/// A search for numbers that is ready to be answered.
#[derive(Debug)]
pub struct SeekQuestion {
    /// Its name.
    pub name: String,
    /// The file as it was read.
    pub file: Table,
    /// The contests.
    pub contests: Vec<SeekContest>,
    /// The numbers that may be changed.
    pub numbers: Vec<ChangedNumber>,
    /// By contest: the numbers in which its forms differ.
    pub(crate) moved: Vec<Moved>,
    /// What is wanted of the odds.
    pub(crate) wanted: Wanted,
    /// What is wanted between the numbers.
    pub(crate) conditions: Vec<Condition>,
    /// Groups of numbers that are interchangeable, by their places.
    pub(crate) alike: Vec<Vec<usize>>,
    /// Which design comes first.
    pub(crate) order: Order,
    /// How many designs are printed.
    pub best: Option<usize>,
}

const KEYS: [&str; 8] =
    ["so_that", "subject_to", "alike", "prefer", "front", "weights", "best", "change"];

impl SeekQuestion {
    /// Reads the search in `text`, a file that is called `name` in messages.
    ///
    /// # Errors
    /// [`Error::Input`] with every fault of the file and its place.
    pub fn read(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        halt: &Halt,
    ) -> Result<SeekQuestion, Error> {
        let other = |document: &enfilade_study::source::Document| {
            let fault = Fault::new("sweep", "[seek] and [sweep] stand in one file")
                .help("[sweep] keeps rows of a grid, [seek] keeps designs: take one of them away");
            document.first_of(&[SEEK])?;
            document.first_of(&["sweep"]).map(|_| fault)
        };
        reader::read((catalogue, name, text), halt, other, |reader| read(reader, name))
    }
}

fn read(reader: &mut Reader, file: &str) -> Option<SeekQuestion> {
    let table = reader.document.table.clone();
    let Some(Toml::Table(seek)) = table.get(SEEK) else {
        let problem = "there is no [seek] in the file";
        let help = "write `so_that` below [seek], and the numbers below [seek.change]";
        reader.note(Fault::new(SEEK, problem).help(help));
        return None;
    };
    for fault in enfilade_study::shelf::faults(reader.catalogue, reader.document) {
        reader.note(fault);
    }
    for key in seek.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        let fault = Fault::new(format!("{SEEK}.{key}"), format!("[seek] has no `{}`", shown(key)));
        let near = names::nearest(key, KEYS);
        let help = near.map_or_else(
            || format!("it has {}", KEYS.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        reader.note_where(fault.help(help), true);
    }
    let changed = table.get(CHANGE).and_then(Toml::as_table).cloned().unwrap_or_default();
    let none = Fault::new("contest", "there is no contest in the file");
    let contests =
        reader.each("contest", none, |reader, at, table| draft(reader, at, table, &changed));
    let mut contests: Vec<SeekContest> = contests.into_iter().collect::<Option<_>>()?;
    reader.told_apart("contest", contests.iter().map(|contest| contest.name.as_str()));
    let numbers = read_numbers(reader, seek.get(CHANGE), &contests)?;
    for side in 0..contests.len() {
        circumstances(reader, side, &mut contests, &numbers)?;
    }
    let numbers = with_now(reader, numbers, &contests)?;
    values_fit(reader, &contests, &numbers)?;
    let texts = texts(reader, seek, "so_that")?;
    let (texts, paths): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
    if texts.is_empty() {
        let fault = Fault::new(SEEK, "nothing is wanted: `so_that` is missing");
        reader.note(fault.help("write `so_that = [\"p_kill = 35 % ± 2 %\"]`"));
        return None;
    }
    let weights = seek.get("weights").and_then(Toml::as_table).cloned().unwrap_or_default();
    let mut found = Wanted::default();
    let (mut wants, mut sound) = (Vec::new(), true);
    for (text, path) in texts.iter().zip(&paths) {
        match wanted::read(text, &contests, &numbers, &weights, &mut found) {
            Ok(want) => wants.push(want),
            Err(wrong) => {
                sound = false;
                reader.note(Fault::new(path.as_str(), wrong.problem).help(wrong.help));
            }
        }
    }
    let (conditions, alike) = (conditions(reader, seek, &numbers)?, alike(reader, seek, &numbers)?);
    let order = order(reader, seek, (&contests, &numbers, &weights), &mut found)?;
    let best = seek.get("best").and_then(Toml::as_integer).and_then(|n| usize::try_from(n).ok());
    let named = table.get("name").and_then(Toml::as_str).map(str::to_owned);
    found.wants = wants;
    let moved = (0..contests.len()).map(|side| moved(side, &numbers)).collect();
    sound.then_some(SeekQuestion {
        name: named.unwrap_or_else(|| reader::stem(file)),
        file: table.clone(),
        contests,
        numbers,
        moved,
        wanted: found,
        conditions,
        alike,
        order,
        best,
    })
}

/// The numbers in which the forms of a contest differ.
fn moved(side: usize, numbers: &[ChangedNumber]) -> Moved {
    let places = numbers.iter().filter_map(|number| number.places[side].as_ref());
    let text = |name: &String| Text::from(name.clone());
    let ends =
        places.filter_map(|place| Some((text(place.keys.first()?), text(place.keys.last()?))));
    ends.collect()
}

/// The contest in a table, without circumstances.
fn draft(reader: &mut Reader, at: usize, mut table: Table, changed: &Table) -> Option<SeekContest> {
    let path = format!("contest[{at}]");
    let system = match table.remove("system") {
        Some(Toml::String(id)) => reader.rulebook(&id, &path)?,
        _ => match reader.catalogue.only_read() {
            Some(only) => Arc::clone(only),
            None => {
                reader.note(Fault::new(
                    format!("{path}.system"),
                    "`system` is missing: the rulebook",
                ));
                return None;
            }
        },
    };
    let action = action(reader, &system, &mut table, &path)?;
    let name = match table.remove("name") {
        Some(Toml::String(name)) => name,
        _ => format!("{} {}", system.id, action.name),
    };
    merge(&action.fields, &mut table, changed);
    let chained = chain::chained(&system, &action, &mut table);
    let chained = chained.map_err(|faults| note_all(reader, faults, &path)).ok()?;
    let action = chained.unwrap_or(action);
    Some(SeekContest { name, system, action, table, circumstances: Vec::new() })
}

fn action(
    reader: &mut Reader,
    system: &System,
    table: &mut Table,
    path: &str,
) -> Option<Arc<Action>> {
    let given = table.remove("action").and_then(|action| action.as_str().map(str::to_owned));
    let Some(name) = given else {
        let known: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
        let fault = Fault::new(format!("{path}.action"), "`action` is missing: what is resolved");
        reader.note(fault.help(format!("there is {}", known.join(", "))));
        return None;
    };
    system.action(&name).cloned().map_err(|fault| reader.note(fault.within(path))).ok()
}

/// What is changed in all contests, as far as a contest has it and does not say it itself.
fn merge(fields: &Fields, table: &mut Table, changed: &Table) {
    let known = fields.get(CHANGE).and_then(|field| field.kind.fields());
    let Some(known) = known.filter(|_| !changed.is_empty()) else { return };
    let own = table.entry(CHANGE).or_insert_with(|| Toml::Table(Table::new()));
    if let Toml::Table(own) = own {
        let of_it = changed.iter().filter(|(key, _)| known.get(key).is_some());
        overlay(own, of_it);
    }
}

fn overlay<'t>(own: &mut Table, under: impl Iterator<Item = (&'t String, &'t Toml)>) {
    for (key, value) in under {
        match (own.get_mut(key), value) {
            (Some(Toml::Table(own)), Toml::Table(under)) => overlay(own, under.iter()),
            (Some(_), _) => {}
            (None, value) => {
                own.insert(key.clone(), value.clone());
            }
        }
    }
}

fn note_all(reader: &mut Reader, faults: Vec<Fault>, outer: &str) {
    faults.into_iter().for_each(|fault| reader.note(fault.within(outer)));
}

/// The names below `[seek.change]` with what is said of each.
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

fn read_numbers(
    reader: &mut Reader,
    given: Option<&Toml>,
    contests: &[SeekContest],
) -> Option<Vec<ChangedNumber>> {
    let mut said = Vec::new();
    match given {
        Some(Toml::Table(table)) => flat(table, "", &mut said),
        _ => {
            let problem = "no number may be changed: [seek.change] is missing";
            let help = "write `[seek.change]`, and below it `shots = { from = 1, to = 6 }`";
            reader.note(Fault::new(SEEK, problem).help(help));
            return None;
        }
    }
    let numbers = said.iter().map(|(name, given)| read_number(reader, name, given, contests));
    let numbers: Vec<_> = numbers.collect();
    numbers.into_iter().collect()
}

fn read_number(
    reader: &mut Reader,
    name: &str,
    given: &Toml,
    contests: &[SeekContest],
) -> Option<ChangedNumber> {
    let path = format!("{SEEK}.{CHANGE}.{name}");
    let of = match given.get("of") {
        None => None,
        Some(Toml::String(one)) => Some(vec![one.clone()]),
        Some(Toml::Array(several)) => {
            Some(several.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect())
        }
        Some(_) => {
            reader.note(Fault::new(path, "`of` is the name of a contest, or a list of them"));
            return None;
        }
    };
    let is_of = |contest: &SeekContest| of.as_ref().is_none_or(|of| of.contains(&contest.name));
    let places: Vec<Option<Place>> = contests
        .iter()
        .map(|contest| Place::find(&contest.action.fields, name).filter(|_| is_of(contest)))
        .collect();
    let Some(kind) = places.iter().flatten().map(|place| place.kind.clone()).next() else {
        reader.note_where(unknown(name, path, contests), true);
        return None;
    };
    match values_of(given, &kind) {
        Ok(values) => {
            let now = given.get("now").cloned();
            let first = contests.iter().zip(&places).find(|(_, place)| place.is_some());
            let columns = first.map(|(contest, _)| crate::order::columns_of(contest, &kind));
            let columns = columns.unwrap_or_default();
            Some(ChangedNumber { name: name.to_owned(), values, now, places, columns })
        }
        Err(problem) => {
            reader.note(Fault::new(path, problem));
            None
        }
    }
}

/// That no contest has such a number, with the nearest ones.
fn unknown(name: &str, path: String, contests: &[SeekContest]) -> Fault {
    let mut known = Vec::new();
    for contest in contests {
        all_names(&contest.action.fields, "", &mut known);
    }
    let plain = known.iter().map(|name| name.strip_prefix("change.").unwrap_or(name));
    let known: Vec<&str> = plain.collect();
    let fault = Fault::new(path, format!("no contest here has the number `{}`", shown(name)));
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let near = names::nearest(name, known.iter().copied());
    let near = near.or_else(|| known.iter().copied().find(|one| last(one) == last(name)));
    match near {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help("it is a field of a contest, or `table.row.column` of its rulebook"),
    }
}

fn all_names(fields: &Fields, outer: &str, known: &mut Vec<String>) {
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

/// Finds the circumstances of a contest.
fn circumstances(
    reader: &mut Reader,
    side: usize,
    contests: &mut [SeekContest],
    numbers: &[ChangedNumber],
) -> Option<()> {
    let path = format!("contest[{side}]");
    let contest = &mut contests[side];
    let axes = grid::axes(&contest.action.fields, &contest.table);
    let axes = axes.map_err(|faults| note_all(reader, faults, &path)).ok()?;
    for number in numbers {
        let place = number.places[side].as_ref().map(Place::path);
        if let Some(axis) = axes.iter().find(|axis| Some(&axis.name) == place.as_ref()) {
            let problem = format!(
                "`{}` is both an axis of \"{}\" and in [seek.change]",
                axis.name, contest.name
            );
            let help = "as an axis every design must do at every value: take one of them away";
            reader.note(Fault::new(format!("{path}.{}", axis.path), problem).help(help));
            return None;
        }
    }
    if let Some(axis) = axes.iter().find(|axis| axis.relative) {
        let fault = Fault::new(format!("{path}.{}", axis.path), "a change is no circumstance");
        reader.note(fault.help("list the values themselves"));
        return None;
    }
    let size = grid::size(&axes, MOST_CIRCUMSTANCES);
    let size = size.map_err(|fault| reader.note(fault.within(&path))).ok()?;
    let circumstances = (0..size).map(|index| {
        let positions = grid::positions(&axes, index);
        let mut table = contest.table.clone();
        axes.iter().zip(&positions).for_each(|(axis, at)| axis.set(&mut table, *at));
        let at = axes.iter().zip(&positions);
        let at = at.map(|(axis, at)| (axis.name.clone(), axis.values[*at].clone())).collect();
        Circumstance { at, table }
    });
    contest.circumstances = circumstances.collect();
    Some(())
}

/// Places on the axes of one contest, at most.
const MOST_CIRCUMSTANCES: u64 = 1000;

/// Finds out where the numbers stand now.
fn with_now(
    reader: &mut Reader,
    numbers: Vec<ChangedNumber>,
    contests: &[SeekContest],
) -> Option<Vec<ChangedNumber>> {
    let mut sound = true;
    let found = numbers.into_iter().map(|number| {
        let mut stands: Vec<Toml> = Vec::new();
        for (contest, place) in contests.iter().zip(&number.places) {
            let now = place.as_ref().and_then(|place| stands_now(contest, place));
            stands.extend(now.filter(|now| !stands.contains(now)));
        }
        if stands.len() > 1 && number.now.is_none() {
            sound = false;
            let stands: Vec<_> = stands.iter().map(crate::text::plain).collect();
            let problem = format!(
                "`{}` is {} in different contests",
                number.name,
                crate::text::listed(&stands, false)
            );
            let fault = Fault::new(format!("{SEEK}.{CHANGE}.{}", number.name), problem);
            let help = "say whose it is with `of = \"…\"`, or what it is with `now = …`";
            reader.note(fault.help(help));
        }
        let now = number.now.clone().or_else(|| stands.into_iter().next());
        ChangedNumber { now, ..number }
    });
    let found = found.collect();
    sound.then_some(found)
}

/// What a contest has at a place: what it says, its default, or what is printed.
fn stands_now(contest: &SeekContest, place: &Place) -> Option<Toml> {
    let table = &contest.circumstances.first()?.table;
    if let Some(given) = place.get(table) {
        return Some(given.clone());
    }
    if place.is_of_rules() {
        let keys: Vec<&str> = place.keys.iter().skip(1).map(String::as_str).collect();
        let printed = contest.action.probe.as_ref()?.printed(&keys)?;
        return enfilade_study::literal::literal(&printed).parse().ok();
    }
    let form = Form::fill(&contest.action.fields, table).ok()?;
    let in_form = |form: &Form| {
        let (last, outer) = place.keys.split_last()?;
        let mut form = form.clone();
        for key in outer {
            form = match form.get(key)? {
                enfilade_model::form::Value::Table(inner) => inner.clone(),
                enfilade_model::form::Value::Tables(several) => several.first()?.clone(),
                _ => return None,
            };
        }
        form.get(last).cloned()
    };
    match in_form(&form) {
        Some(value) => enfilade_study::literal::literal(&value).parse().ok(),
        None => (contest.action.otherwise)(&form, &place.path()).map(Toml::Integer),
    }
}

/// Notes values that a contest cannot have, each tried with the others as they are.
fn values_fit(
    reader: &mut Reader,
    contests: &[SeekContest],
    numbers: &[ChangedNumber],
) -> Option<()> {
    let mut sound = true;
    for (side, contest) in contests.iter().enumerate() {
        let tries = numbers.iter().enumerate().filter(|(_, number)| number.places[side].is_some());
        let tries = tries.flat_map(|(at, number)| (0..number.values.len()).map(move |v| (at, v)));
        let base = |at: usize| numbers[at].base();
        for (at, value) in tries.chain([(usize::MAX, 0)]) {
            let values = |n: usize| if n == at { value } else { base(n) };
            let Err(faults) = contest.form(0, numbers, side, &values) else { continue };
            sound = false;
            for fault in faults {
                reader.note(at_home(fault, side, (at, value), numbers, reader.document));
            }
            break;
        }
    }
    sound.then_some(())
}

/// A fault of a contest where its file has it: a value of a number in `[seek.change]`, all else in the contest.
fn at_home(
    fault: Fault,
    side: usize,
    (at, value): (usize, usize),
    numbers: &[ChangedNumber],
    document: &enfilade_study::source::Document,
) -> Fault {
    let tried = numbers.get(at).filter(|number| {
        number.places[side]
            .as_ref()
            .is_some_and(|place| fault.path.ends_with(place.keys.last().map_or("", String::as_str)))
    });
    let Some(number) = tried else { return fault.within(&format!("contest[{side}]")) };
    let path = format!("{SEEK}.{CHANGE}.{}", number.name);
    let listed = format!("{path}[{value}]");
    Fault { path: if document.holds(&listed) { listed } else { path }, ..fault }
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

/// Whether a name is a number that may be changed, or a column of the row that one names.
pub(crate) fn number_named<'n>(
    name: &'n str,
    numbers: &[ChangedNumber],
) -> Option<(usize, &'n str)> {
    let found = numbers.iter().enumerate().filter_map(|(at, number)| {
        let rest = name.strip_prefix(number.name.as_str())?;
        let rest = rest.strip_prefix('.').or(rest.is_empty().then_some(""))?;
        Some((number.name.len(), (at, rest)))
    });
    found.max_by_key(|(length, _)| *length).map(|(_, found)| found)
}

/// Notes a name that is no number.
fn known_names(reader: &mut Reader, read: &[&str], path: &str, numbers: &[ChangedNumber]) -> bool {
    for name in read {
        let column = |(at, column): (usize, &str)| {
            column.is_empty() || crate::order::column(&numbers[at], 0, column).is_some()
        };
        if number_named(name, numbers).is_some_and(column) {
            continue;
        }
        let fault =
            Fault::new(path, format!("`{}` is none of the numbers in [seek.change]", shown(name)));
        let known = numbers.iter().map(|number| number.name.as_str());
        let near = names::nearest(name, known.clone());
        let help = near.map_or_else(
            || format!("there is {}", known.collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        reader.note(fault.help(help));
        return false;
    }
    true
}

fn conditions(
    reader: &mut Reader,
    seek: &Table,
    numbers: &[ChangedNumber],
) -> Option<Vec<Condition>> {
    let (mut found, mut sound) = (Vec::new(), true);
    for (text, path) in texts(reader, seek, "subject_to")? {
        match Condition::parse(&text) {
            Ok(condition) => {
                sound &= known_names(reader, &condition.names(), &path, numbers);
                found.push(condition);
            }
            Err(wrong) => {
                sound = false;
                reader.note(Fault::new(path, wrong.problem).help(wrong.help));
            }
        }
    }
    sound.then_some(found)
}

fn alike(reader: &mut Reader, seek: &Table, numbers: &[ChangedNumber]) -> Option<Vec<Vec<usize>>> {
    let mut groups = Vec::new();
    for (text, path) in texts(reader, seek, "alike")? {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if !known_names(reader, &names, &path, numbers) {
            return None;
        }
        let group: Vec<usize> =
            names.iter().filter_map(|name| Some(number_named(name, numbers)?.0)).collect();
        let same = group.windows(2).all(|pair| numbers[pair[0]].values == numbers[pair[1]].values);
        if !same || group.len() < 2 {
            let problem = "numbers that are alike are two at least, with the same values";
            reader.note(Fault::new(path, problem));
            return None;
        }
        groups.push(group);
    }
    Some(groups)
}

fn order(
    reader: &mut Reader,
    seek: &Table,
    known: (&[SeekContest], &[ChangedNumber], &Table),
    found: &mut Wanted,
) -> Option<Order> {
    let mut order = Order::default();
    for (key, is_front) in [("prefer", false), ("front", true)] {
        for (text, path) in texts(reader, seek, key)? {
            match crate::order::Goal::read(&text, known, found) {
                Ok(goal) if is_front => order.front.push(goal),
                Ok(goal) => order.prefer.push(goal),
                Err(wrong) => {
                    reader.note(Fault::new(path, wrong.problem).help(wrong.help));
                    return None;
                }
            }
        }
    }
    Some(order)
}
