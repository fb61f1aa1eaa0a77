//! The mix by opponents, and the uncertainty of a worth over them.
//!
//! Opponents are samples of those that a weapon may meet: the pull of each is the change of the
//! worth by more opponents of its kind. The variance of the pulls is shrunk to the spread in other
//! arsenals, and from three opponents on to that of all weapons of the file: one opponent gives no
//! spread, so the prior is used alone, and every further one narrows the interval by the same
//! formula. K opponents of unequal weight count as the number of equal ones that would be as
//! uneven. Not here: assumptions and rolled battles, which the callers add.

use crate::value_table::position_or_push;

/// Standard deviation of a log worth from opponent to opponent where one or two are met, and where
/// more are: from all arsenals of this house, kind against kind.
pub const PRIOR_OPPONENT_SPREADS: (f64, f64) = (0.35, 0.30);

/// Number of opponents from which an arsenal has its own spread.
const MIN_OPPONENTS_FOR_SPREAD: usize = 3;

/// Degrees of freedom that a weapon's spread has from others, and those of what others are drawn
/// to.
const SPREAD_FREEDOM_DEGREES: (f64, f64) = (3.0, 6.0);

/// The mix in two steps: the opponent, then the scenario against it.
#[derive(Clone, Debug)]
pub struct OpponentThenScenarioMix {
    /// The opponents that have weight.
    pub opponents: Vec<OpponentWithScenarioShares>,
}

/// An opponent and the scenarios against it.
#[derive(Clone, Debug, Default)]
pub struct OpponentWithScenarioShares {
    /// Its name.
    pub name: String,
    /// Its share of the mix.
    pub weight: f64,
    /// Positions of its scenarios, with their shares of its weight.
    pub scenarios: Vec<(usize, f64)>,
}

impl OpponentThenScenarioMix {
    /// Builds the mix over scenarios whose opponents have these names; scenarios without weight are
    /// left out.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, mix: &[f64]) -> OpponentThenScenarioMix {
        let mut opponents: Vec<OpponentWithScenarioShares> = Vec::new();
        for (scenario, (name, &weight)) in names.zip(mix).enumerate() {
            if weight <= 0.0 {
                continue;
            }
            let new = || OpponentWithScenarioShares { name: name.to_owned(), ..Default::default() };
            let place = position_or_push(&mut opponents, |opponent| opponent.name == name, new);
            let opponent = &mut opponents[place];
            opponent.weight += weight;
            opponent.scenarios.push((scenario, weight));
        }
        for OpponentWithScenarioShares { weight, scenarios, .. } in &mut opponents {
            scenarios.iter_mut().for_each(|(_, share)| *share /= *weight);
        }
        OpponentThenScenarioMix { opponents }
    }

    /// How unevenly the opponents are weighted: 1/K for K equal ones.
    pub fn opponent_concentration(&self) -> f64 {
        self.opponents.iter().map(|o| o.weight * o.weight).sum()
    }

    /// The mean worth against each opponent.
    pub fn means_by_opponent(&self, row: &[f64]) -> Vec<f64> {
        let mean = |opponent: &OpponentWithScenarioShares| {
            opponent.scenarios.iter().map(|&(scenario, share)| share * row[scenario]).sum()
        };
        self.opponents.iter().map(mean).collect()
    }

    /// The mean worth over all.
    pub fn mean_log_worth(&self, row: &[f64]) -> f64 {
        let means = self.means_by_opponent(row);
        self.opponents.iter().zip(means).map(|(opponent, mean)| opponent.weight * mean).sum()
    }

    /// Variance of the mean over opponents, as their spread shows it.
    fn sampling_variance_of_mean(&self, row: &[f64]) -> f64 {
        let mean = self.mean_log_worth(row);
        let off: Vec<f64> = self.means_by_opponent(row).iter().map(|own| own - mean).collect();
        let spread = self.mean_square_and_concentration(&off);
        spread.map_or(0.0, |(square, rho)| rho / (1.0 - rho) * square)
    }

    /// Mean square of the pulls of the opponents, as of one of them.
    pub fn unbiased_mean_square_pull(&self, pulls: &[f64]) -> f64 {
        let spread = self.mean_square_and_concentration(pulls);
        spread.map_or(0.0, |(square, rho)| square / (1.0 - rho))
    }

    /// Mean square of numbers by opponent, and the concentration of these; `None` if one opponent
    /// has all weight.
    fn mean_square_and_concentration(&self, numbers: &[f64]) -> Option<(f64, f64)> {
        let rho = self.opponent_concentration();
        let squares = self.opponents.iter().zip(numbers).map(|(o, off)| o.weight * off * off);
        (self.opponents.len() > 1 && rho < 1.0).then(|| (squares.sum(), rho))
    }
}

/// Variance of a log worth over the opponents of a nest, and its degrees of freedom, when its own
/// opponents pull so much in the mean square and those of all weapons so much.
pub fn shrunk_variance_and_df(nest: &OpponentThenScenarioMix, own: f64, all: f64) -> (f64, f64) {
    let rho = nest.opponent_concentration();
    let free = 1.0 / rho - 1.0;
    let (few, many) = PRIOR_OPPONENT_SPREADS;
    let (own_freedom, prior_freedom) = SPREAD_FREEDOM_DEGREES;
    let prior = match nest.opponents.len() < MIN_OPPONENTS_FOR_SPREAD {
        true => few * few,
        false => (prior_freedom * many * many + 2.0 * free * all) / (prior_freedom + 2.0 * free),
    };
    let one = (own_freedom * prior + free * own) / (own_freedom + free);
    (one * rho, own_freedom + free)
}

/// Weapons from which on changes of worth learn from each other.
const MIN_POOLED_WEAPONS: usize = 3;

/// Variances over opponents of changes of log worth, `[weapon][scenario]`, and their degrees of
/// freedom: each is shrunk towards the mean of all. No other arsenal lends degrees of freedom.
pub fn shrunk_variances_by_weapon(
    nest: &OpponentThenScenarioMix,
    rows: &[Vec<f64>],
) -> (Vec<f64>, f64) {
    let between: Vec<f64> = rows.iter().map(|row| nest.sampling_variance_of_mean(row)).collect();
    let free = 1.0 / nest.opponent_concentration() - 1.0;
    let pooled = if rows.len() < MIN_POOLED_WEAPONS { 0.0 } else { SPREAD_FREEDOM_DEGREES.0 };
    let mean = between.iter().sum::<f64>() / rows.len().max(1) as f64;
    let drawn = |own: &f64| (pooled * mean + free * own) / (pooled + free);
    (between.iter().map(drawn).collect(), pooled + free)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nest(names: &[&str]) -> OpponentThenScenarioMix {
        let mix = vec![1.0 / names.len() as f64; names.len()];
        OpponentThenScenarioMix::new(names.iter().copied(), &mix)
    }

    /// For equal weights the variance between opponents is the jackknife's: (K−1)/K·Σ(m₋ₖ − m̄)².
    #[test]
    fn between_is_the_jackknife() {
        let nest = nest(&["a", "b", "c", "d"]);
        let row = [1.0, 2.0, 4.0, 4.5];
        let without: Vec<f64> = row.iter().map(|own| (11.5 - own) / 3.0).collect();
        let mean = without.iter().sum::<f64>() / 4.0;
        let square = without.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>();
        assert!((nest.sampling_variance_of_mean(&row) - 0.75 * square).abs() < 1e-12);
    }

    /// By hand. One: 0.35 at 3 degrees of freedom, whatever is seen. Two whose pulls are ±0.2, a
    /// mean square of 0.08: (3·0.1225 + 0.08)/4 over two. Four, with 0.05 of its own and 0.11 of
    /// all: (6·0.09 + 6·0.11)/12 = 0.1, and (3·0.1 + 3·0.05)/6 over four.
    #[test]
    fn few_opponents_have_the_stated_prior() {
        let close = |found: (f64, f64), expected: (f64, f64)| {
            assert!(
                (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-9,
                "{found:?}"
            );
        };
        close(shrunk_variance_and_df(&nest(&["a"]), 9.0, 9.0), (0.1225, 3.0));
        let two = nest(&["a", "b"]);
        assert!((two.unbiased_mean_square_pull(&[0.2, -0.2]) - 0.08).abs() < 1e-12);
        close(shrunk_variance_and_df(&two, 0.08, 9.0), ((3.0 * 0.1225 + 0.08) / 8.0, 4.0));
        close(shrunk_variance_and_df(&nest(&["a", "b", "c", "d"]), 0.05, 0.11), (0.075 / 4.0, 6.0));
        assert_eq!(nest(&["a"]).unbiased_mean_square_pull(&[1.0]), 0.0);
    }

    /// Two opponents with two scenarios each: means 1.5 and 4.
    #[test]
    fn scenarios_are_nested_in_opponents() {
        let nest = nest(&["a", "b", "a", "b"]);
        let row = [1.0, 3.0, 2.0, 5.0];
        assert_eq!(nest.means_by_opponent(&row), [1.5, 4.0]);
        // (2.5²/2)/2 over two opponents.
        assert!((nest.sampling_variance_of_mean(&row) - 1.5625).abs() < 1e-12);
    }

    #[test]
    fn one_scenario_has_no_spread() {
        let nest = nest(&["a"]);
        assert_eq!(nest.sampling_variance_of_mean(&[3.0]), 0.0);
    }

    /// Ten tenths add up to a little less than 1, and 1 beside almost nothing is 1: either way one
    /// opponent has all weight.
    #[test]
    fn one_opponent_has_no_spread_however_its_weights_round() {
        let ten = nest(&["a"; 10]);
        assert!(ten.opponent_concentration() < 1.0);
        let beside_nothing = OpponentThenScenarioMix::new(["a", "b"].into_iter(), &[1.0, 1e-20]);
        assert_eq!(beside_nothing.opponent_concentration(), 1.0);
        for nest in [ten, beside_nothing] {
            assert_eq!(nest.unbiased_mean_square_pull(&[1.0, -1.0]), 0.0);
        }
    }

    /// By hand, against two opponents with means 0 and m: the variance of the change is m²/4, with
    /// one degree of freedom. Of three weapons each has a quarter of its own and three quarters of
    /// the mean, 5/3; of two each has its own.
    #[test]
    fn changes_of_three_weapons_learn_from_each_other() {
        let nest = nest(&["a", "b"]);
        let rows = [[0.0, 2.0], [0.0, 4.0], [0.0, 0.0]].map(|row| row.to_vec());
        let (two, df) = shrunk_variances_by_weapon(&nest, &rows[..2]);
        assert!((two[0] - 1.0).abs() < 1e-12 && (two[1] - 4.0).abs() < 1e-12, "{two:?}");
        assert!((df - 1.0).abs() < 1e-12, "{df}");
        let (three, df) = shrunk_variances_by_weapon(&nest, &rows);
        for (found, expected) in three.iter().zip([1.5, 2.25, 1.25]) {
            assert!((found - expected).abs() < 1e-12, "{three:?}");
        }
        assert!((df - 4.0).abs() < 1e-12, "{df}");
    }
}
