//! Every unit of a file as the opponent of every other.
//!
//! A unit becomes reference troops if its fields are fields of a target too, and if it is its own
//! mirror then: with it on both sides the weapon cannot be distinguished from the troops. A gun
//! carried by another unit is no opponent. The setting is that of the first scenario: its
//! distances, its moves, its troops by number. Of very many units a few represent all.

mod unit_classes;

use toml::Value as Toml;

use crate::army_lists::ListBattleSettings;
use crate::arsenal::{Arsenal, ArsenalWeapon};
use crate::battle::encounter::UnitKindsEncounter;
use crate::battle_runs::{BattleObserver, BattleSettings, run_battles};
use crate::contest_cache::ContestCache;
use crate::doctrine::doctrine_from_assumptions;
use crate::error::PricingError;
use crate::evidence::{AssumptionCase, ScenarioForStatistics};
use crate::price::unit_comparison::MAX_UNITS_ALL_MEET_ALL;
use crate::price::worth::fit_worth_to_curve;
use crate::scenario::{self, ATTENTION_ASSUMPTION, GOES_ON_ASSUMPTION, Scenario};
use crate::staged_weapons::fights_like_troops;
use enfilade_model::form::{Field, FieldType, Form, Value};
use enfilade_model::weapons::{
    BattleSetup, PricingScenario, TROOPER_COUNT_RANGE, expected_loss_share_of_shots,
};

/// Points of each of the reference troops: any number, because worths are measured in troops.
const REFERENCE_POINTS: f64 = 100.0;

/// Units of a file that can appear on both sides.
#[derive(Debug)]
pub struct UnitsForEitherSide {
    /// The file with these units alone, each of them the opponent of one scenario.
    pub arsenal: Arsenal,
    /// Their positions in the file.
    pub units: Vec<usize>,
    /// Positions of the units that could take part and do not, because others represent them.
    pub stood_for: Vec<usize>,
    contests: ContestCache,
}

impl UnitsForEitherSide {
    /// Collects the units of `arsenal` that can appear on both sides; there may be none.
    pub fn new(arsenal: &Arsenal, settings: &BattleSettings) -> UnitsForEitherSide {
        let contests = arsenal.new_contest_cache(settings);
        let met = |weapon: &ArsenalWeapon| {
            let setting = scenario_against_weapon_kind(arsenal, weapon)?;
            let staged = set_up_in_default_case(arsenal, weapon, &setting, &contests)?;
            let (name, opponent) = (weapon.name.clone(), weapon.name.clone());
            let weights =
                ScenarioForStatistics { name, weight: 1.0, points_in_play: None, opponent };
            fights_like_troops(&staged).then_some(Scenario { weights, setting })
        };
        let met: Vec<Option<Scenario>> = arsenal.weapons.iter().map(met).collect();
        let mut stood_for: Vec<usize> = (0..met.len()).filter(|w| met[*w].is_some()).collect();
        let profile = |w: &usize| match stood_for.len() > MAX_UNITS_ALL_MEET_ALL {
            true => log_harm_done_and_taken(arsenal, &arsenal.weapons[*w], &contests),
            false => Vec::new(),
        };
        let profiles: Vec<Vec<f64>> = stood_for.iter().map(profile).collect();
        let chosen = unit_classes::pick_representative_profiles(&profiles, MAX_UNITS_ALL_MEET_ALL);
        let units: Vec<usize> = chosen.iter().map(|at| stood_for[*at]).collect();
        stood_for.retain(|place| !units.contains(place));
        let weapons = units.iter().map(|place| arsenal.weapons[*place].clone()).collect();
        let scenarios = units.iter().filter_map(|place| met[*place].clone()).collect();
        let copy = Arsenal { weapons, scenarios, tries: Vec::new(), ..arsenal.clone() };
        UnitsForEitherSide { arsenal: copy, units, stood_for, contests }
    }

    /// The fire of every unit at every other. `None` if one of them cannot be set up, or there are
    /// none.
    pub fn fire_between_all_units(&self) -> Option<UnitKindsEncounter> {
        let Arsenal { weapons, scenarios, .. } = &self.arsenal;
        let set_up = |weapon, there: &Scenario| {
            set_up_in_default_case(&self.arsenal, weapon, &there.setting, &self.contests)
        };
        let row = |weapon| scenarios.iter().map(|there| set_up(weapon, there)).collect();
        let stagings: Vec<Vec<_>> = weapons.iter().map(row).collect::<Option<_>>()?;
        (!stagings.is_empty()).then(|| UnitKindsEncounter::from_pairwise_setups(&stagings))
    }

    /// Settings for lists of `budget` points, fought under the assumptions of the file.
    pub fn settings_for_list_battle(&self, budget: f64, seed: u64) -> ListBattleSettings {
        let assumed = self.arsenal.assumptions_in_case(AssumptionCase::Default);
        let rounds = self
            .arsenal
            .scenarios
            .first()
            .map_or(1, |first| scenario::side_activations_in_battle(&first.setting, &assumed));
        ListBattleSettings {
            seed,
            goes_on: assumed.value(GOES_ON_ASSUMPTION),
            attention: assumed.value(ATTENTION_ASSUMPTION),
            doctrine: doctrine_from_assumptions(&assumed),
            ..ListBattleSettings::for_budget_and_rounds(budget, rounds)
        }
    }

    /// By unit and opponent: the logarithm of the number of opponents that one unit is worth, under
    /// the assumptions of the file.
    ///
    /// # Errors
    /// The errors of [`run_battles`].
    pub fn log_worths_by_opponent(
        &self,
        settings: &BattleSettings,
        watch: &dyn BattleObserver,
    ) -> Result<Vec<Vec<f64>>, PricingError> {
        // No single weapon is the question: all are fought in the default case alone.
        let settings = BattleSettings { only: Some(self.arsenal.weapons.len()), ..*settings };
        let evidence = run_battles(&self.arsenal, &settings, watch)?;
        let mut worths = vec![vec![0.0; self.units.len()]; self.units.len()];
        for battle in evidence.default_battles() {
            let worth = fit_worth_to_curve(&battle.curve);
            worths[battle.weapon][battle.scenario] =
                worth.map_or(0.0, |worth| worth.log - REFERENCE_POINTS.ln());
        }
        Ok(worths)
    }
}

/// Harm below which a unit counts as harmless.
const MIN_NOTICEABLE_HARM: f64 = 1e-3;

/// Logarithms of the harm that a unit does and takes in each round of each scenario of the file.
fn log_harm_done_and_taken(
    arsenal: &Arsenal,
    weapon: &ArsenalWeapon,
    contests: &ContestCache,
) -> Vec<f64> {
    let mut logs = Vec::new();
    for there in &arsenal.scenarios {
        let staging = set_up_in_default_case(arsenal, weapon, &there.setting, contests);
        let Some(BattleSetup { troops, weapon, rounds, .. }) = staging else { continue };
        for round in rounds {
            let done = expected_loss_share_of_shots(round.weapon_shots, &round.by_weapon, &troops);
            let taken = expected_loss_share_of_shots(round.troop_shots, &round.on_weapon, &weapon);
            logs.extend([done, taken].map(|harm| harm.max(MIN_NOTICEABLE_HARM).ln()));
        }
    }
    logs
}

fn set_up_in_default_case(
    arsenal: &Arsenal,
    weapon: &ArsenalWeapon,
    there: &PricingScenario,
    contests: &ContestCache,
) -> Option<BattleSetup> {
    let own = arsenal.values_of_rulebook_assumptions(AssumptionCase::Default);
    Some(arsenal.set_up_weapon(weapon, there, &own, contests).ok()?.0)
}

/// A setting in which the reference troops are of the kind of a weapon. `None` if its fields do not
/// describe a target.
fn scenario_against_weapon_kind(
    arsenal: &Arsenal,
    weapon: &ArsenalWeapon,
) -> Option<PricingScenario> {
    let there = &arsenal.scenarios[0].setting;
    let scenario = scenario::all_scenario_fields(&*arsenal.rules);
    let FieldType::Table(fields) = &scenario.get("target")?.kind else { return None };
    let troopers = there.trooper_count() as i64;
    let value = |field: &Field| match &*field.name {
        "troopers" => {
            Some(Toml::from(troopers.clamp(TROOPER_COUNT_RANGE.low, TROOPER_COUNT_RANGE.high)))
        }
        "points_each" => Some(Toml::from(REFERENCE_POINTS as i64)),
        name => match weapon.form.get(name) {
            Some(value) => Some(Toml::from(value)),
            None => names_weapon(field, &weapon.name).then(|| Toml::from(&*weapon.name)),
        },
    };
    let target = fields.iter().filter_map(|field| Some((field.name.to_string(), value(field)?)));
    let target = Form::from_table_with_defaults(fields, &target.collect()).ok()?;
    let entries = there.form.fields_with_values().map(|(name, value)| match &**name {
        "target" => (name.clone(), Value::Table(target.clone())),
        _ => (name.clone(), value.clone()),
    });
    Some(PricingScenario { form: Form::from_checked_entries(entries.collect()), ..there.clone() })
}

/// Whether a field of a target takes the name of a weapon.
fn names_weapon(field: &Field, name: &str) -> bool {
    match &field.kind {
        FieldType::Text => field.name == "unit",
        FieldType::Name(names) | FieldType::Row(names, _) => {
            names.name_list().find_ignoring_case_and_marks(name).is_some()
        }
        FieldType::Choice(words) => words.iter().any(|word| word == name),
        _ => false,
    }
}
