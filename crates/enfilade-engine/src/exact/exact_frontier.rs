//! Exact distributions without a graph, by frontier propagation.
//!
//! For contests whose graph would be too large, and as a second exact engine for all others: the
//! two engines share the rule and nothing else.

use rustc_hash::FxHashMap;

use super::convergence::NEGLIGIBLE_UNFINISHED;
use super::distribution::Distribution;
use super::rounding_error::{
    ProbabilityWithRoundings, RoundingErrorBound, underflow_error, values_and_most_roundings,
};
use super::tally_moments::{TallyMoments, powers_after_amount};
use crate::error::SolveError;
use crate::frontier::{
    self, FirstStepsLimits, FrontierLimits, FrontierRunResult, FrontierWorkAmount,
    OutcomeWeightSplit, PropagatedWeightKind, StateWeightSum, Throw,
};
use enfilade_model::combat::{AnyCombat, Ending};

/// Distribution of a contest that has no graph.
#[derive(Clone, Debug)]
pub struct DistributionWithoutGraph {
    /// Endings, sorted by field values.
    pub endings: Vec<Ending>,
    /// Distribution by ending.
    pub law: Distribution,
    /// Amount of work that was done.
    pub extent: FrontierWorkAmount,
}

/// Solves the distribution of `combat`, which must have no decisions, with an error below 1e-12.
///
/// A contest that may never end is stepped until less than 1e-15 is unfinished or
/// [`MAX_STEPS_AT_PROGRESS`](frontier::MAX_STEPS_AT_PROGRESS) steps have passed.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn solve_without_graph(
    combat: &AnyCombat,
    terms: &FrontierLimits<'_>,
) -> Result<DistributionWithoutGraph, SolveError> {
    if combat.counter_count() == 0 {
        let result: PropagatedProbability<1> = propagate_probability(combat, None, terms)?;
        return Ok(result.into_endings_and_moments());
    }
    // The states are propagated once for each counter: powers of all counters at once would make
    // every state heavier, and nearly all rules count one thing.
    let first = propagate_probability(combat, Some(0), terms)?;
    let moments = first.tally_moments();
    let mut distribution = first.into_endings_and_moments();
    distribution.law.tallies.push(moments);
    for counter in 1..combat.counter_count() {
        let next = propagate_probability(combat, Some(counter), terms)?;
        distribution.law.tallies.push(next.tally_moments());
    }
    Ok(distribution)
}

/// Solves the distribution of `combat`, which must have no decisions, after some steps of
/// [played trials](crate::play): what is not over by then is unsettled, and nothing is tallied.
/// Returns `None` if its steps cannot be followed.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn solve_first_steps(
    combat: &AnyCombat,
    first: &FirstStepsLimits,
    terms: &FrontierLimits<'_>,
) -> Result<Option<DistributionWithoutGraph>, SolveError> {
    let opening = ProbabilityWithMoments::certain();
    let mut propagation = ProbabilityPropagation::<1> { counter: None, underflows: 0 };
    let run =
        frontier::propagate_steps_in_lockstep(combat, &mut propagation, opening, first, terms)?;
    let underflows = propagation.underflows;
    Ok(run.map(|run| PropagatedProbability { run, underflows }.into_endings_and_moments()))
}

/// Probability, propagated to the endings.
struct PropagatedProbability<const W: usize> {
    run: FrontierRunResult<ProbabilityWithMoments<W>>,
    /// Number of throws that split a probability below the normal numbers.
    underflows: u64,
}

impl PropagatedProbability<5> {
    fn tally_moments(&self) -> TallyMoments {
        let mut all = self.run.open;
        self.run.endings.iter().for_each(|(_, mass)| all.merge_weight(mass));
        let [_, powers @ ..] = all.powers;
        TallyMoments::from_raw_moments(powers)
    }
}

impl<const W: usize> PropagatedProbability<W> {
    fn into_endings_and_moments(self) -> DistributionWithoutGraph {
        let FrontierRunResult { endings, open, extent } = self.run;
        let counted = endings.iter().map(|(_, mass)| mass.counted());
        let (probabilities, roundings) = values_and_most_roundings(counted);
        let absolute = underflow_error(self.underflows);
        let law = Distribution {
            probabilities,
            unsettled: open.powers[0],
            rounding: RoundingErrorBound { roundings, absolute, ..RoundingErrorBound::default() },
            ..Distribution::default()
        };
        let endings = endings.into_iter().map(|(ending, _)| ending).collect();
        DistributionWithoutGraph { endings, law, extent }
    }
}

/// Probability and, if requested, the mean powers 1 to 4 of the tally.
#[derive(Clone, Copy)]
struct ProbabilityWithMoments<const W: usize> {
    powers: [f64; W],
    /// Number of roundings behind the probability.
    roundings: u64,
}

impl<const W: usize> Default for ProbabilityWithMoments<W> {
    fn default() -> Self {
        ProbabilityWithMoments { powers: [0.0; W], roundings: 0 }
    }
}

impl<const W: usize> ProbabilityWithMoments<W> {
    /// Returns the weight of what is certain, with nothing tallied.
    fn certain() -> ProbabilityWithMoments<W> {
        let mut weight = ProbabilityWithMoments::default();
        weight.powers[0] = 1.0;
        weight
    }

    fn counted(&self) -> ProbabilityWithRoundings {
        ProbabilityWithRoundings { value: self.powers[0], roundings: self.roundings }
    }

    /// Returns the part of an outcome with this probability.
    fn multiply_by_chance(&self, chance: ProbabilityWithRoundings) -> ProbabilityWithMoments<W> {
        ProbabilityWithMoments {
            powers: self.powers.map(|mass| mass * chance.value),
            roundings: self.roundings + chance.roundings + 1,
        }
    }
}

impl<const W: usize> StateWeightSum for ProbabilityWithMoments<W> {
    fn merge_weight(&mut self, other: &Self) {
        let rounds = u64::from(self.powers[0] != 0.0);
        for (sum, more) in self.powers.iter_mut().zip(other.powers) {
            *sum += more;
        }
        self.roundings = self.roundings.max(other.roundings) + rounds;
    }
}

fn propagate_probability<const W: usize>(
    combat: &AnyCombat,
    counter: Option<usize>,
    terms: &FrontierLimits<'_>,
) -> Result<PropagatedProbability<W>, SolveError> {
    let opening = ProbabilityWithMoments::certain();
    let mut propagation = ProbabilityPropagation::<W> { counter, underflows: 0 };
    let run = frontier::propagate_to_endings(combat, &mut propagation, opening, terms)?;
    Ok(PropagatedProbability { run, underflows: propagation.underflows })
}

struct ProbabilityPropagation<const W: usize> {
    counter: Option<usize>,
    underflows: u64,
}

impl<const W: usize> PropagatedWeightKind for ProbabilityPropagation<W> {
    type StateWeight = ProbabilityWithMoments<W>;
    type StateWeightSplit = ProbabilitySplit<W>;

    fn new_batch_split(&self, _wave: u64, _piece: u64) -> ProbabilitySplit<W> {
        ProbabilitySplit { counter: self.counter, laws: FxHashMap::default(), underflows: 0 }
    }

    fn collect_batch_side_results(&mut self, split: ProbabilitySplit<W>) {
        self.underflows += split.underflows;
    }

    fn is_weight_negligible(&self, open: &ProbabilityWithMoments<W>) -> bool {
        open.powers[0] <= NEGLIGIBLE_UNFINISHED
    }
}

/// Split of probability by the distributions of throws.
struct ProbabilitySplit<const W: usize> {
    counter: Option<usize>,
    laws: FxHashMap<Throw, Box<[(u16, ProbabilityWithRoundings)]>>,
    underflows: u64,
}

impl<const W: usize> OutcomeWeightSplit for ProbabilitySplit<W> {
    type StateWeight = ProbabilityWithMoments<W>;

    fn split_over_throw(
        &mut self,
        load: ProbabilityWithMoments<W>,
        throw: Throw,
        into: &mut Vec<(u16, ProbabilityWithMoments<W>)>,
    ) {
        if let Throw::Die(sides) = throw {
            let each = ProbabilityWithMoments {
                powers: load.powers.map(|mass| mass / f64::from(sides)),
                roundings: load.counted().divide_by_sides(sides).roundings,
            };
            self.underflows += u64::from(each.counted().is_below_normal());
            into.extend((1..=sides.into()).map(|face| (face, each)));
            return;
        }
        let law = self.laws.entry(throw).or_insert_with(|| distribution_of_throw(throw));
        for &(value, chance) in law.iter() {
            let part = load.multiply_by_chance(chance);
            self.underflows += u64::from(part.counted().is_below_normal());
            into.push((value, part));
        }
    }

    fn weight_after_step_tallies(
        &mut self,
        mut load: ProbabilityWithMoments<W>,
        paid: &[(u8, i64)],
    ) -> ProbabilityWithMoments<W> {
        let powers = load.powers.first_chunk_mut().filter(|_| !paid.is_empty());
        if let Some((counter, powers)) = self.counter.zip(powers) {
            let own = paid.iter().filter(|(of, _)| usize::from(*of) == counter);
            let amount: i64 = own.map(|(_, amount)| amount).sum();
            *powers = powers_after_amount(powers, amount as f64);
        }
        load
    }
}

/// Computes the distribution of a throw, one die after the other.
fn distribution_of_throw(throw: Throw) -> Box<[(u16, ProbabilityWithRoundings)]> {
    let mut law = vec![ProbabilityWithRoundings::default(); throw.max_value() + 1];
    law[0] = ProbabilityWithRoundings::ONE;
    for _ in 0..throw.number_of_dice() {
        let mut next = vec![ProbabilityWithRoundings::default(); law.len()];
        for (value, p) in law.iter().enumerate().filter(|(_, p)| p.value > 0.0) {
            for face in 1..=throw.sides() {
                next[value + usize::from(throw.amount_added_by_face(face))] +=
                    p.divide_by_sides(throw.sides());
            }
        }
        law = next;
    }
    let mut shown = vec![ProbabilityWithRoundings::default(); law.len()];
    (0..)
        .zip(&law)
        .for_each(|(value, p)| shown[usize::from(throw.least_equivalent_value(value))] += *p);
    (0..).zip(shown).filter(|(_, p)| p.value > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two dice by hand, and two of three coins.
    #[test]
    fn laws_of_throws_by_hand() {
        let two = distribution_of_throw(Throw::Sum(2, 6));
        assert_eq!((two.len(), two[0].0), (11, 2));
        assert!((two[5].1.value - 1.0 / 6.0).abs() < 1e-15);
        let heads = distribution_of_throw(Throw::Successes(3, 2, 2));
        assert_eq!(
            heads.iter().map(|(_, p)| p.value).collect::<Vec<_>>(),
            [0.125, 0.375, 0.375, 0.125]
        );
        for never in [Throw::Successes(4, 6, 7), Throw::Successes(0, 6, 3)] {
            let law = distribution_of_throw(never);
            assert!(matches!(*law, [(0, p)] if (p.value - 1.0).abs() < 1e-15), "{law:?}");
        }
    }
}
