//! The same in fractions: what a contest that may go on for ever comes to, without any rounding.

use super::local::Local;
use crate::cancel::Halt;
use crate::graph::{
    Condensed, DieGraph, Fraction, Group, MOST_BITS, Place, Reduction, Stop, System, put_back,
    put_on,
};

/// Products of one contest, at most.
const MOST_PRODUCTS: usize = 1 << 20;

/// The law of a graph in fractions.
pub(crate) struct Fractions {
    /// By ending.
    pub(crate) probabilities: Vec<Fraction>,
    /// By counter: the mean of what a trial tallies; nothing where it is without bound.
    pub(crate) tallies: Vec<Option<Fraction>>,
}

/// The law of a graph with ports; `None` where there is too much to be reckoned, or `halt` was asked.
pub(crate) fn fractions(graph: &DieGraph, halt: &Halt) -> Option<Fractions> {
    let condensed = Condensed::of(graph);
    let mut pushing = Pushing {
        graph,
        halt,
        local: Local::new(graph),
        mass: vec![Fraction::zero(); graph.places()],
        tallies: vec![Some(Fraction::zero()); graph.counters()],
        products: 0,
    };
    pushing.mass[graph.start() as usize] = Fraction::from(1);
    for group in condensed.groups(graph) {
        match group {
            Group::Alone(place) => {
                let here = std::mem::replace(&mut pushing.mass[place as usize], Fraction::zero());
                pushing.push(place, &here)?;
            }
            Group::Loop(places) => pushing.together(places)?,
        }
    }
    pushing.mass.truncate(graph.endings().len());
    Some(Fractions { probabilities: pushing.mass, tallies: pushing.tallies })
}

struct Pushing<'a> {
    graph: &'a DieGraph,
    halt: &'a Halt,
    local: Local<'a>,
    mass: Vec<Fraction>,
    tallies: Vec<Option<Fraction>>,
    products: usize,
}

impl Pushing<'_> {
    /// Pushes what is at a place to where it leads, unless that is in the same loop.
    fn push(&mut self, place: Place, here: &Fraction) -> Option<()> {
        if here.is_zero() {
            return Some(());
        }
        if let Some(toll) = self.graph.toll(place)
            && let Some(sum) = &mut self.tallies[usize::from(toll.counter)]
        {
            *sum = &*sum + &here.of_whole(toll.amount);
        }
        let (sides, faces) = self.graph.faces(place);
        for (to, faces) in faces {
            self.products += 1;
            if self.local.number(to).is_none() {
                let sum = &mut self.mass[to as usize];
                *sum = &*sum + &(here * &Fraction::share(faces, sides));
                if sum.bits() > MOST_BITS {
                    return None;
                }
            }
        }
        (self.products <= MOST_PRODUCTS && !self.halt.asked()).then_some(())
    }

    fn together(&mut self, places: &[Place]) -> Option<()> {
        let take =
            |place: &Place| std::mem::replace(&mut self.mass[*place as usize], Fraction::zero());
        let mut comes: Vec<Fraction> = places.iter().map(take).collect();
        self.local.enter(places);
        let system: System<Fraction> = self.local.system(places);
        if system.is_left() {
            self.reduced(system, &mut comes)?;
            for (place, visits) in places.iter().zip(&comes) {
                self.push(*place, visits)?;
            }
        } else if comes.iter().any(|comes| !comes.is_zero()) {
            for place in places {
                if let Some(toll) = self.graph.toll(*place) {
                    self.tallies[usize::from(toll.counter)] = None;
                }
            }
        }
        self.local.leave(places);
        Some(())
    }

    /// Turns what comes in into visits.
    fn reduced(&mut self, system: System<Fraction>, comes: &mut [Fraction]) -> Option<()> {
        let mut reduction = Reduction::new(system);
        let (before, halt) = (self.products, self.halt);
        let go_on = &mut |products| before + products <= MOST_PRODUCTS && !halt.asked();
        if reduction.reduce(u64::MAX, false, go_on) != Stop::End {
            return None;
        }
        self.products += reduction.products();
        put_on(reduction.taken(), comes);
        put_back(reduction.taken(), comes);
        Some(())
    }
}
