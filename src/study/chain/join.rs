//! Actions joined: for every ending of what comes before, the contest that follows.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use toml::{Table, Value as Toml};

use super::link::{Link, Value, in_file, path, put, without_words};
use crate::catalogue::{Action, Contest, System};
use crate::combat::{AnyCombat, Ending, FieldHead, Heads, MAX_COLUMNS, MeasureHead, Row};
use crate::form::{Fault, Form, names};
use crate::graph::{DieGraph, Limits};
use crate::shared::Text;

/// The contest that a form of the whole describes.
pub(super) fn built(
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
            // Its words tell contests apart by their fields; the action knows no such field.
            Some(Toml::Table(then)) => without_words(then),
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
    let mut notes: IndexSet<String> = before.notes.into_iter().collect();
    for ending in graph.endings().iter().filter(|ending| sources.take_place(ending)) {
        // Endings that hand on the same numbers lead to one contest, which is made once.
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
    let then: Vec<AnyCombat> = contests.into_values().collect();
    let Some(one) = then.first() else {
        return Err(vec![Fault::new("when", "it never takes place")]);
    };
    let heads = both(&before.combat, one, &link.key)?;
    // Numbers of one column must mean the same wherever they come from, their factors too.
    if then.iter().any(|other| other.heads() != one.heads()) {
        let problem = "what it reports depends on how it has ended so far";
        return Err(vec![Fault::new("action", problem)]);
    }
    let next = Box::new(move |ending: &Ending| follows.get(&ending.fields).copied());
    Ok(Contest {
        combat: AnyCombat::chained(before.combat, then, next, heads),
        notes: notes.into_iter().collect(),
        grows_with: before.grows_with,
    })
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
    // What the last action reports is what is asked for.
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
                    // What does not fit is beyond every bound, and refused there.
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
