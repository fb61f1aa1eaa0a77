//! Solves one cell: compiled, exact, simulated or played.

use std::sync::Arc;

use crate::checkpoint::journal::Journal;
use crate::checkpoint::periodic_save::PeriodicSave;
use crate::error::StudyError;
use crate::experiment::{Cell, StopRule};
use crate::solve::build_answer::{CellSolution, is_played};
use crate::solve::errors::{rule_error, too_large_note};
use crate::solve::exact_stage::{ExactSolution, ExactStage};
use crate::solve::settings::{Settings, SolveObserver};
use crate::solve::trial_pace::{self, TrialPace};
use crate::solve::trial_record::{
    PartialRecord, TrialRecord, from_counts, from_frontier, from_tally, is_consistent, to_counts,
    to_frontier, to_tally,
};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::play::{self, PlayTally};
use enfilade_engine::random_stream::RandomStream;
use enfilade_engine::simulate::{
    self, CHUNK_TRIALS, EndingCounts, FrontierCounts, RollPlan, UNIT_TRIALS, resume_frontier,
};
use enfilade_engine::work_units::{self, UnitSet};
use enfilade_model::combat::{MeasureHead, MeasureKind};
use enfilade_model::error::TooLargeError;
use enfilade_model::form::bounds::TRIALS;
use enfilade_model::shared::opaque;
use enfilade_stats::precision::trials_for;

/// Least number of trials of a cell, also if its precision needs fewer: so that means have an
/// interval too, and rare outcomes a bound.
const MIN_TRIALS: u64 = 100_000;

/// Progress of a cell.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every one is a solution: a box would be one more allocation for each"
)]
pub enum CellStage {
    /// Solution; `None` if the observer cancelled the work.
    Found(Option<CellSolution>),
    /// A cell that is too large for a graph, and waits to be solved alone: [`Attempt::Frontier`].
    Large(TooLargeError),
}

/// The way in which a cell is solved.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// Through its die graph.
    Graph,
    /// With the frontier engine, because the graph is too large. That fills the memory that there is, and all
    /// threads: one cell at a time.
    Frontier(TooLargeError),
}

/// Everything that the cells of one run are solved with.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Settings of every cell.
    pub settings: &'a Settings,
    /// Share of the trials that is made.
    pub share: TrialShare,
    /// Observer, which may stop the work.
    pub watch: &'a dyn SolveObserver,
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
    pub fn solution(&self, cell: &Cell, attempt: Attempt) -> Result<CellStage, StudyError> {
        let Task { settings, share, watch, journal } = *self;
        let known = match attempt {
            Attempt::Graph => ExactSolution::solve(cell, settings, watch)?,
            Attempt::Frontier(refusal) => {
                ExactSolution::solve_by_frontier(cell, refusal, settings, watch)?
            }
        };
        match known {
            ExactStage::Large(refusal) => Ok(CellStage::Large(refusal)),
            known => {
                let work = CellRun::new(cell, settings, share, known);
                work.map_or(Ok(None), |work| work.solve(watch, journal)).map(CellStage::Found)
            }
        }
    }
}

/// Share of the trials of a cell, one of several of about equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialShare {
    /// Index, from 0.
    pub index: u64,
    /// Number of shares.
    pub of: u64,
}

impl TrialShare {
    /// All trials.
    pub const WHOLE: TrialShare = TrialShare { index: 0, of: 1 };

    /// Returns the units of a work of `count` units that belong to other shares.
    fn other_units(self, count: u64) -> UnitSet {
        let until = |share: u64| {
            // Units times shares may exceed 64 bits.
            let product = u128::from(count) * u128::from(share) / u128::from(self.of);
            u64::try_from(product).unwrap_or(count)
        };
        let (first, end) = (until(self.index), until(self.index + 1));
        // With more shares than units, this one is empty.
        if first == end {
            return UnitSet::from_ranges(&[(0, count)]).unwrap_or_default();
        }
        let ranges: Vec<_> =
            [(0, first), (end, count)].into_iter().filter(|(a, b)| a < b).collect();
        UnitSet::from_ranges(&ranges).unwrap_or_default()
    }
}

/// Run of one cell.
struct CellRun<'a> {
    cell: &'a Cell,
    settings: &'a Settings,
    share: TrialShare,
    /// Compiled contest with its exact distribution, unless it is too large.
    compiled: Option<ExactSolution>,
    /// Reason why there is none.
    refusal: Option<TooLargeError>,
    /// Whether trials are rolled one at a time.
    played: bool,
}

impl<'a> CellRun<'a> {
    /// Creates the run from the result of the exact stage; `None` if that was cancelled.
    fn new(
        cell: &'a Cell,
        settings: &'a Settings,
        share: TrialShare,
        known: ExactStage,
    ) -> Option<Self> {
        let (compiled, refusal) = match known {
            ExactStage::Exactly(compiled) => (Some(*compiled), None),
            ExactStage::Nothing(refusal) | ExactStage::Large(refusal) => (None, Some(refusal)),
            ExactStage::Stopped => return None,
        };
        let played = is_played(cell, settings, compiled.is_some());
        Some(CellRun { cell, settings, share, compiled, refusal, played })
    }

    fn solve(
        self,
        watch: &dyn SolveObserver,
        journal: &Journal,
    ) -> Result<Option<CellSolution>, StudyError> {
        if self.settings.exact_only && self.compiled.is_some() {
            return Ok(Some(self.with_record(None)));
        }
        let trials = self.count_trials();
        // Other trials, or trials rolled by another engine, have another stream and another key.
        let key = TrialRecord::format_key(&self.stream(), trials, self.engine_name());
        if let Some(record) = journal.recall(&key, trials) {
            watch.note_trials(trials);
            return Ok(Some(self.with_record(Some(record))));
        }
        let keeper = PeriodicSave::new(journal, &key, trials);
        let part = self.run_trials(trials, journal.recall_part(&key), watch, &keeper);
        keeper.into_result()?;
        // Checked before the trials are counted: a rule that failed has left some of them out.
        if let Some(mishap) = self.cell.played.combat.fault() {
            return Err(rule_error(self.cell, mishap));
        }
        if part.sum.trial_count() < self.share_of(trials) {
            journal.record_part(&key, trials, &part)?;
            return Ok(None);
        }
        journal.record(&key, &part.sum)?;
        Ok(Some(self.with_record(Some(part.sum))))
    }

    fn with_record(self, record: Option<TrialRecord>) -> CellSolution {
        let note = self.refusal.map(|refusal| too_large_note(self.cell, &refusal, self.played));
        CellSolution { exact: self.compiled.map(ExactSolution::into_exact_values), record, note }
    }

    /// Returns how many of `trials` trials belong to this share.
    fn share_of(&self, trials: u64) -> u64 {
        let (count, each) = self.unit_sizes(trials);
        trials - self.share.other_units(count).trials_in(each, trials)
    }

    /// Returns the number of units of `trials` trials, and the trials of each.
    fn unit_sizes(&self, trials: u64) -> (u64, u64) {
        let of = |each: u64| (trials.div_ceil(each), each);
        match self.graph() {
            // Tested first, here and below: a contest that is played may have a graph beside it.
            _ if self.played => of(play::CHUNK_TRIALS),
            Some(_) => (simulate::unit_count(trials), UNIT_TRIALS),
            None => of(CHUNK_TRIALS),
        }
    }

    fn graph(&self) -> Option<&DieGraph> {
        self.compiled.as_ref().and_then(ExactSolution::graph)
    }

    fn measures(&self) -> &[Arc<MeasureHead>] {
        self.cell.played.combat.measures()
    }

    fn stream(&self) -> RandomStream {
        RandomStream { seed: self.settings.seed, fingerprint: self.cell.compute_fingerprint() }
    }

    /// Returns the number of trials to make: the requested number, or enough for the requested
    /// precision.
    fn count_trials(&self) -> u64 {
        let wanted = match self.settings.stop {
            StopRule::Trials(trials) => return trials,
            StopRule::Precision(wanted) => wanted,
        };
        let exact = self.compiled.iter().flat_map(|compiled| {
            let value = |(i, head): (usize, &Arc<MeasureHead>)| compiled.measure_value(i, head);
            let heads = self.measures().iter().enumerate();
            // The precision applies to chances: means have various units.
            let probabilities = heads.filter(|(_, head)| head.kind == MeasureKind::Event);
            probabilities.filter_map(value)
        });
        trials_for(wanted, exact, TRIALS.high as u64).max(MIN_TRIALS)
    }

    /// Makes the trials, from the end of an earlier run until the observer cancels this one.
    fn run_trials(
        &self,
        trials: u64,
        start: Option<PartialRecord>,
        watch: &dyn SolveObserver,
        keeper: &PeriodicSave<'_>,
    ) -> PartialRecord {
        if self.played {
            trial_pace::forecast_played(self.cell, self.share_of(trials), &self.stream(), watch);
        }
        let on = TrialRun { work: self, trials, start, watch, keeper };
        let (stream, isa, halt) = (self.stream(), self.settings.isa, watch.cancel_token());
        let combat = &self.cell.played.combat;
        let counters = combat.counter_count();
        match self.graph() {
            _ if self.played => on.resume(
                PlayTally::default(),
                |record| to_tally(record, counters),
                from_tally,
                |start, made| play::resume(combat, trials, &stream, start, halt, made),
            ),
            // Counts are ordered by the endings of the graph; the stored record names the endings.
            Some(graph) => on.resume(
                EndingCounts::with_endings(graph.endings().len()),
                |record| to_counts(record, graph.endings(), graph.counter_count()),
                |counts| from_counts(counts, graph.endings()),
                |start, made| {
                    simulate::resume(&RollPlan::new(graph), trials, &stream, isa, start, halt, made)
                },
            ),
            None => on.resume(
                FrontierCounts::default(),
                |record| to_frontier(record, counters),
                from_frontier,
                |start, made| resume_frontier(combat, trials, &stream, isa, start, halt, made),
            ),
        }
    }

    /// Returns the name of the engine, which is also the name of its stream.
    fn engine_name(&self) -> &'static str {
        match self.graph() {
            _ if self.played => "played",
            Some(_) => "simulated",
            None => "waves",
        }
    }
}

/// Trials of a cell in progress, with any engine.
struct TrialRun<'a> {
    work: &'a CellRun<'a>,
    trials: u64,
    /// Partial result of an earlier run.
    start: Option<PartialRecord>,
    watch: &'a dyn SolveObserver,
    keeper: &'a PeriodicSave<'a>,
}

/// Callback after each unit with the result so far and the trials of the unit; false stops the run.
type OnProgress<'a, T> = &'a (dyn Fn(&work_units::PartialResult<T>, u64) -> bool + Sync);

impl TrialRun<'_> {
    /// Resumes the start with `run`, if `read` can convert it, or begins without trials; the result
    /// is stored as `write` converts it.
    fn resume<T: Clone>(
        self,
        none: T,
        read: impl FnOnce(TrialRecord) -> Option<T>,
        write: impl Fn(T) -> TrialRecord + Sync,
        run: impl FnOnce(
            work_units::PartialResult<T>,
            OnProgress<'_, T>,
        ) -> work_units::PartialResult<T>,
    ) -> PartialRecord {
        let TrialRun { work, trials, start, watch, keeper } = self;
        let (count, each) = work.unit_sizes(trials);
        // A partial result that fits neither the units nor the graph is not resumed.
        let start = start.filter(|part| is_consistent(part, each, trials)).and_then(|part| {
            let (pieces, made) = (part.pieces, part.sum.trial_count());
            let sum = read(part.sum)?;
            watch.note_trials(made);
            Some(work_units::PartialResult { pieces, sum })
        });
        let start =
            // Units of other shares count as finished, and so are not made here.
            start.unwrap_or_else(|| work_units::PartialResult { pieces: work.share.other_units(count), sum: none });
        let pace = TrialPace::start(work.share_of(trials), work.played);
        let made = |part: &work_units::PartialResult<T>, size| {
            watch.note_trials(size);
            pace.note_trials(size, work.cell, watch);
            keeper.save_if_due(|| part.clone().map(&write)) && !watch.cancel_token().is_cancelled()
        };
        run(start, &made).map(&write)
    }
}
