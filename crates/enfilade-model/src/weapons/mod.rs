//! Interface of a rulebook whose weapons can be priced.
//!
//! A contest defines the effect of a shot. It does not define which weapons a unit fires in an
//! activation, how often, or the cost of a break in the following activations. A rulebook whose
//! weapons can be priced implements [`PricingRules`]: it declares the fields of a weapon and of a
//! scenario, queries its own contests through an [`ContestDistributionSource`], and fills a
//! [`BattleSetup`], which is independent of the rulebook.
//!
//! The code that simulates battles and prices weapons uses these plain types and no rulebook; a
//! rulebook fills them and uses no engine. No battle is simulated here, and no price is computed.

pub mod attrition;
mod battle_setup;
pub mod by_name;
mod outcome_distribution;
mod scenario_setting;

use std::sync::Arc;

use toml::Table;

pub use crate::form::fault_prefixer;
use crate::form::sanitize::shorten_and_make_safe;
use crate::form::{Fault, Fields, Form, name_matching};
use crate::static_or_shared::Text;

pub use battle_setup::{
    BattleSetup, BattleUnit, ConditionTransitions, LivingUnitCondition, RoundFire, ShotEffect,
    effect_of_kill_chance, expected_loss_share_of_shots,
};
pub use outcome_distribution::ContestOutcomeDistribution;
pub use scenario_setting::{
    AssumptionSpec, AssumptionValues, DISTANCE_ASSUMPTION_NAME, POINTS_RANGE, PRICE_RANGE,
    PricingScenario, RANGE, SCENARIO_LENGTH_FIELD, TROOPER_COUNT_RANGE, WITHIN_REACH_FIELD,
    distance_assumption_spec,
};

/// Checked value, or all of its faults.
pub type FaultResult<T> = Result<T, Vec<Fault>>;

/// Source of the distributions of one rulebook's contests.
pub trait ContestDistributionSource {
    /// Returns the distribution of the contest that a table describes for an action, as a file
    /// would.
    ///
    /// # Errors
    /// The faults that a designer would get for the same contest in a file.
    fn distribution_of(
        &self,
        action: &str,
        contest: &Table,
    ) -> FaultResult<Arc<ContestOutcomeDistribution>>;
}

/// Weapon as a file describes it, without its price, which has no effect in a battle.
#[derive(Clone, Copy, Debug)]
pub struct WeaponWithoutItsPrice<'a> {
    /// Name of the weapon.
    pub name: &'a str,
    /// Fields of the weapon in the file, with defaults.
    pub form: &'a Form,
}

/// Traits of a weapon beside its effect in a battle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeaponTraitsOutsideBattle {
    /// Purpose that no battle shows, such as `carries troops`; `None` for a fighting weapon.
    pub unseen: Option<Text>,
    /// Trait that no battle takes into account, in a sentence without the weapon's name.
    pub left_out: Option<Text>,
}

/// Rules that a rulebook provides so that its weapons can be priced.
pub trait PricingRules: Send + Sync {
    /// Returns the fields of a `[[weapon]]` beside its name and its price.
    fn weapon_fields(&self) -> &Fields;

    /// Returns the fields of a `[[scenario]]` beside those of every scenario; among them `target`,
    /// a table with the number of reference `troopers`.
    fn scenario_fields(&self) -> &Fields;

    /// Returns the weapons that are available by name.
    fn weapon_names(&self) -> Vec<Text> {
        Vec::new()
    }

    /// Returns a small arsenal to start from, as a file has it below its `system`; empty where a
    /// rulebook has none.
    fn starter_arsenal(&self) -> &str {
        ""
    }

    /// Returns the assumptions that no rule settles, beside those of every battle.
    fn assumptions(&self) -> &[AssumptionSpec] {
        &[]
    }

    /// Returns the assumption in place of a missing rule, if there is one: the report names it
    /// first.
    fn assumption_for_missing_rule(&self) -> Option<&AssumptionSpec> {
        None
    }

    /// Returns whether both players activate their units in turn, one each, by the rules. A new
    /// arsenal then assumes this order; a file that names no order assumes whole sides, whose
    /// battles are solved exactly.
    fn activates_units_in_turn(&self) -> bool {
        false
    }

    /// Returns whether an assumption concerns this weapon.
    fn assumption_concerns_weapon(
        &self,
        _assumption: &str,
        _weapon: WeaponWithoutItsPrice,
    ) -> bool {
        true
    }

    /// Returns the printed price of a weapon; `None` where no price is printed.
    ///
    /// # Errors
    /// If neither the name nor the fields define the effect of the weapon.
    fn printed_price(&self, weapon: WeaponWithoutItsPrice) -> FaultResult<Option<f64>>;

    /// Returns the traits of a weapon beside its effect in a battle.
    fn traits_outside_battle(&self, _weapon: WeaponWithoutItsPrice) -> WeaponTraitsOutsideBattle {
        WeaponTraitsOutsideBattle::default()
    }

    /// Sets up a weapon's battle in a scenario. `assumed` has the rulebook's own assumptions.
    ///
    /// # Errors
    /// The parts that do not fit together: faults of the weapon under `weapon`, those of the
    /// scenario under `scenario`.
    fn set_up_battle(
        &self,
        weapon: WeaponWithoutItsPrice,
        there: &PricingScenario,
        assumed: &AssumptionValues,
        rules: &dyn ContestDistributionSource,
    ) -> FaultResult<BattleSetup>;

    /// Returns the sum by which no shot of the weapon harms the reference troops, such as
    /// `energy 8 + 6 is below armour 15`; `None` where no such sum rules it out.
    fn explain_harmless_weapon(
        &self,
        _weapon: WeaponWithoutItsPrice,
        _there: &PricingScenario,
    ) -> Option<String> {
        None
    }
}

/// Builds the fault of a weapon that is neither built in nor described, with the nearest of
/// `known`.
pub fn unknown_weapon<'a>(name: &str, names: impl Iterator<Item = &'a str>, how: &str) -> Fault {
    let shown = shorten_and_make_safe(name);
    let problem = format!(
        "the weapon \"{shown}\" has no profile: it is not in the built-in data and not described here"
    );
    Fault::new("name", problem).with_help(match name_matching::find_nearest_name(name, names) {
        Some(near) => format!("did you mean \"{near}\"? If not, {how}"),
        None => how.to_owned(),
    })
}

/// Returns the points of each of the reference troops: `points_each` of a scenario's target, or
/// those printed for `name`.
///
/// # Errors
/// If neither is available.
pub fn reference_trooper_points(
    target: &Form,
    printed: Option<f64>,
    name: &str,
) -> FaultResult<f64> {
    let points = target.maybe_fraction("points_each").map(|parts| parts as f64 / 64.0);
    points.or(printed).ok_or_else(|| {
        let name = shorten_and_make_safe(name);
        let problem =
            format!("no points are printed for \"{name}\", so `points_each` must be given");
        vec![Fault::new("scenario.target.points_each", problem)]
    })
}
