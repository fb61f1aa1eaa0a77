//! Choices that the other player does not see.
//!
//! Places that look alike to who decides there are one view, and in it a mixture of options is
//! chosen. The smallest part of the game that contains whole views is solved at once: a linear
//! program finds the best mixtures of both players (`sequence_form`), and best answers check them
//! (`best_answer`). Each mixture becomes dice, so everything behind this module sees dice alone.

mod best_answer;
mod regions;
mod sequence_form;
pub(in crate::graph) mod simplex;

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;

use super::endless_loops::{MaximizerOrMinimizer, find_common_goal_and_deciders};
use super::{DecisionGoals, DecisionSolver, GoalMeansAtVertex};
use crate::graph::explore::NextRollOrState;
use crate::graph::fraction::Fraction;
use best_answer::{CheckedRegionVertex, RegionWithOptionShares};
use enfilade_model::combat::{ChosenOptionWithMeans, OptionShares};
use enfilade_model::error::RuleRuntimeError;

use crate::error::SolveError;
use enfilade_model::form::Fault;
use regions::ViewId;
pub(super) use regions::{ComponentHiddenChoiceStatus, HiddenChoiceRegion, HiddenChoiceViews};
use sequence_form::{OptionWeightsByView, PlayerId, PlayerViews, SequenceFormGame, SequenceId};

/// Largest number of sequences of both players.
const MAX_CHOICE_SEQUENCES: usize = 4096;

/// Largest number of pairs of sequences on the way through a region.
const MAX_SEQUENCE_PAIRS: usize = 1 << 21;

/// Largest difference of the two best answers, as a share of the goal's span.
const MAX_BEST_REPLY_GAP: f64 = 1e-9;

/// Region while it is solved.
struct RegionGoalWithPlayers<'r> {
    region: &'r HiddenChoiceRegion,
    goal: usize,
    /// Player by decision.
    players: FxHashMap<u8, PlayerId>,
}

/// Shares of the options by view.
type ViewShares = FxHashMap<ViewId, Arc<OptionShares>>;

impl DecisionSolver<'_> {
    /// Solves the hidden choices of a region, and sets the values of all its places.
    pub(super) fn solve_hidden_choices(
        &mut self,
        unseen: &HiddenChoiceViews,
        region: &HiddenChoiceRegion,
    ) -> Result<(), SolveError> {
        let game = self.find_goal_and_sides(region)?;
        let (sequences, least) = self.build_sequence_game(unseen, &game)?;
        let mixtures =
            sequences.solve_mixtures(&least, self.halt)?.ok_or_else(no_convergence_error)?;
        let shares: ViewShares = match mixtures {
            OptionWeightsByView::Exact(of) => {
                let fill = |at: &ViewId, of: &[Fraction]| {
                    self.weights_with_closed_options(unseen, *at, of, Fraction::zero())
                };
                of.iter().map(|(at, of)| (*at, shares_from_fractions(&fill(at, of)))).collect()
            }
            OptionWeightsByView::Rounded(of) => {
                let fill = |at: &ViewId, of: &[f64]| {
                    self.weights_with_closed_options(unseen, *at, of, 0.0)
                };
                of.iter().map(|(at, of)| (*at, shares_from_weights(&fill(at, of)))).collect()
            }
        };
        self.set_region_means(unseen, region, &shares);
        let checked = self.region_for_check(unseen, &game, &shares);
        self.check_best_replies(&game, &checked)?;
        self.set_region_options(unseen, &game, &shares, &checked);
        Ok(())
    }

    /// Returns the weights by option of a view, given those of the open ones.
    fn weights_with_closed_options<N: Clone>(
        &self,
        unseen: &HiddenChoiceViews,
        view: ViewId,
        weights: &[N],
        zero: N,
    ) -> Vec<N> {
        let choice = &self.system.choices[unseen.views[view as usize][0] as usize];
        let count = self.goals.decisions[usize::from(choice.decision)].options.len();
        choice.fill_values_for_closed(count, weights.iter().cloned(), zero)
    }

    /// Returns the one goal of a region, and who decides for which side of it.
    fn find_goal_and_sides<'r>(
        &self,
        region: &'r HiddenChoiceRegion,
    ) -> Result<RegionGoalWithPlayers<'r>, SolveError> {
        let decision = |place: &NextRollOrState| match place {
            NextRollOrState::Choice(choice) => Some(self.system.choices[*choice as usize].decision),
            _ => None,
        };
        let mut decisions: Vec<u8> = region.places.iter().filter_map(decision).collect();
        decisions.sort_unstable();
        decisions.dedup();
        let wanted: Vec<Option<u8>> = decisions.iter().copied().map(Some).collect();
        let endings = self.system.endings.iter().map(|(end, _)| end);
        let (goal, sides) =
            find_common_goal_and_deciders(&wanted, self.goals, endings, build_two_goals_error)?;
        let player = |side: Option<MaximizerOrMinimizer>| {
            usize::from(side == Some(MaximizerOrMinimizer::Low))
        };
        let players = decisions.into_iter().zip(sides.into_iter().map(player)).collect();
        Ok(RegionGoalWithPlayers { region, goal, players })
    }

    /// Follows the region from its beginning: all pairs of sequences that end it, and the least
    /// worth of an end.
    fn build_sequence_game(
        &self,
        unseen: &HiddenChoiceViews,
        game: &RegionGoalWithPlayers<'_>,
    ) -> Result<(SequenceFormGame, Fraction), SolveError> {
        let mut sequences = SequenceFormGame::default();
        let mut coming: FxHashMap<NextRollOrState, BTreeMap<[SequenceId; 2], Fraction>> =
            game.region.places.iter().map(|place| (*place, BTreeMap::new())).collect();
        coming.insert(game.region.places[0], BTreeMap::from([([0, 0], Fraction::from(1))]));
        let (mut least, mut pairs) = (None::<Fraction>, 0);
        for place in &game.region.places {
            self.halt.check_not_cancelled()?;
            for (after, share) in coming.remove(place).unwrap_or_default() {
                for (to, after, share) in self.targets_with_sequences(
                    unseen,
                    game,
                    &mut sequences,
                    *place,
                    after,
                    &share,
                )? {
                    pairs += 1;
                    if let Some(at) = coming.get_mut(&to) {
                        let sum = at.entry(after).or_insert_with(Fraction::zero);
                        *sum = &*sum + &share;
                        continue;
                    }
                    let worth = &self.expect_solved_means(to)[game.goal];
                    sequences.add_ending_worth(after, &share, worth);
                    least = Some(least.map_or(worth.clone(), |least| least.min(worth.clone())));
                }
            }
            if is_too_large(sequences.total_sequence_count(), pairs) {
                return Err(too_many_sequences_error(&sequences).into());
            }
        }
        Ok((sequences, least.unwrap_or_else(Fraction::zero)))
    }

    /// Returns the targets of a place with the sequences of both players there, and their shares.
    fn targets_with_sequences(
        &self,
        unseen: &HiddenChoiceViews,
        game: &RegionGoalWithPlayers<'_>,
        sequences: &mut SequenceFormGame,
        place: NextRollOrState,
        after: [SequenceId; 2],
        share: &Fraction,
    ) -> Result<Vec<(NextRollOrState, [SequenceId; 2], Fraction)>, SolveError> {
        match place {
            NextRollOrState::Choice(choice) => {
                let at = &self.system.choices[choice as usize];
                let (view, player) = (unseen.view_of[choice as usize], game.players[&at.decision]);
                let count = at.options.len() as u32;
                let sequence =
                    sequences.players[player].find_or_add_view(view, after[player], count);
                if sequence.parent != after[player] {
                    let views = &sequences.players[player];
                    return Err(self.imperfect_recall_error(
                        unseen,
                        at.decision,
                        views,
                        after[player],
                        sequence.parent,
                    ));
                }
                let mut alike = unseen.views[view as usize].iter();
                if alike.any(|other| self.system.choices[*other as usize].open != at.open) {
                    return Err(options_reveal_hidden_error(self.goals, at.decision).into());
                }
                let options = at.options.iter().enumerate().map(|(option, to)| {
                    let mut after = after;
                    after[player] = PlayerViews::sequence_after_option(sequence, option);
                    (*to, after, share.clone())
                });
                Ok(options.collect())
            }
            NextRollOrState::Die(die) => {
                let dice = self.system.dice.as_list();
                let branches = dice.branches(die as usize).iter().map(|branch| {
                    let part = Fraction::ratio_of_u8(branch.faces, dice.sides(die as usize));
                    (branch.to, after, share * &part)
                });
                Ok(branches.collect())
            }
            _ => Ok(self.places.successors(place).map(|to| (to, after, share.clone())).collect()),
        }
    }

    /// Returns the error for a player who comes to a view by two sequences.
    fn imperfect_recall_error(
        &self,
        unseen: &HiddenChoiceViews,
        decision: u8,
        views: &PlayerViews,
        one: SequenceId,
        other: SequenceId,
    ) -> SolveError {
        let named = |decision: u8| self.goals.decisions[decision as usize].name.clone();
        let earlier = |sequence: SequenceId| {
            let choice = unseen.views[views.view_of_last_option(sequence)? as usize][0];
            Some(self.system.choices[choice as usize].decision)
        };
        let before = earlier(one.max(other)).map_or_else(|| named(decision), named);
        let verb = match views.view_of_last_option(one) == views.view_of_last_option(other) {
            true => "chose",
            false => "saw",
        };
        let problem =
            format!("{}: the player no longer knows what they {verb} at {before}", named(decision));
        let help = "keep it in a variable that a later line reads, and that is not in `blind to`";
        RuleRuntimeError::new(Fault::new("", problem).with_help(help)).into()
    }

    /// Sets the means of all places of a region, where options have shares.
    fn set_region_means(
        &mut self,
        unseen: &HiddenChoiceViews,
        region: &HiddenChoiceRegion,
        shares: &ViewShares,
    ) {
        for &place in region.places.iter().rev() {
            let means = match place {
                NextRollOrState::Choice(choice) => {
                    let shares = &shares[&unseen.view_of[choice as usize]];
                    self.mean_of_mixed_options(choice, shares)
                }
                _ => self.solve_single_vertex(place),
            };
            self.means[self.places.index_of(place)] = Some(means);
        }
    }

    fn mean_of_mixed_options(&self, choice: u32, shares: &OptionShares) -> GoalMeansAtVertex {
        let mut sums = self.goals.zero_goal_means().to_vec();
        for (option, to) in self.system.choices[choice as usize].numbered_options() {
            let parts = shares.parts_of_option(option);
            if parts > 0 {
                let share = Fraction::ratio_of_u64(parts, shares.total_part_count());
                for (sum, mean) in sums.iter_mut().zip(self.expect_solved_means(to).iter()) {
                    *sum = &*sum + &(mean * &share);
                }
            }
        }
        sums.into()
    }

    /// Returns a region for its check, in numbers of 64 bits.
    fn region_for_check(
        &self,
        unseen: &HiddenChoiceViews,
        game: &RegionGoalWithPlayers<'_>,
        shares: &ViewShares,
    ) -> RegionWithOptionShares {
        let describe = |place: NextRollOrState| {
            let (mut choice, mut ways) = (None, Vec::new());
            match place {
                NextRollOrState::Choice(at) => {
                    let view = unseen.view_of[at as usize];
                    let at = &self.system.choices[at as usize];
                    let parts = at.open.iter().map(|option| shares[&view].share_of_option(option));
                    choice = Some((game.players[&at.decision], view, parts.collect()));
                    ways.extend(at.options.iter().map(|to| (*to, 1.0)));
                }
                NextRollOrState::Die(die) => {
                    let dice = self.system.dice.as_list();
                    let sides = f64::from(dice.sides(die as usize));
                    let branches = dice.branches(die as usize).iter();
                    ways.extend(
                        branches.map(|branch| (branch.to, f64::from(branch.faces) / sides)),
                    );
                }
                _ => ways.extend(self.places.successors(place).map(|to| (to, 1.0))),
            }
            CheckedRegionVertex { choice, ways }
        };
        RegionWithOptionShares::new(game.region, describe, |to| {
            self.expect_solved_means(to)[game.goal].to_f64()
        })
    }

    /// Checks that neither player gains by any other answer to the other's mixtures.
    fn check_best_replies(
        &self,
        game: &RegionGoalWithPlayers<'_>,
        checked: &RegionWithOptionShares,
    ) -> Result<(), SolveError> {
        let worth = self.expect_solved_means(game.region.places[0])[game.goal].to_f64();
        let most = MAX_BEST_REPLY_GAP * self.goal_range_width(game.goal);
        let [high, low] = [0, 1].map(|player| checked.best_reply_worth(player));
        if (high - worth).abs() <= most && (worth - low).abs() <= most {
            return Ok(());
        }
        let problem = format!(
            "hidden choices are solved badly: {worth} is between the best answers {low} and {high}"
        );
        let help = "have fewer hidden choices, or smaller numbers";
        Err(RuleRuntimeError::new(Fault::new("", problem).with_help(help)).into())
    }

    /// Sets the options of all choices of a region: by view, with the mean of each option over all
    /// places that look alike.
    fn set_region_options(
        &mut self,
        unseen: &HiddenChoiceViews,
        game: &RegionGoalWithPlayers<'_>,
        shares: &ViewShares,
        checked: &RegionWithOptionShares,
    ) {
        let reach = [0, 1].map(|player| checked.counterfactual_reach_by_vertex(player));
        let mut sums: FxHashMap<ViewId, (f64, Vec<f64>)> = FxHashMap::default();
        let choices = || {
            game.region.places.iter().enumerate().filter_map(|(at, place)| match place {
                NextRollOrState::Choice(choice) => Some((at, *choice)),
                _ => None,
            })
        };
        for (at, choice) in choices() {
            let chosen = &self.system.choices[choice as usize];
            let own = self.goals.of[chosen.decision as usize];
            // Where nobody comes, all places count alike.
            let weight = reach[game.players[&chosen.decision]][at].max(f64::MIN_POSITIVE);
            let view = unseen.view_of[choice as usize];
            let count = chosen.options.len();
            let (all, means) = sums.entry(view).or_insert_with(|| (0.0, vec![0.0; count]));
            *all += weight;
            for (sum, to) in means.iter_mut().zip(&chosen.options) {
                *sum += weight * self.expect_solved_means(*to)[own].to_f64();
            }
        }
        for (_, choice) in choices() {
            let view = unseen.view_of[choice as usize];
            let (all, means) = &sums[&view];
            let shares = &shares[&view];
            let option = shares.likeliest_option();
            self.decided[choice as usize] = Some(ChosenOptionWithMeans {
                decision: self.system.choices[choice as usize].decision,
                option,
                means: self.fill_closed_options_with_nan(choice, means.iter().map(|sum| sum / all)),
                shares: (shares.parts_of_option(option) < shares.total_part_count())
                    .then(|| Arc::clone(shares)),
            });
        }
    }
}

/// Returns shares in the ratio of weights: exact where dice have their denominator.
fn shares_from_fractions(weights: &[Fraction]) -> Arc<OptionShares> {
    let exact = || {
        let common = weights.iter().fold(UBig::ONE, |all, weight| {
            let (_, below) = weight.as_parts();
            let shared = (&all).gcd(below);
            all * below / shared
        });
        let whole = |weight: &Fraction| {
            let (above, below) = weight.as_parts();
            above * IBig::from(common.clone()) / IBig::from(below.clone())
        };
        let parts: Vec<IBig> = weights.iter().map(whole).collect();
        let some = parts.iter().filter(|part| **part != IBig::ZERO);
        let shared = some.cloned().reduce(|all, part| IBig::from(all.gcd(part)))?;
        let parts: Option<Vec<u64>> =
            parts.iter().map(|part| u64::try_from(part / &shared).ok()).collect();
        OptionShares::from_parts(&parts?)
    };
    let rounded =
        || shares_from_weights(&weights.iter().map(Fraction::to_f64).collect::<Vec<f64>>());
    exact().map_or_else(rounded, Arc::new)
}

/// Least share of an option; anything below is rounding.
const MIN_OPTION_SHARE: f64 = 1e-10;

/// Returns shares in the ratio of weights. Where a player never comes, the first option is taken.
fn shares_from_weights(weights: &[f64]) -> Arc<OptionShares> {
    let sum: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
    let mut shares: Vec<f64> = weights
        .iter()
        .map(
            |weight| {
                if *weight > MIN_OPTION_SHARE * sum.max(MIN_OPTION_SHARE) { *weight } else { 0.0 }
            },
        )
        .collect();
    if shares.iter().sum::<f64>() <= 0.0 {
        shares[0] = 1.0;
    }
    Arc::new(OptionShares::from_rounded_weights(&shares))
}

fn build_two_goals_error(goals: &DecisionGoals<'_>, first: u8, second: u8) -> RuleRuntimeError {
    let name = |decision: u8| {
        let decision = &goals.decisions[decision as usize];
        format!("`{}` ({})", decision.goal, decision.name)
    };
    let (first, second) = (name(first), name(second));
    let problem = format!("players who hide choices have different goals: {first} and {second}");
    let help = "let both decide about one `show`, one for highest, one for lowest";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

fn options_reveal_hidden_error(goals: &DecisionGoals<'_>, decision: u8) -> RuleRuntimeError {
    let decision = &goals.decisions[decision as usize];
    let hidden: Vec<String> = decision.hidden.iter().map(|name| format!("`{name}`")).collect();
    let problem = format!(
        "{}: {} is hidden here and decides which options are open",
        decision.name,
        hidden.join(", ")
    );
    let help = "offer the same options whatever is hidden, or remove the name from `blind to`";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

/// Returns whether a region has too many sequences, or pairs of them.
fn is_too_large(sequences: usize, pairs: usize) -> bool {
    sequences > MAX_CHOICE_SEQUENCES || pairs > MAX_SEQUENCE_PAIRS
}

fn too_many_sequences_error(sequences: &SequenceFormGame) -> RuleRuntimeError {
    let views: usize = sequences.players.iter().map(PlayerViews::view_count).sum();
    let problem = format!("too many hidden choices to solve: {views} views and more");
    let help = "let the players forget what no longer matters, or play fewer rounds";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

fn no_convergence_error() -> RuleRuntimeError {
    let problem = "hidden choices could not be solved";
    let help = "have fewer hidden choices, or smaller numbers";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

/// Returns the error for a hidden choice in a loop without a bound.
pub(super) fn endless_hidden_choice_error() -> RuleRuntimeError {
    let problem = "a hidden choice is in a loop that may never end";
    let help = "count its rounds: `for round in 1..60:`";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

#[cfg(test)]
#[path = "../../../../tests/by_hand/unsolved_raids.rs"]
mod unsolved_raids;
