//! Loops of a graph: vertices that lead to each other, found in one traversal (Tarjan 1972).
//!
//! Every trial that ends leaves each of its loops after a last visit, so loops can be solved one
//! after the other: probability that leaves one never returns to it.

use super::die_graph::DieGraph;
use super::node::VertexId;

/// All reachable vertices that are not endings, as groups in topological order; within a group each
/// vertex leads to every other.
#[derive(Default)]
pub(crate) struct Condensation {
    /// Counter whose tally nodes lead nowhere.
    cut: Option<u8>,
    /// Vertices group by group, ascending within a group.
    places: Vec<VertexId>,
    /// End of each group among the vertices.
    ends: Vec<u32>,
}

/// Group of vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VertexGroup<'a> {
    /// Vertex that does not lead back to itself.
    Alone(VertexId),
    /// Vertices that a trial may visit again and again.
    Loop(&'a [VertexId]),
}

impl Condensation {
    pub(crate) fn from_graph(graph: &DieGraph) -> Condensation {
        Condensation::from_start_vertices(graph, None, &[graph.start_vertex()])
    }

    /// Condenses a layer: tally nodes of the counter lead out of it.
    pub(crate) fn from_graph_without_counter(graph: &DieGraph, counter: u8) -> Condensation {
        let first = graph.first_node_vertex();
        let behind = graph.tally_node_amounts().iter().filter(|tally| tally.counter == counter);
        let behind = behind
            .filter_map(|tally| graph.successor_at_branch((first + tally.node) as VertexId, 0));
        let starts: Vec<VertexId> = behind.chain([graph.start_vertex()]).collect();
        Condensation::from_start_vertices(graph, Some(counter), &starts)
    }

    fn from_start_vertices(graph: &DieGraph, cut: Option<u8>, starts: &[VertexId]) -> Condensation {
        let mut walk = CondensationWalk {
            graph,
            cut,
            discovery_order: vec![UNVISITED_VERTEX; graph.vertex_count()],
            lowest: vec![UNVISITED_VERTEX; graph.vertex_count()],
            next: 0,
            waiting: Vec::new(),
            open: Vec::new(),
            places: Vec::new(),
            starts: Vec::new(),
        };
        for start in starts {
            walk.visit_reachable_vertices(*start);
        }
        walk.into_condensation()
    }

    /// Returns the groups, each before all that it leads to.
    pub(crate) fn groups<'a>(
        &'a self,
        graph: &'a DieGraph,
    ) -> impl Iterator<Item = VertexGroup<'a>> + 'a {
        let mut from = 0;
        self.ends.iter().map(move |&end| {
            let places = &self.places[std::mem::replace(&mut from, end as usize)..end as usize];
            match *places {
                [only]
                    if (0..)
                        .map_while(|at| successor_unless_cut(graph, self.cut, only, at))
                        .all(|to| to != only) =>
                {
                    VertexGroup::Alone(only)
                }
                _ => VertexGroup::Loop(places),
            }
        })
    }
}

/// Returns the target of a branch, unless the vertex is a tally node of the cutting counter.
fn successor_unless_cut(
    graph: &DieGraph,
    cut: Option<u8>,
    place: VertexId,
    at: usize,
) -> Option<VertexId> {
    let is_cut =
        |counter| graph.tally_of_vertex(place).is_some_and(|tally| tally.counter == counter);
    graph.successor_at_branch(place, at).filter(|_| !cut.is_some_and(is_cut))
}

const UNVISITED_VERTEX: u32 = u32::MAX;
/// Mark of a vertex with a group: no open vertex is reached through it.
const COMPONENT_CLOSED: u32 = u32::MAX - 1;

struct CondensationWalk<'a> {
    graph: &'a DieGraph,
    cut: Option<u8>,
    /// Order of discovery by vertex.
    discovery_order: Vec<u32>,
    /// Earliest open vertex that each vertex leads back to.
    lowest: Vec<u32>,
    next: u32,
    /// Vertices without a group yet, in order of discovery.
    waiting: Vec<VertexId>,
    /// Path to the current vertex, each with the index of its next branch.
    open: Vec<(VertexId, usize)>,
    /// Vertices group by group; the successors of a group come before it.
    places: Vec<VertexId>,
    starts: Vec<u32>,
}

impl CondensationWalk<'_> {
    /// Visits all vertices reachable from a vertex.
    fn visit_reachable_vertices(&mut self, start: VertexId) {
        if self.discovery_order[start as usize] == UNVISITED_VERTEX {
            self.enter_vertex(start);
        }
        while let Some((place, way)) = self.open.last_mut() {
            let (place, at) = (*place, *way);
            *way += 1;
            match successor_unless_cut(self.graph, self.cut, place, at) {
                Some(next) => self.visit_edge(place, next),
                None => self.close_finished_vertex(place),
            }
        }
    }

    fn enter_vertex(&mut self, place: VertexId) {
        // Endings have no successors.
        if (place as usize) < self.graph.first_loop_head_vertex() {
            return;
        }
        self.discovery_order[place as usize] = self.next;
        self.lowest[place as usize] = self.next;
        self.next += 1;
        self.waiting.push(place);
        self.open.push((place, 0));
    }

    fn visit_edge(&mut self, place: VertexId, next: VertexId) {
        match self.discovery_order[next as usize] {
            UNVISITED_VERTEX => self.enter_vertex(next),
            COMPONENT_CLOSED => {}
            root_index => {
                let lowest = &mut self.lowest[place as usize];
                *lowest = (*lowest).min(root_index);
            }
        }
    }

    fn close_finished_vertex(&mut self, place: VertexId) {
        let lowest = self.lowest[place as usize];
        self.open.pop();
        if let Some(&(above, _)) = self.open.last() {
            let above = &mut self.lowest[above as usize];
            *above = (*above).min(lowest);
        }
        if lowest < self.discovery_order[place as usize] {
            return;
        }
        let first = self.waiting.iter().rposition(|waits| *waits == place).unwrap_or(0);
        let mut group = self.waiting.split_off(first);
        group.iter().for_each(|place| self.discovery_order[*place as usize] = COMPONENT_CLOSED);
        group.sort_unstable();
        self.starts.push(self.places.len() as u32);
        self.places.append(&mut group);
    }

    /// Reverses the order of the groups.
    fn into_condensation(self) -> Condensation {
        let mut condensed = Condensation {
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
