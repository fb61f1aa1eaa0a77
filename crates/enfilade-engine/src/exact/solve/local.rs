//! Numbering of the vertices of one loop, and the shares between them.

use crate::graph::{DieGraph, Number, Place, System};

/// Numbering of the vertices of one loop.
pub(crate) struct Local<'a> {
    graph: &'a DieGraph,
    /// Number of each vertex of the graph that belongs to the loop.
    numbers: Vec<u32>,
}

const ELSEWHERE: u32 = u32::MAX;

impl<'a> Local<'a> {
    pub(crate) fn new(graph: &'a DieGraph) -> Self {
        Local { graph, numbers: vec![ELSEWHERE; graph.places()] }
    }

    pub(crate) fn enter(&mut self, places: &[Place]) {
        (0..).zip(places).for_each(|(at, place)| self.numbers[*place as usize] = at);
    }

    pub(crate) fn leave(&mut self, places: &[Place]) {
        places.iter().for_each(|place| self.numbers[*place as usize] = ELSEWHERE);
    }

    /// Returns the number of a vertex of the loop.
    pub(crate) fn number(&self, place: Place) -> Option<u32> {
        Some(self.numbers[place as usize]).filter(|number| *number != ELSEWHERE)
    }

    /// Builds the linear system of a loop.
    pub(crate) fn system<N: Number>(&self, places: &[Place]) -> System<N> {
        let mut system = System::new(places.len());
        for (from, &place) in places.iter().enumerate() {
            let (sides, faces) = self.graph.faces(place);
            for (to, faces) in faces {
                let share = N::of(faces, sides);
                match self.number(to) {
                    Some(to) => system.lead(from, to, share),
                    None => system.exit(from, &share),
                }
            }
        }
        system
    }
}
