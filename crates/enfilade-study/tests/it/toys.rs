//! Small combats of no published game, for testing the engines without any rulebook.

use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;

/// Shots at one target: each hits on `hit` or more on a d6, wounds unless a d`save_sides` shows
/// `save` or more, and a natural 6 to hit needs two saves.
pub struct Volley {
    pub shots: u8,
    pub hit: u8,
    pub save_sides: u8,
    pub save: u8,
}

impl Volley {
    pub fn boxed(shots: u8, hit: u8, save_sides: u8, save: u8) -> AnyCombat {
        AnyCombat::new(Volley { shots, hit, save_sides, save })
    }
}

impl Combat for Volley {
    type State = (u8, u8);
    type Outcome = u8;

    fn initial_state(&self) -> (u8, u8) {
        (0, 0)
    }

    fn play_one_step(&self, (fired, wounds): (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
        let shot = dice.die(6);
        let saves = if shot == 6 { 2 } else { u8::from(shot >= self.hit) };
        let failed = (0..saves).filter(|_| dice.die(self.save_sides) < self.save).count();
        (fired + 1, wounds + failed as u8)
    }

    fn outcome_if_over(&self, &(fired, wounds): &(u8, u8)) -> Option<u8> {
        (fired == self.shots).then_some(wounds)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("wounds", "wounds", |&o| o.into())],
            measures: vec![
                Measure::probability("p_wound", "a wound", |&o| o > 0),
                Measure::mean("e_wounds", "wounds", |&o| o.into()),
            ],
        }
    }
}

/// Two sides roll a d6 each until one rolls `needed` or more and the other does not: a contest
/// that can go on for ever.
pub struct Standoff {
    pub needed: [u8; 2],
}

impl Combat for Standoff {
    type State = Option<u8>;
    type Outcome = u8;

    fn initial_state(&self) -> Option<u8> {
        None
    }

    fn play_one_step(&self, _: Option<u8>, dice: &mut impl Dice) -> Option<u8> {
        let hits = self.needed.map(|needed| dice.die(6) >= needed);
        match hits {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }

    fn outcome_if_over(&self, state: &Option<u8>) -> Option<u8> {
        *state
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("winner", "0 or 1", |&o| o.into())],
            measures: vec![Measure::probability("p_first", "the first wins", |&o| o == 0)],
        }
    }
}

/// One die, every face an outcome of its own.
pub struct OneDie(pub u8);

impl Combat for OneDie {
    type State = u8;
    type Outcome = u8;

    fn initial_state(&self) -> u8 {
        0
    }

    fn play_one_step(&self, _: u8, dice: &mut impl Dice) -> u8 {
        dice.die(self.0)
    }

    fn outcome_if_over(&self, &face: &u8) -> Option<u8> {
        (face > 0).then_some(face)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("face", "face", |&o| o.into())],
            measures: vec![Measure::mean("e_face", "mean face", |&o| o.into())],
        }
    }
}
