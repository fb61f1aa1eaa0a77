//! Point costs: what a weapon should cost, from force against force.
//!
//! An arsenal becomes battles, battles become [evidence](evidence::Evidence), and evidence becomes
//! prices with intervals. The evidence is the seam: what lies before it knows the rules of a
//! system and no statistics, what lies behind it knows statistics and no rules, and can be tested
//! on arsenals whose fair prices are known.
//!
//! Before the seam, an [`arsenal`] file is read and checked; its rulebook
//! [stages](enfilade_model::weapons::Priced) every weapon, by asking its own contests through the exact engine
//! what a shot does ([`contests`]); from these laws a [`battle`] is played to its end as a chain; and
//! [`mod@gather`] collects what all battles say. No rulebook is named in this room.

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

/// How `arsenal` asks to be priced.
pub fn settings(arsenal: &Arsenal) -> price::Settings {
    let settings = price::Settings::default();
    let tolerance = arsenal.tolerance.unwrap_or(settings.tolerance);
    price::Settings { tolerance, step: arsenal.step, scale: arsenal.scale }
}

/// The prices of `arsenal`, as it asks for them, on the threads of the current rayon pool.
///
/// # Errors
/// As for [`gather::gather`] and [`price::price`].
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
