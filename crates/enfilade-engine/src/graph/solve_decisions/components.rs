//! Strongly connected components of the transition system (Tarjan 1972), successors first.

use crate::graph::explore::{StepTarget, TransitionSystem};

/// Numbering of the vertices of the steps: states, dice, decisions, tallies.
pub(in crate::graph) struct VertexNumbers<'a> {
    system: &'a TransitionSystem,
    dice: usize,
    choices: usize,
    tolls: usize,
}

impl<'a> VertexNumbers<'a> {
    pub(in crate::graph) fn new(told: &'a TransitionSystem) -> Self {
        let dice = told.states.len();
        let choices = dice + told.dice.as_list().len();
        let tolls = choices + told.choices.len();
        VertexNumbers { system: told, dice, choices, tolls }
    }

    pub(in crate::graph) fn vertex_count(&self) -> usize {
        self.tolls + self.system.tolls.len()
    }

    pub(in crate::graph) fn index_of(&self, place: StepTarget) -> usize {
        match place {
            StepTarget::State(state) => state as usize,
            StepTarget::Die(die) => self.dice + die as usize,
            StepTarget::Choice(choice) => self.choices + choice as usize,
            StepTarget::Toll(toll) => self.tolls + toll as usize,
        }
    }

    /// Returns the direct successors of a vertex.
    pub(in crate::graph) fn successors(
        &self,
        place: StepTarget,
    ) -> impl Iterator<Item = StepTarget> + use<'a> {
        let told = self.system;
        (0..).map_while(move |at| find_successor(told, place, at))
    }
}

fn find_successor(told: &TransitionSystem, place: StepTarget, at: usize) -> Option<StepTarget> {
    match place {
        StepTarget::State(state) => {
            told.states.get(state as usize).copied().flatten().filter(|_| at == 0)
        }
        StepTarget::Toll(toll) => (at == 0).then(|| told.tolls[toll as usize].to),
        StepTarget::Die(die) => {
            let branches = told.dice.as_list().branches(die as usize);
            branches.get(at).map(|branch| branch.to)
        }
        StepTarget::Choice(choice) => {
            let choice = &told.choices[choice as usize];
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
pub(in crate::graph) fn find_components(told: &TransitionSystem) -> Vec<Vec<StepTarget>> {
    let places = VertexNumbers::new(told);
    let mut walk = ComponentWalk {
        found: vec![UNVISITED; places.vertex_count()],
        lowest: vec![UNVISITED; places.vertex_count()],
        places,
        next: 0,
        waiting: Vec::new(),
        open: Vec::new(),
        circles: Vec::new(),
    };
    walk.enter_vertex(StepTarget::State(0));
    while let Some((place, at)) = walk.open.last_mut() {
        let (place, way) = (*place, *at);
        *at += 1;
        match find_successor(told, place, way) {
            Some(next) => walk.visit_edge(place, next),
            None => walk.close_vertex(place),
        }
    }
    walk.circles
}

/// Returns whether the transitions so far contain a cycle.
pub(in crate::graph) fn has_cycle(told: &TransitionSystem) -> bool {
    let places = VertexNumbers::new(told);
    find_components(told).iter().any(|circle| match circle[..] {
        [alone] => places.successors(alone).any(|next| next == alone),
        _ => true,
    })
}

const UNVISITED: u32 = u32::MAX;
/// Mark of a vertex with a component: no open vertex is reached through it.
const DONE: u32 = u32::MAX - 1;

struct ComponentWalk<'a> {
    places: VertexNumbers<'a>,
    /// Order of discovery by vertex.
    found: Vec<u32>,
    /// Earliest open vertex that each vertex leads back to.
    lowest: Vec<u32>,
    next: u32,
    /// Vertices without a component yet, in order of discovery.
    waiting: Vec<StepTarget>,
    /// Path to the current vertex, each with the index of its next branch.
    open: Vec<(StepTarget, usize)>,
    circles: Vec<Vec<StepTarget>>,
}

impl ComponentWalk<'_> {
    fn enter_vertex(&mut self, place: StepTarget) {
        let number = self.places.index_of(place);
        (self.found[number], self.lowest[number]) = (self.next, self.next);
        self.next += 1;
        self.waiting.push(place);
        self.open.push((place, 0));
    }

    fn visit_edge(&mut self, place: StepTarget, next: StepTarget) {
        // A state without a step yet has no number, and leads nowhere.
        if matches!(next, StepTarget::State(state) if state as usize >= self.places.dice) {
            return;
        }
        let (here, there) = (self.places.index_of(place), self.places.index_of(next));
        match self.found[there] {
            UNVISITED => self.enter_vertex(next),
            DONE => {}
            found => self.lowest[here] = self.lowest[here].min(found),
        }
    }

    fn close_vertex(&mut self, place: StepTarget) {
        let here = self.places.index_of(place);
        self.open.pop();
        if let Some(&(above, _)) = self.open.last() {
            let above = self.places.index_of(above);
            self.lowest[above] = self.lowest[above].min(self.lowest[here]);
        }
        if self.lowest[here] < self.found[here] {
            return;
        }
        let first = self.waiting.iter().rposition(|waits| *waits == place);
        let mut circle = self.waiting.split_off(first.unwrap_or(0));
        circle.reverse();
        for place in &circle {
            self.found[self.places.index_of(*place)] = DONE;
        }
        self.circles.push(circle);
    }
}
