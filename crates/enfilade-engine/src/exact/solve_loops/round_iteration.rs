//! Round iteration of the remainder of a large loop, stopped early: from some round on the
//! remaining sum lies between two multiples of the waiting probability.

use crate::exact::convergence::MAX_LOOP_ROUNDS;
use crate::graph::LoopLinearSystem;

/// Number of rounds between two convergence checks.
const ROUNDS_PER_ERROR_CHECK: u32 = 4;

/// Largest share of the inflow that may lie between the two bounds.
const CONVERGENCE_TOLERANCE: f64 = 1e-12;

/// Rows of the remainder of a loop.
pub(crate) struct LoopRoundIteration {
    /// Outgoing edges by vertex, as shares of the outflow of the vertex.
    rows: Vec<Vec<(u32, f64)>>,
    /// Outflow by vertex, and the share of it that leaves the loop.
    leaves: Vec<(f64, f64)>,
}

impl LoopRoundIteration {
    pub(crate) fn from_loop_system(system: &LoopLinearSystem<f64>) -> LoopRoundIteration {
        let leaves = system.edge_rows().iter().zip(system.total_exit_share_by_vertex()).map(
            |(row, exit)| {
                let all = row.iter().fold(*exit, |sum, (_, share)| sum + share);
                (all, exit / all)
            },
        );
        let leaves: Vec<(f64, f64)> = leaves.collect();
        let share = |(row, (all, _)): (&Vec<(u32, f64)>, &(f64, f64))| {
            row.iter().map(|(to, share)| (*to, share / all)).collect()
        };
        LoopRoundIteration {
            rows: system.edge_rows().iter().zip(&leaves).map(share).collect(),
            leaves,
        }
    }

    /// Computes how often each vertex is visited, given the inflow of each. Returns `None` if the
    /// rounds do not converge.
    pub(crate) fn expected_visits_from_inflow(
        &self,
        inflow: &[f64],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<f64>> {
        let wanted = CONVERGENCE_TOLERANCE * inflow.iter().sum::<f64>();
        let mut sums = vec![0.0; inflow.len()];
        let (mut waits, mut next) = (inflow.to_vec(), vec![0.0; inflow.len()]);
        for round in 1..=MAX_LOOP_ROUNDS {
            sums.iter_mut().zip(&waits).for_each(|(sum, here)| *sum += here);
            self.advance_lazy_round(&waits, &mut next);
            if round.is_multiple_of(ROUNDS_PER_ERROR_CHECK) {
                if !go_on() {
                    return None;
                }
                if let Some(times) = self.remaining_visits_per_waiting(&waits, &next, wanted) {
                    // The waiting part is in the sums already; each vertex waits twice as often as
                    // it is visited.
                    let all = sums.iter().zip(&waits).map(|(sum, here)| sum + (times - 1.0) * here);
                    let visits = all.zip(&self.leaves).map(|(y, (leaves, _))| 0.5 * y / leaves);
                    return Some(visits.collect());
                }
            }
            std::mem::swap(&mut waits, &mut next);
        }
        None
    }

    /// Performs one round. Half of the probability stays in place, because a loop with an even
    /// period would never look alike in two rounds.
    fn advance_lazy_round(&self, waits: &[f64], next: &mut [f64]) {
        next.iter_mut().zip(waits).for_each(|(next, here)| *next = 0.5 * here);
        for (row, here) in self.rows.iter().zip(waits).filter(|(_, here)| **here != 0.0) {
            row.iter().for_each(|(to, share)| next[*to as usize] += 0.5 * here * share);
        }
    }

    /// Returns the factor of the waiting part that is still to come, once it is precise enough: the
    /// ratio of consecutive rounds stays between the least and the largest ratio of this round.
    fn remaining_visits_per_waiting(
        &self,
        waits: &[f64],
        next: &[f64],
        precision: f64,
    ) -> Option<f64> {
        let (mut least, mut most, mut out) = (f64::INFINITY, 0.0f64, 0.0);
        for ((here, next), (_, exit)) in waits.iter().zip(next).zip(&self.leaves) {
            if *here == 0.0 {
                // A vertex that was empty in the round before.
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
        let narrow = most < 1.0 && (times[1] - times[0]) * out <= precision;
        narrow.then(|| (times[0] + times[1]) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vertex that is left with 1/2, and else leads to a second one, which leads back.
    fn pair() -> LoopLinearSystem<f64> {
        let mut system = LoopLinearSystem::new(2);
        system.add_edge(0, 1, 0.5);
        system.add_exit_share(0, &0.5);
        system.add_edge(1, 0, 1.0);
        system
    }

    /// x = 1 + y and y = x/2: 2 and 1.
    #[test]
    fn rounds_of_a_pair_converge() {
        let rounds = LoopRoundIteration::from_loop_system(&pair());
        let visits = rounds.expected_visits_from_inflow(&[1.0, 0.0], &mut || true);
        for (found, expected) in visits.expect("they converge").iter().zip([2.0, 1.0]) {
            assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
    }

    #[test]
    fn where_nothing_comes_in_nothing_is_visited() {
        let rounds = LoopRoundIteration::from_loop_system(&pair());
        let visits = rounds.expected_visits_from_inflow(&[0.0, 0.0], &mut || true);
        assert_eq!(visits, Some(vec![0.0, 0.0]));
    }

    #[test]
    fn rounds_stop_at_the_first_check_that_says_so() {
        let rounds = LoopRoundIteration::from_loop_system(&pair());
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            false
        };
        assert_eq!(rounds.expected_visits_from_inflow(&[1.0, 0.0], &mut go_on), None);
        assert_eq!(asked, 1);
    }
}
