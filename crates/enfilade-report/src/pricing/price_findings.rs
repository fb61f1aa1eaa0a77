//! Findings about an arsenal, which all of its reports share.

use super::list_battles::ListBattleFindings;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::ArsenalPrices;

/// All findings about an arsenal.
#[derive(Clone, Copy, Debug)]
pub struct PriceFindings<'a> {
    /// The name of the arsenal.
    pub name: &'a str,
    /// The question that it answers.
    pub question: Option<&'a str>,
    /// The prediction of its author.
    pub prediction: Option<&'a str>,
    /// Seed of the resampling and of the simulations.
    pub seed: u64,
    /// The battles.
    pub evidence: &'a BattleEvidence,
    /// The prices derived from them.
    pub pricing: &'a ArsenalPrices,
    /// Index of the only weapon reported; `None` for all.
    pub only: Option<usize>,
    /// Lists that were fought at these prices.
    pub lists: Option<&'a ListBattleFindings>,
}

impl<'a> PriceFindings<'a> {
    /// Collects battles and prices of an arsenal, for the weapon at `only` or for all.
    pub fn new(
        arsenal: &'a Arsenal,
        evidence: &'a BattleEvidence,
        pricing: &'a ArsenalPrices,
        (seed, only): (u64, Option<usize>),
    ) -> Self {
        PriceFindings {
            name: &arsenal.name,
            question: arsenal.question.as_deref(),
            prediction: arsenal.prediction.as_deref(),
            seed,
            evidence,
            pricing,
            only,
            lists: None,
        }
    }

    /// Returns the indices of the reported weapons.
    pub fn indices_of_reported_weapons(&self) -> impl Iterator<Item = usize> + '_ {
        let wanted = |w: &usize| self.only.is_none_or(|only| only == *w);
        (0..self.pricing.weapons.len()).filter(wanted)
    }
}
