//! Successors of endings: the known values, the next step, and the checks of both.

use std::collections::HashSet;

use toml::{Table, Value as Toml};

use super::chain_step::{
    name_means_step_field, removed_field_slot, step_has_carried_slot, too_many_branches_fault,
    undistinguished_tables_slot,
};
use super::{
    ChainBuilder, ContestStartInChain, MAX_CHAIN_CONTESTS, RepeatedSteps, ValuesKnownAtStepStart,
};
use crate::follow_up::carried_fields::{apply_field_changes, carried_slot_name};
use crate::search::MeasureBoundCondition;
use enfilade_engine::graph::EndingWithChanges;
use enfilade_model::catalogue::RulebookAction;
use enfilade_model::combat::{ChainEndingSuccessor, FieldChange, OutcomeRow};
use enfilade_model::form::{Fault, name_matching};

impl ChainBuilder<'_> {
    /// Returns the known values after an ending of a contest.
    pub(super) fn known_after_ending(
        &mut self,
        start: &ContestStartInChain,
        combat: usize,
        fields: &OutcomeRow,
        left: &[FieldChange],
    ) -> Result<ValuesKnownAtStepStart, Vec<Fault>> {
        let mut known_values = start.known_values.clone();
        let step = &self.steps[start.step];
        let Some(heads) = &self.heads[start.step] else { return Ok(known_values) };
        let repeated = self.repeated_turn_of_step(start.step).is_some();
        for (place, name) in self.names.iter().enumerate() {
            let each = &mut known_values.each[place * self.steps.len() + start.step];
            let turns = step.link.is_some_and(|link| *name == format!("{}_turns", link.key));
            let field = heads
                .fields
                .iter()
                .position(|field| name_means_step_field(step.key_in_file(), &field.name, name));
            let Some(field) = field else {
                if turns {
                    known_values.latest[place] = start.turn as i32;
                }
                continue;
            };
            *each = match repeated && heads.fields[field].adds {
                true => each.saturating_add(fields[field]),
                false => fields[field],
            };
            known_values.latest[place] = *each;
        }
        if self.any_step_carries_fields() {
            known_values.cast = self.store_fields_after_changes(start, combat, left);
        }
        Ok(known_values)
    }

    /// Checks that a step which always follows does not begin in more ways than the limit: before
    /// any of these is built.
    pub(super) fn check_branch_limit(
        &self,
        at: usize,
        ends: &[EndingWithChanges],
    ) -> Result<(), Vec<Fault>> {
        let Some(next) = self.steps.get(at + 1) else { return Ok(()) };
        if ends.len() <= MAX_CHAIN_CONTESTS || next.link.is_none_or(|link| !link.when.is_empty()) {
            return Ok(());
        }
        let handed = |later: &&FieldChange| {
            let first = later.changed_field_path().split('.').next().unwrap_or_default();
            next.pairs.iter().any(|(_, from)| from == first)
        };
        let ways: HashSet<Vec<&FieldChange>> = ends
            .iter()
            .map(|(_, left)| left.iter().filter(handed).collect())
            .filter(|left: &Vec<&FieldChange>| {
                !left.iter().any(|later| later.removes_whole_field())
            })
            .collect();
        match ways.len() > MAX_CHAIN_CONTESTS {
            true => {
                Err(vec![next.prefix_fault_with_step(too_many_branches_fault(
                    "contests",
                    MAX_CHAIN_CONTESTS,
                ))])
            }
            false => Ok(()),
        }
    }

    /// Returns the index of the stored fields after a contest has left these changes.
    fn store_fields_after_changes(
        &mut self,
        start: &ContestStartInChain,
        combat: usize,
        left: &[FieldChange],
    ) -> usize {
        let step = &self.steps[start.step];
        let all: Vec<&RulebookAction> = self.steps.iter().map(|step| step.action).collect();
        let mut whole = self.contests[combat].whole.clone();
        let missing = apply_field_changes(step.action, &all, &mut whole, left);
        let mut cast = self.casts[start.known_values.cast].clone();
        for field in step.action.fields.iter() {
            cast.remove(&carried_slot_name(field, &all));
        }
        for (key, value) in whole {
            let field = step.action.fields.get(&key);
            cast.insert(
                field.map_or_else(|| key.clone(), |field| carried_slot_name(field, &all)),
                value,
            );
        }
        let marked = |name: String| (name, Toml::Boolean(true));
        cast.extend(missing.gone.iter().map(|name| marked(removed_field_slot(name))));
        cast.extend(missing.apart.iter().map(|name| marked(undistinguished_tables_slot(name))));
        if self.repeated_turn_of_step(start.step).is_some() {
            cast.insert(step_has_carried_slot(start.step), Toml::Boolean(true));
        }
        self.find_or_add_carried_values(cast)
    }

    /// Returns the index of these carried values, and adds them if they are new.
    pub(super) fn find_or_add_carried_values(&mut self, cast: Table) -> usize {
        self.casts.insert_full(cast.to_string(), cast).0
    }

    /// Returns the successor of a step.
    pub(super) fn next_contest_from_step(
        &mut self,
        step: usize,
        turn: u32,
        known_values: ValuesKnownAtStepStart,
    ) -> Result<ChainEndingSuccessor, Vec<Fault>> {
        let (mut at, mut turn, mut acted) = (step, turn, true);
        let mut way = ChainEndingSuccessor::default();
        loop {
            let again = match self.turns.iter().position(|turn| turn.to == at) {
                Some(closed) => {
                    way.tallies = way.tallies.or(self.turns[closed].counter.filter(|_| acted));
                    acted && self.repeat_turn_or_mark_left(closed, turn, &known_values)
                }
                None => false,
            };
            if again && let Some(of) = self.repeated_turn_of_step(at) {
                let RepeatedSteps { from, times, .. } = self.turns[of];
                (at, turn, acted) = (from, turn + u32::from(times.is_some()), false);
            } else {
                at += 1;
                let entered = self.turns.iter().find(|turn| turn.from == at);
                if entered.is_some() || self.repeated_turn_of_step(at).is_none() {
                    turn = entered.map_or(0, |entered| entered.times.is_some().into());
                    acted = false;
                }
            }
            if at == self.steps.len() {
                return Ok(way);
            }
            if self.is_step_taken(at, &known_values) {
                way.to = Some(self.insert_chain_situation(ContestStartInChain {
                    step: at,
                    turn,
                    known_values,
                })?);
                return Ok(way);
            }
        }
    }

    /// Returns whether a finished turn is repeated.
    fn repeat_turn_or_mark_left(
        &mut self,
        closed: usize,
        turn: u32,
        known_values: &ValuesKnownAtStepStart,
    ) -> bool {
        let until = self.steps[self.turns[closed].to].link.map_or(&[][..], |link| &link.until.1);
        let over = !until.is_empty() && self.is_every_condition_met(until, known_values);
        let closed = &mut self.turns[closed];
        closed.is_left |= over;
        !over && closed.times.is_none_or(|times| turn < times)
    }

    fn is_every_condition_met(
        &self,
        conditions: &[MeasureBoundCondition],
        known_values: &ValuesKnownAtStepStart,
    ) -> bool {
        conditions.iter().all(|condition| {
            let place = self.names.get_index_of(&condition.measure).unwrap_or_default();
            condition.is_met_by_exact_value(known_values.latest[place].into())
        })
    }

    /// Returns whether a step is taken: its conditions hold, and none of its carried fields is
    /// gone.
    fn is_step_taken(&self, at: usize, known_values: &ValuesKnownAtStepStart) -> bool {
        let step = &self.steps[at];
        let cast = &self.casts[known_values.cast];
        let is_removed =
            step.pairs.iter().any(|(_, from)| cast.contains_key(&removed_field_slot(from)));
        !is_removed
            && step.link.is_none_or(|link| self.is_every_condition_met(&link.when, known_values))
    }

    /// Checks conditions on all situations, once they are explored.
    pub(super) fn check_situation_conditions(&self) -> Result<(), Vec<Fault>> {
        let mut faults = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let Some(link) = step.link else { continue };
            for (key, conditions) in [("when", &link.when), ("until", &link.until.1)] {
                let end = if key == "until" { at + 1 } else { at };
                let unknown = conditions.iter().filter_map(|condition| {
                    self.check_name_reported(end, &condition.measure).err()
                });
                faults.extend(
                    unknown.map(|fault| {
                        step.prefix_fault_with_step(Fault { path: key.into(), ..fault })
                    }),
                );
            }
            if self.heads[at].is_none() && faults.is_empty() {
                faults
                    .push(step.prefix_fault_with_step(Fault::new("when", "it never takes place")));
            }
        }
        for turn in &self.turns {
            let step = &self.steps[turn.to];
            if turn.times.is_none() && !turn.is_left && faults.is_empty() {
                let fault = Fault::new("until", "it never holds, so the turn would never end");
                let help = "add `times`, the largest number of turns";
                faults.push(step.prefix_fault_with_step(fault.with_help(help)));
            }
        }
        if faults.is_empty() {
            self.check_turns_roll_dice().map_err(|fault| vec![fault])
        } else {
            Err(faults)
        }
    }

    /// Checks that no turn returns to its beginning without a die, and that turns are tallied after
    /// one.
    fn check_turns_roll_dice(&self) -> Result<(), Fault> {
        for begins in 0..self.situations.len() {
            let (mut at, mut steps) = (begins, 0);
            while self.contests[self.situations[at].combat].at_once {
                let situation = &self.situations[at];
                let step = &self.steps[situation.step];
                let Some(way) = situation.successors.values().next() else { break };
                if begins == 0 && way.tallies.is_some() || steps > self.situations.len() {
                    let problem = "a turn is over before a die is rolled";
                    return Err(step.prefix_fault_with_step(Fault::new("action", problem)));
                }
                let Some(next) = way.to else { break };
                (at, steps) = (next, steps + 1);
            }
        }
        Ok(())
    }

    /// Returns the progress of a step in a turn, and whether it may be reached again with the same
    /// progress.
    pub(super) fn step_rank_and_can_recur(&self, step: usize, turn: u32) -> (u32, bool) {
        let mut rank = 0;
        let mut at = 0;
        while at < step {
            let Some(place) = self.repeated_turn_of_step(at) else {
                (at, rank) = (at + 1, rank + 1);
                continue;
            };
            let RepeatedSteps { from, to, times, .. } = self.turns[place];
            let length = (to + 1 - from) as u32;
            if step > to {
                (at, rank) = (to + 1, rank + times.map_or(1, |times| times * length));
                continue;
            }
            return match times {
                Some(_) => (rank + (turn - 1) * length + (step - from) as u32, false),
                None => (rank, true),
            };
        }
        match self.repeated_turn_of_step(step).map(|place| &self.turns[place]) {
            Some(RepeatedSteps { times: None, .. }) => (rank, true),
            Some(RepeatedSteps { from, to, .. }) => {
                (rank + (turn - 1) * (to + 1 - from) as u32, false)
            }
            None => (rank, false),
        }
    }

    /// Returns the number reported last under a name, before a contest begins.
    pub(super) fn number_last_reported(
        &self,
        start: &ContestStartInChain,
        name: &str,
    ) -> Result<i64, Fault> {
        self.check_name_reported(start.step, name)?;
        let place = self.names.get_index_of(name).unwrap_or_default();
        Ok(start.known_values.latest[place].into())
    }

    /// Checks that a step before reports a name, as far as that is known.
    fn check_name_reported(&self, step: usize, name: &str) -> Result<(), Fault> {
        let mut reported_names = Vec::new();
        let counts = |turn: &RepeatedSteps| {
            turn.counter.is_none() && name == format!("{}_turns", self.steps[turn.to].key_in_file())
        };
        if self.turns.iter().any(counts) {
            return Ok(());
        }
        for before in self.all_steps_possibly_before(step) {
            let Some(heads) = &self.heads[before] else { return Ok(()) };
            if heads.fields.iter().any(|field| {
                name_means_step_field(self.steps[before].key_in_file(), &field.name, name)
            }) {
                return Ok(());
            }
            let key = self.steps[before].key_in_file();
            let whole = |field: &str| {
                if key.is_empty() { field.to_owned() } else { format!("{key}_{field}") }
            };
            reported_names.extend(heads.fields.iter().map(|field| whole(&field.name)));
        }
        let fault = Fault::new("when", format!("nothing before it reports `{name}`"));
        let names = || reported_names.iter().map(String::as_str);
        Err(fault.with_help(match name_matching::find_nearest_name(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there is {}", reported_names.join(", ")),
        }))
    }
}
