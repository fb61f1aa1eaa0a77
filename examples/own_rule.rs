//! A rule of one's own, written once and played three ways: `cargo run --release --example own_rule`.
//!
//! A burst of three dice: each hits on 5 or 6, and whoever is hit is lost unless a die shows 4 or more.

use enfilade::simulate::{Isa, Plan, simulate};
use enfilade::stream::Stream;
use enfilade::{AnyCombat, Combat, Dice, DieGraph, Measure, OutcomeField, Vocabulary, exact, play};

struct Burst {
    dice: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    left: u8,
    lost: bool,
}

impl Combat for Burst {
    type State = State;
    type Outcome = bool;

    fn open(&self) -> State {
        State { left: self.dice, lost: false }
    }

    fn step(&self, state: State, dice: &mut impl Dice) -> State {
        let lost = dice.die(6) >= 5 && dice.die(6) < 4;
        State { left: state.left - 1, lost: state.lost || lost }
    }

    fn outcome(&self, state: &State) -> Option<bool> {
        (state.lost || state.left == 0).then_some(state.lost)
    }

    fn vocabulary(&self) -> Vocabulary<bool> {
        Vocabulary {
            fields: vec![OutcomeField::new("lost", "the target is lost", |&lost| lost.into())],
            measures: vec![Measure::probability("p_lost", "the target is lost", |&lost| lost)],
        }
    }
}

fn main() -> Result<(), enfilade::error::Unsolved> {
    let burst = AnyCombat::new(Burst { dice: 3 });
    let graph = DieGraph::of(&burst, Default::default())?;
    let head = &burst.measures()[0];

    // Exactly: 1 − (1 − 2/6 · 3/6)³.
    let weights = exact::weights(&graph).expect("the burst ends");
    let fraction = weights.measure(graph.endings(), 0, head).expect("a probability is a fraction");
    println!("{}: {fraction}", head.about);
    assert_eq!(fraction.to_string(), "91/216");

    // A million trials, by counts and one at a time: each within five standard errors.
    let trials = 1_000_000;
    let stream = Stream { seed: 1, fingerprint: [0; 32] };
    let counts = simulate(&Plan::new(&graph), trials, &stream, Isa::best(), &|_| true);
    let counts = counts.expect("nobody stops it");
    let tally = play::play(&burst, trials, &stream, &|| true).expect("nobody stops it");
    let played = tally.endings.iter().filter(|(ending, _)| ending.weights[0] == 1);
    let lost = graph.endings().iter().position(|ending| ending.weights[0] == 1);
    let p: f64 = 91.0 / 216.0;
    let error = (p * (1.0 - p) / trials as f64).sqrt();
    let simulated = counts.endings[lost.expect("it can be lost")];
    for (how, count) in [("simulated", simulated), ("played", played.map(|(_, n)| *n).sum())] {
        let share = count as f64 / trials as f64;
        println!("{how}: {share}");
        assert!((share - p).abs() < 5.0 * error, "{share} is not {p}");
    }
    Ok(())
}
