//! Distribution of a count, layer by layer.

use crate::games::{Game, duel, front, jam, run};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::solve_graph_distribution;
use enfilade_engine::exact::tally_layers::{
    TallyAndEndingDistribution, solve_tally_layers, tally_powers_by_ending,
};

fn of(game: Game) -> TallyAndEndingDistribution {
    solve_tally_layers(&game.graph(), 0, &NEVER_CANCELLED).expect("it counts up")
}

fn near(found: f64, expected: f64, off: f64) {
    assert!((found - expected).abs() <= off, "{found} and {expected}");
}

/// Expected values by the recurrence of runs, computed outside the program.
#[test]
fn throws_until_four_tens_in_a_row() {
    let layers = of(run(10, 4));
    near(
        layers.probability_of_tally_at_most(10_000, |_| true).expect("so far"),
        0.593_472_838_934_9,
        1e-12,
    );
    let quantiles = [0.5, 0.9, 0.99].map(|share| layers.quantile_of_tally(share, |_| true, 1.0));
    assert_eq!(quantiles, [Some(7_702), Some(25_577), Some(51_151)]);
    // Before four throws the chance is 0.
    assert_eq!(layers.probability_of_tally_at_most(3, |_| true), Some(0.0));
    near(layers.probability_of_tally_at_most(4, |_| true).expect("so far"), 1e-4, 1e-18);
}

#[test]
fn rounds_of_a_duel_that_is_won() {
    let game = duel(3, 100);
    let graph = game.graph();
    let won = |ending: usize| graph.endings()[ending].fields[0] == 1;
    let layers = of(game);
    near(
        layers.probability_of_tally_at_most(100, won).expect("so far"),
        0.076_271_906_349_8,
        1e-13,
    );
    let powers = tally_powers_by_ending(&graph, 0, &NEVER_CANCELLED).expect("it tallies");
    let [p, rounds, ..] = powers[(0..2).position(won).expect("somebody wins")];
    near(rounds / p, 206.802_038_217_453_8, 1e-10);
}

/// A round goes on with 1/3: n rounds are over or jammed with 2/3 · 3⁻ⁿ⁺¹.
#[test]
fn what_jams_is_in_no_layer() {
    let layers = of(jam());
    near(layers.probability_of_tally_at_most(1, |_| true).expect("so far"), 0.5, 1e-15);
    near(layers.probability_of_tally_at_most(2, |_| true).expect("so far"), 0.5 + 0.5 / 3.0, 1e-15);
    // Of all trials three in four end; of those that end 0.9 do in three rounds: 1 − 1/3, 1/9,
    // 1/27.
    assert_eq!(layers.quantile_of_tally(0.9, |_| true, 0.75), Some(3));
    let powers = tally_powers_by_ending(&jam().graph(), 0, &NEVER_CANCELLED).expect("it tallies");
    let [p, rounds, ..] =
        powers.iter().fold([0.0; 5], |sum, more| [0, 1, 2, 3, 4].map(|k| sum[k] + more[k]));
    near(rounds / p, 1.5, 1e-15);
}

/// The layers add up to the distribution, and their mean is that of the moments.
#[test]
fn layers_add_up() {
    for game in [front(5, true), duel(2, 6), run(6, 2)] {
        let (graph, layers) = (game.graph(), of(game));
        let law = solve_graph_distribution(&graph);
        for (ending, p) in law.probabilities.iter().enumerate() {
            let sum = layers
                .probability_of_tally_at_most(usize::MAX - 1, |other| other == ending)
                .expect("all");
            near(sum, *p, 2e-12);
        }
        let mean: f64 = layers
            .endings_by_layer
            .iter()
            .enumerate()
            .map(|(t, ended)| t as f64 * ended.iter().sum::<f64>())
            .sum();
        near(mean, law.tallies[0].mean, 1e-8);
    }
}
