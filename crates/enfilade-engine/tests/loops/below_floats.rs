//! Chances below every number of 64 bits: none in floating point, and exact in whole numbers.

use crate::counted_figures::{Rare, rare};
use crate::games::{Game, front, jam, run};
use dashu_int::{IBig, UBig};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::independent_check::{solve_by_doubling_rounds, solve_by_many_rounds};
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::{
    solve_announcing_slow_loops, solve_graph_distribution, solve_integer_weights,
};

fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs(), "{found} and {expected}");
}

/// Returns 20ⁿ.
fn of_twenty(dice: usize) -> UBig {
    UBig::from(20u8).pow(dice)
}

/// 300 dice of 20 that all show 1: 20⁻³⁰⁰ is 10⁻³⁹⁰. As long as they do, a throw is counted.
#[test]
fn a_chain_of_rare_faces_is_lost_in_floats_and_kept_in_whole_numbers() {
    let graph = rare(300).graph();
    let law = solve_graph_distribution(&graph);
    assert_eq!(law.probabilities[1], 0.0);
    near(law.probabilities[0], 1.0, 1e-15);
    near(law.tallies[0].mean, 20.0 / 19.0, 1e-14);
    let weights = solve_integer_weights(&graph).expect("it ends");
    assert_eq!(&weights.numerators[1] * of_twenty(300), weights.denominator);
    assert_eq!(&weights.numerators[0] + &weights.numerators[1], weights.denominator);
}

/// Three chains: each adds 1, or 2 where all its dice show 1. No sum is below 3.
#[test]
fn copies_of_a_rare_chain_are_lost_in_floats_and_kept_in_whole_numbers() {
    let graph = Rare { copies: 3, ..rare(300) }.graph();
    assert!(graph.copied_part_and_sums().is_some());
    let sum_at = |sum: i32| graph.endings().iter().position(|ending| ending.fields[0] == sum);
    let at = |sum: i32| sum_at(sum).expect("it is a sum");
    let law = solve_graph_distribution(&graph);
    near(law.probabilities[at(3)], 1.0, 1e-14);
    near(law.probabilities.iter().sum(), 1.0, 1e-14);
    assert_eq!([4, 5, 6].map(|sum| law.probabilities[at(sum)]), [0.0; 3]);
    let weights = solve_integer_weights(&graph).expect("it ends");
    let (all, other) = (of_twenty(300), of_twenty(300) - UBig::ONE);
    assert_eq!(weights.denominator, all.pow(3));
    let ways = [other.pow(3), UBig::from(3u8) * other.pow(2), UBig::from(3u8) * &other, UBig::ONE];
    for (sum, ways) in (3..).zip(ways) {
        assert_eq!(weights.numerators[at(sum)], ways, "{sum}");
    }
}

/// A chain of d20 whose end jams for ever.
fn chain_that_jams() -> Game {
    Game {
        step: |_, [row, ..], dice| {
            if row == 260 {
                return [260, 0, 0, 0];
            }
            dice.tally(0, 1);
            [if dice.die(20) == 1 { row + 1 } else { -1 }, 0, 0, 0]
        },
        over: |_, [row, ..]| (row < 0).then_some(0),
        ..jam()
    }
}

/// 20⁻²⁶⁰ is 10⁻³³⁸.
#[test]
fn a_jam_too_rare_for_floats_is_never_in_whole_numbers() {
    let graph = chain_that_jams().graph();
    let law = solve_graph_distribution(&graph);
    assert_eq!((law.never, law.unsettled), (0.0, 0.0));
    near(law.tallies[0].mean, 20.0 / 19.0, 1e-14);
    let weights = solve_integer_weights(&graph).expect("it is small");
    assert_eq!(&weights.never * of_twenty(260), weights.denominator);
    // 1 + 1/20 + … + 20⁻²⁵⁹ throws.
    let mean = weights.tallies[0].clone().expect("a jam counts nothing");
    let all = IBig::from(of_twenty(260));
    let expected = (&all - IBig::ONE) * IBig::from(20) * IBig::from(weights.denominator);
    assert_eq!(mean * all * IBig::from(19), expected);
}

/// A chain of d100 of this length, and then a coin until it shows heads.
fn chain_with_coin(length: i16) -> Game {
    Game {
        numbers: [length, 0],
        step: |[length, _], [row, ..], dice| {
            if row == length {
                return [row + i16::from(dice.die(2) == 1), 0, 0, 0];
            }
            [if dice.die(100) == 1 { row + 1 } else { -1 }, 0, 0, 0]
        },
        over: |[length, _], [row, ..]| (row < 0).then_some(0).or((row > length).then_some(1)),
        ..jam()
    }
}

/// 100⁷⁰⁰ has 4 651 binary digits, more than a fraction may have; 100²⁰ has 133.
#[test]
fn a_fraction_of_too_many_digits_is_given_up() {
    let weights = solve_integer_weights(&chain_with_coin(20).graph()).expect("it is short");
    assert_eq!(&weights.numerators[1] * UBig::from(100u8).pow(20), weights.denominator);
    let graph = chain_with_coin(700).graph();
    assert_eq!(solve_integer_weights(&graph), None);
    let law = solve_graph_distribution(&graph);
    near(law.probabilities[0], 1.0, 1e-15);
    assert_eq!(law.probabilities[1], 0.0);
}

/// 160 faces in a row of a d100: 10³²⁰ throws, of which 10 000 are swept. It will end.
#[test]
fn what_no_sweep_ends_is_unsettled_and_within_its_bound() {
    let game = run(100, 160);
    let graph = game.graph();
    let law = solve_graph_distribution(&graph);
    assert_eq!(law.never, 0.0);
    near(law.unsettled, 1.0, 1e-9);
    assert!(law.probabilities[0] < 1e-300, "{}", law.probabilities[0]);
    assert_eq!(law.tallies[0].mean, f64::INFINITY);
    let head = &game.combat().measures()[0].clone();
    let won = law.measure_with_error_bound(graph.endings(), 0, head).expect("a chance");
    assert!(won.contains_exact_number(&FractionOrRoot::from_fraction(1.into(), 1u8.into())));
    assert!(won.compare_overlapping_as_equal(Approximation::new(1.0, 0.0)).is_eq());
}

/// After 1 075 coins no number of 64 bits is left that could wait.
#[test]
fn rounds_end_once_nothing_waits() {
    let graph = run(2, 1).graph();
    assert!(!graph.next_vertex_by_loop_head().is_empty());
    assert_eq!(solve_by_many_rounds(&graph), (vec![1.0], 0.0));
    assert_eq!(solve_by_doubling_rounds(&graph), Some(vec![1.0]));
}

#[test]
fn rounds_are_not_doubled_for_more_than_256_heads() {
    let graph = front(400, false).graph();
    assert!(graph.next_vertex_by_loop_head().len() > 256);
    assert_eq!(solve_by_doubling_rounds(&graph), None);
}

/// A front of 1 500 on either side: the ends are equally likely, and the loop takes long.
#[test]
fn a_loop_that_takes_long_is_announced_with_its_vertices() {
    let vertices_of_loops = |game: Game| {
        let mut announced = Vec::new();
        let graph = game.graph();
        let law =
            solve_announcing_slow_loops(&graph, &NEVER_CANCELLED, &mut |size| announced.push(size));
        near(law.expect("nobody cancels").probabilities[0], 0.5, 1e-9);
        (announced, graph.vertex_count())
    };
    assert_eq!(vertices_of_loops(front(20, false)).0, []);
    let (announced, vertices) = vertices_of_loops(front(1500, false));
    assert_eq!(announced.len(), 1);
    assert!((16_384..=vertices).contains(&announced[0]), "{announced:?} of {vertices}");
}
