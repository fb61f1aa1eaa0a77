//! Solves one cell: compiled, exact, simulated or played.

use std::sync::Arc;

use crate::checkpoint::journal::CellTrialJournal;
use crate::checkpoint::periodic_save::PeriodicCellSaver;
use crate::error::StudyError;
use crate::experiment::{GridCell, SimulationStopRule};
use crate::solve::build_answer::{CellSolution, needs_single_trial_play};
use crate::solve::errors::{name_cell_of_rule_error, too_large_note};
use crate::solve::exact_stage::{ExactSolution, ExactStageResult};
use crate::solve::settings::{SolveObserver, SolverSettings};
use crate::solve::trial_pace::{self, TrialPaceMeter};
use crate::solve::trial_record::{
    CellTrialCounts, PartialRecord, counts_to_record, frontier_to_record, has_plausible_trials,
    played_counts_to_record, record_to_counts, record_to_frontier, record_to_played_counts,
};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::play::{self, PlayedTrialCounts};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{
    self, EndingCounts, RollableDieGraph, TRIALS_PER_CHUNK, TRIALS_PER_WORK_UNIT, TrialsByEnding,
    resume_frontier_simulation,
};
use enfilade_engine::work_units::{self, WorkUnitIndexSet};
use enfilade_model::combat::{MeasureHead, MeasureKind};
use enfilade_model::error::TooManyStatesOrDice;
use enfilade_model::form::bounds::TRIAL_COUNT_RANGE;
use enfilade_model::static_or_shared::opaque;
use enfilade_stats::precision::trials_for_standard_error;

/// Least number of trials of a cell, also if its precision needs fewer: so that means have an
/// interval too, and rare outcomes a bound.
const MIN_TRIALS_OF_CELL: u64 = 100_000;

/// Progress of a cell.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every one is a solution: a box would be one more allocation for each"
)]
pub enum SolvedOrTooLargeCell {
    /// Solution; `None` if the observer cancelled the work.
    Solved(Option<CellSolution>),
    /// A cell that is too large for a graph, and waits to be solved alone:
    /// [`GraphOrFrontierAttempt::Frontier`].
    Large(TooManyStatesOrDice),
}

/// The way in which a cell is solved.
#[derive(Clone, Debug)]
pub enum GraphOrFrontierAttempt {
    /// Through its die graph.
    Graph,
    /// With the frontier engine, because the graph is too large. That fills the memory that there
    /// is, and all threads: one cell at a time.
    Frontier(TooManyStatesOrDice),
}

/// Everything that the cells of one run are solved with.
#[derive(Clone, Copy)]
pub struct SharedSolveContext<'a> {
    /// Settings of every cell.
    pub settings: &'a SolverSettings,
    /// Share of the trials that is made.
    pub share: TrialShareOfCell,
    /// Observer, which may stop the work.
    pub watch: &'a dyn SolveObserver,
    /// Trials that were made before.
    pub journal: &'a CellTrialJournal,
}

opaque!(SharedSolveContext<'_>);

impl SharedSolveContext<'_> {
    /// Solves a cell: its exact distribution, and a share of its trials.
    ///
    /// # Errors
    /// When players decide in a contest that is too large to be compiled, only the exact
    /// distribution is requested and the contest is too large for it, its rule has a fault, or the
    /// journal cannot be written.
    pub fn solve_and_simulate_cell(
        &self,
        cell: &GridCell,
        attempt: GraphOrFrontierAttempt,
    ) -> Result<SolvedOrTooLargeCell, StudyError> {
        let SharedSolveContext { settings, share, watch, journal } = *self;
        let known = match attempt {
            GraphOrFrontierAttempt::Graph => {
                ExactSolution::compile_and_solve(cell, settings, watch)?
            }
            GraphOrFrontierAttempt::Frontier(refusal) => {
                ExactSolution::solve_by_frontier(cell, refusal, settings, watch)?
            }
        };
        match known {
            ExactStageResult::Large(refusal) => Ok(SolvedOrTooLargeCell::Large(refusal)),
            known => {
                let work = TrialCellRun::new(cell, settings, share, known);
                work.map_or(Ok(None), |work| work.run_trials_of_cell(watch, journal))
                    .map(SolvedOrTooLargeCell::Solved)
            }
        }
    }
}

/// Share of the trials of a cell, one of several of about equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialShareOfCell {
    /// Index, from 0.
    pub index: u64,
    /// Number of shares.
    pub of: u64,
}

impl TrialShareOfCell {
    /// All trials.
    pub const ALL_TRIALS: TrialShareOfCell = TrialShareOfCell { index: 0, of: 1 };

    /// Returns the units of a work of `count` units that belong to other shares.
    fn units_of_other_shares(self, count: u64) -> WorkUnitIndexSet {
        let until = |share: u64| {
            // Units times shares may exceed 64 bits.
            let product = u128::from(count) * u128::from(share) / u128::from(self.of);
            u64::try_from(product).unwrap_or(count)
        };
        let (first, end) = (until(self.index), until(self.index + 1));
        // With more shares than units, this one is empty.
        if first == end {
            return WorkUnitIndexSet::from_ranges(&[(0, count)]).unwrap_or_default();
        }
        let ranges: Vec<_> =
            [(0, first), (end, count)].into_iter().filter(|(a, b)| a < b).collect();
        WorkUnitIndexSet::from_ranges(&ranges).unwrap_or_default()
    }
}

/// Run of one cell.
struct TrialCellRun<'a> {
    cell: &'a GridCell,
    settings: &'a SolverSettings,
    share: TrialShareOfCell,
    /// Compiled contest with its exact distribution, unless it is too large.
    compiled: Option<ExactSolution>,
    /// Reason why there is none.
    refusal: Option<TooManyStatesOrDice>,
    /// Whether trials are rolled one at a time.
    played: bool,
}

impl<'a> TrialCellRun<'a> {
    /// Creates the run from the result of the exact stage; `None` if that was cancelled.
    fn new(
        cell: &'a GridCell,
        settings: &'a SolverSettings,
        share: TrialShareOfCell,
        stage: ExactStageResult,
    ) -> Option<Self> {
        let (compiled, refusal) = match stage {
            ExactStageResult::Exactly(compiled) => (Some(*compiled), None),
            ExactStageResult::Nothing(refusal) | ExactStageResult::Large(refusal) => {
                (None, Some(refusal))
            }
            ExactStageResult::Stopped => return None,
        };
        let played = needs_single_trial_play(cell, settings, compiled.is_some());
        Some(TrialCellRun { cell, settings, share, compiled, refusal, played })
    }

    fn run_trials_of_cell(
        self,
        watch: &dyn SolveObserver,
        journal: &CellTrialJournal,
    ) -> Result<Option<CellSolution>, StudyError> {
        if self.settings.exact_only && self.compiled.is_some() {
            return Ok(Some(self.solution_with_trials(None)));
        }
        let trials = self.total_trials_to_make();
        // Other trials, or trials rolled by another engine, have another stream and another key.
        let key =
            CellTrialCounts::cache_key_of_trials(&self.stream(), trials, self.trial_engine_name());
        if let Some(record) = journal.lookup_trials_of_count(&key, trials) {
            watch.note_finished_trials(trials);
            return Ok(Some(self.solution_with_trials(Some(record))));
        }
        let keeper = PeriodicCellSaver::new(journal, &key, trials);
        let part =
            self.resume_trials(trials, journal.lookup_unfinished_trials(&key), watch, &keeper);
        keeper.into_save_result()?;
        // Checked before the trials are counted: a rule that failed has left some of them out.
        if let Some(error) = self.cell.played.combat.recorded_rule_fault() {
            return Err(name_cell_of_rule_error(self.cell, error));
        }
        if part.sum.trial_count() < self.trial_count_of_share(trials) {
            journal.record_unfinished_trials(&key, trials, &part)?;
            return Ok(None);
        }
        journal.record_finished_trials(&key, &part.sum)?;
        Ok(Some(self.solution_with_trials(Some(part.sum))))
    }

    fn solution_with_trials(self, record: Option<CellTrialCounts>) -> CellSolution {
        let remark = self.compiled.as_ref().and_then(ExactSolution::remark).cloned();
        let refusal = self.refusal.as_ref();
        let refused = refusal.map(|refusal| too_large_note(self.cell, refusal, self.played));
        let note = refused.or(remark);
        CellSolution { exact: self.compiled.map(ExactSolution::into_exact_values), record, note }
    }

    /// Returns how many of `trials` trials belong to this share.
    fn trial_count_of_share(&self, trials: u64) -> u64 {
        let (count, each) = self.unit_count_and_trials(trials);
        trials - self.share.units_of_other_shares(count).trials_in_units(each, trials)
    }

    /// Returns the number of units of `trials` trials, and the trials of each.
    fn unit_count_and_trials(&self, trials: u64) -> (u64, u64) {
        let of = |each: u64| (trials.div_ceil(each), each);
        match self.graph() {
            // Tested first, here and below: a contest that is played may have a graph beside it.
            _ if self.played => of(play::TRIALS_PER_GENERATOR),
            Some(_) => (simulate::work_unit_count(trials), TRIALS_PER_WORK_UNIT),
            None => of(TRIALS_PER_CHUNK),
        }
    }

    fn graph(&self) -> Option<&DieGraph> {
        self.compiled.as_ref().and_then(ExactSolution::graph_if_compiled)
    }

    fn measures(&self) -> &[Arc<MeasureHead>] {
        self.cell.played.combat.measures()
    }

    fn stream(&self) -> ContestRandomStream {
        ContestRandomStream {
            seed: self.settings.seed,
            fingerprint: self.cell.fingerprint_of_contest(),
        }
    }

    /// Returns the number of trials to make: the requested number, or enough for the requested
    /// precision of every chance. Of a chance under a condition only the trials that meet it count.
    fn total_trials_to_make(&self) -> u64 {
        let wanted = match self.settings.stop {
            SimulationStopRule::Trials(trials) => return trials,
            SimulationStopRule::Precision(wanted) => wanted,
        };
        let largest = TRIAL_COUNT_RANGE.high as u64;
        let exact = self.compiled.iter().flat_map(|compiled| {
            let heads = self.measures().iter().enumerate();
            // The precision applies to chances: means have various units.
            let probabilities = heads.filter(|(_, head)| head.kind == MeasureKind::Event);
            probabilities.filter_map(|(index, head)| {
                let value = compiled.exact_measure_value(index, head)?;
                Some((value, compiled.share_inside_condition(index, head)))
            })
        });
        let trials = exact.map(|(value, share)| {
            let inside = trials_for_standard_error(wanted, [value], largest);
            // More than the largest number become that number.
            ((inside as f64 / share).ceil() as u64).min(largest)
        });
        match trials.max() {
            Some(trials) => trials.max(MIN_TRIALS_OF_CELL),
            None => trials_for_standard_error(wanted, [], largest).max(MIN_TRIALS_OF_CELL),
        }
    }

    /// Makes the trials, from the end of an earlier run until the observer cancels this one.
    fn resume_trials(
        &self,
        trials: u64,
        start: Option<PartialRecord>,
        watch: &dyn SolveObserver,
        keeper: &PeriodicCellSaver<'_>,
    ) -> PartialRecord {
        if self.played {
            trial_pace::announce_played_trials_time(
                self.cell,
                self.trial_count_of_share(trials),
                &self.stream(),
                watch,
            );
        }
        let on = ResumableTrials { work: self, trials, start, watch, keeper };
        let (stream, isa, halt) = (self.stream(), self.settings.isa, watch.cancel_token());
        let combat = &self.cell.played.combat;
        let counters = combat.counter_count();
        match self.graph() {
            _ if self.played => on.resume_or_start(
                PlayedTrialCounts::default(),
                |record| record_to_played_counts(record, counters),
                played_counts_to_record,
                |start, made| {
                    play::resume_play_of_trials(combat, trials, &stream, start, halt, made)
                },
            ),
            // Counts are ordered by the endings of the graph; the stored record names the endings.
            Some(graph) => on.resume_or_start(
                EndingCounts::zero_for_endings(graph.endings().len()),
                |record| record_to_counts(record, graph.endings(), graph.counter_count()),
                |counts| counts_to_record(counts, graph.endings()),
                |start, made| {
                    simulate::resume_unfinished_simulation(
                        &RollableDieGraph::new(graph),
                        trials,
                        &stream,
                        isa,
                        start,
                        halt,
                        made,
                    )
                },
            ),
            None => on.resume_or_start(
                TrialsByEnding::default(),
                |record| record_to_frontier(record, counters),
                frontier_to_record,
                |start, made| {
                    resume_frontier_simulation(combat, trials, &stream, isa, start, halt, made)
                },
            ),
        }
    }

    /// Returns the name of the engine, which is also the name of its stream.
    fn trial_engine_name(&self) -> &'static str {
        match self.graph() {
            _ if self.played => "played",
            Some(_) => "simulated",
            None => "waves",
        }
    }
}

/// Trials of a cell in progress, with any engine.
struct ResumableTrials<'a> {
    work: &'a TrialCellRun<'a>,
    trials: u64,
    /// Partial result of an earlier run.
    start: Option<PartialRecord>,
    watch: &'a dyn SolveObserver,
    keeper: &'a PeriodicCellSaver<'a>,
}

/// Callback after each unit with the result so far and the trials of the unit; false stops the run.
type TrialProgressCallback<'a, T> =
    &'a (dyn Fn(&work_units::PartialWorkResult<T>, u64) -> bool + Sync);

impl ResumableTrials<'_> {
    /// Resumes the start with `run`, if `read` can convert it, or begins without trials; the result
    /// is stored as `write` converts it.
    fn resume_or_start<T: Clone>(
        self,
        none: T,
        read: impl FnOnce(CellTrialCounts) -> Option<T>,
        write: impl Fn(T) -> CellTrialCounts + Sync,
        run: impl FnOnce(
            work_units::PartialWorkResult<T>,
            TrialProgressCallback<'_, T>,
        ) -> work_units::PartialWorkResult<T>,
    ) -> PartialRecord {
        let ResumableTrials { work, trials, start, watch, keeper } = self;
        let (count, each) = work.unit_count_and_trials(trials);
        // A partial result that fits neither the units nor the graph is not resumed.
        let start =
            start.filter(|part| has_plausible_trials(part, each, trials)).and_then(|part| {
                let (pieces, made) = (part.pieces, part.sum.trial_count());
                let sum = read(part.sum)?;
                watch.note_finished_trials(made);
                Some(work_units::PartialWorkResult { pieces, sum })
            });
        let start =
            // Units of other shares count as finished, and so are not made here.
            start.unwrap_or_else(|| work_units::PartialWorkResult { pieces: work.share.units_of_other_shares(count), sum: none });
        let pace = TrialPaceMeter::start_clock(work.trial_count_of_share(trials), work.played);
        let made = |part: &work_units::PartialWorkResult<T>, size| {
            watch.note_finished_trials(size);
            pace.note_trials(size, work.cell, watch);
            keeper.save_if_due_unless_failed(|| part.clone().convert_sum(&write))
                && !watch.cancel_token().is_cancelled()
        };
        run(start, &made).convert_sum(&write)
    }
}
