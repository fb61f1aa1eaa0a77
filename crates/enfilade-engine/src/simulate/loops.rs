//! Loops of a plan, one after the other, and loop heads that are left so rarely that trials jump
//! out of them.
//!
//! For a loop head the plan computes the share `q` of a round that does not return to it, by one
//! pass over the nodes between. A trial there leaves in the end, by the distribution of a leaving
//! round; the number of rounds before is geometric and matters only to the tallies on the way back.

use super::binomial::{ln, ln_1p, part};
use crate::graph::{Condensed, DieGraph, Group, Place};

/// Share of a round that leaves a loop head, from which on its trials are rolled: a counted round
/// costs a trial far less than a jump.
pub(super) const RARE: f64 = 1.0 / 512.0;

/// Largest number of nodes visited in search of jumps, over all loop heads.
const LOOKED_AT: usize = 1 << 22;

/// Groups of vertices, predecessors first.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    pub(super) pieces: Vec<Piece>,
    /// Jump of each loop head, if it has one.
    pub(super) jumps: Vec<Option<Box<Jump>>>,
}

/// Group of vertices.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Vertex that does not lead back to itself.
    Alone(Place),
    /// Vertices that do: the nodes from the last, and the loop heads.
    Loop(Vec<Place>, Vec<Place>),
    /// Vertices of a loop without an exit.
    Never,
}

/// Jump out of a loop head to which nearly every round returns.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    /// Share of a round that leaves.
    pub(super) leaves: f64,
    /// Nodes of a round, each before its successors.
    pub(super) nodes: Vec<Leaving>,
    /// Tallies of the rounds before.
    pub(super) before: Before,
}

/// Tallies of returning rounds.
#[derive(Clone, Debug)]
pub(super) enum Before {
    /// The same amount in each round, by counter; empty if all are 0.
    Alike(Vec<i64>),
    /// Amounts that depend on the path: the nodes, each before its successors.
    Split(Vec<Returning>),
}

/// Node of a returning round.
#[derive(Clone, Debug)]
pub(super) struct Returning {
    /// Groups: the chance of each, relative to itself and the later ones, and its target node, if
    /// there is one.
    pub(super) groups: Vec<(f64, Option<u32>)>,
    /// Slot where passing trials are counted, for a tally node.
    pub(super) slot: Option<Place>,
}

/// Node of a leaving round.
#[derive(Clone, Debug)]
pub(super) struct Leaving {
    /// Bound by group: a trial whose 64 random bits are below it takes the group.
    pub(super) below: Vec<u64>,
    /// Target by group.
    pub(super) to: Vec<Onward>,
    /// Slot where passing trials are counted, for a tally node.
    pub(super) slot: Option<Place>,
}

/// Target of a group in a leaving round.
#[derive(Clone, Copy, Debug)]
pub(super) enum Onward {
    /// Node of the round, by its index.
    Node(u32),
    /// Vertex outside the round.
    Place(Place),
}

impl Loops {
    /// Finds the loops of a graph. Returns `None` if all trials may go round together, as with a
    /// single loop without jumps. Trials jump from loop heads that a smaller share than `rare`
    /// leaves.
    pub(super) fn of(graph: &DieGraph, rare: f64) -> Option<Box<Loops>> {
        if graph.ports().is_empty() {
            return None;
        }
        let condensed = Condensed::of(graph);
        let mut finder = Finder { graph, rare, inside: vec![false; graph.places()], looked_at: 0 };
        let mut loops = Loops { pieces: Vec::new(), jumps: vec![None; graph.ports().len()] };
        for group in condensed.groups(graph) {
            loops.pieces.push(match group {
                Group::Alone(place) => Piece::Alone(place),
                Group::Loop(places) => finder.piece(places, &mut loops.jumps),
            });
        }
        let rounds = loops.pieces.iter().filter(|piece| !matches!(piece, Piece::Alone(_)));
        let several = rounds.count() > 1 || loops.jumps.iter().any(Option::is_some);
        several.then(|| Box::new(loops))
    }
}

struct Finder<'a> {
    graph: &'a DieGraph,
    rare: f64,
    /// Whether each vertex belongs to the loop.
    inside: Vec<bool>,
    looked_at: usize,
}

impl Finder<'_> {
    fn piece(&mut self, places: &[Place], jumps: &mut [Option<Box<Jump>>]) -> Piece {
        let graph = self.graph;
        places.iter().for_each(|place| self.inside[*place as usize] = true);
        let leaves = |place: &Place| {
            let (_, mut faces) = graph.faces(*place);
            faces.any(|(to, _)| !self.inside[to as usize])
        };
        let ends = places.iter().any(leaves);
        let from = places.partition_point(|place| (*place as usize) < graph.first_node());
        let (ports, nodes) = places.split_at(from);
        if ends {
            for &port in ports {
                jumps[port as usize - graph.first_port()] = self.jump(port).map(Box::new);
            }
        }
        places.iter().for_each(|place| self.inside[*place as usize] = false);
        match ends {
            true => Piece::Loop(nodes.iter().rev().copied().collect(), ports.to_vec()),
            false => Piece::Never,
        }
    }

    /// Returns the nodes of a round that begins at a loop head, the first of them last; `None` if
    /// they are too many.
    fn round(&mut self, port: Place) -> Option<Vec<Place>> {
        let (graph, first) = (self.graph, self.graph.first_node());
        let is_node = |place: Place| place as usize >= first && self.inside[place as usize];
        let mut open: Vec<Place> =
            graph.lead(port, 0).into_iter().filter(|to| is_node(*to)).collect();
        let (mut seen, mut nodes) = (rustc_hash::FxHashSet::default(), Vec::new());
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            nodes.push(place);
            self.looked_at += 1;
            if self.looked_at > LOOKED_AT {
                return None;
            }
            open.extend(graph.faces(place).1.map(|(to, _)| to).filter(|to| is_node(*to)));
        }
        // The successors of a node come before it.
        nodes.sort_unstable();
        Some(nodes)
    }

    /// Returns the jump of a loop head; `None` if its trials are better rolled.
    fn jump(&mut self, port: Place) -> Option<Jump> {
        let (graph, nodes) = (self.graph, self.round(port)?);
        let number = |place: Place| nodes.binary_search(&place).ok();
        let mut known: Vec<Known> = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let (sides, faces) = graph.faces(node);
            let mut here = Known { leaves: 0.0, returns: 0.0, back: Back::Never };
            for (to, faces) in faces {
                let share = f64::from(faces) / f64::from(sides);
                let on = match number(to) {
                    Some(at) => known[at].clone(),
                    None if to == port => Known::HOME,
                    None => Known::OUT,
                };
                here.leaves += on.leaves * share;
                here.returns += on.returns * share;
                here.back = here.back.or(on.back);
            }
            let paid = graph.toll(node).map(|toll| (toll.counter, toll.amount));
            known.push(Known { back: here.back.and(paid, graph.counters()), ..here });
        }
        let Known { leaves, back, .. } = known.last()?;
        if !(*leaves > 0.0 && *leaves < self.rare) {
            return None;
        }
        let before = match back {
            Back::Tallied(tallied) => Before::Alike(tallied.clone()),
            _ => Before::Split(self.returning(port, &nodes, &known)),
        };
        Some(Jump { leaves: *leaves, before, nodes: self.leaving(port, &nodes, &known) })
    }

    /// Returns the nodes of a round with the distribution of returning.
    fn returning(&self, port: Place, nodes: &[Place], known: &[Known]) -> Vec<Returning> {
        let (graph, last) = (self.graph, nodes.len() - 1);
        let returning = |node: &Place| {
            let (_, faces) = graph.faces(*node);
            let weighed = faces.filter_map(|(to, faces)| match nodes.binary_search(&to) {
                Ok(at) => Some((known[at].returns * f64::from(faces), Some((last - at) as u32))),
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
            Returning { groups, slot: slot(graph, *node) }
        };
        nodes.iter().rev().map(returning).collect()
    }

    /// Returns the nodes of a round with the distribution of leaving.
    fn leaving(&self, port: Place, nodes: &[Place], known: &[Known]) -> Vec<Leaving> {
        let (graph, last) = (self.graph, nodes.len() - 1);
        let number = |place: Place| nodes.binary_search(&place).ok();
        let leaving = |node: &Place| {
            let (_, faces) = graph.faces(*node);
            let groups: Vec<(f64, Onward)> = faces
                .map(|(to, faces)| match number(to) {
                    Some(at) => {
                        (known[at].leaves * f64::from(faces), Onward::Node((last - at) as u32))
                    }
                    None if to == port => (0.0, Onward::Place(to)),
                    None => (f64::from(faces), Onward::Place(to)),
                })
                .collect();
            Leaving {
                below: bounds(groups.iter().map(|(weight, _)| *weight)),
                to: groups.into_iter().map(|(_, to)| to).collect(),
                slot: slot(graph, *node),
            }
        };
        nodes.iter().rev().map(leaving).collect()
    }
}

/// Returns the slot behind the vertices in which the trials that pass a tally node are counted.
fn slot(graph: &DieGraph, node: Place) -> Option<Place> {
    let index = node as usize - graph.first_node();
    let at = graph.tolls().binary_search_by_key(&index, |toll| toll.node).ok()?;
    Some((graph.places() + at) as Place)
}

/// Returns, by group, the bound of 2⁶⁴ below which it and those before it lie. From the last
/// possible group on, all bits lie below.
fn bounds(weights: impl Iterator<Item = f64> + Clone) -> Vec<u64> {
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
struct Known {
    /// Share that does not return to the loop head, and share that does.
    leaves: f64,
    returns: f64,
    /// Tallies of the returning share.
    back: Back,
}

impl Known {
    const HOME: Known = Known { leaves: 0.0, returns: 1.0, back: Back::Tallied(Vec::new()) };
    const OUT: Known = Known { leaves: 1.0, returns: 0.0, back: Back::Never };
}

/// Tallies on the paths from a node back to the loop head.
#[derive(Clone, Debug, PartialEq)]
enum Back {
    /// No path leads back.
    Never,
    /// The same on all paths: the amount by counter, without zeros at the end.
    Tallied(Vec<i64>),
    /// Different on different paths.
    Mixed,
}

impl Back {
    /// Merges two alternative paths.
    fn or(self, other: Back) -> Back {
        match (self, other) {
            (Back::Never, other) => other,
            (own, Back::Never) => own,
            (own, other) if own == other => own,
            _ => Back::Mixed,
        }
    }

    /// Adds an amount that is tallied before.
    fn and(self, paid: Option<(u8, i64)>, counters: usize) -> Back {
        let (Back::Tallied(mut tallied), Some((counter, amount))) = (self.clone(), paid) else {
            return self;
        };
        tallied.resize(counters, 0);
        tallied[usize::from(counter)] += amount;
        let used = tallied.iter().rposition(|amount| *amount != 0).map_or(0, |last| last + 1);
        tallied.truncate(used);
        Back::Tallied(tallied)
    }
}

impl Jump {
    /// Returns the number of returning rounds before the leaving one: ⌊ln U ÷ ln(1 − q)⌋, for U of
    /// 53 bits.
    pub(super) fn rounds(&self, bits: u64) -> u64 {
        (ln(part(bits)) / ln_1p(-self.leaves)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of rounds is at least k with (1 − q)ᵏ, here in the middle of 2⁵³ parts.
    #[test]
    fn rounds_are_geometric() {
        let jump =
            Jump { leaves: 1.0 / 1024.0, nodes: Vec::new(), before: Before::Alike(Vec::new()) };
        for k in [1u64, 2, 700, 5000] {
            let p = (1.0f64 - 1.0 / 1024.0).powf(k as f64);
            let at = |p: f64| ((p * 2f64.powi(53)) as u64) << 11;
            assert!(jump.rounds(at(p * (1.0 - 1e-9))) >= k, "{k}");
            assert!(jump.rounds(at(p * (1.0 + 1e-9))) < k, "{k}");
        }
    }

    #[test]
    fn bounds_share_what_can_be() {
        assert_eq!(bounds([1.0, 3.0].into_iter()), [1 << 62, u64::MAX]);
        assert_eq!(bounds([0.0, 1.0, 1.0, 0.0].into_iter()), [0, 1 << 63, u64::MAX, u64::MAX]);
    }
}
