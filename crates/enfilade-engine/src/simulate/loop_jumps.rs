//! Loops of a plan, one after the other, and loop heads that are left so rarely that trials jump
//! out of them.
//!
//! For a loop head the plan computes the share `q` of a round that does not return to it, by one
//! pass over the nodes between. A trial there leaves in the end, by the distribution of a leaving
//! round; the number of rounds before is geometric and matters only to the tallies on the way back.

use super::binomial::{natural_log, natural_log_1p, to_unit_interval};
use crate::graph::{Condensation, DieGraph, VertexGroup, VertexId};

/// Share of a round that leaves a loop head, from which on its trials are rolled: a counted round
/// costs a trial far less than a jump.
pub(super) const MAX_LEAVING_SHARE: f64 = 1.0 / 512.0;

/// Largest number of nodes visited in search of jumps, over all loop heads.
const MAX_JUMP_SEARCH_NODES: usize = 1 << 22;

/// Groups of vertices, predecessors first.
#[derive(Clone, Debug, Default)]
pub(super) struct VertexGroupsWithLoopJumps {
    pub(super) groups: Vec<SingleVertexOrLoop>,
    /// Jump of each loop head, if it has one.
    pub(super) jumps: Vec<Option<Box<LoopExitJump>>>,
}

/// Group of vertices.
#[derive(Clone, Debug)]
pub(super) enum SingleVertexOrLoop {
    /// Vertex that does not lead back to itself.
    Alone(VertexId),
    /// Vertices that do: the nodes from the last, and the loop heads.
    Loop(Vec<VertexId>, Vec<VertexId>),
    /// Vertices of a loop without an exit.
    Never,
}

/// Jump out of a loop head to which nearly every round returns.
#[derive(Clone, Debug)]
pub(super) struct LoopExitJump {
    /// Share of a round that leaves.
    pub(super) leaves: f64,
    /// Nodes of a round, each before its successors.
    pub(super) nodes: Vec<LeavingRoundNode>,
    /// Tallies of the rounds before.
    pub(super) before: ReturningRoundTallies,
}

/// Tallies of returning rounds.
#[derive(Clone, Debug)]
pub(super) enum ReturningRoundTallies {
    /// Equal amounts in all rounds, by counter; empty if all are 0.
    Alike(Vec<i64>),
    /// Amounts that depend on the path: the nodes, each before its successors.
    Split(Vec<NodeInReturningRound>),
}

/// Node of a returning round.
#[derive(Clone, Debug)]
pub(super) struct NodeInReturningRound {
    /// Groups: the chance of each, relative to itself and the later ones, and its target node, if
    /// there is one.
    pub(super) groups: Vec<(f64, Option<u32>)>,
    /// Slot where passing trials are counted, for a tally node.
    pub(super) slot: Option<VertexId>,
}

/// Node of a leaving round.
#[derive(Clone, Debug)]
pub(super) struct LeavingRoundNode {
    /// Bound by group: a trial whose 64 random bits are below it takes the group.
    pub(super) below: Vec<u64>,
    /// Target by group.
    pub(super) to: Vec<RoundNodeOrOutsideVertex>,
    /// Slot where passing trials are counted, for a tally node.
    pub(super) slot: Option<VertexId>,
}

/// Target of a group in a leaving round.
#[derive(Clone, Copy, Debug)]
pub(super) enum RoundNodeOrOutsideVertex {
    /// Node of the round, by its index.
    Node(u32),
    /// Vertex outside the round.
    Place(VertexId),
}

impl VertexGroupsWithLoopJumps {
    /// Finds the loops of a graph. Returns `None` if all trials may go round together, as with a
    /// single loop without jumps. Trials jump from loop heads that a smaller share than `rare`
    /// leaves.
    pub(super) fn find_loops_of_graph(
        graph: &DieGraph,
        rare: f64,
    ) -> Option<Box<VertexGroupsWithLoopJumps>> {
        if graph.next_vertex_by_loop_head().is_empty() {
            return None;
        }
        let condensed = Condensation::from_graph(graph);
        let mut finder =
            LoopFinder { graph, rare, inside: vec![false; graph.vertex_count()], looked_at: 0 };
        let mut loops = VertexGroupsWithLoopJumps {
            groups: Vec::new(),
            jumps: vec![None; graph.next_vertex_by_loop_head().len()],
        };
        for group in condensed.groups(graph) {
            loops.groups.push(match group {
                VertexGroup::Alone(place) => SingleVertexOrLoop::Alone(place),
                VertexGroup::Loop(places) => finder.build_loop_group(places, &mut loops.jumps),
            });
        }
        let rounds =
            loops.groups.iter().filter(|piece| !matches!(piece, SingleVertexOrLoop::Alone(_)));
        let several = rounds.count() > 1 || loops.jumps.iter().any(Option::is_some);
        several.then(|| Box::new(loops))
    }
}

struct LoopFinder<'a> {
    graph: &'a DieGraph,
    rare: f64,
    /// Whether each vertex belongs to the loop.
    inside: Vec<bool>,
    looked_at: usize,
}

impl LoopFinder<'_> {
    fn build_loop_group(
        &mut self,
        places: &[VertexId],
        jumps: &mut [Option<Box<LoopExitJump>>],
    ) -> SingleVertexOrLoop {
        let graph = self.graph;
        places.iter().for_each(|place| self.inside[*place as usize] = true);
        let leaves = |place: &VertexId| {
            let (_, mut faces) = graph.sides_and_targets(*place);
            faces.any(|(to, _)| !self.inside[to as usize])
        };
        let ends = places.iter().any(leaves);
        let from = places.partition_point(|place| (*place as usize) < graph.first_node_vertex());
        let (ports, nodes) = places.split_at(from);
        if ends {
            for &port in ports {
                jumps[port as usize - graph.first_loop_head_vertex()] =
                    self.find_jump_of_head(port).map(Box::new);
            }
        }
        places.iter().for_each(|place| self.inside[*place as usize] = false);
        match ends {
            true => SingleVertexOrLoop::Loop(nodes.iter().rev().copied().collect(), ports.to_vec()),
            false => SingleVertexOrLoop::Never,
        }
    }

    /// Returns the nodes of a round that begins at a loop head, the first of them last; `None` if
    /// they are too many.
    fn nodes_of_round_last_first(&mut self, port: VertexId) -> Option<Vec<VertexId>> {
        let (graph, first) = (self.graph, self.graph.first_node_vertex());
        let is_node = |place: VertexId| place as usize >= first && self.inside[place as usize];
        let mut open: Vec<VertexId> =
            graph.successor_at_branch(port, 0).into_iter().filter(|to| is_node(*to)).collect();
        let (mut visited, mut nodes) = (rustc_hash::FxHashSet::default(), Vec::new());
        while let Some(place) = open.pop() {
            if !visited.insert(place) {
                continue;
            }
            nodes.push(place);
            self.looked_at += 1;
            if self.looked_at > MAX_JUMP_SEARCH_NODES {
                return None;
            }
            open.extend(
                graph.sides_and_targets(place).1.map(|(to, _)| to).filter(|to| is_node(*to)),
            );
        }
        // The successors of a node come before it.
        nodes.sort_unstable();
        Some(nodes)
    }

    /// Returns the jump of a loop head; `None` if its trials are better rolled.
    fn find_jump_of_head(&mut self, port: VertexId) -> Option<LoopExitJump> {
        let (graph, nodes) = (self.graph, self.nodes_of_round_last_first(port)?);
        let number = |place: VertexId| nodes.binary_search(&place).ok();
        let mut node_odds: Vec<LoopNodeReturnShares> = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let (sides, faces) = graph.sides_and_targets(node);
            let mut here =
                LoopNodeReturnShares { leaves: 0.0, returns: 0.0, back: TalliesToLoopHead::Never };
            for (to, faces) in faces {
                let share = f64::from(faces) / f64::from(sides);
                let on = match number(to) {
                    Some(at) => node_odds[at].clone(),
                    None if to == port => LoopNodeReturnShares::AT_LOOP_HEAD,
                    None => LoopNodeReturnShares::OUTSIDE_LOOP,
                };
                here.leaves += on.leaves * share;
                here.returns += on.returns * share;
                here.back = here.back.merge_alternative(on.back);
            }
            let paid = graph.tally_of_vertex(node).map(|tally| (tally.counter, tally.amount));
            node_odds.push(LoopNodeReturnShares {
                back: here.back.with_earlier_amount(paid, graph.counter_count()),
                ..here
            });
        }
        let LoopNodeReturnShares { leaves, back, .. } = node_odds.last()?;
        if !(*leaves > 0.0 && *leaves < self.rare) {
            return None;
        }
        let before = match back {
            TalliesToLoopHead::Tallied(tallied) => ReturningRoundTallies::Alike(tallied.clone()),
            _ => ReturningRoundTallies::Split(self.build_returning_nodes(port, &nodes, &node_odds)),
        };
        Some(LoopExitJump {
            leaves: *leaves,
            before,
            nodes: self.build_leaving_nodes(port, &nodes, &node_odds),
        })
    }

    /// Returns the nodes of a round with the distribution of returning.
    fn build_returning_nodes(
        &self,
        port: VertexId,
        nodes: &[VertexId],
        odds: &[LoopNodeReturnShares],
    ) -> Vec<NodeInReturningRound> {
        let (graph, last) = (self.graph, nodes.len() - 1);
        let returning = |node: &VertexId| {
            let (_, faces) = graph.sides_and_targets(*node);
            let weighed = faces.filter_map(|(to, faces)| match nodes.binary_search(&to) {
                Ok(at) => Some((odds[at].returns * f64::from(faces), Some((last - at) as u32))),
                Err(_) => (to == port).then_some((f64::from(faces), None)),
            });
            let weighed: Vec<(f64, Option<u32>)> = weighed.collect();
            let mut left = 0.0;
            let group = |&(weight, to): &(f64, Option<u32>)| {
                left += weight;
                (if left > 0.0 { weight / left } else { 0.0 }, to)
            };
            // From the last, so that each chance is relative to the remaining groups.
            let mut groups: Vec<_> = weighed.iter().rev().map(group).collect();
            groups.reverse();
            NodeInReturningRound { groups, slot: counting_slot_of_node(graph, *node) }
        };
        nodes.iter().rev().map(returning).collect()
    }

    /// Returns the nodes of a round with the distribution of leaving.
    fn build_leaving_nodes(
        &self,
        port: VertexId,
        nodes: &[VertexId],
        odds: &[LoopNodeReturnShares],
    ) -> Vec<LeavingRoundNode> {
        let (graph, last) = (self.graph, nodes.len() - 1);
        let number = |place: VertexId| nodes.binary_search(&place).ok();
        let leaving = |node: &VertexId| {
            let (_, faces) = graph.sides_and_targets(*node);
            let groups: Vec<(f64, RoundNodeOrOutsideVertex)> = faces
                .map(|(to, faces)| match number(to) {
                    Some(at) => (
                        odds[at].leaves * f64::from(faces),
                        RoundNodeOrOutsideVertex::Node((last - at) as u32),
                    ),
                    None if to == port => (0.0, RoundNodeOrOutsideVertex::Place(to)),
                    None => (f64::from(faces), RoundNodeOrOutsideVertex::Place(to)),
                })
                .collect();
            LeavingRoundNode {
                below: cumulative_draw_thresholds(groups.iter().map(|(weight, _)| *weight)),
                to: groups.into_iter().map(|(_, to)| to).collect(),
                slot: counting_slot_of_node(graph, *node),
            }
        };
        nodes.iter().rev().map(leaving).collect()
    }
}

/// Returns the slot behind the vertices in which the trials that pass a tally node are counted.
fn counting_slot_of_node(graph: &DieGraph, node: VertexId) -> Option<VertexId> {
    let index = node as usize - graph.first_node_vertex();
    let at = graph.tally_node_amounts().binary_search_by_key(&index, |tally| tally.node).ok()?;
    Some((graph.vertex_count() + at) as VertexId)
}

/// Returns, by group, the bound of 2⁶⁴ below which it and those before it lie. From the last
/// possible group on, all bits lie below.
fn cumulative_draw_thresholds(weights: impl Iterator<Item = f64> + Clone) -> Vec<u64> {
    let all: f64 = weights.clone().sum();
    let last = weights.clone().zip(0..).filter(|(weight, _)| *weight > 0.0).last();
    let last = last.map_or(0, |(_, at)| at);
    let mut sum = 0.0;
    let bound = |(weight, at): (f64, usize)| {
        sum += weight;
        if at >= last { u64::MAX } else { (sum / all * 2f64.powi(64)) as u64 }
    };
    weights.zip(0..).map(bound).collect()
}

/// Properties of a node of a round.
#[derive(Clone)]
struct LoopNodeReturnShares {
    /// Share that does not return to the loop head, and share that does.
    leaves: f64,
    returns: f64,
    /// Tallies of the returning share.
    back: TalliesToLoopHead,
}

impl LoopNodeReturnShares {
    const AT_LOOP_HEAD: LoopNodeReturnShares = LoopNodeReturnShares {
        leaves: 0.0,
        returns: 1.0,
        back: TalliesToLoopHead::Tallied(Vec::new()),
    };
    const OUTSIDE_LOOP: LoopNodeReturnShares =
        LoopNodeReturnShares { leaves: 1.0, returns: 0.0, back: TalliesToLoopHead::Never };
}

/// Tallies on the paths from a node back to the loop head.
#[derive(Clone, Debug, PartialEq)]
enum TalliesToLoopHead {
    /// No path leads back.
    Never,
    /// Equal amounts on all paths, by counter, without zeros at the end.
    Tallied(Vec<i64>),
    /// Different on different paths.
    Mixed,
}

impl TalliesToLoopHead {
    /// Merges two alternative paths.
    fn merge_alternative(self, other: TalliesToLoopHead) -> TalliesToLoopHead {
        match (self, other) {
            (TalliesToLoopHead::Never, other) => other,
            (own, TalliesToLoopHead::Never) => own,
            (own, other) if own == other => own,
            _ => TalliesToLoopHead::Mixed,
        }
    }

    /// Adds an amount that is tallied before.
    fn with_earlier_amount(self, paid: Option<(u8, i64)>, counters: usize) -> TalliesToLoopHead {
        let (TalliesToLoopHead::Tallied(mut tallied), Some((counter, amount))) =
            (self.clone(), paid)
        else {
            return self;
        };
        tallied.resize(counters, 0);
        tallied[usize::from(counter)] += amount;
        let used_len = tallied.iter().rposition(|amount| *amount != 0).map_or(0, |last| last + 1);
        tallied.truncate(used_len);
        TalliesToLoopHead::Tallied(tallied)
    }
}

impl LoopExitJump {
    /// Returns the number of returning rounds before the leaving one: ⌊ln U ÷ ln(1 − q)⌋, for U of
    /// 53 bits.
    pub(super) fn rounds_drawn_from_bits(&self, bits: u64) -> u64 {
        (natural_log(to_unit_interval(bits)) / natural_log_1p(-self.leaves)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of rounds is at least k with (1 − q)ᵏ, here in the middle of 2⁵³ parts.
    #[test]
    fn rounds_are_geometric() {
        let jump = LoopExitJump {
            leaves: 1.0 / 1024.0,
            nodes: Vec::new(),
            before: ReturningRoundTallies::Alike(Vec::new()),
        };
        for k in [1u64, 2, 700, 5000] {
            let p = (1.0f64 - 1.0 / 1024.0).powf(k as f64);
            let at = |p: f64| ((p * 2f64.powi(53)) as u64) << 11;
            assert!(jump.rounds_drawn_from_bits(at(p * (1.0 - 1e-9))) >= k, "{k}");
            assert!(jump.rounds_drawn_from_bits(at(p * (1.0 + 1e-9))) < k, "{k}");
        }
    }

    #[test]
    fn bounds_share_what_can_be() {
        assert_eq!(cumulative_draw_thresholds([1.0, 3.0].into_iter()), [1 << 62, u64::MAX]);
        assert_eq!(
            cumulative_draw_thresholds([0.0, 1.0, 1.0, 0.0].into_iter()),
            [0, 1 << 63, u64::MAX, u64::MAX]
        );
    }
}

#[cfg(test)]
#[path = "../../tests/by_hand/searches_for_jumps.rs"]
mod searches_for_jumps;
