//! From evidence to even prices: the fair price of each weapon, its interval, and the addition that
//! would narrow it.
//!
//! * [`worth`](mod@worth): the point at which each curve of wins passes one half: the worth against
//!   one opponent.
//! * [`win_curves`]: the points at which as many battles are won as lost over all of them.
//! * [`worth_pool`], [`opponent_mix`]: how sure a worth is, learned from all weapons, without any
//!   price.
//! * [`price_scale`]: the cost of a point of worth in this list; [`price_uncertainty`]: the
//!   interval of a price.
//! * [`verdict`]: right, too dear, too cheap, open; [`best_addition`]: what would settle it.
//! * [`price_changes`]: two pricings side by side; [`unit_comparison`]: units against units, and
//!   which have no one price.
//! * [`price_steps`]: the steps of the game's prices.
//!
//! A weapon has two numbers. Its *worth* is in points of its opponents' troops, and is no price.
//! Its *even price* is that worth times one factor for the whole list: at equal points battles are
//! even, and nothing else is promised. The factor comes from the other weapons that have a price,
//! so that the same answer follows whether a weapon's own price is left out, too low or too high. A
//! weapon without a price is a candidate: the price is the question. If fewer than
//! [`MIN_PRICES_FOR_SCALE`] others have one, prices are in points of the opponents' troops.
//!
//! Nothing here depends on a rule system or fights a battle: new prices need no new battles. A
//! price leaves out all that no battle contains: manoeuvre, objectives, command, the players.

pub mod best_addition;
pub mod opponent_mix;
pub mod price_changes;
pub mod price_scale;
pub mod price_steps;
pub mod price_uncertainty;
mod pricing_plan;
mod ranged_value;
#[doc(hidden)]
pub mod unit_comparison;
pub mod verdict;
mod weapon_prices;
#[doc(hidden)]
pub mod win_curves;
pub mod worth;
#[doc(hidden)]
pub mod worth_pool;

pub use price_scale::{MIN_PRICES_FOR_SCALE, PriceScale, ScaleSource};
pub use pricing_plan::prices_from_evidence;
pub use ranged_value::RangedValue;
pub use weapon_prices::{
    ArsenalPrices, EvenPrice, PriceFinding, PricingSettings, UnpricedReason, WeaponPrice,
};
#[doc(hidden)]
pub use weapon_prices::{ExtremePricesByOpponent, UnitMatchupsAtEvenPrices};
