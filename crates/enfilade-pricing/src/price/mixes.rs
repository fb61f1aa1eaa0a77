//! Four answers to "which scenarios count how much", and the bound of the worst of them.
//!
//! Uniform, the designer's, by points in play where the scenarios give them, and adversarial: what
//! an opponent chooses who knows what every weapon is worth all in all and wants the best choice of one to
//! be a bad one. The last is the softened equilibrium of a game in which one side picks a weapon,
//! the other a scenario, and the payoff is the logarithm of worth there beside its mean over the
//! scenarios that differ. So no printed price enters it. A copy of a scenario or of a weapon moves the
//! uniform mix, and does not move the adversarial one.

use crate::evidence::ScenarioFacts;
use enfilade_stats::equilibrium::{self, Equilibrium};

/// Entropy of the adversarial mix, in log price: scenarios within about 10 % of the worst for the
/// weapons are about as likely.
pub const TEMPERATURE: f64 = 0.1;

/// Weights over the scenarios, each adding up to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixes {
    /// The same for every scenario.
    pub uniform: Vec<f64>,
    /// The designer's.
    pub designer: Vec<f64>,
    /// By points in play, over the scenarios that give them; `None` when none does.
    pub points: Option<Vec<f64>>,
    /// The opponent's, softened.
    pub adversarial: Vec<f64>,
    /// The opponent's without softening, a bound; `None` when the linear program has no solution.
    pub nash: Option<Vec<f64>>,
}

/// The designer's weights, adding up to 1; all the same when they are all 0.
pub fn designer(scenarios: &[ScenarioFacts]) -> Vec<f64> {
    let weights: Vec<f64> = scenarios.iter().map(|s| s.weight.max(0.0)).collect();
    shares(&weights).unwrap_or_else(|| uniform(scenarios))
}

fn uniform(scenarios: &[ScenarioFacts]) -> Vec<f64> {
    shares(&vec![1.0; scenarios.len()]).unwrap_or_default()
}

/// The mixes over `scenarios`, when the weapons that are there to be chosen have these log worths by
/// scenario.
pub fn mixes(scenarios: &[ScenarioFacts], chosen: &[&[f64]]) -> Mixes {
    let differ = differing(scenarios.len(), chosen);
    // A weapon's own mean is over what differs: of scenarios that are copies one counts.
    let beside = |row: &&[f64]| {
        let own = differ.iter().map(|&s| row[s]).sum::<f64>() / differ.len() as f64;
        row.iter().map(|log| log - own).collect()
    };
    let payoff: Vec<Vec<f64>> = chosen.iter().map(beside).collect();
    let uniform = uniform(scenarios);
    let points = scenarios.iter().map(|s| s.points_in_play.unwrap_or(0.0));
    let points: Vec<f64> = points.map(|points| points.max(0.0)).collect();
    // Prices are no part of the payoff: one wrong price would choose where all others are seen.
    let soft = equilibrium::softened(&payoff, TEMPERATURE);
    let columns = |game: &Equilibrium| game.columns.clone();
    Mixes {
        designer: designer(scenarios),
        points: shares(&points),
        adversarial: soft.as_ref().map_or_else(|| uniform.clone(), columns),
        nash: equilibrium::nash(&payoff).as_ref().map(columns),
        uniform,
    }
}

/// The scenarios of which none is worth the same to every weapon as one before it.
fn differing(scenarios: usize, rows: &[&[f64]]) -> Vec<usize> {
    let same = |s: usize, t: usize| rows.iter().all(|row| row[s] == row[t]);
    (0..scenarios).filter(|&s| !(0..s).any(|t| same(s, t))).collect()
}

/// Weights that add up to 1; `None` when all are 0.
fn shares(weights: &[f64]) -> Option<Vec<f64>> {
    let sum: f64 = weights.iter().sum();
    let whole = sum > 0.0 && sum.is_finite();
    whole.then(|| weights.iter().map(|weight| weight / sum).collect())
}

/// The mean of one row under a mix.
pub fn mean(row: &[f64], mix: &[f64]) -> f64 {
    row.iter().zip(mix).map(|(value, weight)| value * weight).sum()
}
