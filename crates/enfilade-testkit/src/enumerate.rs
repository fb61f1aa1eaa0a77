//! Distribution of a contest by enumeration: it is played once for every sequence of faces.
//!
//! The enumeration is independent of the die graph: it plays whole trials with dice that count up
//! like an odometer and sums the weights of the sequences as fractions.

use std::collections::{BTreeMap, HashMap};

use dashu_int::UBig;
use enfilade_engine::exact::{reduce_fraction, solve_integer_weights};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::{AnyCombat, Ending};

use super::sequence_dice::SequenceDice;

/// A distribution as fractions in lowest terms, by ending.
pub type FractionDistribution = BTreeMap<Ending, (UBig, UBig)>;

/// Returns the distribution of `combat` and the number of enumerated sequences of faces; `None` if
/// there are more than `most`, or one takes more than a thousand steps.
pub fn enumerate_distribution(
    combat: &AnyCombat,
    most: u64,
) -> Option<(FractionDistribution, u64)> {
    let mut sequences: HashMap<(Ending, u128), u64> = HashMap::new();
    let mut dice = SequenceDice::default();
    for leaves in 1..=most {
        let ending = combat.play_one_trial(&mut dice, 1000)?;
        *sequences.entry((ending, dice.equally_likely_sequences())).or_insert(0) += 1;
        if !dice.next_sequence() {
            return Some((sum_sequences(sequences), leaves));
        }
    }
    None
}

fn sum_sequences(sequences: HashMap<(Ending, u128), u64>) -> FractionDistribution {
    let mut law: FractionDistribution = BTreeMap::new();
    for ((ending, alike), count) in sequences {
        let (numerator, denominator) = law.entry(ending).or_insert((UBig::ZERO, UBig::ONE));
        let alike = UBig::from(alike);
        let sum = &*numerator * &alike + UBig::from(count) * &*denominator;
        (*numerator, *denominator) = reduce_fraction(sum, &*denominator * alike);
    }
    law
}

/// Checks that the die graph's distribution of `combat` equals the enumerated one, as fractions,
/// and that it sums to one. Returns the number of enumerated sequences.
///
/// # Panics
/// If they differ, or the contest has no graph within the limits or may never end.
pub fn assert_graph_equals_enumeration(name: &str, combat: &AnyCombat) -> u64 {
    assert_small_graph_equals_enumeration(name, combat, u64::MAX).expect("the contest must end")
}

/// Checks a contest of at most `most` sequences of faces; `None` if there are more.
///
/// # Panics
/// If graph and enumeration differ, or the contest has no graph within the limits or may never end.
pub fn assert_small_graph_equals_enumeration(
    name: &str,
    combat: &AnyCombat,
    most: u64,
) -> Option<u64> {
    let (expected, leaves) = enumerate_distribution(combat, most)?;
    let graph = DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .expect("within the limits");
    let exact = solve_integer_weights(&graph).expect("the contest must end");
    let found: FractionDistribution = graph
        .endings()
        .iter()
        .zip(&exact.numerators)
        .map(|(ending, n)| (*ending, reduce_fraction(n.clone(), exact.denominator.clone())))
        .collect();
    assert_eq!(found, expected, "{name}");
    let sum: UBig = exact.numerators.iter().sum();
    assert_eq!(sum, exact.denominator, "{name}");
    Some(leaves)
}
