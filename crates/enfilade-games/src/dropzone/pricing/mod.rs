//! Prices of units: the fields of an arsenal and the battle setup of a unit, with everything it
//! carries, against squads of other units.
//!
//! Source: the action `shoot`, `data/dropzone_*.tsv`, and Alt-X, Limited-X and Reduced-X as
//! `specials.rs` parses them. A price is for a unit: its weapons and its armour. In an activation
//! it fires every weapon once, also each of two equal ones (a weapon that is printed twice, such as
//! one on either side, is carried twice); of weapons that share a number `Alt-X` the one that hurts
//! the target most, and in the open none for Close Quarters. Focus merges the best number of hits
//! against the target. A weapon with `Limited-X` fires in as many activations of the scenario as it
//! has rounds.
//!
//! The Damage Points that a unit has left are its conditions, and the distribution of a volley is
//! queried for every number of them; the unit's points are lost with the last. Where damage takes
//! shots away (Reduced-X), a hurt unit makes its volleys at a rate equal to the ratio of its damage
//! to that of a whole one.
//!
//! Not modelled: arcs, movement and fire, dropships and their cargo, scenery, command.

mod mounts;

use toml::{Table, Value as Toml};

use super::row_books;
use super::shoot::SHOOT_ACTION;
use super::shooting_fields;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::list;
use enfilade_model::form::{Fault, Field, FieldType, Fields, Form};
use enfilade_model::static_or_shared::Text;
use enfilade_model::weapons::attrition::{LossTransitionMatrix, multiply_loss_row, no_loss_matrix};
use enfilade_model::weapons::{
    self, AssumptionValues, BattleSetup, BattleUnit, ConditionTransitions,
    ContestDistributionSource, FaultResult, LivingUnitCondition, PRICE_RANGE, PricingRules,
    PricingScenario, RANGE, RoundFire, ShotEffect, TROOPER_COUNT_RANGE, WITHIN_REACH_FIELD,
    WeaponTraitsOutsideBattle, WeaponWithoutItsPrice, distance_assumption_spec, fault_prefixer,
};
use mounts::{
    EqualWeapons, SINGLE_WEAPON_FIELDS, UNIT_DEFENCE_FIELDS, UnitWithMountedWeapons,
    WEAPON_LIST_FIELD,
};

/// Note for a weapon that has an arc.
const ARCS_IGNORED_NOTE: &str = "its arcs are left out, nothing here stands on a map: every weapon bears on every target, so \
    one that does not turn is worth less than this";

/// Pricing rules of this rulebook.
pub static DROPZONE_PRICING: UnitPricing = UnitPricing;

/// Units of this rulebook with their weapons.
pub struct UnitPricing;

static PRICED_UNIT_FIELDS: Fields =
    joined![UNIT_DEFENCE_FIELDS, SINGLE_WEAPON_FIELDS, WEAPON_LIST_FIELD];

const REFERENCE_TROOP_FIELDS: Fields = joined![
    list! {
        /// the reference unit, by its built-in name or another
        unit = new_required(FieldType::Text).with_player_name("reference unit");
        /// reference units on each side
        troopers = new_whole_number(TROOPER_COUNT_RANGE, 6).with_player_name("reference units").with_unit("units");
        /// points of each; the printed ones when left out
        points_each = new_optional(FieldType::Fraction(PRICE_RANGE)).with_player_name("cost of a reference unit").with_unit("points");
    },
    UNIT_DEFENCE_FIELDS,
    SINGLE_WEAPON_FIELDS,
    WEAPON_LIST_FIELD
];

/// Cover of all units, as `shoot` has it.
const UNIT_COVER_FIELDS: [Field; 3] = list! {
    /// everybody is in soft cover
    soft_cover = of(shooting_fields::ShootingSituation::FIELDS).with_player_name("in soft cover");
    /// everybody is behind body cover
    body_cover = of(shooting_fields::ShootingSituation::FIELDS).with_player_name("behind body cover");
    /// everybody is hull down
    hull_down = of(shooting_fields::ShootingSituation::FIELDS).with_player_name("hull down");
};

static ALL_SCENARIO_FIELDS: Fields = joined![
    [RANGE, WITHIN_REACH_FIELD],
    list! {
        /// the reference units of both sides
        target = new_required(FieldType::Table(REFERENCE_TROOP_FIELDS)).with_player_name("reference units");
        /// fought inside a garrison: Close Quarters weapons only
        close_quarters = new_switch_with_default(false).with_player_name("inside a garrison");
    },
    UNIT_COVER_FIELDS
];

/// Assumed distance, where a scenario gives none.
static DISTANCE_ASSUMPTIONS: [weapons::AssumptionSpec; 1] =
    [distance_assumption_spec(ASSUMED_DISTANCE_TEXT, [6.0, 18.0, 36.0])];

const ASSUMED_DISTANCE_TEXT: &str =
    "inches between both sides, where a scenario has neither `range` nor `within_reach`";

/// Words in the printed name of a unit that commands, where no printed rule says so.
const COMMANDER_NAME_WORDS: [&str; 2] = ["Command", "Control"];

/// Eight units and one to be designed against tanks, walkers and infantry, from long to short
/// distance.
const STARTER_ARSENAL_TOML: &str = "\
[[weapon]]
name = \"UCM/Sabre Tank\"
[[weapon]]
name = \"UCM/Gladius Heavy Tank\"
[[weapon]]
name = \"PHR/Ares Walker\"
[[weapon]]
name = \"PHR/Odin Heavy Walker\"
[[weapon]]
name = \"Scourge/Hunter Tank\"
[[weapon]]
name = \"Scourge/Slayer Heavy Tank\"
[[weapon]]
name = \"Shaltari/Tomahawk Gravtank\"
[[weapon]]
name = \"Resistance/Hannibal Tank\"
[[weapon]]
name = \"my own\"
armour = 13
damage_points = 2
shots = 2
accuracy = 3
energy = 11

[[scenario]]
name = \"tanks\"
range = [24, 18, 12]
target = { unit = \"UCM/Sabre Tank\", troopers = 4 }

[[scenario]]
name = \"walkers\"
range = [24, 18, 12]
target = { unit = \"PHR/Ares Walker\", troopers = 4 }

[[scenario]]
name = \"infantry\"
range = [24, 18, 12]
target = { unit = \"UCM/Legionnaires\", troopers = 4 }
";

impl PricingRules for UnitPricing {
    fn weapon_fields(&self) -> &Fields {
        &PRICED_UNIT_FIELDS
    }

    fn scenario_fields(&self) -> &Fields {
        &ALL_SCENARIO_FIELDS
    }

    fn weapon_names(&self) -> Vec<Text> {
        row_books::unit_name_list().iter().map(|name| Text::from(name.to_owned())).collect()
    }

    fn starter_arsenal(&self) -> &str {
        STARTER_ARSENAL_TOML
    }

    fn assumptions(&self) -> &[weapons::AssumptionSpec] {
        &DISTANCE_ASSUMPTIONS
    }

    fn activates_units_in_turn(&self) -> bool {
        true
    }

    fn traits_outside_battle(&self, weapon: WeaponWithoutItsPrice) -> WeaponTraitsOutsideBattle {
        let arcs = weapon.form.tables_of_field("arms").iter().any(|arm| arm.has("arc"));
        let left_out = arcs.then_some(Text::Static(ARCS_IGNORED_NOTE));
        let Some(unit) = row_books::unit_rows().find_row_by_name(weapon.name) else {
            return WeaponTraitsOutsideBattle { left_out, ..WeaponTraitsOutsideBattle::default() };
        };
        let (_, name) = unit.key.split_once('/').unwrap_or(("", &unit.key));
        // A Command Centre, by its printed rule or by its name: no battle here includes orders.
        let called = name.split(' ').any(|word| COMMANDER_NAME_WORDS.contains(&word));
        let commands = unit.specials.commands || called;
        WeaponTraitsOutsideBattle {
            unseen: commands.then_some(Text::Static("it commands")),
            left_out,
        }
    }

    fn printed_price(&self, weapon: WeaponWithoutItsPrice) -> FaultResult<Option<f64>> {
        let unit = row_books::unit_rows().find_row_by_name(weapon.name);
        if unit.is_none() && !weapon.form.has("armour") {
            return Err(vec![unknown_unit_fault(weapon.name, "name")]);
        }
        Ok(unit.and_then(|unit| unit.points).map(f64::from))
    }

    /// DAMAGE: "Roll 1 dice for each hit. Add Energy to the result. If total equals or beats
    /// target's Armour, does 1 Damage."
    fn explain_harmless_weapon(
        &self,
        weapon: WeaponWithoutItsPrice,
        there: &PricingScenario,
    ) -> Option<String> {
        let unit = UnitWithMountedWeapons::from_name_and_form(weapon.name, weapon.form).ok()?;
        let energy = unit.mounts.iter().filter_map(EqualWeapons::energy_if_one_number).max()?;
        let armour = read_troops_with_points(there.reference_troops()).ok()?.0.armour_of_unit()?;
        (energy + 6 < armour).then(|| format!("energy {energy} + 6 is below armour {armour}"))
    }

    fn set_up_battle(
        &self,
        weapon: WeaponWithoutItsPrice,
        there: &PricingScenario,
        assumed: &AssumptionValues,
        rules: &dyn ContestDistributionSource,
    ) -> FaultResult<BattleSetup> {
        let unit = UnitWithMountedWeapons::from_name_and_form(weapon.name, weapon.form)
            .map_err(fault_prefixer("weapon"))?;
        let (troops, points) = read_troops_with_points(there.reference_troops())?;
        let mut rounds: Vec<RoundFire> = Vec::new();
        let mut volleys: Vec<VolleyCircumstances> = Vec::new();
        let mut fought: Vec<Vec<[bool; 3]>> = Vec::new();
        for number in 0..there.moves {
            let range = there.distance_in_move(number, assumed);
            // A distance decides which units are in range, and nothing else.
            let mounts = troops.mounts.iter().chain(&unit.mounts);
            let reached: Vec<_> =
                mounts.map(|mount| mount.reach_flags_at_distance(range)).collect();
            let alike = fought.iter().position(|known| *known == reached);
            fought.push(reached);
            if let Some(alike) = alike {
                rounds.push(rounds[alike].clone());
                continue;
            }
            let volley = VolleyCircumstances { rules, there, range };
            let effect = |shooter, target| volley.effect_by_damage_left(shooter, target);
            rounds.push(RoundFire {
                troop_shots: 1,
                on_troops: effect(&troops, &troops).map_err(fault_prefixer("scenario.target"))?,
                on_weapon: effect(&troops, &unit).map_err(fault_prefixer("weapon"))?,
                weapon_shots: 1,
                by_weapon: effect(&unit, &troops).map_err(fault_prefixer("weapon"))?,
            });
            volleys.push(volley);
        }
        let hurt = |shooter: &UnitWithMountedWeapons| {
            battle_unit_by_damage_lost(shooter, &troops, &volleys)
        };
        Ok(BattleSetup {
            troops: hurt(&troops).map_err(fault_prefixer("scenario.target"))?,
            weapon: hurt(&unit).map_err(fault_prefixer("weapon"))?,
            troop_points: points,
            extra_points: 0.0,
            rounds,
        })
    }
}

fn unknown_unit_fault(name: &str, field: &str) -> Fault {
    let how = "give its `armour`, `shots`, `accuracy` and `energy`";
    let fault = weapons::unknown_weapon(name, row_books::unit_name_list().iter(), how);
    Fault { path: field.to_owned(), ..fault }
}

/// Reads the reference troops, and the points of each.
fn read_troops_with_points(target: &Form) -> FaultResult<(UnitWithMountedWeapons, f64)> {
    let name = target.text_of_field("unit");
    let unit = row_books::unit_rows().find_row_by_name(name);
    if unit.is_none() && !target.has("armour") {
        return Err(vec![unknown_unit_fault(name, "scenario.target.unit")]);
    }
    let troops = UnitWithMountedWeapons::from_name_and_form(name, target)
        .map_err(fault_prefixer("scenario.target"))?;
    let printed = unit.and_then(|unit| unit.points).map(f64::from);
    let points = weapons::reference_trooper_points(target, printed, name)?;
    Ok((troops, points))
}

/// Circumstances of a volley.
struct VolleyCircumstances<'a> {
    rules: &'a dyn ContestDistributionSource,
    there: &'a PricingScenario,
    range: Option<i64>,
}

impl VolleyCircumstances<'_> {
    fn volley_contest_table(
        &self,
        mount: &EqualWeapons,
        lost: i64,
        target: &UnitWithMountedWeapons,
        left: i64,
    ) -> Table {
        let mut contest = mount.sword.clone();
        contest.extend(target.shield.clone());
        let mut put = |key: &str, value: Toml| contest.insert(key.to_owned(), value);
        put("damage_points", left.into());
        put("focus", "best".into());
        if mount.reduced > 0 {
            put("damage_lost", lost.into());
        }
        for cover in UNIT_COVER_FIELDS {
            put(&cover.name, self.there.form.flag(&cover.name).into());
        }
        if let Some(range) = self.range {
            put("range", range.into());
        }
        // The scenario puts all units inside one Garrison, whatever their type.
        if mount.close_quarters {
            put("close_quarters_anywhere", true.into());
        }
        contest
    }

    /// Selects the weapons that `shooter`, who has lost `lost` Damage Points, fires at a whole
    /// `target`: of alternatives the one that hurts the target most.
    fn select_fired_weapons<'m>(
        &self,
        shooter: &'m UnitWithMountedWeapons,
        lost: i64,
        target: &UnitWithMountedWeapons,
    ) -> FaultResult<Vec<&'m EqualWeapons>> {
        let close = self.there.form.flag("close_quarters");
        let mut fired: Vec<(&EqualWeapons, f64)> = Vec::new();
        let ready = shooter.mounts.iter().filter(|mount| {
            mount.close_quarters == close
                && mount.is_within_custom_reach(self.range)
                && mount.can_shoot_after_damage(lost)
        });
        for mount in ready {
            let contest = self.volley_contest_table(mount, lost, target, target.points);
            let harm = self.rules.distribution_of(&SHOOT_ACTION.name, &contest)?;
            // Alternatives compete with all equal weapons of the unit, which fire together.
            let harm = harm.measure_value("e_damage") * f64::from(mount.count);
            let alternative = mount.alternative;
            let mut rivals = fired.iter_mut();
            match rivals
                .find(|(known, _)| alternative.is_some() && known.alternative == alternative)
            {
                Some(rival) if harm > rival.1 => *rival = (mount, harm),
                Some(_) => {}
                None => fired.push((mount, harm)),
            }
        }
        Ok(fired.into_iter().map(|(mount, _)| mount).collect())
    }

    /// Computes the effect on `target` of an activation of `shooter`, who has lost `lost` Damage
    /// Points.
    fn loss_matrix_of_activation(
        &self,
        shooter: &UnitWithMountedWeapons,
        lost: i64,
        target: &UnitWithMountedWeapons,
    ) -> FaultResult<LossTransitionMatrix> {
        let mut ladder = no_loss_matrix(target.points as usize);
        for mount in self.select_fired_weapons(shooter, lost, target)? {
            let single = self.loss_matrix_of_one_weapon(mount, lost, target)?;
            for _ in 0..mount.count {
                ladder = ladder.iter().map(|row| multiply_loss_row(row, &single)).collect();
            }
        }
        Ok(ladder)
    }

    /// Computes the effect on `target` of one of several equal weapons in an activation.
    fn loss_matrix_of_one_weapon(
        &self,
        mount: &EqualWeapons,
        lost: i64,
        target: &UnitWithMountedWeapons,
    ) -> FaultResult<LossTransitionMatrix> {
        let fires = mount
            .rounds
            // Limited-X: the rounds are spread over the scenario, because no activation is special.
            .map_or(1.0, |rounds| (f64::from(rounds) / self.there.moves as f64).min(1.0));
        let mut single = no_loss_matrix(target.points as usize);
        for (left, row) in single.iter_mut().enumerate().skip(1) {
            let contest = self.volley_contest_table(mount, lost, target, left as i64);
            let law = self.rules.distribution_of(&SHOOT_ACTION.name, &contest)?;
            row[left] = 1.0 - fires;
            for ([damage], p) in law.outcomes_of_fields(["damage"]) {
                row[left - damage.unsigned_abs() as usize] += fires * p;
            }
        }
        Ok(single)
    }

    /// Computes the effect on `target` of an activation of a whole `shooter`, by the points that
    /// the target has left.
    fn effect_by_damage_left(
        &self,
        shooter: &UnitWithMountedWeapons,
        target: &UnitWithMountedWeapons,
    ) -> FaultResult<ShotEffect> {
        let ladder = self.loss_matrix_of_activation(shooter, 0, target)?;
        let whole = ladder.len() - 1;
        let leads = |left: usize| -> ConditionTransitions {
            let after = ladder[left].iter().enumerate().take(left + 1);
            // Conditions count the points lost, the ladder counts the points left.
            after.rev().map(|(after, p)| (whole - after, *p)).collect()
        };
        Ok((1..=whole).rev().map(leads).collect())
    }

    /// Computes the Damage Points that an activation of `shooter`, who has lost `lost`, takes from
    /// a whole `target`.
    fn mean_damage_taken(
        &self,
        shooter: &UnitWithMountedWeapons,
        lost: i64,
        target: &UnitWithMountedWeapons,
    ) -> FaultResult<f64> {
        let ladder = self.loss_matrix_of_activation(shooter, lost, target)?;
        let whole = ladder.len() - 1;
        Ok(ladder[whole].iter().enumerate().map(|(left, p)| p * (whole - left) as f64).sum())
    }
}

/// Creates a unit with its conditions, from whole; the share of its fire left is taken from
/// `volleys` at `target`.
fn battle_unit_by_damage_lost(
    unit: &UnitWithMountedWeapons,
    target: &UnitWithMountedWeapons,
    volleys: &[VolleyCircumstances],
) -> FaultResult<BattleUnit> {
    let reduced = unit.mounts.iter().any(|mount| mount.reduced > 0);
    let damage = |lost: i64| -> FaultResult<f64> {
        volleys.iter().map(|volley| volley.mean_damage_taken(unit, lost, target)).sum()
    };
    let fresh = if reduced { damage(0)? } else { 0.0 };
    let condition = |lost: i64| -> FaultResult<LivingUnitCondition> {
        // A battle scales whole volleys, so the loss of dice becomes a share of the damage.
        let fires = if fresh > 0.0 { (damage(lost)? / fresh).min(1.0) } else { 1.0 };
        let unhurt = 1.0 - lost as f64 / unit.points as f64;
        Ok(LivingUnitCondition { fires, share_left: 1.0, unhurt, rest: vec![(lost as usize, 1.0)] })
    };
    let conditions = (0..unit.points).map(condition).collect::<FaultResult<_>>()?;
    Ok(BattleUnit { conditions, start: 0 })
}
