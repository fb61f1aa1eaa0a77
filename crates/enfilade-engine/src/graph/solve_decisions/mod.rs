//! Solves player decisions by backward induction in exact fractions, between the two passes.
//!
//! The transitions are solved backwards, in fractions, so that equal options are equal and the
//! first of them is taken. Each vertex has the mean of every goal of every player, because the
//! players of earlier and of later decisions may have different goals.
//!
//! Vertices that lead to each other are solved together; if they contain decisions, by policy
//! improvement (`endless`). A loop without decisions is a system of linear equations with one
//! unknown per state, solved by substitution, the deepest state first; trials that never leave it
//! contribute nothing, as to every mean of an unfinished contest.
//!
//! Choices that another player does not see are solved in parts of the game (`unseen`).

pub(super) mod best_replies;
mod endless_loops;
mod goal_source;
pub(super) mod hidden_choices;
mod linear_goal_form;
mod mixture_dice;
pub(super) mod shared_goal;
mod strong_components;
pub(super) mod value_bounds;
pub(super) mod vertex_visits;

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::explore::{NextRollOrState, TransitionSystem};
use super::fraction::Fraction;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use enfilade_model::combat::{
    AnyCombat, ChosenOptionWithMeans, ChosenOptionsByState, Decision, Ending, MeanDirection,
};
use enfilade_model::error::RuleRuntimeError;
use enfilade_model::form::Fault;

use goal_source::GoalFieldOrMeasure;
use linear_goal_form::LinearGoalForm;
use mixture_dice::add_mixture_dice;

pub(super) use strong_components::{
    VertexNumbers, find_strong_components, transitions_contain_cycle,
};

/// Largest number of sums of fractions for one loop: some ten seconds.
const MAX_FRACTION_SUMS: usize = 1 << 23;

/// The decisions of all steps, as they were solved.
pub(super) struct SolvedDecisions {
    /// By decision of a step: the option that is taken.
    pub(super) options: Vec<ChosenOptionWithMeans>,
    /// By decision of the combat: the mean of its goal over all trials.
    pub(super) means: Vec<f64>,
}

/// Solves all decisions of a transition system, and returns the options taken by state. Endings
/// that are no longer reachable are removed.
pub(super) fn solve_and_prune_endings(
    transitions: &mut TransitionSystem,
    combat: &AnyCombat,
    halt: &CancelToken,
) -> Result<ChosenOptionsByState, SolveError> {
    let options = solve_and_redirect_choices(transitions, combat, halt)?.options;
    // Endings that no player would choose must not appear among the outcomes with probability 0.
    let reached = find_states_reached_by_choices(transitions);
    transitions.endings.retain(|(_, state)| reached[*state as usize]);
    Ok(chosen_options_by_state(transitions, &options))
}

/// Solves all decisions of a transition system, and makes each lead to the option that is taken.
pub(super) fn solve_and_redirect_choices(
    transitions: &mut TransitionSystem,
    combat: &AnyCombat,
    halt: &CancelToken,
) -> Result<SolvedDecisions, SolveError> {
    let goals = DecisionGoals::from_combat(combat)?;
    let mut solving = DecisionSolver::new(transitions, &goals, halt);
    let circles = find_strong_components(transitions);
    solving.unseen = hidden_choices::HiddenChoiceViews::find_in_transitions(
        transitions,
        &solving.places,
        &circles,
    );
    for circle in circles {
        halt.check_not_cancelled()?;
        solving.solve_strong_component(&circle)?;
    }
    let start = solving.expect_solved_means(NextRollOrState::State(0));
    let of_goals = goals.of.iter().map(|goal| start[*goal].to_f64()).collect();
    let means = std::mem::take(&mut solving.decided);
    let mut options: Vec<ChosenOptionWithMeans> = Vec::with_capacity(means.len());
    let mut dice = std::mem::take(&mut transitions.dice);
    for (choice, mean) in transitions.choices.iter_mut().zip(means) {
        // A decision that no trial reaches has no solution, as another one was fixed to one option.
        let nothing = || {
            let (decision, means) = (choice.decision, [].into());
            ChosenOptionWithMeans {
                decision,
                option: choice.number_of_open_option_at(0),
                means,
                shares: None,
            }
        };
        let mean = mean.unwrap_or_else(nothing);
        choice.chosen_option = choice.place_among_open_options(mean.option).unwrap_or(0);
        let shares = mean.shares.as_ref();
        choice.mixture = shares.map(|shares| add_mixture_dice(&mut dice, shares, choice));
        options.push(mean);
    }
    transitions.dice = dice;
    Ok(SolvedDecisions { options, means: of_goals })
}

/// Collects the options of the decisions of each step, along the options taken.
fn chosen_options_by_state(
    transitions: &TransitionSystem,
    options: &[ChosenOptionWithMeans],
) -> ChosenOptionsByState {
    let mut decided = Vec::new();
    for (state, first) in (0..).zip(&transitions.states) {
        let (mut way, mut next) = (Vec::new(), *first);
        loop {
            next = match next {
                Some(NextRollOrState::Choice(choice)) => {
                    way.push(options[choice as usize].clone());
                    Some(transitions.choices[choice as usize].target_of_chosen())
                }
                Some(NextRollOrState::Tally(tally)) => Some(transitions.tallies[tally as usize].to),
                _ => break,
            };
        }
        if !way.is_empty() {
            decided.push((state, way.into()));
        }
    }
    decided
}

/// Returns, by state, whether it is reachable under the options taken.
fn find_states_reached_by_choices(transitions: &TransitionSystem) -> Vec<bool> {
    let places = VertexNumbers::new(transitions);
    let mut is_reached = vec![false; places.vertex_count()];
    let mut open = vec![NextRollOrState::State(0)];
    while let Some(next) = open.pop() {
        let next = transitions.target_after_decisions(next);
        if !std::mem::replace(&mut is_reached[places.index_of(next)], true) {
            let leads = |place| open.push(place);
            places.successors(next).for_each(leads);
        }
    }
    is_reached.truncate(transitions.states.len());
    is_reached
}

/// Goals of the players: the numbers of an ending that any decision optimizes, and that of each
/// decision.
struct DecisionGoals<'a> {
    decisions: &'a [Decision],
    /// Numbers of an ending, each once.
    fields: Vec<GoalFieldOrMeasure>,
    /// Index among `fields` by decision.
    of: Vec<usize>,
}

impl DecisionGoals<'_> {
    fn from_combat(combat: &AnyCombat) -> Result<DecisionGoals<'_>, RuleRuntimeError> {
        let (mut fields, mut of) = (Vec::new(), Vec::new());
        for decision in combat.decisions() {
            let field =
                GoalFieldOrMeasure::find_by_name(combat, &decision.goal).ok_or_else(|| {
                    let (name, goal) = (&decision.name, &decision.goal);
                    let problem =
                        format!("decision `{name}` is about `{goal}`, but no outcome field");
                    RuleRuntimeError::new(Fault::new("", problem + " and no mean has that name"))
                })?;
            let tally = fields.iter().position(|&known| known == field);
            of.push(tally.unwrap_or(fields.len()));
            if tally.is_none() {
                fields.push(field);
            }
        }
        let decisions = combat.decisions();
        Ok(DecisionGoals { decisions, fields, of })
    }

    fn zero_goal_means(&self) -> GoalMeansAtVertex {
        vec![Fraction::zero(); self.fields.len()].into()
    }

    fn goal_values_of_ending(&self, ending: &Ending) -> GoalMeansAtVertex {
        let value = |field: &GoalFieldOrMeasure| Fraction::from(field.value_of_ending(ending));
        self.fields.iter().map(value).collect()
    }

    /// Returns the index of the first of the best options, given the means of each.
    fn index_of_best_option(&self, decision: u8, options: &[GoalMeansAtVertex]) -> usize {
        let (goal, best) = (self.of[decision as usize], self.decisions[decision as usize].best);
        let mut first = 0;
        for (place, means) in options.iter().enumerate().skip(1) {
            let better = match best {
                MeanDirection::Highest => means[goal] > options[first][goal],
                MeanDirection::Lowest => means[goal] < options[first][goal],
            };
            first = if better { place } else { first };
        }
        first
    }
}

/// Mean of each goal at a vertex.
type GoalMeansAtVertex = Rc<[Fraction]>;

struct DecisionSolver<'a> {
    system: &'a TransitionSystem,
    places: VertexNumbers<'a>,
    goals: &'a DecisionGoals<'a>,
    halt: &'a CancelToken,
    endings: FxHashMap<u32, &'a Ending>,
    /// Means by vertex, once solved.
    means: Vec<Option<GoalMeansAtVertex>>,
    /// Option taken by decision of a step.
    decided: Vec<Option<ChosenOptionWithMeans>>,
    sums: usize,
    /// Choices that another player does not see, if there are any.
    unseen: Option<hidden_choices::HiddenChoiceViews>,
}

impl<'a> DecisionSolver<'a> {
    fn new(
        transitions: &'a TransitionSystem,
        goals: &'a DecisionGoals<'a>,
        halt: &'a CancelToken,
    ) -> Self {
        let places = VertexNumbers::new(transitions);
        let endings = transitions.endings.iter();
        DecisionSolver {
            system: transitions,
            goals,
            halt,
            endings: endings.map(|(ending, state)| (*state, ending)).collect(),
            means: vec![None; places.vertex_count()],
            decided: vec![None; transitions.choices.len()],
            places,
            sums: 0,
            unseen: None,
        }
    }

    /// Solves vertices that all lead to each other, when all their other successors are solved.
    fn solve_strong_component(&mut self, circle: &[NextRollOrState]) -> Result<(), SolveError> {
        let Some(mut unseen) = self.unseen.take() else {
            return self.solve_fully_visible_component(circle);
        };
        let solved = match unseen.classify_and_mark_component(&self.places, circle) {
            hidden_choices::ComponentHiddenChoiceStatus::Seen => {
                self.solve_fully_visible_component(circle)
            }
            hidden_choices::ComponentHiddenChoiceStatus::Deferred => Ok(()),
            hidden_choices::ComponentHiddenChoiceStatus::Endless => {
                Err(hidden_choices::endless_hidden_choice_error().into())
            }
            hidden_choices::ComponentHiddenChoiceStatus::Begins(region) => {
                self.solve_hidden_choices(&unseen, &region)
            }
        };
        self.unseen = Some(unseen);
        solved
    }

    /// Solves vertices behind which nothing is hidden.
    fn solve_fully_visible_component(
        &mut self,
        circle: &[NextRollOrState],
    ) -> Result<(), SolveError> {
        if let [alone] = *circle
            && self.places.successors(alone).all(|next| next != alone)
        {
            let means = self.solve_single_vertex(alone);
            self.means[self.places.index_of(alone)] = Some(means);
            return Ok(());
        }
        match circle.iter().any(|place| matches!(place, NextRollOrState::Choice(_))) {
            true => self.solve_loop_with_decisions(circle),
            false => self.solve_loop_without_decisions(circle),
        }
    }

    fn solved_means(&self, place: NextRollOrState) -> Option<&GoalMeansAtVertex> {
        self.means[self.places.index_of(place)].as_ref()
    }

    fn expect_solved_means(&self, place: NextRollOrState) -> GoalMeansAtVertex {
        let means = self.solved_means(place).cloned();
        means.unwrap_or_else(|| unreachable!("what a place leads to is solved before it"))
    }

    fn solve_single_vertex(&mut self, place: NextRollOrState) -> GoalMeansAtVertex {
        match place {
            NextRollOrState::State(state) => match self.system.states[state as usize] {
                Some(first) => self.expect_solved_means(first),
                None => self.goals.goal_values_of_ending(self.endings[&state]),
            },
            NextRollOrState::Tally(tally) => {
                self.expect_solved_means(self.system.tallies[tally as usize].to)
            }
            // Nothing leads back to it, so its form has no unknowns.
            NextRollOrState::Die(_) => {
                self.form_from_successors(place, &BTreeMap::new(), &FxHashMap::default()).own.into()
            }
            NextRollOrState::Choice(choice) => {
                let at = &self.system.choices[choice as usize];
                let options: Vec<GoalMeansAtVertex> =
                    at.options.iter().map(|&option| self.expect_solved_means(option)).collect();
                let best = self.goals.index_of_best_option(at.decision, &options);
                let goal = self.goals.of[at.decision as usize];
                let means = options.iter().map(|means| means[goal].to_f64());
                self.decided[choice as usize] = Some(ChosenOptionWithMeans {
                    decision: at.decision,
                    option: at.number_of_open_option_at(best),
                    means: self.fill_closed_options_with_nan(choice, means),
                    shares: None,
                });
                options[best].clone()
            }
        }
    }

    /// Returns the means by option of a decision, given those of the open ones.
    fn fill_closed_options_with_nan(
        &self,
        choice: u32,
        means: impl Iterator<Item = f64>,
    ) -> Box<[f64]> {
        let choice = &self.system.choices[choice as usize];
        let count = self.goals.decisions[usize::from(choice.decision)].options.len();
        choice.fill_values_for_closed(count, means, f64::NAN).into()
    }

    /// Solves a loop without decisions.
    fn solve_loop_without_decisions(
        &mut self,
        circle: &[NextRollOrState],
    ) -> Result<(), SolveError> {
        let (order, states) = loop_states_with_positions(circle);
        let (mut forms, mut rows) = (FxHashMap::default(), Vec::<LinearGoalForm>::new());
        for (row, &state) in states.iter().enumerate() {
            let first = self.system.states[state as usize].unwrap_or(NextRollOrState::State(state));
            let mut form = self.linear_form_over_loop_states(first, &order, &mut forms)?;
            // States solved earlier are substituted one after the other: their forms refer to later
            // states only.
            while let Some((&earlier, _)) = form.of.first_key_value().filter(|(at, _)| **at < row) {
                let share = form.of.remove(&earlier).unwrap_or_else(Fraction::zero);
                self.add_form_and_count_additions(&mut form, &rows[earlier], &share)?;
            }
            let returns = form.of.remove(&row).unwrap_or_else(Fraction::zero);
            rows.push(match returns.one_over_one_minus() {
                Some(times) => form.multiply_by_factor(&times),
                None => LinearGoalForm::from_constants(self.goals.zero_goal_means().to_vec()),
            });
        }
        for (row, form) in rows.iter().enumerate().rev() {
            let means = self.evaluate_linear_form(form, &states);
            self.means[self.places.index_of(NextRollOrState::State(states[row]))] = Some(means);
        }
        for &place in circle {
            if self.solved_means(place).is_none() {
                let form = self.linear_form_over_loop_states(place, &order, &mut forms)?;
                let means = self.evaluate_linear_form(&form, &states);
                self.means[self.places.index_of(place)] = Some(means);
            }
        }
        Ok(())
    }

    /// Evaluates a form, given the solved states that it refers to.
    fn evaluate_linear_form(&self, form: &LinearGoalForm, states: &[u32]) -> GoalMeansAtVertex {
        let mut means = form.own.clone();
        for (&row, share) in &form.of {
            let state = self.expect_solved_means(NextRollOrState::State(states[row]));
            for (sum, mean) in means.iter_mut().zip(state.iter()) {
                *sum = &*sum + &(mean * share);
            }
        }
        means.into()
    }

    /// Resolves the form of a vertex of a loop, and before it the forms of all dice and tallies
    /// that it leads to there.
    fn linear_form_over_loop_states(
        &mut self,
        place: NextRollOrState,
        order: &BTreeMap<u32, usize>,
        forms: &mut FxHashMap<NextRollOrState, LinearGoalForm>,
    ) -> Result<LinearGoalForm, SolveError> {
        let mut open = vec![place];
        while let Some(&top) = open.last() {
            let is_solved = |next: &NextRollOrState| {
                let state = matches!(next, NextRollOrState::State(_));
                state || forms.contains_key(next) || self.solved_means(*next).is_some()
            };
            // A state of the loop is an unknown and is not expanded; dice and tallies are.
            if let Some(first) = self.places.successors(top).find(|next| !is_solved(next))
                && !matches!(top, NextRollOrState::State(_))
            {
                open.push(first);
                continue;
            }
            let form = self.form_from_successors(top, order, forms);
            self.sums += form.of.len() + 1;
            self.check_addition_count()?;
            forms.insert(top, form);
            open.pop();
        }
        let form = forms.get(&place).cloned();
        Ok(form.unwrap_or_else(|| unreachable!("it has just been put in")))
    }

    /// Builds the form of a vertex from the forms of its successors.
    fn form_from_successors(
        &self,
        place: NextRollOrState,
        order: &BTreeMap<u32, usize>,
        forms: &FxHashMap<NextRollOrState, LinearGoalForm>,
    ) -> LinearGoalForm {
        let mut form = LinearGoalForm::from_constants(self.goals.zero_goal_means().to_vec());
        let all = Fraction::from(1);
        let mut lead = |to: NextRollOrState, share: &Fraction| match (to, forms.get(&to)) {
            (NextRollOrState::State(state), _) if order.contains_key(&state) => {
                form.add_share_of_state(order[&state], share)
            }
            (_, Some(inner)) => form.add_scaled_form(inner, share),
            _ => form.add_scaled_means(&self.expect_solved_means(to), share),
        };
        match place {
            NextRollOrState::Die(die) => {
                let dice = self.system.dice.as_list();
                for branch in dice.branches(die as usize) {
                    lead(branch.to, &Fraction::ratio_of_u8(branch.faces, dice.sides(die as usize)));
                }
            }
            NextRollOrState::Tally(tally) => lead(self.system.tallies[tally as usize].to, &all),
            NextRollOrState::State(_) => lead(place, &all),
            NextRollOrState::Choice(_) => unreachable!("a circle has no decisions"),
        }
        form
    }

    fn add_form_and_count_additions(
        &mut self,
        form: &mut LinearGoalForm,
        other: &LinearGoalForm,
        share: &Fraction,
    ) -> Result<(), SolveError> {
        self.sums += other.of.len() + other.own.len();
        self.check_addition_count()?;
        form.add_scaled_form(other, share);
        Ok(())
    }

    fn check_addition_count(&self) -> Result<(), SolveError> {
        self.halt.check_not_cancelled()?;
        if self.sums <= MAX_FRACTION_SUMS {
            return Ok(());
        }
        let problem = "a loop after a decision may never end and is too large to be solved exactly";
        let help = "reduce or bound the values that the loop remembers";
        Err(RuleRuntimeError::new(Fault::new("", problem).with_help(help)).into())
    }
}

/// Returns the states of a loop, and the order in which they are substituted.
fn loop_states_with_positions(circle: &[NextRollOrState]) -> (BTreeMap<u32, usize>, Vec<u32>) {
    let state = |place: &NextRollOrState| match place {
        NextRollOrState::State(state) => Some(*state),
        _ => None,
    };
    let states: Vec<u32> = circle.iter().filter_map(state).collect();
    (states.iter().copied().zip(0..).collect(), states)
}

#[cfg(test)]
#[path = "../../../tests/by_hand/checked_goals.rs"]
mod checked_goals;

#[cfg(test)]
#[path = "../../../tests/by_hand/endless_raids.rs"]
mod endless_raids;

#[cfg(test)]
#[path = "../../../tests/by_hand/raid_by_hand.rs"]
mod raid_by_hand;
