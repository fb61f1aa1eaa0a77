//! How much of the answers goes into a page, so that it stays small.

use super::number_token::token;
use crate::blocks::Entry;
use enfilade_model::form::sanitize::grouped;

/// How much of the answers goes into a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Outcomes of each law, the likeliest; 0 for no laws at all.
    pub outcomes: usize,
    /// Whether it is there what each field comes to by itself.
    pub alone: bool,
    /// Whether simulated numbers are there where there are exact ones too.
    pub simulated: bool,
    /// Whether fractions are there.
    pub fractions: bool,
    /// Measures of each contest, the first ones.
    pub measures: usize,
}

impl Cut {
    /// Nothing is left out but what is too rare to be looked at.
    pub const NONE: Cut =
        Cut { outcomes: 60, alone: true, simulated: true, fractions: true, measures: usize::MAX };

    /// From all to next to nothing, each smaller than the one before.
    pub fn ladder() -> impl Iterator<Item = Cut> {
        let whole = Cut::NONE;
        let plain = Cut { fractions: false, ..whole };
        let laws = [60, 40, 24, 16, 12].map(|outcomes| Cut { outcomes, ..plain });
        let likely = Cut { alone: false, ..plain };
        let likely = [12, 8, 6, 4, 0].map(|outcomes| Cut { outcomes, ..likely });
        let bare = Cut { outcomes: 0, alone: false, simulated: false, ..plain };
        let few = [usize::MAX, 12, 8, 6, 4, 3, 2, 1];
        let few = few.map(|measures| Cut { measures, ..bare });
        [whole].into_iter().chain(laws).chain(likely).chain(few)
    }

    /// Odds as a token, with what this leaves of them.
    pub fn odds(&self, odds: &Entry, fraction: Option<&str>, trials: u64) -> String {
        let (exact, simulated) = match odds {
            Entry::Odds { exact, simulated } => (exact.as_deref(), simulated.as_deref()),
            _ => (None, None),
        };
        let simulated = simulated.filter(|_| self.simulated || exact.is_none());
        let short = token(exact, simulated, &grouped(trials));
        match fraction.filter(|_| self.fractions) {
            Some(fraction) => format!("{short}|{fraction}"),
            None => short,
        }
    }
}
