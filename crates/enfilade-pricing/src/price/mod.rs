//! From evidence to even prices: the fair price of each weapon, its interval, and the addition that
//! would narrow it.
//!
//! * [`worth`](mod@worth): the point at which each curve of wins passes one half: the worth against
//!   one opponent.
//! * [`wins`]: the points at which as many battles are won as lost over all of them.
//! * [`pool`], [`spread`]: how sure a worth is, learned from all weapons, without any price.
//! * [`scale`]: what a point of worth costs in this list; [`doubt`]: the interval of a price.
//! * [`verdict`]: right, too dear, too cheap, open; [`lever`]: what would settle it.
//! * [`moved`]: two pricings side by side; [`units`]: units against units, and which have no one price.
//! * [`steps`]: the steps of the game's prices.
//!
//! A weapon has two numbers. Its *worth* is in points of its opponents' troops, and is no price.
//! Its *even price* is that worth times one factor for the whole list: at equal points battles are
//! even, and nothing else is promised. The factor comes from the other weapons that have a price,
//! so that the same answer follows whether a weapon's own price is left out, too low or too high. A
//! weapon without a price is a candidate: the price is the question. If fewer than [`LEAST`] others
//! have one, prices are in points of the opponents' troops.
//!
//! Nothing here depends on a rule system or fights a battle: new prices need no new battles. A
//! price leaves out all that no battle contains: manoeuvre, objectives, command, the players.

pub mod doubt;
pub mod lever;
pub mod moved;
#[doc(hidden)]
pub mod pool;
mod priced;
mod pricing;
mod ranged;
pub mod scale;
pub mod spread;
pub mod steps;
#[doc(hidden)]
pub mod units;
pub mod verdict;
#[doc(hidden)]
pub mod wins;
pub mod worth;

pub use priced::price;
pub use pricing::{Even, Judged, Priced, Pricing, Settings, Unpriced};
#[doc(hidden)]
pub use pricing::{OpponentPrices, UnitEdges};
pub use ranged::Ranged;
pub use scale::{LEAST, Scale, Settled};
