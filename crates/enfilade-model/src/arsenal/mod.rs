//! What a rulebook says of its weapons, so that they can be priced.
//!
//! A contest says what a shot does. It does not say which weapons a unit fires in an activation, how
//! often, or what a loss of nerve costs in the activations after it. A rulebook whose weapons can be
//! priced says so as a [`Priced`]: it declares what a file may say of a weapon and of a scenario,
//! asks its own contests by an [`Ask`], and fills a [`Staging`] in words that are no rulebook's own.
//!
//! Whoever follows battles and prices weapons knows these plain types and no rulebook; a rulebook
//! fills them and knows no engine. Nothing here follows a battle, and nothing here is a price.

pub mod ladder;
mod law;
pub mod named;
mod setting;
mod staging;
pub mod worth;

use std::sync::Arc;

use toml::Table;

pub use crate::form::within;
use crate::form::{Fault, Fields, Form, names, shown::shown};
use crate::shared::Text;

pub use law::Law;
pub use setting::{
    Assumed, DISTANCE_ASSUMED, MOVES, POINTS, PRICE, Preset, RANGE, Setting, TROOPERS,
    WITHIN_REACH, distance_assumed,
};
pub use staging::{Condition, Effect, Leads, Round, Staging, Unit, harm, takes};
pub use worth::{Denied, Exchange};

/// Something checked, or everything that is wrong with it.
pub type Checked<T> = Result<T, Vec<Fault>>;

/// Who can be asked for the law of a contest of one rulebook.
pub trait Ask {
    /// The law of the contest that a table describes for an action, as a file would.
    ///
    /// # Errors
    /// What a designer would be told of the same contest in a file.
    fn ask(&self, action: &str, contest: &Table) -> Checked<Arc<Law>>;
}

/// A weapon as a file describes it. Its price is not told: it decides nothing.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    /// Its name.
    pub name: &'a str,
    /// Everything the file says of it, defaults included.
    pub form: &'a Form,
}

/// What a rulebook says of a weapon beside what it does in a battle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nature {
    /// What it is for that no battle shows, such as `carries troops`; `None` where it is for fighting.
    pub unseen: Option<Text>,
    /// What is said of it that no battle takes into account, in a sentence without its name.
    pub left_out: Option<Text>,
}

/// What a rulebook needs so that its weapons can be priced.
pub trait Priced: Send + Sync {
    /// Fields of a `[[weapon]]` beside its name and its price.
    fn weapon(&self) -> &Fields;

    /// Fields of a `[[scenario]]` beside what every scenario has; among them `target`, a table with
    /// the number of reference `troopers`.
    fn scenario(&self) -> &Fields;

    /// The weapons that are known by name.
    fn known(&self) -> Vec<Text> {
        Vec::new()
    }

    /// A small arsenal to start from, as a file has it below its `system`; nothing where a rulebook has
    /// none.
    fn ready(&self) -> &str {
        ""
    }

    /// What no rule settles, beside what is assumed of every battle.
    fn assumptions(&self) -> &[Preset] {
        &[]
    }

    /// The assumption that stands where a rule would, if there is one: the report names it first.
    fn opinion(&self) -> Option<&Preset> {
        None
    }

    /// Whether an assumption is about this weapon.
    fn concerns(&self, _assumption: &str, _weapon: Profile) -> bool {
        true
    }

    /// The printed price of a weapon; `None` where nothing is printed.
    ///
    /// # Errors
    /// When it is no weapon: neither its name nor its fields say what it does.
    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>>;

    /// What a weapon is, beside what it does in a battle.
    fn nature(&self, _weapon: Profile) -> Nature {
        Nature::default()
    }

    /// Stages a weapon in a scenario. `assumed` has the rulebook's own assumptions.
    ///
    /// # Errors
    /// What does not fit together: faults of the weapon under `weapon`, those of the scenario under
    /// `scenario`.
    fn stage(
        &self,
        weapon: Profile,
        there: &Setting,
        assumed: &Assumed,
        rules: &dyn Ask,
    ) -> Checked<Staging>;

    /// Points that an activation of the weapon denies a whole enemy force: those it kills, where
    /// the rulebook knows nothing else.
    fn denied(&self, staging: &Staging, there: &Setting) -> Denied {
        worth::killed(staging, there)
    }

    /// What a pin and a break are worth over so many activations, by the rules' own rally; nothing,
    /// where the rulebook knows neither.
    ///
    /// # Errors
    /// As [`stage`](Priced::stage).
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

/// The fault of a weapon that is neither built in nor described, with the nearest of `known`.
pub fn without_profile<'a>(name: &str, known: impl Iterator<Item = &'a str>, how: &str) -> Fault {
    let shown = shown(name);
    let problem = format!(
        "the weapon \"{shown}\" has no profile: it is not in the built-in data and not described here"
    );
    Fault::new("name", problem).help(match names::nearest(name, known) {
        Some(near) => format!("did you mean \"{near}\"? If not, {how}"),
        None => how.to_owned(),
    })
}

/// Points of each of the reference troops: `points_each` of a scenario's target, or those printed for
/// what is called `name`.
///
/// # Errors
/// Where neither is there.
pub fn points_each(target: &Form, printed: Option<f64>, name: &str) -> Checked<f64> {
    let given = target.maybe_fraction("points_each").map(|parts| parts as f64 / 64.0);
    given.or(printed).ok_or_else(|| {
        let name = shown(name);
        let problem =
            format!("no points are printed for \"{name}\", so `points_each` must be given");
        vec![Fault::new("scenario.target.points_each", problem)]
    })
}
