//! A weapon's worth relative to its peers: where its battles are even, and the uncertainty of that
//! point.
//!
//! All of it is learned from a pool: the weapons that have a price, and the weapon itself. So it is
//! the same whether that weapon has a price or not, and no price enters any number here: the level
//! of a scenario is the median over the pool of log worth there less mean log worth. A candidate is
//! in no pool but its own.

use super::opponent_mix::{OpponentThenScenarioMix, shrunk_variance_and_df};
use super::win_curves::{self, WeightedCurve, WinShareByOpponentPoints};
use super::worth::{WorthByAssumptionCase, WorthInScenario, fit_all_worths};
use crate::error::PricingError;
use crate::evidence::{AssumptionCase, BattleEvidence};
use crate::value_table::build_rows_from_fn;
use enfilade_stats::robust_line::median_of_values;

/// Change of the log worth at the low and the high end of an assumption.
pub type LogChangeAtRangeEnds = (f64, f64);

/// Mean square of the change over an assumption that is as likely anywhere in its range, when the
/// change grows evenly from the default to either end.
///
/// ```
/// use enfilade_pricing::price::worth_pool::mean_square_over_range;
/// assert!((mean_square_over_range((-0.3, 0.3)) - 0.03).abs() < 1e-15);
/// ```
pub fn mean_square_over_range((low, high): LogChangeAtRangeEnds) -> f64 {
    (low * low + high * high) / 6.0
}

/// A log worth over all opponents, and its uncertainty.
#[derive(Clone, Debug, PartialEq)]
pub struct LogWorthWithUncertainty {
    /// The logarithm of the points at which as many battles are won as lost.
    pub log: f64,
    /// Its variance over opponents, with that of rolled battles.
    pub variance: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// Change by each assumption.
    pub effects: Vec<LogChangeAtRangeEnds>,
}

/// All weapons and how they are mixed.
#[derive(Debug)]
pub struct WorthsAndOpponentMix {
    /// Worths in every case of the assumptions.
    pub worths: WorthByAssumptionCase,
    /// The opponents of the mix.
    pub nest: OpponentThenScenarioMix,
    /// Weight of each scenario; all of them add up to 1.
    pub mix: Vec<f64>,
    assumptions: usize,
    shapes: Vec<Vec<WinShareByOpponentPoints>>,
}

/// The worths of a pool of weapons.
#[derive(Debug)]
pub struct WorthsInPool {
    /// Whether what all of them share is removed.
    level: bool,
    members: Vec<usize>,
    places: Vec<EvenPointWithVariances>,
    /// Change by each assumption that all of them share.
    common: Vec<LogChangeAtRangeEnds>,
}

/// The even point of a weapon in a pool.
#[derive(Debug)]
struct EvenPointWithVariances {
    log: f64,
    /// Mean square of the pulls of its opponents.
    pulled: f64,
    rolled: f64,
    effects: Vec<LogChangeAtRangeEnds>,
}

impl WorthsInPool {
    /// The log worth of one weapon.
    pub fn log_worth_of_weapon(&self, weapon: usize) -> Option<f64> {
        Some(self.places[self.members.binary_search(&weapon).ok()?].log)
    }
}

impl WorthsAndOpponentMix {
    /// Fits the worths of the battles of `evidence`, and mixes its scenarios by their weights.
    ///
    /// # Errors
    /// The errors of [`fit_all_worths`].
    pub fn from_evidence(evidence: &BattleEvidence) -> Result<WorthsAndOpponentMix, PricingError> {
        let worths = fit_all_worths(evidence)?;
        let weights = evidence.scenarios.iter().map(|scenario| scenario.weight);
        let sum: f64 = weights.clone().sum();
        let mix: Vec<f64> = weights.map(|weight| weight / sum).collect();
        let opponents = evidence.scenarios.iter().map(|scenario| scenario.opponent.as_str());
        let default = worths.default_case();
        let battles = evidence.index_by_case_weapon_scenario();
        let shape = |w: usize, s: usize| {
            let battle = battles.get(&(AssumptionCase::Default, w, s));
            let curve = battle.map_or(&[][..], |battle| &battle.curve);
            WinShareByOpponentPoints::from_points_or_worth(curve, &default[w][s])
        };
        Ok(WorthsAndOpponentMix {
            shapes: build_rows_from_fn(default.len(), mix.len(), shape),
            nest: OpponentThenScenarioMix::new(opponents, &mix),
            assumptions: evidence.assumptions.len(),
            worths,
            mix,
        })
    }

    /// Pools the weapons at `members`, each alone and relative to the others.
    pub fn compute_worths_alone_and_beside(&self, members: &[usize]) -> [WorthsInPool; 2] {
        [false, true].map(|level| self.compute_worths_of_members(members, level))
    }

    /// Pools the weapons at `members`: with `level`, the effect of a scenario that all of them
    /// share is removed.
    fn compute_worths_of_members(&self, members: &[usize], level: bool) -> WorthsInPool {
        let levels =
            if level { self.compute_scenario_levels(members) } else { vec![0.0; self.mix.len()] };
        let places: Vec<_> =
            members.iter().map(|&w| self.even_point_of_weapon(w, &levels)).collect();
        let middle = |i: usize, end: fn(&LogChangeAtRangeEnds) -> f64| {
            let ends = places.iter().map(|place| end(&place.effects[i]));
            median_of_values(ends.collect()).unwrap_or(0.0)
        };
        let both = |i: usize| (middle(i, |ends| ends.0), middle(i, |ends| ends.1));
        let common = (0..self.assumptions).map(both).collect();
        WorthsInPool { level, members: members.to_vec(), common, places }
    }

    /// Returns the uncertainty of a weapon in a pool: where what all share is removed, so are their
    /// shared changes.
    pub fn worth_uncertainty(
        &self,
        pool: &WorthsInPool,
        weapon: usize,
    ) -> Option<LogWorthWithUncertainty> {
        let place = &pool.places[pool.members.binary_search(&weapon).ok()?];
        let all = pool.places.len() as f64;
        let middle = pool.places.iter().map(|place| place.pulled).sum::<f64>() / all;
        let (over, df) = shrunk_variance_and_df(&self.nest, place.pulled, middle);
        // Levels are medians over the pool: those of few weapons are uncertain.
        let levels = if pool.level { 1.0 + 1.57 / all } else { 1.0 };
        let apart = place.effects.iter().zip(&pool.common);
        let effects = match pool.level {
            true => apart.map(|(e, c)| (e.0 - c.0, e.1 - c.1)).collect(),
            false => place.effects.clone(),
        };
        let variance = (over * levels).max(place.rolled);
        Some(LogWorthWithUncertainty { log: place.log, variance, df, effects })
    }

    /// The log worth of a weapon without any pool.
    pub fn log_worth_without_pool(&self, w: usize) -> f64 {
        let levels = vec![0.0; self.mix.len()];
        win_curves::log_points_at_half_wins(&self.weighted_curves_of_weapon(w, &levels))
    }

    fn weighted_curves_of_weapon(&self, w: usize, levels: &[f64]) -> Vec<WeightedCurve<'_>> {
        let counts = self.mix.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        let weighted_curve = |(s, &weight): (usize, &f64)| WeightedCurve {
            weight,
            shape: &self.shapes[w][s],
            level: levels[s],
            worth: &self.worths.default_case()[w][s],
        };
        counts.map(weighted_curve).collect()
    }

    fn even_point_of_weapon(&self, w: usize, levels: &[f64]) -> EvenPointWithVariances {
        let weighted_curves = self.weighted_curves_of_weapon(w, levels);
        let log = win_curves::log_points_at_half_wins(&weighted_curves);
        let slope = win_curves::falling_slope_of_mean_wins(&weighted_curves, log);
        let shapes = self.shapes[w].iter().zip(levels);
        let won = shapes.map(|(shape, level)| shape.win_share_against_points((log + level).exp()));
        let won = self.nest.means_by_opponent(&won.collect::<Vec<_>>());
        let pull = |won: &f64| win_curves::influence_of_win_share(*won, slope);
        let pulls: Vec<f64> = won.iter().map(pull).collect();
        let ends = |i: usize| {
            let end = |model| {
                self.log_worth_in_assumption_case(model, w, levels).map_or(0.0, |point| point - log)
            };
            (end(AssumptionCase::Low(i)), end(AssumptionCase::High(i)))
        };
        EvenPointWithVariances {
            pulled: self.nest.unbiased_mean_square_pull(&pulls),
            rolled: variance_of_rolls(&weighted_curves, log),
            effects: (0..self.assumptions).map(ends).collect(),
            log,
        }
    }

    /// Log worth under another case of the assumptions: each curve shifts by as much as its own
    /// even point does.
    fn log_worth_in_assumption_case(
        &self,
        model: AssumptionCase,
        w: usize,
        levels: &[f64],
    ) -> Option<f64> {
        let table = self.worths.by_model.get(&model)?;
        let cells = table[w].iter().zip(&self.worths.default_case()[w]).zip(levels);
        let levels: Vec<f64> =
            cells.map(|((worth, before), level)| level - (worth.log - before.log)).collect();
        Some(win_curves::log_points_at_half_wins(&self.weighted_curves_of_weapon(w, &levels)))
    }

    /// The level of each scenario, shared by all weapons of a pool; 0 on average under the mix.
    fn compute_scenario_levels(&self, pool: &[usize]) -> Vec<f64> {
        let mean = |w: usize| -> f64 {
            self.worths.default_case()[w]
                .iter()
                .zip(&self.mix)
                .map(|(worth, q)| worth.log * q)
                .sum()
        };
        let level = |s: usize| {
            let gains = pool.iter().map(|&w| self.worths.default_case()[w][s].log - mean(w));
            median_of_values(gains.collect()).unwrap_or(0.0)
        };
        let levels: Vec<f64> = (0..self.mix.len()).map(level).collect();
        let common: f64 = levels.iter().zip(&self.mix).map(|(level, q)| level * q).sum();
        levels.into_iter().map(|level| level - common).collect()
    }

    /// The share of the mix in which the worth of a weapon matches `such`.
    pub fn share_of_mix_where(&self, w: usize, such: impl Fn(&WorthInScenario) -> bool) -> f64 {
        let pairs = self.worths.default_case()[w].iter().zip(&self.mix);
        // The sum of an empty list is −0.
        pairs.filter(|(worth, _)| such(worth)).map(|(_, weight)| weight).sum::<f64>() + 0.0
    }

    /// The share of the mix in which the worth of a weapon is only a bound.
    pub fn share_of_mix_with_bound_only(&self, w: usize) -> f64 {
        self.share_of_mix_where(w, |worth| worth.bound.is_some())
    }
}

/// Variance from rolled battles: each curve moves the mean by its part of the slope.
fn variance_of_rolls(curves: &[WeightedCurve], log: f64) -> f64 {
    let slope = |met: &WeightedCurve| {
        let alone = WeightedCurve { weight: 1.0, ..*met };
        met.weight * win_curves::falling_slope_of_mean_wins(&[alone], log)
    };
    let all: f64 = curves.iter().map(slope).sum();
    let each = curves.iter().map(|met| {
        let part = if all > 0.0 { slope(met) / all } else { met.weight };
        part * part * met.worth.variance_of_log_worth()
    });
    each.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::PointsAndWinShare;

    /// Against one opponent wins fall, against the other all battles are won whatever is there.
    /// Only the worth against the first moves the mean, and the mean is as uncertain as that.
    #[test]
    fn rolls_count_where_wins_change() {
        let curve = |points: f64, won: f64| PointsAndWinShare { points, won, trials: None };
        let worth = |half: f64| WorthInScenario {
            log: 20f64.ln(),
            low: 20f64.ln() - half,
            high: 20f64.ln() + half,
            bound: None,
            flat: false,
            trials: None,
        };
        let cells = [
            (worth(0.1), [curve(10.0, 0.75), curve(30.0, 0.25)]),
            (worth(1.0), [curve(10.0, 1.0), curve(30.0, 1.0)]),
        ];
        let shapes = cells
            .each_ref()
            .map(|(worth, curve)| WinShareByOpponentPoints::from_points_or_worth(curve, worth));
        let mix = [0, 1].map(|at| WeightedCurve {
            weight: 0.5,
            shape: &shapes[at],
            level: 0.0,
            worth: &cells[at].0,
        });
        let found = variance_of_rolls(&mix, 20f64.ln());
        assert!((found - cells[0].0.variance_of_log_worth()).abs() < 1e-12, "{found}");
    }
}
