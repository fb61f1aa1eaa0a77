//! All steps in order: worths, pools, scale, uncertainties, verdicts.

use super::doubt::Doubt;
use super::lever;
use super::pool::{Ground, Known, Pool};
use super::pricing::{Even, Judged, Priced, Pricing, Settings, Unpriced};
use super::ranged::Ranged;
use super::scale::{Factor, LEAST, Scale, Settled};
use super::spread::Nest;
use super::steps::Steps;
use super::verdict::Verdict;
use super::worth::{Bound, Worth, Worths, worths};
use crate::evidence::{Battle, Denied, Evidence, Model};
use enfilade_model::error::Error;

/// Computes the prices of an arsenal.
///
/// # Errors
/// If there are no weapons or scenarios, a price is not above 0, all weights are 0, a weapon has no
/// battle, or the unit whose price is right by decision has none here.
pub fn price(evidence: &Evidence, settings: &Settings) -> Result<Pricing, Error> {
    check(evidence)?;
    let worths = worths(evidence)?;
    let mix = shares(evidence);
    let opponents = evidence.scenarios.iter().map(|s| s.opponent.as_str());
    let nest = Nest::new(opponents, &mix);
    let ground = Ground::new(evidence, &worths, &nest, &mix);
    let plan = Plan::new(evidence, &worths, settings, (&ground, &nest, &mix));
    plan.settled()?;
    let seen: Vec<Seen> = (0..evidence.weapons.len()).map(|w| plan.seen(w)).collect();
    let mut weapons: Vec<Priced> =
        seen.iter().enumerate().map(|(w, seen)| plan.weapon(w, seen)).collect();
    let scale = plan.scale();
    let doubted = scale.as_ref().is_some_and(Scale::in_doubt);
    let beside = plan.beside(&weapons).filter(|_| doubted);
    if let Some(beside) = beside {
        plan.set_beside(beside, &seen, &mut weapons);
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
        beside,
        exchange: evidence.exchange,
        mix: mix.clone(),
        worths: worths.by_model.clone(),
        units: None,
    };
    pricing.hold_if_met(evidence);
    Ok(pricing)
}

fn check(evidence: &Evidence) -> Result<(), Error> {
    let wrong = |what: String| Err(Error::Usage(what));
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
fn shares(evidence: &Evidence) -> Vec<f64> {
    let weights = evidence.scenarios.iter().map(|scenario| scenario.weight);
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

/// Data that is computed before any weapon is judged.
struct Plan<'a> {
    evidence: &'a Evidence,
    worths: &'a Worths,
    settings: &'a Settings,
    ground: &'a Ground<'a>,
    nest: &'a Nest,
    mix: &'a [f64],
    /// By weapon: the reason why it has no price here.
    unpriced: Vec<Option<Unpriced>>,
    /// The weapons whose prices set the scale, in order.
    voters: Vec<usize>,
    /// These, each alone and relative to the others.
    alone: Pool,
    beside: Pool,
    steps: Steps,
}

/// A weapon relative to those that set the scale.
struct Seen {
    /// The worth to report.
    alone: Known,
    /// Its price.
    doubt: Doubt,
    scaled: bool,
}

impl<'a> Plan<'a> {
    fn new(
        evidence: &'a Evidence,
        worths: &'a Worths,
        settings: &'a Settings,
        (ground, nest, mix): (&'a Ground<'a>, &'a Nest, &'a [f64]),
    ) -> Plan<'a> {
        let unpriced = |w| unpriced(evidence, worths, ground, w);
        let unpriced: Vec<_> = (0..evidence.weapons.len()).map(unpriced).collect();
        // If most of a worth is only a bound, it is unknown how its price relates to it.
        let known = |w: usize| share(&worths.default()[w], mix, |worth| worth.bound.is_some());
        let votes = |w: &usize| {
            let has_price = unpriced[*w].is_none() && evidence.weapons[*w].price.is_some();
            has_price && known(*w) <= MOST
        };
        let voters: Vec<usize> = (0..unpriced.len()).filter(votes).collect();
        let prices = evidence.weapons.iter().filter_map(|weapon| weapon.price);
        let found = Steps::of(&prices.collect::<Vec<_>>());
        Plan {
            alone: ground.pool(&voters, false),
            beside: ground.pool(&voters, true),
            steps: settings.step.map_or(found, Steps::Even),
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
    fn settled(&self) -> Result<(), Error> {
        match self.settings.scale {
            Settled::ByUnit(unit) if !self.voters.contains(&unit) => {
                let name = &self.evidence.weapons[unit].name;
                let why = match self.price(unit) {
                    None => "it has no price",
                    Some(_) => "it has no even price here",
                };
                Err(Error::Usage(format!(
                    "[scale] unit = {name:?}: {why}; name a unit that has one, or give `k`"
                )))
            }
            _ => Ok(()),
        }
    }

    fn price(&self, weapon: usize) -> Option<f64> {
        self.evidence.weapons[weapon].price
    }

    /// Log prices and log worths of the weapons that set the scale, except one, and their
    /// positions.
    fn pairs(&self, pool: &Pool, without: Option<usize>) -> (Vec<usize>, Vec<(f64, f64)>) {
        let others = self.voters.iter().filter(|&&w| Some(w) != without);
        let pair = |&w: &usize| Some((w, (self.price(w)?.ln(), pool.log(w)?)));
        others.filter_map(pair).unzip()
    }

    /// The cost of a point of worth, from all weapons but one; `None` in points of the opponents'
    /// troops.
    fn factor(&self, pool: &Pool, without: Option<usize>) -> Option<Factor> {
        match self.settings.scale {
            Settled::ByPrices => Factor::of(&self.pairs(pool, without).1),
            Settled::By(factor) => Some(Factor::said(factor)),
            Settled::ByUnit(unit) => {
                let known = self.ground.known(pool, unit, true)?;
                Some(Factor::by_unit(self.price(unit)?, &known))
            }
        }
    }

    /// Whether a weapon has peers: in points of the troops it meets there are none.
    fn has_others(&self, w: usize) -> bool {
        match self.settings.scale {
            Settled::ByPrices => self.voters.iter().filter(|&&other| other != w).count() >= LEAST,
            Settled::ByUnit(_) => true,
            Settled::By(_) => false,
        }
    }

    fn seen(&self, w: usize) -> Seen {
        match self.voters.binary_search(&w) {
            Ok(_) => self.seen_in(w, &self.alone, &self.beside),
            Err(place) => {
                let mut pool = self.voters.clone();
                pool.insert(place, w);
                let others = self.has_others(w);
                let alone = self.ground.pool(&pool, false);
                self.seen_in(w, &alone, &self.ground.pool(&pool, others))
            }
        }
    }

    fn seen_in(&self, w: usize, alone: &Pool, beside: &Pool) -> Seen {
        let others = self.has_others(w);
        let known = |pool, beside| self.ground.known(pool, w, beside).expect("it is in its pool");
        let own = known(alone, false);
        let mut known = if others { known(beside, true) } else { own.clone() };
        // Without its own point: a price must not move the answer about itself.
        let factor = self.factor(beside, Some(w));
        if let Settled::ByUnit(unit) = self.settings.scale
            && let Some(right) = self.ground.known(beside, unit, true)
        {
            let both = known.effects.iter().zip(&right.effects);
            known.effects = both.map(|(own, unit)| (own.0 - unit.0, own.1 - unit.1)).collect();
            known.variance = if unit == w { 0.0 } else { known.variance };
        }
        let decided = self.settings.scale == Settled::ByUnit(w);
        let factor = factor.map(|factor| if decided { factor.sure() } else { factor });
        let scaled = factor.is_some();
        Seen { alone: own, doubt: Doubt::new(factor, known, self.nest.concentration()), scaled }
    }

    /// The scale to report, from all weapons.
    fn scale(&self) -> Option<Scale> {
        let (places, pairs) = self.pairs(&self.beside, None);
        let factor = self.factor(&self.beside, None)?;
        Some(Scale::of(&factor, self.settings.scale, (&places, &pairs)))
    }

    /// Finds the cheapest unit with a price that is not found wrong.
    fn beside(&self, weapons: &[Priced]) -> Option<usize> {
        let right = |w: &usize| weapons[*w].verdict().is_some_and(|verdict| !verdict.wrong());
        let all = self.voters.iter().copied().filter(right);
        all.min_by(|a, b| self.price(*a).unwrap_or(0.0).total_cmp(&self.price(*b).unwrap_or(0.0)))
    }

    /// Sets the worths of all weapons relative to one: no price enters.
    fn set_beside(&self, one: usize, seen: &[Seen], weapons: &mut [Priced]) {
        let Some(log) = self.beside.log(one) else { return };
        for (w, weapon) in weapons.iter_mut().enumerate() {
            if let Ok(even) = &mut weapon.even {
                let half = if w == one { 0.0 } else { seen[w].doubt.of_worth() };
                even.beside = Some(Ranged::about(even.counts.ln() - log, half));
            }
        }
    }

    fn weapon(&self, w: usize, seen: &Seen) -> Priced {
        let row = &self.worths.default()[w];
        let own = |battle: &&Battle| battle.weapon == w && battle.model == Model::Default;
        let battles: Vec<&Battle> = self.evidence.battles.iter().filter(own).collect();
        let (best, worst) = self.ends(w);
        let worth = Doubt::new(None, seen.alone.clone(), self.nest.concentration());
        Priced {
            name: self.evidence.weapons[w].name.clone(),
            price: self.price(w),
            worth: Ranged::about(worth.log(), worth.half(0.05)),
            floor: self.floor(w),
            even: match &self.unpriced[w] {
                Some(why) => Err(why.clone()),
                None => Ok(self.even(w, seen)),
            },
            denied: self.denied(&battles),
            eighth: self.eighth(w),
            best,
            worst,
            bounded: share(row, self.mix, |worth| worth.bound.is_some()),
            trials: row.iter().filter_map(|w| w.trials).reduce(|a, b| a + b),
        }
    }

    fn even(&self, w: usize, seen: &Seen) -> Even {
        let doubt = &seen.doubt;
        let log = doubt.log();
        let price = Ranged::about(log, doubt.half(0.05));
        let within = Ranged::about(log, doubt.half(0.10));
        let decided = self.settings.scale == Settled::ByUnit(w);
        let on = |price: f64| self.steps.nearest(price);
        let ends = doubt.effects().iter();
        Even {
            price,
            at90: (within.low, within.high),
            shown: Ranged { best: on(price.best), low: on(price.low), high: on(price.high) },
            counts: doubt.worth().exp(),
            scaled: seen.scaled,
            judged: self.price(w).filter(|_| !decided).map(|price| self.judged(price, doubt)),
            lever: lever::best(doubt, &self.evidence.assumptions),
            cause: doubt.cause(),
            ends: ends.map(|(low, high)| ((log + low).exp(), (log + high).exp())).collect(),
            beside: None,
            apart: None,
        }
    }

    fn judged(&self, price: f64, doubt: &Doubt) -> Judged {
        let residual = price.ln() - doubt.log();
        let opponents = self.nest.opponents.len();
        Judged {
            verdict: Verdict::of(residual, doubt, self.settings.tolerance, opponents),
            residual,
        }
    }

    /// The scenarios with weight in which the worth of a weapon is largest and smallest.
    fn ends(&self, weapon: usize) -> (usize, usize) {
        let row = &self.ground.logs[weapon];
        let met: Vec<usize> = (0..row.len()).filter(|&s| self.mix[s] > 0.0).collect();
        let by_worth = |a: &usize, b: &usize| row[*a].total_cmp(&row[*b]).then(b.cmp(a));
        let best = met.iter().copied().max_by(by_worth).unwrap_or(0);
        (best, met.iter().copied().min_by(by_worth).unwrap_or(0))
    }

    /// The worth of its like that never fires, over the mix.
    fn floor(&self, w: usize) -> Option<f64> {
        let floors = self.worths.floors[w].iter().zip(self.mix);
        let known = || floors.clone().filter_map(|(floor, weight)| Some(((*floor)?, weight)));
        let all: f64 = known().map(|(_, weight)| weight).sum();
        (all > 0.0).then(|| (known().map(|(log, weight)| log * weight).sum::<f64>() / all).exp())
    }

    /// The mean of a number of the battles, over the mix of the scenarios that were fought.
    fn mean(&self, battles: &[&Battle], number: impl Fn(&Battle) -> f64) -> f64 {
        let weight = |battle: &&Battle| self.mix[battle.scenario];
        let all: f64 = battles.iter().map(weight).sum();
        let sum: f64 = battles.iter().map(|battle| weight(battle) * number(battle)).sum();
        if all > 0.0 { sum / all } else { 0.0 }
    }

    fn denied(&self, battles: &[&Battle]) -> Denied {
        Denied {
            kill: self.mean(battles, |battle| battle.denied.kill),
            broken: self.mean(battles, |battle| battle.denied.broken),
            pin: self.mean(battles, |battle| battle.denied.pin),
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
const MOST: f64 = 0.5;

/// The share of a mix whose worths match `such`.
fn share(row: &[Worth], mix: &[f64], such: impl Fn(&Worth) -> bool) -> f64 {
    let pairs = row.iter().zip(mix).filter(|(worth, _)| such(worth));
    // The sum of an empty list is −0.
    pairs.map(|(_, weight)| weight).sum::<f64>() + 0.0
}

/// Finds the reason why a weapon cannot be priced; no price enters.
fn unpriced(evidence: &Evidence, worths: &Worths, ground: &Ground, w: usize) -> Option<Unpriced> {
    let (mix, even) = (ground.mix, ground.even(w));
    let own = |b: &&Battle| b.weapon == w && b.model == Model::Default && mix[b.scenario] > 0.0;
    let mut battles = evidence.battles.iter().filter(own);
    let row = &worths.default()[w];
    // A weapon worth nothing against one opponent has a worth over all: only the mean must lie
    // where battles were fought.
    let out = |worth: &Worth| match worth.bound? {
        Bound::AtLeast => (even > worth.log).then_some(Bound::AtLeast),
        Bound::AtMost => (even <= worth.log).then_some(Bound::AtMost),
    };
    let bound = |bound| share(row, mix, |worth| out(worth) == Some(bound));
    if let Some(unseen) = &evidence.weapons[w].unseen {
        Some(Unpriced::Unseen(unseen.clone()))
    } else if !battles.any(|battle| battle.fires) {
        Some(Unpriced::Harmless(evidence.weapons[w].shortfalls.clone()))
    } else if bound(Bound::AtLeast) > MOST {
        Some(Unpriced::Beyond(Bound::AtLeast))
    } else if bound(Bound::AtMost) > MOST {
        Some(Unpriced::Beyond(Bound::AtMost))
    } else {
        (share(row, mix, |worth| worth.flat) > MOST).then_some(Unpriced::Flat)
    }
}
