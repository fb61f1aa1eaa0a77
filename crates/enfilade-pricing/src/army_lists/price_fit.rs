//! Prices that make lists as even as prices of single units can: fitted to battles of lists.

use super::{ArmyList, ListBattleSimulator, budget_buys_any_unit, draw_random_list};
use enfilade_stats::random_draws::RandomDraws;
use enfilade_stats::worth_fit::{ObservedForceContest, fit_unit_worths};

/// Pairs that are fought for each round of the fit.
const PAIRS_PER_FIT_ROUND: u64 = 500;

/// Rounds of the fit, each at the prices of the one before.
const PRICE_FIT_ROUNDS: u64 = 4;

/// Largest ratio of the budgets of two lists: unequal totals show the worth of more points.
const MAX_BUDGET_RATIO: f64 = 1.25;

impl ListBattleSimulator {
    /// Fits prices under which random lists of equal points are as even as possible, in four rounds
    /// from `prices`: a logistic curve in the log ratio of the sums of both lists. Returns `None`
    /// as [`measure_price_evenness`](ListBattleSimulator::measure_price_evenness) does.
    pub fn fit_even_prices(&self, prices: &[f64]) -> Option<Vec<f64>> {
        let (mut fitted, mut price_history) = (prices.to_vec(), Vec::new());
        for round in 0..PRICE_FIT_ROUNDS {
            if !budget_buys_any_unit(&fitted, self.settings.budget / MAX_BUDGET_RATIO) {
                return None;
            }
            let numbers = round * PAIRS_PER_FIT_ROUND..(round + 1) * PAIRS_PER_FIT_ROUND;
            let most = self.settings.budget;
            let draw = |draws: &mut RandomDraws| {
                [0, 1].map(|_| {
                    let budget = most * MAX_BUDGET_RATIO.powf(draws.draw_uniform() - 1.0);
                    draw_random_list(&fitted, budget, draws)
                })
            };
            let fought = self.fight_pairs(&fitted, ("fitted lists", numbers), draw);
            price_history.extend(fought.iter().map(|pair| {
                let counts = |list: &ArmyList| list.iter().map(|&count| count as f64).collect();
                let [own, other] = pair.lists.each_ref().map(counts);
                ObservedForceContest { own, other, won: pair.won }
            }));
            fitted = fit_unit_worths(&price_history, &fitted);
        }
        Some(fitted)
    }
}
