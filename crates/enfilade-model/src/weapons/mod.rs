//! Interface of a rulebook whose weapons can be priced.
//!
//! A contest defines the effect of a shot. It does not define which weapons a unit fires in an
//! activation, how often, or the cost of a break in the following activations. A rulebook whose
//! weapons can be priced implements [`Priced`]: it declares the fields of a weapon and of a
//! scenario, queries its own contests through an [`Ask`], and fills a [`Staging`], which is
//! independent of the rulebook.
//!
//! The code that simulates battles and prices weapons uses these plain types and no rulebook; a
//! rulebook fills them and uses no engine. No battle is simulated here, and no price is computed.

pub mod attrition;
mod battle_setup;
pub mod by_name;
pub mod effect_value;
mod outcome_distribution;
mod scenario_setting;

use std::sync::Arc;

use toml::Table;

use crate::form::sanitize::shown;
pub use crate::form::within;
use crate::form::{Fault, Fields, Form, name_matching};
use crate::shared::Text;

pub use battle_setup::{Condition, Effect, Leads, Round, Staging, Unit, harm, takes};
pub use effect_value::{Denied, Exchange};
pub use outcome_distribution::Law;
pub use scenario_setting::{
    Assumed, DISTANCE_ASSUMED, MOVES, POINTS, PRICE, Preset, RANGE, Setting, TROOPERS,
    WITHIN_REACH, distance_assumed,
};

/// Checked value, or all of its faults.
pub type Checked<T> = Result<T, Vec<Fault>>;

/// Source of the distributions of one rulebook's contests.
pub trait Ask {
    /// Returns the distribution of the contest that a table describes for an action, as a file
    /// would.
    ///
    /// # Errors
    /// The faults that a designer would get for the same contest in a file.
    fn ask(&self, action: &str, contest: &Table) -> Checked<Arc<Law>>;
}

/// Weapon as a file describes it, without its price, which has no effect in a battle.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    /// Name of the weapon.
    pub name: &'a str,
    /// Fields of the weapon in the file, with defaults.
    pub form: &'a Form,
}

/// Traits of a weapon beside its effect in a battle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nature {
    /// Purpose that no battle shows, such as `carries troops`; `None` for a fighting weapon.
    pub unseen: Option<Text>,
    /// Trait that no battle takes into account, in a sentence without the weapon's name.
    pub left_out: Option<Text>,
}

/// Rules that a rulebook provides so that its weapons can be priced.
pub trait Priced: Send + Sync {
    /// Returns the fields of a `[[weapon]]` beside its name and its price.
    fn weapon(&self) -> &Fields;

    /// Returns the fields of a `[[scenario]]` beside those of every scenario; among them `target`,
    /// a table with the number of reference `troopers`.
    fn scenario(&self) -> &Fields;

    /// Returns the weapons that are available by name.
    fn known(&self) -> Vec<Text> {
        Vec::new()
    }

    /// Returns a small arsenal to start from, as a file has it below its `system`; empty where a
    /// rulebook has none.
    fn ready(&self) -> &str {
        ""
    }

    /// Returns the assumptions that no rule settles, beside those of every battle.
    fn assumptions(&self) -> &[Preset] {
        &[]
    }

    /// Returns the assumption in place of a missing rule, if there is one: the report names it
    /// first.
    fn opinion(&self) -> Option<&Preset> {
        None
    }

    /// Returns whether an assumption concerns this weapon.
    fn concerns(&self, _assumption: &str, _weapon: Profile) -> bool {
        true
    }

    /// Returns the printed price of a weapon; `None` where no price is printed.
    ///
    /// # Errors
    /// If neither the name nor the fields define the effect of the weapon.
    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>>;

    /// Returns the traits of a weapon beside its effect in a battle.
    fn nature(&self, _weapon: Profile) -> Nature {
        Nature::default()
    }

    /// Sets up a weapon's battle in a scenario. `assumed` has the rulebook's own assumptions.
    ///
    /// # Errors
    /// The parts that do not fit together: faults of the weapon under `weapon`, those of the
    /// scenario under `scenario`.
    fn stage(
        &self,
        weapon: Profile,
        there: &Setting,
        assumed: &Assumed,
        rules: &dyn Ask,
    ) -> Checked<Staging>;

    /// Returns the sum by which no shot of the weapon harms the reference troops, such as `energy 8 + 6 is below armour
    /// 15`; `None` where no such sum rules it out.
    fn shortfall(&self, _weapon: Profile, _there: &Setting) -> Option<String> {
        None
    }

    /// Returns the points that an activation of the weapon denies a whole enemy force: by default
    /// those of the units it kills.
    fn denied(&self, staging: &Staging, there: &Setting) -> Denied {
        effect_value::killed(staging, there)
    }

    /// Returns the worth of a pin and of a break over this number of activations, by the rally
    /// rules; empty where the rulebook has neither.
    ///
    /// # Errors
    /// In the cases of [`stage`](Priced::stage).
    fn exchange(
        &self,
        _there: &Setting,
        _assumed: &Assumed,
        _activations: usize,
        _rules: &dyn Ask,
    ) -> Checked<Exchange> {
        Ok(Exchange::default())
    }
}

/// Builds the fault of a weapon that is neither built in nor described, with the nearest of
/// `known`.
pub fn without_profile<'a>(name: &str, known: impl Iterator<Item = &'a str>, how: &str) -> Fault {
    let shown = shown(name);
    let problem = format!(
        "the weapon \"{shown}\" has no profile: it is not in the built-in data and not described here"
    );
    Fault::new("name", problem).help(match name_matching::nearest(name, known) {
        Some(near) => format!("did you mean \"{near}\"? If not, {how}"),
        None => how.to_owned(),
    })
}

/// Returns the points of each of the reference troops: `points_each` of a scenario's target, or
/// those printed for `name`.
///
/// # Errors
/// If neither is available.
pub fn points_each(target: &Form, printed: Option<f64>, name: &str) -> Checked<f64> {
    let given = target.maybe_fraction("points_each").map(|parts| parts as f64 / 64.0);
    given.or(printed).ok_or_else(|| {
        let name = shown(name);
        let problem =
            format!("no points are printed for \"{name}\", so `points_each` must be given");
        vec![Fault::new("scenario.target.points_each", problem)]
    })
}
