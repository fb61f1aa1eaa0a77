//! Dense remainder of a loop, where nearly every vertex leads to every other: reduced row by row.

use crate::graph::LoopLinearSystem;

/// Rows of one block, with the columns of the vertices eliminated before below the diagonal.
pub(crate) struct DenseSystemElimination {
    size: usize,
    /// Entries row by row. Right of the diagonal are the outgoing shares of the divisor, left of it
    /// the incoming shares.
    shares: Vec<f64>,
    divisors: Vec<f64>,
}

impl DenseSystemElimination {
    /// Reduces all of `system`. Returns `None` if `go_on` returned false, or a share is out of
    /// range.
    pub(crate) fn eliminate_whole_system(
        system: &LoopLinearSystem<f64>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<DenseSystemElimination> {
        let size = system.edge_rows().len();
        let mut shares = vec![0.0; size * size];
        for (row, shares) in system.edge_rows().iter().zip(shares.chunks_exact_mut(size.max(1))) {
            row.iter().for_each(|(to, share)| shares[*to as usize] += share);
        }
        let mut exits = system.total_exit_share_by_vertex().to_vec();
        let mut divisors = Vec::with_capacity(size);
        for place in 0..size {
            let (before, after) = shares.split_at_mut((place + 1) * size);
            let row = &mut before[place * size + place + 1..];
            let divisor = row.iter().fold(exits[place], |sum, share| sum + share);
            if divisor < f64::MIN_POSITIVE || !go_on() {
                return None;
            }
            row.iter_mut().for_each(|share| *share /= divisor);
            let out = exits[place] / divisor;
            divisors.push(divisor);
            for (from, other) in (place + 1..).zip(after.chunks_exact_mut(size)) {
                let by = other[place];
                if by != 0.0 {
                    // Entries that lead back to their own vertex are written where nothing reads
                    // them.
                    let sums = other[place + 1..].iter_mut().zip(row.iter());
                    sums.for_each(|(sum, share)| *sum += by * share);
                    exits[from] += by * out;
                }
            }
        }
        Some(DenseSystemElimination { size, shares, divisors })
    }

    /// Computes how often each vertex is visited, given the inflow of each.
    pub(crate) fn expected_visits_from_inflow(&self, mut inflow: Vec<f64>) -> Vec<f64> {
        let size = self.size;
        for place in 0..size {
            let here = inflow[place];
            let row = &self.shares[place * size + place + 1..(place + 1) * size];
            let on = inflow[place + 1..].iter_mut().zip(row);
            on.for_each(|(sum, share)| *sum += here * share);
        }
        // Each solved vertex is substituted into all before it, so that rows are read in memory
        // order.
        for place in (0..size).rev() {
            inflow[place] /= self.divisors[place];
            let here = inflow[place];
            let row = &self.shares[place * size..][..place];
            inflow[..place].iter_mut().zip(row).for_each(|(sum, share)| *sum += here * share);
        }
        inflow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two vertices that lead to each other with 1/2, and leave with `exit`.
    fn pair(exit: f64) -> LoopLinearSystem<f64> {
        let mut system = LoopLinearSystem::new(2);
        for from in 0..2 {
            system.add_edge(from, 1 - from as u32, 0.5);
            system.add_exit_share(from, &exit);
        }
        system
    }

    /// x = 1 + y/2 and y = x/2: 4/3 and 2/3.
    #[test]
    fn a_pair_that_is_left_is_solved() {
        let solved = DenseSystemElimination::eliminate_whole_system(&pair(0.5), &mut || true);
        let visits = solved.expect("it is left").expected_visits_from_inflow(vec![1.0, 0.0]);
        for (found, expected) in visits.iter().zip([4.0 / 3.0, 2.0 / 3.0]) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn a_pair_that_nothing_leaves_has_no_solution() {
        let solved = DenseSystemElimination::eliminate_whole_system(&pair(0.0), &mut || true);
        assert!(solved.is_none());
    }

    #[test]
    fn a_block_is_given_up_at_the_row_where_it_is_told_to() {
        for rows in 0..2 {
            let mut asked = 0;
            let mut go_on = || {
                asked += 1;
                asked <= rows
            };
            assert!(
                DenseSystemElimination::eliminate_whole_system(&pair(0.5), &mut go_on).is_none()
            );
            assert_eq!(asked, rows + 1);
        }
    }
}
