//! Every unit of a file as the opponent of every other.
//!
//! A unit becomes reference troops if its fields are fields of a target too, and if it is its own
//! mirror then: with it on both sides the weapon cannot be distinguished from the troops. A gun
//! carried by another unit is no opponent. The setting is that of the first scenario: its
//! distances, its moves, its troops by number. Of very many units a few represent all.

mod unit_classes;

use toml::{Table, Value as Toml};

use crate::army_lists::ListBattleSettings;
use crate::arsenal::{Arsenal, ArsenalWeapon};
use crate::battle::encounter::UnitKindsEncounter;
use crate::battle_runs::{self, BattleObserver, run_battles};
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
    pub fn new(arsenal: &Arsenal, settings: &battle_runs::BattleSettings) -> UnitsForEitherSide {
        let contests = ContestCache::new(arsenal, settings);
        let first = &arsenal.scenarios[0];
        let met = |weapon: &ArsenalWeapon| {
            let setting = scenario_against_weapon_kind(arsenal, weapon, &first.setting)?;
            let staged = set_up_in_default_case(arsenal, weapon, &setting, &contests)?;
            let (name, opponent) = (weapon.name.clone(), weapon.name.clone());
            let weights =
                ScenarioForStatistics { name, weight: 1.0, points_in_play: None, opponent };
            fights_like_troops(&staged).then_some(Scenario { weights, setting })
        };
        let met: Vec<Option<Scenario>> = arsenal.weapons.iter().map(met).collect();
        let mut stood_for: Vec<usize> = (0..met.len()).filter(|w| met[*w].is_some()).collect();
        let profiles: Vec<Vec<f64>> = match stood_for.len() > MAX_UNITS_ALL_MEET_ALL {
            true => {
                stood_for.iter().map(|w| log_harm_done_and_taken(arsenal, *w, &contests)).collect()
            }
            false => vec![Vec::new(); stood_for.len()],
        };
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
        let row = |weapon: &ArsenalWeapon| -> Option<Vec<BattleSetup>> {
            let at = |there: &Scenario| {
                set_up_in_default_case(&self.arsenal, weapon, &there.setting, &self.contests)
            };
            self.arsenal.scenarios.iter().map(at).collect()
        };
        let stagings: Vec<_> = self.arsenal.weapons.iter().map(row).collect::<Option<_>>()?;
        (!stagings.is_empty()).then(|| UnitKindsEncounter::from_pairwise_setups(&stagings))
    }

    /// Settings for lists of `budget` points, fought under the assumptions of the file.
    pub fn settings_for_list_battle(&self, budget: f64, seed: u64) -> ListBattleSettings {
        let assumed = self.arsenal.assumptions_in_case(AssumptionCase::Default);
        let rounds = self.arsenal.scenarios.first();
        let rounds = rounds
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
        settings: &battle_runs::BattleSettings,
        watch: &dyn BattleObserver,
    ) -> Result<Vec<Vec<f64>>, PricingError> {
        // No single weapon is the question: all are fought in the default case alone.
        let only = Some(self.arsenal.weapons.len());
        let evidence =
            run_battles(&self.arsenal, &battle_runs::BattleSettings { only, ..*settings }, watch)?;
        let mut worths = vec![vec![0.0; self.units.len()]; self.units.len()];
        for battle in evidence.default_battles() {
            let log = fit_worth_to_curve(&battle.curve)
                .map_or(0.0, |worth| worth.log - REFERENCE_POINTS.ln());
            worths[battle.weapon][battle.scenario] = log;
        }
        Ok(worths)
    }
}

/// Harm below which a unit counts as harmless.
const MIN_NOTICEABLE_HARM: f64 = 1e-3;

/// Logarithms of the harm that a unit does and takes in each round of each scenario of the file.
fn log_harm_done_and_taken(arsenal: &Arsenal, weapon: usize, contests: &ContestCache) -> Vec<f64> {
    let staged = arsenal.scenarios.iter().flat_map(|there| {
        set_up_in_default_case(arsenal, &arsenal.weapons[weapon], &there.setting, contests)
    });
    let both = staged.flat_map(|staging| {
        let rounds = staging.rounds.iter();
        let each = rounds.flat_map(|round| {
            let mean_harm =
                expected_loss_share_of_shots(round.weapon_shots, &round.by_weapon, &staging.troops);
            [
                mean_harm,
                expected_loss_share_of_shots(round.troop_shots, &round.on_weapon, &staging.weapon),
            ]
        });
        each.map(|harm| harm.max(MIN_NOTICEABLE_HARM).ln()).collect::<Vec<_>>()
    });
    both.collect()
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
    there: &PricingScenario,
) -> Option<PricingScenario> {
    let scenario = scenario::all_scenario_fields(&*arsenal.rules);
    let FieldType::Table(fields) = &scenario.get("target")?.kind else { return None };
    let mut target = Table::new();
    for field in fields.iter() {
        let value = match &*field.name {
            "troopers" => Some(Toml::from(
                (there.trooper_count() as i64)
                    .clamp(TROOPER_COUNT_RANGE.low, TROOPER_COUNT_RANGE.high),
            )),
            "points_each" => Some(Toml::from(REFERENCE_POINTS as i64)),
            name => weapon
                .form
                .get(name)
                .map(Toml::from)
                .or_else(|| weapon_name_value(field, &weapon.name)),
        };
        if let Some(value) = value {
            target.insert(field.name.to_string(), value);
        }
    }
    let target = Form::from_table_with_defaults(fields, &target).ok()?;
    let entries = there.form.fields_with_values().map(|(name, value)| match &**name {
        "target" => (name.clone(), Value::Table(target.clone())),
        _ => (name.clone(), value.clone()),
    });
    Some(PricingScenario { form: Form::from_checked_entries(entries.collect()), ..there.clone() })
}

/// The value that names a weapon, if a field of a target takes names.
fn weapon_name_value(field: &Field, name: &str) -> Option<Toml> {
    let default_name = match &field.kind {
        FieldType::Text => field.name == "unit",
        FieldType::Name(names) | FieldType::Row(names, _) => {
            names.name_list().find_ignoring_case_and_marks(name).is_some()
        }
        FieldType::Choice(words) => words.iter().any(|word| word == name),
        _ => false,
    };
    default_name.then(|| Toml::from(name))
}
