//! Strongly connected components of the transition system (Tarjan 1972), successors first.

use crate::graph::explore::{Next, Told};

/// Numbering of the vertices of the steps: states, dice, decisions, tallies.
pub(in crate::graph) struct Places<'a> {
    told: &'a Told,
    dice: usize,
    choices: usize,
    tolls: usize,
}

impl<'a> Places<'a> {
    pub(in crate::graph) fn of(told: &'a Told) -> Self {
        let dice = told.states.len();
        let choices = dice + told.dice.list().len();
        let tolls = choices + told.choices.len();
        Places { told, dice, choices, tolls }
    }

    pub(in crate::graph) fn count(&self) -> usize {
        self.tolls + self.told.tolls.len()
    }

    pub(in crate::graph) fn number(&self, place: Next) -> usize {
        match place {
            Next::State(state) => state as usize,
            Next::Die(die) => self.dice + die as usize,
            Next::Choice(choice) => self.choices + choice as usize,
            Next::Toll(toll) => self.tolls + toll as usize,
        }
    }

    /// Returns the direct successors of a vertex.
    pub(in crate::graph) fn leads(&self, place: Next) -> impl Iterator<Item = Next> + use<'a> {
        let told = self.told;
        (0..).map_while(move |at| lead(told, place, at))
    }
}

fn lead(told: &Told, place: Next, at: usize) -> Option<Next> {
    match place {
        Next::State(state) => {
            told.states.get(state as usize).copied().flatten().filter(|_| at == 0)
        }
        Next::Toll(toll) => (at == 0).then(|| told.tolls[toll as usize].to),
        Next::Die(die) => {
            let branches = told.dice.list().branches(die as usize);
            branches.get(at).map(|branch| branch.to)
        }
        Next::Choice(choice) => told.choices[choice as usize].options.get(at).copied(),
    }
}

/// Returns all vertices reachable from the opening state, as components in which each leads to
/// every other. A component comes after its successors, and within it the vertices discovered last
/// come first.
pub(in crate::graph) fn circles(told: &Told) -> Vec<Vec<Next>> {
    let places = Places::of(told);
    let mut walk = Walk {
        found: vec![UNSEEN; places.count()],
        lowest: vec![UNSEEN; places.count()],
        places,
        next: 0,
        waiting: Vec::new(),
        open: Vec::new(),
        circles: Vec::new(),
    };
    walk.enter(Next::State(0));
    while let Some((place, at)) = walk.open.last_mut() {
        let (place, way) = (*place, *at);
        *at += 1;
        match lead(told, place, way) {
            Some(next) => walk.look(place, next),
            None => walk.leave(place),
        }
    }
    walk.circles
}

/// Returns whether the transitions so far contain a cycle.
pub(in crate::graph) fn goes_round(told: &Told) -> bool {
    let places = Places::of(told);
    circles(told).iter().any(|circle| match circle[..] {
        [alone] => places.leads(alone).any(|next| next == alone),
        _ => true,
    })
}

const UNSEEN: u32 = u32::MAX;
/// Mark of a vertex with a component: no open vertex is reached through it.
const DONE: u32 = u32::MAX - 1;

struct Walk<'a> {
    places: Places<'a>,
    /// Order of discovery by vertex.
    found: Vec<u32>,
    /// Earliest open vertex that each vertex leads back to.
    lowest: Vec<u32>,
    next: u32,
    /// Vertices without a component yet, in order of discovery.
    waiting: Vec<Next>,
    /// Path to the current vertex, each with the index of its next branch.
    open: Vec<(Next, usize)>,
    circles: Vec<Vec<Next>>,
}

impl Walk<'_> {
    fn enter(&mut self, place: Next) {
        let number = self.places.number(place);
        (self.found[number], self.lowest[number]) = (self.next, self.next);
        self.next += 1;
        self.waiting.push(place);
        self.open.push((place, 0));
    }

    fn look(&mut self, place: Next, next: Next) {
        // A state without a step yet has no number, and leads nowhere.
        if matches!(next, Next::State(state) if state as usize >= self.places.dice) {
            return;
        }
        let (here, there) = (self.places.number(place), self.places.number(next));
        match self.found[there] {
            UNSEEN => self.enter(next),
            DONE => {}
            found => self.lowest[here] = self.lowest[here].min(found),
        }
    }

    fn leave(&mut self, place: Next) {
        let here = self.places.number(place);
        self.open.pop();
        if let Some(&(above, _)) = self.open.last() {
            let above = self.places.number(above);
            self.lowest[above] = self.lowest[above].min(self.lowest[here]);
        }
        if self.lowest[here] < self.found[here] {
            return;
        }
        let first = self.waiting.iter().rposition(|waits| *waits == place);
        let mut circle = self.waiting.split_off(first.unwrap_or(0));
        circle.reverse();
        for place in &circle {
            self.found[self.places.number(*place)] = DONE;
        }
        self.circles.push(circle);
    }
}
