//! The policy of best play in a contest: a table of situations, its shortest description, and what
//! a simpler rule costs.

mod description;
mod situation;
mod tree;

use crate::answer::Answer;
use crate::error::StudyError;
pub use description::{OneRuleOrRulesByRange, shortest_strategy_description};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::error::SolveError;
use enfilade_engine::graph::CompiledContestLimits;
use enfilade_engine::graph::strategy::{BestPlayStrategy, DecisionSituationRow, solve_best_play};
use enfilade_model::combat::{AnyCombat, Decision, MeanDirection};
pub use situation::{DecisionSituation, OptionByBound};
pub use tree::DecisionTree;

/// Means of options that differ by less than this part of their span are equal.
const MAX_RELATIVE_TIE: f64 = 1e-9;

/// Simpler rules that are evaluated, at most.
const MAX_SIMPLER_RULES: usize = 16;

/// One decision of a contest as best play takes it.
#[derive(Clone, Debug)]
pub struct BestPlayOfDecision {
    /// The decision.
    pub decision: Decision,
    /// Situations that best play reaches, those most visited first.
    pub situations: Vec<DecisionSituation>,
    /// The names of the variables by which situations differ.
    pub names: Vec<String>,
    /// The shortest description that fits.
    pub description: OneRuleOrRulesByRange,
    /// A rule that is simpler.
    pub simpler: Option<SimplerRuleWithGoalMean>,
    /// The mean of the goal.
    pub mean: f64,
}

/// A simpler rule, played against the best play of all others.
#[derive(Clone, Debug)]
pub struct SimplerRuleWithGoalMean {
    /// The rule.
    pub description: OneRuleOrRulesByRange,
    /// The mean of the goal under it.
    pub mean: f64,
}

/// The decisions of the contest of an answer; empty where no one decides.
///
/// # Errors
/// When the contest is too large, or `halt` was cancelled.
pub fn compute_strategies(
    answer: &Answer,
    halt: &CancelToken,
) -> Result<Vec<BestPlayOfDecision>, StudyError> {
    let contest = answer.action.build_contest(&answer.params).map_err(|faults| {
        let problems: Vec<_> = faults.iter().map(|fault| fault.problem.clone()).collect();
        StudyError::Invalid(problems.join("; "))
    })?;
    Ok(best_strategy_per_decision(&contest.combat, halt)?)
}

/// The decisions of a combat.
///
/// # Errors
/// As for [`compute_strategies`].
pub fn best_strategy_per_decision(
    combat: &AnyCombat,
    halt: &CancelToken,
) -> Result<Vec<BestPlayOfDecision>, SolveError> {
    if combat.decisions().is_empty() {
        return Ok(Vec::new());
    }
    let limits = CompiledContestLimits { endless: 1 << 22, ..CompiledContestLimits::default() };
    let solved = solve_best_play(combat, &limits, &|_, _| None, halt)?;
    let mut strategies = Vec::new();
    for (number, decision) in (0..).zip(combat.decisions()) {
        let own = |row: &&DecisionSituationRow| row.chosen.decision == number;
        let rows: Vec<_> = solved.rows.iter().filter(own).collect();
        let (names, mut situations) = group_rows_into_situations(&rows, decision.best);
        if !decision.hidden.is_empty() {
            merge_equal_views(&mut situations);
        }
        let description = shortest_strategy_description(&situations);
        let play = DecisionPlayedByRule { combat, limits: &limits, number, names: &names, halt };
        let simpler = play.find_best_simpler_rule(&situations, &description, decision.best)?;
        strategies.push(BestPlayOfDecision {
            decision: decision.clone(),
            mean: solved.means.get(usize::from(number)).copied().unwrap_or(0.0),
            situations,
            names,
            description,
            simpler,
        });
    }
    Ok(strategies)
}

/// The variables that differ among some rows, and the situations by their values.
fn group_rows_into_situations(
    rows: &[&DecisionSituationRow],
    best: MeanDirection,
) -> (Vec<String>, Vec<DecisionSituation>) {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.variables) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let value = |row: &DecisionSituationRow, name: &String| {
        row.variables.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value)
    };
    names.retain(|name| rows.iter().any(|row| value(row, name) != value(rows[0], name)));
    let situation = |row: &&DecisionSituationRow| DecisionSituation {
        values: names.iter().map(|name| value(row, name)).collect(),
        option: row.chosen.option,
        fits: best_option_bits(&row.chosen.means, best),
        means: row.chosen.means.to_vec(),
        visits: row.visits,
        shares: row.chosen.shares.as_ref().map_or_else(Vec::new, |shares| {
            (1..=row.chosen.means.len() as u8)
                .map(|option| shares.share_of_option(option))
                .collect()
        }),
    };
    let mut situations: Vec<DecisionSituation> = rows.iter().map(situation).collect();
    situations.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(a.values.cmp(&b.values)));
    (names, situations)
}

/// Merges situations that look alike to the player: they decide alike, and their visits add up.
fn merge_equal_views(situations: &mut Vec<DecisionSituation>) {
    let mut views: Vec<DecisionSituation> = Vec::new();
    for situation in situations.drain(..) {
        match views.iter_mut().find(|view| view.values == situation.values) {
            Some(view) => view.visits += situation.visits,
            None => views.push(situation),
        }
    }
    views.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(a.values.cmp(&b.values)));
    *situations = views;
}

/// The options whose mean is the best one, as bits from the first option up.
fn best_option_bits(means: &[f64], best: MeanDirection) -> u64 {
    let toward = |mean: f64| if best == MeanDirection::Highest { mean } else { -mean };
    // The mean of a closed option is not a number, and passes no test.
    let top = means.iter().map(|mean| toward(*mean)).fold(f64::NEG_INFINITY, f64::max);
    let least = means.iter().map(|mean| toward(*mean)).fold(f64::INFINITY, f64::min);
    let near = MAX_RELATIVE_TIE * (top - least).max(top.abs() * MAX_RELATIVE_TIE);
    let fits = means.iter().enumerate().filter(|(_, mean)| top - toward(**mean) <= near);
    fits.fold(0, |bits, (at, _)| bits | 1 << at)
}

/// A decision that is played by a rule.
struct DecisionPlayedByRule<'a> {
    combat: &'a AnyCombat,
    limits: &'a CompiledContestLimits,
    number: u8,
    names: &'a [String],
    halt: &'a CancelToken,
}

impl DecisionPlayedByRule<'_> {
    /// The best of the rules that are simpler than a description, by the mean of the goal.
    fn find_best_simpler_rule(
        &self,
        situations: &[DecisionSituation],
        description: &OneRuleOrRulesByRange,
        best: MeanDirection,
    ) -> Result<Option<SimplerRuleWithGoalMean>, SolveError> {
        let mut simplest_rule: Option<SimplerRuleWithGoalMean> = None;
        for candidate in description.simpler_rules(situations).into_iter().take(MAX_SIMPLER_RULES) {
            let mean = self.goal_mean_under(&candidate)?;
            let is_better = |simpler: &SimplerRuleWithGoalMean| match best {
                MeanDirection::Highest => mean > simpler.mean,
                MeanDirection::Lowest => mean < simpler.mean,
            };
            if simplest_rule.as_ref().is_none_or(is_better) {
                simplest_rule = Some(SimplerRuleWithGoalMean { description: candidate, mean });
            }
        }
        Ok(simplest_rule)
    }

    /// The mean of the goal when the decision follows a rule and all others play best.
    fn goal_mean_under(&self, rule: &OneRuleOrRulesByRange) -> Result<f64, SolveError> {
        let forced = |decision: u8, known: &[(String, i64)]| {
            let value = |name: &String| {
                known.iter().find(|(other, _)| other == name).map_or(0, |(_, value)| *value)
            };
            let values: Vec<i64> = self.names.iter().map(value).collect();
            (decision == self.number).then(|| rule.option_for_values(&values))
        };
        let BestPlayStrategy { means, .. } =
            solve_best_play(self.combat, self.limits, &forced, self.halt)?;
        Ok(means.get(usize::from(self.number)).copied().unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options are equal where rounding alone tells them apart, however large the means are.
    #[test]
    fn a_small_difference_between_large_means_still_decides() {
        let large = [1000.0, 1000.0 - 1e-7];
        assert_eq!(best_option_bits(&large, MeanDirection::Highest), 0b01);
        assert_eq!(best_option_bits(&large, MeanDirection::Lowest), 0b10);
        assert_eq!(best_option_bits(&[0.5, 0.25, 0.5], MeanDirection::Highest), 0b101);
        assert_eq!(best_option_bits(&[0.5, f64::NAN, 0.75], MeanDirection::Lowest), 0b001);
    }
}
