#![allow(dead_code, reason = "each test takes its part of it")]
//! Arsenals whose fair prices are known, for testing the pricing that has to find them.
//!
//! Nothing of the estimator is used: strengths are normal, wins follow a probit in the ratio of the
//! forces, trials are rolled one by one with an independent generator. A weapon has a fair price;
//! every opponent, every scenario and every assumption moves its worth by a normal amount; the true
//! value of an assumption lies anywhere in its range.

use enfilade_pricing::evidence::{
    AssumptionCase, BattleEvidence, PointsAndWinShare, PriceAssumption, ScenarioForStatistics,
    WeaponWinCurves, WeaponWithPrice,
};

/// Design of an arsenal. Spreads are standard deviations of the logarithm of worth.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    pub weapons: usize,
    pub opponents: usize,
    /// Scenarios against each opponent.
    pub scenarios: usize,
    /// Spread of a weapon from opponent to opponent.
    pub between: f64,
    /// Spread of a weapon from scenario to scenario against one opponent.
    pub within: f64,
    /// Effect of a scenario on all weapons.
    pub common: f64,
    /// Spread of a weapon's worth at the ends of an assumption.
    pub model: f64,
    pub assumptions: usize,
    /// Battles at each point; `None` for exact shares.
    pub trials: Option<u64>,
    /// Errors of the prices as factors, each as likely.
    pub errors: &'static [f64],
    /// Scatter of the prices in addition to those errors.
    pub scatter: f64,
    /// Twice the worth costs 2 to this power.
    pub exponent: f64,
}

/// An arsenal with its true values.
#[derive(Clone, Debug)]
pub struct Planted {
    pub evidence: BattleEvidence,
    /// Even prices.
    pub fair: Vec<f64>,
    /// Current over even price.
    pub errors: Vec<f64>,
    /// Worth of each weapon in scenarios that were not fought, under the true assumptions.
    pub held_out: Vec<Vec<f64>>,
}

/// SplitMix64 (Steele, Lea & Flood 2014).
pub struct Chance(pub u64);

impl Chance {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

/// The normal distribution function, by its series.
fn normal_share(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum) = (x, x);
    for k in 1..200 {
        term *= x * x / (2 * k + 1) as f64;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

/// Builds the arsenal of a seed.
pub fn planted(design: &Design, seed: u64) -> Planted {
    let mut chance = Chance(seed.wrapping_mul(0x1000_0000_01b3) ^ 0x5eed);
    let strengths: Vec<f64> =
        (0..design.weapons).map(|_| 20f64.ln() + chance.uniform() * 20f64.ln()).collect();
    let scenarios = scenarios(design);
    let gains = gains(design, &scenarios, &mut chance);
    let held_out_gains = gains_elsewhere(design, &mut chance);
    let effects: Vec<Vec<f64>> = (0..design.weapons)
        .map(|_| (0..design.assumptions).map(|_| design.model * chance.normal()).collect())
        .collect();
    let truth: Vec<f64> = (0..design.assumptions).map(|_| 2.0 * chance.uniform() - 1.0).collect();
    let moved = |w: usize| -> f64 { effects[w].iter().zip(&truth).map(|(e, t)| e * t).sum() };
    let fair: Vec<f64> =
        (0..design.weapons).map(|w| (design.exponent * (strengths[w] + moved(w))).exp()).collect();
    let error = |chance: &mut Chance| {
        design.errors[(chance.uniform() * design.errors.len() as f64) as usize]
    };
    let errors: Vec<f64> = (0..design.weapons).map(|_| error(&mut chance)).collect();
    let mut scatter = Chance(seed ^ 0x5ca7_7e12);
    let mut scattered = |w: usize| fair[w] * errors[w] * (design.scatter * scatter.normal()).exp();
    let mut battles = Vec::new();
    for weapon in 0..design.weapons {
        for (scenario, gain) in gains[weapon].iter().enumerate() {
            let worth = strengths[weapon] + gain;
            battles.extend(fought(
                design,
                (weapon, scenario),
                worth,
                &effects[weapon],
                &mut chance,
            ));
        }
    }
    let weapons = (0..design.weapons).map(|w| WeaponWithPrice {
        name: format!("weapon {w}"),
        price: Some(scattered(w)),
        ..WeaponWithPrice::default()
    });
    let held_out = |w: usize| -> Vec<f64> {
        let gains = held_out_gains[w].iter();
        gains.map(|gain| fair[w] * gain.exp()).collect()
    };
    Planted {
        held_out: (0..design.weapons).map(held_out).collect(),
        evidence: BattleEvidence {
            weapons: weapons.collect(),
            scenarios,
            assumptions: (0..design.assumptions).map(assumption).collect(),
            battles,
            never: Vec::new(),
            remarks: Vec::new(),
            notes: Vec::new(),
        },
        fair,
        errors,
    }
}

fn scenarios(design: &Design) -> Vec<ScenarioForStatistics> {
    let count = design.opponents * design.scenarios;
    let scenario = |s: usize| ScenarioForStatistics {
        name: format!("scenario {s}"),
        weight: 1.0,
        points_in_play: Some(100.0 + s as f64),
        opponent: format!("opponent {}", s / design.scenarios),
    };
    (0..count).map(scenario).collect()
}

fn assumption(index: usize) -> PriceAssumption {
    PriceAssumption {
        name: format!("assumption {index}"),
        about: "planted".to_owned(),
        default: 0.0,
        low: -1.0,
        high: 1.0,
    }
}

/// Gain of every weapon in every scenario.
fn gains(
    design: &Design,
    scenarios: &[ScenarioForStatistics],
    chance: &mut Chance,
) -> Vec<Vec<f64>> {
    let common: Vec<f64> = scenarios.iter().map(|_| design.common * chance.normal()).collect();
    let mut weapon = || {
        let mut row = Vec::new();
        for opponent in 0..design.opponents {
            let met = design.between * chance.normal();
            for scenario in 0..design.scenarios {
                let common = common[opponent * design.scenarios + scenario];
                row.push(common + met + design.within * chance.normal());
            }
        }
        row
    };
    (0..design.weapons).map(|_| weapon()).collect()
}

fn gains_elsewhere(design: &Design, chance: &mut Chance) -> Vec<Vec<f64>> {
    let spread = design.between.hypot(design.within);
    let mut weapon = || (0..40).map(|_| spread * chance.normal()).collect();
    (0..design.weapons).map(|_| weapon()).collect()
}

/// Fights a cell in every case of the assumptions. With `trials`, every case is rolled with the
/// same dice, as a simulation with common random numbers does.
fn fought(
    design: &Design,
    (weapon, scenario): (usize, usize),
    worth: f64,
    effects: &[f64],
    chance: &mut Chance,
) -> Vec<WeaponWinCurves> {
    let seed = chance.bits();
    let steep = 2.0 + 2.0 * chance.uniform();
    let battle = |model: AssumptionCase, worth: f64| WeaponWinCurves {
        weapon,
        scenario,
        model,
        curve: curve(design, worth, steep, &mut Chance(seed)),
        copies: Vec::new(),
        silent: Vec::new(),
        fires: true,
        mirror: false,
    };
    let mut battles = vec![battle(AssumptionCase::Default, worth)];
    for (i, effect) in effects.iter().enumerate() {
        battles.push(battle(AssumptionCase::Low(i), worth - effect));
        battles.push(battle(AssumptionCase::High(i), worth + effect));
    }
    battles
}

/// Forces of equal points win alike; a force with e times the points wins with the chance of
/// `steep` standard deviations.
fn curve(design: &Design, worth: f64, steep: f64, chance: &mut Chance) -> Vec<PointsAndWinShare> {
    let point = |step: i32| {
        let log = worth + 0.13 + 0.25 * f64::from(step - 4);
        let p = normal_share(steep * (worth - log));
        let won = |n: u64| (0..n).filter(|_| chance.uniform() < p).count() as f64 / n as f64;
        PointsAndWinShare {
            points: log.exp(),
            won: design.trials.map_or(p, won),
            trials: design.trials,
        }
    };
    (0..8).map(point).collect()
}

/// Kendall's τ of two lists without ties.
pub fn kendall(a: &[f64], b: &[f64]) -> f64 {
    let mut concordant = 0.0;
    let n = a.len();
    for i in 0..n {
        for j in 0..i {
            concordant += ((a[i] - a[j]) * (b[i] - b[j])).signum();
        }
    }
    concordant / (n * (n - 1) / 2) as f64
}
