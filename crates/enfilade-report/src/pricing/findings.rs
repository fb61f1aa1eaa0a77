//! What there is to report about an arsenal, for all that tell of it.

use super::list_battles::ListFindings;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::evidence::Evidence;
use enfilade_pricing::price::Pricing;

/// Everything there is to report about an arsenal.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'a> {
    /// The name of the arsenal.
    pub name: &'a str,
    /// The question it answers.
    pub question: Option<&'a str>,
    /// What its author expected.
    pub prediction: Option<&'a str>,
    /// Seed of the resampling and of what was simulated.
    pub seed: u64,
    /// The battles.
    pub evidence: &'a Evidence,
    /// The prices they lead to.
    pub pricing: &'a Pricing,
    /// The weapon that is asked about, by its position; all when nobody says.
    pub only: Option<usize>,
    /// Lists that were fought at these prices.
    pub fought: Option<&'a ListFindings>,
}

impl<'a> Findings<'a> {
    /// Those of the battles and prices of an arsenal, about the weapon at `only` or about all.
    pub fn of(
        arsenal: &'a Arsenal,
        evidence: &'a Evidence,
        pricing: &'a Pricing,
        (seed, only): (u64, Option<usize>),
    ) -> Self {
        Findings {
            name: &arsenal.name,
            question: arsenal.question.as_deref(),
            prediction: arsenal.prediction.as_deref(),
            seed,
            evidence,
            pricing,
            only,
            fought: None,
        }
    }

    /// Positions of the weapons that are told about.
    pub fn told(&self) -> impl Iterator<Item = usize> + '_ {
        let wanted = |w: &usize| self.only.is_none_or(|only| only == *w);
        (0..self.pricing.weapons.len()).filter(wanted)
    }
}
