//! Prices of weapons: arsenal fields, and battles of crewed weapons and small arms against squads.
//!
//! Source: the actions `attack` and `crewed-duel`, and the printed weapons. A shot is an attack.
//! The chance that it puts its target out of action comes from the distribution of the attacks that
//! a whole card takes: kills over attacks made, in the long run. So wounds that do not put a man
//! out of action are not lost, but all men survive equally long: a trooper is whole or gone. The
//! effect of wounds on the aim of the wounded is not modelled.
//!
//! A crewed weapon has as many lives as it has crew. Fire falls on its gunner; when the gunner
//! is out of action, the next takes over. For that the weapon falls silent, as in `crewed-duel` by
//! default: after the activation of the loss (`take_over_begins`), for the activations that
//! `take_over_ap` takes. Here each side has separate activations, and a gunner falls in the
//! enemy's: the weapon has no rest of that activation to lose, and its next activation is lost.
//! Other readings of these fields are not priced. A crewed weapon fires at every move in its arc:
//! the number of men who move there is an assumption, `arc`, and the number of attacks that each of
//! them draws another, `attacks`. Small arms make the attacks of a 30° arc. [`explosives`] has the
//! weapons that explode or burn.

mod explosives;
mod field_defaults;

use toml::{Table, Value as Toml};

use super::skirmishers_data::{WeaponKind, WeaponRow, skirmishers_data, weapon_names};
use super::{attack, attack_fields, duel};
use enfilade_model::form::bounds::{IntRange, RealRange};
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::list;
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType, Fields, Form, Value};
use enfilade_model::static_or_shared::Text;
use enfilade_model::weapons::{
    self, AssumptionValues, BattleSetup, BattleUnit, ContestDistributionSource, FaultResult,
    LivingUnitCondition, POINTS_RANGE, PRICE_RANGE, PricingRules, PricingScenario, RANGE,
    RoundFire, ShotEffect, TROOPER_COUNT_RANGE, WITHIN_REACH_FIELD, WeaponWithoutItsPrice,
    distance_assumption_spec, effect_of_kill_chance, fault_prefixer,
};
use explosives::{ExplosiveWeapon, SPACING_ASSUMPTION, THROW_ASSUMPTION};
use field_defaults::{default_activations_for_ap, default_arc_shots};

/// Pricing rules of this rulebook.
pub static SKIRMISHERS_PRICING: SkirmishersPricingRules = SkirmishersPricingRules;

/// Weapons of this rulebook.
pub struct SkirmishersPricingRules;
const ATTACK_COUNT_RANGE: IntRange = IntRange::new("number of attacks", 0, 12);
const ATTACKS_PER_MAN_FIELD: [Field; 1] = list! {
    /// attacks in an activation; for a crewed weapon the moves in its arc, for another the attacks
    /// of a 30° arc when left out
    attacks = new_optional(FieldType::Int(ATTACK_COUNT_RANGE)).with_player_name("attacks in an activation").with_unit("attacks");
};

const AMMUNITION_RANGE: IntRange = IntRange::new("number of rounds", 1, 60);
const ACTION_POINTS_RANGE: IntRange = IntRange::new("number of action points", 1, 8);

/// Fields that describe a weapon that is not built in; the names are those of `attack`.
const CUSTOM_WEAPON_FIELDS: [Field; 4] = list! {
    /// what it is; that of the built-in weapon when left out
    kind = of(attack_fields::WeaponFields::FIELDS).with_player_name("kind of weapon");
    /// damage as printed: 7X; that of the built-in weapon when left out
    damage = of(attack_fields::WeaponFields::FIELDS).with_player_name("damage");
    short = of(attack_fields::WeaponFields::FIELDS).with_player_name("short range");
    long = of(attack_fields::WeaponFields::FIELDS).with_player_name("long range");
};

static PRICED_WEAPON_FIELDS: Fields = joined![
    CUSTOM_WEAPON_FIELDS,
    list! {
        /// men who serve it; as many as it needs when left out, one for small arms; with two or
        /// more it is a crewed weapon
        crew = of(duel::DuelFields::FIELDS).with_player_name("crew");
    },
    ATTACKS_PER_MAN_FIELD,
    list! {
        /// rounds of what explodes; those of the built-in weapon when left out, or any number
        ammo = new_optional(FieldType::Int(AMMUNITION_RANGE)).with_player_name("rounds").with_unit("rounds");
        /// action points of an attack with what explodes; those of the built-in weapon when left
        /// out
        ap = new_optional(FieldType::Int(ACTION_POINTS_RANGE)).with_player_name("action points of an attack").with_unit("AP");
    }
];

const REFERENCE_TROOP_FIELDS: Fields = joined![
    list! {
        /// reference troops on each side
        troopers = new_whole_number(TROOPER_COUNT_RANGE, 8).with_player_name("reference troops").with_unit("men");
        /// their body armour, and that of the crew
        target_armour = of(attack_fields::TargetFields::FIELDS).with_name("armour").with_player_name("body armour");
        /// their weapon, by its built-in name
        weapon = of(attack_fields::WeaponFields::FIELDS).with_player_name("weapon of the troops")
            .with_default(DefaultValue::Text(Text::Static(duel::DEFAULT_ANSWER_WEAPON)));
        /// points of each; the point value of their weapon and `body_points` when left out
        points_each = new_optional(FieldType::Fraction(PRICE_RANGE)).with_player_name("cost of a trooper").with_unit("points");
        /// points of a man without a weapon: part of a trooper's, not of the weapon's price
        body_points = new_whole_number(POINTS_RANGE, 0).with_player_name("cost of a bare man").with_unit("points");
    },
    ATTACKS_PER_MAN_FIELD
];

static ALL_SCENARIO_FIELDS: Fields = joined![
    [RANGE, WITHIN_REACH_FIELD],
    list! {
        /// the reference troops of both sides
        target = new_required(FieldType::Table(REFERENCE_TROOP_FIELDS)).with_player_name("reference troops");
        /// a crewed weapon must be set up first
        set_up_first = of(duel::DuelFields::FIELDS).with_name("set_up").with_player_name("set up first");
        /// body armour of the crew; that of the troops when left out
        crew_armour = of(duel::DuelFields::FIELDS).with_player_name("body armour of the crew").with_default(DefaultValue::Absent);
        /// obstructions on every line of fire
        obstructions = of(attack_fields::AimSituation::FIELDS).with_player_name("obstructions");
        /// dots of smoke on every line of fire
        smoke = of(attack_fields::AimSituation::FIELDS).with_player_name("smoke");
        /// everybody fires on the move but the crew of a weapon
        movement_fire = of(attack_fields::AimSituation::FIELDS).with_player_name("fire on the move");
        /// troops and crew are prone
        prone = new_switch_with_default(false).with_player_name("prone");
    }
];

static ALL_ASSUMPTIONS: [weapons::AssumptionSpec; 5] = [
    DISTANCE_ASSUMPTION,
    SPACING_ASSUMPTION,
    THROW_ASSUMPTION,
    weapons::AssumptionSpec {
        name: Text::Static("arc"),
        about: Text::Static("men who move in the arc of a crewed weapon in an activation"),
        values: [1.0, 2.0, 4.0],
        bound: RealRange { name: "arc", low: 1.0, high: 12.0 },
    },
    weapons::AssumptionSpec {
        name: Text::Static(ATTACKS_ASSUMPTION_NAME),
        about: Text::Static(
            "attacks that each of them draws: a crewed weapon may fire at every move",
        ),
        values: [1.0, 1.0, 4.0],
        bound: RealRange { name: ATTACKS_ASSUMPTION_NAME, low: 1.0, high: 8.0 },
    },
];

/// Name of the assumption for the field `attacks_per_move` of `crewed-duel`: one attack is the
/// least, and there are eight AP of movement.
const ATTACKS_ASSUMPTION_NAME: &str = "attacks";

/// Assumed distance, where a scenario gives none.
const DISTANCE_ASSUMPTION: weapons::AssumptionSpec = distance_assumption_spec(
    "dots between both sides, where a scenario has neither `range` nor `within_reach`",
    [20.0, 45.0, 90.0],
);

/// Number of attacks on a whole card from which the chance of one attack is computed.
const SAMPLE_ATTACK_COUNT: i64 = 60;

/// Three weapons against crews and a rifle, in the open and close up.
const STARTER_ARSENAL_TOML: &str = "\
[[weapon]]
name = \"LMG\"
[[weapon]]
name = \"MMG\"
[[weapon]]
name = \"HMG\"
[[weapon]]
name = \"rifle\"
[[weapon]]
name = \"laser rifle\"
[[weapon]]
name = \"gyrojet rifle\"
[[weapon]]
name = \"pistol\"
[[weapon]]
name = \"auto pistol\"
[[weapon]]
name = \"my own\"
damage = \"9X\"
short = 60
long = 160
crew = 3

[[scenario]]
name = \"open ground\"
range = [90, 60, 30]
moves = 5
target = { troopers = 6 }

[[scenario]]
name = \"long fields of fire\"
range = [140, 100, 70]
moves = 5
target = { troopers = 6, armour = \"standard\" }

[[scenario]]
name = \"close country\"
range = [40, 20]
moves = 4
obstructions = 1
target = { troopers = 6, weapon = \"gyrojet rifle\" }
";

impl PricingRules for SkirmishersPricingRules {
    fn weapon_fields(&self) -> &Fields {
        &PRICED_WEAPON_FIELDS
    }

    fn scenario_fields(&self) -> &Fields {
        &ALL_SCENARIO_FIELDS
    }

    fn weapon_names(&self) -> Vec<Text> {
        let fired = |name: &&str| {
            find_printed_weapon(name).is_some_and(|row| row.kind != WeaponKind::Melee)
        };
        weapon_names().iter().filter(fired).map(|name| Text::from(name.to_owned())).collect()
    }

    fn starter_arsenal(&self) -> &str {
        STARTER_ARSENAL_TOML
    }

    fn assumptions(&self) -> &[weapons::AssumptionSpec] {
        &ALL_ASSUMPTIONS
    }

    fn assumption_concerns_weapon(&self, assumption: &str, weapon: WeaponWithoutItsPrice) -> bool {
        explosives::concerns_weapon_kind(assumption, kind_of_weapon(weapon.name, weapon.form))
    }

    fn printed_price(&self, weapon: WeaponWithoutItsPrice) -> FaultResult<Option<f64>> {
        let row = find_printed_weapon(weapon.name);
        if row.is_none() && !weapon.form.has("damage") {
            let how = "give its `damage`, `short` and `long`";
            let known = weapon_names().iter();
            return Err(vec![weapons::unknown_weapon(weapon.name, known, how)]);
        }
        if kind_of_weapon(weapon.name, weapon.form) == WeaponKind::Melee {
            let problem = format!(
                "\"{}\" is a melee weapon, and only those that are fired or thrown can be priced",
                weapon.name
            );
            return Err(vec![Fault::new("name", problem)]);
        }
        Ok(row.and_then(|row| row.pv).map(|pv| f64::from(pv.get())))
    }

    fn set_up_battle(
        &self,
        weapon: WeaponWithoutItsPrice,
        there: &PricingScenario,
        assumed: &AssumptionValues,
        rules: &dyn ContestDistributionSource,
    ) -> FaultResult<BattleSetup> {
        let target = there.reference_troops();
        let gun = read_weapon(weapon.name, weapon.form, assumed);
        let troop_points = points_of_reference_trooper(target)?;
        let rifle = read_weapon(target.text_of_field("weapon"), target, assumed);
        if rifle.charge.is_some() {
            let problem = format!("\"{}\" explodes, and no squad is armed with it", rifle.name);
            return Err(vec![Fault::new("scenario.target.weapon", problem)]);
        }
        let set_up = match there.form.flag("set_up") && gun.crewed {
            true => default_activations_for_ap("set_up_ap"),
            false => 0,
        };
        let take_over = default_activations_for_ap("take_over_ap");
        let served = ServedWeapon::new(gun.crew, take_over, set_up);
        let rounds = (0..there.moves).map(|number| {
            let range = there.distance_in_move(number, assumed);
            let at = ActivationCircumstances { rules, there, range };
            at.fire_of_both_sides(&gun, &rifle, &served)
        });
        Ok(BattleSetup {
            troops: BattleUnit::whole_or_gone(),
            weapon: served.as_battle_unit(),
            troop_points,
            extra_points: gun.crew as f64 * target.int("body_points") as f64,
            rounds: rounds.collect::<FaultResult<Vec<_>>>()?,
        })
    }
}

/// Finds the printed weapon that a name means, with any case and spacing.
fn find_printed_weapon(name: &str) -> Option<&'static WeaponRow> {
    let printed_weapon = weapon_names().find_ignoring_case_and_marks(name);
    printed_weapon.and_then(|(name, _)| skirmishers_data().weapon_by_name(name))
}

/// Returns the kind of a weapon; one in numbers whose damage has several rings is a launcher.
fn kind_of_weapon(name: &str, form: &Form) -> WeaponKind {
    let given = |field| match form.get(field) {
        Some(Value::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    let named = given("kind").and_then(WeaponKind::named);
    let rings = given("damage").map(|damage| damage.split('/').count());
    let by_rings = if rings.is_some_and(|rings| rings > 1) {
        WeaponKind::Launcher
    } else {
        WeaponKind::Ranged
    };
    named.or(find_printed_weapon(name).map(|row| row.kind)).unwrap_or(by_rings)
}

/// Weapon with its users.
struct WeaponWithUsers {
    name: String,
    /// Fields of an `attack` that name or describe it.
    described: Table,
    attacks: u32,
    crew: usize,
    crewed: bool,
    /// Rounds and rate of a weapon that explodes or burns.
    charge: Option<ExplosiveWeapon>,
    short: Option<i64>,
    long: Option<i64>,
}

/// Reads the weapon of a `[[weapon]]`, or the one that a scenario's target names.
fn read_weapon(name: &str, form: &Form, assumed: &AssumptionValues) -> WeaponWithUsers {
    let (row, kind) = (find_printed_weapon(name), kind_of_weapon(name, form));
    let mut described = Table::new();
    if let Some(row) = row {
        described.insert("weapon".into(), row.name.clone().into());
    }
    for field in &CUSTOM_WEAPON_FIELDS {
        match form.get(&field.name) {
            Some(Value::Text(text)) => described.insert((&field.name).into(), text.clone().into()),
            Some(Value::Int(n)) => described.insert((&field.name).into(), (*n).into()),
            _ => None,
        };
    }
    let several = form.maybe_int("crew").is_some_and(|crew| crew > 1);
    let crewed = (several || kind == WeaponKind::Crewed) && !kind.has_damage_by_ring();
    let of_arc = match crewed {
        true => (assumed.value("arc") * assumed.value(ATTACKS_ASSUMPTION_NAME)).round() as i64,
        false => row.map_or(1, |row| i64::from(row.multiplier)) * default_arc_shots(),
    };
    let needed = row.filter(|_| crewed).map_or(0, |row| row.crew);
    WeaponWithUsers {
        name: name.to_owned(),
        described,
        attacks: form.maybe_int("attacks").unwrap_or(of_arc) as u32,
        crew: form.maybe_int("crew").unwrap_or(i64::from(needed) + 1) as usize,
        crewed,
        charge: kind
            .has_damage_by_ring()
            .then(|| ExplosiveWeapon::read_weapon_charge(kind, row, form, assumed)),
        short: form.maybe_int("short").or(row.and_then(|row| row.short)),
        long: form.maybe_int("long").or(row.and_then(|row| row.long)),
    }
}

impl WeaponWithUsers {
    /// Returns the farthest range with the same result, so that equal attacks are queried once.
    fn range_band_end(&self, range: i64) -> i64 {
        let ends = [Some(1), self.short, self.long].into_iter().flatten();
        ends.filter(|end| range <= *end).min().unwrap_or(range)
    }
}

/// Circumstances of an activation.
struct ActivationCircumstances<'a> {
    rules: &'a dyn ContestDistributionSource,
    there: &'a PricingScenario,
    range: Option<i64>,
}

impl ActivationCircumstances<'_> {
    fn fire_of_both_sides(
        &self,
        gun: &WeaponWithUsers,
        rifle: &WeaponWithUsers,
        served: &ServedWeapon,
    ) -> FaultResult<RoundFire> {
        let armour = self.there.reference_troops().text_of_field("armour");
        let crew_armour = self.there.form.optional_text("crew_armour");
        let kills = |arms, armour| self.kill_chance_of_one_attack(arms, armour);
        let men = self.there.trooper_count();
        let (weapon_shots, by_weapon) = match &gun.charge {
            None => (gun.attacks, kills(gun, armour)),
            Some(charge) => {
                (charge.count_men_hit(men) as u32, self.blast_kill_chance(gun, charge, armour))
            }
        };
        let by_weapon = by_weapon.map_err(fault_prefixer("weapon"))?;
        let on_troops = kills(rifle, armour).map_err(fault_prefixer("scenario"))?;
        let kills = kills(rifle, crew_armour.unwrap_or(armour));
        let on_crew = kills.map_err(fault_prefixer("scenario"))?;
        Ok(RoundFire {
            troop_shots: rifle.attacks,
            on_troops: effect_of_kill_chance(on_troops),
            on_weapon: served.effect_of_hit(on_crew),
            weapon_shots,
            by_weapon: effect_of_kill_chance(by_weapon),
        })
    }

    /// Computes the chance that an exploding weapon puts each man near out of action.
    fn blast_kill_chance(
        &self,
        arms: &WeaponWithUsers,
        charge: &ExplosiveWeapon,
        armour: &str,
    ) -> FaultResult<f64> {
        let men = (charge.count_men_hit(self.there.trooper_count()), self.there.moves);
        charge.kill_chance_per_man(
            self.fields_of_attack_or_explosion(arms, armour),
            self.range,
            men,
            self.rules,
        )
    }

    /// Creates the fields that an attack and an explosion share.
    fn fields_of_attack_or_explosion(&self, arms: &WeaponWithUsers, armour: &str) -> Table {
        let form = &self.there.form;
        let mut contest = arms.described.clone();
        let mut put = |key: &str, value: Toml| contest.insert(key.to_owned(), value);
        put("target_armour", armour.into());
        // A crewed weapon is set up where it fires, so only small arms fire on the move.
        let on_the_move = form.flag("movement_fire") && !arms.crewed;
        put("movement_fire", on_the_move.into());
        for same in ["obstructions", "smoke"] {
            put(same, form.int(same).into());
        }
        for prone in ["prone_attacker", "prone_target"] {
            put(prone, form.flag("prone").into());
        }
        if let Some(range) = self.range {
            put("range", arms.range_band_end(range).into());
        }
        contest
    }

    /// Computes the chance that one attack puts a man out of action.
    fn kill_chance_of_one_attack(&self, arms: &WeaponWithUsers, armour: &str) -> FaultResult<f64> {
        let mut attack = self.fields_of_attack_or_explosion(arms, armour);
        attack.insert("shots".to_owned(), SAMPLE_ATTACK_COUNT.into());
        let law = self.rules.distribution_of(&attack::ATTACK_ACTION.name, &attack)?;
        // Attacks are made until the target is out of action, or all of them.
        let made = |([shot], p): ([i32; 1], f64)| match shot {
            0 => p * SAMPLE_ATTACK_COUNT as f64,
            _ => p * f64::from(shot),
        };
        let made: f64 = law.outcomes_of_fields(["shots_to_kill"]).map(made).sum();
        // Kills over attacks made is the chance of one attack in the long run, wounds included.
        Ok(law.measure_value("p_kill") / made)
    }
}

/// Returns the points of a reference trooper.
fn points_of_reference_trooper(target: &Form) -> FaultResult<f64> {
    let name = target.text_of_field("weapon");
    let pv = find_printed_weapon(name).and_then(|row| row.pv).map(|pv| f64::from(pv.get()));
    let armed = pv.map(|pv| pv + target.int("body_points") as f64);
    weapons::reference_trooper_points(target, armed, name)
}

/// Weapon by its crew and the activations until it fires again.
struct ServedWeapon {
    conditions: Vec<(usize, usize)>,
    crew: usize,
    take_over: usize,
    set_up: usize,
}

impl ServedWeapon {
    fn new(crew: usize, take_over: usize, set_up: usize) -> ServedWeapon {
        let silent = |left: usize| {
            // Only a weapon that has lost a man can be silent for a take-over.
            if left == crew { set_up } else { take_over.max(set_up) }
        };
        let pairs = (1..=crew).rev().map(|left| (left, silent(left)));
        let conditions = pairs.flat_map(|(left, most)| (0..=most).map(move |n| (left, n)));
        ServedWeapon { conditions: conditions.collect(), crew, take_over, set_up }
    }

    fn index_of_state(&self, crew: usize, silent: usize) -> usize {
        let index = self.conditions.iter().position(|&c| c == (crew, silent));
        index.unwrap_or(self.conditions.len())
    }

    /// Creates the weapon as a unit; a silent one does not fire.
    fn as_battle_unit(&self) -> BattleUnit {
        let condition = |&(crew, silent): &(usize, usize)| LivingUnitCondition {
            fires: if silent == 0 { 1.0 } else { 0.0 },
            share_left: crew as f64 / self.crew as f64,
            unhurt: crew as f64 / self.crew as f64,
            rest: vec![(self.index_of_state(crew, silent.saturating_sub(1)), 1.0)],
        };
        BattleUnit {
            conditions: self.conditions.iter().map(condition).collect(),
            start: self.index_of_state(self.crew, self.set_up),
        }
    }

    /// Creates the effect of a shot that puts the serving man out of action with probability `p`.
    fn effect_of_hit(&self, p: f64) -> ShotEffect {
        let leads = |(here, &(crew, _)): (usize, &(usize, usize))| {
            vec![(here, 1.0 - p), (self.index_of_state(crew - 1, self.take_over), p)]
        };
        self.conditions.iter().enumerate().map(leads).collect()
    }
}
