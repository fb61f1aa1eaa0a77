//! Loops of a graph: vertices that lead to each other, found in one traversal (Tarjan 1972).
//!
//! Every trial that ends leaves each of its loops after a last visit, so loops can be solved one
//! after the other: probability that leaves one never returns to it.

use super::die_graph::DieGraph;
use super::node::Place;

/// All reachable vertices that are not endings, as groups in topological order; within a group each
/// vertex leads to every other.
#[derive(Default)]
pub(crate) struct Condensed {
    /// Counter whose tally nodes lead nowhere.
    cut: Option<u8>,
    /// Vertices group by group, ascending within a group.
    places: Vec<Place>,
    /// End of each group among the vertices.
    ends: Vec<u32>,
}

/// Group of vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Group<'a> {
    /// Vertex that does not lead back to itself.
    Alone(Place),
    /// Vertices that a trial may visit again and again.
    Loop(&'a [Place]),
}

impl Condensed {
    pub(crate) fn of(graph: &DieGraph) -> Condensed {
        Condensed::from(graph, None, &[graph.start()])
    }

    /// Condenses a layer: tally nodes of the counter lead out of it.
    pub(crate) fn of_layer(graph: &DieGraph, counter: u8) -> Condensed {
        let first = graph.first_node();
        let behind = graph.tolls().iter().filter(|toll| toll.counter == counter);
        let behind = behind.filter_map(|toll| graph.lead((first + toll.node) as Place, 0));
        let starts: Vec<Place> = behind.chain([graph.start()]).collect();
        Condensed::from(graph, Some(counter), &starts)
    }

    fn from(graph: &DieGraph, cut: Option<u8>, starts: &[Place]) -> Condensed {
        let mut walk = Walk {
            graph,
            cut,
            found: vec![UNSEEN; graph.places()],
            lowest: vec![UNSEEN; graph.places()],
            next: 0,
            waiting: Vec::new(),
            open: Vec::new(),
            places: Vec::new(),
            starts: Vec::new(),
        };
        for start in starts {
            walk.from(*start);
        }
        walk.in_order()
    }

    /// Returns the groups, each before all that it leads to.
    pub(crate) fn groups<'a>(
        &'a self,
        graph: &'a DieGraph,
    ) -> impl Iterator<Item = Group<'a>> + 'a {
        let mut from = 0;
        self.ends.iter().map(move |&end| {
            let places = &self.places[std::mem::replace(&mut from, end as usize)..end as usize];
            match *places {
                [only]
                    if (0..)
                        .map_while(|at| lead(graph, self.cut, only, at))
                        .all(|to| to != only) =>
                {
                    Group::Alone(only)
                }
                _ => Group::Loop(places),
            }
        })
    }
}

/// Returns the target of a branch, unless the vertex is a tally node of the cutting counter.
fn lead(graph: &DieGraph, cut: Option<u8>, place: Place, at: usize) -> Option<Place> {
    let is_cut = |counter| graph.toll(place).is_some_and(|toll| toll.counter == counter);
    graph.lead(place, at).filter(|_| !cut.is_some_and(is_cut))
}

const UNSEEN: u32 = u32::MAX;
/// Mark of a vertex with a group: no open vertex is reached through it.
const DONE: u32 = u32::MAX - 1;

struct Walk<'a> {
    graph: &'a DieGraph,
    cut: Option<u8>,
    /// Order of discovery by vertex.
    found: Vec<u32>,
    /// Earliest open vertex that each vertex leads back to.
    lowest: Vec<u32>,
    next: u32,
    /// Vertices without a group yet, in order of discovery.
    waiting: Vec<Place>,
    /// Path to the current vertex, each with the index of its next branch.
    open: Vec<(Place, usize)>,
    /// Vertices group by group; the successors of a group come before it.
    places: Vec<Place>,
    starts: Vec<u32>,
}

impl Walk<'_> {
    /// Visits all vertices reachable from a vertex.
    fn from(&mut self, start: Place) {
        if self.found[start as usize] == UNSEEN {
            self.enter(start);
        }
        while let Some((place, way)) = self.open.last_mut() {
            let (place, at) = (*place, *way);
            *way += 1;
            match lead(self.graph, self.cut, place, at) {
                Some(next) => self.look(place, next),
                None => self.leave(place),
            }
        }
    }

    fn enter(&mut self, place: Place) {
        // Endings have no successors.
        if (place as usize) < self.graph.first_port() {
            return;
        }
        self.found[place as usize] = self.next;
        self.lowest[place as usize] = self.next;
        self.next += 1;
        self.waiting.push(place);
        self.open.push((place, 0));
    }

    fn look(&mut self, place: Place, next: Place) {
        match self.found[next as usize] {
            UNSEEN => self.enter(next),
            DONE => {}
            found => {
                let lowest = &mut self.lowest[place as usize];
                *lowest = (*lowest).min(found);
            }
        }
    }

    fn leave(&mut self, place: Place) {
        let lowest = self.lowest[place as usize];
        self.open.pop();
        if let Some(&(above, _)) = self.open.last() {
            let above = &mut self.lowest[above as usize];
            *above = (*above).min(lowest);
        }
        if lowest < self.found[place as usize] {
            return;
        }
        let first = self.waiting.iter().rposition(|waits| *waits == place).unwrap_or(0);
        let mut group = self.waiting.split_off(first);
        group.iter().for_each(|place| self.found[*place as usize] = DONE);
        group.sort_unstable();
        self.starts.push(self.places.len() as u32);
        self.places.append(&mut group);
    }

    /// Reverses the order of the groups.
    fn in_order(self) -> Condensed {
        let mut condensed = Condensed {
            cut: self.cut,
            places: Vec::with_capacity(self.places.len()),
            ends: Vec::new(),
        };
        let mut end = self.places.len();
        for start in self.starts.into_iter().rev() {
            condensed.places.extend(&self.places[start as usize..end]);
            condensed.ends.push(condensed.places.len() as u32);
            end = start as usize;
        }
        condensed
    }
}
