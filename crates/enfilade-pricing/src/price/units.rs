//! Units against units among the prices of a file: those that have no one price.
//!
//! If every unit that is priced is also an opponent, the battles are fought already: the number of
//! others that one unit is worth is its worth there over the worth of the other among its like.

use super::pricing::{OpponentPrices, Priced, Pricing, UnitEdges};
use super::verdict::Verdict;
use super::worth::Table;
use crate::edges::Edges;
use crate::evidence::{Battle, Evidence, Model};

/// The largest number of units of a file for which all meet all by default.
pub const MOST: usize = 40;

/// The smallest number of units that can form a circle.
const FEWEST: usize = 3;

impl Pricing {
    /// Compares the units at `places`, of which one of the first is worth e to the power
    /// `worth[i][j]` of another, with the weights of `mix`. Units without an even price are left
    /// out.
    pub fn hold(&mut self, places: &[usize], worth: &[Vec<f64>], mix: &[f64]) {
        let even = |at: &usize| self.weapons[places[*at]].priced().map(|even| even.price.best);
        let kept: Vec<usize> = (0..places.len()).filter(|at| even(at).is_some()).collect();
        let prices: Vec<f64> = kept.iter().filter_map(even).collect();
        let row = |i: &usize| kept.iter().map(|j| worth[*i][*j]).collect();
        let worth: Vec<Vec<f64>> = kept.iter().map(row).collect();
        let Some(edges) = Edges::new(&worth, &prices).filter(|_| kept.len() >= FEWEST) else {
            return;
        };
        let mix = kept.iter().map(|at| mix[*at]).collect();
        let places = kept.iter().map(|at| places[*at]).collect();
        let units = UnitEdges { places, prices, mix, edges };
        for unit in 0..units.places.len() {
            if units.edges.has_no_one_price(unit, &units.mix, self.tolerance) {
                self.weapons[units.places[unit]].part(units.apart(unit));
            }
        }
        self.units = Some(units);
    }

    /// Compares the units whose battles are among those of the evidence.
    pub(super) fn hold_if_met(&mut self, evidence: &Evidence) {
        let Some((places, scenarios)) = met(evidence, &self.weapons, &self.mix) else { return };
        let table = &self.worths[&Model::Default];
        let row = |i: &usize| {
            let against = places.iter().zip(&scenarios);
            against.map(|(j, met)| beside(table, &self.mix, (*i, *j), met)).collect()
        };
        let worth: Vec<Vec<f64>> = places.iter().map(row).collect();
        let weight = |met: &Vec<usize>| met.iter().map(|s| self.mix[*s]).sum::<f64>();
        let mix: Vec<f64> = scenarios.iter().map(weight).collect();
        self.hold(&places, &worth, &mix);
    }
}

/// Positions of the units and the scenarios in which each is met; `None` if priced units are met
/// nowhere, unless that many represent all.
fn met(
    evidence: &Evidence,
    weapons: &[Priced],
    mix: &[f64],
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let mirrors = |battle: &&Battle| {
        battle.mirror && battle.model == Model::Default && mix[battle.scenario] > 0.0
    };
    let mut met = vec![Vec::new(); weapons.len()];
    evidence.battles.iter().filter(mirrors).for_each(|b| met[b.weapon].push(b.scenario));
    let all = weapons.iter().zip(&met);
    let unmet = all.filter(|(weapon, met)| weapon.even.is_ok() && met.is_empty()).count();
    let places: Vec<usize> = (0..met.len()).filter(|w| !met[*w].is_empty()).collect();
    let scenarios = places.iter().map(|w| met[*w].clone()).collect();
    (unmet == 0 || places.len() >= MOST).then_some((places, scenarios))
}

/// The logarithm of the number of the second unit, over the scenarios that meet it, that one of the
/// first is worth.
fn beside(table: &Table, mix: &[f64], (own, other): (usize, usize), met: &[usize]) -> f64 {
    let log = |s: &usize| mix[*s] * (table[own][*s].log - table[other][*s].log);
    met.iter().map(log).sum::<f64>() / met.iter().map(|s| mix[*s]).sum::<f64>()
}

impl UnitEdges {
    /// The lowest and the highest price of a unit against one opponent alone.
    fn apart(&self, unit: usize) -> OpponentPrices {
        let against = self.edges.prices_against(unit, self.prices[unit]);
        let mut others: Vec<usize> = (0..against.len()).filter(|other| *other != unit).collect();
        others.sort_by(|a, b| against[*a].total_cmp(&against[*b]));
        let ends = [others[0], others[others.len() - 1]];
        let [low, high] = ends.map(|other| against[other]);
        OpponentPrices { low, high, beside: ends.map(|other| self.places[other]) }
    }
}

impl Priced {
    /// Marks a unit as having no one price; one that is wrong against every opponent stays wrong.
    fn part(&mut self, apart: OpponentPrices) {
        let price = self.price;
        let Ok(even) = &mut self.even else { return };
        even.apart = Some(apart);
        let within = price.is_some_and(|price| (apart.low..=apart.high).contains(&price));
        if let Some(judged) = &mut even.judged
            && (within || !judged.verdict.wrong())
        {
            judged.verdict = Verdict::NoOnePrice;
        }
    }
}
