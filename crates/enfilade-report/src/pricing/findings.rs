//! What there is to report about an arsenal, for all that tell of it.

use super::list_battles::ListFindings;
use super::unit_meetings::EdgeFindings;
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
    /// Lists and units that were fought beside them.
    pub fought: Option<&'a Fought>,
}

/// Lists that were fought, and units against units.
#[derive(Clone, Debug)]
pub struct Fought {
    /// Lists at each set of prices.
    pub lists: ListFindings,
    /// Each unit against each other one, where all have a price.
    pub edges: Option<EdgeFindings>,
}

impl Fought {
    /// Everything that is said of them, the most important first.
    pub fn sentences(&self) -> Vec<String> {
        let mut told = self.lists.sentences();
        match &self.edges {
            Some(edges) => told.extend(edges.sentences()),
            None => told.push(
                "Units were not held against each other: one of them has no even price.".to_owned(),
            ),
        }
        told
    }
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
