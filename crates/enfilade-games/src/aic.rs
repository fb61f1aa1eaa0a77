//! Pricing of weapon teams of `aic`: the fields of an arsenal and the battle setup against squads
//! that can break, which the `price:` lines of a text cannot express yet.
//!
//! The rules are in the text. This file only contains names of the text: of actions that are
//! queried, of their fields, of outcomes that they report.
//!
//! Source: the actions `fire`, `morale` and `rally`. A price is for a team: its dice, its
//! Experience, its Defense. In an activation it fires once, scaled by the share of its Motivation's
//! actions that it has left.
//!
//! A team has three conditions. It is steady; or pinned, by the mean number of markers that a
//! volley of the reference troops leaves, until its next morale test; or it Cowers until it
//! Rallies. A volley takes figures; the distribution for every number of figures gives the chance
//! that the volley wipes the team out, and the mean fire of the team over its life. The effect of a
//! test with every number of pins is the distribution of `morale`, that of a Rally the distribution
//! of `rally`: so the worth of a pin is what the rules take from the activations after it.
//!
//! Not modelled: markers that add up from several volleys before a test, Wounded markers after the
//! volley that placed them, the sharing of results within a squad, close combat.

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::System;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType, Fields, Form, Value};
use enfilade_model::static_or_shared::{StaticOrCounted, Text};
use enfilade_model::weapons::attrition::{
    LossTransitionMatrix, average_over_unit_life, mean_kill_chance_per_volley, no_loss_matrix,
};
use enfilade_model::weapons::{
    self, AssumptionValues, BattleSetup, BattleUnit, ContestDistributionSource, FaultResult,
    LivingUnitCondition, PRICE_RANGE, PricingRules, PricingScenario, RoundFire, ShotEffect,
    WeaponWithoutItsPrice, fault_prefixer,
};

/// Actions that are queried, and the target of `fire`, by the names in the text of the rulebook.
const FIRE_ACTION_NAME: &str = "fire";
const MORALE_ACTION_NAME: &str = "morale";
const RALLY_ACTION_NAME: &str = "rally";
const FIRE_TARGET_FIELD: &str = "defender";

/// Adds the pricing rules to the rulebook, unless its text has no such team.
pub fn with_team_pricing(system: System) -> System {
    let teams = system.action(FIRE_ACTION_NAME).ok().and_then(|fire| {
        let team = fire.fields.get(FIRE_TARGET_FIELD)?;
        TeamPricing::from_target_fields(team.kind.table_fields()?)
    });
    let pricing = teams.map(|teams| StaticOrCounted::Counted(std::sync::Arc::new(teams) as _));
    System { pricing, ..system }
}

/// Weapons of this rulebook: teams with their weapons.
struct TeamPricing {
    weapon: Fields,
    scenario: Fields,
    /// Largest numbers of figures of a team, and of its Pin Check markers.
    figures: i64,
    pins: i64,
}

/// Largest number of teams: a team with three conditions makes many states.
const TEAM_COUNT_RANGE: IntRange = IntRange::new("number of teams", 1, 6);

impl TeamPricing {
    /// Creates the weapons from the fields of a target of `fire`.
    fn from_target_fields(team: &Fields) -> Option<TeamPricing> {
        let most = |name| match team.get(name)?.kind {
            FieldType::Int(IntRange { high, .. }) => Some(high),
            _ => None,
        };
        let weapon = build_weapon_fields(team)?;
        let scenario = build_reference_force_fields(team, &weapon)?;
        Some(TeamPricing { weapon, scenario, figures: most("figures")?, pins: most("pins")? })
    }
}

/// Copies a field of a team, with the label and help for pricing.
fn field_with_pricing_label(
    team: &Fields,
    name: &str,
    label: &'static str,
    about: &'static str,
) -> Option<Field> {
    let field = team.get(name)?.clone();
    Some(Field { label: label.into(), about: about.into(), group: Text::EMPTY, ..field })
}

/// Returns the fields of a team as in `fire`; fields that a firing team needs have a default here.
fn build_weapon_fields(team: &Fields) -> Option<Fields> {
    let field = |name, label, about| field_with_pricing_label(team, name, label, about);
    let experience = field("experience", "Experience die", "Experience die")?;
    let dice = "weapon die of each figure, the best ones first";
    let defense = field("defense", "Defense", "Defense rating")?;
    let fields = vec![
        Field { preset: DefaultValue::Die(8), ..experience },
        field("weapons", "weapon dice", dice)?,
        field("figures", "figures", "number of figures, in place of a list of weapons")?,
        field("weapon", "weapon die of all", "weapon die of every figure")?,
        Field { preset: DefaultValue::Int(6), ..defense },
        field("motivation", "Motivation", "Motivation: actions of an activation")?,
    ];
    Some(fields.into())
}

fn build_reference_force_fields(team: &Fields, weapon: &Fields) -> Option<Fields> {
    let troops = vec![
        Field::new_whole_number("troopers", TEAM_COUNT_RANGE, 3, "reference teams on each side")
            .with_player_name("reference teams")
            .with_unit("teams"),
        Field::new_required("points_each", FieldType::Fraction(PRICE_RANGE), "points of each team")
            .with_player_name("cost of a team")
            .with_unit("points"),
    ];
    let troops = Fields::from(troops).with_fields_of(weapon);
    let about = "the reference teams of both sides";
    let target = Field::new_required("target", FieldType::Table(troops), about)
        .with_player_name("reference teams");
    let cover =
        field_with_pricing_label(team, "cover", "terrain", "terrain that everybody occupies")?;
    Some(vec![target, cover].into())
}

/// Conditions of a team.
const STEADY_CONDITION: usize = 0;
const PINNED_CONDITION: usize = 1;
const COWERING_CONDITION: usize = 2;
const GONE_CONDITION: usize = 3;

/// Three teams and one to be designed, against rifle teams and machine gun teams.
const STARTER_ARSENAL_TOML: &str = "\
# No points are printed: these are to be yours.
[[weapon]]
name = \"rifle team\"
price = 40
defense = 7
weapons = [\"d6\", \"d6\", \"d6\", \"d6\"]
[[weapon]]
name = \"machine gun team\"
price = 40
defense = 7
weapons = [\"d10\", \"d10\"]
[[weapon]]
name = \"my own\"
defense = 7
weapons = [\"d8\", \"d8\"]

[[scenario]]
name = \"rifle teams in the open\"
target = { troopers = 3, points_each = 40, figures = 4, weapon = \"d6\", defense = 7 }

[[scenario]]
name = \"machine gun teams in the open\"
target = { troopers = 3, points_each = 40, figures = 2, weapon = \"d10\", defense = 7 }

[[scenario]]
name = \"rifle teams in cover\"
cover = \"cover\"
target = { troopers = 3, points_each = 40, figures = 4, weapon = \"d6\", defense = 7 }
";

impl PricingRules for TeamPricing {
    fn weapon_fields(&self) -> &Fields {
        &self.weapon
    }

    fn scenario_fields(&self) -> &Fields {
        &self.scenario
    }

    fn starter_arsenal(&self) -> &str {
        STARTER_ARSENAL_TOML
    }

    fn printed_price(&self, weapon: WeaponWithoutItsPrice) -> FaultResult<Option<f64>> {
        self.read_team(weapon.form).map(|_| None).map_err(|_| {
            let how = "give its `weapons`, or `figures` and `weapon`";
            let none = std::iter::empty();
            vec![weapons::unknown_weapon(weapon.name, none, how)]
        })
    }

    fn set_up_battle(
        &self,
        weapon: WeaponWithoutItsPrice,
        there: &PricingScenario,
        _: &AssumptionValues,
        rules: &dyn ContestDistributionSource,
    ) -> FaultResult<BattleSetup> {
        let gun = self.read_team(weapon.form).map_err(fault_prefixer("weapon"))?;
        let target = there.reference_troops();
        let troops = self.read_team(target).map_err(fault_prefixer("scenario.target"))?;
        let queries = TeamFireAndMoraleSolver { rules, there, most_pins: self.pins as usize };
        // Teams other than the weapon are troops: they fire at each other, at the weapon, and are
        // its targets.
        let on_troops = queries.solve_volley(&troops, troops.dice.len(), &troops)?;
        let on_weapon = queries.solve_volley(&troops, troops.dice.len(), &gun)?;
        let by_weapon = queries.solve_volley(&gun, gun.dice.len(), &troops)?;
        let troop_fire =
            queries.mean_fire_share_over_losses(&troops, &troops, &on_troops.ladder)?;
        let fire_at_gun = queries.mean_fire_share_over_losses(&troops, &gun, &on_troops.ladder)?;
        let gun_fire = queries.mean_fire_share_over_losses(&gun, &troops, &on_weapon.ladder)?;
        let round = RoundFire {
            troop_shots: 1,
            on_troops: effect_by_target_condition(&on_troops, troop_fire),
            on_weapon: effect_by_target_condition(&on_weapon, fire_at_gun),
            weapon_shots: 1,
            by_weapon: effect_by_target_condition(&by_weapon, gun_fire),
        };
        Ok(BattleSetup {
            troops: queries.build_battle_unit_with_morale(&troops, &on_troops.pins)?,
            weapon: queries.build_battle_unit_with_morale(&gun, &on_weapon.pins)?,
            troop_points: target.fraction("points_each") as f64 / 64.0,
            extra_points: 0.0,
            rounds: vec![round],
        })
    }
}

/// Team that fires or is fired at.
struct Team {
    experience: u8,
    /// Weapon dice, the best ones first.
    dice: Vec<u8>,
    defense: i64,
    motivation: i64,
}

impl TeamPricing {
    fn read_team(&self, form: &Form) -> FaultResult<Team> {
        let listed = form.list_of_field("weapons").iter().filter_map(|value| match value {
            Value::Die(sides) => Some(*sides),
            _ => None,
        });
        let mut dice: Vec<u8> = listed.collect();
        if let (true, Some(sides)) = (dice.is_empty(), form.maybe_die("weapon")) {
            dice = vec![sides; form.maybe_int("figures").unwrap_or(1) as usize];
        }
        if dice.is_empty() {
            let fault = Fault::new(
                "weapons",
                "`weapons` is missing: a team without weapon dice cannot fire",
            );
            return Err(vec![fault.with_help("give `weapons`, or `figures` and `weapon`")]);
        }
        if dice.len() > self.figures as usize {
            let problem = format!("a team has at most {} figures", self.figures);
            return Err(vec![Fault::new("weapons", problem)]);
        }
        Ok(Team {
            experience: form.die("experience"),
            dice,
            defense: form.int("defense"),
            motivation: form.int("motivation"),
        })
    }
}

/// Queries of the rules in one scenario.
struct TeamFireAndMoraleSolver<'a> {
    rules: &'a dyn ContestDistributionSource,
    there: &'a PricingScenario,
    most_pins: usize,
}

/// Effect of a volley on a team.
struct TeamVolleyEffect {
    /// Figures left, by figures before.
    ladder: LossTransitionMatrix,
    /// Probability of each number of pins on the whole team, if it survives: from none.
    pins: Vec<f64>,
}

impl TeamFireAndMoraleSolver<'_> {
    /// Solves the fire of the first `figures` of a team at another.
    fn solve_volley(
        &self,
        firing: &Team,
        figures: usize,
        target: &Team,
    ) -> FaultResult<TeamVolleyEffect> {
        let whole = target.dice.len();
        let mut volley = TeamVolleyEffect { ladder: no_loss_matrix(whole), pins: Vec::new() };
        for left in 1..=whole {
            let contest = self.fire_contest_toml(firing, figures, target, left);
            let law = self.rules.distribution_of(FIRE_ACTION_NAME, &contest)?;
            volley.ladder[left][left] = 0.0;
            // The last pass is a whole team: only its markers are used.
            volley.pins.clear();
            for ([kia, pins], p) in law.outcomes_of_fields(["target_kia", "target_pins"]) {
                let after = left - kia.unsigned_abs() as usize;
                volley.ladder[left][after] += p;
                let pins = pins.unsigned_abs() as usize;
                volley.pins.resize(volley.pins.len().max(pins + 1), 0.0);
                volley.pins[pins] += if after > 0 { p } else { 0.0 };
            }
        }
        let pin_chance: f64 = volley.pins.iter().sum();
        // Normalized to teams that survive: removed ones carry no markers.
        if pin_chance > 0.0 {
            volley.pins.iter_mut().for_each(|p| *p /= pin_chance);
        }
        Ok(volley)
    }

    fn fire_contest_toml(
        &self,
        firing: &Team,
        figures: usize,
        target: &Team,
        left: usize,
    ) -> Table {
        let die = |sides: &u8| Toml::String(format!("d{sides}"));
        let dice: Vec<_> = firing.dice[..figures].iter().map(die).collect();
        let attacker = Table::from_iter([
            ("experience".to_owned(), die(&firing.experience)),
            ("weapons".to_owned(), dice.into()),
        ]);
        let defender = Table::from_iter([
            ("figures".to_owned(), Toml::Integer(left as i64)),
            ("defense".to_owned(), target.defense.into()),
            ("cover".to_owned(), self.there.form.text_of_field("cover").into()),
        ]);
        Table::from_iter([
            ("attacker".to_owned(), attacker.into()),
            ("defender".to_owned(), defender.into()),
        ])
    }

    /// Solves an activation with `pins`: the share of actions left, the chance to Cower, the chance
    /// to be removed.
    fn solve_morale_or_rally(
        &self,
        action: &str,
        team: &Team,
        pins: usize,
    ) -> FaultResult<[f64; 3]> {
        let defender = Table::from_iter([
            ("experience".to_owned(), format!("d{}", team.experience).into()),
            ("motivation".to_owned(), team.motivation.into()),
            ("pins".to_owned(), Toml::Integer(pins as i64)),
        ]);
        let contest = Table::from_iter([("defender".to_owned(), defender.into())]);
        let law = self.rules.distribution_of(action, &contest)?;
        let mut test = [0.0; 3];
        for (values, p) in law.outcomes_of_fields(["actions", "cowering", "removed"]) {
            for (sum, value) in test.iter_mut().zip(values) {
                *sum += p * f64::from(value);
            }
        }
        test[0] /= team.motivation as f64;
        Ok(test)
    }

    /// Creates the unit of a team with its morale, when pinned by numbers of markers with these
    /// chances.
    fn build_battle_unit_with_morale(&self, team: &Team, pins: &[f64]) -> FaultResult<BattleUnit> {
        let some: f64 = pins.iter().skip(1).sum();
        let mut pinned = [1.0, 0.0, 0.0];
        // Every marker counts against the team's morale, so a pinned team is the mean over its
        // numbers of markers.
        if some > 0.0 {
            pinned = [0.0; 3];
            for (pins, chance) in pins.iter().enumerate().skip(1) {
                let test =
                    self.solve_morale_or_rally(MORALE_ACTION_NAME, team, pins.min(self.most_pins))?;
                let pairs = pinned.iter_mut().zip(test);
                pairs.for_each(|(sum, value)| *sum += chance / some * value);
            }
        }
        let rally = self.solve_morale_or_rally(RALLY_ACTION_NAME, team, 0)?;
        let condition = |[fires, cowers, removed]: [f64; 3]| LivingUnitCondition {
            fires,
            share_left: 1.0,
            unhurt: 1.0,
            rest: vec![
                (STEADY_CONDITION, 1.0 - cowers - removed),
                (COWERING_CONDITION, cowers),
                (GONE_CONDITION, removed),
            ],
        };
        Ok(BattleUnit {
            conditions: vec![condition([1.0, 0.0, 0.0]), condition(pinned), condition(rally)],
            start: STEADY_CONDITION,
        })
    }
}

/// Computes the effect of a volley with this share of full fire on a team in each condition.
fn effect_by_target_condition(volley: &TeamVolleyEffect, fire: f64) -> ShotEffect {
    let kill_rate = mean_kill_chance_per_volley(&volley.ladder) * fire;
    let pinned = (1.0 - volley.pins[0]) * fire * (1.0 - kill_rate);
    let ladder_step = |here: usize| vec![(here, 1.0 - kill_rate), (GONE_CONDITION, kill_rate)];
    vec![
        vec![
            (STEADY_CONDITION, 1.0 - kill_rate - pinned),
            (PINNED_CONDITION, pinned),
            (GONE_CONDITION, kill_rate),
        ],
        ladder_step(PINNED_CONDITION),
        ladder_step(COWERING_CONDITION),
    ]
}

impl TeamFireAndMoraleSolver<'_> {
    /// Computes the mean fire of a team over its life, as it loses its figures by `dies`, as a
    /// share of the whole team's fire at `target`.
    fn mean_fire_share_over_losses(
        &self,
        firing: &Team,
        target: &Team,
        dies: &LossTransitionMatrix,
    ) -> FaultResult<f64> {
        let harm = |figures: usize| -> FaultResult<f64> {
            Ok(mean_kill_chance_per_volley(&self.solve_volley(firing, figures, target)?.ladder))
        };
        let whole = harm(firing.dice.len())?;
        if whole <= 0.0 {
            return Ok(1.0);
        }
        average_over_unit_life(dies, |lost| Ok(harm(firing.dice.len() - lost)? / whole))
    }
}
