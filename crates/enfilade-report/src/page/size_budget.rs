//! Size budget of a page: the amount of detail, so that the page stays small.

use super::number_token::encode_exact_and_simulated;
use crate::blocks::ReportTableCell;
use enfilade_model::form::sanitize::group_digits;

/// The amount of detail of the answers in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageDetailLevel {
    /// Outcomes of each distribution, the likeliest; 0 for no distributions at all.
    pub outcomes: usize,
    /// Whether marginal distributions are included.
    pub alone: bool,
    /// Whether simulated numbers are included beside exact ones.
    pub simulated: bool,
    /// Whether fractions are included.
    pub fractions: bool,
    /// Measures of each contest, the first ones.
    pub measures: usize,
}

impl PageDetailLevel {
    /// Only outcomes too rare to be seen are left out.
    pub const COMPLETE_DETAIL: PageDetailLevel = PageDetailLevel {
        outcomes: 60,
        alone: true,
        simulated: true,
        fractions: true,
        measures: usize::MAX,
    };

    /// Returns all budgets, from complete to nearly empty, each smaller than the one before.
    pub fn levels_from_full_to_least() -> impl Iterator<Item = PageDetailLevel> {
        let whole = PageDetailLevel::COMPLETE_DETAIL;
        let plain = PageDetailLevel { fractions: false, ..whole };
        let laws = [60, 40, 24, 16, 12].map(|outcomes| PageDetailLevel { outcomes, ..plain });
        let likely = PageDetailLevel { alone: false, ..plain };
        let likely = [12, 8, 6, 4, 0].map(|outcomes| PageDetailLevel { outcomes, ..likely });
        let bare = PageDetailLevel { outcomes: 0, alone: false, simulated: false, ..plain };
        let few = [usize::MAX, 12, 8, 6, 4, 3, 2, 1];
        let few = few.map(|measures| PageDetailLevel { measures, ..bare });
        [whole].into_iter().chain(laws).chain(likely).chain(few)
    }

    /// Encodes odds as a token, with the detail that this budget leaves.
    pub fn encode_odds_within_budget(
        &self,
        odds: &ReportTableCell,
        fraction: Option<&str>,
        trials: u64,
    ) -> String {
        let (exact, simulated) = match odds {
            ReportTableCell::Odds { exact, simulated } => (exact.as_deref(), simulated.as_deref()),
            _ => (None, None),
        };
        let simulated = simulated.filter(|_| self.simulated || exact.is_none());
        let short = encode_exact_and_simulated(exact, simulated, &group_digits(trials));
        match fraction.filter(|_| self.fractions) {
            Some(fraction) => format!("{short}|{fraction}"),
            None => short,
        }
    }
}
