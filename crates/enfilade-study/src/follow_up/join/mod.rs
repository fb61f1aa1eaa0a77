//! Chained contest: every situation in which one of the actions begins, and the successors of its
//! endings.

mod ways;

use std::collections::VecDeque;

use indexmap::{IndexMap, IndexSet};
use toml::{Table, Value as Toml};

use super::carry::{Carry, fitted, overlay, several_for_one};
use super::entry::{Link, Value, path, put, without_words};
use super::heads::{Stepped, Turns, joined};
use enfilade_engine::cancel::NEVER;
use enfilade_engine::graph::{Ended, Limits, ends};
use enfilade_model::catalogue::{Action, Contest, System};
use enfilade_model::combat::{AnyCombat, Heads, Joined, Situation, Way};
use enfilade_model::form::{Fault, Form, Words};

/// Largest numbers of contests in a chain, and of situations in which they begin.
const CONTESTS: usize = 1 << 12;
const SITUATIONS: usize = 1 << 16;
/// Largest number of states of a contest with a follow-up: reading a file must take seconds.
const STATES: usize = 1 << 18;
/// Largest number of endings of all contests together.
const ENDINGS: usize = 1 << 20;

/// Builds the contest that a form of the chain describes.
pub(super) fn built(
    system: &System,
    first: &Action,
    links: &[Link],
    form: &Form,
) -> Result<Contest, Vec<Fault>> {
    let Toml::Table(mut table) = Toml::from(form) else {
        return Err(Vec::new());
    };
    let mut steps = vec![Step::of(first, None, Table::new())];
    for link in links {
        // The texts distinguish contests by their fields; the action has no such field.
        let said = match table.remove(&link.key) {
            Some(Toml::Table(said)) => without_words(said),
            _ => Table::new(),
        };
        steps.push(Step::of(&link.action, Some(link), said));
    }
    steps[0].said = table;
    Joining::of(system, steps)?.explored()
}

/// Step, as the file describes it.
struct Step<'a> {
    action: &'a Action,
    link: Option<&'a Link>,
    /// Values of its fields in the file.
    said: Table,
    /// Number of turns, if given.
    times: Option<u32>,
    /// Carried fields, each with its slot.
    pairs: Vec<(String, String)>,
}

impl<'a> Step<'a> {
    fn of(action: &'a Action, link: Option<&'a Link>, mut said: Table) -> Step<'a> {
        let times = link.filter(|link| link.repeats).and_then(|_| said.remove("times"));
        let times = times.and_then(|times| times.as_integer()).map(|times| times as u32);
        Step { action, link, said, times, pairs: Vec::new() }
    }

    fn key(&self) -> &str {
        self.link.map_or("", |link| &link.key)
    }

    fn within(&self, fault: Fault) -> Fault {
        match self.link {
            Some(link) => fault.within(&link.key),
            None => fault,
        }
    }

    fn all_within(&self, faults: Vec<Fault>) -> Vec<Fault> {
        faults.into_iter().map(|fault| self.within(fault)).collect()
    }
}

/// Steps that are repeated together.
struct Turn {
    from: usize,
    to: usize,
    /// Largest number of turns; `None` to repeat until a condition holds.
    times: Option<u32>,
    /// Counter of the turns, if they are not part of the state.
    counter: Option<u8>,
    /// Whether the turn has been left because its condition held.
    left: bool,
}

/// Known values where a contest begins: the carried fields, and the numbers that conditions and
/// fields use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Known {
    /// Index among the [casts](Joining::casts).
    cast: usize,
    /// Number reported last, by used name.
    latest: Vec<i32>,
    /// Number reported by each step, by used name and step.
    each: Vec<i32>,
}

/// Beginning of a contest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Begun {
    step: usize,
    turn: u32,
    known: Known,
}

/// Contest of a step, once built.
struct Made {
    combat: AnyCombat,
    ended: Option<Vec<Ended>>,
    /// Carried and given values of its fields.
    whole: Table,
    /// Whether the contest is over before a die is rolled.
    at_once: bool,
}

/// Chain in the course of building.
struct Joining<'a> {
    system: &'a System,
    steps: Vec<Step<'a>>,
    turns: Vec<Turn>,
    /// Names of outcomes that conditions and fields use.
    names: IndexSet<String>,
    /// Distinct values of the carried fields, by slot.
    casts: IndexMap<String, Table>,
    /// Contests by step and contents of the table.
    made: IndexMap<(usize, String), Made>,
    heads: Vec<Option<Heads>>,
    begun: IndexSet<Begun>,
    situations: Vec<Situation>,
    notes: IndexSet<String>,
    /// Size fields of the first contest.
    grows_with: Words,
    endings: usize,
}

/// Checks that a contest can be part of a chain: it has no decisions and no tallies. The best
/// decision for a part is not the best for the whole, and counters of two rules have the same
/// numbers.
fn unchosen(combat: &AnyCombat) -> Result<(), Vec<Fault>> {
    let why = match (combat.decisions().is_empty(), combat.counters()) {
        (false, _) => "it has decisions",
        (true, 1..) => "it has tallies",
        (true, 0) => return Ok(()),
    };
    Err(vec![Fault::new("action", format!("this action cannot be part of a chain: {why}"))])
}

impl<'a> Joining<'a> {
    fn of(system: &'a System, steps: Vec<Step<'a>>) -> Result<Joining<'a>, Vec<Fault>> {
        let mut joining = Joining {
            system,
            turns: turns(&steps)?,
            names: IndexSet::new(),
            casts: IndexMap::new(),
            made: IndexMap::new(),
            heads: vec![None; steps.len()],
            begun: IndexSet::new(),
            situations: Vec::new(),
            notes: IndexSet::new(),
            grows_with: Words::NONE,
            endings: 0,
            steps,
        };
        let all: Vec<&Action> = joining.steps.iter().map(|step| step.action).collect();
        for at in 0..all.len() {
            let before: Vec<&Action> = joining.before(at).map(|before| all[before]).collect();
            let carry = match joining.steps[at].link {
                Some(link) => &link.carry,
                // The first step of a repeated turn starts from all fields that were left.
                None if joining.turn_of(at).is_some() => &Carry::All,
                None => &Carry::Nothing,
            };
            let pairs = carry.pairs(all[at], &before, &all);
            joining.steps[at].pairs =
                pairs.map_err(|faults| joining.steps[at].all_within(faults))?;
        }
        let links: Vec<&Link> = joining.steps.iter().filter_map(|step| step.link).collect();
        for link in links {
            let conditions = link.when.iter().chain(&link.until.1);
            let asked = conditions.map(|condition| condition.measure.clone());
            joining.names.extend(asked.chain(link.taken.iter().map(|taken| taken.of.clone())));
        }
        Ok(joining)
    }

    /// Returns the repeated turn of a step, if it has one.
    fn turn_of(&self, step: usize) -> Option<usize> {
        self.turns.iter().position(|turn| (turn.from..=turn.to).contains(&step))
    }

    /// Returns the steps that may have come before a step: all above it, and all of its turn.
    fn before(&self, step: usize) -> impl Iterator<Item = usize> + use<> {
        let end = self.turn_of(step).map_or(step, |turn| self.turns[turn].to + 1);
        0..end
    }

    /// Returns whether any step may follow.
    fn goes_on(&self, step: usize) -> bool {
        step + 1 < self.steps.len() || self.turn_of(step).is_some()
    }

    /// Returns whether any step carries fields.
    fn carries(&self) -> bool {
        self.steps.iter().any(|step| !step.pairs.is_empty())
    }

    /// Explores all situations, from the first on.
    fn explored(mut self) -> Result<Contest, Vec<Fault>> {
        let cast = self.cast(Table::new());
        let known = Known {
            cast,
            latest: vec![0; self.names.len()],
            each: vec![0; self.names.len() * self.steps.len()],
        };
        let turn = u32::from(self.turn_of(0).is_some_and(|turn| self.turns[turn].times.is_some()));
        let mut open = VecDeque::from([self.begin(Begun { step: 0, turn, known })?]);
        while let Some(at) = open.pop_front() {
            let known = self.situations.len();
            self.go_on(at)?;
            open.extend(known..self.situations.len());
        }
        self.checked()?;
        self.contest()
    }

    /// Returns the index of the situation in which a contest begins, and adds it if it is new.
    fn begin(&mut self, begun: Begun) -> Result<usize, Vec<Fault>> {
        if let Some(known) = self.begun.get_index_of(&begun) {
            return Ok(known);
        }
        let step = begun.step;
        let combat = self.make(&begun).map_err(|faults| self.steps[step].all_within(faults))?;
        let (rank, returns) = self.rank(step, begun.turn);
        let turn = begun.turn as i32;
        let ways = Default::default();
        self.situations.push(Situation { combat, step, turn, rank, returns, ways });
        self.begun.insert(begun);
        match self.situations.len() > SITUATIONS {
            true => Err(vec![self.steps[step].within(too_many("situations", SITUATIONS))]),
            false => Ok(self.situations.len() - 1),
        }
    }

    /// Returns the index of the contest that begins there, and builds it if it is new.
    fn make(&mut self, begun: &Begun) -> Result<usize, Vec<Fault>> {
        let step = &self.steps[begun.step];
        let (table, whole) = self.table(step, begun)?;
        let key = (begun.step, whole.to_string() + "\n" + &table.to_string());
        if let Some(known) = self.made.get_index_of(&key) {
            return Ok(known);
        }
        let leaves = self.carries() && self.goes_on(begun.step);
        let made = contest(self.system, step.action, &table, leaves)
            .map_err(|faults| self.after(step, begun, faults))?;
        unchosen(&made.combat)?;
        let heads = self.heads[begun.step].get_or_insert_with(|| made.combat.heads().clone());
        // Numbers of one column must have the same meaning in every contest, and the same factors.
        if heads != made.combat.heads() {
            let problem = "a follow-up must report the same columns after every ending";
            return Err(vec![Fault::new("action", problem)]);
        }
        self.notes.extend(made.notes);
        if self.made.is_empty() {
            self.grows_with = made.grows_with;
        }
        let mut states = made.combat.states();
        let first = states.open();
        let at_once = states.ending(first).is_some();
        drop(states);
        let made = Made { combat: made.combat, ended: None, whole, at_once };
        let number = self.made.insert_full(key, made).0;
        match self.made.len() > CONTESTS {
            true => Err(vec![too_many("contests", CONTESTS)]),
            false => Ok(number),
        }
    }

    /// Builds the table of a contest, and the table with all stored fields of its units.
    fn table(&self, step: &Step<'_>, begun: &Begun) -> Result<(Table, Table), Vec<Fault>> {
        let cast = &self.casts[begun.known.cast];
        if let Some((_, from)) =
            step.pairs.iter().find(|(_, from)| cast.contains_key(&is_apart(from)))
        {
            let problem = format!("the remainder of `{from}` does not fit into its fields");
            let help = "hand on one unit, not several; or name the fields: carry = [\"FIELD\"]";
            return Err(vec![Fault::new("carry", problem).help(help)]);
        }
        let handed = step.pairs.iter().filter_map(|(to, from)| Some((to, cast.get(from)?)));
        let handed: Table = handed.map(|(to, value)| (to.clone(), value.clone())).collect();
        if let Some(fault) = several_for_one(&step.action.fields, &handed) {
            return Err(vec![fault]);
        }
        // A step sets its carried fields once: afterwards they have the values that were left.
        let mut whole;
        if cast.contains_key(&taken_once(begun.step)) {
            whole = step.said.clone();
            whole.extend(handed);
        } else {
            whole = handed;
            overlay(&mut whole, &step.said);
        }
        for taken in step.link.iter().flat_map(|link| &link.taken) {
            let number = self
                .number(begun, &taken.of)
                .map_err(|fault| vec![Fault { path: path(&taken.way), ..fault }])?;
            let value = match &taken.value {
                // A value that does not fit is beyond every bound, and refused there.
                Value::Linear(times, plus) => {
                    Toml::Integer(number.saturating_mul(*times).saturating_add(*plus))
                }
                Value::Listed(items) => {
                    let item = usize::try_from(number).ok().and_then(|place| items.get(place));
                    item.cloned().ok_or_else(|| {
                        let problem = format!("the list has no entry for {} {number}", taken.of);
                        let fault = Fault::new(path(&taken.way), problem);
                        vec![
                            fault.help(
                                "add entries, the first is for 0; or limit the step with `when`",
                            ),
                        ]
                    })?
                }
            };
            put(&step.action.fields, &mut whole, &taken.way, value);
        }
        let fields = &step.action.fields;
        let table = whole.iter().map(|(key, value)| {
            let value =
                fields.get(key).map_or_else(|| value.clone(), |field| fitted(&field.kind, value));
            (key.clone(), value)
        });
        Ok((table.collect(), whole))
    }

    /// Explores the successors of a situation's endings.
    fn go_on(&mut self, at: usize) -> Result<(), Vec<Fault>> {
        let Some(begun) = self.begun.get_index(at).cloned() else { return Ok(()) };
        if !self.goes_on(begun.step) {
            return Ok(());
        }
        let combat = self.situations[at].combat;
        let ended = self.ended(combat, begun.step)?;
        self.branches(begun.step, &ended)?;
        for (ending, left) in &ended {
            let known = self.known_after(&begun, combat, &ending.fields, left)?;
            let way = self.way(begun.step, begun.turn, known)?;
            if way != Way::default() {
                self.situations[at].ways.insert((ending.fields, left.clone()), way);
            }
        }
        self.made[combat].ended = Some(ended);
        Ok(())
    }

    /// Returns all endings of a contest.
    fn ended(&mut self, combat: usize, step: usize) -> Result<Vec<Ended>, Vec<Fault>> {
        if let Some(known) = self.made[combat].ended.take() {
            return Ok(known);
        }
        let limits = Limits { states: STATES, ..Limits::default() };
        let found = ends(&self.made[combat].combat, &limits, &NEVER);
        let ended = found.map_err(|error| {
            let next = self.steps.get(step + 1).unwrap_or(&self.steps[step]);
            let problem = format!("the actions before it cannot be solved: {error}");
            let help = "a chain knows every ending of all but its last action";
            vec![next.within(Fault::new("", problem).help(help))]
        })?;
        self.endings += ended.len();
        match self.endings > ENDINGS {
            true => Err(vec![self.steps[step].within(too_many("endings", ENDINGS))]),
            false => Ok(ended),
        }
    }

    /// Converts the chain to a contest.
    fn contest(self) -> Result<Contest, Vec<Fault>> {
        let mut stepped = Vec::new();
        for (at, (step, heads)) in self.steps.iter().zip(&self.heads).enumerate() {
            let Some(heads) = heads else { continue };
            let closed = self.turns.iter().find(|turn| turn.to == at);
            let turns = closed.map_or(Turns::Untold, |turn| {
                turn.counter.map_or(Turns::Remembered, Turns::Tallied)
            });
            let repeated = self.turn_of(at).is_some();
            stepped.push(Stepped { key: step.key(), heads, repeated, turns });
        }
        let last = self.steps.last().map_or("", |step| step.key());
        let (heads, columns) = joined(&stepped).map_err(|faults| {
            faults.into_iter().map(|fault| fault.within(last)).collect::<Vec<_>>()
        })?;
        let combats = self.made.into_values().map(|made| made.combat).collect();
        let names = self.steps.iter().map(|step| step.action.name.to_string()).collect();
        let joined = Joined { combats, situations: self.situations, columns, names };
        Ok(Contest {
            combat: AnyCombat::chained(joined, heads),
            notes: self.notes.into_iter().collect(),
            grows_with: self.grows_with,
        })
    }

    /// Prefixes the faults of a follow-up with the ending before it.
    fn after(&self, step: &Step<'_>, begun: &Begun, faults: Vec<Fault>) -> Vec<Fault> {
        let taken = step.link.iter().flat_map(|link| &link.taken);
        let mut said: Vec<String> = Vec::new();
        for of in taken.map(|taken| &taken.of) {
            let number = self.names.get_index_of(of).map(|place| begun.known.latest[place]);
            said.push(format!("{of} {}", number.unwrap_or_default()));
        }
        let cast = &self.casts[begun.known.cast];
        let handed = step.pairs.iter().filter_map(|(to, from)| {
            let value = cast.get(from).filter(|value| value.is_table())?;
            Some(format!("{to} {value}"))
        });
        said.extend(handed);
        let told = |fault: Fault| {
            if said.is_empty() {
                return fault;
            }
            let help = fault
                .help
                .clone()
                .unwrap_or_else(|| "limit the step: when = \"FIELD < NUMBER\"".to_owned());
            let problem = format!("after {}: {}", said.join(", "), fault.problem);
            Fault { problem, ..fault }.help(help)
        };
        faults.into_iter().map(told).collect()
    }
}

/// Returns the repeated turns.
fn turns(steps: &[Step<'_>]) -> Result<Vec<Turn>, Vec<Fault>> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut counters = 0..;
    for (to, step) in steps.iter().enumerate() {
        let Some(link) = step.link else { continue };
        let until = !link.until.1.is_empty();
        if step.times.is_none() && !until {
            if link.steps > 1 {
                let fault = Fault::new("steps", "a turn of several steps is not repeated");
                let help = "add times = 3, or until = \"OUTCOME > 0\"";
                return Err(vec![step.within(fault.help(help))]);
            }
            continue;
        }
        let first = turns.last().map_or(0, |turn| turn.to + 1);
        let from = (to + 1).checked_sub(link.steps).filter(|from| *from >= first);
        let Some(from) = from else {
            let most = to + 1 - first;
            let fault = Fault::new("steps", format!("there are {most} steps to be repeated here"));
            return Err(vec![step.within(fault.help("the contest itself is the first step"))]);
        };
        let counter = if step.times.is_none() { counters.next() } else { None };
        turns.push(Turn { from, to, times: step.times, counter, left: false });
    }
    Ok(turns)
}

fn contest(
    system: &System,
    action: &Action,
    table: &Table,
    leaves: bool,
) -> Result<Contest, Vec<Fault>> {
    let form = Form::fill(&action.fields, table).map_err(|faults| system.hinted(action, faults))?;
    if leaves { action.contest_leaving(&form) } else { action.contest(&form) }
}

fn too_many(what: &str, most: usize) -> Fault {
    let problem = format!("it branches into more than {most} {what}");
    Fault::new("", problem)
        .help("fewer turns, smaller units, or fewer steps that hand on what is left")
}

/// Returns the slot that records that a step has set its carried fields.
fn taken_once(step: usize) -> String {
    format!("taken: {step}")
}

/// Returns the slot that records that a field is gone.
fn is_gone(slot: &str) -> String {
    format!("gone: {slot}")
}

/// Returns the slot that records that a field is several tables, not distinguished.
fn is_apart(slot: &str) -> String {
    format!("apart: {slot}")
}

/// Returns whether a name means the field of a step, alone or behind the key of the step.
fn is(key: &str, field: &str, name: &str) -> bool {
    let behind = name.strip_suffix(field).and_then(|before| before.strip_suffix('_'));
    field == name || !key.is_empty() && behind == Some(key)
}
