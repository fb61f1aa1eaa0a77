//! The law of one tally by itself, layer by layer.

use crate::answer::Answer;
use crate::error::StudyError;
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::exact::solve_graph_unless_cancelled;
use enfilade_engine::exact::tally_layers::solve_tally_layers;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

/// Law of a tally among the trials that end in a certain way.
#[derive(Clone, Debug)]
pub struct TallyDistributionByEnding {
    /// Probability of each number from 0, among these trials.
    pub chances: Vec<f64>,
    /// Probability of more than the last of them.
    pub more: f64,
    /// Probability of ending in that way.
    pub share: f64,
}

/// Computes the law of the tally under `counter` in the contest of an answer, among the endings
/// whose fields are `wanted`. `None` where the tally counts down, or `halt` was cancelled.
///
/// # Errors
/// When the contest has no graph.
pub fn tally_distribution_in_endings(
    answer: &Answer,
    counter: u8,
    is_wanted: impl Fn(&[i32]) -> bool,
    halt: &CancelToken,
) -> Result<Option<TallyDistributionByEnding>, StudyError> {
    let contest = answer.action.build_contest(&answer.params).map_err(|faults| {
        StudyError::Invalid(
            faults.iter().map(|fault| fault.problem.clone()).collect::<Vec<_>>().join("; "),
        )
    })?;
    let limits = CompiledContestLimits { endless: 1 << 22, ..CompiledContestLimits::default() };
    let graph = DieGraph::compile_or_share_same_graph(&contest.combat, &limits, halt)?;
    let columns = answer.fields.len();
    let wanted = |ending: usize| is_wanted(&graph.endings()[ending].fields[..columns]);
    let Some((law, layers)) =
        solve_graph_unless_cancelled(&graph, halt).zip(solve_tally_layers(&graph, counter, halt))
    else {
        return Ok(None);
    };
    let inside = law.probabilities.iter().enumerate().filter(|(ending, _)| wanted(*ending));
    let share: f64 = inside.map(|(_, p)| p).sum();
    if share <= 0.0 {
        return Ok(Some(TallyDistributionByEnding { chances: Vec::new(), more: 0.0, share: 0.0 }));
    }
    let chance = |probabilities: &Vec<f64>| {
        let inside = probabilities.iter().enumerate().filter(|(ending, _)| wanted(*ending));
        inside.map(|(_, p)| p).sum::<f64>() / share
    };
    let chances: Vec<f64> = layers.endings_by_layer.iter().map(chance).collect();
    let more = (1.0 - chances.iter().sum::<f64>()).max(0.0);
    Ok(Some(TallyDistributionByEnding { chances, more, share }))
}
