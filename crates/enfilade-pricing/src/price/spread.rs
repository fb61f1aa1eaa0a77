//! How sure the mixed worth of a weapon is, level by level.
//!
//! Scenarios are samples of what the weapon may meet, grouped by opponent; within a scenario the
//! curve may be rolled. So there are three nested levels, as in an analysis of variance: opponents,
//! scenarios against the same opponent, rolled meetings. The spread that is seen on a level holds
//! that of the levels below it, so each level's own variance is what it has more than the one
//! below. Levels learn from all weapons ([`moderation`](enfilade_stats::moderation)), and where these or
//! their opponents are few, from [`PRIOR`]: one opponent says nothing of others, so what is known
//! of other arsenals stands in, and every further opponent narrows it by the same formula. The
//! variance over opponents from a weighted mean with ρ = Σ Mₖ² is ρ/(1 − ρ)·Σ Mₖ(aₖ − a)²: for
//! equal weights that of leaving one opponent out at a time (the jackknife). Not here: the model
//! choices, which are added by whoever draws.

use super::worth::Worth;
use enfilade_stats::moderation::{Moderated, drawn, moderated};

/// Standard deviation of a log worth from opponent to opponent, and the degrees of freedom that it
/// is worth: the wider of two arsenals of this house, until there are more of them.
pub const PRIOR: (f64, f64) = (0.18, 3.0);

/// Opponents, and weapons, from which on an arsenal has a spread of its own.
const OWN: (usize, usize) = (3, 8);

/// The mix as two steps: which opponent, then which scenario against it.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The opponents that have weight.
    pub opponents: Vec<Opponent>,
}

/// An opponent and the scenarios against it.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// Its name.
    pub name: String,
    /// Its share of the mix.
    pub weight: f64,
    /// Positions of its scenarios.
    pub scenarios: Vec<usize>,
    /// Their shares of its weight.
    pub shares: Vec<f64>,
}

impl Nest {
    /// The mix over scenarios whose opponents have these names; scenarios without weight are left
    /// out.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, mix: &[f64]) -> Nest {
        let mut opponents: Vec<Opponent> = Vec::new();
        for (scenario, (name, &weight)) in names.zip(mix).enumerate() {
            if weight <= 0.0 {
                continue;
            }
            let place = opponents.iter().position(|opponent| opponent.name == name);
            let place = place.unwrap_or(opponents.len());
            if place == opponents.len() {
                opponents.push(Opponent {
                    name: name.to_owned(),
                    weight: 0.0,
                    scenarios: Vec::new(),
                    shares: Vec::new(),
                });
            }
            let opponent = &mut opponents[place];
            opponent.weight += weight;
            opponent.scenarios.push(scenario);
            opponent.shares.push(weight);
        }
        for opponent in &mut opponents {
            let weight = opponent.weight;
            opponent.shares.iter_mut().for_each(|share| *share /= weight);
        }
        Nest { opponents }
    }

    /// How unevenly the opponents are weighted: 1/K for K equal ones.
    pub fn concentration(&self) -> f64 {
        self.opponents.iter().map(|o| o.weight * o.weight).sum()
    }

    /// The mean worth against each opponent.
    pub fn means(&self, row: &[f64]) -> Vec<f64> {
        let mean = |opponent: &Opponent| opponent.mean(row);
        self.opponents.iter().map(mean).collect()
    }

    /// The mean worth over all.
    pub fn mean(&self, row: &[f64]) -> f64 {
        let each = self.opponents.iter().map(|o| o.weight * o.mean(row));
        each.sum()
    }

    /// The mean worth without each opponent in turn; nothing when there is only one.
    pub fn without_each(&self, row: &[f64]) -> Vec<f64> {
        if self.opponents.len() < 2 {
            return Vec::new();
        }
        let (all, means) = (self.mean(row), self.means(row));
        let without = |(opponent, mean): (&Opponent, &f64)| {
            (all - opponent.weight * mean) / (1.0 - opponent.weight)
        };
        self.opponents.iter().zip(&means).map(without).collect()
    }

    /// Variance of the mean over opponents, as their spread shows it, with all below it.
    fn between(&self, row: &[f64]) -> f64 {
        let rho = self.concentration();
        if self.opponents.len() < 2 || rho >= 1.0 {
            return 0.0;
        }
        let mean = self.mean(row);
        let square = |(o, a): (&Opponent, f64)| o.weight * (a - mean) * (a - mean);
        let spread: f64 = self.opponents.iter().zip(self.means(row)).map(square).sum();
        rho / (1.0 - rho) * spread
    }

    /// Variance of the mean over the scenarios against the same opponents, with all below it.
    fn within(&self, row: &[f64]) -> f64 {
        let each = self.opponents.iter().map(|o| o.weight * o.weight * o.variance(row));
        each.sum()
    }

    /// Degrees of freedom between and within opponents.
    fn freedom(&self) -> (f64, f64) {
        let within = self.opponents.iter().map(|o| o.scenarios.len() as f64 - 1.0);
        (1.0 / self.concentration() - 1.0, within.sum())
    }
}

impl Opponent {
    fn mean(&self, row: &[f64]) -> f64 {
        let pairs = self.scenarios.iter().zip(&self.shares);
        pairs.map(|(&scenario, share)| share * row[scenario]).sum()
    }

    /// Variance of its mean, from the spread of its scenarios.
    fn variance(&self, row: &[f64]) -> f64 {
        let rho: f64 = self.shares.iter().map(|share| share * share).sum();
        if self.scenarios.len() < 2 || rho >= 1.0 {
            return 0.0;
        }
        rho / (1.0 - rho) * self.spread(row)
    }

    /// Weighted mean square of its scenarios about their mean.
    pub fn spread(&self, row: &[f64]) -> f64 {
        let mean = self.mean(row);
        let pairs = self.scenarios.iter().zip(&self.shares);
        let square = |(&scenario, share): (&usize, &f64)| share * (row[scenario] - mean).powi(2);
        pairs.map(square).sum()
    }
}

/// Variances of the mixed log worth of a weapon, each level's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Levels {
    /// Rolled meetings.
    pub sampling: f64,
    /// Scenarios against the same opponent.
    pub scenarios: f64,
    /// Opponents.
    pub opponents: f64,
}

/// The levels of every weapon.
#[derive(Clone, Debug)]
pub struct Spread {
    /// By weapon.
    pub levels: Vec<Levels>,
    /// Degrees of freedom of each.
    pub df: f64,
}

/// The levels of all weapons. `logs` are the log worths that are mixed, `worths` say how sure each
/// is, both `[weapon][scenario]`.
pub fn spread(nest: &Nest, logs: &[Vec<f64>], worths: &[Vec<Worth>], mix: &[f64]) -> Spread {
    let (df_between, df_within) = nest.freedom();
    let between: Vec<f64> = logs.iter().map(|row| nest.between(row)).collect();
    let own = nest.opponents.len() >= OWN.0 && logs.len() >= OWN.1;
    let between = match own {
        true => moderated(&between, df_between),
        false => {
            // The prior is that of one opponent; the mean over several strays less.
            let common = PRIOR.0 * PRIOR.0 * nest.concentration();
            drawn(&between, df_between, (common, PRIOR.1))
        }
    };
    let within = logs.iter().map(|row| nest.within(row));
    let within = moderated(&within.collect::<Vec<_>>(), df_within);
    let sampling = |row: &Vec<Worth>| -> f64 {
        let pairs = row.iter().zip(mix);
        pairs.map(|(worth, weight)| weight * weight * worth.variance()).sum()
    };
    let levels = worths.iter().enumerate().map(|(weapon, row)| {
        let sampling = sampling(row);
        // What is seen on a level holds those below it: where it is less, that is chance.
        let below = within.variances[weapon].max(sampling);
        Levels {
            sampling,
            scenarios: below - sampling,
            opponents: (between.variances[weapon] - below).max(0.0),
        }
    });
    Spread { levels: levels.collect(), df: between.df }
}

/// Variances over opponents of changes of log worth, `[weapon][scenario]`, in which what all
/// opponents have alike is gone: they learn from each other, and from no other arsenal.
pub fn differences(nest: &Nest, rows: &[Vec<f64>]) -> Moderated {
    let between: Vec<f64> = rows.iter().map(|row| nest.between(row)).collect();
    moderated(&between, nest.freedom().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nest(names: &[&str]) -> Nest {
        let mix = vec![1.0 / names.len() as f64; names.len()];
        Nest::new(names.iter().copied(), &mix)
    }

    /// For equal weights the variance between opponents is the jackknife's: (K−1)/K·Σ(m₋ₖ − m̄)².
    #[test]
    fn between_is_the_jackknife() {
        let nest = nest(&["a", "b", "c", "d"]);
        let row = [1.0, 2.0, 4.0, 4.5];
        let without = nest.without_each(&row);
        let mean = without.iter().sum::<f64>() / 4.0;
        let square = without.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>();
        assert!((nest.between(&row) - 0.75 * square).abs() < 1e-12);
        assert_eq!(nest.within(&row), 0.0);
    }

    /// One opponent: 0.18 at 3 degrees of freedom, whatever is seen. Two that differ by 0.2: (3·0.0324 +
    /// 0.02)/4 over two of them.
    #[test]
    fn few_opponents_have_the_stated_prior() {
        let worth =
            |log| Worth { log, low: log, high: log, bound: None, flat: false, trials: None };
        let of = |names: &[&str], row: &[f64]| {
            let mix = vec![1.0 / names.len() as f64; names.len()];
            let worths = [row.iter().map(|log| worth(*log)).collect()];
            let spread = spread(&nest(names), &[row.to_vec()], &worths, &mix);
            (spread.levels[0].opponents, spread.df)
        };
        let (one, df) = of(&["a"], &[3.0]);
        assert!((one - 0.0324).abs() < 1e-15 && df == 3.0);
        let (two, df) = of(&["a", "b"], &[3.0, 3.2]);
        assert!((two - (3.0 * 0.0324 + 0.02) / 8.0).abs() < 1e-15 && df == 4.0);
    }

    /// Two opponents with two scenarios each: means 1.5 and 4, variances of means 1/4 and 1.
    #[test]
    fn levels_are_nested() {
        let nest = nest(&["a", "b", "a", "b"]);
        let row = [1.0, 3.0, 2.0, 5.0];
        assert_eq!(nest.means(&row), [1.5, 4.0]);
        // (2.5²/2)/2 over two opponents; a quarter of 0.25 and of 1 within.
        assert!((nest.between(&row) - 1.5625).abs() < 1e-12);
        assert!((nest.within(&row) - 0.3125).abs() < 1e-12);
        assert_eq!(nest.freedom(), (1.0, 2.0));
        assert_eq!(nest.without_each(&row), [4.0, 1.5]);
    }

    #[test]
    fn one_scenario_has_no_spread() {
        let nest = nest(&["a"]);
        assert_eq!((nest.between(&[3.0]), nest.within(&[3.0])), (0.0, 0.0));
        assert_eq!(nest.without_each(&[3.0]), Vec::<f64>::new());
    }
}
