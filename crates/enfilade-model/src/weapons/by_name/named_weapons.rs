//! Battle setup for a weapon of a rulebook that names its attack, weapon, target and losses.

use indexmap::IndexSet;
use toml::{Table, Value as Toml};

use super::arsenal_fields::{
    MostAndMeanAttackLosses, as_optional_single_entry, battlefield_fields_of_actions,
    insert_at_path, reference_troop_fields, top_level_field, with_label_in_words,
};
use super::price_names::{
    ActionNameAndFields, MoraleRecovery, PricingFieldNames, RECORD_COUNT_FIELD,
    uses_printed_columns,
};
use super::starter_arsenal::starter_arsenal_text;
use crate::form::{Field, FieldType, Fields, Form, ROW_NAME, Value};
use crate::static_or_shared::Text;
use crate::weapons::{
    AssumptionSpec, AssumptionValues, BattleSetup, BattleUnit, ContestDistributionSource,
    ContestOutcomeDistribution, FaultResult, LivingUnitCondition, PricingRules, PricingScenario,
    RANGE, RoundFire, ShotEffect, WeaponWithoutItsPrice, effect_of_kill_chance, fault_prefixer,
    reference_trooper_points, unknown_weapon,
};

/// Weapons of a rulebook that names its attack, weapon, target and losses.
pub struct PricingByNamedFields {
    names: PricingFieldNames,
    weapon: Fields,
    scenario: Fields,
    assumptions: Vec<AssumptionSpec>,
    /// Names of the fields that describe the place of the battle.
    circumstances: Vec<Text>,
}

/// Returns the first parts of `names`, each once, in their order.
fn top_level_names(names: &[Text]) -> IndexSet<&str> {
    names.iter().map(|name| top_level_field(name)).collect()
}

impl PricingByNamedFields {
    /// Creates the pricing rules; `None` where an attack lacks one of the named fields.
    pub fn new(said: PricingFieldNames) -> Option<PricingByNamedFields> {
        let first = &said.attack.first()?.fields;
        let all = |names: &[Text]| -> Option<Vec<Field>> {
            top_level_names(names)
                .into_iter()
                .map(|name| Some(as_optional_single_entry(first.get(name)?)))
                .collect()
        };
        let (carried, aimed_at) = (all(&said.weapon)?, all(&said.target)?);
        let own: Vec<Field> = carried.iter().chain(&aimed_at).cloned().collect();
        let mut scenario: Vec<Field> = said.distance.iter().map(|_| RANGE).collect();
        let about = "the reference troops of both sides";
        let troops = FieldType::Table(Fields::from(reference_troop_fields(&own)));
        scenario.push(with_label_in_words(Field::new_required("target", troops, about)));
        let rest = battlefield_fields_of_actions(&said, &own);
        let circumstances = rest.iter().map(|field| field.name.clone()).collect();
        scenario.extend(rest);
        let assumed = said.nerve.iter().filter_map(|nerve| match &nerve.back {
            MoraleRecovery::Assumed(preset) => Some(preset.clone()),
            MoraleRecovery::Test(..) => None,
        });
        let mut arms = PricingByNamedFields {
            assumptions: assumed.collect(),
            weapon: own.into(),
            scenario: scenario.into(),
            circumstances,
            names: said,
        };
        arms.names.ready =
            starter_arsenal_text(&arms.names, arms.weapon_names_with_field_path()).into();
        Some(arms)
    }

    fn find_field_at_path(&self, path: &str) -> Option<&Field> {
        self.names.attack.iter().find_map(|attack| attack.fields.find_field_at_path(path))
    }

    /// Returns the names of the weapons, and the path of the field that contains them.
    fn weapon_names_with_field_path(&self) -> Option<(&str, Vec<&str>)> {
        self.names.weapon.iter().find_map(|path| match &self.find_field_at_path(path)?.kind {
            FieldType::Row(names, _) | FieldType::Name(names) => {
                Some((&**path, names.name_list().iter().collect()))
            }
            _ => None,
        })
    }

    /// Returns the printed name of a weapon: the value of its field, or its own name.
    fn printed_name_of_weapon<'a>(&self, name: &'a str, form: &'a Form) -> &'a str {
        let Some((path, _)) = self.weapon_names_with_field_path() else { return name };
        let inner = path.split_once('.').map_or(ROW_NAME, |(_, leaf)| leaf);
        let printed_name = match form.get(top_level_field(path)) {
            Some(Value::Table(form)) => form.get(inner),
            printed_name => printed_name,
        };
        match printed_name {
            Some(Value::Text(row)) => row,
            _ => name,
        }
    }

    /// Solves one attack by the weapon of a form on the target of another form.
    fn solve_losses(
        &self,
        by: (&str, &Form),
        at: &Form,
        there: &AttackSettingWithNerve,
    ) -> FaultResult<MostAndMeanAttackLosses> {
        let mut refused = Vec::new();
        // The actions are alternatives; only the last one's faults are reported.
        for attack in &self.names.attack {
            let contest = self.build_attack_form(attack, by, at, there);
            match there.rules.distribution_of(&attack.name, &contest) {
                Ok(law) => return Ok(self.losses_of_distribution(&law)),
                Err(faults) => refused = faults,
            }
        }
        Err(refused)
    }

    fn build_attack_form(
        &self,
        attack: &ActionNameAndFields,
        by: (&str, &Form),
        at: &Form,
        there: &AttackSettingWithNerve,
    ) -> Table {
        let mut contest = self.scenario_values_for_action(there.setting, &attack.fields);
        self.set_firer_weapon(&mut contest, by);
        self.set_targets_and_count(&mut contest, at, there.stand);
        if let (Some(distance), Some(range)) = (&self.names.distance, there.range) {
            insert_at_path(&mut contest, distance, range.into());
        }
        if let Some(nerve) = &self.names.nerve {
            let marks = [
                (&nerve.firer_shaken_field, there.is_firer_shaken),
                (&nerve.target_shaken_field, there.is_target_shaken),
            ];
            for (field, _) in marks.into_iter().filter(|(_, lost)| *lost) {
                field.iter().for_each(|field| insert_at_path(&mut contest, field, true.into()));
            }
        }
        contest
    }

    /// Returns the fields of a scenario that an action with these fields has.
    fn scenario_values_for_action(&self, setting: &PricingScenario, fields: &Fields) -> Table {
        let names = self.circumstances.iter().filter(|name| fields.get(name).is_some());
        let values =
            names.filter_map(|name| Some((name.to_string(), setting.form.get(name)?.into())));
        values.collect()
    }

    fn losses_of_distribution(&self, law: &ContestOutcomeDistribution) -> MostAndMeanAttackLosses {
        let lost =
            self.names.nerve.as_ref().map(|nerve| law.outcomes_of_fields([&*nerve.loss_outcome]));
        let mut summary = MostAndMeanAttackLosses { most: 0, mean: 0.0, shaken: 0.0 };
        let mut all: Vec<(f64, f64)> = law.outcomes.iter().map(|(_, p)| (0.0, *p)).collect();
        for (name, of_a_man) in &self.names.losses {
            for ((sum, _), ([count], _)) in all.iter_mut().zip(law.outcomes_of_fields([&**name])) {
                *sum += f64::from(count.max(0)) * of_a_man;
            }
        }
        for (loss, p) in &all {
            summary.most = summary.most.max(loss.ceil() as u32);
            summary.mean += loss * p;
        }
        for ((loss, p), ([shaken], _)) in all.iter().zip(lost.into_iter().flatten()) {
            summary.shaken += if shaken > 0 { p * (1.0 - loss).max(0.0) } else { 0.0 };
        }
        // An attack that only shakes is a shot too.
        summary.most = summary.most.max(u32::from(summary.shaken > 0.0));
        summary
    }

    /// Creates the unit of a target with its nerve; `fires` is the share of its fire when shaken.
    fn build_target_unit(
        &self,
        target: &Form,
        fires: f64,
        there: &AttackSettingWithNerve,
    ) -> FaultResult<BattleUnit> {
        let Some(nerve) = &self.names.nerve else {
            return Ok(BattleUnit::whole_or_gone());
        };
        let shaken_chance = match &nerve.back {
            MoraleRecovery::Assumed(preset) => 1.0 - there.assumed.value(&preset.name),
            MoraleRecovery::Test(test, shaken) => {
                let mut contest = self.scenario_values_for_action(there.setting, &test.fields);
                if self
                    .names
                    .target
                    .iter()
                    .all(|path| test.fields.get(top_level_field(path)).is_some())
                {
                    self.set_non_list_target_fields(&mut contest, target);
                }
                shaken.iter().for_each(|field| insert_at_path(&mut contest, field, true.into()));
                let law = there.rules.distribution_of(&test.name, &contest)?;
                let shaken_chance =
                    law.outcomes_of_fields([&*nerve.loss_outcome]).filter(|([lost], _)| *lost > 0);
                shaken_chance.map(|(_, p)| p).sum()
            }
        };
        let steady = LivingUnitCondition {
            fires: 1.0,
            share_left: 1.0,
            unhurt: 1.0,
            rest: vec![(STEADY, 1.0)],
        };
        let rest = vec![(STEADY, 1.0 - shaken_chance), (SHAKEN, shaken_chance)];
        let shaken = LivingUnitCondition { fires, share_left: 1.0, unhurt: 1.0, rest };
        Ok(BattleUnit { conditions: vec![steady, shaken], start: STEADY })
    }

    /// Computes the fire of a reference trooper without nerve, as a share of full fire.
    fn fire_share_when_shaken(
        &self,
        by: (&str, &Form),
        target: &Form,
        there: &AttackSettingWithNerve,
    ) -> FaultResult<f64> {
        if self.names.nerve.as_ref().is_none_or(|nerve| nerve.firer_shaken_field.is_none()) {
            return Ok(0.0);
        }
        let whole = self.solve_losses(by, target, there)?;
        let shaken = self.solve_losses(
            by,
            target,
            &AttackSettingWithNerve { is_firer_shaken: true, ..*there },
        )?;
        let does = |losses: MostAndMeanAttackLosses| losses.mean + losses.shaken;
        Ok(if does(whole) > 0.0 { (does(shaken) / does(whole)).min(1.0) } else { 0.0 })
    }

    /// Sets the firer and its weapon.
    fn set_firer_weapon(&self, contest: &mut Table, (name, form): (&str, &Form)) {
        let mut given = false;
        for path in top_level_names(&self.names.weapon) {
            if let Some(value) = form.get(path).map(Toml::from) {
                given = true;
                let listed = self.is_record_list(path);
                insert_at_path(
                    contest,
                    path,
                    if listed { Toml::Array(vec![value]) } else { value },
                );
            }
        }
        if let (false, false, Some((path, _))) =
            (given, name.is_empty(), self.weapon_names_with_field_path())
        {
            insert_at_path(contest, path, name.into());
        }
    }

    /// Sets the targets and their number.
    fn set_targets_and_count(&self, contest: &mut Table, at: &Form, stand: i64) {
        self.set_non_list_target_fields(contest, at);
        for path in self
            .names
            .target
            .iter()
            .map(|path| top_level_field(path))
            .filter(|p| self.is_record_list(p))
        {
            let mut one = match at.get(path).map(Toml::from) {
                Some(Toml::Table(table)) => table,
                _ => Table::new(),
            };
            if self.names.of.is_none() {
                one.insert(RECORD_COUNT_FIELD.to_owned(), stand.into());
            }
            contest.insert(path.to_owned(), Toml::Array(vec![one.into()]));
        }
        if let Some(of) = &self.names.of {
            insert_at_path(contest, of, stand.into());
        }
    }

    /// Sets the fields of the target that are not lists.
    fn set_non_list_target_fields(&self, contest: &mut Table, at: &Form) {
        for path in self
            .names
            .target
            .iter()
            .map(|path| top_level_field(path))
            .filter(|p| !self.is_record_list(p))
        {
            if let Some(value) = at.get(path).map(Toml::from) {
                insert_at_path(contest, path, value);
            }
        }
    }

    /// Returns whether the field is a list of records.
    fn is_record_list(&self, path: &str) -> bool {
        self.find_field_at_path(path)
            .is_some_and(|field| matches!(field.kind, FieldType::Tables(..)))
    }

    /// Computes the effect of an attack on a target in either condition, in equal shots.
    fn compute_shots_with_effect(
        &self,
        by: (&str, &Form),
        at: &Form,
        there: &AttackSettingWithNerve,
    ) -> FaultResult<(u32, ShotEffect)> {
        let first = self.solve_losses(by, at, there)?;
        let Some(nerve) = &self.names.nerve else {
            return Ok((
                first.most,
                effect_of_kill_chance(first.chance_per_shot_for_mean(first.mean)),
            ));
        };
        let (taken, shaken) = (
            first.chance_per_shot_for_mean(first.mean),
            first.chance_per_shot_for_mean(first.shaken),
        );
        let shaken = shaken.min(1.0 - taken);
        let steady = vec![(STEADY, 1.0 - taken - shaken), (SHAKEN, shaken), (GONE, taken)];
        let taken = match nerve.target_shaken_field {
            Some(_) => {
                let again = self.solve_losses(
                    by,
                    at,
                    &AttackSettingWithNerve { is_target_shaken: true, ..*there },
                )?;
                first.chance_per_shot_for_mean(again.mean)
            }
            None => taken,
        };
        Ok((first.most, vec![steady, vec![(SHAKEN, 1.0 - taken), (GONE, taken)]]))
    }

    /// Returns the number of the reference troops that one attack can hit.
    fn max_troops_hit(&self, troopers: i64) -> i64 {
        if self.names.nerve.is_some() {
            return 1;
        }
        let most = match &self.names.of {
            Some(of) => match self.find_field_at_path(of).map(|field| &field.kind) {
                Some(FieldType::Int(bound)) => bound.high,
                _ => 1,
            },
            None if self
                .names
                .target
                .iter()
                .any(|path| self.is_record_list(top_level_field(path))) =>
            {
                self.names.most
            }
            None => 1,
        };
        troopers.min(most)
    }
}

/// Conditions of a unit with nerve.
const STEADY: usize = 0;
const SHAKEN: usize = 1;
const GONE: usize = 2;

/// Conditions of an attack, with the firer's and the target's nerve.
#[derive(Clone, Copy)]
struct AttackSettingWithNerve<'a> {
    is_firer_shaken: bool,
    is_target_shaken: bool,
    rules: &'a dyn ContestDistributionSource,
    setting: &'a PricingScenario,
    assumed: &'a AssumptionValues,
    range: Option<i64>,
    stand: i64,
}

impl PricingRules for PricingByNamedFields {
    fn weapon_fields(&self) -> &Fields {
        &self.weapon
    }

    fn scenario_fields(&self) -> &Fields {
        &self.scenario
    }

    fn weapon_names(&self) -> Vec<Text> {
        let names = PricingByNamedFields::weapon_names_with_field_path(self)
            .map_or(Vec::new(), |(_, names)| names);
        names.into_iter().map(|name| Text::from(name.to_owned())).collect()
    }

    fn starter_arsenal(&self) -> &str {
        &self.names.ready
    }

    fn assumptions(&self) -> &[AssumptionSpec] {
        &self.assumptions
    }

    fn assumption_for_missing_rule(&self) -> Option<&AssumptionSpec> {
        self.assumptions.first()
    }

    fn printed_price(&self, weapon: WeaponWithoutItsPrice) -> FaultResult<Option<f64>> {
        let row = self.printed_name_of_weapon(weapon.name, weapon.form);
        let heads = top_level_names(&self.names.weapon);
        let described = heads.iter().any(|head| weapon.form.has(head));
        let names = self.weapon_names_with_field_path().map_or(Vec::new(), |(_, names)| names);
        if !described && !names.contains(&row) {
            let fields: Vec<String> = heads.iter().map(|head| format!("`{head}`")).collect();
            let how = format!("give its {}", fields.join(", "));
            return Err(vec![unknown_weapon(weapon.name, names.into_iter(), &how)]);
        }
        let as_printed = self
            .weapon_names_with_field_path()
            .is_none_or(|(path, _)| uses_printed_columns(path, weapon.form));
        Ok(self.names.printed_price_of_weapon(row).filter(|_| as_printed))
    }

    fn set_up_battle(
        &self,
        weapon: WeaponWithoutItsPrice,
        there: &PricingScenario,
        assumed: &AssumptionValues,
        rules: &dyn ContestDistributionSource,
    ) -> FaultResult<BattleSetup> {
        let target = there.reference_troops();
        let rifle = self.printed_name_of_weapon("", target);
        let points =
            reference_trooper_points(target, self.names.printed_price_of_weapon(rifle), rifle)?;
        let own = self.names.target.iter().any(|path| weapon.form.has(top_level_field(path)));
        let bearer = if own { weapon.form } else { target };
        let place = |number| AttackSettingWithNerve {
            is_firer_shaken: false,
            is_target_shaken: false,
            rules,
            setting: there,
            assumed,
            range: there.distance_in_move(number, assumed),
            stand: self.max_troops_hit(there.trooper_count() as i64),
        };
        let (gun, man) = ((weapon.name, weapon.form), (rifle, target));
        // The fire of shaken units is taken at the starting distance.
        let first = place(0);
        let fires =
            self.fire_share_when_shaken(man, target, &first).map_err(fault_prefixer("scenario"))?;
        let own =
            self.fire_share_when_shaken(gun, target, &first).map_err(fault_prefixer("weapon"))?;
        let rounds = (0..there.moves).map(|number| {
            let at = place(number);
            let by =
                self.compute_shots_with_effect(gun, target, &at).map_err(fault_prefixer("weapon"));
            let of = self
                .compute_shots_with_effect(man, target, &at)
                .map_err(fault_prefixer("scenario"));
            let on = self
                .compute_shots_with_effect(man, bearer, &at)
                .map_err(fault_prefixer("scenario"));
            let ((weapon_shots, by_weapon), (troop_shots, on_troops)) = (by?, of?);
            Ok(RoundFire { troop_shots, on_troops, on_weapon: on?.1, weapon_shots, by_weapon })
        });
        Ok(BattleSetup {
            troops: self
                .build_target_unit(target, fires, &first)
                .map_err(fault_prefixer("scenario"))?,
            weapon: self
                .build_target_unit(bearer, own, &first)
                .map_err(fault_prefixer("weapon"))?,
            troop_points: points,
            extra_points: 0.0,
            rounds: rounds.collect::<FaultResult<Vec<_>>>()?,
        })
    }
}
