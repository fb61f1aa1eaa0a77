//! Reduced loop: factored once, then solved for any number of right-hand sides.

use super::dense::Dense;
use super::rounds::Rounds;
use crate::cancel::Halt;
use crate::graph::{Reduction, Stop, System, put_back, put_on};

/// Number of products that the next elimination may cost in a loop too large to be reduced fully at
/// once.
const CHEAP: u64 = 256;

/// Number of remaining vertices up to which the loop is reduced fully.
const REDUCED: usize = 6_000;

/// Number of products between two cancellation checks: some milliseconds.
const UNASKED: usize = 1 << 20;

/// Reduced loop.
pub(crate) struct Solver<'h> {
    reduction: Reduction<f64>,
    rest: Rest,
    halt: &'h Halt,
}

/// Solver of the vertices that were not eliminated.
enum Rest {
    Nothing,
    Dense(Vec<u32>, Dense),
    Rounds(Vec<u32>, Rounds),
}

impl<'h> Solver<'h> {
    /// Reduces a loop. Returns `None` if it exceeds the limits, or the work is cancelled.
    pub(crate) fn of(system: System<f64>, halt: &'h Halt) -> Option<Solver<'h>> {
        let mut solver = Solver { reduction: Reduction::new(system), rest: Rest::Nothing, halt };
        match solver.reduce(CHEAP) {
            Stop::Cost if solver.reduction.left() > REDUCED => {
                let (left, rest) = solver.reduction.rest();
                solver.rest = Rest::Rounds(left, Rounds::of(&rest));
            }
            Stop::Cost => solver.reduce_fully()?,
            stop => solver.ended(stop)?,
        }
        Some(solver)
    }

    fn reduce(&mut self, most: u64) -> Stop {
        let (halt, mut asked) = (self.halt, self.reduction.products());
        self.reduction.reduce(most, true, &mut |products| {
            let due = products >= asked + UNASKED;
            asked = if due { products } else { asked };
            !due || !halt.asked()
        })
    }

    fn reduce_fully(&mut self) -> Option<()> {
        let stop = self.reduce(u64::MAX);
        self.ended(stop)
    }

    fn ended(&mut self, stop: Stop) -> Option<()> {
        self.rest = match stop {
            Stop::End => Rest::Nothing,
            Stop::Dense => {
                let (left, rest) = self.reduction.rest();
                Rest::Dense(left, Dense::of(&rest, &mut || !self.halt.asked())?)
            }
            Stop::Cost | Stop::Beyond => return None,
        };
        Some(())
    }

    /// Computes how often each vertex is visited, given the inflow of each. Returns `None` in the
    /// cases of [`of`](Self::of).
    pub(crate) fn visits(&mut self, comes: Vec<f64>) -> Option<Vec<f64>> {
        if let Some(visits) = self.tried(comes.clone()) {
            return Some(visits);
        }
        // The rounds did not converge.
        self.reduce_fully()?;
        self.tried(comes)
    }

    fn tried(&self, mut comes: Vec<f64>) -> Option<Vec<f64>> {
        put_on(self.reduction.taken(), &mut comes);
        let of_left = |left: &[u32]| left.iter().map(|place| comes[*place as usize]).collect();
        let (left, visits): (&[u32], Vec<f64>) = match &self.rest {
            Rest::Nothing => (&[], Vec::new()),
            Rest::Dense(left, dense) => (left, dense.visits(of_left(left))),
            Rest::Rounds(left, rounds) => {
                let comes: Vec<f64> = of_left(left);
                let go_on = &mut || !self.halt.asked();
                (left, rounds.visits(&comes, go_on)?)
            }
        };
        left.iter().zip(visits).for_each(|(place, visits)| comes[*place as usize] = visits);
        put_back(self.reduction.taken(), &mut comes);
        Some(comes)
    }

    /// Solves right-hand sides of either sign.
    pub(crate) fn signed(&mut self, comes: &[f64]) -> Option<Vec<f64>> {
        if comes.iter().all(|comes| *comes >= 0.0) {
            return self.visits(comes.to_vec());
        }
        let more = self.visits(comes.iter().map(|comes| comes.max(0.0)).collect())?;
        let less = self.visits(comes.iter().map(|comes| (-comes).max(0.0)).collect())?;
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
    fn walk(places: u32) -> System<f64> {
        let mut system = System::new(places as usize);
        for at in 0..places {
            for to in [at.wrapping_sub(1), at + 1] {
                match to < places {
                    true => system.lead(at as usize, to, 0.499_999_5),
                    false => system.exit(at as usize, &0.499_999_5),
                }
            }
            system.exit(at as usize, &1e-6);
        }
        system
    }

    /// Solves by Gaussian elimination with 1 − p, which suffices here because no row leads back to
    /// itself.
    fn by_gauss(system: &System<f64>, comes: &[f64]) -> Vec<f64> {
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
        let dense = Dense::of(&system, &mut || true).expect("it is left").visits(comes.clone());
        let rounds = Rounds::of(&system).visits(&comes, &mut || true).expect("it mixes");
        let reduced = Solver::of(walk(40), &NEVER).and_then(|mut solver| solver.visits(comes));
        for found in [dense, rounds, reduced.expect("it is small")] {
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-9 * expected, "{found} {expected}");
            }
        }
    }

    #[test]
    fn what_comes_in_with_either_sign_is_split() {
        let mut solver = Solver::of(walk(30), &NEVER).expect("it is small");
        let signed: Vec<f64> = (0..30).map(|at| f64::from(at % 3 - 1)).collect();
        let expected = by_gauss(&walk(30), &signed);
        let found = solver.signed(&signed).expect("it is small");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        }
    }
}
