//! Moments of tallies: the mean, and how far trials stray from it.
//!
//! A tally is not part of the state, so it has no distribution. But beside the probability of being
//! at a vertex one can push the mean tally of the trials there, and of its powers, because (t + a)²
//! = t² + 2at + a²; through loops too, where they are solved. The interval of a simulated mean is
//! derived from the variance; the third and fourth moments measure how far its tail is from the
//! normal one.

use super::rounding_error::relative_error;
use crate::graph::{DieGraph, TallyNodeAmount};

/// Mean and central moments of one counter's tally in a trial; for an unfinished trial, of its
/// tally before the last round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TallyMoments {
    /// Mean.
    pub mean: f64,
    /// Variance: the mean square about the mean.
    pub variance: f64,
    /// Third central moment.
    pub third: f64,
    /// Fourth central moment.
    pub fourth: f64,
}

impl TallyMoments {
    /// Moments of a tally that grows for ever.
    pub const ENDLESS_TALLY: TallyMoments =
        TallyMoments { mean: f64::INFINITY, variance: 0.0, third: 0.0, fourth: 0.0 };

    /// Creates the moments from the means of the powers 1 to 4.
    pub(super) fn from_raw_moments([one, two, three, four]: [f64; 4]) -> TallyMoments {
        let square = one * one;
        let fourth = four - 4.0 * one * three + 6.0 * square * two - 3.0 * square * square;
        TallyMoments {
            mean: one,
            variance: (two - square).max(0.0),
            third: three - 3.0 * one * two + 2.0 * one * square,
            fourth: fourth.max(0.0),
        }
    }

    /// Returns the moments of the sum of independent copies: their cumulants add up.
    pub(super) fn moments_of_copies_sum(self, count: u32) -> TallyMoments {
        let n = f64::from(count);
        let squared = self.variance * self.variance;
        TallyMoments {
            mean: n * self.mean,
            variance: n * self.variance,
            third: n * self.third,
            fourth: n * (self.fourth - 3.0 * squared) + 3.0 * n * n * squared,
        }
    }

    /// Returns a length b with which the moments k = 3 and 4 about the mean are at most
    /// ½·k!·variance·bᵏ⁻²: the condition of Bernstein's inequality.
    pub fn bernstein_condition_scale(&self) -> f64 {
        if self.variance <= 0.0 {
            return 0.0;
        }
        let third = self.third.abs() / (3.0 * self.variance);
        third.max((self.fourth / (12.0 * self.variance)).sqrt())
    }
}

/// Probability of being at a vertex, and the sums of the powers 1 to 4 of the tally there.
pub(super) type TallyPowerSums = [f64; 5];

/// Computes, by counter, the moments of a trial's tally in a graph without loops, with a bound of
/// the error of its mean.
pub(super) fn tally_moments_by_counter(graph: &DieGraph) -> Vec<(TallyMoments, f64)> {
    (0..graph.counter_count()).map(|counter| moments_of_counter(graph, counter)).collect()
}

fn moments_of_counter(graph: &DieGraph, counter: usize) -> (TallyMoments, f64) {
    let own = |tally: &TallyNodeAmount| usize::from(tally.counter) == counter;
    let tolls: Vec<TallyNodeAmount> =
        graph.tally_node_amounts().iter().copied().filter(own).collect();
    // A counter that no measure uses has no tally node.
    if tolls.is_empty() {
        return (TallyMoments::default(), 0.0);
    }
    let mut at = vec![PowerSumsWithRoundings::default(); graph.vertex_count()];
    at[graph.start_vertex() as usize].powers[0] = 1.0;
    let size = propagate_powers_and_sum_sizes(graph, &tolls, &mut at);
    let mut all = PowerSumsWithRoundings::default();
    at[..graph.endings().len()].iter().for_each(|powers| all.add_scaled(powers, 1.0));
    // The first is the probability itself, which the distribution already contains.
    let [_, powers @ ..] = all.powers;
    (TallyMoments::from_raw_moments(powers), relative_error(all.roundings + 1) * size)
}

/// Sums of powers at a vertex, with the number of roundings of the part that was rounded most
/// often.
#[derive(Clone, Copy, Default)]
struct PowerSumsWithRoundings {
    powers: TallyPowerSums,
    roundings: u64,
}

impl PowerSumsWithRoundings {
    fn add_scaled(&mut self, other: &PowerSumsWithRoundings, share: f64) {
        add_scaled_powers(&mut self.powers, &other.powers, share);
        // The share, its product with the sum, and the addition.
        self.roundings = self.roundings.max(other.roundings + 2) + 1;
    }
}

/// Moves the sums of every node along its branches, through the tally nodes. Returns the mean sum
/// of the sizes of all amounts: the error of the mean is relative to it, whatever cancels.
fn propagate_powers_and_sum_sizes(
    graph: &DieGraph,
    tolls: &[TallyNodeAmount],
    at: &mut [PowerSumsWithRoundings],
) -> f64 {
    let first = graph.first_node_vertex();
    let mut tolls = tolls.iter().rev().peekable();
    let mut size = 0.0;
    for (index, node) in graph.nodes().enumerate().rev() {
        let mut here = std::mem::take(&mut at[first + index]);
        if let Some(tally) = tolls.next_if(|tally| tally.node == index) {
            let amount = tally.amount as f64;
            size += here.powers[0] * amount.abs();
            here.powers = powers_after_amount(&here.powers, amount);
            // The amount, its product and the addition.
            here.roundings += 3;
        }
        if here.powers[0] == 0.0 {
            continue;
        }
        for branch in node.branches {
            let share = f64::from(branch.faces) / f64::from(node.sides);
            at[branch.to as usize].add_scaled(&here, share);
        }
    }
    size
}

pub(super) fn add_scaled_powers(sum: &mut TallyPowerSums, powers: &TallyPowerSums, share: f64) {
    for (sum, power) in sum.iter_mut().zip(powers) {
        *sum += share * power;
    }
}

/// Computes the powers after `a` has been added to every tally, by the binomial theorem.
pub(super) fn powers_after_amount(&[p, t, t2, t3, t4]: &TallyPowerSums, a: f64) -> TallyPowerSums {
    let (a2, a3) = (a * a, a * a * a);
    [
        p,
        t + a * p,
        t2 + 2.0 * a * t + a2 * p,
        t3 + 3.0 * a * t2 + 3.0 * a2 * t + a3 * p,
        t4 + 4.0 * a * t3 + 6.0 * a2 * t2 + 4.0 * a3 * t + a2 * a2 * p,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A d6 has the central moments 35/12, 0 and 707/48; three of them are counted in 216 throws.
    #[test]
    fn the_moments_of_dice_by_hand() {
        let power = |k: i32| (1..=6).map(|face| f64::from(face).powi(k)).sum::<f64>() / 6.0;
        let die = TallyMoments::from_raw_moments([1, 2, 3, 4].map(power));
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-11, "{found}");
        near(die.mean, 3.5);
        near(die.variance, 35.0 / 12.0);
        near(die.third, 0.0);
        near(die.fourth, 707.0 / 48.0);
        let three = die.moments_of_copies_sum(3);
        near(three.variance, 35.0 / 4.0);
        let throws = (0..216).map(|i| f64::from(i / 36 + i / 6 % 6 + i % 6) + 3.0 - 10.5);
        near(three.fourth, throws.map(|away| away.powi(4)).sum::<f64>() / 216.0);
        assert_eq!(TallyMoments::default().bernstein_condition_scale(), 0.0);
    }

    #[test]
    fn powers_of_a_sum_are_those_of_its_parts() {
        let powers = |t: f64| [0, 1, 2, 3, 4].map(|k| 0.5 * t.powi(k));
        for (found, expected) in powers_after_amount(&powers(3.0), -5.0).iter().zip(powers(-2.0)) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
}
