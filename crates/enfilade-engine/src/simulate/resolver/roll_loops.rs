//! Rolls loops one after the other, predecessors first: a trial that leaves one never returns to
//! it.

use rand::Rng;

use crate::cancel::CancelToken;
use crate::graph::VertexId;
use crate::simulate::binomial::draw_binomial;
use crate::simulate::ending_counts::EndingCounts;
use crate::simulate::loop_jumps::{
    LoopExitJump, NodeInReturningRound, ReturningRoundTallies, RoundNodeOrOutsideVertex,
    SingleVertexOrLoop, VertexGroupsWithLoopJumps,
};
use crate::simulate::rng::Bits;
use crate::simulate::roll_plan::RollableDieGraph;

/// Dice of the vertices of a loop.
pub(super) trait LoopVertexRoller {
    fn roll_vertex(&mut self, plan: &RollableDieGraph, place: VertexId, waiting: &mut [u64]);
}

/// Run of a contest with several loops.
pub(super) struct ManyLoopContestRun<'a> {
    pub(super) plan: &'a RollableDieGraph,
    pub(super) loops: &'a VertexGroupsWithLoopJumps,
    pub(super) waiting: Vec<u64>,
    pub(super) jumps: Option<Bits>,
}

impl ManyLoopContestRun<'_> {
    /// Rolls a contest of several loops, one after the other.
    #[inline(always)]
    pub(super) fn roll_contest_with_loops(
        mut self,
        table: &mut impl LoopVertexRoller,
        trials: u64,
        rounds: u32,
        halt: &CancelToken,
    ) -> EndingCounts {
        let plan = self.plan;
        let mut returned = vec![0; plan.counter_count()];
        self.waiting[plan.start as usize] = trials;
        for piece in &self.loops.groups {
            match piece {
                SingleVertexOrLoop::Alone(place) => {
                    table.roll_vertex(plan, *place, &mut self.waiting)
                }
                SingleVertexOrLoop::Never => {}
                SingleVertexOrLoop::Loop(nodes, ports) => {
                    // All nodes before any loop head: a round is one pass, and its trials are
                    // rolled together.
                    for _ in 0..rounds {
                        for node in nodes {
                            table.roll_vertex(plan, *node, &mut self.waiting);
                        }
                        if halt.is_cancelled()
                            || !self.release_trials_at_heads(ports, &mut returned)
                        {
                            break;
                        }
                    }
                }
            }
        }
        let mut waiting = self.waiting;
        let unsettled = waiting[plan.first_port..plan.vertex_count()].iter().sum();
        let mut tallies = plan.sum_tallies(&waiting);
        tallies.iter_mut().zip(returned).for_each(|(sum, returned)| *sum += returned);
        waiting.truncate(plan.first_port);
        EndingCounts { endings: waiting, unsettled, tallies }
    }

    /// Releases the trials that wait at the loop heads of a loop. Returns whether there were any.
    fn release_trials_at_heads(&mut self, ports: &[VertexId], returned: &mut [i128]) -> bool {
        let held: Vec<u64> =
            ports.iter().map(|port| std::mem::take(&mut self.waiting[*port as usize])).collect();
        for (port, &trials) in ports.iter().zip(&held).filter(|(_, trials)| **trials > 0) {
            let index = *port as usize - self.plan.first_port;
            match (&self.loops.jumps[index], &mut self.jumps) {
                (Some(jump), Some(bits)) => {
                    move_trials_out_of_loop(jump, trials, bits, &mut self.waiting, returned);
                }
                _ => self.waiting[self.plan.ports[index] as usize] += trials,
            }
        }
        held.iter().any(|trials| *trials > 0)
    }
}

/// Draws the number of returning rounds of `trials` trials together.
fn draw_total_returning_rounds(jump: &LoopExitJump, trials: u64, bits: &mut Bits) -> u64 {
    let rounds = (0..trials).map(|_| jump.rounds_drawn_from_bits(bits.next_u64()));
    rounds.fold(0, u64::saturating_add)
}

/// Counts `rounds` returning rounds in the slots that they pass.
fn count_tallies_of_returns(
    nodes: &[NodeInReturningRound],
    rounds: u64,
    bits: &mut Bits,
    waiting: &mut [u64],
) {
    let mut here = vec![0; nodes.len()];
    here[0] = rounds;
    for (at, node) in nodes.iter().enumerate() {
        let mut left = here[at];
        if let Some(slot) = node.slot {
            waiting[slot as usize] += left;
        }
        // A multinomial as binomials in turn: each share is relative to the groups that are left.
        for (share, to) in &node.groups {
            let some = draw_binomial(left, *share, bits);
            left -= some;
            if let Some(next) = to {
                here[*next as usize] += some;
            }
        }
    }
}

/// Moves trials out of a loop head at once, and counts the tallies of their earlier rounds.
fn move_trials_out_of_loop(
    jump: &LoopExitJump,
    trials: u64,
    bits: &mut Bits,
    waiting: &mut [u64],
    returned: &mut [i128],
) {
    match &jump.before {
        ReturningRoundTallies::Alike(tallied) if tallied.is_empty() => {}
        ReturningRoundTallies::Alike(tallied) => {
            let rounds = draw_total_returning_rounds(jump, trials, bits);
            for (sum, amount) in returned.iter_mut().zip(tallied) {
                *sum += i128::from(rounds) * i128::from(*amount);
            }
        }
        ReturningRoundTallies::Split(nodes) => count_tallies_of_returns(
            nodes,
            draw_total_returning_rounds(jump, trials, bits),
            bits,
            waiting,
        ),
    }
    let mut here = vec![0; jump.nodes.len()];
    here[0] = trials;
    for (at, node) in jump.nodes.iter().enumerate() {
        let trials = here[at];
        if let Some(slot) = node.slot {
            waiting[slot as usize] += trials;
        }
        // 64 bits a trial, and no bytes: given that a round leaves, the shares of its groups are no
        // longer multiples of one over the sides.
        for _ in 0..trials {
            let drawn = bits.next_u64();
            let group = node.below.partition_point(|below| *below <= drawn);
            match node.to[group.min(node.to.len() - 1)] {
                RoundNodeOrOutsideVertex::Node(next) => here[next as usize] += 1,
                RoundNodeOrOutsideVertex::Place(place) => waiting[place as usize] += 1,
            }
        }
    }
}
