//! How large a contest without a graph will be, told beforehand by the same contest with less of what
//! makes it large.
//!
//! Its fields are set to their least and raised in turn, as long as that takes no time. Then each is lowered by
//! one and by two where all the others are as high as they came: from these three sizes is seen how the
//! states grow with it, as a power of the field and something more. It is a guess, of which nothing but a
//! question to the user depends.

use toml::{Table, Value as Toml};

use super::experiment::Cell;
use crate::catalogue::Contest;
use crate::combat::FieldHead;
use crate::exact::{Found, law_in_waves};
use crate::form::{Form, Kind};
use crate::halt::Halt;
use crate::waves::{Extent, Terms};

/// States that are tried for a forecast on the way up, and again looking back: some tenths of a second.
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
        // Looking back may try as much again.
        let tried = std::mem::take(&mut trials.tried);
        trials.look_back();
        trials.tried += tried;
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
    /// How often it was turned up, and whether once more would take too long.
    raised: u32,
    stuck: bool,
    /// How the states grow with it, those to step from and those held.
    growth: Option<[Curve; 2]>,
}

/// Growth as (n + shift) to a power.
#[derive(Clone, Copy, Debug)]
struct Curve {
    shift: f64,
    power: f64,
}

/// The largest shift: what has grown by the same factor twice does not go on so for ever.
const MOST_SHIFT: f64 = 16.0;

impl Curve {
    /// Through the sizes at n − 2, n − 1 and n; where the first is not known, a power of n alone.
    fn through(n: f64, [first, second, third]: [Option<f64>; 3]) -> Option<Curve> {
        let grown = |more: f64, less: f64| (more / less).ln().max(0.0);
        let (second, third) = (second?, third?);
        let last = grown(third, second);
        let power = |shift: f64| last / ((n + shift) / (n - 1.0 + shift)).ln();
        let Some(first) = first else {
            return Some(Curve { shift: 0.0, power: power(0.0) });
        };
        // The larger the shift, the less the first step stands out from the last.
        let stands_out = |shift: f64| {
            ((n - 1.0 + shift) / (n - 2.0 + shift)).ln() / ((n + shift) / (n - 1.0 + shift)).ln()
        };
        let wanted = grown(second, first) / last.max(1e-9);
        let (mut low, mut high) = (2.0 - n + 1e-6, MOST_SHIFT);
        for _ in 0..60 {
            let shift = 0.5 * (low + high);
            if stands_out(shift) > wanted { low = shift } else { high = shift }
        }
        Some(Curve { shift: high, power: power(high) })
    }

    fn between(self, from: f64, to: f64) -> f64 {
        ((to + self.shift) / (from + self.shift)).powf(self.power)
    }
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
        let (raised, stuck, growth) = (0, false, None);
        let knob =
            Knob { path: path.to_owned(), entry, least, now, at: least, raised, stuck, growth };
        (least < now).then_some(knob)
    }

    /// How far it has been turned up, where its least is 1.
    fn turned(&self, to: i64) -> f64 {
        (to - self.least + 1) as f64
    }

    /// By how much the states that were tried have still to be multiplied.
    fn rest(&self, of: usize) -> f64 {
        let curve = self.growth.map_or(Curve { shift: 0.0, power: 1.0 }, |growth| growth[of]);
        curve.between(self.turned(self.at), self.turned(self.now))
    }

    fn told(&self) -> Option<Growth> {
        let [states, _] = self.growth?;
        let factor = states.between(self.turned(self.now - 1), self.turned(self.now));
        Some(Growth { path: self.path.clone(), now: self.now, factor })
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

    /// Turns up the field that was turned up least often, if that can be done in the time.
    fn raise(&mut self) -> Option<()> {
        let knobs = self.knobs.iter_mut().enumerate();
        let knobs = knobs.filter(|(_, knob)| knob.at < knob.now && !knob.stuck);
        let (index, knob) = knobs.min_by_key(|(_, knob)| knob.raised)?;
        let from = knob.at;
        knob.at = knob.now.min(from + 1 + (from - knob.least) / 4);
        knob.raised += 1;
        if self.step().is_none() {
            let knob = &mut self.knobs[index];
            (knob.at, knob.stuck) = (from, true);
        }
        Some(())
    }

    /// Lowers every field by one and by two, and sees what it does.
    fn look_back(&mut self) {
        // Kept aside: every step puts its own in this place, and the largest one is what is multiplied.
        let Some(last) = self.last.take() else {
            return;
        };
        for index in 0..self.knobs.len() {
            let (at, least) = (self.knobs[index].at, self.knobs[index].least);
            let [second, first] = [at - 1, at - 2].map(|lower| {
                self.knobs[index].at = lower;
                if lower < least { None } else { self.step() }
            });
            let knob = &mut self.knobs[index];
            knob.at = at;
            let now = sizes(&last);
            let curve = |of: usize| {
                let sizes =
                    [first.map(|sizes| sizes[of]), second.map(|sizes| sizes[of]), Some(now[of])];
                Curve::through(knob.turned(at), sizes)
            };
            knob.growth = curve(0).zip(curve(1)).map(Into::into);
        }
        self.last = Some(last);
    }

    fn forecast(self) -> Option<Forecast> {
        let last = self.last.as_ref()?;
        let [states, held] = sizes(last);
        let rest = |of: usize| self.knobs.iter().map(|knob| knob.rest(of)).product::<f64>();
        let mut fields: Vec<_> = self.knobs.iter().filter_map(Knob::told).collect();
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
