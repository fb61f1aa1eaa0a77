//! How large a contest without a graph will be, told beforehand by the same contest with less of what
//! makes it large.
//!
//! Its fields are set to their least and raised in turn, as long as that takes no time; the number of
//! states grows from there as a power of each. It is a guess, of which nothing but a question to the
//! user depends.

use toml::{Table, Value as Toml};

use super::experiment::Cell;
use crate::catalogue::Contest;
use crate::combat::FieldHead;
use crate::exact::{Found, law_in_waves};
use crate::form::{Form, Kind};
use crate::halt::Halt;
use crate::waves::{Extent, Terms};

/// States that are tried for a forecast, all in all: some tenths of a second.
const TRIED: u64 = 1 << 17;

/// States that are looked into for what they differ in.
const SEEN: u32 = 1 << 13;

/// What a contest will take, about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Forecast {
    /// States to step from.
    pub states: f64,
    /// States held at once.
    pub held: f64,
    /// The fields that make it large, most effective first.
    pub fields: Vec<Growth>,
    /// What its states differ most in, and how many values it has so far: of what a rule in a text file
    /// remembers, or else of the outcome, as far as it is reported.
    pub part: Option<(String, usize)>,
    /// States that were stepped from to know this.
    pub tried: u64,
}

/// What a field does to the number of states.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The path of the field.
    pub path: String,
    /// Its value.
    pub now: i64,
    /// How many times as many states there are as with one less.
    pub factor: f64,
}

impl Forecast {
    /// What `cell` will take; `None` where its fields do not tell, or somebody asked to stop.
    pub fn of(cell: &Cell, halt: &Halt) -> Option<Forecast> {
        let Toml::Table(table) = Toml::from(&cell.form) else {
            return None;
        };
        let knobs = cell.played.grows_with.iter();
        let knobs: Vec<_> = knobs.filter_map(|path| Knob::of(cell, &table, path)).collect();
        let mut trials = Trials { cell, table, knobs, halt, tried: 0, last: None };
        trials.step()?;
        while trials.raise().is_some() {}
        if halt.asked() { None } else { trials.forecast() }
    }
}

/// A field that can be set to less.
struct Knob {
    path: String,
    /// Which of several tables it stands in.
    entry: Option<usize>,
    least: i64,
    now: i64,
    at: i64,
    /// With which power of it states have grown, those to step from and those held.
    powers: Option<[f64; 2]>,
}

impl Knob {
    fn of(cell: &Cell, table: &Table, path: &str) -> Option<Knob> {
        let Kind::Int(bound) = &cell.action.fields.at(path)?.kind else {
            return None;
        };
        let (entry, now) = match path.split_once('.') {
            None => (None, table.get(path)?.as_integer()?),
            Some((outer, inner)) => {
                let entries = table.get(outer)?.as_array()?.iter().enumerate();
                let counts =
                    entries.filter_map(|(at, of)| Some((at, of.get(inner)?.as_integer()?)));
                let (entry, now) = counts.max_by_key(|(at, now)| (*now, usize::MAX - at))?;
                (Some(entry), now)
            }
        };
        // Of nothing at all there is nothing to be learned.
        let least = bound.low.max(1);
        let knob = Knob { path: path.to_owned(), entry, least, now, at: least, powers: None };
        (least < now).then_some(knob)
    }

    /// How far it has been turned up, where its least is 1.
    fn turned(&self, to: i64) -> f64 {
        (to - self.least + 1) as f64
    }

    fn share(&self) -> f64 {
        self.turned(self.at) / self.turned(self.now)
    }

    /// By how much the states that were tried have still to be multiplied.
    fn rest(&self, of: usize) -> f64 {
        self.share().recip().powf(self.powers.map_or(1.0, |powers| powers[of]))
    }

    fn growth(&self) -> Option<Growth> {
        let [states, _] = self.powers?;
        let last = self.turned(self.now) / self.turned(self.now - 1);
        Some(Growth { path: self.path.clone(), now: self.now, factor: last.powf(states) })
    }

    fn set(&self, table: &mut Table) {
        let (outer, inner) = self.path.split_once('.').unwrap_or((&self.path, ""));
        let place = table.get_mut(outer).and_then(|outer| match self.entry {
            None => Some(outer),
            Some(entry) => outer.get_mut(entry)?.get_mut(inner),
        });
        if let Some(place) = place {
            *place = self.at.into();
        }
    }
}

/// Smaller contests, each a little larger than the one before.
struct Trials<'a> {
    cell: &'a Cell,
    table: Table,
    knobs: Vec<Knob>,
    halt: &'a Halt,
    tried: u64,
    last: Option<Found>,
}

impl Trials<'_> {
    fn contest(&self) -> Option<Contest> {
        let mut table = self.table.clone();
        self.knobs.iter().for_each(|knob| knob.set(&mut table));
        let action = &self.cell.action;
        action.contest(&Form::fill(&action.fields, &table).ok()?).ok()
    }

    /// Tries the contest as it is set, if it is small enough for what is left to try.
    fn step(&mut self) -> Option<[f64; 2]> {
        let contest = self.contest()?;
        let left = TRIED - self.tried;
        let seen = |extent: &Extent| extent.stepped + extent.waiting as u64 <= left;
        let states = usize::try_from(left).ok();
        let terms = Terms { states, halt: self.halt, seen: &seen };
        let found = law_in_waves(&contest.combat, &terms).ok()?;
        self.tried += found.extent.stepped;
        let sizes = sizes(&found);
        self.last = Some(found);
        Some(sizes)
    }

    /// Turns up the field that lags most, and sees what it does.
    fn raise(&mut self) -> Option<()> {
        let before = sizes(self.last.as_ref()?);
        let knobs = self.knobs.iter_mut().enumerate();
        let knobs = knobs.filter(|(_, knob)| knob.at < knob.now);
        let (index, knob) = knobs.min_by(|(_, a), (_, b)| a.share().total_cmp(&b.share()))?;
        let from = knob.at;
        knob.at = knob.now.min(from + 1 + (from - knob.least) / 4);
        let after = self.step();
        let knob = &mut self.knobs[index];
        let Some(after) = after else {
            knob.at = from;
            return None;
        };
        let more = (knob.turned(knob.at) / knob.turned(from)).ln();
        let power = |of: usize| (after[of] / before[of]).ln().max(0.0) / more;
        knob.powers = Some([power(0), power(1)]);
        Some(())
    }

    fn forecast(self) -> Option<Forecast> {
        let last = self.last.as_ref()?;
        let [states, held] = sizes(last);
        let rest = |of: usize| self.knobs.iter().map(|knob| knob.rest(of)).product::<f64>();
        let mut fields: Vec<_> = self.knobs.iter().filter_map(Knob::growth).collect();
        fields.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        if fields.is_empty() {
            return None;
        }
        let remembered = self.contest().and_then(|contest| contest.combat.remembers(SEEN));
        let part = remembered.or_else(|| self.reported(last));
        let (states, held) = (states * rest(0), held * rest(1));
        Some(Forecast { states, held, fields, part, tried: self.tried })
    }

    /// The outcome field with the most values, and how many.
    fn reported(&self, last: &Found) -> Option<(String, usize)> {
        let values = |(at, head): (usize, &FieldHead)| {
            let mut values: Vec<_> = last.endings.iter().map(|ending| ending.fields[at]).collect();
            values.sort_unstable();
            values.dedup();
            (head.label_or_name().to_string(), values.len())
        };
        let heads = self.cell.played.combat.fields().iter().enumerate();
        heads.map(values).max_by_key(|(_, values)| *values)
    }
}

/// States to step from, and those held at once.
fn sizes(found: &Found) -> [f64; 2] {
    let Extent { stepped, widest, .. } = found.extent;
    [stepped as f64, widest as f64]
}
