//! The one goal of all players of a contest.

use super::endless_loops::{
    MaximizerOrMinimizer, build_two_goals_error, find_common_goal_and_deciders,
};
use super::goal_source::GoalFieldOrMeasure;
use super::{DecisionGoals, TransitionSystem};
use enfilade_model::combat::AnyCombat;
use enfilade_model::error::RuleRuntimeError;

/// Goal of all decisions of a contest, which one player wants high and the other low.
pub(in crate::graph) struct ZeroSumGoal {
    /// Number of an ending that is the goal.
    pub(in crate::graph) source: GoalFieldOrMeasure,
    /// By decision: the player who takes it.
    pub(in crate::graph) sides: Vec<MaximizerOrMinimizer>,
    /// Least and greatest value of a trial; one that never ends adds 0.
    pub(in crate::graph) range: [f64; 2],
}

impl ZeroSumGoal {
    /// Finds the goal; `None` where players have different goals.
    ///
    /// # Errors
    /// When a decision is about an outcome field that does not exist.
    pub(in crate::graph) fn derive_from_decisions(
        transitions: &TransitionSystem,
        combat: &AnyCombat,
    ) -> Result<Option<ZeroSumGoal>, RuleRuntimeError> {
        let goals = DecisionGoals::from_combat(combat)?;
        let decisions: Vec<_> = (0..goals.decisions.len() as u8).map(Some).collect();
        let endings = transitions.endings.iter().map(|(ending, _)| ending);
        let found = find_common_goal_and_deciders(
            &decisions,
            &goals,
            endings.clone(),
            build_two_goals_error,
        );
        let Ok((goal, sides)) = found else { return Ok(None) };
        let source = goals.fields[goal];
        let values = endings.map(|ending| f64::from(source.value_of_ending(ending)));
        let range = values
            .fold([0.0, 0.0], |[low, high]: [f64; 2], value| [low.min(value), high.max(value)]);
        Ok(Some(ZeroSumGoal { source, sides: sides.into_iter().flatten().collect(), range }))
    }

    /// Returns the distance between the best and the worst ending, at least 1.
    pub(in crate::graph) fn range_width(&self) -> f64 {
        (self.range[1] - self.range[0]).max(1.0)
    }
}
