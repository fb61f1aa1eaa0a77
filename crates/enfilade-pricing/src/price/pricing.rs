//! Prices of the weapons of an arsenal.

use std::collections::BTreeMap;

use super::doubt::Cause;
use super::lever::Lever;
use super::ranged::Ranged;
use super::scale::{Scale, Settled};
use super::steps::Steps;
use super::verdict::{TOLERANCE, Verdict};
use super::worth::{Bound, Table};

use crate::edges::Edges;
use crate::evidence::{Denied, Exchange, Model, ScenarioFacts};

/// Settings of a pricing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Share by which a right price may be off.
    pub tolerance: f64,
    /// The step of the game's prices; found from them by default.
    pub step: Option<f64>,
    /// Source of the scale.
    pub scale: Settled,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tolerance: TOLERANCE, step: None, scale: Settled::ByPrices }
    }
}

/// Computes the prices of an arsenal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pricing {
    /// The weapons, in the order of the evidence.
    pub weapons: Vec<Priced>,
    /// The scenarios, in the order of the evidence.
    pub scenarios: Vec<ScenarioFacts>,
    /// Weight of each scenario; all of them add up to 1.
    pub mix: Vec<f64>,
    /// Worths by case of the assumptions, `[weapon][scenario]`, as fought, in logarithms of points.
    pub worths: BTreeMap<Model, Table>,
    /// The cost of a point of worth; `None` in points of the opponents' troops.
    pub scale: Option<Scale>,
    /// The steps of the game's prices.
    pub steps: Steps,
    /// Share by which a right price may be off.
    pub tolerance: f64,
    /// Worth of a pin and of a break, in kills.
    pub exchange: Exchange,
    /// Names of the assumptions, in the order of [`Even::ends`].
    pub assumptions: Vec<String>,
    /// Number of opponents in the mix.
    pub opponents: usize,
    /// Position of the weapon that is the unit for others, if prices follow no one scale: the
    /// cheapest whose price is not found wrong.
    pub beside: Option<usize>,
    /// Units against units, if all of them met all.
    #[doc(hidden)]
    pub units: Option<UnitEdges>,
}

/// A weapon and its fair price.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Priced {
    /// Its name.
    pub name: String,
    /// Its current price; `None` for a candidate.
    pub price: Option<f64>,
    /// Its worth: the points of its opponents' troops at which it wins as many battles as it loses.
    pub worth: Ranged,
    /// Worth of a copy that never fires; `None` if none was fought.
    pub floor: Option<f64>,
    /// Its even price, or the reason why it has none here.
    pub even: Result<Even, Unpriced>,
    /// Points it denies in an activation.
    pub denied: Denied,
    /// The worth of the eighth copy beside seven, as a share of that of the first; `None` where eight did not fight.
    pub eighth: Option<f64>,
    /// Position of the scenario with its largest worth.
    pub best: usize,
    /// Position of the scenario with its smallest worth.
    pub worst: usize,
    /// Share of the mix in which its worth is only a bound.
    pub bounded: f64,
    /// Battles that were rolled for it; `None` if everything is exact.
    pub trials: Option<u64>,
}

impl Priced {
    /// Its even price, if it has one.
    pub fn priced(&self) -> Option<&Even> {
        self.even.as_ref().ok()
    }

    /// The finding on its price, if it has one and an even price too.
    pub fn judged(&self) -> Option<&Judged> {
        self.priced()?.judged.as_ref()
    }

    /// The verdict on its price; `None` for a weapon without one, or without an even price.
    pub fn verdict(&self) -> Option<Verdict> {
        self.judged().map(|judged| judged.verdict)
    }
}

/// The reason why a weapon has no even price here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// It harms nobody in any scenario that counts: by these sums, where the rulebook has some.
    Harmless(Vec<String>),
    /// Its purpose is not fought, in the words of its rulebook.
    Unseen(String),
    /// Its curves are too flat to show where they pass one half.
    Flat,
    /// Its curves do not pass one half where they were fought.
    Beyond(Bound),
}

/// An even price.
#[derive(Clone, Debug, PartialEq)]
pub struct Even {
    /// The price with its 95 % range.
    pub price: Ranged,
    /// Both ends of its 90 % range.
    pub at90: (f64, f64),
    /// The price and its range on the steps of the game.
    pub shown: Ranged,
    /// Its worth relative to the others: the scale times this is the price.
    pub counts: f64,
    /// Whether the price is in points of the list, and not of the opponents' troops.
    pub scaled: bool,
    /// The finding on its current price; `None` for a candidate, and for one that is right by
    /// decision.
    pub judged: Option<Judged>,
    /// The addition that would narrow the range most.
    pub lever: Option<Lever>,
    /// The main cause of the uncertainty.
    pub cause: Option<Cause>,
    /// Even prices with each assumption at its low and at its high end.
    pub ends: Vec<(f64, f64)>,
    /// Its worth in units of [`Pricing::beside`], if there is one.
    pub beside: Option<Ranged>,
    /// Its prices against single opponents, if it has no one price.
    pub apart: Option<OpponentPrices>,
}

/// The finding on a current price.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Judged {
    /// Right, too dear, too cheap, open, or no one price.
    pub verdict: Verdict,
    /// Natural logarithm of current over even price.
    pub residual: f64,
}

/// Units against units, at their even prices.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct UnitEdges {
    /// Their positions among the weapons.
    pub places: Vec<usize>,
    /// Their even prices.
    pub prices: Vec<f64>,
    /// Weight of each as an opponent.
    pub mix: Vec<f64>,
    /// Edges at these prices.
    pub edges: Edges,
}

/// Even prices against single opponents, of a unit that has no one price.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentPrices {
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Positions of the opponents of these two prices.
    pub beside: [usize; 2],
}
