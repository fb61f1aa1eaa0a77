//! Units against units: the part of their unevenness that other prices could mend, and the part
//! that no price can.
//!
//! Every unit of a file meets every other as reference troops. An edge is the worth of one in units
//! of another, averaged over both directions, over the ratio of their prices: in logarithms an
//! antisymmetric matrix. The matrix splits into differences of one number for each unit, which
//! other prices would change, and the rest, which is circles (Jiang, Lim, Yao & Ye 2011,
//! "Statistical ranking and combinatorial Hodge theory"; on a complete graph the first part is the
//! difference of the means of rows).

use crate::equilibrium::solve_zero_sum_game;
use crate::value_table::build_rows_from_fn;

/// Factor beyond which a mix that is better than a unit against every opponent makes it never worth
/// buying.
const BETTER_MIX_FACTOR: f64 = 1.05;

/// Edges between the units of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitEdgeMatrix {
    /// By unit and opponent: the logarithm of the worth of points in the unit over the same points
    /// in the opponent.
    pub edge: Vec<Vec<f64>>,
    /// By unit and opponent: the part of the edge that no price can mend.
    pub cyclic: Vec<Vec<f64>>,
    /// By unit: the logarithm by which its price is too low beside all others, on average.
    pub potential: Vec<f64>,
    /// Root mean square of the part that both directions share: the worth of company, no edge.
    pub company: f64,
}

/// A unit and its worst opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstOpponentOfUnit {
    /// The opponent.
    pub by: usize,
    /// Points of the opponent that 100 points of the unit count for.
    pub points: f64,
}

impl UnitEdgeMatrix {
    /// Computes the edges of units from `worth[i][j]`, the logarithm of the number of units j that
    /// one unit i is worth, at `prices`. Returns `None` if there are fewer than two units, rows
    /// differ in length, or a number is NaN or infinite.
    pub fn new(worth: &[Vec<f64>], prices: &[f64]) -> Option<UnitEdgeMatrix> {
        let n = prices.len();
        let whole = worth.len() == n && worth.iter().all(|row| row.len() == n);
        let finite = || worth.iter().flatten().all(|worth| worth.is_finite());
        if n < 2 || !whole || !finite() || !prices.iter().all(|price| *price > 0.0) {
            return None;
        }
        let edge =
            |i: usize, j: usize| 0.5 * (worth[i][j] - worth[j][i]) - (prices[i] / prices[j]).ln();
        let edge = build_rows_from_fn(n, n, edge);
        let mean = |row: &Vec<f64>| row.iter().sum::<f64>() / n as f64;
        let potential: Vec<f64> = edge.iter().map(mean).collect();
        let cyclic = build_rows_from_fn(n, n, |i, j| edge[i][j] - (potential[i] - potential[j]));
        let half =
            |i: usize, j: usize| if i == j { 0.0 } else { 0.5 * (worth[i][j] + worth[j][i]) };
        let both = build_rows_from_fn(n, n, half);
        let company = root_mean_square_of_pairs(&both);
        Some(UnitEdgeMatrix { edge, cyclic, potential, company })
    }

    /// Root mean square of the edges.
    pub fn root_mean_square(&self) -> f64 {
        root_mean_square_of_pairs(&self.edge)
    }

    /// Share of the squares of the edges that other prices could mend; the rest is circles. `None`
    /// if there are no edges.
    pub fn edge_share_prices_could_mend(&self) -> Option<f64> {
        let all = sum_of_squares(&self.edge);
        (all > 1e-24).then(|| 1.0 - sum_of_squares(&self.cyclic) / all)
    }

    /// Returns the worst opponent of a unit.
    ///
    /// # Panics
    /// Never: there are at least two units.
    pub fn worst_opponent_of(&self, unit: usize) -> WorstOpponentOfUnit {
        let edge = |other: &usize| self.edge[unit][*other];
        let others = self.other_units(unit);
        let by = others.min_by(|a, b| edge(a).total_cmp(&edge(b))).expect("there are others");
        WorstOpponentOfUnit { by, points: 100.0 * edge(&by).exp() }
    }

    /// Factor by which the best mix of other units is better than `unit` against every opponent;
    /// `None` if the factor is at most 1.05.
    pub fn best_dominating_mix_factor(&self, unit: usize) -> Option<f64> {
        let lead = |other: usize| {
            let pairs = self.edge[other].iter().zip(&self.edge[unit]);
            pairs.map(|(theirs, own)| theirs - own).collect()
        };
        let leads: Vec<Vec<f64>> = self.other_units(unit).map(lead).collect();
        let factor = solve_zero_sum_game(&leads)?.value.exp();
        (factor > BETTER_MIX_FACTOR).then_some(factor)
    }

    /// The share of its points that the best mix loses against the best answer when `unit` is not
    /// for sale: the use of the unit.
    pub fn mix_loss_without(&self, unit: usize) -> f64 {
        let rows: Vec<Vec<f64>> =
            self.other_units(unit).map(|other| self.edge[other].clone()).collect();
        // With every unit the game is even: each side may buy what the other does.
        solve_zero_sum_game(&rows).map_or(0.0, |game| (1.0 - game.value.exp()).max(0.0))
    }

    /// Returns a mix of units that no other mix beats.
    pub fn find_unbeaten_mix(&self) -> Vec<f64> {
        solve_zero_sum_game(&self.edge).map_or_else(Vec::new, |game| game.rows)
    }

    /// Whether a unit has no one price: against more than one half of `mix` the part that no price
    /// can mend is beyond `tolerance`. The mix is by unit; its entry for the unit itself does not
    /// count.
    pub fn has_no_single_price(&self, unit: usize, mix: &[f64], tolerance: f64) -> bool {
        let beyond = |other: &usize| self.cyclic[unit][*other].abs() > (1.0 + tolerance).ln();
        let weight = |others: &mut dyn Iterator<Item = usize>| others.map(|o| mix[o]).sum::<f64>();
        let all = weight(&mut self.other_units(unit));
        weight(&mut self.other_units(unit).filter(beyond)) > 0.5 * all
    }

    /// The prices at which a unit that costs `price` is even with each opponent; at the index of
    /// the unit itself, `price`.
    pub fn even_prices_by_opponent(&self, unit: usize, price: f64) -> Vec<f64> {
        self.edge[unit].iter().map(|edge| price * edge.exp()).collect()
    }

    /// Finds three units of which each beats the next and the last the first, with the strongest
    /// weakest edge; `None` if there is no circle.
    pub fn find_strongest_cycle(&self) -> Option<[usize; 3]> {
        let n = self.edge.len();
        let mut best = None;
        for i in 0..n {
            // Each circle once, from its first unit on; in both directions.
            for j in i + 1..n {
                for k in (i + 1..n).filter(|k| *k != j) {
                    let weakest = self.edge[i][j].min(self.edge[j][k]).min(self.edge[k][i]);
                    if weakest > best.map_or(1e-12, |(known, _)| known) {
                        best = Some((weakest, [i, j, k]));
                    }
                }
            }
        }
        best.map(|(_, circle)| circle)
    }

    fn other_units(&self, unit: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.edge.len()).filter(move |other| *other != unit)
    }
}

/// Root mean square of entries about pairs of units; a unit beside itself has entry 0.
fn root_mean_square_of_pairs(matrix: &[Vec<f64>]) -> f64 {
    let n = matrix.len();
    (sum_of_squares(matrix) / (n * (n - 1)) as f64).sqrt()
}

fn sum_of_squares(matrix: &[Vec<f64>]) -> f64 {
    matrix.iter().flatten().map(|entry| entry * entry).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worths that are one number for each unit, times the worth of company.
    fn scale(worth: &[f64], company: f64) -> Vec<Vec<f64>> {
        build_rows_from_fn(worth.len(), worth.len(), |i, j| {
            (worth[i] / worth[j]).ln() + if i == j { 0.0 } else { company }
        })
    }

    /// Each is worth `edge` of the next and 1/`edge` of the one before.
    fn circle(edge: f64) -> Vec<Vec<f64>> {
        build_rows_from_fn(3, 3, |i, j| match (j + 3 - i) % 3 {
            1 => edge.ln(),
            2 => -edge.ln(),
            _ => 0.0,
        })
    }

    const ALL: [f64; 3] = [1.0, 1.0, 1.0];

    #[test]
    fn a_scale_is_mended_by_prices_and_a_circle_by_none() {
        let worth = [1.0, 2.0, 5.0, 0.3];
        let found = UnitEdgeMatrix::new(&scale(&worth, 0.2), &[1.0, 1.0, 4.0, 1.0]).expect("edges");
        assert!((found.edge_share_prices_could_mend().expect("uneven") - 1.0).abs() < 1e-9);
        assert!(sum_of_squares(&found.cyclic) < 1e-18 && found.find_strongest_cycle().is_none());
        assert!((found.company - 0.2).abs() < 1e-9);
        // At their worth nothing is uneven.
        let even = UnitEdgeMatrix::new(&scale(&worth, 0.2), &worth).expect("edges");
        assert!(even.root_mean_square() < 1e-9 && even.edge_share_prices_could_mend().is_none());
        let found = UnitEdgeMatrix::new(&circle(1.5), &ALL).expect("edges");
        assert!(found.edge_share_prices_could_mend().expect("uneven").abs() < 1e-9);
        assert!(found.potential.iter().all(|u| u.abs() < 1e-9));
        assert_eq!(found.find_strongest_cycle(), Some([0, 1, 2]));
    }

    /// A circle in which each edge is 1.5: each unit is countered by the one before it, for 67
    /// points; without one of them the other two lose a third of an edge.
    #[test]
    fn a_circle_by_hand() {
        let found = UnitEdgeMatrix::new(&circle(1.5), &ALL).expect("edges");
        for unit in 0..3 {
            let counter = found.worst_opponent_of(unit);
            assert_eq!(counter.by, (unit + 2) % 3);
            assert!((counter.points - 100.0 / 1.5).abs() < 1e-9);
            assert_eq!(found.best_dominating_mix_factor(unit), None);
            assert!(
                found.has_no_single_price(unit, &ALL, 0.25)
                    && !found.has_no_single_price(unit, &ALL, 0.6)
            );
            // Of the two that are left, a share q of the one that the third beats gives 1 − 2q
            // edges against the third and q − 1 against the other: one third of an edge is lost at
            // best.
            assert!(
                (found.mix_loss_without(unit) - (1.0 - 1.5_f64.powf(-1.0 / 3.0))).abs() < 1e-6,
                "{}",
                found.mix_loss_without(unit)
            );
        }
        let mix = found.find_unbeaten_mix();
        assert!(mix.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6), "{mix:?}");
        let against = found.even_prices_by_opponent(0, 30.0);
        assert!((against[1] - 45.0).abs() < 1e-9 && (against[2] - 20.0).abs() < 1e-9);
    }

    /// The third costs twice as much as it is worth: another is better by 2 against every opponent,
    /// and no mix needs it.
    #[test]
    fn what_is_too_dear_is_never_worth_buying() {
        let found =
            UnitEdgeMatrix::new(&scale(&[1.0, 2.0, 2.0], 0.0), &[1.0, 2.0, 4.0]).expect("edges");
        let factor = found.best_dominating_mix_factor(2).expect("it is outbought");
        assert!((factor - 2.0).abs() < 1e-6 && found.mix_loss_without(2) < 1e-9);
        assert!(
            found.best_dominating_mix_factor(0).is_none()
                && found.best_dominating_mix_factor(1).is_none()
        );
        assert!((0..3).all(|unit| !found.has_no_single_price(unit, &ALL, 0.25)));
        assert!(found.find_unbeaten_mix()[2].abs() < 1e-9);
    }

    /// One is worth two of the other at the same price: it counts for twice its points, and the
    /// other for half.
    #[test]
    fn two_units_have_an_edge() {
        let found = UnitEdgeMatrix::new(&scale(&[2.0, 1.0], 0.0), &[1.0, 1.0]).expect("edges");
        for (unit, points) in [(0, 200.0), (1, 50.0)] {
            let other = found.worst_opponent_of(unit);
            assert!(other.by == 1 - unit && (other.points - points).abs() < 1e-9, "{other:?}");
        }
    }

    #[test]
    fn odd_input_has_no_edges() {
        assert_eq!(UnitEdgeMatrix::new(&[vec![0.0]], &[1.0]), None);
        assert_eq!(UnitEdgeMatrix::new(&[vec![0.0, 1.0], vec![0.0]], &[1.0, 1.0]), None);
        assert_eq!(UnitEdgeMatrix::new(&[vec![0.0, f64::NAN], vec![0.0, 0.0]], &[1.0, 1.0]), None);
        assert_eq!(UnitEdgeMatrix::new(&[vec![0.0, 1.0], vec![0.0, 0.0]], &[1.0, 0.0]), None);
    }
}
