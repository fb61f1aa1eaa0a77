//! Cross-check of the engines: every contest exact, simulated, played and along the frontier.
//!
//! The check covers the engines, the dice, the streams and the merging. All of them share the rule,
//! so the reading of the rulebook is not checked here; worked examples and oracles do that.

use std::collections::BTreeMap;
use std::sync::Arc;

use enfilade_engine::parallel::prelude::*;

use super::experiment::{Experiment, GridCell};
use super::samples;
use super::solve::SolveObserver;
use super::solve::errors::{name_cell_of_error, name_cell_of_rule_error};
pub use super::solve::estimate::compare_tally_means;
use super::solve::unfinished_trials::{
    self, TrialStepLimit, compare_endings_of_trials, trials_and_steps_to_play,
};
use super::solve::{condition_check, first_steps_check, loop_check};
use crate::error::StudyError;
pub use crate::false_alarms::RUN_FALSE_ALARM_BUDGET;
use crate::false_alarms::{
    CHECK_FALSE_ALARM, CONDITION_FALSE_ALARM, FIRST_STEPS_FALSE_ALARM, FRONTIER_FALSE_ALARM,
    TALLY_FALSE_ALARM,
};
use enfilade_engine::error::SolveError;
use enfilade_engine::exact::{
    self, Distribution, DistributionWithoutGraph, MAX_UNFINISHED_FOR_MEAN, solve_without_graph,
};
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::strategy::best_play_cross_check_gap;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::play;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{
    InstructionSet, MAX_LOOP_ROUNDS, RollableDieGraph, resume_frontier_simulation, simulate_trials,
};
use enfilade_engine::work_units::PartialWorkResult;
use enfilade_model::catalogue::{Catalogue, RulebookAction, System};
use enfilade_model::combat::Ending;
use enfilade_stats::agreement::AgreementVerdict;

/// Number of simulated trials per contest.
pub const TRIALS_SIMULATED: u64 = 1 << 25;

/// Number of played trials per contest.
pub const TRIALS_PLAYED: u64 = 1 << 19;

/// Trials per contest of a long check, which detects deviations of 0.005 percentage points.
pub const LONG_TRIALS_SIMULATED: u64 = 10_000_000_000;

/// Number of played trials per contest of a long check.
pub const LONG_TRIALS_PLAYED: u64 = 1 << 22;

/// Settings of a cross-check.
#[derive(Clone, Copy, Debug)]
pub struct CrossCheckSettings {
    /// Seed of every contest.
    pub seed: u64,
    /// Number of simulated trials per contest.
    pub simulated: u64,
    /// Number of played trials per contest.
    pub played: u64,
    /// Instruction set of the resolver.
    pub isa: InstructionSet,
}

/// Results of one contest.
#[derive(Clone, Debug)]
pub struct CrossCheck {
    /// System, action and number of the sample.
    pub name: String,
    /// Number of states of the contest.
    pub states: usize,
    /// Number of nodes of the die graph.
    pub nodes: usize,
    /// Number of outcomes of the distribution.
    pub outcomes: usize,
    /// Comparison of simulated with exact.
    pub simulated: AgreementVerdict,
    /// Comparison of played with exact.
    pub played: AgreementVerdict,
    /// Comparison without a graph; `None` for contests with decisions, which need one.
    pub frontier: Option<FrontierEngineCheck>,
    /// Comparison of the tallies by counter: simulated and played with exact.
    pub tallies: Vec<[AgreementVerdict; 2]>,
    /// Distance, for a contest that may never end, of its distribution from the ranges allowed by
    /// fractions, sweeps and doubled rounds; 0 within them.
    pub loops: Option<f64>,
    /// Distance, for a contest in which players have one goal, of best play from the bounds of
    /// value iteration, or of the best replies to hidden choices; 0 within them.
    pub best_play: Option<f64>,
    /// Cut trials compared with their law, for a contest that may never end, without decisions.
    pub first_steps: Option<AgreementVerdict>,
    /// Comparison of the measures under a condition: simulated with exact.
    pub conditional: Vec<AgreementVerdict>,
}

/// Results of a contest with the frontier engine, run twice: exactly, and by counts of trials.
#[derive(Clone, Debug)]
pub struct FrontierEngineCheck {
    /// Largest distance of the laws of graph and frontier; infinite if their endings differ.
    pub gap: f64,
    /// Comparison of counts with exact.
    pub counts_verdict: AgreementVerdict,
    /// Comparison of the tallies with exact, by counter.
    pub tallies: Vec<AgreementVerdict>,
}

/// Largest allowed distance of two exact distributions: the sum of their errors.
pub const MAX_EXACT_ENGINE_GAP: f64 = 1e-12;

impl FrontierEngineCheck {
    /// Returns whether all comparisons agree.
    pub fn do_comparisons_agree(&self) -> bool {
        let tallies = self.tallies.iter().all(AgreementVerdict::agrees);
        self.gap <= MAX_EXACT_ENGINE_GAP && self.counts_verdict.agrees() && tallies
    }
}

impl CrossCheck {
    /// Returns whether all engines agree.
    pub fn do_all_engines_agree(&self) -> bool {
        let tallies = self.tallies.iter().flatten().all(AgreementVerdict::agrees);
        let waves = self.frontier.as_ref().is_none_or(FrontierEngineCheck::do_comparisons_agree);
        let mut distances = self.loops.iter().chain(&self.best_play);
        let loops = distances.all(|beyond| *beyond == 0.0);
        let others = self.first_steps.iter().chain(&self.conditional);
        let others = others.chain([&self.simulated, &self.played]).all(AgreementVerdict::agrees);
        tallies && waves && loops && others
    }
}

/// Returns the samples of every action, or of the actions of one system, as cells.
///
/// # Errors
/// If a sample does not fit its own action: a mistake of the rule system, which tests detect.
pub fn cells_of_rulebook_samples(
    catalogue: &Catalogue,
    only: Option<&System>,
) -> Result<Vec<GridCell>, StudyError> {
    let chosen = |system: &&Arc<System>| only.is_none_or(|only| only.id == system.id);
    let mut cells = Vec::new();
    for system in catalogue.rulebooks_created_on_demand().filter(chosen) {
        for action in &system.actions {
            for position in 0..action.samples.iter().count() {
                for cell in cells_of_sample(catalogue, system, action, position)? {
                    let index = cells.len();
                    cells.push(GridCell { index, ..cell });
                }
            }
        }
    }
    Ok(cells)
}

/// Returns the sample at index `position` of an action, as cells.
///
/// # Errors
/// In the cases of [`samples`].
pub fn cells_of_sample(
    catalogue: &Catalogue,
    system: &System,
    action: &RulebookAction,
    position: usize,
) -> Result<Vec<GridCell>, StudyError> {
    let text = action.samples.get(position).unwrap_or_default();
    let name = format!("{} {}, sample {}", system.id, action.name, position + 1);
    let read = Experiment::read_experiment_text(
        catalogue,
        &name,
        &samples::contest_file_of_sample(system, action, text),
    )?;
    Ok(read.cells.into_iter().map(|cell| GridCell { name: name.clone(), ..cell }).collect())
}

/// Returns why a contest of a rulebook from files cannot be compared, if it cannot: its minimal
/// contest may be a whole battle, with more states than the graph of the comparison can have, or
/// may never end. For a built-in contest either would be a mistake.
pub fn find_comparison_obstacle(cell: &GridCell) -> Option<&'static str> {
    if !cell.system.is_from_text() {
        return None;
    }
    match DieGraph::compile_within_limits(&cell.played.combat, CompiledContestLimits::default()) {
        Err(SolveError::TooLarge(_)) => {
            Some("more states than a graph holds, a smaller `example` is compared")
        }
        Ok(graph) if leaves_too_much_unfinished(&exact::solve_graph_distribution(&graph)) => {
            Some("it may go on for ever, or nearly")
        }
        _ => None,
    }
}

/// Returns whether too many trials are unfinished when they are given up to compare the rest.
fn leaves_too_much_unfinished(law: &Distribution) -> bool {
    law.unsettled > MAX_UNFINISHED_FOR_MEAN || law.steps > f64::from(MAX_LOOP_ROUNDS)
}

/// Plays every cell with all engines, on the threads of the current rayon pool. Cells not reached
/// when the observer cancels the work are left out.
///
/// # Errors
/// If a cell is too large to be compiled, or its rule fails.
pub fn cross_check_cells(
    cells: &[GridCell],
    gate: &CrossCheckSettings,
    watch: &dyn SolveObserver,
) -> Result<Vec<CrossCheck>, StudyError> {
    let checked = cells.par_iter().map(|cell| {
        let check = cross_check_cell(cell, gate, watch)?;
        watch.note_answered_cell(cell.index);
        Ok(check)
    });
    let checked: Result<Vec<_>, StudyError> = checked.collect();
    Ok(checked?.into_iter().flatten().collect())
}

fn cross_check_cell(
    cell: &GridCell,
    gate: &CrossCheckSettings,
    watch: &dyn SolveObserver,
) -> Result<Option<CrossCheck>, StudyError> {
    let combat = &cell.played.combat;
    let graph = DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .map_err(|why| name_cell_of_error(cell, why))?;
    let law = exact::solve_graph_distribution(&graph);
    let stream =
        ContestRandomStream { seed: gate.seed, fingerprint: cell.fingerprint_of_contest() };
    let contest = CrossCheckContest { cell, graph: &graph, law: &law, gate, stream, watch };
    let Some(SimulatedCheck { law: simulated, tallies: counted, conditional }) =
        contest.check_simulated_counts()
    else {
        return Ok(None);
    };
    let played = contest.check_played_counts();
    // Checked first: a rule that fails ends the trials early, as a cancellation does.
    if let Some(error) = combat.recorded_rule_fault() {
        return Err(name_cell_of_rule_error(cell, error));
    }
    let Some((played, told)) = played else {
        return Ok(None);
    };
    // Decisions are solved backwards, so the frontier engine cannot play them.
    let waves = match combat.decisions().is_empty() {
        true => contest.check_frontier_engine()?.map(Some),
        false => Some(None),
    };
    let Some(waves) = waves else {
        return Ok(None);
    };
    let first_steps = match law.bound > 0.0 && combat.decisions().is_empty() {
        true => contest.check_first_steps()?,
        false => None,
    };
    Ok(Some(CrossCheck {
        name: cell.name.clone(),
        states: graph.reached_state_count(),
        nodes: graph.dice_count(),
        outcomes: graph.endings().len(),
        simulated,
        played,
        frontier: waves,
        tallies: counted.into_iter().zip(told).map(Into::into).collect(),
        loops: loop_check::distance_outside_other_ranges(&graph, &law, watch.cancel_token()),
        best_play: contest.check_best_play()?,
        first_steps,
        conditional,
    }))
}

/// Contest with its exact distribution.
struct CrossCheckContest<'a> {
    cell: &'a GridCell,
    graph: &'a DieGraph,
    law: &'a Distribution,
    gate: &'a CrossCheckSettings,
    stream: ContestRandomStream,
    watch: &'a dyn SolveObserver,
}

/// Comparisons of simulated trials.
struct SimulatedCheck {
    law: AgreementVerdict,
    tallies: Vec<AgreementVerdict>,
    conditional: Vec<AgreementVerdict>,
}

impl CrossCheckContest<'_> {
    fn check_simulated_counts(&self) -> Option<SimulatedCheck> {
        let CrossCheckContest { law, gate, stream, watch, .. } = self;
        let is_done = |made| {
            watch.note_finished_trials(made);
            !watch.cancel_token().is_cancelled()
        };
        let plan = RollableDieGraph::new(self.graph);
        let counts = simulate_trials(&plan, gate.simulated, stream, gate.isa, &is_done)?;
        let (open, trials) = (counts.unsettled, gate.simulated);
        let tallies = unfinished_trials::compare_tallies_unless_broken_off(
            law,
            &counts.tallies,
            open,
            trials,
            TALLY_FALSE_ALARM,
        );
        // Of trials that were broken off nobody knows whether they meet a condition.
        let conditional = match unfinished_trials::may_include_broken_off(law, open) {
            true => Vec::new(),
            false => self.compare_conditional_measures(&counts.endings),
        };
        let law = test_counts_against_exact(law, counts.endings, open, trials);
        Some(SimulatedCheck { law, tallies, conditional })
    }

    fn compare_conditional_measures(&self, counts: &[u64]) -> Vec<AgreementVerdict> {
        let heads = self.cell.played.combat.measures().iter().map(AsRef::as_ref);
        let endings = self.graph.endings();
        condition_check::compare_conditional_measures(
            self.law,
            endings,
            heads,
            counts,
            CONDITION_FALSE_ALARM,
        )
    }

    /// Returns `None` if nobody decides, or players have different goals.
    fn check_best_play(&self) -> Result<Option<f64>, StudyError> {
        let combat = &self.cell.played.combat;
        if combat.decisions().is_empty() {
            return Ok(None);
        }
        let halt = self.watch.cancel_token();
        match best_play_cross_check_gap(combat, &CompiledContestLimits::default(), halt) {
            Err(SolveError::Cancelled) => Ok(None),
            found => found.map_err(|why| name_cell_of_error(self.cell, why)),
        }
    }

    /// Returns `None` if the steps cannot be followed, or the observer cancelled the work.
    fn check_first_steps(&self) -> Result<Option<AgreementVerdict>, StudyError> {
        let CrossCheckContest { cell, gate, stream, watch, .. } = self;
        let halt = watch.cancel_token();
        let combat = &cell.played.combat;
        let alpha = FIRST_STEPS_FALSE_ALARM;
        match first_steps_check::compare_first_steps(combat, gate.played, stream, halt, alpha) {
            Err(SolveError::Cancelled) => Ok(None),
            found => found.map_err(|why| name_cell_of_error(cell, why)),
        }
    }

    fn check_played_counts(&self) -> Option<(AgreementVerdict, Vec<AgreementVerdict>)> {
        let CrossCheckContest { law, gate, stream, watch, .. } = self;
        let combat = &self.cell.played.combat;
        let (start, halt) = (PartialWorkResult::default(), watch.cancel_token());
        let made = |_: &_, _| !halt.is_cancelled();
        let (trials, steps) = trials_and_steps_to_play(law, gate.played);
        let tally =
            play::resume_play_to_step_limit(combat, trials, steps, stream, start, halt, &made).sum;
        if tally.trial_count() < trials {
            return None;
        }
        watch.note_finished_trials(trials);
        let counts = self.counts_in_graph_order(&tally.endings);
        let sums: Vec<i128> = tally.totals.iter().map(|total| total.sum).collect();
        let tallies = unfinished_trials::compare_tallies_unless_broken_off(
            law,
            &sums,
            tally.unsettled,
            trials,
            TALLY_FALSE_ALARM,
        );
        let patience = TrialStepLimit::Steps(Some(steps));
        Some((
            compare_endings_of_trials(
                law,
                &counts,
                tally.unsettled,
                trials,
                patience,
                CHECK_FALSE_ALARM,
            ),
            tallies,
        ))
    }

    /// Returns `None` if the observer cancelled the work.
    fn check_frontier_engine(&self) -> Result<Option<FrontierEngineCheck>, StudyError> {
        let CrossCheckContest { cell, law, gate, watch, .. } = self;
        let combat = &cell.played.combat;
        let terms = FrontierLimits { states: None, halt: watch.cancel_token(), on_step: &|_| true };
        let frontier = match solve_without_graph(combat, &terms) {
            Ok(frontier) => frontier,
            Err(SolveError::Cancelled) => return Ok(None),
            Err(why) => return Err(name_cell_of_error(cell, why)),
        };
        let (start, halt, stream) =
            (PartialWorkResult::default(), watch.cancel_token(), &self.stream);
        let resumed = resume_frontier_simulation(
            combat,
            gate.played,
            stream,
            gate.isa,
            start,
            halt,
            &|_, _| true,
        );
        // Only a cancellation leaves trials out.
        if resumed.sum.trial_count() < gate.played {
            return Ok(None);
        }
        watch.note_finished_trials(gate.played);
        let (counts, open) =
            (self.counts_in_graph_order(&resumed.sum.endings), resumed.sum.unsettled);
        Ok(Some(FrontierEngineCheck {
            gap: largest_graph_frontier_difference(self.graph, law, &frontier),
            counts_verdict: test_counts_at_error_level(
                law,
                counts,
                open,
                gate.played,
                FRONTIER_FALSE_ALARM,
            ),
            tallies: unfinished_trials::compare_tallies_unless_broken_off(
                law,
                &resumed.sum.tallies,
                open,
                gate.played,
                FRONTIER_FALSE_ALARM,
            ),
        }))
    }

    /// Returns the counts of endings in the order of the graph.
    fn counts_in_graph_order(&self, counts: &BTreeMap<Ending, u64>) -> Vec<u64> {
        let count = |ending| counts.get(ending).copied().unwrap_or(0);
        self.graph.endings().iter().map(count).collect()
    }
}

/// Computes the largest distance of the distributions of graph and frontier: in a probability, or
/// in the mean of a tally, relative to it where it is above 1. Infinite if the endings differ.
pub fn largest_graph_frontier_difference(
    graph: &DieGraph,
    law: &Distribution,
    distribution: &DistributionWithoutGraph,
) -> f64 {
    let same = distribution.endings == graph.endings()
        && distribution.law.tallies.len() == law.tallies.len();
    if !same {
        return f64::INFINITY;
    }
    // The frontier stops after a number of steps: what is unfinished may still end, or never.
    let open = (distribution.law.unsettled - law.unfinished_probability()).max(0.0);
    let lacks = |solved: f64, waded: f64| (waded - solved).max(solved - waded - open).max(0.0);
    let both = law.probabilities.iter().zip(&distribution.law.probabilities);
    let chances = both.map(|(solved, waded)| lacks(*solved, *waded));
    let both = law.tallies.iter().zip(&distribution.law.tallies);
    // A tally that grows for ever has no mean, and an unfinished trial has tallied too little.
    let both =
        both.filter(|(solved, _)| solved.mean.is_finite() && open <= MAX_UNFINISHED_FOR_MEAN);
    let means = both.map(|(a, b)| (a.mean - b.mean).abs() / a.mean.abs().max(1.0));
    let unsettled = (law.unfinished_probability() - distribution.law.unsettled).max(0.0);
    chances.chain(means).fold(unsettled, f64::max)
}

/// Compares counts with the distribution. Counts that do not add up to the trials, because a batch
/// is lost or an ending is not in the graph, never agree.
pub fn test_counts_against_exact(
    law: &Distribution,
    counts: Vec<u64>,
    unsettled: u64,
    trials: u64,
) -> AgreementVerdict {
    test_counts_at_error_level(law, counts, unsettled, trials, CHECK_FALSE_ALARM)
}

fn test_counts_at_error_level(
    law: &Distribution,
    counts: Vec<u64>,
    unsettled: u64,
    trials: u64,
    alpha: f64,
) -> AgreementVerdict {
    compare_endings_of_trials(law, &counts, unsettled, trials, TrialStepLimit::Rounds, alpha)
}
