//! Strongly connected components of the transition system (Tarjan 1972), successors first.

use crate::graph::explore::{NextRollOrState, TransitionSystem};

/// Numbering of the vertices of the steps: states, dice, decisions, tallies.
pub(in crate::graph) struct VertexNumbers<'a> {
    system: &'a TransitionSystem,
    dice: usize,
    choices: usize,
    first_tally: usize,
}

impl<'a> VertexNumbers<'a> {
    pub(in crate::graph) fn new(transitions: &'a TransitionSystem) -> Self {
        let dice = transitions.states.len();
        let choices = dice + transitions.dice.as_list().len();
        let tolls = choices + transitions.choices.len();
        VertexNumbers { system: transitions, dice, choices, first_tally: tolls }
    }

    pub(in crate::graph) fn vertex_count(&self) -> usize {
        self.first_tally + self.system.tallies.len()
    }

    pub(in crate::graph) fn index_of(&self, place: NextRollOrState) -> usize {
        match place {
            NextRollOrState::State(state) => state as usize,
            NextRollOrState::Die(die) => self.dice + die as usize,
            NextRollOrState::Choice(choice) => self.choices + choice as usize,
            NextRollOrState::Tally(tally) => self.first_tally + tally as usize,
        }
    }

    /// Returns the direct successors of a vertex.
    pub(in crate::graph) fn successors(
        &self,
        place: NextRollOrState,
    ) -> impl Iterator<Item = NextRollOrState> + use<'a> {
        let transitions = self.system;
        (0..).map_while(move |at| nth_successor(transitions, place, at))
    }
}

fn nth_successor(
    transitions: &TransitionSystem,
    place: NextRollOrState,
    at: usize,
) -> Option<NextRollOrState> {
    match place {
        NextRollOrState::State(state) => {
            transitions.states.get(state as usize).copied().flatten().filter(|_| at == 0)
        }
        NextRollOrState::Tally(tally) => (at == 0).then(|| transitions.tallies[tally as usize].to),
        NextRollOrState::Die(die) => {
            let branches = transitions.dice.as_list().branches(die as usize);
            branches.get(at).map(|branch| branch.to)
        }
        NextRollOrState::Choice(choice) => {
            let choice = &transitions.choices[choice as usize];
            match choice.mixture {
                Some(first) => (at == 0).then_some(first),
                None => choice.options.get(at).copied(),
            }
        }
    }
}

/// Returns all vertices reachable from the opening state, as components in which each leads to
/// every other. A component comes after its successors, and within it the vertices discovered last
/// come first.
pub(in crate::graph) fn find_strong_components(
    transitions: &TransitionSystem,
) -> Vec<Vec<NextRollOrState>> {
    find_components_along(transitions, |place, at| nth_successor(transitions, place, at))
}

/// Returns what [`find_strong_components`] returns where each vertex has the successors that
/// `nth_successor` numbers from 0.
pub(in crate::graph) fn find_components_along(
    transitions: &TransitionSystem,
    nth_successor: impl Fn(NextRollOrState, usize) -> Option<NextRollOrState>,
) -> Vec<Vec<NextRollOrState>> {
    let places = VertexNumbers::new(transitions);
    let mut walk = StrongComponentWalk {
        discovery_order: vec![UNVISITED_VERTEX; places.vertex_count()],
        lowest: vec![UNVISITED_VERTEX; places.vertex_count()],
        places,
        next: 0,
        waiting: Vec::new(),
        open: Vec::new(),
        circles: Vec::new(),
    };
    walk.enter_vertex(NextRollOrState::State(0));
    while let Some((place, at)) = walk.open.last_mut() {
        let (place, way) = (*place, *at);
        *at += 1;
        match nth_successor(place, way) {
            Some(next) => walk.follow_edge_or_update_lowlink(place, next),
            None => walk.close_vertex(place),
        }
    }
    walk.circles
}

/// Returns whether the transitions so far contain a cycle.
pub(in crate::graph) fn transitions_contain_cycle(transitions: &TransitionSystem) -> bool {
    let places = VertexNumbers::new(transitions);
    find_strong_components(transitions).iter().any(|circle| match circle[..] {
        [alone] => places.successors(alone).any(|next| next == alone),
        _ => true,
    })
}

const UNVISITED_VERTEX: u32 = u32::MAX;
/// Mark of a vertex with a component: no open vertex is reached through it.
const COMPONENT_CLOSED: u32 = u32::MAX - 1;

struct StrongComponentWalk<'a> {
    places: VertexNumbers<'a>,
    /// Order of discovery by vertex.
    discovery_order: Vec<u32>,
    /// Earliest open vertex that each vertex leads back to.
    lowest: Vec<u32>,
    next: u32,
    /// Vertices without a component yet, in order of discovery.
    waiting: Vec<NextRollOrState>,
    /// Path to the current vertex, each with the index of its next branch.
    open: Vec<(NextRollOrState, usize)>,
    circles: Vec<Vec<NextRollOrState>>,
}

impl StrongComponentWalk<'_> {
    fn enter_vertex(&mut self, place: NextRollOrState) {
        let number = self.places.index_of(place);
        (self.discovery_order[number], self.lowest[number]) = (self.next, self.next);
        self.next += 1;
        self.waiting.push(place);
        self.open.push((place, 0));
    }

    fn follow_edge_or_update_lowlink(&mut self, place: NextRollOrState, next: NextRollOrState) {
        // A state without a step yet has no number, and leads nowhere.
        if matches!(next, NextRollOrState::State(state) if state as usize >= self.places.dice) {
            return;
        }
        let (here, there) = (self.places.index_of(place), self.places.index_of(next));
        match self.discovery_order[there] {
            UNVISITED_VERTEX => self.enter_vertex(next),
            COMPONENT_CLOSED => {}
            found => self.lowest[here] = self.lowest[here].min(found),
        }
    }

    fn close_vertex(&mut self, place: NextRollOrState) {
        let here = self.places.index_of(place);
        self.open.pop();
        if let Some(&(above, _)) = self.open.last() {
            let above = self.places.index_of(above);
            self.lowest[above] = self.lowest[above].min(self.lowest[here]);
        }
        if self.lowest[here] < self.discovery_order[here] {
            return;
        }
        let first = self.waiting.iter().rposition(|waits| *waits == place);
        let mut circle = self.waiting.split_off(first.unwrap_or(0));
        circle.reverse();
        for place in &circle {
            self.discovery_order[self.places.index_of(*place)] = COMPONENT_CLOSED;
        }
        self.circles.push(circle);
    }
}
