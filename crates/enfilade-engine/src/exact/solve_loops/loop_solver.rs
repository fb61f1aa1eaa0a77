//! Reduced loop: factored once, then solved for any number of right-hand sides.

use super::dense_block::DenseSystemElimination;
use super::round_iteration::LoopRoundIteration;
use crate::cancel::CancelToken;
use crate::graph::{
    EliminationStopReason, LoopElimination, LoopLinearSystem, move_inflow_to_remaining,
    solve_eliminated_visits,
};

/// Number of products that the next elimination may cost in a loop too large to be reduced fully at
/// once.
const CHEAP_VERTEX_PRODUCTS: u64 = 256;

/// Number of remaining vertices up to which the loop is reduced fully.
const MAX_FULLY_REDUCED_VERTICES: usize = 6_000;

/// Number of products between two cancellation checks: some milliseconds.
const PRODUCTS_PER_CANCEL_CHECK: usize = 1 << 20;

/// Reduced loop.
pub(crate) struct EliminatedLoop<'h> {
    reduction: LoopElimination<f64>,
    rest: RemainingVertexSolver,
    halt: &'h CancelToken,
}

/// Solver of the vertices that were not eliminated.
enum RemainingVertexSolver {
    Nothing,
    Dense(Vec<u32>, DenseSystemElimination),
    Rounds(Vec<u32>, LoopRoundIteration),
}

impl<'h> EliminatedLoop<'h> {
    /// Reduces a loop. Returns `None` if it exceeds the limits, or the work is cancelled.
    pub(crate) fn eliminate_loop_vertices(
        system: LoopLinearSystem<f64>,
        halt: &'h CancelToken,
    ) -> Option<EliminatedLoop<'h>> {
        let mut solver = EliminatedLoop {
            reduction: LoopElimination::new(system),
            rest: RemainingVertexSolver::Nothing,
            halt,
        };
        match solver.eliminate_up_to_cost(CHEAP_VERTEX_PRODUCTS) {
            EliminationStopReason::Cost
                if solver.reduction.remaining_vertex_count() > MAX_FULLY_REDUCED_VERTICES =>
            {
                let (left, rest) = solver.reduction.remaining_system();
                solver.rest = RemainingVertexSolver::Rounds(
                    left,
                    LoopRoundIteration::from_loop_system(&rest),
                );
            }
            EliminationStopReason::Cost => solver.eliminate_remaining()?,
            stop => solver.prepare_remaining_solver(stop)?,
        }
        Some(solver)
    }

    fn eliminate_up_to_cost(&mut self, most: u64) -> EliminationStopReason {
        let (halt, mut multiplications) = (self.halt, self.reduction.multiplications_so_far());
        self.reduction.eliminate_while_cheap(most, true, &mut |products| {
            let due = products >= multiplications + PRODUCTS_PER_CANCEL_CHECK;
            multiplications = if due { products } else { multiplications };
            !due || !halt.is_cancelled()
        })
    }

    fn eliminate_remaining(&mut self) -> Option<()> {
        let stop = self.eliminate_up_to_cost(u64::MAX);
        self.prepare_remaining_solver(stop)
    }

    fn prepare_remaining_solver(&mut self, stop: EliminationStopReason) -> Option<()> {
        self.rest = match stop {
            EliminationStopReason::End => RemainingVertexSolver::Nothing,
            EliminationStopReason::Dense => {
                let (left, rest) = self.reduction.remaining_system();
                RemainingVertexSolver::Dense(
                    left,
                    DenseSystemElimination::eliminate_whole_system(&rest, &mut || {
                        !self.halt.is_cancelled()
                    })?,
                )
            }
            EliminationStopReason::Cost | EliminationStopReason::Beyond => return None,
        };
        Some(())
    }

    /// Computes how often each vertex is visited, given the inflow of each. Returns `None` in the
    /// cases of [`eliminate_loop_vertices`](Self::eliminate_loop_vertices).
    pub(crate) fn expected_visits_from_inflow(&mut self, inflow: Vec<f64>) -> Option<Vec<f64>> {
        if let Some(visits) = self.try_solve_visits(inflow.clone()) {
            return Some(visits);
        }
        // The rounds did not converge.
        self.eliminate_remaining()?;
        self.try_solve_visits(inflow)
    }

    fn try_solve_visits(&self, mut inflow: Vec<f64>) -> Option<Vec<f64>> {
        move_inflow_to_remaining(self.reduction.eliminated_in_order(), &mut inflow);
        let of_left = |left: &[u32]| left.iter().map(|place| inflow[*place as usize]).collect();
        let (left, visits): (&[u32], Vec<f64>) = match &self.rest {
            RemainingVertexSolver::Nothing => (&[], Vec::new()),
            RemainingVertexSolver::Dense(left, dense) => {
                (left, dense.expected_visits_from_inflow(of_left(left)))
            }
            RemainingVertexSolver::Rounds(left, rounds) => {
                let inflow: Vec<f64> = of_left(left);
                let go_on = &mut || !self.halt.is_cancelled();
                (left, rounds.expected_visits_from_inflow(&inflow, go_on)?)
            }
        };
        left.iter().zip(visits).for_each(|(place, visits)| inflow[*place as usize] = visits);
        solve_eliminated_visits(self.reduction.eliminated_in_order(), &mut inflow);
        Some(inflow)
    }

    /// Solves right-hand sides of either sign.
    pub(crate) fn visits_from_signed_inflow(&mut self, inflow: &[f64]) -> Option<Vec<f64>> {
        if inflow.iter().all(|inflow| *inflow >= 0.0) {
            return self.expected_visits_from_inflow(inflow.to_vec());
        }
        let more = self
            .expected_visits_from_inflow(inflow.iter().map(|inflow| inflow.max(0.0)).collect())?;
        let less = self.expected_visits_from_inflow(
            inflow.iter().map(|inflow| (-inflow).max(0.0)).collect(),
        )?;
        Some(more.iter().zip(less).map(|(more, less)| more - less).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::NEVER_CANCELLED;

    /// Builds a walk to and fro that every vertex leaves with one in a million, and that has a door
    /// at one end. No two consecutive rounds are alike, because a walker at an odd vertex is at an
    /// even one next.
    fn walk(places: u32) -> LoopLinearSystem<f64> {
        let mut system = LoopLinearSystem::new(places as usize);
        for at in 0..places {
            for to in [at.wrapping_sub(1), at + 1] {
                match to < places {
                    true => system.add_edge(at as usize, to, 0.499_999_5),
                    false => system.add_exit_share(at as usize, &0.499_999_5),
                }
            }
            system.add_exit_share(at as usize, &1e-6);
        }
        system
    }

    /// Solves by Gaussian elimination with 1 − p, which suffices here because no row leads back to
    /// itself.
    fn by_gauss(system: &LoopLinearSystem<f64>, comes: &[f64]) -> Vec<f64> {
        let n = comes.len();
        // x (I − P) = a, as columns.
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|to| {
                (0..=n)
                    .map(|from| if from == n { comes[to] } else { f64::from(u8::from(from == to)) })
                    .collect()
            })
            .collect();
        for (from, row) in system.edge_rows().iter().enumerate() {
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
        let dense = DenseSystemElimination::eliminate_whole_system(&system, &mut || true)
            .expect("it is left")
            .expected_visits_from_inflow(comes.clone());
        let rounds = LoopRoundIteration::from_loop_system(&system)
            .expected_visits_from_inflow(&comes, &mut || true)
            .expect("it mixes");
        let reduced = EliminatedLoop::eliminate_loop_vertices(walk(40), &NEVER_CANCELLED)
            .and_then(|mut solver| solver.expected_visits_from_inflow(comes));
        for found in [dense, rounds, reduced.expect("it is small")] {
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-9 * expected, "{found} {expected}");
            }
        }
    }

    #[test]
    fn what_comes_in_with_either_sign_is_split() {
        let mut solver = EliminatedLoop::eliminate_loop_vertices(walk(30), &NEVER_CANCELLED)
            .expect("it is small");
        let signed: Vec<f64> = (0..30).map(|at| f64::from(at % 3 - 1)).collect();
        let expected = by_gauss(&walk(30), &signed);
        let found = solver.visits_from_signed_inflow(&signed).expect("it is small");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        }
    }

    /// Circle whose vertices lead to those 1, 4, 9 … 289 places ahead, and are left with 1/2.
    /// Where every vertex is entered once, each is visited x = 1 + x/2 = 2 times.
    fn circle(places: u32) -> LoopLinearSystem<f64> {
        let mut system = LoopLinearSystem::new(places as usize);
        for at in 0..places {
            for root in 1..18 {
                system.add_edge(at as usize, (at + root * root) % places, 0.5 / 17.0);
            }
            system.add_exit_share(at as usize, &0.5);
        }
        system
    }

    /// The larger one has more vertices than are reduced fully; no vertex of it is cheap.
    #[test]
    fn a_circle_is_visited_twice_reduced_or_in_rounds() {
        for (places, in_rounds) in [(1201, false), (6101, true)] {
            let mut solver =
                EliminatedLoop::eliminate_loop_vertices(circle(places), &NEVER_CANCELLED)
                    .expect("it is left");
            assert_eq!(matches!(solver.rest, RemainingVertexSolver::Rounds(..)), in_rounds);
            let visits = solver.expected_visits_from_inflow(vec![1.0; places as usize]);
            for visits in visits.expect("it is solved") {
                assert!((visits - 2.0).abs() < 1e-10, "{visits}");
            }
        }
    }

    #[test]
    fn a_large_loop_is_given_up_while_it_is_reduced() {
        let halt = CancelToken::new();
        halt.cancel();
        assert!(EliminatedLoop::eliminate_loop_vertices(circle(1201), &halt).is_none());
    }

    /// A walk of 400 vertices forgets its start in some 20 000 rounds, twice as many as are swept.
    #[test]
    fn a_loop_whose_rounds_do_not_converge_is_reduced_after_all() {
        let comes: Vec<f64> = (0..400).map(|at| if at == 7 { 1.0 } else { 0.0 }).collect();
        let rounds = LoopRoundIteration::from_loop_system(&walk(400));
        assert_eq!(rounds.expected_visits_from_inflow(&comes, &mut || true), None);
        let mut solver = EliminatedLoop {
            reduction: LoopElimination::new(walk(400)),
            rest: RemainingVertexSolver::Rounds((0..400).collect(), rounds),
            halt: &NEVER_CANCELLED,
        };
        let expected = by_gauss(&walk(400), &comes);
        let found = solver.expected_visits_from_inflow(comes).expect("it is small");
        assert!(matches!(solver.rest, RemainingVertexSolver::Nothing));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-8 * expected, "{found} {expected}");
        }
    }
}
