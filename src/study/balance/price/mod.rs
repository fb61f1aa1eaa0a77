//! From evidence to prices: what each weapon should cost, how sure that is, and what to do.
//!
//! * [`worth`]: where each curve of wins passes one half: the indifference price of a cell.
//! * [`mixes`]: four mixes of scenarios; the headline is the designer's, the mean of log worths.
//! * [`anchor`]: in which points that is fair.
//! * [`spread`], [`resample`]: the interval, from four sources of doubt, and the share of each.
//! * [`model`]: what the assumptions change. [`sensitivity`]: what moves prices most.
//! * [`verdict`]: over, under or hold, and the suggestion.
//!
//! Nothing here knows a rule system or fights a battle: new prices need no new battles. What
//! no battle holds is not in the price: manoeuvre, objectives, command, the players.

pub mod anchor;
pub mod mixes;
pub mod model;
mod priced;
pub mod resample;
pub mod sensitivity;
pub mod spread;
pub mod verdict;
pub mod worth;

pub use priced::price;

use std::collections::BTreeMap;

use mixes::Mixes;
use sensitivity::Swing;
use verdict::Verdict;
use worth::{Scale, Table};

use super::evidence::{Denied, Exchange, Model, ScenarioFacts};
use crate::stats::line::Line;

/// How prices are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seed of the resampling.
    pub seed: u64,
    /// In which points a price is fair.
    pub anchor: Anchor,
}

/// In which points a price is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Points of the reference troops.
    Reference,
    /// What the arsenal as a whole pays for the same worth.
    Arsenal,
}

impl Anchor {
    /// The anchor of an arsenal of so many weapons where nobody chose one: the arsenal itself as
    /// soon as it has a price level of its own, because the reference troops may be priced wrong.
    pub fn fitting(weapons: usize) -> Anchor {
        if weapons < anchor::LEAST {
            Anchor::Reference
        } else {
            Anchor::Arsenal
        }
    }
}

/// The prices of an arsenal.
#[derive(Clone, Debug)]
pub struct Pricing {
    /// In which points they are fair.
    pub anchor: Anchor,
    /// Scale of the fitted curves.
    pub scale: Scale,
    /// The weapons, in the order of the evidence.
    pub weapons: Vec<Priced>,
    /// The scenarios, in the order of the evidence.
    pub scenarios: Vec<ScenarioFacts>,
    /// Weights over the scenarios.
    pub mixes: Mixes,
    /// Worths by model, `[weapon][scenario]`, as fought.
    pub worths: BTreeMap<Model, Table>,
    /// The default ones as they are mixed: natural logarithms of points, without what the whole arsenal gains in
    /// a scenario when the arsenal is the anchor.
    pub logs: Vec<Vec<f64>>,
    /// What is paid for a worth, in logarithms; the identity when the reference is the anchor.
    pub curve: Line,
    /// What a pin and a break are worth beside a kill.
    pub exchange: Exchange,
    /// What moves the prices, the largest first.
    pub swings: Vec<Swing>,
    /// How many opponents the designer's mix has.
    pub opponents: usize,
    /// How many opponents of equal weight would be as uneven as these.
    pub effective_opponents: f64,
    /// What had to be filled in.
    pub notes: Vec<String>,
}

/// A weapon and what it should cost.
#[derive(Clone, Debug)]
pub struct Priced {
    /// Its name.
    pub name: String,
    /// Its current price.
    pub price: f64,
    /// Its fair price under the designer's mix.
    pub fair: f64,
    /// Lower end of the 95 % interval of the fair price.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The price to try next.
    pub suggested: f64,
    /// Over, under or hold.
    pub verdict: Verdict,
    /// The chance of a price as far from fair as this one, were it fair.
    pub p: f64,
    /// The lowest rate of false discoveries at which the price counts as wrong.
    pub q: f64,
    /// Natural logarithm of current over fair.
    pub residual: f64,
    /// Fair prices by mix.
    pub by_mix: ByMix,
    /// Points it denies in an activation, under the designer's mix.
    pub denied: Denied,
    /// Activations it serves, under the designer's mix.
    pub durability: f64,
    /// What the first, second and third copy add, in points; `None` where it was not fought.
    pub copies: [Option<f64>; 3],
    /// First and last place by residual; 1 is the most overpriced weapon.
    pub rank: (usize, usize),
    /// Shares of the variance.
    pub shares: Shares,
    /// Position of the scenario in which it is worth most.
    pub best: usize,
    /// Position of the scenario in which it is worth least.
    pub worst: usize,
    /// Share of the mix in which its worth is only a bound.
    pub bounded: f64,
    /// Meetings that were rolled for it; `None` when everything is exact.
    pub trials: Option<u64>,
}

/// Fair prices under each mix of scenarios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByMix {
    /// Every scenario counts the same.
    pub uniform: f64,
    /// The designer's weights.
    pub designer: f64,
    /// By points in play; `None` when no scenario gives them.
    pub points: Option<f64>,
    /// The softened opponent's choice.
    pub adversarial: f64,
    /// The opponent's choice without softening: a bound.
    pub nash: Option<f64>,
}

/// Shares of the variance of a log price. They add up to 1, or are all 0 when nothing varies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Rolled meetings.
    pub sampling: f64,
    /// Weights of scenarios against the same opponent.
    pub scenarios: f64,
    /// Assumptions within their ranges.
    pub model: f64,
    /// Which opponents are met.
    pub opponents: f64,
}

impl Shares {
    /// Names and shares, the largest first.
    pub fn sorted(&self) -> [(&'static str, f64); 4] {
        let mut all = [
            ("sampling", self.sampling),
            ("scenarios", self.scenarios),
            ("model", self.model),
            ("opponents", self.opponents),
        ];
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }
}
