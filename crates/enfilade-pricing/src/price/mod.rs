//! From evidence to prices: what each weapon should cost, how sure that is, and what would settle it.
//!
//! * [`worth`]: where each curve of wins passes one half: the indifference price of a cell.
//! * [`mixes`]: four mixes of scenarios; the headline is the designer's, the mean of log worths.
//! * [`pool`], [`spread`]: how sure a worth is, learned from all weapons, without any price.
//! * [`doubt`]: the interval of a price, the share of each cause, what is left without it.
//! * [`verdict`]: fine, over, under, or nobody can tell; [`lever`]: what would settle it;
//!   [`lean`](mod@lean): how much they lean on single prices.
//! * [`moved`]: two pricings side by side.
//! * [`ladder`]: the steps of the game; [`sensitivity`]: what moves worths most;
//!   [`diagnostics`]: where prices are off together.
//!
//! A weapon has two numbers. Its *worth* is in points of the reference troops. Its *fair price* is what this
//! arsenal pays for that worth, by a [line](enfilade_stats::line) through the other weapons that have a
//! price: nobody votes on his own price, so that the same answer comes out whether it is left out, too
//! low or too high. A weapon without a price is a candidate: the price is the question. Where fewer
//! than [`LEAST`] others have one, points are those of the reference troops.
//!
//! Nothing here knows a rule system or fights a battle: new prices need no new battles. What
//! no battle holds is not in the price: manoeuvre, objectives, command, the players.

pub mod diagnostics;
pub mod doubt;
pub mod ladder;
pub mod lean;
pub mod lever;
pub mod mixes;
pub mod moved;
pub mod pool;
mod priced;
mod pricing;
pub mod sensitivity;
pub mod spread;
pub mod verdict;
pub mod worth;

pub use priced::price;
pub use pricing::{
    Anchor, ByMix, Fair, Judged, LEAST, Priced, Pricing, Ranged, Settings, Unpriced,
};
