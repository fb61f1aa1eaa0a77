//! Best answers to mixtures: the check of a solved region, which shares nothing with its program.

use rustc_hash::FxHashMap;

use super::regions::{HiddenChoiceRegion, ViewId};
use super::sequence_form::PlayerId;
use crate::graph::explore::NextRollOrState;

/// Place of a region during the check.
pub(super) struct CheckedRegionVertex {
    /// Player, view and shares of the options of a choice.
    pub(super) choice: Option<(PlayerId, ViewId, Vec<f64>)>,
    /// Targets with their shares; for a choice, its options.
    pub(super) ways: Vec<(NextRollOrState, f64)>,
}

/// Region with the shares of all options.
pub(super) struct RegionWithOptionShares {
    places: Vec<CheckedRegionVertex>,
    numbers: FxHashMap<NextRollOrState, usize>,
    /// Worth of the places that the region leads to.
    outside: FxHashMap<NextRollOrState, f64>,
}

impl RegionWithOptionShares {
    pub(super) fn new(
        region: &HiddenChoiceRegion,
        describe: impl Fn(NextRollOrState) -> CheckedRegionVertex,
        worth: impl Fn(NextRollOrState) -> f64,
    ) -> RegionWithOptionShares {
        let numbers: FxHashMap<NextRollOrState, usize> =
            region.places.iter().copied().zip(0..).collect();
        let places: Vec<CheckedRegionVertex> =
            region.places.iter().map(|at| describe(*at)).collect();
        let leads = places.iter().flat_map(|place| &place.ways).map(|(to, _)| *to);
        let outside = leads.filter(|to| !numbers.contains_key(to)).map(|to| (to, worth(to)));
        let outside = outside.collect();
        RegionWithOptionShares { places, numbers, outside }
    }

    /// Returns, by place, the probability that chance and the other player lead there when `player`
    /// does all to come there.
    pub(super) fn counterfactual_reach_by_vertex(&self, player: PlayerId) -> Vec<f64> {
        let mut reach = vec![0.0; self.places.len()];
        reach[0] = 1.0;
        for at in 0..self.places.len() {
            let CheckedRegionVertex { choice, ways, .. } = &self.places[at];
            for (way, (to, share)) in ways.iter().enumerate() {
                let share = match choice {
                    Some((decides, ..)) if *decides == player => 1.0,
                    Some((.., shares)) => shares[way],
                    None => *share,
                };
                if let Some(to) = self.numbers.get(to) {
                    reach[*to] += reach[at] * share;
                }
            }
        }
        reach
    }

    /// Returns the worth of the region when `player` answers the mixtures of the other best.
    pub(super) fn best_reply_worth(&self, player: PlayerId) -> f64 {
        let mut answer = BestReplySearch::new(self, player);
        while let Some(at) = answer.ready.pop() {
            match &self.places[at].choice {
                Some((decides, view, _)) if *decides == player => {
                    answer.arrive_at_view_vertex(*view, at)
                }
                _ => answer.set_mixed_worth(at),
            }
        }
        answer.worths[0].unwrap_or(f64::NAN)
    }

    fn worth_of_target(&self, to: NextRollOrState, worths: &[Option<f64>]) -> f64 {
        let inside = self.numbers.get(&to).map(|at| worths[*at]);
        let mixture = inside.unwrap_or_else(|| self.outside.get(&to).copied());
        mixture.unwrap_or(f64::NAN)
    }
}

/// Best answer while it is found, from the ends of a region to its beginning.
struct BestReplySearch<'a> {
    region: &'a RegionWithOptionShares,
    player: PlayerId,
    reach: Vec<f64>,
    worths: Vec<Option<f64>>,
    /// Places that lead to a place.
    from: Vec<Vec<usize>>,
    /// Number of ways from a place whose worth is not known yet.
    missing: Vec<usize>,
    /// Places of each view of the player whose options are known, and the number of all.
    views: FxHashMap<ViewId, (Vec<usize>, usize)>,
    ready: Vec<usize>,
}

impl<'a> BestReplySearch<'a> {
    fn new(region: &'a RegionWithOptionShares, player: PlayerId) -> Self {
        let count = region.places.len();
        let mut answer = BestReplySearch {
            region,
            player,
            reach: region.counterfactual_reach_by_vertex(player),
            worths: vec![None; count],
            from: vec![Vec::new(); count],
            missing: vec![0; count],
            views: FxHashMap::default(),
            ready: Vec::new(),
        };
        for (at, place) in region.places.iter().enumerate() {
            let inside = place.ways.iter().filter_map(|(to, _)| region.numbers.get(to));
            for to in inside {
                answer.from[*to].push(at);
                answer.missing[at] += 1;
            }
            if let Some((decides, view, _)) = place.choice
                && decides == player
            {
                answer.views.entry(view).or_default().1 += 1;
            }
        }
        answer.ready = (0..count).filter(|at| answer.missing[*at] == 0).collect();
        answer
    }

    /// Sets the worth of a place where chance or the other player goes on.
    fn set_mixed_worth(&mut self, at: usize) {
        let CheckedRegionVertex { choice, ways, .. } = &self.region.places[at];
        let shares = ways.iter().enumerate().map(|(way, (to, share))| {
            let share = choice.as_ref().map_or(*share, |(.., shares)| shares[way]);
            share * self.region.worth_of_target(*to, &self.worths)
        });
        let worth = shares.sum();
        self.settle_worth(at, worth);
    }

    /// Counts a place of a view of the player, and decides once all of them have come.
    fn arrive_at_view_vertex(&mut self, view: ViewId, at: usize) {
        let counted = self.views.get_mut(&view);
        let (places, count) = counted.expect("places of every view are counted first");
        places.push(at);
        if places.len() < *count {
            return;
        }
        let places = std::mem::take(places);
        let options = self.region.places[at].ways.len();
        let worth = |option: usize, at: usize| {
            self.region.worth_of_target(self.region.places[at].ways[option].0, &self.worths)
        };
        let total = |option: usize| {
            places.iter().map(|at| self.reach[*at] * worth(option, *at)).sum::<f64>()
        };
        let better = |a: &usize, b: &usize| match self.player {
            0 => total(*a).total_cmp(&total(*b)),
            _ => total(*b).total_cmp(&total(*a)),
        };
        let best = (0..options).max_by(better).unwrap_or(0);
        let worths: Vec<(usize, f64)> = places.iter().map(|at| (*at, worth(best, *at))).collect();
        worths.into_iter().for_each(|(at, worth)| self.settle_worth(at, worth));
    }

    fn settle_worth(&mut self, at: usize, worth: f64) {
        self.worths[at] = Some(worth);
        for from in &self.from[at] {
            self.missing[*from] -= 1;
            if self.missing[*from] == 0 {
                self.ready.push(*from);
            }
        }
    }
}
