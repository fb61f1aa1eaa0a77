//! All steps in order: worths, mixes, spread, draws, verdicts.

use super::mixes::{self, Mixes};
use super::model::{Ends, effects};
use super::resample::{self, Ground, ROUNDS};
use super::sensitivity::swings;
use super::spread::{Levels, Nest, Spread, spread};
use super::verdict::{Verdict, suggested};
use super::worth::{self, Worth, Worths, worths};
use super::{Anchor, ByMix, Priced, Pricing, Settings, Shares, anchor};
use crate::error::Error;
use crate::stats::intervals::Interval;
use crate::stats::line::Line;
use crate::stats::ranks::Places;
use crate::stats::{discovery, ranks};
use crate::study::balance::evidence::{Battle, Denied, Evidence, Model};

/// The prices of an arsenal.
///
/// # Errors
/// When there are no weapons or scenarios, a price is not above 0, all weights are 0, a weapon has no
/// battle, or the arsenal is the anchor and has too few weapons.
pub fn price(evidence: &Evidence, settings: &Settings) -> Result<Pricing, Error> {
    check(evidence, settings)?;
    let worths = worths(evidence)?;
    let plan = Plan::new(evidence, &worths, settings.anchor);
    let draws = resample::drawn(&plan.ground(&worths), settings.seed);
    let weapons = plan.weapons(evidence, &worths, &draws);
    let swings = swings(
        &evidence.assumptions,
        &plan.effects,
        &plan.logs,
        &plan.nest,
        &plan.mixes,
    );
    Ok(Pricing {
        anchor: settings.anchor,
        scale: worths.scale,
        weapons,
        scenarios: evidence.scenarios.clone(),
        swings,
        opponents: plan.nest.opponents.len(),
        effective_opponents: 1.0 / plan.nest.concentration(),
        logs: plan.logs,
        curve: plan.curve,
        mixes: plan.mixes,
        exchange: evidence.exchange,
        worths: worths.by_model,
        notes: worths.notes,
    })
}

fn check(evidence: &Evidence, settings: &Settings) -> Result<(), Error> {
    let wrong = |what: String| Err(Error::Usage(what));
    if evidence.weapons.is_empty() || evidence.scenarios.is_empty() {
        return wrong("an arsenal needs at least one weapon and one scenario".to_owned());
    }
    let bad = |price: f64| !(price.is_finite() && price > 0.0);
    if let Some(weapon) = evidence.weapons.iter().find(|weapon| bad(weapon.price)) {
        let (name, price) = (&weapon.name, weapon.price);
        return wrong(format!(
            "the price of {name:?} must be above 0; it is {price}"
        ));
    }
    let weights = || evidence.scenarios.iter().map(|scenario| scenario.weight);
    let sum: f64 = weights().sum();
    if weights().any(|weight| !(weight.is_finite() && weight >= 0.0)) || sum <= 0.0 {
        return wrong(
            "the weights of the scenarios must be 0 or more, and not all of them 0".to_owned(),
        );
    }
    let (least, weapons) = (anchor::LEAST, evidence.weapons.len());
    if settings.anchor == Anchor::Arsenal && weapons < least {
        return wrong(format!(
            "an arsenal of {weapons} has no price level of its own, it takes {least} weapons: \
             measure prices by the reference troops"
        ));
    }
    Ok(())
}

/// What is known before anything is drawn.
struct Plan {
    anchor: Anchor,
    prices: Vec<f64>,
    /// Log worths as they are mixed, `[weapon][scenario]`.
    logs: Vec<Vec<f64>>,
    mixes: Mixes,
    nest: Nest,
    spread: Spread,
    effects: Vec<Vec<Ends>>,
    curve: Line,
}

impl Plan {
    fn new(evidence: &Evidence, worths: &Worths, anchor: Anchor) -> Plan {
        let prices: Vec<f64> = evidence.weapons.iter().map(|weapon| weapon.price).collect();
        let fought = worth::logs(worths.default());
        let logs = match anchor {
            Anchor::Reference => fought,
            Anchor::Arsenal => anchor::centred(&fought, &prices),
        };
        let mixes = mixes::mixes(&evidence.scenarios, &logs, &prices);
        let opponents = evidence.scenarios.iter().map(|s| s.opponent.as_str());
        let nest = Nest::new(opponents, &mixes.designer);
        let values = logs.iter().map(|row| mixes::mean(row, &mixes.designer));
        let values: Vec<f64> = values.collect();
        let assumptions = evidence.assumptions.len();
        Plan {
            spread: spread(&nest, &logs, worths.default(), &mixes.designer),
            effects: effects(worths, assumptions, &mixes.designer, anchor),
            curve: anchor::curve(anchor, &values, &prices, &vec![1.0; prices.len()]),
            anchor,
            prices,
            logs,
            mixes,
            nest,
        }
    }

    fn ground<'a>(&'a self, worths: &'a Worths) -> Ground<'a> {
        Ground {
            nest: &self.nest,
            mix: &self.mixes.designer,
            logs: &self.logs,
            worths: worths.default(),
            spread: &self.spread,
            effects: &self.effects,
            prices: &self.prices,
            anchor: self.anchor,
        }
    }

    fn weapons(&self, evidence: &Evidence, worths: &Worths, draws: &[Vec<f64>]) -> Vec<Priced> {
        let estimates: Vec<_> = (0..self.prices.len())
            .map(|w| self.estimate(w, &draws[w]))
            .collect();
        let p_values: Vec<f64> = estimates.iter().map(|estimate| estimate.p).collect();
        let q_values = discovery::q_values(&p_values);
        let places = self.places(&estimates, draws);
        let mut weapons = Vec::with_capacity(estimates.len());
        for (w, estimate) in estimates.iter().enumerate() {
            let found = Found {
                estimate,
                q: q_values[w],
                rank: places[w],
            };
            weapons.push(self.priced(w, &found, evidence, worths));
        }
        weapons
    }

    /// Rank intervals of the residuals.
    fn places(&self, estimates: &[Estimate], draws: &[Vec<f64>]) -> Vec<Places> {
        let residual = |w: usize, log: f64| self.prices[w].ln() - log;
        let values = estimates.iter().enumerate();
        let values: Vec<f64> = values.map(|(w, e)| residual(w, e.log)).collect();
        let row = |(w, row): (usize, &Vec<f64>)| row.iter().map(|log| residual(w, *log)).collect();
        let draws: Vec<Vec<f64>> = draws.iter().enumerate().map(row).collect();
        ranks::intervals(&values, &draws)
    }

    /// Log of the fair price under a mix.
    fn fair(&self, weapon: usize, mix: &[f64]) -> f64 {
        self.curve.at(mixes::mean(&self.logs[weapon], mix))
    }

    fn estimate(&self, weapon: usize, draws: &[f64]) -> Estimate {
        let log = self.fair(weapon, &self.mixes.designer);
        let mut sorted = draws.to_vec();
        sorted.sort_by(f64::total_cmp);
        let price = self.prices[weapon].ln();
        let below = sorted.partition_point(|draw| *draw < price);
        let not_above = sorted.partition_point(|draw| *draw <= price);
        // Draws on either side, the price itself counted with them.
        let rarer = (not_above.min(sorted.len() - below) + 1) as f64;
        let quantile = |share: f64| {
            let place = (share * (ROUNDS - 1) as f64).round() as usize;
            sorted.get(place).copied().unwrap_or(log)
        };
        Estimate {
            log,
            low: quantile(0.025).min(log),
            high: quantile(0.975).max(log),
            p: (2.0 * rarer / (sorted.len() + 1) as f64).min(1.0),
        }
    }

    fn priced(&self, w: usize, found: &Found, evidence: &Evidence, worths: &Worths) -> Priced {
        let Estimate { log, low, high, p } = *found.estimate;
        let (price, fair) = (self.prices[w], log.exp());
        let (low, high) = (low.exp(), high.exp());
        let verdict = Verdict::of(price, Interval { low, high });
        let own = |battle: &&Battle| battle.weapon == w && battle.model == Model::Default;
        let battles: Vec<&Battle> = evidence.battles.iter().filter(own).collect();
        let (best, worst) = self.ends(w);
        Priced {
            name: evidence.weapons[w].name.clone(),
            price,
            fair,
            low,
            high,
            suggested: suggested(price, fair, verdict),
            verdict,
            p,
            q: found.q,
            residual: price.ln() - log,
            by_mix: self.by_mix(w),
            denied: self.denied(&battles),
            durability: self.mean(&battles, |battle| battle.durability),
            copies: self.copies(fair, &worths.copies[w]),
            rank: found.rank,
            shares: shares(self.spread.levels[w], &self.effects[w]),
            best,
            worst,
            bounded: self.bounded(&worths.default()[w]),
            trials: worths.default()[w]
                .iter()
                .filter_map(|worth| worth.trials)
                .reduce(|a, b| a + b),
        }
    }

    fn by_mix(&self, w: usize) -> ByMix {
        let fair = |mix: &Vec<f64>| self.fair(w, mix).exp();
        ByMix {
            uniform: fair(&self.mixes.uniform),
            designer: fair(&self.mixes.designer),
            points: self.mixes.points.as_ref().map(fair),
            adversarial: fair(&self.mixes.adversarial),
            nash: self.mixes.nash.as_ref().map(fair),
        }
    }

    /// The scenarios with weight in which a weapon is worth most and least.
    fn ends(&self, weapon: usize) -> (usize, usize) {
        let row = &self.logs[weapon];
        let met: Vec<usize> = (0..row.len())
            .filter(|&s| self.mixes.designer[s] > 0.0)
            .collect();
        let by_worth = |a: &usize, b: &usize| row[*a].total_cmp(&row[*b]).then(b.cmp(a));
        let best = met.iter().copied().max_by(by_worth).unwrap_or(0);
        (best, met.iter().copied().min_by(by_worth).unwrap_or(0))
    }

    /// The mean of a number of the battles, under the designer's mix of the scenarios fought.
    fn mean(&self, battles: &[&Battle], number: impl Fn(&Battle) -> f64) -> f64 {
        let weight = |battle: &&Battle| self.mixes.designer[battle.scenario];
        let all: f64 = battles.iter().map(weight).sum();
        let sum: f64 = battles
            .iter()
            .map(|battle| weight(battle) * number(battle))
            .sum();
        if all > 0.0 { sum / all } else { 0.0 }
    }

    fn denied(&self, battles: &[&Battle]) -> Denied {
        Denied {
            kill: self.mean(battles, |battle| battle.denied.kill),
            broken: self.mean(battles, |battle| battle.denied.broken),
            pin: self.mean(battles, |battle| battle.denied.pin),
        }
    }

    /// What each copy adds: the fair price times how the worth of copies together grows in the
    /// scenarios in which they were fought.
    fn copies(&self, fair: f64, together: &[Vec<f64>]) -> [Option<f64>; 3] {
        let grown = |copies: usize| -> Option<f64> {
            let fought = together.iter().zip(&self.mixes.designer);
            let fought = fought.filter(|(logs, weight)| logs.len() >= copies && **weight > 0.0);
            let (mut sum, mut all) = (0.0, 0.0);
            for (logs, weight) in fought {
                sum += weight * (logs[copies - 1] - logs[0]);
                all += weight;
            }
            (all > 0.0).then(|| fair * (sum / all).exp())
        };
        let (two, three) = (grown(2), grown(3));
        let third = two.zip(three).map(|(two, three)| three - two);
        [Some(fair), two.map(|two| two - fair), third]
    }

    /// The share of the mix in which only a bound is known.
    fn bounded(&self, row: &[Worth]) -> f64 {
        let pairs = row.iter().zip(&self.mixes.designer);
        let bounded = pairs.filter(|(worth, _)| worth.bound.is_some());
        // A sum of nothing is −0.
        bounded.map(|(_, weight)| weight).sum::<f64>() + 0.0
    }
}

/// Log of a fair price with its interval and the p value of the current price.
#[derive(Clone, Copy)]
struct Estimate {
    log: f64,
    low: f64,
    high: f64,
    p: f64,
}

/// What all weapons together say about one.
struct Found<'a> {
    estimate: &'a Estimate,
    q: f64,
    rank: Places,
}

fn shares(levels: Levels, effects: &[Ends]) -> Shares {
    let model: f64 = effects.iter().map(|ends| resample::variance(*ends)).sum();
    let total = levels.sampling + levels.scenarios + levels.opponents + model;
    if total.is_nan() || total <= 0.0 {
        return Shares::default();
    }
    Shares {
        sampling: levels.sampling / total,
        scenarios: levels.scenarios / total,
        model: model / total,
        opponents: levels.opponents / total,
    }
}
