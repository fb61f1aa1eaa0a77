//! Pricing of a game that only names its attack, weapon, target and losses: the action of one
//! attack, its fields of the weapon and of the target, and the outcome that counts the losses. Such
//! a rulebook is priced without code; one in a text file has the names in its `price:` lines.
//!
//! By default the crew of a weapon is a target like the reference troops, whole or gone. An attack
//! on a group may take several of them: it counts as the largest number of shots that it can take,
//! each with the probability that gives the right mean. The other fields of a scenario, beside
//! weapon, target, number and distance, describe the place, the same for both sides.
//!
//! With a [`MoraleFieldNames`] a unit that is left can lose it, at a rate that the attack reports.
//! The unit is shaken until its own activation restores the nerve, by a test of the rules or an
//! assumption, and fires as well as the rules allow, or not at all. So the worth of a break is the
//! fire that the rules, or an assumption that the report names first, take from the following
//! activations.
//!
//! Not modelled: nerve that is lost twice, and that of several units at once.

mod arsenal_fields;
mod named_weapons;
mod price_names;
mod starter_arsenal;

use std::sync::Arc;

use super::PricingRules;
use crate::static_or_shared::StaticOrCounted;
use named_weapons::PricingByNamedFields;
pub use price_names::{
    ActionNameAndFields, MoraleFieldNames, MoraleRecovery, PricingFieldNames, RECORD_COUNT_FIELD,
};

impl PricingFieldNames {
    /// Returns the pricing rules of the weapons; `None` where an attack lacks one of the named
    /// fields.
    pub fn into_rules_if_fields_exist(self) -> Option<StaticOrCounted<dyn PricingRules>> {
        Some(StaticOrCounted::Counted(Arc::new(PricingByNamedFields::new(self)?)))
    }
}
