//! Joint draws of all fair prices: nested resampling over the four sources of doubt.
//!
//! One draw takes, for all weapons together, (iv) opponents and (ii) scenarios against each with
//! Dirichlet weights around the mix, (iii) every assumption at a place between its low and its
//! high end, and (i) for each cell a worth from the law of its curve. The Bayesian bootstrap (Rubin
//! 1981) has a concentration of 1 per sample; with few samples its law is short of tails, and its
//! variance is not that of the level. So weights are drawn with [`CONCENTRATION`] per sample, which
//! gives nearly normal deviations that all weapons share; each deviation is stretched to the
//! variance of its level, and their sum to Student's t. Draw number b depends on the seed and b
//! alone.

use rayon::prelude::*;

use super::model::Ends;
use super::spread::{Levels, Nest, Spread};
use super::worth::Worth;
use super::{Anchor, anchor};
use crate::stats::draws::Draws;
use crate::stream::Stream;

/// Draws of all prices.
pub const ROUNDS: usize = 4000;

/// Concentration of the Dirichlet weights, for each opponent or scenario.
pub const CONCENTRATION: f64 = 10.0;

/// What the draws are around.
pub struct Ground<'a> {
    /// The mix in its two steps.
    pub nest: &'a Nest,
    /// The same, scenario by scenario.
    pub mix: &'a [f64],
    /// Log worths, `[weapon][scenario]`.
    pub logs: &'a [Vec<f64>],
    /// How sure each is.
    pub worths: &'a [Vec<Worth>],
    /// Variances by level.
    pub spread: &'a Spread,
    /// Change of the mixed log worth by each assumption, `[weapon][assumption]`.
    pub effects: &'a [Vec<Ends>],
    /// Current prices.
    pub prices: &'a [f64],
    /// In which points prices are fair.
    pub anchor: Anchor,
}

/// Draws of the logarithm of every fair price, `[weapon][draw]`.
pub fn drawn(ground: &Ground, seed: u64) -> Vec<Vec<f64>> {
    let stream = Stream {
        seed,
        fingerprint: [0; 32],
    };
    let leanings: Vec<Leaning> = (0..ground.logs.len())
        .map(|w| Leaning::new(ground.nest, &ground.logs[w], ground.spread.levels[w]))
        .collect();
    let rounds: Vec<Vec<f64>> = (0..ROUNDS)
        .into_par_iter()
        .map(|round| {
            let key = stream.key("prices", round as u64, 0);
            ground.round(&leanings, &mut Draws::new(key))
        })
        .collect();
    let weapon = |w: usize| rounds.iter().map(|round| round[w]).collect();
    (0..ground.logs.len()).map(weapon).collect()
}

impl Ground<'_> {
    /// One draw of all weapons.
    fn round(&self, leanings: &[Leaning], draws: &mut Draws) -> Vec<f64> {
        let weights = Weights::drawn(self.nest, draws);
        let assumptions = self.effects.first().map_or(0, Vec::len);
        let places: Vec<f64> = (0..assumptions)
            .map(|_| 2.0 * draws.uniform() - 1.0)
            .collect();
        let weapons = leanings.iter().enumerate();
        let worths = weapons.map(|(w, leaning)| self.worth(w, leaning, &weights, &places, draws));
        let worths: Vec<f64> = worths.collect();
        // Which weapons the line is drawn through is chance, too.
        let count = self.prices.len() as f64;
        let shares = match self.anchor {
            Anchor::Reference => Vec::new(),
            Anchor::Arsenal => draws.dirichlet(&vec![1.0 / count; self.prices.len()], count),
        };
        let line = anchor::curve(self.anchor, &worths, self.prices, &shares);
        worths.iter().map(|worth| line.at(*worth)).collect()
    }

    /// One draw of the mixed log worth of a weapon.
    ///
    /// The spread between opponents, or scenarios, holds that of all levels below: its few degrees
    /// of freedom are those of the whole deviation.
    fn worth(
        &self,
        weapon: usize,
        leaning: &Leaning,
        weights: &Weights,
        places: &[f64],
        draws: &mut Draws,
    ) -> f64 {
        let tail = draws.student_scale(self.spread.df);
        let sampled = self.worths[weapon].iter().zip(self.mix);
        let sampling: f64 = sampled
            .map(|(worth, weight)| weight * worth.noise(draws))
            .sum();
        let moved = self.effects[weapon].iter().zip(places);
        let model: f64 = moved.map(|(ends, place)| between(*ends, *place)).sum();
        leaning.mean + tail * (leaning.deviation(weights, draws) + sampling) + model
    }
}

/// The change at a place between −1, the low end of an assumption, and 1, its high end.
fn between((low, high): (f64, f64), place: f64) -> f64 {
    if place < 0.0 {
        -place * low
    } else {
        place * high
    }
}

/// Variance of `between` over places that are all as likely.
pub fn variance((low, high): (f64, f64)) -> f64 {
    let mean = 0.25 * (low + high);
    (low * low + high * high) / 6.0 - mean * mean
}

/// Weights of one draw.
struct Weights {
    opponents: Vec<f64>,
    /// Of the scenarios against each opponent, one after the other.
    scenarios: Vec<f64>,
}

impl Weights {
    fn drawn(nest: &Nest, draws: &mut Draws) -> Weights {
        let opponents: Vec<f64> = nest.opponents.iter().map(|o| o.weight).collect();
        let mut around =
            |shares: &[f64]| draws.dirichlet(shares, CONCENTRATION * shares.len() as f64);
        Weights {
            opponents: around(&opponents),
            scenarios: nest
                .opponents
                .iter()
                .flat_map(|o| around(&o.shares))
                .collect(),
        }
    }
}

/// What a weapon gains from each opponent and each scenario, stretched so that the deviation with
/// drawn weights has the variance of its level.
struct Leaning {
    mean: f64,
    opponents: Level,
    scenarios: Level,
}

impl Leaning {
    fn new(nest: &Nest, row: &[f64], levels: Levels) -> Leaning {
        let mean = nest.mean(row);
        let (mut opponents, mut scenarios) = (Level::default(), Level::default());
        let concentration = |samples: usize| CONCENTRATION * samples as f64 + 1.0;
        for (opponent, a) in nest.opponents.iter().zip(nest.means(row)) {
            let square = opponent.weight * (a - mean) * (a - mean);
            opponents.gains.push(a - mean);
            opponents.variance += square / concentration(nest.opponents.len());
            let gain = |&scenario: &usize| opponent.weight * (row[scenario] - a);
            scenarios.gains.extend(opponent.scenarios.iter().map(gain));
            let square = opponent.weight * opponent.weight * opponent.spread(row);
            scenarios.variance += square / concentration(opponent.scenarios.len());
        }
        Leaning {
            mean,
            opponents: opponents.stretched(levels.opponents),
            scenarios: scenarios.stretched(levels.scenarios),
        }
    }

    fn deviation(&self, weights: &Weights, draws: &mut Draws) -> f64 {
        let opponents = self.opponents.deviation(&weights.opponents, draws);
        opponents + self.scenarios.deviation(&weights.scenarios, draws)
    }
}

/// The gains of one level, and the variance of their mean with drawn weights.
#[derive(Default)]
struct Level {
    gains: Vec<f64>,
    variance: f64,
    /// Standard deviation of what is drawn without gains: a weapon that gains nothing anywhere
    /// still has the spread it shares with the others.
    apart: f64,
}

impl Level {
    fn stretched(mut self, variance: f64) -> Level {
        let known = self.variance > 1e-3 * variance;
        let factor = if known {
            (variance / self.variance).sqrt()
        } else {
            0.0
        };
        self.gains.iter_mut().for_each(|gain| *gain *= factor);
        self.apart = if known { 0.0 } else { variance.sqrt() };
        self.variance = variance;
        self
    }

    fn deviation(&self, weights: &[f64], draws: &mut Draws) -> f64 {
        let gains = self.gains.iter().zip(weights);
        let apart = self.apart * draws.normal();
        gains.map(|(gain, weight)| gain * weight).sum::<f64>() + apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Low end −0.2, high end 0.4, places even: mean 0.05, mean square (0.04 + 0.16)/6.
    #[test]
    fn the_variance_of_an_assumption_is_that_of_its_draws() {
        let mut draws = Draws::new([4; 32]);
        let values: Vec<f64> = (0..100_000)
            .map(|_| between((-0.2, 0.4), 2.0 * draws.uniform() - 1.0))
            .collect();
        let mean = values.iter().sum::<f64>() / 1e5;
        let square = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / 1e5;
        assert!((mean - 0.05).abs() < 2e-3);
        assert!((variance((-0.2, 0.4)) - (0.2 / 6.0 - 0.0025)).abs() < 1e-15);
        assert!((square - variance((-0.2, 0.4))).abs() < 1e-3);
    }

    #[test]
    fn deviations_have_the_variance_they_are_given() {
        let nest = Nest::new(["a", "a", "b", "c", "c"].into_iter(), &[0.2; 5]);
        let levels = Levels {
            sampling: 0.0,
            scenarios: 0.2,
            opponents: 0.5,
        };
        // The second weapon gains nothing anywhere.
        for row in [[0.0, 1.0, 0.3, 2.0, -1.0], [0.7; 5]] {
            let leaning = Leaning::new(&nest, &row, levels);
            let mut draws = Draws::new([8; 32]);
            let (mut mean, mut square) = (0.0, 0.0);
            for _ in 0..50_000 {
                let weights = Weights::drawn(&nest, &mut draws);
                let deviation = leaning.deviation(&weights, &mut draws);
                mean += deviation / 5e4;
                square += deviation * deviation / 5e4;
            }
            assert!(
                mean.abs() < 0.02 && (square - 0.7).abs() < 0.03,
                "{mean} {square}"
            );
        }
    }
}
