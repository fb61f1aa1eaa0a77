//! All steps in order: worths, pools, scale, uncertainties, verdicts.

use super::best_addition;
use super::opponent_mix::OpponentMix;
use super::price_scale::{MIN_PRICES, PriceScale, ScaleFactor, ScaleSource};
use super::price_steps::PriceSteps;
use super::price_uncertainty::PriceUncertainty;
use super::ranged_value::RangedValue;
use super::verdict::PriceVerdict;
use super::weapon_prices::{
    EvenPrice, PriceFinding, Pricing, PricingSettings, UnpricedReason, WeaponPrice,
};
use super::worth::{CellWorth, WorthBound, WorthsByCase, fit_worths};
use super::worth_pool::{PooledWorths, WorthPool, WorthUncertainty};
use crate::error::PricingError;
use crate::evidence::{AssumptionCase, BattleEvidence, DeniedPoints, WeaponBattle};

/// Computes the prices of an arsenal.
///
/// # Errors
/// If there are no weapons or scenarios, a price is not above 0, all weights are 0, a weapon has no
/// battle, or the unit whose price is right by decision has none here.
pub fn compute_prices(
    evidence: &BattleEvidence,
    settings: &PricingSettings,
) -> Result<Pricing, PricingError> {
    check_evidence(evidence)?;
    let worths = fit_worths(evidence)?;
    let mix = scenario_shares(evidence);
    let opponents = evidence.scenarios.iter().map(|s| s.opponent.as_str());
    let nest = OpponentMix::new(opponents, &mix);
    let ground = WorthPool::new(evidence, &worths, &nest, &mix);
    let plan = PricingPlan::new(evidence, &worths, settings, (&ground, &nest, &mix));
    plan.check_scale_unit()?;
    let seen: Vec<PooledWeapon> =
        (0..evidence.weapons.len()).map(|w| plan.pool_weapon(w)).collect();
    let mut weapons: Vec<WeaponPrice> =
        seen.iter().enumerate().map(|(w, seen)| plan.price_weapon(w, seen)).collect();
    let scale = plan.price_scale();
    let doubted = scale.as_ref().is_some_and(PriceScale::is_in_doubt);
    let beside = plan.find_reference_unit(&weapons).filter(|_| doubted);
    if let Some(beside) = beside {
        plan.set_relative_worths(beside, &seen, &mut weapons);
    }
    let names = evidence.assumptions.iter().map(|a| a.name.clone());
    let mut pricing = Pricing {
        weapons,
        scenarios: evidence.scenarios.clone(),
        assumptions: names.collect(),
        opponents: nest.opponents.len(),
        steps: plan.steps,
        tolerance: settings.tolerance,
        scale,
        reference_unit: beside,
        exchange: evidence.exchange,
        mix: mix.clone(),
        worths: worths.by_model.clone(),
        units: None,
    };
    pricing.compare_units_in_scenarios(evidence);
    Ok(pricing)
}

fn check_evidence(evidence: &BattleEvidence) -> Result<(), PricingError> {
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
        return wrong(
            "the weights of the scenarios must be 0 or more, and not all of them 0".to_owned(),
        );
    }
    Ok(())
}

/// The weights of the scenarios, adding up to 1.
fn scenario_shares(evidence: &BattleEvidence) -> Vec<f64> {
    let weights = evidence.scenarios.iter().map(|scenario| scenario.weight);
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

/// Data that is computed before any weapon is judged.
struct PricingPlan<'a> {
    evidence: &'a BattleEvidence,
    worths: &'a WorthsByCase,
    settings: &'a PricingSettings,
    ground: &'a WorthPool<'a>,
    nest: &'a OpponentMix,
    mix: &'a [f64],
    /// By weapon: the reason why it has no price here.
    unpriced: Vec<Option<UnpricedReason>>,
    /// The weapons whose prices set the scale, in order.
    voters: Vec<usize>,
    /// These, each alone and relative to the others.
    alone: PooledWorths,
    beside: PooledWorths,
    steps: PriceSteps,
}

/// A weapon relative to those that set the scale.
struct PooledWeapon {
    /// The worth to report.
    alone: WorthUncertainty,
    /// Its price.
    doubt: PriceUncertainty,
    scaled: bool,
}

impl<'a> PricingPlan<'a> {
    fn new(
        evidence: &'a BattleEvidence,
        worths: &'a WorthsByCase,
        settings: &'a PricingSettings,
        (ground, nest, mix): (&'a WorthPool<'a>, &'a OpponentMix, &'a [f64]),
    ) -> PricingPlan<'a> {
        let unpriced = |w| find_unpriced_reason(evidence, worths, ground, w);
        let unpriced: Vec<_> = (0..evidence.weapons.len()).map(unpriced).collect();
        // If most of a worth is only a bound, it is unknown how its price relates to it.
        let known =
            |w: usize| share_where(&worths.default_table()[w], mix, |worth| worth.bound.is_some());
        let votes = |w: &usize| {
            let has_price = unpriced[*w].is_none() && evidence.weapons[*w].price.is_some();
            has_price && known(*w) <= MAX_UNKNOWN_SHARE
        };
        let voters: Vec<usize> = (0..unpriced.len()).filter(votes).collect();
        let prices = evidence.weapons.iter().filter_map(|weapon| weapon.price);
        let found = PriceSteps::from_prices(&prices.collect::<Vec<_>>());
        PricingPlan {
            alone: ground.compare_weapons(&voters, false),
            beside: ground.compare_weapons(&voters, true),
            steps: settings.step.map_or(found, PriceSteps::Even),
            evidence,
            worths,
            settings,
            ground,
            nest,
            mix,
            unpriced,
            voters,
        }
    }

    /// Refuses a unit whose price is right by decision if it has none here.
    fn check_scale_unit(&self) -> Result<(), PricingError> {
        match self.settings.scale {
            ScaleSource::ByUnit(unit) if !self.voters.contains(&unit) => {
                let name = &self.evidence.weapons[unit].name;
                let why = match self.current_price(unit) {
                    None => "it has no price",
                    Some(_) => "it has no even price here",
                };
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
    fn price_worth_pairs(
        &self,
        pool: &PooledWorths,
        without: Option<usize>,
    ) -> (Vec<usize>, Vec<(f64, f64)>) {
        let others = self.voters.iter().filter(|&&w| Some(w) != without);
        let pair = |&w: &usize| Some((w, (self.current_price(w)?.ln(), pool.log_worth(w)?)));
        others.filter_map(pair).unzip()
    }

    /// The cost of a point of worth, from all weapons but one; `None` in points of the opponents'
    /// troops.
    fn scale_factor(&self, pool: &PooledWorths, without: Option<usize>) -> Option<ScaleFactor> {
        match self.settings.scale {
            ScaleSource::ByPrices => {
                ScaleFactor::from_pairs(&self.price_worth_pairs(pool, without).1)
            }
            ScaleSource::By(factor) => Some(ScaleFactor::from_value(factor)),
            ScaleSource::ByUnit(unit) => {
                let known = self.ground.worth_uncertainty(pool, unit, true)?;
                Some(ScaleFactor::from_unit(self.current_price(unit)?, &known))
            }
        }
    }

    /// Whether a weapon has peers: in points of the troops it meets there are none.
    fn has_others(&self, w: usize) -> bool {
        match self.settings.scale {
            ScaleSource::ByPrices => {
                self.voters.iter().filter(|&&other| other != w).count() >= MIN_PRICES
            }
            ScaleSource::ByUnit(_) => true,
            ScaleSource::By(_) => false,
        }
    }

    fn pool_weapon(&self, w: usize) -> PooledWeapon {
        match self.voters.binary_search(&w) {
            Ok(_) => self.pool_weapon_in(w, &self.alone, &self.beside),
            Err(place) => {
                let mut pool = self.voters.clone();
                pool.insert(place, w);
                let others = self.has_others(w);
                let alone = self.ground.compare_weapons(&pool, false);
                self.pool_weapon_in(w, &alone, &self.ground.compare_weapons(&pool, others))
            }
        }
    }

    fn pool_weapon_in(
        &self,
        w: usize,
        alone: &PooledWorths,
        beside: &PooledWorths,
    ) -> PooledWeapon {
        let others = self.has_others(w);
        let known = |pool, beside| {
            self.ground.worth_uncertainty(pool, w, beside).expect("it is in its pool")
        };
        let own = known(alone, false);
        let mut known = if others { known(beside, true) } else { own.clone() };
        // Without its own point: a price must not move the answer about itself.
        let factor = self.scale_factor(beside, Some(w));
        if let ScaleSource::ByUnit(unit) = self.settings.scale
            && let Some(right) = self.ground.worth_uncertainty(beside, unit, true)
        {
            let both = known.effects.iter().zip(&right.effects);
            known.effects = both.map(|(own, unit)| (own.0 - unit.0, own.1 - unit.1)).collect();
            known.variance = if unit == w { 0.0 } else { known.variance };
        }
        let decided = self.settings.scale == ScaleSource::ByUnit(w);
        let factor =
            factor.map(|factor| if decided { factor.without_uncertainty() } else { factor });
        let scaled = factor.is_some();
        PooledWeapon {
            alone: own,
            doubt: PriceUncertainty::new(factor, known, self.nest.concentration()),
            scaled,
        }
    }

    /// The scale to report, from all weapons.
    fn price_scale(&self) -> Option<PriceScale> {
        let (places, pairs) = self.price_worth_pairs(&self.beside, None);
        let factor = self.scale_factor(&self.beside, None)?;
        Some(PriceScale::from_factor(&factor, self.settings.scale, (&places, &pairs)))
    }

    /// Finds the cheapest unit with a price that is not found wrong.
    fn find_reference_unit(&self, weapons: &[WeaponPrice]) -> Option<usize> {
        let right =
            |w: &usize| weapons[*w].price_verdict().is_some_and(|verdict| !verdict.is_wrong());
        let all = self.voters.iter().copied().filter(right);
        all.min_by(|a, b| {
            self.current_price(*a).unwrap_or(0.0).total_cmp(&self.current_price(*b).unwrap_or(0.0))
        })
    }

    /// Sets the worths of all weapons relative to one: no price enters.
    fn set_relative_worths(&self, one: usize, seen: &[PooledWeapon], weapons: &mut [WeaponPrice]) {
        let Some(log) = self.beside.log_worth(one) else { return };
        for (w, weapon) in weapons.iter_mut().enumerate() {
            if let Ok(even) = &mut weapon.even {
                let half = if w == one { 0.0 } else { seen[w].doubt.worth_half_width() };
                even.in_reference_units =
                    Some(RangedValue::from_log(even.relative_worth.ln() - log, half));
            }
        }
    }

    fn price_weapon(&self, w: usize, seen: &PooledWeapon) -> WeaponPrice {
        let row = &self.worths.default_table()[w];
        let own =
            |battle: &&WeaponBattle| battle.weapon == w && battle.model == AssumptionCase::Default;
        let battles: Vec<&WeaponBattle> = self.evidence.battles.iter().filter(own).collect();
        let (best, worst) = self.extreme_scenarios(w);
        let worth = PriceUncertainty::new(None, seen.alone.clone(), self.nest.concentration());
        WeaponPrice {
            name: self.evidence.weapons[w].name.clone(),
            price: self.current_price(w),
            worth: RangedValue::from_log(worth.log_price(), worth.half_width(0.05)),
            idle_worth: self.idle_worth(w),
            even: match &self.unpriced[w] {
                Some(why) => Err(why.clone()),
                None => Ok(self.even_price(w, seen)),
            },
            denied: self.mean_denied_points(&battles),
            eighth: self.eighth(w),
            best,
            worst,
            bounded_share: share_where(row, self.mix, |worth| worth.bound.is_some()),
            trials: row.iter().filter_map(|w| w.trials).reduce(|a, b| a + b),
        }
    }

    fn even_price(&self, w: usize, seen: &PooledWeapon) -> EvenPrice {
        let doubt = &seen.doubt;
        let log = doubt.log_price();
        let price = RangedValue::from_log(log, doubt.half_width(0.05));
        let within = RangedValue::from_log(log, doubt.half_width(0.10));
        let decided = self.settings.scale == ScaleSource::ByUnit(w);
        let ends = doubt.assumption_effects().iter();
        EvenPrice {
            price,
            at90: (within.low, within.high),
            rounded: self.steps.round_range(price),
            relative_worth: doubt.log_worth().exp(),
            is_in_list_points: seen.scaled,
            finding: self
                .current_price(w)
                .filter(|_| !decided)
                .map(|price| self.judge_price(price, doubt)),
            best_addition: best_addition::find_best_addition(doubt, &self.evidence.assumptions),
            cause: doubt.main_cause(),
            assumption_prices: ends
                .map(|(low, high)| ((log + low).exp(), (log + high).exp()))
                .collect(),
            in_reference_units: None,
            opponent_prices: None,
        }
    }

    fn judge_price(&self, price: f64, doubt: &PriceUncertainty) -> PriceFinding {
        let residual = price.ln() - doubt.log_price();
        let opponents = self.nest.opponents.len();
        PriceFinding {
            verdict: PriceVerdict::from_residual(
                residual,
                doubt,
                self.settings.tolerance,
                opponents,
            ),
            residual,
        }
    }

    /// The scenarios with weight in which the worth of a weapon is largest and smallest.
    fn extreme_scenarios(&self, weapon: usize) -> (usize, usize) {
        let row = &self.ground.logs[weapon];
        let met: Vec<usize> = (0..row.len()).filter(|&s| self.mix[s] > 0.0).collect();
        let by_worth = |a: &usize, b: &usize| row[*a].total_cmp(&row[*b]).then(b.cmp(a));
        let best = met.iter().copied().max_by(by_worth).unwrap_or(0);
        (best, met.iter().copied().min_by(by_worth).unwrap_or(0))
    }

    /// The worth of its like that never fires, over the mix.
    fn idle_worth(&self, w: usize) -> Option<f64> {
        let floors = self.worths.floors[w].iter().zip(self.mix);
        let known = || floors.clone().filter_map(|(floor, weight)| Some(((*floor)?, weight)));
        let all: f64 = known().map(|(_, weight)| weight).sum();
        (all > 0.0).then(|| (known().map(|(log, weight)| log * weight).sum::<f64>() / all).exp())
    }

    /// The mean of a number of the battles, over the mix of the scenarios that were fought.
    fn mean_over_mix(
        &self,
        battles: &[&WeaponBattle],
        number: impl Fn(&WeaponBattle) -> f64,
    ) -> f64 {
        let weight = |battle: &&WeaponBattle| self.mix[battle.scenario];
        let all: f64 = battles.iter().map(weight).sum();
        let sum: f64 = battles.iter().map(|battle| weight(battle) * number(battle)).sum();
        if all > 0.0 { sum / all } else { 0.0 }
    }

    fn mean_denied_points(&self, battles: &[&WeaponBattle]) -> DeniedPoints {
        DeniedPoints {
            kill: self.mean_over_mix(battles, |battle| battle.denied.kill),
            breaks: self.mean_over_mix(battles, |battle| battle.denied.breaks),
            pin: self.mean_over_mix(battles, |battle| battle.denied.pin),
        }
    }

    /// The worth of the eighth copy as a share of that of the first, where the worth of n copies grows as a power of n
    /// that makes eight of them as much as they were.
    fn eighth(&self, w: usize) -> Option<f64> {
        let met = self.worths.eight[w].iter().zip(self.mix).filter(|(_, weight)| **weight > 0.0);
        let grown: Option<f64> = met.map(|(grown, weight)| Some(weight * (*grown)?)).sum();
        let power = grown? / 8f64.ln();
        Some(8f64.powf(power) - 7f64.powf(power))
    }
}

/// Largest share of a mix in which the worth may be unknown.
const MAX_UNKNOWN_SHARE: f64 = 0.5;

/// The share of a mix whose worths match `such`.
fn share_where(row: &[CellWorth], mix: &[f64], such: impl Fn(&CellWorth) -> bool) -> f64 {
    let pairs = row.iter().zip(mix).filter(|(worth, _)| such(worth));
    // The sum of an empty list is −0.
    pairs.map(|(_, weight)| weight).sum::<f64>() + 0.0
}

/// Finds the reason why a weapon cannot be priced; no price enters.
fn find_unpriced_reason(
    evidence: &BattleEvidence,
    worths: &WorthsByCase,
    ground: &WorthPool,
    w: usize,
) -> Option<UnpricedReason> {
    let (mix, even) = (ground.mix, ground.log_worth_alone(w));
    let own = |b: &&WeaponBattle| {
        b.weapon == w && b.model == AssumptionCase::Default && mix[b.scenario] > 0.0
    };
    let mut battles = evidence.battles.iter().filter(own);
    let row = &worths.default_table()[w];
    // A weapon worth nothing against one opponent has a worth over all: only the mean must lie
    // where battles were fought.
    let out = |worth: &CellWorth| match worth.bound? {
        WorthBound::AtLeast => (even > worth.log).then_some(WorthBound::AtLeast),
        WorthBound::AtMost => (even <= worth.log).then_some(WorthBound::AtMost),
    };
    let bound = |bound| share_where(row, mix, |worth| out(worth) == Some(bound));
    if let Some(unseen) = &evidence.weapons[w].unseen {
        Some(UnpricedReason::NotModelled(unseen.clone()))
    } else if !battles.any(|battle| battle.fires) {
        Some(UnpricedReason::Harmless(evidence.weapons[w].shortfalls.clone()))
    } else if bound(WorthBound::AtLeast) > MAX_UNKNOWN_SHARE {
        Some(UnpricedReason::OutsideCurves(WorthBound::AtLeast))
    } else if bound(WorthBound::AtMost) > MAX_UNKNOWN_SHARE {
        Some(UnpricedReason::OutsideCurves(WorthBound::AtMost))
    } else {
        (share_where(row, mix, |worth| worth.flat) > MAX_UNKNOWN_SHARE)
            .then_some(UnpricedReason::Flat)
    }
}
