//! Chained contest: every situation in which one of the actions begins, and the successors of its
//! endings.

mod chain_step;
mod find_successors;

use std::collections::VecDeque;

use indexmap::{IndexMap, IndexSet};
use toml::{Table, Value as Toml};

use self::chain_step::{ChainStep, inherited_slot, report_too_many, several_slot};
use super::carried_fields::{CarriedFields, check_single_table, fit_value, overlay_tables};
use super::entry::{FollowUp, InheritedValue, format_path, insert_at_path, without_words};
use super::step_columns::{StepHeads, TurnCount, join_columns};
use enfilade_engine::cancel::NEVER;
use enfilade_engine::graph::{CombatEnd, Limits, list_ends};
use enfilade_model::catalogue::{Action, Contest, System};
use enfilade_model::combat::{
    AnyCombat, ChainParts, ChainSituation, ChainSuccessor, ResultColumns,
};
use enfilade_model::form::{Fault, Form, Words};

/// Largest numbers of contests in a chain, and of situations in which they begin.
const MAX_CONTESTS: usize = 1 << 12;
const MAX_SITUATIONS: usize = 1 << 16;
/// Largest number of states of a contest with a follow-up: reading a file must take seconds.
const MAX_STATES: usize = 1 << 18;
/// Largest number of endings of all contests together.
const MAX_ENDINGS: usize = 1 << 20;

/// Builds the contest that a form of the chain describes.
pub(super) fn build_chain(
    system: &System,
    first: &Action,
    links: &[FollowUp],
    form: &Form,
) -> Result<Contest, Vec<Fault>> {
    let Toml::Table(mut table) = Toml::from(form) else {
        return Err(Vec::new());
    };
    let mut steps = vec![ChainStep::new(first, None, Table::new())];
    for link in links {
        // The texts distinguish contests by their fields; the action has no such field.
        let said = match table.remove(&link.key) {
            Some(Toml::Table(said)) => without_words(said),
            _ => Table::new(),
        };
        steps.push(ChainStep::new(&link.action, Some(link), said));
    }
    steps[0].fields = table;
    ChainBuilder::from_steps(system, steps)?.explore()
}

/// Steps that are repeated together.
struct RepeatedTurn {
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
struct KnownSoFar {
    /// Index among the [casts](ChainBuilder::casts).
    cast: usize,
    /// Number reported last, by used name.
    latest: Vec<i32>,
    /// Number reported by each step, by used name and step.
    each: Vec<i32>,
}

/// Beginning of a contest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ContestStart {
    step: usize,
    turn: u32,
    known: KnownSoFar,
}

/// Contest of a step, once built.
struct BuiltContest {
    combat: AnyCombat,
    ended: Option<Vec<CombatEnd>>,
    /// Carried and given values of its fields.
    whole: Table,
    /// Whether the contest is over before a die is rolled.
    at_once: bool,
}

/// Chain in the course of building.
struct ChainBuilder<'a> {
    system: &'a System,
    steps: Vec<ChainStep<'a>>,
    turns: Vec<RepeatedTurn>,
    /// Names of outcomes that conditions and fields use.
    names: IndexSet<String>,
    /// Distinct values of the carried fields, by slot.
    casts: IndexMap<String, Table>,
    /// Contests by step and contents of the table.
    made: IndexMap<(usize, String), BuiltContest>,
    heads: Vec<Option<ResultColumns>>,
    begun: IndexSet<ContestStart>,
    situations: Vec<ChainSituation>,
    notes: IndexSet<String>,
    /// Size fields of the first contest.
    grows_with: Words,
    endings: usize,
}

/// Checks that a contest can be part of a chain: it has no decisions and no tallies. The best
/// decision for a part is not the best for the whole, and counters of two rules have the same
/// numbers.
fn check_chainable(combat: &AnyCombat) -> Result<(), Vec<Fault>> {
    let why = match (combat.decisions().is_empty(), combat.counter_count()) {
        (false, _) => "it has decisions",
        (true, 1..) => "it has tallies",
        (true, 0) => return Ok(()),
    };
    Err(vec![Fault::new("action", format!("this action cannot be part of a chain: {why}"))])
}

impl<'a> ChainBuilder<'a> {
    fn from_steps(
        system: &'a System,
        steps: Vec<ChainStep<'a>>,
    ) -> Result<ChainBuilder<'a>, Vec<Fault>> {
        let mut joining = ChainBuilder {
            system,
            turns: find_turns(&steps)?,
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
            let before: Vec<&Action> =
                joining.earlier_steps(at).map(|before| all[before]).collect();
            let carry = match joining.steps[at].link {
                Some(link) => &link.carry,
                // The first step of a repeated turn starts from all fields that were left.
                None if joining.find_turn(at).is_some() => &CarriedFields::All,
                None => &CarriedFields::Nothing,
            };
            let pairs = carry.resolve_pairs(all[at], &before, &all);
            joining.steps[at].pairs =
                pairs.map_err(|faults| joining.steps[at].prefix_faults(faults))?;
        }
        let links: Vec<&FollowUp> = joining.steps.iter().filter_map(|step| step.link).collect();
        for link in links {
            let conditions = link.when.iter().chain(&link.until.1);
            let asked = conditions.map(|condition| condition.measure.clone());
            joining.names.extend(asked.chain(link.inherited.iter().map(|taken| taken.of.clone())));
        }
        Ok(joining)
    }

    /// Returns the repeated turn of a step, if it has one.
    fn find_turn(&self, step: usize) -> Option<usize> {
        self.turns.iter().position(|turn| (turn.from..=turn.to).contains(&step))
    }

    /// Returns the steps that may have come before a step: all above it, and all of its turn.
    fn earlier_steps(&self, step: usize) -> impl Iterator<Item = usize> + use<> {
        let end = self.find_turn(step).map_or(step, |turn| self.turns[turn].to + 1);
        0..end
    }

    /// Returns whether any step may follow.
    fn has_later_steps(&self, step: usize) -> bool {
        step + 1 < self.steps.len() || self.find_turn(step).is_some()
    }

    /// Returns whether any step carries fields.
    fn has_carried_fields(&self) -> bool {
        self.steps.iter().any(|step| !step.pairs.is_empty())
    }

    /// Explores all situations, from the first on.
    fn explore(mut self) -> Result<Contest, Vec<Fault>> {
        let cast = self.insert_cast(Table::new());
        let known = KnownSoFar {
            cast,
            latest: vec![0; self.names.len()],
            each: vec![0; self.names.len() * self.steps.len()],
        };
        let turn =
            u32::from(self.find_turn(0).is_some_and(|turn| self.turns[turn].times.is_some()));
        let mut open =
            VecDeque::from([self.insert_situation(ContestStart { step: 0, turn, known })?]);
        while let Some(at) = open.pop_front() {
            let known = self.situations.len();
            self.explore_endings(at)?;
            open.extend(known..self.situations.len());
        }
        self.check_situations()?;
        self.into_contest()
    }

    /// Returns the index of the situation in which a contest begins, and adds it if it is new.
    fn insert_situation(&mut self, begun: ContestStart) -> Result<usize, Vec<Fault>> {
        if let Some(known) = self.begun.get_index_of(&begun) {
            return Ok(known);
        }
        let step = begun.step;
        let combat =
            self.insert_contest(&begun).map_err(|faults| self.steps[step].prefix_faults(faults))?;
        let (rank, returns) = self.rank_step(step, begun.turn);
        let turn = begun.turn as i32;
        let ways = Default::default();
        self.situations.push(ChainSituation { combat, step, turn, rank, returns, ways });
        self.begun.insert(begun);
        match self.situations.len() > MAX_SITUATIONS {
            true => Err(vec![
                self.steps[step].prefix_fault(report_too_many("situations", MAX_SITUATIONS)),
            ]),
            false => Ok(self.situations.len() - 1),
        }
    }

    /// Returns the index of the contest that begins there, and builds it if it is new.
    fn insert_contest(&mut self, begun: &ContestStart) -> Result<usize, Vec<Fault>> {
        let step = &self.steps[begun.step];
        let (table, whole) = self.build_tables(step, begun)?;
        let key = (begun.step, whole.to_string() + "\n" + &table.to_string());
        if let Some(known) = self.made.get_index_of(&key) {
            return Ok(known);
        }
        let leaves = self.has_carried_fields() && self.has_later_steps(begun.step);
        let made = build_step_contest(self.system, step.action, &table, leaves)
            .map_err(|faults| self.prefix_with_ending(step, begun, faults))?;
        check_chainable(&made.combat)?;
        let heads =
            self.heads[begun.step].get_or_insert_with(|| made.combat.result_columns().clone());
        // Numbers of one column must have the same meaning in every contest, and the same factors.
        if heads != made.combat.result_columns() {
            let problem = "a follow-up must report the same columns after every ending";
            return Err(vec![Fault::new("action", problem)]);
        }
        self.notes.extend(made.notes);
        if self.made.is_empty() {
            self.grows_with = made.grows_with;
        }
        let mut states = made.combat.start_numbering();
        let first = states.initial_state();
        let at_once = states.ending(first).is_some();
        drop(states);
        let made = BuiltContest { combat: made.combat, ended: None, whole, at_once };
        let number = self.made.insert_full(key, made).0;
        match self.made.len() > MAX_CONTESTS {
            true => Err(vec![report_too_many("contests", MAX_CONTESTS)]),
            false => Ok(number),
        }
    }

    /// Builds the table of a contest, and the table with all stored fields of its units.
    fn build_tables(
        &self,
        step: &ChainStep<'_>,
        begun: &ContestStart,
    ) -> Result<(Table, Table), Vec<Fault>> {
        let cast = &self.casts[begun.known.cast];
        if let Some((_, from)) =
            step.pairs.iter().find(|(_, from)| cast.contains_key(&several_slot(from)))
        {
            let problem = format!("the remainder of `{from}` does not fit into its fields");
            let help = "hand on one unit, not several; or name the fields: carry = [\"FIELD\"]";
            return Err(vec![Fault::new("carry", problem).with_help(help)]);
        }
        let handed = step.pairs.iter().filter_map(|(to, from)| Some((to, cast.get(from)?)));
        let handed: Table = handed.map(|(to, value)| (to.clone(), value.clone())).collect();
        if let Some(fault) = check_single_table(&step.action.fields, &handed) {
            return Err(vec![fault]);
        }
        // A step sets its carried fields once: afterwards they have the values that were left.
        let mut whole;
        if cast.contains_key(&inherited_slot(begun.step)) {
            whole = step.fields.clone();
            whole.extend(handed);
        } else {
            whole = handed;
            overlay_tables(&mut whole, &step.fields);
        }
        for taken in step.link.iter().flat_map(|link| &link.inherited) {
            let number = self
                .read_number(begun, &taken.of)
                .map_err(|fault| vec![Fault { path: format_path(&taken.way), ..fault }])?;
            let value = match &taken.value {
                // A value that does not fit is beyond every bound, and refused there.
                InheritedValue::Linear(times, plus) => {
                    Toml::Integer(number.saturating_mul(*times).saturating_add(*plus))
                }
                InheritedValue::Listed(items) => {
                    let item = usize::try_from(number).ok().and_then(|place| items.get(place));
                    item.cloned().ok_or_else(|| {
                        let problem = format!("the list has no entry for {} {number}", taken.of);
                        let fault = Fault::new(format_path(&taken.way), problem);
                        vec![fault.with_help(
                            "add entries, the first is for 0; or limit the step with `when`",
                        )]
                    })?
                }
            };
            insert_at_path(&step.action.fields, &mut whole, &taken.way, value);
        }
        let fields = &step.action.fields;
        let table = whole.iter().map(|(key, value)| {
            let value = fields
                .get(key)
                .map_or_else(|| value.clone(), |field| fit_value(&field.kind, value));
            (key.clone(), value)
        });
        Ok((table.collect(), whole))
    }

    /// Explores the successors of a situation's endings.
    fn explore_endings(&mut self, at: usize) -> Result<(), Vec<Fault>> {
        let Some(begun) = self.begun.get_index(at).cloned() else { return Ok(()) };
        if !self.has_later_steps(begun.step) {
            return Ok(());
        }
        let combat = self.situations[at].combat;
        let ended = self.list_endings(combat, begun.step)?;
        self.check_branches(begun.step, &ended)?;
        for (ending, left) in &ended {
            let known = self.update_known(&begun, combat, &ending.fields, left)?;
            let way = self.find_successor(begun.step, begun.turn, known)?;
            if way != ChainSuccessor::default() {
                self.situations[at].ways.insert((ending.fields, left.clone()), way);
            }
        }
        self.made[combat].ended = Some(ended);
        Ok(())
    }

    /// Returns all endings of a contest.
    fn list_endings(&mut self, combat: usize, step: usize) -> Result<Vec<CombatEnd>, Vec<Fault>> {
        if let Some(known) = self.made[combat].ended.take() {
            return Ok(known);
        }
        let limits = Limits { states: MAX_STATES, ..Limits::default() };
        let found = list_ends(&self.made[combat].combat, &limits, &NEVER);
        let ended = found.map_err(|error| {
            let next = self.steps.get(step + 1).unwrap_or(&self.steps[step]);
            let problem = format!("the actions before it cannot be solved: {error}");
            let help = "a chain knows every ending of all but its last action";
            vec![next.prefix_fault(Fault::new("", problem).with_help(help))]
        })?;
        self.endings += ended.len();
        match self.endings > MAX_ENDINGS {
            true => {
                Err(vec![self.steps[step].prefix_fault(report_too_many("endings", MAX_ENDINGS))])
            }
            false => Ok(ended),
        }
    }

    /// Converts the chain to a contest.
    fn into_contest(self) -> Result<Contest, Vec<Fault>> {
        let mut stepped = Vec::new();
        for (at, (step, heads)) in self.steps.iter().zip(&self.heads).enumerate() {
            let Some(heads) = heads else { continue };
            let closed = self.turns.iter().find(|turn| turn.to == at);
            let turns = closed.map_or(TurnCount::Untold, |turn| {
                turn.counter.map_or(TurnCount::Remembered, TurnCount::Tallied)
            });
            let repeated = self.find_turn(at).is_some();
            stepped.push(StepHeads { key: step.table_key(), heads, repeated, turns });
        }
        let last = self.steps.last().map_or("", |step| step.table_key());
        let (heads, columns) = join_columns(&stepped).map_err(|faults| {
            faults.into_iter().map(|fault| fault.prefix_path(last)).collect::<Vec<_>>()
        })?;
        let combats = self.made.into_values().map(|made| made.combat).collect();
        let names = self.steps.iter().map(|step| step.action.name.to_string()).collect();
        let joined = ChainParts { combats, situations: self.situations, columns, names };
        Ok(Contest {
            combat: AnyCombat::chain(joined, heads),
            notes: self.notes.into_iter().collect(),
            grows_with: self.grows_with,
        })
    }

    /// Prefixes the faults of a follow-up with the ending before it.
    fn prefix_with_ending(
        &self,
        step: &ChainStep<'_>,
        begun: &ContestStart,
        faults: Vec<Fault>,
    ) -> Vec<Fault> {
        let taken = step.link.iter().flat_map(|link| &link.inherited);
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
            Fault { problem, ..fault }.with_help(help)
        };
        faults.into_iter().map(told).collect()
    }
}

/// Returns the repeated turns.
fn find_turns(steps: &[ChainStep<'_>]) -> Result<Vec<RepeatedTurn>, Vec<Fault>> {
    let mut turns: Vec<RepeatedTurn> = Vec::new();
    let mut counters = 0..;
    for (to, step) in steps.iter().enumerate() {
        let Some(link) = step.link else { continue };
        let until = !link.until.1.is_empty();
        if step.times.is_none() && !until {
            if link.steps > 1 {
                let fault = Fault::new("steps", "a turn of several steps is not repeated");
                let help = "add times = 3, or until = \"OUTCOME > 0\"";
                return Err(vec![step.prefix_fault(fault.with_help(help))]);
            }
            continue;
        }
        let first = turns.last().map_or(0, |turn| turn.to + 1);
        let from = (to + 1).checked_sub(link.steps).filter(|from| *from >= first);
        let Some(from) = from else {
            let most = to + 1 - first;
            let fault = Fault::new("steps", format!("there are {most} steps to be repeated here"));
            return Err(vec![
                step.prefix_fault(fault.with_help("the contest itself is the first step")),
            ]);
        };
        let counter = if step.times.is_none() { counters.next() } else { None };
        turns.push(RepeatedTurn { from, to, times: step.times, counter, left: false });
    }
    Ok(turns)
}

fn build_step_contest(
    system: &System,
    action: &Action,
    table: &Table,
    leaves: bool,
) -> Result<Contest, Vec<Fault>> {
    let form =
        Form::fill(&action.fields, table).map_err(|faults| system.add_hints(action, faults))?;
    if leaves { action.build_contest_with_changes(&form) } else { action.build_contest(&form) }
}
