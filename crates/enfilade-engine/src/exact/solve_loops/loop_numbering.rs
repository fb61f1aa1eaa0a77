//! Numbering of the vertices of one loop, and the shares between them.

use crate::graph::{DieGraph, LoopArithmetic, LoopLinearSystem, VertexId};

/// Numbering of the vertices of one loop.
pub(crate) struct LoopNumbering<'a> {
    graph: &'a DieGraph,
    /// Number of each vertex of the graph that belongs to the loop.
    numbers: Vec<u32>,
}

const ELSEWHERE: u32 = u32::MAX;

impl<'a> LoopNumbering<'a> {
    pub(crate) fn new(graph: &'a DieGraph) -> Self {
        LoopNumbering { graph, numbers: vec![ELSEWHERE; graph.vertex_count()] }
    }

    pub(crate) fn number_loop_vertices(&mut self, places: &[VertexId]) {
        (0..).zip(places).for_each(|(at, place)| self.numbers[*place as usize] = at);
    }

    pub(crate) fn clear_loop_numbers(&mut self, places: &[VertexId]) {
        places.iter().for_each(|place| self.numbers[*place as usize] = ELSEWHERE);
    }

    /// Returns the number of a vertex of the loop.
    pub(crate) fn index_of(&self, place: VertexId) -> Option<u32> {
        Some(self.numbers[place as usize]).filter(|number| *number != ELSEWHERE)
    }

    /// Builds the linear system of a loop.
    pub(crate) fn build_system<N: LoopArithmetic>(
        &self,
        places: &[VertexId],
    ) -> LoopLinearSystem<N> {
        let mut system = LoopLinearSystem::new(places.len());
        for (from, &place) in places.iter().enumerate() {
            let (sides, faces) = self.graph.sides_and_targets(place);
            for (to, faces) in faces {
                let share = N::from_faces(faces, sides);
                match self.index_of(to) {
                    Some(to) => system.add_edge(from, to, share),
                    None => system.add_exit(from, &share),
                }
            }
        }
        system
    }
}
