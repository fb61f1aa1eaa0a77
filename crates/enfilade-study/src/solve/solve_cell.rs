//! Solves one cell: compiled, exact, simulated or played.

use std::sync::Arc;

use crate::checkpoint::journal::Journal;
use crate::checkpoint::periodic_save::Keeper;
use crate::experiment::{Cell, Stop};
use crate::solve::build_answer::{Solution, is_played};
use crate::solve::errors::{beyond, went_wrong};
use crate::solve::exact_stage::{Compiled, Known};
use crate::solve::pace::{self, Pace};
use crate::solve::settings::{Settings, Watch};
use crate::solve::trial_record::{
    Part, Record, counted, counts, is_right, met, met_again, recorded, tallied,
};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::play::{self, Tally};
use enfilade_engine::random_stream::Stream;
use enfilade_engine::simulate::{self, CHUNK, Counts, Met, Plan, UNIT, resume_in_waves};
use enfilade_engine::work_units::{self, Pieces};
use enfilade_model::combat::{MeasureHead, MeasureKind};
use enfilade_model::error::{Error, TooLarge};
use enfilade_model::form::bounds::TRIALS;
use enfilade_model::shared::opaque;
use enfilade_stats::precision::trials_for;

/// Least number of trials of a cell, also if its precision needs fewer: so that means have an
/// interval too, and rare outcomes a bound.
const LEAST: u64 = 100_000;

/// Progress of a cell.
#[derive(Debug)]
pub enum Reached {
    /// Solution; `None` if the observer cancelled the work.
    Found(Option<Solution>),
    /// It is too large for a graph, and waits to go alone: [`Attempt::Frontier`].
    Large(TooLarge),
}

/// The way in which a cell is solved.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// Through its die graph.
    Graph,
    /// With the frontier engine, because the graph is too large. That fills the memory that there is, and all
    /// threads: one cell at a time.
    Frontier(TooLarge),
}

/// Everything that the cells of one run are solved with.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Settings of every cell.
    pub settings: &'a Settings,
    /// Share of the trials that is made.
    pub share: Share,
    /// Observer, which may stop the work.
    pub watch: &'a dyn Watch,
    /// Trials that were made before.
    pub journal: &'a Journal,
}

opaque!(Task<'_>);

impl Task<'_> {
    /// Solves a cell: its exact distribution, and a share of its trials.
    ///
    /// # Errors
    /// When players decide in a contest that is too large to be compiled, only the exact distribution is
    /// requested and the contest is too large for it, its rule has a fault, or the journal cannot be written.
    pub fn solution(&self, cell: &Cell, attempt: Attempt) -> Result<Reached, Error> {
        let Task { settings, share, watch, journal } = *self;
        let known = match attempt {
            Attempt::Graph => Compiled::of(cell, settings, watch)?,
            Attempt::Frontier(refusal) => Compiled::in_waves(cell, refusal, settings, watch)?,
        };
        match known {
            Known::Large(refusal) => Ok(Reached::Large(refusal)),
            known => {
                let work = Work::new(cell, settings, share, known);
                work.map_or(Ok(None), |work| work.solve(watch, journal)).map(Reached::Found)
            }
        }
    }
}

/// Share of the trials of a cell, one of several of about equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Index, from 0.
    pub index: u64,
    /// Number of shares.
    pub of: u64,
}

impl Share {
    /// All trials.
    pub const WHOLE: Share = Share { index: 0, of: 1 };

    /// Returns the units of a work of `count` units that belong to other shares.
    fn others(self, count: u64) -> Pieces {
        let until = |share: u64| {
            // Units times shares may exceed 64 bits.
            let product = u128::from(count) * u128::from(share) / u128::from(self.of);
            u64::try_from(product).unwrap_or(count)
        };
        let (first, end) = (until(self.index), until(self.index + 1));
        // With more shares than units, this one is empty.
        if first == end {
            return Pieces::of(&[(0, count)]).unwrap_or_default();
        }
        let ranges: Vec<_> =
            [(0, first), (end, count)].into_iter().filter(|(a, b)| a < b).collect();
        Pieces::of(&ranges).unwrap_or_default()
    }
}

/// Run of one cell.
struct Work<'a> {
    cell: &'a Cell,
    settings: &'a Settings,
    share: Share,
    /// Compiled contest with its exact distribution, unless it is too large.
    compiled: Option<Compiled>,
    /// Reason why there is none.
    refusal: Option<TooLarge>,
    /// Whether trials are rolled one at a time.
    played: bool,
}

impl<'a> Work<'a> {
    /// Creates the run from the result of the exact stage; `None` if that was cancelled.
    fn new(cell: &'a Cell, settings: &'a Settings, share: Share, known: Known) -> Option<Self> {
        let (compiled, refusal) = match known {
            Known::Exactly(compiled) => (Some(*compiled), None),
            Known::Nothing(refusal) | Known::Large(refusal) => (None, Some(refusal)),
            Known::Stopped => return None,
        };
        let played = is_played(cell, settings, compiled.is_some());
        Some(Work { cell, settings, share, compiled, refusal, played })
    }

    fn solve(self, watch: &dyn Watch, journal: &Journal) -> Result<Option<Solution>, Error> {
        if self.settings.exact_only && self.compiled.is_some() {
            return Ok(Some(self.with(None)));
        }
        let trials = self.trials();
        // Other trials, or trials rolled by another engine, have another stream and another key.
        let key = Record::key(&self.stream(), trials, self.rolled());
        if let Some(record) = journal.recall(&key, trials) {
            watch.trials(trials);
            return Ok(Some(self.with(Some(record))));
        }
        let keeper = Keeper::new(journal, &key, trials);
        let part = self.roll(trials, journal.recall_part(&key), watch, &keeper);
        keeper.trouble()?;
        // Checked before the trials are counted: a rule that failed has left some of them out.
        if let Some(mishap) = self.cell.played.combat.fault() {
            return Err(went_wrong(self.cell, mishap));
        }
        if part.sum.trials() < self.own(trials) {
            journal.record_part(&key, trials, &part)?;
            return Ok(None);
        }
        journal.record(&key, &part.sum)?;
        Ok(Some(self.with(Some(part.sum))))
    }

    fn with(self, record: Option<Record>) -> Solution {
        let note = self.refusal.map(|refusal| beyond(self.cell, &refusal, self.played));
        Solution { exact: self.compiled.map(Compiled::exact), record, note }
    }

    /// Returns how many of `trials` trials belong to this share.
    fn own(&self, trials: u64) -> u64 {
        let (count, each) = self.pieces(trials);
        trials - self.share.others(count).trials(each, trials)
    }

    /// Returns the number of units of `trials` trials, and the trials of each.
    fn pieces(&self, trials: u64) -> (u64, u64) {
        let of = |each: u64| (trials.div_ceil(each), each);
        match self.graph() {
            // Tested first, here and below: a contest that is played may have a graph beside it.
            _ if self.played => of(play::CHUNK),
            Some(_) => (simulate::units(trials), UNIT),
            None => of(CHUNK),
        }
    }

    fn graph(&self) -> Option<&DieGraph> {
        self.compiled.as_ref().and_then(Compiled::graph)
    }

    fn measures(&self) -> &[Arc<MeasureHead>] {
        self.cell.played.combat.measures()
    }

    fn stream(&self) -> Stream {
        Stream { seed: self.settings.seed, fingerprint: self.cell.fingerprint() }
    }

    /// Returns the number of trials to make: the requested number, or enough for the requested
    /// precision.
    fn trials(&self) -> u64 {
        let wanted = match self.settings.stop {
            Stop::Trials(trials) => return trials,
            Stop::Precision(wanted) => wanted,
        };
        let exact = self.compiled.iter().flat_map(|compiled| {
            let value = |(i, head): (usize, &Arc<MeasureHead>)| compiled.measure(i, head);
            let heads = self.measures().iter().enumerate();
            // The precision applies to chances: means have various units.
            let probabilities = heads.filter(|(_, head)| head.kind == MeasureKind::Event);
            probabilities.filter_map(value)
        });
        trials_for(wanted, exact, TRIALS.high as u64).max(LEAST)
    }

    /// Makes the trials, from the end of an earlier run until the observer cancels this one.
    fn roll(
        &self,
        trials: u64,
        start: Option<Part>,
        watch: &dyn Watch,
        keeper: &Keeper<'_>,
    ) -> Part {
        if self.played {
            pace::foresee_played(self.cell, self.own(trials), &self.stream(), watch);
        }
        let on = Rolling { work: self, trials, start, watch, keeper };
        let (stream, isa, halt) = (self.stream(), self.settings.isa, watch.halt());
        let combat = &self.cell.played.combat;
        let counters = combat.counters();
        match self.graph() {
            _ if self.played => on.resume(
                Tally::default(),
                |record| tallied(record, counters),
                recorded,
                |start, made| play::resume(combat, trials, &stream, start, halt, made),
            ),
            // Counts are ordered by the endings of the graph; the stored record names the endings.
            Some(graph) => on.resume(
                Counts::none(graph.endings().len()),
                |record| counts(record, graph.endings(), graph.counters()),
                |counts| counted(counts, graph.endings()),
                |start, made| {
                    simulate::resume(&Plan::new(graph), trials, &stream, isa, start, halt, made)
                },
            ),
            None => on.resume(
                Met::default(),
                |record| met_again(record, counters),
                met,
                |start, made| resume_in_waves(combat, trials, &stream, isa, start, halt, made),
            ),
        }
    }

    /// Returns the name of the engine, which is also the name of its stream.
    fn rolled(&self) -> &'static str {
        match self.graph() {
            _ if self.played => "played",
            Some(_) => "simulated",
            None => "waves",
        }
    }
}

/// Trials of a cell in progress, with any engine.
struct Rolling<'a> {
    work: &'a Work<'a>,
    trials: u64,
    /// Partial result of an earlier run.
    start: Option<Part>,
    watch: &'a dyn Watch,
    keeper: &'a Keeper<'a>,
}

/// Callback after each unit with the result so far and the trials of the unit; false stops the run.
type Made<'a, T> = &'a (dyn Fn(&work_units::Part<T>, u64) -> bool + Sync);

impl Rolling<'_> {
    /// Resumes the start with `run`, if `read` can convert it, or begins without trials; the result
    /// is stored as `write` converts it.
    fn resume<T: Clone>(
        self,
        none: T,
        read: impl FnOnce(Record) -> Option<T>,
        write: impl Fn(T) -> Record + Sync,
        run: impl FnOnce(work_units::Part<T>, Made<'_, T>) -> work_units::Part<T>,
    ) -> Part {
        let Rolling { work, trials, start, watch, keeper } = self;
        let (count, each) = work.pieces(trials);
        // A partial result that fits neither the units nor the graph is not resumed.
        let start = start.filter(|part| is_right(part, each, trials)).and_then(|part| {
            let (pieces, made) = (part.pieces, part.sum.trials());
            let sum = read(part.sum)?;
            watch.trials(made);
            Some(work_units::Part { pieces, sum })
        });
        let start =
            // Units of other shares count as finished, and so are not made here.
            start.unwrap_or_else(|| work_units::Part { pieces: work.share.others(count), sum: none });
        let pace = Pace::begin(work.own(trials), work.played);
        let made = |part: &work_units::Part<T>, size| {
            watch.trials(size);
            pace.made(size, work.cell, watch);
            keeper.keep(|| part.clone().map(&write)) && !watch.halt().asked()
        };
        run(start, &made).map(&write)
    }
}
