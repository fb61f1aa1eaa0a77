//! Prices that make lists as even as prices of single units can: fitted to battles of lists.

use rayon::prelude::*;

use super::{FoughtPair, ListBattle, random_list};
use enfilade_stats::sums::{Contested, worths};

/// Pairs that are fought for each round of the fit.
const PAIRS: u64 = 500;

/// Rounds of the fit, each at the prices of the one before.
const FITS: u64 = 4;

/// Largest ratio of the budgets of two lists: unequal totals show the worth of more points.
const UNEQUAL: f64 = 1.25;

impl ListBattle {
    /// Fits prices under which random lists of equal points are as even as possible, in four rounds
    /// from `prices`: a logistic curve in the log ratio of the sums of both lists. Returns `None`
    /// as [`evenness`](ListBattle::evenness) does.
    pub fn fitted(&self, prices: &[f64]) -> Option<Vec<f64>> {
        let mut fitted = prices.to_vec();
        let mut seen = Vec::new();
        for round in 0..FITS {
            let fought = self.unequal(&fitted, round)?;
            seen.extend(fought.iter().map(contested));
            fitted = worths(&seen, &fitted);
        }
        Some(fitted)
    }

    /// Fights pairs of lists with unequal budgets.
    fn unequal(&self, prices: &[f64], round: u64) -> Option<Vec<FoughtPair>> {
        let budget = self.settings.budget;
        let fits = |price: &f64| *price > 0.0 && *price <= budget / UNEQUAL;
        if !prices.iter().any(fits) {
            return None;
        }
        let fight = |pair: u64| {
            let (mut draws, dice) = self.dice("fitted lists", round * PAIRS + pair);
            let lists = [0, 1].map(|_| {
                let budget = budget * UNEQUAL.powf(draws.uniform() - 1.0);
                random_list(prices, budget, &mut draws)
            });
            let won = self.won([&lists[0], &lists[1]], prices, self.settings.battles, dice);
            FoughtPair { lists, won }
        };
        Some((0..PAIRS).into_par_iter().map(fight).collect())
    }
}

fn contested(pair: &FoughtPair) -> Contested {
    let [own, other] =
        [0, 1].map(|side| pair.lists[side].iter().map(|&count| count as f64).collect());
    Contested { own, other, won: pair.won }
}
