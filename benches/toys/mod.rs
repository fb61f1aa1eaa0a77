//! Contests that no built-in action asks for, but that stretch the exact engine.

use enfilade_model::combat::independent_copies::{CopyEffectCounts, IndependentCopies};
use enfilade_model::combat::{Combat, Measure, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;

/// Shots read on the status table of the d20 skirmish, every result counted.
///
/// A shot hits on 11 or less; its damage die makes Hesitant on 1 to 6, pins on 7 to 12 and is a
/// casualty above.
pub struct StatusTable {
    /// How many shots.
    pub shots: u8,
}

/// What shots have done, and how many are still to be fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fired {
    left: u8,
    /// Hesitant, pinned, casualties.
    pub results: [u8; 3],
}

impl Combat for StatusTable {
    type State = Fired;
    type Outcome = [u8; 3];

    fn initial_state(&self) -> Fired {
        Fired { left: self.shots, ..Fired::default() }
    }

    fn play_one_step(&self, mut state: Fired, dice: &mut impl Dice) -> Fired {
        state.left -= 1;
        if dice.die(20) <= 11 {
            let result = match dice.die(20) {
                ..=6 => 0,
                7..=12 => 1,
                _ => 2,
            };
            state.results[result] += 1;
        }
        state
    }

    fn outcome_if_over(&self, state: &Fired) -> Option<[u8; 3]> {
        (state.left == 0).then_some(state.results)
    }

    fn as_independent_copies(&self) -> Option<IndependentCopies<StatusTable>> {
        (self.shots > 1).then_some(IndependentCopies {
            one: StatusTable { shots: 1 },
            count: self.shots.into(),
            effect: |&[hesitant, pinned, casualties]| {
                [hesitant.into(), pinned.into(), casualties.into(), 0]
            },
            most: [u16::MAX; 4],
        })
    }

    fn outcome_of_sum(
        &self,
        &[hesitant, pinned, casualties, _]: &CopyEffectCounts,
    ) -> Option<[u8; 3]> {
        Some([hesitant as u8, pinned as u8, casualties as u8])
    }

    fn vocabulary(&self) -> OutcomeVocabulary<[u8; 3]> {
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("hesitant", "hits that make Hesitant", |o: &[u8; 3]| o[0].into()),
                OutcomeField::new("pinned", "hits that pin", |o| o[1].into()),
                OutcomeField::new("casualties", "figures lost", |o| o[2].into()),
            ],
            measures: vec![Measure::mean("e_casualties", "figures lost", |o| o[2].into())],
        }
    }
}

/// Two sides that shoot at each other until one is gone. In a round every figure of both sides
/// rolls a d6 and takes out an enemy on 5 and more; those taken out have still shot.
///
/// The state of a round says no more than its future needs: while the first side shoots, how many
/// dice it has left, who of the second still stands and how many will answer; while the second
/// answers, who stands on both sides and the dice left. So the 440 strengths of 20 against 20 make
/// tens of thousands of states of one die each, and not a sequence of 40 dice each.
pub struct Attrition {
    /// Figures of a side at the start.
    pub figures: u8,
}

/// Where a round of attrition stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round {
    /// Dice left of the side that rolls.
    left: u8,
    /// Dice of the second side in this round; 0 while it rolls them.
    answers: u8,
    /// Figures that stand of the first side, and of the second.
    standing: [u8; 2],
}

impl Attrition {
    fn round([first, second]: [u8; 2]) -> Round {
        Round { left: first, answers: second, standing: [first, second] }
    }
}

impl Combat for Attrition {
    type State = Round;
    type Outcome = [u8; 2];

    fn initial_state(&self) -> Round {
        Attrition::round([self.figures; 2])
    }

    fn play_one_step(&self, mut round: Round, dice: &mut impl Dice) -> Round {
        let target = usize::from(round.answers > 0);
        round.left -= 1;
        round.standing[target] -= u8::from(dice.die(6) >= 5);
        if round.left > 0 && round.standing[target] > 0 {
            return round;
        }
        if round.answers > 0 {
            round.left = std::mem::take(&mut round.answers);
            return round;
        }
        match round.standing {
            [first, second] if first > 0 && second > 0 => Attrition::round([first, second]),
            standing => Round { left: 0, answers: 0, standing },
        }
    }

    fn outcome_if_over(&self, round: &Round) -> Option<[u8; 2]> {
        (round.left == 0).then_some(round.standing)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<[u8; 2]> {
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("first", "figures left of the first side", |o: &[u8; 2]| {
                    o[0].into()
                }),
                OutcomeField::new("second", "figures left of the second side", |o| o[1].into()),
            ],
            measures: vec![Measure::probability("p_first", "the first side wins", |o| o[0] > 0)],
        }
    }
}
