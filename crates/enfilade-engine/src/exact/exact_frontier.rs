//! Exact distributions without a graph, by frontier propagation.
//!
//! For contests whose graph would be too large, and as a second exact engine for all others: the
//! two engines share the rule and nothing else.

use rustc_hash::FxHashMap;

use super::convergence::SETTLED;
use super::distribution::Law;
use super::tally_moments::{Moments, tallied};
use crate::frontier::{self, Ended, Extent, Load, Push, Split, Terms, Throw};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::error::Unsolved;

/// Distribution of a contest that has no graph.
#[derive(Clone, Debug)]
pub struct Found {
    /// Endings, sorted by field values.
    pub endings: Vec<Ending>,
    /// Distribution by ending.
    pub law: Law,
    /// Amount of work that was done.
    pub extent: Extent,
}

/// Solves the distribution of `combat`, which must have no decisions, with an error below 1e-12.
///
/// A contest that may never end is stepped until less than 1e-15 is unfinished or
/// [`MAX_WAVES`](frontier::MAX_WAVES) steps have passed.
///
/// # Errors
/// If too many states wait at once, the rule fails, or the work is cancelled.
pub fn law_in_waves(combat: &AnyCombat, terms: &Terms<'_>) -> Result<Found, Unsolved> {
    if combat.counters() == 0 {
        return Ok(found(pushed(combat, None, terms)?, |[p]: &[f64; 1]| *p));
    }
    let mut tallies = Vec::new();
    let mut first = None;
    // The states are propagated once for each counter: powers of all counters at once would make
    // every state heavier, and nearly all rules count one thing.
    for counter in 0..combat.counters() {
        let ended: Ended<Mass<5>> = pushed(combat, Some(counter), terms)?;
        let mut all = Mass(ended.open.0);
        ended.endings.iter().for_each(|(_, mass)| all.add(mass));
        let [_, powers @ ..] = all.0;
        tallies.push(Moments::of(powers));
        first.get_or_insert_with(|| found(ended, |[p, ..]: &[f64; 5]| *p));
    }
    let Some(mut found) = first else { unreachable!("there is a counter") };
    found.law.tallies = tallies;
    Ok(found)
}

fn found<const W: usize>(ended: Ended<Mass<W>>, p: impl Fn(&[f64; W]) -> f64) -> Found {
    let probabilities = ended.endings.iter().map(|(_, mass)| p(&mass.0)).collect();
    let endings = ended.endings.iter().map(|(ending, _)| *ending).collect();
    let law = Law { probabilities, unsettled: p(&ended.open.0), ..Law::default() };
    Found { endings, law, extent: ended.extent }
}

/// Probability and, if requested, the mean powers 1 to 4 of the tally.
#[derive(Clone, Copy)]
struct Mass<const W: usize>([f64; W]);

impl<const W: usize> Default for Mass<W> {
    fn default() -> Self {
        Mass([0.0; W])
    }
}

impl<const W: usize> Load for Mass<W> {
    fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
    }
}

fn pushed<const W: usize>(
    combat: &AnyCombat,
    counter: Option<usize>,
    terms: &Terms<'_>,
) -> Result<Ended<Mass<W>>, Unsolved> {
    let mut opening = Mass::default();
    opening.0[0] = 1.0;
    frontier::run(combat, &mut Masses::<W> { counter }, opening, terms)
}

struct Masses<const W: usize> {
    counter: Option<usize>,
}

impl<const W: usize> Push for Masses<W> {
    type Load = Mass<W>;
    type Split = Shares<W>;

    fn split(&self, _wave: u64, _piece: u64) -> Shares<W> {
        Shares { counter: self.counter, laws: FxHashMap::default() }
    }

    fn gather(&mut self, _split: Shares<W>) {}

    fn is_settled(&self, open: &Mass<W>) -> bool {
        open.0[0] <= SETTLED
    }
}

/// Split of probability by the distributions of throws.
struct Shares<const W: usize> {
    counter: Option<usize>,
    laws: FxHashMap<Throw, Box<[(u16, f64)]>>,
}

impl<const W: usize> Split for Shares<W> {
    type Load = Mass<W>;

    fn split(&mut self, load: Mass<W>, throw: Throw, into: &mut Vec<(u16, Mass<W>)>) {
        if let Throw::Die(sides) = throw {
            let each = Mass(load.0.map(|mass| mass / f64::from(sides)));
            into.extend((1..=sides.into()).map(|face| (face, each)));
            return;
        }
        let law = self.laws.entry(throw).or_insert_with(|| law_of(throw));
        let share = |&(value, share): &(u16, f64)| (value, Mass(load.0.map(|mass| mass * share)));
        into.extend(law.iter().map(share));
    }

    fn landed(&mut self, mut load: Mass<W>, paid: &[(u8, i64)]) -> Mass<W> {
        let Some(counter) = self.counter.filter(|_| !paid.is_empty()) else {
            return load;
        };
        let own = paid.iter().filter(|(of, _)| usize::from(*of) == counter);
        let amount: i64 = own.map(|(_, amount)| amount).sum();
        if let Some(powers) = load.0.first_chunk_mut() {
            *powers = tallied(powers, amount as f64);
        }
        load
    }
}

/// Computes the distribution of a throw, one die after the other.
fn law_of(throw: Throw) -> Box<[(u16, f64)]> {
    let mut law = vec![0.0; throw.most() + 1];
    law[0] = 1.0;
    for _ in 0..throw.dice() {
        let mut next = vec![0.0; law.len()];
        for (value, p) in law.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            for face in 1..=throw.sides() {
                next[value + usize::from(throw.adds(face))] += p / f64::from(throw.sides());
            }
        }
        law = next;
    }
    let mut shown = vec![0.0; law.len()];
    (0..).zip(&law).for_each(|(value, p)| shown[usize::from(throw.shows(value))] += p);
    (0..).zip(shown).filter(|(_, p)| *p > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two dice by hand, and two of three coins.
    #[test]
    fn laws_of_throws_by_hand() {
        let two = law_of(Throw::Sum(2, 6));
        assert_eq!((two.len(), two[0].0), (11, 2));
        assert!((two[5].1 - 1.0 / 6.0).abs() < 1e-15);
        let heads = law_of(Throw::Successes(3, 2, 2));
        assert_eq!(heads.iter().map(|(_, p)| *p).collect::<Vec<_>>(), [0.125, 0.375, 0.375, 0.125]);
        for never in [Throw::Successes(4, 6, 7), Throw::Successes(0, 6, 3)] {
            let law = law_of(never);
            assert!(matches!(*law, [(0, p)] if (p - 1.0).abs() < 1e-15), "{law:?}");
        }
    }
}
