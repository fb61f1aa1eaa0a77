//! Chained contest: every situation in which an action begins, and the successors of its endings.

mod chain_step;
mod find_successors;

use std::collections::VecDeque;

use indexmap::{IndexMap, IndexSet};
use toml::{Table, Value as Toml};

use self::chain_step::{
    ChainStep, step_has_carried_slot, too_many_branches_fault, undistinguished_tables_slot,
};
use super::carried_fields::{
    CarriedFieldSpec, drop_unknown_properties, merge_over_carried_tables,
    too_many_tables_carried_fault,
};
use super::step_columns::{ColumnsOfStep, TurnCountReportKind, join_step_columns};
use super::then_entry::{FollowUp, InheritedValueFormula, format_field_path, insert_at_path};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::graph::{CompiledContestLimits, EndingWithChanges, list_possible_endings};
use enfilade_model::catalogue::{Contest, RulebookAction, System};
use enfilade_model::combat::{
    AnyCombat, ChainCombatsAndLayout, ChainEndingSuccessor, ChainedCombatStart, ResultColumns,
};
use enfilade_model::form::{Fault, Form, Words};

/// Largest numbers of contests in a chain, and of situations in which they begin.
const MAX_CHAIN_CONTESTS: usize = 1 << 12;
const MAX_CHAIN_STARTS: usize = 1 << 16;
/// Largest number of states of a contest with a follow-up: reading a file must take seconds.
const MAX_CONTEST_STATES: usize = 1 << 18;
/// Largest number of endings of all contests together.
const MAX_CHAIN_ENDINGS: usize = 1 << 20;

/// Builds the contest that a form of the chain describes.
pub(super) fn build_chain_contest(
    system: &System,
    first: &RulebookAction,
    links: &[FollowUp],
    form: &Form,
) -> Result<Contest, Vec<Fault>> {
    let Toml::Table(mut table) = Toml::from(form) else {
        return Err(Vec::new());
    };
    let mut steps = vec![ChainStep::new(first, None, Table::new())];
    for link in links {
        // The texts distinguish contests by their fields; the action has no such field.
        let said_table = match table.remove(&link.key) {
            Some(Toml::Table(said_table)) => link.without_follow_up_texts(said_table),
            _ => Table::new(),
        };
        steps.push(ChainStep::new(&link.action, Some(link), said_table));
    }
    steps[0].fields = table;
    ChainBuilder::from_steps(system, steps)?.explore_into_chain_contest()
}

/// Steps that are repeated together.
struct RepeatedSteps {
    from: usize,
    to: usize,
    /// Largest number of turns; `None` to repeat until a condition holds.
    times: Option<u32>,
    /// Counter of the turns, if they are not part of the state.
    counter: Option<u8>,
    /// Whether the turn has been left because its condition held.
    is_left: bool,
}

/// Known values where a contest begins: carried fields, and numbers of conditions and fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ValuesKnownAtStepStart {
    /// Index among the [casts](ChainBuilder::casts).
    cast: usize,
    /// Number reported last, by used name.
    latest: Vec<i32>,
    /// Number reported by each step, by used name and step.
    each: Vec<i32>,
}

/// Beginning of a contest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ContestStartInChain {
    step: usize,
    turn: u32,
    known_values: ValuesKnownAtStepStart,
}

/// Contest of a step, once built.
struct BuiltStepContest {
    combat: AnyCombat,
    ends: Option<Vec<EndingWithChanges>>,
    /// Carried and given values of its fields.
    whole: Table,
    /// Whether the contest is over before a die is rolled.
    at_once: bool,
}

/// Chain in the course of building.
struct ChainBuilder<'a> {
    system: &'a System,
    steps: Vec<ChainStep<'a>>,
    turns: Vec<RepeatedSteps>,
    /// Names of outcomes that conditions and fields use.
    names: IndexSet<String>,
    /// Distinct values of the carried fields, by slot.
    casts: IndexMap<String, Table>,
    /// Contests by step and contents of the table.
    contests: IndexMap<(usize, String), BuiltStepContest>,
    heads: Vec<Option<ResultColumns>>,
    starts: IndexSet<ContestStartInChain>,
    situations: Vec<ChainedCombatStart>,
    notes: IndexSet<String>,
    /// Size fields of the first contest.
    grows_with: Words,
    endings: usize,
}

/// Checks that a contest can be part of a chain: it has no decisions and no tallies. The best
/// decision for a part is not the best for the whole, and counters of two rules have the same
/// numbers.
fn check_no_decisions_or_tallies(combat: &AnyCombat) -> Result<(), Vec<Fault>> {
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
            turns: find_repeated_turns(&steps)?,
            names: IndexSet::new(),
            casts: IndexMap::new(),
            contests: IndexMap::new(),
            heads: vec![None; steps.len()],
            starts: IndexSet::new(),
            situations: Vec::new(),
            notes: IndexSet::new(),
            grows_with: Words::NO_WORDS,
            endings: 0,
            steps,
        };
        let all: Vec<&RulebookAction> = joining.steps.iter().map(|step| step.action).collect();
        for at in 0..all.len() {
            let before: Vec<&RulebookAction> =
                joining.all_steps_possibly_before(at).map(|before| all[before]).collect();
            let carry = match joining.steps[at].link {
                Some(link) => &link.carry,
                // The first step of a repeated turn starts from all fields that were left.
                None if joining.repeated_turn_of_step(at).is_some() => &CarriedFieldSpec::All,
                None => &CarriedFieldSpec::Nothing,
            };
            let pairs = carry.resolve_carried_pairs(all[at], &before, &all);
            joining.steps[at].pairs =
                pairs.map_err(|faults| joining.steps[at].prefix_faults_with_step(faults))?;
        }
        let links: Vec<&FollowUp> = joining.steps.iter().filter_map(|step| step.link).collect();
        for link in links {
            let conditions = link.when.iter().chain(&link.until.1);
            let names = conditions.map(|condition| condition.measure.clone());
            joining
                .names
                .extend(names.chain(link.inherited.iter().map(|inherited| inherited.of.clone())));
        }
        Ok(joining)
    }

    /// Returns the repeated turn of a step, if it has one.
    fn repeated_turn_of_step(&self, step: usize) -> Option<usize> {
        self.turns.iter().position(|turn| (turn.from..=turn.to).contains(&step))
    }

    /// Returns the steps that may have come before a step: all above it, and all of its turn.
    fn all_steps_possibly_before(&self, step: usize) -> impl Iterator<Item = usize> + use<> {
        let end = self.repeated_turn_of_step(step).map_or(step, |turn| self.turns[turn].to + 1);
        0..end
    }

    /// Returns whether any step may follow.
    fn has_later_steps(&self, step: usize) -> bool {
        step + 1 < self.steps.len() || self.repeated_turn_of_step(step).is_some()
    }

    /// Returns whether any step carries fields.
    fn any_step_carries_fields(&self) -> bool {
        self.steps.iter().any(|step| !step.pairs.is_empty())
    }

    /// Explores all situations, from the first on.
    fn explore_into_chain_contest(mut self) -> Result<Contest, Vec<Fault>> {
        let cast = self.find_or_add_carried_values(Table::new());
        let known_values = ValuesKnownAtStepStart {
            cast,
            latest: vec![0; self.names.len()],
            each: vec![0; self.names.len() * self.steps.len()],
        };
        let turn = u32::from(
            self.repeated_turn_of_step(0).is_some_and(|turn| self.turns[turn].times.is_some()),
        );
        let mut open = VecDeque::from([self.insert_chain_situation(ContestStartInChain {
            step: 0,
            turn,
            known_values,
        })?]);
        while let Some(at) = open.pop_front() {
            let known = self.situations.len();
            self.explore_next_situations(at)?;
            open.extend(known..self.situations.len());
        }
        self.check_situation_conditions()?;
        self.into_chain_contest()
    }

    /// Returns the index of the situation in which a contest begins, and adds it if it is new.
    fn insert_chain_situation(&mut self, start: ContestStartInChain) -> Result<usize, Vec<Fault>> {
        if let Some(known) = self.starts.get_index_of(&start) {
            return Ok(known);
        }
        let step = start.step;
        let combat = self
            .insert_chain_contest(&start)
            .map_err(|faults| self.steps[step].prefix_faults_with_step(faults))?;
        let (rank, returns) = self.step_rank_and_can_recur(step, start.turn);
        let turn = start.turn as i32;
        let successors = Default::default();
        self.situations.push(ChainedCombatStart { combat, step, turn, rank, returns, successors });
        self.starts.insert(start);
        match self.situations.len() > MAX_CHAIN_STARTS {
            true => {
                Err(vec![self.steps[step].prefix_fault_with_step(too_many_branches_fault(
                    "situations",
                    MAX_CHAIN_STARTS,
                ))])
            }
            false => Ok(self.situations.len() - 1),
        }
    }

    /// Returns the index of the contest that begins there, and builds it if it is new.
    fn insert_chain_contest(&mut self, start: &ContestStartInChain) -> Result<usize, Vec<Fault>> {
        let step = &self.steps[start.step];
        let (table, whole) = self.build_contest_tables(step, start)?;
        let key = (start.step, whole.to_string() + "\n" + &table.to_string());
        if let Some(contest_index) = self.contests.get_index_of(&key) {
            return Ok(contest_index);
        }
        let leaves = self.any_step_carries_fields() && self.has_later_steps(start.step);
        let step_contest = build_step_contest(self.system, step.action, &table, leaves)
            .map_err(|faults| self.prefix_faults_with_ending(step, start, faults))?;
        check_no_decisions_or_tallies(&step_contest.combat)?;
        let heads = self.heads[start.step]
            .get_or_insert_with(|| step_contest.combat.result_columns().clone());
        // Numbers of one column must have the same meaning in every contest, and the same factors.
        if heads != step_contest.combat.result_columns() {
            let problem = "a follow-up must report the same columns after every ending";
            return Err(vec![Fault::new("action", problem)]);
        }
        self.notes.extend(step_contest.notes);
        if self.contests.is_empty() {
            self.grows_with = step_contest.grows_with;
        }
        let mut states = step_contest.combat.new_state_numbering();
        let first = states.initial_state();
        let at_once = states.ending_of_state(first).is_some();
        drop(states);
        let step_contest =
            BuiltStepContest { combat: step_contest.combat, ends: None, whole, at_once };
        let number = self.contests.insert_full(key, step_contest).0;
        match self.contests.len() > MAX_CHAIN_CONTESTS {
            true => Err(vec![too_many_branches_fault("contests", MAX_CHAIN_CONTESTS)]),
            false => Ok(number),
        }
    }

    /// Builds the table of a contest, and the table with all stored fields of its units.
    fn build_contest_tables(
        &self,
        step: &ChainStep<'_>,
        start: &ContestStartInChain,
    ) -> Result<(Table, Table), Vec<Fault>> {
        let cast = &self.casts[start.known_values.cast];
        if let Some((_, from)) = step
            .pairs
            .iter()
            .find(|(_, from)| cast.contains_key(&undistinguished_tables_slot(from)))
        {
            let problem = format!("the remainder of `{from}` does not fit into its fields");
            let help = "hand on one unit, not several; or name the fields: carry = [\"FIELD\"]";
            return Err(vec![Fault::new("carry", problem).with_help(help)]);
        }
        let handed = step.pairs.iter().filter_map(|(to, from)| Some((to, cast.get(from)?)));
        let handed: Table = handed.map(|(to, value)| (to.clone(), value.clone())).collect();
        if let Some(fault) = too_many_tables_carried_fault(&step.action.fields, &handed) {
            return Err(vec![fault]);
        }
        // A step sets its carried fields once: afterwards they have the values that were left.
        let mut whole;
        if cast.contains_key(&step_has_carried_slot(start.step)) {
            whole = step.fields.clone();
            whole.extend(handed);
        } else {
            whole = handed;
            merge_over_carried_tables(&mut whole, &step.fields);
        }
        for inherited in step.link.iter().flat_map(|link| &link.inherited) {
            let number = self.number_last_reported(start, &inherited.of).map_err(|fault| {
                vec![Fault { path: format_field_path(&inherited.path), ..fault }]
            })?;
            let value = match &inherited.value {
                // A value that does not fit is beyond every bound, and refused there.
                InheritedValueFormula::Linear(times, plus) => {
                    Toml::Integer(number.saturating_mul(*times).saturating_add(*plus))
                }
                InheritedValueFormula::Listed(items) => {
                    let item = usize::try_from(number).ok().and_then(|place| items.get(place));
                    item.cloned().ok_or_else(|| {
                        let problem =
                            format!("the list has no entry for {} {number}", inherited.of);
                        let fault = Fault::new(format_field_path(&inherited.path), problem);
                        vec![fault.with_help(
                            "add entries, the first is for 0; or limit the step with `when`",
                        )]
                    })?
                }
            };
            insert_at_path(&step.action.fields, &mut whole, &inherited.path, value);
        }
        let fields = &step.action.fields;
        let table = whole.iter().map(|(key, value)| {
            let value = fields
                .get(key)
                .map_or_else(|| value.clone(), |field| drop_unknown_properties(&field.kind, value));
            (key.clone(), value)
        });
        Ok((table.collect(), whole))
    }

    /// Explores the successors of a situation's endings.
    fn explore_next_situations(&mut self, at: usize) -> Result<(), Vec<Fault>> {
        let Some(start) = self.starts.get_index(at).cloned() else { return Ok(()) };
        if !self.has_later_steps(start.step) {
            return Ok(());
        }
        let combat = self.situations[at].combat;
        let ends = self.list_contest_endings(combat, start.step)?;
        self.check_branch_limit(start.step, &ends)?;
        for (ending, left) in &ends {
            let known_values = self.known_after_ending(&start, combat, &ending.fields, left)?;
            let way = self.next_contest_from_step(start.step, start.turn, known_values)?;
            if way != ChainEndingSuccessor::default() {
                self.situations[at].successors.insert((ending.fields, left.clone()), way);
            }
        }
        self.contests[combat].ends = Some(ends);
        Ok(())
    }

    /// Returns all endings of a contest.
    fn list_contest_endings(
        &mut self,
        combat: usize,
        step: usize,
    ) -> Result<Vec<EndingWithChanges>, Vec<Fault>> {
        if let Some(known) = self.contests[combat].ends.take() {
            return Ok(known);
        }
        let limits = CompiledContestLimits {
            states: MAX_CONTEST_STATES,
            ..CompiledContestLimits::default()
        };
        let possible_results =
            list_possible_endings(&self.contests[combat].combat, &limits, &NEVER_CANCELLED);
        let endings = possible_results.map_err(|error| {
            let next = self.steps.get(step + 1).unwrap_or(&self.steps[step]);
            let problem = format!("the actions before it cannot be solved: {error}");
            let help = "a chain knows every ending of all but its last action";
            vec![next.prefix_fault_with_step(Fault::new("", problem).with_help(help))]
        })?;
        self.endings += endings.len();
        match self.endings > MAX_CHAIN_ENDINGS {
            true => Err(vec![
                self.steps[step]
                    .prefix_fault_with_step(too_many_branches_fault("endings", MAX_CHAIN_ENDINGS)),
            ]),
            false => Ok(endings),
        }
    }

    /// Converts the chain to a contest.
    fn into_chain_contest(self) -> Result<Contest, Vec<Fault>> {
        let mut stepped = Vec::new();
        for (at, (step, heads)) in self.steps.iter().zip(&self.heads).enumerate() {
            let Some(heads) = heads else { continue };
            let closed = self.turns.iter().find(|turn| turn.to == at);
            let turns = closed.map_or(TurnCountReportKind::Untold, |turn| {
                turn.counter.map_or(TurnCountReportKind::Remembered, TurnCountReportKind::Tallied)
            });
            let repeated = self.repeated_turn_of_step(at).is_some();
            stepped.push(ColumnsOfStep { key: step.key_in_file(), heads, repeated, turns });
        }
        let last = self.steps.last().map_or("", |step| step.key_in_file());
        let (heads, columns) = join_step_columns(&stepped).map_err(|faults| {
            faults.into_iter().map(|fault| fault.prefix_path(last)).collect::<Vec<_>>()
        })?;
        let combats = self.contests.into_values().map(|made| made.combat).collect();
        let names = self.steps.iter().map(|step| step.action.name.to_string()).collect();
        let joined = ChainCombatsAndLayout { combats, situations: self.situations, columns, names };
        Ok(Contest {
            combat: AnyCombat::from_chain(joined, heads),
            notes: self.notes.into_iter().collect(),
            grows_with: self.grows_with,
        })
    }

    /// Prefixes the faults of a follow-up with the ending before it.
    fn prefix_faults_with_ending(
        &self,
        step: &ChainStep<'_>,
        start: &ContestStartInChain,
        faults: Vec<Fault>,
    ) -> Vec<Fault> {
        let taken = step.link.iter().flat_map(|link| &link.inherited);
        let mut texts: Vec<String> = Vec::new();
        for of in taken.map(|inherited| &inherited.of) {
            let number = self.names.get_index_of(of).map(|place| start.known_values.latest[place]);
            texts.push(format!("{of} {}", number.unwrap_or_default()));
        }
        let cast = &self.casts[start.known_values.cast];
        let handed = step.pairs.iter().filter_map(|(to, from)| {
            let value = cast.get(from).filter(|value| value.is_table())?;
            Some(format!("{to} {value}"))
        });
        texts.extend(handed);
        let describe = |fault: Fault| {
            if texts.is_empty() {
                return fault;
            }
            let help = fault
                .help
                .clone()
                .unwrap_or_else(|| "limit the step: when = \"FIELD < NUMBER\"".to_owned());
            let problem = format!("after {}: {}", texts.join(", "), fault.problem);
            Fault { problem, ..fault }.with_help(help)
        };
        faults.into_iter().map(describe).collect()
    }
}

/// Returns the repeated turns.
fn find_repeated_turns(steps: &[ChainStep<'_>]) -> Result<Vec<RepeatedSteps>, Vec<Fault>> {
    let mut turns: Vec<RepeatedSteps> = Vec::new();
    let mut counters = 0..;
    for (to, step) in steps.iter().enumerate() {
        let Some(link) = step.link else { continue };
        let until = !link.until.1.is_empty();
        if step.times.is_none() && !until {
            if link.steps > 1 {
                let fault = Fault::new("steps", "a turn of several steps is not repeated");
                let help = "add times = 3, or until = \"OUTCOME > 0\"";
                return Err(vec![step.prefix_fault_with_step(fault.with_help(help))]);
            }
            continue;
        }
        let first = turns.last().map_or(0, |turn| turn.to + 1);
        let from = (to + 1).checked_sub(link.steps).filter(|from| *from >= first);
        let Some(from) = from else {
            let most = to + 1 - first;
            let fault = Fault::new("steps", format!("no more than {most} can be repeated here"));
            return Err(vec![step.prefix_fault_with_step(
                fault.with_help("the contest is the first step; no step is in two turns"),
            )]);
        };
        let counter = if step.times.is_none() { counters.next() } else { None };
        turns.push(RepeatedSteps { from, to, times: step.times, counter, is_left: false });
    }
    Ok(turns)
}

fn build_step_contest(
    system: &System,
    action: &RulebookAction,
    table: &Table,
    leaves: bool,
) -> Result<Contest, Vec<Fault>> {
    let form = Form::from_table_with_defaults(&action.fields, table)
        .map_err(|faults| system.faults_with_hints(action, faults))?;
    if leaves { action.build_reporting_field_changes(&form) } else { action.build_contest(&form) }
}
