//! What is left of a large loop, in rounds that are broken off early: from some round on all that is still to
//! come lies between two multiples of what waits now.

use crate::exact::convergence::MAX_ROUNDS;
use crate::graph::System;

/// Rounds between two looks at how far they are.
const UNLOOKED: u32 = 4;

/// How much of what comes in may be between the two.
const NARROW: f64 = 1e-12;

/// The rows of what is left of a loop.
pub(crate) struct Rounds {
    /// By place: what leads on as shares of what leaves it.
    rows: Vec<Vec<(u32, f64)>>,
    /// By place: what leaves it, and the share of that which leads out.
    leaves: Vec<(f64, f64)>,
}

impl Rounds {
    pub(crate) fn of(system: &System<f64>) -> Rounds {
        let leaves = system.rows().iter().zip(system.exits()).map(|(row, exit)| {
            let all = row.iter().fold(*exit, |sum, (_, share)| sum + share);
            (all, exit / all)
        });
        let leaves: Vec<(f64, f64)> = leaves.collect();
        let share = |(row, (all, _)): (&Vec<(u32, f64)>, &(f64, f64))| {
            row.iter().map(|(to, share)| (*to, share / all)).collect()
        };
        Rounds { rows: system.rows().iter().zip(&leaves).map(share).collect(), leaves }
    }

    /// How often each place is visited, when so much comes in; `None` where the rounds do not come near enough.
    pub(crate) fn visits(
        &self,
        comes: &[f64],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<f64>> {
        let wanted = NARROW * comes.iter().sum::<f64>();
        let mut sums = vec![0.0; comes.len()];
        let (mut waits, mut next) = (comes.to_vec(), vec![0.0; comes.len()]);
        for round in 1..=MAX_ROUNDS {
            sums.iter_mut().zip(&waits).for_each(|(sum, here)| *sum += here);
            self.round(&waits, &mut next);
            if round.is_multiple_of(UNLOOKED) {
                if !go_on() {
                    return None;
                }
                if let Some(times) = self.to_come(&waits, &next, wanted) {
                    // What waits is among the sums already; each place waits twice as often as it is visited.
                    let all = sums.iter().zip(&waits).map(|(sum, here)| sum + (times - 1.0) * here);
                    let visits = all.zip(&self.leaves).map(|(y, (leaves, _))| 0.5 * y / leaves);
                    return Some(visits.collect());
                }
            }
            std::mem::swap(&mut waits, &mut next);
        }
        None
    }

    /// One round. Half of all waits: else what goes to and fro would never look alike in two rounds.
    fn round(&self, waits: &[f64], next: &mut [f64]) {
        next.iter_mut().zip(waits).for_each(|(next, here)| *next = 0.5 * here);
        for (row, here) in self.rows.iter().zip(waits).filter(|(_, here)| **here != 0.0) {
            row.iter().for_each(|(to, share)| next[*to as usize] += 0.5 * here * share);
        }
    }

    /// How many times what waits comes by from now on, once that is known well enough: between the least and the
    /// largest ratio to the round after it the ratio stays.
    fn to_come(&self, waits: &[f64], next: &[f64], wanted: f64) -> Option<f64> {
        let (mut least, mut most, mut out) = (f64::INFINITY, 0.0f64, 0.0);
        for ((here, next), (_, exit)) in waits.iter().zip(next).zip(&self.leaves) {
            if *here == 0.0 {
                // A place that held nothing the round before.
                if *next > 0.0 {
                    return None;
                }
                continue;
            }
            let ratio = next / here;
            (least, most) = (least.min(ratio), most.max(ratio));
            out += here * exit;
        }
        if out == 0.0 {
            return (least == f64::INFINITY).then_some(0.0);
        }
        let times = [least, most].map(|ratio| 1.0 / (1.0 - ratio));
        let narrow = most < 1.0 && (times[1] - times[0]) * out <= wanted;
        narrow.then(|| (times[0] + times[1]) / 2.0)
    }
}
