//! Goals that no ending has, and the limit of sums in one loop.

use super::raid_by_hand::{LOST, declared, raid};
use super::{DecisionGoals, DecisionSolver, MAX_FRACTION_SUMS};
use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::error::SolveError;
use enfilade_model::combat::{
    AnyCombat, Combat, Decision, MeanDirection, Measure, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::Dice;

/// Bet on a mean, perhaps of some of the trials alone.
struct Bet {
    condition: &'static str,
}

impl Combat for Bet {
    type State = u8;
    type Outcome = u8;

    fn initial_state(&self) -> u8 {
        0
    }

    fn play_one_step(&self, _: u8, dice: &mut impl Dice) -> u8 {
        dice.choose(0, 2)
    }

    fn outcome_if_over(&self, state: &u8) -> Option<u8> {
        (*state > 0).then_some(*state)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        let paid = Measure::mean("paid", "what it pays", |end| i32::from(*end));
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("end", "how it ended", |end| i32::from(*end))],
            measures: vec![paid.restrict_to_condition(self.condition)],
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        let bet = Decision::new("the bet", "paid", MeanDirection::Highest);
        vec![bet.with_option("low").with_option("high")]
    }
}

#[test]
fn a_mean_of_some_trials_is_no_goal() {
    assert!(DecisionGoals::from_combat(&AnyCombat::new(Bet { condition: "" })).is_ok());
    let combat = AnyCombat::new(Bet { condition: "if it is won" });
    let why = DecisionGoals::from_combat(&combat).err().expect("it is refused").to_string();
    for words in ["`the bet` is about `paid`", "no outcome field and no mean has that name"] {
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn a_loop_of_too_many_sums_is_refused_with_a_remedy() {
    let (combat, raid) = (declared(), raid(LOST));
    let goals = DecisionGoals::from_combat(&combat).expect("it has its goal");
    let mut solving = DecisionSolver::new(&raid, &goals, &NEVER_CANCELLED);
    solving.sums = MAX_FRACTION_SUMS;
    assert_eq!(solving.check_addition_count(), Ok(()));
    solving.sums += 1;
    let why = solving.check_addition_count().expect_err("one too many").to_string();
    for words in ["too large to be solved exactly", "reduce or bound the values"] {
        assert!(why.contains(words), "{why}");
    }
    let halt = CancelToken::new();
    halt.cancel();
    let solving = DecisionSolver::new(&raid, &goals, &halt);
    assert_eq!(solving.check_addition_count(), Err(SolveError::Cancelled));
}
