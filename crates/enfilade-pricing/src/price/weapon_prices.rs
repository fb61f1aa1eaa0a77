//! Prices of the weapons of an arsenal.

use std::collections::BTreeMap;

use super::best_addition::ArsenalAdditionEffect;
use super::price_scale::{PriceScale, ScaleSource};
use super::price_steps::PriceRounding;
use super::price_uncertainty::PriceUncertaintyCause;
use super::ranged_value::RangedValue;
use super::verdict::{DEFAULT_PRICE_TOLERANCE, PriceVerdict};
use super::worth::{WorthBound, WorthByScenario};

use crate::evidence::{AssumptionCase, ScenarioForStatistics};
use crate::unit_edges::UnitEdgeMatrix;

/// Settings of a pricing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PricingSettings {
    /// Share by which a right price may be off.
    pub tolerance: f64,
    /// The step of the game's prices; found from them by default.
    pub step: Option<f64>,
    /// Source of the scale.
    pub scale: ScaleSource,
}

impl Default for PricingSettings {
    fn default() -> PricingSettings {
        PricingSettings {
            tolerance: DEFAULT_PRICE_TOLERANCE,
            step: None,
            scale: ScaleSource::ByPrices,
        }
    }
}

/// The prices of an arsenal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ArsenalPrices {
    /// The weapons, in the order of the evidence.
    pub weapons: Vec<WeaponPrice>,
    /// The scenarios, in the order of the evidence.
    pub scenarios: Vec<ScenarioForStatistics>,
    /// Weight of each scenario; all of them add up to 1.
    pub mix: Vec<f64>,
    /// Worths by case of the assumptions, `[weapon][scenario]`, as fought, in logarithms of points.
    pub worths: BTreeMap<AssumptionCase, WorthByScenario>,
    /// The cost of a point of worth; `None` in points of the opponents' troops.
    pub scale: Option<PriceScale>,
    /// The steps of the game's prices.
    pub steps: PriceRounding,
    /// Share by which a right price may be off.
    pub tolerance: f64,
    /// Names of the assumptions, in the order of [`EvenPrice::assumption_prices`].
    pub assumptions: Vec<String>,
    /// Number of opponents in the mix.
    pub opponents: usize,
    /// Position of the weapon that is the unit for others, if prices follow no one scale: the
    /// cheapest whose price is not found wrong.
    pub reference_unit: Option<usize>,
    /// Units against units, if all of them met all.
    #[doc(hidden)]
    pub units: Option<UnitMatchupsAtEvenPrices>,
}

/// A weapon and its fair price.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WeaponPrice {
    /// Its name.
    pub name: String,
    /// Its current price; `None` for a candidate.
    pub price: Option<f64>,
    /// Its worth: the points of its opponents' troops at which it wins as many battles as it loses.
    pub worth: RangedValue,
    /// Worth of a copy that never fires; `None` if none was fought.
    pub idle_worth: Option<f64>,
    /// Its even price, or the reason why it has none here.
    pub even: Result<EvenPrice, UnpricedReason>,
    /// The worth of the eighth copy beside seven, as a share of that of the first; `None` where
    /// eight did not fight.
    pub eighth: Option<f64>,
    /// Position of the scenario with its largest worth.
    pub best: usize,
    /// Position of the scenario with its smallest worth.
    pub worst: usize,
    /// Share of the mix in which its worth is only a bound.
    pub bounded_share: f64,
    /// Battles that were rolled for it; `None` if everything is exact.
    pub trials: Option<u64>,
}

impl WeaponPrice {
    /// Its even price, if it has one.
    pub fn even_price_if_any(&self) -> Option<&EvenPrice> {
        self.even.as_ref().ok()
    }

    /// The finding on its price, if it has one and an even price too.
    pub fn finding_on_price(&self) -> Option<&PriceFinding> {
        self.even_price_if_any()?.finding.as_ref()
    }

    /// The verdict on its price; `None` for a weapon without one, or without an even price.
    pub fn verdict_on_price(&self) -> Option<PriceVerdict> {
        self.finding_on_price().map(|judged| judged.verdict)
    }
}

/// The reason why a weapon has no even price here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnpricedReason {
    /// It harms nobody in any scenario that counts: by these sums, where the rulebook has some.
    Harmless(Vec<String>),
    /// Its purpose is not fought, in the words of its rulebook.
    NotModelled(String),
    /// Its curves are too flat to show where they pass one half.
    Flat,
    /// Its curves do not pass one half where they were fought.
    OutsideCurves(WorthBound),
}

/// An even price.
#[derive(Clone, Debug, PartialEq)]
pub struct EvenPrice {
    /// The price with its 95 % range.
    pub price: RangedValue,
    /// Both ends of its 90 % range.
    pub at90: (f64, f64),
    /// The price and its range on the steps of the game.
    pub rounded: RangedValue,
    /// Its worth relative to the others: the scale times this is the price.
    pub relative_worth: f64,
    /// Whether the price is in points of the list, and not of the opponents' troops.
    pub is_in_list_points: bool,
    /// The finding on its current price; `None` for a candidate, and for one that is right by
    /// decision.
    pub finding: Option<PriceFinding>,
    /// The addition that would narrow the range most.
    pub best_addition: Option<ArsenalAdditionEffect>,
    /// The main cause of the uncertainty.
    pub cause: Option<PriceUncertaintyCause>,
    /// Even prices with each assumption at its low and at its high end.
    pub assumption_prices: Vec<(f64, f64)>,
    /// Its worth in units of [`ArsenalPrices::reference_unit`], if there is one.
    pub in_reference_units: Option<RangedValue>,
    /// Its prices against single opponents, if it has no one price.
    pub opponent_prices: Option<ExtremePricesByOpponent>,
}

/// The finding on a current price.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PriceFinding {
    /// Right, too dear, too cheap, open, or no one price.
    pub verdict: PriceVerdict,
    /// Natural logarithm of current over even price.
    pub residual: f64,
}

/// Units against units, at their even prices.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct UnitMatchupsAtEvenPrices {
    /// Their positions among the weapons.
    pub places: Vec<usize>,
    /// Their even prices.
    pub prices: Vec<f64>,
    /// Weight of each as an opponent.
    pub mix: Vec<f64>,
    /// Edges at these prices.
    pub edges: UnitEdgeMatrix,
}

/// Even prices against single opponents, of a unit that has no one price.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExtremePricesByOpponent {
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Positions of the opponents of these two prices.
    pub opponents: [usize; 2],
}
