//! Actions one after the other: `[[contest.then]]`.
//!
//! What follows is asked about how what came before ended: where its table says `{ of = "FIELD" }`, the
//! number of that outcome field stands, times and plus what is said there, or the entry of a list that it
//! names. The whole is an action of its own, made for the contest, with the fields of all of them; so grids,
//! checks and results know nothing of it, and the joint law is exact.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use toml::{Table, Value as Toml};

use super::search::Condition;
use crate::catalogue::{Action, Contest, System};
use crate::combat::{
    AnyCombat, Ending, FieldHead, Heads, MAX_COLUMNS, MeasureHead, MeasureKind, Row,
};
use crate::form::{Fault, Field, Fields, Form, Kind, Preset, Words, names, one_of};
use crate::graph::{DieGraph, Limits};
use crate::shared::{Shared, Text};

/// The key of what follows.
pub const THEN: &str = "then";

/// The keys of a table of what follows, beside the fields of its action.
pub const HEAD: Fields = Fields::Static(&[&[
    Field::required("action", Kind::Text, "what is resolved then"),
    Field::optional(
        "when",
        Kind::Text,
        "conditions on how it has ended so far, all of which must hold: lost < 5 and pinned == 0",
    ),
]]);

/// The keys of a value that comes from an outcome.
const TAKEN: [&str; 4] = ["of", "times", "plus", "list"];

/// One action that follows.
#[derive(Clone)]
struct Link {
    /// The key of its fields among those of the whole: `then`, `then_2`.
    key: String,
    action: Arc<Action>,
    /// When it takes place, as the file says it.
    provided: String,
    when: Vec<Condition>,
    taken: Vec<Taken>,
}

/// A value that comes from how it has ended so far.
#[derive(Clone, Debug)]
struct Taken {
    /// Where it stands in the table of the contest.
    way: Vec<Step>,
    /// The outcome field.
    of: String,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    /// So many times the number, plus so much.
    Linear(i64, i64),
    /// The entry with that number, from 0.
    Listed(Vec<Toml>),
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Entry(usize),
}

impl Taken {
    /// In words: `figures = 5 - lost`.
    fn said(&self) -> String {
        let (place, of) = (path(&self.way), &self.of);
        match &self.value {
            Value::Linear(1, 0) => format!("{place} = {of}"),
            Value::Linear(times, 0) => format!("{place} = {times} * {of}"),
            Value::Linear(times, plus) => format!("{place} = {times} * {of} {plus:+}"),
            Value::Listed(items) => format!("{place} = {}[{of}]", Toml::Array(items.clone())),
        }
    }
}

/// The action that `first` and what follows it in `table` are together; `None` when nothing follows. What
/// follows then stands in `table` under keys of its own.
///
/// # Errors
/// What cannot be read of the tables of what follows, by its path in the contest.
pub fn chained(
    system: &Arc<System>,
    first: &Arc<Action>,
    table: &mut Table,
) -> Result<Option<Arc<Action>>, Vec<Fault>> {
    let tables = match table.remove(THEN) {
        None => return Ok(None),
        Some(Toml::Table(only)) => vec![Toml::Table(only)],
        Some(Toml::Array(several)) if !several.is_empty() => several,
        Some(_) => return Err(vec![expected_tables()]),
    };
    let mut faults = Vec::new();
    let mut links = Vec::new();
    let mut fields: Vec<Field> = first.fields.iter().cloned().collect();
    for (place, then) in tables.into_iter().enumerate() {
        let key = if place == 0 { THEN.to_owned() } else { format!("{THEN}_{}", place + 1) };
        let Toml::Table(mut then) = then else {
            return Err(vec![expected_tables()]);
        };
        match Link::read(system, key, &mut then) {
            Ok(link) => {
                fields.push(link.field());
                table.insert(link.key.clone(), Toml::Table(then));
                links.push(link);
            }
            Err(found) => faults.extend(found),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let title = |what: fn(&Action) -> &Text| {
        let rest = links.iter().map(|link| format!(" then {}", what(&link.action)));
        format!("{}{}", what(first), rest.collect::<String>())
    };
    let action = Action {
        name: Text::from(title(|action| &action.name)),
        about: Text::from(title(|action| &action.about)),
        fields: Fields::from(fields),
        build: Shared::Made({
            let (first, system) = (Arc::clone(first), Arc::clone(system));
            Arc::new(move |form: &Form| built(&system, &first, &links, form)) as Arc<_>
        }),
        samples: Words::NONE,
        ..Action::clone(first)
    };
    Ok(Some(Arc::new(action)))
}

/// A path of a fault in the whole as the file has it: `then_2.drm` is `then[1].drm`.
pub fn in_file(path: &str) -> Option<String> {
    let rest = path.strip_prefix(THEN)?;
    let (number, rest) = match rest.strip_prefix('_') {
        None => (1, rest),
        Some(numbered) => {
            let digits = numbered.find(|c: char| !c.is_ascii_digit()).unwrap_or(numbered.len());
            (numbered[..digits].parse::<usize>().ok()?, &numbered[digits..])
        }
    };
    let own = rest.is_empty() || rest.starts_with('.');
    own.then(|| format!("{THEN}[{}]{rest}", number.saturating_sub(1)))
}

fn expected_tables() -> Fault {
    let fault = Fault::new(THEN, "expected tables, each beginning with [[contest.then]]");
    fault.help("each has an `action` and the fields of that action")
}

impl Link {
    /// Takes what is no field of the action out of `table`.
    fn read(system: &System, key: String, table: &mut Table) -> Result<Link, Vec<Fault>> {
        let within = |fault: Fault| vec![fault.within(&key)];
        let names = || system.actions.iter().map(|action| &*action.name);
        let named = match table.remove("action") {
            Some(Toml::String(name)) => system.action(&name).cloned(),
            _ => {
                let fault = Fault::new("action", "`action` is missing: what is resolved then");
                let known: Vec<String> = names().map(str::to_owned).collect();
                Err(fault.help(format!("there is {}", one_of(&known))))
            }
        };
        let action = named.map_err(within)?;
        let provided = match table.remove("when") {
            None => String::new(),
            Some(Toml::String(text)) => text,
            Some(_) => return Err(within(Fault::new("when", "expected a text"))),
        };
        let when = match provided.is_empty() {
            true => Vec::new(),
            false => Condition::all_of(&provided).map_err(|part| {
                let fault = Fault::new("when", format!("`{part}` is no condition"));
                within(fault.help("an outcome field, one of == < <= > >=, and a number: lost < 5"))
            })?,
        };
        let mut taken = Vec::new();
        let mut faults = Vec::new();
        take_out(table, &mut Vec::new(), &mut taken, &mut faults);
        if faults.is_empty() {
            return Ok(Link { key, action, provided, when, taken });
        }
        Err(faults.into_iter().map(|fault| fault.within(&key)).collect())
    }

    /// Its place among the fields of the whole: what is given of those of its action, and in words what is
    /// taken and when, so that other words are another contest.
    fn field(&self) -> Field {
        let said = |name: &'static str, text: String| {
            let field = Field::new(name, Kind::Text, Preset::Text(Text::from(text)), "");
            Field { rare: true, ..field }
        };
        let mut fields = vec![
            said("resolved", self.action.name.to_string()),
            said("taken", self.taken.iter().map(Taken::said).collect::<Vec<_>>().join(", ")),
            said("provided", self.provided.clone()),
        ];
        let ways: Vec<&[Step]> = self.taken.iter().map(|taken| &taken.way[..]).collect();
        fields.extend(without(&self.action.fields, &ways));
        let kind = Kind::Table(Fields::from(fields));
        Field { name: Text::from(self.key.clone()), ..Field::required("", kind, "what follows") }
    }
}

/// Takes the values that come from outcomes out of a table.
fn take_out(
    table: &mut Table,
    way: &mut Vec<Step>,
    taken: &mut Vec<Taken>,
    faults: &mut Vec<Fault>,
) {
    let keys: Vec<String> = table.keys().cloned().collect();
    for key in keys {
        way.push(Step::Key(key.clone()));
        match table.get_mut(&key) {
            Some(Toml::Table(inner)) if inner.contains_key("of") => {
                match read_taken(inner, way) {
                    Ok(read) => taken.push(read),
                    Err(fault) => faults.push(fault.within(&path(way))),
                }
                table.remove(&key);
            }
            Some(Toml::Table(inner)) => take_out(inner, way, taken, faults),
            Some(Toml::Array(items)) => {
                for (place, item) in items.iter_mut().enumerate() {
                    if let Toml::Table(inner) = item {
                        way.push(Step::Entry(place));
                        take_out(inner, way, taken, faults);
                        way.pop();
                    }
                }
            }
            _ => {}
        }
        way.pop();
    }
}

fn read_taken(table: &Table, way: &[Step]) -> Result<Taken, Fault> {
    if let Some(key) = table.keys().find(|key| !TAKEN.contains(&key.as_str())) {
        let near = names::nearest(key, TAKEN);
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let fault =
            Fault::new(key.as_str(), format!("there is no `{key}` of a value that is taken"));
        return Err(fault
            .help(near + "it is { of = \"FIELD\", times = 1, plus = 0 } or { of, list = […] }"));
    }
    let whole = |key: &str, preset: i64| match table.get(key) {
        None => Ok(preset),
        Some(Toml::Integer(n)) => Ok(*n),
        Some(_) => Err(Fault::new(key, "expected a whole number")),
    };
    let Some(Toml::String(of)) = table.get("of") else {
        return Err(Fault::new("of", "expected the name of an outcome field"));
    };
    let value = match table.get("list") {
        Some(Toml::Array(items)) if table.len() == 2 => Value::Listed(items.clone()),
        Some(Toml::Array(_)) => {
            return Err(Fault::new("list", "`list` stands alone: it has no `times` and `plus`"));
        }
        Some(_) => return Err(Fault::new("list", "expected a list, its first entry for 0")),
        None => Value::Linear(whole("times", 1)?, whole("plus", 0)?),
    };
    Ok(Taken { way: way.to_vec(), of: of.clone(), value })
}

fn path(way: &[Step]) -> String {
    let mut path = String::new();
    for step in way {
        match step {
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => path.push_str(&format!(".{key}")),
            Step::Entry(place) => path.push_str(&format!("[{place}]")),
        }
    }
    path
}

/// The fields but for those at the end of one of the ways.
fn without(fields: &Fields, ways: &[&[Step]]) -> Vec<Field> {
    let keyed = |way: &&[Step], field: &Field| matches!(way.first(), Some(Step::Key(key)) if *key == *field.name);
    let left = fields.iter().filter_map(|field| {
        let own: Vec<&[Step]> =
            ways.iter().filter(|way| keyed(way, field)).map(|way| &way[1..]).collect();
        if own.iter().any(|way| way.is_empty()) {
            return None;
        }
        // Of several tables each may have another field that is taken: then none of them need say it.
        let own: Vec<&[Step]> = own
            .into_iter()
            .map(|way| if matches!(way[0], Step::Entry(_)) { &way[1..] } else { way })
            .collect();
        let kind = match &field.kind {
            _ if own.is_empty() => return Some(field.clone()),
            Kind::Table(inner) => Kind::Table(Fields::from(without(inner, &own))),
            Kind::Tables(inner, bound) => {
                Kind::Tables(Fields::from(without(inner, &own)), bound.clone())
            }
            other => other.clone(),
        };
        Some(Field { kind, ..field.clone() })
    });
    left.collect()
}

/// The contest that a form of the whole describes.
fn built(
    system: &System,
    first: &Action,
    links: &[Link],
    form: &Form,
) -> Result<Contest, Vec<Fault>> {
    let Toml::Table(mut table) = Toml::from(form) else {
        return Err(Vec::new());
    };
    let follows: Vec<Table> = links
        .iter()
        .map(|link| match table.remove(&link.key) {
            Some(Toml::Table(mut then)) => {
                let own = |key: &str| ["resolved", "taken", "provided"].contains(&key);
                then.retain(|key, _| !own(key));
                then
            }
            _ => Table::new(),
        })
        .collect();
    let mut contest = contest(system, first, &table)?;
    unchosen(&contest.combat, "")?;
    for (link, then) in links.iter().zip(follows) {
        contest = linked(system, contest, link, &then).map_err(|faults| {
            faults.into_iter().map(|fault| fault.within(&link.key)).collect::<Vec<_>>()
        })?;
    }
    Ok(contest)
}

fn contest(system: &System, action: &Action, table: &Table) -> Result<Contest, Vec<Fault>> {
    let form = Form::fill(&action.fields, table).map_err(|faults| system.hinted(action, faults))?;
    action.contest(&form)
}

/// Nobody may choose in a chain, and nothing be tallied: what is best for a part is not what is best for the
/// whole, and counters of two rules have the same numbers.
fn unchosen(combat: &AnyCombat, path: &str) -> Result<(), Vec<Fault>> {
    let why = match (combat.decisions().is_empty(), combat.counters()) {
        (false, _) => "players choose in it",
        (true, 1..) => "it tallies what it does not remember",
        (true, 0) => return Ok(()),
    };
    Err(vec![Fault::new(path, format!("this action cannot stand in a chain: {why}"))])
}

/// `before`, followed by `link` with what `table` says of it.
fn linked(
    system: &System,
    before: Contest,
    link: &Link,
    table: &Table,
) -> Result<Contest, Vec<Fault>> {
    let sources = Sources::of(&before.combat, link)?;
    let limits = Limits::default();
    let graph = DieGraph::of(&before.combat, limits).map_err(|error| {
        let problem = format!("what comes before it cannot be worked out: {error}");
        vec![Fault::new("", problem).help("a chain needs a graph of all but its last action")]
    })?;
    let mut contests: IndexMap<Vec<i64>, AnyCombat> = IndexMap::new();
    let mut follows: HashMap<Row, usize> = HashMap::new();
    let mut notes = before.notes;
    for ending in graph.endings().iter().filter(|ending| sources.take_place(ending)) {
        let key = sources.key(ending);
        if !contests.contains_key(&key) {
            let table = sources.filled(table, ending)?;
            let made = contest(system, &link.action, &table)
                .map_err(|faults| sources.after(&before.combat, ending, faults))?;
            unchosen(&made.combat, "action")?;
            notes.extend(made.notes);
            contests.insert(key.clone(), made.combat);
        }
        let place = contests.get_index_of(&key).unwrap_or_default();
        follows.insert(ending.fields, place);
    }
    notes.dedup();
    let then: Vec<AnyCombat> = contests.into_values().collect();
    let Some(one) = then.first() else {
        return Err(vec![Fault::new("when", "it never takes place")]);
    };
    let heads = both(&before.combat, one, &link.key)?;
    if then.iter().any(|other| other.fields() != one.fields() || !alike(other, one)) {
        let problem = "what it reports depends on how it has ended so far";
        return Err(vec![Fault::new("action", problem)]);
    }
    let next = Box::new(move |ending: &Ending| follows.get(&ending.fields).copied());
    Ok(Contest {
        combat: AnyCombat::chained(before.combat, then, next, heads),
        notes,
        grows_with: before.grows_with,
    })
}

fn alike(a: &AnyCombat, b: &AnyCombat) -> bool {
    let name = |head: &Arc<MeasureHead>| head.name.clone();
    a.measures().iter().map(name).eq(b.measures().iter().map(name))
}

/// The heads of both side by side, those of what follows behind its `key`.
fn both(first: &AnyCombat, then: &AnyCombat, key: &str) -> Result<Heads, Vec<Fault>> {
    let name = |name: &Text| Text::from(format!("{key}_{name}"));
    let label = |label: Text| Text::from(format!("{}: {label}", key.replace('_', " ")));
    let field = |head: &FieldHead| FieldHead {
        name: name(&head.name),
        about: label(head.about.clone()),
        label: label(head.label_or_name()),
        ..head.clone()
    };
    let measure = |head: &Arc<MeasureHead>| {
        Arc::new(MeasureHead {
            name: name(&head.name),
            about: label(head.about.clone()),
            label: label(head.label_or_name()),
            ..MeasureHead::clone(head)
        })
    };
    let before = |head: &Arc<MeasureHead>| {
        Arc::new(MeasureHead { headline: false, ..MeasureHead::clone(head) })
    };
    let heads = Heads {
        fields: first.fields().iter().cloned().chain(then.fields().iter().map(field)).collect(),
        measures: first
            .measures()
            .iter()
            .map(before)
            .chain(then.measures().iter().map(measure))
            .collect(),
    };
    let most = heads.fields.len().max(heads.measures.len());
    if most > MAX_COLUMNS {
        let problem =
            format!("the chain reports {most} numbers, and a contest at most {MAX_COLUMNS}");
        return Err(vec![Fault::new("action", problem).help("ask for fewer actions in a row")]);
    }
    debug_assert!(heads.measures.iter().all(|head| !matches!(head.kind, MeasureKind::Tally(_))));
    Ok(heads)
}

/// Which outcome fields a link takes from, by their places.
struct Sources<'a> {
    link: &'a Link,
    taken: Vec<usize>,
    when: Vec<usize>,
}

impl<'a> Sources<'a> {
    fn of(before: &AnyCombat, link: &'a Link) -> Result<Sources<'a>, Vec<Fault>> {
        let known = before.fields();
        // What the last action reported is meant before what others did.
        let is = |field: &FieldHead, name: &str| {
            let of_link = field.name.strip_suffix(name).and_then(|key| key.strip_suffix('_'));
            field.name == *name || of_link.is_some_and(|key| in_file(key).is_some())
        };
        let place = |path: String, name: &str| {
            known.iter().rposition(|field| is(field, name)).ok_or_else(|| {
                let fault = Fault::new(path, format!("nothing before it reports `{name}`"));
                let names = || known.iter().map(|field| &*field.name);
                fault.help(match names::nearest(name, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there is {}", names().collect::<Vec<_>>().join(", ")),
                })
            })
        };
        let taken = link.taken.iter().map(|taken| place(path(&taken.way), &taken.of));
        let when = link.when.iter().map(|condition| place("when".to_owned(), &condition.measure));
        let (found, faults): (Vec<_>, Vec<_>) = taken.chain(when).partition(Result::is_ok);
        let faults: Vec<Fault> = faults.into_iter().filter_map(Result::err).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut taken: Vec<usize> = found.into_iter().flatten().collect();
        let when = taken.split_off(link.taken.len());
        Ok(Sources { link, taken, when })
    }

    fn take_place(&self, ending: &Ending) -> bool {
        let conditions = self.link.when.iter().zip(&self.when);
        conditions
            .into_iter()
            .all(|(condition, &place)| condition.holds(ending.fields[place].into()))
    }

    fn key(&self, ending: &Ending) -> Vec<i64> {
        self.taken.iter().map(|&place| ending.fields[place].into()).collect()
    }

    /// The table with the values that are taken from this ending.
    fn filled(&self, table: &Table, ending: &Ending) -> Result<Table, Vec<Fault>> {
        let mut table = table.clone();
        for (taken, number) in self.link.taken.iter().zip(self.key(ending)) {
            let value = match &taken.value {
                Value::Linear(times, plus) => {
                    Toml::Integer(number.saturating_mul(*times).saturating_add(*plus))
                }
                Value::Listed(items) => {
                    let item = usize::try_from(number).ok().and_then(|place| items.get(place));
                    item.cloned().ok_or_else(|| {
                        let problem = format!("the list has no entry for {} {number}", taken.of);
                        let fault = Fault::new(path(&taken.way), problem);
                        vec![fault.help("its first entry is for 0; or say `when` it takes place")]
                    })?
                }
            };
            put(&self.link.action.fields, &mut table, &taken.way, value);
        }
        Ok(table)
    }

    /// Faults of what follows, with the ending that it follows.
    fn after(&self, before: &AnyCombat, ending: &Ending, faults: Vec<Fault>) -> Vec<Fault> {
        let said = self
            .taken
            .iter()
            .map(|&place| format!("{} {}", before.fields()[place].name, ending.fields[place]));
        let said: Vec<_> = said.collect();
        let told = |fault: Fault| {
            if said.is_empty() {
                return fault;
            }
            let help = fault
                .help
                .clone()
                .unwrap_or_else(|| "say when it takes place: when = \"FIELD < NUMBER\"".to_owned());
            let problem = format!("after {}: {}", said.join(", "), fault.problem);
            Fault { problem, ..fault }.help(help)
        };
        faults.into_iter().map(told).collect()
    }
}

/// Puts a value at a way into a table; a switch takes whether the number is not 0.
fn put(fields: &Fields, table: &mut Table, way: &[Step], value: Toml) {
    let switch = matches!(fields.at(&path(way)).map(|field| &field.kind), Some(Kind::Flag));
    let value = match value {
        Toml::Integer(n) if switch => Toml::Boolean(n != 0),
        other => other,
    };
    let Some((Step::Key(first), rest)) = way.split_first() else {
        return;
    };
    if rest.is_empty() {
        table.insert(first.clone(), value);
        return;
    }
    let mut at = table.entry(first.clone()).or_insert_with(|| Toml::Table(Table::new()));
    let mut rest = rest.iter().peekable();
    while let Some(step) = rest.next() {
        // One table where several may stand has become a list of one.
        if let (Toml::Array(_), Step::Key(_)) = (&*at, step) {
            let Toml::Array(items) = at else { return };
            let Some(only) = items.first_mut() else { return };
            at = only;
        }
        at = match (at, step) {
            (Toml::Table(inner), Step::Key(key)) => {
                inner.entry(key.clone()).or_insert_with(|| Toml::Table(Table::new()))
            }
            (Toml::Array(items), Step::Entry(place)) => match items.get_mut(*place) {
                Some(item) => item,
                None => return,
            },
            _ => return,
        };
        if rest.peek().is_none() {
            *at = value;
            return;
        }
    }
}
