//! Transitions of a raid, built by hand, for the tests of its hidden choices.

use super::best_replies::BestReplies;
use super::endless_loops::MaximizerOrMinimizer;
use super::find_strong_components;
use super::goal_source::GoalFieldOrMeasure;
use super::shared_goal::ZeroSumGoal;
use crate::cancel::NEVER_CANCELLED;
use crate::graph::explore::{DecisionVertex, NextRollOrState, TransitionSystem};
use crate::graph::node::FacesWithSameTarget;
use enfilade_model::combat::{
    AnyCombat, Combat, Decision, Ending, MAX_OUTCOME_COLUMNS, MeanDirection, OutcomeField,
    OutcomeVocabulary,
};
use enfilade_model::dice::{Dice, OpenOptions};

pub(in crate::graph) const LOST: NextRollOrState = NextRollOrState::State(1);
pub(in crate::graph) const WON: NextRollOrState = NextRollOrState::State(2);
/// State that leads to itself alone.
pub(in crate::graph) const ENDLESS: NextRollOrState = NextRollOrState::State(3);

/// Declaration of the players of a raid; its steps are in the transitions.
pub(in crate::graph) struct DeclaredRaid;

impl Combat for DeclaredRaid {
    type State = u8;
    type Outcome = u8;

    fn initial_state(&self) -> u8 {
        0
    }

    fn play_one_step(&self, _: u8, dice: &mut impl Dice) -> u8 {
        dice.die(2)
    }

    fn outcome_if_over(&self, state: &u8) -> Option<u8> {
        state.checked_sub(1)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        let won = OutcomeField::new("won", "whether the raid wins", |won| i32::from(*won));
        OutcomeVocabulary { fields: vec![won], measures: vec![] }
    }

    fn decisions(&self) -> Vec<Decision> {
        let who =
            |name, best| Decision::new(name, "won", best).with_option("road").with_option("ford");
        let mut guard = who("the guard", MeanDirection::Lowest);
        guard.hidden = vec!["plan".into()];
        vec![who("the raid", MeanDirection::Highest), guard]
    }
}

pub(in crate::graph) fn declared() -> AnyCombat {
    AnyCombat::new(DeclaredRaid)
}

pub(in crate::graph) fn ending(won: i32, state: u32) -> (Ending, u32) {
    let mut fields = [0; MAX_OUTCOME_COLUMNS];
    fields[0] = won;
    (Ending { fields, weights: fields }, state)
}

pub(in crate::graph) fn die(
    raid: &mut TransitionSystem,
    faces: &[NextRollOrState],
) -> NextRollOrState {
    let branches: Vec<_> =
        faces.iter().map(|to| FacesWithSameTarget { to: *to, faces: 1 }).collect();
    raid.die_node_or_sole_target(faces.len() as u8, &branches, &mut Vec::new())
}

/// Builds a decision of the raid, 0, which sees all, or of the guard, 1, which sees nothing.
pub(in crate::graph) fn choice(decision: u8, options: [NextRollOrState; 2]) -> DecisionVertex {
    DecisionVertex {
        decision,
        open: OpenOptions::between(1, 2),
        options: options.to_vec(),
        chosen_option: 0,
        mixture: None,
        view: (decision == 1).then(|| [].into()),
    }
}

/// Builds the raid: a guarded way needs 5 or more on a d6, an open road 2 or more, an open ford 3
/// or more; faces below lead to `otherwise`. Choices 0 and 1 are those of the guard when the raid
/// takes the road and the ford, choice 2 is that of the raid.
///
/// The raid draws the road in 2 of 5, the guard in 3 of 5: worth 8/15, by enumeration of supports.
pub(in crate::graph) fn raid(otherwise: NextRollOrState) -> TransitionSystem {
    let mut raid = TransitionSystem {
        states: vec![Some(NextRollOrState::Choice(2)), None, None, Some(ENDLESS)],
        endings: vec![ending(0, 1), ending(1, 2)],
        ..TransitionSystem::default()
    };
    let mut needs = |least: usize| {
        let faces: Vec<_> = (1..=6).map(|n| if n >= least { WON } else { otherwise }).collect();
        die(&mut raid, &faces)
    };
    let [guarded, road, ford] = [needs(5), needs(2), needs(3)];
    let [on_road, on_ford] = [NextRollOrState::Choice(0), NextRollOrState::Choice(1)];
    raid.choices =
        vec![choice(1, [guarded, road]), choice(1, [ford, guarded]), choice(0, [on_road, on_ford])];
    raid
}

/// Draws by the best mixtures: the raid takes the road in 2 of 5, the guard in 3 of 5.
pub(in crate::graph) fn with_best_mixtures(mut raid: TransitionSystem) -> TransitionSystem {
    for (at, road) in [(0, 3), (1, 3), (2, 2)] {
        let [first, second] = [raid.choices[at].options[0], raid.choices[at].options[1]];
        let faces: Vec<_> = (0..5).map(|n| if n < road { first } else { second }).collect();
        raid.choices[at].mixture = Some(die(&mut raid, &faces));
    }
    raid
}

/// Returns what a player gains over a value by another reply in a raid, with the mixtures of
/// `solved` and the options of `open`.
pub(in crate::graph) fn gain_over(
    solved: &TransitionSystem,
    open: &TransitionSystem,
    value: f64,
) -> f64 {
    let sides = vec![MaximizerOrMinimizer::High, MaximizerOrMinimizer::Low];
    let goal = ZeroSumGoal { source: GoalFieldOrMeasure::Field(0), sides, range: [0.0, 1.0] };
    let components = find_strong_components(open);
    let replies = BestReplies::new(solved, &components, &goal, &NEVER_CANCELLED);
    replies.largest_gain(value).expect("nobody cancels")
}
