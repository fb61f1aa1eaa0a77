//! The loops of a plan, one after the other; and the ports that are left so rarely that trials do not wait for it
//! but jump.
//!
//! Of a port the plan finds the share `q` of a round that does not come back to it, by one pass over the nodes
//! between. A trial there leaves in the end, by the law of a round that is left; the rounds before are a geometric
//! number, which only matters to what is tallied on the way back.

use super::binomial::{ln, ln_1p, part};
use crate::graph::{Condensed, DieGraph, Group, Place};

/// Share of a round that leaves a port from which on its trials are rolled: a counted round costs a trial far less
/// than a jump.
pub(super) const RARE: f64 = 1.0 / 512.0;

/// Nodes looked at for jumps, at most, over all ports.
const LOOKED_AT: usize = 1 << 22;

/// The groups of places, callers first.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    pub(super) pieces: Vec<Piece>,
    /// By port: how trials jump from it, if they do.
    pub(super) jumps: Vec<Option<Box<Jump>>>,
}

/// One group.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A place that does not lead back to itself.
    Alone(Place),
    /// Places that do, the nodes from the last, and the ports.
    Loop(Vec<Place>, Vec<Place>),
    /// Places that nothing leads out of.
    Never,
}

/// How trials leave a port from which nearly every round comes back.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    /// The share of a round that leaves.
    pub(super) leaves: f64,
    /// The nodes of a round, each before those it leads to.
    pub(super) nodes: Vec<Leaving>,
    /// What the rounds before tally.
    pub(super) before: Before,
}

/// What rounds tally that come back.
#[derive(Clone, Debug)]
pub(super) enum Before {
    /// Each so much, by counter; empty where that is nothing.
    Alike(Vec<i64>),
    /// Now this and now that, by the way it takes: the nodes, each before those it leads to.
    Split(Vec<Returning>),
}

/// A node of a round that comes back.
#[derive(Clone, Debug)]
pub(super) struct Returning {
    /// By group: the chance of going there of those who go to it or a later one, and to which node, if to one.
    pub(super) groups: Vec<(f64, Option<u32>)>,
    /// Where those are counted that pass, of a toll.
    pub(super) slot: Option<Place>,
}

/// A node of a round that is left.
#[derive(Clone, Debug)]
pub(super) struct Leaving {
    /// By group: below which of 2⁶⁴ a trial goes there.
    pub(super) below: Vec<u64>,
    /// By group: where that is.
    pub(super) to: Vec<Onward>,
    /// Where the trials are counted that pass, of a toll.
    pub(super) slot: Option<Place>,
}

/// Where a group leads in a round that is left.
#[derive(Clone, Copy, Debug)]
pub(super) enum Onward {
    /// To another node of the round, by its number there.
    Node(u32),
    /// Out of the round.
    Place(Place),
}

impl Loops {
    /// Finds the loops of a graph; nothing where all trials may go round together, as where there is one loop that
    /// nobody jumps in. Trials jump from ports that a smaller share than `rare` leaves.
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
    /// By place: whether it belongs to the loop.
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

    /// The nodes of a round that begins at a port, the first of them last; `None` where they are too many.
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
        // Whatever a node leads to comes before it.
        nodes.sort_unstable();
        Some(nodes)
    }

    /// How trials jump from a port; nothing where they are better rolled.
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

    /// The nodes of a round with the law of coming back.
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
            // From the last, so that each knows what is left from it on.
            let mut groups: Vec<_> = weighed.iter().rev().map(group).collect();
            groups.reverse();
            Returning { groups, slot: slot(graph, *node) }
        };
        nodes.iter().rev().map(returning).collect()
    }

    /// The nodes of a round with the law of leaving it.
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

/// The slot behind the places in which the trials are counted that pass a toll.
fn slot(graph: &DieGraph, node: Place) -> Option<Place> {
    let index = node as usize - graph.first_node();
    let at = graph.tolls().binary_search_by_key(&index, |toll| toll.node).ok()?;
    Some((graph.places() + at) as Place)
}

/// By group: the bound of 2⁶⁴ below which it and those before it lie. From the last that can be on all lies below.
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

/// What is known of a node of a round.
#[derive(Clone)]
struct Known {
    /// The share that does not come back to the port, and the share that does.
    leaves: f64,
    returns: f64,
    /// What the others tally on the way.
    back: Back,
}

impl Known {
    const HOME: Known = Known { leaves: 0.0, returns: 1.0, back: Back::Tallied(Vec::new()) };
    const OUT: Known = Known { leaves: 1.0, returns: 0.0, back: Back::Never };
}

/// What is tallied on the ways from a node back to the port.
#[derive(Clone, Debug, PartialEq)]
enum Back {
    /// There is no way back.
    Never,
    /// The same on all of them: so much by counter, with nothing behind the last that is not 0.
    Tallied(Vec<i64>),
    /// Not the same.
    Mixed,
}

impl Back {
    /// Of two ways on.
    fn or(self, other: Back) -> Back {
        match (self, other) {
            (Back::Never, other) => other,
            (own, Back::Never) => own,
            (own, other) if own == other => own,
            _ => Back::Mixed,
        }
    }

    /// With what is paid before.
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
    /// Rounds that come back before the one that is left: ⌊ln U ÷ ln(1 − q)⌋, for U of 53 bits.
    pub(super) fn rounds(&self, bits: u64) -> u64 {
        (ln(part(bits)) / ln_1p(-self.leaves)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of many rounds the number is at least k with (1 − q)ᵏ, here in the middle of 2⁵³ parts.
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
