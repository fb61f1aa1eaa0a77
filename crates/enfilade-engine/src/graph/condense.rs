//! The loops of a graph: places that lead to each other, found in one walk (Tarjan 1972).
//!
//! Whatever ends does so after some last visit to every loop it came through, so loops can be dealt with
//! one after the other: what leaves one never comes back to it.

use super::die_graph::DieGraph;
use super::node::Place;

/// All places that a trial can come to and that are no endings, as groups of which each comes before those
/// that it leads to; in a group each place leads to every other.
#[derive(Default)]
pub(crate) struct Condensed {
    /// The counter whose tolls lead nowhere.
    cut: Option<u8>,
    /// Group after group, in a group by rising number.
    places: Vec<Place>,
    /// By group: where it ends among the places.
    ends: Vec<u32>,
}

/// One group of places.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Group<'a> {
    /// A place that does not lead back to itself.
    Alone(Place),
    /// Places that a trial may come to again and again.
    Loop(&'a [Place]),
}

impl Condensed {
    pub(crate) fn of(graph: &DieGraph) -> Condensed {
        Condensed::from(graph, None, &[graph.start()])
    }

    /// The same of a layer: what is tallied under a counter leads out of it.
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

    /// The groups, each before all that it leads to.
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

/// Where a place leads, unless it is a toll under the counter that cuts.
fn lead(graph: &DieGraph, cut: Option<u8>, place: Place, at: usize) -> Option<Place> {
    let is_cut = |counter| graph.toll(place).is_some_and(|toll| toll.counter == counter);
    graph.lead(place, at).filter(|_| !cut.is_some_and(is_cut))
}

const UNSEEN: u32 = u32::MAX;
/// What has its group: it is lower than nothing that is still open.
const DONE: u32 = u32::MAX - 1;

struct Walk<'a> {
    graph: &'a DieGraph,
    cut: Option<u8>,
    /// By place: when it was found.
    found: Vec<u32>,
    /// By place: the earliest place that is open and that it leads back to.
    lowest: Vec<u32>,
    next: u32,
    /// Places without a group yet, in the order in which they were found.
    waiting: Vec<Place>,
    /// The way down to where the walk is, each with the next of its leads.
    open: Vec<(Place, usize)>,
    /// Group after group, what a group leads to before it.
    places: Vec<Place>,
    starts: Vec<u32>,
}

impl Walk<'_> {
    /// Walks to all that a place leads to.
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
        // Where it is over nothing leads on.
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

    /// The groups the other way round.
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
