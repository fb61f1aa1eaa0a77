//! Prices that make lists as even as prices of single units can: fitted to battles of lists.

use rayon::prelude::*;

use super::{FoughtListPair, ListBattleSimulator, draw_random_list};
use enfilade_stats::worth_fit::{ObservedContest, fit_unit_worths};

/// Pairs that are fought for each round of the fit.
const FIT_PAIRS: u64 = 500;

/// Rounds of the fit, each at the prices of the one before.
const FIT_ROUNDS: u64 = 4;

/// Largest ratio of the budgets of two lists: unequal totals show the worth of more points.
const BUDGET_RATIO: f64 = 1.25;

impl ListBattleSimulator {
    /// Fits prices under which random lists of equal points are as even as possible, in four rounds
    /// from `prices`: a logistic curve in the log ratio of the sums of both lists. Returns `None`
    /// as [`measure_evenness`](ListBattleSimulator::measure_evenness) does.
    pub fn fit_prices(&self, prices: &[f64]) -> Option<Vec<f64>> {
        let mut fitted = prices.to_vec();
        let mut seen = Vec::new();
        for round in 0..FIT_ROUNDS {
            let fought = self.fight_pairs_of_unequal_budgets(&fitted, round)?;
            seen.extend(fought.iter().map(as_contested_meeting));
            fitted = fit_unit_worths(&seen, &fitted);
        }
        Some(fitted)
    }

    /// Fights pairs of lists with unequal budgets.
    fn fight_pairs_of_unequal_budgets(
        &self,
        prices: &[f64],
        round: u64,
    ) -> Option<Vec<FoughtListPair>> {
        let budget = self.settings.budget;
        let fits = |price: &f64| *price > 0.0 && *price <= budget / BUDGET_RATIO;
        if !prices.iter().any(fits) {
            return None;
        }
        let fight = |pair: u64| {
            let (mut draws, dice) =
                self.random_draws_of_pair("fitted lists", round * FIT_PAIRS + pair);
            let lists = [0, 1].map(|_| {
                let budget = budget * BUDGET_RATIO.powf(draws.draw_uniform() - 1.0);
                draw_random_list(prices, budget, &mut draws)
            });
            let won = self.win_share([&lists[0], &lists[1]], prices, self.settings.battles, dice);
            FoughtListPair { lists, won }
        };
        Some((0..FIT_PAIRS).into_par_iter().map(fight).collect())
    }
}

fn as_contested_meeting(pair: &FoughtListPair) -> ObservedContest {
    let [own, other] =
        [0, 1].map(|side| pair.lists[side].iter().map(|&count| count as f64).collect());
    ObservedContest { own, other, won: pair.won }
}
