//! From an arsenal to its evidence: every weapon in every scenario under every model.
//!
//! Work is shared out over weapons and scenarios on the threads of the current rayon pool and put
//! together in their order; every number is summed by one thread in a fixed order, so the evidence
//! does not depend on the threads.

use rayon::prelude::*;

use super::arsenal::Arsenal;
use super::battle::{Clash, Muster, Staging, discounted};
use super::durability::{durability, threat};
use super::evidence::{Battle, Evidence, Exchange, Meeting, Model, PricedWeapon, ScenarioFacts};
use super::kernel::Kernels;
use super::scenario::Assumed;
use crate::error::Error;
use crate::form::Fault;
use crate::graph::Limits;

/// How the evidence is gathered.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seed of what has to be simulated.
    pub seed: u64,
    /// Trials of each contest that is too large to be solved exactly.
    pub trials: u64,
    /// How large that is.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            trials: 1_000_000,
            limits: Limits::default(),
        }
    }
}

/// Who watches the work, and may stop it.
pub trait Watch: Sync {
    /// A weapon has fought in a scenario.
    fn fought(&self, _weapon: usize, _scenario: usize) {}

    /// Whether to go on.
    fn go_on(&self) -> bool {
        true
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {}

/// Copies of a weapon that are priced together, beside one alone.
const COPIES: [usize; 2] = [2, 3];

/// The most points of a curve.
const CURVE: usize = 13;

/// The fewest points of a curve.
const FEW: usize = 9;

/// The most reference troops that one side musters.
const MUSTERED: usize = 60;

/// A share of wins below which more troops on the other side say nothing new. Where battles that
/// are broken off early are ties, wins do not fall to 0.
const LOST: f64 = 0.15;

/// Fights every battle of `arsenal`.
///
/// # Errors
/// [`Error::Interrupted`] when the watcher stops the work; [`Error::Usage`] when a weapon cannot be
/// staged in a scenario, which the reading of an arsenal has ruled out as far as it can.
pub fn gather(
    arsenal: &Arsenal,
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Evidence, Error> {
    let kernels = Kernels::new(settings.seed, settings.trials, settings.limits);
    let places = (0..arsenal.weapons.len())
        .flat_map(|weapon| (0..arsenal.scenarios.len()).map(move |scenario| (weapon, scenario)));
    let places: Vec<_> = places.collect();
    let fight = |&(weapon, scenario): &(usize, usize)| {
        if !watch.go_on() {
            return Err(Error::Interrupted("no price was found".into()));
        }
        let corner = Corner {
            arsenal,
            kernels: &kernels,
            weapon,
            scenario,
        };
        let battles = corner.battles()?;
        watch.fought(weapon, scenario);
        Ok(battles)
    };
    let battles: Result<Vec<Vec<Battle>>, Error> = places.par_iter().map(fight).collect();
    Ok(Evidence {
        weapons: arsenal.weapons.iter().map(priced).collect(),
        scenarios: arsenal.scenarios.iter().map(facts).collect(),
        assumptions: arsenal.assumptions.clone(),
        battles: battles?.into_iter().flatten().collect(),
        exchange: exchange(arsenal, &kernels)?,
    })
}

fn priced(weapon: &super::arsenal::Weapon) -> PricedWeapon {
    PricedWeapon {
        name: weapon.name.clone(),
        price: weapon.price,
    }
}

fn facts(scenario: &super::scenario::Scenario) -> ScenarioFacts {
    ScenarioFacts {
        name: scenario.name.clone(),
        weight: scenario.weight,
        points_in_play: scenario.points_in_play,
        opponent: scenario.opponent.clone(),
    }
}

/// The exchange rate of the arsenal: that of its scenarios by their weights.
fn exchange(arsenal: &Arsenal, kernels: &Kernels) -> Result<Exchange, Error> {
    let assumed = Assumed::under(&arsenal.assumptions, Model::Default);
    let (mut pin, mut broken, mut weights) = (None, None, 0.0);
    for scenario in &arsenal.scenarios {
        let rate = (arsenal.rules.exchange)(kernels, scenario, &assumed).map_err(unstaged)?;
        let add = |sum: &mut Option<f64>, rate: Option<f64>| {
            if let Some(rate) = rate {
                *sum = Some(sum.unwrap_or(0.0) + scenario.weight * rate);
            }
        };
        add(&mut pin, rate.pin_per_kill);
        add(&mut broken, rate.break_per_kill);
        weights += scenario.weight;
    }
    Ok(Exchange {
        pin_per_kill: pin.map(|sum| sum / weights),
        break_per_kill: broken.map(|sum| sum / weights),
    })
}

fn unstaged(faults: Vec<Fault>) -> Error {
    let problems: Vec<_> = faults.iter().map(|fault| fault.problem.clone()).collect();
    Error::Usage(problems.join("; "))
}

/// One weapon in one scenario.
struct Corner<'a> {
    arsenal: &'a Arsenal,
    kernels: &'a Kernels,
    weapon: usize,
    scenario: usize,
}

impl Corner<'_> {
    /// Its battle under every model, the default first.
    fn battles(&self) -> Result<Vec<Battle>, Error> {
        let assumptions = self.arsenal.assumptions.len();
        let moved = (0..assumptions).flat_map(|place| [Model::Low(place), Model::High(place)]);
        let default = self.battle(Model::Default, None)?;
        let extras: Vec<usize> = default.1;
        let mut battles = vec![default.0];
        for model in moved {
            battles.push(self.battle(model, Some(&extras))?.0);
        }
        Ok(battles)
    }

    /// The battle under `model`, against as many more troops as `extras` says, or as many as it
    /// takes to see the weapon's side lose.
    fn battle(
        &self,
        model: Model,
        extras: Option<&[usize]>,
    ) -> Result<(Battle, Vec<usize>), Error> {
        let scenario = &self.arsenal.scenarios[self.scenario];
        let weapon = &self.arsenal.weapons[self.weapon];
        let assumed = Assumed::under(&self.arsenal.assumptions, model);
        let staging = (self.arsenal.rules.stage)(self.kernels, weapon, scenario, &assumed);
        let staging = staging.map_err(unstaged)?;
        let terms = Terms {
            muster: Muster {
                base: assumed.base(scenario),
                copies: 1,
                most: MUSTERED - assumed.base(scenario),
                draws: threat(&staging).max(1.0).powf(assumed.value("attention")),
            },
            rounds: assumed.rounds(scenario),
            goes_on: assumed.value("discount"),
        };
        let extras = match extras {
            Some(extras) => extras.to_vec(),
            None => terms.telling(&staging),
        };
        let copies = COPIES.iter().filter(|_| model == Model::Default);
        let copies = copies.map(|&copies| terms.of(copies).several(&staging, &extras));
        let battle = Battle {
            weapon: self.weapon,
            scenario: self.scenario,
            model,
            curve: terms.curve(&staging, &extras),
            copies: copies.collect(),
            denied: (self.arsenal.rules.denied)(&staging, scenario),
            durability: durability(&staging, &terms.muster),
        };
        Ok((battle, extras))
    }
}

/// On which terms forces meet.
#[derive(Clone, Copy)]
struct Terms {
    muster: Muster,
    rounds: usize,
    goes_on: f64,
}

impl Terms {
    fn of(self, copies: usize) -> Terms {
        let muster = Muster {
            copies,
            ..self.muster
        };
        Terms { muster, ..self }
    }

    fn won(&self, clash: &Clash, extra: usize) -> f64 {
        discounted(&clash.won(extra, self.rounds), self.goes_on)
    }

    /// Numbers of further troops that show where the weapon's side begins to lose: none, and up to
    /// the first at which it has lost.
    fn telling(&self, staging: &Staging) -> Vec<usize> {
        let clash = Clash::new(staging, self.muster);
        let most = (0..self.muster.most).find(|&extra| self.won(&clash, extra) < LOST);
        spread(
            most.unwrap_or(self.muster.most)
                .max(FEW - 1)
                .min(self.muster.most),
        )
    }

    fn curve(&self, staging: &Staging, extras: &[usize]) -> Vec<Meeting> {
        let most = extras.iter().copied().max().unwrap_or(0);
        let muster = Muster {
            most,
            ..self.muster
        };
        let clash = Clash::new(staging, muster);
        let meeting = |&extra: &usize| Meeting {
            points: extra as f64 * staging.troop_points - self.muster.copies as f64 * staging.paid,
            won: self.won(&clash, extra),
            trials: staging.trials,
        };
        let meetings = extras.iter().map(meeting);
        meetings.filter(|meeting| meeting.points >= 0.0).collect()
    }

    /// The curve of several copies: as many times the troops, but not more than can be mustered.
    fn several(&self, staging: &Staging, extras: &[usize]) -> Vec<Meeting> {
        let most = extras.iter().copied().max().unwrap_or(0) * self.muster.copies;
        let few = spread_over(most.min(self.muster.most), FEW);
        self.curve(staging, &few)
    }
}

fn spread(most: usize) -> Vec<usize> {
    spread_over(most, CURVE)
}

/// At most `points` different whole numbers, evenly from 0 to `most`.
fn spread_over(most: usize, points: usize) -> Vec<usize> {
    let last = points.min(most + 1) - 1;
    (0..=last)
        .map(|n| (n * most + last / 2) / last.max(1))
        .collect()
}
