//! Every unit of a file as the opponent of every other.
//!
//! A unit becomes reference troops if its fields are fields of a target too, and if it is its own
//! mirror then: with it on both sides the weapon cannot be distinguished from the troops. A gun
//! carried by another unit is no opponent. The setting is that of the first scenario: its
//! distances, its moves, its troops by number. Of very many units a few represent all.

mod classes;

use std::sync::Arc;

use toml::{Table, Value as Toml};

use crate::arsenal::{Arsenal, Weapon};
use crate::battle::encounter::Encounter;
use crate::changes::Changes;
use crate::contests::{Contests, Inquiry};
use crate::doctrine::doctrine;
use crate::evidence::Model;
use crate::gather::{self, Watch, gather};
use crate::lists::ListSettings;
use crate::price::units::MOST;
use crate::price::worth::worth;
use crate::scenario::{self, ATTENTION, DISCOUNT, Scenario};
use crate::staged::is_mirror;
use enfilade_model::error::Error;
use enfilade_model::form::{Field, Form, Kind, Value};
use enfilade_model::weapons::{Setting, Staging, TROOPERS, harm};

/// Points of each of the reference troops: any number, because worths are measured in troops.
const EACH: f64 = 100.0;

/// Units of a file that can appear on both sides.
#[derive(Debug)]
pub struct Opponents {
    /// The file with these units alone, each of them the opponent of one scenario.
    pub arsenal: Arsenal,
    /// Their positions in the file.
    pub units: Vec<usize>,
    /// Positions of the units that could take part and do not, because others represent them.
    pub stood_for: Vec<usize>,
    contests: Contests,
}

impl Opponents {
    /// Collects the units of `arsenal` that can appear on both sides; there may be none.
    pub fn new(arsenal: &Arsenal, settings: &gather::Settings) -> Opponents {
        let system = Arc::clone(&arsenal.system);
        let contests = Contests::new(system, settings.seed, settings.trials, settings.limits)
            .changed(Changes::new(arsenal.change.clone()));
        let first = &arsenal.scenarios[0];
        let met = |weapon: &Weapon| {
            let setting = facing(arsenal, weapon, &first.setting)?;
            let staged = stage(arsenal, weapon, &setting, &contests)?;
            let (name, opponent) = (weapon.name.clone(), weapon.name.clone());
            let points_in_play = None;
            let scenario = Scenario { name, weight: 1.0, points_in_play, opponent, setting };
            is_mirror(&staged).then_some(scenario)
        };
        let met: Vec<Option<Scenario>> = arsenal.weapons.iter().map(met).collect();
        let mut stood_for: Vec<usize> = (0..met.len()).filter(|w| met[*w].is_some()).collect();
        let profiles: Vec<Vec<f64>> = match stood_for.len() > MOST {
            true => stood_for.iter().map(|w| profile(arsenal, *w, &contests)).collect(),
            false => vec![Vec::new(); stood_for.len()],
        };
        let chosen = classes::standing_for(&profiles, MOST);
        let units: Vec<usize> = chosen.iter().map(|at| stood_for[*at]).collect();
        stood_for.retain(|place| !units.contains(place));
        let weapons = units.iter().map(|place| arsenal.weapons[*place].clone()).collect();
        let scenarios = units.iter().filter_map(|place| met[*place].clone()).collect();
        let copy = Arsenal {
            name: arsenal.name.clone(),
            question: None,
            prediction: None,
            system: Arc::clone(&arsenal.system),
            rules: arsenal.rules.clone(),
            change: arsenal.change.clone(),
            assumptions: arsenal.assumptions.clone(),
            weapons,
            scenarios,
            tries: Vec::new(),
            ..*arsenal
        };
        Opponents { arsenal: copy, units, stood_for, contests }
    }

    /// The fire of every unit at every other. `None` if one of them cannot be set up, or there are
    /// none.
    pub fn encounter(&self) -> Option<Encounter> {
        let row = |weapon: &Weapon| -> Option<Vec<Staging>> {
            let at =
                |there: &Scenario| stage(&self.arsenal, weapon, &there.setting, &self.contests);
            self.arsenal.scenarios.iter().map(at).collect()
        };
        let stagings: Vec<_> = self.arsenal.weapons.iter().map(row).collect::<Option<_>>()?;
        (!stagings.is_empty()).then(|| Encounter::from_stagings(&stagings))
    }

    /// Settings for lists of `budget` points, fought under the assumptions of the file.
    pub fn list_settings(&self, budget: f64, seed: u64) -> ListSettings {
        let assumed = self.arsenal.assumed(Model::Default);
        let rounds = self.arsenal.scenarios.first();
        let rounds = rounds.map_or(1, |first| scenario::rounds(&first.setting, &assumed));
        ListSettings {
            seed,
            goes_on: assumed.value(DISCOUNT),
            attention: assumed.value(ATTENTION),
            doctrine: doctrine(&assumed),
            ..ListSettings::new(budget, rounds)
        }
    }

    /// By unit and opponent: the logarithm of the number of opponents that one unit is worth, under
    /// the assumptions of the file.
    ///
    /// # Errors
    /// The errors of [`gather`].
    pub fn worths(
        &self,
        settings: &gather::Settings,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<f64>>, Error> {
        // No single weapon is the question: all are fought in the default case alone.
        let only = Some(self.arsenal.weapons.len());
        let evidence = gather(&self.arsenal, &gather::Settings { only, ..*settings }, watch)?;
        let mut worths = vec![vec![0.0; self.units.len()]; self.units.len()];
        for battle in evidence.battles.iter().filter(|battle| battle.model == Model::Default) {
            let log = worth(&battle.curve).map_or(0.0, |worth| worth.log - EACH.ln());
            worths[battle.weapon][battle.scenario] = log;
        }
        Ok(worths)
    }
}

/// Harm below which a unit counts as harmless.
const LEAST_HARM: f64 = 1e-3;

/// Logarithms of the harm that a unit does and takes in each round of each scenario of the file.
fn profile(arsenal: &Arsenal, weapon: usize, contests: &Contests) -> Vec<f64> {
    let staged = arsenal
        .scenarios
        .iter()
        .flat_map(|there| stage(arsenal, &arsenal.weapons[weapon], &there.setting, contests));
    let both = staged.flat_map(|staging| {
        let rounds = staging.rounds.iter();
        let each = rounds.flat_map(|round| {
            let done = harm(round.weapon_shots, &round.by_weapon, &staging.troops);
            [done, harm(round.troop_shots, &round.on_weapon, &staging.weapon)]
        });
        each.map(|harm| harm.max(LEAST_HARM).ln()).collect::<Vec<_>>()
    });
    both.collect()
}

fn stage(
    arsenal: &Arsenal,
    weapon: &Weapon,
    there: &Setting,
    contests: &Contests,
) -> Option<Staging> {
    let own = scenario::own(&*arsenal.rules, &arsenal.assumed(Model::Default));
    arsenal.rules.stage(weapon.profile(), there, &own, &Inquiry::of(contests)).ok()
}

/// A setting in which the reference troops are of the kind of a weapon. `None` if its fields do not
/// describe a target.
fn facing(arsenal: &Arsenal, weapon: &Weapon, there: &Setting) -> Option<Setting> {
    let scenario = scenario::fields(&*arsenal.rules);
    let Kind::Table(fields) = &scenario.get("target")?.kind else { return None };
    let mut target = Table::new();
    for field in fields.iter() {
        let value = match &*field.name {
            "troopers" => {
                Some(Toml::from((there.troopers() as i64).clamp(TROOPERS.low, TROOPERS.high)))
            }
            "points_each" => Some(Toml::from(EACH as i64)),
            name => weapon.form.get(name).map(Toml::from).or_else(|| named(field, &weapon.name)),
        };
        if let Some(value) = value {
            target.insert(field.name.to_string(), value);
        }
    }
    let target = Form::fill(fields, &target).ok()?;
    let entries = there.form.entries().map(|(name, value)| match &**name {
        "target" => (name.clone(), Value::Table(target.clone())),
        _ => (name.clone(), value.clone()),
    });
    Some(Setting { form: Form::from_entries(entries.collect()), ..there.clone() })
}

/// The value that names a weapon, if a field of a target takes names.
fn named(field: &Field, name: &str) -> Option<Toml> {
    let holds = match &field.kind {
        Kind::Text => field.name == "unit",
        Kind::Name(names) | Kind::Row(names, _) => names.list().find(name).is_some(),
        Kind::Choice(words) => words.iter().any(|word| word == name),
        _ => false,
    };
    holds.then(|| Toml::from(name))
}
