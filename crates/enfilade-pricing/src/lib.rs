//! Point costs: what a weapon should cost, from force against force.
//!
//! An arsenal becomes battles, battles become [evidence](evidence::Evidence), and evidence becomes
//! prices with intervals. The code before the evidence depends on the rules of a system and on no
//! statistics; the code behind it depends on statistics and on no rules, and is tested on arsenals
//! whose fair prices are known.
//!
//! Before the evidence, an [`arsenal`] file is read and checked; its rulebook [sets
//! up](enfilade_model::weapons::Priced) every weapon, by solving its contests through the exact
//! engine ([`contests`]); from these distributions a [`battle`] is followed to its end as a chain;
//! and [`mod@gather`] collects the results of all battles. No rulebook is named in this crate.

pub mod arsenal;
#[doc(hidden)]
pub mod battle;
#[doc(hidden)]
pub mod changes;
#[doc(hidden)]
pub mod contests;
#[doc(hidden)]
pub mod doctrine;
#[doc(hidden)]
pub mod edges;
pub mod evidence;
pub mod gather;
#[doc(hidden)]
pub mod lists;
#[doc(hidden)]
pub mod opponents;
pub mod price;
mod reading;
#[doc(hidden)]
pub mod sample;
#[doc(hidden)]
pub mod scenario;
#[doc(hidden)]
pub mod schema;
mod staged;
mod trial;
mod watch;

use arsenal::Arsenal;
use price::Pricing;

use enfilade_model::error::Error;

/// Returns the price settings that `arsenal` sets.
pub fn settings(arsenal: &Arsenal) -> price::Settings {
    let settings = price::Settings::default();
    let tolerance = arsenal.tolerance.unwrap_or(settings.tolerance);
    price::Settings { tolerance, step: arsenal.step, scale: arsenal.scale }
}

/// Computes the prices of `arsenal` with its own settings, on the threads of the current rayon
/// pool.
///
/// # Errors
/// The errors of [`gather::gather`] and [`price::price`].
///
/// ```
/// use enfilade_games::built_in;
/// use enfilade_pricing::{arsenal::Arsenal, prices};
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
/// let arsenal = Arsenal::read(&built_in(), "mine.toml", file)?;
/// let pricing = prices(&arsenal)?;
/// assert_eq!(pricing.weapons.len(), 1);
/// # Ok::<(), enfilade_model::error::Error>(())
/// ```
pub fn prices(arsenal: &Arsenal) -> Result<Pricing, Error> {
    let evidence = gather::gather(arsenal, &gather::Settings::default(), &gather::Unwatched)?;
    price::price(&evidence, &settings(arsenal))
}
