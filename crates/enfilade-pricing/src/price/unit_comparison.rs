//! Units against units among the prices of a file: those that have no one price.
//!
//! If every unit that is priced is also an opponent, the battles are fought already: the number of
//! others that one unit is worth is its worth there over the worth of the other among its like.

use super::verdict::PriceVerdict;
use super::weapon_prices::{
    ArsenalPrices, ExtremePricesByOpponent, UnitMatchupsAtEvenPrices, WeaponPrice,
};
use super::worth::WorthByScenario;
use crate::evidence::{AssumptionCase, BattleEvidence};
use crate::unit_edges::UnitEdgeMatrix;

/// The largest number of units of a file for which all meet all by default.
pub const MAX_UNITS_ALL_MEET_ALL: usize = 40;

/// The smallest number of units that can form a circle.
const MIN_UNITS_FOR_CYCLE: usize = 3;

impl ArsenalPrices {
    /// Compares the units at `places`, of which one of the first is worth e to the power
    /// `worth[i][j]` of another, with the weights of `mix`. Units without an even price are left
    /// out.
    pub fn compare_units_and_store(&mut self, places: &[usize], worth: &[Vec<f64>], mix: &[f64]) {
        let even =
            |at: &usize| self.weapons[places[*at]].even_price_if_any().map(|even| even.price.best);
        let weapons_with_price: Vec<usize> =
            (0..places.len()).filter(|at| even(at).is_some()).collect();
        let prices: Vec<f64> = weapons_with_price.iter().filter_map(even).collect();
        let row = |i: &usize| weapons_with_price.iter().map(|j| worth[*i][*j]).collect();
        let worth: Vec<Vec<f64>> = weapons_with_price.iter().map(row).collect();
        let edges = UnitEdgeMatrix::new(&worth, &prices);
        let Some(edges) = edges.filter(|_| prices.len() >= MIN_UNITS_FOR_CYCLE) else { return };
        let mix = weapons_with_price.iter().map(|at| mix[*at]).collect();
        let places = weapons_with_price.iter().map(|at| places[*at]).collect();
        let units = UnitMatchupsAtEvenPrices { places, prices, mix, edges };
        for unit in 0..units.places.len() {
            if units.edges.has_no_single_price(unit, &units.mix, self.tolerance) {
                let apart = units.price_range_over_opponents(unit);
                self.weapons[units.places[unit]].mark_no_one_price(apart);
            }
        }
        self.units = Some(units);
    }

    /// Compares the units whose battles are among those of the evidence.
    pub(super) fn compare_units_that_met(&mut self, evidence: &BattleEvidence) {
        let met = met_units_and_scenarios(evidence, &self.weapons, &self.mix);
        let Some((places, scenarios)) = met else { return };
        let table = &self.worths[&AssumptionCase::Default];
        let row = |i: &usize| {
            let against = places.iter().zip(&scenarios);
            against.map(|(j, met)| log_relative_worth(table, &self.mix, (*i, *j), met)).collect()
        };
        let worth: Vec<Vec<f64>> = places.iter().map(row).collect();
        let weight = |met_in: &Vec<usize>| met_in.iter().map(|s| self.mix[*s]).sum::<f64>();
        let mix: Vec<f64> = scenarios.iter().map(weight).collect();
        self.compare_units_and_store(&places, &worth, &mix);
    }
}

/// Positions of the units and the scenarios in which each is met; `None` if priced units are met
/// nowhere, unless that many represent all.
fn met_units_and_scenarios(
    evidence: &BattleEvidence,
    weapons: &[WeaponPrice],
    mix: &[f64],
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let mut scenarios_by_weapon = vec![Vec::new(); weapons.len()];
    let mirrors = evidence.default_battles().filter(|b| b.mirror && mix[b.scenario] > 0.0);
    mirrors.for_each(|b| scenarios_by_weapon[b.weapon].push(b.scenario));
    let all = weapons.iter().zip(&scenarios_by_weapon);
    let unmet = all.filter(|(weapon, met)| weapon.even.is_ok() && met.is_empty()).count();
    let met = scenarios_by_weapon.into_iter().enumerate().filter(|(_, met)| !met.is_empty());
    let (places, scenarios): (Vec<usize>, Vec<_>) = met.unzip();
    (unmet == 0 || places.len() >= MAX_UNITS_ALL_MEET_ALL).then_some((places, scenarios))
}

/// The logarithm of the number of the second unit, over the scenarios that meet it, that one of the
/// first is worth.
fn log_relative_worth(
    table: &WorthByScenario,
    mix: &[f64],
    (own, other): (usize, usize),
    scenarios: &[usize],
) -> f64 {
    let log = |s: &usize| mix[*s] * (table[own][*s].log - table[other][*s].log);
    scenarios.iter().map(log).sum::<f64>() / scenarios.iter().map(|s| mix[*s]).sum::<f64>()
}

impl UnitMatchupsAtEvenPrices {
    /// The lowest and the highest price of a unit against one opponent alone.
    fn price_range_over_opponents(&self, unit: usize) -> ExtremePricesByOpponent {
        let against = self.edges.even_prices_by_opponent(unit, self.prices[unit]);
        let mut others: Vec<usize> = (0..against.len()).filter(|other| *other != unit).collect();
        others.sort_by(|a, b| against[*a].total_cmp(&against[*b]));
        let ends = [others[0], others[others.len() - 1]];
        let [low, high] = ends.map(|other| against[other]);
        ExtremePricesByOpponent { low, high, opponents: ends.map(|other| self.places[other]) }
    }
}

impl WeaponPrice {
    /// Marks a unit as having no one price; one that is wrong against every opponent stays wrong.
    fn mark_no_one_price(&mut self, apart: ExtremePricesByOpponent) {
        let price = self.price;
        let Ok(even) = &mut self.even else { return };
        even.opponent_prices = Some(apart);
        let within = price.is_some_and(|price| (apart.low..=apart.high).contains(&price));
        if let Some(judged) = &mut even.finding
            && (within || !judged.verdict.is_price_wrong())
        {
            judged.verdict = PriceVerdict::NoOnePrice;
        }
    }
}
