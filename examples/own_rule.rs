//! A rule of one's own, written once and played three ways:
//! `cargo run --release --example own_rule`.
//!
//! A burst of three dice: each hits on 5 or 6, and whoever is hit is lost unless a die shows 4 or
//! more.

use enfilade::{Combat, Dice, Measure, Odds, OutcomeVocabulary};

struct Burst(u8);

impl Combat for Burst {
    /// The dice left, and whether the target is lost.
    type State = (u8, bool);
    type Outcome = bool;

    fn initial_state(&self) -> (u8, bool) {
        (self.0, false)
    }
    fn play_one_step(&self, (left, _): (u8, bool), dice: &mut impl Dice) -> (u8, bool) {
        (left - 1, dice.die(6) >= 5 && dice.die(6) < 4)
    }
    fn outcome_if_over(&self, &(left, lost): &(u8, bool)) -> Option<bool> {
        (lost || left == 0).then_some(lost)
    }
    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        let lost = Measure::probability("p_lost", "the target is lost", |&lost| lost);
        OutcomeVocabulary { fields: vec![], measures: vec![lost] }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let odds = Odds::of(Burst(3))?;
    // 1 − (1 − 2/6 · 3/6)³, and the same within five standard errors of a million trials.
    assert_eq!(odds.exact().fraction("p_lost")?.to_string(), "91/216");
    for trials in [odds.simulate(1_000_000).seed(1), odds.play(1_000_000).seed(1)] {
        assert!((trials.probability("p_lost")? - 91.0 / 216.0).abs() < 5.0 * 0.0005);
    }
    println!("the target is lost: {}", odds.exact().fraction("p_lost")?);
    Ok(())
}
