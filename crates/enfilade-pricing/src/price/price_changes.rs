//! Two pricings of the same weapons side by side: the prices that change, and by how much.
//!
//! Weapons and scenarios are matched by name. An effect on both arsenals alike cancels out: the
//! change of a weapon's log worth is taken scenario by scenario and assumption by assumption, so
//! that a change of rules can be certain where neither worth is. The spread of the change over
//! opponents gives its interval, with the change of the effects of the assumptions; no prior is
//! used, and against one opponent there is no interval. Even prices on both sides use one scale,
//! that of the first: the cost of a worth in the lists is no change of a weapon's effect.

use serde::Serialize;

use super::opponent_mix::{OpponentThenScenarioMix, shrunk_variances_by_weapon};
use super::worth_pool::mean_square_over_range;
use super::{ArsenalPrices, WeaponPrice};
use crate::evidence::AssumptionCase;
use enfilade_stats::robust_line::two_sided_student_quantile;

/// A weapon of both arsenals.
#[derive(Clone, Debug, Serialize)]
pub struct PriceChange<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its prices in the first.
    pub a: WeaponInOnePricing,
    /// Its prices in the second.
    pub b: WeaponInOnePricing,
    /// Worth in the second over worth in the first, over the scenarios of both.
    pub change: Option<WorthRatioWithInterval>,
    /// Whether the interval excludes no change.
    #[serde(rename = "sure")]
    pub is_significant: bool,
}

/// A weapon in one of the arsenals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WeaponInOnePricing {
    /// Its current price.
    pub price: Option<f64>,
    /// Its worth in points of its opponents' troops.
    pub worth: f64,
    /// Its even price at the scale of both, if it has one.
    pub even: Option<f64>,
}

/// The ratio of two worths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorthRatioWithInterval {
    /// The best guess.
    pub best: f64,
    /// Lower end of the 95 % interval; `None` against one opponent.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// Two pricings side by side.
#[derive(Clone, Debug, Serialize)]
pub struct TwoPricings<'a> {
    /// The scenarios of both, by name.
    pub scenarios: Vec<&'a str>,
    /// Weapons that only the first has.
    pub only_a: Vec<&'a str>,
    /// Weapons that only the second has.
    pub only_b: Vec<&'a str>,
    /// The weapons of both, in the order of the first.
    #[serde(rename = "weapons")]
    pub changes: Vec<PriceChange<'a>>,
}

/// Compares two pricings.
pub fn compare_pricings<'a>(a: &'a ArsenalPrices, b: &'a ArsenalPrices) -> TwoPricings<'a> {
    let shared = positions_in_both(&a.scenarios, &b.scenarios, |scenario| &scenario.name);
    let weights: f64 = shared.iter().map(|(i, _)| a.mix[*i]).sum();
    // The weights of the first on both sides: another mix is no change of a weapon's effect.
    let mix: Vec<f64> = shared.iter().map(|(i, _)| a.mix[*i] / weights).collect();
    let opponents = shared.iter().map(|(i, _)| a.scenarios[*i].opponent.as_str());
    let nest = OpponentThenScenarioMix::new(opponents, &mix);
    let both = PricingsInSharedScenarios { a, b, nest, shared };
    let pairs = positions_in_both(&a.weapons, &b.weapons, |weapon| &weapon.name);
    let changes =
        if weights > 0.0 { both.worth_changes_with_intervals(&pairs) } else { Vec::new() };
    let k = a.scale.as_ref().or(b.scale.as_ref()).map_or(1.0, |scale| scale.k.best);
    let side = |weapon: &WeaponPrice| WeaponInOnePricing {
        price: weapon.price,
        worth: weapon.worth.best,
        even: weapon.even_price_if_any().map(|even| k * even.relative_worth),
    };
    let difference = |(place, &(i, j)): (usize, &(usize, usize))| {
        let change: Option<WorthRatioWithInterval> = changes.get(place).copied();
        let is_significant = change.is_some_and(|change| {
            change.low.is_some_and(|low| low > 1.0) || change.high.is_some_and(|high| high < 1.0)
        });
        let (a, b) = (&a.weapons[i], &b.weapons[j]);
        PriceChange { name: &a.name, a: side(a), b: side(b), change, is_significant }
    };
    TwoPricings {
        changes: pairs.iter().enumerate().map(difference).collect(),
        scenarios: both.shared.iter().map(|(i, _)| a.scenarios[*i].name.as_str()).collect(),
        only_a: names_missing_in_other(a, b),
        only_b: names_missing_in_other(b, a),
    }
}

/// Positions in either list of what has the same name in both.
fn positions_in_both<T>(a: &[T], b: &[T], name: fn(&T) -> &String) -> Vec<(usize, usize)> {
    let both = a
        .iter()
        .enumerate()
        .filter_map(|(i, one)| Some((i, b.iter().position(|other| name(other) == name(one))?)));
    both.collect()
}

/// Names of the weapons that only `one` has.
fn names_missing_in_other<'a>(one: &'a ArsenalPrices, other: &ArsenalPrices) -> Vec<&'a str> {
    let is_listed = |name: &str| other.weapons.iter().any(|weapon| weapon.name == name);
    let names = one.weapons.iter().map(|weapon| weapon.name.as_str());
    names.filter(|name| !is_listed(name)).collect()
}

/// Both pricings, by the scenarios they share.
struct PricingsInSharedScenarios<'a> {
    a: &'a ArsenalPrices,
    b: &'a ArsenalPrices,
    nest: OpponentThenScenarioMix,
    shared: Vec<(usize, usize)>,
}

impl PricingsInSharedScenarios<'_> {
    /// Changes of the log worth of a weapon under a model, by scenario.
    fn log_worth_change_by_scenario(
        &self,
        (i, j): (usize, usize),
        models: (AssumptionCase, AssumptionCase),
    ) -> Vec<f64> {
        let log = |pricing: &ArsenalPrices, model, weapon: usize, scenario: usize| {
            let table = pricing.worths.get(&model).or(pricing.worths.get(&AssumptionCase::Default));
            table.map_or(0.0, |table| table[weapon][scenario].log)
        };
        let change =
            |&(s, t): &(usize, usize)| log(self.b, models.1, j, t) - log(self.a, models.0, i, s);
        self.shared.iter().map(change).collect()
    }

    /// Changes of the worths of weapons, each with its interval.
    fn worth_changes_with_intervals(
        &self,
        pairs: &[(usize, usize)],
    ) -> Vec<WorthRatioWithInterval> {
        let default = (AssumptionCase::Default, AssumptionCase::Default);
        let rows: Vec<Vec<f64>> =
            pairs.iter().map(|&pair| self.log_worth_change_by_scenario(pair, default)).collect();
        let (variances, df) = shrunk_variances_by_weapon(&self.nest, &rows);
        let each = pairs.iter().zip(&rows).zip(&variances);
        let ranged = |((&pair, row), variance): ((&(usize, usize), &Vec<f64>), &f64)| {
            let log = self.nest.mean_log_worth(row);
            let over = two_sided_student_quantile(0.05, df).powi(2) * variance;
            let assumed = two_sided_student_quantile(0.05, f64::INFINITY).powi(2)
                * self.variance_over_assumptions(pair, log);
            let half = Some((over + assumed).sqrt()).filter(|_| self.nest.opponents.len() > 1);
            let end = |sign: f64| Some((log + sign * half?).exp());
            WorthRatioWithInterval { best: log.exp(), low: end(-1.0), high: end(1.0) }
        };
        each.map(ranged).collect()
    }

    /// Variance of a change over the assumptions.
    fn variance_over_assumptions(&self, pair: (usize, usize), log: f64) -> f64 {
        let off = |models| {
            self.nest.mean_log_worth(&self.log_worth_change_by_scenario(pair, models)) - log
        };
        // Both ends of every assumption that both pricings have.
        let both = positions_in_both(&self.a.assumptions, &self.b.assumptions, |name| name);
        let ends = both.into_iter().map(|(i, j)| {
            let low = off((AssumptionCase::Low(i), AssumptionCase::Low(j)));
            let high = off((AssumptionCase::High(i), AssumptionCase::High(j)));
            mean_square_over_range((low, high))
        });
        ends.sum()
    }
}
