//! Evenness of the battles between lists of equal points.

/// Number of units by kind.
pub type ArmyList = Vec<usize>;

/// Two lists and the share of battles that the first wins.
#[derive(Clone, Debug, PartialEq)]
pub struct FoughtListPair {
    /// The lists.
    pub lists: [ArmyList; 2],
    /// Share of the battles that the first wins, draws counted half.
    pub won: f64,
}

impl FoughtListPair {
    /// The distance of the share from one half.
    pub fn distance_from_even(&self) -> f64 {
        (self.won - 0.5).abs()
    }
}

/// Battles between random lists bought at one set of prices.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomListBattles {
    /// The pairs, in order; there is at least one.
    pub pairs: Vec<FoughtListPair>,
    /// By kind: share of battles that a list of it alone wins against random lists; `None` if a
    /// list cannot buy one.
    pub pure: Vec<Option<f64>>,
}

impl RandomListBattles {
    /// Collects battles of at least one pair.
    pub fn new(pairs: Vec<FoughtListPair>, pure: Vec<Option<f64>>) -> RandomListBattles {
        RandomListBattles { pairs, pure }
    }

    /// Mean distance from one half.
    pub fn mean_distance_from_even(&self) -> f64 {
        let off = self.pairs.iter().map(FoughtListPair::distance_from_even);
        off.sum::<f64>() / self.pairs.len() as f64
    }

    /// Shares of wins between which the middle eight of ten pairs lie, for either order of the two
    /// lists.
    pub fn symmetric_80_percent_of_wins(&self) -> [f64; 2] {
        let mut off: Vec<f64> = self.pairs.iter().map(FoughtListPair::distance_from_even).collect();
        off.sort_by(f64::total_cmp);
        let place = (off.len() * 8).div_ceil(10).max(1) - 1;
        [0.5 - off[place], 0.5 + off[place]]
    }

    /// Share of the pairs of which either list wins from `low` to `high` of its battles.
    pub fn pair_share_with_wins_between(&self, low: f64, high: f64) -> f64 {
        // A rolled share is a sum: rounding may move it off the exact bound.
        let is_within = |won: f64| won >= low - 1e-9 && won <= high + 1e-9;
        let pairs = self.pairs.iter();
        let within = pairs.filter(|pair| is_within(pair.won) && is_within(1.0 - pair.won));
        within.count() as f64 / self.pairs.len() as f64
    }

    /// Returns the pair that is farthest from one half; the first of several.
    ///
    /// # Panics
    /// Never: there is a pair.
    pub fn most_uneven_pair(&self) -> &FoughtListPair {
        let worst = |a: &&FoughtListPair, b: &&FoughtListPair| {
            a.distance_from_even().total_cmp(&b.distance_from_even())
        };
        self.pairs.iter().rev().max_by(worst).expect("there is a pair")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evenness(won: &[f64]) -> RandomListBattles {
        let pair = |&won: &f64| FoughtListPair { lists: [vec![1], vec![2]], won };
        RandomListBattles::new(won.iter().map(pair).collect(), Vec::new())
    }

    /// Distances 0, 2, 4, 5, 5, 10, 12, 20, 30 and 50: 13.8 on average, the eighth of ten is 20.
    #[test]
    fn ten_pairs_by_hand() {
        let found = evenness(&[0.5, 0.48, 0.54, 0.55, 0.45, 0.4, 0.62, 0.3, 0.8, 0.0]);
        assert!((found.mean_distance_from_even() - 0.138).abs() < 1e-12);
        assert!(
            (found.symmetric_80_percent_of_wins()[0] - 0.3).abs() < 1e-12
                && (found.symmetric_80_percent_of_wins()[1] - 0.7).abs() < 1e-12
        );
        assert!((found.pair_share_with_wins_between(0.45, 0.55) - 0.5).abs() < 1e-12);
        // One list wins 48, so the other 52: both count.
        assert!((found.pair_share_with_wins_between(0.49, 0.55) - 0.1).abs() < 1e-12);
        assert_eq!(found.most_uneven_pair().won, 0.0);
    }

    #[test]
    fn the_first_of_two_that_are_as_far_is_the_worst() {
        assert_eq!(evenness(&[0.5, 0.25, 0.75]).most_uneven_pair().won, 0.25);
    }
}
