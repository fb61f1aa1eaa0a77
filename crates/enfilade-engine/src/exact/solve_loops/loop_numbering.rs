//! Numbering of the vertices of one loop, and the shares between them.

use crate::graph::{DieGraph, LoopLinearSystem, LoopSystemNumber, VertexId};

/// Numbering of the vertices of one loop.
pub(crate) struct LoopVertexNumbering<'a> {
    graph: &'a DieGraph,
    /// Number of each vertex of the graph that belongs to the loop.
    numbers: Vec<u32>,
}

const NOT_IN_LOOP: u32 = u32::MAX;

impl<'a> LoopVertexNumbering<'a> {
    pub(crate) fn new(graph: &'a DieGraph) -> Self {
        LoopVertexNumbering { graph, numbers: vec![NOT_IN_LOOP; graph.vertex_count()] }
    }

    pub(crate) fn number_loop_vertices(&mut self, places: &[VertexId]) {
        (0..).zip(places).for_each(|(at, place)| self.numbers[*place as usize] = at);
    }

    pub(crate) fn clear_loop_numbers(&mut self, places: &[VertexId]) {
        places.iter().for_each(|place| self.numbers[*place as usize] = NOT_IN_LOOP);
    }

    /// Returns the number of a vertex of the loop.
    pub(crate) fn index_within_loop(&self, place: VertexId) -> Option<u32> {
        Some(self.numbers[place as usize]).filter(|number| *number != NOT_IN_LOOP)
    }

    /// Builds the linear system of a loop.
    pub(crate) fn build_loop_equations<N: LoopSystemNumber>(
        &self,
        places: &[VertexId],
    ) -> LoopLinearSystem<N> {
        let mut system = LoopLinearSystem::new(places.len());
        for (from, &place) in places.iter().enumerate() {
            let (sides, faces) = self.graph.sides_and_targets(place);
            for (to, faces) in faces {
                let share = N::from_faces(faces, sides);
                match self.index_within_loop(to) {
                    Some(to) => system.add_edge(from, to, share),
                    None => system.add_exit_share(from, &share),
                }
            }
        }
        system
    }
}
