//! Check of played trials that are given up after a few steps, by the law after as many steps.
//!
//! Of a contest that may go on for long, few trials are played to their end. Those that are given
//! up after K steps have a law of their own, which needs neither a graph nor a solved loop.

use std::collections::BTreeMap;

use super::unfinished_trials::{TrialStepLimit, compare_endings_of_trials};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::error::SolveError;
use enfilade_engine::exact::{DistributionWithoutGraph, solve_first_steps};
use enfilade_engine::frontier::{FirstStepsLimits, FrontierLimits};
use enfilade_engine::play;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::work_units::PartialWorkResult;
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_stats::agreement::AgreementVerdict;

/// Largest number of steps, and of states that are stepped from on the way: some seconds of work.
const FIRST_STEPS: FirstStepsLimits = FirstStepsLimits { steps: 4096, expanded_states: 1 << 20 };

/// Largest number of trials, and of steps of all of them.
const MAX_TRIALS: u64 = 1 << 16;
const MAX_STEPS_OF_ALL: u64 = 1 << 26;

/// Plays at most `trials` trials of a combat without decisions for a few steps, and compares where
/// they are with their law. Returns `None` if the steps cannot be followed, or `halt` was raised.
///
/// # Errors
/// If too many states wait at once, or the rule fails.
pub(crate) fn compare_first_steps(
    combat: &AnyCombat,
    trials: u64,
    stream: &ContestRandomStream,
    halt: &CancelToken,
    alpha: f64,
) -> Result<Option<AgreementVerdict>, SolveError> {
    let terms = FrontierLimits { states: None, halt, on_step: &|_| true };
    let Some(reached) = solve_first_steps(combat, &FIRST_STEPS, &terms)? else {
        return Ok(None);
    };
    let steps = reached.extent.steps;
    let trials = trials.min(MAX_TRIALS).min((MAX_STEPS_OF_ALL / steps.max(1)).max(1024));
    let (start, made) = (PartialWorkResult::default(), |_: &_, _| !halt.is_cancelled());
    let played =
        play::resume_play_to_step_limit(combat, trials, steps, stream, start, halt, &made).sum;
    if played.trial_count() < trials {
        return Ok(None);
    }
    let DistributionWithoutGraph { endings, law, .. } = reached;
    let counts = counts_in_order_then_others(&endings, played.endings);
    let limit = TrialStepLimit::Steps(Some(steps));
    Ok(Some(compare_endings_of_trials(&law, &counts, played.unsettled, trials, limit, alpha)))
}

/// Returns the counts of these endings in their order, and then those of all others.
fn counts_in_order_then_others(endings: &[Ending], mut counts: BTreeMap<Ending, u64>) -> Vec<u64> {
    let known: Vec<u64> = endings.iter().map(|ending| counts.remove(ending).unwrap_or(0)).collect();
    known.into_iter().chain(counts.into_values()).collect()
}
