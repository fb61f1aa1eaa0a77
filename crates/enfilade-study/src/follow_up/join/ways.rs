//! Successors of endings: the known values, the next step, and the checks of both.

use std::collections::HashSet;

use toml::{Table, Value as Toml};

use super::{Begun, CONTESTS, Joining, Known, Turn, is, is_apart, is_gone, taken_once, too_many};
use crate::follow_up::carry::{leave, slot};
use crate::search::Condition;
use enfilade_engine::graph::Ended;
use enfilade_model::catalogue::Action;
use enfilade_model::combat::{Later, Row, Way};
use enfilade_model::form::{Fault, name_matching};

impl Joining<'_> {
    /// Returns the known values after an ending of a contest.
    pub(super) fn known_after(
        &mut self,
        begun: &Begun,
        combat: usize,
        fields: &Row,
        left: &[Later],
    ) -> Result<Known, Vec<Fault>> {
        let mut known = begun.known.clone();
        let step = &self.steps[begun.step];
        let Some(heads) = &self.heads[begun.step] else { return Ok(known) };
        let repeated = self.turn_of(begun.step).is_some();
        for (place, name) in self.names.iter().enumerate() {
            let each = &mut known.each[place * self.steps.len() + begun.step];
            let turns = step.link.is_some_and(|link| *name == format!("{}_turns", link.key));
            let field = heads.fields.iter().position(|field| is(step.key(), &field.name, name));
            let Some(field) = field else {
                if turns {
                    known.latest[place] = begun.turn as i32;
                }
                continue;
            };
            *each = match repeated && heads.fields[field].adds {
                true => each.saturating_add(fields[field]),
                false => fields[field],
            };
            known.latest[place] = *each;
        }
        if self.carries() {
            known.cast = self.left(begun, combat, left);
        }
        Ok(known)
    }

    /// Checks that a step which always follows does not begin in more ways than the limit: before
    /// any of these is built.
    pub(super) fn branches(&self, at: usize, ended: &[Ended]) -> Result<(), Vec<Fault>> {
        let Some(next) = self.steps.get(at + 1) else { return Ok(()) };
        if ended.len() <= CONTESTS || next.link.is_none_or(|link| !link.when.is_empty()) {
            return Ok(());
        }
        let handed = |later: &&Later| {
            let first = later.path().split('.').next().unwrap_or_default();
            next.pairs.iter().any(|(_, from)| from == first)
        };
        let ways: HashSet<Vec<&Later>> = ended
            .iter()
            .map(|(_, left)| left.iter().filter(handed).collect())
            .filter(|left: &Vec<&Later>| !left.iter().any(|later| later.is_nothing()))
            .collect();
        match ways.len() > CONTESTS {
            true => Err(vec![next.within(too_many("contests", CONTESTS))]),
            false => Ok(()),
        }
    }

    /// Returns the index of the stored fields after a contest has left these changes.
    fn left(&mut self, begun: &Begun, combat: usize, left: &[Later]) -> usize {
        let step = &self.steps[begun.step];
        let all: Vec<&Action> = self.steps.iter().map(|step| step.action).collect();
        let mut whole = self.made[combat].whole.clone();
        let missing = leave(step.action, &all, &mut whole, left);
        let mut cast = self.casts[begun.known.cast].clone();
        for field in step.action.fields.iter() {
            cast.remove(&slot(field, &all));
        }
        for (key, value) in whole {
            let field = step.action.fields.get(&key);
            cast.insert(field.map_or_else(|| key.clone(), |field| slot(field, &all)), value);
        }
        let marked = |name: String| (name, Toml::Boolean(true));
        cast.extend(missing.gone.iter().map(|name| marked(is_gone(name))));
        cast.extend(missing.apart.iter().map(|name| marked(is_apart(name))));
        if self.turn_of(begun.step).is_some() {
            cast.insert(taken_once(begun.step), Toml::Boolean(true));
        }
        self.cast(cast)
    }

    /// Returns the index of these carried values, and adds them if they are new.
    pub(super) fn cast(&mut self, cast: Table) -> usize {
        self.casts.insert_full(cast.to_string(), cast).0
    }

    /// Returns the successor of a step.
    pub(super) fn way(&mut self, step: usize, turn: u32, known: Known) -> Result<Way, Vec<Fault>> {
        let (mut at, mut turn, mut acted) = (step, turn, true);
        let mut way = Way::default();
        loop {
            let again = match self.turns.iter().position(|turn| turn.to == at) {
                Some(closed) => {
                    way.tallies = way.tallies.or(self.turns[closed].counter.filter(|_| acted));
                    acted && self.is_repeated(closed, turn, &known)
                }
                None => false,
            };
            if again && let Some(of) = self.turn_of(at) {
                let Turn { from, times, .. } = self.turns[of];
                (at, turn, acted) = (from, turn + u32::from(times.is_some()), false);
            } else {
                at += 1;
                let entered = self.turns.iter().find(|turn| turn.from == at);
                if entered.is_some() || self.turn_of(at).is_none() {
                    turn = entered.map_or(0, |entered| entered.times.is_some().into());
                    acted = false;
                }
            }
            if at == self.steps.len() {
                return Ok(way);
            }
            if self.takes_place(at, &known) {
                way.to = Some(self.begin(Begun { step: at, turn, known })?);
                return Ok(way);
            }
        }
    }

    /// Returns whether a finished turn is repeated.
    fn is_repeated(&mut self, closed: usize, turn: u32, known: &Known) -> bool {
        let until = self.steps[self.turns[closed].to].link.map_or(&[][..], |link| &link.until.1);
        let over = !until.is_empty() && self.hold(until, known);
        let closed = &mut self.turns[closed];
        closed.left |= over;
        !over && closed.times.is_none_or(|times| turn < times)
    }

    fn hold(&self, conditions: &[Condition], known: &Known) -> bool {
        conditions.iter().all(|condition| {
            let place = self.names.get_index_of(&condition.measure).unwrap_or_default();
            condition.holds(known.latest[place].into())
        })
    }

    /// Returns whether a step is taken: its conditions hold, and none of its carried fields is
    /// gone.
    fn takes_place(&self, at: usize, known: &Known) -> bool {
        let step = &self.steps[at];
        let cast = &self.casts[known.cast];
        let gone = step.pairs.iter().any(|(_, from)| cast.contains_key(&is_gone(from)));
        !gone && step.link.is_none_or(|link| self.hold(&link.when, known))
    }

    /// Checks conditions on all situations, once they are explored.
    pub(super) fn checked(&self) -> Result<(), Vec<Fault>> {
        let mut faults = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let Some(link) = step.link else { continue };
            for (key, conditions) in [("when", &link.when), ("until", &link.until.1)] {
                let end = if key == "until" { at + 1 } else { at };
                let unknown = conditions
                    .iter()
                    .filter_map(|condition| self.is_reported(end, &condition.measure).err());
                faults
                    .extend(unknown.map(|fault| step.within(Fault { path: key.into(), ..fault })));
            }
            if self.heads[at].is_none() && faults.is_empty() {
                faults.push(step.within(Fault::new("when", "it never takes place")));
            }
        }
        for turn in &self.turns {
            let step = &self.steps[turn.to];
            if turn.times.is_none() && !turn.left && faults.is_empty() {
                let fault = Fault::new("until", "it never holds, so the turn would never end");
                let help = "add `times`, the largest number of turns";
                faults.push(step.within(fault.help(help)));
            }
        }
        if faults.is_empty() { self.rolls().map_err(|fault| vec![fault]) } else { Err(faults) }
    }

    /// Checks that no turn returns to its beginning without a die, and that turns are tallied after
    /// one.
    fn rolls(&self) -> Result<(), Fault> {
        for begins in 0..self.situations.len() {
            let (mut at, mut steps) = (begins, 0);
            while self.made[self.situations[at].combat].at_once {
                let situation = &self.situations[at];
                let step = &self.steps[situation.step];
                let Some(way) = situation.ways.values().next() else { break };
                if begins == 0 && way.tallies.is_some() || steps > self.situations.len() {
                    let problem = "a turn is over before a die is rolled";
                    return Err(step.within(Fault::new("action", problem)));
                }
                let Some(next) = way.to else { break };
                (at, steps) = (next, steps + 1);
            }
        }
        Ok(())
    }

    /// Returns the progress of a step in a turn, and whether it may be reached again with the same
    /// progress.
    pub(super) fn rank(&self, step: usize, turn: u32) -> (u32, bool) {
        let mut rank = 0;
        let mut at = 0;
        while at < step {
            let Some(place) = self.turn_of(at) else {
                (at, rank) = (at + 1, rank + 1);
                continue;
            };
            let Turn { from, to, times, .. } = self.turns[place];
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
        match self.turn_of(step).map(|place| &self.turns[place]) {
            Some(Turn { times: None, .. }) => (rank, true),
            Some(Turn { from, to, .. }) => (rank + (turn - 1) * (to + 1 - from) as u32, false),
            None => (rank, false),
        }
    }

    /// Returns the number reported last under a name, before a contest begins.
    pub(super) fn number(&self, begun: &Begun, name: &str) -> Result<i64, Fault> {
        self.is_reported(begun.step, name)?;
        let place = self.names.get_index_of(name).unwrap_or_default();
        Ok(begun.known.latest[place].into())
    }

    /// Checks that a step before reports a name, as far as that is known.
    fn is_reported(&self, step: usize, name: &str) -> Result<(), Fault> {
        let mut known = Vec::new();
        let counts = |turn: &Turn| {
            turn.counter.is_none() && name == format!("{}_turns", self.steps[turn.to].key())
        };
        if self.turns.iter().any(counts) {
            return Ok(());
        }
        for before in self.before(step) {
            let Some(heads) = &self.heads[before] else { return Ok(()) };
            if heads.fields.iter().any(|field| is(self.steps[before].key(), &field.name, name)) {
                return Ok(());
            }
            let key = self.steps[before].key();
            let whole = |field: &str| {
                if key.is_empty() { field.to_owned() } else { format!("{key}_{field}") }
            };
            known.extend(heads.fields.iter().map(|field| whole(&field.name)));
        }
        let fault = Fault::new("when", format!("nothing before it reports `{name}`"));
        let names = || known.iter().map(String::as_str);
        Err(fault.help(match name_matching::nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there is {}", known.join(", ")),
        }))
    }
}
