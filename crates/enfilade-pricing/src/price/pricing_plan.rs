//! All steps in order: worths, pools, scale, uncertainties, verdicts.

use super::best_addition;
use super::price_scale::{LogCostPerWorthPoint, MIN_PRICES_FOR_SCALE, PriceScale, ScaleSource};
use super::price_steps::PriceRounding;
use super::price_uncertainty::LogPriceUncertainty;
use super::ranged_value::RangedValue;
use super::verdict::PriceVerdict;
use super::weapon_prices::{
    ArsenalPrices, EvenPrice, PriceFinding, PricingSettings, UnpricedReason, WeaponPrice,
};
use super::worth::{WorthBound, WorthInScenario};
use super::worth_pool::{WorthsAndOpponentMix, WorthsInPool};
use crate::error::PricingError;
use crate::evidence::{BattleEvidence, WeaponWinCurves, WeaponWithPrice};

/// Computes the prices of an arsenal.
///
/// # Errors
/// If there are no weapons or scenarios, a price is not above 0, all weights are 0, a weapon has no
/// battle, or the unit whose price is right by decision has none here.
pub fn prices_from_evidence(
    evidence: &BattleEvidence,
    settings: &PricingSettings,
) -> Result<ArsenalPrices, PricingError> {
    check_prices_and_weights(evidence)?;
    let ground = WorthsAndOpponentMix::from_evidence(evidence)?;
    let plan = PricingPreparation::new(evidence, settings, &ground);
    plan.check_anchor_has_price()?;
    let pooled: Vec<_> =
        (0..evidence.weapons.len()).map(|w| plan.estimate_worth_and_price(w)).collect();
    let mut weapons: Vec<_> =
        pooled.iter().enumerate().map(|(w, pooled)| plan.price_of_weapon(w, pooled)).collect();
    let scale = plan.price_scale_from_all_weapons();
    let doubted = scale.as_ref().is_some_and(PriceScale::do_prices_disagree_with_scale);
    let beside = plan.find_cheapest_fair_weapon(&weapons).filter(|_| doubted);
    if let Some(beside) = beside {
        plan.fill_in_worths_relative_to(beside, &pooled, &mut weapons);
    }
    let names = evidence.assumptions.iter().map(|a| a.name.clone());
    let mut pricing = ArsenalPrices {
        weapons,
        scenarios: evidence.scenarios.clone(),
        assumptions: names.collect(),
        opponents: ground.nest.opponents.len(),
        steps: plan.steps,
        tolerance: settings.tolerance,
        scale,
        reference_unit: beside,
        mix: ground.mix.clone(),
        worths: ground.worths.by_model.clone(),
        units: None,
    };
    pricing.compare_units_that_met(evidence);
    Ok(pricing)
}

fn check_prices_and_weights(evidence: &BattleEvidence) -> Result<(), PricingError> {
    let wrong = |what: String| Err(PricingError::Invalid(what));
    if evidence.weapons.is_empty() || evidence.scenarios.is_empty() {
        return wrong("an arsenal needs at least one weapon and one scenario".to_owned());
    }
    let bad = |price: f64| !(price.is_finite() && price > 0.0);
    let mut prices = evidence.weapons.iter().filter_map(|w| Some((&w.name, w.price?)));
    if let Some((name, price)) = prices.find(|(_, price)| bad(*price)) {
        return wrong(format!("the price of {name:?} must be above 0; it is {price}"));
    }
    let weights = || evidence.scenarios.iter().map(|scenario| scenario.weight);
    let sum: f64 = weights().sum();
    if weights().any(|weight| !(weight.is_finite() && weight >= 0.0)) || sum <= 0.0 {
        let problem = "the weights of the scenarios must be 0 or more, and not all of them 0";
        return wrong(problem.to_owned());
    }
    Ok(())
}

/// Data that is computed before any weapon is judged.
struct PricingPreparation<'a> {
    evidence: &'a BattleEvidence,
    settings: &'a PricingSettings,
    ground: &'a WorthsAndOpponentMix,
    /// By weapon: the reason why it has no price here.
    unpriced: Vec<Option<UnpricedReason>>,
    /// The weapons whose prices set the scale, in order.
    voters: Vec<usize>,
    /// These, each alone and relative to the others.
    pools: [WorthsInPool; 2],
    steps: PriceRounding,
}

/// A weapon relative to those that set the scale.
struct WorthAndPriceUncertainty {
    /// The worth to report: a price in points of the opponents' troops.
    alone: LogPriceUncertainty,
    /// Its price.
    doubt: LogPriceUncertainty,
}

impl<'a> PricingPreparation<'a> {
    fn new(
        evidence: &'a BattleEvidence,
        settings: &'a PricingSettings,
        ground: &'a WorthsAndOpponentMix,
    ) -> PricingPreparation<'a> {
        let unpriced = |w| find_unpriced_reason(evidence, ground, w);
        let unpriced: Vec<_> = (0..evidence.weapons.len()).map(unpriced).collect();
        // If most of a worth is only a bound, it is unknown how its price relates to it.
        let votes = |w: &usize| {
            let has_price = unpriced[*w].is_none() && evidence.weapons[*w].price.is_some();
            has_price && ground.share_of_mix_with_bound_only(*w) <= MAX_UNKNOWN_WORTH_SHARE
        };
        let voters: Vec<usize> = (0..unpriced.len()).filter(votes).collect();
        let prices = evidence.weapons.iter().filter_map(|weapon| weapon.price);
        let rounding = PriceRounding::from_step_of_most_prices(&prices.collect::<Vec<_>>());
        PricingPreparation {
            pools: ground.compute_worths_alone_and_beside(&voters),
            steps: settings.step.map_or(rounding, PriceRounding::Even),
            evidence,
            settings,
            ground,
            unpriced,
            voters,
        }
    }

    /// Refuses a unit whose price is right by decision if it has none here.
    fn check_anchor_has_price(&self) -> Result<(), PricingError> {
        match self.settings.scale {
            ScaleSource::ByUnit(unit) if !self.voters.contains(&unit) => {
                let WeaponWithPrice { name, price, .. } = &self.evidence.weapons[unit];
                let why =
                    if price.is_some() { "it has no even price here" } else { "it has no price" };
                Err(PricingError::Invalid(format!(
                    "[scale] unit = {name:?}: {why}; name a unit that has one, or give `k`"
                )))
            }
            _ => Ok(()),
        }
    }

    fn current_price(&self, weapon: usize) -> Option<f64> {
        self.evidence.weapons[weapon].price
    }

    /// Log prices and log worths of the weapons that set the scale, except one, and their
    /// positions.
    fn log_pairs_that_set_scale(
        &self,
        pool: &WorthsInPool,
        without: Option<usize>,
    ) -> (Vec<usize>, Vec<(f64, f64)>) {
        let others = self.voters.iter().filter(|&&w| Some(w) != without);
        let pair =
            |&w: &usize| Some((w, (self.current_price(w)?.ln(), pool.log_worth_of_weapon(w)?)));
        others.filter_map(pair).unzip()
    }

    /// The cost of a point of worth, from all weapons but one; `None` in points of the opponents'
    /// troops.
    fn scale_from_other_weapons(
        &self,
        pool: &WorthsInPool,
        without: Option<usize>,
    ) -> Option<LogCostPerWorthPoint> {
        match self.settings.scale {
            ScaleSource::ByPrices => {
                let (_, pairs) = self.log_pairs_that_set_scale(pool, without);
                LogCostPerWorthPoint::from_prices_and_worths(&pairs)
            }
            ScaleSource::By(factor) => Some(LogCostPerWorthPoint::from_given_factor(factor)),
            ScaleSource::ByUnit(unit) => {
                let uncertainty = self.ground.worth_uncertainty(pool, unit)?;
                Some(LogCostPerWorthPoint::from_anchor_unit(
                    self.current_price(unit)?,
                    &uncertainty,
                ))
            }
        }
    }

    /// Whether a weapon has peers: in points of the troops it meets there are none.
    fn is_scaled_by_others(&self, w: usize) -> bool {
        match self.settings.scale {
            ScaleSource::ByPrices => {
                self.voters.iter().filter(|&&other| other != w).count() >= MIN_PRICES_FOR_SCALE
            }
            ScaleSource::ByUnit(_) => true,
            ScaleSource::By(_) => false,
        }
    }

    fn estimate_worth_and_price(&self, w: usize) -> WorthAndPriceUncertainty {
        // A weapon that sets no scale has pools of its own, with those that do.
        let own_pools = self.voters.binary_search(&w).err().map(|place| {
            let mut pool = self.voters.clone();
            pool.insert(place, w);
            self.ground.compute_worths_alone_and_beside(&pool)
        });
        let [alone, beside] = own_pools.as_ref().unwrap_or(&self.pools);
        let beside = if self.is_scaled_by_others(w) { beside } else { alone };
        let in_pool = |pool| self.ground.worth_uncertainty(pool, w).expect("it is in its pool");
        let (own, mut worth) = (in_pool(alone), in_pool(beside));
        // Without its own point: a price must not move the answer about itself.
        let mut factor = self.scale_from_other_weapons(beside, Some(w));
        if let ScaleSource::ByUnit(unit) = self.settings.scale
            && let Some(right) = self.ground.worth_uncertainty(beside, unit)
        {
            let both = worth.effects.iter().zip(&right.effects);
            worth.effects = both.map(|(own, unit)| (own.0 - unit.0, own.1 - unit.1)).collect();
            if unit == w {
                // Its price is right by decision.
                worth.variance = 0.0;
                factor.iter_mut().for_each(|factor| factor.variance = 0.0);
            }
        }
        let concentration = self.ground.nest.opponent_concentration();
        WorthAndPriceUncertainty {
            alone: LogPriceUncertainty { factor: None, worth: own, concentration },
            doubt: LogPriceUncertainty { factor, worth, concentration },
        }
    }

    /// The scale to report, from all weapons.
    fn price_scale_from_all_weapons(&self) -> Option<PriceScale> {
        let (places, pairs) = self.log_pairs_that_set_scale(&self.pools[1], None);
        let factor = self.scale_from_other_weapons(&self.pools[1], None)?;
        Some(PriceScale::from_factor(&factor, self.settings.scale, (&places, &pairs)))
    }

    /// Finds the cheapest unit with a price that is not found wrong.
    fn find_cheapest_fair_weapon(&self, weapons: &[WeaponPrice]) -> Option<usize> {
        let right = |w: &usize| {
            weapons[*w].verdict_on_price().is_some_and(|verdict| !verdict.is_price_wrong())
        };
        let all = self.voters.iter().copied().filter(right);
        let price = |w: &usize| self.current_price(*w).unwrap_or(0.0);
        all.min_by(|a, b| price(a).total_cmp(&price(b)))
    }

    /// Sets the worths of all weapons relative to one: no price enters.
    fn fill_in_worths_relative_to(
        &self,
        one: usize,
        pooled: &[WorthAndPriceUncertainty],
        weapons: &mut [WeaponPrice],
    ) {
        let Some(log) = self.pools[1].log_worth_of_weapon(one) else { return };
        for (w, weapon) in weapons.iter_mut().enumerate() {
            if let Ok(even) = &mut weapon.even {
                let half = if w == one { 0.0 } else { pooled[w].doubt.worth_half_width() };
                even.in_reference_units =
                    Some(RangedValue::from_log_and_half(even.relative_worth.ln() - log, half));
            }
        }
    }

    fn price_of_weapon(&self, w: usize, pooled: &WorthAndPriceUncertainty) -> WeaponPrice {
        let (best, worst) = self.best_and_worst_scenario(w);
        let row = &self.ground.worths.default_case()[w];
        WeaponPrice {
            name: self.evidence.weapons[w].name.clone(),
            price: self.current_price(w),
            worth: pooled.alone.price_and_interval(0.05),
            idle_worth: self.worth_of_copy_without_fire(w),
            even: match &self.unpriced[w] {
                Some(why) => Err(why.clone()),
                None => Ok(self.even_price_of_weapon(w, pooled)),
            },
            eighth: self.eighth_copy_worth(w),
            best,
            worst,
            bounded_share: self.ground.share_of_mix_with_bound_only(w),
            trials: row.iter().filter_map(|worth| worth.trials).reduce(|a, b| a + b),
        }
    }

    fn even_price_of_weapon(&self, w: usize, pooled: &WorthAndPriceUncertainty) -> EvenPrice {
        let doubt = &pooled.doubt;
        let log = doubt.log_price();
        let (price, within) = (doubt.price_and_interval(0.05), doubt.price_and_interval(0.10));
        let decided = self.settings.scale == ScaleSource::ByUnit(w);
        let (tolerance, opponents) = (self.settings.tolerance, self.ground.nest.opponents.len());
        let finding = self.current_price(w).map(|price| {
            let residual = price.ln() - log;
            let verdict = PriceVerdict::from_log_residual(residual, doubt, tolerance, opponents);
            PriceFinding { verdict, residual }
        });
        let ends = doubt.worth.effects.iter();
        let ends = ends.map(|(low, high)| ((log + low).exp(), (log + high).exp()));
        EvenPrice {
            price,
            at90: (within.low, within.high),
            rounded: self.steps.round_range_inward(price),
            relative_worth: doubt.worth.log.exp(),
            is_in_list_points: doubt.factor.is_some(),
            finding: finding.filter(|_| !decided),
            best_addition: best_addition::find_best_addition(doubt, &self.evidence.assumptions),
            cause: doubt.largest_cause(),
            assumption_prices: ends.collect(),
            in_reference_units: None,
            opponent_prices: None,
        }
    }

    /// The scenarios with weight in which the worth of a weapon is largest and smallest.
    fn best_and_worst_scenario(&self, weapon: usize) -> (usize, usize) {
        let row = &self.ground.worths.default_case()[weapon];
        let with_weight = || (0..row.len()).filter(|&s| self.ground.mix[s] > 0.0);
        let by_worth = |a: &usize, b: &usize| row[*a].log.total_cmp(&row[*b].log).then(b.cmp(a));
        let best = with_weight().max_by(by_worth).unwrap_or(0);
        (best, with_weight().min_by(by_worth).unwrap_or(0))
    }

    /// The worth of its like that never fires, over the mix.
    fn worth_of_copy_without_fire(&self, w: usize) -> Option<f64> {
        let floors = self.ground.worths.floors[w].iter().zip(&self.ground.mix);
        let known = floors.filter_map(|(floor, weight)| Some(((*floor)?, weight)));
        let all: f64 = known.clone().map(|(_, weight)| weight).sum();
        (all > 0.0).then(|| (known.map(|(log, weight)| log * weight).sum::<f64>() / all).exp())
    }

    /// The worth of the eighth copy as a share of that of the first, where the worth of n copies
    /// grows as a power of n that makes eight of them as much as they were.
    fn eighth_copy_worth(&self, w: usize) -> Option<f64> {
        let grown = self.ground.worths.eight[w].iter().zip(&self.ground.mix);
        let grown = grown.filter(|(_, weight)| **weight > 0.0);
        let grown: Option<f64> = grown.map(|(grown, weight)| Some(weight * (*grown)?)).sum();
        let power = grown? / 8f64.ln();
        Some(8f64.powf(power) - 7f64.powf(power))
    }
}

/// Largest share of a mix in which the worth may be unknown.
const MAX_UNKNOWN_WORTH_SHARE: f64 = 0.5;

/// Finds the reason why a weapon cannot be priced; no price enters.
fn find_unpriced_reason(
    evidence: &BattleEvidence,
    ground: &WorthsAndOpponentMix,
    w: usize,
) -> Option<UnpricedReason> {
    let even = ground.log_worth_without_pool(w);
    let counts = |b: &&WeaponWinCurves| b.weapon == w && ground.mix[b.scenario] > 0.0;
    let mut battles = evidence.default_battles().filter(counts);
    // A weapon worth nothing against one opponent has a worth over all: only the mean must lie
    // where battles were fought.
    let is_out = |worth: &WorthInScenario, bound| {
        worth.bound == Some(bound) && (bound == WorthBound::AtLeast) == (even > worth.log)
    };
    let is_unknown = |bound: &WorthBound| {
        ground.share_of_mix_where(w, |worth| is_out(worth, *bound)) > MAX_UNKNOWN_WORTH_SHARE
    };
    let bound = [WorthBound::AtLeast, WorthBound::AtMost].into_iter().find(is_unknown);
    if let Some(unseen) = &evidence.weapons[w].unseen {
        Some(UnpricedReason::NotModelled(unseen.clone()))
    } else if !battles.any(|battle| battle.fires) {
        Some(UnpricedReason::Harmless(evidence.weapons[w].shortfalls.clone()))
    } else if let Some(bound) = bound {
        Some(UnpricedReason::OutsideCurves(bound))
    } else {
        (ground.share_of_mix_where(w, |worth| worth.flat) > MAX_UNKNOWN_WORTH_SHARE)
            .then_some(UnpricedReason::Flat)
    }
}
