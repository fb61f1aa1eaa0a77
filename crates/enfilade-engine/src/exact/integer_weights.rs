//! Probabilities as whole numbers over one common denominator.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};

use super::measure_fraction::{FractionOrRoot, compute_measure_fraction};
use super::measure_value::is_undefined_if_endless;
use super::solve_loops::{FractionOddsAndTallyMeans, solve_loops_in_fractions};
use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::graph::{CopiedPartAndSums, DieGraph, Fraction, TallyNodeAmount};
use enfilade_model::combat::{Ending, MeasureHead, MeasureKind};

/// Exact distribution of a contest, in whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerEndingWeights {
    /// Probability times `denominator`, by ending of the graph.
    pub numerators: Vec<UBig>,
    /// Number of equally likely ways in which the dice can fall, on a common scale; the numerators
    /// and `never` add up to it.
    pub denominator: UBig,
    /// Probability of never ending, times `denominator`.
    pub never: UBig,
    /// Mean of a trial's tally times `denominator`, by counter; `None` where it is unbounded.
    pub tallies: Vec<Option<IBig>>,
}

/// Solves the distribution of `graph` in whole numbers. Returns `None` if the contest may never end
/// and its loops are too large to be solved in fractions.
pub fn solve_integer_weights(graph: &DieGraph) -> Option<IntegerEndingWeights> {
    solve_weights_unless_cancelled(graph, &NEVER_CANCELLED)
}

/// Solves the distribution like [`solve_integer_weights`]. Returns `None` also if `halt` was raised
/// before the end.
pub fn solve_weights_unless_cancelled(
    graph: &DieGraph,
    halt: &CancelToken,
) -> Option<IntegerEndingWeights> {
    if let Some(repeated) = graph.copied_part_and_sums() {
        return solve_copies_in_integers(graph, repeated, halt);
    }
    if !graph.next_vertex_by_loop_head().is_empty() {
        return solve_loops_in_fractions(graph, halt).map(weights_from_fractions);
    }
    let denominators = denominator_by_vertex(graph, halt)?;
    let denominator = denominators[graph.start_vertex() as usize].clone();
    let mut weight = vec![UBig::ZERO; graph.vertex_count()];
    weight[graph.start_vertex() as usize] = denominator.clone();
    let mut tallies = vec![IBig::ZERO; graph.counter_count()];
    let mut tolls = graph.tally_node_amounts().iter().rev().peekable();
    let first = graph.first_node_vertex();
    // Nodes lead to nodes before them, so in reverse order each has all of its weight when it is
    // visited.
    for (index, node) in graph.nodes().enumerate().rev() {
        if halt.is_cancelled() {
            return None;
        }
        let share = std::mem::take(&mut weight[first + index]) / UBig::from(node.sides);
        if let Some(TallyNodeAmount { counter, amount, .. }) =
            tolls.next_if(|tally| tally.node == index)
        {
            tallies[usize::from(*counter)] += IBig::from(*amount) * &share;
        }
        for branch in node.branches {
            weight[branch.to as usize] += &share * UBig::from(branch.faces);
        }
    }
    weight.truncate(graph.endings().len());
    let tallies = tallies.into_iter().map(Some).collect();
    Some(IntegerEndingWeights { numerators: weight, denominator, never: UBig::ZERO, tallies })
}

/// Converts fractions to whole numbers over their common denominator.
fn weights_from_fractions(law: FractionOddsAndTallyMeans) -> IntegerEndingWeights {
    let FractionOddsAndTallyMeans { probabilities, tallies } = law;
    let all = probabilities.iter().chain(tallies.iter().flatten());
    let denominator =
        all.fold(UBig::ONE, |below, part| least_common_multiple(below, part.as_parts().1));
    let of = |part: &Fraction| part.as_parts().0 * IBig::from(&denominator / part.as_parts().1);
    let numerators = probabilities.iter().map(|part| of(part).into_parts().1);
    let numerators: Vec<UBig> = numerators.collect();
    let total = numerators.iter().fold(UBig::ZERO, |sum, ways| sum + ways);
    let tallies = tallies.iter().map(|mean| mean.as_ref().map(of)).collect();
    IntegerEndingWeights { never: &denominator - total, numerators, tallies, denominator }
}

/// Adds the copies one by one, as in floating point.
fn solve_copies_in_integers(
    graph: &DieGraph,
    repeated: &CopiedPartAndSums,
    halt: &CancelToken,
) -> Option<IntegerEndingWeights> {
    let part = solve_weights_unless_cancelled(&repeated.part, halt)?;
    let mut sums = vec![UBig::ZERO; repeated.sum_count()];
    sums[0] = UBig::ONE;
    let mut highest = 0;
    for _ in 0..repeated.count {
        for sum in (0..=highest).rev() {
            let here = std::mem::take(&mut sums[sum]);
            if here == UBig::ZERO {
                continue;
            }
            if halt.is_cancelled() {
                return None;
            }
            for (&next, ways) in repeated.next_sums_after(sum).iter().zip(&part.numerators) {
                sums[next as usize] += &here * ways;
                highest = highest.max(next as usize);
            }
        }
    }
    let mut numerators = vec![UBig::ZERO; graph.endings().len()];
    for (&place, ways) in repeated.ending_vertex_by_sum().iter().zip(sums) {
        numerators[place as usize] += ways;
    }
    // The other copies may fall in any way while one of them tallies.
    let others = part.denominator.pow(repeated.count.saturating_sub(1) as usize);
    let together = |one: IBig| one * IBig::from(&others * UBig::from(repeated.count));
    Some(IntegerEndingWeights {
        numerators,
        never: UBig::ZERO,
        tallies: part.tallies.into_iter().map(|mean| mean.map(together)).collect(),
        denominator: part.denominator.pow(repeated.count as usize),
    })
}

/// Computes, by vertex, the smallest number that can be split evenly at every later die. The weight
/// that arrives at a vertex is always a multiple of it, so every division by `sides` is exact.
fn denominator_by_vertex(graph: &DieGraph, halt: &CancelToken) -> Option<Vec<UBig>> {
    let mut needed = vec![UBig::ONE; graph.vertex_count()];
    let first = graph.first_node_vertex();
    for (index, node) in graph.nodes().enumerate() {
        if halt.is_cancelled() {
            return None;
        }
        let mut below = UBig::ONE;
        for branch in node.branches {
            below = least_common_multiple(below, &needed[branch.to as usize]);
        }
        needed[first + index] = below * UBig::from(node.sides);
    }
    Some(needed)
}

fn least_common_multiple(a: UBig, b: &UBig) -> UBig {
    if a == *b {
        return a;
    }
    let divisor = (&a).gcd(b);
    a / divisor * b
}

impl IntegerEndingWeights {
    /// Returns the value of the measure at position `index` of the combat's measures, as
    /// [`compute_measure_fraction`] computes it.
    pub fn exact_measure_fraction(
        &self,
        endings: &[Ending],
        index: usize,
        head: &MeasureHead,
    ) -> Option<FractionOrRoot> {
        if let MeasureKind::Tally(counter) = head.kind {
            let mean = self.tallies.get(usize::from(counter))?.as_ref()?;
            let mean = mean * IBig::from(head.scale.numerator);
            let below = &self.denominator * UBig::from(head.scale.denominator);
            return Some(FractionOrRoot::from_fraction(mean, below));
        }
        if is_undefined_if_endless(head, !self.never.is_zero()) {
            return None;
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        compute_measure_fraction(head, weights.zip(&self.numerators), &self.denominator)
    }
}
