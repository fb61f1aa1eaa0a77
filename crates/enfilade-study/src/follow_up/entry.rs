//! `[[contest.then]]` entry: the follow-up action, its condition, and the fields that it inherits.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use super::carry::Carry;
use crate::grid::{CHANGE, OF};
use crate::search::Condition;
use enfilade_model::catalogue::{Action, System};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::{Fault, Field, Fields, Kind, Preset, name_matching, one_of};
use enfilade_model::shared::Text;

/// Key of follow-ups.
pub const THEN: &str = "then";

/// Keys of a follow-up's table, beside the fields of its action.
pub const HEAD: Fields = Fields::Static(&[&[
    Field::required("action", Kind::Text, "the action that follows"),
    Field::optional(
        "when",
        Kind::Text,
        "conditions on the outcomes so far, all of which must hold: lost < 5 and pinned == 0",
    ),
    Field::optional(
        "carry",
        Kind::Text,
        "fields handed on as they were left: true, fields such as [\"target\"], or the roles exchanged, \
         { attacker = \"defender\", defender = \"attacker\" }",
    ),
    TIMES,
    Field::optional(
        "until",
        Kind::Text,
        "conditions on how a turn has ended; it is repeated until all of them hold",
    ),
    Field::optional(
        "steps",
        Kind::Int(STEPS),
        "number of steps of a repeated turn: this one and those before it",
    ),
]]);

/// Field with the largest number of repetitions of a turn.
const TIMES: Field = Field::optional(
    "times",
    Kind::Int(Bound::new("number of turns", 1, 100)),
    "number of turns, each from what the last one left; with `until` the largest number",
);

/// Number of steps of a turn.
const STEPS: Bound = Bound::new("number of steps", 1, 20);

/// Keys of a value that comes from an outcome.
const TAKEN: [&str; 4] = ["of", "times", "plus", "list"];

/// Keys of a follow-up that describe its action, its condition and its origin.
const WORDS: [&str; 6] = ["action", "when", "of", "carry", "until", "steps"];

/// Follow-up action.
#[derive(Clone)]
pub(super) struct Link {
    /// Key of its fields among those of the chain: `then`, `then_2`.
    pub(super) key: String,
    pub(super) action: Arc<Action>,
    /// Condition of the follow-up, as written in the file.
    pub(super) provided: String,
    pub(super) when: Vec<Condition>,
    pub(super) taken: Vec<Taken>,
    pub(super) carry: Carry,
    /// Condition that ends the repetition of a turn, as text and parsed.
    pub(super) until: (String, Vec<Condition>),
    /// Number of steps in a turn.
    pub(super) steps: usize,
    /// Whether `times` is the number of repetitions, and not a field of the action.
    pub(super) repeats: bool,
}

/// Value inherited from an outcome of the steps before.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Path in the table of the contest.
    pub(super) way: Vec<Step>,
    /// Outcome field.
    pub(super) of: String,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Factor of the number, and an addend.
    Linear(i64, i64),
    /// Entry with that number, from 0.
    Listed(Vec<Toml>),
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String),
    Entry(usize),
}

impl Taken {
    /// Describes the value: `figures = 5 - lost`.
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

impl Link {
    /// Takes the keys that are not fields of the action out of `table`.
    pub(super) fn read(
        system: &System,
        key: String,
        table: &mut Table,
    ) -> Result<Link, Vec<Fault>> {
        let within = |fault: Fault| vec![fault.within(&key)];
        let names = || system.actions.iter().map(|action| &*action.name);
        let named = match table.remove("action") {
            Some(Toml::String(name)) => system.action(&name).cloned(),
            _ => {
                let fault = Fault::new("action", "`action` is missing: the action that follows");
                let known: Vec<String> = names().map(str::to_owned).collect();
                Err(fault.help(format!("there is {}", one_of(&known))))
            }
        };
        let action = named.map_err(within)?;
        let (provided, when) = conditions(table, "when").map_err(within)?;
        // An action may have a field with one of these names.
        let its_own = |key: &str| action.fields.get(key).is_some();
        let until = match its_own("until") {
            true => Default::default(),
            false => conditions(table, "until").map_err(within)?,
        };
        let carry = match its_own("carry") {
            true => Carry::Nothing,
            false => Carry::read(table).map_err(within)?,
        };
        let steps = if its_own("steps") { 1 } else { steps(table).map_err(within)? };
        let repeats = !its_own("times");
        // The rest are fields of the action, except for inherited values.
        let mut taken = Vec::new();
        let mut faults = Vec::new();
        take_out(table, &mut Vec::new(), &mut taken, &mut faults);
        if faults.is_empty() {
            return Ok(Link { key, action, provided, when, taken, carry, until, steps, repeats });
        }
        Err(faults.into_iter().map(|fault| fault.within(&key)).collect())
    }

    /// Returns the field of the follow-up among those of the chain: the given fields of its action,
    /// and texts of the inherited values and conditions, so that other texts make another contest.
    /// The texts are under keys of a follow-up, which no field of an action uses.
    pub(super) fn field(&self) -> Field {
        let said = |name: &'static str, text: String| {
            let field = Field::new(name, Kind::Text, Preset::Text(Text::from(text)), "");
            Field { rare: true, ..field }
        };
        let mut fields = vec![
            said("action", self.action.name.to_string()),
            said("of", self.taken.iter().map(Taken::said).collect::<Vec<_>>().join(", ")),
            said("when", self.provided.clone()),
            said("carry", self.carry.said()),
            said("until", self.until.0.clone()),
            said("steps", self.steps.to_string()),
        ];
        fields.extend(self.repeats.then_some(TIMES));
        let ways: Vec<&[Step]> = self.taken.iter().map(|taken| &taken.way[..]).collect();
        let own = without(&self.action.fields, &ways);
        // A carried field need not be given, and a field that is not given is carried.
        fields.extend(if self.carry.is_any() { relaxed(own) } else { own });
        let kind = Kind::Table(Fields::from(fields));
        Field { name: Text::from(self.key.clone()), ..Field::required("", kind, "what follows") }
    }
}

/// Removes the texts of [`Link::field`] from its table.
pub(super) fn without_words(mut table: Table) -> Table {
    table.retain(|key, _| !WORDS.contains(&key));
    table
}

/// Reads the conditions under a key, as text and parsed; none if the key is absent.
fn conditions(table: &mut Table, key: &str) -> Result<(String, Vec<Condition>), Fault> {
    let text = match table.remove(key) {
        None => return Ok(Default::default()),
        Some(Toml::String(text)) => text,
        Some(_) => {
            let fault = Fault::new(key, "expected a text");
            return Err(fault.help(format!("such as {key} = \"lost > 3\"")));
        }
    };
    let read = Condition::all_of(&text).map_err(|part| {
        let fault = Fault::new(key, format!("`{part}` is not a condition"));
        fault.help("an outcome field, one of == < <= > >=, and a number: lost < 5")
    })?;
    Ok((text, read))
}

/// Reads the number of steps in a turn.
fn steps(table: &mut Table) -> Result<usize, Fault> {
    match table.remove("steps") {
        None => Ok(1),
        Some(Toml::Integer(n)) if (STEPS.low..=STEPS.high).contains(&n) => Ok(n as usize),
        Some(_) => {
            let problem = format!("expected a whole number from {} to {}", STEPS.low, STEPS.high);
            let help = "give the number of steps of a turn: this one and those before it";
            Err(Fault::new("steps", problem).help(help))
        }
    }
}

/// Converts fields to optional ones without defaults.
fn relaxed(fields: Vec<Field>) -> Vec<Field> {
    let inner = |fields: Fields| Fields::from(relaxed(fields.iter().cloned().collect()));
    let relax = |field: Field| {
        let kind = match field.kind {
            Kind::Table(fields) => Kind::Table(inner(fields)),
            Kind::Tables(fields, many) => Kind::Tables(inner(fields), many),
            other => other,
        };
        Field { kind, preset: Preset::Absent, ..field }
    };
    fields.into_iter().map(relax).collect()
}

/// Takes the values that are inherited from outcomes out of a table.
fn take_out(
    table: &mut Table,
    way: &mut Vec<Step>,
    taken: &mut Vec<Taken>,
    faults: &mut Vec<Fault>,
) {
    // Listed first, because inherited values are removed on the way.
    let keys: Vec<String> = table.keys().cloned().collect();
    for key in keys {
        way.push(Step::Key(key.clone()));
        match table.get_mut(&key) {
            // `{ of = 8, change = … }` is a number with its change, and not inherited.
            Some(Toml::Table(inner)) if inner.contains_key(OF) && !inner.contains_key(CHANGE) => {
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
        let near = name_matching::nearest(key, TAKEN);
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let fault = Fault::new(key.as_str(), format!("a value from an outcome has no `{key}`"));
        return Err(fault
            .help(near + "write { of = \"FIELD\", times = 1, plus = 0 } or { of, list = […] }"));
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
        // The other key is `of`.
        Some(Toml::Array(items)) if table.len() == 2 => Value::Listed(items.clone()),
        Some(Toml::Array(_)) => {
            return Err(Fault::new("list", "`list` cannot be combined with `times` or `plus`"));
        }
        Some(_) => return Err(Fault::new("list", "expected a list, its first entry for 0")),
        None => Value::Linear(whole("times", 1)?, whole("plus", 0)?),
    };
    Ok(Taken { way: way.to_vec(), of: of.clone(), value })
}

/// Converts the path of a fault in the chain to its path in the file: `then_2.drm` is
/// `then[1].drm`. Returns `None` if the file has the same path.
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

/// Formats a path as faults write it: `target[1].morale`.
pub(super) fn path(way: &[Step]) -> String {
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

/// Returns the fields except those at the end of one of the paths.
fn without(fields: &Fields, ways: &[&[Step]]) -> Vec<Field> {
    let keyed = |way: &&[Step], field: &Field| matches!(way.first(), Some(Step::Key(key)) if *key == *field.name);
    let left = fields.iter().filter_map(|field| {
        let own: Vec<&[Step]> =
            ways.iter().filter(|way| keyed(way, field)).map(|way| &way[1..]).collect();
        if own.iter().any(|way| way.is_empty()) {
            return None;
        }
        // Each of several tables may inherit another field: then none of them has to give it.
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

/// Stores a value at a path in a table; a switch is on if the number is not 0.
pub(super) fn put(fields: &Fields, table: &mut Table, way: &[Step], value: Toml) {
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
        // A single table, where there may be several, has become a list of one.
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
