//! Games with known numbers: by closed forms, and in fractions by substitution outside the program.

use crate::games::{Game, duel, front, jam, run, trolls};
use enfilade_engine::exact::{Distribution, solve_graph_distribution, solve_integer_weights};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

fn measure(graph: &DieGraph, game: Game, law: &Distribution, index: usize) -> f64 {
    let head = &game.combat().measures()[index].clone();
    law.measure_value(graph.endings(), index, head).expect("it is told")
}

/// Checks that a number is near the expected one, as a share of it.
fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs(), "{found} and {expected}");
}

/// Returns the chance to win and the mean rounds, as fractions.
fn fractions(game: Game) -> [String; 2] {
    let graph = game.graph();
    let weights = solve_integer_weights(&graph).expect("it is small");
    [0, 1].map(|index| {
        let head = &game.combat().measures()[index].clone();
        weights
            .exact_measure_fraction(graph.endings(), index, head)
            .expect("it is told")
            .to_string()
    })
}

/// Returns both in numbers of 64 bits, and checks that all trials end.
fn numbers(game: Game) -> [f64; 2] {
    let graph = game.graph();
    let law = solve_graph_distribution(&graph);
    assert_eq!((law.unsettled, law.never), (0.0, 0.0));
    assert!(law.bound < 1e-14, "{}", law.bound);
    near(law.probabilities.iter().sum(), 1.0, 1e-14);
    [0, 1].map(|index| measure(&graph, game, &law, index))
}

fn ratio(text: &str) -> f64 {
    let (above, below) = text.split_once('/').expect("a fraction");
    above.parse::<f64>().expect("a number") / below.parse::<f64>().expect("a number")
}

fn both(game: Game, won: &str, rounds: &str) {
    assert_eq!(fractions(game), [won, rounds]);
    let found = numbers(game);
    near(found[0], ratio(won), 1e-14);
    near(found[1], ratio(rounds), 1e-13);
}

/// Four 10s in a row on a d10: 10 + 10² + 10³ + 10⁴ throws.
#[test]
fn a_run_of_faces() {
    let graph = run(10, 4).graph();
    let moments = solve_graph_distribution(&graph).tallies[0];
    near(moments.mean, 11_110.0, 1e-13);
    near(moments.variance, 123_356_790.0, 1e-12);
    assert_eq!(fractions(run(10, 4)), ["1/1", "11110/1"]);
    // Six 20s in a row: 20 + … + 20⁶ throws, of which no rounds would ever reach the end.
    assert_eq!(fractions(run(20, 6))[1], "67368420/1");
    near(numbers(run(20, 6))[1], 67_368_420.0, 1e-13);
}

#[test]
fn a_front_that_moves_to_and_fro() {
    let graph = front(20, false).graph();
    let law = solve_graph_distribution(&graph);
    near(measure(&graph, front(20, false), &law, 0), 0.5, 1e-14);
    near(law.tallies[0].mean, 480.0, 1e-13);
    near(law.tallies[0].variance, 153_312.0, 1e-11);
    let found = numbers(front(400, false));
    near(found[0], 0.5, 1e-13);
    near(found[1], 192_000.0, 1e-12);
    both(front(12, true), "244140625/14085427826", "489497276736/7042713913");
}

#[test]
fn a_duel_of_rare_hits() {
    let won = "156333850300/312079600999";
    both(duel(3, 100), won, "64513146090000/312079600999");
    let eight = "9466767667751311281440/18832349194131742609041";
    assert_eq!(fractions(duel(8, 20))[0], eight);
    near(numbers(duel(8, 20))[0], ratio(eight), 1e-14);
    near(numbers(duel(200, 3))[0], 0.504_079_556_069_1, 1e-12);
}

/// A contest that may never end has a chance, and a mean tally before; it has no mean of the
/// ending.
#[test]
fn what_jams_never_ends() {
    let graph = jam().graph();
    let law = solve_graph_distribution(&graph);
    near(law.never, 0.25, 1e-15);
    assert_eq!(law.unsettled, 0.0);
    near(measure(&graph, jam(), &law, 0), 0.5, 1e-15);
    // A round goes on with 1/3: 3/2 rounds, also until it jams.
    near(law.tallies[0].mean, 1.5, 1e-15);
    assert_eq!(fractions(jam()), ["1/2", "3/2"]);
    let head = &jam().combat().measures()[2].clone();
    assert_eq!(law.measure_value(graph.endings(), 2, head), None);
    let weights = solve_integer_weights(&graph).expect("it is small");
    assert_eq!(weights.exact_measure_fraction(graph.endings(), 2, head), None);
    assert_eq!(&weights.never * four(), weights.denominator);
}

fn four() -> dashu_int::UBig {
    dashu_int::UBig::from(4u8)
}

/// A tally in a vertex that is never left has no mean.
#[test]
fn what_tallies_for_ever_has_no_mean() {
    let game = Game {
        step: |_, [at, ..], dice| {
            dice.tally(0, 1);
            [if at == 1 { 1 } else { i16::from(dice.die(2)) }, 0, 0, 0]
        },
        over: |_, [at, ..]| (at == 2).then_some(1),
        ..jam()
    };
    let graph = game.graph();
    let law = solve_graph_distribution(&graph);
    assert_eq!((law.never, law.tallies[0].mean), (0.5, f64::INFINITY));
    let head = &game.combat().measures()[1].clone();
    assert_eq!(law.measure_value(graph.endings(), 1, head), None);
    let weights = solve_integer_weights(&graph).expect("it is small");
    assert_eq!(weights.exact_measure_fraction(graph.endings(), 1, head), None);
}

#[test]
fn trolls_that_mend() {
    both(trolls(3), "801483/1488275", "5701523/1488275");
    let found = numbers(trolls(10));
    near(found[0], 0.506_845_088_856_5, 1e-12);
    near(found[1], 26.742_696_589, 1e-10);
}

/// A contest with loops keeps its graph where others are given up: the frontier engine would count
/// the rounds.
#[test]
fn a_contest_without_end_may_have_more_states() {
    let limits = |endless| CompiledContestLimits {
        states: 100,
        endless,
        ..CompiledContestLimits::default()
    };
    let compiled =
        |game: Game, endless| DieGraph::compile_within_limits(&game.combat(), limits(endless));
    let told = compiled(front(100, false), 0).expect_err("it has 201 states").to_string();
    assert!(told.contains("more than 100 states"), "{told}");
    let graph = compiled(front(100, false), 1000).expect("it goes round");
    assert_eq!(graph.reached_state_count(), 201);
    let told = compiled(front(1000, false), 1000).expect_err("it has 2 001 states").to_string();
    assert!(told.contains("more than 1 000 states"), "{told}");
    // A game that must end, with a fixed number of throws, counts the high ones.
    let throws = Game {
        step: |_, [made, high, ..], dice| [made + 1, high + i16::from(dice.die(2) == 1), 0, 0],
        over: |_, [made, high, ..]| (made == 40).then_some(high.into()),
        ..front(1, false)
    };
    compiled(throws, 1000).expect_err("it has 861 states and leads nowhere back");
}
