//! The equilibrium of a zero-sum game between rows, which maximize the payoff, and columns, which
//! minimize it.
//!
//! [`softened`] adds temperature × relative entropy for both players, which makes the equilibrium
//! unique and smooth in the payoffs: a column is played with a weight that falls exponentially in
//! the payoff it grants. Rows or columns that are copies of each other share one weight (Balduzzi
//! et al. 2018, "Re-evaluating evaluation", require of an average that it is immune to such
//! redundancy): the relative entropy is taken over classes of equal ones. [`nash`] is the game
//! without entropy, as a linear program solved by `microlp`; it is the bound at temperature 0.
//!
//! The soft game is solved as the minimum over column weights q of the convex function
//! T·ln Σ π exp((Aq)/T) + T·KL(q ‖ π), by multiplicative steps in the logarithms of the weights
//! with a step size that is halved while a step would climb. No weight is ever divided by, so
//! nothing overflows, and the steps are bounded. Not here: games of more than two players.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// Largest difference at which two payoffs count as equal.
const SAME: f64 = 1e-9;

/// Largest number of steps; some hundred are usual.
const STEPS: usize = 20_000;

/// Payoff beyond which larger ones count as infinite.
const LARGEST: f64 = 1e3;

/// Weights of both players, each adding up to 1, and the payoff to the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Frequency of each row.
    pub rows: Vec<f64>,
    /// Frequency of each column.
    pub columns: Vec<f64>,
    /// Mean payoff to the rows.
    pub value: f64,
}

/// Computes the equilibrium with relative entropy at a positive `temperature`, in units of the
/// payoff.
///
/// `payoff[row][column]` is the payoff to the row player; rows are of equal length. Payoffs that
/// are not numbers count as 0, and all are cut to ±1000. `None` without rows or columns.
///
/// ```
/// use enfilade_stats::equilibrium::softened;
/// // Matching pennies: both sides half the time, at every temperature.
/// let game = softened(&[vec![1.0, -1.0], vec![-1.0, 1.0]], 0.1).expect("there are rows");
/// assert!((game.columns[0] - 0.5).abs() < 1e-12 && game.value.abs() < 1e-12);
/// ```
pub fn softened(payoff: &[Vec<f64>], temperature: f64) -> Option<Equilibrium> {
    let game = Classes::of(payoff)?;
    let temperature = temperature.max(1e-6);
    let mut weights = LogWeights::even(game.payoff[0].len());
    let mut aim = weights.answer(&game.payoff, temperature);
    let mut step = 1.0;
    for _ in 0..STEPS {
        if weights.distance(&aim) < 1e-14 || step < 1e-12 {
            break;
        }
        let tried = weights.towards(&aim, step);
        let next = tried.answer(&game.payoff, temperature);
        if tried.still_falls(&weights, &next) {
            // Bold again after a success, or one bad moment would slow down all that follow.
            (weights, aim, step) = (tried, next, (1.5 * step).min(1.0));
        } else {
            step *= 0.5;
        }
    }
    let columns = weights.shares();
    let rows = softmax(&scaled(&row_payoffs(&game.payoff, &columns), 1.0 / temperature));
    Some(game.unfolded(rows, columns))
}

/// Computes a Nash equilibrium: the columns play so that the best row gets least, and the reverse.
///
/// There may be several; the value is unique, and the solver chooses the weights. `None` without
/// rows or columns, or when the solver fails.
pub fn nash(payoff: &[Vec<f64>]) -> Option<Equilibrium> {
    let game = Classes::of(payoff)?;
    let columns = guarded(&game.payoff)?;
    let turned = |column: usize| game.payoff.iter().map(|row| -row[column]).collect();
    let turned: Vec<Vec<f64>> = (0..game.payoff[0].len()).map(turned).collect();
    let rows = guarded(&turned)?;
    Some(game.unfolded(rows, columns))
}

/// Computes the weights of the columns that minimize the best row's payoff.
fn guarded(payoff: &[Vec<f64>]) -> Option<Vec<f64>> {
    let lowest = payoff.iter().flatten().copied().fold(f64::MAX, f64::min);
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let best = problem.add_var(1.0, (0.0, f64::INFINITY));
    let weights: Vec<Variable> =
        payoff[0].iter().map(|_| problem.add_var(0.0, (0.0, f64::INFINITY))).collect();
    for row in payoff {
        // Payoffs of 1 and more keep the value of the game above its lower bound of 0.
        let shifted = row.iter().map(|payoff| payoff - lowest + 1.0);
        let mut terms: Vec<_> = weights.iter().copied().zip(shifted).collect();
        terms.push((best, -1.0));
        problem.add_constraint(terms, ComparisonOp::Le, 0.0);
    }
    let all: Vec<_> = weights.iter().map(|&weight| (weight, 1.0)).collect();
    problem.add_constraint(all, ComparisonOp::Eq, 1.0);
    let solution = problem.solve().ok()?.into_solution().ok()?;
    let found = weights.iter().map(|&weight| solution.var_value(weight).max(0.0));
    let found: Vec<f64> = found.collect();
    let sum: f64 = found.iter().sum();
    (sum > 0.0).then(|| scaled(&found, 1.0 / sum))
}

/// Game in which no two rows and no two columns are equal.
struct Classes {
    payoff: Vec<Vec<f64>>,
    /// Class of every row of the original game.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Classes {
    fn of(payoff: &[Vec<f64>]) -> Option<Classes> {
        let width = payoff.first().map(Vec::len).filter(|&width| width > 0)?;
        let entry = |row: &Vec<f64>, column: usize| {
            let entry = row.get(column).copied().unwrap_or(0.0);
            if entry.is_nan() {
                return 0.0;
            }
            entry.clamp(-LARGEST, LARGEST)
        };
        let rows: Vec<Vec<f64>> = payoff
            .iter()
            .map(|row| (0..width).map(|column| entry(row, column)).collect())
            .collect();
        let columns: Vec<Vec<f64>> =
            (0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let (row_classes, row_firsts) = classes(&rows);
        let (column_classes, column_firsts) = classes(&columns);
        let kept = |&row: &usize| column_firsts.iter().map(|&c| rows[row][c]).collect();
        Some(Classes {
            payoff: row_firsts.iter().map(kept).collect(),
            rows: row_classes,
            columns: column_classes,
        })
    }

    /// Returns the weights of the original game: a class's weight is shared evenly by its members.
    fn unfolded(&self, rows: Vec<f64>, columns: Vec<f64>) -> Equilibrium {
        let value = rows.iter().zip(row_payoffs(&self.payoff, &columns));
        Equilibrium {
            value: value.map(|(weight, payoff)| weight * payoff).sum(),
            rows: shared(&rows, &self.rows),
            columns: shared(&columns, &self.columns),
        }
    }
}

/// Returns the class of each line, in order of appearance, and the first line of each class.
fn classes(lines: &[Vec<f64>]) -> (Vec<usize>, Vec<usize>) {
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME);
    let mut firsts: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        let class = firsts.iter().position(|&first| same(&lines[first], line));
        found.push(class.unwrap_or(firsts.len()));
        if class.is_none() {
            firsts.push(index);
        }
    }
    (found, firsts)
}

fn shared(weights: &[f64], classes: &[usize]) -> Vec<f64> {
    let mut members = vec![0.0; weights.len()];
    classes.iter().for_each(|&class| members[class] += 1.0);
    let share = |&class: &usize| weights[class] / members[class];
    classes.iter().map(share).collect()
}

/// Logarithms of weights, up to a constant.
struct LogWeights(Vec<f64>);

impl LogWeights {
    fn even(count: usize) -> LogWeights {
        LogWeights(vec![0.0; count])
    }

    fn shares(&self) -> Vec<f64> {
        softmax(&self.0)
    }

    /// Computes the logarithms of the best answer to the rows' answer to these weights.
    fn answer(&self, payoff: &[Vec<f64>], temperature: f64) -> LogWeights {
        let granted = row_payoffs(payoff, &self.shares());
        let rows = softmax(&scaled(&granted, 1.0 / temperature));
        let column = |c: usize| -> f64 {
            let payoffs = payoff.iter().zip(&rows).map(|(row, weight)| weight * row[c]);
            -payoffs.sum::<f64>() / temperature
        };
        LogWeights((0..self.0.len()).map(column).collect())
    }

    fn towards(&self, aim: &LogWeights, step: f64) -> LogWeights {
        let pairs = self.0.iter().zip(&aim.0);
        LogWeights(pairs.map(|(here, there)| here + step * (there - here)).collect())
    }

    /// Returns the largest difference of the shares.
    fn distance(&self, other: &LogWeights) -> f64 {
        let (own, others) = (self.shares(), other.shares());
        let pairs = own.iter().zip(&others);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// Returns whether the cost still falls, or is at its minimum, at the end of a step from
    /// `before`: then it has fallen all the way, as it is convex. `aim` is the answer to these
    /// weights; the slope of the cost is the temperature times the distance of the logarithms from
    /// `aim`.
    fn still_falls(&self, before: &LogWeights, aim: &LogWeights) -> bool {
        let (there, here) = (self.shares(), before.shares());
        let part = |s: usize| (self.0[s] - aim.0[s]) * (there[s] - here[s]);
        (0..self.0.len()).map(part).sum::<f64>() <= 0.0
    }
}

fn row_payoffs(payoff: &[Vec<f64>], columns: &[f64]) -> Vec<f64> {
    let row = |row: &Vec<f64>| row.iter().zip(columns).map(|(a, q)| a * q).sum();
    payoff.iter().map(row).collect()
}

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| value * factor).collect()
}

fn log_sum(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = values.iter().map(|value| (value - largest).exp()).sum();
    largest + sum.ln()
}

fn softmax(values: &[f64]) -> Vec<f64> {
    let norm = log_sum(values);
    values.iter().map(|value| (value - norm).exp()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64], by: f64) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < by)
    }

    fn game() -> Vec<Vec<f64>> {
        vec![vec![0.4, -0.2, 0.1, 0.0], vec![-0.1, 0.3, -0.3, 0.2], vec![0.0, 0.1, 0.2, -0.4]]
    }

    /// Both are best answers to each other, softened: the definition, written out.
    #[test]
    fn each_side_answers_the_other() {
        for temperature in [0.02, 0.1, 1.0] {
            let (payoff, found) = (game(), softened(&game(), temperature).expect("a game"));
            let weight = |granted: f64| (granted / temperature).exp();
            let mut rows: Vec<f64> = payoff
                .iter()
                .map(|row| weight(row.iter().zip(&found.columns).map(|(a, q)| a * q).sum()))
                .collect();
            let sum: f64 = rows.iter().sum();
            rows.iter_mut().for_each(|row| *row /= sum);
            let mut columns: Vec<f64> = (0..4)
                .map(|c| weight(-(0..3).map(|r| payoff[r][c] * found.rows[r]).sum::<f64>()))
                .collect();
            let sum: f64 = columns.iter().sum();
            columns.iter_mut().for_each(|column| *column /= sum);
            assert!(close(&rows, &found.rows, 1e-9), "{temperature}");
            assert!(close(&columns, &found.columns, 1e-9), "{temperature}");
        }
    }

    /// Scissors, paper, stone with stakes 1, 2 and 3: each is played as often as the stake of the other
    /// two (3/6, 1/6, 2/6), and the game is fair.
    #[test]
    fn nash_is_that_of_a_known_game() {
        let payoff = vec![vec![0.0, 1.0, -2.0], vec![-1.0, 0.0, 3.0], vec![2.0, -3.0, 0.0]];
        let found = nash(&payoff).expect("a game");
        let expected = [3.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0];
        assert!(close(&found.columns, &expected, 1e-9), "{found:?}");
        assert!(close(&found.rows, &expected, 1e-9) && found.value.abs() < 1e-9);
        // Cold enough, the soft game approaches it.
        let soft = softened(&payoff, 0.003).expect("a game");
        assert!(close(&soft.columns, &expected, 0.01), "{soft:?}");
    }

    #[test]
    fn copies_share_their_weight() {
        let alone = softened(&game(), 0.1).expect("a game");
        let twice: Vec<Vec<f64>> =
            game().into_iter().map(|row| [row.as_slice(), &row[1..2]].concat()).collect();
        let found = softened(&twice, 0.1).expect("a game");
        assert!(close(&found.rows, &alone.rows, 1e-12));
        assert!((found.columns[1] + found.columns[4] - alone.columns[1]).abs() < 1e-12);
        assert!(close(&found.columns[2..4], &alone.columns[2..4], 1e-12));
        let mut twice = game();
        twice.push(twice[0].clone());
        let found = softened(&twice, 0.1).expect("a game");
        assert!(close(&found.columns, &alone.columns, 1e-12));
        assert!((found.rows[0] + found.rows[3] - alone.rows[0]).abs() < 1e-12);
    }

    #[test]
    fn every_game_has_an_answer() {
        let odd: [Vec<Vec<f64>>; 7] = [
            vec![vec![5.0]],
            vec![vec![0.0; 3]; 4],
            vec![vec![f64::NAN, 1.0]],
            vec![vec![f64::INFINITY, -1e300], vec![1e-300, 0.0]],
            vec![vec![1.0, 2.0, 3.0], vec![1.0]],
            vec![vec![700.0, -700.0], vec![-700.0, 700.0]],
            (0..40).map(|i| vec![f64::from(i), f64::from(40 - i)]).collect(),
        ];
        for payoff in odd {
            for found in [softened(&payoff, 0.1), nash(&payoff), softened(&payoff, 0.0)] {
                let found = found.expect("there are rows and columns");
                let whole = |weights: &[f64]| (weights.iter().sum::<f64>() - 1.0).abs() < 1e-6;
                assert!(whole(&found.rows) && whole(&found.columns), "{payoff:?} {found:?}");
                assert!(found.value.is_finite());
            }
        }
        assert_eq!(softened(&[], 0.1), None);
        assert_eq!(nash(&[vec![]]), None);
    }
}
