//! Reduced loop: factored once, then solved for any number of right-hand sides.

use super::dense_block::DenseBlock;
use super::round_iteration::RoundIteration;
use crate::cancel::CancelToken;
use crate::graph::{LinearSystem, Reduction, ReductionStop, push_inflow, solve_back};

/// Number of products that the next elimination may cost in a loop too large to be reduced fully at
/// once.
const CHEAP_PRODUCTS: u64 = 256;

/// Number of remaining vertices up to which the loop is reduced fully.
const MAX_REDUCED_PLACES: usize = 6_000;

/// Number of products between two cancellation checks: some milliseconds.
const PRODUCTS_PER_CHECK: usize = 1 << 20;

/// Reduced loop.
pub(crate) struct LoopSolver<'h> {
    reduction: Reduction<f64>,
    rest: RemainderSolver,
    halt: &'h CancelToken,
}

/// Solver of the vertices that were not eliminated.
enum RemainderSolver {
    Nothing,
    Dense(Vec<u32>, DenseBlock),
    Rounds(Vec<u32>, RoundIteration),
}

impl<'h> LoopSolver<'h> {
    /// Reduces a loop. Returns `None` if it exceeds the limits, or the work is cancelled.
    pub(crate) fn reduce_system(
        system: LinearSystem<f64>,
        halt: &'h CancelToken,
    ) -> Option<LoopSolver<'h>> {
        let mut solver =
            LoopSolver { reduction: Reduction::new(system), rest: RemainderSolver::Nothing, halt };
        match solver.reduce(CHEAP_PRODUCTS) {
            ReductionStop::Cost if solver.reduction.remaining_count() > MAX_REDUCED_PLACES => {
                let (left, rest) = solver.reduction.remaining_system();
                solver.rest = RemainderSolver::Rounds(left, RoundIteration::from_system(&rest));
            }
            ReductionStop::Cost => solver.reduce_fully()?,
            stop => solver.finish_reduction(stop)?,
        }
        Some(solver)
    }

    fn reduce(&mut self, most: u64) -> ReductionStop {
        let (halt, mut asked) = (self.halt, self.reduction.product_count());
        self.reduction.reduce(most, true, &mut |products| {
            let due = products >= asked + PRODUCTS_PER_CHECK;
            asked = if due { products } else { asked };
            !due || !halt.is_cancelled()
        })
    }

    fn reduce_fully(&mut self) -> Option<()> {
        let stop = self.reduce(u64::MAX);
        self.finish_reduction(stop)
    }

    fn finish_reduction(&mut self, stop: ReductionStop) -> Option<()> {
        self.rest = match stop {
            ReductionStop::End => RemainderSolver::Nothing,
            ReductionStop::Dense => {
                let (left, rest) = self.reduction.remaining_system();
                RemainderSolver::Dense(
                    left,
                    DenseBlock::reduce_system(&rest, &mut || !self.halt.is_cancelled())?,
                )
            }
            ReductionStop::Cost | ReductionStop::Beyond => return None,
        };
        Some(())
    }

    /// Computes how often each vertex is visited, given the inflow of each. Returns `None` in the
    /// cases of [`reduce_system`](Self::reduce_system).
    pub(crate) fn solve_visits(&mut self, comes: Vec<f64>) -> Option<Vec<f64>> {
        if let Some(visits) = self.try_visits(comes.clone()) {
            return Some(visits);
        }
        // The rounds did not converge.
        self.reduce_fully()?;
        self.try_visits(comes)
    }

    fn try_visits(&self, mut comes: Vec<f64>) -> Option<Vec<f64>> {
        push_inflow(self.reduction.as_eliminated(), &mut comes);
        let of_left = |left: &[u32]| left.iter().map(|place| comes[*place as usize]).collect();
        let (left, visits): (&[u32], Vec<f64>) = match &self.rest {
            RemainderSolver::Nothing => (&[], Vec::new()),
            RemainderSolver::Dense(left, dense) => (left, dense.solve_visits(of_left(left))),
            RemainderSolver::Rounds(left, rounds) => {
                let comes: Vec<f64> = of_left(left);
                let go_on = &mut || !self.halt.is_cancelled();
                (left, rounds.solve_visits(&comes, go_on)?)
            }
        };
        left.iter().zip(visits).for_each(|(place, visits)| comes[*place as usize] = visits);
        solve_back(self.reduction.as_eliminated(), &mut comes);
        Some(comes)
    }

    /// Solves right-hand sides of either sign.
    pub(crate) fn solve_signed(&mut self, comes: &[f64]) -> Option<Vec<f64>> {
        if comes.iter().all(|comes| *comes >= 0.0) {
            return self.solve_visits(comes.to_vec());
        }
        let more = self.solve_visits(comes.iter().map(|comes| comes.max(0.0)).collect())?;
        let less = self.solve_visits(comes.iter().map(|comes| (-comes).max(0.0)).collect())?;
        Some(more.iter().zip(less).map(|(more, less)| more - less).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::NEVER;

    /// Builds a walk to and fro that every vertex leaves with one in a million, and that has a door
    /// at one end. No two consecutive rounds are alike, because a walker at an odd vertex is at an
    /// even one next.
    fn walk(places: u32) -> LinearSystem<f64> {
        let mut system = LinearSystem::new(places as usize);
        for at in 0..places {
            for to in [at.wrapping_sub(1), at + 1] {
                match to < places {
                    true => system.add_edge(at as usize, to, 0.499_999_5),
                    false => system.add_exit(at as usize, &0.499_999_5),
                }
            }
            system.add_exit(at as usize, &1e-6);
        }
        system
    }

    /// Solves by Gaussian elimination with 1 − p, which suffices here because no row leads back to
    /// itself.
    fn by_gauss(system: &LinearSystem<f64>, comes: &[f64]) -> Vec<f64> {
        let n = comes.len();
        // x (I − P) = a, as columns.
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|to| {
                (0..=n)
                    .map(|from| if from == n { comes[to] } else { f64::from(u8::from(from == to)) })
                    .collect()
            })
            .collect();
        for (from, row) in system.rows().iter().enumerate() {
            row.iter().for_each(|(to, share)| rows[*to as usize][from] -= share);
        }
        for pivot in 0..n {
            let row = rows[pivot].clone();
            for other in (0..n).filter(|other| *other != pivot) {
                let by = rows[other][pivot] / row[pivot];
                rows[other].iter_mut().zip(&row).for_each(|(sum, part)| *sum -= by * part);
            }
        }
        (0..n).map(|at| rows[at][n] / rows[at][at]).collect()
    }

    #[test]
    fn reduced_dense_and_in_rounds_it_is_the_same() {
        let system = walk(40);
        let comes: Vec<f64> = (0..40).map(|at| if at == 7 { 1.0 } else { 0.0 }).collect();
        let expected = by_gauss(&system, &comes);
        let dense = DenseBlock::reduce_system(&system, &mut || true)
            .expect("it is left")
            .solve_visits(comes.clone());
        let rounds = RoundIteration::from_system(&system)
            .solve_visits(&comes, &mut || true)
            .expect("it mixes");
        let reduced = LoopSolver::reduce_system(walk(40), &NEVER)
            .and_then(|mut solver| solver.solve_visits(comes));
        for found in [dense, rounds, reduced.expect("it is small")] {
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-9 * expected, "{found} {expected}");
            }
        }
    }

    #[test]
    fn what_comes_in_with_either_sign_is_split() {
        let mut solver = LoopSolver::reduce_system(walk(30), &NEVER).expect("it is small");
        let signed: Vec<f64> = (0..30).map(|at| f64::from(at % 3 - 1)).collect();
        let expected = by_gauss(&walk(30), &signed);
        let found = solver.solve_signed(&signed).expect("it is small");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        }
    }
}
