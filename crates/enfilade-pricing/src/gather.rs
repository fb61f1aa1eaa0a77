//! From an arsenal to its evidence: every weapon in every scenario under every case of the
//! assumptions.
//!
//! Work is shared out over weapons and scenarios on the threads of the current rayon pool and put
//! together in their order; every number is summed by one thread in a fixed order, so the evidence
//! does not depend on the threads.

mod remarks;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::arsenal::Arsenal;
use super::battle::encounter::Doctrine;
use super::battle::rolled::AllDice;
use super::battle::{Muster, discounted};
use super::changes::Changes;
use super::contests::{Contests, Heard, Inquiry};
use super::doctrine::doctrine;
use super::evidence::{Battle, Evidence, Meeting, Model, Note, PricedWeapon, ScenarioFacts};
use super::scenario::{self, ATTENTION, DISCOUNT};
use super::staged::{fires, is_mirror, threat};
use super::trial::{self, Course, Trial, Won};
pub use super::watch::{Fought, Unwatched, Watch};
use enfilade_engine::graph::Limits;
use enfilade_model::error::Error;
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{Fault, name_matching};
use enfilade_model::shared::Text;
use enfilade_model::weapons::{Assumed, Exchange, Staging};
use remarks::{never, remarks};

/// Settings of the battles.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
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
pub fn named(arsenal: &Arsenal, name: &str) -> Result<usize, String> {
    let names = || arsenal.weapons.iter().map(|weapon| weapon.name.as_str());
    let same = |known: &str| name_matching::key(known) == name_matching::key(name);
    names().position(same).ok_or_else(|| {
        let near = name_matching::nearest(name, names());
        let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        format!("there is no weapon \"{}\" in the arsenal{near}", shown(name))
    })
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 1, trials: 1_000_000, limits: Limits::default(), only: None }
    }
}

/// Copies of a weapon that fight together, beside one alone.
const TOGETHER: usize = 8;

/// The largest number of reference troops on one side.
const MUSTERED: usize = 60;

/// Fights every battle of `arsenal`.
///
/// # Errors
/// [`Error::Interrupted`] if the observer stops the work; [`Error::Usage`] if a weapon cannot be
/// set up in a scenario, which the reading of an arsenal has ruled out as far as it can.
pub fn gather(
    arsenal: &Arsenal,
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Evidence, Error> {
    let contests =
        Contests::new(Arc::clone(&arsenal.system), settings.seed, settings.trials, settings.limits)
            .changed(Changes::new(arsenal.change.clone()));
    let places = (0..arsenal.weapons.len())
        .flat_map(|weapon| (0..arsenal.scenarios.len()).map(move |scenario| (weapon, scenario)));
    let places: Vec<_> = places.collect();
    let dice = AllDice::new(settings.seed);
    let fight = |&(weapon, scenario): &(usize, usize)| {
        if !watch.go_on() {
            return Err(Error::Interrupted("no price was found".into()));
        }
        let fought = match watch.known(weapon, scenario) {
            // Fought before and equal in all its inputs: a studio keeps battles from one pricing to
            // the next.
            Some(known) => known,
            None => {
                let mut corner = Corner::new(arsenal, weapon, scenario, &dice);
                corner.brief = settings.only.is_some_and(|only| only != weapon);
                corner.alone = settings.only == Some(weapon);
                let fought = (corner.battles(&contests)?, corner.notes());
                watch.learnt(weapon, scenario, &fought);
                fought
            }
        };
        watch.fought(weapon, scenario);
        fought.0.first().into_iter().for_each(|battle| watch.first(battle));
        Ok(fought)
    };
    let fought: Result<Vec<Fought>, Error> = places.par_iter().map(fight).collect();
    let (battles, notes): (Vec<Vec<Battle>>, Vec<Vec<Note>>) = fought?.into_iter().unzip();
    let battles: Vec<Battle> = battles.into_iter().flatten().collect();
    Ok(Evidence {
        remarks: remarks(arsenal, &battles),
        weapons: arsenal.weapons.iter().map(|weapon| priced(arsenal, weapon)).collect(),
        scenarios: arsenal.scenarios.iter().map(facts).collect(),
        assumptions: arsenal.assumptions.clone(),
        battles,
        exchange: exchange(arsenal, &contests)?,
        never: never(arsenal),
        notes: notes.into_iter().flatten().collect(),
    })
}

fn priced(arsenal: &Arsenal, weapon: &super::arsenal::Weapon) -> PricedWeapon {
    let short =
        |there: &scenario::Scenario| arsenal.rules.shortfall(weapon.profile(), &there.setting);
    let short: Option<indexmap::IndexSet<String>> = arsenal.scenarios.iter().map(short).collect();
    PricedWeapon {
        shortfalls: short.into_iter().flatten().collect(),
        name: weapon.name.clone(),
        price: weapon.price,
        unseen: weapon.nature.unseen.as_ref().map(Text::to_string),
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

/// Computes the exchange rate of the arsenal: that of its scenarios by their weights.
fn exchange(arsenal: &Arsenal, contests: &Contests) -> Result<Exchange, Error> {
    let assumed = arsenal.assumed(Model::Default);
    let (mut pin, mut broken, mut weights) = (None, None, 0.0);
    for scenario in &arsenal.scenarios {
        let there = &scenario.setting;
        let activations = scenario::rounds(there, &assumed);
        let asked = Inquiry::of(contests);
        let own = scenario::own(&*arsenal.rules, &assumed);
        let rate = arsenal.rules.exchange(there, &own, activations, &asked);
        let rate = rate.map_err(unstaged)?;
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
    weapon: usize,
    scenario: usize,
    /// Battle set-ups of the weapon, each under other assumptions.
    staged: Vec<Staged>,
    /// Battles followed so far, by further troops: many cases end the same battle differently.
    followed: Vec<(Terms, BTreeMap<usize, Course>)>,
    /// The dice of battles that are rolled.
    dice: &'a AllDice,
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
struct Staged {
    /// The values of the rulebook's assumptions that it is built from.
    assumed: Assumed,
    staging: Staging,
    heard: Heard,
}

/// Set-up and sizes of the forces that meet.
#[derive(Clone, Copy, PartialEq)]
struct Terms {
    /// Position in [`Corner::staged`].
    staging: usize,
    base: usize,
    copies: usize,
    draws: f64,
    doctrine: Doctrine,
}

/// The length of a battle and its chance to go on.
#[derive(Clone, Copy)]
struct Ended {
    rounds: usize,
    goes_on: f64,
}

impl Ended {
    fn won(self, course: &Course) -> f64 {
        discounted(&course.won[..self.rounds], self.goes_on)
    }
}

/// Lists the cases of `assumptions`: the default, then each assumption moved to either end.
fn models(assumptions: usize) -> Vec<Model> {
    let moved = (0..assumptions).flat_map(|place| [Model::Low(place), Model::High(place)]);
    std::iter::once(Model::Default).chain(moved).collect()
}

impl<'a> Corner<'a> {
    fn new(arsenal: &'a Arsenal, weapon: usize, scenario: usize, dice: &'a AllDice) -> Corner<'a> {
        Corner {
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
    fn battles(&mut self, contests: &Contests) -> Result<Vec<Battle>, Error> {
        let mut battles = Vec::new();
        let all = if self.brief { 0 } else { self.arsenal.assumptions.len() };
        for model in models(all) {
            battles.push(self.battle(contests, model)?);
        }
        Ok(battles)
    }

    /// Remarks of its contests, each once.
    fn notes(&self) -> Vec<Note> {
        let heard = self.staged.iter().flat_map(|staged| &staged.heard.notes);
        let texts: indexmap::IndexSet<&String> = heard.collect();
        let note = |text: &String| Note {
            weapon: self.weapon,
            scenario: self.scenario,
            text: text.clone(),
        };
        texts.into_iter().map(note).collect()
    }

    /// Runs the battle in case `model`; the default one sets the number of copies that replace one
    /// weapon, and the starting point of the others.
    fn battle(&mut self, contests: &Contests, model: Model) -> Result<Battle, Error> {
        let there = &self.arsenal.scenarios[self.scenario].setting;
        let assumed = self.arsenal.assumed(model);
        let mut terms = self.terms(contests, &assumed)?;
        let ended =
            Ended { rounds: scenario::rounds(there, &assumed), goes_on: assumed.value(DISCOUNT) };
        let (mut together, mut silent) = (Vec::new(), Vec::new());
        let curve = if model == Model::Default {
            self.copies = self.tried(terms, ended, |_, won| trial::copies(won));
            terms.copies = self.copies;
            let mut half = 0;
            let curve = self.curve(terms, ended, terms.copies, |room, won| {
                let points = trial::whole(room, won);
                half =
                    points.iter().copied().filter(|&extra| won(extra).0 > 0.5).max().unwrap_or(0);
                points
            });
            self.half = half;
            if !self.brief {
                silent = self.silent(terms, ended, assumed.value(ATTENTION));
                together = self.together(terms, ended);
            }
            curve
        } else {
            let half = self.half;
            self.curve(terms, ended, terms.copies, |room, won| trial::near(half, room, won))
        };
        let staging = &self.staged[terms.staging].staging;
        Ok(Battle {
            weapon: self.weapon,
            scenario: self.scenario,
            model,
            curve,
            copies: together,
            silent,
            fires: fires(staging),
            denied: self.arsenal.rules.denied(staging, there),
            mirror: is_mirror(staging),
        })
    }

    /// Sets up the weapon, unless that was done under the same assumptions.
    fn terms(&mut self, contests: &Contests, assumed: &Assumed) -> Result<Terms, Error> {
        let there = &self.arsenal.scenarios[self.scenario].setting;
        let weapon = &self.arsenal.weapons[self.weapon];
        let rules = &*self.arsenal.rules;
        let own = scenario::own(rules, assumed);
        let known = self.staged.iter().position(|known| known.assumed == own);
        let place = known.unwrap_or(self.staged.len());
        if known.is_none() {
            let asked = Inquiry::of(contests);
            let staging = rules.stage(weapon.profile(), there, &own, &asked);
            self.staged.push(Staged {
                staging: staging.map_err(unstaged)?,
                assumed: own,
                heard: asked.heard(),
            });
        }
        // An assumption that does not affect this weapon here gives the same battle.
        let new = &self.staged[place].staging;
        let same = self.staged.iter().position(|known| known.staging == *new);
        let place = same.unwrap_or(place);
        let threat = threat(&self.staged[place].staging);
        Ok(Terms {
            staging: place,
            base: scenario::base(there, assumed),
            copies: self.copies,
            draws: threat.powf(assumed.value(ATTENTION)),
            doctrine: doctrine(assumed),
        })
    }

    /// The curve of a copy of the weapon that never fires.
    fn silent(&mut self, terms: Terms, ended: Ended, power: f64) -> Vec<Meeting> {
        let mut staged = self.staged[terms.staging].clone();
        staged.staging.rounds.iter_mut().for_each(|round| round.weapon_shots = 0);
        let draws = threat(&staged.staging).powf(power);
        self.staged.push(staged);
        let alone = Terms { staging: self.staged.len() - 1, copies: 1, draws, ..terms };
        let copies = self.tried(alone, ended, |_, won| trial::copies(won));
        let terms = Terms { copies, ..alone };
        self.curve(terms, ended, copies, |room, won| trial::near(trial::ALONE, room, won))
    }

    /// The curve of several copies together; none where as many already fight in place of one, where more troops would
    /// be needed than there is room for, or where battles would be rolled for a weapon among many.
    fn together(&mut self, terms: Terms, ended: Ended) -> Vec<Meeting> {
        let start = self.half * TOGETHER / terms.copies;
        let eight = Terms { copies: TOGETHER, ..terms };
        let exact = || {
            let staging = &self.staged[terms.staging].staging;
            trial::is_exact((staging, eight.muster(start), eight.doctrine), start)
        };
        if terms.copies > TOGETHER || terms.base + start > MUSTERED || !(self.alone || exact()) {
            return Vec::new();
        }
        self.curve(eight, ended, 1, |room, won| trial::near(start, room, won))
    }

    /// Runs `look` with the number of further troops there is room for and the win chances against
    /// them.
    fn tried<T>(
        &mut self,
        terms: Terms,
        ended: Ended,
        look: impl FnOnce(usize, &mut Won) -> T,
    ) -> T {
        let known = self.followed.iter().position(|(known, _)| *known == terms);
        let place = known.unwrap_or(self.followed.len());
        if known.is_none() {
            self.followed.push((terms, BTreeMap::new()));
        }
        let room = MUSTERED.max(terms.base + 1) - terms.base;
        let staging = &self.staged[terms.staging].staging;
        let known = &mut self.followed[place].1;
        let forces = (staging, terms.muster(room), terms.doctrine);
        let mut trial = Trial::new(forces, ended.rounds, self.dice, known);
        look(room, &mut |extra| {
            let course = trial.course(extra);
            (ended.won(course), course.trials.is_none())
        })
    }

    /// Computes the points of a curve at the numbers of further troops that `look` chooses, in
    /// points per `each` copies.
    fn curve(
        &mut self,
        terms: Terms,
        ended: Ended,
        each: usize,
        look: impl FnOnce(usize, &mut Won) -> Vec<usize>,
    ) -> Vec<Meeting> {
        let chosen = self.tried(terms, ended, |room, won| {
            let chosen = look(room, won);
            for extra in &chosen {
                won(*extra);
            }
            chosen
        });
        let Staged { staging, heard, .. } = &self.staged[terms.staging];
        let followed = self.followed.iter().find(|(known, _)| *known == terms);
        let courses = &followed.expect("it was just tried").1;
        let meeting = |extra: &usize| {
            let points = *extra as f64 * staging.troop_points - terms.copies as f64 * staging.paid;
            let course = &courses[extra];
            // Rolled distributions or rolled battles: the smaller number of trials counts.
            let trials = [heard.trials, course.trials].into_iter().flatten().min();
            Meeting { points: points / each as f64, won: ended.won(course), trials }
        };
        // Points below 0 do not exist.
        chosen.iter().map(meeting).filter(|meeting| meeting.points >= 0.0).collect()
    }
}

impl Terms {
    fn muster(&self, most: usize) -> Muster {
        Muster { base: self.base, copies: self.copies, most, draws: self.draws }
    }
}
