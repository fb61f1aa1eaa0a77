//! All steps in order: worths, mixes, pools, lines, doubts, verdicts.

use super::diagnostics::{self, Looked};
use super::doubt::Doubt;
use super::ladder::Ladder;
use super::lever;
use super::mixes::{self, Mixes, mean};
use super::pool::{Ground, Known, Seen};
use super::pricing::{
    Anchor, ByMix, Fair, Judged, LEAST, Priced, Pricing, Ranged, Settings, Unpriced,
};
use super::sensitivity::swings;
use super::spread::Nest;
use super::verdict::Verdict;
use super::worth::{Bound, Worth, Worths, worths};
use crate::evidence::{Battle, Denied, Evidence, Model};
use enfilade_engine::stream::Stream;
use enfilade_model::error::Error;
use enfilade_stats::draws::Draws;
use enfilade_stats::line::Fit;
use enfilade_stats::{discovery, ranks};

/// The prices of an arsenal.
///
/// # Errors
/// When there are no weapons or scenarios, a price is not above 0, all weights are 0, a weapon has no
/// battle, or the arsenal is to be the measure and too few weapons have a price.
pub fn price(evidence: &Evidence, settings: &Settings) -> Result<Pricing, Error> {
    check(evidence)?;
    let worths = worths(evidence)?;
    let plan = Plan::new(evidence, &worths, settings);
    plan.measured(settings.anchor)?;
    let mut weapons = plan.weapons();
    plan.compare(&mut weapons, settings.seed);
    let looked = plan.looked();
    let used = |w: &usize| plan.pool.contains(w);
    // A trend along worth is one of those who vote; kinds are told of all that have a price.
    let fighting: Vec<Looked> =
        looked.iter().filter(|(w, _)| used(w)).map(|l| l.1.clone()).collect();
    let all: Vec<Looked> = looked.into_iter().map(|(_, looked)| looked).collect();
    let names = evidence.assumptions.iter().map(|a| a.name.clone());
    Ok(Pricing {
        weapons,
        scenarios: evidence.scenarios.clone(),
        swings: plan.swings(),
        assumptions: names.collect(),
        opponents: plan.nest.opponents.len(),
        effective_opponents: 1.0 / plan.nest.concentration(),
        unused: plan.unused(),
        ladder: plan.ladder,
        tolerance: settings.tolerance,
        along_worth: diagnostics::along_worth(&fighting),
        by_kind: diagnostics::by_kind(&all),
        line: plan.line,
        mixes: plan.mixes,
        exchange: evidence.exchange,
        notes: worths.notes.clone(),
        worths: worths.by_model,
    })
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

/// What is known before any weapon is judged.
struct Plan<'a> {
    evidence: &'a Evidence,
    worths: &'a Worths,
    settings: &'a Settings,
    mixes: Mixes,
    nest: Nest,
    /// Log worths and their mixed values.
    logs: Vec<Vec<f64>>,
    mixed: Vec<f64>,
    seen: Vec<Seen>,
    /// Why a weapon has no price here.
    unpriced: Vec<Option<Unpriced>>,
    /// The weapons that say what points are worth, in order.
    pool: Vec<usize>,
    line: Option<Fit>,
    ladder: Ladder,
}

impl<'a> Plan<'a> {
    fn new(evidence: &'a Evidence, worths: &'a Worths, settings: &'a Settings) -> Plan<'a> {
        let designer = mixes::designer(&evidence.scenarios);
        let opponents = evidence.scenarios.iter().map(|s| s.opponent.as_str());
        let nest = Nest::new(opponents, &designer);
        let unpriced = |w| unpriced(evidence, worths, &designer, w);
        let unpriced: Vec<_> = (0..evidence.weapons.len()).map(unpriced).collect();
        let votes = |w: &usize| unpriced[*w].is_none() && evidence.weapons[*w].price.is_some();
        let pool: Vec<usize> = (0..unpriced.len()).filter(votes).collect();
        let ground = Ground::new(worths, &nest, &designer, evidence.assumptions.len());
        let seen = ground.seen(&pool);
        let (logs, mixed) = (ground.logs, ground.mixed);
        // As `through` decides: where the arsenal is its own measure, an opponent too chooses by what
        // is left when that which all weapons gain is taken out.
        let apart = settings.anchor != Some(Anchor::Reference) && pool.len() >= LEAST;
        let row = |w: usize| if apart { &seen[w].row } else { &logs[w] };
        let chosen = pool.iter().map(|&w| row(w).as_slice());
        let mixes = mixes::mixes(&evidence.scenarios, &chosen.collect::<Vec<_>>());
        let prices = evidence.weapons.iter().filter_map(|weapon| weapon.price);
        let found = Ladder::of(&prices.collect::<Vec<_>>());
        let mut plan = Plan {
            mixes,
            ladder: settings.step.map_or(found, Ladder::Even),
            line: None,
            evidence,
            worths,
            settings,
            nest,
            logs,
            mixed,
            seen,
            unpriced,
            pool,
        };
        plan.line = plan.through(None);
        plan
    }

    /// Refuses an arsenal as the measure that has no price level of its own.
    fn measured(&self, wanted: Option<Anchor>) -> Result<(), Error> {
        let measures = (0..self.mixed.len()).any(|w| self.through(Some(w)).is_some());
        if wanted != Some(Anchor::Arsenal) || measures {
            return Ok(());
        }
        let (have, least) = (self.pool.len(), LEAST + 1);
        Err(Error::Usage(format!(
            "an arsenal has no price level of its own with {have} priced weapons, it takes {least}: \
             measure prices by the reference troops"
        )))
    }

    fn price(&self, weapon: usize) -> Option<f64> {
        self.evidence.weapons[weapon].price
    }

    /// The line through all weapons that have a price but this one.
    fn through(&self, without: Option<usize>) -> Option<Fit> {
        if self.settings.anchor == Some(Anchor::Reference) {
            return None;
        }
        let others = self.pool.iter().filter(|&&w| Some(w) != without);
        let points = others.filter_map(|&w| Some((self.mixed[w], self.price(w)?.ln())));
        let points: Vec<_> = points.collect();
        (points.len() >= LEAST).then(|| Fit::through(&points))?
    }

    /// The weapons whose prices the line throws away.
    fn unused(&self) -> Vec<usize> {
        let weights = self.line.iter().flat_map(|line| &line.weights);
        let pairs = self.pool.iter().zip(weights);
        pairs.filter(|(_, weight)| **weight == 0.0).map(|(w, _)| *w).collect()
    }

    fn swings(&self) -> Vec<super::sensitivity::Swing> {
        let all = 0..self.mixed.len();
        let effects: Vec<_> = all.clone().map(|w| self.known(w).effects.clone()).collect();
        let rows: Vec<Vec<f64>> = all.map(|w| self.row(w).to_vec()).collect();
        swings(&self.evidence.assumptions, &effects, &rows, &self.nest, &self.mixes)
    }

    /// What is known of a worth: beside the arsenal where that is the measure.
    fn known(&self, weapon: usize) -> &Known {
        match self.line {
            Some(_) => &self.seen[weapon].beside,
            None => &self.seen[weapon].alone,
        }
    }

    /// Log worths as other mixes see them: beside the arsenal without what all gain.
    fn row(&self, weapon: usize) -> &[f64] {
        match self.line {
            Some(_) => &self.seen[weapon].row,
            None => &self.logs[weapon],
        }
    }

    fn weapons(&self) -> Vec<Priced> {
        (0..self.mixed.len()).map(|w| self.weapon(w)).collect()
    }

    fn weapon(&self, w: usize) -> Priced {
        let row = &self.worths.default()[w];
        let own = |battle: &&Battle| battle.weapon == w && battle.model == Model::Default;
        let battles: Vec<&Battle> = self.evidence.battles.iter().filter(own).collect();
        let (best, worst) = self.ends(w);
        let alone = Doubt::alone(self.seen[w].alone.clone(), self.nest.concentration());
        let (floor, floored) = self.floor(w);
        Priced {
            name: self.evidence.weapons[w].name.clone(),
            price: self.price(w),
            worth: ranged(self.mixed[w], &alone),
            floor,
            floored,
            fair: match &self.unpriced[w] {
                Some(why) => Err(why.clone()),
                None => Ok(self.fair(w, alone)),
            },
            denied: self.denied(&battles),
            durability: self.mean(&battles, |battle| battle.durability),
            copies: self.copies(w),
            best,
            worst,
            bounded: share(row, &self.mixes.designer, |worth| worth.bound.is_some()),
            trials: row.iter().filter_map(|w| w.trials).reduce(|a, b| a + b),
        }
    }

    fn fair(&self, w: usize, alone: Doubt) -> Fair {
        let x = self.mixed[w];
        // Without its own point: a price must not move the answer about itself.
        let fit = self.through(Some(w));
        let paid = |worth: f64| fit.as_ref().map_or(worth, |fit| fit.line.at(worth));
        let log = paid(x);
        let of = |row: &[f64], mix: &[f64]| paid(mean(row, mix)).exp();
        // Not `row`, which goes by the line through all: with this one left out there may be none.
        let row = match fit {
            Some(_) => &self.seen[w].row,
            None => &self.logs[w],
        };
        let by_mix = ByMix {
            uniform: of(row, &self.mixes.uniform),
            designer: log.exp(),
            points: self.mixes.points.as_ref().map(|mix| of(row, mix)),
            adversarial: of(row, &self.mixes.adversarial),
            nash: self.mixes.nash.as_ref().map(|mix| of(row, mix)),
        };
        let doubt = match &fit {
            Some(fit) => {
                let beside = self.seen[w].beside.clone();
                Doubt::paid(fit.clone(), x, beside, self.nest.concentration())
            }
            None => alone,
        };
        let ends = self.at_ends(w, |moved| paid(x + moved).exp());
        // Whatever might be believed instead: a finding that leads the report survives all of it.
        let others: Vec<f64> =
            by_mix.each().chain(ends.iter().flat_map(|(low, high)| [*low, *high])).collect();
        let judged = self.price(w).map(|price| self.judged(price, log, &doubt, &others, x));
        let wrong = judged.is_some_and(|judged| judged.verdict.wrong());
        // A price that is not found wrong stays, however far the best guess is.
        let suggested = match self.price(w) {
            None => self.ladder.nearest(log.exp()),
            Some(price) if wrong => self.ladder.towards(price, log.exp()),
            Some(price) => price,
        };
        Fair {
            anchor: fit.as_ref().map_or(Anchor::Reference, |_| Anchor::Arsenal),
            price: ranged(log, &doubt),
            suggested,
            judged,
            lever: lever::best(&doubt, &self.evidence.assumptions),
            shares: doubt.shares(),
            by_mix,
            ends,
            outside: fit.is_some() && self.outside(w),
        }
    }

    /// Best guesses at both ends of each assumption, by what the log worth moves there.
    fn at_ends(&self, w: usize, paid: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        self.known(w).effects.iter().map(|(low, high)| (paid(*low), paid(*high))).collect()
    }

    fn judged(&self, price: f64, log: f64, doubt: &Doubt, others: &[f64], x: f64) -> Judged {
        let residual = price.ln() - log;
        let (tolerance, opponents) = (self.settings.tolerance, self.nest.opponents.len());
        let verdict = Verdict::of(residual, doubt, tolerance, opponents);
        let within = tolerance.ln_1p();
        let off = |fair: &f64| (price / fair).ln() * residual.signum() > within;
        // Off to the same side each time, and in points of the reference troops as well.
        let both = others.iter().all(off) && (price.ln() - x) * residual > 0.0;
        let p = doubt.chance(residual);
        Judged { verdict, robust: verdict.wrong() && both, residual, p, q: p, rank: (1, 1) }
    }

    /// Whether a worth lies beyond those the line was drawn through by more than their spread.
    fn outside(&self, w: usize) -> bool {
        let others = self.pool.iter().filter(|&&other| other != w);
        let others: Vec<f64> = others.map(|&other| self.mixed[other]).collect();
        let count = others.len() as f64;
        let middle = others.iter().sum::<f64>() / count;
        let square: f64 = others.iter().map(|x| (x - middle).powi(2)).sum();
        // Their own spread once more: a line is not read far from the points it was drawn through.
        let spread = (square / (count - 1.0)).sqrt();
        let low = others.iter().copied().fold(f64::INFINITY, f64::min);
        let high = others.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.mixed[w] < low - spread || self.mixed[w] > high + spread
    }

    /// What only all judged weapons together say: rates of false discoveries and places.
    fn compare(&self, weapons: &mut [Priced], seed: u64) {
        let judged = |w: &usize| weapons[*w].judged().copied();
        let places: Vec<usize> = (0..weapons.len()).filter(|w| judged(w).is_some()).collect();
        let found: Vec<Judged> = places.iter().filter_map(judged).collect();
        let p: Vec<f64> = found.iter().map(|judged| judged.p).collect();
        let residuals: Vec<f64> = found.iter().map(|judged| judged.residual).collect();
        let q = discovery::q_values(&p);
        let draws = places.iter().zip(&residuals);
        let draws: Vec<Vec<f64>> = draws.map(|(&w, &r)| self.drawn(w, r, seed)).collect();
        let ranks = ranks::intervals(&residuals, &draws);
        for ((place, q), rank) in places.into_iter().zip(q).zip(ranks) {
            if let Ok(fair) = &mut weapons[place].fair
                && let Some(judged) = &mut fair.judged
            {
                (judged.q, judged.rank) = (q, rank);
            }
        }
    }

    /// Draws of a residual: the line is common to all, so only the worth is drawn.
    fn drawn(&self, w: usize, residual: f64, seed: u64) -> Vec<f64> {
        let slope = self.line.as_ref().map_or(1.0, |fit| fit.line.slope);
        let error = slope * Doubt::alone(self.known(w).clone(), self.nest.concentration()).error();
        let stream = Stream { seed, fingerprint: [0; 32] };
        // A key of its own for each weapon: draws hang on no order in which they are made.
        let mut draws = Draws::new(stream.key("prices", w as u64, 0));
        (0..ROUNDS).map(|_| residual + error * draws.normal()).collect()
    }

    /// Every weapon with a price beside the line, also those that are not priced here.
    fn looked(&self) -> Vec<(usize, Looked<'_>)> {
        let looked = |w: usize| {
            let log = self.price(w)?.ln();
            let fit = self.through(Some(w))?;
            let weapon = &self.evidence.weapons[w];
            let mut traits: Vec<&str> = weapon.traits.iter().map(String::as_str).collect();
            traits.extend(weapon.unseen.as_deref());
            let harmless = self.unpriced[w] == Some(Unpriced::Harmless);
            traits.extend(harmless.then_some("never fires"));
            Some((
                w,
                Looked { worth: self.mixed[w], residual: log - fit.line.at(self.mixed[w]), traits },
            ))
        };
        (0..self.mixed.len()).filter_map(looked).collect()
    }

    /// The scenarios with weight in which a weapon is worth most and least.
    fn ends(&self, weapon: usize) -> (usize, usize) {
        let row = &self.logs[weapon];
        let met: Vec<usize> = (0..row.len()).filter(|&s| self.mixes.designer[s] > 0.0).collect();
        let by_worth = |a: &usize, b: &usize| row[*a].total_cmp(&row[*b]).then(b.cmp(a));
        let best = met.iter().copied().max_by(by_worth).unwrap_or(0);
        (best, met.iter().copied().min_by(by_worth).unwrap_or(0))
    }

    /// The worth of its like that never fires, and the share of the mix in which it is worth no more.
    fn floor(&self, w: usize) -> (Option<f64>, f64) {
        let (mut sum, mut all, mut floored) = (0.0, 0.0, 0.0);
        let cells = self.worths.floors[w].iter().zip(&self.logs[w]);
        for ((floor, log), weight) in cells.zip(&self.mixes.designer) {
            if let Some(floor) = floor {
                sum += weight * floor;
                all += weight;
                floored += if log - floor < ON_THE_FLOOR { *weight } else { 0.0 };
            }
        }
        ((all > 0.0).then(|| (sum / all).exp()), floored)
    }

    /// The mean of a number of the battles, under the designer's mix of the scenarios fought.
    fn mean(&self, battles: &[&Battle], number: impl Fn(&Battle) -> f64) -> f64 {
        let weight = |battle: &&Battle| self.mixes.designer[battle.scenario];
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

    /// What each copy adds: how the worth of copies together grows in the scenarios in which they
    /// were fought.
    fn copies(&self, w: usize) -> [Option<f64>; 3] {
        let (together, one) = (&self.worths.copies[w], self.mixed[w].exp());
        let grown = |copies: usize| -> Option<f64> {
            let fought = together.iter().zip(&self.mixes.designer);
            let mut met = fought.filter(|(_, weight)| **weight > 0.0);
            let known = met.clone().all(|(logs, _)| logs.len() >= copies);
            let grows = |(logs, weight): (&Vec<f64>, &f64)| weight * (logs[copies - 1] - logs[0]);
            known.then(|| one * met.by_ref().map(grows).sum::<f64>().exp())
        };
        let (two, three) = (grown(2), grown(3));
        let third = two.zip(three).map(|(two, three)| three - two);
        [Some(one), two.map(|two| two - one), third]
    }
}

/// Draws of every residual.
const ROUNDS: usize = 2000;

/// Log worth above that of one who never fires below which nothing is seen of a weapon's fire.
const ON_THE_FLOOR: f64 = 0.02;

/// The share of a mix in which only something bad is known.
const MOST: f64 = 0.5;

fn ranged(log: f64, doubt: &Doubt) -> Ranged {
    let half = doubt.half(0.05);
    Ranged { best: log.exp(), low: (log - half).exp(), high: (log + half).exp() }
}

/// The share of a mix whose worths are such.
fn share(row: &[Worth], mix: &[f64], such: impl Fn(&Worth) -> bool) -> f64 {
    let pairs = row.iter().zip(mix).filter(|(worth, _)| such(worth));
    // A sum of nothing is −0.
    pairs.map(|(_, weight)| weight).sum::<f64>() + 0.0
}

/// Why a weapon cannot be priced; no price is looked at.
fn unpriced(evidence: &Evidence, worths: &Worths, mix: &[f64], w: usize) -> Option<Unpriced> {
    let own = |b: &&Battle| b.weapon == w && b.model == Model::Default && mix[b.scenario] > 0.0;
    let mut battles = evidence.battles.iter().filter(own);
    let row = &worths.default()[w];
    let bound = |bound| share(row, mix, |worth| worth.bound == Some(bound));
    if let Some(unseen) = &evidence.weapons[w].unseen {
        Some(Unpriced::Unseen(unseen.clone()))
    } else if !battles.any(|battle| battle.fires) {
        Some(Unpriced::Harmless)
    } else if bound(Bound::AtLeast) > MOST {
        Some(Unpriced::Beyond(Bound::AtLeast))
    } else if bound(Bound::AtMost) > MOST {
        Some(Unpriced::Beyond(Bound::AtMost))
    } else {
        (share(row, mix, |worth| worth.flat) > MOST).then_some(Unpriced::Flat)
    }
}
