//! The equilibrium of a zero-sum game between rows, which maximize the payoff, and columns, which
//! minimize it, as a linear program.
//!
//! The value of a game is unique. Its weights need not be: of two rows that are copies of each
//! other the solver may play either. Not here: games of more than two players.

use enfilade_engine::graph::solve_linear_program;

/// Weights of the rows, which add up to 1, and the payoff to the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowPlayerEquilibrium {
    /// Frequency of each row.
    pub rows: Vec<f64>,
    /// Least mean payoff to the rows, whatever the columns play.
    pub value: f64,
}

/// Computes the weights of the rows whose least payoff over the columns is largest.
///
/// `payoff[row][column]` is the payoff to the row player. `None` without rows or columns, where
/// rows are of different lengths or payoffs are not finite, or when the solver fails.
pub fn solve_zero_sum_game(payoff: &[Vec<f64>]) -> Option<RowPlayerEquilibrium> {
    let width = payoff.first().map(Vec::len).filter(|width| *width > 0)?;
    let entries = || payoff.iter().flatten();
    if payoff.iter().any(|row| row.len() != width) || !entries().all(|entry| entry.is_finite()) {
        return None;
    }
    let least = entries().copied().fold(f64::MAX, f64::min);
    let most = entries().copied().fold(f64::MIN, f64::max);
    let span = Some(most - least).filter(|span| span.is_finite())?;
    // Payoffs from 1 to 2 keep the value of the game above 0 and the numbers of the program alike.
    let scaled = |payoff: &f64| 1.0 + if span > 0.0 { (payoff - least) / span } else { 0.0 };
    let factors: Vec<Vec<f64>> =
        payoff.iter().map(|row| row.iter().map(scaled).collect()).collect();
    // The columns share out 1 / value so that no row is granted more than 1; the prices of the rows
    // are their weights.
    let (_, prices) = solve_linear_program(&factors, &vec![1.0; payoff.len()], &vec![1.0; width])?;
    let found: Vec<f64> = prices.into_iter().map(|weight| weight.max(0.0)).collect();
    let sum: f64 = found.iter().sum();
    let rows: Vec<f64> = found.iter().map(|weight| weight / sum).collect();
    let granted = |column: usize| payoff.iter().zip(&rows).map(|(row, p)| row[column] * p).sum();
    let value = (0..width).map(granted).fold(f64::INFINITY, f64::min);
    (sum > 0.0).then_some(RowPlayerEquilibrium { rows, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    /// Scissors, paper, stone with stakes 1, 2 and 3: each is played as often as the stake of the
    /// other two (3/6, 1/6, 2/6), and the game is fair.
    #[test]
    fn nash_is_that_of_a_known_game() {
        let payoff = [vec![0.0, 1.0, -2.0], vec![-1.0, 0.0, 3.0], vec![2.0, -3.0, 0.0]];
        let found = solve_zero_sum_game(&payoff).expect("a game");
        assert!(close(&found.rows, &[3.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0]), "{found:?}");
        assert!(found.value.abs() < 1e-9);
    }

    /// By hand: rows (3, −1) and (−2, 2) in parts p and 1 − p grant 5p − 2 and 2 − 3p, equal at p =
    /// ½: ½. A third row that is worse than the first everywhere is not played.
    #[test]
    fn a_game_by_hand() {
        let found = solve_zero_sum_game(&[vec![3.0, -1.0], vec![-2.0, 2.0], vec![2.0, -2.0]])
            .expect("a game");
        assert!(close(&found.rows, &[0.5, 0.5, 0.0]) && (found.value - 0.5).abs() < 1e-9);
    }

    #[test]
    fn games_of_any_size_have_an_answer_and_what_is_no_game_has_none() {
        let games: [Vec<Vec<f64>>; 5] = [
            vec![vec![5.0]],
            vec![vec![0.0; 3]; 4],
            vec![vec![-1e300, 1.0], vec![1e-300, 0.0]],
            vec![vec![700.0, -700.0], vec![-700.0, 700.0]],
            (0..40).map(|i| vec![f64::from(i), f64::from(40 - i)]).collect(),
        ];
        for payoff in games {
            let Some(found) = solve_zero_sum_game(&payoff) else { continue };
            let sum: f64 = found.rows.iter().sum();
            assert!((sum - 1.0).abs() < 1e-6 && found.value.is_finite(), "{payoff:?} {found:?}");
        }
        for none in [vec![], vec![vec![]], vec![vec![f64::NAN]], vec![vec![1.0, 2.0], vec![1.0]]] {
            assert_eq!(solve_zero_sum_game(&none), None);
        }
    }
}
