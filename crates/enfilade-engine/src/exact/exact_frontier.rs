//! Exact distributions without a graph, by frontier propagation.
//!
//! For contests whose graph would be too large, and as a second exact engine for all others: the
//! two engines share the rule and nothing else.

use rustc_hash::FxHashMap;

use super::convergence::NEGLIGIBLE;
use super::distribution::Distribution;
use super::tally_moments::{TallyMoments, shift_powers};
use crate::error::SolveError;
use crate::frontier::{
    self, FrontierLimits, FrontierResult, FrontierSize, Propagation, StateWeight, Throw,
    WeightSplit,
};
use enfilade_model::combat::{AnyCombat, Ending};

/// Distribution of a contest that has no graph.
#[derive(Clone, Debug)]
pub struct FrontierDistribution {
    /// Endings, sorted by field values.
    pub endings: Vec<Ending>,
    /// Distribution by ending.
    pub law: Distribution,
    /// Amount of work that was done.
    pub extent: FrontierSize,
}

/// Solves the distribution of `combat`, which must have no decisions, with an error below 1e-12.
///
/// A contest that may never end is stepped until less than 1e-15 is unfinished or
/// [`MAX_STEPS`](frontier::MAX_STEPS) steps have passed.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn solve_by_frontier(
    combat: &AnyCombat,
    terms: &FrontierLimits<'_>,
) -> Result<FrontierDistribution, SolveError> {
    if combat.counter_count() == 0 {
        return Ok(collect_distribution(propagate(combat, None, terms)?, |[p]: &[f64; 1]| *p));
    }
    let mut tallies = Vec::new();
    let mut first = None;
    // The states are propagated once for each counter: powers of all counters at once would make
    // every state heavier, and nearly all rules count one thing.
    for counter in 0..combat.counter_count() {
        let ended: FrontierResult<MomentWeight<5>> = propagate(combat, Some(counter), terms)?;
        let mut all = MomentWeight(ended.open.0);
        ended.endings.iter().for_each(|(_, mass)| all.add(mass));
        let [_, powers @ ..] = all.0;
        tallies.push(TallyMoments::from_powers(powers));
        first.get_or_insert_with(|| collect_distribution(ended, |[p, ..]: &[f64; 5]| *p));
    }
    let Some(mut found) = first else { unreachable!("there is a counter") };
    found.law.tallies = tallies;
    Ok(found)
}

fn collect_distribution<const W: usize>(
    ended: FrontierResult<MomentWeight<W>>,
    p: impl Fn(&[f64; W]) -> f64,
) -> FrontierDistribution {
    let probabilities = ended.endings.iter().map(|(_, mass)| p(&mass.0)).collect();
    let endings = ended.endings.iter().map(|(ending, _)| *ending).collect();
    let law =
        Distribution { probabilities, unsettled: p(&ended.open.0), ..Distribution::default() };
    FrontierDistribution { endings, law, extent: ended.extent }
}

/// Probability and, if requested, the mean powers 1 to 4 of the tally.
#[derive(Clone, Copy)]
struct MomentWeight<const W: usize>([f64; W]);

impl<const W: usize> Default for MomentWeight<W> {
    fn default() -> Self {
        MomentWeight([0.0; W])
    }
}

impl<const W: usize> StateWeight for MomentWeight<W> {
    fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
    }
}

fn propagate<const W: usize>(
    combat: &AnyCombat,
    counter: Option<usize>,
    terms: &FrontierLimits<'_>,
) -> Result<FrontierResult<MomentWeight<W>>, SolveError> {
    let mut opening = MomentWeight::default();
    opening.0[0] = 1.0;
    frontier::run_frontier(combat, &mut ProbabilityPropagation::<W> { counter }, opening, terms)
}

struct ProbabilityPropagation<const W: usize> {
    counter: Option<usize>,
}

impl<const W: usize> Propagation for ProbabilityPropagation<W> {
    type Load = MomentWeight<W>;
    type Split = ProbabilitySplit<W>;

    fn split(&self, _wave: u64, _piece: u64) -> ProbabilitySplit<W> {
        ProbabilitySplit { counter: self.counter, laws: FxHashMap::default() }
    }

    fn gather(&mut self, _split: ProbabilitySplit<W>) {}

    fn is_negligible(&self, open: &MomentWeight<W>) -> bool {
        open.0[0] <= NEGLIGIBLE
    }
}

/// Split of probability by the distributions of throws.
struct ProbabilitySplit<const W: usize> {
    counter: Option<usize>,
    laws: FxHashMap<Throw, Box<[(u16, f64)]>>,
}

impl<const W: usize> WeightSplit for ProbabilitySplit<W> {
    type Load = MomentWeight<W>;

    fn split(
        &mut self,
        load: MomentWeight<W>,
        throw: Throw,
        into: &mut Vec<(u16, MomentWeight<W>)>,
    ) {
        if let Throw::Die(sides) = throw {
            let each = MomentWeight(load.0.map(|mass| mass / f64::from(sides)));
            into.extend((1..=sides.into()).map(|face| (face, each)));
            return;
        }
        let law = self.laws.entry(throw).or_insert_with(|| throw_distribution(throw));
        let share =
            |&(value, share): &(u16, f64)| (value, MomentWeight(load.0.map(|mass| mass * share)));
        into.extend(law.iter().map(share));
    }

    fn apply_tallies(&mut self, mut load: MomentWeight<W>, paid: &[(u8, i64)]) -> MomentWeight<W> {
        let Some(counter) = self.counter.filter(|_| !paid.is_empty()) else {
            return load;
        };
        let own = paid.iter().filter(|(of, _)| usize::from(*of) == counter);
        let amount: i64 = own.map(|(_, amount)| amount).sum();
        if let Some(powers) = load.0.first_chunk_mut() {
            *powers = shift_powers(powers, amount as f64);
        }
        load
    }
}

/// Computes the distribution of a throw, one die after the other.
fn throw_distribution(throw: Throw) -> Box<[(u16, f64)]> {
    let mut law = vec![0.0; throw.max_value() + 1];
    law[0] = 1.0;
    for _ in 0..throw.dice_count() {
        let mut next = vec![0.0; law.len()];
        for (value, p) in law.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            for face in 1..=throw.sides() {
                next[value + usize::from(throw.face_value(face))] += p / f64::from(throw.sides());
            }
        }
        law = next;
    }
    let mut shown = vec![0.0; law.len()];
    (0..).zip(&law).for_each(|(value, p)| shown[usize::from(throw.representative(value))] += p);
    (0..).zip(shown).filter(|(_, p)| *p > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two dice by hand, and two of three coins.
    #[test]
    fn laws_of_throws_by_hand() {
        let two = throw_distribution(Throw::Sum(2, 6));
        assert_eq!((two.len(), two[0].0), (11, 2));
        assert!((two[5].1 - 1.0 / 6.0).abs() < 1e-15);
        let heads = throw_distribution(Throw::Successes(3, 2, 2));
        assert_eq!(heads.iter().map(|(_, p)| *p).collect::<Vec<_>>(), [0.125, 0.375, 0.375, 0.125]);
        for never in [Throw::Successes(4, 6, 7), Throw::Successes(0, 6, 3)] {
            let law = throw_distribution(never);
            assert!(matches!(*law, [(0, p)] if (p - 1.0).abs() < 1e-15), "{law:?}");
        }
    }
}
