//! Vertices of one loop with their successors, and the effect of a policy on them.

use rustc_hash::FxHashMap;

use super::goal_value::GoalValue;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::explore::StepTarget;
use crate::graph::loop_reduction::{LinearSystem, Reduction, ReductionStop, compute_worths};
use crate::graph::solve_decisions::{DecisionSolver, GoalMeans};

/// Target of an edge: a spot of the loop, or outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpotTarget {
    Inside(u32),
    Out(u32),
}

/// Vertex of the loop: a die, a decision, or a vertex with one successor.
pub(super) struct LoopSpot {
    pub(super) sides: u8,
    /// Targets with their numbers of faces; for a decision, its options.
    pub(super) ways: Vec<(SpotTarget, u8)>,
    pub(super) decision: Option<u8>,
}

pub(super) struct DecisionLoop {
    pub(super) spots: Vec<LoopSpot>,
    /// Means of each goal at the targets outside the loop.
    pub(super) outs: Vec<GoalMeans>,
}

/// Option taken by spot, for decisions.
pub(super) type LoopPolicy = Vec<usize>;

impl DecisionLoop {
    pub(super) fn from_circle(solving: &DecisionSolver<'_>, circle: &[StepTarget]) -> DecisionLoop {
        let numbers: FxHashMap<StepTarget, u32> = circle.iter().copied().zip(0..).collect();
        let (mut outs, mut known) = (Vec::new(), FxHashMap::default());
        let mut to = |next: StepTarget| match numbers.get(&next) {
            Some(&spot) => SpotTarget::Inside(spot),
            None => SpotTarget::Out(*known.entry(next).or_insert_with(|| {
                outs.push(solving.expect_value(next));
                outs.len() as u32 - 1
            })),
        };
        let spot = |&place: &StepTarget| match place {
            StepTarget::Die(die) => {
                let dice = solving.system.dice.as_list();
                let branches = dice.branches(die as usize).iter();
                let ways = branches.map(|branch| (to(branch.to), branch.faces)).collect();
                LoopSpot { sides: dice.sides(die as usize), ways, decision: None }
            }
            StepTarget::Choice(choice) => {
                let choice = &solving.system.choices[choice as usize];
                let ways = choice.options.iter().map(|option| (to(*option), 1)).collect();
                LoopSpot { sides: 1, ways, decision: Some(choice.decision) }
            }
            place => {
                let ways = solving.places.successors(place).map(|next| (to(next), 1)).collect();
                LoopSpot { sides: 1, ways, decision: None }
            }
        };
        let spots = circle.iter().map(spot).collect();
        DecisionLoop { spots, outs }
    }

    /// Returns the edges that are open at a spot under a policy.
    fn open_ways<'r>(&'r self, spot: usize, policy: &LoopPolicy) -> &'r [(SpotTarget, u8)] {
        let LoopSpot { ways, decision, .. } = &self.spots[spot];
        match decision {
            Some(_) => std::slice::from_ref(&ways[policy[spot]]),
            None => ways,
        }
    }

    /// Finds the policy that leads nearer to an end everywhere, by the first option that does.
    /// Returns `None` if the loop has no exit.
    pub(super) fn find_nearest_exit(&self) -> Option<LoopPolicy> {
        let all: Vec<Vec<usize>> =
            self.spots.iter().map(|spot| (0..spot.ways.len()).collect()).collect();
        let mut policy = vec![0; self.spots.len()];
        let reached = self.grow_exit_set(&mut policy, &all, vec![false; self.spots.len()]);
        reached.iter().all(|reached| *reached).then_some(policy)
    }

    /// Changes a policy where its game would not end: it takes the first of the `allowed` options
    /// that leads nearer to an end.
    pub(super) fn redirect_to_exit(&self, policy: &mut LoopPolicy, allowed: &[Vec<usize>]) {
        let own: Vec<Vec<usize>> = policy.iter().map(|taken| vec![*taken]).collect();
        let ends = self.grow_exit_set(&mut policy.clone(), &own, vec![false; self.spots.len()]);
        self.grow_exit_set(policy, allowed, ends);
    }

    /// Grows the set of spots from which an end is reached, by their distance from it: at a decision by the first allowed
    /// option that leads into the set.
    fn grow_exit_set(
        &self,
        policy: &mut LoopPolicy,
        allowed: &[Vec<usize>],
        mut ends: Vec<bool>,
    ) -> Vec<bool> {
        let mut from: Vec<Vec<u32>> = vec![Vec::new(); self.spots.len()];
        for (spot, at) in self.spots.iter().zip(0..) {
            for (to, _) in &spot.ways {
                if let SpotTarget::Inside(to) = to {
                    from[*to as usize].push(at);
                }
            }
        }
        let mut next: Vec<usize> = (0..self.spots.len()).collect();
        while !next.is_empty() {
            let nearer = |to: SpotTarget, ends: &[bool]| match to {
                SpotTarget::Inside(to) => ends[to as usize],
                SpotTarget::Out(_) => true,
            };
            let mut found = Vec::new();
            for spot in next.drain(..).filter(|spot| !ends[*spot]) {
                let ways = &self.spots[spot].ways;
                let way = match self.spots[spot].decision {
                    Some(_) => allowed[spot].iter().copied().find(|at| nearer(ways[*at].0, &ends)),
                    None => ways.iter().position(|(to, _)| nearer(*to, &ends)),
                };
                found.extend(way.map(|way| (spot, way)));
            }
            // Only now, because all spots of one round are equally far.
            for &(spot, way) in &found {
                ends[spot] = true;
                if self.spots[spot].decision.is_some() {
                    policy[spot] = way;
                }
            }
            next = found
                .iter()
                .flat_map(|(spot, _)| &from[*spot])
                .map(|spot| *spot as usize)
                .collect();
            next.sort_unstable();
            next.dedup();
        }
        ends
    }

    /// Returns whether every set of spots can be left, by dice or by players who follow the policy,
    /// against players who are `free`.
    pub(super) fn can_be_left(&self, policy: &LoopPolicy, free: impl Fn(usize) -> bool) -> bool {
        let mut stays = vec![true; self.spots.len()];
        loop {
            let within =
                |to: &SpotTarget| matches!(to, SpotTarget::Inside(spot) if stays[*spot as usize]);
            let may_stay = |spot: usize| match free(spot) {
                true => self.spots[spot].ways.iter().any(|(to, _)| within(to)),
                false => self.open_ways(spot, policy).iter().all(|(to, _)| within(to)),
            };
            let out: Vec<usize> =
                (0..stays.len()).filter(|spot| stays[*spot] && !may_stay(*spot)).collect();
            if out.is_empty() {
                return !stays.contains(&true);
            }
            out.into_iter().for_each(|spot| stays[spot] = false);
        }
    }

    /// Computes, by spot, the worth of a policy for a goal, and the number of products used.
    /// Returns `None` if that would be more than `most`.
    pub(super) fn compute_worths<N: GoalValue>(
        &self,
        policy: &LoopPolicy,
        goal: usize,
        most: usize,
        halt: &CancelToken,
    ) -> Result<Option<(Vec<N>, usize)>, SolveError> {
        let mut system: LinearSystem<N> = LinearSystem::new(self.spots.len());
        let mut own = vec![N::zero(); self.spots.len()];
        for (from, sum) in own.iter_mut().enumerate() {
            let sides = self.spots[from].sides;
            for (to, faces) in self.open_ways(from, policy) {
                let share = N::from_faces(*faces, sides);
                match to {
                    SpotTarget::Inside(to) => system.add_edge(from, *to, share),
                    SpotTarget::Out(out) => {
                        sum.add(&share.multiply(&N::from_mean(&self.outs[*out as usize][goal])));
                        system.add_exit(from, &share);
                    }
                }
            }
        }
        let mut reduction = Reduction::new(system);
        let go_on = &mut |products| products <= most && !halt.is_cancelled();
        let stop = reduction.reduce(u64::MAX, false, go_on);
        halt.check()?;
        if stop != ReductionStop::End {
            return Ok(None);
        }
        compute_worths(reduction.as_eliminated(), &mut own);
        Ok(Some((own, reduction.product_count())))
    }
}
