//! Point costs: the price at which lists of equal points win as often as they lose.
//!
//! An *arsenal* is a file that lists weapons with their printed prices, and scenarios with
//! opponents. [`price_arsenal`] fights its battles and returns a price with an interval for every
//! weapon.
//!
//! An arsenal becomes battles, battles become [evidence](evidence::BattleEvidence), and evidence
//! becomes prices with intervals. The code before the evidence depends on the rules of a system and
//! on no statistics; the code behind it depends on statistics and on no rules, and is tested on
//! arsenals whose fair prices are known.
//!
//! Before the evidence, an [`arsenal`] file is read and checked; its rulebook [sets
//! up](enfilade_model::weapons::PricingRules) every weapon, by solving its contests through the
//! exact engine ([`contest_cache`]); from these distributions a [`battle`] is followed to its end
//! as a chain; and [`battle_runs`] collects the results of all battles. No rulebook is named in
//! this crate.

#[doc(hidden)]
pub mod army_lists;
pub mod arsenal;
mod arsenal_file;
#[doc(hidden)]
pub mod arsenal_schema;
#[doc(hidden)]
pub mod battle;
mod battle_observer;
pub mod battle_runs;
mod battle_series;
mod battle_settings;
#[doc(hidden)]
pub mod contest_cache;
#[doc(hidden)]
pub mod doctrine;
mod equilibrium;
pub mod error;
pub mod evidence;
#[doc(hidden)]
pub mod opponents;
pub mod price;
#[doc(hidden)]
pub mod rule_changes;
#[doc(hidden)]
pub mod sample_arsenal;
#[doc(hidden)]
pub mod scenario;
mod staged_weapons;
#[doc(hidden)]
pub mod unit_edges;
mod value_table;

use arsenal::Arsenal;
use battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use price::ArsenalPrices;

use crate::error::PricingError;

/// Computes the prices of `arsenal` with its own settings, on the threads of the current rayon
/// pool.
///
/// # Errors
/// The errors of [`battle_runs::run_battles`] and [`price::prices_from_evidence`].
///
/// ```
/// use enfilade_games::built_in_catalogue;
/// use enfilade_pricing::{arsenal::Arsenal, price_arsenal};
/// let file = r#"
///     system = "skirmishers"
///     [[weapon]]
///     name = "LMG"
///     [[scenario]]
///     name = "open ground"
///     range = [90, 60, 30]
///     moves = 5
///     target = { troopers = 6 }
/// "#;
/// let arsenal = Arsenal::read_arsenal_text(&built_in_catalogue(), "mine.toml", file)?;
/// let pricing = price_arsenal(&arsenal)?;
/// assert_eq!(pricing.weapons.len(), 1);
/// # Ok::<(), enfilade_pricing::error::PricingError>(())
/// ```
pub fn price_arsenal(arsenal: &Arsenal) -> Result<ArsenalPrices, PricingError> {
    let evidence = run_battles(arsenal, &BattleSettings::default(), &NoBattleObserver)?;
    price::prices_from_evidence(&evidence, &arsenal.settings)
}
