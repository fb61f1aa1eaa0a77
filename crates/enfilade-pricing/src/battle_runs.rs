//! From an arsenal to its evidence: every weapon in every scenario under every case of the
//! assumptions.
//!
//! Work is shared out over weapons and scenarios on the threads of the current rayon pool and put
//! together in their order; every number is summed by one thread in a fixed order, so the evidence
//! does not depend on the threads.

mod battle_remarks;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::arsenal::Arsenal;
use super::battle::battle_simulator::BattleDice;
use super::battle::encounter::Doctrine;
use super::battle::{ForceSizes, expected_wins};
pub use super::battle_observer::{BattleObserver, BattleRecord, NoBattleObserver};
use super::battle_series::{self, BattleSeries, WinLookup, WinsByRound};
use super::contest_cache::{ContestCache, QueryLog, RecordingSource};
use super::doctrine::doctrine_of;
use super::evidence::{
    AssumptionCase, BattleEvidence, BattlePoint, ContestNote, PricedWeapon, ScenarioFacts,
    WeaponBattle,
};
use super::rule_changes::RuleChanges;
use super::scenario::{self, ATTENTION, DISCOUNT};
use super::staged::{has_fire, is_like_troops, relative_threat};
use crate::error::PricingError;
use battle_remarks::{battle_remarks, unused_scenario_options};
use enfilade_engine::graph::Limits;
use enfilade_model::form::sanitize::sanitize_for_message;
use enfilade_model::form::{Fault, name_matching};
use enfilade_model::shared::Text;
use enfilade_model::weapons::{AssumptionValues, BattleSetup, EffectRates};

/// Settings of the battles.
#[derive(Clone, Copy, Debug)]
pub struct BattleSettings {
    /// Seed of the simulations.
    pub seed: u64,
    /// Trials of each contest that is too large to be solved exactly.
    pub trials: u64,
    /// Limits of exact solutions.
    pub limits: Limits,
    /// Position of the weapon whose price is the question: the others fight only the battles that
    /// the line through them needs. All weapons if `None`.
    pub only: Option<usize>,
}

/// Finds the weapon of that name.
///
/// # Errors
/// The sentence to show if there is none, with the nearest name.
#[doc(hidden)]
pub fn find_weapon(arsenal: &Arsenal, name: &str) -> Result<usize, String> {
    let names = || arsenal.weapons.iter().map(|weapon| weapon.name.as_str());
    let same = |known: &str| name_matching::match_key(known) == name_matching::match_key(name);
    names().position(same).ok_or_else(|| {
        let near = name_matching::find_nearest(name, names());
        let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        format!("there is no weapon \"{}\" in the arsenal{near}", sanitize_for_message(name))
    })
}

impl Default for BattleSettings {
    fn default() -> BattleSettings {
        BattleSettings { seed: 1, trials: 1_000_000, limits: Limits::default(), only: None }
    }
}

/// Copies of a weapon that fight together, beside one alone.
const TOGETHER: usize = 8;

/// The largest number of reference troops on one side.
const MAX_TROOPS: usize = 60;

/// Fights every battle of `arsenal`.
///
/// # Errors
/// [`PricingError::Interrupted`] if the observer stops the work; [`PricingError::Invalid`] if a weapon cannot be
/// set up in a scenario, which the reading of an arsenal has ruled out as far as it can.
pub fn run_battles(
    arsenal: &Arsenal,
    settings: &BattleSettings,
    watch: &dyn BattleObserver,
) -> Result<BattleEvidence, PricingError> {
    let contests = ContestCache::new(
        Arc::clone(&arsenal.system),
        settings.seed,
        settings.trials,
        settings.limits,
    )
    .with_changes(RuleChanges::new(arsenal.change.clone()));
    let places = (0..arsenal.weapons.len())
        .flat_map(|weapon| (0..arsenal.scenarios.len()).map(move |scenario| (weapon, scenario)));
    let places: Vec<_> = places.collect();
    let dice = BattleDice::new(settings.seed);
    let fight = |&(weapon, scenario): &(usize, usize)| {
        if !watch.should_continue() {
            return Err(PricingError::Interrupted("no price was found".into()));
        }
        let fought = match watch.lookup_battles(weapon, scenario) {
            // Fought before and equal in all its inputs: a studio keeps battles from one pricing to
            // the next.
            Some(known) => known,
            None => {
                let mut corner = WeaponScenario::new(arsenal, weapon, scenario, &dice);
                corner.brief = settings.only.is_some_and(|only| only != weapon);
                corner.alone = settings.only == Some(weapon);
                let fought = (corner.run_battles(&contests)?, corner.contest_notes());
                watch.store_battles(weapon, scenario, &fought);
                fought
            }
        };
        watch.count_battle(weapon, scenario);
        fought.0.first().into_iter().for_each(|battle| watch.note_default_battle(battle));
        Ok(fought)
    };
    let fought: Result<Vec<BattleRecord>, PricingError> = places.par_iter().map(fight).collect();
    let (battles, notes): (Vec<Vec<WeaponBattle>>, Vec<Vec<ContestNote>>) =
        fought?.into_iter().unzip();
    let battles: Vec<WeaponBattle> = battles.into_iter().flatten().collect();
    Ok(BattleEvidence {
        remarks: battle_remarks(arsenal, &battles),
        weapons: arsenal.weapons.iter().map(|weapon| weapon_with_price(arsenal, weapon)).collect(),
        scenarios: arsenal.scenarios.iter().map(scenario_facts).collect(),
        assumptions: arsenal.assumptions.clone(),
        battles,
        exchange: compute_exchange_rate(arsenal, &contests)?,
        never: unused_scenario_options(arsenal),
        notes: notes.into_iter().flatten().collect(),
    })
}

fn weapon_with_price(arsenal: &Arsenal, weapon: &super::arsenal::ArsenalWeapon) -> PricedWeapon {
    let short =
        |there: &scenario::Scenario| arsenal.rules.shortfall(weapon.as_profile(), &there.setting);
    let short: Option<indexmap::IndexSet<String>> = arsenal.scenarios.iter().map(short).collect();
    PricedWeapon {
        shortfalls: short.into_iter().flatten().collect(),
        name: weapon.name.clone(),
        price: weapon.price,
        unseen: weapon.nature.unseen.as_ref().map(Text::to_string),
    }
}

fn scenario_facts(scenario: &super::scenario::Scenario) -> ScenarioFacts {
    ScenarioFacts {
        name: scenario.name.clone(),
        weight: scenario.weight,
        points_in_play: scenario.points_in_play,
        opponent: scenario.opponent.clone(),
    }
}

/// Computes the exchange rate of the arsenal: that of its scenarios by their weights.
fn compute_exchange_rate(
    arsenal: &Arsenal,
    contests: &ContestCache,
) -> Result<EffectRates, PricingError> {
    let assumed = arsenal.assumptions_under(AssumptionCase::Default);
    let (mut pin, mut broken, mut weights) = (None, None, 0.0);
    for scenario in &arsenal.scenarios {
        let there = &scenario.setting;
        let activations = scenario::count_rounds(there, &assumed);
        let asked = RecordingSource::from_cache(contests);
        let own = scenario::own_assumptions(&*arsenal.rules, &assumed);
        let rate = arsenal.rules.effect_rates(there, &own, activations, &asked);
        let rate = rate.map_err(setup_error)?;
        let add = |sum: &mut Option<f64>, rate: Option<f64>| {
            if let Some(rate) = rate {
                // A game without pins has no rate for them; a missing rate is not 0.
                *sum = Some(sum.unwrap_or(0.0) + scenario.weight * rate);
            }
        };
        add(&mut pin, rate.pin_per_kill);
        add(&mut broken, rate.break_per_kill);
        weights += scenario.weight;
    }
    Ok(EffectRates {
        pin_per_kill: pin.map(|sum| sum / weights),
        break_per_kill: broken.map(|sum| sum / weights),
    })
}

fn setup_error(faults: Vec<Fault>) -> PricingError {
    let problems: Vec<_> = faults.iter().map(|fault| fault.problem.clone()).collect();
    PricingError::Invalid(problems.join("; "))
}

/// One weapon in one scenario.
struct WeaponScenario<'a> {
    arsenal: &'a Arsenal,
    weapon: usize,
    scenario: usize,
    /// Battle set-ups of the weapon, each under other assumptions.
    staged: Vec<StagedWeapon>,
    /// Battles followed so far, by further troops: many cases end the same battle differently.
    followed: Vec<(ForceSetup, BTreeMap<usize, WinsByRound>)>,
    /// The dice of battles that are rolled.
    dice: &'a BattleDice,
    /// Number of copies that replace one weapon.
    copies: usize,
    /// Number of further troops against which half of the battles are won in the default case.
    half: usize,
    /// Whether only the default case is fought, by one weapon alone.
    brief: bool,
    /// Whether the weapon is the only one of interest.
    alone: bool,
}

/// The battle set-up of a weapon.
#[derive(Clone)]
struct StagedWeapon {
    /// The values of the rulebook's assumptions that it is built from.
    assumed: AssumptionValues,
    staging: BattleSetup,
    heard: QueryLog,
}

/// Set-up and sizes of the forces that meet.
#[derive(Clone, Copy, PartialEq)]
struct ForceSetup {
    /// Position in [`WeaponScenario::staged`].
    staging: usize,
    base: usize,
    copies: usize,
    draws: f64,
    doctrine: Doctrine,
}

/// The length of a battle and its chance to go on.
#[derive(Clone, Copy)]
struct BattleHorizon {
    rounds: usize,
    goes_on: f64,
}

impl BattleHorizon {
    fn win_chance(self, course: &WinsByRound) -> f64 {
        expected_wins(&course.won[..self.rounds], self.goes_on)
    }
}

/// Lists the cases of `assumptions`: the default, then each assumption moved to either end.
fn assumption_cases(assumptions: usize) -> Vec<AssumptionCase> {
    let moved = (0..assumptions)
        .flat_map(|place| [AssumptionCase::Low(place), AssumptionCase::High(place)]);
    std::iter::once(AssumptionCase::Default).chain(moved).collect()
}

impl<'a> WeaponScenario<'a> {
    fn new(
        arsenal: &'a Arsenal,
        weapon: usize,
        scenario: usize,
        dice: &'a BattleDice,
    ) -> WeaponScenario<'a> {
        WeaponScenario {
            arsenal,
            weapon,
            scenario,
            staged: Vec::new(),
            followed: Vec::new(),
            dice,
            copies: 1,
            half: 0,
            brief: false,
            alone: false,
        }
    }

    /// Runs its battle under every case of the assumptions, the default first.
    fn run_battles(&mut self, contests: &ContestCache) -> Result<Vec<WeaponBattle>, PricingError> {
        let mut battles = Vec::new();
        let all = if self.brief { 0 } else { self.arsenal.assumptions.len() };
        for model in assumption_cases(all) {
            battles.push(self.run_battle(contests, model)?);
        }
        Ok(battles)
    }

    /// Remarks of its contests, each once.
    fn contest_notes(&self) -> Vec<ContestNote> {
        let heard = self.staged.iter().flat_map(|staged| &staged.heard.notes);
        let texts: indexmap::IndexSet<&String> = heard.collect();
        let note = |text: &String| ContestNote {
            weapon: self.weapon,
            scenario: self.scenario,
            text: text.clone(),
        };
        texts.into_iter().map(note).collect()
    }

    /// Runs the battle in case `model`; the default one sets the number of copies that replace one
    /// weapon, and the starting point of the others.
    fn run_battle(
        &mut self,
        contests: &ContestCache,
        model: AssumptionCase,
    ) -> Result<WeaponBattle, PricingError> {
        let there = &self.arsenal.scenarios[self.scenario].setting;
        let assumed = self.arsenal.assumptions_under(model);
        let mut terms = self.force_setup(contests, &assumed)?;
        let ended = BattleHorizon {
            rounds: scenario::count_rounds(there, &assumed),
            goes_on: assumed.value(DISCOUNT),
        };
        let (mut together, mut silent) = (Vec::new(), Vec::new());
        let curve = if model == AssumptionCase::Default {
            self.copies =
                self.try_extra_troops(terms, ended, |_, won| battle_series::count_copies(won));
            terms.copies = self.copies;
            let mut half = 0;
            let curve = self.build_curve(terms, ended, terms.copies, |room, won| {
                let points = battle_series::whole_curve_points(room, won);
                half =
                    points.iter().copied().filter(|&extra| won(extra).0 > 0.5).max().unwrap_or(0);
                points
            });
            self.half = half;
            if !self.brief {
                silent = self.idle_curve(terms, ended, assumed.value(ATTENTION));
                together = self.together(terms, ended);
            }
            curve
        } else {
            let half = self.half;
            self.build_curve(terms, ended, terms.copies, |room, won| {
                battle_series::points_near_half(half, room, won)
            })
        };
        let staging = &self.staged[terms.staging].staging;
        Ok(WeaponBattle {
            weapon: self.weapon,
            scenario: self.scenario,
            model,
            curve,
            copies: together,
            silent,
            fires: has_fire(staging),
            denied: self.arsenal.rules.denied_points(staging, there),
            mirror: is_like_troops(staging),
        })
    }

    /// Sets up the weapon, unless that was done under the same assumptions.
    fn force_setup(
        &mut self,
        contests: &ContestCache,
        assumed: &AssumptionValues,
    ) -> Result<ForceSetup, PricingError> {
        let there = &self.arsenal.scenarios[self.scenario].setting;
        let weapon = &self.arsenal.weapons[self.weapon];
        let rules = &*self.arsenal.rules;
        let own = scenario::own_assumptions(rules, assumed);
        let known = self.staged.iter().position(|known| known.assumed == own);
        let place = known.unwrap_or(self.staged.len());
        if known.is_none() {
            let asked = RecordingSource::from_cache(contests);
            let staging = rules.set_up_battle(weapon.as_profile(), there, &own, &asked);
            self.staged.push(StagedWeapon {
                staging: staging.map_err(setup_error)?,
                assumed: own,
                heard: asked.into_log(),
            });
        }
        // An assumption that does not affect this weapon here gives the same battle.
        let new = &self.staged[place].staging;
        let same = self.staged.iter().position(|known| known.staging == *new);
        let place = same.unwrap_or(place);
        let threat = relative_threat(&self.staged[place].staging);
        Ok(ForceSetup {
            staging: place,
            base: scenario::base_troops(there, assumed),
            copies: self.copies,
            draws: threat.powf(assumed.value(ATTENTION)),
            doctrine: doctrine_of(assumed),
        })
    }

    /// The curve of a copy of the weapon that never fires.
    fn idle_curve(
        &mut self,
        terms: ForceSetup,
        ended: BattleHorizon,
        power: f64,
    ) -> Vec<BattlePoint> {
        let mut staged = self.staged[terms.staging].clone();
        staged.staging.rounds.iter_mut().for_each(|round| round.weapon_shots = 0);
        let draws = relative_threat(&staged.staging).powf(power);
        self.staged.push(staged);
        let alone = ForceSetup { staging: self.staged.len() - 1, copies: 1, draws, ..terms };
        let copies = self.try_extra_troops(alone, ended, |_, won| battle_series::count_copies(won));
        let terms = ForceSetup { copies, ..alone };
        self.build_curve(terms, ended, copies, |room, won| {
            battle_series::points_near_half(battle_series::MIN_TROOPS_WORTH, room, won)
        })
    }

    /// The curve of several copies together; none where as many already fight in place of one, where more troops would
    /// be needed than there is room for, or where battles would be rolled for a weapon among many.
    fn together(&mut self, terms: ForceSetup, ended: BattleHorizon) -> Vec<BattlePoint> {
        let start = self.half * TOGETHER / terms.copies;
        let eight = ForceSetup { copies: TOGETHER, ..terms };
        let exact = || {
            let staging = &self.staged[terms.staging].staging;
            battle_series::is_exact((staging, eight.force_sizes(start), eight.doctrine), start)
        };
        if terms.copies > TOGETHER || terms.base + start > MAX_TROOPS || !(self.alone || exact()) {
            return Vec::new();
        }
        self.build_curve(eight, ended, 1, |room, won| {
            battle_series::points_near_half(start, room, won)
        })
    }

    /// Runs `look` with the number of further troops there is room for and the win chances against
    /// them.
    fn try_extra_troops<T>(
        &mut self,
        terms: ForceSetup,
        ended: BattleHorizon,
        look: impl FnOnce(usize, &mut WinLookup) -> T,
    ) -> T {
        let known = self.followed.iter().position(|(known, _)| *known == terms);
        let place = known.unwrap_or(self.followed.len());
        if known.is_none() {
            self.followed.push((terms, BTreeMap::new()));
        }
        let room = MAX_TROOPS.max(terms.base + 1) - terms.base;
        let staging = &self.staged[terms.staging].staging;
        let known = &mut self.followed[place].1;
        let forces = (staging, terms.force_sizes(room), terms.doctrine);
        let mut trial = BattleSeries::new(forces, ended.rounds, self.dice, known);
        look(room, &mut |extra| {
            let course = trial.wins_against(extra);
            (ended.win_chance(course), course.trials.is_none())
        })
    }

    /// Computes the points of a curve at the numbers of further troops that `look` chooses, in
    /// points per `each` copies.
    fn build_curve(
        &mut self,
        terms: ForceSetup,
        ended: BattleHorizon,
        each: usize,
        look: impl FnOnce(usize, &mut WinLookup) -> Vec<usize>,
    ) -> Vec<BattlePoint> {
        let chosen = self.try_extra_troops(terms, ended, |room, won| {
            let chosen = look(room, won);
            for extra in &chosen {
                won(*extra);
            }
            chosen
        });
        let StagedWeapon { staging, heard, .. } = &self.staged[terms.staging];
        let followed = self.followed.iter().find(|(known, _)| *known == terms);
        let courses = &followed.expect("it was just tried").1;
        let meeting = |extra: &usize| {
            let points =
                *extra as f64 * staging.troop_points - terms.copies as f64 * staging.extra_points;
            let course = &courses[extra];
            // Rolled distributions or rolled battles: the smaller number of trials counts.
            let trials = [heard.trials, course.trials].into_iter().flatten().min();
            BattlePoint { points: points / each as f64, won: ended.win_chance(course), trials }
        };
        // Points below 0 do not exist.
        chosen.iter().map(meeting).filter(|meeting| meeting.points >= 0.0).collect()
    }
}

impl ForceSetup {
    fn force_sizes(&self, most: usize) -> ForceSizes {
        ForceSizes { base: self.base, copies: self.copies, most, draws: self.draws }
    }
}
