//! Prices of a planted arsenal, as several tests take them.

use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::{
    ArsenalPrices, EvenPrice, PricingSettings, WeaponPrice, prices_from_evidence,
};

use crate::known::Design;

/// Thirteen weapons whose prices scatter by 20 % around their worth.
pub const DESIGN: Design = Design {
    weapons: 13,
    opponents: 5,
    scenarios: 2,
    between: 0.12,
    within: 0.08,
    common: 0.2,
    model: 0.04,
    assumptions: 2,
    trials: None,
    errors: &[1.0],
    scatter: 0.2,
    exponent: 1.0,
};

/// Prices of this evidence at the usual settings.
pub fn priced(evidence: &BattleEvidence) -> ArsenalPrices {
    prices_from_evidence(evidence, &PricingSettings::default()).expect("the evidence is whole")
}

/// The even price of a weapon that has one.
pub fn even(weapon: &WeaponPrice) -> &EvenPrice {
    weapon.even_price_if_any().expect("it is priced")
}
