//! Vertices of one loop with their successors, and the effect of a policy on them.

use rustc_hash::FxHashMap;

use super::goal_value::GoalValueNumber;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::explore::NextRollOrState;
use crate::graph::loop_reduction::{
    EliminationStopReason, LoopElimination, LoopLinearSystem, add_successor_worths,
};
use crate::graph::solve_decisions::{DecisionSolver, GoalMeansAtVertex};

/// Target of an edge: a spot of the loop, or outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopSpotOrOutside {
    Inside(u32),
    Out(u32),
}

/// Vertex of the loop: a die, a decision, or a vertex with one successor.
pub(super) struct LoopVertex {
    pub(super) sides: u8,
    /// Targets with their numbers of faces; for a decision, its options.
    pub(super) edges: Vec<(LoopSpotOrOutside, u8)>,
    pub(super) decision: Option<u8>,
}

pub(super) struct LoopOfDecisions {
    pub(super) spots: Vec<LoopVertex>,
    /// Means of each goal at the targets outside the loop.
    pub(super) outs: Vec<GoalMeansAtVertex>,
}

/// Option taken by spot, for decisions.
pub(super) type OptionBySpot = Vec<usize>;

impl LoopOfDecisions {
    pub(super) fn from_component(
        solving: &DecisionSolver<'_>,
        circle: &[NextRollOrState],
    ) -> LoopOfDecisions {
        let numbers: FxHashMap<NextRollOrState, u32> = circle.iter().copied().zip(0..).collect();
        let (mut outs, mut index_by_vertex) = (Vec::new(), FxHashMap::default());
        let mut to = |next: NextRollOrState| match numbers.get(&next) {
            Some(&spot) => LoopSpotOrOutside::Inside(spot),
            None => LoopSpotOrOutside::Out(*index_by_vertex.entry(next).or_insert_with(|| {
                outs.push(solving.expect_solved_means(next));
                outs.len() as u32 - 1
            })),
        };
        let spot = |&place: &NextRollOrState| match place {
            NextRollOrState::Die(die) => {
                let dice = solving.system.dice.as_list();
                let branches = dice.branches(die as usize).iter();
                let ways = branches.map(|branch| (to(branch.to), branch.faces)).collect();
                LoopVertex { sides: dice.sides(die as usize), edges: ways, decision: None }
            }
            NextRollOrState::Choice(choice) => {
                let choice = &solving.system.choices[choice as usize];
                let ways = choice.options.iter().map(|option| (to(*option), 1)).collect();
                LoopVertex { sides: 1, edges: ways, decision: Some(choice.decision) }
            }
            place => {
                let ways = solving.places.successors(place).map(|next| (to(next), 1)).collect();
                LoopVertex { sides: 1, edges: ways, decision: None }
            }
        };
        let spots = circle.iter().map(spot).collect();
        LoopOfDecisions { spots, outs }
    }

    /// Returns the edges that are open at a spot under a policy.
    fn open_edges_at_spot<'r>(
        &'r self,
        spot: usize,
        policy: &OptionBySpot,
    ) -> &'r [(LoopSpotOrOutside, u8)] {
        let LoopVertex { edges: ways, decision, .. } = &self.spots[spot];
        match decision {
            Some(_) => std::slice::from_ref(&ways[policy[spot]]),
            None => ways,
        }
    }

    /// Finds the policy that leads nearer to an end everywhere, by the first option that does.
    /// Returns `None` if the loop has no exit.
    pub(super) fn policy_towards_exit(&self) -> Option<OptionBySpot> {
        let all: Vec<Vec<usize>> =
            self.spots.iter().map(|spot| (0..spot.edges.len()).collect()).collect();
        let mut policy = vec![0; self.spots.len()];
        let reached =
            self.choose_options_towards_end(&mut policy, &all, vec![false; self.spots.len()]);
        reached.iter().all(|reached| *reached).then_some(policy)
    }

    /// Changes a policy where its game would not end: it takes the first of the `allowed` options
    /// that leads nearer to an end.
    pub(super) fn redirect_endless_spots(&self, policy: &mut OptionBySpot, allowed: &[Vec<usize>]) {
        let own: Vec<Vec<usize>> = policy.iter().map(|option| vec![*option]).collect();
        let ends = self.choose_options_towards_end(
            &mut policy.clone(),
            &own,
            vec![false; self.spots.len()],
        );
        self.choose_options_towards_end(policy, allowed, ends);
    }

    /// Grows the set of spots from which an end is reached, by their distance from it: at a
    /// decision by the first allowed option that leads into the set.
    fn choose_options_towards_end(
        &self,
        policy: &mut OptionBySpot,
        allowed: &[Vec<usize>],
        mut ends: Vec<bool>,
    ) -> Vec<bool> {
        let mut from: Vec<Vec<u32>> = vec![Vec::new(); self.spots.len()];
        for (spot, at) in self.spots.iter().zip(0..) {
            for (to, _) in &spot.edges {
                if let LoopSpotOrOutside::Inside(to) = to {
                    from[*to as usize].push(at);
                }
            }
        }
        let mut next: Vec<usize> = (0..self.spots.len()).collect();
        while !next.is_empty() {
            let nearer = |to: LoopSpotOrOutside, ends: &[bool]| match to {
                LoopSpotOrOutside::Inside(to) => ends[to as usize],
                LoopSpotOrOutside::Out(_) => true,
            };
            let mut ending_vertices = Vec::new();
            for spot in next.drain(..).filter(|spot| !ends[*spot]) {
                let ways = &self.spots[spot].edges;
                let way = match self.spots[spot].decision {
                    Some(_) => allowed[spot].iter().copied().find(|at| nearer(ways[*at].0, &ends)),
                    None => ways.iter().position(|(to, _)| nearer(*to, &ends)),
                };
                ending_vertices.extend(way.map(|way| (spot, way)));
            }
            // Only now, because all spots of one round are equally far.
            for &(spot, way) in &ending_vertices {
                ends[spot] = true;
                if self.spots[spot].decision.is_some() {
                    policy[spot] = way;
                }
            }
            next = ending_vertices
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
    pub(super) fn always_ends_against_opponent(
        &self,
        policy: &OptionBySpot,
        free: impl Fn(usize) -> bool,
    ) -> bool {
        let mut can_stay = vec![true; self.spots.len()];
        loop {
            let within = |to: &LoopSpotOrOutside| matches!(to, LoopSpotOrOutside::Inside(spot) if can_stay[*spot as usize]);
            let may_stay = |spot: usize| match free(spot) {
                true => self.spots[spot].edges.iter().any(|(to, _)| within(to)),
                false => self.open_edges_at_spot(spot, policy).iter().all(|(to, _)| within(to)),
            };
            let out: Vec<usize> =
                (0..can_stay.len()).filter(|spot| can_stay[*spot] && !may_stay(*spot)).collect();
            if out.is_empty() {
                return !can_stay.contains(&true);
            }
            out.into_iter().for_each(|spot| can_stay[spot] = false);
        }
    }

    /// Computes, by spot, the worth of a policy for a goal, and the number of products used.
    /// Returns `None` if that would be more than `most`.
    pub(super) fn compute_policy_worths<N: GoalValueNumber>(
        &self,
        policy: &OptionBySpot,
        goal: usize,
        most: usize,
        halt: &CancelToken,
    ) -> Result<Option<(Vec<N>, usize)>, SolveError> {
        let mut system: LoopLinearSystem<N> = LoopLinearSystem::new(self.spots.len());
        let mut own = vec![N::zero(); self.spots.len()];
        for (from, sum) in own.iter_mut().enumerate() {
            let sides = self.spots[from].sides;
            for (to, faces) in self.open_edges_at_spot(from, policy) {
                let share = N::from_faces(*faces, sides);
                match to {
                    LoopSpotOrOutside::Inside(to) => system.add_edge(from, *to, share),
                    LoopSpotOrOutside::Out(out) => {
                        sum.add(
                            &share.product_with(&N::from_fraction(&self.outs[*out as usize][goal])),
                        );
                        system.add_exit_share(from, &share);
                    }
                }
            }
        }
        let mut reduction = LoopElimination::new(system);
        let go_on = &mut |products| products <= most && !halt.is_cancelled();
        let stop = reduction.eliminate_while_cheap(u64::MAX, false, go_on);
        halt.check_not_cancelled()?;
        if stop != EliminationStopReason::End {
            return Ok(None);
        }
        add_successor_worths(reduction.eliminated_in_order(), &mut own);
        Ok(Some((own, reduction.multiplications_so_far())))
    }
}
